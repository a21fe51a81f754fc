"""Frames on CPython, drawn by the firmware's own modules into the driver's framebuf, through the app's own path.

A frame must not depend on what stood there before, a partial update must leave what a whole draw makes, and the widest
numerals and names must fit.
"""

import adafruit_framebuf
import pytest

NAMES = ("ANNA", "BEN", "CLEO", "DAD", "EMMA", "FINN")
WIDE = ("WWWWWWWW", "MWMWMWMW", "WMWMWMWM", "MMMMWWWW", "WWWWMMMM", "MWWMMWWM")
SCORES = (99, 100, 9, -35, 1000)
ACCENTED = ("ÁÁÁÁÁÁÁÁ", "ÑÑÑÑÑÑÑÑ", "Ö", "ÜÜÜÜÜÜÜÜ", "ÉÉÉÉÉÉÉÉ", "ÍÍÍÍÍÍÍÍ")
SHORT = ("É", "ÑO", "ÜB", "ÁL", "ÖZ", "ÍÑ")


class Glass(adafruit_framebuf.FrameBuffer):
    """A panel that is always there, as the app sees it."""

    lost = False
    brightness = 255

    def __init__(self):
        self.pixels = bytearray(1024)
        super().__init__(self.pixels, 128, 64, adafruit_framebuf.MVLSB)

    def show(self):
        self.shown = bytes(self.pixels)

    def probe(self):
        return False

    def invert(self, invert):
        pass


class Quiet:
    """A part of the device of which nothing is asked here."""

    rhythm = None  # of the piezo: it has every pitch

    def __getattr__(self, name):
        return lambda *args: 0


class Device:
    press_us = 5000
    release_us = 12000
    tripped = 0
    watchdog = None

    def __init__(self):
        self.ticks = 1_000_000
        self.oled = Glass()
        self.piezo = self.led = Quiet()
        self.keys = Quiet()

    def now(self):
        self.ticks += 1  # whoever waits for a moment sees it come
        return self.ticks


class NoStore(Quiet):
    """Nothing was kept, and nothing is."""

    matches = ()
    pending = False
    problems = ()

    def load(self, name, fit, default):
        return default

    def begin(self):
        return 1, None

    def clock(self, order, entries):
        return None

    def records(self, after=0):
        return ()


@pytest.fixture
def make(firmware):
    """make(game, players, options): an app in a match of it, on home."""

    def app(game, players, options=None):
        app = firmware("app").App(Device(), firmware("screens.home").Home, NoStore())
        app.begin(firmware("games." + game), players, options)
        return app

    return app


def put(app, **values):
    """Set the state directly: the rules know no such scores."""
    app.match.state = dict(app.match.state, **values)


def drawn(app, screen):
    """The frame that the app makes of a screen, on whatever stood there before."""
    app.screen = screen
    app._ticked = False
    app._draw(screen)
    return app.device.oled.shown


def fresh(app, screen, firmware):
    """The same on a glass and a canvas of its own."""
    oled, canvas = app.device.oled, app.canvas
    firmware("ui.legend")._drawn = ()  # it keeps the last one
    app.device.oled = Glass()
    app.canvas = firmware("ui.canvas").Canvas(app.device.oled, app.device.oled.pixels)
    frame = drawn(app, screen)
    app.device.oled, app.canvas = oled, canvas
    return frame


def picture(frame):
    """For whoever reads a failure."""
    return "\n".join("".join(".#"[frame[(y >> 3) * 128 + x] >> (y & 7) & 1] for x in range(128)) for y in range(64))


def zip_ready(make, firmware, names, score, other):
    app = make("zip_it", names[:2])
    put(app, scores=(score, other), rounds=7)
    return app, firmware("screens.zip_ready").ZipReady(app)


def zip_question(make, firmware, names, score, other):
    app = make("zip_it", names[:2])
    put(app, scores=(score, other), rounds=7, phase=2, who=0, seconds=42, lead=612)
    return app, firmware("screens.zip_question").GridQuestion(app)


