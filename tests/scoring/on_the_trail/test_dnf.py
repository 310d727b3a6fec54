"""ON THE TRAIL: nobody is out who can still run a leg, checked against a search written for that alone."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations

import pytest
from msgspec.structs import replace

from scoring.on_the_trail import PLAY
from scoring.on_the_trail.box import BOOSTS, CARDS, DECK
from scoring.on_the_trail.cards import NONE, choices, minus
from scoring.on_the_trail.facts import BoostFact, CardFacts
from scoring.on_the_trail.moves.card_reveals import TellBoost
from scoring.on_the_trail.moves.run_moves import Activate, DropOut, Run
from scoring.on_the_trail.rules import RULINGS, STRANDING
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import need
from tests.support.cases import cases, every_row
from tests.support.invariants import GAMES_TO_PLAY, SEED, Table
from tests.support.on_the_trail_invariants import TABLES
from tests.support.on_the_trail_table import ANA, BO, BOX, after, but, codes, holding, race, refusals
from tests.support.random_games import random_game

GAMES = -(-GAMES_TO_PLAY // 10) or 40  # at each table; every turn of each is looked at


class Brute:
    """Every play of a hand, card by card: nothing is clever here."""

    def __init__(self, state: State, seat: int):
        player = state.players[seat]
        self.leg = [leg.colour for card in state.order for leg in state.facts.cards[card].legs][player.at]
        self.facts = state.facts
        self.wild_greens = "eyes-ahead" in player.boosts and self.second(state, seat)
        if "exhaustion" in player.setbacks and state.rulings.get("eyes-exhaustion") == "silenced":
            self.wild_greens = False
        self.green_pays = self.wild_greens and state.rulings.get("green-for-cost") != "only-legs"
        self.boosts = [id for id in player.boosts if id not in state.used and id != "eyes-ahead"]
        self.tried: set = set()

    @staticmethod
    def second(state: State, seat: int) -> bool:
        me, other = state.players[seat], state.players[1 - seat]
        if other.out and state.rulings.get("second-alone") != "second":
            return False
        return other.at > me.at or (other.at == me.at and state.rulings.get("level-second") == "second")

    def runs(self, hand: list[str], setbacks: list[str], boosts: list[str], deck: list[str], pile: list[str]) -> bool:
        """Return whether some order of plays runs a leg, whatever luck it takes."""
        state = tuple(map(tuple, map(sorted, (hand, setbacks, boosts, deck, pile))))
        if state in self.tried:
            return False
        self.tried.add(state)
        if any(card == self.leg or card == "wild" or (card == "green" and self.wild_greens) for card in hand):
            return True
        stopped = {self.facts.setbacks[id] for id in setbacks if id in ("stitch", "dehydration", "nausea")}
        if any(one == two != "wild" and one not in stopped for one, two in combinations(hand, 2)):
            return True
        if "exhaustion" in setbacks:
            return False
        return any(
            self.helped(id, paid, hand, setbacks, boosts, deck, pile) for id in boosts for paid in self.paid(id, hand)
        )

    def paid(self, id: str, hand: list[str]) -> Iterator[tuple[str, ...]]:
        cost = self.facts.boosts[id].cost
        for cards in set(permutations(hand, len(cost))):
            wrong = [card for card, asked in zip(cards, cost, strict=True) if asked not in (card, "any")]
            if not wrong or (len(wrong) == 1 and (wrong == ["wild"] or (wrong == ["green"] and self.green_pays))):
                yield cards

    def helped(self, id, paid, hand, setbacks, boosts, deck, pile) -> bool:
        effect = BOOSTS[id].effect
        if effect == "advance":
            return True
        left, others, pile = without(hand, paid), without(boosts, [id]), [*pile, *paid]
        if effect == "shed":
            return any(self.runs(left, without(setbacks, [gone]), others, deck, pile) for gone in set(setbacks))
        if len(deck) >= 3:
            draws = [(cards, without(deck, cards), pile) for cards in set(combinations(sorted(deck), 3))]
        else:
            more = min(3 - len(deck), len(pile))
            draws = [((*deck, *cards), without(pile, cards), []) for cards in set(combinations(sorted(pile), more))]
        return any(self.runs([*left, *cards], setbacks, others, rest, discards) for cards, rest, discards in draws)


def without(cards: list[str], gone) -> list[str]:
    cards = list(cards)
    for card in gone:
        cards.remove(card)
    return cards


def listed(cards: tuple[int, ...]) -> list[str]:
    return [card for card, count in zip(CARDS, cards, strict=True) for _ in range(count)]


def truly_forced(state: State, seat: int, hand: tuple[int, ...]) -> bool:
    """Return whether no play at all runs a leg with this hand."""
    player = state.players[seat]
    deck = listed(minus(minus(DECK, hand), player.discard))
    brute = Brute(state, seat)
    return not brute.runs(listed(hand), list(player.setbacks), brute.boosts, deck, listed(player.discard))


def turns(table: Table, game: int) -> Iterator[tuple[int, State]]:
    """Yield the runners of a random race with the state, each time one has to run a leg and the cards are told."""
    log: list = []
    random_game(table.play, table.setup, random.Random(f"{SEED} {table.label} {game}"), log, chatter=0.1)
    state = table.play.begin(table.setup)
    for seat, move in log:
        if (
            need(state) == "run"
            and not state.moved
            and all(id == "eyes-ahead" or state.facts.boost(id) for id in boosts(state))
        ):
            yield state.turn, state
        state = table.play.play(state, seat, move)


def boosts(state: State) -> tuple[str, ...]:
    return state.players[state.turn].boosts


def tables(tracking: str) -> list:
    return [
        pytest.param(table, id=table.label.replace(" ", "-")) for table in TABLES if table.setup.tracking == tracking
    ]


@cases("table", tables("open"))
def test_a_runner_is_out_only_if_no_play_of_the_hand_runs_a_leg(table: Table):
    looked = 0
    for game in range(GAMES):
        for seat, state in turns(table, game):
            forced = truly_forced(state, seat, state.players[seat].hand)
            assert PLAY.legal(state, seat, DropOut()) == forced, state
            looked += 1
    assert looked


MADE = 2000  # races played at random seldom have few cards in hand and a Boost that helps: such turns are made


def made(rng: random.Random) -> State:
    """Return a turn with at most three cards in hand, any discards, Boosts and Setbacks, by any rulings."""
    costs = {id: rng.choices(("red", "yellow", "green", "any"), k=rng.randint(1, 2)) for id in BOX.boosts}
    cheap = {id: BoostFact(tuple(cost), BOX.boosts[id].legs) for id, cost in costs.items()}
    state = race(
        rulings={ruling.id: rng.choice(ruling.options).id for ruling in RULINGS}, facts=replace(BOX, boosts=cheap)
    )
    discard = tuple(rng.randint(0, count) for count in DECK)
    left = minus(DECK, discard)
    hand = rng.choice(choices(min(rng.randint(0, 3), sum(left)), left))
    setbacks = rng.sample(["stitch", "dehydration", "nausea", "cramps", "exhaustion"], rng.randint(0, 3))
    at = rng.randint(0, 19)
    state = holding(
        *hand, at=at, other_at=rng.choice([0, at, 20]), state=state, discard=discard, setbacks=tuple(setbacks)
    )
    return but(but(state, BO, out=rng.random() < 0.2), ANA, boosts=tuple(rng.sample(sorted(BOOSTS), rng.randint(0, 3))))


@pytest.mark.long("every hand there can be")
def test_with_few_cards_a_runner_is_out_only_if_no_boost_helps_on_either():
    rng, found = random.Random(SEED), Counter()
    for _ in range(MADE):
        state = made(rng)
        hand = state.players[ANA].hand
        forced = truly_forced(state, ANA, hand)
        assert PLAY.legal(state, ANA, DropOut()) == forced, state
        bare = truly_forced(but(state, ANA, boosts=()), ANA, hand)
        found["out" if forced else "only by a Boost" if bare else "by the cards"] += 1
    assert min(found["out"], found["only by a Boost"], found["by the cards"]) > MADE // 50, found


def forced_for_some_hand(state: State, seat: int) -> bool:
    """Return whether one hand at least that a runner may have, for all that is told, runs no leg."""
    player = state.players[seat]
    return any(truly_forced(state, seat, hand) for hand in choices(player.held, minus(DECK, player.discard)))


def draws(state: State, seat: int) -> bool:
    """Return whether a Boost brings cards: then the brute search would have to know what lies in the deck."""
    return any(BOOSTS[id].effect == "draw" for id in state.players[seat].boosts)


@cases("table", tables("light"))
def test_where_hands_are_not_told_a_runner_is_out_only_if_some_hand_they_may_have_runs_no_leg(table: Table):
    looked = 0
    for game in range(GAMES):
        for seat, state in turns(table, game):
            if not draws(state, seat):
                assert PLAY.legal(state, seat, DropOut()) == forced_for_some_hand(state, seat), state
                looked += 1
    assert looked


@pytest.mark.slow("every hand there can be")
def test_where_few_cards_are_held_and_not_told_a_runner_is_out_only_if_some_hand_runs_no_leg():
    rng, found = random.Random(SEED), [0, 0]
    for _ in range(MADE // 4):
        state = made(rng)
        held = state.players[ANA].held
        state = but(replace(state, tracking="light"), ANA, hand=NONE, unseen=held)
        if not draws(state, ANA):
            forced = forced_for_some_hand(state, ANA)
            assert PLAY.legal(state, ANA, DropOut()) == forced, state
            found[forced] += 1
    assert min(found) > MADE // 100, found


# By hand, with the first leg yellow.

NO_WAY = holding(1, 0, 1, 0)
WITH = {id: holding(1, 0, 1, 0, boosts=(id,)) for id in BOOSTS}
STOPPED = holding(2, 0, 0, 0, setbacks=("stitch",))
LEFT = [
    (NO_WAY, True),
    (holding(0, 0, 0, 0), True),
    (holding(1, 0, 1, 1), False),  # the wild
    (holding(2, 0, 0, 0), False),  # a pair
    (STOPPED, True),  # a pair that Stitch forbids
    (holding(2, 0, 1, 0, setbacks=("stitch",), boosts=("cool-off",)), False),  # until Cool Off takes it away
    (
        holding(2, 0, 1, 0, setbacks=("stitch", "exhaustion"), boosts=("cool-off",)),
        True,
    ),  # which nobody exhausted can do
    (WITH["up-the-pace"], False),
    (WITH["intervals"], True),  # two yellows are not there
    (holding(0, 0, 1, 0, boosts=("helping-hand",)), True),
    (holding(1, 0, 1, 0, boosts=("personal-best",)), True),
    (holding(0, 0, 1, 1, boosts=("personal-best",)), False),
    (holding(0, 0, 1, 0, boosts=("eyes-ahead",)), True),  # level is not second
    (holding(0, 0, 1, 0, boosts=("eyes-ahead",), other_at=3), False),
]


@every_row("state, forced", LEFT)
def test_who_is_out_by_hand(state: State, forced: bool):
    assert PLAY.legal(state, ANA, DropOut()) == forced == truly_forced(state, ANA, state.players[ANA].hand)


def test_a_lucky_draw_counts_as_a_way():
    """Red, and two greens that Nausea keeps from being a pair: only Helping Hand's three cards can help."""
    state = holding(1, 0, 2, 0, boosts=("helping-hand",), setbacks=("nausea",))
    assert codes(state, DropOut()) == ["can-run"]
    drawn = after(state, Activate("helping-hand", green=2))
    assert drawn.players[ANA].unseen == 3 and need(drawn) == "hand"
    unlucky = but(drawn, ANA, hand=(2, 0, 2, 0), unseen=0, setbacks=("nausea", "stitch"))
    assert codes(unlucky, DropOut()) == []


