"""What an SH1106 has of its own: its settings, and a memory of 132 columns that is written page by page."""

import micropython
from micropython import const

from pouch.hal.oled import Oled, copy

_WIDTH = const(128)
_PAGES = const(8)
_COLUMNS = const(132)
_MARGIN = const(4)  # columns that no glass of 128 shows
_HEAD = const(7)  # what goes before the data of a window
# After the data sheet's defaults, but for what turns the picture and how the glass is wired.
_SETTINGS = (
    b"\xae"  # display off: the pump is set only then
    b"\xd5\x80\xa8\x3f\xd3\x00\x40"  # clock, 64 rows, no offset, first line
    b"\xad\x8b\x32"  # the panel's voltage from the pump: on with the display, 8 V
    b"\xda\x12\xd9\x22\xdb\x35"  # rows in turn, pre-charge, deselect level
    b"\xa4"  # show the memory
)


class Sh1106(Oled):
    """As an `Oled`. display["column_offset"] is the column under the left edge of the glass as it is mounted."""

    def __init__(self, i2c, display):
        super().__init__(i2c, display)
        # Page, column, column, each behind the control byte of one command; then nothing but data.
        self._data = bytearray(_HEAD + _COLUMNS)
        self._data[0] = self._data[2] = self._data[4] = 0x80
        self._data[6] = 0x40
        self._out = memoryview(self._data)
        self._mounted = self._offset

    def _set_up(self):
        for command in _SETTINGS:
            self.write_cmd(command)
        self.fill(0)

    def turn(self, turned):
        super().turn(turned)
        # The columns are counted from the other edge then.
        self._offset = _MARGIN - self._mounted if turned else self._mounted

    @micropython.native
    def _send(self, page0, page1, column0, column1):
        width = column1 - column0 + 1
        for page in range(page0, page1 + 1):
            at = page * _WIDTH + column0
            copy(self._data, _HEAD, self.pixels, at, width)
            copy(self._glass, at, self.pixels, at, width)
            self._write(page, self._offset + column0, width)

    @micropython.native
    def _send_all(self):
        # The margin too: what noise is left in it shows at the edge of a glass that is wired otherwise.
        data = self._data
        for page in range(_PAGES):
            at = page * _WIDTH
            for i in range(_MARGIN):
                data[_HEAD + i] = data[_HEAD + _WIDTH + i] = 0
            copy(data, _HEAD + self._offset, self.pixels, at, _WIDTH)
            copy(self._glass, at, self.pixels, at, _WIDTH)
            self._write(page, 0, _COLUMNS)

    @micropython.native
    def _write(self, page, column, size):
        data = self._data
        data[1] = 0xB0 | page
        data[3] = column & 0x0F
        data[5] = 0x10 | column >> 4
        self.bus.writeto(self.addr, self._out[: _HEAD + size])
