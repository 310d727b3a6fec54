"""The moves that get cards: reserve a park, visit parks, buy gear, name the gear drawn."""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from scoring.kernel.english import plural
from scoring.kernel.move import Move, chosen
from scoring.kernel.rule import Reason, Rule
from scoring.parks import rules as r
from scoring.parks.box import PLAIN, TOKENS, WILDLIFE, Gear, Park, Tokens, all_gear, all_parks, gains
from scoring.parks.costs import (
    DECK_PRICE,
    MOST_RESERVED,
    Way,
    could_gain_canteen,
    discount,
    gear_is_free,
    paid,
    park_price,
    parks_here,
    unnamed_parks,
    ways,
)
from scoring.parks.effects import bring, done, pay, plus, set_off, some, then, use_passion
from scoring.parks.moves.reveals import NameCard, NameGear, NamePark, NameReserved
from scoring.parks.state import GONE, TABLE_TASKS, Do, DrawnGear, Extra, Parks, Pick, SetOut, State
from scoring.parks.text import SHORT, TOKEN, asks, gear_title, no_such_gear, no_such_park, tokens
from scoring.parks.turn import last_on_trail


class Taking(Move):
    """Take a card; one that has no name here yet is named in taking it. A subclass says what naming it would be."""

    @property
    def naming(self) -> NameCard | None:
        raise NotImplementedError

    def unnameable(self, state: State, seat: int) -> list[Reason]:
        """Return what speaks against the name."""
        return list(self.naming.objections(state, seat)) if self.naming else []

    def named(self, state: State, seat: int) -> State:
        """Return the state with the card named that is taken."""
        return self.naming.apply(state, seat) if self.naming else state


class Reserve(Taking, tag="reserve"):
    """Take an open park, or the top one of the deck, into your reserve."""

    sign = "park"
    answers = (Parks, "reserve")
    rules = (r.RESERVE, r.RESERVE_OWN, r.RESERVE_LIMIT, r.ONE_OR_OTHER, r.PARKS_REFILL)

    park: str | None = None  # none: an open one nobody has named, or the top of the deck
    deck: bool = False
    unnamed: bool = False  # it lies open, and nobody has named it before

    @property
    def naming(self) -> NamePark | None:
        return NamePark(self.park or "") if self.unnamed else None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.task == Parks(visited=True):
            yield Reason("visiting", r.ONE_OR_OTHER, "You are visiting parks; this action reserves none.")
        full = len(state.players[seat].reserve) >= MOST_RESERVED
        if full and chosen(state.rulings, r.RESERVED_PARKS) == "three":
            yield Reason("reserve-full", r.RESERVE_LIMIT, f"Your reserve holds {MOST_RESERVED} parks already.")
        if self.deck:
            if self.park is not None or self.unnamed:
                yield Reason("deck-unseen", r.RESERVE, "The top park of the deck is named once you have it.")
            if not state.park_deck:
                yield Reason("deck-empty", r.PARK_ONCE, "No park is left in the deck.")
        elif self.unnamed:
            yield from self.unnameable(state, seat)
        elif self.park == GONE or self.park not in state.parks:
            yield _not_open(state, self.park)

    def apply(self, state: State, seat: int) -> State:
        state = done(self.named(state, seat))
        state = state.with_player(seat, reserve=(*state.players[seat].reserve, self.park))
        return set_off(state if self.deck else take_open(state, self.park), "reserve")

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Reserve"]:
        for card in dict.fromkeys(state.parks):
            if card != GONE:
                yield cls(card)
        yield cls(deck=True)
        if None in state.parks:
            yield from (cls(card, unnamed=True) for card in state.other_parks)

    def label(self, state: State, seat: int) -> str:
        if self.deck:
            return "Reserve the top park of the deck"
        return f"Reserve {self.park}" if self.park else "Reserve an open park without a name here"

    def told(self, state: State, seat: int) -> str:
        return f"reserved {self.park or ('the top park of the deck' if self.deck else 'an open park')}"


def _not_open(state: State, park: str | None) -> Reason:
    if park is None:
        return Reason("not-open", r.RESERVE, "Every open park has a name here; say which one.")
    if park not in all_parks(state.facts):
        return no_such_park(state.facts, park)
    return Reason("not-open", r.RESERVE, f"{park} does not lie open here.")


