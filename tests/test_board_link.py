"""What is sent to a board and what is said of it, without one: a line that answers, or a flash that is a dict."""

import hashlib
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from host_sim.board import find as describe
from tools import board_link, build, deploy
from tools.board_link import Board, Kind, LinkError, Place
from tools.uf2 import watched

ID = "RPI_PICO"


class Line:
    """The serial line of something that answers `asked`, and with a prompt for programs where it has one."""

    def __init__(self, prompt: bytes, asked: str = "") -> None:
        self.serial = self
        self._prompt = prompt
        self._asked = asked
        self._out = bytearray()

    @property
    def in_waiting(self) -> int:
        return len(self._out)

    def write(self, data: bytes) -> None:
        if data.endswith(b"\x01"):
            self._out += self._prompt

    def read(self, size: int) -> bytes:
        data = bytes(self._out[:size])
        del self._out[:size]
        return data

    def read_until(self, _: int, ending: bytes, **__: object) -> bytes:
        at = self._out.find(ending)
        return self.read(at + len(ending)) if at >= 0 else b""

    def exec_raw(self, code: str, timeout: float) -> tuple[bytes, bytes]:
        return self._asked.encode(), b""

    def exec_raw_no_follow(self, code: str) -> None:
        self.begun = code

    def follow(self, timeout: float) -> tuple[bytes, bytes]:
        return b"", b""

    def close(self) -> None:
        pass


RAW_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
PICO = ("micropython", "1.25.0", "Raspberry Pi Pico with RP2040", "RPI_PICO", 4870)


def say(monkeypatch: pytest.MonkeyPatch, line: Line) -> str:
    """What `make deploy` says of that line's other end, which is one line."""
    monkeypatch.setattr(board_link, "_open", lambda path: line)
    monkeypatch.setattr(board_link, "_TRY_S", 0.02)
    monkeypatch.setattr(board_link, "_QUIET_S", 0.0)
    with pytest.raises(LinkError) as caught:
        deploy.deploy(ID, "COM7")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def on_the_usb(monkeypatch: pytest.MonkeyPatch, *ports: tuple[int, str, str]) -> None:
    found = [SimpleNamespace(vid=vid, device=path, serial_number=number) for vid, path, number in ports]
    monkeypatch.setattr(board_link.list_ports, "comports", lambda: found)


def test_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    on_the_usb(monkeypatch, (0x0403, "/dev/ttyUSB0", "A1"))
    with pytest.raises(LinkError, match=r"^No board: .*PORT=") as caught:
        board_link.find()
    assert "\n" not in str(caught.value)


def test_one_board_is_found_among_other_things(monkeypatch: pytest.MonkeyPatch) -> None:
    on_the_usb(monkeypatch, (0x0403, "/dev/ttyUSB0", "A1"), (0x2E8A, "/dev/ttyACM0", "E661"))
    assert board_link.find() == Place("/dev/ttyACM0", "E661")


def test_two_boards_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    on_the_usb(monkeypatch, (0x2E8A, "/dev/ttyACM0", "E661"), (0x2E8A, "/dev/ttyACM1", "E662"))
    with pytest.raises(LinkError) as caught:
        board_link.find()
    assert str(caught.value) == (
        "2 boards: /dev/ttyACM0 (board E661), /dev/ttyACM1 (board E662). Say which, as in PORT=/dev/ttyACM0."
    )
    assert board_link.find("/dev/ttyACM1") == Place("/dev/ttyACM1", "E662")


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(LinkError, match="there is no such port"):
        deploy.deploy(ID, "/dev/there-is-none")


def test_what_does_not_answer_or_is_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "does not answer. Unplug" in say(monkeypatch, Line(b""))
    told = say(monkeypatch, Line(b"Temperature 21.5\r\nTemperature 21.6\r\n"))
    assert "something else than MicroPython: it says 'Temperature 21.6'" in told


