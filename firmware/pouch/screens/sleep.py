"""Asleep: next to no light, and each minute at another place. Every key wakes, and does no more."""

from micropython import const

from pouch.screens import Screen
from pouch.stopwatch import minutes
from pouch.ui.fonts import text as small
from pouch.words import say

_STEP = const(8)
_APART = const(8)  # the score and what wakes
_COLON = const(4)
_MOST_SCORES = const(64)  # columns


class Sleep(Screen):
    """below: the screen that is asleep. While a clock runs, that is what is shown."""

    ASLEEP = True
    HELD = ""

    def __init__(self, below):
        self.below = below
        self._minutes = 0

    def move(self):
        """A minute has passed."""
        self._minutes += 1

    def legend(self, app):
        return ()

    def press(self, app, key, kind, at):
        app.hush()
        app.show(self.below)

    def render(self, canvas, app):
        clock = self._clock(app)
        if clock:
            from pouch.ui.fonts import display_16

            width = canvas.width(display_16, clock)
            canvas.text(display_16, clock, self._along(6, 3, 128 - width), self._down(0, 3, 48))
            return
        from pouch.ui.fonts import display_12

        scores = self._scores(app, canvas, display_12)
        widths = [canvas.width(display_12, score) for score in scores]
        width = canvas.width(small, say("any key"))
        if scores:
            colon = canvas.width(display_12, ":") + 2 * _COLON
            width += sum(widths) + colon * (len(scores) - 1) + _APART
        room = 128 - width
        x = self._along(4, 4, room)
        y = self._down(6, 2, 51)
        for i in range(len(scores)):
            if i:
                x = canvas.text(display_12, ":", x + _COLON, y) + _COLON
            x = canvas.text(display_12, scores[i], x, y)
        canvas.text(small, say("any key"), x + (_APART if scores else 0), y + 6)

    def _scores(self, app, canvas, face):
        """Of the match that goes on, as text; none if there are too many to stand in one line."""
        match = app.match
        if match is None or match.outcome() is not None or not match.journal:
            return []
        scores = [str(score) for score in app.scores()]
        wide = sum([canvas.width(face, score) + 10 for score in scores])
        return scores if wide <= _MOST_SCORES else []

    def _along(self, first, steps, room):
        """The column now: in turns with the row it is eight further each minute, there and back."""
        return _bounce(first, steps + (self._minutes + 1) // 2, room)

    def _down(self, first, steps, room):
        return _bounce(first, steps + self._minutes // 2, room)

    def wake(self, app, now):
        if app.countdown:
            return app.countdown.next_second()
        return self.below.wake(app, now) if app.stopwatch else None

    def _clock(self, app):
        """The clock that runs, as text; "" if none does."""
        if app.countdown and not app.countdown.paused:
            return minutes((app.countdown.left + 999) // 1000)
        # A stopwatch stays when its round is over: it runs if the screen below goes by it.
        if app.stopwatch and not app.stopwatch.paused and self.below.wake(app, app.now) is not None:
            return minutes(app.stopwatch.seconds)
        return ""


def _bounce(first, steps, room):
    """So many steps from `first`, between it and `room`."""
    most = max(1, (room - first) // _STEP)
    at = steps % (2 * most)
    return first + _STEP * min(at, 2 * most - at)
