"""ON THE TRAIL: every Boost, what it costs with and without the wild, and Eyes Ahead."""

from msgspec.structs import replace

from scoring.on_the_trail import PLAY
from scoring.on_the_trail.box import BOOSTS
from scoring.on_the_trail.facts import BoostFact, CardFacts
from scoring.on_the_trail.moves.card_reveals import TellBoost
from scoring.on_the_trail.moves.run_moves import Activate, DropOut, Run, Stay
from scoring.on_the_trail.moves.stops import TakeBoost, TakeSetback
from scoring.on_the_trail.rules import BEHIND_NOBODY, EYES_EXHAUSTION, GREEN_FOR_COST, LEVEL_SECOND
from scoring.on_the_trail.state import State
from tests.support.cases import every_row
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    BOX,
    after,
    but,
    cases,
    cited,
    codes,
    holding,
    race,
    refusals,
    sentences,
    shown,
)


def having(*boosts: str, hand=(2, 2, 2, 1), **changes) -> State:
    return holding(*hand, boosts=boosts, **changes)


EYES = having("eyes-ahead", hand=(1, 0, 3, 0), other_at=2)
BEHIND_THE_BOT = but(  # at the finish it is still in the race
    race(solo=True)
    .with_player(BO, at=21, home=True)
    .with_player(ANA, hand=(1, 0, 3, 0), unseen=0, boosts=("eyes-ahead",)),
    turn=ANA,
    phase="run",
)
SET_BACK = {"setbacks": ("sprain", "cramps")}

