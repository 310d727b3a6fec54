"""PARKS score entry: entered counts give the same sheet as their document."""

import json

import msgspec
from msgspec.structs import replace

from scoring.document import sheet_data
from scoring.games import TRACKED_GAMES
from scoring.parks.box import CustomCards, CustomGear, CustomPark, CustomPassion
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
    ScoreEntryState,
)
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import ANA, BO

SCORE_ENTRY = TRACKED_GAMES["parks-tally"]
CUSTOM_CARDS = CustomCards(
    (CustomPark("Garden", 3, sun=2),),
    (CustomGear("Kite"),),
    (CustomPassion("Stargazing", "photos", 2, "two photos", "photos", 2),),
)


def score_entry_after(*moves, state: ScoreEntryState | None = None) -> ScoreEntryState:
    """Return the score entry after moves of Ana, or of the seat given with a move."""
    state = state or SCORE_ENTRY.initial_state(SCORE_ENTRY.setup_format.default(["Ana", "Bo"]))
    for entry in moves:
        seat, move = entry if isinstance(entry, tuple) else (ANA, entry)
        state = SCORE_ENTRY.play(state, seat, move)
    return state


def codes(state: ScoreEntryState, move, seat: int = ANA) -> list[str]:
    return [reason.code for reason in SCORE_ENTRY.objections(state, seat, move)]


def test_park_entered_twice_is_refused_with_the_name_of_its_owner():
    state = score_entry_after(CountPark("Arches"))
    texts = [next(SCORE_ENTRY.objections(state, seat, CountPark("Arches"))).text for seat in (ANA, BO)]
    assert texts == [f"{name} already entered Arches. There is only one card for each park." for name in ("You", "Ana")]


def test_entered_game_scores_like_its_document():
    state = score_entry_after(
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
        state=replace(SCORE_ENTRY.initial_state(SCORE_ENTRY.setup_format.default(["Ana", "Bo"])), facts=CUSTOM_CARDS),
    )
    assert SCORE_ENTRY.flow.to_move(state) == () and SCORE_ENTRY.text.prompt(state) == "Everyone is done."
    final = SCORE_ENTRY.final_position(state)
    data = json.loads(msgspec.json.encode(final))
    assert SCORE_ENTRY.box.read_final_position({"game": "parks", **data}) == final
    result = sheet_data(SCORE_ENTRY.box.score(final))
    assert [player["categories"] for player in result["players"]] == [
        {"fall-bonus": 3, "parks": 6, "photos": 3, "photo-bonus": 3, "passion": 1, "first-hiker": 1},
        {"fall-bonus": 0, "parks": 4, "photos": 0, "photo-bonus": 0, "passion": 1, "first-hiker": 0},
    ]


@run_all_rows(
    "state, move, seat, code",
    [
        (score_entry_after(CountPark("Zion")), CountPark("Zion"), ANA, "visited"),
        (score_entry_after(CountPark("Zion")), CountPark("Zion"), BO, "visited"),
        (score_entry_after(), CountPark("Zionn"), ANA, "no-such-park"),
        (score_entry_after(), RemovePark("Zion"), ANA, "not-yours"),
        (score_entry_after(), CountPhotos(61), ANA, "photo-count"),
        (score_entry_after((BO, CountPhotos(31))), CountPhotos(30), ANA, "photo-count"),
        (score_entry_after(), CountPhotos(-1), ANA, "photo-count"),
        (score_entry_after(), CountPhotos(0), ANA, "no-change"),
        (score_entry_after(), CountGear("Kite"), ANA, "no-such-gear"),
        (score_entry_after(), RemoveGear("Journal"), ANA, "not-yours"),
        (score_entry_after(), CountPassion("Botanic", "end"), ANA, "no-such-passion"),
        (score_entry_after(CountPassion("Botany", "end")), CountPassion("Botany", "end"), ANA, "passion-taken"),
        (score_entry_after(CountPassion("Botany", "end")), CountPassion("Botany", "gear"), BO, "passion-taken"),
        (score_entry_after(), NoPassion(), ANA, "no-change"),
        (score_entry_after(), HaveFirstHiker(False), ANA, "no-change"),
        (score_entry_after(HaveFirstHiker(True)), HaveFirstHiker(True), ANA, "no-change"),
        (score_entry_after(), CountFall("wildlife"), ANA, "no-such-tile"),
        (score_entry_after(CountFall("sun")), CountFall("sun"), BO, "no-change"),
        (score_entry_after(), Reopen(), ANA, "still-counting"),
        (score_entry_after(Done()), CountPark("Zion"), ANA, "not-your-turn"),
        (score_entry_after(Done(), (BO, Done())), AddPark("Garden"), ANA, "game-over"),
    ],
)
def test_impossible_entry_is_refused(state, move, seat, code):
    assert codes(state, move, seat) == [code]


def test_entered_components_can_be_removed():
    state = score_entry_after(
        CountPark("Zion"), CountGear("Journal"), CountGear("Journal"), CountPassion("Botany", "end")
    )
    state = score_entry_after(RemovePark("Zion"), RemoveGear("Journal"), NoPassion(), state=state)
    assert (state.players[ANA].parks, state.players[ANA].gear, state.players[ANA].passion) == ((), ("Journal",), None)
    assert score_entry_after(CountPassion("Botany", "end"), CountPassion("Botany", "gear")).players[ANA].side == "gear"
    assert score_entry_after(CountPhotos(4), CountPhotos(2)).players[ANA].photos == 2
    assert score_entry_after(Done(), Reopen()).players[ANA].done is False


def test_first_hiker_token_goes_to_the_last_player_who_claims_it():
    state = score_entry_after(HaveFirstHiker(True), (BO, HaveFirstHiker(True)))
    assert state.first_hiker == BO
    assert score_entry_after((BO, HaveFirstHiker(False)), state=state).first_hiker is None


def test_custom_park_can_be_added_during_score_entry():
    state = score_entry_after(AddPark("Garden", 7), CountPark("Garden"))
    assert SCORE_ENTRY.box.score(SCORE_ENTRY.final_position(state)).columns[ANA].total == 7
