"""ON THE TRAIL at the companion: the bot without a seat, hands kept from the other phone, a box known to later tables."""

import dataclasses
import json
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO

import pytest
from flask import Flask
from msgspec.structs import replace

from companion.pages import pages as build
from companion.service.referee import fitting
from scoring.alpine_trails.moves.corrections import TellAnimal
from scoring.kernel.box_facts import Value
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.facts import CardFacts
from scoring.on_the_trail.moves.card_reveals import NoteCard, TellBoost
from scoring.on_the_trail.moves.corrections import Correct
from scoring.on_the_trail.moves.reveals import LayCard, TellLeg
from scoring.on_the_trail.moves.run_moves import Run, Stay
from scoring.parks.moves.hiking import Hike
from tests.companion.web.test_parks_pages import begun
from tests.scoring.on_the_trail.test_end import last_turn
from tests.support.on_the_trail_table import ANA, BO, BOX, PLAY, UNFINISHED
from tests.support.other_secrets import plain, serving
from tests.support.page_reader import read
from tests.support.phones import Phone, Seated, seated

KEY = "on-the-trail"


@pytest.fixture(autouse=True)
def unknown_box(app: Flask) -> Iterator[None]:
    """Nothing is known of the box before a test, and nothing after it."""
    referee = app.extensions["waymark"]

    def forget() -> None:
        referee.boxes.keep(PLAY, CardFacts())
        with referee.store.writing() as db:
            db.execute("DELETE FROM changes")

    forget()
    yield
    forget()


def known(app: Flask, *names: str) -> Seated:
    """Seat people at a table where the box is known and its cards lie in order."""
    app.extensions["waymark"].boxes.keep(PLAY, BOX)
    table = seated(app, *names, game=KEY)
    form = {
        **table.phone(0).open(f"{table.path}/setup").form("").untouched,
        **{f"setup.order.{n}": str(n) for n in range(5)},
    }
    assert table.phone(0).post(f"{table.path}/setup", form).status_code == 303
    return table


# The bot


def test_the_bot_races_without_a_seat(app: Flask):
    table = seated(app, "Ana", game=KEY)
    assert table.table.names == ("Ana", "The bot") and len(table.table.seats) == 1
    assert [seat.name for seat in build.lobby_page(table.table, "", "", "").table.seats] == ["Ana"]
    assert table.phone(0).post(f"{table.path}/sit", {"seat": "1"}).status_code == 403
    assert table.phone(0).get(f"{table.path}/seat/1").status_code == 303


def test_the_bots_turn_is_called_its_own_wherever_it_is_named(app: Flask):
    table = known(app, "Ana")

    def said() -> list[str]:
        answers = (table.phone(ANA).get(f"{table.path}/{page}").text for page in ("seat/0", "board"))
        return [
            read(re.search(r"<h1.*?</h1>", answer, re.DOTALL)[0]).text.split("Flip")[0].strip() for answer in answers
        ]

    assert said() == ["The bot\u2019s turn", "The bot \u2019s turn"]
    table.say(ANA, Flip())
    assert said() == ["Your turn Run at least one leg.", "Ana \u2019s turn"]


def test_who_deals_the_bots_cards_is_asked_at_its_first_card_and_then_said(app: Flask):
    assert app.extensions["waymark"].usual(PLAY, ["Ana"])["bot_deck"] == "ask"
    asks, deals = "Who deals the bot\u2019s cards?", "Waymark deals from a deck of its own."
    for deck, said in {"ask": (True, False), "app": (False, True), "cards": (False, False)}.items():
        table = known(app, "Ana")
        form = table.phone(0).open(f"{table.path}/setup").form("").untouched
        table.phone(0).post(f"{table.path}/setup", {**form, "setup.bot_deck": deck})
        page = table.page(ANA).text
        assert (asks in page, deals in page) == said, deck
        assert ("Let Waymark deal" in page) == (deck == "ask")


@pytest.mark.parametrize("changes", [{"phase": "effect"}, {"phase": "run"}, {"phase": "run", "moved": 0}])
def test_last_turn_that_can_change_nothing_has_a_button_that_ends_the_race(app: Flask, changes: dict):
    table = known(app, "Ana", "Bo")
    told = table.say(ANA, NoteCard("yellow"))
    for state, shown in ((last_turn(**changes), True), (replace(told.state, turn=BO), False)):
        last = replace(told.steps[-1], after=state)
        with serving(table.referee.store, replace(told, steps=(*told.steps[:-1], last))):
            assert ("End the race" in table.page(BO).text) is shown


