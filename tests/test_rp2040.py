"""The emulated Pico: it repeats itself to the bit, its corrected blocks do what a Pico's do, and the app sleeps on it.

The first half runs the app. The second half runs little programs in its place: a file of that name in the device's
folder goes onto the chip instead of the build's.
"""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from host_sim import emulator_core, read_glass, run, tiers
from host_sim.board import Board, load
from host_sim.device import DeviceError
from host_sim.firmware import BOARDS, FIRMWARE, ROOT
from host_sim.runner import Runner
from host_sim.tiers import rp2040, rp2040_image
from host_sim.tiers.rp2040 import Rp2040Device
from host_sim.tiers.rp2040_emulator import Emulator, Setup, place
from tools import build

MS = 1000
SECOND = 1000 * MS
BOOTED = 2 * SECOND  # by then the app has drawn its first screen and sleeps

absence = rp2040.absent()
on_the_pico = pytest.mark.skipif(absence is not None, reason=f"tier rp2040: {absence}")


@pytest.fixture(scope="module")
def board() -> Board:
    return load(BOARDS / "RPI_PICO" / "board.json")


Make = Callable[..., Rp2040Device]


@pytest.fixture
def make(board: Board, tmp_path: Path) -> Iterator[Make]:
    """Makes devices that are switched off; `main` is a program to run in place of the app."""
    made: list[Rp2040Device] = []

    def make_one(main: str | None = None, ticks: int = 0) -> Rp2040Device:
        flash = tmp_path / str(len(made))
        run.put_files(board, flash)
        if main is not None:
            (flash / "main.py").write_text(main)
        device = tiers.make("rp2040", board, flash, ticks)
        assert isinstance(device, Rp2040Device)
        made.append(device)
        return device

    yield make_one
    for device in made:
        device.close()


def press(device: Rp2040Device, role: str, us: int = 60 * MS, after: int = 340 * MS) -> None:
    device.key(role, True)
    device.run(device.now + us)
    device.key(role, False)
    device.run(device.now + after)


# -- what only a Pico's heap can tell ---------------------------------------------------------------


@on_the_pico
def test_the_table_of_names_grows_while_the_heap_is_fresh(make: Make) -> None:
    """It wants 8 kB in one piece for that. Its pools hold 20, 40 .. 640 names, 1,260 in all, then 1,280 more."""
    device = make()
    device.power_on()
    device.run(2 * SECOND)
    told = device.ask("__import__('micropython').qstr_info()")
    found = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", told)}
    assert found["n_pool"] >= 7, told
    assert found["n_qstr"] < 2400, told


@on_the_pico
def test_after_a_power_cut_the_heap_is_in_one_piece(make: Make) -> None:
    """What a power-on has done with lies between the modules: then 86 kB were free, and no piece larger than 3 kB. A
    press in the first second found no room for large digits, and the app tripped."""
    device = make()
    device.power_on()
    device.run(SECOND)
    for role in ("ok", "ok"):  # PLAY, GO!
        press(device, role, after=SECOND)
    device.power_off()
    device.power_on()
    while not read_glass.text(device.page()).strip():
        device.run(device.now + 10 * MS)
    assert "POWER CUT" in read_glass.text(device.page())
    told = device.ask("__import__('micropython').mem_info()")
    found = re.search(r"max free sz: (\d+)", told)
    assert found and 16 * int(found[1]) > 32_000, told


PLACE = int(re.findall(r"_PLACE = (0x\w+)", (FIRMWARE / "pack.py").read_text("utf-8"))[0], 16)


def test_machine_code_holds_no_other_word_that_keeps_a_module_for_ever() -> None:
    """To the collector such a word is a pointer. There is one, 0x2001E000, and the pack's index lies across the place.

    Below are the modules that power-on loads: they stay anyway.
    """
    heap = range(0x20010000, 0x20040000)
    found = {}
    for name, data in build.modules("RPI_PICO").items():
        if data[2] >> 2 and "sh1106" not in name:  # machine code; another panel's is not loaded here
            for at in range(len(data) - 3):
                word = int.from_bytes(data[at : at + 4], "little")
                if word in heap and not word & 15:
                    found[hex(word)] = name
    assert set(found) == {hex(PLACE)}, found


