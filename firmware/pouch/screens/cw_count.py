"""One Crossed Words ... five Crossed Words! Five beats and the moment to stop writing, exact to the millisecond."""

import gc

from micropython import const

from pouch.app import BACK
from pouch.cues import BEAT, CANCELLED, LAST_BEAT, STOP
from pouch.games import crossed_words
from pouch.screens import Screen
from pouch.ticks import later, since
from pouch.ui.discs import DISCS, RINGS
from pouch.ui.fonts import display_12, display_64
from pouch.words import say

_BEATS = const(5)
_STEPS = const(16)  # of the bar, in a beat
_BAR = const(66)  # columns of it
_QUIET_US = const(150_000)
_EARLY_US = const(8_000)  # a press just before a beat, and the frame after it, take a slow chip 7 ms
_SLAM_US = const(80_000)  # what goes down so soon after the key that began the count belongs to the same hand
_NUMERALS = ("1", "2", "3", "4", "5")


class CwCount(Screen):
    """at: when the key went down that began the count. start: when the first tone did."""

    EXACT = True
    RACE = True
    LOW = 85

    def __init__(self, app, at, start):
        self._pressed = at
        # The first tone is the beat that everybody hears: the others are counted from it, not from the key.
        self._start = start
        self._ms = crossed_words.beats(app.match.state)
        self._beat = 0
        self._left = _STEPS
        self._shown = -1  # the beat on the glass

    def legend(self, app):
        return ("", "CANCEL", "", "")

    def press(self, app, key, kind, at):
        if key == BACK and since(at, self._pressed) >= _SLAM_US:
            from pouch.screens.cw_open import CwOpen

            app.match.do((crossed_words.CANCEL,))
            app.play(CANCELLED)
            app.show(CwOpen(app))

    def render(self, canvas, app):
        beat = self._beat
        for i in range(_BEATS):
            discs = DISCS if i <= beat else RINGS
            canvas.draw(discs[i], 1 + 14 * i, 1)
        canvas.text(display_12, say("CROSSED"), 1, 16)
        canvas.text(display_12, say("WORDS"), 1, 31)
        self._bar(canvas)
        canvas.text(display_64, _NUMERALS[beat], self.LOW, 0)
        self._shown = beat

    def update(self, canvas, app):
        if self._beat != self._shown:
            return False
        self._bar(canvas)
        return True

    def _bar(self, canvas):
        canvas.plate(0, 48, 68, 4)
        left = 1 + (_BAR * self._left + _STEPS // 2) // _STEPS
        canvas.fill(left, 49, 67 - left, 2, 0)

    def wake(self, app, now):
        due = later(self._start, self._us(self._beat) + self._step_us() * (_STEPS + 1 - self._left))
        return later(due, -_EARLY_US) if self._left == 1 else due

    def tick(self, app, now):
        elapsed = since(now, self._start)
        beat = self._beat
        while beat < _BEATS and elapsed >= self._us(beat + 1) - _EARLY_US:
            beat += 1
        if beat != self._beat:
            due = later(self._start, self._us(beat))
            clock = app.device.now
            while since(clock(), due) < 0:
                pass
            app.play(BEAT if beat < _BEATS - 1 else LAST_BEAT if beat < _BEATS else STOP)
            elapsed = max(elapsed, self._us(beat))
        if beat == _BEATS:
            from pouch.screens.cw_stop import stop

            stop(app)
            return
        if not beat and self._left == _STEPS:
            # Nothing is due for long: now, so that no collection comes by itself just before a beat.
            gc.collect()
        self._beat = beat
        self._left = _STEPS - (elapsed - self._us(beat)) // self._step_us()

    def quiet(self, app, now):
        return since(later(self._start, self._us(self._beat + 1)), now) <= _QUIET_US

    def _us(self, beat):
        """From the start to a beat; after the last one comes the moment to stop."""
        return self._ms[beat] * 1000

    def _step_us(self):
        return (self._us(self._beat + 1) - self._us(self._beat)) // _STEPS
