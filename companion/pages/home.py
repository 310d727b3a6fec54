"""The pages outside of a table: home, a new table, the owner, errors."""

from dataclasses import dataclass
from typing import Any

from companion.history.result import Result
from companion.log.table import Table
from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.rule import Reason
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame


class NoGameMixin:
    """A page that belongs to no single game."""

    game = None


@dataclass(frozen=True)
class TableSummary:
    """An open table that this phone may see."""

    code: str
    title: str
    names: tuple[str, ...]
    status: str  # the prompt, or the result


@dataclass(frozen=True)
class HomePage(NoGameMixin):
    """The home page: the games, a code to join, open tables, the latest results."""

    games: tuple[Game, ...]
    tables: tuple[TableSummary, ...]  # the last opened ones
    open_count: int  # of all open tables that this phone may see
    results: tuple[Result, ...]
    form: Any  # for the code of a table


@dataclass(frozen=True)
class NewTablePage:
    """A new table: who plays."""

    tracked: TrackedGame[GameSetup, GameState]
    form: Any  # for the names
    known_names: tuple[str, ...]  # names to suggest
    refusal: tuple[Reason, ...] = ()

    @property
    def game(self) -> Box:
        return self.tracked.box


@dataclass(frozen=True)
class GamesPage(NoGameMixin):
    """A page that lists the games: to choose the rules to read, or about Waymark."""

    games: tuple[Game, ...]


@dataclass(frozen=True)
class ErrorPage(NoGameMixin):
    """An error, with a link to go on."""

    title: str
    texts: tuple[str, ...]
    back_url: str | None = None


@dataclass(frozen=True)
class NoPdfPage(NoGameMixin):
    """Shown instead of a PDF: why it is not available, and a page that any browser can print."""

    title: str
    text: str
    plain_url: str
    back_url: str


@dataclass(frozen=True)
class OwnerPage(NoGameMixin):
    """Whether this phone is the owner's, and how it can become so."""

    is_owner: bool
    waiting_counts: list[tuple[Box, int]]
    games: tuple[Box, ...]
    clock_warning: str  # why the clock must be wrong
    refusal: str = ""


def table_summary(table: Table) -> TableSummary:
    tracked, title = table.tracked, table.tracked.box.title
    status_text = table.sheet.result_text if table.sheet else tracked.text.prompt(table.public_view)
    return TableSummary(table.code, title, table.names, status_text)
