"""The texts of the glass: all in the table, in every language, and each in its place."""

import ast
import importlib
import sys
from itertools import product
from pathlib import Path

import pytest

from host_sim.firmware import FIRMWARE
from host_sim.read_glass import records
from tools.words import __main__ as tool
from tools.words.collect import is_text, legends, said, slots, strings, texts
from tools.words.table import TABLE, Entry, Place, TableError, parse, read

ENTRIES = read()
USED = texts()
SOURCES = sorted((FIRMWARE / "pouch").rglob("*.py"))
LANGUAGES = ("English", "español")
ANY = Place((), ())
# What is the same in every language.
SIGNS = {"ms", "Qu", "GO!", "ZIP!"}


@pytest.fixture
def speak(firmware):
    """speak(language): as the settings do; English again afterwards."""
    speak = firmware("languages").speak
    yield speak
    speak("English")


def width(face, text):
    """Columns of a line, as the canvas sets it."""
    font = records(face)
    columns, gap = 0, 0
    for char in text:
        if char == " ":
            gap = font.SPACE
        else:
            columns += gap + font.GLYPHS[char][0]
            gap = font.GAP
    return columns


# -- the table ---------------------------------------------------------------------------------------------


def test_the_module_is_not_stale():
    assert tool.main(["--check"]) == 0, "run `.venv/bin/python -m tools.words`"


def test_every_text_of_the_firmware_has_an_entry():
    lacking = set(USED) - {entry.english for entry in ENTRIES}
    assert not lacking, "\n".join(f"{USED[text]}: {text!r} lacks an entry in {TABLE.name}" for text in lacking)


def test_every_entry_is_used():
    unused = {entry.english: entry.line for entry in ENTRIES if entry.english not in USED}
    assert not unused, "\n".join(f"{TABLE.name}:{line}: no source says {text!r}" for text, line in unused.items())


def test_what_is_collected_is_what_is_there():
    """Negative controls: the checks above would pass if nothing was found."""
    assert len(USED) > 250
    for text in ("BACK", "Is {}'s grid good?", "GREY", "one more round", "STUCK", "Match {} cannot be read.", "+WORD"):
        assert text in USED
    tree = ast.parse('x = say("a" if y == "b" else ("c", "d")[e["f"]])\nlegend("g")')
    assert [string for string, _ in said(tree)] == ["a", "c", "d"]


