"""The colors of the players' pieces.

They belong to the table and not to its states, so that no step, undo or repair changes them.
"""

from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace

from companion.log.entries import Entry
from companion.log.steps import InvalidEntryError
from companion.log.table import Table, add_message
from scoring.kernel.english import truncate
from scoring.kernel.pieces import Pieces
from scoring.kernel.state import GameSetup


def initial_colors(
    pieces: Pieces | None, setup: GameSetup, player_count: int, chosen: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the colors of the players' pieces at the start; empty if they have no pieces.

    :param chosen: the colors of the first players, if the setup has no colors; the others get the next free ones.
    :raises InvalidEntryError: if these are not different colors of the box.
    """
    if pieces is None:
        return ()
    if len(set(chosen)) != len(chosen) or set(chosen) - set(pieces.colors) or len(chosen) > player_count:
        raise InvalidEntryError("the colors are not different colors of the box")
    free_colors = (color for color in pieces.colors if color not in chosen)
    return pieces.stored_colors(setup.players) or (*chosen, *islice(free_colors, player_count - len(chosen)))


def color_keeper(table: Table, seat: int, color: str, device: str) -> int | None:
    """Return the player who keeps a color that a phone wants for a seat; None if no one does.

    Only a player at another phone keeps a color. Any other player gets the color that becomes free.
    """
    holder = table.piece_colors.index(color) if color in table.piece_colors else seat
    has_other_phone = holder < len(table.seats) and table.seats[holder] not in (None, device)
    return holder if holder != seat and has_other_phone else None


def choose_color(table: Table, entry: Entry, seat: int, color: str) -> Table:
    """Return the table after a player chose a color.

    The player who had this color gets the one that becomes free.

    :raises InvalidEntryError: if the box has no such color, or a player at another phone has it.
    """
    pieces = table.tracked.pieces
    if pieces is None or color not in pieces.colors:
        raise InvalidEntryError(f"there is no piece of the color \u201c{truncate(color)}\u201d")
    keeper = color_keeper(table, seat, color, entry.device)
    if keeper is not None:
        raise InvalidEntryError(f"{table.names[keeper]} has the {pieces.colors[color]} {pieces.noun}")
    old_color = table.piece_colors[seat]
    swapped = {color: old_color, old_color: color}
    colors = tuple(swapped.get(other, other) for other in table.piece_colors)
    text = f"{table.names[seat]}\u2019s {pieces.noun} is {pieces.colors[color]}"
    if color != old_color and color in table.piece_colors:
        text += f", {table.names[table.piece_colors.index(color)]}\u2019s is {pieces.colors[old_color]}"
    return add_message(with_colors(table, colors), entry, f"{text}.")


def colors_in_order(table: Table, order: Sequence[int]) -> tuple[str, ...]:
    """Return the colors of the players in another order; empty if they have no pieces."""
    return tuple(table.piece_colors[player] for player in order) if table.piece_colors else ()


def with_colors(table: Table, colors: Sequence[str]) -> Table:
    """Return the table with other colors of the pieces."""
    pieces = table.tracked.pieces
    setup = pieces.with_stored_colors(table.setup, colors) if pieces else table.setup
    return replace(table, piece_colors=tuple(colors), setup=setup)


def follow_corrections(before: Table, after: Table) -> Table:
    """Return the table with the colors that a change of its log has corrected.

    Only logs of earlier versions have such corrections, because their states have the color.
    """
    pieces = after.tracked.pieces
    if pieces is None or before.state is after.state:
        return after
    corrected = pieces.stored_colors(after.state.players)
    return after if corrected == pieces.stored_colors(before.state.players) else with_colors(after, corrected)
