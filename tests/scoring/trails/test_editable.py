"""TRAILS: what everybody sees lie there, thing by thing, and setting it right."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from scoring.kernel.editable import But, By, Into, differences
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.corrections import SetRight
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NotePhoto
from scoring.trails.state import GONE, AtSite, Bear, Earn, Encounter, KeepEight, MoveSun, Photo, SetOut, State, SunTrack
from tests.support.cases import cases, every_row
from tests.support.random_games import one_change, random_move
from tests.support.rule_cases import rows
from tests.support.trails_invariants import TABLES
from tests.support.trails_table import (
    ANA,
    BIRD,
    BO,
    FINAL_SPOT,
    NO_CARDS,
    NO_PHOTO,
    PLAY,
    after,
    all_earned,
    photographed,
    played_out,
    shown,
    sound,
    table,
)

START = table()
ON_LEAF = START.with_player(BO, at=2, facing=-1)
ANA_ON_LEAF = START.with_player(ANA, at=2, facing=-1)
ANA_AT_END = START.with_player(ANA, at=6, facing=-1)
AT_PHOTO = table(tasks=(AtSite("photo"),)).with_player(ANA, at=4)
MET = table(tasks=(Encounter("acorn"),)).with_player(ANA, at=3)
EARNING = replace(ANA_AT_END, tasks=(Earn("trail-end"),), trail_end=("climber-rock", GONE)).with_player(
    ANA, hand=GONE, badges=("science",), cubes=(0, 0, 5)
)
MOVING_SUN = replace(ANA_AT_END, sun=6, tasks=(Earn("trail-end"), MoveSun(), Bear()))
FULL = table(tasks=(KeepEight(),)).with_player(ANA, cubes=(5, 4, 0))
SUN_TAKEN = table(sun=FINAL_SPOT, sun_holder=BO, turns_left=0)
CROWD = table(3).with_player(ANA, cubes=(7, 0, 0)).with_player(BO, cubes=(7, 0, 0))
WITH_PHOTOS = photographed(replace(START, photo_discard=1), BO, None, BIRD, None)
NO_DECK = table(photo_deck=1, photo_discard=1)
NO_BADGE_LEFT = all_earned(START)
STAND_INS = replace(
    table(3).with_player(ANA, cubes=(8, 0, 0)).with_player(BO, cubes=(8, 0, 0)),
    rulings={"cube-supply": "limited"},
)
OVER = played_out()
REVEALED = PLAY.settle(
    photographed(photographed(OVER, ANA, BIRD, NO_PHOTO), BO, Photo(2, 0)).with_player(
        BO, hand="science", badges=("first-aid-leaf",)
    )
)


def set_right(*changes) -> SetRight:
    return SetRight(changes)


# (the table, what is set right, what of it is so then, whose that is, what the log says)
SET = {
    "components": [
        (START, [By("players.1.acorn", 2)], {"cubes": (3, 1, 1)}, BO, "Bo, acorn 1 \u2192 3."),
        (START, [By("players.1.rock", -1)], {"cubes": (1, 1, 0)}, BO, "Bo, rock 1 \u2192 0."),
        (
            START,
            [By("players.1.leaf", 2), Into("players.1.canteen", "full", "empty"), Into("bear", "acorn", "rock")],
            {"cubes": (1, 3, 1), "canteen": False, "bear": "rock"},
            BO,
            "Bo, leaf 1 \u2192 3; Bo, canteen full \u2192 empty; bear the acorn site \u2192 the rock site.",
        ),
        (STAND_INS, [By("players.1.acorn", -1)], {"cubes": (7, 0, 0)}, BO, "Bo, acorn 8 \u2192 7."),
        (START, [By("players.1.rock", -1), By("players.1.leaf", 0)], {"cubes": (1, 1, 0)}, BO, "Bo, rock 1 \u2192 0."),
    ],
    "setup-hiker": [
        (
            START,
            [Into("players.0.hiker", "brown", "green"), Into("players.1.hiker", "green", "brown")],
            {"hiker": "brown"},
            BO,
            "Ana, colour brown \u2192 green; Bo, colour green \u2192 brown.",
        ),
    ],
    "hike-facing": [
        (ON_LEAF, [Into("players.1.at", "leaf", "photo")], {"at": 4, "facing": -1}, BO, "Bo, hiker the leaf site \u2192 the photo site."),
        (ON_LEAF, [Into("players.1.back", "yes", "no")], {"at": 2, "facing": 1}, BO, "Bo, on the way back yes \u2192 no."),
        (
            START,
            [Into("players.1.at", "trailhead", "rock"), Into("players.1.back", "no", "yes")],
            {"at": 5, "facing": -1},
            BO,
            "Bo, hiker the Trailhead \u2192 the rock site; Bo, on the way back no \u2192 yes.",
        ),
    ],
    # at the ends a hiker turns round, whatever is said of it
    "turn-around": [
        (ON_LEAF, [Into("players.1.at", "leaf", "trailhead")], {"at": 0, "facing": 1}, BO, "Bo, hiker the leaf site \u2192 the Trailhead."),
        (ON_LEAF, [Into("players.1.at", "leaf", "trail-end")], {"at": 6, "facing": -1}, BO, "Bo, hiker the leaf site \u2192 Trail End."),
        (
            ANA_AT_END,
            [Into("players.0.at", "trail-end", "rock")],
            {"at": 5, "facing": 1},
            ANA,
            "Ana, hiker Trail End \u2192 the rock site.",
        ),
    ],
    "canteen-filled": [
        (START, [Into("players.1.canteen", "full", "empty")], {"canteen": False}, BO, "Bo, canteen full \u2192 empty."),
    ],
    # hikers and bear stay at the sites they are said to be at; the Sun stays where it is above the Trail
    "setup-sites": [
        (
            ON_LEAF,
            [Into("sites.0", "exchange", "leaf"), Into("sites.1", "leaf", "exchange")],
            {"sites": ("leaf", "exchange", "acorn", "photo", "rock"), "at": 1, "facing": -1},
            BO,
            "site 1 the exchange site \u2192 the leaf site; site 2 the leaf site \u2192 the exchange site.",
        ),
        (
            replace(START, sun=1),
            [Into("sites.2", "acorn", "rock"), Into("sites.4", "rock", "acorn")],
            {"sites": ("exchange", "leaf", "rock", "photo", "acorn"), "bear": "acorn", "sun": 1},
            BO,
            "site 3 the acorn site \u2192 the rock site; site 5 the rock site \u2192 the acorn site.",
        ),
    ],
    "bear-die": [(START, [Into("bear", "acorn", "leaf")], {"bear": "leaf"}, BO, "bear the acorn site \u2192 the leaf site.")],
    "setup-track": [
        (
            START,
            [Into("track.trailhead.1", "wildlife", "2 leaf")],
            {"track": SunTrack(("wildlife",), ("photo", "2 leaf"))},
            BO,
            "Sun Track, icon 2 at the Trailhead wildlife \u2192 2 leaves.",
        ),
        (
            START,
            [Into("track.trail_end.0", "wildlife", "1 rock")],
            {"track": SunTrack(("1 rock",), ("photo", "wildlife"))},
            BO,
            "Sun Track, icon 1 at Trail End wildlife \u2192 1 rock.",
        ),
    ],
    "sun-moves": [
        (
            START,
            [Into("sun", "0", "1")],
            {"sun": 1},
            BO,
            "Sun on \u201cwildlife\u201d at Trail End \u2192 over the rock site.",
        ),
        (
            replace(START, sun=6),
            [Into("sun", "6", "7")],
            {"sun": 7, "sun_holder": None},
            BO,
            "Sun on \u201cwildlife\u201d at the Trailhead \u2192 on its final spot.",
        ),
        (
            MOVING_SUN,
            [Into("sun", "6", "5")],
            {"sun": 5},
            BO,
            "Sun on \u201cwildlife\u201d at the Trailhead \u2192 over the exchange site.",
        ),
    ],
    "end-trigger": [
        (
            replace(START, sun=FINAL_SPOT),
            [Into("sun", "7", "taken 1")],
            {"sun_holder": BO, "turns_left": 0},
            BO,
            "Sun on its final spot \u2192 with Bo.",
        ),
        (
            SUN_TAKEN,
            [Into("sun", "taken 1", "7")],
            {"sun": 7, "sun_holder": None, "turns_left": None},
            BO,
            "Sun with Bo \u2192 on its final spot.",
        ),
        (
            SUN_TAKEN,
            [Into("sun", "taken 1", "taken 0")],
            {"sun": 7, "sun_holder": ANA, "turns_left": 1},
            BO,
            "Sun with Bo \u2192 with Ana.",
        ),
    ],
    "earn-where": [
        (START, [But("players.1.badges", more=("science",))], {"badges": ("science",)}, BO, "Bo, badges +Science."),
        (
            EARNING,
            [But("players.0.badges", less=("science",), more=("sunshine-leaf",))],
            {"badges": ("sunshine-leaf",)},
            ANA,
            "Ana, badges \u2212Science, +Sunshine (leaf).",
        ),
    ],
    "badges-refill": [
        (
            START,
            [Into("trailhead.1", "climber-leaf", "science")],
            {"trailhead": ("climber-acorn", "science")},
            BO,
            "right badge at the Trailhead Climber (leaf) \u2192 Science.",
        ),
        (
            START,
            [Into("trail_end.0", "climber-rock", "unnamed")],
            {"trail_end": (None, "photography-rock")},
            BO,
            "left badge at Trail End Climber (rock) \u2192 not named.",
        ),
        # a badge is earned after all: as a turn begins the next one has been drawn
        (
            START,
            [But("players.1.badges", more=("climber-acorn",)), Into("trailhead.0", "climber-acorn", "none")],
            {"badges": ("climber-acorn",), "trailhead": (None, "climber-leaf")},
            BO,
            "Bo, badges +Climber (acorn); left badge at the Trailhead Climber (acorn) \u2192 none.",
        ),
        (
            EARNING.with_player(ANA, hand=None),
            [Into("trail_end.0", "climber-rock", "none"), But("players.0.badges", more=("climber-rock",))],
            {"badges": ("science", "climber-rock"), "trail_end": NO_CARDS},
            ANA,
            "left badge at Trail End Climber (rock) \u2192 none; Ana, badges +Climber (rock).",
        ),
    ],
    "badge-deck-empty": [
        (
            replace(NO_BADGE_LEFT, sun=1),
            [But("players.1.badges", more=("climber-acorn",)), Into("trailhead.0", "climber-acorn", "none")],
            {"trailhead": (GONE, "climber-leaf")},
            BO,
            "Bo, badges +Climber (acorn); left badge at the Trailhead Climber (acorn) \u2192 none.",
        ),
    ],
    "hand-refill": [
        (EARNING, [Into("players.0.hand", "none", "card")], {"hand": None}, ANA, "Ana, badge in hand none \u2192 a card."),
        (
            EARNING.with_player(ANA, hand="science"),
            [Into("players.0.hand", "card", "none")],
            {"hand": GONE},
            ANA,
            "Ana, badge in hand a card \u2192 none.",
        ),
    ],
    "hand-secret": [
        (
            START.with_player(BO, hand="seeker-leaf"),
            [But("players.0.badges", more=("seeker-leaf",))],
            {"hand": None},
            BO,
            "Ana, badges +Seeker (leaf).",
        ),
        (
            START.with_player(BO, hand="seeker-leaf"),
            [Into("trailhead.0", "climber-acorn", "seeker-leaf")],
            {"hand": None},
            BO,
            "left badge at the Trailhead Climber (acorn) \u2192 Seeker (leaf).",
        ),
        (
            START.with_player(BO, hand="science"),
            [Into("trailhead.0", "climber-acorn", "science")],
            {"hand": "science"},
            BO,
            "left badge at the Trailhead Climber (acorn) \u2192 Science.",
        ),
        # a note stays where it is when nothing is said of the hand
        (
            START.with_player(BO, hand="science"),
            [Into("players.1.hand", "card", "card"), By("players.1.leaf", 1)],
            {"hand": "science"},
            BO,
            "Bo, leaf 1 \u2192 2.",
        ),
    ],
    "photo-count": [
        (WITH_PHOTOS, [By("players.1.photos", 1)], {"photos": (None, BIRD, None, None), "photo_deck": 27}, BO, "Bo, photos 3 \u2192 4."),
        (WITH_PHOTOS, [By("players.1.photos", -2)], {"photos": (BIRD,), "photo_deck": 30}, BO, "Bo, photos 3 \u2192 1."),
        (WITH_PHOTOS, [By("players.1.photos", -3)], {"photos": ()}, BO, "Bo, photos 3 \u2192 0."),
        (WITH_PHOTOS, [By("discarded_photos", 3)], {"photo_discard": 4, "photo_deck": 25}, BO, "discarded photos 1 \u2192 4."),
        (
            NO_DECK,
            [By("players.1.photos", 1), By("discarded_photos", -1)],
            {"photo_discard": 0, "photo_deck": 1},
            BO,
            "Bo, photos 30 \u2192 31; discarded photos 1 \u2192 0.",
        ),
    ],
    "turn-order": [
        (START, [Into("turn", "0", "1")], {"turn": BO, "tasks": (SetOut(),)}, BO, "turn Ana \u2192 Bo."),
        (AT_PHOTO, [Into("turn", "0", "1")], {"turn": BO, "tasks": (SetOut(),)}, BO, "turn Ana \u2192 Bo."),
        # with the turn comes what its end brings: nothing is missing any more
        (
            EARNING,
            [Into("turn", "0", "1")],
            {"turn": BO, "tasks": (SetOut(),), "trail_end": ("climber-rock", None), "hand": None},
            ANA,
            "turn Ana \u2192 Bo.",
        ),
        (replace(SUN_TAKEN, turn=BO, turns_left=1), [Into("turn", "1", "0")], {"turn": ANA, "turns_left": 0}, ANA, "turn Bo \u2192 Ana."),
    ],
    "turn-steps": [
        (AT_PHOTO, [Into("to_do", "do the photo site", "nothing more")], {"turn": BO, "tasks": (SetOut(),)}, BO, "still to do do the photo site \u2192 nothing more."),
        (AT_PHOTO, [Into("to_do", "do the photo site", "hike")], {"turn": ANA, "tasks": (SetOut(),)}, BO, "still to do do the photo site \u2192 hike."),
        (
            MOVING_SUN,
            [
                Into("to_do", "roll the die, then move the Sun, then earn badges at Trail End", "do the photo site"),
                Into("players.0.at", "trail-end", "photo"),
            ],
            {"tasks": (AtSite("photo"),), "at": 4, "facing": 1},
            ANA,
            "still to do roll the die, then move the Sun, then earn badges at Trail End \u2192 do the photo site; "
            "Ana, hiker Trail End \u2192 the photo site.",
        ),
        (
            AT_PHOTO,
            [Into("bear", "acorn", "photo"), Into("to_do", "do the photo site", "do the photo site and meet the bear")],
            {"tasks": (Encounter("photo"),), "bear": "photo"},
            ANA,
            "bear the acorn site \u2192 the photo site; still to do do the photo site \u2192 do the photo site and meet the bear.",
        ),
        # what a site brings without asking it brings here as well
        (
            ANA_ON_LEAF,
            [Into("to_do", "hike", "do the leaf site")],
            {"cubes": (1, 2, 1), "turn": BO},
            ANA,
            "still to do hike \u2192 do the leaf site. +1 leaf.",
        ),
    ],
    "resource-limit": [
        (FULL, [By("players.0.acorn", -1)], {"cubes": (4, 4, 0), "turn": BO}, ANA, "Ana, acorn 5 \u2192 4."),
    ],
    "last-round": [
        (
            SUN_TAKEN,
            [Into("over", "no", "yes")],
            {"over": True, "tasks": (), "revealed": True},
            BO,
            "play is over no \u2192 yes.",
        ),
        (
            START,
            [Into("sun", "0", "taken 1"), Into("over", "no", "yes")],
            {"over": True, "sun": FINAL_SPOT, "sun_holder": BO, "turns_left": 0},
            BO,
            "Sun on \u201cwildlife\u201d at Trail End \u2192 with Bo; play is over no \u2192 yes.",
        ),
        (
            REVEALED,
            [Into("over", "yes", "no")],
            {"over": False, "turn": ANA, "turns_left": 0, "tasks": (SetOut(),), "revealed": False, "photos": (BIRD, NO_PHOTO)},
            ANA,
            "play is over yes \u2192 no.",
        ),
        (
            replace(OVER, trailhead=NO_CARDS).with_player(ANA, hand=GONE),
            [Into("over", "yes", "no")],
            {"hand": None, "trailhead": (None, None)},
            ANA,
            "play is over yes \u2192 no.",
        ),
    ],
    "reveal": [
        (
            REVEALED,
            [Into("players.0.photos.1", "0-0", "2-0")],
            {"over": True, "photos": (BIRD, Photo(2, 0)), "revealed": True},
            ANA,
            "Ana, photo 2 0 points \u2192 2 points.",
        ),
        (REVEALED, [By("players.0.photos", -1)], {"photos": (BIRD,), "revealed": True}, ANA, "Ana, photos 2 \u2192 1."),
        (REVEALED, [By("players.0.photos", 1)], {"photos": (BIRD, NO_PHOTO, None), "revealed": False}, ANA, "Ana, photos 2 \u2192 3."),
        (REVEALED, [Into("players.1.hand", "science", "seeker-leaf")], {"hand": "seeker-leaf"}, BO, "Bo, badge in hand Science \u2192 Seeker (leaf)."),
    ],
    "score-badges": [
        (REVEALED, [But("players.1.badges", ("first-aid-leaf",), ("science",))], {"badges": ("science",)}, BO, "Bo, badges \u2212First Aid (leaf), +Science."),
    ],
}  # fmt: skip

# (the table, what is set right, code, sentence)
REFUSED = {
    "components": [
        (START, [], "no-change", "Nothing is set right by this."),
        (START, [By("players.1.acorn", 0)], "no-change", "Nothing is set right by this."),
        (START, [Into("bear", "acorn", "acorn")], "no-change", "Nothing is set right by this."),
        (START, [Into("players.1.hand", "card", "card")], "no-change", "Nothing is set right by this."),
        (START, [But("players.1.badges")], "no-change", "Nothing is set right by this."),
        (START, [By("players.1.acorn", 1), By("players.1.acorn", 1)], "twice", "Acorn is set right twice."),
        (START, [By("players.2.acorn", 1)], "no-such-figure", "There is no such thing on this table that could be set right."),
        (START, [Into("rulings.zero-birds", "nobody", "everyone")], "no-such-figure", "There is no such thing on this table that could be set right."),
        (OVER, [By("players.1.acorn", 1)], "no-such-figure", "There is no such thing on this table that could be set right."),
        (OVER, [Into("players.1.revealed", "yes", "no")], "no-such-figure", "There is no such thing on this table that could be set right."),
        (START, [Into("players.0.photos.0", "2-0", "0-2")], "no-such-figure", "There is no such thing on this table that could be set right."),
        (START, [By("players.1.acorn", -2)], "out-of-range", "Acorn: -1 is not possible; there can be 0 to 99."),
        (START, [Into("players.1.acorn", "1", "2")], "no-such-change", "Acorn is not set right like that."),
        (START, [Into("bear", "leaf", "rock")], "otherwise-now", "Bear: it is the acorn site by now."),
        (START, [Into("bear", "acorn", "trailhead")], "no-such-thing", "Bear: there is no \u201ctrailhead\u201d."),
        (START, [But("players.1.badges", less=("science",))], "otherwise-now", "Badges: Science is not there."),
        (START, [But("players.1.badges", more=("climber",))], "no-such-thing", "Badges: there is no \u201cclimber\u201d."),
        (CROWD, [By("players.2.acorn", 1)], "box-counts", "The box has 15 acorns; the players would have 16."),
        (STAND_INS, [By("players.2.acorn", 1)], "box-counts", "The box has 15 acorns; the players would have 18."),
        (REVEALED, [By("players.0.photos", -1), Into("players.0.photos.1", "0-0", "2-0")], "cannot-lie", "No table can lie like that."),
    ],
    "setup-hiker": [(START, [Into("players.0.hiker", "brown", "green")], "hiker-taken", "Only one player can have the green hiker.")],
    "setup-sites": [
        (START, [Into("sites.0", "exchange", "leaf")], "five-sites", "Each of the five sites lies on the Trail once: acorn, leaf, rock, exchange, photo."),
    ],
    "sun-moves": [
        (MOVING_SUN, [Into("sun", "6", "7")], "sun-to-move", "The Sun is still to move this turn, but it is on its last spot already."),
    ],
    "site-action": [
        (AT_PHOTO, [Into("players.0.at", "photo", "rock")], "elsewhere", "Neither Ana nor the bear nor the Sun is at the photo site."),
    ],
    "bear-met": [(MET, [Into("bear", "acorn", "rock")], "no-meeting", "Ana and the bear are not both on the acorn site.")],
    "earn-where": [
        (START, [Into("to_do", "hike", "earn badges at Trail End")], "elsewhere", "Ana is not at Trail End to earn badges there."),
    ],
    "badge-copies": [
        (START, [But("players.1.badges", more=("climber-acorn",))], "badge-copies", "The box has only one Climber (acorn), already named elsewhere."),
    ],
    "hand-refill": [
        (START, [Into("players.1.hand", "card", "none")], "hand-empty", "Bo has no badge in hand, and the deck has 37 badges."),
    ],
    "end-checklist": [
        (START, [Into("players.0.hand", "card", "none")], "gap", "A turn begins with a badge missing, and the deck has 37 badges."),
        (START, [Into("trailhead.0", "climber-acorn", "none"), Into("players.0.hand", "card", "none")], "gap", "A turn begins with a badge missing, and the deck has 37 badges."),
    ],
    "photo-count": [
        (NO_DECK, [By("discarded_photos", 2)], "photo-count", "The box has 32 photos; here are 33."),
    ],
    "photo-deck-empty": [
        (NO_DECK, [By("discarded_photos", 1)], "photo-deck-empty", "With no photo left to draw, the discard pile is turned over and becomes the deck."),
    ],
    "resource-limit": [
        (START, [By("players.1.rock", 6)], "keep-eight", "Bo has 9 resources, and keeps at most 8 when a turn ends."),
        (FULL, [Into("turn", "0", "1")], "keep-eight", "Ana has 9 resources, and keeps at most 8 when a turn ends."),
    ],
    "last-round": [
        (START, [Into("over", "no", "yes")], "not-over", "Play ends when everybody else has had a turn after the Sun was taken."),
        (OVER, [Into("sun", "taken 1", "7")], "not-over", "Play ends when everybody else has had a turn after the Sun was taken."),
    ],
}  # fmt: skip


@every_row(
    "state, changes, expected, seat, said",
    [pytest.param(*case, id=f"{rule}-{number}") for rule, number, case in rows(PLAY.box, SET)],
)
def test_what_lies_on_the_table_is_set_right(state, changes, expected, seat, said):
    move = set_right(*changes)
    then = PLAY.play(sound(state), ANA, move)
    assert shown(sound(then), expected, seat) == expected
    assert PLAY.tell(state, then, ANA, move) == f"Ana had it set right: {said}"


@every_row(
    "state, changes, code, sentence",
    [pytest.param(*case, id=f"{rule}-{number}") for rule, number, case in rows(PLAY.box, REFUSED)],
)
def test_what_cannot_be_is_refused_and_why(state, changes, code, sentence):
    found = list(PLAY.objections(sound(state), ANA, set_right(*changes)))
    assert [(reason.code, reason.text) for reason in found] == [(code, sentence)]


# What is agreed to later


def test_a_difference_is_added_to_what_is_there_by_then():
    asked = set_right(By("players.0.leaf", 2))
    later = after(START, Hike(2))
    assert [state.players[ANA].cubes for state in (START, later)] == [(1, 1, 1), (1, 2, 1)]
    assert PLAY.play(later, BO, asked).players[ANA].cubes == (1, 4, 1)


@pytest.mark.parametrize(
    "change, meanwhile, sentence",
    [
        (Into("players.0.at", "trailhead", "rock"), Hike(2), "Hiker: it is the leaf site by now."),
        (Into("players.0.canteen", "full", "empty"), Hike(5, canteen=True), "Canteen: it is empty by now."),
        (Into("turn", "0", "1"), Hike(2), "Turn: it is Bo by now."),
    ],
)
def test_what_has_become_another_thing_meanwhile_is_not_set_right_any_more(change, meanwhile, sentence):
    assert PLAY.legal(START, BO, set_right(change))
    found = list(PLAY.objections(after(START, meanwhile), BO, set_right(change)))
    assert [(reason.code, reason.text) for reason in found] == [("otherwise-now", sentence)]


# What is secret


def figures(state: State) -> dict:
    return {figure.at: figure for figure in PLAY.lying.figures(state)}


def test_of_photos_only_the_number_is_seen_until_all_are_shown():
    playing = photographed(photographed(START, ANA, BIRD), BO, None)
    showing = photographed(photographed(replace(OVER, players=playing.players), ANA, BIRD), BO, None)
    for state in (playing, PLAY.settle(showing)):
        assert [at for at in figures(state) if at.startswith("players.0.photos")] == ["players.0.photos"]
        assert figures(state)["players.0.photos"].value == 1
    all_shown = figures(PLAY.play(PLAY.settle(showing), BO, NotePhoto(2, 0)))
    assert {at: all_shown[at].said for at in ("players.0.photos.0", "players.1.photos.0")} == {
        "players.0.photos.0": "1 point, 1 bird",
        "players.1.photos.0": "2 points",
    }


def test_a_hand_is_a_card_or_none_until_all_is_shown():
    held = START.with_player(BO, hand="science")
    assert figures(held)["players.1.hand"].said == "a card"
    assert figures(EARNING)["players.0.hand"].said == "none"
    assert figures(REVEALED)["players.1.hand"].said == "Science"


def test_what_is_set_right_tells_nothing_of_a_hand():
    """Whatever Bo has noted, Ana is answered alike and everybody sees the same table afterwards."""
    moves = [
        set_right(But("players.0.badges", more=("seeker-leaf",))),
        set_right(Into("trailhead.0", "climber-acorn", "seeker-leaf")),
        set_right(Into("players.1.hand", "card", "card")),
        set_right(Into("players.1.hand", "card", "none")),
        set_right(By("players.1.photos", -1)),
    ]
    heard = []
    for hand, face in ((None, None), ("science", BIRD), ("seeker-leaf", NO_PHOTO)):
        state = sound(photographed(START.with_player(BO, hand=hand), BO, face, None))
        answers = [[str(reason) for reason in PLAY.objections(state, ANA, move)] for move in moves]
        tables = [
            PLAY.view(PLAY.play(state, ANA, move), None) for move, no in zip(moves, answers, strict=True) if not no
        ]
        heard.append((answers, tables))
    assert heard[0] == heard[1] == heard[2]


# How the evening goes on


def test_what_is_set_right_in_a_turn_decides_what_may_be_done_in_it():
    earning = replace(ANA_AT_END, tasks=(Earn("trail-end"),)).with_player(ANA, cubes=(0, 0, 4))
    assert not PLAY.legal(earning, ANA, EarnBadge("climber-rock"))
    assert PLAY.legal(PLAY.play(earning, BO, set_right(By("players.0.rock", 1))), ANA, EarnBadge("climber-rock"))


def test_a_photo_more_after_all_were_shown_is_asked_of_its_player():
    state = PLAY.play(REVEALED, BO, set_right(By("players.0.photos", 1)))
    assert PLAY.to_move(state) == (ANA,)
    assert PLAY.to_move(PLAY.play(state, ANA, NotePhoto(0, 2))) == ()


def test_a_face_set_right_leaves_the_game_over_and_counts():
    before = PLAY.box.score(PLAY.final(REVEALED)).columns[ANA].total
    state = PLAY.play(REVEALED, BO, set_right(Into("players.0.photos.1", "0-0", "2-0")))
    assert PLAY.to_move(state) == ()
    assert PLAY.box.score(PLAY.final(state)).columns[ANA].total == before + 2


def test_a_turn_of_the_last_round_that_is_set_to_nothing_more_ends_the_game():
    assert PLAY.play(SUN_TAKEN, BO, set_right(Into("to_do", "hike", "nothing more"))).over


def test_the_last_round_and_the_reveal_are_chapters_of_their_own():
    assert [PLAY.chapter(state) for state in (START, SUN_TAKEN, OVER, REVEALED)] == [
        "",
        "Last round",
        "The reveal",
        "The reveal",
    ]


def test_a_turn_begins_with_a_hike():
    assert [kind for kind in PLAY.moves if kind.begins] == [Hike]


def test_sets_what_it_says_and_nothing_else():
    state = PLAY.play(ON_LEAF, ANA, set_right(By("players.0.acorn", 1), Into("bear", "acorn", "rock")))
    found = [
        (each.whose, each.what, each.old, each.new)
        for each in differences(PLAY.lying.figures(ON_LEAF), PLAY.lying.figures(state))
    ]
    assert found == [(ANA, "acorn", "1", "2"), (None, "bear", "the acorn site", "the rock site")]


@pytest.mark.slow("random games at every table")
@cases("number", range(3))
@pytest.mark.parametrize(
    "table", [table for table in TABLES if table.play is PLAY], ids=lambda table: table.name.replace(" ", "-")
)
def test_a_game_in_which_much_is_set_right_can_be_said_and_comes_to_its_end(table, number):
    rng = random.Random(f"{table.name} {number}")
    state, corrected = PLAY.begin(table.setup), 0
    while seats := PLAY.to_move(state):
        if corrected < 40 and rng.random() < 0.5:
            known = [figure for figure in PLAY.lying.figures(state) if not figure.fixed]
            changes = [one_change(figure, rng) for figure in rng.sample(known, rng.choice((1, 1, 2, 3)))]
            move = set_right(*filter(None, changes))
            if PLAY.legal(state, ANA, move):
                then, corrected = PLAY.play(state, ANA, move), corrected + 1
                assert PLAY.tell(state, then, ANA, move)
                assert PLAY.lying.read(msgspec.json.decode(msgspec.json.encode(PLAY.lying.plain(then)))) == then
                state = then
            continue
        played = random_move(PLAY, state, rng.choice(seats), rng, rng.sample(PLAY.asked(state), len(PLAY.asked(state))))
        assert played, f"stuck: {state}"
        _, state = played
    assert corrected
