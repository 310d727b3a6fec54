"""PARKS: valid setups, and the state a table starts with."""

import msgspec
import pytest
from flask import Flask
from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.parks.box import SITES, TOKENS_IN_BOX, TRAIL_TILES, CustomCards, CustomPark
from scoring.parks.moves.reveals import NameTile
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug, next_site_number
from scoring.parks.state import NameSeasonTile, PlayerSetup, RollForShutterbug, Setup, StartHike, State
from tests.support.parametrize import run_all_rows
from tests.support.parks_invariants import token_totals
from tests.support.parks_table import NAMES, TRACKED_GAME, ready_setup, token_counts
from tests.support.phones import open_seated_table
from tests.support.reminders import reminder_texts

DEFAULT_SETUP = ready_setup(*NAMES[:3])


def setup_data(setup: Setup) -> dict:
    return msgspec.to_builtins(setup)


def setup_with_ana(**changes) -> Setup:
    return replace(DEFAULT_SETUP, players=(replace(DEFAULT_SETUP.players[0], **changes), *DEFAULT_SETUP.players[1:]))


VALID_SETUPS = {
    "as it comes": DEFAULT_SETUP,
    "another trail": replace(
        DEFAULT_SETUP, sites=("gear", "die", "photo", "wildlife", "parks", "water", "sun", "mountain", "forest")
    ),
    "parks elsewhere": replace(
        DEFAULT_SETUP, sites=("parks", "die", "photo", "wildlife", "gear", "water", "sun", "mountain", "forest")
    ),
    "tokens and a canteen": setup_with_ana(tokens=token_counts(1, 2, 3, 4, 5), canteen="parks"),
    "passions": setup_with_ana(passion="Botany"),
    "the tile": replace(DEFAULT_SETUP, tile="spring-water"),
    "more cards open": replace(DEFAULT_SETUP, parks=5, gear=4),
    "cards of one's own": replace(setup_with_ana(), facts=CustomCards(parks=(CustomPark("Garden"),))),
    "rulings": replace(DEFAULT_SETUP, rulings={"backpack": "twelve"}),
}
INVALID_SETUPS = [
    (replace(DEFAULT_SETUP, players=DEFAULT_SETUP.players[:1]), "player-count"),
    (replace(DEFAULT_SETUP, players=tuple(map(PlayerSetup, "ABCDEF"))), "player-count"),
    (setup_with_ana(name="bo"), "same-name"),
    (setup_with_ana(name=" Ana"), "name-spaces"),
    (setup_with_ana(name=""), "name"),
    (setup_with_ana(name="x" * 41), "name"),
    (setup_with_ana(tokens=token_counts(sun=21)), "start-tokens"),
    (setup_with_ana(tokens=token_counts(sun=-1)), "start-tokens"),
    (setup_with_ana(passion="Botanic"), "no-such-passion"),
    (
        replace(
            setup_with_ana(passion="Botany"),
            players=(*setup_with_ana(passion="Botany").players[:1], PlayerSetup("Bo", "Botany")),
        ),
        "passion-taken",
    ),
    (replace(DEFAULT_SETUP, sites=DEFAULT_SETUP.sites[:8]), "nine-sites"),
    (replace(DEFAULT_SETUP, sites=(*DEFAULT_SETUP.sites[:8], "forest")), "nine-sites"),
    (replace(DEFAULT_SETUP, shutterbug="die"), "no-shutterbug"),
    (replace(DEFAULT_SETUP, shutterbug="parks"), "no-shutterbug"),
    (replace(DEFAULT_SETUP, tile="summer-gear"), "no-such-tile"),
    (replace(DEFAULT_SETUP, tile="spring"), "no-such-tile"),
    (replace(DEFAULT_SETUP, parks=0), "displays"),
    (replace(DEFAULT_SETUP, gear=9), "displays"),
    (replace(DEFAULT_SETUP, facts=CustomCards(parks=(CustomPark("Zion"),))), "home-name"),
    (replace(DEFAULT_SETUP, rulings={"weather": "none"}), "no-ruling"),
    (replace(DEFAULT_SETUP, rulings={"backpack": "ten"}), "no-option"),
]


@run_all_rows("setup", VALID_SETUPS.values(), ids=list(VALID_SETUPS))
def test_valid_setup_is_accepted(setup):
    assert TRACKED_GAME.read_setup(setup_data(setup)) == setup
    state = TRACKED_GAME.initial_state(setup)
    assert tuple(token_totals(state)) == TOKENS_IN_BOX
    assert TRACKED_GAME.flow.to_move(state) == (0,)


@run_all_rows(
    "setup, code", INVALID_SETUPS, ids=[f"{code}-{number}" for number, (_, code) in enumerate(INVALID_SETUPS)]
)
def test_impossible_setup_is_refused(setup, code):
    with pytest.raises(IllegalMoveError) as refused:
        TRACKED_GAME.read_setup(setup_data(setup))
    assert code in [reason.code for reason in refused.value.reasons]
    for reason in refused.value.reasons:
        assert reason.text[-1] in ".?" and TRACKED_GAME.box.rules[reason.rule.id] is reason.rule


@run_all_rows(
    "data", [{}, [], {**setup_data(DEFAULT_SETUP), "seed": 1}, {**setup_data(DEFAULT_SETUP), "shutterbug": "sea"}]
)
def test_data_that_is_no_setup_is_invalid_input(data):
    with pytest.raises(InvalidInputError):
        TRACKED_GAME.read_setup(data)


