"""Evenings by a seed: matches of all games, with undo, redo, new names, settings and clocks. Equal on every Python.

Plain code: it runs on the Pico too. There it is `walk`.
"""

from pouch import settings
from pouch.games import CHANGE, END, GAMES, TIME_UP, Illegal

_NAMES = ("ANNA", "BEN", "CLEO", "DAD", "EMMA", "FINN")
_TRIES = 12
# What ends a match or a turn, or goes back: rare, so that matches get long.
_RARE = {"upwords": ("PASS", "FINISH"), "crossed_words": ("EDIT", "TOTALS"), "zip_it": ("VOID",)}
# What takes a number for each player.
_FOR_ALL = {"upwords": "LEFT", "crossed_words": "TOTALS"}


class Chance:
    """A generator of numbers that fit a Pico's small ones."""

    def __init__(self, seed):
        self._x = seed % 65536 + 1
        for _ in range(3):
            self.below(2)

    def below(self, limit):
        """A number from 0 to limit - 1; limit: 30,000 at most."""
        self._x = self._x * 75 % 65537
        return (self._x >> 1) % limit

    def between(self, low, high):
        span = high - low + 1
        if span <= 30000:
            return low + self.below(span)
        return low + ((self.below(16384) << 15) + self.below(30000)) % span

    def pick(self, values):
        return values[self.below(len(values))]


def begin(table, chance, key):
    """A new match of a game, with players and options by chance."""
    game = GAMES[key]
    fewest, most = game.PLAYERS
    options = {}
    for name, _, values, _, _ in game.OPTIONS:
        if chance.below(2):
            options[name] = values[chance.below(len(values))]
    if key == "zip_it":
        options["target"] = chance.between(3, 14)
    if key == "tally" and chance.below(3):
        options["target"] = 0
    table.begin(game, _NAMES[: chance.between(fewest, most)], options)


def some_action(match, chance):
    """An action by the game's own table; the rules may still refuse it."""
    game = match.game
    kinds = sorted(game.ACTIONS)
    kinds.extend((TIME_UP, CHANGE))
    rare = [getattr(game, name) for name in _RARE.get(game.KEY, ())]
    kind = chance.pick(kinds)
    if (kind in rare or kind >= TIME_UP) and chance.below(4):
        kind = chance.pick(kinds)
    if kind == CHANGE:
        return (CHANGE, chance.below(6), chance.pick((0, 1, 2, 6, 9, 40)))
    rule = game.ACTIONS.get(kind)
    if not rule:
        return (kind,)
    fewest, most, ranges, _ = rule
    if game.KEY == "upwords" and kind == game.WORD:
        heights = []
        for _ in range(chance.between(2, 7)):
            heights.append(chance.pick((1, 1, 1, 2, 3, 5)))
        return (kind, game.spell(heights))
    count = chance.between(fewest, most)
    if game.KEY in _FOR_ALL and kind == getattr(game, _FOR_ALL[game.KEY]):
        count = len(match.players)
    numbers = [kind]
    for i in range(count):
        low, high = ranges[min(i, len(ranges) - 1)]
        numbers.append(chance.between(low, high if chance.below(2) else min(high, low + 12)))
    return tuple(numbers)


def _act(match, chance):
    for _ in range(_TRIES):
        try:
            match.do(some_action(match, chance))
            return "act"
        except Illegal:
            pass
    return "nothing"


def step(table, chance, keys):
    """One thing that a table does. Returns what it was. keys: of the games, which come by turns."""
    match = table.match
    what = chance.below(100)
    over = match is not None and match.outcome() is not None
    if match is None or what == 0 or (over and what < 40):
        begin(table, chance, keys[table.store.orders % len(keys)])
        return "begin"
    if what < 12:
        if not match.can_undo:
            return "nothing"
        try:
            match.undo()
        except Illegal:
            return "nothing"
        return "undo"
    if what < 18:
        if not match.can_redo:
            return "nothing"
        try:
            match.redo()
        except Illegal:
            return "nothing"
        return "redo"
    if what < 21 and match.players:
        match.rename(chance.below(len(match.players)), chance.pick(_NAMES) + str(chance.below(100)))
        return "rename"
    if what < 24:
        table.change("sound", chance.pick(("loud", "quiet", "off")))
        return "settings"
    if what < 26:
        table.names = tuple([chance.pick(_NAMES) for _ in range(chance.pick((2, 6, 6, 6, 30)))])
        table.store.save("names", settings.packed_names(table.names))
        return "names"
    if what < 30:
        table.keep_clock(chance.below(5000), bool(chance.below(2)))
        return "clock"
    if over:
        return "nothing"
    if what == 30:
        match.do((END,))
        return "end"
    return _act(match, chance)


def evening(power_on, save, seed, steps, keys, again):
    """Play. power_on(): a table, with what was kept. again: of so many things that are done one is a new power-on.

    save(table, before): keep what was done. before: the matches that the table has had since then, oldest first.
    """
    table = power_on()
    chance = Chance(seed)
    for _ in range(steps):
        if again and not chance.below(again):
            table = power_on()
        before = []
        for _ in range(1 if chance.below(4) else 3):
            before.append(table.match)
            step(table, chance, keys)
        save(table, before)
        if not chance.below(3):
            table.store.tidy()
