"""The reader of the glass reads what the glyph records draw."""

import pytest

from host_sim.read_glass import FACES, bitmap, read, records, text

Glass = list[bytearray]


def blank(lit: int = 0) -> Glass:
    return [bytearray([lit] * 128) for _ in range(64)]


def put(glass: Glass, record: bytes, x: int, y: int, inverted: bool = False) -> None:
    for row, pixels in enumerate(bitmap(record), y - record[1]):
        for column, pixel in enumerate(pixels, x):
            if pixel:
                glass[row][column] = int(not inverted)


def write(glass: Glass, face: str, string: str, x: int, y: int, inverted: bool = False, tabular: bool = False) -> int:
    """Draws a line and returns the column after it."""
    font = records(face)
    gap = 0
    for char in string:
        if char == " ":
            gap = font.SPACE
            continue
        record = font.GLYPHS[char]
        spare = font.GLYPHS["0"][0] - record[0] if tabular and char.isdigit() else 0
        x += gap + spare - spare // 2
        put(glass, record, x, y, inverted)
        x += record[0] + spare // 2
        gap = font.GAP
    return x


def bar(glass: Glass, x: int, y: int, w: int, h: int, lit: int = 1) -> None:
    for row in glass[y : y + h]:
        row[x : x + w] = bytes([lit] * w)


NEAR = {"text": "A", "display_64": "7", "display_48": "7", "display_40": "7", "display_32": "7"}
CASES = [(face, char) for face in FACES for char in records(face).GLYPHS]


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize(("face", "char"), CASES)
def test_every_glyph(face: str, char: str, inverted: bool) -> None:
    glass = blank(int(inverted))
    near = NEAR.get(face, "E")
    y = 0 if records(face).HEIGHT == 64 else 6
    between = "_" if char == "_" else " "  # an underscore is only read within a word
    end = write(glass, face, near + between + (near if char == "_" else char), 3, y, inverted)
    found = read(glass)
    if char in "♛≡":  # no text: what they say stands with the line
        assert [line.text for line in found] == [near]
        assert found[0].leader == (char == "♛")
        assert found[0].held == (char == "≡")
        return
    joined = " ".join(line.text for line in found)
    if char in "O0":  # one glyph in most faces: what stands alone is a digit, if nothing says otherwise
        assert joined in (f"{near} O", f"{near} 0")
    elif char in "i¡":
        assert joined in (f"{near} i", f"{near} ¡")
    else:
        assert joined == {"＋": f"{near} +", "_": "A_A"}.get(char, f"{near} {char}")
    assert {line.font for line in found} == {face}
    assert {line.inverted for line in found} == {inverted}
    assert {line.y for line in found} == {y}
    assert found[0].x == 3
    assert found[-1].x + found[-1].w == end


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize(
    ("face", "string"),
    [
        ("text", "Is RED's grid good?"),
        ("text", "¿Vale lo de BEGOÑA?"),
        ("text", "Rückgängig, größer: Ähre, ÖL"),
        ("text", "¡Ya! Qué año, jugó así"),
        ("text", "3–6 players · race…"),
        ("text", "crossed_words.py:118"),
        ("text", "pile 10 > 9 (100 %)"),
        ("text", "0:10 CLEO 2002 KO 0"),
        ("display_12", "CROSSED WORDS"),
        ("display_12", "ÁLVARO ÑÚ?"),
        ("display_16", "CLEO WINS"),
        ("display_16", "ÄÖÜ ÀÈ"),
        ("display_24", "ZIP-IT!"),
        ("display_24", "-99"),
        ("display_32", "1999"),
        ("display_40", "STOP!"),
        ("display_48", "GO!"),
    ],
)
def test_lines(face: str, string: str, inverted: bool) -> None:
    glass = blank(int(inverted))
    write(glass, face, string, 1, 10, inverted)
    assert text(glass) == string
    (line,) = read(glass)
    assert (line.font, line.inverted, line.x, line.y) == (face, inverted, 1, 10)


@pytest.mark.parametrize("face", ["text", "display_12", "display_16", "display_24", "display_32", "display_40"])
@pytest.mark.parametrize("clock", ["0:42", "1:11", "11:11", "1:07", "10:00"])
def test_clocks_are_tabular(face: str, clock: str) -> None:
    if face == "display_40" and len(clock) > 4:
        pytest.skip("wider than the glass")
    glass = blank()
    write(glass, face, clock, 0, 5, tabular=True)
    assert text(glass) == clock


