"""The players in their order: who sits where, and who is called what."""

from pouch.screens.listed import Listed
from pouch.ui.canvas import DOTS
from pouch.ui.fonts import icons
from pouch.ui.fonts import text as small
from pouch.words import say


class SetupNames(Listed):
    """names: of all who play. change(app, player, name): somebody else sits there. below: the screen before."""

    NEXT = ("pouch.screens.name_pick",)

    def __init__(self, names, change, below):
        self.names = list(names)
        self.change = change
        self.below = below

    def count(self, app):
        return len(self.names)

    def ok(self, app):
        return "#CHANGE"

    def choose(self, app):
        from pouch.screens.name_pick import NamePick

        app.show(NamePick(app, self.chosen + 1, self.names, self._take, self))

    def _take(self, app, name):
        self.names[self.chosen] = name
        self.change(app, self.chosen, name)
        app.show(self)

    def render(self, canvas, app):
        canvas.text(small, say("PLAYERS"), 1, 1)
        canvas.right(small, say(("", "left, right", "clockwise")[min(3, len(self.names)) - 1]), 127, 1)
        canvas.draw(DOTS, 0, 8)
        count = len(self.names)
        # Rows a player, and where its disc and its name stand in them.
        pitch, disc, text, sign = (11, 1, 3, "disc_") if count <= 4 else (9, 1, 2, "disc_small_")
        if count > 5:
            disc, text = 0, 1
        for player in range(count):
            y = 9 + (pitch * player if count <= 5 else 15 * player // 2)
            ink = 1
            if player == self.chosen:
                canvas.plate(0, y, 128, pitch if count <= 5 else 8)
                ink = 0
            canvas.draw(icons.GLYPHS[sign + str(player + 1)], 3, y + disc, ink)
            canvas.text(small, self.names[player], 16, y + text, ink)
            if not player and count > 2:
                canvas.right(small, say("begins"), 125, y + text, ink)
        canvas.seam()
