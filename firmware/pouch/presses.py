"""From edges to presses: a pure debouncer and gesture machine for up to eight keys.

Edges go in with the time at which they happened, presses come out in the order of their first edges.

A key counts as closed once its contact has been quiet for `press_us`, and as open again once it has been quiet
for `release_us`. Ganssle measured 18 switches ("A Guide to Debouncing", 2004): bounce lasted 1.6 ms on average
and up to 6.2 ms in all but one; quiet times restart at every edge, so a longer bounce only makes a press later.

A press so soon after another one of the same key that nobody can have meant it gives nothing at all: `guard_us`.

Each press gives DOWN at once when it is accepted, and then either SHORT when the key is released or LONG once at
`long_us` after the first edge. Keys in `repeat` give REPEAT while they are held, and neither SHORT nor LONG.
Keys that are down at the start are mute until they were released.

A key that stays down for `stuck_us`, down since power-on for `mute_stuck_us`, or whose contact does not come to rest
for `restless_us`, is in `stuck` until it has been open and quiet; no press of another key waits for it.

Times are ticks in microseconds that wrap at 2**30. A time is only compared while its key is in motion, and
whoever calls `feed` at least every few minutes may leave the device alone for a year.
"""

from micropython import const

from pouch.ticks import later, since

DOWN = const(1)
SHORT = const(2)
LONG = const(3)
REPEAT = const(4)
_SPENT = const(5)

_OPEN = const(0)
_CLOSING = const(1)
_CLOSED = const(2)
_OPENING = const(3)
_MUTE = const(4)  # down since power-on
_UNMUTING = const(5)

_REST_US = const(20000)  # a contact that was quiet for this long has come to rest
_QUEUE = const(16)
_NONE = const(-1)


