"""ALPINE TRAILS: the table as it lies, said and read back at every step of a game, and what does not add up there."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from scoring.alpine_trails import PLAY
from scoring.alpine_trails.map.tiles import Placed
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.position import Position, Side
from scoring.kernel.errors import Illegal, Malformed
from tests.support import rule_cases
from tests.support.alpine_trails_invariants import TABLES
from tests.support.alpine_trails_maps import drawn, tile
from tests.support.alpine_trails_table import CAMP, KNOWN, NAMES
from tests.support.cases import cases, every_row
from tests.support.invariants import Table
from tests.support.random_games import random_game

LYING = PLAY.lying
WOLF = Placed(2, 0, "terrain", "meadow", icons=2, animal="wolf")
WOLVES = (*CAMP, WOLF, replace(WOLF, x=3))


def row(kind: str, count: int, y: int = 1, **shown) -> tuple[Placed, ...]:
    """Return base camp with a row of tiles beside it."""
    return (*CAMP, *(Placed(x, y, kind, **shown) for x in range(count)))


def ana(map: str | tuple[Placed, ...] = CAMP, table: dict | None = None, **side) -> Position:
    """Return a table of two, where Bo has base camp and Ana what is said."""
    tiles = drawn(map) if isinstance(map, str) else map
    return Position((Side("Ana", tiles, **side), Side("Bo", CAMP)), **{"animals": KNOWN, **(table or {})})


def alone(**side) -> Position:
    return Position((Side("Ana", CAMP, **side),), animals=KNOWN)


# By the rule each line cites: a table, and the one line it says.
FAULTS = {
    "players": [
        (Position(tuple(Side(name, CAMP) for name in "ABCDEF"), bag=72), "ALPINE TRAILS is for 1 to 5 players, not 6."),
        (Position((Side("Ana", CAMP), Side("ana", CAMP))), "Two players are called Ana; add an initial."),
    ],
    "bag": [
        (ana(table={"bag": 66}), "In a round 4 tiles are drawn, so 66 do not come out even; 64 do."),
        (ana(table={"round": 17}), "With 64 tiles in the bag there are 16 rounds."),
        (ana(table={"round": 0}), "With 64 tiles in the bag there are 16 rounds."),
    ],
    "animal-card": [
        (
            ana(table={"animals": {"forest": "bear", "rock": "bear"}}),
            "The bear lives in one terrain only, not in forest and rock.",
        ),
    ],
    "loop-two": [
        (
            ana(table={"rulings": {"two-loops": "none"}}),
            "\u201cnone\u201d is no reading of this: What does a tile earn that closes two circuits at once?",
        )
    ],
    "components": [
        (ana(row("campsite", 26)), "The box has 25 tents."),
        (ana(row("waterfall", 37)), "The box has 36 waterfalls."),
        (ana(row("terrain", 133, terrain="rock", icons=2)), "The box has 132 trail tiles."),
    ],
    "lake-supply": [(ana(row("lake", 73)), "The box has 72 campsite and waterfall tiles for all lakes.")],
    "animal-supply": [(alone(kept=("bear",) * 6), "There are 5 of each animal.")],
    "animal-once": [
        (ana(kept=("bear", "bear")), "Ana would have the bear twice."),
        (ana((*CAMP, WOLF), kept=("wolf",)), "Ana would have the wolf twice."),
        (ana(WOLVES), "Ana would have the wolf twice."),
    ],
    "draw-two": [
        (ana(played=3), "In a round everybody plays 2 tiles; Ana cannot have played 3."),
        (ana(played=-1), "In a round everybody plays 2 tiles; Ana cannot have played -1."),
    ],
    "base-camp": [
        (ana((), played=1), "Ana has no map yet."),
        (ana((), table={"round": "over"}), "Ana has no map yet."),
    ],
    "campsite-one": [(ana(campsite=True), "Ana has given up a tile for a campsite and played none.")],
    "loop": [(ana(waterfalls=-1), "Ana cannot have -1 waterfalls to place.")],
    "solo-fork": [(alone(forks=("rock",)), "Alone there are no forks of others.")],
    "fork-animal": [(ana(forks=("rock", "rock")), "Forks of one terrain offer Ana one animal.")],
    "goal-card": [(ana(goal=Goal("path-icons", "any")), "There is no goal card such as that of Ana.")],
    "game-over": [
        (
            ana(table={"round": "over"}, waterfalls=1),
            "The bag is empty; Ana has no waterfall and no animal to take any more.",
        ),
        (
            ana(table={"round": "over"}, forks=("rock",)),
            "The bag is empty; Ana has no waterfall and no animal to take any more.",
        ),
        (ana(complete=True), "The map of Ana is not complete before the bag is empty."),
    ],
    "base-camp-squares": [
        (ana("Br"), "Ana has one base camp, on two squares side by side."),
        (ana("Br f Br"), "Ana has one base camp, on two squares side by side."),
        (ana("Br Br Br"), "Ana has one base camp, on two squares side by side."),
        (
            ana((*CAMP[:1], Placed(1, 0, "base", "rock", "NS", 1, 1))),
            "Ana, 1 east of base camp: base camp shows terrain and icons, no trail of its own and no animal.",
        ),
    ],
    "place-empty": [
        (ana((*CAMP, tile("f", 2, 0), tile("lake", 2, 0))), "On the map of Ana two tiles lie in one cell.")
    ],
    "place-adjacent": [(ana("Br Br . f"), "The map of Ana is not in one piece.")],
    "trail-side": [(ana("EW4f Br Br"), "Ana, 1 west of base camp: a trail is 1, 2 or 3 miles long, not 4.")],
    "trail-shape": [
        (ana("E1f Br Br"), "Ana, 1 west of base camp: a trail leaves its tile on two, three or four sides.")
    ],
    "terrain-side": [(ana("f3 Br Br"), "Ana, 1 west of base camp: a terrain side shows 2 icons, not 3.")],
    "score-habitats": [(ana("Br5 Br"), "Ana, at base camp: a tile shows 0 to 4 icons, not 5.")],
    "place-sides": [
        (ana((*CAMP, Placed(2, 0, "terrain", icons=2))), "Ana, 2 east of base camp: which terrain does it show?")
    ],
    "habitat-bare": [
        (ana((*CAMP, Placed(2, 0, "lake", icons=1))), "Ana, 2 east of base camp: a lake shows no terrain and no trail.")
    ],
    "animal-place": [
        (
            ana((*CAMP, replace(WOLF, terrain="rock"))),
            "Ana, 2 east of base camp: the wolf lives in the meadow; this is a rock tile.",
        )
    ],
}


@every_row("position, line, rule", [(*case, rule) for rule, _, case in rule_cases.rows(PLAY.box, FAULTS)])
def test_what_does_not_add_up_is_said_in_one_line(position, line, rule):
    found = list(LYING.faults(LYING.state(position)))
    assert [(reason.rule.id, reason.text) for reason in found] == [(rule, line)]
    with pytest.raises(Illegal):
        LYING.read(msgspec.to_builtins(position))


RICH = Position(
    (
        Side("Ana", (*CAMP, WOLF), Goal("tent-icons", "any"), kept=("bear",), played=1, waterfalls=1, forks=("rock",)),
        Side("Bo"),
    ),
    bag=12,
    round=3,
    animals={"meadow": "wolf"},
    rulings={"two-loops": "each"},
)


@every_row("position", [ana(), alone(), RICH, ana(table={"round": "over"}, complete=True, goal=Goal("path-length"))])
def test_a_table_is_said_as_it_was_told(position):
    state = LYING.state(position)
    assert list(LYING.faults(state)) == []
    assert LYING.says(state) == position
    assert LYING.read(LYING.plain(state)) == state


def test_what_is_usual_need_not_be_said():
    camp = [{"x": x, "y": 0, "kind": "base", "terrain": "rock", "icons": 1} for x in (0, 1)]
    said = {"players": [{"name": name, "map": camp} for name in NAMES[:2]]}
    state = LYING.read(said)
    assert (state.tiles, state.round, state.ended, state.players[0].tiles) == (64, 1, False, CAMP)
    assert msgspec.json.decode(msgspec.json.encode(LYING.plain(state))) == said


@every_row(
    "data, fault",
    [
        ({"players": [{"name": "Ana", "mapp": []}]}, 'players[0]: no key "mapp"; did you mean "map"?'),
        ({"players": [{"name": "Ana", "kept": ["yeti"]}]}, "players[0].kept[0]: invalid enum value 'yeti'"),
        ({"players": [], "round": "never"}, "round: invalid enum value 'never'"),
        ([], "expected an object, got a list"),
    ],
)
def test_what_is_no_table_is_malformed(data, fault):
    with pytest.raises(Malformed) as malformed:
        LYING.read(data)
    assert str(malformed.value).startswith(fault)


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table", [each for each in TABLES if each.play is PLAY], ids=lambda table: table.name)
@cases("seed", range(2))
def test_at_every_step_of_a_game_the_table_lies_as_it_is_said_to_and_adds_up(table: Table, seed: int):
    log: list = []
    random_game(PLAY, table.setup, random.Random(f"{table.name} {seed}"), log, chatter=0.15)
    state = PLAY.begin(table.setup)
    for number, (seat, move) in enumerate(log):
        assert LYING.state(LYING.says(state)) == state
        assert list(LYING.faults(state)) == []
        if number % 20 == 0:
            assert LYING.read(msgspec.json.decode(msgspec.json.encode(LYING.plain(state)))) == state
        state = PLAY.play(state, seat, move)
    assert LYING.state(LYING.says(state)) == state
    assert list(LYING.faults(state)) == []
