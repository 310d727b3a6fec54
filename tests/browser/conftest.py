"""What the browser tests start from: a browser, the server people start, phones, tables with everybody seated."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.phone import TIMEOUT_MS, Phone, PhonePool
from tests.browser.seating import SeatedTable, open_seated_table
from tests.browser.serving import InProcessServer, Server

expect.set_options(timeout=TIMEOUT_MS)
CHROMIUM_COMMANDS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)  # the first has no windows and is light
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
    """Mark every test of this folder: `make quick` leaves browsers out, and a busy computer needs time for a whole game."""
    item.add_marker(pytest.mark.slow("a real browser"))
    item.add_marker(pytest.mark.timeout(400))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests; each phone is a context of its own in it."""
    path = next(filter(None, map(shutil.which, CHROMIUM_COMMANDS)), None)
    assert path, (
        f"These tests play in a real browser and found none: install Chromium (looked for {', '.join(CHROMIUM_COMMANDS)})."
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def phone_pool(browser: Browser) -> PhonePool:
    """Where the phones lie between tests."""
    return PhonePool(browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server as people start it, for all tests; each has a table of its own."""
    server = Server(tmp_path_factory.mktemp("instance"))
    yield server
    server.close()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which may stop it."""
    server = Server(tmp_path / "instance")
    yield server
    server.close()


@pytest.fixture
def start_in_process_server(tmp_path: Path) -> Iterator[Callable[[int], InProcessServer]]:
    """Start a server that has places for only so many listeners."""
    servers: list[InProcessServer] = []

    def start(listeners: int) -> InProcessServer:
        servers.append(InProcessServer(tmp_path / f"instance-{len(servers)}", listeners))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def phones(request: pytest.FixtureRequest) -> Iterator[list[Phone]]:
    """Every phone of a test: photographed if it fails, asked for complaints if it does not."""
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
    """Take another phone out of a pocket."""

    def new(name: str = "somebody", address: str = server.address, **settings) -> Phone:
        phones.append(Phone(phone_pool, address, name, **settings))
        return phones[-1]

    return new


@pytest.fixture
def table_of_two(server: Server, new_phone: Callable[..., Phone]) -> SeatedTable:
    """A table of TRAILS: Ana and Bo, each on a phone of their own, both on their page."""
    return open_seated_table(server, new_phone, "Ana", "Bo")


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = yield
    if report.when == "call" and report.failed:
        item.stash[_FAILED] = True
    return report


def _save_screenshots(item: pytest.Item, phones: list[Phone]) -> None:
    """Keep a picture of every phone as it was when the test failed."""
    folder = Path(tempfile.mkdtemp(prefix="waymark-failed-"))
    for number, phone in enumerate(phones):
        phone.page.screenshot(path=folder / f"{number}-{phone.name}.png", full_page=True)
        (folder / f"{number}-{phone.name}.html").write_text(phone.page.content(), encoding="utf-8")
    print(f"{item.name}: pictures and pages of {len(phones)} phones are in {folder}")
