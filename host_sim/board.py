"""Board files: which pin does what on one board, read from boards/<ID>/board.json and checked.

`load` gives a `Board` or raises a `BoardError` whose text is one line: the file, the line, the key and what to do. A
file with a "base" is a variant: it says only what differs from that board. The shape of the whole is
boards/schema.json's business; what a schema can't say (a pin used twice, an SDA pin of the other I2C bus, a pin that
never reaches the header) is checked here, from one table for each chip.

    python -m host_sim.board [FILE...]      check these files, or all below boards/; exit 1 on an error
"""

from __future__ import annotations

import argparse
import difflib
import functools
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema

from host_sim.variants import Layer, line_of, merged, place

BOARDS = Path(__file__).resolve().parent.parent / "boards"
"""The folder that holds schema.json and a folder for each board."""

ROLES = ("left", "back", "ok", "right")
"""The four keys, in the order in which they sit under the panel."""

HEADER = {
    **{0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20},
    **{16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34},
}
"""GPIO number -> physical pin (1..40) on the header that all Picos share."""

OWN_PINS = {23: "the power supply", 24: "sensing USB power", 25: "the LED", 29: "measuring VSYS"}
"""GPIOs of a Pico or Pico 2 that aren't on the header -> what the board itself uses them for."""

OWN_PINS_WIRELESS = {23: "the wireless chip", 24: "the wireless chip", 25: "the wireless chip", 29: "the wireless chip"}
"""The same for a Pico W or Pico 2 W, whose LED hangs on the wireless chip."""

ADDRESSES = (0x3C, 0x3D)
"""What an SSD1306 or SH1106 can be set to; some print the double, 0x78 and 0x7A."""

LED_PIN = 25
"""The GPIO of the LED on a Pico or Pico 2 (not W)."""


@dataclass(frozen=True)
class Chip:
    """What the pins of one microcontroller can do: GPIO number -> function, as its datasheet's table has it."""

    sda: dict[int, int]
    """GPIO -> the I2C bus (0 or 1) whose SDA it can be."""
    scl: dict[int, int]
    """GPIO -> the I2C bus (0 or 1) whose SCL it can be."""
    pwm: dict[int, tuple[int, str]]
    """GPIO -> its PWM slice (0..7) and channel ("A" or "B"); a slice has one frequency for both channels."""


