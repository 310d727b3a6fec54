"""PARKS: reminders of physical actions after a move."""

from flask import Flask
from msgspec.structs import replace

from scoring.kernel.edit_position import Increment
from scoring.kernel.move import Phase
from scoring.parks import TRACKED_GAME
from scoring.parks.moves.corrections import EditPosition
from scoring.parks.moves.hiking import Hike, ReturnToken, Skip, TakeSide, UseExtra
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NameGear, NamePark, NameTile
from scoring.parks.moves.sites import FillCanteenRow, Roll, StowWater, SwapToken, TakeCanteen, TakePhoto, Trade
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import DoAction, ParksAction, ReturnTokens, RollForShutterbug, SecondPhoto, StartHike, State
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    END_GEAR,
    END_PARKS,
    END_PHOTO,
    FOREST,
    MOUNTAIN,
    PHOTO,
    WATER,
    case_params,
    make_state,
    state_after,
    token_counts,
    with_ana,
    with_changes,
    with_supply_left,
    with_tasks,
)
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.reminders import reminder_texts
from tests.support.table_states import random_game_moves

SLIDE_PARKS = "Ana: Slide the parks right and refill on the left."
SLIDE_GEAR = "Ana: Slide the gear cards right and refill on the left."
NEW_CANTEEN = "Ana: Draw a new face-up canteen."
DISCARD_GEAR = "Discard the rightmost gear card and refill."
WEATHER = "Place weather tokens: Sun at site 2, then Water, and keep alternating."
TURN_TILE, BACK, LIGHT = "Flip the season tile.", "Return all hikers to the Trailhead.", "Relight all campfires."
SHUFFLE = "Shuffle and place the tiles."
FILL_ROW = "Ana: Put 1 Water on the top row."


def paid(tokens: str, gained: str = "") -> str:
    return f"Ana: Return {tokens}{f' and take {gained}' if gained else ''}."


def took(tokens: str) -> str:
    return f"Ana: Take {tokens}."


def state_before_season_end(rulings: dict | None = None, **changes):
    """Return Ana with one hiker before the end of a season; her step gives and costs nothing."""
    state = make_state(rulings=rulings, **{"end_spaces_used": (True, True, True), **changes})
    return with_ana(with_changes(state, BO, hikers=(END_GEAR, END_GEAR)), hikers=(9, END_GEAR))


END = (Hike(9, END_GEAR),)
# The eighth tile goes to the space that is left.
TILES = ("forest", "mountain", "sun", "water", "wildlife", "photo", "die")
FILLED = with_changes(
    state_before_season_end({"badge-between": "returns"}, badge=ANA),
    BO,
    canteens=(("2 sun",), (), ()),
    filled=(True, False, False),
    hikers=(END_GEAR,) * 2,
)
WEATHERED = state_before_season_end(weather=("", "sun", "", "", "", "", "", "", ""))
BUYING = with_tasks(DoAction("buy"), tokens=token_counts(sun=3))
LIMITED = {"token-supply": "limited"}
AFTER = {"weather-when": "after", "end-first-when": "after"}
BURNING = with_ana(campfire=True)
WEATHERED_START = make_state(shutterbug="sun", weather=("", "water", "", "", "", "", "", "", ""))
ALL_TILES = [*map(LayTile, TILES)]
TILES_LAID = [*END, *ALL_TILES]
TO_BE_LAID = TRACKED_GAME.initial_state(TRACKED_GAME.setup_format.default(["Ana", "Bo"]))
TEN_OF_EACH = token_counts(10, 10, 10, 10, 10)


def state_with_canteen(canteen: str, state: State | None = None, **changes) -> State:
    """Return a state where Ana has a canteen in her top row."""
    return with_ana(state, canteens=((canteen,), (), ()), **changes)


def state_at_parks(park: str, **changes) -> State:
    """Return a state where Ana takes a Parks action and this park is face-up."""
    return with_tasks(
        ParksAction(), state=make_state(parks=(park, "Sequoia", "Saguaro")), **{"tokens": TEN_OF_EACH, **changes}
    )


