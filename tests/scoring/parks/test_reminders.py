"""PARKS: what hands must do at the real table after a move."""

from flask import Flask

from scoring.parks import PLAY
from scoring.parks.moves.hiking import Hike, Leave
from scoring.parks.moves.park_actions import BuyGear, Reserve
from scoring.parks.moves.reveals import NameGear, NamePark, NameTile
from scoring.parks.moves.sites import TakeCanteen
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import Do, Parks, PlaceBug, SetOut
from tests.support.cases import every_row
from tests.support.parks_table import ANA, BO, END_GEAR, END_PARKS, FOREST, after, ana, but, cases, doing, have, table
from tests.support.phones import Seated, seated
from tests.support.reminders import by_hand
from tests.support.table_states import moves

SLIDE_PARKS = "Ana, slide the parks right, and fill the gap with new ones on the left."
SLIDE_GEAR = "Ana, slide the gear right, and draw a card on the left."
NEW_CANTEEN = "Ana, draw a canteen into the display."
DISCARD_GEAR = "Discard the rightmost gear, slide, draw one."
WEATHER = "Lay weather from site 2 on, Sun and Water by turns."
TURN_TILE, BACK, LIGHT = "Turn the season tile.", "Take all hikers back.", "Light every campfire."
SHUFFLE = "Shuffle the trail tiles and lay them out."


def last_step(rulings: dict | None = None, **changes):
    """Return Ana with one hiker left beside the end of a season; her step takes nothing and gives nothing."""
    state = table(rulings=rulings, **{"end_used": (True, True, True), **changes})
    return ana(but(state, BO, hikers=(END_GEAR, END_GEAR)), hikers=(9, END_GEAR))


END = (Hike(9, END_GEAR),)
TILES = ("forest", "mountain", "sun", "water", "wildlife", "photo", "die")  # the eighth lies where it is left over
FILLED = but(
    last_step({"badge-between": "returns"}, badge=ANA),
    BO,
    canteens=(("2 sun",), (), ()),
    filled=(True, False, False),
    hikers=(END_GEAR,) * 2,
)
WEATHERED = last_step(weather=("", "sun", "", "", "", "", "", "", ""))
BURNING = ana(campfire=True)
ALL_TILES = [*map(LayTile, TILES)]
LAID = [*END, *ALL_TILES]
TO_BE_LAID = PLAY.begin(PLAY.usual(["Ana", "Bo"]))

