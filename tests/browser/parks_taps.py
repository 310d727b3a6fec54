"""Play PARKS on a phone: find the control of a move on the page and tap it."""

from collections.abc import Callable

import msgspec
from playwright.sync_api import Locator, expect

from scoring.kernel.move import Move
from scoring.parks.box import TRAIL_TILES
from scoring.parks.moves.hiking import Hike
from scoring.parks.moves.park_actions import DrawGear, Reserve
from scoring.parks.moves.reveals import NameCanteen, NameGear, NamePark, NamePassion, NameReserved, NameTile
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug, next_site_number
from scoring.parks.state import END_PARKS, NameSeasonTile, State
from tests.browser.browser_servers import Server
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.trails_taps import open_reveal_page, tap_button

# The trail setup as entered by a player: all tiles but the last, which is deduced, the die and the season tile.
TRAIL_SETUP_MOVES: tuple[Move, ...] = (
    *map(LayTile, TRAIL_TILES[:-1]),
    PlaceShutterbug("forest"),
    NameTile("spring-sun"),
)

# Unfold every section around a button, and tap the letter or icon that leads to it.
UNFOLD_SCRIPT = """button => {
  for (let part = button; (part = part.parentElement.closest("details")); ) part.open = true;
  button.closest(".letter-picker > .card-options")?.previousElementSibling.querySelector("input").click();
}"""


def open_table_with_trail(server: Server, new_phone: Callable[..., Phone], *names: str) -> SeatedTable:
    """Open a table with the trail in the order of the rulebook's list; all are on their page."""
    table = open_seated_table(server, new_phone, *names, game="parks")
    for move in TRAIL_SETUP_MOVES:
        table.phones[0].submit_move(table.path, 0, move)
    for seat, phone in enumerate(table):
        phone.go(f"{table.path}/seat/{seat}")
    return table


def tap_move(phone: Phone, state: State, move: Move) -> None:
    """Play a move through a seat's page, unfolding the sections its button is in."""
    tap_button(phone, find_control(phone, state, move))


def tap_picture_move(phone: Phone, state: State, hike: Hike) -> int:
    """Hike by tapping the picture, then its key if both hikers could move. Return the taps."""
    tap_button(phone, phone.find(f'#trail [data-click-target="to-{hike.to}"]'))
    if len(hikers_in_reach(state, hike)) == 1:
        return 1
    expect(phone.find(f"#to-{hike.to} :focus")).to_have_count(1)
    return 1 + tap_hike_key(phone, hike)


def tap_hike_key(phone: Phone, hike: Hike) -> int:
    """Hike with the key of a space. Return the taps."""
    tap_button(phone, _move_button(phone, "#hikes button", hike))
    return 1


def hikers_in_reach(state: State, hike: Hike) -> set[int]:
    """Return the spaces of the hikers that could go where a hike goes."""
    return {space for space in state.player.hikers if space < min(hike.to, END_PARKS)}


def find_control(phone: Phone, state: State, move: Move) -> Locator:
    """Return the control to tap for a move, after unfolding and selecting all that it needs."""
    match move:
        case NamePark(park, None):
            return _reveal_button(phone, "name-park", f'.card-options button[value="{park}"]')
        case NameReserved(park, None):
            return _reveal_button(phone, "reserve", f'.card-options button[value="{park}"]')
        case NameGear(gear, None):
            return _reveal_button(phone, "name-gear", f'.card-options button[value="{gear}"]')
        case NameTile(tile) if not isinstance(state.task, NameSeasonTile):
            return _reveal_button(phone, "name-tile", f'button[value="{tile}"]')
        case NamePassion(passion):
            return _reveal_button(phone, "name-passion", f'button[value="{passion}"]')
        case NameCanteen(face):
            return _reveal_button(phone, "name-canteen", f'button[value="{face}"]')
        case LayTile(tile, 0):  # The button names the site.
            return _move_button(phone, "form.moves-form button", LayTile(tile, next_site_number(state)))
        case Reserve(park, unnamed=True):
            return unfold_button(phone.find(f'#reserve-one .card-options button[value="{park}"]'))
        case DrawGear(gear):
            return unfold_button(phone.find(f'form.moves-form .card-options button[value="{gear}"]'))
    return unfold_button(_move_button(phone, "form.moves-form button", move))


def _move_button(phone: Phone, buttons: str, move: Move) -> Locator:
    return phone.find(f"{buttons}[name=move][value='{msgspec.json.encode(move).decode()}']")


def unfold_button(button: Locator) -> Locator:
    """Return a button after unfolding every section that contains it."""
    button.evaluate(UNFOLD_SCRIPT)
    return button


def _reveal_button(phone: Phone, part: str, button: str) -> Locator:
    """Return a button of the page where players enter what the app cannot see.

    The pending decision may have a link to this page.
    """
    link = phone.find(f'#fragment-actions a[href$="#{part.replace("name-", "which-")}"]')
    if link.count():
        link.tap()
        phone.page.wait_for_url("**/tell#*")
    else:
        open_reveal_page(phone)
    return unfold_button(phone.unfold(part).locator(button))
