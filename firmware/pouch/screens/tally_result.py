"""Who has won a tally."""

from pouch.screens.result import Result
from pouch.ui.canvas import DOTS
from pouch.ui.discs import SMALL_DISCS
from pouch.ui.fonts import text as small
from pouch.ui.result import headline
from pouch.ui.sentence import joined_in
from pouch.words import say


class TallyResult(Result):
    def __init__(self, app, told=True):
        super().__init__(app, told)
        app.countdown = None

    def discs(self, app):
        # More than three names have no room beside each other.
        return SMALL_DISCS if len(app.match.players) > 3 else None

    def render(self, canvas, app):
        match = app.match
        headline(canvas, match)
        order = match.standings()
        best = order[0][1]
        winners = match.outcome()
        others = [(player, score, place) for player, score, place in order if place]
        if len(winners) > 1:
            names = [match.players[player] for player in winners]
            canvas.text(small, joined_in(canvas, names, say("{} share it"), 127), 1, 20)
        elif others:
            names = [match.players[player] for player, _, place in others if place == others[0][2]]
            line = say("{} : {} before {}").format(best, others[0][1], "{}")
            canvas.text(small, joined_in(canvas, names, line, 127), 1, 20)
        else:
            canvas.text(small, say("{} points").format(best), 1, 20)
        rounds = match.state["rounds"]
        line = say(("In the first round", "After 1 round", "After {} rounds")[min(rounds, 2)]).format(rounds)
        if match.options["wins"] == "lowest":
            line += say(", lowest wins")
        canvas.text(small, line, 1, 29)
        canvas.draw(DOTS, 0, 38)
        _rest(canvas, match.players, others)
        canvas.seam()


def _rest(canvas, players, others):
    """Those who have not won, in rows 40-53: each with his place, as far as there is room."""
    columns = min(3, max(1, (len(others) + 1) // 2)) if len(others) > 2 else max(1, len(others))
    pitch = 128 // columns
    for i in range(len(others)):
        player, score, place = others[i]
        x = 1 + pitch * (i % columns)
        y = (40 if len(others) > columns else 44) + 7 * (i // columns)
        value = str(score)
        end = x + pitch - 4
        room = end - x - canvas.width(small, value) - 2
        canvas.text(small, canvas.fitted(small, f"{place + 1} {players[player]}", room), x, y)
        canvas.right(small, value, end, y)
