"""The moves at the sites, and wherever else the same is done: water into canteens, swaps and trades, photos, the die."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import capital
from scoring.kernel.move import Move, chosen
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import CANTEENS, DIE, KIND, PHOTOS_IN_BOX, TOKENS, Canteen, Face, Token, gains
from scoring.parks.costs import MOST_CANTEENS, could_gain_canteen, tradeable
from scoring.parks.effects import (
    bring,
    done,
    from_tray,
    pay,
    pour,
    put_in_backpack,
    set_off,
    some,
    take,
    then,
    use_passion,
)
from scoring.parks.state import IN_A_ROW, ROWS, TABLE_TASKS, Do, Pour, SecondPhoto, SetOut, State, Swap
from scoring.parks.text import SHORT, TOKEN, row


def _waters(state: State) -> int:
    """Return how many Waters just gained wait for a place."""
    match state.task:
        case Pour(waters):
            return waters
    return 0


class Fill(Move, tag="fill"):
    """Fill a canteen row with one of the Waters just gained, and get what it brings."""

    sign = "canteen"
    answers = (Pour,)
    rules = (
        r.CANTEEN_FILL, r.CANTEEN_BRINGS, r.CANTEEN_ROW_ONCE, r.CANTEEN_LATE, r.CANTEEN_CHAIN, r.WATER_TOGETHER,
        r.WILDLIFE_NO_CANTEEN, r.PASSION_ROLL,
    )  # fmt: skip

    row: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not 0 <= self.row < ROWS:
            yield Reason("no-such-row", r.CANTEEN_ROWS, "Your board has three rows of canteens.")
        elif state.players[seat].filled[self.row]:
            yield Reason("row-filled", r.CANTEEN_ROW_ONCE, f"Water is in {row(self.row)} already this season.")
        elif not state.players[seat].canteens[self.row]:
            yield Reason("row-empty", r.CANTEEN_BRINGS, f"No canteen is in {row(self.row)}.")

    def untimely(self, state: State, seat: int) -> Reason | None:
        if isinstance(state.task, (SetOut, *TABLE_TASKS)):
            return None
        text = "Only Water you have just gained fills a row, not that in your backpack."
        return Reason("not-gained", r.CANTEEN_FILL, text)

    def apply(self, state: State, seat: int) -> State:
        left = _waters(state) - 1
        player = state.players[seat]
        filled = tuple(full or number == self.row for number, full in enumerate(player.filled))
        state = done(state).with_player(seat, filled=filled)
        if state.has_ability("roll at canteen"):
            state = then(use_passion(state), Do("roll"))
        state = bring(state, tuple(gain for canteen in player.canteens[self.row] for gain in gains(canteen)))
        return pour(state, left) if left else state  # first all Water finds its place, then it can pay

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Fill"]:
        return map(cls, range(ROWS))

    def label(self, state: State, seat: int) -> str:
        return f"Fill {row(self.row)}"

    def hint(self, state: State, seat: int) -> str:
        return " and ".join(SHORT[canteen] for canteen in state.players[seat].canteens[self.row])

    def told(self, state: State, seat: int) -> str:
        return f"filled {row(self.row)} of the canteens"


class Stow(Move, tag="stow"):
    """Put the Water just gained into the backpack."""

    sign = "water"
    answers = (Pour,)
    rules = (r.CANTEEN_FILL,)

    def apply(self, state: State, seat: int) -> State:
        return put_in_backpack(done(state), some("water", _waters(state)))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Stow"]:
        yield cls()

    def label(self, state: State, seat: int) -> str:
        return f"{_waters(state)} Water into the backpack"

    def told(self, state: State, seat: int) -> str:
        return "put the Water into the backpack"


class SwapToken(Move, tag="swap-token"):
    """Swap the Forest or Mountain just gained for a Wildlife (Botany, Rock Climbing)."""

    sign = "wildlife"
    answers = (Swap,)
    rules = (r.PASSION_SWAP,)

    def apply(self, state: State, seat: int) -> State:
        match state.task:
            case Swap(token):
                return take(use_passion(pay(done(state), some(token))), some("wildlife"))
        return state

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["SwapToken"]:
        yield cls()

    def label(self, state: State, seat: int) -> str:
        return f"{_swapped(state)} for a Wildlife"

    def told(self, state: State, seat: int) -> str:
        return f"swapped the {_swapped(state)} for a Wildlife"


def _swapped(state: State) -> str:
    match state.task:
        case Swap(token):
            return TOKEN[token]
    return "token"


class TakePhoto(Move, tag="take-photo"):
    """Pay a token for a photo."""

    answers = (SecondPhoto, "photo", "canteen or photo")
    rules = (r.PHOTO_PRICE, r.SECOND_PHOTO, r.PASSION_PHOTOS, r.END_PHOTO_TWICE)

    pay: Token

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.players[seat].tokens[KIND[self.pay]]:
            yield Reason("photo-price", r.PHOTO_PRICE, f"A photo costs one token; you have no {TOKEN[self.pay]}.")
        if not state.photos_left:
            yield Reason("no-photos", r.TOKEN_SUPPLY, "All photos have been taken.")

    def apply(self, state: State, seat: int) -> State:
        again = isinstance(state.task, SecondPhoto)
        state = pay(done(state), some(self.pay))
        photos = 1
        if self.pay == "wildlife" and state.has_ability("two photos"):
            state, photos = use_passion(state), _two(state)
        player = state.players[seat]
        wild = player.wild_photos + (self.pay == "wildlife")
        state = state.with_player(seat, photos=player.photos + photos, wild_photos=wild)
        state = replace(state, second_used=True) if again else then(state, SecondPhoto())
        return set_off(state, "photo")

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakePhoto"]:
        return map(cls, TOKENS)

    def label(self, state: State, seat: int) -> str:
        return f"Photo for a {TOKEN[self.pay]}"

    def hint(self, state: State, seat: int) -> str:
        return "two photos" if self.pay == "wildlife" and state.has_ability("two photos") else ""

    def icon(self, state: State, seat: int) -> str:
        return self.pay

    def told(self, state: State, seat: int) -> str:
        second = "a second photo" if isinstance(state.task, SecondPhoto) else "a photo"
        return f"took {second} for a {TOKEN[self.pay]}"


def _two(state: State) -> int:
    """Return two, or one where only one photo is left."""
    if chosen(state.rulings, r.SUPPLY) == "stand-ins":
        return 2
    return min(2, PHOTOS_IN_BOX - sum(player.photos for player in state.players))


class Trade(Move, tag="trade"):
    """Trade a token for a Wildlife."""

    answers = ("trade",)
    rules = (r.WILDLIFE_SITE, r.WILDLIFE_TRADE)

    give: Token

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.give not in tradeable(state):
            text = "Your table plays it so that a Wildlife is not traded for a Wildlife."
            yield Reason("no-wildlife", r.WILDLIFE_TRADE, text)
        elif not state.players[seat].tokens[KIND[self.give]]:
            yield Reason("nothing-to-give", r.WILDLIFE_SITE, f"You have no {TOKEN[self.give]}.")
        if not any(from_tray(state, some("wildlife"))):
            yield Reason("tray-empty", r.TOKEN_SUPPLY, "No Wildlife is left in the tray.")

    def apply(self, state: State, seat: int) -> State:
        return set_off(take(pay(done(state), some(self.give)), some("wildlife")), "trade")

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Trade"]:
        return map(cls, tradeable(state))

    def label(self, state: State, seat: int) -> str:
        return f"{TOKEN[self.give]} for a Wildlife"

    def icon(self, state: State, seat: int) -> str:
        return self.give

    def told(self, state: State, seat: int) -> str:
        return f"traded a {TOKEN[self.give]} for a Wildlife"


class Roll(Move, tag="roll"):
    """Say what the Trail Die shows, and gain it."""

    answers = ("roll",)
    rules = (r.DIE_SITE, r.DIE_FACES, r.EXTRA_ROLL)

    face: Face

    def apply(self, state: State, seat: int) -> State:
        return set_off(bring(done(state), gains(self.face)), "die")

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Roll"]:
        return map(cls, DIE)

    def label(self, state: State, seat: int) -> str:
        return capital(SHORT[self.face])

    def icon(self, state: State, seat: int) -> str:
        return self.face.removeprefix("2 ")

    def told(self, state: State, seat: int) -> str:
        return f"rolled {SHORT[self.face]}"


class TakeCanteen(Move, tag="take-canteen"):
    """Put a new canteen into a row: an open one, or the top of the stack."""

    sign = "canteen"
    answers = ("canteen", "canteen or photo")
    rules = (r.CANTEEN_GAIN, r.CANTEEN_ROWS, r.CANTEEN_LATE, r.PHOTO_SITE)

    canteen: Canteen
    row: int
    stack: bool = False

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not 0 <= self.row < ROWS:
            yield Reason("no-such-row", r.CANTEEN_ROWS, "Your board has three rows of canteens.")
        elif not could_gain_canteen(state.players[seat]):
            yield Reason(
                "canteens-full", r.CANTEEN_FULL, f"You have {MOST_CANTEENS} canteens; there is no room for more."
            )
        elif len(state.players[seat].canteens[self.row]) >= IN_A_ROW:
            yield Reason("row-full", r.CANTEEN_ROWS, f"Two canteens are in {row(self.row)} already.")
        if not self.stack and self.canteen not in state.canteens and None not in state.canteens:
            yield Reason("not-open", r.CANTEEN_GAIN, "No such canteen lies open; from the stack you might draw one.")

    def apply(self, state: State, seat: int) -> State:
        rows = state.players[seat].canteens
        rows = tuple((*held, self.canteen) if number == self.row else held for number, held in enumerate(rows))
        state = done(state).with_player(seat, canteens=rows)
        if self.stack:
            return state
        lying = list(state.canteens)
        lying[lying.index(self.canteen if self.canteen in lying else None)] = None
        return replace(state, canteens=tuple(lying))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeCanteen"]:
        free = [number for number, held in enumerate(state.players[seat].canteens) if len(held) < IN_A_ROW]
        for number in free:
            for canteen in CANTEENS:
                if canteen in state.canteens or None in state.canteens:
                    yield cls(canteen, number)
                yield cls(canteen, number, stack=True)

    def label(self, state: State, seat: int) -> str:
        return f"{capital(SHORT[self.canteen])}, into {row(self.row)}"

    def hint(self, state: State, seat: int) -> str:
        return "from the stack" if self.stack else ""

    def told(self, state: State, seat: int) -> str:
        where = " from the stack" if self.stack else ""
        return f"put a canteen with {SHORT[self.canteen]}{where} into {row(self.row)}"
