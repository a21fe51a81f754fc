"""`time` on the virtual clock, with a Pico's ticks: they wrap at 2**30."""

import _link

_PERIOD = 1 << 30
_HALF = _PERIOD >> 1


def ticks_us():
    return (_link.look() + _link.ticks_start) & (_PERIOD - 1)


def ticks_ms():
    return ((_link.look() + _link.ticks_start) // 1000) & (_PERIOD - 1)


def ticks_cpu():
    return ticks_us()


def ticks_add(ticks, delta):
    return (ticks + delta) & (_PERIOD - 1)


def ticks_diff(end, start):
    return ((end - start + _HALF) & (_PERIOD - 1)) - _HALF


def sleep_us(us):
    _link.sleep(us)


def sleep_ms(ms):
    _link.sleep(ms * 1000)


def sleep(seconds):
    _link.sleep(int(seconds * 1_000_000))


def time():
    return _link.look() // 1_000_000
