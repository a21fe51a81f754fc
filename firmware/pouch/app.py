"""The app: one plain step loop around presses, the screen that is shown, sound and the panel.

`step` does bounded work and returns the next deadline; between steps the device sleeps. A screen turns a press into
an action or into navigation, and draws from the state; it never draws while it handles a press.
"""

import gc
from sys import modules

from micropython import const

from pouch import forget, settings
from pouch.games import END, Illegal
from pouch.hal.piezo import LOUD, QUIET
from pouch.presses import DOWN, LONG, REPEAT, SHORT, Presses
from pouch.rest import Rest
from pouch.screens import interrupted
from pouch.settings import own
from pouch.sound import LOUD as LOUD_SOUND
from pouch.sound import NOTICE, OFF, PRESS, REFUSE, Sound
from pouch.sound import QUIET as QUIET_SOUND
from pouch.ticks import later, since
from pouch.ui import legend
from pouch.ui.canvas import Canvas
from pouch.words import ENGLISH, say

LEFT = const(0)
BACK = const(1)
OK = const(2)
RIGHT = const(3)
_KEYS = const(4)

_PROBE_US = const(500_000)  # how often an awake device looks whether the panel is still there
_QUIET_US = const(100_000)  # a collection takes 20 ms and more: only if nothing is due for longer
_MOST_LITTER = const(40)  # about a third of a Pico's free heap
_WHOLE = const(4)  # what a whole frame leaves of it, 1 kB each
_STUCK = "STUCK"
_GROWS_US = const(250_000)  # from then on the tab over a held OK grows
_GROWTH_US = const(68_750)  # in eight steps, until it is a LONG
_STEADY_US = const(10_000_000)  # who runs so long has not tripped at the start
_SAVE_US = const(100_000)  # after a press what it changed is written, even if something moves on the glass
_SAVE_AGAIN_US = const(5_000_000)  # when there was no room
_FRAME_US = const(30_000)  # nothing is drawn that would make an exact deadline late
_ASLEEP_US = const(10_000_000)  # and one that is asleep
_RETRY_US = const(100_000)  # and how often while it is not
_FED_US = const(4_000_000)  # a watchdog that nobody feeds for 8 s restarts the device
_PLAYED_S = const(60)  # of a match's duration so much may be lost with the power
_RESTS_US = const(150_000)  # the flash rests so long before a second of a countdown is over


def _fit_duration(value):
    order, seconds = value
    return int(order), int(seconds)


# The app that runs, for the inspector and for whoever looks in from the REPL.
running = None


