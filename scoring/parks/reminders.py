"""Reminders of physical actions in PARKS after a move: tokens, displays, new season."""

from collections.abc import Iterator

from scoring.kernel.english import join_words, pluralize
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Reminder
from scoring.parks.box import SITE_COUNT, TOKENS, TRAILHEAD, make_tokens
from scoring.parks.moves.hiking import Hike
from scoring.parks.moves.park_actions import Reserve
from scoring.parks.moves.sites import FillCanteenRow, TakeCanteen
from scoring.parks.quantities import tokens_gained, tokens_paid
from scoring.parks.state import NO_CARD, Player, State
from scoring.parks.text import TOKEN_NAMES, row_name, signed_tokens, space_name

SLIDE_PARKS = "Slide the parks right and refill on the left."
SLIDE_GEAR = "Slide the gear cards right and refill on the left."
TURN_TILE = "Flip the season tile."
SHUFFLE = "Shuffle and place the tiles."
NEW_CANTEEN = "Draw a new face-up canteen."
DISCARD_GEAR = "Discard the rightmost gear card and refill."


def reminders(before: State, after: State, move: Move) -> Iterator[Reminder]:
    """Yield the reminders after a move.

    Everyone prepares a new season; the player of the turn refills the displays. The list
    of a new season stays from the last turn of the old one to the first hike.
    """
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if old.campfire and not new.campfire:
            yield Reminder("Extinguish the campfire.", seat)
        if new.campfire and not old.campfire and after.season == before.season:
            yield Reminder("Relight the campfire.", seat)
    yield from (Reminder(text, before.turn) for text in _tray_texts(before, after, move))
    yield from (Reminder(text, before.turn) for text in _taken_token_texts(before, after, move))
    yield from (Reminder(text, before.turn) for text in _display_texts(before, after, move))
    yield from map(Reminder, _new_season_texts(before, after))


def _new_season_texts(before: State, after: State) -> Iterator[str]:
    """Yield the reminders between two seasons, until the new Trail is laid."""
    has_season_begun = after.season > before.season
    if has_season_begun:
        yield from _season_reset_texts(before, after)
    if has_season_begun and None in after.sites:
        yield from _trail_clearing_texts(before)
    elif has_season_begun or (None in before.sites and None not in after.sites):
        yield _weather_text(after)
    if has_season_begun and None not in after.sites and after.market[:1] == (None,):
        yield DISCARD_GEAR


def _tray_texts(before: State, after: State, move: Move) -> Iterator[str]:
    """Yield the tokens that the player returns, places on a row and takes, and the photos.

    A weather token comes from its site, and so does not count as taken from the trays.
    """
    if move.out_of_turn:
        return
    if isinstance(move, FillCanteenRow) and after.season == before.season:  # else the rows are emptied right away
        yield f"Put 1 Water on {row_name(move.row)}."
    paid = join_words(signed_tokens("", tokens_paid(before, move)))
    photos = after.players[before.turn].photos - before.players[before.turn].photos
    weather = _weather_taken(before, move)
    tokens = zip(TOKENS, tokens_gained(before, after, before.turn, move), strict=True)
    from_trays = make_tokens(max(0, count - (kind == weather)) for kind, count in tokens)
    gained = join_words([*signed_tokens("", from_trays), *([pluralize(photos, "photo")] if photos > 0 else [])])
    if paid:
        yield f"Return {paid}{f' and take {gained}' if gained else ''}."
    elif gained:
        yield f"Take {gained}."


def _weather_taken(before: State, move: Move) -> str:
    """Return the weather token that a hike takes from its site, or ""."""
    match move:
        case Hike(_, to) if to <= SITE_COUNT:
            return before.weather[to - 1]
    return ""


