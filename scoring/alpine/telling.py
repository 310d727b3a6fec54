"""What people tell the app beside playing: their own secret goal, that a map is complete, corrections, the animal card, rulings."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.alpine import rules as r
from scoring.alpine.box import ANIMALS_OF_EACH, LAKE_BACKS, TENTS, TRAIL_TILES, WATERFALL_TILES
from scoring.alpine.points import Goal, GoalKind, GoalTerrain
from scoring.alpine.state import DRAWN, State, has, on_maps, out
from scoring.alpine.trailmap import (
    ANIMALS,
    TERRAINS,
    Animal,
    Cell,
    Kind,
    Placed,
    Terrain,
    TrailMap,
    beside,
    cells,
    faults,
    name,
    where,
)
from scoring.alpine.words import a, goal_words
from scoring.kernel.move import Move, adopting
from scoring.kernel.rule import Reason
from scoring.kernel.words import plural


def goals() -> Iterator[tuple[GoalKind, GoalTerrain | None]]:
    """Yield every kind of goal with each terrain it can be for."""
    yield "path-length", None
    for kind in ("habitat-icons", "path-icons"):
        for terrain in TERRAINS:
            yield kind, terrain
    for kind in ("tent-icons", "waterfall-icons"):
        for terrain in ("any", *TERRAINS):
            yield kind, terrain


GOALS = tuple(goals())


class NoteGoal(Move):
    """Tell your own phone which goal you were dealt; the others learn it when all maps are complete."""

    rules = (r.GOAL_CARD, r.GOAL_SECRET)
    anytime = True
    secret = True

    kind: GoalKind
    terrain: GoalTerrain | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].goal is not None and state.over:
            yield Reason("revealed", r.GOAL_SECRET, "The goals lie open; the one you have noted stays.")
        elif (self.kind, self.terrain) not in GOALS:
            yield Reason(
                "no-such-goal",
                r.GOAL_CARD,
                "There is no such goal card; a goal has its kind and, but for the length, a terrain.",
            )
        elif state.players[seat].goal == Goal(self.kind, self.terrain):
            yield Reason("no-change", r.GOAL_CARD, "That is the goal you have noted.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, goal=Goal(self.kind, self.terrain))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NoteGoal"]:
        for kind, terrain in GOALS:
            yield cls(kind, terrain)

    def label(self, state: State, seat: int) -> str:
        words = goal_words(self.kind, self.terrain)
        return words[0].upper() + words[1:]

    def icon(self, state: State, seat: int) -> str:
        return "secret"

    def told(self, state: State, seat: int) -> str:
        return f"noted a goal: {goal_words(self.kind, self.terrain)}"


class ForgetGoal(Move):
    """Take back what you noted of your goal."""

    rules = (r.GOAL_SECRET,)
    anytime = True
    secret = True

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].goal is None:
            yield Reason("no-goal", r.GOAL_CARD, "You have not noted a goal.")
        elif state.over:
            yield Reason("revealed", r.GOAL_SECRET, "The goals lie open; the one you have noted stays.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, goal=None)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["ForgetGoal"]:
        if state.players[seat].goal is not None:
            yield cls()

    def label(self, state: State, seat: int) -> str:
        return "That is not my goal"

    def icon(self, state: State, seat: int) -> str:
        return "undo"

    def told(self, state: State, seat: int) -> str:
        return "took the note of a goal back"


class Finish(Move):
    """Say at the end that your map is complete, lakes and animals and all."""

    answers = ("end",)
    rules = (r.SCORE_TOTAL, r.LAKES_AT_ENDS)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.ended:
            yield Reason("bag-not-empty", r.GAME_OVER, f"The bag still holds {plural(state.bag, 'tile')}.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, done=True)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Finish"]:
        if state.ended:
            yield cls()

    def label(self, state: State, seat: int) -> str:
        return "My map is complete"

    def hint(self, state: State, seat: int) -> str:
        player = state.players[seat]
        left = [f"{plural(len(player.held), 'animal')} not on the map"] if player.held else []
        left += ["no goal noted"] if player.goal is None else []
        return ", ".join(left)

    def icon(self, state: State, seat: int) -> str:
        return "check"

    def told(self, state: State, seat: int) -> str:
        return "has a complete map"


def no_player(state: State, player: int) -> Iterator[Reason]:
    if not 0 <= player < len(state.players):
        yield Reason("no-such-player", r.PLAYERS, "There is no such player at this table.")
    elif not state.players[player].tiles:
        yield Reason("no-map", r.BASE_CAMP, f"{state.players[player].name} has no map yet.")


class CorrectTile(Move):
    """Put a tile on somebody's map, or another one in its place, as it lies on the table."""

    rules = (r.COMPONENTS, r.PLACE_ADJACENT)
    anytime = True
    consent = True

    player: int
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

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if wrong := list(no_player(state, self.player)):
            yield from wrong
        else:
            yield from cannot_lie(state, self.player, self.placed)
            yield from away_from_home(state, self.placed)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, tiles=with_tile(state.players[self.player].tiles, self.placed))

    def label(self, state: State, seat: int) -> str:
        return f"Correct the map of {state.players[self.player].name}: {self._what(state)}"

    def icon(self, state: State, seat: int) -> str:
        return "pen"

    def told(self, state: State, seat: int) -> str:
        return f"had the map of {state.players[self.player].name} corrected: {self._what(state)}"

    def _what(self, state: State) -> str:
        tiles = state.players[self.player].tiles
        return f"{described(tiles, self.placed)}, {where(tiles, (self.x, self.y))}"


