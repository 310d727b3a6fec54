"""Tests of the rules behind each log line, which are private for a secret line."""

import pytest

from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NoteHand
from tests.support.page_parser import parse_page
from tests.support.phones import Phone, SeatedTable


@pytest.fixture
def table_after_hikes(table_of_two: SeatedTable) -> SeatedTable:
    table_of_two.submit(0, "play", {"move": '{"type":"note-hand","badge":"science"}'})
    table_of_two.submit(0, "play", {"move": '{"type":"hike","steps":2}'})
    return table_of_two


def log_line_links(page) -> list[str]:
    """Return the addresses, without queries, to which the log lines of a page link."""
    links = [tag[1]["href"] for tag in page.tags if tag[0] == "a" and "/log/" in tag[1].get("href", "")]
    return [address.partition("?")[0] for address in links]


def test_log_line_of_a_move_links_to_its_rules(table_after_hikes: SeatedTable):
    number = table_after_hikes.table.steps[-1].number
    address = f"{table_after_hikes.path}/log/{number}"
    for page in (
        table_after_hikes.page(0),
        table_after_hikes.page(1),
        table_after_hikes.phone(1).open(f"{table_after_hikes.path}/seat/1/log"),
    ):
        assert address in log_line_links(page)
    page = table_after_hikes.phone(1).open(address)
    assert "Ana hiked 2 tiles to the leaf site, +1 leaf." in page.text and "Back to Bo" in page.text
    assert all(rule.text in page.text and rule.citation in page.text for rule in Hike.rules)


def test_undone_step_still_shows_its_rules(table_after_hikes: SeatedTable):
    number = table_after_hikes.table.steps[-1].number
    table_after_hikes.submit(0, "step", {"take_back": str(number)})
    assert Hike.rules[0].text in table_after_hikes.phone(1).open(f"{table_after_hikes.path}/log/{number}").text


def test_secret_log_line_shows_its_rules_only_to_its_own_phone(table_after_hikes: SeatedTable, phone: Phone):
    address = f"{table_after_hikes.path}/log/{table_after_hikes.table.steps[0].number}"
    assert address in log_line_links(table_after_hikes.page(0)) and address not in log_line_links(
        table_after_hikes.page(1)
    )
    assert NoteHand.rules[0].text in table_after_hikes.phone(0).open(address).text
    for other in (table_after_hikes.phone(1), phone):
        assert other.get(address).status_code == 303


def test_log_line_of_a_ruling_shows_the_rule_it_settles(table_after_hikes: SeatedTable):
    table_after_hikes.submit(0, "play", {"move": '{"type":"adopt","ruling":"zero-birds","option":"everyone"}'})
    (question,) = table_after_hikes.table.proposals
    table_after_hikes.submit(1, "answer", {"proposal": str(question.number), "yes": "1"})
    text = (
        table_after_hikes.phone(0).open(f"{table_after_hikes.path}/log/{table_after_hikes.table.steps[-1].number}").text
    )
    rules = table_after_hikes.table.tracked.box.rules.values()
    open_points = [ruling.rule for ruling in table_after_hikes.table.tracked.box.rulings]
    assert [rule.id for rule in rules if rule in open_points and rule.text in text] == ["no-birds"]
    for number in (1, 2, 99):  # the opening, a seat, and no entry at all
        assert table_after_hikes.phone(0).get(f"{table_after_hikes.path}/log/{number}").status_code == 303


def test_log_of_the_table_view_has_no_links(table_after_hikes: SeatedTable):
    assert log_line_links(parse_page(table_after_hikes.phone(0).get(f"{table_after_hikes.path}/board").text)) == []
