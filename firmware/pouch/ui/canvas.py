"""What screens draw on: the frame to be, 128x64, one bit a pixel.

Shapes come from the driver's framebuf, of which only what every tier draws alike is used (fill, fill_rect, hline,
vline, pixel), always clipped here. Glyphs and signs are copied by our own code.
"""

import micropython
from micropython import const

WIDTH = const(128)
HEIGHT = const(64)


@micropython.viper
def _blit(to: ptr8, glyph: ptr8, x: int, y: int, color: int, bottom: int):
    """Copy a glyph record (width, rise, rows, data in pages) so that its cap line is at y, down to row bottom - 1."""
    width = int(glyph[0])
    rows = int(glyph[2])
    y -= int(glyph[1])
    shift = y & 7
    page = y >> 3
    at = 3
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


# Dashed lines over the whole glass, as glyph records: one copy instead of a rectangle a dash.
SEAM = bytes((128, 0, 1)) + b"\x00\x01\x01\x00" * 32  # 2 on, 2 off, from column 1
DOTS = bytes((127, 0, 1)) + b"\x01\x00" * 63 + b"\x01"  # 1 on, 1 off, from column 0


class Canvas:
    """framebuffer: the driver, or any framebuf of 128x64 in MONO_VLSB; pixels: its 1,024 bytes."""

    def __init__(self, framebuffer, pixels):
        self._fill_rect = framebuffer.fill_rect
        self._fill_all = framebuffer.fill
        self.pixels = pixels

    def clear(self, color=0):
        self._fill_all(color)

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

    def plate(self, x, y, width, height, color=1, corner=1):
        """A filled rectangle, its corners cut by `corner` pixels."""
        for row in range(corner):
            inset = corner - row
            self.fill(x + inset, y + row, width - 2 * inset, 1, color)
            self.fill(x + inset, y + height - 1 - row, width - 2 * inset, 1, color)
        self.fill(x, y + corner, width, height - 2 * corner, color)

    def draw(self, glyph, x, y, color=1, bottom=HEIGHT):
        """One glyph or sign, its cap line at y, cut off at row `bottom`. color 0 draws black, on a plate."""
        _blit(self.pixels, glyph, x, y, color, bottom)

    def text(self, font, text, x, y, color=1):
        """A line of text with its cap line at y. Returns the column after its last glyph."""
        find = font.GLYPHS.get
        pixels = self.pixels
        between = font.GAP
        gap = 0
        for character in text:
            glyph = find(character)
            if glyph is None:
                # A space, and whatever has no glyph: a name typed elsewhere must not stop the game.
                gap = font.SPACE
                continue
            x += gap
            _blit(pixels, glyph, x, y, color, HEIGHT)
            x += glyph[0]
            gap = between
        return x

    def width(self, font, text):
        """Columns that `text` takes."""
        find = font.GLYPHS.get
        between = font.GAP
        width = gap = 0
        for character in text:
            glyph = find(character)
            if glyph is None:
                gap = font.SPACE
                continue
            width += gap + glyph[0]
            gap = between
        return width

    def centred(self, font, text, left, right, y, color=1):
        """Text in the middle of the columns left..right-1, the odd column on its right."""
        self.text(font, text, left + (right - left - self.width(font, text)) // 2, y, color)

    def right(self, font, text, right, y, color=1):
        """Text that ends before column `right`."""
        self.text(font, text, right - self.width(font, text), y, color)
