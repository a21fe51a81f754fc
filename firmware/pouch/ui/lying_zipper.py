"""A zipper across the glass: it closes when somebody wins, and opens as the time runs out."""

from micropython import const

from pouch.ui.fonts import icons

_LYING_ROWS = const(11)


def draw(canvas, y, end):
    """A zipper across the whole glass in 11 rows, closed up to its slider; end: the slider's left column, -12..116."""
    opened, closed = icons.GLYPHS["lying_open"], icons.GLYPHS["lying_closed"]
    canvas.fill(0, y, 128, _LYING_ROWS, 0)
    for x in range(0, 128, 4):
        if x <= end + 4:
            canvas.draw(closed, x, y)
        if x + 3 >= end + 15:
            canvas.draw(opened, x, y)
    canvas.fill(end + 5, y, 10, _LYING_ROWS, 0)
    for x, by in ((end + 14, 1), (end + 13, 2)):
        for row in range(_LYING_ROWS):
            if opened[3 + (row >> 3) * 4 + (x & 3)] >> (row & 7) & 1:
                canvas.fill(x, y + (row + by if row < 5 else row - by), 1, 1)
    canvas.draw(icons.GLYPHS["slider_lying_halo"], end - 1, y - 1, 0)
    canvas.draw(icons.GLYPHS["slider_lying"], end, y)
