"""The pages of the rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from companion.log.table import Table
from companion.pages.table import TablePage, table_page
from companion.pages.timeline import can_read
from companion.service.rule_search import rule_index
from scoring.kernel.box import Box
from scoring.kernel.english import pluralize
from scoring.kernel.game import Game
from scoring.kernel.lessons import Label
from scoring.kernel.move import AdoptRuling, chosen_option
from scoring.kernel.rule import Option, Rule, Ruling, Variant


@dataclass(frozen=True)
class RulesPage:
    """The rules of a game: all of them, or those that match a query."""

    game: Box
    query: str
    matching_rules: tuple[Rule, ...]  # the best match first
    sections: tuple[tuple[str, tuple[Rule, ...]], ...]
    back_url: str = ""  # to the latest table of this phone


@dataclass(frozen=True)
class SignsPage:
    """The signs on the screens of a game, and the names of its cards."""

    game: Box
    labels: tuple[Label, ...]
    back_url: str = ""  # to the latest table of this phone


@dataclass(frozen=True)
class RulePage:
    """One rule at its own address."""

    game: Box
    rule: Rule
    related: tuple[Rule, ...]
    ruling: Ruling | None  # the ruling that settles the rule, if the book leaves it open
    enforcing_moves: tuple[str, ...]  # titles of the moves that carry the rule out
    back_url: str = ""
    table_code: str = ""  # this phone's latest table, if it plays this game
    table_option: Option | None = None  # the option of the ruling that table has chosen
    table: TablePage | None = None  # the page data of that table, with its variants
    suggestions: tuple[Variant, ...] = ()  # common variants of this rule
    uses: tuple[str, ...] = ()  # what cites the rule at that table, such as "9 moves in the game log"

    @property
    def source(self) -> str:
        """Return where the rule is printed, such as "Rulebook, page 7"."""
        return f"{self.rule.book.capitalize()}, {self.rule.place}"


def search_rules(box: Box, query: str) -> tuple[Rule, ...]:
    """Return the rules that match a query, the best match first."""
    return tuple(rule_index(box.key).search(query)) if query else ()


def rules_page(box: Box, query: str, back_url: str = "") -> RulesPage:
    """Build the rules of a game, or those that match a query."""
    sections: dict[str, list[Rule]] = {}
    for rule in () if query else box.rules.values():
        sections.setdefault(rule.section, []).append(rule)
    return RulesPage(
        box, query, search_rules(box, query), tuple((name, tuple(rules)) for name, rules in sections.items()), back_url
    )


def rule_page(game: Game, rule: Rule, back_url: str = "", table: Table | None = None, device: str = "") -> RulePage:
    """Build a rule's page.

    :param table: the phone's latest table; its chosen option of the ruling, and what cites the rule there, are shown
        if it plays this game.
    :param device: this phone, whose private entries are counted.
    """
    box = game.box
    ruling = next((candidate for candidate in box.rulings if candidate.rule == rule), None)
    kinds = (kind for tracked in game.tracked_games for kind in tracked.moves if not kind.needs_consent)
    if table and table.tracked.box is not box:
        table = None
    return RulePage(
        game=box,
        rule=rule,
        related=tuple(box.rules[id] for id in rule.related),
        ruling=ruling,
        enforcing_moves=tuple(dict.fromkeys(kind.title for kind in kinds if rule in kind.rules)),
        back_url=back_url,
        table_code=table.code if table else "",
        table_option=ruling.option(chosen_option(table.state.rulings, ruling)) if table and ruling else None,
        table=table_page(table, device) if table else None,
        suggestions=tuple(variant for variant in box.variants if variant.rule == rule),
        uses=tuple(_count_uses(table, rule, table.seats_of(device))) if table else (),
    )


def _count_uses(table: Table, rule: Rule, own_seats: tuple[int, ...]) -> Iterator[str]:
    """Yield what cites a rule at a table, each with its number.

    Other seats' private entries are not counted before the end, nor is anything scored by them. Corrections are not
    moves of the game. Refusals are not stored.
    """
    citing_moves = [
        step.move for step in table.steps if can_read(table, step, own_seats) and rule in step.move.cited_rules()
    ]
    sheet = table.sheet or replace(table.public_sheet, tie_breaks=())  # no tie is broken before the end
    lines = [line for column in sheet.columns for line in column.lines if line.points and rule in line.rules]
    points_text = (
        f", with {pluralize(sum(line.points for line in lines), 'point')}" if table.tracked.box.has_points else ""
    )
    decided_ties = [each for each in sheet.tie_breaks if each.rule == rule and each.id == sheet.decided_by]
    score = "score" if table.is_over else "score so far"
    counts = (
        (sum(not move.needs_consent for move in citing_moves), "move", "in the game log"),
        (sum(isinstance(move, AdoptRuling) for move in citing_moves), "change", "of the house rule"),
        (len(lines), "line", f"of the {score}{points_text}"),
        (len(decided_ties), "tie", "broken"),
        (sum(rule.id in verdict.payload.rules for verdict in table.verdicts), "saved answer", ""),
    )
    return (f"{pluralize(count, noun)} {detail}".rstrip() for count, noun, detail in counts if count)
