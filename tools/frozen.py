"""python -m tools.frozen MICROPYTHON [BOARD]: Pouch inside of the firmware, built with MicroPython's own sources.

MICROPYTHON is a checkout of MicroPython 1.25 with its submodules (make -C ports/rp2 BOARD=... submodules).
What it needs besides is MicroPython's own: cmake and the compiler arm-none-eabi-gcc.

build/pouch-<BOARD>-frozen.uf2 is for the BOOTSEL drive. The filesystem in it holds board.json and the licences: the app
is there whatever happens to the files, takes no room of the heap, and starts in a third of the time.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from host_sim import run, tiers
from host_sim.board import Board, BoardError, find
from host_sim.firmware import BOARDS, BUILD, ROOT, library
from host_sim.scenario import parse
from host_sim.tiers import rp2040
from tools import build, uf2

# The SDK would fetch picotool from the network only to write a .uf2, which we do ourselves.
_CMAKE_ARGS = "-DPICO_NO_PICOTOOL=1"
_TRIED = "zip_match.txt"
_HOW = (
    "`git clone -b v1.25.0 https://github.com/micropython/micropython`, "
    "`make -C micropython/ports/rp2 submodules`, then `make frozen MICROPYTHON=micropython`"
)


def firmware(micropython: Path, board: Board, folder: Path) -> bytes:
    """MicroPython for this board with Pouch in it, as it lies in flash. Raises ValueError with what went wrong."""
    port = micropython / "ports" / "rp2"
    if not (port / "Makefile").is_file():
        raise ValueError(f"{micropython}: no checkout of MicroPython. {_HOW}")
    library()  # the driver, which the manifest freezes from build/lib
    manifest = BOARDS / (board.micropython or "") / "manifest.py"
    if not manifest.is_file():
        raise ValueError(f"{board.id}: there is no {manifest.relative_to(ROOT)} for the MicroPython that it runs")
    command = ["make", "-C", str(port), f"BOARD={board.micropython}", f"BUILD={folder}", f"FROZEN_MANIFEST={manifest}"]
    done = subprocess.run(
        [*command, f"-j{os.cpu_count() or 1}"],
        env={**os.environ, "CMAKE_ARGS": _CMAKE_ARGS},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    made = folder / "firmware.bin"
    if done.returncode or not made.is_file():
        last = "\n".join(done.stdout.strip().splitlines()[-12:])
        raise ValueError(f"MicroPython was not built. {' '.join(command)} said last:\n{last}")
    return made.read_bytes()


def make(micropython: Path, board: Board, out: Path = BUILD, watchdog: bool = True) -> Path:
    """The .uf2 for a board. Raises ValueError with what went wrong."""
    layout = build.layout_of(board.id)
    if not layout:
        raise ValueError(f"{board.id}: where its filesystem lies is not known; there are {', '.join(build.LAYOUTS)}")
    content = board.text()
    files = {"board.json": uf2.watched(content) if watchdog else content, uf2.LICENSES: uf2.licenses()}
    code = firmware(micropython, board, out / f"frozen-{board.micropython}")
    if len(code) > layout.start:
        raise ValueError(f"the firmware is {len(code) - layout.start} bytes too large: it reaches into the filesystem")
    sectors = {**uf2.sectors(code, 0), **uf2.sectors(build.image(files, layout), layout.start)}
    path = out / f"pouch-{board.id}-frozen.uf2"
    uf2.write(path, sectors, uf2.FAMILY[board.chip])
    return path


def tried(path: Path, board: Board) -> str:
    """What came of a whole match with this .uf2 on the emulated Pico. Raises ValueError if it is not as it must be."""
    from host_sim.tiers.rp2040_emulator import place

    scenario = parse(ROOT / "tests" / "scenarios" / _TRIED)
    flash = Path(tempfile.mkdtemp(prefix="pouch-frozen-"))
    try:
        (flash / rp2040.FLASH).write_bytes(place(path.read_bytes()))
        with tiers.make("rp2040", board, flash) as device:
            result = run.Player(scenario, device).play()
            if result.failure:
                raise ValueError(result.failure)
            free = int(device.ask("(__import__('gc').collect(), __import__('gc').mem_free())[1]"))
    finally:
        shutil.rmtree(flash, ignore_errors=True)
    apart = run.differences([run.play(scenario, "cpython", board=board), result])
    if apart:
        raise ValueError("\n".join(apart))
    return f"a whole match on the emulated Pico had the simulator's glass, with {free / 1000:.0f} kB of the heap free"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.frozen", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("micropython", type=Path, metavar="MICROPYTHON", help="a checkout of MicroPython 1.25")
    parser.add_argument("board", nargs="?", metavar="BOARD", default="RPI_PICO", help="default: RPI_PICO")
    parser.add_argument("--no-watchdog", action="store_true", help="leave board.json as it is")
    args = parser.parse_args()
    try:
        if args.micropython == Path():  # `make frozen` alone
            raise ValueError(f"Say where MicroPython's sources are: {_HOW}")
        board = find(args.board)
        path = make(args.micropython.resolve(), board, watchdog=not args.no_watchdog)
        print(f"{path}: MicroPython with Pouch in it, for an empty {board.id}")
        reason = tiers.absent("rp2040") or tiers.unfit("rp2040", board)
        print("Tried: " + (tried(path, board) if not reason else f"not, {reason}"))
    except (build.BuildError, BoardError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print("Hold BOOTSEL, plug the Pico in, and copy it onto the drive that appears.")
    print("It REPLACES all that was in the Pico's filesystem: matches, names and settings too.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