OUTCOMES = {
    "advance": [
        (having("up-the-pace"), [Activate("up-the-pace", red=1, green=1)], {"at": 2, "moved": 2, "hand": (1, 2, 1, 1)}),
        (having("intervals"), [Activate("intervals", yellow=2)], {"at": 3, "hand": (2, 0, 2, 1), "steps": 0}),
        (having("flat-out"), [Activate("flat-out", red=2, green=1)], {"at": 4, "hand": (0, 2, 1, 1)}),
        (having("flat-out"), [Activate("flat-out", red=2, yellow=1)], {"at": 4, "hand": (0, 1, 2, 1)}),
        (
            having("runners-high"),
            [Activate("runners-high", red=1, yellow=1, green=1)],
            {"at": 5, "discard": (1, 1, 1, 0)},
        ),
    ],
    "boost-wild": [
        (having("up-the-pace"), [Activate("up-the-pace", red=1, wild=1)], {"at": 2, "hand": (1, 2, 2, 0)}),
        (having("up-the-pace"), [Activate("up-the-pace", green=1, wild=1)], {"at": 2, "hand": (2, 2, 1, 0)}),
        (having("intervals"), [Activate("intervals", yellow=1, wild=1)], {"at": 3}),
        (having("flat-out"), [Activate("flat-out", red=2, wild=1)], {"at": 4}),
        (having("flat-out"), [Activate("flat-out", red=1, yellow=1, wild=1)], {"at": 4}),
        (having("cool-off", **SET_BACK), [Activate("cool-off", wild=1, setback="sprain")], {"setbacks": ("cramps",)}),
    ],
    "shed": [
        (
            having("cool-off", **SET_BACK),
            [Activate("cool-off", green=1, setback="cramps")],
            {"setbacks": ("sprain",), "moved": 0},
        ),
        (
            having("fire-pit-pitstop", **SET_BACK),
            [Activate("fire-pit-pitstop", yellow=1, setback="sprain")],
            {"setbacks": ("cramps",)},
        ),
        (
            having("welcome-break", **SET_BACK),
            [Activate("welcome-break", red=1, setback="sprain")],
            {"setbacks": ("cramps",), "setback_discard": ("sprain",), "used": ("welcome-break",)},
        ),
    ],
    "draw-three": [
        (having("helping-hand"), [Activate("helping-hand", green=2)], {"hand": (2, 2, 0, 1), "unseen": 3, "at": 0}),
        (having("personal-best"), [Activate("personal-best", yellow=1, green=1)], {"unseen": 3, "held": 8}),
        (
            but(race(tracking="light"), ANA, boosts=("helping-hand",)),
            [Activate("helping-hand", green=2)],
            {"unseen": 5, "discard": (0, 0, 2, 0)},
        ),
    ],
    "boost-order": [
        (
            having("cool-off", "up-the-pace", **SET_BACK),
            [Activate("cool-off", green=1, setback="sprain"), Activate("up-the-pace", red=1, green=1)],
            {"at": 2, "setbacks": ("cramps",)},
        ),
    ],
    "boost-any-time": [
        (having("up-the-pace"), [Activate("up-the-pace", red=1, green=1), Run("green")], {"at": 3, "moved": 3}),
        (
            having("up-the-pace"),
            [Run("yellow"), Activate("up-the-pace", red=1, green=1), Run("yellow")],
            {"at": 4, "moved": 4},
        ),
        (
            having("up-the-pace"),
            [Run("yellow"), Run("red"), Activate("up-the-pace", red=1, green=1)],
            {"at": 4, "moved": 4},
        ),
    ],
    "boost-next-turn": [
        (
            but(race(tracking="light"), ANA, at=3, unseen=1),
            [Run("yellow"), TakeBoost("up-the-pace"), Run("yellow"), Stay(), Activate("up-the-pace", red=1, green=1)],
            {"at": 6, "turn": ANA},
        )
    ],
    "boost-kept": [(having("up-the-pace"), [Activate("up-the-pace", red=1, green=1)], {"boosts": ("up-the-pace",)})],
    "advance-runs": [
        (having("up-the-pace"), [Activate("up-the-pace", red=1, green=1), Stay("red")], {"phase": "effect", "at": 2})
    ],
    "surplus": [
        (having("flat-out", at=19), [Activate("flat-out", red=2, green=1)], {"at": 21, "home": True, "held": 4})
    ],
    "eyes-ahead": [
        (EYES, [Run("green")], {"at": 1, "hand": (1, 0, 2, 0)}),
        (EYES, [Run("green"), Run("green")], {"at": 2, "hand": (1, 0, 1, 0)}),
    ],
    "level": [
        (
            having("eyes-ahead", hand=(1, 0, 3, 0), state=race(rulings={LEVEL_SECOND.id: "second"})),
            [Run("green")],
            {"at": 1},
        ),
    ],
    "second-alone": [
        (BEHIND_THE_BOT, [Run("green")], {"at": 1}),
        (
            race(rulings={BEHIND_NOBODY.id: "second"}, players=but(EYES, BO, out=True).players),
            [Run("green")],
            {"at": 1},
        ),
    ],
    "eyes-exhausted": [(but(EYES, ANA, setbacks=("exhaustion",)), [Run("green")], {"at": 1})],
    "green-pays": [
        (
            having("eyes-ahead", "intervals", hand=(0, 1, 1, 0), other_at=4),
            [Activate("intervals", yellow=1, green=1)],
            {"at": 3, "discard": (0, 1, 1, 0)},
        )
    ],
}


@every_row("state, moves, wanted", cases(OUTCOMES))
def test_what_comes_of_it(state, moves, wanted):
    assert shown(after(state, *moves), wanted) == wanted


