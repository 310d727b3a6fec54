"""What every game of the house promises, checked on random games: nobody is stuck, nothing leaks, all adds up.

WAYMARK_GAMES=10000 plays so many games of each kind, spread over its tables; WAYMARK_SEED=2 plays others.
A failure names the seed of its play, and `_played(table, seed)` is that game again.
"""

import functools
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from scoring.document import sheet_data
from scoring.games import PLAYS
from scoring.kernel.editable import OneOf, SomeOf, differences
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import Play
from tests.support import small_invariants
from tests.support.cases import cases, every_row
from tests.support.invariant_tables import TABLES, TABLES_OF, at_every_table, seed_named
from tests.support.invariants import GAMES_TO_PLAY, THOROUGH, Table
from tests.support.random_games import offers, random_game

pytestmark = pytest.mark.timeout(10 * GAMES_TO_PLAY + 240)

CHATTER = 0.15
STRIDE = 1 if THOROUGH else 3  # one in so many steps is looked at for everything that anybody could do there
CLOSELY = (
    24  # one of so many games is looked at closely, at every step; and some steps for all that anybody could do there
)


@dataclass
class Game:
    """A random game that was played at a table: its log, its states, and steps to be looked at very closely."""

    table: Table
    rng: random.Random
    log: list[tuple[int, Move]]
    states: list[Any]

    @property
    def play(self) -> Play:
        return self.table.play

    @functools.cached_property
    def looks(self) -> list[int]:
        """The steps before a move of each kind, and the end."""
        steps: dict[type[Move], list[int]] = defaultdict(list)
        for number, (_, move) in enumerate(self.log):
            steps[type(move)].append(number)
        return sorted({len(self.log), *(self.rng.choice(numbers) for numbers in steps.values())})


def _played(table: Table, seed: str) -> Game:
    """Return a random game, its first state that before the first move."""
    rng, log = random.Random(seed), list[tuple[int, Move]]()
    last = random_game(table.play, table.setup, rng, log, chatter=CHATTER)
    states = [table.play.begin(table.setup)]
    for seat, move in log:
        states.append(table.play.play(states[-1], seat, move))
    assert states[-1] == last, "the same log came to another end"
    return Game(table, rng, log, states)


def test_every_game_in_the_house_is_played_here_with_every_number_of_players():
    plays = PLAYS | small_invariants.PLAYS
    assert set(TABLES_OF) == set(plays)
    assert {(table.play.key, len(table.setup.players)) for table in TABLES} == {
        (play.key, seats) for play in plays.values() for seats in play.box.seats
    }


def it_ends_and_adds_up(game: Game) -> None:
    game.table.add_up(game.states)
    _check_sheet(game.play, game.states[-1])
    for (_, move), before in zip(game.log, game.states, strict=False):
        _check_travels(game.play, before, move)


def _check_travels(play: Play, state: Any, move: Move) -> None:
    """Assert that a state comes back from JSON, and a move from JSON and from the text fields of a form."""
    assert msgspec.json.decode(msgspec.json.encode(state), type=type(state)) == state
    fields = msgspec.json.decode(msgspec.json.encode(move))
    assert play.decode(fields) == move
    nothing_typed = any(value is None or isinstance(value, list) for value in fields.values())
    assert nothing_typed or play.decode(_typed_in(fields), strict=False) == move


def _typed_in(fields: dict[str, Any]) -> dict[str, str]:
    """Return the fields of a move as a form sends them; nothing can be typed in that means null."""
    return {
        name: value if isinstance(value, str) else msgspec.json.encode(value).decode() for name, value in fields.items()
    }


