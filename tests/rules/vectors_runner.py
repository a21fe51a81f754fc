"""Runs vectors.json: the same code on CPython, on the MicroPython VM and on the Pico.

micropython vectors_runner.py vectors.json
>>> import vectors_runner; vectors_runner.run()      # (how many held, [what did not])
"""

import json
import sys

import pouch.games as games
from pouch.games import GAMES, Illegal, ranking
from pouch.match import Match

NAMES = ("ANNA", "BEN", "CLEO", "DAD", "EMMA", "FINN", "GUS")
TURNS = {}


def plain(value):
    """Tuples as the lists that JSON has."""
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


def called(name, case):
    """(what came out, what should)."""
    expected = case[-1]
    if name == "award":
        return GAMES["crossed_words"].award(tuple(case[0]), case[1], case[2]), expected
    if name == "accepted":
        return GAMES["crossed_words"].accepted(case[0], case[1]), expected
    if name == "beats":
        game = GAMES["crossed_words"]
        return game.beats(game.new(NAMES[:3], {"count": case[0]})), expected
    if name == "rank":
        return ranking.rank(tuple(case[0]), case[1], case[2]), expected
    if name == "seconds":
        timer = GAMES["timer"]
        return (timer.second(case[0]), timer.is_last(case[0], case[1])), case[2:]
    upwords = GAMES["upwords"]
    if name == "best":
        return upwords.best(case[0], case[1]), expected
    if name == "turn":
        state = TURNS.get("state") or TURNS.setdefault("state", upwords.new(NAMES[:2], {}))
        for heights in case[1]:
            state = upwords.reduce(state, (upwords.WORD, upwords.spell(heights)))
        if case[2]:
            state = upwords.reduce(state, (upwords.SEVEN, 1))
        before = upwords.turn_points(state)
        return (before, upwords.reduce(state, (upwords.SCORE,))["scores"][0]), [expected, expected]
    raise ValueError(name)


def action_of(game, name, numbers):
    kind = getattr(game, name) if hasattr(game, name) else getattr(games, name)
    return tuple([kind] + [game.spell(value) if isinstance(value, list) else value for value in numbers])


def look(match, key):
    game, state = match.game, match.state
    if key == "winners":
        return match.outcome()
    if key == "standings":
        return match.standings()
    if key == "pending":
        return game.pending(state)
    if key == "shown":
        return [game.shown(state, player) for player in range(len(match.players))]
    if key in ("turn_points", "exchanges_left", "piles"):
        return getattr(game, key)(state)
    return state[key]


def step(match, words, problems):
    first = words[0]
    if isinstance(first, int):
        for _ in range(first):
            for inner in words[1:]:
                step(match, inner, problems)
    elif first == "undo":
        match.undo()
    elif first == "redo":
        match.redo()
    elif first == "=":
        for key in words[1]:
            wanted = words[1][key]
            if key == "phase":
                wanted = getattr(match.game, wanted)
            got = plain(look(match, key))
            if got != wanted:
                problems.append(f"{key} is {got}, not {wanted}")
    elif first[0] == "!":
        before = match.state
        entries = len(match.journal)
        try:
            match.do(action_of(match.game, first[1:], words[2:]))
            problems.append(f"{first[1:]} was not refused")
        except Illegal as refusal:
            if str(refusal) != words[1]:
                problems.append(f"{first[1:]} is refused with {refusal}, not {words[1]}")
        if match.state != before or len(match.journal) != entries:
            problems.append(f"{first[1:]} was refused, but changed something")
    else:
        match.do(action_of(match.game, first, words[1:]))


def run_match(vector):
    """What did not hold."""
    problems = []
    try:
        match = Match(GAMES[vector["game"]], NAMES[: vector.get("players", 2)], vector.get("options", {}))
        for words in vector["do"]:
            step(match, words, problems)
    except Illegal as refusal:
        problems.append(f"refused: {refusal}")
    except Exception as error:
        problems.append(f"{type(error).__name__}: {error}")
    return problems


def run(path="vectors.json"):
    """(how many vectors held, [those that did not, with why])."""
    with open(path) as file:
        vectors = json.load(file)
    good = 0
    bad = []
    for group in vectors["calls"]:
        for case in group["cases"]:
            try:
                got, wanted = called(group["call"], case)
                got = plain(got)
            except Exception as error:
                got, wanted = f"{type(error).__name__}: {error}", None
            if got == wanted:
                good += 1
            else:
                bad.append(f"{group['about']}: {group['call']} {case}: {got}")
    for vector in vectors["matches"]:
        problems = run_match(vector)
        if problems:
            bad.append(f"{vector['about']}: {'; '.join(problems)}")
        else:
            good += 1
    for key, players, options, reason in vectors["refused"]:
        try:
            GAMES[key].new(NAMES[:players], options)
            bad.append(f"{key} with {players} players and {options} was not refused")
        except Illegal as refusal:
            if str(refusal) == reason:
                good += 1
            else:
                bad.append(f"{key} with {players} players and {options}: {refusal}")
    return good, bad


if __name__ == "__main__":
    print(run(sys.argv[1]))
