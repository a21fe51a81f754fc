"""Every scenario on every tier that this machine has: expectations hold, and the glasses are equal."""

from pathlib import Path

import pytest

from host_sim import run, tiers
from host_sim.scenario import parse

FOLDER = Path(__file__).parent / "scenarios"
# The longest first: a worker that takes one of them last keeps the other one waiting.
FILES = sorted(FOLDER.glob("*.txt"), key=lambda path: (path.stem not in ("tour", "zip_match"), path.stem))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path):
    scenario = parse(path)
    results = [run.play(scenario, tier) for tier in scenario.tiers if not tiers.absent(tier)]
    failures = [result.failure for result in results if result.failure]
    assert not failures, "\n" + "\n".join(failures)
    assert not run.differences(results)
    assert results and all(result.frames for result in results)
    known = run.read_screens(FOLDER / run.FRAMES)
    drawn_by = {name: by for result in results for name, by in result.drawn_by.items()}
    assert drawn_by == {name: known.get(name) for name in drawn_by}, f"`make accept` writes {run.SCREENS} anew"


def test_every_kept_frame_belongs_to_a_scenario():
    wanted = {step.args["name"] for path in FILES for step in parse(path).steps if step.verb == "glass"}
    kept = {path.stem for path in (FOLDER / run.FRAMES).glob("*.png")}
    assert kept == wanted


def test_scenarios_for_fewer_tiers_are_not_too_many_and_say_why():
    # look_* are pictures for the gallery: what they draw is drawn by the others on the emulated Pico.
    scenarios = [parse(path) for path in FILES if not path.name.startswith("look_")]
    few = [scenario for scenario in scenarios if scenario.tiers != tiers.TIERS]
    # tour.txt opens every screen there: a second or two for each of the others would double what the emulated Pico adds
    # to the suite.
    assert len(few) <= len(scenarios) * 0.55
    assert all(len(scenario.reason) > 20 for scenario in few)
