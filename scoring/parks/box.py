"""The components of PARKS from box.toml, and the custom cards its owner adds."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar, cast

from msgspec import Struct, convert

from scoring.kernel.english import capitalize_first, pluralize

Token = Literal["forest", "mountain", "sun", "water", "wildlife"]
TOKENS: tuple[Token, ...] = ("forest", "mountain", "sun", "water", "wildlife")
NON_WILD_TOKENS: tuple[Token, ...] = TOKENS[:4]  # those that Wildlife can replace
WILDLIFE_INDEX = 4  # its index in `TOKENS`
Tokens = tuple[int, int, int, int, int]
NO_TOKENS: Tokens = (0, 0, 0, 0, 0)
TRAILHEAD = 0  # the sites are spaces 1 to 9
SITE_COUNT = 9
MAX_START_TOKENS = 20  # of each kind, at the start
MAX_DISPLAY_CARDS = 8  # cards in a display
MAX_PARK_POINTS = 20  # of a custom park
MAX_CARD_NUMBER = 9  # for costs and counts of custom cards
MAX_HELD = 99  # by one player, where stand-ins are used
MAX_TOTAL_PHOTOS = 60  # of all players together, in score entry

# A single gain: a token or an action.
Gain = Literal[
    "forest", "mountain", "sun", "water", "wildlife", "relight", "badge",
    "canteen", "photo", "free photo", "trade", "roll", "reserve", "parks", "buy", "gear", "canteen or photo",
]  # fmt: skip
Site = Literal["forest", "mountain", "sun", "water", "wildlife", "photo", "die", "gear", "parks"]
DieFace = Literal["forest", "mountain", "2 sun", "2 water", "wildlife", "canteen"]  # of the Trail Die
Canteen = Literal["2 sun", "2 water", "forest", "mountain", "photo", "trade", "parks"]
Instant = Literal["", "sun", "water", "2 sun", "2 water", "wildlife", "canteen", "badge", "roll"]
Trigger = Literal["sun", "water", "forest", "mountain", "trade", "photo", "reserve", "die"]
Effect = Literal[
    "forest",
    "mountain",
    "wildlife",
    "2 sun",
    "2 water",
    "canteen",
    "photo",
    "reserve",
    "roll",
    "relight",
    "2 sun, relight",
]
Side = Literal["gear", "end"]
Season = Literal["Spring", "Summer", "Fall"]
# The items that season tiles count.
SeasonCountKind = Literal["sun", "water", "forest", "mountain", "gear suns", "wildlife", "canteens", "instants"]
# The items that passions count on visited parks and among a player's components.
EndCount = Literal[
    "parks forest", "parks mountain", "parks sun", "parks water", "parks instant",
    "forest", "mountain", "sun", "water", "gear", "photos",
]  # fmt: skip
GoalCount = EndCount | Literal["gear bought", "wildlife photos"]
Ability = Literal[
    "roll at instant", "roll at canteen", "forest less", "mountain less", "sun less", "water less",
    "forest to wildlife", "mountain to wildlife", "free gear", "two photos",
]  # fmt: skip


class Park(Struct, frozen=True, gc=False):
    """A park card: its points, the cost of a visit, and its instant."""

    name: str
    points: int
    cost: Tokens
    instant: Instant = ""

    def has_icon(self, token: str) -> bool:
        """Return whether the cost has a token of a kind."""
        return self.icon_count(token) > 0

    def icon_count(self, token: str) -> int:
        """Return the number of tokens of a kind in the cost."""
        return self.cost[TOKEN_INDEX[token]]


def count_on_parks(parks: Iterable[Park], kind: str) -> int:
    """Return the count of an item that passions or season tiles count on visited parks."""
    if kind in ("parks instant", "instants"):
        return sum(park.instant != "" for park in parks)
    if kind.startswith("parks "):
        return sum(park.has_icon(kind.removeprefix("parks ")) for park in parks)
    return sum(park.icon_count(kind) for park in parks)


class Gear(Struct, frozen=True, gc=False):
    """A gear card: its price in Sun, its trigger and its effect."""

    id: str
    name: str
    cost: int
    when: Trigger
    effect: Effect

    @property
    def title(self) -> str:
        """Return a name that is unique among the cards: "Binoculars (Mountain site)"."""
        return f"{self.name} ({TRIGGER_TEXTS[self.when]})" if self.id != self.name else self.name

    @property
    def effect_text(self) -> str:
        """Return the benefit, to follow what activates it: "+2 Sun", "reserve a park"."""
        return "roll the die again" if self._is_extra_roll else EFFECT_TEXTS[self.effect]

    @property
    def rule_text(self) -> str:
        """Return when the card works, and its benefit: "At the Sun site: +2 Sun"."""
        effect = "roll it again" if self._is_extra_roll else self.effect_text
        return f"{TRIGGER_CLAUSES[self.when]}: {effect}"

    @property
    def _is_extra_roll(self) -> bool:
        return (self.when, self.effect) == ("die", "roll")


class Passion(Struct, frozen=True, gc=False):
    """A passion card: its goal, its Gear Effect, and the item that scores on its End Game Bonus."""

    name: str
    goal: GoalCount
    number: int
    gear: Ability
    end: EndCount
    each: int

    @property
    def goal_text(self) -> str:
        """Return the objective in words: "Visit 2 parks with a Sun", "Buy 2 gear cards"."""
        number = pluralize(self.number, "park") if self.goal.startswith("parks ") else self.number
        return GOAL_FORMATS[self.goal].format(number=number, s="" if self.number == 1 else "s")

    @property
    def gear_text(self) -> str:
        """Return the Gear Effect in words."""
        return ABILITY_TEXTS[self.gear]

    @property
    def end_text(self) -> str:
        """Return the End Game Bonus in words: "1 point for every 2 Forest on visited parks"."""
        text = END_COUNT_TEXTS[self.end]
        if self.each > 1:
            return f"1 point for every {self.each} {text}"
        plural = next((plural for plural in SINGULAR_TEXTS if text.startswith(plural)), "")
        return f"1 point for each {SINGULAR_TEXTS.get(plural, '')}{text.removeprefix(plural)}"


class EndSpace(Struct, frozen=True, gc=False):
    """One of the spaces of Trail’s End, and the gain of its first visitor in a season."""

    space: int
    title: str
    action: Gain
    first_visitor_gain: Literal["wildlife", "sun"] | None  # None stands for the First Hiker token

    @property
    def icon(self) -> str:
        """Return the icon of the first visitor's gain."""
        return self.first_visitor_gain or "boot"


