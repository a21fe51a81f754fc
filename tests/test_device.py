"""A device that goes wrong: every way ends in one clear message, never in a hang or an orphan process."""

import json
import os

import pytest

from host_sim import firmware, read_glass, run, tiers
from host_sim.board import load
from host_sim.device import DeviceError
from host_sim.tiers import child

CHILD_TIERS = [tier for tier in ("cpython", "micropython") if not tiers.absent(tier)]


@pytest.fixture(params=CHILD_TIERS)
def device(request, tmp_path):
    board = load(firmware.BOARDS / "RPI_PICO" / "board.json")
    flash = tmp_path / "flash"
    run.put_files(board, flash)
    with tiers.make(request.param, board, flash) as made:
        yield made


@pytest.fixture
def own_firmware(tmp_path, monkeypatch):
    """Puts a main.py of the test's in front of ours."""

    def put(source):
        folder = tmp_path / "firmware"
        folder.mkdir()
        (folder / "main.py").write_text(source, "utf-8")
        monkeypatch.setattr(child, "FIRMWARE", folder)

    return put


def read(device):
    return read_glass.rows(device.glass())


def test_a_crash_is_told_with_its_traceback(device, own_firmware):
    own_firmware("def deep():\n    return [][3]\n\ndeep()\n")
    device.power_on()
    with pytest.raises(DeviceError) as caught:
        device.run(1000)
    assert "IndexError" in str(caught.value)
    assert "main.py" in str(caught.value)


def test_a_main_that_ends_is_told(device, own_firmware):
    own_firmware("print('hello')\n")
    device.power_on()
    with pytest.raises(DeviceError, match=r"main\.py came to its end"):
        device.run(1000)


def test_a_loop_that_never_looks_at_the_clock_is_told(device, own_firmware, monkeypatch):
    monkeypatch.setattr(child, "SILENCE_S", 0.5)
    own_firmware("while True:\n    pass\n")
    device.power_on()
    with pytest.raises(DeviceError, match="loops without looking at the clock"):
        device.run(1000)


def test_a_loop_that_only_looks_at_the_clock_lets_time_pass(device, own_firmware):
    own_firmware(
        "import time\nfrom machine import Pin\nled = Pin(25, Pin.OUT)\nstart = time.ticks_us()\n"
        "while time.ticks_diff(time.ticks_us(), start) < 50000:\n    pass\nled(1)\ntime.sleep(10)\n"
    )
    device.power_on()
    device.run(100_000)
    assert device.led.changes and 50_000 <= device.led.changes[0][0] <= 51_000


def test_a_loop_that_only_looks_at_the_clock_misses_nothing_and_asks_seldom(device, own_firmware, monkeypatch):
    pin = device.board.buttons["ok"].pin
    own_firmware(
        "import time\nfrom machine import Pin\nled = Pin(25, Pin.OUT)\nled(0)\n"
        f"button = Pin({pin}, Pin.IN, Pin.PULL_UP)\nseen = 1\n"
        "while True:\n    time.ticks_us()\n    if button() != seen:\n        seen = button()\n        led(1 - seen)\n"
    )
    asked = []
    duration = device._duration
    monkeypatch.setattr(device, "_duration", lambda words: asked.append(words[0]) or duration(words))
    device.power_on()
    for at, down in ((33_345, True), (33_355, False), (70_001, True), (70_500, False)):
        device.run(at)
        device.key("ok", down)
    device.run(200_000)
    assert device.now == 200_000
    told = [(time, level) for time, level in device.led.changes if time]
    # Up and down between two looks: nobody can have seen that.
    assert [level for _, level in told] == [True, False]
    assert 70_001 <= told[0][0] <= 70_001 + child.LOOK_US
    assert 70_500 <= told[1][0] <= 70_500 + child.LOOK_US
    assert len(asked) < 40


def test_a_watchdog_bites_a_loop_that_only_looks_at_the_clock(device, own_firmware):
    own_firmware(
        "import machine, time\nled = machine.Pin(25, machine.Pin.OUT)\n"
        "if machine.mem32[0x40058008]:\n    led(1)\n    time.sleep(10)\n"
        "machine.WDT(timeout=33)\nwhile True:\n    time.ticks_us()\n"
    )
    device.power_on()
    device.run(100_000)
    assert [time for time, level in device.led.changes if level] == [33_000]


