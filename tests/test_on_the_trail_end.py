"""ON THE TRAIL: the finish, the round played to its end, not finishing, the bot, and who has won."""

import pytest
from msgspec.structs import replace

from scoring.document import sheet_data
from scoring.on_the_trail import PLAY
from scoring.on_the_trail.bot import Flip, deck
from scoring.on_the_trail.box import DECK
from scoring.on_the_trail.points import Final, FinalPlayer
from scoring.on_the_trail.running import DropOut, Run, Stay
from scoring.on_the_trail.setup import usual
from scoring.on_the_trail.state import State
from scoring.on_the_trail.telling import EndCard, TellLeg
from scoring.on_the_trail.turn import need
from tests.on_the_trail_table import ANA, BO, BOX, after, cases, codes, holding, race, shown, trail

LAST = 20  # legs run with one, a yellow one, to go
NEARLY = holding(1, 1, 0, 0, at=LAST, other_at=LAST)  # both before the last leg
BOTH = NEARLY.with_player(BO, hand=(0, 1, 0, 2), unseen=0)
STUCK = holding(1, 0, 1, 0)


def second(state: State) -> State:
    """Return the same with Bo to move."""
    return replace(state, turn=BO)


OUTCOMES = {
    "finish": [
        (NEARLY, [Run("yellow")], {"home": True, "hand": (1, 0, 0, 0), "turn": BO, "phase": "run"}),
        (NEARLY.with_player(ANA, setbacks=("hitting-the-wall",)), [Run("yellow")], {"home": True, "held": 1}),
    ],
    "finish-round": [
        (BOTH, [Run("yellow"), Run("yellow")], {"phase": "over"}),
        (BOTH.with_player(BO, at=0, hand=(0, 1, 0, 0)), [Run("yellow"), Run("yellow")], {"phase": "over", "home": True}),
    ],
    "second-finishes": [(second(BOTH), [Run("yellow")], {"phase": "over", "home": False})],
    "dnf": [(STUCK, [DropOut()], {"out": True, "turn": BO, "phase": "run"})],
    "dnf-other": [
        (
            STUCK.with_player(BO, hand=(0, 1, 0, 0), unseen=0),
            [DropOut(), Run("yellow")],
            {"turn": BO, "phase": "run", "moved": 0},
        ),
        (BOTH.with_player(ANA, out=True, at=3), [], {"phase": "run"}),
    ],
    "dnf-both": [(STUCK.with_player(BO, hand=(1, 0, 1, 0), unseen=0), [DropOut(), DropOut()], {"phase": "over"})],
}


@pytest.mark.parametrize("state, moves, wanted", cases(OUTCOMES))
def test_what_comes_of_it(state, moves, wanted):
    assert shown(after(state, *moves), wanted) == wanted


def test_the_one_who_is_left_races_on_alone():
    state = second(BOTH.with_player(ANA, out=True, at=3)).with_player(BO, at=LAST - 1, hand=(0, 1, 1, 0))
    state = after(state, Run("green"), Stay("yellow"))
    assert PLAY.to_move(state) == (BO,) and (state.moved, state.players[BO].at, state.players[BO].held) == (0, LAST, 5)


# The bot


def bot_race(at: int = 0, mine: int = 0, **changes) -> State:
    """Return a solo race with the bot to flip by hand, its next leg yellow where it starts."""
    state = race(solo=True, bot_deck="cards", **changes)
    return state.with_player(BO, at=at).with_player(ANA, at=mine)


BOT = {
    "solo-flip": [
        (bot_race(), [Flip("yellow")], {"at": 4}),
        (bot_race(), [Flip("wild")], {"at": 4}),
        (bot_race(), [Flip("red")], {"at": 2}),
        (bot_race(at=1), [Flip("red")], {"at": 5, "discard": (1, 0, 0, 0)}),
    ],
    "solo-stops": [(bot_race(), [Flip("red")], {"setbacks": (), "boosts": (), "held": 0, "turn": ANA})],
    "solo-deck": [
        (bot_race().with_player(BO, discard=DECK), [Flip("red")], {"discard": (1, 0, 0, 0), "deck": 12}),
        (bot_race(), [Flip("red")], {"deck": 12}),
    ],
    "finish": [(bot_race(at=19, mine=5), [Flip("green")], {"at": 21, "home": True, "phase": "run", "turn": ANA})],
}


@pytest.mark.parametrize("state, moves, wanted", cases(BOT))
def test_what_the_bot_does(state, moves, wanted):
    assert shown(after(state, *moves), wanted, seat=BO) == wanted


