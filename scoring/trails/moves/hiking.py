"""The moves along the Trail: hike, exchange, photo, bear, skip, keep eight."""

from collections.abc import Iterator, Sequence
from operator import sub
from typing import cast

from msgspec.structs import replace

from scoring.kernel.english import capitalize_first, plural_form, pluralize, with_article
from scoring.kernel.move import Move, MoveLabel, Phase, chosen_option
from scoring.kernel.rule import Reason, Rule
from scoring.trails import rules as r
from scoring.trails.box import DIE, SUN_ICON_TEXTS, Cubes, Resource, Site, cubes_per_visit
from scoring.trails.state import (
    RESOURCES,
    TRAIL_END,
    TRAILHEAD,
    BearEncounter,
    BothSites,
    ChooseResource,
    EarnBadges,
    EarnFreeBadge,
    End,
    KeepEight,
    LayTrail,
    MoveBear,
    Photo,
    PhotoSource,
    RecyclingExchange,
    SiteAction,
    StartHike,
    State,
    TakePhoto,
    Task,
)
from scoring.trails.text import (
    EXCHANGE_GAINS,
    describe_cubes,
    describe_photo,
    describe_task,
    list_cubes,
    site_source,
    space_name,
    task_source,
)
from scoring.trails.turn import (
    RESOURCE_LIMIT,
    arrive,
    cubes_of_kind,
    gain,
    has_photos_left,
    pay_cubes,
    pop_task,
    push_task,
)


def is_site_action(task: Task, site: Site) -> bool:
    """Return whether a task is the action of a site, met with or without the bear."""
    match task:
        case SiteAction(task_site) | BearEncounter(task_site):
            return task_site == site
        case BothSites(own, bears):
            return site in (own, bears)
    return False


def finish_site_action(state: State, site: Site) -> State:
    """Return the state with a site's action done.

    The bear met there, or the other of two sites, is still to come.
    """
    match state.tasks[-1]:
        case BearEncounter():
            return push_task(pop_task(state), MoveBear())
        case BothSites(own, bears):
            return push_task(pop_task(state), SiteAction(bears if site == own else own))
    return pop_task(state)


