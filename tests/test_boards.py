"""Board files: ours fit, and whatever a maker gets wrong in one gives one line that names the file and the key."""

import copy
import dataclasses
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # for a bare `pytest`; `python -m pytest` has it there already
    sys.path.insert(0, str(ROOT))

from host_sim import board as boards  # noqa: E402
from host_sim.board import HEADER, ROLES, BoardError, Button, check_pwm, load, load_all  # noqa: E402

FILES = sorted(boards.BOARDS.glob("*/board.json"))
PICO = boards.BOARDS / "RPI_PICO" / "board.json"
GONE = object()  # stands for a key that is taken out


def changed(*changes):
    """The Pico's board with (dotted key, value) changes; GONE as a value takes the key out."""
    raw = copy.deepcopy(json.loads(PICO.read_text(encoding="utf-8")))
    for key, value in changes:
        *way, last = key.split(".")
        here = raw
        for part in way:
            here = here[part]
        if value is GONE:
            del here[last]
        else:
            here[last] = value
    return raw


@pytest.fixture
def save(tmp_path, monkeypatch):
    """Writes text, bytes or an object to boards/X/board.json below the current folder and gives its path."""
    monkeypatch.chdir(tmp_path)

    def write(content, name="X"):
        path = tmp_path / "boards" / name / "board.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content, indent=2)
        path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        return path

    return write


def refusal(path):
    with pytest.raises(BoardError) as caught:
        load(path)
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    assert text.isprintable()
    assert len(text) < 300
    return text


def check_place(text, key):
    """The message is about X's key, named to its end. Whether it tells a line, which then has to be the right one."""
    place = re.match(r"boards/X/board\.json: (?:line (\d+): )?", text)
    assert place and text[place.end() :].startswith(f"{key}: "), text
    if place[1] and re.fullmatch(r"(\w+\.)*\w+", key):
        line = Path("boards/X/board.json").read_text("utf-8", "surrogatepass").splitlines()[int(place[1]) - 1]
        assert any(json.dumps(part) in line for part in key.split(".")), (text, line)
    return bool(place[1])


