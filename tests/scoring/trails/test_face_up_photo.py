"""TRAILS: the face-up photo, from its naming until it is taken or covered."""

from msgspec.structs import replace

from scoring.kernel.editable import Increment, Replace
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Photograph
from scoring.trails.moves.reveals import ForgetPhotos, NameFaceUpPhoto, NotePhoto
from scoring.trails.state import EarnBadges, Photo, SiteAction, TakePhoto
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ALL_NIGHT_SUN,
    ANA,
    BIRD,
    BO,
    TRACKED_GAME,
    TWO_BIRDS,
    case_params,
    finished_state,
    make_state,
    objection_codes_and_rules,
    objection_texts,
    state_after,
    validate_state,
)

TAKING = make_state(tasks=(SiteAction("photo"),), sun=ALL_NIGHT_SUN).with_player(ANA, space=4)
FACE_DOWN = replace(TAKING, photo_deck=32, photo_discard=0)
UNNAMED = replace(TAKING, photo_deck=29, photo_discard=3)
NAMED = replace(UNNAMED, photo_up=BIRD)


def state_with_piles(deck: int, discard: int):
    """Return a state with a free photo to take, piles of these sizes, and a named top photo."""
    return make_state(
        tasks=(EarnBadges("trailhead"), TakePhoto("photography")),
        photo_deck=deck,
        photo_discard=discard,
        photo_up=TWO_BIRDS,
    )


# (state, seat, move, face-up photo then, photos of the seat then, log text)
OUTCOMES = {
    "photo-face-up": [
        (UNNAMED, ANA, NameFaceUpPhoto(1, 1), BIRD, (), "Top discarded photo: 1 point, 1 bird."),
        (UNNAMED, BO, NameFaceUpPhoto(0, 2), TWO_BIRDS, (), "Top discarded photo: 2 birds."),
        (
            NAMED,
            BO,
            NameFaceUpPhoto(0, 2),
            TWO_BIRDS,
            (),
            "Top discarded photo: 2 birds (not 1 point, 1 bird).",
        ),
        (NAMED, ANA, Photograph(), None, (None,), "Ana drew 2 photos and kept 1."),
    ],
    # After the top photo is taken, the next is unknown unless it was named before it was covered.
    "photo-choice": [
        (
            NAMED,
            ANA,
            Photograph(face_up=True),
            None,
            (BIRD,),
            "Ana took the top discarded photo (1 point, 1 bird).",
        ),
        (UNNAMED, ANA, Photograph(face_up=True), None, (None,), "Ana took the top discarded photo."),
    ],
    "photo-deck-empty": [
        (
            state_with_piles(2, 5),
            ANA,
            Photograph(),
            None,
            (None,),
            "Ana drew 2 photos and kept 1 (Photography), and flipped the discard pile to make a new deck.",
        ),
    ],
    "photo-short": [
        (
            state_with_piles(1, 5),
            ANA,
            Photograph(),
            None,
            (None,),
            "Ana drew 2 photos and kept 1 (Photography), and flipped the discard pile to make a new deck.",
        ),
    ],
}


@run_all_rows("state, seat, move, top, photos, log_text", case_params(OUTCOMES))
def test_face_up_photo_is_known_until_it_is_taken_or_covered(state, seat, move, top, photos, log_text):
    after = TRACKED_GAME.play(validate_state(state), seat, move)
    assert (after.photo_up, after.players[seat].photos, TRACKED_GAME.log_sentence(state, after, seat, move)) == (
        top,
        photos,
        log_text,
    )


@run_all_rows(
    "state, move, code, rule",
    [
        (FACE_DOWN, NameFaceUpPhoto(1, 1), "no-face-up-photo", "photo-face-up"),
        (NAMED, NameFaceUpPhoto(1, 1), "no-change", "photo-face-up"),
        (UNNAMED, NameFaceUpPhoto(3, 0), "photo-faces", "photo-faces"),
        (finished_state(photo_deck=31, photo_discard=1), NameFaceUpPhoto(1, 1), "play-over", "last-round"),
    ],
)
def test_impossible_name_of_the_face_up_photo_is_refused(state, move, code, rule):
    assert objection_codes_and_rules(state, move) == [(code, rule)]


