"""PARKS: the table as it lies, said and read again at every step of random games; what does not add up on one."""

import random

import pytest
from msgspec.structs import replace

from scoring.kernel.errors import Illegal, Malformed
from scoring.parks import PLAY
from scoring.parks.box import HomeMade, HomePark
from scoring.parks.moves.corrections import (
    Adopt,
    CorrectCanteens,
    CorrectGear,
    CorrectHiker,
    CorrectPark,
    CorrectPassion,
    CorrectPlayer,
    CorrectTable,
)
from scoring.parks.state import GONE, AskTile, Counted, Do, Extra, Lay, Pick, PlaceBug, Pour, SetOut
from tests.support.cases import every_row
from tests.support.parks_invariants import TABLES
from tests.support.parks_table import ANA, BO, ana, but, cases, have, laid, over, table
from tests.support.random_games import random_game

LYING = PLAY.lying
GAMES = [(table, seed) for table in TABLES if table.play is PLAY for seed in table.seeds(len(TABLES), every=20)]


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table, seed", GAMES, ids=lambda value: getattr(value, "name", value))
def test_a_table_is_said_and_read_again_at_every_step_and_adds_up(table, seed):
    log = []
    random_game(PLAY, table.setup, random.Random(seed), log, chatter=0.2)
    state = PLAY.begin(table.setup)
    for seat, move in [(0, None), *log]:
        state = PLAY.play(state, seat, move) if move else state
        assert LYING.state(LYING.says(state)) == state
        assert list(LYING.faults(state)) == []
        assert LYING.read(LYING.plain(state)) == state


PLAIN = table()


def test_a_plain_turn_needs_no_more_than_who_plays():
    state = LYING.read({"players": [{"name": "Ana"}, {"name": "Bo"}]})
    assert state == PLAY.begin(laid("Ana", "Bo"))


def test_a_table_is_told_in_the_words_of_people():
    told = {
        "players": [
            {"name": "Ana", "sun": 2, "hikers": ["end photo", "sun"], "reserve": ["Zion", {"card": "not named"}]},
            {"name": "Bo", "top": {"canteens": ["forest"], "water": True}, "hikers": ["trailhead", "site 2"]},
        ],
        "weather": ["none", "none", "none", "water", "none", "none", "none", "none", "none"],
        "parks": [{"card": "gone"}, "Redwood", {"card": "not named"}],
        "to_do": [
            {"do": "pour", "waters": 1},
            {"do": "choose", "of": [{"what": "photo"}, {"what": "roll", "gear": "compass-die"}]},
        ],
        "badge": 1,
    }
    state = LYING.read(told)
    ana, bo = state.players
    assert (ana.hikers, bo.hikers, ana.reserve, bo.filled) == ((3, 11), (0, 2), ("Zion", None), (True, False, False))
    assert state.parks == (GONE, "Redwood", None) and state.badge == BO
    assert state.tasks == (Pick((Extra("photo"), Extra("roll", "compass-die"))), Pour(1))
    # what nobody needs to tell: what is left in the trays, and which spaces of Trail End have been used
    assert state.tray == (15, 15, 28, 27, 14) and state.end_used == (False, True, False)


@every_row(
    "told, fault",
    [
        ({"hikers": ["trailhead", "lake"]}, 'players[0].hikers[1]: no space "lake"'),
        ({"hikers": ["trailhead", "site 10"]}, 'players[0].hikers[1]: no space "site 10"'),
        ({"reserve": [{"card": "lost"}]}, "players[0].reserve[0].card: "),
        ({"acorns": 1}, 'players[0]: no key "acorns"'),
    ],
)
def test_a_word_that_means_nothing_is_named_with_its_place(told, fault):
    with pytest.raises(Malformed) as refused:
        LYING.read({"players": [{"name": "Ana", **told}, {"name": "Bo"}]})
    assert str(refused.value).startswith(fault)


@pytest.mark.parametrize("step", [{"do": "swap"}, {"do": "gain later", "token": "forest"}])
def test_a_step_that_is_for_a_token_says_which(step):
    with pytest.raises(Malformed) as refused:
        LYING.read({"players": [{"name": "Ana"}, {"name": "Bo"}], "to_do": [step]})
    assert str(refused.value) == "to_do[0].token: which token is needed here"


def odd(seat: int | None = None, **changes):
    """Return a table that cannot lie so."""
    return but(PLAIN, seat, anyhow=True, **changes)


