"""The points of a round: discs, positions, and the new scores."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.cues import NEXT
from pouch.games import crossed_words
from pouch.screens import Screen
from pouch.screens.cw_open import CwOpen, sheet, undo
from pouch.ui import cw_board
from pouch.ui.canvas import DOTS
from pouch.ui.fonts import text as small
from pouch.words import say

_PILE = const(46)
_BRACKET = const(97)
_POINTS = const(101)
_ARROW = const(112)


class CwPoints(Screen):
    NEXT = ("pouch.screens.cw_result", "pouch.screens.menu")
    HOLDS = 1 << OK

    def __init__(self, app):
        pass

    def legend(self, app):
        return ("EDIT", "UNDO", "#NEXT≡", "")

    def press(self, app, key, kind, at):
        if key == LEFT:
            edit(app)
        elif key == BACK:
            undo(app)
        elif kind == LONG:
            from pouch.screens.menu import Menu

            app.show(Menu(app, self))
        else:
            app.match.do((crossed_words.NEXT,))
            if app.match.outcome() is None:
                app.play(NEXT)
                app.show(CwOpen(app))
            else:
                from pouch.screens.cw_result import CwResult

                app.show(CwResult(app, told=False))

    def render(self, canvas, app):
        state = app.match.state
        players = app.match.players
        count = len(players)
        piles, points = state["piles"], state["points"]
        discs, top, pitch, indent, height = cw_board.rows(count, 10)
        y = cw_board.heading(canvas, count, say("ROUND {}").format(state["rounds"]))
        canvas.right(small, deciding(state), 127, y)
        if count < 6:
            canvas.draw(DOTS, 0, 8)
        order = sorted([(-piles[player], player) for player in range(count)])
        inset = 1 if height < 9 else 2
        room = _PILE - indent - 2
        begins = 0  # row of the bracket around those who are tied
        for i in range(count):
            player = order[i][1]
            y = top + pitch * i
            canvas.draw(discs[player], 0, y)
            canvas.text(small, canvas.fitted(small, players[player], room), indent, y + inset)
            for x in range(_PILE, _PILE + 5 * piles[player], 5):
                canvas.fill(x, y + inset, 4, 5)
            score = str(state["scores"][player])
            left = 127 - canvas.width(small, score)
            # A score that the table has made long comes first.
            if left > _ARROW:
                canvas.text(small, "+" + str(points[player]), _POINTS, y + inset)
            if left > _ARROW + 5:
                canvas.text(small, "→", _ARROW, y + inset)
            canvas.text(small, score, left, y + inset)
            tied = i + 1 < count and order[i + 1][0] == order[i][0] and points[player]
            if tied and not begins:
                begins = y + inset
            elif begins and not tied:
                canvas.fill(_BRACKET, begins, 1, y + inset + 5 - begins)
                canvas.fill(_BRACKET, begins, 3, 1)
                canvas.fill(_BRACKET, y + inset + 4, 3, 1)
                begins = 0
        canvas.seam()


def edit(app):
    """Back to where the discs were entered."""
    totals = not app.match.state["sheet"]
    app.match.do((crossed_words.EDIT,))
    if totals:
        from pouch.screens.cw_totals import CwTotals

        app.show(CwTotals(app, app.match.state["piles"]))
    else:
        app.show(sheet(app))


def deciding(state):
    """The option that made these points what they are, "" if none did."""
    options = state["options"]
    piles = state["piles"]
    dense = options["ties"] == "dense"
    nothing = options["zero"] == "no points"
    award = crossed_words.award
    points = award(piles, dense, nothing)
    if award(piles, not dense, nothing) != points:
        return say("TIES: DENSE" if dense else "TIES: COMPETITION")
    if award(piles, dense, not nothing) != points:
        return say("NO DISCS: NO POINTS" if nothing else "NO DISCS: BY POSITION")
    return ""
