"""Bytes: what is packed comes back, a torn tail costs nothing but itself, and no flipped bit passes."""

import binascii
import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pouch import journal
from pouch.frames import HEADER, SNAPSHOT, Damaged, frame, pack_value, read, unpack_value
from pouch.games import GAMES, Illegal
from pouch.journal import SEGMENT, Journal, pack, pack_steps, split, unpack, unpack_steps
from pouch.match import Match, restore

from tests.rules import replays

SETTINGS = settings(deadline=None, derandomize=True, max_examples=100)

numbers = st.integers(-(2**30), 2**30 - 1)
entries = st.tuples(st.integers(1, 255), st.lists(numbers, max_size=7)).map(lambda pair: (pair[0], *pair[1]))
values = st.recursive(
    st.none() | st.booleans() | numbers | st.binary(max_size=40) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=5).map(tuple) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


@SETTINGS
@given(entries)
def test_an_entry_comes_back(entry):
    assert unpack(pack(entry)) == entry


@SETTINGS
@given(values)
def test_a_value_comes_back(value):
    data = pack_value(value)
    back, end = unpack_value(data)
    assert end == len(data)
    assert back == value
    assert repr(back) == repr(value) or isinstance(value, dict) or "{" in repr(value)


@SETTINGS
@given(st.binary(max_size=60))
def test_nonsense_is_damaged_and_nothing_else(data):
    with contextlib.suppress(Damaged):
        unpack_value(data)


def test_deep_nonsense_is_damaged():
    with pytest.raises(Damaged):
        unpack_value(b"\x06\x01" * 5000)


def test_what_cannot_be_packed_is_told():
    with pytest.raises(TypeError):
        pack_value((1, 2.5))


def test_equal_dicts_are_equal_bytes():
    assert pack_value({"a": 1, "b": 2}) == pack_value({"b": 2, "a": 1})


def extreme_actions():
    """For every kind of every game the action with the most and longest numbers that its table lets in."""
    for key in GAMES:
        game = GAMES[key]
        for kind, rule in game.ACTIONS.items():
            if not rule:
                yield (kind,)
                continue
            _, most, ranges, _ = rule
            for end in (0, 1):
                yield (kind, *[ranges[min(i, len(ranges) - 1)][end] for i in range(most)])
    yield from ((0xE0,), (0xE1, 5, -99), (0xE1, 5, 1999), (0xE2,), journal.UNDO, journal.REDO)


def test_an_ordinary_action_takes_16_bytes_at_most():
    sizes = [len(frame(0xFFFF, pack(action))) for action in extreme_actions()]
    assert len(sizes) > 60
    assert max(sizes) == 16


def test_a_frame_is_bound_to_its_number():
    data = frame(300, b"\x01")
    assert read(data, 0, 300) == (3, 4)
    assert read(data, 0, 299) == (0, 0)
    assert read(data, 0, 300 + 256) == (0, 0)


@pytest.mark.parametrize("size", [0, 1, 9, 126, 127, 128, 1000, 16383])
def test_frames_of_every_size(size):
    payload = bytes(i * 7 & 255 for i in range(size))
    data = b"before" + frame(65535, payload)
    start, end = read(data, 6, 65535)
    assert data[start:end] == payload
    assert end + 4 == len(data)


def test_a_payload_that_is_too_long_is_told():
    with pytest.raises(ValueError):
        frame(0, bytes(16384))


@pytest.mark.parametrize("data", [b"", b"\x00", bytes(64), b"\xff" * 64, b"\xff" * 20000, b"\x01" * 64])
def test_an_erased_or_zeroed_flash_has_no_frame(data):
    assert read(data, 0, 0) == (0, 0)
    assert read(data, 0, 0xFFFF) == (0, 0)
    with pytest.raises(Damaged):
        restore(data)


@SETTINGS
@given(entries, st.integers(0, 65535), st.binary(max_size=200))
def test_every_flipped_bit_of_a_frame_is_noticed(entry, seq, behind):
    """With whatever stands behind it: a length that grew must not find a frame there."""
    data = frame(seq, pack(entry))
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        assert read(bytes(flipped) + behind, 0, seq) == (0, 0)


def longer(data, more):
    """A frame whose length has one flipped bit, and behind it what would make it whole: only the parity tells."""
    size = data[0] & 127
    assert size & more == 0
    flipped = bytes([data[0] ^ more]) + data[1:] + bytes(more - 4)
    return flipped + binascii.crc32(flipped).to_bytes(4, "little")


