"""ALPINE TRAILS: forks and the animals they bring, animals on the map, the three ways to play a fork alone."""

import re

import pytest
from msgspec.structs import replace

from scoring.alpine_trails import PLAY
from scoring.alpine_trails.facts import FACTS
from scoring.alpine_trails.map.tiles import Placed
from scoring.alpine_trails.moves.corrections import TellAnimal
from scoring.alpine_trails.moves.placing import Discard, PlaceTerrain, PlaceTrail
from scoring.alpine_trails.moves.reveals import Finish
from scoring.alpine_trails.moves.wildlife import LeaveAnimal, PlaceAnimal, TakeAnimal, TradeFork
from scoring.alpine_trails.state import AnimalCard
from scoring.kernel.errors import Illegal, Malformed
from tests.support.alpine_trails_maps import tile
from tests.support.alpine_trails_table import (
    ANA,
    BO,
    CAMP,
    CARD,
    CY,
    after,
    against,
    cases,
    refusals,
    table,
    with_ana,
    with_side,
)
from tests.support.cases import every_row

FORK = PlaceTrail("forest", "NES", 2, 0, -1)
CROSSING = PlaceTrail("rock", "NESW", 2, 0, -1)
BEND = PlaceTrail("forest", "NS", 2, 0, -1)
BEAR = TakeAnimal("forest", "bear")
BEAR_HERE = Placed(2, 0, "terrain", "forest", icons=2, animal="bear")
GROVE = (*CAMP, Placed(2, 0, "terrain", "forest", icons=2), Placed(3, 0, "terrain", "forest", icons=2))


def test_a_kept_animal_waits_until_somebody_has_told_where_it_lives():
    state = with_ana(table(ana=GROVE, animals={}), held=("bear",))
    unknown = "First set the animal card right: where the bear lives is not told yet."
    assert against(state, PlaceAnimal("bear", 2, 0)) == [("animal-card", unknown)]
    assert against(after(state, TellAnimal("forest", "bear")), PlaceAnimal("bear", 2, 0)) == []


# Forks


OFFERED = {
    "fork-animal": [(table(3), [(), ("forest",), ("forest",)])],
    "animal-once": [  # who has the animal is not offered another
        (with_side(table(3), BO, held=("bear",)), [(), (), ("forest",)]),
        (with_side(table(3), BO, tiles=(*CAMP, BEAR_HERE)), [(), (), ("forest",)]),
    ],
    "solo-fork": [(table(1), [()])],
}


@every_row("state, offered", cases(OFFERED))
def test_a_fork_offers_its_animal_to_everyone_else_who_lacks_it_and_not_to_who_placed_it(state, offered):
    assert [player.offered for player in after(state, FORK).players] == offered


TWELVE = (*CAMP, *(tile("NESW1f", x, 1) for x in range(12)))
FORKS = {
    "trail-shape": [(table(), CROSSING, ("rock",)), (table(), BEND, ())],
    "sign-supply": [(table(others=TWELVE), CROSSING, ("rock",))],  # a thirteenth fork
}


@pytest.mark.parametrize("state, move, offered", cases(FORKS))
def test_a_crossing_is_a_fork_and_a_plain_trail_is_none(state, move, offered):
    assert after(state, move).players[BO].offered == offered


ANNOUNCED = {
    "fork-announced": [
        (FORK, "Ana placed a 2 mile forest fork, 1 north of base camp. Bo may take the bear."),
        (BEND, "Ana placed a 2 mile forest trail, 1 north of base camp."),
    ]
}


@pytest.mark.parametrize("move, sentence", cases(ANNOUNCED))
def test_a_fork_is_announced_with_its_terrain(move, sentence):
    assert PLAY.tell(table(), after(table(), move), ANA, move) == sentence


def test_the_round_waits_until_the_animal_is_taken_or_left():
    state = table(2)
    state = after(after(state, Discard(), Discard(), seat=BO), Discard(), FORK)
    assert (state.round, PLAY.to_move(state)) == (1, (BO,))
    assert after(state, BEAR, seat=BO).round == 2
    assert after(state, BEAR, seat=BO).players[BO].held == ("bear",)
    assert after(state, LeaveAnimal("forest"), seat=BO).players[BO].held == ()


def test_two_forks_of_a_terrain_offer_one_animal():
    state = table(3)
    state = after(after(state, FORK), FORK, seat=CY)
    assert state.players[BO].offered == ("forest",)
    state = after(state, BEAR, seat=BO)
    assert (state.players[BO].offered, state.players[BO].held) == ((), ("bear",))


