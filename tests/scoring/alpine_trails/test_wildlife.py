"""ALPINE TRAILS: forks and their animals, animals on the map, and forks in a solo game."""

import re

import pytest
from msgspec.structs import replace

from scoring.alpine_trails import TRACKED_GAME
from scoring.alpine_trails.card_facts import CARD_FACTS_FORMAT
from scoring.alpine_trails.map.tiles import PlacedTile
from scoring.alpine_trails.moves.corrections import EnterAnimalHome
from scoring.alpine_trails.moves.placing import Discard, PlaceTerrain, PlaceTrail
from scoring.alpine_trails.moves.reveals import Finish
from scoring.alpine_trails.moves.wildlife import LeaveAnimal, PlaceAnimal, TakeAnimal, TradeFork
from scoring.alpine_trails.state import AnimalCard
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from tests.support.alpine_trails_maps import parse_tile
from tests.support.alpine_trails_table import (
    ANA,
    ANIMAL_CARD,
    BASE_CAMP,
    BO,
    CY,
    case_params,
    make_state,
    objection_rules_and_texts,
    refusal_params,
    state_after,
    with_ana,
    with_player,
)
from tests.support.parametrize import run_all_rows

FORK = PlaceTrail("forest", "NES", 2, 0, -1)
CROSSING = PlaceTrail("rock", "NESW", 2, 0, -1)
BEND = PlaceTrail("forest", "NS", 2, 0, -1)
BEAR = TakeAnimal("forest", "bear")
BEAR_HERE = PlacedTile(2, 0, "terrain", "forest", icons=2, animal="bear")
GROVE = (*BASE_CAMP, PlacedTile(2, 0, "terrain", "forest", icons=2), PlacedTile(3, 0, "terrain", "forest", icons=2))


def test_kept_animal_waits_until_its_habitat_is_entered():
    state = with_ana(make_state(ana_map=GROVE, animals={}), kept_animals=("bear",))
    unknown = "Enter the bear’s terrain first, from the animal card."
    assert objection_rules_and_texts(state, PlaceAnimal("bear", 2, 0)) == [("animal-card", unknown)]
    assert (
        objection_rules_and_texts(state_after(state, EnterAnimalHome("forest", "bear")), PlaceAnimal("bear", 2, 0))
        == []
    )


# Forks


OFFERED = {
    "fork-animal": [(make_state(3), [(), ("forest",), ("forest",)])],
    "animal-once": [  # A player who has the animal is not offered another.
        (with_player(make_state(3), BO, kept_animals=("bear",)), [(), (), ("forest",)]),
        (with_player(make_state(3), BO, tiles=(*BASE_CAMP, BEAR_HERE)), [(), (), ("forest",)]),
    ],
    "solo-fork": [(make_state(1), [()])],
}


@run_all_rows("state, offered", case_params(OFFERED))
def test_fork_offers_its_animal_to_all_others_who_lack_it(state, offered):
    assert [player.offered_forks for player in state_after(state, FORK).players] == offered


TWELVE = (*BASE_CAMP, *(parse_tile("NESW1f", x, 1) for x in range(12)))
FORKS = {
    "trail-shape": [(make_state(), CROSSING, ("rock",)), (make_state(), BEND, ())],
    "sign-supply": [(make_state(other_map=TWELVE), CROSSING, ("rock",))],  # A thirteenth fork.
}


@pytest.mark.parametrize("state, move, offered", case_params(FORKS))
def test_crossing_is_a_fork_and_a_plain_trail_is_not(state, move, offered):
    assert state_after(state, move).players[BO].offered_forks == offered


ANNOUNCED = {
    "fork-announced": [
        (FORK, "Ana placed a 2-mile forest fork just north of base camp’s west square. Bo may take the bear."),
        (BEND, "Ana placed a straight 2-mile forest trail just north of base camp’s west square."),
    ]
}


@pytest.mark.parametrize("move, sentence", case_params(ANNOUNCED))
def test_fork_is_announced_with_its_terrain(move, sentence):
    assert TRACKED_GAME.log_sentence(make_state(), state_after(make_state(), move), ANA, move) == sentence


def test_round_waits_until_the_animal_is_taken_or_declined():
    state = make_state(2)
    state = state_after(state_after(state, Discard(), Discard(), seat=BO), Discard(), FORK)
    assert (state.round, TRACKED_GAME.flow.to_move(state)) == (1, (BO,))
    assert state_after(state, BEAR, seat=BO).round == 2
    assert state_after(state, BEAR, seat=BO).players[BO].kept_animals == ("bear",)
    assert state_after(state, LeaveAnimal("forest"), seat=BO).players[BO].kept_animals == ()


def test_two_forks_of_one_terrain_offer_one_animal():
    state = make_state(3)
    state = state_after(state_after(state, FORK), FORK, seat=CY)
    assert state.players[BO].offered_forks == ("forest",)
    state = state_after(state, BEAR, seat=BO)
    assert (state.players[BO].offered_forks, state.players[BO].kept_animals) == ((), ("bear",))


