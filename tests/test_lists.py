"""Every list on the glass, in both languages: only a player's name may yield to what stands beside it."""

import ast
from pathlib import Path

import pytest

from tests import test_frames as frames
from tests.test_frames import NAMES, SCREENS, WIDE, WITH_NAMES, NoStore, Overlap, drawn, make  # noqa: F401
from tests.test_frames_es import MORE
from tools.words.collect import said

SCREENS_FOLDER = Path(__file__).parent.parent / "firmware" / "pouch" / "screens"
LANGUAGES = ("English", "español")
PLAYERS = {*NAMES, *WIDE}
GAP = 4  # columns between a row and its value; two words are 2 apart


@pytest.fixture(params=LANGUAGES)
def language(request, firmware):
    firmware("languages").speak(request.param)
    yield request.param
    firmware("languages").speak("English")


@pytest.fixture
def uncut(firmware, monkeypatch):
    """From here on a text that is cut fails the test; a name alone may be."""
    canvas = firmware("ui.canvas").Canvas
    fitted = canvas.fitted

    def checked_fitted(self, font, string, room):
        shown = fitted(self, font, string, room)
        if shown != string and string not in PLAYERS:
            raise Overlap(f"{string!r} is cut to {shown!r}: {self.width(font, string)} of {room} columns")
        return shown

    monkeypatch.setattr(canvas, "fitted", checked_fitted)


@pytest.fixture
def apart(firmware, monkeypatch):
    """From here on a text that stands too near to the next one of its row fails the test; a name may."""
    canvas = firmware("ui.canvas").Canvas
    text, clear = canvas.text, canvas.clear
    texts = []

    def checked_text(self, font, string, x, y, color=1):
        end = text(self, font, string, x, y, color)
        for other, left, right, row in texts:
            gap = max(left - end, x - right)
            first = string if x < left else other
            if row == y < 54 and string and gap < GAP and not any(name.startswith(first) for name in PLAYERS):
                raise Overlap(f"{other!r} and {string!r} are {gap} columns apart in row {y}")
        if string:
            texts.append((string, x, end, y))
        return end

    def new_frame(self, color=0):
        texts.clear()
        clear(self, color)

    monkeypatch.setattr(canvas, "text", checked_text)
    monkeypatch.setattr(canvas, "clear", new_frame)


# -- the lists: each yields (app, screen) for all that can stand in it -----------------------------------------


def rows(app, screen):
    """The list with each of its rows chosen."""
    for at in range(screen.count(app)):
        screen.chosen = at
        yield app, screen


class Kept(NoStore):
    """Finished matches of every game, with many points and rounds."""

    def __init__(self, games):
        self.kept = {}
        order = 95
        for game, players, scores in games:
            order += 1
            standings = tuple(sorted(enumerate(scores), key=lambda one: -one[1]))
            best = standings[0][1]
            self.kept[order] = {
                "order": order,
                "game": game.KEY,
                "players": players,
                "options": tuple((key, {row[0]: row for row in game.OPTIONS}[key][2][-1]) for key in game.DECIDING),
                "rounds": (scores,) * 12,
                "standings": tuple((player, score, 1) for player, score in standings),
                "winners": tuple(player for player, score in standings if score == best),
                "length": 99,
                "seconds": 5940,
            }

    def finished(self):
        return list(self.kept)

    def finished_match(self, order):
        return self.kept[order]


def history_of(make, firmware):  # noqa: F811
    game = lambda name: firmware("games." + name)  # noqa: E731
    app = make("zip_it", NAMES[:2])
    app.store = Kept(
        (
            (game("zip_it"), ("CLEO", "EMMA"), (99, 98)),
            (game("crossed_words"), NAMES, (9, 8, 7, 6, 5, 4)),
            (game("upwords"), NAMES[:4], (1999, 1999, 3, 4)),
            (game("upwords"), NAMES[:1], (1999,)),
            (game("tally"), NAMES[:3], (1999, 5, 3)),
            (game("tally"), NAMES[:1], (1999,)),
        )
    )
    return app


def settings(make, firmware):  # noqa: F811
    app = make("zip_it", NAMES[:2])
    screen = firmware("screens.settings").Settings(None)
    for key, _, values, _, _ in firmware("settings").ROWS:
        for value in values:
            app.settings = dict(firmware("settings").defaults(), **{key: value})
            yield from rows(app, screen)


def options(make, firmware):  # noqa: F811
    for name in ("zip_it", "crossed_words", "upwords", "tally"):
        game = firmware("games." + name)
        app = make(name, NAMES[:3] if name == "crossed_words" else NAMES[:2])
        for key, _, values, _, _ in game.OPTIONS:
            for value in (*values[:12], values[-1]):
                screen = firmware("screens.setup_options").SetupOptions(game, {key: value}, None)
                yield app, screen
                screen.chosen = screen.count(app) - 1
                yield app, screen


