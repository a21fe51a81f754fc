"""The app on a bad day: whenever edges wait to be read, it first prints and collects its garbage."""

import gc

from pouch import app

_step = app.App.step


def step(self):
    keys = self.device.keys
    if keys.written != keys._read:
        print("a line that nobody may ever read, longer than any buffer on its way when it is said often enough" * 6)
        gc.collect()
    return _step(self)


app.App.step = step

from pouch.start import start  # noqa: E402

start()
