"""TRAILS: what the Sunshine badge brings, wherever the Sun is."""

from scoring.trails.moves.hiking import Exchange, Hike, Leave, Photograph, Wildlife
from scoring.trails.state import AtSite, Bear, Earn, State, TakePhoto
from tests.support.cases import every_row
from tests.support.trails_table import ANA, BO, FINAL_SPOT, after, cases, earn, holding, shown, table


def sunny(sun: int, players: int = 2, **changes) -> State:
    """Return Ana at the Trailhead, about to earn the Sunshine (acorn) of her hand with a rock to spare."""
    return holding("sunshine-acorn", (3, 2, 1), players, sun=sun, **changes)


OUTCOMES = {
    "sunshine": [
        (sunny(0), [earn("sunshine-acorn")], {"tasks": (Earn("trailhead"), Bear(optional=True)), "sun": 0}),
        (sunny(1), [earn("sunshine-acorn")], {"cubes": (0, 0, 2), "sun": 1, "turn": BO}),
        (sunny(2), [earn("sunshine-acorn")], {"tasks": (Earn("trailhead"), AtSite("photo")), "sun": 2}),
        (sunny(2), [earn("sunshine-acorn"), Photograph(pay="rock")], {"photos": (None,), "cubes": (0, 0, 0), "sun": 2}),
        (sunny(4), [earn("sunshine-acorn")], {"cubes": (0, 1, 1), "sun": 4, "turn": BO}),
        (sunny(5), [earn("sunshine-acorn"), Exchange("rock", "leaf")], {"cubes": (0, 2, 0), "sun": 5, "turn": BO}),
        (sunny(6), [earn("sunshine-acorn"), Wildlife("leaf", "leaf")], {"cubes": (0, 2, 1), "sun": 6, "turn": BO}),
        (sunny(0, players=4), [earn("sunshine-acorn")], {"cubes": (0, 0, 2), "sun": 0, "turn": BO}),
        (sunny(9, players=4), [earn("sunshine-acorn")], {"cubes": (2, 0, 1), "sun": 9, "turn": BO}),
    ],
    "sunshine-where": [
        # at Trail End the Sun moves first: from the bear to the rock site, from the rock site to the photo site
        (
            table().with_player(ANA, at=5, hand="sunshine-acorn", cubes=(3, 2, 0)),
            [Hike(1), Wildlife("acorn", "acorn"), earn("sunshine-acorn")],
            {"cubes": (1, 0, 1), "sun": 1, "turn": BO},
        ),
        (
            table(sun=1).with_player(ANA, at=5, hand="sunshine-acorn", cubes=(3, 2, 0)),
            [Hike(1), earn("sunshine-acorn"), Photograph(pay="rock")],
            {"cubes": (0, 0, 0), "photos": (None,), "sun": 2},
        ),
        (
            table(sun=3).with_player(ANA, at=1, facing=-1, hand="sunshine-acorn", cubes=(3, 2, 0)),
            [Hike(1), earn("sunshine-acorn")],
            {"cubes": (1, 0, 0), "sun": 3, "turn": BO},
        ),
    ],
    "sunshine-final": [
        (sunny(FINAL_SPOT), [earn("sunshine-acorn")], {"tasks": (Earn("trailhead"), TakePhoto("sunshine"))}),
        (
            sunny(FINAL_SPOT),
            [earn("sunshine-acorn"), Photograph()],
            {"photos": (None,), "cubes": (0, 0, 1), "sun_holder": None, "turns_left": None, "turn": BO},
        ),
    ],
    "sunshine-last-round": [
        (
            sunny(FINAL_SPOT, sun_holder=BO, turns_left=0),
            [earn("sunshine-acorn"), Photograph()],
            {"photos": (None,), "sun_holder": BO, "over": True},
        ),
    ],
    "sunshine-trigger": [
        (
            table(sun=FINAL_SPOT).with_player(ANA, at=5, hand="sunshine-acorn", cubes=(3, 2, 0)),
            [Hike(1), Photograph(), earn("sunshine-acorn"), Photograph(face_up=True)],
            {"photos": (None, None), "sun_holder": ANA, "turns_left": 0, "turn": BO},
        ),
    ],
    "earn-bonus-lost": [
        (sunny(2).with_player(ANA, cubes=(3, 2, 0)), [earn("sunshine-acorn")], {"photos": (), "turn": BO}),
    ],
    "earn-bonus-optional": [
        (sunny(2), [earn("sunshine-acorn"), Leave()], {"photos": (), "cubes": (0, 0, 1), "turn": BO}),
    ],
}


@every_row("state, moves, expected", cases(OUTCOMES))
def test_sunshine_brings_what_the_sun_gives_where_it_stands(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected
