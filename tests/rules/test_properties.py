"""What must hold whatever a table does: random actions, legal and not, undos and redos, for every game."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pouch.frames import pack_value
from pouch.games import CHANGE, END, GAMES, HIGHEST, LOWEST, TIME_UP, Illegal, ranking
from pouch.games import crossed_words as cw
from pouch.games import upwords as up
from pouch.games import zip_it as zi
from pouch.journal import pack, unpack
from pouch.match import Match, replay, restore

NAMES = ("ANNA", "BEN", "CLEO", "DAD", "EMMA", "FINN")
SETTINGS = settings(deadline=None, derandomize=True, max_examples=30)
every_game = pytest.mark.parametrize("key", list(GAMES))

# A table's evening: a seed for players and options, then one for each thing that is done.
seeds = st.integers(0, 10**9)
evenings = st.tuples(seeds, st.integers(0, 160).flatmap(lambda size: st.lists(seeds, min_size=size, max_size=size)))


def new_match(key, seed):
    game = GAMES[key]
    chance = random.Random(seed)
    fewest, most = game.PLAYERS
    options = {}
    for name, _, values, _, _ in game.OPTIONS:
        if chance.random() < 0.5:
            options[name] = chance.choice(list(values))
    if key == "zip_it" and chance.random() < 0.6:
        options["target"] = chance.randint(3, 14)
    return Match(game, NAMES[: chance.randint(fewest, most)], options)


RARE = {("upwords", up.FINISH), ("upwords", up.PASS), ("crossed_words", cw.EDIT), ("zip_it", zi.VOID), ("tally", 2)}


def some_action(match, chance):
    """An action by the game's own table, sometimes out of its ranges."""
    game = match.game
    kinds = [*game.ACTIONS, TIME_UP, CHANGE]
    # What ends a match or a turn, or changes a score by hand, is rare: so matches get long.
    rare = [kind for kind in kinds if (game.KEY, kind) in RARE or kind >= TIME_UP]
    often = [kind for kind in kinds if kind not in rare]
    kind = chance.choice(rare if chance.random() < 0.06 or not often else often)
    if kind == CHANGE:
        return (CHANGE, chance.randint(0, 6), chance.choice([0, 1, 6, 9, 40, LOWEST, HIGHEST, HIGHEST + 1]))
    rule = game.ACTIONS.get(kind)
    if not rule:
        return (kind,) if chance.random() < 0.98 else (kind, 1)
    fewest, most, ranges, _ = rule
    count = chance.randint(fewest, most)
    if game is up and kind == up.WORD:
        return (kind, up.spell([chance.choice([1, 1, 1, 2, 3, 5, 6]) for _ in range(chance.randint(1, 10))]))
    if (game, kind) in ((cw, cw.TOTALS), (up, up.LEFT)) and chance.random() < 0.9:
        count = len(match.players)
    if game is cw and kind == cw.TOTALS and chance.random() < 0.5:
        kind, count, ranges = cw.DISC, 1, game.ACTIONS[cw.DISC][2]
    numbers = []
    for i in range(count):
        low, high = ranges[min(i, len(ranges) - 1)]
        number = chance.choice([low, high, chance.randint(low, min(high, low + 12)), chance.randint(low, high)])
        numbers.append(number if chance.random() < 0.97 else number + chance.choice([-1, 1]) * (high - low + 1))
    return (kind, *numbers)


NONSENSE = ((), (0,), (0xDF,), (0xF0,), (0xFE,), (0xFF,), (300,), (-1,), (TIME_UP, 1), (END, 0), (CHANGE,), (CHANGE, 1))


def fingerprint(match):
    return (
        [bytes(segment) for segment in match.journal.segments],
        len(match.journal),
        pack_value(match.state),
        match.players,
        match.can_undo,
        match.can_redo,
    )


def attempt(match, action):
    """True if it was legal. If not, every byte must be as it was, and the reason fit to be read."""
    before = fingerprint(match)
    kept = match.state
    try:
        match.do(action)
    except Illegal as refusal:
        assert fingerprint(match) == before
        assert match.state is kept
        assert 0 < len(str(refusal)) <= 25
        return False
    assert unpack(pack(action)) == action
    return True


class Model:
    """Undo and redo, told plainly: a list of (action, state after it), and one of those that were undone."""

    def __init__(self, match):
        self.game = match.game
        self.start = match.state
        self.done = []
        self.undone = []

    @property
    def state(self):
        return self.done[-1][1] if self.done else self.start

    def alone(self, action):
        return action[0] in (CHANGE, END, *self.game.ALONE)

    def together(self, first, second):
        return first[0] in self.game.GLUED and not self.alone(first) and not self.alone(second)

    def undo(self):
        self.undone.append(self.done.pop())
        while self.done and self.together(self.done[-1][0], self.undone[-1][0]):
            self.undone.append(self.done.pop())

    def redo(self):
        self.done.append(self.undone.pop())
        while self.undone and self.together(self.done[-1][0], self.undone[-1][0]):
            self.done.append(self.undone.pop())


