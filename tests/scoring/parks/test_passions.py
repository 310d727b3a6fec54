"""PARKS: every passion's goal is detected, and both of its sides have their effect."""

from scoring.kernel.editable import AddRemove, Replace
from scoring.parks import TRACKED_GAME
from scoring.parks.box import PARKS, PASSIONS, CustomCards, CustomPassion
from scoring.parks.moves.corrections import EditPosition
from scoring.parks.moves.hiking import Hike, Skip, TakeSide
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NamePassion
from scoring.parks.moves.sites import FillCanteenRow, Roll, SwapToken, TakePhoto
from scoring.parks.points import FinalPassion, FinalPlayer, FinalPosition
from scoring.parks.state import ChooseSide, DoAction, ParksAction, SwapGainedToken
from tests.support.parametrize import run_all_rows
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
    legal_moves,
    make_state,
    objection_codes,
    objection_rules,
    select_fields,
    state_after,
    token_counts,
    with_ana,
    with_changes,
)

LOTS = token_counts(9, 9, 9, 9, 9)
ALWAYS = {"passion-once": "always"}


def state_with_passion(passion: str, side: str | None = None, rulings: dict | None = None, **changes):
    """Return Ana with a passion and plenty of tokens."""
    return with_ana(make_state(rulings=rulings), **{"passion": passion, "side": side, "tokens": LOTS, **changes})


def state_in_parks_action(passion: str, *names: str, side: str | None = None, rulings: dict | None = None, **changes):
    """Return Ana in a Parks action with these parks reserved."""
    open_parks = tuple(name for name in ("Zion", "Redwood", "Yellowstone") if name not in names)
    start = with_changes(state_with_passion(passion, side, rulings, **changes), parks=open_parks)
    return state_after(with_ana(start, reserve=names), Hike(0, PARKS_SITE))


# Each goal: a state, and moves of which the last one meets it.
GOALS = {
    "Adventure": (
        state_in_parks_action("Adventure", "Channel Islands", "Voyageurs"),
        [VisitPark("Channel Islands"), VisitPark("Voyageurs")],
    ),
    "Birdwatching": (
        state_in_parks_action("Birdwatching", "Arches", "Saguaro"),
        [VisitPark("Arches"), VisitPark("Saguaro")],
    ),
    "Botany": (state_in_parks_action("Botany", "Congaree", "Saguaro"), [VisitPark("Congaree"), VisitPark("Saguaro")]),
    "Collecting": (
        state_after(state_with_passion("Collecting", bought=1, gear=("journal-sun",)), Hike(0, GEAR_SITE)),
        [BuyGear("journal-water")],
    ),
    "Forestry": (
        state_in_parks_action("Forestry", "Congaree", "Saguaro", "Sequoia"),
        [VisitPark("Congaree"), VisitPark("Saguaro"), VisitPark("Sequoia")],
    ),
    "Kayaking": (
        state_in_parks_action("Kayaking", "Katmai", "Everglades"),
        [VisitPark("Katmai"), VisitPark("Everglades")],
    ),
    "Mountaineering": (
        state_in_parks_action("Mountaineering", "Arches", "Mammoth Cave", "Haleakala"),
        [VisitPark("Arches"), VisitPark("Mammoth Cave"), VisitPark("Haleakala")],
    ),
    "Rock Climbing": (
        state_in_parks_action("Rock Climbing", "Mammoth Cave", "Arches"),
        [VisitPark("Mammoth Cave"), VisitPark("Arches")],
    ),
    "Swimming": (
        state_in_parks_action("Swimming", "Katmai", "Lake Clark"),
        [VisitPark("Katmai"), VisitPark("Lake Clark")],
    ),
    "Wildlife": (state_after(state_with_passion("Wildlife"), Hike(0, PHOTO)), [TakePhoto("wildlife")]),
}


@run_all_rows("passion", PASSIONS)
def test_goal_is_detected_when_it_is_met_and_not_before(passion):
    state, moves = GOALS[passion]
    before = state_after(state, *moves[:-1])
    assert ChooseSide() not in before.tasks and before.players[ANA].side is None
    met = state_after(before, moves[-1])
    assert met.tasks[-1] == ChooseSide() and met.turn == ANA
    assert legal_moves(met, TakeSide) == [TakeSide("gear"), TakeSide("end")]
    assert state_after(met, TakeSide("end")).players[ANA].side == "end"
    assert state_after(met, TakeSide("gear")).players[ANA].side == "gear"


