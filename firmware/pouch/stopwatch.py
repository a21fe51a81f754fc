"""A stopwatch that outlives its screen. Pure: times are ticks in microseconds that wrap at 2**30."""

from micropython import const

_SECOND = const(1_000_000)
_HALF = const(1 << 29)
_MASK = const((1 << 30) - 1)


class Stopwatch:
    """Starts at `now`. `advance` it at least every few minutes while it runs: a second then moves on from the one
    before, so that it is exact to the tick across every wrap."""

    def __init__(self, now):
        self.seconds = 0  # whole ones, as of the last `advance`
        self._second = now  # when the current one began; while paused, how far it had come
        self.paused = False

    def advance(self, now):
        """Bring `seconds` up to `now`."""
        if not self.paused:
            while ((now - self._second + _HALF) & _MASK) - _HALF >= _SECOND:
                self._second = (self._second + _SECOND) & _MASK
                self.seconds += 1

    def at(self, time):
        """Whole seconds at a moment that may lie a little before or after the last `advance`."""
        if self.paused:
            return self.seconds
        return max(0, self.seconds + (((time - self._second + _HALF) & _MASK) - _HALF) // _SECOND)

    def next_second(self):
        """Ticks when `seconds` changes, None while paused."""
        return None if self.paused else (self._second + _SECOND) & _MASK

    def pause(self, now):
        if not self.paused:
            self.advance(now)
            self._second = (now - self._second) & _MASK
            self.paused = True

    def resume(self, now):
        if self.paused:
            self._second = (now - self._second) & _MASK
            self.paused = False
