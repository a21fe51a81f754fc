"""What a board does for tools/hil.py: plays the app by edges that a program makes, and tells what is on the glass.

The edges go where the keys' interrupts put theirs, below the debouncer. MicroPython, sent to its prompt.
"""

import gc
import os
from binascii import b2a_base64
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
    """events: (us after the app's start, key or -1 for a look at the glass, 1 down or 0 up), in their order.

    Prints each look, and at the end how late an edge was made at most, in us.
    """
    from pouch import app as app_module
    from pouch.hal import keys
    from pouch.hal.device import Device
    from pouch.screens.home import Home
    from pouch.store import Store

    clear()
    device = Device("board.json", FOLDER)
    clock = keys.ticks_us
    keys.ticks_us = stamp = Stamp()
    contacts = []
    for key in device.keys.keys:
        key.pin = Contact(1 - key.closed)
        contacts.append(key.pin)
    late = 0
    try:
        app_module.running = app = app_module.App(device, Home, Store(device.files))
        gc.collect()
        start = ticks_us()
        for after, index, down in events:
            at = ticks_add(start, after)
            while True:
                due = app.step()
                if ticks_diff(at, ticks_us()) <= 0:
                    break
                until_event = due is None or ticks_diff(at, due) < 0
                device.waiter.wait(at if until_event else due, until_event or app.screen.EXACT)
            if index < 0:
                print(b2a_base64(device.oled._glass, newline=False).decode())
                continue
            late = max(late, ticks_diff(ticks_us(), at))
            key = device.keys.keys[index]
            contacts[index].level = key.closed if down else 1 - key.closed
            stamp.at = at
            key.edge(key.pin)
            stamp.at = None
        print(late)
    finally:
        keys.ticks_us = clock
        device.silence()
        clear()
