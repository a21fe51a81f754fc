"""What the device is, for whoever asks."""

import os
import sys


def interpreter():
    """(name, version) of what runs the app."""
    # "3.4.0; MicroPython v1.25.0 on 2025-04-15", or "3.11.7 (main, ...)".
    words = sys.version.split("; ")[-1].split()
    return (words[0], words[1]) if words[0].isalpha() else ("Python", words[0])


def room(files):
    """kB that are free on the flash."""
    found = os.statvfs(files.folder)
    return found[0] * found[3] // 1024
