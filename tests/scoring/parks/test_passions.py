"""PARKS: every passion's goal is noticed, and both of its sides work."""

from scoring.parks import PLAY
from scoring.parks.box import PARKS, PASSIONS, HomeMade, HomePassion
from scoring.parks.moves.corrections import CorrectPark, CorrectPassion
from scoring.parks.moves.hiking import Hike, Leave, TakeSide
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NamePassion
from scoring.parks.moves.sites import Fill, Roll, SwapToken, TakePhoto
from scoring.parks.points import ChosenPassion, Final, FinalPlayer
from scoring.parks.state import ChooseSide, Do, Parks, Swap
from tests.support.cases import every_row
from tests.support.parks_table import (
    ANA,
    BO,
    DIE,
    END_GEAR,
    END_PARKS,
    FOREST,
    GEAR_SITE,
    MOUNTAIN,
    PARKS_SITE,
    PHOTO,
    WATER,
    after,
    ana,
    but,
    cited,
    codes,
    have,
    offered,
    shown,
    table,
)

LOTS = have(9, 9, 9, 9, 9)
ALWAYS = {"passion-once": "always"}


def having(passion: str, side: str | None = None, rulings: dict | None = None, **changes):
    """Return Ana with a passion and a backpack full of everything."""
    return ana(table(rulings=rulings), **{"passion": passion, "side": side, "tokens": LOTS, **changes})


def visiting(passion: str, *names: str, side: str | None = None, rulings: dict | None = None, **changes):
    """Return Ana in a Parks action with these parks reserved."""
    open_parks = tuple(name for name in ("Zion", "Redwood", "Yellowstone") if name not in names)
    start = but(having(passion, side, rulings, **changes), parks=open_parks)
    return after(ana(start, reserve=names), Hike(0, PARKS_SITE))


# Each goal: a table and the moves of which the last one meets it.
GOALS = {
    "Adventure": (
        visiting("Adventure", "Channel Islands", "Voyageurs"),
        [VisitPark("Channel Islands"), VisitPark("Voyageurs")],
    ),
    "Birdwatching": (visiting("Birdwatching", "Arches", "Saguaro"), [VisitPark("Arches"), VisitPark("Saguaro")]),
    "Botany": (visiting("Botany", "Congaree", "Saguaro"), [VisitPark("Congaree"), VisitPark("Saguaro")]),
    "Collecting": (
        after(having("Collecting", bought=1, gear=("journal-sun",)), Hike(0, GEAR_SITE)),
        [BuyGear("journal-water")],
    ),
    "Forestry": (
        visiting("Forestry", "Congaree", "Saguaro", "Sequoia"),
        [VisitPark("Congaree"), VisitPark("Saguaro"), VisitPark("Sequoia")],
    ),
    "Kayaking": (visiting("Kayaking", "Katmai", "Everglades"), [VisitPark("Katmai"), VisitPark("Everglades")]),
    "Mountaineering": (
        visiting("Mountaineering", "Arches", "Mammoth Cave", "Haleakala"),
        [VisitPark("Arches"), VisitPark("Mammoth Cave"), VisitPark("Haleakala")],
    ),
    "Rock Climbing": (
        visiting("Rock Climbing", "Mammoth Cave", "Arches"),
        [VisitPark("Mammoth Cave"), VisitPark("Arches")],
    ),
    "Swimming": (visiting("Swimming", "Katmai", "Lake Clark"), [VisitPark("Katmai"), VisitPark("Lake Clark")]),
    "Wildlife": (after(having("Wildlife"), Hike(0, PHOTO)), [TakePhoto("wildlife")]),
}


@every_row("passion", PASSIONS)
def test_the_app_notices_when_a_goal_is_met_and_not_before(passion):
    state, moves = GOALS[passion]
    before = after(state, *moves[:-1])
    assert ChooseSide() not in before.tasks and before.players[ANA].side is None
    met = after(before, moves[-1])
    assert met.tasks[-1] == ChooseSide() and met.turn == ANA
    assert offered(met, TakeSide) == [TakeSide("gear"), TakeSide("end")]
    assert after(met, TakeSide("end")).players[ANA].side == "end"
    assert after(met, TakeSide("gear")).players[ANA].side == "gear"


