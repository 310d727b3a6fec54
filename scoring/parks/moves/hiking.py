"""The moves that carry a turn: hike, choose what comes next, leave it, choose a passion's side, put tokens back."""

from collections.abc import Iterator

from scoring.kernel.english import capital
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import SITES, SITES_IN_ROW, TOKENS, Effect, Gain, Side, Token
from scoring.parks.costs import could
from scoring.parks.effects import bring_extra, done, pay, some, with_rest
from scoring.parks.state import (
    END_PARKS,
    ENDS,
    TABLE_TASKS,
    ChooseSide,
    Do,
    Extra,
    Parks,
    Pick,
    PutDown,
    SecondPhoto,
    SetOut,
    State,
    Swap,
    Task,
)
from scoring.parks.text import FIRST_ROLL, SHORT, TO_DO, TOKEN, first, gear_title, place
from scoring.parks.turn import WATERS, arrive, last_on_trail, occupied


class Hike(Move, tag="hike"):
    """Move one of your hikers forward from its space to a site, or to a space of Trail End."""

    answers = (SetOut,)
    begins = True
    rules = (
        r.HIKE_FORWARD, r.TURN_ORDER, r.FIRST_HIKER_STARTS, r.TURN_SKIPPED, r.CAMPFIRE_SHARE, r.WEATHER_TAKEN, r.SHUTTERBUG_BADGE,
        r.FOREST_SITE, r.MOUNTAIN_SITE, r.SUN_SITE, r.WATER_SITE, r.NOTHING_TO_DO, r.TRAIL_END_STAYS, r.END_CHOICE, r.END_CROWD,
        r.END_FIRST_PARKS, r.END_FIRST_PHOTO, r.END_FIRST_GEAR, r.CAMPFIRE_STAYS_OUT,
    )  # fmt: skip

    start: int
    to: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if self.start in ENDS:
            yield Reason("stays-at-end", r.TRAIL_END_STAYS, "A hiker at Trail End stays there this season.")
        elif self.start not in player.hikers:
            yield Reason("no-hiker", r.HIKERS, "None of your hikers stands there.")
        if not 1 <= self.to <= ENDS[-1]:
            yield Reason("no-such-space", r.END_CHOICE, "The Trail has nine sites, and three spaces at its end.")
        elif self.to <= self.start and self.start not in ENDS:
            yield Reason("no-backtracking", r.HIKE_FORWARD, "A hiker only goes forward.")
        elif self.to <= SITES_IN_ROW:
            if last_on_trail(state):
                yield Reason(
                    "straight-to-end", r.LAST_ON_TRAIL, "All others are at Trail End: your hikers go straight there."
                )
            if occupied(state, self.to) and not player.campfire:
                yield Reason("campfire-out", r.CAMPFIRE_SHARE, "A hiker stands there, and your campfire is out.")

    def apply(self, state: State, seat: int) -> State:
        return arrive(done(state), self.start, self.to)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Hike"]:
        for start in sorted(set(state.players[seat].hikers)):
            if start < END_PARKS:
                for to in range(start + 1, ENDS[-1] + 1):
                    yield cls(start, to)

    def label(self, state: State, seat: int) -> str:
        return capital(place(state, self.to))

    def hint(self, state: State, seat: int) -> str:
        if end := state.end_at(self.to):
            return _END_HINTS[end.brings]
        if not 1 <= self.to <= SITES_IN_ROW:
            return ""
        site, weather = state.sites[self.to - 1], state.weather[self.to - 1]
        parts = [SHORT.get(SITES[site].brings, _SITE_HINTS.get(site, ""))] if site else []
        if weather:
            parts.append(f"+ {TOKEN[weather]}")
        if site and site == state.shutterbug and state.badge != seat:
            parts.append("badge")
        if occupied(state, self.to):
            parts.append("campfire")
        return ", ".join(parts)

    def icon(self, state: State, seat: int) -> str:
        if end := state.end_at(self.to):
            return _END_ICONS[end.brings]
        if not 1 <= self.to <= SITES_IN_ROW:
            return "trail-end"
        site = state.sites[self.to - 1]
        return _SITE_ICONS.get(site, site) if site else "hiker"

    def told(self, state: State, seat: int) -> str:
        burning = " and put out the campfire" if occupied(state, self.to) else ""
        return f"hiked from {place(state, self.start)} to {place(state, self.to)}{burning}"


_SITE_HINTS: dict[str, str] = {
    "parks": "reserve or visit",
    "photo": "canteen, or photo for a token",
    "gear": "buy gear",
}
_END_HINTS: dict[str, str] = {"parks": "reserve or visit", "photo": "photo for a token", "buy": "buy gear"}
_SITE_ICONS: dict[str, str] = {"parks": "park"}
_END_ICONS: dict[str, str] = {"parks": "park", "photo": "photo", "buy": "gear"}