def test_the_bot_starts_and_its_runner_acts_for_it():
    state = race(solo=True)
    assert (PLAY.to_move(state), need(state), state.turn) == ((ANA,), "flip", BO)
    assert codes(state, Flip("red")) == ["bot-deck"] and codes(bot_race(), Flip()) == ["bot-deck"]
    assert codes(race(), Flip()) == ["first"]


def test_nothing_is_flipped_that_the_bots_deck_does_not_hold():
    state = bot_race().with_player(BO, discard=(3, 1, 0, 1))
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
    assert PLAY.view(replace(state, phase="over"), None).seed == 12345


def test_every_thirteen_flips_the_bot_has_seen_its_whole_deck():
    long = race(solo=True, facts=replace(BOX, cards=(trail("y." * 12),) * 5), seed=9)
    for _ in range(13):
        state = after(long, Flip())
        long = replace(state, turn=BO, phase="flip", moved=0).with_player(BO, at=0)
    assert long.players[BO].discard == DECK and long.players[BO].deck == 0


def test_whoever_drops_out_alone_has_lost_to_the_bot():
    state = replace(bot_race(at=2), turn=ANA, phase="run").with_player(ANA, hand=(1, 0, 1, 0), unseen=0)
    state = after(state, DropOut())
    assert state.over
    sheet = PLAY.box.score(PLAY.final(state))
    assert (sheet.winners, sheet.decided_by, sheet.verdict) == (("The bot",), "points", "The bot wins: Ana did not finish.")


# A Trail that is told as the race goes


def test_on_the_last_card_the_finish_is_asked_for_as_soon_as_somebody_may_be_there():
    cards = (*BOX.cards[:4], replace(BOX.cards[4], legs=BOX.cards[4].legs[:2], whole=False))
    state = holding(0, 0, 2, 1, at=17, state=race(facts=replace(BOX, cards=cards)))
    state = after(state, Run("green"))
    assert need(state) == "leg" and codes(state, Stay()) == ["first"]
    on = after(state, TellLeg(4, 2, "red"))
    assert need(on) == "run" and not on.players[ANA].home
    home = after(state, EndCard(4))
    assert home.players[ANA].home and home.players[ANA].hand == (0, 0, 1, 1) and PLAY.to_move(home) == (BO,)


def test_the_bot_moves_on_leg_by_leg_as_they_are_told():
    state = race(
        solo=True, bot_deck="cards", facts=replace(BOX, cards=(trail("y."), *BOX.cards[1:])).with_card(0, whole=False), order=()
    )
    state = after(replace(state, order=(0,)), Flip("yellow"))
    assert need(state) == "leg" and state.players[BO].at == 1 and state.steps == 3
    state = after(state, TellLeg(0, 1, "red"), EndCard(0))
    assert (state.players[BO].at, state.steps, need(state)) == (2, 2, "leg")


# Who has won


def final(*players: tuple) -> Final:
    return Final(tuple(FinalPlayer(*player) for player in players))


WON = [
    (("Ana", True, 2), ("Bo", False), "points", [1, 2], ("Ana",), "Ana wins as the only finisher."),
    (("Ana", True, 0), ("Bo", False), "points", [1, 2], ("Ana",), "Ana wins as the only finisher."),
    (("Ana", False), ("Bo", True, 0), "points", [2, 1], ("Bo",), "Bo wins as the only finisher."),
    (("Ana", True, 2), ("Bo", True, 3), "hand", [2, 1], ("Bo",), "Both finish. Bo wins with 3 cards in hand against 2."),
    (
        ("Ana", True, 2),
        ("Bo", True, 2),
        "shared",
        [1, 1],
        ("Ana", "Bo"),
        "Ana and Bo finish level with 2 cards in hand and share the victory.",
    ),
    (("Ana", False), ("Bo", False), "shared", [1, 1], (), "Nobody finished: a tie, and nobody wins."),
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
    (("Ana", False), ("Bot", False, 0, True), "points", [2, 1], ("Bot",), "Bot wins: Ana did not finish."),
    (("Ana", False), ("Bot", True, 0, True), "points", [2, 1], ("Bot",), "Bot wins as the only finisher."),
]


@pytest.mark.parametrize("ana, other, decided_by, ranks, winners, verdict", WON)
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


def test_one_player_races_the_bot_and_two_each_other():
    assert [player.name for player in PLAY.begin(usual(["Ana"])).players] == ["Ana", "The bot"]
    assert [player.name for player in PLAY.begin(usual(["Ana", "Bo"])).players] == ["Ana", "Bo"]
