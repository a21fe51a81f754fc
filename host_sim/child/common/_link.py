"""The child's end of the wire to the host: the only place where virtual time enters the firmware.

Runs on CPython and on the MicroPython VM. Requests go out on standard error, answers come in on standard
input, both as lines of text, so that standard output stays free for `print`. Every answer says what time it is now and
which edges came on the way. The child moves the clock itself only where the host allows it: while it does nothing but
look at it, up to a time before which nothing happens.
"""

import os
import sys

_read = sys.stdin.buffer.readline
_write = sys.stderr.write

# A loop that only looks at the clock would otherwise stop the virtual time: it must ask the host now and then.
_LOOKS_BEFORE_SYNC = 8
_LOOK_US = 20  # as the host has it

now = 0  # microseconds since power-on, never wrapped
ticks_start = int(os.getenv("POUCH_TICKS") or "0")

bitten = bool(os.getenv("POUCH_BITTEN"))  # was it the watchdog that restarted the chip?

pins = {}  # GPIO number -> Pin with a handler or configured as an input
levels = {}  # GPIO number -> 0 or 1, as last told
_looks = 0
_alone_until = 0  # nothing happens before
_told = 0  # the time that the host knows of


def tell(line):
    """Say something that takes no time and needs no answer."""
    global _told
    if _told != now:
        _told = now
        line = "C %d\n%s" % (now, line)
    _write(line + "\n")


def ask(line):
    """Say something and wait for the answer; run the IRQ handlers of the edges on the way. Returns the payload."""
    global now, _looks, _told, _alone_until
    _looks = 0
    _alone_until = 0
    tell(line)
    while True:
        answer = _read()
        if not answer:
            raise SystemExit
        if answer[0] == 63:  # "?": the host looks inside; no time passes
            _inspect(answer[1:].decode().strip())
            continue
        break
    head, _, payload = answer.decode().strip().partition("|")
    words = head.split()
    for word in words[1:]:
        pin, level, at = word.split(":")
        now = int(at)
        _edge(int(pin), int(level))
    now = _told = int(words[0])
    if payload == "!":
        raise KeyboardInterrupt
    return payload


def _edge(number, level):
    before = levels.get(number)
    levels[number] = level
    pin = pins.get(number)
    if pin is not None and before != level:
        pin.edge(level)


def _inspect(expression):
    try:
        answer = repr(eval(expression, {"app": sys.modules.get("pouch.app")}))
    except Exception as error:
        answer = "!" + repr(error)
    _write("=" + answer.replace("\n", " ") + "\n")


def look():
    """The time now, for whoever only looks at the clock."""
    global now, _looks, _alone_until
    _looks += 1
    if _looks > _LOOKS_BEFORE_SYNC:
        if now + _LOOK_US <= _alone_until:
            now += _LOOK_US
        else:
            _alone_until = int(ask("T"))
        _looks = _LOOKS_BEFORE_SYNC
    return now


def wait(us):
    """Sleep until `us` have passed (-1: for ever) or an edge came."""
    ask("W %d" % us)


def sleep(us):
    """Sleep for all of `us`, whatever comes."""
    if us > 0:
        ask("S %d" % us)
