"""With which options each game begins on this device, where the table has not set others."""

from pouch.app import BACK, LEFT, OK
from pouch.games import GAMES
from pouch.screens import Screen
from pouch.settings import own
from pouch.ui import listing
from pouch.words import say

_CHOICES = (("zip_it", "ZIP-IT"), ("crossed_words", "CROSSED WORDS"), ("upwords", "UPWORDS"), ("tally", "TALLY"))


class GameOptions(Screen):
    """below: the screen before."""

    REPEATS = 1 << LEFT | 1 << 3
    NEXT = ("pouch.screens.setup_options",)

    def __init__(self, below):
        self.below = below
        self.chosen = 0

    def legend(self, app):
        return ("▲" if self.chosen else "", "BACK", "#OPEN", "▼" if self.chosen < len(_CHOICES) - 1 else "")

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(self.below)
        elif key != OK:
            self.chosen += -1 if key == LEFT else 1
        else:
            from pouch.screens.setup_options import SetupOptions

            key = _CHOICES[self.chosen][0]
            app.preload((), key)  # the games before it go
            options = own(app.settings, GAMES[key])

            def done(app):
                app.change("options", dict(app.settings["options"], **{key: options}))
                app.show(self)

            app.show(SetupOptions(GAMES[key], options, done))

    def render(self, canvas, app):
        items = []
        for key, name in _CHOICES:
            count = len(app.settings["options"].get(key, ()))
            items.append((say(name), say("{} of your own").format(count) if count else "▪ " + say("as in the box")))
        listing.draw(canvas, say("GAME OPTIONS"), "", items, self.chosen)
        canvas.seam()
