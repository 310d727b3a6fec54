"""Corrections of the state, and rulings on what the rulebook leaves open."""

import dataclasses
from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.edit_position import make_edit_position_move
from scoring.kernel.english import pluralize
from scoring.kernel.move import Correction, chosen_option, make_adopt_move
from scoring.kernel.rule import Reason
from scoring.trails import rules as r
from scoring.trails.box import RESOURCES_OF_EACH, Site
from scoring.trails.moves.badges import clear_contradicted_notes
from scoring.trails.position import POSITION_FORMAT, Position, component_errors, position_errors, too_many_cubes_reason
from scoring.trails.state import LAY_TRAIL, RESOURCES, START_HIKE, TRAIL_END, TRAILHEAD, State
from scoring.trails.text import END_NAMES, out_of_phase_reason, space_name
from scoring.trails.turn import refill_ends


def _stand_in_objections(before: State, after: State) -> Iterator[Reason]:
    """Yield the cubes that exceed the box; stand-ins from before a ruling may stay."""
    for number, kind in enumerate(RESOURCES if chosen_option(before.rulings, r.CUBE_SUPPLY) == "limited" else ()):
        if after.held(number) > max(RESOURCES_OF_EACH, before.held(number)):
            yield too_many_cubes_reason(kind, after.held(number))


class CorrectPlayer(Correction[State], tag="correct-player"):
    """Correct a player's cubes, canteen or hiker; only the given fields change."""

    rules = (r.COMPONENTS,)

    player: int
    acorn: int | None = None
    leaf: int | None = None
    rock: int | None = None
    canteen: bool | None = None
    space: int | None = None
    facing: int | None = None

    def change_errors(self, state: State) -> Iterator[Reason]:
        if state.is_over:
            yield Reason("play-over", r.LAST_ROUND, "Play is over; cubes and hikers no longer matter.")
        elif state.tasks == LAY_TRAIL:
            yield out_of_phase_reason(state)
        elif not 0 <= self.player < len(state.players):
            yield Reason("no-such-player", r.PLAYERS, "There is no such player at this table.")
        else:
            yield from _stand_in_objections(state, self.apply(state, 0))

    def position_errors(self, state: State) -> Iterator[Reason]:
        return component_errors(state)

    def apply(self, state: State, seat: int) -> State:
        old = state.players[self.player]
        given = (self.acorn, self.leaf, self.rock)
        return state.with_player(
            self.player,
            cubes=tuple(old.cubes[k] if given[k] is None else given[k] for k in range(3)),
            canteen=old.canteen if self.canteen is None else self.canteen,
            space=old.space if self.space is None else self.space,
            facing=old.facing if self.facing is None else self.facing,
        )

    def label(self, state: State, seat: int) -> str:
        return f"Correct {state.players[self.player].name}: {self.describe_change(state)}"

    def log_text(self, state: State, seat: int) -> str:
        return f"had {state.players[self.player].name} corrected: {self.describe_change(state)}"

    def describe_change(self, state: State) -> str:
        given = zip((self.acorn, self.leaf, self.rock), RESOURCES, strict=True)
        parts = [pluralize(number, kind) for number, kind in given if number is not None]
        if self.canteen is not None:
            parts.append(f"canteen {'full' if self.canteen else 'empty'}")
        if self.space is not None and TRAILHEAD <= self.space <= TRAIL_END:
            parts.append(f"at {space_name(state, self.space)}")
        if self.facing is not None:
            parts.append(f"facing {END_NAMES['trail-end' if self.facing == 1 else 'trailhead']}")
        return ", ".join(parts) or "nothing"


class CorrectTable(Correction[State], tag="correct-table"):
    """Correct the shared table: the bear's site and how far the Sun has moved."""

    rules = (r.COMPONENTS, r.SUN_MOVES, r.BEAR_DIE)

    bear: Site | None = None
    sun: int | None = None

    def change_errors(self, state: State) -> Iterator[Reason]:
        if state.is_over:
            yield Reason("play-over", r.LAST_ROUND, "Play is over; bear and Sun no longer matter.")
        elif state.tasks == LAY_TRAIL:
            yield out_of_phase_reason(state)
        elif self.sun is not None and state.sun_holder is not None:
            yield Reason("sun-taken", r.END_TRIGGER, "The Sun has been taken; it no longer moves.")

    def position_errors(self, state: State) -> Iterator[Reason]:
        return component_errors(state)

    def apply(self, state: State, seat: int) -> State:
        return replace(
            state,
            bear=state.bear if self.bear is None else self.bear,
            sun=state.sun if self.sun is None else self.sun,
        )

    def label(self, state: State, seat: int) -> str:
        return f"Correct the table: {self.describe_change(state)}"

    def log_text(self, state: State, seat: int) -> str:
        return f"had the table corrected: {self.describe_change(state)}"

    def describe_change(self, state: State) -> str:
        bear = [f"bear on the {self.bear} site"] if self.bear else []
        return ", ".join(bear + ([f"Sun moved {self.sun} spaces"] if self.sun is not None else [])) or "nothing"


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
    return (fault for fault in position_errors(state) if fault.code != "nothing-to-do")


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
        if wrong := list(super().change_errors(state)):
            yield from wrong
        else:
            yield from _stand_in_objections(state, self.apply(state, 0))


Adopt = make_adopt_move(r.RULINGS)
