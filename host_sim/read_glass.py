"""Reads the words off the glass: from pixels alone, with the glyphs the firmware draws.

`read(glass)` takes 64 rows of 128 values (0 or not) and returns the lines it finds, `text(glass)` their words.
The largest face is looked for first and claims its pixels, so that a small face finds nothing inside of a large one.
Every face is looked for as light on dark and as dark on light (tabs, plates, bars, shouts).

How: the glass is one large integer, column after column. For each cap line the band of the face is cut at its empty
columns, and each piece is looked up in a dictionary of the glyphs' pixels. What is found is compared once more with
all its rows (accents, descenders) and needs an empty row over and under it.

Signs: the broad plus of the legend reads as "+". The bars of a key that can be held and the leader's crown are no
text: they set `held` and `leader` of the line they stand beside. Numbered discs read as lines of the face "tiny".
"""

import importlib.util
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FONTS = Path(__file__).resolve().parents[1] / "firmware" / "pouch" / "ui" / "fonts"
WIDTH, HEIGHT = 128, 64
TOP = 8  # empty rows over the glass, for accents and the empty row over a glyph
STRIDE = TOP + HEIGHT + 8
FACES = ("display_64", "display_48", "display_40", "display_32", "display_24", "display_16", "display_12", "text")
MARKS = {"♛", "≡"}
APART = {"…", "_"}  # put together in _string
SAME = {"＋": "+"}
WEAK = frozenset(".,:;'·-–…−+＋=▪I")  # too small or too plain to make a line of their own, unless nothing is near
ALONE = frozenset("-–−+＋=I")
CLOCK = frozenset("0123456789:+-")
HALF_PAUSE = "\0"

Glass = Sequence[Sequence[int]]


@dataclass
class Line:
    text: str
    x: int
    y: int  # the cap line
    w: int
    font: str
    inverted: bool
    held: bool = False
    leader: bool = False


class Shape(NamedTuple):
    """A glyph from one column before it to one after it: `mask` has the pixels that count, `ink` those lit."""

    name: str
    width: int
    left: int  # columns before the ink of the cap band
    top: int  # first row of `mask`, counted from the cap line
    mask: int
    ink: int


class Face(NamedTuple):
    name: str
    height: int
    gap: int
    space: int
    widths: frozenset[int]
    shapes: dict[tuple[int, int], list[Shape]]


class Hit(NamedTuple):
    x: int
    end: int  # first column after it
    shape: Shape


