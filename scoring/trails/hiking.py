"""The moves along the Trail: hike, exchange, photograph, meet the bear, leave be, keep eight."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from scoring.kernel.move import Move, chosen
from scoring.kernel.rule import Reason
from scoring.kernel.words import plural
from scoring.trails import rules as r
from scoring.trails.box import DIE
from scoring.trails.state import (
    RESOURCES,
    TRAIL_END,
    TRAILHEAD,
    AnyResource,
    AtSite,
    Bear,
    BothSites,
    Earn,
    Encounter,
    End,
    FreeBadge,
    KeepEight,
    Resource,
    SetOut,
    Site,
    State,
    Swap,
    TakePhoto,
    Task,
)
from scoring.trails.turn import RESOURCE_LIMIT, arrive, done, gain, photos_left, some, then
from scoring.trails.words import a, asks, cubes, place


def out_of_order(state: State, *answers: type[Task]) -> Reason | None:
    """Return why a move is not what the turn asks for now, if it is not."""
    if state.over:
        return Reason("play-over", r.LAST_ROUND, "Play is over; only the photos are still to be revealed.")
    if isinstance(state.tasks[-1], answers):
        return None
    if isinstance(state.tasks[-1], SetOut):
        return Reason("hike-first", r.HIKE_MUST, "Your turn starts with a hike.")
    return Reason("finish-first", r.TURN_STEPS, f"First {asks(state, state.tasks[-1])}.")


def at_site(task: Task, site: Site) -> bool:
    """Return whether a task is the action of a site, met with or without the bear."""
    if isinstance(task, BothSites):
        return site in (task.own, task.bears)
    return isinstance(task, (AtSite, Encounter)) and task.site == site


def after_site(state: State, site: Site) -> State:
    """Return the state with a site's action done; the bear met there, or the other of two sites, is still to come."""
    task = state.tasks[-1]
    if isinstance(task, Encounter):
        return then(done(state), Bear())
    if isinstance(task, BothSites):
        return then(done(state), AtSite(task.bears if site == task.own else task.own))
    return done(state)


