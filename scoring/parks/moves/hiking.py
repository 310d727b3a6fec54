"""The moves of a turn: hike, choose a gain, skip, choose a passion's side, return tokens."""

from collections.abc import Iterator, Sequence
from typing import get_args

from scoring.kernel.english import capitalize_first
from scoring.kernel.move import Move, MoveLabel, Phase
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import (
    GAIN_ICONS,
    GAIN_TEXTS,
    SIDE_TEXTS,
    SITE_COUNT,
    SITES,
    TOKENS,
    Effect,
    Gain,
    Side,
    Token,
)
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
)
from scoring.parks.text import (
    GAIN_INSTRUCTIONS,
    ROLL_FIRST_TEXT,
    TOKEN_NAMES,
    gear_title,
    out_of_phase_reason,
    space_name,
    space_title,
    task_source,
)
from scoring.parks.turn import WATER_GAINS, arrive, is_last_on_trail, is_occupied


class Hike(Move[State], tag="hike"):
    """Move one of your hikers forward from its space to a site, or to a space of Trail’s End."""

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
            yield Reason(
                "stays-at-end",
                r.TRAIL_END_STAYS,
                "This hiker stays at Trail\u2019s End until the season ends. Move your other hiker.",
            )
        elif self.start not in player.hikers:
            yield Reason("no-hiker", r.HIKERS, "None of your hikers is on that space. Move one from where it is.")
        if not 1 <= self.to <= TRAIL_END_SPACES[-1]:
            yield Reason(
                "no-such-space",
                r.END_CHOICE,
                "The Trail has nine sites, then three spaces at Trail\u2019s End. Choose one of them.",
            )
        elif self.to <= self.start and self.start not in TRAIL_END_SPACES:
            yield Reason(
                "no-backtracking", r.HIKE_FORWARD, "Hikers never move back. Choose a space ahead of this hiker."
            )
        elif self.to <= SITE_COUNT:
            if is_last_on_trail(state):
                hikers = "hiker" if state.player.has_one_hiker_left else "hikers"
                yield Reason(
                    "straight-to-end",
                    r.LAST_ON_TRAIL,
                    f"Everyone else is at Trail\u2019s End. Move your {hikers} straight there.",
                )
            if is_occupied(state, self.to) and not player.campfire:
                others = [other for other in state.players if other != player and self.to in other.hikers]
                hiker = "Another hiker" if others else "Your other hiker"
                yield Reason(
                    "campfire-out",
                    r.CAMPFIRE_SHARE,
                    f"{hiker} is there, and your campfire is out. Choose an empty site.",
                )

    def apply(self, state: State, seat: int) -> State:
        return arrive(pop_task(state), self.start, self.to)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Hike"]:
        for start in sorted(set(state.players[seat].hikers)):
            if start < END_PARKS:
                for to in range(start + 1, TRAIL_END_SPACES[-1] + 1):
                    yield cls(start, to)

    def label(self, state: State, seat: int) -> MoveLabel:
        short = space_title(state, self.to)
        text, parts = f"Hike {self._start_text(state, seat)}to {space_name(state, self.to)}", []
        if end := state.end_space_at(self.to):
            parts.append(_ACTION_HINTS[end.action])
            if state.unused_end_space_at(self.to):
                verb = "keep" if state.first_hiker == seat else "take"
                parts.append(_FIRST_HINTS.get(end.first_visitor_gain, f"{verb} the First Hiker token"))
            return MoveLabel(text, ", ".join(parts), GAIN_ICONS.get(end.action, end.action), short)
        if not 1 <= self.to <= SITE_COUNT:
            return MoveLabel(text, icon="trail-end")
        site, weather = state.sites[self.to - 1], state.weather[self.to - 1]
        if site:
            parts.append(_ACTION_HINTS.get(SITES[site].brings) or f"+{GAIN_TEXTS[SITES[site].brings]}")
        if weather:
            parts.append(f"+1 {TOKEN_NAMES[weather]} (weather)")
        if site and site == state.shutterbug and state.badge != seat:
            parts.append("take the Shutterbug Badge")
        if is_occupied(state, self.to) and state.players[seat].campfire:
            parts.append("extinguish your campfire")
        return MoveLabel(text, ", ".join(parts), GAIN_ICONS.get(site, site) if site else "hiker", short)

    def _start_text(self, state: State, seat: int) -> str:
        """Return "from the Sun site " or the like if the other hiker starts elsewhere."""
        behind, ahead = state.players[seat].hikers
        return f"from {space_name(state, self.start)} " if behind != ahead and ahead < END_PARKS else ""

    def log_text(self, state: State, seat: int) -> str:
        campfire_text = " and extinguished their campfire" if is_occupied(state, self.to) else ""
        return f"hiked from {space_name(state, self.start)} to {space_name(state, self.to)}{campfire_text}"

    def news_text(self, state: State, seat: int) -> str:
        if end := state.end_space_at(self.to):
            took_token = end.first_visitor_gain is None and state.unused_end_space_at(self.to)
            return f"Trail\u2019s End: {end.title}{', First Hiker token' if took_token else ''}"
        took_badge = state.sites[self.to - 1] == state.shutterbug and state.badge != seat
        parts = (
            space_title(state, self.to),
            "campfire out" if is_occupied(state, self.to) else "",
            "Shutterbug Badge" if took_badge else "",
        )
        return ", ".join(filter(None, parts))


