"""Who sits here: one of the names that the device knows, or a new one."""

from pouch.screens.listed import Listed
from pouch.ui import listing
from pouch.words import say


class NamePick(Listed):
    """number: the player's, 1 to 6. here: the names of all who play. done(app, name): where the name goes.
    below: the screen before."""

    NEXT = ("pouch.screens.name_entry",)

    def __init__(self, app, number, here, done, below):
        self.number = number
        self.here = here
        self.done = done
        self.below = below
        # Those that somebody entered first, the newest of them on top.
        own = app.own_names()
        self.names = [name for name in reversed(app.names) if name not in own]
        self.names += [name for name in app.names if name in own]

    def count(self, app):
        return len(self.names) + 1

    def ok(self, app):
        taken = self.chosen and self.names[self.chosen - 1] in self.here
        return "" if taken else "#TAKE"

    def choose(self, app):
        if self.chosen:
            self.done(app, self.names[self.chosen - 1])
        else:
            from pouch.screens.name_entry import NameEntry

            app.show(NameEntry(self.number, self.here, self._new, self))

    def _new(self, app, name):
        app.know(name)
        self.done(app, name)

    def render(self, canvas, app):
        items = [(say("New name…"), "")]
        for name in self.names:
            items.append((name, say("is here") if name in self.here else ""))
        listing.draw(canvas, say("PLAYER {}").format(self.number), "", items, self.chosen)
        canvas.seam()
