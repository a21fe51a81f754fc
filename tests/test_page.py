"""`python -m host_sim`: the page in a real browser, and what its server refuses."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from host_sim import hub, run, serve, tiers
from host_sim.board import find
from host_sim.chips.oled import packed
from host_sim.device import Device
from host_sim.protocol import FRAME, MESSAGE_BYTES
from host_sim.runner import STEP_US, Runner
from host_sim.scenario import BOUNCES, parse, read

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
# What is wider than its window or its button.
CUT = """() => [...document.querySelectorAll('body *')]
    .filter(e => e.checkVisibility() && !e.closest('pre, svg, .unseen'))
    .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5
        || (e.matches('button:not(.key), a, label') && e.scrollWidth > e.clientWidth + 1))
    .map(e => e.outerHTML.slice(0, 200))"""
TEXT = "document.getElementById('glass').dataset.text || ''"


def until(holds: Callable[[], object], what: str, seconds: float = 10) -> None:
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, f"{what}: not within {seconds} s"
        time.sleep(0.02)


class Simulator:
    """A server of its own, on a port and with a flash folder of its own."""

    def __init__(self, data: Path, *args: str, port: int = 0) -> None:
        self.output: list[str] = []
        command = [sys.executable, "-u", "-m", "host_sim", "--port", str(port), "--no-open", "--data", str(data), *args]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
        )
        assert self.process.stdout
        for line in self.process.stdout:
            self.output.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                self.url, self.port = found[0], int(found[1])
                return
        self.process.stdout.close()
        self.process.wait(10)
        raise AssertionError("the server did not start:\n" + "".join(self.output))

    def children(self) -> list[int]:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        pairs = [list(map(int, line.split())) for line in listed.splitlines()]
        return [pid for pid, parent in pairs if parent == self.process.pid]

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            rest, _ = self.process.communicate(timeout=10)
            self.output.append(rest)
        finally:
            self.process.kill()
        return self.process.returncode

    def client(self) -> ClientConnection:
        return connect(f"ws://127.0.0.1:{self.port}/ws", origin=f"http://127.0.0.1:{self.port}", proxy=None)


@pytest.fixture
def simulator(tmp_path: Path) -> Iterator[Simulator]:
    running = Simulator(tmp_path / "flash")
    yield running
    running.end()
    # pytest shows it with a failure only
    print("the server's output:\n" + "".join(running.output))


@pytest.fixture(scope="module")
def chromium():
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no Chromium: neither `chromium` on the path nor {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium, simulator: Simulator):
    """The page, loaded, on the home screen. Errors in its console fail the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(10_000)
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(simulator.url)
    reads(page, "PLAY")
    yield page
    state = "({text: glass.dataset.text, us: glass.dataset.us, sequence: glass.dataset.sequence})"
    print("the page at the end:", page.evaluate(state), errors)
    context.close()
    if simulator.process.poll() is None:
        assert errors == []


def text(page) -> str:
    return page.evaluate(TEXT)


def reads(page, *words: str) -> str:
    """Wait until the glass says all of these."""
    page.wait_for_function(f"words => words.every(word => ({TEXT}).includes(word))", arg=list(words))
    return text(page)


def changed(page, before: str, milliseconds: int) -> bool:
    from playwright.sync_api import TimeoutError as TooLate

    try:
        page.wait_for_function(f"before => ({TEXT}) !== before", arg=before, timeout=milliseconds)
    except TooLate:
        return False
    return True


def down(page) -> list[str]:
    return page.eval_on_selector_all(".key[aria-pressed=true]", "keys => keys.map(key => key.dataset.role)")


def clock(page) -> int:
    """What the page says of the device's time, in microseconds."""
    return int(page.get_attribute("#clock", "data-us"))


def shown(page) -> bytes:
    """The glass as the page has it: 1,024 bytes."""
    return bytes(page.evaluate("async () => [...(await import('/glass.js')).shown()]"))


def start_round(page) -> None:
    page.keyboard.press("Enter")
    reads(page, "First to", "GO!")
    page.keyboard.press("Enter")
    reads(page, "HOLD")


