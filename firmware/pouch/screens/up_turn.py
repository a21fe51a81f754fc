"""Whose turn it is in Upwords, and how all stand; where the screens of the game begin."""

from pouch import limit
from pouch.app import BACK, LEFT, LONG, OK
from pouch.cues import NEXT, OVER, REDO, UNDO
from pouch.games import TIME_UP, upwords
from pouch.screens import PLAYED, Screen
from pouch.ui import up_board
from pouch.ui.fonts import text as small
from pouch.ui.sentence import leads
from pouch.words import say

_WIDEST = "00:00"


class UpTurn(Screen):
    """undone: has an undo just led here?"""

    NEXT = PLAYED["upwords"]
    HOLDS = 1 << OK

    def __init__(self, app, undone=False):
        self.undone = undone

    def legend(self, app):
        return ("POINTS", "UNDO" if app.match.can_undo else "HOME", "#WORD≡", "MORE")

    def press(self, app, key, kind, at):
        if key == OK:
            if kind == LONG:
                from pouch.screens.menu import Menu

                app.show(Menu(app, self))
            else:
                from pouch.screens.up_length import UpLength

                app.pause_clock()
                app.show(UpLength(app))
        elif key == LEFT:
            from pouch.screens.up_points import UpPoints

            app.pause_clock()
            app.show(UpPoints(app))
        elif key != BACK:
            from pouch.screens.up_more import UpMore

            app.show(UpMore(app, self))
        elif app.match.can_undo:
            undo(app)
        else:
            app.pause_clock()
            app.go_home()

    def render(self, canvas, app):
        state = app.match.state
        scores = state["scores"]
        players = app.match.players
        count = len(scores)
        lines = [self._line(app, player) for player in range(count)]
        face = up_board.face(canvas, scores, [_WIDEST if ":" in line else line for line in lines])
        leading = up_board.lead(state)
        for player in range(count):
            x, y, width, height = up_board.cell(count, player)
            ink = 1
            if player == state["turn"]:
                canvas.plate(x, y, width, height, 1, 2)
                ink = 0
            room = width - 5
            if player in leading:
                mark = up_board.sign(leading)
                room -= canvas.width(small, mark) + 3
            end = canvas.text(small, canvas.fitted(small, players[player], room), x + 3, y + 2, ink)
            if player in leading:
                canvas.text(small, mark, end + 3, y + 2, ink)
            up_board.score(canvas, face, count, player, str(scores[player]), ink)
            up_board.line(canvas, count, player, lines[player], ink)
        canvas.seam()

    def update(self, canvas, app):
        state = app.match.state
        if state["late"]:
            return False
        player = state["turn"]
        count = len(state["scores"])
        x, y, _, height = up_board.cell(count, player)
        canvas.fill(x + 3, y + height - 9, canvas.width(small, _WIDEST), 6)
        up_board.line(canvas, count, player, clock(app), 0)
        return True

    def _line(self, app, player):
        """What stands below a score: the time that is left, or the last turn."""
        state = app.match.state
        if player == state["turn"]:
            left = clock(app)
            if left:
                return left
            if self.undone:
                return say("undone")
        return up_board.last(state, player)

    def wake(self, app, now):
        return app.countdown.next_second() if app.countdown else None


def turn(app, undone=False):
    """The screen of whose turn it is; his clock, if there is a limit, begins or goes on."""
    limit.turn(app, limit.turn_of(app.match.state))
    if len(app.match.players) == 1:
        from pouch.screens.up_solo import UpSolo

        return UpSolo(app, undone)
    return UpTurn(app, undone)


def act(app, action, cue=NEXT):
    """What a turn has brought, and the screen after it."""
    app.match.do(action)
    app.play(cue)
    app.show(resume(app))


def time_up(app):
    """The turn goes on, late. See pouch.limit."""
    app.match.do((TIME_UP,))
    app.play(OVER)


def clock(app):
    """What is left of the turn, "" without a limit."""
    if app.match.state["late"]:
        return "0:00"
    return limit.left_of(app) if app.countdown else ""


def heading(app):
    """The two words at the top of a menu."""
    state = app.match.state
    name = app.match.players[state["turn"]] if state["phase"] == upwords.PLAY else say(upwords.NAME)
    return name, say("TURN {}").format(up_board.turn_number(state))


def standing(app):
    """Who leads, as one line."""
    return leads(app.canvas, app.match.players, app.match.state["scores"], up_board.lead(app.match.state))


def summary(canvas, app):
    """The match on home."""
    up_board.summary(canvas, app.match)


def last_change(app):
    """What an undo would take back."""
    after = app.match.state
    before = app.match.before()
    if before is None:
        return ""
    if before["phase"] != after["phase"]:
        return say("the end")
    players = app.match.players
    for player in range(len(players)):
        points = after["scores"][player] - before["scores"][player]
        if points:
            return f"{players[player]} {points:+}"
    if before["words"] != after["words"]:
        return say("the words")
    if before["late"] != after["late"]:
        return say("the time")
    if before["open"] and not after["open"] and before["passes"] == after["passes"]:
        return say("the challenge")
    if before["exchanges"] != after["exchanges"] or after["lasts"][before["turn"]] == upwords.EXCHANGED:
        return say("the exchange")
    return say("the pass") if before["turn"] != after["turn"] else ""


def round_more(app, menu):
    """What the menu has besides while a turn, or what is left, is entered."""
    if app.match.state["words"]:
        return ((say("Undo the words"), str(len(app.match.state["words"])), undo),)
    return ()


def ended(app):
    """The screen after the table has ended the match."""
    from pouch.screens.up_result import UpResult

    return UpResult(app, told=False)


def undo(app):
    """Take the last turn back."""
    before = app.match.state
    app.match.undo()
    # A word that was entered and taken back leaves nothing to be seen.
    while app.match.state == before and app.match.can_undo:
        app.match.undo()
    app.countdown = None
    app.play(UNDO)
    app.show(resume(app, True))


def redo(app):
    before = app.match.state
    app.match.redo()
    while app.match.state == before and app.match.can_redo:
        app.match.redo()
    app.countdown = None
    app.play(REDO)
    app.show(resume(app))


def interrupted(app):
    """After a power cut: see pouch.screens.interrupted."""
    state = app.match.state
    seconds = app.match.options["limit"]
    if not seconds or state["phase"] != upwords.PLAY or state["late"]:
        return None
    line = limit.interrupted(app, limit.turn_of(state), seconds * 1000)
    # While words are entered it stands.
    return None if state["words"] else line


def resume(app, undone=False):
    """The screen on which the match goes on from its state."""
    state = app.match.state
    phase = state["phase"]
    if phase != upwords.PLAY:
        app.countdown = None
    if phase == upwords.OVER:
        from pouch.screens.up_result import UpResult

        return UpResult(app)
    if phase == upwords.LEFTOVERS:
        from pouch.screens.up_left import UpLeft

        return UpLeft(app)
    if state["words"]:
        from pouch.screens.up_sum import UpSum

        app.pause_clock()
        return UpSum(app)
    return turn(app, undone)
