"""Corrections of a race, house rules and new card facts, which need the table's consent."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.edit_position import make_edit_position_move
from scoring.kernel.english import pluralize
from scoring.kernel.move import Correction, make_adopt_move
from scoring.kernel.rule import Reason
from scoring.on_the_trail import position
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, DECK, SETBACKS
from scoring.on_the_trail.cards import NO_CARDS, add_cards, is_subset, remove_one
from scoring.on_the_trail.facts import CARD_FACTS, unknown_last_card
from scoring.on_the_trail.state import Player, State
from scoring.on_the_trail.text import card_name, race_over_reason
from scoring.on_the_trail.turn import resolve_forced_steps


class Correct(Correction[State], tag="correct"):
    """Correct a runner's spot, hand size or discard pile, or the cards in front of them."""

    rules = (r.COMPONENTS, r.SETBACK_PILE, r.BOOST_PILE)

    player: int
    space: int | None = None  # legs from the start
    held: int | None = None  # number of cards in hand
    shuffled: bool | None = None  # has the discard pile been shuffled into the deck?
    lay: str | None = None  # a missing Setback or Boost to add
    clear: str | None = None  # a Setback or Boost to remove

    def change_errors(self, state: State) -> Iterator[Reason]:
        if state.is_over:
            yield race_over_reason()
            return
        if not 0 <= self.player < len(state.players):
            yield Reason("no-such-player", r.PLAYERS, "There is no such runner in this race.")
            return
        player = state.players[self.player]
        if not player.is_racing:
            yield Reason("not-racing", r.FINISH, f"{player.name} is not racing any more.")
        if self.space is not None and state.turn == self.player and (state.moved or state.legs_to_run):
            yield Reason("running", r.TURN_PHASES, "That runner is on the move; take the run back instead.")
        if self.held is not None and player.bot:
            yield Reason("deck-count", r.DECK_CARDS, f"{player.name} never holds a card.")
        if self.shuffled and player.bot and state.bot_deck == "app":
            yield Reason(
                "app-deck", r.SOLO_DECK, "The app itself has shuffled the bot\u2019s deck and flips its cards."
            )
        if self.clear is not None and self.clear not in (*player.setbacks, *player.boosts):
            yield Reason("not-there", r.SETBACK_PILE, f"No such card lies in front of {player.name}.")
        if self.lay is not None and self.lay not in (*SETBACKS, *BOOSTS):
            yield Reason("no-such-card", r.COMPONENTS, f"There is no Setback or Boost \u201c{self.lay}\u201d.")

    def position_errors(self, state: State) -> Iterator[Reason]:
        return position.position_errors(state)

    def apply(self, state: State, seat: int) -> State:
        player = state.players[self.player]
        if self.space is not None:
            state = state.with_player(self.player, legs_run=self.space)
        if self.held not in (None, player.held):
            state = state.with_player(self.player, hand=NO_CARDS, unknown_hand=self.held, deduced=NO_CARDS)
        if self.shuffled:
            state = state.with_player(self.player, discard=NO_CARDS, unknown_discards=0)
        if self.clear is not None:
            kind = "setbacks" if self.clear in player.setbacks else "boosts"
            state = state.with_player(self.player, **{kind: remove_one(getattr(player, kind), self.clear)})
        return state if self.lay is None else self._with(state, self.lay)

    def _with(self, state: State, card: str) -> State:
        """Return the state with a card added, from the discard pile if no copy is left to draw."""
        player = state.players[self.player]
        if card in BOOSTS:
            return state.with_player(self.player, boosts=(*player.boosts, card))
        if not state.setbacks_left(card) and card in state.setback_discard:
            state = replace(state, setback_discard=remove_one(state.setback_discard, card))
        return state.with_player(self.player, setbacks=(*player.setbacks, card))

    def describe_change(self, state: State) -> str:
        return f"{self._who(state)}: {self._parts()}"

    def log_text(self, state: State, seat: int) -> str:
        return f"had {self._who(state)} corrected: {self._parts()}"

    def _who(self, state: State) -> str:
        return state.players[self.player].name if 0 <= self.player < len(state.players) else "a runner"

    def _parts(self) -> str:
        parts = [] if self.space is None else [f"{pluralize(self.space, 'leg')} from the start"]
        parts += [] if self.held is None else [f"{pluralize(self.held, 'card')} in hand"]
        parts += ["discard pile shuffled"] if self.shuffled else []
        parts += [] if self.lay is None else [f"has {card_name(self.lay)}"]
        parts += [] if self.clear is None else [f"has no {card_name(self.clear)}"]
        return ", ".join(parts) or "nothing"


VIEW_ONLY_ERRORS = ("untold-discards", "app-deck")  # position errors for viewers who do not see all cards


def drop_impossible_notes(state: State) -> State:
    """Return the race without impossible notes of hands and piles, forced steps resolved."""
    state = replace(state, players=tuple(map(_drop_notes, state.players)))
    stands = all(fault.code in VIEW_ONLY_ERRORS for fault in position.position_errors(state))
    return resolve_forced_steps(state) if stands else state


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
