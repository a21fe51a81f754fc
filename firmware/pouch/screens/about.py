"""What this device is: the version, the board, what runs it, the room on its flash, and whose work is in it."""

from pouch.hal import about
from pouch.screens.listed import Listed
from pouch.ui import listing
from pouch.version import VERSION
from pouch.words import say

_LICENCES = (("Pouch", "MIT"), ("MicroPython", "MIT"), ("Adafruit SSD1306", "MIT"), ("misc-fixed", "public domain"))


class About(Listed):
    """below: the screen before."""

    def __init__(self, app, below):
        self.below = below
        name, version = about.interpreter()
        try:
            room = f"{about.room(app.store.files)} kB"
        except OSError:
            room = "–"
        self._rows = (
            ("Pouch", VERSION),
            (name, version),
            (say("Flash free"), room),
            (say("Board"), app.device.board.get("id", "")),
        ) + tuple([(of, say(licence)) for of, licence in _LICENCES])

    def count(self, app):
        return len(self._rows)

    def ok(self, app):
        return ""

    def render(self, canvas, app):
        listing.draw(canvas, say("ABOUT"), "", self._rows, self.chosen)
        canvas.seam()
