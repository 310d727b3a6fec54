"""The forms: WTForms for fields that all games share, and readers for a game's own fields."""

import datetime
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, DateField, FieldList, Form, FormField, IntegerField, StringField
from wtforms.validators import AnyOf, Length, NumberRange, Optional, Regexp, ValidationError

from companion.history.result import MAX_NOTE_LENGTH, MAX_POINTS, MINUTES_PER_DAY, PlayerResult, Result
from companion.log.consent import CONSENT_LABELS
from companion.log.entries import ConsentPolicy, describe_date
from companion.service.clock import latest_day
from companion.storage.store import ALPHABET, CODE_LENGTH
from scoring.games import GAMES
from scoring.kernel.edit_position import EditPosition
from scoring.kernel.editable import AddRemove, Change, EditableField, Increment, Number, PileSize, Replace, SomeOf
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
EARLIEST_DAY, LATEST_DAY = datetime.date(1900, 1, 1), datetime.date(2999, 12, 31)
NOTE_VALIDATORS = [Length(max=MAX_NOTE_LENGTH, message=f"Use at most {MAX_NOTE_LENGTH} characters.")]
POINTS_VALIDATORS = [Optional(), NumberRange(-MAX_POINTS, MAX_POINTS, f"Enter points as a number up to {MAX_POINTS}.")]
# Keyword arguments of fields; as a dictionary, since the type stubs of WTForms do not have them yet.
WHOLE_NUMBER: dict[str, Any] = {"invalid_value_message": "Enter a whole number."}
DATE: dict[str, Any] = {"invalid_value_message": "Enter a date."}
RESULT_FIELD_PATTERN = re.compile("players-[0-9]-(name|points|won)|csrf_token|game|day|today|minutes|where|note")


def _validate_readable(form: Form, field: StringField) -> None:
    if field.data and (error := name_error(field.data)):
        raise ValidationError(f"{error[:1].upper()}{error[1:]}.")


class PlayerResultForm(Form):
    """One player of a typed result."""

    name = StringField("Name", filters=[_collapse_whitespace], validators=[*NAME_VALIDATORS, _validate_readable])
    points = IntegerField("Points", validators=POINTS_VALIDATORS, **WHOLE_NUMBER)
    won = BooleanField("Won")


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
        """:param now: by this computer's clock; None if it must be wrong, so that any day is accepted."""
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

    def __init__(self, form: MultiDict | None = None, *, now: datetime.datetime | None, previous: Result | None = None):
        """:param previous: the result that is corrected, as it was typed."""
        super().__init__(
            _known_fields(form, RESULT_FIELD_PATTERN),
            now=now,
            data=_initial_data(previous) if previous else {"day": now and now.date()},
        )

    @property
    def _entered_rows(self) -> list[dict]:
        return [row for row in self.players.data if row["name"]]

    def validate_players(self, field: FieldList) -> None:
        rows, box = self._entered_rows, GAMES[self.game.data].box if self.game.data in GAMES else None
        if box is None:
            return  # the field of the game has its own error
        if len(rows) not in box.player_counts:
            raise ValidationError(f"Enter {_describe_counts(box.player_counts)} players for {box.title}.")
        _require_different_names([row["name"] for row in rows])
        if any(row["won"] or row["points"] is not None for row in self.players.data if not row["name"]):
            raise ValidationError("Enter a name for every player with points.")
        if box.has_points and any(row["points"] is None for row in rows):
            raise ValidationError("Enter the points of every player.")
        highest = max((row["points"] or 0 for row in rows), default=0)
        if box.has_points and any(row["won"] and row["points"] < highest for row in rows):
            raise ValidationError("The winner must have the most points.")

    @property
    def result(self) -> Result:
        """Return the typed result; if no winner is ticked, those with the most points win."""
        assert self.game.data and self.day.data  # the form is valid
        rows, box = self._entered_rows, GAMES[self.game.data].box
        highest = max(row["points"] or 0 for row in rows)
        is_winner_ticked = any(row["won"] for row in rows)
        winners = [row["won"] if is_winner_ticked or not box.has_points else row["points"] == highest for row in rows]
        standings = [(row["points"] or 0, is_winner) for row, is_winner in zip(rows, winners, strict=True)]
        ranked = sorted(standings, reverse=True)
        return Result(
            id="AAAAAA",  # replaced by a new id when it is stored
            game=box.key,
            ended=self.day.data.isoformat(),
            players=tuple(
                PlayerResult(row["name"], standing[0], place=1 + ranked.index(standing), winner=standing[1])
                for row, standing in zip(rows, standings, strict=True)
            ),
            minutes=self.minutes.data or 0,
            where=self.where.data or "",
            note=self.note.data or "",
        )


def _initial_data(result: Result) -> dict:
    """Return the form data of a result; winners are ticked only if the points do not show them."""
    highest = max(part.points for part in result.players)
    shows_winners = all(part.winner == (part.points == highest) for part in result.players) and result.box.has_points
    return {
        "game": result.game,
        "day": datetime.date.fromisoformat(result.date),
        "players": [
            {
                "name": part.name,
                "points": part.points if result.box.has_points else None,
                "won": part.winner and not shows_winners,
            }
            for part in result.players
        ],
        "minutes": result.minutes or None,
        "where": result.where,
        "note": result.note,
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
