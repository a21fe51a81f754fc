"""What draws the same as the firmware's inner loops, in a tenth of the time: for CPython, where viper is plain Python.

Every thousandth frame of the fuzz is drawn with the firmware's own loops, and tests/test_fuzz.py compares the two.
"""

import adafruit_framebuf
from pouch.hal import oled
from pouch.ui import canvas

_MOST = 20_000  # glyphs at their heights that are kept

own_blit = canvas._blit
own_windows = oled._windows
own_copy = oled.copy
own_fill = adafruit_framebuf.MVLSBFormat.fill
own_fill_rect = adafruit_framebuf.MVLSBFormat.fill_rect

_glyphs = {}
_masks = {}


def blit(to, glyph, at, x, y, color, bottom):
    width = glyph[at]
    if x < 0 or x + width > 128:
        own_blit(to, glyph, at, x, y, color, bottom)
        return
    constant = type(glyph) is bytes
    key = (id(glyph) if constant else bytes(glyph), at, y, bottom)
    found = _glyphs.get(key)
    if found is None:
        if len(_glyphs) >= _MOST:
            _glyphs.clear()
        blank = bytearray(1024)
        own_blit(blank, glyph, at, 0, y, 1, bottom)
        pages = []
        for start in range(0, 1024, 128):
            bits = int.from_bytes(blank[start : start + width], "little")
            if bits:
                pages.append((start, bits, ~bits))
        # With the glyph itself, so that no other one gets its id.
        found = _glyphs[key] = (pages, glyph if constant else None)
    for page, bits, others in found[0]:
        start = page + x
        there = int.from_bytes(to[start : start + width], "little")
        to[start : start + width] = (there | bits if color else there & others).to_bytes(width, "little")


def windows(new, old, out):
    """The firmware's algorithm; pages without a change, which give no window, are passed over."""
    count = 0
    for page in range(8):
        base = page << 7
        now, before = bytes(new[base : base + 128]), bytes(old[base : base + 128])
        if now == before:
            continue
        start, last = -1, 0
        for column in [i for i in range(128) if now[i] != before[i]] + [1000]:
            if start >= 0 and column - last > oled._OVERHEAD:
                for i in range(0, 4 * count, 4):
                    if out[i + 1] == page - 1:
                        c0, c1 = min(start, out[i + 2]), max(last, out[i + 3])
                        rows = page - out[i]
                        area = rows * (out[i + 3] - out[i + 2] + 1) + last - start + 1
                        if (rows + 1) * (c1 - c0 + 1) <= area + oled._OVERHEAD:
                            out[i + 1], out[i + 2], out[i + 3] = page, c0, c1
                            break
                else:
                    if count == oled._MOST_RUNS:
                        return -1
                    out[4 * count : 4 * count + 4] = bytes((page, page, start, last))
                    count += 1
                start = -1
            if start < 0:
                start = column
            last = column
    return count


def copy(to, to_at, source, source_at, size):
    to[to_at : to_at + size] = source[source_at : source_at + size]


def fill(framebuf, color):
    size = len(framebuf.buf)
    framebuf.buf[:] = b"\xff" * size if color else bytes(size)


def fill_rect(framebuf, x, y, width, height, color):
    bottom = y + height
    for page in range(y >> 3, bottom + 7 >> 3):
        mask = 255
        top = page << 3
        if y > top:
            mask &= 255 << y - top
        if bottom < top + 8:
            mask &= 255 >> top + 8 - bottom
        start = page * framebuf.stride + x
        if mask == 255:
            framebuf.buf[start : start + width] = b"\xff" * width if color else bytes(width)
            continue
        table = _masks.get((mask, bool(color)))
        if table is None:
            table = bytes([byte | mask if color else byte & ~mask & 255 for byte in range(256)])
            _masks[mask, bool(color)] = table
        framebuf.buf[start : start + width] = bytes(framebuf.buf[start : start + width]).translate(table)


def use(quick):
    """Draw with these from now on, or with the firmware's own."""
    canvas._blit = blit if quick else own_blit
    oled._windows = windows if quick else own_windows
    oled.copy = copy if quick else own_copy
    adafruit_framebuf.MVLSBFormat.fill = staticmethod(fill if quick else own_fill)
    adafruit_framebuf.MVLSBFormat.fill_rect = staticmethod(fill_rect if quick else own_fill_rect)


def differences(chance, rounds):
    """What the two draw differently, by chance: a list of texts, empty if all is well."""
    from pouch.ui import zipper
    from pouch.ui.fonts import display_24, display_48, icons, text

    glyphs = [(glyph, 0) for glyph in icons.GLYPHS.values()] + [(zipper._OPEN, 0), (canvas.SEAM, 0), (canvas.DOTS, 0)]
    for font in (text, display_24, display_48):
        places = memoryview(font.DATA)[4:194].cast("H")
        glyphs += [(font.DATA, place) for place in places if place]
    found = []
    for _ in range(rounds):
        before = bytes([chance.below(256) for _ in range(1024)])
        frames = []
        glyph, at = chance.of(glyphs)
        x, y = chance.between(-20, 130), chance.between(-20, 66)
        color, bottom = chance.below(2), chance.of((64, 64, chance.between(0, 64)))
        width, height = chance.between(1, 128), chance.between(1, 64)
        left, top = chance.below(129 - width), chance.below(65 - height)
        for blits, fills in ((own_blit, own_fill_rect), (blit, fill_rect)):
            framebuf = adafruit_framebuf.FrameBuffer(bytearray(before), 128, 64)
            blits(framebuf.buf, glyph, at, x, y, color, bottom)
            fills(framebuf, left, top, width, height, 1 - color)
            frames.append(bytes(framebuf.buf))
        if frames[0] != frames[1]:
            found.append(f"glyph at {x}, {y} or rectangle {left}, {top}, {width}, {height}")
        # A frame that differs from the one before in a few places, or in many.
        after = bytearray(before)
        for _ in range(chance.of((0, 1, 5, 40, 900))):
            after[chance.below(1024)] ^= 1
        outs = [bytearray(4 * oled._MOST_RUNS), bytearray(4 * oled._MOST_RUNS)]
        counts = [own_windows(after, before, outs[0]), windows(after, before, outs[1])]
        if counts[0] != counts[1] or outs[0][: 4 * counts[0]] != outs[1][: 4 * counts[1]]:
            found.append("windows")
        for fills in (own_fill, fill):
            framebuf = adafruit_framebuf.FrameBuffer(bytearray(before), 128, 64)
            fills(framebuf, color)
            if bytes(framebuf.buf) != (b"\xff" if color else b"\0") * 1024:
                found.append("fill")
    return found
