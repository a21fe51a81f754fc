"""`micropython` for CPython: the decorators do nothing, `const` is the value itself. And what its `os` has besides."""

import os


def _ilistdir(folder):
    for name in os.listdir(folder):
        yield (name,)


os.ilistdir = _ilistdir


def const(value):
    return value


def native(function):
    return function


def viper(function):
    return function


def ptr8(buffer):
    return buffer


ptr16 = ptr8


def alloc_emergency_exception_buf(size):
    pass


def kbd_intr(character):
    pass


def schedule(function, argument):
    function(argument)


def mem_info(*args):
    pass


def opt_level(*args):
    return 0
