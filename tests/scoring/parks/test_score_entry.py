"""Just score: PARKS counted by hand comes to the same sheet as the document of what was counted."""

import json

import msgspec
from msgspec.structs import replace

from scoring.document import sheet_data
from scoring.games import PLAYS
from scoring.parks.box import HomeGear, HomeMade, HomePark, HomePassion
from scoring.parks.moves.corrections import AddPark
from scoring.parks.score_entry import (
    CountFall,
    CountGear,
    CountPark,
    CountPassion,
    CountPhotos,
    Done,
    HaveFirstHiker,
    NoPassion,
    RemoveGear,
    RemovePark,
    Reopen,
    Tally,
)
from tests.support.cases import every_row
from tests.support.parks_table import ANA, BO

TALLY = PLAYS["parks-tally"]
HOME = HomeMade(
    (HomePark("Garden", 3, sun=2),),
    (HomeGear("Kite"),),
    (HomePassion("Stargazing", "photos", 2, "two photos", "photos", 2),),
)


def counted(*moves, state: Tally | None = None) -> Tally:
    """Return the tally after moves of Ana, or of somebody else where a seat is given."""
    state = state or TALLY.begin(TALLY.usual(["Ana", "Bo"]))
    for said in moves:
        seat, move = said if isinstance(said, tuple) else (ANA, said)
        state = TALLY.play(state, seat, move)
    return state


def codes(state: Tally, move, seat: int = ANA) -> list[str]:
    return [reason.code for reason in TALLY.objections(state, seat, move)]


def test_a_counted_game_scores_like_its_document():
    state = counted(
        CountPark("Arches"),
        CountPark("Garden"),
        CountPhotos(3),
        CountGear("Kite"),
        CountGear("Journal"),
        CountPassion("Stargazing", "end"),
        HaveFirstHiker(True),
        CountFall("sun"),
        Done(),
        (BO, CountPark("Zion")),
        (BO, CountPassion("Collecting", "end")),
        (BO, CountGear("Compass")),
        (BO, Done()),
        state=replace(TALLY.begin(TALLY.usual(["Ana", "Bo"])), facts=HOME),
    )
    assert TALLY.to_move(state) == () and TALLY.prompt(state) == "Everything is counted."
    final = TALLY.final(state)
    told = json.loads(msgspec.json.encode(final))
    assert TALLY.box.read_final({"game": "parks", **told}) == final
    result = sheet_data(TALLY.box.score(final))
    assert [player["categories"] for player in result["players"]] == [
        {"fall-bonus": 3, "parks": 6, "photos": 3, "photo-bonus": 3, "passion": 1, "first-hiker": 1},
        {"fall-bonus": 0, "parks": 4, "photos": 0, "photo-bonus": 0, "passion": 1, "first-hiker": 0},
    ]


@every_row(
    "state, move, seat, code",
    [
        (counted(CountPark("Zion")), CountPark("Zion"), ANA, "visited"),
        (counted(CountPark("Zion")), CountPark("Zion"), BO, "visited"),
        (counted(), CountPark("Zionn"), ANA, "no-such-park"),
        (counted(), RemovePark("Zion"), ANA, "not-yours"),
        (counted(), CountPhotos(61), ANA, "photo-count"),
        (counted((BO, CountPhotos(31))), CountPhotos(30), ANA, "photo-count"),
        (counted(), CountPhotos(-1), ANA, "photo-count"),
        (counted(), CountPhotos(0), ANA, "no-change"),
        (counted(), CountGear("Kite"), ANA, "no-such-gear"),
        (counted(), RemoveGear("Journal"), ANA, "not-yours"),
        (counted(), CountPassion("Botanic", "end"), ANA, "no-such-passion"),
        (counted(CountPassion("Botany", "end")), CountPassion("Botany", "end"), ANA, "passion-taken"),
        (counted(CountPassion("Botany", "end")), CountPassion("Botany", "gear"), BO, "passion-taken"),
        (counted(), NoPassion(), ANA, "no-change"),
        (counted(), HaveFirstHiker(False), ANA, "no-change"),
        (counted(HaveFirstHiker(True)), HaveFirstHiker(True), ANA, "no-change"),
        (counted(), CountFall("wildlife"), ANA, "no-such-tile"),
        (counted(CountFall("sun")), CountFall("sun"), BO, "no-change"),
        (counted(), Reopen(), ANA, "still-counting"),
        (counted(Done()), CountPark("Zion"), ANA, "not-your-turn"),
        (counted(Done(), (BO, Done())), AddPark("Garden"), ANA, "game-over"),
    ],
)
def test_what_cannot_be_counted_is_refused(state, move, seat, code):
    assert codes(state, move, seat) == [code]


def test_what_was_counted_can_be_taken_off_again():
    state = counted(CountPark("Zion"), CountGear("Journal"), CountGear("Journal"), CountPassion("Botany", "end"))
    state = counted(RemovePark("Zion"), RemoveGear("Journal"), NoPassion(), state=state)
    assert (state.players[ANA].parks, state.players[ANA].gear, state.players[ANA].passion) == ((), ("Journal",), None)
    assert counted(CountPassion("Botany", "end"), CountPassion("Botany", "gear")).players[ANA].side == "gear"
    assert counted(CountPhotos(4), CountPhotos(2)).players[ANA].photos == 2
    assert counted(Done(), Reopen()).players[ANA].done is False


def test_the_first_hiker_token_goes_to_whoever_says_so_last():
    state = counted(HaveFirstHiker(True), (BO, HaveFirstHiker(True)))
    assert state.first_hiker == BO
    assert counted((BO, HaveFirstHiker(False)), state=state).first_hiker is None


def test_a_park_of_ones_own_can_be_added_while_counting():
    state = counted(AddPark("Garden", 7), CountPark("Garden"))
    assert TALLY.box.score(TALLY.final(state)).columns[ANA].total == 7
