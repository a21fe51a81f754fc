"""The scores round by round and in the end, a column for each player, five rows at once."""

from micropython import const

from pouch.ui.canvas import DOTS
from pouch.ui.fonts import text as small
from pouch.words import say

ROWS = const(5)
_PITCH = const(9)


def rows(rounds, final):
    """The rounds, and where the scores changed after the last one the final scores: what was left over cost points, the
    table put a score right, or it ended the match in the middle of a round.
    """
    return rounds if rounds and rounds[-1] == final else rounds + (final,)


def draw(canvas, players, discs, rows, played, first):
    """discs: the players' signs, None where they are known by name. rows: the scores after each of the `played` rounds,
    and those of the end if they are others. first: the index of the row at the top.
    """
    count = len(players)
    shown = rows[first : first + ROWS]
    widest = max([canvas.width(small, str(score)) for scores in shown for score in scores])
    labels = _labels(say("round {}"), say("the end"), len(shown), first, played)
    pitch = 96 // count
    room = 124 - pitch * (count - 1) - widest  # left of the first score
    if widest > pitch - 3 or max([canvas.width(small, label) for label in labels]) > room:
        # Long scores of many: the words give way.
        labels = _labels("{}", "=", len(shown), first, played)
        room = max([canvas.width(small, label) for label in labels])
        pitch = min((124 - room - widest) // (count - 1), max((125 - room) // count, widest + 3))
    else:
        canvas.text(small, say("AFTER"), 1, 1)
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
        canvas.text(small, labels[row], 1, y)
        end = 126 - pitch * (count - 1)
        for score in shown[row]:
            canvas.right(small, str(score), end, y)
            end += pitch
    canvas.seam()


def _labels(name, end, count, first, played):
    return [name.format(first + i + 1) if first + i < played else end for i in range(count)]
