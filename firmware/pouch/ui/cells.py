"""Everybody's score at once, a cell for each player: name, numeral, who leads; a plate shows whose turn it is."""

from micropython import const

from pouch.ui.fonts import display_16
from pouch.ui.fonts import text as small

_MARGIN = const(3)  # columns from a cell's edge to what stands in it
_SIGN = const(10)  # columns of the sign after the name of one who leads, and the gap before it
_NOTE = const(2)  # columns between the note and the numeral


def place(count, player):
    """(left, top, width, height) of a player's plate, of `count` players."""
    columns = (1, 2, 3, 2, 3, 3)[count - 1]
    pitch = 128 // columns
    left = pitch * (player % columns) + (1 if columns == 3 else 0)
    return left, 27 * (player // columns), pitch - 1, 53 if count <= columns else 26


def draw(canvas, players, scores, leading, turn, note):
    """players: their names. leading: those who do. turn: the player with the plate, -1 for nobody; note: what stands
    below his name, or beside it if it is a time, and nowhere else is room.
    """
    count = len(players)
    _, _, width, height = place(count, 0)
    face = _face(canvas, scores, width, height)
    sign = "♛" if len(leading) == 1 else "="
    for player in range(count):
        left, top, width, height = place(count, player)
        ink = 1
        if player == turn:
            canvas.plate(left, top, width, height, 1, 2)
            ink = 0
        right = left + width - _MARGIN
        left += _MARGIN
        score = str(scores[player])
        canvas.right(
            face, score, right, top + (10 + (32 - face.HEIGHT) // 2 if height > 26 else 17 - face.HEIGHT // 2), ink
        )
        room = right - left
        if player == turn and note:
            wide = canvas.width(small, note)
            if height > 26:
                canvas.text(small, note, left, top + 44, ink)
            elif wide + _NOTE <= room - canvas.width(face, score):
                canvas.text(small, note, left, top + 17, ink)
            elif ":" in note:
                # A time is worth a part of the name.
                canvas.right(small, note, right, top + 2, ink)
                room -= wide + _NOTE
        if player in leading:
            room -= _SIGN
        end = canvas.text(small, canvas.fitted(small, players[player], room), left, top + 2, ink)
        if player in leading:
            canvas.text(small, sign, end + 3, top + 2, ink)
    canvas.seam()


def _face(canvas, scores, width, height):
    """One for all: the largest in which each score fits."""
    room = width - 2 * _MARGIN + 1
    if height > 26:
        from pouch.ui.fonts import display_24, display_32

        for face in (display_32, display_24) if width > 41 else (display_24,):
            if max([canvas.width(face, str(score)) for score in scores]) <= room:
                return face
    return display_16
