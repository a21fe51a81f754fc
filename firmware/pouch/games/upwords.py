"""Upwords, the tally: points or words with the heights of their stacks, two to four players, and solo. Pure.

What is meant by a rule stands in docs/rules.md under "Upwords". A word travels as one number, three bits a tile, the
first tile highest: its height 1 to 5, or QU for a Qu tile that lies flat (`spell`, `tiles`).
"""

from micropython import const

from pouch.games import CHANGE, END, HIGHEST, TIME_UP, Illegal
from pouch.games.moves import LIMIT, changed, check, choose, need, put, seats
from pouch.games.ranking import leaders, noted, rank, taken_back

KEY = "upwords"
NAME = "UPWORDS"
PLAYERS = (1, 4)

WORD = const(1)  # (code)              one word formed or changed in this turn
DROP = const(2)  # ()                  the last word was entered wrong
SEVEN = const(3)  # (0 or 1)           all seven tiles were played, or not
SCORE = const(4)  # ()                 the words count, the turn is over
POINTS = const(5)  # (points)          the turn's points at once
PASS = const(6)  # ()
EXCHANGE = const(7)  # ()              one tile; the turn is lost, but for solo
CHALLENGE = const(8)  # (0 or 1)       the last turn's words stand, or go back
FINISH = const(9)  # (OUT or STUCK)    the end, as the table says
LEFT = const(10)  # (tiles, ...)       left over, one number for each player

PLAY = const(0)
LEFTOVERS = const(1)
OVER = const(2)

# Why the end came.
OUT = const(0)  # of tiles, with an empty draw pile
STUCK = const(1)  # nobody can play
PASSED = const(2)  # everybody passed in a row

# What a player's last turn was, where it has no points.
PASSED_TURN = const(-1)
EXCHANGED = const(-2)
WENT_BACK = const(-3)
LOST = const(-4)  # by a wrong challenge
NO_TURN = const(-5)

QU = const(6)  # a flat Qu, in a word's code
LONGEST = const(10)
HIGH = const(5)
RACK = const(7)
SOLO_EXCHANGES = const(5)
TILE = const(5)  # what a tile that is left costs
WORDS = const(8)  # one along, and one across for each of seven tiles
MOST = const(420)  # in a turn: eight words of ten tiles, five high, and the seven tiles
_LOWEST = const(-64)  # so that seven tiles left still fit the glass
SCORES = (_LOWEST, HIGHEST)  # that the table may put right
BONUS = const(20)

OPTIONS = (
    ("challenge", "Word goes back", ("play again", "turn lost"), "play again", "the player plays again or passes"),
    ("wrong", "Wrong challenge", ("free", "turn lost"), "free", "it costs nothing"),
    LIMIT,
)
DECIDING = ("challenge", "wrong", "limit")

# A turn is taken back whole.
GLUED = (WORD, DROP, SEVEN, TIME_UP)
ALONE = ()

ACTIONS = {
    WORD: (1, 1, ((0o11, 0o6666666666),), "Words are 2 to 10 tiles"),
    DROP: 0,
    SEVEN: (1, 1, ((0, 1),), "Seven tiles or not"),
    SCORE: 0,
    POINTS: (1, 1, ((1, MOST),), "A turn is 1 to 420"),
    PASS: 0,
    EXCHANGE: 0,
    CHALLENGE: (1, 1, ((0, 1),), "They stand or go back"),
    FINISH: (1, 1, ((OUT, STUCK),), "There is no such end"),
    LEFT: (1, 4, ((0, RACK),), "A rack has 0 to 7 tiles"),
}


