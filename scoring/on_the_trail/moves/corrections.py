"""Corrections of a race, house rules and new card facts, which need the table's consent."""

from msgspec.structs import replace

from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.edit_position import make_edit_position_move
from scoring.kernel.move import make_adopt_move
from scoring.on_the_trail import position
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import DECK
from scoring.on_the_trail.card_facts import CARD_FACTS, unknown_last_card
from scoring.on_the_trail.cards import NO_CARDS, add_cards, is_subset
from scoring.on_the_trail.state import Player, State
from scoring.on_the_trail.turn import resolve_forced_steps

VIEW_ONLY_ERRORS = ("untold-discards", "app-deck")  # position errors for viewers who do not see all cards


def drop_impossible_notes(state: State) -> State:
    """Return the race without impossible notes of hands and piles, forced steps resolved."""
    state = replace(state, players=tuple(map(_drop_notes, state.players)))
    is_valid = all(error.code in VIEW_ONLY_ERRORS for error in position.position_errors(state))
    return resolve_forced_steps(state) if is_valid else state


def _drop_notes(player: Player) -> Player:
    if (
        player.unknown_discards < 0
    ):  # The pile is now smaller than the cards known in it; which ones are left is unknown.
        player = replace(player, discard=NO_CARDS, unknown_discards=sum(player.discard) + player.unknown_discards)
    if player.unknown_hand < 0 or not is_subset(add_cards(player.hand, player.discard), DECK):
        player = replace(player, hand=NO_CARDS, unknown_hand=player.held)
    return player if is_subset(player.deduced, player.hand) else replace(player, deduced=NO_CARDS)


EditPosition = make_edit_position_move(
    position.POSITION_FORMAT,
    (r.COMPONENTS, r.DECK_CARDS, r.SETBACK_PILE, r.BOOST_PILE),
    drop_impossible_notes=drop_impossible_notes,
)

Adopt = make_adopt_move(r.RULINGS)


class UseCardFacts(UseBoxFacts, tag="use-box-facts"):
    """Use new facts of the box, and ask which Trail card is last if it may be one of them."""

    rules = (r.COMPONENTS, r.SETUP_TRAIL)
    card_facts = CARD_FACTS

    def apply(self, state: State, seat: int) -> State:
        after = super().apply(state, seat)
        unseen = unknown_last_card(state.order, state.facts.cards)
        if after.facts.cards == state.facts.cards or unseen is None:
            return after
        return replace(after, order=after.order[:-1])
