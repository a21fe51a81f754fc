"""What the inspector says of the last change is what went over the bus and what the glass shows of it."""

import dataclasses
from pathlib import Path

import pytest

from host_sim.board import find
from host_sim.device import Device
from host_sim.inspector import Inspector, kinds

SETUP = {"ssd1306": "00 20 00 8D 14 AF", "sh1106": "00 AF"}


def window(controller, page, column, data):
    if controller == "ssd1306":
        ahead = bytes((0x80, 0x21, 0x80, column, 0x80, column + len(data) - 1, 0x80, 0x22, 0x80, page, 0x80, page))
    else:
        ahead = bytes((0x80, 0xB0 | page, 0x80, column & 15, 0x80, 0x10 | column >> 4))
    return ahead + b"\x40" + data


@pytest.fixture(params=[(c, r, t) for c in SETUP for r in (0, 180) for t in (False, True)], ids=str)
def device(request):
    """A panel with an empty memory, mounted either way, its glass turned by the firmware or not."""
    controller, rotation, turned = request.param
    board = find("RPI_PICO")
    display = dataclasses.replace(board.display, controller=controller, rotation=rotation, column_offset=2)
    device = Device(dataclasses.replace(board, display=display), Path())
    device.powered = True
    upright = (rotation == 0) != turned
    device.panel.transaction(bytes.fromhex(SETUP[controller] + (" A1 C8" if upright else " A0 C0")))
    device.panel.ram[:] = bytes(len(device.panel.ram))
    return device


def send(device, at, payload):
    device.panel.transaction(payload)
    device.bus.record(at, at + 500, 0x3C, payload, True)


def test_its_windows_are_where_the_glass_has_changed(device):
    inspector = Inspector(device)
    controller = device.board.display.controller
    payloads = [window(controller, page, 12, b"\xff" * 20) for page in (2, 3)]
    for i, payload in enumerate(payloads):
        send(device, 1000 + 600 * i, payload)
    lit = [(x, y) for y, row in enumerate(device.glass()) for x, on in enumerate(row) if on]
    (left, top), (right, bottom) = (map(ends, zip(*lit, strict=True)) for ends in (min, max))
    size = (right + 1 - left, bottom + 1 - top)
    assert size == (20, 16)
    told = inspector.change()
    assert told["windows"] == [(left, top, *size)]
    assert (told["us"], told["took"], told["transfers"]) == (1000, 1100, 2)
    assert told["data"] == 40 and told["bytes"] == sum(len(payload) + 1 for payload in payloads)
    send(device, 500_000, window(controller, 0, 50, b"\xff"))
    told = inspector.change()
    assert (told["us"], told["data"], len(told["windows"])) == (500_000, 1, 1)


def test_columns_beside_the_glass_are_in_no_window(device):
    inspector = Inspector(device)
    wide = device.panel.columns_of_ram
    send(device, 1000, window(device.board.display.controller, 7, 0, bytes(wide)))
    ((x, _, width, height),) = inspector.change()["windows"]
    assert (x, width, height) == (0, 128, 8)


def test_an_entry_is_named_as_its_game_names_it():
    names = kinds("zip_it")
    assert {"GO", "ZIP", "NAME", "UNDO", "REDO"} <= set(names.values())
