"""May I? Every way there is one, every No is a No by brute force, and nobody learns another's secret by asking."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from scoring.alpine_trails.box import MILES
from scoring.alpine_trails.map.grid import beside, cells, edge, open_ends
from scoring.alpine_trails.map.tiles import TERRAINS, WAYS, Terrain
from scoring.alpine_trails.moves.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.games import PLAYS
from scoring.kernel.legality import TRIED, Answer, RestOfTurn, may, wishes
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Play
from scoring.parks.moves.park_actions import BuyGear, VisitPark
from scoring.parks.moves.sites import Fill
from scoring.parks.state import Do
from tests.support.cases import cases
from tests.support.invariant_tables import TABLES, TABLES_OF, seed_named
from tests.support.invariants import GAMES_TO_PLAY, Table
from tests.support.parks_table import ana, doing, have
from tests.support.random_games import random_game

USUAL = TABLES if GAMES_TO_PLAY else [table for table in TABLES if "other" not in table.label]
LOOKS = 2  # moments of a game
ASKED = 3  # wishes at each
BRUTE = 8_000  # moves; a turn that can go in more ways is not gone through by brute force

YOUNG = 5  # tiles on a map, base camp two of them

_pack = msgspec.msgpack.Encoder(enc_hook=repr).encode


def moments(table: Table) -> Iterator[tuple[random.Random, Any, int]]:
    """Yield moments of random games: a generator, the state, the seat that moved there."""
    for seed in table.seeds(TABLES_OF[table.play.key], 24):
        with seed_named(seed) as rng:
            log: list[tuple[int, Move]] = []
            random_game(table.play, table.setup, rng, log)
            looked = set(rng.sample(range(len(log)), min(LOOKS, len(log))))
            state = table.play.begin(table.setup)
            for number, (seat, move) in enumerate(log):
                if number in looked:
                    yield rng, state, seat
                state = table.play.play(state, seat, move)


def asked(table: Table, rng: random.Random, state: Any, seat: int) -> Iterator[Answer]:
    """Yield answers to some of what a seat could want."""
    play, seen = table.play, table.play.view(state, seat)
    known = [wish.move for wish in wishes(play, seen, seat)]
    known += [move for move in map_wishes(play, seen, seat) if move not in known]
    for move in rng.sample(known, min(ASKED, len(known))):
        yield may(play, seen, seat, move)


def map_wishes(play: Play, state: Any, seat: int) -> Iterator[Move]:
    """Yield what is wanted of a map: a campsite, a waterfall, a tile in a cell."""
    if PlaceCampsite not in play.asked(state):
        return
    tiles = state.players[seat].tiles
    for x, y in (*open_ends(tiles), *edge(tiles)):
        yield from (PlaceCampsite(x, y), PlaceWaterfall(x, y), PlaceTerrain("rock", x, y))


def everything(play: Play, state: Any, seat: int, miles: Iterable[int], terrains: Iterable[Terrain]) -> Iterator[Move]:
    """Yield all that can be told in a state, by brute force; of trails those of some miles, and some terrain sides."""
    kinds = play.asked(state) if seat in play.to_move(state) else ()
    for kind in [kind for kind in kinds if not kind.anytime] or kinds:
        cells = edge(state.players[seat].tiles) if kind.drafted and hasattr(state.players[seat], "tiles") else ()
        match kind:
            case _ if kind is PlaceTrail:
                yield from (PlaceTrail("rock", way, long, x, y) for x, y in cells for way in WAYS for long in miles)
            case _ if kind is PlaceTerrain:
                yield from (PlaceTerrain(terrain, x, y) for x, y in cells for terrain in terrains)
            case _ if kind in (PlaceCampsite, PlaceWaterfall):
                yield from (kind(x, y) for x, y in cells)
            case _:
                yield from kind.candidates(state, seat)


def reachable(
    play: Play,
    state: Any,
    seat: int,
    most: int = BRUTE,
    miles: Iterable[int] = MILES,
    terrains: Iterable[Terrain] = TERRAINS,
) -> list[Any] | None:
    """Return every state the rest of a turn can come to, by going through all of it; nothing where that is too much."""
    seen, found, tried = {_pack(state)}, [state], 0
    for here in found:
        for move in everything(play, here, seat, miles, terrains):
            tried += 1
            if tried > most:
                return None
            if not play.legal(here, seat, move):
                continue
            after = play.play(here, seat, move)
            if play.goes_on(state, after, seat) and (key := _pack(after)) not in seen:
                seen.add(key)
                found.append(after)
    return found


@pytest.mark.long("whole turns by brute force")
@cases(
    "table",
    USUAL,
    first=next(table for table in USUAL if table.name == "parks 3 with everything"),
    ids=lambda table: table.name.replace(" ", "-"),
)
def test_ways_are_legal_noes_are_noes_by_brute_force_and_no_answer_hangs_on_anothers_secret(table):
    for rng, state, seat in moments(table):
        answers = list(asked(table, rng, state, seat))
        for answer in answers:
            goes(table.play, state, seat, answer)
        stays_no(table.play, table.play.view(state, seat), seat, [answer for answer in answers if answer.yes == "no"])
        for answer in answers:
            names_the_nearest_step(table.play, seat, answer)
        other = (seat + 1) % len(state.players)
        changed = table.with_secret(state, other, rng) if other != seat else state
        for answer in answers:
            assert may(table.play, table.play.view(changed, seat), seat, answer.move) == answer


def goes(play: Play, state: Any, seat: int, answer: Answer) -> None:
    """See that every way to a wish is a line of moves that the whole table allows, and that it ends where the wish is legal."""
    assert answer.yes != "now" or not answer.reasons
    assert (answer.yes == "later") == bool(answer.ways)
    for way, words in zip(answer.ways, answer.words, strict=True):
        here = state
        for move in way:
            here = play.play(here, seat, move)
        assert play.legal(here, seat, answer.move), way
        assert len(words) == len(way) and all(words)


def stays_no(play: Play, seen: Any, seat: int, noes: list[Answer]) -> None:
    """See by brute force that the rest of the turn comes to nothing where a wish is legal."""
    ends = (reachable(play, seen, seat) if noes else None) or []
    for answer in noes:
        assert answer.reasons
        legal = [end for end in ends if play.legal(end, seat, answer.move)]
        if not answer.move.__struct_fields__:  # "leave" is another thing wherever something else can be left
            legal = [end for end in legal if answer.move.label(end, seat) == answer.label]
        assert legal == [], answer.label


def names_the_nearest_step(play: Play, seat: int, answer: Answer) -> None:
    """See that a No gives the fewest objections of the steps that ask for such a move, and only theirs."""
    if answer.yes != "no":
        return
    kind, steps = type(answer.move), (then for _, then in RestOfTurn(play, answer.state, seat, answer.move))
    asking = [then for then in steps if kind.anytime or kind in play.asked(then)]
    against = [tuple(play.objections(then, seat, answer.move)) for then in asking]
    assert (answer.route is None) == (not asking)
    assert answer.there == min(filter(None, against), key=len, default=())


def young_maps(rng: random.Random) -> Iterator[tuple[Any, int, list[Any]]]:
    """Yield tables of ALPINE TRAILS as a seat sees them that is about to tell both tiles of a round, and all that can come of it."""
    play = PLAYS["alpine-trails"]
    while True:
        state, log = play.begin(setup := play.usual(["Ana", "Bo"])), []
        random_game(play, setup, rng, log)
        for seat, move in log:
            player = state.players[seat]
            if 2 < len(player.tiles) < YOUNG and player.used == 0 and not player.busy:
                seen, home = play.view(state, seat), state.facts.terrain(player.held[0]) if player.held else None
                if ends := reachable(play, seen, seat, 5 * BRUTE, MILES[-1:], [home or "forest"]):
                    yield seen, seat, ends
                    break
            state = play.play(state, seat, move)


@pytest.mark.long("every place for two tiles")
@pytest.mark.parametrize("seed", range(max(2, GAMES_TO_PLAY // 50)))
def test_both_tiles_of_a_round_are_gone_through_where_the_map_is_young(seed):
    """What is left out of a search as of no matter to a wish is put to the test: here all of both tiles is gone through."""
    play, rng = PLAYS["alpine-trails"], random.Random(seed)
    seen, seat, ends = next(young_maps(rng))
    tiles = seen.players[seat].tiles
    near = [cell for at in edge(tiles) for _, cell in beside(at) if cell not in cells(tiles)]
    wanted = [*map_wishes(play, seen, seat), *(PlaceTerrain("rock", x, y) for x, y in near)]
    wanted += [PlaceTrail("rock", way, 2, x, y) for x, y in near for way in rng.sample(WAYS, 2)]
    wanted += [PlaceAnimal(animal, x, y) for animal in seen.players[seat].held for x, y in (*near, *edge(tiles))]
    answers = [may(play, seen, seat, move) for move in dict.fromkeys(wanted)]
    can = {answer.move for answer in answers if any(play.legal(end, seat, answer.move) for end in ends)}
    assert can == {answer.move for answer in answers if answer.yes in ("now", "later")}
    assert {answer.yes for answer in answers} == {"now", "later", "no"}


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("play", PLAYS.values(), ids=lambda play: play.key)
def test_noes_are_confirmed_and_ways_are_found_in_every_game(play):
    """The tests above would hold if nothing were ever found, or everything given up."""
    yes: set[str] = set()
    for table in TABLES:
        if table.play is play and not yes >= {"now", "later", "no"}:
            for rng, state, seat in moments(table):
                yes |= {answer.yes for answer in asked(table, rng, state, seat)}
    assert "now" in yes
    assert play.counting or yes >= {"later", "no"}


def test_a_turn_too_long_to_be_gone_through_is_said_to_be():
    play = PLAYS["trails"]
    state = play.begin(play.usual(["Ana", "Bo"]))
    rest = RestOfTurn(play, state, play.to_move(state)[0], most=3)
    assert list(rest) and not rest.whole
    assert TRIED > 3


# What a No says of the nearest step: by game, a state, the move, the route there and the codes of what is missing there.
NEAREST = {
    "a park that is too dear": (
        ana(tokens=have(forest=1)),
        VisitPark("Yellowstone"),
        ("hike-first",),
        ("The Parks site",),
        ("cost", "cost", "cost"),
    ),
    "a park while trading": (
        doing(Do("trade"), tokens=have(forest=1)),
        VisitPark("Yellowstone"),
        ("no-parks-action",),
        None,
        (),
    ),
    "gear that is too dear": (
        ana(tokens=have()),
        BuyGear("binoculars-reserve"),
        ("hike-first",),
        ("Trail End, Gear",),
        ("cost",),
    ),
    "a canteen row without canteens": (
        ana(canteens=(("sun",), (), ())),
        Fill(1),
        ("hike-first",),
        ("The 2 Water site",),
        ("row-empty",),
    ),
}


@pytest.mark.parametrize("name", NEAREST)
def test_may_i_names_the_nearest_step_and_what_is_missing_there(name):
    state, move, now, route, missing = NEAREST[name]
    answer = may(PLAYS["parks"], state, 0, move)
    assert (answer.yes, answer.route) == ("no", route)
    assert tuple(reason.code for reason in answer.reasons) == now
    assert tuple(reason.code for reason in answer.there) == missing
