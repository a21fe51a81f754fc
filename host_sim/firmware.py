"""Where the firmware's files are: ours, and the libraries that go onto a board with them."""

import compileall
import functools
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRMWARE = ROOT / "firmware"
CHILD = ROOT / "host_sim" / "child"
BOARDS = ROOT / "boards"
BUILD = ROOT / "build"

# The unmodified Adafruit driver, and what it imports.
LIBRARY = (
    "adafruit_ssd1306.py",
    "adafruit_bus_device/__init__.py",
    "adafruit_bus_device/i2c_device.py",
    "adafruit_bus_device/spi_device.py",
)
# What the driver falls back to where there is no `framebuf`: CPython.
_CPYTHON_ONLY = ("adafruit_framebuf.py",)


def cache() -> Path:
    """The user's folder for what can be made or fetched again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pouch"


def installed(name: str) -> Path:
    """The path of a library file in this Python's site-packages. Raises FileNotFoundError with what to do."""
    for folder in sys.path:
        path = Path(folder) / name
        if folder and path.is_file():
            return path
    raise FileNotFoundError(
        f"{name} is not installed here: run `make sim`, which fills .venv, and use .venv/bin/python"
    )


def library() -> Path:
    """A folder with those library files only, so that nothing else of site-packages reaches the firmware."""
    folder = BUILD / "lib"
    for name in LIBRARY + _CPYTHON_ONLY:
        source, target = installed(name), folder / name
        if not target.exists() or target.stat().st_mtime_ns != source.stat().st_mtime_ns:
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = target.with_suffix(f".{id(target)}")
            shutil.copy2(source, temporary)
            temporary.replace(target)
    return folder


@functools.cache
def precompile() -> None:
    """Compile what a CPython child imports, once, beside the sources as Python does.

    The firmware imports its modules on first use and forgets them again: a child, which writes nothing there (-B),
    would compile them each time, which takes longer than they run.
    """
    for folder in (FIRMWARE, CHILD, library()):
        compileall.compile_dir(folder, quiet=2)
