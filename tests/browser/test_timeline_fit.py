"""The pages of the past on a phone, in every game: nothing sticks out, all has a name and can be hit by a thumb."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.mistakes import KNOCK_ON
from tests.browser.phone import Phone
from tests.browser.repair_thumb import all_agree, ask, at_the_table, begin, led, look_back, question, tell
from tests.browser.test_pages_fit import faults_by_day_and_night
from tests.browser.thumb import tell as tell_the_app
from tests.support.cases import cases

pytestmark = pytest.mark.browser

LONG = ("Anastasia-Maria Papadopoulou-Smith", "Bo", "Wolfeschlegelsteinhausenbergerdorff")


def fits(phone: Phone, heading: str = "") -> None:
    """See that a page fits by day and by night, all of it unfolded, and open it as it was."""
    if heading:
        expect(phone.find("h1")).to_have_text(heading)
    assert faults_by_day_and_night(phone) == [], phone.page.url
    phone.page.reload()


@pytest.mark.long("every page in a browser")
@cases("name", KNOCK_ON)
def test_every_page_of_a_repair_fits_a_phone(name: str, server, new_phone):
    mistake = KNOCK_ON[name]
    table = at_the_table(server, new_phone, mistake, names=LONG)
    asker, own = table.phones[mistake.asker], f"{table.path}/seat/{mistake.asker}"
    (first, _), (later, _) = mistake.instead
    wrong = table.table.steps[first]
    asker.follow("/log#latest")
    fits(asker, "The story so far")
    asker.go(own)
    look_back(asker, wrong.id)
    fits(asker, re.compile("^The table before step"))
    led(asker, asker.link("Something is missing before it"))
    fits(asker, "What happened?")
    asker.go(own)
    begin(asker, wrong.id, "Back to here")
    fits(asker, "This would be so")
    asker.go(own)
    begin(asker, wrong.id, "Something else happened")
    fits(asker, "What happened?")
    tell(asker, table, *mistake.truth[first])
    fits(asker, "Then this does not stand")
    tell(asker, table, *mistake.truth[later])
    fits(asker, "This would be so")
    asked = ask(asker, table)
    fits(asker)
    other = table.phones[asked[0]]
    expect(question(other).get_by_role("button", name="Agree")).to_have_count(1)
    fits(other)
    led(other, other.link("See the table as it would be"))
    fits(other, "If everybody agrees")
    other.go(f"{table.path}/seat/{asked[0]}")
    all_agree(table)
    asker.go(own)
    expect(asker.find("section.news")).to_have_count(1)
    fits(asker)
    led(asker, asker.find("section.news a"))
    fits(asker, "The story was told otherwise")
    led(asker, asker.find("main .log a").last)
    fits(asker, re.compile("^Set aside by"))
    for page in (own, f"{table.path}/board", table.path, f"{own}/log"):
        asker.go(page)
        fits(asker)
    asker.go(own)
    tell_the_app(asker)
    fits(asker, "Tell the app")
