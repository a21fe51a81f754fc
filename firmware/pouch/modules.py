"""Modules that come and go: RAM holds the rules and screens of one game at a time, beside those of a running match."""

from gc import collect
from sys import modules

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
# Screens before and after a match, and faces, that home does without; who needs them imports them again. Whoever holds
# a face goes with it: else there would be two.
_BETWEEN = (
    "pouch.screens.setup",
    "pouch.screens.name_",
    "pouch.screens.change_scores",
    "pouch.screens.score_list",
    "pouch.screens.result",
    "pouch.screens.game_options",
    "pouch.screens.about",
    "pouch.ui.result",
    "pouch.ui.fonts.display_24",
    "pouch.ui.fonts.display_32",
    "pouch.ui.fonts.display_40",
    "pouch.ui.fonts.display_48",
    "pouch.ui.fonts.display_64",
)


def _between(name):
    for begin in _BETWEEN:
        if name.startswith(begin):
            return True
    return False


def release(keep):
    """Forget the modules of all games but those whose keys are in `keep`."""
    gone = []
    for name in modules:
        end = name.find("_") + 1
        owner = _OF.get(name[:end] if end else name)
        if owner and owner not in keep:
            gone.append(name)
    if not gone:
        return
    gone += [name for name in modules if _between(name)]
    for name in gone:
        package, _, last = name.rpartition(".")
        # The package holds it too.
        if package in modules and hasattr(modules[package], last):
            delattr(modules[package], last)
        del modules[name]
    collect()