def zip_point(make, firmware, names, score, other):
    app = make("zip_it", names[:2])
    put(app, scores=(score, other), rounds=7, last=(1, 4, True))
    return app, firmware("screens.zip_point").ZipPoint(app, still=True)


def zip_wrong(make, firmware, names, score, other):
    app = make("zip_it", names[:2])
    put(app, scores=(score, other), rounds=7, last=(1, 1, False))
    return app, firmware("screens.zip_point").ZipPoint(app, still=True)


def zip_win(make, firmware, names, score, other):
    app = make("zip_it", names[:2])
    put(app, scores=(score, other), rounds=7, phase=4)
    return app, firmware("screens.zip_win").ZipWin(app)


def _home(app, firmware):
    home = firmware("screens.home").Home(app)
    home.running = True
    home.chosen = 0
    return app, home


def zip_home(make, firmware, names, score, other):
    app, _ = zip_ready(make, firmware, names, score, other)
    return _home(app, firmware)


def _crossed_words(make, names, count, score, other, **values):
    app = make("crossed_words", names[:count])
    put(app, scores=(score, other, *range(count - 2)), rounds=2, **values)
    return app


def cw_home(make, firmware, names, score, other):
    return _home(_crossed_words(make, names, 4, score, other), firmware)


def cw_home_six(make, firmware, names, score, other):
    return _home(_crossed_words(make, names, 6, score, other), firmware)


def cw_open(make, firmware, names, score, other):
    app = _crossed_words(make, names, 4, score, other)
    return app, firmware("screens.cw_open").CwOpen(app)


def cw_open_six(make, firmware, names, score, other):
    app = _crossed_words(make, names, 6, score, other)
    return app, firmware("screens.cw_open").CwOpen(app)


def cw_points(make, firmware, names, score, other):
    app = _crossed_words(make, names, 4, score, other, phase=3, piles=(9, 9, 1, 0), points=(3, 3, 2, 0))
    return app, firmware("screens.cw_points").CwPoints(app)


def cw_points_six(make, firmware, names, score, other):
    values = {"phase": 3, "piles": (9, 9, 1, 0, 0, 0), "points": (3, 3, 2, 0, 0, 0)}
    app = _crossed_words(make, names, 6, score, other, **values)
    return app, firmware("screens.cw_points").CwPoints(app)


def cw_result(make, firmware, names, score, other):
    app = _crossed_words(make, names, 4, score, other, phase=4, points=(2, 2, 2, 2))
    return app, firmware("screens.cw_result").CwResult(app)


def cw_result_six(make, firmware, names, score, other):
    app = _crossed_words(make, names, 6, score, other, phase=4, points=(2, 2, 2, 2, 2, 2))
    return app, firmware("screens.cw_result").CwResult(app)


def change_scores(make, firmware, names, score, other):
    app = _crossed_words(make, names, 6, score, other)
    screen = firmware("screens.change_scores").ChangeScores(app, None)
    screen.scores[1] = 1999
    return app, screen


def _upwords(make, names, count, score, other, **values):
    app = make("upwords", names[:count], {"limit": 0})
    lasts = (420, -1, 7, -2)[:count]
    put(app, scores=(score, other, *range(count - 2))[:count], rounds=29, lasts=lasts, turn=count - 1, **values)
    return app


def up_home(make, firmware, names, score, other):
    return _home(_upwords(make, names, 4, score, other), firmware)


def up_home_two(make, firmware, names, score, other):
    return _home(_upwords(make, names, 2, score, other), firmware)


def up_turn_two(make, firmware, names, score, other):
    app = _upwords(make, names, 2, score, other)
    return app, firmware("screens.up_turn").UpTurn(app)


def up_turn_three(make, firmware, names, score, other):
    app = _upwords(make, names, 3, score, other)
    return app, firmware("screens.up_turn").UpTurn(app)


def up_turn_four(make, firmware, names, score, other):
    app = _upwords(make, names, 4, score, other)
    return app, firmware("screens.up_turn").UpTurn(app)


def up_undone(make, firmware, names, score, other):
    app = _upwords(make, names, 4, score, other)
    return app, firmware("screens.up_turn").UpTurn(app, undone=True)