class Hike(Move):
    """Hike 1 or 2 tiles the way you face, or any distance with a filled canteen (rulebook pp. 6-7)."""

    answers = (SetOut,)
    rules = (
        r.HIKE_DISTANCE,
        r.HIKE_FACING,
        r.CANTEEN_DISTANCE,
        r.CANTEEN_TO_END,
        r.CANTEEN_EMPTIES,
        r.CANTEEN_SHORT,
        r.SHARING,
    )

    steps: int
    canteen: bool = False

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, SetOut):
            yield reason
            return
        player = state.players[seat]
        ahead = TRAIL_END - player.at if player.facing == 1 else player.at
        if self.canteen:
            if not player.canteen:
                yield Reason("canteen-empty", r.CANTEEN_FILLED, "Canteen is empty; it refills at the Trailhead.")
            if self.steps < 1 and not self._stays(state, player.at):
                agreed = chosen(state.rulings, r.CANTEEN_STAY) == "yes"
                text = (
                    "You may stay at a site, not at an end." if agreed else "A hike goes to a new tile, with the canteen too."
                )
                yield Reason("same-tile", r.CANTEEN_NEW_TILE, text)
        elif not 1 <= self.steps <= 2:
            yield Reason("hike-distance", r.HIKE_DISTANCE, f"Without the canteen you hike 1 or 2 tiles, not {self.steps}.")
        if self.steps > ahead:
            end = place(state, TRAIL_END if player.facing == 1 else TRAILHEAD)
            tiles = plural(ahead, "tile")
            yield Reason("past-the-end", r.HIKE_ENDS, f"{end[0].upper()}{end[1:]} is {tiles} ahead; you cannot hike past it.")

    def _stays(self, state: State, at: int) -> bool:
        return self.steps == 0 and state.site_at(at) is not None and chosen(state.rulings, r.CANTEEN_STAY) == "yes"

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        if self.canteen:
            state = state.with_player(seat, canteen=False)
        return arrive(state, seat, player.at + self.steps * player.facing)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Hike"]:
        if state.over or not isinstance(state.tasks[-1], SetOut):
            return
        yield cls(1)
        yield cls(2)
        player = state.players[seat]
        ahead = TRAIL_END - player.at if player.facing == 1 else player.at
        if not player.canteen:
            yield cls(min(3, ahead), canteen=True)
            return
        for steps in range(3, ahead + 1):
            yield cls(steps, canteen=True)
        for steps in range(min(ahead, 2) + 1):
            if steps or chosen(state.rulings, r.CANTEEN_STAY) == "yes":
                yield cls(steps, canteen=True)

    def _target(self, state: State, seat: int) -> int:
        player = state.players[seat]
        return min(TRAIL_END, max(TRAILHEAD, player.at + self.steps * player.facing))

    def label(self, state: State, seat: int) -> str:
        where = place(state, self._target(state, seat))
        return f"Canteen: hike {self.steps} to {where}" if self.canteen else f"Hike {self.steps} to {where}"

    def hint(self, state: State, seat: int) -> str:
        space = self._target(state, seat)
        site = state.site_at(space)
        if site is None:
            if space == TRAILHEAD:
                return "canteen, badges"
            return "badges" if state.sun_holder is not None else "Sun bonus, badges"
        night = state.is_night(space)
        brings = {
            "exchange": "1 for 1 + 1" if night else "1 for 2",
            "photo": "free photo" if night else "photo for 1",
        }.get(site, f"+{2 if night else 1} {site}")
        return f"{brings}, bear" if site == state.bear else brings

    def icon(self, state: State, seat: int) -> str:
        space = self._target(state, seat)
        return state.site_at(space) or ("trailhead" if space == TRAILHEAD else "trail-end")

    def told(self, state: State, seat: int) -> str:
        player = state.players[seat]
        where = place(state, player.at + self.steps * player.facing)
        return f"hiked {self.steps} to {where}{' with the canteen' if self.canteen else ''}"


class Exchange(Move):
    """Exchange 1 resource: by day for 2 of one other kind, by night for 1 of each other kind (rulebook p. 6)."""

    answers = (AtSite, Encounter, BothSites, Swap)
    rules = (r.EXCHANGE_DAY, r.EXCHANGE_NIGHT, r.RECYCLING)

    give: Resource
    get: Resource | None = None  # None: one of each of the other two

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, AtSite, Encounter, BothSites, Swap):
            yield reason
            return
        task = state.tasks[-1]
        if not (isinstance(task, Swap) or at_site(task, "exchange")):
            yield Reason("no-exchange", r.SITE_ACTION, f"There is nothing to exchange here; {asks(state, task)}.")
            return
        if self._by_night(state):
            if self.get is not None:
                yield Reason("night-exchange", r.EXCHANGE_NIGHT, "By night you get one of each of the other two kinds.")
        elif self.get is None:
            yield Reason("day-exchange", r.EXCHANGE_DAY, "By day you get two of one other kind.")
        elif self.get == self.give:
            yield Reason("same-kind", r.EXCHANGE_DAY, "You get a kind different from the one you give.")
        if not state.players[seat].cubes[RESOURCES.index(self.give)]:
            rule = r.EXCHANGE_NIGHT if self._by_night(state) else r.EXCHANGE_DAY
            yield Reason("nothing-to-give", rule, f"You have no {self.give}.")
        if chosen(state.rulings, r.CUBE_SUPPLY) == "limited" and not any(
            wanted and state.supply(kind) for kind, wanted in enumerate(self._gains())
        ):
            yield Reason("supply-empty", r.RESOURCE_SUPPLY, "None of that is left under the Trail.")

    def _by_night(self, state: State) -> bool:
        """Return whether the night side is used; Recycling is always the exchange of the day."""
        return not isinstance(state.tasks[-1], Swap) and state.is_night(state.space_of("exchange"))

    def _gains(self) -> tuple[int, ...]:
        if self.get is None:
            return tuple(0 if kind == self.give else 1 for kind in RESOURCES)
        return some(self.get, 2)

    def apply(self, state: State, seat: int) -> State:
        given = some(self.give)
        held = state.players[seat].cubes
        state = state.with_player(seat, cubes=tuple(h - g for h, g in zip(held, given, strict=True)))
        return gain(after_site(state, "exchange"), seat, self._gains())

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Exchange"]:
        if state.over or not (isinstance(state.tasks[-1], Swap) or at_site(state.tasks[-1], "exchange")):
            return
        night = not isinstance(state.tasks[-1], Swap) and state.is_night(state.space_of("exchange"))
        for give in RESOURCES:
            for get in (None,) if night else (kind for kind in RESOURCES if kind != give):
                yield cls(give, get)

    def label(self, state: State, seat: int) -> str:
        return f"{self.give.capitalize()} for {cubes(self._gains()).replace(', ', ' + ')}"

    def icon(self, state: State, seat: int) -> str:
        return self.give

    def told(self, state: State, seat: int) -> str:
        return f"exchanged {a(self.give)} for {cubes(self._gains()).replace(', ', ' and ')}"


