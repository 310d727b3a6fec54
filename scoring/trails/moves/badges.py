"""The moves at the ends of the Trail: earn a badge, and what badges bring (rulebook pp. 10, 14-15)."""

from collections.abc import Iterator
from difflib import get_close_matches

from msgspec.structs import replace

from scoring.kernel.english import a, plural
from scoring.kernel.move import Move, chosen
from scoring.kernel.rule import Reason
from scoring.trails import rules as r
from scoring.trails.box import BADGES, Badge, Resource
from scoring.trails.moves.hiking import after_site, at_site
from scoring.trails.state import (
    GONE,
    RESOURCES,
    AnyResource,
    Bear,
    BothSites,
    Earn,
    Encounter,
    End,
    FreeBadge,
    State,
    Swap,
    TakePhoto,
    Task,
)
from scoring.trails.text import ENDS, badge, cubes, first
from scoring.trails.turn import brings, done, gain, known_to, may_lie, payable, price, some, sun_bonus, then


class EarnBadge(Move, tag="earn-badge"):
    """Earn a badge lying at your end of the Trail, or the one in your hand."""

    answers = (Earn, FreeBadge)
    sign = "badge"
    rules = (
        r.EARN_WHERE,
        r.EARN_COST,
        r.EARN_FACE_UP,
        r.RESEARCH_FLOOR,
        r.SCIENCE_RESEARCH,
        r.EARN_BONUS,
        r.EARN_BONUS_LOST,
        r.BONUS_PAYS,
        r.ASTRONOMY,
        r.ASTRONOMY_FREE,
        r.RECYCLING_NONE,
        r.CARTOGRAPHY,
        r.NAVIGATION,
        r.SUNSHINE,
        r.SUNSHINE_WHERE,
        r.SUNSHINE_FINAL,
        r.SUNSHINE_LAST_ROUND,
        r.SUNSHINE_TRIGGER,
    )

    badge: str
    hand: bool = False

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.badge not in BADGES:
            yield no_such_badge(self.badge)
            return
        player, (end, free), card = state.players[seat], visit(state), BADGES[self.badge]
        if reason := self._not_in_hand(state, seat) if self.hand else self._not_here(state, seat, end):
            yield reason
        if not free:
            cost = price(card, player.badges)
            rule = r.RESEARCH if cost != card.cost else r.EARN_COST
            for kind, due, held in zip(RESOURCES, cost, player.cubes, strict=True):
                if due > held:
                    yield Reason("cost", rule, f"{card.title} costs {plural(due, kind)}; you have {held}.")

    def _not_in_hand(self, state: State, seat: int) -> Reason | None:
        held = state.players[seat].hand
        if held == GONE:
            return hand_empty(state)
        if held is not None and held != self.badge:
            return Reason("not-in-hand", r.EARN_WHERE, f"Your hand badge is {badge(held)}.")
        return all_seen(self.badge) if state.seen(self.badge) >= BADGES[self.badge].copies else None

    def _not_here(self, state: State, seat: int, end: End) -> Reason | None:
        cards = state.face_up(end)
        if self.badge in cards:
            return None
        if None not in cards:
            return Reason("not-here", r.EARN_WHERE, f"{badge(self.badge)} does not lie at {ENDS[end]}.")
        return None if may_lie(self.badge, known_to(state, seat)) else all_seen(self.badge)

    def apply(self, state: State, seat: int) -> State:
        player, (end, free), card = state.players[seat], visit(state), BADGES[self.badge]
        cost = (0, 0, 0) if free else price(card, player.badges)
        state = state.with_player(
            seat,
            cubes=tuple(held - due for held, due in zip(player.cubes, cost, strict=True)),
            badges=(*player.badges, self.badge),
            hand=GONE if self.hand else player.hand,
        )
        if not self.hand:
            state = self._taken(state, end)
        state = forget_impossible(state, self.badge)
        if free:
            state = done(state)
            if chosen(state.rulings, r.ASTRONOMY_FREE_BONUS) == "no-bonus":
                return state
        return bonus(state, seat, card, end)

    def _taken(self, state: State, end: End) -> State:
        cards = list(state.face_up(end))
        cards[cards.index(self.badge if self.badge in cards else None)] = GONE
        return with_face_up(state, end, tuple(cards))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EarnBadge"]:
        end, free = visit(state)
        player, cards = state.players[seat], state.face_up(end)
        for card in dict.fromkeys(cards):  # two Science may lie here
            if card:
                yield cls(card)
        if player.hand:
            yield cls(player.hand, hand=True)
        # Of the cards nobody has named, those within reach: the others would only be refused for their cost.
        if None in cards or player.hand is None:
            known = known_to(state, seat)
            for card in BADGES if free else payable(player.cubes, player.badges):
                if not may_lie(card, known):
                    continue
                if None in cards and card not in cards:
                    yield cls(card)
                if player.hand is None:
                    yield cls(card, hand=True)

    def label(self, state: State, seat: int) -> str:
        return f"{badge(self.badge)}{' from your hand' if self.hand else ''}"

    def hint(self, state: State, seat: int) -> str:
        if isinstance(state.tasks[-1], FreeBadge):
            return "free"
        return cubes(price(BADGES[self.badge], state.players[seat].badges)).replace("nothing", "free")

    def told(self, state: State, seat: int) -> str:
        free = " for free" if isinstance(state.tasks[-1], FreeBadge) else ""
        return f"earned {badge(self.badge)}{' from the hand' if self.hand else ''}{free}"


