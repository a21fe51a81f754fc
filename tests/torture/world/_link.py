"""The world inside the process: a clock, a table with a hand at it, a panel. It stands in for `host_sim.child`'s wire.

The firmware runs on the shims `time` and `select` of host_sim/child/common, which ask this module as they ask the
wire; `machine` beside it is ours. Nothing goes through a pipe, so that a million presses take minutes.
For CPython and the MicroPython VM. Times are microseconds and never wrap; the firmware's ticks do.
"""

_LOOKS = 8  # as the wire does: who only looks at the clock must see it move
_MOST_LOOKS = 5000  # in one step: then it will look for ever
_LOOK_US = 20


class PowerCut(BaseException):
    """The supply went away. No handler of the firmware's may stop that."""


class Wrong(BaseException):
    """Something is not as it must be."""


class Tripped(Exception):
    """The crash that the world itself brings about."""


now = 0
ticks_start = 0
pins = {}  # of this power-on: GPIO number -> Pin with a handler
levels = {}  # GPIO number -> 0 or 1: they outlive a power cut, as fingers do
powered = False
piezo = {}  # GPIO number -> duty
player = None  # whoever plays: plan(), rest()
looks = 0

# What happens next: (time, kind, value, value), in the order of the times. Kinds:
EDGE = 0  # pin, level
CUT = 1
DO = 2  # a function without arguments
_agenda = []
_at = 0  # the first that has not happened


def put(events):
    """Add to what happens next; all times lie in the future."""
    global _agenda, _at
    rest = _agenda[_at:]
    rest.extend(events)
    rest.sort(key=_time)
    _agenda = rest
    _at = 0


def _time(event):
    return event[0]


def busy():
    """Is something still to happen?"""
    return _at < len(_agenda)


def power_on(start):
    """start: what the ticks read now."""
    global powered, ticks_start
    powered = True
    pins.clear()
    piezo.clear()
    ticks_start = start - now


def _happen(event):
    kind = event[1]
    if kind == EDGE:
        number, level = event[2], event[3]
        if levels.get(number) != level:
            levels[number] = level
            pin = pins.get(number)
            if pin is not None:
                pin.edge(level)
    elif kind == CUT:
        if powered:
            raise PowerCut()
    else:
        event[2]()


def advance(until):
    """Time passes, whatever comes."""
    global now, _at
    while _at < len(_agenda) and _agenda[_at][0] <= until:
        event = _agenda[_at]
        _at += 1
        if event[0] > now:
            now = event[0]
        _happen(event)
    if until > now:
        now = until


# -- what the shims ask ----------------------------------------------------------------------------------


def look():
    global looks
    looks += 1
    if looks > _LOOKS:
        if looks > _MOST_LOOKS:
            raise Wrong("the loop never sleeps")
        advance(now + _LOOK_US)
    return now


def wait(us):
    """Sleep until `us` have passed (-1: for ever) or an edge came."""
    global looks, now, _at
    looks = 0
    player.rest()
    until = now + us
    while True:
        while _at >= len(_agenda):
            player.plan()
        event = _agenda[_at]
        if us >= 0 and event[0] > until:
            now = until
            return
        _at += 1
        if event[0] > now:
            now = event[0]
        _happen(event)
        if event[1] == EDGE:
            # All that come at the same moment.
            while _at < len(_agenda) and _agenda[_at][0] <= now:
                event = _agenda[_at]
                _at += 1
                _happen(event)
            late = player.late()
            if late:
                # A collection, a frame, a stall: interrupts go on, the loop does not.
                advance(now + late)
            return


def sleep(us):
    if us > 0:
        advance(now + us)


# -- the panel -------------------------------------------------------------------------------------------

# Commands of the SSD1306 that take one byte more.
_ONE_MORE = (0x20, 0x81, 0x8D, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB)


class Panel:
    """Its memory, as far as the firmware's own transfers go."""

    def __init__(self):
        self.memory = bytearray(1024)
        self.present = True
        self.refuse = 0  # so many of the next transfers get no answer
        self.since = 0  # when it was plugged in
        self.sent = 0
        self.power()

    def power(self):
        """Supply on: dark, and noise in the memory."""
        self.on = False
        self.inverted = False
        self.since = now
        for i in range(0, 1024, 7):
            self.memory[i] = (i * 37 + now) & 255
        self._window(0, 127, 0, 7)

    def _window(self, column0, column1, page0, page1):
        self.column0, self.column1, self.page0, self.page1 = column0, column1, page0, page1
        self.column, self.page = column0, page0

    def plug(self):
        if not self.present:
            self.present = True
            self.power()

    def unplug(self):
        self.present = False
        self.on = False

    def answers(self):
        if self.refuse:
            self.refuse -= 1
            return False
        return self.present

    def take(self, data):
        self.sent += len(data)
        if data[0] == 0x40:
            self._store(data)
        elif data[0] == 0x00:
            self._commands(data, 1, len(data), 1)
        elif data[0] == 0x80:
            self._commands(data, 1, len(data), 2)
        else:
            raise Wrong(f"no control byte: {data[0]}")

    def _commands(self, data, at, end, step):
        while at < end:
            command = data[at]
            at += step
            if command == 0x21:
                self.column0, self.column1 = data[at], data[at + step]
                self.column = self.column0
                at += 2 * step
            elif command == 0x22:
                self.page0, self.page1 = data[at], data[at + step]
                self.page = self.page0
                at += 2 * step
            elif command in _ONE_MORE:
                at += step
            elif command == 0xAF:
                self.on = True
            elif command == 0xAE:
                self.on = False
            elif command == 0xA6 or command == 0xA7:
                self.inverted = command == 0xA7

    def _store(self, data):
        memory = self.memory
        at = 1
        end = len(data)
        while at < end:
            count = min(end - at, self.column1 + 1 - self.column)
            to = self.page << 7 | self.column
            memory[to : to + count] = data[at : at + count]
            at += count
            self.column += count
            if self.column > self.column1:
                self.column = self.column0
                self.page = self.page0 if self.page == self.page1 else self.page + 1

    def status(self):
        return 0x03 if self.on else 0x43


panel = Panel()
