"""The editable fields of a TRAILS position; their paths are those of `Position`."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import asdict

from scoring.kernel.editable import (
    Choice,
    EditableField,
    Number,
    OneOf,
    PileSize,
    SomeOf,
    choices,
    ruling_fields,
    seat_domain,
)
from scoring.kernel.english import plural_form
from scoring.trails import rules as r
from scoring.trails.box import (
    BADGES,
    HIKER_NAMES,
    MAX_CUBES_HELD,
    PHOTO_FACES,
    PHOTOS_IN_BOX,
    SITES,
    SUN_ICON_NAMES,
    SUN_ICON_TEXTS,
    Site,
    SunIcon,
)
from scoring.trails.setup import FINAL_SPOT
from scoring.trails.state import LAY_TRAIL, NO_CARD, RESOURCES, TRAIL_END, Photo, Player, State
from scoring.trails.text import (
    END_NAMES,
    NAMES_BY_TASK,
    NONE,
    TASKS_BY_NAME,
    UNNAMED,
    card_key,
    describe_photo,
    task_label,
)

_BADGE_TITLES = {id: badge.title for id, badge in BADGES.items()}
_SITE_NAMES = {site: f"the {site} site" for site in SITES}


def _face_key(photo: Photo | None) -> str:
    return f"{photo.points}-{photo.birds}" if photo else UNNAMED


CUBES_DOMAIN = Number(maximum=MAX_CUBES_HELD)
CANTEEN_DOMAIN = OneOf(choices({"full": "filled", "empty": "empty"}))
YES_NO_DOMAIN = OneOf((Choice("no", "no", False), Choice("yes", "yes", True)))
FACING_DOMAIN = OneOf((Choice("no", "Trail End", False), Choice("yes", "the Trailhead", True)))
# At Trail End a hiker faces the Trailhead in any case. The second choice counts for one who is corrected to a site too.
FACING_AT_TRAIL_END_DOMAIN = OneOf(
    (Choice("no", "the Trailhead", False), Choice("yes", "the Trailhead, also if moved to a site", True))
)
COLOR_DOMAIN = OneOf(choices(HIKER_NAMES))
EARNED_BADGES_DOMAIN = SomeOf(tuple(Choice(id, badge.title, max_count=badge.copies) for id, badge in BADGES.items()))
CARD_DOMAIN = OneOf(choices({UNNAMED: "not entered", NONE: "none"} | _BADGE_TITLES))
# Of a hand, others only know whether it is empty.
HAND_DOMAIN = OneOf((Choice("card", "1 badge", UNNAMED), Choice(NONE, "none")))
PHOTOS_DOMAIN = PileSize(UNNAMED, maximum=PHOTOS_IN_BOX)
PHOTO_FACE_DOMAIN = OneOf(
    tuple(Choice(_face_key(photo), describe_photo(photo), asdict(photo)) for photo in PHOTO_FACES)
)
FACE_UP_PHOTO_DOMAIN = OneOf((Choice(UNNAMED, "not entered"), *PHOTO_FACE_DOMAIN.choices))
SITE_DOMAIN = OneOf(choices(_SITE_NAMES))
NOT_ENTERED = "not told"  # stored
UNLAID_SITE_DOMAIN = OneOf((*SITE_DOMAIN.choices, Choice(NOT_ENTERED, "not entered")))
SUN_ICON_DOMAIN = OneOf(choices({icon: text for icon, text in SUN_ICON_TEXTS.items() if icon != FINAL_SPOT}))
DISCARD_COUNT_DOMAIN = Number(maximum=PHOTOS_IN_BOX)
NO_TASKS = "nothing more"  # stored
CARD_FIELDS = ("badges", "hand", "photos")  # a player's cards, which another player could have drawn
TASK_CHOICES = (
    *(
        Choice(name, task_label(TASKS_BY_NAME[name]), (name,))
        for name in (
            "hike",
            *(f"do the {site} site" for site in SITES),
            *(f"do the {site} site and meet the bear" for site in SITES),
            *(f"earn badges at {end}" for end in END_NAMES.values()),
        )
    ),
    Choice(NO_TASKS, "end of the turn", ()),
)


def editable_fields(state: State) -> Iterator[EditableField]:
    """Yield the fields of a position that everyone sees."""
    is_over, is_laying = state.is_over, state.tasks == LAY_TRAIL  # Before the sites are entered, nothing is on them.
    for seat, player in enumerate(state.players):
        yield from _player_fields(state, seat, player)
    for number, site in enumerate(state.sites):
        value = site if number < state.sites_laid else NOT_ENTERED
        domain = UNLAID_SITE_DOMAIN if is_laying else SITE_DOMAIN
        yield EditableField(f"sites.{number}", None, f"site {number + 1}", value, domain, is_read_only=is_laying)
    if not is_laying:
        yield EditableField("bear", None, "bear", state.bear, SITE_DOMAIN, is_read_only=is_over)
    yield from _sun_fields(state)
    for place, end, cards in (
        ("trailhead", "the Trailhead", state.trailhead),
        ("trail_end", "Trail End", state.trail_end),
    ):
        for number, side in enumerate(("left", "right")):
            card = card_key(cards[number])
            yield EditableField(f"{place}.{number}", None, f"{side} badge at {end}", card, CARD_DOMAIN)
    covers = (("photo_up", UNNAMED), ("photos_under", ()))  # A different number of photos puts a different one on top.
    yield EditableField("discarded_photos", None, "discarded photos", state.photo_discard, DISCARD_COUNT_DOMAIN, covers)
    if state.photo_discard:
        face = _face_key(state.photo_up)
        yield EditableField("photo_up", None, "top discarded photo", face, FACE_UP_PHOTO_DOMAIN, is_read_only=is_over)
    yield from _turn_fields(state)
    yield from ruling_fields(r.RULINGS, state)


def _player_fields(state: State, seat: int, player: Player) -> Iterator[EditableField]:
    """Yield a player's fields; after play, those that no longer matter are read-only."""
    is_over, is_revealed = state.is_over, state.is_over and all(player.revealed for player in state.players)
    is_hiker_fixed = is_over or state.tasks == LAY_TRAIL
    space = ("trailhead", *state.sites, "trail-end")[player.space]
    is_returning = player.facing == -1 and player.space != TRAIL_END
    facing_domain = FACING_AT_TRAIL_END_DOMAIN if player.space == TRAIL_END else FACING_DOMAIN
    hand, hand_domain = card_key(player.hand), CARD_DOMAIN
    if not is_revealed:  # Others only know whether a hand is empty.
        hand, hand_domain = NONE if player.hand == NO_CARD else "card", HAND_DOMAIN
    faces = [*enumerate(player.photos)] if is_revealed else []
    fields = (
        *(
            (kind, plural_form(kind), number, CUBES_DOMAIN, is_over)
            for kind, number in zip(RESOURCES, player.cubes, strict=True)
        ),
        ("canteen", "canteen", "full" if player.canteen else "empty", CANTEEN_DOMAIN, is_over),
        ("at", "hiker", space, _space_domain(state.sites), is_hiker_fixed),
        ("back", "facing", _yes_or_no(is_returning), facing_domain, is_hiker_fixed),
        ("badges", "badges", player.badges, EARNED_BADGES_DOMAIN, False),
        ("hand", "hand badge", hand, hand_domain, False),
        ("photos", "photos", len(player.photos), PHOTOS_DOMAIN, False),
        *(
            (f"photos.{number}", f"photo {number + 1}", _face_key(face), PHOTO_FACE_DOMAIN, False)
            for number, face in faces
            if face
        ),
        *([("revealed", "photos revealed", _yes_or_no(player.revealed), YES_NO_DOMAIN, True)] if is_over else []),
    )
    for name, label, value, domain, is_read_only in fields:
        is_card = name.partition(".")[0] in CARD_FIELDS
        path = f"players.{seat}.{name}"
        singular = name if name in RESOURCES else "photo" if name == "photos" else ""
        yield EditableField(
            path,
            seat,
            label,
            value,
            domain,
            is_read_only=is_read_only,
            is_rare=name == "hand",
            affects_others=is_card,
            singular=singular,
        )
    path = f"players.{seat}.hiker"  # A player chooses the color at the table now.
    yield EditableField(path, seat, "hiker color", player.hiker, COLOR_DOMAIN, is_obsolete=True)


