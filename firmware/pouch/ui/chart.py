"""How a match went: a line for each player, who leads in the end on top."""

from micropython import const

from pouch.ui.fonts import text as small

_LEFT = const(1)
_RIGHT = const(86)
_TOP = const(27)
_BOTTOM = const(52)
_NAMES = const(90)
_FIRST = const(26)  # row of the first name
_MOST = const(4)  # names


def draw(canvas, players, rows, order):
    """players: their names. rows: the scores after each round, and in the end. order: the players, best first."""
    lowest = min([0] + [min(scores) for scores in rows])
    span = max([1] + [max(scores) for scores in rows]) - lowest
    for y in (_TOP, (_TOP + _BOTTOM + 1) // 2, _BOTTOM):
        for x in range(_LEFT, _RIGHT, 4):
            canvas.fill(x, y, 1, 1)
    count = len(rows)
    shown = min(_MOST, len(order))
    pitch = 9 if shown < _MOST else 7
    free = _FIRST
    for place in range(len(order)):
        player = order[place]
        # The first one's line is solid, each after it has fewer dots.
        step = place + 1
        x, y = _LEFT, _row(-lowest, span)
        if count == 1:
            # All at once: steps would be a frame around nothing.
            start, y = y, _row(rows[0][player] - lowest, span)
            for column in range(_LEFT, _RIGHT + 1, step):
                canvas.fill(column, start + (y - start) * (column - _LEFT) // (_RIGHT - _LEFT), 1, 1)
        else:
            for i in range(count):
                end = _LEFT + (_RIGHT - _LEFT) * (i + 1) // count
                for column in range(x, end, step):
                    canvas.fill(column, y, 1, 1)
                x, before, y = end, y, _row(rows[i][player] - lowest, span)
                for row in range(min(y, before), max(y, before) + 1):
                    if row % step == 0:
                        canvas.fill(x, row, 1, 1)
        if place < shown:
            room = pitch * (shown - 1 - place)
            free = min(max(free, y - 2), _BOTTOM - 5 - room + (1 if pitch == 7 else 0))
            canvas.text(small, canvas.fitted(small, players[player], 127 - _NAMES), _NAMES, free)
            free += pitch


def _row(score, span):
    """The row of a score, of which 0 is at the bottom; a half goes to the even one."""
    row, rest = divmod(_BOTTOM * span - (_BOTTOM - _TOP) * score, span)
    return row + 1 if 2 * rest > span or (2 * rest == span and row & 1) else row
