"""ALPINE TRAILS: players may be a round ahead; pending actions come before the next round."""

import pytest

from scoring.alpine_trails import TRACKED_GAME
from scoring.alpine_trails.map.tiles import PlacedTile
from scoring.alpine_trails.moves.placing import Discard, PlaceCampsite, PlaceTerrain, PlaceTrail
from scoring.alpine_trails.moves.wildlife import LeaveAnimal
from scoring.alpine_trails.state import State
from tests.support.alpine_trails_maps import parse_map
from tests.support.alpine_trails_table import ANA, BO, make_state, state_after, with_ana
from tests.support.parametrize import run_all_rows


def test_player_who_entered_both_tiles_goes_on_to_the_next_round():
    state = after_discards(make_state(ahead=True), ANA, 3)
    assert (state.round, [player.tiles_used for player in state.players], TRACKED_GAME.flow.to_move(state)) == (
        1,
        [3, 0],
        (ANA, BO),
    )
    state = after_discards(state, BO, 2)
    assert (state.round, [player.tiles_used for player in state.players]) == (2, [1, 0])
    state = after_discards(after_discards(state, BO, 3), ANA, 1)
    assert (state.round, [player.tiles_used for player in state.players]) == (3, [0, 1])


def test_player_cannot_go_ahead_where_all_wait():
    state = after_discards(make_state(), ANA, 2)
    assert TRACKED_GAME.flow.to_move(state) == (BO,)
    (reason,) = TRACKED_GAME.objections(state, ANA, PlaceTerrain("rock", 9, 0))
    assert (reason.code, reason.rule.id) == ("both-played", "round-over")


def test_offered_animal_comes_before_the_next_round():
    state = with_ana(after_discards(make_state(ahead=True), ANA, 2), offered_forks=("rock",))
    (reason,) = TRACKED_GAME.objections(state, ANA, Discard())
    assert reason.text == "You have already used both tiles this round. You still have an animal to take or skip."
    state = TRACKED_GAME.play(state, ANA, LeaveAnimal("rock"))
    assert TRACKED_GAME.is_legal(state, ANA, Discard())


def test_fork_entered_late_offers_its_animal_to_a_player_who_is_ahead():
    state = TRACKED_GAME.play(after_discards(make_state(ahead=True), ANA, 3), BO, PlaceTrail("rock", "NES", 1, 0, -1))
    assert state.players[ANA].offered_forks == ("rock",)
    assert TRACKED_GAME.is_legal(state, ANA, Discard())  # She can finish the round she is in.
    state = after_discards(state, BO, 1)
    assert (state.round, state.players[ANA].offered_forks) == (2, ("rock",))


def test_one_campsite_per_round_even_for_a_player_who_is_ahead():
    far = make_state(ana_map=". EW3f EW3f Br Br EW3f EW3f .", ahead=True)
    state = after_discards(TRACKED_GAME.play(far, ANA, PlaceCampsite(0, 0)), ANA, 1)
    assert TRACKED_GAME.is_legal(state, ANA, PlaceCampsite(7, 0))
    state = TRACKED_GAME.play(state, ANA, Discard())
    state = TRACKED_GAME.play(state, ANA, PlaceCampsite(7, 0))
    assert (state.players[ANA].tiles_used, state.players[ANA].has_placed_campsite) == (4, True)


def test_game_ends_when_all_have_entered_their_last_tile():
    state = after_discards(make_state(ahead=True, bag=8), ANA, 4)
    assert TRACKED_GAME.flow.to_move(state) == (BO,)
    (reason,) = TRACKED_GAME.objections(state, ANA, Discard())
    assert reason.text == "You have already used your last tile. Waiting for Bo to place tiles."
    assert after_discards(state, BO, 4).is_play_over


def after_discards(state: State, seat: int, tiles: int) -> State:
    """Return the state after a player has discarded this many tiles."""
    return state_after(state, *[Discard()] * tiles, seat=seat)


FAR = ". EW3f EW3f Br Br EW3f EW3f ."  # A campsite can be placed at both ends.


@run_all_rows(
    ("tents", "ana", "bo", "expected"),
    [
        (23, 2, 0, []),  # Two are left: one for each player.
        (24, 2, 0, ["Only 1 tent is left. Bo must enter the earlier rounds first."]),
        (23, 4, 0, ["Only 2 tents are left. Bo must enter the earlier rounds first."]),
        (24, 2, 2, []),  # Bo is in the same round as Ana.
        (24, 1, 0, []),  # In the same round, the first to enter it gets it.
    ],
)
def test_last_tents_are_reserved_for_players_who_are_behind(tents, ana, bo, expected):
    state = after_discards(after_discards(make_state(ana_map=FAR, ahead=True), ANA, ana), BO, bo)
    camps = tuple(PlacedTile(x, 9, "campsite") for x in range(tents))
    state = state.with_player(BO, tiles=(*state.players[BO].tiles, *camps))
    reasons = list(TRACKED_GAME.objections(state, ANA, PlaceCampsite(0, 0)))
    assert [reason.text for reason in reasons] == expected
    assert {reason.rule.id for reason in reasons} <= {"round-over"}


def test_tent_is_not_reserved_for_a_player_who_placed_a_campsite_this_round():
    state = after_discards(make_state(ana_map=FAR, other_map=parse_map(FAR), ahead=True), ANA, 2)
    state = TRACKED_GAME.play(state, BO, PlaceCampsite(0, 0))
    camps = tuple(PlacedTile(x, 9, "campsite") for x in range(23))
    state = state.with_player(BO, tiles=(*state.players[BO].tiles, *camps))
    assert TRACKED_GAME.is_legal(state, ANA, PlaceCampsite(0, 0))


@pytest.mark.parametrize(("falls", "legal"), [(33, True), (34, False), (36, True)])
def test_last_waterfalls_are_reserved_for_players_who_are_behind(falls, legal):
    """Ana would close a loop; Bo has two tiles of the round before, and each may close one."""
    state = after_discards(make_state(ana_map="ES1f .\nBr Br", ahead=True), ANA, 2)
    placed = tuple(PlacedTile(x, 9, "waterfall") for x in range(falls))
    state = state.with_player(BO, tiles=(*state.players[BO].tiles, *placed))
    closing = PlaceTrail("rock", "SW", 1, 1, 0)
    assert [reason.code for reason in TRACKED_GAME.objections(state, ANA, closing)] == (
        [] if legal else ["supply-waits"]
    )
    (spot,) = (spot for spot in TRACKED_GAME.view_helpers["draft"](state, ANA, {}).spots if (spot.x, spot.y) == (1, 0))
    assert ("SW" in spot.exits, "SW" in spot.loop_exits) == (legal, legal)
    assert TRACKED_GAME.is_legal(state, ANA, PlaceTerrain("rock", 2, 1))


def test_campsite_button_says_why_no_campsite_can_be_placed():
    state = after_discards(make_state(ana_map=FAR, ahead=True), ANA, 2)
    assert TRACKED_GAME.view_helpers["draft"](state, ANA, {}).campsite_objection == ""
    camps = tuple(PlacedTile(x, 9, "campsite") for x in range(24))
    state = state.with_player(BO, tiles=(*state.players[BO].tiles, *camps))
    assert (
        TRACKED_GAME.view_helpers["draft"](state, ANA, {}).campsite_objection
        == "Only 1 tent is left. Bo must enter the earlier rounds first."
    )