def place(state: State, seat: int, moves: Sequence[Move]) -> str:
    """Return the place of the last of some moves: the space a hiker moved to; may be empty."""
    spaces = [move.to for move in moves if isinstance(move, Hike)]
    return space_name(state, spaces[-1]) if spaces else ""


# What sites and spaces of Trail’s End bring, other than Resources.
_ACTION_HINTS: dict[str, str] = {
    "parks": "reserve a park or visit parks",
    "photo": "take a photo",
    "buy": "buy gear",
    "roll": "roll the die",
    "trade": "trade for Wildlife",
    "canteen or photo": "gain a canteen or take a photo",
}
# What the first player to use a space of Trail’s End in a season gains, other than the First Hiker token.
_FIRST_HINTS: dict[str | None, str] = {"wildlife": "+1 Wildlife (first there)", "sun": "+1 Sun (first there)"}


class UseExtra(Move[State], tag="use"):
    """Choose which of several gains to use next."""

    title = "Use a benefit"
    resolves = (ChooseExtra,)
    rules = (r.GEAR_ORDER, r.GEAR_CHAIN, r.GEAR_KINDS, r.CANTEEN_BRINGS, r.GEAR_ONCE, r.GEAR_WAITS)

    what: Gain | Effect
    gear: str = ""  # id of the card it comes from; "" for a canteen

    @property
    def extra(self) -> Extra:
        return Extra(self.what, self.gear)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.extra not in _available_extras(state):
            yield Reason("not-gained", r.GEAR_ONCE, "You do not have this benefit now. Choose one that is offered.")
        elif self.what not in WATER_GAINS and not can_do(state, self.what):
            yield Reason("not-yet", r.GEAR_WAITS, "You cannot use this benefit yet. Choose another one first.")

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
        source = state.gear_source(self.gear) if self.gear else "canteen"
        return f"chose to {GAIN_INSTRUCTIONS[self.what].replace('your', 'the')} ({source})"

    def news_text(self, state: State, seat: int) -> str:
        return f"+{GAIN_TEXTS[self.what]}" if self.what in WATER_GAINS else ""


def _available_extras(state: State) -> tuple[Extra, ...]:
    """Return the gains to choose from."""
    match state.task:
        case ChooseExtra(extras):
            return extras
    return ()


class Skip(Move[State], tag="leave"):
    """Skip a gain of the turn, or finish it."""

    title = "Skip"
    # A roll cannot be skipped; it is included so that the refusal names its own rule.
    resolves = (SwapGainedToken, ParksAction, SecondPhoto, ChooseExtra, *get_args(ActionKind))
    rules = (r.ACTION_OPTIONAL, r.GEAR_ORDER, r.PASSION_SWAP, r.DIE_SITE)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        match state.task:
            case DoAction("roll"):
                yield Reason("roll-first", r.DIE_SITE, ROLL_FIRST_TEXT)

    def apply(self, state: State, seat: int) -> State:
        # No one means to skip Water.
        return push_remaining_extras(
            pop_task(state), [extra for extra in _available_extras(state) if extra.what in WATER_GAINS]
        )

    def label(self, state: State, seat: int) -> MoveLabel:
        text = _skip_texts(state)[0]
        icon = "check" if isinstance(state.task, (ParksAction, ChooseExtra)) else "arrow"
        return MoveLabel(text, icon=icon, short="Skip" if text == SKIP_TEXT else "")

    def log_text(self, state: State, seat: int) -> str:
        return _skip_texts(state)[1]

    def news_text(self, state: State, seat: int) -> str:
        return ""


