"""The heights of a word's stacks, letter by letter: flat unless somebody raises it."""

from pouch.app import BACK, LEFT, LONG, OK
from pouch.cues import POINT
from pouch.games import upwords
from pouch.screens import Screen, resume
from pouch.ui import up_board
from pouch.ui.fonts import text as small


class UpWord(Screen):
    """heights: 1 to 5 a letter, or upwords.QU; a list that is changed. at: the letter that is asked."""

    HOLDS = 1 << OK

    def __init__(self, app, heights, at=0):
        self.heights = heights
        self.at = at

    def legend(self, app):
        return ("RAISE", "BACK", "#DONE≡", "NEXT")

    def press(self, app, key, kind, at):
        if key == LEFT:
            self._raise()
        elif key == BACK:
            if self.at:
                self.at -= 1
            else:
                from pouch.screens.up_length import UpLength

                app.show(UpLength(app, self.heights))
        elif key != OK:
            self.at = (self.at + 1) % len(self.heights)
        elif kind == LONG:
            from pouch.screens.menu import RoundMenu

            app.show(RoundMenu(app, self))
        else:
            app.match.do((upwords.WORD, upwords.spell(self.heights)))
            app.play(POINT)
            app.show(resume(app))

    def _raise(self):
        height = self.heights[self.at] + 1
        # There is only one Qu.
        if height > upwords.QU or (height == upwords.QU and upwords.QU in self.heights):
            height = 1
        self.heights[self.at] = height

    def render(self, canvas, app):
        up_board.word_heading(canvas, app)
        canvas.text(small, up_board.formula(self.heights), 1, 12)
        up_board.points(canvas, self.heights)
        up_board.stacks(canvas, self.heights, self.at)
        canvas.seam()
