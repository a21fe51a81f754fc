"""Somebody who presses keys at random, for hours, and looks whether everything is as it must be.

Runs inside the firmware's process, on CPython and on the MicroPython VM: `boot.py` beside it. The firmware is the very
one, from `pouch.start` on, with its files in a real folder; the hands, the panel and the supply are world/_link.py.
"""

import gc
import json
import sys
from array import array
from binascii import crc32

import _link
import pouch.app
import pouch.crash
import pouch.hal.device
import pouch.screens.home
import pouch.store
from _link import CUT, DO, EDGE, PowerCut, Tripped, Wrong
from pouch.games import HIGHEST, LOWEST, TIME_UP, Illegal
from pouch.hal.files import Files
from pouch.match import Match, replay
from pouch.start import start
from pouch.ticks import since
from pouch.ui import legend
from pouch.ui.canvas import Canvas

# isort: split
import pouch.modules  # as on the device: after what home needs

quick = None
if sys.implementation.name == "cpython":
    import quick

    quick.use(True)

MS = 1000
SECOND = 1_000_000
HOUR = 3600 * SECOND
LEFT, BACK, OK, RIGHT = range(4)
_PINS = (10, 11, 12, 13)
_PERIOD = 1 << 30
_RECORDS = 100  # so many finished matches are kept

_CHECK = 10  # events between two looks at what is cheap to look at
_FRAME = 20  # and at the whole frame
_REPLAY = 1000
_WEIGH = 200
_WEIGH_HOME = 25
_COME_AND_GO = ("pouch.games", "pouch.screens", "pouch.ui", "pouch.ui.fonts")
_PLAYED = ("zip_it", "crossed_words", "upwords", "timer", "tally")
_SETTLED_US = 1_500_000  # a hand that rests for so long finds everything written


_last_match = pouch.store.Store.last_match
_restored = [None]  # what the power-on that goes on has read; home keeps none that is over


def _noted(store, restore):
    _restored[0] = _last_match(store, restore)
    return _restored[0]


pouch.store.Store.last_match = _noted


class Chance:
    """The same numbers on every Python."""

    def __init__(self, seed):
        self._state = (seed * 2654435761 + 12345) & 0x7FFFFFFF
        for _ in range(3):
            self.below(2)

    def below(self, count):
        self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._state >> 8) % count

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def of(self, values):
        return values[self.below(len(values))]

    def weighted(self, rows):
        """rows: (weight, value) each; the weights make 1000."""
        left = self.below(1000)
        for weight, value in rows:
            left -= weight
            if left < 0:
                return value
        return rows[-1][1]


# -- files that break ------------------------------------------------------------------------------------


class Flash:
    """What may befall the files."""

    def __init__(self):
        self.dead = False  # the supply is away: whoever still writes does not
        self.full = False
        self.room = 0  # so many files can be written all the same
        self.cut_in = 0  # the supply goes away at so many operations from now on, 0: it does not
        self.after = False  # after that operation, not before
        self.writes = 0
        self.forgotten = []  # orders of the records that had to go


flash = Flash()


class BreakingFiles(Files):
    def _before(self):
        if flash.dead:
            raise PowerCut()
        flash.writes += 1
        if flash.cut_in:
            flash.cut_in -= 1
            if not flash.cut_in:
                if flash.after:
                    return True
                flash.dead = True
                raise PowerCut()
        return False

    def _done(self, cut):
        if cut:
            flash.dead = True
            raise PowerCut()

    def _open(self, name, mode, data):
        cut = self._before()
        if flash.full:
            if not flash.room:
                raise OSError(28)
            flash.room -= 1
        super()._open(name, mode, data)
        self._done(cut)

    def rename(self, old, new):
        cut = self._before()
        super().rename(old, new)
        self._done(cut)

    def remove(self, name):
        cut = self._before()
        if name.endswith(".record"):
            # The oldest one may go: when there is no room, or when there are too many.
            order = int(name.split(".")[0])
            count = 0
            first = order
            for other in self.records():
                count += 1
                first = min(first, other)
            if order == first and (flash.full or count > _RECORDS):
                flash.forgotten.append(order)
        super().remove(name)
        if flash.full:
            flash.room += 1
        self._done(cut)

    def records(self):
        """The orders of all records, one by one."""
        for name in self.names():
            if name.endswith(".record"):
                yield int(name.split(".")[0])