def own_fields(state: State, seat: int) -> Iterator[EditableField]:
    """Yield the badge in a player's own hand."""
    card = card_key(state.players[seat].hand)
    yield EditableField(f"players.{seat}.hand", seat, "your hand badge", card, CARD_DOMAIN, affects_others=True)


def _yes_or_no(flag: bool) -> str:
    return "yes" if flag else "no"


def _sun_fields(state: State) -> Iterator[EditableField]:
    value = str(state.sun) if state.sun_holder is None else f"taken {state.sun_holder}"
    names = tuple(player.name for player in state.players)
    domain = _sun_domain(state.sun_path, len(state.track.trail_end), state.sites, names)
    yield EditableField("sun", None, "Sun", value, domain, is_read_only=state.tasks == LAY_TRAIL)
    # The first icon of the Trailhead is always the final spot.
    for place, end, icons, first in (
        ("trail_end", "Trail End", state.track.trail_end, 0),
        ("trailhead", "the Trailhead", state.track.trailhead, 1),
    ):
        for number, icon in [*enumerate(icons)][first:]:
            label = f"Sun Track icon {number + 1} at {end}"
            yield EditableField(f"track.{place}.{number}", None, label, icon, SUN_ICON_DOMAIN, is_rare=True)


def _turn_fields(state: State) -> Iterator[EditableField]:
    is_laying, hand = state.tasks == LAY_TRAIL, state.players[state.turn].hand
    drawn = ((f"players.{state.turn}.hand", UNNAMED),) if hand == NO_CARD and state.badge_deck > 0 else ()
    to_do = tuple(NAMES_BY_TASK[task] for task in reversed(state.tasks))
    fields = (
        ("turn", "turn", str(state.turn), seat_domain(state), (("to_do", ("hike",)), *drawn)),
        *([] if state.is_over else [("to_do", "next step", ", then ".join(to_do), _task_domain(to_do), ())]),
        ("over", "game over", _yes_or_no(state.is_over), YES_NO_DOMAIN, drawn if state.is_over else ()),
    )
    for name, label, value, domain, side_effects in fields:
        is_rare = name != "turn"
        yield EditableField(name, None, label, value, domain, side_effects, is_read_only=is_laying, is_rare=is_rare)


