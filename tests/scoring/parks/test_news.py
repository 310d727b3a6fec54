"""What the news of a whole turn says about each move of PARKS."""

from scoring.parks import TRACKED_GAME
from scoring.parks.moves.hiking import Hike, ReturnToken, Skip, TakeSide, UseExtra
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.sites import FillCanteenRow, Roll, StowWater, SwapToken, TakeCanteen, TakePhoto, Trade
from scoring.parks.state import (
    ChooseExtra,
    ChooseSide,
    DoAction,
    Extra,
    NameDrawnGear,
    ParksAction,
    PlaceWater,
    ReturnTokens,
    SecondPhoto,
    SwapGainedToken,
)
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import ANA, BO, make_state, token_counts, with_ana, with_changes, with_tasks

RICH = token_counts(3, 3, 3, 3, 3)
BOTANIST = with_ana(passion="Botany", side="gear", tokens=token_counts(forest=1))
FULL_ROW = with_ana(canteens=(("2 sun",), (), ()))


def with_task(task, **changes):
    """Return a state in which Ana has tokens, and a task."""
    return with_tasks(task, state=with_ana(tokens=RICH, **changes))


# A state, Ana's move, and what the news says about it.
NEWS = [
    (make_state(), Hike(0, 1), "Forest site, +1 Forest"),
    (make_state(weather=("sun", *[""] * 8)), Hike(0, 1), "Forest site, +1 Forest, +1 Sun (weather)"),
    (with_changes(with_ana(campfire=True), BO, hikers=(0, 1)), Hike(0, 1), "Forest site, campfire out, +1 Forest"),
    (make_state(shutterbug="forest"), Hike(0, 1), "Forest site, Shutterbug Badge, +1 Forest"),
    (make_state(), Hike(0, 10), "Trail\u2019s End: Parks, First Hiker token"),
    (make_state(end_spaces_used=(True, False, False)), Hike(0, 10), "Trail\u2019s End: Parks"),
    (make_state(), Hike(0, 11), "Trail\u2019s End: Photo, +1 Wildlife (first there)"),
    (with_tasks(PlaceWater(1), state=FULL_ROW), FillCanteenRow(0), "filled canteens, +2 Sun"),
    (with_tasks(PlaceWater(1)), StowWater(), ""),
    (with_tasks(SwapGainedToken("forest"), state=BOTANIST), SwapToken(), "+1 Wildlife, \u22121 Forest"),
    (with_task(DoAction("photo")), TakePhoto("sun"), "+1 photo, \u22121 Sun"),
    (with_task(SecondPhoto()), TakePhoto("water"), "+1 photo, \u22121 Water"),
    (with_task(DoAction("trade")), Trade("mountain"), "+1 Wildlife, \u22121 Mountain"),
    (with_tasks(DoAction("roll")), Roll("2 sun"), "rolled 2 Sun"),
    (with_tasks(DoAction("canteen")), TakeCanteen("trade", 0), "+1 canteen (trade for Wildlife)"),
    (
        with_tasks(ParksAction(), state=with_ana(make_state(parks=("Arches",)), tokens=RICH)),
        VisitPark("Arches"),
        "visited Arches (3 points), \u22121 Mountain, \u22122 Sun",
    ),
    (with_tasks(ParksAction(), state=make_state(parks=("Arches",))), Reserve("Arches"), "reserved Arches"),
    (with_tasks(ParksAction(), state=make_state(parks=(None,))), Reserve(), "reserved a park"),
    (with_tasks(ParksAction()), Reserve(deck=True), "reserved the top park"),
    (
        with_tasks(DoAction("buy"), state=with_ana(make_state(market=("compass-die",)), tokens=RICH)),
        BuyGear("compass-die"),
        "bought Compass, \u22121 Sun",
    ),
    (with_task(DoAction("buy")), BuyGear(), "bought the top gear card, \u22122 Sun"),
    (with_tasks(NameDrawnGear()), DrawGear("compass-die"), "drew Compass"),
    (with_tasks(ChooseExtra((Extra("2 water"), Extra("roll")))), UseExtra("2 water"), "+2 Water"),
    (with_tasks(ChooseExtra((Extra("photo"), Extra("roll")))), UseExtra("roll"), ""),
    (with_tasks(ParksAction()), Skip(), ""),
    (
        with_tasks(ChooseSide(), state=with_ana(passion="Botany", photos=9)),
        TakeSide("gear"),
        "completed Botany (Gear Effect)",
    ),
    (with_task(ReturnTokens()), ReturnToken("sun"), "\u22121 Sun (backpack limit)"),
]


@run_all_rows("state, move, text", NEWS)
def test_news_leads_with_the_gains_of_each_move(state, move, text):
    after = TRACKED_GAME.play(state, ANA, move)
    assert ", ".join(TRACKED_GAME.news_phrases(state, after, ANA, move)) == text