# -- text that leaves the glass --------------------------------------------------------------------------

_draw_text = Canvas.text


def _checked_text(self, font, text, x, y, color=1):
    end = _draw_text(self, font, text, x, y, color)
    if (x < 0 or end > 128 or y < 0 or y + font.HEIGHT > 64) and text.strip():
        raise Wrong(f"text leaves the glass: {text} at {x}..{end}, {y}")
    return end


Canvas.text = _checked_text


# -- labels that do not keep their word ------------------------------------------------------------------

_refuse = pouch.app.App.refuse


def _noted_refusal(self):
    """The rules said no, or a key without a label was pressed: then `legend.dead` was asked last."""
    if not _asked[0]:
        _link.player.refused(self.screen)
    _refuse(self)


_erase = pouch.store.Store.erase


def _noted_erase(self, order):
    _link.player.erased.append(order)
    _erase(self, order)


pouch.store.Store.erase = _noted_erase

_asked = [False]
_dead = legend.dead


def _noted_dead(labels, key):
    dead = _dead(labels, key)
    _asked[0] = dead or len(labels) != 4
    return dead


pouch.app.App.refuse = _noted_refusal
legend.dead = _noted_dead


# -- hands -----------------------------------------------------------------------------------------------


class Hand:
    """Makes edges, by chance. Each of the methods plans one thing; all keys are up after it."""

    def __init__(self, chance):
        self.chance = chance
        self.presses = 0
        self.edges = 0
        self._chattering = 0
        self._chatters_until = 0
        self._plan = []

    def take(self):
        plan, self._plan = self._plan, []
        self.edges += len(plan)
        return plan

    def _edge(self, at, key, down):
        self._plan.append((at, EDGE, _PINS[key], 0 if down else 1))

    def tap(self, key, at, held, bounces=True):
        """One press, perhaps with a contact that bounces. Returns when it is over."""
        self.presses += 1
        if not bounces or self.chance.below(4):
            self._edge(at, key, True)
            self._edge(at + held, key, False)
            return at + held
        for down in (True, False):
            self._edge(at, key, down)
            # Up to three bounces, each shorter than the quiet time.
            for _ in range(self.chance.below(4)):
                for level in (not down, down):
                    at += self.chance.between(30, 2500)
                    self._edge(at, key, level)
            if down:
                at += held
        return at

    def held(self):
        chance = self.chance
        low, high = chance.weighted(((600, (20, 160)), (230, (160, 700)), (120, (780, 1300)), (50, (1300, 3000))))
        return chance.between(low * MS, high * MS)

    def press(self, key, at):
        return self.tap(key, at, self.held())

    def two(self, key, other, at):
        """Two keys at once, or nearly."""
        apart = self.chance.weighted(
            ((250, (0, 0)), (300, (1, 1500)), (250, (1500, 40 * MS)), (200, (40 * MS, 900 * MS)))
        )
        later = at + self.chance.between(*apart)
        return max(self.press(key, at), self.press(other, later))

    def burst(self, keys, at):
        for _ in range(self.chance.between(4, 12)):
            at = self.tap(self.chance.of(keys), at, self.chance.between(20, 60) * MS)
            at += self.chance.between(25, 70) * MS
        return at

    def spark(self, key, at):
        """Too short for a press."""
        self.presses += 1
        self._edge(at, key, True)
        at += self.chance.between(1, 4900)
        self._edge(at, key, False)
        return at

    def chatter(self, key, at):
        """A contact that does not come to rest. An edge plans the next one: all of them would fill a Pico's heap."""
        self.presses += 1
        self._chattering = key
        self._chatters_until = at + self.chance.between(50, 1500) * MS
        self._plan.append((at, DO, self._chatter, 0))
        return self._chatters_until + 5 * MS

    def _chatter(self):
        number = _PINS[self._chattering]
        level = 1 - _link.levels[number]
        now = _link.now
        if level == 1 or now < self._chatters_until:
            self.edges += 1
            at = now + self.chance.between(100, 4000)
            _link.put([(now, EDGE, number, level), (at, DO, self._chatter, 0)])