# Each gear side used once: a state, moves, and the expected values.
GEAR_SIDES = {
    "Adventure": (
        state_in_parks_action("Adventure", "Voyageurs", side="gear"),
        [VisitPark("Voyageurs"), Roll("mountain")],
        {"tokens": token_counts(6, 10, 10, 6, 9), "is_passion_used": True},
    ),
    "Birdwatching": (
        state_in_parks_action("Birdwatching", "Arches", side="gear"),
        [VisitPark("Arches")],
        {"tokens": token_counts(9, 8, 8, 9, 9)},
    ),
    "Botany": (
        state_with_passion("Botany", "gear"),
        [Hike(0, FOREST), SwapToken()],
        {"tokens": token_counts(9, 9, 9, 9, 10), "turn": BO},
    ),
    "Collecting": (
        state_after(state_with_passion("Collecting", "gear"), Hike(0, GEAR_SITE)),
        [BuyGear("field-guide-forest")],
        {"tokens": LOTS, "gear": ("field-guide-forest",)},
    ),
    "Forestry": (
        state_in_parks_action("Forestry", "Congaree", side="gear"),
        [VisitPark("Congaree")],
        {"tokens": token_counts(8, 9, 9, 9, 9)},
    ),
    "Kayaking": (
        state_in_parks_action("Kayaking", "Everglades", side="gear"),
        [VisitPark("Everglades")],
        {"tokens": token_counts(9, 9, 9, 6, 9)},
    ),
    "Mountaineering": (
        state_in_parks_action("Mountaineering", "Arches", side="gear"),
        [VisitPark("Arches")],
        {"tokens": token_counts(9, 9, 7, 9, 9)},
    ),
    "Rock Climbing": (
        state_with_passion("Rock Climbing", "gear"),
        [Hike(0, MOUNTAIN), SwapToken()],
        {"tokens": token_counts(9, 9, 9, 9, 10), "turn": BO},
    ),
    "Swimming": (
        state_after(state_with_passion("Swimming", "gear", canteens=(("forest",), (), ())), Hike(0, WATER)),
        [FillCanteenRow(0), Roll("wildlife")],
        {"tokens": token_counts(10, 9, 9, 10, 10), "turn": BO},
    ),
    "Wildlife": (
        state_after(state_with_passion("Wildlife", "gear"), Hike(0, PHOTO)),
        [TakePhoto("wildlife")],
        {"photos": 2, "wild_photos": 1, "tokens": token_counts(9, 9, 9, 9, 8)},
    ),
}


@run_all_rows("passion", PASSIONS)
def test_gear_side_has_its_effect(passion):
    state, moves, expected = GEAR_SIDES[passion]
    assert select_fields(state_after(state, *moves), expected) == expected


@run_all_rows("passion", PASSIONS)
def test_end_side_has_no_effect_before_the_end(passion):
    state, moves, expected = GEAR_SIDES[passion]
    on_end_side = TRACKED_GAME.flow.resolve_forced_steps(with_changes(state, ANA, side="end"))
    plain = state_after(
        TRACKED_GAME.flow.resolve_forced_steps(with_changes(state, ANA, passion=None, side=None)), *moves[:1]
    )
    assert select_fields(state_after(on_end_side, *moves[:1]), {"tokens": 0, "photos": 0}) == select_fields(
        plain, {"tokens": 0, "photos": 0}
    )


# A gear side used a second time in the same turn: not by default, but by the other ruling.
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


@run_all_rows("passion", ["Birdwatching", "Forestry", "Kayaking", "Mountaineering"])
def test_parks_are_cheaper_once_in_a_turn_or_always_by_ruling(passion):
    names, moves = AGAIN[passion]
    paid = sum(sum(PARKS[name].cost) for name in names)
    by_default = state_after(state_in_parks_action(passion, *names, side="gear"), *moves)
    by_ruling = state_after(state_in_parks_action(passion, *names, side="gear", rulings=ALWAYS), *moves)
    assert sum(by_default.players[ANA].tokens) == 45 - paid + 1
    assert sum(by_ruling.players[ANA].tokens) == 45 - paid + 2


def test_adventure_rolls_once_in_a_turn_or_always_by_ruling():
    names, moves = AGAIN["Adventure"]
    assert DoAction("roll") not in state_after(state_in_parks_action("Adventure", *names, side="gear"), *moves).tasks
    assert (
        DoAction("roll")
        in state_after(state_in_parks_action("Adventure", *names, side="gear", rulings=ALWAYS), *moves).tasks
    )


def test_swimming_rolls_once_in_a_turn_or_always_by_ruling():
    rows = (("forest",), ("mountain",), ())
    by_default = state_after(
        state_with_passion("Swimming", "gear", canteens=rows), Hike(0, WATER), FillCanteenRow(0), FillCanteenRow(1)
    )
    by_ruling = state_after(
        state_with_passion("Swimming", "gear", ALWAYS, canteens=rows),
        Hike(0, WATER),
        FillCanteenRow(0),
        FillCanteenRow(1),
    )
    assert by_default.tasks.count(DoAction("roll")) == 1 and by_ruling.tasks.count(DoAction("roll")) == 2


