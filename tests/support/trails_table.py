"""The table of TRAILS that the tests start from, and parameters for tables of cases."""

from collections import Counter

import pytest
from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.kernel.sheet import Sheet
from scoring.trails.box import BADGES, PHOTOS_IN_BOX
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.points import FinalPlayer, FinalPosition
from scoring.trails.rules import RULES
from scoring.trails.state import NO_CARD, EarnBadges, Photo, State
from tests.support import rule_cases
from tests.support.ready_setups import ready_setup

TRACKED_GAME = TRACKED_GAMES["trails"]
NAMES = ("Ana", "Bo", "Cy", "Di")
ALL_NIGHT_SUN = 6  # spaces the Sun has moved when all five sites have turned, with two or three players
FINAL_SUN = 7  # the same, on the last space
# No player can pay these at first.
DEALT_BADGES = ("climber-acorn", "climber-leaf"), ("climber-rock", "photography-rock")

ANA, BO, CY, DI = 0, 1, 2, 3
NO_CARDS = (NO_CARD, NO_CARD)
NO_PHOTO, BIRD, TWO_BIRDS = Photo(0, 0), Photo(1, 1), Photo(0, 2)


def make_state(
    players: int = 2, rulings: dict[str, str] | None = None, *, photo_deck: int | None = None, **changes
) -> State:
    """Return a first game before the first hike: known badges at both ends, unknown hands.

    The trail: 0 Trailhead, 1 exchange, 2 leaf, 3 acorn (the bear is here), 4 photo, 5 rock, 6 Trail End. The last
    player has the photos that are neither in a deck of `photo_deck` cards nor discarded.
    """
    setup = replace(ready_setup(list(NAMES[:players])), rulings=rulings or {})
    trailhead, trail_end = DEALT_BADGES
    state = replace(TRACKED_GAME.initial_state(setup), **{"trailhead": trailhead, "trail_end": trail_end, **changes})
    if photo_deck is not None:
        return with_photos(state, players - 1, *(None,) * (PHOTOS_IN_BOX - photo_deck - state.photo_discard))
    return with_photos(state, 0)


def finished_state(**changes) -> State:
    """Return a table after the last turn of a game: Bo took the Sun, and no one has a photo."""
    return TRACKED_GAME.flow.resolve_forced_steps(
        make_state(is_over=True, tasks=(), sun=FINAL_SUN, sun_holder=BO, turns_left=0, **changes)
    )


def with_photos(state: State, seat: int, *photos: Photo | None) -> State:
    """Return the state with these photos, taken from the deck, added to a player."""
    state = state.with_player(seat, photos=photos)
    taken = sum(len(player.photos) for player in state.players)
    return replace(state, photo_deck=PHOTOS_IN_BOX - state.photo_discard - taken)


def with_badges_earned(state: State, badges_left: int = 0) -> State:
    """Return the state with this many badges left to draw; the last player earned the rest."""
    cards = [*state.visible_badges, *(player.hand for player in state.players)]
    counts = Counter(cards)
    rest = [id for id, badge in BADGES.items() for _ in range(badge.copies - counts[id])]
    last = len(state.players) - 1
    earned = rest[counts[None] + badges_left :]  # Some are cards that no one has named.
    return state.with_player(last, badges=(*state.players[last].badges, *earned))


def validate_state(state: State) -> State:
    """Return the state, after asserting that a player could enter it as a position."""
    assert [str(fault) for fault in TRACKED_GAME.position_format.position_errors(state)] == []
    assert TRACKED_GAME.position_format.from_position(TRACKED_GAME.position_format.to_position(state)) == state
    return state


def objection_codes_and_rules(state: State, move: Move, seat: int = ANA) -> list[tuple[str, str]]:
    """Return the code and the rule of every objection to a move."""
    return [(reason.code, reason.rule.id) for reason in TRACKED_GAME.objections(validate_state(state), seat, move)]


def state_with_hand(badge: str, cubes: tuple[int, int, int], players: int = 2, **changes) -> State:
    """Return Ana at the Trailhead with a hand badge and cubes, and no face-up badges there."""
    state = make_state(players, **{"tasks": (EarnBadges("trailhead"),), "trailhead": NO_CARDS, **changes})
    return state.with_player(ANA, space=0, facing=1, hand=badge, cubes=cubes)


def earn_from_hand(badge: str) -> EarnBadge:
    """Return the move that earns the badge in hand."""
    return EarnBadge(badge, hand=True)


def objection_codes(state: State, move: Move, seat: int = ANA) -> list[str]:
    """Return the code of every objection to a move."""
    return [reason.code for reason in TRACKED_GAME.objections(validate_state(state), seat, move)]


def objection_rules(state: State, move: Move, seat: int = ANA) -> set[str]:
    """Return the id of every rule that forbids a move."""
    return {reason.rule.id for reason in TRACKED_GAME.objections(validate_state(state), seat, move)}


def objection_texts(state: State, move: Move, seat: int = ANA) -> list[str]:
    """Return the text of every objection to a move."""
    return [reason.text for reason in TRACKED_GAME.objections(validate_state(state), seat, move)]


def state_after(state: State, *moves: Move) -> State:
    """Return the state after moves, each by the first player to move."""
    validate_state(state)
    for move in moves:
        state = TRACKED_GAME.play(state, TRACKED_GAME.flow.to_move(state)[0], move)
    return state


def select_fields(state: State, expected: dict, seat: int = ANA) -> dict:
    """Return the fields of the table, and of one player, that a case names."""
    everything = {name: getattr(state, name) for name in state.__struct_fields__}
    everything |= {name: getattr(state.players[seat], name) for name in state.players[seat].__struct_fields__}
    return {name: everything[name] for name in expected}


def case_params(by_rule: dict[str, list[tuple]]) -> list:
    """Return the cases of a table, each named after the rule it is listed under."""
    return rule_cases.case_params(TRACKED_GAME.box, by_rule)


def refusal_params(by_rule: dict[str, list[tuple]]) -> list:
    """Return the cases of a (state, move, refused_by) table, each with the rule to be cited."""
    return [
        pytest.param(state, move, [refused_by], {RULES[rule].id}, id=f"{rule}-{number}-{refused_by}")
        for rule, number, (state, move, refused_by) in rule_cases.iterate_cases(TRACKED_GAME.box, by_rule)
    ]


def sheet(*players: tuple[list[str], list[Photo]], rulings: dict[str, str] | None = None) -> Sheet:
    """Return the score sheet of players given by their badges and photos."""
    finals = (
        FinalPlayer(name, tuple(badges), tuple(photos)) for name, (badges, photos) in zip(NAMES, players, strict=False)
    )
    return TRACKED_GAME.box.score(FinalPosition(tuple(finals), rulings or {}))
