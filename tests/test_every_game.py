"""What every game of the house promises, checked on random games: nobody is stuck, nothing leaks, all adds up.

WAYMARK_GAMES=10000 plays so many games of each kind, spread over its tables; WAYMARK_SEED=2 plays others.
A failure names the seed of its game, and `_played(table, seed)` is that game again.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from scoring.document import sheet_data
from scoring.games import PLAYABLE
from scoring.kernel.game import Game, Illegal, Malformed
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from tests import alpine_promises, on_the_trail_promises, parks_promises, trails_promises
from tests.driver import random_game
from tests.promises import GAMES_TO_PLAY, SEED, Table

TABLES = [
    *trails_promises.TABLES,
    *parks_promises.TABLES,
    *alpine_promises.TABLES,
    *on_the_trail_promises.TABLES,
]
TABLES_OF = Counter(table.game.key for table in TABLES)
CHATTER = 0.15
CLOSELY = 12  # one of so many games is looked at closely, at every step
VERY_CLOSELY = 12  # and and of the same ones some steps for all that anybody could do there

at_every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name.replace(" ", "-"))


@contextmanager
def seed_named(seed: str) -> Iterator[random.Random]:
    """Give a generator from a seed, and name the seed in whatever goes wrong meanwhile."""
    try:
        yield random.Random(seed)
    except BaseException as fault:
        fault.add_note(f"the seed of this game: {seed!r}")
        raise


def _played(table: Table, rng: random.Random) -> tuple[list[tuple[int, Move]], list[Any]]:
    """Return the log of a random game and its states, the first one before the first move."""
    log: list[tuple[int, Move]] = []
    last = random_game(table.game, table.setup, rng, log, chatter=CHATTER)
    states = [table.game.begin(table.setup)]
    for seat, move in log:
        states.append(table.game.play(states[-1], seat, move))
    assert states[-1] == last, "the same log came to another end"
    return log, states


def _games(table: Table, every: int = 1) -> Iterator[tuple[random.Random, list[tuple[int, Move]], list[Any]]]:
    """Yield random games of a table: a generator, the log and the states of each."""
    for seed in table.seeds(TABLES_OF[table.game.key], every):
        with seed_named(seed) as rng:
            yield rng, *_played(table, rng)


def _looks(table: Table) -> Iterator[tuple[list[tuple[int, Move]], list[Any], int]]:
    """Yield the steps that are looked at very closely: before a move of each kind, and the end; as log, states, number."""
    for rng, log, states in _games(table, VERY_CLOSELY):
        steps: dict[type[Move], list[int]] = defaultdict(list)
        for number, (_, move) in enumerate(log):
            steps[type(move)].append(number)
        for number in sorted({len(log), *(rng.choice(numbers) for numbers in steps.values())}):
            yield log, states, number


def test_every_game_in_the_house_is_played_here_with_every_number_of_players():
    assert set(TABLES_OF) == set(PLAYABLE)
    assert {(table.game.key, len(table.setup.players)) for table in TABLES} == {
        (game.key, seats) for game in PLAYABLE.values() for seats in game.seats
    }


@at_every_table
def test_a_random_game_ends_replays_and_adds_up(table):
    for _, log, states in _games(table):
        table.add_up(states)
        _check_sheet(table.game, states[-1])
        for (_, move), before in zip(log, states, strict=False):
            _check_travels(table.game, before, move)


def _check_travels(game: Game, state: Any, move: Move) -> None:
    """Assert that a state comes back from JSON, and a move from JSON and from the text fields of a form."""
    assert msgspec.json.decode(msgspec.json.encode(state), type=type(state)) == state
    fields = msgspec.json.decode(msgspec.json.encode(move))
    assert game.decode(fields) == move
    assert None in fields.values() or game.decode(_typed_in(fields), strict=False) == move


def _typed_in(fields: dict[str, Any]) -> dict[str, str]:
    """Return the fields of a move as a form sends them; nothing can be typed in that means null."""
    return {name: value if isinstance(value, str) else msgspec.json.encode(value).decode() for name, value in fields.items()}


def _check_sheet(game: Game, state: Any) -> None:
    """Assert that an explained sheet adds up and ranks its players."""
    sheet = game.score(game.final(state))
    data = sheet_data(sheet)
    assert len(data["players"]) == len(state.players)
    categories = [id for id, _ in game.categories]
    for player, column in zip(data["players"], sheet.columns, strict=True):
        assert player["total"] == sum(line["points"] for line in player["lines"]) == sum(player["categories"].values())
        assert list(player["categories"]) == categories
        for line in column.lines:
            assert line.category in categories
            assert line.label and line.because
            assert line.rules and all(game.rules[rule.id] is rule for rule in line.rules)
        assert column.winner == (column.rank == 1 and bool(sheet.winners))
        better = [other for other in sheet.columns if other.rank < column.rank]
        assert column.rank == 1 + len(better)
        assert all(other.total >= column.total for other in better)
    assert sheet.verdict.endswith(".")
    assert sheet.decided_by in ("points", "shared", *(tie_break.id for tie_break in sheet.tie_breaks))


@at_every_table
def test_taking_back_to_any_step_gives_the_table_as_it_was_then(table):
    for log, states, step in _looks(table):
        assert table.game.replay(table.setup, log[:step]) == states[step]


@at_every_table
def test_every_offer_is_playable_or_says_why_not(table):
    for _, states, step in _looks(table):
        for seat in range(len(states[step].players)):
            _check_offers(table.game, states[step], seat)


@pytest.mark.skipif(bool(GAMES_TO_PLAY) or SEED != "1", reason="this is about the games of a usual run")
@pytest.mark.parametrize("game", PLAYABLE.values(), ids=lambda game: game.key)
def test_where_offers_are_looked_at_every_kind_of_move_can_be_played(game):
    """Those aside that are never offered, being typed in by hand: they are made up below."""
    wanted = {kind for kind in game.moves if kind.candidates.__func__ is not Move.candidates.__func__}
    for table in TABLES:
        for _, states, step in _looks(table) if table.game is game and wanted else ():
            for seat, kind in product(range(len(states[step].players)), list(wanted)):
                if any(offer.legal for offer in game.offers(states[step], seat, (kind,))):
                    wanted.discard(kind)
    assert wanted == set()


def _check_offers(game: Game, state: Any, seat: int) -> None:
    offers = game.offers(state, seat)
    assert len({offer.move for offer in offers}) == len(offers), "offered twice"
    for offer in offers:
        assert offer.legal == game.legal(state, seat, offer.move)
        if offer.legal:
            assert game.tell(state, game.play(state, seat, offer.move), seat, offer.move)
        else:
            _check_refused(game, state, seat, offer.move, offer.reasons)
        assert offer.move.label(state, seat) and offer.move.icon(state, seat)
        assert isinstance(offer.move.hint(state, seat), str)
    assert seat not in game.to_move(state) or any(offer.legal for offer in offers), "stuck"


def _check_refused(game: Game, state: Any, seat: int, move: Move, reasons: tuple[Reason, ...]) -> None:
    """Assert that a refusal is full sentences with codes and rules, and that playing the move says the same."""
    for reason in reasons:
        assert reason.code and reason.code == reason.code.lower()
        assert game.rules[reason.rule.id] is reason.rule
        assert not reason.text[0].islower() and reason.text[-1] in ".?", reason.text
        assert "!" not in reason.text and "None" not in reason.text.removeprefix("None of "), reason.text
    with pytest.raises(Illegal) as refused:
        game.play(state, seat, move)
    assert refused.value.reasons == list(reasons)


@at_every_table
def test_whatever_move_is_made_up_it_is_played_or_refused_with_a_rule(table):
    for rng, _, states in _games(table, CLOSELY):
        words = _words(table.game, states)
        for state in states:
            for kind in rng.sample(table.game.moves, 5):
                seat = rng.randrange(len(state.players))
                _check_made_up(table, state, seat, _made_up(kind, rng, words))


def _check_made_up(table: Table, state: Any, seat: int, move: Move) -> None:
    reasons = tuple(table.game.objections(state, seat, move))
    if reasons:
        _check_refused(table.game, state, seat, move, reasons)
    else:
        assert move.anytime or move.drafted or move in table.game.candidates(state, seat), "legal, but not offered"
        after = table.game.play(state, seat, move)
        _check_travels(table.game, after, move)
        assert table.game.tell(state, after, seat, move)


def _words(game: Game, states: list[Any]) -> list[str]:
    """Return words that moves of a game are made of, and some that none is."""
    moves = [move for state in states[::40] for move in game.candidates(state, 0)]
    known = {word for move in moves for word in msgspec.to_builtins(move).values() if isinstance(word, str)}
    return [*sorted(known), "", "nothing of the kind", "caf\u00e9 \u201cx\u201d"]


def _made_up(kind: type[Move], rng: random.Random, words: list[str]) -> Move:
    """Return a move whose fields have the right types and nothing else to be said for them."""
    hints = get_type_hints(kind)
    return kind(**{name: _value(hints[name], rng, words) for name in kind.__struct_fields__})


def _value(hint: Any, rng: random.Random, words: list[str]) -> Any:
    if get_origin(hint) is Literal:
        return rng.choice(get_args(hint))
    if get_args(hint):
        return _value(rng.choice(get_args(hint)), rng, words)
    return {
        bool: rng.random() < 0.5,
        int: rng.choice([-(10**12), -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 10**12]),
        str: rng.choice(words),
        type(None): None,
    }[hint]


@at_every_table
def test_a_move_is_judged_alike_on_the_whole_table_and_on_what_its_own_seat_may_see(table):
    for _, states, step in _looks(table):
        for seat in range(len(states[step].players)):
            assert table.game.offers(states[step], seat) == table.game.offers(table.game.view(states[step], seat), seat)


@at_every_table
def test_another_seats_secret_shows_in_no_view_no_offer_and_no_word(table):
    for rng, log, states in _games(table, CLOSELY):
        for (seat, move), before in zip(log, states, strict=False):
            others = [other for other in range(len(before.players)) if other != seat]
            for other in rng.sample(others, min(1, len(others))):  # alone, there is nobody to keep a secret from
                _check_secret(table.game, before, table.with_secret(before, other, rng), seat, move)


def _check_secret(game: Game, state: Any, other: Any, seat: int, move: Move) -> None:
    """Assert that nothing a seat sees, may do or reads tells a state from one that differs in another's secret."""
    if game.view(other, seat) == other:  # all is revealed
        return
    assert game.view(state, seat) == game.view(other, seat)
    assert game.view(state, None) == game.view(other, None)
    assert game.offers(state, seat) == game.offers(other, seat)
    assert move.told(state, seat) == move.told(other, seat)
    if not move.anytime:
        assert _told(game, state, seat, move) == _told(game, other, seat, move)


def _told(game: Game, state: Any, seat: int, move: Move) -> str:
    return game.tell(state, game.play(state, seat, move), seat, move)


@pytest.mark.parametrize("game", PLAYABLE.values(), ids=lambda game: game.key)
@pytest.mark.parametrize(
    "data",
    [None, 3, "hike", [], {}, {"type": "fly"}, {"steps": 1}, {"type": None}, {"type": ["hike"]}, {"type": "\ud800"}],
)
def test_what_is_no_move_is_malformed(game, data):
    with pytest.raises(Malformed):
        game.decode(data)


@pytest.mark.parametrize(
    "game, kind",
    [pytest.param(game, kind, id=f"{game.key}-{kind.__name__}") for game in PLAYABLE.values() for kind in game.moves],
)
def test_a_move_with_a_field_too_many_or_a_wrong_type_is_malformed(game, kind):
    made = msgspec.to_builtins(_made_up(kind, random.Random(1), ["science"]))
    with pytest.raises(Malformed):
        game.decode({**made, "seat": 1})
    for name in kind.__struct_fields__:
        with pytest.raises(Malformed):
            game.decode({**made, name: {"wrong": "type"}})
