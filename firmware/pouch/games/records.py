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


def wins(records, name):
    """How many matches the player won, shared ones too; solo is no win."""
    count = 0
    for record in records:
        if len(record["players"]) > 1:
            count += name in [record["players"][player] for player in record["winners"]]
    return count


def scores_of(records, game, name):
    """(matches, best, average rounded to a whole number) of a player in a game; (0, 0, 0) if there are none.

    Best is the highest score, but where the record says that the lowest wins.
    """
    scores = []
    low = False
    for record in records:
        if record["game"] != game:
            continue
        low = ("wins", "lowest") in record["options"]
        for player, score, _ in record["standings"]:
            if record["players"][player] == name:
                scores.append(score)
    if not scores:
        return (0, 0, 0)
    count = len(scores)
    return (count, min(scores) if low else max(scores), (2 * sum(scores) + count) // (2 * count))
