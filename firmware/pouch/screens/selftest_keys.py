"""The self-test, 4 of 5: each key is pressed once. A plate fills when it was; a bar above it: it is down right now."""

from micropython import const

from pouch.hal import checks
from pouch.presses import LONG
from pouch.screens import Screen
from pouch.screens.selftest import ALL, head
from pouch.ticks import later
from pouch.ui.fonts import text as small
from pouch.words import say

_LOOK_US = const(40_000)
_NAMES = ("LEFT", "BACK", "OK", "RIGHT")


class SelfTestKeys(Screen):
    """addresses: who answers on the bus."""

    HOLDS = ALL
    HELD = ""

    def __init__(self, app, below, found, addresses):
        self.below = below
        self.found = found
        self.addresses = addresses
        self.seen = 0  # masks, as the glass is read
        self.down = 0
        self.stuck = 0
        self.wrong = 0  # they pull to the side that board.json does not say

    def legend(self, app):
        return ()

    def wake(self, app, now):
        return later(now, _LOOK_US)

    def tick(self, app, now):
        self.stuck = app.keys(app.presses.stuck)
        down = 0
        for key in range(4):
            down |= app.presses.down(key) << key
        self.down = app.keys(down)
        self.wrong |= app.keys(checks.wrong_way(app.device))

    def press(self, app, key, kind, at):
        if kind != LONG:
            self.seen |= 1 << key
            if self.seen != ALL:
                return
        from pouch.screens.selftest_result import SelfTestResult

        self.found["Keys"] = self._found()
        app.show(SelfTestResult(self.below, self.found, self.addresses))

    def _found(self):
        """Of the keys that are not good the first one."""
        for key in range(4):
            word = self._word(key)
            if word != _NAMES[key]:
                return f"{_NAMES[key]} {word.lower()}"
        for key in range(4):
            if not self.seen >> key & 1:
                return f"{_NAMES[key]} dead"
        return True

    def _word(self, key):
        if self.stuck >> key & 1:
            return "STUCK"
        return "OTHER" if self.wrong >> key & 1 else _NAMES[key]

    def update(self, canvas, app):
        return False

    def render(self, canvas, app):
        head(canvas, 4, self.found)
        canvas.text(small, say("Press each key"), 1, 23)
        addresses = " ".join([f"0x{address:02X}" for address in self.addresses[:3]])
        canvas.right(small, say("bus {}" if addresses else "bus silent").format(addresses), 127, 23)
        for key in range(4):
            x = 2 + 32 * key
            if self.down >> key & 1:
                canvas.fill(x + 2, 32, 24, 2)
            seen = self.seen >> key & 1
            canvas.plate(x, 35, 28, 16, 1, 1 + seen)
            if not seen:
                canvas.plate(x + 1, 36, 26, 14, 0, 0)
            canvas.centred(small, say(self._word(key)), x, x + 28, 40, 0 if seen else 1)
        canvas.seam()
        canvas.centred(small, say("HOLD: SKIP"), 0, 128, 57)
