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
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

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


def test_a_match_by_keyboard(page) -> None:
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


def test_pause_stops_the_time(page) -> None:
    page.locator("#pause").click()
    page.locator("#paused").wait_for(state="visible")
    before = page.evaluate("glass.dataset.sequence")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)  # nothing to wait for: nothing must happen
    assert page.evaluate("glass.dataset.sequence") == before
    page.locator("#resume").click()
    page.keyboard.press("Enter")
    reads(page, "First to")


def test_a_crash_is_shown_and_one_button_helps(page, simulator: Simulator) -> None:
    for child in simulator.children():
        os.kill(child, signal.SIGKILL)
    page.locator("#crash").wait_for(state="visible")
    assert "the firmware's process" in page.locator("#crash-text").inner_text()
    page.get_by_role("button", name="Switch on again").click()
    page.locator("#crash").wait_for(state="hidden")
    reads(page, "PLAY")


def test_power_switches_off_and_on(page) -> None:
    page.locator("#power").click()
    page.wait_for_function(f"() => ({TEXT}) === ''")
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
    while True:
        message = client.recv(timeout=10)
        if isinstance(message, str) and (event := json.loads(message))["t"] == kind:
            yield event


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
    children = simulator.children()
    assert children
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
