"""Crossed Words: an open round, a count of five, nine spaces, 3/2/1 points, a race to seven. Pure.

What is meant by a rule stands in docs/rules.md under "Crossed Words".
"""

from micropython import const

from pouch.games import CHANGE, TIME_UP, Illegal
from pouch.games.moves import LIMIT, changed, check, choose, need, seats
from pouch.games.ranking import leaders, noted, rank, taken_back

KEY = "crossed_words"
NAME = "CROSSED WORDS"
PLAYERS = (3, 6)

COUNT = const(1)  # ()             the ninth disc lies: "one Crossed Words"
CANCEL = const(2)  # ()            a false start, the round goes on
STOP = const(3)  # ()              "five Crossed Words!": stop writing
DISC = const(4)  # (0 or 1)        the player who is asked has an accepted answer in the space that is asked, or none
VOTE = const(5)  # (yes, no)       on that player's answer there; accepted, it is a disc
BACK = const(6)  # ()              one answer back on the sheet
TOTALS = const(7)  # (pile, ...)   one for each player instead of space by space
EDIT = const(8)  # ()              the points were wrong: back to the sheet
NEXT = const(9)  # ()              the next round, or the end

OPEN = const(0)
COUNTING = const(1)
SHEET = const(2)
POINTS = const(3)
OVER = const(4)

SPACES = const(9)
RACE = const(7)
_BEATS = const(5)
_HIGHEST = const(99)
SCORES = (0, _HIGHEST)  # that the table may put right

OPTIONS = (
    ("ties", "Next position", ("dense", "competition"), "dense", "tied players both score their position"),
    ("zero", "No discs", ("no points", "by position"), "no points", ""),
    ("tied", "Still tied", ("share it", "one more round"), "share it", "then they share the win"),
    ("count", "Count, seconds", range(3, 11), 5, "five Crossed Words"),
    LIMIT,
)
DECIDING = ("ties", "zero", "tied", "limit")

# After its points an undo takes a whole round back, for every player; NEXT is a step of its own, so that from the
# next round one comes first to the points, where EDIT is.
GLUED = (COUNT, CANCEL, STOP, DISC, VOTE, BACK, TOTALS, EDIT, TIME_UP)
ALONE = (NEXT,)

ACTIONS = {
    COUNT: 0,
    CANCEL: 0,
    STOP: 0,
    DISC: (1, 1, ((0, 1),), "A disc or none"),
    VOTE: (2, 2, ((0, 5),), "So many cannot vote"),
    BACK: 0,
    TOTALS: (3, 6, ((0, SPACES),), "A pile is 0 to 9 discs"),
    EDIT: 0,
    NEXT: 0,
}


def new(players, options):
    """players: three to six names. options: keys of OPTIONS."""
    seats(PLAYERS, players)
    none = (0,) * len(players)
    return {
        "phase": OPEN,
        "scores": none,
        "rounds": 0,  # that have points
        "piles": none,  # discs a player, of the last round that has points (while a sheet is filled: see `piles`)
        "sheet": b"",  # 1 for a disc, 0 for none: space after space, in each player after player
        "vote": None,  # the last one of this round: (space, player, yes, no)
        "points": none,  # of the last round that has any
        "before": none,  # of the round before that
        "history": b"",
        "options": choose(OPTIONS, options),
    }


def reduce(state, action):
    """The state after `action`. Raises Illegal with a reason and changes nothing if it may not happen now."""
    check(ACTIONS, action)
    kind = action[0]
    phase = state["phase"]
    if phase == OVER:
        raise Illegal("The match is over")
    if kind == DISC:
        if phase != SHEET:
            raise Illegal("Not while you write")
        return _answer(state, action[1])
    if kind == TOTALS:
        need(phase == SHEET, "Not while you write")
        need(len(action) - 1 == len(state["scores"]), "One pile for each player")
        return _scored(state, action[1:], b"")
    if kind == COUNT:
        need(phase == OPEN, "The round is not open")
        return _moved(state, COUNTING)
    if kind == CANCEL:
        need(phase == COUNTING, "Nobody counts")
        return _moved(state, OPEN)
    if kind == STOP:
        need(phase == COUNTING, "Nobody counts")
        return _emptied(state)
    if kind == TIME_UP:
        # Pens down, as after the count.
        need(state["options"]["limit"], "No time limit is set")
        need(phase in (OPEN, COUNTING), "The pens are down")
        return _emptied(state)
    if kind == VOTE:
        return _voted(state, action[1], action[2])
    if kind == BACK:
        need(phase == SHEET and state["sheet"], "Nothing on the sheet")
        return _back(state)
    if kind == EDIT:
        need(phase == POINTS, "No points to change")
        return _edited(state)
    if kind == NEXT:
        need(phase == POINTS, "The round has no points")
        state = state.copy()
        state["phase"] = OVER if _decided(state) else OPEN
        return state
    if kind == CHANGE:
        need(phase in (OPEN, POINTS), "First end the round")
        return changed(state, action, 0, _HIGHEST)
    # END
    return _moved(state, OVER)


