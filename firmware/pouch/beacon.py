"""A panel that does not answer can't say why: LED and piezo do, in so many pulses. README explains them.

Only since power-on, as nobody has seen this panel work: one that is lost later has a loose wire. The piezo says it
three times, the LED goes on. It speaks between presses, never where times count.
"""

from micropython import const

from pouch.hal import checks
from pouch.ticks import later, since

_REST_US = const(3_000_000)  # after power-on, a press or the last pulse
_LOUD = const(3)
_PULSE = ((660, 150), (0, 250))
_PULSES = {checks.SILENT: 2, checks.ELSEWHERE: 3, checks.SWAPPED: 4, checks.HELD: 5}
_UNLIKE = const(6)
_WORDS = {
    2: "nobody answers on the panel's bus: look at its wires",
    3: "no panel at {}, but at {}: set display.address in board.json",
    4: "SDA and SCL are swapped: swap the two wires",
    5: "SDA or SCL is low all the time: a short, or a panel without power",
    6: "the panel says that it is an SH1106: set display.controller in board.json",
}


class Beacon:
    def __init__(self, app):
        self._unlike = not app.device.oled.lost and checks.unlike(app.device)
        self._pressed = app.presses.at
        self._due = later(app.now, _REST_US)
        self._said = 0
        self._told = 0  # the pulses that the console knows of

    def look(self, app):
        """Called now and then, some ten times a second while the panel is lost."""
        if not app.device.oled.lost and not (self._unlike and self._said < _LOUD):
            app.beacon = None
            return
        now = app.now
        if app.presses.at != self._pressed:
            self._pressed = app.presses.at
            self._due = later(now, _REST_US)
        screen = app.screen
        if since(now, self._due) < 0 or app.sound.playing or screen.EXACT or screen.quiet(app, now):
            return
        pulses = _UNLIKE
        addresses = ()
        if not self._unlike:
            # Each time anew: whoever looks for the fault may have mended half of it.
            how, addresses = checks.panel(app.device)
            if how == checks.FOUND:
                return
            pulses = _PULSES[how]
        if pulses != self._told:
            self._told = pulses
            there = [f"0x{address:02X}" for address in addresses]
            print("Pouch: " + _WORDS[pulses].format(app.device.board["display"]["address"], " and ".join(there)))
        app.sound.play(_PULSE * pulses, now, self._said >= _LOUD)
        self._said += 1
        self._due = later(now, _REST_US + pulses * 400_000)
