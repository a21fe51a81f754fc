"""A new name by four buttons: LEFT, OK and RIGHT each take a third of the letters, three presses a letter."""

from micropython import const

from pouch.app import BACK, LEFT, LONG, OK
from pouch.screens import Screen
from pouch.settings import LONGEST_NAME
from pouch.ui.fonts import display_12, display_16, display_24, icons
from pouch.ui.fonts import text as small

_PLACES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ✓"  # the last one: the name is done
_DONE = "✓"
# Of a letter whose key is held; with three of them they are chosen like letters.
_ACCENTS = {"A": "ÁÀÄ", "E": "ÉÈ", "I": "Í", "N": "Ñ", "O": "ÓÖ", "U": "ÚÜ"}
_KEYS = (LEFT, OK, 3)
_BOXES = (0, 64, 96)  # their columns
_NAME_LEFT = const(13)
_NAME_ROOM = const(96)  # with the cursor behind it


class NameEntry(Screen):
    """number: the player's, 1 to 6. taken: names that are here already. done(app, name): where a new name goes.
    below: the screen that BACK leads to while there is no letter."""

    HELD = ""

    def __init__(self, number, taken, done, below):
        self.number = number
        self.taken = taken
        self.done = done
        self.below = below
        self.name = ""
        self._left = _PLACES  # what can still be meant: 27, 9, 3 letters or some accents
        self.HOLDS = 0

    def _thirds(self):
        count = (len(self._left) + 2) // 3
        return [self._left[i * count : (i + 1) * count] for i in range(3)]

    def legend(self, app):
        tabs = []
        for third in self._thirds():
            if not third:
                tabs.append("")
            elif len(third) == 1:
                tabs.append("#" + third + ("≡" if third in _ACCENTS else ""))
            else:
                tabs.append("#" + third[0] + "–" + third[-1])
        back = "BACK" if len(self._left) < len(_PLACES) or not self.name else "DEL"
        return (tabs[0], back, tabs[1], tabs[2])

    def press(self, app, key, kind, at):
        if key == BACK:
            if len(self._left) < len(_PLACES):
                self._ask(app, _PLACES)
            elif self.name:
                self.name = self.name[:-1]
            else:
                app.show(self.below)
            return
        third = self._thirds()[_KEYS.index(key)]
        if len(third) > 1:
            self._ask(app, third)
        elif kind == LONG:
            accents = _ACCENTS[third]
            if len(accents) > 1:
                self._ask(app, accents)
            else:
                self._take(app, accents)
        elif third == _DONE:
            self._finish(app)
        else:
            self._take(app, third)

    def _ask(self, app, letters):
        self._left = letters
        self.HOLDS = 0
        thirds = self._thirds()
        for i in range(3):
            if thirds[i] in _ACCENTS:
                self.HOLDS |= 1 << _KEYS[i]
        app.show(self)  # a key that is still down has done its work

    def _take(self, app, letter):
        if len(self.name) == LONGEST_NAME:
            # Somebody else has it: DEL comes first.
            self._ask(app, _PLACES)
            app.refuse()
            return
        self.name += letter
        self._ask(app, _PLACES)
        if len(self.name) == LONGEST_NAME:
            self._finish(app)

    def _finish(self, app):
        if not self.name or self.name in self.taken:
            self._ask(app, _PLACES)
            app.refuse()
        else:
            self.done(app, self.name)

    def render(self, canvas, app):
        canvas.draw(icons.GLYPHS["disc_" + str(self.number)], 0, 3)
        face = display_16
        # An accent stands over its letter: on the first row there is no room for it.
        if canvas.width(face, self.name) > _NAME_ROOM or len(self.name.encode()) > len(self.name):
            face = display_12
        x = _NAME_LEFT
        for letter in self.name:
            # One more than in a word, as on the mark that waits for the next one.
            x = canvas.text(face, letter, x, 16 - face.HEIGHT) + 2
        x += 1 if self.name else 0
        rest = LONGEST_NAME - len(self.name)
        if rest:
            canvas.fill(x, 13, 8, 3)
        for i in range(1, rest):
            if x + 1 + 10 * i < 122:
                canvas.fill(x + 1 + 10 * i, 15, 7, 1)
        thirds = self._thirds()
        for i in range(3):
            if thirds[i]:
                self._box(canvas, _BOXES[i], thirds[i])
        canvas.seam()

    def _box(self, canvas, x, letters):
        canvas.plate(x, 19, 32, 34)
        canvas.fill(x + 1, 20, 30, 32, 0)
        if len(letters) == 1:
            if letters == _DONE:
                canvas.centred(small, letters, x, x + 32, 33)
            elif letters in _PLACES:
                canvas.centred(display_24, letters, x, x + 32, 24)
            else:
                canvas.centred(display_16, letters, x, x + 32, 29)
            return
        for i in range(len(letters)):
            if len(letters) > 3:
                left = x + 1 + 10 * (i % 3)
                y = 23 + 10 * (i // 3)
                if letters[i] == _DONE:
                    left += 1
                    y -= 1
                canvas.centred(small, letters[i], left, left + 10, y)
            else:
                left = x + 3 + 9 * i
                canvas.centred(small, letters[i], left, left + 8, 33)
