"""TRAILS score entry: entered cards give the same sheet as their document."""

import pytest

from scoring import score_document
from scoring.document import sheet_data
from scoring.games import TRACKED_GAMES
from scoring.trails.score_entry import (
    AddBadge,
    AddPhoto,
    Adopt,
    Done,
    RemoveBadge,
    RemovePhoto,
    Reopen,
    ScoreEntrySetup,
    ScoreEntryState,
)
from scoring.trails.state import Photo
from tests.support.parametrize import run_all_rows

SCORE_ENTRY = TRACKED_GAMES["trails-tally"]
ANA, BO = 0, 1
EMPTY = SCORE_ENTRY.initial_state(ScoreEntrySetup(("Ana", "Bo")))
COUNTED = EMPTY.with_player(ANA, badges=("science", "climber-leaf"), photos=(Photo(1, 1), Photo(0, 2), Photo(1, 1)))
ANA_DONE = COUNTED.with_player(ANA, done=True)
ALL_DONE = ANA_DONE.with_player(BO, done=True)
NO_SCIENCE_LEFT = EMPTY.with_player(ANA, badges=("science",) * 2).with_player(BO, badges=("science",))
NO_PHOTO_LEFT = EMPTY.with_player(ANA, photos=(Photo(0, 0),) * 20).with_player(BO, photos=(Photo(0, 0),) * 12)

# (state, move by Ana, her badges and photos then, and whether she is done)
NAMED = [
    (EMPTY, AddBadge("science"), ("science",), (), False),
    (COUNTED, AddBadge("science"), ("science", "climber-leaf", "science"), COUNTED.players[ANA].photos, False),
    (EMPTY, AddPhoto(2, 0), (), (Photo(2, 0),), False),
    (EMPTY, AddPhoto(0, 0), (), (Photo(0, 0),), False),
    (COUNTED, RemoveBadge("science"), ("climber-leaf",), COUNTED.players[ANA].photos, False),
    (COUNTED, RemovePhoto(1, 1), ("science", "climber-leaf"), (Photo(0, 2), Photo(1, 1)), False),
    (EMPTY, Done(), (), (), True),
    (ANA_DONE, Reopen(), COUNTED.players[ANA].badges, COUNTED.players[ANA].photos, False),
]

# (state, move by Ana, code, rule)
REFUSED = [
    (EMPTY, AddBadge("sience"), "no-such-badge", "components"),
    (NO_SCIENCE_LEFT, AddBadge("science"), "badge-copies", "badge-copies"),
    (COUNTED, AddBadge("climber-leaf"), "badge-copies", "badge-copies"),
    (EMPTY.with_player(BO, badges=("climber-leaf",)), AddBadge("climber-leaf"), "badge-copies", "badge-copies"),
    (COUNTED, RemoveBadge("climber-rock"), "not-yours", "score-badges"),
    (EMPTY.with_player(BO, badges=("climber-leaf",)), RemoveBadge("climber-leaf"), "not-yours", "score-badges"),
    (EMPTY, AddPhoto(3, 0), "photo-faces", "photo-faces"),
    (EMPTY, AddPhoto(0, 3), "photo-faces", "photo-faces"),
    (EMPTY, AddPhoto(-1, 0), "photo-faces", "photo-faces"),
    (NO_PHOTO_LEFT, AddPhoto(1, 0), "photo-count", "photo-count"),
    (COUNTED, RemovePhoto(2, 0), "not-yours", "score-photos"),
    (COUNTED, Reopen(), "still-counting", "score-total"),
    (ANA_DONE, AddBadge("science"), "not-your-turn", "score-total"),
    (ANA_DONE, Done(), "not-your-turn", "score-total"),
    (ALL_DONE, AddBadge("science"), "game-over", "score-total"),
    (EMPTY, Adopt("zero-birds", "nobody"), "same-ruling", "no-birds"),
]


@run_all_rows("state, move, badges, photos, done", NAMED)
def test_entered_cards_are_on_the_sheet(state, move, badges, photos, done):
    player = SCORE_ENTRY.play(state, ANA, move).players[ANA]
    assert (player.badges, player.photos, player.done) == (badges, photos, done)


@run_all_rows("state, move, code, rule", REFUSED)
def test_cards_the_box_does_not_have_are_refused_by_their_rule(state, move, code, rule):
    assert [(reason.code, reason.rule.id) for reason in SCORE_ENTRY.objections(state, ANA, move)] == [(code, rule)]


@pytest.mark.parametrize("state, waiting", [(EMPTY, (0, 1)), (ANA_DONE, (1,)), (ALL_DONE, ())])
def test_players_enter_until_they_are_done(state, waiting):
    assert SCORE_ENTRY.flow.to_move(state) == waiting