def test_wildlife_pays_for_two_photos_once_in_a_turn_or_always_by_ruling():
    for rulings, photos in ((None, 3), (ALWAYS, 4)):
        state = with_changes(state_with_passion("Wildlife", "gear", rulings), badge=ANA)
        state = state_after(state, Hike(0, PHOTO), TakePhoto("wildlife"), TakePhoto("wildlife"))
        assert state.players[ANA].photos == photos


def test_botany_swaps_one_forest_in_a_turn_or_each_by_ruling():
    rows = (("forest", "forest"), (), ())
    start = state_after(state_with_passion("Botany", "gear", canteens=rows), Hike(0, WATER), FillCanteenRow(0))
    assert start.tasks == (SwapGainedToken("forest"),)
    assert state_after(start, SwapToken()).turn == BO and state_after(start, SwapToken()).players[
        ANA
    ].tokens == token_counts(10, 9, 9, 10, 10)
    by_ruling = state_after(
        state_with_passion("Botany", "gear", ALWAYS, canteens=rows),
        Hike(0, WATER),
        FillCanteenRow(0),
        SwapToken(),
        SwapToken(),
    )
    assert by_ruling.players[ANA].tokens == token_counts(9, 9, 9, 10, 11)


def test_token_may_be_kept_and_other_tokens_are_not_swapped():
    assert state_after(state_with_passion("Botany", "gear"), Hike(0, FOREST), Skip()).players[
        ANA
    ].tokens == token_counts(10, 9, 9, 9, 9)
    assert state_after(state_with_passion("Botany", "gear"), Hike(0, MOUNTAIN)).turn == BO
    assert state_after(state_with_passion("Rock Climbing", "gear"), Hike(0, FOREST)).turn == BO


def test_collecting_is_free_at_market_and_deck_or_only_the_market_by_ruling():
    anywhere = state_after(state_with_passion("Collecting", "gear", tokens=token_counts()), Hike(0, GEAR_SITE))
    assert legal_moves(anywhere, BuyGear) == [BuyGear(card) for card in (*make_state().market, None)]
    assert state_after(anywhere, BuyGear(), DrawGear("journal-sun")).players[ANA].gear == ("journal-sun",)
    market = state_after(
        state_with_passion("Collecting", "gear", {"free-gear": "market"}, tokens=token_counts()), Hike(0, GEAR_SITE)
    )
    assert legal_moves(market, BuyGear) == [BuyGear(card) for card in make_state().market]


def test_collecting_is_free_once_in_a_turn_or_always_by_ruling():
    for rulings, suns in ((None, 7), (ALWAYS, 9)):
        alone = with_changes(state_with_passion("Collecting", "gear", rulings), BO, hikers=(END_GEAR, END_GEAR))
        state = state_after(
            with_changes(alone, end_spaces_used=(True,) * 3),
            Hike(0, END_GEAR),
            BuyGear("journal-water"),
            Hike(0, END_GEAR),
            BuyGear("binoculars-reserve"),
        )
        assert state.players[ANA].tokens == token_counts(9, 9, suns, 9, 9)


def test_side_chosen_during_a_turn_has_its_effect_from_then_on():
    state = state_in_parks_action("Birdwatching", "Arches", "Saguaro", "White Sands")
    state = state_after(state, VisitPark("Arches"), VisitPark("Saguaro"), TakeSide("gear"), VisitPark("White Sands"))
    assert state.players[ANA].tokens == token_counts(8, 8, 5, 9, 8)


def test_goal_is_detected_only_in_the_players_own_turn():
    state = with_changes(make_state(), BO, passion="Wildlife", wild_photos=1)
    assert state.tasks == TRACKED_GAME.flow.resolve_forced_steps(state).tasks
    assert state_after(state, Hike(0, FOREST)).tasks[-1] == ChooseSide()


def test_goal_of_a_passion_named_late_is_detected_immediately():
    state = with_ana(visited=("Arches", "Saguaro"))
    assert TRACKED_GAME.play(state, ANA, NamePassion("Birdwatching")).tasks[-1] == ChooseSide()


def test_passion_is_flipped_before_anything_else():
    state, moves = GOALS["Birdwatching"]
    met = state_after(state, *moves)
    assert objection_codes(met, Skip()) == ["finish-first"] and objection_rules(met, Skip()) == {"turn-steps"}
    assert objection_codes(state_after(state, moves[0]), TakeSide("end")) == ["goal-not-met"]
    assert state_after(met, TakeSide("end")).tasks == (ParksAction(has_visited=True),)


