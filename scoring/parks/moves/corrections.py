"""Corrections of PARKS, custom cards and house rules, which need the table's consent."""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, Literal

from msgspec.structs import replace

from scoring.kernel import move
from scoring.kernel.box_facts import make_use_box_facts_move
from scoring.kernel.edit_position import make_edit_position_move
from scoring.kernel.english import pluralize
from scoring.kernel.move import Move, make_adopt_move
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import (
    MAX_HELD,
    SITES,
    TOKENS,
    TRAILHEAD,
    Ability,
    Canteen,
    CustomCards,
    CustomGear,
    CustomPark,
    CustomPassion,
    Effect,
    EndCount,
    GoalCount,
    Instant,
    Side,
    Site,
    Trigger,
    all_gear,
    all_parks,
    all_passions,
    make_tokens,
)
from scoring.parks.custom_cards import CARD_FACTS_FORMAT, check_custom_cards
from scoring.parks.editable import POSITION_FORMAT, full_position
from scoring.parks.effects import add_tokens, subtract_tokens, tokens_of_kind
from scoring.parks.position import end_space_occupancy, position_errors
from scoring.parks.state import CANTEEN_ROWS, NO_CARD, SITE_COUNT, TRAIL_END_SPACES, State, Weather
from scoring.parks.text import (
    GAIN_TEXTS,
    TOKEN_NAMES,
    game_over_objections,
    gear_title,
    row_name,
    space_name,
    unknown_gear_reason,
    unknown_name_reason,
    unknown_park_reason,
)

NOBODY = -1


class Correction(move.Correction[State]):
    """A correction; after the end of the game only scoring facts can be corrected."""

    rules = (r.COMPONENTS,)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.is_over and not self.scores():
            yield from game_over_objections(state)
        else:
            yield from super().objections(state, seat)

    def scores(self) -> bool:
        """Return whether this changes only what scores at the end."""
        return False

    def position_errors(self, state: State) -> Iterator[Reason]:
        return position_errors(state)


def no_player(state: State, number: int) -> Iterator[Reason]:
    if not 0 <= number < len(state.players):
        yield Reason("no-such-player", r.PLAYERS, "There is no such player at this table.")


class CorrectPlayer(Correction, tag="correct-player"):
    """Correct a player's tokens, photos and campfire; only the fields given change."""

    rules = (r.COMPONENTS, r.TOKEN_SUPPLY)

    player: int
    forest: int | None = None
    mountain: int | None = None
    sun: int | None = None
    water: int | None = None
    wildlife: int | None = None
    photos: int | None = None
    campfire: bool | None = None
    bought: int | None = None  # gear paid for and photos paid with a Wildlife, which two passions count
    wild_photos: int | None = None

    def scores(self) -> bool:
        return self.campfire is None and self._given() == [None] * len(TOKENS)

    def _given(self) -> list[int | None]:
        return [self.forest, self.mountain, self.sun, self.water, self.wildlife]

    def change_errors(self, state: State) -> Iterator[Reason]:
        yield from no_player(state, self.player)
        for number, words in zip((*self._given(), self.photos), (*TOKEN_NAMES.values(), "photos"), strict=True):
            if number is not None and not 0 <= number <= MAX_HELD:
                yield Reason("box-counts", r.TOKEN_SUPPLY, f"Nobody can have {number} {words}.")
        for number in (self.bought, self.wild_photos):
            if number is not None and not 0 <= number <= MAX_HELD:
                yield Reason("counted", r.PASSION_GOAL, f"Nobody can have done that {number} times.")

    def apply(self, state: State, seat: int) -> State:
        old = state.players[self.player]
        held = make_tokens(have if new is None else new for have, new in zip(old.tokens, self._given(), strict=True))
        state = replace(state, tray=subtract_tokens(add_tokens(state.tray, old.tokens), held))
        return state.with_player(
            self.player,
            tokens=held,
            photos=old.photos if self.photos is None else self.photos,
            campfire=old.campfire if self.campfire is None else self.campfire,
            bought=old.bought if self.bought is None else self.bought,
            wild_photos=old.wild_photos if self.wild_photos is None else self.wild_photos,
        )

    def describe_change(self, state: State) -> str:
        parts = [
            f"{number} {TOKEN_NAMES[token]}"
            for number, token in zip(self._given(), TOKENS, strict=True)
            if number is not None
        ]
        if self.photos is not None:
            parts.append(pluralize(self.photos, "photo"))
        if self.campfire is not None:
            parts.append(f"campfire {'burning' if self.campfire else 'out'}")
        if self.bought is not None:
            parts.append(f"{pluralize(self.bought, 'gear card')} bought")
        if self.wild_photos is not None:
            parts.append(f"{pluralize(self.wild_photos, 'photo')} paid with a Wildlife")
        return f"{state.players[self.player].name}: {', '.join(parts) or 'nothing'}"


