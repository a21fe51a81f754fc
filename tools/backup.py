"""python -m tools.backup: all that a device keeps as one file; `--restore FILE` puts it back, byte for byte.

The file is a .zip with the files of the folder data/ in it, and a list of their checksums.
"""

import argparse
import hashlib
import json
import sys
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tools import kept
from tools.board_link import LinkError
from tools.kept import KeptError

_LIST = "pouch-backup.json"
_FORMAT = 1
_LARGEST = 1 << 20  # bytes of one file: a Pico's flash has no more for all of them


def save(files: Mapping[str, bytes], path: Path) -> None:
    """Write a backup; a file that is there already is not written over (FileExistsError)."""
    listed = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    with path.open("xb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_LIST, json.dumps({"format": _FORMAT, "files": listed}, indent=1))
        for name in listed:
            archive.writestr(f"{kept.DATA}/{name}", files[name])


def load(path: Path) -> dict[str, bytes]:
    """The files in a backup. Raises KeptError if it is none, or not whole; OSError if it can't be read."""
    none = KeptError(f"{path} is no backup of a Pouch.")
    if not path.is_file():
        there = ", ".join(sorted(map(str, path.absolute().parent.glob("pouch-*.zip")))[-5:])
        raise KeptError(
            f"{path}: there is no such file. "
            + (f"There is {there}." if there else "`make backup` writes one, pouch-backup-....zip.")
        )
    try:
        with zipfile.ZipFile(path) as archive:
            told = json.loads(archive.read(_LIST))
            if told["format"] != _FORMAT:
                raise KeptError(f"{path} is a backup of format {told['format']}: use the newer Pouch that made it.")
            files = {}
            for name, digest in told["files"].items():
                member = archive.getinfo(f"{kept.DATA}/{name}")
                if "/" in name or "\\" in name or name in ("", ".", "..") or member.file_size > _LARGEST:
                    raise none
                files[name] = archive.read(member)
                if hashlib.sha256(files[name]).hexdigest() != digest:
                    raise KeptError(f"{path} is damaged: {name} in it has another checksum than it had.")
            return files
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, EOFError, NotImplementedError):
        raise none from None


def _stamp() -> str:
    return time.strftime("%Y%m%d-%H%M%S")


def _free(path: Path) -> Path:
    """A path that is not taken yet."""
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free


def backup(source: kept.Kept, out: Path | None = None) -> Path:
    """Returns the path of the new file. Raises KeptError if there is nothing to keep, OSError, LinkError."""
    files = source.read()
    if not files:
        raise KeptError(f"{source.where}: nothing is kept there yet.")
    path = out or _free(Path(f"pouch-backup-{_stamp()}.zip"))
    save(files, path)
    print(f"{path}: {len(files)} files, {sum(map(len, files.values()))} bytes from {source.where}")
    return path


def restore(source: kept.Kept, files: Mapping[str, bytes]) -> Path | None:
    """Put these files in the place of what is there, which is saved first: returns where to, None if there is none."""
    there = source.read()
    saved = None
    if there:
        saved = _free(Path(f"pouch-before-restore-{_stamp()}.zip"))
        save(there, saved)
        print(f"{saved}: {len(there)} files that were there")
    source.replace(files)
    print(f"{source.where}: {len(files)} files, {sum(map(len, files.values()))} bytes put back")
    return saved


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.backup", description=__doc__)
    kept.add_arguments(parser)
    parser.add_argument("--restore", metavar="FILE", help="put this backup back")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="default: pouch-backup-<date>-<time>.zip")
    args = parser.parse_args()
    try:
        if args.restore == "":
            raise KeptError("Say which backup: make restore FILE=pouch-backup-....zip")
        # Before the board is stopped: there may be no reason to.
        files = load(Path(args.restore)) if args.restore else None
        source = kept.of(args)
        try:
            if files is None:
                backup(source, args.out)
            else:
                restore(source, files)
        finally:
            source.close()
    except (KeptError, LinkError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
