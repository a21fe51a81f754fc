"""The end of Upwords: what everybody has left over, five points a tile."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.games import upwords
from pouch.screens import Screen
from pouch.screens.up_turn import undo
from pouch.ui import up_board
from pouch.ui.fonts import text as small
from pouch.words import say

_PITCH = const(11)
_TILES = const(46)
_APART = const(7)


class UpLeft(Screen):
    HOLDS = 1 << OK
    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app):
        self.left = [0] * len(app.match.players)
        self.player = 0

    def _lacking(self, app):
        """Who is out of tiles has none left."""
        return app.match.state["why"] == upwords.OUT and 0 not in self.left

    def legend(self, app):
        if self.player < len(self.left) - 1:
            done = "#NEXT≡"
        else:
            done = "HOLD≡" if self._lacking(app) else "#DONE≡"
        return ("−", "BACK", done, "＋")

    def press(self, app, key, kind, at):
        if key == BACK:
            if self.player:
                self.player -= 1
            else:
                undo(app)
        elif key != OK:
            # Below 0 comes 7.
            self.left[self.player] = (self.left[self.player] + (-1 if key == LEFT else 1)) % (upwords.RACK + 1)
        elif kind == LONG:
            from pouch.screens.menu import RoundMenu

            app.show(RoundMenu(app, self))
        elif self.player < len(self.left) - 1:
            self.player += 1
        elif self._lacking(app):
            app.refuse()
        else:
            from pouch.screens.up_result import UpResult

            app.match.do((upwords.LEFT,) + tuple(self.left))
            app.show(UpResult(app, told=False))

    def render(self, canvas, app):
        lacking = self.player == len(self.left) - 1 and self._lacking(app)
        up_board.heading(canvas, say("TILES LEFT"), say("who has none?" if lacking else "5 off for each"))
        for player in range(len(self.left)):
            y = 10 + _PITCH * player
            ink = 1
            if player == self.player:
                canvas.plate(0, y, 128, _PITCH)
                ink = 0
            y += 3
            name = canvas.fitted(small, app.match.players[player], _TILES - 5)
            canvas.text(small, name, 3, y, ink)
            left = self.left[player]
            for tile in range(upwords.RACK):
                x = _TILES + _APART * tile
                if tile < left:
                    canvas.fill(x, y, 5, 5, ink)
                else:
                    canvas.fill(x + 2, y + 2, 1, 1, ink)
            canvas.right(small, str(-upwords.TILE * left), 125, y, ink)
        canvas.seam()
