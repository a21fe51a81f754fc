"""The gallery: every screen of the firmware is there in every language, and every agreed mock-up beside one of them."""

import ast

from host_sim import run
from host_sim.firmware import FIRMWARE
from tools.gallery import LOOK, SCENARIOS, notes

FRAMES = SCENARIOS / run.FRAMES
LANGUAGES = ("English", "español")
# What other screens are made of, and is never shown itself.
BASES = {"Screen", "Listed", "Result", "Shout", "_Menu"}
NOT_THERE = {("español", "Crash"): "English in every language: where all has tripped nothing is looked up"}
# Pictures in docs/look that are no screen of one of the two languages.
NO_SCREEN = {"icons", "type", "motion-count", "motion-zip", "menu-de"}


def screens() -> dict[str, str]:
    """{class: file:line} of all that can be on the glass: what can draw, but for BASES."""
    classes: dict[str, tuple[ast.ClassDef, str]] = {}
    for path in sorted((FIRMWARE / "pouch" / "screens").glob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name] = (node, f"{path.name}:{node.lineno}")

    def draws(name: str) -> bool:
        if name not in classes:
            return False
        node = classes[name][0]
        own = any(isinstance(item, ast.FunctionDef) and item.name == "render" for item in node.body)
        return own or any(draws(base.id) for base in node.bases if isinstance(base, ast.Name))

    return {name: place for name, (_, place) in classes.items() if name not in BASES and draws(name)}


def lacking(found: dict[str, str], drawn_by: dict[str, tuple[str, str]]) -> list[str]:
    there = set(drawn_by.values()) | set(NOT_THERE)
    return [
        f"{place}: no kept frame of {name} in {language}: expect glass in one of tests/scenarios/look_*.txt"
        for language in LANGUAGES
        for name, place in found.items()
        if (language, name) not in there
    ]


def test_every_screen_has_a_kept_frame_in_every_language():
    found, drawn_by = screens(), run.read_screens(FRAMES)
    assert len(found) > 45 and BASES.isdisjoint(name for _, name in drawn_by.values())
    assert not lacking(found, drawn_by)
    assert {(language, name) for language, name in drawn_by.values() if name not in found} == set()
    for (language, name), reason in NOT_THERE.items():
        assert name in found and (language, name) not in drawn_by.values() and len(reason) > 20


def test_a_screen_without_a_picture_is_found():
    drawn_by = {name: by for name, by in run.read_screens(FRAMES).items() if by != ("español", "About")}
    (line,) = lacking(screens(), drawn_by)
    assert "no kept frame of About in español" in line
    assert lacking({"Brand": "brand.py:1"}, drawn_by) == [
        f"brand.py:1: no kept frame of Brand in {language}: expect glass in one of tests/scenarios/look_*.txt"
        for language in LANGUAGES
    ]


def test_every_kept_frame_is_known_by_its_screen():
    """Which one that is, tests/test_scenarios.py sees."""
    assert sorted(run.read_screens(FRAMES)) == sorted(path.stem for path in FRAMES.glob("*.png"))


def test_every_mock_up_stands_beside_a_kept_frame():
    known = notes()
    assert not {frame for frame in known if not (FRAMES / f"{frame}.png").is_file()}
    beside = {note.mock for note in known.values()}
    assert {path.stem for path in LOOK.glob("*.png")} - beside == NO_SCREEN
