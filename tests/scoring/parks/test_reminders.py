"""PARKS: reminders of physical actions after a move."""

from flask import Flask

from scoring.kernel.move import Phase
from scoring.parks import TRACKED_GAME
from scoring.parks.moves.hiking import Hike, Skip
from scoring.parks.moves.park_actions import BuyGear, Reserve
from scoring.parks.moves.reveals import NameGear, NamePark, NameTile
from scoring.parks.moves.sites import TakeCanteen
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import DoAction, ParksAction, RollForShutterbug, StartHike
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    END_GEAR,
    END_PARKS,
    FOREST,
    MOUNTAIN,
    case_params,
    make_state,
    state_after,
    token_counts,
    with_ana,
    with_changes,
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
BURNING = with_ana(campfire=True)
WEATHERED_START = make_state(shutterbug="sun", weather=("", "water", "", "", "", "", "", "", ""))
ALL_TILES = [*map(LayTile, TILES)]
TILES_LAID = [*END, *ALL_TILES]
TO_BE_LAID = TRACKED_GAME.initial_state(TRACKED_GAME.setup_format.default(["Ana", "Bo"]))

# (state, moves, expected reminders after the last one)
REMINDERS = {
    "campfire-share": [
        (with_changes(BURNING, BO, hikers=(0, FOREST)), [Hike(0, FOREST)], ["Ana: Extinguish the campfire."]),
        (BURNING, [Hike(0, FOREST)], []),
        (with_ana(gear=("flint-tinder-forest",)), [Hike(0, FOREST)], ["Ana: Relight the campfire."]),
    ],
    "campfire-few": [(state_before_season_end({"campfire-few": "no"}), END, [TURN_TILE, BACK, SHUFFLE])],
    "weather-taken": [
        (WEATHERED_START, [Hike(0, MOUNTAIN)], ["Ana: Take the Water weather token from the Mountain site."]),
        (WEATHERED_START, [Hike(0, FOREST)], []),
        (WEATHERED_START, [Hike(0, END_GEAR)], []),
    ],
    "shutterbug-badge": [
        (make_state(shutterbug="forest"), [Hike(0, FOREST)], ["Ana: Take the Shutterbug Badge."]),
        (make_state(shutterbug="forest", badge=BO), [Hike(0, FOREST)], ["Ana: Take the Shutterbug Badge from Bo."]),
        (make_state(shutterbug="forest", badge=ANA), [Hike(0, FOREST)], []),
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
    ],
    "gear-slides": [
        (with_tasks(DoAction("buy"), tokens=token_counts(sun=3)), [BuyGear("journal-water")], [SLIDE_GEAR]),
        (with_tasks(DoAction("buy"), tokens=token_counts(sun=3)), [BuyGear()], []),
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
        (TO_BE_LAID, [*ALL_TILES, PlaceShutterbug("canteen"), NameTile("spring-sun"), Hike(0, FOREST)], []),
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
        (state_before_season_end(), [*TILES_LAID, PlaceShutterbug("2 sun"), Hike(0, FOREST)], []),
    ],
    "seasons": [(state_before_season_end(season=2, tile="fall-sun"), END, [])],
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
    assert reminder_texts(TRACKED_GAME, before, bought, buy) == [SLIDE_GEAR]
    assert reminder_texts(TRACKED_GAME, before, TRACKED_GAME.play(bought, BO, NameGear("sunscreen-photo")), buy) == []
    reserved = state_after(bought, Reserve("Redwood"))
    assert reminder_texts(TRACKED_GAME, bought, reserved, Reserve("Redwood")) == [SLIDE_PARKS]
    assert (
        reminder_texts(TRACKED_GAME, bought, TRACKED_GAME.play(reserved, BO, NamePark("Denali")), Reserve("Redwood"))
        == []
    )


def test_unfinished_trail_needs_no_market_reminder_before_the_shutterbug():
    state = make_state(tasks=(StartHike(), RollForShutterbug()), shutterbug=None)
    assert reminder_texts(TRACKED_GAME, state, state, LayTile("forest")) == []
