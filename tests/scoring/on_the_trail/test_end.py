"""ON THE TRAIL: the finish, the round played to its end, not finishing, the bot, and who has won."""

import pytest
from msgspec.structs import replace

from scoring.document import sheet_data
from scoring.on_the_trail import PLAY
from scoring.on_the_trail.bot import Flip, deck
from scoring.on_the_trail.box import DECK
from scoring.on_the_trail.cards import NONE, Cards
from scoring.on_the_trail.facts import CardFacts
from scoring.on_the_trail.moves.reveals import EndCard, TellLeg
from scoring.on_the_trail.moves.run_moves import DropOut, EndRace, Run, Stay
from scoring.on_the_trail.points import Final, FinalPlayer
from scoring.on_the_trail.setup import usual
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import need
from tests.support.cases import every_row
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    BOX,
    LAST_TURN,
    OVER,
    UNFINISHED,
    after,
    but,
    cases,
    codes,
    holding,
    race,
    refusals,
    sentences,
    shown,
    trail,
)

LAST = 20  # legs run with one, a yellow one, to go
NEARLY = holding(1, 1, 0, 0, at=LAST, other_at=LAST)  # both before the last leg
BOTH = but(NEARLY, BO, hand=(0, 1, 1, 1), unseen=0)
STUCK = holding(1, 0, 1, 0)
NOTHING = race(facts=CardFacts(), order=())


def second(state: State) -> State:
    """Return the same with Bo to move."""
    return but(state, turn=BO)


ALONE = but(BOTH.with_player(ANA, out=True, at=3).with_player(BO, at=LAST - 1, hand=(0, 1, 1, 0)), turn=BO)
OUTCOMES = {
    "goal": [(NEARLY, [Run("yellow")], {"at": len(NEARLY.legs), "home": True})],
    "finish-line": [
        (NEARLY, [Run("yellow")], {"complete": True, "home": True}),
        # The end of a card before the last is none.
        (holding(0, 1, 0, 0, at=3), [Run("yellow")], {"at": 4, "home": False, "phase": "effect"}),
    ],
    "card-ends": [
        # Nobody has said at what stop the card ends: it ends at an Aid Station.
        (
            holding(1, 0, 1, 1, at=18, state=race(facts=UNFINISHED.with_leg(4, 2, stop=None))),
            [Run("red"), EndCard(4)],
            {"home": True, "stop": "aid"},
        ),
        (
            holding(0, 1, 1, 0, state=NOTHING),
            [TellLeg(0, 0, "yellow"), Run("yellow"), EndCard(0)],
            {"home": False, "stop": "aid"},
        ),
    ],
    "finish": [
        (NEARLY, [Run("yellow")], {"home": True, "hand": (1, 0, 0, 0), "turn": BO, "phase": "run"}),
        (but(NEARLY, ANA, setbacks=("hitting-the-wall",)), [Run("yellow")], {"home": True, "held": 1}),
    ],
    "finish-keeps": [(NEARLY, [Run("yellow")], {"hand": (1, 0, 0, 0), "unseen": 0, "discard": (0, 1, 0, 0)})],
    "finish-round": [
        (BOTH, [Run("yellow"), Run("yellow")], {"phase": "over"}),
        (but(BOTH, BO, at=0, hand=(0, 1, 0, 0)), [Run("yellow"), Run("yellow")], {"phase": "over", "home": True}),
    ],
    "second-finishes": [(second(BOTH), [Run("yellow")], {"phase": "over", "home": False})],
    "dnf": [(STUCK, [DropOut()], {"out": True, "turn": BO, "phase": "run"})],
    "dnf-other": [
        (
            but(STUCK, BO, hand=(0, 1, 0, 0), unseen=0),
            [DropOut(), Run("yellow")],
            {"turn": BO, "phase": "run", "moved": 0},
        ),
        # Whoever is left races on alone, turn after turn.
        (ALONE, [Run("green"), Stay("yellow")], {"turn": BO, "phase": "run", "moved": 0}),
    ],
    "dnf-both": [(but(STUCK, BO, hand=(1, 0, 1, 0), unseen=0), [DropOut(), DropOut()], {"phase": "over"})],
}


@every_row("state, moves, wanted", cases(OUTCOMES))
def test_what_comes_of_it(state, moves, wanted):
    assert shown(after(state, *moves), wanted) == wanted


REFUSED = {
    "finish": [(LAST_TURN, Run("yellow"), "not-racing")],
    "dnf-other": [(ALONE, Run("green"), "not-racing")],
    "finish-round": [(OVER, move, "race-over") for move in (Run("yellow"), Stay(), DropOut(), Flip())],
}


