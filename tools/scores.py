"""python -m tools.scores: the finished matches and the running one, as pouch-scores.csv and pouch-scores.json.

The firmware's own modules read the files, so that what they mean is written down once. Nothing is changed.
"""

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from host_sim.firmware import CHILD, FIRMWARE
from tools import kept
from tools.board_link import LinkError
from tools.kept import KeptError

COLUMNS = ("match", "state", "game", "place", "player", "score", "rounds")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class _Files:
    """What pouch.hal.files.Files is on a board; changes stay in here."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = dict(files)

    def names(self) -> Iterator[str]:
        return iter([name for name in self._files if not name.endswith(".new")])

    def read(self, name: str) -> bytes | None:
        return self._files.get(name)

    def size(self, name: str) -> int:
        return len(self._files.get(name, b""))

    def append(self, name: str, data: bytes) -> None:
        self._files[name] = self._files.get(name, b"") + bytes(data)

    def write(self, name: str, data: bytes) -> None:
        self._files[name] = bytes(data)

    replace = write

    def rename(self, old: str, new: str) -> None:
        self._files[new] = self._files.pop(old)

    def remove(self, name: str) -> None:
        if name not in self._files:
            raise OSError(2, "no such file", name)
        del self._files[name]


def read(files: Mapping[str, bytes]) -> tuple[list[dict[str, Any]], list[str]]:
    """(matches, problems): the finished ones oldest first, then the one that is played, and what could not be read."""
    for folder in (FIRMWARE, CHILD / "cpython"):
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
    from pouch.games import GAMES
    from pouch.match import by_round, restore
    from pouch.store import Store

    store = Store(_Files(files))
    store.look()
    matches = [_told(GAMES, record, "finished") for record in store.records()]
    match = store.last_match(restore)
    if match and match.order not in [told["match"] for told in matches]:
        record = match.record() or {
            "order": match.order,
            "game": match.game.KEY,
            "players": match.players,
            "options": tuple((key, match.options[key]) for key in match.game.DECIDING),
            "rounds": by_round(match.state["history"], len(match.players)) if match.players else (),
            "standings": tuple(match.standings()),
            "winners": None,
            "length": match.state["rounds"],
        }
        matches.append(_told(GAMES, record, "finished" if record["winners"] is not None else "running"))
    return matches, store.problems


def _told(games: Any, record: Mapping[str, Any], state: str) -> dict[str, Any]:
    """A record of the history in the words of whoever reads it elsewhere."""
    players = record["players"]
    winners = record["winners"]
    return {
        "match": record["order"],
        "state": state,
        "game": games[record["game"]].NAME if record["game"] in games else record["game"],
        "players": list(players),
        "standings": [
            {"place": rank + 1, "player": players[player], "score": score}
            for player, score, rank in record["standings"]
        ],
        "winners": None if winners is None else [players[player] for player in winners],
        "rounds": record["length"],
        "scores after each round": [list(scores) for scores in record["rounds"]],
        "options": dict(record["options"]),
    }


def _harmless(text: str) -> str:
    """A spreadsheet takes what begins so for a formula."""
    return "'" + text if text.startswith(_FORMULA) else text


def as_csv(matches: list[dict[str, Any]]) -> str:
    """A line for each player of each match, the best first."""
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(COLUMNS)
    for match in matches:
        for each in match["standings"]:
            player = _harmless(each["player"])
            lines.writerow(
                (match["match"], match["state"], match["game"], each["place"], player, each["score"], match["rounds"])
            )
    return out.getvalue()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.scores", description=__doc__)
    kept.add_arguments(parser)
    parser.add_argument("-o", "--out", type=Path, default=Path("pouch-scores"), help="the files' name, without ending")
    args = parser.parse_args()
    try:
        source = kept.of(args)
        try:
            files = source.read()
        finally:
            source.close()
        matches, problems = read(files)
        for problem in problems:
            print(problem, file=sys.stderr)
        # With the mark that lets a spreadsheet know that Ö is one letter.
        Path(f"{args.out}.csv").write_text(as_csv(matches), "utf-8-sig", newline="")
        Path(f"{args.out}.json").write_text(json.dumps(matches, ensure_ascii=False, indent=1) + "\n", "utf-8")
    except (KeptError, LinkError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    running = sum(match["state"] == "running" for match in matches)
    print(f"{args.out}.csv and .json: {len(matches) - running} finished matches, {running} running")
    return 0


if __name__ == "__main__":
    sys.exit(main())
