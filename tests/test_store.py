"""What is kept stays kept: broken files of every kind, a power cut at each step, a flash without room.

The app's own code keeps the matches (tests/torture/table.py), on files in memory that fail as they are told.
"""

from bisect import bisect_right

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pouch import settings as values
from pouch.frames import HEADER, frame, pack_value, read, unpack_value
from pouch.games import END, GAMES
from pouch.journal import pack

from tests.torture.memory import MemoryFiles
from tests.torture.truth import GAME_KEYS, Lost, Scribe, Table, fingerprint, go_on, play
from tests.torture.walk import Chance, step

SETTINGS = settings(deadline=None, derandomize=True, max_examples=40)
seeds = st.integers(0, 65535)


def score(table, times=1):
    """The first player of a tally gets a point, and it is kept."""
    for _ in range(times):
        table.match.do((GAMES["tally"].ADD, 1))
        assert table.save()


def tally(table, players=("ANNA", "BEN")):
    table.begin(GAMES["tally"], players, {})


# -- broken files ------------------------------------------------------------------------------------


def make():
    files = MemoryFiles()
    table = Table(files)
    for points in (3, 5, 8):
        tally(table)
        score(table, points)
        table.match.do((END,))
        assert table.save()
    tally(table)
    score(table, 100)
    for number in range(30):
        table.change("sound", ("loud", "quiet", "off")[number % 3])
        table.names = ("ANNA", "BEN", f"GUEST{number}")
        table.store.save("names", values.packed_names(table.names))
        table.keep_clock(100 + number, False)
        assert table.save()
    while table.store.tidy():
        pass
    return dict(files.files)


@pytest.fixture(scope="module")
def kept():
    """Files as a device has them after some evenings: {name: bytes}. Match 4 runs, and has 100 entries."""
    return make()


def last_frame(data):
    """Where the last frame of a slot begins."""
    at = last = 0
    while at < len(data):
        last = at
        at = read(data, at)[1] + 4
    return last


def part(files, segment, number):
    """The name of a segment's file; -1: of its last one."""
    names = [name for name in files if name.startswith(f"4.{segment}.")]
    assert len(names) > 1 or segment == 3
    return sorted(names, key=lambda name: int(name.rsplit(".", 1)[1]))[number]


def without(files, segment, number=None):
    """The files as they were before that part was begun."""
    if number is None:
        return {name: data for name, data in files.items() if not name.startswith(f"4.{segment}")}
    kept = dict(files)
    for name in files:
        numbers = name.split(".")
        if numbers[0] == "4" and name != "4.head" and (int(numbers[1]), int(numbers[2])) >= (segment, number):
            del kept[name]
    return kept


def latest(files, name):
    """The slot with the highest number: .a or .b, and the other one."""
    last = []
    for slot in (".a", ".b"):
        data = files[name + slot]
        at = last_frame(data)
        last.append((data[at + 1] | data[at + 2] << 8, name + slot))
    (_, other), (_, newest) = sorted(last)
    return newest, other


def cut_in_the_middle(data):
    at = 0
    while read(data, at)[1] + 4 <= len(data) // 2:
        at = read(data, at)[1] + 4
    return data[: at + 4]


NOT_READABLE = {
    "cut in the middle": cut_in_the_middle,
    "cut by a byte": lambda data: data[:-1],
    "one byte": lambda data: data[:1],
    "erased": lambda data: b"\xff" * len(data),
    "erased, a block": lambda data: b"\xff" * 4096,
    "zeros": lambda data: bytes(len(data)),
    "noise": lambda data: bytes((i * 73 + 41) & 255 for i in range(len(data))),
    "a flipped bit": lambda data: data[:-6] + bytes([data[-6] ^ 4]) + data[-5:],
    "something behind it": lambda data: data + b"\x01\x02\x03",
    "the frames of another file": lambda data: frame(77, b"\x01") + frame(78, b"\x02\x03"),
}
every_damage = pytest.mark.parametrize("damage", NOT_READABLE.values(), ids=NOT_READABLE)


