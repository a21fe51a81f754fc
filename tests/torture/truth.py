"""What a play really had, moment by moment, and whether what a power cut has left is one of these moments."""

from dataclasses import dataclass, field
from typing import Any

import tests.torture.host  # noqa: F401  first: Table is the app's

# isort: split
from pouch import settings
from pouch.frames import HEADER, SNAPSHOT, pack_value, read, unpack_value
from pouch.games import GAMES
from pouch.journal import unpack
from pouch.match import Match, replay

from tests.torture.memory import MemoryFiles
from tests.torture.table import Table
from tests.torture.walk import Chance, evening, step

GAME_KEYS = tuple(GAMES)
_SETTINGS = pack_value(settings.packed(settings.defaults()))
_NAMES = settings.NAMES


class Lost(AssertionError):
    """Something that was kept is not there any more."""


def need(condition: object, reason: str) -> None:
    if not condition:
        raise Lost(reason)


@dataclass(frozen=True)
class Moment:
    """What was kept after a commit. clock: (order, mark, value, paused). No match: order 0, no entries."""

    order: int = 0
    count: int = 0
    settings: bytes = _SETTINGS
    names: tuple[str, ...] = _NAMES
    clock: tuple[int, int, int, bool] | None = None


def fingerprint(match: Match) -> tuple:
    return pack_value(match.state), match.players, match.can_undo, match.can_redo


