"""The moves at the ends of the Trail: earning badges, and their bonuses.

The rules are on rulebook pp. 10 and 14-15.
"""

from collections.abc import Iterator
from difflib import get_close_matches

from msgspec.structs import replace

from scoring.kernel.english import join_words, plural_form, pluralize
from scoring.kernel.move import Move, MoveLabel, chosen_option
from scoring.kernel.rule import Reason, Rule, rules_about_card
from scoring.trails import rules as r
from scoring.trails.box import BADGES, Badge, Resource
from scoring.trails.moves.hiking import finish_site_action, is_site_action
from scoring.trails.state import (
    NO_CARD,
    RESOURCES,
    BearEncounter,
    BothSites,
    ChooseResource,
    EarnBadges,
    EarnFreeBadge,
    End,
    MoveBear,
    RecyclingExchange,
    State,
    TakePhoto,
    Task,
)
from scoring.trails.text import END_NAMES, badge_title, describe_cubes, list_cubes, out_of_phase_reason
from scoring.trails.turn import (
    affordable_badges,
    badge_price,
    cubes_of_kind,
    gain,
    has_unseen_copy,
    known_badges,
    pay_cubes,
    pop_task,
    push_task,
    site_yield,
    sun_bonus,
)

# The rules of earning a badge that are about one kind of badge, by its name. Astronomy can give any badge.
_RULES_BY_BADGE: dict[str, tuple[Rule, ...]] = {
    "Recycling": (r.RECYCLING_NONE,),
    "Cartography": (r.CARTOGRAPHY,),
    "Navigation": (r.NAVIGATION,),
    "Sunshine": (r.SUNSHINE, r.SUNSHINE_WHERE, r.SUNSHINE_FINAL, r.SUNSHINE_LAST_ROUND, r.SUNSHINE_TRIGGER),
    "Research": (r.RESEARCH, r.RESEARCH_FLOOR, r.SCIENCE_RESEARCH),
}


