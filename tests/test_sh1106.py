"""SH1106 panels: 132 columns, no windows, told from an SSD1306 by board.json alone; the glass is the same."""

import json

import pytest

from host_sim import firmware, read_glass, run, tiers
from host_sim.board import load
from host_sim.chips.sh1106 import COLUMNS, Sh1106
from host_sim.chips.ssd1306 import Ssd1306

TIERS = [tier for tier in ("cpython", "micropython") if not tiers.absent(tier)]
HEAD = 7  # of a window: page, column, column, and that data follows
INIT = bytes.fromhex("00 AE AD 8B A1 C8 AF")
DARK = [bytes(128)] * 64


# --- the chip ---------------------------------------------------------------------------------------------------------


def window(page, column, data):
    return bytes((0x80, 0xB0 | page, 0x80, column & 15, 0x80, 0x10 | column >> 4, 0x40)) + bytes(data)


def lit(chip):
    return {(x, y) for y, row in enumerate(chip.glass()) for x, on in enumerate(row) if on}


@pytest.fixture
def panel():
    return started(Sh1106())


def started(chip, init=INIT):
    chip.transaction(init)
    for page in range(8):
        chip.transaction(window(page, 0, bytes(COLUMNS)))
    return chip


def test_after_power_on_the_memory_is_noise_to_its_edges_and_the_glass_dark():
    chip = Sh1106()
    assert len(chip.ram) == 8 * 132 and chip.glass() == DARK
    chip.transaction(INIT)
    seen = lit(chip)
    assert len(seen) > 1000 and {0, 127} <= {x for x, _ in seen}


def test_data_goes_to_the_columns_after_the_first_and_stays_in_its_page(panel):
    panel.transaction(window(3, 2 + 0x15, (1, 0x80)))
    assert lit(panel) == {(0x15, 24), (0x16, 31)}
    panel.transaction(b"\x40\x01")  # the column goes on
    assert (0x17, 24) in lit(panel)
    assert panel.complaints == [] and panel.data_bytes == 8 * 132 + 3


def test_the_four_columns_beside_the_glass(panel):
    panel.transaction(window(0, 0, b"\xff\xff"))
    panel.transaction(window(0, 130, b"\xff\xff"))
    assert lit(panel) == set()
    panel.transaction(window(0, 2, b"\x01" + bytes(126) + b"\x80"))
    assert lit(panel) == {(0, 0), (127, 7)}
    panel.transaction(b"\x40\xff\xff\xff")
    assert any("past column 131" in text for text in panel.complaints)


@pytest.mark.parametrize("offset", [0, 2, 4])
@pytest.mark.parametrize(("rotation", "init"), [(0, INIT), (180, INIT.replace(b"\xa1\xc8", b"\xa0\xc0"))])
def test_the_offset_is_the_column_under_the_left_edge_as_it_is_mounted(offset, rotation, init):
    chip = started(Sh1106(0x3C, rotation, offset), init)
    chip.transaction(window(0, offset, b"\x01" + bytes(126) + b"\x02"))
    assert lit(chip) == {(0, 0), (127, 1)}
    # Turned by the firmware, the columns are counted from the other edge.
    turned = started(Sh1106(0x3C, 180 - rotation, offset), init)
    turned.transaction(window(0, 4 - offset, b"\x01" + bytes(126) + b"\x02"))
    assert lit(turned) == {(127, 63), (0, 62)}


def test_it_lacks_windows_and_takes_their_arguments_for_commands(panel):
    panel.transaction(bytes.fromhex("00 21 05 7f 22 00 07"))
    assert panel.column & 0x0F == 7 and panel.start_line == 63 and panel.page == 7
    assert [text[:12] for text in panel.complaints] == ["command 0x21", "command 0x22"]


