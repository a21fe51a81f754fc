"""What is made of each board.json for makers: up to date, and it says what the firmware does."""

import itertools
import json
import re
import shutil
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_sim.board import BOARDS, HEADER, ROLES, find, load, load_all
from tools import boards, wiring

ALL = load_all()
OURS = ("RPI_PICO", "RPI_PICO2", "RPI_PICO2_W", "RPI_PICO_0X3D", "RPI_PICO_BUZZER", "RPI_PICO_SH1106", "RPI_PICO_W")
SVG = "{http://www.w3.org/2000/svg}"
SCATTERED = {
    "base": "RPI_PICO2",
    "id": "R",
    "name": "All <over> the place",
    "display": {"bus": 1, "sda": 26, "scl": 27, "controller": "sh1106", "address": "0x3D"},
    "buttons": {
        "left": {"pin": 2},
        "back": {"pin": 16},
        "ok": {"pin": 22, "active": "high"},
        "right": {"pin": 28, "active": "high"},
    },
    "piezo": {"pin": 9, "kind": "active"},
}


def own(folder, raw):
    path = folder / raw["id"] / "board.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(raw), "utf-8")
    return load(path)


@pytest.mark.parametrize("board", ALL.values(), ids=ALL)
def test_what_is_made_is_up_to_date(board):
    assert not boards.stale(board), "run `make boards`, and look at what changed"


def test_ours_have_a_page_that_says_what_is_untested():
    for name in OURS:
        page = (BOARDS / name / "README.md").read_text("utf-8")
        assert "**Untested: a real " in " ".join(page.split()), name
        assert all(len(line) <= 120 or line.startswith("|") for line in page.splitlines()), name
        steps = page[page.index("## Play") :]
        assert f"`make uf2 BOARD={name}`" in steps and f"`build/pouch-{name}.uf2`" in steps
        assert "TEST over BACK" in steps and "(../../README.md#it-does-not-work)" in steps
        assert ("the piezo alone says why" in steps) == (ALL[name].led_pin is None), name


# --- the picture ------------------------------------------------------------------------------------------------------


def drawn(board):
    """(part, terminal, pin) -> the corners of each wire in the picture, and where each pin of the header is."""
    root = ElementTree.fromstring(wiring.svg(board))
    pads = {
        int(c.get("data-pin")): (float(c.get("cx")), float(c.get("cy")))
        for c in root.iter(f"{SVG}circle")
        if c.get("data-pin")
    }
    lines = {}
    for path in root.iter(f"{SVG}path"):
        if path.get("class") == "wire":
            corners = [tuple(map(float, point.split())) for point in re.split(r"[ML]", path.get("d"))[1:]]
            lines[path.get("data-part"), path.get("data-terminal"), int(path.get("data-pin"))] = corners
    names = {(float(t.get("x")), float(t.get("y"))): t.text for t in root.iter(f"{SVG}text")}
    return lines, pads, names, root


def check(board):
    lines, pads, names, root = drawn(board)
    display = board.display
    piezo = {"active": ("+", "-"), "passive": ("1", "2")}[board.piezo_kind]
    signals = {("panel", "SDA"): display.sda, ("panel", "SCL"): display.scl, ("piezo", piezo[0]): board.piezo_pin}
    signals |= {("keys", role.upper()): key.pin for role, key in board.buttons.items()}
    where = {(part, terminal): pin for part, terminal, pin in lines}
    assert len(where) == len(lines)
    for terminal, gpio in signals.items():
        assert where.pop(terminal) == HEADER[gpio], terminal
    assert where.pop(("panel", "VCC")) == 36
    if not all(key.active_low for key in board.buttons.values()):
        assert where.pop(("keys", "3V3")) == 36
    grounds = {("panel", "GND"), ("piezo", piezo[1])}
    if any(key.active_low for key in board.buttons.values()):
        grounds.add(("keys", "GND"))
    assert set(where) == grounds
    assert len(set(where.values())) == len(grounds), "a ground each"
    assert set(where.values()) <= {3, 8, 13, 18, 23, 28, 38}
    # Each wire ends on its pad, begins beside its terminal's name, goes straight, and lies on no other.
    spans = []
    for (part, terminal, pin), corners in lines.items():
        assert corners[-1] == pads[pin]
        x, y = corners[0]
        beside = [text for (tx, ty), text in names.items() if abs(tx - x) == 10 and ty == y + 4]
        assert beside == [terminal], part
        for (x0, y0), (x1, y1) in itertools.pairwise(corners):
            assert x0 == x1 or y0 == y1
            spans.append((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), pin))
    for i, (x0, y0, x1, y1, pin) in enumerate(spans):
        for u0, v0, u1, v1, other in spans[:i]:
            if pin != other:
                # Where they meet is at most a point.
                assert max(x0, u0) >= min(x1, u1) or y0 != y1 or v0 != v1 or y0 != v0
                assert max(y0, v0) >= min(y1, v1) or x0 != x1 or u0 != u1 or x0 != u0
    width, height = map(float, root.get("viewBox").split()[2:])
    assert all(0 < x < width and 0 < y < height for corners in lines.values() for x, y in corners)


def test_the_pins_are_where_they_are_on_a_pico():
    _, pads, names, _ = drawn(find("RPI_PICO"))
    assert sorted(pads) == list(range(1, 41))
    left, right = [pads[n] for n in range(1, 21)], [pads[n] for n in range(40, 20, -1)]
    assert len({x for x, _ in left}) == len({x for x, _ in right}) == 1 and left[0][0] < right[0][0]
    steps = {b[1] - a[1] for side in (left, right) for a, b in itertools.pairwise(side)}
    assert len(steps) == 1 and steps.pop() > 0
    assert [y for _, y in left] == [y for _, y in right]
    printed = set(names.values())
    assert {"1 GP0", "6 GP4", "18 GND", "VBUS 40", "3V3(OUT) 36", "GP16 21", "AGND 33"} <= printed


