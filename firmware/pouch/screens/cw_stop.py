"""STOP!: pens down. Then the discs are entered, space by space or as totals."""

from micropython import const

from pouch.app import LEFT, LONG
from pouch.games import crossed_words
from pouch.screens import PLAYED, Screen
from pouch.ticks import later, since
from pouch.ui.fonts import display_40
from pouch.ui.fonts import text as small

_BLINK_US = const(200_000)
_CHANGES = const(6)


def stop(app):
    """The count is over; its tone sounds."""
    app.match.do((crossed_words.STOP,))
    app.show(CwStop(app, blinking=True))


class CwStop(Screen):
    """blinking: three times, by the panel's own invert command."""

    NEXT = PLAYED["crossed_words"]
    HOLDS = 1 << 2

    def __init__(self, app, blinking=False):
        self._start = app.now
        self._change = 0 if blinking else _CHANGES
        self.RACE = blinking  # a notice over it would blink too, and stay inverted

    def legend(self, app):
        return ("TOTALS", "", "#SHEET≡", "")

    def press(self, app, key, kind, at):
        if self._change < _CHANGES:
            self._blink(app, _CHANGES)
        if key == LEFT:
            from pouch.screens.cw_totals import CwTotals

            app.show(CwTotals(app))
        elif kind == LONG:
            from pouch.screens.menu import RoundMenu

            app.show(RoundMenu(app, self))
        else:
            from pouch.screens.cw_sheet import CwSheet

            app.show(CwSheet(app))

    def render(self, canvas, app):
        canvas.clear(1)
        canvas.centred(display_40, "STOP!", 0, 128, 3, 0)
        canvas.centred(small, "Pens down", 0, 128, 47, 0)

    def wake(self, app, now):
        return None if self._change == _CHANGES else later(self._start, (self._change + 1) * _BLINK_US)

    def tick(self, app, now):
        self._blink(app, min(_CHANGES, since(now, self._start) // _BLINK_US))

    def quiet(self, app, now):
        return False

    def _blink(self, app, change):
        self._change = change
        self.RACE = change < _CHANGES
        app.device.oled.invert(change & 1)