def test_every_table_shuffles_the_bots_deck_anew_and_shows_it_to_nobody(app: Flask):
    first, second = known(app, "Ana"), known(app, "Ana")
    assert first.table.setup.seed != second.table.setup.seed
    assert str(first.table.setup.seed) not in first.phone(0).open(f"{first.path}/setup").text
    pages = ("seat/0", "seat/0/tell", "board", "score", "setup", "score.json")
    assert not [
        page for page in pages if str(first.table.setup.seed) in first.phone(0).get(f"{first.path}/{page}").text
    ]


def test_a_flip_taken_back_comes_again(app: Flask):
    table = known(app, "Ana")
    number = table.say(ANA, Flip()).number
    flipped = table.table.state.players[BO].discard
    table.tap(ANA, "step", {"take_back": str(number)})
    assert sum(table.table.state.players[BO].discard) == 0
    table.say(ANA, Flip())
    assert table.table.state.players[BO].discard == flipped


def test_the_series_counts_the_bots_wins_too(app: Flask):
    table = known(app, "Ana")
    lost = replace(table.table.state, phase="over").with_player(ANA, out=True)
    assert [column.winner for column in PLAY.box.score(PLAY.final(lost)).columns] == [False, True]
    assert table.table.wins_now == (0, 0)


# Hands


def test_no_page_of_the_other_phone_depends_on_a_hand(app: Flask):
    table = known(app, "Ana", "Bo")
    for card in ("red", "yellow", "yellow", "wild"):
        table.say(ANA, NoteCard(card))
    real = table.table
    step = real.steps[-1]
    other_hand = {"hand": (0, 0, 2, 0), "unseen": 2}
    other = replace(real, steps=(*real.steps[:-1], replace(step, after=step.after.with_player(ANA, **other_hand))))
    paths = ("seat/1", "seat/1/now", "seat/1/tell", "seat/1/log", "board", "score", "now")

    def answers(told) -> dict[str, str]:
        app.jinja_env.globals["shared"]._drawn.clear()
        with serving(table.referee.store, told):
            return {path: plain(table.phone(1).get(f"{table.path}/{path}").text) for path in paths}

    assert answers(real) == answers(other)
    app.jinja_env.globals["shared"]._drawn.clear()


def test_the_kept_card_is_in_no_line_of_the_log(app: Flask):
    table = known(app, "Ana", "Bo")
    for card in ("red", "yellow", "green", "wild"):
        table.say(ANA, NoteCard(card))
    table.say(ANA, Run("yellow"))
    table.say(ANA, Stay("wild"))
    text = table.phone(1).open(f"{table.path}/seat/1/log").text
    assert "Ana stayed, kept a card and discarded 1 red, 1 green." in text
    assert "wild card" not in text and "noted" not in text


def test_a_discard_pile_shows_the_cards_that_lie_on_it(app: Flask):
    table = known(app, "Ana", "Bo")
    for card in ("red", "red", "green", "green"):
        table.say(ANA, NoteCard(card))
    table.say(ANA, Run("green", pair=True))
    assert table.table.state.players[ANA].discard == (0, 0, 2, 0)
    pile = '<span class="muted">Discarded</span> <span class="rc green"><span class="sr">2 green</span>'
    for phone, page in ((0, "seat/0"), (1, "seat/1"), (1, "board")):
        answer = table.phone(phone).get(f"{table.path}/{page}").text
        assert answer.count("Discarded</span>") == 1 and pile in answer


# The box


def test_what_the_owner_tells_at_a_race_is_known_to_the_next_table(app: Flask):
    table = seated(app, "Ana", "Bo", game=KEY)
    for phone in table.phones:
        phone.owning()
    table.say(BO, TellLeg(0, 0, "green"))
    table.say(ANA, TellLeg(0, 1, "red"))
    after = seated(app, "Cy", "Di", game=KEY).table.setup.facts
    assert [leg.colour for leg in after.cards[0].legs] == ["green", "red"]


def test_the_set_up_names_the_cards_it_knows(app: Flask):
    table = known(app, "Ana", "Bo")
    assert table.table.setup.order == (0, 1, 2, 3, 4) and len(table.table.state.legs) == 21
    assert table.phone(0).open(f"{table.path}/setup").text.count("card 1") >= 1


