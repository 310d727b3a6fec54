"""Facts of a box belong to its owner: what others tell waits, is kept or not, and every change can be taken back."""

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

from companion.log.repair import Plan
from companion.log.table import plain_move
from companion.pages.pages import CHANGES
from companion.service.live import Live
from companion.service.referee import Referee
from companion.storage import card_facts as keeping
from companion.storage.card_facts import (
    AT_TABLE,
    BACK,
    DECLINED,
    IN_FILE,
    KEPT,
    ON_PAGE,
    TAKEN_BACK,
    Boxes,
    Change,
    NotPossible,
)
from companion.storage.store import Store
from scoring.alpine_trails.state import AnimalCard
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.errors import Illegal
from scoring.kernel.move import Move
from scoring.on_the_trail.facts import CardFacts
from scoring.on_the_trail.moves.card_reveals import TellColour
from scoring.on_the_trail.moves.reveals import TellLeg
from scoring.parks.box import HomeGear, HomeMade, HomePark, HomePassion
from tests.support import on_the_trail_table
from tests.support.cases import cases
from tests.support.page_reader import read
from tests.support.phones import Phone, seated

ALPINE, PARKS, RACE = (GAMES[key].box for key in ("alpine-trails", "parks", "on-the-trail"))
OWNER, STRANGER, FRIEND = "owner", "stranger", "friend"
CARD = AnimalCard("bear", "goat", "wolf", "moose")
HOME = HomeMade(
    (HomePark("Town Park", 3, sun=2, instant="roll"), HomePark("Garden")),
    (HomeGear("Kite", 2), HomeGear("Garden")),
    (HomePassion("Stargazing"),),
)
NAUSEA = TellColour("nausea", "green")
KNOWN = {"alpine-trails": CARD, "parks": HOME, "on-the-trail": on_the_trail_table.BOX}


@pytest.fixture
def boxes(judge: Referee) -> Boxes:
    """The boxes of an instance of its own, with one phone of their owner."""
    judge.boxes.owners.add(OWNER)
    return judge.boxes


def forms(**told: str) -> Callable[[Any], Any]:
    """Return what a form on the page of the animal card says."""
    return lambda known: ALPINE.facts.with_values(known, told)


def statuses(boxes: Boxes, game: Box = ALPINE) -> list[tuple[str, str]]:
    return [(change.source, change.status) for change in (*boxes.waiting(game), *boxes.history(game, 99))]


def words(game: Box, change: Change) -> list[tuple[str, str, str]]:
    return [each[1:4] for each in game.facts.differences(change.before, change.after)]


@pytest.fixture
def race(judge: Referee) -> Callable[..., SimpleNamespace]:
    """Open a race; what is told at it is said as `tell(move)`."""
    taps = count()

    def open(device: str = STRANGER) -> SimpleNamespace:
        code = judge.open(device, RACE.key, judge.usual(GAMES[RACE.key].play, ["Ana", "Bo"])).code
        judge.sit(code, device, "sit", 0)

        def tell(move: Move, by: str = device, seat: int = 0) -> None:
            judge.play(code, by, f"tell {next(taps)}", seat, plain_move(move))

        return SimpleNamespace(code=code, tell=tell)

    return open


def colours(facts: CardFacts, card: int = 0) -> list[str | None]:
    return [leg.colour for leg in facts.cards[card].legs]


# Whose word counts


def by_form(boxes: Boxes, race: Callable, device: str) -> tuple[Box, Any]:
    boxes.tell(ALPINE, device, forms(forest="bear"))
    return ALPINE, AnimalCard("bear")


def by_file(boxes: Boxes, race: Callable, device: str) -> tuple[Box, Any]:
    assert boxes.take_in(ALPINE, device, "box.json", CARD)
    return ALPINE, CARD


def at_a_table(boxes: Boxes, race: Callable, device: str) -> tuple[Box, Any]:
    race(device).tell(TellLeg(0, 0, "red"))
    return RACE, CardFacts().with_leg(0, 0, colour="red")


WAYS = [by_form, by_file, at_a_table]


@pytest.mark.parametrize("way", WAYS)
def test_what_a_stranger_tells_waits_and_the_box_stays(boxes: Boxes, race: Callable, way: Callable):
    game, told = way(boxes, race, STRANGER)
    assert boxes.facts(game) == game.facts.type()
    (change,) = boxes.waiting(game)
    assert (change.before, change.after, change.known) == (game.facts.type(), told, False)


