"""Starts a player (player.py, month.py) in a process of its own, on one of the two Pythons, and hears its report."""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT, ROOT / "firmware", ROOT / "host_sim" / "child" / "cpython"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from pouch.frames import frame, pack_value  # noqa: E402
from pouch.games import GAMES  # noqa: E402
from pouch.match import Match  # noqa: E402

from host_sim import firmware, tiers  # noqa: E402
from host_sim.tiers.child import HEAP  # noqa: E402
from tools import build  # noqa: E402

HERE = Path(__file__).resolve().parent
TIERS = ("cpython", "micropython")
OURS_KB = 24  # of the VM's heap that the player and its names take: what is left is a Pico's
RECORDS = 100  # so many finished matches a device keeps


class Failed(Exception):
    """Something was not as it must be. The text says what, and where to find it again."""


def absent(tier):
    """Why this machine lacks it, in one line; None if it has it."""
    return tiers.absent(tier)


def _old_matches(folder):
    """A device that has been played on for a year: a full history, which costs memory, is there from the beginning."""
    zip_it = GAMES["zip_it"]
    for order in range(1, RECORDS + 1):
        match = Match(zip_it, ("RED", "BLUE"), {"target": 1}, order)
        for action in ((zip_it.GO,), (zip_it.ZIP, order % 2, 7, -1), (zip_it.GOOD,)):
            match.do(action)
        (folder / f"{order}.record").write_bytes(frame(order, pack_value(match.record())))


def play(tier, what, seed, events, old=False, firmware_folder=None):
    """The report of player `what` ("fuzz", "month"), a dict. events: how many, or how many hours.

    old: on a device with a full history. firmware_folder: another firmware than ours. Raises Failed.
    """
    # In memory where there is such a folder: half a million small files otherwise cost more than the play.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    flash = Path(tempfile.mkdtemp(prefix="pouch-torture-", dir=memory))
    try:
        shutil.copy(firmware.BOARDS / "RPI_PICO" / "board.json", flash)
        (flash / "data").mkdir()
        if old:
            _old_matches(flash / "data")
        command, environment = _command(tier, Path(firmware_folder or firmware.FIRMWARE), flash)
        command += [what, str(seed), str(events), str(RECORDS if old else 0)]
        done = subprocess.run(
            command, check=False, cwd=flash, env=environment, capture_output=True, text=True, encoding="utf-8"
        )
    finally:
        shutil.rmtree(flash, ignore_errors=True)
    if done.returncode:
        again = f"python -m tests.torture.fuzz {what} --tier {tier} --seed {seed} --events {events}"
        raise Failed(
            "\n".join((done.stderr[-4000:], done.stdout[-4000:], f"again: {again}{'' if old else ' --fresh'}"))
        )
    report = {}
    for line in done.stdout.splitlines():
        if line[:1] == "{":
            report.update(json.loads(line))
    return report


def _command(tier, firmware_folder, flash):
    child = firmware.CHILD
    boot = str(HERE / "boot.py")
    environment = {"PATH": os.environ.get("PATH", "")}
    folders = [HERE / "world", HERE, child / "common", firmware_folder, firmware.library()]
    if tier == "cpython":
        firmware.precompile()
        folders.insert(3, child / "cpython")
        paths = os.pathsep.join(map(str, folders))
        return [sys.executable, "-I", "-S", "-B", "-X", "utf8", boot, paths], environment
    if platform.machine() in _MARCH:
        folders = [_compiled(folders, flash / "lib", _MARCH[platform.machine()])]
        # The folder of the first file comes before all others.
        boot = shutil.copy(boot, folders[0])
    environment["MICROPYPATH"] = ":".join(map(str, folders))
    heap = f"{int(HEAP[:-1]) + OURS_KB}k"
    return [str(tiers.micropython_binary()), "-X", f"heapsize={heap}", boot, "-"], environment


# Where the VM takes machine code, by what `platform` calls the processor.
_MARCH = {"x86_64": "x64", "AMD64": "x64"}


def _compiled(folders, target, march):
    """One folder with all modules as .mpy, as they go onto a Pico: what a compiler leaves behind would fill the heap
    with holes that no Pico has."""
    for folder in folders:
        ours = folder == HERE
        for source in folder.glob("*.py") if ours else folder.rglob("*.py"):
            name = source.relative_to(folder).as_posix()
            file = (target / name).with_suffix(".mpy")
            # As on a path: the first one counts.
            if not file.exists() and not (ours and name not in _PLAYERS):
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(build._compile(source, name, march))
    return target


_PLAYERS = ("player.py", "month.py")
