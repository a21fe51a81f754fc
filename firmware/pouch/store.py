"""What the device keeps on its flash, and how it finds it again. Pure: the files are handed in (pouch.hal.files).

- The journal of a match: small files <order>.<segment>.<part> that only grow. littlefs keeps such a file inside its
  metadata, so that most appends need no erase. <order>.head is a second copy of the header.
- Settings, names, the running clock: two slots <name>.a and <name>.b each. A slot only grows; when it is long enough
  the other one is begun anew. The frame with the highest number counts.
- The history: one file <order>.record for each finished match; <order>.erased: that match is to have none.

Nothing is thrown away that cannot be read: it gets the ending .bad, and `problems` says so.
"""

from micropython import const

from pouch.frames import HEADER, SNAPSHOT, Damaged, frame, pack_value, read, unpack_value

_PART = const(216)  # bytes of a journal's file, and of a slot: with these a commit costs the fewest erases
_SLOT = const(100)
_RECORDS = const(100)
_BAD = ".bad"
_MOST_BAD = const(12)
_RECORD = ".record"
_ERASED = ".erased"
_ENOSPC = const(28)
_HEAD = ".head"
_MOST_GARBAGE = const(64)  # names at once: a match of thousands of presses has a thousand files


class Newer(Exception):
    """What was read comes from a newer version."""


def set_aside(files, name):
    """Keep an unreadable file under another name."""
    try:
        bad = sorted([other for other in files.names() if other.endswith(_BAD)])
        for other in bad[: max(0, len(bad) + 1 - _MOST_BAD)]:
            files.remove(other)
        files.rename(name, name + _BAD)
    except OSError:
        pass  # then it stays where it is, and is not used


class Log:
    """The journal of one match on flash. `append` only takes a frame over, `commit` writes what was taken.

    segments: how many are there already, with `parts` files each (a list that grows).
    """

    def __init__(self, files, order, parts=None):
        self._files = files
        self.order = order
        self._parts = parts or []
        self._size = files.size(self._name(len(self._parts) - 1, self._parts[-1] - 1)) if parts else 0
        self._queue = []
        self._torn = False
        self.lost = False  # was the first segment unreadable?
        self.alone = False  # have the files of the matches before been found?

    @property
    def pending(self):
        """A match that nobody has begun is none yet: its header waits for the first entry."""
        queue = self._queue
        return len(queue) > 1 or (bool(queue) and _kind(queue[0]) != HEADER)

    def _name(self, segment, part):
        return f"{self.order}.{segment}.{part}"

    def append(self, data):
        self._queue.append(data)

    def has(self, segment):
        """Is this segment on flash, whole?"""
        return segment < len(self._parts) - 1

    def read(self, segment):
        """The bytes of a segment on flash; b"" if there are none."""
        data = b""
        for part in range(self._parts[segment]):
            more = self._files.read(self._name(segment, part))
            # A part that is missing or was lost must not let the next one pass for it.
            data += more or b""
        if not segment and not read(data, 0, 0)[0]:
            # All entries up to the next snapshot are lost, but not whose they were.
            head = self._files.read(f"{self.order}{_HEAD}")
            if head:
                self.lost = bool(data)
                data = head
        return data

    def mend(self, segment, data):
        """Write a segment anew that had an unreadable end: what was there is set aside, part by part."""
        files = self._files
        name = self._name(segment, 0)
        files.write(name + _BAD, files.read(name) or b"")
        # First: a power cut between these must find what is good in one place or the other.
        files.replace(name, data)
        for part in range(self._parts[segment] - 1, 0, -1):
            set_aside(files, self._name(segment, part))
        self._parts[segment] = 1
        if segment == len(self._parts) - 1:
            self._size = len(data)

    def drop(self, segments):
        """Set the segments aside that come after the first `segments`."""
        files = self._files
        while len(self._parts) > segments:
            last = len(self._parts) - 1
            for part in range(self._parts.pop() - 1, -1, -1):
                name = self._name(last, part)
                # An empty one was about to be written when the power went.
                if files.size(name):
                    set_aside(files, name)
        if segments:
            self._size = files.size(self._name(segments - 1, self._parts[-1] - 1))
        else:
            set_aside(files, f"{self.order}{_HEAD}")

    def commit(self):
        """Write what was taken over. Raises OSError; what is not on flash then stays to be written."""
        queue = self._queue
        files = self._files
        if self._torn:
            last = len(self._parts) - 1
            name = self._name(last, self._parts[last] - 1)
            files.replace(name, (files.read(name) or b"")[: self._size])
            self._torn = False
        while queue:
            data = queue[0]
            kind = _kind(data)
            if kind == HEADER or kind == SNAPSHOT:
                segment, part, size = len(self._parts), 0, 0
                if kind == HEADER:
                    files.write(f"{self.order}{_HEAD}", data)
            else:
                segment = len(self._parts) - 1
                part, size = self._parts[segment] - 1, self._size
                if size + len(data) > _PART:
                    part, size = part + 1, 0
            count = 1
            while count < len(queue):
                more = queue[count]
                kind = _kind(more)
                if kind == HEADER or kind == SNAPSHOT or size + len(data) + len(more) > _PART:
                    break
                data += more
                count += 1
            self._write(segment, part, size, data)
            del queue[:count]

    def _write(self, segment, part, size, data):
        name = self._name(segment, part)
        try:
            if size:
                self._files.append(name, data)
            else:
                self._files.write(name, data)
        except OSError:
            there = self._files.size(name)
            if there != size + len(data):
                # littlefs keeps the old file. Should there be a piece of the new, it must go before the next entry.
                self._torn = there != size and segment < len(self._parts) and part < self._parts[segment]
                raise
        if segment == len(self._parts):
            self._parts.append(1)
        elif part == self._parts[segment]:
            self._parts[segment] += 1
        self._size = size + len(data)


