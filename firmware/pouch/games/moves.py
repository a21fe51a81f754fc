"""What the rules of the games have in common: is a move one of the game's, its options, a score put right."""

from pouch.games import CHANGE, END, HIGHEST, LOWEST, TIME_UP, Illegal

# The option of every game in which somebody has a turn or a round. Seconds, 0: none.
LIMIT = ("limit", "Time limit, seconds", (0, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600), 0, "")

_COMMON = {TIME_UP: 0, CHANGE: (2, 2, ((0, 5), (LOWEST, HIGHEST)), "No such player or score"), END: 0}


def need(condition, reason):
    """Raise Illegal with `reason` unless the condition holds."""
    if not condition:
        raise Illegal(reason)


def check(actions, action):
    """Raise Illegal unless `action` has a known kind and fitting numbers.

    actions: {kind: 0 for no numbers, or (fewest, most, ((lowest, highest), ...), reason)}. The last range holds
    for all numbers after it. What depends on the state is the game's to check.
    """
    rule = actions.get(action[0]) if action else None
    if rule is None:
        rule = _COMMON.get(action[0]) if action else None
        if rule is None:
            raise Illegal("Not a move of this game")
    count = len(action) - 1
    if not rule:
        if count:
            raise Illegal("That takes no number")
        return
    fewest, most, ranges, reason = rule
    if count < fewest or count > most:
        raise Illegal(reason)
    last = len(ranges) - 1
    i = 0
    while i < count:
        low, high = ranges[i if i < last else last]
        i += 1
        if not low <= action[i] <= high:
            raise Illegal(reason)


def choose(table, options):
    """All options of a game with their values: `options` where given, else the defaults.

    Raises Illegal for a key that the table has not, or a value that is not among the row's values.
    """
    chosen = {}
    for key, _, values, default, _ in table:
        value = options.get(key, default)
        need(value in values, "Not one of the choices")
        chosen[key] = value
    for key in options:
        need(key in chosen, "No such option")
    return chosen


def seats(game_players, players):
    """Raise Illegal unless there are as many players as the game is for: (fewest, most)."""
    fewest, most = game_players
    if not fewest <= len(players) <= most:
        raise Illegal(f"For {fewest} players" if fewest == most else f"For {fewest} to {most} players")


def put(values, index, value):
    """A copy of a tuple with one item replaced."""
    return values[:index] + (value,) + values[index + 1 :]


def changed(state, action, lowest=LOWEST, highest=HIGHEST):
    """The state after CHANGE: one player's score is what the table says. Raises Illegal out of lowest..highest."""
    player, score = action[1], action[2]
    need(player < len(state["scores"]), "There is no such player")
    if not lowest <= score <= highest:
        raise Illegal(f"Scores are {lowest} to {highest}")
    state = state.copy()
    state["scores"] = put(state["scores"], player, score)
    return state
