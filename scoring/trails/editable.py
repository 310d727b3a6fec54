"""What everybody sees on a table of TRAILS, thing by thing; places are those of the table as it lies."""

from collections.abc import Iterator
from functools import lru_cache

from scoring.kernel.editable import Figure, Number, OneOf, Size, SomeOf, Thing, ruled, things
from scoring.trails import rules as r
from scoring.trails.box import (
    BADGES,
    HIKERS,
    MOST_CUBES,
    PHOTO_FACES,
    PHOTOS_IN_BOX,
    SITES,
    SUN_ICON_WORDS,
    Site,
    SunIcon,
)
from scoring.trails.setup import FINAL_SPOT
from scoring.trails.state import GONE, LAY, RESOURCES, TRAIL_END, Photo, Player, State
from scoring.trails.text import ENDS, NONE, SAID, UNNAMED, photo

_TITLES = {id: badge.title for id, badge in BADGES.items()}
_SITES = {site: f"the {site} site" for site in SITES}

CUBES = Number(most=MOST_CUBES)
CANTEEN = OneOf(things(("full", "empty")))
YES_OR_NO = OneOf((Thing("no", "no", False), Thing("yes", "yes", True)))
COLOUR = OneOf(things(HIKERS))
EARNED = SomeOf(tuple(Thing(id, badge.title, copies=badge.copies) for id, badge in BADGES.items()))
CARD = OneOf(things({UNNAMED: "not named", NONE: "none"} | _TITLES))
HAND = OneOf(
    (Thing("card", "a card", UNNAMED), Thing(NONE, "none"))
)  # of a hand, all others know is whether it is empty
PHOTOS = Size(UNNAMED, most=PHOTOS_IN_BOX)
FACES = OneOf(
    tuple(
        Thing(f"{points}-{birds}", photo(points, birds), {"points": points, "birds": birds})
        for points, birds in PHOTO_FACES
    )
)
FACE_UP = OneOf((Thing(UNNAMED, "not named"), *FACES.things))
SITE = OneOf(things(_SITES))
UNTOLD = "not told"
SITE_TO_LAY = OneOf((*SITE.things, Thing(UNTOLD, UNTOLD)))
ICON = OneOf(things({icon: words for icon, words in SUN_ICON_WORDS.items() if icon != FINAL_SPOT}))
DISCARDED = Number(most=PHOTOS_IN_BOX)
NOTHING_MORE = "nothing more"
TO_DO = (
    *(
        Thing(words, words, (words,))
        for words in (
            "hike",
            *(f"do the {site} site" for site in SITES),
            *(f"do the {site} site and meet the bear" for site in SITES),
            *(f"earn badges at {end}" for end in ENDS.values()),
        )
    ),
    Thing(NOTHING_MORE, NOTHING_MORE, ()),
)


def figures(state: State) -> Iterator[Figure]:
    """Yield what everybody sees on a table."""
    shown = state.over and all(player.revealed for player in state.players)
    laying = state.tasks == LAY  # nothing stands on sites that have not been told
    for seat, player in enumerate(state.players):
        yield from _before(state, seat, player, shown)
    for number, site in enumerate(state.sites):
        told = site if number < state.laid else UNTOLD
        yield Figure(f"sites.{number}", None, f"site {number + 1}", told, SITE_TO_LAY if laying else SITE, fixed=laying)
    if not laying:
        yield Figure("bear", None, "bear", state.bear, SITE, fixed=state.over)
    yield from _sun(state)
    for place, end, cards in (
        ("trailhead", "the Trailhead", state.trailhead),
        ("trail_end", "Trail End", state.trail_end),
    ):
        for number, which in enumerate(("left", "right")):
            yield Figure(f"{place}.{number}", None, f"{which} badge at {end}", _card(cards[number]), CARD)
    covers = (("photo_up", UNNAMED), ("photos_under", ()))  # with another number of them another one is on top
    yield Figure("discarded_photos", None, "discarded photos", state.photo_discard, DISCARDED, also=covers)
    if state.photo_discard:
        yield Figure("photo_up", None, "photo face up", _face(state.photo_up), FACE_UP, fixed=state.over)
    yield from _turn(state)
    yield from ruled(r.RULINGS, state)


