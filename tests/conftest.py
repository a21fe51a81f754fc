import builtins
import gc
import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHIMS = ROOT / "host_sim" / "child" / "cpython"
# The pure modules of the firmware, as CPython sees them: `micropython.const` is the only thing that they need.
for folder in (ROOT, ROOT / "firmware", SHIMS):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


@pytest.fixture(scope="module")
def firmware():
    """module(name) of the firmware; what only a Pico has is a stand-in while it is imported."""
    import micropython  # the shim, which is found from here on

    builtins.ptr8, builtins.ptr16 = micropython.ptr8, micropython.ptr16
    machine = ModuleType("machine")
    machine.PWM = machine.Pin = object
    there = sys.modules.get("machine")
    sys.modules["machine"] = machine
    try:
        importlib.import_module("pouch.app")
    finally:
        if there:
            sys.modules["machine"] = there
        else:
            del sys.modules["machine"]
    return lambda name: importlib.import_module("pouch." + name)


def pytest_report_header():
    from host_sim import emulator_core, tiers

    absent = {tier: tiers.absent(tier) for tier in tiers.TIERS}
    lines = ["tiers: " + ", ".join(tier for tier, reason in absent.items() if not reason)]
    if not absent["rp2040"] and not emulator_core.ready():
        lines.append(
            "SLOW tier rp2040: its core is not compiled here, see `.venv/bin/python -m host_sim.emulator_core`"
        )
    return lines + [f"ABSENT tier {tier}: {reason}" for tier, reason in absent.items() if reason]


_module = None


def pytest_runtest_setup(item):
    """The firmware collects its garbage between games: its own, not that of pytest's million of objects each time."""
    global _module
    if item.module is not _module:
        _module = item.module
        gc.collect()
        gc.freeze()


def pytest_sessionstart(session):
    """In CI a tier that is absent is a failure: there nobody reads a header."""
    from host_sim import tiers

    if os.environ.get("CI") and not hasattr(session.config, "workerinput"):
        for tier in tiers.TIERS:
            reason = tiers.absent(tier)
            if reason:
                pytest.exit(f"CI lacks the tier {tier}: {reason}", returncode=1)
