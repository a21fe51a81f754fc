"""What a board does for tools/board_link.py: MicroPython, sent to its prompt, and gone with the next reset."""

import os
import sys
from binascii import b2a_base64, hexlify
from hashlib import sha256

BUFFER = bytearray(4096)
FOLDER = 0x4000


def digest(path):
    """(bytes, SHA-256 in hex) of a file as it stands on the flash, None if there is none."""
    try:
        file = open(path, "rb")
    except OSError:
        return None
    view = memoryview(BUFFER)
    total = sha256()
    size = 0
    with file:
        while True:
            count = file.readinto(BUFFER)
            if not count:
                return size, hexlify(total.digest()).decode()
            total.update(view[:count])
            size += count


def digests(paths):
    return {path: digest(path) for path in paths}


def room():
    """Free bytes on the flash."""
    stat = os.statvfs("/")
    return stat[0] * stat[3]


def take(path, size):
    """Write a file from what comes in, a piece for each `>`: its length in five digits, then as many bytes.

    27 and 3 come as 27 1 and 27 2: Ctrl-C must end this whenever the computer has gone away.
    """
    read = sys.stdin.buffer.readinto
    say = sys.stdout.write
    view = memoryview(BUFFER)
    with open(path, "wb") as file:
        while size > 0:
            say(">")
            read(view[:5])
            length = int(bytes(view[:5]))
            read(view[:length])
            size -= file.write(bytes(view[:length]).replace(b"\x1b\x02", b"\x03").replace(b"\x1b\x01", b"\x1b"))


def rename(pairs):
    for old, new in pairs:
        os.rename(old, new)


def remove(paths):
    """Files, or empty folders; what is not there is as good as removed."""
    for path in paths:
        try:
            os.remove(path)
        except OSError as error:
            if error.errno != 2:
                raise


def names(folder):
    """The files in a folder, sorted; None if there is no such folder."""
    try:
        return sorted([entry[0] for entry in os.ilistdir(folder) if entry[1] != FOLDER])
    except OSError:
        return None


def read(path):
    with open(path, "rb") as file:
        return file.read()


def tell(folder):
    """Print each file in a folder: its name, and its bytes in base64."""
    for name in names(folder) or ():
        with open(folder + "/" + name, "rb") as file:
            print(name, b2a_base64(file.read(), newline=False).decode())