def records(name: str) -> Any:
    """The generated module of a face: imported by its path, the firmware is not a package of the host."""
    spec = importlib.util.spec_from_file_location("pouch_glyphs_" + name, FONTS / (name + ".py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if hasattr(module, "DATA"):
        module.GLYPHS = _unpack(module.DATA)  # type: ignore[attr-defined]
    return module


def _unpack(data: bytes) -> dict[str, bytes]:
    """The records of a face by character, from the one piece that tools.fonts makes of them."""

    def number(at: int) -> int:
        return int.from_bytes(data[at : at + 2], "little")

    places = {chr(code): number(4 + 2 * (code - 32)) for code in range(32, 127)}
    for i in range(number(2)):
        at = 4 + 2 * 95 + 4 * i
        places[chr(number(at))] = number(at + 2)
    glyphs = {}
    for character, at in places.items():
        if at:
            width, _, rows = data[at : at + 3]
            glyphs[character] = data[at : at + 3 + width * ((rows + 7) // 8)]
    return glyphs


def bitmap(record: bytes) -> list[list[int]]:
    """The rows of a glyph record, each a list of 0 and 1."""
    width, _, rows = record[:3]
    return [[record[3 + y // 8 * width + x] >> y % 8 & 1 for x in range(width)] for y in range(rows)]


def _bits(rows: Sequence[Sequence[int]], down: int = 0) -> int:
    value = 0
    for y, row in enumerate(rows):
        for x, pixel in enumerate(row):
            if pixel:
                value |= 1 << (x * STRIDE + y + down)
    return value


@cache
def _box(width: int, rows: int) -> int:
    return sum(((1 << rows) - 1) << x * STRIDE for x in range(width))


def _shape(name: str, record: bytes, height: int) -> tuple[tuple[int, int], Shape]:
    width, rise, count = record[:3]
    rows = bitmap(record)
    band = rows[rise : rise + height]
    if name == "⏸":  # falls into two equal pieces
        name, width, rows, band = HALF_PAUSE, 2, [row[:2] for row in rows], [row[:2] for row in band]
    inked = [x for x in range(width) if any(row[x] for row in band)]
    left, right = inked[0], inked[-1] + 1
    # Text needs an empty row over and under it; but accents may touch the edge of a tab,
    # descenders a dotted rule. A numeral of the display face may touch the seam.
    plain = height < 12 or name in WEAK
    over = int(plain and not rise)
    under = int(plain and count <= rise + height)
    mask = _box(width + 2, over + count + under)
    key = _bits([row[left:right] for row in band])
    return (right - left, key), Shape(name, width, left, -rise - over, mask, _bits(rows, over) << STRIDE)


@cache
def _face(name: str) -> Face:
    module = records(name)
    shapes: dict[tuple[int, int], list[Shape]] = {}
    for char, record in module.GLYPHS.items():
        if char in MARKS or char in APART:
            continue
        key, shape = _shape(char, record, module.HEIGHT)
        shapes.setdefault(key, []).append(shape)
    for found in shapes.values():
        found.sort(key=lambda shape: (shape.top, -shape.mask.bit_count()))  # accented first, descenders before none
    widths = frozenset(width for width, _ in shapes)
    return Face(name, module.HEIGHT, module.GAP, module.SPACE, widths, shapes)


class Icon(NamedTuple):
    name: str
    first: str  # its first row, as text
    width: int
    rows: int
    mask: int
    ink: int


@cache
def _icons() -> dict[str, list[Icon]]:
    """The discs, the crowns and the bars, by the text of their first rows."""
    found: dict[str, list[Icon]] = {}
    letters = records("text").GLYPHS
    signs = {**records("icons").GLYPHS, "crown_small": letters["♛"], "held": letters["≡"]}
    for name, record in signs.items():
        if name.startswith(("disc_", "ring_", "crown")) or name == "held":
            rows = bitmap(record)
            while not any(rows[0]):
                del rows[0]
            first = "".join(map(str, rows[0]))
            width = record[0]
            # one empty column on either side
            padded = [[0, *row, 0] for row in rows]
            icon = Icon(name, f"0{first}0", width, len(rows), _box(width + 2, len(rows)), _bits(padded))
            found.setdefault(icon.first, []).append(icon)
    return found


class _Pixels:
    """The glass while it is read: `light` has the ink of light text, its opposite that of dark text."""

    def __init__(self, rows: tuple[int, ...]) -> None:
        value = 0
        for y, row in enumerate(rows):
            for bit in _columns(row):
                value |= 1 << ((bit.bit_length() - 1) * STRIDE + y + TOP)
        self.light = value
        self.rows = list(rows)  # bit x is column x

    def ink(self, inverted: bool) -> int:
        return self.light ^ _GLASS if inverted else self.light

    def lines(self, inverted: bool) -> list[int]:
        return [row ^ _ROW for row in self.rows] if inverted else self.rows

    def claim(self, ink: int, inverted: bool) -> None:
        """Makes found ink the colour of its background."""
        if inverted:
            self.light |= ink & _GLASS
        else:
            self.light &= ~ink
        while ink:
            low = ink & -ink
            x, y = divmod(low.bit_length() - 1, STRIDE)
            if 0 <= y - TOP < HEIGHT and x < WIDTH:
                if inverted:
                    self.rows[y - TOP] |= 1 << x
                else:
                    self.rows[y - TOP] &= ~(1 << x)
            ink ^= low


_ROW = (1 << WIDTH) - 1
_GLASS = sum(((1 << HEIGHT) - 1) << (x * STRIDE + TOP) for x in range(WIDTH))
_PIECE = re.compile("1+")
_memo: "OrderedDict[tuple[int, ...], list[Line]]" = OrderedDict()


def _at(x: int, y: int) -> int:
    return x * STRIDE + y + TOP


def _matches(ink: int, shape: Shape, x: int, y: int) -> bool:
    return _down(ink, _at(x - 1, y + shape.top)) & shape.mask == shape.ink


def _down(value: int, by: int) -> int:
    return value >> by if by >= 0 else value << -by


def _up(value: int, by: int) -> int:
    return value << by if by >= 0 else value >> -by


def _hits(face: Face, ink: int, rows: list[int], y: int) -> list[list[Hit]]:
    """The glyphs on one cap line, in groups that nothing unknown parts."""
    band = 0
    for row in rows[y : y + face.height]:
        band |= row
    if not band:
        return []
    text = f"{band:0128b}"[::-1]
    groups: list[list[Hit]] = [[]]
    for piece in _PIECE.finditer(text):
        x, end = piece.span()
        found = None
        if end - x in face.widths:
            key = (ink >> _at(x, y)) & _box(end - x, face.height)
            for shape in face.shapes.get((end - x, key), ()):
                if x >= shape.left and _matches(ink, shape, x - shape.left, y):
                    found = Hit(x - shape.left, x - shape.left + shape.width, shape)
                    break
        if found:
            groups[-1].append(found)
        elif groups[-1]:
            groups.append([])
    return [group for group in groups if group]


def _split(face: Face, group: list[Hit]) -> Iterable[list[Hit]]:
    widest = 2 * face.space if face.name == "text" else face.space * 3 // 2
    line: list[Hit] = []
    for hit in group:
        if line and hit.x - line[-1].end > widest:
            yield line
            line = []
        line.append(hit)
    yield line


def _leaders(face: Face, line: list[Hit]) -> Iterable[list[Hit]]:
    """Parts a line at rows of four dots and more (leaders of a list, dots of a scale) and drops them."""
    part: list[Hit] = []
    at = 0
    while at < len(line):
        run = at
        while run < len(line) and line[run].shape.name in ".·" and (run == at or line[run].x > line[run - 1].end + 1):
            run += 1
        if run - at > 3:
            if part:
                yield part
            part = []
            at = run
        else:
            part.append(line[at])
            at += 1
    if part:
        yield part


def _string(face: Face, line: list[Hit], ink: int, y: int) -> str:
    out = ""
    for before, hit in zip([None, *line], line, strict=False):
        if before:
            gap = hit.x - before.end
            pair = before.shape.name + hit.shape.name
            ones = "1" in pair and not set(pair) - CLOCK  # a clock's 1 has the width of the 0
            under = [ink >> _at(x, y + face.height) & 1 for x in range(before.end, hit.x)]
            if gap > 5 and under.count(1) == (gap - 1) // 5 * 4 == sum(under[1:]):
                out += "_" * (gap // 5)
            elif gap >= face.space or (not ones and gap >= (face.gap + face.space + 1) // 2):
                out += " "
        out += SAME.get(hit.shape.name, hit.shape.name)
    out = out.replace(HALF_PAUSE * 2, "⏸").replace(HALF_PAUSE, "").replace("...", "…")
    words = out.split(" ")
    letter = any(len(word) == 1 and word.isalpha() and word != "O" for word in words)
    letter = letter or (len(words) == 1 and face.name == "text" and y >= 56)
    return " ".join(_twins(word, letter) for word in words)


def _twins(word: str, letter: bool) -> str:
    """Glyphs that look alike: 0 among digits, O among letters, alone O if `letter`; ¡ before a capital, else i."""
    letters = {char for char in word if char.isalpha()} - {"O"}
    if len(word) > 1 and word[0] in "i¡":
        word = ("¡" if word[1].isupper() else "i") + word[1:]
    if word.startswith(("Ox", "0x")):
        return "0x" + word[2:]
    if letters or (letter and word in ("O", "0")):
        return re.sub("(?<![0-9:.])0(?![0-9:.])", "O", word)
    return word.replace("O", "0")


def _lonely(ink: int, line: list[Hit], y: int) -> bool:
    """Nothing within three columns and two rows of a single glyph."""
    (hit,) = line
    shape = hit.shape
    rows = shape.ink
    low = min((column.bit_length() - 1) % STRIDE for column in _columns(rows))
    high = max((column.bit_length() - 1) % STRIDE for column in _columns(rows))
    first = y + shape.top + low - 2
    around = _box(hit.end - hit.x + 6, high - low + 5)
    own = _up(shape.ink, 2 * STRIDE + 2 - low)
    return _down(ink, _at(hit.x - 3, first)) & around & ~own == 0


def _columns(value: int) -> Iterable[int]:
    while value:
        low = value & -value
        yield low
        value ^= low


def _scan(pixels: _Pixels, face: Face, inverted: bool, found: list[Line]) -> None:
    ink, rows = pixels.ink(inverted), pixels.lines(inverted)
    for y in range(HEIGHT - face.height + 1):
        claimed = False
        for group in _hits(face, ink, rows, y):
            for wide in _split(face, group):
                for line in _leaders(face, wide):
                    names = {hit.shape.name for hit in line}
                    if names <= WEAK and not (len(line) == 1 and names <= ALONE and _lonely(ink, line, y)):
                        continue
                    text = _string(face, line, ink, y)
                    if not text.strip():
                        continue
                    found.append(Line(text, line[0].x, y, line[-1].end - line[0].x, face.name, inverted))
                    for hit in line:
                        pixels.claim(_up(hit.shape.ink, _at(hit.x - 1, y + hit.shape.top)), inverted)
                    claimed = True
        if claimed:
            ink, rows = pixels.ink(inverted), pixels.lines(inverted)


def _discs(pixels: _Pixels, found: list[Line]) -> list[tuple[str, int, int, int]]:
    """Takes the discs, crowns and bars off the glass; returns crowns and bars: name, x, y, width."""
    marks = []
    for inverted in (False, True):
        ink = pixels.ink(inverted)
        for y, row in enumerate(pixels.lines(inverted)):
            if not row:
                continue
            text = f"0{row:0128b}"[::-1]
            text = "0" + text  # column x is text[x + 1]
            for first, icons in _icons().items():
                x = text.find(first)
                while x >= 0:
                    for icon in icons:
                        at = _at(x - 1, y)
                        if y + icon.rows <= HEIGHT and _down(ink, at) & icon.mask == icon.ink:
                            if icon.name[-1].isdigit():
                                filled = icon.name.startswith("disc") != inverted
                                found.append(Line(icon.name[-1], x, y, icon.width, "tiny", filled))
                            else:
                                marks.append((icon.name, x, y, icon.width))
                            pixels.claim(_up(icon.ink, at), inverted)
                            ink = pixels.ink(inverted)
                            break
                    x = text.find(first, x + 1)
    return marks


def _tiny(pixels: _Pixels, found: list[Line]) -> None:
    """Single digits of the tiles: only with an empty ring around, the pixels are too few for less."""
    face = _face("tiny")
    for inverted in (False, True):
        ink, rows = pixels.ink(inverted), pixels.lines(inverted)
        for y in range(1, HEIGHT - face.height):
            for group in _hits(face, ink, rows, y):
                for hit in group:
                    before = ink >> _at(hit.x - 2, y - 1) if hit.x > 1 else 0
                    after = ink >> _at(hit.end + 1, y - 1)
                    column = (1 << face.height + 2) - 1
                    if (before | after) & column:
                        continue
                    found.append(Line(hit.shape.name, hit.x, y, hit.end - hit.x, "tiny", inverted))


def _attach(marks: list[tuple[str, int, int, int]], found: list[Line]) -> None:
    for name, x, y, width in marks:
        near: tuple[int, Line] | None = None
        for line in found:
            if line.font == "tiny":
                continue
            height = _face(line.font).height
            if not line.y - 1 <= y <= line.y + height:
                continue
            away = x - line.x - line.w
            if away < 0 and name != "held":
                away = line.x - x - width
            if 0 <= away <= 16 and (near is None or away < near[0]):
                near = away, line
        if near and name == "held":
            near[1].held = True
        elif near:
            near[1].leader = True


_DIGITS = b"0" + b"1" * 255


def read(glass: Glass) -> list[Line]:
    """The lines on the glass, from top to bottom and from left to right."""
    rows = tuple(int(bytes(row)[::-1].translate(_DIGITS), 2) for row in glass)
    if rows in _memo:
        _memo.move_to_end(rows)
    else:
        _memo[rows] = _read(rows)
        if len(_memo) > 256:
            _memo.popitem(last=False)
    return [Line(**vars(line)) for line in _memo[rows]]


def _read(rows: tuple[int, ...]) -> list[Line]:
    pixels = _Pixels(rows)
    found: list[Line] = []
    for name in FACES[:-1]:
        for inverted in (False, True):
            _scan(pixels, _face(name), inverted, found)
    marks = _discs(pixels, found)
    for inverted in (False, True):
        _scan(pixels, _face("text"), inverted, found)
    _tiny(pixels, found)
    _attach(marks, found)
    found.sort(key=lambda line: (line.y, line.x))
    return found


def text(glass: Glass) -> str:
    """All lines of the glass, joined by newlines."""
    return "\n".join(line.text for line in read(glass))


def rows(glass: Glass) -> str:
    """The same, with what stands side by side in one line, whatever its size: "RED by 3 ms"."""
    found: list[list[Line]] = []
    for line in read(glass):
        middle = line.y + _face(line.font).height / 2
        for row in found:
            if any(other.y <= middle <= other.y + _face(other.font).height for other in row):
                row.append(line)
                break
        else:
            found.append([line])
    return "\n".join(" ".join(line.text for line in sorted(row, key=lambda line: line.x)) for row in found)
