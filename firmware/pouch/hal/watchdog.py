"""Restarts a device whose loop hangs, if board.json has "watchdog": true. Only the app's loop feeds it."""

from machine import WDT, mem32
from micropython import const

_TIMEOUT_MS = const(8000)  # the RP2040 can't count to more than 8.3 s
# Where the chip's watchdog has its registers, and two of them (RP2040 datasheet 4.7, RP2350 datasheet 12.9).
_BASE = 0x40058000
_BASE_RP2350 = 0x400D8000
_CLEAR = const(0x3000)  # a write there clears bits
_REASON = const(0x08)
_ENABLE = const(0x40000000)
_TIMED_OUT = const(1)  # in _REASON; a restart by the firmware itself is another bit


class Watchdog:
    """chip: as in board.json. It is off until `start`. MicroPython can't switch it off again: the register can."""

    def __init__(self, chip):
        self._base = _BASE_RP2350 if chip == "rp2350" else _BASE
        self.bit = bool(mem32[self._base + _REASON] & _TIMED_OUT)  # was it the watchdog that restarted the chip?
        # Whether it outlives that restart is the chip's business; nothing may be restarted that did not ask for it.
        self.stop()

    def start(self):
        """Returns what the loop must call at least every 8 s from now on."""
        return WDT(timeout=_TIMEOUT_MS).feed

    def stop(self):
        """For every way out of the loop: a crash screen, the prompt and a deployment may take their time."""
        mem32[self._base + _CLEAR] = _ENABLE
