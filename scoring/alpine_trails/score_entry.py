"""Just score: maps entered after the game, or what was counted by hand, by everyone for themselves."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import LAKE_BACKS
from scoring.alpine_trails.final_position import SUPPLIES, most_counted, used_by
from scoring.alpine_trails.map.fitting import cannot_go, out_of_place
from scoring.alpine_trails.map.grid import cells, described, open_ends, where, with_lakes, with_tile, without_tile
from scoring.alpine_trails.map.tiles import Animal, Kind, Placed, Terrain, TrailMap, faults, name
from scoring.alpine_trails.moves.placing import TakeCamp
from scoring.alpine_trails.moves.reveals import NoteGoal
from scoring.alpine_trails.points import Counts, Final, FinalPlayer, Goal
from scoring.alpine_trails.position import beyond_box
from scoring.alpine_trails.state import on_maps
from scoring.alpine_trails.text import SIGNS
from scoring.alpine_trails.turn import BACKED, no_camp
from scoring.kernel.english import capital, plural
from scoring.kernel.move import Move, adopting
from scoring.kernel.rule import Reason
from scoring.kernel.score_entry import TallySetup, ending
from scoring.kernel.state import WithPlayers

Counted = Literal["forest", "rock", "meadow", "wetland", "waterfalls", "lakes", "tents", "animals", "path", "goal"]


class TallyPlayer(Struct, frozen=True):
    """What one player has told so far: a map, or what was counted by hand."""

    held: ClassVar[tuple[Animal, ...]] = ()  # only what lies on the map counts

    name: str
    tiles: TrailMap = ()
    goal: Goal | None = None
    counts: Counts | None = None
    done: bool = False


class Tally(WithPlayers, frozen=True):
    """What has been told so far of a game that was not tracked."""

    over: ClassVar[bool] = False  # goals lie open from the start, and can be set right to the end

    players: tuple[TallyPlayer, ...]
    rulings: dict[str, str] = {}

    @property
    def solo(self) -> bool:
        return len(self.players) == 1


def start(setup: TallySetup) -> Tally:
    return Tally(tuple(TallyPlayer(name) for name in setup.players), setup.rulings)


def final(tally: Tally) -> Final:
    """Return what scoring needs; a map that is still being entered counts as if its trails ended in lakes already."""
    return Final(
        tuple(
            FinalPlayer(
                player.name, player.tiles if player.done else with_lakes(player.tiles), player.counts, player.goal
            )
            for player in tally.players
        ),
        tally.rulings,
        tally.solo,
    )


def by_hand(state: Tally, seat: int) -> Iterator[Reason]:
    """Yield why a map cannot be entered: the player counts by hand."""
    if state.players[seat].counts is not None:
        yield Reason("by-hand", r.COUNT_BY_HAND, "You count by hand; take the counts off to enter your map.")


def by_map(state: Tally, seat: int) -> Iterator[Reason]:
    """Yield why nothing can be counted by hand: the player enters a map."""
    if state.players[seat].tiles:
        yield Reason("by-map", r.COUNT_BY_HAND, "You enter your map; clear it to count by hand.")


def out_of_range(state: Tally, category: str, number: int) -> Iterator[Reason]:
    """Yield that a category cannot come to so much."""
    most = most_counted(category, state.solo)
    if not 0 <= number <= most:
        yield Reason("out-of-range", r.COUNT_BY_HAND, f"This is 0 to {most}.")


def most(state: Tally, seat: int, said: dict[str, Any]) -> dict[str, int]:
    """Return the most that each category can come to, by hand."""
    return {category: most_counted(category, state.solo) for category in Counts.__struct_fields__}


def all_too_much(tally: Tally) -> Iterator[Reason]:
    """Yield what all players together would have more of than the box holds, on maps and by hand."""
    used: Counter[str] = Counter()
    for player in tally.players:
        for part, number in used_by(player.tiles, player.counts):
            used[part] += number
    for part, supply in SUPPLIES.items():
        if used[part] > supply.holds:
            text = f"The box has {supply.holds} {supply.noun}; with this there would be {used[part]}."
            yield Reason("box-counts", r.COMPONENTS, text)


class Count(Move, tag="count"):
    """Write down what a category comes to: how many lakes, tents and animals, else its points or miles."""

    sign = "pen"
    rules = (r.COUNT_BY_HAND,)
    drafted = True

    category: Counted
    number: int

    def objections(self, state: Tally, seat: int) -> Iterator[Reason]:
        if wrong := [*by_map(state, seat), *out_of_range(state, self.category, self.number)]:
            yield from wrong
        else:
            yield from all_too_much(self.apply(state, seat))

    def apply(self, state: Tally, seat: int) -> Tally:
        counts = state.players[seat].counts or Counts()
        return state.with_player(seat, counts=replace(counts, **{self.category: self.number}))

    def label(self, state: Tally, seat: int) -> str:
        return f"{capital(self.category)}: {self.number}"

    def told(self, state: Tally, seat: int) -> str:
        return f"counts {self.number} for {self.category}"


class CountAll(Move, tag="count-all"):
    """Write down all categories at once, as on the printed pad."""

    sign = "pen"
    rules = (r.COUNT_BY_HAND,)
    drafted = True

    forest: int = 0
    rock: int = 0
    meadow: int = 0
    wetland: int = 0
    waterfalls: int = 0
    lakes: int = 0
    tents: int = 0
    animals: int = 0
    path: int = 0
    goal: int = 0

    @property
    def counts(self) -> Counts:
        return Counts(*(getattr(self, field) for field in Counts.__struct_fields__))

    def objections(self, state: Tally, seat: int) -> Iterator[Reason]:
        wrong = list(by_map(state, seat))
        for category in Counts.__struct_fields__:
            for reason in out_of_range(state, category, getattr(self, category)):
                wrong.append(replace(reason, text=f"{capital(category)}: {reason.text[0].lower()}{reason.text[1:]}"))
        yield from wrong or all_too_much(self.apply(state, seat))

    def apply(self, state: Tally, seat: int) -> Tally:
        return state.with_player(seat, counts=self.counts)

    def label(self, state: Tally, seat: int) -> str:
        return "Write these counts down"

    def told(self, state: Tally, seat: int) -> str:
        parts = [
            f"{category} {getattr(self, category)}" for category in Counts.__struct_fields__ if getattr(self, category)
        ]
        return f"counted by hand: {', '.join(parts) or 'nothing'}"


class PutTile(Move, tag="put-tile"):
    """Put a tile on your map, or another one in its place."""

    rules = (r.COUNT_BY_HAND, r.PLACE_ADJACENT)
    drafted = True

    x: int
    y: int
    kind: Kind
    terrain: Terrain | None = None
    exits: str = ""
    miles: int = 0
    icons: int = 0
    animal: Animal | None = None

    @property
    def placed(self) -> Placed:
        return Placed(self.x, self.y, self.kind, self.terrain, self.exits, self.miles, self.icons, self.animal)

    def objections(self, state: Tally, seat: int) -> Iterator[Reason]:
        if wrong := [*by_hand(state, seat), *no_camp(state, seat)]:
            yield from wrong
            return
        yield from faults(self.placed)
        yield from out_of_place(state.players[seat].tiles, self.placed)
        if (after := self.apply(state, seat)) == state:
            yield Reason("no-change", r.COMPONENTS, "The app has it so already.")
        before = list(beyond_box(state))
        yield from (fault for fault in beyond_box(after) if fault not in before)

    def apply(self, state: Tally, seat: int) -> Tally:
        return state.with_player(seat, tiles=with_tile(state.players[seat].tiles, self.placed))

    def label(self, state: Tally, seat: int) -> str:
        return f"Put {described(state.players[seat].tiles, self.placed)} here"

    def icon(self, state: Tally, seat: int) -> str:
        return SIGNS[self.terrain] if self.terrain else "tent" if self.kind == "campsite" else self.kind

    def told(self, state: Tally, seat: int) -> str:
        tiles = state.players[seat].tiles
        if not tiles:
            return f"has {described(tiles, self.placed)}"
        old = cells(tiles).get(self.placed.cell)
        instead = f", in place of the {name(old)}" if old and name(old) != name(self.placed) else ""
        return f"has {described(tiles, self.placed)}, {where(tiles, (self.x, self.y))}{instead}"


class TakeOff(Move, tag="take-off"):
    """Take a tile off your map."""

    sign = "minus"
    rules = (r.COUNT_BY_HAND,)
    drafted = True

    x: int
    y: int

    def objections(self, state: Tally, seat: int) -> Iterator[Reason]:
        yield from cannot_go(state.players[seat].tiles, (self.x, self.y))

    def apply(self, state: Tally, seat: int) -> Tally:
        return state.with_player(seat, tiles=without_tile(state.players[seat].tiles, (self.x, self.y)))

    def label(self, state: Tally, seat: int) -> str:
        return f"Take off the {self._what(state, seat)}"

    def told(self, state: Tally, seat: int) -> str:
        return f"has no {self._what(state, seat)}"

    def _what(self, state: Tally, seat: int) -> str:
        tiles = state.players[seat].tiles
        old = cells(tiles).get((self.x, self.y))
        return f"{name(old)}, {where(tiles, old.cell)}" if old else "tile"


class LayLakes(Move, tag="lay-lakes"):
    """Lay a lake at the end of every trail of your map that is still open."""

    sign = "lake"
    rules = (r.LAKES_AT_ENDS, r.LAKE_SHARED)

    def objections(self, state: Tally, seat: int) -> Iterator[Reason]:
        ends = open_ends(state.players[seat].tiles)
        if not ends:
            yield Reason("no-open-end", r.LAKES_AT_ENDS, "No trail of your map is open.")
        elif on_maps(state, *BACKED) + len(ends) > LAKE_BACKS:
            yield Reason(
                "box-counts", r.LAKE_SUPPLY, f"The box has {LAKE_BACKS} campsite and waterfall tiles for all lakes."
            )

    def apply(self, state: Tally, seat: int) -> Tally:
        return state.with_player(seat, tiles=with_lakes(state.players[seat].tiles))

    @classmethod
    def candidates(cls, state: Tally, seat: int) -> Iterator["LayLakes"]:
        if open_ends(state.players[seat].tiles):
            yield cls()

    def label(self, state: Tally, seat: int) -> str:
        return f"Lay {plural(len(open_ends(state.players[seat].tiles)), 'lake')} at the open ends"

    def told(self, state: Tally, seat: int) -> str:
        return f"laid {plural(len(open_ends(state.players[seat].tiles)), 'lake')}"


class NameGoal(NoteGoal, tag="name-goal"):
    """Tell which goal you had."""

    anytime = False
    secret = False


class StartAnew(Move, tag="start-anew"):
    """Clear what you have entered, to begin again or to count the other way."""

    sign = "undo"
    rules = (r.COUNT_BY_HAND,)

    def objections(self, state: Tally, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if not player.tiles and player.counts is None and player.goal is None:
            yield Reason("nothing-yet", r.COUNT_BY_HAND, "You have not entered anything yet.")

    def apply(self, state: Tally, seat: int) -> Tally:
        return state.with_player(seat, tiles=(), counts=None, goal=None)

    @classmethod
    def candidates(cls, state: Tally, seat: int) -> Iterator["StartAnew"]:
        player = state.players[seat]
        if player.tiles or player.counts is not None or player.goal is not None:
            yield cls()

    def label(self, state: Tally, seat: int) -> str:
        return "Clear it and start anew"

    def told(self, state: Tally, seat: int) -> str:
        return "starts counting anew"


class TellCamp(TakeCamp, tag="tell-camp"):
    """Begin your map with its base camp."""

    answers = ()
    rules = (r.BASE_CAMP, r.BASE_CAMP_SQUARES)

    def objections(self, state: Tally, seat: int) -> Iterator[Reason]:
        yield from by_hand(state, seat)
        yield from super().objections(state, seat)

    @classmethod
    def candidates(cls, state: Tally, seat: int) -> Iterator[Self]:
        if state.players[seat].counts is None:
            yield from super().candidates(state, seat)

    def told(self, state: Tally, seat: int) -> str:
        return f"had a base camp: {self._what()}"


ItIsDone, Reopen = ending(r.SCORE_TOTAL)


class Done(ItIsDone, tag="done"):
    def hint(self, state: Tally, seat: int) -> str:
        ends = open_ends(state.players[seat].tiles)
        return f"{plural(len(ends), 'trail')} without a lake" if ends else ""


Adopt = adopting(r.RULINGS)


TURN = (PutTile, TellCamp, CountAll, Count, LayLakes, NameGoal, TakeOff, StartAnew, Done)
MOVES = (*TURN, Reopen, Adopt)