LIMITED = {"token-supply": "limited"}
LAYING = {"sites": (None, None, *PLAIN.sites[2:]), "shutterbug": None}
TWO_GARDENS = HomeMade(parks=(HomePark("Garden"), HomePark("Garden")))
FAULTS = {
    "players": [
        (odd(BO, name="Ana"), "Two players are called Ana; add an initial."),
        (odd(turn=2), "There is no such player at this table."),
        (odd(badge=5), "There is no such player at this table."),
    ],
    "token-supply": [
        (odd(BO, photos=-1), "Bo cannot have fewer than none of something."),
        (but(odd(rulings=LIMITED), BO, anyhow=True, tokens=have(forest=16)),
         "The box has 15 Forest; more than that lie here."),
        (but(odd(rulings=LIMITED), BO, anyhow=True, photos=29), "The box has 28 photos; more than that lie here."),
        (odd(rulings={"token-supply": "none"}), "\u201cnone\u201d is no reading of this: What if a kind of token, or the photos, run out?"),
    ],
    "home-made": [(odd(facts=TWO_GARDENS), "There is a park called Garden already.")],
    "components": [
        (odd(BO, visited=("Zionn",)), "There is no park \u201cZionn\u201d; did you mean \u201cZion\u201d?"),
        (odd(BO, gear=("kite",)), "There is no gear \u201ckite\u201d."),
        (odd(BO, passion="Botanic"), "There is no passion \u201cBotanic\u201d; did you mean \u201cBotany\u201d?"),
        (odd(tile="spring"), "There is no season tile \u201cspring\u201d; did you mean \u201cspring-sun\u201d or \u201cspring-water\u201d or \u201cspring-forest\u201d?"),
    ],
    "reserve": [(odd(BO, reserve=(GONE,)), "There are no gaps in a reserve.")],
    "setup-tiles": [
        (odd(sites=("forest", *PLAIN.sites[:8])), "There is only one Forest site."),
        (odd(sites=PLAIN.sites[:8]), "The Trail has nine sites."),
    ],
    "parks-site": [(odd(**LAYING | {"sites": (None,) * 9, "tasks": (SetOut(), PlaceBug(), Lay())}), "The Parks site is printed on the board.")],
    "setup-displays": [
        (odd(parks=()), "1 to 8 parks and gear cards lie open."),
        (odd(canteens=()), "3 canteens lie open."),
    ],
    "park-once": [
        (odd(BO, visited=("Zion",)), "There is only one Zion, but it lies among the open parks and visited by Bo."),
        (odd(BO, reserve=(None,) * 61), "More parks lie on the table than there are."),
    ],
    "setup-passions": [
        (but(odd(ANA, passion="Botany"), BO, anyhow=True, passion="Botany"), "There is only one Botany, but Ana and Bo have it."),
    ],
    "passion-side": [(odd(BO, side="end"), "Bo has chosen a side of a passion nobody has named.")],
    "passion-goal": [(odd(BO, bought=-1), "Bo cannot have done something fewer than no times.")],
    "canteen-rows": [
        (odd(BO, canteens=(("photo",) * 3, (), ())), "The top row of Bo has room for two canteens."),
    ],
    "canteen-brings": [(odd(BO, filled=(False, True, False)), "Without a canteen no Water can be in the middle row of Bo.")],
    "shutterbug-faces": [(odd(shutterbug="gear"), "The Shutterbug lies only under a site that is on the die.")],
    "end-choice": [
        (replace(PLAIN, players=(replace(PLAIN.players[0], hikers=(0, 11)), PLAIN.players[1])),
         "A hiker stands at Trail End, Photo: it has had its first visitor."),
        (replace(PLAIN, players=(replace(PLAIN.players[0], hikers=(0, 13)), PLAIN.players[1])), "A hiker of Ana stands beside the Trail."),
    ],
    "setup-season-tile": [
        (odd(tile="fall-sun"), "This is Spring; its tile is not of this season."),
        (odd(tasks=(AskTile(),)), "The tile of this season has been named already."),
    ],
    "seasons": [
        (
            over(anyhow=True, season=1, tile="summer-gear"),
            "The game is over when its third season is, with a tile that was counted.",
        ),
    ],
    "season-over": [(odd(season=2, tile="fall-sun", over=True, tasks=()), "The game is over when all hikers are at Trail End.")],
    "turn-steps": [
        (odd(tasks=()), "A turn has something left to do."),
        (odd(tasks=(Pour(0),)), "Nothing is left of what there is to do."),
        (odd(tasks=(Pick(()),)), "Nothing is left of what there is to do."),
    ],
    "site-action": [(odd(tasks=(Do("roll"), SetOut())), "A turn starts with a hike: nothing waits until after it.")],
    "trail-again": [
        (odd(sites=LAYING["sites"]), "Tiles are laid as long as there are sites without one."),
        (odd(tasks=(SetOut(), Lay())), "Tiles are laid as long as there are sites without one."),
    ],
    "setup-shutterbug": [
        (odd(shutterbug=None), "The die is rolled for the Shutterbug as long as it lies nowhere."),
        (odd(tasks=(SetOut(), PlaceBug())), "The die is rolled for the Shutterbug as long as it lies nowhere."),
    ],
    "gear-once": [(odd(used=("compass-die",)), "More gear has worked than Ana has.")],
    "season-bonus": [
        (odd(awards=(BO,)), "A bonus is given once it has been counted, in Spring and Summer."),
        (odd(counted=Counted("spring-sun", (1,))), "A bonus is counted for every player."),
    ],
}  # fmt: skip


