"""What is frozen into a MicroPython of one's own: all of the app and the driver, and nothing twice."""

from pathlib import Path

import pytest

from host_sim.board import KNOWN_CHIPS, load_all
from host_sim.firmware import BOARDS, FIRMWARE, LIBRARY, library

_LOADERS = {"boot.py", "pack.py"}  # they make app.pack importable


class Manifest:
    """The words of MicroPython's tools/manifestfile.py that ours use, with its rules: paths are the manifest's own."""

    def __init__(self, path: Path) -> None:
        self.files: list[tuple[str, Path]] = []  # (name in the firmware, source)
        self.ports: list[str] = []
        self._read(path)

    def _read(self, path: Path) -> None:
        folder = path.parent

        def include(name: str) -> None:
            if name.startswith("$(PORT_DIR)/"):
                self.ports.append(name)
            else:
                self._read((folder / name).resolve())

        def package(name: str, base_path: str = ".") -> None:
            base = (folder / base_path).resolve()
            assert (base / name).is_dir(), base / name
            self.files += [(p.relative_to(base).as_posix(), p) for p in sorted((base / name).rglob("*.py"))]

        def module(name: str, base_path: str = ".") -> None:
            self.files.append((name, (folder / base_path).resolve() / name))

        words = {"include": include, "package": package, "module": module}
        exec(compile(path.read_text("utf-8"), str(path), "exec"), words)


@pytest.mark.parametrize("board_id", sorted(KNOWN_CHIPS))
def test_a_manifest_freezes_all_of_it_once(board_id):
    library()
    manifest = Manifest(BOARDS / board_id / "manifest.py")
    names = [name for name, _ in manifest.files]
    firmware = {path.relative_to(FIRMWARE).as_posix() for path in FIRMWARE.rglob("*.py")}
    assert sorted(names) == sorted((firmware - _LOADERS) | set(LIBRARY))
    assert all(path.is_file() for _, path in manifest.files)
    # What MicroPython's own boot needs comes from its port.
    assert manifest.ports == ["$(PORT_DIR)/boards/manifest.py"]


def test_every_board_of_ours_has_one():
    """A variant is built as the board that it is a variant of: its board.json is a file all the same."""
    for board in load_all().values():
        assert (BOARDS / (board.micropython or "none") / "manifest.py").is_file(), f"{board.id} has no manifest.py"
