"""TRAILS: editable fields of the table, and edits with the table's consent."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from scoring.kernel.editable import AddRemove, Increment, Replace, compare_fields
from scoring.kernel.move import Phase
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NotePhoto
from scoring.trails.state import (
    NO_CARD,
    BearEncounter,
    EarnBadges,
    KeepEight,
    MoveBear,
    MoveSun,
    Photo,
    SiteAction,
    StartHike,
    State,
    SunTrack,
)
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.random_games import random_change, random_move
from tests.support.rule_cases import iterate_cases, logged_edit
from tests.support.trails_invariants import TABLES
from tests.support.trails_table import (
    ANA,
    BIRD,
    BO,
    FINAL_SUN,
    NO_CARDS,
    NO_PHOTO,
    TRACKED_GAME,
    finished_state,
    make_state,
    select_fields,
    state_after,
    validate_state,
    with_badges_earned,
    with_photos,
)

START = make_state()
ON_LEAF = START.with_player(BO, space=2, facing=-1)
ANA_ON_LEAF = START.with_player(ANA, space=2, facing=-1)
ANA_AT_END = START.with_player(ANA, space=6, facing=-1)
AT_PHOTO = make_state(tasks=(SiteAction("photo"),)).with_player(ANA, space=4)
MET = make_state(tasks=(BearEncounter("acorn"),)).with_player(ANA, space=3)
EARNING = replace(ANA_AT_END, tasks=(EarnBadges("trail-end"),), trail_end=("climber-rock", NO_CARD)).with_player(
    ANA, hand=NO_CARD, badges=("science",), cubes=(0, 0, 5)
)
MOVING_SUN = replace(ANA_AT_END, sun=6, tasks=(EarnBadges("trail-end"), MoveSun(), MoveBear()))
FULL = make_state(tasks=(KeepEight(),)).with_player(ANA, cubes=(5, 4, 0))
SUN_TAKEN = make_state(sun=FINAL_SUN, sun_holder=BO, turns_left=0)
CROWD = make_state(3).with_player(ANA, cubes=(7, 0, 0)).with_player(BO, cubes=(7, 0, 0))
WITH_PHOTOS = with_photos(replace(START, photo_discard=1), BO, None, BIRD, None)
NO_DECK = make_state(photo_deck=1, photo_discard=1)
NO_BADGE_LEFT = with_badges_earned(START)
STAND_INS = replace(
    make_state(3).with_player(ANA, cubes=(8, 0, 0)).with_player(BO, cubes=(8, 0, 0)),
    rulings={"cube-supply": "limited"},
)
OVER = finished_state()
REVEALED = TRACKED_GAME.flow.resolve_forced_steps(
    with_photos(with_photos(OVER, ANA, BIRD, NO_PHOTO), BO, Photo(2, 0)).with_player(
        BO, hand="science", badges=("first-aid-leaf",)
    )
)


def edit_move(*changes) -> EditPosition:
    return EditPosition(changes)


# (state, changes, expected values, seat they belong to, log text)
EDITS = {
    "components": [
        (START, [Increment("players.1.acorn", 2)], {"cubes": (3, 1, 1)}, BO, "Bo\u2019s acorns 1 \u2192 3."),
        (START, [Increment("players.1.rock", -1)], {"cubes": (1, 1, 0)}, BO, "Bo\u2019s rocks 1 \u2192 0."),
        (
            START,
            [
                Increment("players.1.leaf", 2),
                Replace("players.1.canteen", "full", "empty"),
                Replace("bear", "acorn", "rock"),
            ],
            {"cubes": (1, 3, 1), "canteen": False, "bear": "rock"},
            BO,
            "Bo\u2019s leaves 1 \u2192 3, canteen from filled to empty; bear from the acorn site to the rock site.",
        ),
        (STAND_INS, [Increment("players.1.acorn", -1)], {"cubes": (7, 0, 0)}, BO, "Bo\u2019s acorns 8 \u2192 7."),
        (
            START,
            [Increment("players.1.rock", -1), Increment("players.1.leaf", 0)],
            {"cubes": (1, 1, 0)},
            BO,
            "Bo\u2019s rocks 1 \u2192 0.",
        ),
    ],
    "setup-hiker": [
        (
            START,
            [Replace("players.0.hiker", "brown", "green"), Replace("players.1.hiker", "green", "brown")],
            {"hiker": "brown"},
            BO,
            "Ana\u2019s hiker color from brown to green; Bo\u2019s hiker color from green to brown.",
        ),
    ],
    "hike-facing": [
        (
            ON_LEAF,
            [Replace("players.1.at", "leaf", "photo")],
            {"space": 4, "facing": -1},
            BO,
            "Bo\u2019s hiker from the leaf site to the photo site.",
        ),
        (
            ON_LEAF,
            [Replace("players.1.back", "yes", "no")],
            {"space": 2, "facing": 1},
            BO,
            "Bo\u2019s facing from the Trailhead to Trail End.",
        ),
        (
            START,
            [Replace("players.1.at", "trailhead", "rock"), Replace("players.1.back", "no", "yes")],
            {"space": 5, "facing": -1},
            BO,
            "Bo\u2019s hiker from the Trailhead to the rock site, facing from Trail End to the Trailhead.",
        ),
    ],
    # At the ends a hiker turns around, whatever the edit says.
    "turn-around": [
        (
            ON_LEAF,
            [Replace("players.1.at", "leaf", "trailhead")],
            {"space": 0, "facing": 1},
            BO,
            "Bo\u2019s hiker from the leaf site to the Trailhead.",
        ),
        (
            ON_LEAF,
            [Replace("players.1.at", "leaf", "trail-end")],
            {"space": 6, "facing": -1},
            BO,
            "Bo\u2019s hiker from the leaf site to Trail End.",
        ),
        (
            ANA_AT_END,
            [Replace("players.0.at", "trail-end", "rock")],
            {"space": 5, "facing": 1},
            ANA,
            "Ana\u2019s hiker from Trail End to the rock site.",
        ),
        (
            ANA_AT_END,
            [Replace("players.0.at", "trail-end", "rock"), Replace("players.0.back", "no", "yes")],
            {"space": 5, "facing": -1},
            ANA,
            "Ana\u2019s hiker from Trail End to the rock site, "
            "facing from the Trailhead to the Trailhead, also if moved to a site.",
        ),
    ],
    "canteen-filled": [
        (
            START,
            [Replace("players.1.canteen", "full", "empty")],
            {"canteen": False},
            BO,
            "Bo\u2019s canteen from filled to empty.",
        ),
    ],
    # Hikers and the bear stay at their named sites; the Sun keeps its place above the Trail.
    "setup-sites": [
        (
            ON_LEAF,
            [Replace("sites.0", "exchange", "leaf"), Replace("sites.1", "leaf", "exchange")],
            {"sites": ("leaf", "exchange", "acorn", "photo", "rock"), "space": 1, "facing": -1},
            BO,
            "Site 1 from the exchange site to the leaf site, site 2 from the leaf site to the exchange site.",
        ),
        (
            replace(START, sun=1),
            [Replace("sites.2", "acorn", "rock"), Replace("sites.4", "rock", "acorn")],
            {"sites": ("exchange", "leaf", "rock", "photo", "acorn"), "bear": "acorn", "sun": 1},
            BO,
            "Site 3 from the acorn site to the rock site, site 5 from the rock site to the acorn site.",
        ),
    ],
    "bear-die": [
        (START, [Replace("bear", "acorn", "leaf")], {"bear": "leaf"}, BO, "Bear from the acorn site to the leaf site.")
    ],
    "setup-track": [
        (
            START,
            [Replace("track.trailhead.1", "wildlife", "2 leaf")],
            {"track": SunTrack(("wildlife",), ("photo", "2 leaf"))},
            BO,
            "Sun Track icon 2 at the Trailhead from bear to 2 leaves.",
        ),
        (
            START,
            [Replace("track.trail_end.0", "wildlife", "1 rock")],
            {"track": SunTrack(("1 rock",), ("photo", "wildlife"))},
            BO,
            "Sun Track icon 1 at Trail End from bear to 1 rock.",
        ),
    ],
    "sun-moves": [
        (
            START,
            [Replace("sun", "0", "1")],
            {"sun": 1},
            BO,
            "Sun from bear icon at Trail End to the rock site.",
        ),
        (
            replace(START, sun=6),
            [Replace("sun", "6", "7")],
            {"sun": 7, "sun_holder": None},
            BO,
            "Sun from bear icon at the Trailhead to final spot.",
        ),
        (
            MOVING_SUN,
            [Replace("sun", "6", "5")],
            {"sun": 5},
            BO,
            "Sun from bear icon at the Trailhead to the exchange site.",
        ),
    ],
    "end-trigger": [
        (
            replace(START, sun=FINAL_SUN),
            [Replace("sun", "7", "taken 1")],
            {"sun_holder": BO, "turns_left": 0},
            BO,
            "Sun from final spot to taken by Bo.",
        ),
        (
            SUN_TAKEN,
            [Replace("sun", "taken 1", "7")],
            {"sun": 7, "sun_holder": None, "turns_left": None},
            BO,
            "Sun from taken by Bo to final spot.",
        ),
        (
            SUN_TAKEN,
            [Replace("sun", "taken 1", "taken 0")],
            {"sun": 7, "sun_holder": ANA, "turns_left": 1},
            BO,
            "Sun from taken by Bo to taken by Ana.",
        ),
    ],
    "earn-where": [
        (
            START,
            [AddRemove("players.1.badges", more=("science",))],
            {"badges": ("science",)},
            BO,
            "Bo\u2019s badges +Science.",
        ),
        (
            EARNING,
            [AddRemove("players.0.badges", less=("science",), more=("sunshine-leaf",))],
            {"badges": ("sunshine-leaf",)},
            ANA,
            "Ana\u2019s badges \u2212Science, +Sunshine (leaf).",
        ),
    ],
    "badges-refill": [
        (
            START,
            [Replace("trailhead.1", "climber-leaf", "science")],
            {"trailhead": ("climber-acorn", "science")},
            BO,
            "Right badge at the Trailhead from Climber (leaf) to Science.",
        ),
        (
            START,
            [Replace("trail_end.0", "climber-rock", "unnamed")],
            {"trail_end": (None, "photography-rock")},
            BO,
            "Left badge at Trail End from Climber (rock) to not entered.",
        ),
        # A badge was earned: the next one has been drawn by the start of a turn.
        (
            START,
            [AddRemove("players.1.badges", more=("climber-acorn",)), Replace("trailhead.0", "climber-acorn", "none")],
            {"badges": ("climber-acorn",), "trailhead": (None, "climber-leaf")},
            BO,
            "Bo\u2019s badges +Climber (acorn); left badge at the Trailhead from Climber (acorn) to none.",
        ),
        (
            EARNING.with_player(ANA, hand=None),
            [Replace("trail_end.0", "climber-rock", "none"), AddRemove("players.0.badges", more=("climber-rock",))],
            {"badges": ("science", "climber-rock"), "trail_end": NO_CARDS},
            ANA,
            "Left badge at Trail End from Climber (rock) to none; Ana\u2019s badges +Climber (rock).",
        ),
    ],
    "badge-deck-empty": [
        (
            replace(NO_BADGE_LEFT, sun=1),
            [AddRemove("players.1.badges", more=("climber-acorn",)), Replace("trailhead.0", "climber-acorn", "none")],
            {"trailhead": (NO_CARD, "climber-leaf")},
            BO,
            "Bo\u2019s badges +Climber (acorn); left badge at the Trailhead from Climber (acorn) to none.",
        ),
    ],
    "hand-refill": [
        (
            EARNING,
            [Replace("players.0.hand", "none", "card")],
            {"hand": None},
            ANA,
            "Ana\u2019s hand badge from none to 1 badge.",
        ),
        (
            EARNING.with_player(ANA, hand="science"),
            [Replace("players.0.hand", "card", "none")],
            {"hand": NO_CARD},
            ANA,
            "Ana\u2019s hand badge from 1 badge to none.",
        ),
    ],
    "hand-secret": [
        (
            START.with_player(BO, hand="seeker-leaf"),
            [AddRemove("players.0.badges", more=("seeker-leaf",))],
            {"hand": None},
            BO,
            "Ana\u2019s badges +Seeker (leaf).",
        ),
        (
            START.with_player(BO, hand="seeker-leaf"),
            [Replace("trailhead.0", "climber-acorn", "seeker-leaf")],
            {"hand": None},
            BO,
            "Left badge at the Trailhead from Climber (acorn) to Seeker (leaf).",
        ),
        (
            START.with_player(BO, hand="science"),
            [Replace("trailhead.0", "climber-acorn", "science")],
            {"hand": "science"},
            BO,
            "Left badge at the Trailhead from Climber (acorn) to Science.",
        ),
        # A secret note stays unless the hand is changed.
        (
            START.with_player(BO, hand="science"),
            [Replace("players.1.hand", "card", "card"), Increment("players.1.leaf", 1)],
            {"hand": "science"},
            BO,
            "Bo\u2019s leaves 1 \u2192 2.",
        ),
    ],
    "photo-count": [
        (
            WITH_PHOTOS,
            [Increment("players.1.photos", 1)],
            {"photos": (None, BIRD, None, None), "photo_deck": 27},
            BO,
            "Bo\u2019s photos 3 \u2192 4.",
        ),
        (
            WITH_PHOTOS,
            [Increment("players.1.photos", -2)],
            {"photos": (BIRD,), "photo_deck": 30},
            BO,
            "Bo\u2019s photos 3 \u2192 1.",
        ),
        (WITH_PHOTOS, [Increment("players.1.photos", -3)], {"photos": ()}, BO, "Bo\u2019s photos 3 \u2192 0."),
        (
            WITH_PHOTOS,
            [Increment("discarded_photos", 3)],
            {"photo_discard": 4, "photo_deck": 25},
            BO,
            "Discarded photos 1 \u2192 4.",
        ),
        (
            NO_DECK,
            [Increment("players.1.photos", 1), Increment("discarded_photos", -1)],
            {"photo_discard": 0, "photo_deck": 1},
            BO,
            "Bo\u2019s photos 30 \u2192 31; discarded photos 1 \u2192 0.",
        ),
    ],
    "turn-order": [
        (START, [Replace("turn", "0", "1")], {"turn": BO, "tasks": (StartHike(),)}, BO, "Turn from Ana to Bo."),
        (AT_PHOTO, [Replace("turn", "0", "1")], {"turn": BO, "tasks": (StartHike(),)}, BO, "Turn from Ana to Bo."),
        # A new turn includes the end of the last one, so no card is missing.
        (
            EARNING,
            [Replace("turn", "0", "1")],
            {"turn": BO, "tasks": (StartHike(),), "trail_end": ("climber-rock", None), "hand": None},
            ANA,
            "Turn from Ana to Bo.",
        ),
        (
            replace(SUN_TAKEN, turn=BO, turns_left=1),
            [Replace("turn", "1", "0")],
            {"turn": ANA, "turns_left": 0},
            ANA,
            "Turn from Bo to Ana.",
        ),
    ],
    "turn-steps": [
        (
            AT_PHOTO,
            [Replace("to_do", "do the photo site", "nothing more")],
            {"turn": BO, "tasks": (StartHike(),)},
            BO,
            "Next step from the photo site\u2019s action to end of the turn.",
        ),
        (
            AT_PHOTO,
            [Replace("to_do", "do the photo site", "hike")],
            {"turn": ANA, "tasks": (StartHike(),)},
            BO,
            "Next step from the photo site\u2019s action to hike.",
        ),
        (
            MOVING_SUN,
            [
                Replace("to_do", "roll the die, then move the Sun, then earn badges at Trail End", "do the photo site"),
                Replace("players.0.at", "trail-end", "photo"),
            ],
            {"tasks": (SiteAction("photo"),), "space": 4, "facing": 1},
            ANA,
            "Next step from roll the die, move the Sun, earn badges at Trail End to the photo site\u2019s action; "
            "Ana\u2019s hiker from Trail End to the photo site.",
        ),
        (
            AT_PHOTO,
            [
                Replace("bear", "acorn", "photo"),
                Replace("to_do", "do the photo site", "do the photo site and meet the bear"),
            ],
            {"tasks": (BearEncounter("photo"),), "bear": "photo"},
            ANA,
            "Bear from the acorn site to the photo site, "
            "next step from the photo site\u2019s action to the photo site\u2019s action and the bear.",
        ),
        # The automatic effect of a site applies here as well.
        (
            ANA_ON_LEAF,
            [Replace("to_do", "hike", "do the leaf site")],
            {"cubes": (1, 2, 1), "turn": BO},
            ANA,
            "Next step from hike to the leaf site\u2019s action, +1 leaf (leaf site).",
        ),
    ],
    "resource-limit": [
        (
            FULL,
            [Increment("players.0.acorn", -1)],
            {"cubes": (4, 4, 0), "turn": BO},
            ANA,
            "Ana\u2019s acorns 5 \u2192 4.",
        ),
    ],
    "last-round": [
        (
            SUN_TAKEN,
            [Replace("over", "no", "yes")],
            {"is_over": True, "tasks": (), "revealed": True},
            BO,
            "Game over from no to yes.",
        ),
        (
            START,
            [Replace("sun", "0", "taken 1"), Replace("over", "no", "yes")],
            {"is_over": True, "sun": FINAL_SUN, "sun_holder": BO, "turns_left": 0},
            BO,
            "Sun from bear icon at Trail End to taken by Bo, game over from no to yes.",
        ),
        (
            REVEALED,
            [Replace("over", "yes", "no")],
            {
                "is_over": False,
                "turn": ANA,
                "turns_left": 0,
                "tasks": (StartHike(),),
                "revealed": False,
                "photos": (BIRD, NO_PHOTO),
            },
            ANA,
            "Game over from yes to no.",
        ),
        (
            replace(OVER, trailhead=NO_CARDS).with_player(ANA, hand=NO_CARD),
            [Replace("over", "yes", "no")],
            {"hand": None, "trailhead": (None, None)},
            ANA,
            "Game over from yes to no.",
        ),
    ],
    "reveal": [
        (
            REVEALED,
            [Replace("players.0.photos.1", "0-0", "2-0")],
            {"is_over": True, "photos": (BIRD, Photo(2, 0)), "revealed": True},
            ANA,
            "Ana\u2019s photo 2 from 0 points to 2 points.",
        ),
        (
            REVEALED,
            [Increment("players.0.photos", -1)],
            {"photos": (BIRD,), "revealed": True},
            ANA,
            "Ana\u2019s photos 2 \u2192 1.",
        ),
        (
            REVEALED,
            [Increment("players.0.photos", 1)],
            {"photos": (BIRD, NO_PHOTO, None), "revealed": False},
            ANA,
            "Ana\u2019s photos 2 \u2192 3.",
        ),
        (
            REVEALED,
            [Replace("players.1.hand", "science", "seeker-leaf")],
            {"hand": "seeker-leaf"},
            BO,
            "Bo\u2019s hand badge from Science to Seeker (leaf).",
        ),
    ],
    "score-badges": [
        (
            REVEALED,
            [AddRemove("players.1.badges", ("first-aid-leaf",), ("science",))],
            {"badges": ("science",)},
            BO,
            "Bo\u2019s badges \u2212First Aid (leaf), +Science.",
        ),
    ],
}

# (state, changes, code, sentence)
REFUSED = {
    "components": [
        (START, [], "no-change", "This changes nothing."),
        (START, [Increment("players.1.acorn", 0)], "no-change", "This changes nothing."),
        (START, [Replace("bear", "acorn", "acorn")], "no-change", "This changes nothing."),
        (START, [Replace("players.1.hand", "card", "card")], "no-change", "This changes nothing."),
        (START, [AddRemove("players.1.badges")], "no-change", "This changes nothing."),
        (
            START,
            [Increment("players.1.acorn", 1), Increment("players.1.acorn", 1)],
            "twice",
            "Acorns is changed twice.",
        ),
        (
            START,
            [Increment("players.2.acorn", 1)],
            "no-such-figure",
            "There is nothing like this to correct at this table.",
        ),
        (
            START,
            [Replace("rulings.zero-birds", "nobody", "everyone")],
            "no-such-figure",
            "There is nothing like this to correct at this table.",
        ),
        (
            OVER,
            [Increment("players.1.acorn", 1)],
            "no-such-figure",
            "There is nothing like this to correct at this table.",
        ),
        (
            OVER,
            [Replace("players.1.revealed", "yes", "no")],
            "no-such-figure",
            "There is nothing like this to correct at this table.",
        ),
        (
            START,
            [Replace("players.0.photos.0", "2-0", "0-2")],
            "no-such-figure",
            "There is nothing like this to correct at this table.",
        ),
        (START, [Increment("players.1.acorn", -2)], "out-of-range", "Acorns: -1 is not possible. Enter 0 to 99."),
        (START, [Replace("players.1.acorn", "1", "2")], "no-such-change", "Acorns cannot be corrected this way."),
        (START, [Replace("bear", "leaf", "rock")], "otherwise-now", "Bear: this is the acorn site now."),
        (
            START,
            [Replace("bear", "acorn", "trailhead")],
            "no-such-thing",
            "Bear: \u201ctrailhead\u201d does not exist.",
        ),
        (
            START,
            [AddRemove("players.1.badges", less=("science",))],
            "otherwise-now",
            "Badges: Science is no longer there.",
        ),
        (
            START,
            [AddRemove("players.1.badges", more=("climber",))],
            "no-such-thing",
            "Badges: \u201cclimber\u201d does not exist.",
        ),
        (CROWD, [Increment("players.2.acorn", 1)], "box-counts", "The box has 15 acorns. The players would have 16."),
        (
            STAND_INS,
            [Increment("players.2.acorn", 1)],
            "box-counts",
            "The box has 15 acorns. The players would have 18.",
        ),
        (
            REVEALED,
            [Increment("players.0.photos", -1), Replace("players.0.photos.1", "0-0", "2-0")],
            "cannot-lie",
            "No table can look like that.",
        ),
    ],
    "setup-hiker": [
        (
            START,
            [Replace("players.0.hiker", "brown", "green")],
            "hiker-taken",
            "Two players have the green hiker. Choose another one.",
        )
    ],
    "setup-sites": [
        (
            START,
            [Replace("sites.0", "exchange", "leaf")],
            "five-sites",
            "The Trail needs each site once: acorn, leaf, rock, exchange and photo.",
        ),
    ],
    "sun-moves": [
        (
            MOVING_SUN,
            [Replace("sun", "6", "7")],
            "sun-to-move",
            "The Sun can’t move this turn. It is already on its final spot.",
        ),
    ],
    "site-action": [
        (
            AT_PHOTO,
            [Replace("players.0.at", "photo", "rock")],
            "elsewhere",
            "Ana, the bear and the Sun are not at the photo site.",
        ),
    ],
    "bear-met": [
        (MET, [Replace("bear", "acorn", "rock")], "no-meeting", "Ana and the bear are not both at the acorn site.")
    ],
    "earn-where": [
        (
            START,
            [Replace("to_do", "hike", "earn badges at Trail End")],
            "elsewhere",
            "Ana must be at Trail End to earn badges there.",
        ),
    ],
    "badge-copies": [
        (
            START,
            [AddRemove("players.1.badges", more=("climber-acorn",))],
            "badge-copies",
            "There is only one Climber (acorn), and it has already been entered. Choose another badge.",
        ),
    ],
    "hand-refill": [
        (
            START,
            [Replace("players.1.hand", "card", "none")],
            "hand-empty",
            "Bo has no hand badge, but the deck has 37 badges.",
        ),
    ],
    "end-checklist": [
        (
            START,
            [Replace("players.0.hand", "card", "none")],
            "gap",
            "A badge is missing at the start of a turn, but the deck has 37 badges.",
        ),
        (
            START,
            [Replace("trailhead.0", "climber-acorn", "none"), Replace("players.0.hand", "card", "none")],
            "gap",
            "A badge is missing at the start of a turn, but the deck has 37 badges.",
        ),
    ],
    "photo-count": [
        (NO_DECK, [Increment("discarded_photos", 2)], "photo-count", "The box has 32 photos, but 33 are entered."),
    ],
    "photo-deck-empty": [
        (
            NO_DECK,
            [Increment("discarded_photos", 1)],
            "photo-deck-empty",
            "The photo deck is empty. Flip the discard pile to make a new deck.",
        ),
    ],
    "resource-limit": [
        (
            START,
            [Increment("players.1.rock", 6)],
            "keep-eight",
            "Bo has 9 resources. The limit at the end of a turn is 8.",
        ),
        (FULL, [Replace("turn", "0", "1")], "keep-eight", "Ana has 9 resources. The limit at the end of a turn is 8."),
    ],
    "last-round": [
        (
            START,
            [Replace("over", "no", "yes")],
            "not-over",
            "Play ends after everyone else has had a turn once the Sun is taken.",
        ),
        (
            OVER,
            [Replace("sun", "taken 1", "7")],
            "not-over",
            "Play ends after everyone else has had a turn once the Sun is taken.",
        ),
    ],
}


@run_all_rows(
    "state, changes, expected, seat, log_text",
    [pytest.param(*case, id=f"{rule}-{number}") for rule, number, case in iterate_cases(TRACKED_GAME.box, EDITS)],
)
def test_edit_changes_the_fields_and_the_log_lists_them(state, changes, expected, seat, log_text):
    move = edit_move(*changes)
    after = TRACKED_GAME.play(validate_state(state), ANA, move)
    assert select_fields(validate_state(after), expected, seat) == expected
    assert TRACKED_GAME.log_sentence(state, after, ANA, move).lower() == logged_edit("Ana", log_text)


@run_all_rows(
    "state, changes, code, sentence",
    [pytest.param(*case, id=f"{rule}-{number}") for rule, number, case in iterate_cases(TRACKED_GAME.box, REFUSED)],
)
def test_impossible_edit_is_refused_with_its_reason(state, changes, code, sentence):
    found = list(TRACKED_GAME.objections(validate_state(state), ANA, edit_move(*changes)))
    assert [(reason.code, reason.text) for reason in found] == [(code, sentence)]


# Consent given later


def test_increment_is_added_to_the_value_at_the_time_of_consent():
    move = edit_move(Increment("players.0.leaf", 2))
    later = state_after(START, Hike(2))
    assert [state.players[ANA].cubes for state in (START, later)] == [(1, 1, 1), (1, 2, 1)]
    assert TRACKED_GAME.play(later, BO, move).players[ANA].cubes == (1, 4, 1)


@pytest.mark.parametrize(
    "change, meanwhile, sentence",
    [
        (Replace("players.0.at", "trailhead", "rock"), Hike(2), "Hiker: this is the leaf site now."),
        (Replace("players.0.canteen", "full", "empty"), Hike(5, canteen=True), "Canteen: this is empty now."),
        (Replace("turn", "0", "1"), Hike(2), "Turn: this is Bo now."),
    ],
)
def test_edit_of_a_value_that_changed_meanwhile_is_refused(change, meanwhile, sentence):
    assert TRACKED_GAME.is_legal(START, BO, edit_move(change))
    found = list(TRACKED_GAME.objections(state_after(START, meanwhile), BO, edit_move(change)))
    assert [(reason.code, reason.text) for reason in found] == [("otherwise-now", sentence)]


# Secrets


def fields_by_path(state: State) -> dict:
    return {field.path: field for field in TRACKED_GAME.position_format.editable_fields(state)}


def test_photos_show_only_their_number_until_all_are_revealed():
    playing = with_photos(with_photos(START, ANA, BIRD), BO, None)
    showing = with_photos(with_photos(replace(OVER, players=playing.players), ANA, BIRD), BO, None)
    for state in (playing, TRACKED_GAME.flow.resolve_forced_steps(showing)):
        assert [path for path in fields_by_path(state) if path.startswith("players.0.photos")] == ["players.0.photos"]
        assert fields_by_path(state)["players.0.photos"].value == 1
    revealed_fields = fields_by_path(
        TRACKED_GAME.play(TRACKED_GAME.flow.resolve_forced_steps(showing), BO, NotePhoto(2, 0))
    )
    assert {path: revealed_fields[path].value_text for path in ("players.0.photos.0", "players.1.photos.0")} == {
        "players.0.photos.0": "1 point, 1 bird",
        "players.1.photos.0": "2 points",
    }


def test_hand_shows_only_whether_there_is_a_card_until_all_is_revealed():
    held = START.with_player(BO, hand="science")
    assert fields_by_path(held)["players.1.hand"].value_text == "1 badge"
    assert fields_by_path(EARNING)["players.0.hand"].value_text == "none"
    assert fields_by_path(REVEALED)["players.1.hand"].value_text == "Science"


def test_edit_reveals_nothing_of_a_hand():
    """Whatever Bo has noted, Ana's answer and the public state are the same."""
    moves = [
        edit_move(AddRemove("players.0.badges", more=("seeker-leaf",))),
        edit_move(Replace("trailhead.0", "climber-acorn", "seeker-leaf")),
        edit_move(Replace("players.1.hand", "card", "card")),
        edit_move(Replace("players.1.hand", "card", "none")),
        edit_move(Increment("players.1.photos", -1)),
    ]
    heard = []
    for hand, face in ((None, None), ("science", BIRD), ("seeker-leaf", NO_PHOTO)):
        state = validate_state(with_photos(START.with_player(BO, hand=hand), BO, face, None))
        answers = [[str(reason) for reason in TRACKED_GAME.objections(state, ANA, move)] for move in moves]
        tables = [
            TRACKED_GAME.view(TRACKED_GAME.play(state, ANA, move), None)
            for move, no in zip(moves, answers, strict=True)
            if not no
        ]
        heard.append((answers, tables))
    assert heard[0] == heard[1] == heard[2]


