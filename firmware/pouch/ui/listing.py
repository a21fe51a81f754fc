"""A list: heading, dots, five rows of nine, the selected one a filled bar, a scroll bar at the right."""

from micropython import const

from pouch.ui.canvas import DOTS
from pouch.ui.fonts import text as small

ROWS = const(5)
_TOP = const(9)
_PITCH = const(9)
_TRACK = bytes((1, 0, 45)) + b"\xaa" * 5 + b"\x0a"  # of the scroll bar, dots as a glyph record: rows 10, 12 ... 52


def draw(canvas, heading, value, items, chosen):
    """items: (text, value) each; chosen: the index of the selected one, which is always in view."""
    canvas.text(small, canvas.fitted(small, heading, 120 - canvas.width(small, value)), 1, 1)
    canvas.right(small, value, 127, 1)
    canvas.draw(DOTS, 0, 8)
    count = len(items)
    first = min(max(0, chosen - ROWS // 2), max(0, count - ROWS))
    width = 128 if count <= ROWS else 122
    for row in range(min(ROWS, count)):
        text, item = items[first + row]
        y = _TOP + row * _PITCH
        selected = first + row == chosen
        if selected:
            canvas.plate(0, y, width, _PITCH)
        # A long name yields to what stands beside it.
        room = width - 8 - canvas.width(small, item) if item else width
        canvas.text(small, canvas.fitted(small, text, room), 3, y + 1, 0 if selected else 1)
        if item:
            canvas.right(small, item, width - 3, y + 1, 0 if selected else 1)
    if count > ROWS:
        # From row 10 on: the dots below the heading stand clear of it.
        height = max(6, 44 * ROWS // count)
        canvas.draw(_TRACK, 126, _TOP)
        canvas.fill(125, _TOP + 1 + (44 - height) * first // (count - ROWS), 3, height)
