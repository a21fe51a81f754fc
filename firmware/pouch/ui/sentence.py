"""Sentences that name several players."""

from pouch.ui.fonts import text as small


def joined(names):
    """ "ANNA", "ANNA and BEN", "ANNA, BEN and CLEO"."""
    names = list(names)
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + " and " + names[-1]


def joined_in(canvas, names, before, after, room):
    """A sentence around several names; only how many they are if it gets too wide."""
    line = before + joined(names) + after
    if canvas.width(small, line) <= room:
        return line
    return before + str(len(names)) + " players" + after
