"""What screens draw on: the frame to be, 128x64, one bit a pixel.

Shapes come from the driver's framebuf, of which only what every tier draws alike is used (fill, fill_rect, hline,
vline, pixel), always clipped here. Glyphs and signs are copied by our own code.

What is called often for a frame is machine code: it is twice as quick, and takes no heap for its locals.
"""

from array import array

import micropython
from micropython import const

WIDTH = const(128)
HEIGHT = const(64)
_SEAM_ROW = const(54)
_MOST_GLYPHS = const(64)  # in a line: more than the glass is wide


@micropython.viper
def _clear(to: ptr8, value: int):
    i = 0
    while i < 1024:
        to[i] = value
        i += 1


@micropython.viper
def _hang(to: ptr8, columns: int):
    """Rows 56-63 go to the top edge, the seam under them, and rows 0-53 ten rows down."""
    column = 0
    while column < columns:
        seam = int(to[768 + column])
        top = int(to[896 + column])
        i = 896 + column
        while i >= 256:
            to[i] = (int(to[i - 256]) >> 6 | int(to[i - 128]) << 2) & 255
            i -= 128
        to[i] = (int(to[column]) << 2 | (seam & 64) >> 5 | seam >> 7) & 255
        to[column] = top
        column += 1


@micropython.viper
def _blit(to: ptr8, glyph: ptr8, at: int, x: int, y: int, color: int, bottom: int):
    """Copy the record at glyph[at] (width, rise, rows, pages) so that its cap line is at y, down to row bottom - 1."""
    width = int(glyph[at])
    rows = int(glyph[at + 2])
    y -= int(glyph[at + 1])
    shift = y & 7
    page = y >> 3
    at += 3
    while rows > 0:
        upper = int(page >= 0) & int(page < 8)
        lower = int(page >= -1) & int(page < 7)
        base = page << 7
        left = bottom - (page << 3)
        if left <= 0:
            break
        keep = 65535
        if left < 16:
            keep = (1 << left) - 1
        i = 0
        while i < width:
            column = x + i
            if column >= 0 and column < 128:
                bits = (int(glyph[at + i]) << shift) & keep
                if upper:
                    if color:
                        to[base + column] = int(to[base + column]) | (bits & 255)
                    else:
                        to[base + column] = int(to[base + column]) & (255 ^ (bits & 255))
                if lower and bits > 255:
                    if color:
                        to[base + 128 + column] = int(to[base + 128 + column]) | (bits >> 8)
                    else:
                        to[base + 128 + column] = int(to[base + 128 + column]) & (255 ^ (bits >> 8))
            i += 1
        at += width
        rows -= 8
        page += 1


@micropython.viper
def _place(font: ptr8, text: ptr8, size: int, x: int, out: ptr16) -> int:
    """Set UTF-8 text: out gets (place of the record in the face, column) of each glyph, then 0. Returns the end.

    A character without a glyph is a space: a name that was typed elsewhere must not stop the game.
    """
    i = 0
    n = 0
    gap = 0
    while i < size and n < _MOST_GLYPHS:
        code = int(text[i])
        i += 1
        place = 0
        if code < 128:
            k = 4 + (code - 32) * 2
            if code > 32 and code < 127:
                place = int(font[k]) | int(font[k + 1]) << 8
        else:
            if code < 0xE0:
                code = (code & 31) << 6 | (int(text[i]) & 63)
                i += 1
            elif code >= 0xF0:
                code = 0
                i += 3
            else:
                code = (code & 15) << 12 | (int(text[i]) & 63) << 6 | (int(text[i + 1]) & 63)
                i += 2
            rows = int(font[2]) | int(font[3]) << 8
            k = 194
            while rows > 0:
                if (int(font[k]) | int(font[k + 1]) << 8) == code:
                    place = int(font[k + 2]) | int(font[k + 3]) << 8
                    rows = 0
                k += 4
                rows -= 1
        if place == 0:
            gap = int(font[1])
        else:
            x += gap
            out[n * 2] = place
            out[n * 2 + 1] = x & 65535
            x += int(font[place])
            gap = int(font[0])
            n += 1
    out[n * 2] = 0
    return x


