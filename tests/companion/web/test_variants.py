"""Tests of variants: house rules in place of printed rules."""

import pytest
from flask import Flask
from msgspec import json

from companion.log.entries import OwnRuling
from companion.pages.seat import seat_page
from companion.pages.variants import suggested_variants
from companion.service.referee import MAX_INTERPRETATION_LENGTH, MAX_QUESTION_LENGTH
from companion.storage.own_rulings import export_rulings, import_rulings, list_rulings
from companion.storage.store import Store
from scoring.games import GAMES
from scoring.kernel.rule import Rule
from scoring.trails import rules as r
from tests.support.parametrize import parametrize_cases
from tests.support.phones import SeatedTable, open_seated_table

QUESTION, TEXT = "How far do you hike?", "Up to 3 tiles."
FORM = {"seat": "0", "question": QUESTION, "reading": TEXT, "rule": r.HIKE_DISTANCE.id}
VARIANT = OwnRuling(QUESTION, TEXT, r.HIKE_DISTANCE.id)
CAMP = '{"type":"take-camp","terrain":"rock"}'
NOTE = "Waymark still checks the printed rule."


@pytest.fixture
def table_with_variant(app: Flask) -> SeatedTable:
    """Return a table of two whose players replaced the printed distance of a hike."""
    table = open_seated_table(app, "Ana", "Bo")
    table.phone(0).post(f"{table.path}/ask/own", FORM)
    assert table.table.own_rulings == ()
    approve(table)
    return table


def approve(table: SeatedTable) -> None:
    for proposal in table.table.proposals:
        for seat in proposal.waiting_seats:
            table.submit(seat, "answer", {"proposal": str(proposal.number), "yes": "1"})


def test_variant_is_stored_with_its_rule_once_all_agree(table_with_variant: SeatedTable):
    assert table_with_variant.table.own_rulings == (VARIANT,)
    assert f"Variant: {QUESTION} {TEXT}" in [line.text for line in table_with_variant.table.messages]


def test_variant_of_an_unknown_rule_is_refused_with_the_next_step(app: Flask):
    table = open_seated_table(app, "Ana", "Bo")
    answer = table.phone(0).post(f"{table.path}/ask/own", {**FORM, "rule": "no-such-rule"})
    assert answer.status_code == 403 and "Open the page of a rule first." in answer.text
    assert not table.table.proposals


def test_variant_is_shown_on_setup_lobby_rule_and_ask_pages(table_with_variant: SeatedTable):
    phone, path = table_with_variant.phone(1), table_with_variant.path
    for page in (f"{path}/setup", path, f"/rules/trails/{r.HIKE_DISTANCE.id}"):
        shown = phone.open(page)
        text = shown.text
        assert QUESTION in text and TEXT in text and "In Ana\u2019s words." in text, page
        assert NOTE in text and f"{path}/seat/1/tell#right" in shown.addresses, page
    assert "It replaces rulebook p." in " ".join(phone.open(f"{path}/ask").text.split())
    assert TEXT not in phone.open(f"/rules/trails/{r.HIKE_FACING.id}").text


def test_variant_is_shown_beside_a_refusal_that_cites_its_rule(table_with_variant: SeatedTable):
    refused = table_with_variant.submit(0, "play", {"move": '{"type":"hike","steps":3}'})
    assert refused.status_code == 422 and "Not possible" in refused.text
    assert TEXT in refused.text and NOTE in refused.text
    assert NOTE not in table_with_variant.phone(0).open(f"{table_with_variant.path}/seat/0").text


def test_variant_is_shown_beside_an_answer_that_cites_its_rule(table_with_variant: SeatedTable):
    path = f"{table_with_variant.path}/ask/may?seat=0&move="
    assert TEXT in table_with_variant.phone(0).open(path + '{"type":"hike","steps":3}').text
    assert TEXT not in table_with_variant.phone(0).open(path + '{"type":"note-hand","badge":"no-such"}').text


def test_variant_is_named_on_the_sheet_with_the_replaced_rule(table_with_variant: SeatedTable):
    for page in ("score", "print"):
        text = " ".join(table_with_variant.phone(1).open(f"{table_with_variant.path}/{page}").text.split())
        assert f"{QUESTION} {TEXT} Instead of: {r.HIKE_DISTANCE.citation}." in text


def test_variant_is_removed_like_any_house_rule(table_with_variant: SeatedTable):
    table_with_variant.phone(1).post(f"{table_with_variant.path}/ask/own", {"seat": "1", "question": QUESTION})
    approve(table_with_variant)
    assert table_with_variant.table.own_rulings == ()


