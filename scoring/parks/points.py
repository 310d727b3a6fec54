"""The score sheet of a finished game of PARKS, by category."""

from collections.abc import Iterator

from msgspec import Struct

from scoring.kernel.english import capitalize_first, pluralize
from scoring.kernel.move import chosen_option
from scoring.kernel.rule import describe_house_rules
from scoring.kernel.sheet import Contest, Line, Sheet, TieBreak, make_sheet
from scoring.parks import rules as r
from scoring.parks.box import (
    END_COUNT_TEXTS,
    FALL_POINTS,
    PARKS,
    PASSIONS,
    PHOTO_BONUS,
    SEASON_TILES,
    TOKENS,
    CustomCards,
    EndCount,
    Park,
    Passion,
    Side,
    all_gear,
    all_parks,
    count_on_parks,
    make_tokens,
)
from scoring.parks.state import State
from scoring.parks.text import TOKEN_NAMES

CATEGORIES = (
    ("fall-bonus", "Fall bonus"),
    ("parks", "Parks"),
    ("photos", "Photos"),
    ("photo-bonus", "Photo bonus"),
    ("passion", "Passion"),
    ("first-hiker", "First Hiker"),
)
AWARDS = ("fall-bonus", "photo-bonus", "first-hiker")  # categories whose points may pass from player to player


class FinalCustomPark(Struct, frozen=True):
    """A park that is not in the box, as in a final-position document."""

    name: str
    points: int = 0
    cost: dict[str, int] = {}
    instant: bool = False


class FinalCustomGear(Struct, frozen=True):
    """A gear card that is not in the box."""

    name: str


class FinalPassion(Struct, frozen=True, omit_defaults=True):
    """A passion and its chosen side; an own card has the values of its End Game Bonus."""

    card: str
    side: Side
    scores: EndCount | None = None  # the item that scores 1 point ...
    each: int = 1  # ... for this many


class FinalPlayer(Struct, frozen=True):
    """The scoring data of one player, as in a final-position document."""

    name: str
    parks: tuple[str | FinalCustomPark, ...] = ()
    photos: int = 0
    gear: tuple[str | FinalCustomGear, ...] = ()
    first_hiker: bool = False
    passion: FinalPassion | None = None

    @property
    def cards(self) -> tuple[Park, ...]:
        return tuple(PARKS[park] if isinstance(park, str) else _to_park(park) for park in self.parks)

    def count(self, kind: str) -> int:
        """Return the player's count of an item that a passion's End Game Bonus counts."""
        if kind == "photos":
            return self.photos
        if kind == "gear":
            return len(self.gear)
        return count_on_parks(self.cards, kind)


def _to_park(own: FinalCustomPark) -> Park:
    cost = make_tokens(own.cost.get(token, 0) for token in TOKENS)
    return Park(own.name, own.points, cost, "sun" if own.instant else "")


class FinalPosition(Struct, frozen=True):
    """The scoring data of a finished game."""

    players: tuple[FinalPlayer, ...]
    fall: str | None = None  # the token that the Fall tile counts
    rulings: dict[str, str] = {}


def final_position(state: State) -> FinalPosition:
    """Return the scoring data of a table."""
    tile = SEASON_TILES[state.tile] if state.tile else None
    return FinalPosition(
        players=tuple(_final_player(state, seat) for seat in range(len(state.players))),
        fall=tile.most if tile and tile.points else None,
        rulings=state.rulings,
    )


def _final_player(state: State, seat: int) -> FinalPlayer:
    player = state.players[seat]
    cards = (all_gear(state.facts)[id] for id in player.gear)
    return FinalPlayer(
        name=player.name,
        parks=final_parks(state.facts, player.visited),
        photos=player.photos,
        gear=tuple(card.name if card.id != card.name else FinalCustomGear(card.name) for card in cards),
        first_hiker=state.first_hiker == seat,
        passion=final_passion(state.passion_of(seat), player.side),
    )


def final_passion(passion: Passion | None, side: Side | None) -> FinalPassion | None:
    """Return a passion on its side for a document; None until its goal is met."""
    if passion is None or side is None:
        return None
    if passion.name in PASSIONS:
        return FinalPassion(passion.name, side)
    return FinalPassion(passion.name, side, passion.end, passion.each)


def final_parks(facts: CustomCards, names: tuple[str, ...]) -> tuple[str | FinalCustomPark, ...]:
    """Return parks for a document: by name, or with their values if they are not in the box."""
    return tuple(name if name in PARKS else _final_custom_park(all_parks(facts)[name]) for name in names)


def _final_custom_park(park: Park) -> FinalCustomPark:
    cost = {token: due for token, due in zip(TOKENS, park.cost, strict=True) if due}
    return FinalCustomPark(park.name, park.points, cost, park.instant != "")


