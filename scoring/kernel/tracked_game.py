"""A tracked game as a value: offering, making and replaying moves, and log text."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.box import Box
from scoring.kernel.card_facts import CardFactsFormat
from scoring.kernel.editable import Change
from scoring.kernel.english import end_sentence, join_words
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.lessons import Lessons
from scoring.kernel.move import Move, Phase
from scoring.kernel.parsing import convert_data
from scoring.kernel.pieces import Pieces
from scoring.kernel.position import PositionFormat
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.state import SetupT, StateT


class Offer(Struct, frozen=True):
    """A candidate move with all objections to it."""

    move: Move
    reasons: tuple[Reason, ...]

    @property
    def is_legal(self) -> bool:
        return not self.reasons


class PlayedMove(NamedTuple):
    """A move of a turn with the states before and after it."""

    before: Any
    after: Any
    seat: int
    move: Move


class Reminder(Struct, frozen=True):
    """A physical action at the table, in a sentence without a name."""

    text: str
    seat: int | None = None  # the seat that has to act; None for everyone

    def addressed_to(self, name: str) -> str:
        """Return the reminder with the name of the player who has to act: "Ana: draw 1 card."."""
        return f"{name}: {self.text[:1].lower()}{self.text[1:]}"


class TableAction(Reminder, frozen=True):
    """A physical action that brings the table in line with a position that a repair has changed."""

    changes: tuple[Change, ...] = ()  # of the editable fields that it carries out; some actions follow from others


@dataclass(frozen=True)
class SetupFormat(Generic[SetupT, StateT]):
    """How tables of one game are set up."""

    type: type[SetupT]
    default: Callable[[list[str]], SetupT]  # names in turn order -> the most common setup
    check: Callable[[SetupT], Iterator[Reason]]  # setup -> objections
    start: Callable[[SetupT], StateT]  # setup -> first state
    # The setup of a new table, with choices that players make during the game left open.
    defer_choices: Callable[[SetupT], SetupT] = lambda setup: setup
    # The setup of another game of the same players, from the last game's setup and final state.
    for_rematch: Callable[[SetupT, StateT], SetupT] = lambda setup, last: setup
    # The setup of a new table, with the preferences of another setup applied.
    reuse: Callable[[SetupT, SetupT], SetupT] = lambda setup, last: replace(setup, rulings=last.rulings)


@dataclass(frozen=True)
class TurnFlow(Generic[StateT]):
    """Whose turn it is, and what has to be decided."""

    to_move: Callable[[StateT], tuple[int, ...]]  # state -> seats; empty when the game is over
    # State -> what has to be decided now; see Move.resolves.
    pending_decisions: Callable[[StateT], tuple[Hashable, ...]]
    out_of_phase_reason: Callable[[StateT], Reason]  # why a move that resolves another decision is refused
    # Why a seat that is not to move is refused: what is being waited for, or that the game is over.
    not_your_turn_reason: Callable[[StateT, int], Reason]
    # Carries out steps that leave no choice.
    resolve_forced_steps: Callable[[StateT], StateT] = lambda state: state
    # The seats whose turns follow the current one, in order, as far as that is certain.
    next_seats: Callable[[StateT], tuple[int, ...]] = lambda state: ()
    is_simultaneous: bool = False  # whether several seats may act at the same time; `banner` has a prompt for each
    # Whether a state in which a seat is to move belongs to the same turn as an earlier one. If None, a turn lasts until
    # a move that starts a turn or enters the setup is available.
    is_same_turn: Callable[[StateT, StateT, int], bool] | None = None
    # State, seat -> the state as if the next turn of the seat began, or None. If unset, the field "turn" is changed.
    start_turn: Callable[[StateT, int], StateT | None] | None = None


@dataclass(frozen=True)
class GameText(Generic[StateT]):
    """What players read about a game: prompts, log lines and reminders."""

    prompt: Callable[[StateT], str]  # what has to be done now, in one line
    describe_changes: Callable[[StateT, StateT], Iterator[str]]  # sentences about other changes between two states
    # What a player gained and paid by a legal move, each with its sign, and with its source unless that is the move
    # itself: "+1 leaf (bear)", "\u22122 rocks". State before and after, seat, move.
    describe_quantities: Callable[[StateT, StateT, int, Move], Iterator[str]] = lambda before, after, seat, move: iter(
        ()
    )
    # The two texts shown to a seat in place of "Your turn" and the prompt, such as for its last turn; None for the
    # default.
    banner: Callable[[StateT, int], tuple[str, str] | None] = lambda state, seat: None
    # The heading and the text of the table view, in place of whose turn it is; None for the default. From a view.
    table_heading: Callable[[StateT], tuple[str, str] | None] = lambda view: None
    # The chapter of the log, such as "Summer" or "Round 3"; may be empty.
    chapter: Callable[[StateT], str] = lambda state: ""
    # Reminders after the first move that led from one state to another, from public views.
    reminders: Callable[[StateT, StateT, Move], Iterator[Reminder]] = lambda before, after, move: iter(())
    # Where on the table the last of some moves of a turn happens: "the leaf site"; may be empty. From the state before
    # that move, the seat, and the moves.
    place: Callable[[StateT, int, Sequence[Move]], str] = lambda state, seat, moves: ""
    # Actions that turn the table of one state into that of another, from views, after a repair.
    table_actions: Callable[[StateT, StateT], Iterator[TableAction]] = lambda before, after: iter(())
    # The name of the turn's owner if it has no seat: the bot, whose card the seat to move flips. Empty if it is that
    # seat.
    turn_owner_name: Callable[[StateT], str] = lambda state: ""
    # The phrases for the moves of a whole turn in the news, in order; None joins the phrases of the single moves.
    describe_turn: Callable[[Sequence[PlayedMove]], list[str]] | None = None
    # The call that everyone sees until the end once the last round or season has begun, such as "Last round: you have
    # 1 turn left."; empty before. From a view, for a seat or (None) for everyone.
    final_call: Callable[[StateT, int | None], str] = lambda view, seat: ""


@dataclass(frozen=True)
class Progress(Generic[StateT]):
    """What the chart of a whole game shows instead of the points of each state.

    The chart of a game with points ends with the totals, whatever the values are.
    """

    unit: str  # what the values count, such as "legs run"
    values: Callable[[StateT], tuple[int, ...]]  # state -> the value of each player
    awards_text: str = ""  # a sentence that names the points left out until the end, because they may change hands


KindT = TypeVar("KindT", bound=Move)

# A value for the game's pages, from a view, a seat, and the move that the phone there is building.
ViewHelper = Callable[[StateT, int, dict[str, str]], object]


@dataclass(frozen=True)
class TrackedGame(Generic[SetupT, StateT]):
    """How one box is tracked, move by move; a score entry only enters the final position."""

    box: Box
    key: str  # in logs and addresses: the key of the box, or of its score entry
    moves: tuple[type[Move[StateT]], ...]
    setup_format: SetupFormat[SetupT, StateT]
    flow: TurnFlow[StateT]
    text: GameText[StateT]
    view: Callable[[StateT, int | None], StateT]  # state -> the same without others' secrets
    final_position: Callable[[StateT], object]  # state -> input for the scoring of the box
    position_format: PositionFormat[Any, StateT] | None = None  # how positions are converted; None if unsupported
    can_join_midgame: bool = False  # whether a game that began without the app can be continued from its position
    is_score_entry: bool = False  # whether players only enter the final position of an untracked game
    # Public view at the end -> the height of the drawing of the table on the picture of a result, where it is 960 wide.
    # 0: no drawing; infinity: all the room that the standings leave.
    picture_height: Callable[[StateT], float] = lambda view: 0
    progress: Progress[StateT] | None = None  # None: the chart of a whole game shows the points of each state
    view_helpers: Mapping[str, ViewHelper[StateT]] = field(default_factory=dict)
    lessons: Lessons[SetupT, StateT] | None = None  # for a player's first game; None: it has none
    # A word for the scene that a view shows, such as its season; pages choose their colors by it.
    scene: Callable[[StateT], str] = lambda view: ""
    # View, seat, fields of a form -> the move that the fields describe, or None; unset if moves are sent as such.
    move_to_query: Callable[[StateT, int, dict[str, str]], Move | None] | None = None

    @property
    def card_facts(self) -> CardFactsFormat | None:
        """Return the format of the card facts, if this game's setup uses them."""
        return self.box.card_facts if "facts" in self.setup_format.type.__struct_fields__ else None

    @property
    def pieces(self) -> Pieces | None:
        """Return the pieces that the players choose a color of; a score entry has none."""
        return None if self.is_score_entry else self.box.pieces

    @property
    def has_turns(self) -> bool:
        """Return whether players take turns, so that one of them starts."""
        return not (self.is_score_entry or self.flow.is_simultaneous)

    @cached_property
    def has_secrets(self) -> bool:
        """Return whether players enter secrets that no one else may see."""
        return any(kind.is_secret for kind in self.moves)

    @cached_property
    def move_type(self) -> Any:
        """Return the union of all kinds of move, as a type that msgspec can decode."""
        return reduce(or_, self.moves)

    @cached_property
    def _available_moves(self) -> Callable[[tuple[Hashable, ...]], tuple[type[Move], ...]]:
        """Return a cached function from pending decisions to the kinds of move that resolve them.

        It is called at every move, and there are few different decisions.
        """
        return lru_cache(maxsize=256)(
            lambda decisions: tuple(kind for kind in self.moves if _is_available(kind, decisions))
        )

    def find_kind(self, base: type[KindT]) -> type[KindT] | None:
        """Return this game's kind of a kernel move such as `EditPosition`, or None."""
        return next((kind for kind in self.moves if issubclass(kind, base)), None)

    def decode(self, data: object, *, strict: bool = True) -> Move:
        """Return the move for plain data, from JSON or from a form with `strict=False`.

        :raises InvalidInputError: when it is no move of this game.
        """
        return convert_data(data, self.move_type, strict=strict, tag_noun="move")

    def read_setup(self, data: object, *, strict: bool = True, is_prechecked: bool = False) -> SetupT:
        """Return the setup for plain data.

        :param is_prechecked: whether the rules have accepted it before, so that they are not checked again.
        :raises InvalidInputError: when it is no setup of this game.
        :raises IllegalMoveError: when the rules refuse it.
        """
        setup = convert_data(data, self.setup_format.type, strict=strict)
        if not is_prechecked and (reasons := list(self.setup_format.check(setup))):
            raise IllegalMoveError(reasons)
        return setup

    def new_table_setup(self, setup: SetupT, seed: int, facts: object) -> SetupT:
        """Return the setup with the facts known by now, and the `seed` if the game has chance."""
        given = {"seed": seed, "facts": facts}
        return replace(
            setup, **{name: given[name] for name in given if name in self.setup_format.type.__struct_fields__}
        )

    def initial_state(self, setup: SetupT) -> StateT:
        """Return the state before the first move."""
        return self.flow.resolve_forced_steps(self.setup_format.start(setup))

    def available_moves(self, state: StateT) -> tuple[type[Move], ...]:
        """Return the kinds of move that resolve what has to be decided now."""
        return self._available_moves(self.flow.pending_decisions(state))

    def is_turn_unfinished(self, turn_start: StateT, state: StateT, seat: int) -> bool:
        """Return whether the turn that a seat was in at `turn_start` is still going on in a state."""
        if self.is_score_entry or seat not in self.flow.to_move(state):
            return False
        if self.flow.is_same_turn:
            return self.flow.is_same_turn(turn_start, state, seat)
        return not any(kind.phase is not Phase.TURN for kind in self.available_moves(state))

    def objections(self, state: StateT, seat: int, move: Move) -> Iterator[Reason]:
        """Return all reasons against a seat making a move now, as a lazy iterator."""
        if not move.out_of_turn:
            if seat not in self.flow.to_move(state):
                # What is being waited for may depend on a secret, so only the seat's own view is used.
                return iter((self.flow.not_your_turn_reason(self.view(state, seat), seat),))
            if move.resolves and type(move) not in self.available_moves(state):
                return iter((move.out_of_phase_reason(state, seat) or self.flow.out_of_phase_reason(state),))
        return move.objections(state, seat)

    def is_legal(self, state: StateT, seat: int, move: Move) -> bool:
        """Return whether the rules let a seat make a move now."""
        return next(self.objections(state, seat, move), None) is None

    def play(self, state: StateT, seat: int, move: Move[StateT]) -> StateT:
        """Return the state after a move and the forced steps that follow it.

        :raises IllegalMoveError: with every reason, when the rules refuse the move.
        """
        if reasons := list(self.objections(state, seat, move)):
            raise IllegalMoveError(reasons, move)
        return self.flow.resolve_forced_steps(move.apply(state, seat))

    def candidates(self, state: StateT, seat: int, kinds: Iterable[type[Move]] = ()) -> Iterator[Move]:
        """Yield every move a seat could want now, legal or not, of all kinds or the given ones.

        A seat that is not to move can only make moves that are allowed out of turn.
        """
        available = self.available_moves(state) if seat in self.flow.to_move(state) else ()
        for kind in kinds or self.moves:
            if kind.out_of_turn or kind in available:
                yield from kind.candidates(state, seat)

    def offers(self, state: StateT, seat: int, kinds: Iterable[type[Move]] = ()) -> list[Offer]:
        """Return the candidate moves of a seat, each with the reasons against it."""
        return [Offer(move, tuple(self.objections(state, seat, move))) for move in self.candidates(state, seat, kinds)]

    def variants(self, state: StateT, seat: int, move: Move) -> list[Move]:
        """Return the legal moves of the same kind that a player may have meant instead of a move."""
        if not (move.out_of_turn or type(move) in self.available_moves(state)):
            return []
        return [variant for variant in move.variants(state, seat) if self.is_legal(state, seat, variant)]

    def suggestions(self, state: StateT, seat: int, refused: Move) -> list[Move]:
        """Return the legal moves that may be meant by a refused one."""
        return [move for move in refused.suggestions(state, seat) if self.is_legal(state, seat, move)]

    def replay(self, setup: SetupT, log: Iterable[tuple[int, Move[StateT]]]) -> StateT:
        """Return the state after a log of (seat, move).

        :raises IllegalMoveError: at the first move that the rules refuse.
        """
        state = self.initial_state(setup)
        for seat, move in log:
            state = self.play(state, seat, move)
        return state

    def news_phrases(self, before: StateT, after: StateT, seat: int, move: Move) -> Iterator[str]:
        """Yield the phrases for one move in the news of a turn: "rock site", "+1 rock"."""
        if text := move.news_text(before, seat):
            yield text
        yield from self.text.describe_quantities(move.log_baseline(before, seat), after, seat, move)

    def turn_phrases(self, moves: Sequence[PlayedMove]) -> list[str]:
        """Return the phrases for a whole turn in the news, the costs last."""
        if self.text.describe_turn:
            return self.text.describe_turn(moves)
        phrases = [text for each in moves for text in self.news_phrases(each.before, each.after, each.seat, each.move)]
        return sorted(phrases, key=lambda phrase: phrase.startswith("\u2212"))

    def log_sentence(self, before: StateT, after: StateT, seat: int, move: Move) -> str:
        """Return the log's text for a move: "Ana hiked 2 tiles to the leaf site, +1 leaf."."""
        baseline = move.log_baseline(before, seat)
        quantities = self.text.describe_quantities(baseline, after, seat, move)
        return " ".join(
            [
                end_sentence(", ".join([move.action_text(before, seat), *quantities])),
                *self.text.describe_changes(baseline, after),
            ]
        )


def _is_available(kind: type[Move], decisions: tuple[Hashable, ...]) -> bool:
    return any(decision in kind.resolves for decision in decisions) if kind.resolves else not kind.out_of_turn


def waiting_reason(names: list[str], rule: Rule, decision_text: str = "") -> Reason:
    """Return why a seat that is not to move is refused.

    :param decision_text: what has to be decided, if known.
    """
    text = f"It is {names[0]}\u2019s turn" if len(names) == 1 else f"Wait for {join_words(names)}"
    return Reason("not-your-turn", rule, f"{text}: {decision_text}." if decision_text else f"{text}.")


def game_over_reason(rule: Rule) -> Reason:
    """Return the reason that the game is over."""
    return Reason("game-over", rule, "The game is over.")
