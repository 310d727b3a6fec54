"""The moves that take cards: reserve a park, visit parks, buy gear, name the gear drawn."""

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec.structs import replace

from scoring.kernel.english import join_words, pluralize
from scoring.kernel.move import Move, MoveLabel, chosen_option
from scoring.kernel.rule import Reason, Rule
from scoring.parks import rules as r
from scoring.parks.box import (
    GAIN_TEXTS,
    NON_WILD_TOKENS,
    TOKENS,
    WILDLIFE_INDEX,
    Gear,
    Park,
    Tokens,
    all_gear,
    all_parks,
    parse_gains,
)
from scoring.parks.costs import (
    MAX_RESERVED,
    TOP_GEAR_PRICE,
    Substitution,
    available_parks,
    can_gain_canteen,
    discounted_token,
    has_unnamed_parks,
    is_gear_free,
    park_price,
    payment,
    substitutions,
)
from scoring.parks.effects import (
    add_tokens,
    apply_gains,
    mark_passion_used,
    pay_tokens,
    pop_task,
    push_task,
    tokens_of_kind,
    trigger_gear,
)
from scoring.parks.moves.reveals import NameCard, NameGear, NamePark, NameReserved
from scoring.parks.state import (
    NO_CARD,
    TABLE_TASKS,
    ChooseExtra,
    DoAction,
    Extra,
    NameDrawnGear,
    ParksAction,
    StartHike,
    State,
)
from scoring.parks.text import (
    TOKEN_NAMES,
    describe_task,
    describe_tokens,
    gear_title,
    task_source,
    unknown_gear_reason,
    unknown_park_reason,
)
from scoring.parks.turn import is_last_on_trail


class TakeCard(Move[State]):
    """Take a card and name it if no one has; subclasses give the naming move."""

    @property
    def naming_move(self) -> NameCard | None:
        raise NotImplementedError

    def naming_objections(self, state: State, seat: int) -> list[Reason]:
        """Return the reasons against the card's name."""
        return list(self.naming_move.objections(state, seat)) if self.naming_move else []

    def apply_naming(self, state: State, seat: int) -> State:
        """Return the state with the taken card named."""
        return self.naming_move.apply(state, seat) if self.naming_move else state


class Reserve(TakeCard, tag="reserve"):
    """Take a face-up park, or the top one of the deck, into your reserve."""

    title = "Reserve a park"
    resolves = (ParksAction, "reserve")
    rules = (r.RESERVE, r.RESERVE_OWN, r.RESERVE_LIMIT, r.ONE_OR_OTHER, r.PARKS_REFILL, r.PARK_ONCE)

    park: str | None = None  # None for an unnamed face-up one, or the top of the deck
    deck: bool = False
    unnamed: bool = False  # whether it is face-up and was not named before

    @property
    def naming_move(self) -> NamePark | None:
        return NamePark(self.park or "") if self.unnamed else None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.task == ParksAction(has_visited=True):
            yield Reason(
                "visiting",
                r.ONE_OR_OTHER,
                "You already visited a park, so you cannot reserve one. Visit another, or finish.",
            )
        full = len(state.players[seat].reserve) >= MAX_RESERVED
        if full and chosen_option(state.rulings, r.RESERVED_PARKS) == "three":
            yield Reason(
                "reserve-full",
                r.RESERVE_LIMIT,
                f"Your reserve already has {MAX_RESERVED} parks. Visit one of them first.",
            )
        if self.deck:
            if self.park is not None or self.unnamed:
                yield Reason("deck-unseen", r.RESERVE, "Draw the top park first, then enter its name.")
            if not state.park_deck:
                yield Reason("deck-empty", r.PARK_ONCE, "The deck is empty. Reserve a face-up park.")
        elif self.unnamed:
            yield from self.naming_objections(state, seat)
        elif self.park == NO_CARD or self.park not in state.parks:
            yield _not_open_reason(state, self.park)

    def apply(self, state: State, seat: int) -> State:
        state = pop_task(self.apply_naming(state, seat))
        state = state.with_player(seat, reserve=(*state.players[seat].reserve, self.park))
        return trigger_gear(state if self.deck else remove_open_park(state, self.park), "reserve")

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Reserve"]:
        for card in dict.fromkeys(state.parks):
            if card != NO_CARD:
                yield cls(card)
        yield cls(deck=True)
        if None in state.parks:
            yield from (cls(card, unnamed=True) for card in state.unnamed_parks)

    def label(self, state: State, seat: int) -> MoveLabel:
        open_text = f"Reserve {self.park}" if self.park else "Reserve a face-up park not entered yet"
        short = "Top of the deck" if self.deck else self.park or "A face-up park, name later"
        return MoveLabel("Reserve the top park" if self.deck else open_text, icon="park", short=short)

    def log_text(self, state: State, seat: int) -> str:
        park = self.park or ("the top park of the deck" if self.deck else "a face-up park")
        return f"reserved {park}{task_source(state)}"

    def news_text(self, state: State, seat: int) -> str:
        return f"reserved {self.park or ('the top park' if self.deck else 'a park')}"


