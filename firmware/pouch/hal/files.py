"""The files in one folder of the flash. A file is on the flash when its function returns, whole or not at all.

littlefs commits a file when it is closed: what is cut before that leaves the file as it was.
"""

import os

from micropython import const

_NEW = ".new"
_SIZE = const(6)  # in stat


class Files:
    """folder: its path; made with the first file. Names have no slashes. All but `names`, `read` and `size` raise
    OSError, and leave the file as it was."""

    def __init__(self, folder):
        self.folder = folder

    def _path(self, name):
        return self.folder + "/" + name

    def names(self):
        """All names, one by one in no order; what a power cut has left behind half made is none.

        Change no file meanwhile. A list of them would be the largest thing in a Pico's RAM.
        """
        try:
            for entry in os.ilistdir(self.folder):
                if not entry[0].endswith(_NEW):
                    yield entry[0]
        except OSError:
            pass

    def read(self, name):
        """All bytes of a file, None if there is none or it cannot be read."""
        try:
            with open(self._path(name), "rb") as file:
                return file.read()
        except OSError:
            return None

    def size(self, name):
        """In bytes, 0 if there is none."""
        try:
            return os.stat(self._path(name))[_SIZE]
        except OSError:
            return 0

    def append(self, name, data):
        """Add to the end of a file, or begin it."""
        self._open(name, "ab", data)

    def write(self, name, data):
        """A file with these bytes and no others."""
        self._open(name, "wb", data)

    def replace(self, name, data):
        """As `write`, but the old file stands until the new one is whole."""
        self._open(name + _NEW, "wb", data)
        self.rename(name + _NEW, name)

    def rename(self, old, new):
        """A file that has the new name already is replaced."""
        os.rename(self._path(old), self._path(new))

    def remove(self, name):
        os.remove(self._path(name))

    def _open(self, name, mode, data):
        path = self._path(name)
        try:
            file = open(path, mode)
        except OSError:
            # The folder, with the first file: a fresh device writes nothing.
            self._make()
            file = open(path, mode)
        try:
            file.write(data)
        finally:
            file.close()

    def _make(self):
        try:
            os.mkdir(self.folder)
        except OSError:
            pass  # it is there, and opening tells what is wrong
