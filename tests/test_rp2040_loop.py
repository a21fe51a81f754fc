"""Our inner loop of the emulated core does what rp2040py's own does, to the bit, whatever the instructions are."""

import random
from typing import Any

import pytest

from host_sim import emulator_core, tiers

if reason := tiers.absent("rp2040"):
    pytest.skip(reason, allow_module_level=True)

from host_sim.tiers import rp2040_emulator
from host_sim.tiers.rp2040_emulator import Emulator, Setup, batch, loop

if not emulator_core.ready():
    pytest.skip("no core was compiled here: see .venv/bin/python -m host_sim.emulator_core", allow_module_level=True)

RAM, FLASH, SIO = 0x20000000, 0x10000000, 0xD0000000
TIMER = 0x40054000
SIZE = 2048  # of the code and of the data behind it
CYCLES = 60
# The opcodes' upper bits: the wheel takes 0xE800 and up for something else than a Cortex-M0+ does, or warns.
KINDS = [*range(0x00, 0xE8, 1), 0xF3, 0xF0, 0xF4, 0xF7]
HALVES = (0xBF00, 0xB672, 0xB662, 0xBF40, 0xBF10, 0xBF20, 0xBF30)  # hints, and PRIMASK
PAIRS = ((0xF3BF, 0x8F50), (0xF3BF, 0x8F4F), (0xF3BF, 0x8F6F), (0xF3EF, 0x8110), (0xF381, 0x8810), (0xF3EF, 0x8205))
WORDS = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 31, 32, 33, 255)


def pico() -> Emulator:
    flash = bytes(random.Random("flash").randbytes(4096))
    return Emulator(Setup(flash, 0, 0x3C, 0, 0, 4, 5, 15, 25, (10, 11, 12, 13)))


@pytest.fixture(scope="module")
def both() -> tuple[Emulator, Emulator]:
    return pico(), pico()


def prepare(pico: Emulator, chance: random.Random) -> None:
    core, chip = pico.chip.core, pico.chip
    code = bytearray()
    while len(code) < SIZE:
        odd = chance.random()
        if odd < 0.02:
            halves: tuple[int, ...] = (chance.choice(HALVES),)
        elif odd < 0.05:
            halves = chance.choice(PAIRS)
        elif odd < 0.08:
            halves = (0xF000 | chance.getrandbits(11), 0xD000 | chance.getrandbits(12) | 0x1000)  # BL
        else:
            halves = (chance.choice(KINDS) << 8 | chance.getrandbits(8),)
        for half in halves:
            code += half.to_bytes(2, "little")
    chip.sram[:SIZE] = bytes(code[:SIZE])
    chip.sram[SIZE : 2 * SIZE] = chance.randbytes(SIZE)
    for number in range(13):
        core.registers[number] = chance.choice(
            (
                chance.choice(WORDS),
                chance.getrandbits(32),
                RAM + SIZE + (chance.getrandbits(10) & ~3),
                RAM + chance.getrandbits(11),  # anywhere, the code among it
                FLASH + (chance.getrandbits(11) & ~3),
                SIO + chance.choice((0x00, 0x60, 0x64, 0x68, 0x6C, 0x70, 0x74, 0x78, 0x100, 0x148, 0x17C)),
                TIMER + chance.choice((0x08, 0x0C, 0x24, 0x28)),
            )
        )
    core.registers[13] = RAM + SIZE + 512 + (chance.getrandbits(8) & ~3)
    core.registers[14] = RAM + chance.getrandbits(10) | 1
    core.registers[15] = RAM + (chance.getrandbits(8) & ~1)
    core.n, core.z, core.c, core.v = (chance.random() < 0.5 for _ in range(4))
    core.pm, core.waiting, core.interrupts_updated = chance.random() < 0.5, False, chance.random() < 0.2
    core.pending_interrupts = core.enabled_interrupts = 0
    core.pending_svcall = False
    core.current_mode = core.ipsr = 0
    chip.sio.reset()
    chip.sio.spin_lock = chance.getrandbits(32)
    chip.timer._epoch_nanos = pico.clock.nanos - chance.getrandbits(chance.choice((10, 50)))
    chip.sio.div_dividend, chip.sio.div_divisor = chance.getrandbits(32), chance.getrandbits(chance.choice((3, 32)))


def play(pico: Emulator, how: Any) -> tuple[Any, ...]:
    engine, core, chip = pico._engine, pico.chip.core, pico.chip
    core.cycles = 0
    start = pico.clock.nanos
    engine.stop(False)
    pico._deadline.schedule(CYCLES * 8.0)
    while not engine.stopped:
        how(engine)
    pico._deadline.cancel()
    sio = chip.sio
    return (
        *(core.registers[i] for i in range(16)),
        *(int(flag) for flag in (core.n, core.z, core.c, core.v, core.pm, core.waiting, core.interrupts_updated)),
        *(core.cycles, core.ipsr, core.current_mode, pico.clock.nanos - start),
        *((type(word), word) for word in (sio.div_dividend, sio.div_divisor, sio.div_quotient, sio.div_remainder)),
        *(sio.div_csr, sio.spin_lock, bytes(chip.sram[: 2 * SIZE]), bytes(chip.sram[-64:])),
    )


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.torture) for seed in range(4, 100))]
)
def test_whatever_the_code_both_loops_come_to_the_same(both: tuple[Emulator, Emulator], seed: int) -> None:
    for round_ in range(200):
        ends = []
        for each, how in zip(both, (loop, batch), strict=True):
            chance = random.Random(f"{seed} {round_}")
            prepare(each, chance)
            ends.append(play(each, how))
        assert ends[0] == ends[1], f"seed {seed}, round {round_}"


def test_it_is_what_runs_the_emulated_pico() -> None:
    assert loop is not batch


def test_a_loop_of_another_rp2040py_is_refused() -> None:
    class Engine:
        class rp2040:
            core = sio = type("Not", (), {})()

        clock, stopped = object(), False

    with pytest.raises((TypeError, AttributeError)):
        rp2040_emulator.loop(Engine())
