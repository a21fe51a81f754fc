"""Notes how long the app goes without a look at the buttons: `import steps` before it is started (tools/bench.py).

What a flash write and a collection take is left out. A collection that comes by itself is not seen, and counts.
Prints `step US SCREEN` whenever a screen has had a longer one than before; what that takes is left out, too.
"""

import gc
from time import ticks_diff, ticks_us

import pouch.app as app
import pouch.modules as modules
from pouch.hal.keys import Keys
from pouch.hal.waiter import Waiter
from pouch.store import Store

_longest = {}  # microseconds by the class of the screen
_looked = None  # when the buttons were looked at last, None: not yet
_aside = 0


def _note():
    global _looked, _aside
    if _looked is not None and app.running:
        took = ticks_diff(ticks_us(), _looked) - _aside
        name = type(app.running.screen).__name__
        if took > _longest.get(name, 0):
            _longest[name] = took
            print("step", took, name)
    _looked = None
    _aside = 0


def _drain(keys, presses):
    global _looked
    _note()
    now = _whole_drain(keys, presses)
    _looked = ticks_us()
    return now


def _wait(waiter, deadline, exact=False):
    global _looked
    _note()
    _whole_wait(waiter, deadline, exact)
    _looked = ticks_us()  # it ends by an edge, or has seen that there was none


def _commit(store):
    global _aside
    began = ticks_us()
    try:
        return _whole_commit(store)
    finally:
        _aside += ticks_diff(ticks_us(), began)


def _tidy(store):
    global _aside
    began = ticks_us()
    done = _whole_tidy(store)
    _aside += ticks_diff(ticks_us(), began)
    return done


def _collect():
    global _aside
    began = ticks_us()
    gc.collect()
    _aside += ticks_diff(ticks_us(), began)


class _Collector:
    collect = staticmethod(_collect)


_whole_drain, Keys.drain = Keys.drain, _drain
_whole_wait, Waiter.wait = Waiter.wait, _wait
_whole_commit, Store.commit = Store.commit, _commit
_whole_tidy, Store.tidy = Store.tidy, _tidy
app.gc = _Collector
modules.collect = _collect
