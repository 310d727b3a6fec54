"""What people type: WTForms for the fields every game has, and reading a game's own fields by their names."""

import datetime
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, DateField, FieldList, Form, FormField, IntegerField, StringField
from wtforms.validators import AnyOf, Length, NumberRange, Optional, Regexp, ValidationError

from companion.history.result import DAY, LONGEST_NOTE, MOST_POINTS, Part, Result
from companion.log.entries import Consent
from companion.log.preview import CONSENTS
from companion.service.clock import in_words
from companion.storage.store import ALPHABET, CODE_LENGTH
from scoring.games import GAMES
from scoring.kernel.documents import LONGEST_NAME, name_fault, quoted
from scoring.kernel.editable import But, By, Change, Figure, Into, Number, Size, SomeOf
from scoring.kernel.errors import Malformed
from scoring.kernel.tracked_game import Play


def _trimmed(text: str | None) -> str:
    return " ".join((text or "").split())


ROW = re.compile("names-[0-9]{1,2}|csrf_token")  # a FieldList stumbles over other digits


class NamesForm(FlaskForm):
    """The players' names in turn order; empty rows are left out."""

    names = FieldList(
        StringField(
            "Name",
            filters=[_trimmed],
            validators=[Length(max=LONGEST_NAME, message=f"A name has at most {LONGEST_NAME} characters.")],
        ),
    )

    def __init__(self, form: MultiDict | None = None, *, seats: tuple[int, ...]):
        self._seats = seats
        super().__init__(form and MultiDict((key, value) for key, value in form.items() if ROW.fullmatch(key)))
        while len(self.names) < seats[-1]:
            self.names.append_entry("")

    @property
    def given(self) -> list[str]:
        return [name for name in self.names.data if name]

    def validate_names(self, field: FieldList) -> None:
        given = self.given
        if not self._seats[0] <= len(given) <= self._seats[-1]:
            raise ValidationError(f"This game takes {self._seats[0]} to {self._seats[-1]} players; type their names.")
        seen: set[str] = set()
        for name in given:
            if name.casefold() in seen:
                raise ValidationError(f"Two players are called {name}; add an initial.")
            seen.add(name.casefold())


class JoinForm(FlaskForm):
    """A table's short code, however it is typed."""

    code = StringField(
        "Table code",
        filters=[lambda text: re.sub(r"[^A-Z]", "", (text or "").upper())],
        validators=[
            Regexp(
                f"^[{ALPHABET}]{{{CODE_LENGTH}}}$",
                message=f"A code has {CODE_LENGTH} letters, as on the host\u2019s screen.",
            )
        ],
    )


MOST_PLAYERS = max(game.box.seats[-1] for game in GAMES.values())
OLDEST = datetime.date(1900, 1, 1)
A_NAME = [Length(max=LONGEST_NAME, message=f"A name has at most {LONGEST_NAME} characters.")]
A_NOTE = [Length(max=LONGEST_NOTE, message=f"At most {LONGEST_NOTE} characters.")]
POINTS = [Optional(), NumberRange(-MOST_POINTS, MOST_POINTS, f"Points are a number up to {MOST_POINTS}.")]
RESULT_ROW = re.compile("players-[0-9]-(name|points|won)|csrf_token|game|day|minutes|where|note")


def _can_be_read(form: Form, field: StringField) -> None:
    if field.data and (fault := name_fault(field.data)):
        raise ValidationError(f"{fault[:1].upper()}{fault[1:]}.")


class PartForm(Form):
    """One player of a result that is typed in."""

    name = StringField("Name", filters=[_trimmed], validators=[*A_NAME, _can_be_read])
    points = IntegerField("Points", validators=POINTS)
    won = BooleanField("Won")


class NoteForm(FlaskForm):
    """Where a game was played, and what there is to say of it."""

    where = StringField("Where", filters=[_trimmed], validators=A_NOTE)
    note = StringField("Note", filters=[_trimmed], validators=A_NOTE)


class DayForm(FlaskForm):
    """The day of a game."""

    day = DateField("Day")

    def __init__(self, form: MultiDict | None = None, *, today: datetime.date | None, **how: Any):
        """:param today: as the clock says; None where it must be wrong, and any day may be right."""
        self._today = today
        super().__init__(form, **how)

    def validate_day(self, field: DateField) -> None:
        if field.data and field.data < OLDEST:
            raise ValidationError("That was long before these games.")
        if field.data and self._today and field.data > self._today + datetime.timedelta(days=1):  # a phone may be ahead
            raise ValidationError(f"That day is still to come. The clock of this Waymark says {in_words(self._today)}.")