def test_table_starts_with_the_values_of_its_setup():
    setup = replace(
        setup_with_ana(tokens=token_counts(1, 2, 3, 4, 5), canteen="parks", passion="Botany"),
        tile="spring-sun",
        parks=4,
        gear=2,
    )
    state = TRACKED_GAME.initial_state(setup)
    assert state.players[0].tokens == token_counts(1, 2, 3, 4, 5) and state.players[0].canteens == (("parks",), (), ())
    assert state.players[0].passion == "Botany" and state.players[1].tokens == token_counts()
    assert (state.parks, state.market, state.canteens) == ((None,) * 4, (None,) * 2, (None,) * 3)
    assert (state.tile, state.shutterbug, state.first_hiker, state.turn, state.season) == (
        "spring-sun",
        "forest",
        0,
        0,
        0,
    )


def test_default_setup_has_the_parks_site_in_the_middle():
    assert DEFAULT_SETUP.sites.index("parks") == 4 and len(DEFAULT_SETUP.sites) == 9


# Score entry


@pytest.mark.parametrize(
    "players, code",
    [(("Ana",), "player-count"), (("Ana", "ana"), "same-name"), (("Ana", ""), "name")],
)
def test_score_entry_with_impossible_players_is_refused(players, code):
    with pytest.raises(IllegalMoveError) as refused:
        TRACKED_GAMES["parks-tally"].read_setup({"players": players})
    assert refused.value.reasons[0].code == code


# A game without a given Trail begins with placing it


def state_without_trail() -> State:
    return TRACKED_GAME.initial_state(TRACKED_GAME.setup_format.default(list(NAMES[:2])))


def place_trail(state: State) -> State:
    for number, tile in enumerate(TRAIL_TILES[:-1]):
        state = TRACKED_GAME.play(state, number % 2, LayTile(tile, next_site_number(state)))
    return state


def test_table_without_a_trail_begins_with_placing_it():
    state = state_without_trail()
    assert state.sites.count(None) == 8 and state.sites.index("parks") == 4 and state.shutterbug is None
    assert TRACKED_GAME.flow.to_move(state) == (0, 1) and not list(TRACKED_GAME.position_format.position_errors(state))


def test_last_tile_is_followed_by_the_die_and_the_season_tile():
    state = place_trail(state_without_trail())
    assert sorted(state.sites) == sorted(SITES) and state.tasks[-1] == RollForShutterbug()
    state = TRACKED_GAME.play(state, 1, PlaceShutterbug("2 sun"))
    assert (
        state.tasks[-1] == NameSeasonTile()
        and reminder_texts(TRACKED_GAME, place_trail(state_without_trail()), state, PlaceShutterbug("2 sun")) == []
    )
    state = TRACKED_GAME.play(state, 1, NameTile("spring-water"))
    assert (state.tasks, state.shutterbug, state.tile, TRACKED_GAME.flow.to_move(state)) == (
        (StartHike(),),
        "sun",
        "spring-water",
        (0,),
    )
    entered = replace(ready_setup(*NAMES[:2]), sites=state.sites, shutterbug="sun", tile="spring-water")
    assert state == TRACKED_GAME.initial_state(entered)


def test_season_tile_named_before_is_no_pending_decision():
    state = TRACKED_GAME.play(state_without_trail(), 0, NameTile("spring-sun"))
    assert TRACKED_GAME.play(place_trail(state), 0, PlaceShutterbug("forest")).tasks == (StartHike(),)


def test_second_tap_for_the_same_site_is_refused():
    state = TRACKED_GAME.play(state_without_trail(), 0, LayTile("gear", 1))
    (reason,) = TRACKED_GAME.objections(state, 1, LayTile("die", 1))
    assert (reason.code, reason.text) == ("site-laid", "Site 1 already has the Gear tile. Enter the tile at site 2.")
    (early,) = TRACKED_GAME.objections(state, 1, LayTile("die", 4))
    assert early.text == "Enter the tile at site 2."
    assert TRACKED_GAME.play(state, 1, LayTile("die")).sites[1] == "die"  # As in older logs, which have no site.


def test_setup_values_of_the_last_game_are_offered_again(app: Flask):
    first = open_seated_table(app, "Ana", "Bo", game="parks", phones=1)
    form = first.phone(0).open(f"{first.path}/setup").form("").default_values
    entered = {
        "setup.players.0.tokens.2": "2", "setup.players.1.tokens.2": "2", "setup.players.0.canteen": "trade",
        "setup.gear": "4", "setup.players.0.passion": "Botany", "setup.rulings.backpack": "twelve",
    }  # fmt: skip
    assert first.phone(0).post(f"{first.path}/setup", {**form, **entered}).status_code == 303
    address = (
        first.phone(0).post("/new/parks", {f"names-{n}": name for n, name in enumerate(("Bo", "Ana", "Cy"))}).location
    )
    setup = address.rstrip("/") + "/setup"
    assert first.table.code in first.phone(0).get(setup).text
    page = first.phone(0).open(f"{setup}?as=last")
    assert first.phone(0).post(setup, page.form("").default_values).status_code == 303
    new_setup = app.extensions["waymark"].store.table(address.rstrip("/").rpartition("/")[2]).setup
    assert {player.tokens for player in new_setup.players} == {(0, 0, 2, 0, 0)}
    assert {player.canteen for player in new_setup.players} == {"trade"} and {
        player.passion for player in new_setup.players
    } == {None}
    assert new_setup.gear == 4 and new_setup.rulings["backpack"] == "twelve"
