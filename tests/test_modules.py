"""Modules that come and go: nobody's stay behind, and what the games share is never forgotten."""

import sys
from pathlib import Path

import pytest
from pouch import modules
from pouch.games import GAMES

from host_sim.firmware import FIRMWARE

KEYS = {"zip": "zip_it", "cw": "crossed_words", "up": "upwords", "timer": "timer", "tally": "tally"}


def owner(name):
    end = name.find("_") + 1
    return modules._OF.get(name[:end] if end else name)


@pytest.mark.parametrize("path", sorted((FIRMWARE / "pouch" / "screens").glob("*_*.py")), ids=lambda path: path.stem)
def test_a_screen_of_a_game_goes_with_it(path: Path) -> None:
    kind = path.stem.partition("_")[0]
    assert owner(f"pouch.screens.{path.stem}") == (KEYS.get(kind) or ("selftest" if kind == "selftest" else None))


def test_so_do_its_rules_and_every_name_is_a_module() -> None:
    names = {path.relative_to(FIRMWARE).with_suffix("").as_posix().replace("/", ".") for path in FIRMWARE.rglob("*.py")}
    for key in KEYS.values():
        assert owner("pouch.games." + key) == key
    for head in (*modules._OF, *modules._BETWEEN):
        assert any(name.startswith(head) for name in names), head


def test_release_forgets_the_others_alone() -> None:
    before = dict(sys.modules)
    try:
        _ = GAMES["zip_it"], GAMES["tally"]
        modules.release(("tally",))
        assert "pouch.games.tally" in sys.modules and "pouch.match" not in set(before) - set(sys.modules)
        assert not any(owner(name) not in (None, "tally") for name in sys.modules)
    finally:
        sys.modules.update(before)
        for name, module in before.items():
            package, _, last = name.rpartition(".")
            if name.startswith("pouch.") and package in before:
                setattr(before[package], last, module)