def up_solo(make, firmware, names, score, other):
    app = _upwords(make, names, 1, score, other)
    solo = firmware("screens.up_solo")
    solo._kept = (app.store, app.match.order, (other,))
    return app, solo.UpSolo(app)


def up_points(make, firmware, names, score, other):
    app = _upwords(make, names, 2, other, score)
    return app, firmware("screens.up_points").UpPoints(app)


def up_sum(make, firmware, names, score, other):
    words = (0o5555555555, 0o61, 0o2211, 0o5111111115)
    app = _upwords(make, names, 2, other, score, words=words, sum=74, seven=1)
    return app, firmware("screens.up_sum").UpSum(app)


def up_challenge(make, firmware, names, score, other):
    app = _upwords(make, names, 2, score, other, open=(0, 420, 0))
    more = firmware("screens.up_more")
    return app, more.Challenge(app, more.UpMore(app, None))


def up_result(make, firmware, names, score, other):
    app = _upwords(make, names, 4, score, other, phase=2, why=1)
    return app, firmware("screens.up_result").UpResult(app)


def up_result_two(make, firmware, names, score, other):
    app = _upwords(make, names, 2, score, other, phase=2, why=2)
    return app, firmware("screens.up_result").UpResult(app)


def up_result_solo(make, firmware, names, score, other):
    app = _upwords(make, names, 1, score, other, phase=2, why=2)
    app.match.state["rounds"] = 999
    firmware("screens.up_solo")._kept = (app.store, app.match.order, (other,) * 5)
    return app, firmware("screens.up_result").UpResult(app)


SCREENS = (
    zip_ready,
    zip_question,
    zip_point,
    zip_wrong,
    zip_win,
    zip_home,
    cw_home,
    cw_home_six,
    cw_open,
    cw_open_six,
    cw_points,
    cw_points_six,
    cw_result,
    cw_result_six,
    change_scores,
    up_home,
    up_home_two,
    up_turn_two,
    up_turn_three,
    up_turn_four,
    up_undone,
    up_solo,
    up_points,
    up_sum,
    up_challenge,
    up_result,
    up_result_two,
    up_result_solo,
)
screens = pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)


def zip_call(make, firmware, names, score, other):
    app = make("zip_it", names[:2])
    app.stopwatch = firmware("stopwatch").Stopwatch(app.now)
    call = firmware("screens.zip_call").ZipCall(app, 1, app.now)
    call.lead_us = score * 1000
    return app, call


def zip_bonus(make, firmware, names, score, other):
    app = make("zip_it", names[:2], {"rhyming": True, "palindromes": True, "big_word": True})
    put(app, scores=(score, other), phase=2, who=0)
    return app, firmware("screens.zip_bonus").ZipBonus(app, None)


def zip_menu(make, firmware, names, score, other):
    app, below = zip_ready(make, firmware, names, score, other)
    return app, firmware("screens.menu").Menu(app, below)


def zip_confirm(make, firmware, names, score, other):
    app, menu = zip_menu(make, firmware, names, score, other)
    menu._end(app)
    return app, app.screen


def cw_confirm(make, firmware, names, score, other):
    app, below = cw_open(make, firmware, names, score, other)
    firmware("screens.menu").Menu(app, below)._end(app)
    return app, app.screen


def setup(make, firmware, names, score, other):
    app = make("zip_it", names[:2])
    return app, firmware("screens.setup").Setup(app.match.game, names[:2], {}, None)


def setup_players(make, firmware, names, score, other):
    app = make("crossed_words", names)
    return app, firmware("screens.setup_players").SetupPlayers(app, app.match.game, 4)


def setup_players_four(make, firmware, names, score, other):
    app = make("crossed_words", names[:4])
    return app, firmware("screens.setup_players").SetupPlayers(app, app.match.game, 4)


def setup_names(make, firmware, names, score, other):
    app = make("crossed_words", names)
    return app, firmware("screens.setup_names").SetupNames(names, None, None)


def name_entry(make, firmware, names, score, other):
    app = make("zip_it", names[:2])
    screen = firmware("screens.name_entry").NameEntry(1, (), None, None)
    screen.name = names[0][:-1]
    return app, screen