def test_a_match_by_keyboard_at_four_times_the_speed(page) -> None:
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.wait_for_function("() => speed.value === '4'")
    page.keyboard.press("Enter")
    seen: list[str] = []
    for _ in range(150):
        now = text(page)
        seen.append(now)
        if "ZIP-IT!" in now:
            break
        if "ZIP!" in now and "HOLD" in now:
            page.keyboard.press("ArrowLeft")
        elif "YES" in now or "GO!" in now:
            page.keyboard.press("Enter")
        elif not changed(page, now, 2500):
            page.keyboard.press("Enter")  # a screen that waits for OK
            continue
        changed(page, now, 2500)
    assert "ZIP-IT!" in seen[-1], seen[-5:]
    assert re.search(r"\b1\d : 0\b", reads(page, "RED", "10 :")), text(page)
    assert page.locator("#live").inner_text().strip() == text(page).strip()


def test_mouse_holds_ok_for_the_menu(page) -> None:
    page.keyboard.press("Enter")
    reads(page, "GO!", "First to")
    page.locator(".key[data-role=ok]").hover()
    page.mouse.down()
    assert down(page) == ["ok"]
    reads(page, "Pause, go home")
    page.mouse.up()
    assert down(page) == []
    page.locator(".key[data-role=back]").click()
    reads(page, "First to")


def test_a_focused_button_is_what_enter_and_space_hold(page) -> None:
    page.keyboard.press("Enter")
    reads(page, "First to")
    page.locator(".key[data-role=back]").focus()
    for key in ("Enter", " "):
        page.keyboard.down(key)
        assert down(page) == ["back"]
        page.keyboard.up(key)
        until(lambda: down(page) == [], "the key comes up")
    reads(page, "PLAY")


def test_keys_come_up_when_the_page_loses_them(page) -> None:
    for lose in ("window.dispatchEvent(new Event('blur'))", "document.activeElement.blur()"):
        page.locator(".key[data-role=left]").focus()
        page.keyboard.down("Space")
        page.keyboard.down("l") if "window" in lose else None
        assert "left" in down(page)
        page.evaluate(lose)
        until(lambda: down(page) == [], f"all keys up after {lose}")
        page.keyboard.up("Space")
        page.keyboard.up("l")


