"""Plays a scenario on a device, and says exactly where and how the device disagreed."""

import ast
import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from host_sim import picture, read_glass, tiers
from host_sim.board import Board, find
from host_sim.chips.oled import packed
from host_sim.device import Device, DeviceError
from host_sim.firmware import BUILD
from host_sim.scenario import AFTER_US, BEFORE_POWER, BOUNCES, EXPECTING, MS, PRESS_US, SETTLE_US, Scenario, Step

BOOT_US = 2_000_000  # what a scenario waits after power-on, unless it begins with a step before it
POLL_US = 500  # how finely "within" looks: well under the 1 ms that expectations promise
# Who waits for longer than this is told of what stays: a tone, a text. To look twice in a ms for it takes seconds.
LONG_US = 5_000_000
LONG_POLL_US = 10_000
HANDS = ("press", "pair", "down", "up", "edges")
CRASHES = "data/crash.txt"
FRAMES = "frames"  # the folder of kept frames beside the scenarios
SCREENS = "screens.txt"  # in it: which screen drew each of them, and in which language


class Mismatch(Exception):
    """An expectation that does not hold: one line, and the glass is shown with it."""


FREE = "(__import__('gc').collect(), __import__('gc').mem_free())[1]"
_DRAWN_BY = (
    "(__import__('pouch.words', None, None, ('language',)).language, 'Crash' "
    "if 'pouch.screens.crash' in __import__('sys').modules else type(app.running.screen).__name__)"
)


@dataclass
class Result:
    """frames: (line, glass) after each expecting step. failure: None, or file, line, expectation and the glass."""

    scenario: Scenario
    tier: str
    failure: str | None = None
    line: int = 0
    frames: list[tuple[int, list[bytes]]] = field(default_factory=list)
    kept: dict[str, list[bytes]] = field(default_factory=dict)  # today's glass where a kept frame was asked for
    # On the cpython tier: the language and the screen's class that drew it.
    drawn_by: dict[str, tuple[str, str]] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)  # the names of those that are not as they were kept
    glass: list[bytes] | None = None
    virtual_us: int = 0
    heap: int | None = None  # bytes that were free where that was asked for last
    early: set[int] = field(default_factory=set)  # lines of texts that were met by the glass before the last press


def board_of(scenario: Scenario) -> Board:
    return find(scenario.board)


def put_files(board: Board, flash: Path, main: Path | None = None) -> None:
    """The files on a fresh device's flash that are not our build; main: a file that runs in the place of main.py."""
    flash.mkdir(parents=True, exist_ok=True)
    (flash / "board.json").write_text(json.dumps(board.raw), "utf-8")
    if main:
        shutil.copyfile(main, flash / "main.py")