def _not_open_reason(state: State, park: str | None) -> Reason:
    if park is None:
        return Reason("not-open", r.RESERVE, "All face-up parks have been entered. Choose one of them.")
    if park not in all_parks(state.facts):
        return unknown_park_reason(state.facts, park)
    return Reason("not-open", r.RESERVE, f"{park} is not face-up. Choose a face-up park.")


def remove_open_park(state: State, park: str | None) -> State:
    """Return the state with a face-up park removed from the display."""
    parks = list(state.parks)
    parks[parks.index(park)] = NO_CARD
    return replace(state, parks=tuple(parks))


class VisitPark(TakeCard, tag="visit-park"):
    """Visit a park and pay for it; fields give the Wildlife that replace each kind of token."""

    title = "Visit a park"
    resolves = (ParksAction,)
    rules = (
        r.VISIT_MANY, r.PARK_COST, r.PARK_INSTANT, r.INSTANT_TOKENS, r.INSTANT_OPTIONAL, r.PAY_BACK, r.PARKS_REFILL,
        r.PASSION_LESS, r.PASSION_ROLL, r.WILDLIFE_OWN, r.SETUP_DISPLAYS, r.PARK_ONCE, r.RESERVE_OWN, r.WILDLIFE_WILD,
    )  # fmt: skip

    park: str
    forest: int = 0
    mountain: int = 0
    sun: int = 0
    water: int = 0
    unnamed: Literal["", "open", "reserve"] = ""  # its place, if no one has named it before

    @property
    def naming_move(self) -> NamePark | NameReserved | None:
        naming_moves = {"open": NamePark, "reserve": NameReserved}
        return naming_moves[self.unnamed](self.park) if self.unnamed else None

    @property
    def substitution(self) -> Substitution:
        return self.forest, self.mountain, self.sun, self.water

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if wrong := self.naming_objections(state, seat):
            yield from wrong
            return
        state = self.apply_naming(state, seat)
        if self.park not in all_parks(state.facts):
            yield unknown_park_reason(state.facts, self.park)
            return
        if self.park not in available_parks(state):
            yield self._unavailable_park_reason(state, seat)
        card = all_parks(state.facts)[self.park]
        cost = park_price(state, card)
        for token, due, wild in zip(NON_WILD_TOKENS, cost, self.substitution, strict=False):
            if not 0 <= wild <= due:
                costs = _cost_text(due, token, state, card)
                yield Reason("stand-in", r.WILDLIFE_WILD, f"{self.park} costs {costs}. Pay no more Wildlife than that.")
                return
        price = payment(cost, self.substitution)
        yield from _price_reasons(state, seat, price, lambda token: _payment_rule(token, cost))

    def out_of_phase_reason(self, state: State, seat: int) -> Reason | None:
        match state.task:
            case ChooseExtra(extras) if Extra("parks") in extras:
                return None
        if isinstance(state.task, (StartHike, *TABLE_TASKS)) or any(
            isinstance(task, ParksAction) for task in state.tasks
        ):
            return None
        text = f"You visit parks in a Parks action. Now {describe_task(state, state.task)}."
        return Reason("no-parks-action", r.PARKS_ACTION, text)

    def _unavailable_park_reason(self, state: State, seat: int) -> Reason:
        for number, player in enumerate(state.players):
            if self.park in player.visited:
                name = "You" if number == seat else player.name
                return Reason("visited", r.PARK_ONCE, f"{name} already visited {self.park}. Choose another park.")
            if number != seat and self.park in player.reserve:
                return Reason(
                    "reserved", r.RESERVE_OWN, f"{self.park} is in {player.name}\u2019s reserve. Choose another park."
                )
        if None in state.parks or None in state.players[seat].reserve:
            text = f"First enter where {self.park} is: face-up, or in your reserve."
            unknown_fact = "a park that is face-up or in your reserve"
            return Reason("not-named", r.VISIT_MANY, text, unknown_fact=unknown_fact)
        return Reason(
            "not-here", r.VISIT_MANY, f"{self.park} is not face-up and not in your reserve. Choose another park."
        )

    def apply(self, state: State, seat: int) -> State:
        state, card, cost = self.apply_naming(state, seat), all_parks(state.facts)[self.park], self.payment(state)
        state = mark_passion_used(state) if discounted_token(state, card) else state
        state = pay_tokens(push_task(pop_task(state), ParksAction(has_visited=True)), cost)
        player = state.players[seat]
        state = state.with_player(seat, visited=(*player.visited, self.park))
        if self.park in state.parks:
            state = remove_open_park(state, self.park)
        else:
            reserve = tuple(card for card in player.reserve if card != self.park)
            state = state.with_player(seat, reserve=reserve)
        if card.instant and state.has_ability("roll at instant"):
            state = push_task(mark_passion_used(state), DoAction("roll"))
        return apply_gains(state, parse_gains(card.instant))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["VisitPark"]:
        for name in available_parks(state):
            cost = park_price(state, all_parks(state.facts)[name])
            for substitution in substitutions(cost, state.players[seat].tokens) or ((0, 0, 0, 0),):
                yield cls(name, *substitution)
        places: tuple[tuple[Literal["open", "reserve"], bool], ...] = (
            ("open", None in state.parks),
            ("reserve", None in state.players[seat].reserve),
        )
        for name in state.unnamed_parks if has_unnamed_parks(state) else ():
            possible = substitutions(park_price(state, all_parks(state.facts)[name]), state.players[seat].tokens)
            yield from (
                cls(name, *numbers, place) for place, is_possible in places if is_possible for numbers in possible
            )

    def is_default_payment(self, state: State) -> bool:
        """Return whether this is the first payment on the page, with the fewest Wildlife."""
        cost = park_price(state, all_parks(state.facts)[self.park])
        return self.substitution == substitutions(cost, state.player.tokens)[0]

    def label(self, state: State, seat: int) -> MoveLabel:
        card = all_parks(state.facts).get(self.park)
        hint = f"{pluralize(card.points, 'point')}, {self.payment_text(state)}" if card else ""
        return MoveLabel(f"Visit {self.park}", hint=hint, icon="park")

    def payment(self, state: State) -> Tokens:
        """Return the tokens paid for the visit."""
        return payment(park_price(state, all_parks(state.facts)[self.park]), self.substitution)

    def payment_text(self, state: State) -> str:
        """Return the payment, and the gain that follows: "pay 1 Sun, then gain 2 Water"."""
        card = all_parks(state.facts)[self.park]
        pays = ", ".join(
            _cost_text(due, token, state, card) for due, token in zip(self.payment(state), TOKENS, strict=True) if due
        )
        return ", ".join([f"pay {pays or 'nothing'}", *_instant_texts(state, card)])

    def log_text(self, state: State, seat: int) -> str:
        return f"visited {self.park}"

    def news_text(self, state: State, seat: int) -> str:
        return f"visited {self.park} ({pluralize(all_parks(state.facts)[self.park].points, 'point')})"


