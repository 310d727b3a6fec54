"""ON THE TRAIL positions: round trips in whole races, and the errors of impossible ones."""

import random
import re

import pytest
from msgspec import json
from msgspec.structs import replace

from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.on_the_trail.bot import Flip, shuffled_deck
from scoring.on_the_trail.card_facts import BoostFact, CardFacts
from scoring.on_the_trail.moves.run_moves import Run
from scoring.on_the_trail.position import BotPosition, PlayerPosition, Position
from scoring.on_the_trail.state import State
from tests.support.invariants import GAMES_TO_PLAY, SEED, TableConfig
from tests.support.on_the_trail_invariants import TABLES
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    LAST_TURN,
    OVER,
    TRACKED_GAME,
    case_params,
    make_state,
    parse_trail_card,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup

POSITION_FORMAT = TRACKED_GAME.position_format
GAMES = -(-GAMES_TO_PLAY // len(TABLES)) or 2


def assert_round_trip(state: State) -> None:
    """Assert that the position of a state is complete and has no errors."""
    race = POSITION_FORMAT.to_position(state)
    assert POSITION_FORMAT.from_position(race) == state
    assert list(POSITION_FORMAT.position_errors(state)) == []
    assert POSITION_FORMAT.from_data(json.decode(json.encode(POSITION_FORMAT.to_data(state)))) == state


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table", [pytest.param(table, id=table.label.replace(" ", "-")) for table in TABLES])
def test_every_state_of_a_race_survives_a_round_trip(table: TableConfig):
    for game in range(GAMES):
        log: list = []
        random_game(
            table.tracked, table.setup, random.Random(f"{SEED} lying {table.label} {game}"), log, out_of_turn_chance=0.3
        )
        state = table.tracked.initial_state(table.setup)
        assert_round_trip(state)
        for seat, move in log:
            state = table.tracked.play(state, seat, move)
            assert_round_trip(state)


# Default values may be omitted


@pytest.mark.parametrize("names", [["Ana"], ["Ana", "Bo"]])
def test_position_with_names_only_is_the_start_of_a_race(names: list[str]):
    assert POSITION_FORMAT.from_data({"runners": [{"name": name} for name in names]}) == TRACKED_GAME.initial_state(
        ready_setup(names, TRACKED_GAME.key)
    )


def test_missing_values_are_derived():
    """The only card left in the row, who has finished, and that a neutral stop has no effect."""
    ana, bo = PlayerPosition("Ana", at=21, held=2), PlayerPosition("Bo", at=3, held=1)
    state = POSITION_FORMAT.from_position(
        Position((ana, bo), trail=(0, 1, 2, 3), turn="second", facts=CARD_FACTS, tracking="light")
    )
    assert state.order == (0, 1, 2, 3, 4) and state.players[ANA].finished and not state.players[BO].finished
    stopped = Position(
        (PlayerPosition("Ana", at=1, held=0), PlayerPosition("Bo")),
        trail=(0, 1, 2, 3, 4),
        step="stop",
        moved=1,
        facts=CARD_FACTS,
    )
    drawn = POSITION_FORMAT.from_position(stopped)
    assert (drawn.turn, drawn.phase, drawn.players[ANA].held) == (BO, "run", 4)


@run_all_rows(
    "data, message",
    [
        ({}, "runners: this is needed"),
        ({"runners": []}, "runners: list 1 runner to race the bot, or 2 runners and no bot"),
        ({"runners": [{"name": "Ana"}] * 3}, "runners: list 1 runner to race the bot, or 2 runners and no bot"),
        (
            {"runners": [{"name": "Ana"}, {"name": "Bo"}], "bot": {"at": 2}},
            "runners: list 1 runner to race the bot, or 2 runners and no bot",
        ),
        ({"runners": [{"name": "Ana", "card": 3}]}, 'runners[0]: no key "card"; did you mean "at"?'),
        ({"runners": [{"name": "Ana", "hand": {"blue": 1}}]}, "runners[0].hand"),
        ({"runners": [{"name": "Ana"}], "step": "rest"}, 'step: no value "rest"; there are run'),
    ],
)
def test_unreadable_position_is_refused_with_its_place(data: dict, message: str):
    with pytest.raises(InvalidInputError, match=re.escape(message.partition(";")[0])):
        POSITION_FORMAT.from_data(data)


def test_impossible_position_is_refused_with_all_reasons():
    with pytest.raises(IllegalMoveError) as refused:
        POSITION_FORMAT.from_data(
            {"runners": [{"name": "Ana", "held": 14}, {"name": "Bo", "out": True, "setbacks": ["sprain", "sprain"]}]}
        )
    assert [reason.code for reason in refused.value.reasons] == ["setback-copies", "deck-count"]


# Impossible positions by the rule they break


def unchecked_position(*runners: PlayerPosition, **changes) -> State:
    """Return the state of a position without checking it."""
    default = {"trail": (0, 1, 2, 3, 4), "facts": CARD_FACTS}
    return POSITION_FORMAT.from_position(
        Position(runners or (PlayerPosition("Ana"), PlayerPosition("Bo")), **{**default, **changes})
    )


BO_TOO = PlayerPosition("Bo")
# The last card continues, or ends there.
EDGE = replace(CARD_FACTS, cards=(*CARD_FACTS.cards[:4], replace(parse_trail_card("y!g."), whole=False)))
APP = shuffled_deck(0, 0)

FAULTS = {
    "players": [
        (
            unchecked_position(PlayerPosition("Ana"), PlayerPosition("ana")),
            "Two players are called Ana. Add an initial.",
        ),
        (unchecked_position(PlayerPosition("")), "A name has 1 to 40 characters, but this one has 0."),
    ],
    "setup-trail": [(unchecked_position(trail=(0, 0)), "Choose each of the 5 Trail cards only once.")],
    "trail-cards": [
        (
            unchecked_position(facts=CARD_FACTS.with_card(1, legs=(), whole=True)),
            "Trail card 2 has no legs. Enter its legs first.",
        ),
    ],
    "setback-pile": [
        (
            unchecked_position(PlayerPosition("Ana", setbacks=("sunburn",)), BO_TOO),
            "There is no Setback \u201csunburn\u201d.",
        ),
        (unchecked_position(setback_discards=("sunburn",)), "There is no Setback \u201csunburn\u201d."),
        (
            unchecked_position(PlayerPosition("Ana", setbacks=("sprain",)), BO_TOO, setback_discards=("sprain",)),
            "There are 2 Sprain cards in play, but the box has only 1.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", setbacks=("cramps",) * 4), BO_TOO),
            "There are 4 Cramps cards in play, but the box has only 3.",
        ),
    ],
    "boost-pile": [
        (unchecked_position(PlayerPosition("Ana", boosts=("wings",)), BO_TOO), "There is no Boost \u201cwings\u201d."),
        (unchecked_position(used=("wings",)), "There is no Boost \u201cwings\u201d."),
        (
            unchecked_position(facts=replace(CARD_FACTS, boosts={"wings": BoostFact()})),
            "There is no Boost \u201cwings\u201d.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", boosts=("flat-out",)), PlayerPosition("Bo", boosts=("flat-out",))),
            "Flat Out is in play 2 times, but the box has only 1.",
        ),
    ],
    "no-pair": [
        (
            unchecked_position(facts=replace(CARD_FACTS, setbacks={"cramps": "red"})),
            "Only these Setbacks show a color: Stitch, Dehydration, Nausea.",
        ),
    ],
    "deck-cards": [
        (unchecked_position(PlayerPosition("Ana", held=-1), BO_TOO), "Ana has fewer than 0 cards in one place."),
        (
            unchecked_position(PlayerPosition("Ana", hand={"green": 5}), BO_TOO),
            "Ana has fewer than 0 cards in one place.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", discards={"red": -1}), BO_TOO),
            "Ana has fewer than 0 cards in one place.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", hand={"red": 2}, discards={"red": 2}), BO_TOO),
            "Ana has 4 red cards, but a deck has only 3.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", hand={"wild": 2}), BO_TOO),
            "Ana has 2 wild cards, but a deck has only 1.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", held=10, discards={"green": 4}), BO_TOO),
            "Ana has 14 cards in hand and discard pile, but a deck has only 13.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", held=10, untold_discards=4), BO_TOO, tracking="light"),
            "Ana has 14 cards in hand and discard pile, but a deck has only 13.",
        ),
    ],
    "setup-hand": [
        (
            unchecked_position(PlayerPosition("Ana", hand={"red": 1}), BO_TOO, tracking="light"),
            "Hands are not entered at this table. Enter only the cards you play.",
        )
    ],
    "played": [
        (
            unchecked_position(PlayerPosition("Ana", untold_discards=1), BO_TOO),
            "Hands are entered at this table, so each card in Ana\u2019s discard pile must be entered.",
        )
    ],
    "solo-stops": [
        (
            with_changes(make_state(solo=True), BO, setbacks=("sprain",), allow_errors=True),
            "The bot has no Setbacks and no Boosts.",
        ),
        (
            unchecked_position(PlayerPosition("Ana"), bot=BotPosition(at=2), step="stop", moved=2),
            "Stops do not affect the bot, and it draws no cards.",
        ),
    ],
    "solo-deck": [
        (
            unchecked_position(PlayerPosition("Ana"), bot=BotPosition(flipped_before=-1)),
            "The bot cannot have flipped fewer than 0 cards before.",
        ),
        (
            unchecked_position(PlayerPosition("Ana"), bot=BotPosition(at=2, discards={"green": 1})),
            "Waymark would have flipped other cards for the bot.",
        ),
        (
            unchecked_position(PlayerPosition("Ana"), bot=BotPosition(at=2, discards={APP[0]: 1}, flipped_before=5)),
            "Waymark would have flipped other cards for the bot.",
        ),
    ],
    "solo-flip": [
        (
            unchecked_position(PlayerPosition("Ana"), bot=BotPosition(at=3), moved=3),
            "The bot moves 2 or 4 stops, not 3.",
        ),
        (unchecked_position(PlayerPosition("Ana"), to_run=1), "The bot moves 2 or 4 stops, not 1."),
    ],
    "solo-dnf": [
        (unchecked_position(PlayerPosition("Ana", out=True)), "Ana is out of the race, so the bot has won."),
    ],
    "finish": [
        (
            unchecked_position(PlayerPosition("Ana", at=22), BO_TOO),
            "Ana has run 22 legs, but the known Trail before the finish has only 20 legs.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", at=-1), BO_TOO),
            "Ana has run -1 legs, but the known Trail before the finish has only 20 legs.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", at=21, out=True), BO_TOO, turn="second"),
            "Ana has run 21 legs, but the known Trail before the finish has only 20 legs.",
        ),
        (
            unchecked_position(
                PlayerPosition("Ana", at=5),
                BO_TOO,
                trail=(0,),
                facts=CardFacts((CARD_FACTS.cards[0], *CardFacts().cards[1:])),
            ),
            "Ana has run 5 legs, but the known Trail before the finish has only 4 legs.",
        ),
        (
            # The finish may be there, so the app asks first.
            unchecked_position(PlayerPosition("Ana", at=18), BO_TOO, facts=EDGE),
            "Ana has run 18 legs, but the known Trail before the finish has only 17 legs.",
        ),
        (
            # A runner can only stop once the app asks.
            unchecked_position(PlayerPosition("Ana", at=18), BO_TOO, facts=EDGE, step="stop", moved=1),
            "Ana has run 18 legs, but the known Trail before the finish has only 17 legs.",
        ),
        (unchecked_position(PlayerPosition("Ana", at=21), BO_TOO), "Ana has finished and takes no more turns."),
    ],
    "dnf": [
        (unchecked_position(PlayerPosition("Ana", out=True), BO_TOO), "Ana is out of the race and takes no more turns.")
    ],
    "second-finishes": [
        (
            unchecked_position(PlayerPosition("Ana"), PlayerPosition("Bo", at=21)),
            "Bo finished and ended the last round, so the race is over.",
        )
    ],
    "finish-round": [
        (unchecked_position(step="over"), "The race is not over: a runner still has a turn."),
        (
            unchecked_position(PlayerPosition("Ana", at=21), BO_TOO, step="over"),
            "The race is not over: a runner still has a turn.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", out=True), BO_TOO, step="over"),
            "The race is not over: a runner still has a turn.",
        ),
    ],
    "run-on": [(unchecked_position(moved=1), "Ana has run 0 legs in all, so 1 this turn is not possible.")],
    "run-must": [
        (
            unchecked_position(PlayerPosition("Ana", at=2), BO_TOO, step="stop"),
            "A runner at a stop has run at least 1 leg this turn.",
        ),
        (
            unchecked_position(PlayerPosition("Ana", at=2), BO_TOO, step="draw"),
            "A runner at a stop has run at least 1 leg this turn.",
        ),
    ],
    "advance": [
        (unchecked_position(to_run=2), "Only a Boost used this turn can leave legs to run."),
        (
            unchecked_position(PlayerPosition("Ana", at=2), BO_TOO, step="stop", moved=2, to_run=1, used=("flat-out",)),
            "Only a Boost used this turn can leave legs to run.",
        ),
    ],
    "boost-once": [
        (unchecked_position(used=("flat-out", "flat-out")), "Flat Out cannot be among the Boosts used this turn."),
        (unchecked_position(used=("eyes-ahead",)), "Eyes Ahead cannot be among the Boosts used this turn."),
        (
            unchecked_position(PlayerPosition("Ana"), used=("flat-out",)),
            "Flat Out cannot be among the Boosts used this turn.",
        ),
    ],
}


