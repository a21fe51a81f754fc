"""What the self-test and a silent panel ask of the parts. Imported on first use: who only plays needs none of it."""

from time import ticks_diff, ticks_us

from machine import Pin, SoftI2C, disable_irq, enable_irq
from micropython import const

from pouch.hal import about

# How the panel can be reached.
FOUND = const(0)
SILENT = const(1)  # nobody answers
ELSEWHERE = const(2)  # at the other one of its two addresses
SWAPPED = const(3)  # with SDA and SCL the other way round
HELD = const(4)  # a line is low and stays so: nobody can be reached

_ADDRESSES = (0x3C, 0x3D)  # a panel has one of these
_SH1106 = const(8)  # the lower half of its status byte; an SSD1306 says 3, 6 or 7
_FILE = "selftest"
_SETTLE_US = const(50)  # until a pull-up of 50 kOhm has charged long wires


def panel(device):
    """(how, addresses): one of the constants above, and who answers on the bus, ascending. Some 20 ms."""
    display = device.board["display"]
    sda, scl = display["sda"], display["scl"]
    held = not (_level(sda) and _level(scl))
    addresses = device.i2c().scan() if not held else ()
    address = int(display["address"], 16)
    if held:
        how = HELD
    elif address in addresses:
        how = FOUND
    elif _first(addresses):
        how = ELSEWHERE
    else:
        # Only now: a panel that is wired right would take what comes on swapped wires for commands.
        how = SWAPPED if _answers(SoftI2C(scl=Pin(sda), sda=Pin(scl), freq=100_000)) else SILENT
        device.i2c()
    return how, addresses


def _level(number):
    pin = Pin(number, Pin.IN, Pin.PULL_UP)
    _settle()
    return pin()


def _settle():
    # Not sleep_us: that may need an interrupt to wake up again.
    start = ticks_us()
    while ticks_diff(ticks_us(), start) < _SETTLE_US:
        pass


def _first(addresses):
    """The panel among those who answer, 0 if there is none."""
    for address in _ADDRESSES:
        if address in addresses:
            return address
    return 0


def _answers(i2c):
    for address in _ADDRESSES:
        try:
            i2c.writeto(address, b"")
            return True
        except OSError:
            pass
    return False


def unlike(device):
    """Whether the panel says that it is an SH1106, and is driven as an SSD1306."""
    status = device.oled.bus.status()
    return device.board["display"].get("controller") != "sh1106" and status >= 0 and status & 15 == _SH1106


def flash(files):
    """What is wrong with the flash, as one word, None if it keeps what it is given; and kB that are free there."""
    wrong = None
    data = bytes(range(256)) * 8  # more than littlefs keeps beside the name: it takes a block of its own
    try:
        files.write(_FILE, data)
        if files.read(_FILE) != data:
            wrong = "bad"
    except OSError:
        wrong = "full"
    try:
        files.remove(_FILE)
    except OSError:
        pass
    try:
        return wrong, about.room(files)
    except OSError:
        return wrong, 0


def wrong_way(device):
    """Mask of the keys that are pressed, but connect their pin to the other side than board.json says."""
    mask = 0
    for key in device.keys.keys:
        # The pull-down of an RP2350 can't hold its own pin low (erratum E9).
        if key.pin() == key.closed or (device.board.get("chip") == "rp2350" and not key.closed):
            continue
        # The edges that this makes are told when it is over, when all is as it was: they are no presses.
        state = disable_irq()
        key.pin.init(Pin.IN, Pin.PULL_UP if key.closed else Pin.PULL_DOWN)
        _settle()
        if key.pin() != key.closed:
            mask |= 1 << key.index
        key.pin.init(Pin.IN, Pin.PULL_DOWN if key.closed else Pin.PULL_UP)
        _settle()
        enable_irq(state)
    return mask
