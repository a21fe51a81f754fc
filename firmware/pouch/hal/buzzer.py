"""An active buzzer: it sounds at its own one pitch, as loud as it is, while its pin is high."""

from machine import Pin

from pouch.rhythm import rhythm


class Buzzer:
    """In the place of a passive `Piezo`. Cues are told apart by their rhythm."""

    rhythm = staticmethod(rhythm)

    def __init__(self, number):
        self._pin = Pin(number, Pin.OUT, value=0)

    def tone(self, frequency, duty):
        """Sound while `frequency` (Hz) and `duty` are not 0."""
        self._pin.value(1 if frequency and duty else 0)

    def silence(self):
        self._pin.value(0)

    def release(self):
        self._pin.value(0)
