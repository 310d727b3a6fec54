"""Editable fields of an ALPINE TRAILS position: players' areas, the bag, the animal card."""

from collections.abc import Iterator
from functools import lru_cache

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import ANIMALS, MILES, TERRAINS, TILES_PER_ROUND, TRAIL_ICONS, TRAIL_TILES
from scoring.alpine_trails.card_facts import CARD_FACTS_FORMAT
from scoring.alpine_trails.map.grid import at_location, describe_cell
from scoring.alpine_trails.map.tiles import PlacedTile, TrailMap, exits_text, icons_text
from scoring.alpine_trails.moves.reveals import POSSIBLE_GOALS
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.state import Player, State
from scoring.alpine_trails.text import describe_goal
from scoring.kernel.editable import (
    Choice,
    EditableField,
    Number,
    OneOf,
    SomeOf,
    read_only_field,
    ruling_fields,
)

NOT_ENTERED = "not told"  # the stored key
NOT_ENTERED_TEXT = "not entered yet"
OVER = "over"
# The values of the fields of a round where the play is over.
ABSENT_TEXTS = {"played": "0", "campsite": "no", "waterfalls": "0", "forks": "none"}
SINGULARS = {"waterfalls": "waterfall to place"}  # of what a player can lack


def _goal_choice(goal: Goal) -> Choice:
    """Return a goal as a choice."""
    label = describe_goal(goal.kind, goal.terrain)
    return Choice(_goal_key(goal), label, {"kind": goal.kind, "terrain": goal.terrain})


def _goal_key(goal: Goal | None) -> str:
    return f"{goal.kind} {goal.terrain or ''}".rstrip() if goal else NOT_ENTERED


YES_OR_NO = OneOf((Choice("False", "no", False), Choice("True", "yes", True)))
GOAL_DOMAIN = OneOf((Choice(NOT_ENTERED, NOT_ENTERED_TEXT), *(_goal_choice(Goal(*goal)) for goal in POSSIBLE_GOALS)))
ANIMALS_DOMAIN = SomeOf(tuple(Choice(animal, animal, phrase=f"the {animal}") for animal in ANIMALS))
FORKS_DOMAIN = SomeOf(tuple(Choice(terrain, terrain, phrase=f"the {terrain} fork") for terrain in TERRAINS))
# Of these tiles the box has only a few for all players; an animal is such a piece too, and a fork offers one to others.
SHARED_TILES = ("waterfall", "lake")
MILES_DOMAIN = Number(minimum=MILES[0], maximum=MILES[-1])
LOOPS_DOMAIN = Number(maximum=3)  # the most that a crossing closes


def editable_fields(state: State) -> Iterator[EditableField]:
    """Yield the public fields: those of each player, with the tiles last, then shared ones."""
    for seat, player in enumerate(state.players):
        yield from _end_fields(state, seat, player) if state.is_play_over else _round_fields(state, seat, player)
        held = tuple(sorted(player.kept_animals, key=ANIMALS.index))
        path, label = f"players.{seat}.kept", "animals to place"
        yield EditableField(path, seat, label, held, ANIMALS_DOMAIN, singular="animal", affects_others=True)
        yield from _map_fields(seat, player.tiles)
    yield _round_field(state)
    share = TILES_PER_ROUND * len(state.players)
    bag_sizes = _number_domain(range(share, TRAIL_TILES + 1, share))
    yield EditableField("bag", None, "tiles in the bag at the start", str(state.bag_size), bag_sizes)
    for place, title, animal in CARD_FACTS_FORMAT.describe_items(state.facts):
        path = ".".join(("animals", *map(str, place)))
        domain = OneOf((Choice(animal or NOT_ENTERED, animal or NOT_ENTERED_TEXT),))
        label = f"{title.lower()} animal"
        yield EditableField(path, None, label, animal or NOT_ENTERED, domain, is_read_only=True)
    yield from ruling_fields(r.RULINGS, state)


