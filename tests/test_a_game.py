"""Every table that lists the games has each of them: who adds one is told what is lacking, and where.

The checklist is firmware/pouch/games/README.md, "Adding a game". The sources are read, not run: a game that lacks an
entry may well not start.
"""

import ast
import json
import shutil
from pathlib import Path

import pytest

from host_sim.firmware import ROOT

GAMES = "firmware/pouch/games"
SCREENS = "firmware/pouch/screens"
CELLS = 8  # of home: a running match, the games, what stands apart
# What the module of a game's first screen must have, and what only the common menu asks for.
FUNCTIONS = ("resume", "interrupted", "undo", "redo", "last_change", "heading", "standing", "summary", "time_up")
FOR_THE_MENU = ("round_more", "ended", "clock")


def constant(root: Path, file: str, name: str) -> ast.expr:
    """What stands behind `name =` in a file of the project, also within a class."""
    for node in ast.walk(ast.parse((root / file).read_text("utf-8"))):
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == name for target in node.targets):
            return node.value
    raise AssertionError(f"{file} has no {name}: tests/test_a_game.py reads it")


def texts(nodes) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant)]


def listed(root: Path, file: str, name: str) -> list[str]:
    """The keys of a dict, the first item of each row of a table, or the texts of a tuple."""
    value = constant(root, file, name)
    if isinstance(value, ast.Dict):
        return texts(value.keys)
    return texts(node.elts[0] if isinstance(node, ast.Tuple) else node for node in value.elts)


def values(root: Path, file: str, name: str) -> list[str]:
    return texts(constant(root, file, name).values)