def _kind(data):
    """The first byte of a frame's payload; -1 if there is none."""
    at = 5 if data and data[0] & 127 == 127 else 3
    return data[at] if at < len(data) else -1


def _owner(name):
    """The order of the match whose journal needs this file, -1 if none does."""
    words = name.split(".")
    return int(words[0]) if words[0].isdigit() and words[-1] not in ("record", "bad") else -1


def _listed(segments):
    parts = []
    for segment in range(max(segments) + 1):
        parts.append(segments.get(segment, 0))
    return parts


class Slots:
    """One value, kept in two files by turns."""

    def __init__(self, files, name):
        self._files = files
        self._name = name
        self._seq = 0
        self._slot = 1  # the one that was written last
        self._size = _SLOT  # so that the first value begins a slot

    def load(self, fit):
        """(value, problem): the latest value that `fit` accepts, None without one; problem: what was not readable.

        fit: takes a value, returns what is to be used; raises Damaged, or Newer for a value of a newer version.
        """
        found = []
        problem = None
        torn = -1
        for slot in (0, 1):
            name = self._name + (".a", ".b")[slot]
            data = self._files.read(name)
            if not data:
                # An empty one was about to be begun when the power went.
                continue
            at = 0
            while at < len(data):
                start, end = read(data, at)
                if not start:
                    break
                at = end + 4
                found.append((data[start - 2] | data[start - 1] << 8, slot, data[start:end], at))
            if at < len(data):
                problem = "Cannot be read"
                if not self._aside(name, data, at):
                    torn = slot
        # The latest first: numbers wrap at 2**16.
        value = None
        latest = True
        while found:
            best = 0
            for i in range(1, len(found)):
                if (found[i][0] - found[best][0]) & 0xFFFF < 0x8000:
                    best = i
            seq, slot, payload, end = found.pop(best)
            if latest:
                self._seq, self._slot, self._size = seq, slot, _SLOT if slot == torn else end
                latest = False
            try:
                value = fit(unpack_value(payload)[0])
                break
            except Newer:
                problem = "Too new"
            except (Damaged, KeyError, IndexError, TypeError, ValueError, AttributeError):
                problem = "Cannot be read"
            # Both versions may be wanted again: the whole slot is kept, and the next value begins the other one.
            self._copy_aside(slot)
            self._size = _SLOT
        return value, problem

    def _aside(self, name, data, good):
        """Keep a slot with an unreadable end under another name, and its readable beginning under its own.

        Returns whether there was room for that; else nothing may be added to the slot.
        """
        try:
            if good:
                self._files.write(name + _BAD, data)
                self._files.replace(name, data[:good])
            else:
                set_aside(self._files, name)
        except OSError:
            return False
        return True

    def _copy_aside(self, slot):
        name = self._name + (".a", ".b")[slot]
        data = self._files.read(name) or b""
        try:
            # It stays in its place: not again at each power-on.
            if self._files.read(name + _BAD) != data:
                self._files.write(name + _BAD, data)
        except OSError:
            pass

    def save(self, value):
        """Raises OSError; then the old value stands."""
        # A number is never used twice, even if what was written with it seems to have failed.
        self._seq = self._seq + 1 & 0xFFFF
        data = frame(self._seq, pack_value(value))
        if self._size + len(data) > _SLOT:
            slot = 1 - self._slot
            self._files.write(self._name + (".a", ".b")[slot], data)
            self._slot = slot
            self._size = len(data)
        else:
            name = self._name + (".a", ".b")[self._slot]
            try:
                self._files.append(name, data)
            except OSError:
                if self._files.size(name) != self._size:
                    self._size = _SLOT
                raise
            self._size += len(data)


