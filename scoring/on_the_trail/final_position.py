"""The final position of ON THE TRAIL: the scoring data, also read from a file or a form."""

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.parsing import check_range, error_at, read_names, read_players, read_rulings, schema_only
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import DECK_SIZE, MAX_LEGS, TRAIL_CARDS

PLAYER_COUNTS = (2,)  # a bot counts as one
MAX_CARDS = DECK_SIZE - 1  # the last leg has cost at least one card

MAX_TO_GO = TRAIL_CARDS * MAX_LEGS


class FinalPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """The scoring data of one runner."""

    name: str
    finished: bool = False
    # Cards in hand; those of a finisher count.
    hand: Annotated[int, schema_only(minimum=0, maximum=MAX_CARDS)] = 0
    bot: bool = False
    # Legs left to the finish, if the whole Trail is known.
    to_go: Annotated[int, schema_only(minimum=0, maximum=MAX_TO_GO)] | None = None
    out: bool = False  # whether the runner has dropped out


class FinalPosition(Struct, frozen=True):
    """The scoring data of a finished race."""

    players: tuple[FinalPlayer, ...]
    rulings: dict[str, str] = {}


def read_final_position(document: dict) -> FinalPosition:
    """Return the scoring data of a final-position document.

    :raises InvalidInputError: if the document is invalid; the message names the place and the nearest valid value.
    """
    players = read_players(document, FinalPlayer, PLAYER_COUNTS)
    rulings = read_rulings(document, r.RULINGS)
    finals = []
    for place, name, player in read_names(players):
        check_range(
            player.hand, 0, MAX_CARDS, f"{place}.hand", f"a runner has 0 to {MAX_CARDS} cards in hand at the end"
        )
        if player.bot:
            check_range(player.hand, 0, 0, f"{place}.hand", "the bot never has cards in hand")
        if player.to_go is not None:
            check_range(player.to_go, 0, MAX_TO_GO, f"{place}.to_go", f"a runner has 0 to {MAX_TO_GO} legs to go")
        if player.bot and any(other.bot for other in finals):
            raise error_at(f"{place}.bot", "only one runner can be the bot; did you mean false?")
        finals.append(replace(player, name=name, hand=player.hand if player.finished else 0))
    return FinalPosition(tuple(finals), rulings)
