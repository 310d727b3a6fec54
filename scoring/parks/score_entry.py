"""Score entry for an untracked game of PARKS: each player enters their final components."""

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec.structs import astuple, replace

from scoring.kernel.english import pluralize
from scoring.kernel.move import Move, MoveLabel, make_adopt_move
from scoring.kernel.rule import Reason
from scoring.kernel.score_entry import ScoreEntryPlayer, ScoreEntrySetup, ScoreEntryState, make_done_moves, to_move
from scoring.parks import rules as r
from scoring.parks.box import (
    GEAR_NAMES,
    MAX_TOTAL_PHOTOS,
    SIDE_TEXTS,
    CustomCards,
    Side,
    Token,
    all_parks,
    all_passions,
)
from scoring.parks.final_position import FALL_TILE_TOKENS
from scoring.parks.moves.corrections import AddGear, AddPark, AddPassion, UseCardFacts
from scoring.parks.points import FinalCustomGear, FinalPlayer, FinalPosition, final_parks, final_passion
from scoring.parks.text import TOKEN_NAMES, unknown_name_reason, unknown_park_reason


class EntryPlayer(ScoreEntryPlayer, frozen=True):
    """The entries of one player so far."""

    parks: tuple[str, ...] = ()
    photos: int = 0
    gear: tuple[str, ...] = ()
    passion: str | None = None
    side: Side | None = None


class EntryState(ScoreEntryState, frozen=True):
    """The entries so far of a game that was not tracked."""

    players: tuple[EntryPlayer, ...]
    first_hiker: int | None = None
    fall: str | None = None
    facts: CustomCards = CustomCards()
    rulings: dict[str, str] = {}

    @property
    def is_over(self) -> bool:
        return not to_move(self)


class EntrySetup(ScoreEntrySetup, frozen=True):
    """The players, rulings and custom cards of a score entry."""

    facts: CustomCards = CustomCards()


def start(setup: EntrySetup) -> EntryState:
    return EntryState(tuple(EntryPlayer(name) for name in setup.players), facts=setup.facts, rulings=setup.rulings)


def final_position(state: EntryState) -> FinalPosition:
    return FinalPosition(
        tuple(_final_player(state, seat) for seat in range(len(state.players))), state.fall, state.rulings
    )


def _final_player(state: EntryState, seat: int) -> FinalPlayer:
    player = state.players[seat]
    return FinalPlayer(
        name=player.name,
        parks=final_parks(state.facts, player.parks),
        photos=player.photos,
        gear=tuple(gear if gear in GEAR_NAMES else FinalCustomGear(gear) for gear in player.gear),
        first_hiker=state.first_hiker == seat,
        passion=final_passion(all_passions(state.facts)[player.passion] if player.passion else None, player.side),
    )


class CountPark(Move[EntryState], tag="count-park"):
    """Add one of your visited parks to the sheet."""

    title = "Add a visited park"
    rules = (r.SCORE_PARKS, r.PARK_ONCE)

    park: str

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if self.park not in all_parks(state.facts):
            yield unknown_park_reason(state.facts, self.park)
        for number, player in enumerate(state.players):
            if self.park in player.parks:
                name = "You" if number == seat else player.name
                text = f"{name} already entered {self.park}. There is only one card for each park."
                yield Reason("visited", r.PARK_ONCE, text)

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, parks=(*state.players[seat].parks, self.park))

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["CountPark"]:
        return map(cls, all_parks(state.facts))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(self.park, icon="park")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"added the park {self.park}"


class RemoveCard(Move[EntryState]):
    """Remove a card from the sheet; subclasses set the kind of card."""

    field_name: ClassVar[str]  # the player's field that holds it
    noun: ClassVar[str]

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        (card,) = astuple(self)
        if card not in getattr(state.players[seat], self.field_name):
            yield Reason(
                "not-yours", self.rules[0], f"\u201c{card}\u201d is not among your {self.noun}. Remove a card that is."
            )

    def apply(self, state: EntryState, seat: int) -> EntryState:
        cards = list(getattr(state.players[seat], self.field_name))
        cards.remove(*astuple(self))
        return state.with_player(seat, **{self.field_name: tuple(cards)})

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator[Any]:
        kind: Any = cls
        return map(kind, dict.fromkeys(getattr(state.players[seat], cls.field_name)))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"Remove {astuple(self)[0]}", icon="minus")


class RemovePark(RemoveCard, tag="remove-park"):
    """Remove one of your visited parks from the sheet."""

    title = "Remove a park"
    rules = (r.SCORE_PARKS,)
    field_name = noun = "parks"

    park: str

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"removed the park {self.park}"


class RemoveGear(RemoveCard, tag="remove-gear"):
    """Remove one of your gear cards from the sheet; some passions count them."""

    title = "Remove a gear card"
    rules = (r.SCORE_PASSION,)
    field_name, noun = "gear", "gear cards"

    gear: str

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"removed the gear card {self.gear}"