@pytest.mark.parametrize("way", [by_form, at_a_table])
def test_what_the_owner_tells_counts_at_once_and_is_listed(boxes: Boxes, race: Callable, way: Callable):
    game, told = way(boxes, race, OWNER)
    assert boxes.facts(game) == told and boxes.waiting(game) == []
    (change,) = boxes.history(game, 9)
    assert (change.status, change.before, change.after) == (KEPT, game.facts.type(), told)


def test_the_owners_file_waits_too_until_it_has_been_looked_at(boxes: Boxes, race: Callable):
    by_file(boxes, race, OWNER)
    assert boxes.facts(ALPINE) == AnimalCard() and boxes.waiting(ALPINE)[0].known
    boxes.agree(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id)
    assert boxes.facts(ALPINE) == CARD and statuses(boxes) == [(IN_FILE, KEPT)]


def test_a_stranger_sees_what_it_has_told_itself_and_nobody_else_does(boxes: Boxes):
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    boxes.tell(ALPINE, STRANGER, forms(rock="goat"))
    assert boxes.seen_by(ALPINE, STRANGER) == AnimalCard("bear", "goat")
    assert boxes.seen_by(ALPINE, FRIEND) == boxes.seen_by(ALPINE, OWNER) == AnimalCard()
    assert [change.after for change in boxes.waiting(ALPINE)] == [AnimalCard("bear", "goat")]
    boxes.take_in(ALPINE, STRANGER, "box.json", AnimalCard(meadow="wolf"))
    assert [change.after for change in boxes.waiting(ALPINE)] == [AnimalCard("bear", "goat", "wolf")]


def test_a_stranger_takes_back_what_it_told_itself_and_nothing_else(boxes: Boxes, race: Callable):
    by_form(boxes, race, STRANGER)
    with pytest.raises(NotPossible, match="Only the owner"):
        boxes.decline(ALPINE, FRIEND, boxes.waiting(ALPINE)[0].id)
    boxes.decline(ALPINE, STRANGER, boxes.waiting(ALPINE)[0].id)
    assert statuses(boxes) == []
    at_a_table(boxes, race, STRANGER)
    with pytest.raises(NotPossible, match="Only the owner"):
        boxes.decline(RACE, STRANGER, boxes.waiting(RACE)[0].id)


@pytest.mark.parametrize("decide", ["agree", "bring_back", "take_back"])
def test_only_the_owner_decides(boxes: Boxes, decide: str):
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    if decide == "bring_back":
        boxes.decline(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id)
    elif decide == "take_back":
        boxes.agree(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id)
    before, known = statuses(boxes), boxes.facts(ALPINE)
    id = (*boxes.waiting(ALPINE), *boxes.history(ALPINE, 9))[0].id
    with pytest.raises(NotPossible, match="Only the owner of the box decides that."):
        getattr(boxes, decide)(ALPINE, STRANGER, id)
    assert (statuses(boxes), boxes.facts(ALPINE)) == (before, known)


# Deciding


def test_what_is_kept_is_known_to_every_later_table(boxes: Boxes, race: Callable, judge: Referee):
    first = race()
    first.tell(TellLeg(0, 0, "red"))
    assert judge.store.table(first.code).state.facts.cards[0].legs[0].colour == "red"
    assert colours(judge.store.table(race().code).setup.facts) == []
    boxes.agree(RACE, OWNER, boxes.waiting(RACE)[0].id)
    assert colours(judge.store.table(race().code).setup.facts) == ["red"]


def test_what_was_declined_stays_out_and_can_be_brought_back(boxes: Boxes):
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    boxes.decline(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id)
    assert boxes.facts(ALPINE) == AnimalCard() and statuses(boxes) == [(ON_PAGE, DECLINED)]
    boxes.bring_back(ALPINE, OWNER, boxes.history(ALPINE, 1)[0].id)
    boxes.agree(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id)
    assert boxes.facts(ALPINE) == AnimalCard("bear")


def test_a_declined_change_that_says_nothing_new_any_more_does_not_wait_again(boxes: Boxes):
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    boxes.decline(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id)
    boxes.tell(ALPINE, OWNER, forms(forest="bear"))
    with pytest.raises(NotPossible, match="The box says all of that by now."):
        boxes.bring_back(ALPINE, OWNER, next(each.id for each in boxes.history(ALPINE, 9) if each.status == DECLINED))


PARTS = {
    "all": ({}, AnimalCard("wolf", "bear", "moose"), []),
    "some": ({"titles": ["Forest"]}, AnimalCard("wolf"), ["Rock", "Meadow"]),
    "what is new": ({"only_new": True}, AnimalCard("goat", "bear", "moose"), ["Forest"]),
}


