"""The editable fields of PARKS: shown where two tables differ, and corrected with consent."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from scoring.kernel.editable import Choice, EditableField, Number, OneOf, SomeOf, choices, ruling_fields, seat_domain
from scoring.kernel.english import join_words
from scoring.kernel.move import chosen_option
from scoring.kernel.position import PositionFormat
from scoring.parks import rules as r
from scoring.parks.box import (
    CANTEEN_TEXTS,
    CANTEENS,
    END_SPACES,
    GAIN_TEXTS,
    MAX_HELD,
    SEASON_COUNT_TEXTS,
    SEASON_TILES,
    SEASONS,
    SIDE_TEXTS,
    SIGNED_GAIN_TEXTS,
    SITES,
    TOKENS,
    TRAILHEAD,
    CustomCards,
    Site,
    add_sign,
    all_gear,
    all_parks,
    all_passions,
)
from scoring.parks.position import (
    END_NAMES,
    END_SPACES_BY_NAME,
    NO_SEAT,
    NOT_NAMED,
    TAKEN,
    TRAILHEAD_NAME,
    CardPlaceholder,
    PendingTask,
    Position,
    TaskName,
    from_position,
    position_errors,
    to_position,
)
from scoring.parks.state import CANTEENS_PER_ROW, ActionKind, Extra, State
from scoring.parks.text import TOKEN_NAMES, gear_title, row_name

# Domains that are the same at every table. Texts have no article where several of a kind are possible.

GAIN_NOUNS = {gain: text.removeprefix("a ") for gain, text in GAIN_TEXTS.items()}
COUNT_DOMAIN = Number(maximum=MAX_HELD)
CAMPFIRE_DOMAIN = OneOf((Choice("burning", "lit", True), Choice("out", "out", False)))
CANTEEN_ROW_DOMAIN = SomeOf(
    tuple(
        Choice(face, f"\u201c{CANTEEN_TEXTS[face]}\u201d", max_count=min(copies, CANTEENS_PER_ROW))
        for face, copies in CANTEENS.items()
    )
)
ROW_WATER_DOMAIN = OneOf((Choice("full", "filled", True), Choice("empty", "not filled", False)))
PASSION_SIDE_DOMAIN = OneOf(
    (Choice("none", "not chosen", None), *(Choice(side, text) for side, text in SIDE_TEXTS.items()))
)
SITE_DOMAIN = OneOf(tuple(Choice(id, f"the {site.title} site") for id, site in SITES.items()))
UNLAID_SITE_DOMAIN = OneOf((Choice("not laid", "not entered"), *SITE_DOMAIN.choices))
WEATHER_DOMAIN = OneOf(choices({"sun": "Sun", "water": "Water", "none": "no token"}))
SHUTTERBUG_DOMAIN = OneOf(tuple(Choice(id, f"under the {site.title} site") for id, site in SITES.items() if site.face))
UNPLACED_SHUTTERBUG_DOMAIN = OneOf((Choice("not placed", "not entered"), *SHUTTERBUG_DOMAIN.choices))
USED_END_SPACES_DOMAIN = SomeOf(tuple(Choice(name, end.title) for name, end in zip(END_NAMES, END_SPACES, strict=True)))
SEASON_DOMAIN = OneOf(choices(SEASONS))
SEASON_TILE_DOMAIN = OneOf(
    (Choice("not named", "not entered", None), *(Choice(id, tile.title) for id, tile in SEASON_TILES.items()))
)
USED_DOMAIN = OneOf((Choice("used", "used", True), Choice("not used", "not used yet", False)))
GAME_OVER_DOMAIN = OneOf((Choice("over", "over", True), Choice("on", "not over", False)))

TASK_TEXTS: dict[TaskName | ActionKind, str] = {
    "hike": "hike",
    "parks": "Parks action",
    "more parks": "visit another park",
    "canteen": "gain a canteen",
    "photo": "take a photo",
    "canteen or photo": "canteen or photo",
    "second photo": "second photo",
    "trade": "trade for Wildlife",
    "roll": "roll the die",
    "reserve": "reserve a park",
    "buy": "buy gear",
    "name the gear drawn": "enter the drawn gear card",
}
# These tasks follow from another fact, so they cannot be added.
FOLLOW_UP_TEXTS: dict[TaskName | ActionKind, str] = {
    "choose a side": "choose the benefit of the passion",
    "put tokens back": "return Resources",
    "name the tile": "enter the season tile",
    "lay the trail": "enter the Trail Site tiles",
    "place the shutterbug": "roll for the Shutterbug token",
}
TASK_CHOICES = tuple(Choice(do, f"\u201c{text}\u201d", {"do": do}) for do, text in TASK_TEXTS.items())
EXTRA_TEXTS: dict[str, str] = {
    **{gain: add_sign(text) for gain, text in GAIN_NOUNS.items()},
    **{gain: SIGNED_GAIN_TEXTS[gain] for gain in ("canteen", "roll")},
    "reserve": TASK_TEXTS["reserve"],
    "buy": TASK_TEXTS["buy"],
    "canteen or photo": TASK_TEXTS["canteen or photo"],
    "free photo": "free photo",
    "gear": "top gear card",
    "relight": "relight the campfire",
    "2 sun, relight": "+2 Sun, relight the campfire",
}


class CardDomains(NamedTuple):
    """The domains that depend on the cards of a box."""

    open_park: OneOf
    reserve: SomeOf
    visited: SomeOf
    market: OneOf
    gear: SomeOf
    passion: OneOf


@lru_cache(maxsize=256)
def _card_domains(facts: CustomCards) -> CardDomains:
    parks, passions = choices(tuple(all_parks(facts))), choices(tuple(all_passions(facts)))
    gear = choices({id: card.title for id, card in all_gear(facts).items()})
    unnamed = _placeholder_choice(NOT_NAMED, parks)
    return CardDomains(
        open_park=OneOf((unnamed, _placeholder_choice(TAKEN, parks), *parks)),
        reserve=SomeOf((replace(unnamed, label="a park not entered yet", max_count=len(parks)), *parks)),
        visited=SomeOf(parks),
        market=OneOf((_placeholder_choice(NOT_NAMED, gear), *gear)),
        gear=SomeOf(gear),
        passion=OneOf((replace(_placeholder_choice(NOT_NAMED, passions), data=None), *passions)),
    )


PLACEHOLDER_TEXTS = {"not named": "not entered", "gone": "no card"}


def _placeholder_choice(placeholder: CardPlaceholder, choices: Iterable[Choice]) -> Choice:
    """Return the choice for a place without a card name.

    Its key differs from the name of every card: an owner may have a card called "gone".
    """
    key, names = placeholder.card, {choice.key for choice in choices}
    while key in names:
        key += "."
    return Choice(key, PLACEHOLDER_TEXTS[placeholder.card], msgspec.to_builtins(placeholder))


OPEN_CANTEEN_DOMAIN = OneOf(
    (
        _placeholder_choice(NOT_NAMED, CANTEEN_ROW_DOMAIN.choices),
        *(Choice(face, f"\u201c{CANTEEN_TEXTS[face]}\u201d") for face in CANTEENS),
    )
)


@lru_cache(maxsize=256)
def _space_domain(sites: tuple[Site | None, ...]) -> OneOf:
    """Return the domain of a hiker's space."""
    laid = (
        Choice(_site_number_text(number), f"the {SITES[site].title} site" if site else _site_number_text(number))
        for number, site in enumerate(sites, 1)
    )
    ends = (
        Choice(name, f"the {end.title} space at Trail\u2019s End")
        for name, end in zip(END_SPACES_BY_NAME, END_SPACES, strict=True)
    )
    return OneOf((Choice(TRAILHEAD_NAME, "the Trailhead"), *laid, *ends))


