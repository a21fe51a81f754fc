"""`machine` as the firmware uses it, every call told to the host."""

import _link

_PINS = 30


class _Irq:
    def __init__(self, pin):
        self._pin = pin
        self._flags = 0

    def flags(self):
        return self._flags

    def trigger(self):
        return self._pin._trigger


class Pin:
    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __init__(self, id, mode=-1, pull=-1, value=None, alt=-1):
        if not isinstance(id, int) or not 0 <= id < _PINS:
            raise ValueError("invalid pin")
        self.id = id
        self._handler = None
        self._trigger = 0
        self._irq = None
        self._out = 0
        self._mode = mode
        if mode != -1:
            self.init(mode, pull, value)

    def init(self, mode=-1, pull=-1, value=None):
        self._mode = mode
        if mode == Pin.OUT:
            self._out = int(bool(value))
            _link.tell("P %d %d" % (self.id, self._out))
        elif mode == Pin.IN:
            _link.pins[self.id] = self
            _link.levels[self.id] = int(_link.ask("M %d %d" % (self.id, 0 if pull in (-1, None) else pull)))

    def value(self, value=None):
        if value is None:
            return self._out if self._mode == Pin.OUT else _link.levels.get(self.id, 0)
        self._out = int(bool(value))
        _link.tell("P %d %d" % (self.id, self._out))

    def __call__(self, value=None):
        return self.value(value)

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    def irq(self, handler=None, trigger=IRQ_FALLING | IRQ_RISING, hard=False):
        self._handler = handler
        self._trigger = trigger
        self._irq = _Irq(self)
        _link.pins[self.id] = self
        return self._irq

    def edge(self, level):
        flag = Pin.IRQ_RISING if level else Pin.IRQ_FALLING
        if self._handler is not None and self._trigger & flag:
            self._irq._flags = flag
            self._handler(self)


class PWM:
    def __init__(self, pin, freq=None, duty_u16=None):
        self._pin = pin.id
        self._freq = 0
        self._duty = 0
        if freq is not None:
            self._freq = freq
        if duty_u16 is not None:
            self._duty = duty_u16
        self._tell()

    def _tell(self):
        _link.tell("F %d %d %d" % (self._pin, self._freq, self._duty))

    def freq(self, value=None):
        if value is None:
            return self._freq
        if not 8 <= value <= 62_500_000:
            raise ValueError("freq too small" if value < 8 else "freq too large")
        self._freq = value
        self._tell()

    def duty_u16(self, value=None):
        if value is None:
            return self._duty
        self._duty = max(0, min(65535, value))
        self._tell()

    def deinit(self):
        self._duty = 0
        self._tell()


class I2C:
    def __init__(self, id, scl=None, sda=None, freq=400000, timeout=50000):
        if id not in (0, 1):
            raise ValueError("I2C(%d) doesn't exist" % id)
        if scl is not None and (scl.id % 2 != 1 or scl.id // 2 % 2 != id):
            raise ValueError("bad SCL pin")
        if sda is not None and (sda.id % 2 != 0 or sda.id // 2 % 2 != id):
            raise ValueError("bad SDA pin")
        self._freq = freq
        self._timeout = timeout

    def _check(self, payload):
        if payload == "N":
            raise OSError(5)  # EIO: nobody acknowledged
        if payload == "O":
            raise OSError(110)  # ETIMEDOUT: the bus is held
        return payload

    def writeto(self, addr, buf, stop=True):
        self._check(_link.ask("I %d %d %d %s" % (addr, self._freq, self._timeout, bytes(buf).hex())))
        return len(buf)

    def writevto(self, addr, vector, stop=True):
        return self.writeto(addr, b"".join([bytes(part) for part in vector]), stop)

    def readfrom_into(self, addr, buf, stop=True):
        got = bytes.fromhex(self._check(_link.ask("R %d %d %d %d" % (addr, self._freq, self._timeout, len(buf)))))
        for i in range(len(buf)):
            buf[i] = got[i]

    def readfrom(self, addr, nbytes, stop=True):
        buf = bytearray(nbytes)
        self.readfrom_into(addr, buf)
        return bytes(buf)

    def scan(self):
        found = []
        for addr in range(8, 0x78):
            try:
                self.writeto(addr, b"")
            except OSError:
                continue
            found.append(addr)
        return found


class SoftI2C:
    """The bus by hand: whether somebody answers on these two pins, whichever they are."""

    def __init__(self, scl, sda, freq=400000, timeout=50000):
        self._scl = scl.id
        self._freq = freq
        self._timeout = timeout

    def writeto(self, addr, buf, stop=True):
        if buf:
            raise NotImplementedError("by hand the firmware only asks who is there")
        if _link.ask("J %d %d %d %d" % (addr, self._freq, self._timeout, self._scl)) == "N":
            raise OSError(5)
        return 0


_WATCHDOG = 0x40058000
_ENABLE = 1 << 30
_CLEAR = 0x3000
_REASON = 8


class WDT:
    def __init__(self, id=0, timeout=5000):
        if timeout > 8388:
            raise ValueError("timeout exceeds 8388")
        self._us = timeout * 1000
        self.feed()

    def feed(self):
        _link.tell("D %d" % self._us)


class _Registers:
    """Of the chip only the watchdog's: why it started, and whether it is on."""

    def __getitem__(self, address):
        return int(_link.bitten) if address == _WATCHDOG + _REASON else 0

    def __setitem__(self, address, value):
        if address == _WATCHDOG + _CLEAR and value & _ENABLE:
            _link.tell("D 0")


mem32 = _Registers()


def disable_irq():
    return 1


def enable_irq(state):
    pass


def idle():
    _link.wait(1000)


def freq(*args):
    return 125_000_000


def unique_id():
    return bytes.fromhex("E6614103E7654321")


def reset():
    _link.tell("X")
    raise SystemExit


def bootloader(timeout=None):
    reset()