def visit(state: State) -> tuple[End, bool]:
    """Return the end where badges are being earned, and whether one is free (Astronomy)."""
    match state.tasks[-1]:
        case Earn(end):
            return end, False
        case FreeBadge(end):
            return end, True
    raise LookupError("no badge is being earned")


class GainResource(Move, tag="gain-resource"):
    """Gain one resource of choice (First Aid), or do a site first that has too few to bring (rulebook p. 9)."""

    answers = (AnyResource, Encounter, BothSites)
    rules = (r.FIRST_AID, r.BEAR_ORDER)

    kind: Resource

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not isinstance(state.tasks[-1], AnyResource):
            if not at_site(state.tasks[-1], self.kind):
                yield first(state)
            return
        limited = chosen(state.rulings, r.CUBE_SUPPLY) == "limited"
        if limited and not state.supply(RESOURCES.index(self.kind)):
            yield Reason("supply-empty", r.RESOURCE_SUPPLY, f"No {self.kind} is left under the Trail.")

    def apply(self, state: State, seat: int) -> State:
        if isinstance(state.tasks[-1], AnyResource):
            return gain(done(state), seat, some(self.kind))
        return gain(after_site(state, self.kind), seat, some(self.kind, brings(state, self.kind)))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["GainResource"]:
        for kind in RESOURCES:
            if isinstance(state.tasks[-1], AnyResource) or at_site(state.tasks[-1], kind):
                yield cls(kind)

    def label(self, state: State, seat: int) -> str:
        return f"Take {a(self.kind)}" if isinstance(state.tasks[-1], AnyResource) else f"The {self.kind} site first"

    def hint(self, state: State, seat: int) -> str:
        cubes = plural(state.supply(RESOURCES.index(self.kind)), self.kind)
        return "" if isinstance(state.tasks[-1], AnyResource) else f"+{cubes}"

    def icon(self, state: State, seat: int) -> str:
        return self.kind

    def told(self, state: State, seat: int) -> str:
        return (
            f"chose {a(self.kind)}" if isinstance(state.tasks[-1], AnyResource) else f"did the {self.kind} site first"
        )


def bonus(state: State, seat: int, card: Badge, end: End) -> State:
    """Return the state with a badge's one-time bonus begun (rulebook pp. 14-15)."""
    if card.name == "Sunshine":
        return sun_bonus(state, seat, on_badge=True)
    if any(card.gains):
        return gain(state, seat, card.gains)
    if card.name == "Astronomy":
        return then(state, FreeBadge(end))
    return then(state, *_BONUS_TASKS.get(card.name, ()))


_BONUS_TASKS: dict[str, tuple[Task, ...]] = {
    "First Aid": (AnyResource(),),
    "Photography": (TakePhoto("photography"),),
    "Recycling": (Swap(),),
    "Seeker": (Bear(optional=True),),
    "Shutterbug": (TakePhoto("shutterbug"), TakePhoto("shutterbug")),
}


def with_face_up(state: State, end: End, cards: tuple[str | None, ...]) -> State:
    return replace(state, trailhead=cards) if end == "trailhead" else replace(state, trail_end=cards)


def forget_impossible(state: State, named: str) -> State:
    """Return the state without hand notes that a card now seen by all contradicts.

    A hand badge is a private note; what lies on the table is right. Refusing the name instead would tell
    the table what is in somebody's hand.
    """
    if state.seen(named) < BADGES[named].copies or all(player.hand != named for player in state.players):
        return state
    return replace(
        state,
        players=tuple(replace(player, hand=None) if player.hand == named else player for player in state.players),
    )


def hand_empty(state: State) -> Reason:
    """Return why nothing can be done with the badge of an empty hand."""
    if state.badge_deck:
        return Reason("hand-empty", r.HAND_REFILL, "You draw a new hand badge at the end of the turn.")
    return Reason("hand-empty", r.BADGE_DECK_EMPTY, "Your hand is empty, and no badge is left to draw.")


def all_seen(id: str) -> Reason:
    card = BADGES[id]
    has = "only one" if card.copies == 1 else f"only {card.copies}"
    return Reason("badge-copies", r.BADGE_COPIES, f"The box has {has} {card.title}, already named elsewhere.")


def no_such_badge(id: str) -> Reason:
    near = get_close_matches(id, BADGES, 1)
    hint = f"; did you mean \u201c{near[0]}\u201d?" if near else "."
    return Reason("no-such-badge", r.COMPONENTS, f"There is no badge \u201c{id}\u201d{hint}")
