"""What a press, a wait and a power-on may cost on a Pico: every figure of `make bench` against its guard.

tools/budgets.py says what each should be, tools/figures.json what it was when the README was written. A figure that
meets its budget is held to that, another to what it was. What is measured here is exact, and no wall time is in it.

The second half makes things worse on purpose, and each guard must see it: bytes on the cpython tier, whose bus carries
the same; what only the emulated Pico can tell on that, the dear ones in `make torture`.
"""

import pytest

from host_sim import tiers
from tests.torture import power_cuts
from tools import bench, budgets
from tools.budgets import BUDGETS

NOTED = budgets.noted()
OF = {one.key: one for one in BUDGETS}

pico = tiers.absent("rp2040")
vm = tiers.absent("micropython")
on_the_pico = pytest.mark.skipif(pico is not None, reason=f"tier rp2040: {pico}")
in_the_vm = pytest.mark.skipif(vm is not None, reason=f"tier micropython: {vm}")

ZIP = (bench.first_frame, bench.home, bench.zip_it)
TIMES = {"event_to_play", "event_to_go", "event_to_zip", "event_to_score_zip", "edge_to_score_zip"}
HEAP = {"idle_heap", "heap_home", "heap_played"}
AWAKE = {"awake_idle", "awake_stopwatch"}
STARTS = {"first_frame", "first_frame_restored"}
TALLY = {"event_to_score_tally", "edge_to_score_tally"}
POINTS = {"bus_question", "bus_undo"}


def problems(figures):
    """The figures that are worse than they may be, or so much better that what is noted is not true."""
    found = [OF[key].worse(value, NOTED[key]) or OF[key].stale(value, NOTED[key]) for key, value in figures.items()]
    return "\n".join(filter(None, found))


def caught(figures):
    return {key for key, value in figures.items() if OF[key].worse(value, NOTED[key])}


# -- today's firmware ----------------------------------------------------------------------------------


@on_the_pico
def test_no_figure_is_worse_than_it_may_be():
    figures, _ = bench.measure(quick=True)
    assert set(figures) == {one.key for one in BUDGETS if not one.slow}
    assert not problems(figures)


@on_the_pico
@pytest.mark.torture
def test_nor_is_one_that_takes_long_to_measure():
    figures, steps = bench.measure(quick=False)
    assert set(figures) - {"plain"} == set(OF)
    assert not problems({key: value for key, value in figures.items() if key in OF})
    assert len({step.name.split(",")[0] for step in steps}) == 4  # games


# -- the table -----------------------------------------------------------------------------------------


def test_every_figure_has_a_guard():
    assert set(NOTED) == set(OF)
    # Every day: test_an_edge_wakes_the_sleeping_loop_within_200_us (test_rp2040.py) and
    # test_an_ordinary_entry_costs_an_eighth_of_an_erase (test_power_cuts.py). tour.txt expects the heap's budget, and
    # in `make torture` there is the one above.
    assert {one.key for one in BUDGETS if one.slow} == {"wake", "erases", "heap_free", "heap_free_game"}


def test_the_readme_has_todays_table():
    text = budgets.README.read_text("utf-8")
    assert budgets.readme(text, NOTED) == text, ".venv/bin/python -m tools.bench --keep writes it"
    assert all(one.figure in text for one in BUDGETS if one.shown)


@pytest.mark.parametrize("one", BUDGETS, ids=lambda one: one.key)
def test_a_budget_that_is_not_met_says_why_and_what_comes_next(one):
    if not one.met(NOTED[one.key]):
        assert len(one.reason) > 20 and one.next
        assert one.reason in budgets.table(NOTED) and one.next in budgets.table(NOTED)


# -- worse on purpose ----------------------------------------------------------------------------------


@pytest.mark.parametrize("one", BUDGETS, ids=lambda one: one.key)
def test_a_guard_sees_a_figure_that_is_a_little_worse(one):
    noted = NOTED[one.key]
    guard = one.guard(noted)
    assert one.worse(noted, noted) is None and one.stale(noted, noted) is None
    assert one.worse(guard, noted) is None
    step = 0.01 * max(guard, 1)
    assert one.figure in one.worse(guard - step if one.more else guard + step, noted)
    if one.budget is not None and one.met(noted):
        assert guard == one.budget
    else:
        assert abs(guard - noted) < 0.051 * noted
    much = noted * (1.2 if one.more else 0.8)
    assert not noted or one.stale(much, noted)


