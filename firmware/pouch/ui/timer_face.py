"""The timer's numerals, which a whole table reads."""

from micropython import const

from pouch.stopwatch import minutes
from pouch.ui import clock
from pouch.ui.fonts import display_40, display_48

TEETH = const(10)  # pairs, one for each of the last seconds
_PITCH = const(5)
_TOP = const(3)
_TOOTH = const(24)
_STUB = const(3)


def time(canvas, second, y):
    """Minutes and seconds, 40 rows from row y on; 99:59 takes 123 columns."""
    clock.draw(canvas, display_40, minutes(second), 0, 128, y)


def last(canvas, second):
    """One of the last ten seconds, and for each that has gone a pair of teeth less."""
    canvas.centred(display_48, str(second), 0, 128, 2)
    for tooth in range(TEETH):
        y = _TOP + _PITCH * tooth
        width = _TOOTH if tooth >= TEETH - second else _STUB
        canvas.fill(2, y, width, 3)
        canvas.fill(126 - width, y, width, 3)