def test_schema_is_valid():
    schema = json.loads((boards.BOARDS / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)

    def visit(node):
        if "properties" in node:
            assert node["additionalProperties"] is False
            assert set(node.get("required", [])) <= set(node["properties"])
            for key, value in node["properties"].items():
                assert value.get("description"), key
                visit(value)

    for node in (schema, *schema["$defs"].values()):
        visit(node)


def test_schema_examples_and_defaults_fit_the_schema():
    schema = json.loads((boards.BOARDS / "schema.json").read_text(encoding="utf-8"))

    def visit(node):
        samples = node.get("examples", []) + ([node["default"]] if "default" in node else [])
        for sample in samples:
            jsonschema.Draft202012Validator({**node, "$defs": schema["$defs"]}).validate(sample)
        for value in node.get("properties", {}).values():
            visit(value)

    for node in (schema, *schema["$defs"].values()):
        visit(node)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_our_boards_fit(path):
    board = load(path)
    assert board.id == path.parent.name
    assert list(board.buttons) == list(ROLES)
    assert board.raw["$schema"] == "../schema.json"


def test_all_our_boards_load():
    assert list(load_all()) == [path.parent.name for path in FILES]
    assert "RPI_PICO" in load_all()


def test_the_picos_board():
    board = load(PICO)
    assert (board.id, board.chip, board.path) == ("RPI_PICO", "rp2040", PICO)
    assert board.buttons == {role: Button(pin, active_low=True) for role, pin in zip(ROLES, range(10, 14), strict=True)}
    assert (board.press_ms, board.release_ms) == (5, 12)
    assert board.display == boards.Display("ssd1306", 0, 4, 5, 400_000, 0x3C, 128, 64, 0, 0, 20)
    assert (board.piezo_pin, board.piezo_kind, board.led_pin) == (15, "passive", 25)
    with pytest.raises(dataclasses.FrozenInstanceError):
        board.press_ms = 6


@pytest.mark.parametrize(
    "changes",
    [
        [("$schema", GONE)],
        [("led", None)],
        [("led.pin", 16)],
        [("id", "RPI_PICO_W"), ("led", None)],
        [("id", "RPI_PICO2"), ("chip", "rp2350")],
        [("id", "MY_OWN")],
        [("watchdog", True)],
        [("watchdog", False)],
        [("piezo.kind", "active"), ("piezo.pin", 14)],
        [("piezo.kind", "passive"), ("piezo.pin", 9)],  # the slice of the LED, which is only on and off
        [("display.controller", "sh1106"), ("display.column_offset", 2), ("display.rotation", 180)],
        [("display.bus", 1), ("display.sda", 26), ("display.scl", 27)],
        [("display.sda", 20), ("display.scl", 1)],  # a bus's pins needn't be neighbours
        [("display.frequency", 10_000), ("display.power_up_ms", 0)],
        [("display.frequency", 1_000_000), ("display.power_up_ms", 1000)],
        [("display.address", "0x08")],
        [("display.address", "0x77")],
        [("display.address", "0x3d")],
        [("buttons.press_ms", 1), ("buttons.release_ms", 1)],
        [("buttons.press_ms", 50), ("buttons.release_ms", 100)],
        [("buttons.ok.pin", 28), ("buttons.back.pin", 22), ("buttons.left.pin", 0)],
    ],
    ids=lambda changes: changes[0][0],
)
def test_what_is_allowed(save, changes):
    load(save(changed(*changes)))


def test_keys_may_be_active_high_and_the_led_missing(save):
    board = load(save(changed(("buttons.ok.active", "high"), ("buttons.back.active", "low"), ("led", None))))
    assert board.buttons["ok"] == Button(12, active_low=False)
    assert board.buttons["back"] == Button(11, active_low=True)
    assert board.led_pin is None


# (changes, the key that must be named, words that must follow it)
WRONG = [
    ([("watchdog", "yes")], "watchdog", '"yes" is text; write true or false'),
    # pins
    ([("buttons.ok.pin", 10)], "buttons.ok.pin", "pin 10 is used by buttons.left already; give each its own pin"),
    ([("buttons.right.pin", 4)], "display.sda", "pin 4 is used by buttons.right already; give each its own pin"),
    ([("piezo.pin", 5)], "piezo.pin", "pin 5 is used by display.scl already; give each its own pin"),
    ([("led.pin", 15)], "led.pin", "pin 15 is used by piezo already; give each its own pin"),
    ([("display.scl", 4)], "display.scl", "pin 4 is used by display.sda already; give each its own pin"),
    ([("buttons.left.pin", 40)], "buttons.left.pin", "there is no pin 40 on the header; use one of 0 to 22, 26 to 28"),
    ([("buttons.left.pin", -1)], "buttons.left.pin", "there is no pin -1 on the header"),
    ([("display.sda", 30)], "display.sda", "there is no pin 30 on the header"),
    ([("buttons.left.pin", 23)], "buttons.left.pin", "pin 23 is the board's own, for the power supply; use one of"),
    ([("piezo.pin", 24)], "piezo.pin", "pin 24 is the board's own, for sensing USB power"),
    ([("buttons.ok.pin", 29)], "buttons.ok.pin", "there is no pin 29 on the header"),
    ([("led", None), ("piezo.pin", 25)], "piezo.pin", "pin 25 is the board's own, for the LED"),
    ([("id", "RPI_PICO_W")], "led.pin", 'pin 25 is the board\'s own, for the wireless chip; write "led": null'),
    ([("led.pin", 23)], "led.pin", "pin 23 is the board's own"),
    # the chip and its I2C buses
    ([("chip", "rp2350")], "chip", 'a RPI_PICO has no rp2350; write "rp2040"'),
    ([("chip", "rp2041")], "chip", '"rp2041" is not possible; write "rp2040" or "rp2350" (did you mean rp2040?)'),
    ([("display.bus", 1)], "display.bus", "pins 4 and 5 are I2C0's; write 0"),
    ([("display.sda", 2), ("display.scl", 3)], "display.bus", "pins 2 and 3 are I2C1's; write 1"),
    ([("display.bus", 2)], "display.bus", "2 is not possible; write 0 or 1"),
    ([("display.sda", 5), ("display.scl", 4)], "display.sda", "pins 5 and 4 are swapped; write sda 4 and scl 5"),
    ([("display.sda", 6)], "display.sda", "pin 6 is SDA of I2C1, not SDA of I2C0; use one of 0, 4, 8, 12, 16, 20"),
    ([("display.scl", 7)], "display.scl", "pin 7 is SCL of I2C1, not SCL of I2C0; use one of 1, 5, 9, 13, 17, 21"),
    ([("display.sda", 1)], "display.sda", "pin 1 is only ever SCL, not SDA of I2C0"),
    ([("display.scl", 8)], "display.scl", "pin 8 is only ever SDA, not SCL of I2C0"),
    # keys unknown, missing
    (
        [("buttons.okay", {"pin": 9})],
        "buttons.okay",
        "unknown role; the roles are left, back, ok, right (did you mean ok?)",
    ),
    ([("buttons.rigth", {"pin": 13}), ("buttons.right", GONE)], "buttons.rigth", "unknown role"),
    (
        [("buttons.OK", {"pin": 9})],
        "buttons.OK",
        "unknown role; the roles are left, back, ok, right (did you mean ok?)",
    ),
    ([("buttons.zip", {"pin": 9})], "buttons.zip", "unknown role; the roles are left, back, ok, right"),
    ([("buttons.presss_ms", 5)], "buttons.presss_ms", "unknown key; known here: left, back, ok, right, press_ms"),
    (
        [("dispaly", {})],
        "dispaly",
        "unknown key; known here: id, name, chip, buttons, display, piezo, led, watchdog (did you mean",
    ),
    ([("display.adress", "0x3C"), ("display.address", GONE)], "display.adress", "unknown key"),
    ([("buttons.ok.pull", "up")], "buttons.ok.pull", "unknown key; known here: pin, active"),
    ([("led.dim", True)], "led.dim", "unknown key; known here: pin"),
    ([("buttons.ok", GONE)], "buttons.ok", 'missing; add it, for example "ok": {"pin": 12}'),
    ([("buttons.ok.pin", GONE)], "buttons.ok.pin", 'missing; add it, for example "pin": 12'),
    ([("buttons.press_ms", GONE)], "buttons.press_ms", 'missing; add it, for example "press_ms": 5'),
    ([("display.scl", GONE)], "display.scl", 'missing; add it, for example "scl": 5'),
    ([("display", GONE)], "display", "missing; copy it from boards/RPI_PICO/board.json"),
    ([("display.width", GONE)], "display.width", 'missing; add it, for example "width": 128'),
    ([("led", GONE)], "led", "missing; add it"),
    ([("piezo", GONE)], "piezo", "missing; add it"),
    # types
    ([("buttons.left.pin", "10")], "buttons.left.pin", '"10" is text; write a whole number, 10'),
    ([("buttons.left.pin", "GP10")], "buttons.left.pin", '"GP10" is text; write a whole number, 10'),
    ([("display.sda", "SDA")], "display.sda", '"SDA" is text; write a whole number, for example 4'),
    ([("buttons.left.pin", 10.0)], "buttons.left.pin", "10.0 is not a whole number; write a whole number, 10"),
    ([("buttons.left.pin", True)], "buttons.left.pin", "true is not possible; write a whole number"),
    ([("buttons.left.pin", None)], "buttons.left.pin", "null is not possible; write a whole number"),
    ([("buttons.left", 10)], "buttons.left", '10 is a number; write an object {...}, for example {"pin": 10}'),
    ([("buttons", [10, 11, 12, 13])], "buttons", "[10, 11, 12, 13] is a list; write an object {...}"),
    ([("led", 25)], "led", '25 is a number; write an object {...} or null, for example {"pin": 25}'),
    ([("display.address", 60)], "display.address", '60 is a number; write text in quotes, for example "0x3C"'),
    ([("display.bus", False)], "display.bus", "false is not possible; write a whole number"),
    # values
    ([("display.address", "3C")], "display.address", '"3C" is not an I2C address from "0x08" to "0x77"; write "0x3C"'),
    ([("display.address", "0x07")], "display.address", '"0x07" is not an I2C address'),
    ([("display.address", "0x80")], "display.address", '"0x80" is not an I2C address'),
    ([("display.address", "0x3C\n")], "display.address", '"0x3C\\n" is not an I2C address'),
    ([("display.address", "0x78")], "display.address", '"0x78" is the 8-bit form; write "0x3C"'),
    ([("display.address", "0x7A")], "display.address", '"0x7A" is the 8-bit form; write "0x3D"'),
    ([("display.frequency", 400)], "display.frequency", "400 Hz is outside 10000..1000000 Hz"),
    ([("display.frequency", 1_000_001)], "display.frequency", "1000001 Hz is outside"),
    ([("display.width", 96)], "display.width", "96 is not possible; write 128"),
    ([("display.height", 32)], "display.height", "32 is not possible; write 64"),
    ([("display.column_offset", 5)], "display.column_offset", "5 is outside 0..4; write a number from 0 to 4"),
    ([("display.rotation", 90)], "display.rotation", "90 is not possible; write 0 or 180"),
    ([("display.power_up_ms", 1001)], "display.power_up_ms", "1001 ms is outside 0..1000 ms"),
    ([("display.controller", "SSD1306")], "display.controller", "(did you mean ssd1306?)"),
    ([("buttons.press_ms", 0)], "buttons.press_ms", "0 ms is outside 1..50 ms; write a number from 1 to 50"),
    ([("buttons.press_ms", 51)], "buttons.press_ms", "51 ms is outside"),
    ([("buttons.release_ms", 101)], "buttons.release_ms", "101 ms is outside 1..100 ms"),
    ([("buttons.ok.active", "LOW")], "buttons.ok.active", 'write "low" or "high" (did you mean low?)'),
    ([("piezo.kind", "loud")], "piezo.kind", '"loud" is not possible; write "passive" or "active"'),
    ([("id", "my pico")], "id", '"my pico" is no board id; write capital letters, digits and _, such as RPI_PICO'),
    ([("name", "")], "name", "is 0 characters long; write 1 to 60"),
    # what would break the line, the terminal or the stack
    ([("a\nb\x1b[2J", 1)], "a\\nb\\x1b[2J", "unknown key"),
    ([("k" * 5000, 1)], "k" * 77 + "...", "unknown key"),
    ([("display.address", "x" * 5000)], "display.address", "is not an I2C address"),
    ([("buttons.left.pin", 10**400)], "buttons.left.pin", "there is no pin 1000"),
    ([("buttons.left.pin", 1e300)], "buttons.left.pin", "1e+300 is not a whole number; write a whole number"),
]


@pytest.mark.parametrize(("changes", "key", "words"), WRONG, ids=[f"{key}-{n}" for n, (_, key, _) in enumerate(WRONG)])
def test_a_wrong_board_names_the_file_and_the_key(save, changes, key, words):
    text = refusal(save(changed(*changes)))
    assert check_place(text, key) == (not words.startswith("missing") or "." in key)
    assert words in text


GOOD = PICO.read_text(encoding="utf-8")
LAST = GOOD.rstrip().count("\n") + 1


def line(text):
    """Which line of the Pico's file has this text."""
    return f"line {GOOD[: GOOD.index(text)].count(chr(10)) + 1}"


BROKEN = [
    ("", "line 1", "the file is empty"),
    (" \n\n", "line 1", "the file is empty"),
    (
        GOOD.replace('"rp2040",', '"rp2040"'),
        line('"chip"'),
        'a comma is missing after "chip": "rp2040"; add it',
    ),
    (GOOD.replace('"pin": 10', '"pin" 10'), line('"left"'), "not JSON at column"),
    (
        GOOD.replace('"power_up_ms": 20', '"power_up_ms": 20,'),
        line('"power_up_ms"'),
        "a comma too many; delete the one before",
    ),
    (GOOD.replace('"rp2040",', '"rp2040", // the chip'), line('"chip"'), "a comment; delete it"),
    (GOOD.rstrip()[:-1], f"line {LAST - 1}", "the file ends too early; add the missing closing bracket"),
    (GOOD + "}", f"line {LAST + 1}", "not JSON at column 1 (extra data)"),
    (
        GOOD.replace("400000", "NaN"),
        "display.frequency",
        "NaN is not a whole number; write a whole number, for example 400000",
    ),
    (GOOD.replace("400000", "9" * 5000), "display.frequency", "99999999999999999999 Hz is outside"),
    ("[" * 100_000, "", "brackets inside brackets without end"),
    ("[]", "", "this is a list, not an object"),
    ("null", "", "this is null, not an object"),
    ('{"buttons": ' + "[" * 500 + "]" * 500 + "}", "buttons", "is a list; write an object"),
    (b"\xef\xbb\xbf" + GOOD.encode(), "line 1", "starts with a byte order mark; save it as UTF-8 without BOM"),
    (
        GOOD.replace("Raspberry", "Pic\xf4").encode("latin-1"),
        line('"name"'),
        "byte 0xf4 is not UTF-8; save it as UTF-8",
    ),
    (GOOD.encode("utf-16"), "line 1", "is not UTF-8"),
    (GOOD.replace('"sda": 4', '"sda": 4, "sda": 6'), "display.sda", "is given twice; delete one of them"),
    (GOOD.replace('"ok": {"pin": 12}', '"left": {"pin": 12}'), "buttons.left", "is given twice"),
    ('{"id": {"a": 1, "a": 2}, "id": 3}', "id", "is given twice"),
    ('{"\\ud800": 1}', "\\ud800", "unknown key"),
]


@pytest.mark.parametrize(("content", "key", "words"), BROKEN, ids=[str(n) for n in range(len(BROKEN))])
def test_a_broken_file_names_the_file_and_the_line(save, content, key, words):
    text = refusal(save(content))
    if key and not key.startswith("line"):
        check_place(text, key)
    else:
        assert text.startswith(f"boards/X/board.json: {key}: " if key else "boards/X/board.json: ")
    assert words in text


def test_no_file_and_a_folder(save, tmp_path):
    path = save(changed())
    assert refusal(path.parent / "none.json") == "boards/X/none.json: there is no such file; check the name"
    assert refusal(path.parent) == "boards/X: this is a folder; name the board.json inside it"
    assert refusal(path / "below") == "boards/X/board.json/below: there is no such file; check the name"
    assert refusal(Path("boards/X/none.json")).startswith("boards/X/none.json: ")


def test_a_path_elsewhere_is_shown_as_it_was_given(save, tmp_path, monkeypatch):
    path = save("")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert refusal(path).startswith(f"{path.as_posix()}: line 1: ")
    assert refusal("../boards/X/board.json").startswith("../boards/X/board.json: line 1: ")


@pytest.mark.parametrize("chip", boards.CHIPS)
def test_a_shared_pwm_slice(chip):
    check_pwm("b.json", chip, [("piezo.pin", 15), ("led.pin", 25), ("other.pin", 13)])
    for pin in (14, 15):  # the other channel, and the same one
        with pytest.raises(BoardError, match=r"^b\.json: led\.pin: pin \d+ shares PWM slice 7 with pin 15 of piezo, "):
            check_pwm("b.json", chip, [("piezo.pin", 15), ("led.pin", pin)])
    with pytest.raises(BoardError, match="slice 4 with pin 9 of piezo"):  # slices come round again after 16 pins
        check_pwm("b.json", chip, [("piezo.pin", 9), ("led.pin", 25)])


@pytest.mark.parametrize("chip", boards.CHIPS.values(), ids=boards.CHIPS)
def test_the_chips_tables(chip):
    """Against the datasheets' function tables (RP2040 1.4.3, RP2350 9.4)."""
    assert {n for n, bus in chip.sda.items() if bus == 0} == {0, 4, 8, 12, 16, 20, 24, 28}
    assert {n for n, bus in chip.sda.items() if bus == 1} == {2, 6, 10, 14, 18, 22, 26}
    assert {n for n, bus in chip.scl.items() if bus == 0} == {1, 5, 9, 13, 17, 21, 25, 29}
    assert {n for n, bus in chip.scl.items() if bus == 1} == {3, 7, 11, 15, 19, 23, 27}
    assert [chip.pwm[n] for n in (0, 1, 14, 15, 16, 25, 29)] == [
        (0, "A"),
        (0, "B"),
        (7, "A"),
        (7, "B"),
        (0, "A"),
        (4, "B"),
        (6, "B"),
    ]


def test_the_header():
    assert sorted(HEADER) == [*range(23), 26, 27, 28]
    taken = {3, 8, 13, 18, 23, 28, 33, 38} | {30, 35, 36, 37, 39, 40}  # GND, then RUN, VREF, 3V3, 3V3_EN, VSYS, VBUS
    assert sorted(HEADER.values()) == sorted(set(range(1, 41)) - taken)
    assert list(HEADER.values()) == sorted(HEADER.values())


# --- variants: what differs from another board ------------------------------------------------------------------------


def variant(text, name="X"):
    """Writes a board file into boards/<name>/."""
    path = Path("boards") / name / "board.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_variant_says_only_what_differs(here):
    path = variant('{"base": "RPI_PICO", "id": "X", "name": "My own", "display": {"sda": 0, "scl": 1}, "led": null}')
    board, pico = load(path), load(PICO)
    assert board.raw == {
        **{**pico.raw, "id": "X", "name": "My own", "led": None},
        "display": {**pico.raw["display"], "sda": 0, "scl": 1},
    }
    assert (board.id, board.base, board.micropython, board.led_pin) == ("X", "RPI_PICO", "RPI_PICO", None)
    assert json.loads(board.text()) == board.raw
    assert (pico.base, pico.micropython, pico.text()) == (None, "RPI_PICO", PICO.read_bytes())


def test_a_variant_of_a_variant_and_of_one_beside_it(here):
    variant('{"base": "RPI_PICO_W", "id": "A", "name": "A", "buttons": {"ok": {"pin": 20}}}', "A")
    board = load(variant('{"base": "A", "id": "X", "name": "X", "buttons": {"ok": {"active": "high"}}}'))
    assert board.buttons["ok"] == Button(20, active_low=False)
    assert (board.base, board.micropython, board.led_pin, board.chip) == ("A", "RPI_PICO_W", None, "rp2040")
    two = load(variant('{"base": "RPI_PICO2_W", "id": "Y", "name": "Y"}', "Y"))
    assert (two.micropython, two.chip) == ("RPI_PICO2_W", "rp2350")


@pytest.mark.parametrize(
    ("lines", "where", "words"),
    [
        (('"base": "RPI_PICO_V",',), "line 2: base", 'there is no board "RPI_PICO_V"; there are RPI_PICO, RPI_PICO2,'),
        (('"base": "../secret",',), "line 2: base", 'there is no board "../secret"; there are'),
        (('"base": 7,',), "line 2: base", "7 is a number; write a board's id in quotes"),
        (('"base": "X",',), "line 2: base", '"X" is based on this one itself; name another'),
        (('"base": "RPI_PICO",', '"display": {"sda": 6},'), "line 3: display.sda", "pin 6 is SDA of I2C1"),
        # Of two that don't fit, the one that the variant has brought.
        (('"base": "RPI_PICO",', '"buttons": {"left": {"pin": 15}},'), "line 3: buttons.left.pin", "used by piezo"),
        (('"base": "RPI_PICO",', '"buttons":', ' {"lfet": {"pin": 1}},'), "line 4: buttons.lfet", "unknown role"),
        (('"base": "RPI_PICO_W",', '"led": {"pin": 25},'), "line 3: led.pin", 'write "led": null'),
        (('"base": "RPI_PICO2",', '"chip": "rp2040",'), "line 3: chip", "a RPI_PICO2 has no rp2040"),
        (('"base": "RPI_PICO",', '"display": 7,'), "line 3: display", "7 is a number; write an object"),
        (('"base": "RPI_PICO",', '"name": "",'), "line 3: name", "is 0 characters long"),
    ],
)
def test_what_is_wrong_in_a_variant_is_named_where_it_stands(here, lines, where, words):
    text = refusal(variant("\n".join(("{", *lines, '"id": "X"', "}"))))
    assert text.startswith(f"boards/X/board.json: {where}: ") and words in text, text


def test_what_is_wrong_in_a_base_is_named_there(save):
    save(changed(("piezo.pin", 5)), name="A")
    path = variant('{"base": "A", "id": "X", "name": "X"}')
    line = (path.parent.parent / "A" / "board.json").read_text("utf-8").splitlines().index('    "pin": 5') + 1
    assert refusal(path).startswith(f"boards/A/board.json: line {line}: piezo.pin: pin 5 is used by display.scl")


def test_two_that_are_based_on_each_other(here):
    variant('{"base": "X", "id": "A"}', "A")
    text = refusal(variant('{"base": "A", "id": "X"}'))
    assert text == 'boards/A/board.json: line 1: base: "X" is based on this one itself; name another'


def test_find(here):
    assert boards.find("RPI_PICO_SH1106").display.controller == "sh1106"
    with pytest.raises(BoardError, match=r"^no board 'RPI_PICO_SH1107': there are .*did you mean RPI_PICO_SH1106\?"):
        boards.find("RPI_PICO_SH1107")
    with pytest.raises(BoardError, match=r"^no board '\.\./boards/RPI_PICO': there are"):
        boards.find("../boards/RPI_PICO")


def test_load_all_wants_the_folders_name(save, tmp_path):
    save(changed(), name="RPI_PICO")
    save(changed(("id", "RPI_PICO2"), ("chip", "rp2350")), name="RPI_PICO2")
    (tmp_path / "boards" / "notes").mkdir()  # no board.json: not a board
    assert list(load_all("boards")) == ["RPI_PICO", "RPI_PICO2"]
    save(changed(), name="Z")
    with pytest.raises(
        BoardError, match=r"^boards/Z/board\.json: line 3: id: \"RPI_PICO\" is not the folder's name; write \"Z\"$"
    ):
        load_all("boards")
    with pytest.raises(BoardError, match=r"^nowhere: no board in here"):
        load_all("nowhere")


def test_what_is_wrong_can_be_said_in_another_process(save):
    with pytest.raises(BoardError) as caught:
        load(save(changed(("led", 25))))
    error, again = caught.value, pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.path, again.key, again.line) == (str(error), error.path, "led", error.line)
    nowhere = BoardError("", "", "no board 'X'")
    assert str(pickle.loads(pickle.dumps(nowhere))) == str(nowhere) == "no board 'X'"