# (table, moves, what hands must do after the last one)
HANDS = {
    "campfire-share": [
        (but(BURNING, BO, hikers=(0, FOREST)), [Hike(0, FOREST)], ["Ana, put out your campfire."]),
        (BURNING, [Hike(0, FOREST)], []),
    ],
    "end-first-parks": [
        (table(first_hiker=BO), [Hike(0, END_PARKS)], ["Ana, take the First Hiker token."]),
        (table(first_hiker=BO, end_used=(True, False, False)), [Hike(0, END_PARKS)], []),
    ],
    "parks-refill": [
        (doing(Parks()), [Reserve("Redwood")], [SLIDE_PARKS]),
        (doing(Parks()), [Leave()], []),
        (doing(Parks()), [Reserve(deck=True)], []),
    ],
    "gear-slides": [
        (doing(Do("buy"), tokens=have(sun=3)), [BuyGear("journal-water")], [SLIDE_GEAR]),
        (doing(Do("buy"), tokens=have(sun=3)), [BuyGear()], []),
    ],
    "canteen-gain": [
        (but(doing(Do("canteen")), canteens=("parks", "photo", "2 sun")), [TakeCanteen("photo", 0)], [NEW_CANTEEN]),
        (but(doing(Do("canteen")), canteens=("parks", "photo", "2 sun")), [TakeCanteen("photo", 0, stack=True)], []),
    ],
    "hikers-return": [(last_step(), END, [TURN_TILE, LIGHT, BACK, SHUFFLE])],
    "campfire-relit": [
        (
            but(but(last_step(), ANA, campfire=True), BO, campfire=True),
            END,
            [TURN_TILE, BACK, SHUFFLE],
        )
    ],
    "canteens-emptied": [
        (FILLED, END, [TURN_TILE, "Empty the canteens.", LIGHT, "Lay the Shutterbug Badge aside.", BACK, SHUFFLE])
    ],
    "weather-left": [(WEATHERED, END, [TURN_TILE, LIGHT, BACK, "Clear the weather.", SHUFFLE])],
    "trail-again": [
        (last_step(), [*END, LayTile("forest")], [TURN_TILE, LIGHT, BACK, SHUFFLE]),
        (WEATHERED, LAID, [TURN_TILE, LIGHT, WEATHER, DISCARD_GEAR]),
        (
            last_step(rulings={"weather-start": "water", "weather-parks": "no"}),
            LAID,
            [
                TURN_TILE,
                LIGHT,
                "Lay weather from site 2 on, Water and Sun by turns, none on the Parks site.",
                DISCARD_GEAR,
            ],
        ),
        (TO_BE_LAID, [LayTile("forest")], []),
        (TO_BE_LAID, ALL_TILES, [WEATHER]),
        (TO_BE_LAID, [*ALL_TILES, PlaceShutterbug("forest")], [WEATHER]),
        (TO_BE_LAID, [*ALL_TILES, PlaceShutterbug("forest"), NameTile("spring-sun"), Hike(0, FOREST)], []),
    ],
    "gear-discard": [
        (last_step(), [*LAID, PlaceShutterbug("2 sun")], [TURN_TILE, LIGHT, WEATHER, DISCARD_GEAR]),
        (last_step(), [*LAID, PlaceShutterbug("2 sun"), NameTile("summer-canteens")], [LIGHT, WEATHER, DISCARD_GEAR]),
        (last_step(), [*LAID, PlaceShutterbug("2 sun"), NameGear("compass-die")], [TURN_TILE, LIGHT, WEATHER]),
        (last_step(), [*LAID, PlaceShutterbug("2 sun"), Hike(0, FOREST)], []),
    ],
    "seasons": [(last_step(season=2, tile="fall-sun"), END, [])],
}


@every_row("state, moves, said", cases(HANDS))
def test_what_hands_must_do_after_a_move(state, moves, said):
    before = now = PLAY.settle(state)
    main = moves[0]
    for number, move in enumerate(moves):
        if not (move.anytime or (move.hands_busy and number)):
            before, main = now, move
        now = after(now, move)
    assert by_hand(PLAY, before, now, main) == said


def reminders(table: Seated) -> list[str]:
    return [each.text for each in table.table.hands]


def test_a_phone_has_the_list_of_a_season_until_its_first_hike(app: Flask):
    table = seated(app, "Ana", "Bo", game="parks")
    for seat, move in moves("parks", ("Ana", "Bo"), 4):
        state = table.table.state
        if state.season == 1 and not any(any(player.hikers) for player in state.players):
            assert SHUFFLE in reminders(table) if None in state.sites else WEATHER in reminders(table)
            assert LIGHT in reminders(table)
        if state.season == 1 and any(any(player.hikers) for player in state.players):
            assert LIGHT not in reminders(table)
            return
        table.say(seat, move)


def test_what_has_been_named_since_lies_in_its_display():
    before = doing(Parks(), Do("buy"), tokens=have(sun=3))
    buy = BuyGear("journal-water")
    bought = after(before, buy)
    assert by_hand(PLAY, before, bought, buy) == [SLIDE_GEAR]
    assert by_hand(PLAY, before, PLAY.play(bought, BO, NameGear("sunscreen-photo")), buy) == []
    reserved = after(bought, Reserve("Redwood"))
    assert by_hand(PLAY, bought, reserved, Reserve("Redwood")) == [SLIDE_PARKS]
    assert by_hand(PLAY, bought, PLAY.play(reserved, BO, NamePark("Denali")), Reserve("Redwood")) == []


def test_a_trail_in_the_making_asks_nothing_of_the_market_before_the_shutterbug_lies():
    state = table(tasks=(SetOut(), PlaceBug()), shutterbug=None)
    assert by_hand(PLAY, state, state, LayTile("forest")) == []
