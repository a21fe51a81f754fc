"""What things cost on a Pico, read off the emulated one: `python -m tools.bench` (make bench).

Everything here is exact and comes out the same on every machine: emulated microseconds, bytes on the bus, bytes of
heap. What each figure should be is in tools/budgets.py, and tests/test_budgets.py holds the firmware to it; --keep
notes today's figures there and in the README. Beside each figure stands what the unmodified driver's plain full
`show()` costs in the same program. Cycle counts know no cache misses and no flash stalls: times in which the core works
are lower bounds.
"""

import argparse
import functools
import importlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from host_sim import read_glass, run, tiers
from host_sim.board import Board, load
from host_sim.device import Device
from host_sim.firmware import BOARDS, ROOT
from host_sim.scenario import parse
from host_sim.tiers import rp2040_nursery
from host_sim.tiers.rp2040 import Rp2040Device
from tools import budgets

MS = 1000
SECOND = 1_000_000
BOOTED = 2 * SECOND  # by then all is imported that comes in idle time
APART = 20 * MS  # frames of a motion come 50 ms apart and more: so long without data ends one
ANSWERED = 150 * MS  # a press that is not on the glass by then is not answered
_PLAIN = "__import__('adafruit_ssd1306').SSD1306_I2C"
START = "from pouch.start import start\n\nstart()\n"
ALLOCATED = "__import__('gc').mem_alloc()"
FREE = run.FREE


class Step(NamedTuple):
    """A press that changed a score: us from its edge, and from the event that its screen binds, to the whole frame."""

    name: str
    edge_us: int
    event_us: int
    size: int  # of that frame, in bytes on the bus