def power_on(kept, changed):
    files = MemoryFiles({**kept, **changed})
    table = Table(files)
    if table.match:
        table.kept_clock()
    return files, table


def bad(files, name, data):
    """Is what could not be read kept under another name?"""
    return files.files.get(name + ".bad") == data


def test_whole_files_tell_of_no_problem(kept):
    files, table = power_on(kept, {})
    assert not table.store.problems
    assert (table.match.order, len(table.match.journal), table.scores()) == (4, 100, [100, 0])
    assert table.settings == dict(values.defaults(), sound="off") and table.names == ("ANNA", "BEN", "GUEST29")
    assert table.kept_clock() == (129, False)
    assert [record["order"] for record in table.store.records()] == [1, 2, 3]
    assert files.files == kept, "reading changes nothing"
    go_on(table, files, 1, 40)


def readable(data):
    """The values of a slot, up to what cannot be read."""
    found = []
    at = 0
    while at < len(data):
        start, end = read(data, at)
        if not start:
            break
        found.append(unpack_value(data, start)[0])
        at = end + 4
    return found


LATEST = {"settings": dict(values.defaults(), sound="off"), "names": ("ANNA", "BEN", "GUEST29"), "clock": (129, False)}
DEFAULTS = {"settings": dict(values.defaults(), sound="loud"), "names": values.NAMES, "clock": None}
every_slot = pytest.mark.parametrize("name", LATEST)


def value(table, name):
    if name == "clock":
        return table.store.clock(4, len(table.match.journal))
    return {"settings": table.settings, "names": table.names}[name]


def unwrapped(name, packed):
    return packed[2:] if name == "clock" else packed[1]


@pytest.mark.parametrize("which", ["newest", "other"])
@every_slot
@every_damage
def test_a_slot_that_cannot_be_read(kept, name, which, damage):
    newest, other = latest(kept, name)
    broken = newest if which == "newest" else other
    data = damage(kept[broken])
    files, table = power_on(kept, {broken: data})
    assert len(table.store.problems) == 1 and name in table.store.problems[0]
    assert bad(files, broken, data)
    last = LATEST[name]
    if which == "newest":
        # What stands before the damage, else the other slot.
        fitting = [packed for packed in readable(data) if isinstance(packed, tuple)] or readable(kept[other])
        last = unwrapped(name, fitting[-1])
    assert value(table, name) == last
    assert fingerprint(table.match) == fingerprint(Table(MemoryFiles(kept)).match)
    go_on(table, files, 2, 40)


@every_slot
@every_damage
def test_both_slots_cannot_be_read(kept, name, damage):
    """Not even their beginnings: then the defaults hold."""
    changed = {name + slot: b"\x7e" + damage(kept[name + slot]) for slot in (".a", ".b")}
    files, table = power_on(kept, changed)
    assert len(table.store.problems) == 1
    assert all(bad(files, broken, data) for broken, data in changed.items())
    assert value(table, name) == DEFAULTS[name]
    go_on(table, files, 3, 40)


@every_slot
def test_an_empty_slot_is_what_a_power_cut_leaves(kept, name):
    """littlefs makes a file before it fills it: that is nothing to be told."""
    newest, other = latest(kept, name)
    for broken, last in ((other, LATEST[name]), (newest, unwrapped(name, readable(kept[other])[-1]))):
        files, table = power_on(kept, {broken: b""})
        assert not table.store.problems
        assert value(table, name) == last
        go_on(table, files, 4, 40)


WRONG_VALUES = {
    "settings": [
        (2, {"sound": "off", "new": 1}),
        (1, {}),
        None,
        7,
        (),
        (0, {}),
        ("1", {}),
        (1, ("loud",)),
        (1,),
        (1, {}, 3),
    ],
    "names": [
        (2, ("A", "B")),
        (1, ("A",)),
        (1, ("A", "")),
        (1, ("A", "NINELONGS")),
        (1, (1, 2)),
        (1, ("A",) * 41),
        (1, {}),
    ],
    "clock": [None, (4, 0, 5), (4, 0, None, True), ("x", 0, 5, True), {"order": 4}, (4, 0, 5, True, 1)],
}


