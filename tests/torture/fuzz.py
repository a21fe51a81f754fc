"""python -m tests.torture.fuzz: a million presses by chance, a month by the virtual clock, all of it by fixed seeds.

python -m tests.torture.fuzz fuzz --tier cpython --seed 3 --events 2000     # one play again
python -m tests.torture.fuzz month --tier micropython --seed 1 --events 24  # events: hours
"""

import argparse
import ast
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from statistics import median

from tests.torture import child

MONTH = 24 * 30
EVENTS = 50_000  # in one process
# (what, tier, seed, events or hours), the longest first.
ALL = (
    [("month", "cpython", 1, MONTH), ("month", "micropython", 2, MONTH)]
    + [("fuzz", "micropython", seed, EVENTS) for seed in (1, 3)]
    + [("fuzz", "cpython", seed, EVENTS) for seed in range(101, 121)]
)  # fmt: skip

HOUR_S = 3600
# What leaks a quarter of a byte a press is above this in the end; longer and shorter matches make up to 9 kB.
GROWTH = 12 * 1024


def growth(report):
    """By how many bytes what was in use after the first hour has grown from its first half to its second.

    Modules come and go with the games, so only looks with as many of them in a match of the same game are compared, and
    of these the low ones: a long match takes more than one that has begun. What was looked at more often has more to
    say. 0 if there was too little to compare.
    """
    looks = [look for look in report["weighed"] if look[0] >= HOUR_S]
    alone = [look for look in looks if not look[1] & 7]
    if len(alone) >= 20:
        looks = alone  # without a match there is nothing that could be longer
    half = len(looks) // 2
    grown = []
    for count in {modules for _, modules, _ in looks}:
        before, after = (
            [used for _, modules, used in part if modules == count] for part in (looks[:half], looks[half:])
        )
        weight = min(len(before), len(after))
        if weight >= 5:
            grown += weight * [sorted(after)[len(after) // 10] - sorted(before)[len(before) // 10]]
    return int(median(grown)) if grown else 0


# -- which screens there are -----------------------------------------------------------------------------


def reachable(firmware_folder=None):
    """The names of the screen classes that the app can come to, by what its modules import and name."""
    root = Path(firmware_folder or child.firmware.FIRMWARE) / "pouch"
    trees = {path.stem: ast.parse(path.read_text("utf-8")) for path in (root / "screens").glob("*.py")}
    told = {"home"}
    for name in ("app", "rest", "start", "power_on"):
        told |= _named(ast.parse((root / f"{name}.py").read_text("utf-8")), trees)
    seen = set()
    while told - seen:
        name = (told - seen).pop()
        seen.add(name)
        told |= _named(trees[name], trees)
    bases = {}
    drawing = set()
    for name in seen:
        for node in ast.walk(trees[name]):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
                if any(isinstance(part, ast.FunctionDef) and part.name == "render" for part in node.body):
                    drawing.add(node.name)

    def is_screen(name):
        return name == "Screen" or any(is_screen(base) for base in bases.get(name, ()))

    def draws(name):
        # What others only derive from draws nothing.
        return name in drawing or any(base != "Screen" and draws(base) for base in bases.get(name, ()))

    return {name for name in bases if is_screen(name) and draws(name) and name[0] != "_" and name != "Screen"}


def _named(tree, modules):
    """The modules of screens that a file imports or has the names of."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "pouch.screens":
            found |= {alias.name for alias in node.names} | {"__init__"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pouch.screens."):
            found.add((node.module or "").rpartition(".")[2])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value.rpartition("pouch.screens.")[2])
    return found & set(modules)


def unvisited(reports):
    """The screens that none of these plays has come to."""
    return reachable() - {name for report in reports for name in report["screens"]}


# -- all of it -------------------------------------------------------------------------------------------


def line(what, tier, report, seconds):
    """What one play did, for who reads along."""
    parts = [f"{what:<5} {tier:<11} seed {report['seed']:<3} {report['events']:>6} presses {report['edges']:>7} edges"]
    parts.append(f"{report['us'] / 3.6e9:>6.1f} h  {report['cuts']:>3} cuts  {report['matches']:>4} matches")
    heap = [used for _, _, used in report["weighed"]]
    if heap:
        parts.append(f"heap {min(heap)}..{max(heap)} B, {report['piece']} B in a piece, grown {growth(report)} B")
    if what == "month":
        parts.append(f"{report['ends']} countdowns over {report['wraps']} wraps, stopwatch to {report['seconds']} s")
    return "  ".join([*parts, f"{seconds:.0f} s"])


def run(plays, old=True):
    """Plays all of them, as many at once as there are processors. Returns the reports, None for what failed."""

    def one(play):
        what, tier, seed, events = play
        start = time.monotonic()
        report = child.play(tier, what, seed, events, old)
        return report, time.monotonic() - start

    reports = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        futures = {pool.submit(one, play): play for play in plays}
        for future in as_completed(futures):
            what, tier, _, _ = futures[future]
            try:
                report, seconds = future.result()
            except child.Failed as failed:
                print(failed, flush=True)
                reports.append(None)
                continue
            print(line(what, tier, report, seconds), flush=True)
            reports.append(report)
            if growth(report) > GROWTH:
                print(f"GROWS: by {growth(report)} bytes after the first hour")
                reports.append(None)
    return reports


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tests.torture.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=("all", "fuzz", "month"), default="all")
    parser.add_argument("--tier", choices=child.TIERS, default="cpython")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--events", type=int, default=10_000, help="presses; hours of a month")
    parser.add_argument("--fresh", action="store_true", help="on a device that has no history yet")
    chosen = parser.parse_args(arguments)
    plays = ALL if chosen.what == "all" else [(chosen.what, chosen.tier, chosen.seed, chosen.events)]
    for tier in child.TIERS:
        if child.absent(tier):
            print(f"ABSENT tier {tier}: {child.absent(tier)}")
    start = time.monotonic()
    reports = run([play for play in plays if not child.absent(play[1])], not chosen.fresh)
    good = [report for report in reports if report]
    failed = len(reports) - len(good)
    if chosen.what == "all":
        lacking = sorted(unvisited(good))
        print(f"screens: {len(reachable())}, never visited: {', '.join(lacking) or 'none'}")
        failed += bool(lacking)
    events = sum(report["events"] for report in good)
    print(f"{events} presses in {time.monotonic() - start:.0f} s, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
