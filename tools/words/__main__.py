"""Writes firmware/pouch/words_es.py from tools/words/words.txt; --check only says if it is stale."""

import argparse
import sys
from binascii import crc32
from pathlib import Path

from host_sim.firmware import FIRMWARE
from tools.words.collect import labels, stem
from tools.words.table import TABLE, Entry, TableError, parse

TARGET = FIRMWARE / "pouch" / "words_es.py"
_HEAD = '"""Spanish, generated from tools/words/words.txt by `python -m tools.words`: do not edit here."""\n'
_LINE = 24  # bytes of the table in a line of the module


def key(english: str) -> int:
    """Of 24 bits, by which pouch.words finds a text."""
    return crc32(english.encode()) >> 8


def signed(entries: list[Entry]) -> list[Entry]:
    """The entries of the firmware's labels with the signs that they have there: "#GO!≡"."""
    known = {entry.english: entry for entry in entries}
    found = []
    for label in labels():
        entry = known.get(stem(label))
        if entry:
            spanish = label.replace(entry.english, entry.spanish)
            found.append(Entry(label, spanish, entry.place, entry.line))
    return found


def packed(entries: list[Entry]) -> bytes:
    """What pouch.languages looks through. Raises TableError for two texts with one key."""
    data = b""
    keys: dict[int, str] = {}
    for entry in entries:
        found = keys.setdefault(key(entry.english), entry.english)
        if found != entry.english:
            raise TableError(
                f"{TABLE.name}:{entry.line}: the CRC of {entry.english!r} is that of {found!r}: reword one"
            )
        if entry.spanish == entry.english:
            continue
        text = entry.spanish.encode()
        if len(text) > 255:
            raise TableError(f"{TABLE.name}:{entry.line}: longer than 255 bytes")
        data += key(entry.english).to_bytes(3, "big") + bytes([len(text)]) + text
    return data


def generate(entries: list[Entry]) -> str:
    """The module's source."""
    data = packed(entries)
    rows = [data[at : at + _LINE] for at in range(0, len(data), _LINE)]
    lines = "\n".join('    b"' + "".join(f"\\x{byte:02x}" for byte in row) + '"' for row in rows)
    return f"{_HEAD}\nDATA = (\n{lines}\n)\n"


def main(arguments: list[str] | None = None, table: Path = TABLE, target: Path = TARGET) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.words", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if the module is stale")
    check = parser.parse_args(arguments).check
    try:
        entries = parse(table.read_text("utf-8"), table.name)
        source = generate(entries + signed(entries))
    except TableError as error:
        print(error, file=sys.stderr)
        return 1
    if target.is_file() and target.read_text("utf-8") == source:
        return 0
    if check:
        print(f"{target.name} is stale: run `python -m tools.words`", file=sys.stderr)
        return 1
    target.write_text(source, "utf-8")
    print(f"{target.name}: {len(source)} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