def test_a_busy_loop_that_sleeps_zero_is_not_for_ever(device, own_firmware, monkeypatch):
    monkeypatch.setattr(child, "SILENCE_S", 0.5)
    own_firmware("import time\nwhile True:\n    time.sleep_ms(0)\n")
    device.power_on()
    with pytest.raises(DeviceError):
        device.run(1000)


def test_reset_starts_again(device, own_firmware):
    own_firmware(
        "import machine, os, time\n"
        "try:\n    os.stat('seen')\nexcept OSError:\n    open('seen', 'w').close()\n    machine.reset()\n"
        "machine.Pin(25, machine.Pin.OUT, value=1)\ntime.sleep(10)\n"
    )
    device.power_on()
    device.run(1000)
    assert device.led.on


def test_power_off_ends_the_process_and_silences_everything(device):
    device.power_on()
    device.run(1_000_000)
    process = device._process
    device.key("ok", True)
    device.run(device.now + 10_000)
    device.power_off()
    assert process.poll() is not None
    assert device.piezo.frequency is None and not device.led.on
    assert device.glass() == [bytes(128)] * 64
    device.key("ok", False)
    device.power_on()
    device.run(device.now + 1_000_000)
    assert "ZIP-IT" in read(device)


def test_ask_takes_no_time_and_tells_an_error(device):
    device.power_on()
    device.run(500_000)
    assert device.ask("app.running.scores()") == "[]"
    with pytest.raises(DeviceError, match="NameError"):
        device.ask("nothing_of_that_name")
    assert device.now == 500_000


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "board.json: not JSON"),
        ("[1]", "board.json: not an object"),
        ("", "board.json: not JSON"),
        ('{"buttons": {}}', "board.json: no display"),
        (None, "board.json: missing"),
    ],
)
def test_a_broken_board_file_on_the_device_gives_the_plain_pico_and_says_so(device, content, says):
    path = device.flash / "board.json"
    if content is None:
        path.unlink()
    else:
        path.write_text(content, "utf-8")
    device.power_on()
    device.run(1_000_000)
    assert "PLAYING ON" in read(device) and says in read(device)
    device.at(device.now, lambda: device.key("ok", True))
    device.at(device.now + 60_000, lambda: device.key("ok", False))
    device.run(device.now + 200_000)
    assert "2 players" in read(device)


def test_a_board_with_other_pins_plays_alike(device, tmp_path):
    raw = json.loads(json.dumps(device.board.raw))
    for role, pin in (("left", 2), ("back", 3), ("ok", 16), ("right", 17)):
        raw["buttons"][role]["pin"] = pin
    raw["display"].update(bus=1, sda=26, scl=27, address="0x3D", rotation=180)
    raw["piezo"]["pin"] = 22
    (tmp_path / "board.json").write_text(json.dumps(raw), "utf-8")
    board = load(tmp_path / "board.json")
    flash = tmp_path / "other"
    run.put_files(board, flash)
    with tiers.make(device.tier, board, flash) as other:
        for one in (device, other):
            one.power_on()
            one.run(1_000_000)
            one.key("ok", True)
            one.run(one.now + 50_000)
        assert other.glass() == device.glass()
        assert other.panel.complaints == []
        assert other.piezo.beeps == device.piezo.beeps


def test_back_held_at_power_on_leaves_the_repl_free(device):
    device.key("back", True)
    device.power_on()
    with pytest.raises(DeviceError, match=r"main\.py came to its end"):
        device.run(1_000_000)
    device._printer.join(5)
    assert any("BACK is held" in line for line in device.output)


@pytest.mark.skipif(os.name != "posix", reason="counts processes by their parent")
def test_no_process_is_left(device):
    device.power_on()
    device.run(100_000)
    process = device._process.pid
    device.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_clone_that_always_says_display_off_does_not_blink(device):
    """Some panels answer a status read with nonsense: they are believed three times."""
    device.panel.read = lambda: 0x43
    device.power_on()
    device.run(5_000_000)
    before = device.panel.data_bytes
    device.run(device.now + 10_000_000)
    assert device.panel.data_bytes == before
    assert "ZIP-IT" in read(device)


