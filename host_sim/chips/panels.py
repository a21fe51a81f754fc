"""The panel that a board file names."""

from host_sim.chips.oled import Oled
from host_sim.chips.sh1106 import Sh1106
from host_sim.chips.ssd1306 import Ssd1306


def panel(controller: str, address: int, rotation: int, column_offset: int) -> Oled:
    """controller: "ssd1306" or "sh1106"; the rest as in board.json, the address as a number."""
    if controller == "sh1106":
        return Sh1106(address, rotation, column_offset)
    return Ssd1306(address, rotation)