class Hike(Move[State], tag="hike"):
    """Hike 1 or 2 tiles in your direction, or any distance with a full canteen.

    The rules are on rulebook pp. 6-7.
    """

    title = "Hike"
    resolves = (StartHike,)
    rules = (
        r.HIKE_DISTANCE,
        r.HIKE_FACING,
        r.CANTEEN_DISTANCE,
        r.CANTEEN_TO_END,
        r.CANTEEN_EMPTIES,
        r.CANTEEN_SHORT,
        r.SHARING,
        r.SITE_ACTION,
        r.ACORN_SITE,
        r.LEAF_SITE,
        r.ROCK_SITE,
        r.GAINS_TAKEN,
        r.NOTHING_TO_DO,
        r.BEAR_MET,
        r.TRAILHEAD_STEPS,
        r.CANTEEN_REFILL,
        r.TRAIL_END_STEPS,
        r.SUN_BONUS,
        r.SUN_BONUS_SITE,
        r.SUN_NIGHT,
        r.END_TRIGGER,
        r.CANTEEN_FILLED,
        r.CANTEEN_NEW_TILE,
        r.HIKE_ENDS,
    )
    phase = Phase.TURN_START

    steps: int
    canteen: bool = False

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if self.canteen:
            if not player.canteen:
                yield Reason("canteen-empty", r.CANTEEN_FILLED, "Your canteen is empty. Refill it at the Trailhead.")
            if self.steps < 1 and not self._is_allowed_stay(state, player.space):
                agreed = chosen_option(state.rulings, r.CANTEEN_STAY) == "yes"
                text = (
                    "You can stay at a site, but not at an end. Hike to another tile."
                    if agreed
                    else "You must hike to another tile, even with the canteen."
                )
                yield Reason("same-tile", r.CANTEEN_NEW_TILE, text)
        elif not 1 <= self.steps <= 2:
            yield Reason(
                "hike-distance",
                r.HIKE_DISTANCE,
                f"Hike 1 or 2 tiles, not {self.steps}. You can hike farther with a filled canteen.",
            )
            if self.steps < 0:
                yield Reason("hike-back", r.HIKE_FACING, "You can\u2019t hike backward. Hike the way your hiker faces.")
        if self.steps > player.tiles_ahead:
            end = space_name(state, TRAIL_END if player.facing == 1 else TRAILHEAD)
            text = f"You can\u2019t hike past {end}. It is {pluralize(player.tiles_ahead, 'tile')} ahead."
            yield Reason("past-the-end", r.HIKE_ENDS, text)

    def _is_allowed_stay(self, state: State, space: int) -> bool:
        return (
            self.steps == 0
            and state.site_at(space) is not None
            and chosen_option(state.rulings, r.CANTEEN_STAY) == "yes"
        )

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        if self.canteen:
            state = state.with_player(seat, canteen=False)
        return arrive(state, seat, player.space + self.steps * player.facing)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Hike"]:
        yield cls(1)
        yield cls(2)
        player = state.players[seat]
        ahead = player.tiles_ahead
        if not player.canteen:
            yield cls(min(3, ahead), canteen=True)
            return
        for steps in range(3, ahead + 1):
            yield cls(steps, canteen=True)
        for steps in range(min(ahead, 2) + 1):
            if steps or chosen_option(state.rulings, r.CANTEEN_STAY) == "yes":
                yield cls(steps, canteen=True)

    def target(self, state: State, seat: int) -> int:
        """Return the space to which it leads, at most the end of the Trail."""
        player = state.players[seat]
        return min(TRAIL_END, max(TRAILHEAD, player.space + self.steps * player.facing))

    def label(self, state: State, seat: int) -> MoveLabel:
        space, tiles = self.target(state, seat), pluralize(self.steps, "tile")
        place, is_past_the_end = space_name(state, space), self.steps > state.players[seat].tiles_ahead
        text = f"Hike {tiles if is_past_the_end else f'{tiles} to {place}'}" if self.steps else f"Stay at {place}"
        text = f"{text} with the canteen" if self.canteen else text
        return MoveLabel(
            text,
            hint="" if is_past_the_end else self._gain_text(state, seat, space),
            icon=state.site_at(space) or ("trailhead" if space == TRAILHEAD else "trail-end"),
            short=text if state.site_at(space) else self._end_text(state, seat, space),
        )

    def _end_text(self, state: State, seat: int, space: int) -> str:
        """Return the gains at an end in a few words: "Sun bonus, badges"."""
        if space == TRAILHEAD:
            return "Badges" if state.players[seat].canteen and not self.canteen else "Refill canteen, badges"
        if state.sun_holder is not None:
            return "Badges"
        return f"{'Take the Sun' if state.is_sun_on_final_spot else 'Sun bonus'}, badges"

    def _gain_text(self, state: State, seat: int, space: int) -> str:
        """Return the gain at a space: "+2 leaves, bear"."""
        site = state.site_at(space)
        if site is None:
            if space == TRAILHEAD:
                is_filled = state.players[seat].canteen and not self.canteen
                return "badges" if is_filled else "refill the canteen, then badges"
            return ", then ".join([*_sun_bonus_texts(state), "badges"])
        gain_text = _site_gain_text(site, is_night=state.is_night(space))
        if site == state.bear:  # a comma would make the bear a part of the exchange
            return f"{gain_text}; bear" if site == "exchange" else f"{gain_text}, bear"
        return gain_text

    def log_text(self, state: State, seat: int) -> str:
        player = state.players[seat]
        space = player.space + self.steps * player.facing
        place = space_name(state, space)
        hiked = f"hiked {pluralize(self.steps, 'tile')} to {place}" if self.steps else f"stayed at {place}"
        hiked = f"{hiked} with the canteen" if self.canteen else hiked
        if space == TRAILHEAD and (self.canteen or not player.canteen):
            return f"{hiked} and refilled {'it' if self.canteen else 'the canteen'}"
        return f"{hiked} and took the Sun" if _takes_sun(state, space) else hiked

    def news_text(self, state: State, seat: int) -> str:
        player = state.players[seat]
        space = player.space + self.steps * player.facing
        if site := state.site_at(space):
            return f"{site} site"
        if space == TRAILHEAD:
            return "Trailhead, canteen refilled" if self.canteen or not player.canteen else "Trailhead"
        return "Trail End, took the Sun" if _takes_sun(state, space) else "Trail End"


