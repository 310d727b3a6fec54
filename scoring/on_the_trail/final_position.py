"""ON THE TRAIL as a final-position document: what a file or a form says of a finished race."""

from msgspec import Struct

from scoring.kernel.documents import at, quoted, read_name, read_players, read_rulings
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import DECK_SIZE, MOST_LEGS, TRAIL_CARDS
from scoring.on_the_trail.points import Final, FinalPlayer

RUNNERS = (2,)  # a bot is one of them
MOST_CARDS = DECK_SIZE - 1  # the last leg has cost a card at least

MOST_TO_GO = TRAIL_CARDS * MOST_LEGS


class _PlayerIn(Struct, forbid_unknown_fields=True):
    name: str
    finished: bool = False
    hand: int = 0
    bot: bool = False
    to_go: int | None = None
    out: bool = False


def read_final(document: dict) -> Final:
    """Return what scoring needs from a final-position document.

    :raises Malformed: one line that names the place of the fault and the nearest right value.
    """
    players = read_players(document, _PlayerIn, RUNNERS)
    rulings = read_rulings(document, r.RULINGS)
    names: set[str] = set()
    finals = []
    for number, player in enumerate(players):
        place = f"players[{number}]"
        name = read_name(player.name, f"{place}.name", names)
        if not 0 <= player.hand <= MOST_CARDS:
            nearest = min(max(player.hand, 0), MOST_CARDS)
            said = (
                f"a runner holds 0 to {MOST_CARDS} cards at the end, not {quoted(player.hand)}; did you mean {nearest}?"
            )
            raise at(f"{place}.hand", said)
        if player.bot and player.hand:
            raise at(f"{place}.hand", f"the bot never holds a card, not {quoted(player.hand)}; did you mean 0?")
        if player.to_go is not None and not 0 <= player.to_go <= MOST_TO_GO:
            nearest = min(max(player.to_go, 0), MOST_TO_GO)
            raise at(
                f"{place}.to_go",
                f"a runner has 0 to {MOST_TO_GO} legs to go, not {quoted(player.to_go)}; did you mean {nearest}?",
            )
        if player.bot and any(other.bot for other in finals):
            raise at(f"{place}.bot", "one runner at most is the bot; did you mean false?")
        hand = player.hand if player.finished else 0
        finals.append(FinalPlayer(name, player.finished, hand, player.bot, player.to_go, player.out))
    return Final(tuple(finals), rulings)
