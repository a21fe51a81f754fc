"""Scenarios: text files of timed button edges, faults and expectations, one step a line, the same on every tier.

`tests/scenarios/README.md` is the language's reference for people; `STEPS` below is what the parser knows.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from host_sim.board import find
from host_sim.device import ROLES
from host_sim.firmware import ROOT
from host_sim.tiers import TIERS

MS = 1000
PRESS_US = 60 * MS  # how long `press` holds the key
AFTER_US = 40 * MS  # and how long it waits then: the release has settled
SETTLE_US = 60 * MS  # after an expecting step, before the glass is compared between tiers

# Contact bounce as (closing, opening) edges in ms: a fresh tactile switch, and a worn one. The odd edges are the
# contact's last word.
BOUNCES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "light": ((0, 0.3, 0.5), (0, 0.4, 0.6)),
    "heavy": ((0, 1, 2, 4, 7), (0, 1, 3, 4, 8)),
}


class ScenarioError(ValueError):
    """A line that can't be understood: file, line, and what to do."""


@dataclass(frozen=True)
class Step:
    line: int
    text: str
    verb: str
    args: dict


@dataclass
class Scenario:
    """path: the file. tiers: those it is for; reason: why not all. ticks: what the clock reads at power-on."""

    path: Path
    board: str = "RPI_PICO"
    tiers: tuple[str, ...] = TIERS
    reason: str = ""
    ticks: int = 0
    main: Path | None = None  # runs in the place of main.py
    steps: list[Step] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.stem


def duration(text: str) -> int:
    """Microseconds of "250us", "3ms", "1.2s" or "2min". Raises ValueError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(us|ms|s|min|h)", text)
    if not found:
        raise ValueError(f"{text!r} is no length of time: write 250us, 3ms, 1.2s, 2min or 1h")
    return round(
        float(found[1]) * {"us": 1, "ms": MS, "s": 1000 * MS, "min": 60_000 * MS, "h": 3_600_000 * MS}[found[2]]
    )


def _role(text: str) -> str:
    if text not in ROLES:
        raise ValueError(f"{text!r} is no button: there are {', '.join(ROLES)}")
    return text


def _numbers(text: str) -> list[float]:
    try:
        values = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise ValueError(f"{text!r} are no numbers of ms") from None
    if not values or sorted(values) != values:
        raise ValueError(f"the times {text!r} must be given, and rise")
    return values


_DUR = r"(\d+(?:\.\d+)?(?:us|ms|s|min|h))"
_WITHIN = rf"(?: within {_DUR})?"
_QUOTED = r'"((?:[^"\\]|\\.)*)"'


def _inside(name: str) -> str:
    """A file's name that leads nowhere else. Raises ValueError."""
    if name.startswith("/") or ".." in name.split("/"):
        raise ValueError(f"{name!r} leads out of its folder: name a file in it")
    return name


def _within(text: str | None) -> int | None:
    return duration(text) if text else None