class Photograph(Move):
    """Take a Photo action: draw two and keep one, or take the face-up one (rulebook pp. 6, 8)."""

    answers = (AtSite, Encounter, BothSites, TakePhoto)
    rules = (r.PHOTO_CHOICE, r.PHOTO_FACE_UP, r.PHOTO_DAY, r.PHOTO_NIGHT, r.PHOTO_DECK_EMPTY, r.PHOTOGRAPHY, r.SHUTTERBUG)

    face_up: bool = False
    pay: Resource | None = None  # at the photo site by day

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, AtSite, Encounter, BothSites, TakePhoto):
            yield reason
            return
        task = state.tasks[-1]
        if not (isinstance(task, TakePhoto) or at_site(task, "photo")):
            yield Reason("no-photo", r.SITE_ACTION, f"There is no photo to take here; {asks(state, task)}.")
            return
        if _photo_is_free(state):
            if self.pay is not None:
                yield Reason("photo-is-free", r.PHOTO_NIGHT, "This photo is free; keep your resource.")
        elif self.pay is None:
            yield Reason("photo-price", r.PHOTO_DAY, "By day a photo costs one resource; say which.")
        elif not state.players[seat].cubes[RESOURCES.index(self.pay)]:
            yield Reason("photo-price", r.PHOTO_DAY, f"By day a photo costs one resource; you have no {self.pay}.")
        if not photos_left(state):
            yield Reason("no-photo-left", r.PHOTO_NONE_LEFT, "No photo is left, neither to draw nor face up.")
        elif self.face_up and not state.photo_discard:
            yield Reason("no-face-up-photo", r.PHOTO_FACE_UP, "No photo lies face up yet.")

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        paid = some(self.pay) if self.pay else (0, 0, 0)
        state = after_site(
            state.with_player(
                seat,
                cubes=tuple(held - cost for held, cost in zip(player.cubes, paid, strict=True)),
                photos=(*player.photos, None),
            ),
            "photo",
        )
        if self.face_up:
            return replace(state, photo_discard=state.photo_discard - 1)
        return draw_two(state)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Photograph"]:
        if state.over or not (isinstance(state.tasks[-1], TakePhoto) or at_site(state.tasks[-1], "photo")):
            return
        for pay in (None,) if _photo_is_free(state) else RESOURCES:
            yield cls(False, pay)
            yield cls(True, pay)

    def label(self, state: State, seat: int) -> str:
        draw = "draw two, keep one" if cards_drawn(state) == 2 else "draw the last one"
        take = "take the face-up photo" if self.face_up else draw
        return f"Pay {a(self.pay)}: {take}" if self.pay else take[0].upper() + take[1:]

    def icon(self, state: State, seat: int) -> str:
        return self.pay or "photo"

    def told(self, state: State, seat: int) -> str:
        drew = "drew two photos and kept one" if cards_drawn(state) == 2 else "drew the last photo"
        how = "took the face-up photo" if self.face_up else drew
        paid = f" for {a(self.pay)}" if self.pay else ""
        turned = state.photo_deck <= 2 and state.photo_deck + state.photo_discard >= 2 and not self.face_up
        return f"{how}{paid}{'; the discard pile is turned over as the new deck' if turned else ''}"


