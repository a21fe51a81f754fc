"""One emulated Pico on its table: the unmodified firmware image under rp2040py, driven by the emulated clock alone.

It knows nothing of processes. `advance` runs it to a moment and returns what happened on the pins as events
(time in microseconds since power-on, kind, details...), which is all that a device needs to know of it.
"""

import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.execute_batch import execute_batch
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.rp2040 import RP2040
from rp2040py.usb.cdc import USBCDC

from host_sim.chips.i2c import I2cBus
from host_sim.chips.panels import panel
from host_sim.tiers.rp2040_chip import BitBang, Clock, Flash, I2cBlock, PwmBlock, Quiet, Stall, Watched, Wire

FLASH_SIZE = 2 * 1024 * 1024
UNIQUE_ID = bytes.fromhex("E6614103E7654321")  # as the other tiers'

Event = tuple  # (time_us, kind, *details)
Faults = tuple[bool, bool, int, bool]  # present, held, nacks, and whether the panel lost its power meanwhile

_MEMORY = tuple(f"{way}_uint{bits}" for way in ("read", "write") for bits in (8, 16, 32))
_PROMPT = b"\r\n>>> "
_TRACEBACK = b"Traceback (most recent call last):"
_ASK_US = 20_000_000  # emulated time an inspection may take: more, and the REPL does not answer


class Engine:
    """What rp2040py's loop needs to know of a simulator.

    The loop asks for `stopped` at every instruction. Found in a class of its own, by an object that has no attributes,
    it costs half of what a slot does.
    """

    __slots__ = ()
    rp2040: Any
    clock: Any
    stopped: bool

    @staticmethod
    def of(rp2040: Any) -> "Engine":
        own = type("Engine", (Engine,), {"__slots__": (), "rp2040": rp2040, "clock": rp2040.clock, "stopped": True})
        return own()

    def stop(self, stopped: bool) -> None:
        type(self).stopped = stopped


def batch(engine: Engine) -> None:
    execute_batch(engine, 1)  # type: ignore[arg-type]


try:
    from rp2040py.native._loop import run as loop  # ours, if it could be compiled here: see host_sim/emulator_core.py
except ImportError:
    loop = batch


class EmulatorError(Exception):
    """The emulated chip can't go on, or does not answer."""


@dataclass(frozen=True)
class Setup:
    """All that decides how a power-on goes. Equal setups go equal ways.

    flash: the whole chip's content. ticks: what ticks_us reads at power-on. levels: pins that a contact drives.
    """

    flash: bytes = field(repr=False)
    ticks: int
    address: int
    rotation: int
    bus: int
    sda: int
    scl: int
    piezo: int
    led: int | None
    buttons: tuple[int, ...]
    levels: tuple[tuple[int, int], ...] = ()
    present: bool = True
    held: bool = False
    nacks: int = 0
    controller: str = "ssd1306"
    column_offset: int = 0
    swapped: bool = False


def place(uf2: bytes) -> bytearray:
    """A fresh chip's flash with this .uf2 in it. Raises ValueError if it is none, or not for an RP2040."""
    flash = bytearray(b"\xff" * FLASH_SIZE)
    if not uf2 or len(uf2) % 512:
        raise ValueError("not a .uf2 file: its size is no multiple of 512")
    for at in range(0, len(uf2), 512):
        first, second, _, address, size, _, _, _ = struct.unpack_from("<8I", uf2, at)
        offset = address - FLASH_START_ADDRESS
        if first != 0x0A324655 or second != 0x9E5D5157:
            raise ValueError(f"not a .uf2 file: block {at // 512} has no magic number")
        if size > 476 or not 0 <= offset <= FLASH_SIZE - size:
            raise ValueError(f"block {at // 512} of the .uf2 is not for a Pico's flash")
        flash[offset : offset + size] = uf2[at + 32 : at + 32 + size]
    return flash


