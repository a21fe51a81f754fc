"""Each board that can be played here plays the whole match with the glass of the plain one."""

import dataclasses
import json

import pytest

from host_sim import run, tiers
from host_sim.board import find, load, load_all
from host_sim.scenario import parse
from tests.test_scenarios import FOLDER

ALL = sorted(load_all().items(), reverse=True)
MATCH = parse(FOLDER / "zip_match.txt")
SHORT = parse(FOLDER / "first_point.txt")
# One of each that the firmware can tell from another: it reads neither the chip nor a name.
PARTS = {json.dumps([board.raw[part] for part in ("buttons", "display", "piezo", "led")]): name for name, board in ALL}
BOARDS = [board for board in PARTS.values() if board != "RPI_PICO"]
# board.json's display on top of a board: what a maker's panel may need besides.
PANELS = {
    "sh1106-0": ("RPI_PICO_SH1106", {"column_offset": 0}),
}
CHILDREN = [tier for tier in ("cpython", "micropython") if not tiers.absent(tier)]


@pytest.fixture
def board_of(tmp_path):
    def make(name):
        if name not in PANELS:
            return find(name)
        base, display = PANELS[name]
        path = tmp_path / "MINE" / "board.json"
        path.parent.mkdir()
        path.write_text(json.dumps({"base": base, "id": "MINE", "name": "Mine", "display": display}), "utf-8")
        return load(path)

    return make


@pytest.mark.parametrize("name", [*BOARDS, *PANELS])
def test_the_whole_match_has_the_kept_frames(name, board_of):
    board = board_of(name)
    results = [run.play(MATCH, tier, board=board) for tier in CHILDREN]
    assert [result.failure for result in results] == [None] * len(CHILDREN)
    assert set(results[0].kept) == {step.args["name"] for step in MATCH.steps if step.verb == "glass"}
    assert not run.differences(results)


@pytest.mark.skipif(bool(tiers.absent("rp2040")), reason=tiers.absent("rp2040") or "")
def test_a_point_on_an_emulated_pico_with_an_sh1106():
    result = run.play(SHORT, "rp2040", board=find("RPI_PICO_SH1106"))
    assert result.failure is None
    assert not run.differences([run.play(SHORT, "cpython", board=find("RPI_PICO")), result])


@pytest.mark.torture
@pytest.mark.skipif(bool(tiers.absent("rp2040")), reason=tiers.absent("rp2040") or "")
@pytest.mark.parametrize("name", [name for name in BOARDS if not tiers.unfit("rp2040", find(name))])
def test_the_whole_match_on_an_emulated_pico_with_other_parts(name):
    result = run.play(MATCH, "rp2040", board=find(name))
    assert result.failure is None
    assert not run.differences([run.play(MATCH, "cpython", board=find("RPI_PICO")), result])


@pytest.mark.parametrize("name", ["RPI_PICO_W", "RPI_PICO2", "RPI_PICO2_W"])
def test_a_board_with_another_image_is_refused_there(name):
    assert tiers.unfit("cpython", find(name)) is None
    reason = tiers.unfit("rp2040", find(name))
    assert reason == f"the rp2040 tier runs RPI_PICO and its variants, not {name}: use another tier for it"


def test_a_scenario_may_name_a_variant(tmp_path):
    scenario = dataclasses.replace(SHORT, board="RPI_PICO_0X3D")
    assert run.board_of(scenario).display.address == 0x3D
    seen = []
    assert run.play(scenario, "cpython", watch=seen.append).failure is None
    assert {transfer.address for transfer in seen[0].bus.transfers} == {0x3D}