UNTOLD = having(
    "flat-out", "up-the-pace", state=race(facts=CardFacts(BOX.cards, {"up-the-pace": BOX.boosts["up-the-pace"]}))
)
USED = after(having("up-the-pace"), Activate("up-the-pace", red=1, green=1))
REFUSED = {
    "boost-cost": [
        (having("up-the-pace"), Activate("up-the-pace", red=2), "cost"),
        (having("up-the-pace"), Activate("up-the-pace", red=1), "cost"),
        (having("up-the-pace"), Activate("up-the-pace", red=1, green=1, wild=1), "cost"),
        (having("up-the-pace"), Activate("up-the-pace", red=3, green=-1), "cost"),
        (having("runners-high"), Activate("runners-high", red=2, yellow=1), "cost"),
        (having("eyes-ahead", "intervals", hand=(0, 0, 2, 0), other_at=4), Activate("intervals", green=2), "cost"),
        (having("intervals"), Activate("up-the-pace", red=1, green=1), "not-your-boost"),
        (having(), Activate("wings"), "not-your-boost"),
        (UNTOLD, Activate("flat-out", red=2, green=1), "not-told"),
    ],
    "played": [(having("intervals", hand=(2, 1, 0, 0)), Activate("intervals", yellow=2), "not-in-hand")],
    "boost-once": [(USED, Activate("up-the-pace", red=1, green=1), "once")],
    "eyes-ahead": [
        (having("eyes-ahead"), Activate("eyes-ahead"), "by-itself"),
        # It helps only whoever is behind.
        (having("eyes-ahead", hand=(1, 0, 3, 0), at=1, other_at=0), Run("green"), "not-second"),
        (but(after(EYES, Run("green"), Run("green")), ANA, at=3), Run("green"), "not-second"),
    ],
    "shed": [
        (having("cool-off"), Activate("cool-off", green=1), "no-setback"),
        (having("cool-off", **SET_BACK), Activate("cool-off", green=1, setback="blisters"), "no-setback"),
        (having("cool-off", **SET_BACK), Activate("cool-off", green=1), "no-setback"),
        (having("up-the-pace", **SET_BACK), Activate("up-the-pace", red=1, green=1, setback="sprain"), "no-setback"),
    ],
    "level": [
        (having("eyes-ahead", hand=(1, 0, 3, 0)), Run("green"), "not-second"),
        (having("eyes-ahead", hand=(1, 0, 3, 0), at=1), Run("green"), "not-second"),
    ],
    "second-alone": [
        (but(EYES, BO, out=True), Run("green"), "not-second"),
        (
            race(rulings={LEVEL_SECOND.id: "second"}, players=but(EYES, BO, out=True, at=0).players),
            Run("green"),
            "not-second",
        ),
    ],
    "eyes-exhausted": [
        (
            race(rulings={EYES_EXHAUSTION.id: "silenced"}, players=but(EYES, ANA, setbacks=("exhaustion",)).players),
            Run("green"),
            "eyes-shut",
        )
    ],
    "dnf-forced": [(EYES, DropOut(), "can-run")],
    "boost-rescue": [
        (
            but(race(tracking="light", facts=replace(BOX, boosts={})), ANA, unseen=2, boosts=("flat-out",)),
            DropOut(),
            "not-told",
        )
    ],
}


@every_row("state, move, refused_by, rule", refusals(REFUSED))
def test_refused(state, move, refused_by, rule):
    assert [(reason.code, reason.rule.id) for reason in PLAY.objections(state, ANA, move)] == [(refused_by, rule)]


