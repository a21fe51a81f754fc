"""What the simulator costs on this machine: `python -m tools.bench_page` (make bench).

Wall time, so it differs from machine to machine and from run to run; nothing here is asserted. A press goes from a key
of the keyboard to lit pixels in Chromium; its shares are told apart by the clock of the machine, which the browser and
the server have in common:
    page      from the key to the message sent, and from the message received to the canvas drawn
    server    from there to the device's edge, and from the frame to the page: sockets, threads, waiting for a turn
    firmware  from the edge to the last byte of the frame, on the virtual clock, without the bus
    bus       what the transfers of the frame take at their frequency
"""

import asyncio
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from host_sim import run, serve, tiers
from host_sim.board import find
from host_sim.chips.i2c import Transfer
from host_sim.firmware import ROOT
from host_sim.hub import Hub
from host_sim.protocol import FRAME
from host_sim.runner import Runner
from host_sim.scenario import Scenario, read

ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
PRESSES = 60
APART_US = 20_000  # frames of a motion come 50 ms apart: so long without data ends one
IDLE_S = 10
STARTS = 3
# A round is a GO!, a ZIP! of RED after 20 s, and YES.
MATCH = "wait 500ms\npress ok\nwait 1s\n" + 10 * "press ok\nwait 20s\npress left\nwait 2.5s\npress ok\nwait 1.5s\n"
MATCH += "expect winner RED\n"

# Notes in the page when a key went down, when that was sent, and when which frame had come and was drawn.
PROBE = """async () => {
    const { on } = await import('/link.js');
    const at = () => performance.timeOrigin + performance.now();
    const probe = window.probe = { down: 0, sent: 0, frames: [] };
    document.addEventListener('keydown', (event) => {
        probe.down = performance.timeOrigin + event.timeStamp;
    }, true);
    document.addEventListener('keydown', () => { probe.sent = at(); });
    on('frame', (data) => {
        const came = at(), us = Number(new DataView(data).getBigUint64(6));
        requestAnimationFrame(() => { probe.frames.push({ us, came, drawn: at() }); });
    });
}"""


@contextmanager
def server(*args: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The simulator, and its address."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-u", "-m", "host_sim", "--port", "0", "--no-open", "--data", data, *args]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout
                found = next(found for line in process.stdout if (found := re.search(r"http://\S+/", line)))
                yield process, found[0]
            finally:
                process.terminate()
                process.communicate()


