"""Sleeps until a deadline or an edge, whichever comes first."""

import io
import select
from time import ticks_diff, ticks_us

from micropython import const

_STREAM_POLL = const(3)
_POLLIN = const(1)


class Waiter(io.IOBase):
    """`flag` is set by a hard interrupt; `wait` ends then, with the core asleep until it happens."""

    def __init__(self):
        self.flag = False
        poll = select.poll()
        poll.register(self, _POLLIN)
        self._ipoll = poll.ipoll  # bound once: binding it allocates

    def ioctl(self, request, argument):
        return _POLLIN if request == _STREAM_POLL and self.flag else 0

    def wait(self, deadline, exact=False):
        """Return at `deadline` (ticks in us, less than 2**29 away; None: never) or after an edge.

        Up to 1 ms late, asleep until then; exact: to the microsecond, at the price of up to 2 ms awake.
        """
        ipoll = self._ipoll
        while not self.flag:
            if deadline is None:
                for _ in ipoll(-1):
                    pass
                continue
            left = ticks_diff(deadline, ticks_us())
            if left <= 0:
                return
            # ipoll counts in ms and may come back up to one early.
            if not exact:
                for _ in ipoll(left // 1000 or 1):
                    pass
            elif left >= 2000:
                for _ in ipoll(left // 1000 - 1):
                    pass
