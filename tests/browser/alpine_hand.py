"""The hand that plays ALPINE TRAILS on a phone: describes a tile, taps its cell, turns it, places it; and counts its taps."""

import msgspec
from playwright.sync_api import Locator, expect

from scoring.alpine.correcting import CorrectTile
from scoring.alpine.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine.tally import PutTile
from scoring.alpine.telling import NoteGoal
from scoring.alpine.tiles import Tile, turned
from scoring.alpine.wildlife import PlaceAnimal, TradeFork
from scoring.kernel.move import Move
from tests.browser.hand import press
from tests.browser.phone import Phone

SHAPES = ("NS", "NE", "NES", "NESW")
QUARTERS = 4


def say(phone: Phone, move: Move) -> int:
    """Play a move on a seat's page, as a hand does; return the taps it took to describe the tile."""
    taps = 0
    match move:
        case CorrectTile():  # what lies there is picked up, and changed
            aim(phone, move.x, move.y)
            taps = describe(phone, move)
            turn_until(phone, move)
            press(phone, said(phone, move))
        case PlaceTrail() | PlaceTerrain() | PutTile():
            taps = describe(phone, move)
            aim(phone, move.x, move.y)
            turn_until(phone, move)
            press(phone, said(phone, move))
        case PlaceCampsite() | PlaceWaterfall() | PlaceAnimal():
            kind = {PlaceCampsite: "campsite", PlaceWaterfall: "waterfall"}.get(type(move)) or move.animal
            taps = choose(phone, "what", kind)
            aim(phone, move.x, move.y)
            press(phone, said(phone, move))
        case NoteGoal() | TradeFork():
            phone.open("secret" if isinstance(move, NoteGoal) else "trade-fork")
            press(phone, said(phone, move))
        case _:
            press(phone, said(phone, move))
    return taps


def describe(phone: Phone, move: Move) -> int:
    """Choose what the tile shows, where the page does not show it already; return the taps it took."""
    kind = {PlaceTrail: "trail", PlaceTerrain: "terrain"}.get(type(move)) or move.kind
    taps = choose(phone, "what", kind)
    if kind in ("trail", "terrain"):
        taps += choose(phone, "terrain", move.terrain)
    if kind == "trail":
        taps += choose(phone, "shape", shape(move.exits)) + choose(phone, "miles", str(move.miles))
    return taps


def shape(exits: str) -> str:
    """Return the shape of a trail as it lies before it is turned."""
    return next(
        each for each in SHAPES if exits in {turned(Tile("trail", exits=each), quarters).exits for quarters in range(QUARTERS)}
    )


def choose(phone: Phone, name: str, value: str) -> int:
    """Tap a choice of the description unless it is chosen; return how often that was."""
    radios = phone.find(f'form.describe input[type=radio][name="draft.{name}"]')
    if not radios.count():
        return 0
    choice = phone.find(f'form.describe input[name="draft.{name}"][value="{value}"]')
    if choice.is_checked():
        return 0
    before = drawn(phone)
    choice.evaluate("radio => radio.click()")
    redrawn(phone, before)
    return 1


def aim(phone: Phone, x: int, y: int) -> None:
    """Tap a cell of the map."""
    before = drawn(phone)
    spot(phone, x, y).dispatch_event("click")
    redrawn(phone, before)


def spot(phone: Phone, x: int, y: int) -> Locator:
    return phone.find(f'#map a.spot[href$="draft.x={x}&draft.y={y}#map"]')


def turn_until(phone: Phone, move: Move) -> None:
    """Turn the tile over its cell until it lies as wanted."""
    for _ in range(QUARTERS):
        if said(phone, move).count():
            return
        before = drawn(phone)
        phone.find("a.turn").tap()
        redrawn(phone, before)
    assert said(phone, move).count(), f"no way to lie so: {move}"


def said(phone: Phone, move: Move) -> Locator:
    """Return the button that says a move."""
    return phone.find(f"button[name=move][value='{msgspec.json.encode(move).decode()}']").first


def drawn(phone: Phone) -> str:
    """Return what tells one drawing of the page's region from the next: what the phone has drafted."""
    return phone.find("[hx-trigger=fresh]").get_attribute("hx-get")


def redrawn(phone: Phone, before: str) -> None:
    expect(phone.find("[hx-trigger=fresh]")).not_to_have_attribute("hx-get", before)