# (state, moves, expected reminders after the last one)
REMINDERS = {
    "campfire-share": [
        (
            with_changes(BURNING, BO, hikers=(0, FOREST)),
            [Hike(0, FOREST)],
            ["Ana: Extinguish the campfire.", took("1 Forest")],
        ),
        (BURNING, [Hike(0, FOREST)], [took("1 Forest")]),
        (with_ana(gear=("flint-tinder-forest",)), [Hike(0, FOREST)], ["Ana: Relight the campfire.", took("1 Forest")]),
    ],
    "campfire-few": [(state_before_season_end({"campfire-few": "no"}), END, [TURN_TILE, BACK, SHUFFLE])],
    "weather-taken": [
        (
            WEATHERED_START,
            [Hike(0, MOUNTAIN)],
            [took("1 Mountain"), "Ana: Take the Water weather token from the Mountain site."],
        ),
        (WEATHERED_START, [Hike(0, FOREST)], [took("1 Forest")]),
        (WEATHERED_START, [Hike(0, END_GEAR)], [took("1 Sun")]),
        (WEATHERED_START, [Hike(0, WATER)], [took("2 Water")]),
        (
            make_state(weather=("", "", "", "water", "", "", "", "", "")),
            [Hike(0, WATER)],
            [took("2 Water"), "Ana: Take the Water weather token from the Water site."],
        ),
    ],
    "shutterbug-badge": [
        (make_state(shutterbug="forest"), [Hike(0, FOREST)], [took("1 Forest"), "Ana: Take the Shutterbug Badge."]),
        (
            make_state(shutterbug="forest", badge=BO),
            [Hike(0, FOREST)],
            [took("1 Forest"), "Ana: Take the Shutterbug Badge from Bo."],
        ),
        (make_state(shutterbug="forest", badge=ANA), [Hike(0, FOREST)], [took("1 Forest")]),
    ],
    "end-first-parks": [
        (make_state(first_hiker=BO), [Hike(0, END_PARKS)], ["Ana: Take the First Hiker token from Bo."]),
        (make_state(first_hiker=None), [Hike(0, END_PARKS)], ["Ana: Take the First Hiker token."]),
        (make_state(first_hiker=BO, end_spaces_used=(True, False, False)), [Hike(0, END_PARKS)], []),
    ],
    "parks-refill": [
        (with_tasks(ParksAction()), [Reserve("Redwood")], [SLIDE_PARKS]),
        (with_tasks(ParksAction()), [Skip()], []),
        (with_tasks(ParksAction()), [Reserve(deck=True)], []),
        (replace(with_tasks(ParksAction()), parks=(None, None, None)), [Reserve()], [SLIDE_PARKS]),
    ],
    "gear-slides": [
        (BUYING, [BuyGear("journal-water")], [paid("1 Sun"), SLIDE_GEAR]),
        (BUYING, [BuyGear()], [paid("2 Sun")]),
        (BUYING, [BuyGear(), DrawGear("compass-die")], []),
        (
            with_tasks(DoAction("buy"), tokens=token_counts(sun=1, wildlife=2)),
            [BuyGear("field-guide-forest", wild=2)],
            [paid("1 Sun and 2 Wildlife"), SLIDE_GEAR],
        ),
    ],
    "canteen-gain": [
        (
            with_changes(with_tasks(DoAction("canteen")), canteens=("parks", "photo", "2 sun")),
            [TakeCanteen("photo", 0)],
            [NEW_CANTEEN],
        ),
        (
            with_changes(with_tasks(DoAction("canteen")), canteens=("parks", "photo", "2 sun")),
            [TakeCanteen("photo", 0, stack=True)],
            [],
        ),
        (
            replace(with_tasks(DoAction("canteen")), canteens=(None, None, None)),
            [TakeCanteen("photo", 0)],
            [NEW_CANTEEN],
        ),
    ],
    "passion-free-gear": [
        (
            with_tasks(DoAction("buy"), tokens=token_counts(sun=3), passion="Collecting", side="gear"),
            [BuyGear("journal-water")],
            [SLIDE_GEAR],
        ),
    ],
    "wildlife-site": [
        (with_tasks(DoAction("trade"), tokens=token_counts(sun=2)), [Trade("sun")], [paid("1 Sun", "1 Wildlife")]),
        (
            with_tasks(DoAction("trade"), tokens=token_counts(sun=2), gear=("rain-gear-trade",)),
            [Trade("sun")],
            [paid("1 Sun", "2 Water and 1 Wildlife")],
        ),
    ],
    "photo-price": [
        (
            with_tasks(DoAction("photo"), tokens=token_counts(water=1)),
            [TakePhoto("water")],
            [paid("1 Water", "1 photo")],
        ),
        (
            with_tasks(DoAction("photo"), tokens=token_counts(sun=1), gear=("sunscreen-photo",)),
            [TakePhoto("sun")],
            [paid("1 Sun", "2 Sun and 1 photo")],
        ),
    ],
    "second-photo": [
        (
            with_tasks(SecondPhoto(), state=make_state(badge=ANA), tokens=token_counts(sun=2)),
            [TakePhoto("sun")],
            [paid("1 Sun", "1 photo")],
        ),
    ],
    "park-cost": [
        (
            with_tasks(ParksAction(), tokens=token_counts(forest=4, mountain=1)),
            [VisitPark("Redwood")],
            [paid("4 Forest and 1 Mountain"), SLIDE_PARKS],
        ),
    ],
    "wildlife-wild": [
        (
            with_tasks(ParksAction(), tokens=token_counts(mountain=2, wildlife=1)),
            [VisitPark("Zion", mountain=1)],
            [paid("2 Mountain and 1 Wildlife"), SLIDE_PARKS],
        ),
    ],
    "passion-less": [
        (
            with_tasks(ParksAction(), tokens=token_counts(mountain=2), passion="Mountaineering", side="gear"),
            [VisitPark("Zion")],
            [paid("2 Mountain"), SLIDE_PARKS],
        ),
    ],
    "park-instant": [
        (state_at_parks("Dry Tortugas"), [VisitPark("Dry Tortugas")], [paid("3 Water", "2 Sun")]),
        # She pays 1 Wildlife in place of a Forest, and then gains one.
        (
            state_at_parks("Mount Rainier"),
            [VisitPark("Mount Rainier", forest=1)],
            [paid("2 Forest, 1 Mountain, 1 Water and 1 Wildlife", "1 Wildlife")],
        ),
        (
            state_at_parks("Glacier"),
            [VisitPark("Glacier")],
            [paid("2 Mountain, 1 Sun and 1 Water"), "Ana: Take the Shutterbug Badge."],
        ),
        (state_at_parks("Olympic"), [VisitPark("Olympic"), Roll("wildlife")], [took("1 Wildlife")]),
        # The Water is still to be placed, but is taken once.
        (
            state_with_canteen("photo", state_at_parks("Gateway Arch")),
            [VisitPark("Gateway Arch")],
            [paid("3 Sun", "2 Water")],
        ),
        (
            state_with_canteen("photo", state_at_parks("Gateway Arch")),
            [VisitPark("Gateway Arch"), FillCanteenRow(0)],
            [FILL_ROW],
        ),
        (state_with_canteen("photo", state_at_parks("Gateway Arch")), [VisitPark("Gateway Arch"), StowWater()], []),
    ],
    "gear-waits": [
        (with_ana(gear=("field-guide-forest",)), [Hike(0, FOREST)], [took("1 Forest and 1 Wildlife")]),
        (
            with_tasks(ParksAction(), gear=("binoculars-reserve",)),
            [Reserve("Redwood")],
            [took("1 Mountain"), SLIDE_PARKS],
        ),
    ],
    "gear-order": [
        (
            state_with_canteen("photo", gear=("rain-gear-photo", "mystery-cache-photo"), tokens=token_counts(sun=1)),
            [Hike(0, PHOTO), TakePhoto("sun"), UseExtra("2 water", "rain-gear-photo")],
            [took("2 Water")],
        ),
    ],
    "canteen-fill": [
        (state_with_canteen("photo"), [Hike(0, WATER)], [took("2 Water")]),
        (state_with_canteen("photo"), [Hike(0, WATER), FillCanteenRow(0)], [FILL_ROW]),
        (state_with_canteen("photo"), [Hike(0, WATER), StowWater()], []),
        (
            with_ana(canteens=((), ("photo",), ("photo",))),
            [Hike(0, WATER), FillCanteenRow(2)],
            ["Ana: Put 1 Water on the bottom row."],
        ),
    ],
    "canteen-brings": [
        (state_with_canteen("2 sun"), [Hike(0, WATER), FillCanteenRow(0)], [FILL_ROW, took("2 Sun")]),
    ],
    "canteen-chain": [
        (state_with_canteen("2 water"), [Hike(0, WATER), FillCanteenRow(0)], [FILL_ROW, took("2 Water")]),
    ],
    "die-faces": [
        (with_tasks(DoAction("roll")), [Roll("forest")], [took("1 Forest")]),
        (with_tasks(DoAction("roll")), [Roll("canteen")], []),
        (state_with_canteen("photo", with_tasks(DoAction("roll"))), [Roll("2 water")], [took("2 Water")]),
    ],
    "token-supply": [
        (
            with_supply_left(token_counts(sun=1), with_tasks(DoAction("roll"), state=make_state(rulings=LIMITED))),
            [Roll("2 sun")],
            [took("1 Sun")],
        ),
    ],
    "passion-swap": [
        (
            with_ana(passion="Botany", side="gear"),
            [Hike(0, FOREST), SwapToken()],
            [paid("1 Forest", "1 Wildlife")],
        ),
    ],
    "passion-goal": [
        # The visit has told her to take the Sun.
        (
            state_at_parks("Dry Tortugas", passion="Adventure", visited=("Olympic",)),
            [VisitPark("Dry Tortugas"), TakeSide("end")],
            [],
        ),
    ],
    "backpack": [
        (
            with_tasks(
                ReturnTokens(), state=make_state(rulings={"backpack": "twelve"}), tokens=token_counts(forest=13)
            ),
            [ReturnToken("forest")],
            [paid("1 Forest")],
        ),
    ],
    # The reminder and the button of a hike have told her to take these tokens.
    "weather-when": [
        (
            state_with_canteen("photo", make_state(rulings=AFTER, weather=("", "", "", "sun", "", "", "", "", ""))),
            [Hike(0, WATER), StowWater()],
            [],
        ),
    ],
    "end-first-when": [
        (
            with_ana(make_state(rulings=AFTER), tokens=token_counts(sun=1)),
            [Hike(0, END_GEAR), BuyGear("journal-water")],
            [paid("1 Sun"), SLIDE_GEAR],
        ),
    ],
    "hikers-return": [(state_before_season_end(), END, [TURN_TILE, LIGHT, BACK, SHUFFLE])],
    "campfire-relit": [
        (
            with_changes(with_changes(state_before_season_end(), ANA, campfire=True), BO, campfire=True),
            END,
            [TURN_TILE, BACK, SHUFFLE],
        )
    ],
    "canteens-emptied": [
        (
            FILLED,
            END,
            [TURN_TILE, "Empty all canteens.", LIGHT, "Put the Shutterbug Badge beside the board.", BACK, SHUFFLE],
        )
    ],
    "weather-left": [(WEATHERED, END, [TURN_TILE, LIGHT, BACK, "Return the old weather tokens.", SHUFFLE])],
    "trail-again": [
        (state_before_season_end(), [*END, LayTile("forest")], [TURN_TILE, LIGHT, BACK, SHUFFLE]),
        (WEATHERED, TILES_LAID, [TURN_TILE, LIGHT, WEATHER, DISCARD_GEAR]),
        (
            state_before_season_end(rulings={"weather-start": "water", "weather-parks": "no"}),
            TILES_LAID,
            [
                TURN_TILE,
                LIGHT,
                "Place weather tokens: Water at site 2, then Sun, and keep alternating (not on the Parks site).",
                DISCARD_GEAR,
            ],
        ),
        (TO_BE_LAID, [LayTile("forest")], []),
        (TO_BE_LAID, ALL_TILES, [WEATHER]),
        (TO_BE_LAID, [*ALL_TILES, PlaceShutterbug("forest")], [WEATHER]),
        (
            TO_BE_LAID,
            [*ALL_TILES, PlaceShutterbug("canteen"), NameTile("spring-sun"), Hike(0, FOREST)],
            [took("1 Forest")],
        ),
    ],
    "gear-discard": [
        (state_before_season_end(), [*TILES_LAID, PlaceShutterbug("2 sun")], [TURN_TILE, LIGHT, WEATHER, DISCARD_GEAR]),
        (
            state_before_season_end(),
            [*TILES_LAID, PlaceShutterbug("2 sun"), NameTile("summer-canteens")],
            [LIGHT, WEATHER, DISCARD_GEAR],
        ),
        (
            state_before_season_end(),
            [*TILES_LAID, PlaceShutterbug("2 sun"), NameGear("compass-die")],
            [TURN_TILE, LIGHT, WEATHER],
        ),
        (state_before_season_end(), [*TILES_LAID, PlaceShutterbug("2 sun"), Hike(0, FOREST)], [took("1 Forest")]),
    ],
    "seasons": [
        (
            with_ana(state_before_season_end(), tokens=token_counts(sun=1)),
            [Hike(9, END_PHOTO), TakePhoto("sun")],
            [paid("1 Sun", "1 photo"), TURN_TILE, LIGHT, BACK, SHUFFLE],
        ),
        (state_before_season_end(season=2, tile="fall-sun"), END, []),
    ],
}


