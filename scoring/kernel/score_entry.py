"""Score entry for any game: players enter their final position until everyone is done."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, TypeVar, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct, field, inspect
from msgspec.structs import replace

from scoring.kernel.box import Box
from scoring.kernel.english import capitalize_first, describe_known_words, join_words, truncate
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Move, MoveLabel, make_adopt_move
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

    title = "Done"
    fixed_label = MoveLabel("Done", icon="check")
    fixed_log_text = "finished counting"

    def apply(self, state: EntryStateT, seat: int) -> EntryStateT:
        return state.with_player(seat, done=True)


class Reopen(Move[EntryStateT]):
    """Reopen your column after you marked it as complete."""

    title = "Change my count"
    fixed_label = MoveLabel("Change my count", icon="pen")
    fixed_log_text = "started counting again"
    out_of_turn = True

    def objections(self, state: EntryStateT, seat: int) -> Iterator[Reason]:
        if not state.players[seat].done:
            yield Reason("still-counting", self.rules[0], "You are still counting.")

    def apply(self, state: EntryStateT, seat: int) -> EntryStateT:
        return state.with_player(seat, done=False)


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
    picture_height: Callable[[EntryStateT], float] = lambda view: 0,
    view_helpers: Mapping[str, ViewHelper[EntryStateT]] | None = None,
    scene: Callable[[EntryStateT], str] = lambda view: "",
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
        text = f"You are done, and {waiting_text}. Tap \u201c{Reopen.fixed_label.text}\u201d to change yours."
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
        text=GameText(prompt=_prompt, describe_changes=_describe_changes, banner=_banner),
        view=lambda state, seat: state,
        final_position=final_position,
        is_score_entry=True,
        picture_height=picture_height,
        view_helpers=view_helpers or {},
        scene=scene,
    )


def to_move(state: ScoreEntryState) -> tuple[int, ...]:
    """Return the seats that are not done."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.done)


def _prompt(state: ScoreEntryState) -> str:
    waiting = [state.players[seat].name for seat in to_move(state)]
    return f"Still counting: {join_words(waiting)}" if waiting else "Everyone is done."


def _banner(state: ScoreEntryState, seat: int) -> tuple[str, str] | None:
    """Return the banner of a seat that is still counting, or None for the default one."""
    if state.players[seat].done:
        return None
    others = [state.players[other].name for other in to_move(state) if other != seat]
    if others:
        return "Count your points", f"Still counting: {join_words(others)}"
    return "Count your points", "Everyone else is done." if len(state.players) > 1 else ""


def _describe_changes(before: ScoreEntryState, after: ScoreEntryState) -> Iterator[str]:
    if not to_move(after) and to_move(before):
        yield "Everyone is done."


# A score entry built only from the fields of a player in a final-position document


class EntryField(Struct, frozen=True):
    """One field that a player enters, with its default value or the value entered so far."""

    name: str
    title: str
    current: str
    labels: dict[str, str]  # labels by value; empty for a number
    minimum: int | None  # of a number; None without a limit
    maximum: int | None

    @property
    def instruction(self) -> str:
        """Return which values can be entered: "enter 0 to 20", "choose Yes or No"."""
        if self.labels:
            return f"choose {join_words(tuple(self.labels.values()), 'or')}"
        if self.minimum is None and self.maximum is None:
            return "enter a whole number"
        if self.maximum is None:
            return f"enter {self.minimum} or more"
        return f"enter {self.maximum} or less" if self.minimum is None else f"enter {self.minimum} to {self.maximum}"

    @property
    def suggested_values(self) -> tuple[str, ...]:
        """Return the other values of a choice, or the next numbers within the limits."""
        if self.labels:
            return tuple(value for value in self.labels if value != self.current)
        number = int(self.current)
        return tuple(
            str(value)
            for value in (number + 1, number - 1)
            if (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)
        )


class FieldEntryPlayer(ScoreEntryPlayer, frozen=True):
    """The values one player has entered so far, as in a final-position document."""

    entered: dict[str, object] = {}


class FieldEntryState(ScoreEntryState, frozen=True):
    """The values entered so far for a game that was not tracked."""

    players: tuple[FieldEntryPlayer, ...]
    rulings: dict[str, str] = {}


