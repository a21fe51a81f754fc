"""How long the next word is: it opens at four letters."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.games import upwords
from pouch.screens import Screen, resume
from pouch.ui import up_board
from pouch.ui.fonts import display_24
from pouch.ui.fonts import text as small
from pouch.words import say

_OPENS_AT = const(4)
_SHORTEST = const(2)


class UpLength(Screen):
    """heights: of the letters that were entered already; none are lost while their number changes."""

    HOLDS = 1 << OK
    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, heights=()):
        self.heights = heights
        self.count = len(heights) or _OPENS_AT

    def legend(self, app):
        longer = "＋" if self.count < upwords.LONGEST else ""
        return ("−" if self.count > _SHORTEST else "", "BACK", "#NEXT≡", longer)

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(resume(app))
        elif key != OK:
            self.count = min(upwords.LONGEST, max(_SHORTEST, self.count + (-1 if key == LEFT else 1)))
        elif kind == LONG:
            from pouch.screens.menu import RoundMenu

            app.show(RoundMenu(app, self))
        else:
            from pouch.screens.up_word import UpWord

            app.show(UpWord(app, self._word()))

    def _word(self):
        return (list(self.heights) + [1] * self.count)[: self.count]

    def render(self, canvas, app):
        up_board.word_heading(canvas, app)
        end = canvas.text(display_24, str(self.count), 1, 11)
        canvas.text(small, say("letters"), end + 3, 29)
        word = self._word()
        up_board.points(canvas, word)
        up_board.stacks(canvas, word)
        canvas.seam()
