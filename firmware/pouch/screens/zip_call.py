"""ZIP!: who called first, and by how much. The keys are dead while it stands, but for the other player's call."""

from micropython import const

from pouch.app import DOWN, LEFT
from pouch.cues import HEAT
from pouch.games import zip_it
from pouch.screens import Screen
from pouch.stopwatch import minutes
from pouch.ticks import later, since
from pouch.ui import zip_board
from pouch.ui.fonts import display_12, display_16, display_24
from pouch.ui.fonts import text as small
from pouch.words import say

_SHOWN_US = const(1_200_000)
_WINDOW_US = const(1_000_000)  # a later call of the other player is no contest
_HEAT_US = const(1000)


class ZipCall(Screen):
    """player: who called first, at the ticks `at`. lead_us: to the other's call, -1: none yet."""

    RACE = True

    def __init__(self, app, player, at):
        self.player = player
        self.at = at
        self.seconds = app.stopwatch.at(at)
        self.lead_us = -1

    @property
    def lead_ms(self):
        """Rounded, not cut: an interrupt that was a few us late must not make 2 ms of 3."""
        return (self.lead_us + 500) // 1000

    @property
    def heat(self):
        return 0 <= self.lead_us < _HEAT_US

    def legend(self, app):
        return ()

    def press(self, app, key, kind, at):
        other = LEFT if zip_board.side(app.canvas, self.player) else 3
        if kind != DOWN or key != other or self.lead_us >= 0:
            return
        lead = since(at, self.at)
        if 0 <= lead < _WINDOW_US:
            self.lead_us = lead
            if self.heat:
                app.play(HEAT)

    def render(self, canvas, app):
        players = app.match.players
        for player in (0, 1):
            left = 64 * zip_board.side(canvas, player)
            first = self.heat or player == self.player
            if first:
                canvas.fill(left, 0, 64, 64)
                canvas.centred(display_24, say("ZIP!"), left, left + 64, 3, 0)
            elif self.lead_us >= 0:
                lead = f"+{self.lead_ms}"
                width = canvas.width(display_16, lead) + 2 + canvas.width(small, "ms")
                x = canvas.text(display_16, lead, left + (64 - width) // 2, 9)
                canvas.text(small, "ms", x + 2, 19)
            else:
                canvas.centred(display_16, minutes(self.seconds), left, left + 64, 9)
            name = players[player]
            ink = 0 if first else 1
            if canvas.width(display_12, name) <= 62:
                canvas.centred(display_12, name, left, left + 64, 32, ink)
            else:
                canvas.centred(small, name, left, left + 64, 36, ink)
        self._strip(canvas)

    def _strip(self, canvas):
        """Both calls on a time line: 2 columns a ms up to 30 ms, then 1 each 2 ms up to 120, then a broken line."""
        both = self.heat
        right = zip_board.side(canvas, self.player)
        for side in (0, 1):
            ink = 0 if both or side == right else 1
            left = 64 * side
            canvas.fill(left, 59, 64, 1, ink)
            for x in range(left, left + 64, 4):
                canvas.fill(x, 60, 1, 1, ink)
            for x in range(left + (0 if side else 4), left + 64, 20):
                canvas.fill(x, 61, 1, 2, ink)
        if both:
            self._mark(canvas, 64, False)
            return
        if self.lead_us < 0:
            self._mark(canvas, 96 if right else 32, False)
            return
        ms = self.lead_ms
        length = 2 * min(ms, 30) + min(max(0, ms - 30), 90) // 2
        towards = -1 if right else 1
        first = 64 - towards * (length // 2)
        other = first + towards * length
        self._mark(canvas, first, False)
        self._mark(canvas, other, True)
        a, b = min(first, other) + 4, max(first, other) - 4
        if b - a >= 4:
            for x in range(a, b + 1):
                if ms <= 120 or x % 4 < 2:
                    self._ink(canvas, x, 54, 1)
            for x in (a + 1, b - 1):
                self._ink(canvas, x, 53, 1)
                self._ink(canvas, x, 55, 1)

    def _mark(self, canvas, x, dotted):
        for column in (x - 1, x, x + 1):
            for y in range(50, 59, 2 if dotted else 1):
                self._ink(canvas, column, y, 1)

    def _ink(self, canvas, x, y, height):
        white = self.heat or (x >= 64) == zip_board.side(canvas, self.player)
        canvas.fill(x, y, 1, height, 0 if white else 1)

    def wake(self, app, now):
        return later(self.at, _SHOWN_US)

    def tick(self, app, now):
        from pouch.screens.zip_question import question

        if self.heat:
            app.match.do((zip_it.HEAT, self.seconds))
        else:
            lead = -1 if self.lead_us < 0 else self.lead_ms
            app.match.do((zip_it.ZIP, self.player, self.seconds, lead))
        app.show(question(app))
