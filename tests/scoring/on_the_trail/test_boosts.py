"""ON THE TRAIL: every Boost, its cost with and without wild cards, and Eyes Ahead."""

from msgspec.structs import replace

from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.box import BOOSTS
from scoring.on_the_trail.card_facts import BoostFact, CardFacts
from scoring.on_the_trail.moves.card_reveals import EnterBoost
from scoring.on_the_trail.moves.run_moves import Activate, DropOut, Run, Stay
from scoring.on_the_trail.moves.stops import TakeBoost, TakeSetback
from scoring.on_the_trail.rules import BEHIND_NOBODY, EYES_EXHAUSTION, GREEN_FOR_COST, LEVEL_SECOND
from scoring.on_the_trail.state import State
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    case_params,
    make_state,
    objection_codes,
    objection_rules,
    objection_texts,
    refusal_params,
    select_fields,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows


def state_with_boosts(*boosts: str, hand=(2, 2, 2, 1), **changes) -> State:
    return state_with_hand(*hand, boosts=boosts, **changes)


EYES_AHEAD = state_with_boosts("eyes-ahead", hand=(1, 0, 3, 0), other_at=2)
# A bot at the finish is still in the race.
BEHIND_THE_BOT = with_changes(
    make_state(solo=True)
    .with_player(BO, legs_run=21, finished=True)
    .with_player(ANA, hand=(1, 0, 3, 0), unknown_hand=0, boosts=("eyes-ahead",)),
    turn=ANA,
    phase="run",
)
SET_BACK = {"setbacks": ("sprain", "cramps")}

