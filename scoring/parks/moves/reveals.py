"""Moves that enter public cards at any time: displays, reserves, season tile and passions."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Self

from msgspec.structs import astuple, replace

from scoring.kernel.english import capitalize_first, quote
from scoring.kernel.move import Move, MoveLabel, Phase
from scoring.kernel.rule import Reason, Rule
from scoring.parks import rules as r
from scoring.parks.box import CANTEEN_TEXTS, CANTEENS, SEASON_TILES, SEASONS, Canteen, all_gear, all_parks, all_passions
from scoring.parks.state import NO_CARD, ChooseSide, NameSeasonTile, ParksAction, State
from scoring.parks.text import (
    describe_tile_count,
    game_over_objections,
    gear_title,
    similar_names,
    tile_title,
    unknown_name_reason,
)


class NameCard(Move[State]):
    """Name a card on the table, or replace the wrong name in `instead`.

    Subclasses set the kind of card and its place.
    """

    out_of_turn = True
    noun: ClassVar[str]  # also the field that names it
    state_field: ClassVar[str]  # the state field that holds it
    location_text: ClassVar[str] = "is face-up"
    all_text: ClassVar[str]  # all cards that it can name
    display_rule: ClassVar[Rule] = r.SETUP_DISPLAYS
    log_format: ClassVar[str]  # a whole line, with the card and the name of the player
    names_player = False

    @classmethod
    def _cards(cls, state: State, seat: int) -> tuple[Any, ...]:
        return getattr(state, cls.state_field)

    def _with_cards(self, state: State, seat: int, cards: tuple[Any, ...]) -> State:
        return replace(state, **{self.state_field: cards})

    @classmethod
    def _all_names(cls, state: State) -> Iterable[str]:
        return all_parks(state.facts)

    @classmethod
    def _excluded_names(cls, state: State) -> Iterable[str | None]:
        """Return the names it cannot have: there is only one of each park."""
        return state.named_parks

    @classmethod
    def _title(cls, state: State, card: str) -> str:
        return card

    def _resolve_names(self, state: State) -> tuple[str, Any]:
        """Return the name meant and the name it replaces.

        The name may be typed in small letters, or only in part.
        """
        card, instead = astuple(self)
        if card in self._all_names(state):
            return card, instead
        matches = [name for name in self._all_names(state) if card and card.casefold() in name.casefold()]
        exact = [name for name in matches if name.casefold() == card.casefold()]
        return (exact or matches)[0] if len(exact or matches) == 1 else card, instead

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        card, instead = self._resolve_names(state)
        yield from game_over_objections(state)
        if card not in self._all_names(state):
            yield unknown_name_reason(self.noun, card, self._all_names(state))
        elif instead == NO_CARD or instead not in self._cards(state, seat):
            text = (
                f"{self.all_text} has already been entered. To replace one, choose it first."
                if instead is None
                else f"No {self.noun} called \u201c{instead}\u201d {self.location_text}. Choose one that is there."
            )
            yield Reason("no-such-card", self.display_rule, text)
        elif self.noun == "park" and card in state.named_parks:
            yield Reason(
                "park-once",
                r.PARK_ONCE,
                f"There is only one {card}, and it is already on the table. Enter another park.",
            )

    def suggestions(self, state: State, seat: int) -> Iterable[Self]:
        card, _ = self._resolve_names(state)
        known = self._all_names(state)
        return [replace(self, **{self.noun: name}) for name in similar_names(card, known)] if card not in known else []

    def apply(self, state: State, seat: int) -> State:
        card, instead = self._resolve_names(state)
        cards = list(self._cards(state, seat))
        cards[cards.index(instead)] = card
        return self._with_cards(state, seat, tuple(cards))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator[Any]:
        if not state.is_over and None in cls._cards(state, seat):
            kind: Any = cls
            taken = set(cls._excluded_names(state))
            yield from (kind(card) for card in cls._all_names(state) if card not in taken)

    def label(self, state: State, seat: int) -> MoveLabel:
        title = self._title(state, astuple(self)[0])
        return MoveLabel(f"Enter {title}", icon=self.noun, short=title)

    def log_text(self, state: State, seat: int) -> str:
        card, instead = self._resolve_names(state)
        correction = f" (was: {self._title(state, instead)})" if instead else ""
        return self.log_format.format(f"{self._title(state, card)}{correction}", name=state.players[seat].name)


class NamePark(NameCard, tag="name-park"):
    """Name a face-up park, or replace the wrong name in `instead`."""

    title = "Enter a face-up park"
    resolves = (ParksAction,)
    rules = (r.SETUP_DISPLAYS, r.PARK_ONCE)
    noun, state_field, all_text = "park", "parks", "Every face-up park"
    log_format = "Face-up park: {}"

    park: str
    instead: str | None = None


class NameReserved(NameCard, tag="name-reserved"):
    """Name a park in your reserve, or replace the wrong name in `instead`."""

    title = "Enter a reserved park"
    resolves = (ParksAction,)
    rules = (r.RESERVE, r.PARK_ONCE)
    noun, location_text, display_rule = "park", "is in your reserve", r.RESERVE
    all_text = "Every park in your reserve"
    log_format = "{name}\u2019s reserved park: {}"

    park: str
    instead: str | None = None

    @classmethod
    def _cards(cls, state: State, seat: int) -> tuple[str | None, ...]:
        return state.players[seat].reserve

    def _with_cards(self, state: State, seat: int, cards: tuple[str | None, ...]) -> State:
        return state.with_player(seat, reserve=cards)


class NameGear(NameCard, tag="name-gear"):
    """Name a gear card of the market, or replace the wrong name in `instead`."""

    title = "Enter a Gear Market card"
    resolves = ("buy",)
    rules = (r.SETUP_DISPLAYS, r.GEAR_MARKET)
    noun, state_field, all_text = "gear", "market", "Every card in the Gear Market"
    log_format = "Gear Market: {}"

    gear: str
    instead: str | None = None

    @classmethod
    def _all_names(cls, state: State) -> Iterable[str]:
        return all_gear(state.facts)

    @classmethod
    def _excluded_names(cls, state: State) -> Iterable[str | None]:
        return state.market

    @classmethod
    def _title(cls, state: State, card: str) -> str:
        return gear_title(state.facts, card)


class NameCanteen(NameCard, tag="name-canteen"):
    """Name a face-up canteen, or replace the wrong name in `instead`."""

    title = "Enter a face-up canteen"
    rules = (r.SETUP_DISPLAYS, r.CANTEEN_GAIN)
    noun, state_field, all_text = "canteen", "canteens", "Every face-up canteen"
    log_format = "Face-up canteen: {}"

    canteen: Canteen
    instead: Canteen | None = None

    @classmethod
    def _all_names(cls, state: State) -> Iterable[str]:
        return CANTEENS

    @classmethod
    def _excluded_names(cls, state: State) -> Iterable[str | None]:
        return ()

    @classmethod
    def _title(cls, state: State, card: str) -> str:
        return quote(CANTEEN_TEXTS[card])

    def label(self, state: State, seat: int) -> MoveLabel:
        text = CANTEEN_TEXTS[self.canteen]
        return MoveLabel(f"Enter a canteen ({text})", icon="canteen", short=capitalize_first(text))


class NamePassion(Move[State], tag="name-passion"):
    """Name your passion, or rename it as long as its goal is not met."""

    title = "Enter a passion"
    rules = (r.SETUP_PASSIONS, r.PASSION_GOAL, r.PASSION_SIDE)
    out_of_turn = True
    names_player = False

    passion: str

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from game_over_objections(state)
        player = state.players[seat]
        if self.passion not in all_passions(state.facts):
            yield unknown_name_reason("passion", self.passion, all_passions(state.facts))
        elif player.side or (seat == state.turn and ChooseSide() in state.tasks):
            yield Reason(
                "passion-done",
                r.PASSION_SIDE,
                f"You already completed {player.passion}. Undo that to change your passion.",
            )
        else:
            for owner in state.players:
                if owner.passion == self.passion:
                    text = "You already have" if owner is player else f"{owner.name} has"
                    yield Reason("passion-taken", r.SETUP_PASSIONS, f"{text} {self.passion}. Choose another passion.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, passion=self.passion)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NamePassion"]:
        if not state.is_over and state.players[seat].passion is None:
            yield from map(cls, all_passions(state.facts))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Enter {self.passion}", icon="passion", short=self.passion)

    def log_text(self, state: State, seat: int) -> str:
        return f"{state.players[seat].name}\u2019s passion: {self.passion}"


class NameTile(Move[State], tag="name-tile"):
    """Name the face-up season tile, or correct it."""

    title = "Enter the season tile"
    entered_fact = "the season tile"
    resolves = (NameSeasonTile,)
    phase = Phase.SETUP
    rules = (r.SETUP_SEASON_TILE, r.SEASON_KINDS, r.SEASON_NONE, r.SEASON_BONUS)
    out_of_turn = True
    names_player = False

    tile: str

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        season = SEASONS[state.season]
        if self.tile not in SEASON_TILES:
            yield unknown_name_reason("season tile", self.tile, SEASON_TILES)
        elif SEASON_TILES[self.tile].season != season:
            yield Reason("other-season", r.SETUP_SEASON_TILE, f"This tile is not for {season}. Choose a {season} tile.")
        elif state.tile == self.tile:
            yield Reason("no-change", r.SETUP_SEASON_TILE, "This tile has already been entered.")
        elif state.awards is not None:
            yield Reason(
                "bonus-given",
                r.SEASON_BONUS,
                "Players are already taking the season bonus. Undo that to change the tile.",
            )

    def apply(self, state: State, seat: int) -> State:
        # No one has to name the tile any more.
        tasks = tuple(task for task in state.tasks if not isinstance(task, NameSeasonTile))
        return replace(state, tile=self.tile, tasks=tasks)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NameTile"]:
        if not state.is_over and state.tile is None:
            yield from (cls(id) for id, tile in SEASON_TILES.items() if tile.season == SEASONS[state.season])

    def label(self, state: State, seat: int) -> MoveLabel:
        tile = SEASON_TILES[self.tile]
        text = f"Enter the {tile.season} tile (most {describe_tile_count(state, tile)})"
        return MoveLabel(text, icon="flag", short=tile_title(state, tile))

    def log_text(self, state: State, seat: int) -> str:
        tile = SEASON_TILES[self.tile]
        return f"{tile.season} tile: most {describe_tile_count(state, tile)}"
