"""What things cost on a Pico, read off the emulated one: `python -m tools.bench` (make bench).

Everything here is exact and comes out the same on every machine: emulated microseconds, bytes on the bus, bytes of
heap. Beside each figure stands what the unmodified driver's plain full `show()` costs in the same program.
Cycle counts know no cache misses and no flash stalls: times in which the core works are lower bounds.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from host_sim import run, tiers
from host_sim.board import load
from host_sim.firmware import BOARDS
from host_sim.tiers.rp2040 import Rp2040Device

MS = 1000
SECOND = 1_000_000
_PLAIN = "__import__('adafruit_ssd1306').SSD1306_I2C"


class Bench:
    """A device that is switched on, and the figures of `python -m tools.bench` as they are measured."""

    def __init__(self, device: Rp2040Device) -> None:
        self.device = device
        self.figures: list[tuple[str, str, str]] = []

    def add(self, name: str, value: str, plain: str = "-") -> None:
        self.figures.append((name, value, plain))

    # -- measuring -------------------------------------------------------------------------------

    def press(self, role: str, hold_us: int = 60 * MS) -> tuple[int, int]:
        """Press and release; the times of both edges."""
        device = self.device
        down = device.now
        device.key(role, True)
        device.run(down + hold_us)
        up = device.now
        device.key(role, False)
        return down, up

    def glass_after(self, edge_us: int, until_us: int = 150 * MS, settle_us: int = 20 * MS) -> tuple[int, int]:
        """Run until the frame that answers an edge is whole: (us from the edge to its last byte, bytes on the bus).

        Frames of a motion come 50 ms apart and more: 20 ms without data end a frame.
        """
        device = self.device
        device.run(max(device.now, edge_us + until_us))
        last, size = 0, 0
        for transfer in device.bus.transfers:
            if transfer.start_us < edge_us or transfer.size < 2:
                continue
            if last and transfer.start_us - last > settle_us:
                break
            last = transfer.end_us
            size += transfer.size + 1
        return last - edge_us, size

    def wait(self, us: int) -> None:
        self.device.run(self.device.now + us)

    def ask(self, expression: str) -> int:
        return int(self.device.ask(expression))


def first_frame(bench: Bench, name: str = "reset to the first frame") -> None:
    device = bench.device
    began = device.now
    device.run(began + SECOND)
    transfers = [t for t in device.bus.transfers if t.start_us >= began]
    whole = [t for t in transfers if t.data]
    # The display goes on with the command after the first whole frame.
    shown = next(t.end_us for t in transfers if t.start_us > whole[7].start_us and not t.data)
    bench.add(name, f"{(shown - began) / MS:.1f} ms")


def restored(bench: Bench) -> None:
    """Two rounds are played when the power goes."""
    device = bench.device
    for role in ("ok", "left", "ok"):
        bench.press(role)
        bench.wait(1300 * MS)
    device.power_off()
    device.power_on()
    first_frame(bench, "reset to the first frame, a match restored")


def heap(bench: Bench) -> None:
    bench.wait(2 * SECOND)  # until all is imported that comes in idle time
    free = bench.ask("(__import__('gc').collect(), __import__('gc').mem_free())[1]")
    bench.add("heap free after a collection, home", f"{free} B")


def idle(bench: Bench) -> None:
    device = bench.device
    bench.wait(SECOND)
    alloc, awake, data = bench.ask("__import__('gc').mem_alloc()"), device.awake_us(), device.panel.data_bytes
    bench.wait(20 * SECOND)
    grown = bench.ask("__import__('gc').mem_alloc()") - alloc
    bench.add("heap allocated by 20 s of idle steps", f"{grown} B")
    bench.add("CPU awake, idle", f"{(device.awake_us() - awake) / (20 * SECOND):.2%}", "100 %")
    bench.add("bus, an unchanged glass", f"{device.panel.data_bytes - data} B data", "1037 B")


def plain_show(bench: Bench) -> None:
    # In a copy of the running program, so that nothing of it is disturbed. The driver's one transfer of 1,025 bytes is
    # longer than our bus timeout: it gets an I2C of its own.
    bus = "m.I2C(d['bus'], scl=m.Pin(d['scl']), sda=m.Pin(d['sda']), freq=d['frequency'])"
    address = "int(d['address'], 16)"
    oled = f"s(128, 64, __import__('pouch.hal.bus', None, None, ('Bus',)).Bus({bus}, {address}), addr={address})"
    timed = "(lambda o: (lambda a: (o.show(), t.ticks_diff(t.ticks_us(), a))[1])(t.ticks_us()))"
    us = bench.ask(
        f"(lambda m, d, t, s: {timed}({oled}))"
        f"(__import__('machine'), app.running.device.board['display'], __import__('time'), {_PLAIN})"
    )
    bench.add("a whole frame, the driver's plain show()", "-", f"{us / MS:.1f} ms, 1037 B")


def press_to_glass(bench: Bench) -> None:
    """A round: each press from its first edge, and from the event that its screen binds, to the whole frame."""
    device = bench.device
    debounce = device.board.press_ms * MS
    release = device.board.release_ms * MS

    def row(name: str, edge: int, bound: int) -> None:
        us, size = bench.glass_after(edge)
        bench.add(f"{name}: edge to glass", f"{us / MS:.1f} ms")
        bench.add(f"{name}: event to glass", f"{(us - bound) / MS:.1f} ms", "28-33 ms")
        bench.add(f"{name}: bus", f"{size} B", "1037 B")

    down, _ = bench.press("ok")
    row("PLAY, a new screen", down, debounce)
    bench.wait(SECOND)
    _, up = bench.press("ok")
    row("GO!, the whole glass", up, release)
    bench.wait(SECOND)
    before, awake = device.bus.bytes, device.awake_us()
    bench.wait(10 * SECOND)
    bench.add("a stopwatch second: bus, probes too", f"{(device.bus.bytes - before) / 10:.1f} B", "1037 B")
    bench.add("CPU awake, stopwatch", f"{(device.awake_us() - awake) / (10 * SECOND):.2%}", "100 %")
    down, _ = bench.press("left")
    row("ZIP!, the whole glass", down, debounce)
    bench.wait(1300 * MS)
    _, up = bench.press("ok")
    row("YES, question to score", up, release)
    bench.wait(SECOND)
    down, _ = bench.press("back")
    row("UNDO on the board", down, debounce)
    bench.wait(SECOND)


def wake(bench: Bench) -> None:
    bench.wait(2 * SECOND)
    woke, read = bench.device.wake_us("back", True)
    bench.add("edge to the loop awake", f"{woke:.0f} us")
    bench.add("edge to the keys read", f"{read:.0f} us")


STEPS: tuple[Callable[[Bench], None], ...] = (
    first_frame,
    heap,
    idle,
    plain_show,
    press_to_glass,
    heap,
    restored,
    wake,
)


def measure() -> list[tuple[str, str, str]]:
    """(figure, ours, the plain driver's) each. Raises ValueError if this machine lacks the tier."""
    board = load(BOARDS / "RPI_PICO" / "board.json")
    with tempfile.TemporaryDirectory() as folder:
        flash = Path(folder)
        run.put_files(board, flash)
        device = tiers.make("rp2040", board, flash)
        assert isinstance(device, Rp2040Device)
        with device:
            device.power_on()
            bench = Bench(device)
            for step in STEPS:
                step(bench)
            return bench.figures


def main() -> int:
    reason = tiers.absent("rp2040")
    if reason:
        print(f"no bench without the tier rp2040: {reason}", file=sys.stderr)
        return 1
    figures = measure()
    names = max(len(name) for name, _, _ in figures)
    values = max(len(value) for _, value, _ in figures)
    print(f"{'on the emulated RP2040, I2C at 400 kHz':{names}}  {'Pouch':>{values}}  plain driver")
    for name, value, plain in figures:
        print(f"{name:{names}}  {value:>{values}}  {plain}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