class App:
    """device: the hardware (pouch.hal.device.Device). home: the class of the first screen, with the modules that
    are needed after it in NEXT. store: what is kept (pouch.store.Store); the match in it goes on."""

    def __init__(self, device, home, store):
        self.device = device
        self.canvas = Canvas(device.oled, device.oled.pixels)
        self.turned = 0  # 1: the glass is for who sits opposite
        self.presses = Presses(_KEYS, device.press_us, device.release_us)
        self.sound = Sound(device.piezo, device.led, (LOUD, QUIET))
        self.store = store
        self.match = None
        self._last = None  # who played before: see `table`
        self._own = {}  # what was set on the device when the last match began: see `options`
        self.stopwatch = None  # of the running round
        self.played = None  # a stopwatch: how long the match has been on the table
        self._played = 0  # of its seconds what is kept
        self.countdown = None  # of the timer, or of a turn or round with a limit (pouch.limit)
        self.timed = 0  # and the number of that turn or round
        self.now = device.now()
        self._probe_at = later(self.now, _PROBE_US)
        self._drawn = False
        self._ticked = False  # has nothing but the screen's own clock moved since the last frame?
        self._wake = None
        self._home = home
        self.screen = None
        self._stuck = 0
        self._litter = 0  # on the heap since the last collection
        self._crowded = False  # have modules come since then?
        self._growth = 0  # of the tab over OK while it is held, 0..8
        self._preload = []  # modules, the last one next
        self._names = 0  # lists of names that are known, -1: all there are
        self._save_at = None  # when what must be written is written at the latest, None: there is nothing
        self._filed = -1  # entries of the match's journal when it was last filed
        self._over = False  # was it at its end then?
        self._steady_at = later(self.now, _STEADY_US)
        self._heard = False  # has the press a cue of its own?
        self._rest = Rest(self.now)
        self.full = False  # there is no room for what must be written
        self._tell = False  # and nobody knows yet
        self.beacon = None  # says what the glass can't
        self.power_cut = self._load()
        device.keys.listen()
        self.presses.start(device.keys.mask(), self.now)
        self.go_home()

    # -- for screens -----------------------------------------------------------------------------

    def show(self, screen):
        """Go to another screen. A key that is still held has done its work."""
        self.screen = screen
        if not screen.ASLEEP:
            self._rest.rouse(self)
        self.presses.spend()
        self.presses.repeat = self.keys(screen.REPEATS)
        # Not at power-on, when nothing is there that could go.
        self.preload(screen.NEXT, screen.OWNER if "pouch.modules" in modules else None)
        self._drawn = False
        self._wake = None

    def turn(self):
        """Turn the glass for who sits opposite, or back; it stays so until the power goes."""
        self.turned ^= 1
        self.canvas.turned = self.turned
        self.device.oled.turn(self.turned)
        self.presses.spend()
        self.presses.repeat = self.keys(self.screen.REPEATS)
        self._drawn = False

    def begin(self, game, players, options=None):
        """A new match. One that is running ends here: its scores decide."""
        from pouch.match import Match

        old = self.match
        if old and old.journal:
            if old.outcome() is None:
                old.do((END,))
            self._file()  # the last press may have won it, and be not written yet
        order, log = self.store.begin()
        self.match = Match(game, players, options, order, log)
        self._own = own(self.settings, game)
        self.stopwatch = self.countdown = None
        self._play_time(0)
        if old and old.game is not game:
            from pouch.modules import release

            release((game.KEY,))
        self._filed = -1

    def table(self):
        """Who plays or played last, as the same table wants it once more; None if nobody has played.

        (key of the game, players, options, the ms that a timer was set to or None)
        """
        match = self.match
        if match is None:
            return self._last
        return (match.game.KEY, match.players, match.options, match.state.get("whole"))

    def options(self, game):
        """With which options a new match of this game begins: the table's last, but for what was set on the device
        since. {key: value}, what is not there is as in the box."""
        now = own(self.settings, game)
        table = self.table()
        if not table or table[0] != game.KEY:
            return now
        options = dict(table[2])
        for key, _, _, default, _ in game.OPTIONS:
            if now.get(key, default) != self._own.get(key, default):
                options[key] = now.get(key, default)
        return options

    def know_table(self, players):
        """Those who played last have other names."""
        key, _, options, whole = self._last
        self._last = (key, players, options, whole)

    def preload(self, names, game=None):
        """Import these modules, in their order, while nothing else is to be done.

        game: the key of the one that they belong to; the other games' modules go, but for a running match's.
        """
        if game:
            from pouch.modules import release

            keep = [game]
            if self.match and self.match.outcome() is None:
                keep.append(self.match.game.KEY)
            release(keep)
        self._preload = [name for name in reversed(names) if name not in modules]

    def go_home(self):
        self._part()
        self.show(self._home(self))
        if self.played:
            self.played.pause(self.now)

    def play(self, cue):
        self._heard = True
        self.sound.play(cue, self.now)

    def hush(self):
        """This press makes no sound."""
        self._heard = True

    def keep_clock(self, value, paused):
        """What a clock of this round stands at, for a power cut: a whole number, and whether it was paused."""
        # By how much has been done: after an undo the same round begins once more, with a clock of its own.
        self.store.keep(self.match.order, self.match.mark, value, paused)

    def pause_clock(self):
        """Stop the clocks of what is played, if it has any, where they stand."""
        if self.countdown:
            self.countdown.pause(self.now)
        if self.stopwatch:
            self.stopwatch.pause(self.now)
            self.keep_clock(self.stopwatch.seconds, True)
        elif self.countdown:
            self.keep_clock(self.countdown.left, True)

    def resume_clock(self):
        """Let them go on: from now on a power cut is one in a running round again, and the match is on the table."""
        self.played.resume(self.now)
        if self.countdown:
            self.countdown.resume(self.now)
        if self.stopwatch:
            self.stopwatch.resume(self.now)
            self.keep_clock(self.stopwatch.seconds, False)
        elif self.countdown:
            self.keep_clock(self.countdown.left, False)

    def kept_clock(self):
        """(value, paused) that `keep_clock` was last given in this round, (0, False) if it was not."""
        return self.store.clock(self.match.order, self.match.mark) or (0, False)

    def change(self, key, value):
        """Set something on the device, and keep it."""
        self.settings[key] = value
        self.store.save("settings", settings.packed(self.settings))
        self._apply()

    def know(self, name):
        """Remember a name for the next matches."""
        self.know_as(settings.with_name(self.names, name))

    def own_names(self):
        """What the device calls those whom nobody has named, in its language."""
        return tuple([say(name) for name in settings.NAMES])

    def know_as(self, names):
        """These are the names that the device remembers."""
        if names != self.names:
            self.names = names
            self.store.save("names", settings.packed_names(names))

    def refuse(self):
        """The key is dead here, or the rules say no: a low cue, and nothing changes."""
        self.play(REFUSE)

    def probe_soon(self):
        """Look at once whether the panel is there: asleep that was seldom done."""
        self._probe_at = self.now

    # -- what is kept ----------------------------------------------------------------------------

    def _load(self):
        """Find what was kept. Returns what is to be said of a clock that ran when the power went, None if none did."""
        store = self.store
        store.look()
        self.settings = store.load("settings", settings.fit, settings.defaults())
        if self.settings["language"] != ENGLISH:
            from pouch.languages import speak

            speak(self.settings["language"])
        self.names = store.load("names", settings.fit_names, self.own_names())
        self._apply()
        duration = store.load("duration", _fit_duration, (0, 0))
        if not store.matches:
            return None
        from pouch.match import restore

        self.match = store.last_match(restore)
        if not self.match:
            return None
        order, seconds = duration
        if order != self.match.order:
            seconds = 0
        if self.match.outcome() is not None and self.match.order in store.finished():
            # The record is written first: it may know more.
            record = store.finished_match(self.match.order)
            seconds = max(seconds, record["seconds"] or 0) if record else seconds
        self._play_time(seconds)
        self.played.pause(self.now)
        # A cut may have come between a match's end and its record, or between an undo and the record's removal.
        self._file()
        return interrupted(self) if self.match.outcome() is None else None

    def _apply(self):
        self.sound.volume = (LOUD_SOUND, QUIET_SOUND, OFF)[("loud", "quiet", "off").index(self.settings["sound"])]
        self.presses.guard_us = self.settings["guard"] * 1000
        self.light()

    def light(self):
        """Light the glass as it is set, or dimmed while the device rests."""
        contrast = settings.DIM if self._rest.dim else settings.CONTRASTS[self.settings["light"] - 1]
        if contrast != self.device.oled.brightness:
            self.device.oled.contrast(contrast)

    def _file(self):
        """A finished match goes into the history; one that an undo has opened again is taken out of it."""
        match = self.match
        if match is None or len(match.journal) == self._filed:
            return
        self._filed = len(match.journal)
        over = match.outcome() is not None
        if over != self._over and self.played:
            # A result may lie on the table all evening; an undo goes on with the match.
            (self.played.pause if over else self.played.resume)(self.now)
        self._over = over
        record = match.record(self._seconds())
        self.store.record(match.order, record)
        if record:
            self._keep_play_time()

    def _part(self):
        """Nobody goes on with a match that is over, or that nobody has begun: the next one has its room."""
        match = self.match
        if match is None or (match.journal and match.outcome() is None):
            return
        self._file()
        self._last = self.table()
        self.match = self.stopwatch = self.countdown = self.played = None

    def _play_time(self, seconds):
        """The match has been played for so long before."""
        from pouch.stopwatch import Stopwatch

        self._over = False
        self.played = Stopwatch(self.now)
        self.played.seconds = self._played = seconds

    def _seconds(self):
        """How long the match was on the table, pauses at home not counted; None without one."""
        return self.played.seconds if self.played else None

    def _keep_play_time(self):
        seconds = self._seconds()
        if seconds is not None and seconds != self._played:
            self._played = seconds
            self.store.save("duration", (self.match.order, seconds))

    def _save(self):
        """Write what must be written. Without room the match goes on, and it is tried again."""
        self._file()
        seconds = self._seconds()
        if seconds is not None and seconds - self._played >= _PLAYED_S and self.store.log.pending:
            self._keep_play_time()
        began = self.device.now()
        try:
            self.store.commit()
            self._save_at = None
            self.full = False
        except OSError:
            self._save_at = later(self.device.now(), _SAVE_AGAIN_US)
            self._tell = not self.full
            self.full = True
        self.device.keys.blind(began, self.device.now())

    def _tell_full(self):
        from pouch.screens.notice import Notice

        self._tell = False
        lines = (say("But the memory is full: a"), say("power cut would lose what"), say("you score from now on."))
        self.show(Notice(self, say("SCORE KEPT"), lines, self.screen))

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
            self._press(kind, self._key(presses.key), presses.at)
        if presses.stuck != self._stuck:
            self._name_stuck(presses.stuck)
        if self.stopwatch:
            self.stopwatch.advance(now)
        if since(now, self._rest.due) >= 0:
            presses.forget()
            if self._rest.minute(self, now):
                self._drawn = False
        if self.played:
            self.played.advance(now)
        countdown = self.countdown
        if countdown and not countdown.paused:
            countdown.advance(now)
            second = (countdown.left + 999) // 1000
            if second != countdown.told:
                countdown.told = second
                from pouch.limit import counted

                counted(self, second)
        screen = self.screen
        growth = self._grown(screen, now)
        if growth != self._growth:
            self._growth = growth
            self._drawn = False
        wake = self._wake
        if wake is not None and since(now, wake) >= 0 and (self._drawn or screen.EXACT):
            drawn = self._drawn
            screen.tick(self, now)
            self._ticked = drawn and self.screen is screen
            screen = self.screen
            self._drawn = False
        if self._save_at is None and self.store.pending:
            # Whatever did it: a press, the screen's own clock, or the end of a time.
            self._save_at = later(now, _SAVE_US)
        near = screen.EXACT and self._wake is not None and since(self._wake, now) < _FRAME_US
        if since(now, self._probe_at) >= 0:
            if near:
                self._probe_at = later(self._wake, _FRAME_US)
            else:
                self._probe()
        if not self._drawn and not (near and since(now, self._wake) < 0):
            self._draw(screen)
        if self.sound.playing:
            self.sound.step(now)
        if self._save_at is not None and since(now, self._save_at) >= 0 and not self._quiet(now):
            self._save()
        if self._tell and not screen.RACE:
            self._tell_full()
        return self._deadline(now)

    def _quiet(self, now):
        """May nothing be written now? A clock's second that changes, and the end of its time, are not to come late."""
        if self.screen.quiet(self, now):
            return True
        second = self.countdown.next_second() if self.countdown else None
        return second is not None and since(second, now) <= _RESTS_US

    def _key(self, key):
        """The role of a key as the glass is read, or the key of a role: opposite, all four are the other way round."""
        return RIGHT - key if self.turned else key

    def keys(self, mask):
        """The same for a mask of keys."""
        if self.turned:
            mask = (mask & 1) << 3 | (mask & 2) << 1 | (mask & 4) >> 1 | (mask & 8) >> 3
        return mask

    def _press(self, kind, key, at):
        screen = self.screen
        if not screen.ASLEEP and self._rest.rouse(self):
            self._drawn = False
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
        self._heard = False
        try:
            screen.press(self, key, kind, at)
        except Illegal:
            self.refuse()
        if not self._heard and not self.sound.playing:
            self.play(PRESS)  # the least of all cues: it cuts none short

    def _grown(self, screen, now):
        """How far the tab over a held OK has grown, 0..8: what holding does shows by itself."""
        if not screen.HOLDS & 1 << OK or not screen.HELD:
            return 0
        held = self.presses.held_us(self._key(OK), now) - _GROWS_US
        return 0 if held < 0 else min(8, 1 + held // _GROWTH_US)

    def _name_stuck(self, stuck):
        """A key that does not behave is named above itself; the others go on working."""
        if stuck & ~self._stuck:
            self.play(NOTICE)
        self._stuck = stuck
        self._drawn = False

    def _draw(self, screen):
        oled = self.device.oled
        self._litter += 1
        if (
            not self._ticked
            or self._growth
            or self.turned
            or self._rest.shifted
            or not screen.update(self.canvas, self)
        ):
            self._litter += _WHOLE
            self._draw_all(screen)
        self._ticked = False
        oled.show()
        self._drawn = True
        self._wake = screen.wake(self, self.now)
        if oled.lost and since(self._probe_at, self.now) > _RETRY_US:
            self._probe_at = later(self.now, _RETRY_US)

    def _draw_all(self, screen):
        canvas = self.canvas
        canvas.clear()
        canvas.covered = self._growth > 0
        screen.render(canvas, self)
        labels = screen.legend(self)
        if self._stuck:
            stuck = self.keys(self._stuck)
            labels = tuple([_STUCK if stuck >> key & 1 else labels[key] for key in range(len(labels))])
        if labels:
            legend.draw(canvas, labels)
            if self.turned:
                canvas.hang(screen.LOW)
            if self._growth:
                legend.held(canvas, screen.HELD, self._growth)
        if self._rest.shifted:
            canvas.shift()

    def _probe(self):
        oled = self.device.oled
        if oled.probe():
            self._drawn = False
        if self.beacon:
            self.beacon.look(self)
        wait = _RETRY_US if oled.lost else _ASLEEP_US if self.screen.ASLEEP else _PROBE_US
        self._probe_at = later(self.now, wait)

    def _deadline(self, now):
        wait = min(since(self._probe_at, now), since(self._rest.due, now))
        if self.device.watchdog:
            wait = min(wait, _FED_US)
        if self._wake is not None:
            wait = min(wait, since(self._wake, now))
        if self.countdown:
            second = self.countdown.next_second()
            if second is not None:
                wait = min(wait, since(second, now))
        if self.sound.playing:
            wait = min(wait, since(self.sound.due, now))
        if self.screen.HOLDS & 1 << OK and self.screen.HELD:
            held = self.presses.held_us(self._key(OK), now)
            if held:
                wait = min(wait, _GROWS_US + self._growth * _GROWTH_US - held)
        keys = self.presses.wait_us(now)
        if keys is not None and keys < wait:
            wait = keys
        if wait > _QUIET_US and self._idle(now):
            return now
        if self._save_at is not None and not self._quiet(now):
            wait = min(wait, since(self._save_at, now))
        return later(now, max(0, wait))

    def _idle(self, now):
        """Do a piece of work that nobody waits for, some 30 ms, while nothing is due and no key moves. Any more?"""
        if self._save_at is not None and not self.full and not self._quiet(now):
            # What was pressed is on the glass: now it is kept.
            self._save()
            return True
        if self._names >= 0:
            self._crowded = True
            self._learn()
            return True
        if self._preload:
            # A screen that is imported when it is first needed comes 30 to 100 ms late.
            module = self._preload.pop()
            if module not in modules:
                self._crowded = True
                # What stays fills the gaps then, and does not stand in the middle of what is free.
                gc.collect()
                try:
                    __import__(module)
                except MemoryError:
                    self._preload = []  # then when it is needed
                    gc.collect()
            return True
        if self.device.tripped and since(now, self._steady_at) >= 0:
            from pouch import crash

            self.device.tripped = 0
            crash.forget(self.device.files)
            self.device.keys.blind(now, self.device.now())
        if self._crowded or self._litter >= _MOST_LITTER:
            # Now: a collection that comes by itself comes in a race. And where modules have filled the small gaps of
            # the heap, MicroPython looks through all of it for each larger call: three times as slow.
            self._crowded = False
            self._litter = 0
            gc.collect()
        if self.screen.RACE or not self.store.tidy():
            return False
        self.device.keys.blind(now, self.device.now())
        return True

    def _learn(self):
        """Let MicroPython know the names in all modules to come, where the build has made lists of them.

        Its table of names grows by doubling, in one piece of 8 kB: the heap of an hour later may not have that.
        """
        name = f"names.list_{self._names}"
        try:
            __import__(name)
            forget(name)
            gc.collect()  # so that the next one comes to its place
            self._names += 1
        except (ImportError, MemoryError):
            forget("names")
            self._names = -1

    def run(self):
        """Until the power goes."""
        global running
        running = self
        gc.collect()
        wait = self.device.waiter.wait
        watchdog = self.device.watchdog
        feed = watchdog.start() if watchdog else None
        try:
            while True:
                if feed:
                    feed()
                wait(self.step(), self.screen.EXACT)
        finally:
            # Every way out: a crash, Ctrl-C. Silence first, then what is not written yet.
            self.device.silence()
            if self.store.pending:
                self._save()

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
