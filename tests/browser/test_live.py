"""Changes reach the other phones: live, after sleep, after a restart, without a stream."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from scoring.trails.moves.hiking import Exchange, Hike
from scoring.trails.moves.reveals import NameCard
from tests.browser.seated_tables import open_seated_table
from tests.browser.trails_taps import tap_move

pytestmark = pytest.mark.browser

RECONNECT_TIMEOUT = 40_000  # ms: how long a page may take to recover after it lost the server
NETWORK_ERRORS = r"Failed to load resource|Failed to fetch|network error"
SET_HIDDEN_SCRIPT = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

RECORD_VERSIONS_SCRIPT = """() => {
  window.shownVersions = [];
  new MutationObserver(() => {
    const version = Number(regionState().dataset.version);
    if (shownVersions.at(-1) !== version) shownVersions.push(version);
  }).observe(document.getElementById("region"), { attributes: true, childList: true, subtree: true });
}"""
BO_HAS_A_LEAF = {"was.players.1.leaf": "0", "is.players.1.leaf": "1"}

SEVERAL_MOVES = (
    NameCard("trailhead", "science"),
    NameCard("trail-end", "seeker-leaf"),
    Hike(1),
    Exchange("acorn", "leaf"),
)


def test_tap_on_one_phone_updates_the_other_without_reload(table_of_two):
    ana, bo = table_of_two
    bo.page.evaluate("window.loadedOnce = true")
    version = table_of_two.table.version + 1
    tap_move(ana, table_of_two.table.state, 0, Hike(2))
    bo.wait_for_version(version)
    assert bo.page.evaluate("window.loadedOnce")
    expect(bo.find("h1")).to_contain_text("Your turn")
    expect(ana.find("h1")).not_to_contain_text("Your turn")


def test_changes_arrive_over_the_stream_without_a_request(table_of_two):
    ana, bo = table_of_two
    requests: list[str] = []
    bo.page.on("request", lambda request: requests.append(urlsplit(request.url).path))
    for move in SEVERAL_MOVES:
        bo.wait_for_version(table_of_two.play(0, move))
        assert bo.page.evaluate("regionState().dataset.fragments.split(' ').sort().join(' ') === fragmentEtags()")
    expect(bo.find("#fragment-log")).to_contain_text("Ana")
    assert not [path for path in requests if path.startswith("/t/")]


def test_page_that_lacks_a_fragment_fetches_its_changes(table_of_two):
    ana, bo = table_of_two
    bo.page.evaluate("document.getElementById('fragment-own-area').dataset.fragment = 'own-area=0'")
    with bo.page.expect_request("**/seat/1/now?*"):
        version = table_of_two.play(0, Hike(1))
    bo.wait_for_version(version)
    assert bo.page.evaluate("regionState().dataset.fragments.split(' ').sort().join(' ') === fragmentEtags()")


def test_move_that_is_being_built_stays_when_the_stream_brings_another(table_of_two):
    ana, bo = table_of_two
    bo.page.evaluate("loadDraft('draft.name=trailhead')")
    bo.wait_until("draftQuery() === 'draft.name=trailhead'")
    bo.wait_for_version(table_of_two.play(0, Hike(1)))
    assert bo.page.evaluate("draftQuery()") == "draft.name=trailhead"


def test_poll_that_a_tap_has_overtaken_is_not_shown(table_of_two):
    ana, bo = table = table_of_two
    ana.page.evaluate(RECORD_VERSIONS_SCRIPT)
    ana.ignore_streamed_fragments()
    before = table.table.version
    poll = ana.hold_request("**/seat/0/now?*", lambda: bo.submit_form(f"{table.path}/seat/1/right", **BO_HAS_A_LEAF))
    late_answer = poll.fetch()
    tap_move(ana, table.table.state, 0, Hike(2))
    ana.wait_for_version(before + 2)
    with ana.page.expect_request("**/seat/0/now?*"):  # instead of the late answer
        poll.fulfill(response=late_answer)
    ana.wait_until("!pollsInFlight")
    assert ana.page.evaluate("shownVersions") == [before, before + 2]


def test_whole_page_is_fetched_after_a_tap_that_a_poll_has_overtaken(table_of_two):
    ana, bo = table = table_of_two
    before = table.table.version
    tap = ana.hold_request("**/seat/0/play", lambda: tap_move(ana, table.table.state, 0, Hike(2)))
    late_answer = tap.fetch()
    ana.page.evaluate("refresh()")
    ana.wait_for_version(before + 1)
    with ana.page.expect_response(
        lambda answer: "/seat/0/now" in answer.url and "have=" not in answer.url
    ) as whole_page:
        tap.fulfill(response=late_answer)
    assert '<main id="region"' in whole_page.value.text()
    ana.wait_until("!pollsInFlight && regionState().dataset.fragments.split(' ').sort().join(' ') === fragmentEtags()")


def test_poll_that_waited_for_another_names_the_fragments_on_the_page(table_of_two):
    ana, bo = table = table_of_two
    bo.ignore_streamed_fragments()
    first = bo.hold_request("**/seat/1/now?*", lambda: table.play(0, Hike(1)))
    first_answer = first.fetch()
    version = table.play(0, Exchange("acorn", "leaf"))
    bo.wait_until(f"latestVersion === {version}")
    second = bo.hold_request("**/seat/1/now?*", lambda: first.fulfill(response=first_answer))
    assert second.request.headers["known-fragments"] == bo.page.evaluate("fragmentEtags()")
    second.continue_()
    bo.wait_for_version(version)


@pytest.mark.long("a rarer case in a browser")
def test_page_whose_scripts_load_late_still_receives_updates(table_of_two):
    ana, bo = table_of_two
    late = bo.hold_request("**/vendor/hx-sse*", lambda: bo.page.goto(bo.page.url, wait_until="commit"))
    bo.wait_until("typeof htmx === 'object'")
    with bo.page.expect_response(lambda answer: answer.url.endswith("/live")):
        late.continue_()
    bo.wait_for_version(table_of_two.play(0, Hike(2)))


def test_phone_offline_during_moves_recovers_by_itself(table_of_two):
    ana, bo = table_of_two
    bo.expect_in_console(NETWORK_ERRORS)
    bo.page.evaluate("window.loadedOnce = true")
    before = bo.version
    bo.ignore_streamed_fragments()  # an open stream is not cut by the next line
    bo.context.set_offline(True)
    version = table_of_two.play(0, *SEVERAL_MOVES)
    assert bo.version == before
    bo.context.set_offline(False)
    bo.wait_for_version(version, RECONNECT_TIMEOUT)
    expect(bo.find("h1")).to_contain_text("Your turn")
    expect(bo.find("#error-banner p")).to_be_hidden(timeout=RECONNECT_TIMEOUT)
    assert bo.page.evaluate("window.loadedOnce")
    bo.wait_for_version(table_of_two.play(1, Hike(1)))


def test_hidden_page_closes_stream_and_recovers_when_visible(table_of_two):
    ana, bo = table_of_two
    before = bo.version
    bo.wait_until("streaming")
    with bo.page.expect_event("requestfailed", lambda request: request.url.endswith("/live")):
        bo.page.evaluate(SET_HIDDEN_SCRIPT, True)
    version = table_of_two.play(0, *SEVERAL_MOVES)
    assert bo.version == before
    bo.page.evaluate(SET_HIDDEN_SCRIPT, False)
    bo.wait_for_version(version)
    bo.wait_for_version(table_of_two.play(1, Hike(1)))


@pytest.mark.long("a rarer case in a browser")
def test_frozen_page_recovers_when_it_resumes(table_of_two):
    ana, bo = table_of_two
    phone = bo.context.new_cdp_session(bo.page)
    phone.send("Page.setWebLifecycleState", {"state": "frozen"})
    version = table_of_two.play(0, *SEVERAL_MOVES)
    phone.send("Page.setWebLifecycleState", {"state": "active"})
    bo.wait_for_version(version)


@pytest.mark.long("a rarer case in a browser")
def test_reopened_phone_shows_current_table(table_of_two):
    ana, bo = table_of_two
    address = bo.page.url
    bo.page.close()
    version = table_of_two.play(0, *SEVERAL_MOVES)
    bo.page = bo.context.new_page()
    bo.page.goto(address)
    bo.wait_for_version(version)


@pytest.mark.long("starts a server again")
def test_pages_reconnect_after_server_restart(own_server, new_phone):
    table = open_seated_table(own_server, new_phone, "Ana", "Bo")
    ana, bo = table
    for phone in table:
        phone.expect_in_console(NETWORK_ERRORS)
        phone.page.evaluate("window.loadedOnce = true")
    before = table.play(0, Hike(1))
    own_server.stop()
    for phone in table:
        expect(phone.find("#error-banner p")).to_be_visible(timeout=RECONNECT_TIMEOUT)
    own_server.start()
    for phone in table:
        expect(phone.find("#error-banner p")).to_be_hidden(timeout=RECONNECT_TIMEOUT)
    assert table.play(0, Exchange("acorn", "leaf")) == before + 1
    bo.wait_for_version(before + 1, RECONNECT_TIMEOUT)
    assert [phone.page.evaluate("window.loadedOnce") for phone in table] == [True, True]


@pytest.mark.long("starts a server again")
def test_tap_during_server_outage_is_resent_and_counts_once(own_server, new_phone):
    table = open_seated_table(own_server, new_phone, "Ana", "Bo")
    ana, bo = table
    for phone in table:
        phone.expect_in_console(NETWORK_ERRORS)
    before = table.table.version
    own_server.stop()
    tap_move(ana, table.table.state, 0, Hike(2))
    expect(ana.find("#error-banner p")).to_have_text("No answer yet Still trying to send your tap.")
    own_server.start()
    for phone in table:
        phone.wait_for_version(before + 1, RECONNECT_TIMEOUT)
        expect(phone.find("#error-banner p")).to_be_hidden(timeout=RECONNECT_TIMEOUT)
    assert table.table.version == before + 1


@pytest.mark.long("a rarer case in a browser")
def test_page_refused_a_stream_polls_and_follows(start_in_process_server, new_phone):
    table = open_seated_table(start_in_process_server(0), new_phone, "Ana", "Bo")
    ana, bo = table
    for phone in table:
        phone.expect_in_console("503")
        phone.wait_for_version(table.table.version, RECONNECT_TIMEOUT)
    bo.wait_for_version(table.play(0, *SEVERAL_MOVES), RECONNECT_TIMEOUT)
    ana.wait_for_version(table.play(1, Hike(1)), RECONNECT_TIMEOUT)


@pytest.mark.long("a rarer case in a browser")
def test_page_refused_a_stream_gets_one_when_a_place_is_free(start_in_process_server, new_phone):
    table = open_seated_table(start_in_process_server(4), new_phone, "Ana", "Bo", "Cy")
    ana, bo, cy = table
    cy.expect_in_console("503")
    ana.wait_for_version(table.table.version)
    with cy.page.expect_response(
        lambda answer: answer.url.endswith("/live") and answer.ok, timeout=2 * RECONNECT_TIMEOUT
    ):
        bo.page.close()
        table.play(0, *SEVERAL_MOVES[:2])  # The server notices that a phone is gone when it writes to it.
    cy.wait_for_version(table.play(0, Hike(2)))
