"""The scores of a match that is over, round by round and in the end."""

from pouch.app import BACK, LEFT
from pouch.games.ranking import by_round
from pouch.screens import Screen
from pouch.ui import rounds


class ScoreList(Screen):
    """below: the screen that it was opened from. discs: the players' signs, None where they are known by name."""

    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, below, discs=None):
        self.below = below
        self.discs = discs
        state = app.match.state
        played = by_round(state["history"], len(app.match.players))
        self.played = len(played)
        self.rows = rounds.rows(played, state["scores"])
        self.first = max(0, len(self.rows) - rounds.ROWS)

    def legend(self, app):
        return ("▲" if self.first else "", "BACK", "", "▼" if self.first + rounds.ROWS < len(self.rows) else "")

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(self.below)
        else:
            self.first = min(max(0, len(self.rows) - rounds.ROWS), max(0, self.first + (-1 if key == LEFT else 1)))

    def render(self, canvas, app):
        rounds.draw(canvas, app.match.players, self.discs, self.rows, self.played, self.first)