@pytest.mark.parametrize("name, wrong", [(name, wrong) for name in WRONG_VALUES for wrong in WRONG_VALUES[name]])
def test_a_value_that_makes_no_sense_here(kept, name, wrong):
    """Whole frames, from another version or out of nowhere: the value before it counts, and all of it is kept."""
    newest, _ = latest(kept, name)
    start = last_frame(kept[newest])
    seq = (kept[newest][start + 1] | kept[newest][start + 2] << 8) + 1
    data = kept[newest] + frame(seq, pack_value(wrong))
    files, table = power_on(kept, {newest: data})
    if (name, wrong) == ("settings", (1, {})):
        # Settings that an older version did not know have their defaults.
        assert not table.store.problems and table.settings == dict(values.defaults(), sound="loud")
        return
    newer = isinstance(wrong, tuple) and wrong and wrong[0] == 2
    assert len(table.store.problems) == 1
    assert ("Too new" in table.store.problems[0]) == bool(newer)
    assert bad(files, newest, data)
    assert value(table, name) == LATEST[name]
    steps = files.steps
    assert value(Table(files), name) == LATEST[name] and files.steps == steps, "it is copied once"
    # It is told until there is a new value.
    table.change("sound", "quiet")
    table.store.save("names", values.packed_names(table.names))
    table.keep_clock(500, True)
    go_on(table, files, 5, 40)


def test_only_values_of_a_newer_version(kept):
    """What has been there before the other version is gone: the defaults, and both versions find theirs again."""
    newer = frame(9, pack_value((2, "what will be")))
    changed = {"settings.a": newer, "settings.b": frame(8, pack_value((3,)))}
    files, table = power_on(kept, changed)
    assert table.settings == DEFAULTS["settings"]
    assert table.store.problems == ["Too new: settings."]
    assert all(bad(files, name, data) for name, data in changed.items())
    table.change("sound", "quiet")
    assert table.save()
    assert Table(files).settings == dict(values.defaults(), sound="quiet")
    assert bad(files, "settings.a", newer)


# -- a broken journal --------------------------------------------------------------------------------


def entries(data, number):
    """How many entries can be read in a file of the journal, whose first frame has this number."""
    count = at = 0
    while at < len(data):
        start, end = read(data, at, number + count)
        if not start:
            break
        count += data[start] < HEADER
        at = end + 4
    return count


@every_damage
def test_the_newest_part_of_a_journal(kept, damage):
    """Its segment begins with the snapshot after entry 96."""
    data = damage(kept["4.3.0"])
    files, table = power_on(kept, {"4.3.0": data})
    assert table.store.problems == ["A part of match 4 is lost."]
    assert bad(files, "4.3.0", data)
    count = 96 + entries(data, 96)
    assert len(table.match.journal) == count and table.scores() == [count, 0]
    assert table.match.journal.damage() == -1
    go_on(table, files, 6, 70)


@pytest.mark.parametrize("number", [0, 1, -1])
@every_damage
def test_each_part_of_the_segment_that_is_written(kept, number, damage):
    """Here the newest segment is the third: nothing before the damage is lost, nothing after it is taken for more."""
    files = without(kept, 3)
    name = part(files, 2, number)
    data = damage(files[name])
    before = b"".join(files[f"4.2.{other}"] for other in range(int(name[-1])))
    files, table = power_on(files, {name: data})
    assert table.store.problems == ["A part of match 4 is lost."]
    assert bad(files, name, data)
    count = 64 + entries(before + data, 64)
    assert len(table.match.journal) == count and table.scores() == [count, 0]
    go_on(table, files, 7, 70)


