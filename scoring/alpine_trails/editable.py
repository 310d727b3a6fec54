"""What everybody sees on a table of ALPINE TRAILS, thing by thing: each side of the table, the bag, the animal card."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import ANIMALS, DRAWN, TERRAINS, TRAIL_ICONS, TRAIL_TILES
from scoring.alpine_trails.facts import FACTS
from scoring.alpine_trails.map.grid import where
from scoring.alpine_trails.map.tiles import TOWARDS, Placed, TrailMap, name
from scoring.alpine_trails.moves.reveals import GOALS
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.state import Player, State
from scoring.alpine_trails.text import goal_words
from scoring.kernel.editable import Figure, Number, OneOf, SomeOf, Thing, ruled, things
from scoring.kernel.english import listed, plural

NOT_TOLD = "not told"
OVER = "over"


def _goal(goal: Goal) -> Thing:
    """Return a goal as the table as it lies says it, in words that are not its owner's."""
    words = goal_words(goal.kind, goal.terrain).replace(" my ", " the ").removeprefix("the ")
    return Thing(_key(goal), words, {"kind": goal.kind, "terrain": goal.terrain})


def _key(goal: Goal | None) -> str:
    return f"{goal.kind} {goal.terrain or ''}".rstrip() if goal else NOT_TOLD


YES_OR_NO = OneOf((Thing("False", "no", False), Thing("True", "yes", True)))
A_GOAL = OneOf((Thing(NOT_TOLD, NOT_TOLD), *(_goal(Goal(*each)) for each in GOALS)))
SOME_ANIMALS, SOME_TERRAINS = SomeOf(things(ANIMALS)), SomeOf(things(TERRAINS))
LOOPS = Number(most=3)  # a crossing closes no more


def figures(state: State) -> Iterator[Figure]:
    """Yield what everybody sees: for each player what lies beside the map, then its tiles; then what is shared."""
    for seat, player in enumerate(state.players):
        yield from _at_the_end(state, seat, player) if state.ended else _of_the_round(state, seat, player)
        held = tuple(sorted(player.held, key=ANIMALS.index))
        yield Figure(f"players.{seat}.kept", seat, "animals kept", held, SOME_ANIMALS)
        yield from _map(seat, player.tiles)
    yield _round(state)
    yield Figure("bag", None, "tiles that went into the bag", str(state.tiles), _bags(DRAWN * len(state.players)))
    for place, title, words in FACTS.things(state.facts):
        yield _shown(f"animals.{'.'.join(map(str, place))}", None, f"animal of the {title.lower()}", words or NOT_TOLD)
    yield from ruled(r.RULINGS, state)


def _of_the_round(state: State, seat: int, player: Player) -> Iterator[Figure]:
    yield Figure(
        f"players.{seat}.played",
        seat,
        "tiles played from this round on" if state.ahead else "tiles played this round",
        player.used,
        Number(most=state.left),
    )
    yield Figure(
        f"players.{seat}.campsite", seat, "tile given up for a campsite this round", str(player.camped), YES_OR_NO
    )
    yield Figure(f"players.{seat}.waterfalls", seat, "waterfalls to place", player.waterfalls, LOOPS)
    if not state.solo:
        offered = tuple(sorted(player.offered, key=TERRAINS.index))
        yield Figure(f"players.{seat}.forks", seat, "forks whose animal may be taken", offered, SOME_TERRAINS)


def _at_the_end(state: State, seat: int, player: Player) -> Iterator[Figure]:
    if state.over:
        yield Figure(f"players.{seat}.goal", seat, "goal", _key(player.goal), A_GOAL)
    yield Figure(f"players.{seat}.complete", seat, "map complete", str(player.done), YES_OR_NO)


@lru_cache(maxsize=256)
def _map(seat: int, tiles: TrailMap) -> tuple[Figure, ...]:
    """Return the tiles of a map; they are set right by moves of their own, on the map."""
    at = f"players.{seat}.map"
    return tuple(
        replace(
            _shown(f"{at}.{tile.x}.{tile.y}", seat, f"tile {where(tiles, tile.cell)}", in_words(tile)),
            mark=f"{tile.x},{tile.y}",
        )
        for tile in tiles
    )


def in_words(tile: Placed) -> str:
    """Return all that a tile shows: "2 mile forest trail to the north and east", "meadow tile with the wolf"."""
    what = name(tile)
    match tile.kind:
        case "base":
            return f"{what} with {plural(tile.icons, 'icon')} of {tile.terrain}"
        case "trail":
            ways = listed([TOWARDS[letter] for letter in tile.exits])
            unlike_others = "" if tile.icons == TRAIL_ICONS else f" with {plural(tile.icons, 'icon')}"
            return f"{what} to the {ways}{unlike_others}"
    return f"{what} with the {tile.animal}" if tile.animal else what


def _round(state: State) -> Figure:
    """Return the round. When the bag is empty it can be one again: without what came with the end."""
    if not state.ended:
        return Figure("round", None, "round", state.round, Number(least=1, most=state.rounds))
    again = {
        f"players.{seat}.{field}": value
        for seat, player in enumerate(state.players)
        for field, value in (("complete", False), ("campsite", False), ("map", _without_lakes(player.tiles)))
    }
    return Figure("round", None, "round", OVER, _rounds(state.rounds), tuple(again.items()))


def _without_lakes(tiles: TrailMap) -> TrailMap:
    return tuple(tile for tile in tiles if tile.kind != "lake")


@lru_cache(maxsize=64)
def _rounds(number: int) -> OneOf:
    return OneOf((Thing(OVER, OVER), *(Thing(str(each), str(each), each) for each in range(1, number + 1))))


@lru_cache(maxsize=8)
def _bags(share: int) -> OneOf:
    """Return how many tiles can be in the bag, where so many are drawn in a round."""
    return OneOf(tuple(Thing(str(tiles), str(tiles), tiles) for tiles in range(share, TRAIL_TILES + 1, share)))


def _shown(at: str, whose: int | None, what: str, words: str) -> Figure:
    """Return a figure that is not set right here."""
    return Figure(at, whose, what, words, OneOf((Thing(words, words),)), fixed=True)
