"""A countdown that outlives its screen. Pure: times are ticks in microseconds that wrap at 2**30."""

from micropython import const

from pouch.ticks import later, since

_MS = const(1000)
_MOST = const(5_999_000)  # 99:59, what the glass can show


class Countdown:
    """Runs from `ms` (up to 5,999,000) down to 0. `advance` it at least every few minutes while it runs.

    What is left is computed from the clock, never counted: a late look makes it late, never long.
    left: ms to go, rounded up, as of the last `advance`. told: the second that was told last, for whoever tells each.
    """

    def __init__(self, ms, now, paused=False):
        self.left = ms
        self.paused = paused
        self.told = (ms + 999) // 1000
        self._at = 0 if paused else now  # when `left` was right; while paused, what had gone of the next millisecond

    def advance(self, now):
        """Bring `left` up to `now`, which may lie a little before the last time: a press tells of the past."""
        if self.paused:
            return
        if self.left:
            gone = min(since(now, self._at) // _MS, self.left)
            self.left -= gone
            self._at = later(self._at, gone * _MS)
        else:
            # What is added after the end runs from then on.
            self._at = now

    @property
    def over(self):
        return self.left == 0

    def pause(self, now):
        if not self.paused:
            self.advance(now)
            self._at = since(now, self._at)
            self.paused = True

    def resume(self, now):
        if self.paused:
            self._at = later(now, -self._at)
            self.paused = False

    def add(self, ms):
        """Give more time, running or paused; never above what the glass can show."""
        self.left = min(_MOST, self.left + ms)

    def next_second(self):
        """Ticks when the second that the glass shows changes, or the end; None while it does not run.

        4.2 s show as 5 until 4.0 are left.
        """
        if self.paused or not self.left:
            return None
        return later(self._at, ((self.left - 1) % 1000 + 1) * _MS)
