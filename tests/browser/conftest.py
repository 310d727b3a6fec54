"""Fixtures of the browser tests: browser, server, phones and tables with seated players."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from scoring.games import TRACKED_GAMES
from tests.browser.browser_servers import InProcessServer, Server
from tests.browser.phone import TIMEOUT_MS, Phone, PhonePool
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.support.on_the_trail_table import CARD_FACTS

expect.set_options(timeout=TIMEOUT_MS)
# The first one has no windows and uses little memory.
CHROMIUM_COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark every test of this folder as a browser test, and give it a longer timeout."""
    item.add_marker(pytest.mark.slow("a real browser"))
    item.add_marker(pytest.mark.timeout(400))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Provide one browser for all tests; each phone is a separate context in it."""
    path = next(filter(None, map(shutil.which, CHROMIUM_COMMANDS)), None)
    assert path, (
        "These tests play in a real browser and found none: "
        f"install Chromium (looked for {', '.join(CHROMIUM_COMMANDS)})."
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def phone_pool(browser: Browser) -> PhonePool:
    """Provide the pool of unused phones, shared by all tests."""
    return PhonePool(browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Provide the real server for all tests; each test opens its own table."""
    server = Server(tmp_path_factory.mktemp("instance"))
    yield server
    server.close()


@pytest.fixture(scope="module")
def server_with_card_facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Provide a server whose owner has entered all card facts of ON THE TRAIL."""
    server = Server(tmp_path_factory.mktemp("card-facts"))
    server.card_facts.save_facts(TRACKED_GAMES["on-the-trail"].box, CARD_FACTS)
    yield server
    server.close()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Provide a server for one test, which may stop it."""
    server = Server(tmp_path / "instance")
    yield server
    server.close()


@pytest.fixture
def start_in_process_server(tmp_path: Path) -> Iterator[Callable[[int], InProcessServer]]:
    """Provide a function that starts a server with a limited number of event streams."""
    servers: list[InProcessServer] = []

    def start(listeners: int) -> InProcessServer:
        servers.append(InProcessServer(tmp_path / f"instance-{len(servers)}", listeners))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def phones(request: pytest.FixtureRequest) -> Iterator[list[Phone]]:
    """Provide the list of a test's phones; take screenshots on failure, else check for errors."""
    phones: list[Phone] = []
    yield phones
    failed = request.node.stash.get(_FAILED, False)
    if failed:
        _save_screenshots(request.node, phones)
    complaints = [text for phone in phones for text in phone.unexpected]
    for phone in phones:
        (phone.close if failed else phone.return_to_pool)()
    assert failed or complaints == []


@pytest.fixture
def new_phone(phone_pool: PhonePool, server: Server, phones: list[Phone]) -> Callable[..., Phone]:
    """Provide a function that takes another phone from the pool."""

    def new(name: str = "somebody", address: str = server.address, **settings) -> Phone:
        phones.append(Phone(phone_pool, address, name, **settings))
        return phones[-1]

    return new


@pytest.fixture
def table_of_two(server: Server, new_phone: Callable[..., Phone]) -> SeatedTable:
    """Provide a TRAILS table where Ana and Bo each use a phone and have their page open."""
    return open_seated_table(server, new_phone, "Ana", "Bo")


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = yield
    if report.when == "call" and report.failed:
        item.stash[_FAILED] = True
    return report


def _save_screenshots(item: pytest.Item, phones: list[Phone]) -> None:
    """Save a screenshot of every phone as it was when the test failed."""
    folder = Path(tempfile.mkdtemp(prefix="waymark-failed-"))
    for number, phone in enumerate(phones):
        phone.page.screenshot(path=folder / f"{number}-{phone.name}.png", full_page=True)
        (folder / f"{number}-{phone.name}.html").write_text(phone.page.content(), encoding="utf-8")
    print(f"{item.name}: pictures and pages of {len(phones)} phones are in {folder}")
