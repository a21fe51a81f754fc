"""The frames in Spanish: all names and numerals fit; and in a language of ñ alone: no text stays English.

The screens, names and what is a misfit are those of test_frames.py.
"""

import functools
import re

import pytest

from tests import test_frames as frames
from tests.test_frames import NAMES, SCREENS, SHORT, WIDE, WITH_NAMES, drawn, fits, make  # noqa: F401
from tools.words.__main__ import key, signed
from tools.words.table import read

LANGUAGE = "español"
# Symbols of units, and what stands on a tile.
SAME = {"ms", "Qu"}


@pytest.fixture
def spanish(firmware):
    speak = firmware("languages").speak
    speak(LANGUAGE)
    yield
    speak("English")


def settings(make, firmware, names, score, other):  # noqa: F811
    app = make("zip_it", names[:2])
    screen = firmware("screens.settings").Settings(None)
    screen.chosen = score % 7
    return app, screen


def setup_options(make, firmware, names, score, other):  # noqa: F811
    app = make("zip_it", names[:2])
    screen = firmware("screens.setup_options").SetupOptions(app.match.game, {}, None)
    screen.chosen = score % 7
    return app, screen


def round_menu(make, firmware, names, score, other):  # noqa: F811
    app, below = frames.zip_ready(make, firmware, names, score, other)
    menu = firmware("screens.menu").RoundMenu(app, below)
    menu.chosen = score % 7
    return app, menu


def menu_below(make, firmware, names, score, other):  # noqa: F811
    app, menu = frames.zip_menu(make, firmware, names, score, other)
    menu.chosen = score % 8
    return app, menu


def name_pick(make, firmware, names, score, other):  # noqa: F811
    app = make("zip_it", names[:2])
    app.names = tuple(names)
    return app, firmware("screens.name_pick").NamePick(app, 1, names[:2], None, None)


def dead_heat(make, firmware, names, score, other):  # noqa: F811
    app = make("zip_it", names[:2])
    frames.put(app, scores=(score, other), phase=3)
    return app, firmware("screens.zip_question").DeadHeat()


def undone(make, firmware, names, score, other):  # noqa: F811
    app, _ = frames.cw_open(make, firmware, names, score, other)
    return app, firmware("screens.cw_open").CwOpen(app, undone=score % 30)


def refused(make, firmware, names, score, other):  # noqa: F811
    app, screen = frames.cw_sheet(make, firmware, names, score, other)
    frames.put(app, vote=(1, 2, 1, 2))
    return app, screen


def stop(make, firmware, names, score, other):  # noqa: F811
    app, _ = frames.cw_open(make, firmware, names, score, other)
    return app, firmware("screens.cw_stop").CwStop(app)


def asleep(make, firmware, names, score, other):  # noqa: F811
    app, below = frames.cw_open(make, firmware, names, score, other)
    return app, firmware("screens.sleep").Sleep(below)


MORE = (settings, setup_options, round_menu, menu_below, name_pick, dead_heat, undone, refused, stop, asleep)
ALL = pytest.mark.parametrize("screen", SCREENS + WITH_NAMES + MORE, ids=lambda screen: screen.__name__)


@ALL
def test_all_names_and_numerals_fit_in_spanish(screen, make, firmware, spanish, fits):  # noqa: F811
    for names in (WIDE, NAMES, SHORT):
        for scores in ((7, 4), (6, 6), (20, 98)):
            drawn(*screen(make, firmware, names, *scores))


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)
def test_the_widest_numerals_fit_in_spanish(screen, make, firmware, spanish, fits):  # noqa: F811
    for scores in ((1999, -99), (-99, 199), (1000, 1000), (199, 199)):
        if screen not in frames.AS_THE_RULES_ALLOW:
            drawn(*screen(make, firmware, NAMES, *scores))


def test_who_wins_is_read_in_the_order_of_the_language(make, firmware, spanish, monkeypatch):  # noqa: F811
    """Of a name that is too wide for a headline too."""
    seen = []
    canvas = firmware("ui.canvas").Canvas
    text = canvas.text
    monkeypatch.setattr(canvas, "text", lambda self, f, t, x, y, c=1: (seen.append(t), text(self, f, t, x, y, c))[1])
    drawn(*frames.up_result(make, firmware, ("RED", "BLUE", "PINK", "GOLD"), 30, 4))
    assert seen[0] == "GANA RED"
    seen.clear()
    drawn(*frames.up_result(make, firmware, WIDE, 30, 4))
    assert seen[:2] == ["GANA", WIDE[0]]


