"""The piezo on PWM, and the LED beside it."""

from machine import PWM, Pin
from micropython import const

LOUD = const(32768)  # 50 % duty
QUIET = const(2621)  # 4 %


class Piezo:
    """A passive piezo. Silent means a low pin: `deinit` could leave it driven high."""

    rhythm = None

    def __init__(self, number):
        self._pin = Pin(number, Pin.OUT, value=0)
        self._pwm = None

    def tone(self, frequency, duty):
        """Sound `frequency` Hz at `duty` (0..65535) from now on; 0 Hz is silence."""
        if not frequency or not duty:
            self.silence()
        elif self._pwm is None:
            self._pwm = PWM(self._pin, freq=frequency, duty_u16=duty)
        else:
            self._pwm.freq(frequency)
            self._pwm.duty_u16(duty)

    def silence(self):
        if self._pwm is not None:
            self._pwm.duty_u16(0)

    def release(self):
        """Leave the pin a low output with no PWM behind it: for every way out of the app."""
        if self._pwm is not None:
            self._pwm.duty_u16(0)
            self._pwm.deinit()
            self._pwm = None
        self._pin.init(Pin.OUT, value=0)


class Led:
    """number: the GPIO, or None for a board without one."""

    def __init__(self, number):
        self._pin = None if number is None else Pin(number, Pin.OUT, value=0)

    def set(self, on):
        if self._pin is not None:
            self._pin.value(on)
