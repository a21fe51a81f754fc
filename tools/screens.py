"""The README's sheet of screens, from the frames that the scenarios keep: `python -m tools.screens [OUT.png]`"""

import sys
from pathlib import Path

from PIL import Image

from host_sim.picture import image, load

ROOT = Path(__file__).resolve().parent.parent
FRAMES = ROOT / "tests" / "scenarios" / "frames"
BEST = (
    ("look-zip-running", "zip-zip", "look-zip-photo"),
    ("zip-bonus-word", "zip-win", "look-menu"),
    ("cw-open", "cw-count", "cw-sheet-six"),
    ("cw-points", "cw-result-race", "name-entry-be"),
)
_SCALE = 2
_GAP = 12
_INK, _GLASS, _AROUND = 0xE8, 0x08, 0x60


def sheet() -> Image.Image:
    width, height = 128 * _SCALE + _GAP, 64 * _SCALE + _GAP
    picture = Image.new("L", (width * len(BEST[0]) + _GAP, height * len(BEST) + _GAP), _AROUND)
    for row, names in enumerate(BEST):
        for column, name in enumerate(names):
            glass = image(load(FRAMES / f"{name}.png"), _SCALE, _INK, _GLASS)
            picture.paste(glass, (_GAP + width * column, _GAP + height * row))
    return picture


def main(argv: list[str]) -> int:
    out = Path(argv[0]) if argv else ROOT / "docs" / "screens.png"
    sheet().save(out, optimize=True)
    print(out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
