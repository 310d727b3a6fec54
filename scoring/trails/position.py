"""The position of a TRAILS table, its conversion from and to a state, and its checks."""

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from msgspec import Struct

from scoring.kernel.english import capitalize_first, plural_form, pluralize
from scoring.kernel.parsing import read_word
from scoring.kernel.position import PositionFormat
from scoring.kernel.rule import Reason
from scoring.trails import rules as r
from scoring.trails import state as game_state
from scoring.trails.box import (
    BADGES,
    FIRST_GAME_SITES,
    MAX_CUBES_HELD,
    PHOTOS_IN_BOX,
    RESOURCES_OF_EACH,
    SITES,
    SUN_TRACKS,
    Site,
)
from scoring.trails.editable import editable_fields, own_fields
from scoring.trails.moves.badges import all_copies_seen_reason, unknown_badge_reason
from scoring.trails.moves.reveals import photo_face_errors
from scoring.trails.setup import check_setup
from scoring.trails.state import (
    LAY_TRAIL,
    NO_CARD,
    RESOURCES,
    START_HIKE,
    TRAIL_END,
    TRAILHEAD,
    BearEncounter,
    BothSites,
    ChooseResource,
    EarnBadges,
    EarnFreeBadge,
    End,
    KeepEight,
    MoveBear,
    MoveSun,
    Photo,
    PlayerSetup,
    RecyclingExchange,
    Setup,
    SiteAction,
    StartHike,
    State,
    SunTrack,
    TakePhoto,
)
from scoring.trails.text import (
    END_NAMES,
    NAMES_BY_TASK,
    NONE,
    TASKS_BY_NAME,
    UNNAMED,
    card_key,
    space_name,
    task_label,
)
from scoring.trails.turn import RESOURCE_LIMIT


class PlayerPosition(Struct, frozen=True, omit_defaults=True):
    """One player's part of the position."""

    name: str
    hiker: str
    at: Site | End = "trailhead"
    back: bool = False  # whether it is on the way back to the Trailhead; at the ends a hiker faces the Trail
    canteen: Literal["full", "empty"] = "full"
    acorn: int = 1
    leaf: int = 1
    rock: int = 1
    badges: tuple[str, ...] = ()
    hand: str = UNNAMED  # a badge id, "unnamed" or "none"
    photos: tuple[Photo | Literal["unnamed"], ...] = ()


class SunTaken(Struct, frozen=True):
    """The Sun has been taken by a player."""

    by: int


class Position(Struct, frozen=True, omit_defaults=True):
    """Everything on a table of TRAILS; the remaining contents of the box are computed from it."""

    players: tuple[PlayerPosition, ...]  # in turn order
    sites: tuple[Site, ...] = FIRST_GAME_SITES  # from the Trailhead to Trail End
    track: SunTrack | Literal["as printed"] = "as printed"
    rulings: dict[str, str] = {}
    bear: Site = FIRST_GAME_SITES[2]
    sun: int | SunTaken = 0  # the spaces it has moved
    trailhead: tuple[str, str] = (UNNAMED, UNNAMED)
    trail_end: tuple[str, str] = (UNNAMED, UNNAMED)
    discarded_photos: int = 0
    photo_up: Photo | Literal["unnamed"] = UNNAMED  # the top of the discard pile
    # The photos under the top one, the uppermost last, down to the lowest named one.
    photos_under: tuple[Photo | Literal["unnamed"], ...] = ()
    turn: int = 0  # the player to move, or the player of the last turn
    to_do: tuple[str, ...] = ("hike",)  # the pending tasks of this turn, next one first; see TASKS_BY_NAME
    over: bool = False
    laid: int = 5  # how many sites are entered, from the Trailhead
    last_time: tuple[Site, ...] = ()


# Conversion from and to a state


def to_position(state: State) -> Position:
    """Return the position of a state."""
    printed = SUN_TRACKS.get(len(state.players)) == (state.track.trail_end, state.track.trailhead)
    return Position(
        players=tuple(_to_player_position(state, player) for player in state.players),
        sites=state.sites,
        track="as printed" if printed else state.track,
        rulings=state.rulings,
        bear=state.bear,
        sun=state.sun if state.sun_holder is None else SunTaken(state.sun_holder),
        trailhead=_to_card_names(state.trailhead),
        trail_end=_to_card_names(state.trail_end),
        discarded_photos=state.photo_discard,
        photo_up=state.photo_up or UNNAMED,
        photos_under=tuple(photo or UNNAMED for photo in state.photos_under),
        turn=state.turn,
        to_do=("hike",) if state.is_over else tuple(NAMES_BY_TASK[task] for task in reversed(state.tasks)),
        over=state.is_over,
        laid=state.sites_laid,
        last_time=state.last_time,
    )


