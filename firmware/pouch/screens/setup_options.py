"""The options of a game before it begins."""

from micropython import const

from pouch.app import BACK, LEFT, OK
from pouch.games.moves import LIMIT
from pouch.screens.listed import Listed
from pouch.ui import listing
from pouch.words import say

_FEW = const(12)  # values that one key goes through; more are a number that two keys set


class SetupOptions(Listed):
    """options: {key: value}, only what differs from the default; changed in place. done(app): where BACK leads."""

    def __init__(self, game, options, done):
        self.game = game
        self.options = options
        self.done = done
        self.setting = False  # the chosen one, which is a number
        self.rows = list(game.OPTIONS)
        if LIMIT in self.rows:
            # What is the game's own comes first.
            self.rows.remove(LIMIT)
            self.rows.append(LIMIT)

    def legend(self, app):
        if self.setting:
            values, i = self._values()
            return ("−" if i else "", "", "#DONE", "＋" if i < len(values) - 1 else "")
        return super().legend(app)

    def count(self, app):
        return len(self.rows)

    def ok(self, app):
        return "#CHANGE"

    def back(self, app):
        self.done(app)

    def press(self, app, key, kind, at):
        if not self.setting or key in (BACK, OK):
            super().press(app, key, kind, at)
            return
        values, i = self._values()
        self._set(values[min(len(values) - 1, max(0, i + (-1 if key == LEFT else 1)))])

    def choose(self, app):
        values, i = self._values()
        if len(values) > _FEW:
            self.setting = not self.setting
        else:
            self._set(values[(i + 1) % len(values)])

    def _values(self):
        key, _, values, default, _ = self.rows[self.chosen]
        values = tuple(values)
        return values, values.index(self.options.get(key, default))

    def _set(self, value):
        key, _, _, default, _ = self.rows[self.chosen]
        if value == default:
            self.options.pop(key, None)
        else:
            self.options[key] = value

    def render(self, canvas, app):
        items = []
        for key, label, _, default, _ in self.rows:
            value = self.options.get(key, default)
            items.append((say(label), ("▪ " if value == default else "") + shown(value, key)))
        listing.draw(canvas, say(self.game.NAME), say("OPTIONS"), items, self.chosen)
        canvas.seam()


def shown(value, key=""):
    """A value of an option as the table reads it."""
    if value is True:
        return say("on")
    if value is False or value == "none" or (not value and key in ("limit", "target")):
        return say("off")
    return say(str(value) if value else "any")
