"""Score entry for any game: players enter their final position until everyone is done."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import Struct, field

from scoring.kernel.box import Box
from scoring.kernel.english import capitalize_first, describe_known_words, join_words, truncate
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Move, make_adopt_move
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.setup import check_names, check_rulings
from scoring.kernel.state import WithPlayers
from scoring.kernel.tracked_game import TrackedGame, game_over_reason


class ScoreEntrySetup(Struct, frozen=True, forbid_unknown_fields=True):
    """The players and the rulings."""

    players: tuple[str, ...]
    rulings: dict[str, str] = {}


class Done(Move):
    """Mark your column as complete."""

    default_icon = "check"

    def apply(self, state: Any, seat: int) -> Any:
        return state.with_player(seat, done=True)

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator["Done"]:
        yield cls()

    def label(self, state: Any, seat: int) -> str:
        return "That is all I have"

    def log_text(self, state: Any, seat: int) -> str:
        return "is done counting"


class Reopen(Move):
    """Reopen your column after you marked it as complete."""

    default_icon = "pen"
    out_of_turn = True

    def objections(self, state: Any, seat: int) -> Iterator[Reason]:
        if not state.players[seat].done:
            yield Reason("still-counting", self.rules[0], "You are still counting.")

    def apply(self, state: Any, seat: int) -> Any:
        return state.with_player(seat, done=False)

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator["Reopen"]:
        if state.players[seat].done:
            yield cls()

    def label(self, state: Any, seat: int) -> str:
        return "Go on counting"

    def log_text(self, state: Any, seat: int) -> str:
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
    start: Callable[[Any], Any],
    final_position: Callable[[Any], Any],
    setup: type[Struct] = ScoreEntrySetup,
    check_more: Callable[[Any], Iterator[Reason]] = lambda setup: iter(()),
    view_helpers: dict[str, Callable[[Any, int, dict[str, str]], Any]] | None = None,
) -> TrackedGame:
    """Return the score entry of a box: all players enter theirs in any order until all are done.

    The states have `players` with a flag `done`.

    :param check_more: yields further objections to a setup.
    """

    def check_setup(chosen_setup: Any) -> Iterator[Reason]:
        yield from check_names(chosen_setup.players, box.title, box.player_counts, box.player_count_rule)
        yield from check_rulings(chosen_setup.rulings, box.rulings)
        yield from check_more(chosen_setup)

    def not_your_turn_reason(state: Any, seat: int) -> Reason:
        waiting = [state.players[other].name for other in to_move(state)]
        if not waiting:
            return game_over_reason(box.total_rule)
        others = f"{join_words(waiting)} {'is' if len(waiting) == 1 else 'are'} still counting"
        text = f"You said you are done; {others}. Tap \u201cGo on counting\u201d to change your count."
        return Reason("not-your-turn", box.total_rule, text)

    return TrackedGame(
        box=box,
        key=f"{box.key}-tally",
        moves=moves,
        setup=setup,
        default_setup=lambda names: setup(players=tuple(names)),
        check_setup=check_setup,
        start=start,
        to_move=to_move,
        pending_decisions=lambda state: (),
        out_of_phase_reason=lambda state: game_over_reason(box.total_rule),
        not_your_turn_reason=not_your_turn_reason,
        resolve_forced_steps=lambda state: state,
        view=lambda state, seat: state,
        prompt=_prompt,
        describe_changes=_describe_changes,
        final_position=final_position,
        is_score_entry=True,
        view_helpers=view_helpers or {},
    )


def to_move(state: Any) -> tuple[int, ...]:
    """Return the seats that are not done."""
    return tuple(seat for seat, player in enumerate(state.players) if not player.done)


def _prompt(state: Any) -> str:
    waiting = [state.players[seat].name for seat in to_move(state)]
    return f"Counting: {', '.join(waiting)} to go." if waiting else "Everything is counted."


def _describe_changes(before: Any, after: Any) -> Iterator[str]:
    if not to_move(after) and to_move(before):
        yield "Everything is counted."


# A score entry built only from the fields of a player in a final-position document


class EntryField(NamedTuple):
    """One value that a player enters, with the data for its input on the page."""

    name: str
    title: str
    current: str
    options: tuple[str, ...]  # the allowed values; empty for a number


class ScoreEntryPlayer(Struct, frozen=True):
    """The values one player has entered so far, as in a final-position document."""

    name: str
    entered: dict[str, Any] = {}
    done: bool = False


class ScoreEntryState(WithPlayers, frozen=True):
    """The values entered so far for a game that was not tracked."""

    players: tuple[ScoreEntryPlayer, ...]
    rulings: dict[str, str] = {}


def score_entry_from_fields(box: Box, player_type: type[Struct]) -> TrackedGame:
    """Return the score entry of a box whose players enter the fields of a struct.

    Fields are numbers, flags or one of several words. Values that the final-position document refuses are refused.

    :param player_type: one player of the final-position document; every field but `name` has a default.
    """
    fields = {field.name: field for field in msgspec.structs.fields(player_type) if field.name != "name"}

    class EnterValue(Move, tag="tell"):
        """Enter one of your values."""

        rules = (box.total_rule,)
        built_in_steps = True

        field_name: str = field(name="what")
        value: str

        def objections(self, state: ScoreEntryState, seat: int) -> Iterator[Reason]:
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
            except InvalidInputError as fault:
                yield Reason("does-not-add-up", box.total_rule, f"{capitalize_first(str(fault).rpartition(': ')[2])}.")

        def apply(self, state: ScoreEntryState, seat: int) -> ScoreEntryState:
            value = msgspec.convert(self.value, fields[self.field_name].type, strict=False)
            return state.with_player(seat, entered={**state.players[seat].entered, self.field_name: value})

        @classmethod
        def candidates(cls, state: ScoreEntryState, seat: int) -> Iterator["EnterValue"]:
            for part in entry_fields(state, seat, {}):
                values = part.options or (str(int(part.current) + 1), str(int(part.current) - 1))
                yield from (cls(part.name, value) for value in values if value != part.current)

        def label(self, state: ScoreEntryState, seat: int) -> str:
            return f"{_field_title(self.field_name)}: {self.value}"

        def icon(self, state: ScoreEntryState, seat: int) -> str:
            return "pen"

        def log_text(self, state: ScoreEntryState, seat: int) -> str:
            return f"counts {self.field_name.replace('_', ' ')}: {self.value}"

    def entry_fields(state: ScoreEntryState, seat: int, draft: dict[str, str]) -> tuple[EntryField, ...]:
        told = state.players[seat].entered
        return tuple(
            EntryField(
                name, _field_title(name), _value_text(told.get(name, field.default)), _allowed_values(field.type)
            )
            for name, field in fields.items()
        )

    return make_score_entry(
        box,
        moves=(EnterValue, *make_done_moves(box.total_rule), *([make_adopt_move(box.rulings)] if box.rulings else [])),
        start=lambda setup: ScoreEntryState(tuple(ScoreEntryPlayer(name) for name in setup.players), setup.rulings),
        final_position=lambda state: box.read_final_position(_to_document(box, state)),
        view_helpers={"parts": entry_fields},
    )


def _to_document(box: Box, state: ScoreEntryState) -> dict:
    players = [{"name": player.name, **player.entered} for player in state.players]
    return {"game": box.key, "rulings": state.rulings, "players": players}


def _allowed_values(type: Any) -> tuple[str, ...]:
    return ("true", "false") if type is bool else get_args(type)


def _value_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _field_title(name: str) -> str:
    return capitalize_first(name.replace("_", " "))
