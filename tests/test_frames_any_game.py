"""Frames of the timer, the tally and the history, as tests/test_frames.py has them of the games; and the mock-ups of
which no scenario has the data."""

import random

import pytest

from host_sim import picture, read_glass, run
from tests import test_frames
from tests.rules.test_properties import new_match, some_action
from tests.test_frames import ACCENTED, NAMES, SHORT, WIDE, WIDEST, NoStore, Quiet, _home, drawn, follow, fresh, put
from tests.test_frames import picture as as_text
from tools.gallery import LOOK

make, fits = test_frames.make, test_frames.fits
MINUTE = 60_000


def glass(frame):
    """Its rows, as host_sim has them."""
    return [bytes(frame[(y >> 3) * 128 + x] >> (y & 7) & 1 for x in range(128)) for y in range(64)]


def apart(frame, mock, rows=range(64)):
    """Pixels of these rows that differ from a mock-up."""
    agreed = picture.load(LOOK / f"{mock}.png")
    seen = glass(frame)
    return run.pixels_apart([seen[y] for y in rows], [agreed[y] for y in rows])


# -- the screens, with names and scores as they come -----------------------------------------------------


def _tally(make, names, count, score, other, options=None, **values):
    app = make("tally", names[:count], options)
    put(app, scores=(score, other, *(0, 12, -99, 1999)[: max(0, count - 2)])[:count], rounds=2, gained=score, **values)
    return app


def tally(count, **values):
    def screen(make, firmware, names, score, other):
        app = _tally(make, names, count, score, other, **values)
        return app, firmware("screens.tally_turn").TallyTurn(app)

    screen.__name__ = f"tally_{count}" + "".join(values)
    return screen


def tally_of(count, what):
    def screen(make, firmware, names, score, other):
        app = _tally(make, names, count, score, other, history=b"\x07\xcf" * count + b"\xff\x9d" * count)
        if what == "home":
            return _home(app, firmware)
        app.match.state["phase"] = 1
        result = firmware("screens.tally_result").TallyResult(app)
        if what == "list":
            app.screen = result
            result.press(app, 0, 1, 0)
            return app, app.screen
        return app, result

    screen.__name__ = f"tally_{what}_{count}"
    return screen


class Kept(NoStore):
    """A history."""

    def __init__(self, *records):
        self.kept = {record["order"]: record for record in records}

    def finished(self):
        return sorted(self.kept)

    def finished_match(self, order):
        return self.kept.get(order)


def record(order, game, players, standings, winners, rounds=(), seconds=None, options=()):
    return {
        "order": order,
        "game": game,
        "players": players,
        "options": options,
        "rounds": rounds,
        "standings": standings,
        "winners": winners,
        "length": len(rounds),
        "seconds": seconds,
    }


def _record_of(names, count, score, other, order=1234):
    scores = (score, other, *(1999, -99, 0, 1000)[: max(0, count - 2)])[:count]
    order_of = sorted(range(count), key=lambda player: (-scores[player], player))
    best = [player for player in order_of if scores[player] == scores[order_of[0]]]
    down = tuple(max(-99, -score) for score in scores)
    rounds = (tuple(0 for _ in scores), scores, scores, down, scores, scores[::-1])
    places = tuple((player, scores[player], i) for i, player in enumerate(order_of))
    return record(order, "crossed_words", names[:count], places, tuple(best), rounds, 60 * 999, (("ties", "dense"),))


def history(make, firmware, names, score, other):
    app = make("zip_it", names[:2])
    app.store = Kept(*[_record_of(names, 1 + i % 6, score, other, 100 + i) for i in range(12)])
    return app, firmware("screens.history").History(app, None, 5)


def record_page(count, page):
    def screen(make, firmware, names, score, other):
        app = make("zip_it", names[:2])
        app.store = Kept(_record_of(names, count, score, other))
        shown = firmware("screens.record").Record(app, 1234, None)
        for _ in range(page):
            shown.press(app, 3, 1, 0)
        while shown._to_read:
            shown.tick(app, 0)
        return app, shown

    screen.__name__ = f"record_{count}_page_{page}"
    return screen


