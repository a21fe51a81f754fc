"""python -m host_sim.emulator_core: compile the emulator's core for this very Python, if there is a compiler.

rp2040py's wheel is built for every Python at once (the limited API), and brings the C sources that it is made of. In
the limited API each access to the chip's memory asks by name, through a dictionary, whether it was overridden. The same
sources compiled for one Python look at a version number instead, and emulate about twice as many cycles a second.
tiers/rp2040_loop.c is compiled with them: the inner loop, once more several times as fast.
Without a compiler or Python's headers the wheel's own are used, which go to the same state, only later.
"""

import contextlib
import hashlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

from host_sim.firmware import cache

_PACKAGE = "rp2040py.native"
_SUFFIX = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
_NOT = "POUCH_WHEEL"  # set in the environment: emulate with what the wheel brings
_LOOP = Path(__file__).parent / "tiers" / "rp2040_loop.c"
_LAYOUT = "core_layout.h"
# For any processor of this kind, not for this very one: a home folder may be shared between machines.
_FLAGS = "-O3 -DNDEBUG -fwrapv -w"


def folder() -> Path | None:
    """Where the core for this machine, this Python and this rp2040py is or would be; None if that isn't installed."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        machine = f"{platform.machine()} {platform.libc_ver()} {_FLAGS}"
        made_of = hashlib.sha256(_LOOP.read_bytes() + machine.encode()).hexdigest()[:12]
        return cache() / f"rp2040py-{importlib.metadata.version('rp2040py')}-{made_of}{_SUFFIX}"
    return None


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, place: Path) -> None:
        self._place = str(place)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.startswith(_PACKAGE + "._"):
            return importlib.machinery.PathFinder.find_spec(name, [self._place])
        return None


def ready() -> Path | None:
    """Where the compiled core is; None if there is none for this Python, or it is refused."""
    place = folder()
    return place if place and place.is_dir() and not os.environ.get(_NOT) else None


def prefer() -> None:
    """From now on import the compiled core, if there is one. Before rp2040py is imported for the first time."""
    if place := ready():
        sys.meta_path.insert(0, _Finder(place))


def _lacks() -> str | None:
    """What this machine lacks to compile the core, None if nothing."""
    command = shlex.split(sysconfig.get_config_var("LDSHARED") or "")
    if not command or not shutil.which(command[0]):
        return "a C compiler"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "Python's headers"
    return None


def _layout(source: str) -> str:
    """The structures of the core's objects, as a module of rp2040py that knows them all declares them."""
    classes = "(?:CortexM0Core|RP2040|SimulationClock|ClockAlarm)"
    forward = re.findall(rf"^struct __pyx_(?:obj|vtabstruct)_\w+_{classes};$", source, re.M)
    slices = re.findall(r"^struct __pyx_memoryview_obj;\ntypedef struct {[^}]*} __Pyx_memviewslice;$", source, re.M)
    objects = re.findall(rf"^struct __pyx_obj_\w+_{classes} {{\n[^}}]*^}};$", source, re.M)
    tables = re.findall(rf"^struct __pyx_vtabstruct_\w+_{classes} {{\n[^}}]*^}};$", source, re.M)
    return "\n".join([*dict.fromkeys(forward), *slices, *objects, *tables, ""])


def _compile(source: Path, target: Path) -> None:
    variables: dict[str, Any] = sysconfig.get_config_vars()
    command = shlex.split(f"{variables['LDSHARED']} {variables.get('CCSHARED') or ''} {_FLAGS}")
    command += [f"-I{sysconfig.get_path('include')}", f"-I{target.parent}", "-o", str(target), str(source)]
    subprocess.run(command, check=True, capture_output=True, text=True)


def build() -> str:
    """Compile it all, or nothing. One line that says what came of it."""
    place = folder()
    spec = importlib.util.find_spec("rp2040py")
    if not place or not spec or not spec.submodule_search_locations:
        return "rp2040py isn't installed: nothing to compile."
    if place.is_dir():
        return "The emulator's core is compiled for this Python."
    lacks = _lacks()
    if lacks:
        return f"Without {lacks} the emulated Pico runs at a small part of its speed: all else is the same."
    sources = sorted(Path(spec.submodule_search_locations[0], "native").glob("_*.c"))
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".new-") as name:
        made = Path(name, "core")
        made.mkdir()
        try:
            layout = next(source for source in sources if source.stem == "_simulator").read_text("utf-8")
            (made / _LAYOUT).write_text(_layout(layout), "utf-8")
            targets = {source: made / (source.stem + _SUFFIX) for source in sources}
            targets[_LOOP] = made / ("_loop" + _SUFFIX)
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(_compile, targets, targets.values()))
        except (OSError, subprocess.CalledProcessError) as error:
            reason = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[-1]
            return f"The emulator's core can't be compiled here, so it runs at a small part of its speed: {reason}"
        with contextlib.suppress(OSError):  # another was quicker
            made.rename(place)
    return "The emulator's core is compiled for this Python: it runs several times as fast."


if __name__ == "__main__":
    print(build())
