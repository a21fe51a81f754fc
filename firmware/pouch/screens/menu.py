"""The in-play menus: OK held. Nothing in them destroys at one press; what ends a match can be undone."""

from pouch.games import END
from pouch.screens import of
from pouch.screens.listed import Listed
from pouch.ui import listing
from pouch.words import say


class _Menu(Listed):
    """A list over a screen of the match. `items(app)`: (text, value, action or None if it is not possible)."""

    def __init__(self, app, below):
        self.below = below

    def count(self, app):
        return len(self.items(app))

    def ok(self, app):
        return "#OK" if self.items(app)[self.chosen][2] else ""

    def choose(self, app):
        self.items(app)[self.chosen][2](app)

    def render(self, canvas, app):
        items = [(item[0], item[1]) for item in self.items(app)]
        listing.draw(canvas, of(app).heading(app)[0], self.value(app), items, self.chosen)
        canvas.seam()

    def value(self, app):
        return of(app).heading(app)[1]

    def items(self, app):
        return ()

    def _rest(self, over):
        """What every menu has. over: the match has ended."""
        return (
            (say("Pause, go home"), "", _home),
            (say("Names"), "", self._names),
            (say("Turn the glass"), "", self._turn),
            (say("End match…"), "–" if over else "", None if over else self._end),
            (say("Settings"), "", self._settings),
        )

    def _names(self, app):
        from pouch.screens.setup_names import SetupNames

        app.show(SetupNames(app.match.players, _renamed, self))

    def _turn(self, app):
        app.turn()
        app.show(self.below)

    def _end(self, app):
        from pouch.screens.confirm import Confirm

        on = (say("Play on"), "", lambda app: app.show(self.below))
        answers = (on, (say("End it"), say("Undo brings it back"), _ended))
        line = of(app).standing(app)
        where = say("{}, into History").format(line)
        if app.canvas.width(listing.small, where) <= 126:
            line = where
        app.show(Confirm(say("END MATCH?"), line, answers, self))

    def _settings(self, app):
        from pouch.screens.settings import Settings

        app.show(Settings(self))


class Menu(_Menu):
    """Between rounds."""

    def __init__(self, app, below):
        super().__init__(app, below)
        self._last = of(app).last_change(app) if app.match.can_undo else "–"

    def items(self, app):
        game = of(app)
        match = app.match
        over = match.outcome() is not None
        return (
            (say("Undo"), self._last, game.undo if match.can_undo else None),
            (say("Redo"), "" if match.can_redo else "–", game.redo if match.can_redo else None),
            (say("Change scores"), "–" if over else "", None if over else self._scores),
        ) + self._rest(over)

    def _scores(self, app):
        from pouch.screens.change_scores import ChangeScores

        app.show(ChangeScores(app, self.below))


class RoundMenu(_Menu):
    """In a round: its stopwatch, if it has one, goes on."""

    def items(self, app):
        go_on = ((say("Go on"), "", lambda app: app.show(self.below)),)
        return go_on + of(app).round_more(app, self) + self._rest(False)

    def value(self, app):
        return of(app).clock(app) or super().value(app)

    def wake(self, app, now):
        running = app.stopwatch or app.countdown
        return running.next_second() if running else None


def _home(app):
    app.pause_clock()
    app.go_home()


def _ended(app):
    game = of(app)
    # An undo goes on with them.
    for clock in (app.stopwatch, app.countdown):
        if clock:
            clock.pause(app.now)
    app.match.do((END,))
    app.show(game.ended(app))


def _renamed(app, player, name):
    app.match.rename(player, name)
