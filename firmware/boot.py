"""What the Pico runs before main.py: makes the app's modules, which are one file, importable."""

import gc
import sys

# Power-on leaves 80 kB behind, a piece after each module. Collected once on the way it stays in one piece; at the end
# of it none was larger than 3 kB, and the first screen with large digits wanted that.
gc.threshold(128 * 1024)

# MicroPython looks for these in all of sys.path, each time that they are imported, before it takes its own: 10 ms.
path = sys.path[:]
sys.path.clear()
for name in ("array", "binascii", "errno", "io", "json", "machine", "os", "select", "struct", "time", "vfs"):
    sys.modules[name] = __import__(name)
sys.path.extend(path)
# The driver asks for names in these two and does without: what is no file must not be looked for, 3 ms each time.
sys.modules["typing"] = sys.modules["types"] = sys
# Nor has a glass on I2C a use for what its class for SPI would need.
sys.modules["adafruit_bus_device.spi_device"] = sys
# MicroPython's own start leaves an assembler behind, 1.4 kB. Whoever wants it imports it again.
for names in (sys.modules, globals()):
    names.pop("rp2", None)

import vfs  # noqa: E402
from pack import Pack  # noqa: E402

try:
    vfs.mount(Pack("app.pack"), "/app", readonly=True)
    sys.path[:] = ("/app", "")
except OSError:
    pass  # main.py says so: there is no USB yet
