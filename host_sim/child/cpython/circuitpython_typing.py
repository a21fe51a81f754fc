"""Only names: see busio.py."""


class ReadableBuffer:
    pass


class WriteableBuffer:
    pass