def test_tabs_bars_and_the_seam() -> None:
    glass = blank()
    for x in range(1, 128, 4):
        bar(glass, x, 54, 2, 1)
    write(glass, "text", "UNDO", 38, 57)
    bar(glass, 65, 56, 30, 8)
    glass[56][65] = 0
    end = write(glass, "text", "GO!", 73, 57, inverted=True)
    put(glass, records("text").GLYPHS["≡"], end + 5, 57, inverted=True)
    for x in range(0, 128, 2):  # a dotted rule under a heading with a descender
        glass[8][x] = 1
    write(glass, "text", "discs, 0 to 9", 1, 1)
    bar(glass, 0, 19, 124, 9)
    write(glass, "text", "Big Word", 3, 20, inverted=True)
    write(glass, "text", "on", 110, 20, inverted=True)
    found = read(glass)
    assert [line.text for line in found] == ["discs, 0 to 9", "Big Word", "on", "UNDO", "GO!"]
    assert [line.inverted for line in found] == [False, True, True, False, True]
    assert [line.held for line in found] == [False, False, False, False, True]


def test_an_accent_on_the_edge_of_a_tab() -> None:
    glass = blank()
    bar(glass, 65, 56, 30, 8)
    write(glass, "text", "SÍ", 73, 57, inverted=True)
    write(glass, "text", "ZURÜCK", 33, 57)
    assert text(glass).split("\n") == ["ZURÜCK", "SÍ"]


def test_large_and_small_side_by_side() -> None:
    glass = blank()
    write(glass, "display_32", "7", 30, 0)
    write(glass, "display_32", "4", 81, 0)
    write(glass, "text", "RED", 30, 35)
    put(glass, records("text").GLYPHS["♛"], 46, 35)
    write(glass, "text", "BLUE", 78, 35)
    found = read(glass)
    assert [(line.text, line.font) for line in found] == [
        ("7", "display_32"),
        ("4", "display_32"),
        ("RED", "text"),
        ("BLUE", "text"),
    ]
    assert [line.leader for line in found] == [False, False, True, False]


def test_discs_are_digits() -> None:
    glass = blank()
    for number in range(1, 7):
        put(glass, records("icons").GLYPHS[f"disc_{number}"], 11 * number, 1)
        put(glass, records("icons").GLYPHS[f"ring_{number}"], 11 * number, 20)
        put(glass, records("icons").GLYPHS[f"disc_small_{number}"], 11 * number, 40)
    found = read(glass)
    assert "".join(line.text for line in found) == "123456" * 3
    assert {line.font for line in found} == {"tiny"}
    assert [line.inverted for line in found] == [True] * 6 + [False] * 6 + [True] * 6


def test_tiny_digits_on_tiles() -> None:
    glass = blank()
    for digit in range(10):
        bar(glass, 12 * digit, 43, 11, 7)
        put(glass, records("tiny").GLYPHS[str(digit)], 12 * digit + 4, 44, inverted=True)
    assert "".join(line.text for line in read(glass)) == "0123456789"


def test_rules_and_zippers_are_no_text() -> None:
    glass = blank()
    icons = records("icons").GLYPHS
    for y in range(0, 52, 4):
        put(glass, icons["zip_open" if y < 20 else "zip_closed"], 0, y)
        put(glass, icons["zip_closed"], 111, y)
    put(glass, icons["zip_stop"], 0, 52)
    put(glass, icons["slider"], 3, 20)
    for x in range(1, 128, 4):
        bar(glass, x, 54, 2, 1)
    for x in range(30, 100, 7):
        glass[20][x] = 1
    for x in range(30, 100, 3):
        glass[30][x] = 1
    for x in range(24, 104, 4):
        put(glass, icons["lying_open"], x, 40)
    assert read(glass) == []


def test_an_empty_glass_and_a_full_one() -> None:
    assert text(blank()) == ""
    assert text(blank(1)) == ""


def test_what_read_returns_belongs_to_the_caller() -> None:
    glass = blank()
    write(glass, "text", "RED", 1, 1)
    read(glass)[0].text = "BLUE"
    assert text(glass) == "RED"