def _check_sheet(play: Play, state: Any) -> None:
    """Assert that an explained sheet adds up and ranks its players."""
    sheet = play.box.score(play.final(state))
    data = sheet_data(sheet)
    assert len(data["players"]) == len(state.players)
    categories = [id for id, _ in play.box.categories]
    for player, column in zip(data["players"], sheet.columns, strict=True):
        assert player["total"] == sum(line["points"] for line in player["lines"]) == sum(player["categories"].values())
        assert list(player["categories"]) == categories
        for line in column.lines:
            assert line.category in categories
            assert line.label and line.because
            assert line.rules and all(play.box.rules[rule.id] is rule for rule in line.rules)
        assert column.winner == (column.rank == 1 and bool(sheet.winners))
        better = [other for other in sheet.columns if other.rank < column.rank]
        assert column.rank == 1 + len(better)
        assert all(other.total >= column.total for other in better)
    assert sheet.verdict.endswith(".")
    assert sheet.decided_by in ("points", "shared", *(tie_break.id for tie_break in sheet.tie_breaks))


def taking_back_to_any_step_gives_the_table_as_it_was_then(game: Game) -> None:
    for step in game.looks:
        assert game.play.replay(game.table.setup, game.log[:step]) == game.states[step]


def every_offer_is_playable_or_says_why_not(game: Game) -> None:
    for step in game.looks[::STRIDE]:
        for seat in range(len(game.states[step].players)):
            _check_offers(game.play, game.states[step], seat)


@pytest.mark.slow("random games at every table")
@cases("play", PLAYS.values(), ids=lambda play: play.key)
def test_where_offers_are_looked_at_every_kind_of_move_can_be_played(play):
    """Those aside that are never offered, being typed in by hand: they are made up below."""
    wanted = {kind for kind in play.moves if kind.candidates.__func__ is not Move.candidates.__func__}
    for number, table in product(range(20), [table for table in TABLES if table.play is play]):
        if not wanted:
            break
        game = _played(table, f"1 {table.name} {number}")
        for step, kind in product(game.looks, list(wanted)):
            for seat in range(len(game.states[step].players)):
                if any(offer.legal for offer in offers(play, game.states[step], seat, (kind,))):
                    wanted.discard(kind)
    assert wanted == set()


def _check_offers(play: Play, state: Any, seat: int) -> None:
    found = offers(play, state, seat)
    assert len({offer.move for offer in found}) == len(found), "offered twice"
    for offer in found:
        assert offer.legal == play.legal(state, seat, offer.move)
        if offer.legal:
            assert play.tell(state, play.play(state, seat, offer.move), seat, offer.move)
        else:
            _check_refused(play, state, seat, offer.move, offer.reasons)
        assert offer.move.label(state, seat) and offer.move.icon(state, seat)
        assert isinstance(offer.move.hint(state, seat), str)
    assert seat not in play.to_move(state) or any(offer.legal for offer in found), "stuck"


def _check_refused(play: Play, state: Any, seat: int, move: Move, reasons: tuple[Reason, ...]) -> None:
    """Assert that a refusal is full sentences with codes and rules, and that playing the move says the same."""
    for reason in reasons:
        assert reason.code and reason.code == reason.code.lower()
        assert play.box.rules[reason.rule.id] is reason.rule
        assert not reason.text[0].islower() and reason.text[-1] in ".?", reason.text
        assert "!" not in reason.text and "None" not in reason.text.removeprefix("None of "), reason.text
    with pytest.raises(Illegal) as refused:
        play.play(state, seat, move)
    assert refused.value.reasons == list(reasons)


def whatever_move_is_made_up_it_is_played_or_refused_with_a_rule(game: Game) -> None:
    rng, words = game.rng, _words(game.play, game.states)
    for state in game.states:
        for kind in rng.sample(game.play.moves, min(5, len(game.play.moves))):
            seat = rng.randrange(len(state.players))
            _check_made_up(game.table, state, seat, _made_up(kind, rng, words))


def _check_made_up(table: Table, state: Any, seat: int, move: Move) -> None:
    reasons = tuple(table.play.objections(state, seat, move))
    if reasons:
        _check_refused(table.play, state, seat, move, reasons)
    else:
        offered = move.anytime or move.drafted or table.as_offered(state, move) in table.play.candidates(state, seat)
        assert offered, "legal, but not offered"
        after = table.play.play(state, seat, move)
        _check_travels(table.play, after, move)
        assert table.play.tell(state, after, seat, move)


