"""Starts the firmware inside the child, as the Pico's ROM and boot.py would: `boot.py FLASH_FOLDER`."""

import builtins
import os
import sys

_CPYTHON = sys.implementation.name == "cpython"

if _CPYTHON:
    # `time` and `select` are already loaded there: put ours in their place, with the real ones' rest behind them.
    import gc
    import importlib.util
    import traceback  # before the clock is ours

    def _replace(name):
        real = sys.modules.get(name) or __import__(name)
        path = os.path.join(sys.path[0], name + ".py")
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for key, value in vars(real).items():
            if not hasattr(module, key):
                setattr(module, key, value)
        sys.modules[name] = module

    sys.path[:0] = sys.argv[2].split(os.pathsep)
    sys.print_exception = lambda error, file: traceback.print_exception(error, file=file)
    _replace("time")
    _replace("select")
    import micropython

    builtins.ptr8 = micropython.ptr8
    builtins.ptr16 = micropython.ptr16

import _link  # noqa: E402
import _names  # noqa: E402

_names.grow()
if _CPYTHON:
    gc.freeze()  # CPython's own objects are nothing that the firmware has to collect


def _traceback(error):
    if _CPYTHON:
        return "".join(traceback.format_exception(error))
    import io

    text = io.StringIO()
    sys.print_exception(error, text)
    return text.getvalue()


os.chdir(sys.argv[1])


def _room():
    """As littlefs says it: a file named .full stands for a flash without room."""
    try:
        os.stat(".full")
    except OSError:
        return
    raise OSError(28)


_open = open


def _open_with_room(path, mode="r", *args, **kwargs):
    if mode[0] != "r":
        _room()
    return _open(path, mode, *args, **kwargs)


builtins.open = _open_with_room
try:
    import main  # noqa: F401

    _link.tell("E the firmware's main.py came to its end")
except SystemExit:
    pass
except KeyboardInterrupt:
    _link.tell("Q")
except BaseException as error:
    for line in _traceback(error).rstrip().split("\n"):
        _link.tell("E " + line)
