"""The variants of a table: house rules in place of printed rules, and common ones to choose."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.log.entries import OwnRuling
from companion.log.table import Table
from scoring.kernel.box import Box
from scoring.kernel.rule import Reason, Rule


@dataclass(frozen=True)
class VariantNote:
    """A variant of a table, as pages show it."""

    question: str
    interpretation: str
    rule: Rule  # the printed rule that it replaces
    source: str  # whose words they are: "In Ana's words."


def suggested_variants(box: Box) -> tuple[OwnRuling, ...]:
    """Return the common variants of a game, in the form in which a table adopts them."""
    return tuple(OwnRuling(variant.question, variant.text, variant.rule.id) for variant in box.variants)


def table_variants(table: Table) -> tuple[VariantNote, ...]:
    """Return the variants by which a table plays."""
    box = table.tracked.box
    return tuple(
        VariantNote(ruling.question, ruling.interpretation, box.rules[ruling.rule], _source(table, ruling))
        for ruling in table.own_rulings
        if ruling.rule in box.rules
    )


def _source(table: Table, ruling: OwnRuling) -> str:
    seat = table.own_ruling_seats.get(ruling.question)
    if ruling in suggested_variants(table.tracked.box):
        return "In Waymark\u2019s words."
    return "In the table\u2019s words." if seat is None else f"In {table.names[seat]}\u2019s words."


def variants_of(variants: Iterable[VariantNote], cited: Iterable[Rule | Reason | str]) -> tuple[VariantNote, ...]:
    """Return the variants that replace a rule among these, or one that these reasons cite."""
    rules = [
        rule
        for each in cited
        if not isinstance(each, str)
        for rule in (each.rules if isinstance(each, Reason) else (each,))
    ]
    return tuple(variant for variant in variants if variant.rule in rules)