def _words(play: Play, states: list[Any]) -> list[str]:
    """Return words that moves of a game are made of, and some that none is."""
    found = [offer for state in states[::40] for offer in offers(play, state, 0)]
    known = {word for offer in found for word in msgspec.to_builtins(offer.move).values() if isinstance(word, str)}
    return [*sorted(known), "", "nothing of the kind", "caf\u00e9 \u201cx\u201d"]


def _made_up(kind: Any, rng: random.Random, words: list[str]) -> Any:
    """Return a move whose fields have the right types and nothing else to be said for them."""
    hints = get_type_hints(kind)
    return kind(**{name: _value(hints[name], rng, words) for name in kind.__struct_fields__})


def _value(hint: Any, rng: random.Random, words: list[str]) -> Any:
    if get_origin(hint) is Literal:
        return rng.choice(get_args(hint))
    if get_origin(hint) is tuple:
        return tuple(_value(get_args(hint)[0], rng, words) for _ in range(rng.randrange(3)))
    if get_args(hint):
        return _value(rng.choice(get_args(hint)), rng, words)
    if hasattr(hint, "__struct_fields__"):
        return _made_up(hint, rng, words)
    return {
        bool: rng.random() < 0.5,
        int: rng.choice([-(10**12), -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 10**12]),
        str: rng.choice(words),
        type(None): None,
    }[hint]


def a_move_is_judged_alike_on_the_whole_table_and_on_what_its_own_seat_may_see(game: Game) -> None:
    for state in (game.states[step] for step in game.looks[::STRIDE]):
        for seat in range(len(state.players)):
            assert offers(game.play, state, seat) == offers(game.play, game.play.view(state, seat), seat)


def another_seats_secret_shows_in_no_view_no_offer_and_no_word(game: Game) -> None:
    for (seat, move), before in [*zip(game.log, game.states, strict=False)][::STRIDE]:
        others = [other for other in range(len(before.players)) if other != seat]
        for other in game.rng.sample(others, min(1, len(others))):  # alone, there is nobody to keep a secret from
            _check_secret(game.play, before, game.table.with_secret(before, other, game.rng), seat, move)


def _check_secret(play: Play, state: Any, other: Any, seat: int, move: Move) -> None:
    """Assert that nothing a seat sees, may do or reads tells a state from one that differs in another's secret."""
    if play.view(other, seat) == other:  # all is revealed
        return
    assert play.view(state, seat) == play.view(other, seat)
    assert play.view(state, None) == play.view(other, None)
    assert offers(play, state, seat) == offers(play, other, seat)
    assert move.told(state, seat) == move.told(other, seat)
    if not move.anytime:
        assert _told(play, state, seat, move) == _told(play, other, seat, move)


def _told(play: Play, state: Any, seat: int, move: Move) -> str:
    return play.tell(state, play.play(state, seat, move), seat, move)


@every_row("play", PLAYS.values(), ids=lambda play: play.key)
@every_row(
    "data",
    [None, 3, "hike", [], {}, {"type": "fly"}, {"steps": 1}, {"type": None}, {"type": ["hike"]}, {"type": "\ud800"}],
)
def test_what_is_no_move_is_malformed(play, data):
    with pytest.raises(Malformed):
        play.decode(data)


@every_row(
    "play, kind",
    [pytest.param(play, kind, id=f"{play.key}-{kind.__name__}") for play in PLAYS.values() for kind in play.moves],
)
def test_a_move_with_a_field_too_many_or_a_wrong_type_is_malformed(play, kind):
    made = msgspec.to_builtins(_made_up(kind, random.Random(1), ["science"]))
    with pytest.raises(Malformed):
        play.decode({**made, "seat": 1})
    for name in kind.__struct_fields__:
        with pytest.raises(Malformed):
            play.decode({**made, name: {"wrong": "type"}})