def check_points(before, action, after, key):
    """What one action may do to the scores."""
    gained = [new - old for new, old in zip(after["scores"], before["scores"], strict=True)]
    kind = action[0]
    if kind == CHANGE:
        assert [player for player, more in enumerate(gained) if more] in ([], [action[1]])
        return
    if key == "zip_it":
        if kind == zi.GOOD:
            who = before["who"]
            assert 1 <= gained[who] <= 1 + 9 + 18 + 18
            assert gained[1 - who] == 0
            assert gained[who] == 1 + sum(after["bonus"]) == after["last"][1]
            for way, points in zip(("rhyming", "palindromes", "big_word"), after["bonus"], strict=True):
                assert before["options"][way] or not points
        elif kind == zi.WRONG:
            assert gained[before["who"]] == 0
            assert gained[1 - before["who"]] == 1
        else:
            assert gained == [0, 0]
        assert all(
            zi.shown(after, player) == min(score, after["target"]) for player, score in enumerate(after["scores"])
        )
    elif key == "crossed_words":
        assert all(0 <= pile <= 9 for pile in cw.piles(after))
        if after["phase"] == cw.POINTS and before["phase"] == cw.SHEET:
            assert gained == list(after["points"])
            assert max(gained) <= 3 and min(gained) >= 0
            best = max(after["piles"])
            assert all(
                (points == 3) == (pile == best) for pile, points in zip(after["piles"], gained, strict=True) if best
            )
            assert any(gained) == (best > 0 or before["options"]["zero"] == "by position")
        elif kind == cw.EDIT:
            assert gained == [-points for points in before["points"]]
        else:
            assert not any(gained)
    elif key == "upwords":
        turn = before["turn"]
        if kind in (up.SCORE, up.POINTS):
            assert 1 <= gained[turn] <= up.MOST
            assert sum(gained) == gained[turn] == after["lasts"][turn]
        elif kind == up.LEFT:
            assert gained == [-5 * tiles for tiles in action[1:]]
        elif kind == up.CHALLENGE and action[1]:
            player, points, _ = before["open"]
            assert gained[player] == -points == sum(gained)
        else:
            assert not any(gained)
    elif key == "tally":
        assert gained[before["turn"]] == sum(gained) == (action[1] if kind == 1 else 0)


def check_state(match, ended):
    state = match.state
    game = match.game
    winners = match.outcome()
    assert (winners is not None) == (state["phase"] == game.OVER)
    assert (game.pending(state) is None) == (winners is not None)
    standings = match.standings()
    assert [entry[0] for entry in standings if entry[2] == 0] == list(winners or ranking.leaders(standings))
    assert sorted((player, score) for player, score, _ in standings) == list(enumerate(state["scores"]))
    ranks = [place for _, _, place in standings]
    assert ranks == sorted(ranks)
    if game is zi:
        assert (winners is not None) == (max(state["scores"]) >= state["target"] or ended)
    if game is cw and winners and not ended:
        assert max(state["scores"]) >= 7
    if game is up and len(match.players) == 1:
        assert 0 <= up.exchanges_left(state) <= 5
    rounds = ranking.by_round(state["history"], len(match.players) or 1)
    assert len(rounds) == min(state["rounds"], 99) or game.KEY == "timer"
    record = match.record()
    # Nobody wins a timer; and what was all undone before the table ended it is not worth a record.
    assert (record is None) == (not winners or match._ended_undone())
    if record:
        assert (record["winners"], record["standings"], record["length"]) == (
            winners,
            tuple(standings),
            state["rounds"],
        )


