"""The parts on the table around the Pico, as far as the firmware can tell them from the real ones."""
