"""The points of a turn, as one number."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.games import HIGHEST, upwords
from pouch.screens import Screen, resume
from pouch.screens.up_turn import act
from pouch.ui import up_board
from pouch.ui.fonts import display_32

_OPENS_AT = const(10)


class UpPoints(Screen):
    HOLDS = 1 << OK
    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app):
        state = app.match.state
        self.most = min(upwords.MOST, HIGHEST - state["scores"][state["turn"]])
        self.points = min(_OPENS_AT, self.most)

    def legend(self, app):
        more = "＋" if self.points < self.most else ""
        return ("−" if self.points > 1 else "", "BACK", "#SCORE≡" if self.most else "", more)

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(resume(app))
        elif key != OK:
            self.points = min(self.most, max(1, self.points + (-1 if key == LEFT else 1)))
        elif kind == LONG:
            from pouch.screens.menu import RoundMenu

            app.show(RoundMenu(app, self))
        else:
            act(app, (upwords.POINTS, self.points))

    def render(self, canvas, app):
        state = app.match.state
        score = state["scores"][state["turn"]]
        name = app.match.players[state["turn"]]
        up_board.heading(canvas, name, str(score) + " → " + str(score + self.points))
        canvas.centred(display_32, "+" + str(self.points), 0, 128, 15)
        canvas.seam()
