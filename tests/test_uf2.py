"""The files for the BOOTSEL drive: whole sectors in order, a device that plays at once, nothing left of what was."""

import json
import struct

import pytest

from host_sim import picture, run, tiers
from host_sim.board import find
from host_sim.device import Device
from host_sim.firmware import ROOT
from host_sim.tiers import rp2040_image
from tools import build, uf2

BOARD = "RPI_PICO"
LAYOUT = build.LAYOUTS[BOARD]
FILESYSTEM = slice(LAYOUT.start, LAYOUT.start + LAYOUT.blocks * LAYOUT.block_size)
RP2040 = 0xE48BFF56  # as github.com/microsoft/uf2's list of families has it
RP2350_ARM_S = 0xE48BFF59

pytestmark = pytest.mark.skipif(bool(tiers.absent("rp2040")), reason=str(tiers.absent("rp2040")))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return uf2.make(BOARD, rp2040_image.find(), tmp_path_factory.mktemp("uf2"))


def blocks(path):
    data = path.read_bytes()
    assert len(data) % 512 == 0
    return [struct.unpack_from("<8I", data, at) for at in range(0, len(data), 512)]


def test_every_sector_is_whole_and_in_its_place(made):
    """What the RP2040's ROM needs: it erases a sector at each sixteenth block."""
    for path in made:
        found = blocks(path)
        for number, (_, _, flags, address, size, at, count, family) in enumerate(found):
            assert (flags, size, at, count, family) == (0x2000, 256, number, len(found), RP2040)
            assert address == found[number - number % 16][3] + 256 * (number % 16)
        begins = [block[3] for block in found[::16]]
        assert all(begin % 4096 == 0 for begin in begins)
        assert begins == sorted(set(begins))


def test_all_of_micropython_is_in_it(made):
    from host_sim.tiers.rp2040_emulator import place

    chip, plain = place(made[0].read_bytes()), place(rp2040_image.find().read_bytes())
    assert chip[: LAYOUT.start] == plain[: LAYOUT.start]
    assert min(block[3] for block in blocks(made[1])) == uf2.FLASH + LAYOUT.start


def test_it_starts_straight_into_the_app(made, tmp_path):
    """On an emulated Pico that was empty, with the watchdog on: the first frame is home's."""
    from host_sim.tiers import rp2040
    from host_sim.tiers.rp2040_emulator import place

    (tmp_path / rp2040.FLASH).write_bytes(place(made[0].read_bytes()))
    with tiers.make("rp2040", find(BOARD), tmp_path) as device:
        assert isinstance(device, Device)
        device.power_on()
        device.run(1_000_000)
        assert device.glass() == picture.load(ROOT / "tests" / "scenarios" / run.FRAMES / "home-fresh.png")
        files = device.files()
    assert json.loads(files["board.json"])["watchdog"] is True
    assert files["app.pack"] == build.contents(BOARD)["app.pack"]


def test_the_second_file_leaves_nothing_of_what_was(made):
    from host_sim.tiers.rp2040_emulator import place

    old = bytearray(b"\xff" * 2 * 1024 * 1024)
    old[FILESYSTEM] = build.image({"data/1.0.0": b"a match", "app.pack": bytes(9000), "main.py": b"1"}, LAYOUT)
    new = place(made[1].read_bytes())
    for _, _, _, address, size, _, _, _ in blocks(made[1]):
        at = address - uf2.FLASH
        old[at : at + size] = new[at : at + size]
    assert build.read_image(bytes(old[FILESYSTEM]), LAYOUT) == uf2.contents(BOARD, watchdog=True)


def test_the_licences_are_inside():
    text = uf2.contents(BOARD, watchdog=False)[uf2.LICENSES].decode()
    for words in ("Adafruit Industries", "Damien P. George", "misc-fixed", "Raspberry Pi (Trading)", "TinyUSB"):
        assert words in text
    assert text.count("Permission is hereby granted") == 3
    assert (ROOT / "LICENSE").read_text("utf-8").strip() in text


def test_what_is_no_micropython_is_refused(tmp_path):
    path = tmp_path / "x.uf2"
    path.write_bytes(b"UF2\n" + bytes(100))
    with pytest.raises(ValueError, match=r"x\.uf2"):
        uf2.make(BOARD, path, tmp_path)
    path.write_bytes(bytes(1024))
    with pytest.raises(ValueError, match=r"x\.uf2"):
        uf2.make(BOARD, path, tmp_path)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match=r"x\.uf2"):
        uf2.make(BOARD, path, tmp_path)


def test_a_micropython_for_two_chips_at_once_is_refused(tmp_path):
    path = tmp_path / "x.uf2"
    both = b""
    for family in (RP2040, RP2350_ARM_S):
        uf2.write(path, {uf2.FLASH: bytes(4096)}, family)
        both += path.read_bytes()
    path.write_bytes(both)
    with pytest.raises(ValueError, match="is for other chips, or for several"):
        uf2.make(BOARD, path, tmp_path)


@pytest.mark.parametrize("board, right, wrong", [(BOARD, RP2040, RP2350_ARM_S), ("RPI_PICO2", RP2350_ARM_S, RP2040)])
def test_a_micropython_for_the_other_chip_is_refused(board, right, wrong, tmp_path):
    path = tmp_path / "x.uf2"
    uf2.write(path, {uf2.FLASH: bytes(4096)}, wrong)
    with pytest.raises(ValueError, match=f"another chip than a {board}'s rp2"):
        uf2.make(board, path, tmp_path)
    uf2.write(path, {uf2.FLASH: bytes(4096)}, right)
    for made in uf2.make(board, path, tmp_path):
        assert {block[7] for block in blocks(made)} == {right}


def test_a_micropython_that_is_too_large_is_refused(tmp_path):
    path = tmp_path / "x.uf2"
    uf2.write(path, {uf2.FLASH + LAYOUT.start: bytes(4096)}, RP2040)
    with pytest.raises(ValueError, match="reaches into the filesystem"):
        uf2.make(BOARD, path, tmp_path)


def test_a_board_that_is_not_known_is_told(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["tools.uf2", "NO_SUCH"])
    assert uf2.main() == 1
    assert "no board 'NO_SUCH'" in capsys.readouterr().err


def test_a_board_whose_micropython_is_not_here_says_where_it_is(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["tools.uf2", "RPI_PICO_W"])
    assert uf2.main() == 1
    assert capsys.readouterr().err == (
        "RPI_PICO_W: take MicroPython 1.25 for it from https://micropython.org/download/RPI_PICO_W/, then make uf2 "
        'BOARD=RPI_PICO_W ARGS="--micropython FILE"\n'
    )
