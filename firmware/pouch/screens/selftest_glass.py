"""The self-test, 1 of 5: is every pixel lit, and dark, and where it belongs? Only an eye can tell."""

from micropython import const

from pouch.app import OK
from pouch.presses import LONG
from pouch.screens import Screen
from pouch.screens.selftest import ALL
from pouch.ui.fonts import text as small
from pouch.words import say

_FRAME = const(3)  # the last picture: a row too many or too few at an edge shows in it


class SelfTestGlass(Screen):
    HOLDS = ALL

    def __init__(self, below):
        self.below = below
        self.picture = 0

    def legend(self, app):
        return ()  # every key counts, and every pixel is part of the picture

    def press(self, app, key, kind, at):
        if kind != LONG and self.picture < _FRAME:
            self.picture += 1
            return
        from pouch.screens.selftest_sound import SelfTestSound

        found = {"Glass": None if kind == LONG else True if key >= OK else "wrong"}
        app.show(SelfTestSound(app, self.below, found))

    def render(self, canvas, app):
        if self.picture == 0:
            canvas.clear(1)
        elif self.picture == 2:
            # 8 pixels wide: a column that is off by two, a page in the wrong place, all show.
            for y in range(0, 64, 8):
                for x in range(y & 8, 128, 16):
                    canvas.fill(x, y, 8, 8)
        elif self.picture == _FRAME:
            canvas.fill(0, 0, 128, 64)
            canvas.fill(1, 1, 126, 62, 0)
            canvas.centred(small, say("A line at all four edges,"), 0, 128, 12)
            canvas.centred(small, say("and nothing outside of it?"), 0, 128, 22)
            canvas.centred(small, say("All four pictures right?"), 0, 128, 36)
            canvas.centred(small, say("NO"), 32, 64, 54)
            canvas.centred(small, say("YES"), 64, 96, 54)