def cw_sheet(make, firmware, names, score, other):
    app = _crossed_words(make, names, 6, score, other, phase=2, sheet=b"\1\0\1\1\1\1\0\1")
    return app, firmware("screens.cw_sheet").CwSheet(app)


def cw_totals(make, firmware, names, score, other):
    app = _crossed_words(make, names, 6, score, other, phase=2)
    return app, firmware("screens.cw_totals").CwTotals(app)


def cw_vote(make, firmware, names, score, other):
    app, _ = cw_sheet(make, firmware, names, score, other)
    return app, firmware("screens.cw_vote").CwVote(app)


def score_list(make, firmware, names, score, other):
    app, below = cw_result_six(make, firmware, names, score, other)
    return app, firmware("screens.score_list").ScoreList(app, below, firmware("ui.discs").SMALL_DISCS)


def up_more(make, firmware, names, score, other):
    app = _upwords(make, names, 2, score, other, open=(0, 420, 0))
    return app, firmware("screens.up_more").UpMore(app, None)


def up_lost_challenge(make, firmware, names, score, other):
    app = make("upwords", names[:4], {"wrong": "turn lost", "challenge": "turn lost"})
    put(app, scores=(score, other, 5, 9), open=(0, 420, 0), turn=1)
    more = firmware("screens.up_more")
    return app, more.Challenge(app, more.UpMore(app, None))


def up_length(make, firmware, names, score, other):
    app = _upwords(make, names, 2, score, other)
    return app, firmware("screens.up_length").UpLength(app, [1] * 10)


def up_left(make, firmware, names, score, other):
    app = _upwords(make, names, 4, score, other, phase=1, why=0)
    screen = firmware("screens.up_left").UpLeft(app)
    screen.left = [7, 1, 7, 7]
    screen.player = 3
    return app, screen


def up_menu(make, firmware, names, score, other):
    app, below = up_turn_four(make, firmware, names, score, other)
    return app, firmware("screens.menu").Menu(app, below)


def up_confirm(make, firmware, names, score, other):
    app, below = up_turn_four(make, firmware, names, score, other)
    firmware("screens.menu").Menu(app, below)._end(app)
    return app, app.screen


def up_list(make, firmware, names, score, other):
    app, below = up_result(make, firmware, names, score, other)
    noted = firmware("games.ranking").noted
    put(app, history=noted(noted(b"", (score, other, -99, 1999)), (1999, -99, other, score)))
    return app, firmware("screens.score_list").ScoreList(app, below)


def up_word(make, firmware, names, score, other):
    app = _upwords(make, names, 2, score, other)
    return app, firmware("screens.up_word").UpWord(app, [5] * 10, 9)


WITH_NAMES = (
    up_word,
    up_more,
    up_lost_challenge,
    up_length,
    up_left,
    up_menu,
    up_confirm,
    up_list,
    zip_call,
    zip_bonus,
    zip_menu,
    zip_confirm,
    cw_confirm,
    setup,
    setup_players,
    setup_players_four,
    setup_names,
    name_entry,
    cw_sheet,
    cw_totals,
    cw_vote,
    score_list,
)


@screens
def test_a_frame_does_not_depend_on_the_frame_before(screen, make, firmware):
    app, _ = screen(make, firmware, NAMES, 0, 0)
    for score in SCORES:
        other, shown = screen(make, firmware, NAMES, score, 7)
        app.match = other.match
        frame = drawn(app, shown)
        assert frame == fresh(app, shown, firmware), f"{score} is not drawn as on a fresh glass\n{picture(frame)}"


def test_a_legend_does_not_depend_on_the_frame_before(make, firmware):
    """Its labels are kept between frames, black on white and white on black."""
    app, ready = zip_ready(make, firmware, NAMES, 7, 4)
    shout = firmware("screens.cw_stop").CwStop(app)
    point = zip_point(make, firmware, NAMES, 7, 4)[1]
    app.match.state = dict(app.match.state, last=(1, 4, True))
    for screen in (ready, shout, point, shout, ready):
        frame = drawn(app, screen)
        assert frame == fresh(app, screen, firmware), picture(frame)


