"""What the games sound like: cues for pouch.sound, which home does without."""


def _sweep(start, stop, steps, ms):
    return tuple((start + (stop - start) * i // (steps - 1), ms) for i in range(steps))


# (Hz, ms) each; 0 Hz is a rest. docs/look.md, "Sound".
GO = ((1047, 80), (1568, 220))
ZIP = (_sweep(800, 2400, 12, 10), _sweep(1200, 3600, 12, 10))
HEAT = ZIP[0] + ZIP[1]
POINT = ((1600, 15),)
WRONG = ((330, 150), (0, 40), (247, 300))
WIN = ((784, 100), (988, 100), (1175, 100), (1568, 400))
PULL_BACK = _sweep(2000, 400, 20, 20)
BEAT = ((880, 90),)
LAST_BEAT = ((1175, 90),)
STOP = ((1760, 1200),)
CANCELLED = ((880, 60), (440, 120))
DISC = ((1319, 30),)
NO_DISC = ((660, 30),)
ACCEPTED = ((1047, 60), (1319, 90))
REFUSED = ((523, 60), (392, 90))
NEXT = ((1047, 40),)
TIE = ((784, 150), (0, 50), (784, 150))
UNDO = ((1319, 30), (1047, 30))
REDO = ((1047, 30), (1319, 30))
LAST_TEN = ((1047, 40),)
LAST_SECONDS = ((1319, 80),)
OVER = ((1760, 400), (0, 200), (1760, 400), (0, 200), (1760, 400))