# What a player does next, of a thousand.
_WHAT = (
    (760, "press"),
    (100, "two"),
    (20, "burst"),
    (60, "hold"),
    (20, "spark"),
    (1, "chatter"),
    (1, "stuck"),
    (38, "idle"),
)
_GAPS = ((500, (15, 120)), (400, (120, 800)), (95, (800, 3000)), (5, (3000, 60000)))  # ms
_MOODS = ((500, "player"), (150, "masher"), (150, "doubter"), (100, "reader"), (100, "explorer"))


class Player:
    """events: how many presses it makes. old: how many matches have been finished on this device before.

    `report` tells what came of it.
    """

    def __init__(self, seed, events, files, old, looks=None):
        self.chance = Chance(seed)
        self.seed = seed
        self.hand = Hand(self.chance)
        self.files = files
        self.events = events
        self.mood = "player"
        self.mood_left = 0
        self.app = None
        self.match = None
        self.screens = {}
        self.refusals = {}  # screen: how often a key with a label was refused
        self.skipped = 0  # looks for which there was no memory
        self.cuts = 0
        self.fulls = 0
        self.unplugged = 0
        self.trips = 0
        self.steps = 0
        self.begun = 0
        self.frames = 0
        self.replays = 0
        self.restored = 0
        # Bytes in use after a collection, when that was (s), and how many modules there were, which come and go with
        # the games, and which game was played. Made now, so as not to grow.
        looks = (events // _WEIGH_HOME if looks is None else looks) + 16
        self.heap = array("i", bytes(4 * looks))
        self.weighed = array("i", bytes(4 * looks))
        self.modules = array("H", bytes(2 * looks))
        self.looks = 0
        self.piece = 1 << 20  # bytes that could always be had at once, for certain
        self._count = -1  # entries of the match when it was last looked at
        self.over = False
        self.written = 0  # how many of them are on flash for certain
        self.finished = list(range(1, old + 1))  # orders of the matches before that must have a record
        self.erased = []  # orders of those whose record somebody has deleted: a cut just then may have kept it
        self.gone = []  # and of those that were seen to be deleted
        # What may come back after a cut, oldest first: (order, entries on flash, segments, entries). Of the last match
        # with an entry on flash for certain, and of those that were begun since.
        self._before = []
        self._kept = []
        self._clock = None  # (match, round, seconds) when the power went
        self._left = None  # (match, entries, ms) of a countdown then
        self._set = None  # settings and names, if they were all on flash then
        self._checked = 0
        self._framed = 0
        self._replayed = 0
        self._weighed = self._weighed_at = 0
        self._quiet_from = 0
        self._free_from = 0
        self._screen = None
        self._screen_from = 0
        self._look = 0  # what is to be looked at when the loop rests next
        self._log = []
        self._shown = bytearray(1024)
        self._used = {}  # screen: how often each key was pressed by an explorer, modulo 256

    # -- the world asks --------------------------------------------------------------------------

    def late(self):
        """By how much the loop wakes too late this time."""
        dice = self.chance.below(4096)
        if dice > 60:
            return 0
        return self.chance.between(1, 300 * MS if dice < 3 else 30 * MS)

    def rest(self):
        """The loop is about to sleep: between two steps."""
        app = pouch.app.running
        if app is None or app is not self.app:
            if app is None or app.device is not self.device():
                return
            self._powered(app)
        self.steps += 1
        screen = app.screen
        if screen is not self._screen:
            self._screen = screen
            self._screen_from = _link.now
        name = type(screen).__name__
        self.screens[name] = self.screens.get(name, 0) + 1
        self._follow(app)
        match = app.match
        if match is not None:
            count = len(match.journal)
            if count != self._count:
                self._count = count
                self.over = match.outcome() is not None
            if self.written != count and not app.store.pending:
                self.written = count
                self._before = []
        elif self._before and not app.store.pending:
            order, _, told, count = self._before[-1]
            self._before = [(order, count, told, count)]
        if self._look:
            look, self._look = self._look, 0
            self._inspect(app, look)

    def device(self):
        return _device[0]

    def plan(self):
        """The table is at rest: what comes next?"""
        if self.hand.presses >= self.events:
            raise Done()
        now = _link.now
        self._due(now)
        chance = self.chance
        if not self.mood_left:
            self.mood = chance.weighted(_MOODS)
            self.mood_left = chance.between(10, 250)
        self.mood_left -= 1
        what = chance.weighted(_WHAT)
        low, high = chance.weighted(_GAPS)
        at = now + chance.between(low, high) * MS
        key = self._key()
        hand = self.hand
        if what == "press":
            end = hand.press(key, at)
        elif what == "two":
            end = hand.two(
                *chance.of(((LEFT, RIGHT), (LEFT, RIGHT), (RIGHT, LEFT), (OK, BACK), (key, OK), (BACK, key))), at
            )
        elif what == "burst":
            keys = chance.of(((LEFT, RIGHT), (OK,), (LEFT, BACK, OK, RIGHT), (key,), (BACK, OK)))
            end = hand.burst(keys, at)
        elif what == "hold":
            end = hand.tap(OK, at, chance.between(790, 1500) * MS)
        elif what == "spark":
            end = hand.spark(key, at)
        elif what == "chatter":
            end = hand.chatter(key, at)
        elif what == "stuck":
            end = hand.tap(key, at, chance.between(3, 45) * SECOND)
        else:
            end = at + self._idle()
        events = hand.take()
        self._log.append((hand.presses, now, self.mood, what, key))
        if len(self._log) > 12:
            del self._log[0]
        events.append((end, DO, self._resting, 0))
        _link.put(events)
        self._break(now, end)

    def _resting(self):
        """All that was planned has happened; everything that a later look relies on is in `_quiet_from`."""
        self._quiet_from = _link.now

    def _idle(self):
        chance = self.chance
        dice = chance.below(4000)
        if dice < 2:
            return chance.between(1, 3) * HOUR
        if dice < 100:
            return chance.between(20, 600) * SECOND
        return chance.between(1200, 9000) * MS

    # -- what breaks -----------------------------------------------------------------------------

    def _break(self, now, end):
        chance = self.chance
        dice = chance.below(4000)
        at = now + chance.below(end - now + 400 * MS) + 1
        if dice < 14:
            _link.put([(at, CUT, 0, 0)])
        elif dice < 20:
            flash.after = bool(chance.below(2))
            flash.cut_in = chance.between(1, 4)
        elif dice < 28:
            self.fulls += 1
            flash.full = True
            flash.room = chance.of((0, 0, 1, 2))
            _link.put([(at + chance.between(1, 40) * SECOND, DO, self._emptied, 0)])
        elif dice < 40:
            self.unplugged += 1
            _link.put([(at, DO, _link.panel.unplug, 0), (at + self._away(), DO, _link.panel.plug, 0)])
        elif dice < 60:
            _link.panel.refuse = chance.between(1, 5)
        elif dice < 61:
            _link.put([(at, DO, _trip, 0)])

    def _away(self):
        low, high = self.chance.of(((1, 50), (50, 900), (900, 20000)))
        return self.chance.between(low * MS, high * MS)

    def _emptied(self):
        flash.full = False
        self._free_from = _link.now

    def _key(self):
        chance = self.chance
        if self.mood == "masher":
            return chance.below(4)
        if self.mood == "doubter":
            return chance.weighted(((350, BACK), (250, LEFT), (300, OK), (100, RIGHT)))
        if self._screen is not None and type(self._screen).__name__ == "Home" and chance.below(3):
            return chance.of((LEFT, RIGHT))  # else it plays the same game all evening
        labels = self.app.screen.legend(self.app) if self.app else ()
        if len(labels) != 4 or not chance.below(8):
            return chance.below(4)
        live = [key for key in range(4) if labels[key]]
        if self.mood == "explorer" and live:
            return self._least_used(live)
        if self.mood == "player" and chance.below(4):
            tabs = [key for key in live if labels[key][0] == "#"]
            live = tabs or live
        return chance.of(live) if live else chance.below(4)

    def _least_used(self, live):
        """Of the keys that do something here the one that was pressed least often on such a screen."""
        name = type(self.app.screen).__name__
        used = self._used.get(name)
        if used is None:
            used = self._used[name] = bytearray(4)
        best = live[0]
        for key in live:
            if used[key] < used[best]:
                best = key
        used[best] = used[best] + 1 & 255
        return best

    # -- power -----------------------------------------------------------------------------------

    def powered_off(self):
        self.cuts += 1
        self.left()
        flash.dead = False
        flash.cut_in = 0

    def left(self):
        """The app runs no more: what must be there again is noted."""
        app = self.app
        _restored[0] = None
        if app is not None:
            # The last look at it may be a step old.
            self._follow(app)
            self._kept = self._before
            if self.match is not None:
                self._kept.append(self._as_kept())
        self._clock = self._left = None
        self._set = None
        if app is not None:
            # One that lies paused, and is on flash, comes back as it was, however its players are called meanwhile.
            exact = not app.store.pending and app.match is not None and app.match.outcome() is None
            if app.countdown is not None:
                exactly = exact and app.countdown.paused
                self._left = (app.match.order, app.match.mark, app.countdown.left, exactly)
            if app.stopwatch is not None:
                exactly = exact and app.stopwatch.paused
                self._clock = (app.match.order, app.match.state["rounds"], app.stopwatch.seconds, exactly)
            if not app.store.pending:
                self._set = (app.settings, app.names)
        self.app = self.match = self._screen = None
        self._before = []
        pouch.app.running = None

    def _as_kept(self):
        """(order, entries on flash, segments, entries): of the last two all bytes, of the others a checksum."""
        segments = self.match.journal.segments
        told = [None if data is None else crc32(data) for data in segments[:-2]]
        told.extend(segments[-2:])
        return (self.match.order, self.written, told, len(self.match.journal))

    def _powered(self, app):
        """The first rest of an app that has just started: is everything as it was?"""
        self.app = app
        self._look = 0
        self._quiet_from = _link.now
        match, _restored[0] = _restored[0], None
        if app.match is not match and app.match is not None:
            raise Wrong("another match goes on than the one that was read")
        kept, self._kept = self._kept, []
        problems = app.store.problems
        if problems:
            raise Wrong(f"not readable after power-on: {problems}")
        if self._set is not None and (app.settings, app.names) != self._set:
            raise Wrong(f"set was {self._set}, now it is {(app.settings, app.names)}")
        watch = app.stopwatch
        if watch is not None:
            if not watch.paused:
                raise Wrong("a clock runs at once after power-on")
            clock = self._clock
            same = clock and clock[:2] == (match.order, match.state["rounds"])
            if same and (watch.seconds > clock[2] or (clock[3] and watch.seconds != clock[2])):
                raise Wrong(f"the clock stood at {clock[2]} s, now at {watch.seconds}")
        countdown = app.countdown
        if countdown is not None:
            if not countdown.paused:
                raise Wrong("a countdown runs at once after power-on")
            left = self._left
            same = left and left[:2] == (match.order, match.mark)
            if same and (countdown.left < left[2] or (left[3] and countdown.left != left[2])):
                raise Wrong(f"{left[2]} ms were left, now {countdown.left}")
        self.match = match
        self._count = -1
        self.written = 0
        if match is None:
            for order, written, _, _ in kept:
                if written:
                    raise Wrong(f"match {order} is gone")
            return
        self.restored += 1
        if match.order in self.finished:
            self.finished.remove(match.order)
        while kept and kept[-1][0] != match.order:
            # A match that nobody has begun is none yet: then the one before comes back.
            if kept[-1][1]:
                raise Wrong(f"match {match.order} came back instead of {kept[-1][0]}")
            kept.pop()
        if not kept:
            raise Wrong(f"match {match.order} came back from nowhere")
        _, written, segments, _ = kept[-1]
        count = len(match.journal)
        if count < written:
            raise Wrong(f"{count} entries came back, {written} were on flash")
        self.written = count
        kept = None
        self._same_bytes(match.journal, segments)
        self._same_as_replay(match)
        if app.match is not None and match.outcome() is not None:
            raise Wrong("a match that is over lies at home")
        self._follow(app)

    def _same_bytes(self, journal, segments):
        """Byte for byte what was there, up to where it ends."""
        if len(journal.segments) > len(segments):
            raise Wrong("a segment out of nowhere")
        for number in range(len(journal.segments)):
            was = segments[number]
            there = journal.segments[number]
            try:
                data = journal.segment(number)
                same = was is None or (crc32(data) == was if isinstance(was, int) else was[: len(data)] == data)
            except MemoryError:
                self.skipped += 1
                continue
            # As it was: not all of a journal is in memory.
            journal.segments[number] = there
            if not same:
                raise Wrong(f"segment {number} is not what it was")

    def _follow(self, app):
        """Which match is it now?"""
        match, old = app.match, self.match
        if match is old:
            return
        if old is not None and len(old.journal):
            if match is None and old.outcome() is None:
                raise Wrong("a match that goes on is gone")
            # It was over, or a new one has ended it; but for one of which all was undone.
            if old.record() is not None and old.order not in self.finished:
                self.finished.append(old.order)
            # Until a new one has an entry on flash, a cut brings the old one back.
            self._before.append(self._as_kept())
        if match is not None:
            self.begun += 1
        self.match = match
        self._count = -1
        self.written = 0

    # -- what must hold --------------------------------------------------------------------------

    def _due(self, now):
        """What is to be looked at at the next rest."""
        presses = self.hand.presses
        if presses - self._checked >= _CHECK:
            self._checked = presses
            self._look |= 1
        if presses - self._framed >= _FRAME:
            self._framed = presses
            self._look |= 2
        if presses - self._replayed >= _REPLAY:
            self._replayed = presses
            self._look |= 4
        if presses - self._weighed >= _WEIGH:
            self._weighed = presses
            self._look |= 8
        app = self.app
        if app is not None and not flash.full and not app.full:
            quiet = now - max(self._quiet_from, self._free_from, self._screen_from)
            # What a clock that runs keeps each second may be due in a moment.
            due = app._save_at is not None and since(app._save_at, app.now) > 0
            if quiet > _SETTLED_US and app.store.pending and not due and not app.screen.quiet(app, app.now):
                raise Wrong(f"at rest for {quiet // MS} ms, and not written")
            if quiet > _SETTLED_US and _link.panel.on and _link.panel.inverted:
                raise Wrong("the glass stays inverted")

    def _inspect(self, app, look):
        screen = app.screen
        labels = screen.legend(app)
        if len(labels) not in (0, 1, 4):
            raise Wrong(f"a legend of {len(labels)} labels")
        match = app.match
        scores = app.scores()
        for score in scores:
            if not LOWEST <= score <= HIGHEST:
                raise Wrong(f"a score of {score}")
        winner = app.winner()
        if (winner != "none") != bool(match and match.outcome()):
            raise Wrong("the winner is " + winner)
        countdown = app.countdown
        if match and countdown and not countdown.paused and match.game.KEY != "timer":
            try:
                match.game.reduce(match.state, (TIME_UP,))
            except Illegal as error:
                raise Wrong(f"a clock runs for whose end the game has no use: {error}") from None
        if not app.sound.playing:
            for number in _link.piezo:
                if _link.piezo[number]:
                    raise Wrong("the piezo sounds, and no cue plays")
        if look & 2:
            self._same_frame(app, look & 4)
        if look & 4:
            self.replays += 1
            if match is not None:
                self._same_as_replay(match)
            self._records(app)
        if look & 8 and hasattr(gc, "mem_alloc"):
            gc.collect()
            self.piece = min(self.piece, _largest_piece())
        self._weigh(app, look)

    def _same_as_replay(self, match):
        try:
            told = replay(Match(match.game, match.players, match.options), match.journal)
        except (Illegal, MemoryError) as error:
            # A second match beside the one that is played: no Pico has to have room for that.
            if isinstance(error, Illegal) and "No memory" not in str(error):
                raise Wrong(f"the journal cannot be replayed: {error}") from None
            self.skipped += 1
            return
        if told.state != match.state or told.players != match.players:
            raise Wrong("the match is not what its journal tells")
        if (told.can_undo, told.can_redo) != (match.can_undo, match.can_redo):
            raise Wrong("what can be undone is not what the journal tells")

    def _same_frame(self, app, plain):
        """What was drawn bit by bit is what a fresh frame is, and what the panel got."""
        oled = app.device.oled
        if not app._drawn or oled._stale or oled.lost:
            return
        panel = _link.panel
        if not panel.on:
            if panel.present and _link.now - panel.since > 2 * SECOND:
                raise Wrong("the panel came back, and nobody looked")
            return
        self.frames += 1
        # A copy that is there already: the heap may have no kilobyte in one piece.
        shown = self._shown
        shown[:] = oled._glass
        if plain and quick:
            quick.use(False)
        app._draw_all(app.screen)
        if quick:
            quick.use(True)
        if oled.pixels != shown:
            raise Wrong("a fresh frame differs from what was drawn")
        if panel.memory != shown:
            raise Wrong("the panel shows something else than it was sent")

    def _records(self, app):
        """Exactly one record for each finished match, none for one that goes on."""
        if app.store.pending or app.full or flash.full:
            return
        for order in self.erased:
            if order in self.finished:
                self.finished.remove(order)
        for order in flash.forgotten:
            if order in self.finished:
                self.finished.remove(order)
        flash.forgotten = []
        # Nobody wins a timer, and it has no players.
        current = self.match.order if self.match is not None and self.over and self.match.record() else -1
        if current in self.erased:
            current = -1
        count = 0
        kept = 0
        there = []
        for order in self.files.records():
            count += 1
            if order in self.erased:
                there.append(order)
            if order in self.gone:
                raise Wrong(f"the record of match {order} was deleted, and is back")
            if order in self.erased:
                kept += 1
            elif order != current and order not in self.finished:
                raise Wrong(f"a record of match {order}")
            if order not in app.store._history:
                raise Wrong(f"the history does not know match {order}")
        for order in self.erased:
            if order not in there and order not in self.gone:
                self.gone.append(order)
        expected = len(self.finished) + (1 if current >= 0 else 0)
        if count - kept != expected:
            lacking = list(self.finished)
            if current >= 0:
                lacking.append(current)
            for order in self.files.records():
                if order in lacking:
                    lacking.remove(order)
            raise Wrong(f"no record of match {lacking}")
        if count > _RECORDS or len(app.store._history) != count:
            raise Wrong(f"{count} records, the history knows {len(app.store._history)}")

    def _weigh(self, app, look):
        """Only where the same is there each time: home, and nothing but home and the match."""
        presses = self.hand.presses
        if type(app.screen) is not pouch.screens.home.Home or presses - self._weighed_at < _WEIGH_HOME:
            return
        self._weighed_at = presses
        for name in list(sys.modules):
            package = name.rpartition(".")[0]
            if package in _COME_AND_GO and name not in pouch.modules._HOME:
                pouch.forget(name)
        self._note(app.match)

    def _note(self, match):
        if match and match.journal.store:
            match.journal.release()  # our own look at all of it has read them again
        gc.collect()
        if hasattr(gc, "mem_alloc"):
            self.heap[self.looks] = gc.mem_alloc()
            self.weighed[self.looks] = _link.now // SECOND
            self.modules[self.looks] = len(sys.modules) << 3 | (1 + _PLAYED.index(match.game.KEY) if match else 0)
            self.looks += 1

    # -- what came of it -------------------------------------------------------------------------

    def report(self):
        return {
            "seed": self.seed,
            "events": self.hand.presses,
            "edges": self.hand.edges,
            "steps": self.steps,
            "cuts": self.cuts,
            "full": self.fulls,
            "unplugged": self.unplugged,
            "trips": self.trips,
            "matches": self.begun,
            "restored": self.restored,
            "replays": self.replays,
            "frames": self.frames,
            "writes": flash.writes,
            "us": _link.now,
            "screens": self.screens,
            "skipped": self.skipped,
            "refusals": self.refusals,
            "piece": self.piece,
            "free": gc.mem_free() if hasattr(gc, "mem_free") else 0,
        }

    def refused(self, screen):
        """A key with a label, and the answer was no."""
        name = type(screen).__name__
        self.refusals[name] = self.refusals.get(name, 0) + 1

    def tell(self):
        """The report as lines of JSON, one object each; the looks one by one, as there may be no room for a list."""
        self.left()
        gc.collect()
        print(json.dumps(self.report()))
        print('{"weighed": [', end="")
        for i in range(self.looks):
            more = ", " if i else ""
            print(f"{more}[{self.weighed[i]}, {self.modules[i]}, {self.heap[i]}]", end="")
        print("]}")

    def where(self):
        """When and where it is now, and what the hand did before."""
        screen = type(self.app.screen).__name__ if self.app else "none"
        at = f"event {self.hand.presses}, {_link.now} us, {self.steps} steps, screen {screen}"
        return f"seed {self.seed}, {at}; before it: {self._log}"


def _largest_piece():
    """Bytes that the heap has in one piece, in steps."""
    size = 32768
    while size > 512:
        try:
            bytearray(size)
            return size
        except MemoryError:
            size = size * 3 // 4
    return 0


class Done(BaseException):
    """Everything has been played."""


# -- from power-on to power-on ---------------------------------------------------------------------------

_device = [None]


def _made(*args):
    _device[0] = _RealDevice(*args)
    return _device[0]


_RealDevice = pouch.hal.device.Device
pouch.hal.device.Files = BreakingFiles
_start_module = sys.modules["pouch.start"]
_start_module.Device = _made

_tell = pouch.crash.tell


def _told(device, error):
    """A crash that nobody has brought about ends the game."""
    if not isinstance(error, Tripped):
        _print_exception(error)
        raise Wrong("the app tripped: " + repr(error))
    _link.player.trips += 1
    _link.player.left()
    _tell(device, error)


def _silent(*args):
    pass


pouch.crash.tell = _told
pouch.crash.print = _silent
_start_module.print = _silent


def _trip():
    if _link.player.app is not None:
        raise Tripped("by the torture")


def _print_exception(error):
    sys.print_exception(error)


def play(player):
    """Power-on after power-on, until everything has been played."""
    _link.player = player
    chance = player.chance
    try:
        while True:
            # A fresh device counts from nearly zero, one that was reset from anywhere.
            _link.power_on(chance.of((0, chance.below(_PERIOD), _PERIOD - 1 - chance.below(5 * SECOND))))
            try:
                start()
                # BACK was held.
                _link.wait(SECOND)
            except PowerCut:
                pass
            _link.powered = False
            player.powered_off()
            _device[0] = None
            gc.collect()
            if not chance.below(4):
                _link.panel.power()
            _link.sleep(chance.between(1, 900) * MS)
    except Done:
        pass
