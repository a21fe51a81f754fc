"""A shout fills the glass, and blinks three times by the panel's own invert command."""

from micropython import const

from pouch.screens import Screen
from pouch.ticks import later, since

_BLINK_US = const(200_000)
_CHANGES = const(6)


class Shout(Screen):
    """blinking: now; else it stands still, as the table has heard it already."""

    HOLDS = 1 << 2

    def __init__(self, app, blinking=False):
        self._start = app.now
        self._change = 0 if blinking else _CHANGES
        self.RACE = blinking  # a notice over it would blink too, and stay inverted

    def press(self, app, key, kind, at):
        """What a press of any key does first."""
        if self._change < _CHANGES:
            self._blink(app, _CHANGES)

    def wake(self, app, now):
        return None if self._change == _CHANGES else later(self._start, (self._change + 1) * _BLINK_US)

    def tick(self, app, now):
        self._blink(app, min(_CHANGES, since(now, self._start) // _BLINK_US))

    def quiet(self, app, now):
        return False

    def _blink(self, app, change):
        self._change = change
        self.RACE = change < _CHANGES
        app.device.oled.invert(change & 1)