# Dashed lines over the whole glass, as glyph records: one copy instead of a rectangle a dash.
SEAM = bytes((128, 0, 1)) + b"\x00\x01\x01\x00" * 32  # 2 on, 2 off, from column 1
DOTS = bytes((127, 0, 1)) + b"\x01\x00" * 63 + b"\x01"  # 1 on, 1 off, from column 0


class Canvas:
    """framebuffer: the driver, or any framebuf of 128x64 in MONO_VLSB; pixels: its 1,024 bytes."""

    def __init__(self, framebuffer, pixels):
        self._fill_rect = framebuffer.fill_rect
        self._scroll = framebuffer.scroll
        self.pixels = pixels
        self.ground = 0  # 1: what stands on this frame is black on white
        self.turned = 0  # 1: who reads it sits opposite, and the keys are at his top edge
        self.covered = False  # does the tab over a held OK lie over the rows above the legend?
        self._places = array("H", bytes(4 * _MOST_GLYPHS + 4))

    def clear(self, color=0):
        self.ground = color
        _clear(self.pixels, 255 if color else 0)

    @micropython.native
    def fill(self, x, y, width, height, color=1):
        """A filled rectangle; what lies outside of the glass is cut off."""
        if x < 0:
            width += x
            x = 0
        if y < 0:
            height += y
            y = 0
        if x + width > WIDTH:
            width = WIDTH - x
        if y + height > HEIGHT:
            height = HEIGHT - y
        if width > 0 and height > 0:
            self._fill_rect(x, y, width, height, color)

    @micropython.native
    def plate(self, x, y, width, height, color=1, corner=1):
        """A filled rectangle, its corners cut by `corner` pixels."""
        for row in range(corner):
            inset = corner - row
            self.fill(x + inset, y + row, width - 2 * inset, 1, color)
            self.fill(x + inset, y + height - 1 - row, width - 2 * inset, 1, color)
        self.fill(x, y + corner, width, height - 2 * corner, color)

    @micropython.native
    def seam(self):
        """The stitched line that closes a screen above its legend."""
        _blit(self.pixels, SEAM, 0, 0, _SEAM_ROW, 1, HEIGHT)

    def hang(self, columns=WIDTH):
        """Move the finished frame for who sits opposite: the legend is to be at the keys, so it hangs from the top.

        columns: so many, from the left; the others stay as they are.
        """
        _hang(self.pixels, columns)

    def shift(self):
        """Move the finished frame one column to the right; what stood in the last one is lost."""
        self._scroll(1, 0)
        self.fill(0, 0, 1, HEIGHT, self.ground)

    @micropython.native
    def draw(self, glyph, x, y, color=1, bottom=HEIGHT):
        """One glyph or sign, its cap line at y, cut off at row `bottom`. color 0 draws black, on a plate."""
        _blit(self.pixels, glyph, 0, x, y, color, bottom)

    @micropython.native
    def text(self, font, text, x, y, color=1):
        """A line of text with its cap line at y. Returns the column after its last glyph."""
        line = text.encode()
        places = self._places
        data = font.DATA
        pixels = self.pixels
        end = _place(data, line, len(line), x, places)
        i = 0
        while places[i]:
            column = places[i + 1]
            _blit(pixels, data, places[i], column if column < 32768 else column - 65536, y, color, HEIGHT)
            i += 2
        return end

    @micropython.native
    def width(self, font, text):
        """Columns that `text` takes."""
        line = text.encode()
        return _place(font.DATA, line, len(line), 0, self._places)

    def fitted(self, font, text, room):
        """As much of a text as there is room for."""
        while self.width(font, text) > room:
            text = text[:-1]
        return text

    @micropython.native
    def centred(self, font, text, left, right, y, color=1):
        """Text in the middle of the columns left..right-1, the odd column on its right."""
        self.text(font, text, left + (right - left - self.width(font, text)) // 2, y, color)

    @micropython.native
    def right(self, font, text, right, y, color=1):
        """Text that ends before column `right`."""
        self.text(font, text, right - self.width(font, text), y, color)
