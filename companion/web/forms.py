"""The forms: WTForms for fields that all games share, and readers for a game's own fields."""

import datetime
import functools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from flask_wtf import FlaskForm
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, DateField, Field, FieldList, Form, FormField, IntegerField, StringField
from wtforms.validators import AnyOf, Length, NumberRange, Optional, Regexp, ValidationError

from companion.history.result import (
    EARLIEST_DAY,
    MAX_NOTE_LENGTH,
    MAX_POINTS,
    MINUTES_PER_DAY,
    PlayerResult,
    Result,
    name_key,
    unused_name,
)
from companion.log.consent import CONSENT_LABELS
from companion.log.entries import ConsentPolicy, describe_date
from companion.service.clock import latest_day
from companion.storage.store import ALPHABET, CODE_LENGTH
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.edit_position import EditPosition
from scoring.kernel.editable import AddRemove, Change, EditableField, Increment, Number, PileSize, Replace, SomeOf
from scoring.kernel.english import join_words
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import MAX_NAME_LENGTH, name_error, quote_value
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame


def _collapse_whitespace(text: str | None) -> str:
    return " ".join((text or "").split())


NAME_FIELD_PATTERN = re.compile("names-[0-9]{1,2}|csrf_token")  # FieldList fails on other digits
NAME_VALIDATORS = [Length(max=MAX_NAME_LENGTH, message=f"A name has at most {MAX_NAME_LENGTH} characters.")]


def _known_fields(form: MultiDict | None, pattern: re.Pattern) -> MultiDict | None:
    """Return the fields of a form whose names match."""
    return form and MultiDict((key, value) for key, value in form.items() if pattern.fullmatch(key))


def _describe_counts(counts: Sequence[int]) -> str:
    separator = "or" if len(counts) == 2 else "to"
    return f"{counts[0]} {separator} {counts[-1]}" if len(counts) > 1 else str(counts[0])


def _require_different_names(names: list[str]) -> None:
    folded = [name.casefold() for name in names]
    for index, name in enumerate(names):
        if name.casefold() in folded[:index]:
            raise ValidationError(f"Two players are called {name}. Add an initial.")


class NamesForm(FlaskForm):
    """The players' names in turn order; empty rows are ignored."""

    names = FieldList(
        StringField("Name", filters=[_collapse_whitespace], validators=NAME_VALIDATORS),
    )

    def __init__(self, form: MultiDict | None = None, *, seats: tuple[int, ...]):
        self._seats = seats
        super().__init__(_known_fields(form, NAME_FIELD_PATTERN))
        while len(self.names) < seats[-1]:
            self.names.append_entry("")

    @property
    def entered_names(self) -> list[str]:
        return [name for name in self.names.data if name]

    def validate_names(self, field: FieldList) -> None:
        names = self.entered_names
        if not self._seats[0] <= len(names) <= self._seats[-1]:
            raise ValidationError(f"Enter {_describe_counts(self._seats)} names.")
        _require_different_names(names)


class JoinForm(FlaskForm):
    """A form for a table's short code, in any spelling."""

    code = StringField(
        "Table code",
        filters=[lambda text: re.sub(r"[^A-Z]", "", (text or "").upper())],
        validators=[
            Regexp(
                f"^[{ALPHABET}]{{{CODE_LENGTH}}}$",
                message=f"A code has {CODE_LENGTH} letters. You find it on the host\u2019s screen.",
            )
        ],
    )


