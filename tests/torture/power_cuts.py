"""python -m tests.torture.power_cuts: the power goes at every moment of a play, and nothing is ever lost.

A play is recorded once, with every erase and program of the flash, or with every block that a littlefs writes. From
that an image is made for each moment at which the power can go: before and after each erase and program, torn within
it, with noise in what was being written. Each image is mounted by another littlefs, which may not write, and its files
are handed to the app's own code: what it finds must be what the play really had at that moment (truth.py).
"""

import ast
import contextlib
import json
import multiprocessing
import random
import shutil
import subprocess
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from littlefs import LittleFS, LittleFSError, UserContext

from tests.torture.memory import MemoryFiles
from tests.torture.truth import GAME_KEYS, Log, Lost, Moment, Truth, play

# isort: split
from pouch.frames import HEADER, SNAPSHOT, pack_value

from host_sim import run, tiers
from host_sim.board import load
from host_sim.firmware import BOARDS, FIRMWARE
from host_sim.scenario import parse
from host_sim.tiers.rp2040 import Rp2040Device
from tools import build

HERE = Path(__file__).resolve().parent
BOARD = "RPI_PICO"
LAYOUT = build.LAYOUTS[BOARD]
FOLDER = "data"
MS = 1000
ERASE_US, PROGRAM_US = 45 * MS, 400
LATEST_US = 300 * MS  # after a press: then it is kept
TORN = (0.25, 0.5, 0.9)

Op = tuple[int, str, int, bytes]  # time in us, "erase" or "program", place in the filesystem, bytes


@dataclass
class Recording:
    """A play: the filesystem before it, what was done to it, when each save began and ended, and its truth.

    timed: are the times those of the Pico's clock? Else they only count what was done to the flash.
    due: (time, order, entries) that a cut at that time or later must find. latencies: (us from a press to its commit,
    of what).
    """

    name: str
    base: bytes
    ops: list[Op]
    begins: list[int]
    ends: list[int]
    truth: Truth
    timed: bool = False
    due: list[tuple[int, int, int]] = field(default_factory=list)
    latencies: list[tuple[int, str]] = field(default_factory=list)
    presses: int = 0

    def between(self, at: int) -> tuple[int, int]:
        """The moments between which it is at that time."""
        return bisect_right(self.ends, at), bisect_right(self.begins, at)

    def least(self, at: int) -> tuple[int, int]:
        number = bisect_right(self.due, at, key=lambda due: due[0])
        return self.due[number - 1][1:] if number else (0, 0)


# -- the images --------------------------------------------------------------------------------------


class _Untouched(UserContext):
    """The bytes as they are: whoever mounts them may only read."""

    def __init__(self, buffer: bytearray) -> None:
        super().__init__(buffer=buffer)

    def read(self, cfg: Any, block: int, off: int, size: int) -> bytearray:
        start = block * LAYOUT.block_size + off
        return self.buffer[start : start + size]

    def prog(self, cfg: Any, block: int, off: int, data: bytes) -> int:
        raise Lost("reading wants to write")

    def erase(self, cfg: Any, block: int) -> int:
        raise Lost("reading wants to erase")


class _Copied(_Untouched):
    def prog(self, cfg: Any, block: int, off: int, data: bytes) -> int:
        start = block * LAYOUT.block_size + off
        self.buffer[start : start + len(data)] = data
        return 0

    def erase(self, cfg: Any, block: int) -> int:
        start = block * LAYOUT.block_size
        self.buffer[start : start + LAYOUT.block_size] = b"\xff" * LAYOUT.block_size
        return 0


def _mounted(context: UserContext) -> LittleFS:
    """Never formatted. Raises Lost."""
    filesystem = build.filesystem(LAYOUT, context)
    try:
        filesystem.mount()
    except LittleFSError as error:
        raise Lost(f"it cannot be mounted: {error}") from None
    return filesystem


def files_of(image: bytearray) -> dict[str, bytes]:
    """The app's files. Raises Lost."""
    filesystem = _mounted(_Untouched(image))
    found = {}
    try:
        if FOLDER in filesystem.listdir("/"):
            for name in filesystem.listdir(FOLDER):
                with filesystem.open(f"{FOLDER}/{name}", "rb") as file:
                    found[name] = file.read()
    except LittleFSError as error:
        raise Lost(f"it cannot be read: {error}") from None
    return found


