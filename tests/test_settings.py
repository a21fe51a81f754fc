"""Settings and names from whatever a file holds, and the arithmetic of the ticks."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pouch import settings as device
from pouch.frames import Damaged, pack_value, unpack_value
from pouch.store import Newer
from pouch.ticks import later, since

PERIOD = 1 << 30
HALF = PERIOD >> 1
SETTINGS = settings(deadline=None, derandomize=True, max_examples=120)

# All that a frame can hold.
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**30), 2**30), st.binary(max_size=8), st.text(max_size=12)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5).map(tuple), st.dictionaries(st.text(max_size=6), inner, max_size=5)
    ),
    max_leaves=8,
)
keys = [key for key, *_ in device.ROWS]
# What nearly is right: that is where mistakes are.
nearly = st.tuples(
    st.integers(-1, 3),
    st.one_of(
        values,
        st.dictionaries(st.one_of(st.sampled_from(keys), st.text(max_size=6)), values, max_size=4),
        st.lists(st.one_of(st.text(max_size=9), values), max_size=42).map(tuple),
    ),
)
junk = st.one_of(values, nearly, nearly.map(lambda value: (*value, None)), nearly.map(lambda value: value[:1]))
chosen = st.fixed_dictionaries(
    {
        "options": st.dictionaries(
            st.sampled_from(("zip_it", "tally")), st.dictionaries(st.text(max_size=8), st.integers(0, 500), max_size=3)
        ),
        **{key: st.sampled_from(allowed) for key, _, allowed, *_ in device.ROWS},
    }
)
names = st.lists(st.text(min_size=1, max_size=device.LONGEST_NAME), min_size=2, max_size=40).map(tuple)


def is_set(value):
    return (
        set(value) == {*keys, "options"}
        and isinstance(value["options"], dict)
        and all(value[key] in allowed for key, _, allowed, *_ in device.ROWS)
    )


def test_the_defaults_are_among_the_values():
    assert is_set(device.defaults())
    assert device.fit(device.packed(device.defaults())) == device.defaults()


def test_the_names_of_a_fresh_device_fit():
    assert device.fit_names(device.packed_names(device.NAMES)) == device.NAMES
    assert len(set(device.NAMES)) == len(device.NAMES)


@SETTINGS
@given(chosen)
def test_what_was_set_comes_back(value):
    kept, _ = unpack_value(pack_value(device.packed(value)))
    assert device.fit(kept) == value


@SETTINGS
@given(junk)
def test_settings_from_junk_are_settings_or_damaged_or_newer(value):
    kept, _ = unpack_value(pack_value(value))
    with contextlib.suppress(Damaged, Newer):
        assert is_set(device.fit(kept))


@SETTINGS
@given(chosen, st.sampled_from(keys), values)
def test_one_row_of_nonsense_costs_only_that_row(value, key, nonsense):
    version, rows = device.packed(value)
    allowed = next(allowed for row, _, allowed, *_ in device.ROWS if row == key)
    rows[key] = nonsense
    fitted = device.fit((version, rows))
    for row, _, _, default, _ in device.ROWS:
        if row != key:
            assert fitted[row] == value[row]
        elif nonsense not in allowed:
            assert fitted[row] == default


@SETTINGS
@given(chosen, st.sampled_from(keys))
def test_a_row_that_is_lacking_gets_its_default(value, key):
    version, rows = device.packed(value)
    del rows[key]
    default = next(default for row, _, _, default, _ in device.ROWS if row == key)
    assert device.fit((version, rows)) == {**value, key: default}


def test_own_options_are_those_that_the_game_knows():
    class Game:
        KEY = "game"
        OPTIONS = (("a", "A", (1, 2), 1, ""), ("b", "B", range(3, 9), 3, ""))

    kept = {"a": 2, "b": 9, "c": 1}
    assert device.own({"options": {"game": kept}}, Game) == {"a": 2}
    assert device.own({"options": {"game": {"a": (), "b": "4"}}}, Game) == {}
    assert device.own(device.defaults(), Game) == {}


def test_rows_that_nobody_knows_are_left_out():
    version, rows = device.packed(device.defaults())
    assert device.fit((version, {**rows, "colour": "pink"})) == device.defaults()


@pytest.mark.parametrize("fit", [device.fit, device.fit_names])
def test_a_later_version_is_newer_whatever_it_holds(fit):
    for value in ((device.VERSION + 1,), (device.VERSION + 1, {}, 3), (99, "anything")):
        with pytest.raises(Newer):
            fit(value)


@pytest.mark.parametrize("fit", [device.fit, device.fit_names])
@pytest.mark.parametrize(
    "value",
    [None, (), 1, {}, "1", (0, {}), (-1, {}), ("1", {}), (None, {}), (1,), (1, {}, {}), (1, None), (1, 5), [1, {}]],
)
def test_what_makes_no_sense_is_damaged(fit, value):
    with pytest.raises(Damaged):
        fit(value)


@SETTINGS
@given(names)
def test_names_come_back(value):
    kept, _ = unpack_value(pack_value(device.packed_names(value)))
    assert device.fit_names(kept) == value


@SETTINGS
@given(junk)
def test_names_from_junk_are_names_or_damaged_or_newer(value):
    kept, _ = unpack_value(pack_value(value))
    try:
        fitted = device.fit_names(kept)
    except (Damaged, Newer):
        return
    assert isinstance(fitted, tuple) and 2 <= len(fitted) <= 40
    assert all(isinstance(name, str) and 1 <= len(name) <= device.LONGEST_NAME for name in fitted)


@pytest.mark.parametrize(
    "names",
    [("ANNA",), ("A",) * 41, ("ANNA", ""), ("ANNA", "BENJAMINA"), ("ANNA", 5), ("ANNA", b"BEN"), ["ANNA", "BEN"]],
)
def test_names_that_do_not_fit(names):
    with pytest.raises(Damaged):
        device.fit_names((device.VERSION, names))


def test_one_entered_name_that_does_not_fit_costs_only_itself():
    own = device.NAMES
    assert device.fit_names((device.VERSION, (*own, "ANNA", "BENJAMINA", 5, "BEN"))) == (*own, "ANNA", "BEN")


# -- ticks -----------------------------------------------------------------------------------------------

ticks = st.one_of(st.integers(0, PERIOD - 1), st.sampled_from([0, 1, HALF - 1, HALF, HALF + 1, PERIOD - 1]))
spans = st.one_of(st.integers(-HALF, HALF - 1), st.sampled_from([-HALF, -1, 0, 1, HALF - 1]))


@SETTINGS
@given(ticks, spans)
def test_later_and_since_are_each_others_reverse(then, span):
    now = later(then, span)
    assert 0 <= now < PERIOD
    assert since(now, then) == span
    assert later(now, -span) == then
    if span != -HALF:
        assert since(then, now) == -span


@SETTINGS
@given(ticks, st.lists(st.integers(0, 400_000_000), max_size=30))
def test_many_steps_are_one_long_one(start, steps):
    now = start
    for step in steps:
        now = later(now, step)
    assert now == (start + sum(steps)) % PERIOD


def test_the_wrap():
    assert later(PERIOD - 1, 1) == 0
    assert later(0, -1) == PERIOD - 1
    assert since(5, PERIOD - 5) == 10
    assert since(PERIOD - 5, 5) == -10
    assert since(7, 7) == 0
