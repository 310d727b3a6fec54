"""What is missing for a refused move is named for each, is enough, and is minimal."""

from typing import Any

import pytest

from companion.pages.judge import DEPENDS_TEXT, OUT_OF_TURN_VERDICT_TEXTS, VERDICT_TEXTS
from scoring.alpine_trails.moves.placing import PlaceCampsite, TakeCamp
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.games import TRACKED_GAMES
from scoring.kernel.counterfactual import Counterfactual, smaller_changes
from scoring.kernel.editable import Change
from scoring.kernel.legality import Explanation, Nearest, TurnSearch, explain, next_turn_state
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from scoring.on_the_trail.moves.run_moves import Run
from scoring.parks.moves.park_actions import VisitPark
from tests.scoring.kernel.test_disputes import disputed_state, read_disputes
from tests.support.invariant_tables import TABLES
from tests.support.invariants import GAMES_TO_PLAY, TableConfig
from tests.support.parks_table import token_counts, with_ana
from tests.support.refused_queries import answer_kind, refused_queries

FAST_TABLES = {
    key: next(table for table in TABLES if table.tracked.key == key and len(table.setup.players) == 2)
    for key in ("trails", "parks", "alpine-trails", "on-the-trail")
}


def is_legal_after(tracked: TrackedGame, state: Any, seat: int, move: Move, changes: tuple[Change, ...]) -> bool:
    """Return whether a move is legal once a correction with the changes is applied."""
    counterfactual = Counterfactual(tracked, state, seat, move)
    return counterfactual.apply_changes(lambda after: tracked.is_legal(after, seat, move), *changes) is not None


def assert_changes(tracked: TrackedGame, step: Nearest, seat: int, move: Move) -> None:
    """Assert that the changes of a step are sufficient and minimal."""
    target = step.alternative if step.changes_are_for_alternative and step.alternative else move
    assert not is_legal_after(tracked, step.state, seat, target, ())
    assert is_legal_after(tracked, step.state, seat, target, step.changes), (move, step.missing_text)
    for smaller in smaller_changes(step.changes):
        assert not is_legal_after(tracked, step.state, seat, target, smaller), (move, step.missing_text, smaller)
    assert step.missing_text


def assert_alternative(tracked: TrackedGame, step: Nearest, seat: int, move: Move) -> None:
    """Assert that the alternative of a step is the first legal one, or that no one is legal."""
    if not step.reasons:
        assert step.is_next_turn and step.alternative is None
        return
    legal = [
        other
        for other in move.alternatives(step.state, seat)
        if other != move and tracked.is_legal(step.state, seat, other)
    ]
    assert (step.alternative, step.alternative_reasons) == (legal[0], ()) if legal else step.alternative not in legal


def assert_nearest(table: TableConfig, answer: Explanation, seat: int, label: str) -> None:
    """Assert that the nearest step of a refused move can be reached, and what is missing there."""
    tracked, step = table.tracked, answer.nearest
    if step is None:
        assert not tracked.flow.to_move(answer.state) and answer.reasons
        return
    reached = next_turn_state(tracked, answer.state, seat) if step.is_next_turn else answer.state
    for move in step.moves:
        reached = tracked.play(reached, seat, move)
    assert reached == step.state and len(step.labels) == len(step.moves)
    assert tuple(tracked.objections(reached, seat, answer.move)) == step.reasons or label
    if step.changes:
        assert_changes(tracked, step, seat, answer.move)
    assert_alternative(tracked, step, seat, answer.move)
    assert step.is_enough or all(reason.rule for reason in step.reasons)


def check_refused_queries(table: TableConfig, seed: str, states: int, queries: int) -> int:
    """Check the answers to the refused moves of a random game, and return how many there are."""
    count = 0
    for query in refused_queries(table, seed, states, queries):
        answer = explain(table.tracked, query.state, query.seat, query.move, query.label)
        count += 1
        if answer.legality in ("no", "unknown"):
            assert_nearest(table, answer, query.seat, query.label)
        assert answer_kind(answer)
    return count


@pytest.mark.parametrize("key", FAST_TABLES)
def test_change_for_a_refused_move_is_sufficient_and_minimal(key):
    assert check_refused_queries(FAST_TABLES[key], f"missing {key}", states=3, queries=2)


