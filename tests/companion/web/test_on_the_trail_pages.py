"""Tests of ON THE TRAIL pages: the bot, secret hands, and card facts of the box."""

import dataclasses
import json
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO

import pytest
from flask import Flask
from msgspec.structs import replace

from companion.pages import lobby as lobby_pages
from companion.pages import seat as seat_pages
from companion.service.referee import compatible_values
from scoring.alpine_trails.moves.corrections import EnterAnimalHome
from scoring.kernel.box_facts import FactValue
from scoring.kernel.editable import AddRemove, Increment
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.cards import NO_CARDS, Cards, cards_of_kind
from scoring.on_the_trail.moves.card_reveals import EnterBoost, NoteCard
from scoring.on_the_trail.moves.corrections import EditPosition
from scoring.on_the_trail.moves.reveals import EnterLeg, LayCard
from scoring.on_the_trail.moves.run_moves import Run, Stay
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import required_decision
from scoring.parks.moves.hiking import Hike
from tests.companion.web.test_parks_pages import open_table_with_trail
from tests.scoring.on_the_trail.test_end import last_turn
from tests.support.changed_secrets import strip_per_request_values, substitute_table
from tests.support.on_the_trail_table import ANA, BO, CARD_FACTS, TRACKED_GAME, UNFINISHED_CARD_FACTS
from tests.support.page_parser import parse_page
from tests.support.phones import Phone, SeatedTable, open_seated_table

GAME_KEY = "on-the-trail"


@pytest.fixture(autouse=True)
def without_card_facts(app: Flask) -> Iterator[None]:
    """Remove all card facts of the box before and after each test."""
    referee = app.extensions["waymark"]

    def forget() -> None:
        referee.card_facts.save_facts(TRACKED_GAME.box, CardFacts())
        with referee.store.transaction() as db:
            db.execute("DELETE FROM changes")

    forget()
    yield
    forget()


def table_with_card_facts(app: Flask, *names: str) -> SeatedTable:
    """Return a table whose box is known and whose cards are in order."""
    app.extensions["waymark"].card_facts.save_facts(TRACKED_GAME.box, CARD_FACTS)
    table = open_seated_table(app, *names, game=GAME_KEY)
    form = {
        **table.phone(0).open(f"{table.path}/setup").form("").default_values,
        **{f"setup.order.{n}": str(n) for n in range(5)},
    }
    assert table.phone(0).post(f"{table.path}/setup", form).status_code == 303
    return table


# The bot.


def test_bot_races_without_a_seat(app: Flask):
    table = open_seated_table(app, "Ana", game=GAME_KEY)
    assert table.table.names == ("Ana", "The bot") and len(table.table.seats) == 1
    assert [seat.name for seat in lobby_pages.lobby_page(table.table, "", "", "").table.seats] == ["Ana"]
    assert table.phone(0).post(f"{table.path}/sit", {"seat": "1"}).status_code == 403
    assert table.phone(0).get(f"{table.path}/seat/1").status_code == 303


def test_bots_turn_is_named_on_every_page(app: Flask):
    table = table_with_card_facts(app, "Ana")

    def turn_texts() -> list[str]:
        answers = (table.phone(ANA).get(f"{table.path}/{page}").text for page in ("seat/0", "board"))
        return [
            parse_page(re.search(r"<h1.*?</h1>", answer, re.DOTALL)[0]).text.split("Flip")[0].strip()
            for answer in answers
        ]

    assert turn_texts() == ["The bot\u2019s turn", "The bot \u2019s turn"]
    table.play(ANA, Flip())
    assert turn_texts() == ["Your turn Run at least 1 leg.", "Ana \u2019s turn"]


