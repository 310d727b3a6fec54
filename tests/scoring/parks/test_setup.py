"""PARKS: what a table may be set up with, and what it starts as."""

import msgspec
import pytest
from flask import Flask
from msgspec.structs import replace

from scoring.games import PLAYS
from scoring.kernel.errors import Illegal, Malformed
from scoring.parks.box import IN_BOX, SITES, TILES, HomeMade, HomePark
from scoring.parks.moves.reveals import NameTile
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug, next_site
from scoring.parks.state import AskTile, PlaceBug, PlayerSetup, SetOut, Setup, State
from tests.support.cases import every_row
from tests.support.parks_invariants import tokens_of
from tests.support.parks_table import NAMES, PLAY, have, laid
from tests.support.phones import seated
from tests.support.reminders import by_hand

USUAL = laid(*NAMES[:3])


def plain(setup: Setup) -> dict:
    return msgspec.to_builtins(setup)


def with_ana(**changes) -> Setup:
    return replace(USUAL, players=(replace(USUAL.players[0], **changes), *USUAL.players[1:]))


RIGHT = {
    "as it comes": USUAL,
    "another trail": replace(
        USUAL, sites=("gear", "die", "photo", "wildlife", "parks", "water", "sun", "mountain", "forest")
    ),
    "parks elsewhere": replace(
        USUAL, sites=("parks", "die", "photo", "wildlife", "gear", "water", "sun", "mountain", "forest")
    ),
    "tokens and a canteen": with_ana(tokens=have(1, 2, 3, 4, 5), canteen="parks"),
    "passions": with_ana(passion="Botany"),
    "the tile": replace(USUAL, tile="spring-water"),
    "more cards open": replace(USUAL, parks=5, gear=4),
    "cards of one's own": replace(with_ana(), facts=HomeMade(parks=(HomePark("Garden"),))),
    "rulings": replace(USUAL, rulings={"backpack": "twelve"}),
}
WRONG = [
    (replace(USUAL, players=USUAL.players[:1]), "player-count"),
    (replace(USUAL, players=tuple(map(PlayerSetup, "ABCDEF"))), "player-count"),
    (with_ana(name="bo"), "same-name"),
    (with_ana(name=" Ana"), "name-spaces"),
    (with_ana(name=""), "name"),
    (with_ana(name="x" * 41), "name"),
    (with_ana(tokens=have(sun=21)), "start-tokens"),
    (with_ana(tokens=have(sun=-1)), "start-tokens"),
    (with_ana(passion="Botanic"), "no-such-passion"),
    (
        replace(
            with_ana(passion="Botany"), players=(*with_ana(passion="Botany").players[:1], PlayerSetup("Bo", "Botany"))
        ),
        "passion-taken",
    ),
    (replace(USUAL, sites=USUAL.sites[:8]), "nine-sites"),
    (replace(USUAL, sites=(*USUAL.sites[:8], "forest")), "nine-sites"),
    (replace(USUAL, shutterbug="die"), "no-shutterbug"),
    (replace(USUAL, shutterbug="parks"), "no-shutterbug"),
    (replace(USUAL, tile="summer-gear"), "no-such-tile"),
    (replace(USUAL, tile="spring"), "no-such-tile"),
    (replace(USUAL, parks=0), "displays"),
    (replace(USUAL, gear=9), "displays"),
    (replace(USUAL, facts=HomeMade(parks=(HomePark("Zion"),))), "home-name"),
    (replace(USUAL, rulings={"weather": "none"}), "no-ruling"),
    (replace(USUAL, rulings={"backpack": "ten"}), "no-option"),
]


@every_row("setup", RIGHT.values(), ids=list(RIGHT))
def test_a_table_can_be_set_up_so(setup):
    assert PLAY.read_setup(plain(setup)) == setup
    state = PLAY.begin(setup)
    assert tuple(tokens_of(state)) == IN_BOX
    assert PLAY.to_move(state) == (0,)


@every_row("setup, code", WRONG, ids=[f"{code}-{number}" for number, (_, code) in enumerate(WRONG)])
def test_a_table_cannot_be_set_up_so(setup, code):
    with pytest.raises(Illegal) as refused:
        PLAY.read_setup(plain(setup))
    assert code in [reason.code for reason in refused.value.reasons]
    for reason in refused.value.reasons:
        assert reason.text[-1] in ".?" and PLAY.box.rules[reason.rule.id] is reason.rule


@every_row("data", [{}, [], {**plain(USUAL), "seed": 1}, {**plain(USUAL), "shutterbug": "sea"}])
def test_what_is_no_setup_is_malformed(data):
    with pytest.raises(Malformed):
        PLAY.read_setup(data)


