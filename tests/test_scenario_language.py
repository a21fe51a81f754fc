"""The scenario language: what it says when a line can't be understood, and when a device disagrees."""

import re
import subprocess
import sys

import pytest

from host_sim import firmware, run, tiers
from host_sim.scenario import BOUNCES, ScenarioError, duration, parse

ROOT = firmware.ROOT


def write(tmp_path, text, name="a.txt"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('press ok\npres ok\nexpect text "x"', ":2: 'pres ok' is no step"),
        ("press middle\n", ":1: 'middle' is no button: there are left, back, ok, right"),
        ("wait 3\n", ":1: 'wait 3' is not how 'wait' is written; write: wait 1.5s (tests/scenarios/README.md)"),
        ("hold ok\n", "write: hold ok 1.2s"),
        ("press left, right\n", "write: press ok | press left for 200ms"),
        ("press left, right\n", "| press left, right 500us apart"),
        ("expect text GO!\n", "is not how 'expect text' is written; write: expect text \"GO!\" within 200ms"),
        ("expect scores 7 4 within 200\n", "write: expect scores 7 4, and its time is such as: within 200ms"),
        ("expect 3 bleeps\n", "write: expect 2 beeps | expect 2 blinks"),
        ("expect txt\n", "is no step; after expect comes 2, at, bus, data, file"),
        ("expect no ghosts\n", "is no step; after expect comes"),
        ("board FOO\n", ":1: no board 'FOO': there are RPI_PICO, "),
        ("press ok\nflash full\n", ":2: 'flash full': only while the power is off; put `power off` above it"),
        ("flash full\npower on\nflash free\n", ":3: 'flash free': only while"),
        ("mark\nfile data/1.0.0 gone\n", ":2: 'file data/1.0.0 gone': only while"),
        ("mark\npanel wires swapped\n", ":2: 'panel wires swapped': only while"),
        ("power off\npower on\npanel at 0x3D\n", ":3: 'panel at 0x3D': only while"),
        ("edges ok 3 2\n", ":1: the times '3 2' must be given, and rise"),
        ("edges ok 3 x\n", ":1: '3 x' are no numbers"),
        ("tiers cpython\n", ":1: say why it is not for all"),
        ("tiers pico because\n", ":1: no tier 'pico'"),
        ("press ok\nticks 5\n", ":2: ticks stands before the first step"),
        ("press ok\n", "expects nothing"),
    ],
)
def test_a_bad_line_names_file_line_and_remedy(tmp_path, text, says):
    path = write(tmp_path, text)
    with pytest.raises(ScenarioError) as caught:
        parse(path)
    assert str(path) in str(caught.value)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_board_that_does_not_fit_is_told_before_anything_plays(tmp_path, monkeypatch):
    from host_sim import board

    monkeypatch.setattr(board, "BOARDS", tmp_path)
    (tmp_path / "OWN").mkdir()
    (tmp_path / "OWN" / "board.json").write_text("{\n", "utf-8")
    with pytest.raises(ScenarioError, match=r"a\.txt:1: .*OWN/board\.json: line 1: not JSON: the file ends too early"):
        parse(write(tmp_path, 'board OWN\nexpect text "x"\n'))


def test_what_is_only_for_the_dark_goes_while_the_power_is_off(tmp_path):
    text = "flash full\nfile x gone\npower on\npower off\npanel at 0x3D\npanel wires swapped\nexpect led off\n"
    assert len(parse(write(tmp_path, text)).steps) == 7


def test_a_file_that_is_not_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScenarioError, match="not UTF-8"):
        parse(path)


def test_header_comments_and_quotes(tmp_path):
    path = write(
        tmp_path,
        "# a comment\ntiers cpython because it is a test\nticks 2^30 - 2000\n\n"
        'press ok   # PLAY\nexpect text "a # in \' text" within 1.5s\n',
    )
    scenario = parse(path)
    assert scenario.tiers == ("cpython",)
    assert scenario.reason == "it is a test"
    assert scenario.ticks == (1 << 30) - 2000
    assert [step.verb for step in scenario.steps] == ["press", "text"]
    assert scenario.steps[1].args == {"text": "a # in ' text", "within": 1_500_000}
    assert scenario.steps[1].line == 6