@pytest.mark.parametrize(("how", "known", "left"), PARTS.values(), ids=list(PARTS))
def test_all_some_or_only_what_is_new_is_kept_and_the_rest_not(boxes: Boxes, how: dict, known: AnimalCard, left: list):
    boxes.keep(ALPINE, AnimalCard("goat"))
    boxes.take_in(ALPINE, OWNER, "box.json", AnimalCard("wolf", "bear", "moose"))
    things = ALPINE.facts.differences(boxes.facts(ALPINE), boxes.proposed(ALPINE, boxes.waiting(ALPINE)[0]))
    assert [(thing.title, thing.old, thing.new, thing.adds) for thing in things] == [
        ("Forest", "goat", "wolf", False), ("Rock", "", "bear", True), ("Meadow", "", "moose", True),
    ]  # fmt: skip
    boxes.agree(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id, **how)
    assert boxes.facts(ALPINE) == known and boxes.waiting(ALPINE) == []
    declined = [change for change in boxes.history(ALPINE, 9) if change.status == DECLINED]
    assert [title for change in declined for title, *_ in words(ALPINE, change)] == left


def test_nothing_ticked_is_nothing_kept(boxes: Boxes):
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    with pytest.raises(NotPossible, match="Nothing of it is ticked"):
        boxes.agree(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id, titles=[])
    assert len(boxes.waiting(ALPINE)) == 1


def test_a_part_that_makes_no_box_is_refused(boxes: Boxes):
    boxes.keep(ALPINE, AnimalCard("bear"))
    boxes.take_in(ALPINE, OWNER, "box.json", AnimalCard("wolf", "bear"))
    with pytest.raises(Illegal, match="The bear lives in one terrain only"):
        boxes.agree(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id, only_new=True)
    assert boxes.facts(ALPINE) == AnimalCard("bear") and len(boxes.waiting(ALPINE)) == 1


def test_a_change_is_decided_once(boxes: Boxes):
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    id = boxes.waiting(ALPINE)[0].id
    boxes.agree(ALPINE, OWNER, id)
    for decide in (boxes.agree, boxes.decline, boxes.bring_back):
        with pytest.raises(NotPossible, match="settled already"):
            decide(ALPINE, OWNER, id)
    with pytest.raises(NotPossible, match="settled already"):
        boxes.take_back(PARKS, OWNER, boxes.history(ALPINE, 1)[0].id)  # of another game


def test_the_owner_agrees_to_what_was_shown_and_not_to_what_came_since(boxes: Boxes, race: Callable):
    one = race()
    one.tell(TellLeg(0, 0, "red"))
    shown = boxes.waiting(RACE)[0].id
    one.tell(TellLeg(0, 0, "green"))
    for decide in (boxes.agree, boxes.decline):
        with pytest.raises(NotPossible, match="more has been told since. Look at it as it is now."):
            decide(RACE, OWNER, shown)
    boxes.agree(RACE, OWNER, boxes.waiting(RACE)[0].id)
    assert colours(boxes.facts(RACE)) == ["green"]


# What is told later counts


def test_what_waits_is_put_to_the_box_as_it_is_when_it_is_kept(boxes: Boxes, race: Callable):
    one = race()
    one.tell(TellLeg(0, 0, "red"))
    one.tell(TellLeg(0, 1, "green"))
    boxes.keep(
        RACE, CardFacts().with_leg(0, 0, colour="red").with_leg(0, 1, stop="aid").with_leg(1, 0, colour="yellow")
    )
    (change,) = boxes.waiting(RACE)
    boxes.agree(RACE, OWNER, change.id)
    box = boxes.facts(RACE)
    assert (colours(box), box.cards[0].legs[1].stop, colours(box, 1)) == (["red", "green"], "aid", ["yellow"])
    assert words(RACE, boxes.history(RACE, 1)[0]) == [
        ("Trail card 1", "red, ? to an Aid Station", "red, green to an Aid Station")
    ]


def test_what_differs_by_now_is_shown_as_differing(boxes: Boxes):
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    boxes.tell(ALPINE, OWNER, forms(forest="goat"))
    (thing,) = ALPINE.facts.differences(boxes.facts(ALPINE), boxes.proposed(ALPINE, boxes.waiting(ALPINE)[0]))
    assert (thing.old, thing.new, thing.adds) == ("goat", "bear", False)


def test_what_the_box_says_by_now_waits_no_more(boxes: Boxes):
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    boxes.tell(ALPINE, FRIEND, forms(forest="bear", rock="goat"))
    boxes.tell(ALPINE, OWNER, forms(forest="bear"))
    assert [change.device for change in boxes.waiting(ALPINE)] == [FRIEND]