def test_rule_page_links_to_the_form_for_its_own_variant(app: Flask):
    table = open_seated_table(app, "Ana", "Bo")
    page = table.phone(0).open(f"/rules/trails/{r.HIKE_DISTANCE.id}")
    (address,) = [address for address in page.addresses if f"rule={r.HIKE_DISTANCE.id}" in address]
    form = table.phone(0).get(address.partition("#")[0]).text
    assert "Write a variant" in form and f'name="rule" value="{r.HIKE_DISTANCE.id}"' in form


@parametrize_cases("game", ["trails", "parks", "alpine-trails", "on-the-trail"])
def test_common_variant_is_adopted_from_the_ask_page(app: Flask, game: str):
    table, suggestion = open_seated_table(app, "Ana", "Bo", game=game), suggested_variants(GAMES[game].box)[0]
    assert suggestion.question in table.phone(0).open(f"{table.path}/ask").text
    form = {"seat": "0", "question": suggestion.question, "reading": suggestion.interpretation, "rule": suggestion.rule}
    table.phone(0).post(f"{table.path}/ask/own", form)
    approve(table)
    assert table.table.own_rulings == (suggestion,)
    assert "In Waymark\u2019s words." in table.phone(1).open(f"/rules/{game}/{suggestion.rule}").text


def test_common_variants_replace_printed_rules_of_their_game():
    for game in ("trails", "parks", "alpine-trails", "on-the-trail"):
        box = GAMES[game].box
        assert len(box.variants) == len({variant.question for variant in box.variants}) >= 3
        assert not {variant.question for variant in box.variants} & {ruling.question for ruling in box.rulings}
        for variant in box.variants:
            assert box.rules[variant.rule.id] is variant.rule and variant.rule.status == "printed"
            assert len(variant.question) <= MAX_QUESTION_LENGTH and len(variant.text) <= MAX_INTERPRETATION_LENGTH


def test_variant_is_listed_for_the_box_with_its_rule(app: Flask, store: Store):
    row = {"game": "trails", "question": QUESTION, "reading": TEXT, "at": "", "name": "Ana"}
    import_rulings(store, [{**row, "rule": r.HIKE_DISTANCE.id}, {**row, "question": "Whistle?"}])
    assert set(list_rulings(store, GAMES["trails"].box)) == {VARIANT, OwnRuling("Whistle?", TEXT)}
    assert {each.get("rule") for each in export_rulings(store)} == {r.HIKE_DISTANCE.id, None}


def test_house_rule_of_an_old_log_replaces_no_rule():
    assert json.decode(b'{"type":"OwnRuling","question":"May we?","reading":"Yes."}', type=OwnRuling).rule == ""
    assert b"rule" not in json.encode(OwnRuling("May we?", "Yes."))


def test_variant_is_shown_beside_a_refused_square(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="alpine-trails")
    trail = '{"type":"place-trail","terrain":"forest","exits":"NS","miles":2,"x":0,"y":-1}'
    for seat, move in ((0, CAMP), (1, CAMP), (0, trail)):
        table.submit(seat, "play", {"move": move})
    address = f"{table.path}/seat/0/now?draft.what=campsite&draft.x=0&draft.y=-2"
    assert NOTE not in table.phone(0).open(address).text
    table.phone(0).post(f"{table.path}/ask/own", {**FORM, "rule": "campsite-six"})
    approve(table)
    assert NOTE in table.phone(0).open(address).text


def refused_rule(table: SeatedTable) -> tuple[int, Rule]:
    """Play until a page lists refused moves; return its seat and a rule that it cites."""
    tracked = table.table.tracked
    for _ in range(60):
        state = table.table.state
        seat = tracked.flow.to_move(state)[0]
        groups = seat_page(table.table, table.phone(seat).device, seat).menu.refused_groups()
        if groups:
            return seat, groups[0][0].reasons[0].rule
        table.play(seat, next(offer.move for offer in tracked.offers(state, seat) if not offer.reasons))
    raise AssertionError("no move is refused")


@parametrize_cases("game", ["trails", "parks", "on-the-trail"])
def test_variant_is_shown_beside_the_moves_that_are_not_possible(app: Flask, game: str):
    table = open_seated_table(app, "Ana", "Bo", game=game)
    seat, rule = refused_rule(table)
    address = f"{table.path}/seat/{seat}"
    assert NOTE not in table.phone(seat).open(address).text
    table.phone(seat).post(f"{table.path}/ask/own", {**FORM, "seat": str(seat), "rule": rule.id})
    approve(table)
    assert NOTE in table.phone(seat).open(address).text
