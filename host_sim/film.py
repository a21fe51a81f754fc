"""Films the glass while a scenario plays: a GIF in which every frame stands as long as it stood on the device."""

import io
import itertools
from pathlib import Path

from PIL import Image

from host_sim import picture, run
from host_sim.device import Device
from host_sim.scenario import Scenario

_LOOK_US = 20_000  # a GIF counts in hundredths of a second, and browsers show no frame for less than two
END_US = 1_500_000  # how long the last frame stands
_ON, _OFF = 0xF4, 0x10  # the white and the black of an OLED


class _Filmed:
    """A device that is looked at while its time passes."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._run = device.run
        self.frames: list[tuple[int, list[bytes]]] = []  # when a glass came up, in microseconds

    def run(self, until_us: int) -> None:
        device = self._device
        while device.now < until_us:
            self._run(min(until_us, device.now + _LOOK_US))
            glass = device.glass()
            if not self.frames or glass != self.frames[-1][1]:
                self.frames.append((device.now, glass))


def shoot(scenario: Scenario, tier: str) -> list[tuple[int, list[bytes]]]:
    """(microseconds, glass) of every change of the glass, and its end. Raises ValueError if the scenario fails."""
    filmed: list[_Filmed] = []

    def watch(device: Device) -> None:
        camera = _Filmed(device)
        filmed.append(camera)
        device.run = camera.run  # type: ignore[method-assign]

    result = run.play(scenario, tier, watch=watch)
    if result.failure:
        raise ValueError(result.failure)
    frames = filmed[0].frames
    return [*frames, (max(result.virtual_us, frames[-1][0] + END_US), frames[-1][1])]


def still(glass: list[bytes], scale: int = 4) -> bytes:
    """A glass as a PNG."""
    out = io.BytesIO()
    picture.image(glass, scale).convert("1").save(out, "PNG", optimize=True)
    return out.getvalue()


def moving(frames: list[tuple[int, list[bytes]]], scale: int = 3, longest_us: int = 2_000_000) -> tuple[bytes, int]:
    """A GIF, and how many frames it has. What stands longer than `longest_us` is cut to that.

    frames: (microseconds, glass) each; the last one only says when the one before it ends.
    """
    pictures: list[Image.Image] = []
    durations: list[int] = []
    for (start, glass), (end, _) in itertools.pairwise(frames):
        if end - start < _LOOK_US and pictures:
            continue  # no browser shows it for less
        pictures.append(picture.image(glass, scale, _ON, _OFF).convert("P"))
        durations.append(max(20, min(end - start, longest_us) // 10_000 * 10))
    out = io.BytesIO()
    pictures[0].save(out, "GIF", save_all=True, append_images=pictures[1:], duration=durations, loop=0, optimize=True)
    return out.getvalue(), len(pictures)


def save(frames: list[tuple[int, list[bytes]]], path: Path, scale: int = 3) -> int:
    """Write the film: a .gif, or of a .png its last glass. Returns how many frames it has."""
    data, count = (still(frames[-1][1], scale), 1) if path.suffix == ".png" else moving(frames, scale)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return count
