"""Who leads, who is tied, who has won: the one place, live, on the result and in the history.

Also the scores round by round, as a state carries them along: bytes, two for each player and round.
"""

from micropython import const

_KEPT = const(99)  # rounds; the last one is then overwritten, so that no match outgrows a Pico


def rank(scores, low=False, last=None):
    """[(player, score, rank)], best first. Rank 0 leads; equal scores share a rank, and whoever comes after them has
    as many before him as his rank says.

    low: the lowest score is the best. last: points of the last round; of those tied at the top the ones with most
    of these come first (docs/rules.md, Crossed Words), and nobody else is touched by it.
    """
    # MicroPython's sort is not stable: the player's number is part of the key.
    order = sorted([(score if low else -score, player) for player, score in enumerate(scores)])
    top = [player for key, player in order if key == order[0][0]]
    if last and len(top) > 1:
        best = max([last[player] for player in top])
        first = [player for player in top if last[player] == best]
        top = first + [player for player in top if last[player] != best]
        leaders = len(first)
    else:
        leaders = len(top)
    standings = [(player, scores[player], 0 if i < leaders else leaders) for i, player in enumerate(top)]
    place = before = len(top)
    key = None
    for value, player in order[len(top) :]:
        if value != key:
            key = value
            place = before
        standings.append((player, scores[player], place))
        before += 1
    return standings


def leaders(standings):
    """The players who lead, as a tuple: one, or all that are tied."""
    return tuple([player for player, _, place in standings if place == 0])


def noted(history, scores):
    """`history` with the scores after one more round."""
    size = 2 * len(scores)
    entry = bytearray(size)
    at = 0
    for score in scores:
        entry[at] = score >> 8 & 0xFF
        entry[at + 1] = score & 0xFF
        at += 2
    return history[: (_KEPT - 1) * size] + bytes(entry)


def taken_back(history, players):
    """`history` without its last round."""
    return history[: -2 * players]


def by_round(history, players):
    """The scores after each round, as a tuple of tuples in the players' order."""
    rounds = []
    for at in range(0, len(history), 2 * players):
        scores = []
        for i in range(at, at + 2 * players, 2):
            score = history[i] << 8 | history[i + 1]
            scores.append(score - 0x10000 if score & 0x8000 else score)
        rounds.append(tuple(scores))
    return tuple(rounds)