@pytest.mark.parametrize(
    "kind, words",
    [
        (("circuitpython", "9.2.1", *PICO[2:]), "CircuitPython 9.2.1: Pouch needs MicroPython 1.25"),
        (("micropython", "1.18.0", *PICO[2:4], 5637), "loads modules of version 5.2 for processor 5"),
        (
            (*PICO[:2], "Raspberry Pi Pico2 with RP2350", "RPI_PICO2", 7942),
            "that is not RPI_PICO, which this build is for",
        ),
    ],
)
def test_a_board_with_the_wrong_thing_on_it(
    kind: tuple[object, ...], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert words in say(monkeypatch, Line(RAW_PROMPT, repr(kind)))


def test_a_pico_with_micropython_1_25_is_right() -> None:
    name, version, machine, name_of_build, mpy = PICO
    kind = Kind(name, version, machine, name_of_build, (mpy & 0xFF, mpy >> 8))
    reader = build.contents(ID)["pack.mpy"]
    deploy.check(kind, describe(ID), reader)
    deploy.check(kind, describe("RPI_PICO_SH1106"), reader)
    with pytest.raises(LinkError, match="that is not RPI_PICO_W,"):
        deploy.check(kind, describe("RPI_PICO_W"), reader)


def test_somebody_elses_program_is_not_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    board = SimpleNamespace(
        place=Place("COM7"), digests=lambda names: {**dict.fromkeys(names), "main.py": (3, "ab")}, read=lambda _: b"1+1"
    )
    with pytest.raises(LinkError, match=r"main.py on it is of another program.*rm :main.py"):
        deploy.plan(board, build.contents(ID))  # type: ignore[arg-type]


def test_an_app_that_does_not_start_is_told() -> None:
    board = SimpleNamespace(place=Place("COM7"))
    said = 'Traceback (most recent call last):\r\nMemoryError: no\r\nMicroPython v1.25.0 on\r\nType "help()"\r\n>>> '
    with pytest.raises(LinkError, match="does not start: MemoryError: no"):
        deploy._judge(said, board)  # type: ignore[arg-type]
    deploy._judge("", board)  # type: ignore[arg-type]


class Taking(Line):
    """The line of a board that takes a file."""

    def __init__(self) -> None:
        super().__init__(RAW_PROMPT, repr(PICO))
        self.taken = b""

    def follow(self, timeout: float) -> tuple[bytes, bytes]:
        self._out.clear()
        return b"", b""

    def exec_raw_no_follow(self, code: str) -> None:
        super().exec_raw_no_follow(code)
        self._out[:] = b">" * 99

    def write(self, data: bytes) -> None:
        super().write(data)
        if self._out[:1] == b">":
            self.taken += data


@pytest.mark.parametrize("data", [b"", bytes(range(256)) * 9, b"\x03\x1b" * 1501, b"\x1b\x01\x1b\x02" * 400])
def test_a_file_comes_as_it_was_sent_without_a_ctrl_c(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ends of the line, the board's on this Python: each piece fits into its buffer, escaped too."""
    line = Taking()
    monkeypatch.setattr(board_link, "_open", lambda path: line)
    path = str(tmp_path / "file")
    Board(Place("COM7")).send(path, data)
    assert b"\x03" not in line.taken
    there: dict[str, Any] = {}
    exec(board_link.bare(board_link._SCRIPT.read_text()), there)
    asked: list[str] = []
    stdin = io.BytesIO(line.taken)
    there["sys"] = SimpleNamespace(stdin=SimpleNamespace(buffer=stdin), stdout=SimpleNamespace(write=asked.append))
    exec(line.begun, there)
    assert Path(path).read_bytes() == data and stdin.read() == b""
    assert len(asked) == -(-len(data) // board_link._PIECE)
    assert there["digest"](path) == (len(data), hashlib.sha256(data).hexdigest())


class Flash:
    """A board as tools.deploy sees one: its files, and what is done to it."""

    kind = Kind(*PICO[:4], (PICO[4] & 0xFF, PICO[4] >> 8))
    place = Place("COM7")

    def __init__(self, files: dict[str, bytes], says: str = "", room: int = 1 << 20, worn: str = "") -> None:
        self.files = dict(files)
        self.done: list[str] = []
        self._says, self._room, self._worn = says, room, worn

    def __enter__(self) -> "Flash":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def attention(self) -> None:
        self.done.append("attention")

    def safe_mode(self) -> None:
        self.done.append("safe mode")

    def restart(self, listen_s: float = 0) -> str:
        self.done.append("restart")
        return self._says if listen_s else ""

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise LinkError("OSError: [Errno 2] ENOENT")
        return self.files[path]

    def digests(self, names: Iterable[str]) -> dict[str, tuple[int, str] | None]:
        found = {name: self.files.get(name) for name in names}
        return {n: None if d is None else (len(d), hashlib.sha256(d).hexdigest()) for n, d in found.items()}

    def send(self, path: str, data: bytes) -> None:
        self.done.append(path)
        self.files[path] = data[:-1] + b"?" if path == self._worn else data

    def call(self, name: str, *arguments: Any) -> Any:
        if name == "room":
            return self._room
        for entry in arguments[0]:
            if name == "remove":
                self.files.pop(entry, None)
            else:
                self.files[entry[1]] = self.files.pop(entry[0])


@pytest.fixture
def onto(monkeypatch: pytest.MonkeyPatch) -> Callable[[Flash], int]:
    """Deploys onto this one."""

    def onto(board: Flash) -> int:
        monkeypatch.setattr(deploy, "Board", lambda place: board)
        return deploy.deploy(ID, "COM7", say=lambda text: None)

    return onto


def test_a_deploy_leaves_the_watchdog_as_it_is(onto: Callable[[Flash], int]) -> None:
    files = build.contents(ID)
    on = {**files, "board.json": watched(files["board.json"])}
    board = Flash(on)
    assert onto(board) == 0 and board.files == on and board.done == ["restart"]
    board = Flash({**on, "boot.py": b"import pack"})
    assert onto(board) == 1 and board.files == on and board.done == ["safe mode", "boot.py.new", "restart"]


@pytest.mark.parametrize(
    "fault, words",
    [
        ({"worn": "app.pack.new"}, "app.pack is not on the flash as it was sent"),
        ({"room": 100_000}, r"100000 bytes are free, \d{6} are needed"),
    ],
)
def test_what_cannot_be_copied_leaves_what_was_there_and_it_plays_on(
    onto: Callable[[Flash], int], fault: dict[str, Any], words: str
) -> None:
    old = {**build.contents(ID), "app.pack": b"old", "main.py": b"import pouch"}
    board = Flash(old, **fault)
    with pytest.raises(LinkError, match=words):
        onto(board)
    assert {name: board.files[name] for name in old} == old
    assert board.done[0] == "safe mode" and board.done[-1] == "restart"


def test_a_board_that_is_not_for_this_build_plays_on(onto: Callable[[Flash], int]) -> None:
    board = Flash({"main.py": b"print(1)"})
    with pytest.raises(LinkError, match="of another program"):
        onto(board)
    assert board.files == {"main.py": b"print(1)"} and board.done == ["attention", "restart"]


def test_a_deploy_listens_whether_the_app_starts(onto: Callable[[Flash], int]) -> None:
    with pytest.raises(LinkError, match="does not start: ValueError: x"):
        onto(Flash({}, says="ValueError: x\r\n>>> "))


def test_a_restart_hears_the_port_that_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The old port dies, and the board comes back under another name, with half of its traceback at a time."""
    on_the_usb(monkeypatch, (0x2E8A, "COM7", "E661"), (0x2E8A, "COM8", "E662"))
    opened: list[str] = []
    first = Line(RAW_PROMPT, repr(PICO))
    monkeypatch.setattr(board_link, "_open", lambda path: opened.append(path) or first)  # type: ignore[func-returns-value]
    board = Board(board_link.find("COM7"))

    said = [b"Traceback\r\nOS", b"", b"Error: 5\r\n>>> ", b"never asked for"]

    class Back(Line):
        @property
        def in_waiting(self) -> int:
            self._out += said.pop(0)
            return len(self._out)

    class Dead(Line):
        @property
        def in_waiting(self) -> int:
            raise OSError(5, "Input/output error")

    lines = [Dead(b""), Back(b"")]
    monkeypatch.setattr(board_link, "_open", lambda path: opened.append(path) or lines.pop(0))  # type: ignore[func-returns-value]
    monkeypatch.setattr(board_link, "time", clock := Clock())
    on_the_usb(monkeypatch, (0x2E8A, "COM8", "E662"), (0x2E8A, "COM9", "E661"))
    assert board.restart(3) == "Traceback\r\nOSError: 5\r\n>>> "
    assert "machine.reset()" in first.begun
    assert opened == ["COM7", "COM9", "COM9"] and said == [b"never asked for"]
    assert clock.now < 1, "it does not wait when all is said"


class Clock:
    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_the_boards_script_says_the_same_without_its_comments() -> None:
    bare = board_link.bare(board_link._SCRIPT.read_text())
    assert '"""' not in bare and "#" not in bare
    compile(bare, "files.py", "exec")


@pytest.mark.parametrize(
    "text, on", [(b'{"watchdog": true}', True), (b"{}", False), (b"[]", False), (b"\xff", False), (None, False)]
)
def test_a_watchdog_that_is_on_stays_on(text: bytes | None, on: bool) -> None:
    def read(path: str) -> bytes:
        if text is None:
            raise LinkError("OSError: [Errno 2] ENOENT")
        return text

    assert deploy.is_watched(SimpleNamespace(read=read)) == on  # type: ignore[arg-type]