def _cost_text(due: int, token: str, state: State, card: Park) -> str:
    """Return a token cost with any discount: "2 Mountain (3 without your passion)"."""
    discount_text = (
        f" ({card.icon_count(token)} without your passion)" if discounted_token(state, card) == token else ""
    )
    return f"{due} {TOKEN_NAMES[token]}{discount_text}"


def _instant_texts(state: State, card: Park) -> Iterator[str]:
    """Yield the effects that follow a visit, and their uses."""
    match card.instant:
        case "sun" | "2 sun" | "wildlife":
            yield f"then gain {GAIN_TEXTS[card.instant]} for the next park"
        case "water" | "2 water":
            yield f"then gain {GAIN_TEXTS[card.instant]} for a canteen row or the next park"
        case "canteen" if not can_gain_canteen(state.player):
            yield "no room for its canteen"
        case instant if instant:
            yield f"then gain {GAIN_TEXTS[instant]}"
    if card.instant and state.has_ability("roll at instant"):
        yield "roll the die with your passion"


def _price_reasons(state: State, seat: int, price: Tokens, rule_of: Callable[[str], Rule]) -> Iterator[Reason]:
    """Yield one reason for all the tokens that a player lacks for a price.

    :param rule_of: the rule that asks for a kind of token.
    """
    held = state.players[seat].tokens
    missing = {token: due - have for token, due, have in zip(TOKENS, price, held, strict=True) if due > have}
    if missing:
        first_rule, *more_rules = dict.fromkeys(map(rule_of, missing))
        counts = [f"{count} more {TOKEN_NAMES[token]}" for token, count in missing.items()]
        yield Reason("cost", first_rule, f"You need {join_words(counts)}.", tuple(more_rules))