def own_fields(state: State, seat: int) -> Iterator[EditableField]:
    """Yield the miles of a player's trail tiles, which the fields of the map include."""
    tiles = state.players[seat].tiles
    for number, tile in enumerate(tiles):
        if tile.kind == "trail":
            path, place = f"players.{seat}.map.{number}.miles", f"of the {at_location(tiles, tile)}"
            yield EditableField(path, seat, f"miles {place}", tile.miles, MILES_DOMAIN, singular=f"mile {place}")


def _round_fields(state: State, seat: int, player: Player) -> Iterator[EditableField]:
    played_label = "tiles used since this round began" if state.can_play_ahead else "tiles used this round"
    is_camping = str(player.has_placed_campsite)
    offered = tuple(sorted(player.offered_forks, key=TERRAINS.index))
    fields = (
        ("played", played_label, player.tiles_used, Number(maximum=state.tile_limit)),
        ("campsite", "campsite placed this round", is_camping, YES_OR_NO),
        ("waterfalls", "waterfalls to place", player.waterfalls_to_place, LOOPS_DOMAIN),
        ("forks", "forks with an animal to take", offered, FORKS_DOMAIN),
    )
    for name, label, value, domain in fields[:-1] if state.solo else fields:
        path, is_shared = f"players.{seat}.{name}", name in ("waterfalls", "forks")
        singular, absent_text = SINGULARS.get(name, ""), ABSENT_TEXTS[name]
        yield EditableField(
            path, seat, label, value, domain, absent_text=absent_text, singular=singular, affects_others=is_shared
        )


def _end_fields(state: State, seat: int, player: Player) -> Iterator[EditableField]:
    if state.is_over:
        goal = _goal_key(player.goal)
        yield EditableField(f"players.{seat}.goal", seat, "goal card", goal, GOAL_DOMAIN, absent_text="hidden")
    is_complete = str(player.is_complete)
    yield EditableField(f"players.{seat}.complete", seat, "map finished", is_complete, YES_OR_NO, absent_text="no")


@lru_cache(maxsize=256)
def _map_fields(seat: int, tiles: TrailMap) -> tuple[EditableField, ...]:
    """Return the tiles of a map as read-only fields; moves on the map correct them."""
    return tuple(
        read_only_field(
            f"players.{seat}.map.{tile.x}.{tile.y}",
            f"{'' if tile.kind == 'base' else 'tile '}{describe_cell(tiles, tile.cell)}",
            describe_all_of_tile(tile),
            seat,
            mark=f"{tile.x},{tile.y}",
            absent_text="empty",
            affects_others=tile.kind in SHARED_TILES or tile.animal is not None or tile.is_fork,
        )
        for tile in tiles
    )


def describe_all_of_tile(tile: PlacedTile) -> str:
    """Return the full description of a tile.

    Examples are "2-mile forest bend, north and east" and "meadow terrain tile with the wolf".
    """
    match tile.kind:
        case "base":
            return f"{tile.terrain}, {icons_text(tile.icons)}"
        case "trail":
            more_text = "" if tile.icons == TRAIL_ICONS else f", {icons_text(tile.icons)}"
            return f"{tile.text}, {exits_text(tile.exits)}{more_text}"
    return tile.text


def _round_field(state: State) -> EditableField:
    """Return the field for the round.

    Once the bag is empty, choosing a round again removes what was added at the end of play.
    """
    if not state.is_play_over:
        return EditableField("round", None, "round", state.round, Number(minimum=1, maximum=state.rounds))
    cleared = {
        f"players.{seat}.{field}": value
        for seat, player in enumerate(state.players)
        for field, value in (("complete", False), ("campsite", False), ("map", _without_lakes(player.tiles)))
    }
    rounds = _number_domain(range(1, state.rounds + 1), Choice(OVER, "end of game"))
    return EditableField("round", None, "round", OVER, rounds, tuple(cleared.items()))


def _without_lakes(tiles: TrailMap) -> TrailMap:
    return tuple(tile for tile in tiles if tile.kind != "lake")


@lru_cache(maxsize=64)
def _number_domain(numbers: range, *other_choices: Choice) -> OneOf:
    """Return the domain of a number that is one of a few, or another choice."""
    return OneOf((*other_choices, *(Choice(str(number), str(number), number) for number in numbers)))
