"""What the glass says, in the language that is set. The texts in the code are English, and the keys of all others.

English needs no more than this. See pouch.languages for the others.
"""

ENGLISH = "English"

language = ENGLISH
look = None  # finds a text of another language


def say(text):
    """A text of the code in the language that is set; as it is if the language has none for it."""
    return look(text) if look and text else text
