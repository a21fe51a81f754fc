"""ZIP-IT, the zipper pouch: two players, a stopwatch, 0 to 10. Pure; rule numbers are the rulebook's.

An action is a tuple: its kind first, then small whole numbers.
"""

from micropython import const

from pouch.games import CHANGE, TIME_UP, Illegal
from pouch.games.moves import LIMIT, changed, check, choose, need, put, seats
from pouch.games.ranking import leaders, noted, rank

KEY = "zip_it"
NAME = "ZIP-IT"
PLAYERS = (2, 2)

GO = const(1)  # ()                        the round begins (rule 3)
ZIP = const(2)  # (player, seconds, lead)  player called first; lead in ms over the other's call, -1: no other call
HEAT = const(3)  # (seconds)               both called at once
FIRST = const(4)  # (player)               after a dead heat: the players say who was first
GOOD = const(5)  # ([pairs, palindromes, letters ...])  the grid holds (rule 6): rhyming pairs, palindromes, big words
WRONG = const(6)  # ()                     a word is misspelled or does not exist (rule 7)
VOID = const(7)  # ()                      nobody can finish, nobody scores

READY = const(0)
RUNNING = const(1)
QUESTION = const(2)
DEAD_HEAT = const(3)
OVER = const(4)

DEFAULT_TARGET = const(10)
_HIGHEST = const(199)
SCORES = (0, _HIGHEST)  # that the table may put right

OPTIONS = (
    ("rhyming", "Rhyming pairs", (False, True), False, "+1 a pair of rhyming words"),
    ("big_word", "Big Word", (False, True), False, "7 letters +1, 8 +2, 9 +3 and so on"),
    ("palindromes", "Palindromes", (False, True), False, "+2 for each palindrome or semi-palindrome"),
    ("target", "Target", range(1, 100), DEFAULT_TARGET, "first to 10 wins"),
    LIMIT,
    ("adults", "Shortest, adults", (0, 2, 3, 4, 5, 6), 0, ""),
    ("children", "Shortest, children", (0, 2, 3, 4, 5, 6), 0, ""),
    ("category", "Category", ("none", "animals", "food", "home", "names", "nature", "places", "sport"), "none", ""),
)
# What can change who wins, named on the result. The house rules only remind.
DECIDING = ("target", "rhyming", "big_word", "palindromes", "limit")

# An undo takes a whole round back, never only a half of one.
GLUED = (GO, ZIP, HEAT, FIRST)
ALONE = ()

ACTIONS = {
    GO: 0,
    ZIP: (3, 3, ((0, 1), (0, 999999), (-1, 999999)), "There is no such call"),
    HEAT: (1, 1, ((0, 999999),), "There is no such call"),
    FIRST: (1, 1, ((0, 1),), "There is no such player"),
    GOOD: (0, 5, ((0, 9), (0, 9), (7, 12)), "Big words have 7 to 12"),
    WRONG: 0,
    VOID: 0,
}


def asks_for_bonus(options):
    """Whether a good grid can be worth more than its point (rule 6 and the ways in play)."""
    return options["rhyming"] or options["palindromes"] or options["big_word"]


def new(players, options):
    """players: two names. options: keys of OPTIONS. The state is a dict that is never changed in place."""
    seats(PLAYERS, players)
    options = choose(OPTIONS, options)
    return {
        "phase": READY,
        "scores": (0, 0),  # the true ones; `shown` is where the zipper stops
        "rounds": 0,  # that were decided, void ones too
        "target": options["target"],
        "who": -1,  # who called first in this round
        "seconds": 0,
        "lead": -1,
        "last": None,  # (scorer or -1, points, was the grid good) of the round before
        "bonus": (0, 0, 0),  # points of the round before for rhyming pairs, palindromes, big words
        "history": b"",
        "options": options,
    }


