# Pouch inside of the firmware, for whoever builds MicroPython 1.25: what the manifest.py of every board includes.
# `make frozen MICROPYTHON=folder` does all of this, and makes one file for the BOOTSEL drive. By hand:
#
#     make build                                              (here, once: it puts the panel's driver into build/lib)
#     make -C ports/rp2 BOARD=RPI_PICO FROZEN_MANIFEST=<here>/boards/RPI_PICO/manifest.py    (in MicroPython)
#     mpremote cp boards/RPI_PICO/board.json :                (which pins: stays a file, so that it can be changed)
#
# The app is then there whatever happens to the filesystem. One that lies on the filesystem as well comes first: remove
# main.py, boot.py and app.pack from it. boot.py and pack.py are of no use here, they only load that app.pack.
package("pouch", base_path="../firmware")
module("main.py", base_path="../firmware")
module("adafruit_ssd1306.py", base_path="../build/lib")
package("adafruit_bus_device", base_path="../build/lib")