def test_a_flipped_length_cannot_find_its_crc():
    for more in (4, 8, 16):
        data = longer(frame(0, b"\x01\x02"), more)
        assert read(data, 0, 0) == (0, 0)
        # And where a journal reads a segment through.
        match = Match(GAMES["tally"], ("A", "B"))
        whole = Journal()
        whole.load([bytes(match.journal.segments[0]) + data])
        assert (len(whole), whole.dropped) == (0, len(data))


def test_a_frame_of_another_place_is_not_read():
    """Whole, but old: what a flash can leave behind the end of a file."""
    match = Match(GAMES["tally"], ("A", "B"))
    match.do((1, 3))
    head = bytes(match.journal.segments[0])
    for number, count in ((0, 1), (1, 2), (2, 1), (257, 1)):
        whole = Journal()
        whole.load([head + frame(number, pack((1, 4)))])
        assert len(whole) == count, number


def test_every_flipped_bit_of_a_long_frame_is_noticed():
    data = frame(9, bytes(range(200)))
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        assert read(bytes(flipped) + bytes(300), 0, 9) == (0, 0)


def short_match():
    """Some 70 entries with undos: three segments."""
    match = replays.play("upwords", replays.upwords, ("A", "B", "C"), {}, 60)
    for _ in range(3):
        match.undo()
    match.redo()
    while len(match.journal) < 70:
        match.do((GAMES["upwords"].POINTS, 7))
    return match


