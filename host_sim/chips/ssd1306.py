"""The SSD1306 OLED controller: decodes what comes over I2C and knows what an eye would see on the glass."""

WIDTH = 128
HEIGHT = 64
PAGES = HEIGHT // 8

# Command -> (name, number of argument bytes), after the SSD1306 data sheet rev 1.1, tables 9-1 and 9-2.
_COMMANDS: dict[int, tuple[str, int]] = {
    0x20: ("set memory addressing mode", 1),
    0x21: ("set column address", 2),
    0x22: ("set page address", 2),
    0x26: ("right horizontal scroll", 6),
    0x27: ("left horizontal scroll", 6),
    0x29: ("vertical and right horizontal scroll", 5),
    0x2A: ("vertical and left horizontal scroll", 5),
    0x2E: ("deactivate scroll", 0),
    0x2F: ("activate scroll", 0),
    0x81: ("set contrast", 1),
    0x8D: ("charge pump setting", 1),
    0xA0: ("segment remap off", 0),
    0xA1: ("segment remap on", 0),
    0xA3: ("set vertical scroll area", 2),
    0xA4: ("resume to RAM content", 0),
    0xA5: ("entire display on", 0),
    0xA6: ("normal display", 0),
    0xA7: ("inverse display", 0),
    0xA8: ("set multiplex ratio", 1),
    # Not in rev 1.1, but in later modules' sheets (SSD1306B) and sent by the Adafruit driver.
    0xAD: ("internal IREF setting", 1),
    0xAE: ("display off", 0),
    0xAF: ("display on", 0),
    0xC0: ("COM scan direction normal", 0),
    0xC8: ("COM scan direction remapped", 0),
    0xD3: ("set display offset", 1),
    0xD5: ("set display clock", 1),
    0xD9: ("set pre-charge period", 1),
    0xDA: ("set COM pins", 1),
    0xDB: ("set VCOMH deselect level", 1),
    0xE3: ("NOP", 0),
}
_SCROLLS = (0x26, 0x27, 0x29, 0x2A, 0x2F, 0xA3)


class Ssd1306:
    """One panel. Feed it a transaction with `start`, `write`..., `stop`; read the glass with `glass`.

    rotation: 0 or 180, how the module is mounted; 0 is upright with segment remap and remapped COM scan,
        as nearly every breakout is.
    complaints: what the firmware sent that this chip does not know, by name, once each.
    """

    def __init__(self, address: int = 0x3C, rotation: int = 0) -> None:
        self.address = address
        self.rotation = rotation
        self.complaints: list[str] = []
        self.data_bytes = 0
        self.version = 0  # counts transactions that may have changed the glass
        self.power_on()

    def power_on(self) -> None:
        """What a fresh supply leaves: registers at their reset values, the RAM full of noise."""
        seed, ram = 0x2545F491, bytearray(WIDTH * PAGES)
        for i in range(len(ram)):
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            ram[i] = seed >> 16 & 0xFF
        self.ram = ram
        self.mode = 2
        self.column = self.page = 0
        self.columns = (0, WIDTH - 1)
        self.pages = (0, PAGES - 1)
        self.on = self.inverse = self.all_on = False
        self.remap = self.com_remap = self.charge_pump = False
        self.contrast = 0x7F
        self.start_line = self.offset = 0
        self.multiplex = 63
        self._control: int | None = None
        self._single = False
        self._command = bytearray()
        self.version += 1

    # -- the bus ---------------------------------------------------------------------------------

    def start(self) -> None:
        """A start condition with our address and the write bit."""
        self._control = None

    def write(self, byte: int) -> None:
        """One byte of the transaction: a control byte, a command or data."""
        if self._control is None:
            self._control = byte
            self._single = bool(byte & 0x80)
            if byte & 0x3F:
                self._complain(f"control byte 0x{byte:02X}: only 0x00, 0x40, 0x80 and 0xC0 exist")
            return
        if self._control & 0x40:
            self._data(byte)
        else:
            self._decode(byte)
        if self._single:
            self._control = None

    def read(self) -> int:
        """The status byte: bit 6 is set while the display is off."""
        return 0x03 if self.on else 0x43

    def stop(self) -> None:
        self.version += 1

    def transaction(self, data: bytes) -> None:
        self.start()
        for byte in data:
            self.write(byte)
        self.stop()

    # -- inside ----------------------------------------------------------------------------------

    def _complain(self, text: str) -> None:
        if text not in self.complaints:
            self.complaints.append(text)

    def _data(self, byte: int) -> None:
        self.data_bytes += 1
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

    def _decode(self, byte: int) -> None:
        pending = self._command
        pending.append(byte)
        command = pending[0]
        if len(pending) < 1 + (_COMMANDS[command][1] if command in _COMMANDS else 0):
            return
        args = bytes(pending[1:])
        self._command = bytearray()
        self._obey(command, args)

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
        elif command == 0x81:
            self.contrast = args[0]
        elif command == 0x8D:
            self.charge_pump = bool(args[0] & 4)
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
        elif command in (0xA6, 0xA7):
            self.inverse = command == 0xA7
        elif command in (0xA4, 0xA5):
            self.all_on = command == 0xA5
        elif command in (0xA0, 0xA1):
            self.remap = command == 0xA1
        elif command in (0xC0, 0xC8):
            self.com_remap = command == 0xC8
        elif 0x40 <= command <= 0x7F:
            self.start_line = command & 63
        elif command <= 0x0F:
            self.column = (self.column & 0x70) | command
        elif command <= 0x1F:
            self.column = (self.column & 0x0F) | ((command & 7) << 4)
        elif 0xB0 <= command <= 0xB7:
            self.page = command & 7
        elif command == 0xA8:
            self.multiplex = args[0] & 63
        elif command == 0xD3:
            self.offset = args[0] & 63
        elif command in _SCROLLS:
            self._complain(f"{_COMMANDS[command][0]} (0x{command:02X}): Pouch does not scroll in hardware")
        elif command not in _COMMANDS:
            self._complain(f"command 0x{command:02X}: unknown to an SSD1306")

    # -- the eye ---------------------------------------------------------------------------------

    def lit(self) -> bool:
        """Whether the panel shows anything at all."""
        return self.on and self.charge_pump

    def glass(self) -> list[bytes]:
        """What an eye sees: 64 rows of 128 bytes, 0 dark or 1 lit, upright as the module is mounted."""
        if not self.lit():
            return [bytes(WIDTH)] * HEIGHT
        if self.all_on:
            return [b"\x01" * WIDTH] * HEIGHT
        flip = int(self.inverse)
        rows = []
        for y in range(HEIGHT):
            com = y if self.com_remap else HEIGHT - 1 - y
            line = (com + self.start_line + self.offset) % HEIGHT
            page, bit = self.ram[(line >> 3) * WIDTH : (line >> 3) * WIDTH + WIDTH], line & 7
            # SEG0 stands at the right edge of an upright module.
            rows.append(bytes((b >> bit & 1) ^ flip for b in reversed(page)))
        if self.rotation == 180:
            rows = [row[::-1] for row in reversed(rows)]
        return rows


def packed(glass: list[bytes]) -> bytes:
    """A glass as 1,024 bytes, eight pixels a byte, row by row, most significant bit left."""
    text = b"".join(glass).translate(bytes.maketrans(b"\x00\x01", b"01"))
    return int(text, 2).to_bytes(WIDTH * HEIGHT // 8, "big")
