"""An open round of Crossed Words: who stands where in the race, and one press of any key starts the count."""

from micropython import const

from pouch import limit
from pouch.app import LONG, OK
from pouch.cues import BEAT, REDO, STOP, UNDO
from pouch.games import TIME_UP, crossed_words
from pouch.screens import PLAYED, Screen
from pouch.ui import cw_board
from pouch.ui.fonts import icons
from pouch.ui.fonts import text as small
from pouch.ui.sentence import leads
from pouch.words import say

_SCORE_END = const(61)
_BAR = const(64)
_FINISH = const(105)
_RACE = const(62)
_MARK = const(121)
_MOST_BARS = const(9)  # then comes the mark


class CwOpen(Screen):
    """undone: the number of the round that an undo has just taken back, 0 for none."""

    NEXT = PLAYED["crossed_words"]
    HOLDS = 1 << OK

    def __init__(self, app, undone=0):
        self.undone = undone
        limit.turn(app, app.match.state["rounds"])

    def legend(self, app):
        return ("#COUNT!≡",)

    def press(self, app, key, kind, at):
        if key == OK and kind == LONG:
            from pouch.screens.menu import Menu

            app.show(Menu(app, self))
        else:
            _count(app, at)

    def render(self, canvas, app):
        state = app.match.state
        players = app.match.players
        count = len(players)
        discs, top, pitch, indent, height = cw_board.rows(count, 9 if count == 5 else 11)
        if self.undone:
            flag = cw_board.heading(canvas, count, say("Undone: round {}").format(self.undone))
        else:
            flag = cw_board.heading(canvas, count, say("ROUND {}").format(cw_board.number(state)))
            self._race(canvas, app, flag)
        canvas.draw(icons.GLYPHS["flag"], _FINISH, flag)
        for y in range(top & ~1, 54, 2):
            canvas.fill(_FINISH, y, 1, 1)
        leading = cw_board.lead(state)
        inset = 1 if height < 9 else 2
        for player in range(count):
            y = top + pitch * player
            score = state["scores"][player]
            canvas.draw(discs[player], 0, y)
            room = min(51, _SCORE_END - 2 - canvas.width(small, str(score))) - indent
            canvas.text(small, canvas.fitted(small, players[player], room), indent, y + inset)
            canvas.right(small, str(score), _SCORE_END, y + inset)
            for x in range(_BAR, _BAR + 6 * min(score, _MOST_BARS), 6):
                canvas.fill(x, y if height == 9 else y + 1, 5, height)
            if player in leading:
                canvas.centred(small, cw_board.sign(leading), _MARK, _MARK + 7, y + inset)
        canvas.seam()

    def _race(self, canvas, app, y):
        """What it is about, or what is left of the round's time."""
        line = say("{} LEFT").format(limit.left_of(app)) if app.countdown else say("RACE TO 7")
        canvas.text(small, line, _RACE, y)

    def update(self, canvas, app):
        if not self.undone:
            y = 0 if len(app.match.players) == 6 else 1
            canvas.fill(_RACE, y, _FINISH - 1 - _RACE, 6, 0)
            self._race(canvas, app, y)
        return True

    def wake(self, app, now):
        return app.countdown.next_second() if app.countdown else None


def _count(app, at):
    # The tone first: it is the first beat.
    start = app.device.now()
    app.play(BEAT)
    from pouch.screens.cw_count import CwCount

    if app.countdown:
        app.countdown.pause(at)
    app.match.do((crossed_words.COUNT,))
    limit.keep(app)  # a cut in the count, and it goes on with what is left now
    app.show(CwCount(app, at, start))


def heading(app):
    """The two words at the top of a menu."""
    return say(crossed_words.NAME), say("ROUND {}").format(cw_board.number(app.match.state))


def clock(app):
    """What is left of the round's time, "" without a limit."""
    return limit.left_of(app) if app.countdown else ""


def standing(app):
    """Who leads, as one line."""
    return leads(app.canvas, app.match.players, app.match.state["scores"], cw_board.lead(app.match.state))


def summary(canvas, app):
    """The match on home."""
    cw_board.summary(canvas, app.match)


def last_change(app):
    """What an undo would take back."""
    state = app.match.state
    phase = state["phase"]
    if phase == crossed_words.SHEET:
        return say("the count")
    if phase == crossed_words.OVER:
        return say("the end")
    return say("round {}").format(state["rounds"]) if phase == crossed_words.POINTS else ""


def round_more(app, menu):
    """What the menu within a round has besides."""
    return ((say("Undo the count"), say("play on"), undo),)


def time_up(app):
    """Pens down, as after the count. See pouch.limit."""
    from pouch.screens.cw_stop import CwStop

    app.match.do((TIME_UP,))
    app.play(STOP)
    app.show(CwStop(app, blinking=True))


def ended(app):
    """The screen after the table has ended the match."""
    from pouch.screens.cw_result import CwResult

    return CwResult(app, told=False)


def undo(app):
    """Take the last round back, or the step to the next one, and say what that was."""
    state = app.match.state
    app.match.undo()
    # A count that was cancelled leaves nothing to be seen.
    while app.match.state == state and app.match.can_undo:
        app.match.undo()
    app.play(UNDO)
    if app.match.state["phase"] == crossed_words.OPEN:
        app.show(CwOpen(app, undone=0 if state["phase"] == crossed_words.OPEN else cw_board.number(state)))
    else:
        app.show(resume(app))


def redo(app):
    state = app.match.state
    app.match.redo()
    while app.match.state == state and app.match.can_redo:
        app.match.redo()
    app.play(REDO)
    app.show(resume(app))


def interrupted(app):
    """After a power cut: a count is over. See pouch.screens.interrupted."""
    state = app.match.state
    seconds = state["options"]["limit"]
    line = None
    if seconds and state["phase"] in (crossed_words.OPEN, crossed_words.COUNTING):
        line = limit.interrupted(app, state["rounds"], seconds * 1000)
    if state["phase"] != crossed_words.COUNTING:
        return line
    return say("The count of round {} stopped.").format(cw_board.number(state))


def resume(app):
    """The screen on which the match goes on from its state."""
    state = app.match.state
    phase = state["phase"]
    if phase in (crossed_words.SHEET, crossed_words.POINTS):
        app.countdown = None  # the pens are down: an undo or a redo may have come here from an open round
    if phase == crossed_words.COUNTING:
        # Nobody knows how far it had come.
        app.match.do((crossed_words.CANCEL,))
    elif phase == crossed_words.SHEET:
        return sheet(app)
    elif phase == crossed_words.POINTS:
        from pouch.screens.cw_points import CwPoints

        return CwPoints(app)
    elif phase == crossed_words.OVER:
        if app.countdown:
            app.countdown.pause(app.now)  # an undo goes on with it
        from pouch.screens.cw_result import CwResult

        return CwResult(app)
    return CwOpen(app)


def sheet(app):
    """The screen on which the round's discs are entered, space by space or as totals, as far as they are."""
    state = app.match.state
    if state["sheet"]:
        from pouch.screens.cw_sheet import CwSheet

        return CwSheet(app)
    if max(state["piles"]):
        from pouch.screens.cw_totals import CwTotals

        return CwTotals(app, state["piles"])
    from pouch.screens.cw_stop import CwStop

    return CwStop(app)
