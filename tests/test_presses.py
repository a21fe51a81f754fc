"""The debouncer and gesture machine: pure, so every time in here is just a number."""

from hypothesis import given, settings
from hypothesis import strategies as st
from pouch.presses import DOWN, LONG, REPEAT, SHORT, Presses

MS = 1000
PERIOD = 1 << 30
LEFT, BACK, OK, RIGHT = range(4)
NAMES = {DOWN: "down", SHORT: "short", LONG: "long", REPEAT: "repeat"}


class Hand:
    """Drives Presses as the loop does: at every edge and at every deadline that it asked for."""

    def __init__(self, start=0, mask=0, **settings_):
        self.start = start
        self.presses = Presses(4, **settings_)
        self.presses.start(mask, start % PERIOD)
        self.mask = mask
        self.now = 0
        self.heard = []

    def _take(self):
        while True:
            kind = self.presses.take()
            if not kind:
                return
            at = ((self.presses.at - self.start + PERIOD // 2) % PERIOD) - PERIOD // 2
            self.heard.append((NAMES[kind], self.presses.key, at))

    def until(self, time):
        while True:
            wait = self.presses.wait_us((self.start + self.now) % PERIOD)
            if wait is None or self.now + wait > time:
                break
            assert wait > 0 or self.now < time, "a deadline that never passes"
            self.now += max(wait, 1)
            self.presses.feed(self.mask, (self.start + self.now) % PERIOD)
            self._take()
        self.now = max(self.now, time)

    def edges(self, *edges):
        """(ms, key) each: the contact of that key changes."""
        for ms, key in sorted(edges, key=lambda e: e[0]):
            time = round(ms * MS)
            self.until(time)
            self.mask ^= 1 << key
            at = (self.start + time) % PERIOD
            self.presses.edge(key, bool(self.mask >> key & 1), at)
            self.presses.feed(self.mask, at)
            self._take()

    def kinds(self):
        return [(kind, key) for kind, key, _ in self.heard]


def key(role, *times):
    return [(time, role) for time in times]


def test_bounce_is_one_press():
    hand = Hand()
    hand.edges(*key(LEFT, 0, 1, 2, 4, 7, 120, 121, 123, 128, 131))
    hand.until(500 * MS)
    assert hand.kinds() == [("down", LEFT), ("short", LEFT)]
    assert hand.heard[0][2] == 0, "a press counts from its first edge"


def test_the_issues_own_edges_leave_the_key_down_and_are_one_press():
    hand = Hand()
    hand.edges(*key(LEFT, 0, 1, 2, 4, 7, 120, 121, 123, 128))
    hand.until(700 * MS)
    assert hand.kinds() == [("down", LEFT)]


def test_two_clean_presses_are_two():
    hand = Hand()
    hand.edges(*key(OK, 0, 60, 300, 360))
    hand.until(1000 * MS)
    assert hand.kinds() == [("down", OK), ("short", OK)] * 2


def test_down_comes_at_once_after_the_quiet_time():
    hand = Hand(press_us=5 * MS)
    hand.edges(*key(OK, 0))
    hand.until(5 * MS - 1)
    assert hand.heard == []
    hand.until(5 * MS)
    assert hand.heard == [("down", OK, 0)]


def test_a_hold_is_one_long_and_no_short():
    hand = Hand()
    hand.edges(*key(OK, 0, 1200))
    hand.until(3000 * MS)
    assert hand.heard == [("down", OK, 0), ("long", OK, 800 * MS)]


def test_a_release_just_before_the_hold_is_short():
    hand = Hand()
    hand.edges(*key(OK, 0, 799.9))
    hand.until(3000 * MS)
    assert hand.kinds() == [("down", OK), ("short", OK)]


def test_repeat_instead_of_hold():
    hand = Hand()
    hand.presses.repeat = 1 << RIGHT
    hand.edges(*key(RIGHT, 0, 1000))
    hand.until(2000 * MS)
    assert hand.heard == [("down", RIGHT, 0)] + [("repeat", RIGHT, ms * MS) for ms in (500, 650, 800, 950)]


def test_a_late_step_does_not_make_up_for_missed_repeats():
    presses = Presses(1)
    presses.start(0, 0)
    presses.repeat = 1
    presses.edge(0, True, 0)
    presses.feed(1, 1700 * MS)
    kinds = []
    while kind := presses.take():
        kinds.append(kind)
    assert kinds == [DOWN, REPEAT]


def test_a_spark_is_no_press():
    hand = Hand()
    hand.edges(*key(LEFT, 0, 2))
    hand.until(1000 * MS)
    assert hand.heard == []


def test_the_bouncing_first_player_beats_a_clean_second():
    hand = Hand()
    hand.edges(*key(LEFT, 0, 1, 2, 4, 7, 90), *key(RIGHT, 3, 80))
    hand.until(500 * MS)
    downs = [event for event in hand.heard if event[0] == "down"]
    assert downs == [("down", LEFT, 0), ("down", RIGHT, 3 * MS)]


def test_a_rejected_earlier_edge_holds_nobody_back():
    hand = Hand()
    hand.edges(*key(LEFT, 0, 1), *key(RIGHT, 3, 80))
    hand.until(500 * MS)
    assert hand.kinds() == [("down", RIGHT), ("short", RIGHT)]


def test_a_chattering_contact_holds_others_back_only_for_its_patience():
    hand = Hand(patience_us=30 * MS)
    chatter = key(LEFT, *[i * 2 for i in range(500)])
    hand.edges(*chatter, *key(RIGHT, 101, 181), *key(RIGHT, 401, 481))
    hand.until(2000 * MS)
    rights = [event for event in hand.heard if event[1] == RIGHT]
    assert rights == [
        ("down", RIGHT, 101 * MS),
        ("short", RIGHT, 181 * MS),
        ("down", RIGHT, 401 * MS),
        ("short", RIGHT, 481 * MS),
    ]
    assert not [event for event in hand.heard if event[1] == LEFT]


def test_a_key_down_at_power_on_is_mute_until_released():
    hand = Hand(mask=1 << OK)
    hand.until(3000 * MS)
    assert hand.heard == []
    hand.edges(*key(OK, 3000, 3100, 3160))
    hand.until(4000 * MS)
    assert hand.heard == [("down", OK, 3100 * MS), ("short", OK, 3160 * MS)]


def test_a_mute_key_whose_release_bounces_stays_mute():
    hand = Hand(mask=1 << OK)
    hand.edges(*key(OK, 1000, 1001, 1003, 1008, 1009))
    hand.until(2000 * MS)
    assert hand.heard == []


def test_spent_presses_give_nothing_more():
    hand = Hand()
    hand.edges(*key(OK, 0))
    hand.until(100 * MS)
    hand.presses.spend()
    hand.edges(*key(OK, 1200))
    hand.until(2000 * MS)
    assert hand.kinds() == [("down", OK)]


def test_a_tap_that_a_blocked_loop_slept_through():
    presses = Presses(4)
    presses.start(0, 0)
    presses.edge(OK, True, 10 * MS)
    presses.edge(OK, False, 55 * MS)
    presses.feed(0, 90 * MS)
    assert [presses.take(), presses.take(), presses.take()] == [DOWN, SHORT, 0]


def test_a_press_that_is_over_before_it_is_taken_gives_nothing_to_the_screen_it_leads_to():
    """Its release waits behind it: PLAY and then, by the same press, START on the next screen."""
    presses = Presses(4)
    presses.start(0, 0)
    for down, at in ((True, 10), (False, 55), (True, 200), (False, 260)):
        presses.edge(OK, down, at * MS)
    presses.feed(0, 300 * MS)
    assert presses.take() == DOWN
    presses.spend()
    # The press after it is one of its own.
    assert [presses.take(), presses.take(), presses.take()] == [DOWN, SHORT, 0]


def test_spending_does_not_spend_the_press_that_waits():
    presses = Presses(4)
    presses.start(0, 0)
    for down, at in ((True, 10), (False, 55), (True, 200)):
        presses.edge(OK, down, at * MS)
    presses.feed(1 << OK, 220 * MS)
    assert presses.take() == DOWN
    presses.spend()
    assert presses.take() == DOWN
    presses.edge(OK, False, 260 * MS)
    presses.feed(0, 300 * MS)
    assert [presses.take(), presses.take()] == [SHORT, 0]


def test_the_level_is_the_truth_where_an_edge_was_lost():
    presses = Presses(4)
    presses.start(0, 0)
    presses.feed(1 << BACK, 10 * MS)
    presses.feed(1 << BACK, 20 * MS)
    assert presses.take() == DOWN
    assert (presses.key, presses.at) == (BACK, 10 * MS)


def test_held_time_for_the_growing_tab():
    hand = Hand()
    hand.edges(*key(OK, 0))
    hand.until(300 * MS)
    assert hand.presses.held_us(OK, 300 * MS) == 300 * MS
    hand.until(900 * MS)
    assert hand.presses.held_us(OK, 900 * MS) == 0, "it has become LONG"


# -- properties, in whole microseconds --------------------------------------------------------------

bounce = st.lists(st.integers(50, 1900), max_size=4).map(lambda gaps: gaps[: len(gaps) // 2 * 2])


@st.composite
def taps(draw, role):
    """Edges of one to four presses of a key, each with its own bounce, and when they closed and opened."""
    edges, truth, time = [], [], draw(st.integers(0, 200 * MS))
    for _ in range(draw(st.integers(1, 4))):
        held = draw(st.integers(25 * MS, 1500 * MS))
        for start in (time, time + held):
            at = start
            edges.append((at, role))
            for gap in draw(bounce):
                at += gap
                edges.append((at, role))
        truth.append((time, held))
        time += held + draw(st.integers(40 * MS, 400 * MS))
    return edges, truth


@settings(deadline=None, max_examples=300, derandomize=True)
@given(left=taps(LEFT), right=taps(RIGHT), start=st.integers(0, PERIOD - 1), late=st.integers(0, 40))
def test_no_press_is_lost_or_doubled(left, right, start, late):
    """Whatever the bounce, the other key and the start of the ticks, and however late the loop is: each press gives
    one DOWN with its first edge, in the order of the edges, and then exactly one SHORT or LONG."""
    hand = Hand(start=start)
    pending = sorted(left[0] + right[0])
    end = pending[-1][0] + 2000 * MS
    if late:
        # The loop looks only every `late` ms; the interrupts have kept the edges.
        for now in range(0, end, late * MS):
            while pending and pending[0][0] <= now:
                at, role = pending.pop(0)
                hand.mask ^= 1 << role
                hand.presses.edge(role, bool(hand.mask >> role & 1), (start + at) % PERIOD)
            hand.presses.feed(hand.mask, (start + now) % PERIOD)
            hand._take()
    else:
        hand.edges(*[(at / MS, role) for at, role in pending])
        hand.until(end)
    truth = sorted([(down, LEFT) for down, _ in left[1]] + [(down, RIGHT) for down, _ in right[1]])
    assert [(at, role) for kind, role, at in hand.heard if kind == "down"] == truth
    for role, presses in ((LEFT, left[1]), (RIGHT, right[1])):
        heard = [kind for kind, key_, _ in hand.heard if key_ == role]
        expected = []
        for _, held in presses:
            # A release that bounces around the 0.8 s may be taken either way, but only once.
            last = "short" if held < 800 * MS - 8 * MS else "long" if held >= 800 * MS else None
            expected += ["down", last]
        assert len(heard) == len(expected)
        assert all(want in (None, got) for got, want in zip(heard, expected, strict=True))


@settings(deadline=None, max_examples=200, derandomize=True)
@given(
    edges=st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(0, 3)), max_size=60, unique=True),
    start=st.integers(0, PERIOD - 1),
)
def test_any_noise_at_all_makes_whole_presses(edges, start):
    """Of each key: DOWN, then one SHORT or LONG unless it is still down, then DOWN again."""
    hand = Hand(start=start)
    hand.edges(*[(at / MS, role) for at, role in edges])
    hand.until(6_000_000)
    for role in range(4):
        kinds = [kind for kind, key_, _ in hand.heard if key_ == role]
        assert all(kind == "down" for kind in kinds[::2])
        assert all(kind in ("short", "long") for kind in kinds[1::2])
        assert len(kinds) % 2 == 0, "six seconds after the last edge every press has become SHORT or LONG"


# -- keys that do not behave ----------------------------------------------------------------------


def test_a_key_stuck_since_power_on_is_named_and_cleared_by_its_release():
    hand = Hand(mask=1 << BACK)
    hand.until(2_999_000)
    assert hand.presses.stuck == 0
    hand.until(3_000_000)
    assert hand.presses.stuck == 1 << BACK
    hand.edges(*key(OK, 4000, 4060))
    hand.edges(*key(BACK, 5000))
    hand.until(5_100_000)
    assert hand.presses.stuck == 0
    assert hand.kinds() == [("down", OK), ("short", OK)]


def test_a_key_that_stays_down_is_named():
    hand = Hand()
    hand.edges(*key(LEFT, 0))
    hand.until(19_999_000)
    assert hand.presses.stuck == 0
    hand.until(20_000_000)
    assert hand.presses.stuck == 1 << LEFT
    hand.edges(*key(LEFT, 30_000, 30_100, 30_160))
    hand.until(31_000_000)
    assert hand.presses.stuck == 0
    assert hand.kinds() == [("down", LEFT), ("long", LEFT), ("down", LEFT), ("short", LEFT)]


def test_a_chattering_key_is_named_and_no_press_of_the_others_is_lost_or_doubled():
    hand = Hand()
    presses = [(300 + 400 * i, 360 + 400 * i) for i in range(10)]
    hand.edges(*key(LEFT, *range(0, 5000)), *[(at, OK) for pair in presses for at in pair])
    assert hand.presses.stuck == 1 << LEFT
    hand.until(6_000_000)
    assert hand.presses.stuck == 0
    assert hand.kinds() == [("down", OK), ("short", OK)] * 10


def test_fast_tapping_is_not_chattering():
    hand = Hand()
    hand.edges(*key(OK, *range(0, 10_000, 50)))
    hand.until(11_000_000)
    assert hand.presses.stuck == 0
    assert len(hand.heard) == 200


@settings(deadline=None, max_examples=50, derandomize=True)
@given(idle=st.integers(1, 60 * 60 * 24 * 14), start=st.integers(0, PERIOD - 1))
def test_after_any_time_at_rest_a_press_is_a_press(idle, start):
    """Left alone for up to two weeks, looked at every half second or so as the app does (here: just before and after
    the ticks come round to the old stamps), a press is one press and the key is not called stuck."""
    hand = Hand(start=start)
    hand.edges(*key(OK, 0, 60))
    hand.until(500 * MS)
    hand.now = idle * 1_000_000 + 600 * MS
    hand.presses.feed(0, (start + hand.now) % PERIOD)
    hand.edges(*key(OK, hand.now / MS + 1, hand.now / MS + 61))
    hand.until(hand.now + 1_000_000)
    assert hand.kinds() == [("down", OK), ("short", OK)] * 2
    assert hand.presses.stuck == 0


def test_edges_that_nobody_could_count_are_no_quiet_time():
    """A key chatters while the loop is busy for 40 ms: the last edge that was kept says "closed", and 30 ms without
    one look like rest. They were not."""
    presses = Presses(4)
    presses.start(0, 0)
    presses.noisy(LEFT, 45 * MS)
    for ms in range(31):
        if ms == 5:
            presses.edge(RIGHT, True, 5 * MS + 500)
        presses.edge(LEFT, ms % 2 == 0, ms * MS)
    presses.feed(1 << RIGHT, 46 * MS)
    assert presses.take() == DOWN and presses.key == RIGHT
    assert presses.take() == 0
    presses.feed(1 << RIGHT, 70 * MS)
    assert presses.take() == 0
    # And when it has come to rest, it is a key as any other.
    presses.edge(LEFT, True, 200 * MS)
    presses.feed(1 << RIGHT | 1 << LEFT, 205 * MS)
    assert presses.take() == DOWN and (presses.key, presses.at) == (LEFT, 200 * MS)


def taps(gaps):
    """The edges of presses of 40 ms whose first edges are that many ms apart, and the times of these, in us."""
    at, times, edges = 100, [], []
    for gap in gaps:
        times.append(at * MS)
        edges += key(OK, at, at + 40)
        at += gap
    return edges, times


@given(gaps=st.lists(st.integers(60, 700), min_size=1, max_size=12), start=st.integers(0, PERIOD - 1))
@settings(max_examples=60, deadline=None)
def test_a_press_too_soon_after_another_of_the_same_key_gives_nothing_at_all(gaps, start):
    edges, times = taps(gaps)
    hand = Hand(start)
    hand.presses.guard_us = 300 * MS
    hand.edges(*edges)
    hand.until(times[-1] + 900 * MS)
    # From the press before it, whether that counted or not: three taps in a row are one.
    counted = [time for i, time in enumerate(times) if not i or time - times[i - 1] >= 300 * MS]
    assert [at for kind, _, at in hand.heard if kind == "down"] == counted
    assert [kind for kind, _, _ in hand.heard] == ["down", "short"] * len(counted)


def test_the_guard_is_for_the_same_key_only_and_forgets():
    hand = Hand()
    hand.presses.guard_us = 300 * MS
    hand.edges(*key(OK, 100, 150), *key(LEFT, 200, 240))
    hand.until(300 * MS)
    assert hand.kinds() == [("down", OK), ("short", OK), ("down", LEFT), ("short", LEFT)]
    hand.presses.forget()
    hand.edges(*key(OK, 310, 350))
    hand.until(500 * MS)
    assert hand.kinds()[4:] == [("down", OK), ("short", OK)]


def test_a_second_press_that_is_held_gives_neither_long_nor_repeat():
    hand = Hand()
    hand.presses.guard_us = 300 * MS
    hand.presses.repeat = 1 << LEFT
    hand.edges(*key(OK, 100, 150), *key(OK, 250, 1500), *key(LEFT, 2000, 2050), *key(LEFT, 2200, 3500))
    hand.until(4000 * MS)
    assert hand.kinds() == [("down", OK), ("short", OK), ("down", LEFT)]