class Player:
    """Plays one scenario. accept: keep the frames instead of comparing with them. out: where `save` writes."""

    def __init__(self, scenario: Scenario, device: Device, accept: bool = False, out: Path | None = None) -> None:
        self.scenario = scenario
        self.device = device
        self.accept = accept
        self.out = out or BUILD
        self.result = Result(scenario, device.tier)
        self._beeps = self._blinks = self._data = self._bus = 0
        self._presses = 0  # of hands since the mark, bounces and chatter apart
        self._before = -1  # the glass when hands last moved
        self._trace = b""  # the crashes that the scenario knows of

    def play(self) -> Result:
        result, device = self.result, self.device
        step = None
        try:
            first = self.scenario.steps[0].verb if self.scenario.steps else ""
            if first not in BEFORE_POWER:
                device.power_on()
                device.run(device.now + BOOT_US)
            for step in self.scenario.steps:
                self._do(step)
                if device.panel.complaints:
                    raise Mismatch("the panel got what it does not know: " + "; ".join(device.panel.complaints))
                if step.verb in EXPECTING:
                    if step.verb not in ("glass", "still"):
                        device.run(device.now + SETTLE_US)
                    result.frames.append((step.line, device.glass()))
        except (Mismatch, DeviceError) as error:
            line = step.line if step else 1
            self._fail(line, step.text if step else "power on", error)
        result.virtual_us = device.now
        return result

    def _fail(self, line: int, text: str, error: object) -> None:
        """Only the first failure is told: what comes after it mostly comes of it."""
        if self.result.failure is None:
            device = self.device
            self.result.line = line
            self.result.glass = device.glass()
            self.result.failure = (
                f"{self.scenario.path}:{line}: {text}\n{self._crashed()}  on {device.tier}, "
                f"{device.now / 1e6:.3f} s after power-on: {error}\n{draw(self.result.glass)}"
            )

    def _crash_file(self) -> bytes:
        try:
            return self.device.files().get(CRASHES, b"")
        except (DeviceError, OSError):
            return b""  # it failed at that, and there is a reason already

    def _crashed(self) -> str:
        """A line of the crash that was not expected: whatever else failed comes of it."""
        trace = self._crash_file()
        lines = [line.strip() for line in trace.decode(errors="replace").splitlines() if line.strip()]
        if trace == self._trace or not lines:
            return ""
        frames = [line for line in lines if line.startswith("File ")]
        told = f"{frames[-1]}: {lines[-1]}" if frames and not lines[-1].startswith("File ") else lines[-1]
        return f"  the firmware tripped: {told}\n"

    # -- steps -----------------------------------------------------------------------------------

    def _do(self, step: Step) -> None:
        device, a = self.device, step.args
        if step.verb in HANDS:
            self._before = device.panel.version
        if step.verb == "wait":
            device.run(device.now + a["us"])
        elif step.verb == "press":
            self._presses += 1
            self._press(a["role"], device.now, a["us"], a["bounce"])
            device.run(device.now + a["us"] + AFTER_US)
        elif step.verb == "pair":
            start = device.now
            first, second = a["roles"]
            self._presses += 2
            self._press(first, start, PRESS_US, a["bounce"])
            self._press(second, start + a["apart"], PRESS_US, None)
            device.run(start + a["apart"] + PRESS_US + AFTER_US)
        elif step.verb in ("down", "up"):
            self._presses += step.verb == "down"
            device.key(a["role"], step.verb == "down")
        elif step.verb == "edges":
            start, last = device.now, 0
            for role, times in a["keys"]:
                down = device.is_down(role)
                for ms in times:
                    down = not down
                    self._edge(role, start + round(ms * MS), down)
                last = max(last, round(times[-1] * MS))
            device.run(start + last)
        elif step.verb == "chatter":
            start, n = device.now, a["us"] // a["every"] // 2 * 2
            for i in range(n):
                self._edge(a["role"], start + i * a["every"], i % 2 == 0)
            device.run(start + a["us"])
        elif step.verb == "power":
            device.power_on() if a["on"] else device.power_off()
        elif step.verb == "panel":
            device.bus.plug() if a["present"] else device.bus.unplug()
        elif step.verb == "address":
            device.panel.address = a["address"]
        elif step.verb == "wires":
            device.bus.swapped = a["swapped"]
        elif step.verb == "wired":
            (device.miswired.add if a["wrong"] else device.miswired.discard)(a["role"])
        elif step.verb == "held":
            device.bus.held = a["held"]
        elif step.verb == "ctrl-c":
            device.interrupt()
        elif step.verb == "fill":
            device.fill(a["full"])
        elif step.verb == "file":
            self._file(a["name"], a["what"], a["text"])
        elif step.verb == "console":
            device.console(a["read"])
        elif step.verb == "nack":
            device.bus.nacks = a["count"]
        elif step.verb == "mark":
            self._mark()
        elif step.verb == "save":
            path = self.out / a["name"]
            path.parent.mkdir(parents=True, exist_ok=True)
            picture.save(device.glass(), path)
        elif step.verb == "glass":
            self._kept(step)
        elif step.verb == "still":
            before = packed(device.glass())
            version = device.panel.data_bytes
            device.run(device.now + a["us"])
            if packed(device.glass()) != before or device.panel.data_bytes != version:
                raise Mismatch("the glass changed")
        else:
            self._expect(step)

    def _edge(self, role: str, at: int, down: bool) -> None:
        self.device.at(at, lambda: self.device.key(role, down))

    def _press(self, role: str, start: int, us: int, bounce: str | None) -> None:
        closing, opening = BOUNCES[bounce] if bounce else ((0,), (0,))
        for i, ms in enumerate(closing):
            self._edge(role, start + round(ms * MS), i % 2 == 0)
        for i, ms in enumerate(opening):
            self._edge(role, start + us + round(ms * MS), i % 2 == 1)

    def _file(self, name: str, what: str, text: str | None) -> None:
        """Leave a file as a bad day leaves it."""
        device = self.device
        old = device.files().get(name)
        if old is None and what in ("zeros", "erased", "torn"):
            raise Mismatch(f"there is no {name} to spoil; there are {', '.join(sorted(device.files()))}")
        old = old or b""
        spoiled = {
            "gone": None,
            "empty": b"",
            "zeros": bytes(len(old)),
            "erased": b"\xff" * len(old),
            "torn": old[: len(old) * 2 // 3],
        }
        device.put_file(name, spoiled[what] if what in spoiled else (text or "").encode())
        if name == CRASHES:
            self._trace = self._crash_file()

    def _mark(self) -> None:
        self._beeps = self.device.piezo.beeps
        self._blinks = self.device.now
        self._data = self.device.panel.data_bytes
        self._bus = self.device.bus.bytes
        self._presses = 0

    # -- expectations ----------------------------------------------------------------------------

    def _expect(self, step: Step) -> None:
        """Check now, or look until it holds, at most `within` from now."""
        device = self.device
        within = step.args.get("within")
        until = device.now + (within or 0)
        pace = LONG_POLL_US if within and within > LONG_US else POLL_US
        read = step.verb in ("text", "no text")
        seen = None
        problem: str | None = ""
        while True:
            # Reading the glass takes ms: once a change is enough.
            look = (device.panel.version, device.bus.present, device.powered)
            if not read or look != seen:
                problem, seen = self._problem(step), look
            if problem is None:
                if read and device.panel.version == self._before:
                    self.result.early.add(step.line)
                return
            if device.now >= until:
                raise Mismatch(problem or "")
            device.run(min(until, device.now + pace))

    def _problem(self, step: Step) -> str | None:
        device, a, verb = self.device, step.args, step.verb
        if verb in ("text", "no text"):
            page = device.page()
            glass = read_glass.text(page)
            found = a["text"] in glass or a["text"] in read_glass.rows(page)
            if found == (verb == "text"):
                return None
            return f"the glass reads {glass!r}"
        if verb == "scores":
            scores = json.loads(device.ask("app.running.scores()"))
            return None if scores == a["scores"] else f"the scores are {scores}"
        if verb == "winner":
            winner = device.ask("app.running.winner()").strip("'\"") or "none"
            return None if winner == a["winner"] else f"the winner is {winner}"
        if verb == "heap":
            if device.tier != "rp2040":
                return None  # objects have other sizes there
            self.result.heap = free = int(device.ask(FREE))
            return None if free >= a["size"] else f"{free / 1000:.1f} kB are free"
        if verb == "prompt":
            return None if device.at_prompt else "the firmware still runs"
        if verb in ("has file", "no file"):
            files = {name: data for name, data in device.files().items() if fnmatch(name, a["name"])}
            if verb == "no file":
                return f"there is {', '.join(files)}" if files else None
            if not files:
                return f"there is none; there are {', '.join(sorted(device.files()))}"
            if a["text"] is not None and not any(a["text"].encode() in data for data in files.values()):
                return f"it is not in {', '.join(files)}: {next(iter(files.values()))!r}"
            self._trace = files.get(CRASHES, self._trace)
            return None
        if verb == "pitch":
            hz, want = device.piezo.frequency, device.piezo.heard(a["hz"])
            if hz == want or (hz is not None and want is not None and abs(hz - want) <= 1 + want // 200):
                return None if not device.piezo.pin_high else "the piezo's pin is high"
            return f"the piezo is {'silent' if hz is None else f'at {hz} Hz'}"
        if verb == "beeps":
            count = device.piezo.beeps - self._beeps
            if count != a["count"]:
                return f"{count} beeps since the last mark"
            return None
        if verb == "blinks":
            count = sum(on for at, on in device.led.changes if at > self._blinks)
            return None if count == a["count"] else f"{count} blinks since the last mark"
        if verb == "presses":
            return None if self._presses <= a["count"] else f"{self._presses} presses since the last mark"
        if verb == "led":
            return None if device.led.on == a["on"] else f"the LED is {'on' if device.led.on else 'off'}"
        if verb == "bytes":
            count = device.panel.data_bytes - self._data if a["what"] == "data" else device.bus.bytes - self._bus
            if count == a["count"] if a["exact"] else count < a["count"]:
                return None
            return f"{count} bytes since the last mark"
        raise AssertionError(verb)

    def _kept(self, step: Step) -> None:
        device, name = self.device, step.args["name"]
        path = self.scenario.path.parent / FRAMES / f"{name}.png"
        device.run(device.now + (step.args["within"] or SETTLE_US))
        glass = device.glass()
        self.result.kept[name] = glass
        if device.tier == "cpython":
            self.result.drawn_by[name] = ast.literal_eval(device.ask(_DRAWN_BY))
        if self.accept:
            picture.save(glass, path, scale=1)
            return
        # A frame that looks different stops nothing: all of them are seen, and accepted, at once.
        if not path.exists():
            self.result.changed.append(name)
            self._fail(step.line, step.text, f"there is no kept frame {path}: look at the glass, then `make accept`")
            return
        differ = pixels_apart(glass, picture.load(path))
        if differ:
            self.result.changed.append(name)
            why = f"{differ} pixels differ from {path}; if today's glass is right: `make accept`"
            self._fail(step.line, step.text, why)


def play(
    scenario: Scenario,
    tier: str,
    accept: bool = False,
    out: Path | None = None,
    watch: Callable[[Device], None] | None = None,
    board: Board | None = None,
) -> Result:
    """Play a scenario on a fresh device of that tier. Raises ValueError if this machine lacks the tier.

    watch: gets the device before it is switched on. board: another than the scenario's.
    """
    board = board or board_of(scenario)
    flash = Path(tempfile.mkdtemp(prefix="pouch-"))
    try:
        put_files(board, flash, scenario.main)
        with tiers.make(tier, board, flash, scenario.ticks) as device:
            if watch:
                watch(device)
            return Player(scenario, device, accept, out).play()
    finally:
        shutil.rmtree(flash, ignore_errors=True)


def read_screens(folder: Path) -> dict[str, tuple[str, str]]:
    """{kept frame: (language, class of the screen that drew it)}, as `write_screens` left it."""
    path = folder / SCREENS
    found = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        name, language, screen = line.split()
        found[name] = (language, screen)
    return found


def write_screens(folder: Path, drawn_by: dict[str, tuple[str, str]]) -> None:
    """Add these to what is known of a folder of kept frames; what belongs to no frame any more goes."""
    known = read_screens(folder) | drawn_by
    lines = [f"{name} {' '.join(known[name])}\n" for name in sorted(known) if (folder / f"{name}.png").exists()]
    (folder / SCREENS).write_text("".join(lines), "utf-8")


def draw(glass: list[bytes]) -> str:
    """The glass as text, two rows a line, for a terminal."""
    marks = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    lines = ["┌" + "─" * 128 + "┐"]
    for upper, lower in zip(glass[::2], glass[1::2], strict=True):
        lines.append("│" + "".join(marks[p, q] for p, q in zip(upper, lower, strict=True)) + "│")
    return "\n".join([*lines, "└" + "─" * 128 + "┘"])


def pixels_apart(one: list[bytes], other: list[bytes]) -> int:
    return sum(p != q for a, b in zip(one, other, strict=True) if a != b for p, q in zip(a, b, strict=True))


def differences(results: list[Result]) -> list[str]:
    """Where tiers that both played a scenario to its end do not show the same glass, in one line each.

    Also a text that one of them found on the glass before the last press, and another on what came of it: it could be
    met by the wrong one wherever the Pico is slow.
    """
    found = []
    first = results[0]
    for other in results[1:]:
        for (line, glass), (_, theirs) in zip(first.frames, other.frames, strict=False):
            if glass != theirs:
                count = pixels_apart(glass, theirs)
                found.append(
                    f"{first.scenario.path}:{line}: {count} pixels differ between {first.tier} and {other.tier}"
                )
        for line in sorted(first.early ^ other.early):
            one, two = (first, other) if line in first.early else (other, first)
            found.append(
                f"{first.scenario.path}:{line}: on {one.tier} the glass before the press has that text too, "
                f"on {two.tier} it was met by the one after it; expect what only that one has"
            )
    return found