def new(players, options):
    """players: one name (solo) to four. options: keys of OPTIONS."""
    seats(PLAYERS, players)
    count = len(players)
    return {
        "phase": PLAY,
        "scores": (0,) * count,
        "turn": 0,  # the player whose turn it is
        "rounds": 0,  # in which everybody has had a turn
        "words": (),  # of the running turn, as codes
        "sum": 0,  # points of these words
        "seven": 0,
        "late": 0,  # the time limit of this turn is up
        "lasts": (NO_TURN,) * count,  # a player's last turn: points, or PASSED_TURN and so on
        "passes": 0,  # in a row
        "open": None,  # what may be challenged: (player, points, passes in a row before it)
        "exchanges": 0,  # solo
        "why": -1,  # the end came: OUT, STUCK, PASSED
        "left": (),  # tiles left over
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
    if kind == END:
        state = state.copy()
        state["phase"] = OVER
        return state
    if phase == LEFTOVERS:
        need(kind == LEFT, "First count what is left")
        return _deducted(state, action[1:])
    if kind == WORD:
        words = state["words"]
        if len(words) == WORDS:
            raise Illegal("A turn has 8 words")
        points = word_points(action[1])
        state = state.copy()
        state["words"] = words + (action[1],)
        state["sum"] += points
        return state
    if kind == SCORE:
        if not state["words"]:
            raise Illegal("First enter a word")
        points = turn_points(state)
        return _turn_over(state, points, points, 0)
    if kind == POINTS:
        return _turn_over(state, action[1], action[1], 0)
    if kind == SEVEN:
        need(not action[1] or letters(state["words"]) >= RACK, "Too few tiles for seven")
        state = state.copy()
        state["seven"] = action[1]
        return state
    if kind == DROP:
        need(state["words"], "First enter a word")
        state = state.copy()
        words = state["words"]
        state["sum"] -= word_points(words[-1])
        state["words"] = words = words[:-1]
        if letters(words) < RACK:
            state["seven"] = 0
        return state
    if kind == PASS:
        passes = state["passes"] + 1
        state = _turn_over(state, 0, PASSED_TURN, passes)
        if passes == len(state["scores"]):
            state["phase"] = LEFTOVERS
            state["why"] = PASSED
        return state
    if kind == EXCHANGE:
        return _exchanged(state)
    if kind == CHALLENGE:
        return _challenged(state, action[1])
    if kind == FINISH:
        state = state.copy()
        state["phase"] = LEFTOVERS
        state["why"] = action[1]
        state["words"] = ()
        state["sum"] = state["seven"] = state["late"] = 0
        return state
    if kind == TIME_UP:
        # The words may already lie there: the table decides whether they score.
        need(state["options"]["limit"], "No time limit is set")
        need(not state["late"], "The time is up already")
        state = state.copy()
        state["late"] = 1
        return state
    if kind == CHANGE:
        return changed(state, action, _LOWEST)
    raise Illegal("Nothing is left over yet")


def _turn_over(state, points, what, passes):
    """The player has had his turn. The state is new, the caller may still write into it."""
    scores = state["scores"]
    turn = state["turn"]
    challengeable = None
    if points:
        score = scores[turn] + points
        if score > HIGHEST:
            raise Illegal("Scores end at 1999")
        if len(scores) > 1:
            challengeable = (turn, points, state["passes"])
        scores = put(scores, turn, score)
    lasts = put(state["lasts"], turn, what)
    state = state.copy()
    state["scores"] = scores
    state["lasts"] = lasts
    state["passes"] = passes
    state["open"] = challengeable
    _next_turn(state)
    return state


def _next_turn(state):
    state["words"] = ()
    state["sum"] = state["seven"] = state["late"] = 0
    scores = state["scores"]
    turn = state["turn"] + 1
    if turn == len(scores):
        turn = 0
        state["rounds"] += 1
        state["history"] = noted(state["history"], scores)
    state["turn"] = turn


def _exchanged(state):
    if len(state["scores"]) > 1:
        return _turn_over(state, 0, EXCHANGED, 0)
    exchanges = state["exchanges"]
    need(exchanges < SOLO_EXCHANGES, "No exchange is left")
    state = state.copy()
    state["exchanges"] = exchanges + 1
    state["passes"] = 0
    return state


def _challenged(state, goes_back):
    """The player whose turn it is challenges the turn before."""
    last = state["open"]
    need(last, "No words to challenge")
    state = state.copy()
    state["open"] = None
    if not goes_back:
        if state["options"]["wrong"] == "turn lost":
            state["lasts"] = put(state["lasts"], state["turn"], LOST)
            _next_turn(state)
        return state
    player, points, passes = last
    scores = state["scores"]
    # The table may have put the score right meanwhile.
    state["scores"] = scores = put(scores, player, max(_LOWEST, scores[player] - points))
    state["lasts"] = put(state["lasts"], player, WENT_BACK)
    wrapped = state["turn"] == 0
    if wrapped:
        state["history"] = taken_back(state["history"], len(scores))
    if state["options"]["challenge"] == "play again":
        state["turn"] = player
        state["passes"] = passes
        state["words"] = ()
        state["sum"] = state["seven"] = state["late"] = 0
        if wrapped:
            state["rounds"] -= 1
    elif wrapped:
        state["history"] = noted(state["history"], scores)
    return state


def _deducted(state, left):
    """The end: each tile that is left costs five, and a score may go below zero."""
    scores = state["scores"]
    need(len(left) == len(scores), "One number a player")
    need(state["why"] != OUT or 0 in left, "Somebody has none left")
    state = state.copy()
    state["phase"] = OVER
    state["left"] = left
    state["scores"] = tuple([score - TILE * tiles_left for score, tiles_left in zip(scores, left)])
    return state


def spell(heights):
    """A word's code. heights: 1 to 5 a tile, or QU; at most ten tiles."""
    code = 0
    for height in heights:
        code = code << 3 | height
    return code


def tiles(code):
    """The heights in a word's code, first tile first."""
    heights = []
    while code:
        heights.append(code & 7)
        code >>= 3
    heights.reverse()
    return heights


def word_points(code):
    """The points of a word: 2 a tile if all lie flat, and 2 for a flat Qu; else the sum of its stacks.

    Raises Illegal for a word that cannot lie on the board.
    """
    total = count = qu = 0
    flat = True
    while code:
        height = code & 7
        if height != 1:
            if height == QU:
                qu += 1
                height = 1
            elif not height or height > HIGH:
                raise Illegal("A stack is 1 to 5 high")
            else:
                flat = False
        total += height
        count += 1
        code >>= 3
    if not 2 <= count <= LONGEST:
        raise Illegal("Words are 2 to 10 tiles")
    if qu > 1:
        raise Illegal("There is only one Qu")
    return 2 * (count + qu) if flat else total


def turn_points(state):
    """What the running turn is worth so far, the seven tiles included."""
    return state["sum"] + BONUS if state["seven"] else state["sum"]


def letters(words):
    return sum([len(tiles(code)) for code in words])


def best(scores, score, count=5):
    """The best solo scores with one more, best first: what the device keeps of them."""
    return tuple(sorted(tuple(scores) + (score,), reverse=True)[:count])


def exchanges_left(state):
    """How many tiles may still be exchanged for free: solo 5 to 0, else None (each exchange costs the turn)."""
    return SOLO_EXCHANGES - state["exchanges"] if len(state["scores"]) == 1 else None


def pending(state):
    """What is asked, and of whom (-1: of all): ("turn" | "left", player), None after the end.

    state["open"] tells whose words may be challenged now.
    """
    phase = state["phase"]
    if phase == OVER:
        return None
    return ("left", -1) if phase == LEFTOVERS else ("turn", state["turn"])


def standings(state):
    """[(player, score, rank)], best first; equal is a tie, Upwords has no tie-break."""
    return rank(state["scores"])


def outcome(state):
    """The winners as a tuple of players, None while the match goes on. Solo: the player."""
    return leaders(standings(state)) if state["phase"] == OVER else None
