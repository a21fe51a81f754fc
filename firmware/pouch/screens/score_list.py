"""The scores of a match round by round."""

from micropython import const

from pouch.app import BACK, LEFT
from pouch.games.ranking import by_round
from pouch.screens import Screen
from pouch.ui.canvas import DOTS
from pouch.ui.fonts import text as small

_ROWS = const(5)
_PITCH = const(9)


class ScoreList(Screen):
    """below: the screen that it was opened from. discs: the players' signs, None where they are known by name."""

    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, below, discs=None):
        self.below = below
        self.discs = discs
        self.rounds = by_round(app.match.state["history"], len(app.match.players))
        self.first = max(0, len(self.rounds) - _ROWS)

    def legend(self, app):
        return ("▲" if self.first else "", "BACK", "", "▼" if self.first + _ROWS < len(self.rounds) else "")

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(self.below)
        else:
            self.first = min(max(0, len(self.rounds) - _ROWS), max(0, self.first + (-1 if key == LEFT else 1)))

    def render(self, canvas, app):
        count = len(app.match.players)
        pitch = 96 // count
        canvas.text(small, "AFTER", 1, 1)
        for player in range(count):
            if self.discs:
                canvas.draw(self.discs[player], 23 + pitch * (player + 1), 0)
            else:
                name = canvas.fitted(small, app.match.players[player], pitch - 3)
                canvas.right(small, name, 30 + pitch * (player + 1), 1)
        canvas.draw(DOTS, 0, 8)
        for row in range(min(_ROWS, len(self.rounds))):
            y = 10 + _PITCH * row
            canvas.text(small, "round " + str(self.first + row + 1), 1, y)
            scores = self.rounds[self.first + row]
            for player in range(count):
                canvas.right(small, str(scores[player]), 30 + pitch * (player + 1), y)
        canvas.seam()