class Store:
    """All that is kept. `problems`: lines for the people at the table, from what could not be read."""

    def __init__(self, files):
        self.files = files
        self.problems = []
        self.log = None  # of the match that is played
        self._before = None  # of the one before, while something of it is to be written
        self.matches = {}  # {order: {segment: files}} of the journals that were found
        self.orders = 0  # the highest number of a match so far
        self._clock = None  # its slots, once they were looked at
        self._clock_was = None  # the value that is in them
        self._kept = None  # the value that is to be written
        self._values = {}  # name: (slots, value to be written)
        self._records = []  # (order, record or None) to be filed
        self._garbage = []  # names that can go
        self._gone = ()  # orders of matches of which more can go than stand there
        self._history = []  # orders of the records on flash, ascending
        self._erased = 0  # the match whose journal is there, and that is to have no record

    # -- values ----------------------------------------------------------------------------------

    def load(self, name, fit, default):
        """The kept value `name` (settings, names), `default` if there is none. See Slots.load."""
        slots = Slots(self.files, name)
        value, problem = slots.load(fit)
        if problem:
            self.problems.append(f"{problem}: {name}.")
        self._values[name] = [slots, None]
        return default if value is None else value

    def save(self, name, value):
        """Keep a value that was loaded before; written at the next commit."""
        self._values[name][1] = value

    # -- matches ---------------------------------------------------------------------------------

    def begin(self):
        """(order, log) of a new match. The files of the one before go when the new one has its first entry."""
        self.orders += 1
        if self.log and self.log.pending:
            self._before = self.log
        self.log = Log(self.files, self.orders)
        return self.orders, self.log

    def look(self):
        """What is there: the journals and records by name. The first thing that is asked after power-on."""
        for name in self.files.names():
            words = name.split(".")
            if len(words) == 2 and name.endswith(_RECORD) and words[0].isdigit():
                self._history.append(int(words[0]))
            elif name.endswith(_ERASED) and words[0].isdigit():
                self._erased = max(self._erased, int(words[0]))
            elif len(words) == 3 and words[0].isdigit() and words[1].isdigit() and words[2].isdigit():
                order, segment, part = [int(word) for word in words]
                # A gap ends a journal.
                parts = self.matches.setdefault(order, {})
                parts[segment] = max(parts.get(segment, 0), part + 1)
        self._history.sort()
        for orders in (self.matches, self._history):
            for order in orders:
                self.orders = max(self.orders, order)

    def last_match(self, restore):
        """The latest match that can be read, as `restore(segments, log)` makes it; None if there is none."""
        found = None
        gone = []
        for order in sorted(self.matches, reverse=True):
            if found:
                gone.append(order)
                continue
            parts = _listed(self.matches[order])
            log = Log(self.files, order, parts)
            try:
                found = restore([None] * len(parts), log)
            except MemoryError:
                raise
            except Exception:
                # Whatever it is that stands in the way of this match, it must not stand in the way of the next one.
                self.problems.append(f"Match {order} cannot be read.")
                log.drop(0)
                continue
            journal = found.journal
            lost = journal.dropped or log.lost
            if not (journal or lost):
                # The power went before its first entry was written: it is none yet.
                found = None
                gone.append(order)
                continue
            self.log = log
            log.alone = True
            segments = journal.segments
            log.drop(len(segments))
            if lost:
                self.problems.append(f"A part of match {order} is lost.")
                try:
                    if log.lost:
                        log.mend(0, bytes(segments[0]))
                    last = len(segments) - 1
                    if log.read(last) != segments[last]:
                        log.mend(last, bytes(segments[last]))
                except OSError:
                    pass
        if gone:
            self._find_garbage(gone)
        return found

    def record(self, order, record):
        """File a finished match, or (record None) take it out again."""
        if record is not None and order == self._erased:
            return
        self._records = [other for other in self._records if other[0] != order]
        if record is not None or order in self._history:
            self._records.append((order, record))

    def records(self, after=0):
        """The finished matches after number `after`, oldest first; what cannot be read is left out, and set aside."""
        for order in list(self._history):
            if order > after:
                record = self.finished_match(order)
                if record is not None:
                    yield record

    def finished(self):
        """The numbers of the finished matches, ascending: those on flash, and not those that are to be erased."""
        gone = [order for order, record in self._records if record is None]
        return [order for order in self._history if order not in gone]

    def finished_match(self, order):
        """The record of a finished match, None if it cannot be read, and is set aside by that."""
        data = self.files.read(f"{order}{_RECORD}")
        start = read(data, 0, order)[0] if data else 0
        try:
            if not start:
                raise Damaged()
            return unpack_value(data, start)[0]
        except Damaged:
            if order in self._history:
                self.problems.append(f"Record {order} cannot be read.")
                self._history.remove(order)
                set_aside(self.files, f"{order}{_RECORD}")
            return None

    def erase(self, order):
        """A finished match goes out of the history for good, even if its journal is still there."""
        if (self.log and self.log.order == order) or self.files.size(f"{order}{_HEAD}"):
            # Else the next power-on finds its journal, and files it again.
            self._erased = max(self._erased, order)
        self.record(order, None)

    # -- the running clock -----------------------------------------------------------------------

    def clock(self, order, mark):
        """The (value, paused) that `keep` was last given for this match and mark, None if it was not."""
        self._clocks()
        value = self._kept or self._clock_was
        return value[2:] if value and value[:2] == (order, mark) else None

    def _clocks(self):
        """The clock's slots. What is in them is looked at first: the next value comes after that."""
        if not self._clock:
            self._clock = Slots(self.files, "clock")
            self._clock_was, problem = self._clock.load(_fit_clock)
            if problem:
                self.problems.append(f"{problem}: clock.")
        return self._clock

    def keep(self, order, mark, value, paused):
        """Keep the value of a match's clock, a whole number; written at the next commit.

        mark: a whole number that tells which clock of the match it is. paused: it does not run.
        """
        self._kept = (order, mark, value, paused)

    # -- writing ---------------------------------------------------------------------------------

    @property
    def pending(self):
        """Is there anything that must be written? (What can go may wait.)"""
        if self._kept or self._records or self._before or (self.log and self.log.pending):
            return True
        for name in self._values:
            if self._values[name][1] is not None:
                return True
        return False

    def commit(self):
        """Write all that is pending. Raises OSError; then the rest stays pending."""
        for log in (self._before, self.log):
            if log and log.pending:
                # Who finds this match does not look at those before it any more: they must be in the history by then.
                self._file_all(log.order)
                self._with_room(log.commit)
                if log is self.log and not log.alone:
                    # It has entries of its own now.
                    log.alone = True
                    self._find_garbage()
        self._before = None
        self._file_all(self.orders + 1)
        if self._kept:
            self._with_room(self._clocks().save, self._kept)
            self._clock_was = self._kept
            self._kept = None
        for name in self._values:
            slots, value = self._values[name]
            if value is not None:
                self._with_room(slots.save, value)
                self._values[name][1] = None

    def _file_all(self, end):
        """File what belongs to the matches before number `end`."""
        while self._records and self._records[0][0] < end:
            self._with_room(self._file, *self._records[0])
            del self._records[0]

    def _file(self, order, record):
        name = f"{order}{_RECORD}"
        if record is None:
            if order == self._erased:
                # First: at the next power-on the journal would be filed again.
                try:
                    self.files.write(f"{order}{_ERASED}", b"-")
                except OSError:
                    # There is no room, but that of the record itself: no other has to go for it.
                    self._unfile(order, name)
                    self.files.write(f"{order}{_ERASED}", b"-")
            self._unfile(order, name)
            return
        self.files.replace(name, frame(order & 0xFFFF, pack_value(record)))
        if order not in self._history:
            self._history.append(order)
        while len(self._history) > _RECORDS:
            self._forget()

    def _unfile(self, order, name):
        if order in self._history:
            self.files.remove(name)
            self._history.remove(order)

    def _forget(self):
        """The oldest record goes."""
        name = f"{self._history[0]}{_RECORD}"
        try:
            self.files.remove(name)
        except OSError:
            if self.files.size(name):
                raise
        del self._history[0]

    def _with_room(self, write, *args):
        """Write; if there is no room, what can go goes first: old matches, then the oldest records."""
        while True:
            try:
                return write(*args)
            except OSError as error:
                if not error.args or error.args[0] != _ENOSPC:
                    raise
                if self._garbage:
                    self._remove_one()
                elif self._history:
                    self._forget()
                else:
                    raise

    def _find_garbage(self, orders=None):
        """The journals of these matches can go; None: of all before the one that is played."""
        self._gone = orders or range(self.orders)
        self._garbage = []
        for name in self.files.names():
            if _owner(name) in self._gone:
                self._garbage.append(name)
                if len(self._garbage) == _MOST_GARBAGE:
                    return  # the rest when these are gone
        self._gone = ()

    def tidy(self):
        """Remove one file that nobody needs any more; returns whether there was one."""
        if not self._garbage:
            return False
        try:
            self._remove_one()
        except OSError:
            self._garbage = []  # at the next power-on, then
        return True

    def _remove_one(self):
        # From the first on: what is left of a match then still ends as it did, and its header goes last.
        try:
            self.files.remove(self._garbage[0])
        finally:
            del self._garbage[0]
        if self._gone and not self._garbage:
            self._find_garbage(self._gone)


def _fit_clock(value):
    order, mark, left, paused = value
    return int(order), int(mark), int(left), bool(paused)
