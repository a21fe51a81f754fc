"""A countdown for any game, and the time limit inside the others. Pure: what is left is handed in, in milliseconds."""

from micropython import const

from pouch.games import END, Illegal
from pouch.games.moves import check, choose, need, seats

KEY = "timer"
NAME = "TIMER"
PLAYERS = (0, 6)

SET = const(1)  # (ms)          how long it is to run
START = const(2)  # ()          from the whole time
PAUSE = const(3)  # (left)      ms left at that moment
GO_ON = const(4)  # ()          with what was left
MORE = const(5)  # (ms, left)   so much on top; left: before it
KEEP = const(6)  # (left)       still running: what a power cut shall find
ENDED = const(7)  # ()
RESTART = const(8)  # ()        at once, from the whole time
RESET = const(9)  # ()          not running, the whole time

READY = const(0)
RUNNING = const(1)
PAUSED = const(2)
DONE = const(3)
OVER = const(4)

LONGEST = const(5999000)  # 99:59, what the glass can show

OPTIONS = (
    ("seconds", "Time, seconds", (10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600, 900, 1200, 1800, 3600), 180, ""),
    ("last", "Last seconds", (0, 3, 5, 10, 15, 30), 10, ""),
)
DECIDING = ()

# What is kept on the way is no step of its own.
GLUED = (KEEP,)
ALONE = ()

_LEFT = "More than is left"
ACTIONS = {
    SET: (1, 1, ((1000, LONGEST),), "0:01 to 99:59"),
    START: 0,
    PAUSE: (1, 1, ((1, LONGEST),), _LEFT),
    GO_ON: 0,
    MORE: (2, 2, ((1, LONGEST), (1, LONGEST)), _LEFT),
    KEEP: (1, 1, ((1, LONGEST),), _LEFT),
    ENDED: 0,
    RESTART: 0,
    RESET: 0,
}


def new(players, options):
    """players: any names, or none. options: keys of OPTIONS."""
    seats(PLAYERS, players)
    options = choose(OPTIONS, options)
    whole = options["seconds"] * 1000
    return {
        "phase": READY,
        "scores": (),
        "rounds": 0,  # countdowns that came to their end
        "whole": whole,  # ms
        "left": whole,  # ms, as last handed in
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
    if kind == SET:
        need(phase == READY, "First reset it")
        return _with(state, READY, action[1], action[1])
    if kind == START:
        need(phase == READY, "It has started")
        return _with(state, RUNNING, state["whole"], state["whole"])
    if kind in (PAUSE, KEEP):
        need(phase == RUNNING, "It is not running")
        need(action[1] <= state["left"], _LEFT)
        return _with(state, PAUSED if kind == PAUSE else RUNNING, state["whole"], action[1])
    if kind == GO_ON:
        need(phase == PAUSED, "It is not paused")
        return _with(state, RUNNING, state["whole"], state["left"])
    if kind == MORE:
        need(phase in (RUNNING, PAUSED), "It is not running")
        need(action[2] <= state["left"], _LEFT)
        # Not above what the glass can show.
        return _with(state, phase, state["whole"], min(LONGEST, action[2] + action[1]))
    if kind == ENDED:
        need(phase == RUNNING, "It is not running")
        state = _with(state, DONE, state["whole"], 0)
        state["rounds"] += 1
        return state
    if kind == RESTART:
        need(phase != READY, "It has not started")
        return _with(state, RUNNING, state["whole"], state["whole"])
    if kind == RESET:
        need(phase != READY, "It has not started")
        return _with(state, READY, state["whole"], state["whole"])
    need(kind == END, "The timer has no scores")
    return _with(state, OVER, state["whole"], state["left"])


def _with(state, phase, whole, left):
    state = state.copy()
    state["phase"] = phase
    state["whole"] = whole
    state["left"] = left
    return state


def second(left):
    """The second that the glass shows with `left` ms to go: 1 until the very end, so that 3:00 stands a second."""
    return (left + 999) // 1000


def is_last(left, last):
    """Is this one of the last seconds? left: ms; last: how many of them are told, 0: none."""
    return 0 < left <= last * 1000


def pending(state):
    """What is asked: ("start" | "run" | "go on" | "again", -1), None once it is put away."""
    phase = state["phase"]
    return None if phase == OVER else (("start", "run", "go on", "again")[phase], -1)


def standings(state):
    """Nobody has a score here."""
    return []


def outcome(state):
    """() once the timer is put away, else None: nobody wins."""
    return () if state["phase"] == OVER else None
