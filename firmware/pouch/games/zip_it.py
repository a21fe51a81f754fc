"""ZIP-IT, the zipper pouch: two players, a stopwatch, 0 to 10. Pure; rule numbers are the rulebook's.

An action is a tuple: its kind first, then small whole numbers.
"""

from micropython import const

from pouch.games import Illegal

KEY = "zip_it"
NAME = "ZIP-IT"

GO = const(1)  # ()                        the round begins (rule 3)
ZIP = const(2)  # (player, seconds, lead)  player called first; lead in ms over the other's call, -1: no other call
HEAT = const(3)  # (seconds)               both called at once
FIRST = const(4)  # (player)               after a dead heat: the players say who was first
GOOD = const(5)  # ()                      the grid holds (rule 6)
WRONG = const(6)  # ()                     a word is misspelled or does not exist (rule 7)
VOID = const(7)  # ()                      nobody can finish, nobody scores

# An undo takes a whole round back, never only a half of one.
GLUED = (GO, ZIP, HEAT, FIRST)

READY = const(0)
RUNNING = const(1)
QUESTION = const(2)
DEAD_HEAT = const(3)
OVER = const(4)

DEFAULT_TARGET = const(10)


def new(players, options):
    """players: two names. options: {"target": 1..99}. The state is a dict that is never changed in place."""
    if len(players) != 2:
        raise Illegal("ZIP-IT is for two")
    return {
        "phase": READY,
        "scores": (0, 0),
        "rounds": 0,  # that were decided, void ones too
        "target": options.get("target", DEFAULT_TARGET),
        "who": -1,  # who called first in this round
        "seconds": 0,
        "lead": -1,
        "last": None,  # (scorer or -1, points, was the grid good) of the round before
    }


def reduce(state, action):
    """The state after `action`. Raises Illegal with a reason and changes nothing if it may not happen now."""
    kind = action[0]
    phase = state["phase"]
    if phase == OVER:
        raise Illegal("The match is over")
    if kind == GO:
        _need(phase == READY, "The round is running")
        return _with(state, phase=RUNNING, who=-1, seconds=0, lead=-1)
    if kind == VOID:
        _need(phase != READY, "No round to void")
        return _with(state, phase=READY, rounds=state["rounds"] + 1, last=(-1, 0, False))
    if kind == ZIP:
        _need(phase == RUNNING, "No round is running")
        return _with(state, phase=QUESTION, who=_player(action[1]), seconds=action[2], lead=action[3])
    if kind == HEAT:
        _need(phase == RUNNING, "No round is running")
        return _with(state, phase=DEAD_HEAT, seconds=action[1], lead=0)
    if kind == FIRST:
        _need(phase == DEAD_HEAT, "Nobody asked who was first")
        return _with(state, phase=QUESTION, who=_player(action[1]))
    if kind == GOOD or kind == WRONG:
        _need(phase == QUESTION, "Nobody has called ZIP!")
        good = kind == GOOD
        scorer = state["who"] if good else 1 - state["who"]
        scores = list(state["scores"])
        scores[scorer] += 1
        over = scores[scorer] >= state["target"]
        return _with(
            state,
            phase=OVER if over else READY,
            scores=tuple(scores),
            rounds=state["rounds"] + 1,
            last=(scorer, 1, good),
        )
    raise Illegal("ZIP-IT knows no such action")


def standings(state):
    """[(player, score, rank)], best first; rank 0 is the lead, equal scores share a rank."""
    a, b = state["scores"]
    if a == b:
        return [(0, a, 0), (1, b, 0)]
    return [(0, a, 0), (1, b, 1)] if a > b else [(1, b, 0), (0, a, 1)]


def outcome(state):
    """The winners as a tuple of players, None while the match goes on (rule 10)."""
    if state["phase"] != OVER:
        return None
    return tuple(player for player, _, rank in standings(state) if rank == 0)


def _need(condition, reason):
    if not condition:
        raise Illegal(reason)


def _player(player):
    _need(player == 0 or player == 1, "There is no such player")
    return player


def _with(state, **changes):
    state = dict(state)
    state.update(changes)
    return state
