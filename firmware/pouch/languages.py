"""Languages that are not English: imported when one is set.

Each is one piece of bytes (tools/words makes it): for each text three bytes of the CRC of the English one, the length
of the other in bytes, and that in UTF-8. It takes a quarter of the heap that a dict would.
"""

from binascii import crc32
from gc import collect
from sys import modules

import micropython

from pouch import words

MODULES = {"español": "pouch.words_es"}

_data = None


@micropython.viper
def _find(data: ptr8, size: int, key: int) -> int:
    """Where the length of the text with this key stands, and behind it the text. 0 if there is none."""
    at = 0
    while at < size:
        if (int(data[at]) << 16 | int(data[at + 1]) << 8 | int(data[at + 2])) == key:
            return at + 3
        at += 4 + int(data[at + 3])
    return 0


def _look(text):
    data = _data
    at = _find(data, len(data), crc32(text.encode()) >> 8)
    return data[at + 1 : at + 1 + data[at]].decode() if at else text


def speak(wanted):
    """From now on `say` answers in this language. Raises MemoryError, and then it is English."""
    global _data
    if wanted == words.language:
        return
    words.language = words.ENGLISH
    words.look = _data = None
    if wanted == words.ENGLISH:
        return
    name = MODULES[wanted]
    collect()
    _data = __import__(name, None, None, ("DATA",)).DATA
    # Its bytes are all that is needed; the package holds the module too.
    del modules[name]
    package, _, last = name.rpartition(".")
    delattr(modules[package], last)
    words.look = _look
    words.language = wanted
