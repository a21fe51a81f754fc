"""An active buzzer has one pitch: cues are told apart by rhythm."""

import itertools
import json

import pytest
from pouch import cues, sound
from pouch.rhythm import rhythm

from host_sim import firmware, run, tiers
from host_sim.board import load
from host_sim.chips.piezo import Buzzer
from host_sim.scenario import parse
from tests.test_scenarios import FOLDER

ALL = {**vars(sound), **vars(cues)}
CUES = {name: cue for name, cue in ALL.items() if name.isupper() and isinstance(cue, tuple) and name != "ZIP"}
CUES |= {"LEFT": cues.ZIP[0], "RIGHT": cues.ZIP[1]}
# Of each, all can be heard in the same place.
TOGETHER = [
    ("GO", "LEFT", "RIGHT", "HEAT", "PRESS"),
    ("POINT", "WRONG", "WIN", "UNDO", "REDO", "PULL_BACK", "PRESS", "REFUSE"),
    ("BEAT", "STOP", "CANCELLED", "PRESS"),
    ("DISC", "NO_DISC", "ACCEPTED", "REFUSED", "TIE", "WIN", "NOTICE"),
]
TIERS = [tier for tier in ("cpython", "micropython") if not tiers.absent(tier)]


def heard(cue):
    return tuple((bool(hz), ms) for hz, ms in rhythm(cue))


@pytest.mark.parametrize("names", TOGETHER)
def test_cues_of_one_place_differ_in_rhythm(names):
    rhythms = [heard(CUES[name]) for name in names]
    assert len(set(rhythms)) == len(names)


@pytest.mark.parametrize("name", CUES)
def test_a_rhythm_lasts_about_as_long_as_its_cue_and_never_sounds_twice_at_once(name):
    notes = heard(CUES[name])
    assert notes[0][0] and all(ms >= 10 for _, ms in notes)
    assert all(a[0] != b[0] for a, b in itertools.pairwise(notes)), "sound and silence in turn"
    assert sum(ms for _, ms in notes) <= sum(ms for _, ms in CUES[name]) + 80
    assert rhythm(CUES[name]) is rhythm(CUES[name]), "made once"


def test_the_rhythms_of_the_players():
    assert heard(cues.ZIP[0]) == ((True, 120),)
    assert heard(cues.ZIP[1]) == ((True, 40), (False, 40), (True, 40))
    assert heard(cues.GO) == ((True, 60), (False, 20), (True, 220))
    assert heard(cues.WIN) == ((True, 80), (False, 20)) * 3 + ((True, 400),)


def test_the_model_sounds_at_its_own_pitch_whatever_drives_it():
    buzzer = Buzzer()
    buzzer.level(0, True)
    buzzer.level(90, False)
    buzzer.pwm(200, 880, 2621)
    buzzer.pwm(300, 1175, 0)
    assert [(t.start_us, t.frequency, t.end_us) for t in buzzer.tones] == [(0, 2300, 90), (200, 2300, 300)]
    assert buzzer.beeps == 2 and not buzzer.pin_high


@pytest.fixture
def board(tmp_path):
    raw = json.loads(json.dumps(load(firmware.BOARDS / "RPI_PICO" / "board.json").raw))
    raw["piezo"]["kind"] = "active"
    (tmp_path / "board.json").write_text(json.dumps(raw), "utf-8")
    return load(tmp_path / "board.json")


@pytest.mark.parametrize("tier", TIERS)
def test_a_round_is_heard_in_rhythm_and_left_silent(tier, board, tmp_path):
    run.put_files(board, tmp_path / "flash")
    with tiers.make(tier, board, tmp_path / "flash") as device:

        def press(role):
            """What is heard from it: (ms since the first sound, ms that it lasts) each."""
            del device.piezo.tones[:]
            for down in (True, False):
                device.key(role, down)
                device.run(device.now + 60_000)
            device.run(device.now + 1_200_000)
            tones = device.piezo.tones
            assert {tone.frequency for tone in tones} == {Buzzer.HZ}
            first = tones[0].start_us
            # The loop wakes within a millisecond.
            return [((t.start_us - first) // 5000 * 5, (t.end_us - t.start_us) // 5000 * 5) for t in tones]

        device.power_on()
        device.run(1_000_000)
        assert device.piezo.tones == [], "switching on is silent"
        press("ok")  # PLAY
        assert press("ok") == [(0, 60), (80, 220)], "GO!"
        assert press("left") == [(0, 120)], "ZIP! of the left player"
        assert press("ok")[0] == (0, 15), "the slider climbs"
        press("ok")
        assert press("right") == [(0, 40), (80, 40)], "ZIP! of the right player"
        device.power_off()
        assert device.piezo.frequency is None and not device.piezo.pin_high


def test_a_scenario_that_means_a_pitch_holds_for_the_buzzer_that_has_its_own(board):
    scenario = parse(FOLDER / "ctrl_c.txt")
    assert [step.args["hz"] for step in scenario.steps if step.verb == "pitch"] == [1568, None]
    assert run.play(scenario, "cpython", board=board).failure is None
