"""An app that trips when ZIP! is called for the first time; once its crash file is there, it does not any more."""

from pouch.hal.files import Files
from pouch.screens import zip_round

_press = zip_round.ZipRound.press


def press(self, app, key, kind, at):
    if key == 0 and not Files("data").size("crash.txt"):
        raise ValueError("pile 10 > 9")
    _press(self, app, key, kind, at)


zip_round.ZipRound.press = press

from pouch.start import start  # noqa: E402

start()