class RemoveTile(Move):
    """Take a tile off somebody's map that does not lie on the table."""

    rules = (r.COMPONENTS, r.PLACE_ADJACENT)
    anytime = True
    consent = True

    player: int
    x: int
    y: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if wrong := list(no_player(state, self.player)):
            yield from wrong
            return
        yield from cannot_go(state.players[self.player].tiles, (self.x, self.y))

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, tiles=without_tile(state.players[self.player].tiles, (self.x, self.y)))

    def label(self, state: State, seat: int) -> str:
        return f"Correct the map of {state.players[self.player].name}: {self._what(state)}"

    def icon(self, state: State, seat: int) -> str:
        return "pen"

    def told(self, state: State, seat: int) -> str:
        return f"had the map of {state.players[self.player].name} corrected: {self._what(state)}"

    def _what(self, state: State) -> str:
        tiles = state.players[self.player].tiles
        old = cells(tiles).get((self.x, self.y))
        return f"no {name(old) if old else 'tile'} {where(tiles, (self.x, self.y))}"


class CorrectPlayer(Move):
    """Set right what somebody has beside the map: animals kept, tiles of this round played. Only the fields given change."""

    rules = (r.COMPONENTS, r.ANIMAL_KEPT, r.DRAW_TWO)
    anytime = True
    consent = True

    player: int
    goat: int | None = None
    moose: int | None = None
    bear: int | None = None
    wolf: int | None = None
    used: int | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if wrong := list(no_player(state, self.player)):
            yield from wrong
            return
        given = [number for number in (self.goat, self.moose, self.bear, self.wolf) if number is not None]
        if not all(0 <= number <= ANIMALS_OF_EACH for number in given):
            yield Reason("box-counts", r.ANIMAL_SUPPLY, f"There are {ANIMALS_OF_EACH} of each animal.")
            return
        if self.used is not None and (state.ended or not 0 <= self.used <= DRAWN):
            yield Reason("two-tiles", r.DRAW_TWO, f"In a round of the game everybody plays {DRAWN} tiles.")
        after = self.apply(state, seat)
        if after == state:
            yield Reason("no-change", r.COMPONENTS, "The app has it so already.")
        yield from too_many(state, after)

    def apply(self, state: State, seat: int) -> State:
        old = state.players[self.player]
        given = dict(zip(ANIMALS, (self.goat, self.moose, self.bear, self.wolf), strict=True))
        changed = {animal for animal, number in given.items() if number not in (None, old.held.count(animal))}
        held = [animal for animal in old.held if animal not in changed]
        held += [animal for animal in ANIMALS if animal in changed for _ in range(given[animal])]
        used = old.used if self.used is None else self.used
        return state.with_player(self.player, held=tuple(held), used=used, camped=old.camped and used > 0)

    def label(self, state: State, seat: int) -> str:
        return f"Correct {state.players[self.player].name}: {self._what()}"

    def icon(self, state: State, seat: int) -> str:
        return "pen"

    def told(self, state: State, seat: int) -> str:
        return f"had {state.players[self.player].name} corrected: {self._what()}"

    def _what(self) -> str:
        given = zip((self.goat, self.moose, self.bear, self.wolf), ANIMALS, strict=True)
        parts = [f"{number} {animal} kept" for number, animal in given if number is not None]
        if self.used is not None:
            parts.append(f"{plural(self.used, 'tile')} of this round played")
        return ", ".join(parts) or "nothing"


