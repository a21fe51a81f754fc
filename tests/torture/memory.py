"""Files in memory, as pouch.hal.files.Files: what a littlefs does with them, step by step, and where it can fail.

A file is made empty and gets its bytes when it is closed. Each such step is whole or has not happened.
"""

from collections.abc import Callable
from errno import ENOENT, ENOSPC

_NEW = ".new"
_NAME = 40  # bytes that a file costs besides its own


class MemoryFiles:
    """files: {name: bytes}. room: bytes that fit, None: any number.

    fault: asked before each step that changes the files. "before": there is no room, and nothing happens; "after": it
    happens, but there seems to be none; "half": some of the bytes are written, which littlefs never does.
    steps: how many there were. history: the files before each step, if they are kept.
    """

    def __init__(self, files: dict[str, bytes] | None = None, keep: bool = False) -> None:
        self.files = dict(files or {})
        self.room: int | None = None
        self.fault: Callable[[], str] = lambda: ""
        self.steps = 0
        self.history: list[dict[str, bytes]] | None = [] if keep else None

    def names(self) -> list[str]:
        return sorted(name for name in self.files if not name.endswith(_NEW))

    def read(self, name: str) -> bytes | None:
        return self.files.get(name)

    def size(self, name: str) -> int:
        return len(self.files.get(name, b""))

    def append(self, name: str, data: bytes) -> None:
        self._put(name, self.files.get(name, b"") + data)

    def write(self, name: str, data: bytes) -> None:
        self._put(name, bytes(data))

    def replace(self, name: str, data: bytes) -> None:
        self.write(name + _NEW, data)
        self.rename(name + _NEW, name)

    def rename(self, old: str, new: str) -> None:
        self._step({old: None, new: self._there(old)})

    def remove(self, name: str) -> None:
        self._there(name)
        self._step({name: None})

    def _there(self, name: str) -> bytes:
        if name not in self.files:
            raise OSError(ENOENT)
        return self.files[name]

    def _put(self, name: str, data: bytes) -> None:
        if name not in self.files:
            self._step({name: b""})
        self._step({name: data})

    def _step(self, changes: dict[str, bytes | None]) -> None:
        if self.history is not None:
            self.history.append(dict(self.files))
        self.steps += 1
        fault = self.fault()
        after = {**self.files, **changes}
        files = {name: data for name, data in after.items() if data is not None}
        if self.room is not None and _cost(files) > max(self.room, _cost(self.files)):
            fault = "before"
        if fault == "half" and len(changes) == 1:
            for name, data in changes.items():
                if data:
                    start = len(self.files.get(name, b""))
                    self.files[name] = data[: (start + len(data)) // 2] if start < len(data) else data[:-1]
        elif fault in ("", "after"):
            self.files = files
        if fault:
            raise OSError(ENOSPC)


def _cost(files: dict[str, bytes]) -> int:
    return sum(_NAME + len(data) for data in files.values())
