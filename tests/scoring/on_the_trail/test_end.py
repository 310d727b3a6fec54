"""ON THE TRAIL: the finish, the last round, dropping out, the bot, and the winner."""

import pytest
from msgspec.structs import replace

from scoring.document import sheet_data
from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.bot import Flip, shuffled_deck
from scoring.on_the_trail.box import DECK
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.cards import NO_CARDS, Cards
from scoring.on_the_trail.moves.reveals import EndCard, EnterLeg
from scoring.on_the_trail.moves.run_moves import DropOut, EndRace, Run, Stay
from scoring.on_the_trail.points import FinalPlayer, FinalPosition
from scoring.on_the_trail.setup import default_setup
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import required_decision
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    LAST_TURN,
    OVER,
    UNFINISHED_CARD_FACTS,
    case_params,
    make_state,
    objection_codes,
    objection_texts,
    parse_trail_card,
    refusal_params,
    select_fields,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows

LAST = 20  # Legs run when one yellow leg is left.
NEARLY = state_with_hand(1, 1, 0, 0, at=LAST, other_at=LAST)  # Both runners are before the last leg.
BOTH = with_changes(NEARLY, BO, hand=(0, 1, 1, 1), unknown_hand=0)
STUCK = state_with_hand(1, 0, 1, 0)
NOTHING = make_state(facts=CardFacts(), order=())


def with_bo_to_move(state: State) -> State:
    """Return the same state with Bo to move."""
    return with_changes(state, turn=BO)


