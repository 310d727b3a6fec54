"""The moves of a turn: hike, choose a gain, skip, choose a passion's side, return tokens."""

from collections.abc import Iterator
from typing import get_args

from scoring.kernel.english import capitalize_first
from scoring.kernel.move import Move, MoveLabel, Phase
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import GAIN_ICONS, GAIN_TEXTS, SITE_COUNT, SITES, TOKENS, Effect, Gain, Side, Token
from scoring.parks.costs import can_do
from scoring.parks.effects import apply_extra, pay_tokens, pop_task, push_remaining_extras, tokens_of_kind
from scoring.parks.state import (
    END_PARKS,
    TABLE_TASKS,
    TRAIL_END_SPACES,
    ActionKind,
    ChooseExtra,
    ChooseSide,
    DoAction,
    Extra,
    ParksAction,
    ReturnTokens,
    SecondPhoto,
    StartHike,
    State,
    SwapGainedToken,
    Task,
)
from scoring.parks.text import (
    GAIN_INSTRUCTIONS,
    ROLL_FIRST_TEXT,
    TOKEN_NAMES,
    gear_title,
    out_of_phase_reason,
    space_name,
)
from scoring.parks.turn import WATER_GAINS, arrive, is_last_on_trail, is_occupied


class Hike(Move[State], tag="hike"):
    """Move one of your hikers forward from its space to a site, or to a space of Trail End."""

    title = "Hike"
    resolves = (StartHike,)
    phase = Phase.TURN_START
    rules = (
        r.HIKE_FORWARD, r.TURN_ORDER, r.FIRST_HIKER_STARTS, r.TURN_SKIPPED, r.CAMPFIRE_SHARE, r.WEATHER_TAKEN,
        r.SHUTTERBUG_BADGE, r.FOREST_SITE, r.MOUNTAIN_SITE, r.SUN_SITE, r.WATER_SITE, r.NOTHING_TO_DO,
        r.TRAIL_END_STAYS, r.END_CHOICE, r.END_CROWD, r.END_FIRST_PARKS, r.END_FIRST_PHOTO, r.END_FIRST_GEAR,
        r.CAMPFIRE_STAYS_OUT, r.LAST_ON_TRAIL, r.HIKERS,
    )  # fmt: skip

    start: int
    to: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if self.start in TRAIL_END_SPACES:
            yield Reason("stays-at-end", r.TRAIL_END_STAYS, "A hiker at Trail End stays there this season.")
        elif self.start not in player.hikers:
            yield Reason("no-hiker", r.HIKERS, "None of your hikers stands there.")
        if not 1 <= self.to <= TRAIL_END_SPACES[-1]:
            yield Reason("no-such-space", r.END_CHOICE, "The Trail has nine sites, and three spaces at its end.")
        elif self.to <= self.start and self.start not in TRAIL_END_SPACES:
            yield Reason("no-backtracking", r.HIKE_FORWARD, "A hiker only goes forward.")
        elif self.to <= SITE_COUNT:
            if is_last_on_trail(state):
                yield Reason(
                    "straight-to-end", r.LAST_ON_TRAIL, "All others are at Trail End: your hikers go straight there."
                )
            if is_occupied(state, self.to) and not player.campfire:
                yield Reason("campfire-out", r.CAMPFIRE_SHARE, "A hiker stands there, and your campfire is out.")

    def apply(self, state: State, seat: int) -> State:
        return arrive(pop_task(state), self.start, self.to)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Hike"]:
        for start in sorted(set(state.players[seat].hikers)):
            if start < END_PARKS:
                for to in range(start + 1, TRAIL_END_SPACES[-1] + 1):
                    yield cls(start, to)

    def label(self, state: State, seat: int) -> MoveLabel:
        text = capitalize_first(space_name(state, self.to))
        if end := state.end_space_at(self.to):
            return MoveLabel(text, hint=_END_HINTS[end.action], icon=GAIN_ICONS.get(end.action, end.action))
        if not 1 <= self.to <= SITE_COUNT:
            return MoveLabel(text, icon="trail-end")
        site, weather = state.sites[self.to - 1], state.weather[self.to - 1]
        parts = [GAIN_TEXTS.get(SITES[site].brings, _SITE_HINTS.get(site, ""))] if site else []
        if weather:
            parts.append(f"+ {TOKEN_NAMES[weather]}")
        if site and site == state.shutterbug and state.badge != seat:
            parts.append("badge")
        if is_occupied(state, self.to):
            parts.append("campfire")
        return MoveLabel(text, hint=", ".join(parts), icon=GAIN_ICONS.get(site, site) if site else "hiker")

    def log_text(self, state: State, seat: int) -> str:
        campfire_text = " and put out the campfire" if is_occupied(state, self.to) else ""
        return f"hiked from {space_name(state, self.start)} to {space_name(state, self.to)}{campfire_text}"


