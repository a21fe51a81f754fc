"""Who has won Crossed Words, and what decided it."""

from pouch.app import BACK, LEFT, LONG, OK, RIGHT
from pouch.games import crossed_words
from pouch.screens import Screen, resume
from pouch.screens.cw_open import undo
from pouch.sound import TIE, WIN
from pouch.ui import cw_board
from pouch.ui.canvas import DOTS
from pouch.ui.discs import DISCS, SMALL_DISCS
from pouch.ui.fonts import display_12, display_16, icons
from pouch.ui.fonts import text as small


class CwResult(Screen):
    """told: the table has heard it already."""

    NEXT = ("pouch.screens.cw_list", "pouch.screens.menu")
    HOLDS = 1 << OK

    def __init__(self, app, told=True):
        if not told:
            app.play(WIN if len(app.match.outcome()) == 1 else TIE)

    def legend(self, app):
        return ("LIST", "UNDO", "#AGAIN≡", "HOME")

    def press(self, app, key, kind, at):
        if key == LEFT:
            from pouch.screens.cw_list import CwList

            app.show(CwList(app, self))
        elif key == BACK:
            undo(app)
        elif key == RIGHT:
            app.go_home()
        elif kind == LONG:
            from pouch.screens.menu import Menu

            app.show(Menu(app, self))
        else:
            app.begin(app.match.game, app.match.players, app.match.options)
            app.show(resume(app))

    def render(self, canvas, app):
        match = app.match
        state = match.state
        winners = match.outcome()
        scores = state["scores"]
        best = scores[winners[0]]
        if len(winners) == 1:
            canvas.draw(icons.GLYPHS["crown"], 1, 6)
            _wins(canvas, match.players[winners[0]])
            lines = _won(canvas, match, winners[0])
        else:
            canvas.text(display_16, "=", 1, 1)
            canvas.text(display_16, "TIE AT " + str(best), 14, 1)
            names = [match.players[player] for player in winners]
            lines = (cw_board.joined_in(canvas, names, "", " share it", 127), "Equal in the last round too")
            if max(scores) < crossed_words.RACE:
                lines = (lines[0], "The table ended it here")
        canvas.text(small, lines[0], 1, 20)
        canvas.text(small, lines[1], 1, 29)
        canvas.draw(DOTS, 0, 38)
        order = match.standings()
        pitch = 128 // len(order)
        discs, gap, y = (DISCS, 12, 42) if len(order) < 6 else (SMALL_DISCS, 9, 43)
        for i in range(len(order)):
            canvas.draw(discs[order[i][0]], pitch * i, y)
            canvas.text(small, str(order[i][1]), pitch * i + gap, 44)
        canvas.seam()


def _wins(canvas, name):
    """As large as it fits; an accent needs rows of its own, and a long name is no reason to leave out what it did."""
    text = name + " WINS"
    if canvas.width(display_16, text) <= 113 and len(name.encode()) == len(name):
        canvas.text(display_16, text, 14, 1)
    elif canvas.width(display_12, text) <= 113:
        canvas.text(display_12, text, 14, 3)
    else:
        canvas.text(display_16, "WINS", canvas.text(small, name, 14, 11) + 5, 1)


def _won(canvas, match, winner):
    """Two lines on what made one player win."""
    state = match.state
    scores = state["scores"]
    best = scores[winner]
    tied = [player for player in range(len(scores)) if scores[player] == best and player != winner]
    if tied:
        names = [match.players[player] for player in tied]
        first = cw_board.joined_in(canvas, names, str(best) + " : " + str(best) + " with ", "", 127)
        points = state["points"]
        second = "Last round decides: " + str(points[winner]) + " to " + str(max([points[player] for player in tied]))
        return first, second
    order = match.standings()
    names = [match.players[player] for player, _, place in order if place == order[1][2]]
    first = cw_board.joined_in(canvas, names, str(best) + " : " + str(order[1][1]) + " before ", "", 127)
    rounds = str(state["rounds"]) + (" round" if state["rounds"] == 1 else " rounds")
    if best < crossed_words.RACE:
        return first, "Ended after " + rounds
    return first, "Most points after " + rounds
