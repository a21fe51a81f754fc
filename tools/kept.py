"""What a device keeps (its folder data/), on a board or in a folder of the simulator: read whole, or put back whole."""

import argparse
import contextlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from tools.board_link import Board, LinkError, add_port, find

DATA = "data"
_NEW, _OLD = "data.new", "data.old"
_FLASH = "flash.bin"  # the simulator's rp2040 tier keeps a whole chip


class KeptError(Exception):
    """One line: what is wrong, and what to do."""


class OnBoard:
    """The folder of the board on that port (None: the one that is there). What runs on it is stopped, and started again
    by `close`."""

    def __init__(self, port: str | None = None) -> None:
        self.board = Board(find(port))
        self.where = str(self.board.place)

    def read(self) -> dict[str, bytes]:
        """The bytes of all files by name; {} if nothing was ever kept."""
        names = self.board.call("names", DATA)
        if names is None and self.board.call("names", _OLD) is not None:
            # The power went in the middle of `replace`.
            self.board.call("rename", [(_OLD, DATA)])
        return self.board.fetch(DATA)

    def replace(self, files: Mapping[str, bytes]) -> None:
        """Have these files and no others. Until all are there the old ones stand."""
        board = self.board
        board.safe_mode()
        for left in (_NEW, _OLD):
            self._remove(left)
        board.call("os.mkdir", _NEW)
        for name, data in files.items():
            board.send(f"{_NEW}/{name}", data)
        if board.fetch(_NEW) != dict(files):
            raise KeptError(f"{self.where}: not all is on the flash as it was sent. What was there stands; try again.")
        had = board.call("names", DATA) is not None
        board.call("rename", [*([(DATA, _OLD)] if had else []), (_NEW, DATA)])
        self._remove(_OLD)

    def _remove(self, folder: str) -> None:
        names = self.board.call("names", folder)
        if names is not None:
            self.board.call("remove", [*(f"{folder}/{name}" for name in names), folder])

    def close(self) -> None:
        with contextlib.suppress(LinkError):
            self.board.restart()
        self.board.close()


class InFolder:
    """The simulator's folder (as its --data)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.expanduser().absolute()
        self.where = str(self.folder)
        if (self.folder / _FLASH).exists():
            raise KeptError(
                f"{self.folder} is the flash of an emulated Pico: run "
                f"`.venv/bin/python -m host_sim pico --data {folder}`, and give the PORT=... that it tells."
            )
        if not self.folder.is_dir():
            raise KeptError(f"{self.folder}: there is no such folder.")

    def read(self) -> dict[str, bytes]:
        """As OnBoard.read."""
        data = self.folder / DATA
        if not data.exists() and (self.folder / _OLD).exists():
            (self.folder / _OLD).rename(data)
        return {path.name: path.read_bytes() for path in sorted(data.glob("*")) if path.is_file()}

    def replace(self, files: Mapping[str, bytes]) -> None:
        """As OnBoard.replace. Raises OSError if a simulator runs in the folder."""
        from host_sim.serve import alone

        with alone(self.folder):
            new = self.folder / _NEW
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            for name, data in files.items():
                (new / name).write_bytes(data)
            old = self.folder / DATA
            aside = self.folder / _OLD
            shutil.rmtree(aside, ignore_errors=True)
            if old.exists():
                old.rename(aside)
            new.rename(old)
            shutil.rmtree(aside, ignore_errors=True)

    def close(self) -> None:
        pass


Kept = OnBoard | InFolder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_port(parser)
    parser.add_argument(
        "--folder",
        type=Path,
        default=os.environ.get("FOLDER") or None,
        help="a simulator's folder instead of a board; its own is ~/.local/share/pouch",
    )


def of(args: argparse.Namespace) -> Kept:
    """The one that the arguments name. Raises KeptError, LinkError."""
    if args.folder:
        return InFolder(Path(args.folder))
    try:
        return OnBoard(args.port)
    except LinkError as error:
        from host_sim.serve import data_folder

        if args.port or not (data_folder() / DATA).exists():
            raise
        raise KeptError(f"{error} FOLDER={data_folder()} is the simulator.") from None
