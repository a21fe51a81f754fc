"""Reads words.txt.

; a comment
[text 127]                         where the texts below stand: a face and the columns there, more than one if the
[display_16 127 | display_12 127]  firmware takes a smaller face for what is too wide; nothing: a test draws it
[text 88, BEGOÑA 12]               what stands in the place of each {}, "_" for a space
English ‖ Spanish                  a line a text; "=" where the Spanish is the English
"""

from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).resolve().parent / "words.txt"


class TableError(Exception):
    """One line: the file, the line, and what to do."""


@dataclass(frozen=True)
class Place:
    """places: (face, columns), the first one in which a text fits is taken; samples: for its {}s."""

    places: tuple[tuple[str, int], ...]
    samples: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    english: str
    spanish: str
    place: Place
    line: int


def parse(text: str, name: str = TABLE.name) -> list[Entry]:
    """The entries in their order. Raises TableError."""
    entries: list[Entry] = []
    seen: dict[str, int] = {}
    place: Place | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith(";"):
            continue
        if line.startswith("["):
            place = _place(line, f"{name}:{number}")
            continue
        if place is None:
            raise TableError(f"{name}:{number}: no [place] above this text")
        english, bar, spanish = (part.strip() for part in line.partition(" ‖ "))
        if not bar or not english or not spanish:
            raise TableError(f"{name}:{number}: not `English ‖ Spanish`: {line}")
        if english in seen:
            raise TableError(f"{name}:{number}: {english!r} stands in line {seen[english]} already")
        seen[english] = number
        spanish = english if spanish == "=" else spanish
        if english.count("{}") != spanish.count("{}"):
            raise TableError(f"{name}:{number}: {spanish!r} has not the {{}}s of {english!r}")
        entries.append(Entry(english, spanish, place, number))
    return entries


def _place(line: str, where: str) -> Place:
    if not line.endswith("]"):
        raise TableError(f"{where}: no ] at the end of the place")
    faces, _, samples = line[1:-1].partition(",")
    places = []
    for face in filter(None, (part.split() for part in faces.split("|"))):
        if len(face) != 2 or not face[1].isdigit():
            raise TableError(f"{where}: not a face and its columns: {' '.join(face)}")
        places.append((face[0], int(face[1])))
    return Place(tuple(places), tuple(sample.replace("_", " ") for sample in samples.split()))


def read() -> list[Entry]:
    return parse(TABLE.read_text("utf-8"))
