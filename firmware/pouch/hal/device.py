"""All parts of one board, put together as board.json says."""

from time import sleep_ms, ticks_ms, ticks_us

from machine import I2C, Pin, reset

from pouch.hal.files import Files
from pouch.hal.keys import Keys
from pouch.hal.oled import CHUNK, Oled
from pouch.hal.piezo import Led, Piezo
from pouch.hal.waiter import Waiter

TRIPS = "crashes"  # a file with a byte for each crash in a row


class Device:
    """The hardware as the app sees it: keys, oled, piezo, led, waiter, and the time in ticks of microseconds."""

    def __init__(self, path="board.json", data="data"):
        from pouch.hal import board  # nothing else needs it: it goes when the app stands

        self.files = Files(data)
        self.tripped = self.files.size(TRIPS)  # how often the app has crashed in a row
        self.board, self.problem = board.load(path)
        self.watchdog = None
        if self.board.get("watchdog"):
            from pouch.hal.watchdog import Watchdog

            self.watchdog = Watchdog(self.board.get("chip"))
        self.waiter = Waiter()
        buttons = self.board["buttons"]
        pins = []
        for role in board.ROLES:
            pins.append((buttons[role]["pin"], buttons[role].get("active", "low") == "low"))
        self.press_us = buttons.get("press_ms", 5) * 1000
        self.release_us = buttons.get("release_ms", 12) * 1000
        self.keys = Keys(pins, self.waiter)
        piezo = self.board["piezo"]
        if piezo.get("kind") == "active":
            from pouch.hal.buzzer import Buzzer

            self.piezo = Buzzer(piezo["pin"])
        else:
            self.piezo = Piezo(piezo["pin"])
        led = self.board.get("led")
        self.led = Led(led["pin"] if led else None)
        display = self.board["display"]
        bus = self.i2c()
        # The panel has had its power for as long as the Pico, whose ticks begin at 0.
        wait = display.get("power_up_ms", 20) - ticks_ms()
        if wait > 0:
            sleep_ms(wait)
        if display["controller"] == "sh1106":
            from pouch.hal.sh1106 import Sh1106

            self.oled = Sh1106(bus, display)
        else:
            self.oled = Oled(bus, display)

    def i2c(self):
        """The panel's bus, made anew."""
        display = self.board["display"]
        frequency = display["frequency"]
        # The timeout is for a whole transfer: twice what the longest one takes, so that a held bus holds the game no
        # longer than it must (6 ms at 400 kHz).
        timeout = 2 * (CHUNK + 2) * 9 * 1000 // (frequency // 1000)
        return I2C(
            display["bus"],
            scl=Pin(display["scl"]),
            sda=Pin(display["sda"]),
            freq=frequency,
            timeout=timeout,
        )

    def now(self):
        return ticks_us()

    def restart(self):
        """As if the power had been away for a moment. Does not return."""
        self.silence()
        reset()

    def silence(self):
        """Every way out of the app: piezo silent and its pin low, LED dark, no watchdog."""
        if self.watchdog:
            self.watchdog.stop()
        self.piezo.release()
        self.led.set(0)
