"""PARKS: points by category, the photo bonus by number of players, and ties."""

import pytest

from scoring.parks import TRACKED_GAME
from scoring.parks.box import CustomCards, CustomGear, CustomPark
from scoring.parks.points import FinalCustomGear, FinalCustomPark, FinalPassion, FinalPlayer, FinalPosition
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import ANA, BO, NAMES, case_params, make_state, with_changes

NO_SECOND = {"photo-tie": "no-second"}


def score_sheet(*players: dict, fall: str | None = None, rulings: dict | None = None):
    finals = (FinalPlayer(name, **components) for name, components in zip(NAMES, players, strict=False))
    return TRACKED_GAME.box.score(FinalPosition(tuple(finals), fall, rulings or {}))


def category_points(category: str, *players: dict, **more) -> list[int]:
    return [column.points_in(category) for column in score_sheet(*players, **more).columns]


PHOTOS = {
    "score-photos": [((2, 1), [3, 0], {}), ((3, 2, 1), [4, 2, 0], {})],
    "photo-bonus": [
        # Two players: 3 for the most; more players: 4 for the most, 2 for the second most.
        ((2, 1), [3, 0], {}),
        ((1, 2), [0, 3], {}),
        ((1, 0), [3, 0], {}),
        ((3, 2, 1), [4, 2, 0], {}),
        ((1, 3, 2), [0, 4, 2], {}),
        ((4, 3, 2, 1), [4, 2, 0, 0], {}),
        ((5, 4, 3, 2, 1), [4, 2, 0, 0, 0], {}),
    ],
    "photo-tie": [
        ((2, 2), [3, 3], {}),
        ((2, 2), [3, 3], NO_SECOND),
        ((3, 3, 1), [4, 4, 2], {}),
        ((3, 3, 1), [4, 4, 0], NO_SECOND),
        ((3, 2, 2), [4, 2, 2], {}),
        ((3, 2, 2), [4, 2, 2], NO_SECOND),
        ((3, 3, 3), [4, 4, 4], {}),
        ((3, 3, 3), [4, 4, 4], NO_SECOND),
        ((5, 5, 3, 3, 1), [4, 4, 2, 2, 0], {}),
        ((5, 5, 3, 3, 1), [4, 4, 0, 0, 0], NO_SECOND),
        ((1, 5, 4, 4, 4), [0, 4, 2, 2, 2], {}),
        ((2, 2, 2, 2, 2), [4, 4, 4, 4, 4], {}),
    ],
    "photo-none": [
        ((0, 0), [0, 0], {}),
        ((3, 0, 0), [4, 0, 0], {}),
        ((0, 0, 0), [0, 0, 0], {}),
        ((0, 0, 1, 0, 0), [0, 0, 4, 0, 0], {}),
    ],
}


@run_all_rows("photos, bonus, rulings", case_params(PHOTOS))
def test_photos_and_the_photo_bonus(photos, bonus, rulings):
    assert category_points("photo-bonus", *({"photos": number} for number in photos), rulings=rulings) == bonus
    assert category_points("photos", *({"photos": number} for number in photos), rulings=rulings) == list(photos)


SUNNY, SUNNIER, WET = ("Arches",), ("Badlands",), ("Everglades",)  # 2 Sun, 4 Sun, 4 Water.


FALLS = {
    "fall-bonus": [
        ("sun", (SUNNY, SUNNIER, WET), [0, 3, 0]),
        ("sun", (SUNNY, ("Saguaro",), WET), [3, 3, 0]),
        ("water", (SUNNY, SUNNIER, WET), [0, 0, 3]),
        ("forest", (("Congaree",), ("Olympic",), ()), [0, 3, 0]),
        ("mountain", (("Zion",), ("Haleakala",), ()), [0, 3, 0]),
        ("sun", (("Arches", "Saguaro"), SUNNIER, ()), [3, 3, 0]),
    ],
    "season-none": [("sun", (WET, (), ()), [0, 0, 0]), (None, (SUNNY, SUNNIER, WET), [0, 0, 0])],
}


@run_all_rows("fall, parks, bonus", case_params(FALLS))
def test_fall_bonus_goes_to_all_players_with_the_most(fall, parks, bonus):
    assert category_points("fall-bonus", *({"parks": names} for names in parks), fall=fall) == bonus


BIRDS = FinalPassion("Birdwatching", "end")
LINES = {
    "score-parks": [
        (
            "parks",
            {"parks": ("Zion", "Redwood", "Isle Royale")},
            [("Zion", 4, True), ("Redwood", 7, True), ("Isle Royale", 2, True)],
        ),
        ("parks", {"photos": 3}, []),
    ],
    "score-passion": [
        ("passion", {"parks": SUNNY, "passion": BIRDS}, [("Birdwatching", 1, False)]),
        ("passion", {"photos": 7, "passion": FinalPassion("Wildlife", "end")}, [("Wildlife", 2, False)]),
        ("passion", {"parks": SUNNY, "passion": FinalPassion("Birdwatching", "gear")}, []),
    ],
    "passion-shows": [
        ("passion", {"parks": (*SUNNY, *SUNNIER, *WET), "passion": BIRDS}, [("Birdwatching", 2, False)]),
        (
            "passion",
            {"parks": ("Katmai", "Everglades"), "passion": FinalPassion("Swimming", "end")},
            [("Swimming", 2, False)],
        ),
    ],
    "first-hiker-point": [("first-hiker", {"first_hiker": True}, [("First Hiker", 1, False)]), ("first-hiker", {}, [])],
}


