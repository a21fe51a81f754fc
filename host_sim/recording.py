"""What hands do on the page becomes a scenario: their steps, and expectations suggested from the glass.

A recording begins a second after the power-on of a fresh device, as a scenario does. All times are microseconds since
that power-on; edges of hands come at whole milliseconds, so that the file says exactly when they were.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from host_sim import read_glass
from host_sim.chips.oled import packed, unpacked
from host_sim.device import ROLES
from host_sim.run import BOOT_US
from host_sim.scenario import AFTER_US, BEFORE_POWER, BOUNCES, MS, PRESS_US, SETTLE_US, read_step

_REST_US = 100 * MS  # a glass that has stood so long, and stands so long after it was looked at, is expected
_APART_US = 2000 * MS  # keys that are held longer while nothing else happens are written as `down` and `up`
_LONG_US = 800 * MS
_CLOCK = re.compile(r"\d:\d\d")
_LEGEND_Y = 54  # what stands lower says what the keys do


@dataclass(frozen=True)
class Edge:
    """A finger goes down or up; bounce: None, "light" or "heavy"."""

    us: int
    role: str
    down: bool
    bounce: str | None = None

    def contacts(self) -> list[tuple[int, bool]]:
        """The edges of the contact: (us, closed)."""
        if not self.bounce:
            return [(self.us, self.down)]
        times = BOUNCES[self.bounce][0 if self.down else 1]
        return [(self.us + round(ms * MS), self.down == (i % 2 == 0)) for i, ms in enumerate(times)]


@dataclass(frozen=True)
class _Lines:
    """A step: it begins at `start`, and the player's clock stands at `end` after it."""

    start: int
    end: int
    text: str


