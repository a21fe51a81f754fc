"""What the Pico runs at power-on. BACK held then leaves the REPL free: the app does not start.

Nor does it, once, if there is a file safe-mode: so a computer gets a board to work on where no watchdog runs, which
nobody can stop once the app has started it.
"""

import os

try:
    # Looked for before it is removed: littlefs makes ready to write for the removal alone, which can cost an erase.
    os.stat("safe-mode")
    os.remove("safe-mode")
    print("Pouch: a computer has asked for safe mode, so the app does not start. Reset to play.")
except OSError:
    start = None
    try:
        from pouch.start import start
    except ImportError as error:
        from time import sleep_ms

        sleep_ms(1500)  # until a computer listens
        print(f"Pouch: {error}. app.pack is missing or broken: `make deploy` copies it again.")
    if start:
        start()
