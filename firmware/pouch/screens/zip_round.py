"""A running round of ZIP-IT: GO!, the stopwatch, and the two ZIP! keys."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.cues import ZIP
from pouch.screens import Screen, of
from pouch.ticks import later, since
from pouch.ui import clock, zip_board
from pouch.ui.fonts import display_16, display_48
from pouch.words import say

_GO_US = const(600_000)
_EARLY_US = const(300_000)


class ZipRound(Screen):
    """started: ticks of GO!, which fills the glass for a moment; None: the round was left and goes on."""

    RACE = True
    HOLDS = 1 << OK

    def __init__(self, app, started=None):
        self._shouting = started is not None
        self._began = app.now
        self._early = True  # has the round only just been begun, or gone on with?
        self._board = False  # is the board what the frame before showed?
        self._shout = later(started, _GO_US) if self._shouting else 0

    def legend(self, app):
        return ("#ZIP!", "", "HOLD≡", "#ZIP!") if not self._shouting else ()

    def press(self, app, key, kind, at):
        self._shouting = self._early = False
        if key == OK:
            if kind == LONG:
                from pouch.screens.menu import RoundMenu

                app.show(RoundMenu(app, self))
        elif key == BACK:
            app.refuse()
        else:
            from pouch.screens.zip_call import ZipCall

            player = zip_board.side(app.canvas, 0 if key == LEFT else 1)
            app.play(ZIP[player])
            app.countdown = None  # in time
            app.show(ZipCall(app, player, at))

    def render(self, canvas, app):
        self._board = not self._shouting
        if self._shouting:
            canvas.clear(1)
            canvas.centred(display_48, say("GO!"), 0, 128, 8, 0)
            return
        zip_board.scores(canvas, app.match.state)
        self._clock(canvas, app)

    def update(self, canvas, app):
        if self._shouting or not self._board:
            return False
        canvas.fill(20, 36, 88, 16, 0)
        self._clock(canvas, app)
        return True

    def _clock(self, canvas, app):
        clock.draw(canvas, display_16, of(app).clock(app), 0, 128, 36)

    def quiet(self, app, now):
        """What GO! or GO ON has begun is written at once: nobody calls ZIP! in the first moments."""
        return not self._shouting and not (self._early and since(now, self._began) < _EARLY_US)

    def wake(self, app, now):
        return self._shout if self._shouting else (app.countdown or app.stopwatch).next_second()

    def tick(self, app, now):
        self._early = False  # by its time alone it would come again with the ticks
        if self._shouting and since(now, self._shout) >= 0:
            self._shouting = False
