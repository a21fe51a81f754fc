"""A board on a serial port, by mpremote: finds it, gets its attention, says what it is, moves files.

Everything that can be wrong with it is a LinkError of one line, which says what to do.
"""

import argparse
import ast
import base64
import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport
from serial.tools import list_ports

_VENDOR = 0x2E8A  # Raspberry Pi's number on the USB
_SCRIPT = Path(__file__).parent / "on_board" / "files.py"
_RAW = b"raw REPL; CTRL-B to exit\r\n"
_TRIES, _TRY_S = 6, 1.5  # how often a board is asked for its attention, and how long it has to answer
_QUIET_S = 0.1
_ANSWER_S = 60  # wall seconds for one: an emulated board is 25 times as slow
_AWAY_S = 15  # how long a board may take to come back on the USB
_PIECE = 1500  # bytes of a file at a time: escaped they still fit into the board's buffer

_NO_BOARD = (
    "No board: no Raspberry Pi is on the USB with MicroPython on it. Is the cable one that carries data? "
    "A new Pico needs MicroPython first (README, Build one). PORT=... names a port of another kind."
)


class LinkError(Exception):
    """There is no board to talk to, it is none of ours, or it does not answer as it should."""


class Gone(LinkError):
    """The line is dead: there is nobody to help on it."""


@dataclass(frozen=True)
class Place:
    """A serial port. number: the board's own, if the USB tells it."""

    path: str
    number: str | None = None

    def __str__(self) -> str:
        return self.path + (f" (board {self.number})" if self.number else "")


@dataclass(frozen=True)
class Kind:
    """What answers there. mpy: what its MicroPython loads, (version, flags) as in the head of a .mpy."""

    name: str
    version: str
    machine: str
    build: str
    mpy: tuple[int, int]

    def __str__(self) -> str:
        what = {"micropython": "MicroPython", "circuitpython": "CircuitPython"}.get(self.name, self.name)
        return f"{self.machine}, {what} {self.version}"


def _on_the_usb() -> list[Place]:
    return [Place(each.device, each.serial_number) for each in list_ports.comports() if each.vid == _VENDOR]


def add_port(parser: argparse.ArgumentParser) -> None:
    """The argument that names a port, for `find`."""
    parser.add_argument("--port", default=os.environ.get("PORT") or None, help="the serial port (default: the one)")


def find(port: str | None = None) -> Place:
    """The one board on the USB, or the port that is named. Raises LinkError for none or more than one."""
    boards = _on_the_usb()
    if port:
        return next((place for place in boards if place.path == port), Place(port))
    if not boards:
        raise LinkError(_NO_BOARD)
    if len(boards) > 1:
        listed = ", ".join(map(str, boards))
        raise LinkError(f"{len(boards)} boards: {listed}. Say which, as in PORT={boards[0].path}.")
    return boards[0]


def _open(path: str) -> Any:
    """A transport for that port; a function of its own so that tests can put another one in its place."""
    transport = SerialTransport(path, timeout=_ANSWER_S)
    transport.is_pty = False  # it would be read without looking whether there is something
    return transport