def test_two_fingers_press_two_keys(chromium, simulator: Simulator) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, has_touch=True, device_scale_factor=3)
    page = context.new_page()
    page.goto(simulator.url)
    reads(page, "PLAY")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "it does not fit a phone"
    sizes = page.eval_on_selector_all(".key", "keys => keys.map(k => [k.offsetWidth, k.offsetHeight])")
    assert len(sizes) == 4 and all(w >= 56 and h >= 56 for w, h in sizes)
    boxes = {role: page.locator(f".key[data-role={role}]").bounding_box() for role in ("left", "right")}
    points = [
        {"x": b["x"] + b["width"] / 2, "y": b["y"] + b["height"] / 2, "id": i} for i, b in enumerate(boxes.values())
    ]
    fingers = context.new_cdp_session(page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    until(lambda: down(page) == ["left", "right"], "both keys down")
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(lambda: down(page) == [], "both keys up")
    context.close()


def test_reload_keeps_the_match(page) -> None:
    page.keyboard.press("Enter")
    reads(page, "First to")
    page.reload()
    reads(page, "First to", "GO!")


def test_sound_is_off_until_it_is_turned_on(page) -> None:
    page.evaluate(
        "new MutationObserver(() => (window.heard = (window.heard || '') + piezo.textContent + ' '))"
        ".observe(piezo, {childList: true})"
    )
    sound = page.locator("#sound")
    assert sound.get_attribute("aria-pressed") == "false"
    page.keyboard.press("Enter")
    reads(page, "First to")
    page.keyboard.press("Enter")
    page.wait_for_function("() => (window.heard || '').includes('piezo: 1047 Hz')")
    page.keyboard.press("m")
    assert sound.get_attribute("aria-pressed") == "true"
    sound.click()
    assert sound.get_attribute("aria-pressed") == "false"


def test_pause_step_and_speed(page) -> None:
    page.locator("#pause").click()
    page.locator("#badge", has_text="Paused").wait_for()
    before, frame = clock(page), page.evaluate("glass.dataset.sequence")
    page.keyboard.down("Enter")  # a finger is on it, but no time passes in which anything could see that
    for ms in (1, 2, 3):
        page.keyboard.press(".")
        page.wait_for_function("us => document.getElementById('clock').dataset.us === us", arg=str(before + ms * 1000))
    assert page.evaluate("glass.dataset.sequence") == frame
    page.keyboard.press(",")
    page.wait_for_function("frame => glass.dataset.sequence !== frame && glass.dataset.drawn !== frame", arg=frame)
    page.wait_for_function("us => Number(document.getElementById('clock').dataset.us) > us", arg=before + 3000)
    assert clock(page) < before + 300_000
    assert "First to" in reads(page, "First to")
    page.keyboard.up("Enter")
    page.locator("#badge-end").click()
    page.locator("#badge").wait_for(state="hidden")
    page.select_option("#speed", "0")
    page.wait_for_function("() => Number(document.getElementById('clock').dataset.us) > 100e6")
    page.select_option("#speed", "0.25")
    page.keyboard.press("+")
    page.wait_for_function("() => speed.value === '0.5'")


def test_two_keys_are_latched(page, simulator: Simulator) -> None:
    page.keyboard.press("Shift+A")
    page.locator(".key[data-role=right]").click(modifiers=["Control"])
    assert down(page) == ["left", "right"]
    with simulator.client() as other:
        assert next(messages(other, "keys"))["down"] == ["left", "right"]
        page.evaluate("window.dispatchEvent(new Event('blur'))")  # fingers leave, a latch stays
        assert down(page) == ["left", "right"]
        page.keyboard.press("Shift+A")
        page.locator(".key[data-role=right]").click()
        assert down(page) == []
        keys = messages(other, "keys")
        while next(keys)["down"]:
            pass


def test_power_cut_panel_and_flash(page) -> None:
    start_round(page)
    page.locator("#tab-break").click()
    page.locator("#cut").click()
    page.locator("#badge", has_text="Switched off").wait_for()
    page.wait_for_function(f"() => ({TEXT}) === ''")
    page.locator("#badge-end").click()
    reads(page, "POWER CUT")
    page.keyboard.press("Enter")
    reads(page, "GO ON")
    page.get_by_role("switch", name="Panel unplugged").check()
    page.locator("#badge", has_text="Panel unplugged").wait_for()
    page.wait_for_function(f"() => ({TEXT}) === ''")
    for width in (390, 1200, 1280):
        # The LED and the piezo say why the glass is dark: what is told of it stands on the glass.
        page.set_viewport_size({"width": width, "height": 800})
        badge, glass = page.locator("#badge").bounding_box(), page.locator("#glass").bounding_box()
        assert glass["x"] <= badge["x"] and badge["x"] + badge["width"] <= glass["x"] + glass["width"], width
        assert glass["y"] <= badge["y"] and badge["y"] + badge["height"] <= glass["y"] + glass["height"], width
    page.get_by_role("switch", name="Panel unplugged").uncheck()
    reads(page, "GO ON")
    page.select_option("#bounce", "heavy")
    page.keyboard.press("ArrowRight")  # one press, however often the contact closed
    reads(page, "PLAY", "first to ten zips")
    page.locator("#reset").click()
    page.wait_for_function(f"() => ({TEXT}) === ''")
    reads(page, "POWER CUT")
    page.get_by_role("switch", name="Flash full").check()
    page.wait_for_function(f"() => ({TEXT}) === ''")
    reads(page, "POWER CUT")
    for words in ("GO ON", "HOLD", "SCORE KEPT"):
        page.keyboard.press("a" if words == "SCORE KEPT" else "Enter")
        reads(page, words)
    reads(page, "memory is full")


def test_the_inspector(page, tmp_path: Path) -> None:
    start_round(page)
    (tmp_path / "flash" / "data" / "crash.txt").write_text("ValueError: so far away\n", "utf-8")
    page.keyboard.press("a")
    reads(page, "RED", "ZIP!")
    page.locator("#tab-inspect").click()
    page.wait_for_function("() => document.getElementById('i-journal').textContent.includes('ZIP 0 ')")
    facts = page.locator("#inspect").inner_text()
    assert re.search(r"1\s+GO\n\s+2\s+ZIP 0 ", facts)
    assert "RED 0, BLUE 0" in facts and "zip_it, 2 entries" in facts
    assert re.search(r"[\d.]+ kB free of [\d.]+ kB", facts) and re.search(r"\d+ bytes on the bus", facts)
    assert re.search(r"\d+×\d+ at \d+,\d+", facts) and "left down" in facts
    assert "ValueError: so far away" in facts


def test_a_recording_replayed_headless_gives_equal_pixels(page, tmp_path: Path) -> None:
    start_round(page)  # the own device, which the recording must not touch
    page.locator("#tab-record").click()
    page.keyboard.press("r")
    page.locator("#mode", has_text="Recording").wait_for()
    reads(page, "PLAY")
    page.keyboard.press("Enter")
    reads(page, "First to", "GO!")
    # A glass that stands for a while is expected.
    page.wait_for_function(
        "() => Number(document.getElementById('clock').dataset.us) > Number(glass.dataset.us) + 500e3"
    )
    page.keyboard.press("Enter")
    reads(page, "HOLD")
    page.keyboard.down("a")
    reads(page, "RED", "ZIP!")
    page.keyboard.press("l")
    page.keyboard.up("a")
    reads(page, "grid good?")
    page.locator("#rec").click()
    page.locator("#recorded").wait_for()
    reads(page, "POWER CUT")  # the own device is back, with its round
    with page.expect_download() as download:
        page.locator("#save").click()
    path = tmp_path / "recorded.txt"
    download.value.save_as(path)
    scenario = parse(path)
    assert scenario.tiers == tiers.TIERS
    assert {'expect text "First to 10 wins"', "expect scores 0 0"} <= {step.text for step in scenario.steps}
    ended = read(path.read_text("utf-8") + "expect glass unchanged for 1us\n", path)  # its last glass is kept so
    results = [run.play(ended, tier) for tier in ("cpython", "micropython") if not tiers.absent(tier)]
    assert [result.failure for result in results] == [None] * len(results)
    assert not run.differences(results)
    last = results[0].frames[-1][1]
    with page.expect_download() as download:
        page.locator("#save-film").click()
    with Image.open(download.value.path()) as film:
        film.seek(film.n_frames - 1)
        seen = film.convert("L").resize((128, 64), Image.Resampling.NEAREST).point(lambda v: v > 127)
    assert seen.tobytes() == b"".join(last)  # as it was in the browser
    page.select_option("#speed", "0")
    page.locator("#replay").click()
    page.locator("#played[data-ok=true]").wait_for()
    page.locator("#badge", has_text="Paused").wait_for()
    page.wait_for_function("() => glass.dataset.drawn === glass.dataset.sequence")
    assert shown(page) == packed(last)
    for link, start in (("#gif", b"GIF89a"), ("#png", b"\x89PNG")):
        with page.expect_download() as download:
            page.locator(link).click()
        assert Path(download.value.path()).read_bytes().startswith(start)
    page.locator("#mode-end").click()
    reads(page, "POWER CUT")


def test_tab_reaches_all_in_order_axe_finds_nothing_and_nothing_is_cut_off(page) -> None:
    from axe_playwright_python.sync_playwright import Axe

    order = ["board", "tier", "sound", "left", "back", "ok", "right"]
    order += ["power", "reset", "pause", "step", "frame", "speed", "tab-play"]
    seen = []
    for _ in order:
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.dataset.role"))
    assert seen == order
    page.locator("#tab-play").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-break" and page.locator("#break").is_visible()
    page.keyboard.press("Shift+A")
    for scheme, width in (("light", 1280), ("dark", 390)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 800})
        for tab in ("play", "break", "record", "inspect"):
            page.locator(f"#tab-{tab}").click()
            assert page.locator(f"#{tab}").is_visible()
            cut = page.evaluate(CUT)
            assert cut == []
            if scheme == "dark" or tab == "break":
                found = Axe().run(page).response["violations"]
                assert [(v["id"], v["nodes"][0]["target"]) for v in found if v["impact"] != "minor"] == []


