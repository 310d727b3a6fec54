"""PARKS: naming cards for the table, custom cards, and corrections by consent."""

import pytest

from scoring.kernel.editable import Increment, Replace
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.parks import TRACKED_GAME
from scoring.parks.box import CustomCards, CustomGear, CustomPark, CustomPassion
from scoring.parks.custom_cards import CARD_FACTS_FORMAT
from scoring.parks.moves.corrections import (
    AddGear,
    AddPark,
    AddPassion,
    Adopt,
    EditPosition,
)
from scoring.parks.moves.reveals import NameCanteen, NameGear, NamePark, NamePassion, NameReserved, NameTile
from scoring.parks.state import ChooseSide, DoAction, StartHike
from tests.support.parametrize import run_all_rows
from tests.support.parks_invariants import token_totals
from tests.support.parks_table import (
    ANA,
    BO,
    OPEN_PARKS,
    finished_state,
    legal_moves,
    make_state,
    select_fields,
    token_counts,
    with_ana,
    with_changes,
    with_supply_left,
    with_tasks,
)

UNNAMED = make_state(parks=(None, "Zion", None), market=(None, "journal-water", None), tile=None)
NAMED = make_state()
RESERVED = with_changes(with_ana(reserve=(None, "Arches")), BO, reserve=(None,), visited=("Acadia",))
LIMITED = make_state(rulings={"token-supply": "limited"})
OVER = finished_state()

# (state, seat, move, expected values, seat they belong to)
REVEALS = [
    (UNNAMED, ANA, NamePark("Denali"), {"parks": ("Denali", "Zion", None)}, ANA),
    (UNNAMED, BO, NamePark("Denali"), {"parks": ("Denali", "Zion", None)}, ANA),
    (NAMED, ANA, NamePark("Denali", "Redwood"), {"parks": ("Zion", "Denali", "Yellowstone")}, ANA),
    (RESERVED, ANA, NameReserved("Denali"), {"reserve": ("Denali", "Arches")}, ANA),
    (RESERVED, BO, NameReserved("Denali"), {"reserve": ("Denali",)}, BO),
    (RESERVED, ANA, NameReserved("Denali", "Arches"), {"reserve": (None, "Denali")}, ANA),
    (UNNAMED, ANA, NameGear("compass-die"), {"market": ("compass-die", "journal-water", None)}, ANA),
    (UNNAMED, ANA, NameGear("compass-die", "journal-water"), {"market": (None, "compass-die", None)}, ANA),
    (NAMED, ANA, NamePassion("Botany"), {"passion": "Botany"}, ANA),
    (NAMED, BO, NamePassion("Botany"), {"passion": "Botany"}, BO),
    (with_ana(passion="Botany"), ANA, NamePassion("Swimming"), {"passion": "Swimming"}, ANA),
    (UNNAMED, BO, NameTile("spring-water"), {"tile": "spring-water"}, ANA),
    (NAMED, BO, NameTile("spring-water"), {"tile": "spring-water"}, ANA),
    (OVER, ANA, NameTile("fall-water"), {"tile": "fall-water"}, ANA),
    (NAMED, ANA, Adopt("backpack", "twelve"), {"rulings": {"backpack": "twelve"}}, ANA),
    (NAMED, ANA, AddPark("Garden", 3, sun=2), {"facts": CustomCards(parks=(CustomPark("Garden", 3, sun=2),))}, ANA),
    (
        NAMED,
        ANA,
        AddGear("Kite", 2, "die", "roll"),
        {"facts": CustomCards(gear=(CustomGear("Kite", 2, "die", "roll"),))},
        ANA,
    ),
    (
        NAMED,
        BO,
        AddPassion("Stargazing", "photos", 2, "two photos", "photos", 2),
        {"facts": CustomCards(passions=(CustomPassion("Stargazing", "photos", 2, "two photos", "photos", 2),))},
        ANA,
    ),
]

