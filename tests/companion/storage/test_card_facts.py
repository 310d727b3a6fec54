"""Tests of card facts: the owner of a box decides about changes, and each can be undone."""

import json
import threading
from collections.abc import Callable, Iterator
from html import unescape
from io import BytesIO
from itertools import count
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from flask import Flask

from companion.log.plans import RepairPlan
from companion.log.table import to_data
from companion.pages.card_facts import MAX_DECIDED_SHOWN
from companion.service import card_facts_review as review
from companion.service.live import LiveUpdates
from companion.service.referee import Referee
from companion.storage import card_facts as card_facts_module
from companion.storage.card_facts import (
    ACCEPTED,
    DECLINED,
    FROM_FILE,
    FROM_PAGE,
    FROM_TABLE,
    FROM_UNDO,
    UNDONE,
    CardFactsChange,
    CardFactsStore,
)
from companion.storage.store import Store
from scoring.alpine_trails.state import AnimalCard
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.move import Move
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.moves.card_reveals import EnterColour
from scoring.on_the_trail.moves.reveals import EnterLeg
from scoring.parks.box import CustomCards, CustomGear, CustomPark, CustomPassion
from tests.support import on_the_trail_table
from tests.support.page_parser import parse_page
from tests.support.parametrize import parametrize_cases
from tests.support.phones import Phone, open_seated_table

ALPINE, PARKS, RACE = (GAMES[key].box for key in ("alpine-trails", "parks", "on-the-trail"))
OWNER, STRANGER, FRIEND = "owner", "stranger", "friend"
ANIMAL_CARD = AnimalCard("bear", "goat", "wolf", "moose")
CUSTOM_CARDS = CustomCards(
    (CustomPark("Town Park", 3, sun=2, instant="roll"), CustomPark("Garden")),
    (CustomGear("Kite", 2), CustomGear("Garden")),
    (CustomPassion("Stargazing"),),
)
ENTER_NAUSEA = EnterColour("nausea", "green")
CARD_FACTS = {"alpine-trails": ANIMAL_CARD, "parks": CUSTOM_CARDS, "on-the-trail": on_the_trail_table.CARD_FACTS}


@pytest.fixture
def card_facts(bare_referee: Referee) -> CardFactsStore:
    """Return the card facts of a new instance with one phone of the owner."""
    bare_referee.card_facts.owners.add(OWNER)
    return bare_referee.card_facts


def card_form(**values: str) -> Callable[[Any], Any]:
    """Return the change made by a form of the animal card's page."""
    return lambda known: ALPINE.card_facts.with_values(known, values)


def statuses(boxes: CardFactsStore, game: Box = ALPINE) -> list[tuple[str, str]]:
    return [
        (change.source, change.status) for change in (*boxes.waiting_changes(game), *boxes.decided_changes(game, 99))
    ]


def change_text(game: Box, change: CardFactsChange) -> list[tuple[str, str, str]]:
    return [difference[1:4] for difference in game.card_facts.differences(change.before, change.after)]


@pytest.fixture
def new_race(bare_referee: Referee) -> Callable[..., SimpleNamespace]:
    """Return a function that opens a race.

    Its result has the `code` of the table and `enter(move)`, which plays a move there.
    """
    taps = count()

    def open(device: str = STRANGER) -> SimpleNamespace:
        code = bare_referee.open_table(
            device, RACE.key, bare_referee.default_setup(GAMES[RACE.key].tracked, ["Ana", "Bo"])
        ).code
        bare_referee.sit(bare_referee.store.table(code), device, "sit", 0)

        def enter(move: Move, phone: str = device, seat: int = 0) -> None:
            bare_referee.play(bare_referee.store.table(code), phone, f"tell {next(taps)}", seat, to_data(move))

        return SimpleNamespace(code=code, enter=enter)

    return open


def leg_colors(facts: CardFacts, card: int = 0) -> list[str | None]:
    return [leg.colour for leg in facts.cards[card].legs]


# Whose changes count.


def change_by_form(boxes: CardFactsStore, race: Callable, device: str) -> tuple[Box, Any]:
    review.enter(boxes, ALPINE, device, card_form(forest="bear"))
    return ALPINE, AnimalCard("bear")


def change_by_file(boxes: CardFactsStore, race: Callable, device: str) -> tuple[Box, Any]:
    assert review.import_facts(boxes, ALPINE, device, "box.json", ANIMAL_CARD)
    return ALPINE, ANIMAL_CARD


def change_at_table(boxes: CardFactsStore, race: Callable, device: str) -> tuple[Box, Any]:
    race(device).enter(EnterLeg(0, 0, "red"))
    return RACE, CardFacts().with_leg(0, 0, colour="red")


CHANGE_METHODS = [change_by_form, change_by_file, change_at_table]


@pytest.mark.parametrize("enter_facts", CHANGE_METHODS)
def test_strangers_change_waits_and_the_facts_stay(
    card_facts: CardFactsStore, new_race: Callable, enter_facts: Callable
):
    game, entered = enter_facts(card_facts, new_race, STRANGER)
    assert card_facts.facts(game) == game.card_facts.type()
    (change,) = card_facts.waiting_changes(game)
    assert (change.before, change.after, change.known) == (game.card_facts.type(), entered, False)