@pytest.mark.parametrize("which", [(0, 1), (1, 0), (1, -1), (2, -1)])
@every_damage
def test_an_old_part_is_not_needed_for_the_score(kept, which, damage):
    """But an undo may come to it: then it says so, and all before it stands."""
    name = part(kept, *which)
    files, table = power_on(kept, {name: damage(kept[name])})
    assert not table.store.problems and table.scores() == [100, 0]
    go_on(table, files, 8, 5, whole=False)
    _, table = power_on(kept, {name: damage(kept[name])})
    while table.match.can_undo:
        before = table.scores()
        try:
            table.match.undo()
        except Exception as refusal:
            assert str(refusal) == "No more can be undone"
            assert table.scores() == before
            return
    # Nobody looks behind the last entry of a segment that is full.
    assert which[1] != 0 and damage is NOT_READABLE["something behind it"] and table.scores() == [0, 0]


@every_damage
def test_the_first_part_with_the_header(kept, damage):
    """The second copy tells whose match it is, the snapshots what it stands at."""
    data = damage(kept["4.0.0"])
    files, table = power_on(kept, {"4.0.0": data})
    assert (table.match.players, table.scores()) == (("ANNA", "BEN"), [100, 0])
    if not read(data, 0, 0)[0]:
        assert table.store.problems == ["A part of match 4 is lost."]
        assert bad(files, "4.0.0", data)
        assert not Table(files).store.problems
    go_on(table, files, 9, 70, whole=False)


@every_damage
def test_the_second_copy_of_the_header(kept, damage):
    files, table = power_on(kept, {"4.head": damage(kept["4.head"])})
    assert not table.store.problems and table.scores() == [100, 0]
    go_on(table, files, 10, 70)


def test_the_second_copy_of_the_header_is_gone(kept):
    files, table = power_on({name: data for name, data in kept.items() if name != "4.head"}, {})
    assert not table.store.problems and table.scores() == [100, 0]
    go_on(table, files, 10, 70)


@every_damage
def test_both_headers(kept, damage):
    """Then nobody knows what was played: it is set aside, and the next match can begin."""
    changed = {name: b"\x7e" + damage(kept[name]) for name in ("4.head", "4.0.0")}
    files, table = power_on(kept, changed)
    assert table.match is None
    assert table.store.problems == ["Match 4 cannot be read."]
    for name, data in {**kept, **changed}.items():
        if name.startswith("4."):
            assert bad(files, name, data), name
    assert [record["order"] for record in table.store.records()] == [1, 2, 3]
    go_on(table, files, 11, 60)
    assert table.match.order > 4


def test_a_part_that_is_gone(kept):
    """A gap is no part of the journal: what comes after it is set aside."""
    for name, count in (("4.3.0", 96), ("4.0.0", 100), (part(kept, 2, -1), 100)):
        files, table = power_on({other: data for other, data in kept.items() if other != name}, {})
        assert len(table.match.journal) == count and table.scores() == [count, 0]
        go_on(table, files, 12, 40, whole=False)
    files, table = power_on({name: data for name, data in without(kept, 3).items() if name != "4.2.0"}, {})
    assert table.store.problems == ["A part of match 4 is lost."]
    assert len(table.match.journal) == 64 and table.scores() == [64, 0]
    assert bad(files, "4.2.1", kept["4.2.1"])
    go_on(table, files, 13, 40)


@pytest.mark.parametrize("segment, number", [(0, 1), (1, 0), (2, 1), (3, 0)])
def test_an_empty_part_at_the_end_is_what_a_power_cut_leaves(kept, segment, number):
    """littlefs makes a file before it fills it. What is played then must not get lost for it: 70 entries more."""
    files, table = power_on(without(kept, segment, number), {f"4.{segment}.{number}": b""})
    assert not table.store.problems
    count = len(table.match.journal)
    assert table.scores() == [count, 0]
    score(table, 70)
    again = Table(files)
    assert not again.store.problems and again.scores() == [count + 70, 0]
    assert list(again.match.journal) == list(table.match.journal)