def _photo_is_free(state: State) -> bool:
    return isinstance(state.tasks[-1], TakePhoto) or state.is_night(state.space_of("photo"))


def cards_drawn(state: State) -> int:
    """Return how many photos a draw takes: two, or the last one (ruling short-photo-deck)."""
    alone = not state.photo_discard or chosen(state.rulings, r.SHORT_PHOTO_DECK) == "one-card"
    return 1 if state.photo_deck == 1 and alone else 2


def draw_two(state: State) -> State:
    """Return the state after two cards are drawn and one is discarded; an empty deck is the discard turned over.

    With a single card left in the deck, the ruling short-photo-deck decides.
    """
    deck, discard = state.photo_deck, state.photo_discard
    if deck >= 2:
        deck, discard = deck - 2, discard + 1
    elif discard and chosen(state.rulings, r.SHORT_PHOTO_DECK) == "turn-over":
        deck, discard = discard - 1, 1
    else:
        deck = 0
    if not deck:
        deck, discard = discard, 0
    return replace(state, photo_deck=deck, photo_discard=discard)


class Wildlife(Move):
    """Roll the Wildlife die and move the bear; its new site's action comes next (rulebook p. 9)."""

    answers = (Bear, Encounter)
    rules = (r.BEAR_DIE, r.BEAR_FACE, r.BEAR_MAY_ACT, r.BEAR_NIGHT, r.SEEKER)

    face: str  # a site's, or the bear
    site: Site | End

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, Bear, Encounter):
            yield reason
            return
        if self.face not in DIE:
            yield Reason("no-such-face", r.BEAR_DIE, f"The die has no face \u201c{self.face}\u201d.")
        elif self.face != "bear" and self.site != self.face:
            yield Reason("die-says", r.BEAR_DIE, f"The die shows {self.face}, so the bear goes to the {self.face} site.")
        if self.site not in state.sites:
            yield Reason("bear-at-an-end", r.BEAR_NOT_ENDS, "The bear never goes to the Trailhead or Trail End.")

    def apply(self, state: State, seat: int) -> State:
        met = state.tasks[-1]
        stays = self.site == state.bear and self.face != "bear"
        state = replace(done(state), bear=self.site)
        acts = not stays or chosen(state.rulings, r.BEAR_SAME) != "nothing"
        if isinstance(met, Encounter):
            return then(state, BothSites(met.site, self.site) if acts else AtSite(met.site))
        return then(state, AtSite(self.site)) if acts else state

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Wildlife"]:
        if state.over or not isinstance(state.tasks[-1], (Bear, Encounter)):
            return
        for face in DIE:
            if face == "bear":
                for site in state.sites:
                    yield cls(face, site)
            else:
                yield cls(face, face)

    def label(self, state: State, seat: int) -> str:
        return f"Bear face: to the {self.site} site" if self.face == "bear" else f"Rolled {self.face}"

    def icon(self, state: State, seat: int) -> str:
        return self.site

    def told(self, state: State, seat: int) -> str:
        rolled = "the bear" if self.face == "bear" else self.face
        return f"rolled {rolled}; the bear is on the {self.site} site"


