"""What the page and its server say to each other.

Host to page, a binary message for each frame that differs from the last one (`FRAME`, then 1,024 bytes):
    contrast (1 byte), 1 if it is turned for who sits opposite (1), sequence (4), microseconds of the virtual clock (8),
    the glass row by row, MSB left
and JSON for the rest. Each is the whole state of its kind, so a newer one replaces an older one that is still unsent:
    {"t": "machines", "tiers": [{"id", "absent": why or null}], "boards": [{"id", "name", "unfit":
        {tier: why}}], "scenarios": [name], "note"}
    {"t": "state", "tier", "board", "board_id", "sounder", "paused", "crashed", "powered", "speed", "bounce", "panel",
        "full", "mode": own, recording, replay or replayed, "playing": the scenario's name}
    {"t": "keys", "down": [role...]}
    {"t": "sound", "hz", "duty", "volume"}  hz 0: silent      {"t": "led", "on"}
    {"t": "clock", "us", "rate"}  rate: virtual seconds in one of the wall, 0: not known
    {"t": "text", "text"}  the words on the glass once it is settled      {"t": "crash", "text"}  "" when it is over
    {"t": "stuck", "on"}  the firmware does not come back      {"t": "notice", "text"}  what could not be done, and why
    {"t": "inspector", ...}  (host_sim/inspector.py)      {"t": "log", "lines": [...]}
    {"t": "recording", "text", "seconds"}  a scenario      {"t": "played", "ok": true, false or null, "text"}
Page to host:
    {"t": "key", "role", "down"}      {"t": "reset"}  power off and on      {"t": "power", "on"}
    {"t": "pause", "on"}  without "on": toggles      {"t": "step", "ms"}  0: to the next whole frame
    {"t": "speed", "times"}  one of SPEEDS, 0: as fast as it can      {"t": "bounce", "kind"}  null, light or heavy
    {"t": "panel", "on"}      {"t": "full", "on"}      {"t": "inspect", "on"}
    {"t": "machine", "tier", "board"}      {"t": "record", "on"}      {"t": "own"}  back to the own device
    {"t": "replay", "name", "tier"}  one of ours      {"t": "replay", "text", "name", "tier"}  what was recorded or read
Anything else closes that connection, with the reason; the device and the other clients go on.
"""

import re
import struct
from collections.abc import Callable
from typing import Any

from host_sim.device import ROLES
from host_sim.firmware import ROOT
from host_sim.scenario import BOUNCES, Scenario, ScenarioError, parse, read
from host_sim.tiers import TIERS

FRAME = struct.Struct(">BBIQ")
MESSAGE_BYTES = 128 * 1024  # the longest message is a scenario
SPEEDS = (0.25, 0.5, 1, 2, 4, 16, 0)
STEPS_MS = (0, 1, 10, 100, 1000)
SCENARIOS = ROOT / "tests" / "scenarios"


class Refused(Exception):
    """A message that no page of ours sends."""


class Unfit(Exception):
    """A scenario that can't be played for a page, with the reason."""


def _one_of(name: str, value: Any, known: tuple[Any, ...]) -> Any:
    # True is 1 to Python, and a list can't be looked for.
    if isinstance(value, bool) or not isinstance(value, (str, int, float, type(None))) or value not in known:
        raise Refused(f"{name} is one of {', '.join(map(str, known))}")
    return value


def flag(name: str, message: dict[str, Any]) -> bool:
    """Its "on". Raises Refused."""
    on = message.get("on")
    if not isinstance(on, bool):
        raise Refused(f"{name}: on is true or false")
    return on


def _board(name: Any) -> str:
    if not isinstance(name, str) or not re.fullmatch(r"\w{1,40}", name):
        raise Refused("machine: board is the name of a folder of boards/")
    return name


def _pause(message: dict[str, Any]) -> tuple[Any, ...]:
    return (None if message.get("on") is None else flag("pause", message),)


def _replay(message: dict[str, Any]) -> tuple[Any, ...]:
    tier = _one_of("replay: tier", message.get("tier"), TIERS)
    name, text = message.get("name"), message.get("text")
    if not isinstance(name, str) or not isinstance(text, (str, type(None))):
        raise Refused("replay: name is text, and text is text or not there")
    return scenario(name, text), tier


# What the runner is told: its kind, and what it takes.
KINDS: dict[str, Callable[[dict[str, Any]], tuple[Any, ...]]] = {
    "reset": lambda m: (),
    "own": lambda m: (),
    "power": lambda m: (flag("power", m),),
    "pause": _pause,
    "step": lambda m: (_one_of("step: ms", m.get("ms"), STEPS_MS) * 1000,),
    "speed": lambda m: (_one_of("speed: times", m.get("times"), SPEEDS),),
    "bounce": lambda m: (_one_of("bounce: kind", m.get("kind"), (None, *BOUNCES)),),
    "panel": lambda m: (flag("panel", m),),
    "full": lambda m: (flag("full", m),),
    "machine": lambda m: (_one_of("machine: tier", m.get("tier"), TIERS), _board(m.get("board"))),
    "record": lambda m: (flag("record", m),),
    "replay": _replay,
}


def key(message: dict[str, Any]) -> tuple[str, bool]:
    """(role, down) of a message about a key. Raises Refused."""
    role, down = message.get("role"), message.get("down")
    if not isinstance(role, str) or role not in ROLES or not isinstance(down, bool):
        raise Refused(f"key: role is one of {', '.join(ROLES)}, down is true or false")
    return role, down


def scenarios() -> list[str]:
    """Those of this project, by name."""
    return sorted(path.name for path in SCENARIOS.glob("*.txt"))


def scenario(name: str, text: str | None) -> Scenario:
    """One of ours by name, or what a page sent as text. Raises Unfit, Refused for a name that is none of ours.

    What a page sends may write no file but on the flash of the device that plays it, and run none.
    """
    try:
        if text is None:
            if name not in scenarios():
                raise Refused("replay: there is no such scenario")
            return parse(SCENARIOS / name)
        found = read(text, SCENARIOS / (re.sub(r"[^\w. -]", "_", name)[:60].strip(". ") or "recording.txt"))
    except (ScenarioError, OSError) as error:
        raise Unfit(str(error).replace(f"{SCENARIOS}/", "")) from None
    if found.main or any(step.verb == "save" for step in found.steps):
        how = "play it with .venv/bin/python -m host_sim run"
        raise Unfit(f"{name}: `main` and `save` reach files of this machine: {how}")
    return found
