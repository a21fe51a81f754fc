"""What the self-test and the beacon do where no scenario can bring the fault about: a panel of another kind."""

import itertools
import sys
import time
from types import SimpleNamespace

import pytest

from host_sim import run, tiers
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


@pytest.mark.parametrize("chip, closed, joined, wrong", [
    ("rp2040", 0, None, 0), ("rp2040", 0, 0, 0), ("rp2040", 0, 1, 1),
    ("rp2040", 1, None, 0), ("rp2040", 1, 1, 0), ("rp2040", 1, 0, 1),
    # Its pull-down holds no pin low: an open key would look as if it was on 3V3.
    ("rp2350", 0, None, 0), ("rp2350", 0, 0, 0), ("rp2350", 0, 1, 0), ("rp2350", 1, 1, 0), ("rp2350", 1, 0, 1),
])  # fmt: skip
def test_a_key_on_the_other_side_is_told_and_no_good_one(firmware, monkeypatch, chip, closed, joined, wrong):
    irqs = []
    machine = SimpleNamespace(
        Pin=Contact, SoftI2C=None, disable_irq=lambda: irqs.append("off") or 7, enable_irq=irqs.append
    )
    ticks = itertools.count(0, 40)
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setattr(time, "ticks_us", lambda: next(ticks), raising=False)
    monkeypatch.setattr(time, "ticks_diff", lambda after, before: after - before, raising=False)
    monkeypatch.delitem(sys.modules, "pouch.hal.checks", raising=False)
    checks = firmware("hal.checks")
    monkeypatch.delitem(sys.modules, "pouch.hal.checks")
    good = SimpleNamespace(pin=Contact(0, 0, False), closed=0, index=0)
    key = SimpleNamespace(pin=Contact(closed, joined, chip == "rp2350" and closed == 0), closed=closed, index=2)
    device = SimpleNamespace(board={"chip": chip}, keys=SimpleNamespace(keys=(good, key)))
    assert checks.wrong_way(device) == wrong << 2
    assert key.pin.pull == 1 - closed and irqs in ([], ["off", 7])
