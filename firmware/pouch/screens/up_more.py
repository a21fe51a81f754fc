"""What a player may do in a turn besides scoring: pass, exchange, challenge; and how the match ends."""

from micropython import const

from pouch.cues import ACCEPTED, REFUSED
from pouch.games import upwords
from pouch.screens.confirm import Confirm
from pouch.screens.listed import Listed
from pouch.screens.up_turn import act, heading
from pouch.ui import listing, up_board
from pouch.ui.fonts import display_12
from pouch.words import say

_ROOM = const(117)  # columns of a row's text and its value


class UpMore(Listed):
    """below: the screen of the turn."""

    def __init__(self, app, below):
        self.below = below

    def count(self, app):
        return len(self._items(app))

    def ok(self, app):
        return "#OK" if self._items(app)[self.chosen][2] else ""

    def choose(self, app):
        action = self._items(app)[self.chosen][2]
        if action[0] == upwords.CHALLENGE:
            app.show(Challenge(app, self))
        else:
            act(app, action)

    def _items(self, app):
        """(text, value, action of the rules or None if it is not possible)."""
        state = app.match.state
        count = len(state["scores"])
        exchange = (upwords.EXCHANGE,)
        # Everybody in a row.
        ends = state["passes"] + 1 == count
        items = [(say("Pass"), say("the end") if ends else "", (upwords.PASS,))]
        if count == 1:
            left = upwords.exchanges_left(state)
            items.append(
                (say("Exchange a tile"), say("{} free").format(left) if left else "–", exchange if left else None)
            )
        else:
            items.append((say("Exchange a tile"), say("turn over"), exchange))
            last = state["open"]
            if last:
                text = say("Challenge {}").format(app.match.players[last[0]])
                room = _ROOM - app.canvas.width(listing.small, text)
                points = say("{} points").format(last[1])
                points = up_board.fitting(app.canvas, room, points, f"{last[1]}")
                items.append((text, points, (upwords.CHALLENGE,)))
            else:
                items.append((say("Challenge"), "–", None))
        items.append((say("Out of tiles"), say("the end"), (upwords.FINISH, upwords.OUT)))
        items.append((say("Nobody can play"), say("the end"), (upwords.FINISH, upwords.STUCK)))
        return items

    def render(self, canvas, app):
        items = [(text, value) for text, value, _ in self._items(app)]
        name, number = heading(app)
        listing.draw(canvas, name, number, items, self.chosen)
        canvas.seam()


class Challenge(Confirm):
    """It stands on the answer that changes nothing."""

    def __init__(self, app, below):
        state = app.match.state
        options = state["options"]
        player, self.points, _ = state["open"]
        name = app.match.players[player]
        # Who challenges in vain is the one whose turn it is.
        loser = app.match.players[state["turn"]]
        stand = say("nothing changes")
        if options["wrong"] != "free":
            stand = self._value(app, say("They stand"), say("{}'s turn lost").format(loser), say("turn lost"))
        back = str(state["scores"][player] - self.points)
        if options["challenge"] == "play again":
            again = say("{}, {} again").format(back, name)
            back = self._value(app, say("They go back"), again, say("{}, again").format(back))
        else:
            back = say("{}, turn lost").format(back)
        answers = (
            (say("They stand"), stand, lambda app: self._answer(app, 0)),
            (say("They go back"), back, lambda app: self._answer(app, 1)),
        )
        words = (say("{}'s words of the last turn").format(name), say("{}'s words").format(name))
        super().__init__(say("CHALLENGE"), up_board.fitting(app.canvas, 126, *words), answers, below)

    def _value(self, app, text, *values):
        return up_board.fitting(app.canvas, _ROOM - app.canvas.width(listing.small, text), *values)

    def _answer(self, app, back):
        act(app, (upwords.CHALLENGE, back), REFUSED if back else ACCEPTED)

    def render(self, canvas, app):
        super().render(canvas, app)
        canvas.right(display_12, str(self.points), 127, 1)
