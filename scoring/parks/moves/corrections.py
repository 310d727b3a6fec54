"""Corrections of PARKS, custom cards and house rules, which need the table's consent."""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import asdict, replace

from scoring.kernel.box_facts import make_use_box_facts_move
from scoring.kernel.edit_position import make_edit_position_move
from scoring.kernel.move import Move, MoveLabel, make_adopt_move
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import (
    Ability,
    CustomCards,
    CustomGear,
    CustomPark,
    CustomPassion,
    Effect,
    EndCount,
    GoalCount,
    Instant,
    Trigger,
)
from scoring.parks.custom_cards import CARD_FACTS_FORMAT, check_custom_cards
from scoring.parks.editable import POSITION_FORMAT, full_position
from scoring.parks.position import position_errors
from scoring.parks.state import END_PARKS, State
from scoring.parks.text import game_over_objections


def _drop_foreign_used_gear(state: State) -> State:
    """Return the state without used gear that the current player does not have."""
    foreign = Counter(state.used_gear) - Counter(state.player.gear)
    return replace(state, used_gear=tuple((Counter(state.used_gear) - foreign).elements())) if foreign else state


def _edit_errors(state: State) -> Iterator[Reason]:
    yield from position_errors(state)
    if len(set(state.awards or ())) < len(state.awards or ()):
        yield Reason("no-award", r.SEASON_BONUS, "Each player gets a season bonus only once.")


EditPosition = make_edit_position_move(
    dataclasses.replace(POSITION_FORMAT, to_position=full_position),
    (r.COMPONENTS,),
    drop_impossible_notes=_drop_foreign_used_gear,
    position_errors=_edit_errors,
)


class AddCard(Move[State]):
    """Add a custom card to the box; subclasses set its kind and have its fields."""

    rules = (r.HOME_MADE,)
    out_of_turn: ClassVar[bool] = True
    needs_consent: ClassVar[bool] = True
    group: ClassVar[str]  # the field of CustomCards
    card_type: ClassVar[type[CustomPark | CustomGear | CustomPassion]]

    @property
    def _custom_card(self) -> CustomPark | CustomGear | CustomPassion:
        return self.card_type(**asdict(self))

    def _with_card(self, custom_cards: CustomCards) -> CustomCards:
        return replace(custom_cards, **{self.group: (*getattr(custom_cards, self.group), self._custom_card)})

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from game_over_objections(state)
        yield from check_custom_cards(self._with_card(state.facts))

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=self._with_card(state.facts))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Add {self._custom_card.name}", icon="plus")

    def log_text(self, state: State, seat: int) -> str:
        return f"added {self._custom_card.name} to the box"


class AddPark(AddCard, tag="add-park"):
    """Add a custom park to the box."""

    title = "Add a park"
    group = "parks"
    card_type = CustomPark

    name: str
    points: int = 0
    forest: int = 0
    mountain: int = 0
    sun: int = 0
    water: int = 0
    wildlife: int = 0
    instant: Instant = ""


class AddGear(AddCard, tag="add-gear"):
    """Add a custom gear card to the box."""

    title = "Add a gear card"
    group = "gear"
    card_type = CustomGear

    name: str
    cost: int = 1
    when: Trigger = "sun"
    effect: Effect = "2 sun"


class AddPassion(AddCard, tag="add-passion"):
    """Add a custom passion to the box."""

    title = "Add a passion"
    group = "passions"
    card_type = CustomPassion

    name: str
    goal: GoalCount = "parks sun"
    number: int = 2
    gear: Ability = "sun less"
    end: EndCount = "parks sun"
    each: int = 1


class Adopt(make_adopt_move(r.RULINGS), tag="adopt"):
    """Adopt a ruling; where supplies become limited, stand-ins already on the table may stay."""

    def apply(self, state: State, seat: int) -> State:
        state = super().apply(state, seat)
        if self.ruling == r.SPRING_TOKEN.id and state.season == 0 and state.unused_end_space_at(END_PARKS):
            state = replace(state, first_hiker=None if self.option == "no-one" else state.starting_seat)
        return replace(state, has_stand_ins=state.is_over_box_supply)


UseCardFacts = make_use_box_facts_move(CARD_FACTS_FORMAT, r.HOME_MADE)
