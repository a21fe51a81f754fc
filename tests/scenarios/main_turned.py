"""The app with its glass turned from the start, for who sits opposite."""

from pouch import app

_run = app.App.run


def run(self):
    self.turn()
    _run(self)


app.App.run = run

from pouch.start import start  # noqa: E402

start()
