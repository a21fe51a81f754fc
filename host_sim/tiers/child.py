"""The `cpython` and `micropython` tiers: the firmware in a child process, in lockstep over two pipes.

The child says what it does to its pins and where it waits, and blocks there; the host says what time it is now.
Nothing runs on wall time, so a run is exact and can be replayed. `host_sim/child` is the other end.
"""

import contextlib
import os
import select
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path

from host_sim.board import Board
from host_sim.device import Device, DeviceError
from host_sim.firmware import CHILD, FIRMWARE, library, precompile

# A true cap. A Pico's heap has 240 kB; the same objects take twice the room here, and what is compiled from source,
# which no Pico does, needs pieces of it that are large.
HEAP = "560k"
SILENCE_S = 30  # wall seconds after which a firmware that says nothing is taken for hung
FULL = ".full"  # a file with this name in the flash folder: there is no room for more
LOOK_US = 20  # what a look at the clock costs a loop that does nothing else
# For so long such a loop may go on without asking again, if nothing is to happen. Each question costs 0.1 ms.
ALONE_US = 10_000


class ChildDevice(Device):
    def __init__(self, board: Board, flash: Path, ticks: int = 0) -> None:
        super().__init__(board, flash, ticks)
        self._process: subprocess.Popen[bytes] | None = None
        self._since = 0  # when this power-on was, on the host's clock
        self._request: list[str] | None = None
        self._ends: int | None = None  # when the pending request is done, None: only an edge ends it
        self._fed_until: int | None = None  # then the watchdog bites, None: it is off
        self._bitten = False
        self._edges: list[str] = []
        self._inputs: set[int] = set()
        self._pulls: dict[int, int] = {}  # input -> the level that the chip itself pulls it to
        self._crash: list[str] = []
        self._levels = {b.pin: role for role, b in board.buttons.items()}

    def _command(self) -> tuple[list[str], dict[str, str]]:
        raise NotImplementedError

    def _start(self) -> None:
        self.flash.mkdir(parents=True, exist_ok=True)
        command, environment = self._command()
        bitten, self._bitten = {"POUCH_BITTEN": "1"} if self._bitten else {}, False
        self._fed_until = None
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ.get("PATH", ""), "POUCH_TICKS": str(self.ticks), **bitten, **environment},
            bufsize=0,
        )
        assert self._process.stdout
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._printer = threading.Thread(target=self._print, args=(self._process.stdout,), daemon=True)
        self._printer.start()
        self._since = self.now
        self._request = None
        self._interrupt = False
        self._edges = []
        self._inputs = set()
        self._pulls = {}
        self._crash = []

    def _print(self, stream) -> None:
        for line in stream:
            self.output.append(line.decode("utf-8", "replace").rstrip("\n"))

    def _stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._printer.join(5)
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream:
                    with contextlib.suppress(OSError):
                        stream.close()
            self._process = None

    # -- the wire --------------------------------------------------------------------------------

    def _read(self) -> list[str]:
        """The child's next line, in words. Never waits longer than SILENCE_S."""
        while not self._lines:
            assert self._process and self._process.stderr
            wire = self._process.stderr.fileno()
            if os.name == "posix" and not select.select([wire], [], [], SILENCE_S)[0]:
                self._process.kill()
                raise DeviceError(
                    f"the firmware has said nothing for {SILENCE_S} s: it loops without looking at the clock"
                )
            got = os.read(wire, 65536)
            if not got:
                status = self._process.wait()
                raise DeviceError("\n".join(self._crash) or f"the firmware's process ended with status {status}")
            lines = (self._rest + got).split(b"\n")
            self._rest = lines.pop()
            self._lines.extend(lines)
        return self._lines.popleft().decode("utf-8", "replace").rstrip("\r").split(" ")

    def _send(self, line: str) -> None:
        assert self._process and self._process.stdin
        try:
            self._process.stdin.write(line.encode() + b"\n")
        except OSError:
            raise DeviceError("\n".join(self._crash) or "the firmware's process has ended") from None

    def _next_request(self) -> None:
        """Follow what the child says until it waits for an answer."""
        while self._request is None and not self.at_prompt:
            words = self._read()
            kind = words[0]
            if kind == "C":  # it moved its clock by itself, as far as it was allowed to
                self.now = self._since + int(words[1])
            elif kind == "P":
                self._output(int(words[1]), int(words[2]))
            elif kind == "F":
                if int(words[1]) == self.board.piezo_pin:
                    self.piezo.pwm(self.now, int(words[2]), int(words[3]))
            elif kind == "M":
                pin = int(words[1])
                self._inputs.add(pin)
                self._pulls[pin] = int(words[2] == "1")
                self._answer(str(self._level_now(pin)))
            elif kind == "D":
                self._fed_until = self.now + int(words[1]) if words[1] != "0" else None
            elif kind == "X":
                self._stop()
                self._start()
            elif kind == "Q":
                self.at_prompt = True
            elif kind == "E":
                self._crash.append(" ".join(words[1:]))
            elif kind in ("W", "S", "T", "I", "R", "J"):
                self._request = words
                self._ends = self._duration(words)
            else:  # something else wrote to standard error: a start that failed
                self._crash.append(" ".join(words))

    def _level_now(self, pin: int) -> int:
        """What the firmware reads there: what a contact or a fault drives it to, else its own pull."""
        role = self._levels.get(pin)
        if role and self.is_down(role):
            return self.contact(role)
        if pin == self.board.display.sda and self.bus.held:
            return 0
        return self._pulls.get(pin, 1)

    def _bite(self) -> None:
        """The watchdog starts the chip again."""
        self._stop()
        self.at_prompt = False
        self.piezo.level(self.now, False)
        self.led.level(self.now, False)
        self._bitten = True
        self._start()

    def _output(self, pin: int, level: int) -> None:
        if pin == self.board.piezo_pin:
            self.piezo.level(self.now, bool(level))
        elif pin == self.board.led_pin:
            self.led.level(self.now, bool(level))

    def _duration(self, words: list[str]) -> int | None:
        kind = words[0]
        if kind == "W":
            return None if int(words[1]) < 0 else self.now + int(words[1])
        if kind == "S":
            return self.now + int(words[1])
        if kind == "T":
            return self.now + LOOK_US
        address, frequency, timeout = int(words[1]), int(words[2]), int(words[3])
        size = int(words[4]) if kind == "R" else len(words[4]) // 2 if kind == "I" and len(words) > 4 else 0
        if self.bus.held or self.bus.duration_us(size, frequency) > timeout:
            # As on the RP2: the timeout is for the whole transfer, not for a byte of it.
            self._payload, self._answered = b"", False
            self._reply = "O"
            return self.now + timeout
        self._payload = bytes.fromhex(words[4]) if kind == "I" and len(words) > 4 else bytes(size)
        self._answered = self.bus.acknowledges(address, kind == "J" and int(words[4]) == self.board.display.sda)
        self._reply = "" if self._answered else "N"
        if not self._answered:
            size = 0  # the transfer ends with the address
        return self.now + self.bus.duration_us(size, frequency)

    def _complete(self, payload: str = "") -> None:
        """The pending request is done now: answer it."""
        request, self._request = self._request, None
        assert request
        if request[0] in ("I", "R", "J"):
            payload = self._reply
            size = len(self._payload)
            if self._answered and self.bus.present:
                if request[0] == "R":
                    payload = (bytes([self.panel.read()]) * size).hex()
                elif size:
                    self.panel.transaction(self._payload)
            started = self.now - self.bus.duration_us(size if self._answered else 0, int(request[2]))
            body = b"" if not self._answered else self._payload if request[0] == "I" else bytes(size)
            self.bus.record(started, self.now, int(request[1]), body, self._answered)
        self._answer(payload)

    def _answer(self, payload: str = "") -> None:
        if self._interrupt:
            self._interrupt, payload = False, "!"
        head = [str(self.now - self._since), *self._edges]
        self._edges = []
        self._send(" ".join(head) + "|" + payload)

    # -- what Device asks of a tier --------------------------------------------------------------

    def _advance(self, until: int) -> None:
        while True:
            self._next_request()
            bites, ends = self._fed_until, None if self.at_prompt else self._ends
            if bites is not None and bites <= until and (ends is None or bites < ends):
                self.now = max(self.now, bites)
                self._bite()
                continue
            if ends is None or ends > until:
                self.now = until
                return
            self.now = max(self.now, ends)
            if self._request and self._request[0] == "T":
                alone = min(until if bites is None else min(until, bites), self.now + ALONE_US)
                self._complete(str(alone - self._since))
            else:
                self._complete()

    def _level(self, pin: int, level: int) -> None:
        self._next_request()
        level = self._level_now(pin)
        if self.at_prompt or pin not in self._inputs:
            return  # read when the firmware configures the pin
        self._edges.append(f"{pin}:{level}:{self.now - self._since}")
        if self._request and self._request[0] == "W":
            self._complete()

    def interrupt(self) -> None:
        self._next_request()
        if not self.at_prompt:
            self._interrupt = True
            if self._request and self._request[0] in ("W", "S"):
                self._complete()

    def put_file(self, name: str, data: bytes | None) -> None:
        path = self.flash / name
        if data is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def files(self) -> dict[str, bytes]:
        paths = [path for path in sorted(self.flash.rglob("*")) if path.is_file() and path.name != FULL]
        return {path.relative_to(self.flash).as_posix(): path.read_bytes() for path in paths}

    def fill(self, full: bool) -> None:
        self.put_file(FULL, b"" if full else None)

    def ask(self, expression: str) -> str:
        self._next_request()
        self._send("?" + expression)
        while True:
            words = self._read()
            if words[0][:1] == "=":
                answer = " ".join(words)[1:]
                if answer.startswith("!"):
                    raise DeviceError(f"{expression}: {answer[1:]}")
                return answer


class CPythonDevice(ChildDevice):
    tier = "cpython"

    def _command(self) -> tuple[list[str], dict[str, str]]:
        # As on a Pico, what lies in the root of the flash comes first.
        path = [CHILD / "common", CHILD / "cpython", self.flash, FIRMWARE, library()]
        paths = os.pathsep.join(map(str, path))
        precompile()
        # -I and -S: no user site, no site-packages, where a Blinka would mask the shims.
        return [sys.executable, "-I", "-S", "-B", "-X", "utf8", str(CHILD / "boot.py"), str(self.flash), paths], {}


class MicroPythonDevice(ChildDevice):
    tier = "micropython"

    def _command(self) -> tuple[list[str], dict[str, str]]:
        from host_sim.tiers import micropython_binary

        path = [CHILD / "common", self.flash, FIRMWARE, library()]
        binary = micropython_binary()
        assert binary
        command = [str(binary), "-X", f"heapsize={HEAP}", str(CHILD / "boot.py"), str(self.flash)]
        return command, {"MICROPYPATH": ":".join(map(str, path))}
