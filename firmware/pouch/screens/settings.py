"""What is set on the device, whoever plays."""

from pouch.screens.listed import Listed
from pouch.settings import ROWS
from pouch.ui import listing
from pouch.words import ENGLISH, say


class Settings(Listed):
    """below: the screen before."""

    def __init__(self, below):
        self.below = below

    def count(self, app):
        return len(ROWS) + len(_MORE)

    def ok(self, app):
        return "#CHANGE" if self.chosen < len(ROWS) else "#OPEN"

    def choose(self, app):
        if self.chosen >= len(ROWS):
            _MORE[self.chosen - len(ROWS)][1](app, self)
            return
        name, _, values, _, _ = ROWS[self.chosen]
        value = values[(values.index(app.settings[name]) + 1) % len(values)]
        if name == "language":
            _speak(app, value)
        else:
            app.change(name, value)

    def render(self, canvas, app):
        items = []
        for key, label, _, default, read in ROWS:
            value = app.settings[key]
            text = value
            if key != "language":
                # A language is written as those who speak it read it.
                if read:
                    text = say(read).format(value) if value else say("never" if key == "sleep" else "off")
                else:
                    text = say(value)
                if value == default:
                    text = "▪ " + text
            items.append((say(label), text))
        for label, _ in _MORE:
            items.append((say(label), ""))
        listing.draw(canvas, say("SETTINGS"), "", items, self.chosen)
        canvas.seam()


def _options(app, screen):
    from pouch.screens.game_options import GameOptions

    app.show(GameOptions(screen))


def _test(app, screen):
    from pouch.screens.selftest import SelfTest

    app.show(SelfTest(screen))


def _about(app, screen):
    from pouch.screens.about import About

    app.show(About(app, screen))


# What opens a screen of its own: (label, how)
_MORE = (("Game options", _options), ("Self-test", _test), ("About", _about))


def _speak(app, language):
    """The glass goes on in another language; whoever has a name that the device gave has it in that one."""
    from pouch.languages import speak

    old = app.own_names()
    try:
        speak(language)
    except MemoryError:
        # It is English now, which needs no room.
        app.refuse()
        language = ENGLISH
    app.change("language", language)
    new = app.own_names()
    entered = app.names[len(old) :]

    def put(names):
        """Whom the device named has a new name, but not somebody's who entered it."""
        told = list(names)
        for i in range(len(told)):
            if told[i] in old and told[i] not in entered:
                name = new[old.index(told[i])]
                if name not in entered and name not in names:
                    told[i] = name
        return tuple(told)

    app.know_as(put(app.names[: len(old)]) + entered)
    match = app.match
    if match is None:
        if app.table():
            app.know_table(put(app.table()[1]))
        return
    names = put(match.players)
    if not match.journal:
        # Nobody has begun it; but a limit may run already.
        stopwatch, countdown, timed = app.stopwatch, app.countdown, app.timed
        app.begin(match.game, names, match.options)
        app.stopwatch, app.countdown, app.timed = stopwatch, countdown, timed
        if countdown:
            app.keep_clock(countdown.left, countdown.paused)
        return
    for player in range(len(names)):
        if names[player] != match.players[player]:
            match.rename(player, names[player])
