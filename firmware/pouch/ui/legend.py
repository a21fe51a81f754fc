"""The bottom line: what the four keys do right here, each label above its key.

A label is text; a leading "#" makes it a filled tab, the press that takes you on; a trailing "≡" says that the key
can be held. An empty label is a dead key. A single label lies over all four keys. They are English: here they are
put into the language that is set.
"""

from micropython import const

from pouch import words
from pouch.ui.fonts import text as small

_TOP = const(56)
_PAGE = const(896)  # where its page begins
_SLOT = const(32)
_BARS = const(3)
_BARS_ROOM = const(6)
_MARGIN = const(7)
_TAB = const(30)
_APART = const(2)
_PUSH = const(10)
_HELD_LEFT = const(59)
_HELD_WIDTH = const(42)
_HELD_TOP = const(44)


def dead(labels, key):
    """Whether a key has no label."""
    return len(labels) == 4 and not labels[key]


_drawn = ()  # the labels that `_row` shows
_turned = 0  # and for which glass
_language = ""  # and in which language
_row = bytearray((128, 0, 8)) + bytearray(128)  # as a glyph record


def draw(canvas, labels):
    """Draw the legend in rows 56-63, over what is there; black where the frame is black on white."""
    global _drawn, _turned, _language
    if labels != _drawn or canvas.turned != _turned or words.language != _language:
        # Most frames keep the legend of the frame before; setting it takes a third of a frame's time.
        page = memoryview(canvas.pixels)[_PAGE:]
        below = bytes(page)
        page[:] = bytes(128)
        _draw(canvas, said(labels))
        _row[3:] = page
        page[:] = below
        _drawn = labels
        _turned = canvas.turned
        _language = words.language
    canvas.draw(_row, 0, _TOP, 0 if canvas.ground else 1)


def said(labels):
    """The labels in the language that is set. In the table they stand with their signs: to cut these off costs heap."""
    return [words.say(label) for label in labels] if words.look else labels


def _draw(canvas, labels):
    if len(labels) == 1:
        # Over all keys: the words stand in the middle, the bars over OK.
        _tab(canvas, labels[0], 1, 126, 0, _SLOT * 3 - _BARS_ROOM)
        return
    lefts, widths = place(canvas, labels)
    for i in range(4):
        label = labels[i]
        if not label:
            continue
        if label[0] == "#":
            _tab(canvas, label, lefts[i], widths[i], _BARS_ROOM, lefts[i] + widths[i] - _BARS_ROOM)
        else:
            _plain(canvas, label, lefts[i])


def place(canvas, labels):
    """(lefts, widths) of the four labels: centred over their keys, pushed apart where they are too wide."""
    widths = []
    lefts = []
    for i in range(4):
        width = _width(canvas, labels[i])
        widths.append(width)
        lefts.append(_SLOT * i + 16 - (width + 1) // 2)
    for i in range(1, 4):
        if labels[i - 1] and labels[i]:
            overlap = lefts[i - 1] + widths[i - 1] + _APART - lefts[i]
            if overlap > 0:
                # The wider one stays nearer to its key; nobody moves further than ten columns.
                back = min(overlap // 2, max(0, lefts[i - 1] - _floor(lefts, widths, labels, i - 1)))
                lefts[i - 1] -= back
                lefts[i] += min(_PUSH, overlap - back)
    # STUCK, in whatever language, beside labels that were measured without it.
    lefts[3] = min(lefts[3], 128 - widths[3])
    return lefts, widths


def _floor(lefts, widths, labels, i):
    """The leftmost column that label i can be pushed to."""
    if i and labels[i - 1]:
        return lefts[i - 1] + widths[i - 1] + _APART
    return 1


def _width(canvas, label):
    if not label:
        return 0
    if label[0] != "#":
        return _text_width(canvas, label)
    held = label[-1] == "≡"
    text = label[1:-1] if held else label[1:]
    return max(_TAB, canvas.width(small, text) + _MARGIN + (_BARS_ROOM if held else 0))


def _text_width(canvas, label):
    width = canvas.width(small, label)
    # The bars of a plain label stand a little off.
    return width + 2 if label[-1] == "≡" else width


def _plain(canvas, label, left):
    held = label[-1] == "≡"
    x = canvas.text(small, label[:-1] if held else label, left, _TOP + 1)
    if held:
        canvas.text(small, "≡", x + _BARS, _TOP + 1)


def _tab(canvas, label, left, width, bars_room, bars):
    """bars: their column if the key can be held; the words keep bars_room columns free for them."""
    # Its corners are cut where it ends on the glass: the key is at the other side.
    canvas.fill(left + 1, _TOP, width - 2, 8)
    canvas.fill(left, _TOP + 1 - canvas.turned, width, 7)
    held = label[-1] == "≡"
    text = label[1:-1] if held else label[1:]
    room = width - bars_room if held else width
    canvas.text(small, text, left + (room - canvas.width(small, text) + 1) // 2, _TOP + 1, 0)
    if held:
        canvas.text(small, "≡", bars, _TOP + 1, 0)


def held(canvas, word, growth):
    """The tab over OK while it is held: it has grown over the finished frame, and fills up. growth: 1..8."""
    # The bar is at the key, the word further in, on either glass.
    top, at_word, bar = (-2, 11, 4) if canvas.turned else (_HELD_TOP, _HELD_TOP + 3, _TOP)
    canvas.fill(_HELD_LEFT - 1, top, _HELD_WIDTH + 2, 22, 0)
    canvas.plate(_HELD_LEFT, top, _HELD_WIDTH, 22, 1, 2)
    canvas.centred(small, words.say(word), _HELD_LEFT, _HELD_LEFT + _HELD_WIDTH, at_word, 0)
    canvas.fill(_HELD_LEFT + 4, bar, 34, 4, 0)
    rest = 32 - 4 * growth
    canvas.fill(_HELD_LEFT + 37 - rest, bar + 1, rest, 2)
