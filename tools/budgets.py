"""What each figure of `make bench` should be, what it is today, and the README's table of both.

BUDGETS is the one place where they stand: the bench prints them, tests/test_budgets.py holds the firmware to them.
Today's figures are in figures.json beside this file; `python -m tools.bench --keep` writes them, and the table.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from host_sim.firmware import ROOT

FIGURES = Path(__file__).with_name("figures.json")
README = ROOT / "README.md"
MARGIN = 0.05  # how much worse than noted a figure without a budget, or over it, may be
STALE = 0.10  # how much better it may be before it has to be noted anew
_BLOCK = re.compile(r"(<!-- made: budgets -->\n).*?(<!-- end -->)", re.DOTALL)


@dataclass(frozen=True)
class Budget:
    """A figure. unit: "ms", "B", "kB", "%" or "" (a count). budget: None if there is none.

    more: a larger figure is the better one. plain: the plain driver's. reason: why the budget is not met, and next:
    what to do about it. slow: it takes a minute to measure, so that only `make bench` and `make torture` do.
    shown: in the README. digits: after the point.
    """

    key: str
    figure: str
    unit: str
    budget: float | None = None
    plain: str = "–"
    reason: str = ""
    next: str = ""
    more: bool = False
    slow: bool = False
    shown: bool = True
    digits: int = 0

    def met(self, value: float) -> bool:
        if self.budget is None:
            return True
        return value >= self.budget if self.more else value <= self.budget

    def guard(self, noted: float) -> float:
        """What the figure must not be worse than: its budget if that is met, else a little worse than is noted."""
        if self.budget is not None and self.met(noted):
            return self.budget
        return noted * (1 - MARGIN if self.more else 1 + MARGIN)

    def worse(self, value: float, noted: float) -> str | None:
        """What is wrong with a figure that is worse than it may be, None if it is not."""
        guard = self.guard(noted)
        if value >= guard if self.more else value <= guard:
            return None
        return f"{self.figure}: {self.told(value)}, {'less' if self.more else 'more'} than {self.told(guard)}"

    def stale(self, value: float, noted: float) -> str | None:
        """The same if it has become so much better that its guard is loose, and the README not true."""
        better = value - noted if self.more else noted - value
        if better <= STALE * noted:
            return None
        told = f"{self.figure}: {self.told(value)}, better than noted ({self.told(noted)})"
        return f"{told}: .venv/bin/python -m tools.bench --keep"

    @property
    def aim(self) -> str:
        return "–" if self.budget is None else f"{self.budget:,g} {self.unit}".strip()

    def told(self, value: float) -> str:
        text = f"{value:,.{self.digits}f}"
        return f"{text} {self.unit}" if self.unit else text


_NEW_SCREEN = "Crossed Words and Upwords show a new screen with the score: about 1,000 B, 24 ms, are the bus"

BUDGETS = (
    Budget(
        "event_to_score",
        "the event to the whole frame with the new score, p95 of the steps of four games",
        "ms",
        12,
        plain="28–33 ms",
        reason=_NEW_SCREEN + ". On a screen that stays (tally) it is 15 ms of drawing all of it and 5 ms of bus",
        next="`update` after a press too, which draws only the cells that have changed",
    ),
    Budget(
        "edge_to_score",
        "the edge of a clean press to the same",
        "ms",
        17,
        reason="it is the row above, and 5 ms (a release: 12 ms) in which contacts bounce",
        next="as above",
    ),
    Budget("event_to_score_tally", "the same from the event, in a tally", "ms", shown=False, digits=1),
    Budget("edge_to_score_tally", "the same from the edge, in a tally", "ms", shown=False, digits=1),
    Budget("event_to_score_zip", "the same from the event, in ZIP-IT", "ms", shown=False, digits=1),
    Budget("edge_to_score_zip", "the same from the edge, in ZIP-IT", "ms", shown=False, digits=1),
    Budget("event_to_play", "the event of PLAY to its whole frame", "ms", shown=False, digits=1),
    Budget("event_to_go", "the event of GO! to its whole frame", "ms", shown=False, digits=1),
    Budget("event_to_zip", "the event of ZIP! to its whole frame", "ms", shown=False, digits=1),
    Budget("bus_score", "bus: a score step on its screen", "B", 220, "1,037 B"),
    Budget(
        "bus_question",
        "bus: question to score, the largest of ten",
        "B",
        450,
        "1,037 B",
        reason="the first ones are: later the crown of who leads comes or goes, too",
        next="the plate with the name stays where it stood in the question",
    ),
    Budget(
        "bus_undo",
        "bus: undo on the board, the largest of ten",
        "B",
        350,
        "1,037 B",
        reason="the leader's crown, both names and GO! come back with the score",
        next="keep the names where they stand while a point is told",
    ),
    Budget("bus_second", "bus: a stopwatch second, probes too", "B", 100, "1,037 B"),
    Budget(
        "bus_beat",
        "bus: a count's beat",
        "B",
        400,
        "1,037 B",
        reason="the numeral is as high as the glass, 344 B, and the bar is full again with it",
        next="the bar, 76 B, comes back with its first step",
    ),
    Budget("bus_unchanged", "bus: an unchanged glass, data in 20 s", "B", 0, "1,037 B"),
    Budget("idle_heap", "heap allocated by idle steps, 20 s", "B", 0),
    Budget("first_frame", "reset to the first frame, nothing to restore", "ms"),
    Budget(
        "first_frame_restored",
        "reset to the first frame, a match restored",
        "ms",
        350,
        plain="139 ms (an empty app)",
        reason="an import is 3 ms and 50 us a name; `make frozen` starts in a third of the time",
        next="home draws a running match from a module of its own, without the game's",
    ),
    Budget(
        "longest_step",
        "the longest step without a look at the buttons, flash and collection aside: power-on, home, a round of ZIP-IT",
        "ms",
        15,
        plain="28 ms",
        reason="a module and those that it needs, imported in idle time; in play a whole frame on the bus. No press is "
        "lost or late by it: an interrupt notes each edge",
        next="look at the keys between the windows of a frame",
    ),
    Budget("awake_stopwatch", "CPU awake, stopwatch running", "%", 5, "100 %", digits=2),
    Budget("awake_idle", "CPU awake, idle", "%", 0.5, "100 %", digits=2),
    Budget("wake", "an edge wakes the sleeping loop", "ms", 0.2, digits=2, slow=True),
    Budget("erases", "erases a committed entry, mean", "", 0.125, "1 (a growing file)", digits=3, slow=True),
    Budget(
        "heap_free",
        "heap free at home after every screen was opened, collected, in Spanish, whose texts are 7 kB",
        "kB",
        120,
        more=True,
        slow=True,
    ),
    Budget("heap_free_game", "the same with ZIP-IT loaded again", "kB", more=True, slow=True),
    Budget("heap_home", "heap free at home on a new device", "kB", more=True, shown=False, digits=1),
    Budget("heap_played", "heap free in a match of ZIP-IT", "kB", more=True, shown=False, digits=1),
)


def noted() -> dict[str, float]:
    """Today's figures, by key."""
    return json.loads(FIGURES.read_text("utf-8"))


