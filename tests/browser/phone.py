"""A phone in somebody's hand: a browser of its own, and all it was told."""

import functools
import itertools
import re
import time
from base64 import b64decode
from collections.abc import Callable

import msgspec
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    CDPSession,
    ConsoleMessage,
    Locator,
    Page,
    Response,
    Route,
)

from companion.storage.card_facts import CardFactsStore
from scoring.kernel.move import Move

PHONE_SIZE = {"width": 360, "height": 640}
TABLET_SIZE = {"width": 1024, "height": 768}
TIMEOUT_MS = 40_000  # ms: what a test waits for a page before it gives up
_taps = itertools.count()


class PhonePool:
    """Phones that are not in use. One put back is washed and taken again: a new browser each time would cost far more."""

    MAX_IDLE = 4  # each open browser makes all the others slower

    def __init__(self, browser: Browser):
        self._browser = browser
        self._idle: list[tuple[dict, Page]] = []

    def take(self, settings: dict) -> Page:
        """Return the page of a phone with no cookie, fresh or used before with the same settings."""
        for number, (kind, page) in enumerate(self._idle):
            if kind == settings:
                del self._idle[number]
                return page
        context = self._browser.new_context(**settings)
        context.set_default_timeout(TIMEOUT_MS)
        return context.new_page()

    def return_page(self, settings: dict, page: Page) -> None:
        page.unroute_all(behavior="ignoreErrors")
        page.context.set_offline(False)
        page.goto("about:blank")
        page.context.clear_cookies()
        self._idle.append((settings, page))
        if len(self._idle) > self.MAX_IDLE:
            _, oldest = self._idle.pop(0)
            oldest.context.close()