# The animal card


def test_first_player_to_take_an_animal_enters_its_habitat():
    state = state_after(make_state(3, animals={}), FORK)
    state = state_after(state, TakeAnimal("forest", "moose"), seat=BO)
    assert state.facts == AnimalCard(forest="moose")
    assert ("animal-card", "The forest animal is the moose, not the bear.") in objection_rules_and_texts(
        state, BEAR, CY
    )


def test_corrected_animal_card_also_corrects_the_animals():
    state = with_player(
        make_state(2),
        BO,
        kept_animals=("bear",),
        tiles=(*BASE_CAMP, PlacedTile(2, 0, "terrain", "rock", icons=2, animal="goat")),
    )
    state = state_after(state, EnterAnimalHome("forest", "goat"))
    assert (state.facts.forest, state.facts.rock) == ("goat", "bear")
    assert state.players[BO].kept_animals == ("goat",)
    assert state.players[BO].tiles[-1].animal == "bear"


TWO_KNOWN = AnimalCard(forest="bear", rock="goat")
OWN_FORK = state_after(make_state(), FORK)
BOS_FORK = state_after(state_after(make_state(), FORK, seat=BO), LeaveAnimal("forest"))
NO_ROCK_FORK = "There is no rock animal to take. Another player must place a rock fork first."


@run_all_rows(
    "state, move, rule, sentence",
    refusal_params(
        {
            "animal-card": [
                (make_state(), EnterAnimalHome("forest", "bear"), "This changes nothing."),
                (
                    make_state(animals={"forest": "bear", "rock": "goat"}),
                    EnterAnimalHome("meadow", "bear"),
                    "The bear is the forest animal. Enter another forest animal first.",
                ),
            ],
            "fork-animal": [
                (
                    make_state(),
                    BEAR,
                    "There is no forest animal to take. Another player must place a forest fork first.",
                ),
                (
                    make_state(),
                    LeaveAnimal("forest"),
                    "There is no forest animal to take. Another player must place a forest fork first.",
                ),
                (OWN_FORK, BEAR, "Your own fork gives you no animal. Another player must place a forest fork first."),
                (
                    OWN_FORK,
                    LeaveAnimal("forest"),
                    "Your own fork gives you no animal. Another player must place a forest fork first.",
                ),
                (BOS_FORK, BEAR, "No forest fork offers you an animal now. Wait for the next one."),
                (state_after(OWN_FORK, FORK, seat=BO), TakeAnimal("rock", "goat"), NO_ROCK_FORK),
            ],
            "animal-once": [
                (
                    with_ana(make_state(animals={}), offered_forks=("forest",), kept_animals=("bear",)),
                    BEAR,
                    "You already have the bear. You may have only one of each animal.",
                ),
            ],
            "animal-supply": [
                (
                    with_ana(make_state(1), tiles=(*BASE_CAMP,), kept_animals=("bear",) * 5),
                    TradeFork("forest", "bear"),
                    "All 5 bears are taken.",
                ),
            ],
            "animal-kept": [(make_state(), PlaceAnimal("bear", 2, 0), "You have no bear to place. Take one first.")],
            "animal-place": [
                (
                    with_ana(make_state(), kept_animals=("bear",)),
                    PlaceAnimal("bear", 5, 5),
                    "An animal goes on a terrain side. This square is empty.",
                ),
                (
                    with_ana(make_state(), kept_animals=("bear",)),
                    PlaceAnimal("bear", 0, 0),
                    "An animal goes on a terrain side. This is base camp.",
                ),
                (
                    with_ana(make_state(ana_map=(*BASE_CAMP, BEND.placed)), kept_animals=("bear",)),
                    PlaceAnimal("bear", 0, -1),
                    "An animal goes on a terrain side. This is a straight 2-mile forest trail.",
                ),
                (
                    with_ana(make_state(ana_map=GROVE), kept_animals=("wolf",)),
                    PlaceAnimal("wolf", 2, 0),
                    "The wolf goes on a meadow terrain tile. This is a forest terrain tile.",
                ),
            ],
            "animal-one-to-a-tile": [
                (
                    with_ana(
                        make_state(1, ana_map=(*BASE_CAMP, replace(GROVE[2], animal="bear"))), kept_animals=("bear",)
                    ),
                    PlaceAnimal("bear", 2, 0),
                    "The bear is already on this tile. Choose another tile.",
                ),
            ],
            "solo-fork": [
                (
                    make_state(),
                    TradeFork("forest", "bear"),
                    "You can discard a fork for its animal only in the solo game.",
                )
            ],
        }
    ),
)
def test_animal_move_is_refused_by_its_rule(state, move, rule, sentence):
    assert (rule, sentence) in objection_rules_and_texts(state, move)
    with pytest.raises(IllegalMoveError):
        TRACKED_GAME.play(state, ANA, move)


