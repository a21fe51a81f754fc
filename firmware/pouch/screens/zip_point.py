"""What the grid was worth: the point, or the wrong grid; the slider climbs to the new score."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.cues import CANCELLED, POINT, WRONG
from pouch.games import zip_it
from pouch.screens import PLAYED, Screen
from pouch.screens.zip_ready import ZipReady, go, redo, undo
from pouch.ticks import later, since
from pouch.ui import zip_board, zipper
from pouch.ui.fonts import display_12, icons
from pouch.words import say

_FRAME_US = const(60_000)
_FRAMES = const(4)


def scored(app, answer):
    """The answer to the grid question: the action (zip_it.GOOD, bonuses ...) or (zip_it.WRONG,)."""
    before = app.match.state
    app.match.do(answer)
    if app.match.outcome() is not None:
        from pouch.screens.zip_win import ZipWin

        app.show(ZipWin(app, moving=True))
        return
    app.play(POINT if answer[0] == zip_it.GOOD else WRONG)
    app.show(ZipPoint(app, before=before))


def void(app):
    """Nobody scores."""
    app.match.do((zip_it.VOID,))
    app.play(CANCELLED)
    app.show(ZipReady(app))


class ZipPoint(Screen):
    """before: the state before the point, from which the slider climbs; still: no motion."""

    NEXT = PLAYED["zip_it"]
    HOLDS = 1 << OK

    def __init__(self, app, before=None, still=False):
        state = app.match.state
        target = state["target"]
        self._to = [zipper.mouth(score, target) for score in state["scores"]]
        self._from = self._to if before is None else [zipper.mouth(score, target) for score in before["scores"]]
        rows = max([abs(self._to[player] - self._from[player]) for player in (0, 1)])
        # A long climb takes two rows a frame, so that it can be seen.
        self._frames = max(_FRAMES, (rows + 1) // 2)
        self._start = app.now
        self._frame = self._frames if still or before is None else 0

    def legend(self, app):
        return ("REDO" if app.match.can_redo else "", "UNDO", "#GO!≡", "")

    def press(self, app, key, kind, at):
        self._frame = self._frames
        if key == LEFT:
            redo(app)
        elif key == BACK:
            undo(app)
        elif kind == LONG:
            from pouch.screens.menu import Menu

            app.show(Menu(app, self))
        else:
            go(app, at)

    def _row(self, player):
        """Where a zipper's mouth is."""
        return self._from[player] + (self._to[player] - self._from[player]) * self._frame // self._frames

    def update(self, canvas, app):
        for player in (0, 1):
            if self._from[player] != self._to[player]:
                left = 0 if player == 0 else zip_board.RIGHT_EDGE
                canvas.fill(left, 0, 17, 54, 0)
                zipper.draw(canvas, left, 0, self._row(player), player)
        return True

    def render(self, canvas, app):
        state = app.match.state
        zip_board.scores(canvas, state, (self._row(0), self._row(1)))
        scorer, points, good = state["last"]
        players = app.match.players
        if good:
            value = f"+{points}"
            width = canvas.width(zip_board.small, players[scorer]) + 6 + 4 + canvas.width(display_12, value)
            x = zip_board.plate(canvas, players[scorer], 64 - width // 2, 37)
            canvas.text(display_12, value, x + 4, 36)
            return
        wrong = say("{}: wrong grid").format(players[1 - scorer])
        if 13 + canvas.width(zip_board.small, wrong) > zip_board.ROOM:
            wrong = say("wrong grid")  # who gets the point stands below
        width = 9 + 4 + canvas.width(zip_board.small, wrong)
        x = 64 - (width + 1) // 2
        canvas.draw(icons.GLYPHS["cross_small"], x, 35)
        canvas.text(zip_board.small, wrong, x + 13, 38)
        zip_board.caption(canvas, f"{players[scorer]} +{points}")

    def wake(self, app, now):
        return None if self._frame == self._frames else later(self._start, (self._frame + 1) * _FRAME_US)

    def tick(self, app, now):
        frame = min(self._frames, since(now, self._start) // _FRAME_US)
        if frame != self._frame and self._frame and app.match.state["last"][2]:
            app.play(POINT)
        self._frame = frame
