"""The options of a game before it begins."""

from pouch.app import BACK, LEFT, OK
from pouch.games import LIMIT
from pouch.screens import Screen
from pouch.ui import listing


class SetupOptions(Screen):
    """options: {key: value}, only what differs from the default; changed in place. below: the screen before."""

    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, game, options, below):
        self.game = game
        self.options = options
        self.below = below
        self.chosen = 0
        self.rows = tuple([row for row in game.OPTIONS if row is not LIMIT])

    def legend(self, app):
        return ("▲" if self.chosen else "", "BACK", "#CHANGE", "▼" if self.chosen < len(self.rows) - 1 else "")

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(self.below)
        elif key == OK:
            key, _, values, default, _ = self.rows[self.chosen]
            values = tuple(values)
            self.options[key] = values[(values.index(self.options.get(key, default)) + 1) % len(values)]
        else:
            self.chosen = min(len(self.rows) - 1, max(0, self.chosen + (-1 if key == LEFT else 1)))

    def render(self, canvas, app):
        items = []
        for key, label, _, default, _ in self.rows:
            value = self.options.get(key, default)
            items.append((label, ("▪ " if value == default else "") + str(value)))
        listing.draw(canvas, self.game.NAME, "OPTIONS", items, self.chosen)
        canvas.seam()