class Phone:
    """One browser with its own cookie and one page open. Keeps what came over the wire and what went wrong."""

    def __init__(self, drawer: PhonePool, address: str, name: str, **settings):
        usual = {"viewport": PHONE_SIZE, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
        self._drawer = drawer
        self._settings = {**usual, "base_url": address, **settings}
        self.name = name
        self.page: Page = drawer.take(self._settings)
        self.problems: list[str] = []
        self.stream = ""
        self.last_tap: list[float] | None = None  # where the hand that plays last tapped it
        self._answers: list[str] = []
        self._streams: set[str] = set()
        self._expected: list[str] = []
        self._devtools: CDPSession | None = None
        self._listeners: list[tuple[Page, str, Callable]] = []
        self._listen_to("console", self._record_console_message)
        self._listen_to("pageerror", lambda fault: self.problems.append(f"{name}: {fault}"))

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def _listen_to(self, event: str, say: Callable) -> None:
        self.page.on(event, say)
        self._listeners.append((self.page, event, say))

    def _record_console_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{self.name}: {message.type} {message.text} {message.location.get('url', '')}")

    def expect_in_console(self, pattern: str) -> None:
        """Say that a browser will complain of this: a refused tap and a lost network stand in its console."""
        self._expected.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        """Return what the page complained of, without what the test said it would."""
        return [text for text in self.problems if not any(re.search(pattern, text) for pattern in self._expected)]

    # Going places

    def go(self, path: str) -> None:
        self.page.goto(path)

    def find(self, selector: str, **options) -> Locator:
        return self.page.locator(selector, **options)

    def button(self, name: str | re.Pattern, **options) -> Locator:
        return self.page.get_by_role("button", name=name, **options)

    def link(self, name: str | re.Pattern, **options) -> Locator:
        return self.page.get_by_role("link", name=name, **options)

    def submit_form(self, path: str, **form: str) -> str:
        """Send a form as a page of ours would, without showing one; return the address it leads to."""
        fields = {"csrf_token": self._token, "tap": f"tap-{next(_taps)}", **form}
        answer = self.page.request.post(path, form=fields, max_redirects=0, max_retries=2)  # a tap counts once
        assert answer.status == 303, f"{path}: {answer.status} {answer.text()}"
        return answer.headers["location"]

    def submit_move(self, table: str, seat: int, move: Move) -> None:
        """Say a move at a table as a page of a seat would, without showing one."""
        self.submit_form(f"{table}/seat/{seat}/play", move=msgspec.json.encode(move).decode())

    def become_owner(self, boxes: CardFactsStore) -> "Phone":
        """Return this phone, on which the key of the boxes' owner has been typed."""
        self.submit_form("/owner", key=boxes.owners.key)
        return self

    @functools.cached_property
    def _token(self) -> str:
        page = self.page.request.get("/").text()
        return re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page).group(1)

    def follow_link(self, suffix: str) -> None:
        """Tap the link whose address has this end, and wait until it is there."""
        link = f'main a[href$="{suffix}"]'
        if not self.find(f"{link}:visible").count():
            self.find("#menu > summary").tap()
        self.find(f"{link}:visible").first.tap()
        self.page.wait_for_url(f"**{suffix}")

    def request_sheet(self, paper: str) -> APIResponse:
        """Choose a paper on the page of the score, and ask for the sheet as its form does."""
        form = self.find('main form[action$="/score.pdf"]')
        form.locator(f"label:has(input[name=paper][value={paper}])").tap()
        asked = form.evaluate("form => `${form.action}?${new URLSearchParams(new FormData(form))}`")
        assert f"paper={paper}" in asked
        return self.page.request.get(asked)

    def switch_seat(self, name: str) -> None:
        """Go to the page of another seat of this phone, by the menu."""
        self.unfold("menu").get_by_role("link", name=name).tap()

    def unfold(self, id: str) -> Locator:
        """Unfold a part of the page, if it is not, and return it."""
        part = self.find(f"details#{id}")
        part.evaluate("part => part.open || part.querySelector('summary').click()")
        return part

    def hold_request(self, pattern: str, action: Callable[[], object]) -> Route:
        """Do what asks for an address, and return the request, held on its way until it is let go."""
        held: list[Route] = []
        self.page.route(pattern, lambda route: held.append(route), times=1)  # noqa: PLW0108 - it wants a function with a name
        action()
        self.wait_for(
            lambda: held, f"{self.name} never asked for {pattern}"
        )  # the page asks, and it is here a little later
        return held[0]

    def wait_until(self, expression: str) -> None:
        """Wait until the page says yes to an expression: asked from here, since the page's policy lets nothing there ask."""
        self.wait_for(lambda: self.page.evaluate(expression), f"{self.name}: never {expression}")

    def wait_for_frames(self, number: int = 2) -> None:
        """Let the page draw so many frames: after two it has come to rest."""
        self.page.evaluate("async (n) => { while (n--) await new Promise(requestAnimationFrame) }", number)

    def wait_for(self, condition: Callable[[], object], message: str) -> None:
        """Wait until something is so; meanwhile the browser goes on."""
        patience = time.monotonic() + TIMEOUT_MS / 1000
        while not condition():
            assert time.monotonic() < patience, message
            self.page.wait_for_timeout(5)

    def wait_for_version(self, version: int, timeout: float = TIMEOUT_MS) -> None:
        """Wait until the page shows a version of its table, below the screen, too."""
        self.find(f'[data-version="{version}"]').wait_for(state="attached", timeout=timeout)
        self.wait_until("typeof late === 'undefined' || !late.length")

    @property
    def version(self) -> int:
        return int(self.find("[data-version]").get_attribute("data-version"))

    # What it was told

    def record_traffic(self) -> None:
        """Keep all that comes over the wire, from the next page on."""
        self._listen_to("requestfinished", lambda request: self._record_answer(request.response()))
        wire = self._devtools = self.context.new_cdp_session(self.page)

        def began(event: dict) -> None:
            if event["response"]["mimeType"] == "text/event-stream":
                self._streams.add(event["requestId"])
                kept = wire.send("Network.streamResourceContent", {"requestId": event["requestId"]})
                self.stream += b64decode(kept["bufferedData"]).decode()

        def came(event: dict) -> None:
            if event["requestId"] in self._streams and "data" in event:
                self.stream += b64decode(event["data"]).decode()

        wire.on("Network.responseReceived", began)
        wire.on("Network.dataReceived", came)
        wire.send("Network.enable")

    def _record_answer(self, answer: Response | None) -> None:
        if answer and answer.status != 303 and "text/html" in answer.headers.get("content-type", ""):
            self._answers.append(answer.text())

    def take_answers(self) -> list[str]:
        """Return every page and piece of one that has come since the last call; the event stream is in `stream`."""
        answers, self._answers = self._answers, []
        return answers

    def return_to_pool(self) -> None:
        """Give the phone back, with nothing left on it of the test that had it."""
        for page, event, say in self._listeners:
            page.remove_listener(event, say)
        if self._devtools:
            self._devtools.detach()
        if self.page.is_closed():
            self.close()
        else:
            self._drawer.return_page(self._settings, self.page)

    def close(self) -> None:
        self.context.close()
