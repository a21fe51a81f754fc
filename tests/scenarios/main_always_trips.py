"""An app that trips at every start."""

from pouch import app


def step(self):
    self.device.piezo.tone(2000, 32768)
    raise RuntimeError("no way to start")


app.App.step = step

from pouch.start import start  # noqa: E402

start()
