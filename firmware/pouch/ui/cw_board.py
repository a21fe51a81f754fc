"""What the screens of Crossed Words share: rows of players, rounds, who leads."""

from micropython import const

from pouch.games import crossed_words
from pouch.games.ranking import leaders
from pouch.ui.discs import DISCS, SMALL_DISCS
from pouch.ui.fonts import display_12
from pouch.ui.fonts import text as small
from pouch.words import say

_ROOMY = const(4)  # players that have a row of nine pixels each


def rows(players, heading):
    """(discs, top, pitch, indent, height of a bar) of a list of all players below a heading of so many rows."""
    if players <= _ROOMY:
        pitch = 15 if players == 3 else 11
        return DISCS, heading + (1 if players == 3 else 0), pitch, 12, 9
    if players == 5:
        return SMALL_DISCS, heading, 9, 10, 5
    return SMALL_DISCS, 6, 8, 10, 5


def heading(canvas, players, text):
    """The words over a list of all players; where six rows leave no gap they stand beside the first disc."""
    if players == 6:
        canvas.text(small, text, 10, 0)
        return 0
    canvas.text(small, text, 1, 1)
    return 1


def number(state):
    """Of the round that is played, or whose points stand."""
    over = state["phase"] in (crossed_words.POINTS, crossed_words.OVER)
    return state["rounds"] if over else state["rounds"] + 1


def lead(state):
    """Those who lead: one, several who are tied, none before anybody has a point."""
    return leaders(crossed_words.standings(state)) if max(state["scores"]) else ()


def sign(leading):
    """What stands after the name of one who leads, at most 7 columns."""
    return "♛" if len(leading) == 1 else "="


def summary(canvas, match):
    """A running match on home: everyone's disc and score, rows 1-31."""
    state = match.state
    canvas.text(small, say(crossed_words.NAME), 1, 1)
    canvas.right(small, say("round {}").format(number(state)), 127, 1)
    scores = state["scores"]
    leading = lead(state)
    width = 128 // len(scores)
    narrow = max([canvas.width(display_12, str(score)) for score in scores]) > width - 4
    for player in range(len(scores)):
        x = player * width + (width - 17) // 2
        canvas.draw(DISCS[player], x, 9)
        if player in leading:
            canvas.text(small, sign(leading), x + 11, 10)
        if narrow:
            canvas.centred(small, str(scores[player]), player * width, player * width + width, 23)
        else:
            score = str(scores[player])
            canvas.text(display_12, score, max(0, x + (9 - canvas.width(display_12, score)) // 2), 20)
