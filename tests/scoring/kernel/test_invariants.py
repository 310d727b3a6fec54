"""Invariants of every game on random games: no one is stuck, no secret leaks, totals add up.

WAYMARK_GAMES=10000 plays that many games of each kind, spread over its tables; WAYMARK_SEED=2 plays others.
A failure names the seed of its game, and `_play_random_game(table, seed)` is that game again.
"""

import functools
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise, product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from scoring.alpine_trails.light_tracking import Note
from scoring.document import sheet_data
from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.editable import OneOf, SomeOf, compare_fields
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.move import Correction, Move
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import Offer, TrackedGame
from tests.support.invariant_tables import TABLE_COUNTS, TABLES, for_every_table, invariants_module, seeded_rng
from tests.support.invariants import GAMES_TO_PLAY, IS_THOROUGH, TableConfig
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.random_games import possible_offers, random_game

pytestmark = pytest.mark.timeout(10 * GAMES_TO_PLAY + 240)

OUT_OF_TURN_CHANCE = 0.15
# Every STRIDE-th step is checked for all moves that any seat could make there.
STRIDE = 1 if IS_THOROUGH else 3
# One of this many games is checked at every step, and at some steps for all moves.
FULL_CHECK_INTERVAL = 24


@dataclass
class PlayedGame:
    """Random game at a table: its log, its states, and the steps that are checked in full."""

    table: TableConfig
    rng: random.Random
    log: list[tuple[int, Move]]
    states: list[Any]

    @property
    def tracked(self) -> TrackedGame:
        return self.table.tracked

    @functools.cached_property
    def checked_steps(self) -> list[int]:
        """Return the numbers of one step for each kind of move, and of the end."""
        steps: dict[type[Move], list[int]] = defaultdict(list)
        for number, (_, move) in enumerate(self.log):
            steps[type(move)].append(number)
        return sorted({len(self.log), *(self.rng.choice(numbers) for numbers in steps.values())})


def _play_random_game(table: TableConfig, seed: str) -> PlayedGame:
    """Return a random game; its first state is that before the first move."""
    rng, log = random.Random(seed), list[tuple[int, Move]]()
    last = random_game(table.tracked, table.setup, rng, log, out_of_turn_chance=OUT_OF_TURN_CHANCE)
    states = [table.tracked.initial_state(table.setup)]
    for seat, move in log:
        states.append(table.tracked.play(states[-1], seat, move))
    assert states[-1] == last, "the same log came to another end"
    return PlayedGame(table, rng, log, states)


def test_invariants_cover_every_game_with_every_number_of_players():
    covered = {(table.tracked.key, len(table.setup.players)) for table in TABLES}
    expected = {(tracked.key, seats) for tracked in TRACKED_GAMES.values() for seats in tracked.box.player_counts}
    assert covered == expected, (
        f"Tables are missing or unknown: {sorted(covered ^ expected)}. "
        "Add them to TABLES in tests/support/<folder>_invariants.py, from `default_setups`."
    )


@run_all_rows("game", [game for game in GAMES.values() if game.tracked], ids=lambda game: game.box.key)
def test_game_with_turns_has_invariants_of_its_own(game):
    module = invariants_module(game)
    assert find_spec(module), (
        f"{game.box.title} has turns, but no module with its invariants. Write {module.replace('.', '/')}.py: TABLES, "
        "with a function that counts the pieces and one that changes a secret, as in tests/support/ford_invariants.py."
    )


def check_end_and_totals(game: PlayedGame) -> None:
    game.table.assert_adds_up(game.states)
    _check_sheet(game.tracked, game.states[-1])
    for (_, move), before in zip(game.log, game.states, strict=False):
        _check_round_trip(game.tracked, before, move)


def _check_round_trip(tracked: TrackedGame, state: Any, move: Move) -> None:
    """Assert that a state survives JSON, and a move survives JSON and the fields of a form."""
    assert msgspec.json.decode(msgspec.json.encode(state), type=type(state)) == state
    fields = msgspec.json.decode(msgspec.json.encode(move))
    assert tracked.decode(fields) == move
    nothing_typed = any(value is None or isinstance(value, list) for value in fields.values())
    assert nothing_typed or tracked.decode(_form_fields(fields), strict=False) == move


