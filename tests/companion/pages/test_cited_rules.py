"""Which rule was that? Every line of the log leads to the rules its move carried out; a secret one on its own phone alone."""

import pytest

from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NoteHand
from tests.support.page_reader import read
from tests.support.phones import Phone, Seated


@pytest.fixture
def hiked(two: Seated) -> Seated:
    two.tap(0, "play", {"move": '{"type":"note-hand","badge":"science"}'})
    two.tap(0, "play", {"move": '{"type":"hike","steps":2}'})
    return two


def lines(page) -> list[str]:
    """Return where the lines of the log on a page lead, whoever looks."""
    leads = [tag[1]["href"] for tag in page.tags if tag[0] == "a" and "/log/" in tag[1].get("href", "")]
    return [address.partition("?")[0] for address in leads]


def test_each_line_of_a_move_leads_to_its_rules(hiked: Seated):
    number = hiked.table.steps[-1].number
    address = f"{hiked.path}/log/{number}"
    for page in (hiked.page(0), hiked.page(1), hiked.phone(1).open(f"{hiked.path}/seat/1/log")):
        assert address in lines(page)
    page = hiked.phone(1).open(address)
    assert "Ana hiked 2 to the leaf site. +1 leaf." in page.text and "Back to Bo" in page.text
    assert all(rule.text in page.text and rule.cite in page.text for rule in Hike.rules)


def test_the_rules_of_a_step_that_was_taken_back_are_there_too(hiked: Seated):
    number = hiked.table.steps[-1].number
    hiked.tap(0, "step", {"take_back": str(number)})
    assert Hike.rules[0].text in hiked.phone(1).open(f"{hiked.path}/log/{number}").text


def test_a_secret_line_is_its_own_phones_alone(hiked: Seated, phone: Phone):
    address = f"{hiked.path}/log/{hiked.table.steps[0].number}"
    assert address in lines(hiked.page(0)) and address not in lines(hiked.page(1))
    assert NoteHand.rules[0].text in hiked.phone(0).open(address).text
    for other in (hiked.phone(1), phone):
        assert other.get(address).status_code == 303


def test_a_ruling_leads_to_the_point_it_settles_and_what_is_no_move_to_nothing(hiked: Seated):
    hiked.tap(0, "play", {"move": '{"type":"adopt","ruling":"zero-birds","option":"everyone"}'})
    (question,) = hiked.table.proposals
    hiked.tap(1, "answer", {"proposal": str(question.number), "yes": "1"})
    text = hiked.phone(0).open(f"{hiked.path}/log/{hiked.table.steps[-1].number}").text
    rules = hiked.table.play.box.rules.values()
    open_points = [ruling.rule for ruling in hiked.table.play.box.rulings]
    assert [rule.id for rule in rules if rule in open_points and rule.text in text] == ["no-birds"]
    for number in (1, 2, 99):  # the opening, a seat, nothing
        assert hiked.phone(0).get(f"{hiked.path}/log/{number}").status_code == 303


def test_the_log_of_the_table_view_leads_nowhere(hiked: Seated):
    assert lines(read(hiked.phone(0).get(f"{hiked.path}/board").text)) == []