# Each gear side at work, once: a table, moves, and what comes of it.
GEAR_SIDES = {
    "Adventure": (
        visiting("Adventure", "Voyageurs", side="gear"),
        [VisitPark("Voyageurs"), Roll("mountain")],
        {"tokens": have(6, 10, 10, 6, 9), "passion_used": True},
    ),
    "Birdwatching": (
        visiting("Birdwatching", "Arches", side="gear"),
        [VisitPark("Arches")],
        {"tokens": have(9, 8, 8, 9, 9)},
    ),
    "Botany": (having("Botany", "gear"), [Hike(0, FOREST), SwapToken()], {"tokens": have(9, 9, 9, 9, 10), "turn": BO}),
    "Collecting": (
        after(having("Collecting", "gear"), Hike(0, GEAR_SITE)),
        [BuyGear("field-guide-forest")],
        {"tokens": LOTS, "gear": ("field-guide-forest",)},
    ),
    "Forestry": (
        visiting("Forestry", "Congaree", side="gear"),
        [VisitPark("Congaree")],
        {"tokens": have(8, 9, 9, 9, 9)},
    ),
    "Kayaking": (
        visiting("Kayaking", "Everglades", side="gear"),
        [VisitPark("Everglades")],
        {"tokens": have(9, 9, 9, 6, 9)},
    ),
    "Mountaineering": (
        visiting("Mountaineering", "Arches", side="gear"),
        [VisitPark("Arches")],
        {"tokens": have(9, 9, 7, 9, 9)},
    ),
    "Rock Climbing": (
        having("Rock Climbing", "gear"),
        [Hike(0, MOUNTAIN), SwapToken()],
        {"tokens": have(9, 9, 9, 9, 10), "turn": BO},
    ),
    "Swimming": (
        after(having("Swimming", "gear", canteens=(("forest",), (), ())), Hike(0, WATER)),
        [Fill(0), Roll("wildlife")],
        {"tokens": have(10, 9, 9, 10, 10), "turn": BO},
    ),
    "Wildlife": (
        after(having("Wildlife", "gear"), Hike(0, PHOTO)),
        [TakePhoto("wildlife")],
        {"photos": 2, "wild_photos": 1, "tokens": have(9, 9, 9, 9, 8)},
    ),
}


@every_row("passion", PASSIONS)
def test_the_gear_side_works(passion):
    state, moves, expected = GEAR_SIDES[passion]
    assert shown(after(state, *moves), expected) == expected


@every_row("passion", PASSIONS)
def test_the_end_side_does_nothing_before_the_end(passion):
    state, moves, expected = GEAR_SIDES[passion]
    on_end_side = PLAY.settle(but(state, ANA, side="end"))
    plain = after(PLAY.settle(but(state, ANA, passion=None, side=None)), *moves[:1])
    assert shown(after(on_end_side, *moves[:1]), {"tokens": 0, "photos": 0}) == shown(plain, {"tokens": 0, "photos": 0})


# A gear side a second time in the same turn: not by the default, but by the other ruling.
AGAIN = {
    "Adventure": (
        ("Voyageurs", "Channel Islands"),
        [VisitPark("Voyageurs"), Roll("wildlife"), VisitPark("Channel Islands")],
    ),
    "Birdwatching": (("Arches", "Saguaro"), [VisitPark("Arches"), VisitPark("Saguaro")]),
    "Forestry": (("Congaree", "Sequoia"), [VisitPark("Congaree"), VisitPark("Sequoia")]),
    "Kayaking": (("Everglades", "Katmai"), [VisitPark("Everglades"), VisitPark("Katmai")]),
    "Mountaineering": (("Arches", "Zion"), [VisitPark("Arches"), VisitPark("Zion")]),
}


@every_row("passion", ["Birdwatching", "Forestry", "Kayaking", "Mountaineering"])
def test_parks_are_cheaper_once_in_a_turn_or_always_as_the_table_rules(passion):
    names, moves = AGAIN[passion]
    paid = sum(sum(PARKS[name].cost) for name in names)
    once = after(visiting(passion, *names, side="gear"), *moves)
    always = after(visiting(passion, *names, side="gear", rulings=ALWAYS), *moves)
    assert sum(once.players[ANA].tokens) == 45 - paid + 1
    assert sum(always.players[ANA].tokens) == 45 - paid + 2


def test_adventure_rolls_once_in_a_turn_or_always_as_the_table_rules():
    names, moves = AGAIN["Adventure"]
    assert Do("roll") not in after(visiting("Adventure", *names, side="gear"), *moves).tasks
    assert Do("roll") in after(visiting("Adventure", *names, side="gear", rulings=ALWAYS), *moves).tasks


