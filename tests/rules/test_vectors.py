"""vectors.json holds on CPython and on the MicroPython VM, and a part of it on the emulated Pico."""

import ast
import json
import os
import subprocess
from pathlib import Path

import pytest

from host_sim import tiers
from tests.rules import bench_replay, chip, replays, vectors_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VECTORS = json.loads((HERE / "vectors.json").read_text("utf-8"))
COUNT = sum(len(group["cases"]) for group in VECTORS["calls"]) + len(VECTORS["matches"]) + len(VECTORS["refused"])


def run_on_the_vm(path):
    binary = tiers.micropython_binary()
    if not binary:
        pytest.skip(f"ABSENT tier micropython: {tiers.absent('micropython')}")
    environment = {**os.environ, "MICROPYPATH": f"{ROOT / 'firmware'}:.frozen"}
    command = [str(binary), str(HERE / "vectors_runner.py"), str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr + done.stdout
    return ast.literal_eval(done.stdout)


def test_on_cpython():
    assert vectors_runner.run(HERE / "vectors.json") == (COUNT, [])


def test_on_the_micropython_vm():
    assert run_on_the_vm(HERE / "vectors.json") == (COUNT, [])


def wrong(value):
    """Something else of the same kind."""
    if isinstance(value, list):
        return [wrong(value[0]), *value[1:]] if value else [1]
    return not value if isinstance(value, bool) else value + 1


def test_a_wrong_vector_fails(tmp_path):
    """A negative control: each expectation is looked at, on the VM too."""
    broken = json.loads(json.dumps(VECTORS))
    expected = 0
    for group in broken["calls"]:
        for case in group["cases"]:
            case[-1] = wrong(case[-1])
            expected += 1
    for vector in broken["matches"]:
        for words in vector["do"]:
            if words[0] == "=":
                words[1]["rounds"] = 77
        looks = any(words[0] == "=" for words in vector["do"])
        expected += looks
    for row in broken["refused"]:
        row[3] = "because"
        expected += 1
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(broken), "utf-8")
    good, bad = vectors_runner.run(path)
    assert (good, len(bad)) == (COUNT - expected, expected)
    assert run_on_the_vm(path)[0] == good


def test_what_is_wrong_begins_with_what_the_vector_is_about(tmp_path):
    """A misspelt kind, call or key is a vector that does not hold, not a traceback."""
    broken = {
        "calls": [{"about": "a call", "call": "reward", "cases": [[1, 2]]}],
        "matches": [
            {"about": "a kind", "game": "tally", "do": [["JUMP"]]},
            {"about": "a key", "game": "tally", "do": [["=", {"speed": 1}]]},
            {"about": "a game", "game": "chess", "do": []},
            {"about": "a score", "game": "tally", "do": [["ADD", 3], ["=", {"scores": [4, 0]}]]},
        ],
        "refused": [],
    }
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(broken), "utf-8")
    for good, bad in (vectors_runner.run(path), run_on_the_vm(path)):
        assert good == 0
        assert [line.split(":")[0] for line in bad] == ["a call", "a kind", "a key", "a game", "a score"]
        assert bad[-1] == "a score: scores is [3, 0], not [4, 0]" and "reward" in bad[0] and "JUMP" in bad[1]


@pytest.mark.skipif(bool(chip.absent()), reason=f"ABSENT tier rp2040: {chip.absent()}")
def test_on_the_emulated_pico():
    """A part of the vectors, and by the emulated clock a replay: Upwords has the dearest actions."""
    vectors = chip.part_of_the_vectors()
    count = sum(len(group["cases"]) for group in vectors["calls"]) + len(vectors["matches"])
    assert count >= 35
    held, measured = ast.literal_eval(
        chip.evaluate("(__import__('vectors_runner').run(), __import__('replays').on_device('upwords'))")
    )
    assert held == (count, [])
    nothing_us, snapshot_us, undo_us, _, _, _ = bench_replay.checked("upwords", measured)
    assert nothing_us <= bench_replay.FROM_NOTHING_MS * 1000
    assert snapshot_us <= bench_replay.FROM_SNAPSHOT_MS * 1000
    assert undo_us <= 12_000


@pytest.mark.parametrize("key", [play[0] for play in replays.PLAYS])
def test_what_is_measured_is_what_it_says(key):
    """300 entries, all of them actions, and a last snapshot that is as old as one can be."""
    import pouch.journal as journal

    for entries in (replays.ACTIONS, replays.ENTRIES):
        log, _ = replays.log(key, entries)
        read = journal.Journal()
        read.load(journal.split(log))
        assert len(read) == entries
        assert all(entry[0] < 0xF0 for entry in read)
    assert replays.ENTRIES % journal.SEGMENT == journal.SEGMENT - 1
