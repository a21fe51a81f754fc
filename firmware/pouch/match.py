"""One game being played. The journal of actions is the only truth: the state is always its replay.

An undo is one more entry. What is done is a stack of numbers of entries, an undo moves some of them to a second
stack; both are kept as ranges, which are few however long the match is. Each undo after which something else is done
leaves one more: after 120 of them the oldest entries are forgotten as done, they count and can't be undone any more.
"""

from binascii import crc32

from micropython import const

from pouch.frames import HEADER, SNAPSHOT, Damaged, pack_value, unpack_value
from pouch.games import CHANGE, END, GAMES, Illegal
from pouch.games.ranking import by_round
from pouch.journal import NAME, REDO, SEGMENT, UNDO, Journal, pack_steps, split, unpack_steps

_VERSION = const(1)
_RECENT = const(6)  # states before the last actions, for a quick undo
_MOST = const(240)  # starts and ends of ranges: a list of up to 256 takes 1 kB in one piece, the next larger one 2


class Match:
    """game: a module of pouch.games. players: their names. options: keys of the game's OPTIONS.

    order: the number of this match on the device. store: where the journal goes besides (pouch.journal).
    journal: one that `restore` has loaded, and goes through itself.
    `state` is never changed in place, `journal` only grows. Raises Illegal for players or options that don't fit.
    """

    def __init__(self, game, players, options=None, order=0, store=None, journal=None):
        self.game = game
        self.players = tuple(players)
        self.order = order
        self.state = game.new(self.players, options or {})
        self.options = self.state["options"]
        self._done = []  # first, last + 1, first, last + 1 ...: numbers of the entries that count, in order
        self._depth = 0  # how many these are, with those before them
        self._forgotten = 0  # how many are before them: they count, and nobody knows their numbers
        self._undone = []  # likewise, the one that a redo takes first at the end
        self._named = 0  # entries of the journal that are names
        self._recent = []  # (depth, state), ascending, all on the way to `state`
        self.journal = Journal(store) if journal is None else journal
        if journal is None:
            header = (_VERSION, game.KEY, self.players, self.options, order)
            self.journal.open(bytes([HEADER]) + pack_value(header))

    def do(self, action):
        """Apply an action. Raises Illegal, and changes nothing, if the rules do not allow it now."""
        state = self.game.reduce(self.state, action)
        self.rest()
        self._step(state, len(self.journal))
        self._undone = []
        self.journal.add(action)

    @property
    def can_undo(self):
        return self._depth > self._forgotten

    @property
    def can_redo(self):
        return bool(self._undone)

    def undo(self):
        """Take the last step back: an action and those that led up to it. Raises Illegal if there is none."""
        if self._depth == self._forgotten:
            raise Illegal("No more can be undone" if self._forgotten else "Nothing to undo")
        self.rest()
        try:
            depth = self._way_back()
            state = self._state_at(depth)
        except Damaged:
            raise Illegal("No more can be undone")
        except MemoryError:
            # Hundreds of undos in one match: what lies further back needs more heap in one piece than there is.
            raise Illegal("No memory for that")
        self._move_back(depth)
        self.state = state
        self.journal.add(UNDO)

    def before(self):
        """The state that an undo would lead to, None if none can."""
        recent = list(self._recent)  # looking forgets them
        try:
            return self._state_at(self._way_back()) if self.can_undo else None
        except (Damaged, MemoryError):
            return None
        finally:
            self._recent = recent

    def redo(self):
        """Take the last undo back. Raises Illegal if there is none, or something else has happened since."""
        if not self._undone:
            raise Illegal("Nothing to redo")
        self.rest()
        try:
            actions = self._to_redo()
        except Damaged:
            raise Illegal("No more can be redone")
        except MemoryError:
            raise Illegal("No memory for that")
        state = self.state
        for action in actions:
            self._recent.append((self._depth, state))
            state = self.game.reduce(state, action)
            self._move_forth(1)
        del self._recent[:-_RECENT]
        self.state = state
        self.journal.add(REDO)

    def rename(self, player, name):
        """A player is called something else from now on. No undo takes that back. Raises IndexError without him."""
        entry = (NAME, player) + tuple(name.encode())
        players = self._renamed(entry)
        self.rest()
        self.players = players
        self.journal.add(entry)
        self._named += 1

    @property
    def mark(self):
        """A number that grows with all that is done and undone, and not with a name: a clock belongs to it."""
        return len(self.journal) - self._named

    def _renamed(self, entry):
        players = list(self.players)
        players[entry[1]] = bytes(entry[2:]).decode()
        return tuple(players)

    def rest(self):
        """Write the snapshot that is due, if one is. For a moment when nobody waits; else the next entry does it."""
        if self.journal.full:
            self.journal.open(bytes([SNAPSHOT]) + self._snapshot())

    def outcome(self):
        """The winners as a tuple of players, None while the match goes on."""
        return self.game.outcome(self.state)

    def standings(self):
        """[(player, score, rank)], best first: rank 0 leads, equal ranks are tied."""
        return self.game.standings(self.state)

    def record(self, seconds=None):
        """The finished match for the history, as a dict that pack_value takes; None while it goes on, of what nobody
        wins, a timer, and if all was undone before the table ended it.

        seconds: how long it took, if somebody knows. "rounds": the scores after each round, of at most 99 (after the
        98th only those of the last).
        """
        winners = self.outcome()
        if not winners or self._ended_undone():
            return None
        return {
            "order": self.order,
            "game": self.game.KEY,
            "players": self.players,
            "options": tuple([(key, self.options[key]) for key in self.game.DECIDING]),
            "rounds": by_round(self.state["history"], len(self.players)) if self.players else (),
            "standings": tuple(self.standings()),
            "winners": winners,
            "length": self.state["rounds"],
            "seconds": seconds,
        }

    def _ended_undone(self):
        """Does nothing count but that the table has ended it, of all that was done?"""
        try:
            return self._depth == 1 and len(self.journal) > 1 and self.journal.kind(self._done[0]) == END
        except Damaged:
            return False

    # -- the journal ---------------------------------------------------------------------------------

    def _snapshot(self):
        """Both stacks, the names, and the state; the game's options are in the header already."""
        names = _names(self.state)
        values = tuple([self.state[name] for name in names])
        # As bytes: whoever undoes and goes on all evening has hundreds of ranges, and a tuple of them is 4 kB at once.
        done, undone = pack_steps(self._done), pack_steps(self._undone)
        return pack_value((_mark(names), done, undone, self.players, values, self._forgotten, self._named))

    def _unpacked(self, segment):
        """(done, undone, players, state, forgotten, named) of the snapshot that opens a segment.

        Raises Damaged if it is not for us.
        """
        payload = self.journal.head(segment)
        if payload is None:
            raise Damaged()
        snapshot, _ = unpack_value(payload, 1)
        # All states of a game have the same keys.
        state = self.state.copy()
        names = _names(state)
        # Another version of the game knew other names: then the entries tell.
        if snapshot[0] != _mark(names):
            raise Damaged()
        for name, value in zip(names, snapshot[4]):
            state[name] = value
        # The first version forgot nothing, and the second counted no names.
        forgotten, named = (snapshot[5:] + (0, 0))[:2]
        return _ranges(snapshot[1]), _ranges(snapshot[2]), snapshot[3], state, forgotten, named

    def _load(self, snapshots):
        """Bring this match, a new one, to the end of its journal."""
        journal = self.journal
        reduce = self.game.reduce
        first = 0
        for segment in range(len(journal.segments) - 1 if snapshots else 0, 0, -1):
            try:
                told = self._unpacked(segment)
            except Damaged:
                continue
            self._done, self._undone, self.players, self.state, self._forgotten, self._named = told
            self._depth = self._forgotten + _length(self._done)
            first = segment * SEGMENT
            break
        # `_step`, written out: this decides how long a power-on takes.
        done, recent, depth, state = self._done, self._recent, self._depth, self.state
        index = first - 1
        stale = False
        for entry in journal.entries(first):
            index += 1
            if entry[0] < 0xF0:
                if stale:
                    # Only now: of many undos in a row the last one decides.
                    stale = False
                    depth = self._depth
                    state = self._state_at(depth)
                    recent = self._recent
                if self._undone:
                    self._undone = []
                recent.append((depth, state))
                if len(recent) > 2 * _RECENT:
                    del recent[:_RECENT]
                if done and done[-1] == index:
                    done[-1] = index + 1
                else:
                    done.append(index)
                    done.append(index + 1)
                    if len(done) > _MOST:
                        self._forget()
                depth += 1
                state = reduce(state, entry)
                continue
            if not stale:
                self._depth = depth
            if entry == UNDO:
                self._move_back(self._undo_depth())
                stale = True
            elif entry == REDO:
                self._move_forth(len(self._to_redo()))
                stale = True
            elif entry[0] == NAME:
                self.players = self._renamed(entry)
                self._named += 1
            else:
                raise Damaged()
        if stale:
            state = self._state_at(self._depth)
        else:
            self._depth = depth
        self.state = state

    # -- done and undone -----------------------------------------------------------------------------

    def _step(self, state, index):
        recent = self._recent
        recent.append((self._depth, self.state))
        if len(recent) > 2 * _RECENT:
            del recent[:_RECENT]
        done = self._done
        if done and done[-1] == index:
            done[-1] = index + 1
        else:
            done.append(index)
            done.append(index + 1)
            if len(done) > _MOST:
                self._forget()
        self._depth += 1
        self.state = state

    def _forget(self):
        self._forgotten += self._done[1] - self._done[0]
        del self._done[:2]

    def _alone(self, kind):
        return kind >= CHANGE or kind in self.game.ALONE

    def _way_back(self):
        """As _undo_depth. Raises Damaged where the journal alone could not tell the state, after a power cut."""
        depth = self._undo_depth()
        if self._forgotten:
            self._base(depth)
        return depth

    def _undo_depth(self):
        """How many actions are left after an undo."""
        depth = self._depth - 1
        glued = self.game.GLUED
        kind_of = self.journal.kind
        if not self._alone(kind_of(self._index(depth))):
            while depth > self._forgotten:
                if kind_of(self._index(depth - 1)) not in glued:
                    break
                depth -= 1
        return depth

    def _move_back(self, depth):
        done, undone = self._done, self._undone
        while self._depth > depth:
            self._depth -= 1
            index = done[-1] - 1
            if index == done[-2]:
                del done[-2:]
            else:
                done[-1] = index
            if undone and undone[-2] == index + 1:
                undone[-2] = index
            else:
                undone.append(index)
                undone.append(index + 1)

    def _to_redo(self):
        """The actions that a redo brings back, in their order."""
        undone = self._undone
        glued = self.game.GLUED
        actions = []
        at = len(undone) - 2
        index = undone[at]
        while True:
            action = self.journal[index]
            alone = self._alone(action[0])
            if actions and alone:
                break
            actions.append(action)
            if alone or action[0] not in glued:
                break
            index += 1
            if index == undone[at + 1]:
                at -= 2
                if at < 0:
                    break
                index = undone[at]
        return actions

    def _move_forth(self, count):
        done, undone = self._done, self._undone
        for _ in range(count):
            index = undone[-2]
            if index + 1 == undone[-1]:
                del undone[-2:]
            else:
                undone[-2] = index + 1
            if done and done[-1] == index:
                done[-1] = index + 1
            else:
                done.append(index)
                done.append(index + 1)
            self._depth += 1

    def _index(self, depth):
        """The number of the entry that was done at `depth` (0: the first). Raises Damaged if it is forgotten."""
        if depth < self._forgotten:
            raise Damaged()
        done = self._done
        at = len(done)
        above = self._depth
        while True:
            at -= 2
            above -= done[at + 1] - done[at]
            if depth >= above:
                return done[at] + depth - above

    def _state_at(self, depth):
        """The state after the first `depth` actions that are done; forgets the kept states above it."""
        recent = self._recent
        kept = len(recent)
        while kept and recent[kept - 1][0] > depth:
            kept -= 1
        if kept and recent[kept - 1][0] == depth:
            state = recent[kept - 1][1]
            del recent[kept - 1 :]
            return state
        here, state = recent[kept - 1] if kept else self._base(depth)
        way = []
        while here < depth:
            way.append((here, state))
            if len(way) > _RECENT:
                del way[0]
            state = self.game.reduce(state, self.journal[self._index(here)])
            here += 1
        self._recent = way
        return state

    def _base(self, depth):
        """(depth, state) of the last snapshot on the way to `depth`, or of the beginning."""
        for segment in range(self._index(depth - 1) // SEGMENT if depth else 0, 0, -1):
            try:
                done, _, _, state, forgotten, _ = self._unpacked(segment)
            except Damaged:
                continue
            length = forgotten + _length(done)
            # Below an entry that is the same all is, also what is forgotten.
            if not self._forgotten or self._forgotten < length:
                if length <= depth and _leads_to(done, self._done, self._forgotten - forgotten):
                    return length, state
        if self._forgotten:
            raise Damaged()
        return 0, self.game.new(self.players, self.options)


def _names(state):
    """The keys of a state in an order that holds on every Python; the options come from the header."""
    return sorted([name for name in state if name != "options"])


def _ranges(kept):
    """A stack as a snapshot has it: of late as bytes, before that as a tuple."""
    return unpack_steps(kept) if isinstance(kept, bytes) else list(kept)


def _mark(names):
    return crc32(",".join(names).encode()) & 0xFFFFFF


# These two make no copies: whoever undoes all evening has hundreds of ranges, and a heap in pieces no 4 kB at once.


def _length(ranges):
    length = 0
    for i in range(0, len(ranges), 2):
        length += ranges[i + 1] - ranges[i]
    return length


def _leads_to(done, later, forgotten):
    """Are the entries of `done` the first ones of `later`, which has forgotten so many of them since?"""
    skipped = 0
    while forgotten > 0:
        if skipped == len(done):
            return False
        forgotten -= done[skipped + 1] - done[skipped]
        skipped += 2
    last = len(done) - 1 - skipped
    if forgotten or last >= len(later):
        return False
    for i in range(last):
        if done[i + skipped] != later[i]:
            return False
    return last < 0 or done[last + skipped] <= later[last]


def replay(match, entries):
    """Bring a match on as these entries tell it, one by one, and return it: what the tests compare with."""
    for entry in entries:
        if entry == UNDO:
            match.undo()
        elif entry == REDO:
            match.redo()
        elif entry[0] == NAME:
            match.rename(entry[1], bytes(entry[2:]).decode())
        else:
            match.do(entry)
    return match


def restore(log, store=None, snapshots=True):
    """The match whose journal `log` is: all its bytes, or its segments in order. How it comes back after a power cut.

    A torn tail is dropped, never the entry before it (`match.journal.dropped` tells how many bytes). store: as for
    Match; what was in the log is not handed over again, and segments that are None are read from it.
    snapshots: False replays from the beginning.
    Raises Damaged if there is no readable match.
    """
    journal = Journal(store)
    journal.load(split(log) if isinstance(log, (bytes, bytearray)) else log)
    header = journal.head(0)
    if header is None:
        raise Damaged()
    values, _ = unpack_value(header, 1)
    if not isinstance(values, tuple) or len(values) != 5 or values[0] != _VERSION or values[1] not in GAMES:
        raise Damaged()
    try:
        match = Match(GAMES[values[1]], values[2], values[3], values[4], None, journal)
        match._load(snapshots)
    except Illegal:
        raise Damaged()
    return match
