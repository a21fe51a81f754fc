"""Cues: short tunes on the piezo, with the LED lit as long as one sounds. Times are computed, never counted down."""

from micropython import const

from pouch.ticks import later, since

LOUD = const(0)
QUIET = const(1)
OFF = const(2)


# (Hz, ms) each; 0 Hz is a rest. docs/look.md, "Sound". Those of the games: pouch.cues.
PRESS = ((2000, 12),)
REFUSE = ((220, 60),)
NOTICE = ((440, 100), (0, 80), (440, 100))


class Sound:
    """Plays one cue at a time; a new one cuts the old one short."""

    def __init__(self, piezo, led, duties):
        self._piezo = piezo
        self._led = led
        self._duties = duties  # of LOUD and QUIET
        self._rhythm = piezo.rhythm  # of a cue, for what has one pitch only; None: it plays them as they are
        self.volume = LOUD
        self._mute = False
        self._cue = None
        self._next = 0
        self.due = 0  # ticks of the next change, while `playing`

    @property
    def playing(self):
        return self._cue is not None

    def play(self, cue, now, mute=False):
        """mute: by the LED alone."""
        self._mute = mute
        self._cue = self._rhythm(cue) if self._rhythm else cue
        self._next = 0
        self.due = now
        self.step(now)

    def step(self, now):
        """Bring the piezo up to `now`. Late steps shorten a tone, they never shift the ones after it."""
        cue = self._cue
        if cue is None:
            return
        while since(now, self.due) >= 0:
            if self._next == len(cue):
                self.stop()
                return
            frequency, ms = cue[self._next]
            self._next += 1
            self.due = later(self.due, ms * 1000)
            if self._mute or self.volume == OFF or not frequency:
                self._piezo.silence()
            else:
                self._piezo.tone(frequency, self._duties[self.volume])
            self._led.set(1 if frequency else 0)

    def stop(self):
        self._cue = None
        self._piezo.silence()
        self._led.set(0)
