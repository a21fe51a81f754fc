"""The timer runs: large numerals and a zipper that opens as the time goes; the last ten seconds count themselves."""

from micropython import const

from pouch import limit
from pouch.app import LONG, OK, RIGHT
from pouch.cues import OVER, REDO, UNDO
from pouch.games import timer
from pouch.screens import PLAYED, Screen
from pouch.stopwatch import minutes
from pouch.ticks import later
from pouch.ui import lying_zipper, timer_face
from pouch.ui.clock import draw as draw_clock
from pouch.ui.fonts import display_16
from pouch.ui.fonts import text as small
from pouch.words import say

MORE_MS = const(30_000)
_ZIPPER = const(42)
_NOTHING = const(-12)  # the slider's column when no time is left
_TRAVEL = const(128)


class TimerRunning(Screen):
    NEXT = PLAYED["timer"]
    HOLDS = 1 << OK

    def __init__(self, app):
        self._second = -1  # on the glass
        self._column = 0

    def legend(self, app):
        return ("", "", "#PAUSE≡", "+30")

    def press(self, app, key, kind, at):
        if key == RIGHT:
            more(app, app.countdown.left)
        elif kind == LONG:
            from pouch.screens.timer_menu import TimerMenu

            app.show(TimerMenu(app, self))
        else:
            pause(app, at)

    def render(self, canvas, app):
        second = self._second = (app.countdown.left + 999) // 1000
        if second <= timer_face.TEETH:
            timer_face.last(canvas, second)
        else:
            timer_face.time(canvas, second, 1)
            self._column = self._slider(app)
            lying_zipper.draw(canvas, _ZIPPER, self._column)
        canvas.seam()

    def update(self, canvas, app):
        second = (app.countdown.left + 999) // 1000
        if second <= timer_face.TEETH or self._second < 0:
            return False
        if second != self._second:
            self._second = second
            canvas.fill(0, 0, 128, _ZIPPER - 1, 0)
            timer_face.time(canvas, second, 1)
        column = self._slider(app)
        if column != self._column:
            self._column = column
            canvas.fill(0, _ZIPPER - 1, 128, 13, 0)
            lying_zipper.draw(canvas, _ZIPPER, column)
        return True

    def _slider(self, app):
        return _NOTHING + min(_TRAVEL, _TRAVEL * app.countdown.left // app.match.state["whole"])

    def wake(self, app, now):
        countdown = app.countdown
        left, whole = countdown.left, app.match.state["whole"]
        after = (left - 1) % 1000 + 1
        if left > 1000 * timer_face.TEETH and left <= whole:
            # When the slider goes on.
            after = min(after, left - (_TRAVEL * left // whole * whole - 1) // _TRAVEL)
        return later(now, after * 1000)


def more(app, left):
    """The table gives half a minute on top of what is `left`, in ms."""
    app.match.do((timer.MORE, MORE_MS, left))
    if app.countdown:
        app.countdown.add(MORE_MS)
        app.countdown.told = (app.countdown.left + 999) // 1000
        limit.keep(app)


def pause(app, at):
    """The timer stands still from the ticks `at` on."""
    app.countdown.pause(at)
    left = app.countdown.left
    app.countdown = None
    if not left:
        time_up(app)
        return
    from pouch.screens.timer_paused import TimerPaused

    app.match.do((timer.PAUSE, left))
    app.show(TimerPaused(app))


def time_up(app):
    """See pouch.limit."""
    from pouch.screens.timer_over import TimerOver

    app.match.do((timer.ENDED,))
    app.play(OVER)
    app.show(TimerOver(app, blinking=True))


def run(app, at):
    """It runs from the ticks `at` on, as its state says."""
    limit.start(app, app.match.state["left"], at)
    app.show(TimerRunning(app))


def left_of(app):
    """Milliseconds to go, running or not."""
    return app.countdown.left if app.countdown else app.match.state["left"]


def heading(app):
    """The two words at the top of a menu."""
    return say(timer.NAME), standing(app)


def standing(app):
    """What is left, in a few words."""
    return minutes(timer.second(left_of(app)))


def summary(canvas, app):
    """The timer on home."""
    canvas.text(small, say(timer.NAME), 1, 1)
    canvas.right(small, say("of {}").format(minutes(app.match.state["whole"] // 1000)), 127, 1)
    draw_clock(canvas, display_16, standing(app), 0, 128, 11)


def last_change(app):
    """What an undo would take back."""
    phase = app.match.state["phase"]
    before = app.match.before()
    if not before:
        return ""
    if before["phase"] == phase:
        return say("half a minute")
    return say(("the reset", "the start", "the pause", "the end", "")[phase])


def undo(app):
    was, left = app.match.state, left_of(app)
    app.match.undo()
    app.play(UNDO)
    _follow(app, was, left - MORE_MS)


def redo(app):
    was, left = app.match.state, left_of(app)
    app.match.redo()
    app.play(REDO)
    _follow(app, was, left + MORE_MS)


def _follow(app, was, changed):
    """Go on from the state after an undo or a redo. changed: what is left if it took away or gave half a minute."""
    state = app.match.state
    app.countdown = None
    if state["phase"] == timer.RUNNING:
        left = state["left"]
        if was["phase"] == timer.RUNNING:
            # Meanwhile it has run on.
            left = min(timer.LONGEST, max(1000, changed))
        elif was["phase"] == timer.PAUSED:
            left = was["left"]
        limit.start(app, left, app.now)
    app.show(resume(app))


def interrupted(app):
    """After a power cut: see pouch.limit.interrupted."""
    state = app.match.state
    return limit.interrupted(app, 0, state["left"]) if state["phase"] == timer.RUNNING else None


def resume(app):
    """The screen on which it goes on from its state."""
    phase = app.match.state["phase"]
    if phase == timer.RUNNING:
        if not app.countdown:
            limit.start(app, app.match.state["left"], app.now)
        return TimerRunning(app)
    if phase == timer.PAUSED:
        from pouch.screens.timer_paused import TimerPaused

        return TimerPaused(app)
    if phase == timer.DONE:
        from pouch.screens.timer_over import TimerOver

        return TimerOver(app)
    from pouch.screens.timer_set import TimerSet

    return TimerSet(app)
