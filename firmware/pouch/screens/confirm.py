"""Asks before something goes away. It stands on the answer that keeps it."""

from pouch.screens.listed import Listed
from pouch.ui.fonts import display_12
from pouch.ui.fonts import text as small


class Confirm(Listed):
    """answers: two (text, value, action) rows, the keeping one first; below: where BACK leads."""

    def __init__(self, headline, line, answers, below):
        self.headline = headline
        self.line = line
        self.answers = answers
        self.below = below

    def count(self, app):
        return len(self.answers)

    def ok(self, app):
        return "#OK"

    def choose(self, app):
        self.answers[self.chosen][2](app)

    def render(self, canvas, app):
        canvas.text(display_12, self.headline, 1, 1)
        canvas.text(small, canvas.fitted(small, self.line, 126), 1, 19)
        for row in (0, 1):
            y = 31 + 11 * row
            chosen = row == self.chosen
            if chosen:
                canvas.plate(0, y, 128, 11)
            end = canvas.text(small, self.answers[row][0], 3, y + 2, 0 if chosen else 1)
            canvas.right(small, canvas.fitted(small, self.answers[row][1], 123 - end), 125, y + 2, 0 if chosen else 1)
        canvas.seam()
