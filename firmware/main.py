"""What the Pico runs at power-on. BACK held then leaves the REPL free: the app does not start."""

from pouch.start import start

start()
