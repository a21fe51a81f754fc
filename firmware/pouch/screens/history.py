"""The finished matches, the latest first."""

from pouch.games import records
from pouch.screens.listed import Listed
from pouch.ui import listing
from pouch.ui.fonts import text as small
from pouch.words import say


class History(Listed):
    """below: home. at: the match that is chosen, 0 the latest."""

    NEXT = ("pouch.screens.record", "pouch.screens.confirm")

    def __init__(self, app, below, at=0):
        self.below = below
        self.rows = _Rows(app)
        self.chosen = max(0, min(at, len(self.rows) - 1))

    def legend(self, app):
        return super().legend(app) if len(self.rows) else ("", "#BACK", "", "")

    def count(self, app):
        return len(self.rows)

    def ok(self, app):
        return "#OPEN" if self.rows.order(self.chosen) else ""

    def choose(self, app):
        from pouch.screens.record import Record

        app.show(Record(app, self.rows.order(self.chosen), self))

    def render(self, canvas, app):
        count = len(self.rows)
        heading = say("1 MATCH" if count == 1 else "{} MATCHES").format(count)
        listing.draw(canvas, say("HISTORY"), heading if count else "", self.rows, self.chosen)
        if not count:
            canvas.text(small, say("No match has come to its end."), 1, 20)
        canvas.seam()


class _Rows:
    """What the list shows, read as it comes into view: no more than those at once are in memory."""

    def __init__(self, app):
        self._store = app.store
        self._canvas = app.canvas
        self._orders = app.store.finished()
        self._seen = []  # (index, row), the latest last

    def __len__(self):
        return len(self._orders)

    def order(self, index):
        """The number of the match, 0 if its record cannot be read."""
        return self._orders[-1 - index]

    def __getitem__(self, index):
        for other, row in self._seen:
            if other == index:
                return row
        record = self._store.finished_match(self.order(index))
        if record is None:
            row = (say("{} cannot be read").format(self.order(index)), "")
        else:
            value = records.winner(record, say)
            room = 114 - self._canvas.width(small, value)
            row = (self._canvas.fitted(small, records.title(record, say), room), value)
        self._seen.append((index, row))
        del self._seen[: -listing.ROWS]
        return row
