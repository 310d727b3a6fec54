"""The pages of the import of plays from other programs."""

from dataclasses import dataclass

from companion.exchange.headings import ColumnRole
from companion.exchange.spreadsheet import COLUMN_ROLES, DELIMITERS, ENCODINGS, Columns, Table
from companion.pages.home import NoGameMixin
from companion.service.play_import import FileName, ImportPlan, PlannedPlay
from scoring.kernel.box import Box

MAX_NAMES = 60  # names of a file that can be assigned; the others keep their names
MAX_LISTED = 20  # plays that are listed; the others are counted
SAMPLE_ROWS = 3  # cells of a column that are shown


@dataclass(frozen=True)
class ColumnsPage(NoGameMixin):
    """The form that assigns a role to each column of a table."""

    id: str
    file_name: str
    table: Table
    columns: Columns
    games: tuple[Box, ...]
    refusal: str = ""

    @property
    def roles(self) -> dict[ColumnRole, str]:
        return COLUMN_ROLES

    @property
    def delimiters(self) -> dict[str, str]:
        return DELIMITERS

    @property
    def encodings(self) -> dict[str, str]:
        return ENCODINGS

    def role(self, index: int) -> ColumnRole:
        """Return the role of a column; another encoding may show more columns."""
        return self.columns.roles[index] if index < len(self.columns.roles) else ""

    def samples(self, index: int) -> list[str]:
        """Return the first cells of a column that are not blank."""
        cells = (row[index] for _, row in self.table.rows if row[index])
        return [cell for cell, _ in zip(cells, range(SAMPLE_ROWS), strict=False)]


@dataclass(frozen=True)
class ImportPage(NoGameMixin):
    """What a file would add, before anything is kept."""

    id: str
    file_name: str
    source: str  # the program that wrote the file
    has_columns: bool  # the columns of the file can be changed
    notes: tuple[str, ...]  # sentences about what to check
    plan: ImportPlan
    summary: str
    player_names: tuple[str, ...]  # of the players here
    refusal: str = ""

    @property
    def names(self) -> tuple[FileName, ...]:
        return self.plan.unknown_names[:MAX_NAMES]

    @property
    def listed(self) -> tuple[PlannedPlay, ...]:
        """Return the new plays that are listed."""
        return self.plan.new[:MAX_LISTED]