def reduce(state, action):
    """The state after `action`. Raises Illegal with a reason and changes nothing if it may not happen now."""
    check(ACTIONS, action)
    kind = action[0]
    phase = state["phase"]
    if phase == OVER:
        raise Illegal("The match is over")
    if kind == GO:
        if phase != READY:
            raise Illegal("The round is running")
        state = state.copy()
        state["phase"] = RUNNING
        state["who"] = state["lead"] = -1
        state["seconds"] = 0
        return state
    if kind == ZIP:
        if phase != RUNNING:
            raise Illegal("No round is running")
        # Under 1 ms is a dead heat, and the players decide (docs/rules.md).
        if not action[3]:
            raise Illegal("Under 1 ms: a dead heat")
        state = state.copy()
        state["phase"] = QUESTION
        state["who"] = action[1]
        state["seconds"] = action[2]
        state["lead"] = action[3]
        return state
    if kind in (GOOD, WRONG):
        if phase != QUESTION:
            raise Illegal("Nobody has called ZIP!")
        return _scored(state, action)
    if kind == VOID:
        need(phase != READY, "No round to void")
        return _nobody(state)
    if kind == TIME_UP:
        need(state["options"]["limit"], "No time limit is set")
        need(phase == RUNNING, "No round is running")
        return _nobody(state)
    if kind == HEAT:
        need(phase == RUNNING, "No round is running")
        state = state.copy()
        state["phase"] = DEAD_HEAT
        state["seconds"] = action[1]
        state["lead"] = 0
        return state
    if kind == FIRST:
        need(phase == DEAD_HEAT, "There was no dead heat")
        state = state.copy()
        state["phase"] = QUESTION
        state["who"] = action[1]
        return state
    if kind == CHANGE:
        need(phase == READY, "First end the round")
        state = changed(state, action, 0, _HIGHEST)
        if max(state["scores"]) >= state["target"]:
            state["phase"] = OVER
        return state
    # END
    state = state.copy()
    state["phase"] = OVER
    return state


def _scored(state, action):
    good = action[0] == GOOD
    who = state["who"]
    if good:
        bonus = bonuses(state, action)
        scorer = who
        points = 1 + bonus[0] + bonus[1] + bonus[2]
    else:
        # The opponent gets exactly one, and nobody a bonus (rule 7).
        bonus = (0, 0, 0)
        scorer = 1 - who
        points = 1
    scores = state["scores"]
    score = scores[scorer] + points
    scores = put(scores, scorer, score)
    state = state.copy()
    state["phase"] = OVER if score >= state["target"] else READY
    state["scores"] = scores
    state["rounds"] += 1
    state["last"] = (scorer, points, good)
    state["bonus"] = bonus
    state["history"] = noted(state["history"], scores)
    return state


def _nobody(state):
    state = state.copy()
    state["phase"] = READY
    state["rounds"] += 1
    state["last"] = (-1, 0, False)
    state["bonus"] = (0, 0, 0)
    state["history"] = noted(state["history"], state["scores"])
    return state


def bonuses(state, action):
    """Points of GOOD for (rhyming pairs, palindromes, big words). Raises Illegal for a way that is not played."""
    count = len(action)
    pairs = action[1] if count > 1 else 0
    palindromes = action[2] if count > 2 else 0
    big = 0
    for letters in action[3:]:
        big += letters - 6
    if not (pairs or palindromes or big):
        return (0, 0, 0)
    ways = state["options"]
    need(ways["rhyming"] or not pairs, "Rhyming is not played")
    need(ways["palindromes"] or not palindromes, "Palindromes: not played")
    need(ways["big_word"] or not big, "Big Word is not played")
    return (pairs, 2 * palindromes, big)


def shown(state, player):
    """Where the player's zipper stops: at the target. The true score goes on (9 + 1 + 2: 10 shown, 12 kept)."""
    return min(state["scores"][player], state["target"])


def pending(state):
    """What is asked, and of whom (-1: of all): ("go" | "zip" | "first" | "grid", player), None after the end.

    "grid": is it good? If so, the ways that are played want their bonus in the same action.
    """
    phase = state["phase"]
    if phase == OVER:
        return None
    if phase == QUESTION:
        return ("grid", state["who"])
    return (("go", "zip", "", "first")[phase], -1)


def standings(state):
    """[(player, score, rank)], best first; rank 0 is the lead, equal scores share a rank."""
    return rank(state["scores"])


def outcome(state):
    """The winners as a tuple of players, None while the match goes on (rule 10)."""
    return leaders(standings(state)) if state["phase"] == OVER else None