def test_goal_removed_by_a_correction_is_no_longer_pending():
    met = TRACKED_GAME.flow.resolve_forced_steps(with_ana(passion="Birdwatching", visited=("Arches", "Badlands")))
    assert met.tasks[-1] == ChooseSide()
    for change in (
        AddRemove("players.0.visited", less=("Arches",)),
        Replace("players.0.passion", "Birdwatching", "Adventure"),
        Replace("players.0.side", "none", "end"),
    ):
        assert ChooseSide() not in TRACKED_GAME.play(met, BO, EditPosition((change,))).tasks


def test_passion_named_late_is_flipped_before_the_game_ends():
    state = with_changes(make_state(tile="fall-sun", season=2, end_spaces_used=(True,) * 3), BO, hikers=(9, 12))
    state = with_ana(state, hikers=(12, 12), passion="Birdwatching", visited=("Arches", "Badlands"))
    state = state_after(with_changes(state, turn=BO), Hike(9, 12))
    assert not state.is_over and TRACKED_GAME.flow.to_move(state) == (ANA,) and state.tasks == (ChooseSide(),)
    state = state_after(state, TakeSide("end"))
    assert state.is_over and state.players[ANA].side == "end"


def test_free_gear_of_a_season_does_not_count_as_bought():
    state = state_with_passion("Collecting", bought=1, gear=("journal-sun", "journal-water"))
    assert (
        TRACKED_GAME.flow.resolve_forced_steps(state).players[ANA].side is None
        and ChooseSide() not in TRACKED_GAME.flow.resolve_forced_steps(state).tasks
    )


END_SIDES = {
    "Adventure": ({"parks": ("Channel Islands", "Voyageurs", "Zion")}, 2),
    "Birdwatching": ({"parks": ("Arches", "Saguaro", "Zion")}, 2),
    "Botany": ({"parks": ("Congaree", "Olympic", "Zion")}, 2),  # Five Forests.
    "Collecting": ({"gear": ("Journal", "Journal", "Compass")}, 3),
    "Forestry": ({"parks": ("Congaree", "Olympic", "Zion")}, 2),
    "Kayaking": ({"parks": ("Katmai", "Everglades", "Zion")}, 2),
    "Mountaineering": ({"parks": ("Zion", "Arches", "Katmai")}, 2),
    "Rock Climbing": ({"parks": ("Zion", "Arches", "Mammoth Cave", "Lake Clark")}, 3),  # Seven Mountains.
    "Swimming": ({"parks": ("Everglades", "Katmai", "Zion")}, 2),  # Five Waters.
    "Wildlife": ({"photos": 8}, 2),
}


def passion_points(passion: FinalPassion, **components) -> int:
    sheet = TRACKED_GAME.box.score(
        FinalPosition((FinalPlayer("Ana", passion=passion, **components), FinalPlayer("Bo")))
    )
    return sheet.columns[0].points_in("passion")


@run_all_rows("passion", PASSIONS)
def test_end_side_scores(passion):
    components, points = END_SIDES[passion]
    assert passion_points(FinalPassion(passion, "end"), **components) == points
    assert passion_points(FinalPassion(passion, "gear"), **components) == 0
    assert passion_points(FinalPassion(passion, "end")) == 0


def test_custom_passion_has_a_goal_and_points():
    home = CustomCards(passions=(CustomPassion("Stargazing", "photos", 2, "two photos", "photos", 2),))
    start = with_ana(make_state(facts=home), passion="Stargazing", tokens=LOTS)
    state = state_after(with_ana(start, photos=1), Hike(0, PHOTO), TakePhoto("sun"))
    assert state.tasks[-1] == ChooseSide()
    state = state_after(state, TakeSide("end"))
    assert TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns[0].points_in("passion") == 1
    assert state_after(with_ana(start, side="gear"), Hike(0, PHOTO), TakePhoto("wildlife")).players[ANA].photos == 2


def test_photo_for_another_token_does_not_meet_the_wildlife_goal():
    state = state_after(state_with_passion("Wildlife"), Hike(0, PHOTO), TakePhoto("sun"))
    assert state.players[ANA].wild_photos == 0 and state.turn == BO


def test_adventure_does_not_roll_at_a_park_without_an_instant():
    state = state_after(state_in_parks_action("Adventure", "Arches", side="gear"), VisitPark("Arches"))
    assert DoAction("roll") not in state.tasks and not state.is_passion_used


def test_reserving_or_rolling_meets_no_goal():
    state = state_after(state_with_passion("Adventure"), Hike(0, END_PARKS), Reserve("Zion"))
    assert state.turn == BO
    assert state_after(state_with_passion("Swimming"), Hike(0, DIE), Roll("2 water")).turn == BO


def test_sides_of_an_unnamed_passion_have_no_hint():
    state = with_ana(make_state())
    assert state.passion_of(ANA) is None
    assert TakeSide("gear").label(state, ANA).hint == TakeSide("end").label(state, ANA).hint == ""
