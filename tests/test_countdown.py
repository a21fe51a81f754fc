"""The countdown: exact, late at most, never long, across every wrap of the ticks; and what a power cut leaves of it."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from pouch.countdown import Countdown
from pouch.games import GAMES, timer
from pouch.hal.files import Files
from pouch.match import Match, restore
from pouch.store import Store
from pouch.ticks import later, since

MS = 1000
SECOND = 1_000_000
PERIOD = 1 << 30
LONGEST = 5_999_000
SETTINGS = settings(deadline=None, derandomize=True, max_examples=200)
starts = st.one_of(st.integers(0, PERIOD - 1), st.integers(PERIOD - 10 * SECOND, PERIOD - 1))


class Told:
    """The same, told plainly: what has gone, in microseconds that never wrap."""

    def __init__(self, ms, start):
        self.start = start
        self.now = 0
        self.whole = ms
        self.gone = 0
        self.runs = True
        self.countdown = Countdown(ms, start)

    def ticks(self):
        return (self.start + self.now) % PERIOD

    def wait(self, us):
        self.now += us
        if self.runs:
            self.gone = min(self.gone + us, self.whole * MS)
        self.countdown.advance(self.ticks())

    @property
    def left(self):
        """Rounded up: at 0.4 ms to go it is not over."""
        return self.whole - self.gone // MS


def test_it_runs_down_to_nothing_and_stays_there():
    told = Told(5000, 123)
    for ms, left in ((0, 5000), (1, 4999), (999, 4000), (3000, 1000), (999, 1), (1, 0), (60_000, 0)):
        told.wait(ms * MS)
        assert told.countdown.left == left
        assert told.countdown.over == (left == 0)


def test_half_a_millisecond_to_go_is_not_over():
    told = Told(1, 0)
    told.wait(999)
    assert not told.countdown.over
    told.wait(1)
    assert told.countdown.over


def test_a_late_look_makes_it_late_never_long():
    told = Told(5000, PERIOD - 2 * SECOND)
    told.wait(400 * SECOND)
    assert told.countdown.over and told.countdown.left == 0


def test_a_paused_one_stands_for_a_week():
    countdown = Countdown(5000, 0)
    countdown.pause(1_234_567)
    for hour in range(24 * 7):
        countdown.advance((1_234_567 + hour * 3600 * SECOND) % PERIOD)
    assert (countdown.left, countdown.paused, countdown.over) == (3766, True, False)
    assert countdown.next_second() is None
    countdown.resume(777)
    countdown.advance(777 + 3_765_432)
    assert countdown.left == 1, "the part of a millisecond that had gone is not given back"
    countdown.advance(777 + 3_765_433)
    assert countdown.over


def test_one_that_begins_paused():
    countdown = Countdown(60_000, 999, paused=True)
    countdown.advance(999 + 5 * SECOND)
    countdown.pause(999 + 6 * SECOND)
    assert countdown.left == 60_000
    countdown.resume(42)
    countdown.resume(42 + SECOND)
    countdown.advance(42 + SECOND)
    assert countdown.left == 59_000


def test_a_press_tells_of_a_moment_before_the_last_look():
    countdown = Countdown(5000, 0)
    countdown.advance(1_020_000)
    countdown.pause(1_000_000)
    assert countdown.left == 4000
    countdown.resume(9_000_000)
    countdown.advance(13_000_000)
    assert countdown.over


def test_what_is_over_does_not_come_back_by_looking_at_the_past():
    countdown = Countdown(1000, 0)
    countdown.advance(SECOND)
    countdown.advance(SECOND - 5 * MS)
    assert countdown.over


def test_more_time():
    countdown = Countdown(2000, 0)
    countdown.advance(SECOND)
    countdown.add(30_000)
    assert countdown.left == 31_000
    countdown.pause(2 * SECOND)
    countdown.add(30_000)
    assert (countdown.left, countdown.paused) == (60_000, True)
    countdown.add(LONGEST)
    assert countdown.left == LONGEST, "99:59 is what the glass can show"
    countdown.resume(5 * SECOND)
    countdown.advance(6 * SECOND)
    assert countdown.left == LONGEST - 1000


def test_more_time_after_the_end_runs_from_the_last_look():
    countdown = Countdown(1000, 0)
    for second in range(1, 5000, 7):
        countdown.advance(second * SECOND % PERIOD)
    assert countdown.over
    countdown.add(10_000)
    countdown.advance((second + 4) * SECOND % PERIOD)
    assert countdown.left == 6000


def test_the_longest_one_in_looks_of_minutes():
    for start in (0, PERIOD - 1, 999_999_999):
        told = Told(LONGEST, start)
        while told.left > 120_000:
            told.wait(119 * SECOND + 1)
            assert told.countdown.left == told.left
        told.wait(120 * SECOND)
        assert told.countdown.over


steps = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.one_of(st.integers(0, 2 * SECOND), st.integers(0, 500 * SECOND))),
        st.tuples(st.just("pause"), st.integers(0, 3000)),
        st.tuples(st.just("resume"), st.integers(0, 3000)),
        st.tuples(st.just("add"), st.integers(1, 60_000)),
    ),
    max_size=40,
)


@SETTINGS
@given(ms=st.one_of(st.integers(1, 20_000), st.integers(1, LONGEST)), start=starts, steps=steps)
def test_whatever_is_done_to_it_the_clock_decides(ms, start, steps):
    told = Told(ms, start)
    countdown = told.countdown
    for what, number in steps:
        if what == "wait":
            told.wait(number)
        elif what == "add":
            if not told.left:
                continue
            room = min(number, LONGEST - told.left)
            told.whole += room
            countdown.add(number)
        else:
            # Not looked at before: pausing and going on do that themselves.
            told.now += number
            if told.runs:
                told.gone = min(told.gone + number, told.whole * MS)
            if what == "pause":
                countdown.pause(told.ticks())
                told.runs = False
            else:
                countdown.resume(told.ticks())
                countdown.advance(told.ticks())
                told.runs = True
        assert countdown.left == told.left
        assert countdown.over == (told.left == 0)
        assert countdown.paused == (not told.runs)


@SETTINGS
@given(ms=st.integers(1, 100_000), start=starts, gone=st.integers(0, 99 * SECOND))
def test_the_next_second_is_when_the_glass_changes(ms, start, gone):
    told = Told(ms, start)
    told.wait(gone)
    due = told.countdown.next_second()
    if told.countdown.over:
        assert due is None
        return
    wait = since(due, told.ticks())
    assert 0 < wait <= SECOND
    shown = timer.second(told.left)
    told.wait(wait - 1)
    assert timer.second(told.countdown.left) == shown
    told.wait(1)
    assert timer.second(told.countdown.left) == shown - 1


def test_each_second_stands_a_second():
    told = Told(4200, PERIOD - SECOND)
    seen = [(0, timer.second(told.countdown.left))]
    while not told.countdown.over:
        told.wait(since(told.countdown.next_second(), told.ticks()))
        seen.append((told.now // MS, timer.second(told.countdown.left)))
    assert seen == [(0, 5), (200, 4), (1200, 3), (2200, 2), (3200, 1), (4200, 0)]


# -- a loop that is not woken as it should ---------------------------------------------------------------

FRAME_US = 20 * MS  # a bar that moves


class CountedDown:
    """What the countdown is not: it takes the time between two wakes off what is left."""

    def __init__(self, ms, now):
        self.left = ms
        self._frame = FRAME_US // MS

    def advance(self, now):
        self.left = max(0, self.left - self._frame)

    def next_second(self):
        return None


def ends_of(kind, seed):
    """When (ms) a countdown of five seconds ends in a loop of which 30 % of the wakes are dropped, with one stall."""
    chance = random.Random(seed)
    start = now = chance.randrange(PERIOD)
    stall = later(start, chance.randrange(5000) * MS)
    stalled = False
    countdown = kind(5000, start)
    ends = []
    while since(now, start) < 9 * SECOND:
        # Asleep until the next frame, or the next second if that is sooner; what is dropped wakes nobody.
        wait = FRAME_US
        second = countdown.next_second()
        if second is not None:
            wait = max(1, min(wait, since(second, now)))
        now = later(now, wait)
        if not stalled and since(now, stall) >= 0:
            stalled = True
            now = later(now, 300 * MS)
        elif chance.random() < 0.3:
            continue
        was = countdown.left
        countdown.advance(now)
        if was and not countdown.left:
            ends.append(since(now, start) / MS)
    return ends


def in_time(ends):
    return len(ends) == 1 and 5000 <= ends[0] <= 5300


def test_five_seconds_end_once_and_in_time_though_wakes_are_dropped():
    late = {seed: ends for seed in range(100) if not in_time(ends := ends_of(Countdown, seed))}
    assert late == {}


def test_one_that_counts_its_wakes_would_be_long():
    assert not any(in_time(ends_of(CountedDown, seed)) for seed in range(100))


# -- a power cut -----------------------------------------------------------------------------------------

QUIET_MS = 3000  # in the last seconds nothing is written


def cut(folder, whole, at):
    """Run a timer as the app does, cut the power `at` ms before its end. Returns the clock that comes back."""
    store = Store(Files(str(folder)))
    store.look()
    order, log = store.begin()
    match = Match(GAMES["timer"], (), {}, order, log)
    match.do((timer.SET, whole))
    match.do((timer.START,))
    now = random.Random(whole - at).randrange(PERIOD)
    countdown = Countdown(whole, now)
    store.keep(order, match.state["rounds"], countdown.left, False)
    store.commit()
    end = later(now, (whole - at) * MS)
    while countdown.left > at:
        second = countdown.next_second()
        now = second if since(second, end) <= 0 else end
        countdown.advance(now)
        if now == second and countdown.left > QUIET_MS:
            store.keep(order, match.state["rounds"], countdown.left, False)
            store.commit()
    assert countdown.left == at
    # The power is back: nothing but the files is left.
    store = Store(Files(str(folder)))
    store.look()
    back = store.last_match(restore)
    assert back.state["phase"] == timer.RUNNING
    left, paused = store.clock(back.order, back.state["rounds"])
    assert not paused, "so that the table is told"
    assert store.problems == []
    return Countdown(left, 4711, paused=True)


def test_after_a_cut_it_is_paused_with_what_was_left_or_less_than_a_second_more(tmp_path):
    for at in range(100, 10_000, 100):
        back = cut(tmp_path / str(at), 10_000, at)
        # In the last three seconds it is what stood before them.
        kept = max(at, QUIET_MS + 1)
        assert kept <= back.left < kept + 1000, at
        left = back.left
        for second in range(1, 60):
            back.advance(4711 + second * SECOND)
        assert back.paused and back.left == left


def test_a_cut_with_3_2_seconds_left(tmp_path):
    assert 3200 <= cut(tmp_path / "data", 60_000, 3200).left < 4200
