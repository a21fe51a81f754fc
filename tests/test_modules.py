"""Modules that come and go: nobody's stay behind, and what the games share is never forgotten."""

import sys
from pathlib import Path

import pytest
from pouch import modules

from host_sim.firmware import FIRMWARE

KEYS = {"zip": "zip_it", "cw": "crossed_words", "up": "upwords", "timer": "timer", "tally": "tally"}


owner = modules._owner


@pytest.mark.parametrize("path", sorted((FIRMWARE / "pouch" / "screens").glob("*_*.py")), ids=lambda path: path.stem)
def test_a_screen_of_a_game_goes_with_it(path: Path) -> None:
    kind = path.stem.partition("_")[0]
    assert owner(f"pouch.screens.{path.stem}") == (KEYS.get(kind) or ("selftest" if kind == "selftest" else None))


def test_so_do_its_rules_and_every_name_is_a_module() -> None:
    names = {path.relative_to(FIRMWARE).with_suffix("").as_posix().replace("/", ".") for path in FIRMWARE.rglob("*.py")}
    for key in KEYS.values():
        assert owner("pouch.games." + key) == key
    for head in modules._OF:
        assert any(name.startswith(head) for name in names), head


@pytest.fixture
def there(monkeypatch):
    """names: the modules that are there, in a world of their own."""

    def put(*names):
        world = dict.fromkeys(names)
        monkeypatch.setattr(modules, "modules", world)
        monkeypatch.setattr(modules, "forget", world.pop)
        monkeypatch.setattr(modules, "_HOME", ["pouch", "pouch.app", "pouch.screens", "pouch.screens.home"])
        return world

    return put


HOME = ("json", "pouch", "pouch.app", "pouch.screens", "pouch.screens.home")
ZIP = ("pouch.games.zip_it", "pouch.screens.zip_round", "pouch.ui.zipper")
TALLY = ("pouch.games.tally", "pouch.screens.tally_turn")
SHARED = ("pouch.match", "pouch.screens.menu", "pouch.ui.fonts.display_24")


def test_while_one_game_stays_only_the_others_go(there) -> None:
    world = there(*HOME, *ZIP, *TALLY, *SHARED)
    modules.release(("tally", "upwords"))
    assert tuple(world) == (*HOME, *TALLY, *SHARED), "what is shared may be held by the game that stays"


def test_when_none_stays_all_goes_that_home_does_without(there) -> None:
    world = there(*HOME, *ZIP, *SHARED)
    modules.release(("settings",))
    assert tuple(world) == HOME


def test_without_a_game_there_is_nothing_to_do(there) -> None:
    world = there(*HOME, *SHARED)
    modules.release(("settings",))
    assert tuple(world) == (*HOME, *SHARED), "they have just been imported for what comes now"


def test_a_module_is_forgotten_by_its_package_too() -> None:
    import pouch
    from pouch import rest

    try:
        pouch.forget("pouch.rest")
        assert "pouch.rest" not in sys.modules and not hasattr(pouch, "rest")
        pouch.forget("pouch.rest")  # it is not there: nothing happens
    finally:
        sys.modules["pouch.rest"] = pouch.rest = rest
