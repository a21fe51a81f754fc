"""The options of a game before it begins."""

from micropython import const

from pouch.app import BACK, LEFT, OK
from pouch.games import LIMIT
from pouch.screens import Screen
from pouch.ui import listing
from pouch.words import say

_FEW = const(12)  # values that one key goes through; more are a number that two keys set


class SetupOptions(Screen):
    """options: {key: value}, only what differs from the default; changed in place. done(app): where BACK leads."""

    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, game, options, done):
        self.game = game
        self.options = options
        self.done = done
        self.chosen = 0
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
        return ("▲" if self.chosen else "", "BACK", "#CHANGE", "▼" if self.chosen < len(self.rows) - 1 else "")

    def _values(self):
        key, _, values, default, _ = self.rows[self.chosen]
        values = tuple(values)
        return values, values.index(self.options.get(key, default))

    def press(self, app, key, kind, at):
        if key == BACK:
            self.done(app)
        elif key == OK:
            values, i = self._values()
            if len(values) > _FEW:
                self.setting = not self.setting
            else:
                self._set(values[(i + 1) % len(values)])
        else:
            by = -1 if key == LEFT else 1
            if self.setting:
                values, i = self._values()
                self._set(values[min(len(values) - 1, max(0, i + by))])
            else:
                self.chosen = min(len(self.rows) - 1, max(0, self.chosen + by))

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