def test_hint_of_the_button_is_the_known_face():
    take = Photograph(face_up=True)
    assert [take.label(state, ANA).hint for state in (NAMED, UNNAMED)] == ["1 point, 1 bird", ""]
    assert Photograph().label(NAMED, ANA).hint == ""


def test_taken_face_up_photo_needs_no_note_and_is_hidden_from_others():
    state = state_after(NAMED, Photograph(face_up=True))
    assert [TRACKED_GAME.view(state, seat).players[ANA].photos for seat in (ANA, BO, None)] == [
        (BIRD,),
        (None,),
        (None,),
    ]
    assert TRACKED_GAME.play(state, ANA, ForgetPhotos()).players[ANA].photos == (None,)


def test_face_up_photo_is_visible_to_all_and_other_faces_are_offered_once():
    assert TRACKED_GAME.view(NAMED, BO).photo_up == TRACKED_GAME.view(NAMED, None).photo_up == BIRD
    faces = [(move.points, move.birds) for move in NameFaceUpPhoto.candidates(NAMED, BO)]
    assert len(set(faces)) == len(faces) == 8 and (1, 1) not in faces
    assert list(NameFaceUpPhoto.candidates(FACE_DOWN, BO)) == []


@run_all_rows(
    "changes, top",
    [
        ([Replace("photo_up", "1-1", "0-2")], TWO_BIRDS),
        ([Replace("photo_up", "1-1", "unnamed")], None),
        ([Increment("discarded_photos", -1)], None),
        ([Increment("discarded_photos", 1)], None),
        ([Replace("photo_up", "1-1", "2-0"), Increment("discarded_photos", 1)], Photo(2, 0)),
        ([Increment("discarded_photos", -3)], None),
    ],
)
def test_edit_changes_the_face_up_photo_or_clears_it_with_the_pile(changes, top):
    assert TRACKED_GAME.play(NAMED, ANA, EditPosition(tuple(changes))).photo_up == top


def test_named_photo_on_an_empty_discard_pile_does_not_add_up():
    position = replace(FACE_DOWN, photo_up=BIRD)
    assert [reason.text for reason in TRACKED_GAME.position_format.position_errors(position)] == [
        "The top discarded photo is entered, but the discard pile is empty."
    ]
    assert TRACKED_GAME.position_format.to_data(NAMED)["photo_up"] == {"points": 1, "birds": 1}
    assert objection_texts(FACE_DOWN, NameFaceUpPhoto(1, 1)) == ["The photo discard pile is empty."]


def test_named_photo_is_remembered_while_it_is_covered():
    covered = state_after(NAMED, Photograph())
    assert (covered.photo_up, covered.photos_under) == (None, (BIRD,))
    free = replace(covered, tasks=(SiteAction("photo"),), turn=ANA)
    first = TRACKED_GAME.flow.resolve_forced_steps(Photograph(face_up=True).apply(free, ANA))
    assert (first.photo_up, first.photos_under) == (BIRD, ())
    second = TRACKED_GAME.flow.resolve_forced_steps(
        Photograph(face_up=True).apply(replace(first, tasks=(SiteAction("photo"),), turn=ANA), ANA)
    )
    assert second.players[ANA].photos[-1] == BIRD


def test_named_photos_are_cleared_when_the_pile_is_reshuffled_or_recounted():
    state = replace(state_with_piles(2, 5), photos_under=(BIRD,))
    assert state_after(state, Photograph()).photos_under == ()
    counted = replace(UNNAMED, photos_under=(BIRD, None))
    assert state_after(counted, EditPosition((Increment("discarded_photos", -1),))).photos_under == ()
    assert [
        error.code for error in TRACKED_GAME.position_format.position_errors(replace(UNNAMED, photos_under=(BIRD,) * 3))
    ] == ["no-face-up-photo"]


def test_old_note_for_a_photo_with_a_known_face_changes_nothing():
    state = finished_state().with_player(ANA, photos=(BIRD,))
    assert NotePhoto(2, 0).apply(state, ANA) == state
