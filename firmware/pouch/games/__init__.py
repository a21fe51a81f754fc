"""The rules of the games, pure: no clock, no screen, no storage. README.md tells the contract that each one keeps."""

from micropython import const

# Kinds of action that are the same in every game; a game's own are 1..0xDF. From 0xF0 on they are the journal's.
TIME_UP = const(0xE0)  # ()               the time limit of the turn or round is up
CHANGE = const(0xE1)  # (player, score)   the table puts a score right
END = const(0xE2)  # ()                   the table ends the match here; the scores decide

# What the glass can show of a score.
LOWEST = const(-99)
HIGHEST = const(1999)


class Illegal(Exception):
    """An action that the rules do not allow now. The text is for the people at the table: 25 characters or fewer."""


class _Games:
    """The games by key. A game's module is loaded when it is first asked for: RAM is short."""

    KEYS = ("zip_it", "crossed_words", "upwords", "timer", "tally")

    def __iter__(self):
        return iter(self.KEYS)

    def __len__(self):
        return len(self.KEYS)

    def __contains__(self, key):
        return key in self.KEYS

    def __getitem__(self, key):
        """The module of the game `key`. Raises KeyError if there is none."""
        if key not in self.KEYS:
            raise KeyError(key)
        return __import__("pouch.games." + key, None, None, (key,))


GAMES = _Games()
