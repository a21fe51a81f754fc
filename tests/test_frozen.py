"""Pouch inside of MicroPython's own firmware: what is asked of its build, what is made of that, and how it is tried.

Here a stand-in is built: the compiler and MicroPython's sources are no part of a test machine. `make frozen` itself
plays a whole match with what it has made.
"""

import json

import pytest

from host_sim import tiers
from host_sim.board import find
from host_sim.firmware import BOARDS, FIRMWARE, LIBRARY
from host_sim.tiers import rp2040_image
from tools import build, frozen, uf2

pytestmark = pytest.mark.skipif(bool(tiers.absent("rp2040")), reason=str(tiers.absent("rp2040")))

LAYOUT = build.LAYOUTS["RPI_PICO"]
MAKEFILE = """\
all:
\t@echo "$(BOARD) $(FROZEN_MANIFEST) $$CMAKE_ARGS" > {asked}
\t@mkdir -p $(BUILD)
\t{what}
"""


@pytest.fixture
def checkout(tmp_path):
    """what: the line of a Makefile that builds. Returns the folder, and the file with what was asked for."""

    def make(what):
        port = tmp_path / "micropython" / "ports" / "rp2"
        port.mkdir(parents=True)
        asked = tmp_path / "asked"
        (port / "Makefile").write_text(MAKEFILE.format(asked=asked, what=what))
        return tmp_path / "micropython", asked

    return make


def plain():
    """MicroPython without anything in it, as it lies in flash."""
    from host_sim.tiers.rp2040_emulator import place

    return bytes(place(rp2040_image.find().read_bytes())[: LAYOUT.start]).rstrip(b"\xff")


def test_the_board_file_stays_a_file_and_the_app_is_none(checkout, tmp_path):
    from host_sim.tiers.rp2040_emulator import place

    (tmp_path / "code").write_bytes(plain())
    folder, asked = checkout(f"@cp {tmp_path}/code $(BUILD)/firmware.bin")
    path = frozen.make(folder, find("RPI_PICO_SH1106"), tmp_path / "out")
    assert path.name == "pouch-RPI_PICO_SH1106-frozen.uf2"
    board, manifest, *options = asked.read_text().split()
    assert (board, manifest) == ("RPI_PICO", str(BOARDS / "RPI_PICO" / "manifest.py"))
    assert options == ["-DPICO_NO_PICOTOOL=1"], "nothing is fetched"
    chip = place(path.read_bytes())
    assert chip[: LAYOUT.start].rstrip(b"\xff") == plain()
    files = build.read_image(bytes(chip[LAYOUT.start :]), LAYOUT)
    assert set(files) == {"board.json", uf2.LICENSES}
    assert json.loads(files["board.json"]) == {**find("RPI_PICO_SH1106").raw, "watchdog": True}


def test_what_does_not_play_is_told(checkout, tmp_path, capsys):
    (tmp_path / "code").write_bytes(plain())
    folder, _ = checkout(f"@cp {tmp_path}/code $(BUILD)/firmware.bin")
    path = frozen.make(folder, find("RPI_PICO"), tmp_path)
    with pytest.raises(ValueError, match=r'zip_match.txt:\d+: expect text "ZIP-IT"'):
        frozen.tried(path, find("RPI_PICO"))


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("@echo no arm-none-eabi-gcc here; exit 1", "no arm-none-eabi-gcc here"),
        ("@true", "MicroPython was not built"),
        (f"@head -c {LAYOUT.start + 1} /dev/zero > $(BUILD)/firmware.bin", "1 bytes too large"),
    ],
)
def test_a_build_that_fails_says_why(checkout, tmp_path, what, said):
    folder, _ = checkout(what)
    with pytest.raises(ValueError, match=said):
        frozen.make(folder, find("RPI_PICO"), tmp_path / "out")
    assert not list((tmp_path / "out").glob("*.uf2"))


def test_a_folder_that_is_no_checkout_is_told_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["frozen", str(tmp_path)])
    assert frozen.main() == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{tmp_path}: no checkout of MicroPython. `git clone -b v1.25.0 https://github.com/micro")
    monkeypatch.setattr("sys.argv", ["frozen", ""])  # `make frozen` alone
    assert frozen.main() == 1
    assert (alone := capsys.readouterr().err).startswith("Say where MicroPython's sources are: `git clone")
    assert said.endswith("then `make frozen MICROPYTHON=micropython`\n") and alone.endswith(said[-30:])
    assert said.count("\n") == alone.count("\n") == 1


def test_all_that_the_manifest_names_is_there_before_the_build(checkout, tmp_path):
    folder, _ = checkout(f"@test -f {FIRMWARE.parent}/build/lib/{LIBRARY[0]} && echo is there; exit 1")
    with pytest.raises(ValueError, match="is there"):
        frozen.make(folder, find("RPI_PICO"), tmp_path / "out")
