"""ALPINE TRAILS: nobody waits for the slowest to tell; what concerns a player is dealt with before that player goes on."""

from scoring.alpine import PLAY
from scoring.alpine.placing import Discard, PlaceCampsite, PlaceTerrain, PlaceTrail
from scoring.alpine.state import State
from scoring.alpine.wildlife import LeaveAnimal
from tests.alpine_table import ANA, BO, after, table, with_ana


def test_whoever_has_told_both_tiles_goes_on_to_the_next_round():
    state = gone_on(table(ahead=True), ANA, 3)
    assert (state.round, [player.used for player in state.players], PLAY.to_move(state)) == (1, [3, 0], (ANA, BO))
    state = gone_on(state, BO, 2)
    assert (state.round, [player.used for player in state.players]) == (2, [1, 0])
    state = gone_on(gone_on(state, BO, 3), ANA, 1)
    assert (state.round, [player.used for player in state.players]) == (3, [0, 1])


def test_where_all_wait_nobody_goes_on():
    state = gone_on(table(), ANA, 2)
    assert PLAY.to_move(state) == (BO,)
    (reason,) = PLAY.objections(state, ANA, PlaceTerrain("rock", 9, 0))
    assert (reason.code, reason.rule.id) == ("both-played", "round-over")


def test_an_animal_on_offer_comes_before_the_next_round():
    state = with_ana(gone_on(table(ahead=True), ANA, 2), offered=("rock",))
    (reason,) = PLAY.objections(state, ANA, Discard())
    assert reason.text == "You have played both tiles of this round; now take or leave an animal."
    state = PLAY.play(state, ANA, LeaveAnimal("rock"))
    assert PLAY.legal(state, ANA, Discard())


def test_a_fork_told_late_still_offers_its_animal_to_whoever_has_gone_on():
    state = PLAY.play(gone_on(table(ahead=True), ANA, 3), BO, PlaceTrail("rock", "NES", 1, 0, -1))
    assert state.players[ANA].offered == ("rock",)
    assert PLAY.legal(state, ANA, Discard())  # the round she is in can be told to its end
    state = gone_on(state, BO, 1)
    assert (state.round, state.players[ANA].offered) == (2, ("rock",))


def test_one_campsite_in_a_round_whoever_is_ahead():
    far = table(ana=". EW3f EW3f Br Br EW3f EW3f .", ahead=True)
    state = gone_on(PLAY.play(far, ANA, PlaceCampsite(0, 0)), ANA, 1)
    assert PLAY.legal(state, ANA, PlaceCampsite(7, 0))
    state = PLAY.play(state, ANA, Discard())
    state = PLAY.play(state, ANA, PlaceCampsite(7, 0))
    assert (state.players[ANA].used, state.players[ANA].camped) == (4, True)


def test_the_game_ends_when_all_have_told_their_last_tile():
    state = gone_on(table(ahead=True, bag=8), ANA, 4)
    assert PLAY.to_move(state) == (BO,)
    (reason,) = PLAY.objections(state, ANA, Discard())
    assert reason.text == "You have played your last tile; Bo must still place theirs."
    assert gone_on(state, BO, 4).ended


def gone_on(state: State, seat: int, tiles: int) -> State:
    """Return the state after a player has discarded so many tiles."""
    return after(state, *[Discard()] * tiles, seat=seat)