def test_the_command(save, capsys):
    assert boards.main([]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(FILES)
    good, bad = save(changed(), name="GOOD"), save(changed(("led", 25)), name="BAD")
    assert boards.main([str(good)]) == 0
    assert capsys.readouterr().out == "boards/GOOD/board.json: ok (Raspberry Pi Pico, rp2040)\n"
    assert boards.main([str(bad), "none.json", str(good)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in lines] == ["boards/BAD/board.json", "none.json", "boards/GOOD/board.json"]


def test_the_command_is_as_strict_as_a_build_below_boards(save, capsys, monkeypatch, tmp_path):
    path = save(changed(), name="MY_BOX")
    assert boards.main([str(path)]) == 0, "elsewhere a file may be named as it likes"
    monkeypatch.setattr(boards, "BOARDS", tmp_path / "boards")
    capsys.readouterr()
    for named in (path, "boards/MY_BOX/board.json"):
        assert boards.main([str(named)]) == 1
        said = capsys.readouterr().out
        assert said == 'boards/MY_BOX/board.json: line 3: id: "RPI_PICO" is not the folder\'s name; write "MY_BOX"\n'


@pytest.mark.parametrize(("address", "unusual"), [("0x3C", False), ("0x3d", False), ("0x3E", True), ("0x55", True)])
def test_an_address_that_no_panel_has_is_told(save, capsys, address, unusual):
    assert boards.main([str(save(changed(("display.address", address))))]) == 0
    _, *told = capsys.readouterr().out.splitlines()
    assert bool(told) == unusual
    if unusual:
        assert told[0].startswith("boards/X/board.json: line ")
        assert f": display.address: look again, {address} is unusual: panels of 128x64 have 0x3C or 0x3D" in told[0]


def test_the_command_from_a_shell(save):
    path = save(changed(("name", "Pico \u2665\ud83d")))
    done = subprocess.run(
        [sys.executable, "-m", "host_sim.board", str(path)],
        check=False,
        cwd=ROOT,
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


# --- the maker's page: what is soldered is what board.json says -------------------------------------------------------

READMES = [path.parent / "README.md" for path in FILES if (path.parent / "README.md").exists()]
POWER = {"GND": {3, 8, 13, 18, 23, 28, 38}, "3V3(OUT)": {36}}


def wiring(readme):
    """The rows of the table with a "header pin" column: (part, Pico pin, header pin)."""
    lines = iter(readme.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if line.startswith("|") and "header pin" in line:
            break
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
    return rows


def test_the_pico_has_a_readme():
    assert PICO.parent / "README.md" in READMES


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.parent.name)
def test_the_wiring_table_matches_the_board(readme):
    board = load(readme.parent / "board.json")
    rows = wiring(readme)
    want = {f"{role.upper()} key": button.pin for role, button in board.buttons.items()}
    want |= {"panel SDA": board.display.sda, "panel SCL": board.display.scl}
    want["buzzer +" if board.piezo_kind == "active" else "piezo"] = board.piezo_pin
    gpios = {re.sub(r" \(.*\)", "", part): (pin, number) for part, pin, number in rows if pin not in POWER}
    assert gpios == {part: (f"GP{pin}", str(HEADER[pin])) for part, pin in want.items()}
    assert [part for part in gpios if part.endswith(" key")] == [f"{role.upper()} key" for role in ROLES]
    for part, pin, number in rows:
        if pin in POWER:
            assert int(number) in POWER[pin], part
    assert ("panel VCC", "3V3(OUT)", "36") in rows
    numbers = [number for _, _, number in rows]
    assert len(numbers) == len(set(numbers))  # one wire a hole