OUTCOMES = {
    "advance": [
        (
            state_with_boosts("up-the-pace"),
            [Activate("up-the-pace", red=1, green=1)],
            {"legs_run": 2, "moved": 2, "hand": (1, 2, 1, 1)},
        ),
        (
            state_with_boosts("intervals"),
            [Activate("intervals", yellow=2)],
            {"legs_run": 3, "hand": (2, 0, 2, 1), "legs_to_run": 0},
        ),
        (state_with_boosts("flat-out"), [Activate("flat-out", red=2, green=1)], {"legs_run": 4, "hand": (0, 2, 1, 1)}),
        (state_with_boosts("flat-out"), [Activate("flat-out", red=2, yellow=1)], {"legs_run": 4, "hand": (0, 1, 2, 1)}),
        (
            state_with_boosts("runners-high"),
            [Activate("runners-high", red=1, yellow=1, green=1)],
            {"legs_run": 5, "discard": (1, 1, 1, 0)},
        ),
    ],
    "boost-wild": [
        (
            state_with_boosts("up-the-pace"),
            [Activate("up-the-pace", red=1, wild=1)],
            {"legs_run": 2, "hand": (1, 2, 2, 0)},
        ),
        (
            state_with_boosts("up-the-pace"),
            [Activate("up-the-pace", green=1, wild=1)],
            {"legs_run": 2, "hand": (2, 2, 1, 0)},
        ),
        (state_with_boosts("intervals"), [Activate("intervals", yellow=1, wild=1)], {"legs_run": 3}),
        (state_with_boosts("flat-out"), [Activate("flat-out", red=2, wild=1)], {"legs_run": 4}),
        (state_with_boosts("flat-out"), [Activate("flat-out", red=1, yellow=1, wild=1)], {"legs_run": 4}),
        (
            state_with_boosts("cool-off", **SET_BACK),
            [Activate("cool-off", wild=1, setback="sprain")],
            {"setbacks": ("cramps",)},
        ),
    ],
    "shed": [
        (
            state_with_boosts("cool-off", **SET_BACK),
            [Activate("cool-off", green=1, setback="cramps")],
            {"setbacks": ("sprain",), "moved": 0},
        ),
        (
            state_with_boosts("fire-pit-pitstop", **SET_BACK),
            [Activate("fire-pit-pitstop", yellow=1, setback="sprain")],
            {"setbacks": ("cramps",)},
        ),
        (
            state_with_boosts("welcome-break", **SET_BACK),
            [Activate("welcome-break", red=1, setback="sprain")],
            {"setbacks": ("cramps",), "setback_discard": ("sprain",), "used": ("welcome-break",)},
        ),
    ],
    "draw-three": [
        (
            state_with_boosts("helping-hand"),
            [Activate("helping-hand", green=2)],
            {"hand": (2, 2, 0, 1), "unknown_hand": 3, "legs_run": 0},
        ),
        (
            state_with_boosts("personal-best"),
            [Activate("personal-best", yellow=1, green=1)],
            {"unknown_hand": 3, "held": 8},
        ),
        (
            with_changes(make_state(tracking="light"), ANA, boosts=("helping-hand",)),
            [Activate("helping-hand", green=2)],
            {"unknown_hand": 5, "discard": (0, 0, 2, 0)},
        ),
    ],
    "boost-order": [
        (
            state_with_boosts("cool-off", "up-the-pace", **SET_BACK),
            [Activate("cool-off", green=1, setback="sprain"), Activate("up-the-pace", red=1, green=1)],
            {"legs_run": 2, "setbacks": ("cramps",)},
        ),
    ],
    "boost-any-time": [
        (
            state_with_boosts("up-the-pace"),
            [Activate("up-the-pace", red=1, green=1), Run("green")],
            {"legs_run": 3, "moved": 3},
        ),
        (
            state_with_boosts("up-the-pace"),
            [Run("yellow"), Activate("up-the-pace", red=1, green=1), Run("yellow")],
            {"legs_run": 4, "moved": 4},
        ),
        (
            state_with_boosts("up-the-pace"),
            [Run("yellow"), Run("red"), Activate("up-the-pace", red=1, green=1)],
            {"legs_run": 4, "moved": 4},
        ),
    ],
    "boost-next-turn": [
        (
            with_changes(make_state(tracking="light"), ANA, legs_run=3, unknown_hand=1),
            [Run("yellow"), TakeBoost("up-the-pace"), Run("yellow"), Stay(), Activate("up-the-pace", red=1, green=1)],
            {"legs_run": 6, "turn": ANA},
        )
    ],
    "boost-kept": [
        (state_with_boosts("up-the-pace"), [Activate("up-the-pace", red=1, green=1)], {"boosts": ("up-the-pace",)})
    ],
    "advance-runs": [
        (
            state_with_boosts("up-the-pace"),
            [Activate("up-the-pace", red=1, green=1), Stay("red")],
            {"phase": "effect", "legs_run": 2},
        )
    ],
    "surplus": [
        (
            state_with_boosts("flat-out", at=19),
            [Activate("flat-out", red=2, green=1)],
            {"legs_run": 21, "finished": True, "held": 4},
        )
    ],
    "eyes-ahead": [
        (EYES_AHEAD, [Run("green")], {"legs_run": 1, "hand": (1, 0, 2, 0)}),
        (EYES_AHEAD, [Run("green"), Run("green")], {"legs_run": 2, "hand": (1, 0, 1, 0)}),
    ],
    "level": [
        (
            state_with_boosts("eyes-ahead", hand=(1, 0, 3, 0), state=make_state(rulings={LEVEL_SECOND.id: "second"})),
            [Run("green")],
            {"legs_run": 1},
        ),
    ],
    "second-alone": [
        (BEHIND_THE_BOT, [Run("green")], {"legs_run": 1}),
        (
            make_state(rulings={BEHIND_NOBODY.id: "second"}, players=with_changes(EYES_AHEAD, BO, out=True).players),
            [Run("green")],
            {"legs_run": 1},
        ),
    ],
    "eyes-exhausted": [(with_changes(EYES_AHEAD, ANA, setbacks=("exhaustion",)), [Run("green")], {"legs_run": 1})],
    "green-pays": [
        (
            state_with_boosts("eyes-ahead", "intervals", hand=(0, 1, 1, 0), other_at=4),
            [Activate("intervals", yellow=1, green=1)],
            {"legs_run": 3, "discard": (0, 1, 1, 0)},
        )
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_boost_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


UNKNOWN_BOOSTS = state_with_boosts(
    "flat-out",
    "up-the-pace",
    state=make_state(facts=CardFacts(CARD_FACTS.cards, {"up-the-pace": CARD_FACTS.boosts["up-the-pace"]})),
)
USED = state_after(state_with_boosts("up-the-pace"), Activate("up-the-pace", red=1, green=1))
REFUSED = {
    "boost-cost": [
        (state_with_boosts("up-the-pace"), Activate("up-the-pace", red=2), "cost"),
        (state_with_boosts("up-the-pace"), Activate("up-the-pace", red=1), "cost"),
        (state_with_boosts("up-the-pace"), Activate("up-the-pace", red=1, green=1, wild=1), "cost"),
        (state_with_boosts("up-the-pace"), Activate("up-the-pace", red=3, green=-1), "cost"),
        (state_with_boosts("runners-high"), Activate("runners-high", red=2, yellow=1), "cost"),
        (
            state_with_boosts("eyes-ahead", "intervals", hand=(0, 0, 2, 0), other_at=4),
            Activate("intervals", green=2),
            "cost",
        ),
        (state_with_boosts("intervals"), Activate("up-the-pace", red=1, green=1), "not-your-boost"),
        (state_with_boosts(), Activate("wings"), "not-your-boost"),
        (UNKNOWN_BOOSTS, Activate("flat-out", red=2, green=1), "not-told"),
    ],
    "played": [(state_with_boosts("intervals", hand=(2, 1, 0, 0)), Activate("intervals", yellow=2), "not-in-hand")],
    "boost-once": [(USED, Activate("up-the-pace", red=1, green=1), "once")],
    "eyes-ahead": [
        (state_with_boosts("eyes-ahead"), Activate("eyes-ahead"), "by-itself"),
        # It helps only a player who is behind.
        (state_with_boosts("eyes-ahead", hand=(1, 0, 3, 0), at=1, other_at=0), Run("green"), "not-second"),
        (
            with_changes(state_after(EYES_AHEAD, Run("green"), Run("green")), ANA, legs_run=3),
            Run("green"),
            "not-second",
        ),
    ],
    "shed": [
        (state_with_boosts("cool-off"), Activate("cool-off", green=1), "no-setback"),
        (state_with_boosts("cool-off", **SET_BACK), Activate("cool-off", green=1, setback="blisters"), "no-setback"),
        (state_with_boosts("cool-off", **SET_BACK), Activate("cool-off", green=1), "no-setback"),
        (
            state_with_boosts("up-the-pace", **SET_BACK),
            Activate("up-the-pace", red=1, green=1, setback="sprain"),
            "no-setback",
        ),
    ],
    "level": [
        (state_with_boosts("eyes-ahead", hand=(1, 0, 3, 0)), Run("green"), "not-second"),
        (state_with_boosts("eyes-ahead", hand=(1, 0, 3, 0), at=1), Run("green"), "not-second"),
    ],
    "second-alone": [
        (with_changes(EYES_AHEAD, BO, out=True), Run("green"), "not-second"),
        (
            make_state(
                rulings={LEVEL_SECOND.id: "second"}, players=with_changes(EYES_AHEAD, BO, out=True, legs_run=0).players
            ),
            Run("green"),
            "not-second",
        ),
    ],
    "eyes-exhausted": [
        (
            make_state(
                rulings={EYES_EXHAUSTION.id: "silenced"},
                players=with_changes(EYES_AHEAD, ANA, setbacks=("exhaustion",)).players,
            ),
            Run("green"),
            "eyes-shut",
        )
    ],
    "dnf-forced": [(EYES_AHEAD, DropOut(), "can-run")],
    "boost-rescue": [
        (
            with_changes(
                make_state(tracking="light", facts=replace(CARD_FACTS, boosts={})),
                ANA,
                unknown_hand=2,
                boosts=("flat-out",),
            ),
            DropOut(),
            "not-told",
        )
    ],
}


@run_all_rows("state, move, refused_by, rule", refusal_params(REFUSED))
def test_move_is_refused_by_its_rule(state, move, refused_by, rule):
    assert [(reason.code, reason.rule.id) for reason in TRACKED_GAME.objections(state, ANA, move)] == [
        (refused_by, rule)
    ]


LOG_TEXTS = {
    "eyes-ahead": [
        (
            state_with_boosts("eyes-ahead", hand=(1, 0, 3, 0), at=1, other_at=0),
            Run("green"),
            "Eyes Ahead works only in second place, and you are ahead.",
        )
    ],
    "level": [
        (
            state_with_boosts("eyes-ahead", hand=(1, 0, 3, 0)),
            Run("green"),
            "Eyes Ahead works only in second place, and you are tied.",
        )
    ],
    "dnf-forced": [
        (EYES_AHEAD, DropOut(), "You can still run the yellow leg with a green card."),
        (state_with_boosts(hand=(0, 1, 1, 0)), DropOut(), "You can still run the yellow leg with a yellow card."),
        (state_with_boosts(hand=(0, 0, 1, 1)), DropOut(), "You can still run the yellow leg with the wild card."),
        (state_with_boosts(hand=(2, 0, 1, 0)), DropOut(), "You can still run the yellow leg with 2 red cards."),
        (
            make_state(tracking="light"),
            DropOut(),
            "With 4 cards in hand, there is always a way to run the next leg.",
        ),
    ],
    "boost-rescue": [
        (
            state_with_boosts("intervals", "up-the-pace", hand=(1, 0, 1, 0)),
            DropOut(),
            "You can still run the yellow leg with Up the Pace.",
        ),
        (
            state_with_boosts("helping-hand", hand=(1, 0, 2, 0), setbacks=("nausea",)),
            DropOut(),
            "You can still run the yellow leg with Helping Hand.",
        ),
        (
            state_with_boosts("up-the-pace", "cool-off", hand=(2, 0, 1, 0), setbacks=("stitch", "cramps")),
            DropOut(),
            "You can still run the yellow leg with Up the Pace.",
        ),
        (
            state_with_boosts("cool-off", hand=(2, 0, 1, 0), setbacks=("stitch",)),
            DropOut(),
            "You can still run the yellow leg with Cool Off.",
        ),
        (
            with_changes(make_state(tracking="light"), ANA, boosts=("up-the-pace",)),
            DropOut(),
            "With 4 cards in hand and your Boosts, there is always a way to run the next leg.",
        ),
    ],
}


@run_all_rows("state, move, text", case_params(LOG_TEXTS))
def test_refusal_text_names_the_possible_help(state, move, text):
    assert objection_texts(state, move) == [text]


def test_green_card_is_no_wild_for_a_cost_by_ruling():
    state = state_with_boosts("eyes-ahead", "intervals", hand=(0, 1, 1, 0), other_at=4)
    strict = make_state(rulings={GREEN_FOR_COST.id: "only-legs"}, players=state.players)
    assert objection_codes(strict, Activate("intervals", yellow=1, green=1)) == ["cost"]


def test_boost_drawn_now_can_be_activated_from_the_next_turn():
    state = state_after(state_with_boosts("cool-off", hand=(0, 1, 0, 0), at=3), Run("yellow"), TakeBoost("up-the-pace"))
    assert TRACKED_GAME.flow.to_move(state) == (BO,)
    assert objection_codes(state, Activate("up-the-pace", red=1, green=1)) == ["not-your-turn"]


def test_boosts_can_be_used_again_in_the_next_turn():
    assert USED.used == ("up-the-pace",)
    assert state_after(USED, Stay("red"), TakeSetback("im-fine")).used == ()


def test_text_of_a_boost_is_entered_in_one_move():
    state = state_after(UNKNOWN_BOOSTS, EnterBoost("flat-out", red=2, any=1, legs=4))
    assert state.facts.boosts["flat-out"] == BoostFact(("red", "red", "any"), 4)
    assert objection_codes(state, Activate("flat-out", red=2, green=1)) == []


@run_all_rows(
    "move, code",
    [
        (EnterBoost("cool-off"), "boost-cost"),  # A form that was sent without changes.
        (EnterBoost("flat-out", legs=4), "boost-cost"),
        (EnterBoost("flat-out", red=2), "boost-legs"),
        (EnterBoost("flat-out", red=2, legs=0), "boost-legs"),
        (EnterBoost("flat-out", red=2, legs=10), "boost-legs"),
        (EnterBoost("flat-out", red=4, any=3, legs=2), "boost-cost"),
        (EnterBoost("flat-out", red=-1, any=3, legs=2), "boost-cost"),
        (EnterBoost("cool-off", red=1, legs=2), "brings-no-legs"),
        (EnterBoost("eyes-ahead", red=1), "no-cost"),
        (EnterBoost("up-the-pace", red=1, green=1, legs=2), "no-change"),
        (EnterBoost("wings", red=1), "no-such-boost"),
    ],
)
def test_impossible_boost_text_is_refused(move, code):
    assert objection_codes(UNKNOWN_BOOSTS, move) == [code] and objection_rules(UNKNOWN_BOOSTS, move)


def test_every_boost_has_a_case():
    tried = {id for rows in OUTCOMES.values() for state, _, _ in rows for id in state.players[ANA].boosts}
    assert tried == set(BOOSTS)