@every_row("state, move, refused_by, rule", refusals(REFUSED))
def test_refused(state, move, refused_by, rule):
    assert [(reason.code, reason.rule.id) for reason in PLAY.objections(state, ANA, move)] == [(refused_by, rule)]


def test_whoever_is_out_or_at_the_finish_reads_so():
    assert sentences(ALONE, Run("green")) == ["You are out of the race; Bo runs on alone."]
    assert sentences(LAST_TURN, Run("green")) == ["You are at the finish; Bo has the last turn."]
    assert sentences(second(BOTH), Run("yellow")) == ["It is Bo\u2019s turn: run at least one leg."]


def test_whoever_has_the_last_turn_reads_so():
    assert PLAY.calls(LAST_TURN, BO) == ("Your last turn", "run at least one leg.")
    assert PLAY.calls(LAST_TURN, ANA) is PLAY.calls(OVER, BO) is PLAY.calls(race(), ANA) is None


# The bot


def bot_race(at: int = 0, mine: int = 0, discard: Cards = NONE, **changes) -> State:
    """Return a solo race with the bot to flip by hand, its next leg yellow where it starts."""
    state = race(solo=True, bot_deck="cards", **changes).with_player(BO, at=at, discard=discard)
    return but(state.with_player(ANA, at=mine), flips=sum(discard))


ALONE_STUCK = but(bot_race(at=2).with_player(ANA, hand=(1, 0, 1, 0), unseen=0), turn=ANA, phase="run")


BOT = {
    "solo": [(race(solo=True), [], {"name": "The bot", "bot": True, "solo": True})],
    "solo-starts": [(race(solo=True), [], {"turn": BO, "phase": "flip"})],
    "solo-hand": [(race(solo=True), [Flip()], {"held": 0, "turn": ANA})],
    "solo-flip": [
        (bot_race(), [Flip("yellow")], {"at": 4}),
        (bot_race(), [Flip("wild")], {"at": 4}),
        (bot_race(), [Flip("red")], {"at": 2}),
        (bot_race(at=1), [Flip("red")], {"at": 5, "discard": (1, 0, 0, 0)}),
    ],
    "solo-stops": [(bot_race(), [Flip("red")], {"setbacks": (), "boosts": (), "held": 0, "turn": ANA})],
    "solo-deck": [
        (bot_race(discard=DECK), [Flip("red")], {"discard": (1, 0, 0, 0), "deck": 12}),
        (bot_race(), [Flip("red")], {"deck": 12}),
    ],
    "finish": [(bot_race(at=19, mine=5), [Flip("green")], {"at": 21, "home": True, "phase": "run", "turn": ANA})],
    "solo-dnf": [(ALONE_STUCK, [DropOut()], {"phase": "over", "home": False, "at": 2})],
}


@every_row("state, moves, wanted", cases(BOT))
def test_what_the_bot_does(state, moves, wanted):
    assert shown(after(state, *moves), wanted, seat=BO) == wanted


def test_the_bot_starts_and_its_runner_acts_for_it():
    state = race(solo=True)
    assert (PLAY.to_move(state), need(state), state.turn) == ((ANA,), "flip", BO)
    assert codes(state, Flip("red")) == ["bot-deck"] and codes(bot_race(), Flip()) == ["bot-deck"]
    assert codes(race(), Flip()) == ["first"]


def test_nothing_is_flipped_that_the_bots_deck_does_not_hold():
    state = bot_race(discard=(3, 1, 0, 1))
    assert codes(state, Flip("red")) == codes(state, Flip("wild")) == ["deck-count"]
    assert codes(state, Flip("yellow")) == []


def test_the_app_shuffles_each_deck_anew_and_alike_everywhere():
    assert deck(1, 0) != deck(1, 1) != deck(2, 0)
    for shuffle in range(5):
        assert tuple(deck(3, shuffle).count(card) for card in ("red", "yellow", "green", "wild")) == DECK
    assert deck(0, 0)[:6] == DECK_OF_SEED_0


DECK_OF_SEED_0 = ("yellow", "wild", "red", "green", "green", "red")


def test_the_order_of_the_bots_deck_is_no_bodys_business():
    state = race(solo=True, seed=12345)
    assert PLAY.view(state, ANA).seed == PLAY.view(state, None).seed == 0
    over = but(state.with_player(ANA, out=True), phase="over")
    assert PLAY.view(over, None).seed == 12345


def test_every_thirteen_flips_the_bot_has_seen_its_whole_deck():
    long = race(solo=True, facts=replace(BOX, cards=(trail("y." * 12),) * 5), seed=9)
    for _ in range(13):
        state = after(long, Flip())
        long = but(state.with_player(BO, at=0), turn=BO, phase="flip", moved=0)
    assert long.players[BO].discard == DECK and long.players[BO].deck == 0