# Effects on the rest of the game


def test_edit_during_a_turn_decides_what_is_possible_in_it():
    earning = replace(ANA_AT_END, tasks=(EarnBadges("trail-end"),)).with_player(ANA, cubes=(0, 0, 4))
    assert not TRACKED_GAME.is_legal(earning, ANA, EarnBadge("climber-rock"))
    assert TRACKED_GAME.is_legal(
        TRACKED_GAME.play(earning, BO, edit_move(Increment("players.0.rock", 1))), ANA, EarnBadge("climber-rock")
    )


def test_photo_added_after_the_reveal_must_be_named_by_its_player():
    state = TRACKED_GAME.play(REVEALED, BO, edit_move(Increment("players.0.photos", 1)))
    assert TRACKED_GAME.flow.to_move(state) == (ANA,)
    assert TRACKED_GAME.flow.to_move(TRACKED_GAME.play(state, ANA, NotePhoto(0, 2))) == ()


def test_edited_photo_counts_and_the_game_stays_over():
    before = TRACKED_GAME.box.score(TRACKED_GAME.final_position(REVEALED)).columns[ANA].total
    state = TRACKED_GAME.play(REVEALED, BO, edit_move(Replace("players.0.photos.1", "0-0", "2-0")))
    assert TRACKED_GAME.flow.to_move(state) == ()
    assert TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns[ANA].total == before + 2