def _payment_rule(token: str, cost: Tokens) -> Rule:
    """Return the rule for a token owed: Wildlife for itself, or in place of another."""
    if token != "wildlife":
        return r.PARK_COST
    return r.WILDLIFE_OWN if cost[WILDLIFE_INDEX] else r.WILDLIFE_WILD


class BuyGear(TakeCard, tag="buy-gear"):
    """Buy a gear card of the market or the deck's top card; `wild` Wildlife replace Sun."""

    title = "Buy gear"
    resolves = ("buy",)
    rules = (
        r.GEAR_MARKET,
        r.GEAR_DECK,
        r.GEAR_SLIDES,
        r.GEAR_SITE,
        r.PASSION_FREE_GEAR,
        r.PASSION_KEPT,
        r.WILDLIFE_WILD,
    )

    gear: str | None = None  # None for the top card of the deck
    wild: int = 0
    # whether it is paid for, to keep the free gear of Collecting for another card of this turn
    keep: bool = False
    unnamed: bool = False  # whether it is in the market and was not named before

    @property
    def naming_move(self) -> NameGear | None:
        return NameGear(self.gear or "") if self.unnamed else None

    def _card(self, state: State) -> Gear | None:
        return all_gear(state.facts)[self.gear] if self.gear else None

    def _is_free(self, state: State) -> bool:
        return not self.keep and is_gear_free(state, self._card(state))

    def _price(self, state: State) -> int:
        card = self._card(state)
        return 0 if self._is_free(state) else card.cost if card else TOP_GEAR_PRICE

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.gear is not None and self.gear not in all_gear(state.facts):
            yield unknown_gear_reason(state.facts, self.gear)
            return
        if wrong := self.naming_objections(state, seat):
            yield from wrong
            return
        if self.gear is not None and self.gear not in self.apply_naming(state, seat).market:
            unknown_fact = "a card of the Gear Market" if None in state.market else ""
            advice = "Enter the cards of the market first." if unknown_fact else "Choose a card that is."
            text = f"{gear_title(state.facts, self.gear)} is not in the Gear Market. {advice}"
            yield Reason("not-open", r.GEAR_MARKET, text, unknown_fact=unknown_fact)
        if self.keep and not is_gear_free(state, self._card(state)):
            yield Reason(
                "nothing-kept",
                r.PASSION_KEPT,
                "You have no free purchase to keep. Pay for the card.",
            )
        elif self.keep and not _can_buy_again(state):
            yield Reason("nothing-kept", r.PASSION_KEPT, "You can buy no other card this turn. Take this one free.")
        price = self._price(state)
        if not 0 <= self.wild <= price:
            yield Reason("stand-in", r.WILDLIFE_WILD, f"It costs {price} Sun. Pay no more Wildlife than that.")
            return
        rule = r.GEAR_DECK if self.gear is None else r.GEAR_MARKET
        yield from _price_reasons(
            state, seat, self.payment(state), lambda token: rule if token == "sun" else r.WILDLIFE_WILD
        )

    def payment(self, state: State) -> Tokens:
        """Return the tokens paid for the card."""
        return add_tokens(tokens_of_kind("sun", self._price(state) - self.wild), tokens_of_kind("wildlife", self.wild))

    def apply(self, state: State, seat: int) -> State:
        cost = self.payment(state)
        state = mark_passion_used(state) if self._is_free(state) else state
        state = pay_tokens(pop_task(state), cost)
        player = state.players[seat]
        state = state.with_player(seat, bought=player.bought + 1)
        if self.gear is None:
            return push_task(state, NameDrawnGear())
        market = list(self.apply_naming(state, seat).market)
        market.remove(self.gear)
        return replace(state, market=(None, *market)).with_player(seat, gear=(*player.gear, self.gear))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["BuyGear"]:
        for card in (*dict.fromkeys(filter(None, state.market)), None):
            yield from cls(card)._payment_options(state) or (cls(card),)
        for card in all_gear(state.facts) if None in state.market else ():
            if card not in state.market:
                yield from cls(card, unnamed=True)._payment_options(state)

    def _payment_options(self, state: State) -> list["BuyGear"]:
        """Return every payment for the card, the one with the fewest Wildlife first."""
        _, _, suns, _, wildlife = state.player.tokens
        keep_options = (False, True) if self._is_free(state) and _can_buy_again(state) else (False,)
        moves = [replace(self, keep=keep) for keep in keep_options]
        return [
            replace(move, wild=wild)
            for move in moves
            for wild in range(max(0, move._price(state) - suns), min(move._price(state), wildlife) + 1)
        ]

    def is_default_payment(self, state: State) -> bool:
        """Return whether this is the first payment on the page.

        That is the one with the fewest Wildlife that uses the free gear of Collecting.
        """
        return self == replace(self, keep=False)._payment_options(state)[0]

    def label(self, state: State, seat: int) -> MoveLabel:
        payment_text = self.payment_text(state)
        if self.gear:
            return MoveLabel(f"Buy {gear_title(state.facts, self.gear)}", hint=payment_text, icon="gear")
        short = f"From the deck: {self._price_text(state)}"
        return MoveLabel("Buy the top gear card", hint=payment_text, icon="gear", short=short)

    def payment_text(self, state: State) -> str:
        """Return the payment: "pay 2 Sun", "free"."""
        return f"pay {self._price_text(state)}" if self._price(state) else self._price_text(state)

    def _price_text(self, state: State) -> str:
        if not self._price(state):
            return "free with your passion" if self._is_free(state) else "free"
        return f"{describe_tokens(self.payment(state))}{', keep your free purchase' if self.keep else ''}"

    def log_text(self, state: State, seat: int) -> str:
        return f"bought {gear_title(state.facts, self.gear) if self.gear else 'the top gear card'}"

    def news_text(self, state: State, seat: int) -> str:
        return f"bought {all_gear(state.facts)[self.gear].name if self.gear else 'the top gear card'}"


