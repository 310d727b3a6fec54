"""The pages of the rules."""

from dataclasses import dataclass

from companion.log.table import Table
from companion.service.rule_search import rule_index
from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.lessons import Label
from scoring.kernel.move import chosen_option
from scoring.kernel.rule import Option, Rule, Ruling


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


def rule_page(game: Game, rule: Rule, back_url: str = "", table: Table | None = None) -> RulePage:
    """Build a rule's page.

    :param table: the phone's latest table; its chosen option of the ruling is shown if it plays this game.
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
    )
