"""The pages of `python -m host_sim`: what they are told, what they may say (host_sim/protocol.py), and HTTP."""

import asyncio
import contextlib
import ipaddress
import json
import socket
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from host_sim import protocol
from host_sim.chips.oled import unpacked, upside_down
from host_sim.device import ROLES
from host_sim.protocol import FRAME, Refused, Unfit
from host_sim.runner import Runner

ADDRESS = "127.0.0.1"
PAGE = Path(__file__).resolve().parent / "page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}

SETTLED_S = 0.15  # unchanged this long, a glass is read
UNSETTLED_S = 1.0  # one that never settles is read all the same
MOST_CLIENTS = 16
MOST_MESSAGES = 400  # of one page in a second: fingers are slower by far
FILM_US = 60_000_000  # how much of the past a GIF holds, but for a recording
FILM_FRAMES = 3000  # and how many frames at most, 1 kB each
WATCH_S = 0.5  # how often it is looked whether the firmware comes back


class Client:
    """One page. What it has not been sent yet waits here, the latest of each kind."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.held: set[str] = set()
        self.pending: dict[str, str | bytes] = {}
        self.wake = asyncio.Event()
        self.inspects = False
        self._second = self._count = 0

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

    def count(self, now: float) -> None:
        """One more message. Raises Refused if there are too many."""
        if int(now) != self._second:
            self._second, self._count = int(now), 0
        self._count += 1
        if self._count > MOST_MESSAGES:
            raise Refused(f"more than {MOST_MESSAGES} messages in a second")


class Hub:
    """The clients, and the latest of each kind of message for those who come later.

    address: the one that is listened on. note: something that every page is to say about this machine.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, address: str = ADDRESS, note: str = "") -> None:
        self.loop = loop
        self.address = address
        self.note = note
        self.clients: set[Client] = set()
        self.latest: dict[str, str | bytes] = {}
        self.runner: Runner | None = None
        self.port = 0
        self.film: deque[tuple[int, bytes]] = deque(maxlen=FILM_FRAMES)
        self.recorded: list[tuple[int, bytes]] = []  # that of the last recording
        self._files = {f"/{path.name}": path for path in sorted(PAGE.iterdir()) if path.suffix in TYPES}
        self._files["/"] = PAGE / "index.html"
        self._reader = ThreadPoolExecutor(1, "reader")  # one, so that an older glass is never told after a newer one
        self._reading: asyncio.TimerHandle | None = None
        self._unread_since: float | None = None
        self._unreadable = False
        self._stuck = False

    # -- from the device -------------------------------------------------------------------------

    def emit(self, kind: str, message: str | bytes) -> None:
        """For the device's thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: we are ending
            self.loop.call_soon_threadsafe(self.publish, kind, message)

    def publish(self, kind: str, message: str | bytes) -> None:
        if kind == "film":
            if message == "keep":
                self.recorded = list(self.film)
            else:
                self.film.clear()
            return
        if kind != "notice":  # what could not be done is news only once
            self.latest[kind] = message
        for client in self.clients:
            client.put(kind, message)
        if isinstance(message, bytes):
            self._keep(message)
            self._read_later()

    def _keep(self, message: bytes) -> None:
        us = FRAME.unpack_from(message)[3]
        state = json.loads(self.latest.get("state", "{}"))
        while self.film and us - self.film[0][0] > FILM_US and state.get("mode", "own") == "own":
            self.film.popleft()
        self.film.append((us, message[FRAME.size :]))

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
        future = self.loop.run_in_executor(self._reader, self._words, frame)
        future.add_done_callback(lambda done: self._told(done.result()))

    def _words(self, message: bytes) -> str:
        try:
            from host_sim import read_glass

            glass = unpacked(message[FRAME.size :])
            if FRAME.unpack_from(message)[1]:  # for who sits opposite
                glass = upside_down(glass)
            return read_glass.text(glass)
        except Exception as error:
            if not self._unreadable:
                print(f"The glass can't be put into words: {error!r}", file=sys.stderr, flush=True)
                self._unreadable = True
            return ""

    def _told(self, words: str) -> None:
        message = json.dumps({"t": "text", "text": words})
        if message != self.latest.get("text"):
            self.publish("text", message)

    async def watch(self) -> None:
        """Say when the firmware does not come back: its thread can't."""
        assert self.runner
        while True:
            await asyncio.sleep(WATCH_S)
            if (stuck := self.runner.stuck()) != self._stuck:
                self._stuck = stuck
                self.publish("stuck", json.dumps({"t": "stuck", "on": stuck}))

    # -- from a page -----------------------------------------------------------------------------

    async def client(self, connection: ServerConnection) -> None:
        client = Client(connection)
        if len(self.clients) >= MOST_CLIENTS:
            await connection.close(1013, f"{MOST_CLIENTS} pages look at this device already")
            return
        for kind, message in self.latest.items():
            client.put(kind, message)
        self.clients.add(client)
        sending = asyncio.create_task(client.send())
        try:
            async for message in connection:
                client.count(self.loop.time())
                self._obey(client, message)
        except Refused as refused:
            await connection.close(1008, str(refused)[:120])
        except ConnectionClosed:
            pass
        finally:
            self.clients.discard(client)
            for role in tuple(client.held):
                self._key(client, role, False)
            self._inspect()
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
            self._key(client, *protocol.key(message))
        elif kind == "inspect":
            client.inspects = protocol.flag("inspect", message)
            self._inspect()
        elif not isinstance(kind, str) or kind not in protocol.KINDS:
            raise Refused(f"there is only inspect, key, {', '.join(sorted(protocol.KINDS))}")
        else:
            try:
                found = protocol.KINDS[kind](message)
            except Unfit as unfit:
                client.put("notice", json.dumps({"t": "notice", "text": str(unfit)}))
                return
            if self.runner.stuck() and kind in ("reset", "power"):
                self.runner.unhang()
            self.runner.put(kind, *found)

    def _inspect(self) -> None:
        assert self.runner
        self.runner.put("inspect", any(client.inspects for client in self.clients))

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

    def ours(self, host: str) -> bool:
        """Whether a Host header names this server in a way that no foreign page can bring about."""
        name, _, port = host.lower().rpartition(":")
        if port != str(self.port):
            return False
        if self.address == ADDRESS:
            return name in (ADDRESS, "localhost")
        # A name that was made to point at this machine is refused; an address can't be.
        with contextlib.suppress(ValueError):
            return bool(ipaddress.ip_address(name.strip("[]")))
        own = socket.gethostname().lower()
        return name in ("localhost", self.address.lower(), own, own.partition(".")[0] + ".local")

    async def request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answers everything but a websocket of our own page."""
        hosts = request.headers.get_all("Host")
        # A page from elsewhere must not press keys here, nor one whose name was made to point at this machine.
        if len(hosts) != 1 or not self.ours(hosts[0]):
            return self._answer(403, "Forbidden", b"This address is not served here.\n")
        # Only what is no browser sends no Origin with a websocket.
        if any(origin.lower() != f"http://{hosts[0].lower()}" for origin in request.headers.get_all("Origin")):
            return self._answer(403, "Forbidden", b"This page is from elsewhere.\n")
        path = request.path.partition("?")[0]
        if path == "/ws":
            return None
        if path in ("/glass.png", "/match.gif", "/recording.gif"):
            return await self._picture(path)
        if path not in self._files:
            return self._answer(404, "Not Found", b"There is only the page itself.\n")
        file = self._files[path]
        kind = f"{TYPES[file.suffix]}; charset=utf-8"
        return self._answer(200, "OK", file.read_bytes(), kind, f"ws://{hosts[0]}")

    async def _picture(self, path: str) -> Response:
        frames = self.recorded if path == "/recording.gif" else list(self.film)
        if not frames:
            return self._answer(404, "Not Found", b"The glass has shown nothing yet.\n")
        make = _png if path.endswith("png") else _gif
        data = await self.loop.run_in_executor(None, make, frames)
        return self._answer(200, "OK", data, f"image/{path[-3:]}")

    def _answer(
        self, status: int, reason: str, body: bytes, kind: str = "text/plain; charset=utf-8", socket: str = ""
    ) -> Response:
        headers = Headers(
            {
                "Content-Type": kind,
                "Content-Length": str(len(body)),
                "Content-Security-Policy": (
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    f"connect-src 'self' {socket}; "  # older Safari does not count the socket as 'self'
                    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                ),
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Cache-Control": "no-store",
                "Connection": "close",
            }
        )
        return Response(status, reason, headers, body)


def _png(frames: list[tuple[int, bytes]]) -> bytes:
    from host_sim import film

    return film.still(unpacked(frames[-1][1]))


def _gif(frames: list[tuple[int, bytes]]) -> bytes:
    from host_sim import film

    shown = [(us, unpacked(frame)) for us, frame in frames]
    return film.moving([*shown, (shown[-1][0] + film.END_US, shown[-1][1])])[0]