class SiteTile(Struct, frozen=True, gc=False):
    id: Site
    title: str
    brings: str
    face: DieFace | None = None  # of the die, for the Shutterbug


class SeasonTile(Struct, frozen=True, gc=False):
    """A season tile: the item it counts, and the bonus for the most."""

    id: str
    season: Season
    most: SeasonCountKind
    brings: str = ""
    points: int = 0

    @property
    def title(self) -> str:
        place = " on visited parks" if self.points else ""
        return f"{self.season}: most {SEASON_COUNT_TEXTS[self.most]}{place}"


class CustomPark(Struct, frozen=True, forbid_unknown_fields=True):
    """A park card that is not in the box."""

    name: str = ""
    points: int = 0
    forest: int = 0
    mountain: int = 0
    sun: int = 0
    water: int = 0
    wildlife: int = 0
    instant: Instant = ""

    @property
    def card(self) -> Park:
        return Park(
            self.name, self.points, (self.forest, self.mountain, self.sun, self.water, self.wildlife), self.instant
        )


class CustomGear(Struct, frozen=True, forbid_unknown_fields=True):
    """A gear card that is not in the box, with an effect of the box's cards."""

    name: str = ""
    cost: int = 1
    when: Trigger = "sun"
    effect: Effect = "2 sun"

    @property
    def card(self) -> Gear:
        return Gear(self.name, self.name, self.cost, self.when, self.effect)


class CustomPassion(Struct, frozen=True, forbid_unknown_fields=True):
    """A passion card that is not in the box, with sides like those of the box's cards."""

    name: str = ""
    goal: GoalCount = "parks sun"
    number: int = 2
    gear: Ability = "sun less"
    end: EndCount = "parks sun"
    each: int = 1

    @property
    def card(self) -> Passion:
        return Passion(self.name, self.goal, self.number, self.gear, self.end, self.each)


