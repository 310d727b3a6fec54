"""The judge on several phones: queries, what-ifs, claims, rule search, house rules, answers."""

import re

import pytest
from playwright.sync_api import expect

from companion.log.table import to_data
from scoring.games import TRACKED_GAMES
from tests.browser.games_with_mistakes import NEIGHBOR_TAPS
from tests.browser.phone import Phone
from tests.browser.repair_taps import approve_by_all, enter_move, follow_control, open_table_with_mistake, start_repair
from tests.browser.seated_tables import SeatedTable
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

OF_EACH = ("trails: a badge", "parks: a park", "alpine: a tile", "race: a card")  # one mistake of every game


def open_judge(phone: Phone) -> None:
    """Tap the link to the judge, which every page has."""
    follow_control(phone, phone.link("Ask", exact=True).first)
    expect(phone.find("h1")).to_have_text("Ask")


def seat_to_move(table: SeatedTable) -> int:
    return TRACKED_GAMES[table.table.game_key].flow.to_move(table.table.state)[0]


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("name", OF_EACH)
def test_players_enter_conflicting_claims_and_table_chooses(name: str, server, new_phone):
    mistake = NEIGHBOR_TAPS[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    wrong, (seat, right) = table.table.steps[mistake.first_wrong_step], mistake.actual_log[mistake.first_wrong_step]
    asker = table.phones[mistake.asker]
    other = table.phones[(mistake.asker + 1) % len(table.phones)]

    start_repair(asker, wrong.id, "Enter another move")
    enter_move(asker, table, seat, right)
    follow_control(asker, asker.button(re.compile("compare versions")))
    expect(asker.find("h1")).to_have_text("Compare versions")
    side = asker.find(".comparison-item").filter(has_text=asker.name)
    expect(side).to_contain_text("This was possible.")
    expect(side).to_contain_text(wrong.text.removesuffix("."))
    assert table.table.steps[mistake.first_wrong_step] == wrong

    expect(other.find("section.repair-notices")).to_contain_text(f"{asker.name} entered a different version")
    start_repair(other, wrong.id, "Enter another move")
    impossible = other.find("#illegal-moves")
    if impossible.count():
        follow_control(other, other.unfold("illegal-moves").get_by_role("button").first)
        theirs = other.find(".comparison-item").filter(has_text="This was not possible.")
        expect(theirs.locator(".cite").first).to_be_visible()
    else:  # No listed move is refused there, or only its own player may know the reason.
        other.go(f"{table.path}/seat/{table.phones.index(other)}")
        start_repair(other, wrong.id, "Remove this move")
        follow_control(other, other.button(re.compile("compare versions")))
        expect(other.find(".comparison-item")).to_have_count(2)

    for phone in (asker, other):
        phone.go(f"{table.path}/ask/sides")
        expect(phone.find(".comparison-item")).to_have_count(2)
    follow_control(
        asker,
        asker.find(".comparison-item")
        .filter(has_text=asker.name)
        .get_by_role("button", name=re.compile("^(Ask the table to use this|Use this version)$"))
        .first,
    )
    if table.table.proposals:
        for phone, number in zip(table.phones, range(len(table.phones)), strict=True):
            phone.go(f"{table.path}/seat/{number}")
        approve_by_all(table)
    assert [(step.seat, step.move) for step in table.table.steps] == list(mistake.actual_log)
    asker.go(f"{table.path}/ask/sides")
    expect(asker.find("main")).not_to_contain_text("This was possible.")


@parametrize_cases("name", ["trails: a badge", "parks: a park"])
def test_judge_answers_query_with_rule_and_result_and_shares_answer(name: str, server, new_phone):
    table = open_table_with_mistake(server, new_phone, NEIGHBOR_TAPS[name])
    seat = seat_to_move(table)
    phone, other = table.phones[seat], table.phones[(seat + 1) % len(table.phones)]
    before = table.table.version
    open_judge(phone)
    for group in phone.find("details.action-group").all():
        group.evaluate("part => (part.open = true)")
    follow_control(phone, phone.find("a.possible-action.is-legal").first)
    expect(phone.find(".verdict")).to_have_text("Yes.")
    expect(phone.find("#preview")).to_contain_text("Nothing has been entered.")
    assert table.table.version == before
    phone.go(f"{table.path}/ask?seat={seat}")
    for group in phone.find("details.action-group").all():
        group.evaluate("part => (part.open = true)")
    later = phone.find("a.possible-action:not(.is-legal)").first
    label = later.locator(".label").inner_text()
    follow_control(phone, later)
    expect(phone.find("h1")).to_have_text(label)
    expect(phone.find(".reasons .cite").first).to_be_visible()
    follow_control(phone, phone.button("Save this answer"))
    expect(phone.find("h1")).to_contain_text(label)

    other.go(f"{table.path}/seat/{table.phones.index(other)}")
    expect(other.find("section.repair-notices")).to_contain_text(f"Answer saved. {phone.name}: Is \u201c")
    follow_control(other, other.find("section.repair-notices a").last)
    expect(other.find("h1")).to_contain_text(label)
    expect(other.find(".rules-list a").first).to_be_visible()
    asks_again = other.link("Ask", exact=True)
    follow_control(other, asks_again)
    expect(other.find("#verdicts")).to_contain_text(label)
    follow_control(
        other,
        other.link("Printable page") if other.link("Printable page").count() else other.find("#verdicts a").first,
    )


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("game", ["trails: a badge", "race: a card"])
def test_question_in_own_words_finds_rule_that_leads_back(game: str, server, new_phone):
    table = open_table_with_mistake(server, new_phone, NEIGHBOR_TAPS[game])
    for seat, phone in enumerate(table.phones[:2]):
        open_judge(phone)
        phone.page.get_by_role("searchbox").press_sequentially("what if nobody wins, a tei?")
        expect(phone.find("#search-results a").first).to_be_visible()
        follow_control(phone, phone.find("#search-results a").first)
        expect(phone.find("main")).to_contain_text("What Waymark does")
        expect(phone.find("main .source")).to_contain_text(re.compile("pp?\\. |“"))
        follow_control(phone, phone.link("Back to the table").first)
        expect(phone.page).to_have_url(re.compile(f"{table.path}/seat/{seat}$"))


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("game", ["trails: a badge", "parks: a park"])
def test_house_rule_is_saved_when_all_agree_and_kept_with_the_box(game: str, server, new_phone):
    table = open_table_with_mistake(server, new_phone, NEIGHBOR_TAPS[game])
    phone = table.phones[0].become_owner(server.card_facts)
    phone.go(f"{table.path}/seat/0")
    open_judge(phone)
    part = phone.unfold("write-down")
    question = f"May one whistle in {table.table.game_key}?"
    part.get_by_label("What is the question?").fill(question)
    part.get_by_label("How do you play it?").fill("Only at night.")
    part.get_by_role("button").tap()
    expect(phone.find("#write-down")).not_to_have_attribute("open", "")
    for number, seat_phone in enumerate(table.phones):
        seat_phone.go(f"{table.path}/seat/{number}")
    expect(table.phones[1].find("section.proposal")).to_contain_text(question)
    approve_by_all(table)
    assert [(ruling.question, ruling.interpretation) for ruling in table.table.own_rulings] == [
        (question, "Only at night.")
    ]
    table.phones[1].go(f"{table.path}/score")
    expect(table.phones[1].find("main")).to_contain_text(f"{question} Only at night.")

    second = open_table_with_mistake(server, new_phone, NEIGHBOR_TAPS[game])
    second.phones[1].go(f"{second.path}/ask")
    expect(second.phones[1].find("#silent")).to_contain_text("Another table with this box played it this way")
    kept = second.phones[1].find("#silent .own").filter(has_text=question)
    expect(kept.get_by_role("button")).to_be_visible()


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("game", ["trails: a badge", "alpine: a tile"])
def test_options_of_open_ruling_are_compared_and_table_chooses(game: str, server, new_phone):
    table = open_table_with_mistake(server, new_phone, NEIGHBOR_TAPS[game])
    phone = table.phones[0]
    open_judge(phone)
    follow_control(phone, phone.unfold("what-the-book-means").get_by_role("link").first)
    ruling = table.table.tracked.box.rulings[0]
    expect(phone.find("h1")).to_have_text(ruling.question)
    expect(phone.find(".comparison-item")).to_have_count(len(ruling.options))
    follow_control(phone, phone.button(re.compile("^(Ask the table to play it this way|Play it this way)$")).first)
    for number, seat_phone in enumerate(table.phones):
        seat_phone.go(f"{table.path}/seat/{number}")
    approve_by_all(table)
    assert table.table.state.rulings[ruling.id] == ruling.options[1].id
    table.phones[1].go(f"{table.path}/ask/ruling/{ruling.id}")
    expect(table.phones[1].find(".comparison-item").nth(1)).to_contain_text("Your table plays it this way")


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("game", ["trails: a badge", "parks: a park"])
def test_score_page_shows_each_contest_and_what_is_missing_to_lead(game: str, server, new_phone):
    table = open_table_with_mistake(server, new_phone, NEIGHBOR_TAPS[game])
    for phone in table.phones[:2]:
        phone.go(f"{table.path}/score")
        races = phone.find("#races")
        expect(races).to_contain_text("Who is ahead?")
        expect(races.locator(".contest").first).to_contain_text(table.phones[1].name)


@pytest.mark.long("a rarer case in a browser")
def test_withdrawn_claim_leaves_entered_steps_unchanged(server, new_phone):
    mistake = NEIGHBOR_TAPS["trails: a badge"]
    table = open_table_with_mistake(server, new_phone, mistake)
    asker = table.phones[mistake.asker]
    wrong, (seat, right) = table.table.steps[mistake.first_wrong_step], mistake.actual_log[mistake.first_wrong_step]
    start_repair(asker, wrong.id, "Enter another move")
    enter_move(asker, table, seat, right)
    follow_control(asker, asker.button(re.compile("compare versions")))
    asker.button("Withdraw my version").tap()
    expect(asker.find("main")).to_contain_text("No one has entered a different version.")
    assert table.table.claims == ()
    assert to_data(table.table.steps[mistake.first_wrong_step].move) == to_data(wrong.move)
