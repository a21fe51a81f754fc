"""Board files that say only what differs from another board's, and where in which of them a key stands."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_COLON = re.compile(r"\s*:")


class Layer(NamedTuple):
    """One file of a board: its own, or that of a base."""

    path: Path
    text: str
    raw: dict[str, Any]


def merged(layers: Sequence[Layer]) -> dict[str, Any]:
    """The whole board: the last layer's file, changed by the one before it, and so on up to the first.

    An object changes the object of that name key by key; everything else, null too, takes its place.
    """
    board: dict[str, Any] = {}
    for layer in reversed(layers):
        board = _over(board, {key: value for key, value in layer.raw.items() if key != "base"})
    return board


def _over(base: Any, own: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(own, dict):
        return own
    return {**base, **{key: _over(base.get(key), value) for key, value in own.items()}}


def place(layers: Sequence[Layer], key: str) -> tuple[Path, int]:
    """The file and the line (0: none) where a dotted key stands, or as much of it as is there."""
    parts = key.split(".")
    for length in range(len(parts), 0, -1):
        for layer in layers:
            line = line_of(layer.text, parts[:length])
            if line:
                return layer.path, line
    return layers[0].path, 0


def line_of(text: str, parts: Sequence[str]) -> int:
    """The line (from 1) of a JSON text in which the key at `parts` stands, 0 if it is not there."""
    way: list[str] = []
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in ("{", "["):
            way.append("")
        elif mark in ("}", "]"):
            way.pop()
        elif way and _COLON.match(text, token.end()):
            way[-1] = json.loads(mark)
            if way == list(parts):
                return text.count("\n", 0, token.start()) + 1
    return 0