def test_the_pump_is_on_from_power_on_and_is_set_only_while_the_display_is_off(panel):
    assert panel.lit()
    panel.transaction(b"\x00\xad\x8a")
    assert panel.lit() and any("only while the display is off" in text for text in panel.complaints)
    panel.transaction(b"\x00\xae\xad\x8a\xaf")
    assert not panel.lit()
    panel.transaction(b"\x00\xae\xad\x30\xaf")
    assert any("only 0x8A and 0x8B" in text for text in panel.complaints)


def test_its_status_says_off_and_is_not_that_of_an_ssd1306(panel):
    assert panel.read() == 0x08
    panel.transaction(b"\x00\xae")
    assert panel.read() == 0x48
    assert Ssd1306().read() & 0x0F != panel.read() & 0x0F


# --- the firmware on it -----------------------------------------------------------------------------------------------


@pytest.fixture(params=TIERS)
def tier(request):
    return request.param


@pytest.fixture
def make(tmp_path, tier):
    """Makes a device whose board.json has this in its display; `panel` takes the place of what it says."""
    made = []

    def device(panel=None, **display):
        raw = json.loads(json.dumps(load(firmware.BOARDS / "RPI_PICO" / "board.json").raw))
        raw["display"].update(display)
        folder = tmp_path / str(len(made))
        folder.mkdir()
        (folder / "board.json").write_text(json.dumps(raw), "utf-8")
        board = load(folder / "board.json")
        run.put_files(board, folder / "flash")
        made.append(tiers.make(tier, board, folder / "flash"))
        if panel:
            made[-1].panel = made[-1].bus.panel = panel
        made[-1].heard = []  # every transaction that reached the panel
        transaction = made[-1].panel.transaction
        made[-1].panel.transaction = lambda data: (made[-1].heard.append(bytes(data)), transaction(data))
        return made[-1]

    yield device
    for each in made:
        each.close()


def begin(device):
    device.power_on()
    device.run(1_000_000)
    return device


def press(device, role):
    for down in (True, False):
        device.key(role, down)
        device.run(device.now + 60_000)
    device.run(device.now + 300_000)


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize("offset", [0, 2])
def test_the_glass_is_that_of_an_ssd1306_upright_and_turned(make, offset, rotation):
    plain = begin(make(rotation=rotation))
    other = begin(make(controller="sh1106", column_offset=offset, rotation=rotation))
    assert "ZIP-IT" in read_glass.rows(plain.glass())
    for what in ("as it starts", "PLAY", "GO!", "turned", "ZIP!", "back"):
        for device in (plain, other):
            if what in ("PLAY", "GO!"):
                press(device, "ok")
            elif what == "ZIP!":
                press(device, "left")
            elif what != "as it starts":
                device.ask("app.running.turn()")
                device.run(device.now + 600_000)
        assert other.glass() == plain.glass(), what
        assert other.panel.complaints == []


def test_all_132_columns_are_cleared_before_the_display_is_on(make):
    device = make(controller="sh1106", column_offset=0)
    shown = set()
    device.bus.listener = lambda transfer: shown.add(device.frame())
    begin(device)
    assert shown == {bytes(1024), device.frame()}, "dark, and then the first frame"
    whole = [data for data in device.heard if len(data) == HEAD + COLUMNS]
    assert [data[1] for data in whole] == [0xB0 | page for page in range(8)]
    assert all(data[3] == 0 and data[5] == 0x10 for data in whole)
    assert device.heard.index(whole[-1]) < device.heard.index(b"\x80\xaf")
    margin = [device.panel.ram[page * COLUMNS + i] for page in range(8) for i in range(4)]
    assert margin == [0] * 32  # A1: columns 128 to 131 are the first four segments


