"""What is made of each board.json for people: `python -m tools.boards [BOARD ...] [--check]`, or `make boards`.

- boards/<BOARD>/wiring.svg, the wiring as a picture (tools/wiring.py);
- boards/<BOARD>/diagram.json, the same for the simulator at wokwi.com, where it has all the parts;
- in boards/<BOARD>/README.md what stands between `<!-- made: ... -->` and `<!-- end -->`: picture, parts, wires, and
  how it comes to play.

The rest of a README is written by hand. --check writes nothing and fails if something made is not up to date.
"""

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from host_sim.board import BOARDS, ROLES, Board, BoardError, find, load_all
from tools.wiring import svg, wires

_BLOCK = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
# The parts after https://docs.wokwi.com/parts/ (wokwi-pi-pico, wokwi-pushbutton, board-ssd1306, wokwi-buzzer), the
# file after https://docs.wokwi.com/diagram-format. A Pico W is in Wokwi's own list of new projects.
_WOKWI_BOARDS = {"RPI_PICO": "wokwi-pi-pico", "RPI_PICO_W": "board-pi-pico-w"}
_WOKWI_GND = {pin: f"GND.{number}" for number, pin in enumerate((3, 8, 13, 18, 23, 28, 33, 38), 1)}
_COLORS = {"left": "red", "back": "black", "ok": "green", "right": "blue"}
_KEYS = {"left": "a", "back": "s", "ok": "k", "right": "l"}  # as on the page of `make sim`


def no_wokwi(board: Board) -> str | None:
    """Why there is no diagram.json for a board, as the end of a sentence; None if there is one."""
    if board.micropython not in _WOKWI_BOARDS:
        return f"it has no {board.name}"
    if board.display.controller != "ssd1306":
        return f"it has no {board.display.controller.upper()} panel"
    if board.piezo_kind == "active":
        return "its buzzer is a passive one"
    return None


def diagram(board: Board) -> str:
    """The wiring as Wokwi's diagram.json. Raises ValueError for a board that it lacks the parts for."""
    if reason := no_wokwi(board):
        raise ValueError(f"no diagram.json for {board.id}: Wokwi lacks a part, {reason}")
    parts = [
        {"type": _WOKWI_BOARDS[board.micropython], "id": "pico", "top": 0, "left": 0, "attrs": {}},
        {
            "type": "board-ssd1306",
            "id": "panel",
            "top": -120,
            "left": -200,
            "rotate": board.display.rotation,
            "attrs": {"i2c-address": board.raw["display"]["address"].lower()},
        },
        {"type": "wokwi-buzzer", "id": "piezo", "top": 150, "left": 140, "attrs": {"volume": "0.1"}},
    ]
    for number, role in enumerate(ROLES):
        attrs = {"color": _COLORS[role], "label": role.upper(), "key": _KEYS[role]}
        place = {"top": 20 + 70 * number, "left": -200}
        parts.append({"type": "wokwi-pushbutton", "id": role, **place, "attrs": attrs})
    connections = []
    for wire in wires(board):
        pin = f"pico:{_WOKWI_GND.get(wire.pin, '3V3' if wire.to == '3V3(OUT)' else wire.to)}"
        for end in _wokwi_ends(board, wire.part, wire.terminal):
            connections.append([end, pin, wire.color, []])
    made = {"version": 1, "author": "Pouch", "editor": "wokwi", "parts": parts, "connections": connections}
    return json.dumps(made, indent=2) + "\n"


def _wokwi_ends(board: Board, part: str, terminal: str) -> list[str]:
    if part == "panel":
        return [f"panel:{terminal}"]
    if part == "piezo":
        return [f"piezo:{'2' if terminal in ('1', '+') else '1'}"]  # theirs: 1 is the negative one
    if terminal.lower() in ROLES:
        return [f"{terminal.lower()}:1.l"]
    return [f"{role}:2.l" for role in ROLES if board.buttons[role].active_low == (terminal == "GND")]


# --- the made parts of a README ---------------------------------------------------------------------------------------


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def picture(board: Board) -> str:
    return f"![Wiring of a {board.name}; the table says the same](wiring.svg)\n"


def parts(board: Board) -> str:
    display, chip = board.display, board.chip.upper()
    printed = f"0x{display.address << 1:02X}"
    size = "1.3 inch" if display.controller == "sh1106" else "0.96 inch"
    names = {"RPI_PICO": "the plain one", "RPI_PICO_W": "the one with Wi-Fi"}
    sounder = (
        ("passive piezo", "a bare disc or a case without electronics; a multimeter reads no connection")
        if board.piezo_kind == "passive"
        else ("active buzzer", "3 V, at most 10 mA; it beeps by itself on a battery, and has a + on one leg")
    )
    pico = board.name.split(" with ")[0]
    rows = [
        ("1", pico, f"{names.get(board.micropython, 'this one')} ({chip}); with headers if you use a breadboard"),
        (
            "1",
            f"OLED panel, 128x64, I2C, {display.controller.upper()}",
            f"{size}, four pins: GND, VCC, SCL, SDA; address 0x{display.address:02X} (may be printed as {printed})",
        ),
        ("4", "push button, normally open", "any 6 mm or 12 mm tactile switch"),
        ("1", *sounder),
        ("1", "micro USB cable", "one that carries data"),
        ("", "thin stranded wire", "keep the panel's wires under 20 cm"),
    ]
    return _table(("how many", "part", "look for"), rows)


