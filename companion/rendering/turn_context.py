"""What the templates in the folder of a game may read about the turn that a page shows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from companion.log.turns import TurnNews
from companion.pages.seat import SeatPage
from companion.pages.table import TablePage
from companion.rendering.environment import cached_url_for
from scoring.kernel.box import Box
from scoring.kernel.sheet import Sheet
from scoring.kernel.state import GameState, PlayerState


@dataclass(frozen=True)
class TurnContext:
    """A turn at a table, as one seat may see it; the templates of a game read it as `turn`.

    The table view and the score page show the table as everyone may see it. They have neither seat nor player.
    """

    table: TablePage
    page: SeatPage | None  # the page of the seat, with its moves
    page_url: str  # to which the addresses of this page's own links are added; empty: the page has no such links
    play_url: str  # where moves are sent; empty: the page only shows the table
    is_score_page: bool  # the page also has the score sheet, with `_score_column.html` above the lines of each player

    @property
    def view(self) -> GameState:
        """Return the state of the game as the phone may see it."""
        return self.table.view

    @property
    def game(self) -> Box:
        return self.table.game

    @property
    def seat(self) -> int | None:
        return self.page.seat if self.page else None

    @property
    def player(self) -> PlayerState:
        """Return the state of the player at the seat; only a page of a seat has one."""
        assert self.page
        return self.view.players[self.page.seat]

    @property
    def table_url(self) -> str:
        """Return the address of the table, to which the addresses of its pages are added."""
        return cached_url_for("lobby.lobby", code=self.table.code)


@dataclass(frozen=True)
class SharedContext:
    """A table as everyone may see it; the templates that all phones share read it as `shared`.

    It has nothing that depends on the phone, because a shared fragment is rendered for the first phone that shows it.
    """

    view: GameState  # the state of the game without secrets
    piece_colors: tuple[str, ...]  # the color of each player's piece; empty if the players have no pieces
    to_move: tuple[int, ...]  # seats
    is_over: bool
    latest_turns: dict[str, TurnNews]  # the latest turn of each player or bot, by name
    find_score: Callable[[], Sheet]

    @cached_property
    def score(self) -> Sheet:
        """Return the score so far, as everyone may know it."""
        return self.find_score()


def seat_context(page: SeatPage, page_url: str = "", play_url: str = "") -> TurnContext:
    """Return the context of a page of a seat, or of a snapshot that shows a seat's turn."""
    return TurnContext(page.table, page, page_url, play_url, is_score_page=False)


def table_context(table: TablePage, *, is_score_page: bool = False) -> TurnContext:
    """Return the context of a page without a seat."""
    return TurnContext(table, None, "", "", is_score_page)


def shared_context(table: TablePage) -> SharedContext:
    return SharedContext(
        table.public_view,
        table.piece_colors,
        table.to_move,
        table.is_over,
        table.latest_turns,
        lambda: table.public_score,
    )
