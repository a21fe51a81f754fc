"""Cues for a sounder that knows only one pitch: what a cue says by pitch is said by rhythm, in about the same time.

- Notes that follow each other come apart by a short silence; those of a sweep are one sound.
- Two at the end mean no, back or less: a cue that falls, or a single low note, ends twice.
- ZIP! of the left player is one sound, of the right player two.
"""

from micropython import const

from pouch.cues import HEAT, ZIP

_GAP_MS = const(20)  # between notes
_TICK_MS = const(15)  # a note before such a silence sounds at least
_TWICE_MS = const(40)  # between the two at the end
_SHORT_MS = const(25)  # shorter is part of a sweep; and how long one of two sounds at least
_LOW_HZ = const(700)

_LEFT = (ZIP[0][0][0], 120)
_RIGHT = ((ZIP[1][0][0], 40), (0, 40), (ZIP[1][0][0], 40))
_made = {ZIP[0]: (_LEFT,), ZIP[1]: _RIGHT, HEAT: (_LEFT, (0, 80)) + _RIGHT}  # each cue's, once it was asked for


def rhythm(cue):
    """The (Hz, ms) notes to play for a cue; its silences and how many notes there are tell it apart."""
    made = _made.get(cue)
    if made is None:
        made = _made[cue] = _make(cue)
    return made


def _make(cue):
    notes = []
    for i in range(len(cue)):
        hz, ms = cue[i]
        if i and hz and cue[i - 1][0]:
            if ms < _SHORT_MS and cue[i - 1][1] < _SHORT_MS:
                notes[-1] = (hz, notes[-1][1] + ms)
                continue
            before, was = notes[-1]
            notes[-1] = (before, max(was - _GAP_MS, _TICK_MS))
            notes.append((0, _GAP_MS))
        notes.append((hz, ms))
    first, (last, ms) = cue[0][0], notes[-1]
    if last and (last < first or (len(cue) == 1 and last < _LOW_HZ)):
        half = max((ms - _TWICE_MS) // 2, _SHORT_MS)
        notes[-1:] = [(last, half), (0, _TWICE_MS), (last, half)]
    return tuple(notes)
