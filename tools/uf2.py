"""python -m tools.uf2 [BOARD ...]: files for the drive that a Pico is when it is plugged in with BOOTSEL held.

build/pouch-<BOARD>.uf2 has MicroPython, Pouch and the licences of both: an empty Pico needs nothing else.
build/pouch-<BOARD>-files.uf2 has the filesystem alone, for a Pico with this MicroPython on it. Both replace what is in
the filesystem, matches and names included.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from uf2utils.constants import Flags
from uf2utils.family import Family
from uf2utils.file import UF2File
from uf2utils.header import UF2DecodeError

from host_sim.board import BoardError, find
from host_sim.firmware import BUILD, ROOT
from host_sim.tiers import rp2040_image
from tools import build

FLASH = 0x10000000  # where the chip sees the first byte of its flash
SECTOR = 4096  # the least that it can erase
LICENSES = "LICENSES.txt"
# The word for a chip in each block, by board.json's `chip`.
FAMILY = {"rp2040": Family.byName("RP2040").id, "rp2350": Family.byName("rp2350-arm-s").id}
_EMPTY = b"\xff" * SECTOR


def licenses() -> bytes:
    """The licences of all that is on a device, as one text."""
    texts = [("Pouch", (ROOT / "LICENSE").read_text("utf-8"))]
    for name in ("adafruit-circuitpython-ssd1306", "adafruit-circuitpython-busdevice"):
        files = [file for file in metadata.files(name) or [] if file.name == "LICENSE"]
        texts += [(name, file.read_text("utf-8")) for file in files]
    parts = [(ROOT / "tools" / "licenses.txt").read_text("utf-8")]
    parts += [f"--- {name} ".ljust(120, "-") + f"\n\n{text.strip()}\n" for name, text in texts]
    return "\n".join(parts).encode()


def contents(board_id: str, watchdog: bool) -> dict[str, bytes]:
    """Every file of the filesystem by its path. Raises as `build.contents`."""
    files = {**build.contents(board_id), LICENSES: licenses()}
    if watchdog:
        files["board.json"] = watched(files["board.json"])
    return files


def watched(board: bytes) -> bytes:
    """This board.json, with the watchdog on."""
    return json.dumps({**json.loads(board), "watchdog": True}, indent=2).encode() + b"\n"


def sectors(data: bytes, start: int) -> dict[int, bytes]:
    """The sectors of `data` that hold anything, by their address; data begins at a sector, `start` bytes into flash."""
    found = {}
    for at in range(0, len(data), SECTOR):
        sector = data[at : at + SECTOR].ljust(SECTOR, b"\xff")
        if sector != _EMPTY:
            found[FLASH + start + at] = sector
    return found


def firmware(path: Path) -> tuple[dict[int, bytes], int]:
    """(sectors, family) of a .uf2. Raises ValueError if it is none, or is for more than one kind of chip."""
    try:
        blocks = list(UF2File(str(path)))
    except (UF2DecodeError, IndexError) as error:
        raise ValueError(f"{path}: no .uf2 file ({error})") from None
    families = {block.header.board_family for block in blocks}
    if not families <= set(FAMILY.values()) or len(families) != 1:
        # uf2utils takes whatever is 512 bytes long for a block.
        raise ValueError(f"{path}: is for other chips, or for several; name the MicroPython .uf2 of this one board")
    found: dict[int, bytearray] = {}
    for block in blocks:
        at = block.header.address % SECTOR
        sector = found.setdefault(block.header.address - at, bytearray(_EMPTY))
        sector[at : at + len(block.payload)] = block.payload
    return {address: bytes(sector) for address, sector in found.items()}, families.pop()


def write(path: Path, content: Mapping[int, bytes], family: int) -> None:
    """A .uf2 with these sectors. All of each and in order: the RP2040's ROM counts blocks to know when to erase."""
    out = UF2File(board_family=family)
    out.header.flags = Flags.FamilyIDPresent
    for address in sorted(content):
        out.append_payload(content[address], address)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".new-") as folder:
        out.to_file(f"{folder}/uf2")
        Path(f"{folder}/uf2").replace(path)


def make(board_id: str, micropython: Path, out: Path = BUILD, watchdog: bool = True) -> tuple[Path, Path]:
    """The two files for a board: with MicroPython, and the filesystem alone.

    Raises ValueError for a board without a known layout, for a MicroPython that does not fit or is for another chip,
    and as `build.contents`.
    """
    layout = build.layout_of(board_id)
    if not layout:
        raise ValueError(f"{board_id}: where its filesystem lies is not known; there are {', '.join(build.LAYOUTS)}")
    image = sectors(build.image(contents(board_id, watchdog), layout), layout.start)
    code, family = firmware(micropython)
    chip = find(board_id).chip
    if family != FAMILY[chip]:
        raise ValueError(f"{micropython}: is for another chip than a {board_id}'s {chip}; take the one for this board")
    if max(code) >= FLASH + layout.start:
        raise ValueError(f"{micropython}: reaches into the filesystem of a {board_id}; is it for another board?")
    whole, files = out / f"pouch-{board_id}.uf2", out / f"pouch-{board_id}-files.uf2"
    write(whole, {**code, **image}, family)
    write(files, image, family)
    return whole, files


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.uf2", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("boards", nargs="*", metavar="BOARD", default=["RPI_PICO"], help="default: RPI_PICO")
    parser.add_argument("--micropython", type=Path, metavar="FILE", help="the .uf2 to take; default: the tests' own")
    parser.add_argument("--no-watchdog", action="store_true", help="leave board.json as it is")
    args = parser.parse_args()
    for board_id in args.boards:
        try:
            needs = find(board_id).micropython
            if args.micropython is None and needs != "RPI_PICO":
                raise ValueError(
                    f"{board_id}: take MicroPython 1.25 for it from https://micropython.org/download/{needs}/, then "
                    f'make uf2 BOARD={board_id} ARGS="--micropython FILE"'
                )
            micropython = args.micropython or rp2040_image.find()
            whole, files = make(board_id, micropython, watchdog=not args.no_watchdog)
        except (build.BuildError, BoardError, rp2040_image.ImageError, ValueError, OSError) as error:
            print(error, file=sys.stderr)
            return 1
        (BUILD / LICENSES).write_bytes(licenses())
        print(f"{whole}: {micropython.name} and Pouch, for an empty {board_id}")
        print(f"{files}: Pouch alone")
        print("Hold BOOTSEL, plug the Pico in, and copy one of them onto the drive that appears.")
        print("Either REPLACES all that was in the Pico's filesystem: matches, names and settings too.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
