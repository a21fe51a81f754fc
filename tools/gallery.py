"""python -m tools.gallery: every screen, from the scenarios, beside the agreed mock-up.

Plays the scenarios and makes build/gallery/index.html: each kept frame as it is today, at 3x, the mock-up that belongs
to it, and how many pixels differ; language by language. docs/look/ holds the mock-ups, docs/look/notes.txt says which
belongs to which frame, and why a difference stays.
"""

import html
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from host_sim import picture, run
from host_sim.firmware import BUILD, ROOT
from host_sim.scenario import parse

LOOK = ROOT / "docs" / "look"
NOTES = LOOK / "notes.txt"
SCENARIOS = ROOT / "tests" / "scenarios"
OUT = BUILD / "gallery"
_STYLE = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif }
body { margin: 1.5rem; max-width: 60rem }
section { display: grid; grid-template-columns: 384px 384px; gap: .4rem 1.2rem; margin: 0 0 1.8rem; align-items: start }
h2 { margin: 2rem 0 1rem }
h3, p { grid-column: 1 / -1; margin: 0; font-size: 1rem }
p { color: color-mix(in srgb, currentColor 75%, transparent) }
img { display: block; image-rendering: pixelated; width: 384px; height: 192px; background: #000 }
"""


@dataclass(frozen=True)
class Note:
    """mock: the file in docs/look without its ending, None if nothing was agreed. reason: why they differ."""

    mock: str | None
    reason: str


def notes(path: Path = NOTES) -> dict[str, Note]:
    """frame: Note. A line is `frame = mock` or `frame = mock: reason`; `frame: reason` has no mock-up.

    Raises ValueError with file and line for a line that is none of these, or a mock-up that is not there.
    """
    found = {}
    for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        head, _, reason = line.partition(":")
        frame, equals, mock = (part.strip() for part in head.partition("="))
        if not frame or " " in frame or (not equals and not reason):
            raise ValueError(f"{path}:{number}: write `frame = mock-up: reason` or `frame: reason`")
        if equals and not (LOOK / f"{mock}.png").is_file():
            raise ValueError(f"{path}:{number}: there is no {LOOK / mock}.png")
        found[frame] = Note(mock if equals else None, reason.strip())
    return found


def _frames(path: Path) -> tuple[str, dict[str, list[bytes]], str | None]:
    scenario = parse(path)
    result = run.play(scenario, "cpython" if "cpython" in scenario.tiers else scenario.tiers[0])
    return path.name, result.kept, None if result.changed else result.failure


def collect() -> tuple[dict[str, tuple[str, list[bytes]]], list[str]]:
    """({frame: (scenario, glass)}, failures) of all scenarios."""
    found: dict[str, tuple[str, list[bytes]]] = {}
    failures = []
    with ProcessPoolExecutor() as pool:
        for name, kept, failure in pool.map(_frames, sorted(SCENARIOS.glob("*.txt"))):
            found.update({frame: (name, glass) for frame, glass in kept.items()})
            if failure:
                failures.append(failure)
    return dict(sorted(found.items())), failures


def language_of(frame: str, screens: dict[str, tuple[str, str]]) -> str:
    return screens[frame][0] if frame in screens else "not kept yet"


def differing(glass: list[bytes], note: Note | None) -> int | None:
    """Pixels that differ from the mock-up, None without one."""
    if not note or not note.mock:
        return None
    return run.pixels_apart(glass, picture.load(LOOK / f"{note.mock}.png"))


def main() -> int:
    known = notes()
    frames, failures = collect()
    for failure in failures:
        print(failure)
    OUT.mkdir(parents=True, exist_ok=True)
    screens = run.read_screens(SCENARIOS / run.FRAMES)
    bodies: dict[str, list[str]] = {}
    equal = unexplained = 0
    for frame, (scenario, glass) in frames.items():
        note = known.get(frame)
        picture.save(glass, OUT / f"{frame}.png", scale=3)
        count = differing(glass, note)
        text = f"{frame}, from {scenario}"
        shown = f'<img src="{frame}.png" alt="{html.escape(frame)}">'
        if note and note.mock:
            picture.image(picture.load(LOOK / f"{note.mock}.png"), 3).save(OUT / f"look-{note.mock}.png")
            shown += f'<img src="look-{note.mock}.png" alt="the mock-up {html.escape(note.mock)}">'
            text += f": {count} pixels differ from the mock-up {note.mock}" if count else f": equal to {note.mock}"
            equal += not count
        if count and note and not note.reason:
            unexplained += 1
            print(f"{frame}: {count} pixels differ from {note.mock}, and {NOTES} does not say why")
        reason = f"<p>{html.escape(note.reason)}</p>" if note and note.reason else ""
        section = f"<section><h3>{html.escape(text)}</h3>{shown}{reason}</section>"
        bodies.setdefault(language_of(frame, screens), []).append(section)
    # English, which the mock-ups are in, comes first.
    body = "".join(
        f'<h2 id="{language}">{language}: {len(bodies[language])}</h2>{"".join(bodies[language])}'
        for language in sorted(bodies)
    )
    links = " ".join(f'<a href="#{language}">{language}</a>' for language in sorted(bodies))
    page = (
        "<!doctype html><meta charset=utf-8><title>Pouch: every screen</title>"
        f"<style>{_STYLE}</style><h1>Every screen: today, and as it was agreed</h1><nav>{links}</nav>{body}"
    )
    (OUT / "index.html").write_text(page, "utf-8")
    agreed = sum(1 for frame in frames if frame in known and known[frame].mock)
    print(f"{len(frames)} screens, {agreed} with a mock-up, {equal} of them equal to it: {OUT / 'index.html'}")
    return 1 if failures or unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