def test_a_crash_is_shown_and_one_button_helps(page, simulator: Simulator) -> None:
    for child in simulator.children():
        os.kill(child, signal.SIGKILL)
    page.locator("#crash").wait_for(state="visible")
    assert "the firmware's process" in page.locator("#crash-text").inner_text()
    page.get_by_role("button", name="Switch on again").click()
    page.locator("#crash").wait_for(state="hidden")
    reads(page, "PLAY")


def test_the_page_finds_a_server_that_comes_back(page, simulator: Simulator, tmp_path: Path) -> None:
    assert simulator.end() == 0
    page.locator("#lost").wait_for(state="visible")
    again = Simulator(tmp_path / "flash", port=simulator.port)
    try:
        assert again.port == simulator.port
        page.locator("#lost").wait_for(state="hidden")
        reads(page, "PLAY")
    finally:
        again.end()


# -- without a browser -------------------------------------------------------------------------------


def messages(client: ClientConnection, kind: str) -> Iterator[dict]:
    """Those of this kind as they come; the first one must come within 10 s, and so must each after it."""
    ends = time.monotonic() + 10
    while True:
        message = client.recv(timeout=max(0, ends - time.monotonic()))
        if isinstance(message, str) and (event := json.loads(message))["t"] == kind:
            yield event
            ends = time.monotonic() + 10


