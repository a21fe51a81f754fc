"""What self-test, beacon and watchdog do where no scenario brings the fault about: in chips, panels and contacts."""

import itertools
import sys
import time
from types import SimpleNamespace

import pytest

from host_sim import run, tiers
from host_sim.board import find
from host_sim.scenario import parse


def says_sh1106(device):
    """As an SH1106 answers: told apart by the lower half of its status byte."""
    device.panel.read = lambda: 0x08 if device.panel.on else 0x48


def play(tmp_path, text, tier, watch=None):
    path = tmp_path / "played.txt"
    path.write_text(text, "utf-8")
    result = run.play(parse(path), tier, watch=watch)
    assert result.failure is None, result.failure


PRESENT = [tier for tier in ("cpython", "micropython") if not tiers.absent(tier)]
FRESH = "wait 1s\nmark\nwait 15s\nexpect 18 beeps\nexpect 18 blinks\nmark\nwait 10s\nexpect 0 blinks\n"
SELFTEST = """
press back
press ok
hold ok 1s
hold ok 1s
hold ok 1s
expect text "SH1106 ✗"
press right
press ok
expect text "column_offset to 2" within 200ms
"""


@pytest.mark.parametrize("tier", PRESENT)
def test_a_panel_that_says_it_is_an_sh1106_is_told_on_a_fresh_device(tmp_path, tier):
    """Six pulses, three times; the glass may show noise then. And the self-test has it in words."""
    play(tmp_path, FRESH + SELFTEST, tier, says_sh1106)


@pytest.mark.parametrize("tier", PRESENT)
def test_a_family_is_not_told_again_and_again(tmp_path, tier):
    """A clone may say what it likes: who has played on it knows that its picture is right."""
    begin = "press ok\npress ok\nwait 1s\npress left\nwait 1.3s\npress ok\nexpect scores 1 0 within 100ms\nwait 1s\n"
    again = "power off\npower on\nwait 1s\nmark\nwait 15s\nexpect 0 blinks\n"
    play(tmp_path, begin + again, tier, says_sh1106)


@pytest.mark.parametrize("tier", PRESENT)
def test_an_ssd1306_is_not_told(tmp_path, tier):
    play(tmp_path, "wait 15s\nexpect 0 beeps\nexpect 0 blinks\n", tier)


@pytest.mark.skipif("micropython" not in PRESENT, reason="CPython keeps what it prints until its end")
def test_the_console_has_it_in_words(tmp_path):
    said = []
    text = "panel at 0x3D\npower on\nwait 5s\nexpect 3 beeps\n"
    play(tmp_path, text, "micropython", lambda device: said.append(device.output))
    assert said[0] == ["Pouch: no panel at 0x3C, but at 0x3D: set display.address in board.json"]


class Contact:
    """A key's pin. joined: the level of what it is connected to, None for nothing. leaky: erratum E9 of an RP2350."""

    IN, PULL_UP, PULL_DOWN = "in", 1, 0

    def __init__(self, closed, joined, leaky):
        self.pull = 1 - closed
        self.joined = joined
        self.leaky = leaky

    def init(self, mode, pull):
        self.pull = pull

    def __call__(self):
        if self.joined is not None:
            return self.joined
        return 1 if self.leaky else self.pull


@pytest.fixture
def hal(firmware, monkeypatch):
    """module(name) of pouch, imported anew, with a `machine` that the test has a hand in: `hal.machine`."""
    ticks = itertools.count(0, 40)
    machine = SimpleNamespace(Pin=Contact, SoftI2C=None, WDT=None, mem32={}, disable_irq=None, enable_irq=None)
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setattr(time, "ticks_us", lambda: next(ticks), raising=False)
    monkeypatch.setattr(time, "ticks_diff", lambda after, before: after - before, raising=False)

    def module(name):
        monkeypatch.delitem(sys.modules, f"pouch.{name}", raising=False)
        made = firmware(name)
        monkeypatch.delitem(sys.modules, f"pouch.{name}")
        return made

    module.machine = machine
    return module


