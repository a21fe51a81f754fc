"""What is set on the device, whoever plays."""

from pouch.app import BACK, LEFT, OK
from pouch.screens import Screen
from pouch.settings import ROWS
from pouch.ui import listing


class Settings(Screen):
    """below: the screen before."""

    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, below):
        self.below = below
        self.chosen = 0

    def legend(self, app):
        return (
            "▲" if self.chosen else "",
            "BACK",
            "#CHANGE" if self.chosen < len(ROWS) else "#START",
            "▼" if self.chosen < len(ROWS) else "",
        )

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(self.below)
        elif key == OK and self.chosen == len(ROWS):
            from pouch.screens.selftest import SelfTest

            app.show(SelfTest(self))
        elif key == OK:
            name, _, values, _, _ = ROWS[self.chosen]
            app.change(name, values[(values.index(app.settings[name]) + 1) % len(values)])
        else:
            self.chosen += -1 if key == LEFT else 1

    def render(self, canvas, app):
        items = []
        for key, label, _, default, read in ROWS:
            value = app.settings[key]
            if read:
                text = read.format(value) if value else "never" if key == "sleep" else "off"
            else:
                text = value
            items.append((label, ("▪ " if value == default else "") + text))
        items.append(("Self-test", ""))
        listing.draw(canvas, "SETTINGS", "", items, self.chosen)
        canvas.seam()
