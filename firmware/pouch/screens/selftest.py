"""The self-test: is every part wired as it must be? Offered by home until the first match, and always by the settings.

1 of 5, and what all of its screens share. `found` goes from screen to screen: what was found so far, by the part's
name: True: good; a word: what is wrong; None: skipped. Any key that is held skips a step, as any key may be the one
that does not work.
"""

from pouch.app import BACK
from pouch.screens import Screen
from pouch.ui.canvas import DOTS
from pouch.ui.fonts import text as small
from pouch.words import say

ALL = 0xF  # mask of the keys
_PARTS = ("Glass", "Flash", "Piezo")


def head(canvas, step, found):
    """Heading, and what was found before, rows 1-17."""
    canvas.text(small, say("SELF-TEST"), 1, 1)
    canvas.right(small, say("{} OF 5").format(step), 127, 1)
    canvas.draw(DOTS, 0, 8)
    for i in range(3):
        if _PARTS[i] in found:
            x = 1 + 43 * i
            canvas.text(small, sign(found[_PARTS[i]]), x, 12)
            canvas.text(small, say(_PARTS[i]), x + 9, 12)


def sign(what):
    return "✓" if what is True else "–" if what is None else "✗"


class SelfTest(Screen):
    """below: the screen before."""

    NEXT = (
        "pouch.screens.selftest_glass",
        "pouch.hal.checks",
        "pouch.screens.selftest_sound",
        "pouch.screens.selftest_keys",
        "pouch.screens.selftest_result",
    )

    def __init__(self, below):
        self.below = below

    def legend(self, app):
        return ("", "BACK", "#TEST", "")

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(self.below)
        else:
            from pouch.screens.selftest_glass import SelfTestGlass

            app.show(SelfTestGlass(self.below))

    def render(self, canvas, app):
        head(canvas, 1, {})
        canvas.text(small, say("Four pictures first: all lit,"), 1, 13)
        canvas.text(small, say("all dark, squares, a frame."), 1, 23)
        canvas.text(small, say("Any key: the next one."), 1, 33)
        canvas.text(small, say("Hold a key: skip the step."), 1, 43)
        canvas.seam()
