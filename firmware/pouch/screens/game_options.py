"""With which options each game begins on this device, where the table has not set others."""

from pouch.games import GAMES
from pouch.screens.listed import Listed
from pouch.settings import own
from pouch.ui import listing
from pouch.words import say

_CHOICES = (("zip_it", "ZIP-IT"), ("crossed_words", "Crossed Words"), ("upwords", "Upwords"), ("tally", "Tally"))


class GameOptions(Listed):
    """below: the screen before."""

    NEXT = ("pouch.screens.setup_options",)

    def __init__(self, below):
        self.below = below

    def count(self, app):
        return len(_CHOICES)

    def ok(self, app):
        return "#OPEN"

    def choose(self, app):
        from pouch.screens.setup_options import SetupOptions

        key = _CHOICES[self.chosen][0]
        app.preload((), key)  # the games before it go
        game = GAMES[key]
        options = own(app.settings, game)

        def done(app):
            app.change("options", dict(app.settings["options"], **{key: options}))
            app.show(self)

        app.show(SetupOptions(game, options, done))

    def render(self, canvas, app):
        items = []
        for key, name in _CHOICES:
            count = len(app.settings["options"].get(key, ()))
            items.append((say(name), say("{} of your own").format(count) if count else "▪ " + say("box rules")))
        listing.draw(canvas, say("GAME OPTIONS"), "", items, self.chosen)
        canvas.seam()