def test_an_animal_told_elsewhere_leaves_its_terrain(boxes: Boxes):
    """Value by value that would make no box."""
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    boxes.tell(ALPINE, OWNER, forms(rock="bear"))
    boxes.agree(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id)
    assert boxes.facts(ALPINE) == AnimalCard("bear")


def test_what_can_no_longer_go_into_the_box_waits_with_the_reason(boxes: Boxes):
    full = HomeMade(tuple(HomePark(f"Park {number}") for number in range(40)))
    boxes.take_in(PARKS, STRANGER, "box.json", HomeMade((HomePark("Garden"),)))
    boxes.keep(PARKS, full)
    (change,) = boxes.waiting(PARKS)
    with pytest.raises(Illegal, match="At most 40 cards"):
        boxes.agree(PARKS, OWNER, change.id)
    boxes.decline(PARKS, OWNER, change.id)
    assert boxes.facts(PARKS) == full


# Tables


def test_a_table_has_one_change_that_grows_with_what_it_tells(boxes: Boxes, race: Callable):
    one = race()
    for leg, colour in enumerate(("red", "green", "yellow")):
        one.tell(TellLeg(0, leg, colour))
    (change,) = boxes.waiting(RACE)
    assert colours(change.after) == ["red", "green", "yellow"] and (change.name, change.who) == (one.code, "Ana, Bo")
    assert boxes.waits_for(one.code) and not boxes.waits_for(race().code)


def test_what_a_table_takes_back_waits_no_more(boxes: Boxes, race: Callable, judge: Referee):
    one = race()
    one.tell(TellLeg(0, 0, "red"))
    judge.mend(one.code, STRANGER, "back", 0, Plan(str(judge.store.newest(one.code)), 1))
    assert boxes.waiting(RACE) == [] and not boxes.waits_for(one.code)


def test_a_table_that_tells_what_the_box_says_has_nothing_waiting(boxes: Boxes, race: Callable):
    one = race()
    boxes.keep(RACE, CardFacts().with_leg(0, 0, colour="red"))
    one.tell(TellLeg(0, 0, "red"))
    assert boxes.waiting(RACE) == []


def test_after_a_decision_only_what_a_table_tells_then_waits(boxes: Boxes, race: Callable):
    one = race()
    one.tell(TellLeg(0, 0, "red"))
    boxes.decline(RACE, OWNER, boxes.waiting(RACE)[0].id)
    one.tell(NAUSEA)
    assert words(RACE, boxes.waiting(RACE)[0]) == [("Nausea", "", "green")]


def test_what_the_owner_sets_right_at_a_table_counts_and_the_rest_waits(boxes: Boxes, race: Callable, judge: Referee):
    one = race()
    judge.sit(one.code, OWNER, "sit 1", 1)
    one.tell(TellLeg(0, 0, "red"))
    one.tell(NAUSEA)
    one.tell(TellLeg(0, 0, "green"), by=OWNER, seat=1)
    assert colours(boxes.facts(RACE)) == ["green"] and boxes.facts(RACE).setbacks == {}
    box = boxes.facts(RACE)
    (thing,) = RACE.facts.differences(box, boxes.proposed(RACE, boxes.waiting(RACE)[0]))
    assert thing[1:4] == ("Nausea", "", "green")
    assert boxes.waiting(RACE)[0].known  # the owner's phone sits there


def test_the_next_table_of_the_same_players_goes_on_with_what_they_told(
    boxes: Boxes, race: Callable, judge: Referee, monkeypatch
):
    one = race()
    one.tell(TellLeg(0, 0, "red"))
    monkeypatch.setattr(type(judge.store.table(one.code)), "over", True)
    two = judge.again(one.code, STRANGER, "again")
    assert colours(two.setup.facts) == ["red"]
    judge.play(two.code, STRANGER, "tell", 0, plain_move(NAUSEA))
    second, first = boxes.waiting(RACE)
    assert (first.name, colours(first.after), first.after.setbacks) == (one.code, ["red"], {})
    told = RACE.facts.differences(second.before, second.after)
    assert (second.name, [each.title for each in told]) == (two.code, ["Nausea"])
    monkeypatch.setattr(type(judge.store.table(one.code)), "over", True)
    three = judge.again(two.code, STRANGER, "once more")
    assert colours(three.setup.facts) == ["red"] and three.setup.facts.setbacks
    assert colours(judge.store.table(race().code).setup.facts) == []


# Taking back