def test_a_table_starts_with_what_was_said():
    setup = replace(
        with_ana(tokens=have(1, 2, 3, 4, 5), canteen="parks", passion="Botany"), tile="spring-sun", parks=4, gear=2
    )
    state = PLAY.begin(setup)
    assert state.players[0].tokens == have(1, 2, 3, 4, 5) and state.players[0].canteens == (("parks",), (), ())
    assert state.players[0].passion == "Botany" and state.players[1].tokens == have()
    assert (state.parks, state.market, state.canteens) == ((None,) * 4, (None,) * 2, (None,) * 3)
    assert (state.tile, state.shutterbug, state.first_hiker, state.turn, state.season) == (
        "spring-sun",
        "forest",
        0,
        0,
        0,
    )


def test_the_usual_set_up_has_the_parks_site_in_the_middle():
    assert USUAL.sites.index("parks") == 4 and len(USUAL.sites) == 9


# Just score


@pytest.mark.parametrize(
    "players, code",
    [(("Ana",), "player-count"), (("Ana", "ana"), "same-name"), (("Ana", ""), "name")],
)
def test_a_tally_has_the_same_players(players, code):
    with pytest.raises(Illegal) as refused:
        PLAYS["parks-tally"].read_setup({"players": players})
    assert refused.value.reasons[0].code == code


# The Trail is laid as the first thing that is played.


def begun() -> State:
    return PLAY.begin(PLAY.usual(list(NAMES[:2])))


def laid_by_hand(state: State) -> State:
    for number, tile in enumerate(TILES[:-1]):
        state = PLAY.play(state, number % 2, LayTile(tile, next_site(state)))
    return state


def test_a_table_nobody_has_told_of_its_trail_begins_with_laying_it():
    state = begun()
    assert state.sites.count(None) == 8 and state.sites.index("parks") == 4 and state.shutterbug is None
    assert PLAY.to_move(state) == (0, 1) and not list(PLAY.lying.faults(state))


def test_the_last_tile_the_die_and_the_season_tile_follow():
    state = laid_by_hand(begun())
    assert sorted(state.sites) == sorted(SITES) and state.tasks[-1] == PlaceBug()
    state = PLAY.play(state, 1, PlaceShutterbug("2 sun"))
    assert state.tasks[-1] == AskTile() and by_hand(PLAY, laid_by_hand(begun()), state, PlaceShutterbug("2 sun")) == []
    state = PLAY.play(state, 1, NameTile("spring-water"))
    assert (state.tasks, state.shutterbug, state.tile, PLAY.to_move(state)) == (
        (SetOut(),),
        "sun",
        "spring-water",
        (0,),
    )
    told = replace(laid(*NAMES[:2]), sites=state.sites, shutterbug="sun", tile="spring-water")
    assert state == PLAY.begin(told)


def test_a_season_tile_that_is_named_before_is_not_asked_for():
    state = PLAY.play(begun(), 0, NameTile("spring-sun"))
    assert PLAY.play(laid_by_hand(state), 0, PlaceShutterbug("forest")).tasks == (SetOut(),)


def test_a_second_tap_for_the_same_site_is_refused_and_taken_for_no_other():
    state = PLAY.play(begun(), 0, LayTile("gear", 1))
    (reason,) = PLAY.objections(state, 1, LayTile("die", 1))
    assert (reason.code, reason.text) == ("site-laid", "Site 1 has its tile: Gear. Site 2 is next.")
    (early,) = PLAY.objections(state, 1, LayTile("die", 4))
    assert early.text == "Site 2 is next."
    assert PLAY.play(state, 1, LayTile("die")).sites[1] == "die"  # as in logs of before, which name no site


def test_what_a_house_plays_alike_is_offered_as_last_time(app: Flask):
    first = seated(app, "Ana", "Bo", game="parks", phones=1)
    form = first.phone(0).open(f"{first.path}/setup").form("").untouched
    told = {
        "setup.players.0.tokens.2": "2", "setup.players.1.tokens.2": "2", "setup.players.0.canteen": "trade",
        "setup.gear": "4", "setup.players.0.passion": "Botany", "setup.rulings.backpack": "twelve",
    }  # fmt: skip
    assert first.phone(0).post(f"{first.path}/setup", {**form, **told}).status_code == 303
    address = (
        first.phone(0).post("/new/parks", {f"names-{n}": name for n, name in enumerate(("Bo", "Ana", "Cy"))}).location
    )
    setup = address.rstrip("/") + "/setup"
    assert first.table.code in first.phone(0).get(setup).text
    page = first.phone(0).open(f"{setup}?as=last")
    assert first.phone(0).post(setup, page.form("").untouched).status_code == 303
    now = app.extensions["waymark"].store.table(address.rstrip("/").rpartition("/")[2]).setup
    assert {player.tokens for player in now.players} == {(0, 0, 2, 0, 0)}
    assert {player.canteen for player in now.players} == {"trade"} and {player.passion for player in now.players} == {
        None
    }
    assert now.gear == 4 and now.rulings["backpack"] == "twelve"