MAX_PLAYERS = max(game.box.player_counts[-1] for game in GAMES.values())
LATEST_DAY = datetime.date(2999, 12, 31)
NOTE_VALIDATORS = [Length(max=MAX_NOTE_LENGTH, message=f"Use at most {MAX_NOTE_LENGTH} characters.")]
# Keyword arguments of fields; as a dictionary, since the type stubs of WTForms do not have them yet.
WHOLE_NUMBER: dict[str, Any] = {"invalid_value_message": "Enter a whole number."}
DATE: dict[str, Any] = {"invalid_value_message": "Enter a date."}
RESULT_FIELD_PATTERN = re.compile(
    "players-[0-9]-(name|kind|points|won)|csrf_token|game|day|today|minutes|where|note|outcome|anyway"
)
PLAYER_KINDS = {"player": "Player", "guest": "Guest", "bot": "Bot"}  # value and label; the labels name guests and bots
# What the form itself can say about how a game was decided; other values of `Result.decided_by` are of other programs.
FORM_DECISIONS = ("points", "shared", "tie-break")


def _validate_readable(form: Form, field: StringField) -> None:
    if field.data and (error := name_error(field.data)):
        raise ValidationError(f"{error[:1].upper()}{error[1:]}.")


class PlayerResultForm(Form):
    """One player of a typed result; `ResultForm` checks the points, because a race has none."""

    name = StringField("Name", filters=[_collapse_whitespace], validators=[*NAME_VALIDATORS, _validate_readable])
    kind = StringField("Kind", default="player", validators=[AnyOf(PLAYER_KINDS, "Choose Player, Guest or Bot.")])
    points = StringField("Points", filters=[_collapse_whitespace])
    won = BooleanField("Won")

    @property
    def is_entered(self) -> bool:
        """Return whether it has a player; guests and bots need no name."""
        return bool(self.name.data) or self.kind.data != "player"


class EnteredPlayer(NamedTuple):
    """A player of a typed result, with the name that is stored."""

    row: PlayerResultForm
    name: str
    points: int | None  # None if they are missing or wrong, or if it is a race

    @property
    def is_bot(self) -> bool:
        return self.row.kind.data == "bot"

    @property
    def is_ticked(self) -> bool:
        return bool(self.row.won.data)


class Problem(NamedTuple):
    """A problem with a typed result, in one sentence."""

    field_id: str  # of the field to change
    text: str


class WinnerQuestion(NamedTuple):
    """The question of who won, if neither points nor ticks say it."""

    text: str
    choices: dict[
        str, str
    ]  # the labels by value: "shared", "none" for no winner, or the place of the winner in the list


class NoteForm(FlaskForm):
    """Where a game was played, and a note on it."""

    where = StringField("Where", filters=[_collapse_whitespace], validators=NOTE_VALIDATORS)
    note = StringField("Note", filters=[_collapse_whitespace], validators=NOTE_VALIDATORS)


class DayForm(FlaskForm):
    """The day of a game.

    This computer's clock may be behind without any sign of it, so the phone's own day counts too. A script fills in
    `today`; without scripts, the player confirms it.
    """

    day = DateField("Day", **DATE)
    today = DateField("Today", [Optional()], **DATE)  # by the phone's clock

    def __init__(self, form: MultiDict | None = None, *, now: datetime.datetime | None, **kwargs: object):
        """:param now: by this computer's clock; None if it must be wrong: any day is accepted."""
        self._now = now
        self.must_confirm_today = False  # may a phone without scripts confirm that its clock shows the day?
        super().__init__(form, **kwargs)

    def validate_day(self, field: DateField) -> None:
        if not field.data:
            return
        if not EARLIEST_DAY <= field.data <= LATEST_DAY:
            raise ValidationError(f"That date is too {'early' if field.data < EARLIEST_DAY else 'late'}.")
        if self._now and field.data > max(latest_day(self._now), self.today.data or EARLIEST_DAY):
            self.must_confirm_today = not self.today.data
            raise ValidationError(
                f"That date is in the future. This computer\u2019s clock says {describe_date(self._now.date())}."
            )