def test_a_change_is_taken_back_and_that_again(boxes: Boxes):
    boxes.keep(ALPINE, AnimalCard("goat"))
    boxes.tell(ALPINE, OWNER, forms(forest="bear", rock="wolf"))
    assert boxes.take_back(ALPINE, OWNER, boxes.history(ALPINE, 1)[0].id) == []
    assert boxes.facts(ALPINE) == AnimalCard("goat")
    assert statuses(boxes) == [(BACK, KEPT), (ON_PAGE, TAKEN_BACK)]
    for known in (AnimalCard("bear", "wolf"), AnimalCard("goat"), AnimalCard("bear", "wolf")):
        boxes.take_back(ALPINE, OWNER, boxes.history(ALPINE, 1)[0].id)
        assert boxes.facts(ALPINE) == known


@pytest.mark.parametrize("key", KNOWN)
def test_a_whole_box_is_taken_back_value_by_value_and_put_back(boxes: Boxes, key: str):
    game, box = GAMES[key].box, KNOWN[key]
    boxes.take_in(game, OWNER, "box.json", box)
    boxes.agree(game, OWNER, boxes.waiting(game)[0].id)
    assert boxes.facts(game) == box
    boxes.take_back(game, OWNER, boxes.history(game, 1)[0].id)
    assert boxes.facts(game) == game.facts.type()
    boxes.take_back(game, OWNER, boxes.history(game, 1)[0].id)
    assert game.facts.changes(boxes.facts(game), box) == {}


def test_what_was_told_otherwise_since_stays_when_a_change_is_taken_back(boxes: Boxes):
    boxes.tell(ALPINE, OWNER, forms(forest="bear", rock="goat"))
    boxes.tell(ALPINE, OWNER, forms(forest="wolf"))
    first = boxes.history(ALPINE, 9)[-1]
    assert boxes.take_back(ALPINE, OWNER, first.id) == ["Forest"]
    assert boxes.facts(ALPINE) == AnimalCard("wolf")


def test_a_change_of_which_nothing_is_left_is_not_taken_back(boxes: Boxes):
    boxes.take_in(ALPINE, OWNER, "box.json", AnimalCard("bear"))
    boxes.agree(ALPINE, OWNER, boxes.waiting(ALPINE)[0].id)
    boxes.tell(ALPINE, OWNER, forms(forest="wolf"))
    first = boxes.history(ALPINE, 9)[-1]
    with pytest.raises(NotPossible, match="Forest: told otherwise since. Take the later change back first."):
        boxes.take_back(ALPINE, OWNER, first.id)
    boxes.tell(ALPINE, OWNER, forms(forest=""))
    with pytest.raises(NotPossible, match="The box is as it was before that change already."):
        boxes.take_back(ALPINE, OWNER, first.id)


def test_taking_back_what_a_later_change_stands_on_is_refused(boxes: Boxes):
    boxes.keep(ALPINE, AnimalCard("bear"))
    boxes.tell(ALPINE, OWNER, forms(forest=""))
    boxes.tell(ALPINE, OWNER, forms(rock="bear"))
    with pytest.raises(Illegal, match="The bear lives in one terrain only"):
        boxes.take_back(ALPINE, OWNER, boxes.history(ALPINE, 9)[-1].id)
    assert boxes.facts(ALPINE) == AnimalCard(rock="bear")


# The owner's taps


def test_what_the_owner_taps_of_one_thing_in_a_moment_is_one_change(boxes: Boxes, monkeypatch: pytest.MonkeyPatch):
    for animal in ("bear", "", "goat"):
        boxes.tell(ALPINE, OWNER, forms(forest=animal))
    boxes.tell(ALPINE, OWNER, forms(rock="bear"))
    assert [words(ALPINE, change) for change in boxes.history(ALPINE, 9)] == [
        [("Rock", "", "bear")],
        [("Forest", "", "goat")],
    ]
    monkeypatch.setattr(keeping, "SITTING", -1)  # later
    boxes.tell(ALPINE, OWNER, forms(rock="wolf"))
    assert [words(ALPINE, change) for change in boxes.history(ALPINE, 1)] == [[("Rock", "bear", "wolf")]]


def test_a_tap_and_its_opposite_are_no_change(boxes: Boxes):
    boxes.tell(ALPINE, OWNER, forms(forest="bear"))
    boxes.tell(ALPINE, OWNER, forms(forest=""))
    assert statuses(boxes) == []


# Bounds


def test_strangers_tables_wait_a_few_of_each_phone_and_some_of_all(boxes: Boxes, race: Callable):
    for _ in range(keeping.MOST_OF_A_PHONE + 2):
        race().tell(TellLeg(0, 0, "red"))
    assert len(boxes.waiting(RACE)) == keeping.MOST_OF_A_PHONE
    for number in range(keeping.MOST_WAITING):
        race(f"phone {number}").tell(TellLeg(0, 0, "red"))
    devices = {change.device for change in boxes.waiting(RACE)}
    assert devices == {f"phone {number}" for number in range(keeping.MOST_WAITING)}


