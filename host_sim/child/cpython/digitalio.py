"""Only names: the Adafruit drivers mention them in annotations, which CPython evaluates and MicroPython does not."""


class DigitalInOut:
    pass
