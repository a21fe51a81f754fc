"""Home: the running match first, then the games."""

from pouch.app import OK
from pouch.screens import Screen, resume
from pouch.ui.fonts import display_16, icons
from pouch.ui.fonts import text as small


class Home(Screen):
    # What is needed next; imported while the first screen stands, so that it stands soon.
    NEXT = (
        "pouch.games.zip_it",
        "pouch.match",
        "pouch.screens.zip_ready",
        "pouch.screens.zip_round",
        "pouch.screens.zip_call",
        "pouch.screens.zip_question",
        "pouch.screens.zip_point",
        "pouch.screens.zip_win",
        "pouch.screens.menu",
        "pouch.screens.confirm",
    )

    def __init__(self, app):
        match = app.match
        # A match that nobody has begun is none yet.
        self.running = match is not None and bool(match.journal) and match.outcome() is None
        self.chosen = 0 if self.running else 1  # of the cells: the running match, ZIP-IT

    def legend(self, app):
        left = "◀" if self.running and self.chosen else ""
        right = "▶" if self.running and not self.chosen else ""
        return (left, "", "#GO ON" if self.chosen == 0 else "#PLAY", right)

    def press(self, app, key, kind, at):
        if key == OK:
            if self.chosen == 0:
                self._play_on(app)
            elif self.running:
                # One press never destroys: the running match goes only if somebody says so.
                a, b = app.match.state["scores"]
                line = f"{app.match.players[0]} {a} : {b} {app.match.players[1]}"
                from pouch.screens.confirm import Confirm

                answers = (("Play on", "", self._play_on), ("End it", "and start anew", _new))
                app.show(Confirm("END MATCH?", line, answers, self))
            else:
                _new(app)
        else:
            self.chosen = 1 - self.chosen

    def _play_on(self, app):
        if app.stopwatch:
            app.stopwatch.resume(app.now)
        app.show(resume(app))

    def render(self, canvas, app):
        if self.chosen == 0:
            self._match(canvas, app.match)
        else:
            canvas.text(display_16, "ZIP-IT", 1, 2)
            canvas.text(small, "2 players · first to ten zips", 1, 23)
        self._cell(canvas, 0, "home_go_on", self.running)
        self._cell(canvas, 1 if self.running else 0, "home_zip_it", True)
        canvas.seam()

    def _match(self, canvas, match):
        from pouch.ui import zip_board
        from pouch.ui.fonts import display_24

        state = match.state
        canvas.text(small, "ZIP-IT", 1, 1)
        canvas.right(small, f"round {state['rounds'] + 1}", 127, 1)
        score = f"{state['scores'][0]}:{state['scores'][1]}"
        canvas.centred(display_24, score, 0, 128, 8)
        leader = zip_board.leader(state)
        x = canvas.text(small, match.players[0], 1, 17)
        if leader == 0:
            canvas.text(small, "♛", x + 2, 17)
        width = canvas.width(small, match.players[1]) + (9 if leader == 1 else 0)
        x = canvas.text(small, match.players[1], 127 - width, 17)
        if leader == 1:
            canvas.text(small, "♛", x + 2, 17)

    def _cell(self, canvas, cell, icon, shown):
        if not shown:
            return
        chosen = (cell == 0) if not self.running else (cell == self.chosen)
        if chosen:
            canvas.plate(cell * 16, 35, 16, 16, 1, 2)
        canvas.draw(icons.GLYPHS[icon], cell * 16, 35, 0 if chosen else 1)


def _new(app):
    from pouch.games import zip_it
    from pouch.screens.zip_ready import ZipReady

    app.begin(zip_it, app.names)
    app.show(ZipReady(app))