def _site_number_text(number: int) -> str:
    return f"site {number}"


def full_position(state: State) -> Position:
    """Return the position of a table with every editable value spelled out.

    Weather is listed site by site. Hikers are on sites by number, so that they stay there when a tile is corrected.
    """
    table = to_position(state)
    names = {TRAILHEAD: TRAILHEAD_NAME, **{space: name for name, space in END_SPACES_BY_NAME.items()}}
    players = []
    for player_position, player in zip(table.players, state.players, strict=True):
        behind, ahead = (names.get(space, _site_number_text(space)) for space in player.hikers)
        players.append(replace(player_position, hikers=(behind, ahead)))
    return replace(table, players=tuple(players), weather=tuple(token or "none" for token in state.weather))


def editable_fields(state: State) -> Iterator[EditableField]:
    """Yield the editable fields of a table, all of them public."""
    table, cards = full_position(state), _card_domains(state.facts)
    yield from _player_fields(table, cards, _space_domain(state.sites))
    yield from _trail_fields(table)
    yield from _display_fields(table, cards)
    yield from _season_fields(table, seat_domain(state))
    yield from _turn_fields(state, table)
    yield from _fixed_fields(state)


_COMMON_TABLE_FIELDS = ("season", "tile", "badge", "first_hiker", "turn")  # the others are as usual between two turns