def _can_buy_again(state: State) -> bool:
    """Return whether more gear may be bought this turn, only one of it free (passion-once)."""
    is_limited = chosen_option(state.rulings, r.PASSION_USES) == "once"
    return is_limited and state.player.is_on_trail and is_last_on_trail(state)


class DrawGear(Move[State], tag="draw-gear"):
    """Enter the gear card drawn from the deck."""

    title = "Enter the drawn gear card"
    entered_fact = "the drawn gear card"
    resolves = (NameDrawnGear,)
    rules = (r.GEAR_DECK, r.GEAR_READY)

    gear: str

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.gear not in all_gear(state.facts):
            yield unknown_gear_reason(state.facts, self.gear)

    def apply(self, state: State, seat: int) -> State:
        return pop_task(state).with_player(seat, gear=(*state.players[seat].gear, self.gear))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["DrawGear"]:
        return map(cls, all_gear(state.facts))

    def label(self, state: State, seat: int) -> MoveLabel:
        title = gear_title(state.facts, self.gear)
        return MoveLabel(f"Draw {title}", icon="gear", short=title)

    def log_text(self, state: State, seat: int) -> str:
        return f"drew {gear_title(state.facts, self.gear)}"

    def news_text(self, state: State, seat: int) -> str:
        return f"drew {all_gear(state.facts)[self.gear].name}"