class ResultForm(DayForm, NoteForm):
    """The result of a game played elsewhere; empty rows are ignored."""

    game = StringField("Game", validators=[AnyOf(GAMES, "Choose a game.")])
    players = FieldList(FormField(PlayerResultForm), min_entries=MAX_PLAYERS, max_entries=MAX_PLAYERS)
    minutes = IntegerField(
        "Minutes",
        validators=[Optional(), NumberRange(1, MINUTES_PER_DAY, f"Enter a number from 1 to {MINUTES_PER_DAY}.")],
        **WHOLE_NUMBER,
    )
    outcome = StringField("Who won?")  # the answer to the `winner_question`
    anyway = StringField("Save anyway")  # set if it is stored although it looks like another result

    def __init__(self, form: MultiDict | None = None, *, now: datetime.datetime | None, previous: Result | None = None):
        """:param previous: the result that is corrected, as it was typed."""
        self._previous = previous
        super().__init__(
            _known_fields(form, RESULT_FIELD_PATTERN),
            now=now,
            data=_initial_data(previous) if previous else {"day": now and now.date()},
        )

    @property
    def _rows(self) -> list[PlayerResultForm]:
        return [field.form for field in self.players]

    @property
    def _box(self) -> Box | None:
        return GAMES[self.game.data].box if self.game.data in GAMES else None

    @property
    def _has_points(self) -> bool:
        return self._box is None or self._box.has_points

    @functools.cached_property
    def _entered(self) -> tuple[EnteredPlayer, ...]:
        """Return the players; those without a name are "Guest", "Guest 2", "Bot" and so on."""
        rows = [row for row in self._rows if row.is_entered]
        taken = {name_key(row.name.data) for row in rows if row.name.data}
        players = []
        for row in rows:
            name = row.name.data or unused_name(PLAYER_KINDS.get(row.kind.data or "", "Player"), taken)
            taken.add(name_key(name))
            points = _parse_points(row.points.data or "") if self._has_points else None
            players.append(EnteredPlayer(row, name, points))
        return tuple(players)

    @property
    def has_guests_or_bots(self) -> bool:
        return any(row.kind.data != "player" for row in self._rows)

    @property
    def kinds(self) -> dict[str, str]:
        """Return the kinds of players, by value."""
        return PLAYER_KINDS

    @functools.cached_property
    def _is_unchanged(self) -> bool:
        """Return whether the game and its players are as in the previous result."""
        if self._previous is None or self.game.data != self._previous.game:
            return False
        entered = [
            {
                "name": player.name,
                "kind": player.row.kind.data,
                "points": "" if player.points is None else str(player.points),
                "won": player.is_ticked,
            }
            for player in self._entered
        ]
        initial = _initial_data(self._previous)
        return (entered, self.outcome.data or "") == (initial["players"], initial["outcome"])

    # Problems

    @functools.cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Return the problems in the order of the form, after `validate`."""
        fields = [self.game, self.day]
        fields += [field for row in self._rows for field in (row.name, row.kind)]
        later_fields = [self.minutes, self.where, self.note]
        return (*_field_problems(fields), *self._player_problems(), *_field_problems(later_fields))

    def validate(self, extra_validators: Any = None) -> bool:
        """Return whether the result can be stored, apart from the `winner_question`."""
        return super().validate(extra_validators) and not self.problems

    def _player_problems(self) -> Iterator[Problem]:
        box = self._box
        if box is None or self._is_unchanged:
            return
        yield from self._seat_problems(box)
        if box.has_points:
            points_problems = [
                Problem(player.row.points.id, text)
                for player in self._entered
                if (text := self._points_error(player, box))
            ]
            yield from points_problems or self._winner_problems()

    def _seat_problems(self, box: Box) -> Iterator[Problem]:
        """Yield the problems with the names, the bots and the number of players."""
        for number, row in enumerate(self._rows, 1):
            if not row.is_entered and (row.won.data or (box.has_points and row.points.data)):
                yield Problem(row.name.id, f"Enter a name for player {number}, or choose Guest.")
        bots = [player for player in self._entered if player.is_bot]
        if bots and not box.has_bot and not self._had_bot:
            yield Problem(bots[0].row.kind.id, f"{box.title} has no bot. Choose Player or Guest.")
        elif bots and box.has_bot and (len(bots), len(self._entered)) != (1, 2):
            yield Problem(bots[0].row.kind.id, f"In {box.title}, one player races one bot.")
        elif len(self._entered) not in box.player_counts:
            text = f"Enter {_describe_counts(box.player_counts)} players for {box.title}."
            yield Problem(self._rows[0].name.id, text)
        names = [name_key(player.name) for player in self._entered]
        for index, player in enumerate(self._entered):
            if names[index] in names[:index]:
                yield Problem(player.row.name.id, f"Two players are called {player.name}. Add an initial.")

    def _points_error(self, player: EnteredPlayer, box: Box) -> str:
        """Return the problem with a player's points, or an empty text.

        No game has negative totals. A result of an earlier version may have them, and one of another program may lack
        points; such a result can still be corrected.
        """
        previous = self._previous
        previous_points = [previous.points_of(part) for part in previous.players] if previous else []
        if not player.row.points.data:
            return "" if None in previous_points else f"Enter {player.name}\u2019s points."
        if player.points is None:
            return f"{player.name}\u2019s points must be a whole number, such as 20."
        if player.points < min([0, *(points for points in previous_points if points is not None)]):
            return f"{player.name}\u2019s points cannot be negative in {box.title}."
        return f"{player.name}\u2019s points can be at most {MAX_POINTS}." if player.points > MAX_POINTS else ""

    def _winner_problems(self) -> Iterator[Problem]:
        """Yield the problem that a winner has fewer points than another player.

        Another program may have recorded such a result.
        """
        behind = [player for player in self._entered if player.is_ticked and player not in self._leaders]
        if behind and not (self._previous and self._previous.decided_by == "other"):
            yield Problem(behind[0].row.won.id, "The winner must have the most points.")

    # The winners

    @property
    def _had_bot(self) -> bool:
        return self._previous is not None and any(part.bot for part in self._previous.players)

    @functools.cached_property
    def _leaders(self) -> list[EnteredPlayer]:
        """Return the players with the most points, or all players if not all points are known."""
        known = [player.points for player in self._entered if player.points is not None]
        if len(known) < len(self._entered):
            return list(self._entered)
        return [player for player in self._entered if player.points == max(known)]

    @functools.cached_property
    def winner_question(self) -> WinnerQuestion | None:
        """Return the question of who won, if neither points nor ticks say it."""
        leaders, box = self._leaders, self._box
        if box is None or not leaders or any(player.is_ticked for player in self._entered) or self.problems:
            return None
        wins = {str(self._entered.index(player)): f"{player.name} won" for player in leaders}
        shared = {"shared": f"{join_words([player.name for player in leaders])} share the victory"}
        if not box.has_points:
            return _race_question(leaders, wins, shared)
        if len(leaders) == 1 or leaders[0].points is None:
            return None
        text = f"{join_words([player.name for player in leaders])} are tied at {leaders[0].points}. Who won?"
        return WinnerQuestion(text, shared | {value: f"{label} on the tie-break" for value, label in wins.items()})

    @property
    def needs_winner(self) -> bool:
        """Return whether the `winner_question` has no answer yet."""
        return self.winner_question is not None and self.outcome.data not in self.winner_question.choices

    @property
    def _winners(self) -> list[EnteredPlayer]:
        """Return the ticked players, those of the answer, or the one with the most points."""
        if any(player.is_ticked for player in self._entered):
            return [player for player in self._entered if player.is_ticked]
        if self.winner_question and self.outcome.data != "shared":
            return [] if self.outcome.data == "none" else [self._entered[int(self.outcome.data or 0)]]
        has_unknown_points = self._has_points and self._leaders[0].points is None
        return [] if has_unknown_points else self._leaders

    def _decided_by(self, winners: list[EnteredPlayer]) -> str:
        """Return the value of `Result.decided_by`."""
        if self._has_points and self._leaders[0].points is None:
            return "other" if winners else "unknown"
        if len(winners) > 1:
            return "shared"
        if not self._has_points or winners == self._leaders:
            return "points"
        return "tie-break" if winners[0] in self._leaders else "other"

    @property
    def result(self) -> Result:
        """Return the typed result; one whose players are unchanged keeps how they did.

        The form is valid, and the `winner_question` has an answer.
        """
        assert self.game.data and self.day.data
        previous, winners, day = self._previous, self._winners, self.day.data
        keeps_day = previous is not None and previous.date == day.isoformat()
        result = Result(
            id=previous.id if previous else "AAAAAA",  # replaced by a new id when it is stored
            game=self.game.data,
            ended=previous.ended if previous and keeps_day else day.isoformat(),
            day=previous.day if previous and keeps_day else "",
            players=self._player_results(winners),
            decided_by=self._decided_by(winners),
            minutes=self.minutes.data or 0,
            where=self.where.data or "",
            note=self.note.data or "",
        )
        if not (previous and self._is_unchanged):
            return result
        keeps_decision = previous.decided_by not in FORM_DECISIONS
        decided_by = previous.decided_by if keeps_decision else result.decided_by
        return replace(result, players=previous.players, decided_by=decided_by, verdict=previous.verdict)

    def _player_results(self, winners: list[EnteredPlayer]) -> tuple[PlayerResult, ...]:
        """Return the results of the players, who are ranked by victory, then by points."""
        standings = [
            (player in winners, -math.inf if player.points is None else player.points) for player in self._entered
        ]
        ranked = sorted(standings, reverse=True)
        return tuple(
            PlayerResult(
                player.name,
                (player.points or 0) if self._has_points else 0,
                place=1 + ranked.index(standing),
                winner=standing[0],
                bot=player.is_bot,
                guest=player.row.kind.data == "guest",
                unscored=self._has_points and player.points is None,
            )
            for player, standing in zip(self._entered, standings, strict=True)
        )


def _field_problems(fields: Iterable[Field]) -> Iterator[Problem]:
    """Yield the first error of each field."""
    return (Problem(field.id, str(field.errors[0])) for field in fields if field.errors)


def _parse_points(text: str) -> int | None:
    """Return the whole number in a text, in the digits of any script, or None."""
    match = re.fullmatch(r"([-\u2212\u2013]?)(\d{1,1000})", text)
    return int(f"{'-' if match[1] else ''}{match[2]}") if match else None


def _race_question(runners: list[EnteredPlayer], wins: dict[str, str], shared: dict[str, str]) -> WinnerQuestion:
    """Return the question of who won a race.

    No one wins if both runners drop out. A bot wins if its opponent does.
    """
    if len(runners) == 1:
        name = runners[0].name
        return WinnerQuestion(f"Did {name} win?", {**wins, "none": f"{name} lost"})
    no_one = {} if any(player.is_bot for player in runners) else {"none": "No one won"}
    return WinnerQuestion("Who won?", wins | shared | no_one)


def _initial_data(result: Result) -> dict:
    """Return the form data of a result; winners are ticked only if the points do not show them."""
    points = [result.points_of(part) for part in result.players]
    known = [each for each in points if each is not None]
    leaders = [part for part, value in zip(result.players, points, strict=True) if known and value == max(known)]
    winners = [part for part in result.players if part.winner]
    shows_winners = len(known) == len(points) and len(leaders) == 1 and winners == leaders
    return {
        "game": result.game,
        "day": datetime.date.fromisoformat(result.date),
        "players": [
            {
                "name": part.name,
                "kind": "bot" if part.bot else "guest" if part.guest else "player",
                "points": "" if value is None else str(value),
                "won": part.winner and not shows_winners,
            }
            for part, value in zip(result.players, points, strict=True)
        ],
        "minutes": result.minutes or None,
        "where": result.where,
        "note": result.note,
        "outcome": "" if winners or result.box.has_points else "none",
    }


MAX_LIST_LENGTH = 64  # no form has a longer list
MAX_PATH_DEPTH = 8  # no form has a deeper path


def read_flat_fields(form: MultiDict, prefix: str) -> dict[str, str]:
    """Return the single-value fields of a form, path to value; an empty value means "not known"."""
    return {
        key.removeprefix(prefix): _collapse_whitespace(value) for key, value in form.items() if key.startswith(prefix)
    }


def read_nested_fields(form: MultiDict, prefix: str = "") -> dict:
    """Return the plain data of a form whose field names are paths, such as "players.0.name".

    Numbered parts become lists in the order of their numbers. Empty values are left out, others trimmed.

    :raises InvalidInputError: if a path is longer than MAX_PATH_DEPTH.
    """
    tree: dict = {}
    for field, value in form.items():
        if not field.startswith(prefix) or value == "":
            continue
        *path, last_key = field.removeprefix(prefix).split(".")
        if len(path) > MAX_PATH_DEPTH:
            raise InvalidInputError(f"{field[:40]}: no form has such a field")
        node = tree
        for part in path:
            node = node.setdefault(part, {})
            if not isinstance(node, dict):
                break
        else:
            node[last_key] = _collapse_whitespace(value)
    return {field: _to_lists(value) for field, value in tree.items()}


def read_draft(form: MultiDict) -> dict[str, str]:
    """Return the move that a phone is building: the texts of the fields `draft.<name>`."""
    return {name: value for name, value in read_nested_fields(form, "draft.").items() if isinstance(value, str)}


def _to_lists(node: object) -> object:
    if not isinstance(node, dict):
        return node
    if node and len(node) <= MAX_LIST_LENGTH and all(key.isdecimal() and len(key) < 4 for key in node):
        return [_to_lists(node[key]) for key in sorted(node, key=int)]
    return {key: _to_lists(value) for key, value in node.items()}


def read_consent(text: str | None) -> ConsentPolicy:
    """Return the policy of a form: who must agree at a table.

    :raises InvalidInputError: if there is no such policy.
    """
    if text not in CONSENT_LABELS:
        raise InvalidInputError("consent: this is none of the options")
    return text


def read_position_edit(tracked: TrackedGame[GameSetup, GameState], view: GameState, form: MultiDict) -> dict:
    """Return the move that a form of editable fields asks for.

    A value has changed if `is.<path>`, or for a large number `over.<path>`, differs from `was.<path>`. `less.<path>`
    removes an item and `more.<path>` adds one; `more.<path>.<item>` adds that many copies.

    :raises InvalidInputError: if a value is not a number, or the position cannot be edited.
    """
    kind = tracked.find_kind(EditPosition)
    if kind is None:
        raise InvalidInputError("the table of this game cannot be corrected this way")
    changes = [change for field in kind.position_format.editable_fields(view) for change in _read_changes(field, form)]
    return msgspec.to_builtins(kind(tuple(changes)))


def _read_changes(field: EditableField, form: MultiDict) -> Iterator[Change]:
    old, new = form.get(f"was.{field.path}"), form.get(f"over.{field.path}") or form.get(f"is.{field.path}")
    removed, added = ([key for key in form.getlist(f"{prefix}.{field.path}") if key] for prefix in ("less", "more"))
    if isinstance(field.domain, SomeOf):
        for item in field.domain.choices:
            added += [item.key] * min(_parse_integer(form.get(f"more.{field.path}.{item.key}") or "0"), item.max_count)
        if removed or added:
            yield AddRemove(field.path, tuple(removed), tuple(added))
    elif old is not None and new is not None and old != new:
        yield (
            Increment(field.path, _parse_integer(new) - _parse_integer(old))
            if isinstance(field.domain, Number | PileSize)
            else Replace(field.path, old, new)
        )


def _parse_integer(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,9}", text):
        raise InvalidInputError(f"\u201c{quote_value(text)}\u201d is not a number")
    return int(text)
