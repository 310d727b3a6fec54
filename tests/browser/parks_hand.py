"""The hand that plays PARKS: finds the control of a move on the page and taps it, as a person would."""

import msgspec
from playwright.sync_api import Locator

from scoring.kernel.move import Move
from scoring.parks.buying import DrawGear
from scoring.parks.sites import TakeCanteen
from scoring.parks.state import AskTile, Do, Parks, State
from scoring.parks.telling import NameCanteen, NameGear, NamePark, NamePassion, NameReserved, NameTile
from tests.browser.hand import press, tell
from tests.browser.phone import Phone


def tap(phone: Phone, state: State, move: Move) -> None:
    """Play a move through a seat's page, unfolding what it lies under."""
    press(phone, control(phone, state, move))


def control(phone: Phone, state: State, move: Move) -> Locator:
    """Return what to tap for a move, with all unfolded and chosen that it takes."""
    task = state.tasks[-1] if state.tasks else None
    match move:
        case NamePark(park) if isinstance(task, Parks):
            return _find(phone.open("find-open"), park)
        case NameReserved(park) if isinstance(task, Parks):
            return _find(phone.open("find-reserved"), park)
        case NameGear(gear) if isinstance(task, Do) and task.what == "buy":
            return _gear(phone.open("find-gear"), gear)
        case DrawGear(gear):
            return _gear(phone.find("form.moves-form"), gear)
        case TakeCanteen(face, row, stack):
            form = phone.find("#canteen-stack" if stack else "#canteen-open")
            if stack:
                phone.open("stack")
            form.locator(f'label:has(input[name="move.row"][value="{row}"])').tap()
            return form.locator(f'button[name="move.canteen"][value="{face}"]')
        case NameTile(tile) if not isinstance(task, AskTile):
            tell(phone)
            return phone.open("name-tile").locator(f'button[value="{tile}"]')
        case NamePassion(passion):
            tell(phone)
            return phone.open("name-passion").locator(f'button[value="{passion}"]')
        case NameCanteen(face):
            tell(phone)
            return phone.open("name-canteen").locator(f'button[value="{face}"]')
    button = phone.find(f"form.moves-form button[name=move][value='{msgspec.json.encode(move).decode()}']")
    button.evaluate("button => { for (let part = button; (part = part.parentElement.closest('details')); ) part.open = true; }")
    return button


def _find(part: Locator, park: str) -> Locator:
    """Return a park's button, once its first letter has been tapped."""
    part.locator(f'.letters label:has(input[value="{park[0]}"])').tap()
    shown = part.locator(".found button:visible").all_inner_texts()
    assert park in shown and all(name[0] == park[0] for name in shown), shown
    return part.locator(f'.found button[value="{park}"]')


def _gear(part: Locator, gear: str) -> Locator:
    return part.locator(f'button.pick[value="{gear}"]')
