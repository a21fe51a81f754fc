"""python -m tests.rules.bench_replay: 300 actions replayed on the emulated Pico, from its own clock."""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT, ROOT / "firmware", ROOT / "host_sim" / "child" / "cpython"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from tests.rules import chip, replays  # noqa: E402

# ms: a replay of 300 actions from nothing, and from the latest snapshot
FROM_NOTHING_MS = 200
FROM_SNAPSHOT_MS = 40


def checked(key, measured):
    """(us from nothing, from the latest snapshot, of an undo, a redo, an action, bytes kept) of replays.measure.

    Raises ValueError if a replay did not lead to the state that was there.
    """
    *times, kept, from_nothing, from_snapshot = measured
    if from_nothing != replays.log(key, replays.ACTIONS)[1] or from_snapshot != replays.log(key, replays.ENTRIES)[1]:
        raise ValueError(f"{key}: the emulated Pico replays to another state")
    return (*times, kept)


def figures(key):
    """`checked` on an emulated Pico that has just been switched on."""
    return checked(key, ast.literal_eval(chip.evaluate(f"__import__('replays').on_device({key!r})")))


def main():
    reason = chip.absent()
    if reason:
        print(f"no emulated Pico here: {reason}")
        return 1
    print("300 actions      from nothing  from snapshot        undo        redo      action    heap kept")
    good = True
    for key, *_ in replays.PLAYS:
        *times, kept = figures(key)
        print(f"{key:<15}", *[f"{us / 1000:>8.1f} ms" for us in times], f"{kept:>8} B")
        good = good and times[0] <= 1000 * FROM_NOTHING_MS and times[1] <= 1000 * FROM_SNAPSHOT_MS
    print(f"{'budget':<15} {FROM_NOTHING_MS:>8} ms {FROM_SNAPSHOT_MS:>8} ms {'met' if good else 'MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