ALONE = with_changes(
    BOTH.with_player(ANA, out=True, legs_run=3).with_player(BO, legs_run=LAST - 1, hand=(0, 1, 1, 0)), turn=BO
)
OUTCOMES = {
    "goal": [(NEARLY, [Run("yellow")], {"legs_run": len(NEARLY.legs), "finished": True})],
    "finish-line": [
        (NEARLY, [Run("yellow")], {"complete": True, "finished": True}),
        # The end of a card before the last is not the finish.
        (state_with_hand(0, 1, 0, 0, at=3), [Run("yellow")], {"legs_run": 4, "finished": False, "phase": "effect"}),
    ],
    "card-ends": [
        # The stop at the end of the card is unknown, so it is an Aid Station.
        (
            state_with_hand(1, 0, 1, 1, at=18, state=make_state(facts=UNFINISHED_CARD_FACTS.with_leg(4, 2, stop=None))),
            [Run("red"), EndCard(4)],
            {"finished": True, "stop": "aid"},
        ),
        (
            state_with_hand(0, 1, 1, 0, state=NOTHING),
            [EnterLeg(0, 0, "yellow"), Run("yellow"), EndCard(0)],
            {"finished": False, "stop": "aid"},
        ),
    ],
    "finish": [
        (NEARLY, [Run("yellow")], {"finished": True, "hand": (1, 0, 0, 0), "turn": BO, "phase": "run"}),
        (with_changes(NEARLY, ANA, setbacks=("hitting-the-wall",)), [Run("yellow")], {"finished": True, "held": 1}),
    ],
    "finish-keeps": [(NEARLY, [Run("yellow")], {"hand": (1, 0, 0, 0), "unknown_hand": 0, "discard": (0, 1, 0, 0)})],
    "finish-round": [
        (BOTH, [Run("yellow"), Run("yellow")], {"phase": "over"}),
        (
            with_changes(BOTH, BO, legs_run=0, hand=(0, 1, 0, 0)),
            [Run("yellow"), Run("yellow")],
            {"phase": "over", "finished": True},
        ),
    ],
    "second-finishes": [(with_bo_to_move(BOTH), [Run("yellow")], {"phase": "over", "finished": False})],
    "dnf": [(STUCK, [DropOut()], {"out": True, "turn": BO, "phase": "run"})],
    "dnf-other": [
        (
            with_changes(STUCK, BO, hand=(0, 1, 0, 0), unknown_hand=0),
            [DropOut(), Run("yellow")],
            {"turn": BO, "phase": "run", "moved": 0},
        ),
        # The runner who is left races on alone, turn after turn.
        (ALONE, [Run("green"), Stay("yellow")], {"turn": BO, "phase": "run", "moved": 0}),
    ],
    "dnf-both": [
        (with_changes(STUCK, BO, hand=(1, 0, 1, 0), unknown_hand=0), [DropOut(), DropOut()], {"phase": "over"})
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_move_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


REFUSED = {
    "finish": [(LAST_TURN, Run("yellow"), "not-racing")],
    "dnf-other": [(ALONE, Run("green"), "not-racing")],
    "finish-round": [(OVER, move, "race-over") for move in (Run("yellow"), Stay(), DropOut(), Flip())],
}


@run_all_rows("state, move, refused_by, rule", refusal_params(REFUSED))
def test_move_is_refused_by_its_rule(state, move, refused_by, rule):
    assert [(reason.code, reason.rule.id) for reason in TRACKED_GAME.objections(state, ANA, move)] == [
        (refused_by, rule)
    ]


def test_runner_who_is_out_or_at_the_finish_reads_so():
    assert objection_texts(ALONE, Run("green")) == ["You are out of the race. Bo runs on alone."]
    assert objection_texts(LAST_TURN, Run("green")) == ["You have finished. Bo has one last turn."]
    assert objection_texts(with_bo_to_move(BOTH), Run("yellow")) == ["It is Bo\u2019s turn: run at least 1 leg."]


def test_runner_with_the_last_turn_reads_so():
    assert TRACKED_GAME.text.banner(LAST_TURN, BO) == ("Your last turn", "Run at least 1 leg.")
    assert (
        TRACKED_GAME.text.banner(LAST_TURN, ANA)
        is TRACKED_GAME.text.banner(OVER, BO)
        is TRACKED_GAME.text.banner(make_state(), ANA)
        is None
    )


# The bot


def bot_race_state(legs_run: int = 0, own_legs_run: int = 0, discard: Cards = NO_CARDS, **changes) -> State:
    """Return a solo race with the bot's cards flipped physically, and its next leg yellow."""
    state = make_state(solo=True, bot_deck="cards", **changes).with_player(BO, legs_run=legs_run, discard=discard)
    return with_changes(state.with_player(ANA, legs_run=own_legs_run), flips=sum(discard))


ALONE_STUCK = with_changes(
    bot_race_state(legs_run=2).with_player(ANA, hand=(1, 0, 1, 0), unknown_hand=0), turn=ANA, phase="run"
)


BOT = {
    "solo": [(make_state(solo=True), [], {"name": "The bot", "bot": True, "solo": True})],
    "solo-starts": [(make_state(solo=True), [], {"turn": BO, "phase": "flip"})],
    "solo-hand": [(make_state(solo=True), [Flip()], {"held": 0, "turn": ANA})],
    "solo-flip": [
        (bot_race_state(), [Flip("yellow")], {"legs_run": 4}),
        (bot_race_state(), [Flip("wild")], {"legs_run": 4}),
        (bot_race_state(), [Flip("red")], {"legs_run": 2}),
        (bot_race_state(legs_run=1), [Flip("red")], {"legs_run": 5, "discard": (1, 0, 0, 0)}),
    ],
    "solo-stops": [(bot_race_state(), [Flip("red")], {"setbacks": (), "boosts": (), "held": 0, "turn": ANA})],
    "solo-deck": [
        (bot_race_state(discard=DECK), [Flip("red")], {"discard": (1, 0, 0, 0), "deck": 12}),
        (bot_race_state(), [Flip("red")], {"deck": 12}),
    ],
    "finish": [
        (
            bot_race_state(legs_run=19, own_legs_run=5),
            [Flip("green")],
            {"legs_run": 21, "finished": True, "phase": "run", "turn": ANA},
        )
    ],
    "solo-dnf": [(ALONE_STUCK, [DropOut()], {"phase": "over", "finished": False, "legs_run": 2})],
}


@run_all_rows("state, moves, expected", case_params(BOT))
def test_bot_move_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected, seat=BO) == expected


def test_bot_starts_and_the_player_acts_for_it():
    state = make_state(solo=True)
    assert (TRACKED_GAME.flow.to_move(state), required_decision(state), state.turn) == ((ANA,), "flip", BO)
    assert objection_codes(state, Flip("red")) == ["bot-deck"] and objection_codes(bot_race_state(), Flip()) == [
        "bot-deck"
    ]
    assert objection_codes(make_state(), Flip()) == ["first"]


def test_flip_of_a_card_not_in_the_bots_deck_is_refused():
    state = bot_race_state(discard=(3, 1, 0, 1))
    assert objection_codes(state, Flip("red")) == objection_codes(state, Flip("wild")) == ["deck-count"]
    assert objection_codes(state, Flip("yellow")) == []


def test_bot_deck_is_shuffled_differently_each_time_and_reproducibly():
    assert shuffled_deck(1, 0) != shuffled_deck(1, 1) != shuffled_deck(2, 0)
    for shuffle in range(5):
        assert tuple(shuffled_deck(3, shuffle).count(card) for card in ("red", "yellow", "green", "wild")) == DECK
    assert shuffled_deck(0, 0)[:6] == DECK_OF_SEED_0


DECK_OF_SEED_0 = ("yellow", "wild", "red", "green", "green", "red")


def test_order_of_the_bots_deck_is_hidden():
    state = make_state(solo=True, seed=12345)
    assert TRACKED_GAME.view(state, ANA).seed == TRACKED_GAME.view(state, None).seed == 0
    over = with_changes(state.with_player(ANA, out=True), phase="over")
    assert TRACKED_GAME.view(over, None).seed == 12345


def test_bot_has_used_its_whole_deck_after_thirteen_flips():
    long = make_state(solo=True, facts=replace(CARD_FACTS, cards=(parse_trail_card("y." * 12),) * 5), seed=9)
    for _ in range(13):
        state = state_after(long, Flip())
        long = with_changes(state.with_player(BO, legs_run=0), turn=BO, phase="flip", moved=0)
    assert long.players[BO].discard == DECK and long.players[BO].deck == 0


def test_solo_player_who_drops_out_loses_to_the_bot():
    state = state_after(ALONE_STUCK, DropOut())
    assert state.is_over
    sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(state))
    assert (sheet.winners, sheet.decided_by, sheet.result_text) == (
        ("The bot",),
        "points",
        "The bot wins: Ana did not finish.",
    )