def _to_player_position(state: State, player: game_state.Player) -> PlayerPosition:
    acorn, leaf, rock = player.cubes
    return PlayerPosition(
        name=player.name,
        hiker=player.hiker,
        at=("trailhead", *state.sites, "trail-end")[player.space],
        back=player.facing == -1 and player.space != TRAIL_END,
        canteen="full" if player.canteen else "empty",
        acorn=acorn,
        leaf=leaf,
        rock=rock,
        badges=player.badges,
        hand=card_key(player.hand),
        photos=tuple(photo or "unnamed" for photo in player.photos),
    )


def _to_card_names(cards: tuple[str | None, ...]) -> tuple[str, str]:
    left, right = map(card_key, cards)
    return left, right


def from_position(position: Position) -> State:
    """Return the state for a position.

    :raises InvalidInputError: for an unknown task.
    """
    for number, task_name in enumerate(position.to_do):
        read_word(task_name, TASKS_BY_NAME, f"to_do[{number}]", "thing to do")
    track = SunTrack(*SUN_TRACKS.get(len(position.players), ())) if position.track == "as printed" else position.track
    last = len(track.trail_end) + len(track.trailhead) + 4
    sun_holder = position.sun.by if isinstance(position.sun, SunTaken) else None
    photos = sum(len(player.photos) for player in position.players)
    return State(
        players=tuple(_from_player_position(position, player) for player in position.players),
        sites=position.sites,
        track=track,
        rulings=position.rulings,
        turn=position.turn,
        bear=position.bear,
        tasks=() if position.over else tuple(TASKS_BY_NAME[task_name] for task_name in reversed(position.to_do)),
        sun=last if isinstance(position.sun, SunTaken) else position.sun,
        sun_holder=sun_holder,
        turns_left=_turns_left(sun_holder, position.turn, len(position.players)),
        trailhead=tuple(map(_from_card_name, position.trailhead)),
        trail_end=tuple(map(_from_card_name, position.trail_end)),
        photo_deck=PHOTOS_IN_BOX - position.discarded_photos - photos,
        photo_discard=position.discarded_photos,
        photo_up=None if position.photo_up == UNNAMED else position.photo_up,
        photos_under=tuple(None if photo == UNNAMED else photo for photo in position.photos_under),
        is_over=position.over,
        sites_laid=position.laid,
        last_time=position.last_time,
    )


def _from_player_position(position: Position, player: PlayerPosition) -> game_state.Player:
    spaces = {
        "trailhead": TRAILHEAD,
        **{site: space for space, site in enumerate(position.sites, 1)},
        "trail-end": TRAIL_END,
    }
    photos = tuple(None if photo == UNNAMED else photo for photo in player.photos)
    return game_state.Player(
        name=player.name,
        hiker=player.hiker,
        space=spaces.get(player.at, -1),  # -1 is for a site that is not on this Trail
        facing=-1 if player.at == "trail-end" or (player.back and player.at != "trailhead") else 1,
        canteen=player.canteen == "full",
        cubes=(player.acorn, player.leaf, player.rock),
        badges=player.badges,
        hand=_from_card_name(player.hand),
        photos=photos,
        revealed=position.over and None not in photos,
    )


def _turns_left(sun_holder: int | None, turn: int, players: int) -> int | None:
    """Return how many turns follow this one once the Sun is taken.

    The last turn is that of the player before the one who took it.
    """
    return None if sun_holder is None else (sun_holder - 1 - turn) % players


def _from_card_name(name: str) -> str | None:
    return {UNNAMED: None, NONE: NO_CARD}.get(name, name)


# Checks


def position_errors(state: State) -> Iterator[Reason]:
    """Yield the inconsistencies of a state, one line each."""
    if not 0 <= state.turn < len(state.players) or not 0 <= (state.sun_holder or 0) < len(state.players):
        yield Reason("no-such-player", r.PLAYERS, "There is no such player at this table. Choose one of the players.")
        return
    yield from component_errors(state)
    if sorted(state.sites) == sorted(SITES):
        yield from turn_errors(state)


