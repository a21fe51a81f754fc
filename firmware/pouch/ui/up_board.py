"""What the screens of Upwords share: words as stacks of tiles and as sums, the cells of the scores, who leads."""

from micropython import const

from pouch.games import upwords
from pouch.games.ranking import leaders
from pouch.ui.canvas import DOTS
from pouch.ui.fonts import display_12, display_16, tiny
from pouch.ui.fonts import text as small
from pouch.words import say

_TILE = const(11)
_PITCH = const(12)
_LEVEL = const(6)  # rows of a tile in a stack
_GROUND = const(49)  # the last row of the lowest tile
_CURSOR = const(51)
_NUMERAL = const(11)  # the first row of a word's points
_QU = bytes((8, 0, 5, 15, 9, 31, 16, 0, 30, 16, 30))  # both letters on one tile, as a glyph record

_LASTS = ("", "lost", "back", "swap", "pass")  # in place of points: from upwords.NO_TURN on


def turn_number(state):
    return state["rounds"] + 1


def heading(canvas, left, right):
    """The line over an entry: whose it is, and what."""
    canvas.text(small, canvas.fitted(small, left, 122 - canvas.width(small, right)), 1, 1)
    canvas.right(small, right, 127, 1)
    canvas.draw(DOTS, 0, 8)


def fitting(canvas, room, *texts):
    """The first of these that has room, else the last one."""
    for text in texts[:-1]:
        if canvas.width(small, text) <= room:
            return text
    return texts[-1]


def word_heading(canvas, app):
    state = app.match.state
    heading(canvas, app.match.players[state["turn"]], say("WORD {}").format(len(state["words"]) + 1))


def stacks(canvas, heights, cursor=-1):
    """A word as it lies there, tile by tile, rows 19-52; cursor: the tile that is asked, -1 for none."""
    x = 1
    for i in range(len(heights)):
        height = heights[i]
        top = _top(height)
        canvas.fill(x, top, _TILE, _LEVEL + 1)
        if height == upwords.QU:
            canvas.draw(_QU, x + 1, top + 1, 0)
        else:
            canvas.centred(tiny, str(height), x, x + _TILE, top + 1, 0)
        for y in range(top + _LEVEL + 1, _GROUND, _LEVEL):
            canvas.fill(x, y, 1, _LEVEL)
            canvas.fill(x + _TILE - 1, y, 1, _LEVEL)
            canvas.fill(x, y + _LEVEL - 1, _TILE, 1)
        if i == cursor:
            canvas.fill(x, _CURSOR, _TILE, 2)
        x += _PITCH
    for dot in range(x + 1, 128, 3):
        canvas.fill(dot, _GROUND, 1, 1)


def _top(height):
    return _GROUND - _LEVEL * (1 if height == upwords.QU else height)


def points(canvas, heights):
    """What a word counts, at the right, as large as its stacks leave room."""
    from pouch.ui.fonts import display_24

    text = str(upwords.word_points(upwords.spell(heights)))
    y = _NUMERAL
    for face in (display_24, display_12):
        left = 127 - canvas.width(face, text)
        # Of the tiles below it the highest.
        first = max(0, (left - 1 - _TILE) // _PITCH)
        if not heights[first:] or min([_top(height) for height in heights[first:]]) > y + face.HEIGHT:
            canvas.right(face, text, 127, y)
            return
    canvas.right(small, text, 127, y + 1)


def formula(heights):
    """How the points of a word come about, in one line."""
    count = len(heights)
    if max(heights) == 1:
        return say("{} flat × 2").format(count)
    qu = heights.count(upwords.QU)
    if max([height for height in heights if height != upwords.QU]) == 1:
        return say("{} flat × 2, Qu +2").format(count)
    return "+".join(["1" if qu and height == upwords.QU else str(height) for height in heights])


def lead(state):
    """Those who lead: one, several who are tied, none before anybody has a point."""
    scores = state["scores"]
    leading = leaders(upwords.standings(state))
    return leading if len(scores) > 1 and (max(scores) or len(leading) < len(scores)) else ()


def sign(leading):
    """What stands after the name of one who leads, at most 7 columns."""
    return "♛" if len(leading) == 1 else "="


def last(state, player):
    """A player's last turn in a word."""
    points = state["lasts"][player]
    return f"+{points}" if points > 0 else say(_LASTS[points - upwords.NO_TURN])


# -- the cells of two to four players ---------------------------------------------------------------------


def cell(count, player):
    """(left, top, width, height) of a player's score."""
    if count == 2:
        return 64 * player, 0, 63, 53
    if count == 3:
        return 43 * player, 0, 42, 53
    return 64 * (player & 1), 27 * (player >> 1), 63, 26


def face(canvas, scores, lines):
    """One size for all scores: the largest at which each fits its cell, beside its last turn where they share rows."""
    count = len(scores)
    room = 38 if count == 3 else 57
    widths = []
    for player in range(count):
        beside = canvas.width(small, lines[player]) + 2 if count == 4 and lines[player] else 0
        widths.append(room - beside)
    for size in (32, 24, 16)[count - 2 :]:
        found = _face(size)
        if min([widths[player] - canvas.width(found, str(scores[player])) for player in range(count)]) >= 0:
            return found
    return display_12


def _face(size):
    if size == 16:
        return display_16
    if size == 24:
        from pouch.ui.fonts import display_24

        return display_24
    from pouch.ui.fonts import display_32

    return display_32


def score(canvas, face, count, player, text, color):
    """A numeral in its cell: it ends at the right, its middle stays where it is at every size."""
    x, y, _, _ = cell(count, player)
    middle, end = ((26, 60), (26, 40), (17, 60))[count - 2]
    canvas.right(face, text, x + end, y + middle - face.HEIGHT // 2, color)


def line(canvas, count, player, text, color):
    """The small line at the bottom of a cell."""
    x, y, _, height = cell(count, player)
    canvas.text(small, text, x + 3, y + height - 9, color)


def summary(canvas, match):
    """A running match on home: everyone's name and score, rows 1-31."""
    state = match.state
    scores = state["scores"]
    count = len(scores)
    canvas.text(small, say(upwords.NAME), 1, 1)
    canvas.right(small, say("turn {}").format(turn_number(state)), 127, 1)
    leading = lead(state)
    width = 128 // count
    for player in range(count):
        x = 1 + width * player
        room = width - 3
        if player in leading:
            mark = sign(leading)
            room -= canvas.width(small, mark) + 2
        name = canvas.fitted(small, match.players[player], room)
        end = canvas.text(small, name, x, 11)
        if player in leading:
            canvas.text(small, mark, end + 2, 11)
        canvas.text(display_12, str(scores[player]), x, 20)
