"""The self-test, 2 and 3 of 5: the flash and the bus, which answer for themselves; the piezo and the LED."""

from pouch.app import BACK, LEFT
from pouch.hal import checks
from pouch.presses import LONG
from pouch.screens import Screen
from pouch.screens.selftest import ALL, head
from pouch.sound import LOUD
from pouch.ui.fonts import text as small
from pouch.words import say

_LEAST_KB = 64  # of free flash: some two hundred finished matches
_TONES = ((440, 400), (0, 200), (1320, 400), (0, 200), (2640, 400))


class SelfTestSound(Screen):
    HOLDS = ALL
    HELD = "SKIP"

    def __init__(self, app, below, found):
        self.below = below
        self.found = found
        began = app.device.now()
        wrong, free = checks.flash(app.device.files)
        app.device.keys.blind(began, app.device.now())
        found["Flash"] = wrong or (f"{free} kB left" if free < _LEAST_KB else True)
        how, self.addresses = checks.panel(app.device)
        found["Panel"] = "silent" if how != checks.FOUND else "SH1106" if checks.unlike(app.device) else True
        self._volume = app.sound.volume
        self._play(app)

    def _play(self, app):
        # Whatever is set: a piezo that is not heard is not tested.
        app.sound.volume = LOUD
        app.play(_TONES)

    def legend(self, app):
        return ("AGAIN", "NO", "#YES≡", "")

    def press(self, app, key, kind, at):
        if kind != LONG and key == LEFT:
            self._play(app)
            return
        app.sound.stop()
        app.sound.volume = self._volume
        from pouch.screens.selftest_keys import SelfTestKeys

        self.found["Piezo"] = None if kind == LONG else "no tone" if key == BACK else True
        app.show(SelfTestKeys(app, self.below, self.found, self.addresses))

    def render(self, canvas, app):
        head(canvas, 3, self.found)
        canvas.text(small, say("Three tones, each one higher?"), 1, 26)
        if app.device.board.get("led"):
            canvas.text(small, say("And the light on with each?"), 1, 37)
        canvas.seam()