def take_open(state: State, park: str | None) -> State:
    """Return the state with an open park gone from the display."""
    lying = list(state.parks)
    lying[lying.index(park)] = GONE
    return replace(state, parks=tuple(lying))


class VisitPark(Taking, tag="visit-park"):
    """Visit a park and pay for it; the fields say how many Wildlife stand in for each kind of token."""

    sign = "park"
    answers = (Parks,)
    rules = (
        r.VISIT_MANY, r.PARK_COST, r.PARK_INSTANT, r.INSTANT_TOKENS, r.INSTANT_OPTIONAL, r.PAY_BACK, r.PARKS_REFILL,
        r.PASSION_LESS, r.PASSION_ROLL,
    )  # fmt: skip

    park: str
    forest: int = 0
    mountain: int = 0
    sun: int = 0
    water: int = 0
    unnamed: Literal["", "open", "reserve"] = ""  # where it lies, if nobody has named it before

    @property
    def naming(self) -> NamePark | NameReserved | None:
        match self.unnamed:
            case "open":
                return NamePark(self.park)
            case "reserve":
                return NameReserved(self.park)
        return None

    @property
    def way(self) -> Way:
        return self.forest, self.mountain, self.sun, self.water

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if wrong := self.unnameable(state, seat):
            yield from wrong
            return
        state = self.named(state, seat)
        if self.park not in all_parks(state.facts):
            yield no_such_park(state.facts, self.park)
            return
        if self.park not in parks_here(state):
            yield self._not_here(state, seat)
        card = all_parks(state.facts)[self.park]
        cost = park_price(state, card)
        for token, due, wild in zip(PLAIN, cost, self.way, strict=False):
            if not 0 <= wild <= due:
                costs = _some(due, token, state, card)
                yield Reason("stand-in", r.WILDLIFE_WILD, f"{self.park} costs {costs}; no more Wildlife can stand in.")
                return
        held = state.players[seat].tokens
        for token, due, have in zip(TOKENS, paid(cost, self.way), held, strict=True):
            if due > have:
                takes = _some(due, token, state, card)
                yield Reason("cost", _why(token, cost), f"{self.park} takes {takes}; you have {have}.")

    def untimely(self, state: State, seat: int) -> Reason | None:
        match state.task:
            case Pick(extras) if Extra("parks") in extras:
                return None
        if isinstance(state.task, (SetOut, *TABLE_TASKS)) or any(isinstance(task, Parks) for task in state.tasks):
            return None
        text = f"A park is visited in a Parks action; what you can do now is: {asks(state, state.task)}."
        return Reason("no-parks-action", r.PARKS_ACTION, text)

    def _not_here(self, state: State, seat: int) -> Reason:
        for other, player in enumerate(state.players):
            if self.park in player.visited:
                return Reason("visited", r.PARK_ONCE, f"{player.name} has visited {self.park} already.")
            if other != seat and self.park in player.reserve:
                return Reason("reserved", r.RESERVE_OWN, f"{self.park} is in the reserve of {player.name}.")
        if None in state.parks or None in state.players[seat].reserve:
            return Reason("not-named", r.VISIT_MANY, f"Say first where {self.park} lies: open, or in your reserve.")
        return Reason("not-here", r.VISIT_MANY, f"{self.park} lies neither open nor in your reserve.")

    def apply(self, state: State, seat: int) -> State:
        state, card, cost = self.named(state, seat), all_parks(state.facts)[self.park], self.pays(state)
        state = use_passion(state) if discount(state, card) else state
        state = pay(then(done(state), Parks(visited=True)), cost)
        player = state.players[seat]
        state = state.with_player(seat, visited=(*player.visited, self.park))
        if self.park in state.parks:
            state = take_open(state, self.park)
        else:
            reserve = tuple(card for card in player.reserve if card != self.park)
            state = state.with_player(seat, reserve=reserve)
        if card.instant and state.has_ability("roll at instant"):
            state = then(use_passion(state), Do("roll"))
        return bring(state, gains(card.instant))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["VisitPark"]:
        for name in parks_here(state):
            cost = park_price(state, all_parks(state.facts)[name])
            for way in ways(cost, state.players[seat].tokens) or ((0, 0, 0, 0),):
                yield cls(name, *way)
        places: tuple[tuple[Literal["open", "reserve"], bool], ...] = (
            ("open", None in state.parks),
            ("reserve", None in state.players[seat].reserve),
        )
        for name in state.other_parks if unnamed_parks(state) else ():
            possible = ways(park_price(state, all_parks(state.facts)[name]), state.players[seat].tokens)
            yield from (cls(name, *way, where) for where, there in places if there for way in possible)

    def usual(self, state: State) -> bool:
        """Return whether no other way to pay takes fewer Wildlife, so that a page shows it first."""
        cost = park_price(state, all_parks(state.facts)[self.park])
        return self.way == ways(cost, state.player.tokens)[0]

    def label(self, state: State, seat: int) -> str:
        return f"Visit {self.park}"

    def pays(self, state: State) -> Tokens:
        """Return the tokens it takes."""
        return paid(park_price(state, all_parks(state.facts)[self.park]), self.way)

    def hint(self, state: State, seat: int) -> str:
        card = all_parks(state.facts)[self.park]
        pays = ", ".join(
            _some(due, token, state, card) for due, token in zip(self.pays(state), TOKENS, strict=True) if due
        )
        return ", ".join([plural(card.points, "point"), f"pay {pays or 'nothing'}", *_follows(state, card)])

    def told(self, state: State, seat: int) -> str:
        return f"visited {self.park}"