# The animal card


def test_the_first_to_take_an_animal_tells_where_it_lives():
    state = after(table(3, animals={}), FORK)
    state = after(state, TakeAnimal("forest", "moose"), seat=BO)
    assert state.facts == AnimalCard(forest="moose")
    assert ("animal-card", "The animal of the forest is the moose.") in against(state, BEAR, CY)


def test_a_wrong_card_is_set_right_and_the_animals_with_it():
    state = with_side(
        table(2), BO, held=("bear",), tiles=(*CAMP, Placed(2, 0, "terrain", "rock", icons=2, animal="goat"))
    )
    state = after(state, TellAnimal("forest", "goat"))
    assert (state.facts.forest, state.facts.rock) == ("goat", "bear")
    assert state.players[BO].held == ("goat",)
    assert state.players[BO].tiles[-1].animal == "bear"


TWO_KNOWN = AnimalCard(forest="bear", rock="goat")
OWN_FORK = after(table(), FORK)
BOS_FORK = after(after(table(), FORK, seat=BO), LeaveAnimal("forest"))
NO_ROCK_FORK = "Nobody has placed a rock fork that you could take an animal for."


@every_row(
    "state, move, rule, sentence",
    refusals(
        {
            "animal-card": [
                (table(), TellAnimal("forest", "bear"), "The app has it so already."),
                (
                    table(animals={"forest": "bear", "rock": "goat"}),
                    TellAnimal("meadow", "bear"),
                    "The bear is that of the forest; first say what lives there.",
                ),
            ],
            "fork-animal": [
                (table(), BEAR, "Nobody has placed a forest fork that you could take an animal for."),
                (table(), LeaveAnimal("forest"), "Nobody has placed a forest fork that you could take an animal for."),
                (OWN_FORK, BEAR, "There is no animal for your own fork, and nobody else has placed a forest fork."),
                (
                    OWN_FORK,
                    LeaveAnimal("forest"),
                    "There is no animal for your own fork, and nobody else has placed a forest fork.",
                ),
                (BOS_FORK, BEAR, "No forest fork has an animal for you now."),
                (after(OWN_FORK, FORK, seat=BO), TakeAnimal("rock", "goat"), NO_ROCK_FORK),
            ],
            "animal-once": [
                (with_ana(table(animals={}), offered=("forest",), held=("bear",)), BEAR, "You have the bear already."),
            ],
            "animal-supply": [
                (
                    with_ana(table(1), tiles=(*CAMP,), held=("bear",) * 5),
                    TradeFork("forest", "bear"),
                    "All 5 of the bear are out.",
                ),
            ],
            "animal-kept": [(table(), PlaceAnimal("bear", 2, 0), "You have no bear to place.")],
            "animal-place": [
                (
                    with_ana(table(), held=("bear",)),
                    PlaceAnimal("bear", 5, 5),
                    "An animal goes on a terrain side; this is an empty cell.",
                ),
                (
                    with_ana(table(), held=("bear",)),
                    PlaceAnimal("bear", 0, 0),
                    "An animal goes on a terrain side; this is a base camp.",
                ),
                (
                    with_ana(table(ana=(*CAMP, BEND.placed)), held=("bear",)),
                    PlaceAnimal("bear", 0, -1),
                    "An animal goes on a terrain side; this is a 2 mile forest trail.",
                ),
                (
                    with_ana(table(ana=GROVE), held=("wolf",)),
                    PlaceAnimal("wolf", 2, 0),
                    "The wolf lives in the meadow; this is a forest tile.",
                ),
            ],
            "animal-one-to-a-tile": [
                (
                    with_ana(table(1, ana=(*CAMP, replace(GROVE[2], animal="bear"))), held=("bear",)),
                    PlaceAnimal("bear", 2, 0),
                    "The bear is here already.",
                ),
            ],
            "solo-fork": [
                (table(), TradeFork("forest", "bear"), "Only in the solo game is a fork discarded for its animal.")
            ],
        }
    ),
)
def test_a_move_with_animals_is_refused_by_its_rule(state, move, rule, sentence):
    assert (rule, sentence) in against(state, move)
    with pytest.raises(Illegal):
        PLAY.play(state, ANA, move)