def cpu_s(pid: int) -> float:
    """Seconds of CPU that a process and its children have used. Linux only, 0 elsewhere."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    total = 0
    for one in [pid, *(child for child, parent in pairs if parent == pid)]:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text("ascii").rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


class Timed(Runner):
    """Notes when which transfer was on the bus, on the virtual clock."""

    transfers: list[Transfer]
    pressed_us = 0  # when a contact last closed

    def watch(self) -> None:
        self.transfers = []
        key = self.device.key

        def noted(role: str, down: bool) -> None:
            if down:
                self.pressed_us = self.device.now
            key(role, down)

        self.device.key = noted  # type: ignore[method-assign]
        heard = self.device.bus.listener
        assert heard

        def both(transfer: Transfer) -> None:
            self.transfers.append(transfer)
            heard(transfer)

        self.device.bus.listener = both

    def answer(self, edge_us: int) -> tuple[int, int] | None:
        """(when the first frame after an edge was whole, us on the bus for it), None if none came."""
        whole = bus = 0
        for transfer in self.transfers:
            if transfer.start_us < edge_us or transfer.size < 2:
                continue
            if whole and transfer.start_us - whole > APART_US:
                break
            whole = transfer.end_us
            bus += transfer.end_us - transfer.start_us
        return (whole, bus) if whole else None


class Here:
    """A server in this process, so that its device can be looked at."""

    def __init__(self, flash: Path, tier: str) -> None:
        self._loop = asyncio.new_event_loop()
        self.runner: Timed
        self.port = 0
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(flash, tier), daemon=True)
        self._thread.start()
        self._ready.wait(30)

    def _run(self, flash: Path, tier: str) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve(flash, tier))

    async def _serve(self, flash: Path, tier: str) -> None:
        hub = Hub(self._loop)
        self.runner = Timed(lambda board: flash, tier, find("RPI_PICO"), hub.emit)
        self.runner.watch()
        hub.runner = self.runner
        server = await serve.listen(hub, 0)
        self.port = hub.port = next(iter(server.sockets)).getsockname()[1]
        self.runner.start()
        self._stop = asyncio.Event()
        self._ready.set()
        await self._stop.wait()
        self.runner.end()
        server.close()
        await server.wait_closed()

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not path:
        raise FileNotFoundError("no Chromium here: install Debian's chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGS)
        yield browser
        browser.close()


def opened(browser: Any, address: str) -> Any:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.wait_for_function("() => (document.getElementById('glass').dataset.text || '').includes('PLAY')")
    return page


def percentiles(values: list[float]) -> str:
    values = sorted(values)
    return f"p50 {statistics.median(values):6.1f}   p95 {values[min(len(values) - 1, len(values) * 95 // 100)]:6.1f} ms"


def press_to_pixels(browser: Any, tier: str) -> None:
    """The home screen goes one further at each press: a new glass, bound to DOWN."""
    with tempfile.TemporaryDirectory() as flash:
        run.put_files(find("RPI_PICO"), Path(flash))
        here = Here(Path(flash), tier)
        try:
            page = opened(browser, f"http://127.0.0.1:{here.port}/")
            page.evaluate(PROBE)
            shares: dict[str, list[float]] = {name: [] for name in ("page", "server", "firmware", "bus", "all")}
            for _ in range(PRESSES):
                runner = here.runner
                runner.transfers.clear()
                page.evaluate("() => { window.probe.frames = []; }")
                page.keyboard.down("ArrowRight")
                page.wait_for_timeout(150)
                page.keyboard.up("ArrowRight")
                page.wait_for_timeout(120)
                probe = page.evaluate("() => window.probe")
                edge = runner.pressed_us
                answer = runner.answer(edge)
                frames = [frame for frame in probe["frames"] if answer and frame["us"] >= answer[0]]
                if not answer or not frames:
                    continue
                whole, bus = answer
                in_page = probe["sent"] - probe["down"] + frames[0]["drawn"] - frames[0]["came"]
                total = frames[0]["drawn"] - probe["down"]
                shares["all"].append(total)
                shares["page"].append(in_page)
                shares["bus"].append(bus / 1000)
                shares["firmware"].append((whole - edge - bus) / 1000)
                shares["server"].append(total - in_page - (whole - edge) / 1000)
            page.close()
        finally:
            here.end()
    print(f"press to pixels in the browser, {tier}, {len(shares['all'])} presses")
    for name, values in shares.items():
        print(f"    {name:9} {percentiles(values)}")


def start() -> None:
    """From `python -m host_sim` to the first frame that shows something."""
    took = []
    for _ in range(STARTS):
        began = time.monotonic()
        with server() as (_, address), connect(address.replace("http", "ws") + "ws", proxy=None) as client:
            while True:
                message = client.recv(timeout=30)
                if isinstance(message, bytes) and any(message[FRAME.size :]):
                    break
            took.append(time.monotonic() - began)
    print(f"start to the first frame          {statistics.median(took):6.2f} s, the middle of {STARTS}")


def idle(browser: Any) -> None:
    with server() as (process, address):
        page = opened(browser, address)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")

        def in_page() -> float:
            metrics = session.send("Performance.getMetrics")["metrics"]
            return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

        page.wait_for_timeout(3000)  # what is imported in idle time is imported
        before, drawn = cpu_s(process.pid), in_page()
        page.wait_for_timeout(IDLE_S * 1000)
        print(f"CPU of an idle page               {(cpu_s(process.pid) - before) / IDLE_S:6.1%} server and firmware,"
              f" {(in_page() - drawn) / IDLE_S:.1%} page")  # fmt: skip
        page.close()


def headless() -> None:
    scenario: Scenario = read(MATCH, ROOT / "ten rounds.txt")
    for tier in tiers.TIERS:
        if reason := tiers.absent(tier):
            print(f"ten rounds, {tier}: absent, {reason}")
            continue
        began = time.monotonic()
        result = run.play(scenario, tier)
        took = time.monotonic() - began
        if result.failure:
            raise ValueError(result.failure)
        print(f"ten rounds headless, {tier:12} {result.virtual_us / 1e6 / took:6.1f} virtual seconds a second")


def main() -> int:
    print("on this machine, wall time")
    headless()
    start()
    try:
        with chromium() as browser:
            idle(browser)
            for tier in ("cpython", "micropython"):
                if not tiers.absent(tier):
                    press_to_pixels(browser, tier)
    except FileNotFoundError as error:
        print(f"nothing is measured in a browser: {error}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
