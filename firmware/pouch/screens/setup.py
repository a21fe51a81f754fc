"""What can be set before a match begins: who plays, and by which options."""

from pouch.screens.listed import Listed
from pouch.ui import listing
from pouch.words import say


class Setup(Listed):
    """names: of all who play; options: {key: value}, only what differs. done(app, names, options): where BACK leads."""

    NEXT = ("pouch.screens.setup_names", "pouch.screens.setup_options")

    def __init__(self, game, names, options, done):
        self.game = game
        self.names = list(names)
        self.options = dict(options)
        self.done = done

    def count(self, app):
        return 2

    def ok(self, app):
        return "#OPEN"

    def back(self, app):
        self.done(app, self.names, self.options)

    def choose(self, app):
        if self.chosen:
            from pouch.screens.setup_options import SetupOptions

            app.show(SetupOptions(self.game, self.options, self._back))
        else:
            from pouch.screens.setup_names import SetupNames

            app.show(SetupNames(self.names, self._name, self))

    def _back(self, app):
        app.show(self)

    def _name(self, app, player, name):
        self.names[player] = name

    def render(self, canvas, app):
        own = sum([self.options[key] != default for key, _, _, default, _ in self.game.OPTIONS if key in self.options])
        names = ", ".join(self.names)
        if canvas.width(listing.small, names) > 84:
            names = say("{} players").format(len(self.names))
        items = (
            (say("Names"), names),
            (say("Options"), say("{} of your own").format(own) if own else "▪ " + say("box rules")),
        )
        listing.draw(canvas, say(self.game.NAME), say("SETUP"), items, self.chosen)
        canvas.seam()
