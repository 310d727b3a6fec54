"""ON THE TRAIL: the race as it lies on the table, said by people standing there, and what does not add up."""

import random
import re

import pytest
from msgspec import json
from msgspec.structs import replace

from scoring.kernel.errors import Illegal, Malformed
from scoring.on_the_trail.bot import Flip, deck
from scoring.on_the_trail.facts import BoostFact, CardFacts
from scoring.on_the_trail.moves.run_moves import Run
from scoring.on_the_trail.position import Bot, Race, Runner
from scoring.on_the_trail.state import State
from tests.support.cases import every_row
from tests.support.invariants import GAMES_TO_PLAY, SEED, Table
from tests.support.on_the_trail_invariants import TABLES
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    BOX,
    LAST_TURN,
    OVER,
    PLAY,
    after,
    but,
    cases,
    holding,
    race,
    trail,
)
from tests.support.positions import laid
from tests.support.random_games import random_game

LYING = PLAY.lying
GAMES = -(-GAMES_TO_PLAY // len(TABLES)) or 2


def comes_back(state: State) -> None:
    """Assert that a race that lies so is said in full and adds up."""
    race = LYING.says(state)
    assert LYING.state(race) == state
    assert list(LYING.faults(state)) == []
    assert LYING.read(json.decode(json.encode(LYING.plain(state)))) == state


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table", [pytest.param(table, id=table.label.replace(" ", "-")) for table in TABLES])
def test_a_race_lies_at_each_step_as_it_is_said(table: Table):
    for game in range(GAMES):
        log: list = []
        random_game(table.play, table.setup, random.Random(f"{SEED} lying {table.label} {game}"), log, chatter=0.3)
        state = table.play.begin(table.setup)
        comes_back(state)
        for seat, move in log:
            state = table.play.play(state, seat, move)
            comes_back(state)


# What is usual need not be said.


@pytest.mark.parametrize("names", [["Ana"], ["Ana", "Bo"]])
def test_a_race_before_the_first_turn_is_said_by_names_alone(names: list[str]):
    assert LYING.read({"runners": [{"name": name} for name in names]}) == PLAY.begin(laid(names, PLAY.key))


def test_what_follows_is_worked_out():
    """The one card that is left in the row, who is at the finish, that nothing happens at a neutral stop."""
    ana, bo = Runner("Ana", at=21, held=2), Runner("Bo", at=3, held=1)
    state = LYING.state(Race((ana, bo), trail=(0, 1, 2, 3), turn="second", facts=BOX, tracking="light"))
    assert state.order == (0, 1, 2, 3, 4) and state.players[ANA].home and not state.players[BO].home
    stopped = Race((Runner("Ana", at=1, held=0), Runner("Bo")), trail=(0, 1, 2, 3, 4), step="stop", moved=1, facts=BOX)
    drawn = LYING.state(stopped)
    assert (drawn.turn, drawn.phase, drawn.players[ANA].held) == (BO, "run", 4)


@every_row(
    "said, fault",
    [
        ({}, "runners: this is needed"),
        ({"runners": []}, "runners: one races the bot, or two race each other without it"),
        ({"runners": [{"name": "Ana"}] * 3}, "runners: one races the bot, or two race each other without it"),
        (
            {"runners": [{"name": "Ana"}, {"name": "Bo"}], "bot": {"at": 2}},
            "runners: one races the bot, or two race each other without it",
        ),
        ({"runners": [{"name": "Ana", "card": 3}]}, 'runners[0]: no key "card"; did you mean "at"?'),
        ({"runners": [{"name": "Ana", "hand": {"blue": 1}}]}, "runners[0].hand"),
        ({"runners": [{"name": "Ana"}], "step": "rest"}, "step: invalid enum value 'rest'"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(said: dict, fault: str):
    with pytest.raises(Malformed, match=re.escape(fault.partition(";")[0])):
        LYING.read(said)


def test_what_does_not_add_up_is_refused_in_full():
    with pytest.raises(Illegal) as refused:
        LYING.read(
            {"runners": [{"name": "Ana", "held": 14}, {"name": "Bo", "out": True, "setbacks": ["sprain", "sprain"]}]}
        )
    assert [reason.code for reason in refused.value.reasons] == ["setback-copies", "deck-count"]


# What does not add up, by the rule it breaks


def said(*runners: Runner, **changes) -> State:
    """Return a race as it was said, whether it adds up or not."""
    usual = {"trail": (0, 1, 2, 3, 4), "facts": BOX}
    return LYING.state(Race(runners or (Runner("Ana"), Runner("Bo")), **{**usual, **changes}))


BO_TOO = Runner("Bo")
EDGE = replace(BOX, cards=(*BOX.cards[:4], replace(trail("y!g."), whole=False)))  # the last card goes on, or ends there
APP = deck(0, 0)

FAULTS = {
    "players": [
        (said(Runner("Ana"), Runner("ana")), "Two players are called Ana; add an initial."),
        (said(Runner("")), "A name has 1 to 40 characters, this one has 0."),
    ],
    "setup-trail": [(said(trail=(0, 0)), "Each of the 5 Trail cards lies in the row once.")],
    "trail-cards": [
        (said(facts=BOX.with_card(1, legs=(), whole=True)), "Trail card 2 cannot be complete without a leg."),
    ],
    "setback-pile": [
        (said(Runner("Ana", setbacks=("sunburn",)), BO_TOO), "There is no Setback \u201csunburn\u201d."),
        (said(setback_discards=("sunburn",)), "There is no Setback \u201csunburn\u201d."),
        (
            said(Runner("Ana", setbacks=("sprain",)), BO_TOO, setback_discards=("sprain",)),
            "Sprain is there in 1 copy; 2 are drawn.",
        ),
        (said(Runner("Ana", setbacks=("cramps",) * 4), BO_TOO), "Cramps is there in 3 copies; 4 are drawn."),
    ],
    "boost-pile": [
        (said(Runner("Ana", boosts=("wings",)), BO_TOO), "There is no Boost \u201cwings\u201d."),
        (said(used=("wings",)), "There is no Boost \u201cwings\u201d."),
        (said(facts=replace(BOX, boosts={"wings": BoostFact()})), "There is no Boost \u201cwings\u201d."),
        (
            said(Runner("Ana", boosts=("flat-out",)), Runner("Bo", boosts=("flat-out",))),
            "Flat Out is there once; it lies in front of a runner already.",
        ),
    ],
    "no-pair": [
        (
            said(facts=replace(BOX, setbacks={"cramps": "red"})),
            "Only these Setbacks show a colour: Stitch, Dehydration, Nausea.",
        ),
    ],
    "deck-cards": [
        (said(Runner("Ana", held=-1), BO_TOO), "Ana cannot have fewer than no cards."),
        (said(Runner("Ana", hand={"green": 5}), BO_TOO), "Ana cannot have fewer than no cards."),
        (said(Runner("Ana", discards={"red": -1}), BO_TOO), "Ana cannot have fewer than no cards."),
        (said(Runner("Ana", hand={"red": 2}, discards={"red": 2}), BO_TOO), "Ana has 4 red cards; a deck has 3."),
        (said(Runner("Ana", hand={"wild": 2}), BO_TOO), "Ana has 2 wild cards; a deck has 1."),
        (
            said(Runner("Ana", held=10, discards={"green": 4}), BO_TOO),
            "Ana has 14 cards in hand and discarded; a deck has 13.",
        ),
        (
            said(Runner("Ana", held=10, untold_discards=4), BO_TOO, tracking="light"),
            "Ana has 14 cards in hand and discarded; a deck has 13.",
        ),
    ],
    "setup-hand": [
        (
            said(Runner("Ana", hand={"red": 1}), BO_TOO, tracking="light"),
            "This table tells only what is played; hands stay untold.",
        )
    ],
    "played": [
        (
            said(Runner("Ana", untold_discards=1), BO_TOO),
            "Hands are told at this table, so all that Ana has discarded is known.",
        )
    ],
    "solo-stops": [
        (but(race(solo=True), BO, setbacks=("sprain",), anyhow=True), "The bot has no cards in front of it."),
        (
            said(Runner("Ana"), bot=Bot(at=2), step="stop", moved=2),
            "No stop does anything to the bot, and it draws no cards.",
        ),
    ],
    "solo-deck": [
        (said(Runner("Ana"), bot=Bot(flipped_before=-1)), "Cards cannot have been flipped fewer than no times before."),
        (
            said(Runner("Ana"), bot=Bot(at=2, discards={"green": 1})),
            "The app would have flipped other cards from its own deck.",
        ),
        (
            said(Runner("Ana"), bot=Bot(at=2, discards={APP[0]: 1}, flipped_before=5)),
            "The app would have flipped other cards from its own deck.",
        ),
    ],
    "solo-flip": [
        (said(Runner("Ana"), bot=Bot(at=3), moved=3), "The bot moves 2 or 4 stops, not 3."),
        (said(Runner("Ana"), to_run=1), "The bot moves 2 or 4 stops, not 1."),
    ],
    "solo-dnf": [
        (said(Runner("Ana", out=True)), "Ana is out, so the bot has won and the race is over."),
    ],
    "finish": [
        (
            said(Runner("Ana", at=22), BO_TOO),
            "Ana stands at 22; the known Trail has 20 legs that end short of the finish.",
        ),
        (
            said(Runner("Ana", at=-1), BO_TOO),
            "Ana stands at -1; the known Trail has 20 legs that end short of the finish.",
        ),
        (
            said(Runner("Ana", at=21, out=True), BO_TOO, turn="second"),
            "Ana stands at 21; the known Trail has 20 legs that end short of the finish.",
        ),
        (
            said(Runner("Ana", at=5), BO_TOO, trail=(0,), facts=CardFacts((BOX.cards[0], *CardFacts().cards[1:]))),
            "Ana stands at 5; the known Trail has 4 legs that end short of the finish.",
        ),
        (
            said(Runner("Ana", at=18), BO_TOO, facts=EDGE),  # may be the finish: that would have been asked
            "Ana stands at 18; the known Trail has 17 legs that end short of the finish.",
        ),
        (
            said(Runner("Ana", at=18), BO_TOO, facts=EDGE, step="stop", moved=1),  # nobody stops before it is asked
            "Ana stands at 18; the known Trail has 17 legs that end short of the finish.",
        ),
        (said(Runner("Ana", at=21), BO_TOO), "Ana has finished and has no turn."),
    ],
    "dnf": [(said(Runner("Ana", out=True), BO_TOO), "Ana is out of the race and has no turn.")],
    "second-finishes": [
        (
            said(Runner("Ana"), Runner("Bo", at=21)),
            "Bo has ended the last round at the finish; the race is over.",
        )
    ],
    "finish-round": [
        (said(step="over"), "The race is not over: somebody still has a turn in it."),
        (said(Runner("Ana", at=21), BO_TOO, step="over"), "The race is not over: somebody still has a turn in it."),
        (said(Runner("Ana", out=True), BO_TOO, step="over"), "The race is not over: somebody still has a turn in it."),
    ],
    "run-on": [(said(moved=1), "Ana stands at 0 and cannot have run 1 leg this turn.")],
    "run-must": [
        (
            said(Runner("Ana", at=2), BO_TOO, step="stop"),
            "Before its stop a turn takes a runner on by one leg at least.",
        ),
        (
            said(Runner("Ana", at=2), BO_TOO, step="draw"),
            "Before its stop a turn takes a runner on by one leg at least.",
        ),
    ],
    "advance": [
        (said(to_run=2), "Legs still to run are brought by a Boost, while cards are played."),
        (
            said(Runner("Ana", at=2), BO_TOO, step="stop", moved=2, to_run=1, used=("flat-out",)),
            "Legs still to run are brought by a Boost, while cards are played.",
        ),
    ],
    "boost-once": [
        (said(used=("flat-out", "flat-out")), "Flat Out cannot have been activated so this turn."),
        (said(used=("eyes-ahead",)), "Eyes Ahead cannot have been activated so this turn."),
        (said(Runner("Ana"), used=("flat-out",)), "Flat Out cannot have been activated so this turn."),
    ],
}


@every_row("state, text", cases(FAULTS))
def test_what_does_not_add_up_is_said_in_one_line(state: State, text: str):
    assert [reason.text for reason in LYING.faults(state)] == [text]


def test_each_of_them_cites_the_rule_it_stands_under():
    for rule, rows in FAULTS.items():
        assert {reason.rule.id for state, _ in rows for reason in LYING.faults(state)} == {rule}


@every_row(
    "state",
    [
        LAST_TURN,
        OVER,
        after(holding(0, 0, 1, 1, at=17, state=race(facts=EDGE)), Run("green")),  # the finish is asked for
        after(race(solo=True), Flip()),
        but(race(solo=True, bot_deck="cards"), BO, at=4),  # set right on the way
    ],
)
def test_what_does_lie_so_comes_back(state: State):
    comes_back(state)


# Whatever is said


def otherwise(said, rng: random.Random):
    """Return what is said with one value in it that is another."""
    if isinstance(said, dict | list) and said and rng.random() < 0.9:
        keys = list(said) if isinstance(said, dict) else range(len(said))
        key = rng.choice(keys)
        copy = said.copy()
        copy[key] = otherwise(said[key], rng)
        return copy
    return rng.choice(
        [-1, 0, 1, 2, 3, 4, 13, 21, "red", "sprain", "flat-out", "second", "stop", "draw", "over", [], ["sprain"]]
    )


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table", [pytest.param(table, id=table.label.replace(" ", "-")) for table in TABLES])
def test_whatever_is_said_is_refused_or_can_be_raced_on(table: Table):
    rng, raced = random.Random(f"{SEED} whatever {table.label}"), 0
    log: list = []
    random_game(table.play, table.setup, rng, log, chatter=0.2)
    state = table.play.begin(table.setup)
    for seat, move in log:
        state = table.play.play(state, seat, move)
        for _ in range(8):
            try:
                lies = LYING.read(otherwise(LYING.plain(state), rng))
            except (Malformed, Illegal):
                continue
            comes_back(lies)
            seats = PLAY.to_move(lies)
            legal = [offer for each in seats for offer in PLAY.offers(lies, each) if offer.legal]
            assert legal or not seats, lies
            raced += 1
    assert raced
