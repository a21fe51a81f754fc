"""Between two rounds of ZIP-IT: the board, and GO!."""

from pouch import limit
from pouch.app import BACK, LEFT, LONG, OK
from pouch.countdown import Countdown
from pouch.cues import GO, OVER, REDO, UNDO
from pouch.games import TIME_UP, zip_it
from pouch.screens import PLAYED, Screen
from pouch.stopwatch import Stopwatch, minutes
from pouch.ui import zip_board
from pouch.words import say


class ZipReady(Screen):
    """told: what has just happened, as text, or None."""

    NEXT = PLAYED["zip_it"]
    HOLDS = 1 << OK

    def __init__(self, app, told=None):
        self.told = told
        app.countdown = None

    def legend(self, app):
        match = app.match
        left = "REDO" if match.can_redo else "" if match.journal else "SETUP"
        return (left, "UNDO" if match.can_undo else "HOME", "#GO!≡", "")

    def press(self, app, key, kind, at):
        if key == OK and kind == LONG:
            from pouch.screens.menu import Menu

            app.show(Menu(app, self))
        elif key == OK:
            go(app, at)
        elif key == LEFT:
            if app.match.journal:
                redo(app)
            else:
                from pouch.screens.setup import Setup

                app.show(Setup(zip_it, app.match.players, app.match.options, _set))
        elif key == BACK:
            if app.match.can_undo:
                undo(app)
            else:
                app.go_home()

    def render(self, canvas, app):
        state = app.match.state
        zip_board.scores(canvas, state)
        zip_board.names(canvas, app.match.players, zip_board.leader(state))
        if self.told:
            line = self.told
        elif state["rounds"] == 0:
            line = say("First to {} wins").format(state["target"])
        else:
            line = say("Round {}").format(state["rounds"] + 1)
        zip_board.caption(canvas, line)


def go(app, at):
    """GO!: the round begins at the time of the press."""
    from pouch.screens.zip_round import ZipRound

    app.match.do((zip_it.GO,))
    app.stopwatch = Stopwatch(at)
    _limit(app, at)
    app.play(GO)
    app.show(ZipRound(app, at))


def _limit(app, at):
    """The round's limit, if it has one, runs from the ticks `at` on, with what the stopwatch leaves of it."""
    seconds = app.match.options["limit"]
    if seconds:
        app.countdown = Countdown(max(1, 1000 * (seconds - app.stopwatch.seconds)), at, app.stopwatch.paused)


def time_up(app):
    """Nobody scores. See pouch.limit."""
    app.match.do((TIME_UP,))
    app.play(OVER)
    app.show(ZipReady(app, say("Time is up: void")))


def _set(app, names, options):
    """The match that nobody has begun is another one now."""
    app.begin(zip_it, names, options)
    app.show(ZipReady(app))


def undo(app):
    """Take the last round back, and say what that was."""
    before = app.match.state
    app.match.undo()
    app.play(UNDO)
    if app.match.state["phase"] != zip_it.READY:
        # Only the end was taken back: the round goes on.
        app.resume_clock()
        app.show(resume(app))
        return
    app.show(ZipReady(app, say("Undone: {}").format(_change(app, before, app.match.state))))


def redo(app):
    app.match.redo()
    app.play(REDO)
    app.show(resume(app))


def _change(app, after, before):
    """The difference between two states in a few words: "RED +1", "round void", "round 8", "the end"."""
    for player in (0, 1):
        points = after["scores"][player] - before["scores"][player]
        if points:
            return f"{app.match.players[player]} {points:+}"
    if after["phase"] == zip_it.OVER:
        return say("the end")
    if after["rounds"] != before["rounds"]:
        return say("void round")
    return say("round {}").format(before["rounds"] + 1)


def heading(app):
    """The two words at the top of a menu."""
    value = say("ROUND {}").format(app.match.state["rounds"] + 1)
    a, b = app.match.state["scores"]
    score = f" {a} : {b} "
    canvas, small = app.canvas, zip_board.small
    # Both names lose as much, so that nobody's is gone.
    room = (120 - canvas.width(small, value) - canvas.width(small, score + ".")) // 2
    names = app.match.players
    rooms = [canvas.width(small, name) for name in names]
    if sum(rooms) > 2 * room:
        rooms = (max(room, 2 * room - rooms[1]), max(room, 2 * room - rooms[0]))
    return canvas.fitted(small, names[0], rooms[0]) + score + canvas.fitted(small, names[1], rooms[1]), value


def clock(app):
    """What the stopwatch of the round says, or what is left of its limit."""
    if app.countdown:
        return limit.left_of(app)
    return minutes(app.stopwatch.seconds) if app.stopwatch else ""


def standing(app):
    """The score, as one line."""
    players = app.match.players
    a, b = app.match.state["scores"]
    return f"{players[0]} {a} : {b} {players[1]}"


def summary(canvas, app):
    """The match on home."""
    zip_board.summary(canvas, app.match)


def last_change(app):
    """What an undo would take back."""
    before = app.match.before()
    return _change(app, app.match.state, before) if before else ""


def round_more(app, menu):
    """What the menu within a round has besides."""
    from pouch.screens.zip_point import void

    return ((say("Round void"), say("nobody scores"), void),)


def ended(app):
    """The screen after the table has ended the match."""
    from pouch.screens.zip_win import ZipWin

    return ZipWin(app)


def interrupted(app):
    """After a power cut: the stopwatch stands where it was kept last. See pouch.screens.interrupted."""
    if app.match.state["phase"] != zip_it.RUNNING:
        return None
    app.stopwatch = Stopwatch(app.now)
    app.stopwatch.pause(app.now)
    app.stopwatch.seconds, paused = app.kept_clock()
    _limit(app, app.now)
    return None if paused else say("The clock stopped at {}.").format(clock(app))


def resume(app):
    """The screen on which the match goes on from its state."""
    state = app.match.state
    phase = state["phase"]
    if phase == zip_it.OVER:
        from pouch.screens.zip_win import ZipWin

        return ZipWin(app)
    if phase in (zip_it.QUESTION, zip_it.DEAD_HEAT):
        from pouch.screens.zip_question import question

        return question(app)
    if phase == zip_it.RUNNING:
        from pouch.screens.zip_round import ZipRound

        if not app.stopwatch:
            # It was lost with the power, after the table had ended the match.
            app.stopwatch = Stopwatch(app.now)
            _limit(app, app.now)
        return ZipRound(app)
    if state["last"] and state["last"][0] >= 0 and app.match.can_undo:
        from pouch.screens.zip_point import ZipPoint

        return ZipPoint(app, still=True)
    return ZipReady(app)
