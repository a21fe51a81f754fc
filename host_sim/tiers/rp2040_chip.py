"""What rp2040py 0.3.6 leaves out or gets wrong, put right: I2C time and faults, flash time, PWM as a listener hears it.

Every class here stands in for one block of the chip or one part on its pins. Times are nanoseconds of the emulated
clock. Where the firmware can only wait for a block (a byte on the wire, a sector that is being erased), reading its
status jumps to the next event instead of running the waiting loop a thousand times: to the firmware it is a slow read,
and nothing else can happen meanwhile.
"""

from collections.abc import Callable
from typing import Any

from rp2040py.clock.simulation_clock import SimulationClock
from rp2040py.peripherals import i2c as dw
from rp2040py.peripherals.pwm import CSR_A_INV, CSR_B_INV, CSR_EN, CSR_PH_CORRECT, RPPWM
from rp2040py.peripherals.ssi import CMD_BLOCK_ERASE, CMD_PAGE_PROGRAM, CMD_READ_STATUS_1, CMD_SECTOR_ERASE, RPSSI

from host_sim.chips.i2c import I2cBus

CYCLE_NS = 8.0  # clk_sys and clk_peri are 125 MHz
FUNCTION_PWM, FUNCTION_SIO = 4, 5
ERASE_NS, PROGRAM_NS = 45e6, 0.4e6  # typical of the W25Q16JV: a sector, a page
LATCH_NS = 250e3  # a PWM takes new values at the end of a period, which is about this long where a piezo sounds
_LONGEST_JUMP_NS = 20e3  # while a bus is held there is no event to jump to, but the firmware's timeout to look at
_BLOCK_ERASE_SECTORS = 16

Emit = Callable[..., None]