def _before(state: State, seat: int, player: Player, shown: bool) -> Iterator[Figure]:
    """Yield what is a player's. After play, what counts for nothing any more is not set right."""
    here, over = f"players.{seat}", state.over
    stays = over or state.tasks == LAY
    for kind, number in zip(RESOURCES, player.cubes, strict=True):
        yield Figure(f"{here}.{kind}", seat, kind, number, CUBES, fixed=over)
    yield Figure(f"{here}.canteen", seat, "canteen", "full" if player.canteen else "empty", CANTEEN, fixed=over)
    at = ("trailhead", *state.sites, "trail-end")[player.at]
    yield Figure(f"{here}.at", seat, "hiker", at, _spaces(state.sites), fixed=stays)
    back = player.facing == -1 and player.at != TRAIL_END
    yield Figure(f"{here}.back", seat, "on the way back", "yes" if back else "no", YES_OR_NO, fixed=stays)
    yield Figure(f"{here}.badges", seat, "badges", player.badges, EARNED)
    if shown:
        yield Figure(f"{here}.hand", seat, "badge in hand", _card(player.hand), CARD)
    else:
        yield Figure(f"{here}.hand", seat, "badge in hand", NONE if player.hand == GONE else "card", HAND)
    yield Figure(f"{here}.photos", seat, "photos", len(player.photos), PHOTOS)
    for number, face in enumerate(player.photos if shown else ()):
        if face:
            yield Figure(f"{here}.photos.{number}", seat, f"photo {number + 1}", _face(face), FACES)
    if over:
        yield Figure(
            f"{here}.revealed", seat, "photos shown", "yes" if player.revealed else "no", YES_OR_NO, fixed=True
        )
    yield Figure(f"{here}.hiker", seat, "colour", player.hiker, COLOUR)


def _face(photo: Photo | None) -> str:
    return f"{photo.points}-{photo.birds}" if photo else UNNAMED


def _card(card: str | None) -> str:
    return UNNAMED if card is None else card or NONE


def _sun(state: State) -> Iterator[Figure]:
    value = str(state.sun) if state.sun_holder is None else f"taken {state.sun_holder}"
    names = tuple(player.name for player in state.players)
    spots = _spots(state.path, len(state.track.trail_end), state.sites, names)
    yield Figure("sun", None, "Sun", value, spots, fixed=state.tasks == LAY)
    for number, icon in enumerate(state.track.trail_end):
        yield Figure(f"track.trail_end.{number}", None, f"Sun Track, icon {number + 1} at Trail End", icon, ICON)
    for number, icon in enumerate(state.track.trailhead):
        if number:  # the first is the final spot, whatever the others are
            yield Figure(
                f"track.trailhead.{number}", None, f"Sun Track, icon {number + 1} at the Trailhead", icon, ICON
            )


def _turn(state: State) -> Iterator[Figure]:
    laying, hand = state.tasks == LAY, state.players[state.turn].hand
    drawn = ((f"players.{state.turn}.hand", UNNAMED),) if hand == GONE and state.badge_deck > 0 else ()
    players = _players(tuple(player.name for player in state.players))
    yield Figure("turn", None, "turn", str(state.turn), players, also=(("to_do", ("hike",)), *drawn), fixed=laying)
    if not state.over:
        to_do = tuple(SAID[task] for task in reversed(state.tasks))
        yield Figure("to_do", None, "still to do", ", then ".join(to_do), _to_do(to_do), fixed=laying)
    over = "yes" if state.over else "no"
    yield Figure("over", None, "play is over", over, YES_OR_NO, also=drawn if state.over else (), fixed=laying)


# What depends on the table is put together once for each: there are few, and they are asked for at every move.


@lru_cache(maxsize=256)
def _spaces(sites: tuple[Site, ...]) -> OneOf:
    return OneOf(
        things({"trailhead": "the Trailhead", **{site: _SITES[site] for site in sites}, "trail-end": "Trail End"})
    )


@lru_cache(maxsize=256)
def _spots(
    path: tuple[SunIcon | int, ...], at_trail_end: int, sites: tuple[Site, ...], names: tuple[str, ...]
) -> OneOf:
    """Return where the Sun may be: as many spaces as it has moved, or with whom it is."""
    spots = []
    for moved, spot in enumerate(path):
        end = "Trail End" if moved < at_trail_end else "the Trailhead"
        words = (
            f"over {_SITES[sites[spot - 1]]}"
            if isinstance(spot, int)
            else f"on \u201c{SUN_ICON_WORDS[spot]}\u201d at {end}"
        )
        spots.append(Thing(str(moved), words if moved < len(path) - 1 else "on its final spot", moved))
    return OneOf((*spots, *(Thing(f"taken {seat}", f"with {name}", {"by": seat}) for seat, name in enumerate(names))))


@lru_cache(maxsize=256)
def _players(names: tuple[str, ...]) -> OneOf:
    return OneOf(tuple(Thing(str(seat), name, seat) for seat, name in enumerate(names)))


@lru_cache(maxsize=256)
def _to_do(now: tuple[str, ...]) -> OneOf:
    """Return what may be still to do: what is, a turn from its beginning, a site, an end, nothing."""
    words = ", then ".join(now)
    known = any(thing.key == words for thing in TO_DO)
    return OneOf(TO_DO if known else (Thing(words, words, now), *TO_DO))