class Presses:
    """The keys 0..count-1.

    patience_us: how long an unsettled earlier edge may hold back a later press of another key; a contact that
    chatters for longer has lost its place in the order.
    """

    def __init__(
        self,
        count,
        press_us=5000,
        release_us=12000,
        long_us=800000,
        repeat_after_us=500000,
        repeat_us=150000,
        patience_us=30000,
        stuck_us=20000000,
        mute_stuck_us=3000000,
        restless_us=1000000,
    ):
        self.count = count
        self.press_us = press_us
        self.release_us = release_us
        self.long_us = long_us
        self.repeat_after_us = repeat_after_us
        self.repeat_us = repeat_us
        self.patience_us = patience_us
        self.stuck_us = stuck_us
        self.mute_stuck_us = mute_stuck_us
        self.restless_us = restless_us
        self.stuck = 0  # mask of the keys that do not behave
        self.repeat = 0  # mask of the keys that repeat on this screen
        self.guard_us = 0  # from a press of a key to the next one that counts, 0: every one does
        self._state = [_OPEN] * count
        self._level = [False] * count  # the contact, as of the last edge
        self._first = [0] * count  # the first edge of the press
        self._last = [0] * count  # the last edge at all
        self._next = [0] * count  # when the next REPEAT is due
        self._since = [0] * count  # when the contact last began to move, or to stay down
        self._moving = [False] * count
        self._noisy = 0  # mask of the keys of which edges were lost, up to `_until`
        self._until = [0] * count
        self._long = [False] * count  # this press may still become LONG or SHORT
        self._mask = 0  # the contacts, as of the last edges
        self._busy = False  # some key is not simply open and at rest
        self._started = False
        self._taken = [None] * count  # when each key was pressed last, None: long ago
        self._doubled = 0  # mask of the keys whose press is a second one by mistake
        # A queue of presses, written and read without allocating.
        self._kinds = bytearray(_QUEUE)
        self._keys = bytearray(_QUEUE)
        self._times = [0] * _QUEUE
        self._head = 0
        self._size = 0
        self.key = 0
        self.at = 0

    # -- in --------------------------------------------------------------------------------------

    def start(self, mask, now):
        """The levels at power-on: bit n set if key n is down. Those keys stay mute until released."""
        for key in range(self.count):
            down = bool(mask >> key & 1)
            self._level[key] = down
            self._state[key] = _MUTE if down else _OPEN
            self._last[key] = now
            self._since[key] = now
        self._mask = mask
        self._busy = mask != 0
        self._started = True

    def edge(self, key, down, at):
        """The contact of `key` changed at the time `at`; edges come in the order of their times."""
        self._settle(at)
        if self._level[key] == down:
            return  # a pulse too short to be seen by two interrupts
        self._level[key] = down
        self._mask ^= 1 << key
        self._busy = True
        state = self._state[key]
        if not self._moving[key]:
            self._moving[key] = True
            self._since[key] = at
        elif not self.stuck >> key & 1 and since(at, self._since[key]) >= self.restless_us:
            self.stuck |= 1 << key
        self._last[key] = at
        if state == _OPEN:
            if down:
                self._state[key] = _CLOSING
                self._first[key] = at
        elif state == _CLOSING:
            if since(at, self._first[key]) > self.patience_us:
                self._first[key] = at
        elif state == _CLOSED:
            if not down:
                self._state[key] = _OPENING
        elif state == _MUTE and not down:
            self._state[key] = _UNMUTING

    def level(self, key):
        """Whether the contact was closed after its last edge."""
        return self._level[key]

    def noisy(self, key, until):
        """More edges of `key` than anybody could count came up to the time `until`; call it before `edge`.

        What lies between two of its edges is then no quiet time, and no press comes of it.
        """
        self._busy = True
        self._noisy |= 1 << key
        self._until[key] = until

    def feed(self, mask, now):
        """The levels now: bit n set if key n is down. They are the truth where an edge went by unseen."""
        if not self._started:
            self.start(mask, now)
        changed = mask ^ self._mask
        if changed:
            for key in range(self.count):
                if changed >> key & 1:
                    self.edge(key, bool(mask >> key & 1), now)
        if self._busy:
            self._settle(now)

    # -- out -------------------------------------------------------------------------------------

    def take(self):
        """The next press: DOWN, SHORT, LONG or REPEAT, with `key` and `at` (for DOWN its first edge); 0 if none."""
        while self._size:
            head = self._head
            self._head = (head + 1) % _QUEUE
            self._size -= 1
            kind = self._kinds[head]
            key = self._keys[head]
            at = self._times[head]
            if kind == DOWN:
                self._guard(key, at)
            if kind != _SPENT and not self._doubled >> key & 1:
                self.key = key
                self.at = at
                return kind
        return 0

    def forget(self):
        """Call it at least every few minutes: the ticks come round to the time of a press that was long ago."""
        for key in range(self.count):
            self._taken[key] = None

    def down(self, key):
        """Whether an accepted press of this key goes on."""
        return self._state[key] in (_CLOSED, _OPENING)

    def held_us(self, key, now):
        """How long the press of this key has gone on and may still become LONG, in microseconds; 0 if none."""
        if self._long[key] and self._state[key] in (_CLOSED, _OPENING):
            return max(0, since(now, self._first[key]))
        return 0

    def spend(self):
        """What has gone down so far has done its work: no SHORT, LONG or REPEAT comes of it any more.

        A press that is over already, but was not taken yet, is no other: after a slow step its release waits behind it.
        """
        later_on = 0  # mask of the keys whose next press waits to be taken
        for i in range(self._size):
            at = (self._head + i) % _QUEUE
            bit = 1 << self._keys[at]
            if self._kinds[at] == DOWN:
                later_on |= bit
            elif not later_on & bit:
                self._kinds[at] = _SPENT
        for key in range(self.count):
            if not later_on >> key & 1:
                self._long[key] = False

    def wait_us(self, now):
        """Microseconds until `feed` has something to do even without an edge; None if nothing is in motion."""
        wait = None
        if not self._busy:
            return wait
        for key in range(self.count):
            state = self._state[key]
            if state == _OPEN:
                if not self.stuck >> key & 1:
                    continue
                left = _REST_US - self._quiet(key, now)
            elif state == _MUTE:
                if self.stuck >> key & 1:
                    continue
                left = self.mute_stuck_us - since(now, self._since[key])
            elif state == _CLOSING:
                left = self.press_us - self._quiet(key, now)
                if left <= 0:  # settled, but an earlier contact is still in motion: its time comes first
                    continue
            elif state in (_OPENING, _UNMUTING):
                left = self.release_us - self._quiet(key, now)
            elif not self._long[key]:
                if self.stuck >> key & 1:
                    continue
                left = self.stuck_us - since(now, self._since[key])
            elif self.repeat >> key & 1:
                left = since(self._next[key], now)
            else:
                left = self.long_us - since(now, self._first[key])
            left = max(0, left)
            if wait is None or left < wait:
                wait = left
        return wait

    def _quiet(self, key, now):
        """For how long the contact has been at rest, in us; below 0 if it will not be before `now`."""
        quiet = since(now, self._last[key])
        if self._noisy >> key & 1:
            quiet = min(quiet, since(now, self._until[key]))
        return quiet

    # -- inside ----------------------------------------------------------------------------------

    def _settle(self, now):
        """Accept and reject what has been quiet for long enough by `now`, in the order of the first edges."""
        while True:
            earliest = _NONE
            for key in range(self.count):
                if self._state[key] != _CLOSING:
                    continue
                quiet = self._quiet(key, now)
                if not self._level[key] and quiet >= self.press_us:
                    self._state[key] = _OPEN  # a spark, not a press
                elif quiet < self.press_us and since(now, self._first[key]) > self.patience_us:
                    continue  # chatters: nobody waits for it
                elif earliest == _NONE or since(self._first[key], self._first[earliest]) < 0:
                    earliest = key
            if earliest == _NONE or self._quiet(earliest, now) < self.press_us:
                break
            first = self._first[earliest]
            self._state[earliest] = _CLOSED
            self._long[earliest] = True
            self._next[earliest] = later(first, self.repeat_after_us)
            self._put(DOWN, earliest, first)
        busy = self.stuck != 0
        for key in range(self.count):
            state = self._state[key]
            self._behave(key, state, now)
            if state == _CLOSED or state == _OPENING:
                self._hold(key, now)
            if state == _OPENING:
                if self._level[key]:
                    self._state[key] = _CLOSED  # it bounced, or a finger slipped
                elif self._quiet(key, now) >= self.release_us:
                    self._state[key] = _OPEN
                    if self._long[key]:
                        self._long[key] = False
                        if not self.repeat >> key & 1:
                            self._put(SHORT, key, self._last[key])
            elif state == _UNMUTING:
                if self._level[key]:
                    self._state[key] = _MUTE
                elif self._quiet(key, now) >= self.release_us:
                    self._state[key] = _OPEN
            if self._state[key] != _OPEN or self._moving[key]:
                busy = True
        self._busy = busy

    def _behave(self, key, state, now):
        """Keep `stuck` true, and forget the time of the last edge before the ticks come round to it again."""
        bit = 1 << key
        if self._moving[key] and self._quiet(key, now) >= _REST_US:
            self._moving[key] = False
            self._noisy &= ~bit
        if self.stuck & bit:
            if state == _OPEN and not self._moving[key]:
                self.stuck &= ~bit
        elif state == _CLOSED:
            if since(now, self._since[key]) >= self.stuck_us:
                self.stuck |= bit
        elif state == _MUTE and since(now, self._since[key]) >= self.mute_stuck_us:
            self.stuck |= bit

    def _guard(self, key, at):
        last = self._taken[key]
        self._taken[key] = at
        self._doubled &= ~(1 << key)
        if last is not None and 0 <= since(at, last) < self.guard_us:
            self._doubled |= 1 << key

    def _hold(self, key, now):
        if not self._long[key]:
            return
        # A key that is on its way up was held until its last edge, not until now.
        until = self._last[key] if not self._level[key] else now
        if self.repeat >> key & 1:
            if since(until, self._next[key]) >= 0:
                self._put(REPEAT, key, self._next[key])
                # What a late step missed is not made up for: a number would run on after the finger.
                while since(until, self._next[key]) >= 0:
                    self._next[key] = later(self._next[key], self.repeat_us)
        elif since(until, self._first[key]) >= self.long_us:
            self._long[key] = False
            self._put(LONG, key, later(self._first[key], self.long_us))

    def _put(self, kind, key, at):
        if self._size == _QUEUE:
            return  # sixteen presses between two steps: no hand does that
        i = (self._head + self._size) % _QUEUE
        self._kinds[i] = kind
        self._keys[i] = key
        self._times[i] = at
        self._size += 1