def test_a_value_is_set_on_the_box_page_with_and_without_script(app: Flask):
    phone = seated(app, "Ana", game=KEY).phone(0).owning()
    plain_answer = phone.post(f"/box/{KEY}", {"facts.cards.0.legs.0.colour": "red"})
    assert plain_answer.status_code == 303
    drawn = phone.post(f"/box/{KEY}", {"facts.cards.0.legs.1.colour": "green"}, htmx=True)
    assert drawn.status_code == 200 and 'id="facts"' in drawn.text
    facts = app.extensions["waymark"].boxes.facts(PLAY.box)
    assert [leg.colour for leg in facts.cards[0].legs] == ["red", "green"]
    refused = phone.post(f"/box/{KEY}", {"facts.cards.0.legs.0.colour": "blue"}, htmx=True)
    assert refused.status_code == 400 and "cards[0].legs[0].colour" in refused.text


NO_BOX = {
    b"": "Choose a file first.",
    b"x" * 100_001: "too large",
    b"\xff\xfe{}": "not a text file",
    b'{"facts": {},\n "game": oops}': "not JSON at line 2, column 10",
    b"[" * 90_000: "nested too deeply",
    b'{"game": "on-the-trail"}': "facts: ",
    b'{"game": "parks", "facts": {}}': "not for ON THE TRAIL",
    b'{"game": "on-the-trail", "facts": {"cards": [{"legs": [{"colour": "blue"}]}]}}': "cards[0].legs[0].colour",
}


@pytest.mark.parametrize(("content", "why"), NO_BOX.items(), ids=list(NO_BOX.values()))
def test_a_file_that_is_no_box_is_refused_with_the_place_of_its_fault(app: Flask, content: bytes, why: str):
    phone = Phone(app)
    answer = phone.post(f"/box/{KEY}/file", {"file": (BytesIO(content), "box.json")})
    assert answer.status_code == 400
    assert why in unescape(answer.text)
    assert app.extensions["waymark"].boxes.facts(PLAY.box) == CardFacts()


def test_the_file_of_a_box_is_taken_in_at_another_instance(app: Flask):
    phone, boxes = Phone(app).owning(), app.extensions["waymark"].boxes
    boxes.keep(PLAY, BOX)
    file = phone.get(f"/box/{KEY}.json")
    boxes.keep(PLAY, CardFacts())
    assert phone.post(f"/box/{KEY}/file", {"file": (BytesIO(file.data), "box.json")}).status_code == 303
    assert boxes.facts(PLAY.box) == CardFacts()
    form = phone.open(f"/box/{KEY}").form("/change")
    ticked = [value for name, value in form.fields if name == "thing"]
    assert phone.post(f"/box/{KEY}/change", {**form.untouched, "thing": ticked, "say": "keep"}).status_code == 303
    assert boxes.facts(PLAY.box) == BOX


def test_a_race_on_one_phone_is_set_right_with_the_tables_consent(app: Flask):
    table = known(app, "Ana", "Bo")
    table.tap(
        ANA,
        "play",
        {"move.type": "correct", "move.player": "1", "move.space": "3", "was.space": "0", "move.lay": "cramps"},
    )
    assert table.table.proposals[0].text == "Correct Bo: 3 legs from the start, has Cramps"
    table.tap(BO, "answer", {"proposal": str(table.table.proposals[0].number), "yes": "1"})
    bo = table.table.state.players[BO]
    assert (bo.at, bo.setbacks) == (3, ("cramps",))


# Cards the app knows because it knows all others


def test_what_the_app_worked_out_of_a_draw_is_said_on_that_phone_alone_and_not_asked_for(app: Flask):
    table = known(app, "Ana", "Bo")
    for card in ("yellow", "red", "green", "green"):
        table.say(ANA, NoteCard(card))
    real = table.table
    held = real.state.with_player(ANA, hand=(0, 1, 0, 0), unseen=0, discard=(3, 2, 2, 1))
    last = replace(real.steps[-1], after=PLAY.play(held, ANA, Run("yellow")))
    told, asked = (
        "You drew: 1 yellow, 3 green: all other cards are known. There is nothing to tell.",
        "to tell before your turn",
    )
    with serving(table.referee.store, replace(real, steps=(*real.steps[:-1], last))):
        assert told in table.page(ANA).text and asked not in table.page(ANA).text
        assert told in table.phone(ANA).open(f"{table.path}/seat/0/tell").text
        others = [
            table.phone(BO).open(f"{table.path}/{path}").text
            for path in ("seat/1", "seat/1/tell", "seat/1/log", "board")
        ]
        assert [page for page in others if "You drew" in page] == []