def functions(root: Path, file: str) -> set[str]:
    """All that a module has by that name: its own, or imported."""
    names = set()
    for node in ast.parse((root / file).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            names |= {getattr(target, "id", "") for target in node.targets}
    return names


def lacking(root: Path, keys: list[str] | None = None) -> list[str]:
    """What the games (all in _Games.KEYS) lack, a line each."""
    keys = keys or listed(root, f"{GAMES}/__init__.py", "KEYS")
    tables = {
        f"{SCREENS}/__init__.py _OF": listed(root, f"{SCREENS}/__init__.py", "_OF"),
        f"{SCREENS}/__init__.py PLAYED": listed(root, f"{SCREENS}/__init__.py", "PLAYED"),
        f"{SCREENS}/home.py _GAMES": listed(root, f"{SCREENS}/home.py", "_GAMES"),
        "firmware/pouch/modules.py _OF": values(root, "firmware/pouch/modules.py", "_OF"),
        "tests/test_modules.py KEYS": values(root, "tests/test_modules.py", "KEYS"),
        "tests/test_home.py GAMES": listed(root, "tests/test_home.py", "GAMES"),
        "tests/torture/player.py _PLAYED": listed(root, "tests/torture/player.py", "_PLAYED"),
        "tests/rules/vectors.json matches": [
            vector["game"] for vector in json.loads((root / "tests/rules/vectors.json").read_text("utf-8"))["matches"]
        ],
        "tools/fonts/home_icons.txt (a glyph of that name)": [
            line.split()[1]
            for line in (root / "tools/fonts/home_icons.txt").read_text("utf-8").splitlines()
            if line.startswith("glyph ")
        ],
        "firmware/pouch/ui/fonts/home_icons.py (.venv/bin/python -m tools.fonts writes it)": listed(
            root, "firmware/pouch/ui/fonts/home_icons.py", "GLYPHS"
        ),
    }
    # What runs without players (the timer) leaves no record, and its options are its start.
    for_players = {
        f"{SCREENS}/game_options.py _CHOICES": listed(root, f"{SCREENS}/game_options.py", "_CHOICES"),
        f"{GAMES}/records.py TITLES": listed(root, f"{GAMES}/records.py", "TITLES"),
        "tests/rules/replays.py PLAYS": listed(root, "tests/rules/replays.py", "PLAYS"),
    }
    found = []
    for key in keys:
        rules = f"{GAMES}/{key}.py"
        if not (root / rules).is_file():
            found.append(f"`{key}` lacks its rules, {rules}")
        alone = (root / rules).is_file() and ast.literal_eval(constant(root, rules, "PLAYERS"))[0] == 0
        for where, has in {**tables, **({} if alone else for_players)}.items():
            if key not in has:
                found.append(f"`{key}` lacks an entry in {where}")
        found += lacking_on_screens(root, key)
    apart = len(listed(root, f"{SCREENS}/home.py", "_APART"))
    if 1 + len(keys) + apart > CELLS:
        found.append(f"{SCREENS}/home.py: {len(keys)} games, a running match and {apart} more need over {CELLS} cells")
    return found


def entry(root: Path, name: str, key: str) -> ast.expr | None:
    value = constant(root, f"{SCREENS}/__init__.py", name)
    assert isinstance(value, ast.Dict)
    return next((v for k, v in zip(value.keys, value.values, strict=True) if ast.literal_eval(k) == key), None)


def lacking_on_screens(root: Path, key: str) -> list[str]:
    """What its first screen lacks, and what its modules are to be called."""
    found = []
    played = entry(root, "PLAYED", key)
    needed = ast.literal_eval(played) if played else ()
    for name in needed:
        if not (root / "firmware" / (name.replace(".", "/") + ".py")).is_file():
            found.append(f"`{key}` names {name} in {SCREENS}/__init__.py PLAYED, and there is no such module")
    if needed and needed[0] != f"pouch.games.{key}":
        found.append(f"`{key}` has to have its rules first in {SCREENS}/__init__.py PLAYED: pouch.games.{key}")
    first = entry(root, "_OF", key)
    if not first:
        return found
    screen = ast.literal_eval(first)
    file = f"{SCREENS}/{screen}.py"
    if not (root / file).is_file():
        return [*found, f"`{key}` lacks its first screen, {file}"]
    wanted = FUNCTIONS + (FOR_THE_MENU if "pouch.screens.menu" in needed else ())
    there = functions(root, file)
    found += [f"`{key}` lacks `def {name}` in {file}" for name in wanted if name not in there]
    owners = constant(root, "firmware/pouch/modules.py", "_OF")
    assert isinstance(owners, ast.Dict)
    whose = {ast.literal_eval(k): ast.literal_eval(v) for k, v in zip(owners.keys, owners.values, strict=True)}
    for module in (f"pouch.games.{key}", f"pouch.screens.{screen}"):
        head = module[: module.find("_") + 1] or module
        if whose.get(head) != key:
            found.append(f'`{key}` lacks "{head}": "{key}" in firmware/pouch/modules.py _OF')
    return found


def test_every_table_has_every_game():
    found = lacking(ROOT)
    assert not found, "\n".join(["firmware/pouch/games/README.md, Adding a game:", *found])


# -- the check itself --------------------------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path):
    """The project's sources, to break."""
    for folder in ("firmware/pouch", "tests/rules", "tools/fonts", "tests/torture"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("tests/test_modules.py", "tests/test_home.py"):
        shutil.copy(ROOT / file, tmp_path / file)

    def change(file, before, after):
        text = (tmp_path / file).read_text("utf-8")
        assert before in text
        (tmp_path / file).write_text(text.replace(before, after), "utf-8")

    return tmp_path, change


def test_a_game_that_was_only_named_is_told_all_that_it_lacks(copy):
    root, change = copy
    assert lacking(root) == []
    change(f"{GAMES}/__init__.py", '"timer", "tally")', '"timer", "tally", "coin_toss")')
    assert lacking(root) == [
        "`coin_toss` lacks its rules, firmware/pouch/games/coin_toss.py",
        "`coin_toss` lacks an entry in firmware/pouch/screens/__init__.py _OF",
        "`coin_toss` lacks an entry in firmware/pouch/screens/__init__.py PLAYED",
        "`coin_toss` lacks an entry in firmware/pouch/screens/home.py _GAMES",
        "`coin_toss` lacks an entry in firmware/pouch/modules.py _OF",
        "`coin_toss` lacks an entry in tests/test_modules.py KEYS",
        "`coin_toss` lacks an entry in tests/test_home.py GAMES",
        "`coin_toss` lacks an entry in tests/torture/player.py _PLAYED",
        "`coin_toss` lacks an entry in tests/rules/vectors.json matches",
        "`coin_toss` lacks an entry in tools/fonts/home_icons.txt (a glyph of that name)",
        "`coin_toss` lacks an entry in firmware/pouch/ui/fonts/home_icons.py "
        "(.venv/bin/python -m tools.fonts writes it)",
        "`coin_toss` lacks an entry in firmware/pouch/screens/game_options.py _CHOICES",
        "`coin_toss` lacks an entry in firmware/pouch/games/records.py TITLES",
        "`coin_toss` lacks an entry in tests/rules/replays.py PLAYS",
        "firmware/pouch/screens/home.py: 6 games, a running match and 2 more need over 8 cells",
    ]


def test_a_first_screen_that_lacks_a_function_is_told(copy):
    root, change = copy
    change(f"{SCREENS}/tally_turn.py", "def last_change(", "def last(")
    change(f"{SCREENS}/__init__.py", '"pouch.games.tally",\n', "")
    change(f"{SCREENS}/__init__.py", '"pouch.screens.tally_result"', '"pouch.screens.tally_end"')
    change("firmware/pouch/modules.py", '    "pouch.screens.tally_": "tally",\n', "")
    assert lacking(root) == [
        "`tally` names pouch.screens.tally_end in firmware/pouch/screens/__init__.py PLAYED, and there is no such "
        "module",
        "`tally` has to have its rules first in firmware/pouch/screens/__init__.py PLAYED: pouch.games.tally",
        "`tally` lacks `def last_change` in firmware/pouch/screens/tally_turn.py",
        '`tally` lacks "pouch.screens.tally_": "tally" in firmware/pouch/modules.py _OF',
    ]


def test_the_checklist_names_every_file_that_is_looked_at():
    page = (ROOT / GAMES / "README.md").read_text("utf-8")
    checklist = page[page.index("## Adding a game") :]
    for name in (
        *("screens/__init__.py", "`_OF`", "`PLAYED`", "screens/home.py", "`_GAMES`", "modules.py", "home_icons.txt"),
        *("words.txt", "screens/game_options.py", "`_CHOICES`", "games/records.py", "`TITLES`", "`_Games.KEYS`"),
        *("tests/test_modules.py", "tests/test_home.py", "tests/rules/replays.py", "tests/torture/player.py"),
        *("vectors.json", "tests/test_a_game.py", *(f"`{name}" for name in FUNCTIONS + FOR_THE_MENU)),
    ):
        assert name in checklist, name
