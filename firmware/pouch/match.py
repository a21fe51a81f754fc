"""One game being played. The journal of actions is the only truth: the state is always its replay."""

from pouch.games import Illegal

UNDO = (0xFE,)
REDO = (0xFF,)


class Match:
    """game: a module of pouch.games. `state` is never changed in place, `journal` only grows."""

    def __init__(self, game, players, options=None):
        self.game = game
        self.players = tuple(players)
        self.options = dict(options or {})
        self.journal = []
        self._done = []
        self._undone = []
        self.state = game.new(self.players, self.options)

    def do(self, action):
        """Apply an action. Raises Illegal, and changes nothing, if the rules do not allow it now."""
        self.state = self.game.reduce(self.state, action)
        self.journal.append(action)
        self._done.append(action)
        self._undone.clear()

    @property
    def can_undo(self):
        return bool(self._done)

    @property
    def can_redo(self):
        return bool(self._undone)

    def undo(self):
        """Take the last step back: an action and those that led up to it. Raises Illegal if there is none."""
        if not self._done:
            raise Illegal("Nothing to undo")
        self._undone.append(self._done.pop())
        while self._done and self._done[-1][0] in self.game.GLUED:
            self._undone.append(self._done.pop())
        self.journal.append(UNDO)
        self.state = self._replay()

    def redo(self):
        """Take the last undo back. Raises Illegal if there is none, or something else has happened since."""
        if not self._undone:
            raise Illegal("Nothing to redo")
        while self._undone:
            action = self._undone.pop()
            self._done.append(action)
            if action[0] not in self.game.GLUED:
                break
        self.journal.append(REDO)
        self.state = self._replay()

    def _replay(self):
        state = self.game.new(self.players, self.options)
        for action in self._done:
            state = self.game.reduce(state, action)
        return state

    def outcome(self):
        return self.game.outcome(self.state)

    def standings(self):
        return self.game.standings(self.state)


def replay(game, players, options, journal):
    """A match as its journal tells it: how it comes back after a power cut, and what the tests compare with."""
    match = Match(game, players, options)
    for entry in journal:
        if entry == UNDO:
            match.undo()
        elif entry == REDO:
            match.redo()
        else:
            match.do(entry)
    return match
