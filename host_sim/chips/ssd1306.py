"""The SSD1306 OLED controller: decodes what comes over I2C and knows what an eye would see on the glass."""

from host_sim.chips.oled import COMMANDS, PAGES, WIDTH, Oled

# After the SSD1306 data sheet rev 1.1, tables 9-1 and 9-2.
_COMMANDS: dict[int, tuple[str, int]] = {
    **COMMANDS,
    0x20: ("set memory addressing mode", 1),
    0x21: ("set column address", 2),
    0x22: ("set page address", 2),
    0x26: ("right horizontal scroll", 6),
    0x27: ("left horizontal scroll", 6),
    0x29: ("vertical and right horizontal scroll", 5),
    0x2A: ("vertical and left horizontal scroll", 5),
    0x2E: ("deactivate scroll", 0),
    0x2F: ("activate scroll", 0),
    0x8D: ("charge pump setting", 1),
    0xA3: ("set vertical scroll area", 2),
    # Not in rev 1.1, but in later modules' sheets (SSD1306B) and sent by the Adafruit driver.
    0xAD: ("internal IREF setting", 1),
}
_SCROLLS = (0x26, 0x27, 0x29, 0x2A, 0x2F, 0xA3)


class Ssd1306(Oled):
    name = "SSD1306"
    commands = _COMMANDS

    def power_on(self) -> None:
        self.mode = 2
        self.columns = (0, WIDTH - 1)
        self.pages = (0, PAGES - 1)
        super().power_on()

    def read(self) -> int:
        return 0x03 if self.on else 0x43

    def _data(self, byte: int) -> None:
        # Segment remap acts when data is written, not when it is shown.
        column = self.column if not self.remap else WIDTH - 1 - self.column
        self.ram[self.page * WIDTH + column] = byte
        if self.mode == 2:
            self.column = (self.column + 1) % WIDTH
        elif self.mode == 0:
            self.column += 1
            if self.column > self.columns[1] or self.column >= WIDTH:
                self.column = self.columns[0]
                self.page = self.pages[0] if self.page >= self.pages[1] else self.page + 1
        else:
            self.page += 1
            if self.page > self.pages[1] or self.page >= PAGES:
                self.page = self.pages[0]
                self.column = self.columns[0] if self.column >= self.columns[1] else self.column + 1

    def _obey(self, command: int, args: bytes) -> None:
        if command == 0x20:
            self.mode = args[0] & 3
            if self.mode == 3:
                self._complain("set memory addressing mode 3: does not exist")
                self.mode = 2
        elif command == 0x21:
            self.columns = (args[0] & 127, args[1] & 127)
            self.column = self.columns[0]
            if self.columns[0] > self.columns[1]:
                self._complain(f"set column address {args[0]}..{args[1]}: start is past the end")
        elif command == 0x22:
            self.pages = (args[0] & 7, args[1] & 7)
            self.page = self.pages[0]
            if self.pages[0] > self.pages[1]:
                self._complain(f"set page address {args[0]}..{args[1]}: start is past the end")
        elif command == 0x8D:
            self.charge_pump = bool(args[0] & 4)
        elif command <= 0x0F:
            self.column = (self.column & 0x70) | command
        elif command <= 0x1F:
            self.column = (self.column & 0x0F) | ((command & 7) << 4)
        elif command in _SCROLLS:
            self._complain(f"{_COMMANDS[command][0]} (0x{command:02X}): Pouch does not scroll in hardware")
        else:
            super()._obey(command, args)
