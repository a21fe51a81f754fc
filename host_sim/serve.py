"""The device in a browser tab: `python -m host_sim` serves the page and runs the firmware along the wall clock.

One thread owns the device (`Runner`), the event loop owns the clients (`Hub`); all clients share the one device.

Host to page, a binary message for each frame that differs from the last one (`FRAME`, then 1,024 bytes):
    contrast (1 byte), sequence (4), microseconds of the virtual clock (8), the glass row by row, MSB left
and JSON for the rest. Each is the whole state of its kind, so a newer one replaces an older one that is still unsent:
    {"t": "state", "tier", "board", "paused", "crashed"}     {"t": "keys", "down": [role...]}
    {"t": "sound", "hz", "duty", "volume"}  hz 0: silent      {"t": "led", "on"}
    {"t": "text", "text"}  the words on the glass once it is settled      {"t": "crash", "text"}  "" when it is over
Page to host:
    {"t": "key", "role", "down"}      {"t": "reset"}  power off and on      {"t": "pause", "on"}  without "on": toggles
Anything else closes that connection, with the reason; the device and the other clients go on.
"""

import argparse
import asyncio
import contextlib
import errno
import json
import logging
import math
import os
import queue
import signal
import struct
import sys
import threading
import time
import traceback
import webbrowser
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from host_sim import run, tiers
from host_sim.board import find
from host_sim.device import ROLES, Device, DeviceError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

ADDRESS = "127.0.0.1"
BOARD = "RPI_PICO"
PAGE = Path(__file__).resolve().parent / "page"
FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/index.html": ("index.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
}
PORTS = 50  # how many ports after the wanted one are tried
MESSAGE_BYTES = 1024  # the longest message of a page is far shorter

FRAME = struct.Struct(">BIQ")
SETTLED_S = 0.15  # unchanged this long, a glass is read
UNSETTLED_S = 1.0  # one that never settles is read all the same

FAST_S = 0.001  # how often the clock is moved while something happens
HELD_S = 0.004
IDLE_S = 0.016
BUSY_S = 0.25  # something happens for this long after a key, a new frame or a tone
BEHIND_US = 250_000  # more than this is skipped: the laptop slept
STEP_US = 8_000  # so that the frames of a change are seen, not only its last one
SLOW_S = 0.1  # what a step may take before a waiting key goes first
GAP_S = 0.004  # between two frames that are sent
EDGES_US = 20_000  # between two edges of one key at least: when this machine is busy, they arrive all at once
OFF_US = 250_000  # how long a reset leaves the power off

Emit = Callable[[str, "str | bytes"], None]


def volume(duty: int) -> float:
    """How loud a PWM of that duty (0..65535) is: the strength of its fundamental, 1 at half."""
    return round(math.sin(math.pi * duty / 65536), 4)


