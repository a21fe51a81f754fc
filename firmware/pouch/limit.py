"""Time that runs out: the timer's, or the limit of a turn or round in another game. On whatever screen it does.

`App.countdown` is the one that runs, `App.timed` the number of the turn or round that it is for. The screens where a
game begins have time_up(app), and keep to this: `turn` when a turn or round is begun or gone on with, `keep` after an
action within it, `interrupted` in theirs; `app.countdown = None` once the time does not matter any more.
"""

from micropython import const

from pouch.countdown import Countdown
from pouch.cues import LAST_SECONDS, LAST_TEN
from pouch.screens import of
from pouch.stopwatch import minutes
from pouch.words import say

_OFTEN = const(60)  # seconds: from then on each one is kept, before that each fifth
_LAST = const(10)  # seconds that are told


def start(app, ms, at, number=0):
    """A time of `ms` runs from the ticks `at` on."""
    app.countdown = Countdown(ms, at)
    app.timed = number
    keep(app)


def turn(app, number):
    """The turn or round `number` begins, with all of its time if it has a limit, or goes on."""
    limit = app.match.options["limit"]
    if not limit or app.match.state.get("late"):
        app.countdown = None
    elif app.countdown is None or app.timed != number:
        start(app, limit * 1000, app.now, number)
    elif app.countdown.paused:
        app.resume_clock()


def turn_of(state):
    """Of the turn that a state is in: players take turns, round after round."""
    return state["rounds"] * len(state["scores"]) + state["turn"]


def keep(app):
    """What is left, for a power cut: it belongs to the actions so far."""
    if app.countdown and not app.stopwatch:
        app.keep_clock(app.countdown.left, app.countdown.paused)


def interrupted(app, number, whole):
    """After a power cut: what was left when it was kept last, paused; else the `whole`, in ms.

    The line for pouch.screens.interrupted.
    """
    left, paused = app.kept_clock()
    app.countdown = Countdown(min(left or whole, whole), app.now, paused=True)
    app.timed = number
    return None if paused else say("The clock stopped at {}.").format(left_of(app))


def left_of(app):
    """The time that is left, as the glass shows it."""
    return minutes((app.countdown.left + 999) // 1000)


def counted(app, second):
    """So many seconds are left, since just now: once for each. The last ones wake the glass."""
    if second <= _LAST and app.screen.ASLEEP:
        app.show(app.screen.below)
    if not second:
        app.countdown = None
        of(app).time_up(app)
        return
    if second <= app.match.options.get("last", _LAST):
        app.play(LAST_SECONDS if second <= 3 else LAST_TEN)
    if second < _OFTEN or second % 5 == 0:
        keep(app)
