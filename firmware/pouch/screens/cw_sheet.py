"""The sheet: space by space, player by player, a disc or none."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.cues import DISC, NO_DISC
from pouch.games import crossed_words
from pouch.screens import Screen
from pouch.ui.discs import DISCS
from pouch.ui.fonts import display_12, tiny
from pouch.ui.fonts import text as small
from pouch.words import say

_CELL = const(17)
_NAME_ROOM = const(57)
_PILES = const(56)  # where the piles begin
_PILES_ROOM = const(72)


def answered(app):
    """The screen after an answer: the next one, or the points."""
    if app.match.state["phase"] == crossed_words.POINTS:
        from pouch.screens.cw_points import CwPoints

        return CwPoints(app)
    return CwSheet(app)


class CwSheet(Screen):
    NEXT = ("pouch.screens.cw_points", "pouch.screens.cw_vote")
    HOLDS = 1 << OK

    def __init__(self, app):
        pass

    def legend(self, app):
        return ("#NO", "BACK", "VOTE≡", "#DISC")

    def press(self, app, key, kind, at):
        if key == BACK:
            if app.match.state["sheet"]:
                app.match.do((crossed_words.BACK,))
            else:
                from pouch.screens.cw_stop import CwStop

                app.show(CwStop(app))
        elif key != OK:
            disc = 0 if key == LEFT else 1
            app.match.do((crossed_words.DISC, disc))
            app.play(DISC if disc else NO_DISC)
            app.show(answered(app))
        elif kind == LONG:
            from pouch.screens.menu import RoundMenu

            app.show(RoundMenu(app, self))
        else:
            from pouch.screens.cw_vote import CwVote

            app.show(CwVote(app))

    def render(self, canvas, app):
        state = app.match.state
        sheet = state["sheet"]
        count = len(app.match.players)
        space = len(sheet) // count
        player = len(sheet) % count
        self._spaces(canvas, sheet, count, space, player)
        canvas.text(small, say("SPACE {}").format(space + 1), 57, 1)
        vote = state["vote"]
        canvas.right(small, say("refused" if vote and vote[:2] == (space, player) else "of 9"), 127, 1)
        canvas.draw(DISCS[player], 57, 12)
        name = app.match.players[player]
        if canvas.width(display_12, name) <= _NAME_ROOM:
            canvas.text(display_12, name, 70, 11)
        else:
            canvas.text(small, name, 70, 14)
        # What a correction of totals left behind is no sheet.
        piles = crossed_words.piles(state) if sheet else (0,) * count
        pitch = _PILES_ROOM // count
        for other in range(count):
            x = _PILES + pitch * other + (pitch - 11) // 2
            chosen = other == player
            if chosen:
                canvas.plate(x, 29, 11, 24)
            canvas.text(tiny, str(other + 1), x + 4, 31, 0 if chosen else 1)
            canvas.centred(display_12, str(piles[other]), x, x + 11, 39, 0 if chosen else 1)
        canvas.seam()

    def _spaces(self, canvas, sheet, count, space, player):
        """The nine spaces as they lie on the table, the asked one filled."""
        for line in range(0, 52, _CELL):
            canvas.fill(line, 1, 1, 52)
            canvas.fill(0, line + 1, 52, 1)
        canvas.fill(1 + _CELL * (space % 3), 2 + _CELL * (space // 3), 16, 16)
        for at in range(len(sheet)):
            self._answer(canvas, at // count, at % count, count, sheet[at], 0 if at // count == space else 1)
        self._answer(canvas, space, player, count, 1, 0)
        x, y = _place(space, player, count)
        canvas.fill(x + 1, y + 1, 2, 2)
        for later in range(space + 1, crossed_words.SPACES):
            canvas.text(small, str(later + 1), 7 + _CELL * (later % 3), 7 + _CELL * (later // 3))

    def _answer(self, canvas, space, player, count, disc, color):
        x, y = _place(space, player, count)
        if disc:
            canvas.fill(x, y, 4, 4, color)
        else:
            canvas.fill(x + 1, y + 1, 2, 2, color)


def _place(space, player, count):
    """Where a player's answer stands in a space: three in a row."""
    x = 2 + _CELL * (space % 3) + 5 * (player % 3)
    y = 5 + _CELL * (space // 3) + (3 if count == 3 else 6 * (player // 3))
    return x, y
