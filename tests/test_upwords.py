"""Upwords above its rules: who has won reads the same live, on the result, in the record and after a power cut."""

import pytest

from host_sim import read_glass
from tests.test_frames import Device, drawn
from tests.torture.memory import MemoryFiles

NAMES = ("ANNA", "BEN", "CLEO", "DAD")


def power_on(firmware, files):
    return firmware("app").App(Device(), firmware("screens.home").Home, firmware("store").Store(files))


def words(frame):
    glass = [bytearray(frame[(y >> 3) * 128 + x] >> (y & 7) & 1 for x in range(128)) for y in range(64)]
    return read_glass.rows(glass)


# Points in turn order, what is left over (None: the table ends it), what the result says.
MATCHES = {
    "one": ((8, 3), (0, 7), ("ANNA WINS", "8 : -32 before BEN")),
    "last": ((8, 3, 20, 9), (0, 1, 2, 0), ("CLEO WINS", "10 : 9 before DAD")),
    "behind two": ((30, 8, 8), (0, 0, 0), ("ANNA WINS", "30 : 8 before BEN and CLEO")),
    "a tie": ((10, 15), (0, 1), ("TIE AT 10", "ANNA and BEN share it")),
    "all": ((7, 7, 7, 7), (0, 0, 0, 0), ("TIE AT 7", "4 players share it")),
    "below zero": ((1, 1), (7, 1), ("BEN WINS", "-4 : -34 before ANNA")),
    "by the table": ((5, 6), None, ("BEN WINS", "Ended, 1 round")),
    "solo": ((12,), (1,), ("7 POINTS", "The first score to beat")),
}


@pytest.mark.parametrize("what", MATCHES)
def test_the_winner_reads_the_same_everywhere(what, firmware):
    points, left, says = MATCHES[what]
    files = MemoryFiles()
    app = power_on(firmware, files)
    up = firmware("games.upwords")
    app.begin(up, NAMES[: len(points)])
    assert app.winner() == "none"
    for number in points:
        app.match.do((up.POINTS, number))
    if left is None:
        app.match.do((firmware("games").END,))
    else:
        app.match.do((up.FINISH, up.STUCK))
        assert app.winner() == "none"
        app.match.do((up.LEFT, *left))
    winner = app.winner()
    assert winner != "none"
    read = words(drawn(app, firmware("screens").resume(app)))
    for line in says:
        assert line in read
    if len(points) > 1:
        assert ("share it" in read) == (" and " in winner)
    app._save()
    (record,) = app.store.records()
    assert " and ".join(record["players"][player] for player in record["winners"]) == winner
    again = power_on(firmware, files)
    assert again.match is None and again.table()[1] == app.match.players, "nobody can go on with it"
    kept = firmware("store").Store(files)
    kept.look()
    again.match = kept.last_match(firmware("match").restore)
    assert again.winner() == winner
    assert words(drawn(again, firmware("screens").resume(again))) == read
    (record,) = again.store.records()
    assert " and ".join(record["players"][player] for player in record["winners"]) == winner


def solo(app, firmware, score):
    up = firmware("games.upwords")
    app.begin(up, NAMES[:1])
    app.match.do((up.POINTS, score))
    app.match.do((up.FINISH, up.STUCK))
    app.match.do((up.LEFT, 0))


def leave(app, firmware):
    """HOME, on the result."""
    screen = firmware("screens").resume(app)
    screen.press(app, firmware("app").RIGHT, 1, 0)
    app._save()


def test_the_best_solo_scores_outlive_their_records(firmware):
    """The history keeps a hundred matches, the best scores stay; an undone end counts once, as it ends at last."""
    up, best = firmware("games.upwords"), firmware("screens.up_solo").best
    files = MemoryFiles()
    app = power_on(firmware, files)
    for score in (100, 241, 30, 186, 186, 50):
        solo(app, firmware, score)
        firmware("screens").resume(app)
        app._save()
    app.match.undo()
    app.match.do((up.LEFT, 7))  # 15 in the end
    leave(app, firmware)
    app = power_on(firmware, files)
    solo(app, firmware, 120)
    assert best(app) == (241, 186, 186, 100, 30)
    leave(app, firmware)
    for _ in range(100):
        app.begin(up, NAMES[:2])
        app.match.do((up.POINTS, 5))
        app.match.do((firmware("games").END,))
        app._save()
    assert all(len(record["players"]) == 2 for record in app.store.records())
    app = power_on(firmware, files)
    app.begin(up, NAMES[:1])
    assert best(app) == (241, 186, 186, 120, 100)


def test_best_scores_that_cannot_be_read_come_from_the_records(firmware):
    up, best = firmware("games.upwords"), firmware("screens.up_solo").best
    files = MemoryFiles()
    app = power_on(firmware, files)
    for score in (100, 241):
        solo(app, firmware, score)
        leave(app, firmware)
    for name in ("solo.a", "solo.b"):
        if name in files.files:
            files.files[name] = b"\xff" * 40
    app = power_on(firmware, files)
    app.begin(up, NAMES[:1])
    assert best(app) == (241, 100)
