"""What the table must agree to: setting right a map, the animal card, or whatever else lies there; rulings."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.alpine_trails import position
from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import ANIMALS_OF_EACH, WATERFALL_TILES
from scoring.alpine_trails.facts import FACTS
from scoring.alpine_trails.map.fitting import cannot_go, out_of_place
from scoring.alpine_trails.map.grid import cells, described, where, with_tile, without_tile
from scoring.alpine_trails.map.tiles import ANIMALS, TERRAINS, Animal, Kind, Placed, Terrain, faults, name
from scoring.alpine_trails.state import State, on_maps
from scoring.kernel.box_facts import using_box_facts
from scoring.kernel.editable import setting_right
from scoring.kernel.english import plural
from scoring.kernel.move import Correction, adopting
from scoring.kernel.rule import Reason


class Correcting(Correction):
    """Set something right: `thing` says what, `how` what it is from now on."""

    def faults(self, state: State) -> Iterator[Reason]:
        return position.faults(state)

    def thing(self, state: State) -> str:
        raise NotImplementedError

    def how(self, state: State) -> str:
        raise NotImplementedError

    def what(self, state: State) -> str:
        return f"{self.thing(state)}: {self.how(state)}"

    def told(self, state: State, seat: int) -> str:
        return f"had {self.thing(state)} corrected: {self.how(state)}"


def no_map(state: State, player: int) -> Iterator[Reason]:
    """Yield why nothing of a player can be set right."""
    if not 0 <= player < len(state.players):
        yield Reason("no-such-player", r.PLAYERS, "There is no such player at this table.")
    elif not state.players[player].tiles:
        yield Reason("no-map", r.BASE_CAMP, f"{state.players[player].name} has no map yet.")


class CorrectTile(Correcting, tag="correct-tile"):
    """Put a tile on somebody's map, or another one in its place, as it lies on the table."""

    lays = True
    rules = (r.COMPONENTS, r.PLACE_ADJACENT)

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

    def wrong(self, state: State) -> Iterator[Reason]:
        if nowhere := list(no_map(state, self.player)):
            yield from nowhere
        else:
            yield from faults(self.placed)
            yield from out_of_place(state.players[self.player].tiles, self.placed)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, tiles=with_tile(state.players[self.player].tiles, self.placed))

    def thing(self, state: State) -> str:
        return f"the map of {state.players[self.player].name}"

    def how(self, state: State) -> str:
        tiles = state.players[self.player].tiles
        return f"{described(tiles, self.placed)}, {where(tiles, (self.x, self.y))}"


class RemoveTile(Correcting, tag="remove-tile"):
    """Take a tile off somebody's map that does not lie on the table."""

    lays = True
    rules = (r.COMPONENTS, r.PLACE_ADJACENT)

    player: int
    x: int
    y: int

    def wrong(self, state: State) -> Iterator[Reason]:
        if nowhere := list(no_map(state, self.player)):
            yield from nowhere
        else:
            yield from cannot_go(state.players[self.player].tiles, (self.x, self.y))

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, tiles=without_tile(state.players[self.player].tiles, (self.x, self.y)))

    def thing(self, state: State) -> str:
        return f"the map of {state.players[self.player].name}"

    def how(self, state: State) -> str:
        tiles = state.players[self.player].tiles
        old = cells(tiles).get((self.x, self.y))
        return f"no {name(old) if old else 'tile'} {where(tiles, (self.x, self.y))}"


