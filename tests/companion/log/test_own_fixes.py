"""Tests of corrections without consent, because they concern only the player who makes them."""

import random

import pytest
from msgspec.structs import asdict, replace

from companion.log.changes import Prepared
from companion.log.consent import concerns_only_own_things, required_approvals
from companion.log.entries import AccountClaimed, LogRewritten, Played
from companion.log.plans import Insert, RepairPlan
from companion.log.preview import Simulation, simulate
from companion.log.replay import replay
from companion.log.table import Table, to_data
from scoring.games import TRACKED_GAMES
from scoring.kernel.edit_position import EditPosition
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from scoring.on_the_trail.box import BOOSTS
from scoring.trails.moves.hiking import Exchange, Hike, RollWildlife, Skip
from tests.companion.log.test_repair import other_move
from tests.support.alpine_trails_table import make_state
from tests.support.invariants import GAMES_TO_PLAY, SEED
from tests.support.log_builder import LogBuilder, build_seated_log
from tests.support.parametrize import run_all_rows
from tests.support.player_names import NAMES
from tests.support.random_games import random_change, random_game

SUPPLIES = {"tray"}  # what the box has left follows from what the players have
ALONE: tuple[int, ...] = ()
OTHERS = (1, 2)  # the seats that Ana asks if a change concerns all


def by(path: str, number: int) -> dict:
    return {"type": "by", "at": path, "by": number}


def into(path: str, old: str, new: str) -> dict:
    return {"type": "into", "at": path, "was": old, "now": new}


def more(path: str, *keys: str) -> dict:
    return {"type": "but", "at": path, "more": keys}


def edit(*changes: dict) -> dict:
    return {"type": "set-right", "changes": changes}


def tile(player: int, **fields) -> dict:
    return {"type": "correct-tile", "player": player, "x": 2, "y": 0, **fields}


BOOST = next(iter(BOOSTS))
STRAIGHT = {"kind": "trail", "terrain": "forest", "exits": "EW", "miles": 1, "icons": 1}
# game, what Ana corrects, whom she must ask by the default setting
CASES: list[tuple[str, dict, tuple[int, ...]]] = [
    ("trails", edit(by("players.0.leaf", 2)), ALONE),
    ("trails", edit(by("players.0.leaf", -1), by("players.0.rock", 1)), ALONE),
    ("trails", edit(into("players.0.canteen", "full", "empty")), ALONE),
    ("trails", edit(into("players.0.at", "trailhead", "acorn")), ALONE),
    ("trails", edit(by("players.1.leaf", 2)), (1,)),
    ("trails", edit(by("players.0.leaf", -1), by("players.2.leaf", 1)), (2,)),
    ("trails", edit(more("players.0.badges", "science")), OTHERS),
    ("trails", edit(by("players.0.photos", 1)), OTHERS),
    ("trails", edit(into("bear", "acorn", "rock")), OTHERS),
    ("trails", edit(into("turn", "0", "1")), OTHERS),
    ("trails", edit(by("players.0.leaf", 1), into("bear", "acorn", "rock")), OTHERS),
    ("trails", {"type": "adopt", "ruling": "zero-birds", "option": "everyone"}, OTHERS),
    ("parks", edit(by("players.0.sun", 2)), ALONE),
    ("parks", edit(into("players.0.campfire", "out", "burning")), ALONE),
    ("parks", edit(by("players.0.photos", 1)), ALONE),
    ("parks", edit(into("players.0.hikers.1", "trailhead", "site 2")), OTHERS),
    ("parks", edit(more("players.0.gear", "journal-sun")), OTHERS),
    ("parks", edit(more("players.0.visited", "Zion")), OTHERS),
    ("parks", edit(by("players.1.sun", 1)), (1,)),
    ("alpine-trails", tile(0, **STRAIGHT), ALONE),
    ("alpine-trails", tile(0, kind="terrain", terrain="meadow", icons=2), ALONE),
    ("alpine-trails", edit(by("players.0.played", 1)), ALONE),
    ("alpine-trails", tile(0, **{**STRAIGHT, "exits": "NEW"}), OTHERS),  # a fork, which offers others an animal
    ("alpine-trails", edit(more("players.0.kept", "wolf")), OTHERS),
    ("alpine-trails", edit(by("players.0.waterfalls", 1)), OTHERS),
    ("alpine-trails", tile(1, **STRAIGHT), (1,)),
    ("on-the-trail", edit(by("runners.0.held", -1)), ALONE),
    ("on-the-trail", edit(more("runners.0.boosts", BOOST)), (1,)),
    ("on-the-trail", edit(more("runners.0.setbacks", "cramps")), (1,)),
    ("on-the-trail", edit(by("runners.1.held", -1)), (1,)),
]


