"""Play ALPINE TRAILS on a phone with the keys and the map, and count the taps."""

import msgspec
from playwright.sync_api import Locator, expect

from scoring.alpine_trails.map.tiles import DIRECTIONS, EXITS_SIMPLEST_FIRST, OPPOSITE, trail_shape
from scoring.alpine_trails.moves.corrections import CorrectTile
from scoring.alpine_trails.moves.placing import Discard, PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.reveals import NoteGoal
from scoring.alpine_trails.moves.wildlife import PlaceAnimal, TradeFork
from scoring.alpine_trails.score_entry import EnterCamp, PutTile
from scoring.kernel.move import Move
from tests.browser.phone import Phone
from tests.browser.trails_taps import tap_button

MIDDLE = 0.5
EDGE = 0.86  # share of a cell's width: where to tap to send a trail to that side
NEAR = 0.75  # share of a cell's height or width: nearer to the middle than to the edge of a corner
SMALL_CELL = 28  # px: the browser moves a tap on a narrower cell to its middle
# Where to tap a cell, and the points of each exit toward the finger: an edge, or a corner nearer to one of its edges.
TAP_POINTS = {
    (MIDDLE, MIDDLE): {},
    (MIDDLE, 1 - EDGE): {"N": 2},
    (EDGE, MIDDLE): {"E": 2},
    (MIDDLE, EDGE): {"S": 2},
    (1 - EDGE, MIDDLE): {"W": 2},
    (EDGE, 1 - NEAR): {"E": 2, "N": 1},
    (EDGE, NEAR): {"E": 2, "S": 1},
    (1 - EDGE, 1 - NEAR): {"W": 2, "N": 1},
    (1 - EDGE, NEAR): {"W": 2, "S": 1},
}


def play_move(phone: Phone, move: Move) -> int:
    """Play a move on a seat's page; return the taps that placed the tile, without the submit."""
    taps = 0
    match move:
        case CorrectTile():  # A placed tile is picked up and changed.
            taps = fix_tile(phone, move)
            tap_button(phone, submit_button(phone))
        case PlaceTrail() | PlaceTerrain() | PutTile() | PlaceCampsite() | PlaceWaterfall() | PlaceAnimal():
            taps = build_tile(phone, move)
            tap_button(phone, submit_button(phone))
        case Discard():
            taps = tap_key(phone, "key", "discard")
            tap_button(phone, submit_button(phone))
        case NoteGoal():
            phone.unfold("secret")
            tap_button(phone, move_button(phone, move))
        case TradeFork():
            taps = tap_key(phone, "key", "discard")
            phone.unfold("trade-fork")
            tap_button(phone, move_button(phone, move))
        case _:
            tap_button(phone, move_button(phone, move))
    return taps


def pad_key(move: Move) -> str:
    """Return the key of the pad for the tile that a move places."""
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


def build_tile(phone: Phone, move: Move) -> int:
    """Build a tile on the map with the fewest taps; return the number of taps."""
    taps, point = tap_key(phone, "key", pad_key(move)), (MIDDLE, MIDDLE)
    if exits := getattr(move, "exits", ""):
        taps += tap_key(phone, "miles", str(move.miles))
        cell = find_cell(phone, move.x, move.y)
        options = (cell.get_attribute("data-exits") or "").split()
        points = TAP_POINTS if cell.bounding_box()["width"] >= SMALL_CELL else {(MIDDLE, MIDDLE): {}}
        kept_shape = phone.find('.key[name="draft.shape"][aria-pressed=true]').get_attribute("value")
        turns, point = fewest_turns(points, options, exits, kept_shape)
        chosen_turns, chosen_point = fewest_turns(points, options, exits, trail_shape(exits), is_chosen=True)
        if chosen_turns + 1 < turns:
            phone.find(f'.key[name="draft.shape"][value="{trail_shape(exits)}"]').tap()
            taps, point = taps + 1, chosen_point
    tap_cell(phone, move.x, move.y, point)
    return taps + 1 + turn_tile_to(phone, move)