def test_edit_that_ends_the_last_turn_ends_the_game():
    assert TRACKED_GAME.play(SUN_TAKEN, BO, edit_move(Replace("to_do", "hike", "nothing more"))).is_over


def test_last_round_and_reveal_have_their_own_chapters():
    assert [TRACKED_GAME.text.chapter(state) for state in (START, SUN_TAKEN, OVER, REVEALED)] == [
        "",
        "Last round",
        "Photos",
        "Photos",
    ]


def test_turn_starts_with_a_hike():
    assert [kind for kind in TRACKED_GAME.moves if kind.phase is Phase.TURN_START] == [Hike]


def test_edit_changes_only_the_named_fields():
    state = TRACKED_GAME.play(
        ON_LEAF, ANA, edit_move(Increment("players.0.acorn", 1), Replace("bear", "acorn", "rock"))
    )
    found = [
        (difference.seat, difference.label, difference.old, difference.new)
        for difference in compare_fields(
            TRACKED_GAME.position_format.editable_fields(ON_LEAF), TRACKED_GAME.position_format.editable_fields(state)
        )
    ]
    assert found == [(ANA, "acorns", "1", "2"), (None, "bear", "the acorn site", "the rock site")]


@pytest.mark.parametrize(
    ("space", "facing", "texts"),
    [
        (5, 1, ["hiker: the rock site, Trail End", "facing: Trail End, the Trailhead"]),
        (5, -1, ["hiker: the rock site, Trail End"]),
    ],
)
def test_hiker_at_trail_end_faces_the_trailhead(space, facing, texts):
    before = START.with_player(ANA, space=space, facing=facing)
    differences = compare_fields(
        *map(TRACKED_GAME.position_format.editable_fields, (before, before.with_player(ANA, space=6, facing=-1)))
    )
    assert [f"{change.label}: {change.old}, {change.new}" for change in differences] == texts