# A Trail that is entered during the race


def test_finish_on_the_last_card_must_be_entered_once_a_runner_may_be_there():
    state = state_after(state_with_hand(1, 0, 1, 1, at=18, state=make_state(facts=UNFINISHED_CARD_FACTS)), Run("red"))
    assert required_decision(state) == "leg" and objection_codes(state, Stay()) == ["first"]
    on = state_after(state, EnterLeg(4, 3, "green"))
    assert required_decision(on) == "run" and not on.players[ANA].finished
    home = state_after(state, EndCard(4))
    assert (
        home.players[ANA].finished
        and home.players[ANA].hand == (0, 0, 1, 1)
        and TRACKED_GAME.flow.to_move(home) == (BO,)
    )


def test_bot_moves_leg_by_leg_as_legs_are_entered():
    state = make_state(
        solo=True,
        bot_deck="cards",
        facts=replace(CARD_FACTS, cards=(parse_trail_card("y."), *CARD_FACTS.cards[1:])).with_card(0, whole=False),
        order=(),
    )
    state = state_after(replace(state, order=(0,)), Flip("yellow"))
    assert required_decision(state) == "leg" and state.players[BO].legs_run == 1 and state.legs_to_run == 3
    state = state_after(state, EnterLeg(0, 1, "red"), EndCard(0))
    assert (state.players[BO].legs_run, state.legs_to_run, required_decision(state)) == (2, 2, "leg")


# Winner


def final_position(*players: tuple) -> FinalPosition:
    return FinalPosition(tuple(FinalPlayer(*player) for player in players))


