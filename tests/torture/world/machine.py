"""`machine` on the world inside the process. As host_sim/child/common/machine.py, but nobody is told: for speed."""

import _link


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __init__(self, id, mode=-1, pull=-1, value=None):
        self.id = id
        self._handler = None
        self.init(mode, pull, value)

    def init(self, mode=-1, pull=-1, value=None):
        self._mode = mode
        self._pull = pull
        if mode == Pin.OUT:
            _link.levels[self.id] = int(bool(value))
        elif mode == Pin.IN:
            _link.pins[self.id] = self
            if self.id not in _link.levels:
                _link.levels[self.id] = 1 if pull == Pin.PULL_UP else 0

    def value(self, value=None):
        if value is None:
            # All contacts are to GND: high means open, and then the pull decides.
            return 0 if self._pull == Pin.PULL_DOWN else _link.levels[self.id]
        _link.levels[self.id] = int(bool(value))

    def __call__(self, value=None):
        return self.value(value)

    def irq(self, handler=None, trigger=0, hard=False):
        self._handler = handler

    def edge(self, level):
        if self._handler is not None:
            self._handler(self)


class PWM:
    def __init__(self, pin, freq=None, duty_u16=None):
        self._pin = pin.id
        self.freq(freq)
        self.duty_u16(duty_u16)

    def freq(self, value):
        if not 8 <= value <= 62_500_000:
            raise ValueError("no such frequency")

    def duty_u16(self, value):
        _link.piezo[self._pin] = value

    def deinit(self):
        _link.piezo[self._pin] = 0


class I2C:
    def __init__(self, id, scl=None, sda=None, freq=400000, timeout=50000):
        self._freq = freq

    def _pass(self, size):
        """The time on the bus; a transfer that nobody answers ends with the address."""
        there = _link.panel.answers()
        _link.advance(_link.now + ((size if there else 0) + 1) * 9_000_000 // self._freq)
        # The plug may have been drawn on the way.
        if not there or not _link.panel.present:
            raise OSError(5)

    def writeto(self, addr, buf, stop=True):
        self._pass(len(buf))
        _link.panel.take(buf)
        return len(buf)

    def readfrom_into(self, addr, buf, stop=True):
        self._pass(len(buf))
        status = _link.panel.status()
        for i in range(len(buf)):
            buf[i] = status

    def scan(self):
        return [0x3C] if _link.panel.answers() else []


class SoftI2C:
    def __init__(self, scl, sda, freq):
        pass

    def writeto(self, addr, buf):
        raise OSError(5)


def disable_irq():
    return 1


def enable_irq(state):
    pass


def reset():
    raise _link.PowerCut()