class Alarm:
    """One alarm of a `Clock`. `due`: when, in nanoseconds, None if it is not set. `order`: among those due at once."""

    __slots__ = ("_callback", "_clock", "_inner", "due", "order")

    def __init__(self, clock: "Clock", callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self._inner = clock.plain.create_alarm(self._fire)
        self.due: float | None = None
        self.order = 0

    def _fire(self) -> None:
        self.due = None
        self._callback()

    def schedule(self, delta_nanos: float) -> None:
        clock = self._clock
        clock.scheduled += 1
        self.order = clock.scheduled
        self.due = clock.plain.nanos + delta_nanos
        self._inner.schedule(delta_nanos)

    def cancel(self) -> None:
        self.due = None
        self._inner.cancel()


class Clock(SimulationClock):
    """The emulated clock, whose alarms can be listed: rp2040py's own can't tell what is due.

    It is the face of a `plain` one, which goes into the chip once that is made: the native loop ticks a clock of the
    very class SimulationClock without asking Python, and any other by looking its `tick` up at every instruction.
    """

    def __init__(self) -> None:
        super().__init__()
        self.plain = SimulationClock()
        self.alarms: list[Alarm] = []
        self.scheduled = 0

    def create_alarm(self, callback: Callable[[], None]) -> Any:
        alarm = Alarm(self, callback)
        self.alarms.append(alarm)
        return alarm

    @property
    def nanos(self) -> float:
        return self.plain.nanos

    @property
    def micros(self) -> float:
        return self.plain.micros

    @property
    def nanos_to_next_alarm(self) -> float:
        return self.plain.nanos_to_next_alarm

    @property
    def has_scheduled_alarm(self) -> bool:
        return self.plain.has_scheduled_alarm

    def tick(self, delta_nanos: float) -> None:
        self.plain.tick(delta_nanos)


class Stall:
    """Lets a status read take until the next event. `nanos` is what was jumped over, core awake, so far."""

    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.nanos = 0.0

    def jump(self, longest: float) -> None:
        ahead = longest
        if self.clock.has_scheduled_alarm:
            ahead = min(ahead, self.clock.nanos_to_next_alarm)
        if ahead > 0:
            self.nanos += ahead
            self.clock.tick(ahead)


class Wire:
    """The panel's end of the bus: who acknowledges, and each finished transfer as an event.

    A transfer reaches the panel as a whole, at its stop condition, as on the other tiers.
    """

    def __init__(self, bus: I2cBus, clock: Any, emit: Emit) -> None:
        self.bus = bus
        self.clock = clock
        self.emit = emit
        self._open = False
        self._address = 0
        self._reading = False
        self._acknowledged = False
        self._payload = bytearray()
        self._start = 0.0

    def start(self) -> None:
        if self._open:
            self.stop()  # a repeated start
        self._start = self.clock.nanos

    def address(self, address: int, reading: bool, swapped: bool = False) -> bool:
        """The address and its direction bit are over. Whether somebody pulled SDA low for it.

        swapped: they came on the panel's own pins, wherever those are.
        """
        self._open = True
        self._address = address
        self._reading = reading
        self._payload = bytearray()
        nacks = self.bus.nacks
        self._acknowledged = self.bus.acknowledges(address, swapped)
        if self.bus.nacks != nacks:
            self.emit("nack")
        return self._acknowledged

    def write(self, byte: int) -> bool:
        if not self.bus.present:
            return False
        self._payload.append(byte)
        return True

    def read(self) -> int:
        self._payload.append(0)  # what was read is no traffic to decode
        return self.bus.panel.read() if self.bus.present else 0xFF

    def stop(self) -> None:
        if not self._open:
            return
        self._open = False
        payload = bytes(self._payload)
        delivered = bool(payload) and not self._reading and self._acknowledged and self.bus.present
        if delivered:
            self.bus.panel.transaction(payload)
        start = int(self._start / 1000)
        self.emit("transfer", start, self._address, payload, self._acknowledged, delivered)


class I2cBlock(dw.RPI2C):
    """The DW_apb_i2c as a bus master, with the time its bytes take and the faults of the wires.

    rp2040py's own leaves the time to the parts on the bus, raises TX_EMPTY when a byte is taken instead of when it is
    sent, starts a new transfer with what is left of one that was not acknowledged, and never lets go of a transfer
    that does not end.
    """

    def __init__(self, rp2040: Any, name: str, irq: int, stall: Stall) -> None:
        super().__init__(rp2040, name, irq)
        self.wire: Wire | None = None  # nobody on this bus: nobody acknowledges
        self._stall = stall
        self._clock = rp2040.clock
        self._alarm = rp2040.clock.create_alarm(self._fire)
        self._then: Callable[[], None] | None = None
        self._waits = False  # for the bus to be let go
        self.on_start = self._on_start
        self.on_connect = self._on_connect
        self.on_write_byte = self._on_write
        self.on_read_byte = self._on_read
        self.on_stop = self._on_stop

    # -- time ------------------------------------------------------------------------------------

    @property
    def bit_ns(self) -> float:
        """One SCL period, from the block's own counters (RP2040 datasheet 4.3.14.1)."""
        return (self.scl_high_period + self._spikelen + 7 + self.scl_low_period + 1) * CYCLE_NS

    def _after(self, bits: int, then: Callable[[], None]) -> None:
        self._then = then
        self._alarm.schedule(bits * self.bit_ns)

    def _fire(self) -> None:
        if self.wire and self.wire.bus.held:
            self._waits = True  # SDA is low: no start, and no byte or stop that ends
            return
        then, self._then = self._then, None
        if then:
            then()

    def let_go(self) -> None:
        """The bus is free again: a transfer that was waiting for it goes on."""
        if self._waits:
            self._waits = False
            self._alarm.schedule(self.bit_ns)

    def _break_off(self) -> None:
        """The firmware disabled the block in the middle of a transfer: the wires are released."""
        self._alarm.cancel()
        self._then = None
        self._waits = False
        if self._state != dw.I2CState.IDLE:
            self._state = dw.I2CState.IDLE
            self._busy = self._stop = self._pending_restart = False
            if self.wire:
                self.wire.stop()

    # -- what the block does on the wires --------------------------------------------------------

    def _on_start(self, repeated: bool) -> None:
        def done() -> None:
            if self.wire:
                self.wire.start()
            self.complete_start()

        self._after(1, done)

    def _on_connect(self, address: int, mode: dw.I2CMode) -> None:
        def done() -> None:
            self.complete_connect(bool(self.wire and self.wire.address(address, mode == dw.I2CMode.READ)))

        self._after(9, done)

    def _on_write(self, value: int) -> None:
        def done() -> None:
            acknowledged = bool(self.wire and self.wire.write(value))
            if acknowledged and self._tx_fifo.item_count <= self.tx_threshold:
                super(I2cBlock, self)._set_interrupts(dw.R_TX_EMPTY)
            self.complete_write(acknowledged)

        self._after(9, done)

    def _on_read(self, acknowledge: bool) -> None:
        self._after(9, lambda: self.complete_read(self.wire.read() if self.wire else 0xFF))

    def _on_stop(self) -> None:
        def done() -> None:
            if self.wire:
                self.wire.stop()
            self.complete_stop()

        self._after(1, done)

    # -- registers -------------------------------------------------------------------------------

    def _set_interrupts(self, mask: int) -> None:
        if mask == dw.R_TX_EMPTY and self._busy and self.control & dw.TX_EMPTY_CTRL:
            return  # not before the byte is out: then `done` above sets it
        super()._set_interrupts(mask)
        if mask == dw.R_TX_ABRT:
            super()._set_interrupts(dw.R_TX_EMPTY)  # the FIFO is flushed

    def read_uint32(self, offset: int) -> int:
        if offset in (dw.IC_RAW_INTR_STAT, dw.IC_RXFLR) and self._then:
            self._stall.jump(_LONGEST_JUMP_NS)
        return super().read_uint32(offset)

    def write_uint32(self, offset: int, value: int) -> None:
        if offset == dw.IC_DATA_CMD and self.int_raw & dw.R_TX_ABRT:
            return  # the FIFO stays flushed until the firmware has seen the abort
        if offset == dw.IC_ENABLE and not value & dw.ENABLE:
            self._break_off()
        super().write_uint32(offset, value)

    def reset(self) -> None:
        self._break_off()
        super().reset()


class BitBang:
    """The panel on the two pads: MicroPython drives writes of no bytes (a bus scan, a probe) with the pins."""

    def __init__(self, rp2040: Any, sda: int, scl: int, wire: Wire) -> None:
        self.wire = wire
        self._sda = rp2040.gpio[sda]
        self._scl = rp2040.gpio[scl]
        self._data = self._clock = True
        self._phase = ""
        self._bits = self._count = 0
        self._pulling = False
        self._sda.add_listener(self._on_sda)
        self._scl.add_listener(self._on_scl)
        self._scl.set_input_value(True)  # the module's own pull-ups
        self.level()

    def level(self) -> None:
        """SDA as whoever is on the bus leaves it."""
        self._sda.set_input_value(not (self._pulling or self.wire.bus.held))

    def _pull(self, pulling: bool) -> None:
        if pulling != self._pulling:
            self._pulling = pulling
            self.level()

    def _on_sda(self, new: int, _: int) -> None:
        level = int(new) != 0
        if level == self._data:
            return
        self._data = level
        if not self._clock:
            return
        if level:
            self._pull(False)
            self._phase = ""
            self.wire.stop()
        elif not self.wire.bus.held:
            self._phase, self._bits, self._count = "address", 0, 0
            self.wire.start()

    def _on_scl(self, new: int, _: int) -> None:
        level = int(new) != 0
        if level == self._clock:
            return
        self._clock = level
        if not self._phase:
            return
        if level:
            if self._count < 8:
                self._bits = self._bits << 1 | int(self._data)
            self._count += 1
        elif self._count == 8:
            if self._phase == "address":
                answered = self.wire.address(self._bits >> 1, bool(self._bits & 1), self.wire.bus.swapped)
            else:
                answered = self.wire.write(self._bits)
            self._pull(answered)
            self._phase = "data" if answered else ""
        elif self._count == 9:
            self._pull(False)
            self._bits = self._count = 0


class PwmBlock(RPPWM):
    """The PWM block without its edges, thousands a second that nobody looks at; `changed` tells of every write."""

    def __init__(self, rp2040: Any, name: str) -> None:
        super().__init__(rp2040, name)
        self.changed: Callable[[], None] = lambda: None
        for channel in self.channels:
            channel.alarm_a.enable = channel.alarm_b.enable = channel.alarm_bottom.enable = False

    def write_uint32(self, offset: int, value: int) -> None:
        super().write_uint32(offset, value)
        self.changed()

    def tone(self, pin: int) -> tuple[int, int]:
        """What the pin gets when PWM drives it: Hz, and the duty 0..65535. (0, 0) while the slice stands still."""
        channel = self.channels[pin >> 1 & 7]
        if not channel.csr & CSR_EN:
            return 0, 0
        divider = (channel.div or 1 << 12) / 16
        period = (channel.top + 1) * (2 if channel.csr & CSR_PH_CORRECT else 1)
        compare = channel.cc >> 16 if pin & 1 else channel.cc & 0xFFFF
        duty = min(65535, round(compare * 65535 / (channel.top + 1)))
        if channel.csr & (CSR_B_INV if pin & 1 else CSR_A_INV):
            duty = 65535 - duty
        return round(1e9 / CYCLE_NS / divider / period), duty


class Flash(RPSSI):
    """The flash chip behind the SSI: with the time it is busy, a log of what was changed, and an id of its own.

    An RPSSI is turned into one by its `__class__`: a second one would listen to the chip select twice.
    """

    unique_id: bytes
    emit: Emit
    stall: Stall
    busy_until: float

    def _apply_command(self) -> None:
        command = bytes(self._tx_buffer[:4])
        if self._write_enabled and len(command) == 4 and len(self._tx_buffer) >= 4:
            address = int.from_bytes(command[1:4], "big")
            now = self.rp2040.clock.nanos
            if command[0] == CMD_PAGE_PROGRAM:
                self.busy_until = now + PROGRAM_NS
                data = bytes(self._tx_buffer[4:260])
                self.emit("flash", "program", address, len(data), data)
            elif command[0] in (CMD_SECTOR_ERASE, CMD_BLOCK_ERASE):
                sectors = 1 if command[0] == CMD_SECTOR_ERASE else _BLOCK_ERASE_SECTORS
                self.busy_until = now + ERASE_NS * (1 if sectors == 1 else 150 / 45)
                self.emit("flash", "erase", address & -4096 * sectors, 4096 * sectors, b"")
        super()._apply_command()

    def _shift_byte(self, byte_out: int) -> int:
        value = super()._shift_byte(byte_out)
        buffer = self._tx_buffer
        if buffer[0] == CMD_READ_STATUS_1 and len(buffer) > 1:
            left = self.busy_until - self.rp2040.clock.nanos
            if left > 0:
                self.stall.jump(left)
                value |= self.rp2040.clock.nanos < self.busy_until
        elif buffer[0] == 0x4B and len(buffer) > 5:
            return self.unique_id[(len(buffer) - 6) % len(self.unique_id)]
        return value


class Watched:
    """One output pin that a part hangs on: tells when what drives it has changed."""

    def __init__(self, rp2040: Any, pwm: PwmBlock, pin: int, emit: Emit) -> None:
        self._pin = rp2040.gpio[pin]
        self._number = pin
        self._pwm = pwm
        self._emit = emit
        self._last: tuple[int, int] | int | None = 0
        self._alarm = rp2040.clock.create_alarm(self._latch)
        self._due = False

    def look(self) -> None:
        """Called after anything that may have changed the pin."""
        if self._pin.function_select == FUNCTION_PWM:
            if not self._due:
                self._due = True
                self._alarm.schedule(LATCH_NS)
        else:
            driven = self._pin.function_select == FUNCTION_SIO and self._pin.output_enable
            self._tell(int(bool(driven and self._pin.output_value)))

    def _latch(self) -> None:
        self._due = False
        if self._pin.function_select == FUNCTION_PWM:
            self._tell(self._pwm.tone(self._number))

    def _tell(self, what: tuple[int, int] | int) -> None:
        if what != self._last:
            self._last = what
            if isinstance(what, tuple):
                self._emit("pwm", self._number, *what)
            else:
                self._emit("pin", self._number, what)


class Quiet:
    """rp2040py's logger, silent: it tells of every register that it does not know."""

    def debug(self, component: str, message: str) -> None: ...

    def info(self, component: str, message: str) -> None: ...

    def warning(self, component: str, message: str) -> None: ...

    def error(self, component: str, message: str) -> None: ...
