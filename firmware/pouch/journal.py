"""The journal of a match: what has been done, entry after entry, as bytes. Nothing in it is ever written over.

A frame (pouch.frames) has the number of the entry. Its payload is an entry (an action, UNDO, REDO: 1 to 9 bytes, so 16
at most with its frame; or a player's new NAME), or the HEADER of the match, or a SNAPSHOT. A snapshot comes after every
32 entries and opens the next segment: whoever keeps the segments apart finds the last snapshot at once.
"""

from binascii import crc32

from micropython import const

from pouch.frames import EVEN, HEADER, SNAPSHOT, WHOLE, Damaged, frame, put_signed, read, read_number, sized

NAME = const(0xFD)  # (player, byte, ...)  the player is called that from now on; no undo takes it back
UNDO = (0xFE,)
REDO = (0xFF,)

SEGMENT = const(32)  # entries
_LONG = const(127)  # as in pouch.frames: a constant, as entries are read by the thousand


# -- entries -------------------------------------------------------------------------------------------


def pack_steps(numbers):
    """Whole numbers that lie near each other as bytes: each as the way from the one before it."""
    out = bytearray()
    last = 0
    for number in numbers:
        put_signed(out, number - last)
        last = number
    return bytes(out)


def unpack_steps(data):
    """The list of numbers again. Raises Damaged if it breaks off."""
    numbers = []
    at = last = 0
    try:
        while at < len(data):
            step, at = read_number(data, at)
            last += -(step + 1 >> 1) if step & 1 else step >> 1
            numbers.append(last)
    except IndexError:
        raise Damaged()
    return numbers


def pack(entry):
    """An entry (its kind 1..255, then whole numbers, also below zero) as bytes: the kind, then seven bits a byte."""
    out = bytearray(1)
    out[0] = entry[0]
    for value in entry[1:]:
        put_signed(out, value)
    return bytes(out)


def unpack(data, at=0, end=None):
    """The entry in data[at:end]. Raises IndexError if it breaks off."""
    if end is None:
        end = len(data)
    entry = [data[at]]
    at += 1
    while at < end:
        value = data[at]
        at += 1
        if value > 127:
            value, at = read_number(data, at - 1)
        entry.append(-(value + 1 >> 1) if value & 1 else value >> 1)
    return tuple(entry)


def split(log):
    """A whole log, cut into its segments. What comes after a torn length stays in the last one."""
    segments = []
    begin = at = 0
    while True:
        start, size = sized(log, at)
        if not start or start >= len(log):
            break
        if log[start] == SNAPSHOT and at > begin:
            segments.append(log[begin:at])
            begin = at
        at = start + size + 4
    segments.append(log[begin:])
    return segments


# -- the log -----------------------------------------------------------------------------------------


