"""Who has won Crossed Words, and what decided it."""

from pouch.games import crossed_words
from pouch.screens.result import Result
from pouch.ui.canvas import DOTS
from pouch.ui.discs import DISCS, SMALL_DISCS
from pouch.ui.fonts import text as small
from pouch.ui.result import headline
from pouch.ui.sentence import joined_in
from pouch.words import say


class CwResult(Result):
    def discs(self, app):
        return SMALL_DISCS

    def render(self, canvas, app):
        match = app.match
        state = match.state
        winners = match.outcome()
        scores = state["scores"]
        headline(canvas, match)
        if len(winners) == 1:
            lines = _won(canvas, match, winners[0])
        else:
            names = [match.players[player] for player in winners]
            lines = (joined_in(canvas, names, say("{} share it"), 127), say("Equal in the last round too"))
            if max(scores) < crossed_words.RACE:
                lines = (lines[0], say("The table ended it here"))
        canvas.text(small, lines[0], 1, 20)
        canvas.text(small, lines[1], 1, 29)
        canvas.draw(DOTS, 0, 38)
        order = match.standings()
        pitch = 128 // len(order)
        discs, gap, y = (DISCS, 12, 42) if len(order) < 6 else (SMALL_DISCS, 9, 43)
        for i in range(len(order)):
            canvas.draw(discs[order[i][0]], pitch * i, y)
            canvas.text(small, str(order[i][1]), pitch * i + gap, 44)
        canvas.seam()


def _won(canvas, match, winner):
    """Two lines on what made one player win."""
    state = match.state
    scores = state["scores"]
    best = scores[winner]
    tied = [player for player in range(len(scores)) if scores[player] == best and player != winner]
    if tied:
        names = [match.players[player] for player in tied]
        first = joined_in(canvas, names, say("{} : {} with {}").format(best, best, "{}"), 127)
        points = state["points"]
        most = max([points[player] for player in tied])
        second = say("Last round decides: {} to {}").format(points[winner], most)
        return first, second
    order = match.standings()
    names = [match.players[player] for player, _, place in order if place == order[1][2]]
    first = joined_in(canvas, names, say("{} : {} before {}").format(best, order[1][1], "{}"), 127)
    rounds = say("1 round" if state["rounds"] == 1 else "{} rounds").format(state["rounds"])
    if best < crossed_words.RACE:
        return first, say("Ended after {}").format(rounds)
    return first, say("Most points after {}").format(rounds)