class Runner(threading.Thread):
    """Moves the device's clock along the wall clock, and says what changed. Nobody else touches the device.

    emit(kind, message) is called in this thread.
    """

    def __init__(self, device: Device, emit: Emit) -> None:
        super().__init__(name="device", daemon=True)
        self.device = device
        self._emit = emit
        self._inbox: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._wall = time.monotonic()  # the wall clock when the virtual one read _virtual
        self._virtual = 0
        self._busy_until = 0.0
        self._paused = False
        self._crash = ""
        self._sequence = 0
        self._seen = -1
        self._shown: tuple[bytes, int] | None = None
        self._shown_at = 0.0
        self._sound: tuple[int, int] | None = None
        self._led: bool | None = None
        self._complaints = 0
        self._edges = dict.fromkeys(ROLES, -EDGES_US)  # when a key's last edge was, or will be
        self._given = dict.fromkeys(ROLES, False)  # and whether it is down after that
        self._wanted = dict.fromkeys(ROLES, False)  # whether a finger is on it

    # -- from other threads ----------------------------------------------------------------------

    def key(self, role: str, down: bool) -> None:
        self._put("key", role, down)

    def reset(self) -> None:
        self._put("reset")

    def pause(self, on: bool | None) -> None:
        self._put("pause", on)

    def _put(self, *message: Any) -> None:
        self._inbox.put((time.monotonic(), *message))

    def end(self) -> None:
        """Power off and end the thread."""
        self._put("end")
        self.join(2)
        # A firmware that hangs keeps the thread waiting: without its process it waits no longer.
        with contextlib.suppress(Exception):
            self.device.close()
        self.join(2)

    # -- the thread ------------------------------------------------------------------------------

    def run(self) -> None:
        if hasattr(signal, "pthread_sigmask"):
            # Ctrl-C goes to the whole process group. The child inherits this mask: it is for us to end it, or its
            # death would be taken for a crash.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        self._guarded(self._switch_on)
        self._state()
        while True:
            message: tuple[Any, ...] | None = None
            with contextlib.suppress(queue.Empty):
                message = self._inbox.get(timeout=self._slice())
            # A press happened when it arrived, not when it is its turn: who was first depends on it.
            self._guarded(partial(self._advance, message[0] if message else time.monotonic()))
            if message is None:
                continue
            if message[1] == "end":
                with contextlib.suppress(Exception):
                    self.device.close()
                return
            self._guarded(partial(self._obey, *message[1:]))

    def _slice(self) -> float | None:
        """How long to wait for a message at most; None: nothing happens without one."""
        if self._paused or self._crash:
            return None
        if time.monotonic() < self._busy_until:
            return FAST_S
        return HELD_S if any(map(self.device.is_down, ROLES)) else IDLE_S

    def _guarded(self, work: Callable[[], None]) -> None:
        """Whatever goes wrong in the firmware (or in a tier) is shown, and the server lives on."""
        try:
            work()
        except DeviceError as error:
            self._crashed(str(error))
        except Exception:
            self._crashed(traceback.format_exc())

    def _crashed(self, text: str) -> None:
        if self._crash:
            return
        self._crash = text or "the firmware stopped"
        print(f"The firmware stopped:\n{self._crash}", file=sys.stderr, flush=True)
        self._say("crash", text=self._crash)
        self._say("sound", hz=0, duty=0, volume=0)
        self._sound = None
        self._state()

    def _switch_on(self) -> None:
        self._anchor()
        self.device.power_on()
        self._busy_until = time.monotonic() + BUSY_S

    def _anchor(self) -> None:
        """From here the virtual clock goes along the wall clock again."""
        self._wall = time.monotonic()
        self._virtual = self.device.now

    def _advance(self, wall: float) -> None:
        """Move the virtual clock to what it should read at that moment of the wall clock."""
        if self._paused or self._crash:
            return
        device = self.device
        started = time.monotonic()
        target = self._virtual + int((wall - self._wall) * 1e6)
        if target - device.now > BEHIND_US:
            self._anchor()
            target = device.now + STEP_US
            self._virtual = target
        while device.now < target:
            device.run(min(target, device.now + STEP_US))
            self._look()
            if time.monotonic() - started > SLOW_S and not self._inbox.empty():
                break  # on a tier that is slower than life, a key need not wait for all of it

    def _obey(self, kind: str, *args: Any) -> None:
        device = self.device
        if kind == "key":
            self._wanted[args[0]] = args[1]
            self._fingers()
        elif kind == "pause":
            self._paused = not self._paused if args[0] is None else args[0]
            self._anchor()
            self._fingers()
            self._state()
        elif kind == "reset":
            device.power_off()
            self._crash, self._paused = "", False
            self._say("crash", text="")
            self._anchor()
            self._seen = -1
            self._look()
            device.at(device.now + OFF_US, device.power_on)
            self._fingers()
            self._state()

    def _fingers(self) -> None:
        """Give the device the edges that it lacks. While it is paused it has no time to see any."""
        device = self.device
        if self._paused:
            return
        for role in ROLES:
            if self._wanted[role] != self._given[role]:
                self._given[role] = down = self._wanted[role]
                due = self._edges[role] = max(device.now, self._edges[role] + EDGES_US)
                device.at(due, partial(device.key, role, down))
        device.run(device.now)  # takes no time: does what is due
        self._busy_until = time.monotonic() + BUSY_S

    # -- what changed ----------------------------------------------------------------------------

    def _say(self, kind: str, **values: Any) -> None:
        self._emit(kind, json.dumps({"t": kind, **values}))

    def _state(self) -> None:
        board = self.device.board
        self._say(
            "state",
            tier=self.device.tier,
            board=board.raw.get("name", board.raw.get("id", "")),
            sounder=board.piezo_kind,
            paused=self._paused,
            crashed=bool(self._crash),
        )

    def _look(self) -> None:
        device = self.device
        busy = False
        now = time.monotonic()
        if device.panel.version != self._seen and now - self._shown_at >= GAP_S:
            self._seen = device.panel.version
            shown = (device.frame(), device.panel.contrast)
            if shown != self._shown:
                self._shown, self._shown_at = shown, now
                self._sequence = self._sequence + 1 & 0xFFFFFFFF
                self._emit("frame", FRAME.pack(shown[1], self._sequence, device.now) + shown[0])
                busy = True
        piezo = device.piezo
        hz = piezo.frequency or 0
        sound = (hz, piezo.tones[-1].duty if hz else 0)
        if sound != self._sound:
            self._sound = sound
            self._say("sound", hz=hz, duty=sound[1], volume=volume(sound[1]))
        if device.led.on != self._led:
            self._led = device.led.on
            self._say("led", on=self._led)
            busy = True
        if busy or hz:
            self._busy_until = now + BUSY_S
        while device.output:
            print(f"firmware: {device.output.pop(0)}", flush=True)
        for complaint in device.panel.complaints[self._complaints :]:
            print(f"The panel got what it does not know: {complaint}", file=sys.stderr, flush=True)
        self._complaints = len(device.panel.complaints)
        # Kept for scenarios; a device that is left on for a week would fill the memory with them.
        device.bus.transfers.clear()
        device.led.changes.clear()
        del piezo.tones[:-1]