def bare(source: str) -> str:
    """The same program without what only people read: a board takes a byte in 10 us, and compiles each line."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree).replace("    ", " ")


def _last_line(said: bytes) -> str:
    return said.decode("utf-8", "replace").strip().splitlines()[-1]


class Board:
    """A board that stands at its prompt: what ran on it has been stopped. Raises LinkError, as all methods do."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._transport: Any = None
        self._helped = False  # does the board know on_board/files.py?
        self._open()
        try:
            self.attention()
            self.kind = self._identify()
        except BaseException:
            self.close()
            raise

    # -- the line --------------------------------------------------------------------------------

    def _open(self) -> None:
        path = self.place.path
        if os.path.exists(path) and not os.access(path, os.R_OK | os.W_OK):
            raise LinkError(f"{path}: no permission. On Linux: sudo usermod -aG dialout $USER, then log in anew.")
        try:
            self._transport = _open(path)
        except (TransportError, OSError):
            if os.name == "posix" and not os.path.exists(path):
                raise LinkError(f"{path}: there is no such port.") from None
            raise LinkError(f"{path} can't be opened: does another program use it (Thonny, mpremote)?") from None

    def close(self) -> None:
        transport, self._transport = self._transport, None
        if transport:
            with contextlib.suppress(OSError):
                transport.close()

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _line(self) -> Iterator[Any]:
        """The transport, with its troubles as a LinkError."""
        try:
            yield self._transport
        except (TransportError, OSError) as error:
            raise Gone(f"{self.place}: the connection broke off: {' '.join(str(error).split())}") from None

    def attention(self) -> None:
        """Stop what runs, and have the prompt for programs."""
        heard = b""
        with self._line() as transport:
            for _ in range(_TRIES):
                # Twice: the first one may fall where it is taken for something else.
                transport.serial.write(b"\r\x03\x03")
                heard += self._until_quiet()
                transport.serial.write(b"\r\x01")
                heard += self._until_quiet(_RAW + b">")
                if not heard.endswith(_RAW + b">"):
                    continue
                # Once more, now that nothing of the tries before is on its way: mpremote reads the prompt itself.
                transport.serial.write(b"\r\x01")
                if transport.read_until(1, _RAW, timeout=_TRY_S, timeout_overall=_TRY_S).endswith(_RAW):
                    transport.in_raw_repl = True
                    self._helped = False
                    return
        self._nobody(heard)

    def _until_quiet(self, ending: bytes | None = None) -> bytes:
        """What comes until nothing has come for a moment. ending: wait for that, but not for ever."""
        heard = b""
        quiet = time.monotonic()
        limit = quiet + _TRY_S
        while time.monotonic() < (limit if ending and not heard.endswith(ending) else quiet + _QUIET_S):
            if more := self._heard():
                heard += more
                quiet = time.monotonic()
            else:
                time.sleep(0.005)
        return heard

    def _heard(self) -> bytes:
        line = self._transport.serial
        return line.read(waiting) if (waiting := line.in_waiting) else b""

    def _nobody(self, heard: bytes) -> None:
        if heard.strip():
            raise LinkError(f"{self.place} runs something else than MicroPython: it says {_last_line(heard)[:60]!r}.")
        raise LinkError(
            f"{self.place} does not answer. Unplug the board and plug it in again with BACK held; if that does not "
            "help, put MicroPython on it anew (README, Build one)."
        )

    def run(self, code: str, patience_s: float = 0) -> str:
        """Execute, and return what it printed. patience_s: how long it may say nothing, beside what all may take."""
        with self._line() as transport:
            said, problem = transport.exec_raw(code, timeout=_ANSWER_S + patience_s)
        if problem:
            raise LinkError(f"{self.place}: the board says {_last_line(problem)}")
        return said.decode()

    def call(self, name: str, *arguments: object) -> Any:
        """A function of on_board/files.py, or of a module that it imports."""
        self._help()
        return ast.literal_eval(self.run(f"print(repr({name}({', '.join(map(repr, arguments))})))").strip())

    def _help(self) -> None:
        """Teach the board on_board/files.py. Where what ran has left no room for it, the heap is begun anew."""
        if self._helped:
            return
        try:
            self.run(bare(_SCRIPT.read_text()))
        except LinkError as error:
            if "MemoryError" not in str(error):
                raise
            with self._line() as transport:
                transport.enter_raw_repl(soft_reset=True)
            self.run(bare(_SCRIPT.read_text()))
        self._helped = True

    def _identify(self) -> Kind:
        told = self.run(
            "import sys\ni = sys.implementation\n"
            "print(repr((i[0], '.'.join([str(n) for n in i[1][:3]]), getattr(i, '_machine', 'an unknown board'), "
            "getattr(i, '_build', ''), getattr(i, '_mpy', 0))))"
        )
        name, version, machine, build, mpy = ast.literal_eval(told.strip())
        return Kind(name, version, machine, build, (mpy & 0xFF, mpy >> 8 & 0xFF))

    # -- restarts --------------------------------------------------------------------------------

    def _again(self, first: str = "") -> None:
        """Reset the board, after some code; the line is closed then."""
        with contextlib.suppress(LinkError), self._line() as transport:
            transport.exec_raw_no_follow(f"{first}\nimport machine\nmachine.reset()")
            time.sleep(0.1)
        self.close()
        self._helped = False

    def _back(self) -> None:
        until = time.monotonic() + _AWAY_S
        while True:
            try:
                # A port may come back under another name.
                number = self.place.number
                self.place = next((each for each in _on_the_usb() if number and each.number == number), self.place)
                self._open()
                return
            except LinkError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)

    def safe_mode(self) -> None:
        """Restart it without the app: nothing runs, no watchdog either, and nearly all of its memory is free.

        A board with something else on it may not know what is meant; then the prompt has to do.
        """
        self._again("open('safe-mode', 'wb').close()")
        until = time.monotonic() + _AWAY_S
        while True:
            self._back()
            try:
                self.attention()
                break
            except LinkError:
                # The port was still that from before the reset.
                self.close()
                if time.monotonic() > until:
                    raise
        self.call("remove", ["safe-mode"])

    def restart(self, listen_s: float = 0) -> str:
        """Let the board start as at power-on, and return what it says in the first seconds. The line is closed then."""
        self._again()
        if not listen_s:
            return ""
        said = b""
        until = time.monotonic() + listen_s
        while time.monotonic() < until:
            try:
                if not self._transport:
                    self._back()
                said += self._heard()
            except (LinkError, OSError):
                self.close()
                continue
            if said.endswith(b">>> "):
                break
            time.sleep(0.02)
        self.close()
        return said.decode("utf-8", "replace")

    # -- files -----------------------------------------------------------------------------------

    def digests(self, paths: Iterable[str]) -> Mapping[str, tuple[int, str] | None]:
        """(bytes, SHA-256 in hex) of each file as it stands on the flash, None for one that is not there."""
        return self.call("digests", list(paths))

    def send(self, path: str, data: bytes) -> None:
        """Write a file. It is not whole until this returns."""
        self._help()
        with self._line() as transport:
            transport.exec_raw_no_follow(f"take({path!r}, {len(data)})")
            line = transport.serial
            for at in range(0, len(data), _PIECE):
                if line.read(1) != b">":
                    break
                piece = data[at : at + _PIECE].replace(b"\x1b", b"\x1b\x01").replace(b"\x03", b"\x1b\x02")
                line.write(b"%05d" % len(piece) + piece)
            _, problem = transport.follow(_ANSWER_S)
        if problem:
            raise LinkError(f"{self.place}: {path}: the board says {_last_line(problem)}")

    def read(self, path: str) -> bytes:
        """All bytes of a small file."""
        return self.call("read", path)

    def fetch(self, folder: str) -> dict[str, bytes]:
        """The files in a folder by name; {} if there is none."""
        self._help()
        files = {}
        for line in self.run(f"tell({folder!r})").splitlines():
            name, _, data = line.rpartition(" ")
            files[name] = base64.b64decode(data)
        return files
