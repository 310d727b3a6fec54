"""The moves that carry a turn: hike, choose what comes next, leave it, choose a passion's side, put tokens back."""

from collections.abc import Iterator

from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import SITES, TOKENS, Effect, Gain, Side, Token, gains
from scoring.parks.gaining import bring, done, pay, some, with_rest
from scoring.parks.paying import could
from scoring.parks.state import (
    END_PARKS,
    ENDS,
    SITES_IN_ROW,
    TABLE_TASKS,
    ChooseSide,
    Do,
    Parks,
    Pick,
    PutDown,
    SecondPhoto,
    SetOut,
    State,
    Swap,
    Task,
)
from scoring.parks.turn import WATERS, arrive, last_on_trail, occupied
from scoring.parks.words import SHORT, TO_DO, TOKEN, asks, gear_title, place


def out_of_order(state: State, *answers: type[Task]) -> Reason | None:
    """Return why a move is not what the turn asks for now, if it is not."""
    task = state.tasks[-1]
    if isinstance(task, answers):
        return None
    if isinstance(task, SetOut):
        return Reason("hike-first", r.SITE_ACTION, "Your turn starts with a hike.")
    rule = r.TRAIL_AGAIN if isinstance(task, TABLE_TASKS) else r.TURN_STEPS
    return Reason("finish-first", rule, f"First {asks(state, task)}.")


def may_do(state: State, *kinds: Gain) -> bool:
    """Return whether the present task is one of these things to do."""
    return bool(state.tasks) and isinstance(state.tasks[-1], Do) and state.tasks[-1].what in kinds


def not_here(state: State, *kinds: Gain) -> Reason | None:
    """Return why something cannot be done now, if the present task is another one."""
    if reason := out_of_order(state, Do, Parks, SecondPhoto):
        return reason
    if may_do(state, *kinds):
        return None
    return Reason("finish-first", r.TURN_STEPS, f"First {asks(state, state.tasks[-1])}.")


class Hike(Move):
    """Move one of your hikers forward from its space to a site, or to a space of Trail End."""

    answers = (SetOut,)
    rules = (r.HIKE_FORWARD, r.CAMPFIRE_SHARE, r.END_CHOICE, r.END_CROWD, r.TRAIL_END_STAYS, r.CAMPFIRE_STAYS_OUT)

    start: int
    to: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, SetOut):
            yield reason
            return
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
                yield Reason("straight-to-end", r.LAST_ON_TRAIL, "All others are at Trail End: your hikers go straight there.")
            if occupied(state, self.to) and not player.campfire:
                yield Reason("campfire-out", r.CAMPFIRE_SHARE, "A hiker stands there, and your campfire is out.")

    def apply(self, state: State, seat: int) -> State:
        return arrive(done(state), self.start, self.to)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Hike"]:
        if state.over or not isinstance(state.tasks[-1], SetOut):
            return
        for start in sorted(set(state.players[seat].hikers)):
            if start < END_PARKS:
                for to in range(start + 1, ENDS[-1] + 1):
                    yield cls(start, to)

    def label(self, state: State, seat: int) -> str:
        where = place(state, self.to)
        return f"{where[0].upper()}{where[1:]}"

    def hint(self, state: State, seat: int) -> str:
        if not 1 <= self.to <= SITES_IN_ROW:
            return _END_HINTS.get(self.to, "")
        site = state.sites[self.to - 1]
        parts = [SHORT.get(SITES[site].brings, _SITE_HINTS.get(site, ""))] if site else []
        if state.weather[self.to - 1]:
            parts.append(f"+ {TOKEN[state.weather[self.to - 1]]}")
        if site and site == state.shutterbug and state.badge != seat:
            parts.append("badge")
        if occupied(state, self.to):
            parts.append("campfire")
        return ", ".join(parts)

    def icon(self, state: State, seat: int) -> str:
        if 1 <= self.to <= SITES_IN_ROW:
            return _SITE_ICONS.get(state.sites[self.to - 1], state.sites[self.to - 1] or "hiker")
        return _END_ICONS.get(self.to, "trail-end")

    def told(self, state: State, seat: int) -> str:
        burning = " and put out the campfire" if occupied(state, self.to) else ""
        return f"hiked from {place(state, self.start)} to {place(state, self.to)}{burning}"


_SITE_HINTS = {
    "parks": "reserve or visit",
    "photo": "canteen, or photo for a token",
    "gear": "buy gear",
}
_END_HINTS = dict(zip(ENDS, ("reserve or visit", "photo for a token", "buy gear"), strict=True))
_SITE_ICONS = {"parks": "park"}
_END_ICONS = dict(zip(ENDS, ("park", "photo", "gear"), strict=True))