class Client:
    """One page. What it has not been sent yet waits here, the latest of each kind."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.held: set[str] = set()
        self.pending: dict[str, str | bytes] = {}
        self.wake = asyncio.Event()

    def put(self, kind: str, message: str | bytes) -> None:
        self.pending.pop(kind, None)
        self.pending[kind] = message
        self.wake.set()

    async def send(self) -> None:
        """Until the connection ends. A page that reads slowly misses frames, and holds nobody up."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.wake.wait()
                self.wake.clear()
                while self.pending:
                    kind = next(iter(self.pending))
                    await self.connection.send(self.pending.pop(kind))


class Refused(Exception):
    """A message that no page of ours sends."""


class Hub:
    """The clients, and the latest of each kind of message for those who come later."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.clients: set[Client] = set()
        self.latest: dict[str, str | bytes] = {}
        self.runner: Runner | None = None
        self.port = 0
        self._reader = ThreadPoolExecutor(1, "reader")  # one, so that an older glass is never told after a newer one
        self._reading: asyncio.TimerHandle | None = None
        self._unread_since: float | None = None
        self._unreadable = False

    # -- from the device -------------------------------------------------------------------------

    def emit(self, kind: str, message: str | bytes) -> None:
        """For the device's thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: we are ending
            self.loop.call_soon_threadsafe(self.publish, kind, message)

    def publish(self, kind: str, message: str | bytes) -> None:
        self.latest[kind] = message
        for client in self.clients:
            client.put(kind, message)
        if kind == "frame":
            self._read_later()

    def _read_later(self) -> None:
        now = self.loop.time()
        if self._unread_since is None:
            self._unread_since = now
        if self._reading:
            self._reading.cancel()
        due = min(now + SETTLED_S, self._unread_since + UNSETTLED_S)
        self._reading = self.loop.call_at(due, self._read)

    def _read(self) -> None:
        self._reading = self._unread_since = None
        frame = self.latest["frame"]
        assert isinstance(frame, bytes)
        # It takes some milliseconds, in which a key must not wait.
        future = self.loop.run_in_executor(self._reader, self._words, frame[FRAME.size :])
        future.add_done_callback(lambda done: self._told(done.result()))

    def _words(self, frame: bytes) -> str:
        try:
            from host_sim import read_glass

            return read_glass.text(rows(frame))
        except Exception as error:
            if not self._unreadable:
                print(f"The glass can't be put into words: {error!r}", file=sys.stderr, flush=True)
                self._unreadable = True
            return ""

    def _told(self, words: str) -> None:
        message = json.dumps({"t": "text", "text": words})
        if message != self.latest.get("text"):
            self.publish("text", message)

    # -- from a page -----------------------------------------------------------------------------

    async def client(self, connection: ServerConnection) -> None:
        client = Client(connection)
        for kind, message in self.latest.items():
            client.put(kind, message)
        self.clients.add(client)
        sending = asyncio.create_task(client.send())
        try:
            async for message in connection:
                self._obey(client, message)
        except Refused as refused:
            await connection.close(1008, str(refused))
        except ConnectionClosed:
            pass
        finally:
            self.clients.discard(client)
            for role in tuple(client.held):
                self._key(client, role, False)
            sending.cancel()

    def _obey(self, client: Client, text: str | bytes) -> None:
        assert self.runner
        if isinstance(text, bytes):
            raise Refused("a page sends text, not bytes")
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            raise Refused("this is no JSON") from None
        if not isinstance(message, dict):
            raise Refused("this is no JSON object")
        kind = message.get("t")
        if kind == "key":
            role, down = message.get("role"), message.get("down")
            if role not in ROLES or not isinstance(down, bool):
                raise Refused(f"key: role is one of {', '.join(ROLES)}, down is true or false")
            self._key(client, role, down)
        elif kind == "reset":
            self.runner.reset()
        elif kind == "pause":
            on = message.get("on")
            if on is not None and not isinstance(on, bool):
                raise Refused("pause: on is true or false")
            self.runner.pause(on)
        else:
            raise Refused("there is only key, reset and pause")

    def _down(self) -> list[str]:
        return [role for role in ROLES if any(role in client.held for client in self.clients)]

    def _key(self, client: Client, role: str, down: bool) -> None:
        """A button is down as long as any page holds it."""
        assert self.runner
        others = any(role in other.held for other in self.clients if other is not client)
        if (role in client.held) == down:
            return
        (client.held.add if down else client.held.discard)(role)
        if not others:
            self.runner.key(role, down)
        self.publish("keys", json.dumps({"t": "keys", "down": self._down()}))

    # -- HTTP ------------------------------------------------------------------------------------

    def request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answers everything but a websocket of our own page."""
        hosts = {f"{name}:{self.port}" for name in (ADDRESS, "localhost")}
        # A page from elsewhere must not press keys here, nor one whose name was made to point at this machine.
        if len(host := request.headers.get_all("Host")) != 1 or host[0].lower() not in hosts:
            return self._answer(403, "Forbidden", b"This address is not served here.\n")
        # Only what is no browser sends no Origin with a websocket.
        if any(origin.lower() not in {f"http://{h}" for h in hosts} for origin in request.headers.get_all("Origin")):
            return self._answer(403, "Forbidden", b"This page is from elsewhere.\n")
        path = request.path.partition("?")[0]
        if path == "/ws":
            return None
        if path not in FILES:
            return self._answer(404, "Not Found", b"There is only the page itself.\n")
        name, kind = FILES[path]
        return self._answer(200, "OK", (PAGE / name).read_bytes(), kind)

    def _answer(self, status: int, reason: str, body: bytes, kind: str = "text/plain; charset=utf-8") -> Response:
        sockets = f"ws://{ADDRESS}:{self.port} ws://localhost:{self.port}"  # older Safari does not count it as 'self'
        headers = Headers(
            {
                "Content-Type": kind,
                "Content-Length": str(len(body)),
                "Content-Security-Policy": (
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
                    f"connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                ),
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Cache-Control": "no-store",
                "Connection": "close",
            }
        )
        return Response(status, reason, headers, body)


def rows(frame: bytes) -> list[bytes]:
    """64 rows of 128 bytes, 0 or 1, from a packed frame."""
    bits = f"{int.from_bytes(frame, 'big'):0{len(frame) * 8}b}".encode().translate(bytes.maketrans(b"01", b"\x00\x01"))
    return [bits[i : i + 128] for i in range(0, len(bits), 128)]


async def _listen(hub: Hub, wanted: int) -> Server:
    """A server on the wanted port, or on the next that is free; 0: any. Raises OSError if there is none."""
    logger = logging.getLogger(__name__)
    logger.addHandler(logging.NullHandler())  # browsers open connections ahead and drop them: no news for a terminal
    logger.propagate = False
    for port in range(wanted, wanted + PORTS) if wanted else (0,):
        try:
            server = await serve(
                hub.client,
                ADDRESS,
                port,
                process_request=hub.request,
                max_size=MESSAGE_BYTES,
                compression=None,
                close_timeout=1,
                server_header=None,
                logger=logger,
            )
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            continue
        if wanted and port != wanted:
            print(f"Port {wanted} is in use, so this is {port}.")
        return server
    raise OSError(f"ports {wanted} to {wanted + PORTS - 1} are all in use: choose another with --port")


async def _serve(device: Device, port: int, open_browser: bool) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        with contextlib.suppress(NotImplementedError, AttributeError):  # Windows: KeyboardInterrupt ends us
            loop.add_signal_handler(getattr(signal, name), stop.set)
    hub = Hub(loop)
    runner = hub.runner = Runner(device, hub.emit)
    server = await _listen(hub, port)
    hub.port = next(iter(server.sockets)).getsockname()[1]
    runner.start()
    try:
        address = f"http://{ADDRESS}:{hub.port}/"
        print(f"Pouch is on the table at {address} (Ctrl-C ends it)", flush=True)
        if open_browser:
            # Some browsers only return when they are closed.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        await stop.wait()
    finally:
        runner.end()
        server.close()
        await server.wait_closed()


def data_folder(board_id: str = BOARD) -> Path:
    """Where the device's flash is kept if nobody says where: each board has its own."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home and Path(home).is_absolute() else Path.home() / ".local" / "share") / (
        "pouch" if board_id == BOARD else f"pouch-{board_id}"
    )


