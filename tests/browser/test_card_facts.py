"""Card facts on phones: suggestions wait until the owner's phone has the key and approves."""

import json

import msgspec
import pytest
from playwright.sync_api import expect

from scoring.alpine_trails.state import AnimalCard
from scoring.games import GAMES, TRACKED_GAMES
from scoring.on_the_trail.moves.reveals import EnterLeg
from tests.browser.phone import Phone
from tests.browser.seated_tables import open_seated_table
from tests.browser.test_pages_fit import page_faults
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser
TRACKED_GAME = TRACKED_GAMES["alpine-trails"]
BOX_PATH = "/box/alpine-trails"


def import_card(phone: Phone, card: AnimalCard) -> None:
    content = json.dumps({"game": TRACKED_GAME.key, "facts": msgspec.to_builtins(card)}).encode()
    phone.find("#file").set_input_files(
        [{"name": "from-a-friend.json", "mimeType": "application/json", "buffer": content}]
    )
    phone.button("Preview").tap()


@parametrize_cases(
    "settings", [{}, {"color_scheme": "dark"}, {"java_script_enabled": False}], ids=["light", "dark", "no script"]
)
def test_suggested_card_fact_waits_until_owner_enters_key_and_approves(own_server, new_phone, settings: dict):
    scripted = settings.get("java_script_enabled", True)
    friend, owner = (new_phone(name, own_server.address, **settings) for name in ("friend", "owner"))
    friend.go(BOX_PATH)
    friend.button("Bear").first.tap()
    expect(friend.find(".notice")).to_contain_text("Only this phone sees them")
    owner.go(BOX_PATH)
    owner.link("Enter the owner\u2019s key").tap()
    owner.expect_in_console("403")
    owner.find("#key").fill("wrong")
    owner.button("Use this key").tap()
    expect(owner.find("[role=alert]:not(#error-banner)")).to_contain_text("That is not the key.")
    owner.find("#key").fill(own_server.card_facts.owners.key.lower())
    owner.button("Use this key").tap()
    expect(owner.find("main")).to_contain_text("This is the owner\u2019s phone.")
    for page in ("/owner", "/", BOX_PATH):
        owner.go(page)
        assert not scripted or page_faults(owner) == [], page
    owner.button("Approve").tap()
    expect(owner.find("#history")).to_contain_text("Forest: bear")
    import_card(owner, AnimalCard("wolf", "goat"))
    expect(owner.find("#waiting")).to_contain_text("Forest: bear \u2192 wolf")
    assert own_server.card_facts.facts(TRACKED_GAME.box) == AnimalCard("bear") and (
        not scripted or page_faults(owner) == []
    )
    owner.find(".checkbox-row", has_text="Forest").locator("input").uncheck()
    owner.button("Approve what is checked").tap()
    expect(owner.find("#history .entry")).to_have_count(3)
    assert own_server.card_facts.facts(TRACKED_GAME.box) == AnimalCard("bear", "goat") and (
        not scripted or page_faults(owner) == []
    )
    owner.button("Undo").first.tap()
    expect(owner.find("#history")).to_contain_text("no longer entered")
    assert own_server.card_facts.facts(TRACKED_GAME.box) == AnimalCard("bear")
    owner.go("/owner")
    owner.find("#leave > summary").tap()
    owner.button("Sign out").tap()
    expect(owner.find("#key")).to_be_visible()


@pytest.mark.long("a rarer case in a browser")
def test_table_shows_that_its_card_facts_wait_for_owner(own_server, new_phone):
    table = open_seated_table(own_server, new_phone, "Ana", "Bo", game="on-the-trail")
    ana = table.phones[0]
    ana.submit_form(f"{table.path}/seat/0/play", move=msgspec.json.encode(EnterLeg(0, 0, "red")).decode())
    ana.go(f"{table.path}/seat/0")
    expect(ana.find("main")).to_contain_text("This table uses card details that you entered.")
    assert page_faults(ana) == []
    bo = table.phones[1].become_owner(own_server.card_facts)
    bo.go(table.path)
    expect(bo.find(".notice")).to_contain_text("1 update of your card details to approve: ON THE TRAIL")
    assert page_faults(bo) == []


@pytest.mark.long("a rarer case in a browser")
def test_tap_before_last_answer_changes_only_the_card_it_was_made_on(own_server, new_phone):
    """The second tap is about the card as it was shown; by then its last leg is another one."""
    phone = new_phone("owner", own_server.address).become_owner(own_server.card_facts)
    phone.go("/box/on-the-trail")
    legs = phone.find(".trail-card .leg")
    for number, colour in enumerate(("yellow", "red"), 1):
        phone.button(f"Add a {colour} leg to card 1").tap()
        expect(legs).to_have_count(number)
    held = phone.hold_request("**/box/*", phone.button("Add a green leg to card 1").tap)
    phone.button("Remove the last leg").tap()
    expect(phone.button("Remove the last leg")).to_have_css("opacity", "0.6")
    held.continue_()
    expect(legs).to_have_count(3)
    expect(phone.button("Remove the last leg")).to_have_css("opacity", "1")
    assert [leg.colour for leg in own_server.card_facts.facts(GAMES["on-the-trail"].box).cards[0].legs] == [
        "yellow",
        "red",
        "green",
    ]
