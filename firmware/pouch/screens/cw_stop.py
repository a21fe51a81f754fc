"""STOP!: pens down. Then the discs are entered, space by space or as totals."""

from pouch.app import LEFT, LONG
from pouch.games import crossed_words
from pouch.screens import PLAYED
from pouch.screens.shout import Shout
from pouch.ui.fonts import display_40
from pouch.ui.fonts import text as small
from pouch.words import say


def stop(app):
    """The count is over; its tone sounds."""
    app.countdown = None
    app.match.do((crossed_words.STOP,))
    app.show(CwStop(app, blinking=True))


class CwStop(Shout):
    NEXT = PLAYED["crossed_words"]

    def legend(self, app):
        return ("TOTALS", "", "#SHEET≡", "")

    def press(self, app, key, kind, at):
        super().press(app, key, kind, at)
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
        canvas.centred(display_40, say("STOP!"), 0, 128, 3, 0)
        canvas.centred(small, say("Pens down"), 0, 128, 47, 0)