@pytest.mark.slow("random games path every table")
@parametrize_cases("number", range(3))
@pytest.mark.parametrize(
    "table",
    [table for table in TABLES if table.tracked is TRACKED_GAME],
    ids=lambda table: table.name.replace(" ", "-"),
)
def test_random_game_with_edits_adds_up_and_ends(table, number):
    rng = random.Random(f"{table.name} {number}")
    state, corrected = TRACKED_GAME.initial_state(table.setup), 0
    while seats := TRACKED_GAME.flow.to_move(state):
        if corrected < 40 and rng.random() < 0.5:
            known = [field for field in TRACKED_GAME.position_format.editable_fields(state) if not field.is_read_only]
            changes = [random_change(field, rng) for field in rng.sample(known, rng.choice((1, 1, 2, 3)))]
            move = edit_move(*filter(None, changes))
            if TRACKED_GAME.is_legal(state, ANA, move):
                after, corrected = TRACKED_GAME.play(state, ANA, move), corrected + 1
                assert TRACKED_GAME.log_sentence(state, after, ANA, move)
                assert (
                    TRACKED_GAME.position_format.from_data(
                        msgspec.json.decode(msgspec.json.encode(TRACKED_GAME.position_format.to_data(after)))
                    )
                    == after
                )
                state = after
            continue
        played = random_move(
            TRACKED_GAME,
            state,
            rng.choice(seats),
            rng,
            rng.sample(TRACKED_GAME.available_moves(state), len(TRACKED_GAME.available_moves(state))),
        )
        assert played, f"stuck: {state}"
        _, state = played
    assert corrected