SAID = {
    "eyes-ahead": [
        (
            having("eyes-ahead", hand=(1, 0, 3, 0), at=1, other_at=0),
            Run("green"),
            "Eyes Ahead helps whoever is behind; you are ahead.",
        )
    ],
    "level": [
        (
            having("eyes-ahead", hand=(1, 0, 3, 0)),
            Run("green"),
            "Eyes Ahead works while you are in second place; you are level.",
        )
    ],
    "dnf-forced": [
        (EYES, DropOut(), "You can still run the yellow leg with a green card."),
        (having(hand=(0, 1, 1, 0)), DropOut(), "You can still run the yellow leg with a yellow card."),
        (having(hand=(0, 0, 1, 1)), DropOut(), "You can still run the yellow leg with the wild card."),
        (having(hand=(2, 0, 1, 0)), DropOut(), "You can still run the yellow leg with two red cards."),
        (
            race(tracking="light"),
            DropOut(),
            "With 4 cards in hand there is always a way to run the next leg.",
        ),
    ],
    "boost-rescue": [
        (
            having("intervals", "up-the-pace", hand=(1, 0, 1, 0)),
            DropOut(),
            "You can still run the yellow leg with the help of Up the Pace.",
        ),
        (
            having("helping-hand", hand=(1, 0, 2, 0), setbacks=("nausea",)),
            DropOut(),
            "You can still run the yellow leg with the help of Helping Hand.",
        ),
        (
            having("up-the-pace", "cool-off", hand=(2, 0, 1, 0), setbacks=("stitch", "cramps")),
            DropOut(),
            "You can still run the yellow leg with the help of Up the Pace.",
        ),
        (
            having("cool-off", hand=(2, 0, 1, 0), setbacks=("stitch",)),
            DropOut(),
            "You can still run the yellow leg with the help of Cool Off.",
        ),
        (
            but(race(tracking="light"), ANA, boosts=("up-the-pace",)),
            DropOut(),
            "With 4 cards in hand and your Boosts there is always a way to run the next leg.",
        ),
    ],
}


@every_row("state, move, said", cases(SAID))
def test_a_refusal_names_what_helps_or_does_not(state, move, said):
    assert sentences(state, move) == [said]


def test_a_green_is_no_wild_for_a_cost_where_the_table_says_so():
    state = having("eyes-ahead", "intervals", hand=(0, 1, 1, 0), other_at=4)
    strict = race(rulings={GREEN_FOR_COST.id: "only-legs"}, players=state.players)
    assert codes(strict, Activate("intervals", yellow=1, green=1)) == ["cost"]


def test_a_boost_drawn_now_is_activated_from_the_next_turn_on():
    state = after(having("cool-off", hand=(0, 1, 0, 0), at=3), Run("yellow"), TakeBoost("up-the-pace"))
    assert PLAY.to_move(state) == (BO,)
    assert codes(state, Activate("up-the-pace", red=1, green=1)) == ["not-your-turn"]


def test_boosts_work_anew_in_the_next_turn():
    assert USED.used == ("up-the-pace",)
    assert after(USED, Stay("red"), TakeSetback("im-fine")).used == ()


def test_what_stands_on_a_boost_is_told_in_one_go():
    state = after(UNTOLD, TellBoost("flat-out", red=2, any=1, legs=4))
    assert state.facts.boosts["flat-out"] == BoostFact(("red", "red", "any"), 4)
    assert codes(state, Activate("flat-out", red=2, green=1)) == []


@every_row(
    "move, code",
    [
        (TellBoost("cool-off"), "boost-cost"),  # a form sent as it stood
        (TellBoost("flat-out", legs=4), "boost-cost"),
        (TellBoost("flat-out", red=2), "boost-legs"),
        (TellBoost("flat-out", red=2, legs=0), "boost-legs"),
        (TellBoost("flat-out", red=2, legs=10), "boost-legs"),
        (TellBoost("flat-out", red=4, any=3, legs=2), "boost-cost"),
        (TellBoost("flat-out", red=-1, any=3, legs=2), "boost-cost"),
        (TellBoost("cool-off", red=1, legs=2), "brings-no-legs"),
        (TellBoost("eyes-ahead", red=1), "no-cost"),
        (TellBoost("up-the-pace", red=1, green=1, legs=2), "no-change"),
        (TellBoost("wings", red=1), "no-such-boost"),
    ],
)
def test_what_no_boost_says_is_refused(move, code):
    assert codes(UNTOLD, move) == [code] and cited(UNTOLD, move)


def test_every_boost_has_a_case_of_its_own():
    tried = {id for rows in OUTCOMES.values() for state, _, _ in rows for id in state.players[ANA].boosts}
    assert tried == set(BOOSTS)
