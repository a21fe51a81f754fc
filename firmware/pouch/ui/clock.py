"""Times on the glass."""


def draw(canvas, font, text, left, right, y, color=1):
    """A time like 0:42 in the middle of left..right-1: every digit takes a full width, so that nothing shifts."""
    cell = canvas.width(font, "0")
    colon = canvas.width(font, ":")
    width = -font.GAP
    for character in text:
        width += font.GAP + (cell if character != ":" else colon)
    x = left + (right - left - width) // 2
    for character in text:
        room = cell if character != ":" else colon
        spare = room - canvas.width(font, character)
        canvas.text(font, character, x + (spare + 1) // 2, y, color)
        x += room + font.GAP
