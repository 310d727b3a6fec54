"""The final-position document of ON THE TRAIL, read from a file or a form."""

from typing import Annotated

from msgspec import Struct

from scoring.kernel.parsing import error_at, quote_value, read_name, read_players, read_rulings, schema_only
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import DECK_SIZE, MAX_LEGS, TRAIL_CARDS
from scoring.on_the_trail.points import FinalPlayer, FinalPosition

PLAYER_COUNTS = (2,)  # a bot counts as one
MAX_CARDS = DECK_SIZE - 1  # the last leg has cost at least one card

MAX_TO_GO = TRAIL_CARDS * MAX_LEGS


class PlayerDocument(Struct, forbid_unknown_fields=True):
    """A runner of a final-position document."""

    name: str
    finished: bool = False
    hand: Annotated[int, schema_only(minimum=0, maximum=MAX_CARDS)] = 0
    bot: bool = False
    to_go: Annotated[int, schema_only(minimum=0, maximum=MAX_TO_GO)] | None = None
    out: bool = False


def read_final_position(document: dict) -> FinalPosition:
    """Return the scoring data of a final-position document.

    :raises InvalidInputError: if the document is invalid; the message names the place and the nearest valid value.
    """
    players = read_players(document, PlayerDocument, PLAYER_COUNTS)
    rulings = read_rulings(document, r.RULINGS)
    names: set[str] = set()
    finals = []
    for number, player in enumerate(players):
        place = f"players[{number}]"
        name = read_name(player.name, f"{place}.name", names)
        if not 0 <= player.hand <= MAX_CARDS:
            nearest = min(max(player.hand, 0), MAX_CARDS)
            message = (
                f"a runner holds 0 to {MAX_CARDS} cards at the end, not {quote_value(player.hand)}; "
                f"did you mean {nearest}?"
            )
            raise error_at(f"{place}.hand", message)
        if player.bot and player.hand:
            raise error_at(
                f"{place}.hand", f"the bot never holds a card, not {quote_value(player.hand)}; did you mean 0?"
            )
        if player.to_go is not None and not 0 <= player.to_go <= MAX_TO_GO:
            nearest = min(max(player.to_go, 0), MAX_TO_GO)
            raise error_at(
                f"{place}.to_go",
                f"a runner has 0 to {MAX_TO_GO} legs to go, not {quote_value(player.to_go)}; did you mean {nearest}?",
            )
        if player.bot and any(other.bot for other in finals):
            raise error_at(f"{place}.bot", "one runner at most is the bot; did you mean false?")
        hand = player.hand if player.finished else 0
        finals.append(FinalPlayer(name, player.finished, hand, player.bot, player.to_go, player.out))
    return FinalPosition(tuple(finals), rulings)