@run_all_rows("category, player, lines", case_params(LINES))
def test_possessions_of_a_player_are_scored_line_by_line(category, player, lines):
    (column, _) = score_sheet(player, {}).columns
    assert [
        (line.label, line.points, line.needs_no_explanation) for line in column.lines if line.category == category
    ] == lines


def test_complete_sheet_in_its_order():
    ana = {
        "parks": ("Arches", "Saguaro"),
        "photos": 3,
        "gear": ("Journal",),
        "first_hiker": True,
        "passion": FinalPassion("Birdwatching", "end"),
    }
    sheet = score_sheet(ana, {"photos": 1}, fall="sun")
    assert [(line.category, line.points) for line in sheet.columns[ANA].lines] == [
        ("fall-bonus", 3),
        ("parks", 3),
        ("parks", 3),
        ("photos", 3),
        ("photo-bonus", 3),
        ("passion", 2),
        ("first-hiker", 1),
    ]
    assert [line.because for line in sheet.columns[ANA].lines] == [
        "4 Sun on visited parks, the most.",
        "3 points printed on the card.",
        "3 points printed on the card.",
        "1 point each.",
        "3 photos, the most.",
        "Parks with a Sun: 2 (1 point each).",
        "1 point for the First Hiker token.",
    ]
    assert (sheet.columns[ANA].total, sheet.decided_by, sheet.result_text) == (18, "points", "Ana wins with 18 points.")


WINNERS = {
    "goal": [(({"parks": ("Zion",), "photos": 1}, {"parks": ("Redwood",)}), "points", [1, 2])],
    "winner": [
        (({"parks": ("Zion",)}, {"parks": ("Arches",)}), "points", [1, 2]),
        (({"parks": ("Zion",)}, {"parks": ("Arches",)}, {"parks": ("Congaree",)}), "points", [1, 2, 2]),
    ],
    "tie-parks": [(({"parks": ("Yosemite",)}, {"parks": ("Arches", "Congaree")}), "parks", [2, 1])],
    "tie-shared": [
        (({"parks": ("Zion",)}, {"parks": ("Olympic",)}), "shared", [1, 1]),
        (
            ({"parks": ("Yosemite",)}, {"parks": ("Arches", "Congaree")}, {"parks": ("Saguaro", "Katmai")}),
            "shared",
            [3, 1, 1],
        ),
        (({}, {}), "shared", [1, 1]),
    ],
}


@pytest.mark.parametrize("players, decided_by, ranks", case_params(WINNERS))
def test_winner_has_most_points_then_most_parks_then_all_share(players, decided_by, ranks):
    sheet = score_sheet(*players)
    assert sheet.decided_by == decided_by
    assert [column.rank for column in sheet.columns] == ranks


def test_custom_cards_score_and_count():
    park = FinalCustomPark("Back Garden", 5, {"sun": 2, "wildlife": 1}, True)
    own = {"parks": (park, "Zion"), "gear": (FinalCustomGear("Kite"), "Compass")}
    assert category_points("parks", own, {}) == [9, 0]
    assert category_points("fall-bonus", own, {}, fall="sun") == [3, 0]
    assert category_points("passion", {**own, "passion": FinalPassion("Adventure", "end")}, {}) == [1, 0]
    assert category_points("passion", {**own, "passion": FinalPassion("Collecting", "end")}, {}) == [2, 0]
    assert category_points("passion", {**own, "passion": FinalPassion("Stargazing", "end", "parks sun", 1)}, {}) == [
        1,
        0,
    ]


def test_tracked_table_has_all_data_for_scoring():
    home = CustomCards(parks=(CustomPark("Back Garden", 5, sun=2, instant="roll"),), gear=(CustomGear("Kite"),))
    state = make_state(facts=home, tile="fall-sun", season=2, first_hiker=BO, parks=("Denali",))
    state = with_changes(
        state,
        ANA,
        visited=("Back Garden", "Zion"),
        photos=2,
        gear=("Kite", "journal-sun"),
        passion="Botany",
        side="end",
        reserve=("Redwood",),
    )
    final = TRACKED_GAME.final_position(state)
    assert final.fall == "sun"
    assert final.players[ANA] == FinalPlayer(
        "Ana",
        (FinalCustomPark("Back Garden", 5, {"sun": 2}, True), "Zion"),
        2,
        (FinalCustomGear("Kite"), "Journal"),
        False,
        FinalPassion("Botany", "end"),
    )
    assert final.players[BO].first_hiker
    assert TRACKED_GAME.final_position(with_changes(state, ANA, side=None)).players[ANA].passion is None


def test_no_fall_bonus_before_fall():
    assert TRACKED_GAME.final_position(make_state()).fall is None
    assert TRACKED_GAME.final_position(make_state(tile=None)).fall is None


def test_rulings_that_differ_from_the_default_are_on_the_sheet():
    sheet = score_sheet({}, {}, rulings=NO_SECOND)
    assert sheet.rulings == (
        (
            "What happens if players tie for the photo bonus? All tied players score in full. After a tie for the "
            "most, second place scores nothing."
        ),
    )
    assert score_sheet({}, {}).rulings == ()