def _taken_token_texts(before: State, after: State, move: Move) -> Iterator[str]:
    """Yield a reminder for each token that the player of the turn takes."""
    if isinstance(move, Hike) and (weather := _weather_taken(before, move)):
        yield f"Take the {TOKEN_NAMES[weather]} weather token from {space_name(before, move.to)}."
    if after.badge == before.turn != before.badge:
        owner = "" if before.badge is None else f" from {before.players[before.badge].name}"
        yield f"Take the Shutterbug Badge{owner}."
    if after.first_hiker == before.turn != before.first_hiker:
        owner = "" if before.first_hiker is None else f" from {before.players[before.first_hiker].name}"
        yield f"Take the First Hiker token{owner}."


def _display_texts(before: State, after: State, move: Move) -> Iterator[str]:
    """Yield a reminder for each display with a gap; a card named since is already in place."""
    is_unnamed_park_reserved = isinstance(move, Reserve) and not move.deck and after.parks == before.parks
    if is_unnamed_park_reserved or _is_park_display_refilled(before, after):
        yield SLIDE_PARKS
    from_market = _has_more(before, after, "bought") and _has_more(before, after, "gear")
    if from_market and after.market[:1] == (None,):
        yield SLIDE_GEAR
    is_unnamed_canteen_taken = isinstance(move, TakeCanteen) and not move.stack and after.canteens == before.canteens
    if is_unnamed_canteen_taken or any(
        old and new is None for old, new in zip(before.canteens, after.canteens, strict=True)
    ):
        yield NEW_CANTEEN


def _is_park_display_refilled(before: State, after: State) -> bool:
    if (
        after.park_deck >= before.park_deck
        or next((card for card in after.parks if card != NO_CARD), NO_CARD) is not None
    ):
        return False
    moved = any(old is not None and old != new for old, new in zip(before.parks, after.parks, strict=True))
    # A park named by its visit came from the face-up ones.
    taken = _has_more(before, after, "visited") and _park_count(after) > _park_count(before)
    return moved or taken or after.parks.count(NO_CARD) < before.parks.count(NO_CARD)


def _park_count(state: State) -> int:
    """Return how many parks the players have."""
    return _total(state.players, "visited") + _total(state.players, "reserve")


def _has_more(before: State, after: State, field_name: str) -> bool:
    """Return whether the players have more of something."""
    return _total(after.players, field_name) > _total(before.players, field_name)


def _total(players: tuple[Player, ...], field_name: str) -> int:
    values = [getattr(player, field_name) for player in players]
    return sum(value if isinstance(value, int) else len(value) for value in values)


def _season_reset_texts(before: State, after: State) -> Iterator[str]:
    """Yield the resets between seasons in the rulebook's order, except those entered."""
    if after.tile is None:
        yield TURN_TILE
    if any(any(player.filled) for player in before.players):
        yield "Empty all canteens."
    if any(new.campfire and not old.campfire for old, new in zip(before.players, after.players, strict=True)):
        yield "Relight all campfires."
    if before.badge is not None and after.badge is None:
        yield "Put the Shutterbug Badge beside the board."


def _trail_clearing_texts(before: State) -> Iterator[str]:
    """Yield the items to clear from the Trail before it is laid again."""
    if any(player.hikers != (TRAILHEAD, TRAILHEAD) for player in before.players):
        yield "Return all hikers to the Trailhead."
    if any(before.weather):
        yield "Return the old weather tokens."
    yield SHUFFLE


def _weather_text(state: State) -> str:
    site, first = next(((site, token) for site, token in enumerate(state.weather, 1) if token), (2, "sun"))
    order_text = f"Sun at site {site}, then Water" if first == "sun" else f"Water at site {site}, then Sun"
    parks_text = "" if state.weather[state.sites.index("parks")] else "not on the Parks site"
    empty_sites = [
        site for site, token in zip(state.sites[1:], state.weather[1:], strict=True) if not token and site != "parks"
    ]
    supply_text = "until they run out" if empty_sites else ""
    limits = ", ".join(filter(None, (supply_text, parks_text)))
    return f"Place weather tokens: {order_text}, and keep alternating{f' ({limits})' if limits else ''}."