# Domains that depend on the table are cached: there are few, and they are needed at every move.


@lru_cache(maxsize=256)
def _space_domain(sites: tuple[Site, ...]) -> OneOf:
    return OneOf(
        choices({"trailhead": "the Trailhead", **{site: _SITE_NAMES[site] for site in sites}, "trail-end": "Trail End"})
    )


@lru_cache(maxsize=256)
def _sun_domain(
    path: tuple[SunIcon | int, ...], trail_end_length: int, sites: tuple[Site, ...], names: tuple[str, ...]
) -> OneOf:
    """Return the possible places of the Sun: spaces moved, or the player who took it."""
    places = []
    for moved, space in enumerate(path):
        end = "Trail End" if moved < trail_end_length else "the Trailhead"
        text = _SITE_NAMES[sites[space - 1]] if isinstance(space, int) else f"{SUN_ICON_NAMES[space]} at {end}"
        places.append(Choice(str(moved), text if moved < len(path) - 1 else "final spot", moved))
    return OneOf(
        (*places, *(Choice(f"taken {seat}", f"taken by {name}", {"by": seat}) for seat, name in enumerate(names)))
    )


@lru_cache(maxsize=256)
def _task_domain(tasks: tuple[str, ...]) -> OneOf:
    """Return the possible pending tasks: the current ones, a new turn, a site, an end, or none."""
    key = ", then ".join(tasks)
    known = any(choice.key == key for choice in TASK_CHOICES)
    label = ", ".join(task_label(TASKS_BY_NAME[task]) for task in tasks)
    return OneOf(TASK_CHOICES if known else (Choice(key, label, tasks), *TASK_CHOICES))