class Emulator:
    """A Pico that was switched on at time 0 and has not run an instruction yet."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.events: list[Event] = []
        self.panel = panel(setup.controller, setup.address, setup.rotation, setup.column_offset)
        self.bus = I2cBus(self.panel)
        self.bus.present, self.bus.held, self.bus.nacks = setup.present, setup.held, setup.nacks
        self.bus.swapped = setup.swapped
        self._cycles_before = 0  # of the core, until its last reset
        self.clock = Clock()
        self.chip: Any = RP2040(self.clock)
        self.chip.load_bootrom(BOOTROM_B1)
        self.chip.logger = Quiet()
        self.chip.flash[: len(setup.flash)] = setup.flash
        self.chip.on_break = self._on_break
        self.stall = Stall(self.clock.plain)
        self._put_right()
        self._wire_up()
        self._console()
        self._deadline = self.clock.create_alarm(self._stop)
        self.chip.clock = self.clock.plain  # now that all alarms are made
        self._engine = Engine.of(self.chip)
        self._levels: dict[int, int] = {}
        for pin, level in setup.levels:
            self.level(pin, level)
        self.chip.core.pc = FLASH_START_ADDRESS

    # -- the parts -------------------------------------------------------------------------------

    def _put_right(self) -> None:
        chip = self.chip
        # The loop would step both PIO blocks at every instruction; nobody here uses them.
        self._pio, chip.pio = chip.pio, ()
        # At every access the native core asks the chip, in Python, whether these were overridden. The function itself,
        # found before the class is asked for a method, is the quickest answer (a boot takes half the time). Only the
        # DMA block calls them from Python, and could not any more: nobody here uses it.
        for name in _MEMORY:
            setattr(chip, name, vars(RP2040)[name])
        for number in (0, 1):
            block = I2cBlock(chip, f"I2C{number}", chip.i2c[number].irq, self.stall)
            chip.i2c[number] = chip.peripherals[0x40044 + 4 * number] = block
        self.pwm = chip.pwm = chip.peripherals[0x40050] = PwmBlock(chip, "PWM_BASE")
        self.pwm.reset()
        chip.ssi.__class__ = Flash
        chip.ssi.unique_id, chip.ssi.emit, chip.ssi.stall, chip.ssi.busy_until = UNIQUE_ID, self.emit, self.stall, 0.0
        # The timer counts from its epoch, which a chip reset moves to that moment.
        chip.timer._epoch_nanos = -self.setup.ticks * 1000.0
        chip.watchdog.on_watchdog_trigger = self._reset

    def _wire_up(self) -> None:
        chip, setup = self.chip, self.setup
        self.wire = Wire(self.bus, self.clock, self.emit)
        self.i2c = chip.i2c[setup.bus]
        self.i2c.wire = self.wire
        sda, scl = (setup.scl, setup.sda) if setup.swapped else (setup.sda, setup.scl)
        self.pads = BitBang(chip, sda, scl, self.wire)
        self._watched = {
            pin: Watched(chip, self.pwm, pin, self.emit) for pin in (setup.piezo, setup.led) if pin is not None
        }
        self.pwm.changed = self._look
        for pin in range(len(chip.gpio)):
            if pin not in (setup.sda, setup.scl, *setup.buttons):
                self._mirror(pin)
        # A pin that goes from an output to PWM need not change its level: look at the function register too.
        bank = chip.peripherals[0x40014]
        write = bank.write_uint32

        def write_and_look(offset: int, value: int) -> None:
            write(offset, value)
            if offset < 0xF0:
                self._look()

        bank.write_uint32 = write_and_look

    def _look(self) -> None:
        for watched in self._watched.values():
            watched.look()

    def _mirror(self, number: int) -> None:
        """A pad reads what the chip drives it to: `Pin.value()` of an output is not 0."""
        pin = self.chip.gpio[number]

        def changed(new: int, _: int) -> None:
            if int(new) in (0, 1):
                pin.set_input_value(int(new) == 1)
            else:
                pin.release_input()
            if number in self._watched:
                self._watched[number].look()

        pin.add_listener(changed)

    def _console(self) -> None:
        self.cdc = USBCDC(self.chip.usb_ctrl)
        self.cdc.on_serial_data = self._on_output
        self.cdc.on_device_connected = self._on_enumerated
        self.enumerated = False
        self._line = bytearray()
        self.said = bytearray()  # all since the last reset, for the crash and the REPL
        self._crashed = False
        self._reader: tuple[int, int] | None = None
        self._typed = bytearray()
        self._typing = self.clock.create_alarm(self._type)
        usb = self.chip.usb_ctrl
        self._read_endpoint = usb.on_endpoint_read
        usb.on_endpoint_read = self._on_read

        # A host that does not read leaves the packet where it is: the chip is not told that its buffer is free again.
        self._unread: list[int] | None = None  # endpoints whose packets wait, None: everything is read
        self._indicate = usb._indicate_buffer_ready
        usb._indicate_buffer_ready = self._on_packet

    def _on_packet(self, endpoint: int, out: bool) -> None:
        if self._unread is not None and not out and endpoint == self.cdc._in_endpoint:
            self._unread.append(endpoint)
        else:
            self._indicate(endpoint, out)

    def console(self, read: bool) -> None:
        """Whether somebody reads what the chip writes to its USB console."""
        if not read and self._unread is None:
            self._unread = []
        elif read and self._unread is not None:
            waiting, self._unread = self._unread, None
            for endpoint in waiting:
                self._indicate(endpoint, False)

    def _on_read(self, endpoint: int, size: int) -> None:
        # rp2040py answers a read at once, with nothing if there is nothing, every 10 us: the core would never sleep.
        # A real host is silent until it has something.
        if endpoint == self.cdc._out_endpoint and not self.cdc.tx_fifo.item_count:
            self._reader = (endpoint, size)
        else:
            self._read_endpoint(endpoint, size)

    def _on_enumerated(self) -> None:
        self.enumerated = True

    def _on_output(self, data: bytes | bytearray) -> None:
        self.said += data
        self.emit("serial", bytes(data))
        self._line += data
        *lines, rest = bytes(self._line).split(b"\n")
        self._line = bytearray(rest)
        for line in lines:
            self.emit("output", line.decode("utf-8", "replace").rstrip("\r"))
        if not self._crashed and self.said.endswith(_PROMPT) and _TRACEBACK in self.said:
            self._crashed = True
            text = bytes(self.said[self.said.rfind(_TRACEBACK) : -len(_PROMPT)]).decode("utf-8", "replace")
            text = text.split("\r\nMicroPython v")[0].replace("\r\n", "\n").strip()
            if text.rpartition("\n")[2].startswith("KeyboardInterrupt"):
                self.emit("prompt")
            else:
                self.emit("crash", text)

    def type(self, data: bytes) -> None:
        """Keys typed at the USB console."""
        self._typed += data
        self._type()

    def _type(self) -> None:
        fifo = self.cdc.tx_fifo
        while self._typed and fifo.item_count < fifo.size:
            self.cdc.send_serial_byte(self._typed.pop(0))
        if self._reader and fifo.item_count:
            reader, self._reader = self._reader, None
            self._read_endpoint(*reader)
        if self._typed:
            self._typing.schedule(1e6)

    def _reset(self) -> None:
        """machine.reset() or the watchdog: the chip starts again, what is in the flash and on the pins stays."""
        self._cycles_before += self.chip.core.cycles
        self._reader = None
        self._typed.clear()
        self.enumerated = False
        self.said.clear()
        self._crashed = False
        self.chip.pio = self._pio  # a reset goes through all blocks
        self.chip.enter_reset(from_watchdog=True)
        self.chip.leave_reset()
        self.chip.pio = ()
        self.chip.ssi.busy_until = 0.0
        self._look()
        self.emit("reset")

    def _on_break(self, code: int) -> None:
        if not self._crashed:
            self._crashed = True
            self.emit("crash", f"MicroPython itself stopped: breakpoint {code} at 0x{self.chip.core.pc:08x}")

    # -- time ------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """Microseconds since power-on."""
        return int(self.clock.nanos / 1000)

    def word(self, address: int) -> int:
        """What the core would read there, with all that reading does."""
        return int(RP2040.read_uint32(self.chip, address))

    def emit(self, kind: str, *details: Any) -> None:
        self.events.append((self.now, kind, *details))

    def _stop(self) -> None:
        self._engine.stop(True)

    def _run(self, until_us: int) -> None:
        left = until_us * 1000.0 - self.clock.nanos
        if left <= 0:
            return
        engine = self._engine
        engine.stop(False)
        self._deadline.schedule(left)
        while not engine.stopped:
            loop(engine)
        self._deadline.cancel()

    def advance(self, until_us: int) -> list[Event]:
        """Run to a moment, to the end of the instruction that is executed then. The events on the way."""
        self._run(until_us)
        events, self.events = self.events, []
        return events

    def boot(self, limit_us: int = 3_000_000, step_us: int = 10_000, idle_us: int = 60_000) -> list[Event]:
        """Run until the firmware has been asleep for `idle_us`, `limit_us` at most. The events on the way."""
        idle = 0
        while idle < idle_us and self.now < limit_us:
            awake = self.awake_us
            self._run(self.now + step_us)
            idle = idle + step_us if self.enumerated and self.awake_us - awake < step_us // 20 else 0
        return self.advance(self.now)

    # -- hands and wires -------------------------------------------------------------------------

    def apply(self, levels: Iterable[tuple[int, int]], faults: Faults) -> None:
        """Contacts and faults as they are from this moment on."""
        present, held, nacks, lost_power = faults
        if lost_power or (present and not self.bus.present):
            self.panel.power_on()
        self.bus.present, self.bus.nacks = present, nacks
        if held != self.bus.held:
            self.bus.held = held
            self.pads.level()
            if not held:
                self.i2c.let_go()
        for pin, level in levels:
            self.level(pin, level)

    def level(self, pin: int, level: int) -> None:
        """A contact pulls a pin to a level; -1: it is open, and the chip's own pull decides."""
        if self._levels.get(pin, -1) == level:
            return  # rp2040py would see an edge
        self._levels[pin] = level
        if level < 0:
            self.chip.gpio[pin].release_input()
        else:
            self.chip.gpio[pin].set_input_value(bool(level))

    def play(self, levels: Iterable[tuple[int, int]], faults: Faults, until_us: int) -> list[Event]:
        """`apply` and `advance` in one."""
        self.apply(levels, faults)
        return self.advance(until_us)

    # -- the inspector ---------------------------------------------------------------------------

    @property
    def cycles(self) -> int:
        """What the core has executed since power-on."""
        return self._cycles_before + self.chip.core.cycles

    @property
    def awake_us(self) -> int:
        """How long the core was not asleep."""
        return int((self.cycles * 8.0 + self.stall.nanos) / 1000)

    def counters(self) -> tuple[int, int]:
        """(cycles, awake_us)."""
        return self.cycles, self.awake_us

    def flash_image(self) -> bytes:
        return bytes(self.chip.flash[:FLASH_SIZE])

    def _until_said(self, what: bytes, start: int) -> int:
        """Run until the console has said something after `start`; the place behind it. Raises EmulatorError."""
        limit = self.now + _ASK_US
        while True:
            at = self.said.find(what, start)
            if at >= 0:
                return at + len(what)
            if self.now >= limit:
                raise EmulatorError(f"the REPL does not answer; it said {bytes(self.said[start:])[-200:]!r}")
            self._run(self.now + 1000)

    def evaluate(self, expression: str) -> str:
        """The repr of an expression by the REPL. This ends the app and takes time: for a copy that is thrown away.

        Raises EmulatorError with what the REPL said instead.
        """
        self.console(True)
        limit = self.now + _ASK_US
        while not self.enumerated and self.now < limit:
            self._run(self.now + 1000)
        start = len(self.said)
        self.type(b"\r\x03\x03\x01")
        start = self._until_said(b"raw REPL; CTRL-B to exit\r\n>", start)
        self.type(f"import pouch.app as app\nprint(repr({expression}))\n\x04".encode())
        start = self._until_said(b"OK", start)
        end = self._until_said(b"\x04", start)
        answer = bytes(self.said[start : end - 1]).decode("utf-8", "replace").strip()
        stop = self._until_said(b"\x04", end)
        problem = bytes(self.said[end : stop - 1]).decode("utf-8", "replace").strip()
        if problem:
            raise EmulatorError(problem.splitlines()[-1])
        return answer

    def ask(self, expression: str) -> str:
        """`evaluate` in a copy of this process, so that nothing happens here. Raises EmulatorError."""
        if not hasattr(os, "fork"):
            raise EmulatorError("looking inside the emulated Pico needs a system that can fork")
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                try:
                    text = "=" + self.evaluate(expression)
                except Exception as error:
                    text = "!" + (str(error) or repr(error))
                with os.fdopen(writing, "wb") as pipe:
                    pipe.write(text.encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            text = pipe.read().decode()
        os.waitpid(child, 0)
        if text[:1] != "=":
            raise EmulatorError(text[1:] or "the copy of the emulated Pico ended without an answer")
        return text[1:]

    def wake(self, pin: int, level: int) -> tuple[float, float]:
        """Move a contact and see how the sleeping firmware wakes, in microseconds after the edge.

        (when the main loop executes its first instruction, when it first reads the pins). Like `evaluate`, this is
        for a device that is thrown away. Raises EmulatorError if it does not sleep now, or not wake within 100 ms.
        """
        core, start = self.chip.core, self.clock.nanos
        if not core.waiting:
            raise EmulatorError("the core does not sleep")
        read = self.chip.sio.read_uint32
        seen: list[float] = []

        def watch(offset: int) -> Any:
            if offset == 0x004 and not core.ipsr:
                seen.append(self.clock.nanos)
                self._engine.stop(True)
            return read(offset)

        self.level(pin, level)
        first = 0.0
        while not first and self.clock.nanos - start < 100e6:
            if core.waiting:
                self.clock.tick(self.clock.nanos_to_next_alarm)
            else:
                self.clock.tick(core.execute_instruction() * 8.0)
                if not core.ipsr and not core.waiting:
                    first = self.clock.nanos
        self.chip.sio.read_uint32 = watch
        self._run(self.now + 100_000)
        self.chip.sio.read_uint32 = read
        if not seen:
            raise EmulatorError("the firmware did not wake within 100 ms")
        return (first - start) / 1000, (seen[0] - start) / 1000
