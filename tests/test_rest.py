"""When the glass dims, sleeps and moves: pure, so a minute is a call."""

import pytest
from pouch.rest import Rest

MINUTE_US = 60_000_000


class Page:
    ASLEEP = RACE = EXACT = False

    def __init__(self, **kind):
        self.__dict__.update(kind)
        self.moves = 0

    def move(self):
        self.moves += 1


class Table:
    """What an app is to it."""

    def __init__(self, dim=2, sleep=10, **kind):
        self.settings = {"dim": dim, "sleep": sleep}
        self.screen = Page(**kind)
        self.now = 0
        self.shown = []
        self.lights = self.probes = 0
        self.rest = Rest(0)

    def show(self, screen):
        self.shown.append(screen)
        self.screen = screen

    def light(self):
        self.lights += 1

    def probe_soon(self):
        self.probes += 1

    def minutes(self, count):
        """What each of them said: is the glass to be drawn anew?"""
        said = []
        for _ in range(count):
            self.now = (self.now + MINUTE_US) % (1 << 30)
            assert self.rest.due == self.now
            said.append(self.rest.minute(self, self.now))
        return said


@pytest.fixture
def table(firmware):
    return Table


def test_it_dims_then_sleeps_then_moves(table):
    app = table()
    assert app.minutes(1) == [False] and not app.rest.dim
    app.minutes(1)
    assert app.rest.dim and app.lights == 1
    app.minutes(7)
    assert not app.shown and app.lights == 1
    below = app.screen
    app.minutes(1)
    assert app.screen.ASLEEP and app.screen.below is below
    assert app.minutes(3) == [True] * 3


@pytest.mark.parametrize("kind", ["RACE", "EXACT"])
def test_where_presses_are_timed_it_dims_and_never_sleeps(table, kind):
    app = table(**{kind: True})
    assert app.minutes(501)[1:] == [kind == "RACE"] * 500, "what may stand all night moves; a count is over soon"
    assert app.rest.dim and not app.shown


def test_who_sleeps_sooner_than_he_dims_sleeps_then(table):
    app = table(dim=10, sleep=5)
    app.minutes(4)
    assert not app.rest.dim and not app.shown
    app.minutes(1)
    assert app.screen.ASLEEP and app.rest.dim


def test_never_asleep_shifts_the_frame_each_minute_that_is_dim(table):
    app = table(sleep=0)
    shifts = []
    for _ in range(6):
        drawn = app.minutes(1)[0]
        shifts.append((drawn, app.rest.shifted))
    assert shifts == [(False, 0), (True, 1), (True, 0), (True, 1), (True, 0), (True, 1)]
    assert app.rest.rouse(app) and app.rest.shifted == 0, "the frame goes back to its place"
    assert not app.rest.rouse(app)


def test_a_press_begins_the_minutes_anew_and_looks_for_the_panel(table):
    app = table()
    app.minutes(5)
    app.now += 1000
    assert not app.rest.rouse(app)
    assert (app.rest.dim, app.lights, app.probes) == (False, 2, 1)
    assert app.rest.due == app.now + MINUTE_US
    app.now += MINUTE_US - 1000  # the minute is counted from the press
    app.rest.due = app.now
    assert app.rest.minute(app, app.now) is False and not app.rest.dim
    assert not app.rest.rouse(app) and app.probes == 1, "what was not dim has nothing to look for"


def test_weeks_of_minutes_end_in_a_number(table):
    app = table(ASLEEP=True)
    assert all(app.minutes(20_000)[2:])
    assert app.rest._minutes == 10_000 and app.screen.moves == 20_000 - 1