def test_a_match_whose_first_entry_did_not_arrive_is_none(kept):
    """The one before it is still there, until the new one has an entry."""
    files, table = power_on(kept, {"5.head": kept["4.head"], "5.0.0": b""})
    assert not table.store.problems
    assert (table.match.order, table.scores()) == (4, [100, 0])
    score(table)
    assert Table(files).scores() == [101, 0]
    tally(table)
    score(table, 2)
    while table.store.tidy():
        pass
    assert Table(files).scores() == [2, 0]
    assert not [name for name in files.files if name.startswith(("4.0", "4.h", "5."))]


def wrong_journals():
    header = bytes([HEADER])
    good = (1, "tally", ("ANNA", "BEN"), {}, 4)
    yield "a newer version", header + pack_value((2, *good[1:]))
    yield "an unknown game", header + pack_value((1, "chess", *good[2:]))
    yield "no players", header + pack_value((1, "tally", (), {}, 4))
    yield "unknown options", header + pack_value((1, "tally", ("ANNA",), {"colour": 1}, 4))
    yield "another shape", header + pack_value((1, "tally"))
    yield "no header", pack_value(good)
    yield "players of no shape", header + pack_value((1, "tally", 5, {}, 4))
    yield "nothing", header


@pytest.mark.parametrize("payload", [pytest.param(payload, id=name) for name, payload in wrong_journals()])
def test_a_journal_that_makes_no_sense_here(kept, payload):
    """Whole frames, from another version or out of nowhere."""
    changed = {"5.head": frame(0, payload), "5.0.0": frame(0, payload) + frame(0, pack((1, 1)))}
    files, table = power_on(kept, changed)
    assert table.store.problems == ["Match 5 cannot be read."]
    assert all(bad(files, name, data) for name, data in changed.items())
    assert (table.match.order, table.scores()) == (4, [100, 0])
    assert not Table(files).store.problems
    go_on(table, files, 14, 40)
    tally(table)
    score(table)
    assert table.match.order >= 6


@pytest.mark.parametrize("entry", [(0xDF,), (1, 5000), (2, 2), (0xF7,)])
def test_an_entry_that_the_rules_refuse(kept, entry):
    """From a newer version, say. Nobody can tell what came of it: the match is set aside as it is."""
    data = kept["4.3.0"] + frame(100, pack(entry))
    files, table = power_on(kept, {"4.3.0": data})
    assert table.match is None and table.store.problems == ["Match 4 cannot be read."]
    assert bad(files, "4.3.0", data) and bad(files, "4.0.0", kept["4.0.0"])
    go_on(table, files, 15, 40)


@pytest.mark.parametrize("name", ["4.3.0", "4.2.1", "4.2.0", "4.0.0"])
def test_a_power_cut_while_it_is_put_right(kept, name):
    """Each step of that leaves all that could be read."""
    files = dict(kept) if name == "4.3.0" else without(kept, 3)
    files[name] = files[name][:7] if name == "4.0.0" else cut_in_the_middle(files[name])
    memory = MemoryFiles(files, keep=True)
    table = Table(memory)
    count = len(table.match.journal)
    assert memory.history
    for left in memory.history:
        files = MemoryFiles(left)
        again = Table(files)
        assert len(again.match.journal) == count and again.scores() == [count, 0]
        go_on(again, files, 18, 40, whole=False)


# -- a broken record ---------------------------------------------------------------------------------


@every_damage
def test_a_record(kept, damage):
    data = damage(kept["2.record"])
    files, table = power_on(kept, {"2.record": data})
    if read(data, 0, 2)[0]:
        assert [record["order"] for record in table.store.records()] == [1, 2, 3]
        return
    assert [record["order"] for record in table.store.records()] == [1, 3]
    assert table.store.problems == ["Record 2 cannot be read."]
    assert bad(files, "2.record", data)
    assert [record["order"] for record in Table(files).store.records()] == [1, 3]
    go_on(table, files, 16, 40)