# GPIO 0 to 29 of the RP2350A (the Pico 2's package, 30 GPIOs) have the RP2040's I2C and PWM functions.
_GPIOS = range(30)
_I2C_SDA = {n: n // 2 % 2 for n in _GPIOS if n % 2 == 0}
_I2C_SCL = {n: n // 2 % 2 for n in _GPIOS if n % 2 == 1}
_PWM = {n: (n >> 1 & 7, "AB"[n & 1]) for n in _GPIOS}
CHIPS = {"rp2040": Chip(_I2C_SDA, _I2C_SCL, _PWM), "rp2350": Chip(_I2C_SDA, _I2C_SCL, _PWM)}
"""The chips that a board file may name."""

KNOWN_CHIPS = {"RPI_PICO": "rp2040", "RPI_PICO_W": "rp2040", "RPI_PICO2": "rp2350", "RPI_PICO2_W": "rp2350"}
"""The boards that MicroPython names -> the chip on them."""


class BoardError(ValueError):
    """A board file that can't be used; its text is one line that names the file, the line, the key and what to do."""

    def __init__(self, path: str | os.PathLike[str], key: str, what: str, line: int = 0) -> None:
        """`key` is dotted ("display.sda"), or "" for the whole file; `what` says what to do; `line` 0: no one line."""
        shown_key = key if len(key) <= 80 else key[:77] + "..."
        where = f"line {line}" if line else ""
        shown = _shown(path) if os.fspath(path) else ""
        text = ": ".join(part for part in (shown, where, shown_key, what) if part)
        # A name in the file (or of it) may hold a line break or a lone surrogate; the text stays one printable line.
        super().__init__("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text))
        self.path = Path(path)
        self.key = key
        self.what = what
        self.line = line
        self._given = path

    def __reduce__(self) -> tuple[Any, ...]:
        """What was said of it in a worker process can be said here."""
        return type(self), (self._given, self.key, self.what, self.line)


@dataclass(frozen=True)
class Button:
    """One key: its GPIO, and whether the pin is low (True: key to GND, pull-up) or high (False) while it is pressed."""

    pin: int
    active_low: bool = True


@dataclass(frozen=True)
class Display:
    """The panel and its I2C bus."""

    controller: str
    """ "ssd1306" or "sh1106"."""
    bus: int
    """The I2C block, 0 or 1; `sda` and `scl` are GPIOs of it."""
    sda: int
    scl: int
    frequency: int
    """Hz, 10_000..1_000_000."""
    address: int
    """7-bit, 0x08..0x77 (text in the file, a number here)."""
    width: int
    """Pixels: 128."""
    height: int
    """Pixels: 64."""
    column_offset: int
    """Columns, 0..4: the controller's column under the glass's first one."""
    rotation: int
    """Degrees, 0 or 180."""
    power_up_ms: int
    """ms, 0..1000: how long after power-on the panel takes no commands."""


@dataclass(frozen=True)
class Board:
    """One board, checked. Pins are GPIO numbers."""

    id: str
    """The folder's name: as MicroPython names the board ("RPI_PICO"), or a variant's own."""
    micropython: str
    """The board whose MicroPython runs on it: `id`, or for a variant the board that it is one of."""
    base: str | None
    """What a variant is based on; None for a board that is described in full."""
    name: str
    chip: str
    """A key of `CHIPS`."""
    buttons: dict[str, Button]
    """Role -> key; exactly `ROLES`, in that order."""
    press_ms: int
    """ms, 1..50: how long a key is down before its press counts."""
    release_ms: int
    """ms, 1..100: how long a key is up before its release counts."""
    display: Display
    piezo_pin: int
    piezo_kind: str
    """ "passive" (PWM) or "active" (plain on and off)."""
    led_pin: int | None
    """Lit while high; None for a board without an LED on a GPIO."""
    path: Path
    """The file, as it was given to `load`."""
    raw: dict[str, Any] = field(repr=False)
    """The board's JSON: the file's as it is, or a variant's laid over its base's."""

    def text(self) -> bytes:
        """The board.json for the device: the file itself, or a variant's made whole."""
        if self.base is None:
            return self.path.read_bytes()
        return json.dumps(self.raw, indent=2).encode() + b"\n"


def load(path: str | os.PathLike[str]) -> Board:
    """The board that the file at `path` describes.

    Raises BoardError for a file that is missing, unreadable, not UTF-8, not JSON, or that doesn't fit: the first
    thing that is wrong, in one line.
    """
    layers = _layers(Path(path))
    raw = merged(layers)
    names = [layer.raw.get("id") for layer in layers]
    micropython = next((name for name in names if isinstance(name, str) and name in KNOWN_CHIPS), "")
    try:
        _check_shape(path, raw)
        micropython = micropython or raw["id"]
        _check_pins(path, raw, micropython, layers[0] if len(layers) > 1 else None)
    except BoardError as error:
        where, line = place(layers, error.key)
        raise BoardError(where, error.key, error.what, line) from None
    keys, display, led = raw["buttons"], raw["display"], raw["led"]
    return Board(
        id=raw["id"],
        micropython=micropython,
        base=layers[0].raw.get("base"),
        name=raw["name"],
        chip=raw["chip"],
        buttons={role: Button(keys[role]["pin"], keys[role].get("active", "low") == "low") for role in ROLES},
        press_ms=keys["press_ms"],
        release_ms=keys["release_ms"],
        display=Display(**{**display, "address": int(display["address"], 16)}),
        piezo_pin=raw["piezo"]["pin"],
        piezo_kind=raw["piezo"].get("kind", "passive"),
        led_pin=led["pin"] if led else None,
        path=Path(path),
        raw=raw,
    )


def load_all(folder: str | os.PathLike[str] = BOARDS) -> dict[str, Board]:
    """Every `folder`/<ID>/board.json by its id, sorted.

    Raises BoardError for the first file that `load` refuses, for an id that isn't its folder's name, and for a
    folder without any board.
    """
    boards = {}
    for path in _files(folder):
        board = _load_in_folder(path)
        boards[board.id] = board
    return boards


def find(board_id: str) -> Board:
    """One of the boards below boards/ by its id. Raises BoardError if it is none of them, or doesn't fit."""
    path = BOARDS / board_id / "board.json"
    if not re.fullmatch(r"[A-Z0-9_]+", board_id) or not path.is_file():
        raise BoardError("", "", f"no board {board_id!r}: there are {_names(BOARDS, board_id)}")
    return _load_in_folder(path)


def check_pwm(path: str | os.PathLike[str], chip: str, users: Iterable[tuple[str, int]]) -> None:
    """Checks that each PWM user can have its own frequency on `chip` (a key of `CHIPS`).

    `users` are (dotted key, GPIO 0..29) pairs. Raises BoardError, about the file `path` and the later of the two keys,
    when two of them are on one PWM slice.
    """
    taken: dict[int, tuple[str, int]] = {}
    for key, pin in users:
        number, _ = CHIPS[chip].pwm[pin]
        if number in taken:
            other, other_pin = taken[number]
            what = f"pin {pin} shares PWM slice {number} with pin {other_pin} of {other.removesuffix('.pin')}"
            raise BoardError(path, key, f"{what}, so both would have one pitch; use a pin of another slice")
        taken[number] = key, pin


def _shown(path: str | os.PathLike[str]) -> str:
    """`path` from the current folder if it lies below, with / on every system; otherwise as it was given."""
    try:
        return Path(os.path.abspath(path)).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):  # elsewhere, or the current folder is gone
        return Path(path).as_posix()


def _files(folder: str | os.PathLike[str]) -> list[Path]:
    files = sorted(Path(folder).glob("*/board.json"))
    if not files:
        raise BoardError(folder, "", "no board in here; there should be a folder <ID> with a board.json")
    return files


def _is_below(path: Path, folder: Path) -> bool:
    return Path(os.path.abspath(path)).parent.parent == Path(os.path.abspath(folder))


def _load_in_folder(path: Path) -> Board:
    board = load(path)
    home = Path(os.path.abspath(path)).parent.name
    if board.id != home:
        line = line_of(path.read_text(encoding="utf-8"), ["id"])
        raise BoardError(path, "id", f"{_value(board.id)} is not the folder's name; write {_value(home)}", line)
    return board


def _names(folder: Path, wanted: str) -> str:
    known = [path.parent.name for path in _files(folder)]
    return ", ".join(known) + _close(wanted, known)


def _layers(path: Path) -> list[Layer]:
    """The file, what it is based on, and so on. Raises BoardError for a base that is not there, or that goes round."""
    layers: list[Layer] = []
    while True:
        text, raw = _read(path)
        layers.append(Layer(path, text, raw))
        if "base" not in raw:
            return layers
        base, line = raw["base"], line_of(text, ["base"])
        if not isinstance(base, str):
            raise BoardError(path, "base", f"{_value(base)} is {_kind(base)}; write a board's id in quotes", line)
        beside = path.absolute().parent.parent
        folder = beside if (beside / base / "board.json").is_file() else BOARDS
        if not re.fullmatch(r"[A-Z0-9_]+", base) or not (folder / base / "board.json").is_file():
            raise BoardError(path, "base", f"there is no board {_value(base)}; there are {_names(BOARDS, base)}", line)
        path = folder / base / "board.json"
        if any(path.absolute() == layer.path.absolute() for layer in layers):
            raise BoardError(layers[-1].path, "base", f"{_value(base)} is based on this one itself; name another", line)


# --- the text of the file ---------------------------------------------------------------------------------------------


def _read(path: str | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    """The file's text and JSON: an object in which no key is given twice."""
    try:
        data = Path(path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise BoardError(path, "", "there is no such file; check the name") from None
    except IsADirectoryError:
        raise BoardError(path, "", "this is a folder; name the board.json inside it") from None
    except OSError as error:
        what = "this is a folder; name the board.json inside it" if Path(path).is_dir() else None
        raise BoardError(path, "", what or f"can't be read ({error.strerror}); check its permissions") from None
    if data.startswith(b"\xef\xbb\xbf"):
        raise BoardError(path, "", "starts with a byte order mark; save it as UTF-8 without BOM", 1)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BoardError(path, "", f"byte 0x{data[error.start]:02x} is not UTF-8; save it as UTF-8", line) from None

    twice: list[tuple[dict[str, Any], str]] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if key in found:
                twice.append((found, key))
            found[key] = value
        return found

    def whole(digits: str) -> int:
        # Python refuses to convert thousands of digits; 20 are out of every range as well, and then the key is named.
        return int(digits[:20])

    try:
        raw = json.loads(text, object_pairs_hook=pairs, parse_int=whole)
    except json.JSONDecodeError as error:
        line, what = _broken(text, error)
        raise BoardError(path, "", what, line) from None
    except RecursionError:
        raise BoardError(path, "", "brackets inside brackets without end; compare boards/RPI_PICO/board.json") from None
    if not isinstance(raw, dict):
        raise BoardError(path, "", f"this is {_kind(raw)}, not an object {{...}}; compare boards/RPI_PICO/board.json")
    if twice:
        # The last one found: an earlier one may be inside a value that a later duplicate has replaced.
        where, key = twice[-1]
        raise BoardError(path, _path_to(raw, where) + key, "is given twice; delete one of them")
    return text, raw


def _broken(text: str, error: json.JSONDecodeError) -> tuple[int, str]:
    """The line of JSON that doesn't parse, and what to do: better words than the parser's for what people do most."""
    at = text[error.pos : error.pos + 1]
    before = text[: error.pos].rstrip()
    # The parser points at what it stumbled over, often a line below the comma that is missing or too many.
    line_before = before.count("\n") + 1
    if not text.strip():
        return 1, "the file is empty; copy boards/RPI_PICO/board.json"
    if at in ("/", "#"):
        return error.lineno, "not JSON: a comment; delete it"
    if "trailing comma" in error.msg:  # Python 3.13 and newer; it points at the comma
        return error.lineno, "not JSON: a comma too many; delete the one before the closing bracket"
    if at in ("}", "]") and before.endswith(","):
        return line_before, "not JSON: a comma too many; delete the one before the closing bracket"
    if not at:
        return line_before, "not JSON: the file ends too early; add the missing closing bracket"
    if error.msg.startswith("Expecting ',' delimiter"):
        last = before[before.rfind("\n") + 1 :].strip()[-40:]
        return line_before, f"not JSON: a comma is missing after {last}; add it"
    return error.lineno, f"not JSON at column {error.colno} ({error.msg[:1].lower()}{error.msg[1:]}); repair it"


def _path_to(value: Any, target: object) -> str:
    """The dotted path (with a closing dot, or "") from `value` to `target`, one of the objects inside it."""
    todo: list[tuple[str, Any]] = [("", value)]
    while todo:
        prefix, here = todo.pop()
        if here is target:
            return prefix
        inside = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        todo.extend((f"{prefix}{key}.", item) for key, item in inside)
    return ""


# --- its shape: the schema, in a maker's words ------------------------------------------------------------------------


@functools.cache
def _validator() -> Any:
    schema = json.loads((BOARDS / "schema.json").read_text(encoding="utf-8"))
    # To JSON Schema 4.0 is an integer, but MicroPython's Pin(4.0) raises.
    types = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    return jsonschema.validators.extend(jsonschema.Draft202012Validator, type_checker=types)(schema)


# A misspelt key is unknown and missing at once; its first name is the more helpful one. The wrong type explains what
# else is wrong with a value.
_ORDER = {"additionalProperties": 0, "type": 1, "required": 2}


def _check_shape(path: str | os.PathLike[str], raw: dict[str, Any]) -> None:
    found = sorted(_validator().iter_errors(raw), key=lambda error: _ORDER.get(error.validator, 3))
    if found:
        raise BoardError(path, *_explain(found[0]))


def _explain(error: Any) -> tuple[str, str]:
    """The dotted key that a jsonschema error is about, and what to do about it."""
    parts = [str(part) for part in error.absolute_path]
    value, want = error.instance, error.validator_value
    if error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        key = next(key for key in value if key not in known)
        return ".".join([*parts, key]), _unknown(parts, key, value[key], known)
    if error.validator == "required":
        key = next(key for key in want if key not in value)
        return ".".join([*parts, key]), _missing([*parts, key])
    where = ".".join(parts)
    unit = " ms" if where.endswith("_ms") else " Hz" if where.endswith("frequency") else ""
    if where == "display.address" and isinstance(value, str):
        eight_bit = {"0x78": "0x3C", "0x7a": "0x3D"}.get(value.strip().lower())
        if eight_bit:
            return where, f'{_value(value)} is the 8-bit form; write "{eight_bit}"'
        return where, f'{_value(value)} is not an I2C address from "0x08" to "0x77"; write "0x3C" (seldom "0x3D")'
    if error.validator == "type":
        names = {"integer": "a whole number", "string": "text in quotes", "object": "an object {...}", "null": "null"}
        names["boolean"] = "true or false"
        wanted = " or ".join(names[name] for name in ([want] if isinstance(want, str) else want))
        is_now = "not possible" if value is None or isinstance(value, bool) else _kind(value)
        return where, f"{_value(value)} is {is_now}; write {wanted}{_example(parts, want, value)}"
    if error.validator == "enum":
        choice = " or ".join(_value(item) for item in want)
        return where, f"{_value(value)} is not possible; write {choice}{_close(value, want)}"
    if error.validator in ("minimum", "maximum"):
        if parts[-1] in ("pin", "sda", "scl"):
            return where, _no_such_pin(value)
        low, high = error.schema["minimum"], error.schema["maximum"]
        return where, f"{_value(value)}{unit} is outside {low}..{high}{unit}; write a number from {low} to {high}"
    if where == "id":
        return where, f"{_value(value)} is no board id; write capital letters, digits and _, such as RPI_PICO"
    if error.validator in ("minLength", "maxLength"):
        low, high = error.schema["minLength"], error.schema["maxLength"]
        return where, f"is {len(value)} characters long; write {low} to {high}"
    return where, f"{' '.join(error.message.split())}; see boards/schema.json"  # for a schema that has grown since


def _unknown(parts: list[str], key: str, value: Any, known: list[str]) -> str:
    if parts == ["buttons"] and isinstance(value, dict):
        return f"unknown role; the roles are {', '.join(ROLES)}{_close(key, ROLES)}"
    names = [name for name in known if name != "$schema"]
    return f"unknown key; known here: {', '.join(names)}{_close(key, names)}"


def _missing(parts: Sequence[str]) -> str:
    example = _example_at(parts)
    if example is None:
        return "missing; copy it from boards/RPI_PICO/board.json"
    return f"missing; add it, for example {_value(parts[-1])}: {_value(example)}"


def _close(word: Any, known: Sequence[Any]) -> str:
    """A suggestion for a misspelt word, or "" if nothing comes close."""
    names = {name.lower(): name for name in known if isinstance(name, str)}
    near = difflib.get_close_matches(word.lower(), names, n=1) if isinstance(word, str) else []
    return f" (did you mean {names[near[0]]}?)" if near else ""


def _example(parts: Sequence[str], want: Any, value: Any) -> str:
    """An example for the key at `parts`: the number itself if it was written as text, as GP10 or as 4.0."""
    if want == "integer":
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e7:
            return f", {int(value)}"
        number = (
            re.fullmatch(r"(?:GP|GPIO)?([0-9]{1,7})", value.strip(), re.IGNORECASE) if isinstance(value, str) else None
        )
        if number:
            return f", {int(number[1])}"
    example = _example_at(parts)
    return "" if example is None else f", for example {_value(example)}"


def _example_at(parts: Sequence[str]) -> Any:
    """What the schema gives as an example for the key at `parts`, or None; a role's own pin before any button's."""
    here, example = _validator().schema, None
    for part in parts:
        if "$ref" in here:
            here = _validator().schema["$defs"][here["$ref"].rpartition("/")[2]]
        here = here["properties"][part]
        outer = example.get(part) if isinstance(example, dict) else None
        own = here.get("examples") or here.get("enum") or [None]
        example = own[0] if outer is None else outer
    return example


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", int: "a number", float: "not a whole number", str: "text", list: "a list"}
    return "null" if value is None else kinds.get(type(value), "an object")


def _value(value: Any) -> str:
    """A value as the file has it, cut short so that a message stays readable."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "[...]"
    return text if len(text) <= 40 else text[:37] + "..."


# --- its pins: what the chip and the board can do ---------------------------------------------------------------------


def _no_such_pin(pin: int) -> str:
    return f"there is no pin {_value(pin)} on the header; use one of 0 to 22, 26 to 28"


def _check_pins(path: str | os.PathLike[str], raw: dict[str, Any], micropython: str, variant: Layer | None) -> None:
    """micropython: the board whose pins these are. variant: what says how they differ from those of a base."""
    display, piezo, led = raw["display"], raw["piezo"], raw["led"]
    chip = KNOWN_CHIPS.get(micropython, raw["chip"])
    if chip != raw["chip"]:
        raise BoardError(path, "chip", f"a {micropython} has no {raw['chip']}; write {_value(chip)}")
    wired = [(f"buttons.{role}.pin", raw["buttons"][role]["pin"]) for role in ROLES]
    wired += [("display.sda", display["sda"]), ("display.scl", display["scl"]), ("piezo.pin", piezo["pin"])]
    if led:
        wired.append(("led.pin", led["pin"]))
    if variant:
        # The base fits: of two pins that don't, the variant's is to be changed.
        wired.sort(key=lambda wire: bool(line_of(variant.text, wire[0].split("."))))

    wireless = micropython.endswith("_W")
    owned = OWN_PINS_WIRELESS if wireless else OWN_PINS
    for key, pin in wired:
        if pin in HEADER or (key == "led.pin" and pin == LED_PIN and not wireless):
            continue
        if pin not in owned:
            raise BoardError(path, key, _no_such_pin(pin))
        what = 'write "led": null, or use' if key == "led.pin" and pin == LED_PIN else "use"
        raise BoardError(path, key, f"pin {pin} is the board's own, for {owned[pin]}; {what} one of 0 to 22, 26 to 28")

    users: dict[int, str] = {}
    for key, pin in wired:
        if pin in users:
            user = users[pin].removesuffix(".pin")
            raise BoardError(path, key, f"pin {pin} is used by {user} already; give each its own pin")
        users[pin] = key

    _check_i2c(path, CHIPS[chip], display)

    # The piezo's slice sets its pitch, so nothing else may need another frequency from it. An LED or an active piezo
    # is only switched on and off, which takes no slice at all.
    pwm = [("piezo.pin", piezo["pin"])] if piezo.get("kind", "passive") == "passive" else []
    check_pwm(path, chip, pwm)


def _check_i2c(path: str | os.PathLike[str], chip: Chip, display: dict[str, Any]) -> None:
    bus, sda, scl = display["bus"], display["sda"], display["scl"]
    if chip.sda.get(sda) == chip.scl.get(scl) == 1 - bus:
        raise BoardError(path, "display.bus", f"pins {sda} and {scl} are I2C{1 - bus}'s; write {1 - bus}")
    if chip.scl.get(sda) == chip.sda.get(scl) == bus:
        raise BoardError(path, "display.sda", f"pins {sda} and {scl} are swapped; write sda {scl} and scl {sda}")
    for key, pin, mine, other in (("sda", sda, chip.sda, "SCL"), ("scl", scl, chip.scl, "SDA")):
        if mine.get(pin) == bus:
            continue
        is_now = f"{key.upper()} of I2C{mine[pin]}" if pin in mine else f"only ever {other}"
        free = ", ".join(str(n) for n in sorted(mine) if mine[n] == bus and n in HEADER)
        raise BoardError(
            path, f"display.{key}", f"pin {pin} is {is_now}, not {key.upper()} of I2C{bus}; use one of {free}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks the files named, or all below boards/; prints a line for each and returns 1 if one doesn't fit, else 0."""
    parser = argparse.ArgumentParser(prog="python -m host_sim.board", description="Check board files.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="a board.json; without any, all below boards/")
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a board's name may hold what this terminal can't show
    status = 0
    try:
        paths = [Path(name) for name in options.files] or _files(BOARDS)
    except BoardError as error:
        print(error)
        return 1
    for path in paths:
        try:
            # A file that is named may be a copy kept anywhere; below boards/ the folder is part of the name.
            board = _load_in_folder(path) if _is_below(path, BOARDS) else load(path)
            print(f"{_shown(path)}: ok ({board.name}, {board.chip})")
            if board.display.address not in ADDRESSES:
                where, line = place(_layers(path), "display.address")
                known = " or ".join(f"0x{address:02X}" for address in ADDRESSES)
                what = f"look again, 0x{board.display.address:02X} is unusual: panels of 128x64 have {known}"
                print(BoardError(where, "display.address", what, line))
        except BoardError as error:
            print(error)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