def place(state: State, seat: int, moves: Sequence[Move]) -> str:
    """Return the place of the last of some moves: the target of a hike or the hiker's space."""
    match moves[-1]:
        case Hike() as hike if 0 <= hike.steps <= state.players[seat].tiles_ahead:
            return space_name(state, hike.target(state, seat))
    return space_name(state, state.players[seat].space)


def _takes_sun(state: State, space: int) -> bool:
    """Return whether a hiker who stops on a space takes the Sun."""
    return space == TRAIL_END and state.is_sun_on_final_spot and state.sun_holder is None


def _site_gain_text(site: Site, *, is_night: bool) -> str:
    """Return the gain of a site in a few words: "+2 leaves", "free photo"."""
    match site:
        case "exchange":
            return f"exchange 1 resource for {EXCHANGE_GAINS[is_night]}"
        case "photo":
            return "free photo" if is_night else "photo for 1 resource"
    return f"+{pluralize(cubes_per_visit(is_night), site)}"


def _sun_bonus_texts(state: State) -> Iterator[str]:
    """Yield texts for the gains from the Sun for a player who reaches Trail End now."""
    if state.sun_holder is None:
        yield "take the Sun" if state.is_sun_on_final_spot else f"Sun bonus ({_sun_gain_text(state)})"


def _sun_gain_text(state: State) -> str:
    """Return the Sun bonus before the Sun is on its final spot: "bear", "+2 leaves"."""
    under = state.under_sun
    if isinstance(under, int):
        return _site_gain_text(state.sites[under - 1], is_night=False)
    return "bear" if under == "wildlife" else f"+{SUN_ICON_TEXTS[under]}"


class Exchange(Move[State], tag="exchange"):
    """Exchange 1 resource for 2 of one other kind by day, or 1 of each other kind by night.

    The rules are on rulebook p. 6.
    """

    title = "Exchange"
    resolves = (SiteAction, BearEncounter, BothSites, RecyclingExchange)
    rules = (r.EXCHANGE_DAY, r.EXCHANGE_NIGHT, r.RECYCLING, r.RESOURCE_SUPPLY, r.SITE_ACTION)

    give: Resource
    get: Resource | None = None  # None: one of each of the other two kinds

    def is_offered(self, state: State, seat: int) -> bool:
        return _can_exchange(state.tasks[-1])

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        task = state.tasks[-1]
        if not _can_exchange(task):
            yield Reason(
                "no-exchange", r.SITE_ACTION, f"You can\u2019t exchange anything now. First {describe_task(state)}."
            )
            return
        rule = _exchange_rule(state)
        if rule is r.EXCHANGE_NIGHT:
            if self.get is not None:
                yield Reason(
                    "night-exchange", rule, f"At night, you get {EXCHANGE_GAINS[True]}. Choose only what you give."
                )
        elif self.get is None:
            occasion = "By day" if rule is r.EXCHANGE_DAY else "With Recycling"
            yield Reason("day-exchange", rule, f"{occasion}, you get {EXCHANGE_GAINS[False]}. Choose that type.")
        elif self.get == self.give:
            yield Reason("same-kind", rule, "You can\u2019t get the type you give. Choose another type.")
        if not state.players[seat].cubes[RESOURCES.index(self.give)]:
            yield Reason(
                "nothing-to-give", rule, f"You have no {plural_form(self.give)} to exchange. Choose another resource."
            )
        if chosen_option(state.rulings, r.CUBE_SUPPLY) == "limited" and not any(
            count and state.supply(kind) for kind, count in enumerate(self._gains())
        ):
            yield Reason("supply-empty", r.RESOURCE_SUPPLY, "The supply has none left. Choose another type.")

    def _gains(self) -> Cubes:
        if self.get is None:
            return int(self.give != "acorn"), int(self.give != "leaf"), int(self.give != "rock")
        return cubes_of_kind(self.get, 2)

    def apply(self, state: State, seat: int) -> State:
        state = finish_site_action(pay_cubes(state, seat, cubes_of_kind(self.give)), "exchange")
        return gain(state, seat, self._gains())

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Exchange"]:
        if not _can_exchange(state.tasks[-1]):
            return
        night = _exchange_rule(state) is r.EXCHANGE_NIGHT
        for give in RESOURCES:
            for get in (None,) if night else RESOURCES:
                if get != give:
                    yield cls(give, get)

    def label(self, state: State, seat: int) -> MoveLabel:
        short = f"1 {self.give} for {list_cubes(self._gains())}"
        return MoveLabel(f"Exchange {short}", icon=self.give, short=short)

    def _real_gains(self, state: State, seat: int) -> tuple[int, ...]:
        """Return the gains as far as the supply goes."""
        paid = pay_cubes(state, seat, cubes_of_kind(self.give)).players[seat].cubes
        return tuple(map(sub, self.apply(state, seat).players[seat].cubes, paid))

    def log_text(self, state: State, seat: int) -> str:
        source = _in_parentheses(_source_text(state, "exchange"))
        return f"exchanged 1 {self.give} for {list_cubes(self._real_gains(state, seat))}{source}"

    def news_text(self, state: State, seat: int) -> str:
        return f"{describe_cubes(self._real_gains(state, seat), sign='+')}, \u22121 {self.give}"