ONE_FOREST = with_supply_left((1, 15, 30, 30, 14), LIMITED)
# (state, seat, move, code, rule)
REFUSED = [
    (UNNAMED, ANA, NamePark("Denaly"), "no-such-park", "components"),
    (UNNAMED, ANA, NamePark("Zion"), "park-once", "park-once"),
    (NAMED, ANA, NamePark("Denali"), "no-such-card", "setup-displays"),
    (NAMED, ANA, NamePark("Denali", "Arches"), "no-such-card", "setup-displays"),
    (with_changes(NAMED, parks=("", "Zion", "Arches")), ANA, NamePark("Denali", ""), "no-such-card", "setup-displays"),
    (RESERVED, ANA, NameReserved("Acadia"), "park-once", "park-once"),
    (RESERVED, ANA, NameReserved("Denaly"), "no-such-park", "components"),
    (NAMED, ANA, NameReserved("Denali"), "no-such-card", "reserve"),
    (NAMED, ANA, NameGear("compass-die"), "no-such-card", "setup-displays"),
    (UNNAMED, ANA, NameGear("kite"), "no-such-gear", "components"),
    (with_changes(NAMED, canteens=("photo",) * 3), ANA, NameCanteen("parks"), "no-such-card", "setup-displays"),
    (NAMED, ANA, NamePassion("Botanic"), "no-such-passion", "components"),
    (with_ana(passion="Botany"), ANA, NamePassion("Botany"), "passion-taken", "setup-passions"),
    (with_ana(passion="Botany"), BO, NamePassion("Botany"), "passion-taken", "setup-passions"),
    (with_ana(passion="Botany", side="end"), ANA, NamePassion("Swimming"), "passion-done", "passion-side"),
    (
        with_tasks(StartHike(), ChooseSide(), passion="Botany"),
        ANA,
        NamePassion("Swimming"),
        "passion-done",
        "passion-side",
    ),
    (NAMED, ANA, NameTile("spring"), "no-such-tile", "components"),
    (OVER, ANA, NamePark("Denali", "Zion"), "game-over", "seasons"),
    (OVER, ANA, NameTile("summer-gear"), "other-season", "setup-season-tile"),
    (NAMED, ANA, Adopt("backpack", "any"), "same-ruling", "backpack"),
    (NAMED, ANA, AddPark("Zion", 3), "home-name", "home-made"),
    (NAMED, ANA, AddPark("", 3), "home-name", "home-made"),
    (NAMED, ANA, AddPark(" X", 3), "home-name", "home-made"),
    (NAMED, ANA, AddPark("Garden", 21), "home-points", "home-made"),
    (NAMED, ANA, AddPark("Garden", 1, sun=10), "home-cost", "home-made"),
    (NAMED, ANA, AddGear("Journal"), "home-name", "home-made"),
    (NAMED, ANA, AddGear("Kite", 10), "home-cost", "home-made"),
    (NAMED, ANA, AddPassion("botany"), "home-name", "home-made"),
    (NAMED, ANA, AddPassion("Stargazing", number=0), "home-number", "home-made"),
    (NAMED, ANA, AddPassion("Stargazing", each=0), "home-number", "home-made"),
]


@run_all_rows("state, seat, move, expected, owner", REVEALS)
def test_reveal_or_custom_card_changes_the_state(state, seat, move, expected, owner):
    after = TRACKED_GAME.play(state, seat, move)
    assert select_fields(after, expected, owner) == expected
    assert token_totals(after) == token_totals(state)
    assert (
        TRACKED_GAME.log_sentence(state, after, seat, move).endswith((".", ".\u201d"))
        and move.label(state, seat).text
        and move.label(state, seat).icon
    )


@run_all_rows("state, seat, move, code, rule", REFUSED)
def test_impossible_reveal_or_custom_card_is_refused_by_its_rule(state, seat, move, code, rule):
    assert (code, rule) in [(reason.code, reason.rule.id) for reason in TRACKED_GAME.objections(state, seat, move)]


def test_face_up_canteen_is_named_and_renamed():
    state = TRACKED_GAME.play(UNNAMED, BO, NameCanteen("photo"))
    assert state.canteens == ("photo", None, None)
    assert TRACKED_GAME.play(state, ANA, NameCanteen("parks", "photo")).canteens == ("parks", None, None)


def test_only_cards_not_named_yet_are_offered():
    assert (
        not {"Zion"} & {move.park for move in legal_moves(UNNAMED, NamePark)}
        and len(legal_moves(UNNAMED, NamePark)) == 62
    )
    assert legal_moves(NAMED, NamePark) == [] and legal_moves(NAMED, NameGear) == []
    assert len(legal_moves(UNNAMED, NameTile)) == 4 and legal_moves(NAMED, NameTile) == []
    assert len(legal_moves(NAMED, NamePassion)) == 10


def test_custom_card_can_be_named_reserved_bought_and_visited():
    state = TRACKED_GAME.play(with_changes(UNNAMED, tile="spring-sun"), ANA, AddPark("Garden", 3, instant="2 sun"))
    state = TRACKED_GAME.play(state, BO, NamePark("Garden"))
    state = TRACKED_GAME.play(TRACKED_GAME.play(state, ANA, AddGear("Kite", 0)), ANA, NameGear("Kite"))
    assert state.parks[0] == "Garden" and state.market[0] == "Kite"
    assert state.park_deck == 64 - 3


