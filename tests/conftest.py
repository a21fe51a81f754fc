import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHIMS = ROOT / "host_sim" / "child" / "cpython"
# The pure modules of the firmware, as CPython sees them: `micropython.const` is the only thing that they need.
for folder in (ROOT, ROOT / "firmware", SHIMS):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
