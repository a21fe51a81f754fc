"""Every command that a README names is there, and some test runs what it runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from host_sim.firmware import ROOT

PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "boards").glob("*/README.md")),
    ROOT / "tests" / "scenarios" / "README.md",
    ROOT / "firmware" / "pouch" / "games" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
COMMAND = re.compile(
    r"(?:(?<=`)|(?<=^    ))(?:make (?!a )[a-z0-9]+|(?:\.venv/bin/)?python -m [a-z_.]+(?: [a-z]+)?)", re.M
)
# Each command, and a test that runs it or the function behind it: (file, what it has to say).
RUN = {
    "make sim": ("test_page.py", "host_sim"),
    "make test": ("conftest.py", ""),
    "make lint": ("test_readme.py", "ruff"),
    "make help": ("test_readme.py", "help"),
    "make accept": ("test_scenario_language.py", "accept"),
    "make bench": ("test_readme.py", "bench"),
    "make boards": ("test_wiring.py", "boards.main"),
    "make build": ("test_build.py", "build.build"),
    "make gallery": ("test_readme.py", "gallery"),
    "make deploy": ("test_deploy.py", "deploy.deploy"),
    "make scores": ("test_deploy.py", "scores"),
    "make backup": ("test_deploy.py", "backup"),
    "make restore": ("test_deploy.py", "restore"),
    "make hil": ("test_hil.py", "hil"),
    "make uf2": ("test_uf2.py", "uf2"),
    "make frozen": ("test_frozen.py", "frozen.main"),
    "python -m host_sim": ("test_page.py", "host_sim"),
    "python -m host_sim run": ("test_scenario_language.py", '"run"'),
    "python -m host_sim film": ("test_readme.py", '"film"'),
    "python -m host_sim pico": ("test_deploy.py", "SerialPort"),
    "python -m tools.fonts": ("test_fonts.py", "main("),
    "python -m tools.words": ("test_words.py", "tool.main("),
    "python -m mpremote": ("test_deploy.py", "mpremote"),
    "python -m pytest tests": ("conftest.py", ""),
    "python -m host_sim.board boards": ("test_boards.py", "main"),
}


def commands(page: Path) -> set[str]:
    return {found.removeprefix(".venv/bin/") for found in COMMAND.findall(page.read_text("utf-8"))}


def test_every_command_of_a_readme_is_run_by_a_test() -> None:
    named = set().union(*(commands(page) for page in PAGES))
    assert "make deploy" in named and "python -m host_sim run" in named
    assert named <= set(RUN), "say which test runs it"
    for command, (file, says) in RUN.items():
        assert says in (ROOT / "tests" / file).read_text("utf-8"), f"{command}: {file} does not run it"


@pytest.mark.parametrize("target", sorted(command.split()[1] for command in RUN if command.startswith("make ")))
def test_make_knows_it(target: str) -> None:
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_make_help_names_every_target_with_a_word_on_it() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.M)
    assert targets and all(f"make {target} " in shown for target in targets[1].split())


def test_every_picture_and_page_that_a_readme_names_is_there() -> None:
    for page in PAGES:
        for link, heading in re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", page.read_text("utf-8")):
            if "://" not in link:
                there = page.parent / link if link else page
                assert there.exists(), f"{page.relative_to(ROOT)} names {link}"
                if heading:
                    heads = re.findall(r"^#+ (.*)$", there.read_text("utf-8"), re.M)
                    named = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}
                    assert heading in named, f"{page.relative_to(ROOT)} names {link}#{heading}"


def test_every_page_that_a_comment_names_is_there() -> None:
    for path in [*(ROOT / "firmware").rglob("*.py"), *ROOT.glob("host_sim/*.py"), *ROOT.glob("tools/**/*.py")]:
        for name in re.findall(r"(?<![\w./-])\w[\w./-]*\.md\b", path.read_text("utf-8")):
            there = any((folder / name).exists() for folder in (ROOT, path.parent, *path.parents[:3]))
            assert there, f"{path.relative_to(ROOT)} names {name}"


@pytest.mark.parametrize("name", ["out.gif", "out.png"])
def test_the_film_of_a_scenario(name: str, tmp_path: Path) -> None:
    scenario = ROOT / "tests" / "scenarios" / "four_to_seven.txt"
    short = tmp_path / "short.txt"
    short.write_text("\n".join(scenario.read_text("utf-8").splitlines()[3:9]) + "\nexpect scores 0 1\n", "utf-8")
    command = [sys.executable, "-m", "host_sim", "film", str(short), "-o", str(tmp_path / name)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with Image.open(tmp_path / name) as picture:
        assert picture.size[0] % 128 == 0 and picture.size[1] % 64 == 0
        assert getattr(picture, "n_frames", 1) > (3 if name.endswith("gif") else 0)


@pytest.mark.parametrize("module", ["host_sim", "host_sim.board", "tools.screens"])
def test_a_python_without_the_packages_says_what_to_do(module: str) -> None:
    command = [sys.executable, "-S", "-m", module]  # -S: without what .venv holds
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "has no PIL, jsonschema, littlefs, websockets: run `make sim` once, then .venv/bin/python" in done.stderr


def test_no_page_calls_a_python_that_has_not_the_packages() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        assert not re.findall(r"(?<!\.venv/bin/)python3? -m", text), page.relative_to(ROOT)