@pytest.mark.parametrize("state, line", cases(FAULTS))
def test_what_does_not_add_up_is_said_in_one_line_by_its_rule(state, line, request):
    rule = request.node.callspec.id.rpartition("-")[0]
    assert [(reason.rule.id, reason.text) for reason in LYING.faults(state)] == [(rule, line)]


def test_stand_ins_from_before_a_ruling_may_still_lie_there():
    many = but(table(), BO, tokens=have(forest=16), photos=29)
    ruled = PLAY.play(many, ANA, Adopt("token-supply", "limited"))
    assert list(LYING.faults(ruled)) == [] and ruled.stand_ins
    assert not PLAY.play(PLAIN, ANA, Adopt("token-supply", "limited")).stand_ins


def test_a_table_that_does_not_add_up_is_not_read():
    with pytest.raises(Illegal) as refused:
        LYING.read({"players": [{"name": "Ana", "visited": ["Zion"]}, {"name": "Bo", "visited": ["Zion"]}]})
    assert [reason.code for reason in refused.value.reasons] == ["park-once"]


# Corrections are judged by the table they would leave.

BO_AT_END = but(PLAIN, BO, hikers=(0, 11))


def test_a_hiker_who_is_corrected_takes_along_who_has_been_first_at_trail_end():
    there = PLAY.play(PLAIN, ANA, CorrectHiker(BO, 0, 11))
    assert there.end_used == (False, True, False)
    elsewhere = PLAY.play(there, ANA, CorrectHiker(BO, 11, 12))
    assert elsewhere.end_used == (False, False, True)
    assert PLAY.play(elsewhere, ANA, CorrectHiker(BO, 12, 0)).end_used == (False, False, False)
    used = PLAY.play(PLAIN, ANA, CorrectTable(photo_used=True))
    assert PLAY.play(used, ANA, CorrectHiker(BO, 0, 12)).end_used == (False, True, True)


def test_gear_that_is_not_there_has_not_worked():
    state = but(ana(gear=("compass-die", "journal-sun")), used=("compass-die",))
    assert PLAY.play(state, BO, CorrectGear(ANA, "compass-die", False)).used == ()
    assert PLAY.play(state, BO, CorrectGear(ANA, "journal-sun", False)).used == ("compass-die",)


@every_row(
    "state, move, code",
    [
        (BO_AT_END, CorrectTable(photo_used=False), "end-used"),
        (but(PLAIN, BO, visited=("Acadia",)), CorrectPark(ANA, "Acadia", "reserve"), "park-once"),
        (but(PLAIN, BO, reserve=(None,) * 60), CorrectPark(ANA, "Acadia", "visited"), "deck-empty"),
        (but(PLAIN, BO, passion="Botany"), CorrectPassion(ANA, "Botany"), "passion-taken"),
        (PLAIN, CorrectCanteens(ANA, 0, water=True), "row-empty"),
    ],
)
def test_a_correction_that_leaves_what_cannot_be_is_refused(state, move, code):
    assert [reason.code for reason in PLAY.objections(state, ANA, move)] == [code]


def test_a_fault_that_was_there_before_does_not_stand_in_the_way_of_another_correction():
    state = but(PLAIN, BO, anyhow=True, side="end")
    assert list(PLAY.objections(state, ANA, CorrectPlayer(ANA, sun=2))) == []
