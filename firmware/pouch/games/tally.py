"""A plain tally for games that we don't know: one to six players, any step, high or low wins. Pure."""

from micropython import const

from pouch.games import CHANGE, HIGHEST, LOWEST, TIME_UP, Illegal
from pouch.games.moves import LIMIT, changed, check, choose, need, put, seats
from pouch.games.ranking import leaders, noted, rank

KEY = "tally"
NAME = "TALLY"
PLAYERS = (1, 6)

ADD = const(1)  # (points)     for the player whose turn it is; below zero takes off
NEXT = const(2)  # ()          the turn goes on to the next player

PLAY = const(0)
OVER = const(1)

OPTIONS = (
    ("step", "Step", (1, 2, 3, 4, 5, 10, 15, 20, 25, 50, 100), 1, ""),
    ("target", "Target", (0, 5, 7, 10, 11, 15, 20, 21, 25, 30, 50, 100, 200, 250, 300, 500, 1000), 0, ""),
    ("ends", "At the target", ("full round", "at once"), "full round", ""),
    ("wins", "Wins", ("highest", "lowest"), "highest", ""),
    LIMIT,
)
SCORES = (LOWEST, HIGHEST)  # that the table may put right
DECIDING = ("target", "ends", "wins", "limit")

# Each press is taken back by itself.
GLUED = (TIME_UP,)
ALONE = ()

ACTIONS = {
    ADD: (1, 1, ((LOWEST - HIGHEST, HIGHEST - LOWEST),), "Not so many points"),
    NEXT: 0,
}


def new(players, options):
    """players: one to six names. options: keys of OPTIONS."""
    seats(PLAYERS, players)
    none = (0,) * len(players)
    return {
        "phase": PLAY,
        "scores": none,
        "turn": 0,  # the player whose turn it is
        "rounds": 0,  # in which everybody has had a turn
        "gained": 0,  # in this turn
        "lasts": none,  # gained in each player's last turn
        "late": 0,  # the time limit of this turn is up
        "history": b"",
        "options": choose(OPTIONS, options),
    }


def reduce(state, action):
    """The state after `action`. Raises Illegal with a reason and changes nothing if it may not happen now."""
    check(ACTIONS, action)
    kind = action[0]
    if state["phase"] == OVER:
        raise Illegal("The match is over")
    if kind == ADD:
        return _added(state, action[1])
    if kind == NEXT:
        return _next(state)
    if kind == TIME_UP:
        need(state["options"]["limit"], "No time limit is set")
        need(not state["late"], "The time is up already")
        state = state.copy()
        state["late"] = 1
        return state
    if kind == CHANGE:
        return _ended(changed(state, action), action[2])
    # END
    state = state.copy()
    state["phase"] = OVER
    return state


def _added(state, points):
    scores = state["scores"]
    turn = state["turn"]
    score = scores[turn] + points
    need(LOWEST <= score <= HIGHEST, "Scores are -99 to 1999")
    state = state.copy()
    state["scores"] = put(scores, turn, score)
    state["gained"] += points
    return _ended(state, score)


def _ended(state, score):
    """The state, which is new, after somebody has come to this score."""
    options = state["options"]
    if options["target"] and options["ends"] == "at once" and score >= options["target"]:
        state["phase"] = OVER
    return state


def _next(state):
    scores = state["scores"]
    turn = state["turn"]
    state = state.copy()
    state["lasts"] = put(state["lasts"], turn, state["gained"])
    state["gained"] = state["late"] = 0
    turn += 1
    if turn == len(scores):
        turn = 0
        state["rounds"] += 1
        state["history"] = noted(state["history"], scores)
        # Everybody has had as many turns as the others.
        target = state["options"]["target"]
        if target and max(scores) >= target:
            state["phase"] = OVER
    state["turn"] = turn
    return state


def pending(state):
    """What is asked, and of whom: ("turn", player), None after the end."""
    return None if state["phase"] == OVER else ("turn", state["turn"])


def standings(state):
    """[(player, score, rank)], best first; equal scores share a rank."""
    return rank(state["scores"], state["options"]["wins"] == "lowest")


def outcome(state):
    """The winners as a tuple of players, None while the match goes on."""
    return leaders(standings(state)) if state["phase"] == OVER else None
