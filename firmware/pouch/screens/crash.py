"""What stands on the glass when the app has tripped. No screen of the app: there is none any more."""

from pouch.ui.canvas import DOTS
from pouch.ui.fonts import display_16
from pouch.ui.fonts import text as small


class Crash:
    """aside: two lines beside the headline. lines: up to three below. key: what OK does."""

    def __init__(self, aside, lines, key):
        self.aside = aside
        self.lines = lines
        self.legend = ("", "", "#" + key, "")

    def render(self, canvas):
        x = canvas.text(display_16, "SORRY", 1, 1)
        for i in range(2):
            canvas.text(small, self.aside[i], x + 5, 3 + 9 * i)
        canvas.draw(DOTS, 0, 22)
        for i in range(len(self.lines)):
            canvas.text(small, self.lines[i][:40], 1, (26, 35, 45)[i])
        canvas.seam()
