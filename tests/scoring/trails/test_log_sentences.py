"""TRAILS: log sentences name gains, payments and sources; prompts name their cause."""

from scoring.kernel.editable import Replace
from scoring.trails import TRACKED_GAME
from scoring.trails.moves.badges import EarnBadge, GainResource
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Exchange, Hike, KeepResources, Photograph, RollWildlife, Skip
from scoring.trails.state import (
    BearEncounter,
    BothSites,
    ChooseResource,
    EarnBadges,
    EarnFreeBadge,
    KeepEight,
    MoveBear,
    MoveSun,
    Photo,
    RecyclingExchange,
    SiteAction,
    TakePhoto,
)
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import ALL_NIGHT_SUN, ANA, BO, FINAL_SUN, make_state, state_after

# The Trail: 1 exchange, 2 leaf, 3 acorn (the bear is here), 4 photo, 5 rock.
OVER_PHOTO, OVER_EXCHANGE = 2, 5  # Spaces the Sun has moved, with two players.
RICH = (4, 4, 4)


def state_at(space: int, *tasks, **changes):
    """Return a state where Ana is on a space with these pending tasks, the next one last."""
    facing = -1 if space == 6 else 1
    return make_state(tasks=tasks, **changes).with_player(ANA, space=space, facing=facing, cubes=RICH)


def state_earning(*tasks, badge: str = "", **changes):
    """Return a state where Ana earns badges at the Trailhead, with this badge in hand."""
    return state_at(0, EarnBadges("trailhead"), *tasks, **changes).with_player(ANA, hand=badge or None)


ON_BEAR_AND_EXCHANGE = state_at(1, BearEncounter("exchange"), bear="exchange")
AFTER_SEEKER = state_earning(SiteAction("exchange"), sun=OVER_EXCHANGE, bear="exchange").with_player(
    ANA, badges=("seeker-leaf",)
)
AFTER_SUNSHINE = state_earning(SiteAction("exchange"), sun=OVER_EXCHANGE).with_player(ANA, badges=("sunshine-leaf",))

# (state, move, log sentence)
SENTENCES = [
    (make_state(), Hike(2), "Ana hiked 2 tiles to the leaf site, +1 leaf."),
    (make_state(), Hike(5, canteen=True), "Ana hiked 5 tiles to the rock site with the canteen, +1 rock."),
    (
        make_state(rulings={"canteen-stay": "yes"}).with_player(ANA, space=2),
        Hike(0, canteen=True),
        "Ana stayed at the leaf site with the canteen, +1 leaf.",
    ),
    (
        make_state().with_player(ANA, space=1, facing=-1, canteen=False),
        Hike(1),
        "Ana hiked 1 tile to the Trailhead and refilled the canteen.",
    ),
    (
        make_state().with_player(ANA, space=3, facing=-1),
        Hike(3, canteen=True),
        "Ana hiked 3 tiles to the Trailhead with the canteen and refilled it.",
    ),
    (make_state().with_player(ANA, space=1, facing=-1), Hike(1), "Ana hiked 1 tile to the Trailhead."),
    (
        state_at(2, MoveBear(), bear="leaf"),
        RollWildlife("rock", "rock"),
        "Ana rolled a rock and moved the bear to the rock site, +1 rock (bear).",
    ),
    (
        state_at(2, MoveBear(), bear="leaf"),
        RollWildlife("leaf", "leaf"),
        "Ana rolled a leaf, and the bear stayed at the leaf site, +1 leaf (bear).",
    ),
    (
        state_at(2, MoveBear(), bear="leaf"),
        RollWildlife("bear", "acorn"),
        "Ana rolled the bear side and moved the bear to the acorn site, +1 acorn (bear).",
    ),
    (ON_BEAR_AND_EXCHANGE, Exchange("leaf", "rock"), "Ana exchanged 1 leaf for 2 rocks."),
    (
        ON_BEAR_AND_EXCHANGE,
        RollWildlife("rock", "rock"),
        "Ana rolled a rock and moved the bear to the rock site, +1 rock (bear).",
    ),
    (
        state_at(2, SiteAction("exchange"), bear="exchange"),
        Exchange("leaf", "rock"),
        "Ana exchanged 1 leaf for 2 rocks (bear).",
    ),
    (
        state_at(2, SiteAction("photo"), bear="photo", photo_deck=20),
        Photograph(pay="rock"),
        "Ana drew 2 photos and kept 1 (bear), \u22121 rock.",
    ),
    (
        state_at(
            6,
            EarnBadges("trail-end"),
            MoveSun(),
            SiteAction("photo"),
            sun=OVER_PHOTO,
            photo_discard=1,
            photo_up=Photo(0, 2),
            photo_deck=20,
        ),
        Photograph(True, "rock"),
        "Ana took the top discarded photo (2 birds; Sun bonus), \u22121 rock. The Sun moved to the acorn site. "
        "Night fell on the photo site.",
    ),
    (AFTER_SUNSHINE, Exchange("leaf", "rock"), "Ana exchanged 1 leaf for 2 rocks (Sunshine)."),
    (AFTER_SEEKER, Exchange("leaf", "rock"), "Ana exchanged 1 leaf for 2 rocks (bear)."),
    (state_earning(RecyclingExchange()), Exchange("leaf", "rock"), "Ana exchanged 1 leaf for 2 rocks (Recycling)."),
    (state_earning(ChooseResource()), GainResource("leaf"), "Ana used First Aid, +1 leaf."),
    (
        state_earning(badge="cartography-leaf"),
        EarnBadge("cartography-leaf", hand=True),
        "Ana earned Cartography (leaf) from their hand, \u22123 leaves, \u22121 rock, +2 acorns (Cartography).",
    ),
    (
        state_earning(badge="sunshine-rock", sun=OVER_PHOTO - 1),
        EarnBadge("sunshine-rock", hand=True),
        "Ana earned Sunshine (rock) from their hand, \u22122 acorns, \u22123 rocks, +1 rock (Sunshine).",
    ),
    (
        state_earning(EarnFreeBadge("trailhead"), badge="birdwatching-leaf"),
        EarnBadge("birdwatching-leaf", hand=True),
        "Ana earned Birdwatching (leaf) from their hand for free (Astronomy).",
    ),
    (state_at(2, SiteAction("exchange"), bear="exchange"), Skip(), "Ana skipped the exchange."),
    (state_earning(), Skip(), "Ana ended the turn."),
]