SCREENS = (
    *(tally(count) for count in range(1, 7)),
    *(tally(count, options={"limit": 600}) for count in range(1, 7)),
    *(tally_of(count, what) for count in (1, 2, 6) for what in ("home", "list")),
    *(tally_of(count, "result") for count in range(1, 7)),
    history,
    *(record_page(count, page) for count in (1, 2, 3, 6) for page in range(5)),
)
screens = pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)


@screens
def test_a_frame_does_not_depend_on_the_frame_before(screen, make, firmware):
    for score in (0, 100, -35):
        app, shown = screen(make, firmware, NAMES, score, 7)
        frame = drawn(app, shown)
        assert frame == fresh(app, shown, firmware), as_text(frame)


@screens
def test_all_numerals_fit(screen, make, firmware, fits):
    for score in WIDEST:
        for other in (0, 199, 1999, -99, score):
            drawn(*screen(make, firmware, NAMES, score, other))


@pytest.mark.parametrize("names", (WIDE, ACCENTED, SHORT), ids=("wide", "accented", "short"))
@screens
def test_all_names_fit(screen, names, make, firmware, fits):
    for scores in ((7, 4), (4, 7), (0, 0), (6, 6), (20, 98)):
        drawn(*screen(make, firmware, names, *scores))


# -- the timer -------------------------------------------------------------------------------------------


def timer(make, firmware, whole, left):
    app = make("timer", ())
    rules = firmware("games.timer")
    app.match.do((rules.SET, whole))
    app.match.do((rules.START,))
    app.countdown = firmware("countdown").Countdown(left, app.now)
    return app, firmware("screens.timer_running").TimerRunning(app)


@pytest.mark.parametrize("whole", (11_000, 3 * MINUTE, 5_999_000))
def test_the_running_timer_leaves_the_whole_frame(whole, make, firmware):
    app, screen = timer(make, firmware, whole, min(whole, 133_500))
    assert follow(app, firmware, screen, 15_000_000) > 5


@pytest.mark.parametrize("second", (1, 9, 10, 11, 59, 60, 599, 600, 5999))
def test_every_time_fits(second, make, firmware, fits):
    app, screen = timer(make, firmware, second * 1000, second * 1000)
    drawn(app, screen)
    drawn(*_home(app, firmware))
    put(app, phase=2, left=second * 1000)
    drawn(app, firmware("screens.timer_paused").TimerPaused(app))
    put(app, phase=3)
    drawn(app, firmware("screens.timer_over").TimerOver(app))
    put(app, phase=0)
    drawn(app, firmware("screens.timer_set").TimerSet(app))


def test_the_keys_lead_to_the_same_times_up_and_down(firmware):
    stepped = firmware("screens.timer_set").stepped
    times = [1]
    while times[-1] < 5999:
        times.append(stepped(times[-1], 1))
    assert {5, 10, 30, 60, 90, 180, 300, 600, 900, 3600} <= set(times)
    assert times == sorted(set(times))
    back = [times[-1]]
    while back[-1] > 1:
        back.append(stepped(back[-1], -1))
    assert back[::-1] == times
    assert stepped(1, -1) == 1 and stepped(5999, 1) == 5999


class Keys(Quiet):
    """Nobody presses."""

    def __init__(self, device):
        self.device = device

    def drain(self, presses):
        return self.device.ticks


def ends(make, firmware, seed):
    """When (ms) five seconds end on the glass in a loop of which 30 % of the wakes are dropped, with one stall."""
    chance = random.Random(seed)
    app = make("timer", ())
    rules = firmware("games.timer")
    device = app.device
    device.keys = Keys(device)
    device.ticks = start = chance.randrange(1 << 30)
    later, since = firmware("ticks").later, firmware("ticks").since
    app.now, app.played = start, None
    app.presses.start(0, start)
    app.match.do((rules.SET, 5000))
    app.match.do((rules.START,))
    firmware("screens.timer_running").run(app, start)
    stall = chance.randrange(5_000_000)
    found = []
    screen = None
    while since(device.ticks, start) < 9_000_000:
        wake = app.step()
        if app.screen is not screen:
            screen = app.screen
            if type(screen).__name__ == "TimerOver":
                found.append(since(app.now, start) / 1000)
        device.ticks = later(device.ticks, max(1, since(wake, device.ticks)))
        if since(device.ticks, start) >= stall:
            device.ticks = later(device.ticks, 300_000)
            stall = 1 << 30
        else:
            while chance.random() < 0.3:
                device.ticks = later(device.ticks, 20_000)
    return found


