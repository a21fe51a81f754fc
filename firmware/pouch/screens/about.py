"""What this device is: the version, the board, what runs it, the room on its flash, and whose work is in it."""

from pouch.app import BACK, LEFT
from pouch.hal import about
from pouch.screens import Screen
from pouch.ui import listing
from pouch.version import VERSION
from pouch.words import say

_LICENCES = (("Pouch", "MIT"), ("MicroPython", "MIT"), ("Adafruit SSD1306", "MIT"), ("misc-fixed", "public domain"))


class About(Screen):
    """below: the screen before."""

    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, below):
        self.below = below
        self.chosen = 0
        name, version = about.interpreter()
        try:
            room = f"{about.room(app.store.files)} kB"
        except OSError:
            room = "–"
        self._rows = (
            ("Pouch", VERSION),
            (say("Board"), app.device.board.get("id", "")),
            (name, version),
            (say("Flash free"), room),
        ) + tuple([(of, say("licence {}").format(say(licence))) for of, licence in _LICENCES])

    def legend(self, app):
        return ("▲" if self.chosen else "", "BACK", "", "▼" if self.chosen < len(self._rows) - 1 else "")

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(self.below)
        else:
            self.chosen += -1 if key == LEFT else 1

    def render(self, canvas, app):
        listing.draw(canvas, say("ABOUT"), "", self._rows, self.chosen)
        canvas.seam()