_SITE_HINTS: dict[str, str] = {
    "parks": "reserve or visit",
    "photo": "canteen, or photo for a token",
    "gear": "buy gear",
}
_END_HINTS: dict[str, str] = {"parks": "reserve or visit", "photo": "photo for a token", "buy": "buy gear"}


class UseExtra(Move[State], tag="use"):
    """Choose which of several gains to use next."""

    title = "Use"
    resolves = (ChooseExtra,)
    rules = (r.GEAR_ORDER, r.GEAR_CHAIN, r.GEAR_KINDS, r.CANTEEN_BRINGS, r.GEAR_ONCE, r.GEAR_WAITS)

    what: Gain | Effect
    gear: str = ""  # id of the card it comes from; "" for a canteen

    @property
    def extra(self) -> Extra:
        return Extra(self.what, self.gear)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.extra not in _available_extras(state):
            yield Reason("not-gained", r.GEAR_ONCE, "That is not among what you can do now.")
        elif self.what not in WATER_GAINS and not can_do(state, self.what):
            yield Reason("not-yet", r.GEAR_WAITS, "Nothing can be done about that yet; first take something else.")

    def apply(self, state: State, seat: int) -> State:
        extras = list(_available_extras(state))
        extras.remove(self.extra)
        return apply_extra(push_remaining_extras(pop_task(state), extras), self.extra)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["UseExtra"]:
        for extra in dict.fromkeys(_available_extras(state)):
            yield cls(extra.what, extra.gear)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            capitalize_first(GAIN_INSTRUCTIONS[self.what]),
            hint=gear_title(state.facts, self.gear) if self.gear else "",
            icon=GAIN_ICONS.get(self.what, self.what),
        )

    def log_text(self, state: State, seat: int) -> str:
        source = f" with {gear_title(state.facts, self.gear)}" if self.gear else ""
        return f"chose to {GAIN_INSTRUCTIONS[self.what].replace('your', 'the')}{source}"


def _available_extras(state: State) -> tuple[Extra, ...]:
    """Return the gains to choose from."""
    match state.task:
        case ChooseExtra(extras):
            return extras
    return ()


class Skip(Move[State], tag="leave"):
    """Skip a gain of the turn, or finish it."""

    title = "Leave"
    # A roll cannot be skipped; it is included so that the refusal names its own rule.
    resolves = (SwapGainedToken, ParksAction, SecondPhoto, ChooseExtra, *get_args(ActionKind))
    rules = (r.ACTION_OPTIONAL, r.GEAR_ORDER, r.PASSION_SWAP, r.DIE_SITE)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        match state.task:
            case DoAction("roll"):
                yield Reason("roll-first", r.DIE_SITE, ROLL_FIRST_TEXT)

    def apply(self, state: State, seat: int) -> State:
        # Nobody means to skip Water.
        return push_remaining_extras(
            pop_task(state), [extra for extra in _available_extras(state) if extra.what in WATER_GAINS]
        )

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            _skip_texts(state.task)[0], icon="check" if isinstance(state.task, (ParksAction, ChooseExtra)) else "arrow"
        )

    def log_text(self, state: State, seat: int) -> str:
        return _skip_texts(state.task)[1]