def _field(path: str, seat: int | None, label: str, value: Any, domain: Number | OneOf, **more: Any) -> EditableField:
    """Return the field for a value of the position."""
    match domain:
        case SomeOf():
            value = tuple(_choice_key(domain, item) for item in value)
        case OneOf():
            value = _choice_key(domain, value)
    more.setdefault("is_rare", seat is None and path not in _COMMON_TABLE_FIELDS)
    return EditableField(path, seat, label, value, domain, **more)


def _choice_key(domain: OneOf, value: Any) -> str:
    if isinstance(value, str):
        return value
    plain = msgspec.to_builtins(value)
    return next(choice.key for choice in domain.choices if choice.value == plain)


_COUNTER_FIELDS = (
    *((token, TOKEN_NAMES[token], COUNT_DOMAIN) for token in TOKENS),
    ("photos", "photos", COUNT_DOMAIN),
    ("campfire", "campfire", CAMPFIRE_DOMAIN),
)
_ROW_FIELDS = tuple(
    field
    for number, name in enumerate(("top", "middle", "bottom"))
    for field in (
        (f"{name}.canteens", f"canteens in {row_name(number)}", CANTEEN_ROW_DOMAIN),
        (f"{name}.water", row_name(number).removeprefix("the "), ROW_WATER_DOMAIN),
    )
)


# What is as usual in most positions between two turns.
_RARE_PLAYER_FIELDS = (
    "campfire", "side", "passion", "reserve", "bought", "wild_photos",
    "top.water", "middle.canteens", "middle.water", "bottom.canteens", "bottom.water",
)  # fmt: skip
# A player's cards, which another player could have.
_CARD_FIELDS = ("canteens", "visited", "reserve", "gear", "passion")


def _player_fields(table: Position, cards: CardDomains, spaces: OneOf) -> Iterator[EditableField]:
    card_fields = (
        ("visited", "visited parks", cards.visited),
        ("reserve", "reserve", cards.reserve),
        ("gear", "gear", cards.gear),
        ("passion", "passion", cards.passion),
        ("side", "benefit of the passion", PASSION_SIDE_DOMAIN),
        ("bought", "gear cards bought", COUNT_DOMAIN),
        ("wild_photos", "photos paid for with Wildlife", COUNT_DOMAIN),
    )
    for seat, player in enumerate(table.players):
        path = f"players.{seat}"
        for name, label, domain in _COUNTER_FIELDS:
            # The name of a Resource has no plural.
            singular = "photo" if name == "photos" else label if name in TOKENS else ""
            rare = name in _RARE_PLAYER_FIELDS
            value = getattr(player, name)
            yield _field(f"{path}.{name}", seat, label, value, domain, singular=singular, is_rare=rare)
        for hiker, label in enumerate(("rear hiker", "front hiker")):
            # Where a hiker stands, others need a campfire.
            place = player.hikers[hiker]
            yield _field(f"{path}.hikers.{hiker}", seat, label, place, spaces, is_rare=True, affects_others=True)
        for name, label, domain in (*_ROW_FIELDS, *card_fields):
            is_card, is_rare = name.endswith(_CARD_FIELDS), name in _RARE_PLAYER_FIELDS
            value = attrgetter(name)(player)
            yield _field(f"{path}.{name}", seat, label, value, domain, is_rare=is_rare, affects_others=is_card)


