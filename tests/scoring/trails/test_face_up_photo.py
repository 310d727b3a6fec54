"""TRAILS: the face of the photo on top of the discard pile, from its naming until it is taken or covered."""

from msgspec.structs import replace

from scoring.kernel.editable import Increment, Replace
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Photograph
from scoring.trails.moves.reveals import ForgetPhotos, NameFaceUpPhoto, NotePhoto
from scoring.trails.state import EarnBadges, Photo, SiteAction, TakePhoto
from tests.support.cases import run_all_rows
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
    """Return a table with a free photo to take, and piles of these sizes of which the top is named."""
    return make_state(
        tasks=(EarnBadges("trailhead"), TakePhoto("photography")),
        photo_deck=deck,
        photo_discard=discard,
        photo_up=TWO_BIRDS,
    )


# (table, who says it, move, what lies on top then, what the mover's photos are, what the log says)
HAPPENS = {
    "photo-face-up": [
        (UNNAMED, ANA, NameFaceUpPhoto(1, 1), BIRD, (), "Ana sees 1 point, 1 bird on the face-up photo."),
        (UNNAMED, BO, NameFaceUpPhoto(0, 2), TWO_BIRDS, (), "Bo sees 2 birds on the face-up photo."),
        (
            NAMED,
            BO,
            NameFaceUpPhoto(0, 2),
            TWO_BIRDS,
            (),
            "Bo sees 2 birds, not 1 point, 1 bird, on the face-up photo.",
        ),
        (NAMED, ANA, Photograph(), None, (None,), "Ana drew two photos and kept one. +1 photo."),
    ],
    # with the top one taken, nobody has named the next; one that was named before it was covered is remembered
    "photo-choice": [
        (
            NAMED,
            ANA,
            Photograph(face_up=True),
            None,
            (BIRD,),
            "Ana took the face-up photo (1 point, 1 bird). +1 photo.",
        ),
        (UNNAMED, ANA, Photograph(face_up=True), None, (None,), "Ana took the face-up photo. +1 photo."),
    ],
    "photo-deck-empty": [
        (
            state_with_piles(2, 5),
            ANA,
            Photograph(),
            None,
            (None,),
            "Ana drew two photos and kept one; the discard pile is turned over as the new deck. +1 photo.",
        ),
    ],
    "photo-short": [
        (
            state_with_piles(1, 5),
            ANA,
            Photograph(),
            None,
            (None,),
            "Ana drew two photos and kept one; the discard pile is turned over as the new deck. +1 photo.",
        ),
    ],
}


@run_all_rows("state, seat, move, top, photos, said", case_params(HAPPENS))
def test_the_top_one_is_known_until_it_is_taken_or_covered(state, seat, move, top, photos, said):
    then = TRACKED_GAME.play(validate_state(state), seat, move)
    assert (then.photo_up, then.players[seat].photos, TRACKED_GAME.log_sentence(state, then, seat, move)) == (
        top,
        photos,
        said,
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
def test_what_cannot_lie_there_is_refused(state, move, code, rule):
    assert objection_codes_and_rules(state, move) == [(code, rule)]


def test_the_button_says_what_is_known_of_it():
    take = Photograph(face_up=True)
    assert [take.hint(state, ANA) for state in (NAMED, UNNAMED)] == ["1 point, 1 bird", ""]
    assert Photograph().hint(NAMED, ANA) == ""


def test_who_took_it_need_not_note_it_and_others_views_cover_it_as_any_photo():
    state = state_after(NAMED, Photograph(face_up=True))
    assert [TRACKED_GAME.view(state, seat).players[ANA].photos for seat in (ANA, BO, None)] == [
        (BIRD,),
        (None,),
        (None,),
    ]
    assert TRACKED_GAME.play(state, ANA, ForgetPhotos()).players[ANA].photos == (None,)


def test_everybody_sees_the_top_one_and_every_other_face_is_offered_once():
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
def test_what_lies_face_up_is_set_right_and_forgotten_where_another_number_lies_there(changes, top):
    assert TRACKED_GAME.play(NAMED, ANA, EditPosition(tuple(changes))).photo_up == top


def test_a_name_where_none_lies_is_said_not_to_add_up():
    wrong = replace(FACE_DOWN, photo_up=BIRD)
    assert [reason.text for reason in TRACKED_GAME.position_format.position_errors(wrong)] == [
        "The photo that lies face up is named, but none lies there."
    ]
    assert TRACKED_GAME.position_format.to_data(NAMED)["photo_up"] == {"points": 1, "birds": 1}
    assert objection_texts(FACE_DOWN, NameFaceUpPhoto(1, 1)) == ["No photo lies face up."]


def test_a_face_that_was_named_is_remembered_under_others_and_not_told_again():
    covered = state_after(NAMED, Photograph())
    assert (covered.photo_up, covered.photos_under) == (None, (BIRD,))
    free = replace(covered, tasks=(SiteAction("photo"),), turn=ANA)
    taken = TRACKED_GAME.resolve_forced_steps(Photograph(face_up=True).apply(free, ANA))
    assert (taken.photo_up, taken.photos_under) == (BIRD, ())
    again = TRACKED_GAME.resolve_forced_steps(
        Photograph(face_up=True).apply(replace(taken, tasks=(SiteAction("photo"),), turn=ANA), ANA)
    )
    assert again.players[ANA].photos[-1] == BIRD


def test_what_was_named_is_forgotten_when_the_pile_is_turned_over_or_counted_anew():
    state = replace(state_with_piles(2, 5), photos_under=(BIRD,))
    assert state_after(state, Photograph()).photos_under == ()
    counted = replace(UNNAMED, photos_under=(BIRD, None))
    assert state_after(counted, EditPosition((Increment("discarded_photos", -1),))).photos_under == ()
    assert [
        fault.code for fault in TRACKED_GAME.position_format.position_errors(replace(UNNAMED, photos_under=(BIRD,) * 3))
    ] == ["no-face-up-photo"]


def test_a_note_of_before_on_a_photo_whose_face_is_known_by_now_changes_nothing():
    state = finished_state().with_player(ANA, photos=(BIRD,))
    assert NotePhoto(2, 0).apply(state, ANA) == state