def test_what_comes_from_the_owners_tables_is_not_pushed_out_nor_a_table_by_forms(
    boxes: Boxes, race: Callable, judge: Referee
):
    known, table = race(), race(FRIEND)
    judge.sit(known.code, OWNER, "sit 1", 1)
    known.tell(TellLeg(0, 0, "red"))
    table.tell(TellLeg(0, 0, "green"))
    for number in range(keeping.MOST_WAITING + 5):
        boxes.take_in(RACE, f"phone {number}", "box.json", KNOWN[RACE.key])
    waiting = boxes.waiting(RACE)
    assert len(waiting) == keeping.MOST_WAITING
    assert {change.name for change in waiting if change.source == AT_TABLE} == {known.code, table.code}
    for number in range(keeping.MOST_WAITING):
        race(f"phone {number}").tell(TellLeg(0, 0, "yellow"))
    assert {change.source for change in boxes.waiting(RACE)} == {AT_TABLE}
    there = {change.name for change in boxes.waiting(RACE)}
    assert known.code in there and table.code not in there


def test_a_change_that_this_version_cannot_read_is_passed_over(boxes: Boxes):
    boxes.tell(ALPINE, STRANGER, forms(forest="bear"))
    boxes.tell(ALPINE, OWNER, forms(rock="goat"))
    with boxes._store.writing() as db:
        db.execute("""UPDATE changes SET after = '{"forest": "yeti"}'""")
    assert boxes.waiting(ALPINE) == boxes.history(ALPINE, 9) == []
    assert boxes.facts(ALPINE) == AnimalCard(rock="goat")


# Two at once


@cases("elsewhere", [False, True], ids=["two threads", "two processes"])
@pytest.mark.parametrize("device", [OWNER, STRANGER])
def test_two_who_tell_at_once_are_both_heard(boxes: Boxes, judge: Referee, monkeypatch, elsewhere: bool, device: str):
    """The second comes between the first one's look at the box and its writing."""
    other = Referee(Store(judge.store.path), Live(judge.store, 1)) if elsewhere else judge
    look, came = Boxes.facts, threading.Event()

    def second() -> None:
        other.boxes.tell(ALPINE, device, forms(rock="goat"))
        if threading.current_thread() is not threading.main_thread():
            other.store.db.conn.close()

    thread = threading.Thread(target=second)

    def slow(self: Boxes, game: Box) -> Any:
        known = look(self, game)
        if not came.is_set():
            came.set()
            thread.start()
            thread.join(0.3)  # it has to wait for us, and goes on after
        return known

    monkeypatch.setattr(Boxes, "facts", slow)
    boxes.tell(ALPINE, device, forms(forest="bear"))
    thread.join()
    monkeypatch.undo()
    assert boxes.seen_by(ALPINE, device) == AnimalCard("bear", "goat")
    if elsewhere:
        other.store.db.conn.close()


# Words


@pytest.mark.parametrize("key", KNOWN)
def test_every_value_of_a_box_is_told_in_words_as_part_of_one_thing(key: str):
    game, box = GAMES[key].box, KNOWN[key]
    nothing = game.facts.type()
    for place, value in game.facts.values(box).items():
        (thing,) = game.facts.differences(nothing, game.facts.put(nothing, {place: value} | needed(place, box)))
        assert thing.adds and thing.new and thing.old in ("", "costs nothing")
    titles = [thing.title for thing in game.facts.differences(nothing, box)]
    assert len(titles) == len(set(titles)) == len({thing.place for thing in game.facts.things(box)})


def needed(place: tuple, box: Any) -> dict:
    """Return what else is told where one value alone makes no box: a complete card has a leg."""
    return {("cards", place[1], "legs", 0, "colour"): "red"} if place[-1] == "whole" else {}


# The pages


@pytest.fixture
def clean(app: Flask) -> Iterator[Boxes]:
    """Nothing is known of any box before a test, nobody is an owner, and so after it."""
    referee = app.extensions["waymark"]

    def forget() -> None:
        with referee.store.writing() as db:
            for table in ("facts", "changes", "owners"):
                db.execute(f"DELETE FROM {table}")

    forget()
    yield referee.boxes
    forget()


def sent(phone: Phone, file: object, game: Box = ALPINE, name: str = "box.json"):
    content = json.dumps({"game": game.key, "facts": msgspec.to_builtins(file)}).encode()
    return phone.post(f"/box/{game.key}/file", {"file": (BytesIO(content), name)})


def says(phone: Phone, say: str, change: int, game: Box = ALPINE, **form: object):
    return phone.post(f"/box/{game.key}/change", {"say": say, "change": str(change), **form})


