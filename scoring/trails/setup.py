"""Checks and defaults of a TRAILS setup (rulebook pp. 4-5)."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import join_words, truncate
from scoring.kernel.rule import Reason
from scoring.kernel.setup import check_names, check_rulings
from scoring.trails import rules as r
from scoring.trails.box import HIKER_NAMES, HIKERS, MAX_END_ICONS, SITES, SUN_ICON_TEXTS, SUN_TRACKS
from scoring.trails.final_position import PLAYER_COUNTS
from scoring.trails.state import PlayerSetup, Setup, State, SunTrack

TITLE = "TRAILS"
FINAL_SPOT = "photo"


def check_setup(setup: Setup) -> Iterator[Reason]:
    """Yield the objections to starting with this setup."""
    yield from check_names([player.name for player in setup.players], TITLE, PLAYER_COUNTS, r.PLAYERS)
    hikers = [player.hiker for player in setup.players]
    for hiker in dict.fromkeys(hikers):
        if hiker not in HIKERS:
            yield Reason(
                "no-such-hiker",
                r.SETUP_HIKER,
                f"There is no {truncate(hiker)} hiker. Choose {join_words(HIKERS, 'or')}.",
            )
        elif hikers.count(hiker) > 1:
            yield Reason(
                "hiker-taken", r.SETUP_HIKER, f"Two players have the {HIKER_NAMES[hiker]} hiker. Choose another one."
            )
    if any(sites and sorted(sites) != sorted(SITES) for sites in (setup.sites, setup.last_time)):
        yield Reason("five-sites", r.SETUP_SITES, f"The Trail needs each site once: {join_words(SITES)}.")
    track = setup.track
    if not track.trailhead or track.trailhead[0] != FINAL_SPOT:
        yield Reason(
            "final-spot", r.SETUP_TRACK, "The leftmost icon at the Trailhead must be the photo icon, the final spot."
        )
    if FINAL_SPOT in (*track.trail_end, *track.trailhead[1:]):
        yield Reason("final-spot", r.SETUP_TRACK, "The photo icon is only on the final spot. Choose another icon.")
    if not 1 <= len(track.trail_end) <= MAX_END_ICONS or len(track.trailhead) > MAX_END_ICONS:
        yield Reason("track-length", r.SETUP_TRACK, f"Choose 1 to {MAX_END_ICONS} icons for each end of the Sun Track.")
    yield from _wrong_track_side_objections(track, len(setup.players))
    yield from check_rulings(setup.rulings, r.RULINGS)


def _wrong_track_side_objections(track: SunTrack, players: int) -> Iterator[Reason]:
    """Yield the ends that show the icons printed for another number of players.

    Icons that are not printed for any number are accepted.
    """
    for end, name, track_icons in ((0, "Trail End", track.trail_end), (1, "the Trailhead", track.trailhead)):
        known = [str(number) for number, printed in SUN_TRACKS.items() if printed[end] == track_icons]
        if known and players in SUN_TRACKS and SUN_TRACKS[players][end] != track_icons:
            icons = join_words([SUN_ICON_TEXTS[icon] for icon in SUN_TRACKS[players][end]])
            text = f"This side of {name} is for {' or '.join(known)} players. The side for {players} shows: {icons}."
            yield Reason("other-side-up", r.SETUP_TRACK, text)


def default_setup(names: list[str]) -> Setup:
    """Return the default setup: the printed Sun Track, and sites to be entered at the table."""
    trail_end, trailhead = SUN_TRACKS[len(names)]
    return Setup(
        players=tuple(PlayerSetup(name, hiker) for name, hiker in zip(names, HIKERS, strict=False)),
        track=SunTrack(trail_end, trailhead),
    )


def rematch_setup(setup: Setup, last: State) -> Setup:
    """Return the setup of the next game of a series: the sites are shuffled and entered again."""
    return replace(setup, sites=(), last_time=last.sites)