def test_every_flipped_bit_of_a_match_is_noticed():
    match = short_match()
    segments = [bytes(segment) for segment in match.journal.segments]
    assert match.journal.damage() == -1
    for number, segment in enumerate(segments):
        # Each bit of the last segment, in the others every seventh.
        for bit in range(0, 8 * len(segment), 1 if number == len(segments) - 1 else 7):
            flipped = bytearray(segment)
            flipped[bit // 8] ^= 1 << bit % 8
            whole = Journal()
            try:
                whole.load([*segments[:number], flipped, *segments[number + 1 :]])
            except Damaged:
                continue
            assert whole.dropped or whole.damage() == number


def test_a_torn_tail_is_dropped_and_never_the_entry_before_it():
    match = short_match()
    log = b"".join(bytes(segment) for segment in match.journal.segments)
    # Where each entry is whole, and the state from then on.
    whole = []
    at = 0
    seq = 0
    while at < len(log):
        start, end = read(log, at, seq)
        assert start
        at = end + 4
        if log[start] not in (journal.HEADER, journal.SNAPSHOT):
            seq += 1
        whole.append((at, seq))
    assert seq == len(match.journal)
    plays = {0: Match(match.game, match.players).state}
    again = Match(match.game, match.players)
    for number, entry in enumerate(match.journal, 1):
        if entry == journal.UNDO:
            again.undo()
        elif entry == journal.REDO:
            again.redo()
        else:
            again.do(entry)
        plays[number] = again.state
    for cut in range(whole[0][0], len(log) + 1):
        count = max(count for end, count in whole if end <= cut)
        for tail in (b"", b"\xff\xff\xff"):
            back = restore(log[:cut] + tail)
            assert len(back.journal) == count
            assert back.state == plays[count]
            clean = max(end for end, _ in whole if end <= cut)
            assert back.journal.dropped == cut - clean + len(tail)
    for cut in range(whole[0][0]):
        with pytest.raises(Damaged):
            restore(log[:cut])


def test_play_goes_on_after_a_torn_tail():
    match = short_match()
    log = b"".join(bytes(segment) for segment in match.journal.segments)
    back = restore(log[:-2])
    back.do((back.game.POINTS, 9))
    assert len(back.journal) == len(match.journal)
    assert restore([bytes(segment) for segment in back.journal.segments]).state == back.state


def test_segments_and_the_whole_log_are_the_same():
    match = short_match()
    segments = [bytes(segment) for segment in match.journal.segments]
    assert len(segments) == 3
    assert split(b"".join(segments)) == segments


class Store:
    def __init__(self):
        self.frames = []

    def append(self, data):
        self.frames.append(data)


def test_the_store_gets_every_frame_once_and_whole():
    store = Store()
    match = Match(GAMES["tally"], ("A", "B"), {}, 7, store)
    for _ in range(40):
        match.do((1, 3))
    with pytest.raises(Illegal):
        match.do((1, 5000))
    match.undo()
    assert b"".join(store.frames) == b"".join(bytes(segment) for segment in match.journal.segments)
    assert len(store.frames) == 1 + 41 + 1  # the header, the entries, one snapshot
    back = restore(b"".join(store.frames), store)
    assert (back.state, back.order, back.players) == (match.state, 7, ("A", "B"))
    assert len(store.frames) == 43
    back.redo()
    assert len(store.frames) == 44


def test_a_store_that_fails_leaves_the_match_right():
    class Full:
        def append(self, data):
            raise OSError(28)

    match = Match(GAMES["tally"], ("A", "B"))
    match.journal.store = Full()
    for count in range(1, 40):
        with contextlib.suppress(OSError):
            match.do((1, 1))
        if len(match.journal) < count:
            # The snapshot failed, which came first.
            with pytest.raises(OSError):
                match.do((1, 1))
        assert len(match.journal) == match.state["scores"][0] == count
    assert match.journal.damage() == -1
    assert restore(match.journal.segments).state == match.state


def test_a_snapshot_that_nobody_waits_for():
    """`rest` writes it before the next entry would have to."""
    store = Store()
    match = Match(GAMES["tally"], ("A",), {}, 0, store)
    for _ in range(32):
        match.do((1, 1))
        match.rest()
    assert len(store.frames) == 34
    match.rest()
    assert len(store.frames) == 34


def test_an_index_as_in_a_list():
    match = short_match()
    entries_of = list(match.journal)
    assert len(entries_of) == len(match.journal) == 70
    assert [match.journal[i] for i in range(70)] == entries_of
    assert [match.journal[-i] for i in range(1, 71)] == entries_of[::-1]
    assert [match.journal.kind(i) for i in range(70)] == [entry[0] for entry in entries_of]
    for index in (70, -71):
        with pytest.raises(IndexError):
            match.journal[index]


@SETTINGS
@given(st.lists(st.integers(0, 2**29), max_size=200))
def test_steps_come_back(numbers):
    assert unpack_steps(pack_steps(numbers)) == numbers


def test_hundreds_of_ranges_take_two_bytes_each():
    assert len(pack_steps(sorted(range(0, 6000, 7)))) < 1000
    with pytest.raises(Damaged):
        unpack_steps(b"\x80")


def test_a_snapshot_of_an_older_version_is_read():
    """It had its stacks as tuples."""
    match = Match(GAMES["tally"], ("A", "B"))
    for number in range(70):
        match.do((1, 3))
        if number % 5 == 4:
            match.undo()
    segments = [bytes(segment) for segment in match.journal.segments]
    first = 2 * SEGMENT
    value, _ = unpack_value(match.journal.head(2), 1)
    old = (value[0], tuple(unpack_steps(value[1])), tuple(unpack_steps(value[2])), *value[3:])
    entries = segments[2][len(frame(first, match.journal.head(2))) :]
    segments[2] = frame(first, bytes([SNAPSHOT]) + pack_value(old)) + entries
    back = restore(segments)
    assert (back.state, back._done, back._undone) == (match.state, match._done, match._undone)


def test_what_was_read_again_is_let_go_of_and_read_once_more():
    """An undo that went far back, and the segment that it looked at last."""

    class Kept:
        def __init__(self):
            self.data = b""
            self.reads = 0

        def append(self, data):
            self.data += data

        def has(self, segment):
            return segment < len(split(self.data)) - 1

        def read(self, segment):
            self.reads += 1
            return split(self.data)[segment]

    store = Kept()
    journal = Journal(store)
    for number in range(5 * SEGMENT):
        if number % SEGMENT == 0:
            journal.open(bytes([SNAPSHOT if number else HEADER]))
        journal.add((1, number))
    assert [data is None for data in journal.segments] == [True, True, True, False, False]
    for number in (70, 3, 71):
        assert journal[number] == (1, number)
    journal.release()
    assert [data is None for data in journal.segments] == [True, True, True, False, False]
    assert journal[71] == (1, 71) and journal.kind(3) == 1
    assert store.reads == 4
    assert list(journal) == [(1, number) for number in range(5 * SEGMENT)]
