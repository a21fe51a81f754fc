"""Who has won, on a plate, with the crown and the score: the same at the end of a match and in the history."""

from pouch.ui.fonts import display_12, icons
from pouch.ui.fonts import text as small
from pouch.words import say


def draw(canvas, y, players, winners, score):
    """14 rows from row y on. players: their names; score: as text."""
    if len(winners) == 1:
        name = players[winners[0]]
        # An accent stands two rows over its letter.
        over = 1 if len(name.encode()) > len(name) else 0
        canvas.plate(0, y - over, 58, 14 + over)
        if canvas.width(display_12, name) <= 54:
            canvas.centred(display_12, name, 0, 58, y + 1, 0)
        else:
            canvas.centred(small, name, 0, 58, y + 4, 0)
    else:
        canvas.text(display_12, say("A TIE"), 1, y + 1)
    left = 127 - canvas.width(display_12, score)
    canvas.text(display_12, score, left, y + 1)
    if len(winners) == 1 and len(players) > 1 and left > 74:
        canvas.draw(icons.GLYPHS["crown"], 62, y + 4)
