"""What the pages are told of the device on the table: its glass, its sound, its clock, a log and a look inside."""

import json
import math
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from host_sim.device import Device
from host_sim.inspector import Inspector
from host_sim.protocol import FRAME

GAP_S = 0.004  # between two frames that are sent
LOG_LINES = 200
CLOCK_S = 1.0  # how often the page is told what time it is on the device
INSPECT_S = 0.25  # how often at most somebody looks into it
INSPECT_SLOW_S = 4.0  # and into one that answers slowly

Emit = Callable[[str, "str | bytes"], None]


def volume(duty: int) -> float:
    """How loud a PWM of that duty (0..65535) is: the strength of its fundamental, 1 at half."""
    return round(math.sin(math.pi * duty / 65536), 4)


class Teller:
    """emit(kind, message) gets what host_sim/protocol.py says.

    sequence: of the latest frame. changed_at: the virtual time at which the panel last got something.
    """

    def __init__(self, device: Device, emit: Emit) -> None:
        self.emit = emit
        self.sequence = 0
        self.changed_at = 0
        self._shown: tuple[bytes, int, bool] | None = None
        self._shown_at = 0.0
        self._sound: tuple[int, int] | None = None
        self._led: bool | None = None
        self._told: dict[str, str] = {}
        self._log: deque[str] = deque(maxlen=LOG_LINES)
        self._logged = False
        self._clock_at = 0.0
        self._clock_was = (0.0, 0)
        self._inspected = False  # does a page look into it?
        self._inspect_at: float | None = None
        self._inspect_was = 0.0
        self.put(device)

    def put(self, device: Device) -> None:
        """Another device takes the place of the one that was told of."""
        self._device = device
        self._inspector = Inspector(device)
        self._complaints = self._refused = 0
        self._version = self._seen = -1

    # -- in one message --------------------------------------------------------------------------

    def say(self, kind: str, **values: Any) -> None:
        self.emit(kind, json.dumps({"t": kind, **values}))

    def say_new(self, kind: str, **values: Any) -> None:
        message = json.dumps({"t": kind, **values})
        if self._told.get(kind) != message:
            self._told[kind] = message
            self.emit(kind, message)

    def note(self, text: str) -> None:
        """A line for the log."""
        self._log.append(f"{self._device.now / 1e6:10.3f}  {text}")
        self._logged = True

    def clock(self, rate: float = 0) -> None:
        """What time it is there. rate: virtual seconds in one of the wall, 0: not known."""
        self.say("clock", us=self._device.now, rate=round(rate, 3))

    def silence(self) -> None:
        """The firmware that drove the piezo is no more."""
        self.say("sound", hz=0, duty=0, volume=0)
        self._sound = None

    # -- what changed ----------------------------------------------------------------------------

    @property
    def unseen(self) -> bool:
        """Whether there is something on the glass that came too soon after another frame."""
        return self._device.panel.version != self._seen

    def look(self) -> bool:
        """Tell what is new. Whether something happens: the glass or the LED has changed, or a tone sounds."""
        busy = [self._look_at_the_glass(), self._listen(), self._look_at_the_led()]
        self._read()
        return any(busy)

    def _look_at_the_glass(self) -> bool:
        device, panel, now = self._device, self._device.panel, time.monotonic()
        if panel.version != self._version:
            self._version, self.changed_at = panel.version, device.now
        if panel.version == self._seen or now - self._shown_at < GAP_S:
            return False
        self._seen = panel.version
        shown = (device.frame(), panel.contrast, device.turned)
        if shown == self._shown:
            return False
        self._shown, self._shown_at = shown, now
        self.sequence = self.sequence + 1 & 0xFFFFFFFF
        self.emit("frame", FRAME.pack(shown[1], shown[2], self.sequence, device.now) + shown[0])
        self.inspect_soon()
        return True

    def _listen(self) -> bool:
        piezo = self._device.piezo
        hz = piezo.frequency or 0
        sound = (hz, piezo.tones[-1].duty if hz else 0)
        if sound != self._sound:
            self._sound = sound
            self.say("sound", hz=hz, duty=sound[1], volume=volume(sound[1]))
        return hz > 0

    def _look_at_the_led(self) -> bool:
        led = self._device.led
        if led.on == self._led:
            return False
        self._led = led.on
        self.say("led", on=led.on)
        self.inspect_soon()
        return True

    def _read(self) -> None:
        """What the firmware printed, and what went wrong on the bus, for the log."""
        device = self._device
        while device.output:
            line = device.output.pop(0)
            print(f"firmware: {line}", flush=True)
            self.note("print: " + line[:300])
        for complaint in device.panel.complaints[self._complaints :]:
            print(f"The panel got what it does not know: {complaint}", file=sys.stderr, flush=True)
            self.note("the panel got what it does not know: " + complaint)
        self._complaints = len(device.panel.complaints)
        refused = self._inspector.refused
        if refused != self._refused and not self._refused:
            self.note("the panel does not answer")
        elif refused == self._refused and refused and device.bus.present:
            self._inspector.refused = refused = 0
            self.note("the panel answers again")
        self._refused = refused

    # -- what need not be told at once -----------------------------------------------------------

    def inspect(self, on: bool) -> None:
        """Whether a page looks into the device from now on."""
        self._inspected = on
        self._inspect_at = time.monotonic() if on else None

    def inspect_soon(self, runs: bool = True) -> None:
        """Something has changed that whoever looks into the device wants to see. runs: time passes there."""
        if self._inspected:
            gap = INSPECT_SLOW_S if runs and not self._device.answers_soon() else INSPECT_S
            due = max(self._inspect_was + gap, time.monotonic() + 0.05)
            self._inspect_at = min(due, self._inspect_at or due)

    def due(self) -> float | None:
        """In how many seconds somebody wants to look into it; None: nobody does."""
        return None if self._inspect_at is None else max(0.0, self._inspect_at - time.monotonic())

    def anchor(self) -> None:
        """The rate of the clock is counted from here."""
        self._clock_was = (time.monotonic(), self._device.now)

    def tell_slowly(self, runs: bool, crash: str) -> None:
        now = time.monotonic()
        if now >= self._clock_at and runs:
            wall, virtual = self._clock_was
            self._clock_at = now + CLOCK_S
            self.clock((self._device.now - virtual) / 1e6 / (now - wall) if now - wall > CLOCK_S / 2 else 0)
            self.anchor()
        if self._inspect_at is not None and now >= self._inspect_at:
            self._inspect_at, self._inspect_was = None, now
            self.say("inspector", crash=crash, **self._inspector.tell(ask=not crash))
        if self._logged:
            self._logged = False
            self.say("log", lines=list(self._log))