CROSS = re.compile(r'<path d="M-3.500-9.500h7v6h6v7h-6v6h-7v-6h-6v-7h6z" fill="([^"]+)"')


def test_cross_of_an_aid_station_is_never_red(app: Flask):
    table = known(app, "Ana", "Bo")
    for page in ("seat/0", "board", "score", "print"):
        colors = set(CROSS.findall(table.phone(0).get(f"{table.path}/{page}").text))
        assert colors <= {"#1d5f96", "#000"}, page
        assert colors or page == "score", page


# What is told of the box during a race


def test_facts_of_the_box_reach_a_running_race_and_override_nothing(app: Flask):
    table = seated(app, "Ana", "Bo", game=KEY)
    owner = Phone(app).owning()
    table.say(ANA, TellLeg(0, 0, "red"))
    boosts = {"facts.boosts.cool-off.cost.0": "green"}
    assert owner.post(f"/box/{KEY}", {**boosts, "facts.setbacks.nausea": "green"}).status_code == 303
    facts = table.table.state.facts
    assert facts.boosts["cool-off"].cost == ("green",) and facts.setbacks == {"nausea": "green"}
    assert facts.cards[0].legs[0].colour == "red"
    owner.post(f"/box/{KEY}", {"facts.boosts.cool-off.cost.1": "red"})  # the owner goes on, card by card
    assert table.table.state.facts.boosts["cool-off"].cost == ("green", "red")
    table.say(BO, TellBoost("intervals", red=2, legs=3))
    owner.post(f"/box/{KEY}", {"facts.boosts.intervals.cost.0": "yellow", "facts.boosts.intervals.legs": "5"})
    told = table.table.state.facts.boosts["intervals"]
    assert (told.cost, told.legs) == (("red", "red"), 3)
    log = table.phone(0).open(f"{table.path}/seat/0/log").text
    assert "facts of the box" in log


def test_trail_card_told_in_part_is_filled_in_and_the_others_are_offered(app: Flask):
    table = seated(app, "Ana", "Bo", game=KEY)
    owner = Phone(app).owning()
    for leg, colour in enumerate(("red", "yellow")):
        table.say(ANA, TellLeg(0, leg, colour))
    for card, colours in {
        1: ("green", "red"),
        3: ("red", "yellow", "green"),
    }.items():  # card 3 is the one that lies first
        for leg, colour in enumerate(colours):
            owner.post(f"/box/{KEY}", {f"facts.cards.{card}.legs.{leg}.colour": colour})
    cards = table.table.state.facts.cards
    assert [leg.colour for leg in cards[0].legs] == ["red", "yellow", "green"]
    assert [[leg.colour for leg in card.legs] for card in cards[1:] if card.legs] == [["green", "red"]]


def test_trail_card_laid_without_a_look_is_asked_for_once_the_box_knows_one(app: Flask):
    table = seated(app, "Ana", "Bo", game=KEY)
    assert table.table.state.order == (0,)
    owner = Phone(app).owning()
    for leg, colour in enumerate(("green", "red")):
        owner.post(f"/box/{KEY}", {f"facts.cards.0.legs.{leg}.colour": colour})
    state = table.table.state
    assert state.order == () and [leg.colour for leg in state.facts.cards[0].legs] == ["green", "red"]
    assert [offer.move.card for offer in PLAY.offers(state, ANA, (LayCard,)) if offer.legal] == [0, 1]
    table.say(ANA, LayCard(0))
    owner.post(f"/box/{KEY}", {"facts.cards.0.legs.1.colour": "yellow"})  # the owner was wrong
    assert [leg.colour for leg in table.table.state.facts.cards[0].legs] == ["green", "yellow"]


def test_facts_the_owner_tells_at_one_race_reach_another(app: Flask):
    one, two = (seated(app, "Ana", "Bo", game=KEY, phones=1) for _ in range(2))
    one.phone(0).owning()
    one.say(ANA, TellBoost("intervals", red=2, legs=3))
    assert two.table.state.facts.boosts == one.table.state.facts.boosts != {}
    one.say(ANA, TellLeg(0, 0, "red"))
    assert two.table.state.order == ()  # the card that lies first there may be another one


def test_undo_takes_back_a_move_and_not_the_facts_of_the_box(app: Flask):
    table = seated(app, "Ana", "Bo", game=KEY)
    told = table.say(ANA, TellLeg(0, 0, "red")).number
    Phone(app).owning().post(f"/box/{KEY}", {"facts.boosts.cool-off.cost.0": "green"})
    assert table.table.state.facts.boosts["cool-off"].cost == ("green",)
    undo = build.seat_page(table.table, table.phone(ANA).device, ANA).undo
    assert undo and undo.id == str(told)