def test_a_strangers_form_waits_and_its_page_says_so(clean: Boxes, app: Flask):
    phone, owner, other = Phone(app), Phone(app).owning(), Phone(app)
    assert "What you tell here waits for the owner of the box." in phone.open("/box/alpine-trails").text
    assert phone.post("/box/alpine-trails", {"facts.forest": "bear"}).status_code == 303
    text = phone.open("/box/alpine-trails").text
    assert "What you have told here waits for the owner of the box; only this phone sees it." in text
    assert "tap to take it off" in text and "tap to take it off" not in other.open("/box/alpine-trails").text
    assert clean.facts(ALPINE) == AnimalCard()
    page = owner.open("/box/alpine-trails")
    assert "1 thing waits for you" in page.text and "Told on this page, by another phone" in page.text
    form = page.form("/change")
    assert form.button("say") == ["keep", "decline"] and ("thing", "Forest") in form.fields
    assert owner.post(form.action, {**form.untouched, "say": "keep"}).status_code == 303
    assert clean.facts(ALPINE) == AnimalCard("bear")


def test_a_file_is_looked_at_before_anything_of_it_is_kept(clean: Boxes, app: Flask):
    owner = Phone(app).owning()
    clean.keep(ALPINE, AnimalCard("goat"))
    assert sent(owner, AnimalCard("wolf", "bear")).status_code == 303
    page = owner.open("/box/alpine-trails")
    assert (
        "In the file \u201cbox.json\u201d Differs from your box Forest: goat \u2192 wolf Not known yet Rock: bear"
        in page.text
    )
    assert page.form("/change").button("say") == ["keep", "new", "decline"]
    assert clean.facts(ALPINE) == AnimalCard("goat")
    id = page.form("/change").untouched["change"]
    assert says(owner, "new", id).status_code == 303
    assert clean.facts(ALPINE) == AnimalCard("goat", "bear")
    text = owner.open("/box/alpine-trails").text
    assert "not kept. Forest: goat \u2192 wolf Bring back" in text and "Rock: bear Take back" in text


def test_a_file_that_says_nothing_new_says_so(clean: Boxes, app: Flask):
    owner = Phone(app).owning()
    clean.keep(ALPINE, CARD)
    answer = sent(owner, CARD)
    assert answer.status_code == 200 and "The file says nothing that is not known here." in read(answer.text).text


def test_a_file_of_a_stranger_waits_whatever_it_is_called(clean: Boxes, app: Flask):
    phone, owner = Phone(app), Phone(app).owning()
    assert sent(phone, CARD, name="<b>" + "x" * 500).status_code == 303
    answer = owner.get("/box/alpine-trails")
    assert clean.facts(ALPINE) == AnimalCard() and "<b>xx" not in answer.text
    assert f"In the file \u201c<b>{'x' * 57}\u201d, by another phone" in unescape(answer.text)


def test_a_file_with_a_byte_order_mark_is_read(clean: Boxes, app: Flask):
    owner = Phone(app).owning()
    content = b"\xef\xbb\xbf" + json.dumps({"game": "alpine-trails", "facts": {"forest": "bear"}}).encode()
    assert owner.post("/box/alpine-trails/file", {"file": (BytesIO(content), "box.json")}).status_code == 303
    assert clean.waiting(ALPINE)[0].after == AnimalCard("bear")


def test_a_table_that_told_something_says_that_it_waits_and_the_owner_sees_from_where(clean: Boxes, app: Flask):
    table, owner = seated(app, "Ana", "Bo", game=RACE.key), Phone(app).owning()
    line = "holds at this table and waits for the owner of the box"
    assert line not in table.page(0).text
    table.say(0, TellLeg(0, 0, "red"))
    assert line in table.page(0).text and line in table.phone(0).open(f"{table.path}/seat/0/tell").text
    assert line not in seated(app, "Cy", "Di", game=RACE.key).page(0).text
    assert (
        f"Told at table {table.code} by Ana, Bo Not known yet Trail card 1: red" in owner.open("/box/on-the-trail").text
    )
    for page in ("/", table.path, "/owner"):
        assert "1 thing told of your boxes waits for you: ON THE TRAIL" in owner.open(page).text
        assert "told of your boxes" not in table.phone(0).open(page).text
    says(owner, "keep", clean.waiting(RACE)[0].id, RACE, thing="Trail card 1")
    assert colours(clean.facts(RACE)) == ["red"] and line not in table.page(0).text