# One text for all actions, so that the list of possible moves has it once.
SKIP_TEXT = "Skip the action"
# The text in the log for skipping an action.
_SKIPPED_ACTION_TEXTS: dict[str, str] = {
    "buy": "did not buy gear",
    "reserve": "did not reserve a park",
    "trade": "skipped the trade",
    "photo": "skipped the photo",
    "canteen": "skipped the canteen",
    "canteen or photo": "skipped the canteen and the photo",
}


def _skip_texts(state: State) -> tuple[str, str]:
    """Return the texts for skipping the current task: in lists of moves, and in the log."""
    match state.task:
        case SwapGainedToken(token):
            return f"Keep the {TOKEN_NAMES[token]}", f"kept the {TOKEN_NAMES[token]}"
        case ParksAction(has_visited=True):
            return "Finish", "finished visiting parks"
        case ParksAction():
            return SKIP_TEXT, "skipped the Parks action"
        case SecondPhoto():
            return SKIP_TEXT, "skipped the second photo"
        case ChooseExtra():
            return "Skip the rest", "skipped the other benefits"
        case DoAction(action) if action in _SKIPPED_ACTION_TEXTS:
            return SKIP_TEXT, f"{_SKIPPED_ACTION_TEXTS[action]}{task_source(state)}"
    return SKIP_TEXT, "skipped"


class TakeSide(Move[State], tag="take-side"):
    """Flip your passion and choose its Gear Effect or its End Game Bonus."""

    title = "Choose a side"
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
            yield Reason("no-passion", r.PASSION_GOAL, "First enter your passion.", unknown_fact="your passion")
        elif player.side:
            text = f"You already chose a side of {passion.name}: its {SIDE_TEXTS[player.side]}."
            yield Reason("passion-done", r.PASSION_SIDE, text)
        elif state.has_met_goal(seat):
            yield out_of_phase_reason(state)
        else:
            count = state.count(seat, passion.goal)
            text = f"{passion.name} is not complete. Its objective: {passion.goal_text}. You have {count}."
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
        texts = {"gear": passion.gear_text, "end": passion.end_text} if passion else {}
        title = SIDE_TEXTS[self.side]
        return MoveLabel(
            f"Choose the {title}", hint=capitalize_first(texts.get(self.side, "")), icon="passion", short=title
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"completed {state.players[seat].passion} and chose its {SIDE_TEXTS[self.side]}"

    def news_text(self, state: State, seat: int) -> str:
        return f"completed {state.players[seat].passion} ({SIDE_TEXTS[self.side]})"


class ReturnToken(Move[State], tag="put-back"):
    """Return a token to its tray: the backpack holds twelve (ruling backpack)."""

    title = "Return a Resource"
    resolves = (ReturnTokens,)
    rules = (r.BACKPACK,)

    token: Token

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.players[seat].tokens[TOKENS.index(self.token)]:
            yield Reason(
                "nothing-to-give", r.BACKPACK, f"You have no {TOKEN_NAMES[self.token]}. Return another Resource."
            )

    def apply(self, state: State, seat: int) -> State:
        return pay_tokens(state, tokens_of_kind(self.token))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["ReturnToken"]:
        yield from map(cls, TOKENS)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Return 1 {TOKEN_NAMES[self.token]}", icon=self.token)

    def log_text(self, state: State, seat: int) -> str:
        return f"returned 1 {TOKEN_NAMES[self.token]} (backpack limit)"

    def news_text(self, state: State, seat: int) -> str:
        return f"\u22121 {TOKEN_NAMES[self.token]} (backpack limit)"