# (pattern, verb, the arguments from the pattern's groups)
STEPS: list[tuple[str, str, Callable[[re.Match], dict]]] = [
    (rf"wait {_DUR}", "wait", lambda m: {"us": duration(m[1])}),
    (
        rf"press (\w+)(?: for {_DUR})?(?: bounce (light|heavy))?",
        "press",
        lambda m: {"role": _role(m[1]), "us": duration(m[2]) if m[2] else PRESS_US, "bounce": m[3]},
    ),
    (
        rf"hold (\w+) {_DUR}(?: bounce (light|heavy))?",
        "press",
        lambda m: {"role": _role(m[1]), "us": duration(m[2]), "bounce": m[3]},
    ),
    (
        rf"press (\w+), (\w+) {_DUR} apart(?: bounce (light|heavy))?",
        "pair",
        lambda m: {"roles": (_role(m[1]), _role(m[2])), "apart": duration(m[3]), "bounce": m[4]},
    ),
    (r"down (\w+)", "down", lambda m: {"role": _role(m[1])}),
    (r"up (\w+)", "up", lambda m: {"role": _role(m[1])}),
    (
        r"edges (.+)",
        "edges",
        lambda m: {"keys": [(_role(p.split()[0]), _numbers(" ".join(p.split()[1:]))) for p in m[1].split(";")]},
    ),
    (rf"expect text {_QUOTED}{_WITHIN}", "text", lambda m: {"text": m[1], "within": _within(m[2])}),
    (rf"expect no text {_QUOTED}{_WITHIN}", "no text", lambda m: {"text": m[1], "within": _within(m[2])}),
    (rf"expect glass ([\w-]+){_WITHIN}", "glass", lambda m: {"name": m[1], "within": _within(m[2])}),
    (
        rf"expect glass unchanged for {_DUR}",
        "still",
        lambda m: {"us": duration(m[1])},
    ),
    (
        rf"expect scores (-?\d+(?: -?\d+)*){_WITHIN}",
        "scores",
        lambda m: {"scores": [int(s) for s in m[1].split()], "within": _within(m[2])},
    ),
    (rf"expect winner (none|[^ ]+){_WITHIN}", "winner", lambda m: {"winner": m[1], "within": _within(m[2])}),
    (rf"expect piezo silent{_WITHIN}", "pitch", lambda m: {"hz": None, "within": _within(m[1])}),
    (rf"expect piezo (\d+) ?Hz{_WITHIN}", "pitch", lambda m: {"hz": int(m[1]), "within": _within(m[2])}),
    (r"expect (\d+) beeps?", "beeps", lambda m: {"count": int(m[1])}),
    (r"expect (\d+) blinks?", "blinks", lambda m: {"count": int(m[1])}),
    (r"expect at most (\d+) presses", "presses", lambda m: {"count": int(m[1])}),
    (rf"expect led (on|off){_WITHIN}", "led", lambda m: {"on": m[1] == "on", "within": _within(m[2])}),
    (
        r"expect (data|bus) (under|exactly) (\d+) bytes",
        "bytes",
        lambda m: {"what": m[1], "exact": m[2] == "exactly", "count": int(m[3])},
    ),
    (r"mark", "mark", lambda m: {}),
    (r"save ([\w./-]+\.png)", "save", lambda m: {"name": _inside(m[1])}),
    (r"power (on|off)", "power", lambda m: {"on": m[1] == "on"}),
    (r"ctrl-c", "ctrl-c", lambda m: {}),
    (r"flash (full|free)", "fill", lambda m: {"full": m[1] == "full"}),
    (
        rf"file ([\w./-]+) (gone|empty|zeros|erased|torn|{_QUOTED})",
        "file",
        lambda m: {"name": _inside(m[1]), "what": m[2], "text": m[3]},
    ),
    (rf"expect file ([\w./*-]+)( with {_QUOTED})?", "has file", lambda m: {"name": m[1], "text": m[3]}),
    (r"expect no file ([\w./*-]+)", "no file", lambda m: {"name": m[1]}),
    (r"expect heap (\d+)kB", "heap", lambda m: {"size": 1000 * int(m[1])}),
    (rf"expect prompt{_WITHIN}", "prompt", lambda m: {"within": _within(m[1])}),
    (r"panel (unplugged|plugged)", "panel", lambda m: {"present": m[1] == "plugged"}),
    (r"panel at (0x[0-9A-Fa-f]{2})", "address", lambda m: {"address": int(m[1], 16)}),
    (r"panel wires (swapped|right)", "wires", lambda m: {"swapped": m[1] == "swapped"}),
    (r"key (\w+) (miswired|mended)", "wired", lambda m: {"role": _role(m[1]), "wrong": m[2] == "miswired"}),
    (r"bus (held|free)", "held", lambda m: {"held": m[1] == "held"}),
    (r"console (read|unread)", "console", lambda m: {"read": m[1] == "read"}),
    (r"nack (\d+)", "nack", lambda m: {"count": int(m[1])}),
    (
        rf"chatter (\w+) every {_DUR} for {_DUR}",
        "chatter",
        lambda m: {"role": _role(m[1]), "every": duration(m[2]), "us": duration(m[3])},
    ),
]
EXPECTING = (
    "text",
    "no text",
    "glass",
    "still",
    "scores",
    "winner",
    "pitch",
    "beeps",
    "presses",
    "blinks",
    "led",
    "bytes",
    "has file",
    "no file",
    "heap",
    "prompt",
)

BEFORE_POWER = ("power", "down", "panel", "address", "wires", "wired", "held", "fill", "file")
"""A scenario that begins with one of these is not switched on for it: it says itself when."""

WHILE_OFF = ("address", "wires", "fill", "file")
"""What nobody can do to a device that runs."""

REFERENCE = ROOT / "tests" / "scenarios" / "README.md"