def _some(due: int, token: str, state: State, card: Park) -> str:
    """Return tokens a visit takes, with what a passion spares: "2 Mountain (3, one less by your passion)"."""
    spared = f" ({card.icons(token)}, one less by your passion)" if discount(state, card) == token else ""
    return f"{due} {TOKEN[token]}{spared}"


def _follows(state: State, card: Park) -> Iterator[str]:
    """Yield what follows a visit, and what that is good for."""
    match card.instant:
        case "sun" | "2 sun" | "wildlife":
            yield f"then {SHORT[card.instant]}, which can pay for the next park"
        case "water" | "2 water":
            yield f"then {SHORT[card.instant]}, for a canteen row or the next park"
        case "canteen" if not could_gain_canteen(state.player):
            yield "then a canteen, for which you have no room"
        case instant if instant:
            yield f"then {SHORT[instant]}"
    if card.instant and state.has_ability("roll at instant"):
        yield "and a roll of the die by your passion"


def _why(token: str, cost: Tokens) -> Rule:
    """Return the rule by which a token is owed: Wildlife for itself, or in place of another."""
    if token != "wildlife":
        return r.PARK_COST
    return r.WILDLIFE_OWN if cost[WILDLIFE] else r.WILDLIFE_WILD


class BuyGear(Taking, tag="buy-gear"):
    """Buy a gear card of the market, or the top one of the deck; `wild` Wildlife stand in for suns."""

    sign = "gear"
    answers = ("buy",)
    rules = (r.GEAR_MARKET, r.GEAR_DECK, r.GEAR_SLIDES, r.GEAR_SITE, r.PASSION_FREE_GEAR, r.PASSION_KEPT)

    gear: str | None = None  # none: the top card of the deck
    wild: int = 0
    keep: bool = False  # pay for it, and keep the free gear of Collecting for another card of this turn
    unnamed: bool = False  # it lies in the market, and nobody has named it before

    @property
    def naming(self) -> NameGear | None:
        return NameGear(self.gear or "") if self.unnamed else None

    def _card(self, state: State) -> Gear | None:
        return all_gear(state.facts)[self.gear] if self.gear else None

    def _free(self, state: State) -> bool:
        return not self.keep and gear_is_free(state, self._card(state))

    def _price(self, state: State) -> int:
        card = self._card(state)
        return 0 if self._free(state) else card.cost if card else DECK_PRICE

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.gear is not None and self.gear not in all_gear(state.facts):
            yield no_such_gear(state.facts, self.gear)
            return
        if wrong := self.unnameable(state, seat):
            yield from wrong
            return
        if self.gear is not None and self.gear not in self.named(state, seat).market:
            lying = (
                "Name the cards of the market first." if None in state.market else "From the deck you might draw it."
            )
            yield Reason(
                "not-open", r.GEAR_MARKET, f"{gear_title(state.facts, self.gear)} does not lie in the market. {lying}"
            )
        if self.keep and not gear_is_free(state, self._card(state)):
            yield Reason(
                "nothing-kept", r.PASSION_KEPT, "It is not free, so there is nothing to keep for another card."
            )
        elif self.keep and not _another_purchase(state):
            yield Reason("nothing-kept", r.PASSION_KEPT, "No other card can be bought free in this turn.")
        price = self._price(state)
        _, _, suns, _, wildlife = state.players[seat].tokens
        if not 0 <= self.wild <= price:
            yield Reason("stand-in", r.WILDLIFE_WILD, f"It costs {price} Sun; no more Wildlife can stand in.")
            return
        rule = r.GEAR_DECK if self.gear is None else r.GEAR_MARKET
        if price - self.wild > suns:
            yield Reason("cost", rule, f"It takes {price - self.wild} Sun; you have {suns}.")
        if self.wild > wildlife:
            yield Reason("cost", r.WILDLIFE_WILD, f"It takes {self.wild} Wildlife; you have {wildlife}.")

    def _cost(self, state: State) -> Tokens:
        return plus(some("sun", self._price(state) - self.wild), some("wildlife", self.wild))

    def apply(self, state: State, seat: int) -> State:
        cost = self._cost(state)
        state = use_passion(state) if self._free(state) else state
        state = pay(done(state), cost)
        player = state.players[seat]
        state = state.with_player(seat, bought=player.bought + 1)
        if self.gear is None:
            return then(state, DrawnGear())
        lying = list(self.named(state, seat).market)
        lying.remove(self.gear)
        return replace(state, market=(None, *lying)).with_player(seat, gear=(*player.gear, self.gear))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["BuyGear"]:
        for card in (*dict.fromkeys(filter(None, state.market)), None):
            yield from cls(card)._ways(state) or (cls(card),)
        for card in all_gear(state.facts) if None in state.market else ():
            if card not in state.market:
                yield from cls(card, unnamed=True)._ways(state)

    def _ways(self, state: State) -> list["BuyGear"]:
        """Return every way to pay for the card, the one with the fewest Wildlife first."""
        _, _, suns, _, wildlife = state.player.tokens
        kept = (False, True) if self._free(state) and _another_purchase(state) else (False,)
        priced = [(way, way._price(state)) for way in (replace(self, keep=keep) for keep in kept)]
        return [
            replace(way, wild=wild)
            for way, price in priced
            for wild in range(max(0, price - suns), min(price, wildlife) + 1)
        ]

    def usual(self, state: State) -> bool:
        """Return whether no other way to pay takes fewer Wildlife or spares Collecting, so that a page shows it first."""
        return self == replace(self, keep=False)._ways(state)[0]

    def label(self, state: State, seat: int) -> str:
        return f"Buy {gear_title(state.facts, self.gear)}" if self.gear else "Buy the top card of the deck"

    def hint(self, state: State, seat: int) -> str:
        if not self._price(state):
            return "free by your passion" if self._free(state) else "free"
        return f"pay {tokens(self._cost(state))}{', and have another card free' if self.keep else ''}"

    def told(self, state: State, seat: int) -> str:
        return f"bought {gear_title(state.facts, self.gear) if self.gear else 'the top gear card of the deck'}"


def _another_purchase(state: State) -> bool:
    """Return whether more gear may be bought in this turn, and only one card is free (ruling passion-once)."""
    once = chosen(state.rulings, r.PASSION_USES) == "once"
    return once and state.player.on_trail and last_on_trail(state)


class DrawGear(Move, tag="draw-gear"):
    """Say which gear card came from the deck."""

    sign = "gear"
    answers = (DrawnGear,)
    rules = (r.GEAR_DECK, r.GEAR_READY)

    gear: str

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.gear not in all_gear(state.facts):
            yield no_such_gear(state.facts, self.gear)

    def apply(self, state: State, seat: int) -> State:
        return done(state).with_player(seat, gear=(*state.players[seat].gear, self.gear))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["DrawGear"]:
        return map(cls, all_gear(state.facts))

    def label(self, state: State, seat: int) -> str:
        return gear_title(state.facts, self.gear)

    def told(self, state: State, seat: int) -> str:
        return f"drew {gear_title(state.facts, self.gear)}"
