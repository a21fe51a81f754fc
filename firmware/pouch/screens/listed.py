"""A list of which one row is chosen: LEFT and RIGHT go up and down, BACK leads to the screen before."""

from pouch.app import BACK, LEFT, OK
from pouch.screens import Screen


class Listed(Screen):
    """A list has `below`, the screen before, and these: count(app), how many rows there are; ok(app), the label of OK,
    empty where the row does nothing; choose(app), what OK does."""

    REPEATS = 1 << LEFT | 1 << 3
    chosen = 0

    def legend(self, app):
        down = "▼" if self.chosen < self.count(app) - 1 else ""
        return ("▲" if self.chosen else "", "BACK", self.ok(app), down)

    def press(self, app, key, kind, at):
        if key == BACK:
            self.back(app)
        elif key == OK:
            self.choose(app)
        else:
            self.chosen = min(self.count(app) - 1, max(0, self.chosen + (-1 if key == LEFT else 1)))

    def back(self, app):
        app.show(self.below)
