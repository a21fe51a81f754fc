"""What the controllers of 128x64 OLED panels have in common: the bytes of a transaction, plain registers, the eye.

An `Oled` is fed with `start`, `write`..., `stop` (or a whole `transaction`) and looked at with `glass`. A subclass
knows one controller: its commands, its memory and how that is addressed.
"""

WIDTH = 128
HEIGHT = 64
PAGES = HEIGHT // 8

COMMANDS: dict[int, tuple[str, int]] = {
    0x81: ("set contrast", 1),
    0xA0: ("segment remap off", 0),
    0xA1: ("segment remap on", 0),
    0xA4: ("resume to RAM content", 0),
    0xA5: ("entire display on", 0),
    0xA6: ("normal display", 0),
    0xA7: ("inverse display", 0),
    0xA8: ("set multiplex ratio", 1),
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
"""Command -> (name, number of argument bytes) of all that both controllers have."""


class Oled:
    """One panel on the bus.

    rotation: 0 or 180, how the module is mounted; 0 is upright with segment remap and remapped COM scan,
        as nearly every breakout is.
    first_column: how many columns of the memory, from its last one, come before the glass's left edge.
    complaints: what the firmware sent that this chip does not know, by name, once each.
    """

    name = ""
    columns_of_ram = WIDTH
    first_column = 0
    commands = COMMANDS

    def __init__(self, address: int = 0x3C, rotation: int = 0) -> None:
        self.address = address
        self.rotation = rotation
        self.complaints: list[str] = []
        self.data_bytes = 0
        self.version = 0  # counts transactions that may have changed the glass
        self.power_on()

    def power_on(self) -> None:
        """What a fresh supply leaves: registers at their reset values, the RAM full of noise."""
        seed, ram = 0x2545F491, bytearray(self.columns_of_ram * PAGES)
        for i in range(len(ram)):
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            ram[i] = seed >> 16 & 0xFF
        self.ram = ram
        self.column = self.page = 0
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
            self.data_bytes += 1
            self._data(byte)
        else:
            self._decode(byte)
        if self._single:
            self._control = None

    def read(self) -> int:
        """The status byte: bit 6 is set while the display is off."""
        raise NotImplementedError

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
        raise NotImplementedError

    def _decode(self, byte: int) -> None:
        pending = self._command
        pending.append(byte)
        command = pending[0]
        if len(pending) < 1 + (self.commands[command][1] if command in self.commands else 0):
            return
        args = bytes(pending[1:])
        self._command = bytearray()
        self._obey(command, args)

    def _obey(self, command: int, args: bytes) -> None:
        if command == 0x81:
            self.contrast = args[0]
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
        elif 0xB0 <= command <= 0xB7:
            self.page = command & 7
        elif command == 0xA8:
            self.multiplex = args[0] & 63
        elif command == 0xD3:
            self.offset = args[0] & 63
        elif command not in self.commands:
            self._complain(f"command 0x{command:02X}: unknown to an {self.name}")

    # -- the eye ---------------------------------------------------------------------------------

    def lit(self) -> bool:
        """Whether the panel shows anything at all."""
        return self.on and self.charge_pump

    def _row(self, page: bytes) -> bytes:
        """Of a page of the memory the 128 columns that are wired to the glass, from left to right."""
        # SEG0 stands at the right edge of an upright module.
        return bytes(reversed(page))[self.first_column : self.first_column + WIDTH]

    def glass(self) -> list[bytes]:
        """What an eye sees: 64 rows of 128 bytes, 0 dark or 1 lit, upright as the module is mounted."""
        if not self.lit():
            return [bytes(WIDTH)] * HEIGHT
        if self.all_on:
            return [b"\x01" * WIDTH] * HEIGHT
        flip, size = int(self.inverse), self.columns_of_ram
        pages = [self._row(bytes(self.ram[page * size : page * size + size])) for page in range(PAGES)]
        rows = []
        for y in range(HEIGHT):
            com = y if self.com_remap else HEIGHT - 1 - y
            line = (com + self.start_line + self.offset) % HEIGHT
            bit = line & 7
            rows.append(pages[line >> 3].translate(_BIT[flip][bit]))
        return upside_down(rows) if self.rotation == 180 else rows


# A byte of the memory to one of its pixels, [inverse][bit].
_BIT = tuple(tuple(bytes((b >> bit & 1) ^ flip for b in range(256)) for bit in range(8)) for flip in (0, 1))


def upside_down(glass: list[bytes]) -> list[bytes]:
    """A glass as who sits opposite sees it."""
    return [row[::-1] for row in reversed(glass)]


def packed(glass: list[bytes]) -> bytes:
    """A glass as 1,024 bytes, eight pixels a byte, row by row, most significant bit left."""
    text = b"".join(glass).translate(bytes.maketrans(b"\x00\x01", b"01"))
    return int(text, 2).to_bytes(WIDTH * HEIGHT // 8, "big")


def unpacked(frame: bytes) -> list[bytes]:
    """The glass that was `packed`."""
    bits = f"{int.from_bytes(frame, 'big'):0{len(frame) * 8}b}".encode().translate(bytes.maketrans(b"01", b"\x00\x01"))
    return [bits[i : i + WIDTH] for i in range(0, len(bits), WIDTH)]
