"""Notes on the Pico what the app hands over to be kept, and when each commit began and ended.

`import watch` before the app. Nothing is printed, which would take time, before the harness asks for `watch.tell()`.
Plain code: it runs on the Pico only.
"""

from time import ticks_us

from pouch.store import Log, Store

seen = []  # (kind, ticks, what) in order; kinds: "a" a frame, "k" a clock, "v" a value, "b" and "e" a commit


def _noted(of, name, kind, note):
    whole = getattr(of, name)

    def wrapped(self, *args):
        seen.append((kind, ticks_us(), note(self, args)))
        return whole(self, *args)

    setattr(of, name, wrapped)


def _commit(self):
    if not self.pending:
        return _whole(self)
    seen.append(("b", ticks_us(), None))
    _whole(self)
    seen.append(("e", ticks_us(), None))


_noted(Log, "append", "a", lambda log, args: (log.order, args[0]))
_noted(Store, "keep", "k", lambda store, args: args)
_noted(Store, "save", "v", lambda store, args: args)
_whole = Store.commit
Store.commit = _commit


def tell():
    for one in seen:
        print(one)