def component_errors(state: State) -> Iterator[Reason]:
    """Yield the impossible components, regardless of the current task."""
    players = tuple(PlayerSetup(player.name, player.hiker) for player in state.players)
    yield from check_setup(
        Setup(
            players=players,
            sites=state.sites,
            track=state.track,
            rulings=state.rulings,
            last_time=state.last_time,
        )
    )
    if sorted(state.sites) != sorted(SITES):
        return
    if (state.tasks == LAY_TRAIL) != (0 <= state.sites_laid < len(SITES) - 1):
        yield Reason("sites-to-lay", r.SETUP_SITES, "Enter all five sites before the first hike.")
    for player in state.players:
        yield from _hiker_errors(state, player)
    yield from _cube_errors(state)
    yield from _sun_errors(state)
    yield from _badge_errors(state)
    yield from _photo_errors(state)


def _hiker_errors(state: State, player: game_state.Player) -> Iterator[Reason]:
    if not TRAILHEAD <= player.space <= TRAIL_END:
        yield Reason(
            "no-such-space",
            r.SETUP_SITES,
            f"{player.name}\u2019s hiker is not on the Trail. Choose one of its seven tiles.",
        )
    elif player.facing not in (1, -1):
        text = f"{player.name}\u2019s hiker must face the Trailhead or Trail End."
        yield Reason("no-such-way", r.HIKE_FACING, text)
    elif (player.space, player.facing) in ((TRAILHEAD, -1), (TRAIL_END, 1)):
        text = f"{player.name}\u2019s hiker must face the Trail at {space_name(state, player.space)}."
        yield Reason("faces-away", r.TURN_AROUND, text)


def _cube_errors(state: State) -> Iterator[Reason]:
    # Once the table has agreed on stand-ins, they may stay, even if a later ruling forbids new ones.
    limited = r.CUBE_SUPPLY.id not in state.rulings
    for number, kind in enumerate(RESOURCES):
        held = [player.cubes[number] for player in state.players]
        if min(held, default=0) < 0:
            yield Reason("box-counts", r.COMPONENTS, f"No player can have fewer than 0 {plural_form(kind)}.")
        elif limited and sum(held) > RESOURCES_OF_EACH:
            yield too_many_cubes_reason(kind, sum(held))
        elif max(held, default=0) > MAX_CUBES_HELD:
            text = f"No player can have more than {pluralize(MAX_CUBES_HELD, kind)}."
            yield Reason("box-counts", r.RESOURCE_SUPPLY, text)


def too_many_cubes_reason(kind: str, held: int) -> Reason:
    """Return why the players cannot have this many cubes of a kind in total."""
    text = f"The box has {pluralize(RESOURCES_OF_EACH, kind)}. The players would have {held}."
    return Reason("box-counts", r.COMPONENTS, text)


def _sun_errors(state: State) -> Iterator[Reason]:
    last = len(state.sun_path) - 1
    if not 0 <= state.sun <= last:
        yield Reason("no-such-spot", r.SETUP_TRACK, f"The Sun can move at most {last} spaces.")
    elif MoveSun() in state.tasks and (state.sun_holder is not None or state.sun == last):
        yield Reason("sun-to-move", r.SUN_MOVES, "The Sun can\u2019t move this turn. It is already on its final spot.")
    sun_holder, turns_left = state.sun_holder, _turns_left(state.sun_holder, state.turn, len(state.players))
    if state.turns_left != turns_left or (sun_holder is not None and state.sun != last):
        text = "The Sun is taken only from its final spot. That starts the last round."
        yield Reason("sun-taken", r.END_TRIGGER, text)


def _badge_errors(state: State) -> Iterator[Reason]:
    held = [player.hand for player in state.players if player.hand]
    for card in dict.fromkeys([*filter(None, state.visible_badges), *held]):
        if card not in BADGES:
            yield unknown_badge_reason(card)
        # Two players may err about their hands; each hand is checked against the visible cards only.
        elif state.visible_copies(card) + (card in held) > BADGES[card].copies:
            yield all_copies_seen_reason(card)
    if state.badge_deck < 0:
        entered = game_state.BADGES_IN_BOX - state.badge_deck
        text = f"The box has {game_state.BADGES_IN_BOX} badges, and {entered} are entered. Remove some."
        yield Reason("badge-count", r.COMPONENTS, text)