def _source_text(state: State, site: Site) -> str:
    """Return the source of an exchange or a photo: "Sun bonus"; empty at the own site."""
    source = site_source(state, site) if is_site_action(state.tasks[-1], site) else task_source(state)
    return "" if source == f"{site} site" else source


def _in_parentheses(*texts: str) -> str:
    """Return the texts that are not empty, to follow a log text: " (2 birds; Sun bonus)"."""
    return f" ({'; '.join(filter(None, texts))})" if any(texts) else ""


def _can_exchange(task: Task) -> bool:
    return isinstance(task, RecyclingExchange) or is_site_action(task, "exchange")


def _exchange_rule(state: State) -> Rule:
    """Return the rule for an exchange now; Recycling always gives two of one kind."""
    if isinstance(state.tasks[-1], RecyclingExchange):
        return r.RECYCLING
    return r.EXCHANGE_NIGHT if state.is_night(state.space_of("exchange")) else r.EXCHANGE_DAY


class Photograph(Move[State], tag="photograph"):
    """Take a Photo action: draw two and keep one, or take the face-up one (rulebook pp. 6, 8)."""

    title = "Take a photo"
    resolves = (SiteAction, BearEncounter, BothSites, TakePhoto)
    rules = (
        r.PHOTO_CHOICE,
        r.PHOTO_FACE_UP,
        r.PHOTO_DAY,
        r.PHOTO_NIGHT,
        r.PHOTO_DECK_EMPTY,
        r.PHOTOGRAPHY,
        r.SHUTTERBUG,
        r.PHOTO_NONE_LEFT,
        r.SITE_ACTION,
    )

    face_up: bool = False
    pay: Resource | None = None  # the resource paid at the Photo site by day

    def is_offered(self, state: State, seat: int) -> bool:
        return _can_photograph(state.tasks[-1])

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        task = state.tasks[-1]
        if not _can_photograph(task):
            yield Reason("no-photo", r.SITE_ACTION, f"You can\u2019t take a photo now. First {describe_task(state)}.")
            return
        if free := _free_photo_rule(state):
            if self.pay is not None:
                yield Reason("photo-is-free", free, "This photo is free. Keep your resource.")
        elif self.pay is None:
            yield Reason("photo-price", r.PHOTO_DAY, "By day, a photo costs 1 resource. Choose which to pay.")
        elif not state.players[seat].cubes[RESOURCES.index(self.pay)]:
            yield Reason(
                "photo-price", r.PHOTO_DAY, f"You have no {plural_form(self.pay)} to pay with. Choose another resource."
            )
        if not has_photos_left(state):
            yield Reason("no-photo-left", r.PHOTO_NONE_LEFT, "No photo is left in the deck or the discard pile.")
        elif self.face_up and not state.photo_discard:
            text = "The photo discard pile is empty. Draw from the deck instead."
            yield Reason("no-face-up-photo", r.PHOTO_FACE_UP, text)

    def apply(self, state: State, seat: int) -> State:
        if self.pay:
            state = pay_cubes(state, seat, cubes_of_kind(self.pay))
        photos = (*state.players[seat].photos, state.photo_up if self.face_up else None)
        state = finish_site_action(state.with_player(seat, photos=photos), "photo")
        if self.face_up:
            next_photo = state.photos_under[-1] if state.photos_under else None
            return replace(
                state,
                photo_discard=state.photo_discard - 1,
                photo_up=next_photo,
                photos_under=trim_unnamed_bottom(state.photos_under[:-1]),
            )
        return draw_photos(state)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Photograph"]:
        if not _can_photograph(state.tasks[-1]):
            return
        for pay in (None,) if _free_photo_rule(state) else RESOURCES:
            yield cls(False, pay)
            yield cls(True, pay)

    def label(self, state: State, seat: int) -> MoveLabel:
        draw = "draw 2 photos, keep 1" if photos_to_draw(state) == 2 else "draw the last photo"
        take = "take the top discarded photo" if self.face_up else draw
        up = state.photo_up if self.face_up else None
        return MoveLabel(
            f"Pay 1 {self.pay}: {take}" if self.pay else capitalize_first(take),
            hint=describe_photo(up) if up else "",
            icon=self.pay or "photo",
            short=capitalize_first(take),
        )

    def log_text(self, state: State, seat: int) -> str:
        source = _source_text(state, "photo")
        if self.face_up:
            face = describe_photo(state.photo_up) if state.photo_up else ""
            return f"took the top discarded photo{_in_parentheses(face, source)}"
        drew = "drew 2 photos and kept 1" if photos_to_draw(state) == 2 else "drew the last photo"
        flips_discard = state.photo_deck <= 2 and state.photo_deck + state.photo_discard >= 2
        flipped = ", and flipped the discard pile to make a new deck" if flips_discard else ""
        return f"{drew}{_in_parentheses(source)}{flipped}"

    def news_text(self, state: State, seat: int) -> str:
        face = state.photo_up if self.face_up else None
        return f"+1 photo ({describe_photo(face)})" if face else "+1 photo"