def game_options(make, firmware):  # noqa: F811
    app = make("zip_it", NAMES[:2])
    screen = firmware("screens.game_options").GameOptions(None)
    games = {name: firmware("games." + name) for name in ("zip_it", "crossed_words", "upwords", "tally")}
    for count in range(9):
        kept = {key: {n: n for n in range(min(count, len(game.OPTIONS)))} for key, game in games.items()}
        app.settings = dict(firmware("settings").defaults(), options=kept)
        yield app, screen


def about(make, firmware, monkeypatch):  # noqa: F811
    app = make("zip_it", NAMES[:2])
    machine = firmware("hal.about")
    app.device.board = {}
    for name, version in (("MicroPython", "v1.28.0"), ("Python", "3.14.10")):
        monkeypatch.setattr(machine, "interpreter", lambda found=(name, version): found)
        for board in Path(__file__).parent.parent.glob("boards/*/board.json"):
            app.device.board["id"] = board.parent.name
            for room in (None, 8, 14336):

                def free(files, room=room):
                    if room is None:
                        raise OSError
                    return room

                monkeypatch.setattr(machine, "room", free)
                screen = firmware("screens.about").About(app, None)
                yield from rows(app, screen)


def setup(make, firmware):  # noqa: F811
    for name, counts in (("zip_it", (2,)), ("crossed_words", (3, 4, 5, 6)), ("upwords", (1, 2, 4)), ("tally", (1, 6))):
        game = firmware("games." + name)
        for count in counts:
            app = make(name, NAMES[:count])
            changed = {}
            for key, _, values, default, _ in game.OPTIONS:
                changed[key] = next(value for value in values if value != default)
                yield app, firmware("screens.setup").Setup(game, NAMES[:count], changed, None)
            yield app, firmware("screens.setup").Setup(game, NAMES[:count], {}, None)
            yield app, firmware("screens.setup_names").SetupNames(NAMES[:count], None, None)


def name_pick(make, firmware):  # noqa: F811
    app = make("zip_it", NAMES[:2])
    app.names = app.own_names() + NAMES
    screen = firmware("screens.name_pick").NamePick(app, 6, NAMES[:2], None, None)
    yield from rows(app, screen)


def changes():
    """All that an undo can say that it takes back."""
    for path in SCREENS_FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name in ("last_change", "_change"):
                yield from (text for text, _ in said(node))


def menus(make, firmware):  # noqa: F811
    menu = firmware("screens.menu")
    say = firmware("words").say
    undone = sorted(set(changes()))
    assert len(undone) > 10
    for name, count in (("zip_it", 2), ("crossed_words", 6), ("upwords", 4), ("tally", 6), ("upwords", 1)):
        app = make(name, NAMES[:count])
        frames.put(app, rounds=98)
        screen = menu.Menu(app, None)
        for text in (*undone, f"{NAMES[2]} +420"):
            screen._last = say(text).format(99)
            yield app, screen
        for phase in (app.match.state["phase"], firmware("games." + name).OVER):
            frames.put(app, phase=phase)
            yield from rows(app, screen)
    for name, count, state in (
        ("zip_it", 2, {}),
        ("crossed_words", 6, {"phase": 2}),
        ("upwords", 4, {"words": (9,) * 12}),
    ):
        app = make(name, NAMES[:count])
        frames.put(app, **state)
        screen = menu.RoundMenu(app, None)
        yield from rows(app, screen)
    app = make("timer", ())
    screen = firmware("screens.timer_menu").TimerMenu(app, None)
    for text in undone:
        screen._last = say(text).format(99)
        yield app, screen
    yield from rows(app, screen)


def confirms(make, firmware):  # noqa: F811
    menu = firmware("screens.menu")
    for name, count in (("zip_it", 2), ("crossed_words", 6), ("upwords", 4), ("upwords", 1), ("tally", 6)):
        app = make(name, NAMES[:count])
        app.match.do((firmware("games").CHANGE, 0, 6))
        for scores in ((9,) * count, (*range(count - 1), 9)):
            frames.put(app, scores=scores)
            menu.Menu(app, None)._end(app)
            yield app, app.screen
            home = firmware("screens.home").Home(app)
            home.chosen = 1 if name != "zip_it" else 2
            home.press(app, 2, 0, 0)
            yield app, app.screen
    app = make("timer", ())
    firmware("screens.timer_menu").TimerMenu(app, None)._put_away(app)
    yield app, app.screen
    app = history_of(make, firmware)
    history = firmware("screens.history").History(app, None)
    for order in app.store.finished():
        record = firmware("screens.record").Record(app, order, history)
        record._ask(app)
        yield app, app.screen
        record._ask_again(app)
        yield app, app.screen


