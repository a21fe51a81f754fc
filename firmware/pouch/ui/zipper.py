"""A standing zipper, 17 columns and 54 rows: it shows a score, and its tape shows whose it is.

The left player's tape has solid edges, the right player's stitched ones. The parts and the rule are in
tools/fonts/icons.txt; the two tapes are made from them once.
"""

import micropython
from micropython import const

from pouch.ui.fonts import icons

WIDTH = const(17)
ROWS = const(54)
_TRAVEL = const(40)  # rows from empty to full, whatever the target
_MOUTH = const(36)  # the mouth's first row at 0 points


def _tape(part):
    """A part of three or four rows repeated down the whole zipper, as a glyph record."""
    columns, period = part[0], part[2]
    pages = (ROWS + 7) // 8
    record = bytearray((columns, 0, ROWS)) + bytearray(columns * pages)
    for column in range(columns):
        bits = part[3 + column]
        # Twelve rows are whole periods of both; a page begins somewhere in the first twelve.
        for _ in range(12 // period - 1):
            bits = bits << period | part[3 + column]
        bits |= bits << 12
        for page in range(pages):
            byte = bits >> (page * 8) % 12 & 255
            record[3 + page * columns + column] = byte if page < pages - 1 else byte & (1 << (ROWS & 7)) - 1
    return record


def _shifted(part, row, inwards):
    """One row of a 17 column part, with the tooth moved towards the middle."""
    record = bytearray((WIDTH, 0, 1)) + bytearray(WIDTH)
    for column in range(WIDTH):
        if part[3 + column] >> row & 1:
            record[3 + (column + inwards if column < 8 else column - inwards)] = 1
    return record


_G = icons.GLYPHS
_OPEN = _tape(_G["zip_open"])
_CLOSED = _tape(_G["zip_closed"])
_EDGES = (_tape(_G["zip_edge"]), _tape(_G["zip_stitch"]))
_TEETH = [[_shifted(_G["zip_open"], row, by) for by in (1, 2, 3)] for row in range(4)]


@micropython.native
def mouth(score, target):
    """The row where the mouth begins at this score: 36 at 0, -4 at the target and above."""
    return _MOUTH - min(_TRAVEL, _TRAVEL * score // target)


@micropython.native
def draw(canvas, x, y, row, player):
    """Draw a zipper at (x, y), its mouth at `row` (see `mouth`; every row between is a frame of the motion)."""
    canvas.fill(x, y, WIDTH, ROWS, 0)
    canvas.draw(_CLOSED, x, y)
    canvas.fill(x, y, WIDTH, row + 11, 0)
    if row > 0:
        canvas.draw(_OPEN, x, y, 1, y + row)
    for by in range(3):
        if row + by >= 0:
            canvas.draw(_TEETH[(row + by) & 3][by], x, y + row + by)
    canvas.draw(_G["slider_halo"], x + 2, y + row + 3, 0)
    canvas.draw(_G["slider"], x + 3, y + row + 4)
    edges = _EDGES[player]
    canvas.draw(edges, x, y)
    canvas.draw(edges, x + WIDTH - 1, y)
    canvas.fill(x, y + 52, WIDTH, 2, 0)
    canvas.draw(_G["zip_stop"], x, y + 52)
    canvas.draw(edges, x, y, 1)
    canvas.draw(edges, x + WIDTH - 1, y, 1)
