"""A tally for any game: everybody's score, and whose turn it is; where the screens of the tally begin."""

from pouch import limit
from pouch.app import BACK, LEFT, LONG, OK
from pouch.cues import NEXT, OVER, REDO, UNDO
from pouch.games import TIME_UP, tally
from pouch.games.ranking import leaders
from pouch.screens import PLAYED, Screen
from pouch.ui import cells
from pouch.ui.fonts import display_12
from pouch.ui.fonts import text as small
from pouch.ui.sentence import leads
from pouch.words import say


class TallyTurn(Screen):
    NEXT = PLAYED["tally"]
    HOLDS = 1 << OK
    REPEATS = 1 << LEFT | 1 << 3

    def __init__(self, app):
        limit.turn(app, limit.turn_of(app.match.state))

    def legend(self, app):
        match = app.match
        step = match.options["step"]
        return ("−" + str(step), "UNDO" if match.can_undo else "HOME", "#NEXT≡", "＋" + str(step))

    def press(self, app, key, kind, at):
        if key == OK:
            if kind == LONG:
                from pouch.screens.menu import Menu

                app.show(Menu(app, self))
            else:
                _act(app, (tally.NEXT,))
                app.play(NEXT)
        elif key != BACK:
            step = app.match.options["step"]
            _act(app, (tally.ADD, -step if key == LEFT else step))
        elif app.match.can_undo:
            undo(app)
        else:
            app.pause_clock()
            app.go_home()

    def render(self, canvas, app):
        state = app.match.state
        cells.draw(canvas, app.match.players, state["scores"], lead(state), state["turn"], self._note(app))

    def _note(self, app):
        """What is left of the turn's time, and what the turn has brought so far."""
        gained = app.match.state["gained"]
        note = f"{gained:+}" if gained else ""
        time = clock(app)
        # Four and more have low cells.
        return time + " " + note if time and note and len(app.match.players) < 4 else time or note

    def wake(self, app, now):
        return app.countdown.next_second() if app.countdown else None


def _act(app, action):
    """The screen stays: the next turn, unless that was the end."""
    app.match.do(action)
    if app.match.outcome() is None:
        limit.turn(app, limit.turn_of(app.match.state))
        limit.keep(app)
    else:
        app.show(ended(app))


def lead(state):
    """Those who lead: one, several who are tied, none before anybody has a point."""
    return leaders(tally.standings(state)) if any(state["scores"]) else ()


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
    return say(tally.NAME), say("ROUND {}").format(app.match.state["rounds"] + 1)


def standing(app):
    """Who leads, as one line."""
    return leads(app.canvas, app.match.players, app.match.state["scores"], lead(app.match.state))


def summary(canvas, app):
    """The match on home."""
    state = app.match.state
    players = app.match.players
    canvas.text(small, say(tally.NAME), 1, 1)
    canvas.right(small, say("round {}").format(state["rounds"] + 1), 127, 1)
    leading = lead(state)
    pitch = 128 // len(players)
    face = display_12
    if max([canvas.width(face, str(score)) for score in state["scores"]]) > pitch - 3:
        face = small
    for player in range(len(players)):
        left = pitch * player + 1
        room = pitch - 3
        leads = player in leading
        end = canvas.text(small, canvas.fitted(small, players[player], room - 9 if leads else room), left, 11)
        if leads:
            canvas.text(small, "♛" if len(leading) == 1 else "=", end + 2, 11)
        canvas.text(face, str(state["scores"][player]), left, 20 if face is display_12 else 23)


def last_change(app):
    """What an undo would take back."""
    after, before = app.match.state, app.match.before()
    if before is None:
        return ""
    if before["phase"] != after["phase"] and before["scores"] == after["scores"]:
        return say("the end")
    for player in range(len(after["scores"])):
        points = after["scores"][player] - before["scores"][player]
        if points:
            return f"{app.match.players[player]} {points:+}"
    return say("the turn")


def round_more(app, menu):
    """There is one menu only."""
    return ()


def ended(app):
    """The screen after the match has ended."""
    from pouch.screens.tally_result import TallyResult

    return TallyResult(app, told=False)


def undo(app):
    app.match.undo()
    app.play(UNDO)
    app.show(resume(app))


def redo(app):
    app.match.redo()
    app.play(REDO)
    app.show(resume(app))


def interrupted(app):
    """After a power cut: see pouch.screens.interrupted."""
    state = app.match.state
    seconds = state["options"]["limit"]
    if not seconds or state["late"]:
        return None
    return limit.interrupted(app, limit.turn_of(state), seconds * 1000)


def resume(app):
    """The screen on which the match goes on from its state."""
    if app.match.outcome() is None:
        return TallyTurn(app)
    from pouch.screens.tally_result import TallyResult

    return TallyResult(app)