def test_a_record_that_is_empty_or_of_another_match(kept):
    for data in (b"", kept["3.record"]):
        files, table = power_on(kept, {"2.record": data})
        assert [record["order"] for record in table.store.records()] == [1, 3]
        assert len(table.store.problems) == 1 and bad(files, "2.record", data)


def test_names_that_are_none_of_ours_are_left_alone(kept):
    others = {
        "x.record": b"1",
        "-4.0.1": b"2",
        "a.0.1": b"3",
        ".": b"4",
        "..": b"5",
        "notes.txt": b"6",
        "crash.txt": b"7",
    }
    files, table = power_on(kept, others)
    assert not table.store.problems and table.scores() == [100, 0]
    go_on(table, files, 17, 60)
    assert others.items() <= files.files.items()


@SETTINGS
@given(st.dictionaries(st.integers(0, 30), st.tuples(st.integers(0, 3), st.binary(max_size=30)), max_size=4), seeds)
def test_whatever_is_on_the_flash_the_table_can_play(spoiled, seed):
    """Any files, with anything in them: it starts, and what is played then is kept."""
    files = dict(KEPT)
    names = sorted(files)
    for number, (how, data) in spoiled.items():
        name = names[number % len(names)]
        whole = files[name]
        at = (seed + number) % (len(whole) + 1)
        files[name] = (data, whole[:at] + data, data + whole[at:], whole[:at] + data + whole[at + len(data) :])[how]
    memory = MemoryFiles(files)
    table = Table(memory)
    list(table.store.records())
    tally(table)
    score(table, 40)
    table.change("sound", "quiet")
    table.store.save("names", values.packed_names(("A", "B")))
    table.keep_clock(7, True)
    assert table.save()
    again = Table(memory)
    assert not again.store.problems
    assert (
        again.scores() == [40, 0]
        and again.names == ("A", "B")
        and again.settings == dict(values.defaults(), sound="quiet")
    )
    assert again.kept_clock() == (7, True)


KEPT = make()

# -- a power cut -------------------------------------------------------------------------------------


def check_cuts(truth, files, at, **how):
    """The files as each step found them, and as the last one left them. Returns how many were looked at."""
    histories = [*files.history, dict(files.files)]
    for number, left in enumerate(histories):
        low = bisect_right(at, number) - 1
        high = min(low + 1, len(at) - 1)
        truth.check(MemoryFiles(left), low, high, more=40 if number % 8 == 0 else 2, seed=number, **how)
    return len(histories)


@settings(deadline=None, derandomize=True, max_examples=3)
@given(seeds)
def test_a_power_cut_at_each_step_of_an_evening(seed):
    assert check_cuts(*play(seed, 50, again=25)) > 40


def test_an_evening_whose_history_says_something_else_is_found():
    truth, files, at = play(3, 120, ("tally",))
    last = len(at) - 1

    def refiled(**other):
        left = MemoryFiles(dict(files.files))
        table = Table(left)
        record = next(table.store.records())
        table.store.record(record["order"], dict(record, **other))
        assert table.save()
        return left

    truth.check(refiled(seconds=12), last, last)  # how long it took no journal tells
    with pytest.raises(Lost, match="has another record"):
        truth.check(refiled(winners=(1,), length=99), last, last)


def test_the_clock_of_many_evenings():
    """Values of the running clock after power-ons that did not ask for it: the newest counts all the same."""
    files = MemoryFiles()
    table = Table(files)
    tally(table)
    score(table)
    for number in range(60):
        if number % 17 == 16:
            table = Table(files)
        table.keep_clock(number, False)
        assert table.save()
        assert Table(files).kept_clock() == (number, False)