@pytest.mark.parametrize("chip, closed, joined, wrong", [
    ("rp2040", 0, None, 0), ("rp2040", 0, 0, 0), ("rp2040", 0, 1, 1),
    ("rp2040", 1, None, 0), ("rp2040", 1, 1, 0), ("rp2040", 1, 0, 1),
    # Its pull-down holds no pin low: an open key would look as if it was on 3V3.
    ("rp2350", 0, None, 0), ("rp2350", 0, 0, 0), ("rp2350", 0, 1, 0), ("rp2350", 1, 1, 0), ("rp2350", 1, 0, 1),
])  # fmt: skip
def test_a_key_on_the_other_side_is_told_and_no_good_one(hal, chip, closed, joined, wrong):
    irqs = []
    hal.machine.disable_irq, hal.machine.enable_irq = lambda: irqs.append("off") or 7, irqs.append
    good = SimpleNamespace(pin=Contact(0, 0, False), closed=0, index=0)
    key = SimpleNamespace(pin=Contact(closed, joined, chip == "rp2350" and closed == 0), closed=closed, index=2)
    device = SimpleNamespace(board={"chip": chip}, keys=SimpleNamespace(keys=(good, key)))
    assert hal("hal.checks").wrong_way(device) == wrong << 2
    assert key.pin.pull == 1 - closed and irqs in ([], ["off", 7])


@pytest.mark.parametrize("low", [4, 5])
def test_either_line_that_is_low_holds_the_bus(hal, monkeypatch, low):
    checks = hal("hal.checks")
    monkeypatch.setattr(checks, "_level", lambda pin: int(pin != low))
    device = SimpleNamespace(board={"display": {"sda": 4, "scl": 5, "address": "0x3C"}})  # and nobody asks its bus
    assert checks.panel(device) == (checks.HELD, ())


@pytest.mark.parametrize("what", [True, "bad", "full"])
def test_a_flash_that_does_not_keep_what_it_is_given(hal, tmp_path, what):
    kept = {}

    def write(name, data):
        if what == "full":
            raise OSError(28)
        kept[name] = data[:-1] + b"?" if what == "bad" else data

    files = SimpleNamespace(folder=str(tmp_path), write=write, read=kept.get, remove=lambda name: kept.pop(name, None))
    wrong, room = hal("hal.checks").flash(files)
    assert (wrong or True) == what and room > 0 and not kept


def test_a_panel_that_is_mended_meanwhile_is_told_nothing(hal):
    """It answers, and the frame that finds out is still to come."""
    beacon, checks = hal("beacon"), hal("hal.checks")
    beacon.checks.panel = lambda device: (checks.FOUND, (0x3C,))
    played = []
    app = SimpleNamespace(
        now=0,
        presses=SimpleNamespace(at=0),
        device=SimpleNamespace(oled=SimpleNamespace(lost=True)),
        sound=SimpleNamespace(playing=False, play=lambda *cue: played.append(cue)),
        screen=SimpleNamespace(EXACT=False, quiet=lambda app, now: False),
    )
    one = beacon.Beacon(app)
    app.now = 4_000_000
    one.look(app)
    assert played == []
    beacon.checks.panel = lambda device: (checks.SILENT, ())
    app.device.board = {"display": {"address": "0x3C"}}
    one.look(app)
    assert len(played) == 1


@pytest.mark.parametrize("chip, base", [("rp2040", 0x40058000), ("rp2350", 0x400D8000)])
def test_a_watchdog_that_outlived_its_restart_is_stopped(hal, chip, base):
    hal.machine.mem32 = {base + 8: 2 | 1}
    dog = hal("hal.watchdog").Watchdog(chip)
    assert dog.bit and hal.machine.mem32 == {base + 8: 3, base + 0x3000: 1 << 30}


def test_the_tones_are_loud_and_the_volume_is_as_it_was_afterwards(tmp_path):
    """0 is loud, 2 is off."""
    board = find("RPI_PICO")
    run.put_files(board, tmp_path)
    with tiers.make("cpython", board, tmp_path) as device:

        def press(role, hold_ms=60):
            device.key(role, True)
            device.run(device.now + hold_ms * 1000)
            device.key(role, False)
            device.run(device.now + 300_000)

        device.power_on()
        device.run(1_000_000)
        device.ask("setattr(app.running.sound, 'volume', 2)")
        press("back")
        press("ok")
        press("ok", 1000)
        assert device.ask("app.running.screen.__class__.__name__") == "'SelfTestSound'"
        assert device.ask("app.running.sound.volume") == "0"
        press("ok")
        assert device.ask("app.running.screen.__class__.__name__") == "'SelfTestKeys'"
        assert device.ask("app.running.sound.volume") == "2"
