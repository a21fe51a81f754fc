"""The type and the signs of Pouch: text art in this folder, `python -m tools.fonts` makes MicroPython modules of it."""
