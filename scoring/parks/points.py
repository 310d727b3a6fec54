"""What a finished game of PARKS is worth, category by category as on the sheet."""

from collections.abc import Iterator

from msgspec import Struct

from scoring.kernel.english import capital, plural
from scoring.kernel.move import chosen
from scoring.kernel.rule import house_rulings
from scoring.kernel.sheet import Contest, Line, Sheet, TieBreak, sheet
from scoring.parks import rules as r
from scoring.parks.box import (
    END_COUNTS,
    FALL_POINTS,
    PARKS,
    PASSIONS,
    PHOTO_BONUS,
    SEASON_TILES,
    TOKENS,
    EndCount,
    Park,
    Passion,
    Side,
    all_gear,
    all_parks,
    tokens,
)
from scoring.parks.state import State
from scoring.parks.text import TOKEN

CATEGORIES = (
    ("fall-bonus", "Fall bonus"),
    ("parks", "Parks"),
    ("photos", "Photos"),
    ("photo-bonus", "Photo bonus"),
    ("passion", "Passion"),
    ("first-hiker", "First Hiker"),
)


class OwnPark(Struct, frozen=True):
    """A park that is not in the box, as a final-position document says it."""

    name: str
    points: int = 0
    cost: dict[str, int] = {}
    instant: bool = False


class OwnGear(Struct, frozen=True):
    """A gear card that is not in the box."""

    name: str


class ChosenPassion(Struct, frozen=True, omit_defaults=True):
    """A passion and the side chosen; one that is not in the box says what its end side scores."""

    card: str
    side: Side
    scores: EndCount | None = None  # 1 point ...
    each: int = 1  # ... for so many of these


class FinalPlayer(Struct, frozen=True):
    """What scoring needs of one player, as a final-position document says it."""

    name: str
    parks: tuple[str | OwnPark, ...] = ()
    photos: int = 0
    gear: tuple[str | OwnGear, ...] = ()
    first_hiker: bool = False
    passion: ChosenPassion | None = None

    @property
    def cards(self) -> tuple[Park, ...]:
        return tuple(PARKS[park] if isinstance(park, str) else _card(park) for park in self.parks)

    def count(self, what: str) -> int:
        """Return how many of something a passion's end side counts."""
        if what == "photos":
            return self.photos
        if what == "gear":
            return len(self.gear)
        if what == "parks instant":
            return sum(card.instant != "" for card in self.cards)
        if what.startswith("parks "):
            return sum(card.shows(what.removeprefix("parks ")) for card in self.cards)
        return sum(card.icons(what) for card in self.cards)


def _card(own: OwnPark) -> Park:
    cost = tokens(own.cost.get(token, 0) for token in TOKENS)
    return Park(own.name, own.points, cost, "sun" if own.instant else "")


class Final(Struct, frozen=True):
    """What scoring needs of a finished game."""

    players: tuple[FinalPlayer, ...]
    fall: str | None = None  # what the Fall tile counts
    rulings: dict[str, str] = {}


def final(state: State) -> Final:
    """Return what scoring needs of a table."""
    tile = SEASON_TILES[state.tile] if state.tile else None
    return Final(
        players=tuple(_final_player(state, seat) for seat in range(len(state.players))),
        fall=tile.most if tile and tile.points else None,
        rulings=state.rulings,
    )


def _final_player(state: State, seat: int) -> FinalPlayer:
    player = state.players[seat]
    parks = (name if name in PARKS else own_park(all_parks(state.facts)[name]) for name in player.visited)
    cards = (all_gear(state.facts)[id] for id in player.gear)
    return FinalPlayer(
        name=player.name,
        parks=tuple(parks),
        photos=player.photos,
        gear=tuple(card.name if card.id != card.name else OwnGear(card.name) for card in cards),
        first_hiker=state.first_hiker == seat,
        passion=chosen_passion(state.passion_of(seat), player.side),
    )


def chosen_passion(passion: Passion | None, side: Side | None) -> ChosenPassion | None:
    """Return a passion on its side as a document says it; nothing while its goal is not met."""
    if passion is None or side is None:
        return None
    if passion.name in PASSIONS:
        return ChosenPassion(passion.name, side)
    return ChosenPassion(passion.name, side, passion.end, passion.each)


def own_park(park: Park) -> OwnPark:
    """Return a park that is not in the box as a document says it."""
    cost = {token: due for token, due in zip(TOKENS, park.cost, strict=True) if due}
    return OwnPark(park.name, park.points, cost, park.instant != "")


