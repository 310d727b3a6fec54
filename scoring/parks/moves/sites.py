"""The moves at sites and for equal actions: Water, swaps, trades, photos, rolls, canteens."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import capitalize_first
from scoring.kernel.move import Move, MoveLabel, chosen_option
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import (
    CANTEEN_BENEFITS,
    CANTEEN_TEXTS,
    CANTEENS,
    DIE,
    GAIN_ICONS,
    GAIN_TEXTS,
    TOKEN_INDEX,
    TOKENS,
    Canteen,
    DieFace,
    Token,
    parse_gains,
)
from scoring.parks.costs import MAX_CANTEENS, can_gain_canteen, tradeable_tokens
from scoring.parks.effects import (
    add_to_backpack,
    apply_gains,
    available_in_tray,
    gain_tokens,
    mark_passion_used,
    pay_tokens,
    pop_task,
    push_task,
    push_water,
    tokens_of_kind,
    trigger_gear,
)
from scoring.parks.state import (
    CANTEEN_ROWS,
    CANTEENS_PER_ROW,
    TABLE_TASKS,
    DoAction,
    PlaceWater,
    SecondPhoto,
    StartHike,
    State,
    SwapGainedToken,
)
from scoring.parks.text import TOKEN_NAMES, row_name, task_source


def _water_count(state: State) -> int:
    """Return the number of Waters just gained and not yet placed."""
    match state.task:
        case PlaceWater(waters):
            return waters
    return 0


class FillCanteenRow(Move[State], tag="fill"):
    """Fill a canteen row with 1 Water just gained, and gain its effect."""

    title = "Fill a canteen row"
    resolves = (PlaceWater,)
    rules = (
        r.CANTEEN_FILL, r.CANTEEN_BRINGS, r.CANTEEN_ROW_ONCE, r.CANTEEN_LATE, r.CANTEEN_CHAIN, r.WATER_TOGETHER,
        r.WILDLIFE_NO_CANTEEN, r.PASSION_ROLL, r.CANTEEN_ROWS,
    )  # fmt: skip

    row: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not 0 <= self.row < CANTEEN_ROWS:
            yield Reason("no-such-row", r.CANTEEN_ROWS, "Your board has three canteen rows. Choose one of them.")
        elif state.players[seat].filled[self.row]:
            yield Reason(
                "row-filled",
                r.CANTEEN_ROW_ONCE,
                f"{capitalize_first(row_name(self.row))} is already filled. Choose another row.",
            )
        elif not state.players[seat].canteens[self.row]:
            yield Reason(
                "row-empty",
                r.CANTEEN_BRINGS,
                f"{capitalize_first(row_name(self.row))} has no canteen. Choose another row.",
            )

    def out_of_phase_reason(self, state: State, seat: int) -> Reason | None:
        if isinstance(state.task, (StartHike, *TABLE_TASKS)):
            return None
        text = "Water from your backpack cannot fill a row. Gain Water first."
        return Reason("not-gained", r.CANTEEN_FILL, text)

    def apply(self, state: State, seat: int) -> State:
        left = _water_count(state) - 1
        player = state.players[seat]
        filled = tuple(full or number == self.row for number, full in enumerate(player.filled))
        state = pop_task(state).with_player(seat, filled=filled)
        if state.has_ability("roll at canteen"):
            state = push_task(mark_passion_used(state), DoAction("roll"))
        state = apply_gains(
            state, tuple(gain for canteen in player.canteens[self.row] for gain in parse_gains(canteen))
        )
        return push_water(state, left) if left else state  # All Water is placed before it can pay.

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["FillCanteenRow"]:
        return map(cls, range(CANTEEN_ROWS))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Fill {row_name(self.row)}",
            hint=capitalize_first(
                ", ".join(CANTEEN_BENEFITS[canteen] for canteen in state.players[seat].canteens[self.row])
            ),
            icon="canteen",
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"filled {row_name(self.row)} of canteens"

    def news_text(self, state: State, seat: int) -> str:
        return "filled canteens"


class StowWater(Move[State], tag="stow"):
    """Put the Water just gained into the backpack."""

    title = "Put Water in your backpack"
    resolves = (PlaceWater,)
    rules = (r.CANTEEN_FILL,)

    def apply(self, state: State, seat: int) -> State:
        return add_to_backpack(pop_task(state), tokens_of_kind("water", _water_count(state)))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Put {_water_count(state)} Water in your backpack", icon="water")

    def log_text(self, state: State, seat: int) -> str:
        return f"put {_water_count(state)} Water in their backpack"

    def news_text(self, state: State, seat: int) -> str:
        return ""


class SwapToken(Move[State], tag="swap-token"):
    """Swap the Forest or Mountain just gained for a Wildlife (Botany, Rock Climbing)."""

    title = "Swap a Resource"
    resolves = (SwapGainedToken,)
    rules = (r.PASSION_SWAP,)

    def apply(self, state: State, seat: int) -> State:
        match state.task:
            case SwapGainedToken(token):
                return gain_tokens(
                    mark_passion_used(pay_tokens(pop_task(state), tokens_of_kind(token))), tokens_of_kind("wildlife")
                )
        return state

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Swap {_swapped_token_name(state)} for Wildlife", icon="wildlife")

    def log_text(self, state: State, seat: int) -> str:
        return f"swapped 1 {_swapped_token_name(state)} for 1 Wildlife ({state.players[seat].passion} passion)"

    def news_text(self, state: State, seat: int) -> str:
        return f"+1 Wildlife, \u22121 {_swapped_token_name(state)}"


def _swapped_token_name(state: State) -> str:
    match state.task:
        case SwapGainedToken(token):
            return TOKEN_NAMES[token]
    return "Resource"


class TakePhoto(Move[State], tag="take-photo"):
    """Pay 1 Resource for a photo."""

    title = "Take a photo"
    resolves = (SecondPhoto, "photo", "canteen or photo")
    rules = (r.PHOTO_PRICE, r.SECOND_PHOTO, r.PASSION_PHOTOS, r.END_PHOTO_TWICE, r.TOKEN_SUPPLY)

    pay: Token

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.players[seat].tokens[TOKEN_INDEX[self.pay]]:
            yield Reason(
                "photo-price",
                r.PHOTO_PRICE,
                f"You have no {TOKEN_NAMES[self.pay]}. Pay for the photo with another Resource.",
            )
        if not state.has_photos_left:
            yield Reason("no-photos", r.TOKEN_SUPPLY, "No photos are left. Skip the photo.")

    def apply(self, state: State, seat: int) -> State:
        is_second = isinstance(state.task, SecondPhoto)
        state = pay_tokens(pop_task(state), tokens_of_kind(self.pay))
        photos = 1
        if self.pay == "wildlife" and state.has_ability("two photos"):
            is_limited = chosen_option(state.rulings, r.SUPPLY) == "limited"
            state, photos = mark_passion_used(state), min(2, state.photos_left) if is_limited else 2
        player = state.players[seat]
        wild = player.wild_photos + (self.pay == "wildlife")
        state = state.with_player(seat, photos=player.photos + photos, wild_photos=wild)
        state = replace(state, is_second_photo_used=True) if is_second else push_task(state, SecondPhoto())
        return trigger_gear(state, "photo")

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakePhoto"]:
        return map(cls, TOKENS)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Take a photo for 1 {TOKEN_NAMES[self.pay]}",
            hint="+2 photos" if self.pay == "wildlife" and state.has_ability("two photos") else "",
            icon=self.pay,
        )

    def log_text(self, state: State, seat: int) -> str:
        second = "a second photo" if isinstance(state.task, SecondPhoto) else "a photo"
        return f"took {second} for 1 {TOKEN_NAMES[self.pay]}{task_source(state)}"

    def news_text(self, state: State, seat: int) -> str:
        return f"+1 photo, \u22121 {TOKEN_NAMES[self.pay]}"


class Trade(Move[State], tag="trade"):
    """Trade 1 Resource for 1 Wildlife."""

    title = "Trade"
    resolves = ("trade",)
    rules = (r.WILDLIFE_SITE, r.WILDLIFE_TRADE, r.TOKEN_SUPPLY)

    give: Token

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.give not in tradeable_tokens(state):
            text = "You cannot trade Wildlife for Wildlife. Trade another Resource."
            yield Reason("no-wildlife", r.WILDLIFE_TRADE, text)
        elif not state.players[seat].tokens[TOKEN_INDEX[self.give]]:
            yield Reason(
                "nothing-to-give", r.WILDLIFE_SITE, f"You have no {TOKEN_NAMES[self.give]}. Trade another Resource."
            )
        if not any(available_in_tray(state, tokens_of_kind("wildlife"))):
            yield Reason("tray-empty", r.TOKEN_SUPPLY, "No Wildlife is left in the tray. Skip the trade.")

    def apply(self, state: State, seat: int) -> State:
        return trigger_gear(
            gain_tokens(pay_tokens(pop_task(state), tokens_of_kind(self.give)), tokens_of_kind("wildlife")), "trade"
        )

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Trade"]:
        return map(cls, tradeable_tokens(state))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Trade 1 {TOKEN_NAMES[self.give]} for 1 Wildlife", icon=self.give)

    def log_text(self, state: State, seat: int) -> str:
        return f"traded 1 {TOKEN_NAMES[self.give]} for 1 Wildlife"

    def news_text(self, state: State, seat: int) -> str:
        return f"+1 Wildlife, \u22121 {TOKEN_NAMES[self.give]}"


class Roll(Move[State], tag="roll"):
    """Enter the face of the Trail Die, and gain it."""

    title = "Roll the die"
    resolves = ("roll",)
    rules = (r.DIE_SITE, r.DIE_FACES, r.EXTRA_ROLL)

    face: DieFace

    def apply(self, state: State, seat: int) -> State:
        return trigger_gear(apply_gains(pop_task(state), parse_gains(self.face)), "die")

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Roll"]:
        return map(cls, DIE)

    def label(self, state: State, seat: int) -> MoveLabel:
        text = GAIN_TEXTS[self.face]
        return MoveLabel(f"Roll {text}", icon=GAIN_ICONS.get(self.face, self.face), short=capitalize_first(text))

    def log_text(self, state: State, seat: int) -> str:
        return f"rolled {GAIN_TEXTS[self.face]}{task_source(state)}"

    def news_text(self, state: State, seat: int) -> str:
        return f"rolled {GAIN_TEXTS[self.face]}"


class TakeCanteen(Move[State], tag="take-canteen"):
    """Put a new canteen into a row: a face-up one, or the top of the stack."""

    title = "Gain a canteen"
    resolves = ("canteen", "canteen or photo")
    rules = (r.CANTEEN_GAIN, r.CANTEEN_ROWS, r.CANTEEN_LATE, r.PHOTO_SITE, r.CANTEEN_FULL)

    canteen: Canteen
    row: int
    stack: bool = False

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not 0 <= self.row < CANTEEN_ROWS:
            yield Reason("no-such-row", r.CANTEEN_ROWS, "Your board has three canteen rows. Choose one of them.")
        elif not can_gain_canteen(state.players[seat]):
            yield Reason(
                "canteens-full",
                r.CANTEEN_FULL,
                f"You have {MAX_CANTEENS} canteens and no room for more. Skip the canteen.",
            )
        elif len(state.players[seat].canteens[self.row]) >= CANTEENS_PER_ROW:
            yield Reason(
                "row-full",
                r.CANTEEN_ROWS,
                f"{capitalize_first(row_name(self.row))} already has two canteens. Choose another row.",
            )
        if not self.stack and self.canteen not in state.canteens and None not in state.canteens:
            yield Reason(
                "not-open", r.CANTEEN_GAIN, "This canteen is not face-up. Take one that is, or the top of the stack."
            )

    def apply(self, state: State, seat: int) -> State:
        rows = state.players[seat].canteens
        rows = tuple((*held, self.canteen) if number == self.row else held for number, held in enumerate(rows))
        state = pop_task(state).with_player(seat, canteens=rows)
        if self.stack:
            return state
        display = list(state.canteens)
        display[display.index(self.canteen if self.canteen in display else None)] = None
        return replace(state, canteens=tuple(display))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeCanteen"]:
        free = [number for number, held in enumerate(state.players[seat].canteens) if len(held) < CANTEENS_PER_ROW]
        for number in free:
            for canteen in CANTEENS:
                if canteen in state.canteens or None in state.canteens:
                    yield cls(canteen, number)
                yield cls(canteen, number, stack=True)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Add {self._description}", icon="canteen")

    def log_text(self, state: State, seat: int) -> str:
        return f"added {self._description}{task_source(state)}"

    def news_text(self, state: State, seat: int) -> str:
        return f"+1 canteen ({CANTEEN_TEXTS[self.canteen]})"

    @property
    def _description(self) -> str:
        """Return a text such as "a canteen (2 Sun) from the stack to the top row"."""
        source = " from the stack" if self.stack else ""
        return f"a canteen ({CANTEEN_TEXTS[self.canteen]}){source} to {row_name(self.row)}"
