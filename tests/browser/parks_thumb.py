"""The hand that plays PARKS: finds the control of a move on the page and taps it, as a person would."""

from collections.abc import Callable

import msgspec
from playwright.sync_api import Locator

from scoring.kernel.move import Move
from scoring.parks.box import TILES
from scoring.parks.moves.hiking import Hike
from scoring.parks.moves.park_actions import DrawGear, Reserve
from scoring.parks.moves.reveals import NameCanteen, NameGear, NamePark, NamePassion, NameReserved, NameTile
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug, next_site
from scoring.parks.state import END_PARKS, AskTile, State
from tests.browser.phone import Phone
from tests.browser.seating import Seated, seated
from tests.browser.serving import Server
from tests.browser.thumb import press, tell

# The Trail of a table as it is laid by hand: all but the last tile, which is deduced, the die, the season tile.
LAID: tuple[Move, ...] = (*map(LayTile, TILES[:-1]), PlaceShutterbug("forest"), NameTile("spring-sun"))

# Unfold what a button lies under, and tap the letter or sign it is found by.
SHOW = """button => {
  for (let part = button; (part = part.parentElement.closest("details")); ) part.open = true;
  button.closest(".letters > .found")?.previousElementSibling.querySelector("input").click();
}"""


def begun(server: Server, new_phone: Callable[..., Phone], *names: str) -> Seated:
    """Open a table whose Trail lies in the order of the rulebook's list, everybody on the page of their seat."""
    table = seated(server, new_phone, *names, game="parks")
    for move in LAID:
        table.phones[0].say(table.path, 0, move)
    for seat, phone in enumerate(table):
        phone.go(f"{table.path}/seat/{seat}")
    return table


def tap(phone: Phone, state: State, move: Move) -> None:
    """Play a move through a seat's page, unfolding what it lies under."""
    press(phone, control(phone, state, move))


def tap_picture(phone: Phone, state: State, hike: Hike) -> int:
    """Hike by the picture alone, and say which hiker where both could be meant; return how many taps it took."""
    one = {space for space in state.player.hikers if space < min(hike.to, END_PARKS)}
    spot = phone.find(f'#trail [data-tap="{f"hike-{hike.start}-{hike.to}" if len(one) == 1 else f"to-{hike.to}"}"]')
    press(phone, spot)
    if len(one) == 1:
        return 1
    press(phone, _said(phone, f"#to-{hike.to} + .which > button", hike))
    return 2


def control(phone: Phone, state: State, move: Move) -> Locator:
    """Return what to tap for a move, with all unfolded and chosen that it takes."""
    match move:
        case NamePark(park, None):
            return _told(phone, "name-park", f'.found button[value="{park}"]')
        case NameReserved(park, None):
            return _told(phone, "reserve", f'.found button[value="{park}"]')
        case NameGear(gear, None):
            return _told(phone, "name-gear", f'.found button[value="{gear}"]')
        case NameTile(tile) if not isinstance(state.task, AskTile):
            return _told(phone, "name-tile", f'button[value="{tile}"]')
        case NamePassion(passion):
            return _told(phone, "name-passion", f'button[value="{passion}"]')
        case NameCanteen(face):
            return _told(phone, "name-canteen", f'button[value="{face}"]')
        case LayTile(tile, 0):  # the button names the site
            return _said(phone, "form.moves-form button", LayTile(tile, next_site(state)))
        case Reserve(park, unnamed=True):
            return shown(phone.find(f'#reserve-one .found button[value="{park}"]'))
        case DrawGear(gear):
            return shown(phone.find(f'form.moves-form .found button[value="{gear}"]'))
    return shown(_said(phone, "form.moves-form button:not(.which > *)", move))


def _said(phone: Phone, buttons: str, move: Move) -> Locator:
    return phone.find(f"{buttons}[name=move][value='{msgspec.json.encode(move).decode()}']")


def shown(button: Locator) -> Locator:
    """Return a button with all unfolded that it lies under."""
    button.evaluate(SHOW)
    return button


def _told(phone: Phone, part: str, button: str) -> Locator:
    """Return a button of the page where people tell the app what it cannot see."""
    tell(phone)
    return shown(phone.open(part).locator(button))