def test_several_names_in_spanish(firmware, spanish):
    joined = firmware("ui.sentence").joined
    assert joined(["ANA"]) == "ANA"
    assert joined(["ANA", "BEN"]) == "ANA y BEN"
    assert joined(["ANA", "BEN", "INÉS"]) == "ANA, BEN e INÉS"
    assert joined(["ANA", "HILDA"]) == "ANA e HILDA"
    firmware("languages").speak("English")
    assert joined(["ANA", "BEN", "INÉS"]) == "ANA, BEN and INÉS"


# -- the setting -------------------------------------------------------------------------------------------


@pytest.fixture
def change(firmware):
    """change(app): the row of the language, and OK."""

    def press(app):
        screen = firmware("screens.settings").Settings(None)
        screen.chosen = [row[0] for row in firmware("settings").ROWS].index("language")
        screen.press(app, 2, 0, 0)

    yield press
    firmware("languages").speak("English")


@pytest.mark.parametrize("begun", (False, True))
def test_who_has_no_name_of_his_own_is_called_in_the_language(begun, make, firmware, change):  # noqa: F811
    app = make("zip_it", ("RED", "BEGOÑA"))
    if begun:
        app.match.do((firmware("games.zip_it").GO,))
    app.know("RAMON")
    change(app)
    assert app.settings["language"] == LANGUAGE
    assert app.names == ("ROJO", "AZUL", "VERDE", "ORO", "ROSA", "GRIS", "RAMON")
    assert tuple(app.match.players) == ("ROJO", "BEGOÑA")
    assert bool(app.match.journal) == begun, "a match that nobody has begun is none yet"
    change(app)
    assert tuple(app.match.players) == ("RED", "BEGOÑA")
    assert app.names == (*firmware("settings").NAMES, "RAMON")


@pytest.mark.parametrize("over", (False, True))
def test_so_is_who_played_last(over, make, firmware, change):  # noqa: F811
    app = make("tally", ("RED", "BEGOÑA", "GREEN"), {"step": 5})
    if over:
        app.match.do((firmware("games").END,))
    app.go_home()
    assert app.match is None
    change(app)
    assert app.table()[:2] == ("tally", ("ROJO", "BEGOÑA", "VERDE")) and app.table()[2]["step"] == 5
    change(app)
    assert app.table()[1] == ("RED", "BEGOÑA", "GREEN")


def test_without_room_for_it_the_language_stays_english(make, firmware, change, monkeypatch):  # noqa: F811
    def full():
        raise MemoryError

    app = make("zip_it", ("RED", "BLUE"))
    monkeypatch.setattr(firmware("languages"), "collect", full)
    change(app)
    assert app.settings["language"] == "English" and app.names[0] == "RED"
    assert firmware("words").say("BACK") == "BACK"


# -- a language in which every letter is an ñ --------------------------------------------------------------


@functools.cache  # all of the firmware is read for it
def all_ñ():
    data = b""
    entries = read()
    for entry in entries + signed(entries):
        text = re.sub("[A-Za-zÀ-ÿ]", "ñ", entry.english).encode()
        data += key(entry.english).to_bytes(3, "big") + bytes([len(text)]) + text
    return data


@pytest.fixture
def only_ñ(firmware):
    words, languages = firmware("words"), firmware("languages")
    words.language, words.look, languages._data = "ñ", languages._look, all_ñ()
    yield
    words.language, words.look, languages._data = "English", None, None


@ALL
def test_no_text_stays_english(screen, make, firmware, only_ñ, monkeypatch):  # noqa: F811
    canvas = firmware("ui.canvas").Canvas
    text = canvas.text
    seen = []

    def noted(self, font, string, x, y, color=1):
        seen.append(string)
        return text(self, font, string, x, y, color)

    monkeypatch.setattr(canvas, "text", noted)
    # Names without one of the letters that are looked for.
    names = ("ÁÄ", "ÉÈ", "ÍÍ", "ÑÑ", "ÓÖ", "ÚÜ")
    for scores in ((7, 4), (6, 6)):
        drawn(*screen(make, firmware, names, *scores))
    assert any("ñ" in string for string in seen)
    letters = re.compile("[A-Z](–[A-Z✓])?")  # those of the name entry
    left = {string for string in seen if re.search("[A-Za-z]", string) and not letters.fullmatch(string)}
    assert not left - SAME - {"español", "English"}