def test_five_seconds_end_once_and_in_time_though_wakes_are_dropped(make, firmware):
    late = {}
    for seed in range(16):
        found = ends(make, firmware, seed)
        if len(found) != 1 or not 5000 <= found[0] <= 5300:
            late[seed] = found
    assert late == {}


def test_a_limit_leaves_the_whole_frame(make, firmware):
    app = make("crossed_words", NAMES, {"limit": 60})
    screen = firmware("screens.cw_open").CwOpen(app)
    assert follow(app, firmware, screen, 5_000_000) >= 4


# -- the scores round by round ---------------------------------------------------------------------------


def evening(game, seed):
    """A match of whatever a table does, to its end or where the table ends it."""
    from pouch.games import END, Illegal

    match = new_match(game, seed)
    chance = random.Random(seed)
    for _ in range(chance.choice((1, 6, 30, 120, 400))):
        try:
            match.do(some_action(match, chance))
        except Illegal:
            continue
        if match.outcome():
            break
        if chance.random() < 0.1 and match.can_undo:
            match.undo()
    if not match.outcome():
        match.do((END,))
    return match if match.record() else evening(game, seed + 1000)  # all was undone: there is no record


def heading(app, screen):
    return read_glass.rows(glass(drawn(app, screen))[:8]).splitlines()[0]


def last_row(app, screen):
    """The lowest row, as an eye reads it."""
    return read_glass.rows(glass(drawn(app, screen))[:54]).splitlines()[-1]


@pytest.mark.parametrize("game", ("zip_it", "crossed_words", "upwords", "tally"))
def test_the_last_row_has_the_final_scores(game, make, firmware):
    record_page, score_list = firmware("screens.record").Record, firmware("screens.score_list").ScoreList
    ends = set()
    for seed in range(24):
        match = evening(game, seed)
        app = make("zip_it", NAMES[:2])
        app.match = match
        scores = match.state["scores"]
        rounds = firmware("games.ranking").by_round(match.state["history"], len(scores))
        changed = not rounds or rounds[-1] != scores
        ends.add(changed)
        labels = ("the end", "=") if changed else (f"round {len(rounds)}", str(len(rounds)))
        expected = [" ".join([label, *map(str, scores)]) for label in labels]
        listed = score_list(app, None, firmware("ui.discs").SMALL_DISCS)
        assert listed.legend(app)[3] == ""
        assert last_row(app, listed) in expected
        app.store = Kept(match.record(60))
        record = record_page(app, match.order, None)
        while record.page < record._last - 2:
            record.press(app, 3, 1, 0)
        assert last_row(app, record) in expected
    assert ends == {True, False}  # both kinds of end have been there


@pytest.mark.parametrize("game", ("zip_it", "crossed_words", "upwords", "tally"))
def test_the_winner_reads_the_same_live_on_the_result_and_in_the_history(game, make, firmware):
    kinds = set()
    for seed in range(24):
        app = make("zip_it", NAMES[:2])
        app.match = match = evening(game, seed)
        live = app.winner()
        shown = read_glass.rows(glass(drawn(app, firmware("screens").resume(app)))).splitlines()
        told = match.record(60)
        assert " and ".join(told["players"][player] for player in told["winners"]) == live
        app.store = Kept(told)
        kept = read_glass.rows(
            glass(drawn(app, firmware("screens.record").Record(app, match.order, None)))
        ).splitlines()
        tied = " and " in live
        kinds.add(tied)
        assert tied == any("TIE" in row.split() for row in shown) == any("A TIE" in row for row in kept)
        if not tied:
            assert len(match.players) == 1 or any(row.startswith(live + " ") for row in shown), shown
            assert any(row.startswith(live + " ") for row in kept), kept
    assert kinds == {True, False}


@pytest.mark.parametrize("scores", ((4, 0), (8, -32), (1999, 5)))
def test_the_curves_of_one_round_go_from_nothing_to_the_scores(scores, make, firmware):
    app = make("zip_it", NAMES[:2])
    app.store = Kept(record(7, "tally", NAMES[:2], ((0, scores[0], 0), (1, scores[1], 1)), (0,), (scores,)))
    rows = glass(drawn(app, firmware("screens.record").Record(app, 7, None)))
    low = min(0, scores[1])
    start, *ends = (52 - round(25 * (score - low) / (scores[0] - low)) for score in (0, *scores))
    assert rows[start][1] and rows[ends[0]][86]
    # Halfway a line is half as high: it is no frame around nothing.
    for player, column in ((0, 44), (1, 45)):
        middle = start + (ends[player] - start) * (column - 1) // 85
        assert any(rows[y][column] for y in (middle, middle + 1)), (player, as_text(app.device.oled.shown))


