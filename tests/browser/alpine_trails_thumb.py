"""The hand that plays ALPINE TRAILS on a phone: a key, a cell, taps on the tile until it lies as wanted; and counts its taps."""

import msgspec
from playwright.sync_api import Locator, expect

from scoring.alpine_trails.map.tiles import WAYS
from scoring.alpine_trails.moves.corrections import CorrectTile
from scoring.alpine_trails.moves.placing import Discard, PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.reveals import NoteGoal
from scoring.alpine_trails.moves.wildlife import PlaceAnimal, TradeFork
from scoring.alpine_trails.score_entry import PutTile
from scoring.kernel.move import Move
from tests.browser.phone import Phone
from tests.browser.thumb import press

MIDDLE = 0.5
EDGE = 0.86  # of a cell's width: where a finger taps to send a trail to that side
SIDES = {"N": (MIDDLE, 1 - EDGE), "E": (EDGE, MIDDLE), "S": (MIDDLE, EDGE), "W": (1 - EDGE, MIDDLE)}


def say(phone: Phone, move: Move) -> int:
    """Play a move on a seat's page, as a hand does; return the taps it took to lay the tile, without the one that says it."""
    taps = 0
    match move:
        case CorrectTile():  # what lies there is picked up, and changed
            taps = mend(phone, move)
            press(phone, said(phone))
        case PlaceTrail() | PlaceTerrain() | PutTile() | PlaceCampsite() | PlaceWaterfall() | PlaceAnimal():
            taps = lay(phone, move)
            press(phone, said(phone))
        case Discard():
            taps = choose(phone, "key", "discard")
            press(phone, said(phone))
        case NoteGoal():
            phone.open("secret")
            press(phone, button(phone, move))
        case TradeFork():
            taps = choose(phone, "key", "discard")
            phone.open("trade-fork")
            press(phone, button(phone, move))
        case _:
            press(phone, button(phone, move))
    return taps


def key_of(move: Move) -> str:
    """Return the key of the pad for what a move lays."""
    match move:
        case PlaceTrail():
            return f"trail-{move.terrain}"
        case PlaceTerrain():
            return f"terrain-{move.terrain}"
        case PutTile() | CorrectTile():
            return f"{move.kind}-{move.terrain}" if move.kind in ("trail", "terrain") else move.kind
        case PlaceAnimal():
            return move.animal
    return "campsite" if isinstance(move, PlaceCampsite) else "waterfall"


def lay(phone: Phone, move: Move) -> int:
    """Put a tile together on the map, with the fewest taps; return how many that took."""
    taps = choose(phone, "key", key_of(move))
    if exits := getattr(move, "exits", ""):
        taps += choose(phone, "miles", str(move.miles))
    cell = spot(phone, move.x, move.y)
    ways = (cell.get_attribute("data-ways") or "").split() if exits else [""]
    point(phone, move.x, move.y, SIDES[letter] if (letter := towards(ways, exits)) else (MIDDLE, MIDDLE))
    return taps + 1 + turn_until(phone, move)


def towards(ways: list[str], exits: str) -> str:
    """Return the side of a cell to tap for a trail to lie so at once, or as soon as can be; none, if its middle is best."""

    def turns(letter: str) -> int:
        there = [way for way in ways if letter in way]
        return [*there, *(way for way in ways if way not in there)].index(exits)

    return min(("", *SIDES), key=turns) if exits in ways else ""


def turn_until(phone: Phone, move: Move) -> int:
    """Tap the tile until it lies as wanted; return how often that was."""
    for taps in range(2 * len(WAYS)):
        if lies(phone, move):
            return taps
        point(phone, move.x, move.y)
    raise AssertionError(f"no way to lie so: {move}")


def lies(phone: Phone, move: Move) -> bool:
    """Return whether the bar would say a move."""
    value = said(phone).get_attribute("value") or "{}"
    return msgspec.json.decode(value, type=type(move), strict=False) == move if '"type"' in value else False


def mend(phone: Phone, move: CorrectTile) -> int:
    """Pick a tile of a map up and change it key by key, each when the page has answered; return the taps."""
    asking(phone, lambda: point(phone, move.x, move.y))
    taps = 0
    for name, value in (("key", key_of(move)), ("miles", str(move.miles))):
        if phone.find(f'.keys [name="draft.{name}"][value="{value}"][aria-pressed=false]').count():
            asking(phone, lambda name=name, value=value: choose(phone, name, value))
            taps += 1
    for _ in WAYS:
        if lies(phone, move):
            return taps
        asking(phone, phone.find(".bar .turn").tap)
    raise AssertionError(f"no way to lie so: {move}")


def choose(phone: Phone, name: str, value: str) -> int:
    """Tap a key of the pad unless it is on; return how often that was."""
    key = phone.find(f'.key[name="draft.{name}"][value="{value}"], .key[data-{name}="{value}"]')
    if not key.count() or key.get_attribute("aria-pressed") == "true":
        return 0
    key.tap()
    return 1


def point(phone: Phone, x: int, y: int, where: tuple[float, float] = (MIDDLE, MIDDLE)) -> None:
    """Tap a cell of the map with a finger, where the map shows it; while the map moves, the finger waits."""
    phone.find("#map-view").evaluate("map => map.closest('.piece, section').scrollIntoView({ block: 'center' })")
    cell = spot(phone, x, y)
    box = cell.bounding_box()
    assert box, f"no cell {x}, {y}"
    cell.tap(position={"x": box["width"] * where[0], "y": box["height"] * where[1]})


def spot(phone: Phone, x: int, y: int) -> Locator:
    return phone.find(f'#map a.spot[data-at="{x},{y}"]')


def said(phone: Phone) -> Locator:
    """Return the button of the bar, which says what it sends."""
    return phone.find(".bar .say button")


def button(phone: Phone, move: Move) -> Locator:
    """Return the button that says a move in one tap."""
    return phone.find(f"button[name=move][value='{msgspec.json.encode(move).decode()}']").first


def asking(phone: Phone, tap) -> None:
    """Do what the page asks the table about, and wait for the answer."""
    before = drawn(phone)
    tap()
    expect(phone.find("[hx-trigger=fresh]")).not_to_have_attribute("hx-get", before)


def drawn(phone: Phone) -> str:
    """Return what tells one drawing of the page's region from the next: what the phone has asked about."""
    return phone.find("[hx-trigger=fresh]").get_attribute("hx-get")
