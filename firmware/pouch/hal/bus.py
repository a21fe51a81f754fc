"""`machine.I2C` in the shape of CircuitPython's `busio.I2C`, which the Adafruit driver expects.

A panel that is not there must not stop the game: an error is noted in `lost` and everything after it is skipped
until `found` has got an answer again.
"""

import micropython


class Bus:
    def __init__(self, i2c, address):
        self._i2c = i2c
        self._address = address
        self._status = bytearray(1)
        self.lost = False

    def try_lock(self):
        return True

    def unlock(self):
        pass

    @micropython.native
    def writeto(self, address, buffer, *, start=0, end=None):
        # The driver's probe is a write of no bytes. Whether the panel is there shows at the first real write.
        if self.lost or not buffer:
            return
        if start or (end is not None and end != len(buffer)):
            buffer = memoryview(buffer)[start:end]
        try:
            self._i2c.writeto(address, buffer)
        except OSError:
            self.lost = True

    def readfrom_into(self, address, buffer, *, start=0, end=None):
        if start or (end is not None and end != len(buffer)):
            buffer = memoryview(buffer)[start:end]
        self._i2c.readfrom_into(address, buffer)

    @micropython.native
    def status(self):
        """The panel's status byte, or -1 if nobody answers. Allocates nothing when the panel is there."""
        try:
            self._i2c.readfrom_into(self._address, self._status)
        except OSError:
            return -1
        return self._status[0]