def up_more(make, firmware):  # noqa: F811
    more = firmware("screens.up_more")
    for count in (1, 2, 4):
        for opened in (None, (0, 420, 0)):
            for passes in (0, count - 1):
                if opened and count == 1:
                    continue
                app = make("upwords", NAMES[:count])
                frames.put(app, open=opened, passes=passes, turn=count - 1, scores=(1999,) * count)
                yield app, more.UpMore(app, None)
    for wrong in ("free", "turn lost"):
        for back in ("play again", "turn lost"):
            app = make("upwords", NAMES[:4], {"wrong": wrong, "challenge": back})
            frames.put(app, open=(2, 420, 0), turn=3, scores=(1999,) * 4)
            yield app, more.Challenge(app, more.UpMore(app, None))


def histories(make, firmware):  # noqa: F811
    app = history_of(make, firmware)
    history = firmware("screens.history").History(app, None)
    yield from rows(app, history)
    for order in app.store.finished():
        record = firmware("screens.record").Record(app, order, history)
        record.page = record._last
        yield app, record


def change_scores(make, firmware):  # noqa: F811
    for name, count in (("zip_it", 2), ("crossed_words", 6), ("upwords", 4), ("tally", 6)):
        app = make(name, NAMES[:count])
        frames.put(app, scores=(-99,) * count)
        screen = firmware("screens.change_scores").ChangeScores(app, None)
        screen.scores = [1999] * count
        yield app, screen


def selftest(make, firmware):  # noqa: F811
    app = make("zip_it", NAMES[:2])
    result = firmware("screens.selftest_result").SelfTestResult
    for keys, piezo, flash, panel, glass in (
        (True, True, True, True, True),
        (None, None, None, None, None),
        ("LEFT dead", "silent", "bad", "bus silent", "wrong"),
        ("RIGHT stuck", "no tone", "full", "SH1106", "wrong"),
        ("BACK other", "silent", "63 kB", True, "wrong"),
        ("OTHER bad", "silent", "63 kB", True, "wrong"),
    ):
        found = {"Panel": panel, "Keys": keys, "Piezo": piezo, "Flash": flash, "Glass": glass}
        yield app, result(None, found, [0x3C, 0x3D, 0x3E])


LISTS = (
    settings,
    options,
    game_options,
    about,
    setup,
    name_pick,
    menus,
    confirms,
    up_more,
    histories,
    change_scores,
    selftest,
)


def shown(one, make, firmware, monkeypatch):  # noqa: F811
    return one(make, firmware, monkeypatch) if one is about else one(make, firmware)


@pytest.mark.parametrize("one", LISTS, ids=lambda one: one.__name__)
def test_no_text_of_a_list_is_cut(one, make, firmware, language, uncut, apart, monkeypatch):  # noqa: F811
    count = 0
    for app, screen in shown(one, make, firmware, monkeypatch):
        drawn(app, screen)
        count += 1
    assert count


ALL = pytest.mark.parametrize("screen", SCREENS + WITH_NAMES + MORE, ids=lambda screen: screen.__name__)


@ALL
def test_no_text_of_a_screen_is_cut(screen, make, firmware, language, uncut):  # noqa: F811
    for scores in ((7, 4), (6, 6), (20, 98)):
        drawn(*screen(make, firmware, NAMES, *scores))


def test_every_list_is_looked_at(make, firmware, monkeypatch):  # noqa: F811
    """A class of a module that draws a list, or that is one of pouch.screens.listed, without a function above."""
    trees = {path.stem: ast.parse(path.read_text("utf-8")) for path in SCREENS_FOLDER.glob("*.py")}
    classes = {
        node.name: (stem, {base.id for base in node.bases if isinstance(base, ast.Name)})
        for stem, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
    lists = {"Listed"}
    while True:
        more = {name for name, (_, bases) in classes.items() if bases & lists} - lists
        if not more:
            break
        lists |= more
    for name, (stem, _) in classes.items():
        if "listing.draw" in ast.unparse(trees[stem]) and "def render" in ast.unparse(trees[stem]):
            lists.add(name)
    lists -= {"Listed", "_Menu", "_Rows"}  # what the others are made of
    seen = set()
    for one in LISTS:
        seen |= {type(screen).__name__ for _, screen in shown(one, make, firmware, monkeypatch)}
    assert len(lists) > 15 and not lists - seen


def test_a_cut_text_is_found(make, firmware, uncut, apart):  # noqa: F811
    app = make("zip_it", NAMES[:2])
    draw = firmware("ui.listing").draw
    for items in ((("CROSSED WORDS", "▪ as in the box"),), (("misc-fixed", "licence public domain"),)):
        app.canvas.clear()
        with pytest.raises(Overlap, match=r"is cut|columns apart"):
            draw(app.canvas, "ABOUT", "", items * 7, 0)
    app.canvas.clear()
    draw(app.canvas, "ABOUT", "", ((WIDE[0], "1999 → −99 − −99 → 1999"), ("Options", "▪ box rules")), 0)
