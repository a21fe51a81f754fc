"""The I2C bus between the Pico and the panel: who answers, what it costs, and how it can fail."""

from collections.abc import Callable
from typing import NamedTuple

from host_sim.chips.oled import Oled

NANOSECONDS = 1_000_000_000


class Transfer(NamedTuple):
    """One transaction as a logic analyser would note it. Times in microseconds of the virtual clock."""

    start_us: int
    end_us: int
    address: int
    size: int  # bytes after the address
    data: bool  # carried display data, not only commands
    acknowledged: bool


def _carries_data(payload: bytes) -> bool:
    """Whether something is for the panel's memory: a control byte with bit 6, and a byte after it."""
    at = 0
    while at + 1 < len(payload):
        if payload[at] & 0x40:
            return True
        if not payload[at] & 0x80:
            return False  # nothing but commands from here on
        at += 2
    return False


class I2cBus:
    """One panel on one bus, with the faults that a bench full of jumper wires has.

    present: the panel is plugged in. held: SDA is held low, no transfer ends. swapped: its SDA is on the Pico's SCL,
    its SCL on SDA. nacks: how many of the next transfers are refused. A transfer of n bytes is charged (n + 1) * 9
    clocks.
    """

    def __init__(self, panel: Oled) -> None:
        self.panel = panel
        self.present = True
        self.held = False
        self.swapped = False
        self.nacks = 0
        self.transfers: list[Transfer] = []
        self.bytes = 0  # all that went over the wires, addresses too
        self.listener: Callable[[Transfer], None] | None = None

    @staticmethod
    def duration_us(size: int, frequency: int) -> int:
        return -(-(size + 1) * 9 * 1_000_000 // frequency)

    def unplug(self) -> None:
        self.present = False

    def plug(self) -> None:
        if not self.present:
            self.present = True
            self.panel.power_on()

    def acknowledges(self, address: int, swapped: bool = False) -> bool:
        """Whether someone answers this address now; uses up one of `nacks`. swapped: the Pico has swapped its pins."""
        if not self.present or swapped != self.swapped or address != self.panel.address:
            return False
        if self.nacks:
            self.nacks -= 1
            return False
        return True

    def record(self, start_us: int, end_us: int, address: int, payload: bytes, acknowledged: bool) -> None:
        """Note a finished transfer, for counting and for the inspector."""
        transfer = Transfer(
            start_us,
            end_us,
            address,
            len(payload),
            _carries_data(payload),
            acknowledged,
        )
        self.transfers.append(transfer)
        self.bytes += transfer.size + 1
        if self.listener:
            self.listener(transfer)
