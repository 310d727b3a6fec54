"""Corrections of the state, and rulings on what the rulebook leaves open."""

import dataclasses
from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.edit_position import make_edit_position_move
from scoring.kernel.move import chosen_option, make_adopt_move
from scoring.kernel.rule import Reason
from scoring.trails import rules as r
from scoring.trails.box import RESOURCES_OF_EACH
from scoring.trails.moves.badges import clear_contradicted_notes
from scoring.trails.position import POSITION_FORMAT, Position, position_errors, too_many_cubes_reason
from scoring.trails.state import RESOURCES, START_HIKE, State
from scoring.trails.turn import refill_ends


def _stand_in_objections(before: State, after: State) -> Iterator[Reason]:
    """Yield the cubes that exceed the box; stand-ins from before a ruling may stay."""
    for number, kind in enumerate(RESOURCES if chosen_option(before.rulings, r.CUBE_SUPPLY) == "limited" else ()):
        if after.held(number) > max(RESOURCES_OF_EACH, before.held(number)):
            yield too_many_cubes_reason(kind, after.held(number))


def _to_full_position(state: State) -> Position:
    """Return the position with each icon of the Sun Track, so that every icon can be corrected."""
    return replace(POSITION_FORMAT.to_position(state), track=state.track)


def _drop_impossible_notes(state: State) -> State:
    """Return the state without impossible hand notes, and with full ends when a turn begins."""
    for card in {player.hand for player in state.players if player.hand}:
        state = clear_contradicted_notes(state, card)
    return refill_ends(state) if state.tasks == START_HIKE else state


def _edit_errors(state: State) -> Iterator[Reason]:
    """Yield inconsistencies, except for a turn with no tasks, which ends immediately."""
    return (error for error in position_errors(state) if error.code != "nothing-to-do")


class EditPosition(
    make_edit_position_move(
        dataclasses.replace(POSITION_FORMAT, to_position=_to_full_position),
        (
            r.COMPONENTS,
            r.SETUP_SITES,
            r.SETUP_TRACK,
            r.BADGE_COPIES,
            r.PHOTO_COUNT,
            r.PHOTO_FACES,
            r.TURN_ORDER,
            r.LAST_ROUND,
        ),
        drop_impossible_notes=_drop_impossible_notes,
        position_errors=_edit_errors,
    ),
    tag="set-right",
):
    """Correct anything in the position."""

    def change_errors(self, state: State) -> Iterator[Reason]:
        if errors := list(super().change_errors(state)):
            yield from errors
        else:
            yield from _stand_in_objections(state, self.apply(state, 0))


Adopt = make_adopt_move(r.RULINGS)
