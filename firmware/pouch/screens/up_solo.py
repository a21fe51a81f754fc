"""Upwords for one: the score, the best one so far, and how many tiles may still be exchanged."""

from micropython import const

from pouch.frames import Damaged
from pouch.games import upwords
from pouch.screens.up_turn import UpTurn, clock
from pouch.store import Newer
from pouch.ui import up_board
from pouch.ui.fonts import display_12, display_16, display_24
from pouch.ui.fonts import text as small
from pouch.words import say

_VERSION = const(1)
_ROOM = const(84)  # columns of the score

_kept = (None, 0, ())  # a store, the last match that was looked at in it, and the best scores up to that


class UpSolo(UpTurn):
    def render(self, canvas, app):
        state = app.match.state
        score = str(state["scores"][0])
        number = say("turn {}").format(up_board.turn_number(state))
        left = clock(app)
        canvas.text(small, say("undone" if self.undone and not left else "SOLO"), 1, 1)
        canvas.right(small, number, 127, 1)
        canvas.right(small, left, _ROOM, 1)
        face = _face(canvas, score)
        canvas.text(face, score, 1, 32 - face.HEIGHT // 2)
        scores = known(app)
        canvas.right(small, say("best"), 127, 13)
        if scores:
            canvas.right(display_12, str(scores[0]), 127, 22)
        else:
            canvas.fill(120, 27, 7, 2)
        canvas.right(small, say("exchange"), 127, 38)
        for tile in range(upwords.SOLO_EXCHANGES):
            x = 89 + 8 * tile
            if tile < upwords.exchanges_left(state):
                canvas.fill(x, 47, 6, 6)
            else:
                canvas.fill(x + 2, 49, 2, 2)
        canvas.seam()

    def update(self, canvas, app):
        return False

    def wake(self, app, now):
        return now if known(app) is None else super().wake(app, now)

    def tick(self, app, now):
        if known(app) is None:
            best(app)


def _face(canvas, score):
    from pouch.ui.fonts import display_40

    for face in (display_40, display_24):
        if canvas.width(face, score) <= _ROOM:
            return face
    return display_16


def known(app):
    """The best scores before this match, best first; None as long as nobody has looked for them: `best` does."""
    store, last, scores = _kept
    return scores if store is app.store and last >= app.match.order - 1 else None


def best(app):
    """The same, looked for: what was kept, and what the records of the matches since then tell."""
    scores = known(app)
    if scores is None:
        store, last, scores = _kept
        if store is not app.store:
            last, scores = app.store.load("solo", _fit, (0, ()))
        for record in app.store.records(last):
            if record["order"] >= app.match.order:
                break
            if record["game"] == upwords.KEY and len(record["players"]) == 1:
                scores = upwords.best(scores, record["standings"][0][1])
        _keep(app, app.match.order - 1, scores)
    return scores


def settle(app):
    """This match is over for good: its score is one of them. The records go one day, these stay."""
    _keep(app, app.match.order, upwords.best(best(app), app.match.state["scores"][0]))


def _keep(app, last, scores):
    global _kept
    _kept = (app.store, last, scores)
    app.store.save("solo", (_VERSION, last, scores))


def _fit(value):
    """(number of the last match that was looked at, scores) of a kept value. Raises as the settings' do."""
    version, last, scores = value
    if version > _VERSION:
        raise Newer()
    for score in scores:
        if not isinstance(score, int):
            raise Damaged()
    return int(last), tuple(scores)
