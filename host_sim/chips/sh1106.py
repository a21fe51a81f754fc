"""The SH1106 OLED controller, after its data sheet V2.3: often sold as an SSD1306, and not one.

Its memory is 132 columns wide and has no windows: a page and a first column are set, data goes to the columns after
it. Commands that it lacks (0x20 to 0x22: addressing mode, windows) do nothing, and it does not know that they had
arguments: it takes those for commands of its own. So what drives an SSD1306 leaves a stripe in noise on it.
"""

from host_sim.chips.oled import COMMANDS, WIDTH, Oled

COLUMNS = 132
MARGIN = COLUMNS - WIDTH  # columns that no glass of 128 shows
_COMMANDS: dict[int, tuple[str, int]] = {
    **COMMANDS,
    0xAD: ("DC-DC control mode", 1),
    0xE0: ("read-modify-write", 0),
    0xEE: ("end", 0),
}
_LACKING = {0x20: "memory addressing modes", 0x21: "column windows", 0x22: "page windows", 0x8D: "this charge pump"}


class Sh1106(Oled):
    """column_offset: the column (0..4) that is under the leftmost one of the glass, as the module is mounted."""

    name = "SH1106"
    columns_of_ram = COLUMNS
    commands = _COMMANDS

    def __init__(self, address: int = 0x3C, rotation: int = 0, column_offset: int = 2) -> None:
        # Of the same module stood upright: its columns are counted from the other edge then.
        self.first_column = column_offset if rotation == 0 else MARGIN - column_offset
        super().__init__(address, rotation)

    def power_on(self) -> None:
        super().power_on()
        self.charge_pump = True
        self.contrast = 0x80

    def read(self) -> int:
        # Busy, off, and an ID that the sheet leaves open; panels answer 8 there, and are told from an SSD1306 by it.
        return 0x08 if self.on else 0x48

    def _data(self, byte: int) -> None:
        if self.column >= COLUMNS:
            # The sheet does not say what then happens.
            self._complain(f"data past column {COLUMNS - 1}")
            self.column = 0
        column = self.column if not self.remap else COLUMNS - 1 - self.column
        self.ram[self.page * COLUMNS + column] = byte
        self.column += 1

    def _obey(self, command: int, args: bytes) -> None:
        if command <= 0x0F:
            self.column = (self.column & 0xF0) | command
        elif command <= 0x1F:
            self.column = (self.column & 0x0F) | (command & 0x0F) << 4
        elif 0x30 <= command <= 0x33:
            pass  # the pump's voltage
        elif command == 0xAD:
            if args[0] not in (0x8A, 0x8B):
                self._complain(f"DC-DC control mode 0x{args[0]:02X}: only 0x8A and 0x8B exist")
            elif self.on:
                self._complain("DC-DC control mode: only while the display is off")
            else:
                self.charge_pump = args[0] == 0x8B
        elif command in (0xE0, 0xEE):
            self._complain(f"{_COMMANDS[command][0]} (0x{command:02X}): Pouch never reads the memory")
        elif command in _LACKING:
            self._complain(f"command 0x{command:02X}: an SH1106 has no {_LACKING[command]}")
        else:
            super()._obey(command, args)