@dataclass
class Log:
    """The whole journal of one match. ends: where each entry ends. At each number of entries: prints and records."""

    data: bytes
    ends: list[int] = field(default_factory=list)
    prints: list[tuple] = field(default_factory=list)
    records: list[dict | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        at = seq = 0
        match: Any = None
        while at < len(self.data):
            start, end = read(self.data, at, seq)
            need(start, "the true journal itself is not readable")
            kind = self.data[start]
            if kind == HEADER:
                _, key, players, options, order = unpack_value(self.data, start + 1)[0]
                match = Match(GAMES[key], players, options, order)
            elif kind != SNAPSHOT:
                replay(match, [unpack(self.data, start, end)])
                seq += 1
            at = end + 4
            if kind == SNAPSHOT:
                self.ends[-1] = at  # it may come with the entry before it or with the one after
            else:
                self.ends.append(at)
                self.prints.append(fingerprint(match))
                self.records.append(match.record())


class Truth:
    """moments: after each commit, oldest first. logs: the whole journals by order."""

    def __init__(self, moments: list[Moment], logs: dict[int, bytes]) -> None:
        self.moments = moments
        self.logs = {order: Log(data) for order, data in logs.items()}

    def records(self, order: int, count: int) -> dict[int, dict]:
        """The history when the match `order` has so many entries: one record for each match that is over."""
        found = {}
        for other, log in self.logs.items():
            record = log.records[count if other == order else -1] if other <= order else None
            if record is not None:
                found[other] = record
        return found

    def check(
        self, files: Any, low: int, high: int, more: int = 0, seed: int = 1, forgot: bool = False
    ) -> tuple[int, int]:
        """(order, entries) of the match that is found in `files` after a cut. Raises Lost.

        low, high: between which moments the power went. more: how many things are done then, to be found after
        another power-on. forgot: was there no room, so that the oldest records may be gone?
        """
        oldest, newest = self.moments[low], self.moments[high]
        table = Table(files)
        need(not table.store.problems, f"problems: {table.store.problems}")
        match = table.match
        order, count = (match.order, len(match.journal)) if match else (0, 0)
        need(
            (oldest.order, oldest.count) <= (order, count) <= (newest.order, newest.count),
            f"entry {count} of match {order}, not between {oldest} and {newest}",
        )
        if match:
            log = self.logs[order]
            data = b"".join(bytes(match.journal.segment(number)) for number in range(len(match.journal.segments)))
            need(log.data.startswith(data), f"match {order}: not the journal that was written")
            need(match.journal.damage() == -1, f"match {order}: segment {match.journal.damage()} is damaged")
            need(fingerprint(match) == log.prints[count], f"match {order}: another state after {count} entries")
        values = (oldest.settings, newest.settings)
        need(pack_value(settings.packed(table.settings)) in values, f"settings {table.settings}")
        need(table.names in (oldest.names, newest.names), f"names {table.names}")
        clocks = [moment.clock for moment in (oldest, newest)]
        need(
            any(clock is None or table.store.clock(*clock[:2]) == clock[2:] for clock in clocks),
            f"the clock is none of {clocks}",
        )
        need(table.save(), "no room after the cut")
        self._check_records(table, order, count, forgot)
        if more:
            go_on(table, files, seed, more)
        return order, count

    def _check_records(self, table: Table, order: int, count: int, forgot: bool) -> None:
        found = list(table.store.records())
        by_order = {record["order"]: record for record in found}
        need(len(by_order) == len(found), "a match has two records")
        expected = self.records(order, count)
        if forgot:
            first = min(by_order, default=order)
            expected = {other: record for other, record in expected.items() if other >= first}
        for other in set(expected) | set(by_order):
            need(other in by_order, f"match {other} has no record")
            need(other in expected, f"match {other} has a record, and is not over")
            # How long it was on the table no journal tells.
            need(dict(by_order[other], seconds=None) == expected[other], f"match {other} has another record")
        need(not table.store.problems, f"problems: {table.store.problems}")


def go_on(table: Table, files: Any, seed: int, more: int, whole: bool = True) -> None:
    """Play on, and find all of it at the next power-on. whole: are all the entries of the match readable?"""
    chance = Chance(seed)
    for _ in range(more):
        step(table, chance, GAME_KEYS)
        need(table.save(), "no room")
        if chance.below(2):
            table.store.tidy()
    if table.match and table.match.journal:
        table.store.keep(table.match.order, 7, more, True)
        need(table.save(), "no room")
    again = Table(files)
    need(not again.store.problems, f"problems after going on: {again.store.problems}")
    match, other = table.match, again.match
    if match and match.journal:
        need(other is not None and other.order == match.order, "another match after going on")
        need(fingerprint(other) == fingerprint(match), "another state after going on")
        need(len(other.journal) == len(match.journal), "another journal after going on")
        if whole:
            need(list(other.journal) == list(match.journal), "another journal after going on")
            need(other.journal.damage() == -1, "a damaged journal after going on")
    need((again.settings, again.names) == (table.settings, table.names), "other values after going on")
    kept = table.store.clock(table.match.order, 7) if table.match else None
    need(not kept or again.store.clock(table.match.order, 7) == kept, "another clock after going on")
    again.save()
    need(list(again.store.records()) == list(table.store.records()), "other records after going on")


class Scribe:
    """Follows a table that plays on the host, and tells the truth of it."""

    def __init__(self) -> None:
        self.moments = [Moment()]
        self.logs: dict[int, bytes] = {}
        self._clock: tuple | None = None

    def save(self, table: Table, before: list[Match | None]) -> bool:
        """Save what the table has done: a moment, if there was room.

        before: the matches that it has had since it was saved last, oldest first.
        """
        last = self.moments[-1]
        if table.store._kept:
            self._clock = table.store._kept
        if not table.save():
            return False
        order, count = last.order, last.count
        for match in (*before, table.match):
            if match and match.journal:
                order, count = match.order, len(match.journal)
                segments = [bytes(match.journal.segment(n)) for n in range(len(match.journal.segments))]
                self.logs[order] = b"".join(segments)
        values = pack_value(settings.packed(table.settings))
        self.moments.append(Moment(order, count, values, tuple(table.names), self._clock))
        return True

    @property
    def truth(self) -> Truth:
        return Truth(self.moments, self.logs)


def play(seed: int, steps: int, keys: tuple = GAME_KEYS, again: int = 0) -> tuple[Truth, MemoryFiles, list[int]]:
    """An evening on the host: its truth, its files with their history, and how many steps of them each moment had.

    again: of so many things that are done one is a new power-on, 0: none.
    """
    files = MemoryFiles(keep=True)
    scribe = Scribe()
    at = [0]

    def save(table: Table, before: list[Match | None]) -> None:
        need(scribe.save(table, before), "no room")
        at.append(files.steps)

    evening(lambda: Table(files), save, seed, steps, keys, again)
    return scribe.truth, files, at
