"""The moves at the ends of the Trail: earn a badge, and what badges bring (rulebook pp. 10, 14-15)."""

from collections.abc import Iterator
from difflib import get_close_matches

from msgspec.structs import replace

from scoring.kernel.move import Move, chosen
from scoring.kernel.rule import Reason
from scoring.trails import rules as r
from scoring.trails.box import BADGES, Badge
from scoring.trails.hiking import out_of_order
from scoring.trails.state import (
    GONE,
    RESOURCES,
    AnyResource,
    Bear,
    Earn,
    End,
    FreeBadge,
    Resource,
    State,
    Swap,
    TakePhoto,
    Task,
)
from scoring.trails.turn import done, gain, price, some, sun_bonus, then, unseen, unseen_badges, within_reach
from scoring.trails.words import ENDS, a, badge, cubes


class EarnBadge(Move):
    """Earn a badge lying at your end of the Trail, or the one in your hand."""

    answers = (Earn, FreeBadge)
    rules = (
        r.EARN_WHERE,
        r.EARN_COST,
        r.EARN_FACE_UP,
        r.RESEARCH_FLOOR,
        r.SCIENCE_RESEARCH,
        r.EARN_BONUS,
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
        if reason := out_of_order(state, Earn, FreeBadge):
            yield reason
            return
        if self.badge not in BADGES:
            yield no_such_badge(self.badge)
            return
        player, task, card = state.players[seat], state.tasks[-1], BADGES[self.badge]
        if reason := self._not_in_hand(state, seat) if self.hand else self._not_here(state, seat, task.end):
            yield reason
        if isinstance(task, Earn):
            cost = price(player, card)
            rule = r.RESEARCH if cost != card.cost else r.EARN_COST
            for kind, due, held in zip(RESOURCES, cost, player.cubes, strict=True):
                if due > held:
                    yield Reason("cost", rule, f"{card.title} costs {due} {kind}; you have {held}.")

    def _not_in_hand(self, state: State, seat: int) -> Reason | None:
        held = state.players[seat].hand
        if held == GONE:
            return Reason("hand-empty", r.HAND_REFILL, "You draw a new hand badge at the end of the turn.")
        if held is not None and held != self.badge:
            return Reason("not-in-hand", r.EARN_WHERE, f"Your hand badge is {badge(held)}.")
        return all_seen(self.badge) if state.seen(self.badge) >= BADGES[self.badge].copies else None

    def _not_here(self, state: State, seat: int, end: End) -> Reason | None:
        cards = state.face_up(end)
        if self.badge in cards:
            return None
        if None not in cards:
            return Reason("not-here", r.EARN_WHERE, f"{badge(self.badge)} does not lie at {ENDS[end]}.")
        return None if unseen(state, seat, self.badge) else all_seen(self.badge)

    def apply(self, state: State, seat: int) -> State:
        player, task, card = state.players[seat], state.tasks[-1], BADGES[self.badge]
        free = isinstance(task, FreeBadge)
        cost = (0, 0, 0) if free else price(player, card)
        state = state.with_player(
            seat,
            cubes=tuple(held - due for held, due in zip(player.cubes, cost, strict=True)),
            badges=(*player.badges, self.badge),
            hand=GONE if self.hand else player.hand,
        )
        if not self.hand:
            state = self._taken(state, task.end)
        state = forget_impossible(state, self.badge)
        if free:
            state = done(state)
            if chosen(state.rulings, r.ASTRONOMY_FREE_BONUS) == "no-bonus":
                return state
        return bonus(state, seat, card, task.end)

    def _taken(self, state: State, end: End) -> State:
        cards = list(state.face_up(end))
        cards[cards.index(self.badge if self.badge in cards else None)] = GONE
        return with_face_up(state, end, tuple(cards))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EarnBadge"]:
        if state.over or not isinstance(state.tasks[-1], (Earn, FreeBadge)):
            return
        player, cards = state.players[seat], state.face_up(state.tasks[-1].end)
        for card in dict.fromkeys(cards):  # two Science may lie here
            if card:
                yield cls(card)
        if player.hand:
            yield cls(player.hand, hand=True)
        # Of the cards nobody has named, those within reach: the others would only be refused for their cost.
        if None in cards or player.hand is None:
            free = isinstance(state.tasks[-1], FreeBadge)
            for card in unseen_badges(state, seat) if free else within_reach(state, seat):
                if None in cards and card not in cards:
                    yield cls(card)
                if player.hand is None:
                    yield cls(card, hand=True)

    def label(self, state: State, seat: int) -> str:
        return f"{badge(self.badge)}{' from your hand' if self.hand else ''}"

    def hint(self, state: State, seat: int) -> str:
        if isinstance(state.tasks[-1], FreeBadge):
            return "free"
        return cubes(price(state.players[seat], BADGES[self.badge])).replace("nothing", "free")

    def icon(self, state: State, seat: int) -> str:
        return "badge"

    def told(self, state: State, seat: int) -> str:
        free = " for free" if isinstance(state.tasks[-1], FreeBadge) else ""
        return f"earned {badge(self.badge)}{' from the hand' if self.hand else ''}{free}"


class GainResource(Move):
    """Gain one resource of choice (First Aid)."""

    answers = (AnyResource,)
    rules = (r.FIRST_AID,)

    kind: Resource

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, AnyResource):
            yield reason
            return
        limited = chosen(state.rulings, r.CUBE_SUPPLY) == "limited"
        if limited and not state.supply(RESOURCES.index(self.kind)):
            yield Reason("supply-empty", r.RESOURCE_SUPPLY, f"No {self.kind} is left under the Trail.")

    def apply(self, state: State, seat: int) -> State:
        return gain(done(state), seat, some(self.kind))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["GainResource"]:
        if not state.over and isinstance(state.tasks[-1], AnyResource):
            for kind in RESOURCES:
                yield cls(kind)

    def label(self, state: State, seat: int) -> str:
        return f"Take {a(self.kind)}"

    def icon(self, state: State, seat: int) -> str:
        return self.kind

    def told(self, state: State, seat: int) -> str:
        return f"chose {a(self.kind)}"


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
    "Photography": (TakePhoto(),),
    "Recycling": (Swap(),),
    "Seeker": (Bear(optional=True),),
    "Shutterbug": (TakePhoto(), TakePhoto()),
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


def all_seen(id: str) -> Reason:
    card = BADGES[id]
    has = "only one" if card.copies == 1 else f"only {card.copies}"
    return Reason("badge-copies", r.BADGE_COPIES, f"The box has {has} {card.title}, already named elsewhere.")


def no_such_badge(id: str) -> Reason:
    near = get_close_matches(id, BADGES, 1)
    hint = f"; did you mean \u201c{near[0]}\u201d?" if near else "."
    return Reason("no-such-badge", r.COMPONENTS, f"There is no badge \u201c{id}\u201d{hint}")