def test_an_animal_is_placed_at_any_time_and_uses_no_tile():
    state = after(with_ana(table(ana=GROVE), held=("wolf", "bear"), used=2), PlaceAnimal("bear", 3, 0))
    player = state.players[ANA]
    assert (player.held, player.used) == (("wolf",), 2)
    assert [each.animal for each in player.tiles] == [None, None, None, "bear"]


def test_an_animal_may_be_placed_until_the_map_is_said_to_be_complete_by_all():
    state = with_ana(table(1, ana=GROVE, round="over"), held=("bear",))
    assert not against(state, PlaceAnimal("bear", 2, 0))
    assert ("game-over", "The game is over.") in against(after(state, Finish()), PlaceAnimal("bear", 2, 0))


KEPT = with_ana(table(ana=GROVE), held=("bear",))
COUNTED = {
    "animal-kept": [(KEPT, 0), (after(KEPT, PlaceAnimal("bear", 2, 0)), 2), (after(KEPT, Discard(), Discard()), 0)]
}


@pytest.mark.parametrize("state, points", cases(COUNTED))
def test_an_animal_counts_only_on_the_map(state, points):
    assert PLAY.box.score(PLAY.final(state)).columns[ANA].of("animals") == points


# Alone


def test_alone_a_fork_is_a_trail_a_habitat_or_an_animal():
    state = table(1)
    trail = after(state, FORK)
    assert (trail.players[ANA].tiles[-1].fork, trail.players[ANA].held, trail.players[ANA].offered) == (True, (), ())
    habitat = after(state, PlaceTerrain("forest", 2, 0))
    assert habitat.players[ANA].tiles[-1].kind == "terrain"
    traded = after(state, TradeFork("forest", "bear"))
    assert (traded.players[ANA].held, traded.players[ANA].used, traded.players[ANA].tiles) == (("bear",), 1, CAMP)


@pytest.mark.parametrize("traded, points", cases({"solo-animals": [(1, 2), (2, 4)]}))
def test_alone_several_animals_of_a_kind_are_kept_and_each_scores(traded, points):
    state = after(table(1, ana=GROVE), *[TradeFork("forest", "bear")] * traded)
    assert state.players[ANA].held == ("bear",) * traded
    state = after(state, *(PlaceAnimal("bear", 2 + x, 0) for x in range(traded)))
    assert PLAY.box.score(PLAY.final(state)).columns[ANA].of("animals") == points


def test_a_solo_game_ends_in_its_rank():
    state = table(1, ana=(*CAMP, *(Placed(2 + x, 0, "terrain", "forest", icons=2) for x in range(48))), bag=2)
    state = after(state, Discard(), Discard(), Finish())
    sheet = PLAY.box.score(PLAY.final(state))
    assert (sheet.columns[ANA].total, sheet.columns[ANA].title) == (98, "Pathfinder")
    assert sheet.verdict == "Ana scores 98 points: Pathfinder."


# The facts of the box


def test_an_animal_card_is_read_checked_and_put_together():
    assert FACTS.checked({"forest": "bear"}) == AnimalCard(forest="bear")
    assert FACTS.with_values(CARD, {"forest": ""}) == replace(CARD, forest=None)
    assert FACTS.merge(AnimalCard(forest="bear"), AnimalCard(rock="goat")) == TWO_KNOWN
    assert FACTS.merge(AnimalCard(forest="bear"), AnimalCard(rock="bear")) == AnimalCard(rock="bear")
    assert FACTS.merge(CARD, AnimalCard()) == CARD


@every_row(
    "data, fault",
    [
        ({"forrest": "bear"}, 'no key "forrest"; did you mean "forest"?'),
        ({"forest": "yeti"}, "forest: invalid enum value 'yeti'"),
        ({"forest": 3}, "forest: expected text or null, got a whole number"),
        ([], "expected an object, got a list"),
    ],
)
def test_an_animal_card_that_cannot_be_read_is_refused(data, fault):
    with pytest.raises(Malformed, match=f"^{re.escape(fault)}$"):
        FACTS.checked(data)


def test_no_animal_lives_in_two_terrains():
    with pytest.raises(Illegal, match="The bear lives in one terrain only, not in forest and rock."):
        FACTS.checked({"forest": "bear", "rock": "bear"})
    assert [
        reason.code for reason in PLAY.check_setup(replace(PLAY.usual(["Ana"]), facts=AnimalCard("bear", "bear")))
    ] == ["animal-twice"]
