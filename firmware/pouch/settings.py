"""What is set on the device, and who plays on it. Pure: values in, values out; pouch.store keeps them."""

from micropython import const

from pouch.frames import Damaged
from pouch.store import Newer

VERSION = 1

# (key, label, values, default, how a number is read); 0 is never, or off
ROWS = (
    ("sound", "Sound", ("loud", "quiet", "off"), "loud", ""),
    ("light", "Light", (1, 2, 3, 4, 5), 5, "{} of 5"),
    ("dim", "Dim after", (1, 2, 5, 10), 2, "{} min"),
    ("sleep", "Sleep after", (5, 10, 20, 60, 0), 10, "{} min"),
    ("language", "Language", ("English", "español"), "English", ""),
    ("guard", "Double-press guard", (0, 300), 0, "{} ms"),
)
DIM = const(1)  # the contrast when nobody has touched it for a while
CONTRASTS = (1, 24, 80, 160, 255)  # of the light 1..5: steps that look alike

NAMES = ("RED", "BLUE", "GREEN", "GOLD", "PINK", "GREY")
LONGEST_NAME = 8
_MOST_NAMES = 40


def defaults():
    settings = {key: default for key, _, _, default, _ in ROWS}
    settings["options"] = {}  # by the game's key, what differs from the options in its box: {key: value}
    return settings


def own(settings, game):
    """The options with which a game begins on this device: those that the game still knows, as {key: value}."""
    kept = settings["options"].get(game.KEY, {})
    return {row[0]: kept[row[0]] for row in game.OPTIONS if row[0] in kept and kept[row[0]] in row[2]}


def packed(settings):
    """The settings as a value that a store takes."""
    return (VERSION, dict(settings))


def fit(value):
    """Settings from a kept value; a row that it lacks, or that has no such value, gets its default.

    Raises Newer for a later version, Damaged if it makes no sense.
    """
    _, kept = _versioned(value)
    if not isinstance(kept, dict):
        raise Damaged()
    settings = defaults()
    for key, _, values, _, _ in ROWS:
        if kept.get(key) in values:
            settings[key] = kept[key]
    options = kept.get("options")
    if isinstance(options, dict):
        settings["options"] = {key: value for key, value in options.items() if isinstance(value, dict)}
    return settings


def with_name(names, name):
    """The names with one that is remembered; the oldest that somebody entered goes if there are too many."""
    if name in names:
        return names
    names += (name,)
    return names if len(names) <= _MOST_NAMES else names[: len(NAMES)] + names[len(NAMES) + 1 :]


def packed_names(names):
    return (VERSION, tuple(names))


def fit_names(value):
    """Names from a kept value: a tuple of 2 to 40, of 1 to 8 characters. One that somebody entered and that does not
    fit is left out. Raises as `fit` does."""
    _, names = _versioned(value)
    if not isinstance(names, tuple) or not 2 <= len(names) <= _MOST_NAMES:
        raise Damaged()
    good = [name for name in names if isinstance(name, str) and 1 <= len(name) <= LONGEST_NAME]
    if tuple(good[: len(NAMES)]) != names[: len(NAMES)]:
        raise Damaged()  # these are the device's own
    return tuple(good)


def _versioned(value):
    if not isinstance(value, tuple) or not value or not isinstance(value[0], int) or value[0] < 1:
        raise Damaged()
    if value[0] > VERSION:
        raise Newer()
    if len(value) != 2:
        raise Damaged()
    return value
