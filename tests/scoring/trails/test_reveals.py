"""TRAILS: cards named for the table, and private notes."""

import pytest

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import ForgetPhotos, NameCard, NoteHand, NotePhoto
from scoring.trails.state import NO_CARD, EarnBadges, Photo
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ANA,
    BO,
    DEALT_BADGES,
    NO_CARDS,
    finished_state,
    make_state,
    objection_codes,
    objection_codes_and_rules,
    objection_texts,
    select_fields,
    validate_state,
    with_badges_earned,
    with_photos,
)

START = make_state(trailhead=(None, None), trail_end=(None, "climber-rock"))
NAMED = make_state()
EARNED = make_state(trailhead=(NO_CARD, "climber-leaf"), tasks=(EarnBadges("trailhead"),)).with_player(
    ANA, cubes=(9, 9, 9)
)
EARNED_HAND = make_state(tasks=(EarnBadges("trailhead"),)).with_player(ANA, hand=NO_CARD)
WITH_PHOTOS = with_photos(with_photos(make_state(), ANA, None, Photo(1, 0), None), BO, None)
OVER = finished_state()
BO_HOLDS = START.with_player(BO, hand="seeker-leaf")

# (state, seat, move, expected values, seat they belong to)
REVEALS = [
    (START, ANA, NameCard("trailhead", "climber-leaf"), {"trailhead": ("climber-leaf", None)}, ANA),
    (START, BO, NameCard("trailhead", "climber-leaf"), {"trailhead": ("climber-leaf", None)}, ANA),
    (START, BO, NameCard("trail-end", "science"), {"trail_end": ("science", "climber-rock")}, ANA),
    (
        NAMED,
        ANA,
        NameCard("trailhead", "seeker-leaf", instead="climber-leaf"),
        {"trailhead": ("climber-acorn", "seeker-leaf")},
        ANA,
    ),
    (BO_HOLDS, ANA, NameCard("trailhead", "seeker-leaf"), {"hand": None}, BO),
    (BO_HOLDS, ANA, NameCard("trailhead", "seeker-rock"), {"hand": "seeker-leaf"}, BO),
    (NAMED, ANA, NoteHand("science"), {"hand": "science"}, ANA),
    (NAMED, BO, NoteHand("science"), {"hand": "science"}, BO),
    (NAMED.with_player(ANA, hand="science"), ANA, NoteHand("seeker-leaf"), {"hand": "seeker-leaf"}, ANA),
    (NAMED.with_player(ANA, hand="science"), ANA, NoteHand(None), {"hand": None}, ANA),
    (NAMED.with_player(BO, hand="seeker-leaf"), ANA, NoteHand("seeker-leaf"), {"hand": "seeker-leaf"}, ANA),
    (WITH_PHOTOS, ANA, NotePhoto(2, 0), {"photos": (Photo(2, 0), Photo(1, 0), None)}, ANA),
    (WITH_PHOTOS, BO, NotePhoto(2, 2), {"photos": (Photo(2, 2),)}, BO),
    (WITH_PHOTOS, ANA, ForgetPhotos(), {"photos": (None, None, None)}, ANA),
]

