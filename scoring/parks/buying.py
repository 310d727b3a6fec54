"""The moves that get cards: reserve a park, visit parks, buy gear, name the gear drawn."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from msgspec.structs import replace

from scoring.kernel.move import Move, chosen
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.words import plural
from scoring.parks import rules as r
from scoring.parks.box import PLAIN, TOKENS, WILDLIFE, all_gear, all_parks, gains
from scoring.parks.gaining import bring, done, pay, set_off, some, then, use_passion
from scoring.parks.hiking import may_do, not_here, out_of_order
from scoring.parks.paying import (
    MOST_RESERVED,
    discount,
    gear_is_free,
    gear_price,
    paid,
    park_price,
    parks_here,
    ways,
)
from scoring.parks.state import GONE, Do, DrawnGear, Parks, State
from scoring.parks.words import SHORT, TOKEN, gear_title, tokens


class Reserve(Move):
    """Take an open park, or the top one of the deck, into your reserve."""

    answers = (Parks, "reserve")
    rules = (r.RESERVE, r.RESERVE_OWN, r.RESERVE_LIMIT, r.ONE_OR_OTHER)

    park: str | None = None  # none: an open one nobody has named, or the top of the deck
    deck: bool = False

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, Parks) and not_here(state, "reserve"):
            yield reason
            return
        task = state.tasks[-1]
        if isinstance(task, Parks) and task.visited:
            yield Reason("visiting", r.ONE_OR_OTHER, "You are visiting parks; this action reserves none.")
        full = len(state.players[seat].reserve) >= MOST_RESERVED
        if full and chosen(state.rulings, r.RESERVED_PARKS) == "three":
            yield Reason("reserve-full", r.RESERVE_LIMIT, f"Your reserve holds {MOST_RESERVED} parks already.")
        if self.deck:
            if self.park is not None:
                yield Reason("deck-unseen", r.RESERVE, "The top park of the deck is named once you have it.")
            if not state.park_deck:
                yield Reason("deck-empty", r.PARK_ONCE, "No park is left in the deck.")
        elif self.park == GONE or self.park not in state.parks:
            yield _not_open(state, self.park)

    def apply(self, state: State, seat: int) -> State:
        state = done(state).with_player(seat, reserve=(*state.players[seat].reserve, self.park))
        return set_off(state if self.deck else take_open(state, self.park), "reserve")

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Reserve"]:
        if state.over or not (isinstance(state.tasks[-1], Parks) or may_do(state, "reserve")):
            return
        for card in dict.fromkeys(state.parks):
            if card != GONE:
                yield cls(card)
        yield cls(deck=True)

    def label(self, state: State, seat: int) -> str:
        if self.deck:
            return "Reserve the top park of the deck"
        return f"Reserve {self.park}" if self.park else "Reserve an open park without a name here"

    def icon(self, state: State, seat: int) -> str:
        return "park"

    def told(self, state: State, seat: int) -> str:
        return f"reserved {self.park or ('the top park of the deck' if self.deck else 'an open park')}"


def _not_open(state: State, park: str | None) -> Reason:
    if park is None:
        return Reason("not-open", r.RESERVE, "Every open park has a name here; say which one.")
    if park not in all_parks(state.facts):
        return no_such_park(state, park)
    return Reason("not-open", r.RESERVE, f"{park} does not lie open here.")


def take_open(state: State, park: str | None) -> State:
    """Return the state with an open park gone from the display."""
    lying = list(state.parks)
    lying[lying.index(park)] = GONE
    return replace(state, parks=tuple(lying))


class VisitPark(Move):
    """Visit a park and pay for it; the fields say how many Wildlife stand in for each kind of token."""

    answers = (Parks,)
    rules = (r.VISIT_MANY, r.PARK_COST, r.PARK_INSTANT, r.INSTANT_TOKENS, r.PAY_BACK, r.PASSION_LESS, r.PASSION_ROLL)

    park: str
    forest: int = 0
    mountain: int = 0
    sun: int = 0
    water: int = 0

    @property
    def way(self) -> tuple[int, int, int, int]:
        return self.forest, self.mountain, self.sun, self.water

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, Parks):
            yield reason
            return
        if self.park not in all_parks(state.facts):
            yield no_such_park(state, self.park)
            return
        if self.park not in parks_here(state):
            yield self._not_here(state, seat)
        cost = park_price(state, all_parks(state.facts)[self.park])
        for token, due, wild in zip(PLAIN, cost, self.way, strict=False):
            if not 0 <= wild <= due:
                text = f"{self.park} costs {due} {TOKEN[token]}; no more Wildlife can stand in."
                yield Reason("stand-in", r.WILDLIFE_WILD, text)
                return
        held = state.players[seat].tokens
        for token, due, have in zip(TOKENS, paid(cost, self.way), held, strict=True):
            if due > have:
                yield Reason("cost", _why(token, cost), f"{self.park} takes {due} {TOKEN[token]}; you have {have}.")

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
        card = all_parks(state.facts)[self.park]
        cost = paid(park_price(state, card), self.way)
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
        if state.over or not isinstance(state.tasks[-1], Parks):
            return
        for name in parks_here(state):
            cost = park_price(state, all_parks(state.facts)[name])
            for way in ways(cost, state.players[seat].tokens) or ((0, 0, 0, 0),):
                yield cls(name, *way)

    def label(self, state: State, seat: int) -> str:
        return f"Visit {self.park}"

    def hint(self, state: State, seat: int) -> str:
        card = all_parks(state.facts)[self.park]
        parts = [plural(card.points, "point"), f"pay {tokens(paid(park_price(state, card), self.way))}"]
        return ", ".join(parts + ([f"then {SHORT[card.instant]}"] if card.instant else []))

    def icon(self, state: State, seat: int) -> str:
        return "park"

    def told(self, state: State, seat: int) -> str:
        return f"visited {self.park}"


def _why(token: str, cost: tuple[int, ...]) -> Rule:
    """Return the rule by which a token is owed: Wildlife for itself, or in place of another."""
    if token != "wildlife":
        return r.PARK_COST
    return r.WILDLIFE_OWN if cost[WILDLIFE] else r.WILDLIFE_WILD


class BuyGear(Move):
    """Buy a gear card of the market, or the top one of the deck; `wild` Wildlife stand in for suns."""

    answers = ("buy",)
    rules = (r.GEAR_MARKET, r.GEAR_DECK, r.GEAR_SLIDES, r.GEAR_SITE, r.PASSION_FREE_GEAR)

    gear: str | None = None  # none: the top card of the deck
    wild: int = 0

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := not_here(state, "buy"):
            yield reason
            return
        known = all_gear(state.facts)
        if self.gear is not None and self.gear not in known:
            yield no_such_gear(state, self.gear)
            return
        if self.gear is not None and self.gear not in state.market:
            lying = "Name the cards of the market first." if None in state.market else "From the deck you might draw it."
            yield Reason("not-open", r.GEAR_MARKET, f"{gear_title(state.facts, self.gear)} does not lie in the market. {lying}")
        price = gear_price(state, known.get(self.gear))
        if not 0 <= self.wild <= price:
            yield Reason("stand-in", r.WILDLIFE_WILD, f"It costs {price} Sun; no more Wildlife can stand in.")
            return
        _, _, suns, _, wildlife = state.players[seat].tokens
        rule = r.GEAR_DECK if self.gear is None else r.GEAR_MARKET
        if price - self.wild > suns:
            yield Reason("cost", rule, f"It takes {price - self.wild} Sun; you have {suns}.")
        if self.wild > wildlife:
            yield Reason("cost", r.WILDLIFE_WILD, f"It takes {self.wild} Wildlife; you have {wildlife}.")

    def apply(self, state: State, seat: int) -> State:
        card = all_gear(state.facts).get(self.gear)
        price = gear_price(state, card)
        cost = tuple(map(sum, zip(some("sun", price - self.wild), some("wildlife", self.wild), strict=True)))
        state = use_passion(state) if gear_is_free(state, card) else state
        state = pay(done(state), cost)
        player = state.players[seat]
        state = state.with_player(seat, bought=player.bought + 1)
        if card is None:
            return then(state, DrawnGear())
        lying = list(state.market)
        lying.remove(self.gear)
        return replace(state, market=(None, *lying)).with_player(seat, gear=(*player.gear, self.gear))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["BuyGear"]:
        if not may_do(state, "buy"):
            return
        _, _, suns, _, wildlife = state.players[seat].tokens
        known = all_gear(state.facts)
        for card in (*dict.fromkeys(filter(None, state.market)), None):
            price = gear_price(state, known.get(card))
            possible = range(max(0, price - suns), min(price, wildlife) + 1)
            for wild in possible or (0,):
                yield cls(card, wild)

    def label(self, state: State, seat: int) -> str:
        return f"Buy {gear_title(state.facts, self.gear)}" if self.gear else "Buy the top card of the deck"

    def hint(self, state: State, seat: int) -> str:
        price = gear_price(state, all_gear(state.facts).get(self.gear))
        return f"pay {tokens((0, 0, price - self.wild, 0, self.wild))}" if price else "free"

    def icon(self, state: State, seat: int) -> str:
        return "gear"

    def told(self, state: State, seat: int) -> str:
        return f"bought {gear_title(state.facts, self.gear) if self.gear else 'the top gear card of the deck'}"


class DrawGear(Move):
    """Say which gear card came from the deck."""

    answers = (DrawnGear,)
    rules = (r.GEAR_DECK, r.GEAR_READY)

    gear: str

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, DrawnGear):
            yield reason
        elif self.gear not in all_gear(state.facts):
            yield no_such_gear(state, self.gear)

    def apply(self, state: State, seat: int) -> State:
        return done(state).with_player(seat, gear=(*state.players[seat].gear, self.gear))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["DrawGear"]:
        if not state.over and isinstance(state.tasks[-1], DrawnGear):
            yield from map(cls, all_gear(state.facts))

    def label(self, state: State, seat: int) -> str:
        return gear_title(state.facts, self.gear)

    def icon(self, state: State, seat: int) -> str:
        return "gear"

    def told(self, state: State, seat: int) -> str:
        return f"drew {gear_title(state.facts, self.gear)}"


def no_such(noun: str, word: str, known: Iterable[str]) -> Reason:
    """Return why a name is none of a card, with the nearest one there is."""
    near = get_close_matches(word, list(known), 1)
    hint = f"; did you mean \u201c{near[0]}\u201d?" if near else "."
    return Reason(f"no-such-{noun.rsplit(maxsplit=1)[-1]}", r.COMPONENTS, f"There is no {noun} \u201c{word}\u201d{hint}")


def no_such_park(state: State, park: str) -> Reason:
    return no_such("park", park, all_parks(state.facts))


def no_such_gear(state: State, gear: str) -> Reason:
    return no_such("gear", gear, all_gear(state.facts))