class EarnBadge(Move[State], tag="earn-badge"):
    """Earn a badge at your end of the Trail, or the one in your hand."""

    title = "Earn a badge"
    resolves = (EarnBadges, EarnFreeBadge)
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
        r.RESEARCH,
        r.HAND_REFILL,
        r.BADGE_COPIES,
    )

    badge: str
    hand: bool = False

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.badge not in BADGES:
            yield unknown_badge_reason(self.badge)
            return
        player, (end, free), card = state.players[seat], current_visit(state), BADGES[self.badge]
        if reason := self._hand_objection(state, seat) if self.hand else self._face_up_objection(state, seat, end):
            yield replace(reason, more_rules=(r.ASTRONOMY,)) if free else reason
        if not free:
            cost = badge_price(card, player.badges)
            rule = r.RESEARCH if cost != card.cost else r.EARN_COST
            missing = [
                f"{due - held} more {kind if due - held == 1 else plural_form(kind)}"
                for kind, due, held in zip(RESOURCES, cost, player.cubes, strict=True)
                if due > held
            ]
            if missing:
                text = f"You need {join_words(missing)}. {card.title} costs {list_cubes(cost)}."
                yield Reason("cost", rule, text)

    def _hand_objection(self, state: State, seat: int) -> Reason | None:
        held = state.players[seat].hand
        if held == NO_CARD:
            return empty_hand_reason(state)
        if held is not None and held != self.badge:
            return Reason("not-in-hand", r.EARN_WHERE, f"Your hand badge is {badge_title(held)}. Choose that badge.")
        return (
            all_copies_seen_reason(self.badge)
            if state.visible_copies(self.badge) >= BADGES[self.badge].copies
            else None
        )

    def _face_up_objection(self, state: State, seat: int, end: End) -> Reason | None:
        cards = state.face_up(end)
        if self.badge in cards:
            return None
        if None not in cards:
            return Reason(
                "not-here",
                r.EARN_WHERE,
                f"{badge_title(self.badge)} is not at {END_NAMES[end]}. Choose one that is, or your hand badge.",
            )
        return None if has_unseen_copy(self.badge, known_badges(state, seat)) else all_copies_seen_reason(self.badge)

    def apply(self, state: State, seat: int) -> State:
        player, (end, free), card = state.players[seat], current_visit(state), BADGES[self.badge]
        if not free:
            state = pay_cubes(state, seat, badge_price(card, player.badges))
        state = state.with_player(seat, badges=(*player.badges, self.badge))
        state = state.with_player(seat, hand=NO_CARD) if self.hand else self._take_from_end(state, end)
        state = clear_contradicted_notes(state, self.badge)
        if free:
            state = pop_task(state)
            if chosen_option(state.rulings, r.ASTRONOMY_FREE_BONUS) == "no-bonus":
                return state
        return start_badge_bonus(state, seat, card, end)

    def _take_from_end(self, state: State, end: End) -> State:
        cards = list(state.face_up(end))
        cards[cards.index(self.badge if self.badge in cards else None)] = NO_CARD
        return with_face_up(state, end, tuple(cards))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["EarnBadge"]:
        end, free = current_visit(state)
        player, cards = state.players[seat], state.face_up(end)
        for card in dict.fromkeys(cards):  # Two Science badges may be face up at one end.
            if card:
                yield cls(card)
        if player.hand:
            yield cls(player.hand, hand=True)
        # Of unnamed cards only affordable ones are offered; the others would be refused for their cost.
        if None in cards or player.hand is None:
            known = known_badges(state, seat)
            for card in BADGES if free else affordable_badges(player.cubes, player.badges):
                if not has_unseen_copy(card, known):
                    continue
                if None in cards and card not in cards:
                    yield cls(card)
                if player.hand is None:
                    yield cls(card, hand=True)

    def cited_rules(self) -> tuple[Rule, ...]:
        """Return the rules without those about other badges."""
        return rules_about_card(self.rules, _RULES_BY_BADGE, BADGES[self.badge].name)

    def label(self, state: State, seat: int) -> MoveLabel:
        price = badge_price(BADGES[self.badge], state.players[seat].badges)
        task = state.tasks[-1] if state.tasks else None
        is_free = isinstance(task, EarnFreeBadge) or not any(price)
        return MoveLabel(
            f"Earn {badge_title(self.badge)}{' from your hand' if self.hand else ''}",
            hint="free" if is_free else describe_cubes(price),
            icon="badge",
            short=badge_title(self.badge),
        )

    def log_text(self, state: State, seat: int) -> str:
        free = " for free (Astronomy)" if isinstance(state.tasks[-1], EarnFreeBadge) else ""
        return f"earned {badge_title(self.badge)}{' from their hand' if self.hand else ''}{free}"

    def news_text(self, state: State, seat: int) -> str:
        return f"earned {BADGES[self.badge].name}{' for free' if current_visit(state)[1] else ''}"


def current_visit(state: State) -> tuple[End, bool]:
    """Return the end where badges are being earned, and whether one is free (Astronomy)."""
    match state.tasks[-1]:
        case EarnBadges(end):
            return end, False
        case EarnFreeBadge(end):
            return end, True
    raise LookupError("no badge is being earned")


