"""PARKS: contents of the box, with values that were checked against each other."""

from collections import Counter
from typing import get_args

from msgspec.structs import replace

from scoring.parks import box
from tests.support.parametrize import run_all_rows

COSTS_OF_GEAR = {1: 19, 2: 11, 3: 7}
POINTS_OF_PARKS = {2: 4, 3: 20, 4: 15, 5: 8, 6: 9, 7: 7}
INSTANTS_OF_PARKS = {
    "": 36,
    "wildlife": 5,
    "canteen": 4,
    "2 sun": 4,
    "2 water": 4,
    "sun": 1,
    "water": 1,
    "badge": 4,
    "roll": 4,
}


def test_there_are_63_parks_with_the_expected_points_and_instants():
    assert len(box.PARKS) == 63
    assert Counter(card.points for card in box.PARKS.values()) == POINTS_OF_PARKS
    assert sum(card.points for card in box.PARKS.values()) == 271
    assert Counter(card.instant for card in box.PARKS.values()) == INSTANTS_OF_PARKS


@run_all_rows("token", box.NON_WILD_TOKENS)
def test_each_token_except_wildlife_is_on_35_parks(token):
    assert sum(card.has_icon(token) for card in box.PARKS.values()) == 35


def test_wildlife_is_on_nine_parks():
    assert sum(card.has_icon("wildlife") for card in box.PARKS.values()) == 9


def test_gear_cards_match_the_printed_list():
    assert Counter(card.cost for card in box.GEAR.values()) == COSTS_OF_GEAR
    assert Counter(card.name for card in box.GEAR.values()) == {
        "Binoculars": 3,
        "Camp Mug": 2,
        "Compass": 2,
        "Field Guide": 4,
        "Flint & Tinder": 4,
        "Hiking Boots": 3,
        "Journal": 4,
        "Mystery Cache": 2,
        "Rain Gear": 2,
        "Sleeping Bag": 2,
        "Sunscreen": 2,
        "Telephoto Lens": 3,
        "Wide Angle Lens": 4,
    }


def test_there_are_nine_sites_and_eight_tiles():
    assert len(box.SITES) == 9 and len(box.TRAIL_TILES) == 8 and "parks" not in box.TRAIL_TILES
    assert set(box.SITES) == set(get_args(box.Site))


def test_every_die_face_sends_the_shutterbug_to_another_site():
    assert set(box.SITE_OF_FACE) == set(box.DIE) == set(get_args(box.DieFace))
    assert len(set(box.SITE_OF_FACE.values())) == len(box.DIE) == 6


def test_there_are_four_tiles_for_each_season():
    assert Counter(tile.season for tile in box.SEASON_TILES.values()) == {"Spring": 4, "Summer": 4, "Fall": 4}
    assert box.SEASONS == ("Spring", "Summer", "Fall")


def test_there_are_seven_canteen_faces_and_ten_passions():
    assert set(box.CANTEENS) == set(get_args(box.Canteen)) and len(box.CANTEENS) == 7
    assert len(box.PASSIONS) == 10


@run_all_rows(
    "text, gains",
    [
        ("", ()),
        ("forest", ("forest",)),
        ("2 sun", ("sun", "sun")),
        ("2 sun, relight", ("sun", "sun", "relight")),
        ("2 roll", ("roll", "roll")),
        ("canteen or photo", ("canteen or photo",)),
        ("free photo", ("free photo",)),
    ],
)
def test_effect_of_a_card_is_parsed_into_gains(text, gains):
    assert box.parse_gains(text) == gains


def test_every_effect_of_a_card_can_be_parsed():
    texts = [site.brings for site in box.SITES.values()] + [card.instant for card in box.PARKS.values()]
    texts += [card.effect for card in box.GEAR.values()] + [*box.CANTEENS, *box.DIE]
    texts += [tile.brings for tile in box.SEASON_TILES.values()]
    assert {gain for text in texts for gain in box.parse_gains(text)} == set(get_args(box.Gain))


@run_all_rows(
    "texts, values",
    [
        (box.INSTANT_TEXTS, box.Instant),
        (box.EFFECT_TEXTS, box.Effect),
        (box.TRIGGER_TEXTS, box.Trigger),
        (box.END_COUNT_TEXTS, box.EndCount),
        (box.ABILITY_TEXTS, box.Ability),
    ],
)
def test_every_literal_value_of_a_card_has_a_text(texts, values):
    assert list(texts) and set(texts) == set(get_args(values))


def test_sides_of_passions_are_described():
    botany = box.PASSIONS["Botany"]
    assert botany.goal_text == "visit parks with 3 Forest in total"
    assert box.PASSIONS["Wildlife"].goal_text == "pay for 1 photo with Wildlife"
    texts = {
        goal: replace(botany, goal=goal, number=1).goal_text for goal in ("parks sun", "gear", "gear bought", "forest")
    }
    assert list(texts.values()) == [
        "visit 1 park with a Sun",
        "have 1 gear card",
        "buy 1 gear card",
        "visit parks with 1 Forest in total",
    ]
    assert botany.gear_text == "swap a gained Forest for Wildlife"
    assert botany.end_text == "1 point for every 2 Forest on visited parks"
    assert box.PASSIONS["Collecting"].end_text == "1 point for each gear card"
    assert all(card.goal_text and card.gear_text and card.end_text for card in box.PASSIONS.values())


def test_benefits_of_gear_have_a_sign():
    texts = {card.rule_text for card in box.GEAR.values()}
    assert {"At the Mountain site: +1 Mountain", "When you roll the die: roll it again"} <= texts
    assert not [text for text in texts if text.partition(": ")[2][0].isdecimal()]
