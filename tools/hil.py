"""python -m tools.hil [SCENARIO ...]: scenarios on a real board, compared with the glass that the cpython tier draws.

Hands are a program's: it makes the edges where the keys' interrupts would. The glass is what the firmware knows to be
on the panel. What is kept on the board stays as it is: the app plays in a folder of its own.
"""

import argparse
import base64
import hashlib
import itertools
import struct
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from host_sim import run, tiers
from host_sim.board import BoardError
from host_sim.board import find as describe
from host_sim.device import ROLES, Device, DeviceError
from host_sim.firmware import ROOT
from host_sim.scenario import EXPECTING, SETTLE_US, Scenario, ScenarioError, Step, parse
from tools import build
from tools.board_link import Board, LinkError, add_port, bare, find
from tools.deploy import check

SCENARIOS = ROOT / "tests" / "scenarios"
_SCRIPT = Path(__file__).parent / "on_board" / "hil.py"
# What only a table can do to a board, or a simulator to its device.
_HANDS = {"wait", "press", "pair", "down", "up", "edges", "chatter", "mark", "save", *EXPECTING}
_WIDTH, _HEIGHT = 128, 64
_LONGEST_US = 1 << 29
_BURST, _BURST_US = 16, 50_000  # an edge by a program takes a Pico about 1 ms
_PATIENCE_S = 180  # what takes longer is played only if it is named

Say = Callable[[str], None]


@dataclass
class Part:
    """A scenario as a board plays it. events: (us, key or -1 for a look, down). looks: (line, glass) of each."""

    scenario: Scenario
    events: list[tuple[int, int, int]] = field(default_factory=list)
    looks: list[tuple[int, list[bytes]]] = field(default_factory=list)


class _Prompter(run.Player):
    """Plays on the simulator, and notes when the edges come and what the glass shows at each expectation."""

    def __init__(self, scenario: Scenario, device: Device) -> None:
        super().__init__(scenario, device)
        self.part = Part(scenario)
        key = device.key

        def noted(role: str, down: bool) -> None:
            if device.is_down(role) != down:
                self.part.events.append((device.now, ROLES.index(role), int(down)))
            key(role, down)

        device.key = noted  # type: ignore[method-assign]

    def _do(self, step: Step) -> None:
        super()._do(step)
        if step.verb in EXPECTING:
            device, part = self.device, self.part

            def look() -> None:
                part.events.append((device.now, -1, 0))
                part.looks.append((step.line, device.page()))

            # When it is compared between the tiers, too.
            device.at(device.now + (0 if step.verb in ("glass", "still") else SETTLE_US), look)
            device.run(device.now)


def unfit(scenario: Scenario) -> str | None:
    """Why a board can't play it by itself; None if it can."""
    if scenario.main:
        return "it has a main.py of its own"
    if scenario.ticks:
        return "it sets the clock"
    for step in scenario.steps:
        if step.verb not in _HANDS:
            return f"line {step.line}: {step.text}"
    return None


def rehearse(scenario: Scenario) -> Part:
    """Play it on the cpython tier. Raises DeviceError if it fails there."""
    board = run.board_of(scenario)
    with tempfile.TemporaryDirectory(prefix="pouch-hil-", ignore_cleanup_errors=True) as folder:
        flash = Path(folder)
        run.put_files(board, flash)
        with tiers.make("cpython", board, flash) as device:
            player = _Prompter(scenario, device)
            result = player.play()
            if result.failure:
                raise DeviceError(result.failure)
            return player.part


def packed(events: Sequence[tuple[int, int, int]]) -> bytes:
    """As on_board/hil.py reads them."""
    times = [0, *(at for at, _, _ in events)]
    return b"".join(
        struct.pack("<Ib", at - before, key if key < 0 else key << 1 | down)
        for before, (at, key, down) in zip(times, events, strict=False)
    )