class GainResource(Move[State], tag="gain-resource"):
    """Gain one resource of choice (First Aid), or take a site that is short of cubes first.

    The second case is on rulebook p. 9.
    """

    title = "Gain a resource"
    resolves = (ChooseResource, BearEncounter, BothSites)
    rules = (r.FIRST_AID, r.BEAR_ORDER, r.RESOURCE_SUPPLY)

    kind: Resource

    def is_offered(self, state: State, seat: int) -> bool:
        return isinstance(state.tasks[-1], ChooseResource) or is_site_action(state.tasks[-1], self.kind)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not isinstance(state.tasks[-1], ChooseResource):
            if not is_site_action(state.tasks[-1], self.kind):
                yield out_of_phase_reason(state)
            return
        limited = chosen_option(state.rulings, r.CUBE_SUPPLY) == "limited"
        if limited and not state.supply(RESOURCES.index(self.kind)):
            yield Reason(
                "supply-empty",
                r.RESOURCE_SUPPLY,
                f"The supply has no {plural_form(self.kind)} left. Choose another resource.",
            )

    def apply(self, state: State, seat: int) -> State:
        if isinstance(state.tasks[-1], ChooseResource):
            return gain(pop_task(state), seat, cubes_of_kind(self.kind))
        return gain(finish_site_action(state, self.kind), seat, cubes_of_kind(self.kind, site_yield(state, self.kind)))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["GainResource"]:
        for kind in RESOURCES:
            if isinstance(state.tasks[-1], ChooseResource) or is_site_action(state.tasks[-1], kind):
                yield cls(kind)

    def label(self, state: State, seat: int) -> MoveLabel:
        if isinstance(state.tasks[-1], ChooseResource):
            return MoveLabel(f"Gain 1 {self.kind}", icon=self.kind)
        cubes = pluralize(state.supply(RESOURCES.index(self.kind)), self.kind)
        return MoveLabel(f"Take the {self.kind} site\u2019s action first", hint=f"+{cubes}", icon=self.kind)

    def log_text(self, state: State, seat: int) -> str:
        is_first_aid = isinstance(state.tasks[-1], ChooseResource)
        return "used First Aid" if is_first_aid else f"took the {self.kind} site\u2019s action first"

    def news_text(self, state: State, seat: int) -> str:
        return "First Aid" if isinstance(state.tasks[-1], ChooseResource) else f"{self.kind} site first"


def start_badge_bonus(state: State, seat: int, card: Badge, end: End) -> State:
    """Return the state with a badge's one-time bonus started (rulebook pp. 14-15)."""
    if card.name == "Sunshine":
        return sun_bonus(state, seat, is_from_badge=True)
    if any(card.gains):
        return gain(state, seat, card.gains)
    if card.name == "Astronomy":
        return push_task(state, EarnFreeBadge(end))
    return push_task(state, *_BONUS_TASKS.get(card.name, ()))


_BONUS_TASKS: dict[str, tuple[Task, ...]] = {
    "First Aid": (ChooseResource(),),
    "Photography": (TakePhoto("photography"),),
    "Recycling": (RecyclingExchange(),),
    "Seeker": (MoveBear(is_optional=True),),
    "Shutterbug": (TakePhoto("shutterbug"), TakePhoto("shutterbug")),
}


def with_face_up(state: State, end: End, cards: tuple[str | None, ...]) -> State:
    return replace(state, trailhead=cards) if end == "trailhead" else replace(state, trail_end=cards)


def clear_contradicted_notes(state: State, badge: str) -> State:
    """Return the state without hand notes that a card seen by everyone contradicts.

    A hand badge is a private note, and the cards on the table take precedence. Refusing the card's name instead would
    reveal to the table which badge someone holds.
    """
    if state.visible_copies(badge) < BADGES[badge].copies or all(player.hand != badge for player in state.players):
        return state
    return replace(
        state,
        players=tuple(replace(player, hand=None) if player.hand == badge else player for player in state.players),
    )


def empty_hand_reason(state: State) -> Reason:
    """Return why no badge can be played from an empty hand."""
    if state.badge_deck:
        return Reason("hand-empty", r.HAND_REFILL, "You have no hand badge. You draw a new one when your turn ends.")
    return Reason("hand-empty", r.BADGE_DECK_EMPTY, "You have no hand badge, and the badge deck is empty.")


def all_copies_seen_reason(id: str) -> Reason:
    card = BADGES[id]
    if card.copies == 1:
        text = f"There is only one {card.title}, and it has already been entered. Choose another badge."
    else:
        badges = f"{card.copies} {card.title} badges"
        text = f"There are only {badges}, and all have already been entered. Choose another badge."
    return Reason("badge-copies", r.BADGE_COPIES, text)


def unknown_badge_reason(id: str) -> Reason:
    matches = get_close_matches(id, BADGES, 1)
    hint = f" Did you mean \u201c{matches[0]}\u201d?" if matches else ""
    return Reason("no-such-badge", r.COMPONENTS, f"There is no badge \u201c{id}\u201d.{hint}")