def _trail_fields(table: Position) -> Iterator[EditableField]:
    """Yield the fields of the Trail; a missing tile or Shutterbug is entered by a move instead."""
    for number, site in enumerate(table.sites):
        is_unset = site == "not laid"
        domain = UNLAID_SITE_DOMAIN if is_unset else SITE_DOMAIN
        yield _field(f"sites.{number}", None, _site_number_text(number + 1), site, domain, is_read_only=is_unset)
    for number, token in enumerate(table.weather):
        yield _field(f"weather.{number}", None, f"weather on {_site_number_text(number + 1)}", token, WEATHER_DOMAIN)
    is_unset = table.shutterbug == "not placed"
    domain = UNPLACED_SHUTTERBUG_DOMAIN if is_unset else SHUTTERBUG_DOMAIN
    yield _field("shutterbug", None, "Shutterbug token", table.shutterbug, domain, is_read_only=is_unset)
    yield _field(
        "end_used", None, "bonuses taken at Trail\u2019s End (first there)", table.end_used, USED_END_SPACES_DOMAIN
    )


def _display_fields(table: Position, cards: CardDomains) -> Iterator[EditableField]:
    for field_name, label, domain in (
        ("parks", "face-up park", cards.open_park),
        ("market", "Gear Market card", cards.market),
        ("canteens", "face-up canteen", OPEN_CANTEEN_DOMAIN),
    ):
        for number, card in enumerate(getattr(table, field_name)):
            yield _field(f"{field_name}.{number}", None, f"{label} {number + 1}", card, domain)


def _season_fields(table: Position, seats: OneOf) -> Iterator[EditableField]:
    badge_domain = OneOf((Choice("nobody", "no one", None), *seats.choices))
    yield _field("season", None, "season", table.season, SEASON_DOMAIN, side_effects=(("tile", None),))
    is_name_pending = any(step.do == "name the tile" for step in table.to_do)
    # While its name is pending, a move enters it.
    yield _field("tile", None, "season tile", table.tile, SEASON_TILE_DOMAIN, is_read_only=is_name_pending)
    yield _field("badge", None, "Shutterbug Badge", table.badge, badge_domain)
    first_hiker_domain = seats
    if table.first_hiker == NO_SEAT or chosen_option(table.rulings, r.SPRING_TOKEN) == "no-one":
        first_hiker_domain = OneOf((Choice("nobody", "no one yet", NO_SEAT), *seats.choices))
    yield _field("first_hiker", None, "First Hiker token", table.first_hiker, first_hiker_domain)
    if table.counted:
        tile = SEASON_TILES[table.counted.tile]
        label = f"{SEASON_COUNT_TEXTS[tile.most]} counted for the {tile.season} bonus"
        for number, counted in enumerate(table.counted.numbers):
            path = f"counted.numbers.{number}"
            yield _field(path, number, label, counted, COUNT_DOMAIN, is_read_only=True, affects_others=True)
    if table.awards:  # the first one gets it now
        label, waiting = "players yet to get the season bonus", table.awards[1:]
        yield _field("awards", None, label, waiting, SomeOf(seats.choices), absent_text="none")


_TURN_START_SIDE_EFFECTS = (("set_off", ()), ("used", ()), ("second_used", False), ("passion_used", False))


