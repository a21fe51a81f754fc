"""The self-test, 5 of 5: what was found, and for what is wrong what to do."""

from pouch.app import BACK, LEFT
from pouch.screens import Screen
from pouch.screens.selftest import sign
from pouch.ui import listing
from pouch.words import say

# By the part, and for some by what was found: at most three lines of 127 columns.
_WHY = {
    "Glass": ("Noise, or two columns off?", "Set controller to sh1106 in", "board.json. Else: the panel."),
    "Flash": ("Remove files that are not", "Pouch's. If nothing helps:", "this Pico's flash is worn."),
    "Piezo": ("GP pin and GND? It must be", "a passive piezo, or set kind", "to active in board.json."),
    "Keys": ("From its pin to GND?", "Legs that are diagonal are", "the right two."),
    "other": ("It connects to 3V3. Move it", "to GND, or set its active to", "high in board.json."),
    "stuck": ("Down all the time: a bridge", "of solder, or a switch that", "is turned by 90 degrees."),
    "Panel": ("It does not answer at its", "address in board.json now.", "A loose wire?"),
    "SH1106": ("It says it is an SH1106: set", "controller to sh1106 and", "column_offset to 2."),
}


class SelfTestResult(Screen):
    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, below, found, addresses):
        self.below = below
        self.rows = []
        self.chosen = 0
        for part in ("Panel", "Keys", "Piezo", "Flash", "Glass"):
            what = found[part]
            if what not in (True, None):
                self.chosen = 4 - len(self.rows)
            self.rows.insert(0, (part, what))
        self.addresses = " ".join([f"0x{address:02X}" for address in addresses[:3]])

    def legend(self, app):
        wrong = self.rows[self.chosen][1] not in (True, None)
        last = len(self.rows) - 1
        return ("▲" if self.chosen else "", "BACK", "#WHY" if wrong else "#DONE", "▼" if self.chosen < last else "")

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(self.below)
        elif key == LEFT:
            self.chosen = max(0, self.chosen - 1)
        elif key == 3:
            self.chosen = min(len(self.rows) - 1, self.chosen + 1)
        else:
            part, what = self.rows[self.chosen]
            if what in (True, None):
                app.show(self.below)
                return
            from pouch.screens.notice import Notice

            lines = [say(line) for line in _WHY.get(what.split(" ")[-1]) or _WHY[part]]
            app.show(Notice(app, say(part).upper(), lines, self))

    def render(self, canvas, app):
        items = []
        for part, what in self.rows:
            value = sign(what)
            if what not in (True, None):
                value = _said(part, what) + " " + value
            elif part == "Panel":
                value = self.addresses + " " + value
            items.append((say(part), value))
        listing.draw(canvas, say("SELF-TEST"), say("{} OF 5").format(5), items, self.chosen)
        canvas.seam()


def _said(part, what):
    """What is wrong as the table reads it."""
    words = what.split(" ")
    if words[0].isdigit():
        return say("{} kB left").format(words[0])
    if part == "Keys":
        return say(words[0]) + " " + say(words[1])
    return say(what)
