"""What a developer wants to see beside the glass: what the firmware knows, and what its last change cost on the bus."""

import ast
import re
from functools import cache
from typing import Any

from host_sim.chips.i2c import Transfer
from host_sim.chips.oled import PAGES, WIDTH
from host_sim.device import PERIOD, Device, DeviceError
from host_sim.firmware import FIRMWARE

ENTRIES = 14  # of the journal, the latest
_APART_US = 20_000  # frames of a motion come 50 ms apart: so long without data ends a change
_SEGMENT = 32  # entries of a journal that are in memory for sure: asking must not make the firmware read its flash

# One expression, asked inside of the firmware: no time passes there. On CPython gc has no mem_free.
_ASKED = (
    "(lambda r, m, g: (type(r.screen).__name__, r.now, g('mem_free'), g('mem_alloc'))"
    " + ((m.game.KEY, m.players, r.scores(), r.winner(), len(m.journal), [tuple(m.journal[i]) for i in range("
    f"max(len(m.journal) - {ENTRIES}, (len(m.journal) - 1) // {_SEGMENT} * {_SEGMENT}, 0), len(m.journal))])"
    " if m else ()))(app.running, app.running.match, lambda n: getattr(__import__('gc'), n, lambda: -1)())"
)


class Inspector:
    """Listens to a device's bus from now on. Nobody else may listen to it."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._cells: set[tuple[int, int]] = set()  # (page, column of the glass) written by the transfer that goes on
        self._bytes = self._data = self._transfers = 0
        self._began = 0
        self._ended = -_APART_US - 1
        self._ahead = (0, self._ended, 0)  # commands before the data: from when to when, bytes
        self._windows: set[tuple[int, int]] = set()
        self.refused = 0
        self._written = 0
        panel = device.panel
        below = panel._data

        def data(byte: int) -> None:
            self._cells.add((panel.page, panel.column))
            below(byte)

        panel._data = data  # type: ignore[method-assign]
        device.bus.listener = self._heard

    def _heard(self, transfer: Transfer) -> None:
        self.refused += not transfer.acknowledged
        written, self._written = self.device.panel.data_bytes - self._written, self.device.panel.data_bytes
        apart = transfer.start_us - self._ended > _APART_US
        if not self._cells and apart:
            # A command: it counts if data follows it.
            ahead = transfer.start_us - self._ahead[1] <= _APART_US
            begun = self._ahead[0] if ahead else transfer.start_us
            self._ahead = (begun, transfer.end_us, self._ahead[2] * ahead + transfer.size + 1)
            return
        if apart:
            ahead = transfer.start_us - self._ahead[1] <= _APART_US
            self._began = self._ahead[0] if ahead else transfer.start_us
            self._bytes, self._data, self._transfers = self._ahead[2] * ahead, 0, 0
            self._windows = set()
        self._bytes += transfer.size + 1
        self._data += written
        self._transfers += 1
        self._windows |= self._cells
        self._cells = set()
        self._ended = transfer.end_us

    # -- what is told ----------------------------------------------------------------------------

    def change(self) -> dict[str, Any]:
        """The last change of the glass: when it began and how long it took in us, bytes, windows (x, y, w, h)."""
        return {
            "us": self._began,
            "took": max(0, self._ended - self._began),
            "bytes": self._bytes,
            "data": self._data,
            "transfers": self._transfers,
            "windows": self._boxes(),
        }

    def _boxes(self) -> list[tuple[int, int, int, int]]:
        """The cells that were sent and can be seen, as few boxes on the glass as it is mounted."""
        runs: dict[tuple[int, int], list[int]] = {}
        for page in range(PAGES):
            columns = sorted(x for p, column in self._windows if p == page and 0 <= (x := self._column(column)) < WIDTH)
            start = None
            for i, column in enumerate(columns):
                start = column if start is None else start
                if i + 1 == len(columns) or columns[i + 1] > column + 1:
                    runs.setdefault((start, column + 1 - start), []).append(self._row(page))
                    start = None
        boxes = []
        for (x, width), rows in runs.items():
            rows.sort()
            top = rows[0]
            for i, y in enumerate(rows):
                if i + 1 == len(rows) or rows[i + 1] > y + 8:
                    boxes.append((x, top, width, y + 8 - top))
                    top = rows[i + 1] if i + 1 < len(rows) else 0
        return sorted(boxes, key=lambda box: (box[1], box[0]))

    def _column(self, column: int) -> int:
        panel = self.device.panel
        x = (column if panel.remap else panel.columns_of_ram - 1 - column) - panel.first_column
        return WIDTH - 1 - x if panel.rotation == 180 else x

    def _row(self, page: int) -> int:
        panel = self.device.panel
        return page * 8 if panel.com_remap == (panel.rotation == 0) else 56 - page * 8

    def tell(self, ask: bool) -> dict[str, Any]:
        """All of it. ask: look into the firmware too, if it runs."""
        device = self.device
        found: dict[str, Any] = {
            "us": device.now,
            "change": self.change(),
            "sent": device.bus.bytes,
            "refused": self.refused,
            "contrast": device.panel.contrast,
            "asked": False,
            "tripped": self._tripped(),
        }
        if ask and device.powered and not device.at_prompt:
            try:
                answer = ast.literal_eval(device.ask(_ASKED))
                found.update(self._firmware(answer), asked=True)
            except (DeviceError, ValueError, SyntaxError) as error:
                found["why"] = str(error).split("\n")[-1][:200]
        return found

    def _tripped(self) -> str:
        """What the firmware itself kept of its last crashes; on the rp2040 tier it is in the log alone."""
        try:
            return (self.device.flash / "data" / "crash.txt").read_text("utf-8", "replace")
        except OSError:
            return ""

    def _firmware(self, answer: tuple[Any, ...]) -> dict[str, Any]:
        screen, ticks, free, used, *match = answer
        found: dict[str, Any] = {"screen": screen, "ticks": ticks % PERIOD, "free": free, "used": used}
        if match:
            key, players, scores, winner, count, entries = match
            names = kinds(key)
            first = count - len(entries)
            found.update(
                game=key,
                players=list(players),
                scores=list(scores),
                winner=winner,
                entries=count,
                journal=[[first + i + 1, _entry(names, entry)] for i, entry in enumerate(entries)],
            )
        return found


def _entry(names: dict[int, str], entry: tuple[int, ...]) -> str:
    kind, *values = entry
    return " ".join([names.get(kind, f"kind {kind}"), *map(str, values)])


@cache
def kinds(game: str) -> dict[int, str]:
    """The names of a game's actions by their numbers, as its module and the journal's name them."""
    found: dict[int, str] = {0xFD: "NAME", 0xFE: "UNDO", 0xFF: "REDO"}
    for path in (FIRMWARE / "pouch/games/__init__.py", FIRMWARE / f"pouch/games/{game}.py"):
        if path.is_file():
            for name, number in re.findall(r"(?m)^([A-Z_]+) = const\((\w+)\)  # \(", path.read_text("utf-8")):
                found[int(number, 0)] = name
    return found