def seated_log(game: str, *names: str) -> LogBuilder:
    """Return a table with the default consent setting where each player has a phone.

    In ALPINE TRAILS each player also has a map.
    """
    builder = build_seated_log(*names, game=game)
    state = make_state(len(names)) if game == "alpine-trails" else builder.table.initial_state
    builder.table = replace(builder.table, consent="concerned", initial_state=state)
    return builder


def simulate_move(table: Table, seat: int, data: dict) -> Simulation:
    return simulate(table, table.seats[seat], seat, Played(data), Prepared(table.tracked.decode(data)))


@run_all_rows(("game", "move", "asked_seats"), CASES)
def test_correction_asks_no_one_if_it_concerns_only_its_player(game: str, move: dict, asked_seats: tuple[int, ...]):
    table = seated_log(game, *("Ana", "Bo", "Cy")[: max(TRACKED_GAMES[game].box.player_counts)]).table
    preview = simulate_move(table, 0, move).preview
    assert required_approvals(table, table.seats[0], preview) == (asked_seats, 0)
    for consent in ("everybody", "most"):
        strict = replace(table, consent=consent)
        assert required_approvals(strict, table.seats[0], preview)[0] == table.other_seats(table.seats[0])
    ended = replace(table, was_over=True)
    assert required_approvals(ended, table.seats[0], preview) == (table.other_seats(table.seats[0]), 0)


# Repairs of a game of TRAILS, in which Ana, Bo and Cy have hiked: the steps by their player and place in the turn.


def hike_log() -> LogBuilder:
    """Return a table where all three hiked to the leaf site, and Ana hiked on to the photo site."""
    builder = seated_log("trails", "Ana", "Bo", "Cy")
    for seat in range(3):
        builder.play(seat, Hike(2))
    builder.play(0, Hike(2), Skip())
    return builder


def simulate_repair(table: Table, seat: int, plan: RepairPlan) -> Simulation:
    outcome = replay(table, plan, seat)
    assert outcome.is_complete and not outcome.changes_nothing
    return simulate(table, table.seats[seat], seat, outcome.rewrite, Prepared(steps=outcome.steps))


def can_repair_alone(table: Table, seat: int, plan: RepairPlan) -> bool:
    return required_approvals(table, table.seats[seat], simulate_repair(table, seat, plan).preview) == (ALONE, 0)


def replacement(step: str, seat: int, *moves: Move) -> RepairPlan:
    return RepairPlan(step, 1, tuple(Insert(seat, to_data(move)) for move in moves))


def test_own_earlier_move_is_repaired_alone_if_later_moves_of_others_stay():
    table = hike_log().table
    first_hike = table.steps[1].id  # Bo's; Cy and Ana have hiked since
    assert can_repair_alone(table, 1, replacement(first_hike, 1, Hike(2, canteen=True)))
    assert can_repair_alone(table, 1, replacement(first_hike, 1, Hike(1), Exchange("acorn", "leaf")))
    assert not can_repair_alone(table, 0, replacement(first_hike, 1, Hike(2, canteen=True)))  # a move of another player


def test_repair_that_moves_the_bear_is_not_made_alone():
    table = hike_log().table
    to_bear = replacement(table.steps[1].id, 1, Hike(3, canteen=True), RollWildlife("rock", "rock"))
    assert not can_repair_alone(table, 1, to_bear)


def test_own_correction_is_undone_alone_unless_others_agreed_to_it():
    alone, agreed = hike_log(), hike_log()
    leaf = Played(edit(by("players.0.leaf", 1)))
    alone.add_entry(alone.table.seats[0], leaf, 0)
    assert can_repair_alone(alone.table, 0, RepairPlan(alone.table.steps[-1].id, 1))
    number = agreed.propose(0, leaf)
    for seat in OTHERS:
        agreed.agree(seat, number)
    assert not can_repair_alone(agreed.table, 0, RepairPlan(agreed.table.steps[-1].id, 1))


def test_step_that_others_agreed_to_remove_is_not_restored_alone():
    builder = hike_log()
    plan = replacement(builder.table.steps[1].id, 1, Hike(2, canteen=True))
    number = builder.propose(1, replay(builder.table, plan, 1).rewrite)
    for seat in (0, 2):
        builder.agree(seat, number)
    back = replacement(builder.table.steps[1].id, 1, Hike(2))
    assert builder.table.repairs and not can_repair_alone(builder.table, 1, back)


