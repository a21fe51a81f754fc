"""Who plays: how many, in which order; then the match begins."""

from pouch.app import BACK, LEFT, LONG, OK
from pouch.screens import PLAYED, Screen, resume
from pouch.ui.discs import DISCS, RINGS
from pouch.ui.fonts import display_12, display_32
from pouch.ui.fonts import text as small
from pouch.words import say


class SetupPlayers(Screen):
    """game: a module of pouch.games. proposed: how many players if it was not played before."""

    HELD = "SETUP"
    HOLDS = 1 << OK
    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, game, proposed):
        self.game = game
        self.NEXT = PLAYED[game.KEY]
        self.options = app.options(game)
        self.count = proposed
        names = list(app.names)
        table = app.table()
        if table and table[0] == game.KEY:
            # The same table once more.
            players = table[1]
            self.count = len(players)
            names = list(players) + [name for name in names if name not in players]
        self.names = names + [name for name in app.own_names() if name not in names]

    def legend(self, app):
        fewest, most = self.game.PLAYERS
        return ("−" if self.count > fewest else "", "BACK", "#START≡", "＋" if self.count < most else "")

    def press(self, app, key, kind, at):
        if key == BACK:
            app.go_home()
        elif key != OK:
            fewest, most = self.game.PLAYERS
            self.count = min(most, max(fewest, self.count + (-1 if key == LEFT else 1)))
        elif kind == LONG:
            from pouch.screens.setup import Setup

            app.show(Setup(self.game, self.names[: self.count], self.options, self._set))
        else:
            app.begin(self.game, self.names[: self.count], self.options)
            app.show(resume(app))

    def _set(self, app, names, options):
        self.options = options
        self.names = names + [name for name in self.names if name not in names]
        app.show(self)

    def render(self, canvas, app):
        canvas.text(display_12, say(self.game.NAME), 1, 1)
        canvas.centred(display_32, str(self.count), 2, 22, 18)
        canvas.text(small, say("players" if self.count > 1 else "solo"), 29, 20)
        for player in range(self.game.PLAYERS[1]):
            discs = DISCS if player < self.count else RINGS
            canvas.draw(discs[player], 68 + 10 * player, 18)
        pitch = 10 if self.count <= 4 else 7
        for player in range(self.count):
            name = canvas.fitted(small, self.names[player], 39)
            canvas.text(small, str(player + 1) + " " + name, 79 if player & 1 else 29, 33 + player // 2 * pitch)
        canvas.seam()
