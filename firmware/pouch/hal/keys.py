"""The buttons: hard interrupts write each edge and its time into a ring, the loop reads them in order."""

from time import ticks_us

import micropython
from machine import Pin
from micropython import const

from pouch.ticks import later, since

_RING = const(128)
_AFTER_US = const(1000)  # how late after a write its last interrupt may be stamped
_APART_US = const(20_000)  # as long as a short tap, longer than any contact bounces
_SHARE = const(31)  # unread edges a key may have: one that chatters must not push out the others'


class _Key:
    def __init__(self, keys, index, number, active_low):
        self.keys = keys
        self.index = index
        self.closed = 0 if active_low else 1
        # How many edges the interrupt wrote and the loop read, both modulo 256. Each side writes only its own.
        self.put = 0
        self.got = 0
        self.read_at = 0  # the time of the last edge that was read
        self.lost = False  # there were more edges, up to `lost_at`
        self.lost_at = 0
        self.pin = Pin(number, Pin.IN, Pin.PULL_UP if active_low else Pin.PULL_DOWN)

    def listen(self):
        self.pin.irq(self.edge, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def edge(self, pin):
        # In a hard interrupt: no allocation, no attribute that does not exist yet.
        keys = self.keys
        keys.waiter.flag = True
        if (self.put - self.got) & 255 < _SHARE:
            self.put = (self.put + 1) & 255
            at = keys.written
            keys.times[at] = ticks_us()
            keys.what[at] = self.index << 1 | (pin() == self.closed)
            keys.written = (at + 1) % _RING
        else:
            self.lost_at = ticks_us()
            self.lost = True


class Keys:
    """pins: a (GPIO number, active_low) for each key, in the order of the roles."""

    def __init__(self, pins, waiter):
        self.waiter = waiter
        self.times = [0] * _RING
        self.what = bytearray(_RING)
        self.written = 0
        self._read = 0
        self._blind = False  # did a write stop the interrupts since the edges were read last?
        self._blind_from = 0
        self._blind_to = 0
        self.keys = [_Key(self, i, pins[i][0], pins[i][1]) for i in range(len(pins))]

    def listen(self):
        for key in self.keys:
            key.listen()

    @micropython.native
    def mask(self):
        """The levels now: bit n is set if key n is down."""
        mask = 0
        bit = 1
        for key in self.keys:
            if key.pin() == key.closed:
                mask |= bit
            bit <<= 1
        return mask

    def blind(self, began, ended):
        """A flash write between these ticks stopped the interrupts, for up to 50 ms at a time.

        An edge in there got the time of its end, and two of one key became one interrupt: call it before `drain`.
        """
        self._blind = True
        self._blind_from = began
        self._blind_to = ended

    def _unseen(self, presses, key, down, time):
        """When an edge was that has the time `time`, as far as is known; it may have been two."""
        early = later(time, -_APART_US)
        if (
            since(self._blind_to, time) < -_AFTER_US
            or since(early, self._blind_from) < 0
            or since(early, self.keys[key].read_at) < 0  # interrupts were on then
        ):
            return time
        if presses.level(key) == down:
            # Down and up, or up and down, while nobody could see it.
            presses.edge(key, not down, early)
            return time
        # In the middle of the write rather than at its end: what follows soon is another press, not a bounce.
        return early

    @micropython.native
    def drain(self, presses):
        """Give all edges so far to `presses`, and then the levels, which are the truth. Returns the time."""
        while True:
            self.waiter.flag = False
            for key in self.keys:
                if key.lost:
                    key.lost = False
                    presses.noisy(key.index, key.lost_at)
            while self._read != self.written:
                at = self._read
                what = self.what[at]
                time = self.times[at]
                self._read = (at + 1) % _RING
                key = self.keys[what >> 1]
                key.got = (key.got + 1) & 255
                stamp = time
                if self._blind:
                    time = self._unseen(presses, what >> 1, bool(what & 1), time)
                key.read_at = stamp
                presses.edge(what >> 1, bool(what & 1), time)
            mask = self.mask()
            now = ticks_us()
            if self._read == self.written:
                self._blind = False
                presses.feed(mask, now)
                return now