@pytest.mark.parametrize("enter_facts", [change_by_form, change_at_table])
def test_owners_change_counts_immediately_and_is_listed(
    card_facts: CardFactsStore, new_race: Callable, enter_facts: Callable
):
    game, entered = enter_facts(card_facts, new_race, OWNER)
    assert card_facts.facts(game) == entered and card_facts.waiting_changes(game) == []
    (change,) = card_facts.decided_changes(game, 9)
    assert (change.status, change.before, change.after) == (ACCEPTED, game.card_facts.type(), entered)


def test_owners_file_waits_until_it_is_reviewed(card_facts: CardFactsStore, new_race: Callable):
    change_by_file(card_facts, new_race, OWNER)
    assert card_facts.facts(ALPINE) == AnimalCard() and card_facts.waiting_changes(ALPINE)[0].known
    review.accept(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id)
    assert card_facts.facts(ALPINE) == ANIMAL_CARD and statuses(card_facts) == [(FROM_FILE, ACCEPTED)]


def test_strangers_pending_change_is_visible_only_to_that_phone(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    review.enter(card_facts, ALPINE, STRANGER, card_form(rock="goat"))
    assert review.facts_visible_to(card_facts, ALPINE, STRANGER) == AnimalCard("bear", "goat")
    assert (
        review.facts_visible_to(card_facts, ALPINE, FRIEND)
        == review.facts_visible_to(card_facts, ALPINE, OWNER)
        == AnimalCard()
    )
    assert [change.after for change in card_facts.waiting_changes(ALPINE)] == [AnimalCard("bear", "goat")]
    review.import_facts(card_facts, ALPINE, STRANGER, "box.json", AnimalCard(meadow="wolf"))
    assert [change.after for change in card_facts.waiting_changes(ALPINE)] == [AnimalCard("bear", "goat", "wolf")]


def test_stranger_can_withdraw_only_the_own_change(card_facts: CardFactsStore, new_race: Callable):
    change_by_form(card_facts, new_race, STRANGER)
    with pytest.raises(review.NotPossibleError, match="Only the owner"):
        review.decline(card_facts, ALPINE, FRIEND, card_facts.waiting_changes(ALPINE)[0].id)
    review.decline(card_facts, ALPINE, STRANGER, card_facts.waiting_changes(ALPINE)[0].id)
    assert statuses(card_facts) == []
    change_at_table(card_facts, new_race, STRANGER)
    with pytest.raises(review.NotPossibleError, match="Only the owner"):
        review.decline(card_facts, RACE, STRANGER, card_facts.waiting_changes(RACE)[0].id)


@pytest.mark.parametrize("decide", ["accept", "restore", "undo"])
def test_only_the_owner_decides_about_changes(card_facts: CardFactsStore, decide: str):
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    if decide == "restore":
        review.decline(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id)
    elif decide == "undo":
        review.accept(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id)
    before, known = statuses(card_facts), card_facts.facts(ALPINE)
    id = (*card_facts.waiting_changes(ALPINE), *card_facts.decided_changes(ALPINE, 9))[0].id
    with pytest.raises(review.NotPossibleError, match="Only the owner can decide this."):
        getattr(review, decide)(card_facts, ALPINE, STRANGER, id)
    assert (statuses(card_facts), card_facts.facts(ALPINE)) == (before, known)


# Decisions.


def test_accepted_change_is_known_to_every_later_table(
    card_facts: CardFactsStore, new_race: Callable, bare_referee: Referee
):
    first = new_race()
    first.enter(EnterLeg(0, 0, "red"))
    assert bare_referee.store.table(first.code).state.facts.cards[0].legs[0].colour == "red"
    assert leg_colors(bare_referee.store.table(new_race().code).setup.facts) == []
    review.accept(card_facts, RACE, OWNER, card_facts.waiting_changes(RACE)[0].id)
    assert leg_colors(bare_referee.store.table(new_race().code).setup.facts) == ["red"]


def test_declined_change_can_be_restored_and_accepted(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    review.decline(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id)
    assert card_facts.facts(ALPINE) == AnimalCard() and statuses(card_facts) == [(FROM_PAGE, DECLINED)]
    review.restore(card_facts, ALPINE, OWNER, card_facts.decided_changes(ALPINE, 1)[0].id)
    review.accept(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id)
    assert card_facts.facts(ALPINE) == AnimalCard("bear")


def test_declined_change_without_news_cannot_be_restored(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    review.decline(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id)
    review.enter(card_facts, ALPINE, OWNER, card_form(forest="bear"))
    with pytest.raises(review.NotPossibleError, match="Your box already has all of this."):
        review.restore(
            card_facts,
            ALPINE,
            OWNER,
            next(change.id for change in card_facts.decided_changes(ALPINE, 9) if change.status == DECLINED),
        )


PARTS = {
    "all": ({}, AnimalCard("wolf", "bear", "moose"), []),
    "some": ({"titles": ["Forest"]}, AnimalCard("wolf"), ["Rock", "Meadow"]),
    "what is new": ({"only_new": True}, AnimalCard("goat", "bear", "moose"), ["Forest"]),
}


@pytest.mark.parametrize(("options", "known", "left"), PARTS.values(), ids=list(PARTS))
def test_change_is_accepted_entirely_in_parts_or_only_where_new(
    card_facts: CardFactsStore, options: dict, known: AnimalCard, left: list
):
    card_facts.save_facts(ALPINE, AnimalCard("goat"))
    review.import_facts(card_facts, ALPINE, OWNER, "box.json", AnimalCard("wolf", "bear", "moose"))
    differences = ALPINE.card_facts.differences(
        card_facts.facts(ALPINE), review.facts_if_accepted(card_facts, ALPINE, card_facts.waiting_changes(ALPINE)[0])
    )
    assert [(fact.title, fact.old, fact.new, fact.is_addition) for fact in differences] == [
        ("Forest", "goat", "wolf", False), ("Rock", "", "bear", True), ("Meadow", "", "moose", True),
    ]  # fmt: skip
    review.accept(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id, **options)
    assert card_facts.facts(ALPINE) == known and card_facts.waiting_changes(ALPINE) == []
    declined = [change for change in card_facts.decided_changes(ALPINE, 9) if change.status == DECLINED]
    assert [title for change in declined for title, *_ in change_text(ALPINE, change)] == left


def test_accepting_no_part_of_a_change_is_refused(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    with pytest.raises(review.NotPossibleError, match="Nothing is checked"):
        review.accept(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id, titles=[])
    assert len(card_facts.waiting_changes(ALPINE)) == 1


def test_part_of_a_change_that_is_invalid_alone_is_refused(card_facts: CardFactsStore):
    card_facts.save_facts(ALPINE, AnimalCard("bear"))
    review.import_facts(card_facts, ALPINE, OWNER, "box.json", AnimalCard("wolf", "bear"))
    with pytest.raises(IllegalMoveError, match="The bear can have only one terrain"):
        review.accept(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id, only_new=True)
    assert card_facts.facts(ALPINE) == AnimalCard("bear") and len(card_facts.waiting_changes(ALPINE)) == 1


def test_change_is_decided_only_once(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    id = card_facts.waiting_changes(ALPINE)[0].id
    review.accept(card_facts, ALPINE, OWNER, id)
    for decide in (review.accept, review.decline, review.restore):
        with pytest.raises(review.NotPossibleError, match="already decided"):
            decide(card_facts, ALPINE, OWNER, id)
    with pytest.raises(review.NotPossibleError, match="already decided"):
        review.undo(card_facts, PARKS, OWNER, card_facts.decided_changes(ALPINE, 1)[0].id)  # of another game


def test_decision_about_an_outdated_version_of_a_change_is_refused(card_facts: CardFactsStore, new_race: Callable):
    table = new_race()
    table.enter(EnterLeg(0, 0, "red"))
    id = card_facts.waiting_changes(RACE)[0].id
    table.enter(EnterLeg(0, 0, "green"))
    for decide in (review.accept, review.decline):
        with pytest.raises(review.NotPossibleError, match="more was entered since then. Check it again."):
            decide(card_facts, RACE, OWNER, id)
    review.accept(card_facts, RACE, OWNER, card_facts.waiting_changes(RACE)[0].id)
    assert leg_colors(card_facts.facts(RACE)) == ["green"]


# Later changes.


def test_accepted_change_is_applied_to_the_current_facts(card_facts: CardFactsStore, new_race: Callable):
    table = new_race()
    table.enter(EnterLeg(0, 0, "red"))
    table.enter(EnterLeg(0, 1, "green"))
    card_facts.save_facts(
        RACE, CardFacts().with_leg(0, 0, colour="red").with_leg(0, 1, stop="aid").with_leg(1, 0, colour="yellow")
    )
    (change,) = card_facts.waiting_changes(RACE)
    review.accept(card_facts, RACE, OWNER, change.id)
    box = card_facts.facts(RACE)
    assert (leg_colors(box), box.cards[0].legs[1].stop, leg_colors(box, 1)) == (["red", "green"], "aid", ["yellow"])
    assert change_text(RACE, card_facts.decided_changes(RACE, 1)[0]) == [
        ("Trail card 1", "red leg, leg (color not entered) to an Aid Station", "red leg, green leg to an Aid Station")
    ]


def test_pending_change_that_conflicts_by_now_is_shown_as_different(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    review.enter(card_facts, ALPINE, OWNER, card_form(forest="goat"))
    (difference,) = ALPINE.card_facts.differences(
        card_facts.facts(ALPINE), review.facts_if_accepted(card_facts, ALPINE, card_facts.waiting_changes(ALPINE)[0])
    )
    assert (difference.old, difference.new, difference.is_addition) == ("goat", "bear", False)


def test_pending_change_that_is_known_by_now_is_dropped(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    review.enter(card_facts, ALPINE, FRIEND, card_form(forest="bear", rock="goat"))
    review.enter(card_facts, ALPINE, OWNER, card_form(forest="bear"))
    assert [change.device for change in card_facts.waiting_changes(ALPINE)] == [FRIEND]


def test_animal_entered_for_another_terrain_leaves_its_old_one(card_facts: CardFactsStore):
    """Applying the values one by one would make invalid facts."""
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    review.enter(card_facts, ALPINE, OWNER, card_form(rock="bear"))
    review.accept(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id)
    assert card_facts.facts(ALPINE) == AnimalCard("bear")


def test_change_that_no_longer_fits_is_refused_with_the_reason(card_facts: CardFactsStore):
    full = CustomCards(tuple(CustomPark(f"Park {number}") for number in range(40)))
    review.import_facts(card_facts, PARKS, STRANGER, "box.json", CustomCards((CustomPark("Garden"),)))
    card_facts.save_facts(PARKS, full)
    (change,) = card_facts.waiting_changes(PARKS)
    with pytest.raises(IllegalMoveError, match="at most 40 cards"):
        review.accept(card_facts, PARKS, OWNER, change.id)
    review.decline(card_facts, PARKS, OWNER, change.id)
    assert card_facts.facts(PARKS) == full


# Tables.


def test_table_has_one_change_that_grows_with_its_entries(card_facts: CardFactsStore, new_race: Callable):
    table = new_race()
    for leg, colour in enumerate(("red", "green", "yellow")):
        table.enter(EnterLeg(0, leg, colour))
    (change,) = card_facts.waiting_changes(RACE)
    assert leg_colors(change.after) == ["red", "green", "yellow"] and (change.name, change.who) == (
        table.code,
        "Ana, Bo",
    )
    assert card_facts.has_waiting(table.code) and not card_facts.has_waiting(new_race().code)


def test_undone_entry_of_a_table_no_longer_waits(card_facts: CardFactsStore, new_race: Callable, bare_referee: Referee):
    table = new_race()
    table.enter(EnterLeg(0, 0, "red"))
    current = bare_referee.store.table(table.code)
    bare_referee.repair(current, STRANGER, "back", 0, RepairPlan(str(current.version), 1))
    assert card_facts.waiting_changes(RACE) == [] and not card_facts.has_waiting(table.code)


def test_table_that_enters_known_facts_has_no_change(card_facts: CardFactsStore, new_race: Callable):
    table = new_race()
    card_facts.save_facts(RACE, CardFacts().with_leg(0, 0, colour="red"))
    table.enter(EnterLeg(0, 0, "red"))
    assert card_facts.waiting_changes(RACE) == []


def test_table_has_only_new_entries_waiting_after_a_decision(card_facts: CardFactsStore, new_race: Callable):
    table = new_race()
    table.enter(EnterLeg(0, 0, "red"))
    review.decline(card_facts, RACE, OWNER, card_facts.waiting_changes(RACE)[0].id)
    table.enter(ENTER_NAUSEA)
    assert change_text(RACE, card_facts.waiting_changes(RACE)[0]) == [("Nausea", "", "green")]


def test_owners_correction_at_a_table_counts_and_the_rest_waits(
    card_facts: CardFactsStore, new_race: Callable, bare_referee: Referee
):
    table = new_race()
    bare_referee.sit(bare_referee.store.table(table.code), OWNER, "sit 1", 1)
    table.enter(EnterLeg(0, 0, "red"))
    table.enter(ENTER_NAUSEA)
    table.enter(EnterLeg(0, 0, "green"), phone=OWNER, seat=1)
    assert leg_colors(card_facts.facts(RACE)) == ["green"] and card_facts.facts(RACE).setbacks == {}
    box = card_facts.facts(RACE)
    (difference,) = RACE.card_facts.differences(
        box, review.facts_if_accepted(card_facts, RACE, card_facts.waiting_changes(RACE)[0])
    )
    assert difference[1:4] == ("Nausea", "", "green")
    assert card_facts.waiting_changes(RACE)[0].known  # the owner's phone has a seat at this table


def test_rematch_continues_with_the_facts_of_the_earlier_table(
    card_facts: CardFactsStore, new_race: Callable, bare_referee: Referee, monkeypatch
):
    table = new_race()
    table.enter(EnterLeg(0, 0, "red"))
    monkeypatch.setattr(type(bare_referee.store.table(table.code)), "is_over", True)
    second_table = bare_referee.rematch(table, STRANGER, "again")
    assert leg_colors(second_table.setup.facts) == ["red"]
    bare_referee.play(bare_referee.store.table(second_table.code), STRANGER, "tell", 0, to_data(ENTER_NAUSEA))
    second, first = card_facts.waiting_changes(RACE)
    assert (first.name, leg_colors(first.after), first.after.setbacks) == (table.code, ["red"], {})
    differences = RACE.card_facts.differences(second.before, second.after)
    assert (second.name, [item.title for item in differences]) == (second_table.code, ["Nausea"])
    monkeypatch.setattr(type(bare_referee.store.table(table.code)), "is_over", True)
    three = bare_referee.rematch(bare_referee.store.table(second_table.code), STRANGER, "once more")
    assert leg_colors(three.setup.facts) == ["red"] and three.setup.facts.setbacks
    assert leg_colors(bare_referee.store.table(new_race().code).setup.facts) == []


# Undo.


def test_change_is_undone_and_redone(card_facts: CardFactsStore):
    card_facts.save_facts(ALPINE, AnimalCard("goat"))
    review.enter(card_facts, ALPINE, OWNER, card_form(forest="bear", rock="wolf"))
    assert review.undo(card_facts, ALPINE, OWNER, card_facts.decided_changes(ALPINE, 1)[0].id) == []
    assert card_facts.facts(ALPINE) == AnimalCard("goat")
    assert statuses(card_facts) == [(FROM_UNDO, ACCEPTED), (FROM_PAGE, UNDONE)]
    for known in (AnimalCard("bear", "wolf"), AnimalCard("goat"), AnimalCard("bear", "wolf")):
        review.undo(card_facts, ALPINE, OWNER, card_facts.decided_changes(ALPINE, 1)[0].id)
        assert card_facts.facts(ALPINE) == known


@pytest.mark.parametrize("key", CARD_FACTS)
def test_change_of_a_whole_box_is_undone_and_redone(card_facts: CardFactsStore, key: str):
    game, box = GAMES[key].box, CARD_FACTS[key]
    review.import_facts(card_facts, game, OWNER, "box.json", box)
    review.accept(card_facts, game, OWNER, card_facts.waiting_changes(game)[0].id)
    assert card_facts.facts(game) == box
    review.undo(card_facts, game, OWNER, card_facts.decided_changes(game, 1)[0].id)
    assert card_facts.facts(game) == game.card_facts.type()
    review.undo(card_facts, game, OWNER, card_facts.decided_changes(game, 1)[0].id)
    assert game.card_facts.changed_values(card_facts.facts(game), box) == {}


def test_undo_of_a_change_keeps_values_that_changed_since(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, OWNER, card_form(forest="bear", rock="goat"))
    review.enter(card_facts, ALPINE, OWNER, card_form(forest="wolf"))
    first = card_facts.decided_changes(ALPINE, 9)[-1]
    assert review.undo(card_facts, ALPINE, OWNER, first.id) == ["Forest"]
    assert card_facts.facts(ALPINE) == AnimalCard("wolf")


def test_undo_of_a_change_without_remaining_values_is_refused(card_facts: CardFactsStore):
    review.import_facts(card_facts, ALPINE, OWNER, "box.json", AnimalCard("bear"))
    review.accept(card_facts, ALPINE, OWNER, card_facts.waiting_changes(ALPINE)[0].id)
    review.enter(card_facts, ALPINE, OWNER, card_form(forest="wolf"))
    first = card_facts.decided_changes(ALPINE, 9)[-1]
    with pytest.raises(review.NotPossibleError, match="Changed again since then: Forest. Undo the later change first."):
        review.undo(card_facts, ALPINE, OWNER, first.id)
    review.enter(card_facts, ALPINE, OWNER, card_form(forest=""))
    with pytest.raises(review.NotPossibleError, match="This change has already been undone."):
        review.undo(card_facts, ALPINE, OWNER, first.id)


def test_undo_of_a_change_that_a_later_one_depends_on_is_refused(card_facts: CardFactsStore):
    card_facts.save_facts(ALPINE, AnimalCard("bear"))
    review.enter(card_facts, ALPINE, OWNER, card_form(forest=""))
    review.enter(card_facts, ALPINE, OWNER, card_form(rock="bear"))
    with pytest.raises(IllegalMoveError, match="The bear can have only one terrain"):
        review.undo(card_facts, ALPINE, OWNER, card_facts.decided_changes(ALPINE, 9)[-1].id)
    assert card_facts.facts(ALPINE) == AnimalCard(rock="bear")


# The owner's taps.


def test_owners_quick_taps_on_one_value_are_one_change(card_facts: CardFactsStore, monkeypatch: pytest.MonkeyPatch):
    for animal in ("bear", "", "goat"):
        review.enter(card_facts, ALPINE, OWNER, card_form(forest=animal))
    review.enter(card_facts, ALPINE, OWNER, card_form(rock="bear"))
    assert [change_text(ALPINE, change) for change in card_facts.decided_changes(ALPINE, 9)] == [
        [("Rock", "", "bear")],
        [("Forest", "", "goat")],
    ]
    monkeypatch.setattr(review, "MERGE_SECONDS", -1)  # later
    review.enter(card_facts, ALPINE, OWNER, card_form(rock="wolf"))
    assert [change_text(ALPINE, change) for change in card_facts.decided_changes(ALPINE, 1)] == [
        [("Rock", "bear", "wolf")]
    ]


def test_tap_and_its_opposite_are_no_change(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, OWNER, card_form(forest="bear"))
    review.enter(card_facts, ALPINE, OWNER, card_form(forest=""))
    assert statuses(card_facts) == []


# Limits.


def test_waiting_changes_are_limited_for_a_stranger_and_in_total(card_facts: CardFactsStore, new_race: Callable):
    for _ in range(card_facts_module.MAX_WAITING_PER_STRANGER + 2):
        new_race().enter(EnterLeg(0, 0, "red"))
    assert len(card_facts.waiting_changes(RACE)) == card_facts_module.MAX_WAITING_PER_STRANGER
    for number in range(card_facts_module.MAX_WAITING):
        new_race(f"phone {number}").enter(EnterLeg(0, 0, "red"))
    devices = {change.device for change in card_facts.waiting_changes(RACE)}
    assert devices == {f"phone {number}" for number in range(card_facts_module.MAX_WAITING)}


def test_changes_of_the_owners_tables_are_kept_over_others(
    card_facts: CardFactsStore, new_race: Callable, bare_referee: Referee
):
    known, table = new_race(), new_race(FRIEND)
    bare_referee.sit(bare_referee.store.table(known.code), OWNER, "sit 1", 1)
    known.enter(EnterLeg(0, 0, "red"))
    table.enter(EnterLeg(0, 0, "green"))
    for number in range(card_facts_module.MAX_WAITING + 5):
        review.import_facts(card_facts, RACE, f"phone {number}", "box.json", CARD_FACTS[RACE.key])
    waiting = card_facts.waiting_changes(RACE)
    assert len(waiting) == card_facts_module.MAX_WAITING
    assert {change.name for change in waiting if change.source == FROM_TABLE} == {known.code, table.code}
    for number in range(card_facts_module.MAX_WAITING):
        new_race(f"phone {number}").enter(EnterLeg(0, 0, "yellow"))
    assert {change.source for change in card_facts.waiting_changes(RACE)} == {FROM_TABLE}
    names = {change.name for change in card_facts.waiting_changes(RACE)}
    assert known.code in names and table.code not in names


def test_change_that_this_version_cannot_read_is_ignored(card_facts: CardFactsStore):
    review.enter(card_facts, ALPINE, STRANGER, card_form(forest="bear"))
    review.enter(card_facts, ALPINE, OWNER, card_form(rock="goat"))
    with card_facts.store.transaction() as db:
        db.execute("""UPDATE changes SET after = '{"forest": "yeti"}'""")
    assert card_facts.waiting_changes(ALPINE) == card_facts.decided_changes(ALPINE, 9) == []
    assert card_facts.facts(ALPINE) == AnimalCard(rock="goat")


# Two simultaneous changes.


@parametrize_cases("in_other_process", [False, True], ids=["two threads", "two processes"])
@pytest.mark.parametrize("device", [OWNER, STRANGER])
def test_two_simultaneous_changes_are_both_kept(
    card_facts: CardFactsStore, bare_referee: Referee, monkeypatch, in_other_process: bool, device: str
):
    """The second one comes between the first one's read of the facts and its write."""
    other = (
        Referee(Store(bare_referee.store.path), LiveUpdates(bare_referee.store, 1))
        if in_other_process
        else bare_referee
    )
    read_facts, arrived = CardFactsStore.facts, threading.Event()

    def second() -> None:
        review.enter(other.card_facts, ALPINE, device, card_form(rock="goat"))
        if threading.current_thread() is not threading.main_thread():
            other.store.db.conn.close()

    thread = threading.Thread(target=second)

    def slow(self: CardFactsStore, game: Box) -> Any:
        known = read_facts(self, game)
        if not arrived.is_set():
            arrived.set()
            thread.start()
            thread.join(0.3)  # it has to wait for the lock and goes on afterwards
        return known

    monkeypatch.setattr(CardFactsStore, "facts", slow)
    review.enter(card_facts, ALPINE, device, card_form(forest="bear"))
    thread.join()
    monkeypatch.undo()
    assert review.facts_visible_to(card_facts, ALPINE, device) == AnimalCard("bear", "goat")
    if in_other_process:
        other.store.db.conn.close()


# Texts.


@pytest.mark.parametrize("key", CARD_FACTS)
def test_every_value_of_a_box_has_a_text_in_one_difference(key: str):
    game, box = GAMES[key].box, CARD_FACTS[key]
    no_facts = game.card_facts.type()
    for place, value in game.card_facts.values(box).items():
        (difference,) = game.card_facts.differences(
            no_facts, game.card_facts.put(no_facts, {place: value} | required_fields(place, box))
        )
        assert difference.is_addition and difference.new and difference.old in ("", "costs nothing")
    titles = [difference.title for difference in game.card_facts.differences(no_facts, box)]
    assert (
        len(titles) == len(set(titles)) == len({difference.path for difference in game.card_facts.describe_items(box)})
    )


def required_fields(place: tuple, box: Any) -> dict:
    """Return the values without which one value is invalid: a complete card has a leg."""
    return {("cards", place[1], "legs", 0, "colour"): "red"} if place[-1] == "whole" else {}


# The pages.


@pytest.fixture
def no_card_facts(app: Flask) -> Iterator[CardFactsStore]:
    """Yield the app's card facts, without facts, changes and owners before and after a test."""
    referee = app.extensions["waymark"]

    def forget() -> None:
        with referee.store.transaction() as db:
            for table in ("facts", "changes", "owners"):
                db.execute(f"DELETE FROM {table}")

    forget()
    yield referee.card_facts
    forget()


def send_file(phone: Phone, file: object, game: Box = ALPINE, name: str = "box.json"):
    content = json.dumps({"game": game.key, "facts": msgspec.to_builtins(file)}).encode()
    return phone.post(f"/box/{game.key}/file", {"file": (BytesIO(content), name)})


def review_change(phone: Phone, decision: str, change: int, game: Box = ALPINE, **form: object):
    return phone.post(f"/box/{game.key}/change", {"say": decision, "change": str(change), **form})


def test_strangers_form_waits_and_the_page_says_so(no_card_facts: CardFactsStore, app: Flask):
    phone, owner, other = Phone(app), Phone(app).become_owner(), Phone(app)
    assert "Your changes need the owner’s approval." in phone.open("/box/alpine-trails").text
    assert phone.post("/box/alpine-trails", {"facts.forest": "bear"}).status_code == 303
    text = phone.open("/box/alpine-trails").text
    assert "Your changes need the owner’s approval. Only this phone sees them." in text
    assert "Tap to clear" in text and "Tap to clear" not in other.open("/box/alpine-trails").text
    assert no_card_facts.facts(ALPINE) == AnimalCard()
    page = owner.open("/box/alpine-trails")
    assert "1 update to approve" in page.text and "Entered on this page, on another phone" in page.text
    form = page.form("/change")
    assert form.button_values("say") == ["keep", "decline"] and ("thing", "Forest") in form.fields
    assert owner.post(form.action, {**form.default_values, "say": "keep"}).status_code == 303
    assert no_card_facts.facts(ALPINE) == AnimalCard("bear")


def test_file_is_reviewed_before_any_of_it_is_accepted(no_card_facts: CardFactsStore, app: Flask):
    owner = Phone(app).become_owner()
    no_card_facts.save_facts(ALPINE, AnimalCard("goat"))
    assert send_file(owner, AnimalCard("wolf", "bear")).status_code == 303
    page = owner.open("/box/alpine-trails")
    assert (
        "From the file \u201cbox.json\u201d Different from your box Forest: goat \u2192 wolf New Rock: bear"
        in page.text
    )
    assert page.form("/change").button_values("say") == ["keep", "new", "decline"]
    assert no_card_facts.facts(ALPINE) == AnimalCard("goat")
    id = page.form("/change").default_values["change"]
    assert review_change(owner, "new", id).status_code == 303
    assert no_card_facts.facts(ALPINE) == AnimalCard("goat", "bear")
    text = owner.open("/box/alpine-trails").text
    assert "rejected. Forest: goat \u2192 wolf Restore" in text and "Rock: bear Undo" in text


def test_file_without_news_is_answered_with_a_message(no_card_facts: CardFactsStore, app: Flask):
    owner = Phone(app).become_owner()
    no_card_facts.save_facts(ALPINE, ANIMAL_CARD)
    answer = send_file(owner, ANIMAL_CARD)
    assert answer.status_code == 200 and "This file has nothing new." in parse_page(answer.text).text


def test_strangers_file_with_any_name_waits_and_is_escaped(no_card_facts: CardFactsStore, app: Flask):
    phone, owner = Phone(app), Phone(app).become_owner()
    assert send_file(phone, ANIMAL_CARD, name="<b>" + "x" * 500).status_code == 303
    answer = owner.get("/box/alpine-trails")
    assert no_card_facts.facts(ALPINE) == AnimalCard() and "<b>xx" not in answer.text
    assert f"From the file \u201c<b>{'x' * 57}\u201d, on another phone" in unescape(answer.text)


def test_file_with_a_byte_order_mark_is_read(no_card_facts: CardFactsStore, app: Flask):
    owner = Phone(app).become_owner()
    content = b"\xef\xbb\xbf" + json.dumps({"game": "alpine-trails", "facts": {"forest": "bear"}}).encode()
    assert owner.post("/box/alpine-trails/file", {"file": (BytesIO(content), "box.json")}).status_code == 303
    assert no_card_facts.waiting_changes(ALPINE)[0].after == AnimalCard("bear")


def test_table_shows_that_its_facts_wait_and_the_owner_sees_the_source(no_card_facts: CardFactsStore, app: Flask):
    table, owner = open_seated_table(app, "Ana", "Bo", game=RACE.key), Phone(app).become_owner()
    line = "This table uses card details that you entered."
    assert line not in table.page(0).text
    table.play(0, EnterLeg(0, 0, "red"))
    assert line in table.page(0).text and line in table.phone(0).open(f"{table.path}/seat/0/tell").text
    assert line not in open_seated_table(app, "Cy", "Di", game=RACE.key).page(0).text
    assert f"Entered at table {table.code} by Ana, Bo New Trail card 1: red" in owner.open("/box/on-the-trail").text
    for page in ("/", table.path, "/owner"):
        assert "1 update of your card details to approve: ON THE TRAIL" in owner.open(page).text
        assert "of your card details" not in table.phone(0).open(page).text
    review_change(owner, "keep", no_card_facts.waiting_changes(RACE)[0].id, RACE, thing="Trail card 1")
    assert leg_colors(no_card_facts.facts(RACE)) == ["red"] and line not in table.page(0).text


def test_undo_on_the_page_names_the_values_that_stay(no_card_facts: CardFactsStore, app: Flask):
    owner = Phone(app).become_owner()
    send_file(owner, AnimalCard("bear", "goat"))
    review_change(owner, "keep", no_card_facts.waiting_changes(ALPINE)[0].id, thing=["Forest", "Rock"])
    owner.post("/box/alpine-trails", {"facts.forest": "wolf"})
    page = owner.open("/box/alpine-trails")
    form = next(form for form in page.forms if form.default_values.get("say") == "back")
    answer = owner.post(form.action, {**form.default_values, "change": form.button_values("change")[-1]})
    assert "Not undone, as it was changed again since then: Forest." in parse_page(answer.text).text
    assert no_card_facts.facts(ALPINE) == AnimalCard("wolf")
    restored = review_change(owner, "back", form.button_values("change")[-1])
    assert restored.status_code == 409 and "already decided" in restored.text


def test_decisions_without_script_redirect_to_the_box_page(no_card_facts: CardFactsStore, app: Flask):
    owner, stranger = Phone(app).become_owner(), Phone(app)
    stranger.post("/box/alpine-trails", {"facts.forest": "bear"})
    for decision in ("decline", "again", "keep", "back", "back"):
        change = (*no_card_facts.waiting_changes(ALPINE), *no_card_facts.decided_changes(ALPINE, 1))[0]
        answer = review_change(owner, decision, change.id, thing="Forest")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/box/alpine-trails")
    assert no_card_facts.facts(ALPINE) == AnimalCard("bear")
    for form in ("file", "change"):
        assert owner.get(f"/box/alpine-trails/{form}").headers["Location"] == "/box/alpine-trails"


def test_stranger_cannot_decide_by_forging_forms(no_card_facts: CardFactsStore, app: Flask):
    owner, stranger, other = Phone(app).become_owner(), Phone(app), Phone(app)
    other.post("/box/alpine-trails", {"facts.forest": "bear"})
    waiting = no_card_facts.waiting_changes(ALPINE)[0].id
    for decision in ("keep", "new", "decline"):
        assert review_change(stranger, decision, waiting, thing="Forest").status_code == 409
    review_change(owner, "keep", waiting, thing="Forest")
    assert review_change(stranger, "back", no_card_facts.decided_changes(ALPINE, 1)[0].id).status_code == 409
    assert (
        no_card_facts.facts(ALPINE) == AnimalCard("bear")
        and "What has changed" not in stranger.open("/box/alpine-trails").text
    )


@pytest.mark.parametrize(
    "form", [{}, {"say": "keep"}, {"say": "fly", "change": "1"}, {"say": "keep", "change": "9" * 30}]
)
def test_invalid_decision_is_answered_with_a_message(no_card_facts: CardFactsStore, app: Flask, form: dict):
    answer = Phone(app).become_owner().post("/box/alpine-trails/change", form)
    assert answer.status_code == 400 and "one of the buttons" in answer.text


def test_history_of_changes_is_paginated(no_card_facts: CardFactsStore, app: Flask, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(review, "MERGE_SECONDS", -1)
    owner = Phone(app).become_owner()
    for number in range(2 * MAX_DECIDED_SHOWN + 1):
        review.enter(no_card_facts, ALPINE, owner.device, card_form(forest=("bear", "goat")[number % 2]))
    page, count = owner.open("/box/alpine-trails"), 0
    for _ in range(2):
        count += page.text.count("Undo")
        earlier = next(address for address in page.addresses if "before=" in address)
        page = owner.open(earlier)
    assert count + page.text.count("Undo") == 2 * MAX_DECIDED_SHOWN + 1
    after_last = owner.open(f"/box/alpine-trails?before={10**20}")
    assert after_last.text.count("Undo") == MAX_DECIDED_SHOWN, "as if nothing had been asked for"


def test_page_with_the_most_waiting_changes_stays_small(no_card_facts: CardFactsStore, app: Flask):
    owner = Phone(app).become_owner()
    name = "\u201c<\u00e4>\u201d of a name that is as long as it may be"[:38]
    names = [f"{name}{number:02}" for number in range(40)]
    cards = CustomCards(
        tuple(CustomPark(each, 20, 9, 9, 9, 9, 9, "roll") for each in names),
        tuple(CustomGear(each, 9) for each in names),
        tuple(CustomPassion(each) for each in names),
    )
    for phone in range(card_facts_module.MAX_WAITING + 5):
        review.import_facts(no_card_facts, PARKS, f"phone {phone}", "x" * 60, cards)
    answer = owner.get("/box/parks")
    assert (
        answer.status_code == 200
        and f"{card_facts_module.MAX_WAITING} updates to approve" in parse_page(answer.text).text
    )
    compressed = owner.http.get("/box/parks", headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < 250_000 and len(compressed.data) < 30_000, (len(answer.data), len(compressed.data))


def test_facts_of_a_solo_race_are_credited_to_its_player_alone(no_card_facts: CardFactsStore, app: Flask):
    table, owner = open_seated_table(app, "Maggie", game=RACE.key), Phone(app).become_owner()
    table.play(0, EnterLeg(0, 0, "red"))
    assert f"Entered at table {table.code} by Maggie New" in owner.open("/box/on-the-trail").text
