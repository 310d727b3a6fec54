"""An error leaves the table on the screen, is shown beside it, and the page recovers."""

import itertools
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from companion.system.paths import CHECKOUT
from scoring.trails.moves.hiking import Hike
from tests.browser.browser_servers import Server
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.trails_taps import tap_move
from tests.support.parametrize import parametrize_cases
from tests.support.ready_setups import ready_setup_form

pytestmark = pytest.mark.browser

SCRIPT = CHECKOUT / "static" / "js" / "waymark.js"
# Long enough for a busy computer to see the notices, and to repair the fault while the page still retries.
FAST_TIMES = {  # ms
    "TICK_INTERVAL": 20,
    "MIN_RETRY_DELAY": 250,
    "MAX_RETRY_DELAY": 400,
    "MISSING_RETRY_DELAY": 500,
    "MESSAGE_TIME": 2500,
    "POLL_INTERVAL": 300,
    "SLOW_ANSWER_TIME": 200,
}
TIMEOUT = 2000  # ms
LONG_DELAY = 4000  # ms until a tap is sent again, where the test has something to do before
PROXY_PAGE = "<html><head><title>502</title></head><body><main><h1>Bad Gateway</h1><hr>nginx</main></body></html>"
OUR_ERROR_PAGE = "<div data-error><h2>That should not have happened</h2><p>Nothing was lost.</p></div>"
REGION = '<main id="region" class="page stack" data-version="99"><div class="banner">'
OFFLINE_NOTICE, FOREIGN_ANSWER_NOTICE = "Looking for the table", "The table did not answer"