class CorrectHiker(Correction, tag="correct-hiker"):
    """Move a hiker from one space to another."""

    rules = (r.COMPONENTS, r.HIKERS)

    player: int
    start: int
    to: int

    def change_errors(self, state: State) -> Iterator[Reason]:
        if reasons := list(no_player(state, self.player)):
            yield from reasons
        elif self.start not in state.players[self.player].hikers:
            yield Reason("no-hiker", r.HIKERS, f"No hiker of {state.players[self.player].name} stands there.")
        elif not TRAILHEAD <= self.to <= TRAIL_END_SPACES[-1]:
            yield Reason("no-such-space", r.END_CHOICE, "The Trail has nine sites, and three spaces at its end.")

    def apply(self, state: State, seat: int) -> State:
        hikers = list(state.players[self.player].hikers)
        hikers[hikers.index(self.start)] = self.to
        left = state.with_player(self.player, hikers=tuple(sorted(hikers)))
        stood, stand = end_space_occupancy(state), end_space_occupancy(left)
        # A space of Trail End is used if a hiker is there. If only this hiker has used it, it becomes unused.
        used = (stand[end] or (was and not stood[end]) for end, was in enumerate(state.end_spaces_used))
        parks, photo, gear = used
        return replace(left, end_spaces_used=(parks, photo, gear))

    def describe_change(self, state: State) -> str:
        name = state.players[self.player].name
        return f"a hiker of {name} at {space_name(state, self.to)}, not at {space_name(state, self.start)}"


class CorrectPark(Correction, tag="correct-park"):
    """Add a park to a player's visited parks or reserve, or remove it from both."""

    rules = (r.COMPONENTS, r.PARK_ONCE, r.RESERVE_OWN)

    player: int
    park: str
    where: Literal["visited", "reserve", "nowhere"]

    def scores(self) -> bool:
        return self.where != "reserve"

    def change_errors(self, state: State) -> Iterator[Reason]:
        yield from no_player(state, self.player)
        if self.park not in all_parks(state.facts):
            yield unknown_park_reason(state.facts, self.park)

    def apply(self, state: State, seat: int) -> State:
        player = state.players[self.player]
        visited = tuple(park for park in player.visited if park != self.park)
        reserve = tuple(park for park in player.reserve if park != self.park)
        if self.where == "visited":
            visited = player.visited if self.park in player.visited else (*visited, self.park)
        elif self.where == "reserve":
            reserve = player.reserve if self.park in player.reserve else (*reserve, self.park)
        else:
            return state.with_player(self.player, visited=visited, reserve=reserve)
        state = state.with_player(self.player, visited=visited, reserve=reserve)
        parks = tuple(NO_CARD if park == self.park else park for park in state.parks)
        return replace(state, parks=parks)

    def describe_change(self, state: State) -> str:
        where = {"visited": "visited by", "reserve": "in the reserve of", "nowhere": "not with"}[self.where]
        return f"{self.park} {where} {state.players[self.player].name}"


class CorrectGear(Correction, tag="correct-gear"):
    """Add a gear card to a player, or remove it."""

    rules = (r.COMPONENTS, r.GEAR_READY)

    player: int
    gear: str
    has: bool

    def scores(self) -> bool:
        return True

    def change_errors(self, state: State) -> Iterator[Reason]:
        yield from no_player(state, self.player)
        if self.gear not in all_gear(state.facts):
            yield unknown_gear_reason(state.facts, self.gear)
        elif (
            0 <= self.player < len(state.players) and not self.has and self.gear not in state.players[self.player].gear
        ):
            yield Reason("not-theirs", r.GEAR_READY, f"That card is not with {state.players[self.player].name}.")

    def apply(self, state: State, seat: int) -> State:
        gear = list(state.players[self.player].gear)
        gear.append(self.gear) if self.has else gear.remove(self.gear)
        state = state.with_player(self.player, gear=tuple(gear))
        if self.player == state.turn:  # A missing card cannot have been used either.
            state = replace(state, used_gear=tuple((Counter(state.used_gear) & Counter(gear)).elements()))
        return state

    def describe_change(self, state: State) -> str:
        has = "has" if self.has else "does not have"
        return f"{state.players[self.player].name} {has} {gear_title(state.facts, self.gear)}"


