"""Modules that come and go: RAM holds the rules and screens of one game at a time, beside those of a running match."""

from gc import collect
from sys import modules

# By the game's key: how the names of its modules begin.
_OF = {
    "zip_it": ("pouch.games.zip_it", "pouch.screens.zip_", "pouch.ui.zip"),
    "crossed_words": ("pouch.games.crossed_words", "pouch.screens.cw_", "pouch.ui.cw_"),
    "upwords": ("pouch.games.upwords", "pouch.screens.up_", "pouch.ui.up_"),
    "timer": ("pouch.games.timer", "pouch.screens.timer_", "pouch.ui.timer_"),
    "history": (
        "pouch.screens.history",
        "pouch.screens.record",
        "pouch.games.records",
        "pouch.ui.chart",
    ),
    "tally": ("pouch.games.tally", "pouch.screens.tally_", "pouch.ui.cells"),
    "selftest": ("pouch.screens.selftest", "pouch.hal.checks"),
}
# Screens before and after a match, and faces, that home does without; who needs them imports them again. Whoever holds
# a face goes with it: else there would be two.
_BETWEEN = (
    "pouch.screens.setup",
    "pouch.screens.name_",
    "pouch.screens.change_scores",
    "pouch.screens.score_list",
    "pouch.ui.result",
    "pouch.ui.fonts.display_24",
    "pouch.ui.fonts.display_32",
    "pouch.ui.fonts.display_40",
    "pouch.ui.fonts.display_48",
    "pouch.ui.fonts.display_64",
)


def _begins(name, begins):
    for begin in begins:
        if name.startswith(begin):
            return True
    return False


def release(keep):
    """Forget the modules of all games but those whose keys are in `keep`."""
    begins = ()
    for key in _OF:
        if key not in keep:
            begins += _OF[key]
    gone = [name for name in modules if _begins(name, begins)]
    if not gone:
        return
    gone += [name for name in modules if _begins(name, _BETWEEN)]
    for name in gone:
        package, _, last = name.rpartition(".")
        # The package holds it too.
        if package in modules and hasattr(modules[package], last):
            delattr(modules[package], last)
        del modules[name]
    collect()
