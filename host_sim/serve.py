"""The device in a browser tab: `python -m host_sim` serves the page and runs the firmware along the wall clock.

One thread owns the device (host_sim/runner.py) and tells of it (host_sim/teller.py), the event loop owns the pages
(host_sim/hub.py); all pages share the one device. host_sim/protocol.py says what passes between them.
"""

import argparse
import asyncio
import contextlib
import errno
import ipaddress
import json
import logging
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path

from websockets.asyncio.server import Server, serve

from host_sim import board as boards
from host_sim import protocol, tiers
from host_sim.board import Board
from host_sim.hub import ADDRESS, Hub
from host_sim.runner import Runner

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

BOARD = "RPI_PICO"
PORTS = 50  # how many ports after the wanted one are tried


async def listen(hub: Hub, wanted: int) -> Server:
    """A server on the wanted port, or on the next that is free; 0: any. Raises OSError if there is none."""
    logger = logging.getLogger(__name__)
    logger.addHandler(logging.NullHandler())  # browsers open connections ahead and drop them: no news for a terminal
    logger.propagate = False
    for port in range(wanted, wanted + PORTS) if wanted else (0,):
        try:
            server = await serve(
                hub.client,
                hub.address,
                port,
                process_request=hub.request,
                max_size=protocol.MESSAGE_BYTES,
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


def _machines(note: str) -> str:
    """What can be chosen on the page. Looks for what this machine has, which may take a while the first time."""
    lacks = {tier: tiers.absent(tier) for tier in tiers.TIERS}
    here = [tier for tier, absent in lacks.items() if not absent]
    return json.dumps(
        {
            "t": "machines",
            "tiers": [{"id": tier, "absent": absent} for tier, absent in lacks.items()],
            "boards": [
                {
                    "id": board.id,
                    "name": board.name,
                    "unfit": {tier: why for tier in here if (why := tiers.unfit(tier, board))},
                }
                for board in boards.load_all().values()
            ],
            "scenarios": protocol.scenarios(),
            "note": note,
        }
    )


async def _serve(flashes: "Flashes", tier: str, board: Board, args: argparse.Namespace, note: str) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        with contextlib.suppress(NotImplementedError, AttributeError):  # Windows: KeyboardInterrupt ends us
            loop.add_signal_handler(getattr(signal, name), stop.set)
    hub = Hub(loop, args.host, note)
    runner = hub.runner = Runner(flashes, tier, board, hub.emit)
    server = await listen(hub, args.port)
    hub.port = next(iter(server.sockets)).getsockname()[1]
    runner.start()
    threading.Thread(target=lambda: hub.emit("machines", _machines(note)), daemon=True).start()
    watching = asyncio.create_task(hub.watch())
    try:
        address = f"http://{ADDRESS if _local(args.host) or _any(args.host) else args.host}:{hub.port}/"
        print(f"Pouch is on the table at {address} (Ctrl-C ends it)", flush=True)
        if not args.no_open:
            # Some browsers only return when they are closed.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        await stop.wait()
    finally:
        watching.cancel()
        runner.end()
        server.close()
        await server.wait_closed()


def _local(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def _any(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return False


def data_folder(board_id: str = BOARD) -> Path:
    """Where the device's flash is kept if nobody says where: each board has its own."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home and Path(home).is_absolute() else Path.home() / ".local" / "share") / (
        "pouch" if board_id == BOARD else f"pouch-{board_id}"
    )


class Flashes:
    """The folders that stand for the flashes of the boards that are chosen; nobody else has them meanwhile.

    data: the one that the user named, for every board. A call raises OSError for one that is in use or can't be made.
    """

    def __init__(self, data: Path | None, stack: contextlib.ExitStack) -> None:
        self._data = data
        self._stack = stack
        self._ours: set[Path] = set()

    def __call__(self, board: Board) -> Path:
        flash = (self._data.expanduser() if self._data else data_folder(board.id)).absolute()
        flash.mkdir(parents=True, exist_ok=True)
        if flash not in self._ours:
            self._stack.enter_context(alone(flash))
            self._ours.add(flash)
        return flash


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


def choose(wanted: str | None, board: Board) -> tuple[str, str]:
    """(tier, what is to be said about it). None: the best that this machine has. Raises ValueError if it lacks it."""
    reason = tiers.absent(wanted or "micropython") or tiers.unfit(wanted or "micropython", board)
    if not reason:
        return wanted or "micropython", ""
    if wanted:
        raise ValueError(f"ABSENT {wanted}: {reason}")
    return "cpython", f"The firmware runs on CPython here: {reason}."


def main(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C. 0: ended by the user; 2: it can't be served, with the reason on the terminal."""
    if not 0 <= args.port <= 65535 - PORTS:
        print(f"--port {args.port}: a port is 1 to {65535 - PORTS}, or 0 for any that is free", file=sys.stderr)
        return 2
    board = boards.find(args.board or BOARD)
    try:
        tier, note = choose(args.tier, board)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if note:
        print(note)
    if not _local(args.host):
        print(
            f"WARNING: --host {args.host}: whoever reaches this machine on its port can press the keys of this device "
            "and see its matches. Only in a network that you trust.",
            file=sys.stderr,
        )
    sys.setswitchinterval(0.0005)  # the thread that moves the clock must not wait 5 ms for the one that sends
    with contextlib.ExitStack() as stack:
        flashes = Flashes(args.data, stack)
        flashes(board)
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(flashes, tier, board, args, note))
    return 0
