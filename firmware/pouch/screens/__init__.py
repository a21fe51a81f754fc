"""One file a screen. The contract, for which no base class is needed beyond `Screen`:

EXACT     True where the deadlines are to be met to the microsecond: a beat, not a stopwatch. Costs CPU.
HOLDS     mask of the keys that act on release and may be held: they give SHORT or LONG. All others give DOWN.
REPEATS   mask of the keys that also give REPEAT while they are held.
legend    the labels of the four keys (pouch.ui.legend); an empty one is a dead key and never reaches `press`.
press     turns a press into an action of the match, or into navigation. `at`: its time in ticks. Never draws.
render    draws the whole screen from the state, and changes nothing.
wake      the ticks when it wants `tick` and to be drawn again, None: only after a press.
tick      called at that time.
quiet     True while nothing may be written to flash, which would stop the interrupts: in a race, just before a beat.
RACE      True where presses are timed: no notice comes over the screen, and `quiet` is True if it is not overridden.
"""

# Where the screens of a game are; the module has `resume(app)`: the screen on which its match goes on.
_OF = {"zip_it": "zip_ready"}


class Screen:
    EXACT = False
    RACE = False
    HOLDS = 0
    REPEATS = 0

    def legend(self, app):
        return ("", "", "", "")

    def press(self, app, key, kind, at):
        pass

    def render(self, canvas, app):
        pass

    def wake(self, app, now):
        return None

    def tick(self, app, now):
        pass

    def quiet(self, app, now):
        return self.RACE


def resume(app):
    """The screen on which the match goes on from its state."""
    return _module(app.match.game).resume(app)


def interrupted(app):
    """Bring the match's clock back, paused, after a power cut.

    What the table is to know of it, as one line of at most 127 columns; None if none ran.
    """
    return _module(app.match.game).interrupted(app)


def _module(game):
    name = _OF[game.KEY]
    return __import__("pouch.screens." + name, None, None, (name,))