def test_correction_that_leaves_nothing_to_do_ends_the_turn():
    state = with_tasks(DoAction("photo"), tokens=token_counts(sun=1))
    assert TRACKED_GAME.play(state, BO, EditPosition((Increment("players.0.sun", -1),))).turn == BO
    at_end = with_changes(with_ana(hikers=(0, 11)), BO, hikers=(0, 0))
    all_at_end = EditPosition((Replace("players.0.hikers.0", "trailhead", "end gear"),))
    assert TRACKED_GAME.play(at_end, BO, all_at_end).turn == BO


def test_corrections_and_custom_cards_need_consent():
    asking = [kind for kind in TRACKED_GAME.moves if kind.needs_consent]
    assert {kind.__name__ for kind in asking} == {"AddGear", "AddPark", "AddPassion", "Adopt", "Edit"}
    assert all(kind.out_of_turn for kind in asking)


# Facts


def test_custom_cards_are_read_from_a_form_and_from_a_file():
    form = {"parks.0.name": "Garden", "parks.0.points": "4", "parks.0.sun": "2", "parks.0.instant": "roll"}
    cards = CARD_FACTS_FORMAT.with_values(CustomCards(), form)
    assert cards == CustomCards(parks=(CustomPark("Garden", 4, sun=2, instant="roll"),))
    cards = CARD_FACTS_FORMAT.with_values(cards, {"gear.0.name": "Kite", "gear.0.effect": "roll", "parks.0.points": ""})
    assert cards == CustomCards((CustomPark("Garden", 0, sun=2, instant="roll"),), (CustomGear("Kite", effect="roll"),))
    assert CARD_FACTS_FORMAT.with_values(cards, {}, "parks.0") == CustomCards(gear=(CustomGear("Kite", effect="roll"),))
    assert CARD_FACTS_FORMAT.read({"passions": [{"name": "Stargazing"}]}) == CustomCards(
        passions=(CustomPassion("Stargazing"),)
    )


@run_all_rows(
    "data, line",
    [
        ({"park": []}, 'no key "park"; did you mean "parks"?'),
        ({"parks": [{"name": "X", "colour": "red"}]}, 'parks[0]: no key "colour"; there are '),
        ({"parks": [{"name": "X", "points": "many"}]}, "parks[0].points: expected a whole number, got text"),
        ({"gear": [{"name": "X", "when": "noon"}]}, 'gear[0].when: no value "noon"; there are sun'),
        ({"gear": 3}, "gear: expected a list, got a whole number"),
        ({"gear": [3]}, "gear[0]: expected an object, got a whole number"),
        ([], "expected an object, got a list"),
    ],
)
def test_invalid_custom_card_is_refused_with_its_place(data, line):
    with pytest.raises(InvalidInputError) as error:
        CARD_FACTS_FORMAT.read(data)
    assert str(error.value).startswith(line)


def test_two_custom_cards_with_one_name_are_refused():
    with pytest.raises(IllegalMoveError) as refused:
        CARD_FACTS_FORMAT.from_data({"parks": [{"name": "Garden"}, {"name": "garden"}]})
    assert [reason.text for reason in refused.value.reasons] == [
        "There is already a park called garden. Choose another name."
    ]


def test_custom_card_entered_later_replaces_the_older_one():
    stored = CustomCards(parks=(CustomPark("Garden", 1), CustomPark("Field", 2)))
    entered = CustomCards(parks=(CustomPark("Garden", 5),), gear=(CustomGear("Kite"),))
    assert CARD_FACTS_FORMAT.merge(stored, entered) == CustomCards(
        (CustomPark("Garden", 5), CustomPark("Field", 2)), (CustomGear("Kite"),)
    )
    assert CARD_FACTS_FORMAT.merge(CustomCards(), CustomCards()) == CustomCards()


def test_number_of_custom_cards_is_limited():
    cards = CustomCards(gear=tuple(CustomGear(f"Gear {number}") for number in range(41)))
    assert [reason.code for reason in CARD_FACTS_FORMAT.check(cards)] == ["home-many"]


def test_face_up_cards_of_the_tests_are_cards_of_the_box():
    assert set(OPEN_PARKS) <= NAMED.named_parks


@run_all_rows(
    "move, line",
    [
        (NamePark("Denali"), "Every face-up park has already been entered. To replace one, choose it first."),
        (
            NameGear("compass-die"),
            "Every card in the Gear Market has already been entered. To replace one, choose it first.",
        ),
        (
            NameReserved("Denali"),
            "Every park in your reserve has already been entered. To replace one, choose it first.",
        ),
    ],
)
def test_refusal_of_another_card_names_the_cards_already_entered(move, line):
    assert [reason.text for reason in move.objections(NAMED, ANA)] == [line]
