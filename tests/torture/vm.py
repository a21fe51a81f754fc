"""Plays on the littlefs of MicroPython's unix build, and logs every block that it writes.

`vm.py OUT evening SEED STEPS KEYS AGAIN WRITER`, or `vm.py OUT ordinary KEY ENTRIES RECORDS WRITER`. OUT gets a line
for each program ("P", the place, the bytes) and erase ("X", the place), "S" when the flash is ready, "B" and "E"
when a save begins and ends.
"""

import os
import sys
from binascii import hexlify

BLOCK = 4096
BLOCKS = 352


class _Machine:
    """The app asks for these names when it is imported; a table without a glass has no hardware."""

    I2C = Pin = PWM = reset = None


sys.modules["machine"] = _Machine


class Flash:
    """As rp2.Flash: blocks that are erased and programmed."""

    def __init__(self, out):
        self.data = bytearray(b"\xff" * (BLOCK * BLOCKS))
        self._out = out

    def readblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        buffer[:] = self.data[at : at + len(buffer)]

    def writeblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        self._out.write(f"P {at} {hexlify(buffer).decode()}\n")
        for i in range(len(buffer)):
            self.data[at + i] &= buffer[i]

    def ioctl(self, request, argument):
        if request == 4:
            return BLOCKS
        if request == 5:
            return BLOCK
        if request == 6:
            at = argument * BLOCK
            self._out.write(f"X {at}\n")
            self.data[at : at + BLOCK] = b"\xff" * BLOCK
            return 0


def careless(whole, how):
    """Ways to write that lose something: what the torture must find."""

    class Careless(whole):
        def append(self, name, data):
            if how == "remove and rename":
                self._remove_and_rename(name, (self.read(name) or b"") + data)
            else:
                self._flush(name, "ab", data)

        def write(self, name, data):
            if how == "remove and rename":
                self._remove_and_rename(name, data)
            else:
                self._flush(name, "wb", data)

        def _remove_and_rename(self, name, data):
            self._open(name + ".new", "wb", data)
            if self.read(name) is not None:
                self.remove(name)
            self.rename(name + ".new", name)

        def _flush(self, name, mode, data):
            if how == "in place" and mode == "ab":
                # All of it again, over what is there.
                data = (self.read(name) or b"") + data
                mode = "r+b" if self.read(name) is not None else "wb"
            self._open(name, "ab", b"")
            with open(self._path(name), mode) as file:
                file.write(data[: len(data) // 2])
                file.flush()
                file.write(data[len(data) // 2 :])

    return Careless


def fresh(out, files):
    """The files of a new flash."""
    flash = Flash(out)
    os.VfsLfs2.mkfs(flash, progsize=256)
    os.mount(os.VfsLfs2(flash, progsize=256), "/flash")
    os.mkdir("/flash/data")
    out.write("S\n")
    return files("/flash/data")


def play_evening(out, seed, steps, keys, again, writer):
    from pouch.hal.files import Files
    from table import Table
    from walk import evening

    files = fresh(out, careless(Files, writer) if writer else Files)

    def save(table, before):
        out.write("B\n")
        table.save()
        out.write("E\n")

    evening(lambda: Table(files), save, int(seed), int(steps), tuple(keys.split(",")), int(again))


def play_ordinary(out, key, entries, records, writer):
    """A match of so many entries, each kept by itself, on a device with so many records."""
    import replays
    from pouch.games import CHANGE, END, GAMES
    from pouch.hal.files import Files
    from table import Table

    table = Table(fresh(out, careless(Files, writer) if writer else Files))
    for _ in range(int(records)):
        table.begin(GAMES["tally"], ("ANNA", "BEN"), {})
        table.match.do((1, 5))
        table.match.do((END,))
        table.save()
        while table.store.tidy():
            pass
    game = GAMES[key]
    _, choose, players, options = next(play for play in replays.PLAYS if play[0] == key)
    table.begin(game, players, dict(options))
    match = table.match
    for _ in range(int(entries)):
        action = choose(match, game)
        if key == "crossed_words" and action == (game.NEXT,) and max(match.state["scores"]) >= game.RACE:
            action = (CHANGE, match.state["scores"].index(max(match.state["scores"])), 0)
        out.write("B\n")
        match.do(action)
        table.save()
        out.write("E\n")
        table.store.tidy()


if __name__ == "__main__":
    with open(sys.argv[1], "w") as out:
        (play_evening if sys.argv[2] == "evening" else play_ordinary)(out, *sys.argv[3:])
