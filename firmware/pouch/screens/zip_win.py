"""ZIP-IT!: the winner, and the zipper closes across the glass."""

from micropython import const

from pouch.cues import PULL_BACK, WIN
from pouch.screens.result import Result
from pouch.screens.zip_ready import ZipReady
from pouch.ticks import later, since
from pouch.ui import lying_zipper, verdict, zip_board, zipper
from pouch.ui.fonts import display_24
from pouch.words import say

_FRAME_US = const(50_000)
_FRAMES = const(8)


class ZipWin(Result):
    def __init__(self, app, moving=False):
        self._start = app.now
        self._frame = 0 if moving else _FRAMES
        if moving:
            app.play(WIN)

    def press(self, app, key, kind, at):
        self._frame = _FRAMES
        super().press(app, key, kind, at)

    def again(self, app):
        """A new match of the same two; the zippers pull back to zero."""
        old = app.match.state
        app.begin(app.match.game, app.match.players, app.match.options)
        app.play(PULL_BACK)
        app.show(PullBack(app, old))

    def render(self, canvas, app):
        match = app.match
        state = match.state
        # Only who got there calls it: the table may have ended the match before.
        there = max(state["scores"]) >= state["target"]
        canvas.centred(display_24, say("ZIP-IT!" if there else "THE END"), 0, 128, 0)
        lying_zipper.draw(canvas, 26, 16 * self._frame - 16 if self._frame < _FRAMES else 116)
        if self._frame == _FRAMES:
            winners = match.outcome()
            scores = state["scores"]
            score = f"{scores[winners[0]]} : {scores[1 - winners[0]]}"
            verdict.draw(canvas, 39, match.players, winners, score)
        canvas.seam()

    def wake(self, app, now):
        return None if self._frame == _FRAMES else later(self._start, (self._frame + 1) * _FRAME_US)

    def tick(self, app, now):
        self._frame = min(_FRAMES, since(now, self._start) // _FRAME_US)


class PullBack(ZipReady):
    """The first board of the next match, its zippers still on their way down: 8 rows a frame."""

    def __init__(self, app, old):
        super().__init__(app)
        self._start = app.now
        self._from = [zipper.mouth(score, old["target"]) for score in old["scores"]]
        self._frame = 0

    def press(self, app, key, kind, at):
        self._frame = _FRAMES
        super().press(app, key, kind, at)

    def render(self, canvas, app):
        super().render(canvas, app)
        if self._frame < _FRAMES:
            bottom = zipper.mouth(0, 1)
            for player in (0, 1):
                row = min(bottom, self._from[player] + 8 * self._frame)
                zipper.draw(canvas, 111 * zip_board.side(canvas, player), 0, row, player)

    def wake(self, app, now):
        return None if self._frame == _FRAMES else later(self._start, (self._frame + 1) * _FRAME_US)

    def tick(self, app, now):
        self._frame = min(_FRAMES, since(now, self._start) // _FRAME_US)