def parse(path: Path) -> Scenario:
    """Read a scenario file. Raises ScenarioError naming file, line and the remedy, or OSError."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: not UTF-8 text; save it as UTF-8") from None
    except (FileNotFoundError, NotADirectoryError):
        raise ScenarioError(f"{path}: there is no such file; the scenarios are tests/scenarios/*.txt") from None
    except IsADirectoryError:
        raise ScenarioError(f"{path}: this is a folder; name the files in it, as in {path}/*.txt") from None
    return read(text, path)


def read(text: str, path: Path) -> Scenario:
    """The scenario that a text is; path: what stands beside it and what messages name. Raises ScenarioError."""
    scenario = Scenario(path)
    powered = None  # before the first step
    for number, raw in enumerate(text.splitlines(), 1):
        line = _strip(raw)
        if not line:
            continue
        try:
            if not _header(scenario, line):
                step = read_step(number, line)
                if powered is None:
                    powered = step.verb not in BEFORE_POWER
                if step.verb in WHILE_OFF and powered:
                    raise ValueError(f"{line!r}: only while the power is off; put `power off` above it")
                if step.verb == "power":
                    powered = step.args["on"]
                scenario.steps.append(step)
        except ValueError as error:
            raise ScenarioError(f"{path}:{number}: {error}") from None
    if not any(step.verb in EXPECTING for step in scenario.steps):
        raise ScenarioError(f'{path}: expects nothing; add a line such as: expect text "GO!"')
    return scenario


def _strip(raw: str) -> str:
    """The line without its comment; a # between quotes is text."""
    quoted = False
    for i, character in enumerate(raw):
        if character == '"':
            quoted = not quoted
        elif character == "#" and not quoted:
            raw = raw[:i]
            break
    return " ".join(raw.split()) if '"' not in raw else raw.strip()


def _header(scenario: Scenario, line: str) -> bool:
    word, _, rest = line.partition(" ")
    if word not in ("tiers", "ticks", "board", "main"):
        return False
    if scenario.steps:
        raise ValueError(f"{word} stands before the first step")
    if word == "board":
        scenario.board = find(rest).id
    elif word == "main":
        scenario.main = scenario.path.parent / rest
        if not scenario.main.is_file():
            raise ValueError(f"there is no {scenario.main}")
    elif word == "ticks":
        base, _, minus = rest.replace(" ", "").partition("-")
        base_value = 1 << 30 if base == "2^30" else int(base)
        scenario.ticks = (base_value - int(minus or "0")) % (1 << 30)
    else:
        names, because, reason = rest.partition(" because ")
        tiers = tuple(names.split())
        for tier in tiers:
            if tier not in (*TIERS, "all"):
                raise ValueError(f"no tier {tier!r}: there are {', '.join(TIERS)} and all")
        if tiers != ("all",):
            if not because or not reason.strip():
                raise ValueError("say why it is not for all: tiers cpython micropython because ...")
            scenario.tiers, scenario.reason = tiers, reason.strip()
    return True


def read_step(number: int, line: str) -> Step:
    """A line without its comment. Raises ValueError with the remedy."""
    reasons = []
    for pattern, verb, args in STEPS:
        found = re.fullmatch(pattern, line)
        if found:
            try:
                return Step(number, line, verb, args(found))
            except ValueError as error:
                reasons.append(error)
    if reasons:
        raise reasons[0]
    raise ValueError(_no_step(line))


def _no_step(line: str) -> str:
    """What to do about a line that is none of the steps: the forms of the one that was meant, or which there are."""
    words = line.split()
    meant = " ".join(words[:2]) if words[0] == "expect" and len(words) > 1 else words[0]
    if meant in ("expect no", "expect at"):
        meant = " ".join(words[:3])
    forms = [form for form in _forms() if re.sub(r"\d+", "2", f"{form} ").startswith(re.sub(r"\d+", "2", f"{meant} "))]
    if forms:
        late = re.search(r" within (?!\d+(?:\.\d+)?(?:us|ms|s|min|h)$)", line)
        hint = ", and its time is such as: within 200ms" if late else ""
        return f"{line!r} is not how {meant!r} is written; write: {' | '.join(forms)}{hint} ({_REFERRED})"
    if words[0] == "expect":
        after = sorted({form.split(" ")[1] for form in _forms() if form.startswith("expect ")})
        return f"{line!r} is no step; after expect comes {', '.join(after)} ({_REFERRED})"
    known = sorted({form.split(" ")[0] for form in _forms()})
    return f"{line!r} is no step; a step begins with {', '.join(known)} ({_REFERRED})"


_REFERRED = REFERENCE.relative_to(ROOT).as_posix()


@functools.cache
def _forms() -> list[str]:
    """The lines of the reference, which has each step in each of its forms."""
    blocks = REFERENCE.read_text("utf-8").split("```\n")[1::2]
    return [line for block in blocks for raw in block.splitlines() if (line := _strip(raw))]
