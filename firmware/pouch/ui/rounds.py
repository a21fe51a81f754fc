"""The scores round by round, a column for each player, five rounds at once."""

from micropython import const

from pouch.ui.canvas import DOTS
from pouch.ui.fonts import text as small
from pouch.words import say

ROWS = const(5)
_PITCH = const(9)


def draw(canvas, players, discs, rounds, first):
    """discs: the players' signs, None where they are known by name. first: the index of the round at the top."""
    count = len(players)
    shown = rounds[first : first + ROWS]
    widest = max([0] + [canvas.width(small, str(score)) for scores in shown for score in scores])
    words = (say("AFTER"), say("round {}"))
    pitch = 96 // count
    if widest > pitch - 2 - (1 if count == 6 else 0):
        # Long scores of many: the words give way.
        words = ("", "{}")
        pitch = 114 // count
    canvas.text(small, words[0], 1, 1)
    end = 126 - pitch * (count - 1)
    for player in range(count):
        if discs:
            canvas.draw(discs[player], end - 7, 0)
        else:
            canvas.right(small, canvas.fitted(small, players[player], pitch - 3), end, 1)
        end += pitch
    canvas.draw(DOTS, 0, 8)
    for row in range(len(shown)):
        y = 10 + _PITCH * row
        canvas.text(small, words[1].format(first + row + 1), 1, y)
        end = 126 - pitch * (count - 1)
        for score in shown[row]:
            canvas.right(small, str(score), end, y)
            end += pitch
    canvas.seam()
