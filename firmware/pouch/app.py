"""The app: one plain step loop around presses, the screen that is shown, sound and the panel.

`step` does bounded work and returns the next deadline; between steps the device sleeps. A screen turns a press into
an action or into navigation, and draws from the state; it never draws while it handles a press.
"""

import gc

from micropython import const

from pouch.games import END, Illegal
from pouch.hal.board import ROLES
from pouch.hal.piezo import LOUD, QUIET
from pouch.presses import DOWN, LONG, REPEAT, SHORT, Presses
from pouch.sound import NOTICE, REFUSE, Sound
from pouch.ticks import later, since
from pouch.ui import legend
from pouch.ui.canvas import Canvas

LEFT = const(0)
BACK = const(1)
OK = const(2)
RIGHT = const(3)

_PROBE_US = const(500_000)  # how often an awake device looks whether the panel is still there
_QUIET_US = const(100_000)  # a collection takes 20 ms and more: only if nothing is due for longer
_MOST_FRAMES = const(64)  # of garbage, about a third of a Pico's free heap
_STUCK = "STUCK"
_RETRY_US = const(100_000)  # and how often while it is not

# The app that runs, for the inspector and for whoever looks in from the REPL.
running = None


class App:
    """device: the hardware (pouch.hal.device.Device). home: the class of the first screen, with the modules that
    are needed after it in NEXT."""

    def __init__(self, device, home):
        self.device = device
        self.canvas = Canvas(device.oled, device.oled.pixels)
        self.presses = Presses(len(ROLES), device.press_us, device.release_us)
        self.sound = Sound(device.piezo, device.led, (LOUD, QUIET))
        self.match = None
        self.stopwatch = None  # of the running round
        self.names = ("RED", "BLUE")
        self.now = device.now()
        self._probe_at = later(self.now, _PROBE_US)
        self._drawn = False
        self._wake = None
        self._home = home
        self.screen = None
        self._stuck = 0
        self._frames = 0  # drawn since the last collection
        self._preload = list(reversed(home.NEXT))
        device.keys.listen()
        self.presses.start(device.keys.mask(), self.now)
        self.show(home(self))

    # -- for screens -----------------------------------------------------------------------------

    def show(self, screen):
        """Go to another screen. A key that is still held has done its work."""
        self.screen = screen
        self.presses.spend()
        self.presses.repeat = screen.REPEATS
        self._drawn = False

    def begin(self, game, players, options=None):
        """A new match. One that is running ends here: its scores decide."""
        from pouch.match import Match

        old = self.match
        if old and old.journal and old.outcome() is None:
            old.do((END,))
        self.match = Match(game, players, options)
        self.stopwatch = None

    def go_home(self):
        self.show(self._home(self))

    def play(self, cue):
        self.sound.play(cue, self.now)

    def refuse(self):
        """The key is dead here, or the rules say no: a low cue, and nothing changes."""
        self.play(REFUSE)

    # -- the loop --------------------------------------------------------------------------------

    def step(self):
        """Handle what has happened since the last step. Returns the next deadline in ticks, None: only an edge."""
        device = self.device
        presses = self.presses
        now = self.now = device.keys.drain(presses)
        while True:
            kind = presses.take()
            if not kind:
                break
            self._press(kind, presses.key, presses.at)
        if presses.stuck != self._stuck:
            self._name_stuck(presses.stuck)
        if self.stopwatch:
            self.stopwatch.advance(now)
        screen = self.screen
        wake = self._wake
        if self._drawn and wake is not None and since(now, wake) >= 0:
            screen.tick(self, now)
            screen = self.screen
            self._drawn = False
        if since(now, self._probe_at) >= 0:
            self._probe()
        if not self._drawn:
            self._draw(screen)
        if self.sound.playing:
            self.sound.step(now)
        return self._deadline(now)

    def _press(self, kind, key, at):
        screen = self.screen
        bit = 1 << key
        if kind == DOWN:
            if screen.HOLDS & bit:
                return
        elif kind == REPEAT:
            if not screen.REPEATS & bit:
                return
        elif not screen.HOLDS & bit:
            return
        self._drawn = False
        labels = screen.legend(self)
        if legend.dead(labels, key):
            self.refuse()
            return
        try:
            screen.press(self, key, kind, at)
        except Illegal:
            self.refuse()

    def _name_stuck(self, stuck):
        """A key that does not behave is named above itself; the others go on working."""
        if stuck & ~self._stuck:
            self.play(NOTICE)
        self._stuck = stuck
        self._drawn = False

    def _draw(self, screen):
        canvas = self.canvas
        oled = self.device.oled
        canvas.clear()
        screen.render(canvas, self)
        labels = screen.legend(self)
        if self._stuck:
            labels = tuple([_STUCK if self._stuck >> key & 1 else labels[key] for key in range(len(labels))])
        if labels:
            legend.draw(canvas, labels)
        oled.show()
        self._drawn = True
        self._frames += 1
        self._wake = screen.wake(self, self.now)
        if oled.lost:
            self._probe_at = later(self.now, _RETRY_US)

    def _probe(self):
        oled = self.device.oled
        if oled.probe():
            self._drawn = False
        self._probe_at = later(self.now, _RETRY_US if oled.lost else _PROBE_US)

    def _deadline(self, now):
        wait = since(self._probe_at, now)
        if self._wake is not None:
            wait = min(wait, since(self._wake, now))
        if self.sound.playing:
            wait = min(wait, since(self.sound.due, now))
        keys = self.presses.wait_us(now)
        if keys is not None and keys < wait:
            wait = keys
        if wait > _QUIET_US and self._idle():
            return now
        return later(now, max(0, wait))

    def _idle(self):
        """Do a piece of work that nobody waits for, some 30 ms, while nothing is due and no key moves. Any more?"""
        if self._preload:
            # A screen that is imported when it is first needed comes 30 to 100 ms late.
            __import__(self._preload.pop())
            return True
        if self._frames >= _MOST_FRAMES:
            # Now: a collection that comes by itself comes in a race.
            self._frames = 0
            gc.collect()
        return False

    def run(self):
        """Until the power goes."""
        global running
        running = self
        gc.collect()
        wait = self.device.waiter.wait
        try:
            while True:
                wait(self.step(), self.screen.EXACT)
        finally:
            self.device.silence()

    # -- what the inspector and the scenarios ask ------------------------------------------------

    def scores(self):
        """The scores of the match, player by player; [] if there is none."""
        if self.match is None:
            return []
        scores = [0] * len(self.match.players)
        for player, score, _ in self.match.standings():
            scores[player] = score
        return scores

    def winner(self):
        """The winner's name, "A and B" if they share it, "none" before the end."""
        winners = self.match.outcome() if self.match else None
        if not winners:
            return "none"
        return " and ".join([self.match.players[player] for player in winners])


__all__ = ["BACK", "DOWN", "LEFT", "LONG", "OK", "REPEAT", "RIGHT", "SHORT", "App", "running"]
