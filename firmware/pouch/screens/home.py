"""Home: the running match first, then the games; history and settings at the right."""

from pouch.app import BACK, LEFT, OK
from pouch.screens import PLAYED, Screen, of, resume
from pouch.ui.fonts import display_16, home_icons
from pouch.ui.fonts import text as small
from pouch.words import say


class Home(Screen):
    def __init__(self, app):
        self.running = app.match is not None
        # Of the cells: the running match, if there is one, then the games.
        self.chosen = 0
        table = app.table()
        if table and not self.running:
            for i in range(len(_GAMES)):
                if _GAMES[i][0] == table[0]:
                    self.chosen = i
        self.fresh = not app.store.orders  # nobody has ever played on it: whoever built it may want to test it
        self._look(app)

    def legend(self, app):
        test = "TEST" if self.fresh else ""
        return ("◀", test, "#GO ON" if self._on_match() else "#OPEN" if self._apart() else "#PLAY", "▶")

    def press(self, app, key, kind, at):
        if key == BACK:
            from pouch.screens.selftest import SelfTest

            app.show(SelfTest(self))
        elif key != OK:
            cells = len(_GAMES) + len(_APART) + (1 if self.running else 0)
            self.chosen = (self.chosen + (-1 if key == LEFT else 1)) % cells
            self._look(app)
            app.preload(self.NEXT, self.OWNER)
        elif self._on_match():
            self._play_on(app)
        elif self._apart():
            self._apart()[3](app, self)
        else:
            new = self._game()[3]
            if self.running:
                # One press never destroys: the running match goes only if somebody says so.
                from pouch.screens.confirm import Confirm

                answers = ((say("Play on"), "", self._play_on), (say("End it"), say("and start anew"), new))
                app.show(Confirm(say("END MATCH?"), of(app).standing(app), answers, self))
            else:
                new(app)

    def _on_match(self):
        return self.running and self.chosen == 0

    def _apart(self):
        """The row of what is no game, None on a game."""
        i = self.chosen - len(_GAMES) - (1 if self.running else 0)
        return _APART[i] if i >= 0 else None

    def _look(self, app):
        """Which modules OK needs, and whose they are: a game's, or of what stands apart."""
        if self._apart():
            self.OWNER = self._apart()[0]
        else:
            self.OWNER = app.match.game.KEY if self._on_match() else self._game()[0]
        self.NEXT = self._next(app)

    def _next(self, app):
        """What PLAY or GO ON needs, and what comes after it: now is the time."""
        if self._apart():
            return ("pouch.modules", "pouch.screens." + self._apart()[0])
        if self.running and not self._on_match():
            return ()  # two games at once are more than RAM holds with ease
        return ("pouch.modules",) + PLAYED[self.OWNER]

    def _game(self):
        return _GAMES[self.chosen - (1 if self.running else 0)]

    def _play_on(self, app):
        app.resume_clock()
        app.show(resume(app))

    def render(self, canvas, app):
        if self._on_match():
            of(app).summary(canvas, app)
        else:
            name, line = [say(text) for text in (self._apart() or self._game())[1:3]]
            if canvas.width(display_16, name) <= 127:
                canvas.text(display_16, name, 1, 2)
            else:
                from pouch.ui.fonts import display_12

                canvas.text(display_12, name, 1, 4)
            canvas.text(small, line, 1, 23)
        first = 0
        if self.running:
            self._cell(canvas, 0, "go_on", self._on_match())
            first = 1
        for i in range(len(_GAMES)):
            self._cell(canvas, 16 * (first + i), _GAMES[i][0], first + i == self.chosen)
        for i in range(len(_APART)):
            self._cell(canvas, 128 - 16 * (len(_APART) - i), _APART[i][0], _APART[i] is self._apart())
        canvas.seam()

    def _cell(self, canvas, x, icon, chosen):
        if chosen:
            canvas.plate(x, 35, 16, 16, 1, 2)
        canvas.draw(home_icons.GLYPHS[icon], x, 35, 0 if chosen else 1)


def _zip_it(app):
    from pouch.games import zip_it
    from pouch.screens.zip_ready import ZipReady

    table = app.table()
    if table and table[0] == "zip_it":
        # The same two once more.
        app.begin(zip_it, table[1], app.options(zip_it))
    else:
        app.begin(zip_it, app.names[:2], app.options(zip_it))
    app.show(ZipReady(app))


def _crossed_words(app):
    from pouch.games import crossed_words
    from pouch.screens.setup_players import SetupPlayers

    app.show(SetupPlayers(app, crossed_words, 4))


def _upwords(app):
    from pouch.games import upwords
    from pouch.screens.setup_players import SetupPlayers

    app.show(SetupPlayers(app, upwords, 2))


def _timer(app):
    from pouch.screens.timer_set import TimerSet

    app.show(TimerSet(app))


def _tally(app):
    from pouch.games import tally
    from pouch.screens.setup_players import SetupPlayers

    app.show(SetupPlayers(app, tally, 2))


def _history(app, home):
    from pouch.screens.history import History

    app.show(History(app, home))


def _settings(app, home):
    from pouch.screens.settings import Settings

    app.show(Settings(home))


# (key and icon, name, line below it, what PLAY does), one cell each
_GAMES = (
    ("zip_it", "ZIP-IT", "2 players · first to ten zips", _zip_it),
    ("crossed_words", "CROSSED WORDS", "3–6 players · race to seven", _crossed_words),
    ("upwords", "UPWORDS", "2–4 players, or solo", _upwords),
    ("timer", "TIMER", "a countdown for any game", _timer),
    ("tally", "TALLY", "1–6 players · any other game", _tally),
)
# The same, at the right edge: (module and icon, name, line, what OPEN does)
_APART = (
    ("history", "HISTORY", "what has been played", _history),
    ("settings", "SETTINGS", "sound, light", _settings),
)
