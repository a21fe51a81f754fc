"""python -m tools.deploy: put the app on a board, or what of it has changed.

What runs on the board is stopped, and the board is restarted into safe mode (firmware/main.py). New files go there
under another name and are read back; when all are whole they are renamed, within some hundredths of a second, so that a
cable that is pulled leaves the version that was there. The table's own files, in data/, are not touched.
"""

import argparse
import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from host_sim.board import Board as Description
from host_sim.board import BoardError
from host_sim.board import find as describe
from tools import build
from tools.board_link import Board, Gone, Kind, LinkError, add_port, find
from tools.uf2 import watched

_NEW = ".new"
_READER = "pack.mpy"
# What others need comes before them: a board that has no main.py yet waits at its prompt.
_ORDER = (_READER, build.PACK, "board.json", "boot.py", "main.py")
_OURS = {"boot.py": b"pack", "main.py": b"pouch"}  # who else has such a file has another program on the board
_SPARE = 16 * 1024  # bytes that must be left for the table's files
_LISTEN_S = 3.0  # an app that trips at its start has said so by then

Say = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """what: for each file None (it is there already), or why it has to be copied."""

    what: Mapping[str, str | None]
    before: str | None  # the version that is there, None for none
    after: str

    @property
    def changed(self) -> list[str]:
        return [name for name in _sorted(self.what) if self.what[name]]


def _sorted(names: Mapping[str, object]) -> list[str]:
    return sorted(names, key=lambda name: (_ORDER.index(name) if name in _ORDER else -1, name))


def version(digests: Mapping[str, str]) -> str:
    """What these files are together, in eight digits; board.json apart, which is the maker's."""
    lines = [f"{name} {digest}\n" for name, digest in sorted(digests.items()) if name != "board.json"]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:8]


def check(kind: Kind, board: Description, reader: bytes) -> None:
    """Raise LinkError unless a build for this board runs on what answers. reader: any .mpy of the build."""
    if kind.name != "micropython":
        raise LinkError(f"{kind}: Pouch needs MicroPython 1.25. Put it on the board first (README, Build one).")
    if board.chip.upper() not in kind.machine.upper() or kind.build not in ("", board.micropython):
        raise LinkError(
            f"{kind}: that is not {board.id}, which this build is for. Say which it is, as in BOARD=RPI_PICO_W."
        )
    wanted = (reader[1], reader[2])
    if kind.mpy != wanted:
        raise LinkError(
            f"{kind} loads modules of version {_mpy(kind.mpy)}, this build has {_mpy(wanted)}: "
            "put MicroPython 1.25 on the board (README, Build one)."
        )


def _mpy(mpy: tuple[int, int]) -> str:
    return f"{mpy[0]}.{mpy[1] & 3} for processor {mpy[1] >> 2}" if mpy[0] else "none"


def is_watched(board: Board) -> bool:
    """Whether the watchdog is on in the board's own board.json, as `make uf2` leaves it: then it stays on."""
    try:
        return bool(json.loads(board.read("board.json"))["watchdog"])
    except (LinkError, ValueError, KeyError, TypeError):
        return False


def plan(board: Board, files: Mapping[str, bytes]) -> Plan:
    """Compare, on the board. Raises LinkError if there is somebody else's program."""
    there = board.digests(files)
    for name, mark in _OURS.items():
        if there.get(name) and mark not in board.read(name):
            raise LinkError(
                f"{board.place}: {name} on it is of another program. If it can go: mpremote connect "
                f"{board.place.path} rm :{name}"
            )
    ours = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    what: dict[str, str | None] = {}
    for name, data in files.items():
        found = there[name]
        if found is None:
            what[name] = "new"
        else:
            what[name] = None if found == (len(data), ours[name]) else "changed"
    known = {name: found[1] for name, found in there.items() if found}
    return Plan(what, version(known) if "main.py" in known else None, version(ours))


def copy(board: Board, files: Mapping[str, bytes], names: list[str], say: Say = print) -> None:
    """Put these of the files on a board in safe mode. Raises LinkError; then what was there is still there."""
    needed = sum(len(files[name]) for name in names) + _SPARE
    board.call("remove", [name + _NEW for name in files])  # of a copy that was cut
    free = board.call("room")
    if free < needed:
        raise LinkError(f"{board.place}: {free} bytes are free, {needed} are needed. Whose files fill the flash?")
    for name in names:
        board.send(name + _NEW, files[name])
        say(f"  {name}: {len(files[name])} bytes copied")
    found = board.digests([name + _NEW for name in names])
    for name in names:
        if found[name + _NEW] != (len(files[name]), hashlib.sha256(files[name]).hexdigest()):
            raise LinkError(f"{board.place}: {name} is not on the flash as it was sent. Deploy again.")
    board.call("rename", [(name + _NEW, name) for name in names])


def deploy(
    board_id: str, port: str | None = None, dry: bool = False, say: Say = print, listen_s: float = _LISTEN_S
) -> int:
    """Returns how many files were copied, or (dry) would be. Raises LinkError, and what tools.build.contents does."""
    files = build.contents(board_id)
    with Board(find(port)) as board:
        say(f"Found {board.kind} at {board.place}.")
        try:
            to_do = _bring(board, describe(board_id), files, dry, say)
        except Gone:
            raise
        except (LinkError, KeyboardInterrupt):
            # What was there plays on: it was stopped only to be asked.
            with contextlib.suppress(LinkError):
                board.attention()
                board.restart()
            raise
        said = board.restart(listen_s)
    count = len(to_do.changed)
    if not dry:
        _judge(said, board)
        say(f"{_files(count) if count else 'nothing'} copied: Pouch {to_do.after} runs.")
    return count


def _bring(board: Board, description: Description, files: dict[str, bytes], dry: bool, say: Say) -> Plan:
    """All of a deployment between the board's stop and its restart."""
    check(board.kind, description, files[_READER])
    if is_watched(board):
        files["board.json"] = watched(files["board.json"])
    to_do = plan(board, files)
    names = to_do.changed
    say(f"On it: {f'Pouch {to_do.before}' if to_do.before else 'no Pouch'}. This build: Pouch {to_do.after}.")
    for name in _sorted(files):
        say(f"  {name}: {to_do.what[name] or 'as it is'}")
    if dry:
        say(f"DRY: {_files(len(names))} would be copied. The board starts again.")
    elif names:
        board.safe_mode()
        copy(board, files, names, say)
    return to_do


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _judge(said: str, board: Board) -> None:
    """Raise LinkError if the app did not start."""
    if ">>> " in said:
        lines = [line for line in said.splitlines() if line.strip() and not line.startswith((">>>", "Type ", "Micro"))]
        reason = lines[-1] if lines else "it says nothing"
        raise LinkError(f"{board.place}: all is copied, but the app does not start: {reason}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.deploy", description=__doc__)
    parser.add_argument("board", nargs="?", default="RPI_PICO", metavar="BOARD", help="default: RPI_PICO")
    add_port(parser)
    parser.add_argument("--dry", action="store_true", default=bool(os.environ.get("DRY")), help="only tell")
    args = parser.parse_args()
    try:
        deploy(args.board, args.port, args.dry)
    except (LinkError, BoardError, build.BuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Cut: what was not renamed yet is as it was. Deploy again.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
