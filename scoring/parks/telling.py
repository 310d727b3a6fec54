"""What people tell the app of PARKS at any time: cards they see, the season's tile, their passion, cards of their own."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import (
    CANTEENS,
    SEASON_TILES,
    SEASONS,
    Ability,
    Canteen,
    Count,
    Effect,
    EndCount,
    HomeGear,
    HomeMade,
    HomePark,
    HomePassion,
    Instant,
    When,
    all_gear,
    all_parks,
    all_passions,
)
from scoring.parks.buying import no_such, no_such_gear, no_such_park
from scoring.parks.homemade import check
from scoring.parks.state import GONE, AskTile, ChooseSide, Parks, State
from scoring.parks.words import SHORT, gear_title


def game_over(state: State) -> Iterator[Reason]:
    """Yield why there is nothing more to tell, once the game is over."""
    if state.over:
        yield Reason("game-over", r.SEASONS, "The game is over.")


def not_lying(noun: str, instead: str | None) -> Reason:
    which = "without a name" if instead is None else f"called \u201c{instead}\u201d"
    return Reason("no-such-card", r.SETUP_DISPLAYS, f"No {noun} {which} lies open.")


def named_elsewhere(state: State, park: str) -> Reason:
    return Reason("park-once", r.PARK_ONCE, f"There is only one {park}, and it has been named already.")


class NamePark(Move):
    """Name an open park; `instead` mends a wrong name."""

    answers = (Parks,)
    rules = (r.SETUP_DISPLAYS, r.PARK_ONCE)
    anytime = True

    park: str
    instead: str | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from game_over(state)
        if self.park not in all_parks(state.facts):
            yield no_such_park(state, self.park)
        elif self.instead == GONE or self.instead not in state.parks:
            yield not_lying("park", self.instead)
        elif self.park in state.named_parks:
            yield named_elsewhere(state, self.park)

    def apply(self, state: State, seat: int) -> State:
        lying = list(state.parks)
        lying[lying.index(self.instead)] = self.park
        return replace(state, parks=tuple(lying))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NamePark"]:
        if not state.over and None in state.parks:
            named = state.named_parks
            yield from (cls(park) for park in all_parks(state.facts) if park not in named)

    def label(self, state: State, seat: int) -> str:
        return self.park

    def icon(self, state: State, seat: int) -> str:
        return "park"

    def told(self, state: State, seat: int) -> str:
        return f"sees {self.park}{f', not {self.instead}' if self.instead else ''} among the open parks"


class NameReserved(Move):
    """Name a park in your reserve; `instead` mends a wrong name."""

    answers = (Parks,)
    rules = (r.RESERVE, r.PARK_ONCE)
    anytime = True

    park: str
    instead: str | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from game_over(state)
        if self.park not in all_parks(state.facts):
            yield no_such_park(state, self.park)
        elif self.instead not in state.players[seat].reserve:
            which = "without a name" if self.instead is None else f"called \u201c{self.instead}\u201d"
            yield Reason("no-such-card", r.RESERVE, f"No park {which} is in your reserve.")
        elif self.park in state.named_parks:
            yield named_elsewhere(state, self.park)

    def apply(self, state: State, seat: int) -> State:
        reserve = list(state.players[seat].reserve)
        reserve[reserve.index(self.instead)] = self.park
        return state.with_player(seat, reserve=tuple(reserve))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NameReserved"]:
        if not state.over and None in state.players[seat].reserve:
            named = state.named_parks
            yield from (cls(park) for park in all_parks(state.facts) if park not in named)

    def label(self, state: State, seat: int) -> str:
        return self.park

    def icon(self, state: State, seat: int) -> str:
        return "park"

    def told(self, state: State, seat: int) -> str:
        return f"has {self.park}{f', not {self.instead},' if self.instead else ''} in the reserve"


class NameGear(Move):
    """Name a gear card of the market; `instead` mends a wrong name."""

    answers = ("buy",)
    rules = (r.SETUP_DISPLAYS, r.GEAR_MARKET)
    anytime = True

    gear: str
    instead: str | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from game_over(state)
        if self.gear not in all_gear(state.facts):
            yield no_such_gear(state, self.gear)
        elif self.instead not in state.market:
            yield not_lying("gear", self.instead)

    def apply(self, state: State, seat: int) -> State:
        lying = list(state.market)
        lying[lying.index(self.instead)] = self.gear
        return replace(state, market=tuple(lying))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NameGear"]:
        if not state.over and None in state.market:
            yield from (cls(gear) for gear in all_gear(state.facts) if gear not in state.market)

    def label(self, state: State, seat: int) -> str:
        return gear_title(state.facts, self.gear)

    def icon(self, state: State, seat: int) -> str:
        return "gear"

    def told(self, state: State, seat: int) -> str:
        instead = f", not {gear_title(state.facts, self.instead)}," if self.instead else ""
        return f"sees {gear_title(state.facts, self.gear)}{instead} in the gear market"


class NameCanteen(Move):
    """Name an open canteen; `instead` mends a wrong name."""

    rules = (r.SETUP_DISPLAYS, r.CANTEEN_GAIN)
    anytime = True

    canteen: Canteen
    instead: Canteen | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from game_over(state)
        if self.instead not in state.canteens:
            yield not_lying("canteen", self.instead)

    def apply(self, state: State, seat: int) -> State:
        lying = list(state.canteens)
        lying[lying.index(self.instead)] = self.canteen
        return replace(state, canteens=tuple(lying))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NameCanteen"]:
        if not state.over and None in state.canteens:
            yield from map(cls, CANTEENS)

    def label(self, state: State, seat: int) -> str:
        words = SHORT[self.canteen]
        return f"{words[0].upper()}{words[1:]}"

    def icon(self, state: State, seat: int) -> str:
        return "canteen"

    def told(self, state: State, seat: int) -> str:
        instead = f", not {SHORT[self.instead]}," if self.instead else ""
        return f"sees a canteen with {SHORT[self.canteen]}{instead} lying open"


class NamePassion(Move):
    """Name your passion; until its goal is met a wrong name can be mended."""

    rules = (r.SETUP_PASSIONS, r.PASSION_GOAL)
    anytime = True

    passion: str

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from game_over(state)
        player = state.players[seat]
        if self.passion not in all_passions(state.facts):
            yield no_such("passion", self.passion, all_passions(state.facts))
        elif player.side or (seat == state.turn and ChooseSide() in state.tasks):
            yield Reason("passion-done", r.PASSION_SIDE, f"You have completed {player.passion}.")
        else:
            for other in state.players:
                if other.passion == self.passion:
                    whose = "yours already" if other is player else f"with {other.name}"
                    yield Reason("passion-taken", r.SETUP_PASSIONS, f"{self.passion} is {whose}.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, passion=self.passion)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NamePassion"]:
        if not state.over and state.players[seat].passion is None:
            yield from map(cls, all_passions(state.facts))

    def label(self, state: State, seat: int) -> str:
        return self.passion

    def icon(self, state: State, seat: int) -> str:
        return "passion"

    def told(self, state: State, seat: int) -> str:
        return f"has the passion {self.passion}"


class NameTile(Move):
    """Say which season tile lies open, or mend it."""

    answers = (AskTile,)
    rules = (r.SETUP_SEASON_TILE, r.SEASON_KINDS)
    anytime = True

    tile: str

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        season = SEASONS[state.season]
        if self.tile not in SEASON_TILES:
            yield no_such("season tile", self.tile, SEASON_TILES)
        elif SEASON_TILES[self.tile].season != season:
            yield Reason("other-season", r.SETUP_SEASON_TILE, f"This is {season}; that tile is not of this season.")
        elif state.tile == self.tile:
            yield Reason("no-change", r.SETUP_SEASON_TILE, "The app has it so already.")
        elif state.awards is not None:
            yield Reason("bonus-given", r.SEASON_BONUS, "The season\u2019s bonus is being given already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(state, tile=self.tile)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NameTile"]:
        if not state.over and state.tile is None:
            yield from (cls(id) for id, tile in SEASON_TILES.items() if tile.season == SEASONS[state.season])

    def label(self, state: State, seat: int) -> str:
        return SEASON_TILES[self.tile].title

    def icon(self, state: State, seat: int) -> str:
        return "flag"

    def told(self, state: State, seat: int) -> str:
        return f"sees the season tile \u201c{SEASON_TILES[self.tile].title}\u201d"


class AddCard(Move):
    """Add a card of your own to the box. A subclass says which kind, with the card's fields as its own."""

    rules = (r.HOME_MADE,)
    anytime: ClassVar[bool] = True
    consent: ClassVar[bool] = True
    group: ClassVar[str]  # of HomeMade
    card: ClassVar[type[Struct]]

    def _with(self, home: HomeMade) -> HomeMade:
        card = self.card(**{name: getattr(self, name) for name in self.__struct_fields__})
        return replace(home, **{self.group: (*getattr(home, self.group), card)})

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from game_over(state)
        yield from check(self._with(state.facts))

    def apply(self, state: State, seat: int) -> State:
        return replace(state, facts=self._with(state.facts))

    def label(self, state: State, seat: int) -> str:
        return f"Add {self.name}"

    def icon(self, state: State, seat: int) -> str:
        return "plus"

    def told(self, state: State, seat: int) -> str:
        return f"added {self.name} to the box"


class AddPark(AddCard):
    """Add a park of your own to the box."""

    group = "parks"
    card = HomePark

    name: str
    points: int = 0
    forest: int = 0
    mountain: int = 0
    sun: int = 0
    water: int = 0
    wildlife: int = 0
    instant: Instant = ""


class AddGear(AddCard):
    """Add a gear card of your own to the box."""

    group = "gear"
    card = HomeGear

    name: str
    cost: int = 1
    when: When = "sun"
    effect: Effect = "2 sun"


class AddPassion(AddCard):
    """Add a passion of your own to the box."""

    group = "passions"
    card = HomePassion

    name: str
    goal: Count = "parks sun"
    number: int = 2
    gear: Ability = "sun less"
    end: EndCount = "parks sun"
    each: int = 1
