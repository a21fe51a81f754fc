"""What hands do becomes a scenario that does exactly the same."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from host_sim import picture, run
from host_sim.board import find
from host_sim.chips.oled import packed, unpacked
from host_sim.device import ROLES, Device
from host_sim.recording import Edge, Recording
from host_sim.scenario import read
from host_sim.tiers import TIERS

BOARD = find("RPI_PICO")
MS = 1000
KEPT = Path(__file__).parent / "scenarios" / "frames"


class Table(Device):
    """A device without a firmware: notes what its contacts and its faults do."""

    def __init__(self) -> None:
        super().__init__(BOARD, Path())
        self.seen: list[tuple[int, str]] = []

    def _start(self) -> None:
        self.seen.append((self.now, "power on"))

    def _stop(self) -> None:
        self.seen.append((self.now, "power off"))

    def _advance(self, until: int) -> None:
        self.now = until

    def _level(self, pin: int, level: int) -> None:
        pass

    def key(self, role: str, down: bool) -> None:
        if down != self.is_down(role):
            self.seen.append((self.now, f"{role} {'down' if down else 'up'}"))
        super().key(role, down)


def replayed(text: str) -> list[tuple[int, str]]:
    table = Table()
    result = run.Player(read(text, Path("recording.txt")), table).play()
    assert result.failure is None, text + (result.failure or "")
    return table.seen[1:]  # all but the power-on that every scenario begins with


def happened(recording: Recording) -> list[tuple[int, str]]:
    contacts = [(us, f"{e.role} {'down' if on else 'up'}") for e in recording.edges for us, on in e.contacts()]
    return sorted(contacts + recording.faults)


@st.composite
def recordings(draw) -> Recording:
    """As a Runner notes them: whole milliseconds, 20 ms between the edges of a key, faults when no contact moves."""
    recording = Recording("RPI_PICO", "cpython")
    free = dict.fromkeys(ROLES, run.BOOT_US // MS)
    down = dict.fromkeys(ROLES, False)
    now, power = run.BOOT_US // MS, True
    for _ in range(draw(st.integers(0, 14))):
        now += draw(st.sampled_from([0, 1, 5, 19, 40, 60, 61, 100, 700, 2500]))
        if draw(st.integers(0, 6)) == 0:
            now, power = max(now, *free.values()), not power
            recording.faults.append((now * MS, f"power {'on' if power else 'off'}"))
            now += 1
            continue
        role = draw(st.sampled_from(ROLES))
        at = max(now, free[role])
        down[role] = not down[role]
        edge = Edge(at * MS, role, down[role], draw(st.sampled_from([None, None, "light", "heavy"])))
        recording.edges.append(edge)
        free[role] = -(-edge.contacts()[-1][0] // MS) + 20
    recording.edges.sort(key=lambda edge: edge.us)
    return recording


@settings(max_examples=150, deadline=None)
@given(recordings())
def test_a_recording_does_exactly_what_was_done(recording: Recording) -> None:
    what = happened(recording)
    end = (what[-1][0] if what else run.BOOT_US) + 300 * MS
    assert sorted(replayed(recording.text(-(-end // MS) * MS))) == what


def test_it_reads_like_one_that_somebody_wrote() -> None:
    recording = Recording("RPI_PICO", "micropython")
    home, ready = (picture.load(KEPT / f"{name}.png") for name in ("home", "zip-ready-first"))
    recording.saw(300 * MS, home)
    recording.edges += [Edge(2500 * MS, "ok", True), Edge(2560 * MS, "ok", False)]
    recording.saw(2530 * MS, ready)
    recording.scores.append((2700 * MS, [0, 0]))
    for us, role, down in ((4000, "left", True), (4023, "right", True), (4060, "left", False), (4090, "right", False)):
        recording.edges.append(Edge(us * MS, role, down))
    recording.faults.append((4400 * MS, "panel unplugged"))
    recording.edges += [Edge(5000 * MS, "ok", True, "light"), Edge(6200 * MS, "ok", False, "light")]
    assert packed(unpacked(packed(home))) == packed(home)
    lines = [line.partition("#")[0].strip() for line in recording.text(7000 * MS).splitlines()]
    assert lines == [
        "",
        "tiers all",
        "",
        'expect text "ZIP-IT"',
        "",
        "wait 440ms",
        "press ok",
        "wait 30ms",
        'expect text "First to 10 wins"',
        "expect scores 0 0",
        "",
        "wait 1.25s",
        "edges left 0 60; right 23 90",
        "wait 310ms",
        "panel unplugged",
        "wait 600ms",
        "hold ok 1.2s bounce light",
        "wait 760ms",
    ]
    assert "# PLAY" in recording.text(7000 * MS)


def test_another_board_says_why_it_is_not_for_all_tiers() -> None:
    scenario = read(Recording("RPI_PICO2", "cpython", "it has another chip").text(2000 * MS), Path("recording.txt"))
    assert scenario.board == "RPI_PICO2"
    assert scenario.tiers == ("cpython", "micropython") and scenario.reason == "it has another chip"
    assert read(Recording("RPI_PICO_SH1106", "cpython").text(2000 * MS), Path("recording.txt")).tiers == TIERS
