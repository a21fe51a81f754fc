"""The power goes at every moment of some short plays, and nothing is lost. `make torture` cuts the long ones."""

import pytest
from pouch import settings
from pouch.frames import pack_value

from host_sim import run, tiers
from host_sim.scenario import parse
from tests.torture import power_cuts as cuts
from tests.torture.truth import GAME_KEYS

pico = tiers.absent("rp2040")
vm = tiers.absent("micropython")
on_the_pico = pytest.mark.skipif(pico is not None, reason=f"tier rp2040: {pico}")
in_the_vm = pytest.mark.skipif(vm is not None, reason=f"tier micropython: {vm}")


def check(recording, images, **how):
    result = cuts.torture(recording, **how)
    assert not result.failures, "\n".join(result.failures[:10])
    assert result.images > images
    return result


@pytest.mark.parametrize("path", sorted(cuts.HERE.glob("*.txt")), ids=lambda path: path.stem)
def test_the_plays_that_are_cut_for_hours_can_still_be_played(path):
    result = run.play(parse(path), "cpython")
    assert result.failure is None, result.failure


@on_the_pico
def test_presses_on_the_pico():
    """What a press does is on the flash 300 ms after it, and stays there."""
    recording = cuts.presses_on_chip(cuts.HERE / "short.txt")
    check(recording, 60)
    assert len(recording.latencies) == 5
    assert max(us for us, _ in recording.latencies) <= cuts.LATEST_US


def test_what_the_pico_noted_is_understood():
    """What is set is known from its commit on, with the press that did it; how long a match took is not waited for."""
    recording = cuts.Recording("noted", b"", [], [], [], cuts.Truth([cuts.Moment()], {}), timed=True)
    names, loud = settings.packed_names(("ANNA", "BEN")), {"sound": "quiet"}
    told = [
        ("v", 1_010, ("names", names)),
        ("k", 1_020, (1, 2, 700, True)),
        *(("b", 2_000, None), ("e", 3_000, None)),
        ("v", 900_000, ("duration", (1, 60))),
        ("v", 900_500, ("settings", loud)),
        *(("b", 901_000, None), ("e", 902_000, None)),
    ]
    cuts._understand(recording, [1_000], told)
    before, first, last = recording.truth.moments
    assert before.names != first.names == last.names == ("ANNA", "BEN")
    assert (first.clock, first.settings, last.settings) == ((1, 2, 700, True), before.settings, pack_value(loud))
    assert (recording.begins, recording.ends) == ([2_000, 901_000], [3_000, 902_000])
    assert recording.latencies == [(2_000, "names"), (2_000, "the clock"), (1_500, "settings")]


@on_the_pico
def test_an_evening_on_the_pico():
    check(cuts.walk_on_chip(1, 25, again=12), 200)


@in_the_vm
def test_every_byte_in_the_vm():
    check(cuts.walk_in_vm(7, 10, again=5), 800, every_byte=True)


@in_the_vm
@pytest.mark.parametrize("key", GAME_KEYS)
def test_an_evening_of_each_game_in_the_vm(key):
    check(cuts.walk_in_vm(8, 40, keys=(key,), again=20), 200)


@in_the_vm
@pytest.mark.parametrize("writer", cuts.CARELESS)
def test_a_careless_writer_is_caught(writer):
    recording = cuts.walk_in_vm(1, 30, again=15, writer=writer)
    assert cuts.torture(recording).failures


@in_the_vm
def test_an_ordinary_entry_costs_an_eighth_of_an_erase():
    """The flash wears out by erases, and one takes 45 ms."""
    measured = cuts.costs(0, 30)
    assert cuts.mean_erases(measured) <= cuts.MOST_ERASES
    assert max(cost.longest_ms for cost in measured) < 200