def the_table_as_it_lies_is_the_state_again_at_each_step(game: Game) -> None:
    lying = game.play.lying
    for state in game.states if lying else ():
        assert lying.state(lying.says(state)) == state
        assert lying.read(msgspec.json.decode(msgspec.json.encode(lying.plain(state)))) == state


def test_every_game_that_is_tracked_says_how_its_table_lies():
    assert [play.key for play in PLAYS.values() if not play.counting and play.lying is None] == []


def whatever_everybody_can_see_change_is_a_figure_that_changes(game: Game) -> None:
    """What a repair does is shown in figures before anybody agrees: nothing may happen behind them."""
    lying = game.play.lying
    views = [game.play.view(state, None) for state in game.states]
    seen = [[*lying.figures(view)] for view in views] if lying else []
    for state, figures in zip(game.states, seen, strict=False):
        assert [*lying.figures(state)] == figures, "a figure that not everybody can see"
        assert len({figure.at for figure in figures}) == len(figures)
    for (old, new), figures in zip(pairwise(views), pairwise(seen), strict=False):
        told = [*differences(*figures)]
        assert (old != new) == bool(told), told


def what_hands_must_do_is_full_sentences_worked_out_from_what_everybody_sees(game: Game) -> None:
    play, states = game.play, game.states
    seen = [play.view(state, None) for state in states]
    for place, before in enumerate(states[:-1]):
        later = min(place + game.rng.choice((1, 1, 2, 3)), len(states) - 1)  # what is told besides may have come after
        move = game.log[place][1]
        said = list(play.hands(before, states[later], move))
        assert said == list(play.hands(seen[place], seen[later], move))
        for reminder in said:
            sentence = reminder.text
            assert sentence[0].isupper() and sentence.endswith(".") and not {"!", "None"} & set(sentence.split()), (
                sentence
            )
        assert len(set(said)) == len(said), said


def every_figure_says_what_the_table_as_it_lies_says(game: Game) -> None:
    lying = game.play.lying
    for state in game.states if lying else ():
        for figure in lying.figures(state):
            assert figure.what and figure.said
            if isinstance(figure.can, OneOf) and figure.value:
                keys = figure.value if isinstance(figure.can, SomeOf) else (figure.value,)
                assert [key for key in keys if figure.can.thing(key) is None] == [], figure


# Each game is played once, and looked at by all of these; the first one in every game, the others in one of `CLOSELY`.
PROMISES: tuple[Callable[[Game], None], ...] = (
    it_ends_and_adds_up,
    taking_back_to_any_step_gives_the_table_as_it_was_then,
    every_offer_is_playable_or_says_why_not,
    whatever_move_is_made_up_it_is_played_or_refused_with_a_rule,
    a_move_is_judged_alike_on_the_whole_table_and_on_what_its_own_seat_may_see,
    another_seats_secret_shows_in_no_view_no_offer_and_no_word,
    the_table_as_it_lies_is_the_state_again_at_each_step,
    whatever_everybody_can_see_change_is_a_figure_that_changes,
    what_hands_must_do_is_full_sentences_worked_out_from_what_everybody_sees,
    every_figure_says_what_the_table_as_it_lies_says,
)


@at_every_table
def test_random_games_keep_every_promise(table: Table):
    faults: list[BaseException] = []
    for number, seed in enumerate(table.seeds(TABLES_OF[table.play.key])):
        with seed_named(seed):
            game = _played(table, seed)
        for promise in PROMISES if number % CLOSELY == 0 else PROMISES[:1]:
            try:
                promise(game)
            except (Exception, pytest.fail.Exception) as fault:
                fault.add_note(f"{promise.__name__}, in the game of the seed {seed!r}")
                faults.append(fault)
    if faults:
        raise BaseExceptionGroup(f"{len(faults)} promises were not kept", faults)