def _can_photograph(task: Task) -> bool:
    return isinstance(task, TakePhoto) or is_site_action(task, "photo")


_FREE_PHOTO_RULES: dict[PhotoSource, Rule] = {
    "sun": r.END_PHOTO,
    "photography": r.PHOTOGRAPHY,
    "shutterbug": r.SHUTTERBUG,
    "sunshine": r.SUNSHINE,
}


def _free_photo_rule(state: State) -> Rule | None:
    """Return the rule that makes the photo free now, or None if it costs a resource."""
    match state.tasks[-1]:
        case TakePhoto(source):
            return _FREE_PHOTO_RULES[source]
    return r.PHOTO_NIGHT if state.is_night(state.space_of("photo")) else None


def photos_to_draw(state: State) -> int:
    """Return how many photos a draw takes: two, or the last one (ruling short-photo-deck)."""
    is_drawn_alone = not state.photo_discard or chosen_option(state.rulings, r.SHORT_PHOTO_DECK) == "one-card"
    return 1 if state.photo_deck == 1 and is_drawn_alone else 2


def draw_photos(state: State) -> State:
    """Return the state after two photos are drawn and one of them is discarded.

    When the deck is empty, the discard pile is turned over as the new deck. With a single card left in the deck, the
    ruling short-photo-deck decides.
    """
    deck, discard = state.photo_deck, state.photo_discard
    under = (*state.photos_under, state.photo_up) if discard else ()
    if deck >= 2:
        deck, discard = deck - 2, discard + 1
    elif discard and chosen_option(state.rulings, r.SHORT_PHOTO_DECK) == "turn-over":
        deck, discard, under = discard - 1, 1, ()
    else:
        deck = 0
    if not deck:
        deck, discard, under = discard, 0, ()
    return replace(
        state, photo_deck=deck, photo_discard=discard, photo_up=None, photos_under=trim_unnamed_bottom(under)
    )


def trim_unnamed_bottom(photos: tuple[Photo | None, ...]) -> tuple[Photo | None, ...]:
    """Return the faces under the top of a pile, without unnamed ones at its bottom."""
    first = next((index for index, face in enumerate(photos) if face), len(photos))
    return photos[first:]


