"""The discs of a round as one total a player."""

from pouch.app import BACK, LEFT, LONG, OK
from pouch.cues import POINT
from pouch.games import crossed_words
from pouch.screens import Screen
from pouch.ui import cw_board
from pouch.ui.canvas import DOTS
from pouch.ui.discs import DISCS
from pouch.ui.fonts import display_24
from pouch.ui.fonts import text as small
from pouch.words import say

_OPENS_AT = 5


class CwTotals(Screen):
    """piles: what was entered before and is put right now."""

    NEXT = ("pouch.screens.cw_points",)
    HOLDS = 1 << OK
    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, piles=()):
        self.piles = list(piles) or [_OPENS_AT]
        self.player = 0

    def legend(self, app):
        last = self.player == len(app.match.players) - 1
        return ("−", "BACK", "#DONE≡" if last else "#NEXT≡", "＋")

    def press(self, app, key, kind, at):
        if key == BACK:
            if self.player:
                self.player -= 1
            else:
                from pouch.screens.cw_stop import CwStop

                app.show(CwStop(app))
        elif key == OK:
            if kind == LONG:
                from pouch.screens.menu import RoundMenu

                app.show(RoundMenu(app, self))
            else:
                self._next(app)
        else:
            # Below 0 comes 9.
            pile = self.piles[self.player] + (-1 if key == LEFT else 1)
            self.piles[self.player] = pile % (crossed_words.SPACES + 1)

    def _next(self, app):
        if self.player < len(app.match.players) - 1:
            self.player += 1
            if self.player == len(self.piles):
                self.piles.append(self.piles[-1])
            return
        from pouch.screens.cw_points import CwPoints

        app.match.do((crossed_words.TOTALS,) + tuple(self.piles))
        app.play(POINT)
        app.show(CwPoints(app))

    def render(self, canvas, app):
        count = len(app.match.players)
        canvas.text(small, say("ROUND {}").format(cw_board.number(app.match.state)), 1, 1)
        canvas.right(small, say("discs, 0 to 9"), 127, 1)
        canvas.draw(DOTS, 0, 8)
        pitch = 126 // count
        for player in range(count):
            x = 1 + pitch * player + (pitch - 21) // 2
            chosen = player == self.player
            if chosen:
                canvas.plate(x, 11, 21, 41, 1, 2)
            canvas.draw(DISCS[player], x + 6, 14, 0 if chosen else 1)
            if player < len(self.piles):
                canvas.centred(display_24, str(self.piles[player]), x, x + 21, 26, 0 if chosen else 1)
            else:
                canvas.fill(x + 7, 37, 7, 2)
        canvas.seam()