def wiring(board: Board) -> str:
    rows = []
    for wire in wires(board):
        what = f"{wire.part} {wire.terminal}"
        if wire.part == "keys":
            what = f"{wire.terminal} key"
            if wire.terminal in ("GND", "3V3"):
                low = wire.terminal == "GND"
                count = sum(key.active_low == low for key in board.buttons.values())
                what = "the other side of " + ("all four keys" if count == 4 else f"{count} of the keys")
                # They sit side by side: the wire goes to one of them.
                if count > 1:
                    what += f", joined by {count - 1} bridge" + ("s" if count > 2 else "")
        elif wire.part == "piezo":
            what = {"1": "piezo", "2": "piezo, other wire", "+": "buzzer +", "-": "buzzer, other leg"}[wire.terminal]
        elif wire.terminal == "SCL":
            what = "panel SCL (or SCK)"
        rows.append((what, wire.to, str(wire.pin)))
    return _table(("from", "to Pico", "header pin"), rows)


def wokwi(board: Board) -> str:
    if reason := no_wokwi(board):
        return f"There is no `diagram.json` for the simulator at wokwi.com: {reason}.\n"
    return "[diagram.json](diagram.json) is the same wiring for the simulator at [wokwi.com](https://wokwi.com).\n"


def play(board: Board) -> str:
    """What comes after soldering."""
    make, uf2 = f"`make uf2 BOARD={board.id}`", f"`build/pouch-{board.id}.uf2`"
    asks = "" if board.micropython == "RPI_PICO" else " It asks for this Pico's MicroPython 1.25: where from, and how."
    sounder = "buzzer" if board.piezo_kind == "active" else "piezo"
    dark = f"LED and {sounder} say why; what each" if board.led_pin is not None else _NO_LED.format(sounder)
    steps = (
        f"{make} in the project's folder, on a computer with Python 3.10 and make, makes {uf2}.{asks}",
        "Hold BOOTSEL while you plug the Pico in, and drag that file onto the drive that appears. The Pico restarts by "
        "itself, and plays.",
        "The first home screen has TEST over BACK: press that key, and it says of each part whether it works.",
        f"The glass stays dark? {dark} number of pulses means stands in {_TABLE}.",
    )
    later = (
        f"A newer Pouch comes with `make deploy BOARD={board.id}`, and matches, names and settings stay. "
        f"`make sim BOARD={board.id}` plays this board on a laptop."
    )
    lines = [_wrapped(f"{number}. {step}", "   ") for number, step in enumerate(steps, 1)]
    return "\n".join([*lines, "", _wrapped(later), ""])


_TABLE = "[It does not work](../../README.md#it-does-not-work)"
_NO_LED = (
    "The LED of this Pico hangs on the wireless chip, so the {} alone says why, three times: pull the plug and put "
    "it in again to hear it once more. What each"
)


def _wrapped(text: str, indent: str = "") -> str:
    """Lines of 120 characters; no command and no link is broken."""
    whole = re.sub(r"`[^`]*`|\[[^]]*\]", lambda match: match[0].replace(" ", "\xa0"), text)
    lines = textwrap.fill(whole, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\xa0", " ")


_MAKERS = {"picture": picture, "parts": parts, "wires": wiring, "play": play, "wokwi": wokwi}


def readme(board: Board, text: str) -> str:
    """A README with its made blocks as they should be. Raises ValueError if one that is needed is missing."""
    wanted = set(_MAKERS)
    found = {match[2] for match in _BLOCK.finditer(text)}
    if found != wanted:
        missing = ", ".join(f"<!-- made: {name} --><!-- end -->" for name in sorted(wanted - found)) or found - wanted
        raise ValueError(f"boards/{board.id}/README.md: blocks that are missing, or not known: {missing}")
    return _BLOCK.sub(lambda match: match[1] + _MAKERS[match[2]](board) + match[3], text)


def made(board: Board) -> dict[Path, str | None]:
    """Each made file of a board, and what should be in it; None: it should not be there."""
    folder = BOARDS / board.id
    page = folder / "README.md"
    files: dict[Path, str | None] = {
        folder / "wiring.svg": svg(board),
        folder / "diagram.json": None if no_wokwi(board) else diagram(board),
    }
    if page.exists():  # a maker's own board may do without
        files[page] = readme(board, page.read_text("utf-8"))
    return files


def stale(board: Board) -> dict[Path, str | None]:
    """Those of `made` that are not as they should be."""
    return {
        path: text for path, text in made(board).items() if text != (path.read_text("utf-8") if path.exists() else None)
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.boards", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("boards", nargs="*", metavar="BOARD", help="default: all of them")
    parser.add_argument("--check", action="store_true", help="write nothing, fail if something is not up to date")
    args = parser.parse_args()
    try:
        chosen = [find(name) for name in args.boards] or list(load_all().values())
        wrong = [entry for board in chosen for entry in stale(board).items()]
        for path, text in wrong:
            print(f"{path.relative_to(BOARDS.parent)}: {'not up to date' if args.check else 'made'}")
            if args.check:
                continue
            if text is None:
                path.unlink()
            else:
                path.write_text(text, "utf-8")
    except (BoardError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    if args.check and wrong:
        print("run `make boards`, and look at what changed", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
