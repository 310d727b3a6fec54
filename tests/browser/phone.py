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

from companion.storage.card_facts import Boxes
from scoring.kernel.move import Move

PHONE = {"width": 360, "height": 640}
TABLET = {"width": 1024, "height": 768}
PATIENCE = 40_000  # ms: what a test waits for a page before it gives up
_taps = itertools.count()


class Drawer:
    """Phones that are not in use. One put back is washed and taken again: a new browser each time would cost far more."""

    MOST = 4  # each open browser makes all the others slower

    def __init__(self, browser: Browser):
        self._browser = browser
        self._lying: list[tuple[dict, Page]] = []

    def take(self, settings: dict) -> Page:
        """Return the page of a phone with no cookie, fresh or used before with the same settings."""
        for number, (kind, page) in enumerate(self._lying):
            if kind == settings:
                del self._lying[number]
                return page
        context = self._browser.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        return context.new_page()

    def put_back(self, settings: dict, page: Page) -> None:
        page.unroute_all(behavior="ignoreErrors")
        page.context.set_offline(False)
        page.goto("about:blank")
        page.context.clear_cookies()
        self._lying.append((settings, page))
        if len(self._lying) > self.MOST:
            _, oldest = self._lying.pop(0)
            oldest.context.close()


class Phone:
    """One browser with its own cookie and one page open. Keeps what came over the wire and what went wrong."""

    def __init__(self, drawer: Drawer, address: str, name: str, **settings):
        usual = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
        self._drawer = drawer
        self._settings = {**usual, "base_url": address, **settings}
        self.name = name
        self.page: Page = drawer.take(self._settings)
        self.problems: list[str] = []
        self.stream = ""
        self.tapped: list[float] | None = None  # where the hand that plays last tapped it
        self._answers: list[str] = []
        self._streams: set[str] = set()
        self._expected: list[str] = []
        self._wire: CDPSession | None = None
        self._hears: list[tuple[Page, str, Callable]] = []
        self._hear("console", self._note)
        self._hear("pageerror", lambda fault: self.problems.append(f"{name}: {fault}"))

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def _hear(self, event: str, say: Callable) -> None:
        self.page.on(event, say)
        self._hears.append((self.page, event, say))

    def _note(self, message: ConsoleMessage) -> None:
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

    def find(self, selector: str, **how) -> Locator:
        return self.page.locator(selector, **how)

    def button(self, name: str | re.Pattern, **how) -> Locator:
        return self.page.get_by_role("button", name=name, **how)

    def link(self, name: str | re.Pattern, **how) -> Locator:
        return self.page.get_by_role("link", name=name, **how)

    def send(self, path: str, **form: str) -> str:
        """Send a form as a page of ours would, without showing one; return the address it leads to."""
        fields = {"csrf_token": self._token, "tap": f"tap-{next(_taps)}", **form}
        answer = self.page.request.post(path, form=fields, max_redirects=0, max_retries=2)  # a tap counts once
        assert answer.status == 303, f"{path}: {answer.status} {answer.text()}"
        return answer.headers["location"]

    def say(self, table: str, seat: int, move: Move) -> None:
        """Say a move at a table as a page of a seat would, without showing one."""
        self.send(f"{table}/seat/{seat}/play", move=msgspec.json.encode(move).decode())

    def own(self, boxes: Boxes) -> "Phone":
        """Return this phone, on which the key of the boxes' owner has been typed."""
        self.send("/owner", key=boxes.owners.key)
        return self

    @functools.cached_property
    def _token(self) -> str:
        page = self.page.request.get("/").text()
        return re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page).group(1)

    def follow(self, end: str) -> None:
        """Tap the link whose address has this end, and wait until it is there."""
        link = f'main a[href$="{end}"]'
        if not self.find(f"{link}:visible").count():
            self.find("#menu > summary").tap()
        self.find(f"{link}:visible").first.tap()
        self.page.wait_for_url(f"**{end}")

    def sheet(self, paper: str) -> APIResponse:
        """Choose a paper on the page of the score, and ask for the sheet as its form does."""
        form = self.find('main form[action$="/score.pdf"]')
        form.locator(f"label:has(input[name=paper][value={paper}])").tap()
        asked = form.evaluate("form => `${form.action}?${new URLSearchParams(new FormData(form))}`")
        assert f"paper={paper}" in asked
        return self.page.request.get(asked)

    def turn_to(self, name: str) -> None:
        """Go to the page of another seat of this phone, by the menu."""
        self.open("menu").get_by_role("link", name=name).tap()

    def open(self, id: str) -> Locator:
        """Unfold a part of the page, if it is not, and return it."""
        part = self.find(f"details#{id}")
        part.evaluate("part => part.open || part.querySelector('summary').click()")
        return part

    def hold(self, pattern: str, ask: Callable[[], object]) -> Route:
        """Do what asks for an address, and return the request, held on its way until it is let go."""
        held: list[Route] = []
        self.page.route(pattern, lambda route: held.append(route), times=1)  # noqa: PLW0108 - it wants a function with a name
        ask()
        self.wait(
            lambda: held, f"{self.name} never asked for {pattern}"
        )  # the page asks, and it is here a little later
        return held[0]

    def until(self, expression: str) -> None:
        """Wait until the page says yes to an expression: asked from here, since the page's policy lets nothing there ask."""
        self.wait(lambda: self.page.evaluate(expression), f"{self.name}: never {expression}")

    def frames(self, number: int = 2) -> None:
        """Let the page draw so many frames: after two it has come to rest."""
        self.page.evaluate("async (n) => { while (n--) await new Promise(requestAnimationFrame) }", number)

    def wait(self, so: Callable[[], object], never: str) -> None:
        """Wait until something is so; meanwhile the browser goes on."""
        patience = time.monotonic() + PATIENCE / 1000
        while not so():
            assert time.monotonic() < patience, never
            self.page.wait_for_timeout(5)

    def shows(self, version: int, timeout: float = PATIENCE) -> None:
        """Wait until the page shows a version of its table, below the screen, too."""
        self.find(f'[data-version="{version}"]').wait_for(state="attached", timeout=timeout)
        self.until("typeof late === 'undefined' || !late.length")

    @property
    def version(self) -> int:
        return int(self.find("[data-version]").get_attribute("data-version"))

    # What it was told

    def listen(self) -> None:
        """Keep all that comes over the wire, from the next page on."""
        self._hear("requestfinished", lambda request: self._keep(request.response()))
        wire = self._wire = self.context.new_cdp_session(self.page)

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

    def _keep(self, answer: Response | None) -> None:
        if answer and answer.status != 303 and "text/html" in answer.headers.get("content-type", ""):
            self._answers.append(answer.text())

    def heard(self) -> list[str]:
        """Return every page and piece of one that has come since the last call; the event stream is in `stream`."""
        answers, self._answers = self._answers, []
        return answers

    def put_away(self) -> None:
        """Give the phone back, with nothing left on it of the test that had it."""
        for page, event, say in self._hears:
            page.remove_listener(event, say)
        if self._wire:
            self._wire.detach()
        if self.page.is_closed():
            self.throw_away()
        else:
            self._drawer.put_back(self._settings, self.page)

    def throw_away(self) -> None:
        self.context.close()