class CorrectCanteens(Correction, tag="correct-canteens"):
    """Correct a player's canteen row: its canteens, and whether it holds Water."""

    rules = (r.COMPONENTS, r.CANTEEN_ROWS, r.CANTEEN_ROW_ONCE)

    player: int
    row: int
    first: Canteen | None = None
    second: Canteen | None = None
    water: bool = False

    def change_errors(self, state: State) -> Iterator[Reason]:
        yield from no_player(state, self.player)
        if not 0 <= self.row < CANTEEN_ROWS:
            yield Reason("no-such-row", r.CANTEEN_ROWS, "A board has three rows of canteens.")

    def apply(self, state: State, seat: int) -> State:
        old = state.players[self.player]
        held = tuple(canteen for canteen in (self.first, self.second) if canteen)
        canteens = tuple(held if number == self.row else row for number, row in enumerate(old.canteens))
        filled = tuple(self.water if number == self.row else full for number, full in enumerate(old.filled))
        tray = subtract_tokens(state.tray, tokens_of_kind("water", sum(filled) - sum(old.filled)))
        return replace(state, tray=tray).with_player(self.player, canteens=canteens, filled=filled)

    def describe_change(self, state: State) -> str:
        held = " and ".join(GAIN_TEXTS[canteen] for canteen in (self.first, self.second) if canteen) or "no canteen"
        return (
            f"{row_name(self.row)} of {state.players[self.player].name}: {held}, "
            f"{'with' if self.water else 'without'} Water"
        )


class CorrectPassion(Correction, tag="correct-passion"):
    """Correct a player's passion and its side, which is None until its goal is met."""

    rules = (r.COMPONENTS, r.PASSION_SIDE)

    player: int
    passion: str
    side: Side | None = None

    def scores(self) -> bool:
        return True

    def change_errors(self, state: State) -> Iterator[Reason]:
        yield from no_player(state, self.player)
        if self.passion not in all_passions(state.facts):
            yield unknown_name_reason("passion", self.passion, all_passions(state.facts))

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, passion=self.passion, side=self.side)

    def describe_change(self, state: State) -> str:
        side = f" on its {self.side} side" if self.side else ", its goal not met"
        return f"{state.players[self.player].name} with {self.passion}{side}"


class CorrectTable(Correction, tag="correct-table"):
    """Correct the badge, the First Hiker token, the Shutterbug or the used spaces of Trail End.

    A badge of -1 gives it to no one.
    """

    rules = (r.COMPONENTS, r.SHUTTERBUG_BADGE, r.END_FIRST_PARKS)

    badge: int | None = None
    first_hiker: int | None = None
    shutterbug: Site | None = None
    parks_used: bool | None = None  # spaces of Trail End, this season
    photo_used: bool | None = None
    gear_used: bool | None = None

    def scores(self) -> bool:
        return self.badge is None and self.shutterbug is None and self._used() == [None] * len(TRAIL_END_SPACES)

    def _used(self) -> list[bool | None]:
        return [self.parks_used, self.photo_used, self.gear_used]

    def change_errors(self, state: State) -> Iterator[Reason]:
        if self.badge is not None and self.badge != NOBODY:
            yield from no_player(state, self.badge)
        if self.first_hiker is not None:
            yield from no_player(state, self.first_hiker)
        if self.shutterbug is not None and not state.shutterbug:
            yield Reason("no-shutterbug", r.SHUTTERBUG_FACES, "The die has not sent the Shutterbug to a site yet.")

    def apply(self, state: State, seat: int) -> State:
        badge = state.badge if self.badge is None else None if self.badge == NOBODY else self.badge
        first = state.first_hiker if self.first_hiker is None else self.first_hiker
        parks, photo, gear = (
            was if now is None else now for was, now in zip(state.end_spaces_used, self._used(), strict=True)
        )
        shutterbug = self.shutterbug or state.shutterbug
        return replace(
            state, badge=badge, first_hiker=first, shutterbug=shutterbug, end_spaces_used=(parks, photo, gear)
        )

    def describe_change(self, state: State) -> str:
        parts = []
        if self.badge is not None:
            holder = "nobody" if self.badge == NOBODY else state.players[self.badge].name
            parts.append(f"the Shutterbug Badge with {holder}")
        if self.first_hiker is not None:
            parts.append(f"the First Hiker token with {state.players[self.first_hiker].name}")
        if self.shutterbug:
            parts.append(f"the Shutterbug under the {SITES[self.shutterbug].title} site")
        for space, used in zip(TRAIL_END_SPACES, self._used(), strict=True):
            if used is not None:
                parts.append(f"{space_name(state, space)} {'used' if used else 'not used'} this season")
        return ", ".join(parts) or "nothing"


