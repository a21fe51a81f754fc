"""A table that plays without a glass: the app's own way of keeping a match, on files that are handed in.

Plain code: it runs on the Pico too. There it is `table`.
"""

import pouch.app as app
from pouch.app import App
from pouch.store import Store


class _Keys:
    def blind(self, began, ended):
        pass


class _Device:
    keys = _Keys()

    def now(self):
        return 0


def _none_ran(table):
    return None


class Table(App):
    def __init__(self, files):
        self.store = Store(files)
        self.device = _Device()
        self.match = None
        self.stopwatch = self.countdown = self.played = None
        self._played = 0
        self.now = 0
        self.full = False
        self._save_at = None
        self._filed = -1
        # Not every game has screens that could bring its clock back.
        kept, app.interrupted = app.interrupted, _none_ran
        try:
            self.power_cut = self._load()
        finally:
            app.interrupted = kept

    def _seconds(self):
        return None  # there is no clock here

    def save(self):
        """As the app does it after a press. Returns whether there was room."""
        self._save()
        return not self.full

    def _apply(self):
        pass

    def _tell_full(self):
        pass