@run_all_rows("state, moves, expected", case_params(REMINDERS))
def test_reminders_after_a_move(state, moves, expected):
    before = after = TRACKED_GAME.flow.resolve_forced_steps(state)
    main = moves[0]
    for number, move in enumerate(moves):
        if not (move.out_of_turn or (move.phase is Phase.SETUP and number)):
            before, main = after, move
        after = state_after(after, move)
    assert reminder_texts(TRACKED_GAME, before, after, main) == expected


def test_correction_of_tokens_has_no_reminder():
    correction = EditPosition((Increment("players.0.sun", 2),))
    state = make_state()
    assert reminder_texts(TRACKED_GAME, state, TRACKED_GAME.play(state, BO, correction), correction) == []


def shown_reminders(table: SeatedTable) -> list[str]:
    return [reminder.text for reminder in table.table.reminders]


def test_reminders_of_a_new_season_stay_until_its_first_hike(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="parks")
    for seat, move in random_game_moves("parks", ("Ana", "Bo"), 4):
        state = table.table.state
        if state.season == 1 and not any(any(player.hikers) for player in state.players):
            assert SHUFFLE in shown_reminders(table) if None in state.sites else WEATHER in shown_reminders(table)
            assert LIGHT in shown_reminders(table)
        if state.season == 1 and any(any(player.hikers) for player in state.players):
            assert LIGHT not in shown_reminders(table)
            return
        table.play(seat, move)


def test_card_named_since_needs_no_reminder():
    before = with_tasks(ParksAction(), DoAction("buy"), tokens=token_counts(sun=3))
    buy = BuyGear("journal-water")
    bought = state_after(before, buy)
    assert reminder_texts(TRACKED_GAME, before, bought, buy) == [paid("1 Sun"), SLIDE_GEAR]
    named = TRACKED_GAME.play(bought, BO, NameGear("sunscreen-photo"))
    assert reminder_texts(TRACKED_GAME, before, named, buy) == [paid("1 Sun")]
    reserved = state_after(bought, Reserve("Redwood"))
    assert reminder_texts(TRACKED_GAME, bought, reserved, Reserve("Redwood")) == [SLIDE_PARKS]
    assert (
        reminder_texts(TRACKED_GAME, bought, TRACKED_GAME.play(reserved, BO, NamePark("Denali")), Reserve("Redwood"))
        == []
    )


def test_unfinished_trail_needs_no_market_reminder_before_the_shutterbug():
    state = make_state(tasks=(StartHike(), RollForShutterbug()), shutterbug=None)
    assert reminder_texts(TRACKED_GAME, state, state, LayTile("forest")) == []
