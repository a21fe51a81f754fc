"""The child's first lines: `boot.py FOLDERS WHAT SEED EVENTS OLD`, in the folder that is the flash.

FOLDERS: on CPython what goes in front of sys.path, colons between; on the MicroPython VM MICROPYPATH has it.
Prints what came of it: Player.tell.
"""

import sys

if sys.implementation.name == "cpython":
    import builtins
    import importlib.util
    import os
    import traceback

    sys.path[:0] = sys.argv[1].split(os.pathsep)
    import micropython

    builtins.ptr8 = micropython.ptr8
    builtins.ptr16 = micropython.ptr16

    def _print_exception(error, file=None):
        traceback.print_exception(error, file=file)

    sys.print_exception = _print_exception
    # `time` and `select` are loaded there already.
    for name in ("time", "select"):
        for folder in sys.path:
            path = os.path.join(folder, name + ".py")
            if os.path.exists(path):
                spec = importlib.util.spec_from_file_location(name, path)
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                for key, value in vars(sys.modules.get(name) or __import__(name)).items():
                    if not hasattr(module, key):
                        setattr(module, key, value)
                sys.modules[name] = module
                break

import gc
import json

import _names
import micropython
import player
from _link import Wrong

_names.grow()
if hasattr(gc, "freeze"):
    gc.freeze()  # CPython's own objects are nothing that the firmware has to collect

what, seed, events, old = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
if what == "quick":
    print(json.dumps({"differences": player.quick.differences(player.Chance(seed), events)}))
    sys.exit()
kind = __import__("month").Month if what == "month" else player.Player
one = kind(seed, events, player.BreakingFiles("data"), old)
try:
    player.play(one)
except Wrong as wrong:
    sys.print_exception(wrong)
    print(f"WRONG: {wrong}\n{one.where()}")
    if hasattr(micropython, "mem_info"):
        micropython.mem_info()
    sys.exit(1)
one.tell()
