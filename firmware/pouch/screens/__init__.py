"""One file a screen. The contract, for which no base class is needed beyond `Screen`:

EXACT     True where the deadlines are to be met to the microsecond: a beat, not a stopwatch. Costs CPU.
HELD      what holding OK does, as a word on the tab that grows there; "": it does nothing that needs a word.
NEXT      the modules that will be needed from here, imported while this screen stands.
OWNER     whose modules stay from here on: a game's key, or what stands beside them on home. None: all that are there.
HOLDS     mask of the keys that act on release and may be held: they give SHORT or LONG. All others give DOWN.
REPEATS   mask of the keys that also give REPEAT while they are held.
LOW       the first column from which on it draws all 64 rows, beside the legend: what stands there has no row to yield.
legend    the labels of the four keys (pouch.ui.legend); an empty one is a dead key and never reaches `press`.
press     turns a press into an action of the match, or into navigation. `at`: its time in ticks. Never draws.
render    draws the whole screen from the state, and changes nothing.
update    draws only what a tick has changed over the frame before, where that is much less; False: draw it all.
          The frame is to be the same as `render` makes. Not called while the glass is turned.
wake      the ticks when it wants `tick` and to be drawn again, None: only after a press.
tick      called at that time.
quiet     True while nothing may be written to flash, which would stop the interrupts: in a race, just before a beat.
ASLEEP    True for the screen that shows next to nothing: what is shown after it has woken the glass.
RACE      True where presses are timed: no notice comes over the screen, and `quiet` is True if it is not overridden.
"""

# Where the screens of a game begin. The module has, all for the match of `app`:
# resume(app)              the screen on which it goes on; interrupted(app): see below
# undo(app), redo(app)     with their cues, and the screen after them; last_change(app): what an undo would take back
# heading(app)             the two words at the top of a menu; standing(app): who leads, as one line
# summary(canvas, app)     draws it on home, rows 1-31
# round_more(app, menu)    what the menu in a round has besides, (text, value, action) each
# ended(app)               the screen after the table has ended it
# clock(app)               what its clock says at the top of the menu in a round, "" if none runs
# time_up(app)             what happens when pouch.limit has counted to the end
_OF = {
    "zip_it": "zip_ready",
    "crossed_words": "cw_open",
    "upwords": "up_turn",
    "timer": "timer_running",
    "tally": "tally_turn",
}

# What a match from PLAY to its end needs, in this order: what a screen before it has in NEXT. What a screen would bring
# with it stands before it: a module at a time, so that no key waits for several.
PLAYED = {
    "zip_it": (
        "pouch.games.zip_it",
        "pouch.match",
        "pouch.limit",
        "pouch.ui.fonts.display_12",
        "pouch.ui.zip_board",
        "pouch.screens.zip_ready",
        "pouch.screens.zip_round",
        "pouch.screens.zip_call",
        "pouch.screens.zip_question",
        "pouch.screens.zip_point",
        "pouch.screens.zip_win",
        "pouch.screens.menu",
        "pouch.screens.confirm",
    ),
    "crossed_words": (
        "pouch.games.crossed_words",
        "pouch.match",
        "pouch.screens.setup_players",
        "pouch.limit",
        "pouch.ui.cw_board",
        "pouch.screens.cw_open",
        "pouch.screens.cw_count",
        "pouch.screens.cw_stop",
        "pouch.screens.cw_totals",
        "pouch.screens.cw_sheet",
        "pouch.screens.cw_points",
        "pouch.screens.cw_vote",
        "pouch.screens.menu",
        "pouch.screens.confirm",
        "pouch.screens.cw_result",
        "pouch.screens.setup_options",
    ),
    "upwords": (
        "pouch.games.upwords",
        "pouch.match",
        "pouch.screens.setup_players",
        "pouch.limit",
        "pouch.ui.up_board",
        "pouch.screens.up_turn",
        "pouch.screens.up_length",
        "pouch.screens.up_word",
        "pouch.screens.up_sum",
        "pouch.screens.up_points",
        "pouch.screens.up_more",
        "pouch.screens.menu",
        "pouch.screens.confirm",
        "pouch.screens.up_left",
        "pouch.screens.up_result",
        "pouch.screens.setup_options",
    ),
    "timer": (
        "pouch.games.timer",
        "pouch.match",
        "pouch.screens.timer_set",
        "pouch.screens.timer_running",
        "pouch.screens.timer_paused",
        "pouch.screens.timer_over",
        "pouch.screens.timer_menu",
    ),
    "tally": (
        "pouch.games.tally",
        "pouch.match",
        "pouch.screens.setup_players",
        "pouch.screens.tally_turn",
        "pouch.screens.menu",
        "pouch.screens.confirm",
        "pouch.screens.tally_result",
    ),
}


class Screen:
    EXACT = False
    RACE = False
    ASLEEP = False
    HELD = "MENU"
    NEXT = ()
    OWNER = None
    LOW = 128
    HOLDS = 0
    REPEATS = 0

    def legend(self, app):
        return ("", "", "", "")

    def press(self, app, key, kind, at):
        pass

    def render(self, canvas, app):
        pass

    def update(self, canvas, app):
        return False

    def wake(self, app, now):
        return None

    def tick(self, app, now):
        pass

    def quiet(self, app, now):
        return self.RACE


def of(app):
    """The module where the screens of the match's game begin."""
    name = _OF[app.match.game.KEY]
    return __import__("pouch.screens." + name, None, None, (name,))


def resume(app):
    """The screen on which the match goes on from its state."""
    return of(app).resume(app)


def interrupted(app):
    """Bring the match's clock back, paused, after a power cut.

    What the table is to know of it, as one line of at most 127 columns; None if none ran.
    """
    return of(app).interrupted(app)