# (state, seat, move, code, rule)
REFUSED = [
    (START, ANA, NameCard("trailhead", "climber"), "no-such-badge", "components"),
    (START, ANA, NameCard("trailhead", "climber-rock"), "badge-copies", "badge-copies"),
    (
        START.with_player(ANA, hand="seeker-leaf"),
        ANA,
        NameCard("trailhead", "seeker-leaf"),
        "badge-copies",
        "badge-copies",
    ),
    (
        START.with_player(BO, badges=("seeker-leaf",)),
        ANA,
        NameCard("trailhead", "seeker-leaf"),
        "badge-copies",
        "badge-copies",
    ),
    (
        START.with_player(BO, badges=("science",) * 3),
        ANA,
        NameCard("trailhead", "science"),
        "badge-copies",
        "badge-copies",
    ),
    (NAMED, ANA, NameCard("trailhead", "science"), "no-such-card", "setup-badges"),
    (NAMED, ANA, NameCard("trailhead", "science", instead="climber-rock"), "no-such-card", "setup-badges"),
    (NAMED, ANA, NameCard("trailhead", "climber-leaf", instead="climber-leaf"), "badge-copies", "badge-copies"),
    (EARNED, ANA, NameCard("trailhead", "science"), "no-such-card", "setup-badges"),
    (EARNED, ANA, NameCard("trailhead", "science", instead=NO_CARD), "no-such-card", "badges-refill"),
    (OVER, ANA, NameCard("trailhead", "science", instead="climber-leaf"), "play-over", "last-round"),
    (NAMED, ANA, NoteHand("climber"), "no-such-badge", "components"),
    (NAMED, ANA, NoteHand("climber-rock"), "badge-copies", "badge-copies"),
    (NAMED.with_player(BO, badges=("science",) * 3), ANA, NoteHand("science"), "badge-copies", "badge-copies"),
    (EARNED_HAND, ANA, NoteHand("science"), "hand-empty", "hand-refill"),
    (EARNED_HAND, ANA, NoteHand(None), "hand-empty", "hand-refill"),
    (with_badges_earned(EARNED_HAND), ANA, NoteHand("science"), "hand-empty", "badge-deck-empty"),
    (
        with_badges_earned(EARNED),
        ANA,
        NameCard("trailhead", "science", instead=NO_CARD),
        "no-such-card",
        "badge-deck-empty",
    ),
    (NAMED, ANA, NotePhoto(1, 1), "photos-named", "photo-secret"),
    (WITH_PHOTOS, ANA, NotePhoto(3, 0), "photo-faces", "photo-faces"),
    (WITH_PHOTOS, ANA, NotePhoto(0, 3), "photo-faces", "photo-faces"),
    (WITH_PHOTOS, ANA, NotePhoto(-1, 0), "photo-faces", "photo-faces"),
    (WITH_PHOTOS, BO, ForgetPhotos(), "no-notes", "photo-secret"),
]


@run_all_rows("state, seat, move, expected, owner", REVEALS)
def test_reveal_or_note_changes_the_state(state, seat, move, expected, owner):
    assert select_fields(TRACKED_GAME.play(validate_state(state), seat, move), expected, owner) == expected


@run_all_rows("state, seat, move, code, rule", REFUSED)
def test_impossible_reveal_or_note_is_refused_by_its_rule(state, seat, move, code, rule):
    assert objection_codes_and_rules(state, move, seat) == [(code, rule)]