class Overlap(AssertionError):
    pass


@pytest.fixture
def fits(firmware, monkeypatch):
    """From here on text that leaves the glass, or lies over other text of the same frame, fails the test."""
    canvas = firmware("ui.canvas").Canvas
    text, clear = canvas.text, canvas.clear
    boxes = []

    def checked_text(self, font, string, x, y, color=1):
        end = text(self, font, string, x, y, color)
        ink = string.strip()
        if ink:
            # An accent stands over its letter: 1 row in the small face, up to 3.
            accents = {6: 1, 12: 2}.get(font.HEIGHT, 3) if set(ink) & set("".join(ACCENTED)) else 0
            top = y - accents
            if x < 0 or end > 128 or top < 0 or y + font.HEIGHT > 64:
                raise Overlap(f"{string!r} leaves the glass: columns {x} to {end}, from row {top} on")
            x = end - self.width(font, string.lstrip())
            end = x + self.width(font, ink)
            for other, left, right, upper, lower in boxes:
                if x < right and left < end and top < lower and upper < y + font.HEIGHT:
                    raise Overlap(f"{string!r} at {x}..{end}, row {top} lies over {other!r}")
            boxes.append((string, x, end, top, y + font.HEIGHT))
        return end

    def new_frame(self, color=0):
        boxes.clear()
        clear(self, color)

    monkeypatch.setattr(canvas, "text", checked_text)
    monkeypatch.setattr(canvas, "clear", new_frame)


WIDEST = (*SCORES, -99, 199, 1999)
# Where there is no room for more than the rules allow: a disc and a score of each of six players in a row.
AS_THE_RULES_ALLOW = (cw_result_six,)


@screens
def test_all_numerals_fit(screen, make, firmware, fits):
    for score in WIDEST:
        for other in WIDEST:
            if screen in AS_THE_RULES_ALLOW and not (0 <= score <= 99 and 0 <= other <= 99):
                continue
            drawn(*screen(make, firmware, NAMES, score, other))


@pytest.mark.parametrize("screen", SCREENS[:4], ids=lambda screen: screen.__name__)
def test_numerals_keep_off_the_zippers(screen, make, firmware):
    zipper = firmware("ui.zipper")
    for score in WIDEST:
        for other in WIDEST:
            app, shown = screen(make, firmware, NAMES, score, other)
            frame = drawn(app, shown)
            glass = Glass()
            alone = firmware("ui.canvas").Canvas(glass, glass.pixels)
            for player in (0, 1):
                row = zipper.mouth(app.match.state["scores"][player], 10)
                zipper.draw(alone, 111 * player, 0, row, player)
            for page in range(6):
                for column in (*range(17), *range(111, 128)):
                    at = page * 128 + column
                    assert frame[at] == glass.pixels[at], f"{score}, {other}\n{picture(frame)}"


@pytest.mark.parametrize("names", (WIDE, ACCENTED, SHORT), ids=("wide", "accented", "short"))
@pytest.mark.parametrize("screen", SCREENS + WITH_NAMES, ids=lambda screen: screen.__name__)
def test_all_names_fit(screen, names, make, firmware, fits):
    for scores in ((7, 4), (4, 7), (0, 0), (6, 6), (20, 98)):
        drawn(*screen(make, firmware, names, *scores))


# -- partial updates -------------------------------------------------------------------------------------


def follow(app, firmware, screen, until_us):
    """Let a screen's clock run, each frame drawn as the app does after a tick; compare it with a whole draw.

    Returns how many of the frames were updates.
    """
    since = firmware("ticks").since
    update = screen.update
    updates = []

    def counted(canvas, app):
        updates.append(update(canvas, app))
        return updates[-1]

    screen.update = counted
    drawn(app, screen)
    end = app.device.ticks + until_us
    while app.screen is screen and app.device.ticks < end:
        wake = screen.wake(app, app.device.ticks)
        if wake is None:
            break
        app.device.ticks += max(0, since(wake, app.device.ticks))
        app.now = app.device.ticks
        for clock in (app.stopwatch, app.countdown):
            if clock:
                clock.advance(app.now)
        screen.tick(app, app.now)
        if app.screen is screen:
            app._ticked = True
            app._draw(screen)
            frame = app.device.oled.shown
            whole = fresh(app, screen, firmware)
            assert frame == whole, f"after {len(updates)} updates:\n{picture(frame)}\n\n{picture(whole)}"
    return sum(updates)