@pytest.mark.parametrize("language", ("English", "español"))
@pytest.mark.parametrize(
    "game, count", (("zip_it", 2), ("crossed_words", 3), ("upwords", 1), ("upwords", 4), ("tally", 1), ("tally", 6))
)
def test_the_headings_of_a_record_are_whole(language, game, count, make, firmware, fits):
    """Also those of the hundredth match, of many rounds, of a night."""
    speak, say = firmware("languages").speak, firmware("words").say
    app = make("zip_it", NAMES[:2])
    places = tuple((player, 0, 0) for player in range(count))
    for order, rounds, seconds in ((1, 1, 0), (12, 4, 1860), (100, 99, 60 * 999), (999, 99, 60), (999, 99, None)):
        kept = record(order, game, NAMES[:count], places, (0,), ((0,) * count,) * rounds, seconds)
        app.store = Kept(kept)
        shown = firmware("screens.record").Record(app, order, None)
        try:
            speak(language)
            title = firmware("games.records").title(kept, say)
            name = say(firmware("games.records").TITLES[game]).upper()
            length = say("1 ROUND" if rounds == 1 else "{} ROUNDS").format(rounds)
            minutes = say(", {} MIN").format((seconds + 30) // 60) if seconds is not None else ""
            best, mean, rules = say("BEST"), say("MEAN"), say("RULES")
            seen = [heading(app, shown)]
            shown._totals = []
            for page in (shown._last - 1, shown._last):
                shown.page = page
                seen.append(heading(app, shown))
        finally:
            speak("English")
        # Where there is no room for both, the minutes.
        assert seen[0] in (f"{title} {length}{minutes}", f"{title} {minutes[2:] or length}")
        assert seen[1:] == [f"{name} {best} {mean}", f"{title} {rules}"]


# -- mock-ups of which no scenario has the data ----------------------------------------------------------


def test_the_tally_of_six_is_as_agreed(make, firmware):
    app = make("tally", NAMES)
    put(app, scores=(1999, -99, 120, 98, 7, 0), turn=4)
    app.match.journal.add((1, 7))
    app.match._depth = 1
    screen = firmware("screens.tally_turn").TallyTurn(app)
    frame = drawn(app, screen)
    assert apart(frame, "tally-6") == 0, as_text(frame)


MATCHES = (
    record(19, "zip_it", ("BLUE", "RED"), ((0, 12, 0), (1, 9, 1)), (0,)),
    record(20, "upwords", ("ANNA",), ((0, 186, 0),), (0,)),
    record(21, "crossed_words", ("ANNA", "BEN", "CLEO"), ((2, 9, 0), (0, 7, 1), (1, 6, 2)), (2,)),
    record(22, "upwords", ("ANNA", "BEN"), ((0, 120, 0), (1, 120, 0)), (0, 1)),
)
RED = (0, 1, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 9, 9, 10)
BLUE = (0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 7)


def red_and_blue():
    rounds = tuple(zip(RED[1:], BLUE[1:], strict=True))
    return record(23, "zip_it", ("RED", "BLUE"), ((0, 10, 0), (1, 7, 1)), (0,), rounds, 31 * 60)


def test_the_list_is_as_agreed(make, firmware):
    """But for ▲, which is dead on the first row, so it has no label."""
    app = make("zip_it", NAMES[:2])
    first = [record(order, "tally", ("A",), ((0, 0, 0),), (0,)) for order in range(1, 19)]
    app.store = Kept(*first, *MATCHES, red_and_blue())
    frame = drawn(app, firmware("screens.history").History(app, None))
    assert apart(frame, "history", range(56)) == 0, as_text(frame)


def test_a_record_is_as_agreed(make, firmware):
    app = make("zip_it", NAMES[:2])
    app.store = Kept(red_and_blue())
    frame = drawn(app, firmware("screens.record").Record(app, 23, None))
    assert apart(frame, "record", range(56)) == 0, as_text(frame)