def test_only_what_changed_goes_out_a_transaction_a_page_window(make):
    device = begin(make(controller="sh1106", column_offset=2))
    press(device, "ok")
    press(device, "ok")  # GO!
    device.run(device.now + 3_000_000)
    device.heard.clear()
    before = device.panel.data_bytes
    device.run(device.now + 1_000_000)  # one second of the stopwatch
    assert 1 <= len(device.heard) <= 8
    for data in device.heard:
        assert data[::2][:3] == b"\x80\x80\x80" and data[6] == 0x40, data
        assert 0xB0 <= data[1] <= 0xB7 and data[3] <= 0x0F and 0x10 <= data[5] <= 0x18
    assert 0 < device.panel.data_bytes - before < 120
    device.heard.clear()
    press(device, "left")
    device.run(device.now + 3_000_000)  # ZIP! and the question: then nothing changes
    device.heard.clear()
    device.run(device.now + 3_000_000)
    assert device.heard == []


def test_a_panel_that_was_away_is_found_and_set_up_afresh(make):
    device = begin(make(controller="sh1106", column_offset=2))
    glass = device.glass()
    device.bus.unplug()
    device.run(device.now + 2_000_000)
    device.bus.plug()
    assert not device.panel.on and device.glass() == DARK
    device.run(device.now + 2_000_000)
    assert device.glass() == glass and device.panel.complaints == []
    device.panel.on = False  # a dip of the supply that the bus did not notice
    device.run(device.now + 2_000_000)
    assert device.glass() == glass


def test_contrast_and_invert_are_set_up_again_too(make):
    device = begin(make(controller="sh1106", column_offset=2))
    plain = device.glass()
    device.bus.unplug()
    device.run(device.now + 2_000_000)
    # As `contrast` and `invert` note them; while it is asked, the firmware can't use the bus.
    device.ask(
        "[setattr(app.running.device.oled, '_contrast', 40), setattr(app.running.device.oled, '_inverted', True)]"
    )
    device.bus.plug()
    device.run(device.now + 2_000_000)
    assert device.panel.contrast == 40
    assert device.glass() == [bytes(1 - pixel for pixel in row) for row in plain]


def test_its_module_is_imported_only_where_there_is_one(make):
    loaded = "'pouch.hal.sh1106' in __import__('sys').modules"
    assert begin(make()).ask(loaded) == "False"
    assert begin(make(controller="sh1106")).ask(loaded) == "True"


# --- and when board.json is wrong -------------------------------------------------------------------------------------


def test_an_sh1106_driven_as_an_ssd1306_shows_a_stripe_in_noise(make):
    """The fault of many first builds: what board.json calls an SSD1306 is none."""
    right = begin(make(controller="sh1106", column_offset=2))
    wrong = begin(make(controller="ssd1306", panel=Sh1106()))
    noise = Sh1106()
    noise.transaction(INIT)
    glass, before = wrong.glass(), noise.glass()
    assert run.pixels_apart(glass, right.glass()) > 2000
    assert "ZIP-IT" not in read_glass.rows(glass)
    # All that was sent went into one page; the start line that it took from a window moves the rest by one row.
    moved = before[-1:] + before[:-1]
    stripe = [y for y in range(64) if glass[y] != moved[y]]
    assert stripe and stripe[-1] - stripe[0] < 8
    assert any("0x21" in text for text in wrong.panel.complaints)


def test_an_ssd1306_driven_as_an_sh1106_stays_dark(make):
    wrong = begin(make(controller="sh1106", column_offset=2, panel=Ssd1306()))
    assert wrong.glass() == DARK
    assert not wrong.panel.charge_pump and wrong.panel.on


@pytest.mark.parametrize(
    ("part", "change", "says"),
    [
        ("display", {"controller": "sh1107"}, "display.controller"),
        ("display", {"column_offset": "2"}, "column_offset"),
        ("piezo", {"kind": "loud"}, "piezo.kind"),
    ],
)
def test_a_board_file_on_the_device_with_another_word_gives_the_plain_pico(make, part, change, says):
    device = make()
    raw = json.loads((device.flash / "board.json").read_text("utf-8"))
    raw[part].update(change)
    (device.flash / "board.json").write_text(json.dumps(raw), "utf-8")
    begin(device)
    assert f"board.json: {says}" in read_glass.rows(device.glass())