def test_a_finished_match_is_in_the_history_before_the_next_one_begins():
    """Although both are written at once: two presses, before there was time to write."""
    files = MemoryFiles(keep=True)
    table = Table(files)
    tally(table)
    score(table, 3)
    tally(table)  # the one before ends here
    table.match.do((1, 5))
    assert table.save()
    found = set()
    for left in [*files.history, files.files]:
        table = Table(MemoryFiles(left))
        table.save()
        order = table.match.order if table.match else 0
        found.add(order)
        ended = [1] if order == 2 or table.winner() != "none" else []
        assert [record["order"] for record in table.store.records()] == ended
    assert found == {0, 1, 2}


def test_a_match_that_is_won_and_left_at_once_is_in_the_history():
    files = MemoryFiles()
    table = Table(files)
    table.begin(GAMES["tally"], ("ANNA", "BEN"), {"target": 5, "ends": "at once"})
    table.match.do((1, 5))
    assert table.winner() == "ANNA"
    tally(table)  # AGAIN, before there was time to write
    score(table)
    assert [record["order"] for record in table.store.records()] == [1]


# -- a flash without room ----------------------------------------------------------------------------


def finish(table, count):
    for _ in range(count):
        tally(table)
        score(table)
        table.match.do((END,))
        assert table.save()


def test_the_oldest_records_go_first_and_the_running_match_never():
    files = MemoryFiles()
    table = Table(files)
    finish(table, 12)
    tally(table)
    score(table)
    # What is left of older matches goes before any record.
    garbage = [name for name in files.files if name.startswith("12.") and not name.endswith("record")]
    assert garbage
    files.room = files_cost(files)
    gone = []
    entries = 1
    while not table.full and entries < 3000:
        table.match.do((1, 1))
        entries += 1
        table.save()
        for name in garbage[:]:
            if name not in files.files:
                assert not gone, "a record went first"
                garbage.remove(name)
        orders = [record["order"] for record in table.store.records()]
        assert orders == list(range(13 - len(orders), 13)), "not the oldest"
        gone = list(range(1, 13 - len(orders)))
        found = Table(MemoryFiles(files.files))
        assert found.match.order == 13 and found.scores() == [entries if not table.full else entries - 1, 0]
    assert table.full and len(gone) == 12 and not garbage
    # Nothing is left to go: the match goes on, and all of it is written once there is room.
    for _ in range(50):
        table.match.do((1, 1))
        entries += 1
        assert not table.save()
    assert table.scores() == [entries, 0]
    files.room += 4000
    assert table.save()
    again = Table(files)
    assert not again.store.problems
    assert again.scores() == [entries, 0]
    assert list(again.match.journal) == list(table.match.journal)


def files_cost(files):
    return sum(40 + len(data) for data in files.files.values())


def filed(count):
    """The files of so many finished matches, and nothing else, and the table that has played them."""
    files = MemoryFiles()
    table = Table(files)
    finish(table, count)
    while table.store.tidy():
        pass
    return files, table


def test_a_record_that_has_no_room_pushes_the_oldest_out():
    files, table = filed(8)
    tally(table)
    score(table, 5)
    while table.store.tidy():
        pass
    files.room = files_cost(files) + 30
    table.match.do((END,))
    assert table.save()
    orders = [record["order"] for record in table.store.records()]
    assert orders[-1] == 9 and orders == list(range(orders[0], 10)) and 1 < orders[0] < 9


def test_what_is_deleted_without_room_takes_no_other_record_along():
    files, table = filed(5)
    last = table.store.finished()[-1]
    files.room = files_cost(files)
    table.store.erase(last)
    assert table.save()
    assert table.store.finished() == list(range(1, last))
    again = Table(files)
    again.save()
    assert again.store.finished() == list(range(1, last)), "its journal is still there"


@pytest.mark.parametrize("begun", (0, 1, 2))
def test_what_is_deleted_stays_so_whoever_was_looked_into_since(begun):
    """Its journal is the last one on flash until the next match has its first entry."""
    files = MemoryFiles()
    table = Table(files)
    finish(table, 3)
    last = table.store.finished()[-1]
    for _ in range(begun):
        tally(table)
    table.store.erase(last)
    assert table.save()
    again = Table(files)
    again.save()
    assert last not in again.store.finished() and last not in Table(files).store.finished()


