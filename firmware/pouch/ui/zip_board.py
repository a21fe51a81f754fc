"""The ZIP-IT board: zippers at the sides, scores between them, and the caption zone that speaks.

It stays put from GO! to the next GO!, so that only the caption and the legend cross the bus.
"""

from micropython import const

from pouch.ui import zipper
from pouch.ui.fonts import display_12, display_16, display_32
from pouch.ui.fonts import text as small
from pouch.words import say

LEFT_EDGE = const(17)  # of the scores' room
RIGHT_EDGE = const(111)
_CENTRE = const(64)
_NAME_CENTRES = (41, 87)  # of the names below the scores
_NAME_ROOM = const(46)
_TIED_ROOM = const(36)  # of a score beside the sign of a tied lead
ROOM = const(88)  # columns between the zippers


def side(canvas, player):
    """Where a player sits, as the glass is read: 0 left, 1 right. Of a side, whose it is."""
    return player ^ canvas.turned


def scores(canvas, state, rows=None):
    """Zippers and numerals. rows: the zippers' mouths while they move, None: where the scores put them."""
    face = _face(canvas, state["scores"])
    for player in (0, 1):
        score = state["scores"][player]
        row = rows[player] if rows else zipper.mouth(score, state["target"])
        right = side(canvas, player)
        zipper.draw(canvas, RIGHT_EDGE if right else 0, 0, row, player)
        left = _CENTRE if right else LEFT_EDGE
        canvas.centred(face, str(score), left, left + RIGHT_EDGE - _CENTRE, (32 - face.HEIGHT) // 2)
    if state["scores"][0] == state["scores"][1] and state["scores"][0]:
        # A tied lead.
        canvas.fill(60, 12, 8, 3)
        canvas.fill(60, 18, 8, 3)
    canvas.seam()


def _face(canvas, scores):
    """One size for both: the largest at which they keep off the zippers and the tied lead's sign."""
    if 0 <= min(scores) and max(scores) < 10:
        return display_32
    from pouch.ui.fonts import display_24

    room = _TIED_ROOM if scores[0] == scores[1] else _NAME_ROOM
    for face in (display_32, display_24):
        if max([canvas.width(face, str(score)) for score in scores]) <= room:
            return face
    return display_16


def names(canvas, players, leader):
    """Both names under their scores, a crown after the leader's (leader: 0, 1, or -1)."""
    for player in (0, 1):
        crown = 9 if player == leader else 0
        name = canvas.fitted(small, players[player], _NAME_ROOM - crown)
        width = canvas.width(small, name) + crown
        x = _NAME_CENTRES[side(canvas, player)] - width // 2
        x = canvas.text(small, name, x, 35)
        if player == leader:
            canvas.text(small, "♛", x + 2, 35)


def leader(state):
    """The player who leads, -1 for a tie."""
    a, b = state["scores"]
    return -1 if a == b else 0 if a > b else 1


def caption(canvas, line, y=46):
    """One line of text in the middle of the caption zone. The tab over a held OK would cut it: then there is none."""
    if not canvas.covered:
        canvas.centred(small, canvas.fitted(small, line, ROOM), 0, 128, y)


def summary(canvas, match):
    """A running match on home: names, scores and who leads, rows 1-31."""
    from pouch.ui.fonts import display_24

    state = match.state
    left, right = side(canvas, 0), side(canvas, 1)
    canvas.text(small, say("ZIP-IT"), 1, 1)
    canvas.right(small, say("round {}").format(state["rounds"] + 1), 127, 1)
    score = (str(state["scores"][left]), ":", str(state["scores"][right]))
    leads = leader(state)
    widths = [canvas.width(small, match.players[player]) + (9 if player == leads else 0) for player in (left, right)]
    face, apart, top, y = display_24, 6, 8, 17
    width = 2 * apart + sum([canvas.width(face, part) for part in score])
    if max(widths) > 60 - width // 2:
        # Long names need the whole width: they stand below a smaller score.
        face, apart, top, y = display_16, 4, 9, 27
        width = 2 * apart + sum([canvas.width(face, part) for part in score])
    x = (128 - width) // 2
    for part in score:
        x = canvas.text(face, part, x, top) + apart
    for player in (left, right):
        x = canvas.text(small, match.players[player], 127 - widths[1] if player == right else 1, y)
        if player == leads:
            canvas.text(small, "♛", x + 2, y)


def plate(canvas, name, x, y):
    """A player's name in small capitals on a plate. Returns the column after it."""
    width = canvas.width(small, name) + 6
    canvas.plate(x, y, width, 11)
    canvas.text(small, name, x + 3, y + 3, 0)
    return x + width


__all__ = ["caption", "display_12", "display_16", "leader", "names", "plate", "scores", "summary"]
