"""Tells what happened, the good half first, and goes away at one press."""

from pouch.screens import Screen
from pouch.sound import NOTICE
from pouch.ui.fonts import display_12, icons
from pouch.ui.fonts import text as small


class Notice(Screen):
    """lines: one to three sentences of at most 127 columns each; below: the screen after it; key: what OK says."""

    def __init__(self, app, headline, lines, below, key="OK"):
        self.headline = headline
        self.lines = lines
        self.below = below
        self.key = key
        app.play(NOTICE)

    def legend(self, app):
        return ("", "", "#" + self.key, "")

    def press(self, app, key, kind, at):
        app.show(self.below)

    def render(self, canvas, app):
        canvas.draw(icons.GLYPHS["warning"], 1, 1)
        canvas.text(display_12, self.headline, 23, 3)
        for i in range(len(self.lines)):
            canvas.text(small, self.lines[i], 1, 24 + 10 * i)
        canvas.seam()
