"""Score entry for ALPINE TRAILS: maps or hand counts that players enter after the game."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, Self

from msgspec.structs import asdict, replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import LAKE_BACKS
from scoring.alpine_trails.entry_state import EntryState
from scoring.alpine_trails.final_position import SUPPLIES, components_used, max_count
from scoring.alpine_trails.light_tracking import NOTE_MOVES, note_questions
from scoring.alpine_trails.map.finished import map_errors, map_questions
from scoring.alpine_trails.map.fitting import put_tile_objections, remove_tile_objections
from scoring.alpine_trails.map.grid import (
    at_location,
    describe_change,
    open_ends,
    tiles_by_cell,
    with_lakes,
    with_tile,
    without_tile,
)
from scoring.alpine_trails.map.tiles import (
    Animal,
    PlacedTile,
    Terrain,
    TileKind,
    TrailMap,
    tile_counts_text,
    tile_errors,
)
from scoring.alpine_trails.moves.corrections import UseFacts
from scoring.alpine_trails.moves.placing import TakeCamp
from scoring.alpine_trails.moves.reveals import POSSIBLE_GOALS, NoteGoal
from scoring.alpine_trails.points import Counts, Final, FinalPlayer, Goal
from scoring.alpine_trails.position import component_errors
from scoring.alpine_trails.state import count_on_maps
from scoring.alpine_trails.text import ICON_BY_TERRAIN
from scoring.alpine_trails.turn import LAKE_BACKED_KINDS, base_camp_objections
from scoring.kernel.english import join_words, pluralize, with_article
from scoring.kernel.move import Move, MoveLabel, make_adopt_move
from scoring.kernel.rule import Reason
from scoring.kernel.score_entry import make_done_moves

CountCategory = Literal[
    "forest", "rock", "meadow", "wetland", "waterfalls", "lakes", "tents", "animals", "path", "goal"
]


# The name of each category of counts.
COUNT_TITLES: dict[str, str] = {
    "forest": "Forest",
    "rock": "Rock",
    "meadow": "Meadow",
    "wetland": "Wetland",
    "waterfalls": "Waterfalls",
    "lakes": "Lakes",
    "tents": "Tents",
    "animals": "Animals",
    "path": "Longest path",
    "goal": "Goal",
}


def final_position(state: EntryState) -> Final:
    """Return the final position for scoring.

    On a map that is not done, each open trail counts as if it ended in a lake.
    """
    return Final(
        tuple(
            FinalPlayer(
                player.name, player.tiles if player.done else with_lakes(player.tiles), player.counts, player.goal
            )
            for player in state.players
        ),
        state.rulings,
        state.solo,
    )


def hand_count_objections(state: EntryState, seat: int) -> Iterator[Reason]:
    """Yield why a player cannot enter a map: the player has entered counts."""
    if state.players[seat].counts is not None:
        yield Reason("by-hand", r.COUNT_BY_HAND, "You entered totals. Start over to enter your map instead.")


def map_entry_objections(state: EntryState, seat: int) -> Iterator[Reason]:
    """Yield why a player cannot enter counts: the player has entered a map."""
    if state.players[seat].tiles:
        yield Reason("by-map", r.COUNT_BY_HAND, "You entered a map. Start over to enter totals instead.")


def range_objections(state: EntryState, category: str, number: int) -> Iterator[Reason]:
    """Yield the reason if a count is out of range for its category."""
    most = max_count(category, state.solo)
    if not 0 <= number <= most:
        text = f"Enter a number from 0 to {most} for {COUNT_TITLES[category].lower()}."
        yield Reason("out-of-range", r.COUNT_BY_HAND, text)


def max_counts(state: EntryState, seat: int, draft: dict[str, Any]) -> dict[str, int]:
    """Return the maximum count of each category."""
    return {category: max_count(category, state.solo) for category in Counts.__struct_fields__}


def supply_objections(state: EntryState) -> Iterator[Reason]:
    """Yield the components of which all players together would have more than the box holds."""
    used: Counter[str] = Counter()
    for player in state.players:
        for part, number in components_used(player.tiles, player.counts):
            used[part] += number
    for part, supply in SUPPLIES.items():
        if used[part] > supply.count:
            text = f"The box has only {supply.count} {supply.noun}. This makes {used[part]}."
            yield Reason("box-counts", r.COMPONENTS, text)


class Count(Move[EntryState], tag="count"):
    """Enter the count of one category: a number of lakes, tents or animals, miles or points."""

    title = "Enter one total"
    rules = (r.COUNT_BY_HAND,)
    built_in_steps = True

    category: CountCategory
    number: int

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if errors := [*map_entry_objections(state, seat), *range_objections(state, self.category, self.number)]:
            yield from errors
        else:
            yield from supply_objections(self.apply(state, seat))

    def apply(self, state: EntryState, seat: int) -> EntryState:
        counts = state.players[seat].counts or Counts()
        return state.with_player(seat, counts=replace(counts, **{self.category: self.number}))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"{COUNT_TITLES[self.category]}: {self.number}", icon="pen")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"entered {self.number} for {COUNT_TITLES[self.category].lower()}"


class CountAll(Move[EntryState], Counts, tag="count-all"):
    """Enter the counts of all categories together, as on the printed score pad."""

    title = "Enter all totals"
    fixed_label = MoveLabel("Save totals", icon="pen")
    rules = (r.COUNT_BY_HAND,)
    built_in_steps = True

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        errors = list(map_entry_objections(state, seat))
        for category in Counts.__struct_fields__:
            errors.extend(range_objections(state, category, getattr(self, category)))
        yield from errors or supply_objections(self.apply(state, seat))

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, counts=Counts(**asdict(self)))

    def log_text(self, state: EntryState, seat: int) -> str:
        parts = [
            f"{title.lower()} {number}"
            for category, title in COUNT_TITLES.items()
            if (number := getattr(self, category))
        ]
        return f"entered totals: {join_words(parts) or 'all 0'}"


class PutTile(Move[EntryState], tag="put-tile"):
    """Put a tile on your map, or replace the tile that is there."""

    title = "Add or change a tile"
    rules = (r.COUNT_BY_HAND, r.PLACE_ADJACENT, r.ANIMAL_ONCE, r.ANIMAL_SUPPLY)
    built_in_steps = True

    x: int
    y: int
    kind: TileKind
    terrain: Terrain | None = None
    exits: str = ""
    miles: int = 0
    icons: int = 0
    animal: Animal | None = None

    @property
    def placed(self) -> PlacedTile:
        return PlacedTile(self.x, self.y, self.kind, self.terrain, self.exits, self.miles, self.icons, self.animal)

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if errors := [*hand_count_objections(state, seat), *base_camp_objections(state, seat)]:
            yield from errors
            return
        yield from tile_errors(self.placed, needs_miles=False)
        yield from put_tile_objections(state.players[seat].tiles, self.placed)
        if (after := self.apply(state, seat)) == state:
            yield Reason("no-change", r.COMPONENTS, "Your map already has this tile here.")
        before = list(component_errors(state))
        yield from (error for error in component_errors(after) if error not in before)

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, tiles=with_tile(state.players[seat].tiles, self.placed))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(
            self._text(state, seat, "Fix", "Enter"),
            icon=ICON_BY_TERRAIN[self.terrain] if self.terrain else "tent" if self.kind == "campsite" else self.kind,
        )

    def log_text(self, state: EntryState, seat: int) -> str:
        return self._text(state, seat, "fixed", "entered")

    def _text(self, state: EntryState, seat: int, fix_verb: str, enter_verb: str) -> str:
        tiles = state.players[seat].tiles
        if self.placed.cell in tiles_by_cell(tiles):
            return f"{fix_verb}: {describe_change(tiles, self.placed)}"
        return f"{enter_verb} {with_article(at_location(tiles, self.placed))}"


class PutMap(Move[EntryState], tag="put-map"):
    """Enter your whole finished map in place of the present one, and mark it as complete."""

    title = "Enter a whole map"
    rules = (r.COUNT_BY_HAND, r.PLACE_ADJACENT, r.TRAIL_CONNECTED, r.TRAIL_RUNS_ON, r.LAKES_AT_ENDS, r.SCORE_PATH)
    out_of_turn = True  # also to change a map that is complete
    built_in_steps = True

    tiles: TrailMap
    goal: Goal | None = None

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        yield from hand_count_objections(state, seat)
        if self.goal and (self.goal.kind, self.goal.terrain) not in POSSIBLE_GOALS:
            yield Reason("no-such-goal", r.GOAL_CARD, "There is no such goal card. Choose one from the list.")
        after = self.apply(state, seat)
        has_lakes_left = count_on_maps(after, *LAKE_BACKED_KINDS) < LAKE_BACKS
        errors = list(map_errors(self.tiles, needs_lakes=has_lakes_left))
        before = list(component_errors(state))
        errors += [error for error in component_errors(after) if error not in before]
        if not errors and after == state:
            errors.append(Reason("no-change", r.COMPONENTS, "This map is already entered."))
        yield from errors

    def questions(self, state: EntryState, seat: int) -> Iterator[str]:
        yield from map_questions(
            self.tiles,
            len(state.players),
            state.rulings,
            rounds=state.rounds_done,
            discards=state.players[seat].notes.discards,
        )
        yield from note_questions(state, seat, self.tiles)

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, tiles=self.tiles, goal=self.goal, done=True)

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel("Enter a whole map", icon="map")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"entered a map: {tile_counts_text(self.tiles)}"


class TakeOff(Move[EntryState], tag="take-off"):
    """Remove a tile from your map."""

    title = "Remove a tile"
    rules = (r.COUNT_BY_HAND, r.BASE_CAMP, r.PLACE_ADJACENT)
    built_in_steps = True

    x: int
    y: int

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        yield from remove_tile_objections(state.players[seat].tiles, (self.x, self.y))

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, tiles=without_tile(state.players[seat].tiles, (self.x, self.y)))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"Remove the {self._tile_text(state, seat)}", icon="minus")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"removed the {self._tile_text(state, seat)}"

    def _tile_text(self, state: EntryState, seat: int) -> str:
        tiles = state.players[seat].tiles
        old = tiles_by_cell(tiles).get((self.x, self.y))
        return at_location(tiles, old) if old else "tile"


class LayLakes(Move[EntryState], tag="lay-lakes"):
    """Place a lake at the end of every open trail on your map."""

    title = "Place lakes"
    rules = (r.LAKES_AT_ENDS, r.LAKE_SHARED, r.LAKE_SUPPLY)

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        ends = open_ends(state.players[seat].tiles)
        if not ends:
            yield Reason("no-open-end", r.LAKES_AT_ENDS, "All your trails are finished, so no lake is needed.")
        elif count_on_maps(state, *LAKE_BACKED_KINDS) + len(ends) > LAKE_BACKS:
            yield Reason(
                "box-counts",
                r.LAKE_SUPPLY,
                f"The box has only {LAKE_BACKS} campsite and waterfall tiles, lakes included.",
            )

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, tiles=with_lakes(state.players[seat].tiles))

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["LayLakes"]:
        if open_ends(state.players[seat].tiles):
            yield cls()

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Place {pluralize(len(open_ends(state.players[seat].tiles)), 'lake')} at open ends", icon="lake"
        )

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"placed {pluralize(len(open_ends(state.players[seat].tiles)), 'lake')}"


class EnterGoal(NoteGoal, tag="name-goal"):
    """Enter which goal you had."""

    title = "Enter your goal card"
    out_of_turn = False
    is_secret = False


class ClearEntries(Move[EntryState], tag="start-anew"):
    """Clear your entries, to start again or to switch between a map and counts.

    Notes stay: no one can enter again what happened while playing.
    """

    title = "Start over"
    fixed_label = MoveLabel("Start over", hint="clears your map, totals and goal card", icon="undo")
    fixed_log_text = "started over"
    rules = (r.COUNT_BY_HAND,)

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if not player.tiles and player.counts is None and player.goal is None:
            yield Reason(
                "nothing-yet", r.COUNT_BY_HAND, "There is nothing to clear. You have not entered anything yet."
            )

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, tiles=(), counts=None, goal=None)


class EnterCamp(TakeCamp, tag="tell-camp"):
    """Start your map with its base camp."""

    title = "Enter base camp"
    resolves = ()
    rules = (r.BASE_CAMP, r.BASE_CAMP_SQUARES)

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        yield from hand_count_objections(state, seat)
        yield from super().objections(state, seat)

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator[Self]:
        if state.players[seat].counts is None:
            yield from super().candidates(state, seat)


DoneMove, Reopen = make_done_moves(r.SCORE_TOTAL)


class Done(DoneMove, tag="done"):
    def label(self, state: EntryState, seat: int) -> MoveLabel:
        ends = open_ends(state.players[seat].tiles)
        return replace(
            super().label(state, seat), hint=f"{pluralize(len(ends), 'open end')} without a lake" if ends else ""
        )


Adopt = make_adopt_move(r.RULINGS)


MOVES = (
    PutTile,
    EnterCamp,
    CountAll,
    Count,
    LayLakes,
    EnterGoal,
    TakeOff,
    ClearEntries,
    Done,
    Reopen,
    Adopt,
    PutMap,
    *NOTE_MOVES,
    UseFacts,
)