class CountPhotos(Move[EntryState], tag="count-photos"):
    """Enter your number of photos."""

    title = "Enter photos"
    rules = (r.SCORE_PHOTOS,)

    photos: int

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        other_photos = sum(player.photos for player in state.players) - state.players[seat].photos
        if not 0 <= self.photos <= MAX_TOTAL_PHOTOS - other_photos:
            yield Reason(
                "photo-count",
                r.SCORE_PHOTOS,
                "That makes too many photos in total. Enter fewer.",
            )
        elif self.photos == state.players[seat].photos:
            yield Reason("no-change", r.SCORE_PHOTOS, "This has already been entered.")

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, photos=self.photos)

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["CountPhotos"]:
        return map(cls, range(MAX_TOTAL_PHOTOS + 1))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(pluralize(self.photos, "photo"), icon="photo")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"has {pluralize(self.photos, 'photo')}"


def gear_names(state: EntryState) -> tuple[str, ...]:
    return (*GEAR_NAMES, *(card.name for card in state.facts.gear))


class CountGear(Move[EntryState], tag="count-gear"):
    """Add one of your gear cards to the sheet; some passions count them."""

    title = "Add a gear card"
    rules = (r.SCORE_PASSION,)

    gear: str

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if self.gear not in gear_names(state):
            yield unknown_name_reason("gear", self.gear, gear_names(state))

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, gear=(*state.players[seat].gear, self.gear))

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["CountGear"]:
        return map(cls, gear_names(state))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(self.gear, icon="gear")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"added the gear card {self.gear}"


class CountPassion(Move[EntryState], tag="count-passion"):
    """Enter the passion you completed, and its side."""

    title = "Enter a passion"
    rules = (r.SCORE_PASSION, r.PASSION_SIDE, r.SETUP_PASSIONS)

    passion: str
    side: Side

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if self.passion not in all_passions(state.facts):
            yield unknown_name_reason("passion", self.passion, all_passions(state.facts))
        for number, player in enumerate(state.players):
            if player.passion == self.passion and (number != seat or player.side == self.side):
                text = "You already have" if number == seat else f"{player.name} has"
                yield Reason("passion-taken", r.SETUP_PASSIONS, f"{text} {self.passion}. Choose another passion.")

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, passion=self.passion, side=self.side)

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["CountPassion"]:
        for passion in all_passions(state.facts):
            yield cls(passion, "end")
            yield cls(passion, "gear")

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(self.passion, hint=SIDE_TEXTS[self.side], icon="passion")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"completed {self.passion} and chose its {SIDE_TEXTS[self.side]}"


class NoPassion(Move[EntryState], tag="no-passion"):
    """Enter that your passion was not completed."""

    title = "No passion"
    fixed_label = MoveLabel("I did not complete my passion", icon="minus")
    fixed_log_text = "did not complete a passion"
    rules = (r.SCORE_PASSION,)

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if state.players[seat].passion is None:
            yield Reason("no-change", r.SCORE_PASSION, "You have not entered a passion.")

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, passion=None, side=None)


class HaveFirstHiker(Move[EntryState], tag="have-first-hiker"):
    """Enter whether you have the First Hiker token."""

    title = "Enter the First Hiker token"
    rules = (r.FIRST_HIKER_POINT,)

    has: bool

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if self.has == (state.first_hiker == seat):
            yield Reason("no-change", r.FIRST_HIKER_POINT, "This has already been entered.")

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return replace(state, first_hiker=seat if self.has else None)

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["HaveFirstHiker"]:
        yield cls(state.first_hiker != seat)

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(
            "I have the First Hiker token" if self.has else "I don\u2019t have the First Hiker token", icon="hiker"
        )

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"{'has' if self.has else 'does not have'} the First Hiker token"


class CountFall(Move[EntryState], tag="count-fall"):
    """Enter the token that the Fall tile counts."""

    title = "Enter the Fall tile"
    rules = (r.FALL_BONUS,)
    names_player = False

    fall: Token

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if self.fall not in FALL_TILE_TOKENS:
            yield Reason(
                "no-such-tile", r.FALL_BONUS, "No Fall tile counts Wildlife. Choose Forest, Mountain, Sun or Water."
            )
        elif self.fall == state.fall:
            yield Reason("no-change", r.FALL_BONUS, "This has already been entered.")

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return replace(state, fall=self.fall)

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["CountFall"]:
        return map(cls, FALL_TILE_TOKENS)

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"Fall: most {TOKEN_NAMES[self.fall]} on visited parks", icon=self.fall)

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"Fall tile: most {TOKEN_NAMES[self.fall]} on visited parks"


Done, Reopen = make_done_moves(r.WINNER)


Adopt = make_adopt_move(r.RULINGS)


MOVES = (
    CountPark, RemovePark, CountPhotos, CountGear, RemoveGear, CountPassion, NoPassion, HaveFirstHiker, CountFall, Done,
    Reopen, AddPark, AddGear, AddPassion, Adopt, UseCardFacts,
)  # fmt: skip