class CorrectWeather(Correction, tag="correct-weather"):
    """Correct the weather token on a site."""

    rules = (r.COMPONENTS, r.WEATHER_TAKEN)

    space: int
    weather: Weather = ""

    def change_errors(self, state: State) -> Iterator[Reason]:
        if not 1 <= self.space <= SITE_COUNT:
            yield Reason("no-such-space", r.SETUP_WEATHER, "The Trail has nine sites.")

    def apply(self, state: State, seat: int) -> State:
        tray = state.tray
        if old := state.weather[self.space - 1]:
            tray = add_tokens(tray, tokens_of_kind(old))
        if self.weather:
            tray = subtract_tokens(tray, tokens_of_kind(self.weather))
        weather = tuple(self.weather if space == self.space else token for space, token in enumerate(state.weather, 1))
        return replace(state, tray=tray, weather=weather)

    def describe_change(self, state: State) -> str:
        token = f"a {TOKEN_NAMES[self.weather]}" if self.weather else "no weather"
        return f"{token} on {space_name(state, self.space)}"


class SwapTiles(Correction, tag="swap-tiles"):
    """Swap two tiles of the Trail."""

    rules = (r.COMPONENTS, r.SETUP_TILES)

    first: Site
    second: Site

    def change_errors(self, state: State) -> Iterator[Reason]:
        if self.first not in state.sites or self.second not in state.sites:
            yield Reason("not-laid", r.SETUP_TILES, "That tile does not lie on the Trail yet.")

    def apply(self, state: State, seat: int) -> State:
        change: dict[Site | None, Site] = {self.first: self.second, self.second: self.first}
        return replace(state, sites=tuple(change.get(site, site) for site in state.sites))

    def describe_change(self, state: State) -> str:
        return f"the {SITES[self.first].title} and {SITES[self.second].title} sites change places"


def _drop_foreign_used_gear(state: State) -> State:
    """Return the state without used gear that the current player does not have."""
    gone = Counter(state.used_gear) - Counter(state.player.gear)
    return replace(state, used_gear=tuple((Counter(state.used_gear) - gone).elements())) if gone else state


def _edit_errors(state: State) -> Iterator[Reason]:
    yield from position_errors(state)
    if len(set(state.awards or ())) < len(state.awards or ()):
        yield Reason("no-award", r.SEASON_BONUS, "A player is given a season\u2019s bonus once.")


EditPosition = make_edit_position_move(
    dataclasses.replace(POSITION_FORMAT, to_position=full_position),
    (r.COMPONENTS,),
    drop_impossible_notes=_drop_foreign_used_gear,
    position_errors=_edit_errors,
)


class AddCard(Move[State]):
    """Add a custom card to the box; subclasses set its kind and have its fields."""

    default_icon = "plus"
    rules = (r.HOME_MADE,)
    out_of_turn: ClassVar[bool] = True
    needs_consent: ClassVar[bool] = True
    group: ClassVar[str]  # the field of CustomCards
    card_type: ClassVar[type[CustomPark | CustomGear | CustomPassion]]

    @property
    def _custom_card(self) -> CustomPark | CustomGear | CustomPassion:
        return self.card_type(**{name: getattr(self, name) for name in self.__struct_fields__})

    def _with_card(self, custom_cards: CustomCards) -> CustomCards:
        return replace(custom_cards, **{self.group: (*getattr(custom_cards, self.group), self._custom_card)})

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from game_over_objections(state)
        yield from check_custom_cards(self._with_card(state.facts))

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=self._with_card(state.facts))

    def label(self, state: State, seat: int) -> str:
        return f"Add {self._custom_card.name}"

    def log_text(self, state: State, seat: int) -> str:
        return f"added {self._custom_card.name} to the box"


class AddPark(AddCard, tag="add-park"):
    """Add a custom park to the box."""

    group = "parks"
    card_type = CustomPark

    name: str
    points: int = 0
    forest: int = 0
    mountain: int = 0
    sun: int = 0
    water: int = 0
    wildlife: int = 0
    instant: Instant = ""


class AddGear(AddCard, tag="add-gear"):
    """Add a custom gear card to the box."""

    group = "gear"
    card_type = CustomGear

    name: str
    cost: int = 1
    when: Trigger = "sun"
    effect: Effect = "2 sun"


class AddPassion(AddCard, tag="add-passion"):
    """Add a custom passion to the box."""

    group = "passions"
    card_type = CustomPassion

    name: str
    goal: GoalCount = "parks sun"
    number: int = 2
    gear: Ability = "sun less"
    end: EndCount = "parks sun"
    each: int = 1


class Adopt(make_adopt_move(r.RULINGS), tag="adopt"):
    """Adopt a ruling; where supplies become limited, stand-ins already on the table may stay."""

    def apply(self, state: State, seat: int) -> State:
        state = super().apply(state, seat)
        return replace(state, has_stand_ins=state.is_over_box_supply)


UseCardFacts = make_use_box_facts_move(CARD_FACTS_FORMAT, r.HOME_MADE)