def _form_fields(fields: dict[str, Any]) -> dict[str, str]:
    """Return the fields of a move as a form sends them; a form cannot send null."""
    return {
        name: value if isinstance(value, str) else msgspec.json.encode(value).decode() for name, value in fields.items()
    }


def _check_sheet(tracked: TrackedGame, state: Any) -> None:
    """Assert that an explained sheet adds up and ranks its players."""
    sheet = tracked.box.score(tracked.final_position(state))
    data = sheet_data(sheet)
    assert len(data["players"]) == len(state.players)
    categories = [id for id, _ in tracked.box.categories]
    for player, column in zip(data["players"], sheet.columns, strict=True):
        assert player["total"] == sum(line["points"] for line in player["lines"]) == sum(player["categories"].values())
        assert list(player["categories"]) == categories
        for line in column.lines:
            assert line.category in categories
            assert line.label and line.because
            assert line.rules and all(tracked.box.rules[rule.id] is rule for rule in line.rules)
        assert column.winner == (column.rank == 1 and bool(sheet.winners))
        better = [better_column for better_column in sheet.columns if better_column.rank < column.rank]
        assert column.rank == 1 + len(better)
        assert all(better_column.total >= column.total for better_column in better)
    assert sheet.result_text.endswith(".")
    assert sheet.decided_by in ("points", "shared", *(tie_break.id for tie_break in sheet.tie_breaks))


def check_undo_to_any_step(game: PlayedGame) -> None:
    for step in game.checked_steps:
        assert game.tracked.replay(game.table.setup, game.log[:step]) == game.states[step]


def check_offers(game: PlayedGame) -> None:
    for step in game.checked_steps[::STRIDE]:
        for seat in range(len(game.states[step].players)):
            _check_offers(game.tracked, game.states[step], seat)


@pytest.mark.slow("random games at every table")
@parametrize_cases("tracked", TRACKED_GAMES.values(), ids=lambda tracked: tracked.key)
def test_every_offered_kind_of_move_is_legal_in_some_game(tracked):
    """Moves that people type, and notes, are no candidates; `check_made_up_moves` tests them."""
    not_offered = (Move.candidates.__func__, Note.candidates.__func__)
    expected = {kind for kind in tracked.moves if kind.candidates.__func__ not in not_offered}
    for number, table in product(range(20), [table for table in TABLES if table.tracked is tracked]):
        if not expected:
            break
        game = _play_random_game(table, f"1 {table.name} {number}")
        for step, kind in product(game.checked_steps, list(expected)):
            for seat in range(len(game.states[step].players)):
                if any(offer.is_legal for offer in possible_offers(tracked, game.states[step], seat, (kind,))):
                    expected.discard(kind)
    assert expected == set()


def _check_offers(tracked: TrackedGame, state: Any, seat: int) -> None:
    found = possible_offers(tracked, state, seat)
    assert len({offer.move for offer in found}) == len(found), "offered twice"
    for offer in found:
        assert offer.is_legal == tracked.is_legal(state, seat, offer.move)
        if offer.is_legal:
            assert tracked.log_sentence(state, tracked.play(state, seat, offer.move), seat, offer.move)
        else:
            _check_refused(tracked, state, seat, offer.move, offer.reasons)
            _check_cited_rules(offer)
        label = offer.move.label(state, seat)
        assert label.text and label.icon
    assert seat not in tracked.flow.to_move(state) or any(offer.is_legal for offer in found), "stuck"


def _check_cited_rules(offer: Offer) -> None:
    """Assert that a move names the rules its objections cite, except for corrections."""
    cited = {reason.rule for reason in offer.reasons}
    assert isinstance(offer.move, Correction) or cited <= set(offer.move.rules), offer


def _check_refused(tracked: TrackedGame, state: Any, seat: int, move: Move, reasons: tuple[Reason, ...]) -> None:
    """Assert that a refusal has full sentences, codes and rules, and that play() raises it."""
    for reason in reasons:
        assert reason.code and reason.code == reason.code.lower()
        assert tracked.box.rules[reason.rule.id] is reason.rule
        assert not reason.text[0].islower() and reason.text[-1] in ".?", reason.text
        assert "!" not in reason.text and "None" not in reason.text.removeprefix("None of "), reason.text
    with pytest.raises(IllegalMoveError) as refused:
        tracked.play(state, seat, move)
    assert refused.value.reasons == list(reasons)


