"""Score entry for any game: players enter their final position until everyone is done."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar, get_args

import msgspec
from msgspec import Struct, field

from scoring.kernel.box import Box
from scoring.kernel.english import capitalize_first, describe_known_words, join_words, truncate
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Move, make_adopt_move
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.setup import check_names, check_rulings
from scoring.kernel.state import GameSetup, GameState, PlayerState
from scoring.kernel.tracked_game import GameText, SetupFormat, TrackedGame, TurnFlow, ViewHelper, game_over_reason


class ScoreEntrySetup(GameSetup, frozen=True):
    """The players and the rulings."""

    players: tuple[str, ...]
    rulings: dict[str, str] = {}


class ScoreEntryPlayer(PlayerState, frozen=True):
    """The entries of one player so far."""

    done: bool = False


class ScoreEntryState(GameState, frozen=True):
    """The entries so far for a game that was not tracked."""

    if TYPE_CHECKING:  # This is not a field here, so that subclasses can order their fields.
        players: tuple[ScoreEntryPlayer, ...]


EntrySetupT = TypeVar("EntrySetupT", bound=ScoreEntrySetup)
EntryStateT = TypeVar("EntryStateT", bound=ScoreEntryState)


class Done(Move[EntryStateT]):
    """Mark your column as complete."""

    default_icon = "check"

    def apply(self, state: EntryStateT, seat: int) -> EntryStateT:
        return state.with_player(seat, done=True)

    @classmethod
    def candidates(cls, state: EntryStateT, seat: int) -> Iterator["Done"]:
        yield cls()

    def label(self, state: EntryStateT, seat: int) -> str:
        return "That is all I have"

    def log_text(self, state: EntryStateT, seat: int) -> str:
        return "is done counting"


class Reopen(Move[EntryStateT]):
    """Reopen your column after you marked it as complete."""

    default_icon = "pen"
    out_of_turn = True

    def objections(self, state: EntryStateT, seat: int) -> Iterator[Reason]:
        if not state.players[seat].done:
            yield Reason("still-counting", self.rules[0], "You are still counting.")

    def apply(self, state: EntryStateT, seat: int) -> EntryStateT:
        return state.with_player(seat, done=False)

    @classmethod
    def candidates(cls, state: EntryStateT, seat: int) -> Iterator["Reopen"]:
        if state.players[seat].done:
            yield cls()

    def label(self, state: EntryStateT, seat: int) -> str:
        return "Go on counting"

    def log_text(self, state: EntryStateT, seat: int) -> str:
        return "goes on counting"


def make_done_moves(rule: Rule) -> tuple[type[Done], type[Reopen]]:
    """Return the two moves that complete and reopen a column.

    :param rule: the rule that the points are added up.
    """

    class DoneMove(Done, tag="done"):
        rules = (rule,)

    class ReopenMove(Reopen, tag="reopen"):
        rules = (rule,)

    return DoneMove, ReopenMove


def make_score_entry(
    box: Box,
    *,
    moves: tuple[type[Move], ...],
    setup_type: type[EntrySetupT],
    start: Callable[[EntrySetupT], EntryStateT],
    final_position: Callable[[EntryStateT], object],
    check_more: Callable[[EntrySetupT], Iterator[Reason]] = lambda setup: iter(()),
    view_helpers: Mapping[str, ViewHelper[EntryStateT]] | None = None,
) -> TrackedGame[EntrySetupT, EntryStateT]:
    """Return the score entry of a box: all players enter values in any order until all are done.

    :param check_more: yields further objections to a setup.
    """

    def check_setup(setup: EntrySetupT) -> Iterator[Reason]:
        yield from check_names(setup.players, box.title, box.player_counts, box.player_count_rule)
        yield from check_rulings(setup.rulings, box.rulings)
        yield from check_more(setup)

    def not_your_turn_reason(state: ScoreEntryState, seat: int) -> Reason:
        waiting = [state.players[other].name for other in to_move(state)]
        if not waiting:
            return game_over_reason(box.total_rule)
        waiting_text = f"{join_words(waiting)} {'is' if len(waiting) == 1 else 'are'} still counting"
        text = f"You said you are done; {waiting_text}. Tap \u201cGo on counting\u201d to change your count."
        return Reason("not-your-turn", box.total_rule, text)

    return TrackedGame(
        box=box,
        key=f"{box.key}-tally",
        moves=moves,
        setup_format=SetupFormat(
            type=setup_type,
            default=lambda names: setup_type(players=tuple(names)),
            check=check_setup,
            start=start,
        ),
        flow=TurnFlow(
            to_move=to_move,
            pending_decisions=lambda state: (),
            out_of_phase_reason=lambda state: game_over_reason(box.total_rule),
            not_your_turn_reason=not_your_turn_reason,
        ),
        text=GameText(prompt=_prompt, describe_changes=_describe_changes),
        view=lambda state, seat: state,
        final_position=final_position,
        is_score_entry=True,
        view_helpers=view_helpers or {},
    )


def to_move(state: ScoreEntryState) -> tuple[int, ...]:
    """Return the seats that are not done."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.done)


