"""Arithmetic of ticks: microseconds that wrap at 2**30, as `time.ticks_us` counts them. Pure."""

from micropython import const

_HALF = const(1 << 29)
_MASK = const((1 << 30) - 1)


def later(ticks, us):
    """The ticks `us` microseconds after `ticks`; us: below 2**29 either way."""
    return (ticks + us) & _MASK


def since(now, then):
    """Microseconds from `then` to `now`: ticks less than 2**29 (some nine minutes) apart, in either order."""
    return ((now - then + _HALF) & _MASK) - _HALF
