"""What the pages are told of the device, message by message, on a clock that only the test moves."""

import json
from pathlib import Path

import pytest

from host_sim import teller
from host_sim.board import find
from host_sim.chips.oled import packed
from host_sim.device import Device
from host_sim.protocol import FRAME
from host_sim.teller import GAP_S, INSPECT_S, INSPECT_SLOW_S, Teller, volume


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(teller, "time", clock)
    return clock


@pytest.fixture
def device():
    device = Device(find("RPI_PICO"), Path())
    device.powered = True
    device.panel.transaction(bytes.fromhex("00 20 00 8D 14 A1 C8 AF"))
    return device


@pytest.fixture
def told():
    return []


@pytest.fixture
def tells(clock, device, told):
    return Teller(device, lambda kind, message: told.append((kind, message)))


def of(told, kind):
    found = [json.loads(message) if isinstance(message, str) else message for k, message in told if k == kind]
    told.clear()
    return found


def refuse(device, refused):
    device.bus.record(0, 10, 0x3C, b"", not refused)


def test_a_glass_is_sent_once_and_one_that_comes_too_soon_is_not_forgotten(tells, clock, device, told):
    device.now = 5000
    assert tells.look()
    (frame,) = of(told, "frame")
    assert frame == FRAME.pack(0x7F, 0, 1, 5000) + packed(device.glass())
    device.panel.transaction(b"\x00\xe3")  # changes nothing that can be seen
    clock.now += 1
    assert not tells.look() and told == [] and not tells.unseen
    device.panel.transaction(b"\x00\x81\x10")
    assert tells.look() and len(of(told, "frame")) == 1
    device.panel.transaction(b"\x00\xa7")
    assert not tells.look() and told == [] and tells.unseen
    clock.now += GAP_S
    assert tells.look() and not tells.unseen
    assert FRAME.unpack_from(of(told, "frame")[0])[:3] == (0x10, 0, 3)


def test_a_tone_is_told_when_it_begins_and_ends_and_a_crash_silences_it(tells, device, told):
    tells.look()
    told.clear()
    device.piezo.pwm(0, 880, 32768)
    assert tells.look() and tells.look()
    assert of(told, "sound") == [{"t": "sound", "hz": 880, "duty": 32768, "volume": 1.0}]
    assert 0 < volume(2000) < volume(4000) < 1
    tells.silence()
    assert of(told, "sound")[0]["hz"] == 0
    tells.look()
    assert of(told, "sound")[0]["hz"] == 880, "another firmware's tone is news"


def test_the_log_says_when_the_panel_is_lost_and_found_and_what_it_does_not_know(tells, device, told, capsys):
    device.output.append("hello")
    for refused in (True, True, False):
        if refused:
            refuse(device, True)
        tells.look()
    device.panel.transaction(b"\x00\x2f")
    tells.look()
    tells.look()
    tells.tell_slowly(False, "")
    lines = [line.split("  ")[-1] for line in of(told, "log")[0]["lines"]]
    assert lines[:3] == ["print: hello", "the panel does not answer", "the panel answers again"]
    assert len(lines) == 4 and lines[3].startswith("the panel got what it does not know: activate scroll")
    assert "firmware: hello" in capsys.readouterr().out


def test_the_clock_says_how_fast_time_goes(tells, clock, device, told):
    tells.anchor()
    clock.now += 2
    device.now += 1_000_000
    tells.tell_slowly(True, "")
    assert of(told, "clock") == [{"t": "clock", "us": 1_000_000, "rate": 0.5}]
    tells.tell_slowly(True, "")
    assert told == []


def test_whoever_looks_in_is_told_after_a_change_and_not_too_often(tells, clock, told):
    tells.inspect_soon()
    assert tells.due() is None, "nobody looks"
    tells.inspect(True)
    assert tells.due() == 0
    tells.tell_slowly(False, "it stopped")
    assert [found["crash"] for found in of(told, "inspector")] == ["it stopped"] and tells.due() is None
    tells.inspect_soon()
    assert tells.due() == pytest.approx(INSPECT_S)
    clock.now += INSPECT_S
    assert tells.due() == 0
    tells.inspect(False)
    assert tells.due() is None


@pytest.mark.parametrize(("runs", "gap"), [(True, INSPECT_SLOW_S), (False, INSPECT_S)])
def test_a_device_that_answers_slowly_is_asked_less_often_while_it_runs(tells, device, monkeypatch, runs, gap):
    monkeypatch.setattr(device, "answers_soon", lambda: False)
    tells.inspect(True)
    tells.tell_slowly(False, "it stopped")
    tells.inspect_soon(runs)
    assert tells.due() == pytest.approx(gap)