def test_nothing_of_the_noise_in_a_fresh_panel_is_ever_shown(device):
    shown = set()
    device.bus.listener = lambda transfer: shown.add(device.frame())
    device.power_on()
    device.run(1_000_000)
    assert shown == {bytes(1024), device.frame()}, "dark, and then the first frame"


def test_the_driver_never_gets_to_send_what_the_panel_does_not_know(device):
    device.power_on()
    device.run(1_000_000)
    assert device.panel.complaints == []
    assert device.panel.contrast == 0xFF and device.panel.mode == 0


def test_a_panel_that_was_away_for_a_moment_makes_no_beat_late(device):
    """It is found dark by the look after it that is due just before the second beat; a whole frame takes 30 ms."""
    device.power_on()
    device.run(1_000_000)
    for role in ("right", "ok", "ok"):
        device.key(role, True)
        device.run(device.now + 60_000)
        device.key(role, False)
        device.run(device.now + 400_000)
    looked = [transfer.start_us for transfer in device.bus.transfers if transfer.size == 1][-1]
    first = looked + 1_015_000
    device.run(first - device.board.press_ms * 1000)
    device.key("right", True)
    device.run(first + 945_000)
    device.bus.unplug()
    device.run(first + 950_000)
    device.bus.plug()
    device.run(first + 1_100_000)
    start, second = [tone.start_us for tone in device.piezo.tones if tone.frequency == 880][:2]
    assert abs(second - start - 1_000_000) < 1000
    assert "CROSSED" in read(device)


def test_what_only_power_on_needs_goes_when_it_is_over(device):
    device.power_on()
    device.run(1_000_000)
    told = device.ask("[name for name in __import__('sys').modules if name.startswith('pouch.')]")
    assert "'pouch.app'" in told
    assert "power_on" not in told and "'pouch.hal.board'" not in told


@pytest.mark.parametrize("device", [tier for tier in tiers.TIERS if not tiers.absent(tier)], indirect=True)
def test_a_module_that_is_gone_is_held_by_nobody(device):
    """Its package holds it too. On the Pico 11 kB of lists of names were held like that."""
    device.power_on()
    device.run(3_000_000)
    # From game to game, that theirs come and go; at the end nothing is left to import.
    for _ in range(7):
        device.key("right", True)
        device.run(device.now + 60_000)
        device.key("right", False)
        device.run(device.now + 700_000)
    told = device.ask(
        "[__name + '.' + __key for __name, __module in __import__('sys').modules.items()"
        " for __key, __value in getattr(__module, '__dict__', {}).items()"
        " if type(__value) is type(app) and hasattr(__value, '__file__')"
        " and not any(__value is __other for __other in __import__('sys').modules.values())]"
    )
    assert told == "[]"


def test_ram_holds_one_game_beside_that_of_a_running_match(device):
    def press(*roles, us=60_000):
        for role in roles:
            device.key(role, True)
            device.run(device.now + us)
            device.key(role, False)
            device.run(device.now + 500_000)

    def games():
        """Those with a module in RAM, either by its name or as what a package holds."""
        modules = device.ask("' '.join(__import__('sys').modules)")
        held = device.ask(
            "' '.join(n for p in ('games', 'screens', 'ui') for n in dir(__import__('pouch.' + p, None, None, p)))"
        )
        names = [name.rpartition(".")[2] for name in f"{modules} {held}".replace("'", "").split()]
        begins = ("zip_", "cw_", "crossed_words")
        return {"zip_it" if name.startswith("zip_") else "crossed_words" for name in names if name.startswith(begins)}

    device.power_on()
    device.run(1_000_000)
    assert games() == {"zip_it"}
    press("right")
    assert games() == {"crossed_words"}
    press("left", "ok", "ok")  # GO!
    assert games() == {"zip_it"}
    press("ok", us=1_000_000)
    press("right", "right", "ok", "right")  # home, and away from the match
    assert "ZIP-IT" in read(device)
    press("right")
    assert "CROSSED WORDS" in read(device)
    assert "zip_it" in games()
    press("ok", "right", "ok")  # end that match
    press("ok")
    assert games() == {"crossed_words"}
