"""Pouch. `forget` lets a module go that has done its work, so that others have its room."""

import sys  # not its `modules`: a module of ours has that name here


def forget(name):
    """Whoever imports it again gets a new one."""
    modules = sys.modules
    module = modules.pop(name, None)
    package, _, last = name.rpartition(".")
    # The package holds it too.
    if module and package in modules and hasattr(modules[package], last):
        delattr(modules[package], last)