def test_a_value_that_is_kept_and_has_no_word_is_found(tmp_path):
    """In the sources, not in a list that somebody must remember: the duration was told in English alone."""
    assert set(slots()) == {"settings", "names", "duration", "solo", "clock"}
    (tmp_path / "power_on.py").write_text('_CALLED = {"lives": "lives left"}\n', "utf-8")
    (tmp_path / "app.py").write_text(
        'a = store.load("lives", fit, 3)\nb = self.store.load("luck", fit, 0)\nc = json.load(file)\n', "utf-8"
    )
    (tmp_path / "other.py").write_text('self._slots = Slots(files, "mood")\n', "utf-8")
    found = texts(tmp_path)
    assert found == {"lives left": "app.py:1", "luck": "app.py:2", "mood": "other.py:1"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slot", sorted(slots()))
def test_what_cannot_be_read_is_told_in_the_language(slot, language, firmware, speak):
    """In a whole sentence: all that the store can say of it stands in the table, and fits the glass."""
    speak(language)
    told = firmware("power_on")._said
    for what in ("Cannot be read", "Too new"):
        line = told(f"{what}: {slot}.")
        assert width("text", line) <= 127 and line.endswith(".") and "{}" not in line
        entry = next(entry for entry in ENTRIES if entry.english == what + ": {}.")
        text = entry.spanish if language == "español" else entry.english
        start, end = text.split("{}")
        assert line.startswith(start) and line.endswith(end)
        word = line[len(start) : len(line) - len(end)]
        assert word in {entry.spanish if language == "español" else entry.english for entry in ENTRIES}
    assert told("Match 4 cannot be read.") == firmware("words").say("Match {} cannot be read.").format(4)


DRAW = {"text", "right", "centred", "heading", "caption", "draw", "Notice", "Confirm", "append"}


def unsaid(tree):
    """Strings that are drawn as they stand in the source."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in DRAW:
            continue
        for argument in node.args:
            parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
            for part in parts:
                for string in strings(part):
                    if is_text(string) and string not in SIGNS:
                        yield string, node.lineno


@pytest.mark.parametrize("folder", ("screens", "ui"))
def test_no_text_is_drawn_that_nobody_said(folder):
    for path in sorted((FIRMWARE / "pouch" / folder).glob("*.py")):
        if path.name == "crash.py":
            continue  # in English: where all has tripped nothing is looked up
        found = list(unsaid(ast.parse(path.read_text("utf-8"))))
        assert not found, f"{path.name}: {found}: pass it to say()"


def test_the_check_for_what_nobody_said_finds_it():
    source = 'canvas.text(small, "now", 1, 1)\ncanvas.right(small, f"{x} of y", 1)\nrows.append(("Undo", say("a")))'
    assert [string for string, _ in unsaid(ast.parse(source))] == ["now", " of y", "Undo"]


@pytest.mark.parametrize(
    "text, said",
    (
        ("A ‖ B", "words.txt:1: no [place] above this text"),
        ("[text 9]\n; no\nA = B", "words.txt:3: not `English ‖ Spanish`: A = B"),
        ("[text 9]\nA ‖ B\nA ‖ C", "words.txt:3: 'A' stands in line 2 already"),
        ("[text 9]\nA {} ‖ B", "words.txt:2: 'B' has not the {}s of 'A {}'"),
        ("[text nine]\nA ‖ B", "words.txt:1: not a face and its columns: text nine"),
        ("[text 9\nA ‖ B", "words.txt:1: no ] at the end of the place"),
    ),
)
def test_a_mistake_in_the_table_is_one_line(text, said):
    with pytest.raises(TableError) as error:
        parse(text)
    assert str(error.value) == said


def test_two_texts_with_one_key_are_found(monkeypatch):
    monkeypatch.setattr(tool, "key", len)
    with pytest.raises(TableError, match=r"words.txt:2: the CRC of 'here' is that of 'this'"):
        tool.packed([Entry("this", "esto", ANY, 1), Entry("here", "aquí", ANY, 2)])


def test_the_tool_says_what_is_wrong_and_writes_nothing(tmp_path, capsys):
    table, target = tmp_path / "words.txt", tmp_path / "words_es.py"
    table.write_text("[text 9]\nA ‖ B\n", "utf-8")
    assert tool.main(["--check"], table, target) == 1
    assert "is stale" in capsys.readouterr().err and not target.exists()
    assert tool.main([], table, target) == 0 and target.exists()
    assert tool.main(["--check"], table, target) == 0
    table.write_text("[text 9]\nA B\n", "utf-8")
    assert tool.main([], table, target) == 1
    assert "words.txt:2" in capsys.readouterr().err


# -- on the device -----------------------------------------------------------------------------------------


def test_the_device_says_what_the_table_has(firmware, speak):
    words = firmware("words")
    for entry in ENTRIES:
        assert words.say(entry.english) == entry.english
    speak("español")
    for entry in ENTRIES:
        assert words.say(entry.english) == entry.spanish, f"{TABLE.name}:{entry.line}"
    labelled = tool.signed(ENTRIES)
    assert len(labelled) > 30
    for label in labelled:
        assert words.say(label.english) == label.spanish
    assert words.say("#GO!≡") == "#¡YA!≡" and words.say("HOLD≡") == "MENÚ≡"
    assert "pouch.words_es" not in sys.modules, "its bytes are enough"
    speak("English")
    assert firmware("languages")._data is None, "English needs none"


def test_what_is_no_text_stays_as_it_is(firmware, speak):
    """The letters of the name entry, numbers and signs pass through the legend too."""
    speak("español")
    say = firmware("words").say
    places = firmware("screens.name_entry")._PLACES
    letters = [first + "–" + last for first in places for last in places] + list(places)
    for text in (*letters, "", "+20", "−20", "▲", "▼", "◀", "▶", "−", "＋", "CHULETAS", "ÑOÑO"):
        assert say(text) == text


def test_the_settings_offer_the_languages_that_there_are(firmware):
    words = firmware("words")
    rows = {row[0]: row for row in firmware("settings").ROWS}
    assert rows["language"][2] == (words.ENGLISH, *firmware("languages").MODULES) == LANGUAGES
    assert rows["language"][3] == words.ENGLISH


def test_no_room_for_a_language_leaves_english(firmware, speak, monkeypatch):
    words = firmware("words")
    monkeypatch.setattr(firmware("languages"), "collect", lambda: (_ for _ in ()).throw(MemoryError()))
    with pytest.raises(MemoryError):
        speak("español")
    assert words.language == "English" and words.say("BACK") == "BACK"
    monkeypatch.undo()
    speak("español")
    assert words.say("BACK") == "ATRÁS"


# -- each text in its place --------------------------------------------------------------------------------


SPANISH = {entry.english: entry.spanish for entry in ENTRIES}


def filled(entry, language):
    """The text with the samples in the place of its {}s; where they are texts, they are in its language."""
    if language == "English":
        return entry.english.format(*entry.place.samples)
    return entry.spanish.format(*[SPANISH.get(sample, sample) for sample in entry.place.samples])


def misfit(text, place):
    """Why a text fits none of the faces of its place, "" if it fits one."""
    why = []
    for face, room in place.places:
        lacks = set(text) - {" "} - set(records(face).GLYPHS)
        if not lacks and width(face, text) <= room:
            return ""
        why.append(f"{face} lacks {''.join(sorted(lacks))}" if lacks else f"{width(face, text)} of {room} columns")
    return ", ".join(why)


PLACED = [entry for entry in ENTRIES if entry.place.places]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_fits_its_place(language):
    assert len(PLACED) > 200
    bad = []
    for entry in PLACED:
        text = filled(entry, language)
        why = misfit(text, entry.place)
        if why:
            bad.append(f"{TABLE.name}:{entry.line}: {text!r}: {why}")
    assert not bad, "\n".join(bad)


def test_a_text_that_does_not_fit_is_found():
    assert not misfit("END", Place((("text", 14),), ()))
    assert misfit("END", Place((("text", 13),), ())) == "14 of 13 columns"
    assert not misfit("END", Place((("text", 13), ("display_12", 40)), ()))
    assert misfit("STÖP!", Place((("display_40", 999),), ())) == "display_40 lacks Ö"
    entry = Entry("{} END", "FIN {}", Place((("text", 20),), ("NO",)), 1)
    assert filled(entry, "English") == "NO END" and filled(entry, "español") == "FIN NO"


def all_legends():
    for path in SOURCES:
        for keys, line in legends(ast.parse(path.read_text("utf-8"))):
            for labels in product(*[sorted(key) or [""] for key in keys]):
                yield labels, f"{path.name}:{line}"


class Measure:
    """As much of a canvas as a legend asks."""

    turned = 0

    @staticmethod
    def width(font, text):
        return width("text", text)


def trouble(legend, labels):
    """What is wrong with the way a legend stands on the glass, "" if nothing is."""
    if len(labels) == 1:
        return "" if width("text", labels[0][1:-1]) < 96 else "too wide for the glass"
    lefts, widths = legend.place(Measure, labels)
    end = -2
    for i in range(4):
        if not labels[i]:
            continue
        if lefts[i] < 0 or lefts[i] + widths[i] > 128:
            return f"{labels[i]} leaves the glass"
        if lefts[i] < end + 2:
            return f"{labels[i]} has no gap before it"
        if abs(lefts[i] - (32 * i + 16 - (widths[i] + 1) // 2)) > 10:
            return f"{labels[i]} is more than 10 columns off its key"
        end = lefts[i] + widths[i]
    return ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_legend_fits(language, firmware, speak):
    speak(language)
    legend = firmware("ui.legend")
    found = list(all_legends())
    assert len(found) > 100
    bad = {
        f"{where} {legend.said(labels)}: {trouble(legend, legend.said(labels))}"
        for labels, where in found
        if trouble(legend, legend.said(labels))
    }
    assert not bad, "\n".join(sorted(bad))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stuck_key_is_named_on_the_glass_whatever_stands_beside_it(language, firmware, speak):
    """It may then touch its neighbour, or stand further from its key: the fuzz saw ATASCO leave the glass."""
    speak(language)
    legend = firmware("ui.legend")
    for labels, where in {labels: where for labels, where in all_legends() if len(labels) == 4}.items():
        for stuck in range(4):
            told = legend.said(tuple("STUCK" if key == stuck else label for key, label in enumerate(labels)))
            lefts, widths = legend.place(Measure, told)
            for label, left, wide in zip(told, lefts, widths, strict=True):
                assert not label or 0 <= left <= 128 - wide, f"{where} {told}: {label} leaves the glass"
            ends = [left + wide for left, wide, label in zip(lefts, widths, told, strict=True) if label]
            begins = [left for left, label in zip(lefts, told, strict=True) if label]
            assert all(begin >= end - 4 for end, begin in zip(ends, begins[1:], strict=False)), f"{where} {told}"


def test_a_legend_that_does_not_fit_is_found(firmware):
    legend = firmware("ui.legend")
    assert not trouble(legend, ("▲", "BACK", "#CHANGE", "▼"))
    assert trouble(legend, ("REHACER", "DESHACER", "#SIGUIENTE≡", "INICIO"))
    assert trouble(legend, ("", "", "", "CONTINUAR PARTIDA"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_row_of_a_list_has_room_for_each_of_its_values(language, firmware, speak):
    speak(language)
    say = firmware("words").say
    shown = firmware("screens.setup_options").shown
    lists = []
    for game in firmware("games").GAMES:
        options = importlib.import_module(f"pouch.games.{game}").OPTIONS
        lists.append([(say(label), shown(v, key), v == default) for key, label, vs, default, _ in options for v in vs])
    settings = []
    for key, label, values, default, unit in firmware("settings").ROWS:
        for value in values:
            text = say(unit).format(value) if unit and value else say("off" if not value else str(value))
            settings.append((say(label), text, value == default and key != "language"))
    lists.append(settings)
    bad = []
    for rows in lists:
        # 3 columns at either end, 2 between the row and its value, and the scroll bar.
        room = 128 - 8 - (6 if len({row[0] for row in rows}) > 5 else 0)
        for label, value, default in rows:
            if width("text", label) + width("text", "▪ " * default + value) > room:
                bad.append((label, value))
    assert len(lists) == len(firmware("games").GAMES) + 1 and not bad


def test_a_language_is_found_by_who_reads_only_it(firmware):
    """Its row stands at the same place in each, with its own name for itself."""
    assert [row[0] for row in firmware("settings").ROWS].index("language") == 4
    assert Path(TABLE).name == "words.txt"
