"""What can be cited: rules in our own words, reasons, and rulings on open points."""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from scoring.kernel.english import MAX_MESSAGE_LENGTH, truncate_message

Status = Literal["printed", "inferred", "open"]
SAFE_REASON_LENGTH = 200  # characters of a text that has at most 300 with its citation
EN_DASH = "\u2013"


class Rule(Struct, frozen=True):
    """One statement of the rules in our own words, with the place in the rulebook."""

    id: str
    section: str
    text: str
    book: str
    page: str  # "7", "14-15", or the heading if a rulebook has no page numbers
    status: Status = "printed"  # printed in the rulebook, inferred from it, or left open by it
    related: tuple[str, ...] = ()
    is_checked_by_players: bool = False

    @property
    def has_page_number(self) -> bool:
        return not self.page.startswith("\u201c")

    @property
    def citation(self) -> str:
        """Return the short citation, such as "rulebook p. 7"."""
        return f"{self.book} {self.place}"

    @property
    def place(self) -> str:
        """Return the place in the book: "p. 7", "pp. 14\u201315", or the heading."""
        if not self.has_page_number:
            return self.page
        return f"pp. {self.page.replace('-', EN_DASH)}" if "-" in self.page else f"p. {self.page}"


class Reason(Struct, frozen=True):
    """A reason as a code for programs, a sentence for people, and the rule behind both.

    With its citation it has at most 300 characters; a longer text, which can only quote input, is truncated.
    """

    code: str
    rule: Rule
    text: str
    more_rules: tuple[Rule, ...] = ()  # also behind it, as a price can owe its parts to several rules
    marks: tuple[str, ...] = ()  # what it is about on the picture of the table, as in a `Line` of the score sheet
    # The fact on which it depends and which no one has entered: "the cost of Intervals". Empty: it holds in any case.
    unknown_fact: str = ""

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (self.rule, *self.more_rules)

    def __post_init__(self) -> None:
        if len(self.text) > SAFE_REASON_LENGTH and (excess := len(str(self)) - MAX_MESSAGE_LENGTH) > 0:
            force_setattr(self, "text", truncate_message(self.text, len(self.text) - excess))

    def __str__(self) -> str:
        return f"{self.text} ({self.rule.citation})"


class Option(Struct, frozen=True):
    """One answer to a point that the rulebook leaves open."""

    id: str
    text: str  # an answer to the question of its ruling, as a sentence
    consequence: str = ""  # its consequence, shown where a player chooses


class Ruling(Struct, frozen=True):
    """A point the rulebook leaves open: the question, its options, and the first as default."""

    id: str
    question: str
    options: tuple[Option, ...]
    rule: Rule  # the open rule that this ruling settles

    @property
    def default(self) -> str:
        return self.options[0].id

    def option(self, id: str) -> Option | None:
        return next((option for option in self.options if option.id == id), None)


class Variant(Struct, frozen=True):
    """A common house rule in place of a printed rule, for tables to choose.

    The app goes on checking the printed rule.
    """

    question: str
    text: str  # an answer to the question, as sentences
    rule: Rule  # the printed rule that it replaces


def rules_about_card(
    rules: Iterable[Rule], rules_by_card: Mapping[str, tuple[Rule, ...]], card: str
) -> tuple[Rule, ...]:
    """Return rules without those that are only about other cards.

    :param rules_by_card: the rules that are about one kind of card only, by that kind.
    """
    others = {rule for other, own_rules in rules_by_card.items() if other != card for rule in own_rules}
    return tuple(rule for rule in rules if rule not in others)


def describe_house_rules(rulings: Iterable[Ruling], chosen_options: dict[str, str]) -> tuple[str, ...]:
    """Return a sentence for each ruling that differs from the default."""
    options = ((ruling, ruling.option(chosen_options.get(ruling.id, ruling.default))) for ruling in rulings)
    return tuple(
        f"{ruling.question} {option.text}" for ruling, option in options if option and option.id != ruling.default
    )
