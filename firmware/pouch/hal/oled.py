"""The OLED through the unmodified Adafruit driver; only the windows that changed go over the bus.

What an SH1106 has of its own is in sh1106.py.
"""

import micropython
from adafruit_ssd1306 import SSD1306_I2C
from micropython import const

from pouch.hal.bus import Bus

_WIDTH = const(128)
_PAGES = const(8)
_SIZE = const(1024)
_MOST_RUNS = const(64)
# Data bytes in one transfer, at least a page. A frame in one piece would take 23 ms at 400 kHz, and the bus needs a
# timeout that is longer than its longest transfer but short enough not to hold the game.
CHUNK = const(128)
# What a window costs beside its data: address, control byte and six commands; address and control byte.
_OVERHEAD = const(10)
_DISPLAY_ON = const(0xAF)
_DISPLAY_OFF = const(0xAE)
_NOP = const(0xE3)
_STATUS_OFF = const(0x40)
_RESYNC = const(6)
_MOST_OFFS = const(3)


@micropython.viper
def _windows(new: ptr8, old: ptr8, out: ptr8) -> int:
    """Find what differs between two frames: `out` gets (first page, last page, first column, last column) each."""
    count = 0
    page = 0
    while page < 8:
        base = page << 7
        column = 0
        start = -1
        last = 0
        while column <= 128:
            changed = 0
            if column < 128:
                if new[base + column] != old[base + column]:
                    changed = 1
            if start >= 0 and (column == 128 or (changed and column - last > _OVERHEAD)):
                # A run ends. Join the window above it if that is cheaper than a window of its own.
                joined = 0
                i = 0
                while i < count and not joined:
                    if int(out[i * 4 + 1]) == page - 1:
                        c0 = int(out[i * 4 + 2])
                        c1 = int(out[i * 4 + 3])
                        rows = page - int(out[i * 4])
                        area = rows * (c1 - c0 + 1) + last - start + 1
                        if start < c0:
                            c0 = start
                        if last > c1:
                            c1 = last
                        if (rows + 1) * (c1 - c0 + 1) <= area + _OVERHEAD:
                            out[i * 4 + 1] = page
                            out[i * 4 + 2] = c0
                            out[i * 4 + 3] = c1
                            joined = 1
                    i += 1
                if not joined:
                    if count == _MOST_RUNS:
                        return -1
                    out[count * 4] = page
                    out[count * 4 + 1] = page
                    out[count * 4 + 2] = start
                    out[count * 4 + 3] = last
                    count += 1
                start = -1
            if changed:
                if start < 0:
                    start = column
                last = column
            column += 1
        page += 1
    return count


@micropython.viper
def copy(to: ptr8, to_at: int, source: ptr8, source_at: int, size: int):
    i = 0
    while i < size:
        to[to_at + i] = source[source_at + i]
        i += 1