@run_all_rows("state, move, sentence", SENTENCES)
def test_log_sentence_names_each_quantity_with_its_source(state, move, sentence):
    assert TRACKED_GAME.log_sentence(state, state_after(state, move), ANA, move) == sentence


BOTH_SITES = state_at(1, BothSites("exchange", "leaf"), bear="leaf")
FACE_UP_PHOTO = state_at(4, SiteAction("photo"), photo_discard=1, photo_up=Photo(1, 1), photo_deck=20)

# (state, move, what the news of the turn says)
NEWS = [
    (make_state(), Hike(2), "leaf site, +1 leaf"),
    (make_state(), Hike(5, canteen=True), "rock site, +1 rock"),
    (make_state(sun=OVER_EXCHANGE).with_player(ANA, space=3), Hike(2), "rock site, +2 rocks"),
    (make_state().with_player(ANA, space=1, facing=-1), Hike(1), "Trailhead"),
    (make_state().with_player(ANA, space=1, facing=-1, canteen=False), Hike(1), "Trailhead, canteen refilled"),
    (make_state().with_player(ANA, space=3, facing=-1), Hike(3, canteen=True), "Trailhead, canteen refilled"),
    (make_state(sun=1).with_player(ANA, space=4), Hike(2), "Trail End, +1 rock (Sun bonus)"),
    (make_state(sun=FINAL_SUN).with_player(ANA, space=4), Hike(2), "Trail End, took the Sun"),
    (make_state(sun=FINAL_SUN, sun_holder=BO, turns_left=0).with_player(ANA, space=4), Hike(2), "Trail End"),
    (state_at(2, MoveBear(), bear="leaf"), RollWildlife("rock", "rock"), "bear to the rock site, +1 rock (bear)"),
    (state_at(2, MoveBear(), bear="leaf"), RollWildlife("leaf", "leaf"), "bear stayed, +1 leaf (bear)"),
    (state_at(1, SiteAction("exchange")), Exchange("leaf", "rock"), "+2 rocks, \u22121 leaf"),
    (state_at(1, SiteAction("exchange"), sun=ALL_NIGHT_SUN), Exchange("leaf"), "+1 acorn, +1 rock, \u22121 leaf"),
    (FACE_UP_PHOTO, Photograph(pay="rock"), "+1 photo, \u22121 rock"),
    (FACE_UP_PHOTO, Photograph(True, "rock"), "+1 photo (1 point, 1 bird), \u22121 rock"),
    (
        state_earning(trailhead=("research-leaf", None)),
        EarnBadge("research-leaf"),
        "earned Research, \u22123 leaves",
    ),
    (
        state_earning(badge="cartography-leaf"),
        EarnBadge("cartography-leaf", hand=True),
        "earned Cartography, \u22123 leaves, \u22121 rock, +2 acorns (Cartography)",
    ),
    (
        state_earning(EarnFreeBadge("trailhead"), badge="birdwatching-leaf"),
        EarnBadge("birdwatching-leaf", hand=True),
        "earned Birdwatching for free",
    ),
    (state_earning(ChooseResource()), GainResource("leaf"), "First Aid, +1 leaf"),
    (state_at(5, KeepEight()), KeepResources(4, 4, 0), "returned 4 rocks"),
    (state_at(1, SiteAction("exchange")), Skip(), ""),
    (state_earning(), Skip(), ""),
    (BOTH_SITES, Skip(), "skipped the exchange, +1 leaf (bear)"),
]


