"""Writes firmware/pouch/ui/fonts/<name>.py from the sheets tools/fonts/<name>.txt; --check only says if one is stale.

A sheet: lines that begin with ";" are comments, then `height n`, `gap n`, `space n`, and the glyphs:

    glyph Ä rise 1      the first row stands 1 row over the cap line (no "rise": the first row is the cap line)
    #..#                "#" is ink, "." is none; all rows of a glyph are equally long
    ....

Words of the modules, in pixels:
HEIGHT  rows from the cap line to the base line (0 for icons).
GAP     blank columns between two glyphs of a word.
SPACE   blank columns between the last glyph of a word and the first of the next, gaps included: after a glyph a space
        replaces the gap, it does not add to it.
GLYPHS  (icons) name -> record. A record is bytes: width, rise, rows, then the bitmap, page by page as the SSD1306
        (and MONO_VLSB) has it: `width` bytes for rows 0-7, lowest bit on top, then `width` bytes for rows 8-15, ...
        Row 0 is `rise` rows over the cap line.
DATA    (type) all records of a face in one piece, which a Pico loads in a third of the time and of half the memory:
        gap, space, how many rows the second index has (two bytes); an index of the codes 32-126, two bytes each:
        where its record begins, 0 for none; a second index of other codes, ascending: code and place, two bytes
        each; then the records. All numbers of two bytes have the low one first.
"""

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

SHEETS = Path(__file__).resolve().parent
TARGET = SHEETS.parents[1] / "firmware" / "pouch" / "ui" / "fonts"
LICENCES = {"text": "After X11 misc-fixed, public domain"}
INIT = '"""Type and signs, generated from tools/fonts/*.txt by `python -m tools.fonts`: do not edit here."""\n'


class SheetError(Exception):
    pass


class Glyph(NamedTuple):
    rise: int
    rows: list[str]

    def record(self) -> bytes:
        width = len(self.rows[0])
        data = [width, self.rise, len(self.rows)]
        for top in range(0, len(self.rows), 8):
            page = self.rows[top : top + 8]
            data += [sum(1 << bit for bit, row in enumerate(page) if row[x] == "#") for x in range(width)]
        return bytes(data)


class Sheet(NamedTuple):
    numbers: dict[str, int]
    glyphs: dict[str, Glyph]


def parse(text: str, name: str) -> Sheet:
    """Reads a sheet; what is wrong with it is one line, with file and line number."""
    sheet = Sheet({}, {})
    rows: list[str] | None = None
    begun = 0

    def wrong(line: int, what: str) -> SheetError:
        return SheetError(f"{name}:{line}: {what}")

    def close() -> None:
        if rows is not None and not rows:
            raise wrong(begun, "glyph without rows")

    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith(";"):
            continue
        words = line.split(" ")
        if words[0] == "glyph":
            close()
            rise = "0"
            if len(words) == 4 and words[2] == "rise":
                rise = words[3]
            elif len(words) != 2:
                raise wrong(number, "expected: glyph NAME [rise N]")
            if not words[1] or not rise.isdecimal():
                raise wrong(number, "expected: glyph NAME [rise N]")
            if words[1] in sheet.glyphs:
                raise wrong(number, f"glyph {words[1]} is there twice")
            rows, begun = [], number
            sheet.glyphs[words[1]] = Glyph(int(rise), rows)
        elif words[0] in ("height", "gap", "space"):
            if rows is not None or len(words) != 2 or not words[1].isdecimal():
                raise wrong(number, f"expected: {words[0]} N, before the first glyph")
            if words[0] in sheet.numbers:
                raise wrong(number, f"{words[0]} is there twice")
            sheet.numbers[words[0]] = int(words[1])
        elif set(line) - {"#", "."}:
            raise wrong(number, f"unknown character {min(set(line) - {'#', '.'})!r}")
        elif rows is None:
            raise wrong(number, "row outside of a glyph")
        elif rows and len(line) != len(rows[0]):
            raise wrong(number, f"row has {len(line)} columns, the ones above have {len(rows[0])}")
        else:
            rows.append(line)
            if len(rows) > 255 or len(line) > 255:
                raise wrong(number, "glyph is larger than 255")
    close()
    for key in ("height", "gap", "space"):
        if key not in sheet.numbers:
            raise wrong(1, f"no {key}")
    return sheet


