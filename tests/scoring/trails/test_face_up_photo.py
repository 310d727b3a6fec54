"""TRAILS: the face of the photo on top of the discard pile, from its naming until it is taken or covered."""

from msgspec.structs import replace

from scoring.kernel.editable import By, Into
from scoring.trails.moves.corrections import SetRight
from scoring.trails.moves.hiking import Photograph
from scoring.trails.moves.reveals import ForgetPhotos, NamePhotoUp, NotePhoto
from scoring.trails.state import AtSite, Earn, Photo, TakePhoto
from tests.support.cases import every_row
from tests.support.trails_table import (
    ALL_NIGHT,
    ANA,
    BIRD,
    BO,
    PLAY,
    TWO_BIRDS,
    after,
    cases,
    judged,
    played_out,
    sentences,
    sound,
    table,
)

TAKING = table(tasks=(AtSite("photo"),), sun=ALL_NIGHT).with_player(ANA, at=4)
FACE_DOWN = replace(TAKING, photo_deck=32, photo_discard=0)
UNNAMED = replace(TAKING, photo_deck=29, photo_discard=3)
NAMED = replace(UNNAMED, photo_up=BIRD)


def piles(deck: int, discard: int):
    """Return a table with a free photo to take, and piles of these sizes of which the top is named."""
    return table(
        tasks=(Earn("trailhead"), TakePhoto("photography")), photo_deck=deck, photo_discard=discard, photo_up=TWO_BIRDS
    )


# (table, who says it, move, what lies on top then, what the mover's photos are, what the log says)
HAPPENS = {
    "photo-face-up": [
        (UNNAMED, ANA, NamePhotoUp(1, 1), BIRD, (), "Ana sees 1 point, 1 bird on the face-up photo."),
        (UNNAMED, BO, NamePhotoUp(0, 2), TWO_BIRDS, (), "Bo sees 2 birds on the face-up photo."),
        (NAMED, BO, NamePhotoUp(0, 2), TWO_BIRDS, (), "Bo sees 2 birds, not 1 point, 1 bird, on the face-up photo."),
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
            piles(2, 5),
            ANA,
            Photograph(),
            None,
            (None,),
            "Ana drew two photos and kept one; the discard pile is turned over as the new deck. +1 photo.",
        ),
    ],
    "photo-short": [
        (
            piles(1, 5),
            ANA,
            Photograph(),
            None,
            (None,),
            "Ana drew two photos and kept one; the discard pile is turned over as the new deck. +1 photo.",
        ),
    ],
}


@every_row("state, seat, move, top, photos, said", cases(HAPPENS))
def test_the_top_one_is_known_until_it_is_taken_or_covered(state, seat, move, top, photos, said):
    then = PLAY.play(sound(state), seat, move)
    assert (then.photo_up, then.players[seat].photos, PLAY.tell(state, then, seat, move)) == (top, photos, said)


@every_row(
    "state, move, code, rule",
    [
        (FACE_DOWN, NamePhotoUp(1, 1), "no-face-up-photo", "photo-face-up"),
        (NAMED, NamePhotoUp(1, 1), "no-change", "photo-face-up"),
        (UNNAMED, NamePhotoUp(3, 0), "photo-faces", "photo-faces"),
        (played_out(photo_deck=31, photo_discard=1), NamePhotoUp(1, 1), "play-over", "last-round"),
    ],
)
def test_what_cannot_lie_there_is_refused(state, move, code, rule):
    assert judged(state, move) == [(code, rule)]


def test_the_button_says_what_is_known_of_it():
    take = Photograph(face_up=True)
    assert [take.hint(state, ANA) for state in (NAMED, UNNAMED)] == ["1 point, 1 bird", ""]
    assert Photograph().hint(NAMED, ANA) == ""


def test_who_took_it_need_not_note_it_and_others_views_cover_it_as_any_photo():
    state = after(NAMED, Photograph(face_up=True))
    assert [PLAY.view(state, seat).players[ANA].photos for seat in (ANA, BO, None)] == [(BIRD,), (None,), (None,)]
    assert PLAY.play(state, ANA, ForgetPhotos()).players[ANA].photos == (None,)


def test_everybody_sees_the_top_one_and_every_other_face_is_offered_once():
    assert PLAY.view(NAMED, BO).photo_up == PLAY.view(NAMED, None).photo_up == BIRD
    faces = [(move.points, move.birds) for move in NamePhotoUp.candidates(NAMED, BO)]
    assert len(set(faces)) == len(faces) == 8 and (1, 1) not in faces
    assert list(NamePhotoUp.candidates(FACE_DOWN, BO)) == []


@every_row(
    "changes, top",
    [
        ([Into("photo_up", "1-1", "0-2")], TWO_BIRDS),
        ([Into("photo_up", "1-1", "unnamed")], None),
        ([By("discarded_photos", -1)], None),
        ([By("discarded_photos", 1)], None),
        ([Into("photo_up", "1-1", "2-0"), By("discarded_photos", 1)], Photo(2, 0)),
        ([By("discarded_photos", -3)], None),
    ],
)
def test_what_lies_face_up_is_set_right_and_forgotten_where_another_number_lies_there(changes, top):
    assert PLAY.play(NAMED, ANA, SetRight(tuple(changes))).photo_up == top


def test_a_name_where_none_lies_is_said_not_to_add_up():
    wrong = replace(FACE_DOWN, photo_up=BIRD)
    assert [reason.text for reason in PLAY.lying.faults(wrong)] == [
        "The photo that lies face up is named, but none lies there."
    ]
    assert PLAY.lying.plain(NAMED)["photo_up"] == {"points": 1, "birds": 1}
    assert sentences(FACE_DOWN, NamePhotoUp(1, 1)) == ["No photo lies face up."]


def test_a_face_that_was_named_is_remembered_under_others_and_not_told_again():
    covered = after(NAMED, Photograph())
    assert (covered.photo_up, covered.photos_under) == (None, (BIRD,))
    free = replace(covered, tasks=(AtSite("photo"),), turn=ANA)
    taken = PLAY.settle(Photograph(face_up=True).apply(free, ANA))
    assert (taken.photo_up, taken.photos_under) == (BIRD, ())
    again = PLAY.settle(Photograph(face_up=True).apply(replace(taken, tasks=(AtSite("photo"),), turn=ANA), ANA))
    assert again.players[ANA].photos[-1] == BIRD


def test_what_was_named_is_forgotten_when_the_pile_is_turned_over_or_counted_anew():
    state = replace(piles(2, 5), photos_under=(BIRD,))
    assert after(state, Photograph()).photos_under == ()
    counted = replace(UNNAMED, photos_under=(BIRD, None))
    assert after(counted, SetRight((By("discarded_photos", -1),))).photos_under == ()
    assert [fault.code for fault in PLAY.lying.faults(replace(UNNAMED, photos_under=(BIRD,) * 3))] == [
        "no-face-up-photo"
    ]


def test_a_note_of_before_on_a_photo_whose_face_is_known_by_now_changes_nothing():
    state = played_out().with_player(ANA, photos=(BIRD,))
    assert NotePhoto(2, 0).apply(state, ANA) == state
