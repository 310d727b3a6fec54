"""The pages of the history."""

from dataclasses import dataclass
from typing import Any

from companion.exchange.bg_stats import BgStatsLink
from companion.history.charts import BarChart, LineChart, PointsOverTime, points_chart, stacked_bars
from companion.history.duplicates import SimilarResult
from companion.history.figures import Figure
from companion.history.photos import LARGE_SIDE, MAX_BYTES
from companion.history.playing_time import HOW_IT_IS_MEASURED, PlayerTime
from companion.history.result import Result
from companion.history.statistics import GameStats, OpponentStats
from companion.pages.home import NoGameMixin
from companion.storage.imports import Import
from companion.storage.photos import Photo
from companion.storage.players import Player
from companion.storage.results import SearchResults
from scoring.kernel.box import Box
from scoring.kernel.sheet import Sheet


@dataclass(frozen=True)
class HistoryPage(NoGameMixin):
    """Past games: results with a search, the players, and for the owner the hidden results."""

    search_results: SearchResults
    query: str
    game_key: str  # of the game searched for; empty: all games
    player_id: int  # of the player searched for; 0: all players
    page_number: int  # from 0
    page_size: int  # results per page
    players: tuple[Player, ...]
    games: tuple[Box, ...]
    is_owner: bool
    hidden_results: tuple[Result, ...]
    unread_count: int  # tables that the history has not read yet
    imports: tuple[Import, ...]  # of this phone, from other programs
    bgg_ids: dict[str, int]
    refusal: str = ""
    notice: str = ""

    @property
    def player_name(self) -> str:
        """Return the name of the player searched for."""
        return next((player.name for player in self.players if player.id == self.player_id), "")


@dataclass(frozen=True)
class PlayerPage(NoGameMixin):
    """A player's results and statistics."""

    id: int
    name: str
    aliases: tuple[str, ...]
    stats_by_game: tuple[GameStats, ...]
    stats_by_opponent: tuple[OpponentStats, ...]
    names_by_id: dict[int, str]  # the other players
    results_charts: dict[str, LineChart | None]  # by game
    figures: tuple[Figure, ...]
    latest_results: tuple[Result, ...]
    is_owner: bool
    refusal: str = ""


@dataclass(frozen=True)
class StatisticsPage(NoGameMixin):
    """Statistics of past games, of all or by game, year and player."""

    figures: tuple[Figure, ...]
    games_played: int
    games: tuple[Box, ...]
    years: tuple[int, ...]  # with results, the latest first
    players: tuple[Player, ...]
    game_key: str  # of the only game; empty: all games
    year: int  # the only year; 0: all years
    player_id: int  # of the only player; 0: all players
    player_name: str
    is_owner: bool

    @property
    def has_filter(self) -> bool:
        return bool(self.game_key or self.year or self.player_id)

    @property
    def filter_values(self) -> dict[str, str | int]:
        """Return the filter as parameters of an address."""
        values = {"game": self.game_key, "year": self.year, "player": self.player_id}
        return {name: value for name, value in values.items() if value}


@dataclass(frozen=True)
class ResultFormPage(NoGameMixin):
    """The form to add a result or to correct one."""

    form: Any
    known_names: tuple[str, ...]  # names to suggest
    previous: Result | None = None  # the result that is corrected
    clock_warning: str = ""  # why the clock must be wrong
    problems: tuple[tuple[str, str], ...] = ()  # the id of the field and what is wrong with it, in one sentence
    similar: SimilarResult | None = None  # the result that the typed one looks like
    can_see_similar: bool = False  # this phone may open it

    @property
    def problem_fields(self) -> frozenset[str]:
        """Return the ids of the fields with problems."""
        return frozenset(field_id for field_id, _ in self.problems)


@dataclass(frozen=True)
class ResultPage:
    """The result of a game; anyone who has the address may open it."""

    result: Result
    result_text: str
    sheet: Sheet
    address: str
    local_address: str  # the address with a name that only some phones know; or empty
    qr: str
    table_code: str  # the table's code, if this phone may open it
    points_over_time: PointsOverTime | None  # over the course of the game, if it was tracked
    player_times: tuple[PlayerTime, ...]  # how long each player took to act, if the game was tracked
    photos: tuple[Photo, ...]
    own_photos: frozenset[str]  # photos that this phone may remove
    can_add_photos: bool  # this phone may add photos
    can_change: bool  # this phone may hide the result, and correct it if it was typed in
    form: Any  # for the place and the remarks
    player_ids: dict[str, int]  # name -> id, of the players whose page this phone may open
    bg_stats: BgStatsLink
    refusal: str = ""

    @property
    def game(self) -> Box:
        return self.result.box

    @property
    def how_time_is_measured(self) -> str:
        return HOW_IT_IS_MEASURED

    @property
    def max_photo_bytes(self) -> int:
        return MAX_BYTES

    @property
    def max_photo_side(self) -> int:
        return LARGE_SIDE

    @property
    def points_chart(self) -> LineChart | None:
        return points_chart(self.points_over_time) if self.points_over_time else None

    @property
    def stacked_bars(self) -> BarChart:
        return stacked_bars(self.result.players, self.result.box.categories)
