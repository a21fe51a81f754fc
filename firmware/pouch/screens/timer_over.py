"""TIME!"""

from pouch.app import BACK, LONG
from pouch.games import END, timer
from pouch.screens.shout import Shout
from pouch.screens.timer_running import run
from pouch.stopwatch import minutes
from pouch.ui.fonts import display_40
from pouch.ui.fonts import text as small
from pouch.words import say


class TimerOver(Shout):
    def legend(self, app):
        return ("", "HOME", "#AGAIN≡", "")

    def press(self, app, key, kind, at):
        super().press(app, key, kind, at)
        if key == BACK:
            # Put away: nobody will go on with it.
            app.match.do((END,))
            app.go_home()
        elif kind == LONG:
            from pouch.screens.timer_menu import TimerMenu

            app.show(TimerMenu(app, self))
        else:
            app.match.do((timer.RESTART,))
            run(app, at)

    def render(self, canvas, app):
        canvas.clear(1)
        text = say("TIME!")
        if canvas.width(display_40, text) <= 127:
            canvas.centred(display_40, text, 0, 128, 3, 0)
        else:
            from pouch.ui.fonts import display_24

            canvas.centred(display_24, text, 0, 128, 12, 0)
        canvas.centred(small, say("{} is up").format(minutes(app.match.state["whole"] // 1000)), 0, 128, 46, 0)