WON = {
    "finish-alone": [
        (("Ana", True, 2), ("Bo", False), "points", [1, 2], ("Ana",), "Ana wins as the only finisher."),
        (("Ana", True, 0), ("Bo", False, 0, False, 3), "points", [1, 2], ("Ana",), "Ana wins as the only finisher."),
        (
            ("Ana", True, 0),
            ("Bo", False, 0, False, 3, True),
            "points",
            [1, 2],
            ("Ana",),
            "Ana wins: Bo did not finish (DNF).",
        ),
        (("Ana", False), ("Bo", True, 0), "points", [2, 1], ("Bo",), "Bo wins as the only finisher."),
    ],
    "finish-both": [
        (
            ("Ana", True, 2),
            ("Bo", True, 3),
            "hand",
            [2, 1],
            ("Bo",),
            "Both finish. Bo wins by cards in hand, 3 to 2.",
        ),
        (
            ("Ana", True, 1),
            ("Bo", True, 0),
            "hand",
            [1, 2],
            ("Ana",),
            "Both finish. Ana wins by cards in hand, 1 to 0.",
        ),
    ],
    "finish-tie": [
        (
            ("Ana", True, 2),
            ("Bo", True, 2),
            "shared",
            [1, 1],
            ("Ana", "Bo"),
            "Ana and Bo both finish with 2 cards in hand and share the victory.",
        ),
    ],
    "dnf-both": [
        (("Ana", False), ("Bo", False), "shared", [1, 1], (), "Neither runner finished. It is a tie, and no one wins.")
    ],
    "solo-end": [
        (
            ("Ana", True, 1),
            ("Bot", True, 0, True),
            "hand",
            [1, 2],
            ("Ana",),
            "Both finish. Ana wins by cards in hand, 1 to 0.",
        ),
        (
            ("Ana", True, 0),
            ("Bot", True, 0, True),
            "shared",
            [1, 1],
            ("Ana", "Bot"),
            "Ana and Bot both finish with 0 cards in hand and share the victory.",
        ),
        (("Ana", True, 0), ("Bot", False, 0, True), "points", [1, 2], ("Ana",), "Ana wins as the only finisher."),
    ],
    "solo-dnf": [
        (("Ana", False), ("Bot", False, 0, True), "points", [2, 1], ("Bot",), "Bot wins: Ana did not finish."),
        (("Ana", False), ("Bot", True, 0, True), "points", [2, 1], ("Bot",), "Bot wins as the only finisher."),
    ],
}


@run_all_rows("ana, second, decided_by, ranks, winners, result_text", case_params(WON))
def test_winner(ana, second, decided_by, ranks, winners, result_text):
    sheet = TRACKED_GAME.box.score(final_position(ana, second))
    assert sheet.decided_by == decided_by
    assert [column.rank for column in sheet.columns] == ranks
    assert (sheet.winners, sheet.result_text) == (winners, result_text)
    data = sheet_data(sheet)
    assert [player["total"] for player in data["players"]] == [
        player_row[2] if len(player_row) > 2 and player_row[1] else 0 for player_row in (ana, second)
    ]
    assert all(player["categories"] == {"hand": player["total"]} for player in data["players"])
    assert all(line["rules"] for player in data["players"] for line in player["lines"])


STILL_RUNNING = with_changes(BOTH, BO, legs_run=0, hand=(0, 1, 0, 0))
SHEETS = {
    # Bo ran in the last turn but did not finish; a hand counts only for runners who finished.
    "not-finished": [(state_after(STILL_RUNNING, Run("yellow"), Run("yellow")), (True, False), (1, 0))],
    "finish-keeps": [(state_after(BOTH, Run("yellow"), Run("yellow")), (False, True), (1, 2))],
    "solo-hand": [(state_after(ALONE_STUCK, DropOut()), (False, True), (0, 0))],
}


@pytest.mark.parametrize("state, winners, totals", case_params(SHEETS))
def test_sheet_of_a_race_that_is_over(state, winners, totals):
    columns = TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns
    assert state.is_over and tuple(column.winner for column in columns) == winners
    assert tuple(column.total for column in columns) == totals


def test_one_player_races_the_bot_and_two_race_each_other():
    assert [player.name for player in TRACKED_GAME.initial_state(default_setup(["Ana"])).players] == ["Ana", "The bot"]
    assert [player.name for player in TRACKED_GAME.initial_state(default_setup(["Ana", "Bo"])).players] == ["Ana", "Bo"]