def test_bot_deck_is_chosen_at_its_first_card_and_then_shown(app: Flask):
    assert app.extensions["waymark"].default_setup(TRACKED_GAME, ["Ana"])["bot_deck"] == "ask"
    question, sentence = "Who deals the bot\u2019s cards?", "Waymark deals the bot\u2019s cards."
    for deck, expected in {"ask": (True, False), "app": (False, True), "cards": (False, False)}.items():
        table = table_with_card_facts(app, "Ana")
        form = table.phone(0).open(f"{table.path}/setup").form("").default_values
        table.phone(0).post(f"{table.path}/setup", {**form, "setup.bot_deck": deck})
        page = table.page(ANA).text
        assert (question in page, sentence in page) == expected, deck
        assert ("Let Waymark deal" in page) == (deck == "ask")


@pytest.mark.parametrize("changes", [{"phase": "effect"}, {"phase": "run"}, {"phase": "run", "moved": 0}])
def test_last_turn_without_options_has_a_button_that_ends_the_race(app: Flask, changes: dict):
    table = table_with_card_facts(app, "Ana", "Bo")
    table_after = table.play(ANA, NoteCard("yellow"))
    for state, is_shown in ((last_turn(**changes), True), (replace(table_after.state, turn=BO), False)):
        last = replace(table_after.steps[-1], after=state)
        with substitute_table(table.referee.store, replace(table_after, steps=(*table_after.steps[:-1], last))):
            assert ("End the race" in table.page(BO).text) is is_shown


def test_seed_of_the_bots_deck_differs_by_table_and_is_on_no_page(app: Flask):
    first, second = table_with_card_facts(app, "Ana"), table_with_card_facts(app, "Ana")
    assert first.table.setup.seed != second.table.setup.seed
    assert str(first.table.setup.seed) not in first.phone(0).open(f"{first.path}/setup").text
    pages = ("seat/0", "seat/0/tell", "board", "score", "setup", "score.json")
    assert not [
        page for page in pages if str(first.table.setup.seed) in first.phone(0).get(f"{first.path}/{page}").text
    ]


def test_undone_flip_turns_up_the_same_card_again(app: Flask):
    table = table_with_card_facts(app, "Ana")
    number = table.play(ANA, Flip()).version
    flipped = table.table.state.players[BO].discard
    table.submit(ANA, "step", {"take_back": str(number)})
    assert sum(table.table.state.players[BO].discard) == 0
    table.play(ANA, Flip())
    assert table.table.state.players[BO].discard == flipped


def test_series_counts_the_bots_wins(app: Flask):
    table = table_with_card_facts(app, "Ana")
    lost = replace(table.table.state, phase="over").with_player(ANA, out=True)
    assert [column.winner for column in TRACKED_GAME.box.score(TRACKED_GAME.final_position(lost)).columns] == [
        False,
        True,
    ]
    assert table.table.total_wins == (0, 0)


# Hands.


