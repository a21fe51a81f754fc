"""After ZIP!: whose call counts, and does the grid hold?"""

from pouch.app import BACK, LEFT, LONG, OK
from pouch.games import zip_it
from pouch.screens import Screen
from pouch.stopwatch import minutes
from pouch.ui import zip_board
from pouch.ui.fonts import display_12
from pouch.ui.fonts import text as small
from pouch.words import say


def question(app):
    return DeadHeat() if app.match.state["phase"] == zip_it.DEAD_HEAT else GridQuestion(app)


class GridQuestion(Screen):
    """ "RED by 12 ms. Is RED's grid good?" """

    HOLDS = 1 << OK

    def __init__(self, app):
        if zip_it.asks_for_bonus(app.match.options):
            self.NEXT = ("pouch.screens.zip_bonus",)

    def legend(self, app):
        return ("", "✗ NO", "#✓ YES≡", "")

    def press(self, app, key, kind, at):
        if kind == LONG:
            _menu(app, self)
            return
        from pouch.screens.zip_point import scored

        if key == OK and zip_it.asks_for_bonus(app.match.options):
            from pouch.screens.zip_bonus import ZipBonus

            app.show(ZipBonus(app, self))
        else:
            scored(app, (zip_it.GOOD,) if key == OK else (zip_it.WRONG,))

    def render(self, canvas, app):
        state = app.match.state
        name = app.match.players[state["who"]]
        zip_board.scores(canvas, state)
        if state["lead"] > 0:
            head, value, tail = say("by"), str(state["lead"]), "ms"
        else:
            head, value, tail = say("in"), minutes(state["seconds"]), ""
        width = 6 + 4 + canvas.width(small, head) + 4 + canvas.width(display_12, value)
        if tail:
            width += 4 + canvas.width(small, tail)
        on_plate = canvas.fitted(small, name, zip_board.ROOM - width)
        width += canvas.width(small, on_plate)
        x = zip_board.plate(canvas, on_plate, 64 - width // 2, 34)
        x = canvas.text(small, head, x + 4, 38)
        x = canvas.text(display_12, value, x + 4, 33)
        if tail:
            canvas.text(small, tail, x + 4, 38)
        line = say("Is {}'s grid good?").format(name)
        if canvas.width(small, line) > zip_board.ROOM:
            line = say("Is the grid good?")
        zip_board.caption(canvas, line)


class DeadHeat(Screen):
    """Less than 1 ms apart: the players decide."""

    HOLDS = 1 << OK

    def legend(self, app):
        return ("#FIRST", "VOID", "HOLD≡", "#FIRST")

    def press(self, app, key, kind, at):
        if key == OK:
            if kind == LONG:
                _menu(app, self)
        elif key == BACK:
            from pouch.screens.zip_point import void

            void(app)
        else:
            app.match.do((zip_it.FIRST, zip_board.side(app.canvas, 0 if key == LEFT else 1)))
            app.show(GridQuestion(app))

    def render(self, canvas, app):
        zip_board.scores(canvas, app.match.state)
        canvas.centred(display_12, say("DEAD HEAT"), 17, 111, 33)
        zip_board.caption(canvas, say("Who was first?"))


def _menu(app, screen):
    from pouch.screens.menu import RoundMenu

    app.show(RoundMenu(app, screen))
