"""What every result has: the list by round, UNDO, AGAIN, HOME and the menu. Who has won is the game's to draw."""

from pouch.app import BACK, LEFT, LONG, OK, RIGHT
from pouch.cues import TIE, WIN
from pouch.screens import Screen, of, resume


class Result(Screen):
    """told: the table has heard it already."""

    NEXT = ("pouch.screens.score_list", "pouch.screens.menu")
    HOLDS = 1 << OK

    def __init__(self, app, told=True):
        if not told:
            app.play(WIN if len(app.match.outcome()) == 1 else TIE)

    def legend(self, app):
        return ("LIST", "UNDO", "#AGAIN≡", "HOME")

    def press(self, app, key, kind, at):
        if key == LEFT:
            from pouch.screens.score_list import ScoreList

            app.show(ScoreList(app, self, self.discs(app)))
        elif key == BACK:
            of(app).undo(app)
        elif key == RIGHT:
            self.leave(app)
            app.go_home()
        elif kind == LONG:
            from pouch.screens.menu import Menu

            app.show(Menu(app, self))
        else:
            self.leave(app)
            self.again(app)

    def discs(self, app):
        """What stands for the players over the list; None: their names."""
        return None

    def leave(self, app):
        """Nobody comes back to undo it."""

    def again(self, app):
        app.begin(app.match.game, app.match.players, app.match.options)
        app.show(resume(app))
