"""Where tiers or kept frames differ: the glasses side by side in a page, and kept frames accepted from there.

`write` makes a folder of PNGs with an index.html that can be looked at by itself. `serve` shows the same with a button
beside each glass that makes it the kept frame. Only what the report lists can be accepted, nothing that the page sends
becomes a path.
"""

import html
import json
import shutil
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

from host_sim import picture, run
from host_sim.firmware import BUILD

FOLDER = BUILD / "review"
_SCALE = 3
_STYLE = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif }
body { margin: 1.5rem; max-width: 110rem }
.row { display: flex; flex-wrap: wrap; gap: 1rem; margin: 0 0 2rem }
figure { margin: 0; padding: .6rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent) }
img { display: block; image-rendering: pixelated; width: 384px; height: 192px; background: #000 }
figcaption { margin-top: .4rem; display: flex; gap: .8rem; align-items: center; justify-content: space-between }
button { font: inherit; min-height: 2rem; padding: 0 .9rem }
h2 { margin: 0 0 .5rem; font-size: 1rem }
"""


def _rows(results: list[run.Result]) -> list[dict]:
    """What is to be looked at: {"title", "kept": path or None, "glasses": [(caption, glass)]} each."""
    rows = []
    by_name: dict[tuple[str, str], list[tuple[str, list[bytes]]]] = {}
    for result in results:
        for name in result.changed:
            key = (str(result.scenario.path), name)
            by_name.setdefault(key, []).append((result.tier, result.kept[name]))
    for (path, name), glasses in by_name.items():
        kept = Path(path).parent / run.FRAMES / f"{name}.png"
        rows.append({"title": f"{path}: expect glass {name}", "kept": kept, "glasses": glasses})
    by_scenario: dict[Path, list[run.Result]] = {}
    for result in results:
        by_scenario.setdefault(result.scenario.path, []).append(result)
    for path_, played in by_scenario.items():
        for frames in zip(*(result.frames for result in played), strict=False):
            if any(glass != frames[0][1] for _, glass in frames):
                tiers = [(result.tier, glass) for result, (_, glass) in zip(played, frames, strict=True)]
                rows.append({"title": f"{path_}:{frames[0][0]}: the tiers differ", "kept": None, "glasses": tiers})
        for result in played:
            if result.glass and not result.changed:
                head = (result.failure or "").split("\n")[0]
                rows.append({"title": head, "kept": None, "glasses": [(result.tier, result.glass)]})
    return rows


def write(results: list[run.Result], folder: Path = FOLDER) -> Path | None:
    """Write the report of what failed; None, and no folder, if nothing did. The pictures are at their true size."""
    rows = _rows(results)
    shutil.rmtree(folder, ignore_errors=True)
    if not rows:
        return None
    folder.mkdir(parents=True)
    accepts: dict[str, list[str]] = {}
    body = []
    for number, row in enumerate(rows):
        figures = []
        if row["kept"]:
            if row["kept"].exists():
                shutil.copyfile(row["kept"], folder / f"{number}-kept.png")
                figures.append(_figure(f"{number}-kept.png", "kept", None))
            else:
                figures.append("<p>nothing is kept yet</p>")
        for tier, glass in row["glasses"]:
            name = f"{number}-{tier}.png"
            picture.save(glass, folder / name, scale=1)
            token = name if row["kept"] else None
            if token:
                accepts[token] = [name, str(row["kept"].resolve())]
            figures.append(_figure(name, tier, token))
        body.append(f"<h2>{html.escape(row['title'])}</h2>\n<div class=row>{''.join(figures)}</div>")
    page = (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Pouch: {len(rows)} to look at</title><style>{_STYLE}</style><h1>{len(rows)} to look at</h1>"
        f"<p>To accept from here: <code>.venv/bin/python -m host_sim review</code></p>\n{''.join(body)}</html>\n"
    )
    (folder / "index.html").write_text(page, "utf-8")
    (folder / "accepts.json").write_text(json.dumps(accepts), "utf-8")
    return folder / "index.html"


def _figure(name: str, caption: str, token: str | None) -> str:
    button = ""
    if token:
        hidden = f"<input type=hidden name=glass value='{token}'>"
        button = f"<form method=post action=accept>{hidden}<button>Keep this</button></form>"
    caption = html.escape(caption)
    return f"<figure><img src='{name}' alt='{caption}'><figcaption>{caption}{button}</figcaption></figure>"


def accept(token: str, folder: Path = FOLDER) -> Path:
    """Make one glass of the report the kept frame. Raises KeyError for anything that the report does not list."""
    source, target = json.loads((folder / "accepts.json").read_text("utf-8"))[token]
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(folder / source, target)
    return Path(target)


def server(folder: Path = FOLDER, port: int = 0) -> ThreadingHTTPServer:
    """A server of the report on 127.0.0.1, not started. Raises FileNotFoundError if there is no report."""
    if not (folder / "index.html").exists():
        raise FileNotFoundError(
            f"{folder}: nothing to review; `.venv/bin/python -m host_sim run` writes it when something differs"
        )

    class Handler(BaseHTTPRequestHandler):
        def _ours(self) -> bool:
            host = self.headers.get("Host", "")
            ours = made.server_address[1]
            hosts = {f"127.0.0.1:{ours}", f"localhost:{ours}"}
            origin = self.headers.get("Origin")
            good = host in hosts and (origin is None or origin.removeprefix("http://") in hosts)
            if not good:
                self.send_error(403, "only from this machine's own page")
            return good

        def do_GET(self) -> None:
            if not self._ours():
                return
            known = {path.name: path for path in folder.iterdir() if path.suffix in (".html", ".png")}
            path = known.get(self.path.split("?")[0].strip("/") or "index.html")
            if not path:
                self.send_error(404)
                return
            content = path.read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8" if path.suffix == ".html" else "image/png")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            if not self._ours():
                return
            length = int(self.headers.get("Content-Length") or "0")
            if self.path != "/accept" or not 0 < length < 1000:
                self.send_error(404)
                return
            token = parse_qs(self.rfile.read(length).decode("utf-8", "replace")).get("glass", [""])[0]
            try:
                print(f"kept {accept(token, folder)}")
            except KeyError:
                self.send_error(404)
                return
            self.send_response(303)
            self.send_header("Location", "/")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    made = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    return made