class Leave(Move):
    """Leave what the turn offers: an exchange, a photo, a badge's bonus, the badges at an end."""

    answers = (AtSite, BothSites, TakePhoto, AnyResource, Swap, Bear, Earn, FreeBadge)
    rules = (r.SWAP_OPTIONAL, r.EARN_BONUS_OPTIONAL, r.BEAR_MAY_ACT, r.BEAR_BONUS_OPTIONAL, r.EARN_ONE_BY_ONE)
    LEAVABLE: ClassVar[tuple[type[Task], ...]] = (AtSite, BothSites, TakePhoto, AnyResource, Swap, Bear, Earn, FreeBadge)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, *self.LEAVABLE):
            yield reason
            return
        if isinstance(state.tasks[-1], Bear) and not state.tasks[-1].optional:
            yield Reason(
                "bear-waits", r.BEAR_BONUS_OPTIONAL, "Roll the die and move the bear; what its site brings may be left."
            )

    def apply(self, state: State, seat: int) -> State:
        return done(state)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Leave"]:
        if not state.over and isinstance(state.tasks[-1], cls.LEAVABLE):
            if not isinstance(state.tasks[-1], Bear) or state.tasks[-1].optional:
                yield cls()

    def label(self, state: State, seat: int) -> str:
        return _LEAVES.get(type(state.tasks[-1])) or f"Leave the {state.tasks[-1].site}"

    def icon(self, state: State, seat: int) -> str:
        return "check" if isinstance(state.tasks[-1], Earn) else "arrow"

    def told(self, state: State, seat: int) -> str:
        return _LEFT.get(type(state.tasks[-1])) or f"left the {state.tasks[-1].site}"


_LEAVES = {
    BothSites: "Leave both sites",
    TakePhoto: "Leave the photo",
    AnyResource: "Leave the resource",
    Swap: "Leave the exchange",
    Bear: "Leave the bear where it is",
    Earn: "Done with badges",
    FreeBadge: "Leave the free badge",
}
_LEFT = {
    BothSites: "left both sites",
    TakePhoto: "left the photo",
    AnyResource: "left the resource",
    Swap: "left the exchange",
    Bear: "left the bear where it is",
    Earn: "moved on",
    FreeBadge: "left the free badge",
}


class Keep(Move):
    """Keep eight resources at the end of the turn and put the rest back (rulebook p. 11)."""

    answers = (KeepEight,)
    rules = (r.RESOURCE_LIMIT, r.LIMIT_AT_END)

    acorn: int = 0
    leaf: int = 0
    rock: int = 0

    @property
    def _kept(self) -> tuple[int, int, int]:
        return self.acorn, self.leaf, self.rock

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := out_of_order(state, KeepEight):
            yield reason
            return
        if sum(self._kept) != RESOURCE_LIMIT:
            yield Reason("keep-eight", r.RESOURCE_LIMIT, f"You keep exactly eight, not {sum(self._kept)}.")
        for kept, held, kind in zip(self._kept, state.players[seat].cubes, RESOURCES, strict=True):
            if not 0 <= kept <= held:
                yield Reason("not-yours", r.RESOURCE_LIMIT, f"You have {held} {kind}.")

    def apply(self, state: State, seat: int) -> State:
        return done(state.with_player(seat, cubes=self._kept))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Keep"]:
        if state.over or not isinstance(state.tasks[-1], KeepEight):
            return
        acorns, leaves, rocks = state.players[seat].cubes
        for acorn in range(min(acorns, RESOURCE_LIMIT), -1, -1):
            for leaf in range(min(leaves, RESOURCE_LIMIT - acorn), -1, -1):
                if RESOURCE_LIMIT - acorn - leaf <= rocks:
                    yield cls(acorn, leaf, RESOURCE_LIMIT - acorn - leaf)

    def label(self, state: State, seat: int) -> str:
        return f"Put back {self._back(state, seat)}"

    def hint(self, state: State, seat: int) -> str:
        return f"keep {cubes(self._kept)}"

    def icon(self, state: State, seat: int) -> str:
        return "minus"

    def told(self, state: State, seat: int) -> str:
        return "kept eight"

    def _back(self, state: State, seat: int) -> str:
        held = state.players[seat].cubes
        return cubes(tuple(h - k for h, k in zip(held, self._kept, strict=True)))
