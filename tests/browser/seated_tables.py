"""Open tables in the browser, with each player on their own page."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.log.table import Table
from scoring.kernel.move import Move
from tests.browser.browser_servers import Server
from tests.browser.phone import TIMEOUT_MS, Phone
from tests.browser.trails_taps import tap_move
from tests.support.ready_setups import ready_setup_form


@dataclass
class SeatedTable:
    """A table with seated players: phone n shows seat n."""

    server: Server
    code: str
    phones: tuple[Phone, ...]

    @property
    def table(self) -> Table:
        """Return the table as the server has stored it."""
        return self.server.store.table(self.code)

    @property
    def path(self) -> str:
        return f"/t/{self.code}"

    def __iter__(self):
        return iter(self.phones)

    def wait_for_version(self, version: int, timeout: float = TIMEOUT_MS) -> None:
        for phone in self.phones:
            phone.wait_for_version(version, timeout)

    def play(self, seat: int, *moves: Move) -> int:
        """Play moves on a seat's phone, each after the page shows the last; return the version."""
        phone = self.phones[seat]
        for move in moves:
            table = self.table
            phone.wait_for_version(table.version)
            tap_move(phone, table.state, seat, move)
            phone.wait_for_version(table.version + 1)
        return self.table.version


def open_seated_table(
    server: Server,
    new_phone: Callable[..., Phone],
    *names: str,
    game: str = "trails",
    is_bare=False,
    shows_pages=True,
    has_played=True,
    **settings,
) -> SeatedTable:
    """Open a table and seat everyone on their own phone; pages are shown only at the end.

    :param is_bare: do not enter the position on the table, such as the order of the sites.
    :param shows_pages: show each seat's page at the end.
    :param has_played: answer that each player has played the game before; False leaves the question open.
    """
    phones = tuple(new_phone(name, server.address, **settings) for name in names)
    lobby = phones[0].submit_form(f"/new/{game}", **{f"names-{number}": name for number, name in enumerate(names)})
    if (setup := ready_setup_form(list(names), game)) and not is_bare:
        phones[0].submit_form(f"{lobby}/setup", **setup)
    pages = [phone.submit_form(f"{lobby}/sit", seat=str(seat)) for seat, phone in enumerate(phones)]
    for phone, page in zip(phones, pages, strict=True) if has_played else ():
        phone.submit_form(f"{page}/experience", new="0")
    for phone, page in zip(phones, pages, strict=True) if shows_pages else ():
        phone.go(page)
    return SeatedTable(server, lobby.rpartition("/")[2], phones)


def open_seated_table_by_hand(server: Server, new_phone: Callable[..., Phone], *names: str) -> SeatedTable:
    """Open a table by the pages: from the home page, by the lobby's address, by tapping a name."""
    host, *others = (new_phone(name, server.address) for name in names)
    open_table(host, *names)
    for phone in others:
        phone.go(host.page.url)
    table = SeatedTable(server, host.page.url.rpartition("/")[2], (host, *others))
    for phone in table:
        sit(phone, phone.name)
    return table


def open_table(host: Phone, *names: str, game: str = "trails") -> None:
    """Go from the home page to the lobby of a new table."""
    host.go("/")
    host.follow_link(f"/new/{game}")
    for number, name in enumerate(names, 1):
        host.page.get_by_label(f"Name {number}").fill(name)
    host.button("Create the table").tap()
    host.page.wait_for_url("**/t/*")


def sit(phone: Phone, name: str) -> None:
    """Tap a name in the lobby and wait for its page."""
    phone.button(name).tap()
    phone.page.wait_for_url("**/seat/*")