class CorrectRound(Move):
    """Set right which round it is, where the bag of the table and the app do not agree."""

    rules = (r.DRAW_TWO, r.ROUND_OVER)
    anytime = True
    consent = True

    round: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.ended:
            yield Reason("play-over", r.GAME_OVER, "The bag is empty; the rounds are over.")
        elif not 1 <= self.round <= state.rounds:
            yield Reason(
                "no-such-round", r.BAG, f"With {state.tiles} tiles in the bag there are {plural(state.rounds, 'round')}."
            )
        elif self.round == state.round:
            yield Reason("no-change", r.COMPONENTS, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, round=self.round)

    def label(self, state: State, seat: int) -> str:
        return f"Correct the round: it is round {self.round}"

    def icon(self, state: State, seat: int) -> str:
        return "pen"

    def told(self, state: State, seat: int) -> str:
        return f"had the round corrected: it is round {self.round}"


class TellAnimal(Move):
    """Set right which animal lives where; animals that were taken for a wrong one change with it."""

    rules = (r.ANIMAL_CARD,)
    anytime = True
    consent = True

    terrain: Terrain
    animal: Animal

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.facts.animal(self.terrain) == self.animal:
            yield Reason("no-change", r.ANIMAL_CARD, "The app has it so already.")
        elif state.facts.terrain(self.animal) and not state.facts.animal(self.terrain):
            other = state.facts.terrain(self.animal)
            yield Reason(
                "other-terrain", r.ANIMAL_CARD, f"The {self.animal} is that of the {other}; first say what lives there."
            )

    def apply(self, state: State, seat: int) -> State:
        """The two terrains change their animals, if the other one had it."""
        old, other = state.facts.animal(self.terrain), state.facts.terrain(self.animal)
        card = replace(state.facts, **{self.terrain: self.animal}, **({other: old} if other else {}))
        now = {was: card.animal(terrain) for terrain in TERRAINS if (was := state.facts.animal(terrain))}
        players = tuple(
            replace(
                player,
                held=tuple(now.get(animal, animal) for animal in player.held),
                tiles=tuple(
                    replace(tile, animal=now.get(tile.animal, tile.animal)) if tile.animal else tile for tile in player.tiles
                ),
            )
            for player in state.players
        )
        return replace(state, facts=card, players=players)

    def label(self, state: State, seat: int) -> str:
        return f"Correct the animal card: the {self.animal} lives in the {self.terrain}"

    def icon(self, state: State, seat: int) -> str:
        return self.animal

    def told(self, state: State, seat: int) -> str:
        return f"had the animal card corrected: the {self.animal} lives in the {self.terrain}"


Adopt = adopting(r.RULINGS)


def cannot_lie(state: State, seat: int, placed: Placed) -> Iterator[Reason]:
    """Yield why a tile cannot lie on a map, whatever was played: the box has none like it, or no more of them."""
    tiles = state.players[seat].tiles
    old = cells(tiles).get(placed.cell)
    yield from shows(placed)
    if (placed.kind == "base") != (old is not None and old.kind == "base"):
        yield Reason("one-base-camp", r.BASE_CAMP, "Base camp stays where it is, on its two squares.")
    if old == placed:
        yield Reason("no-change", r.COMPONENTS, "The app has it so already.")
    elif old is None and not any(there in cells(tiles) for _, there in beside(placed.cell)):
        yield Reason("not-adjacent", r.PLACE_ADJACENT, "No tile of the map lies side by side with this cell.")
    yield from too_many(state, state.with_player(seat, tiles=with_tile(tiles, placed)))