@run_all_rows(
    "state, move, sentence",
    [
        (
            START,
            NameCard("trailhead", "climber-rock"),
            "There is only one Climber (rock), and it has already been entered. Choose another badge.",
        ),
        (
            NAMED,
            NameCard("trailhead", "science"),
            "The badges at the Trailhead have already been entered. Choose the one that is wrong.",
        ),
        (EARNED_HAND, NoteHand("science"), "You have no hand badge. You draw a new one when your turn ends."),
        (
            with_badges_earned(EARNED_HAND),
            NoteHand("science"),
            "You have no hand badge, and the badge deck is empty.",
        ),
        (
            EARNED,
            NameCard("trailhead", "science", instead=NO_CARD),
            "That badge was earned. A new one is drawn at the end of the turn.",
        ),
        (
            with_badges_earned(EARNED),
            NameCard("trailhead", "science", instead=NO_CARD),
            "That badge was earned, and the badge deck is empty.",
        ),
        (NAMED, NotePhoto(1, 1), "All your photos are entered. Re-enter them to change one."),
        (WITH_PHOTOS, NotePhoto(3, 0), "A photo shows 0 to 2 points and 0 to 2 birds. Check the numbers."),
        (START, ForgetPhotos(), "You have not entered a photo yet."),
    ],
)
def test_refusal_says_what_is_wrong(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


@run_all_rows("move", [NameCard("trailhead", "seeker-leaf"), EarnBadge("seeker-leaf"), NoteHand("seeker-leaf")])
@run_all_rows("hand", [None, "seeker-leaf", "seeker-rock"])
def test_refusal_reveals_nothing_of_another_players_hand(move, hand):
    state = make_state(trailhead=(None, None), tasks=(EarnBadges("trailhead"),)).with_player(ANA, cubes=(9, 9, 9))
    assert objection_codes(state.with_player(BO, hand=hand), move) == []


@pytest.mark.parametrize("hand", [None, "seeker-leaf", "seeker-rock"])
def test_offers_reveal_nothing_of_another_players_hand(hand):
    offers = TRACKED_GAME.offers(START.with_player(BO, hand=hand), ANA)
    assert offers == TRACKED_GAME.offers(START, ANA)


def test_any_player_may_reveal_at_any_time():
    assert objection_codes(START, NameCard("trailhead", "science"), BO) == []
    assert objection_codes(START, NoteHand("science"), BO) == []
    assert objection_codes(WITH_PHOTOS, NotePhoto(0, 0), BO) == []
    assert objection_codes(START, Hike(1), BO) == ["not-your-turn"]


def test_card_named_while_earning_badges_can_be_earned_immediately():
    state = make_state(trailhead=(None, "climber-leaf"), tasks=(EarnBadges("trailhead"),)).with_player(
        ANA, hand=NO_CARD
    )
    state = TRACKED_GAME.play(state, BO, NameCard("trailhead", "science"))
    assert objection_codes(state, EarnBadge("science")) == []


def test_view_hides_only_hands_and_photos_of_others():
    state = WITH_PHOTOS.with_player(ANA, hand="science").with_player(BO, hand="seeker-leaf", photos=(Photo(2, 0), None))
    assert TRACKED_GAME.view(state, ANA) == state.with_player(BO, hand=None, photos=(None, None))
    assert TRACKED_GAME.view(state, BO) == state.with_player(ANA, hand=None, photos=(None, None, None))
    assert TRACKED_GAME.view(state, None) == TRACKED_GAME.view(TRACKED_GAME.view(state, ANA), BO)


def test_empty_hand_is_visible_to_all():
    state = NAMED.with_player(ANA, hand=NO_CARD)
    assert select_fields(TRACKED_GAME.view(state, BO), {"hand": NO_CARD}) == {"hand": NO_CARD}


@run_all_rows(
    "move, kept_from_others, agreed_by_all",
    [
        (NameCard, False, False),
        (NoteHand, True, False),
        (NotePhoto, True, False),
        (ForgetPhotos, True, False),
    ],
)
def test_notes_are_secret_and_need_no_consent(move, kept_from_others, agreed_by_all):
    assert (move.is_secret, move.needs_consent, move.out_of_turn) == (kept_from_others, agreed_by_all, True)


def test_renamed_card_has_a_log_line_with_both_names():
    move = NameCard("trailhead", "seeker-leaf", instead="climber-leaf")
    assert (
        TRACKED_GAME.log_sentence(NAMED, TRACKED_GAME.play(NAMED, BO, move), BO, move)
        == "Badge at the Trailhead: Seeker (leaf), not Climber (leaf)."
    )


def test_every_possible_photo_face_is_offered_once():
    offers = [offer.move for offer in TRACKED_GAME.offers(WITH_PHOTOS, ANA) if isinstance(offer.move, NotePhoto)]
    assert {(move.points, move.birds) for move in offers} == {
        (points, birds) for points in range(3) for birds in range(3)
    }
    assert len(offers) == 9


def test_only_possible_badges_are_offered_as_names():
    offers = [offer for offer in TRACKED_GAME.offers(START, ANA) if isinstance(offer.move, NameCard)]
    assert all(offer.is_legal for offer in offers)
    assert len(offers) == 2 * 39


def test_variants_of_a_named_badge_are_badges_in_the_same_place():
    variants = TRACKED_GAME.variants(START, ANA, NameCard("trail-end", "science"))
    assert {(move.end, move.instead) for move in variants} == {("trail-end", None)}
    assert len(variants) == 39


def test_named_cards_leave_nothing_to_name():
    assert (NAMED.trailhead, NAMED.trail_end) == DEALT_BADGES
    assert [offer for offer in TRACKED_GAME.offers(NAMED, ANA) if isinstance(offer.move, NameCard)] == []
    assert [
        offer for offer in TRACKED_GAME.offers(make_state(trailhead=NO_CARDS), ANA) if isinstance(offer.move, NameCard)
    ] == []
