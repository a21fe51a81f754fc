"""The piezo and the LED, as an ear and an eye would follow them."""

from typing import NamedTuple


class Tone(NamedTuple):
    start_us: int
    frequency: int  # Hz
    duty: int  # 0..65535
    end_us: int | None  # None while it sounds


class Piezo:
    """Follows the PWM on the piezo's pin. `tones` is all that was heard, oldest first."""

    def __init__(self) -> None:
        self.tones: list[Tone] = []
        self.beeps = 0  # how often it went from silence to sound
        self.pin_high = False  # driven high without PWM: silent, but it heats the piezo's driver

    @property
    def frequency(self) -> int | None:
        """Hz of what sounds now, None when silent."""
        return self.tones[-1].frequency if self.tones and self.tones[-1].end_us is None else None

    def heard(self, frequency: int | None) -> int | None:
        """Hz that an ear hears of a tone (None: silence) that the firmware means."""
        return frequency

    def pwm(self, now_us: int, frequency: int, duty: int) -> None:
        """The pin is driven by PWM from now on; duty 0 and 65535 are silent levels."""
        sounding = 0 < duty < 65535 and frequency > 0
        last = self.tones[-1] if self.frequency is not None else None
        if last and sounding and last.frequency == frequency and last.duty == duty:
            return
        if last:
            self.tones[-1] = last._replace(end_us=now_us)
        if sounding:
            self.beeps += last is None
            self.tones.append(Tone(now_us, frequency, duty, None))
        self.pin_high = not sounding and duty >= 65535

    def level(self, now_us: int, high: bool) -> None:
        """The pin is a plain output from now on."""
        self.pwm(now_us, 0, 0)
        self.pin_high = high


class Buzzer(Piezo):
    """An active buzzer: whatever drives its pin, it sounds at its own one pitch, as loud as it is."""

    HZ = 2300  # as most of them: 2.3 kHz, give or take 0.3

    def heard(self, frequency: int | None) -> int | None:
        return self.HZ if frequency else None

    def pwm(self, now_us: int, frequency: int, duty: int) -> None:
        on = duty > 0 and (frequency > 0 or duty == 65535)
        super().pwm(now_us, self.HZ * on, 32768 * on)

    def level(self, now_us: int, high: bool) -> None:
        self.pwm(now_us, 0, 65535 * high)


class Led:
    def __init__(self) -> None:
        self.on = False
        self.changes: list[tuple[int, bool]] = []

    def level(self, now_us: int, high: bool) -> None:
        if high != self.on:
            self.on = high
            self.changes.append((now_us, high))