@pytest.mark.long("many random games")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name.replace(" ", "-"))
def test_changes_for_all_refused_moves_are_sufficient_and_minimal(table):
    for number in range(max(1, GAMES_TO_PLAY // 240)):  # each answer can try thousands of positions
        check_refused_queries(table, f"missing {table.name} {number}", states=4, queries=6)


def test_missing_tokens_are_named_at_the_nearest_place():
    answer = explain(TRACKED_GAMES["parks"], with_ana(tokens=token_counts(forest=1)), 0, VisitPark("Yellowstone"))
    assert answer.nearest and answer.nearest.place == "the Parks site"
    assert answer.nearest.missing_text == "You lack 2 Sun, 3 Water and 1 Wildlife."


@pytest.mark.parametrize("legality", VERDICT_TEXTS)
@pytest.mark.parametrize("texts", [VERDICT_TEXTS, OUT_OF_TURN_VERDICT_TEXTS])
def test_every_answer_begins_with_yes_or_no(legality, texts):
    assert texts[legality].split()[0].strip(".,") in ("Yes", "No")
    assert DEPENDS_TEXT.startswith("It depends on ")


def disputed_answer(key: str, name: str) -> Explanation:
    """Return the answer to a recorded dispute."""
    dispute = next(dispute for dispute in read_disputes(key)["disputes"] if dispute["name"] == name)
    tracked, seat = TRACKED_GAMES[key], dispute.get("seat", 0)
    return explain(tracked, tracked.view(disputed_state(key, dispute), seat), seat, tracked.decode(dispute["move"]))


@pytest.mark.parametrize(
    "name, label",
    [
        ("a tile apart from the map", "Place a forest terrain tile"),
        ("a tile on another", "Place a forest terrain tile"),
        ("a trail that joins nothing", "Place a straight 2-mile forest trail"),
        ("a terrain side before a trail", "Place a forest terrain tile"),
        ("a waterfall at the end of a trail", "Place a waterfall"),
        ("a campsite where no trail ends", "Place a campsite 3 squares east"),
    ],
)
def test_refused_tile_is_answered_with_the_nearest_square(name, label):
    nearest = disputed_answer("alpine-trails", name).nearest
    assert nearest and nearest.alternative_label.startswith(label) and not nearest.alternative_reasons


@pytest.mark.parametrize(
    "move, missing",
    [
        (PlaceAnimal("bear", 0, -1), "You lack 1 bear. Also needed: a forest terrain tile just north of"),
        (PlaceAnimal("bear", 9, 9), "You lack 1 bear. Also needed: a forest terrain tile just east of"),
        (PlaceCampsite(0, 0), "Needed: a 3-mile trail just "),
        (PlaceCampsite(9, 9), "Needed: a 3-mile trail just "),
    ],
)
def test_move_on_an_empty_map_names_the_missing_tiles(move, missing):
    tracked = TRACKED_GAMES["alpine-trails"]
    state = tracked.initial_state(FAST_TABLES["alpine-trails"].setup)
    for seat in range(2):
        state = tracked.play(state, seat, TakeCamp("forest"))
    nearest = explain(tracked, state, 0, move).nearest
    assert nearest and nearest.missing_text.startswith(missing)
    assert_changes(tracked, nearest, 0, move)


def test_run_with_a_wrong_card_is_answered_with_another_card():
    nearest = disputed_answer("on-the-trail", "a wild as half a pair").nearest
    assert nearest and isinstance(nearest.alternative, Run) and not nearest.alternative_reasons


@pytest.mark.parametrize("key", FAST_TABLES)
def test_turn_search_plays_only_moves_that_come_up(key, monkeypatch):
    played = []
    monkeypatch.setattr(TurnSearch, "_play", lambda search, node, move: played.append(move))
    table = FAST_TABLES[key]
    assert len([*TurnSearch(table.tracked, table.tracked.initial_state(table.setup), 0, max_moves=2)]) == 1
    assert not played


def test_campsite_too_near_names_the_missing_miles():
    nearest = disputed_answer("alpine-trails", "a campsite four miles away").nearest
    assert nearest and any("A campsite needs 6 miles: 2 more." in reason.text for reason in nearest.reasons)


@pytest.mark.parametrize("name", ["two campsites in a round", "a third tile"])
def test_tile_refused_in_this_round_is_possible_in_the_next(name):
    nearest = disputed_answer("alpine-trails", name).nearest
    assert nearest and nearest.is_enough