def test_the_last_cards_of_a_deck_are_no_luck():
    """Two cards are left in the deck, both green; the third comes from the shuffled discards."""
    discard = (2, 4, 1, 1)
    state = holding(1, 0, 2, 0, boosts=("helping-hand",), setbacks=("nausea",), discard=discard)
    assert state.players[ANA].deck == 2
    assert codes(state, DropOut()) == ["can-run"]


def test_a_boost_nobody_has_told_may_help_and_is_to_be_told_first():
    state = holding(1, 0, 1, 0, state=race(facts=CardFacts(cards=BOX.cards)), boosts=("flat-out",))
    assert need(state) == "boost" and codes(state, DropOut()) == ["first"]
    told = after(state, TellBoost("flat-out", yellow=2, legs=4))
    assert codes(told, DropOut()) == []


REFUSED = {
    "dnf-forced": [
        (holding(0, 1, 1, 0), DropOut(), "can-run"),
        (after(holding(1, 1, 1, 0), Run("yellow")), DropOut(), "has-run"),
    ],
    "stranded": [
        (
            holding(1, 0, 1, 1, boosts=("welcome-break",), setbacks=("cramps",)),
            Activate("welcome-break", wild=1, setback="cramps"),
            "stranded",
        ),
        (
            holding(2, 0, 0, 0, boosts=("welcome-break",), setbacks=("cramps",)),
            Activate("welcome-break", red=1, setback="cramps"),
            "stranded",
        ),
    ],
}


