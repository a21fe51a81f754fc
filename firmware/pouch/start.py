"""Power-on: the safe-mode check, then the app; and what happens if it trips."""

from micropython import const

from pouch.hal.device import Device

_BACK = const(2)  # in the mask of the keys
_SH1106 = const(8)  # in the lower half of a status byte
_MOST_TRIPS = const(3)  # then the app is not started again by itself


def start():
    """Run the app until the power goes; return at once if BACK is held."""
    device = Device()
    if device.keys.mask() & _BACK:
        device.silence()
        print("Pouch: BACK is held, so the app does not start. Reset to play.")
        return
    try:
        _play(device)
    except Exception as error:
        # Not Ctrl-C: that is no Exception, and ends at the prompt.
        device.silence()
        from pouch import crash

        crash.tell(device, error)


def _play(device):
    if device.watchdog and device.watchdog.bit:
        from pouch import crash

        crash.hung(device)
    if device.tripped >= _MOST_TRIPS:
        from pouch import crash

        crash.stay(device)
    from pouch.app import App
    from pouch.screens.home import Home
    from pouch.store import Store
    from pouch.words import say

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
    app.run()


def _said(problem):
    """A line of the store, which may have a number in it."""
    from pouch.words import say

    for word in problem.split(" "):
        if word.isdigit():
            return say(problem.replace(word, "{}")).format(word)
    return say(problem)
