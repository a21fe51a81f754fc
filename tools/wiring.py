"""Which wire goes where on one board, and a picture of it: both from board.json, so that neither can lie."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from host_sim.board import HEADER, ROLES, Board

GPIO = {number: gpio for gpio, number in HEADER.items()}
GND = (3, 8, 13, 18, 23, 28, 38)  # 33 is the ground of the ADC
POWER = 36
NAMES = {
    **{number: f"GP{gpio}" for number, gpio in GPIO.items()},
    **dict.fromkeys(GND, "GND"),
    **{30: "RUN", 33: "AGND", 35: "ADC_VREF", 36: "3V3(OUT)", 37: "3V3_EN", 39: "VSYS", 40: "VBUS"},
}
"""Pin of the header (1..40) -> its name."""


class Wire(NamedTuple):
    """One wire: from a terminal of a part to a pin of the header (1..40)."""

    part: str  # "panel", "keys", "piezo"
    terminal: str
    pin: int
    color: str

    @property
    def to(self) -> str:
        return NAMES[self.pin]


def wires(board: Board) -> list[Wire]:
    """All wires of a board, in the order in which one solders them. Each ground has a pin of its own, the nearest."""
    free = list(GND)

    def ground(near: int) -> int:
        pin = min(free, key=lambda pin: (abs(pin - near), pin))
        free.remove(pin)
        return pin

    display = board.display
    sda, scl = HEADER[display.sda], HEADER[display.scl]
    found = [
        Wire("panel", "GND", ground(max(sda, scl)), "#111827"),
        Wire("panel", "VCC", POWER, "#dc2626"),
        Wire("panel", "SCL", scl, "#d97706"),
        Wire("panel", "SDA", sda, "#2563eb"),
    ]
    found += [Wire("keys", role.upper(), HEADER[board.buttons[role].pin], "#15803d") for role in ROLES]
    last = {board.buttons[role].active_low: board.buttons[role].pin for role in ROLES}  # of each side, GND and 3V3
    if True in last:
        found.append(Wire("keys", "GND", ground(HEADER[last[True]]), "#111827"))
    if False in last:
        found.append(Wire("keys", "3V3", POWER, "#dc2626"))
    piezo = HEADER[board.piezo_pin]
    plus, minus = ("+", "-") if board.piezo_kind == "active" else ("1", "2")
    found.append(Wire("piezo", plus, piezo, "#7c3aed"))
    found.append(Wire("piezo", minus, ground(piezo), "#111827"))
    return found


# --- the picture ------------------------------------------------------------------------------------------------------

PITCH = 24  # between two pins, in pixels
LANE = 13  # between two wires
TOP = 132  # of pin 1
WIDTH, PICO = 210, 400  # of the Pico, and where its left edge is
PART = 176  # the width of a part
BOTTOM = TOP + 19 * PITCH

Point = tuple[float, float]


@dataclass
class Box:
    """A part as it is drawn: beside the Pico, its terminals from top to bottom on the edge that faces it."""

    name: str
    wires: list[Wire]
    left: bool
    top: float = 0
    spots: dict[str, float] = field(default_factory=dict)  # terminal -> y

    @property
    def height(self) -> float:
        return PITCH * len(self.wires) + 34

    @property
    def edge(self) -> float:
        return 20 + PART if self.left else PICO + WIDTH + PICO - 20 - PART

    @property
    def x(self) -> float:
        return self.edge - PART if self.left else self.edge


def pad(pin: int) -> Point:
    """Where a pin of the header is in the picture: 1 at the top left, 20 below it, 21 beside that, 40 beside 1."""
    if pin <= 20:
        return PICO + 9, TOP + (pin - 1) * PITCH
    return PICO + WIDTH - 9, TOP + (40 - pin) * PITCH


def boxes(board: Board) -> list[Box]:
    """The parts in their places: each on the side where most of its pins are, in the order of these."""
    found = []
    for name in ("panel", "keys", "piezo"):
        mine = [wire for wire in wires(board) if wire.part == name]
        signals = [wire for wire in mine if wire.pin in GPIO]
        left = sum(wire.pin <= 20 for wire in signals) * 2 >= len(signals)
        here = [wire for wire in mine if (wire.pin <= 20) == left]
        away = [wire for wire in mine if (wire.pin <= 20) != left]
        # What comes from the other side comes round the nearer end of the Pico.
        over = [wire for wire in away if _in_upper_half(wire.pin)]
        under = [wire for wire in away if wire not in over]
        here.sort(key=lambda wire: pad(wire.pin)[1])
        if name == "keys":  # as they sit under the panel
            here.sort(key=lambda wire: ROLES.index(wire.terminal.lower()) if wire.terminal.lower() in ROLES else 9)
        # Most panels have their pins in this order, and some do not: the picture says which is which.
        found.append(Box(name, mine if name == "panel" else over + here + under, left))
    for left in (True, False):
        top: float = 84
        side = [box for box in found if box.left == left]
        for box in sorted(side, key=lambda box: min(pad(wire.pin)[1] for wire in box.wires if wire.pin in GPIO)):
            box.top = top
            box.spots = {wire.terminal: top + 30 + PITCH * i + 6 for i, wire in enumerate(box.wires)}
            top += box.height + 30
    return found


def routes(board: Board) -> list[tuple[Wire, list[Point]]]:
    """Each wire's corners, from the terminal to the pin. No two wires lie on each other; they may cross."""
    found = []
    lanes = {True: 0, False: 0}  # that are taken, left and right of the Pico
    ends = {"over": 0, "under": 0}  # around the Pico

    def lane(left: bool) -> float:
        lanes[left] += 1
        return PICO - 3 - LANE * lanes[left] if left else PICO + WIDTH + 3 + LANE * lanes[left]

    placed = [(box.left, wire, (box.edge, box.spots[wire.terminal])) for box in boxes(board) for wire in box.wires]
    for side in (True, False):
        here = [(wire, start) for left, wire, start in placed if left == side and (wire.pin <= 20) == side]
        up = sorted((end for end in here if end[1][1] <= pad(end[0].pin)[1]), key=lambda end: end[1][1])
        down = sorted((end for end in here if end not in up), key=lambda end: -end[1][1])
        # Of wires that go up the uppermost turns first, of those that go down the lowest: then these do not cross.
        for wire, start in (*up, *down):
            x, end = lane(side), pad(wire.pin)
            found.append((wire, [start, (x, start[1]), (x, end[1]), end]))
    for left, wire, start in placed:
        if (wire.pin <= 20) != left:
            x, far, end = lane(left), lane(not left), pad(wire.pin)
            way = "over" if _in_upper_half(wire.pin) else "under"
            y = TOP - 62 - LANE * ends[way] if way == "over" else BOTTOM + 40 + LANE * ends[way]
            ends[way] += 1
            found.append((wire, [start, (x, start[1]), (x, y), (far, y), (far, end[1]), end]))
    return found


