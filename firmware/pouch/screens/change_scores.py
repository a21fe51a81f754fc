"""The table puts scores right. Each one that is changed is an action of its own, which an undo takes back."""

from pouch.app import BACK, LEFT, OK
from pouch.cues import POINT
from pouch.games import CHANGE
from pouch.screens import Screen, resume
from pouch.ui import listing
from pouch.words import say


class ChangeScores(Screen):
    """below: the screen before. Nothing is changed before DONE."""

    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, below):
        self.below = below
        self.scores = app.scores()
        self.player = 0

    def legend(self, app):
        lowest, highest = app.match.game.SCORES
        score = self.scores[self.player]
        last = self.player == len(self.scores) - 1
        return (
            "−" if score > lowest else "",
            "BACK",
            "#DONE" if last else "#NEXT",
            "＋" if score < highest else "",
        )

    def press(self, app, key, kind, at):
        if key == BACK:
            if self.player:
                self.player -= 1
            else:
                app.show(self.below)
        elif key != OK:
            lowest, highest = app.match.game.SCORES
            self.scores[self.player] = min(highest, max(lowest, self.scores[self.player] + (-1 if key == LEFT else 1)))
        elif self.player < len(self.scores) - 1:
            self.player += 1
        else:
            self._done(app)

    def _done(self, app):
        match = app.match
        before = app.scores()
        for player in range(len(before)):
            # The first one that wins ends it: the rules then take no more.
            if self.scores[player] != before[player] and match.outcome() is None:
                match.do((CHANGE, player, self.scores[player]))
        app.play(POINT)
        app.show(resume(app))

    def render(self, canvas, app):
        players = app.match.players
        before = app.scores()
        items = []
        for player in range(len(players)):
            score = str(self.scores[player])
            if self.scores[player] != before[player]:
                score = f"{before[player]} → {score}"
            items.append((players[player], score))
        listing.draw(canvas, say("CHANGE SCORES"), "", items, self.player)
        canvas.seam()