def note(figures: Mapping[str, float]) -> None:
    """These are today's figures; those that were not measured stay as they were."""
    whole = {**(noted() if FIGURES.exists() else {}), **figures}
    ordered = {one.key: round(whole[one.key], 4) for one in BUDGETS if one.key in whole}
    FIGURES.write_text(json.dumps(ordered, indent=4) + "\n", "utf-8")
    README.write_text(readme(README.read_text("utf-8"), ordered), "utf-8")


def table(figures: Mapping[str, float]) -> str:
    """The README's table."""
    lines = ["| figure | plain driver | budget | today | |", "|---|---|---|---|---|"]
    for one in BUDGETS:
        if not one.shown:
            continue
        value = figures[one.key]
        says = "" if one.budget is None else "met" if one.met(value) else f"**not**: {one.reason}. Next: {one.next}"
        lines.append(f"| {one.figure} | {one.plain} | {one.aim} | {one.told(value)} | {says} |")
    return "\n".join(lines) + "\n"


def readme(text: str, figures: Mapping[str, float]) -> str:
    """A README with today's table in its place. Raises ValueError if it has none."""
    made, count = _BLOCK.subn(lambda found: found[1] + table(figures) + found[2], text)
    if count != 1:
        raise ValueError("README.md has no place for the table: <!-- made: budgets --> ... <!-- end -->")
    return made