@every_game
@SETTINGS
@given(evening=evenings)
def test_an_evening(key, evening):
    first, seeds = evening
    match = new_match(key, first)
    model = Model(match)
    for seed in seeds:
        chance = random.Random(seed)
        what = chance.random()
        if what < 0.10:
            if match.can_undo:
                match.undo()
                model.undo()
            else:
                with pytest.raises(Illegal, match="Nothing to undo"):
                    match.undo()
        elif what < 0.16:
            if match.can_redo:
                match.redo()
                model.redo()
            else:
                with pytest.raises(Illegal, match="Nothing to redo"):
                    match.redo()
        elif what < 0.20:
            assert not attempt(match, chance.choice(NONSENSE))
        else:
            over = match.outcome() is not None
            # A few tries: most of what the table offers is not possible just now.
            for _ in range(8):
                action = (END,) if chance.random() < 0.005 else some_action(match, chance)
                before = match.state
                if attempt(match, action):
                    assert not over
                    model.done.append((action, match.state))
                    model.undone.clear()
                    check_points(before, action, match.state, key)
                    break
        assert match.state == model.state
        assert (match.can_undo, match.can_redo) == (bool(model.done), bool(model.undone))
        check_state(match, any(action == (END,) for action, _ in model.done))

    # The state is the journal's replay: entry by entry, and from the bytes with snapshots and without.
    log = b"".join(bytes(segment) for segment in match.journal.segments)
    assert replay(Match(match.game, match.players, match.options), match.journal).state == match.state
    for back in (restore(log), restore(match.journal.segments), restore(log, snapshots=False)):
        assert fingerprint(back) == fingerprint(match)
        assert back.options == match.options
    # Undo to the beginning, redo to the end: the identity, also for the match that came back.
    for one in (match, restore(log)):
        steps = 0
        while one.can_undo:
            one.undo()
            steps += 1
        assert one.state == model.start
        depth_of_redo = 0
        while one.can_redo and depth_of_redo < steps:
            one.redo()
            depth_of_redo += 1
        assert depth_of_redo == steps
        assert one.state == model.state


@every_game
@SETTINGS
@given(evening=evenings)
def test_a_match_that_is_over_takes_no_action(key, evening):
    first, seeds = evening
    match = new_match(key, first)
    for seed in seeds:
        chance = random.Random(seed)
        attempt(match, some_action(match, chance))
        if match.outcome() is not None:
            break
    if match.outcome() is None:
        match.do((END,))
    over = fingerprint(match)
    for seed in seeds[:20]:
        assert not attempt(match, some_action(match, random.Random(seed)))
    for kind in [*match.game.ACTIONS, TIME_UP, END]:
        assert not attempt(match, (kind,))
    assert fingerprint(match) == over


@SETTINGS
@given(st.lists(st.integers(0, 9), min_size=3, max_size=6), st.booleans(), st.booleans())
def test_a_round_of_crossed_words_by_spaces_and_by_totals(piles, dense, no_points):
    """The same piles give the same points, and a bigger pile never fewer."""
    options = {"ties": "dense" if dense else "competition", "zero": "no points" if no_points else "by position"}
    ends = []
    for by_space in (False, True):
        match = Match(cw, NAMES[: len(piles)], options)
        match.do((cw.COUNT,))
        match.do((cw.STOP,))
        if by_space:
            for space in range(9):
                for pile in piles:
                    match.do((cw.DISC, int(space < pile)))
        else:
            match.do((cw.TOTALS, *piles))
        ends.append((match.state["scores"], match.state["piles"], match.state["phase"]))
    assert ends[0] == ends[1]
    points = ends[0][0]
    for pile, one in zip(piles, points, strict=True):
        for other, two in zip(piles, points, strict=True):
            assert (one >= two) if pile > other else (one == two) if pile == other else True


@SETTINGS
@given(st.lists(st.integers(-99, 1999), min_size=1, max_size=6), st.booleans())
def test_ranks(scores, low):
    standings = ranking.rank(scores, low)
    for player, score, place in standings:
        assert score == scores[player]
        better = [other for other in scores if (other < score if low else other > score)]
        assert place == len(better)


@SETTINGS
@given(st.lists(st.lists(st.integers(-134, 1999), min_size=3, max_size=3), max_size=120))
def test_scores_by_round_come_back(rounds):
    history = b""
    for scores in rounds:
        history = ranking.noted(history, scores)
    kept = [tuple(scores) for scores in rounds]
    if len(kept) > 99:
        kept = kept[:98] + kept[-1:]
    assert ranking.by_round(history, 3) == tuple(kept)
    assert ranking.by_round(ranking.taken_back(history, 3), 3) == tuple(kept[:-1])


def test_no_more_than_99_rounds_are_kept():
    history = b""
    for score in range(120):
        history = ranking.noted(history, (score, -score))
    assert ranking.by_round(history, 2) == (*[(score, -score) for score in range(98)], (119, -119))


@SETTINGS
@given(st.lists(st.sampled_from([1, 2, 3, 4, 5, up.QU]), min_size=2, max_size=10))
def test_a_word_by_its_tiles(heights):
    """Told again, tile by tile."""
    code = up.spell(heights)
    assert up.tiles(code) == heights
    if heights.count(up.QU) > 1:
        with pytest.raises(Illegal, match="There is only one Qu"):
            up.word_points(code)
        return
    flat = all(height in (1, up.QU) for height in heights)
    expected = 0
    for height in heights:
        if flat:
            expected += 4 if height == up.QU else 2
        else:
            expected += 1 if height == up.QU else height
    assert up.word_points(code) == expected