def _in_upper_half(pin: int) -> bool:
    return pad(pin)[1] < (TOP + BOTTOM) / 2


def svg(board: Board) -> str:
    """The picture as an SVG file's text."""
    parts = boxes(board)
    drawn = routes(board)
    corners = [point for _, points in drawn for point in points]
    rights = [PICO + WIDTH, *(box.x + PART for box in parts), *(x for x, _ in corners)]
    width = max(rights) + 24
    height = max(BOTTOM + 30, *(box.top + box.height for box in parts), *(y for _, y in corners)) + 20
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" '
        'font-family="DejaVu Sans, Verdana, Arial, sans-serif" font-size="12">',
        f"<title>Wiring of {escape(board.name)}</title>",
        f"<desc>{escape(described(board))}</desc>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="20" y="34" font-size="17" font-weight="bold" fill="#111827">{escape(board.name)}</text>',
        '<text x="20" y="54" fill="#4b5563">USB socket up, chip towards you. Crossing wires do not touch.</text>',
        *_pico(board, {wire.pin for wire in wires(board)}),
        *(line for box in parts for line in _part(board, box)),
    ]
    for wire, points in drawn:
        d = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
        name = f'data-part="{wire.part}" data-terminal="{wire.terminal}" data-pin="{wire.pin}"'
        halo = '<path d="{}" fill="none" stroke="#ffffff" stroke-width="6" stroke-linejoin="round"/>'
        out.append(halo.format(d))
        out.append(
            f'<path class="wire" {name} d="{d}" fill="none" stroke="{wire.color}" stroke-width="2.5" '
            'stroke-linejoin="round" stroke-linecap="round"/>'
        )
        for x, y in (points[0], points[-1]):
            out.append(f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{wire.color}"/>')
    out.append("</svg>\n")
    return "\n".join(out)


def described(board: Board) -> str:
    """The picture in words."""
    return "; ".join(f"{wire.part} {wire.terminal} to {wire.to}, pin {wire.pin}" for wire in wires(board)) + "."


def _text(x: float, y: float, text: str, fill: str = "#111827", anchor: str = "start", extra: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}"{extra}>{escape(text)}</text>'


def _pico(board: Board, used: set[int]) -> Iterable[str]:
    top, height = TOP - 30, BOTTOM - TOP + 60
    yield f'<rect x="{PICO}" y="{top}" width="{WIDTH}" height="{height}" rx="8" fill="#0f5132"/>'
    middle = PICO + WIDTH / 2
    yield f'<rect x="{middle - 26:g}" y="{top - 12}" width="52" height="40" rx="3" fill="#cbd5e1" stroke="#64748b"/>'
    yield _text(middle, top + 12, "USB", "#334155", "middle")
    chip = TOP + 8 * PITCH
    yield f'<rect x="{middle - 22:g}" y="{chip}" width="44" height="44" rx="2" fill="#1f2937"/>'
    yield _text(middle, chip + 26, board.chip.upper(), "#e5e7eb", "middle", ' font-size="9"')
    for pin in range(1, 41):
        x, y = pad(pin)
        fill, ink, weight = ("#fde68a", "#ffffff", "bold") if pin in used else ("#86a397", "#9fbfae", "normal")
        yield f'<circle class="pad" data-pin="{pin}" cx="{x:g}" cy="{y:g}" r="6.5" fill="{fill}"/>'
        anchor, step, text = ("start", 12, f"{pin} {NAMES[pin]}") if pin <= 20 else ("end", -12, f"{NAMES[pin]} {pin}")
        yield _text(x + step, y + 4, text, ink, anchor, f' font-size="11" font-weight="{weight}"')


def _part(board: Board, box: Box) -> Iterable[str]:
    titles = {
        "panel": f"OLED {board.display.controller.upper()} {board.raw['display']['address']}",
        "keys": "Four keys",
        "piezo": "Active buzzer" if board.piezo_kind == "active" else "Piezo (passive)",
    }
    yield (
        f'<rect x="{box.x:g}" y="{box.top:g}" width="{PART}" height="{box.height:g}" rx="6" '
        'fill="#f8fafc" stroke="#94a3b8"/>'
    )
    inner = 1 if box.left else -1  # from the edge into the part, to the left
    yield _text(box.x + PART / 2, box.top + 18, titles[box.name], "#111827", "middle", ' font-weight="bold"')
    for wire in box.wires:
        anchor = "end" if box.left else "start"
        yield _text(box.edge - inner * 10, box.spots[wire.terminal] + 4, wire.terminal, "#111827", anchor)
        if box.name == "keys" and wire.terminal.lower() in ROLES:
            yield from _key(board, box, wire, inner)
    middle = box.top + box.height / 2
    if box.name == "panel":
        x = box.edge - inner * 99
        glass = f'y="{box.top + 30:g}" width="86" height="{box.height - 44:g}"'
        yield f'<rect x="{x - 43:g}" {glass} rx="3" fill="#0b1220"/>'
        yield _text(x, middle + 12, "128 x 64", "#93c5fd", "middle", ' font-size="11"')
    if box.name == "piezo":
        x, y = box.edge - inner * 92, middle + 8
        yield f'<circle cx="{x:g}" cy="{y:g}" r="18" fill="#fef3c7" stroke="#b45309" stroke-width="1.5"/>'
        yield f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="none" stroke="#b45309"/>'


def _key(board: Board, box: Box, wire: Wire, inner: int) -> Iterable[str]:
    """A push button between its terminal and the rail that joins it with the others'."""
    low = board.buttons[wire.terminal.lower()].active_low
    x, y, common = box.edge - inner * 86, box.spots[wire.terminal], box.spots["GND" if low else "3V3"]
    rail, end = box.edge - inner * (118 if low else 134), box.edge - inner * 44
    color = "#111827" if low else "#dc2626"
    yield f'<path d="M{x + inner * 8:g} {y:g} H{box.edge - inner * 56:g}" stroke="#475569" stroke-width="1.5"/>'
    way = f"M{x - inner * 8:g} {y:g} H{rail:g} V{common:g} H{end:g}"
    yield f'<path d="{way}" fill="none" stroke="{color}" stroke-width="1.5"/>'
    yield f'<circle cx="{x:g}" cy="{y:g}" r="8" fill="#e5e7eb" stroke="#475569" stroke-width="1.5"/>'