@pytest.mark.parametrize("board", ALL.values(), ids=ALL)
def test_the_picture_shows_each_wire_of_the_board(board):
    check(board)


def test_the_picture_of_a_board_that_is_wired_all_over_the_place(tmp_path):
    check(own(tmp_path, SCATTERED))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(pins=st.permutations([0, 1, *range(6, 23), 26, 27, 28]), high=st.sets(st.sampled_from(ROLES)))
def test_the_picture_of_any_board(tmp_path_factory, pins, high):
    buttons = {role: {"pin": pin} for role, pin in zip(ROLES, pins, strict=False)}
    for role in high:
        buttons[role]["active"] = "high"
    raw = {"base": "RPI_PICO", "id": "R", "name": "R", "buttons": buttons, "piezo": {"pin": pins[4]}}
    check(own(tmp_path_factory.mktemp("board"), raw))


# --- Wokwi ------------------------------------------------------------------------------------------------------------

GND_PINS = {"GND.1": 3, "GND.2": 8, "GND.3": 13, "GND.4": 18, "GND.5": 23, "GND.6": 28, "GND.7": 33, "GND.8": 38}
PINS = {
    "wokwi-pi-pico": {*(f"GP{n}" for n in HEADER), *GND_PINS, "3V3", "VSYS", "VBUS"},
    "board-pi-pico-w": {*(f"GP{n}" for n in HEADER), *GND_PINS, "3V3", "VSYS", "VBUS"},
    "board-ssd1306": {"GND", "VCC", "SCL", "SDA"},
    "wokwi-pushbutton": {"1.l", "1.r", "2.l", "2.r"},
    "wokwi-buzzer": {"1", "2"},
}


@pytest.mark.parametrize("name", [name for name in OURS if not boards.no_wokwi(ALL[name])])
def test_the_wokwi_diagram_is_the_board(name):
    board = ALL[name]
    made = json.loads((BOARDS / name / "diagram.json").read_text("utf-8"))
    types = {part["id"]: part["type"] for part in made["parts"]}
    assert len(types) == len(made["parts"]) == 7 and made["version"] == 1
    joined = {}
    for one, pico, _, _ in made["connections"]:
        for end in (one, pico):
            part, pin = end.split(":")
            assert pin in PINS[types[part]], end
        assert pico.startswith("pico:") and one not in joined
        joined[one] = pico[5:]
    assert joined.pop("panel:SDA") == f"GP{board.display.sda}" and joined.pop("panel:SCL") == f"GP{board.display.scl}"
    assert joined.pop("panel:VCC") == "3V3" and joined.pop("piezo:2") == f"GP{board.piezo_pin}"
    for role, key in board.buttons.items():
        assert joined.pop(f"{role}:1.l") == f"GP{key.pin}"
        assert joined.pop(f"{role}:2.l") in GND_PINS
    assert set(joined) == {"panel:GND", "piezo:1"} and set(joined.values()) <= set(GND_PINS)
    panel = next(part for part in made["parts"] if part["id"] == "panel")
    assert int(panel["attrs"]["i2c-address"], 16) == board.display.address


def test_boards_that_wokwi_has_no_parts_for_have_no_diagram():
    assert [name for name in OURS if boards.no_wokwi(ALL[name])] == [
        name for name in OURS if not (BOARDS / name / "diagram.json").exists()
    ]
    with pytest.raises(ValueError, match="Wokwi lacks a part, it has no SH1106 panel"):
        boards.diagram(ALL["RPI_PICO_SH1106"])


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path, monkeypatch):
    shutil.copytree(BOARDS, tmp_path / "boards")
    monkeypatch.setattr(boards, "BOARDS", tmp_path / "boards")

    def run(*words):
        monkeypatch.setattr("sys.argv", ["tools.boards", *words])
        return boards.main()

    return tmp_path / "boards", run


def test_a_check_names_what_is_stale_and_writes_nothing(copy, capsys):
    folder, run = copy
    assert run("--check") == 0
    page = folder / "RPI_PICO" / "README.md"
    text = page.read_text("utf-8")
    page.write_text(text.replace("| panel SDA | GP4 | 6 |", "| panel SDA | GP6 | 9 |"), "utf-8")
    (folder / "RPI_PICO" / "wiring.svg").unlink()
    (folder / "RPI_PICO2" / "diagram.json").write_text("{}", "utf-8")
    assert run("--check") == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "boards/RPI_PICO/wiring.svg: not up to date",
        "boards/RPI_PICO/README.md: not up to date",
        "boards/RPI_PICO2/diagram.json: not up to date",
    ]
    assert "run `make boards`" in said.err and not (folder / "RPI_PICO" / "wiring.svg").exists()
    assert run() == 0
    assert page.read_text("utf-8") == text and not (folder / "RPI_PICO2" / "diagram.json").exists()
    assert run("--check") == 0


def test_a_page_that_lost_a_block_says_so(copy, capsys):
    folder, run = copy
    page = folder / "RPI_PICO" / "README.md"
    page.write_text(page.read_text("utf-8").replace("<!-- made: wires -->", ""), "utf-8")
    assert run() == 1
    assert "boards/RPI_PICO/README.md: blocks that are missing" in capsys.readouterr().err
    assert run("RPI_PICO2", "--check") == 0
    assert run("RPI_PICO3") == 1
    assert "no board 'RPI_PICO3': there are RPI_PICO," in capsys.readouterr().err
