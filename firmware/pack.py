"""The app's modules in one file, as a filesystem that is only read.

Each import asks for a name three times over, and littlefs reads a whole folder for each answer: 6 to 10 ms a module on
a Pico, more than loading it takes. Here an answer is a search in a small index. And a new version of the app is one
file, which a rename puts in place: there is never a half of one.

The file, numbers in 4 bytes, little-endian: how long it is, how many entries the index has, the entries, then the
modules one after the other. An entry is the CRC-32 of the path in 30 bits, by which they are sorted, and where the
module begins in the file, 0 for a folder.
"""

import gc
import io
from array import array
from binascii import crc32
from errno import EACCES, EIO, ENOENT

import micropython

_FOLDER = 0x4000
_FILE = 0x8000
_BUFFER_SIZE = 11  # MicroPython asks for it before it reads
_AT_ONCE = 255  # bytes: the most that it takes
_SMALL = 0x3FFFFFFF  # an integer that needs no heap
# "b .+4; movs r0, #1" in the machine code of our drawing is this word, and to the collector that is a pointer: what
# began there would stay for ever with all that it holds, 12 kB of modules when it was seen. Nothing begins where
# something lies across that is never let go, so the index does.
_PLACE = 0x2001E000


class _Module(io.IOBase):
    """The module that is being read. Closing it leaves the file open: one for each import would take 1 kB of heap, and
    leave the heap in pieces between what the modules keep."""

    def __init__(self, file):
        self._file = file

    def readinto(self, buffer):
        return self._file.readinto(buffer)

    def ioctl(self, request, argument):
        return _AT_ONCE if request == _BUFFER_SIZE else 0


def _across(size):
    """Room for an index of so many bytes, across _PLACE if that is ahead in a heap that is free."""
    probe = (0,) * (size // 2)  # larger than what is free between other things: all behind it is
    room = _PLACE - 7 * size // 2 - id(probe)
    filler = bytearray(room) if 0 < room < 0x1C000 else None
    index = array("I", bytes(size))
    del filler
    return index


class Pack:
    """What `vfs.mount` takes. name: the path of the file. Raises OSError if there is none, or not all of it."""

    def __init__(self, name):
        head = array("I", (0, 0))
        file = open(name, "rb")
        if file.readinto(head) != 8 or file.seek(0, 2) != head[0]:
            file.close()
            raise OSError(EIO)
        file.seek(8)
        self._index = _across(8 * head[1])
        file.readinto(self._index)
        self._file = file
        self._module = _Module(file)
        gc.collect()

    def mount(self, readonly, mkfs):
        pass

    def umount(self):
        self._file.close()

    # Machine code looks for no Ctrl-C. MicroPython takes one that is raised in here for "no such module".

    @micropython.native
    def stat(self, path):
        return (_FILE if self._find(path) else _FOLDER, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    def open(self, path, mode):
        """All there is from the place on where the module begins: an import knows itself where it ends."""
        start = self._find(path)
        if not start or mode not in ("r", "rb"):
            raise OSError(EACCES)
        self._file.seek(start)
        return self._module

    @micropython.native
    def _find(self, path):
        """Where the module begins, 0 for a folder."""
        index = self._index
        wanted = crc32(path.encode()) & _SMALL
        low, high = 0, len(index) // 2
        while low < high:
            middle = (low + high) // 2
            found = index[2 * middle]
            if found == wanted:
                return index[2 * middle + 1]
            if found < wanted:
                low = middle + 1
            else:
                high = middle
        raise OSError(ENOENT)