@dataclass
class Recording:
    """board: its id. tier: where it was recorded, for the file's first line. unfit: why no emulated Pico can play it.

    edges and faults ("power off" and other steps without an argument of time) are noted in the order of time; glasses
    are packed, the right way up for who reads them.
    """

    board: str
    tier: str
    unfit: str = ""
    edges: list[Edge] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)
    glasses: list[tuple[int, bytes]] = field(default_factory=list)
    scores: list[tuple[int, list[int]]] = field(default_factory=list)

    def saw(self, us: int, glass: list[bytes]) -> None:
        frame = packed(glass)
        if not self.glasses or frame != self.glasses[-1][1]:
            self.glasses.append((us, frame))

    def text(self, end_us: int) -> str:
        """The scenario of all that happened until `end_us`."""
        steps = self._steps()
        cursor = BOOT_US
        head = self._head()
        lines = [*head]
        expected: list[str] = []
        told: list[int] | None = None
        some = False
        for step in [*steps, _Lines(end_us, end_us, "")]:
            for us, glass in self._at_rest(cursor, step.start):
                room = (step.start - us) // SETTLE_US
                wanted, expected = _headline(glass, expected)
                scores = self._scores_at(us)
                asked = [wanted] if wanted else []
                if scores and scores != told and len(asked) < room:
                    told = scores
                    asked.append("expect scores " + " ".join(map(str, scores)))
                if asked:
                    lines += [*_wait(us - cursor), *asked, ""]
                    cursor = us + SETTLE_US * len(asked)
                    some = True
            lines += _wait(step.start - cursor)
            if step.text:
                if len(lines) == len(head) and read_step(0, step.text.partition("#")[0].strip()).verb in BEFORE_POWER:
                    lines += ["power on", f"wait {_duration(BOOT_US)}"]
                lines.append(step.text)
            cursor = max(cursor, step.end)
        if not some:
            lines.append("expect glass unchanged for 100ms")
        return "\n".join(lines).rstrip() + "\n"

    def _head(self) -> list[str]:
        lines = [f"# Recorded in the browser, on {self.tier}. Say what it shows, and drop what need not be expected."]
        if self.board != "RPI_PICO":
            lines.append(f"board {self.board}")
        lines.append(f"tiers cpython micropython because {self.unfit}" if self.unfit else "tiers all")
        return [*lines, ""]

    # -- steps -----------------------------------------------------------------------------------

    def _steps(self) -> list[_Lines]:
        steps: list[_Lines] = []
        group: list[Edge] = []
        down: set[str] = set()
        events: list[tuple[int, int, Edge | str]] = [(edge.us, 1, edge) for edge in self.edges]
        events += [(us, 0, fault) for us, fault in self.faults]
        events.sort(key=lambda event: event[:2])
        for us, _, event in events:
            if group:
                last = max(edge.contacts()[-1][0] for edge in group)
                apart = _APART_US if down else AFTER_US
                if isinstance(event, str) or us >= last + apart:
                    steps.append(self._hands(group, us))
                    group = []
            if isinstance(event, str):
                steps.append(_Lines(us, us, event))
                continue
            group.append(event)
            (down.add if event.down else down.discard)(event.role)
        if group:
            steps.append(self._hands(group, None))
        return steps

    def _hands(self, group: list[Edge], following: int | None) -> _Lines:
        first, last = group[0], group[-1]
        end = max(edge.contacts()[-1][0] for edge in group)
        label = self._label(first)
        if len(group) == 1 and not first.bounce:
            return _Lines(first.us, first.us, _noted(f"{'down' if first.down else 'up'} {first.role}", label))
        over = last.us + AFTER_US
        alone = len(group) == 2 and first.role == last.role and first.down and first.bounce == last.bounce
        if alone and (following is None or following >= over):
            us = last.us - first.us
            step = f"{'hold' if us >= _LONG_US else 'press'} {first.role}"
            if us >= _LONG_US:
                step += f" {_duration(us)}"
            elif us != PRESS_US:
                step += f" for {_duration(us)}"
            return _Lines(first.us, over, _noted(step + (f" bounce {first.bounce}" if first.bounce else ""), label))
        contacts: dict[str, list[str]] = {}
        for edge in group:
            for us, _ in edge.contacts():
                contacts.setdefault(edge.role, []).append(f"{(us - first.us) / MS:g}")
        return _Lines(first.us, end, "edges " + "; ".join(f"{r} {' '.join(t)}" for r, t in contacts.items()))

    def _label(self, edge: Edge) -> str:
        """What the glass said that this key does."""
        before = [glass for us, glass in self.glasses if us <= edge.us]
        if not before:
            return ""
        number = ROLES.index(edge.role)
        for line in read_glass.read(unpacked(before[-1])):
            if line.y >= _LEGEND_Y and line.font != "tiny" and number == (line.x + line.w // 2) * len(ROLES) // 128:
                return re.sub(r"[^\w!?.' +-]", "", line.text).strip()
        return ""

    # -- expectations ----------------------------------------------------------------------------

    def _at_rest(self, start: int, end: int) -> Iterable[tuple[int, list[bytes]]]:
        """The first moment between two steps at which the glass is settled: it answers the step before."""
        for i, (us, frame) in enumerate(self.glasses):
            until = self.glasses[i + 1][0] if i + 1 < len(self.glasses) else end + _REST_US
            look = -(-max(start, us + _REST_US) // MS) * MS
            if look + 2 * SETTLE_US <= min(end, until - _REST_US):
                yield look, unpacked(frame)
                return

    def _scores_at(self, us: int) -> list[int] | None:
        """The scores, if they were asked for while the glass was the one of that moment."""
        since = max((at for at, _ in self.glasses if at <= us), default=0)
        return next((scores for at, scores in reversed(self.scores) if since <= at <= us + _REST_US), None)


def _headline(glass: list[bytes], before: list[str]) -> tuple[str | None, list[str]]:
    """The expectation of the words that tell this glass best, None if they say nothing new; and all its words."""
    lines = [line for line in read_glass.read(glass) if line.font != "tiny" and len(line.text) > 1]
    lines = [line for line in lines if not _CLOCK.search(line.text) and not set(line.text) & set('"\\')]
    texts = [line.text for line in lines]
    new = [line for line in lines if line.text not in before]
    high = [line for line in new if line.y < _LEGEND_Y] or new
    if not high:
        return None, texts
    faces = {name: i for i, name in enumerate(reversed(read_glass.FACES))}
    best = max(high, key=lambda line: (any(map(str.isalpha, line.text)), faces.get(line.font, 0), len(line.text)))
    return f'expect text "{best.text}"', texts


def _noted(step: str, label: str) -> str:
    return f"{step:<40} # {label}" if label else step


def _wait(us: int) -> list[str]:
    return [f"wait {_duration(us)}"] if us > 0 else []


def _duration(us: int) -> str:
    if us >= 1000 * MS:
        return f"{us / (1000 * MS):.6f}".rstrip("0").rstrip(".") + "s"
    return f"{us / MS:.3f}".rstrip("0").rstrip(".") + "ms"