def test_animal_is_placed_at_any_time_and_uses_no_tile():
    state = state_after(
        with_ana(make_state(ana_map=GROVE), kept_animals=("wolf", "bear"), tiles_used=2), PlaceAnimal("bear", 3, 0)
    )
    player = state.players[ANA]
    assert (player.kept_animals, player.tiles_used) == (("wolf",), 2)
    assert [tile.animal for tile in player.tiles] == [None, None, None, "bear"]


def test_animal_may_be_placed_until_all_maps_are_declared_complete():
    state = with_ana(make_state(1, ana_map=GROVE, round="over"), kept_animals=("bear",))
    assert not objection_rules_and_texts(state, PlaceAnimal("bear", 2, 0))
    assert ("game-over", "The game is over.") in objection_rules_and_texts(
        state_after(state, Finish()), PlaceAnimal("bear", 2, 0)
    )


KEPT = with_ana(make_state(ana_map=GROVE), kept_animals=("bear",))
COUNTED = {
    "animal-kept": [
        (KEPT, 0),
        (state_after(KEPT, PlaceAnimal("bear", 2, 0)), 2),
        (state_after(KEPT, Discard(), Discard()), 0),
    ]
}


@pytest.mark.parametrize("state, points", case_params(COUNTED))
def test_animal_counts_only_on_the_map(state, points):
    assert TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns[ANA].points_in("animals") == points


# Solo game


def test_solo_fork_is_a_trail_a_habitat_or_an_animal():
    state = make_state(1)
    trail = state_after(state, FORK)
    assert (
        trail.players[ANA].tiles[-1].is_fork,
        trail.players[ANA].kept_animals,
        trail.players[ANA].offered_forks,
    ) == (True, (), ())
    habitat = state_after(state, PlaceTerrain("forest", 2, 0))
    assert habitat.players[ANA].tiles[-1].kind == "terrain"
    traded = state_after(state, TradeFork("forest", "bear"))
    assert (traded.players[ANA].kept_animals, traded.players[ANA].tiles_used, traded.players[ANA].tiles) == (
        ("bear",),
        1,
        BASE_CAMP,
    )


@pytest.mark.parametrize("traded, points", case_params({"solo-animals": [(1, 2), (2, 4)]}))
def test_solo_game_keeps_several_animals_of_a_kind_and_each_scores(traded, points):
    state = state_after(make_state(1, ana_map=GROVE), *[TradeFork("forest", "bear")] * traded)
    assert state.players[ANA].kept_animals == ("bear",) * traded
    state = state_after(state, *(PlaceAnimal("bear", 2 + x, 0) for x in range(traded)))
    assert TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns[ANA].points_in("animals") == points


def test_solo_game_with_animals_ends_with_its_rank():
    state = make_state(
        1, ana_map=(*BASE_CAMP, *(PlacedTile(2 + x, 0, "terrain", "forest", icons=2) for x in range(48))), bag=2
    )
    state = state_after(state, Discard(), Discard(), Finish())
    sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(state))
    assert (sheet.columns[ANA].total, sheet.columns[ANA].title) == (98, "Pathfinder")
    assert sheet.result_text == "Ana scores 98 points: Pathfinder."


# The facts of the box


def test_animal_card_facts_are_read_checked_and_merged():
    assert CARD_FACTS_FORMAT.from_data({"forest": "bear"}) == AnimalCard(forest="bear")
    assert CARD_FACTS_FORMAT.with_values(ANIMAL_CARD, {"forest": ""}) == replace(ANIMAL_CARD, forest=None)
    assert CARD_FACTS_FORMAT.merge(AnimalCard(forest="bear"), AnimalCard(rock="goat")) == TWO_KNOWN
    assert CARD_FACTS_FORMAT.merge(AnimalCard(forest="bear"), AnimalCard(rock="bear")) == AnimalCard(rock="bear")
    assert CARD_FACTS_FORMAT.merge(ANIMAL_CARD, AnimalCard()) == ANIMAL_CARD


@run_all_rows(
    "data, fault",
    [
        ({"forrest": "bear"}, 'no key "forrest"; did you mean "forest"?'),
        ({"forest": "yeti"}, 'forest: no value "yeti"; there are goat, moose, bear, wolf'),
        ({"forest": 3}, "forest: expected text or null, got a whole number"),
        ([], "expected an object, got a list"),
    ],
)
def test_unreadable_animal_card_is_refused(data, fault):
    with pytest.raises(InvalidInputError, match=f"^{re.escape(fault)}$"):
        CARD_FACTS_FORMAT.from_data(data)


def test_animal_with_two_terrains_is_refused():
    with pytest.raises(IllegalMoveError, match="The bear can have only one terrain, not forest and rock. Choose one."):
        CARD_FACTS_FORMAT.from_data({"forest": "bear", "rock": "bear"})
    assert [
        reason.code
        for reason in TRACKED_GAME.setup_format.check(
            replace(TRACKED_GAME.setup_format.default(["Ana"]), facts=AnimalCard("bear", "bear"))
        )
    ] == ["animal-twice"]