def test_facts_of_the_box_leave_the_last_move_free_to_undo(app: Flask):
    """They are stored with the first seat, whose turn it may be: nobody has moved in that turn."""
    table = begun(app, "Ana", "Bo")
    box = table.table.play.box
    try:
        table.say(ANA, Hike(0, 1))
        hiked = table.say(BO, Hike(0, 2))
        assert hiked.state.turn == ANA
        Phone(app).owning().post(f"/box/{box.key}", {"facts.parks.0.name": "Home", "facts.parks.0.points": "2"})
        assert "Park Home" in table.table.steps[-1].text
        undo = build.seat_page(table.table, table.phone(BO).device, BO).undo
        assert undo and undo.id == str(hiked.number)
    finally:
        table.referee.boxes.keep(box, table.table.play.facts.type())


def test_facts_that_would_make_a_table_wrong_are_left_out_and_the_others_used():
    state = PLAY.begin(PLAY.usual(["Ana", "Bo"]))
    values = [Value(("setbacks", "nausea"), "green"), Value(("setbacks", "stitch"), "red")]
    wrong = Reason("wrong", r.COMPONENTS, "No table has this.")
    lying = dataclasses.replace(PLAY.lying, faults=lambda at: [wrong] if "nausea" in at.facts.setbacks else [])
    assert fitting(PLAY, state, values) == values
    assert fitting(dataclasses.replace(PLAY, lying=lying), state, values) == values[1:]


def test_facts_that_do_not_go_together_with_a_table_write_nothing(app: Flask):
    table = seated(app, "Ana", "Bo", game="alpine-trails")
    box = table.table.play.box
    try:
        table.say(ANA, TellAnimal("wetland", "bear"))
        for question in table.table.proposals:
            table.tap(BO, "answer", {"proposal": str(question.number), "yes": "1"})
        assert table.table.state.facts.wetland == "bear"
        number = table.table.number
        Phone(app).owning().post(f"/box/{box.key}", {"facts.forest": "bear"})
        assert table.table.number == number
    finally:
        table.referee.boxes.keep(box, table.table.play.facts.type())


def test_no_phone_can_send_facts_of_the_box_itself(app: Flask):
    table = seated(app, "Ana", "Bo", game=KEY)
    forged = json.dumps({"type": "use-box-facts", "values": '[[["setbacks","nausea"],"green",null]]'})
    assert table.tap(ANA, "play", {"move": forged}).status_code == 403


@pytest.mark.parametrize(
    ("game", "form", "known"),
    [
        ("alpine-trails", {"facts.forest": "bear"}, lambda facts: facts.animal("forest") == "bear"),
        (
            "parks-tally",
            {"facts.parks.0.name": "Home", "facts.parks.0.points": "2"},
            lambda facts: facts.parks[0].name == "Home",
        ),
        (
            "parks",
            {"facts.parks.0.name": "Home", "facts.parks.0.points": "2"},
            lambda facts: facts.parks[0].name == "Home",
        ),
    ],
)
def test_facts_of_other_boxes_reach_a_running_game(app: Flask, game: str, form: dict, known):
    table = seated(app, "Ana", "Bo", game=game)
    box = table.table.play.box
    try:
        assert Phone(app).owning().post(f"/box/{box.key}", form).status_code == 303
        assert known(table.table.state.facts)
    finally:
        table.referee.boxes.keep(box, table.table.play.facts.type())


def test_last_known_leg_of_the_last_card_says_how_to_stay(app: Flask):
    app.extensions["waymark"].boxes.keep(PLAY, UNFINISHED)
    table = seated(app, "Ana", "Bo", game=KEY)
    form = {
        **table.phone(0).open(f"{table.path}/setup").form("").untouched,
        **{f"setup.order.{n}": str(n) for n in range(5)},
    }
    table.phone(0).post(f"{table.path}/setup", {**form, "setup.tracking": "light"})
    table.say(ANA, Correct(ANA, space=18))
    (asked,) = table.table.proposals
    table.tap(BO, "answer", {"proposal": str(asked.number), "yes": "1"})
    table.say(ANA, Run("red"))
    page = table.page(ANA).text
    assert "This is the finish" in page or "Finish" in page
    assert "You may be at the finish. Answer this first, then run on or stay." in page
    table.say(ANA, TellLeg(4, 3, "green"))
    assert "Stay" in table.page(ANA).text
