"""ON THE TRAIL: a runner drops out only if no leg can be run, checked by brute force."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations

import pytest
from msgspec.structs import replace

from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.box import BOOSTS, CARDS, DECK
from scoring.on_the_trail.card_facts import BoostFact, CardFacts
from scoring.on_the_trail.cards import NO_CARDS, card_combinations, subtract_cards
from scoring.on_the_trail.moves.card_reveals import EnterBoost
from scoring.on_the_trail.moves.run_moves import Activate, DropOut, Run
from scoring.on_the_trail.rules import RULINGS, STRANDING
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import required_decision
from tests.support.invariants import GAMES_TO_PLAY, SEED, TableConfig
from tests.support.on_the_trail_invariants import TABLES
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    make_state,
    objection_codes,
    refusal_params,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.random_games import random_game

GAMES = -(-GAMES_TO_PLAY // 10) or 40  # At each table; every turn of each game is checked.


class BruteForce:
    """Brute-force search over every play of a hand, card by card."""

    def __init__(self, state: State, seat: int):
        player = state.players[seat]
        self.leg = [leg.colour for card in state.order for leg in state.facts.cards[card].legs][player.legs_run]
        self.facts = state.facts
        self.wild_greens = "eyes-ahead" in player.boosts and self.second(state, seat)
        if "exhaustion" in player.setbacks and state.rulings.get("eyes-exhaustion") == "silenced":
            self.wild_greens = False
        self.green_pays = self.wild_greens and state.rulings.get("green-for-cost") != "only-legs"
        self.boosts = [id for id in player.boosts if id not in state.used and id != "eyes-ahead"]
        self.tried: set = set()

    @staticmethod
    def second(state: State, seat: int) -> bool:
        runner, opponent = state.players[seat], state.players[1 - seat]
        if opponent.out and state.rulings.get("second-alone") != "second":
            return False
        return opponent.legs_run > runner.legs_run or (
            opponent.legs_run == runner.legs_run and state.rulings.get("level-second") == "second"
        )

    def can_run(
        self, hand: list[str], setbacks: list[str], boosts: list[str], deck: list[str], pile: list[str]
    ) -> bool:
        """Return whether the cards and Boosts run a leg in some order, with any luck."""
        state = tuple(map(tuple, map(sorted, (hand, setbacks, boosts, deck, pile))))
        if state in self.tried:
            return False
        self.tried.add(state)
        if any(card == self.leg or card == "wild" or (card == "green" and self.wild_greens) for card in hand):
            return True
        stopped = {self.facts.setbacks[id] for id in setbacks if id in ("stitch", "dehydration", "nausea")}
        if any(first == second != "wild" and first not in stopped for first, second in combinations(hand, 2)):
            return True
        if "exhaustion" in setbacks:
            return False
        return any(
            self.can_run_with_boost(id, paid, hand, setbacks, boosts, deck, pile)
            for id in boosts
            for paid in self.payments(id, hand)
        )

    def payments(self, id: str, hand: list[str]) -> Iterator[tuple[str, ...]]:
        cost = self.facts.boosts[id].cost
        for cards in set(permutations(hand, len(cost))):
            wrong = [card for card, cost_card in zip(cards, cost, strict=True) if cost_card not in (card, "any")]
            if not wrong or (len(wrong) == 1 and (wrong == ["wild"] or (wrong == ["green"] and self.green_pays))):
                yield cards

    def can_run_with_boost(self, id, paid, hand, setbacks, boosts, deck, pile) -> bool:
        effect = BOOSTS[id].effect
        if effect == "advance":
            return True
        left, other_boosts, pile = without_cards(hand, paid), without_cards(boosts, [id]), [*pile, *paid]
        if effect == "shed":
            return any(
                self.can_run(left, without_cards(setbacks, [setback]), other_boosts, deck, pile)
                for setback in set(setbacks)
            )
        if len(deck) >= 3:
            draws = [(cards, without_cards(deck, cards), pile) for cards in set(combinations(sorted(deck), 3))]
        else:
            more = min(3 - len(deck), len(pile))
            draws = [
                ((*deck, *cards), without_cards(pile, cards), []) for cards in set(combinations(sorted(pile), more))
            ]
        return any(
            self.can_run([*left, *cards], setbacks, other_boosts, remaining_deck, discards)
            for cards, remaining_deck, discards in draws
        )


def without_cards(cards: list[str], removed) -> list[str]:
    cards = list(cards)
    for card in removed:
        cards.remove(card)
    return cards


def list_cards(cards: tuple[int, ...]) -> list[str]:
    return [card for card, count in zip(CARDS, cards, strict=True) for _ in range(count)]


def is_forced(state: State, seat: int, hand: tuple[int, ...]) -> bool:
    """Return whether no card, pair or Boost runs a leg with this hand."""
    player = state.players[seat]
    deck = list_cards(subtract_cards(subtract_cards(DECK, hand), player.discard))
    brute = BruteForce(state, seat)
    return not brute.can_run(list_cards(hand), list(player.setbacks), brute.boosts, deck, list_cards(player.discard))


def random_turns(table: TableConfig, game: int) -> Iterator[tuple[int, State]]:
    """Yield (seat, state) of a random race wherever a leg must be run and its cards are known."""
    log: list = []
    random_game(table.tracked, table.setup, random.Random(f"{SEED} {table.label} {game}"), log, out_of_turn_chance=0.1)
    state = table.tracked.initial_state(table.setup)
    for seat, move in log:
        if (
            required_decision(state) == "run"
            and not state.moved
            and all(id == "eyes-ahead" or state.facts.known_boost(id) for id in current_boosts(state))
        ):
            yield state.turn, state
        state = table.tracked.play(state, seat, move)


def current_boosts(state: State) -> tuple[str, ...]:
    return state.players[state.turn].boosts


def table_params(tracking: str) -> list:
    return [
        pytest.param(table, id=table.label.replace(" ", "-")) for table in TABLES if table.setup.tracking == tracking
    ]


@parametrize_cases("table", table_params("open"))
def test_drop_out_is_legal_only_if_no_play_of_the_hand_runs_a_leg(table: TableConfig):
    looked = 0
    for game in range(GAMES):
        for seat, state in random_turns(table, game):
            forced = is_forced(state, seat, state.players[seat].hand)
            assert TRACKED_GAME.is_legal(state, seat, DropOut()) == forced, state
            looked += 1
    assert looked


# Random races rarely have few cards in hand and a Boost that helps, so such turns are constructed.
RANDOM_TURNS = 2000


def random_turn(rng: random.Random) -> State:
    """Return a turn with at most three cards and random discards, Boosts, Setbacks and rulings."""
    costs = {id: rng.choices(("red", "yellow", "green", "any"), k=rng.randint(1, 2)) for id in CARD_FACTS.boosts}
    cheap = {id: BoostFact(tuple(cost), CARD_FACTS.boosts[id].legs) for id, cost in costs.items()}
    state = make_state(
        rulings={ruling.id: rng.choice(ruling.options).id for ruling in RULINGS},
        facts=replace(CARD_FACTS, boosts=cheap),
    )
    discard = tuple(rng.randint(0, count) for count in DECK)
    left = subtract_cards(DECK, discard)
    hand = rng.choice(card_combinations(min(rng.randint(0, 3), sum(left)), left))
    setbacks = rng.sample(["stitch", "dehydration", "nausea", "cramps", "exhaustion"], rng.randint(0, 3))
    legs_run = rng.randint(0, 19)
    state = state_with_hand(
        *hand,
        at=legs_run,
        other_at=rng.choice([0, legs_run, 20]),
        state=state,
        discard=discard,
        setbacks=tuple(setbacks),
    )
    return with_changes(
        with_changes(state, BO, out=rng.random() < 0.2),
        ANA,
        boosts=tuple(rng.sample(sorted(BOOSTS), rng.randint(0, 3))),
    )


@pytest.mark.long("every hand there can be")
def test_drop_out_with_few_cards_is_legal_only_if_no_boost_helps():
    rng, found = random.Random(SEED), Counter()
    for _ in range(RANDOM_TURNS):
        state = random_turn(rng)
        hand = state.players[ANA].hand
        forced = is_forced(state, ANA, hand)
        assert TRACKED_GAME.is_legal(state, ANA, DropOut()) == forced, state
        bare = is_forced(with_changes(state, ANA, boosts=()), ANA, hand)
        found["out" if forced else "only by a Boost" if bare else "by the cards"] += 1
    assert min(found["out"], found["only by a Boost"], found["by the cards"]) > RANDOM_TURNS // 50, found


def is_forced_for_some_hand(state: State, seat: int) -> bool:
    """Return whether at least one possible hand of a runner runs no leg."""
    player = state.players[seat]
    return any(
        is_forced(state, seat, hand) for hand in card_combinations(player.held, subtract_cards(DECK, player.discard))
    )


def has_drawing_boost(state: State, seat: int) -> bool:
    """Return whether a Boost draws cards, so that the search would need to know the deck."""
    return any(BOOSTS[id].effect == "draw" for id in state.players[seat].boosts)


@parametrize_cases("table", table_params("light"))
def test_drop_out_with_an_unknown_hand_is_legal_only_if_some_hand_runs_no_leg(table: TableConfig):
    looked = 0
    for game in range(GAMES):
        for seat, state in random_turns(table, game):
            if not has_drawing_boost(state, seat):
                assert TRACKED_GAME.is_legal(state, seat, DropOut()) == is_forced_for_some_hand(state, seat), state
                looked += 1
    assert looked


@pytest.mark.slow("every hand there can be")
def test_drop_out_with_few_unknown_cards_is_legal_only_if_some_hand_runs_no_leg():
    rng, found = random.Random(SEED), [0, 0]
    for _ in range(RANDOM_TURNS // 4):
        state = random_turn(rng)
        held = state.players[ANA].held
        state = with_changes(replace(state, tracking="light"), ANA, hand=NO_CARDS, unknown_hand=held)
        if not has_drawing_boost(state, ANA):
            forced = is_forced_for_some_hand(state, ANA)
            assert TRACKED_GAME.is_legal(state, ANA, DropOut()) == forced, state
            found[forced] += 1
    assert min(found) > RANDOM_TURNS // 100, found


# Hand-written cases with a yellow first leg.

NO_WAY = state_with_hand(1, 0, 1, 0)
WITH_BOOST = {id: state_with_hand(1, 0, 1, 0, boosts=(id,)) for id in BOOSTS}
STOPPED = state_with_hand(2, 0, 0, 0, setbacks=("stitch",))
LEFT = [
    (NO_WAY, True),
    (state_with_hand(0, 0, 0, 0), True),
    (state_with_hand(1, 0, 1, 1), False),  # The wild card.
    (state_with_hand(2, 0, 0, 0), False),  # A pair.
    (STOPPED, True),  # A pair that Stitch forbids.
    (state_with_hand(2, 0, 1, 0, setbacks=("stitch",), boosts=("cool-off",)), False),  # Until Cool Off removes Stitch.
    # An exhausted runner cannot do this.
    (state_with_hand(2, 0, 1, 0, setbacks=("stitch", "exhaustion"), boosts=("cool-off",)), True),
    (WITH_BOOST["up-the-pace"], False),
    (WITH_BOOST["intervals"], True),  # There are no two yellow cards.
    (state_with_hand(0, 0, 1, 0, boosts=("helping-hand",)), True),
    (state_with_hand(1, 0, 1, 0, boosts=("personal-best",)), True),
    (state_with_hand(0, 0, 1, 1, boosts=("personal-best",)), False),
    (state_with_hand(0, 0, 1, 0, boosts=("eyes-ahead",)), True),  # A tied runner is not second.
    (state_with_hand(0, 0, 1, 0, boosts=("eyes-ahead",), other_at=3), False),
]


@run_all_rows("state, forced", LEFT)
def test_drop_out_in_a_hand_written_case(state: State, forced: bool):
    assert TRACKED_GAME.is_legal(state, ANA, DropOut()) == forced == is_forced(state, ANA, state.players[ANA].hand)


def test_lucky_draw_counts_as_a_way_to_run():
    """One red and two green that Nausea keeps from being a pair: only Helping Hand can help."""
    state = state_with_hand(1, 0, 2, 0, boosts=("helping-hand",), setbacks=("nausea",))
    assert objection_codes(state, DropOut()) == ["can-run"]
    drawn = state_after(state, Activate("helping-hand", green=2))
    assert drawn.players[ANA].unknown_hand == 3 and required_decision(drawn) == "hand"
    unlucky = with_changes(drawn, ANA, hand=(2, 0, 2, 0), unknown_hand=0, setbacks=("nausea", "stitch"))
    assert objection_codes(unlucky, DropOut()) == []


def test_last_cards_of_a_deck_are_certain():
    """The deck has two green cards left; the third comes from the shuffled discards."""
    discard = (2, 4, 1, 1)
    state = state_with_hand(1, 0, 2, 0, boosts=("helping-hand",), setbacks=("nausea",), discard=discard)
    assert state.players[ANA].deck == 2
    assert objection_codes(state, DropOut()) == ["can-run"]


def test_unknown_boost_must_be_entered_before_dropping_out():
    state = state_with_hand(1, 0, 1, 0, state=make_state(facts=CardFacts(cards=CARD_FACTS.cards)), boosts=("flat-out",))
    assert required_decision(state) == "boost" and objection_codes(state, DropOut()) == ["first"]
    entered = state_after(state, EnterBoost("flat-out", yellow=2, legs=4))
    assert objection_codes(entered, DropOut()) == []


REFUSED = {
    "dnf-forced": [
        (state_with_hand(0, 1, 1, 0), DropOut(), "can-run"),
        (state_after(state_with_hand(1, 1, 1, 0), Run("yellow")), DropOut(), "has-run"),
    ],
    "stranded": [
        (
            state_with_hand(1, 0, 1, 1, boosts=("welcome-break",), setbacks=("cramps",)),
            Activate("welcome-break", wild=1, setback="cramps"),
            "stranded",
        ),
        (
            state_with_hand(2, 0, 0, 0, boosts=("welcome-break",), setbacks=("cramps",)),
            Activate("welcome-break", red=1, setback="cramps"),
            "stranded",
        ),
    ],
}


@run_all_rows("state, move, refused_by, rule", refusal_params(REFUSED))
def test_move_is_refused_by_its_rule(state: State, move, refused_by: str, rule: str):
    reasons = list(TRACKED_GAME.objections(state, ANA, move))
    assert [(reason.code, reason.rule.id) for reason in reasons] == [(refused_by, rule)]


def test_last_unknown_card_cannot_be_played_if_it_leaves_the_runner_stranded():
    light = with_changes(
        make_state(tracking="light"), ANA, unknown_hand=1, boosts=("welcome-break",), setbacks=("cramps",)
    )
    assert objection_codes(light, Activate("welcome-break", red=1, setback="cramps")) == ["stranded"]
    assert (
        objection_codes(with_changes(light, ANA, unknown_hand=2), Activate("welcome-break", red=1, setback="cramps"))
        == []
    )


def test_ruling_allows_players_to_strand_themselves():
    state = state_with_hand(1, 0, 1, 1, boosts=("welcome-break",), setbacks=("cramps",))
    bold = make_state(rulings={STRANDING.id: "at-your-risk"}, players=state.players)
    assert objection_codes(state_after(bold, Activate("welcome-break", wild=1, setback="cramps")), DropOut()) == []


def test_removing_stitch_for_a_pair_does_not_strand_the_runner():
    state = state_with_hand(2, 0, 1, 0, boosts=("cool-off",), setbacks=("stitch",))
    cleared = state_after(state, Activate("cool-off", green=1, setback="stitch"))
    assert objection_codes(cleared, DropOut()) == ["can-run"] and objection_codes(cleared, Run("red", pair=True)) == []


@run_all_rows("held, certain", [(0, False), (1, False), (2, False), (3, True), (4, True), (5, True)])
def test_three_unknown_cards_always_run_a_leg_in_light_tracking(held: int, certain: bool):
    """One red and one green may be all; a third card is yellow, wild, or makes a pair."""
    light = with_changes(make_state(tracking="light"), ANA, unknown_hand=held)
    assert objection_codes(light, DropOut()) == (["can-run"] if certain else [])
    with_stitch = with_changes(light, ANA, setbacks=("stitch", "nausea"))
    assert objection_codes(with_stitch, DropOut()) == []
