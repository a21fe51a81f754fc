"""An emulated Pico as bytes, so that a build has to boot only once on a machine.

Not a copy of the objects, but the plain values in them, by their path from the emulator: an emulator that was made
from the same setup has the same objects with the same wiring, and takes the values over. Whatever can't be expressed
so (a transfer on the wire, a callback that waits) is refused: then there is no short cut, and the boot is run.
"""

import datetime
import enum
import pickle
import zlib
from collections import deque
from collections.abc import Iterator
from typing import Any

from rp2040py.clock.simulation_clock import SimulationClock
from rp2040py.gpio_pin import GPIOPin

from host_sim.tiers.rp2040_chip import Alarm
from host_sim.tiers.rp2040_emulator import Emulator, Engine, Setup

_PLAIN = (int, float, str, bytes, bytearray, bool, type(None), enum.Enum, datetime.datetime)
_OURS = ("rp2040py.", "host_sim.")
_MEMORIES = ("sram", "usb_dpram")
# The native classes have no __dict__: these are their public fields, after rp2040py's .pxd files.
_FIELDS = {
    "CortexM0Core": (
        *("banked_sp", "cycles", "event_registered", "waiting", "n", "c", "z", "v", "break_rewind", "pm", "sp_sel"),
        *("n_priv", "current_mode", "ipsr", "interrupt_nmi_mask", "pending_interrupts", "enabled_interrupts"),
        *("pending_nmi", "pending_pend_sv", "pending_svcall", "pending_systick", "vtor", "shpr2", "shpr3"),
        *("registers", "interrupt_priorities", "interrupts_updated"),
    ),
    "GPIOPin": (
        *("_raw_input_value", "_driven", "ctrl", "pad_value", "irq_enable_mask", "irq_force_mask", "irq_status"),
    ),
}
# Not state: the memories and the log are dealt with apart, the PIO blocks stand still, the rest is how it was made.
_LEFT_OUT = ("flash", "sram", "usb_dpram", "bootrom", "events", "setup", "_pio", "pio", "logger", "_listeners")

Path = tuple[Any, ...]


class FreezeError(Exception):
    """This moment can't be kept; says what stands in the way."""


def _plain(value: Any) -> bool:
    if isinstance(value, _PLAIN):
        return True
    if isinstance(value, (list, tuple, deque, set, frozenset)):
        return all(_plain(item) for item in value)
    if isinstance(value, dict):
        return all(_plain(key) and _plain(item) for key, item in value.items())
    return False


def _members(thing: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(thing, dict):
        yield from thing.items()
    elif isinstance(thing, (list, tuple)):
        yield from enumerate(thing)
    elif hasattr(thing, "__dict__"):
        yield from vars(thing).items()
        if not isinstance(vars(thing).get("core"), type(None)) or not hasattr(thing, "core"):
            return
        yield "core", thing.core  # the native RP2040 keeps it beside its __dict__
    else:
        for name in _FIELDS[type(thing).__name__]:
            yield name, getattr(thing, name)


def _leaves(thing: Any, path: Path, seen: set[int]) -> Iterator[tuple[Path, Any, Any]]:
    """(path, the object that has it, value) of every plain value that can be reached."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    for name, value in _members(thing):
        if name in _LEFT_OUT:
            continue
        here = (*path, name)
        if _plain(value):
            yield here, thing, value
        elif isinstance(value, (Alarm, SimulationClock, Engine)) or type(value).__name__ in ("RPPIO", "ClockAlarm"):
            continue
        elif type(value).__name__ in ("_memoryviewslice", "memoryview", "array"):
            yield here, thing, tuple(value)
        elif callable(value) and not type(value).__module__.startswith(_OURS):
            if name == "_then":
                raise FreezeError("a transfer is on the wire")
        elif isinstance(value, (dict, list, tuple)) or type(value).__module__.startswith(_OURS):
            yield from _leaves(value, here, seen)
        else:
            raise FreezeError(f"{here} is a {type(value).__name__}")


def state(emulator: Emulator) -> tuple[Any, ...]:
    """All that may differ between two emulators of one setup. Raises FreezeError if this moment can't be kept."""
    if emulator.events or emulator.flash_image() != emulator.setup.flash:
        raise FreezeError("there are events that nobody has taken, or the flash was written")
    clock = emulator.clock
    return (
        clock.nanos,
        clock.scheduled,
        [(alarm.due, alarm.order) for alarm in clock.alarms],
        {name: bytes(getattr(emulator.chip, name)) for name in _MEMORIES},
        {path: value for path, _, value in _leaves(emulator, (), set())},
    )


def freeze(emulator: Emulator) -> bytes:
    """What `thaw` needs. Raises FreezeError if this moment can't be kept."""
    return zlib.compress(pickle.dumps(state(emulator), protocol=4), 1)


def thaw(setup: Setup, frozen: bytes) -> Emulator:
    """The emulator that was frozen; `setup` is the one it was made from. Raises FreezeError if it does not fit."""
    emulator = Emulator(setup)
    nanos, scheduled, alarms, memories, leaves = pickle.loads(zlib.decompress(frozen))
    clock = emulator.clock
    if len(alarms) != len(clock.alarms):
        raise FreezeError(f"{len(alarms)} alarms, not {len(clock.alarms)}")
    for alarm in clock.alarms:
        alarm.cancel()
    clock.tick(nanos)
    for path, value in leaves.items():
        _put(emulator, path, value)
    for name, content in memories.items():
        getattr(emulator.chip, name)[:] = content
    for (due, _), alarm in sorted(zip(alarms, clock.alarms, strict=True), key=lambda pair: pair[0][1]):
        if due is not None:
            alarm.schedule(due - nanos)
    clock.scheduled = scheduled
    for (_, order), alarm in zip(alarms, clock.alarms, strict=True):
        alarm.order = order
    for pin in (*emulator.chip.gpio, *emulator.chip.qspi):
        if isinstance(pin, GPIOPin):
            pin.reset(io=False, pads=False)  # which only makes it know its own level
    return emulator


def _put(root: Any, path: Path, value: Any) -> None:
    thing = root
    try:
        for name in path[:-1]:
            thing = thing[name] if isinstance(thing, (dict, list, tuple)) else getattr(thing, name)
        last = path[-1]
        if isinstance(thing, (dict, list)):
            thing[last] = value
        elif type(thing).__name__ in _FIELDS and last in ("registers", "interrupt_priorities"):
            words = getattr(thing, last)
            for i, word in enumerate(value):
                words[i] = word
        elif hasattr(thing, "__dict__"):
            vars(thing)[last] = value
        else:
            setattr(thing, last, value)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise FreezeError(f"{path}: {error!r}") from None