@pytest.mark.parametrize("before, after", (((5, 4), (9, 4)), ((0, 0), (0, 1)), ((3, 8), (3, 10)), ((9, 0), (9, 9))))
def test_the_climbing_slider_leaves_the_whole_frame(before, after, make, firmware):
    app = make("zip_it", NAMES[:2])
    put(app, scores=before)
    old = app.match.state
    scorer = 0 if after[0] > before[0] else 1
    put(app, scores=after, last=(scorer, after[scorer] - before[scorer], True), rounds=3)
    screen = firmware("screens.zip_point").ZipPoint(app, before=old)
    frames = max(4, 2 * (after[scorer] - before[scorer]))
    assert follow(app, firmware, screen, 5_000_000) == frames


@pytest.mark.parametrize("begins", (0, 57, 9 * 60 + 57, 19 * 60 + 58, 99 * 60 + 57))
def test_the_stopwatch_leaves_the_whole_frame(begins, make, firmware):
    app = make("zip_it", NAMES[:2])
    put(app, phase=1, scores=(3, 4))
    app.stopwatch = firmware("stopwatch").Stopwatch(app.now)
    app.stopwatch.seconds = begins
    screen = firmware("screens.zip_round").ZipRound(app)
    assert follow(app, firmware, screen, 12_000_000) >= 11


def test_the_five_count_leaves_the_whole_frame(make, firmware):
    app = make("crossed_words", NAMES[:4])
    app.match.do((firmware("games.crossed_words").COUNT,))
    screen = firmware("screens.cw_count").CwCount(app, app.now, app.now)
    assert follow(app, firmware, screen, 6_000_000) >= 5 * 15


# -- the words of Upwords --------------------------------------------------------------------------------

WORDS = (
    (1, 1),
    (5, 5),
    (1,) * 10,
    (6,) + (1,) * 9,
    (5,) * 10,
    (2,) * 10,
    (1,) * 9 + (3,),
    (1,) * 8 + (4, 1),
    (6, 2) + (1,) * 7 + (5,),
    (1, 1, 3, 1, 1),
)


@pytest.mark.parametrize("heights", WORDS, ids=lambda heights: "".join(map(str, heights)))
def test_a_word_keeps_off_its_points(heights, make, firmware):
    """Stacks, sum and points of every word have rows or columns of their own; nothing touches."""
    app = make("upwords", WIDE[:2])
    screen = firmware("screens.up_word").UpWord(app, list(heights), len(heights) - 1)
    frame = drawn(app, screen)
    board = firmware("ui.up_board")
    alone = Glass()
    canvas = firmware("ui.canvas").Canvas(alone, alone.pixels)
    board.stacks(canvas, heights, len(heights) - 1)
    tiles = set(ink(alone.pixels, 9, 54))
    others = set(ink(frame, 9, 54)) - tiles
    assert tiles <= set(ink(frame, 9, 54)), picture(frame)
    for x, y in others:
        around = {(x + right, y + down) for right in (-1, 0, 1) for down in (-1, 0, 1)}
        assert not around & tiles, f"something touches a tile at {x}, {y}\n{picture(frame)}"


def ink(frame, top, end):
    """The pixels that are lit in the rows top..end-1."""
    return [(x, y) for y in range(top, end) for x in range(128) if frame[(y >> 3) * 128 + x] >> (y & 7) & 1]


def test_a_turns_clock_leaves_the_whole_frame(make, firmware):
    app = make("upwords", NAMES[:4], {"limit": 15})
    screen = firmware("screens.up_turn").turn(app)
    put(app, scores=(1999, 57, -99, 8))
    assert follow(app, firmware, screen, 20_000_000) == 15
    assert app.countdown.over