@run_all_rows("state, text", case_params(FAULTS))
def test_impossible_position_has_one_error_line(state: State, text: str):
    assert [reason.text for reason in POSITION_FORMAT.position_errors(state)] == [text]


def test_every_position_error_cites_its_rule():
    for rule, rows in FAULTS.items():
        assert {reason.rule.id for state, _ in rows for reason in POSITION_FORMAT.position_errors(state)} == {rule}


@run_all_rows(
    "state",
    [
        LAST_TURN,
        OVER,
        # The app asks for the finish.
        state_after(state_with_hand(0, 0, 1, 1, at=17, state=make_state(facts=EDGE)), Run("green")),
        state_after(make_state(solo=True), Flip()),
        with_changes(make_state(solo=True, bot_deck="cards"), BO, legs_run=4),  # Corrected on the way.
    ],
)
def test_unusual_but_possible_position_survives_a_round_trip(state: State):
    assert_round_trip(state)


# Random positions


def with_other_value(position, rng: random.Random):
    """Return the position data with one value replaced by another."""
    if isinstance(position, dict | list) and position and rng.random() < 0.9:
        keys = list(position) if isinstance(position, dict) else range(len(position))
        key = rng.choice(keys)
        copy = position.copy()
        copy[key] = with_other_value(position[key], rng)
        return copy
    return rng.choice(
        [-1, 0, 1, 2, 3, 4, 13, 21, "red", "sprain", "flat-out", "second", "stop", "draw", "over", [], ["sprain"]]
    )


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table", [pytest.param(table, id=table.label.replace(" ", "-")) for table in TABLES])
def test_random_position_is_refused_or_can_be_played_on(table: TableConfig):
    rng, raced = random.Random(f"{SEED} whatever {table.label}"), 0
    log: list = []
    random_game(table.tracked, table.setup, rng, log, out_of_turn_chance=0.2)
    state = table.tracked.initial_state(table.setup)
    for seat, move in log:
        state = table.tracked.play(state, seat, move)
        for _ in range(8):
            try:
                changed = POSITION_FORMAT.from_data(with_other_value(POSITION_FORMAT.to_data(state), rng))
            except (InvalidInputError, IllegalMoveError):
                continue
            assert_round_trip(changed)
            seats = TRACKED_GAME.flow.to_move(changed)
            legal = [offer for mover in seats for offer in TRACKED_GAME.offers(changed, mover) if offer.is_legal]
            assert legal or not seats, changed
            raced += 1
    assert raced