def test_swimming_rolls_once_in_a_turn_or_always_as_the_table_rules():
    rows = (("forest",), ("mountain",), ())
    once = after(having("Swimming", "gear", canteens=rows), Hike(0, WATER), Fill(0), Fill(1))
    always = after(having("Swimming", "gear", ALWAYS, canteens=rows), Hike(0, WATER), Fill(0), Fill(1))
    assert once.tasks.count(Do("roll")) == 1 and always.tasks.count(Do("roll")) == 2


def test_wildlife_pays_for_two_photos_once_in_a_turn_or_always_as_the_table_rules():
    for rulings, photos in ((None, 3), (ALWAYS, 4)):
        state = but(having("Wildlife", "gear", rulings), badge=ANA)
        state = after(state, Hike(0, PHOTO), TakePhoto("wildlife"), TakePhoto("wildlife"))
        assert state.players[ANA].photos == photos


def test_botany_swaps_each_forest_or_one_of_a_turn_as_the_table_rules():
    rows = (("forest", "forest"), (), ())
    start = after(having("Botany", "gear", canteens=rows), Hike(0, WATER), Fill(0))
    assert start.tasks == (Swap("forest"),)
    assert after(start, SwapToken()).turn == BO and after(start, SwapToken()).players[ANA].tokens == have(
        10, 9, 9, 10, 10
    )
    always = after(having("Botany", "gear", ALWAYS, canteens=rows), Hike(0, WATER), Fill(0), SwapToken(), SwapToken())
    assert always.players[ANA].tokens == have(9, 9, 9, 10, 11)


def test_a_token_may_be_kept_and_other_tokens_are_not_swapped():
    assert after(having("Botany", "gear"), Hike(0, FOREST), Leave()).players[ANA].tokens == have(10, 9, 9, 9, 9)
    assert after(having("Botany", "gear"), Hike(0, MOUNTAIN)).turn == BO
    assert after(having("Rock Climbing", "gear"), Hike(0, FOREST)).turn == BO


def test_collecting_is_free_at_the_market_and_the_deck_or_only_the_market_as_the_table_rules():
    anywhere = after(having("Collecting", "gear", tokens=have()), Hike(0, GEAR_SITE))
    assert offered(anywhere, BuyGear) == [BuyGear(card) for card in (*table().market, None)]
    assert after(anywhere, BuyGear(), DrawGear("journal-sun")).players[ANA].gear == ("journal-sun",)
    market = after(having("Collecting", "gear", {"free-gear": "market"}, tokens=have()), Hike(0, GEAR_SITE))
    assert offered(market, BuyGear) == [BuyGear(card) for card in table().market]


def test_collecting_is_free_once_in_a_turn_or_always_as_the_table_rules():
    for rulings, suns in ((None, 7), (ALWAYS, 9)):
        alone = but(having("Collecting", "gear", rulings), BO, hikers=(END_GEAR, END_GEAR))
        state = after(
            but(alone, end_used=(True,) * 3),
            Hike(0, END_GEAR),
            BuyGear("journal-water"),
            Hike(0, END_GEAR),
            BuyGear("binoculars-reserve"),
        )
        assert state.players[ANA].tokens == have(9, 9, suns, 9, 9)


def test_a_side_chosen_in_the_middle_of_a_turn_works_for_what_follows():
    state = visiting("Birdwatching", "Arches", "Saguaro", "White Sands")
    state = after(state, VisitPark("Arches"), VisitPark("Saguaro"), TakeSide("gear"), VisitPark("White Sands"))
    assert state.players[ANA].tokens == have(8, 8, 5, 9, 8)


def test_a_goal_is_not_met_for_somebody_else_and_is_noticed_in_ones_own_turn():
    state = but(table(), BO, passion="Wildlife", wild_photos=1)
    assert state.tasks == PLAY.settle(state).tasks
    assert after(state, Hike(0, FOREST)).tasks[-1] == ChooseSide()


def test_a_passion_named_late_is_noticed_at_once():
    state = ana(visited=("Arches", "Saguaro"))
    assert PLAY.play(state, ANA, NamePassion("Birdwatching")).tasks[-1] == ChooseSide()


def test_a_passion_is_turned_over_before_anything_else():
    state, moves = GOALS["Birdwatching"]
    met = after(state, *moves)
    assert codes(met, Leave()) == ["finish-first"] and cited(met, Leave()) == {"turn-steps"}
    assert codes(after(state, moves[0]), TakeSide("end")) == ["goal-not-met"]
    assert after(met, TakeSide("end")).tasks == (Parks(visited=True),)


