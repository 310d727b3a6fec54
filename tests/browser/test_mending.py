"""The past is mended on phones, in every game: by a tap on what was wrong, with what came after it kept, as all agree."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.mending_hand import (
    all_agree,
    answer,
    ask,
    at_the_table,
    begin,
    figures,
    led,
    line_of,
    question,
    tell,
)
from tests.browser.mistakes import BESIDE, FORGOTTEN, KNOCK_ON, Mistake
from tests.browser.seating import Seated

pytestmark = pytest.mark.browser


def stands_as_it_was(table: Seated, mistake: Mistake, server, new_phone) -> None:
    """See on every phone what a table shows where nothing has ever been told wrongly."""
    assert [(step.seat, step.move) for step in table.table.steps] == list(mistake.truth)
    assert table.table.state == mistake.play.replay(table.table.setup, mistake.truth)
    clean = at_the_table(server, new_phone, mistake, mistake.truth)
    for seat, (phone, other) in enumerate(zip(table, clean, strict=True)):
        phone.go(f"{table.path}/seat/{seat}")
        assert figures(phone) == figures(other), phone.name


@pytest.mark.parametrize("name", BESIDE)
def test_the_button_beside_was_tapped_many_turns_ago_and_what_came_after_stays(name: str, server, new_phone):
    mistake = BESIDE[name]
    table = at_the_table(server, new_phone, mistake)
    asker, wrong = table.phones[mistake.asker], table.table.steps[mistake.first]
    seat, right = mistake.truth[mistake.first]

    def asks() -> tuple[int, ...]:
        asker.go(f"{table.path}/seat/{mistake.asker}")
        begin(asker, wrong.id, "Something else happened")
        expect(asker.find(".banner-note")).to_contain_text(wrong.text)
        tell(asker, table, seat, right)
        expect(asker.find("h1")).to_have_text("This would be so")
        expect(asker.find(".changed .aside")).to_have_text(f"Set aside: {wrong.text}")
        return ask(asker, table)

    asked = asks()
    assert mistake.asker not in asked
    assert asked
    before = table.table
    answer(table, asked[0], False)
    assert table.table.steps == before.steps
    for phone in table:
        expect(question(phone)).to_have_count(0)
    expect(asker.find("section.news")).to_contain_text("declined")

    assert asks() == asked
    for each in asked:
        phone = table.phones[each]
        expect(question(phone)).to_contain_text(f"{asker.name} asks")
        expect(question(phone)).to_contain_text(f"not \u201c{wrong.text}\u201d")
        led(phone, phone.link("See the table as it would be"))
        expect(phone.find("h1")).to_have_text("If everybody agrees")
        led(phone, phone.link(re.compile("^Back to")))
    for phone in all_agree(table):
        expect(phone.find("section.news")).to_contain_text(f"{asker.name} set right:")
    for phone in table:
        phone.follow("/log")
        told = phone.find(".story .entry")
        expect(told.filter(has_text=f"{asker.name} set right:")).to_have_count(1)
        expect(told.filter(has_text=f"(told by {asker.name}, agreed by")).to_have_count(int(seat != mistake.asker))
        expect(line_of(phone, wrong.id)).to_have_count(0)
    stands_as_it_was(table, mistake, server, new_phone)


@pytest.mark.parametrize("name", KNOCK_ON)
def test_a_later_step_that_does_not_stand_is_told_anew_with_the_turns_own_buttons(name: str, server, new_phone):
    mistake = KNOCK_ON[name]
    table = at_the_table(server, new_phone, mistake)
    asker = table.phones[mistake.asker]
    (first, _), (later, _) = mistake.instead
    wrong, knocked = table.table.steps[first], table.table.steps[later]
    begin(asker, wrong.id, "Something else happened")
    tell(asker, table, *mistake.truth[first])
    expect(asker.find("h1")).to_have_text("Then this does not stand")
    expect(asker.find(".banner-note")).to_have_text(f"\u201c{knocked.text}\u201d")
    expect(asker.find("nav.tabs [aria-current]")).to_contain_text(table.table.names[knocked.seat])
    tell(asker, table, *mistake.truth[later])
    expect(asker.find("h1")).to_have_text("This would be so")
    expect(asker.find(".changed li", has_text="Told anew:")).to_have_count(2)
    asked = ask(asker, table)
    assert asked
    answer(table, asked[0], False)
    assert [step.id for step in table.table.steps][first] == wrong.id

    begin(asker, wrong.id, "Something else happened")
    tell(asker, table, *mistake.truth[first])
    tell(asker, table, *mistake.truth[later])
    assert ask(asker, table) == asked
    all_agree(table)
    for phone in table:
        expect(phone.find(".log .entry", has_text=f"{asker.name} set the story right from")).to_have_count(1)
    stands_as_it_was(table, mistake, server, new_phone)


@pytest.mark.parametrize("name", FORGOTTEN)
def test_a_forgotten_step_is_put_in_where_it_happened(name: str, server, new_phone):
    mistake = FORGOTTEN[name]
    table = at_the_table(server, new_phone, mistake)
    asker, after = table.phones[mistake.asker], table.table.steps[mistake.first]
    seat, missing = mistake.truth[mistake.first]

    def asks() -> tuple[int, ...]:
        begin(asker, after.id, "Something is missing before it")
        expect(asker.find(".banner-note")).to_have_text(f"Before \u201c{after.text}\u201d")
        tell(asker, table, seat, missing)
        expect(asker.find("h1")).to_have_text("This would be so")
        expect(asker.find(".changed .aside")).to_have_count(0)
        return ask(asker, table)

    if asked := asks():
        before = table.table
        answer(table, asked[0], False)
        assert table.table.steps == before.steps
        assert asks() == asked
        all_agree(table)
    for phone in table:
        expect(phone.find(".log .entry", has_text=f"{asker.name} told what was missing:")).to_have_count(1)
    stands_as_it_was(table, mistake, server, new_phone)


@pytest.mark.parametrize("name", ["trails: a badge", "parks: a name", "alpine: a tile", "race: a leg"])
def test_the_table_goes_back_to_a_moment_and_what_was_set_aside_is_brought_back(name: str, server, new_phone):
    mistake = BESIDE[name]
    table = at_the_table(server, new_phone, mistake)
    whole, place = table.table, len(table.table.steps) - 8
    asker, other = table.phones[mistake.asker], table.phones[mistake.asker - 1]
    begin(asker, whole.steps[place].id, "Back to here")
    expect(asker.find(".changed .aside")).to_have_count(8)
    assert ask(asker, table)
    expect(question(other)).to_contain_text("8 steps set aside")
    all_agree(table)
    assert table.table.state == whole.steps[place].before
    for phone in table:
        expect(phone.find(".log .entry", has_text=f"{asker.name} went back to before")).to_have_count(1)

    other.follow("/log")
    led(other, other.find(".story .besides a", has_text=f"{asker.name} went back to before"))
    expect(other.find("h1")).to_have_text("The story was told otherwise")
    led(other, other.link("Bring back what was"))
    expect(other.find("h1")).to_have_text("This would be so")
    assert ask(other, table)
    all_agree(table)
    assert table.table.steps == whole.steps
    assert table.table.undone == {}
    clean = at_the_table(server, new_phone, mistake)
    for seat, (phone, never) in enumerate(zip(table, clean, strict=True)):
        phone.go(f"{table.path}/seat/{seat}")
        assert figures(phone) == figures(never), phone.name
