"""The timer's menu: OK held. Nobody has a score, so there is none to change, and no name."""

from pouch.games import END, timer
from pouch.screens import timer_running
from pouch.screens.menu import _home, _Menu
from pouch.words import say


class TimerMenu(_Menu):
    def __init__(self, app, below):
        super().__init__(app, below)
        match = app.match
        # What has come to its end has no moment to go on from.
        self._undo = match.can_undo and match.state["phase"] != timer.DONE
        self._last = timer_running.last_change(app) if self._undo else "–"

    def items(self, app):
        can_redo = app.match.can_redo
        return (
            (say("Go on"), "", self._back),
            (say("Undo"), self._last, timer_running.undo if self._undo else None),
            (say("Redo"), "" if can_redo else "–", timer_running.redo if can_redo else None),
            (say("Pause, go home"), "", _home),
            (say("Turn the glass"), "", self._turn),
            (say("Put it away…"), "", self._put_away),
            (say("Settings"), "", self._settings),
        )

    def _back(self, app):
        app.show(self.below)

    def _put_away(self, app):
        from pouch.screens.confirm import Confirm

        answers = ((say("Keep it"), "", self._back), (say("Put it away"), "", _away))
        app.show(
            Confirm(say("PUT AWAY?"), say("There are {} left.").format(timer_running.standing(app)), answers, self)
        )

    def wake(self, app, now):
        return app.countdown.next_second() if app.countdown else None


def _away(app):
    app.countdown = None
    app.match.do((END,))
    app.go_home()