@run_all_rows("state, move, text", NEWS)
def test_news_of_a_turn_names_places_and_gains(state, move, text):
    assert ", ".join(TRACKED_GAME.news_phrases(state, state_after(state, move), ANA, move)) == text


def test_log_sentence_of_a_correction_names_the_player_who_gains_by_it():
    state, move = make_state().with_player(ANA, space=2), EditPosition((Replace("to_do", "hike", "do the leaf site"),))
    after = TRACKED_GAME.play(state, BO, move)
    assert TRACKED_GAME.log_sentence(state, after, BO, move).endswith("the leaf site\u2019s action, +1 leaf (Ana).")


# (state, prompt)
PROMPTS = [
    (state_at(2, MoveBear(), bear="leaf"), "Bear encounter: roll the Wildlife die."),
    (state_at(6, EarnBadges("trail-end"), MoveSun(), MoveBear()), "Sun bonus: roll the Wildlife die."),
    (
        state_earning(MoveBear(is_optional=True)).with_player(ANA, badges=("seeker-leaf",)),
        "Seeker: roll the Wildlife die, or skip.",
    ),
    (ON_BEAR_AND_EXCHANGE, "Bear encounter: bear or exchange site first?"),
    (state_at(4, SiteAction("photo")), "Photo site: pay 1 resource for a photo, or skip."),
    (state_at(4, SiteAction("photo"), sun=ALL_NIGHT_SUN), "Photo site: take a free photo, or skip."),
    (state_at(1, SiteAction("exchange")), "Exchange site: exchange 1 resource, or skip."),
    (
        state_at(1, SiteAction("exchange"), sun=ALL_NIGHT_SUN),
        "Exchange site: exchange 1 resource, or skip.",
    ),
    (AFTER_SUNSHINE, "Sunshine: exchange 1 resource, or skip."),
    (AFTER_SEEKER, "Bear’s site: exchange 1 resource, or skip."),
    (state_earning(TakePhoto("shutterbug")), "Shutterbug: take a free photo, or skip."),
    (state_earning(ChooseResource()), "First Aid: choose a resource, or skip."),
    (state_earning(EarnFreeBadge("trailhead")), "Astronomy: choose a free badge, or skip."),
    (state_earning(), "Trailhead: earn badges, or end the turn."),
    (state_at(2, KeepEight()), "8-resource limit: return 4 resources."),
    (
        make_state(sun=FINAL_SUN, sun_holder=BO, turns_left=0),
        "Last turn. Hike 1 or 2 tiles, or use the canteen.",
    ),
]


@run_all_rows("state, text", PROMPTS)
def test_prompt_names_its_cause(state, text):
    assert TRACKED_GAME.text.prompt(state) == text


MAX_PROMPT = 50  # letters that fit two lines of the bar of a phone, after "Your turn:"


@run_all_rows("state, text", PROMPTS)
def test_prompt_fits_two_lines_of_a_phone(state, text):
    assert len(TRACKED_GAME.text.prompt(state).removeprefix("Last turn. ")) <= MAX_PROMPT
