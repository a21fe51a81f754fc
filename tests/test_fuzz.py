"""Thousands of random presses, power cuts and broken panels: what must hold holds. `make fuzz` plays a million.

What is looked at, and how often, is in tests/torture/player.py.
"""

import shutil

import pytest

from tests.torture import child, fuzz

PRESENT = [tier for tier in child.TIERS if not child.absent(tier)]
PRESSES = {"cpython": 2500, "micropython": 4000}
EVENINGS = range(1, 7)  # not every one of them comes to every screen
SEEDS = {"cpython": 8, "micropython": 10}


@pytest.mark.parametrize("tier", PRESENT)
def test_random_presses(tier):
    report = child.play(tier, "fuzz", SEEDS[tier], PRESSES[tier], old=True)
    assert report["events"] >= PRESSES[tier]
    for what in ("cuts", "full", "unplugged", "restored", "matches", "replays", "frames", "writes"):
        assert report[what], f"no {what}: this seed shows nothing"
    # All of them are for the long one. Each change of the firmware is another evening: of 24 the poorest saw 18 of 58.
    assert len(set(report["screens"]) & fuzz.reachable()) >= len(fuzz.reachable()) // 4
    assert fuzz.growth(report) <= 2 * fuzz.GROWTH, report["weighed"]


@pytest.mark.skipif(len(PRESENT) < 2, reason="one tier alone")
def test_the_same_seed_is_the_same_play_on_both():
    """Everything that a hand, an eye and the flash can tell: chance never comes from the Python below."""
    reports = [child.play(tier, "fuzz", 7, 400) for tier in PRESENT]
    for what in ("events", "edges", "steps", "us", "writes", "cuts", "matches", "frames", "screens"):
        assert reports[0][what] == reports[1][what], what


def test_the_quick_loops_draw_what_the_firmware_draws():
    assert child.play("cpython", "quick", 1, 250)["differences"] == []


def test_screens_are_found_by_what_names_them(tmp_path):
    known = fuzz.reachable()
    assert {"Home", "Notice", "Menu", "ZipRound", "ZipWin"} <= known
    assert not {"Screen", "_Menu", "Listed", "Result"} & known
    folder = copy(tmp_path)
    (folder / "pouch" / "screens" / "cellar.py").write_text(
        "class Cellar(Screen):\n    def render(self, canvas, app):\n        pass\n", "utf-8"
    )
    assert "Cellar" not in fuzz.reachable(folder), "nobody comes there"
    change(folder, "screens/notice.py", "def press(", "NEXT = ('pouch.screens.cellar',)\n\n    def press(")
    assert fuzz.reachable(folder) == known | {"Cellar"}


# -- would it be found? ----------------------------------------------------------------------------------


def copy(folder):
    shutil.copytree(child.firmware.FIRMWARE, folder / "firmware", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "firmware"


def change(folder, file, old, new):
    path = folder / "pouch" / file
    text = path.read_text("utf-8")
    assert old in text, f"{file} has changed: break it in another way"
    path.write_text(text.replace(old, new, 1), "utf-8")


BREAKS = {
    "a window that is not noted": (
        "hal/oled.py",
        "copy(self._glass, at, self.pixels, at, width)",
        "pass",
        "a fresh frame differs|the panel shows something else",
    ),
    "a frame that changes what it draws": (
        "ui/canvas.py",
        "_blit(self.pixels, SEAM, 0, 0, _SEAM_ROW",
        "self.odd = 1 - getattr(self, 'odd', 0)\n        _blit(self.pixels, SEAM, 0, self.odd, _SEAM_ROW",
        "a fresh frame differs",
    ),
    "a record that is not kept": (
        "app.py",
        "self.store.record(match.order, record)",
        "pass",
        "no record of match",
    ),
    "entries that are not written": (
        "store.py",
        "def append(self, data):",
        "def append(self, data):\n        return\n\n    def _append(self, data):",
        "is gone|came back",
    ),
    "a match that comes back shorter": (
        "match.py",
        "for entry in journal.entries(first):",
        "for entry in list(journal.entries(first))[: 9 - first]:",
        "is not what its journal tells|can be undone",
    ),
    "text that is too wide": (
        "screens/home.py",
        "first to ten zips",
        "who is first to ten zips",
        "text leaves the glass",
    ),
    "a piezo that goes on": ("sound.py", "self._piezo.silence()\n        self._led.set(0)", "pass", "the piezo sounds"),
}


@pytest.mark.parametrize("what", BREAKS)
def test_it_finds(what, tmp_path):
    file, old, new, says = BREAKS[what]
    folder = copy(tmp_path)
    change(folder, file, old, new)
    with pytest.raises(child.Failed, match=says):
        for seed in EVENINGS:
            child.play("cpython", "fuzz", seed, 3000, firmware_folder=folder)


def test_it_finds_an_exception_and_says_how_to_see_it_again(tmp_path):
    folder = copy(tmp_path)
    nothing = "def press(self, app, *_):\n        app.show(None)\n\n    def _press("
    change(folder, "screens/home.py", "def press(", nothing)
    with pytest.raises(child.Failed) as caught:
        for seed in EVENINGS:
            child.play("cpython", "fuzz", seed, 3000, firmware_folder=folder)
    assert "the app tripped: AttributeError" in str(caught.value)
    assert f"python -m tests.torture.fuzz fuzz --tier cpython --seed {seed}" in str(caught.value)


def looks(used):
    """Of somebody who plays one game, and then another one with twice as many modules."""
    return {"weighed": [(180 * i, 40 + i // 40 % 2 * 40, used(i) + i // 40 % 2 * 50_000) for i in range(400)]}


def test_growth_is_seen():
    assert fuzz.growth(looks(lambda i: 200_000 + 90 * i)) > fuzz.GROWTH
    assert abs(fuzz.growth(looks(lambda i: 200_000 + i % 7 * 900))) < fuzz.GROWTH
    assert fuzz.growth({"weighed": []}) == 0


def test_what_was_seldom_looked_at_is_no_growth():
    # Of 50,000 presses on the VM (seed 1): two of three games seemed to grow, by the chance of longer matches.
    times = iter(range(fuzz.HOUR_S, 10**6, 180))
    halves = [[(24, 69, 283_712), (43, 70, 290_464), (44, 71, 291_744)], [(82, 70, 289_792), (25, 71, 296_704)]]
    weighed = [(next(times), modules, used) for half in halves for count, modules, used in half for _ in range(count)]
    assert fuzz.growth({"weighed": weighed}) < fuzz.GROWTH
