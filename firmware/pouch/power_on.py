"""What is done once, at power-on: the app as it was left, and what the table is to be told of it."""

from micropython import const

from pouch.app import App
from pouch.screens.home import Home
from pouch.store import Store
from pouch.words import say

_SH1106 = const(8)  # in the lower half of a status byte
# What the table calls a value that is kept, where that is not its file's name.
_CALLED = {"solo": "solo scores", "duration": "time played"}


def power_on(device):
    """The app, ready to run: its first screen is home, or a notice over it."""
    app = App(device, Home, Store(device.files))
    if device.oled.lost or (not app.store.orders and device.oled.bus.status() & 15 == _SH1106):
        from pouch.beacon import Beacon

        app.beacon = Beacon(app)
    notices = []
    if app.power_cut:
        notices.append((say("POWER CUT"), (app.power_cut, say("Scores are as they were."))))
    problems = app.store.problems
    if problems:
        more = say("and {} more; see README" if len(problems) > 1 else "It is kept, as a .bad file.")
        lines = (_said(problems[0]), more.format(len(problems) - 1), say("All else is as it was."))
        notices.append((say("PLAYING ON"), lines))
    if device.problem:
        lines = (device.problem, say("The keys are where a plain"), say("Pico has them."))
        notices.append((say("PLAYING ON"), lines))
    if notices:
        from pouch.screens.notice import Notice

        for headline, lines in notices:
            app.show(Notice(app, headline, lines, app.screen))
    return app


def _said(problem):
    """A line of the store: of a value that is kept, or with the number of a match in it."""
    problem, _, name = problem.partition(": ")
    if name:
        name = name[:-1]
        return say(problem + ": {}.").format(say(_CALLED.get(name, name)))
    for word in problem.split(" "):
        if word.isdigit():
            return say(problem.replace(word, "{}")).format(word)
    return say(problem)