@on_the_pico
def test_the_index_of_the_pack_lies_across_that_place(make: Make) -> None:
    device = make()
    device.power_on()
    device.run(SECOND)
    index = "[o for o, path in __import__('vfs').mount() if path == '/app'][0]._index"
    told = device.ask(f"(__import__('uctypes').addressof({index}), len({index}))")
    start, entries = re.findall(r"\d+", told)
    assert int(start) < PLACE < int(start) + 4 * int(entries), told


# -- the image ---------------------------------------------------------------------------------------


def test_whoever_has_no_image_is_told_how_to_get_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []

    def offline() -> bytes:
        """nowhere"""
        asked.append(1)
        raise OSError("no\nnetwork")

    monkeypatch.delenv(rp2040_image.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(rp2040_image, "_found", None)
    monkeypatch.setattr(rp2040_image, "_from_release", offline)
    monkeypatch.setattr(rp2040_image, "_from_pypi", offline)
    reason = rp2040.absent()
    assert reason and "\n" not in reason and str(tmp_path) in reason and "no network" in reason
    assert rp2040.absent() == reason and len(asked) == 2, "it is looked for once in a process"


def test_an_image_with_a_wrong_checksum_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def wrong() -> bytes:
        """a mirror"""
        return b"UF2\n" * 128

    monkeypatch.delenv(rp2040_image.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(rp2040_image, "_found", None)
    monkeypatch.setattr(rp2040_image, "_from_release", wrong)
    monkeypatch.setattr(rp2040_image, "_from_pypi", wrong)
    assert "checksum" in (rp2040.absent() or "")
    assert not list(tmp_path.rglob("*.uf2"))


def test_a_file_that_is_no_image_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(rp2040_image.VARIABLE, str(tmp_path / "none.uf2"))
    assert "none.uf2" in (rp2040.absent() or "")
    with pytest.raises(ValueError, match="magic"):
        place(bytes(512))


# -- the app -----------------------------------------------------------------------------------------


@on_the_pico
@pytest.mark.parametrize("moment", [7, 25, 50, 90, 700])
def test_ctrl_c_ends_the_app_within_a_second_at_any_moment(make: Make, moment: int) -> None:
    """From the press of GO! on: while it is debounced, drawn, sent, written to flash, and long after."""
    device = make()
    device.power_on()
    device.run(BOOTED)
    press(device, "ok")
    device.key("ok", True)
    device.run(device.now + 40 * MS)
    device.key("ok", False)
    device.run(device.now + moment * MS)
    device.interrupt()
    began = device.now
    while device.piezo.frequency and device.now < began + SECOND:
        device.run(device.now + MS)
    assert device.now - began <= 50 * MS + 100 * MS * bool(
        device.flash_ops and device.flash_ops[-1][0] > began - 100 * MS
    )
    assert not device.piezo.pin_high and not device.led.on
    device.run(began + SECOND)
    assert device.at_prompt


@on_the_pico
def test_two_runs_are_alike_to_the_bit(make: Make) -> None:
    digests = []
    for _ in range(2):
        with make() as device:
            device.power_on()
            device.run(BOOTED)
            press(device, "ok")
            trace = repr((device.bus.transfers, device.piezo.tones, device.led.changes, device.cycles()))
            digests.append((hashlib.sha256(trace.encode() + device.frame()).hexdigest(), device.bus.bytes))
    assert digests[0] == digests[1]
    assert digests[0][1] > 1000, "nothing was drawn"


_STATE = """
from hashlib import sha256
from pathlib import Path
import sys
from host_sim.tiers.rp2040_emulator import Emulator, Setup, place
flash = bytes(place(Path(sys.argv[1]).read_bytes()))
pico = Emulator(Setup(flash, 0, 0x3C, 0, 0, 4, 5, 15, 25, (10, 11, 12, 13)))
pico.advance(30_000)
print(sys.modules["rp2040py.native._simulator"].__file__, pico.cycles, sha256(bytes(pico.chip.sram)).hexdigest())
"""


@on_the_pico
def test_the_core_compiled_for_this_python_goes_as_the_wheels_does() -> None:
    core = emulator_core.folder()
    if not core or not core.is_dir():
        pytest.skip("no core was compiled here: see .venv/bin/python -m host_sim.emulator_core")
    ways = []
    for wheel in ("", "1"):
        command = [sys.executable, "-c", _STATE, str(rp2040_image.find())]
        environment = {**os.environ, "POUCH_WHEEL": wheel, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        ways.append(done.stdout.split())
    assert Path(ways[0][0]).parent == core
    assert "site-packages" in ways[1][0]
    assert ways[0][1:] == ways[1][1:]


@on_the_pico
def test_an_edge_wakes_the_sleeping_loop_within_200_us(make: Make) -> None:
    device = make()
    device.power_on()
    device.run(BOOTED + 20 * MS)
    runs, reads = device.wake_us("left", True)
    assert 0 < runs < 200  # the interrupt's handler is done, and the loop is awake
    assert runs < reads < 3 * MS  # and has taken the edge in and looked at the keys


@on_the_pico
def test_an_idle_app_allocates_nothing_and_sleeps(make: Make) -> None:
    device = make()
    device.power_on()
    device.run(BOOTED)
    allocated = "__import__('gc').mem_alloc()"
    before, awake = device.ask(allocated), device.awake_us()
    device.run(device.now + 20 * SECOND)  # it looks after the panel twice a second
    assert device.ask(allocated) == before
    assert device.awake_us() - awake < 0.02 * 20 * SECOND


@on_the_pico
def test_a_panel_that_is_plugged_in_late_shows_the_screen_within_a_second(make: Make) -> None:
    with make() as device:
        device.power_on()
        device.run(BOOTED)
        expected = device.frame()
    late = make()
    late.bus.unplug()
    late.power_on()
    late.run(BOOTED)
    assert late.frame() == bytes(1024)
    late.bus.plug()
    late.run(late.now + SECOND)
    assert late.frame() == expected


@on_the_pico
def test_a_held_bus_stops_neither_the_keys_nor_the_clock(make: Make) -> None:
    with make() as device:
        device.power_on()
        device.run(BOOTED)
        press(device, "ok", after=SECOND)
        expected = device.frame()
    device = make()
    device.power_on()
    device.run(BOOTED)
    device.bus.held = True
    press(device, "ok")
    device.bus.held = False
    device.run(device.now + SECOND)
    assert device.frame() == expected


# -- the chip ----------------------------------------------------------------------------------------

PROGRAM = """
import time
from machine import I2C, PWM, Pin, reset, unique_id
time.sleep_ms(100)  # somebody reads the console by then

def tell(name, call):
    start = time.ticks_us()
    try:
        answer = call()
    except OSError as error:
        answer = "errno %d" % error.errno
    print(name, answer, time.ticks_diff(time.ticks_us(), start), sep=";")

i2c = I2C(0, scl=Pin(5), sda=Pin(4), freq=400000, timeout=5000)
"""


def lines(device: Rp2040Device, until: int) -> list[tuple[str, str, int]]:
    """What the program told until then: name, answer, microseconds."""
    start = len(device.output)
    device.run(until)
    told = [line.split(";") for line in device.output[start:]]
    return [(name, answer, int(us)) for name, answer, us in told]


@on_the_pico
def test_the_bus_takes_its_time_and_fails_as_wires_do(make: Make) -> None:
    device = make(
        PROGRAM
        + """
tell("short", lambda: i2c.writeto(60, b"\\0" + bytes([0xE3] * 100)))
tell("nobody", lambda: i2c.writeto(61, b"abc"))
tell("status", lambda: i2c.readfrom(60, 1))
tell("probe", lambda: i2c.writeto(60, b""))
tell("probe nobody", lambda: i2c.writeto(61, b""))
tell("long", lambda: i2c.writeto(60, b"\\0" + bytes([0xE3] * 1024)))
for name in ("held", "free", "nack"):
    time.sleep_ms(100)
    tell(name, lambda: i2c.writeto(60, b"\\0\\xE3"))
    tell("again", lambda: i2c.readfrom(60, 1))
while True:
    time.sleep_ms(1000)
"""
    )
    device.power_on()
    told = lines(device, 200 * MS)
    assert [(name, answer) for name, answer, _ in told] == [
        ("short", "101"),
        ("nobody", "errno 5"),
        ("status", "b'C'"),  # the display is off
        ("probe", "0"),
        ("probe nobody", "errno 19"),
        ("long", "errno 110"),  # MicroPython's timeout is for the whole transfer, not for a byte
    ]
    # 102 bytes of 9 clocks; MicroPython asks for 400 kHz the counters give 377, and there are gaps.
    first = device.bus.transfers[0]
    assert 102 * 9 / 0.400 < first.end_us - first.start_us < 102 * 9 / 0.360 < told[0][2]
    sizes = [(t.address, t.size, t.acknowledged) for t in device.bus.transfers[:5]]
    assert sizes == [(60, 101, True), (61, 0, False), (60, 1, True), (60, 0, True), (61, 0, False)]
    device.bus.held = True
    assert [(answer, us < 6 * MS) for _, answer, us in lines(device, 300 * MS)] == [("errno 110", True)] * 2
    device.bus.held = False
    assert [answer for _, answer, _ in lines(device, 400 * MS)] == ["2", "b'C'"]
    device.bus.nacks = 1
    assert [answer for _, answer, _ in lines(device, 520 * MS)] == ["errno 5", "b'C'"]
    assert device.bus.nacks == 0
    device.bus.unplug()


@on_the_pico
def test_what_is_on_the_pins_is_heard_and_seen(make: Make) -> None:
    device = make(
        PROGRAM
        + """
led = Pin(25, Pin.OUT, value=1)
tell("led", led.value)
tell("id", lambda: unique_id().hex())
pwm = PWM(Pin(15), freq=2000, duty_u16=32768)
time.sleep_ms(20)
led(0)
pwm.freq(880)
pwm.duty_u16(2621)
time.sleep_ms(20)
pwm.duty_u16(0)
time.sleep_ms(20)
pwm.deinit()
Pin(15, Pin.OUT, value=1)
while True:
    time.sleep_ms(1000)
"""
    )
    device.power_on()
    while device.piezo.frequency is None and device.now < SECOND:
        device.run(device.now + 2 * MS)
    assert (device.piezo.frequency, device.led.on) == (2000, True)
    device.run(SECOND)
    first, second = device.piezo.tones
    assert (first.frequency, second.frequency) == (2000, 880)
    assert abs(first.duty - 32768) < 40 and abs(second.duty - 2621) < 40
    assert first.end_us == second.start_us and second.end_us
    assert abs(second.start_us - first.start_us - 20 * MS) < MS
    assert abs(second.end_us - second.start_us - 20 * MS) < MS
    assert device.piezo.pin_high and device.piezo.frequency is None
    assert [on for _, on in device.led.changes] == [True, False]
    assert [line.split(";")[1] for line in device.output] == ["1", "e6614103e7654321"]


@on_the_pico
def test_keys_are_contacts_on_the_pads(make: Make) -> None:
    device = make(
        PROGRAM
        + """
edges = []
pin = Pin(10, Pin.IN, Pin.PULL_UP)
other = Pin(11, Pin.IN, Pin.PULL_UP)
pin.irq(lambda p: edges.append(p()), Pin.IRQ_FALLING | Pin.IRQ_RISING)
print(pin(), other())
time.sleep_ms(100)
print(edges, pin(), other())
time.sleep_ms(100)
print(len(edges), pin())
"""
    )
    device.key("back", True)  # held at power-on
    device.power_on()
    device.run(170 * MS)
    device.key("left", True)
    device.key("left", True)
    device.run(190 * MS)
    device.key("left", False)
    device.key("back", False)
    device.run(280 * MS)
    start = device.now
    for i in range(20):
        device.at(start + i * 500, lambda i=i: device.key("left", i % 2 == 0))  # type: ignore[misc]
    device.run(SECOND)
    assert device.output[:3] == ["1 0", "[0, 1] 1 1", "22 1"]


@on_the_pico
def test_the_flash_takes_its_time_and_keeps_what_was_written(make: Make) -> None:
    device = make(
        PROGRAM
        + """
def write():
    with open("kept", "wb") as file:
        return file.write(bytes(5000))
tell("kept", lambda: len(open("kept", "rb").read()))
tell("write", write)
while True:
    time.sleep_ms(1000)
"""
    )
    device.power_on()
    told = lines(device, SECOND)
    assert [(name, answer) for name, answer, _ in told] == [("kept", "errno 2"), ("write", "5000")]
    erases = [op for op in device.flash_ops if op[1] == "erase"]
    assert erases and told[1][2] > len(erases) * 45 * MS
    device.power_off()
    assert (device.flash / rp2040.FLASH).exists()
    assert device.files()["kept"] == bytes(5000)
    device.power_on()
    assert lines(device, device.now + 250 * MS)[0][:2] == ("kept", "5000")


@on_the_pico
def test_a_firmware_that_ends_in_an_error_stops_the_scenario(make: Make) -> None:
    device = make(PROGRAM + "reset() if 'again' not in __import__('os').listdir() and open('again', 'w') else 1 / 0\n")
    device.power_on()
    with pytest.raises(DeviceError, match=r"(?s)Traceback.*ZeroDivisionError: divide by zero"):
        device.run(2 * SECOND)
    assert device.resets == 1
    with pytest.raises(DeviceError, match="ZeroDivisionError"):
        device.run(device.now + SECOND)


@on_the_pico
def test_the_clock_starts_where_it_is_told() -> None:
    ticks = (1 << 30) - 5 * SECOND
    setup = Setup(
        flash=place(rp2040_image.find().read_bytes()),
        ticks=ticks,
        address=0x3C,
        rotation=0,
        bus=0,
        sda=4,
        scl=5,
        piezo=15,
        led=25,
        buttons=(10, 11, 12, 13),
    )
    emulator = Emulator(setup)
    low = 0x40054028  # TIMERAWL, which ticks_us reads
    assert emulator.word(low) == ticks
    emulator.advance(1234)
    assert emulator.now == 1234
    assert emulator.word(low) == ticks + 1234


@on_the_pico
def test_other_boards_are_turned_away(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="RPI_PICO_W"):
        tiers.make("rp2040", load(BOARDS / "RPI_PICO_W" / "board.json"), tmp_path)


@on_the_pico
def test_a_chip_of_an_older_build_is_begun_with_todays_and_keeps_its_data(board: Board, tmp_path: Path) -> None:
    older = tiers.make("rp2040", board, tmp_path)
    assert isinstance(older, Rp2040Device)
    today = older.files()["main.py"]
    older.put_file("main.py", b"print('older')\n")
    older.put_file("data/a", b"kept")
    (tmp_path / rp2040.FLASH).write_bytes(older._off())
    runner = Runner(lambda board: tmp_path, "rp2040", board, lambda kind, message: None)
    runner.device.power_on = lambda: None  # type: ignore[method-assign]
    runner._switch_on()
    files = runner.device.files()
    assert (files["main.py"], files["data/a"]) == (today, b"kept")


SAVES = """
from machine import Timer
from pouch.hal.files import Files
from pouch.store import Slots

beats = 0


def beat(timer):
    global beats
    beats += 1


Timer(period=10, callback=beat)
slots = Slots(Files("data"), "clock")
slots.load(lambda value: value)
for i in range({count}):
    slots.save((1, 2, i))
print("saved", slots.load(lambda value: value), beats)
"""


@on_the_pico
@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.torture)])
def test_saves_do_not_hang_while_a_timer_runs(make: Make, count: int) -> None:
    device = make(SAVES.format(count=count))
    device.power_on()
    while not any(line.startswith("saved") for line in device.output):
        assert device.now < count * 60 * MS, f"it hangs; it said {device.output}"
        device.run(device.now + 100 * MS)
    erases = sum(kind == "erase" for _, kind, _, _ in device.flash_ops)
    assert f"((1, 2, {count - 1}), None)" in device.output[0]
    assert erases <= count / 8
    # A write stops the interrupts, so some beats come late, and those that fell together are one.
    assert int(device.output[0].split()[-1]) >= device.now / (10 * MS) / 3
