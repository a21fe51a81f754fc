"""The players' numbered discs, as glyph records; player 0 has the 1."""

from pouch.ui.fonts import icons

_PLAYERS = range(1, 7)

DISCS = tuple([icons.GLYPHS["disc_" + str(player)] for player in _PLAYERS])
RINGS = tuple([icons.GLYPHS["ring_" + str(player)] for player in _PLAYERS])
SMALL_DISCS = tuple([icons.GLYPHS["disc_small_" + str(player)] for player in _PLAYERS])