def test_a_change_is_taken_back_on_the_page_and_what_stays_is_said(clean: Boxes, app: Flask):
    owner = Phone(app).owning()
    sent(owner, AnimalCard("bear", "goat"))
    says(owner, "keep", clean.waiting(ALPINE)[0].id, thing=["Forest", "Rock"])
    owner.post("/box/alpine-trails", {"facts.forest": "wolf"})
    page = owner.open("/box/alpine-trails")
    form = next(form for form in page.forms if form.untouched.get("say") == "back")
    answer = owner.post(form.action, {**form.untouched, "change": form.button("change")[-1]})
    assert "Forest: told otherwise since, and so as told last." in read(answer.text).text
    assert clean.facts(ALPINE) == AnimalCard("wolf")
    again = says(owner, "back", form.button("change")[-1])
    assert again.status_code == 409 and "settled already" in again.text


def test_without_script_every_decision_is_a_form_that_leads_back_to_the_box(clean: Boxes, app: Flask):
    owner, stranger = Phone(app).owning(), Phone(app)
    stranger.post("/box/alpine-trails", {"facts.forest": "bear"})
    for say in ("decline", "again", "keep", "back", "back"):
        change = (*clean.waiting(ALPINE), *clean.history(ALPINE, 1))[0]
        answer = says(owner, say, change.id, thing="Forest")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/box/alpine-trails")
    assert clean.facts(ALPINE) == AnimalCard("bear")
    for form in ("file", "change"):
        assert owner.get(f"/box/alpine-trails/{form}").headers["Location"] == "/box/alpine-trails"


def test_a_stranger_decides_nothing_by_forms_of_its_own(clean: Boxes, app: Flask):
    owner, stranger, other = Phone(app).owning(), Phone(app), Phone(app)
    other.post("/box/alpine-trails", {"facts.forest": "bear"})
    waiting = clean.waiting(ALPINE)[0].id
    for say in ("keep", "new", "decline"):
        assert says(stranger, say, waiting, thing="Forest").status_code == 409
    says(owner, "keep", waiting, thing="Forest")
    assert says(stranger, "back", clean.history(ALPINE, 1)[0].id).status_code == 409
    assert (
        clean.facts(ALPINE) == AnimalCard("bear") and "What has changed" not in stranger.open("/box/alpine-trails").text
    )


@pytest.mark.parametrize(
    "form", [{}, {"say": "keep"}, {"say": "fly", "change": "1"}, {"say": "keep", "change": "9" * 30}]
)
def test_a_decision_that_is_none_is_answered_in_words(clean: Boxes, app: Flask, form: dict):
    answer = Phone(app).owning().post("/box/alpine-trails/change", form)
    assert answer.status_code == 400 and "one of the buttons" in answer.text


def test_the_history_is_read_page_by_page(clean: Boxes, app: Flask, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(keeping, "SITTING", -1)
    owner = Phone(app).owning()
    for number in range(2 * CHANGES + 1):
        clean.tell(ALPINE, owner.device, forms(forest=("bear", "goat")[number % 2]))
    page, seen = owner.open("/box/alpine-trails"), 0
    for _ in range(2):
        seen += page.text.count("Take back")
        earlier = next(address for address in page.addresses if "before=" in address)
        page = owner.open(earlier)
    assert seen + page.text.count("Take back") == 2 * CHANGES + 1
    beyond = owner.open(f"/box/alpine-trails?before={10**20}")
    assert beyond.text.count("Take back") == CHANGES, "as if nothing had been asked for"


def test_the_page_with_the_most_that_can_wait_stays_small(clean: Boxes, app: Flask):
    owner = Phone(app).owning()
    name = "\u201c<\u00e4>\u201d of a name that is as long as it may be"[:38]
    names = [f"{name}{number:02}" for number in range(40)]
    cards = HomeMade(
        tuple(HomePark(each, 20, 9, 9, 9, 9, 9, "roll") for each in names),
        tuple(HomeGear(each, 9) for each in names),
        tuple(HomePassion(each) for each in names),
    )
    for phone in range(keeping.MOST_WAITING + 5):
        clean.take_in(PARKS, f"phone {phone}", "x" * 60, cards)
    answer = owner.get("/box/parks")
    assert answer.status_code == 200 and f"{keeping.MOST_WAITING} things wait" in read(answer.text).text
    compressed = owner.http.get("/box/parks", headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < 250_000 and len(compressed.data) < 30_000, (len(answer.data), len(compressed.data))


def test_facts_of_a_solo_race_are_credited_to_its_player_alone(clean: Boxes, app: Flask):
    table, owner = seated(app, "Maggie", game=RACE.key), Phone(app).owning()
    table.say(0, TellLeg(0, 0, "red"))
    assert f"Told at table {table.code} by Maggie Not known yet" in owner.open("/box/on-the-trail").text