def _moved(state, phase):
    state = state.copy()
    state["phase"] = phase
    return state


def _emptied(state):
    state = state.copy()
    state["phase"] = SHEET
    state["sheet"] = b""
    state["piles"] = (0,) * len(state["scores"])
    state["vote"] = None
    return state


def _answer(state, disc):
    sheet = state["sheet"] + (b"\x01" if disc else b"\x00")
    if len(sheet) == SPACES * len(state["scores"]):
        return _scored(state, _counted(sheet, len(state["scores"])), sheet)
    state = state.copy()
    state["sheet"] = sheet
    return state


def _back(state):
    state = state.copy()
    state["sheet"] = state["sheet"][:-1]
    return state


def _counted(sheet, players):
    counts = [0] * players
    for at, disc in enumerate(sheet):
        counts[at % players] += disc
    return tuple(counts)


def piles(state):
    """Each player's discs as far as they are known: on the sheet that is being filled, else the last totals."""
    return _counted(state["sheet"], len(state["scores"])) if state["sheet"] else state["piles"]


def _voted(state, yes, no):
    need(state["phase"] == SHEET, "Not while you write")
    players = len(state["scores"])
    # Everyone but the author may vote; nobody has to.
    need(yes + no < players, "So many cannot vote")
    at = len(state["sheet"])
    # Refused, another answer of that player in the same space may still hold: the disc stays asked.
    state = _answer(state, 1) if accepted(yes, no) else state.copy()
    state["vote"] = (at // players, at % players, yes, no)
    return state


def _scored(state, piles, sheet):
    points = award(piles, state["options"]["ties"] == "dense", state["options"]["zero"] == "no points")
    scores = tuple([score + more for score, more in zip(state["scores"], points)])
    need(max(scores) <= _HIGHEST, "Scores are 0 to 99")
    state = state.copy()
    state["phase"] = POINTS
    state["piles"] = piles
    state["sheet"] = sheet
    state["before"] = state["points"]
    state["points"] = points
    state["scores"] = scores
    state["rounds"] += 1
    state["history"] = noted(state["history"], scores)
    return state


def _edited(state):
    """Back to the sheet: the last answer is asked again, or the totals."""
    scores = tuple([score - more for score, more in zip(state["scores"], state["points"])])
    # The table may have put a score below these points since.
    need(min(scores) >= 0, "A score was changed: undo")
    state = state.copy()
    state["scores"] = scores
    state["points"] = state["before"]
    state["history"] = taken_back(state["history"], len(scores))
    state["rounds"] -= 1
    state["phase"] = SHEET
    return _back(state)


def _decided(state):
    """Is this the end, after a round? Seven or more, and nobody wants one more round for a tie."""
    if max(state["scores"]) < RACE:
        return False
    return state["options"]["tied"] == "share it" or len(leaders(rank(state["scores"], last=state["points"]))) == 1


def award(piles, dense=True, none_for_zero=True):
    """The points of a round: most discs 3, second-most 2, third-most 1; the tied score the position they tie for.

    dense: the next position follows at once after a tie; else it is passed over (competition).
    none_for_zero: no discs, no points; else a pile of none has its position too (rulebook-literal).
    """
    points = []
    for pile in piles:
        if dense:
            before = len({other for other in piles if other > pile})
        else:
            before = len([other for other in piles if other > pile])
        points.append(0 if before > 2 or (none_for_zero and not pile) else 3 - before)
    return tuple(points)


def accepted(yes, no):
    """Does an answer hold? A majority of the votes cast must be against it; a tie accepts."""
    return yes >= no


def beats(state):
    """When the count's beats fall, in ms after it starts: five of them, then the moment to stop writing."""
    ms = state["options"]["count"] * 1000
    return tuple([ms * beat // _BEATS for beat in range(_BEATS + 1)])


def pending(state):
    """What is asked, and of whom (-1: of all): ("count" | "stop" | "disc" | "next", player), None after the end.

    "disc": has the player an accepted answer in the space len(state["sheet"]) // players? Totals answer it for all.
    """
    phase = state["phase"]
    if phase == OVER:
        return None
    if phase == SHEET:
        return ("disc", len(state["sheet"]) % len(state["scores"]))
    return (("count", "stop", "", "next")[phase], -1)


def standings(state):
    """[(player, score, rank)], best first. After the end the last round decides among those who are tied at the top."""
    return rank(state["scores"], last=state["points"] if state["phase"] == OVER else None)


def outcome(state):
    """The winners as a tuple of players, None while the match goes on."""
    return leaders(standings(state)) if state["phase"] == OVER else None