def check_made_up_moves(game: PlayedGame) -> None:
    rng, texts = game.rng, _move_texts(game.tracked, game.states)
    for state in game.states:
        for kind in rng.sample(game.tracked.moves, min(5, len(game.tracked.moves))):
            seat = rng.randrange(len(state.players))
            _check_made_up(game.table, state, seat, _random_value_of(kind, rng, texts))


def _check_made_up(table: TableConfig, state: Any, seat: int, move: Move) -> None:
    reasons = tuple(table.tracked.objections(state, seat, move))
    if reasons:
        _check_refused(table.tracked, state, seat, move, reasons)
    else:
        offered = (
            move.out_of_turn
            or move.built_in_steps
            or table.normalize_move(state, move) in table.tracked.candidates(state, seat)
        )
        assert offered, "legal, but not offered"
        after = table.tracked.play(state, seat, move)
        _check_round_trip(table.tracked, after, move)
        assert table.tracked.log_sentence(state, after, seat, move)


def _move_texts(tracked: TrackedGame, states: list[Any]) -> list[str]:
    """Return texts that occur in moves of a game, and some that do not."""
    found = [offer for state in states[::40] for offer in possible_offers(tracked, state, 0)]
    known = {word for offer in found for word in msgspec.to_builtins(offer.move).values() if isinstance(word, str)}
    return [*sorted(known), "", "nothing of the kind", "caf\u00e9 \u201cx\u201d"]


def _random_value_of(kind: Any, rng: random.Random, texts: list[str]) -> Any:
    """Return a move with fields of the right types, which may make no sense."""
    hints = get_type_hints(kind)
    return kind(**{name: _random_field_value(hints[name], rng, texts) for name in kind.__struct_fields__})


def _random_field_value(hint: Any, rng: random.Random, texts: list[str]) -> Any:
    if get_origin(hint) is Literal:
        return rng.choice(get_args(hint))
    if get_origin(hint) is tuple:
        return tuple(_random_field_value(get_args(hint)[0], rng, texts) for _ in range(rng.randrange(3)))
    if get_args(hint):
        return _random_field_value(rng.choice(get_args(hint)), rng, texts)
    if hasattr(hint, "__struct_fields__"):
        return _random_value_of(hint, rng, texts)
    return {
        bool: rng.random() < 0.5,
        int: rng.choice([-(10**12), -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 10**12]),
        str: rng.choice(texts),
        type(None): None,
    }[hint]


def check_offers_from_own_view(game: PlayedGame) -> None:
    for state in (game.states[step] for step in game.checked_steps[::STRIDE]):
        for seat in range(len(state.players)):
            assert possible_offers(game.tracked, state, seat) == possible_offers(
                game.tracked, game.tracked.view(state, seat), seat
            )


def check_secrets_stay_hidden(game: PlayedGame) -> None:
    for (seat, move), before in [*zip(game.log, game.states, strict=False)][::STRIDE]:
        other_seats = [other_seat for other_seat in range(len(before.players)) if other_seat != seat]
        # A player alone has no one to keep a secret from.
        for other_seat in game.rng.sample(other_seats, min(1, len(other_seats))):
            _check_secret(game.tracked, before, game.table.with_other_secret(before, other_seat, game.rng), seat, move)


def _check_secret(tracked: TrackedGame, state: Any, other_state: Any, seat: int, move: Move) -> None:
    """Assert that a seat cannot distinguish two states that differ only in another's secret."""
    if tracked.view(other_state, seat) == other_state:  # All is revealed.
        return
    assert tracked.view(state, seat) == tracked.view(other_state, seat)
    assert tracked.view(state, None) == tracked.view(other_state, None)
    assert possible_offers(tracked, state, seat) == possible_offers(tracked, other_state, seat)
    assert move.log_text(state, seat) == move.log_text(other_state, seat)
    if not move.out_of_turn:
        assert _log_text(tracked, state, seat, move) == _log_text(tracked, other_state, seat, move)


def _log_text(tracked: TrackedGame, state: Any, seat: int, move: Move) -> str:
    return tracked.log_sentence(state, tracked.play(state, seat, move), seat, move)


@run_all_rows("tracked", TRACKED_GAMES.values(), ids=lambda tracked: tracked.key)
@run_all_rows(
    "data",
    [None, 3, "hike", [], {}, {"type": "fly"}, {"steps": 1}, {"type": None}, {"type": ["hike"]}, {"type": "\ud800"}],
)
def test_data_that_is_no_move_is_invalid_input(tracked, data):
    with pytest.raises(InvalidInputError):
        tracked.decode(data)


