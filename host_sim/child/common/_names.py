"""MicroPython's table of names grows while the heap is fresh; on a board the build's lists of names see to that."""

import gc

_NAMES = 2048
_BATCH = 32
_GROWTH = 10_000  # bytes: nothing but the table takes so much at once


def grow():
    """From 1,270 names on the table wants 14 kB in one piece (8 kB on a Pico), which a used heap may not have."""
    if not hasattr(gc, "mem_alloc"):
        return
    for batch in range(_NAMES // _BATCH):
        used = gc.mem_alloc()
        for i in range(_BATCH):
            getattr(gc, f"_{batch}_{i}", None)
        if gc.mem_alloc() - used > _GROWTH:
            return