def test_pages_of_the_other_phone_do_not_depend_on_a_hand(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    for card in ("red", "yellow", "yellow", "wild"):
        table.play(ANA, NoteCard(card))
    real = table.table
    step = real.steps[-1]
    other_hand = {"hand": (0, 0, 2, 0), "unknown_hand": 2}
    other = replace(real, steps=(*real.steps[:-1], replace(step, after=step.after.with_player(ANA, **other_hand))))
    paths = ("seat/1", "seat/1/now", "seat/1/tell", "seat/1/log", "board", "score", "now")

    def answers(shown_table) -> dict[str, str]:
        app.jinja_env.globals["shared_fragment"]._cache.clear()
        with substitute_table(table.referee.store, shown_table):
            return {path: strip_per_request_values(table.phone(1).get(f"{table.path}/{path}").text) for path in paths}

    assert answers(real) == answers(other)
    app.jinja_env.globals["shared_fragment"]._cache.clear()


def test_kept_card_is_not_in_the_log_of_the_other_phone(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    for card in ("red", "yellow", "green", "wild"):
        table.play(ANA, NoteCard(card))
    table.play(ANA, Run("yellow"))
    table.play(ANA, Stay("wild"))
    text = table.phone(1).open(f"{table.path}/seat/1/log").text
    line = "Ana stopped at a neutral stop and kept a card, \u22121 red card, \u22121 green card, +4 cards: 5 in hand."
    assert line in text
    assert "wild card" not in text and "entered" not in text


def test_discard_pile_shows_its_cards(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    for card in ("red", "red", "green", "green"):
        table.play(ANA, NoteCard(card))
    table.play(ANA, Run("green", pair=True))
    assert table.table.state.players[ANA].discard == (0, 0, 2, 0)
    pile = '<span class="muted">Discarded</span> <span class="race-card green" role="img" aria-label="2 green">'
    own_page = table.phone(ANA).get(f"{table.path}/seat/{ANA}").text
    assert own_page.count("Discarded</span>") == 1 and pile in own_page
    # For the others the pile says which cards Ana could still hold: 3 of the 5 green ones.
    left = '<span class="race-card green" role="img" aria-label="green"></span>×3'
    for page in (f"seat/{BO}", "board"):
        assert left in re.sub(r">\s+", ">", table.phone(BO).get(f"{table.path}/{page}").text)


# The screens of a seat.


def page_of(table: SeatedTable, seat: int, state, page: str = "") -> str:
    """Return the text of a seat's page, or of another page, in a state, without line breaks."""
    table.play(ANA, NoteCard("yellow"))
    current = table.table
    last = replace(current.steps[-1], after=state)
    with substitute_table(table.referee.store, replace(current, steps=(*current.steps[:-1], last))):
        answer = table.phone(seat).get(f"{table.path}/{page or f'seat/{seat}'}").text
    return re.sub(r"\s+", " ", unescape(answer))


def test_keys_of_a_turn_name_costs_and_legs_and_the_cards_in_front(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    state = replace(table.table.state, facts=CARD_FACTS, order=tuple(range(5)))
    state = state.with_player(ANA, hand=(2, 1, 2, 1), unknown_hand=0, boosts=("flat-out",), setbacks=("im-fine",))
    text = page_of(table, ANA, state)
    assert re.search(r'class="note">\s?costs 2 red and 1 of any color ?</span>', text)
    assert '<span class="title">2 legs</span>' in text and "with a card for each leg" in text
    # One card in front is named, also a long one, in the color of its kind.
    assert re.search(r'own-card setback">.*?<small>I’m Fine, I’m Fine</small>', text)
    assert re.search(r'own-card boost">.*?<small>Flat Out</small>', text)
    assert "stop-0" in text and 'href="#stop-1"' in text


@pytest.mark.parametrize(
    ("turn", "changes"),
    [(BO, {}), (ANA, {"legs_run": 9}), (BO, {"legs_run": 21, "finished": True}), (BO, {"out": True})],
    ids=["turn", "last runner", "finish", "DNF"],
)
def test_window_of_the_trail_follows_the_race(app: Flask, turn: int, changes: dict):
    """A fragment in memory that should have changed is an error: all are rendered again."""
    table = table_with_card_facts(app, "Ana", "Bo")
    race = replace(table.table.state, facts=CARD_FACTS, order=tuple(range(5)))
    race = race.with_player(ANA, legs_run=3).with_player(BO, legs_run=16)
    later = replace(race, turn=turn).with_player(ANA, **changes)
    first_stops = [
        min(int(number) for number in re.findall(r'id="stop-(\d+)"', page_of(table, BO, state)))
        for state in (race, later)
    ]
    assert first_stops == [2, 7]


def state_with_boosts(table: SeatedTable, *boosts: str, hand: Cards, facts: CardFacts) -> State:
    """Return a race on the known Trail in which Ana has Boosts."""
    state = replace(table.table.state, facts=replace(CARD_FACTS, boosts=facts.boosts), order=tuple(range(5)))
    return state.with_player(ANA, hand=hand, unknown_hand=0, boosts=boosts)


def test_boost_without_a_known_cost_is_a_key_that_leads_to_a_form(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    state = state_with_boosts(table, "intervals", "welcome-break", hand=(2, 1, 2, 1), facts=CardFacts())
    text = page_of(table, ANA, state)
    for boost in ("intervals", "welcome-break"):
        assert f"?draft.boost={boost}&" in text and f'id="tell-{boost}"' not in text
    form = page_of(table, ANA, state, "seat/0?draft.boost=intervals&draft.as=0")
    assert "What does Intervals cost and give?" in form and 'name="move.legs"' in form
    assert ">Back</a>" in form and 'name="move" value=' not in form
    # A Boost with a known cost leads to the ways to pay for it, if there are any.
    known = state_with_boosts(table, "intervals", hand=NO_CARDS, facts=CARD_FACTS)
    assert ">Back</a>" not in page_of(table, ANA, known, "seat/0?draft.boost=intervals&draft.as=0")


@pytest.mark.parametrize("boosts", [("intervals",), ("intervals", "personal-best")], ids=["one", "two"])
def test_boost_that_decides_about_the_race_is_asked_for(app: Flask, boosts: tuple[str, ...]):
    table = table_with_card_facts(app, "Ana", "Bo")
    state = state_with_boosts(table, *boosts, hand=cards_of_kind("red"), facts=CardFacts())
    assert state.legs[0].colour != "red"
    assert required_decision(state) == "boost"
    text = page_of(table, ANA, state)
    assert ("What does Intervals cost" in text) == (len(boosts) == 1)
    assert ("Which Boost could help?" in text) == (len(boosts) == 2)
    assert "Back</a>" not in text


def test_setbacks_to_draw_are_in_order_and_missing_ones_are_named(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    state = replace(table.table.state, facts=CARD_FACTS, order=tuple(range(5)), phase="effect", moved=2)
    state = replace(state.with_player(ANA, legs_run=2, setbacks=("sprain",)), setback_discard=("nausea",))
    state = state.with_player(BO, setbacks=("stitch",))
    assert state.legs[1].stop == "setback"
    text = page_of(table, ANA, state)
    assert "Not in the deck: Sprain (you), Stitch (Bo), Nausea (discarded)." in text
    keys = text[text.index("Which Setback did you draw?") : text.index("Not in the deck")]
    names = re.findall(r'<span class="title">([^<]*)</span>', keys)
    assert len(names) == 6 and names == sorted(names)


def test_score_page_of_a_race_begins_with_the_winner(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    state = replace(table.table.state, facts=CARD_FACTS, order=tuple(range(5)), phase="over")
    state = state.with_player(BO, finished=True, legs_run=len(state.legs))
    text = page_of(table, ANA, state, "score")
    lines = text[text.index('class="columns"') :]
    assert lines.index("Bo</bdi>") < lines.index("Ana</bdi>")
    assert lines.count("Cards in hand") == 1  # The runner who did not finish has none that count.
    assert 'class="bib piece-black" aria-hidden="true">2<' in lines
    final = page_of(table, ANA, state)
    assert re.search(r"Bo</bdi>:</strong> finished, \d in hand", final)


# The box.


def test_facts_entered_by_the_owner_at_a_race_are_known_to_the_next(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=GAME_KEY)
    for phone in table.phones:
        phone.become_owner()
    table.play(BO, EnterLeg(0, 0, "green"))
    table.play(ANA, EnterLeg(0, 1, "red"))
    after = open_seated_table(app, "Cy", "Di", game=GAME_KEY).table.setup.facts
    assert [leg.colour for leg in after.cards[0].legs] == ["green", "red"]


def test_setup_shows_the_known_cards(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    assert table.table.setup.order == (0, 1, 2, 3, 4) and len(table.table.state.legs) == 21
    assert table.phone(0).open(f"{table.path}/setup").text.count("Card 1") >= 1


def test_value_is_set_on_the_box_page_with_and_without_script(app: Flask):
    phone = open_seated_table(app, "Ana", game=GAME_KEY).phone(0).become_owner()
    plain_answer = phone.post(f"/box/{GAME_KEY}", {"facts.cards.0.legs.0.colour": "red"})
    assert plain_answer.status_code == 303
    answer = phone.post(f"/box/{GAME_KEY}", {"facts.cards.0.legs.1.colour": "green"}, htmx=True)
    assert answer.status_code == 200 and 'id="facts"' in answer.text
    facts = app.extensions["waymark"].card_facts.facts(TRACKED_GAME.box)
    assert [leg.colour for leg in facts.cards[0].legs] == ["red", "green"]
    refused = phone.post(f"/box/{GAME_KEY}", {"facts.cards.0.legs.0.colour": "blue"}, htmx=True)
    assert refused.status_code == 400 and "cards[0].legs[0].colour" in refused.text


INVALID_FILES = {
    b"": "Choose a file first.",
    b"x" * 100_001: "too large",
    b"\xff\xfe{}": "not a text file",
    b'{"facts": {},\n "game": oops}': "not JSON at line 2, column 10",
    b"[" * 90_000: "nested too deeply",
    b'{"game": "on-the-trail"}': "not a file with card details",
    b'{"game": "parks", "facts": {}}': "not for ON THE TRAIL",
    b'{"game": "on-the-trail", "facts": {"cards": [{"legs": [{"colour": "blue"}]}]}}': "cards[0].legs[0].colour",
}


@pytest.mark.parametrize(("content", "why"), INVALID_FILES.items(), ids=list(INVALID_FILES.values()))
def test_invalid_card_facts_file_is_refused_with_the_place(app: Flask, content: bytes, why: str):
    phone = Phone(app)
    answer = phone.post(f"/box/{GAME_KEY}/file", {"file": (BytesIO(content), "box.json")})
    assert answer.status_code == 400
    assert why in unescape(answer.text)
    assert app.extensions["waymark"].card_facts.facts(TRACKED_GAME.box) == CardFacts()


def test_exported_card_facts_are_imported_and_accepted(app: Flask):
    phone, boxes = Phone(app).become_owner(), app.extensions["waymark"].card_facts
    boxes.save_facts(TRACKED_GAME.box, CARD_FACTS)
    file = phone.get(f"/box/{GAME_KEY}.json")
    boxes.save_facts(TRACKED_GAME.box, CardFacts())
    assert phone.post(f"/box/{GAME_KEY}/file", {"file": (BytesIO(file.data), "box.json")}).status_code == 303
    assert boxes.facts(TRACKED_GAME.box) == CardFacts()
    form = phone.open(f"/box/{GAME_KEY}").form("/change")
    checked = [value for name, value in form.fields if name == "thing"]
    assert (
        phone.post(f"/box/{GAME_KEY}/change", {**form.default_values, "thing": checked, "say": "keep"}).status_code
        == 303
    )
    assert boxes.facts(TRACKED_GAME.box) == CARD_FACTS


def test_correction_of_a_race_needs_the_tables_consent(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    table.play(ANA, EditPosition((Increment("runners.1.at", 3), AddRemove("runners.1.setbacks", more=("cramps",)))))
    text = "Bo\u2019s legs run 0 \u2192 3, Setbacks +Cramps"
    assert table.table.proposals[0].text == text
    table.submit(BO, "answer", {"proposal": str(table.table.proposals[0].number), "yes": "1"})
    bo = table.table.state.players[BO]
    assert (bo.legs_run, bo.setbacks) == (3, ("cramps",))


# Cards the app knows because it knows all others.


def test_cards_left_to_enter_before_a_turn_are_counted(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    assert "Before your turn, enter the 4 cards in your hand." in table.page(BO).text
    for card, cards_text in (("yellow", "3 cards"), ("red", "2 cards"), ("green", "card")):
        table.play(BO, NoteCard(card))
        assert f"Before your turn, enter the other {cards_text} in your hand." in table.page(BO).text


def test_inferred_draw_is_shown_only_on_its_own_phone(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    for card in ("yellow", "red", "green", "green"):
        table.play(ANA, NoteCard(card))
    real = table.table
    held = real.state.with_player(ANA, hand=(0, 1, 0, 0), unknown_hand=0, discard=(3, 2, 2, 1))
    last = replace(real.steps[-1], after=TRACKED_GAME.play(held, ANA, Run("yellow")))
    table_after, proposal = (
        "You drew 1 yellow card and 3 green cards, the last cards in your deck. Waymark has entered your whole hand.",
        "Before your turn, enter the",
    )
    with substitute_table(table.referee.store, replace(real, steps=(*real.steps[:-1], last))):
        assert table_after in table.page(ANA).text and proposal not in table.page(ANA).text
        assert table_after in table.phone(ANA).open(f"{table.path}/seat/0/tell").text
        others = [
            table.phone(BO).open(f"{table.path}/{path}").text
            for path in ("seat/1", "seat/1/tell", "seat/1/log", "board")
        ]
        assert [page for page in others if "You drew" in page] == []


def test_deck_that_ran_out_asks_once_for_the_other_cards(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    for card in ("yellow", "red", "green", "green"):
        table.play(ANA, NoteCard(card))
    real = table.table
    held = real.state.with_player(ANA, hand=(0, 1, 0, 0), unknown_hand=0, discard=(3, 3, 3, 1))
    played = TRACKED_GAME.play(held, ANA, Run("yellow"))
    for turn in (BO, ANA):
        last = replace(real.steps[-1], after=replace(played, turn=turn))
        with substitute_table(table.referee.store, replace(real, steps=(*real.steps[:-1], last))):
            page = table.page(ANA).text
        assert page.count("the last cards in your deck. Enter the 2 cards you drew after that.") == 1
        assert "Before your turn, enter the" not in page


CROSS = re.compile(r'<path d="M-3.500-9.500h7v6h6v7h-6v6h-7v-6h-6v-7h6z" fill="([^"]+)"')


def test_cross_of_an_aid_station_is_never_red(app: Flask):
    table = table_with_card_facts(app, "Ana", "Bo")
    for page in ("seat/0", "board", "score", "print"):
        colors = set(CROSS.findall(table.phone(0).get(f"{table.path}/{page}").text))
        assert colors <= {"#1d5f96", "#000"}, page
        assert colors or page == "score", page


# Card facts that are entered during a race.


def test_facts_of_the_box_reach_a_running_race_and_override_nothing(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=GAME_KEY)
    owner = Phone(app).become_owner()
    table.play(ANA, EnterLeg(0, 0, "red"))
    boosts = {"facts.boosts.cool-off.cost.0": "green"}
    assert owner.post(f"/box/{GAME_KEY}", {**boosts, "facts.setbacks.nausea": "green"}).status_code == 303
    facts = table.table.state.facts
    assert facts.boosts["cool-off"].cost == ("green",) and facts.setbacks == {"nausea": "green"}
    assert facts.cards[0].legs[0].colour == "red"
    owner.post(f"/box/{GAME_KEY}", {"facts.boosts.cool-off.cost.1": "red"})  # the owner goes on, card by card
    assert table.table.state.facts.boosts["cool-off"].cost == ("green", "red")
    table.play(BO, EnterBoost("intervals", red=2, legs=3))
    owner.post(f"/box/{GAME_KEY}", {"facts.boosts.intervals.cost.0": "yellow", "facts.boosts.intervals.legs": "5"})
    boost = table.table.state.facts.boosts["intervals"]
    assert (boost.cost, boost.legs) == (("red", "red"), 3)
    log = table.phone(0).open(f"{table.path}/seat/0/log").text
    assert "New card details: " in log


def test_partly_entered_trail_card_is_completed_by_the_box(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=GAME_KEY)
    owner = Phone(app).become_owner()
    for leg, colour in enumerate(("red", "yellow")):
        table.play(ANA, EnterLeg(0, leg, colour))
    # Card 3 is the first card of the Trail.
    for card, colours in {
        1: ("green", "red"),
        3: ("red", "yellow", "green"),
    }.items():
        for leg, colour in enumerate(colours):
            owner.post(f"/box/{GAME_KEY}", {f"facts.cards.{card}.legs.{leg}.colour": colour})
    cards = table.table.state.facts.cards
    assert [leg.colour for leg in cards[0].legs] == ["red", "yellow", "green"]
    assert [[leg.colour for leg in card.legs] for card in cards[1:] if card.legs] == [["green", "red"]]


def test_first_trail_card_is_asked_for_once_the_box_knows_one(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=GAME_KEY)
    assert table.table.state.order == (0,)
    owner = Phone(app).become_owner()
    for leg, colour in enumerate(("green", "red")):
        owner.post(f"/box/{GAME_KEY}", {f"facts.cards.0.legs.{leg}.colour": colour})
    state = table.table.state
    assert state.order == () and [leg.colour for leg in state.facts.cards[0].legs] == ["green", "red"]
    assert [offer.move.card for offer in TRACKED_GAME.offers(state, ANA, (LayCard,)) if offer.is_legal] == [0, 1]
    table.play(ANA, LayCard(0))
    owner.post(f"/box/{GAME_KEY}", {"facts.cards.0.legs.1.colour": "yellow"})  # the owner corrects a mistake
    assert [leg.colour for leg in table.table.state.facts.cards[0].legs] == ["green", "yellow"]


def test_unknown_leg_is_run_and_its_stop_entered_with_one_key_each(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=GAME_KEY)
    form = table.phone(0).open(f"{table.path}/setup").form("").default_values
    table.phone(0).post(f"{table.path}/setup", {**form, "setup.tracking": "light"})

    def key_values() -> list[str]:
        return [
            unescape(value)
            for value in re.findall(r'name="move" value="([^"]+)"', table.phone(ANA).get(f"{table.path}/seat/0").text)
        ]

    assert '{"type":"run","card":"yellow","pair":true,"leg":"red"}' in key_values()
    table.play(ANA, Run("yellow", pair=True, leg="red"))
    values = key_values()
    assert '{"type":"stay","keep":"card","stop":"setback"}' in values and '{"type":"stay","stop":"aid"}' in values
    assert '{"type":"stay"}' not in values
    table.play(ANA, Stay("card", "neutral"))
    assert table.table.state.turn == BO and table.table.state.facts.cards[0].legs[0].stop == "neutral"


def test_facts_entered_by_the_owner_at_one_race_reach_another(app: Flask):
    race, table = (open_seated_table(app, "Ana", "Bo", game=GAME_KEY, phones=1) for _ in range(2))
    race.phone(0).become_owner()
    race.play(ANA, EnterBoost("intervals", red=2, legs=3))
    assert table.table.state.facts.boosts == race.table.state.facts.boosts != {}
    race.play(ANA, EnterLeg(0, 0, "red"))
    assert table.table.state.order == ()  # the first card of the other race may be a different one


def test_undo_removes_a_move_but_not_facts_of_the_box(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=GAME_KEY)
    number = table.play(ANA, EnterLeg(0, 0, "red")).version
    Phone(app).become_owner().post(f"/box/{GAME_KEY}", {"facts.boosts.cool-off.cost.0": "green"})
    assert table.table.state.facts.boosts["cool-off"].cost == ("green",)
    undo = seat_pages.seat_page(table.table, table.phone(ANA).device, ANA).undoable_step
    assert undo and undo.id == str(number)


def test_facts_of_the_box_leave_the_last_move_free_to_undo(app: Flask):
    """The facts are a step of the first seat, but not a move of that player's turn."""
    table = open_table_with_trail(app, "Ana", "Bo")
    box = table.table.tracked.box
    try:
        table.play(ANA, Hike(0, 1))
        hiked = table.play(BO, Hike(0, 2))
        assert hiked.state.turn == ANA
        Phone(app).become_owner().post(f"/box/{box.key}", {"facts.parks.0.name": "Home", "facts.parks.0.points": "2"})
        assert "Park Home" in table.table.steps[-1].text
        undo = seat_pages.seat_page(table.table, table.phone(BO).device, BO).undoable_step
        assert undo and undo.id == str(hiked.version)
    finally:
        table.referee.card_facts.save_facts(box, table.table.tracked.card_facts.type())


def test_incompatible_facts_are_left_out_and_the_others_used():
    state = TRACKED_GAME.initial_state(TRACKED_GAME.setup_format.default(["Ana", "Bo"]))
    values = [FactValue(("setbacks", "nausea"), "green"), FactValue(("setbacks", "stitch"), "red")]
    wrong = Reason("wrong", r.COMPONENTS, "No table has this.")
    position_format = dataclasses.replace(
        TRACKED_GAME.position_format,
        position_errors=lambda position: [wrong] if "nausea" in position.facts.setbacks else [],
    )
    assert compatible_values(TRACKED_GAME, state, values) == values
    assert (
        compatible_values(dataclasses.replace(TRACKED_GAME, position_format=position_format), state, values)
        == values[1:]
    )


def test_facts_that_contradict_a_table_write_nothing(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails")
    box = table.table.tracked.box
    try:
        table.play(ANA, EnterAnimalHome("wetland", "bear"))
        for question in table.table.proposals:
            table.submit(BO, "answer", {"proposal": str(question.number), "yes": "1"})
        assert table.table.state.facts.wetland == "bear"
        number = table.table.version
        Phone(app).become_owner().post(f"/box/{box.key}", {"facts.forest": "bear"})
        assert table.table.version == number
    finally:
        table.referee.card_facts.save_facts(box, table.table.tracked.card_facts.type())


def test_phone_cannot_submit_facts_of_the_box_as_a_move(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game=GAME_KEY)
    forged = json.dumps({"type": "use-box-facts", "values": '[[["setbacks","nausea"],"green",null]]'})
    assert table.submit(ANA, "play", {"move": forged}).status_code == 403


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
    table = open_seated_table(app, "Ana", "Bo", game=game)
    box = table.table.tracked.box
    try:
        assert Phone(app).become_owner().post(f"/box/{box.key}", form).status_code == 303
        assert known(table.table.state.facts)
    finally:
        table.referee.card_facts.save_facts(box, table.table.tracked.card_facts.type())


FINISH_HINT = "This may be the finish."


def test_last_known_leg_of_the_last_card_explains_how_to_stay(app: Flask):
    app.extensions["waymark"].card_facts.save_facts(TRACKED_GAME.box, UNFINISHED_CARD_FACTS)
    table = open_seated_table(app, "Ana", "Bo", game=GAME_KEY)
    form = {
        **table.phone(0).open(f"{table.path}/setup").form("").default_values,
        **{f"setup.order.{n}": str(n) for n in range(5)},
    }
    table.phone(0).post(f"{table.path}/setup", {**form, "setup.tracking": "light"})
    table.play(ANA, EditPosition((Increment("runners.0.at", 18),)))
    (proposal,) = table.table.proposals
    table.submit(BO, "answer", {"proposal": str(proposal.number), "yes": "1"})
    table.play(ANA, Run("red"))
    page = table.page(ANA).text
    assert "Enter the finish" in page or "Finish" in page
    assert FINISH_HINT in page
    table.play(ANA, EnterLeg(4, 3, "green"))
    assert "Stop here and keep" in table.page(ANA).text


@pytest.mark.parametrize(("cards_laid", "has_hint"), [(4, False), (5, True)])
def test_finish_is_mentioned_only_on_the_last_trail_card(app: Flask, cards_laid: int, has_hint: bool):
    table = table_with_card_facts(app, "Ana", "Bo")
    table.play(ANA, NoteCard("red"))
    real, number = table.table, cards_laid - 1
    card = CARD_FACTS.cards[number]
    facts = CARD_FACTS.with_card(number, legs=card.legs[:2], whole=False)
    legs_run = sum(len(card.legs) for card in facts.cards[:cards_laid])
    state = replace(real.state, facts=facts, order=tuple(range(5)), moved=1, legs_to_run=1)
    state = state.with_player(ANA, legs_run=legs_run, hand=(1, 1, 0, 0), unknown_hand=0)
    last = replace(real.steps[-1], after=state)
    with substitute_table(table.referee.store, replace(real, steps=(*real.steps[:-1], last))):
        page = table.page(ANA).text
    assert "What comes next on the Trail?" in page
    assert (FINISH_HINT in page) == has_hint
