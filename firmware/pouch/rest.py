"""Care for the panel: after minutes without a press the glass dims, then sleeps or moves, so that nothing burns in."""

from micropython import const

from pouch.ticks import later

_MINUTE_US = const(60_000_000)
_LONG = const(10_000)  # minutes that are as good as for ever


class Rest:
    """due: ticks when `minute` is to be called. dim: is the glass dimmed? shifted: columns by which it is moved."""

    def __init__(self, now):
        self._minutes = 0  # in which no key was pressed
        self.due = later(now, _MINUTE_US)
        self.dim = False
        self.shifted = 0

    def minute(self, app, now):
        """One more minute without a press. Returns whether the glass is to be drawn anew."""
        self.due = later(now, _MINUTE_US)
        self._minutes = min(_LONG, self._minutes + 1)
        screen = app.screen
        sleep = app.settings["sleep"]
        if self._minutes < min(app.settings["dim"], sleep or _LONG):
            return False
        if not self.dim:
            self.dim = True
            app.light()
        if screen.ASLEEP:
            screen.move()
            return True
        if screen.EXACT:
            return False  # it is over in a minute
        if screen.RACE or not sleep:
            # In a race the next press counts: the glass moves, and is not asleep.
            self.shifted ^= 1
            return True
        if self._minutes >= sleep:
            from pouch.screens.sleep import Sleep

            app.show(Sleep(screen))
        return False

    def rouse(self, app):
        """Somebody is there, or something is to be seen. Returns whether the glass is to be drawn anew."""
        self._minutes = 0
        self.due = later(app.now, _MINUTE_US)
        if self.dim:
            self.dim = False
            app.probe_soon()
            app.light()
        shifted = self.shifted
        self.shifted = 0
        return bool(shifted)
