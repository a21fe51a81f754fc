"""One finished match: who won, how it went, round by round, what the players have reached in all, by which rules."""

from micropython import const

from pouch.app import BACK, LEFT, OK
from pouch.games import GAMES, records
from pouch.screens import Screen
from pouch.ui import chart, listing, rounds, verdict
from pouch.ui.canvas import DOTS
from pouch.ui.discs import SMALL_DISCS
from pouch.ui.fonts import text as small
from pouch.words import say

_AT_ONCE = const(3)  # records that are read in one step
_HEADING = const(121)  # columns for both of its texts, so that they stand apart
_WON = const(78)  # where the columns of the totals end
_BEST = const(100)
_MEAN = const(126)
_NAME_ROOM = const(46)


class Record(Screen):
    """order: the number of the match. below: the history."""

    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app, order, below):
        self.below = below
        self.order = order
        self.record = app.store.finished_match(order)
        self.page = 0
        self._last = 0
        if self.record:
            # After the picture the rounds and the end, five a page, then the players, then the rules.
            self._rows = rounds.rows(self.record["rounds"], records.final(self.record))
            self._last = 2 + (len(self._rows) + rounds.ROWS - 1) // rounds.ROWS
        self._totals = None
        self._to_read = []

    def legend(self, app):
        # Two questions keep what would be lost: a page of its own behind all others was found by nobody.
        return ("▲" if self.page else "", "BACK", "DELETE", "▼" if self.page < self._last else "")

    def press(self, app, key, kind, at):
        if key == BACK:
            app.show(self.below)
        elif key == OK:
            self._ask(app)
        else:
            self.page = max(0, min(self._last, self.page + (-1 if key == LEFT else 1)))
            if self.page == self._last - 1 and self._totals is None:
                self._totals = [records.Totals(self.record["game"], name) for name in self.record["players"]]
                self._to_read = list(app.store.finished())

    def render(self, canvas, app):
        record = self.record
        if record is None:
            canvas.text(small, str(self.order), 1, 1)
            canvas.text(small, say("It cannot be read."), 1, 20)
        elif self.page == 0:
            self._picture(canvas)
        elif self.page == self._last:
            self._rules(canvas)
        elif self.page == self._last - 1:
            self._players(canvas)
        else:
            discs = SMALL_DISCS if len(record["players"]) > 3 else None
            played = len(record["rounds"])
            rounds.draw(canvas, record["players"], discs, self._rows, played, rounds.ROWS * (self.page - 1))
        canvas.seam()

    def _picture(self, canvas):
        record = self.record
        count = record["length"]
        title = records.title(record, say)
        value = say("1 ROUND" if count == 1 else "{} ROUNDS").format(count)
        if record["seconds"] is not None:
            time = say(", {} MIN").format((record["seconds"] + 30) // 60)
            value += time
            if canvas.width(small, title) + canvas.width(small, value) > _HEADING:
                value = time[2:]  # the rounds are numbered on the next pages
        canvas.text(small, canvas.fitted(small, title, 124 - canvas.width(small, value)), 1, 1)
        canvas.right(small, value, 127, 1)
        canvas.draw(DOTS, 0, 8)
        verdict.draw(canvas, 10, record["players"], record["winners"], records.score(record, " : "))
        if record["rounds"]:
            chart.draw(canvas, record["players"], self._rows, [player for player, _, _ in record["standings"]])
        else:
            canvas.text(small, say("It ended in its first round."), 1, 32)

    def _players(self, canvas):
        """All that has been kept of this game, whoever else played."""
        canvas.text(small, say(records.TITLES[self.record["game"]]).upper(), 1, 1)
        # A long title leaves no room for a word on who has won.
        canvas.right(small, "♛", _WON, 1)
        canvas.right(small, say("BEST"), _BEST, 1)
        canvas.right(small, say("MEAN"), _MEAN, 1)
        canvas.draw(DOTS, 0, 8)
        pitch = 9 if len(self._totals) < 6 else 7
        y = 10
        for totals in self._totals:
            canvas.text(small, canvas.fitted(small, totals.name, _NAME_ROOM), 1, y)
            if self._to_read:
                canvas.right(small, "–", 126, y)
            else:
                won = str(totals.wins) + "/" + str(totals.matches) if len(self._totals) > 1 else "–"
                canvas.right(small, won, _WON, y)
                canvas.right(small, str(totals.best), _BEST, y)
                canvas.right(small, str(totals.average), _MEAN, y)
            y += pitch

    def _rules(self, canvas):
        from pouch.screens.setup_options import shown

        labels = {}
        for key, label, _, _, _ in GAMES[self.record["game"]].OPTIONS:
            labels[key] = say(label)
        rows = [(labels.get(key, key), shown(value, key)) for key, value in self.record["options"]]
        listing.draw(canvas, records.title(self.record, say), say("RULES"), rows, -1)

    # -- the players' totals are read while they are looked at ------------------------------------

    def wake(self, app, now):
        return now if self._to_read else None

    def tick(self, app, now):
        for _ in range(min(_AT_ONCE, len(self._to_read))):
            record = app.store.finished_match(self._to_read.pop(0))
            if record:
                for totals in self._totals:
                    totals.add(record)

    def update(self, canvas, app):
        # Nothing to see before all is read.
        return bool(self._to_read)

    # -- delete ------------------------------------------------------------------------------------

    def _ask(self, app):
        from pouch.screens.confirm import Confirm

        line = (
            records.title(self.record, say) + ", " + records.winner(self.record, say)
            if self.record
            else str(self.order)
        )
        answers = ((say("Keep it"), "", self._keep), (say("Delete it"), "", self._ask_again))
        app.show(Confirm(say("DELETE IT?"), line, answers, self))

    def _ask_again(self, app):
        from pouch.screens.confirm import Confirm

        answers = ((say("Keep it"), "", self._keep), (say("Delete it"), say("for good"), self._delete))
        app.show(Confirm(say("REALLY?"), say("Nothing brings it back."), answers, self))

    def _keep(self, app):
        app.show(self)

    def _delete(self, app):
        from pouch.screens.history import History

        app.store.erase(self.order)
        app.show(History(app, self.below.below, self.below.chosen))