class RollWildlife(Move[State], tag="wildlife"):
    """Roll the Wildlife die and move the bear; its new site's action comes next (rulebook p. 9)."""

    title = "Roll the Wildlife die"
    resolves = (MoveBear, BearEncounter)
    rules = (
        r.BEAR_MET,
        r.BEAR_DIE,
        r.BEAR_FACE,
        r.BEAR_MAY_ACT,
        r.BEAR_ORDER,
        r.BEAR_NIGHT,
        r.BEAR_NO_SECOND,
        r.BEAR_FROM_BONUS,
        r.SEEKER,
        r.BEAR_NOT_ENDS,
    )

    face: str  # a site or "bear"
    site: Site | End

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if self.face not in DIE:
            text = f"The Wildlife die has no \u201c{self.face}\u201d side. Choose one of its six sides."
            yield Reason("no-such-face", r.BEAR_DIE, text)
        elif self.face != "bear" and self.site != self.face:
            text = f"The die shows the {self.face}. Move the bear to the {self.face} site."
            yield Reason("die-says", r.BEAR_DIE, text)
        if self.site not in state.sites:
            text = "The bear can\u2019t go to the Trailhead or Trail End. Choose one of the five sites."
            yield Reason("bear-at-an-end", r.BEAR_NOT_ENDS, text)

    def out_of_phase_reason(self, state: State, seat: int) -> Reason | None:
        if state.is_over or any(isinstance(task, (LayTrail, MoveBear, BearEncounter)) for task in state.tasks):
            return None
        text = "You roll only when you land on the bear\u2019s site."
        if StartHike() in state.tasks:
            return Reason("hike-first", r.HIKE_MUST, f"{text} Hike first.", more_rules=(r.BEAR_MET,))
        if state.site_at(state.players[seat].space) == state.bear:
            return Reason("no-second-roll", r.BEAR_NO_SECOND, f"{text} Don\u2019t roll again this turn.")
        return Reason("no-bear", r.BEAR_MET, f"{text} The bear is at the {state.bear} site.")

    def apply(self, state: State, seat: int) -> State:
        task, site = state.tasks[-1], cast(Site, self.site)
        stays = site == state.bear and self.face != "bear"
        state = replace(pop_task(state), bear=site)
        has_action = not stays or chosen_option(state.rulings, r.BEAR_SAME) != "nothing"
        if isinstance(task, BearEncounter):
            return push_task(state, BothSites(task.site, site) if has_action else SiteAction(task.site))
        return push_task(state, SiteAction(site)) if has_action else state

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["RollWildlife"]:
        for face in DIE:
            if face == "bear":
                for site in state.sites:
                    yield cls(face, site)
            else:
                yield cls(face, face)

    def label(self, state: State, seat: int) -> MoveLabel:
        text = f"Roll {_side_name(self.face)}"
        if self.face == "bear":
            verb = "leave the bear at" if self.site == state.bear else "move the bear to"
            text = f"{text} and {verb} the {self.site} site"
        return MoveLabel(text, icon=self.site, short=capitalize_first(self.site))

    def log_text(self, state: State, seat: int) -> str:
        rolled = f"rolled {_side_name(self.face)}"
        if self.site != state.bear:
            return f"{rolled} and moved the bear to the {self.site} site"
        if self.face == "bear":
            return f"{rolled} and left the bear at the {self.site} site"
        return f"{rolled}, and the bear stayed at the {self.site} site"

    def news_text(self, state: State, seat: int) -> str:
        return f"bear to the {self.site} site" if self.site != state.bear else "bear stayed"


def _side_name(face: str) -> str:
    """Return a side of the Wildlife die with its article: "a leaf", "the photo side"."""
    return with_article(face) if face in RESOURCES else f"the {face} side"


