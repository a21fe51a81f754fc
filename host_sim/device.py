"""One device on the table: the parts around the Pico and a virtual clock that only the host moves.

What runs the firmware is a tier's business (`host_sim/tiers`): a subclass carries the firmware up to a moment.
"""

import heapq
from collections.abc import Callable
from pathlib import Path

from host_sim.board import ROLES, Board
from host_sim.chips.i2c import I2cBus
from host_sim.chips.oled import packed, upside_down
from host_sim.chips.panels import panel
from host_sim.chips.piezo import Buzzer, Led, Piezo

PERIOD = 1 << 30  # where a Pico's ticks wrap


class DeviceError(Exception):
    """The firmware stopped, hangs, or asked the chips for something impossible."""


class Device:
    """A device that is switched off until `power_on`.

    ticks: what `ticks_us` reads at power-on, 0..2**30-1. flash: the folder that holds the device's files.
    All times are microseconds of the virtual clock since the first power-on; `now` never wraps.
    """

    tier = ""

    def __init__(self, board: Board, flash: Path, ticks: int = 0) -> None:
        self.board = board
        self.flash = flash
        self.ticks = ticks
        self.now = 0
        self.powered = False
        display = board.display
        self.panel = panel(display.controller, display.address, display.rotation, display.column_offset)
        self.bus = I2cBus(self.panel)
        self.piezo = Buzzer() if board.piezo_kind == "active" else Piezo()
        self.led = Led()
        self.output: list[str] = []  # what the firmware printed
        self.at_prompt = False  # Ctrl-C has ended the firmware: MicroPython waits for what is typed
        self.miswired: set[str] = set()  # roles of keys that connect to 3V3 instead of GND, or to GND instead of 3V3
        self._down = dict.fromkeys(ROLES, False)
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._sequence = 0

    # -- what a subclass does --------------------------------------------------------------------

    def _start(self) -> None:
        """Supply on: start the firmware from its first line."""
        raise NotImplementedError

    def _stop(self) -> None:
        """Supply off, at once."""
        raise NotImplementedError

    def _advance(self, until: int) -> None:
        """Let the firmware run until the clock reads `until`. Raises DeviceError if it stopped."""
        raise NotImplementedError

    def _level(self, pin: int, level: int) -> None:
        """A contact pulls a button's pin to this level from now on; -1: it is open, and the chip's own pull decides."""
        raise NotImplementedError

    def ask(self, expression: str) -> str:
        """The repr of a Python expression inside the running firmware, without any time passing there."""
        raise NotImplementedError

    def answers_soon(self) -> bool:
        """Whether `ask` is nothing that somebody at the page would feel: an emulator that is slow takes a second."""
        return True

    def interrupt(self) -> None:
        """Ctrl-C is typed at the console."""
        raise NotImplementedError

    def put_file(self, name: str, data: bytes | None) -> None:
        """A file on the flash as somebody else left it, None: removed. Only while the power is off."""
        raise NotImplementedError

    def files(self) -> dict[str, bytes]:
        """The files on the flash by path: on the rp2040 tier all of them, elsewhere those that are not the build's."""
        raise NotImplementedError

    def fill(self, full: bool) -> None:
        """No room is left on the flash, or there is again. Only while the power is off."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Make the build on the flash today's: only the rp2040 tier keeps one there. Only while the power is off."""

    # -- the hands -------------------------------------------------------------------------------

    def power_on(self) -> None:
        if not self.powered:
            self.powered = True
            self.at_prompt = False
            if self.bus.present:
                self.panel.power_on()
            self._start()

    def power_off(self) -> None:
        if self.powered:
            self.powered = False
            self._stop()
            self.panel.on = False
            self.panel.version += 1
            self.piezo.level(self.now, False)
            self.led.level(self.now, False)

    def key(self, role: str, down: bool) -> None:
        """Close or open a button's contact now: one edge, no bounce. Pressing a pressed key does nothing."""
        if self._down[role] == down:
            return
        self._down[role] = down
        if self.powered:
            self._level(self.board.buttons[role].pin, self.contact(role) if down else -1)

    def console(self, read: bool) -> None:
        """Whether somebody reads what the firmware prints. Only on the rp2040 tier does that make a difference."""

    def is_down(self, role: str) -> bool:
        return self._down[role]

    def contact(self, role: str) -> int:
        """The level that a closed contact puts on its pin: board.json's, unless the key is wired the other way."""
        return int(self.board.buttons[role].active_low == (role in self.miswired))

    # -- time ------------------------------------------------------------------------------------

    def at(self, time_us: int, action: Callable[[], None]) -> None:
        """Do something at a moment of the virtual clock (at once if it is past), in the order of asking."""
        heapq.heappush(self._agenda, (max(time_us, self.now), self._sequence, action))
        self._sequence += 1

    def run(self, until_us: int) -> None:
        """Advance to `until_us`; actions due then are done, the firmware's answers to them come after it."""
        while True:
            due = min(until_us, self._agenda[0][0]) if self._agenda else until_us
            if due > self.now:
                if self.powered:
                    self._advance(due)
                self.now = max(self.now, due)
            while self._agenda and self._agenda[0][0] <= self.now:
                heapq.heappop(self._agenda)[2]()
            if self.now >= until_us:
                return

    # -- the eye ---------------------------------------------------------------------------------

    def glass(self) -> list[bytes]:
        """64 rows of 128 bytes, 0 or 1: what stands on the panel now, dark if it is not plugged in."""
        if not self.bus.present or not self.powered:
            return [bytes(128)] * 64
        return self.panel.glass()

    @property
    def turned(self) -> bool:
        """Whether the firmware has turned the glass for who sits opposite."""
        return self.panel.com_remap == (self.board.display.rotation == 180)

    def page(self) -> list[bytes]:
        """The glass the right way up for who reads it: turned by the firmware, it is for the seat opposite."""
        return upside_down(self.glass()) if self.turned else self.glass()

    def frame(self) -> bytes:
        """The glass as 1,024 bytes."""
        return packed(self.glass())

    def close(self) -> None:
        self.power_off()

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
