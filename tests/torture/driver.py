"""Plays evenings on the Pico itself: main.py says `import driver`, and what is played is in the file `evening`.

When it is over it prints the times of each save, its begin and its end.
"""

import json
from time import sleep_ms, ticks_us

from pouch.games import GAMES
from pouch.hal.files import Files
from table import Table
from walk import evening


def main():
    with open("evening") as file:
        seed, steps, keys, again = json.load(file)
    for key in keys:
        GAMES[key]
    files = Files("data")
    times = []

    def save(table, before):
        times.append(ticks_us())
        table.save()
        times.append(ticks_us())

    # Until here it is the same each time: an emulated Pico need not do it again.
    sleep_ms(300)
    evening(lambda: Table(files), save, seed, steps, tuple(keys), again)
    for at in range(0, len(times), 8):
        print("T", *times[at : at + 8])
    print("OVER")
    while True:
        sleep_ms(1000)


main()