def test_nothing_is_fixed_alone_while_the_players_disagree():
    builder = hike_log()
    plan = replacement(builder.table.steps[1].id, 1, Hike(2, canteen=True))
    other_version = replacement(builder.table.steps[2].id, 2, Hike(2, canteen=True))
    builder.add_entry(builder.table.seats[2], AccountClaimed(other_version.encode()), 2)
    assert not can_repair_alone(builder.table, 1, plan)
    builder.add_entry(builder.table.seats[2], AccountClaimed(), 2)
    assert can_repair_alone(builder.table, 1, plan)


def test_phone_with_two_seats_fixes_both_alone():
    builder = LogBuilder("Ana", "Bo", "Cy").sit("one phone", "one phone", "another")
    table = replace(builder.table, consent="concerned")
    preview = simulate_move(table, 0, edit(by("players.0.leaf", 1), by("players.1.leaf", 1))).preview
    assert required_approvals(table, "one phone", preview) == (ALONE, 0)


# Random games


@pytest.mark.slow("random games of every title")
@pytest.mark.parametrize("game", [key for key, tracked in TRACKED_GAMES.items() if tracked.position_format])
def test_fix_without_consent_changes_nothing_of_others(game: str):
    rng = random.Random(f"{SEED} {game}")
    assert sum(count_own_fixes(TRACKED_GAMES[game], rng) for _ in range(max(2, GAMES_TO_PLAY // 50)))


def count_own_fixes(tracked: TrackedGame, rng: random.Random) -> int:
    """Return how many random fixes in a random game needed no consent.

    Assert that these concern no one else.
    """
    names = NAMES[: rng.choice([count for count in tracked.box.player_counts if count > 1])]
    builder = build_seated_log(*names, game=tracked.key)
    record: list[tuple[int, Move]] = []
    random_game(tracked, builder.table.setup, rng, record, out_of_turn_chance=0.1)
    fixed = 0
    for position, (seat, move) in enumerate(record[:150]):
        builder.play(seat, move)
        table = replace(builder.table, consent="concerned")
        if position % 4 == 0 and not table.was_over:
            author = rng.randrange(len(table.seats))
            for simulation in (random_own_edit(table, author, rng), random_own_repair(table, author, rng)):
                if simulation and concerns_only_own_things(table, table.seats[author], simulation.preview):
                    assert_nothing_of_others_changed(table, simulation.table, author)
                    fixed += 1
    return fixed


def random_own_edit(table: Table, seat: int, rng: random.Random) -> Simulation | None:
    """Return the result of a random legal correction of a player's own fields, or None."""
    tracked = table.tracked
    (kind,) = (kind for kind in tracked.moves if issubclass(kind, EditPosition))
    fields = [
        field
        for field in tracked.position_format.editable_fields(table.public_view)
        if field.seat == seat and not field.is_read_only
    ]
    changes = [random_change(field, rng) for field in rng.sample(fields, min(len(fields), rng.choice((1, 2))))]
    move = kind(tuple(change for change in changes if change))
    return None if [*tracked.objections(table.state, seat, move)] else simulate_move(table, seat, to_data(move))


def random_own_repair(table: Table, seat: int, rng: random.Random) -> Simulation | None:
    """Return the result of another move in place of a player's step, if later steps stay legal."""
    own_steps = [step for step in table.steps if step.seat == seat]
    if not own_steps:
        return None
    step = rng.choice(own_steps)
    move = other_move(table.tracked, step.before, seat, rng, step.move)
    if move is None or move.needs_consent:
        return None
    outcome = replay(table, replacement(step.id, seat, move), seat)
    if not outcome.is_complete or outcome.rewrite == LogRewritten():
        return None
    return simulate(table, table.seats[seat], seat, outcome.rewrite, Prepared(steps=outcome.steps))


def assert_nothing_of_others_changed(old: Table, new: Table, author: int) -> None:
    """Assert that only the author's things, points and steps differ."""
    tracked: TrackedGame = old.tracked
    own = {"players": (*new.state.players[:author], old.state.players[author], *new.state.players[author + 1 :])}
    shared, old_shared = asdict(new.state) | own, asdict(old.state)
    assert {name for name, value in shared.items() if value != old_shared[name]} <= SUPPLIES
    to_move, old_to_move = ({*tracked.flow.to_move(table.state)} - {author} for table in (new, old))
    assert to_move == old_to_move
    for seat, (old_column, new_column) in enumerate(
        zip(old.public_sheet.columns, new.public_sheet.columns, strict=True)
    ):
        assert seat == author or old_column.total == new_column.total
    old_steps, new_steps = (
        [(step.id, step.move, step.text) for step in table.steps if step.seat != author] for table in (old, new)
    )
    assert new_steps == old_steps
