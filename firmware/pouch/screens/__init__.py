"""One file a screen. The contract, for which no base class is needed beyond `Screen`:

HOLDS     mask of the keys that act on release and may be held: they give SHORT or LONG. All others give DOWN.
REPEATS   mask of the keys that also give REPEAT while they are held.
legend    the labels of the four keys (pouch.ui.legend); an empty one is a dead key and never reaches `press`.
press     turns a press into an action of the match, or into navigation. `at`: its time in ticks. Never draws.
render    draws the whole screen from the state, and changes nothing.
wake      the ticks when it wants `tick` and to be drawn again, None: only after a press.
tick      called at that time.
"""


class Screen:
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
