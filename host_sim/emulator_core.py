"""python -m host_sim.emulator_core: compile the emulator's core for this very Python, if there is a compiler.

rp2040py's wheel is built for every Python at once (the limited API), and brings the C sources that it is made of. In
the limited API each access to the chip's memory asks by name, through a dictionary, whether it was overridden. The same
sources compiled for one Python look at a version number instead, and emulate about twice as many cycles a second.
Without a compiler or Python's headers the wheel's own are used, which go to the same state, only later.
"""

import contextlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import os
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


def folder() -> Path | None:
    """Where the core for this Python and this rp2040py is or would be; None if rp2040py isn't installed."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return cache() / f"rp2040py-{importlib.metadata.version('rp2040py')}{_SUFFIX}"
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


def prefer() -> None:
    """From now on import the compiled core, if there is one. Before rp2040py is imported for the first time."""
    place = folder()
    if place and place.is_dir() and not os.environ.get(_NOT):
        sys.meta_path.insert(0, _Finder(place))


def _lacks() -> str | None:
    """What this machine lacks to compile the core, None if nothing."""
    command = shlex.split(sysconfig.get_config_var("LDSHARED") or "")
    if not command or not shutil.which(command[0]):
        return "a C compiler"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "Python's headers"
    return None


def _compile(source: Path, target: Path) -> None:
    variables: dict[str, Any] = sysconfig.get_config_vars()
    command = shlex.split(f"{variables['LDSHARED']} {variables.get('CCSHARED') or ''} -O3 -DNDEBUG -fwrapv -w")
    command += ["-I" + sysconfig.get_path("include"), "-o", str(target), str(source)]
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
        return f"Without {lacks} the emulated Pico runs at half its speed: all else is the same."
    sources = sorted(Path(spec.submodule_search_locations[0], "native").glob("_*.c"))
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".new-") as name:
        made = Path(name, "core")
        made.mkdir()
        try:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(lambda source: _compile(source, made / (source.stem + _SUFFIX)), sources))
        except (OSError, subprocess.CalledProcessError) as error:
            reason = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[-1]
            return f"The emulator's core can't be compiled here, so it runs at half its speed: {reason}"
        with contextlib.suppress(OSError):  # another was quicker
            made.rename(place)
    return "The emulator's core is compiled for this Python: it runs twice as fast."


if __name__ == "__main__":
    print(build())