class Journal:
    """An append-only log of entries, in memory; `len`, indexing and iteration give the entries as tuples.

    store: where else each frame goes, None or an object with `append(frame)`, `has(number)` (is that segment kept
    whole?) and `read(number)`. A frame is whole when it is handed over.
    segments: the frames as bytearrays; the first begins with the header, every other one with a snapshot. None: to be
    had from the store.
    dropped: bytes at the end that could not be read when the journal was loaded.
    """

    def __init__(self, store=None):
        self.store = store
        self.segments = []
        self.dropped = 0
        self._count = 0
        # Where the entries of one segment lie, as far as it was read: undo looks at them last to first.
        self._segment = -1
        self._starts = []
        self._ends = []
        self._after = 0

    def __len__(self):
        return self._count

    def __iter__(self):
        return self.entries(0)

    def __getitem__(self, index):
        """Entry 0, 1, 2 ...; -1 is the last. Raises IndexError beyond the last, Damaged if it cannot be read."""
        start, end, data = self._find(index)
        return unpack(data, start, end)

    def kind(self, index):
        """The kind of an entry. Raises as indexing does."""
        start, _, data = self._find(index)
        return data[start]

    def _find(self, index):
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError
        segment = index // SEGMENT
        if segment != self._segment:
            self._scan(segment)
        index -= segment * SEGMENT
        if index >= len(self._starts):
            raise Damaged()
        return self._starts[index], self._ends[index], self.segments[segment]

    def segment(self, number):
        """The frames of a segment, read from the store if they were not needed before."""
        data = self.segments[number]
        if data is None:
            data = self.segments[number] = bytearray(self.store.read(number))
        return data

    def _scan(self, segment):
        """See where the entries of a segment lie, up to its end or to what cannot be read.

        Raises Damaged if its head is not readable.
        """
        data = self.segment(segment)
        number = segment * SEGMENT
        self._segment = -1
        end = read(data, 0, number)[1]
        if not end:
            raise Damaged()
        starts = []
        ends = []
        at = end + 4
        length = len(data)
        even = EVEN
        # `read` for short frames, written out: this decides how long a power-on takes.
        while len(starts) < SEGMENT and at < length:
            size = data[at] & 127
            end = at + 3 + size
            after = end + 4
            if (
                after > length
                or even[size] != data[at]
                or data[at + 1] | data[at + 2] << 8 != number & 0xFFFF
                or crc32(data[at:after]) != WHOLE
                or size == _LONG
            ):
                break
            starts.append(at + 3)
            ends.append(end)
            at = after
            number += 1
        self._starts = starts
        self._ends = ends
        self._after = at
        self._segment = segment

    def entries(self, first):
        """The entries from the number `first` on, one after the other. Raises Damaged at one that cannot be read."""
        count = self._count
        while first < count:
            self._find(first)
            segment = self._segment
            data = self.segments[segment]
            starts = self._starts
            ends = self._ends
            for at in range(first - segment * SEGMENT, len(starts)):
                start = starts[at]
                end = ends[at]
                # The shortest ones at once: this decides how long a power-on takes.
                if end == start + 1:
                    yield (data[start],)
                elif end == start + 2 and data[start + 1] < 128 and not data[start + 1] & 1:
                    yield (data[start], data[start + 1] >> 1)
                else:
                    yield unpack(data, start, end)
            first = segment * SEGMENT + len(starts)

    @property
    def full(self):
        """Is the next thing to be written a snapshot?"""
        return self._count > 0 and self._count == len(self.segments) * SEGMENT

    def open(self, payload):
        """Begin a segment with a header or a snapshot."""
        data = frame(self._count, payload)
        segments = self.segments
        segments.append(bytearray(data))
        self._scan(len(segments) - 1)
        if self.store:
            self.store.append(data)
            self.release()

    def release(self):
        """Let go of the segments that the store has whole, but for the last two: who goes so far reads them again.

        A Pico's RAM does not hold hundreds of entries.
        """
        segments = self.segments
        for number in range(len(segments) - 2):
            if segments[number] is not None and self.store.has(number):
                segments[number] = None
                if number == self._segment:
                    self._segment = -1

    def add(self, entry):
        """Append one entry. A snapshot that is due must have been written before."""
        payload = pack(entry)
        if len(payload) >= _LONG:
            raise ValueError("too long for an entry")
        data = frame(self._count, payload)
        self.segments[-1].extend(data)
        count = self._count = self._count + 1
        last = len(self.segments) - 1
        # The next undo looks here: what is known already need not be read again.
        if self._segment == last and len(self._starts) == count - 1 - last * SEGMENT:
            self._starts.append(self._after + 3)
            self._after = len(self.segments[last])
            self._ends.append(self._after - 4)
        # Last: if that fails, the match in memory is still right.
        if self.store:
            self.store.append(data)

    def head(self, segment):
        """The payload of the header or snapshot that opens a segment, None if it cannot be read."""
        data = self.segment(segment)
        start, end = read(data, 0, segment * SEGMENT)
        if not start or data[start] != (SNAPSHOT if segment else HEADER):
            return None
        return bytes(data[start:end])

    def load(self, segments):
        """Take over what a store has kept: the segments in their order (None: to be read when they are needed), the
        last one perhaps torn at its end.

        Only the last segment with a readable head is read now; an older one is checked when an undo needs it.
        Raises Damaged if there is no readable head at all.
        """
        self.segments = [None if data is None else bytearray(data) for data in segments]
        while self.segments and self.head(len(self.segments) - 1) is None:
            self.dropped += len(self.segments.pop())
        if not self.segments:
            raise Damaged()
        last = len(self.segments) - 1
        self._scan(last)
        data = self.segments[last]
        if self._after < len(data):
            self.dropped += len(data) - self._after
            self.segments[last] = data[: self._after]
        self._count = last * SEGMENT + len(self._starts)

    def damage(self):
        """The number of the first segment that cannot be read through, -1 if all can."""
        for number in range(len(self.segments)):
            if self.head(number) is None:
                return number
            data = self.segments[number]
            self._scan(number)
            whole = min(SEGMENT, self._count - number * SEGMENT)
            if len(self._starts) != whole or self._after != len(data):
                return number
        return -1
