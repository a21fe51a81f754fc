"""make hil: a scenario on the emulated Pico through mpremote, as on a real one, and what is said if a glass differs."""

import base64
from pathlib import Path
from types import SimpleNamespace

import pytest

from host_sim import run
from host_sim.board import find as describe
from host_sim.device import ROLES
from host_sim.scenario import parse
from host_sim.tiers import rp2040
from host_sim.tiers.rp2040 import Rp2040Device
from host_sim.tiers.rp2040_serial import SerialPort
from tests.test_board_link import Flash
from tests.test_deploy import build_flash, files_on
from tools import build, hil
from tools.board_link import LinkError, Place

ID = "RPI_PICO"
SHORT = hil.SCENARIOS / "bounce_is_one_press.txt"

absence = rp2040.absent()
on_the_pico = pytest.mark.skipif(absence is not None, reason=f"tier rp2040: {absence}")


def packed(rows: list[bytes]) -> bytes:
    """As the panel's memory has it."""
    return bytes(sum(rows[page * 8 + bit][x] << bit for bit in range(8)) for page in range(8) for x in range(128))


@on_the_pico
def test_a_scenario_on_a_board(tmp_path: Path) -> None:
    """Its bounces reach the ring as interrupts would bring them; the table's files are not touched."""
    files = {**build.contents(ID), "data/1.0.0": b"a match"}
    del files["main.py"]  # it would only have to be stopped
    rp2040.put_bare(tmp_path)
    (tmp_path / rp2040.FLASH).write_bytes(build_flash(files))
    said: list[str] = []
    with Rp2040Device(describe(ID), tmp_path) as device, SerialPort(device) as port:  # type: ignore[arg-type]
        assert hil.hil([SHORT, hil.SCENARIOS / "power_cut.txt"], port=port.path, say=said.append) == 0
        assert files_on(port) == files
    assert f"{SHORT}: 7 glasses alike" in said
    assert any("power_cut.txt: not for a board alone (line 12: power off" in line for line in said)
    assert said[-1] == "1 scenarios on the board, 0 failures"


def test_a_glass_that_differs_is_shown_beside_the_other() -> None:
    part = hil.rehearse(parse(SHORT))
    glasses = [packed(glass) for _, glass in part.looks]
    assert hil.rows(glasses[0]) == part.looks[0][1]
    glasses[2] = bytes([glasses[2][0] ^ 0b101]) + glasses[2][1:]
    told = "\n".join(base64.b64encode(glass).decode() for glass in glasses)
    board = SimpleNamespace(safe_mode=lambda: None, run=lambda code, patience_s=0: told, place=Place("COM7"))
    (problem,) = hil.play(board, part)  # type: ignore[arg-type]
    line = part.looks[2][0]
    assert problem.startswith(f"{SHORT}:{line}: 2 pixels are not as on the cpython tier")
    assert run.draw(part.looks[2][1]) in problem

    board.run = lambda code, patience_s=0: ""
    with pytest.raises(LinkError, match="showed 0 glasses, not 7"):
        hil.play(board, part)  # type: ignore[arg-type]


def test_a_board_with_another_app_is_refused_and_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(Flash):
        def digests(self, names: object) -> dict[str, tuple[int, str] | None]:
            return {build.PACK: (3, "ab")}

    board = Other({})
    monkeypatch.setattr(hil, "Board", lambda place: board)
    with pytest.raises(LinkError, match="the app on it is another than here: `make deploy` first"):
        hil.hil([SHORT], port="COM7", say=lambda text: None)
    assert board.done == ["restart"]


def test_what_a_board_is_to_play_is_what_the_simulator_did() -> None:
    part = hil.rehearse(parse(SHORT))
    ok = [(at, down) for at, key, down in part.events if key == ROLES.index("ok")]
    start = ok[0][0]
    assert [(at - start) // 1000 for at, _ in ok[:9]] == [0, 1, 2, 4, 7, 120, 121, 123, 128]
    assert [down for _, down in ok] == [1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert sum(key == -1 for _, key, _ in part.events) == len(part.looks) == 7


def test_most_scenarios_can_be_played_by_a_board() -> None:
    reasons = {path.stem: hil.unfit(parse(path)) for path in hil.SCENARIOS.glob("*.txt")}
    assert sum(reason is None for reason in reasons.values()) > len(reasons) // 3
    assert reasons["zip_match"] is None and reasons["dead_heat"] is None
    for name, reason in (
        ("a_long_round", "a wait of 1020 s"),
        ("chattering_in_a_race", "only interrupts are as quick"),
    ):
        assert reason in (hil.beyond(hil.rehearse(parse(hil.SCENARIOS / f"{name}.txt"))) or "")
    assert hil.beyond(hil.rehearse(parse(SHORT))) is None
    assert reasons["crash"] == "it has a main.py of its own"
    assert reasons["ticks_wrap"] == "it sets the clock"
