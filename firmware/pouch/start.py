"""Power-on: the safe-mode check, then the app."""

from pouch.hal.device import Device


def start():
    """Run the app until the power goes; return at once if BACK is held."""
    device = Device()
    if device.keys.mask() & 2:
        device.silence()
        print("Pouch: BACK is held, so the app does not start. Reset to play.")
        return
    from pouch.app import App
    from pouch.screens.home import Home

    app = App(device, Home)
    if device.problem:
        from pouch.screens.notice import Notice

        lines = (device.problem, "The keys are where a plain", "Pico has them.")
        app.show(Notice(app, "PLAYING ON", lines, app.screen))
    app.run()
