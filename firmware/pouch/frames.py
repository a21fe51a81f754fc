"""Values and frames as bytes: what all that is kept is made of.

A frame is the length of its payload (one byte, from 127 on three), a number (two bytes, the low one first), the
payload, and a CRC-32 of all that. The length has a parity bit in each byte, so that not even there a flipped bit goes
unnoticed. Home does with these; the journal, which is made of them, comes with a match.
"""

from binascii import crc32

from micropython import const

HEADER = const(0xF0)  # how the payload begins that tells of a match
SNAPSHOT = const(0xF1)  # and one that has all of its state

_LONG = const(127)  # from so many bytes on a length takes three
_MOST = const(0x3FFF)


class Damaged(Exception):
    """Something kept that was needed cannot be read."""


# -- numbers and values --------------------------------------------------------------------------------


def put_number(out, value):
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def put_signed(out, value):
    put_number(out, value << 1 if value >= 0 else (-value << 1) - 1)


def read_number(data, at):
    value = data[at]
    at += 1
    if value < 128:
        return value, at
    value &= 127
    shift = 7
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


# The first byte of a value: what it is. From _SMALL on it is a small number itself.
_NONE = const(0)
_FALSE = const(1)
_TRUE = const(2)
_INT = const(3)
_BYTES = const(4)
_STR = const(5)
_TUPLE = const(6)
_DICT = const(7)
_SMALL = const(64)
_LOW = const(-32)
_HIGH = const(_LOW + 255 - _SMALL)


def pack_value(value):
    """None, bools, whole numbers, bytes, text, and tuples and dicts (with text as keys) of these, as bytes.

    Raises TypeError for anything else.
    """
    out = bytearray()
    _pack_value(out, value)
    return bytes(out)


def _pack_value(out, value):
    if value is None:
        out.append(_NONE)
    elif value is False:
        out.append(_FALSE)
    elif value is True:
        out.append(_TRUE)
    elif isinstance(value, int):
        if _LOW <= value <= _HIGH:
            out.append(value - _LOW + _SMALL)
        else:
            out.append(_INT)
            put_signed(out, value)
    elif isinstance(value, tuple):
        out.append(_TUPLE)
        put_number(out, len(value))
        for item in value:
            _pack_value(out, item)
    elif isinstance(value, bytes):
        out.append(_BYTES)
        put_number(out, len(value))
        out.extend(value)
    elif isinstance(value, str):
        value = value.encode()
        out.append(_STR)
        put_number(out, len(value))
        out.extend(value)
    elif isinstance(value, dict):
        out.append(_DICT)
        put_number(out, len(value))
        # MicroPython's dicts have no order of their own: equal values are to be equal bytes.
        for key in sorted(value):
            _pack_value(out, key)
            _pack_value(out, value[key])
    else:
        raise TypeError("cannot be packed")


def unpack_value(data, at=0):
    """(the value at `at`, where the next one begins). Raises Damaged if it breaks off or makes no sense."""
    try:
        return _unpack_value(data, at)
    except (IndexError, ValueError, TypeError, RuntimeError):
        raise Damaged()


def _unpack_value(data, at):
    tag = data[at]
    at += 1
    if tag >= _SMALL:
        return tag - _SMALL + _LOW, at
    if tag <= _TRUE:
        return (None, False, True)[tag], at
    number, at = read_number(data, at)
    if tag == _INT:
        return -(number + 1 >> 1) if number & 1 else number >> 1, at
    if number > len(data) - at:
        raise ValueError
    if tag == _TUPLE:
        items = []
        for _ in range(number):
            item, at = _unpack_value(data, at)
            items.append(item)
        return tuple(items), at
    if tag == _BYTES:
        return bytes(data[at : at + number]), at + number
    if tag == _STR:
        return bytes(data[at : at + number]).decode(), at + number
    if tag == _DICT:
        items = {}
        for _ in range(number):
            key, at = _unpack_value(data, at)
            items[key], at = _unpack_value(data, at)
        return items, at
    raise ValueError


# -- frames ------------------------------------------------------------------------------------------


def _even(value):
    """Seven bits with a parity bit on top."""
    odd = value ^ value >> 4
    odd ^= odd >> 2
    return value | ((odd ^ odd >> 1) & 1) << 7


# By the seven bits: the byte with its parity.
EVEN = bytes([_even(value) for value in range(128)])
# What crc32 makes of anything followed by its own CRC-32.
WHOLE = 0x2144DF1C


def frame(seq, payload):
    """A payload of at most 16,383 bytes in its frame. seq: the number of the entry, or of the one that comes next."""
    size = len(payload)
    if size > _MOST:
        raise ValueError("too long for the journal")
    out = bytearray()
    if size < _LONG:
        out.append(EVEN[size])
    else:
        out.append(EVEN[_LONG])
        out.append(EVEN[size >> 7])
        out.append(EVEN[size & 127])
    out.append(seq & 0xFF)
    out.append(seq >> 8 & 0xFF)
    out.extend(payload)
    out.extend(crc32(out).to_bytes(4, "little"))
    return bytes(out)


def sized(data, at):
    """(where the payload of the frame at `at` begins, its length), (0, 0) if the length is torn or damaged."""
    left = len(data) - at
    if left <= 0:
        return 0, 0
    size = data[at] & 127
    if EVEN[size] != data[at]:
        return 0, 0
    if size < _LONG:
        return at + 3, size
    if left < 3:
        return 0, 0
    high = data[at + 1] & 127
    low = data[at + 2] & 127
    if EVEN[high] != data[at + 1] or EVEN[low] != data[at + 2]:
        return 0, 0
    return at + 5, high << 7 | low


def read(data, at, seq=None):
    """The frame at `at`, which is to have the number `seq` (None: any): (where its payload begins, where it ends).

    (0, 0) if it is torn, damaged or another one. The next frame begins 4 bytes after the payload's end; its number
    stands in the two bytes before the payload.
    """
    start, size = sized(data, at)
    end = start + size
    if (
        not start
        or end + 4 > len(data)
        or (seq is not None and data[start - 2] | data[start - 1] << 8 != seq & 0xFFFF)
        or crc32(data[at : end + 4]) != WHOLE
    ):
        return 0, 0
    return start, end
