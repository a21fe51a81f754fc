"""Modules that come and go: RAM holds the rules and screens of one game at a time, beside those of a running match."""

from gc import collect
from sys import modules

from pouch import forget

# Whose a module is, by its name up to the first "_": a look a module, as a press waits for it.
_OF = {
    "pouch.games.zip_": "zip_it",
    "pouch.screens.zip_": "zip_it",
    "pouch.ui.zip_": "zip_it",
    "pouch.ui.zipper": "zip_it",
    "pouch.games.crossed_": "crossed_words",
    "pouch.screens.cw_": "crossed_words",
    "pouch.ui.cw_": "crossed_words",
    "pouch.games.upwords": "upwords",
    "pouch.screens.up_": "upwords",
    "pouch.ui.up_": "upwords",
    "pouch.games.timer": "timer",
    "pouch.screens.timer_": "timer",
    "pouch.ui.timer_": "timer",
    "pouch.games.tally": "tally",
    "pouch.screens.tally_": "tally",
    "pouch.ui.cells": "tally",
    "pouch.screens.history": "history",
    "pouch.screens.record": "history",
    "pouch.games.records": "history",
    "pouch.ui.chart": "history",
    "pouch.screens.selftest": "selftest",
    "pouch.screens.selftest_": "selftest",
    "pouch.hal.checks": "selftest",
}
# What was there before any of the rest: home's own. It is imported first of all that comes in idle time.
_HOME = list(modules)


def _owner(name):
    end = name.find("_") + 1
    return _OF.get(name[:end] if end else name)


def release(keep):
    """Forget the modules of all games but those whose keys are in `keep`.

    Without any of these there, everything goes that home does without: who needs it imports it again.
    """
    gone = []
    kept = False
    for name in modules:
        owner = _owner(name)
        if owner:
            if owner in keep:
                kept = True
            else:
                gone.append(name)
    if not gone:
        return
    if not kept:
        # Else whoever is kept would hold one of them, and the next to import it had another.
        gone += [name for name in modules if name.startswith("pouch.") and name not in _HOME and not _owner(name)]
    for name in gone:
        forget(name)
    collect()