def test_no_room_for_settings_and_names():
    files = MemoryFiles()
    table = Table(files)
    tally(table)
    score(table)
    files.room = 0
    table.change("sound", "off")
    table.store.save("names", values.packed_names(("A", "B")))
    table.match.do((1, 4))
    assert not table.save()
    left = Table(MemoryFiles(files.files))
    assert (left.scores(), left.settings, left.names) == ([1, 0], DEFAULTS["settings"], DEFAULTS["names"])
    files.room = None
    assert table.save() and not table.store.pending
    again = Table(files)
    assert (again.scores(), again.settings, again.names) == ([5, 0], dict(values.defaults(), sound="off"), ("A", "B"))


faults = st.dictionaries(st.integers(0, 220), st.sampled_from(["before", "after", "half"]), max_size=60)


def unlucky_evening(seed, plan, kinds):
    """An evening whose writes fail as planned: (its truth, its files, how many steps each moment had, the table)."""
    files = MemoryFiles(keep=True)
    files.fault = lambda: fault if (fault := plan.get(files.steps, "")) in kinds else ""
    table = Table(files)
    chance = Chance(seed)
    scribe = Scribe()
    at = [0]
    before = []
    for _ in range(60):
        before.append(table.match)
        step(table, chance, GAME_KEYS)
        if scribe.save(table, before):
            at.append(files.steps)
            before = []
        if not chance.below(4):
            table.store.tidy()
    files.fault = lambda: ""
    if not scribe.save(table, before):
        raise Lost("no room, although there is")
    at.append(files.steps)
    return scribe.truth, files, at, table


@settings(SETTINGS, max_examples=6)
@given(seeds, faults)
def test_writes_that_fail_at_any_moment_double_and_lose_nothing(seed, plan):
    _, files, _, table = unlucky_evening(seed, plan, ("before", "after", "half"))
    again = Table(files)
    # A slot may have an end that is not whole: nothing is lost by it, and it is said once.
    assert "half" in plan.values() or not again.store.problems
    assert not table.store.pending and not Table(files).store.problems
    if table.match and table.match.journal:
        assert fingerprint(again.match) == fingerprint(table.match)
        assert list(again.match.journal) == list(table.match.journal)
    assert (again.settings, again.names) == (table.settings, table.names)
    assert list(again.store.records()) == list(table.store.records())
    go_on(again, files, seed, 40)


@settings(deadline=None, derandomize=True, max_examples=2)
@given(seeds, faults)
def test_a_power_cut_while_writes_fail(seed, plan):
    """As on littlefs, where a write that fails has left the file as it was, or is whole."""
    truth, files, at, _ = unlucky_evening(seed, plan, ("before", "after"))
    check_cuts(truth, files, at, forgot=True)


def test_a_long_match_holds_its_last_segments_alone_and_an_undo_reads_the_others_again():
    files = MemoryFiles()
    table = Table(files)
    tally(table)
    states = []
    for _ in range(400):
        states.append(table.match.state)
        score(table)
    held = [number for number, data in enumerate(table.match.journal.segments) if data is not None]
    assert len(held) <= 3 and held[-1] == len(table.match.journal.segments) - 1
    for state in reversed(states[300:]):
        table.match.undo()
        assert table.match.state == state
    assert table.save()
    assert Table(files).match.state == table.match.state == states[300]


def test_what_the_full_flash_did_not_take_stays_in_ram():
    files = MemoryFiles()
    table = Table(files)
    tally(table)
    score(table, 10)
    files.room = 0
    for _ in range(200):
        table.match.do((GAMES["tally"].ADD, 1))
        assert not table.save()
    assert all(data is not None for data in table.match.journal.segments)
    files.room = None
    assert table.save()
    assert Table(files).scores() == [210, 0]
