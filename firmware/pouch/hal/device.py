"""All parts of one board, put together as board.json says."""

from time import sleep_ms, ticks_us

from machine import I2C, Pin

from pouch.hal import board
from pouch.hal.keys import Keys
from pouch.hal.oled import Oled
from pouch.hal.piezo import Led, Piezo
from pouch.hal.waiter import Waiter

# A held bus must not hold the game: a transfer of a whole frame takes 26 ms, a byte that does not end 5.
_BUS_TIMEOUT_US = 5000


class Device:
    """The hardware as the app sees it: keys, oled, piezo, led, waiter, and the time in ticks of microseconds."""

    def __init__(self, path="board.json"):
        self.board, self.problem = board.load(path)
        self.waiter = Waiter()
        buttons = self.board["buttons"]
        pins = []
        for role in board.ROLES:
            pins.append((buttons[role]["pin"], buttons[role].get("active", "low") == "low"))
        self.press_us = buttons.get("press_ms", 5) * 1000
        self.release_us = buttons.get("release_ms", 12) * 1000
        self.keys = Keys(pins, self.waiter)
        self.piezo = Piezo(self.board["piezo"]["pin"])
        led = self.board.get("led")
        self.led = Led(led["pin"] if led else None)
        display = self.board["display"]
        bus = I2C(
            display["bus"],
            scl=Pin(display["scl"]),
            sda=Pin(display["sda"]),
            freq=display["frequency"],
            timeout=_BUS_TIMEOUT_US,
        )
        sleep_ms(display.get("power_up_ms", 20))
        self.oled = Oled(bus, display)

    def now(self):
        return ticks_us()

    def silence(self):
        """Every way out of the app: piezo silent and its pin low, LED dark."""
        self.piezo.release()
        self.led.set(0)
