"""Reads board.json: which part is on which pin. A file that can't be read gives the plain Pico and says so."""

import json

ROLES = ("left", "back", "ok", "right")

_PLAIN = {
    "id": "RPI_PICO",
    "buttons": {
        "left": {"pin": 10},
        "back": {"pin": 11},
        "ok": {"pin": 12},
        "right": {"pin": 13},
        "press_ms": 5,
        "release_ms": 12,
    },
    "display": {
        "controller": "ssd1306",
        "bus": 0,
        "sda": 4,
        "scl": 5,
        "frequency": 400000,
        "address": "0x3C",
        "width": 128,
        "height": 64,
        "column_offset": 0,
        "rotation": 0,
        "power_up_ms": 20,
    },
    "piezo": {"pin": 15},
    "led": {"pin": 25},
}


def load(path="board.json"):
    """(board, problem): the board as nested dicts, and None or one line that says why it is the plain Pico."""
    try:
        with open(path) as file:
            board = json.load(file)
        problem = _problem(board)
    except OSError:
        problem = "board.json: missing"
    except ValueError:
        problem = "board.json: not JSON"
    if problem:
        return _PLAIN, problem
    return board, None


def _problem(board):
    """The first key that is missing or of the wrong type; the laptop has the thorough check."""
    if not isinstance(board, dict):
        return "board.json: not an object"
    for part in ("buttons", "display", "piezo"):
        if not isinstance(board.get(part), dict):
            return "board.json: no " + part
    for role in ROLES:
        button = board["buttons"].get(role)
        if not isinstance(button, dict) or not isinstance(button.get("pin"), int):
            return "board.json: buttons." + role
    for key, kind in (
        ("bus", int),
        ("sda", int),
        ("scl", int),
        ("frequency", int),
        ("address", str),
        ("rotation", int),
    ):
        if not isinstance(board["display"].get(key), kind):
            return "board.json: display." + key
    if not isinstance(board["piezo"].get("pin"), int):
        return "board.json: piezo.pin"
    if board["display"].get("controller") not in ("ssd1306", "sh1106"):
        return "board.json: display.controller"
    if not isinstance(board["display"].get("column_offset"), int):
        return "board.json: column_offset"
    if board["piezo"].get("kind", "passive") not in ("passive", "active"):
        return "board.json: piezo.kind"
    try:
        int(board["display"]["address"], 16)
    except ValueError:
        return "board.json: display.address"
    return None
