"""What goes onto a board: complete, the same every time, and loadable by the MicroPython that the tests run."""

import json
import shutil
from pathlib import Path

import pytest

from host_sim.board import Board, load_all
from host_sim.firmware import BOARDS, FIRMWARE, LIBRARY
from tools import build

BOARD = "RPI_PICO"


def everything(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A firmware of our own, at another path than the real one, with a cache of its own."""
    copy = tmp_path / "a long way" / "firmware"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(build, "FIRMWARE", copy)
    monkeypatch.setattr(build, "BUILD", tmp_path / "build")
    return copy


def test_the_same_sources_give_the_same_bytes(tmp_path: Path, elsewhere: Path) -> None:
    first = build.build(BOARD, tmp_path / "one")
    shutil.rmtree(tmp_path / "build")  # compile all of it again
    second = build.build(BOARD, tmp_path / "two" / "deeper")
    assert everything(tmp_path / "one") == everything(tmp_path / "two" / "deeper")
    assert first.files == second.files
    assert first.image and second.image and first.image.read_bytes() == second.image.read_bytes()


def test_all_of_the_firmware_is_there(tmp_path: Path) -> None:
    result = build.build(BOARD, tmp_path)
    assert set(result.files) == {"main.py", "boot.py", "pack.mpy", "app.pack", "board.json"}
    assert set(everything(result.folder)) == set(result.files)
    assert (result.folder / "board.json").read_bytes() == (BOARDS / BOARD / "board.json").read_bytes()
    for name in ("main.py", "boot.py"):
        assert (result.folder / name).read_bytes() == (FIRMWARE / name).read_bytes()
    modules = build.modules(BOARD)
    sources = {path.relative_to(FIRMWARE).as_posix() for path in FIRMWARE.rglob("*.py")}
    sources -= {"main.py", "boot.py", "pack.py"}
    expected = {name[:-3] + ".mpy" for name in (*sources, *LIBRARY)} - {"adafruit_bus_device/spi_device.mpy"}
    assert {name for name in modules if not name.startswith("names/")} == expected
    assert (result.folder / "app.pack").read_bytes() == build.pack(modules)


def test_each_name_that_the_app_brings_is_in_a_list() -> None:
    modules = build.modules(BOARD)
    brought, listed = set(), set()
    for name, data in modules.items():
        if not name.startswith(build.MAKERS):
            (listed if name.startswith("names/") else brought).update(build.names_in(data))
    assert len(brought) > 1000
    assert {name for name in brought - listed if not name.startswith("<")} == set()


def test_the_image_holds_the_folder(tmp_path: Path) -> None:
    result = build.build(BOARD, tmp_path)
    layout = build.LAYOUTS[BOARD]
    assert result.image
    data = result.image.read_bytes()
    assert len(data) == layout.blocks * layout.block_size
    assert build.read_image(data, layout) == everything(result.folder)


def test_what_is_no_filesystem_is_not_made_one() -> None:
    with pytest.raises(ValueError, match="mounted"):
        build.read_image(b"\xff" * 16 * 4096, build.Layout(0, 16))


def test_every_mpy_is_what_v1_25_loads(tmp_path: Path) -> None:
    result = build.build(BOARD, tmp_path)
    for name, data in {**everything(result.folder), **build.modules(BOARD)}.items():
        if name.endswith(".mpy"):
            # "M", version 6, sub-version 3 with the architecture armv6m (or none), small ints of 31 bits
            assert data[:2] == b"M\x06", name
            assert data[2] in (0, 3 | 4 << 2), (name, data[2])
            assert data[3] == 31, name
            assert b"/pouch/" not in data.split(b"\0", 1)[0] and str(tmp_path).encode() not in data


@pytest.mark.parametrize("board", load_all().values(), ids=lambda board: board.id)
def test_every_board_is_built_for_its_chip(board: Board) -> None:
    files = build.contents(board.id)
    assert json.loads(files["board.json"]) == board.raw and "base" not in board.raw
    # "M", version 6, sub-version 3 with armv6m (4), or armv7emsp (7), as v1.25.0's py/persistentcode.h numbers them
    arch = {"rp2040": 4, "rp2350": 7}[board.chip]
    native = {data[2] for name, data in build.modules(board.id).items()}
    assert native == {0, 3 | arch << 2}
    layout = build.layout_of(board.id)
    assert layout == build.LAYOUTS[board.micropython]
    flash = {"rp2040": 2, "rp2350": 4}[board.chip] * 1024 * 1024
    assert layout.start + layout.blocks * layout.block_size == flash
    assert build.read_image(build.image(files, layout), layout) == files


def test_a_variant_differs_in_nothing_but_its_board_file() -> None:
    plain, variant = build.contents(BOARD), build.contents("RPI_PICO_SH1106")
    assert {name for name in plain if plain[name] != variant[name]} == {"board.json"}


def test_what_is_no_longer_in_the_sources_goes(tmp_path: Path, elsewhere: Path) -> None:
    (elsewhere / "pouch" / "old").mkdir()
    (elsewhere / "pouch" / "old" / "thing.py").write_text("X = 1\n")
    folder = build.build(BOARD, tmp_path / "out").folder
    assert "pouch/old/thing.mpy" in build.modules(BOARD)
    (folder / "pouch").mkdir()
    (folder / "pouch" / "stray.mpy").write_bytes(b"")
    shutil.rmtree(elsewhere / "pouch" / "old")
    build.build(BOARD, tmp_path / "out")
    assert "pouch/old/thing.mpy" not in build.modules(BOARD)
    assert not (folder / "pouch").exists()
    assert (folder / "app.pack").exists()


def test_a_source_that_does_not_compile_is_named(tmp_path: Path, elsewhere: Path) -> None:
    (elsewhere / "pouch" / "broken.py").write_text("x = 1\n\ndef f(:\n    pass\n")
    with pytest.raises(build.BuildError) as caught:
        build.build(BOARD, tmp_path / "out")
    text = str(caught.value)
    assert "\n" not in text and f"{elsewhere / 'pouch' / 'broken.py'}:3: SyntaxError" in text


def test_an_image_that_is_full_says_so() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        build.image({"big": bytes(100_000)}, build.Layout(0, 16))


def test_a_board_that_is_not_there_is_told_with_those_that_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["tools.build", "NO_SUCH"])
    assert build.main() == 2
    assert f"no board 'NO_SUCH': there are {BOARD}, " in capsys.readouterr().err
