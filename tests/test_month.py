"""Hours by the virtual clock, in seconds: ticks wrap every eighteen minutes. `make fuzz` waits for a month."""

import pytest

from tests.test_fuzz import change, copy
from tests.torture import child, fuzz

PRESENT = [tier for tier in child.TIERS if not child.absent(tier)]
HOURS = {"cpython": 4, "micropython": 4}


@pytest.mark.parametrize("tier", PRESENT)
def test_hours_alone(tier):
    report = child.play(tier, "month", 1, HOURS[tier], old=True)
    assert report["us"] >= HOURS[tier] * 3600 * 1_000_000
    assert report["ends"] > 3
    assert report["wraps"] > 3
    assert fuzz.growth(report) <= 2 * fuzz.GROWTH, report["weighed"]


BREAKS = {
    "a countdown that counts its looks": (
        "countdown.py",
        "self._at = later(self._at, gone * _MS)",
        "self._at = now",
        "ms are left, the countdown says",
    ),
    "a countdown that compares plain numbers": (
        "countdown.py",
        "since(now, self._at) // _MS",
        "(now - self._at) // _MS",
        "ms are left, the countdown says",
    ),
    "a stopwatch that begins each second anew": (
        "stopwatch.py",
        "self._second = later(self._second, _SECOND)",
        "self._second = now",
        "the stopwatch says",
    ),
}


@pytest.mark.parametrize("what", BREAKS)
def test_it_finds(what, tmp_path):
    file, old, new, says = BREAKS[what]
    folder = copy(tmp_path)
    change(folder, file, old, new)
    with pytest.raises(child.Failed, match=says):
        child.play("cpython", "month", 1, 8, firmware_folder=folder)