def test_whoever_drops_out_alone_has_lost_to_the_bot():
    state = after(ALONE_STUCK, DropOut())
    assert state.over
    sheet = PLAY.box.score(PLAY.final(state))
    assert (sheet.winners, sheet.decided_by, sheet.verdict) == (
        ("The bot",),
        "points",
        "The bot wins: Ana did not finish.",
    )


# A Trail that is told as the race goes


def test_on_the_last_card_the_finish_is_asked_for_as_soon_as_somebody_may_be_there():
    state = after(holding(1, 0, 1, 1, at=18, state=race(facts=UNFINISHED)), Run("red"))
    assert need(state) == "leg" and codes(state, Stay()) == ["first"]
    on = after(state, TellLeg(4, 3, "green"))
    assert need(on) == "run" and not on.players[ANA].home
    home = after(state, EndCard(4))
    assert home.players[ANA].home and home.players[ANA].hand == (0, 0, 1, 1) and PLAY.to_move(home) == (BO,)


def test_the_bot_moves_on_leg_by_leg_as_they_are_told():
    state = race(
        solo=True,
        bot_deck="cards",
        facts=replace(BOX, cards=(trail("y."), *BOX.cards[1:])).with_card(0, whole=False),
        order=(),
    )
    state = after(replace(state, order=(0,)), Flip("yellow"))
    assert need(state) == "leg" and state.players[BO].at == 1 and state.steps == 3
    state = after(state, TellLeg(0, 1, "red"), EndCard(0))
    assert (state.players[BO].at, state.steps, need(state)) == (2, 2, "leg")


# Who has won


def final(*players: tuple) -> Final:
    return Final(tuple(FinalPlayer(*player) for player in players))


WON = {
    "finish-alone": [
        (("Ana", True, 2), ("Bo", False), "points", [1, 2], ("Ana",), "Ana wins as the only finisher."),
        (("Ana", True, 0), ("Bo", False, 0, False, 3), "points", [1, 2], ("Ana",), "Ana wins by 3 legs."),
        (("Ana", True, 0), ("Bo", False, 0, False, 3, True), "points", [1, 2], ("Ana",), "Ana wins: Bo left the race."),
        (("Ana", False), ("Bo", True, 0), "points", [2, 1], ("Bo",), "Bo wins as the only finisher."),
    ],
    "finish-both": [
        (
            ("Ana", True, 2),
            ("Bo", True, 3),
            "hand",
            [2, 1],
            ("Bo",),
            "Both finish. Bo wins with 3 cards in hand against 2.",
        ),
        (
            ("Ana", True, 1),
            ("Bo", True, 0),
            "hand",
            [1, 2],
            ("Ana",),
            "Both finish. Ana wins with 1 card in hand against 0.",
        ),
    ],
    "finish-tie": [
        (
            ("Ana", True, 2),
            ("Bo", True, 2),
            "shared",
            [1, 1],
            ("Ana", "Bo"),
            "Ana and Bo finish level with 2 cards in hand and share the victory.",
        ),
    ],
    "dnf-both": [(("Ana", False), ("Bo", False), "shared", [1, 1], (), "Nobody finished: a tie, and nobody wins.")],
    "solo-end": [
        (
            ("Ana", True, 1),
            ("Bot", True, 0, True),
            "hand",
            [1, 2],
            ("Ana",),
            "Both finish. Ana wins with 1 card in hand against 0.",
        ),
        (
            ("Ana", True, 0),
            ("Bot", True, 0, True),
            "shared",
            [1, 1],
            ("Ana", "Bot"),
            "Ana and Bot finish level with 0 cards in hand and share the victory.",
        ),
        (("Ana", True, 0), ("Bot", False, 0, True), "points", [1, 2], ("Ana",), "Ana wins as the only finisher."),
    ],
    "solo-dnf": [
        (("Ana", False), ("Bot", False, 0, True), "points", [2, 1], ("Bot",), "Bot wins: Ana did not finish."),
        (("Ana", False), ("Bot", True, 0, True), "points", [2, 1], ("Bot",), "Bot wins as the only finisher."),
    ],
}


@every_row("ana, other, decided_by, ranks, winners, verdict", cases(WON))
def test_who_has_won(ana, other, decided_by, ranks, winners, verdict):
    sheet = PLAY.box.score(final(ana, other))
    assert sheet.decided_by == decided_by
    assert [column.rank for column in sheet.columns] == ranks
    assert (sheet.winners, sheet.verdict) == (winners, verdict)
    data = sheet_data(sheet)
    assert [player["total"] for player in data["players"]] == [
        each[2] if len(each) > 2 and each[1] else 0 for each in (ana, other)
    ]
    assert all(player["categories"] == {"hand": player["total"]} for player in data["players"])
    assert all(line["rules"] for player in data["players"] for line in player["lines"])


