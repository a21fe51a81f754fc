"""The history: finished matches as `Match.record` gives them, oldest first. A match is in it once, by its order."""


def filed(records, order, record):
    """`records` with the match number `order` as it stands: put in, replaced, or (record None) taken out again.

    So a win that is taken back and comes again counts once.
    """
    kept = [other for other in records if other["order"] != order]
    if record is not None:
        kept.append(record)
    kept.sort(key=lambda other: other["order"])
    return tuple(kept)


class Totals:
    """What one player has reached in a game, record by record: they need not be in memory together."""

    def __init__(self, game, name):
        self.game = game
        self.name = name
        self.matches = 0
        self.wins = 0  # shared ones too; solo is no win
        self.best = 0  # the highest score, but where the record says that the lowest wins
        self._sum = 0

    def add(self, record):
        if record["game"] != self.game:
            return
        players = record["players"]
        for player, score, _ in record["standings"]:
            if players[player] == self.name:
                best = min if ("wins", "lowest") in record["options"] else max
                self.best = best(self.best, score) if self.matches else score
                self.matches += 1
                self._sum += score
        if len(players) > 1:
            self.wins += self.name in [players[player] for player in record["winners"]]

    @property
    def average(self):
        """Rounded to a whole number, 0 without a match."""
        return (2 * self._sum + self.matches) // (2 * self.matches) if self.matches else 0


def wins(records, name):
    """How many matches of any game the player won."""
    count = 0
    for record in records:
        totals = Totals(record["game"], name)
        totals.add(record)
        count += totals.wins
    return count


def scores_of(records, game, name):
    """(matches, best, average) of a player in a game; (0, 0, 0) if there are none."""
    totals = Totals(game, name)
    for record in records:
        totals.add(record)
    return (totals.matches, totals.best, totals.average)


# Games by their key, as the glass calls them in a sentence.
TITLES = {"zip_it": "ZIP-IT", "crossed_words": "Crossed Words", "upwords": "Upwords", "tally": "Tally"}


def title(record, say=str):
    """ "23 ZIP-IT", "20 Upwords solo", in the language of `say`."""
    solo = " " + say("solo") if len(record["players"]) == 1 else ""
    return str(record["order"]) + " " + say(TITLES[record["game"]]) + solo


def score(record, between):
    """The best score and the one after it, or what one player alone has reached."""
    standings = record["standings"]
    best = str(standings[0][1])
    return best if len(standings) == 1 else best + between + str(standings[1][1])


def final(record):
    """The scores in the end, in the players' order."""
    scores = [0] * len(record["players"])
    for player, score, _ in record["standings"]:
        scores[player] = score
    return tuple(scores)


def winner(record, say=str):
    """Who won, and at what: "RED 10:7" of two, "CLEO 9" of more, "tie 120", "186" of one alone."""
    winners = record["winners"]
    best = str(record["standings"][0][1])
    if len(winners) > 1:
        return say("tie {}").format(best)
    players = record["players"]
    if len(players) == 1:
        return best
    return players[winners[0]] + " " + (score(record, ":") if len(players) == 2 else best)