def test_a_goal_that_a_correction_takes_away_is_not_asked_for():
    met = PLAY.settle(ana(passion="Birdwatching", visited=("Arches", "Badlands")))
    assert met.tasks[-1] == ChooseSide()
    for correction in (
        CorrectPark(ANA, "Arches", "nowhere"),
        CorrectPassion(ANA, "Adventure"),
        CorrectPassion(ANA, "Birdwatching", "end"),
    ):
        assert ChooseSide() not in PLAY.play(met, BO, correction).tasks


def test_a_passion_named_late_is_turned_over_before_the_game_ends():
    state = but(table(tile="fall-sun", season=2, end_used=(True,) * 3), BO, hikers=(9, 12))
    state = ana(state, hikers=(12, 12), passion="Birdwatching", visited=("Arches", "Badlands"))
    state = after(but(state, turn=BO), Hike(9, 12))
    assert not state.over and PLAY.to_move(state) == (ANA,) and state.tasks == (ChooseSide(),)
    state = after(state, TakeSide("end"))
    assert state.over and state.players[ANA].side == "end"


def test_free_gear_of_a_season_does_not_count_as_bought():
    state = having("Collecting", bought=1, gear=("journal-sun", "journal-water"))
    assert PLAY.settle(state).players[ANA].side is None and ChooseSide() not in PLAY.settle(state).tasks


END_SIDES = {
    "Adventure": ({"parks": ("Channel Islands", "Voyageurs", "Zion")}, 2),
    "Birdwatching": ({"parks": ("Arches", "Saguaro", "Zion")}, 2),
    "Botany": ({"parks": ("Congaree", "Olympic", "Zion")}, 2),  # five forests
    "Collecting": ({"gear": ("Journal", "Journal", "Compass")}, 3),
    "Forestry": ({"parks": ("Congaree", "Olympic", "Zion")}, 2),
    "Kayaking": ({"parks": ("Katmai", "Everglades", "Zion")}, 2),
    "Mountaineering": ({"parks": ("Zion", "Arches", "Katmai")}, 2),
    "Rock Climbing": ({"parks": ("Zion", "Arches", "Mammoth Cave", "Lake Clark")}, 3),  # seven mountains
    "Swimming": ({"parks": ("Everglades", "Katmai", "Zion")}, 2),  # five waters
    "Wildlife": ({"photos": 8}, 2),
}


def passion_points(passion: ChosenPassion, **things) -> int:
    sheet = PLAY.box.score(Final((FinalPlayer("Ana", passion=passion, **things), FinalPlayer("Bo"))))
    return sheet.columns[0].of("passion")


@every_row("passion", PASSIONS)
def test_the_end_side_scores(passion):
    things, points = END_SIDES[passion]
    assert passion_points(ChosenPassion(passion, "end"), **things) == points
    assert passion_points(ChosenPassion(passion, "gear"), **things) == 0
    assert passion_points(ChosenPassion(passion, "end")) == 0


def test_a_passion_of_ones_own_plays_along():
    home = HomeMade(passions=(HomePassion("Stargazing", "photos", 2, "two photos", "photos", 2),))
    start = ana(table(facts=home), passion="Stargazing", tokens=LOTS)
    state = after(ana(start, photos=1), Hike(0, PHOTO), TakePhoto("sun"))
    assert state.tasks[-1] == ChooseSide()
    state = after(state, TakeSide("end"))
    assert PLAY.box.score(PLAY.final(state)).columns[0].of("passion") == 1
    assert after(ana(start, side="gear"), Hike(0, PHOTO), TakePhoto("wildlife")).players[ANA].photos == 2


def test_a_photo_for_another_token_does_not_complete_wildlife():
    state = after(having("Wildlife"), Hike(0, PHOTO), TakePhoto("sun"))
    assert state.players[ANA].wild_photos == 0 and state.turn == BO


def test_adventure_does_not_roll_at_a_park_without_an_instant():
    state = after(visiting("Adventure", "Arches", side="gear"), VisitPark("Arches"))
    assert Do("roll") not in state.tasks and not state.passion_used


def test_reserving_or_rolling_completes_nothing():
    state = after(having("Adventure"), Hike(0, END_PARKS), Reserve("Zion"))
    assert state.turn == BO
    assert after(having("Swimming"), Hike(0, DIE), Roll("2 water")).turn == BO


def test_the_sides_of_a_passion_nobody_at_a_seat_has_named_need_no_words():
    state = ana(table())
    assert state.passion_of(ANA) is None
    assert TakeSide("gear").hint(state, ANA) == TakeSide("end").hint(state, ANA) == ""
