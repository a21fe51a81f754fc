"""While presses or beats are timed nothing is written: a flash that writes stops the interrupts for up to 50 ms.

On the emulated Pico the flash itself is looked at, elsewhere the files: those tests can see when, not how long.
"""

import pytest

from host_sim import run, tiers
from host_sim.board import load
from host_sim.firmware import BOARDS

MS = 1000
SECOND = 1000 * MS
BOOTED = SECOND
CALLED = 150 * MS  # after ZIP! the other player may be about to call, too
BEFORE_A_BEAT = 150 * MS


@pytest.fixture
def make(tmp_path):
    made = []

    def make_one(tier):
        reason = tiers.absent(tier)
        if reason:
            pytest.skip(f"tier {tier}: {reason}")
        board = load(BOARDS / "RPI_PICO" / "board.json")
        flash = tmp_path / "flash"
        run.put_files(board, flash)
        device = tiers.make(tier, board, flash)
        made.append(device)
        device.power_on()
        device.run(BOOTED)
        return device

    yield make_one
    for device in made:
        device.close()


def press(device, *roles, after=400 * MS):
    for role in roles:
        device.key(role, True)
        device.run(device.now + 60 * MS)
        device.key(role, False)
        device.run(device.now + after)


def writes(device, until):
    """When the files changed, to 2 ms."""
    found = []
    before = device.files()
    while device.now < until:
        device.run(min(until, device.now + 2 * MS))
        files = device.files()
        if files != before:
            found.append(device.now)
            before = files
    return found


def test_the_flash_rests_from_the_commit_of_go_until_zip_was_called(make):
    device = make("rp2040")
    press(device, "ok")
    assert not device.flash_ops
    went = device.now
    press(device, "ok", after=0)
    device.run(went + 600 * MS)
    assert device.flash_ops, "GO! is kept while it stands"
    begun = device.now
    device.run(went + 3 * SECOND)
    called = device.now
    press(device, "left", after=0)
    device.run(called + 3 * SECOND)  # ZIP! has stood, and is kept
    times = [at for at, *_ in device.flash_ops]
    assert not [at for at in times if begun <= at <= called + CALLED]
    assert times[-1] > called + CALLED


def test_a_go_that_was_not_kept_while_it_stood_waits_for_the_call(make):
    """A dead key takes GO! from the glass before it is written."""
    device = make("cpython")
    press(device, "ok")
    press(device, "ok", after=20 * MS)
    press(device, "back", after=0)
    called = device.now + 3 * SECOND
    assert not writes(device, called)
    device.key("left", True)
    assert not writes(device, called + CALLED)
    assert writes(device, called + 3 * SECOND)


def test_the_files_of_the_match_before_stay_while_a_round_runs(make):
    device = make("cpython")
    press(device, "ok")
    press(device, "ok")
    press(device, "left", after=2 * SECOND)
    press(device, "ok", after=2 * SECOND)  # the grid is good
    device.key("ok", True)
    device.run(device.now + SECOND)
    device.key("ok", False)
    device.run(device.now + 100 * MS)
    press(device, "right", "right", "right", "ok")  # home
    press(device, "right", "ok", "right", "ok")  # ZIP-IT anew, end that one
    assert "data/1.head" in device.files()
    press(device, "ok", after=540 * MS)  # GO!
    assert "data/2.head" in device.files()
    assert not writes(device, device.now + 3 * SECOND)
    assert "data/1.head" in device.files()
    press(device, "left", after=2 * SECOND)
    assert "data/1.head" not in device.files()


def test_no_write_comes_just_before_a_beat(make):
    """What found no room is tried again after 5 s, and here that is 80 ms before the third beat."""
    device = make("cpython")
    press(device, "right", "ok", "ok")
    device.fill(True)
    press(device, "ok", after=0)  # a count, to have something to write
    while device.ask("app.running.full") == "False":
        device.run(device.now + MS)
    again = device.now + 5 * SECOND
    press(device, "back")
    press(device, "ok")  # so the memory is full
    device.run(again - 2 * SECOND + 80 * MS)
    device.key("right", True)
    counted = device.now
    device.run(device.now + 60 * MS)
    device.key("right", False)
    device.fill(False)
    times = writes(device, counted + 5500 * MS)
    tones = [tone for tone in device.piezo.tones if tone.start_us >= counted]
    beats = [tone.start_us for tone in tones if tone.frequency in (880, 1175, 1760)]
    assert len(beats) == 6
    assert 20 * MS < beats[2] - again < 130 * MS
    assert not [at for at in times for beat in beats if 0 <= beat - at <= BEFORE_A_BEAT]
    assert beats[2] < times[0] < beats[3], "in the same count, as soon as it may"


def test_a_timer_is_kept_after_each_of_its_last_seconds_and_never_just_before_one(make):
    device = make("cpython")
    press(device, "right", "right", "right", "ok")
    device.key("left", True)
    device.run(device.now + 6 * SECOND)  # 0:01
    device.key("left", False)
    press(device, *("right",) * 4)
    press(device, "ok", after=0)
    started = device.now
    device.run(started + 400 * MS)
    times = writes(device, started + 6 * SECOND)
    ends = next(tone.start_us for tone in device.piezo.tones if tone.frequency == 1760 and tone.start_us > started)
    seconds = [ends - number * SECOND for number in range(6)]
    assert not [at for at in times for second in seconds if 0 < second - at <= BEFORE_A_BEAT - 2 * MS]
    # What stands on the flash is at most so old.
    for second in seconds[:5]:
        assert [at for at in times if 0 <= at - second <= 300 * MS], second


def test_a_count_is_kept_within_300_ms(make):
    device = make("cpython")
    press(device, "right", "ok", "ok")
    counted = device.now
    device.key("right", True)
    assert writes(device, counted + 300 * MS)