def test_pages_from_elsewhere_are_refused(simulator: Simulator) -> None:
    url = f"ws://127.0.0.1:{simulator.port}/ws"
    for origin in ("http://example.org", f"https://127.0.0.1:{simulator.port}", "http://127.0.0.1:1", "null"):
        with pytest.raises(InvalidStatus) as refused:
            connect(url, origin=origin, proxy=None)
        assert refused.value.response.status_code == 403
    for host in ("example.org", f"example.org:{simulator.port}", "127.0.0.1", "127.0.0.1:1"):
        plain = http.client.HTTPConnection("127.0.0.1", simulator.port, timeout=10)
        plain.request("GET", "/", headers={"Host": host})
        assert plain.getresponse().status == 403, host
        plain.close()


def test_only_the_page_is_served(simulator: Simulator) -> None:
    for path, status in (
        ("/", 200),
        ("/page.js", 200),
        ("/page.css", 200),
        ("/../serve.py", 404),
        ("/board.json", 404),
    ):
        plain = http.client.HTTPConnection("localhost", simulator.port, timeout=10)
        plain.request("GET", path)
        answer = plain.getresponse()
        body = answer.read().decode()
        assert answer.status == status, path
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert not re.search(r"""(src|href|url)\W+(https?:)?//""", body), f"{path} wants something from elsewhere"
        plain.close()


BAD = [
    "no", "[]", "{}", "[" * 1000, '{"t": "?"}', '{"t": "key", "role": "up", "down": true}', '{"t": "pause", "on": 1}',
    '{"t": "key", "role": "ok", "down": 1}', '{"t": "key", "role": ["ok"], "down": true}', b"\0" * 20, "x" * 100_000,
    "x" * (MESSAGE_BYTES + 1), '{"t": "step", "ms": 1e9}', '{"t": "speed", "times": 99}', '{"t": "inspect"}',
    '{"t": "speed", "times": true}', '{"t": "bounce", "kind": 1}', '{"t": "machine", "tier": "cpython", "board": ".."}',
    '{"t": "replay", "tier": "cpython", "name": "../../README.md"}', '{"t": ["key"]}', '{"t": "replay", "tier": "x"}',
]  # fmt: skip


def test_a_malformed_message_closes_only_its_own_connection(simulator: Simulator) -> None:
    with simulator.client() as good:
        for bad in BAD:
            client = simulator.client()
            client.send(bad)
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    client.recv(timeout=10)
            assert closed.value.rcvd and closed.value.rcvd.code in (1008, 1009), bad
            assert closed.value.rcvd.reason, bad
        client = simulator.client()
        with pytest.raises(ConnectionClosed, match="more than 400 messages in a second"):
            for _ in range(2000):
                client.send('{"t": "key", "role": "ok", "down": false}')
            while True:
                client.recv(timeout=10)
        words = messages(good, "text")
        while "PLAY" not in next(words)["text"]:
            pass
        good.send('{"t": "key", "role": "ok", "down": true}')
        while "First to" not in next(words)["text"]:
            pass