STILL_RUNNING = but(BOTH, BO, at=0, hand=(0, 1, 0, 0))
SHEETS = {
    # Bo has run on in the last turn and is on the way still; a hand counts for whoever has finished.
    "not-finished": [(after(STILL_RUNNING, Run("yellow"), Run("yellow")), (True, False), (1, 0))],
    "finish-keeps": [(after(BOTH, Run("yellow"), Run("yellow")), (False, True), (1, 2))],
    "solo-hand": [(after(ALONE_STUCK, DropOut()), (False, True), (0, 0))],
}


@pytest.mark.parametrize("state, winners, totals", cases(SHEETS))
def test_what_the_sheet_says_of_a_race_that_is_over(state, winners, totals):
    columns = PLAY.box.score(PLAY.final(state)).columns
    assert state.over and tuple(column.winner for column in columns) == winners
    assert tuple(column.total for column in columns) == totals


def test_one_player_races_the_bot_and_two_each_other():
    assert [player.name for player in PLAY.begin(usual(["Ana"])).players] == ["Ana", "The bot"]
    assert [player.name for player in PLAY.begin(usual(["Ana", "Bo"])).players] == ["Ana", "Bo"]


def test_only_whoever_left_the_race_did_not_finish_by_the_book_of_dropping_out():
    running, left = (FinalPlayer("Bo", to_go=2, out=out) for out in (False, True))
    lines = [PLAY.box.score(Final((FinalPlayer("Ana", True, 1), bo))).columns[1].lines[0] for bo in (running, left)]
    assert [(line.label, line.rules[0].id) for line in lines] == [
        ("Not at the finish", "not-finished"),
        ("Did not finish", "dnf"),
    ]
    assert lines[0].because == "2 legs to go. Only a finisher\u2019s cards count."


def test_a_race_that_is_over_is_told_by_who_won_and_by_how_much():
    state = after(STILL_RUNNING, Run("yellow"), Run("yellow"))
    assert PLAY.prompt(state) == PLAY.box.score(PLAY.final(state)).verdict == "Ana wins by 20 legs."


# The last turn that can change nothing


def last_turn(**changes) -> State:
    """Return the race in Bo's last turn: Ana is at the finish, and Bo has just run a leg to a Setback stop."""
    state = race(tracking="light").with_player(ANA, at=21, home=True, unseen=2).with_player(BO, at=2, unseen=2, lost=1)
    return replace(state, **{"turn": BO, "phase": "effect", "moved": 1, **changes})


@pytest.mark.parametrize("phase", ["run", "effect"])  # two cards in hand run no 19 legs
def test_last_turn_that_can_change_nothing_ends_with_one_tap(phase):
    state = last_turn(phase=phase)
    assert EndRace in PLAY.asked(state)
    after = PLAY.play(state, BO, EndRace())
    assert after.over and PLAY.box.score(PLAY.final(after)).winners == ("Ana",)
    assert "Setback" not in PLAY.tell(PLAY.view(state, None), PLAY.view(after, None), BO, EndRace())


def test_last_turn_out_of_reach_can_end_before_a_leg_is_run():
    assert EndRace in PLAY.asked(last_turn(phase="run", moved=0))


@pytest.mark.parametrize(
    "state",
    [
        race(tracking="light"),  # nobody is at the finish
        last_turn(phase="run", moved=0).with_player(BO, at=18, unseen=4, lost=0),  # Bo can still reach it
        last_turn(turn=ANA, phase="effect").with_player(ANA, home=False, at=2),  # Bo has a turn still
    ],
)
def test_turn_that_can_change_the_result_cannot_be_cut_short(state):
    assert EndRace not in PLAY.asked(state)


# Who deals the bot's cards


@pytest.mark.parametrize(("flip", "dealt"), [(Flip(), "app"), (Flip("red"), "cards")])
def test_first_flip_decides_who_deals_the_bots_cards(flip, dealt):
    state = race(solo=True, bot_deck="ask")
    assert {offer.move.card for offer in PLAY.offers(state, ANA, (Flip,)) if offer.legal} == {
        None,
        "red",
        "yellow",
        "green",
        "wild",
    }
    after = PLAY.play(state, ANA, flip)
    assert after.bot_deck == dealt
    assert PLAY.once_more(PLAY.usual(["Ana"]), after).bot_deck == dealt


def test_new_solo_table_asks_who_deals_and_old_set_ups_do_not():
    assert PLAY.ask_later(PLAY.usual(["Ana"])).bot_deck == "ask"
    assert PLAY.ask_later(PLAY.usual(["Ana", "Bo"])) == PLAY.usual(["Ana", "Bo"])
    assert PLAY.read_setup({"players": ["Ana"]}).bot_deck == "app"
