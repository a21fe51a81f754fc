"""How long the timer is to run, and how many of the last seconds beep."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.games import END, timer
from pouch.screens import PLAYED, Screen
from pouch.ui import timer_face
from pouch.ui.fonts import text as small
from pouch.words import say

# (up to so many seconds, the step there)
_STEPS = ((10, 1), (60, 5), (300, 15), (600, 30), (3600, 60), (6000, 300))
_LONGEST = const(5999)


class TimerSet(Screen):
    """Opens at the time that it ran last."""

    NEXT = PLAYED["timer"]
    HELD = "BEEPS"
    HOLDS = 1 << OK
    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app):
        table = app.table()
        if table and table[0] == timer.KEY:
            self.last = table[2]["last"]
            self.second = table[3] // 1000
        else:
            state = timer.new((), {})
            self.last = state["options"]["last"]
            self.second = state["whole"] // 1000

    def legend(self, app):
        return ("−" if self.second > 1 else "", "BACK", "#START≡", "＋" if self.second < _LONGEST else "")

    def press(self, app, key, kind, at):
        if key == BACK:
            if self._waits(app):
                app.match.do((END,))
            app.go_home()
        elif key == LEFT:
            self.second = stepped(self.second, -1)
        elif key != OK:
            self.second = stepped(self.second, 1)
        elif kind == LONG:
            values = timer.OPTIONS[1][2]
            self.last = values[(values.index(self.last) + 1) % len(values)]
        else:
            self._start(app, at)

    def _waits(self, app):
        """Is this the match that was reset?"""
        match = app.match
        return match and match.game.KEY == timer.KEY and match.journal and match.state["phase"] == timer.READY

    def _start(self, app, at):
        from pouch.screens.timer_running import run

        if not self._waits(app) or app.match.options["last"] != self.last:
            app.begin(timer, (), {"last": self.last})
        if app.match.state["whole"] != self.second * 1000:
            app.match.do((timer.SET, self.second * 1000))
        app.match.do((timer.START,))
        run(app, at)

    def render(self, canvas, app):
        canvas.text(small, say(timer.NAME), 1, 1)
        canvas.right(small, say("last {} s beep" if self.last else "no beeps").format(self.last), 127, 1)
        timer_face.time(canvas, self.second, 11)
        canvas.seam()


def stepped(second, by):
    """The next time below (by: -1) or above (1) that the keys lead to: the longer, the larger the steps."""
    i = 0
    while second > _STEPS[i][0] or (by > 0 and second == _STEPS[i][0]):
        i += 1
    step = _STEPS[i][1]
    second = second // step * step + step if by > 0 else (second - 1) // step * step
    return min(_LONGEST, max(1, second))