def score(position: FinalPosition) -> Sheet:
    """Return the score sheet of a finished game, with reasons."""
    fall_bonuses, bonuses = fall_bonus_lines(position), photo_bonus_lines(position)
    lines = [
        (
            *fall_bonuses[seat],
            *park_lines(player),
            *photo_lines(player),
            *bonuses[seat],
            *passion_lines(player),
            *first_hiker_lines(player),
        )
        for seat, player in enumerate(position.players)
    ]
    return make_sheet(
        game="parks",
        categories=CATEGORIES,
        names=[player.name for player in position.players],
        lines=lines,
        tie_breaks=(TieBreak("parks", "Most parks", r.TIE_PARKS, tuple(len(p.parks) for p in position.players)),),
        rulings=describe_house_rules(r.RULINGS, position.rulings),
        contests=tuple(contests(position)),
    )


def points_before_awards(state: State) -> tuple[int, ...]:
    """Return each player's points without those that others may still take."""
    return tuple(column.total - column.points_in(*AWARDS) for column in score(final_position(state)).columns)


def contests(position: FinalPosition) -> Iterator[Contest]:
    """Yield the contests for the most: the tokens the Fall tile counts, and photos."""
    if position.fall is not None:
        name = TOKEN_NAMES[position.fall]
        counts = tuple(player.count(position.fall) for player in position.players)
        yield Contest(f"{name} on visited parks", r.FALL_BONUS, counts)
    yield Contest("Photos", r.PHOTO_BONUS, tuple(player.photos for player in position.players), "photo")


def fall_bonus_lines(position: FinalPosition) -> list[tuple[Line, ...]]:
    """Return the line of the Fall bonus for each player who gets it."""
    if position.fall is None:
        return [()] * len(position.players)
    counts = [player.count(position.fall) for player in position.players]
    most = max(counts)
    is_tied = counts.count(most) > 1
    rank_text = ", tied for the most. Each tied player scores in full." if is_tied else ", the most."
    reason_text = f"{most} {TOKEN_NAMES[position.fall]} on visited parks{rank_text}"
    line = Line("fall-bonus", f"Fall: most {TOKEN_NAMES[position.fall]}", FALL_POINTS, reason_text, (r.FALL_BONUS,))
    return [(line,) if count == most > 0 else () for count in counts]


def park_lines(player: FinalPlayer) -> Iterator[Line]:
    """Yield a line for each visited park, in the order of the visits."""
    for card in player.cards:
        yield Line(
            "parks",
            card.name,
            card.points,
            f"{pluralize(card.points, 'point')} printed on the card.",
            (r.SCORE_PARKS,),
            (card.name,),
            True,
        )


def photo_lines(player: FinalPlayer) -> Iterator[Line]:
    if player.photos:
        yield Line("photos", pluralize(player.photos, "photo"), player.photos, "1 point each.", (r.SCORE_PHOTOS,))


def photo_bonus_lines(position: FinalPosition) -> list[tuple[Line, ...]]:
    """Return the line of the photo bonus for each player who gets one (ruling photo-tie)."""
    photos = [player.photos for player in position.players]
    numbers = sorted({number for number in photos if number}, reverse=True)
    first, second = PHOTO_BONUS[len(photos)]
    prizes = dict(zip(numbers, (first, second), strict=False))
    if numbers and photos.count(numbers[0]) > 1 and chosen_option(position.rulings, r.PHOTO_LEVEL) == "no-second":
        prizes = {numbers[0]: first}
    return [
        (_photo_bonus_line(number, prizes[number], number == numbers[0], photos.count(number) > 1),)
        if prizes.get(number)
        else ()
        for number in photos
    ]


def _photo_bonus_line(number: int, points: int, is_most: bool, is_tied: bool) -> Line:
    rank = "most" if is_most else "second most"
    rank_text = f"tied for the {rank}. Each tied player scores in full." if is_tied else f"the {rank}."
    rules = (r.PHOTO_BONUS, r.PHOTO_TIE) if is_tied else (r.PHOTO_BONUS,)
    label = "Most photos" if is_most else "Second-most photos"
    return Line("photo-bonus", label, points, f"{pluralize(number, 'photo')}, {rank_text}", rules)


def passion_lines(player: FinalPlayer) -> Iterator[Line]:
    """Yield the line of a passion on its End Game Bonus."""
    passion = player.passion
    if passion is None or passion.side != "end":
        return
    card = PASSIONS.get(passion.card)
    item, items_per_point = (card.end, card.each) if card else (passion.scores, passion.each)
    if item is None:  # No document gives the values.
        return
    count = player.count(item)
    per_text = "1 point each" if items_per_point == 1 else f"1 point for every {items_per_point}"
    reason_text = f"{capitalize_first(END_COUNT_TEXTS[item])}: {count} ({per_text})."
    yield Line("passion", passion.card, count // items_per_point, reason_text, (r.SCORE_PASSION, r.PASSION_SHOWS))


def first_hiker_lines(player: FinalPlayer) -> Iterator[Line]:
    if player.first_hiker:
        yield Line("first-hiker", "First Hiker", 1, "1 point for the First Hiker token.", (r.FIRST_HIKER_POINT,))