def test_only_a_runner_who_left_the_race_cites_the_rule_on_dropping_out():
    running, left = (FinalPlayer("Bo", to_go=2, out=out) for out in (False, True))
    lines = [
        TRACKED_GAME.box.score(FinalPosition((FinalPlayer("Ana", True, 1), bo))).columns[1].lines[0]
        for bo in (running, left)
    ]
    assert [(line.label, line.rules[0].id) for line in lines] == [
        ("Did not finish (DNF)", "not-finished"),
        ("Did not finish (DNF)", "dnf"),
    ]
    assert lines[0].because == "2 legs to go. Only a finisher\u2019s cards count."


def test_prompt_of_a_race_that_is_over_names_the_only_finisher():
    state = state_after(STILL_RUNNING, Run("yellow"), Run("yellow"))
    assert (
        TRACKED_GAME.text.prompt(state)
        == TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).result_text
        == "Ana wins as the only finisher."
    )


# A last turn that cannot change the result


def last_turn(**changes) -> State:
    """Return Bo's last turn: Ana has finished, and Bo has just run a leg to a Setback stop."""
    state = (
        make_state(tracking="light")
        .with_player(ANA, legs_run=21, finished=True, unknown_hand=2)
        .with_player(BO, legs_run=2, unknown_hand=2, unknown_discards=1)
    )
    return replace(state, **{"turn": BO, "phase": "effect", "moved": 1, **changes})


# Two cards in hand cannot run 19 legs.
@pytest.mark.parametrize("phase", ["run", "effect"])
def test_last_turn_that_cannot_change_the_result_ends_with_one_tap(phase):
    state = last_turn(phase=phase)
    assert EndRace in TRACKED_GAME.available_moves(state)
    after = TRACKED_GAME.play(state, BO, EndRace())
    assert after.is_over and TRACKED_GAME.box.score(TRACKED_GAME.final_position(after)).winners == ("Ana",)
    assert "Setback" not in TRACKED_GAME.log_sentence(
        TRACKED_GAME.view(state, None), TRACKED_GAME.view(after, None), BO, EndRace()
    )


def test_last_turn_out_of_reach_can_end_before_a_leg_is_run():
    assert EndRace in TRACKED_GAME.available_moves(last_turn(phase="run", moved=0))


@pytest.mark.parametrize(
    "state",
    [
        make_state(tracking="light"),  # No one is at the finish.
        # Bo can still reach it.
        last_turn(phase="run", moved=0).with_player(BO, legs_run=18, unknown_hand=4, unknown_discards=0),
        last_turn(turn=ANA, phase="effect").with_player(ANA, finished=False, legs_run=2),  # Bo still has a turn.
    ],
)
def test_turn_that_can_change_the_result_cannot_be_skipped(state):
    assert EndRace not in TRACKED_GAME.available_moves(state)


# Who deals the bot's cards


@pytest.mark.parametrize(("flip", "dealt"), [(Flip(), "app"), (Flip("red"), "cards")])
def test_first_flip_decides_who_deals_the_bots_cards(flip, dealt):
    state = make_state(solo=True, bot_deck="ask")
    assert {offer.move.card for offer in TRACKED_GAME.offers(state, ANA, (Flip,)) if offer.is_legal} == {
        None,
        "red",
        "yellow",
        "green",
        "wild",
    }
    after = TRACKED_GAME.play(state, ANA, flip)
    assert after.bot_deck == dealt
    assert TRACKED_GAME.setup_format.for_rematch(TRACKED_GAME.setup_format.default(["Ana"]), after).bot_deck == dealt


def test_new_solo_table_asks_who_deals_and_old_setups_do_not():
    assert TRACKED_GAME.setup_format.defer_choices(TRACKED_GAME.setup_format.default(["Ana"])).bot_deck == "ask"
    assert TRACKED_GAME.setup_format.defer_choices(
        TRACKED_GAME.setup_format.default(["Ana", "Bo"])
    ) == TRACKED_GAME.setup_format.default(["Ana", "Bo"])
    assert TRACKED_GAME.read_setup({"players": ["Ana"]}).bot_deck == "app"
