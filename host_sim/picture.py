"""The glass as pictures."""

from pathlib import Path

from PIL import Image


def image(glass: list[bytes], scale: int = 1, on: int = 255, off: int = 0) -> Image.Image:
    """A greyscale image of the glass, `scale` pixels a pixel."""
    data = b"".join(glass).translate(bytes([off, on]) + bytes(254))
    picture = Image.frombytes("L", (len(glass[0]), len(glass)), data)
    return picture.resize((picture.width * scale, picture.height * scale), Image.Resampling.NEAREST)


def save(glass: list[bytes], path: Path, scale: int = 4) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    image(glass, scale).convert("1").save(path, optimize=True)


def load(path: Path) -> list[bytes]:
    """A glass that was saved at scale 1."""
    picture = Image.open(path).convert("L")
    return [row.translate(_LIT) for row in _rows(picture)]


_LIT = bytes(int(value > 127) for value in range(256))


def _rows(picture: Image.Image) -> list[bytes]:
    data, width = picture.tobytes(), picture.width
    return [data[i : i + width] for i in range(0, len(data), width)]