@contextlib.contextmanager
def alone(flash: Path) -> Iterator[None]:
    """Two devices on one flash would write over each other. Raises OSError if there is another."""
    if fcntl is None:
        yield
        return
    folder = os.open(flash, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OSError(
                f"another simulator has its device in {flash}: use its page, or give this one a folder with --data"
            ) from None
        yield
    finally:
        os.close(folder)


def main(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C. 0: ended by the user; 2: it can't be served, with the reason on the terminal."""
    if not 0 <= args.port <= 65535 - PORTS:
        print(f"--port {args.port}: a port is 1 to {65535 - PORTS}, or 0 for any that is free", file=sys.stderr)
        return 2
    tier = args.tier
    if tier is None:
        reason = tiers.absent("micropython")
        tier = "cpython" if reason else "micropython"
        if reason:
            print(f"The firmware runs on CPython here: {reason}.")
    elif reason := tiers.absent(tier):
        print(f"ABSENT {tier}: {reason}", file=sys.stderr)
        return 2
    board = find(args.board or BOARD)
    flash = (args.data.expanduser() if args.data else data_folder(board.id)).absolute()
    flash.mkdir(parents=True, exist_ok=True)
    sys.setswitchinterval(0.0005)  # the thread that moves the clock must not wait 5 ms for the one that sends
    with alone(flash):
        run.put_files(board, flash)
        device = tiers.make(tier, board, flash)
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(device, args.port, not args.no_open))
    return 0