class Skip(Move[State], tag="leave"):
    """Skip what the turn offers: an exchange, a photo, a badge's bonus, the badges at an end."""

    title = "Skip"
    resolves = (
        SiteAction,
        BothSites,
        TakePhoto,
        ChooseResource,
        RecyclingExchange,
        MoveBear,
        EarnBadges,
        EarnFreeBadge,
    )
    rules = (r.SWAP_OPTIONAL, r.EARN_BONUS_OPTIONAL, r.BEAR_MAY_ACT, r.BEAR_BONUS_OPTIONAL, r.EARN_ONE_BY_ONE)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.tasks[-1] == MoveBear(is_optional=False):
            text = "You can\u2019t skip this roll. Roll the die and move the bear. You may skip its site."
            yield Reason("bear-waits", r.BEAR_BONUS_OPTIONAL, text)

    def apply(self, state: State, seat: int) -> State:
        match state.tasks[-1]:
            case BothSites(own, bears):  # Cubes from a site are taken in any case.
                return push_task(pop_task(state), *(SiteAction(site) for site in (own, bears) if site in RESOURCES))
        return pop_task(state)

    def label(self, state: State, seat: int) -> MoveLabel:
        if isinstance(state.tasks[-1], EarnBadges):
            return MoveLabel("End turn", icon="check")
        return MoveLabel(f"Skip {_skipped_text(state.tasks[-1])}")

    def log_text(self, state: State, seat: int) -> str:
        is_end = isinstance(state.tasks[-1], EarnBadges)
        return "ended the turn" if is_end else f"skipped {_skipped_text(state.tasks[-1])}"

    def news_text(self, state: State, seat: int) -> str:
        task = state.tasks[-1]  # skipping one of two sites may still bring the cubes of the other
        return f"skipped {_skipped_text(task)}" if isinstance(task, BothSites) else ""


def _skipped_text(task: Task) -> str:
    match task:
        case SiteAction(site):
            return f"the {site}"
        case BothSites(own, bears):
            left = [site for site in (own, bears) if site not in RESOURCES]
            return f"the {left[0]}" if len(left) == 1 else "both site actions"
    return _SKIPPED_TEXTS[type(task)]


_SKIPPED_TEXTS: dict[type[Task], str] = {
    TakePhoto: "the photo",
    ChooseResource: "the First Aid bonus",
    RecyclingExchange: "the exchange",
    MoveBear: "the Wildlife action",
    EarnFreeBadge: "the free badge",
}


class KeepResources(Move[State], tag="keep"):
    """Keep eight resources at the end of the turn and return the rest (rulebook p. 11)."""

    title = "Return resources"
    resolves = (KeepEight,)
    rules = (r.RESOURCE_LIMIT, r.LIMIT_AT_END)

    acorn: int = 0
    leaf: int = 0
    rock: int = 0

    @property
    def _cubes(self) -> tuple[int, int, int]:
        return self.acorn, self.leaf, self.rock

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if sum(self._cubes) != RESOURCE_LIMIT:
            text = f"Keep exactly {RESOURCE_LIMIT} resources. You chose {sum(self._cubes)}."
            yield Reason("keep-eight", r.RESOURCE_LIMIT, text)
        for kept, held, kind in zip(self._cubes, state.players[seat].cubes, RESOURCES, strict=True):
            if not 0 <= kept <= held:
                yield Reason(
                    "not-yours", r.RESOURCE_LIMIT, f"You have {pluralize(held, kind)}. Keep no more than that."
                )

    def apply(self, state: State, seat: int) -> State:
        return pop_task(state.with_player(seat, cubes=self._cubes))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["KeepResources"]:
        acorns, leaves, rocks = state.players[seat].cubes
        for acorn in range(min(acorns, RESOURCE_LIMIT), -1, -1):
            for leaf in range(min(leaves, RESOURCE_LIMIT - acorn), -1, -1):
                if RESOURCE_LIMIT - acorn - leaf <= rocks:
                    yield cls(acorn, leaf, RESOURCE_LIMIT - acorn - leaf)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Return {self._returned_text(state, seat)}", hint=f"keep {list_cubes(self._cubes)}", icon="minus"
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"returned {self._returned_text(state, seat)} ({RESOURCE_LIMIT}-resource limit)"

    def news_text(self, state: State, seat: int) -> str:
        return f"returned {self._returned_text(state, seat)}"

    def _returned_text(self, state: State, seat: int) -> str:
        held = state.players[seat].cubes
        return list_cubes(tuple(count - kept for count, kept in zip(held, self._cubes, strict=True)))
