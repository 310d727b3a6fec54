"""FORD, a tiny game with turns, a die, a secret and a ruling, complete in this file.

Each player hides a stone under one hand and crosses the ford: a turn is a roll of the die. A player who has got
across is
asked which hand it was; the left one is worth a point. Five steps win.

"""

import sys
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.box import Box
from scoring.kernel.edit_position import make_edit_position_move
from scoring.kernel.editable import Choice, EditableField, Number, OneOf, choices, ruling_fields
from scoring.kernel.english import pluralize
from scoring.kernel.game import Game
from scoring.kernel.move import Correction, Move, Phase, chosen_option, make_adopt_move
from scoring.kernel.parsing import read_name, read_players, read_rulings
from scoring.kernel.position import PositionFormat
from scoring.kernel.rule import Option, Reason, Rule, Ruling, describe_house_rules
from scoring.kernel.score_entry import score_entry_from_fields
from scoring.kernel.setup import check_names, check_rulings
from scoring.kernel.sheet import Line, Sheet, make_sheet
from scoring.kernel.state import GameSetup, GameState, PlayerState
from scoring.kernel.tracked_game import GameText, SetupFormat, TrackedGame, TurnFlow, game_over_reason, waiting_reason

ACROSS, SIDES = 5, 3
CATEGORIES = (("steps", "Steps"), ("stone", "Stone"))
Hand = Literal["left", "right"]

PLAYERS = Rule("players", "The game", "Two or three people cross.", "leaflet", "1")
TURNS = Rule("turns", "Turns", "You take turns; on yours you roll the die and go on.", "leaflet", "1")
DIE = Rule("die", "Turns", "The die shows one to three.", "leaflet", "1")
STONE = Rule("stone", "The stone", "Nobody sees under which hand your stone lies until the end.", "leaflet", "2")
OVER = Rule(
    "over", "The end", "Whoever comes to the fifth step ends the game; then all show their hands.", "leaflet", "2"
)
BEYOND = Rule(
    "beyond", "The end", "It is not said what a step beyond the fifth is worth.", "leaflet", "2", status="open"
)
TOTAL = Rule("total", "Scoring", "A step is a point, a stone under the left hand is one more.", "leaflet", "2")
STEPS = Ruling(
    "beyond",
    "What is a step beyond the fifth worth?",
    (Option("nothing", "Nothing: there are five."), Option("point", "A point like any other.")),
    BEYOND,
)


class Player(PlayerState, frozen=True):
    step: int = 0
    hand: Hand | None = None


class State(GameState, frozen=True):
    players: tuple[Player, ...]
    rulings: dict[str, str]
    turn: int = 0
    is_over: bool = False  # is a player across, so that all hands are shown

    @property
    def hidden(self) -> tuple[int, ...]:
        return tuple(seat for seat, player in enumerate(self.players) if player.hand is None)


class Setup(GameSetup, frozen=True):
    players: tuple[str, ...]
    rulings: dict[str, str] = {}


def check_setup(setup: Setup) -> Iterator[Reason]:
    yield from check_names(setup.players, BOX.title, BOX.player_counts, PLAYERS)
    yield from check_rulings(setup.rulings, BOX.rulings)


def to_move(state: State) -> tuple[int, ...]:
    return state.hidden if state.is_over else (state.turn,)


def view(state: State, seat: int | None) -> State:
    if state.is_over and not state.hidden:
        return state
    seen = (player if index == seat else replace(player, hand=None) for index, player in enumerate(state.players))
    return replace(state, players=tuple(seen))


def not_your_turn_reason(state: State, seat: int) -> Reason:
    if not state.is_over:
        return waiting_reason([state.players[state.turn].name], TURNS, "roll the die")
    waiting = [state.players[index].name for index in state.hidden]
    return waiting_reason(waiting, OVER, "show the stone") if waiting else game_over_reason(OVER)


class Roll(Move[State], tag="roll"):
    """Roll the die and go this number of steps."""

    rules = (TURNS, DIE)
    resolves = ("roll",)
    phase = Phase.TURN_START

    die: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not 1 <= self.die <= SIDES:
            yield Reason("no-such-side", DIE, f"The die shows 1 to {SIDES}, not {self.die}.")

    def apply(self, state: State, seat: int) -> State:
        step = state.players[seat].step + self.die
        turn = (state.turn + 1) % len(state.players)
        return replace(state.with_player(seat, step=step), turn=turn, is_over=step >= ACROSS)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Roll"]:
        yield from map(cls, range(1, SIDES + 1))

    def label(self, state: State, seat: int) -> str:
        return f"Rolled {self.die}"

    def log_text(self, state: State, seat: int) -> str:
        return f"rolled {self.die}"


class Hide(Move[State], tag="hide"):
    """Note under which hand your stone is; at the end, show it."""

    rules = (STONE,)
    resolves = ("show",)
    out_of_turn = True
    is_secret = True

    hand: Hand

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].hand is not None:
            yield Reason("hidden", STONE, "Your stone lies already.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, hand=self.hand)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Hide"]:
        if state.players[seat].hand is None:
            yield from map(cls, ("left", "right"))

    def label(self, state: State, seat: int) -> str:
        return f"Under my {self.hand} hand"

    def log_text(self, state: State, seat: int) -> str:
        return f"has the stone under the {self.hand} hand"


