"""The screen that is asleep: wherever it stands, all of it is on the glass, and no pixel burns in."""

import pytest

from tests.test_frames import drawn, make, put  # noqa: F401

GAMES = {
    "none": None,
    "zip": ("zip_it", 2, (7, 4)),
    "wide": ("zip_it", 2, (-99, 1999)),
    "six": ("crossed_words", 6, (1, 2, 3, 4, 5, 6)),
}


@pytest.mark.parametrize("what", GAMES)
@pytest.mark.parametrize("seconds", [None, 134, 5999])
def test_for_two_hours_all_of_it_is_on_the_glass_and_elsewhere_each_minute(make, firmware, what, seconds):  # noqa: F811
    app = make("zip_it", ("RED", "BLUE"))
    if GAMES[what]:
        game, players, scores = GAMES[what]
        app = make(game, ("ANNA", "BEN", "CLEO", "DAD", "EMMA", "FINN")[:players])
        app.match.journal.add((1,))
        put(app, scores=scores)
    if seconds:
        app.countdown = firmware("countdown").Countdown(1000 * seconds, app.now)
    sleep = firmware("screens.sleep").Sleep(app.screen)
    ink, lit, before = None, b"\xff" * 1024, None
    for _ in range(120):
        frame = drawn(app, sleep)
        count = sum(byte.bit_count() for byte in frame)
        ink = ink or count
        assert count == ink > 20, "a part of it is cut off"
        assert frame != before
        before = frame
        lit = bytes(a & b for a, b in zip(lit, frame, strict=True))
        sleep.move()
    assert not any(lit), "some pixel is always lit"