def _photo_errors(state: State) -> Iterator[Reason]:
    held = chain.from_iterable(player.photos for player in state.players)
    for photo in filter(None, (*held, state.photo_up, *state.photos_under)):
        yield from photo_face_errors(photo)
    photos = max(0, state.photo_deck) + state.photo_discard + sum(len(player.photos) for player in state.players)
    if state.photo_discard < 0:
        yield Reason("photo-count", r.PHOTO_COUNT, "The photo discard pile can\u2019t have fewer than 0 photos.")
    elif len(state.photos_under) >= max(1, state.photo_discard) or state.photos_under[:1] == (None,):
        text = "More photos are entered under the top discarded photo than the pile has. Remove some."
        yield Reason("no-face-up-photo", r.PHOTO_FACE_UP, text)
    elif state.photo_up and not state.photo_discard:
        text = "The top discarded photo is entered, but the discard pile is empty."
        yield Reason("no-face-up-photo", r.PHOTO_FACE_UP, text)
    elif photos != PHOTOS_IN_BOX:
        yield Reason("photo-count", r.PHOTO_COUNT, f"The box has {PHOTOS_IN_BOX} photos, but {photos} are entered.")
    elif state.photo_discard and not state.photo_deck:
        text = "The photo deck is empty. Flip the discard pile to make a new deck."
        yield Reason("photo-deck-empty", r.PHOTO_DECK_EMPTY, text)


def turn_errors(state: State) -> Iterator[Reason]:
    """Yield the inconsistencies with the current point of a turn."""
    player, deck = state.players[state.turn], pluralize(state.badge_deck, "badge")
    for other in state.players:
        if sum(other.cubes) > RESOURCE_LIMIT and (other is not player or state.is_over or state.tasks == START_HIKE):
            text = f"{other.name} has {sum(other.cubes)} resources. The limit at the end of a turn is {RESOURCE_LIMIT}."
            yield Reason("keep-eight", r.RESOURCE_LIMIT, text)
        if other.hand == NO_CARD and state.badge_deck and other is not player:
            yield Reason("hand-empty", r.HAND_REFILL, f"{other.name} has no hand badge, but the deck has {deck}.")
    if state.tasks == START_HIKE and state.badge_deck and NO_CARD in (*state.trailhead, *state.trail_end, player.hand):
        yield Reason("gap", r.END_CHECKLIST, f"A badge is missing at the start of a turn, but the deck has {deck}.")
    if state.is_over:
        if state.turns_left != 0:
            text = "Play ends after everyone else has had a turn once the Sun is taken."
            yield Reason("not-over", r.LAST_ROUND, text)
    elif not state.tasks:
        yield Reason(
            "nothing-to-do", r.TURN_STEPS, "A turn starts with a hike, but nothing is left to do in this turn."
        )
    else:
        yield from _task_errors(state, player)


def _task_errors(state: State, player: game_state.Player) -> Iterator[Reason]:
    first, *rest = state.tasks
    if (rest and isinstance(first, StartHike | KeepEight)) or any(
        isinstance(task, StartHike | KeepEight | EarnBadges | BearEncounter) for task in rest
    ):
        text = f"These steps are not from one turn: {'; '.join(map(task_label, reversed(state.tasks)))}."
        yield Reason("not-one-turn", r.TURN_STEPS, text)
    for task in state.tasks:
        match task:
            case EarnBadges(end) | EarnFreeBadge(end) if player.space != (
                TRAILHEAD if end == "trailhead" else TRAIL_END
            ):
                yield Reason(
                    "elsewhere",
                    r.EARN_WHERE,
                    f"{player.name} must be at {END_NAMES[end]} to earn badges there.",
                )
            case (
                EarnFreeBadge() | ChooseResource() | RecyclingExchange() | TakePhoto() | MoveSun() | MoveBear(True)
            ) if not isinstance(first, EarnBadges):
                text = f"{capitalize_first(task_label(task))}: only possible while earning badges at an end."
                yield Reason("no-visit", r.EARN_BONUS, text)
            case BearEncounter(own) if state.bear != own or state.site_at(player.space) != own:
                yield Reason("no-meeting", r.BEAR_MET, f"{player.name} and the bear are not both at the {own} site.")
            case BothSites(own, bears) if state.bear != bears or state.site_at(player.space) != own:
                text = f"{player.name} is not at the {own} site with the bear at the {bears} site."
                yield Reason("no-meeting", r.BEAR_ORDER, text)
            case SiteAction(site) if site not in (state.bear, state.site_at(player.space), _site_under_sun(state)):
                text = f"{player.name}, the bear and the Sun are not at the {site} site."
                yield Reason("elsewhere", r.SITE_ACTION, text)


def _site_under_sun(state: State) -> Site | None:
    """Return the site under the Sun, or None."""
    under = state.sun_path[state.sun] if 0 <= state.sun < len(state.sun_path) else None
    return state.site_at(under) if isinstance(under, int) else None


POSITION_FORMAT = PositionFormat(
    type=Position,
    to_position=to_position,
    from_position=from_position,
    position_errors=position_errors,
    editable_fields=editable_fields,
    own_fields=own_fields,
)
