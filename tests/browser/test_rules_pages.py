"""Rules pages: search while typing, with and without JavaScript; each rule at its address."""

import re

import pytest
from playwright.sync_api import expect

from companion.pages.rules import rules_page
from scoring.games import TRACKED_GAMES

pytestmark = pytest.mark.browser

TRACKED_GAME = TRACKED_GAMES["trails"]


def found_rules(query: str) -> list[str]:
    """Return the ids of the rules that match a question, in the order of the page."""
    return [rule.id for rule in rules_page(TRACKED_GAME.box, query).matching_rules]


def listed_rules(phone) -> list[str]:
    return phone.find("#search-results .rules-list a").evaluate_all(
        "links => links.map(link => link.href.split('/').pop())"
    )


def test_typed_question_finds_rules_as_it_grows(new_phone):
    phone = new_phone()
    phone.go("/")
    phone.find('main a[href="/rules/trails"]').tap()
    phone.page.wait_for_url("**/rules/trails")
    assert phone.find("main .chapter li a").count() == len(TRACKED_GAME.box.rules)
    phone.page.get_by_role("searchbox").press_sequentially("bear die")
    expect(phone.find("#search-results")).to_contain_text("for \u201cbear die\u201d")
    assert listed_rules(phone) == found_rules("bear die") != []
    phone.page.get_by_role("searchbox").fill("qqqq zzzz")
    expect(phone.find("#search-results")).to_contain_text("No rule found for \u201cqqqq zzzz\u201d")
    phone.page.get_by_role("searchbox").fill("canteen")
    expect(phone.find("#search-results")).to_contain_text("for \u201ccanteen\u201d")
    phone.find("#search-results .rules-list a").first.tap()
    phone.page.wait_for_url("**/rules/trails/*")
    expect(phone.find("h1")).to_have_text(TRACKED_GAME.box.rules[found_rules("canteen")[0]].text)


@pytest.mark.long("a rarer case in a browser")
def test_search_works_without_javascript(new_phone):
    phone = new_phone(java_script_enabled=False)
    phone.go("/rules/trails")
    phone.page.get_by_role("searchbox").fill("canteen")
    phone.button("Search").tap()
    expect(phone.find("#search-results")).to_contain_text("for \u201ccanteen\u201d")
    phone.find("#search-results .rules-list a").first.tap()
    expect(phone.find("h1")).to_have_text(TRACKED_GAME.box.rules[found_rules("canteen")[0]].text)


def test_rule_links_to_neighbors_and_back_to_all(new_phone):
    phone = new_phone()
    rule = TRACKED_GAME.box.rules["bear-met"]
    phone.go(f"/rules/trails/{rule.id}")
    expect(phone.find("h1")).to_have_text(rule.text)
    for id in rule.related:
        expect(phone.find(f'main a[href$="/{id}"]')).to_contain_text(TRACKED_GAME.box.rules[id].text)
    phone.follow_link(f"/rules/trails/{rule.related[0]}")
    phone.link(re.compile("All rules")).tap()
    phone.page.wait_for_url("**/rules/trails")


@pytest.mark.long("a rarer case in a browser")
def test_rule_the_book_leaves_open_shows_its_options(new_phone):
    phone = new_phone()
    ruling = TRACKED_GAME.box.rulings[0]
    phone.go(f"/rules/trails/{ruling.rule.id}")
    for option in ruling.options:
        expect(phone.find("main")).to_contain_text(option.text)
