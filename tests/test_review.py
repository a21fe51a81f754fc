"""Frames that differ: side by side in a page, and accepted from there."""

import http.client
import threading
import urllib.error
import urllib.request

import pytest

from host_sim import picture, review, run
from host_sim.scenario import parse


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text('expect glass home\npress ok\nexpect glass ready\nexpect text "HOME"\n', "utf-8")
    scenario = parse(path)
    assert run.play(scenario, "cpython", accept=True).failure is None
    ready = tmp_path / "frames" / "ready.png"
    ready.unlink()
    glass = picture.load(tmp_path / "frames" / "home.png")
    picture.save([bytes([1]) * 128, *glass[1:]], tmp_path / "frames" / "home.png", scale=1)
    one, other = run.play(scenario, "cpython"), run.play(scenario, "cpython")
    line, glass = other.frames[2]
    other.frames[2] = (line, [*glass[:-1], bytes([1]) * 128])
    other.tier = "elsewhere"
    return [one, other]


def test_all_changed_frames_are_seen_in_one_run(results):
    assert results[0].changed == ["home", "ready"]
    assert ":1: expect glass home" in results[0].failure


def test_the_report_shows_kept_and_every_tier(results, tmp_path):
    index = review.write(results, tmp_path / "review")
    page = index.read_text("utf-8")
    assert "expect glass home" in page and "expect glass ready" in page and "nothing is kept yet" in page
    assert "a.txt:4: the tiers differ" in page
    names = {path.name for path in (tmp_path / "review").glob("*.png")}
    assert names == {
        *("0-kept.png", "0-cpython.png", "0-elsewhere.png", "1-cpython.png", "1-elsewhere.png"),
        *("2-cpython.png", "2-elsewhere.png"),
    }
    assert all(name in page for name in names)


def test_nothing_to_look_at_leaves_no_report(results, tmp_path):
    review.write(results, tmp_path / "review")
    path = tmp_path / "b.txt"
    path.write_text('expect text "ZIP-IT"\n', "utf-8")
    assert review.write([run.play(parse(path), "cpython")], tmp_path / "review") is None
    assert not (tmp_path / "review").exists()


@pytest.fixture
def served(results, tmp_path):
    review.write(results, tmp_path / "review")
    server = review.server(tmp_path / "review")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()
    thread.join(10)


def post(port, body, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", "/accept", body, {"Content-Type": "application/x-www-form-urlencoded", **headers})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_accepting_from_the_page_keeps_the_frame(served, results, tmp_path):
    with urllib.request.urlopen(f"http://127.0.0.1:{served}/", timeout=10) as answer:
        assert b"Keep this" in answer.read()
    assert post(served, "glass=0-cpython.png") == 303
    assert post(served, "glass=1-elsewhere.png") == 303
    after = run.play(results[0].scenario, "cpython")
    assert after.failure is None


@pytest.mark.parametrize("body", ["glass=../../x.png", "glass=2-cpython.png", "glass=0-kept.png", "x=1", ""])
def test_nothing_but_what_the_report_lists_is_accepted(served, body, tmp_path):
    before = {path: path.read_bytes() for path in (tmp_path / "frames").iterdir()}
    assert post(served, body) == 404
    assert before == {path: path.read_bytes() for path in (tmp_path / "frames").iterdir()}


def test_a_foreign_page_is_refused(served):
    assert post(served, "glass=0-cpython.png", Origin="http://evil.example") == 403
    assert post(served, "glass=0-cpython.png", Host="evil.example") == 403
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"http://127.0.0.1:{served}/../accepts.json", timeout=10)
    assert caught.value.code == 404
    caught.value.close()


def test_no_report_is_one_clear_line(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing to review"):
        review.server(tmp_path / "none")