@every_row("state, move, refused_by, rule", refusals(REFUSED))
def test_refused(state: State, move, refused_by: str, rule: str):
    reasons = list(PLAY.objections(state, ANA, move))
    assert [(reason.code, reason.rule.id) for reason in reasons] == [(refused_by, rule)]


def test_where_hands_are_not_told_nobody_strands_themselves_with_their_last_card():
    light = but(race(tracking="light"), ANA, unseen=1, boosts=("welcome-break",), setbacks=("cramps",))
    assert codes(light, Activate("welcome-break", red=1, setback="cramps")) == ["stranded"]
    assert codes(but(light, ANA, unseen=2), Activate("welcome-break", red=1, setback="cramps")) == []


def test_a_table_may_let_people_strand_themselves():
    state = holding(1, 0, 1, 1, boosts=("welcome-break",), setbacks=("cramps",))
    bold = race(rulings={STRANDING.id: "at-your-risk"}, players=state.players)
    assert codes(after(bold, Activate("welcome-break", wild=1, setback="cramps")), DropOut()) == []


def test_whoever_stops_a_pair_does_not_strand_while_a_way_is_left():
    state = holding(2, 0, 1, 0, boosts=("cool-off",), setbacks=("stitch",))
    cleared = after(state, Activate("cool-off", green=1, setback="stitch"))
    assert codes(cleared, DropOut()) == ["can-run"] and codes(cleared, Run("red", pair=True)) == []


@every_row("held, certain", [(0, False), (1, False), (2, False), (3, True), (4, True), (5, True)])
def test_with_three_cards_there_is_always_a_way_and_light_tracking_knows(held: int, certain: bool):
    """One red and one green may be all; a third card is yellow, wild, or makes a pair."""
    light = but(race(tracking="light"), ANA, unseen=held)
    assert codes(light, DropOut()) == (["can-run"] if certain else [])
    with_stitch = but(light, ANA, setbacks=("stitch", "nausea"))
    assert codes(with_stitch, DropOut()) == []
