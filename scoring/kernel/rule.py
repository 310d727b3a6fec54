"""What can be cited: a rule in our own words, a reason that cites it, a ruling where the book is silent."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

Status = Literal["printed", "inferred", "open"]


class Rule(Struct, frozen=True):
    """One statement of the rules, in our own words, with the place where the book says it.

    A rule marked `is_checked_by_players` cannot be checked by the app: only people at the table see it.
    """

    id: str
    section: str
    text: str
    book: str
    page: str  # "7", "14-15", or the heading where a book has no page numbers
    status: Status = "printed"  # printed in the book, inferred from it, or left open by it
    related: tuple[str, ...] = ()
    is_checked_by_players: bool = False

    @property
    def citation(self) -> str:
        """Return the short citation, as in "rulebook p. 7"."""
        return f"{self.book} {self.page}" if self.page.startswith("\u201c") else f"{self.book} p. {self.page}"


class Reason(Struct, frozen=True):
    """Why something is so: a code for machines, a sentence for people, and the rule behind both."""

    code: str
    rule: Rule
    text: str

    def __str__(self) -> str:
        return f"{self.text} ({self.rule.citation})"


class Option(Struct, frozen=True):
    """One reading of an open point."""

    id: str
    text: str  # as logs tell it: these words stay as they are
    consequence: str = ""  # what comes of it, said where one chooses


class Ruling(Struct, frozen=True):
    """A point the book leaves open: the question, its readings, and the first one as the default."""

    id: str
    question: str
    options: tuple[Option, ...]
    rule: Rule  # the open rule this ruling settles

    @property
    def default(self) -> str:
        return self.options[0].id

    def option(self, id: str) -> Option | None:
        return next((option for option in self.options if option.id == id), None)


def describe_house_rules(rulings: Iterable[Ruling], chosen_options: dict[str, str]) -> tuple[str, ...]:
    """Return a sentence for each ruling by which a table plays otherwise than by the default."""
    options = ((ruling, ruling.option(chosen_options.get(ruling.id, ruling.default))) for ruling in rulings)
    return tuple(
        f"{ruling.question} {option.text}" for ruling, option in options if option and option.id != ruling.default
    )