def literal(data: bytes) -> str:
    return 'b"' + "".join(f"\\x{byte:02x}" for byte in data) + '"'


def entry(key: str, record: bytes) -> str:
    """One entry of GLYPHS the way ruff formats it: on one line, or in parts of 28 bytes."""
    name = "'\"'" if key == '"' else '"' + key.replace("\\", "\\\\") + '"'
    line = f"    {name}: {literal(record)},\n"
    if len(line) <= 121:
        return line
    parts = [f"        {literal(record[at : at + 27])}\n" for at in range(0, len(record), 27)]
    return f"    {name}: (\n" + "".join(parts) + "    ),\n"


def packed(sheet: Sheet) -> bytes:
    """All glyphs of a face as DATA describes it."""
    others = sorted(key for key in sheet.glyphs if not 32 <= ord(key) < 127)
    index = bytearray(2 * 95)
    more = bytearray()
    records = bytearray()
    start = 4 + len(index) + 4 * len(others)
    for key in [*sorted(set(sheet.glyphs) - set(others)), *others]:
        place = (start + len(records)).to_bytes(2, "little")
        if key in others:
            more += ord(key).to_bytes(2, "little") + place
        else:
            index[2 * (ord(key) - 32) : 2 * (ord(key) - 31)] = place
        records += sheet.glyphs[key].record()
    head = bytes((sheet.numbers["gap"], sheet.numbers["space"])) + len(others).to_bytes(2, "little")
    return head + bytes(index) + bytes(more) + bytes(records)


def module(name: str, sheet: Sheet) -> str:
    licence = LICENCES.get(name, "Licence: MIT")
    out = f'"""Generated from tools/fonts/{name}.txt by `python -m tools.fonts`. {licence}."""\n\n'
    out += "".join(f"{key.upper()} = {sheet.numbers[key]}\n" for key in ("height", "gap", "space"))
    if all(len(key) == 1 for key in sheet.glyphs):
        data = packed(sheet)
        parts = "".join(f"    {literal(data[at : at + 28])}\n" for at in range(0, len(data), 28))
        return out + f"DATA = (\n{parts})\n"
    return out + "GLYPHS = {\n" + "".join(entry(key, glyph.record()) for key, glyph in sheet.glyphs.items()) + "}\n"


def generate(sheets: Path = SHEETS) -> dict[str, str]:
    """All files of the target folder: name -> content."""
    files = {"__init__.py": INIT}
    for path in sorted(sheets.glob("*.txt")):
        files[path.stem + ".py"] = module(path.stem, parse(path.read_text(encoding="utf-8"), path.name))
    return files


def stale(files: dict[str, str], target: Path = TARGET) -> list[str]:
    def old(name: str) -> str | None:
        path = target / name
        return path.read_text(encoding="utf-8") if path.exists() else None

    gone = [path.name for path in target.glob("*.py") if path.name not in files]
    return [name for name in files if old(name) != files[name]] + gone


def main(arguments: list[str] | None = None, sheets: Path = SHEETS, target: Path = TARGET) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.fonts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if a generated file is out of date")
    check = parser.parse_args(arguments).check
    try:
        files = generate(sheets)
    except SheetError as error:
        print(error, file=sys.stderr)
        return 1
    names = stale(files, target)
    for name in names:
        if check:
            print(f"{target / name} is out of date: run .venv/bin/python -m tools.fonts", file=sys.stderr)
        elif name in files:
            target.mkdir(parents=True, exist_ok=True)
            (target / name).write_text(files[name], encoding="utf-8")
        else:
            (target / name).unlink()
    return 1 if check and names else 0


if __name__ == "__main__":
    sys.exit(main())