def test_whoever_goes_takes_the_fingers_along(simulator: Simulator) -> None:
    with simulator.client() as stays:
        goes = simulator.client()
        keys = messages(stays, "keys")
        for client, role in ((goes, "ok"), (goes, "left"), (stays, "left")):
            client.send(json.dumps({"t": "key", "role": role, "down": True}))
            while role not in next(keys)["down"]:
                pass
        goes.close()
        while (held := next(keys)["down"]) != ["left"]:
            assert "left" in held


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_no_process_is_left_behind(simulator: Simulator, how: signal.Signals) -> None:
    until(simulator.children, "the firmware's process runs")
    children = simulator.children()
    with simulator.client():
        status = simulator.end(how)
    assert status == (-how if how == signal.SIGKILL else 0)

    def gone(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    until(lambda: all(map(gone, children)), "the child is gone")
    assert "Traceback" not in "".join(simulator.output)


def test_a_taken_port_and_a_taken_flash(simulator: Simulator, tmp_path: Path) -> None:
    other = Simulator(tmp_path / "other", port=simulator.port)
    other.end()
    assert other.port > simulator.port
    assert f"Port {simulator.port} is in use" in "".join(other.output)
    with pytest.raises(AssertionError, match="another simulator has its device in"):
        Simulator(tmp_path / "flash")


def test_what_a_page_plays_reaches_no_other_file(simulator: Simulator, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    texts = {
        "leads out of its folder": f'power off\nfile ../{outside.name} "x"\npower on\nexpect text "PLAY"',
        "`main` and `save` reach files": 'expect text "PLAY"\nsave glass.png',
        "there is no ": 'main ../../firmware/pouch/none.py\nexpect text "PLAY"',
        "no board '../x': there are RPI_PICO": 'board ../x\nexpect text "PLAY"',
        "expects nothing": "wait 1s",
    }
    with simulator.client() as client:
        for reason, text_ in texts.items():
            client.send(json.dumps({"t": "replay", "tier": "cpython", "name": "x/../../y", "text": text_}))
            assert reason in next(messages(client, "notice"))["text"]
        client.send(json.dumps({"t": "speed", "times": 0}))
        client.send(json.dumps({"t": "replay", "tier": "cpython", "name": "first_point.txt"}))
        played = messages(client, "played")
        while (last := next(played))["ok"] is None:
            pass
        assert last["ok"] is True and "first_point.txt: all " in last["text"]
        client.send(json.dumps({"t": "replay", "tier": "cpython", "name": "mine", "text": 'expect text "NONE"'}))
        while (last := next(played))["ok"] is not False:
            pass
        assert "mine:1: expect text" in last["text"] and "the glass reads" in last["text"]
        client.send(json.dumps({"t": "own"}))
        states = messages(client, "state")
        while next(states)["mode"] != "own":
            pass
    assert not outside.exists()


def test_a_scenario_that_is_played_is_left_for_another_one_and_for_the_own_device(simulator: Simulator) -> None:
    def mode(client: ClientConnection, wanted: str, playing: str) -> None:
        states = messages(client, "state")
        while (state := next(states))["mode"] != wanted or state["playing"] != playing:
            pass

    with simulator.client() as client:
        for name in ("zip_match.txt", "first_point.txt"):
            client.send(json.dumps({"t": "replay", "tier": "cpython", "name": name}))
            mode(client, "replay", name)
        client.send(json.dumps({"t": "own"}))
        mode(client, "own", "")
        client.send('{"t": "step", "ms": 1000}')  # it still obeys, and time passes on the own device
        clocks = messages(client, "clock")
        while next(clocks)["us"] < 1_000_000:
            pass


def test_two_pages_share_the_device(simulator: Simulator) -> None:
    with simulator.client() as one, simulator.client() as other:
        one.send('{"t": "pause", "on": true}')
        states = messages(other, "state")
        while not next(states)["paused"]:
            pass
        other.send('{"t": "reset"}')
        states = messages(one, "state")
        while not next(states)["paused"]:
            pass
        while next(states)["paused"]:
            pass


def test_a_tier_is_chosen_and_keeps_the_match(simulator: Simulator) -> None:
    def reads_on(client: ClientConnection, *wanted: str) -> None:
        words = messages(client, "text")
        while not all(word in now for now in [next(words)["text"]] for word in wanted):
            pass

    with simulator.client() as client:
        reads_on(client, "PLAY")
        for words in (("First to", "GO!"), ("HOLD",)):
            client.send('{"t": "key", "role": "ok", "down": true}')
            client.send('{"t": "key", "role": "ok", "down": false}')
            reads_on(client, *words)
        client.send('{"t": "machine", "tier": "cpython", "board": "NONE"}')
        assert "It stays as it is: no board 'NONE': there are" in next(messages(client, "notice"))["text"]
        client.send('{"t": "machine", "tier": "cpython", "board": "RPI_PICO"}')
        states = messages(client, "state")
        while next(states)["tier"] != "cpython":
            pass
        reads_on(client, "POWER CUT")


def test_a_firmware_that_hangs_is_told_and_left_by_a_button(simulator: Simulator, tmp_path: Path) -> None:
    hang = tmp_path / "flash" / "main.py"
    with simulator.client() as client:
        hang.write_text("while True:\n    pass\n", "utf-8")
        client.send('{"t": "reset"}')
        stuck = messages(client, "stuck")
        while not next(stuck)["on"]:
            pass
        hang.unlink()
        client.send('{"t": "reset"}')
        words = messages(client, "text")
        while "PLAY" not in next(words)["text"]:
            pass


def test_a_laptop_that_slept_does_not_run_after_the_time(tmp_path: Path) -> None:
    board = find("RPI_PICO")
    runner = Runner(lambda board: tmp_path, "cpython", board, lambda kind, message: None)
    runner._switch_on()
    runner._advance(time.monotonic() + 8 * 3600)
    assert runner.device.now == STEP_US
    runner.device.close()


def test_a_contact_bounces_as_it_does_in_a_scenario(tmp_path: Path) -> None:
    runner = Runner(lambda board: tmp_path, "cpython", find("RPI_PICO"), lambda kind, message: None)
    device, edges = runner.device, []
    device.key = lambda role, down: edges.append((role, device.now, down))  # type: ignore[method-assign]
    runner._obey("bounce", "heavy")
    for down in (True, False):
        runner._obey("key", "right", down)
        Device.run(device, device.now + 100_000)
    closing, opening = BOUNCES["heavy"]
    assert edges == [
        *(("right", ms * 1000, i % 2 == 0) for i, ms in enumerate(closing)),
        *(("right", 100_000 + ms * 1000, i % 2 == 1) for i, ms in enumerate(opening)),
    ]


def test_without_a_wheel_the_firmware_runs_on_cpython_and_it_is_said(monkeypatch) -> None:
    monkeypatch.setattr(tiers, "absent", lambda tier: None if tier == "cpython" else "no wheel for Plan 9")
    board = find("RPI_PICO")
    assert serve.choose(None, board) == ("cpython", "The firmware runs on CPython here: no wheel for Plan 9.")
    assert serve.choose("cpython", board) == ("cpython", "")
    with pytest.raises(ValueError, match="ABSENT micropython: no wheel for Plan 9"):
        serve.choose("micropython", board)
    machines = json.loads(serve._machines("said"))
    assert {"id": "micropython", "absent": "no wheel for Plan 9"} in machines["tiers"]
    assert machines["note"] == "said"
    assert {"id": "RPI_PICO", "name": "Raspberry Pi Pico", "unfit": {}} in machines["boards"]


def test_a_turned_glass_is_read_the_right_way_up() -> None:
    from host_sim import picture

    glass = picture.load(ROOT / "tests/scenarios/frames/home.png")
    turned = [row[::-1] for row in reversed(glass)]
    told = hub.Hub.__new__(hub.Hub)
    assert "ZIP-IT" in told._words(FRAME.pack(255, 0, 1, 1) + packed(glass))
    assert "ZIP-IT" in told._words(FRAME.pack(255, 1, 1, 1) + packed(turned))


def test_another_address_only_with_a_warning(tmp_path: Path) -> None:
    everywhere = Simulator(tmp_path / "flash", "--host", "0.0.0.0", "--tier", "cpython")
    try:
        assert "WARNING: --host 0.0.0.0: whoever reaches this machine" in "".join(everywhere.output)
        for host, status in ((f"127.0.0.1:{everywhere.port}", 200), (f"evil.example:{everywhere.port}", 403)):
            plain = http.client.HTTPConnection("127.0.0.1", everywhere.port, timeout=10)
            plain.request("GET", "/", headers={"Host": host})
            assert plain.getresponse().status == status, host
            plain.close()
        with pytest.raises(InvalidStatus):
            connect(f"ws://127.0.0.1:{everywhere.port}/ws", origin=f"http://6.6.6.6:{everywhere.port}", proxy=None)
    finally:
        everywhere.end()
