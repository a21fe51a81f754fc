"""The README's pictures: a real match in the real page, photographed. `python -m tools.picture [FOLDER]`"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
# R: RED's point, B: BLUE's; 7 to 4 as on the mock-up.
ROUNDS = "RRBRRBRBRBR"
ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]


def wait_for(page: Page, text: str) -> None:
    page.wait_for_function(
        "text => document.getElementById('live').textContent.includes(text)", arg=text, timeout=20_000
    )


def play(page: Page) -> None:
    wait_for(page, "PLAY")
    page.keyboard.press("Enter", delay=60)
    for player in ROUNDS:
        wait_for(page, "GO!")
        page.keyboard.press("Enter", delay=60)
        wait_for(page, "HOLD")
        page.keyboard.press("ArrowLeft" if player == "R" else "ArrowRight", delay=60)
        wait_for(page, "grid good?")
        page.keyboard.press("Enter", delay=60)
        wait_for(page, "+1")
    page.keyboard.press("Enter", delay=60)
    wait_for(page, "HOLD")
    page.wait_for_timeout(7500)  # a stopwatch that has run for a while


def inspect(page: Page) -> None:
    """Stand still where RED has just called, with what the device sent for it outlined."""
    page.click("#tab-inspect")
    page.check("#outline")
    page.keyboard.press("ArrowLeft", delay=60)
    wait_for(page, "grid good?")
    page.keyboard.press("Enter", delay=60)
    page.wait_for_function("() => document.getElementById('i-journal').textContent.trimEnd().endsWith('GOOD')")
    page.wait_for_timeout(1000)
    page.keyboard.press("p")
    page.wait_for_function("() => document.getElementById('badge').checkVisibility()")
    page.wait_for_timeout(600)


def main(argv: list[str]) -> int:
    out = Path(argv[0]) if argv else ROOT / "docs"
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser_path:
        print("no Chromium here: install Debian's chromium (apt-get install chromium)", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        command = [sys.executable, "-m", "host_sim", "--port", "0", "--no-open", "--data", data]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout
                address = next(word for line in server.stdout for word in line.split() if word.startswith("http://"))
                browser = playwright.chromium.launch(executable_path=browser_path, args=ARGS)
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(address)
                play(page)
                out.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=str(out / "device.png"))
                inspect(page)
                page.screenshot(path=str(out / "inspector.png"))
                browser.close()
            finally:
                server.terminate()
    print(out / "device.png", out / "inspector.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
