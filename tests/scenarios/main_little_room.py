"""main.py, on a flash on which somebody's files have left 40 kB."""

import os

os.statvfs = lambda path: (4096, 4096, 352, 10, 10)

from pouch.start import start  # noqa: E402

start()
