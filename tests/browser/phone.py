"""Phone: a separate browser context that records its traffic and its errors."""

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
TIMEOUT_MS = 40_000  # ms: how long a test waits for a page
_taps = itertools.count()


class PhonePool:
    """The pool of unused phones. A returned page is cleaned and reused, as new ones are slow."""

    MAX_IDLE = 4  # Each open context slows down all the others.

    def __init__(self, browser: Browser):
        self._browser = browser
        self._idle: list[tuple[dict, Page]] = []

    def take(self, settings: dict) -> Page:
        """Return a page without cookies, either new or reused, with these settings."""
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
        page.evaluate("try { localStorage.clear() } catch { }")
        page.goto("about:blank")
        page.context.clear_cookies()
        self._idle.append((settings, page))
        if len(self._idle) > self.MAX_IDLE:
            _, oldest = self._idle.pop(0)
            oldest.context.close()


class Phone:
    """A browser context with its own cookie and one page; it records traffic and errors."""

    def __init__(self, drawer: PhonePool, address: str, name: str, **settings):
        defaults = {"viewport": PHONE_SIZE, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
        self._drawer = drawer
        self._settings = {**defaults, "base_url": address, **settings}
        self.name = name
        self.page: Page = drawer.take(self._settings)
        self.problems: list[str] = []
        self._stream = ""
        self.last_tap: list[float] | None = None  # position of the last tap made by the helpers
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

    def _listen_to(self, event: str, handler: Callable) -> None:
        self.page.on(event, handler)
        self._listeners.append((self.page, event, handler))

    def _record_console_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{self.name}: {message.type} {message.text} {message.location.get('url', '')}")

    def expect_in_console(self, pattern: str) -> None:
        """Expect an error in the browser's console, such as a refused tap or a lost network."""
        self._expected.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        """Return the errors the page reported, except those the test expected."""
        return [text for text in self.problems if not any(re.search(pattern, text) for pattern in self._expected)]

    # Navigation

    def go(self, path: str) -> None:
        self.page.goto(path)

    def find(self, selector: str, **options) -> Locator:
        return self.page.locator(selector, **options)

    def button(self, name: str | re.Pattern, **options) -> Locator:
        return self.page.get_by_role("button", name=name, **options)

    def link(self, name: str | re.Pattern, **options) -> Locator:
        return self.page.get_by_role("link", name=name, **options)

    def submit_form(self, path: str, **form: str) -> str:
        """Send a form as one of our pages would, without showing it; return the redirect address."""
        fields = {"csrf_token": self._token, "tap": f"tap-{next(_taps)}", **form}
        # A retry is safe because the tap counts once.
        answer = self.page.request.post(path, form=fields, max_redirects=0, max_retries=2)
        assert answer.status == 303, f"{path}: {answer.status} {answer.text()}"
        return answer.headers["location"]

    def submit_move(self, table: str, seat: int, move: Move) -> None:
        """Submit a move as the page of a seat would, without showing a page."""
        self.submit_form(f"{table}/seat/{seat}/play", move=msgspec.json.encode(move).decode())

    def become_owner(self, boxes: CardFactsStore) -> "Phone":
        """Return this phone after entering the key of the card facts' owner on it."""
        self.submit_form("/owner", key=boxes.owners.key)
        return self

    @functools.cached_property
    def _token(self) -> str:
        page = self.page.request.get("/").text()
        return re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page).group(1)

    def follow_link(self, suffix: str) -> None:
        """Tap the link whose address ends with a suffix, and wait until its page is shown."""
        link = f'main a[href$="{suffix}"]'
        if not self.find(f"{link}:visible").count():
            self.find("#menu > summary").tap()
        self.find(f"{link}:visible").first.tap()
        self.page.wait_for_url(f"**{suffix}")

    def request_sheet(self, paper: str) -> APIResponse:
        """Choose a paper size on the score page, and request the sheet as its form does."""
        form = self.find('main form[action$="/score.pdf"]')
        form.locator(f"label:has(input[name=paper][value={paper}])").tap()
        url = form.evaluate("form => `${form.action}?${new URLSearchParams(new FormData(form))}`")
        assert f"paper={paper}" in url
        return self.page.request.get(url)

    def switch_seat(self, name: str) -> None:
        """Go to the page of another seat of this phone by the menu."""
        self.unfold("menu").get_by_role("link", name=name).tap()

    def unfold(self, id: str) -> Locator:
        """Unfold a section of the page if it is folded, and return it."""
        part = self.find(f"details#{id}")
        part.evaluate("part => part.open || part.querySelector('summary').click()")
        return part

    def hold_request(self, pattern: str, action: Callable[[], object]) -> Route:
        """Run an action that requests an address; return the held request."""
        held: list[Route] = []
        self.page.route(pattern, lambda route: held.append(route), times=1)  # noqa: PLW0108 - it wants a function with a name
        action()
        # The page sends the request, which arrives here a little later.
        self.wait_for(lambda: held, f"{self.name} never asked for {pattern}")
        return held[0]

    def ignore_streamed_fragments(self) -> None:
        """Have the page fetch what its stream brings, as if it lacked a fragment that the message leaves out."""
        self.page.evaluate("() => { completesPage = () => false; }")

    def wait_until(self, expression: str) -> None:
        """Wait until an expression is true, polled from here as the page's policy forbids eval."""
        self.wait_for(lambda: self.page.evaluate(expression), f"{self.name}: never {expression}")

    def wait_for_frames(self, number: int = 2) -> None:
        """Wait until the page has drawn this many frames: after two it is stable."""
        self.page.evaluate("async (n) => { while (n--) await new Promise(requestAnimationFrame) }", number)

    def wait_for(self, condition: Callable[[], object], message: str) -> None:
        """Wait until a condition is true, while the browser goes on."""
        patience = time.monotonic() + TIMEOUT_MS / 1000
        while not condition():
            assert time.monotonic() < patience, message
            self.page.wait_for_timeout(5)

    def wait_for_version(self, version: int, timeout: float = TIMEOUT_MS) -> None:
        """Wait until the page shows a version of its table, including the parts below the screen."""
        self.find(f'[data-version="{version}"]').wait_for(state="attached", timeout=timeout)
        self.wait_until("typeof deferredTasks === 'undefined' || (!isFrameAwaited && !deferredTasks.length)")

    @property
    def version(self) -> int:
        return int(self.find("[data-version]").get_attribute("data-version"))

    # Recorded traffic

    def record_traffic(self) -> None:
        """Record all traffic, beginning with the next page."""
        self._listen_to("requestfinished", lambda request: self._record_answer(request.response()))
        wire = self._devtools = self.context.new_cdp_session(self.page)

        def began(event: dict) -> None:
            if event["response"]["mimeType"] == "text/event-stream":
                self._streams.add(event["requestId"])
                kept = wire.send("Network.streamResourceContent", {"requestId": event["requestId"]})
                self._stream += b64decode(kept["bufferedData"]).decode()

        def came(event: dict) -> None:
            if event["requestId"] in self._streams and "data" in event:
                self._stream += b64decode(event["data"]).decode()

        wire.on("Network.responseReceived", began)
        wire.on("Network.dataReceived", came)
        wire.send("Network.enable")

    def _record_answer(self, answer: Response | None) -> None:
        if answer and answer.status != 303 and "text/html" in answer.headers.get("content-type", ""):
            self._answers.append(answer.text())

    def take_answers(self) -> list[str]:
        """Return every page and fragment received since the last call, without those of the stream."""
        answers, self._answers = self._answers, []
        return answers

    def take_stream(self) -> str:
        """Return the messages of the stream since the last call."""
        text, self._stream = self._stream, ""
        return text

    def return_to_pool(self) -> None:
        """Return the page to the pool, with all data of the test removed."""
        for page, event, handler in self._listeners:
            page.remove_listener(event, handler)
        if self._devtools:
            self._devtools.detach()
        if self.page.is_closed():
            self.close()
        else:
            self._drawer.return_page(self._settings, self.page)

    def close(self) -> None:
        self.context.close()
