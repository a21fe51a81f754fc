"""The timer stands still."""

from pouch.app import BACK, LEFT, LONG, OK, RIGHT
from pouch.games import timer
from pouch.screens import Screen
from pouch.screens.timer_running import more, run
from pouch.ui import timer_face
from pouch.ui.fonts import text as small
from pouch.words import say


class TimerPaused(Screen):
    HOLDS = 1 << OK

    def __init__(self, app):
        pass

    def legend(self, app):
        return ("RESET", "BACK", "#GO ON≡", "+30")

    def press(self, app, key, kind, at):
        match = app.match
        if key == BACK:
            app.go_home()
        elif key == RIGHT:
            more(app, match.state["left"])
        elif key == LEFT:
            from pouch.screens.timer_set import TimerSet

            match.do((timer.RESET,))
            app.show(TimerSet(app))
        elif kind == LONG:
            from pouch.screens.timer_menu import TimerMenu

            app.show(TimerMenu(app, self))
        else:
            match.do((timer.GO_ON,))
            run(app, at)

    def render(self, canvas, app):
        timer_face.time(canvas, timer.second(app.match.state["left"]), 1)
        word = "⏸ " + say("PAUSED")
        left = (130 - canvas.width(small, word)) // 2
        right = canvas.text(small, word, left, 45)
        for x in range(0, left - 5, 4):
            canvas.fill(x, 48, 1, 1)
        for x in range((right + 7) // 4 * 4, 128, 4):
            canvas.fill(x, 48, 1, 1)
        canvas.seam()