class CorrectPlayer(Correcting, tag="correct-player"):
    """Set right what somebody has beside the map: animals kept, tiles of this round played. Only the fields given change."""

    rules = (r.COMPONENTS, r.ANIMAL_KEPT, r.DRAW_TWO)

    player: int
    goat: int | None = None
    moose: int | None = None
    bear: int | None = None
    wolf: int | None = None
    used: int | None = None

    @property
    def _given(self) -> dict[Animal, int]:
        given: dict[Animal, int | None] = {animal: getattr(self, animal) for animal in ANIMALS}
        return {animal: number for animal, number in given.items() if number is not None}

    def wrong(self, state: State) -> Iterator[Reason]:
        if nowhere := list(no_map(state, self.player)):
            yield from nowhere
            return
        if not all(0 <= number <= ANIMALS_OF_EACH for number in self._given.values()):
            yield Reason("box-counts", r.ANIMAL_SUPPLY, f"There are {ANIMALS_OF_EACH} of each animal.")
        if self.used is not None and state.ended:
            yield Reason("two-tiles", r.DRAW_TWO, "The bag is empty: no tiles of a round are played any more.")

    def apply(self, state: State, seat: int) -> State:
        old = state.players[self.player]
        changed = {animal: number for animal, number in self._given.items() if number != old.held.count(animal)}
        held = [animal for animal in old.held if animal not in changed]
        held += [animal for animal, number in changed.items() for _ in range(number)]
        used = old.used if self.used is None else self.used
        return state.with_player(self.player, held=tuple(held), used=used, camped=old.camped and used > 0)

    def thing(self, state: State) -> str:
        return state.players[self.player].name

    def how(self, state: State) -> str:
        parts = [f"{number} {animal} kept" for animal, number in self._given.items()]
        if self.used is not None:
            parts.append(
                f"{plural(self.used, 'tile')} {'from this round on' if state.ahead else 'of this round'} played"
            )
        return ", ".join(parts) or "nothing"


class CorrectRound(Correcting, tag="correct-round"):
    """Set right which round it is, where the bag of the table and the app do not agree."""

    rules = (r.COMPONENTS, r.DRAW_TWO, r.ROUND_OVER)

    round: int

    def wrong(self, state: State) -> Iterator[Reason]:
        if state.ended:
            yield Reason("play-over", r.GAME_OVER, "The bag is empty; the rounds are over.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, round=self.round)

    def thing(self, state: State) -> str:
        return "the round"

    def how(self, state: State) -> str:
        return f"it is round {self.round}"


class TellAnimal(Correcting, tag="tell-animal"):
    """Set right which animal lives where; animals that were taken for a wrong one change with it."""

    rules = (r.ANIMAL_CARD,)

    terrain: Terrain
    animal: Animal

    def wrong(self, state: State) -> Iterator[Reason]:
        if (other := state.facts.terrain(self.animal)) and not state.facts.animal(self.terrain):
            text = f"The {self.animal} is that of the {other}; first say what lives there."
            yield Reason("other-terrain", r.ANIMAL_CARD, text)

    def faults(self, state: State) -> Iterator[Reason]:
        return iter(())  # a tile whose animal turns out to live elsewhere is set right after the card

    def apply(self, state: State, seat: int) -> State:
        """The two terrains change their animals, if the other one had it."""
        old, other = state.facts.animal(self.terrain), state.facts.terrain(self.animal)
        card = replace(state.facts, **({self.terrain: self.animal} | ({other: old} if other else {})))
        now = {was: card.animal(terrain) for terrain in TERRAINS if (was := state.facts.animal(terrain))}
        players = tuple(
            replace(
                player,
                held=tuple(now.get(animal, animal) for animal in player.held),
                tiles=tuple(
                    replace(tile, animal=now.get(tile.animal, tile.animal)) if tile.animal else tile
                    for tile in player.tiles
                ),
            )
            for player in state.players
        )
        return replace(state, facts=card, players=players)

    def thing(self, state: State) -> str:
        return "the animal card"

    def how(self, state: State) -> str:
        return f"the {self.animal} lives in the {self.terrain}"

    def icon(self, state: State, seat: int) -> str:
        return self.animal


def faults_set_right(state: State) -> Iterator[Reason]:
    """Yield what does not add up on a table where anything may have been set right."""
    yield from position.faults(state)
    if on_maps(state, "waterfall") + sum(player.waterfalls for player in state.players) > WATERFALL_TILES:
        text = f"The box has {WATERFALL_TILES} waterfalls, those that are to be placed among them."
        yield Reason("box-counts", r.WATERFALL_SUPPLY, text)


SetRight = setting_right(
    position.LYING, (r.COMPONENTS, r.DRAW_TWO, r.ROUND_OVER, r.ANIMAL_KEPT), faults=faults_set_right
)

Adopt = adopting(r.RULINGS)

UseFacts = using_box_facts(FACTS, r.ANIMAL_CARD)
