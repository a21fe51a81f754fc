"""The headline of a result: who has won, or at how many points several are tied."""

from pouch.ui.fonts import display_12, display_16, icons
from pouch.ui.fonts import text as small
from pouch.words import say


def headline(canvas, match):
    """Rows 1-17. As large as it fits; an accent needs rows of its own, and a long name never hides what it did."""
    winners = match.outcome()
    if len(winners) > 1:
        canvas.text(display_16, "=", 1, 1)
        text = say("TIE AT {}").format(match.state["scores"][winners[0]])
        face = display_16 if canvas.width(display_16, text) <= 113 else display_12
        canvas.text(face, text, 14, 17 - face.HEIGHT)
        return
    canvas.draw(icons.GLYPHS["crown"], 1, 6)
    name = match.players[winners[0]]
    wins = say("{} WINS")
    text = wins.format(name)
    if canvas.width(display_16, text) <= 113 and len(name.encode()) == len(name):
        canvas.text(display_16, text, 14, 1)
    elif canvas.width(display_12, text) <= 113:
        canvas.text(display_12, text, 14, 3)
    else:
        # What they did stands before them or behind, as the language has it.
        before, after = wins.split("{}")
        x = 14
        if before:
            x = canvas.text(display_16, before.strip(), x, 1) + 5
        x = canvas.text(small, name, x, 11) + 5
        if after:
            canvas.text(display_16, after.strip(), x, 1)
