"""Matches of 300 actions, and how long their replay takes.

`write` plays them (on the host: it takes a while), `measure` replays them, on the Pico too: plain code.
"""

import gc

from pouch.frames import pack_value
from pouch.games import GAMES
from pouch.journal import split
from pouch.match import Match, restore

ACTIONS = 300
# The latest snapshot is as far back as it can be: 32 entries each.
ENTRIES = 319


def zip_it(match, game):
    step = len(match.journal) % 3
    if step == 0:
        return (game.GO,)
    if step == 1:
        return (game.ZIP, len(match.journal) // 3 % 2, 83, 12)
    return (game.GOOD, 0, 0) if len(match.journal) % 7 else (game.WRONG,)


def crossed_words(match, game):
    phase = match.state["phase"]
    if phase == game.SHEET:
        at = len(match.state["sheet"])
        return (game.DISC, 1 if (at * 5 + at // 4 + len(match.journal)) % 7 < 3 else 0)
    return ((game.COUNT,), (game.STOP,), None, (game.NEXT,))[phase]


def upwords(match, game):
    step = len(match.journal) % 3
    if step == 0:
        return (game.WORD, game.spell((1, 3, 1, 2, 1, 1)))
    if step == 1:
        return (game.WORD, game.spell((1, 1, 1)))
    return (game.SCORE,)


def tally(match, game):
    return (game.NEXT,) if len(match.journal) % 4 == 3 else (game.ADD, 1)


PLAYS = (
    ("zip_it", zip_it, ("RED", "BLUE"), {"target": 99}),
    ("crossed_words", crossed_words, ("ANNA", "BEN", "CLEO", "DAD"), {}),
    ("upwords", upwords, ("ANNA", "BEN", "CLEO", "DAD"), {}),
    ("tally", tally, ("ANNA", "BEN", "CLEO"), {}),
)


def play(key, choose, players, options, entries):
    """A match with so many entries. One that comes to its end goes on: its end is undone."""
    game = GAMES[key]
    match = Match(game, players, options)
    while len(match.journal) < entries:
        action = choose(match, game)
        if key == "crossed_words" and action == (game.NEXT,):
            # The end would come long before the 300th action.
            scores = match.state["scores"]
            leader = scores.index(max(scores))
            if scores[leader] >= 7:
                action = (0xE1, leader, 0)
        match.do(action)
    return match


def log(key, entries):
    """The journal of such a match as bytes, and its last state as `state_of` gives it."""
    for name, choose, players, options in PLAYS:
        if name == key:
            match = play(key, choose, players, options, entries)
            return b"".join([bytes(segment) for segment in match.journal.segments]), state_of(match)
    raise KeyError(key)


def state_of(match):
    """All that a match knows of its state, as bytes."""
    return pack_value(match.state) + pack_value((match.can_undo, match.can_redo))


def clock():
    """(ticks, difference) of MicroPython: kept out of the rules, which have no clock."""
    import time

    return time.ticks_us, time.ticks_diff


def measure(key, log300, log319, ticks, difference):
    """(us from nothing, us from the latest snapshot, of an undo, a redo, an action, bytes that the match keeps,
    the state from nothing, the state from the snapshot).

    log300: the journal of 300 actions, log319: one whose latest snapshot is as far back as it can be.
    ticks() and difference(later, earlier): microseconds.
    """
    GAMES[key]
    gc.collect()
    free = gc.mem_free() if hasattr(gc, "mem_free") else 0
    started = ticks()
    match = restore(log300, None, False)
    nothing_us = difference(ticks(), started)
    gc.collect()
    kept = free - gc.mem_free() if free else 0
    from_nothing = state_of(match)
    match = None
    segments = split(log319)
    gc.collect()
    started = ticks()
    match = restore(segments)
    snapshot_us = difference(ticks(), started)
    from_snapshot = state_of(match)
    for name, choose, _, _ in PLAYS:
        if name == key:
            match.do(choose(match, match.game))
            action = choose(match, match.game)
    match.rest()
    started = ticks()
    match.do(action)
    do_us = difference(ticks(), started)
    state = match.state
    started = ticks()
    match.undo()
    undo_us = difference(ticks(), started)
    started = ticks()
    match.redo()
    redo_us = difference(ticks(), started)
    assert match.state == state
    return (nothing_us, snapshot_us, undo_us, redo_us, do_us, kept, from_nothing, from_snapshot)


def on_device(key):
    """`measure` with the logs from files."""
    logs = []
    for entries in (ACTIONS, ENTRIES):
        with open(f"{key}.{entries}", "rb") as file:
            logs.append(file.read())
    return measure(key, logs[0], logs[1], *clock())