def test_durations():
    assert [duration(t) for t in ("250us", "0.5ms", "1.2s", "17min", "2h")] == [
        250,
        500,
        1200000,
        1020000000,
        7200000000,
    ]


def test_bounces_end_closed_and_open():
    for closing, opening in BOUNCES.values():
        assert len(closing) % 2 == 1 and len(opening) % 2 == 1


def failure_of(tmp_path, text):
    result = run.play(parse(write(tmp_path, text)), "cpython")
    assert result.failure
    return result.failure


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ('expect text "GO!"', "the glass reads"),
        ('expect no text "ZIP-IT"', "the glass reads"),
        ("expect scores 1 0", "the scores are []"),
        ("expect winner RED", "the winner is none"),
        ("expect piezo 440Hz", "the piezo is silent"),
        ("expect 3 beeps", "0 beeps"),
        ("expect led on", "the LED is off"),
        ("expect bus under 5 bytes", "bytes since the last mark"),
        ("expect data exactly 0 bytes", "bytes since the last mark"),
        ("expect glass never-kept", "there is no kept frame"),
    ],
)
def test_a_failure_names_file_line_expectation_and_shows_the_glass(tmp_path, step, says):
    failure = failure_of(tmp_path, "wait 10ms\n" + step + "\n")
    assert failure.startswith(f"{tmp_path / 'a.txt'}:2: {step}\n")
    assert "on cpython, 2.0" in failure and "s after power-on" in failure
    assert says in failure
    assert failure.count("│") == 64


def test_a_crash_that_nobody_expected_comes_first(tmp_path):
    (tmp_path / "main_trips.py").write_text((ROOT / "tests" / "scenarios" / "main_trips.py").read_text("utf-8"))
    crash = (ROOT / "tests" / "scenarios" / "crash.txt").read_text("utf-8").split("expect", 1)[0]
    crash = "\n".join(line for line in crash.splitlines() if not line.startswith("tiers"))
    failure = failure_of(tmp_path, crash + '\nwait 1s\nexpect text "GO!"\n')
    told = failure.splitlines()[1]
    assert told.startswith('  the firmware tripped: File "') and told.endswith(": ValueError: pile 10 > 9"), failure
    # One that was expected is no news.
    failure = failure_of(tmp_path, crash + '\nwait 1s\nexpect file data/crash.txt with "pile"\nexpect text "GO!"\n')
    assert "tripped:" not in failure
    failure = failure_of(tmp_path, 'file data/crash.txt "an old one"\npower on\nwait 2s\nexpect text "GO!"\n')
    assert "tripped:" not in failure


@pytest.mark.skipif(tiers.absent("rp2040") is not None, reason=f"tier rp2040: {tiers.absent('rp2040')}")
def test_a_heap_that_is_too_small_is_told(tmp_path):
    result = run.play(parse(write(tmp_path, "expect heap 1kB\nexpect heap 240kB\n")), "rp2040")
    assert result.failure and ":2: expect heap 240kB" in result.failure and " kB are free" in result.failure
    assert result.heap and 1000 < result.heap < 240_000


def test_presses_are_counted_from_the_mark_and_a_bounce_is_none(tmp_path):
    text = "press left bounce heavy\nmark\npress left\nhold left 1s\npress left, right 5ms apart\n"
    assert run.play(parse(write(tmp_path, text + "expect at most 4 presses\n")), "cpython").failure is None
    assert "4 presses since the last mark" in failure_of(tmp_path, text + "expect at most 3 presses\n")


def test_a_changed_frame_fails_and_accept_keeps_it(tmp_path):
    path = write(tmp_path, "expect glass home\npress ok\nexpect glass ready\n")
    scenario = parse(path)
    assert "there is no kept frame" in run.play(scenario, "cpython").failure
    assert run.play(scenario, "cpython", accept=True).failure is None
    played = run.play(scenario, "cpython")
    assert played.failure is None
    assert played.drawn_by == {"home": ("English", "Home"), "ready": ("English", "ZipReady")}
    run.write_screens(tmp_path / "frames", {**played.drawn_by, "gone": ("English", "Home")})
    assert run.read_screens(tmp_path / "frames") == played.drawn_by
    (tmp_path / "frames" / "ready.png").write_bytes((tmp_path / "frames" / "home.png").read_bytes())
    assert "pixels differ" in run.play(scenario, "cpython").failure