class ResultForm(DayForm, NoteForm):
    """How a game came out that was played elsewhere; empty rows are left out."""

    game = StringField("Game", validators=[AnyOf(GAMES, "Choose a game.")])
    players = FieldList(FormField(PartForm), min_entries=MOST_PLAYERS, max_entries=MOST_PLAYERS)
    minutes = IntegerField(
        "Minutes", validators=[Optional(), NumberRange(1, DAY, f"Minutes are a number from 1 to {DAY}.")]
    )

    def __init__(self, form: MultiDict | None = None, *, today: datetime.date | None, before: Result | None = None):
        """:param before: the result that is set right, as it was typed."""
        super().__init__(
            form and MultiDict((key, value) for key, value in form.items() if RESULT_ROW.fullmatch(key)),
            today=today,
            data=_as_typed(before) if before else {"day": today},
        )

    @property
    def _given(self) -> list[dict]:
        return [row for row in self.players.data if row["name"]]

    def validate_players(self, field: FieldList) -> None:
        given, box = self._given, GAMES[self.game.data].box if self.game.data in GAMES else None
        if box is None:
            return  # the game itself is refused
        if len(given) not in box.seats:
            many = " or ".join(str(each) for each in box.seats)
            raise ValidationError(f"{box.title} takes {many} players; type their names.")
        names = [row["name"].casefold() for row in given]
        if twice := next((row["name"] for row in given if names.count(row["name"].casefold()) > 1), None):
            raise ValidationError(f"Two players are called {twice}; add an initial.")
        if any(row["won"] or row["points"] is not None for row in self.players.data if not row["name"]):
            raise ValidationError("Somebody with points has no name.")
        if box.in_points and any(row["points"] is None for row in given):
            raise ValidationError("Type everybody\u2019s points.")
        most = max((row["points"] or 0 for row in given), default=0)
        if box.in_points and any(row["won"] and row["points"] < most for row in given):
            raise ValidationError("Somebody else has more points than who won.")

    @property
    def result(self) -> Result:
        """Return what was typed as a result; without a winner ticked, those with most points share the victory."""
        assert self.game.data and self.day.data  # the form is valid
        given, box = self._given, GAMES[self.game.data].box
        most = max(row["points"] or 0 for row in given)
        ticked = any(row["won"] for row in given)
        won = [row["won"] if ticked or not box.in_points else row["points"] == most for row in given]
        ahead = [
            sum((other["points"] or 0, w) > (row["points"] or 0, mine) for other, w in zip(given, won, strict=True))
            for row, mine in zip(given, won, strict=True)
        ]
        return Result(
            id="AAAAAA",  # until it has one of its own
            game=box.key,
            ended=self.day.data.isoformat(),
            players=tuple(
                Part(row["name"], row["points"] or 0, place=1 + before, winner=mine)
                for row, mine, before in zip(given, won, ahead, strict=True)
            ),
            minutes=self.minutes.data or 0,
            where=self.where.data or "",
            note=self.note.data or "",
        )


def _as_typed(result: Result) -> dict:
    """Return what somebody types for a result; who won is ticked where the points do not say it."""
    most = max(part.points for part in result.players)
    told = all(part.winner == (part.points == most) for part in result.players) and result.box.in_points
    return {
        "game": result.game,
        "day": datetime.date.fromisoformat(result.date),
        "players": [
            {
                "name": part.name,
                "points": part.points if result.box.in_points else None,
                "won": part.winner and not told,
            }
            for part in result.players
        ],
        "minutes": result.minutes or None,
        "where": result.where,
        "note": result.note,
    }


LIST_LIMIT = 64  # no form of ours has a longer list
DEPTH_LIMIT = 8  # or a deeper path


def told(form: MultiDict, prefix: str) -> dict[str, str]:
    """Return the fields of a form that set one value each, path to value; an empty value says "not known"."""
    return {key.removeprefix(prefix): _trimmed(value) for key, value in form.items() if key.startswith(prefix)}


def plain(form: MultiDict, prefix: str = "") -> dict:
    """Return the plain data of a form whose field names are paths: "players.0.name", "track.trailhead.1".

    Numbered parts become lists in the order of their numbers; an empty value is left out, others are trimmed.

    :raises Malformed: when a path is longer than any of ours.
    """
    tree: dict = {}
    for key, value in form.items():
        if not key.startswith(prefix) or value == "":
            continue
        *path, last = key.removeprefix(prefix).split(".")
        if len(path) > DEPTH_LIMIT:
            raise Malformed(f"{key[:40]}: no form of ours has such a field")
        node = tree
        for part in path:
            node = node.setdefault(part, {})
            if not isinstance(node, dict):
                break
        else:
            node[last] = _trimmed(value)
    return {key: _lists(value) for key, value in tree.items()}


def _lists(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    if node and len(node) <= LIST_LIMIT and all(key.isdecimal() and len(key) < 4 for key in node):
        return [_lists(node[key]) for key in sorted(node, key=int)]
    return {key: _lists(value) for key, value in node.items()}


def read_consent(said: str | None) -> Consent:
    """Return who is to be asked at a table.

    :raises Malformed: when there is no such way to agree.
    """
    if said not in CONSENTS:
        raise Malformed("consent: there is no such way to agree")
    return said


def set_right(play: Play, view: Any, form: MultiDict) -> dict:
    """Return the move that a form of figures asks for, with what was changed in it: `is.<place>` differs from `was.<place>`,
    or something is taken away by `less.<place>` or added by `more.<place>`, several copies by `more.<place>.<thing>`.

    :raises Malformed: when a number is none, or nothing can be set right here.
    """
    changes = [
        change for figure in (play.lying.figures(view) if play.lying else ()) for change in _changes(figure, form)
    ]
    return {"type": "set-right", "changes": [msgspec.to_builtins(change) for change in changes]}


def _changes(figure: Figure, form: MultiDict) -> Iterator[Change]:
    was, now = form.get(f"was.{figure.at}"), form.get(f"is.{figure.at}")
    less, more = ([key for key in form.getlist(f"{how}.{figure.at}") if key] for how in ("less", "more"))
    if isinstance(figure.can, SomeOf):
        for thing in figure.can.things:
            more += [thing.key] * min(_number(form.get(f"more.{figure.at}.{thing.key}") or "0"), thing.copies)
        if less or more:
            yield But(figure.at, tuple(less), tuple(more))
    elif was is not None and now is not None and was != now:
        yield (
            By(figure.at, _number(now) - _number(was))
            if isinstance(figure.can, Number | Size)
            else Into(figure.at, was, now)
        )


def _number(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,9}", text):
        raise Malformed(f"\u201c{quoted(text)}\u201d is no number")
    return int(text)