class Bench:
    """A device that has booted, and what is measured on it.

    figures: by the keys of tools/budgets.py.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.figures: dict[str, float] = {}
        self.score_steps: list[Step] = []

    # -- hands -----------------------------------------------------------------------------------

    def press(self, role: str, hold_us: int = 60 * MS, after_us: int = 0) -> tuple[int, int]:
        """Press and release; the times of both edges."""
        device = self.device
        down = device.now
        device.key(role, True)
        device.run(down + hold_us)
        up = device.now
        device.key(role, False)
        device.run(up + after_us)
        return down, up

    def taps(self, roles: str) -> None:
        """Presses whose answers are not measured, each with the time to be answered."""
        for role in roles.split():
            self.press(role, after_us=ANSWERED)

    def wait(self, us: int) -> None:
        self.device.run(self.device.now + us)

    def ask(self, expression: str) -> int:
        return int(self.device.ask(expression))

    # -- measuring -------------------------------------------------------------------------------

    def frame_after(self, edge_us: int, shows: str = "") -> tuple[int, int]:
        """Run until the frame that answers an edge is whole: (us from the edge to its last byte, bytes on the bus).

        shows: a word that must stand on the glass then; frames without it are passed over. Raises ValueError.
        """
        device = self.device
        transfers = device.bus.transfers
        at = next((i for i, transfer in enumerate(transfers) if transfer.start_us >= edge_us), len(transfers))
        until = max(edge_us + ANSWERED, device.now)
        last, size = 0, 0
        while device.now < until or last:
            while at < len(transfers):
                transfer = transfers[at]
                if transfer.size > 1:  # no probe
                    if last and transfer.start_us - last > APART:
                        break
                    last, size = transfer.end_us, size + transfer.size + 1
                at += 1
            if last and device.now - last > APART:
                if not shows or shows in read_glass.text(device.page()).replace(" : ", " ").split():
                    return last - edge_us, size
                last = size = 0
            device.run(device.now + 2 * MS)
        raise ValueError(f"the glass does not show {shows!r}: it reads {read_glass.text(device.page())!r}")

    def answer(self, role: str, shows: str = "", held: bool = False) -> tuple[int, int, int]:
        """Press a key: (us from its edge to the whole frame, us of them until the event, bytes of the frame).

        held: the screen lets it be held, so that its release is the edge that counts.
        """
        device, edge = self.device, self.device.now
        device.key(role, True)
        if held:
            self.wait(60 * MS)
            edge = device.now
            device.key(role, False)
        us, size = self.frame_after(edge, shows)
        device.run(max(device.now, edge + 60 * MS))
        device.key(role, False)
        self.wait(ANSWERED)
        return us, (device.board.release_ms if held else device.board.press_ms) * MS, size

    def score(self, name: str, role: str, shows: str, held: bool = False) -> int:
        """A press that changes a score to what it `shows`; the bytes of the frame."""
        us, bound, size = self.answer(role, shows, held)
        self.score_steps.append(Step(name, us, us - bound, size))
        return size


@functools.cache
def board() -> Board:
    return load(BOARDS / "RPI_PICO" / "board.json")


@contextmanager
def booted(tier: str = "rp2040", spoiled: str = "", files: tuple[Path, ...] = ()) -> Iterator[Bench]:
    """A new device. spoiled: what makes it worse on purpose, as lines of Python before the app is started.

    Raises ValueError if this machine lacks the tier.
    """
    with tempfile.TemporaryDirectory() as folder:
        flash = Path(folder)
        run.put_files(board(), flash)
        for file in files:
            shutil.copy(file, flash)
            spoiled = f"import {file.stem}\n{spoiled}"
        if spoiled:
            (flash / "main.py").write_text(f"{spoiled}\n{START}", "utf-8")
        with tiers.make(tier, board(), flash) as device:
            device.power_on()
            yield Bench(device)


# -- the plays: what is measured on one device each -----------------------------------------------------


@contextmanager
def _here() -> Iterator[None]:
    """A Pico that is switched on runs in this process, not as a copy of one that has booted until it sleeps."""
    with mock.patch.object(rp2040_nursery, "nursery", lambda: None):
        yield


def _first_frame(bench: Bench) -> float:
    """From the supply to the first whole frame, in ms. Raises ValueError."""
    device = bench.device
    began = device.now
    first = len(device.bus.transfers)
    while device.now < began + 3 * SECOND:
        device.run(device.now + 50 * MS)
        transfers = device.bus.transfers[first:]
        whole = [t for t in transfers if t.data]
        # The display goes on with the command after the first whole frame.
        shown = [t for t in transfers if len(whole) > 7 and t.start_us > whole[7].start_us and not t.data]
        if shown:
            return (shown[0].end_us - began) / MS
    raise ValueError("the glass is dark three seconds after power-on")


def first_frame(bench: Bench) -> None:
    bench.figures["first_frame"] = _first_frame(bench)


def home(bench: Bench) -> None:
    """It stands at home, and nobody is there."""
    device, figures = bench.device, bench.figures
    device.run(BOOTED + SECOND)
    data = device.panel.data_bytes
    if not isinstance(device, Rp2040Device):
        bench.wait(20 * SECOND)
    else:
        figures["heap_home"] = bench.ask(FREE) / 1000
        alloc, awake = bench.ask(ALLOCATED), device.awake_us()
        bench.wait(20 * SECOND)
        figures["awake_idle"] = (device.awake_us() - awake) / (20 * SECOND) * 100
        figures["idle_heap"] = bench.ask(ALLOCATED) - alloc
    figures["bus_unchanged"] = device.panel.data_bytes - data


def stopwatch(bench: Bench) -> None:
    """Ten seconds of a round."""
    device = bench.device
    awake = device.awake_us() if isinstance(device, Rp2040Device) else 0
    seconds = []
    for _ in range(10):
        before = device.bus.bytes
        bench.wait(SECOND)
        seconds.append(device.bus.bytes - before)
    bench.figures["bus_second"] = max(seconds)
    if isinstance(device, Rp2040Device):
        bench.figures["awake_stopwatch"] = (device.awake_us() - awake) / (10 * SECOND) * 100


def zip_it(bench: Bench) -> None:
    """A round of ZIP-IT, which is undone, and another."""
    figures = bench.figures

    def to_glass(name: str, role: str, held: bool = False) -> None:
        us, bound, _ = bench.answer(role, held=held)
        figures[f"event_to_{name}"] = (us - bound) / MS
        bench.wait(SECOND)

    to_glass("play", "ok")
    to_glass("go", "ok", held=True)
    stopwatch(bench)
    to_glass("zip", "left")
    bench.wait(SECOND)
    bench.score("ZIP-IT, YES", "ok", "1", held=True)
    bench.wait(SECOND)
    bench.taps("back")
    bench.wait(SECOND)
    bench.taps("ok")
    bench.press("right", after_us=1500 * MS)
    bench.score("ZIP-IT, NO", "back", "1")
    bench.wait(SECOND)
    figures.update(p95(bench.score_steps, "_zip"))
    if isinstance(bench.device, Rp2040Device):
        figures["heap_played"] = bench.ask(FREE) / 1000


def zip_points(bench: Bench) -> None:
    """Points of ZIP-IT for both, each undone and done again."""
    bench.device.run(BOOTED)
    bench.taps("ok")
    points, undos = [], []
    scores = {"left": 0, "right": 0}
    for caller, answer in (("right", "ok"), ("left", "ok"), ("right", "back"), ("right", "ok"), ("left", "ok")) * 2:
        bench.taps("ok")
        bench.wait(SECOND)
        bench.press(caller, after_us=1500 * MS)
        scorer = caller if answer == "ok" else "left"
        scores[scorer] += 1
        points.append(bench.answer(answer, str(scores[scorer]), held=answer == "ok")[2])
        bench.wait(SECOND)
        undos.append(bench.answer("back", str(scores[scorer] - 1))[2])
        bench.wait(SECOND)
        bench.taps("left")
        bench.wait(SECOND)
    bench.figures["bus_question"] = max(points)
    bench.figures["bus_undo"] = max(undos)


def restored(bench: Bench) -> None:
    """The power goes in a match, and comes back."""
    device = bench.device
    device.power_off()
    with _here():  # only its first half second is wanted
        device.power_on()
        bench.figures["first_frame_restored"] = _first_frame(bench)


def _begin(bench: Bench, way: str) -> None:
    """The game that these presses on home lead to, as it is in the box."""
    bench.device.run(BOOTED)
    bench.taps(way)
    bench.wait(SECOND)
    bench.taps("ok ok")
    bench.wait(SECOND)


def tally(bench: Bench) -> None:
    """Points in a tally of two."""
    _begin(bench, "left left left")
    sizes = [bench.score("tally, +1", "right", str(points)) for points in range(1, 6)]
    sizes.append(bench.score("tally, -1", "left", "4"))
    bench.taps("ok")
    sizes += [bench.score("tally, +1", "right", str(points)) for points in range(1, 4)]
    bench.figures["bus_score"] = max(sizes)
    bench.figures.update(p95(bench.score_steps, "_tally"))


def crossed_words(bench: Bench) -> None:
    """A count, and its discs as totals."""
    _begin(bench, "right")
    began = bench.device.now
    bench.press("right")
    beats = []
    for beat in range(1, 5):
        bench.device.run(began + beat * SECOND)
        beats.append(bench.frame_after(bench.device.now)[1])
    bench.figures["bus_beat"] = max(beats)
    bench.device.run(began + 6500 * MS)
    bench.taps("left right ok ok left left ok left left")
    bench.score("Crossed Words, the totals", "ok", "+3", held=True)


def upwords(bench: Bench) -> None:
    """Turns by points, and a word."""
    _begin(bench, "right right")
    for score in ("10", "10", "20", "20"):
        bench.taps("left")
        bench.score("Upwords, the points", "ok", score, held=True)
    bench.taps("ok ok ok")
    bench.score("Upwords, the word", "ok", "28", held=True)


def plain(bench: Bench) -> None:
    """What the unmodified driver takes for a frame in the same program."""
    # In a copy of the running program, so that nothing of it is disturbed. The driver's one transfer of 1,025 bytes is
    # longer than our bus timeout: it gets an I2C of its own.
    bench.device.run(BOOTED)
    bus = "m.I2C(d['bus'], scl=m.Pin(d['scl']), sda=m.Pin(d['sda']), freq=d['frequency'])"
    address = "int(d['address'], 16)"
    oled = f"s(128, 64, __import__('pouch.hal.bus', None, None, ('Bus',)).Bus({bus}, {address}), addr={address})"
    timed = "(lambda o: (lambda a: (o.show(), t.ticks_diff(t.ticks_us(), a))[1])(t.ticks_us()))"
    us = bench.ask(
        f"(lambda m, d, t, s: {timed}({oled}))"
        f"(__import__('machine'), app.running.device.board['display'], __import__('time'), {_PLAIN})"
    )
    bench.figures["plain"] = us / MS


def wake(bench: Bench) -> None:
    bench.device.run(BOOTED + 20 * MS)
    assert isinstance(bench.device, Rp2040Device)
    bench.figures["wake"] = bench.device.wake_us("back", True)[0] / MS


def every_screen(bench: Bench) -> None:
    """The heap at home after every screen was opened."""
    result = run.Player(parse(ROOT / "tests" / "scenarios" / "tour.txt"), bench.device).play()
    if result.failure:
        raise ValueError(result.failure)
    bench.figures["heap_free"] = bench.ask(FREE) / 1000
    bench.taps("right")  # ZIP-IT
    bench.wait(3 * SECOND)
    bench.figures["heap_free_game"] = bench.ask(FREE) / 1000


def longest_step(spoiled: str = "") -> dict[str, float]:
    """The longest time without a look at the buttons, in ms, by screen: power-on, three games at home, a round."""
    # Here: it need not be kept for others, so that there is no other process that has to boot it.
    file = ROOT / "tools" / "on_board" / "steps.py"
    with _here(), booted(spoiled=spoiled, files=(file,)) as bench:
        bench.device.run(BOOTED)
        for role in ("right", "right", "left", "left"):  # each game's modules come and go
            bench.taps(role)
            bench.wait(SECOND)
        bench.taps("ok ok")
        bench.wait(1500 * MS)
        bench.press("left", after_us=1500 * MS)
        bench.taps("ok back")
        bench.wait(SECOND)
        told = [line.split() for line in bench.device.output if line.startswith("step ")]
    return {name: int(us) / MS for _, us, name in told}


def erases() -> float:
    """Of the flash for an entry that is kept, the mean of four games, on a new device and on one with a history."""
    power_cuts = importlib.import_module("tests.torture.power_cuts")
    return power_cuts.mean_erases(power_cuts.costs(0, 30))


def percentile(values: Iterable[int], percent: int) -> int:
    """The smallest of them that so many percent do not exceed."""
    ordered = sorted(values)
    return ordered[-(-len(ordered) * percent // 100) - 1]


def p95(steps: Sequence[Step], name: str = "") -> dict[str, float]:
    return {
        f"event_to_score{name}": percentile([step.event_us for step in steps], 95) / MS,
        f"edge_to_score{name}": percentile([step.edge_us for step in steps], 95) / MS,
    }


Play = Callable[[Bench], None]
# One device each. The bytes of BYTES are the same on the cpython tier, and sooner there.
QUICK: tuple[tuple[Play, ...], ...] = (
    (first_frame, home, zip_it, restored),
    (tally,),
    (crossed_words,),
    (upwords,),
)
BYTES: tuple[tuple[Play, ...], ...] = ((zip_points,),)
SLOW: tuple[tuple[Play, ...], ...] = ((plain,), (wake,), (every_screen,))


def play(plays: Iterable[Play], spoiled: str = "", tier: str = "rp2040") -> Bench:
    """These plays on one device. spoiled: see `booted`. Raises ValueError."""
    with booted(tier, spoiled) as bench:
        for each in plays:
            each(bench)
        return bench


def measure(quick: bool) -> tuple[dict[str, float], list[Step]]:
    """(the figures by their keys, the steps of scores). quick: only those of a minute. Raises ValueError."""
    figures: dict[str, float] = {}
    steps: list[Step] = []
    for plays in QUICK if quick else QUICK + SLOW:
        print(f"... {', '.join(each.__name__ for each in plays)}", file=sys.stderr, flush=True)
        bench = play(plays)
        figures.update(bench.figures)
        steps += bench.score_steps
    for plays in BYTES:
        figures.update(play(plays, tier="cpython").figures)
    figures.update(p95(steps))
    if not quick:
        figures["erases"] = erases()
    figures["longest_step"] = max(longest_step().values())
    return figures, steps


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("--keep", action="store_true", help="note these as today's figures, in the README too")
    parser.add_argument("--quick", action="store_true", help="only what `make test` looks at")
    args = parser.parse_args()
    reason = tiers.absent("rp2040") or (not args.quick and tiers.absent("micropython"))
    if reason:
        print(f"no bench without the tiers rp2040 and micropython: {reason}", file=sys.stderr)
        return 1
    figures, steps = measure(args.quick)
    show(figures, steps)
    if args.keep:
        budgets.note(figures)
    return 0


def show(figures: dict[str, float], steps: Sequence[Step]) -> None:
    """Print them, each beside the plain driver's and its budget."""
    lines = [("on the emulated RP2040, I2C at 400 kHz", "Pouch", "budget", "plain driver")]
    for one in budgets.BUDGETS:
        if one.key in figures:
            value = figures[one.key]
            mark = "" if one.met(value) else "  not met"
            lines.append((one.figure, one.told(value), one.aim, one.plain + mark))
    if "plain" in figures:
        lines.append(("a whole frame, the driver's plain show()", "-", "-", f"{figures['plain']:.1f} ms, 1,037 B"))
    lines += [
        (f"{step.name}: event to score, bus", f"{step.event_us / MS:.1f} ms, {step.size} B", "-", "28-33 ms, 1,037 B")
        for step in steps
    ]
    widths = [max(len(line[i]) for line in lines) for i in range(3)]
    for figure, told, aim, driver in lines:
        print(f"{figure:{widths[0]}}  {told:>{widths[1]}}  {aim:>{widths[2]}}  {driver}")


if __name__ == "__main__":
    sys.exit(main())