SENDS_ALL = """
from pouch.hal.oled import Oled
_show = Oled.show
def show(oled):
    oled._stale = True
    return _show(oled)
Oled.show = show
"""
DRAWS_AT_EVERY_LOOK = """
_probe = Oled.probe
Oled.probe = lambda oled: _probe(oled) or True
"""
BUSY = """
from time import ticks_diff, ticks_us
from pouch.app import App
_step = App.step
def step(app):
    began = ticks_us()
    while ticks_diff(ticks_us(), began) < 20000:
        pass
    return _step(app)
App.step = step
"""
ALLOCATES = """
_busy = App.step
def step(app):
    bytearray(8)
    return _busy(app)
App.step = step
"""
BUSY_AFTER_A_LOOK = """
from time import ticks_diff, ticks_us
from pouch.store import Store
tidy = Store.tidy
def busy(store):
    began = ticks_us()
    while ticks_diff(ticks_us(), began) < 90000:
        pass
    return tidy(store)
Store.tidy = busy
"""
KEEPS = """
kept = bytearray(10000)
"""
IMPORTS_MORE = """
from pouch.screens import PLAYED
for name in PLAYED["timer"]:
    __import__(name)
"""


@pytest.mark.parametrize(
    ("plays", "spoiled", "keys"),
    [
        ((bench.zip_points,), SENDS_ALL, POINTS),
        (ZIP, SENDS_ALL, {"bus_second"}),
        (ZIP[:2], SENDS_ALL + DRAWS_AT_EVERY_LOOK, {"bus_unchanged"}),
        ((bench.tally,), SENDS_ALL, {"bus_score"}),
        ((bench.crossed_words,), SENDS_ALL, {"bus_beat"}),
    ],
    ids=["points", "second", "idle", "tally", "count"],
)
def test_bytes_that_need_not_be_sent_are_seen(plays, spoiled, keys):
    figures = bench.play(plays, tier="cpython").figures
    assert not caught({key: figures[key] for key in keys})
    figures = bench.play(plays, spoiled, tier="cpython").figures
    assert caught({key: figures[key] for key in keys}) == keys


@in_the_vm
@pytest.mark.parametrize("writer", ["in place", "remove and rename"])
def test_a_writer_that_erases_more_is_seen(writer):
    assert power_cuts.ordinary("tally", 0).per_entry <= power_cuts.MOST_ERASES == OF["erases"].budget
    assert power_cuts.ordinary("tally", 0, writer=writer).per_entry > power_cuts.MOST_ERASES


def in_a_match(one):
    one.device.run(bench.BOOTED)
    one.taps("ok ok")
    one.wait(bench.SECOND)


@on_the_pico
@pytest.mark.parametrize(
    ("plays", "spoiled", "keys"),
    [
        (ZIP, BUSY + ALLOCATES + KEEPS, TIMES | AWAKE | HEAP),
        pytest.param((bench.tally,), BUSY, TALLY, marks=pytest.mark.torture),
        ((bench.first_frame, in_a_match, bench.restored), IMPORTS_MORE, STARTS),
    ],
    ids=["busy, allocates, keeps", "busy in a tally", "imports at power-on"],
)
def test_time_and_memory_on_the_pico_that_need_not_be_are_seen(plays, spoiled, keys):
    assert caught(bench.play(plays, spoiled).figures) >= keys


@on_the_pico
@pytest.mark.torture
def test_a_longer_step_is_seen():
    assert caught({"longest_step": max(bench.longest_step(BUSY_AFTER_A_LOOK).values())})


@on_the_pico
@pytest.mark.torture
def test_a_slower_score_of_another_game_is_seen():
    steps = bench.play((bench.upwords,), BUSY).score_steps
    assert caught(bench.p95(steps)) == {"event_to_score", "edge_to_score"}


@on_the_pico
@pytest.mark.torture
def test_memory_that_every_screen_lacks_is_seen():
    assert caught(bench.play((bench.every_screen,), KEEPS).figures) == {"heap_free", "heap_free_game"}
