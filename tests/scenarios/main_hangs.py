"""An app with the watchdog on, of which the loop hangs when ZIP! is called for the first time."""

from time import sleep_ms

from pouch.hal import board, files
from pouch.screens import zip_round

_load = board.load
_press = zip_round.ZipRound.press


def load(path):
    found, problem = _load(path)
    found["watchdog"] = True
    return found, problem


def press(self, app, key, kind, at):
    while key == 0 and not files.Files("data").size("crash.txt"):
        sleep_ms(100)
    _press(self, app, key, kind, at)


board.load = load
zip_round.ZipRound.press = press

from pouch.start import start  # noqa: E402

start()
