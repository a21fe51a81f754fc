"""A device that is left alone for days: ticks wrap every eighteen minutes, a round's stopwatch and a countdown run on.

Runs where player.py runs. Between two rests of hours somebody plays for a while, without cuts: one App for all of it.
"""

import _link
from _link import DO, Wrong
from player import HOUR, MS, SECOND, Done, Player
from pouch.countdown import Countdown

_MASK = (1 << 30) - 1
_WEEK = 168  # hours
_LONGEST_ROUND = 3  # hours that a running round is left alone, mostly: it draws every second


class Month(Player):
    """events: how many hours."""

    def __init__(self, seed, events, files, old):
        # A short one is weighed more often, a long one must not fill the heap with that.
        self._part = 600 * SECOND if events <= 24 else HOUR
        super().__init__(seed, events, files, old, 2 * events * HOUR // self._part)
        self._end = events * HOUR
        self._week = min(_WEEK, events // 4)
        self._to_press = 0
        self._alone_until = 0
        # A stopwatch of the app's, and the moment from which it counts.
        self._watch = None
        self._paused = False
        self._zero = 0
        self._watched = 0
        self._kept_seconds = 0  # while it is paused
        # A countdown of ours: what it had to run, what has gone of it, since when it runs.
        self._countdown = None
        self._whole = 0
        self._gone = 0
        self._from = 0
        self._wraps = 0
        self.wraps = 0  # that a running countdown went across
        self.ends = 0
        self.seconds = 0  # that a stopwatch counted

    def late(self):
        return self.chance.between(1, 40 * MS) if not self.chance.below(64) else 0

    # -- what is done ----------------------------------------------------------------------------

    def plan(self):
        now = _link.now
        if now >= self._end:
            raise Done()
        self._due(now)
        chance = self.chance
        if self._to_press:
            self._to_press -= 1
            self.mood = "player"
            at = now + chance.between(50, 1500) * MS
            end = self.hand.press(self._key(), at)
            events = self.hand.take()
            events.append((end, DO, self._resting, 0))
            _link.put(events)
            return
        self._to_press = chance.between(5, 60)
        hours = chance.between(1, 12)
        if self._week:
            hours, self._week = self._week, 0
        elif self._watch is not None and not self._paused and chance.below(12):
            hours = chance.between(1, _LONGEST_ROUND)
        self._alone_until = now + hours * HOUR
        _link.put([(now + self._part, DO, self._alone, 0)])

    def _alone(self):
        self._look |= 15
        if _link.now < self._alone_until:
            _link.put([(_link.now + self._part, DO, self._alone, 0)])

    def _weigh(self, app, look):
        """One match stands for weeks, mostly on one screen: then it is weighed, too."""
        if look & 8:
            self._note(app.match)

    # -- what must hold --------------------------------------------------------------------------

    def rest(self):
        super().rest()
        if self.app is not None:
            ticks = (_link.now + _link.ticks_start) & _MASK
            self._watch_it(self.app.stopwatch, ticks)
            self._count_down(ticks)

    def _watch_it(self, watch, ticks):
        now = _link.now
        if watch is None:
            self._watch = None
            return
        if watch is not self._watch or watch.paused != self._paused:
            if watch is self._watch and watch.paused:
                # It was paused at some moment since the last look.
                low, high = (self._watched - self._zero) // SECOND, (now - self._zero) // SECOND
                if not low <= watch.seconds <= high:
                    raise Wrong(f"paused at {watch.seconds} s")
            self._watch, self._paused = watch, watch.paused
            self._kept_seconds = watch.seconds
            gone = watch._second if watch.paused else (ticks - watch._second) & _MASK
            self._zero = now - gone - watch.seconds * SECOND
        elif watch.paused:
            if watch.seconds != self._kept_seconds:
                raise Wrong("the stopwatch is paused and goes on")
            return
        self._watched = now
        if not watch.paused and watch.at(ticks) != (now - self._zero) // SECOND:
            raise Wrong(f"the stopwatch says {watch.at(ticks)} s, it is {(now - self._zero) // SECOND}")
        self.seconds = max(self.seconds, watch.seconds)

    def _count_down(self, ticks):
        now = _link.now
        countdown = self._countdown
        if countdown is None:
            whole = self.chance.of((self.chance.between(1, 5999000), self.chance.between(1, 60000), 5999000))
            self._whole = whole
            self._gone = 0
            self._from = now
            self._wraps = now + _link.ticks_start >> 30
            self._countdown = Countdown(whole, ticks)
            return
        countdown.advance(ticks)
        gone = self._gone + (0 if countdown.paused else now - self._from)
        left = max(0, self._whole - gone // MS)
        if countdown.left != left:
            raise Wrong(f"{left} ms are left, the countdown says {countdown.left}")
        if countdown.over != (left == 0):
            raise Wrong("over, or not?")
        if countdown.over:
            late = gone - self._whole * MS
            # Nobody shows this one: an app that sleeps wakes every 10 s, to look at the panel, and looks at it then.
            if not countdown.paused and late > (11 * SECOND if self.app.screen.ASLEEP else SECOND):
                raise Wrong(f"the end was seen {late // MS} ms late")
            self.ends += 1
            self.wraps += (now + _link.ticks_start >> 30) - self._wraps
            self._countdown = None
            return
        dice = self.chance.below(40000)
        if dice == 0 and not countdown.paused:
            countdown.pause(ticks)
            self._gone = gone
        elif dice < 2000 and countdown.paused:
            countdown.resume(ticks)
            self._from = now
        elif dice == 2001:
            countdown.add(30000)
            self._whole = min(self._whole + 30000, 5999000 + gone // MS)
        elif dice < 2100 and not countdown.paused:
            due = (countdown.next_second() - ticks) & _MASK
            shows = (left + 999) // 1000
            if not 0 < due <= SECOND:
                raise Wrong(f"the next second is {due} us away")
            then = max(0, self._whole - (gone + due) // MS)
            before = max(0, self._whole - (gone + due - MS) // MS)
            if (then + 999) // 1000 != shows - 1 or (before + 999) // 1000 != shows:
                raise Wrong("the second does not change when it was said to")

    def report(self):
        report = super().report()
        report["ends"] = self.ends
        report["wraps"] = self.wraps
        report["seconds"] = self.seconds
        return report