@run_all_rows(
    "tracked, kind",
    [
        pytest.param(tracked, kind, id=f"{tracked.key}-{kind.__name__}")
        for tracked in TRACKED_GAMES.values()
        for kind in tracked.moves
    ],
)
def test_move_with_an_extra_field_or_a_wrong_type_is_invalid_input(tracked, kind):
    made = msgspec.to_builtins(_random_value_of(kind, random.Random(1), ["science"]))
    with pytest.raises(InvalidInputError):
        tracked.decode({**made, "seat": 1})
    for name in kind.__struct_fields__:
        with pytest.raises(InvalidInputError):
            tracked.decode({**made, name: {"wrong": "type"}})


def check_position_round_trip(game: PlayedGame) -> None:
    position_format = game.tracked.position_format
    for state in game.states if position_format else ():
        assert position_format.from_position(position_format.to_position(state)) == state
        assert (
            position_format.from_data(msgspec.json.decode(msgspec.json.encode(position_format.to_data(state)))) == state
        )


def test_every_tracked_game_has_a_position_format():
    assert [
        tracked.key
        for tracked in TRACKED_GAMES.values()
        if not tracked.is_score_entry and tracked.position_format is None
    ] == []


def check_visible_changes_are_fields(game: PlayedGame) -> None:
    """Assert that every visible change is a changed field, because a repair is shown by fields."""
    position_format = game.tracked.position_format
    views = [game.tracked.view(state, None) for state in game.states]
    seen = [[*position_format.editable_fields(view)] for view in views] if position_format else []
    for state, fields in zip(game.states, seen, strict=False):
        assert [*position_format.editable_fields(state)] == fields, "a field that not everyone can see"
        assert len({field.path for field in fields}) == len(fields)
    for (old, new), fields in zip(pairwise(views), pairwise(seen), strict=False):
        differences = [*compare_fields(*fields)]
        assert (old != new) == bool(differences), differences


def check_reminders(game: PlayedGame) -> None:
    tracked, states = game.tracked, game.states
    seen = [tracked.view(state, None) for state in states]
    for step, before in enumerate(states[:-1]):
        # Moves out of turn may have come in between.
        later = min(step + game.rng.choice((1, 1, 2, 3)), len(states) - 1)
        move = game.log[step][1]
        reminders = list(tracked.text.reminders(before, states[later], move))
        assert reminders == list(tracked.text.reminders(seen[step], seen[later], move))
        for reminder in reminders:
            sentence = reminder.text
            assert sentence[0].isupper() and sentence.endswith(".") and not {"!", "None"} & set(sentence.split()), (
                sentence
            )
        assert len(set(reminders)) == len(reminders), reminders


def check_editable_fields(game: PlayedGame) -> None:
    position_format = game.tracked.position_format
    for state in game.states if position_format else ():
        for field in position_format.editable_fields(state):
            assert field.label and field.value_text
            if isinstance(field.domain, OneOf) and field.value:
                keys = field.value if isinstance(field.domain, SomeOf) else (field.value,)
                assert [key for key in keys if field.domain.find_choice(key) is None] == [], field


# Each game is played once. The first invariant is checked on every game, all of them on every
# FULL_CHECK_INTERVAL-th.
INVARIANTS: tuple[Callable[[PlayedGame], None], ...] = (
    check_end_and_totals,
    check_undo_to_any_step,
    check_offers,
    check_made_up_moves,
    check_offers_from_own_view,
    check_secrets_stay_hidden,
    check_position_round_trip,
    check_visible_changes_are_fields,
    check_reminders,
    check_editable_fields,
)


@for_every_table
def test_random_games_satisfy_all_invariants(table: TableConfig):
    errors: list[BaseException] = []
    for number, seed in enumerate(table.seeds(TABLE_COUNTS[table.tracked.key])):
        with seeded_rng(seed):
            game = _play_random_game(table, seed)
        for check in INVARIANTS if number % FULL_CHECK_INTERVAL == 0 else INVARIANTS[:1]:
            try:
                check(game)
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(f"{check.__name__}, in the game of the seed {seed!r}")
                errors.append(error)
    if errors:
        raise BaseExceptionGroup(f"{len(errors)} invariants do not hold", errors)