def test_save_writes_the_glass_as_a_picture(tmp_path):
    path = write(tmp_path, 'save out/home.png\nexpect text "ZIP-IT"\n')
    assert run.play(parse(path), "cpython", out=tmp_path).failure is None
    assert (tmp_path / "out" / "home.png").read_bytes().startswith(b"\x89PNG")


def test_glass_unchanged_fails_when_it_changes(tmp_path):
    failure = failure_of(tmp_path, "press ok\npress ok\nwait 1s\nexpect glass unchanged for 2s\n")
    assert "the glass changed" in failure


def test_tiers_that_differ_are_told_by_line(tmp_path):
    scenario = parse(write(tmp_path, 'expect text "ZIP-IT"\npress ok\nexpect text "First"\n'))
    one, other = run.play(scenario, "cpython"), run.play(scenario, "cpython")
    assert run.differences([one, other]) == []
    line, glass = other.frames[1]
    other.frames[1] = (line, [bytes([1]) * 128, *glass[1:]])
    other.tier = "elsewhere"
    (found,) = run.differences([one, other])
    assert f"{scenario.path}:3:" in found and "between cpython and elsewhere" in found


def test_a_text_that_the_glass_before_the_press_has_on_one_tier_only_is_told(tmp_path):
    scenario = parse(write(tmp_path, 'press ok\nexpect text "ZIP" within 1s\npress ok\nexpect text "GO!" within 1s\n'))
    quick, slow = run.play(scenario, "cpython"), run.play(scenario, "cpython")
    assert quick.early == slow.early == set()
    slow.early, slow.tier = {2}, "slow"
    (found,) = run.differences([quick, slow])
    assert found.startswith(f"{scenario.path}:2: on slow the glass before the press has that text too, on cpython")

    at_once = run.play(parse(write(tmp_path, 'wait 1ms\ndown left\nexpect text "ZIP-IT"\n')), "cpython")
    assert at_once.early == {3}, "the key is not even debounced"


def command(*args):
    return subprocess.run(
        [sys.executable, "-m", "host_sim", *map(str, args)], capture_output=True, text=True, check=False, cwd=ROOT
    )


def test_the_command_line(tmp_path):
    good = write(tmp_path, 'expect text "ZIP-IT"\n', "good.txt")
    bad = write(tmp_path, 'expect text "nonsense"\n', "bad.txt")
    broken = write(tmp_path, "fly\n", "broken.txt")
    done = command("run", good, "--tier", "cpython")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "good.txt: cpython ok" in done.stdout
    done = command("run", good, bad)
    assert done.returncode == 1
    assert f"{bad}:1: expect text" in done.stdout
    done = command("run", broken)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{broken}:1: 'fly' is no step") and done.stderr.count("\n") == 1
    missing = f"{tmp_path / 'none.txt'}: there is no such file; the scenarios are tests/scenarios/*.txt\n"
    done = command("run", tmp_path / "none.txt")
    assert (done.returncode, done.stderr) == (2, missing)
    done = command("film", tmp_path / "none.txt", "-o", tmp_path / "none.gif")
    assert (done.returncode, done.stderr) == (2, missing)
    done = command("run", tmp_path)
    assert done.returncode == 2 and "this is a folder; name the files in it" in done.stderr


def test_the_reference_knows_every_step_and_every_line_of_it_parses(tmp_path):
    text = (ROOT / "tests" / "scenarios" / "README.md").read_text("utf-8")
    blocks = text.split("```\n")[1::2]
    (tmp_path / "main_noisy.py").write_text("", "utf-8")
    told = re.sub(r"^(panel (?:at|wires)|flash|file) ", r"power off\n\g<0>", "\n".join(blocks), flags=re.M)
    scenario = parse(write(tmp_path, told))
    from host_sim.scenario import STEPS

    assert {step.verb for step in scenario.steps} == {verb for _, verb, _ in STEPS}
