"""The table of PARKS that the tests start from, and parameters for tables of cases."""

import pytest
from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.parks.box import GEAR, PARKS, TOKENS_IN_BOX
from scoring.parks.position import DEFAULT_SITES, PlayerPosition, Position
from scoring.parks.rules import RULES
from scoring.parks.state import Setup, State, Task
from tests.support import rule_cases

TRACKED_GAME = TRACKED_GAMES["parks"]
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed")
ANA, BO, CY, DI, ED = range(5)

# The index of each site if the trail is in the order of the rulebook's list, as in the tests.
FOREST, MOUNTAIN, SUN, WATER, PARKS_SITE, WILDLIFE, PHOTO, DIE, GEAR_SITE = range(1, 10)
END_PARKS, END_PHOTO, END_GEAR = 10, 11, 12
SPACE = {
    "forest": FOREST,
    "mountain": MOUNTAIN,
    "sun": SUN,
    "water": WATER,
    "parks": PARKS_SITE,
    "wildlife": WILDLIFE,
    "photo": PHOTO,
    "die": DIE,
    "gear": GEAR_SITE,
}
NO_WEATHER = ("",) * 9
OPEN_PARKS = ("Zion", "Redwood", "Yellowstone")  # costs: 3 mountain; 1 mountain, 4 forest; 2 sun, 3 water, 1 wildlife
MARKET = ("binoculars-reserve", "journal-water", "field-guide-forest")  # costs: 2, 1 and 3 suns


def token_counts(
    forest: int = 0, mountain: int = 0, sun: int = 0, water: int = 0, wildlife: int = 0
) -> tuple[int, ...]:
    return (forest, mountain, sun, water, wildlife)


def ready_setup(*names: str) -> Setup:
    """Return a setup with the trail tiles in the order of the rulebook's list."""
    return replace(TRACKED_GAME.setup_format.default(list(names)), sites=DEFAULT_SITES, shutterbug=DEFAULT_SITES[0])


def make_state(
    players: int = 2, rulings: dict[str, str] | None = None, *, allow_errors: bool = False, **changes
) -> State:
    """Return a first turn without weather, with known face-up cards and a distant Shutterbug.

    The trail: 1 forest, 2 mountain, 3 sun, 4 water, 5 parks, 6 wildlife, 7 photo, 8 die, 9 gear.
    """
    lying = Position(
        players=tuple(PlayerPosition(name, campfire=players > 3) for name in NAMES[:players]),
        weather=("none",) * 9,
        parks=OPEN_PARKS,
        market=MARKET,
        shutterbug="mountain",
        tile="spring-sun",
        rulings=rulings or {},
    )
    return with_changes(TRACKED_GAME.position_format.from_position(lying), allow_errors=allow_errors, **changes)


def with_changes(state: State, seat: int | None = None, *, allow_errors: bool = False, **changes) -> State:
    """Return the state with changed fields of the table, or of one player if `seat` is given.

    It is read from the position document, so derived values such as the trays are computed again. An impossible
    position is accepted only with `allow_errors`.
    """
    state = replace(state, **changes) if seat is None else state.with_player(seat, **changes)
    state = TRACKED_GAME.position_format.from_position(TRACKED_GAME.position_format.to_position(state))
    faults = [str(reason) for reason in TRACKED_GAME.position_format.position_errors(state)]
    assert allow_errors or not faults, faults
    return state


def finished_state(players: int = 2, **changes) -> State:
    """Return a table at the end of a game: all hikers at Trail End, nothing left to do."""
    state = make_state(players)
    for seat in range(players):
        state = with_changes(state, seat, hikers=(END_PHOTO, END_GEAR))
    return with_changes(state, **{"season": 2, "tile": "fall-sun", "tasks": (), "is_over": True, **changes})


def with_supply_left(tray: tuple[int, ...], state: State) -> State:
    """Return a table with these tokens left in the trays; Bo has the rest."""
    return with_changes(
        state, BO, tokens=tuple(have - in_tray for have, in_tray in zip(TOKENS_IN_BOX, tray, strict=True))
    )


def with_ana(state: State | None = None, **changes) -> State:
    """Return the state with changed fields of Ana."""
    return with_changes(state or make_state(), ANA, **changes)


def with_tasks(*tasks: Task, state: State | None = None, **changes) -> State:
    """Return a state where Ana has tasks to do, as if she had hiked."""
    anyhow = changes.pop("allow_errors", False)
    state = with_ana(state, **{"hikers": (0, 1), "allow_errors": anyhow, **changes})
    return with_changes(state, tasks=tasks, allow_errors=anyhow)


def find_park(**changes) -> str:
    """Return the name of a park with these properties: a token in its cost, or an instant bonus."""
    expected = changes.get("shows"), changes.get("instant")
    return next(
        name
        for name, card in PARKS.items()
        if (expected[0] is None or card.has_icon(expected[0])) and (expected[1] is None or card.instant == expected[1])
    )


def find_gear(name: str, when: str) -> str:
    return next(id for id, card in GEAR.items() if card.name == name and card.when == when)


def objection_codes(state: State, move: Move, seat: int = ANA) -> list[str]:
    """Return the code of every objection to a move."""
    return [reason.code for reason in TRACKED_GAME.objections(state, seat, move)]


def objection_rules(state: State, move: Move, seat: int = ANA) -> set[str]:
    """Return the id of every rule that forbids a move."""
    return {rule.id for reason in TRACKED_GAME.objections(state, seat, move) for rule in reason.rules}


def objection_texts(state: State, move: Move, seat: int = ANA) -> list[str]:
    """Return the text of every objection to a move."""
    return [reason.text for reason in TRACKED_GAME.objections(state, seat, move)]


def state_after(state: State, *moves: Move) -> State:
    """Return the state after moves, each by the first player to move."""
    state = TRACKED_GAME.flow.resolve_forced_steps(state)
    for move in moves:
        state = TRACKED_GAME.play(state, TRACKED_GAME.flow.to_move(state)[0], move)
    return state


def select_fields(state: State, expected: dict, seat: int = ANA) -> dict:
    """Return the fields of the table, and of one player, that a case names."""
    everything = {name: getattr(state, name) for name in state.__struct_fields__}
    everything |= {name: getattr(state.players[seat], name) for name in state.players[seat].__struct_fields__}
    return {name: everything[name] for name in expected}


def legal_moves(state: State, kind: type[Move], seat: int = ANA) -> list[Move]:
    """Return the legal moves of a kind."""
    return [offer.move for offer in TRACKED_GAME.offers(state, seat, (kind,)) if offer.is_legal]


def case_params(by_rule: dict[str, list[tuple]]) -> list:
    """Return the cases of a table, each named after the rule it is listed under."""
    return rule_cases.case_params(TRACKED_GAME.box, by_rule)


def refusal_params(by_rule: dict[str, list[tuple]]) -> list:
    """Return the cases of a (state, move, refused_by) table, each with the rule to be cited."""
    return [
        pytest.param(state, move, [refused_by], {RULES[rule].id}, id=f"{rule}-{number}-{refused_by}")
        for rule, number, (state, move, refused_by) in rule_cases.iterate_cases(TRACKED_GAME.box, by_rule)
    ]