def away_from_home(state: State, placed: Placed) -> Iterator[Reason]:
    """Yield that the animal card, as far as it is known, says another terrain than a tile's for its animal."""
    home = state.facts.terrain(placed.animal) if placed.animal else None
    if home not in (None, placed.terrain):
        yield Reason("other-terrain", r.ANIMAL_PLACE, f"The {placed.animal} lives in the {home}; this is {a(name(placed))}.")


def described(tiles: TrailMap, placed: Placed) -> str:
    """Return a tile in words, with the animal on it, or without the one that is there now."""
    old = cells(tiles).get(placed.cell)
    if placed.animal:
        return f"{a(name(placed))} with the {placed.animal}"
    return f"{a(name(placed))} without the {old.animal}" if old and old.animal else a(name(placed))


def cannot_go(tiles: TrailMap, cell: Cell) -> Iterator[Reason]:
    """Yield why there is no tile to be taken off a cell of a map."""
    old = cells(tiles).get(cell)
    if old is None:
        yield Reason("no-tile", r.COMPONENTS, "No tile lies here.")
    elif old.kind == "base":
        yield Reason("one-base-camp", r.BASE_CAMP, "Base camp stays where it is, on its two squares.")
    elif not in_one_piece(without_tile(tiles, cell)):
        yield Reason("falls-apart", r.PLACE_ADJACENT, "Without it the map would fall apart.")


def with_tile(tiles: TrailMap, placed: Placed) -> TrailMap:
    """Return a map with a tile put into its cell, in the place of what lies there."""
    if placed.cell not in cells(tiles):
        return (*tiles, placed)
    return tuple(placed if tile.cell == placed.cell else tile for tile in tiles)


def without_tile(tiles: TrailMap, cell: Cell) -> TrailMap:
    return tuple(tile for tile in tiles if tile.cell != cell)


def shows(tile: Placed) -> Iterator[Reason]:
    """Yield why no tile of the box looks like this one."""
    yield from faults(tile)
    if tile.kind == "base" and (tile.exits or tile.miles or tile.animal):
        yield Reason("bare", r.BASE_CAMP_SQUARES, "Base camp shows terrain and icons, no trail of its own and no animal.")


def too_many(before: State, after: State) -> Iterator[Reason]:
    """Yield what the box has not enough of for a corrected table."""
    for kind, most in (("campsite", TENTS), ("waterfall", WATERFALL_TILES)):
        if on_maps(after, kind) > max(most, on_maps(before, kind)):
            yield Reason("box-counts", r.COMPONENTS, f"The box has {most} {'tents' if kind == 'campsite' else 'waterfalls'}.")
    if on_maps(after, "trail") + on_maps(after, "terrain") > TRAIL_TILES:
        yield Reason("box-counts", r.COMPONENTS, f"The box has {TRAIL_TILES} trail tiles.")
    backs = sum(on_maps(after, kind) for kind in ("campsite", "waterfall", "lake"))
    if backs > LAKE_BACKS:
        yield Reason("box-counts", r.LAKE_SUPPLY, f"The box has {LAKE_BACKS} campsite and waterfall tiles for all lakes.")
    for animal in ANIMALS:
        if out(after, animal) > max(ANIMALS_OF_EACH, out(before, animal)):
            yield Reason("box-counts", r.ANIMAL_SUPPLY, f"There are {ANIMALS_OF_EACH} of each animal.")
        for old, new in zip(before.players, after.players, strict=True):
            if not after.solo and has(new, animal) > max(1, has(old, animal)):
                yield Reason("has-it", r.ANIMAL_ONCE, f"{new.name} would have the {animal} twice.")


def in_one_piece(tiles: TrailMap) -> bool:
    """Return whether every tile is joined to the others side by side."""
    at, seen = cells(tiles), set()
    waiting = [tiles[0].cell] if tiles else []
    while waiting:
        cell = waiting.pop()
        if cell in at and cell not in seen:
            seen.add(cell)
            waiting += [there for _, there in beside(cell)]
    return len(seen) == len(at)