def position_errors(state: State) -> Iterator[Reason]:
    """Yield the errors of an inconsistent position."""
    for player in state.players:
        if not 0 <= player.step < ACROSS + SIDES:
            yield Reason("off-the-ford", OVER, f"{player.name} stands on step {player.step}; there is none.")
    if not 0 <= state.turn < len(state.players):
        yield Reason("no-such-seat", PLAYERS, f"There is no player {state.turn}.")
    if state.is_over != any(player.step >= ACROSS for player in state.players):
        yield Reason("over", OVER, "It is over when somebody is across, and only then.")


def editable_fields(state: State) -> Iterator[EditableField]:
    """Yield the public fields of a position."""
    for seat, player in enumerate(state.players):
        yield EditableField(f"players.{seat}.step", seat, "step", player.step, Number(maximum=ACROSS + SIDES - 1))
    for seat, player in enumerate(state.players if state.is_over and not state.hidden else ()):
        yield EditableField(f"players.{seat}.hand", seat, "hand", player.hand, OneOf(choices(("left", "right"))))
    yield from ruling_fields((STEPS,), state)
    seats = tuple(Choice(str(seat), player.name, seat) for seat, player in enumerate(state.players))
    yield EditableField("turn", None, "turn", str(state.turn), OneOf(seats))
    yield EditableField(
        "is_over",
        None,
        "across",
        str(state.is_over),
        OneOf((Choice("False", "nobody", False), Choice("True", "somebody", True))),
    )


class Correct(Correction[State], tag="correct"):
    """Correct the position of a player."""

    rules = (OVER,)

    player: int
    step: int

    def change_errors(self, state: State) -> Iterator[Reason]:
        if not 0 <= self.player < len(state.players):
            yield Reason("no-such-player", PLAYERS, "There is no such player.")

    def position_errors(self, state: State) -> Iterator[Reason]:
        return position_errors(state)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, step=self.step)

    def describe_change(self, state: State) -> str:
        return f"{state.players[self.player].name} on step {self.step}"


class Crosser(Struct, frozen=True):
    """One player of a final-position document."""

    name: str
    step: int = 0
    hand: Hand = "right"


class Final(Struct, frozen=True):
    players: tuple[Crosser, ...]
    rulings: dict[str, str]


def read_final(document: dict) -> Final:
    names: set[str] = set()
    players = read_players(document, Crosser, BOX.player_counts)
    for number, player in enumerate(players):
        read_name(player.name, f"players[{number}].name", names)
    return Final(tuple(players), read_rulings(document, BOX.rulings))


def final(state: State) -> Final:
    return Final(tuple(Crosser(p.name, p.step, p.hand or "right") for p in state.players), state.rulings)


def score(final: Final) -> Sheet:
    most = ACROSS if chosen_option(final.rulings, STEPS) == "nothing" else ACROSS + SIDES
    return make_sheet(
        "ford",
        CATEGORIES,
        [player.name for player in final.players],
        [
            [
                Line("steps", pluralize(p.step, "step"), min(p.step, most), f"At most {most}.", (TOTAL, BEYOND)),
                Line("stone", "The stone", int(p.hand == "left"), f"Under the {p.hand} hand.", (TOTAL,)),
            ]
            for p in final.players
        ],
        rulings=describe_house_rules(BOX.rulings, final.rulings),
    )


POSITION_FORMAT = PositionFormat(
    State,
    to_position=lambda state: state,
    from_position=lambda position: position,
    position_errors=position_errors,
    editable_fields=editable_fields,
)

BOX = Box(
    key="ford",
    title="FORD",
    edition="leaflet",
    publisher="Nobody",
    version="1",
    player_counts=(2, 3),
    rules={rule.id: rule for rule in (PLAYERS, TURNS, DIE, STONE, OVER, BEYOND, TOTAL)},
    rulings=(STEPS,),
    components=sys.modules[__name__],
    categories=CATEGORIES,
    player_count_rule=PLAYERS,
    total_rule=TOTAL,
    read_final_position=read_final,
    score=score,
)

TRACKED_GAME = TrackedGame(
    box=BOX,
    key=BOX.key,
    moves=(Roll, Hide, Correct, make_edit_position_move(POSITION_FORMAT, (OVER,)), make_adopt_move(BOX.rulings)),
    setup_format=SetupFormat(
        type=Setup,
        default=lambda names: Setup(tuple(names)),
        check=check_setup,
        start=lambda setup: State(tuple(map(Player, setup.players)), setup.rulings),
    ),
    flow=TurnFlow(
        to_move=to_move,
        pending_decisions=lambda state: ("show",) if state.is_over else ("roll",),
        out_of_phase_reason=lambda state: Reason("show-first", OVER, "Somebody is across: show where your stone lies."),
        not_your_turn_reason=not_your_turn_reason,
    ),
    text=GameText(
        prompt=lambda state: "Show your stones." if state.is_over else "Roll the die.",
        describe_changes=lambda before, after: iter(["That is across."] if after.is_over > before.is_over else []),
        chapter=lambda state: "The show of hands" if state.is_over else "",
    ),
    view=view,
    final_position=final,
    position_format=POSITION_FORMAT,
)

GAME = Game(BOX, TRACKED_GAME, score_entry_from_fields(BOX, Crosser))