def beyond(part: Part) -> str | None:
    """Why a program on a board can't make these edges when they are due; None if it can."""
    times = [0, *(at for at, _, _ in part.events)]
    wait = max((after - before for before, after in itertools.pairwise(times)), default=0)
    if wait >= _LONGEST_US:
        return f"a wait of {wait / 1e6:.0f} s is more than its clock can measure"
    edges = [at for at, key, _ in part.events if key >= 0]
    if any(after - before < _BURST_US for before, after in zip(edges, edges[_BURST:], strict=False)):
        return f"more than {_BURST} edges come within {_BURST_US // 1000} ms: only interrupts are as quick"
    return None


def rows(glass: bytes) -> list[bytes]:
    """The panel's memory, a byte for eight pixels of a column, as 64 rows of 128."""
    return [bytes(glass[(y >> 3) * _WIDTH + x] >> (y & 7) & 1 for x in range(_WIDTH)) for y in range(_HEIGHT)]


def play(board: Board, part: Part) -> list[str]:
    """What is not as on the cpython tier, one text each. Raises LinkError if the board could not play it."""
    board.safe_mode()
    board.run(bare(_SCRIPT.read_text()))
    seconds = part.events[-1][0] / 1e6 if part.events else 0
    events = base64.b64encode(packed(part.events)).decode()
    lines = board.run(f"play({events!r})", patience_s=seconds).split()
    if len(lines) != len(part.looks):
        raise LinkError(f"{board.place}: the board showed {len(lines)} glasses, not {len(part.looks)}")
    problems = []
    for told, (line, wanted) in zip(lines, part.looks, strict=True):
        glass = rows(base64.b64decode(told))
        if apart := run.pixels_apart(glass, wanted):
            problems.append(
                f"{part.scenario.path}:{line}: {apart} pixels are not as on the cpython tier; on the board:\n"
                f"{run.draw(glass)}\nand on the cpython tier:\n{run.draw(wanted)}"
            )
    return problems


def hil(files: Sequence[Path], board_id: str = "RPI_PICO", port: str | None = None, say: Say = print) -> int:
    """Play these (none: all) on the board and start its app again; returns how many were not as they should be.

    Raises LinkError, DeviceError and ScenarioError.
    """
    chosen = []
    all_there_are = not files
    for scenario in map(parse, files or sorted(SCENARIOS.glob("*.txt"))):
        reason = unfit(scenario)
        if reason:
            say(f"{scenario.path}: not for a board alone ({reason})")
        else:
            chosen.append(scenario)
    parts = []
    for part in map(rehearse, chosen):
        minutes = part.events[-1][0] / 60e6 if part.events else 0
        if reason := beyond(part):
            say(f"{part.scenario.path}: not for a board alone ({reason})")
        elif all_there_are and minutes * 60 > _PATIENCE_S:
            say(f"{part.scenario.path}: takes {minutes:.0f} minutes: name it, if you want it")
        else:
            parts.append(part)
    bad = 0
    with Board(find(port)) as board:
        say(f"Found {board.kind} at {board.place}.")
        try:
            wanted = build.contents(board_id)
            check(board.kind, describe(board_id), wanted["pack.mpy"])
            pack = board.digests([build.PACK])[build.PACK]
            if not pack or pack[1] != hashlib.sha256(wanted[build.PACK]).hexdigest():
                raise LinkError(f"{board.place}: the app on it is another than here: `make deploy` first.")
            for part in parts:
                problems = play(board, part)
                bad += bool(problems)
                say(f"{part.scenario.path}: {'FAILED' if problems else f'{len(part.looks)} glasses alike'}")
                for problem in problems:
                    say(problem)
        finally:
            board.restart()
    say(f"{len(parts)} scenarios on the board, {bad} failures")
    return bad


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.hil", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="SCENARIO", help="default: all that a board can play")
    parser.add_argument("--board", default="RPI_PICO", metavar="BOARD", help="what is on it (default: RPI_PICO)")
    add_port(parser)
    args = parser.parse_args()
    try:
        return 1 if hil(args.files, args.board, args.port) else 0
    except (LinkError, BoardError, DeviceError, ScenarioError, build.BuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