def fewest_turns(
    tap_points: dict[tuple[float, float], dict[str, int]],
    options: list[str],
    exits: str,
    shape: str,
    *,
    is_chosen: bool = False,
) -> tuple[int, tuple[float, float]]:
    """Return how often a trail must be turned after the best tap, and where that is.

    :param tap_points: where the cell can be tapped, as `TAP_POINTS`.
    :param shape: the shape chosen for this tile, or else the one of the last tile.
    """

    entries = [letter for letter in DIRECTIONS if options and all(letter in option for option in options)]

    def turns(points: dict[str, int]) -> int:
        prefers_shape = is_chosen or not points
        is_at_entry = not prefers_shape and len(entries) == 1 and list(points) == entries

        def rank(option: str) -> float:
            has_shape = prefers_shape and trail_shape(option) == shape
            toward_finger = len(option) if is_at_entry else sum(points.get(letter, 0) for letter in option)
            is_stem_tapped = (prefers_shape or is_at_entry) and points.get(stem(option)) == 2
            return 4 * has_shape + toward_finger + is_stem_tapped / 2

        return sorted(options, key=rank, reverse=True).index(exits) if exits in options else len(options)

    return min((turns(points), point) for point, points in tap_points.items())


def stem(exits: str) -> str:
    """Return the side opposite the closed side of a fork with three exits, else an empty text."""
    return next(OPPOSITE[letter] for letter in DIRECTIONS if letter not in exits) if len(exits) == 3 else ""


def turn_tile_to(phone: Phone, move: Move) -> int:
    """Tap the tile until it has the wanted orientation; return the number of taps."""
    for taps in range(2 * len(EXITS_SIMPLEST_FIRST)):
        if is_move_ready(phone, move):
            return taps
        tap_cell(phone, move.x, move.y)
    raise AssertionError(f"no way to lie so: {move}")


def is_move_ready(phone: Phone, move: Move) -> bool:
    """Return whether the bar would submit this move."""
    value = submit_button(phone).get_attribute("value") or "{}"
    return msgspec.json.decode(value, type=type(move), strict=False) == move if '"type"' in value else False


def fix_tile(phone: Phone, move: CorrectTile) -> int:
    """Pick up a placed tile and change it key by key; return the number of taps.

    Each key waits until the page has answered the one before.
    """
    tap_and_wait(phone, lambda: tap_cell(phone, move.x, move.y))
    return change_tile(phone, move)


def change_tile(phone: Phone, move: CorrectTile) -> int:
    """Change a tile that was picked up; return the number of taps."""
    taps = 0
    for name, value in (("key", pad_key(move)), ("miles", str(move.miles))):
        if phone.find(f'.tile-keys [name="draft.{name}"][value="{value}"][aria-pressed=false]').count():
            tap_and_wait(phone, lambda name=name, value=value: tap_key(phone, name, value))
            taps += 1
    for _ in EXITS_SIMPLEST_FIRST:
        if is_move_ready(phone, move):
            return taps
        tap_and_wait(phone, phone.find(".confirm-bar .rotate").tap)
    raise AssertionError(f"no way to lie so: {move}")


def tap_key(phone: Phone, name: str, value: str) -> int:
    """Tap a key of the pad unless it is pressed already; return the number of taps."""
    key = phone.find(f'.key[name="draft.{name}"][value="{value}"], .key[data-{name}="{value}"]')
    if not key.count() or key.get_attribute("aria-pressed") == "true":
        return 0
    folded = phone.find("details:not([open])", has=key)  # several kept animals
    taps = folded.count()
    if taps:
        folded.locator("summary").tap()
    key.tap()
    return taps + 1


def tap_cell(phone: Phone, x: int, y: int, position: tuple[float, float] = (MIDDLE, MIDDLE)) -> None:
    """Tap a cell of the map where the map shows it, after the map has stopped moving."""
    phone.find("#map-view").evaluate("map => map.closest('.fragment, section').scrollIntoView({ block: 'center' })")
    cell = find_cell(phone, x, y)
    box = cell.bounding_box()
    assert box, f"no cell {x}, {y}"
    cell.tap(position={"x": box["width"] * position[0], "y": box["height"] * position[1]})


def find_cell(phone: Phone, x: int, y: int) -> Locator:
    return phone.find(f'#map a.hotspot[data-cell="{x},{y}"]')


def submit_button(phone: Phone) -> Locator:
    """Return the button of the bar, which shows the move it sends."""
    return phone.find(".confirm-bar .confirm-form button")


def move_button(phone: Phone, move: Move) -> Locator:
    """Return the button that submits a move in one tap."""
    if isinstance(move, EnterCamp):
        phone.unfold("tile-by-tile")
    return phone.find(f"button[name=move][value='{msgspec.json.encode(move).decode()}']").first


def tap_and_wait(phone: Phone, tap) -> None:
    """Do something the page sends to the server, and wait for the answer."""
    before = page_state(phone)
    tap()
    expect(phone.find("[hx-trigger=refresh]")).not_to_have_attribute("hx-get", before)


def page_state(phone: Phone) -> str:
    """Return a value that changes whenever the page's region is redrawn."""
    return phone.find("[hx-trigger=refresh]").get_attribute("hx-get")
