"""What a good grid is worth besides its point: the bonus of each way that is played, asked one after the other."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.games import zip_it
from pouch.screens import Screen
from pouch.ui.canvas import DOTS
from pouch.ui.fonts import display_24
from pouch.ui.fonts import text as small
from pouch.words import say

_MOST = const(9)  # pairs, palindromes
_NO_WORD = const(6)  # letters: one more is worth a point
_LONGEST = const(12)
_WORDS = const(3)

# (option, headline, unit of one, of several, points each, what the sum calls it)
_WAYS = (
    ("rhyming", "RHYMING PAIRS", "pair", "pairs", 1, "pairs"),
    ("palindromes", "PALINDROMES", "palindrome", "palindromes", 2, "pal."),
    ("big_word", "BIG WORD", "letters", "letters", 1, "word"),
)


class ZipBonus(Screen):
    """below: the question that BACK leads to from the first one."""

    HOLDS = 1 << OK
    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, below):
        self.below = below
        options = app.match.state["options"]
        self._ways = [i for i in range(len(_WAYS)) if options[_WAYS[i][0]]]
        self._at = 0  # of the ways
        self._counts = [0, 0]  # pairs, palindromes
        self._words = [_NO_WORD]  # letters; the last one is being asked

    def legend(self, app):
        value, low, high = self._range()
        return ("−" if value > low else "", "BACK", "#OK≡", "＋" if value < high else "")

    def _range(self):
        way = self._ways[self._at]
        if way < 2:
            return self._counts[way], 0, _MOST
        return self._words[-1], _NO_WORD, _LONGEST

    def press(self, app, key, kind, at):
        way = self._ways[self._at]
        if key == OK:
            if kind == LONG:
                from pouch.screens.menu import RoundMenu

                app.show(RoundMenu(app, self))
            else:
                self._next(app, way)
        elif key == BACK:
            self._back(app, way)
        elif way < 2:
            self._counts[way] += -1 if key == LEFT else 1
        else:
            self._words[-1] += -1 if key == LEFT else 1

    def _next(self, app, way):
        if way == 2 and self._words[-1] > _NO_WORD and len(self._words) < _WORDS:
            # There may be one more; OK without one is the end of it.
            self._words.append(_NO_WORD)
        elif self._at + 1 < len(self._ways):
            self._at += 1
        else:
            from pouch.screens.zip_point import scored

            words = [letters for letters in self._words if letters > _NO_WORD]
            scored(app, (zip_it.GOOD,) + tuple(self._counts) + tuple(words))

    def _back(self, app, way):
        if way == 2 and len(self._words) > 1:
            self._words.pop()
        elif self._at:
            self._at -= 1
        else:
            app.show(self.below)

    def _points(self):
        """(of the pairs, of the palindromes, of the words)"""
        words = 0
        for letters in self._words:
            words += letters - _NO_WORD
        return self._counts[0], 2 * self._counts[1], words

    def render(self, canvas, app):
        state = app.match.state
        way = self._ways[self._at]
        _, headline, one, several, each, _ = _WAYS[way]
        headline = say(headline)
        value = self._range()[0]
        if way == 2 and len(self._words) > 1:
            headline += " " + str(len(self._words))
        canvas.text(small, headline, 1, 1)
        canvas.right(small, app.match.players[state["who"]], 127, 1)
        canvas.draw(DOTS, 0, 8)
        none = way == 2 and value == _NO_WORD
        x = canvas.text(display_24, "–" if none else str(value), 1, 10)
        canvas.text(small, say("no big word" if none else one if value == 1 else several), x + 3, 28)
        gain = value - _NO_WORD if way == 2 else value * each
        canvas.right(display_24, f"+{gain}", 127, 10)
        if way == 2:
            self._boxes(canvas, value)
        else:
            for i in range(_MOST):
                if i < value:
                    canvas.fill(1 + 9 * i, 36, 7, 7)
                else:
                    canvas.fill(4 + 9 * i, 39, 1, 1)
        points = self._points()
        line = say("grid 1")
        parts = [i for i in self._ways if points[i]]
        for i in parts:
            # With all three there is room for the figures alone.
            line += f" + {say(_WAYS[i][5])} {points[i]}" if len(parts) < 3 else f" + {points[i]}"
        canvas.text(small, line, 1, 46)
        score = state["scores"][state["who"]]
        canvas.right(small, f"{score} → {score + 1 + sum(points)}", 127, 46)
        canvas.seam()

    def _boxes(self, canvas, letters):
        """One box a letter, those filled that count; dots up to the longest."""
        for i in range(_LONGEST):
            x = 1 + 9 * i
            if i >= letters:
                canvas.fill(x + 3, 39, 1, 1)
            else:
                canvas.fill(x, 36, 7, 7)
                if i < _NO_WORD:
                    canvas.fill(x + 1, 37, 5, 5, 0)
