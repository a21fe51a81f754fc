"""Who has won Upwords, and why it ended."""

from pouch.games import upwords
from pouch.screens.result import Result
from pouch.ui.canvas import DOTS
from pouch.ui.fonts import display_16, icons
from pouch.ui.fonts import text as small
from pouch.ui.result import headline
from pouch.ui.sentence import joined_in
from pouch.words import say


class UpResult(Result):
    def __init__(self, app, told=True):
        super().__init__(app, told)
        self.best = ()
        if len(app.match.players) == 1:
            from pouch.screens.up_solo import best

            self.best = best(app)

    def leave(self, app):
        if len(app.match.players) == 1:
            from pouch.screens.up_solo import settle

            settle(app)

    def render(self, canvas, app):
        match = app.match
        canvas.draw(DOTS, 0, 38)
        if len(match.players) == 1:
            self._solo(canvas, match)
        else:
            self._match(canvas, match)
        canvas.seam()

    def _match(self, canvas, match):
        headline(canvas, match)
        winners = match.outcome()
        order = match.standings()
        names = [match.players[player] for player in winners]
        others = [(player, score, place) for player, score, place in order if place]
        if len(winners) > 1:
            canvas.text(small, joined_in(canvas, names, say("{} share it"), 127), 1, 20)
            canvas.text(small, say("Upwords has no tie-break"), 1, 29)
        else:
            second = [match.players[player] for player, _, place in others if place == others[0][2]]
            line = say("{} : {} before {}").format(order[0][1], others[0][1], "{}")
            canvas.text(small, joined_in(canvas, second, line, 127), 1, 20)
            canvas.text(small, _why(match.state), 1, 29)
        pitch = 64 if len(others) < 3 else 43
        x = 1
        for player, score, place in others:
            end = x + pitch - (9 if pitch == 64 else 3)
            value = str(score)
            room = end - x - canvas.width(small, value) - 2
            canvas.text(small, canvas.fitted(small, f"{place + 1} {match.players[player]}", room), x, 44)
            canvas.right(small, value, end, 44)
            x += pitch

    def _solo(self, canvas, match):
        score = match.state["scores"][0]
        scores = upwords.best(self.best, score)
        x = 1
        if scores[0] == score:
            canvas.draw(icons.GLYPHS["crown"], 1, 6)
            x = 14
        canvas.text(display_16, say("{} POINTS").format(score), x, 1)
        if not self.best:
            line = say("The first score to beat")
        elif score > self.best[0]:
            line = say("A new best: it was {}").format(self.best[0])
        else:
            line = say("As good as the best" if score == self.best[0] else "The best is {}").format(self.best[0])
        canvas.text(small, line, 1, 20)
        canvas.text(small, _why(match.state), 1, 29)
        own = scores.index(score) if score in scores else -1
        x = 1
        for i in range(len(scores)):
            text = str(scores[i])
            width = canvas.width(small, text)
            if i == own:
                canvas.plate(x, 42, width + 4, 10)
            canvas.text(small, text, x + 2, 44, 0 if i == own else 1)
            x += width + 6


def _why(state):
    """What ended the match, and when; 127 columns at most."""
    rounds = state["rounds"]
    solo = len(state["scores"]) == 1
    many = 0 if not rounds else 1 if rounds == 1 else 2
    if solo:
        line = say(("{} in turn 1", "{}, 1 turn", "{}, {} turns")[many])
    else:
        line = say(("{} in round 1", "{}, 1 round", "{}, {} rounds")[many])
    why = say(("Ended", "Out of tiles", "Nobody can play", "Passed" if solo else "All passed")[state["why"] + 1])
    return line.format(why, rounds)
