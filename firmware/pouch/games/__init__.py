"""The rules of the games, pure: no clock, no screen, no storage."""


class Illegal(Exception):
    """An action that the rules do not allow now. The text is for the people at the table."""
