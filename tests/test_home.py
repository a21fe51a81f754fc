"""What home does with a match: one that goes on lies there, one that does not makes room, and the table stays known."""

import pytest

from tests.test_frames import Device
from tests.torture.memory import MemoryFiles

GAMES = {
    "zip_it": (("ANNA", "BEN"), {"target": 5}),
    "crossed_words": (("ANNA", "BEN", "CLEO"), {}),
    "upwords": (("ANNA", "BEN"), {}),
    "timer": ((), {"seconds": 45, "last": 5}),
    "tally": (("ANNA", "BEN"), {"step": 5}),
}


@pytest.fixture
def table(firmware):
    """table(game, files): an app in a match of it; without a game as it is at power-on."""

    def app(game=None, files=None):
        made = firmware("app").App(
            Device(), firmware("screens.home").Home, firmware("store").Store(files or MemoryFiles())
        )
        if game:
            made.begin(firmware("games." + game), *GAMES[game])
            made.stopwatch = firmware("stopwatch").Stopwatch(made.now)
            made.countdown = firmware("countdown").Countdown(9000, made.now)
        return made

    return app


def told(app):
    key, players, options, whole = app.table()
    return key, tuple(players), {name: options[name] for name in GAMES[key][1]}, whole


@pytest.mark.parametrize("game", GAMES)
def test_one_that_is_over_goes_and_is_filed_at_once(game, table, firmware):
    """HOME may be pressed before the 100 ms are over after which a press is written."""
    files = MemoryFiles()
    app = table(game, files)
    app.match.do((firmware("games").END,))
    app.go_home()
    assert (app.match, app.stopwatch, app.countdown, app.played) == (None,) * 4
    assert not app.screen.running and app.screen._game()[0] == game
    whole = 45_000 if game == "timer" else None
    assert told(app) == (game, *GAMES[game], whole)
    app._save()
    assert [record["players"] for record in app.store.records()] == [names for names in GAMES[game][:1] if names]
    # After a power cut likewise.
    again = table(None, files)
    assert again.match is None and told(again) == (game, *GAMES[game], whole)
    assert again.screen._game()[0] == game


@pytest.mark.parametrize("game", GAMES)
def test_so_does_one_that_nobody_has_begun(game, table, firmware):
    files = MemoryFiles()
    app = table(game, files)
    app.go_home()
    assert app.match is None and told(app)[:3] == (game, *GAMES[game])
    app._save()
    assert not list(app.store.records()) and table(None, files).table() is None


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"timer"}))
def test_one_that_goes_on_lies_there(game, table, firmware):
    app = table(game)
    match = app.match
    match.rename(0, "DAD")
    app.go_home()
    assert app.match is match and app.screen.running and app.played.paused
    assert app.stopwatch and app.countdown
    assert told(app)[1][0] == "DAD"


def test_nobody_has_played_on_a_new_device(table):
    app = table()
    assert app.table() is None and app.screen.chosen == 0 and not app.screen.running
