"""How the points of a turn come about, word by word, and what they make of the score."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK, RIGHT
from pouch.games import upwords
from pouch.screens import Screen
from pouch.screens.up_turn import act
from pouch.ui import up_board
from pouch.ui.fonts import display_16, display_24
from pouch.ui.fonts import text as small
from pouch.words import say

_ROWS = const(3)
_RIGHT = const(88)  # the end of the values
_PLATE = const(93)


class UpSum(Screen):
    HOLDS = 1 << OK

    def __init__(self, app):
        pass

    def legend(self, app):
        state = app.match.state
        more = "+WORD" if len(state["words"]) < upwords.WORDS else ""
        seven = "−20" if state["seven"] else "+20" if upwords.letters(state["words"]) >= upwords.RACK else ""
        return (more, "BACK", "#SCORE≡", seven)

    def press(self, app, key, kind, at):
        match = app.match
        if key == LEFT:
            from pouch.screens.up_length import UpLength

            app.show(UpLength(app))
        elif key == BACK:
            from pouch.screens.up_word import UpWord

            heights = upwords.tiles(match.state["words"][-1])
            match.do((upwords.DROP,))
            app.pause_clock()  # where it stands belongs to what has been done
            app.show(UpWord(app, heights))
        elif key == RIGHT:
            match.do((upwords.SEVEN, 0 if match.state["seven"] else 1))
            app.pause_clock()
        elif kind == LONG:
            from pouch.screens.menu import RoundMenu

            app.show(RoundMenu(app, self))
        else:
            act(app, (upwords.SCORE,))

    def render(self, canvas, app):
        state = app.match.state
        turn = state["turn"]
        up_board.heading(canvas, app.match.players[turn], say("TURN {}").format(up_board.turn_number(state)))
        y = 11
        for text, points in _rows(state["words"], state["seven"]):
            _row(canvas, y, text, str(points))
            y += 9
        canvas.fill(1, 38, 87, 1)
        canvas.fill(1, 40, 87, 1)
        score = state["scores"][turn]
        points = upwords.turn_points(state)
        canvas.text(small, str(score) + " + " + str(points), 1, 44)
        canvas.right(small, str(score + points), _RIGHT, 44)
        canvas.plate(_PLATE, 11, 35, 42, 1, 2)
        canvas.centred(small, say("SUM"), _PLATE, 128, 14, 0)
        face = display_24 if points < 100 else display_16
        canvas.centred(face, str(points), _PLATE, 128, 37 - face.HEIGHT // 2, 0)
        canvas.seam()


def _row(canvas, y, text, points):
    left = _RIGHT - canvas.width(small, points)
    canvas.text(small, points, left, y)
    if canvas.width(small, text) > left - 4:
        text = say("{} letters").format(text.count("+") + 1)
    end = canvas.text(small, text, 1, y)
    for x in range((end + 5) // 3 * 3, left - 2, 3):
        canvas.fill(x, y + 5, 1, 1)


def _rows(words, seven):
    """(text, points) of at most three lines: where there are more the first one is of several words."""
    rows = [(up_board.formula(upwords.tiles(code)), upwords.word_points(code)) for code in words]
    if seven:
        rows.append((say("seven tiles"), upwords.BONUS))
    first = len(rows) - _ROWS
    if first > 0:
        rows[: first + 1] = [(say("{} words").format(first + 1), sum([points for _, points in rows[: first + 1]]))]
    return rows