class ImageFiles:
    """As pouch.hal.files.Files, on a copy of an image, which a littlefs writes to."""

    def __init__(self, image: bytes) -> None:
        self._filesystem = _mounted(_Copied(bytearray(image)))
        self._filesystem.makedirs(FOLDER, exist_ok=True)

    def names(self) -> list[str]:
        return [name for name in self._filesystem.listdir(FOLDER) if not name.endswith(".new")]

    def read(self, name: str) -> bytes | None:
        try:
            with self._filesystem.open(f"{FOLDER}/{name}", "rb") as file:
                return file.read()
        except OSError:
            return None

    def size(self, name: str) -> int:
        return len(self.read(name) or b"")

    def append(self, name: str, data: bytes) -> None:
        self._open(name, "ab", data)

    def write(self, name: str, data: bytes) -> None:
        self._open(name, "wb", data)

    def replace(self, name: str, data: bytes) -> None:
        self.write(name + ".new", data)
        self.rename(name + ".new", name)

    def rename(self, old: str, new: str) -> None:
        self._filesystem.rename(f"{FOLDER}/{old}", f"{FOLDER}/{new}")

    def remove(self, name: str) -> None:
        self._filesystem.remove(f"{FOLDER}/{name}")

    def _open(self, name: str, mode: str, data: bytes) -> None:
        with self._filesystem.open(f"{FOLDER}/{name}", mode) as file:
            file.write(data)


def cuts(base: bytes, ops: list[Op], seed: int = 1, every_byte: bool = False) -> Iterator[tuple[int, str, bytearray]]:
    """(number of the operation, what the cut is, the image) for every moment. The image is only lent.

    every_byte: not at three places, but before every byte.
    """
    image = bytearray(base)
    chance = random.Random(seed)
    for number, (_, op, at, data) in enumerate(ops):
        yield number, "before", image
        end = at + (LAYOUT.block_size if op == "erase" else len(data))
        old = bytes(image[at:end])
        # A chip can only clear bits when it programs.
        new = b"\xff" * len(old) if op == "erase" else bytes(a & b for a, b in zip(old, data, strict=True))
        if every_byte and op == "program":
            # Two cuts with nothing new between them leave the same.
            torn = [size for size in range(1, len(old)) if old[size - 1] != new[size - 1]]
        else:
            torn = [int(len(old) * part) for part in TORN]
        for size in torn:
            image[at : at + size] = new[:size]
            yield number, f"torn after {size}", image
            image[at:end] = old
        noise = chance.randbytes(len(old))
        size = chance.randrange(len(old))
        image[at:end] = new[:size] + noise[size:]
        yield number, f"noise after {size}", image
        image[at:end] = new
    yield len(ops), "after all", image


@dataclass
class Result:
    images: int = 0
    failures: list[str] = field(default_factory=list)
    states: int = 0  # that are different

    def add(self, other: "Result") -> None:
        self.images += other.images
        self.failures += other.failures
        self.states += other.states


def torture(
    recording: Recording, seed: int = 1, share: tuple[int, int] = (0, 1), every: int = 1, every_byte: bool = False
) -> Result:
    """Cut the power at each moment. share: (k, n) looks at each n-th operation from the k-th on; every: likewise."""
    result = Result()
    seen: dict[tuple, str] = {}
    for number, what, image in cuts(recording.base, recording.ops, seed, every_byte):
        if number // every % share[1] != share[0] or number % every:
            continue
        result.images += 1
        at = recording.ops[min(number, len(recording.ops) - 1)][0]
        low, high = (
            recording.between(at) if number < len(recording.ops) else (len(recording.ends), len(recording.begins))
        )
        try:
            files = files_of(image)
            key = (low, high, recording.least(at), tuple(sorted(files.items())))
            if key not in seen:
                seen[key] = _reason(_check, recording, files, low, high, at, number)
            reason = seen[key]
            if not reason and result.images % 8 == 0:
                # And a littlefs can go on with what the other one has left.
                reason = _reason(recording.truth.check, ImageFiles(image), low, high, 4, number)
        except Lost as lost:
            reason = str(lost)
        if reason:
            result.failures.append(f"{recording.name}: operation {number}, {what}: {reason}")
    result.states = len(seen)
    return result