class Oled(SSD1306_I2C):
    """`pixels` is the frame to be, 1,024 bytes as the SSD1306 stores them; `show` brings the glass up to it.

    A panel that does not answer is `lost`: nothing is sent, nothing raises. `probe` finds it again.
    """

    def __init__(self, i2c, display):
        self._commands = bytearray(48)
        self._length = 0  # of a batch of commands that is being collected, 0: none is
        self._window = bytearray((0x00, 0x21, 0, 0, 0x22, 0, 0))
        self._data = bytearray(CHUNK + 1)
        self._data[0] = 0x40
        self._out = memoryview(self._data)
        self._glass = bytearray(_SIZE)  # what the panel's memory holds
        self._found = bytearray(_MOST_RUNS * 4)
        self._stale = True  # the panel's memory is unknown
        self._lit = False
        self._offs = 0  # how many probes in a row found the display off
        self._believes = True  # the panel's status byte means what the data sheet says
        self._offset = display.get("column_offset", 0)
        self._upright = display["rotation"] == 0
        self._turned = 0
        self._contrast = 0xFF
        self._inverted = False
        address = int(display["address"], 16)
        self.bus = Bus(i2c, address)
        super().__init__(display["width"], display["height"], self.bus, addr=address)
        self.pixels = memoryview(self.buffer)[1:]

    @property
    def lost(self):
        return self.bus.lost

    # -- what the driver calls -------------------------------------------------------------------

    def poweron(self):
        # Not yet: until the first frame is there, the panel would show the noise in its memory.
        self._power = True

    def init_display(self):
        """The driver's own commands, all in one transaction instead of one each (35 ms)."""
        self._commands[0] = 0x00
        self._length = 1
        for _ in range(_RESYNC):
            # A transfer that broke off may have left the panel waiting for arguments.
            self.write_cmd(_NOP)
        self._set_up()
        self.write_cmd(0x81)
        self.write_cmd(self._contrast)
        self.write_cmd(0xA6 | self._inverted)
        length, self._length = self._length, 0
        self.bus.writeto(self.addr, self._commands, end=length)
        self._stale = True
        self._lit = False

    def _set_up(self):
        super().init_display()
        if self._commands[self._length - 1] != _DISPLAY_ON:
            raise RuntimeError("the driver's last command is not display on")
        self._length -= 1

    def write_cmd(self, cmd):
        if self._length:
            self._commands[self._length] = cmd
            self._length += 1
        else:
            super().write_cmd(cmd)

    # -- what the app calls ----------------------------------------------------------------------

    @micropython.native
    def show(self):
        """Send what differs from the glass, nothing if nothing does. Returns False while the panel is lost."""
        if self._length:
            return False
        if self.bus.lost:
            self._stale = True
            return False
        if self._stale:
            # Together: the order of the rows counts at once, that of the columns only for data to come.
            self.rotate(self._upright ^ self._turned)
            self._send_all()
            self._stale = False
        else:
            found = self._found
            count = _windows(self.pixels, self._glass, found)
            if count < 0:
                self._send_all()
            for i in range(0, 4 * count, 4):
                self._send(found[i], found[i + 1], found[i + 2], found[i + 3])
        if not self._lit:
            self.write_cmd(_DISPLAY_ON)
            self._lit = True
        if self.bus.lost:
            self._stale = True
            return False
        return True

    def _send_all(self):
        self._send(0, _PAGES - 1, 0, _WIDTH - 1)

    @micropython.native
    def _send(self, page0, page1, column0, column1):
        window = self._window
        window[2] = column0 + self._offset
        window[3] = column1 + self._offset
        window[5] = page0
        window[6] = page1
        self.bus.writeto(self.addr, window)
        width = column1 - column0 + 1
        size = 1
        for page in range(page0, page1 + 1):
            if size + width > CHUNK + 1:
                self.bus.writeto(self.addr, self._out[:size])
                size = 1
            at = page * _WIDTH + column0
            copy(self._data, size, self.pixels, at, width)
            copy(self._glass, at, self.pixels, at, width)
            size += width
        self.bus.writeto(self.addr, self._out[:size])

    def contrast(self, contrast):
        """0..255."""
        self._contrast = contrast
        super().contrast(contrast)

    @property
    def brightness(self):
        """The contrast that is set, 0..255."""
        return self._contrast

    def invert(self, invert):
        self._inverted = bool(invert)
        super().invert(invert)

    def turn(self, turned):
        """1: from the next frame on the picture stands on its head, for who sits opposite; 0: as it is mounted."""
        self._turned = turned
        self._stale = True

    def probe(self):
        """Look whether the panel answers; start it afresh if it was away. Returns whether it has to be redrawn."""
        status = self.bus.status()
        if status < 0:
            self.bus.lost = True
            return False
        off = self._believes and self._lit and bool(status & _STATUS_OFF)
        self._offs = self._offs + 1 if off else 0
        if self._offs > _MOST_OFFS:
            # Started afresh again and again: a clone that always says so. It must not blink twice a second for that.
            self._believes = off = False
        if not self.bus.lost and not off:
            return False
        self.bus.lost = False
        self.init_display()
        return not self.bus.lost
