"""Sentences about players."""

from pouch.ui.fonts import text as small
from pouch.words import say


def joined(names):
    """ "ANNA", "ANNA and BEN", "ANNA, BEN and CLEO"."""
    names = list(names)
    last = names.pop()
    if not names:
        return last
    # Where a language has another word before the sound of an I, as Spanish "e", that is the last one.
    pair = say("{} and {}|{} and {}").split("|")[1 if last.startswith(("I", "Í", "HI", "HÍ")) else 0]
    return pair.format(", ".join(names), last)


def joined_in(canvas, names, sentence, room):
    """A sentence with a {} for several names; only how many they are if it gets too wide."""
    line = sentence.format(joined(names))
    if canvas.width(small, line) <= room:
        return line
    return sentence.format(say("{} players").format(len(names)))


def leads(canvas, players, scores, leading):
    """Who leads, as one line. leading: the players at the highest score, none before anybody has a point."""
    if len(players) == 1:
        return say("{} has {}").format(players[0], scores[0])
    if not leading:
        return say("Nobody has a point yet.")
    points = str(scores[leading[0]])
    if len(leading) == 1:
        return say("{} leads with {}").format(players[leading[0]], points)
    names = [players[player] for player in leading]
    return joined_in(canvas, names, say("{} lead with {}").format("{}", points), 127)