class Use(Move, tag="use"):
    """Choose what to do next of several things gained."""

    answers = (Pick,)
    rules = (r.GEAR_ORDER, r.GEAR_CHAIN, r.GEAR_KINDS, r.CANTEEN_BRINGS)

    what: Gain | Effect
    gear: str = ""  # the card it comes from; none: a canteen

    @property
    def extra(self) -> Extra:
        return Extra(self.what, self.gear)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.extra not in _gained(state):
            yield Reason("not-gained", r.GEAR_ONCE, "That is not among what you can do now.")
        elif self.what not in WATERS and not could(state, self.what):
            yield Reason("not-yet", r.GEAR_WAITS, "Nothing can be done about that yet; first take something else.")

    def apply(self, state: State, seat: int) -> State:
        extras = list(_gained(state))
        extras.remove(self.extra)
        return bring_extra(with_rest(done(state), extras), self.extra)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Use"]:
        for extra in dict.fromkeys(_gained(state)):
            yield cls(extra.what, extra.gear)

    def label(self, state: State, seat: int) -> str:
        return capital(TO_DO[self.what])

    def hint(self, state: State, seat: int) -> str:
        return gear_title(state.facts, self.gear) if self.gear else ""

    def icon(self, state: State, seat: int) -> str:
        signs = {"roll": "die", "parks": "park", "reserve": "park", "trade": "wildlife", "2 water": "water"}
        return signs.get(self.what, self.what)

    def told(self, state: State, seat: int) -> str:
        source = f" with {gear_title(state.facts, self.gear)}" if self.gear else ""
        return f"chose to {TO_DO[self.what].replace('your', 'the')}{source}"


def _gained(state: State) -> tuple[Extra, ...]:
    """Return what there is to choose from."""
    match state.task:
        case Pick(extras):
            return extras
    return ()


class Leave(Move, tag="leave"):
    """Leave what the turn offers, or say that you are done with it."""

    # A roll is not left, but is refused by a rule of its own.
    answers = (
        Swap,
        Parks,
        SecondPhoto,
        Pick,
        "roll",
        "canteen",
        "photo",
        "canteen or photo",
        "trade",
        "reserve",
        "buy",
    )
    rules = (r.ACTION_OPTIONAL, r.GEAR_ORDER, r.PASSION_SWAP)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        match state.task:
            case Do("roll"):
                yield Reason("roll-first", r.DIE_SITE, FIRST_ROLL)

    def apply(self, state: State, seat: int) -> State:
        return with_rest(
            done(state), [extra for extra in _gained(state) if extra.what in WATERS]
        )  # nobody means to leave that

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Leave"]:
        match state.task:
            case Do("roll"):
                return
        yield cls()

    def label(self, state: State, seat: int) -> str:
        return _leaves(state.task)[0]

    def icon(self, state: State, seat: int) -> str:
        return "check" if isinstance(state.task, (Parks, Pick)) else "arrow"

    def told(self, state: State, seat: int) -> str:
        return _leaves(state.task)[1]


def _leaves(task: Task | None) -> tuple[str, str]:
    """Return what leaving a task is called on the button, and in the log."""
    match task:
        case Swap(token):
            return f"Keep the {TOKEN[token]}", f"kept the {TOKEN[token]}"
        case Parks(visited=True):
            return "Done with parks", "was done with parks"
        case Parks():
            return "Leave the parks", "left the parks"
        case SecondPhoto():
            return "No second photo", "took no second photo"
        case Pick():
            return "Leave the rest", "left the rest"
        case Do("buy"):
            return "Buy nothing", "bought nothing"
        case Do("reserve"):
            return "Reserve nothing", "reserved nothing"
        case Do("trade"):
            return "Trade nothing", "traded nothing"
        case Do("photo"):
            return "No photo", "took no photo"
        case Do("canteen"):
            return "No canteen", "took no canteen"
    return "Leave it", "left it"


class TakeSide(Move, tag="take-side"):
    """Turn your passion over and choose its gear side or its end side."""

    sign = "passion"
    # No answers: too early, it says itself what is still missing.
    rules = (r.PASSION_GOAL, r.PASSION_SIDE, r.PASSION_SAME_TURN)

    side: Side

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        player, passion = state.players[seat], state.passion_of(seat)
        if isinstance(state.task, TABLE_TASKS):
            yield first(state)
        elif isinstance(state.task, ChooseSide):
            return
        elif passion is None:
            yield Reason("no-passion", r.PASSION_GOAL, "First say which passion you have.")
        elif player.side:
            text = f"You have completed {passion.name} already: it lies on its {player.side} side."
            yield Reason("passion-done", r.PASSION_SIDE, text)
        elif state.goal_met(seat):
            yield first(state)
        else:
            text = f"The goal of {passion.name} is {passion.goal_words}; you have {state.count(seat, passion.goal)}."
            yield Reason("goal-not-met", r.PASSION_GOAL, text)

    def apply(self, state: State, seat: int) -> State:
        return done(state).with_player(seat, side=self.side)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeSide"]:
        if isinstance(state.task, ChooseSide):
            yield cls("gear")
            yield cls("end")

    def label(self, state: State, seat: int) -> str:
        return "Gear side" if self.side == "gear" else "End side"

    def hint(self, state: State, seat: int) -> str:
        passion = state.passion_of(seat)
        if passion is None:  # another player's choice, seen from a seat that has named none
            return ""
        return passion.gear_words if self.side == "gear" else passion.end_words

    def told(self, state: State, seat: int) -> str:
        return f"completed {state.players[seat].passion} and chose its {self.side} side"


class PutBack(Move, tag="put-back"):
    """Put a token back into its tray: the backpack holds twelve (ruling backpack)."""

    answers = (PutDown,)
    rules = (r.BACKPACK,)

    token: Token

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not state.players[seat].tokens[TOKENS.index(self.token)]:
            yield Reason("nothing-to-give", r.BACKPACK, f"You have no {TOKEN[self.token]}.")

    def apply(self, state: State, seat: int) -> State:
        return pay(state, some(self.token))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["PutBack"]:
        yield from map(cls, TOKENS)

    def label(self, state: State, seat: int) -> str:
        return f"Put back a {TOKEN[self.token]}"

    def icon(self, state: State, seat: int) -> str:
        return self.token

    def told(self, state: State, seat: int) -> str:
        return f"put back a {TOKEN[self.token]}"