def test_score_entry_is_over_when_the_last_player_is_done():
    assert SCORE_ENTRY.text.prompt(EMPTY) == "Still counting: Ana and Bo"
    assert SCORE_ENTRY.text.prompt(ANA_DONE) == "Still counting: Bo"
    assert SCORE_ENTRY.text.banner(EMPTY, 0) == ("Count your points", "Still counting: Bo")
    assert SCORE_ENTRY.text.banner(ANA_DONE, 1) == ("Count your points", "Everyone else is done.")
    assert SCORE_ENTRY.text.banner(ANA_DONE, 0) is None
    assert SCORE_ENTRY.text.prompt(ALL_DONE) == "Everyone is done."
    assert SCORE_ENTRY.log_sentence(ANA_DONE, ALL_DONE, BO, Done()) == "Bo finished counting. Everyone is done."


@run_all_rows("state", [EMPTY, COUNTED, ANA_DONE, ALL_DONE])
def test_score_entry_has_no_secrets(state):
    assert SCORE_ENTRY.view(state, BO) == SCORE_ENTRY.view(state, None) == state


def test_score_entry_can_be_reopened_after_the_end():
    assert SCORE_ENTRY.flow.to_move(SCORE_ENTRY.play(ALL_DONE, BO, Reopen())) == (BO,)


# (Ana's badges, her photos, Bo's badges, his photos, rulings)
FINAL = [
    ((), (), (), (), {}),
    (("climber-rock", "observer-leaf"), ((1, 1),), ("science", "collector-leaf"), ((0, 2), (2, 0)), {}),
    (("rappelling-rock", "collector-rock"), (), ("birdwatching-leaf",), (), {"rappelling-collector": "nothing"}),
    (("climber-rock",), ((0, 0),), ("climber-leaf",), ((0, 0), (0, 0)), {"zero-birds": "everyone"}),
]


@run_all_rows("ana, ana_photos, bo, bo_photos, rulings", FINAL)
def test_score_entry_scores_like_its_document(ana, ana_photos, bo, bo_photos, rulings):
    state: ScoreEntryState = SCORE_ENTRY.initial_state(ScoreEntrySetup(("Ana", "Bo"), rulings))
    for seat, badges, photos in ((ANA, ana, ana_photos), (BO, bo, bo_photos)):
        moves = [*map(AddBadge, badges), *(AddPhoto(points, birds) for points, birds in photos), Done()]
        for move in moves:
            state = SCORE_ENTRY.play(state, seat, move)
    document = {
        "game": "trails",
        "rulings": rulings,
        "players": [
            {
                "name": name,
                "badges": list(badges),
                "photos": [{"points": points, "birds": birds} for points, birds in photos],
            }
            for name, badges, photos in (("Ana", ana, ana_photos), ("Bo", bo, bo_photos))
        ],
    }
    assert sheet_data(SCORE_ENTRY.box.score(SCORE_ENTRY.final_position(state))) == score_document(document)


def test_ruling_adopted_during_score_entry_changes_the_sheet():
    before = SCORE_ENTRY.box.score(SCORE_ENTRY.final_position(EMPTY))
    after = SCORE_ENTRY.box.score(
        SCORE_ENTRY.final_position(SCORE_ENTRY.play(EMPTY, BO, Adopt("zero-birds", "everyone")))
    )
    assert [column.total for column in before.columns] == [0, 0]
    assert [column.total for column in after.columns] == [4, 4]


def test_offers_gray_out_badges_entered_by_others():
    offers = {
        offer.move.badge: offer.is_legal
        for offer in SCORE_ENTRY.offers(COUNTED, BO)
        if isinstance(offer.move, AddBadge)
    }
    assert len(offers) == 40
    assert [id for id, legal in offers.items() if not legal] == ["climber-leaf"]


@run_all_rows(
    "setup, code",
    [
        (ScoreEntrySetup(("Ana",)), "player-count"),
        (ScoreEntrySetup(("Ana", "ANA")), "same-name"),
        (ScoreEntrySetup(("Ana", "")), "name"),
        (ScoreEntrySetup(("Ana", "Bo"), {"zero-bird": "nobody"}), "no-ruling"),
        (ScoreEntrySetup(("Ana", "Bo"), {"zero-birds": "some"}), "no-option"),
    ],
)
def test_impossible_score_entry_setup_is_refused(setup, code):
    assert [reason.code for reason in SCORE_ENTRY.setup_format.check(setup)] == [code]