def _prompt(state: ScoreEntryState) -> str:
    waiting = [state.players[seat].name for seat in to_move(state)]
    return f"Counting: {', '.join(waiting)} to go." if waiting else "Everything is counted."


def _describe_changes(before: ScoreEntryState, after: ScoreEntryState) -> Iterator[str]:
    if not to_move(after) and to_move(before):
        yield "Everything is counted."


# A score entry built only from the fields of a player in a final-position document


class EntryField(NamedTuple):
    """One value that a player enters, with the data for its input on the page."""

    name: str
    title: str
    current: str
    options: tuple[str, ...]  # the allowed values; empty for a number


class FieldEntryPlayer(ScoreEntryPlayer, frozen=True):
    """The values one player has entered so far, as in a final-position document."""

    entered: dict[str, object] = {}


class FieldEntryState(ScoreEntryState, frozen=True):
    """The values entered so far for a game that was not tracked."""

    players: tuple[FieldEntryPlayer, ...]
    rulings: dict[str, str] = {}


def score_entry_from_fields(box: Box, player_type: type[Struct]) -> TrackedGame:
    """Return the score entry of a box whose players enter the fields of a struct.

    Fields are numbers, flags or one of several words. Values that the final-position document refuses are refused.

    :param player_type: one player of the final-position document; every field but `name` has a default.
    """
    fields = {field.name: field for field in msgspec.structs.fields(player_type) if field.name != "name"}

    class EnterValue(Move[FieldEntryState], tag="tell"):
        """Enter one of your values."""

        rules = (box.total_rule,)
        built_in_steps = True

        field_name: str = field(name="what")
        value: str

        def objections(self, state: FieldEntryState, seat: int) -> Iterator[Reason]:
            if self.field_name not in fields:
                text = f"There is no \u201c{truncate(self.field_name)}\u201d to count; {describe_known_words(fields)}."
                yield Reason("no-such-part", box.total_rule, text)
                return
            try:
                box.read_final_position(_to_document(box, self.apply(state, seat)))
            except msgspec.ValidationError:
                yield Reason(
                    "no-such-value",
                    box.total_rule,
                    f"{_field_title(self.field_name)} cannot be \u201c{truncate(self.value)}\u201d.",
                )
            except InvalidInputError as error:
                yield Reason("does-not-add-up", box.total_rule, f"{capitalize_first(str(error).rpartition(': ')[2])}.")

        def apply(self, state: FieldEntryState, seat: int) -> FieldEntryState:
            value = msgspec.convert(self.value, fields[self.field_name].type, strict=False)
            return state.with_player(seat, entered={**state.players[seat].entered, self.field_name: value})

        @classmethod
        def candidates(cls, state: FieldEntryState, seat: int) -> Iterator["EnterValue"]:
            for part in entry_fields(state, seat, {}):
                values = part.options or (str(int(part.current) + 1), str(int(part.current) - 1))
                yield from (cls(part.name, value) for value in values if value != part.current)

        def label(self, state: FieldEntryState, seat: int) -> str:
            return f"{_field_title(self.field_name)}: {self.value}"

        def icon(self, state: FieldEntryState, seat: int) -> str:
            return "pen"

        def log_text(self, state: FieldEntryState, seat: int) -> str:
            return f"counts {self.field_name.replace('_', ' ')}: {self.value}"

    def entry_fields(state: FieldEntryState, seat: int, draft: dict[str, str]) -> tuple[EntryField, ...]:
        entered = state.players[seat].entered
        return tuple(
            EntryField(
                name, _field_title(name), _value_text(entered.get(name, field.default)), _allowed_values(field.type)
            )
            for name, field in fields.items()
        )

    return make_score_entry(
        box,
        setup_type=ScoreEntrySetup,
        moves=(EnterValue, *make_done_moves(box.total_rule), *([make_adopt_move(box.rulings)] if box.rulings else [])),
        start=lambda setup: FieldEntryState(tuple(FieldEntryPlayer(name) for name in setup.players), setup.rulings),
        final_position=lambda state: box.read_final_position(_to_document(box, state)),
        view_helpers={"entry_fields": entry_fields},
    )


def _to_document(box: Box, state: FieldEntryState) -> dict:
    players = [{"name": player.name, **player.entered} for player in state.players]
    return {"game": box.key, "rulings": state.rulings, "players": players}


def _allowed_values(type: object) -> tuple[str, ...]:
    return ("true", "false") if type is bool else get_args(type)


def _value_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _field_title(name: str) -> str:
    return capitalize_first(name.replace("_", " "))
