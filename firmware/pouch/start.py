"""Power-on: the safe-mode check, then the app; and what happens if it trips."""

from micropython import const

from pouch import forget
from pouch.hal.device import Device

_BACK = const(2)  # in the mask of the keys
_MOST_TRIPS = const(3)  # then the app is not started again by itself


def start():
    """Run the app until the power goes; return at once if BACK is held."""
    device = Device()
    if device.keys.mask() & _BACK:
        device.silence()
        print("Pouch: BACK is held, so the app does not start. Reset to play.")
        return
    try:
        _play(device)
    except Exception as error:
        # Not Ctrl-C: that is no Exception, and ends at the prompt.
        device.silence()
        from pouch import crash

        crash.tell(device, error)


def _play(device):
    if device.watchdog and device.watchdog.bit:
        from pouch import crash

        crash.hung(device)
    if device.tripped >= _MOST_TRIPS:
        from pouch import crash

        crash.stay(device)
    from pouch.power_on import power_on

    app = power_on(device)
    # Neither is needed again, and a match has a use for their room.
    forget("pouch.power_on")
    forget("pouch.hal.board")
    del power_on
    app.run()
