"""When the app trips: its last line on the glass, all of it in a file, and one press restarts into the same match."""

import gc
import sys

from micropython import const

from pouch.hal.device import TRIPS

FILE = "crash.txt"
_LONGEST = const(2048)  # bytes of FILE: the latest crashes


def tell(device, error):
    """Keep the traceback, say it on the glass, restart at a press of OK."""
    trace = _trace(error)
    error = None
    gc.collect()
    _keep(device.files, trace)
    print(trace)
    lines = [line.strip() for line in trace.strip().split("\n")]
    what = lines[-1]
    where = ""
    for line in lines:
        if line.startswith("File "):
            parts = line.split('"')
            number = parts[2].split("line ")[1].split(",")[0]
            name = parts[1].split("/")[-1]
            if not name.endswith(".py"):
                # On a board the name of the module stands there.
                name = name.split(".")[-1] + ".py"
            where = name + ":" + number
    from pouch.screens.crash import Crash

    _stand(device, Crash(("Pouch tripped.", "Match is safe."), (what, where, "All of it: " + FILE), "RESTART"))
    device.restart()


def hung(device):
    """The watchdog has restarted a loop that hung: it counts as a crash, and FILE knows of it."""
    _keep(device.files, "The loop hung: the watchdog restarted it.\n")
    device.tripped += 1


def stay(device):
    """The app has tripped again and again: say so, and do not start before a press of OK."""
    from pouch.screens.crash import Crash

    print(f"Pouch: {device.tripped} crashes in a row, see {FILE}.")
    lines = ("Plug it into a computer:", "see README, SORRY.", "All of it: " + FILE)
    _stand(device, Crash(("It tripped again", "and again."), lines, "TRY AGAIN"))
    forget(device.files)
    device.restart()


def forget(files):
    """The app has run for a while, or the table tries again: what was is no row of crashes any more."""
    try:
        files.remove(TRIPS)
    except OSError:
        pass


def _trace(error):
    try:
        import io

        text = io.StringIO()
        sys.print_exception(error, text)
        return text.getvalue()
    except MemoryError:
        return repr(error)


def _keep(files, trace):
    """Both files, as far as there is room: a crash because of a full flash must not trip here again."""
    try:
        files.append(TRIPS, b"x")
        kept = (files.read(FILE) or b"") + trace.encode() + b"\n"
        files.replace(FILE, kept[-_LONGEST:])
    except (OSError, MemoryError):
        pass


def _stand(device, screen):
    """Show a screen until OK is pressed, with nothing of the app."""
    from pouch.presses import DOWN, Presses
    from pouch.ticks import later
    from pouch.ui import legend
    from pouch.ui.canvas import Canvas

    oled = device.oled
    canvas = Canvas(oled, oled.pixels)
    oled.turn(0)  # as it will be after the restart
    canvas.clear()
    screen.render(canvas)
    legend.draw(canvas, screen.legend)
    presses = Presses(4, device.press_us, device.release_us)
    device.keys.listen()
    presses.start(device.keys.mask(), device.now())
    while True:
        oled.show()
        now = device.keys.drain(presses)
        while True:
            kind = presses.take()
            if not kind:
                break
            if kind == DOWN and presses.key == 2:
                return
        oled.probe()
        wait = presses.wait_us(now)
        device.waiter.wait(later(now, 500_000 if wait is None else min(wait, 500_000)))