def answer_with(status: int, body: str = "", kind: str = "text/html", **headers: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(status=status, body=body, content_type=kind, headers=headers)


# Bad answers, and the notice that is shown when a page update gets one.
BAD_ANSWERS = {
    "400": (answer_with(400, "Bad Request", "text/plain"), FOREIGN_ANSWER_NOTICE),
    "403": (answer_with(403, PROXY_PAGE), FOREIGN_ANSWER_NOTICE),
    "404": (
        answer_with(404, "<div data-error><h2>Table not found</h2><p>Look at the code.</p></div>"),
        "Table not found Look at the code.",
    ),
    "429": (answer_with(429, "<div data-error><h2>One moment</h2></div>", **{"Retry-After": "0.1"}), "One moment"),
    "500": (answer_with(500, OUR_ERROR_PAGE), "That should not have happened Nothing was lost."),
    "500 with half a region": (answer_with(500, REGION), FOREIGN_ANSWER_NOTICE),
    "502 of a proxy": (answer_with(502, PROXY_PAGE), FOREIGN_ANSWER_NOTICE),
    "504 of a proxy": (answer_with(504), FOREIGN_ANSWER_NOTICE),
    "an empty 200": (answer_with(200), FOREIGN_ANSWER_NOTICE),
    "half a region": (answer_with(200, REGION), FOREIGN_ANSWER_NOTICE),
    "somebody's page": (answer_with(200, PROXY_PAGE), FOREIGN_ANSWER_NOTICE),
    "JSON": (answer_with(200, '{"version": 99}', "application/json"), FOREIGN_ANSWER_NOTICE),
    "a way elsewhere": (answer_with(302, Location="/about"), FOREIGN_ANSWER_NOTICE),
    "a 205": (answer_with(205), FOREIGN_ANSWER_NOTICE),
    "no network": (lambda route: route.abort(), OFFLINE_NOTICE),
    "no answer in time": (lambda route: None, OFFLINE_NOTICE),
}
# a tap that is not sent again
REFUSED = {"400": "Your tap was refused", "403": "Your tap was refused", "404": "Table not found"}
HIKE = '{"type":"hike","steps":2}'


def wait_out_timers(phone: Phone, delay: int) -> None:
    """Wait until earlier timers of at most `delay` ms have fired; a page fires them in order."""
    phone.page.evaluate("(delay) => new Promise((fired) => setTimeout(fired, delay))", delay)


def speed_up(phone: Phone, page: str = "", **others: int) -> None:
    """Shorten the timers of a phone's page: of the shown one, or of another one it opens."""
    script = SCRIPT.read_text(encoding="utf-8")
    for name, value in (FAST_TIMES | others).items():
        script, found = re.subn(rf"\b{name} = \d+", f"{name} = {value}", script)
        assert found == 1, name
    body = f"htmx.config.defaultTimeout = {TIMEOUT};\n{script}"
    headers = {"Cache-Control": "no-store"}
    phone.page.route(
        "**/js/waymark.js*", lambda route: route.fulfill(body=body, content_type="text/javascript", headers=headers)
    )
    phone.expect_in_console("")  # A browser logs an error for every bad answer.
    with phone.page.expect_request(lambda request: request.url.endswith("/live")):
        phone.go(page or phone.page.url)


@pytest.fixture
def fast_table(table_of_two: SeatedTable) -> SeatedTable:
    """Provide a table where both phones use short timers."""
    for phone in table_of_two:
        speed_up(phone)
    return table_of_two


@pytest.fixture
def one_phone_table(server: Server, new_phone: Callable[..., Phone]) -> SeatedTable:
    """Provide a table where one phone holds both seats and shows the first.

    A move sent from the other seat reaches the shown page as a live update.
    """
    phone = new_phone("Ana")
    lobby = phone.submit_form("/new/trails", **{"names-0": "Ana", "names-1": "Bo"})
    phone.submit_form(f"{lobby}/setup", **ready_setup_form(["Ana", "Bo"]))
    first, _ = (phone.submit_form(f"{lobby}/sit", seat=seat) for seat in "01")
    speed_up(phone, first)
    phone.wait_until("streaming && !pollsInFlight")  # From here on it updates only when there is news.
    return SeatedTable(server, lobby.rpartition("/")[2], (phone,))


def play_unseen_move(table: SeatedTable, seat: int = 0) -> int:
    """Play a move that the page does not know of; return the version it makes."""
    table.phones[0].submit_form(f"{table.path}/seat/{seat}/play", move=HIKE)
    return table.table.version


def notice_text(phone: Phone):
    return phone.find("#error-banner p")


def page_state(phone: Phone) -> list:
    """Return the table's version, the page's text, and the number of controls."""
    taps = phone.find("#region a, #region button").count(), phone.find("header.top a").count()
    return [phone.version, phone.find("body > #main > main#region").inner_text(), *taps]


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("kind", BAD_ANSWERS)
def test_update_answered_badly_keeps_table_and_next_update_recovers(one_phone_table: SeatedTable, kind: str):
    (ana,), (bad, message) = one_phone_table, BAD_ANSWERS[kind]
    ana.page.evaluate("window.loadedOnce = true")
    before = page_state(ana)
    ana.page.route("**/now?*", bad)
    version = play_unseen_move(one_phone_table)
    expect(notice_text(ana)).to_contain_text(message)
    assert page_state(ana) == before
    ana.page.unroute("**/now?*")
    ana.wait_for_version(version)
    expect(notice_text(ana)).to_be_hidden()
    assert ana.page.evaluate("window.loadedOnce")


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("kind", BAD_ANSWERS)
def test_tap_answered_badly_keeps_table_and_counts_at_most_once(one_phone_table: SeatedTable, kind: str):
    (ana,), (bad, _) = one_phone_table, BAD_ANSWERS[kind]
    number, before = one_phone_table.table.version, page_state(ana)
    ana.page.route("**/seat/0/play", bad)
    tap_move(ana, one_phone_table.table.state, 0, Hike(2))
    expect(notice_text(ana)).to_contain_text(REFUSED.get(kind, "Still trying to send your tap."))
    assert page_state(ana) == before
    ana.page.unroute("**/seat/0/play")
    if kind in REFUSED:
        expect(notice_text(ana)).to_be_hidden()
        assert one_phone_table.table.version == number
        tap_move(ana, one_phone_table.table.state, 0, Hike(2))
    ana.wait_for_version(number + 1)
    expect(notice_text(ana)).to_be_hidden()
    assert one_phone_table.table.version == number + 1


@pytest.mark.long("a rarer case in a browser")
def test_ten_bad_answers_in_a_row_keep_table_and_next_update_recovers(one_phone_table: SeatedTable):
    (ana,) = one_phone_table
    before, requests = page_state(ana), []
    kinds = [bad for kind, (bad, _) in BAD_ANSWERS.items() if kind not in ("429", "no answer in time")]

    def answer(route: Route) -> None:
        requests.append(ana.page.evaluate("performance.now()"))
        kinds[len(requests)](route) if len(requests) <= 10 else route.continue_()

    ana.page.route("**/now?*", answer)
    version = play_unseen_move(one_phone_table)
    expect(notice_text(ana)).to_be_visible()
    assert page_state(ana) == before
    ana.wait_for_version(version)
    expect(notice_text(ana)).to_be_hidden()
    assert len(requests) == 11
    pauses = [later - sooner for sooner, later in itertools.pairwise(requests)]
    assert min(pauses[2:]) >= FAST_TIMES["MAX_RETRY_DELAY"] - 5, pauses


@pytest.mark.long("a rarer case in a browser")
def test_retry_after_header_is_respected(one_phone_table: SeatedTable):
    (ana,), requests = one_phone_table, []

    def answer(route: Route) -> None:
        requests.append(ana.page.evaluate("performance.now()"))
        route.fulfill(status=503, body=OUR_ERROR_PAGE, headers={"Retry-After": "1"}) if len(
            requests
        ) == 1 else route.continue_()

    ana.page.route("**/now?*", answer)
    ana.wait_for_version(play_unseen_move(one_phone_table))
    assert requests[1] - requests[0] >= 1000


def test_tap_that_counted_but_lost_its_answer_counts_once(one_phone_table: SeatedTable):
    (ana,) = one_phone_table
    before, sent = ana.version, []

    def lose(route: Route) -> None:
        sent.append(route.request.post_data)
        route.fetch()
        route.abort()

    ana.page.route("**/seat/0/play", lose, times=1)
    tap_move(ana, one_phone_table.table.state, 0, Hike(1))
    ana.wait_for_version(before + 1)
    expect(notice_text(ana)).to_be_hidden()
    assert one_phone_table.table.version == before + 1 and len(sent) == 1


@pytest.mark.long("a rarer case in a browser")
def test_tap_that_cannot_be_sent_waits_for_send_again(one_phone_table: SeatedTable):
    (ana,) = one_phone_table
    before, drawn, sent = ana.version, page_state(ana), []

    def lose(route: Route) -> None:
        sent.append(route.request.post_data)
        route.abort()

    ana.page.route("**/seat/0/play", lose)
    tap_move(ana, one_phone_table.table.state, 0, Hike(2))
    expect(ana.button("Send again")).to_be_visible()
    expect(notice_text(ana)).to_have_text("No answer to your tap You can send it again. It counts only once.")
    assert len(sent) == 5 and len(set(sent)) == 1  # the same tap each time
    ana.page.unroute("**/seat/0/play")
    assert ana.page.evaluate("tap.stuck")
    wait_out_timers(ana, 2 * FAST_TIMES["POLL_INTERVAL"])
    assert page_state(ana) == drawn
    assert one_phone_table.table.version == before
    ana.button("Send again").tap()
    ana.wait_for_version(before + 1)
    expect(notice_text(ana)).to_be_hidden()


@pytest.mark.long("a rarer case in a browser")
def test_tap_is_not_resent_after_another_tap(one_phone_table: SeatedTable):
    (ana,) = one_phone_table
    speed_up(ana, MIN_RETRY_DELAY=LONG_DELAY, MAX_RETRY_DELAY=LONG_DELAY)
    before, sent = ana.version, []
    ana.page.route("**/seat/0/play", lambda route: route.abort(), times=1)
    ana.page.on("request", lambda request: request.method == "POST" and sent.append(request.post_data))
    tap_move(ana, one_phone_table.table.state, 0, Hike(1))
    expect(notice_text(ana)).to_contain_text("Still trying")
    tap_move(ana, one_phone_table.table.state, 0, Hike(2))
    ana.wait_for_version(before + 1)
    expect(notice_text(ana)).to_be_hidden()
    wait_out_timers(ana, LONG_DELAY)
    assert len(sent) == 2 and one_phone_table.table.version == before + 1
    assert one_phone_table.table.state.players[0].space == 2


@pytest.mark.long("a rarer case in a browser")
def test_tap_is_not_resent_after_its_notice_was_dismissed(one_phone_table: SeatedTable):
    (ana,) = one_phone_table
    speed_up(ana, MIN_RETRY_DELAY=LONG_DELAY, MAX_RETRY_DELAY=LONG_DELAY)
    before = ana.version
    ana.page.route("**/seat/0/play", lambda route: route.abort(), times=1)
    tap_move(ana, one_phone_table.table.state, 0, Hike(1))
    ana.button("Dismiss").tap()
    expect(notice_text(ana)).to_be_hidden()
    expect(ana.find("#fragment-actions")).to_be_focused()
    wait_out_timers(ana, LONG_DELAY)
    assert one_phone_table.table.version == before


@pytest.mark.long("a rarer case in a browser")
def test_tap_that_became_illegal_while_kept_shows_the_reason(fast_table: SeatedTable):
    ana, bo = fast_table
    version = fast_table.play(0, Hike(2))
    bo.wait_for_version(version)
    bo.page.route("**/seat/1/play", lambda route: route.abort())
    tap_move(bo, fast_table.table.state, 1, Hike(1))
    expect(notice_text(bo)).to_contain_text("Still trying")
    ana.find(".turnbar .undo button").tap()
    ana.wait_for_version(version + 1)
    bo.page.unroute("**/seat/1/play")
    why, resend = bo.find("[role=alert]:not(#error-banner)"), bo.button("Send again")
    expect(why.or_(resend).first).to_be_visible()  # One of the automatic retries came through, or none did.
    if resend.is_visible():
        resend.tap()
    expect(why).to_contain_text("It is Ana\u2019s turn: hike 1 or 2 tiles.")
    expect(notice_text(bo)).to_be_hidden()


@pytest.mark.long("a rarer case in a browser")
def test_slow_answer_shows_a_notice(one_phone_table: SeatedTable):
    (ana,) = one_phone_table
    before = ana.version
    ana.page.evaluate("htmx.config.defaultTimeout = 20000")
    held = ana.hold_request("**/seat/0/play", lambda: tap_move(ana, one_phone_table.table.state, 0, Hike(2)))
    expect(notice_text(ana)).to_have_text("No answer yet Still trying to send your tap.")
    held.continue_()
    ana.wait_for_version(before + 1)
    expect(notice_text(ana)).to_be_hidden()


def test_outdated_page_is_redrawn_and_next_tap_counts(one_phone_table: SeatedTable):
    (ana,) = one_phone_table
    before, drawn = ana.version, page_state(ana)
    ana.page.evaluate("document.querySelectorAll('[name=csrf_token]').forEach((field) => (field.value = 'stale'))")
    with ana.page.expect_response(lambda answer: "/now" in answer.url and answer.ok):
        tap_move(ana, one_phone_table.table.state, 0, Hike(2))
    expect(notice_text(ana)).to_contain_text("This page is out of date Nothing was changed. Tap again.")
    assert page_state(ana) == drawn
    expect(ana.find("[name=csrf_token][value=stale]")).to_have_count(0)
    tap_move(ana, one_phone_table.table.state, 0, Hike(2))
    ana.wait_for_version(before + 1)
    expect(notice_text(ana)).to_be_hidden()


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("bad", ["404", "500", "502 of a proxy", "somebody's page", "no network", "no answer in time"])
def test_page_whose_stream_fails_polls_until_stream_recovers(one_phone_table: SeatedTable, bad: str):
    (ana,) = one_phone_table
    ana.page.route("**/live", BAD_ANSWERS[bad][0])
    ana.go("about:blank")
    speed_up(ana, f"{one_phone_table.path}/seat/0")
    ana.wait_for_version(play_unseen_move(one_phone_table))
    with ana.page.expect_response(lambda answer: answer.url.endswith("/live") and answer.ok):
        ana.page.unroute("**/live")
    ana.wait_for_version(play_unseen_move(one_phone_table, seat=1))
    expect(notice_text(ana)).to_be_hidden()


@pytest.mark.long("a rarer case in a browser")
def test_unfinished_choice_is_requested_again_until_it_is_drawn(server, new_phone):
    ana, _ = open_seated_table(server, new_phone, "Ana", "Bo", game="trails-tally")
    speed_up(ana)
    ana.page.route("**/now?*", answer_with(500, OUR_ERROR_PAGE))
    ana.link("Photos").tap()
    expect(notice_text(ana)).to_contain_text("That should not have happened")
    expect(ana.link("Photos")).to_have_count(1)
    ana.page.unroute("**/now?*")
    expect(ana.find("#region-state")).to_have_attribute("hx-get", re.compile("draft.part=photos"))
    expect(notice_text(ana)).to_be_hidden()


@pytest.mark.long("a rarer case in a browser")
def test_slow_update_is_awaited_and_not_requested_twice(one_phone_table: SeatedTable):
    (ana,), requests = one_phone_table, []
    ana.page.evaluate("htmx.config.defaultTimeout = 20000")
    ana.page.route("**/live", lambda route: route.abort())
    ana.page.on("request", lambda request: requests.append(request) if "/now" in request.url else None)
    held = ana.hold_request(
        "**/now*", lambda: ana.page.evaluate("requestRegion((address) => address.searchParams.delete('have'))")
    )
    wait_out_timers(ana, 4 * FAST_TIMES["POLL_INTERVAL"])
    with ana.page.expect_response(lambda answer: "/now" in answer.url and answer.ok):
        assert len(requests) == 1
        held.continue_()
    expect(notice_text(ana)).to_be_hidden()


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("scheme", ["light", "dark"])
def test_notice_can_be_read_and_dismissed_and_covers_no_move(server, new_phone, scheme):
    table = open_seated_table(server, new_phone, "Ana", "Bo", color_scheme=scheme)
    ana, bo = table
    speed_up(ana)
    ana.page.route("**/seat/0/play", lambda route: route.abort())
    top = ana.find("form.moves-form .move-key").first.bounding_box()["y"]
    tap_move(ana, table.table.state, 0, Hike(2))
    expect(ana.button("Send again")).to_be_in_viewport(ratio=1)
    note = ana.find("#error-banner > div").bounding_box()
    move = ana.find("form.moves-form .move-key").first
    assert move.bounding_box()["y"] == top, "nothing may move under the finger"
    assert note["y"] == 0 and note["x"] == 0 and note["width"] <= 360
    assert note["y"] + note["height"] <= top
    for button in (ana.button("Send again"), ana.button("Dismiss")):
        assert button.bounding_box()["height"] >= 48
    ana.page.evaluate("window.scrollTo(0, 900)")
    expect(ana.button("Send again")).to_be_in_viewport(ratio=1)
    ana.button("Dismiss").tap()
    expect(notice_text(ana)).to_be_hidden()
