"""`select.poll` on the virtual clock, for objects with an `ioctl` of their own."""

import _link

POLLIN = 1
POLLOUT = 4
POLLERR = 8
POLLHUP = 16
_MP_STREAM_POLL = 3


class poll:
    def __init__(self):
        self._watched = []

    def register(self, thing, events=POLLIN | POLLOUT):
        self._watched.append((thing, events))

    def unregister(self, thing):
        self._watched = [pair for pair in self._watched if pair[0] is not thing]

    def ipoll(self, timeout=-1, flags=0):
        until = None if timeout < 0 else _link.now + timeout * 1000
        while True:
            ready = False
            for thing, events in self._watched:
                found = thing.ioctl(_MP_STREAM_POLL, events)
                if found:
                    ready = True
                    yield thing, found
            if ready:
                return
            left = -1 if until is None else until - _link.now
            if left == 0 or (until is not None and left < 0):
                return
            _link.wait(left)

    def poll(self, timeout=-1):
        return list(self.ipoll(timeout))
