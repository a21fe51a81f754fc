"""A glass that is turned for who sits opposite: picture, keys, and the players' sides of the table."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host_sim import firmware, picture, read_glass, run, tiers
from host_sim.board import load
from host_sim.scenario import parse
from tests.torture import host  # noqa: F401 -- with it pouch.ui can be imported

SCENARIOS = Path(__file__).parent / "scenarios"
MOCK_UP = firmware.ROOT / "docs" / "look" / "zip-running-turned.png"
# The upright row that stands in each row of a turned glass: legend, an empty row, the seam, content.
ROWS = (*range(56, 64), 55, 54, *range(54))
TIERS = [tier for tier in ("cpython", "micropython") if not tiers.absent(tier)]


@pytest.fixture(params=TIERS)
def device(request, tmp_path):
    board = load(firmware.BOARDS / "RPI_PICO" / "board.json")
    run.put_files(board, tmp_path / "flash")
    with tiers.make(request.param, board, tmp_path / "flash") as made:
        made.power_on()
        made.run(1_000_000)
        yield made


def wait(device, ms):
    device.run(device.now + round(ms * 1000))


def press(device, *roles, apart_us=0, ms=60):
    start = device.now
    for i, role in enumerate(roles):
        device.at(start + i * apart_us, lambda role=role: device.key(role, True))
        device.at(start + i * apart_us + ms * 1000, lambda role=role: device.key(role, False))
    wait(device, ms + 100 + len(roles) * apart_us / 1000)


def ask(device, expression):
    return device.ask("app.running." + expression)


def turn(device):
    ask(device, "turn()")
    # Nothing wakes the app for what is done from outside but its own probe.
    wait(device, 600)


def words(device):
    return read_glass.rows(device.page())


def from_other_side(glass):
    return [row[::-1] for row in reversed(glass)]


BIT = [bytes(byte >> bit & 1 for byte in range(256)) for bit in range(8)]


def unpacked(pixels):
    return [pixels[y // 8 * 128 : y // 8 * 128 + 128].translate(BIT[y % 8]) for y in range(64)]


@given(st.binary(min_size=1024, max_size=1024), st.integers(0, 128))
def test_the_legend_hangs_from_the_top_and_the_rest_moves_down(before, columns):
    from pouch.ui.canvas import Canvas

    pixels = bytearray(before)
    canvas = Canvas(type("Framebuffer", (), {"fill_rect": None, "scroll": None}), pixels)
    canvas.hang(columns)
    old, new = unpacked(before), unpacked(pixels)
    for y in range(64):
        assert new[y][:columns] == old[ROWS[y]][:columns]
        assert new[y][columns:] == old[y][columns:]


def test_a_running_round_is_the_mock_up(device):
    turn(device)
    press(device, "back")
    ask(device, "match.do((0xE1, 0, 7))")
    ask(device, "match.do((0xE1, 1, 4))")
    press(device, "back")
    wait(device, 42_000)
    assert from_other_side(device.glass()) == picture.load(MOCK_UP)


def test_each_player_keeps_his_side_of_the_table(device):
    press(device, "ok")
    press(device, "ok")
    turn(device)
    press(device, "right", "left", apart_us=3000)
    assert ask(device, "screen.player") == "1" and ask(device, "screen.lead_ms") == "3"
    # BLUE's half is the one over the right key; the time line is at its far end.
    rows = device.glass()[6:]
    assert all(row[127] for row in rows) and not any(row[0] for row in rows)
    wait(device, 1300)
    press(device, "back")
    assert ask(device, "scores()") == "[0, 1]"
    press(device, "back")
    wait(device, 700)
    press(device, "left")
    assert ask(device, "screen.player") == "0"
    wait(device, 1300)
    press(device, "back")
    assert ask(device, "scores()") == "[1, 1]"
    press(device, "back")
    wait(device, 700)
    press(device, "right", "left", apart_us=300)
    wait(device, 1300)
    assert "DEAD HEAT" in words(device)
    press(device, "left")  # FIRST
    assert ask(device, "match.state['who']") == "0"


def test_it_stays_turned_over_screens_and_matches_until_the_power_goes(device):
    upright = device.glass()
    turn(device)
    assert device.page() != device.glass() and "PLAY" in words(device)
    press(device, "back")
    assert "First to 10 wins" in words(device) and ask(device, "turned") == "1"
    press(device, "ok")  # BACK: home
    press(device, "back")
    assert "First to 10 wins" in words(device) and ask(device, "turned") == "1"
    press(device, "ok")
    device.power_off()
    device.power_on()
    wait(device, 1000)
    assert device.glass() == upright and device.page() == upright


def test_turned_twice_it_is_as_before(device):
    press(device, "ok")
    upright = device.glass()
    turn(device)
    assert device.glass() == picture.load(SCENARIOS / run.FRAMES / "turned-zip-ready.png")
    turn(device)
    assert device.glass() == upright
    press(device, "ok")
    assert "GO!" in words(device)


def test_a_key_that_is_held_meanwhile_does_nothing_more(device):
    press(device, "ok")
    press(device, "ok")
    wait(device, 700)
    device.key("back", True)  # dead in a round; turned, it is OK, which opens the menu if it is held
    wait(device, 100)
    ask(device, "turn()")
    wait(device, 1500)
    device.key("back", False)
    wait(device, 200)
    assert "ZipRound" in ask(device, "screen")
    device.key("back", True)
    wait(device, 1000)
    device.key("back", False)
    assert "RoundMenu" in ask(device, "screen")


def test_a_key_that_repeats_meanwhile_does_so_no_more(device):
    press(device, "right")
    press(device, "ok")
    device.key("left", True)
    wait(device, 200)
    before = sorted(words(device).split("\n"))  # the legend comes first now
    ask(device, "turn()")
    wait(device, 1500)
    assert sorted(words(device).split("\n")) == before
    device.key("left", False)


def test_what_repeats_is_the_reader_s_key(device):
    press(device, "right")
    press(device, "ok")
    assert "players" in words(device)
    turn(device)
    device.key("left", True)  # his right one: more
    wait(device, 1500)
    device.key("left", False)
    assert "6" in words(device)
    # No screen has a single one of them yet.
    device.ask("setattr(app.running.screen, 'REPEATS', 1)")
    ask(device, "turn()")
    assert ask(device, "presses.repeat") == "1"
    ask(device, "turn()")
    assert ask(device, "presses.repeat") == "8"
    ask(device, "show(app.running.screen)")
    assert ask(device, "presses.repeat") == "8"


def test_who_is_stuck_is_named_over_the_key(device):
    press(device, "ok")
    turn(device)
    before = device.glass()
    device.key("left", True)
    wait(device, 21_000)
    assert "STUCK" in words(device)
    # From the owner's seat the left key is at the left, below the glass.
    changed = [x for old, new in zip(before, device.glass(), strict=True) for x in range(128) if old[x] != new[x]]
    assert changed and max(changed) < 32


def test_a_panel_that_comes_back_is_turned(device):
    turn(device)
    before = device.glass()
    device.bus.unplug()
    wait(device, 2000)
    device.bus.plug()
    wait(device, 1000)
    assert device.glass() == before


def test_turned_in_the_dark(device):
    device.bus.unplug()
    wait(device, 2000)
    turn(device)
    device.bus.plug()
    wait(device, 1000)
    assert device.page() != device.glass() and "PLAY" in words(device)


def test_a_crash_is_told_upright_as_its_key_is(device):
    turn(device)
    device.ask("setattr(app.running, 'screen', None)")
    wait(device, 1000)
    assert device.page() == device.glass() and "SORRY" in words(device)
    press(device, "ok")
    wait(device, 1500)
    assert "PLAY" in words(device) and ask(device, "turned") == "0"


def test_a_panel_that_is_mounted_the_other_way_round(tmp_path):
    board = load(firmware.BOARDS / "RPI_PICO" / "board.json")
    glasses = []
    for rotation in (0, 180):
        raw = {**board.raw, "display": {**board.raw["display"], "rotation": rotation}}
        path = tmp_path / f"{rotation}.json"
        path.write_text(json.dumps(raw), "utf-8")
        other = load(path)
        run.put_files(other, tmp_path / str(rotation))
        with tiers.make("cpython", other, tmp_path / str(rotation)) as device:
            device.power_on()
            wait(device, 1000)
            assert device.page() == device.glass()
            turn(device)
            assert "PLAY" in words(device)
            glasses.append(device.glass())
    assert glasses[0] == glasses[1]


# Without the tab over a held OK, which is drawn over the moved frame.
DRAW = (
    "[setattr(app.running, '_growth', 0), setattr(app.running.canvas, 'turned', {canvas}),"
    " setattr(app.running, 'turned', {app}), app.running._draw_all(app.running.screen),"
    " bytes(app.running.canvas.pixels).hex()][4]"
)
CONTENT = (
    "[app.running.canvas.clear(), app.running.screen.render(app.running.canvas, app.running),"
    " bytes(app.running.canvas.pixels).hex()][2]"
)


@pytest.mark.parametrize("name", ["turned", "dead_heat", "zip_match", "cw_round_by_totals", "cw_vote", "cw_sheet"])
def test_every_screen_turned_and_turned_back_is_the_upright_one(name, monkeypatch):
    seen = set()

    def draw(device, **turned):
        return unpacked(bytes.fromhex(device.ask(DRAW.format(**turned)).strip("'")))

    def look(player, step):
        play(player, step)
        device = player.device
        if not device.powered or step.verb not in ("wait", "press", "text"):
            return
        app = int(ask(device, "turned"))
        # The players' sides are the canvas's business: it moves nothing yet.
        upright = draw(device, canvas=1, app=0)
        turned = draw(device, canvas=1, app=1)
        low = int(ask(device, "screen.LOW"))
        whole = ask(device, "screen.legend(app.running)") == "()"
        for y in range(64):
            assert turned[y][:low] == upright[y if whole else ROWS[y]][:low], (step, y)
            assert turned[y][low:] == upright[y][low:], (step, y)
        if not whole:
            # What a screen draws below its seam would come to stand over it.
            content = unpacked(bytes.fromhex(device.ask(CONTENT).strip("'")))
            assert len({pixel for row in content[55:] for pixel in row[:low]}) == 1, step
        seen.add(ask(device, "screen").split(" ")[0])
        draw(device, canvas=app, app=app)

    play = run.Player._do
    monkeypatch.setattr(run.Player, "_do", look)
    result = run.play(parse(SCENARIOS / f"{name}.txt"), "cpython")
    assert not result.failure
    assert len(seen) > 2, seen