def score_entry_from_fields(box: Box, player_type: type[Struct]) -> TrackedGame:
    """Return the score entry of a box whose players enter the fields of a struct.

    A field is a whole number, a flag or one of several words, and has a default. Its `msgspec.Meta` may have a title
    and the limits of a number, for example `Annotated[int, Meta(title="Summits reached", ge=0, le=20)]`. Values that
    the final-position document refuses are refused.

    :param player_type: one player of the final-position document.
    :raises TypeError: if a score entry cannot ask for one of the fields.
    """
    types = {info.name: info.type for info in msgspec.structs.fields(player_type) if info.name != "name"}
    player_info = inspect.type_info(player_type)
    assert isinstance(player_info, inspect.StructType)
    fields = {
        info.name: _read_entry_field(player_type.__name__, info, types[info.name])
        for info in player_info.fields
        if info.name in types
    }

    class EnterValue(Move[FieldEntryState], tag="tell"):
        """Enter one of your values."""

        title = "Enter a count"
        rules = (box.total_rule,)
        built_in_steps = True

        field_name: str = field(name="what")
        value: str

        def objections(self, state: FieldEntryState, seat: int) -> Iterator[Reason]:
            if self.field_name not in fields:
                known = describe_known_words(fields)
                text = f"There is nothing called \u201c{truncate(self.field_name)}\u201d to enter; {known}."
                yield Reason("no-such-part", box.total_rule, text)
                return
            try:
                box.read_final_position(_to_document(box, self.apply(state, seat)))
            except msgspec.ValidationError:
                entry_field = fields[self.field_name]
                yield Reason("no-such-value", box.total_rule, f"{entry_field.title}: {entry_field.instruction}.")
            except InvalidInputError as error:
                yield Reason("does-not-add-up", box.total_rule, f"{capitalize_first(error.detail)}.")

        def apply(self, state: FieldEntryState, seat: int) -> FieldEntryState:
            value = msgspec.convert(self.value, types[self.field_name], strict=False)
            return state.with_player(seat, entered={**state.players[seat].entered, self.field_name: value})

        @classmethod
        def candidates(cls, state: FieldEntryState, seat: int) -> Iterator["EnterValue"]:
            for entry_field in entry_fields(state, seat, {}):
                yield from (cls(entry_field.name, value) for value in entry_field.suggested_values)

        @property
        def _text(self) -> str:
            if self.field_name not in fields:
                return f"{self.field_name}: {self.value}"
            entry_field = fields[self.field_name]
            return f"{entry_field.title}: {entry_field.labels.get(self.value, self.value)}"

        def label(self, state: FieldEntryState, seat: int) -> MoveLabel:
            return MoveLabel(self._text, icon="pen")

        def log_text(self, state: FieldEntryState, seat: int) -> str:
            return f"entered {self._text}"

    def entry_fields(state: FieldEntryState, seat: int, draft: dict[str, str]) -> tuple[EntryField, ...]:
        entered = state.players[seat].entered
        return tuple(
            replace(entry_field, current=_value_text(entered[name])) if name in entered else entry_field
            for name, entry_field in fields.items()
        )

    return make_score_entry(
        box,
        setup_type=ScoreEntrySetup,
        moves=(EnterValue, *make_done_moves(box.total_rule), *([make_adopt_move(box.rulings)] if box.rulings else [])),
        start=lambda setup: FieldEntryState(tuple(FieldEntryPlayer(name) for name in setup.players), setup.rulings),
        final_position=lambda state: box.read_final_position(_to_document(box, state)),
        view_helpers={"entry_fields": entry_fields},
    )


UNSUPPORTED_TYPES: dict[type, str] = {
    inspect.ListType: "a list",
    inspect.TupleType: "a tuple",
    inspect.VarTupleType: "a tuple",
    inspect.SetType: "a set",
    inspect.DictType: "a dictionary",
    inspect.StructType: "a struct",
    inspect.FloatType: "a number with a fraction",
    inspect.StrType: "free text",
    inspect.UnionType: "an optional value or another union",
    inspect.LiteralType: "a Literal with other values than words",
    inspect.IntType: "a multiple of a number",
}


def _read_entry_field(owner: str, info: inspect.Field, field_type: object) -> EntryField:
    """Return how a field of a struct is entered.

    :raises TypeError: if a score entry cannot ask for it; the text names the place and the fix.
    """
    place, kind, title = f"{owner}.{info.name}", info.type, capitalize_first(info.name.replace("_", " "))
    if isinstance(kind, inspect.Metadata):
        title, kind = (kind.extra_json_schema or {}).get("title", title), kind.type
    labels: dict[str, str] = {}
    minimum = maximum = None
    match kind:
        case inspect.BoolType():
            labels = {"true": "Yes", "false": "No"}
        case inspect.LiteralType(values) if all(isinstance(value, str) for value in values):
            labels = {value: capitalize_first(value) for value in map(str, _literal_values(field_type) or values)}
        case inspect.IntType(gt=greater_than, ge=minimum, lt=less_than, le=maximum, multiple_of=None):
            minimum = minimum if greater_than is None else greater_than + 1
            maximum = maximum if less_than is None else less_than - 1
        case _:
            raise TypeError(
                f"{place}: a score entry cannot ask for {UNSUPPORTED_TYPES.get(type(kind), 'a value of this type')}; "
                "use a whole number, a flag or a Literal of words, or write score_entry.py"
            )
    if info.default is NODEFAULT:
        raise TypeError(f"{place}: a score entry needs a default value to start from; add one, or write score_entry.py")
    entry_field = EntryField(info.name, title, _value_text(info.default), labels, minimum, maximum)
    try:
        msgspec.convert(info.default, field_type)
    except msgspec.ValidationError:
        raise TypeError(
            f"{place}: the default value {info.default!r} cannot be entered; {entry_field.instruction}"
        ) from None
    return entry_field


def _literal_values(type: object) -> tuple[str, ...]:
    """Return the values of a Literal in the order of the source; msgspec sorts them."""
    return get_args(get_args(type)[0] if get_origin(type) is Annotated else type)


def _to_document(box: Box, state: FieldEntryState) -> dict:
    players = [{"name": player.name, **player.entered} for player in state.players]
    return {"game": box.key, "rulings": state.rulings, "players": players}


def _value_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