class CustomCards(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards an owner has added to the box: homemade, or printed later."""

    parks: tuple[CustomPark, ...] = ()
    gear: tuple[CustomGear, ...] = ()
    passions: tuple[CustomPassion, ...] = ()


# What activates a gear card; the text stands alone, before a colon, after a comma, and in parentheses.
TRIGGER_TEXTS: dict[Trigger, str] = {
    "sun": "Sun site",
    "water": "Water site",
    "forest": "Forest site",
    "mountain": "Mountain site",
    "trade": "when you trade for Wildlife",
    "photo": "when you take a photo",
    "reserve": "when you reserve a park",
    "die": "when you roll the die",
}
# The same before a colon: "At the Sun site: +2 Sun", "When you reserve a park: +1 Forest".
TRIGGER_CLAUSES: dict[Trigger, str] = {
    when: f"At the {text}" if text.endswith(" site") else capitalize_first(text) for when, text in TRIGGER_TEXTS.items()
}
# Gains as nouns.
GAIN_TEXTS = {
    "forest": "1 Forest",
    "mountain": "1 Mountain",
    "sun": "1 Sun",
    "water": "1 Water",
    "2 sun": "2 Sun",
    "2 water": "2 Water",
    "wildlife": "1 Wildlife",
    "canteen": "a canteen",
    "photo": "a photo for 1 Resource",
    "trade": "1 Wildlife for 1 Resource",
    "parks": "a Parks action",
    "badge": "the Shutterbug Badge",
    "roll": "a die roll",
}


def add_sign(text: str) -> str:
    """Return a benefit as it is in a list, where each number has a sign: "+2 Sun"."""
    return f"+{text}" if text[0].isdecimal() else text


SIGNED_GAIN_TEXTS = {
    **{gain: add_sign(text) for gain, text in GAIN_TEXTS.items()},
    "canteen": "+1 canteen",
    "roll": "+1 die roll",
}
# The faces of canteens, as their names.
CANTEEN_TEXTS = {
    "2 sun": "2 Sun",
    "2 water": "2 Water",
    "forest": "1 Forest",
    "mountain": "1 Mountain",
    "photo": "take a photo",
    "trade": "trade for Wildlife",
    "parks": "Parks action",
}
# What the canteens of a filled row give.
CANTEEN_BENEFITS = {canteen: add_sign(text) for canteen, text in CANTEEN_TEXTS.items()}
SIDE_TEXTS: dict[Side, str] = {"gear": "Gear Effect", "end": "End Game Bonus"}
# Texts for card values: on a card's picture, and where an owner chooses them for a custom card.
EFFECT_TEXTS: dict[str, str] = {
    **{
        effect: SIGNED_GAIN_TEXTS[effect]
        for effect in ("forest", "mountain", "wildlife", "2 sun", "2 water", "canteen")
    },
    "photo": "take a photo",
    "reserve": "reserve a park",
    "roll": "roll the die",
    "relight": "relight your campfire",
    "2 sun, relight": "+2 Sun, relight your campfire",
}
INSTANT_TEXTS: dict[str, str] = {
    "": "no instant benefit",
    **{
        gain: SIGNED_GAIN_TEXTS[gain]
        for gain in ("sun", "water", "2 sun", "2 water", "wildlife", "canteen", "badge", "roll")
    },
}
END_COUNT_TEXTS: dict[EndCount, str] = {
    "parks forest": "parks with a Forest",
    "parks mountain": "parks with a Mountain",
    "parks sun": "parks with a Sun",
    "parks water": "parks with a Water",
    "parks instant": "parks with an instant benefit",
    "forest": "Forest on visited parks",
    "mountain": "Mountain on visited parks",
    "sun": "Sun on visited parks",
    "water": "Water on visited parks",
    "gear": "gear cards",
    "photos": "photos",
}
COUNT_TEXTS: dict[GoalCount, str] = {
    **END_COUNT_TEXTS,
    "gear bought": "gear cards bought",
    "wildlife photos": "photos paid for with Wildlife",
}
# The beginnings of those texts in the singular.
SINGULAR_TEXTS = {"parks with": "park with", "gear cards": "gear card", "photos": "photo"}
# Objectives of passions; "{number}" includes the parks of those that count parks.
GOAL_FORMATS: dict[GoalCount, str] = {
    "parks forest": "visit {number} with a Forest",
    "parks mountain": "visit {number} with a Mountain",
    "parks sun": "visit {number} with a Sun",
    "parks water": "visit {number} with a Water",
    "parks instant": "visit {number} with an instant benefit",
    "forest": "visit parks with {number} Forest in total",
    "mountain": "visit parks with {number} Mountain in total",
    "sun": "visit parks with {number} Sun in total",
    "water": "visit parks with {number} Water in total",
    "gear": "have {number} gear card{s}",
    "photos": "have {number} photo{s}",
    "gear bought": "buy {number} gear card{s}",
    "wildlife photos": "pay for {number} photo{s} with Wildlife",
}
ABILITY_TEXTS: dict[Ability, str] = {
    "roll at instant": "roll the die when you visit a park with an instant benefit",
    "roll at canteen": "roll the die when you fill a canteen row",
    "forest less": "parks cost you 1 Forest less",
    "mountain less": "parks cost you 1 Mountain less",
    "sun less": "parks cost you 1 Sun less",
    "water less": "parks cost you 1 Water less",
    "forest to wildlife": "swap a gained Forest for Wildlife",
    "mountain to wildlife": "swap a gained Mountain for Wildlife",
    "free gear": "gear is free",
    "two photos": "1 Wildlife pays for 2 photos",
}
# The token that parks cost one less of, by ability.
DISCOUNTED_TOKENS: dict[Ability, Token] = {
    "forest less": "forest",
    "mountain less": "mountain",
    "sun less": "sun",
    "water less": "water",
}
SEASON_COUNT_TEXTS: dict[SeasonCountKind, str] = {
    "sun": "Sun",
    "water": "Water",
    "forest": "Forest",
    "mountain": "Mountain",
    "gear suns": "Sun in gear costs",
    "wildlife": "Wildlife",
    "canteens": "canteens",
    "instants": "instant benefits",
}

_box: dict[str, Any] = tomllib.loads(Path(__file__).with_name("box.toml").read_text(encoding="utf-8"))
Card = TypeVar("Card")


def _read_cards(group: str, type: type[Card], key: str = "id", list: str = "cards") -> dict[Any, Card]:
    return {entry[key]: convert(entry, type) for entry in _box[group][list]}


BGG: int = _box["listing"]["bgg"]  # BoardGameGeek id
TOKENS_IN_BOX: Tokens = tuple(_box["tokens"][kind] for kind in TOKENS)
PHOTOS_IN_BOX: int = _box["tokens"]["photos"]
HIKERS: tuple[str, ...] = tuple(_box["hikers"]["colours"])  # each player has two hikers of a color
SEASONS: tuple[Season, ...] = tuple(_box["seasons"]["names"])
SITES: dict[Site, SiteTile] = _read_cards("sites", SiteTile, list="kinds")
TRAIL_TILES: tuple[Site, ...] = tuple(site for site in SITES if site != "parks")  # the eight tiles laid in each season
PARKS_SPACE: int = _box["parks_site"]["space"]
END_SPACES = (
    EndSpace(10, "Parks", "parks", None),
    EndSpace(11, "Photo", "photo", "wildlife"),
    EndSpace(12, "Gear", "buy", "sun"),
)
DISPLAY_SIZES: dict[str, int] = {kind: _box["displays"][kind] for kind in ("parks", "gear", "canteens")}
DIE: tuple[DieFace, ...] = tuple(_box["die"]["faces"])
CANTEENS: dict[Canteen, int] = {entry["id"]: entry["count"] for entry in _box["canteens"]["faces"]}
SEASON_TILES: dict[str, SeasonTile] = _read_cards("tiles", SeasonTile, list="kinds")
GEAR: dict[str, Gear] = _read_cards("gear", Gear)
PASSIONS: dict[str, Passion] = _read_cards("passions", Passion, "name")
PARKS: dict[str, Park] = _read_cards("parks", Park, "name")
GEAR_NAMES: tuple[str, ...] = tuple(dict.fromkeys(gear.name for gear in GEAR.values()))
SITE_OF_FACE: dict[DieFace, Site] = {site.face: site.id for site in SITES.values() if site.face}
FALL_POINTS = next(tile.points for tile in SEASON_TILES.values() if tile.points)
PHOTO_BONUS = {2: (3, 0), 3: (4, 2), 4: (4, 2), 5: (4, 2)}  # by number of players: for most, for second most
TOKEN_INDEX: dict[str, int] = {token: number for number, token in enumerate(TOKENS)}


# The icon of each gain and action that has another one than its own name.
GAIN_ICONS = {
    "2 sun": "sun",
    "2 water": "water",
    "buy": "gear",
    "parks": "park",
    "reserve": "park",
    "roll": "die",
    "trade": "wildlife",
}


def make_tokens(numbers: Iterable[int]) -> Tokens:
    """Return tokens from numbers in the order of their kinds."""
    forest, mountain, sun, water, wildlife = numbers
    return forest, mountain, sun, water, wildlife


@lru_cache(maxsize=256)
def parse_gains(text: str) -> tuple[Gain, ...]:
    """Return the single gains of a short text: "2 sun, relight" is sun, sun and relight."""
    found: list[Gain] = []
    for part in text.split(", ") if text else ():
        number, _, gain = part.partition(" ")
        has_number = number.isdecimal()
        found.extend(repeat(cast("Gain", gain if has_number else part), int(number) if has_number else 1))
    return tuple(found)


@lru_cache(maxsize=256)
def all_parks(custom_cards: CustomCards) -> Mapping[str, Park]:
    """Return every park of the box and the custom cards, by name."""
    return MappingProxyType(PARKS | {card.name: card.card for card in custom_cards.parks})


@lru_cache(maxsize=256)
def all_gear(custom_cards: CustomCards) -> Mapping[str, Gear]:
    """Return every gear card of the box and the custom cards, by id."""
    return MappingProxyType(GEAR | {card.name: card.card for card in custom_cards.gear})


@lru_cache(maxsize=256)
def all_passions(custom_cards: CustomCards) -> Mapping[str, Passion]:
    """Return every passion of the box and the custom cards, by name."""
    return MappingProxyType(PASSIONS | {card.name: card.card for card in custom_cards.passions})


def park_points(custom_cards: CustomCards, names: Iterable[str]) -> int:
    """Return the points of parks."""
    return sum(all_parks(custom_cards)[name].points for name in names)