def score(final: Final) -> Sheet:
    """Return the explained score sheet of a finished game."""
    falls, bonuses = fall_bonus(final), photo_bonus(final)
    lines = [
        (
            *falls[seat],
            *park_lines(player),
            *photo_lines(player),
            *bonuses[seat],
            *passion_lines(player),
            *first_lines(player),
        )
        for seat, player in enumerate(final.players)
    ]
    return sheet(
        game="parks",
        categories=CATEGORIES,
        names=[player.name for player in final.players],
        lines=lines,
        tie_breaks=(TieBreak("parks", "Most parks", r.TIE_PARKS, tuple(len(p.parks) for p in final.players)),),
        rulings=house_rulings(r.RULINGS, final.rulings),
        contests=tuple(contests(final)),
    )


def contests(final: Final) -> Iterator[Contest]:
    """Yield what there is a most of: what the Fall tile counts, and photos."""
    if final.fall is not None:
        name = TOKEN[final.fall]
        counts = tuple(player.count(final.fall) for player in final.players)
        yield Contest(f"Fall: {name}", r.FALL_BONUS, counts)
    yield Contest("Photo bonus", r.PHOTO_BONUS, tuple(player.photos for player in final.players))


def fall_bonus(final: Final) -> list[tuple[Line, ...]]:
    """Return the line of the Fall bonus for each player who gets it."""
    if final.fall is None:
        return [()] * len(final.players)
    counts = [player.count(final.fall) for player in final.players]
    most = max(counts)
    level = counts.count(most) > 1
    tied = ", level for the most: each scores in full" if level else ", the most"
    because = f"{most} {TOKEN[final.fall]} on visited parks{tied}."
    line = Line("fall-bonus", f"Fall: {TOKEN[final.fall]}", FALL_POINTS, because, (r.FALL_BONUS,))
    return [(line,) if count == most > 0 else () for count in counts]


def park_lines(player: FinalPlayer) -> Iterator[Line]:
    """Yield a line for each visited park, in the order of the visits."""
    for card in player.cards:
        yield Line(
            "parks", card.name, card.points, f"{card.points} printed on the card.", (r.SCORE_PARKS,), (card.name,), True
        )


def photo_lines(player: FinalPlayer) -> Iterator[Line]:
    if player.photos:
        yield Line("photos", plural(player.photos, "photo"), player.photos, "1 point each.", (r.SCORE_PHOTOS,))


def photo_bonus(final: Final) -> list[tuple[Line, ...]]:
    """Return the line of the photo bonus for each player who gets one (ruling photo-tie)."""
    photos = [player.photos for player in final.players]
    numbers = sorted({number for number in photos if number}, reverse=True)
    first, second = PHOTO_BONUS[len(photos)]
    prizes = dict(zip(numbers, (first, second), strict=False))
    if numbers and photos.count(numbers[0]) > 1 and chosen(final.rulings, r.PHOTO_LEVEL) == "no-second":
        prizes = {numbers[0]: first}
    return [
        (_photo_bonus(number, prizes[number], number == numbers[0], photos.count(number) > 1),)
        if prizes.get(number)
        else ()
        for number in photos
    ]


def _photo_bonus(number: int, points: int, most: bool, level: bool) -> Line:
    rank = "most" if most else "second most"
    tied = f"level for the {rank}: each takes it in full" if level else f"the {rank}"
    rules = (r.PHOTO_BONUS, r.PHOTO_TIE) if level else (r.PHOTO_BONUS,)
    label = "Most photos" if most else "Second most photos"
    return Line("photo-bonus", label, points, f"{plural(number, 'photo')}, {tied}.", rules)


def passion_lines(player: FinalPlayer) -> Iterator[Line]:
    """Yield the line of a passion on its end side."""
    passion = player.passion
    if passion is None or passion.side != "end":
        return
    card = PASSIONS.get(passion.card)
    what, each = (card.end, card.each) if card else (passion.scores, passion.each)
    if what is None:  # no document says so
        return
    count = player.count(what)
    per = "1 point each" if each == 1 else f"1 point for every {each}"
    because = f"{capital(END_COUNTS[what])}: {count}; {per}."
    yield Line("passion", passion.card, count // each, because, (r.SCORE_PASSION, r.PASSION_SHOWS))


def first_lines(player: FinalPlayer) -> Iterator[Line]:
    if player.first_hiker:
        yield Line("first-hiker", "First Hiker", 1, "The First Hiker token is yours.", (r.FIRST_HIKER_POINT,))