def _skip_texts(task: Task | None) -> tuple[str, str]:
    """Return the texts for skipping a task: on the button, and in the log."""
    match task:
        case SwapGainedToken(token):
            return f"Keep the {TOKEN_NAMES[token]}", f"kept the {TOKEN_NAMES[token]}"
        case ParksAction(has_visited=True):
            return "Done with parks", "was done with parks"
        case ParksAction():
            return "Leave the parks", "left the parks"
        case SecondPhoto():
            return "No second photo", "took no second photo"
        case ChooseExtra():
            return "Leave the rest", "left the rest"
        case DoAction("buy"):
            return "Buy nothing", "bought nothing"
        case DoAction("reserve"):
            return "Reserve nothing", "reserved nothing"
        case DoAction("trade"):
            return "Trade nothing", "traded nothing"
        case DoAction("photo"):
            return "No photo", "took no photo"
        case DoAction("canteen"):
            return "No canteen", "took no canteen"
    return "Leave it", "left it"


class TakeSide(Move[State], tag="take-side"):
    """Turn your passion over and choose its gear side or its end side."""

    title = "Take side"
    # It resolves no task, so that an early choice is refused with what is missing for the goal.
    rules = (r.PASSION_GOAL, r.PASSION_SIDE, r.PASSION_SAME_TURN, r.DIE_SITE, r.SITE_ACTION)

    side: Side

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        player, passion = state.players[seat], state.passion_of(seat)
        if isinstance(state.task, TABLE_TASKS):
            yield out_of_phase_reason(state)
        elif isinstance(state.task, ChooseSide):
            return
        elif passion is None:
            yield Reason("no-passion", r.PASSION_GOAL, "First say which passion you have.")
        elif player.side:
            text = f"You have completed {passion.name} already: it lies on its {player.side} side."
            yield Reason("passion-done", r.PASSION_SIDE, text)
        elif state.has_met_goal(seat):
            yield out_of_phase_reason(state)
        else:
            text = f"The goal of {passion.name} is {passion.goal_text}; you have {state.count(seat, passion.goal)}."
            yield Reason("goal-not-met", r.PASSION_GOAL, text)

    def apply(self, state: State, seat: int) -> State:
        return pop_task(state).with_player(seat, side=self.side)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeSide"]:
        if isinstance(state.task, ChooseSide):
            yield cls("gear")
            yield cls("end")

    def label(self, state: State, seat: int) -> MoveLabel:
        # None: this is another player's choice, seen from a seat without a named passion.
        passion = state.passion_of(seat)
        if self.side == "gear":
            return MoveLabel("Gear side", hint=passion.gear_text if passion else "", icon="passion")
        return MoveLabel("End side", hint=passion.end_text if passion else "", icon="passion")

    def log_text(self, state: State, seat: int) -> str:
        return f"completed {state.players[seat].passion} and chose its {self.side} side"


class ReturnToken(Move[State], tag="put-back"):
    """Return a token to its tray: the backpack holds twelve (ruling backpack)."""

    title = "Put back"
    resolves = (ReturnTokens,)
    rules = (r.BACKPACK,)

    token: Token

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.players[seat].tokens[TOKENS.index(self.token)]:
            yield Reason("nothing-to-give", r.BACKPACK, f"You have no {TOKEN_NAMES[self.token]}.")

    def apply(self, state: State, seat: int) -> State:
        return pay_tokens(state, tokens_of_kind(self.token))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["ReturnToken"]:
        yield from map(cls, TOKENS)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Put back a {TOKEN_NAMES[self.token]}", icon=self.token)

    def log_text(self, state: State, seat: int) -> str:
        return f"put back a {TOKEN_NAMES[self.token]}"
