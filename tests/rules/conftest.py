"""The rules on CPython: the firmware, and the `micropython` that it lacks there."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT, ROOT / "firmware", ROOT / "host_sim" / "child" / "cpython"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
