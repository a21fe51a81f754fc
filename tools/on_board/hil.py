"""What a board does for tools/hil.py: plays the app by edges that a program makes, and tells what is on the glass.

The edges go where the keys' interrupts put theirs, below the debouncer. MicroPython, sent to its prompt.
"""

import gc
import os
from binascii import a2b_base64, b2a_base64
from struct import unpack_from
from time import ticks_add, ticks_diff, ticks_us

FOLDER = "hil"  # the app's files, away from the table's in data/


class Contact:
    """In the place of a key's pin."""

    def __init__(self, level):
        self.level = level

    def __call__(self):
        return self.level

    def irq(self, *args, **more):
        pass


class Stamp:
    """In the place of the clock that stamps the edges: those of a program are as early as they were meant to be."""

    at = None

    def __call__(self):
        return ticks_us() if self.at is None else self.at


def clear():
    try:
        for name in os.listdir(FOLDER):
            os.remove(FOLDER + "/" + name)
        os.remove(FOLDER)
    except OSError:
        pass


def play(events):
    """events, in base64: for each the us since the one before (4 bytes), and -1 for a look at the glass, or the key
    times two, and one more if it goes down (1 byte).

    Prints the glass, in base64, at each look.
    """
    events = a2b_base64(events)
    from pouch import app as app_module
    from pouch.hal import keys
    from pouch.hal.device import Device
    from pouch.screens.home import Home
    from pouch.store import Store

    clear()
    device = Device("board.json", FOLDER)
    clock = keys.ticks_us
    keys.ticks_us = stamp = Stamp()
    for key in device.keys.keys:
        key.pin = Contact(1 - key.closed)
    try:
        app_module.running = app = app_module.App(device, Home, Store(device.files))
        gc.collect()
        at = ticks_us()
        for i in range(0, len(events), 5):
            after, what = unpack_from("<Ib", events, i)
            at = ticks_add(at, after)
            # No step between edges that are late: the loop's clock would be past their stamps.
            while ticks_diff(at, ticks_us()) > 0:
                due = app.step()
                until_event = due is None or ticks_diff(at, due) < 0
                device.waiter.wait(at if until_event else due, until_event or app.screen.EXACT)
            if what < 0:
                print(b2a_base64(device.oled._glass, newline=False).decode())
                continue
            key = device.keys.keys[what >> 1]
            key.pin.level = key.closed if what & 1 else 1 - key.closed
            # An interrupt is never earlier than the loop's last look at the keys.
            stamp.at = at if ticks_diff(at, app.now) > 0 else app.now
            key.edge(key.pin)
            stamp.at = None
    finally:
        keys.ticks_us = clock
        device.silence()
        clear()