def _reason(check: Callable, *args: Any) -> str:
    """Why it failed, "" if it did not. The app may raise anything when it finds what it does not expect."""
    try:
        check(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _check(recording: Recording, files: dict[str, bytes], low: int, high: int, at: int, number: int) -> None:
    more = 40 if number % 16 == 0 else 3
    found = recording.truth.check(MemoryFiles(files), low, high, more=more, seed=number)
    if found < recording.least(at):
        raise Lost(f"{found} is older than {LATEST_US // MS} ms: {recording.least(at)}")


# -- the plays ---------------------------------------------------------------------------------------


def _device(flash: Path, main: str, modules: tuple[str, ...]) -> Rp2040Device:
    """A Pico that is switched off, with another main.py and modules of ours."""
    board = load(BOARDS / BOARD / "board.json")
    run.put_files(board, flash)
    (flash / "main.py").write_text(main)
    for name in modules:
        (flash / f"{name}.mpy").write_bytes(build._compile(HERE / f"{name}.py", f"{name}.py", "armv6m"))
    device = tiers.make("rp2040", board, flash)
    assert isinstance(device, Rp2040Device)
    device.flash_log = []
    return device


def _ops(device: Rp2040Device) -> list[Op]:
    assert device.flash_log is not None
    return [(at, op, place - LAYOUT.start, data) for at, op, place, data in device.flash_log]


def _filesystem(device: Rp2040Device) -> bytes:
    """As it is before the first power-on."""
    return device._first_content()[LAYOUT.start : LAYOUT.start + LAYOUT.blocks * LAYOUT.block_size]


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="pouch-cuts-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def walk_on_chip(seed: int, steps: int, keys: tuple = GAME_KEYS, again: int = 40) -> Recording:
    """An evening of all games on the emulated Pico, by driver.py; its truth is the same evening on the host."""
    truth, files, _ = play(seed, steps, keys, again)
    with _folder() as flash:
        (flash / "evening").write_text(json.dumps([seed, steps, keys, again]))
        with _device(flash, "import driver\n", ("driver", "table", "walk")) as device:
            base = _filesystem(device)
            device.power_on()
            while "OVER" not in device.output:
                device.run(device.now + 250 * MS)
            kept = {name[5:]: data for name, data in device.files().items() if name.startswith(f"{FOLDER}/")}
            if kept != files.files:
                raise Lost("the Pico has not kept what the host has")
            times = [int(word) for line in device.output if line[:2] == "T " for word in line.split()[1:]]
            return Recording(f"evening {seed} on the Pico", base, _ops(device), times[::2], times[1::2], truth, True)


def _in_vm(*words: object) -> tuple[bytes, list[Op], list[int], list[int], bytearray]:
    """What vm.py did: the filesystem before it, every write, when each save began and ended, the filesystem after it.

    Times are numbers of what was done to the flash.
    """
    with _folder() as folder:
        out = folder / "out"
        command = [tiers.micropython_binary(), "-X", "heapsize=64m", HERE / "vm.py", out, *words]
        path = f"{HERE}:{HERE.parent / 'rules'}:{FIRMWARE}"
        subprocess.run(list(map(str, command)), check=True, env={"MICROPYPATH": path})
        lines = out.read_text().splitlines()
    image = bytearray(b"\xff" * (LAYOUT.blocks * LAYOUT.block_size))
    base = b""
    ops: list[Op] = []
    begins: list[int] = []
    ends: list[int] = []
    for line in lines:
        kind, *rest = line.split()
        if kind == "S":
            base, ops = bytes(image), []
        elif kind in "BE":
            (begins if kind == "B" else ends).append(2 * len(ops))
        else:
            at = int(rest[0])
            data = bytes.fromhex(rest[1]) if kind == "P" else b""
            ops.append((2 * len(ops) + 1, "program" if data else "erase", at, data))
            image[at : at + (len(data) or LAYOUT.block_size)] = data or b"\xff" * LAYOUT.block_size
    return base, ops, begins, ends, image


def walk_in_vm(seed: int, steps: int, keys: tuple = GAME_KEYS, again: int = 40, writer: str = "") -> Recording:
    """An evening on the littlefs of the unix VM. writer: a careless one of vm.py."""
    truth, files, _ = play(seed, steps, keys, again)
    base, ops, begins, ends, image = _in_vm("evening", seed, steps, ",".join(keys), again, writer)
    if not writer and files_of(image) != files.files:
        raise Lost("the VM has not kept what the host has")
    return Recording(f"evening {seed} in the VM{', ' * bool(writer)}{writer}", base, ops, begins, ends, truth)


@dataclass
class Cost:
    """What keeping costs: a match of ordinary entries, each kept by itself."""

    name: str
    entries: int
    erases: int
    mean_ms: float
    longest_ms: float

    @property
    def per_entry(self) -> float:
        return self.erases / self.entries


def _ms(ops: list[Op]) -> float:
    pages = sum((len(data) + 255) // 256 for _, _, _, data in ops)
    return (sum(op == "erase" for _, op, _, _ in ops) * ERASE_US + pages * PROGRAM_US) / MS


def ordinary(key: str, records: int, entries: int = 319, writer: str = "") -> Cost:
    """Measured in the VM; the time is the flash's own. writer: a careless one of vm.py."""
    _, ops, begins, ends, _ = _in_vm("ordinary", key, entries, records, writer)
    saves = [ops[begin // 2 : end // 2] for begin, end in zip(begins, ends, strict=True)]
    # What goes on between the saves counts, too: the files of the match before are removed.
    erases = sum(op == "erase" for _, op, _, _ in ops[begins[0] // 2 :])
    times = [_ms(save) for save in saves]
    return Cost(f"{key}, {records} records", len(saves), erases, sum(times) / len(times), max(times))


def presses_on_chip(path: Path) -> Recording:
    """A scenario, played on the emulated Pico by its keys. What the app had to keep, and when, is what watch.py saw."""
    scenario = parse(path)
    main = "import watch\nfrom pouch.start import start\n\nstart()\n"
    with _folder() as flash, _device(flash, main, ("watch",)) as device:
        base = _filesystem(device)
        edges: list[int] = []
        seen: list[tuple[str, int, Any]] = []
        _listen(device, edges, seen)
        result = run.Player(scenario, device).play()
        if result.failure:
            raise Lost(result.failure)
        device.power_off()
    recording = Recording(f"{path.stem} on the Pico", base, _ops(device), [], [], Truth([Moment()], {}), True)
    recording.presses = len(edges) // 2
    _understand(recording, edges, seen)
    return recording


def _listen(device: Rp2040Device, edges: list[int], seen: list[tuple[str, int, Any]]) -> None:
    """Note the times of all edges, and what watch.py saw until each power-off, all on the device's clock."""
    key, power_on, power_off = device.key, device.power_on, device.power_off
    since = [0]

    def on() -> None:
        since[0] = device.now
        power_on()

    def off() -> None:
        if device.powered:
            for line in device.ask("__import__('watch').tell()").splitlines()[:-1]:
                kind, at, what = ast.literal_eval(line)
                seen.append((kind, since[0] + at, what))
        power_off()

    def edge(role: str, down: bool) -> None:
        edges.append(device.now)
        key(role, down)

    device.power_on, device.power_off, device.key = on, off, edge  # type: ignore[method-assign]


def _understand(recording: Recording, edges: list[int], seen: list[tuple[str, int, Any]]) -> None:
    """The moments, the true journals, and how long after its press each thing was kept."""
    logs: dict[int, bytes] = {}
    counts: dict[int, int] = {}
    now = Moment()
    waiting: list[tuple[int, int, str]] = []  # (time, of the press, what) of what is not kept yet
    moments = recording.truth.moments
    for kind, at, what in seen:
        pressed = edges[max(0, bisect_right(edges, at) - 1)]
        # What does not come at once after an edge is no press: a clock's, or the end of a call that stood for a while.
        begun = pressed if at - pressed < 150 * MS else at
        if kind == "a":
            order, data = what
            logs[order] = logs.get(order, b"") + data
            payload = data[5 if data[0] & 127 == 127 else 3]
            if payload < HEADER or payload > SNAPSHOT:
                counts[order] = counts.get(order, 0) + 1
                now = replace(now, order=order, count=counts[order])
                waiting.append((at, begun, f"entry {counts[order]} of match {order}"))
                recording.due.append((begun + LATEST_US, order, counts[order]))
        elif kind == "k":
            now = replace(now, clock=tuple(what))
            waiting.append((at, begun, "the clock"))
        elif kind == "v":
            name, value = what
            if name == "settings":
                now = replace(now, settings=pack_value(value))
            elif name == "names":
                now = replace(now, names=value[1])
            else:
                continue  # how long the match was on the table: a minute of that may be lost
            waiting.append((at, begun, name))
        elif kind == "b":
            recording.begins.append(at)
        else:
            recording.ends.append(at)
            moments.append(now)
            recording.latencies += [(at - begun, what) for _, begun, what in waiting]
            waiting = []
    recording.truth.logs = {order: Log(data) for order, data in logs.items()}


# -- all of it ---------------------------------------------------------------------------------------

PLAYS = sorted(path for path in HERE.glob("*.txt") if path.stem != "short")
CARELESS = ("remove and rename", "flush", "in place")
MOST_ERASES = 1 / 8


def costs(*records: int) -> list[Cost]:
    return [ordinary(key, count) for count in records for key in ("zip_it", "crossed_words", "upwords", "tally")]


def mean_erases(measured: list[Cost]) -> float:
    return sum(cost.erases for cost in measured) / sum(cost.entries for cost in measured)


def _recorded(job: tuple) -> Recording:
    what, *args = job
    return {"presses": presses_on_chip, "chip": walk_on_chip, "vm": walk_in_vm}[what](*args)


def _job(job: tuple) -> tuple[list[str], Result, list[int]]:
    """(lines to print, result, us from each press to its commit) of a play and its cuts: for a process of its own."""
    *job, every_byte = job
    started = time.monotonic()
    recording = _recorded(tuple(job))
    recorded = time.monotonic()
    result = torture(recording, every_byte=every_byte)
    erases = sum(op == "erase" for _, op, _, _ in recording.ops)
    lines = [
        f"{recording.name}: {len(recording.ops)} writes, {erases} of them erases, "
        f"in {len(recording.ends)} commits{f' of {recording.presses} presses' if recording.presses else ''}; "
        f"recorded in {recorded - started:.0f} s",
        f"  {result.images} images{', at every byte' if every_byte else ''}, {result.states} different states, "
        f"{len(result.failures)} failures, {time.monotonic() - recorded:.0f} s",
    ]
    if recording.timed:
        took = [(end - begin) / MS for begin, end in zip(recording.begins, recording.ends, strict=False)]
        lines.append(
            f"  a commit takes {sum(took) / len(took):.1f} ms, {max(took):.0f} at most, on the Pico's own clock"
        )
    if recording.latencies:
        waits = [us / MS for us, _ in recording.latencies]
        lines.append(f"  kept {sum(waits) / len(waits):.0f} ms after the press, {max(waits):.0f} at most")
    return lines, result, [us for us, _ in recording.latencies]


def main() -> int:
    jobs: list[tuple] = []
    if tiers.absent("rp2040"):
        print(f"no emulated Pico here: {tiers.absent('rp2040')}")
    else:
        jobs += [("presses", path, False) for path in PLAYS]
        jobs += [("chip", 1, 250, GAME_KEYS, 40, False)]
    if tiers.absent("micropython"):
        print(f"no VM here: {tiers.absent('micropython')}")
    else:
        jobs += [("vm", seed, 60, GAME_KEYS, 20, True) for seed in (2, 3, 4)]
        jobs += [("vm", seed, 400, GAME_KEYS, 60, False) for seed in (5, 6)]
    started = time.monotonic()
    total = Result()
    good = True
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for lines, result, waits in pool.imap_unordered(_job, jobs):
            print("\n".join(lines), flush=True)
            print("".join(f"  {failure}\n" for failure in result.failures[:20]), end="", flush=True)
            total.add(result)
            good = good and max(waits, default=0) <= LATEST_US
    if not tiers.absent("micropython"):
        for writer in CARELESS:
            caught = torture(walk_in_vm(1, 60, again=20, writer=writer))
            print(f"a careless writer ({writer}): caught in {len(caught.failures)} of {caught.images} images")
            good = good and bool(caught.failures)
        measured = costs(0, 30, 100)
        for cost in measured:
            print(
                f"{cost.name}: {cost.per_entry:.3f} erases an entry, "
                f"{cost.mean_ms:.1f} ms of flash, {cost.longest_ms:.0f} at most"
            )
        mean = mean_erases(measured)
        print(f"erases for each committed entry: {mean:.3f} (at most {MOST_ERASES})")
        good = good and mean <= MOST_ERASES
    seconds = time.monotonic() - started
    print(f"{total.images} images, {len(total.failures)} failures, {seconds:.0f} s")
    return 0 if good and total.images and not total.failures else 1


if __name__ == "__main__":
    sys.exit(main())