def _turn_fields(state: State, table: Position) -> Iterator[EditableField]:
    laying = tuple(step for step in table.to_do if step.do in ("lay the trail", "place the shutterbug"))
    start_side_effects = (("to_do", msgspec.to_builtins((*laying, PendingTask("hike")))), *_TURN_START_SIDE_EFFECTS)
    turn_side_effects = () if table.over else start_side_effects
    yield _field("turn", None, "turn", table.turn, seat_domain(state), side_effects=turn_side_effects)
    steps = tuple(Choice(_task_key(step), _task_text(state, step), msgspec.to_builtins(step)) for step in table.to_do)
    yield _choices_field("to_do", "next steps", steps, TASK_CHOICES, is_read_only=table.over)
    waiting = tuple(_triggered_choice(state, extra) for extra in table.set_off)
    possible = tuple(_triggered_choice(state, Extra(all_gear(state.facts)[id].effect, id)) for id in state.player.gear)
    yield _choices_field("set_off", "gear benefits to come", waiting, possible)
    gear = choices({id: gear_title(state.facts, id) for id in state.player.gear})
    yield _field("used", None, "gear used this turn", table.used, SomeOf(gear))
    yield _field("second_used", None, "second photo this turn", table.second_used, USED_DOMAIN)
    yield _field("passion_used", None, "Gear Effect this turn", table.passion_used, USED_DOMAIN)
    over_side_effects = (("to_do", ({"do": "hike"},)),) if table.over else (("to_do", ()), ("set_off", ()))
    yield _field("over", None, "game", table.over, GAME_OVER_DOMAIN, side_effects=over_side_effects)


def _choices_field(
    path: str, label: str, present: tuple[Choice, ...], known: tuple[Choice, ...], *, is_read_only: bool = False
) -> EditableField:
    """Return a field that has some choices now, and may have known ones too."""
    domain = SomeOf(tuple({choice.key: choice for choice in (*known, *present)}.values()))
    keys = tuple(choice.key for choice in present)
    return EditableField(path, None, label, keys, domain, is_read_only=is_read_only, is_rare=True)


def _task_key(step: PendingTask) -> str:
    """Return the name of a task; a task with parameters becomes JSON."""
    return step.do if step == PendingTask(step.do) else msgspec.json.encode(step).decode()


def _task_text(state: State, step: PendingTask) -> str:
    match step:
        case PendingTask("pour", waters):
            return _quote(f"place {waters} Water")
        case PendingTask("swap", _, str(token)):
            return _quote(f"swap a {TOKEN_NAMES[token]}")
        case PendingTask("gain later", _, str(token)):
            return _quote(f"gain 1 {TOKEN_NAMES[token]} later")
        case PendingTask("choose", of=extras):
            options = [f"{EXTRA_TEXTS[extra.what]}{_source_text(state, extra.gear)}" for extra in extras]
            return _quote(f"choose {join_words(options, 'or')}")
    return f"{_quote((TASK_TEXTS | FOLLOW_UP_TEXTS)[step.do])}{_source_text(state, step.gear)}"


def _source_text(state: State, gear: str) -> str:
    """Return the gear card of a benefit, to follow it: " from Journal (Sun site)", or ""."""
    return f" from {gear_title(state.facts, gear)}" if gear else ""


def _quote(text: str) -> str:
    return f"\u201c{text}\u201d"


def _triggered_choice(state: State, extra: Extra) -> Choice:
    return Choice(
        extra.gear, f"{_quote(EXTRA_TEXTS[extra.what])}{_source_text(state, extra.gear)}", msgspec.to_builtins(extra)
    )


def _fixed_fields(state: State) -> Iterator[EditableField]:
    """Yield the read-only fields of custom cards, which moves add, and those of the rulings."""
    for group in ("parks", "gear", "passions"):
        if names := tuple(card.name for card in getattr(state.facts, group)):
            yield EditableField(
                f"facts.{group}", None, f"custom {group}", names, SomeOf(choices(names)), is_read_only=True
            )
    yield from ruling_fields(r.RULINGS, state)


POSITION_FORMAT = PositionFormat(
    type=Position,
    to_position=to_position,
    from_position=from_position,
    position_errors=position_errors,
    editable_fields=editable_fields,
)
