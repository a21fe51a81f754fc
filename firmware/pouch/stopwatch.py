"""A stopwatch that outlives its screen. Pure: times are ticks in microseconds that wrap at 2**30."""

from micropython import const

from pouch.ticks import later, since

_SECOND = const(1_000_000)


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
            while since(now, self._second) >= _SECOND:
                self._second = later(self._second, _SECOND)
                self.seconds += 1

    def at(self, time):
        """Whole seconds at a moment that may lie a little before or after the last `advance`."""
        if self.paused:
            return self.seconds
        return max(0, self.seconds + since(time, self._second) // _SECOND)

    def next_second(self):
        """Ticks when `seconds` changes, None while paused."""
        return None if self.paused else later(self._second, _SECOND)

    def pause(self, now):
        if not self.paused:
            self.advance(now)
            self._second = since(now, self._second)
            self.paused = True

    def resume(self, now):
        if self.paused:
            self._second = later(now, -self._second)
            self.paused = False


def minutes(seconds):
    """125 as "2:05"; from 100 minutes on "99:59" stands."""
    if seconds >= 6000:
        seconds = 5999
    return "%d:%02d" % (seconds // 60, seconds % 60)
