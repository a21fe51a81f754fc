"""Only names: the Adafruit drivers mention them in annotations, which CPython evaluates and MicroPython does not."""


class I2C:
    pass


class SPI:
    pass
