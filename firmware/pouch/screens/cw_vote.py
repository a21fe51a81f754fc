"""A disputed answer: everyone but its author votes, one after the other."""

from pouch.app import BACK, LEFT, LONG, OK
from pouch.cues import ACCEPTED, REFUSED
from pouch.games import crossed_words
from pouch.screens import Screen
from pouch.screens.cw_sheet import CwSheet, answered
from pouch.ui.canvas import DOTS
from pouch.ui.discs import DISCS, RINGS
from pouch.ui.fonts import display_32
from pouch.ui.fonts import text as small
from pouch.words import say


class CwVote(Screen):
    HOLDS = 1 << OK

    def __init__(self, app):
        self.author = crossed_words.pending(app.match.state)[1]
        self.voters = [player for player in range(len(app.match.players)) if player != self.author]
        self.votes = []  # 1 for yes, in the voters' order

    def legend(self, app):
        if len(self.votes) == len(self.voters):
            return ("", "BACK", "#DONE≡", "")
        return ("#NO", "BACK", "DONE≡" if self.votes else "HOLD≡", "#YES")

    def press(self, app, key, kind, at):
        if key == BACK:
            if self.votes:
                self.votes.pop()
            else:
                app.show(CwSheet(app))
        elif key != OK:
            self.votes.append(0 if key == LEFT else 1)
        elif kind == LONG:
            from pouch.screens.menu import RoundMenu

            app.show(RoundMenu(app, self))
        elif self.votes:
            yes = sum(self.votes)
            no = len(self.votes) - yes
            app.match.do((crossed_words.VOTE, yes, no))
            app.play(ACCEPTED if crossed_words.accepted(yes, no) else REFUSED)
            app.show(answered(app))

    def render(self, canvas, app):
        yes = sum(self.votes)
        no = len(self.votes) - yes
        space = len(app.match.state["sheet"]) // len(app.match.players) + 1
        line = say("{}'s answer, space {}").format(app.match.players[self.author], space)
        canvas.right(small, line, 127, 1)
        if canvas.width(small, line) < 102:
            canvas.text(small, say("VOTE"), 1, 1)
        canvas.draw(DOTS, 0, 8)
        canvas.centred(display_32, str(no), 2, 22, 15)
        canvas.text(small, say("NO"), 26, 15)
        canvas.centred(display_32, str(yes), 106, 126, 15)
        canvas.right(small, say("YES"), 102, 15)
        x = 64 - (10 * len(self.voters)) // 2
        for i in range(len(self.voters)):
            discs = DISCS if i < len(self.votes) else RINGS
            canvas.draw(discs[self.voters[i]], x + 10 * i, 26)
        if not self.votes:
            line = say("does it count?")
        elif yes == no:
            line = say("tie: it counts")
        else:
            line = say("it counts" if yes > no else "no disc")
        canvas.centred(small, line, 0, 128, 41)
        canvas.seam()
