"""The emulated Pico's USB serial port as one of this machine, for mpremote and whatever else talks to a board.

A pseudo-terminal has its two ends here: programs open the one, and a thread carries the bytes between the other and
the chip. While the chip works or bytes go to and fro its clock runs as fast as it can, else no faster than a real one.
"""

import contextlib
import os
import select
import threading
from collections.abc import Iterator

from host_sim.device import DeviceError
from host_sim.tiers.rp2040 import Rp2040Device

try:
    import pty
    import tty
except ImportError:  # Windows has none
    pty = tty = None  # type: ignore[assignment]

_SLICE_US = 1000  # of emulated time, while something happens
_IDLE_US = 10_000  # and while the core sleeps
_BUSY = 5  # asleep is a core that is awake for less than one part in so many
_AT_ONCE = 4096


class SerialPort:
    """A device that is switched on and runs in a thread until `close`; `path` is its serial port.

    Nobody but the thread may touch the device, but under `hands`.
    Raises OSError where there are no pseudo-terminals.
    """

    def __init__(self, device: Rp2040Device) -> None:
        if pty is None:
            raise OSError("an emulated serial port needs Linux, macOS or WSL")
        self.device = device
        self.error: DeviceError | None = None  # what ended it
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self.path = os.ttyname(self._theirs)
        self._lock = threading.Lock()
        self._wanted = threading.Event()  # hands want the device: a lock alone would not come to them
        self._ended = threading.Event()
        self._unread = bytearray()  # said by the chip, for a program that is slow
        self._awake = 0
        self._busy = True
        device.patient = True
        device.power_on()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._ended.is_set():
                while self._wanted.is_set():
                    self._ended.wait(0.001)
                with self._lock:
                    busy = self._slice()
                if not busy:
                    select.select([self._ours], [], [], _IDLE_US / 1e6)
        except DeviceError as error:
            self.error = error

    def _slice(self) -> bool:
        """Carry bytes both ways and let the chip run for a moment. Returns whether there was anything to do."""
        device = self.device
        heard = b""
        with contextlib.suppress(BlockingIOError):
            heard = os.read(self._ours, _AT_ONCE)
        if not device.powered:
            return False
        if heard:
            device.type(heard)
        slice_us = _SLICE_US if heard or self._busy else _IDLE_US
        device.run(device.now + slice_us)
        awake = device.awake_us()
        self._awake, before = awake, self._awake
        self._unread += device.serial
        self._busy = bool(heard or device.serial) or awake - before > slice_us // _BUSY
        device.serial.clear()
        if self._unread:
            with contextlib.suppress(BlockingIOError):
                del self._unread[: os.write(self._ours, self._unread)]
        return self._busy

    @contextlib.contextmanager
    def hands(self) -> Iterator[Rp2040Device]:
        """The device, standing still, for whoever presses its keys, pulls its plug or looks at its glass."""
        self._wanted.set()
        with self._lock:
            self._wanted.clear()
            yield self.device

    def close(self) -> None:
        """The cable is pulled; the device stays as it is, and on."""
        self._ended.set()
        self._thread.join()
        os.close(self._ours)
        os.close(self._theirs)

    def __enter__(self) -> "SerialPort":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