class Use(Move):
    """Choose what to do next of several things gained."""

    answers = (Pick,)
    rules = (r.GEAR_ORDER, r.GEAR_CHAIN, r.CANTEEN_BRINGS)

    what: Gain | Effect
    gear: str = ""  # the card it comes from; none: a canteen

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, Pick):
            yield reason
        elif all((extra.what, extra.gear) != (self.what, self.gear) for extra in state.tasks[-1].extras):
            yield Reason("not-gained", r.GEAR_ONCE, "That is not among what you can do now.")
        elif self.what not in WATERS and not could(state, self.what):
            yield Reason("not-yet", r.GEAR_WAITS, "Nothing can be done about that yet; first take something else.")

    def apply(self, state: State, seat: int) -> State:
        extras = list(state.tasks[-1].extras)
        extras.remove(next(extra for extra in extras if (extra.what, extra.gear) == (self.what, self.gear)))
        return bring(with_rest(done(state), extras), gains(self.what))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Use"]:
        if not state.over and isinstance(state.tasks[-1], Pick):
            for extra in dict.fromkeys(state.tasks[-1].extras):
                yield cls(extra.what, extra.gear)

    def label(self, state: State, seat: int) -> str:
        words = TO_DO[self.what]
        return f"{words[0].upper()}{words[1:]}"

    def hint(self, state: State, seat: int) -> str:
        return gear_title(state.facts, self.gear) if self.gear else ""

    def icon(self, state: State, seat: int) -> str:
        signs = {"roll": "die", "parks": "park", "reserve": "park", "trade": "wildlife", "2 water": "water"}
        return signs.get(self.what, self.what)

    def told(self, state: State, seat: int) -> str:
        source = f" with {gear_title(state.facts, self.gear)}" if self.gear else ""
        return f"chose to {TO_DO[self.what].replace('your', 'the')}{source}"


class Leave(Move):
    """Leave what the turn offers, or say that you are done with it."""

    answers = (Swap, Parks, SecondPhoto, Pick, "roll", "canteen", "photo", "canteen or photo", "trade", "reserve", "buy")
    rules = (r.ACTION_OPTIONAL, r.GEAR_ORDER, r.PASSION_SWAP)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, Do, Parks, SecondPhoto, Swap, Pick):
            yield reason
        elif may_do(state, "roll"):
            yield Reason("roll-first", r.DIE_SITE, "First roll the Trail Die.")

    def apply(self, state: State, seat: int) -> State:
        task = state.tasks[-1]
        water = [extra for extra in task.extras if extra.what in WATERS] if isinstance(task, Pick) else []
        return with_rest(done(state), water)  # nobody means to leave that

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Leave"]:
        if not state.over and isinstance(state.tasks[-1], (Do, Parks, SecondPhoto, Swap, Pick)) and not may_do(state, "roll"):
            yield cls()

    def label(self, state: State, seat: int) -> str:
        return _leaves(state.tasks[-1])[0]

    def icon(self, state: State, seat: int) -> str:
        return "check" if isinstance(state.tasks[-1], (Parks, Pick)) else "arrow"

    def told(self, state: State, seat: int) -> str:
        return _leaves(state.tasks[-1])[1]


def _leaves(task: Task) -> tuple[str, str]:
    """Return what leaving a task is called on the button, and in the log."""
    match task:
        case Swap(token=token):
            return f"Keep the {TOKEN[token]}", f"kept the {TOKEN[token]}"
        case Parks(visited=True):
            return "Done with parks", "was done with parks"
        case Parks():
            return "Leave the parks", "left the parks"
        case SecondPhoto():
            return "No second photo", "took no second photo"
        case Pick():
            return "Leave the rest", "left the rest"
        case Do(what="buy"):
            return "Buy nothing", "bought nothing"
        case Do(what="reserve"):
            return "Reserve nothing", "reserved nothing"
        case Do(what="trade"):
            return "Trade nothing", "traded nothing"
        case Do(what="photo"):
            return "No photo", "took no photo"
        case Do(what="canteen"):
            return "No canteen", "took no canteen"
    return "Leave it", "left it"


class TakeSide(Move):
    """Turn your passion over and choose its gear side or its end side."""

    answers = (ChooseSide,)
    rules = (r.PASSION_SIDE, r.PASSION_SAME_TURN)

    side: Side

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, ChooseSide):
            yield reason

    def apply(self, state: State, seat: int) -> State:
        return done(state).with_player(seat, side=self.side)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeSide"]:
        if not state.over and isinstance(state.tasks[-1], ChooseSide):
            yield cls("gear")
            yield cls("end")

    def label(self, state: State, seat: int) -> str:
        return "Gear side" if self.side == "gear" else "End side"

    def hint(self, state: State, seat: int) -> str:
        passion = state.passion_of(seat)
        if passion is None:  # another player's choice, seen from a seat that has named none
            return ""
        return passion.gear_words if self.side == "gear" else passion.end_words

    def icon(self, state: State, seat: int) -> str:
        return "passion"

    def told(self, state: State, seat: int) -> str:
        return f"completed {state.players[seat].passion} and chose its {self.side} side"


class PutBack(Move):
    """Put a token back into its tray: the backpack holds twelve (ruling backpack)."""

    answers = (PutDown,)
    rules = (r.BACKPACK,)

    token: Token

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, PutDown):
            yield reason
        elif not state.players[seat].tokens[TOKENS.index(self.token)]:
            yield Reason("nothing-to-give", r.BACKPACK, f"You have no {TOKEN[self.token]}.")

    def apply(self, state: State, seat: int) -> State:
        return pay(state, some(self.token))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["PutBack"]:
        if not state.over and isinstance(state.tasks[-1], PutDown):
            yield from map(cls, TOKENS)

    def label(self, state: State, seat: int) -> str:
        return f"Put back a {TOKEN[self.token]}"

    def icon(self, state: State, seat: int) -> str:
        return self.token

    def told(self, state: State, seat: int) -> str:
        return f"put back a {TOKEN[self.token]}"
