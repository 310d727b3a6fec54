"""ALPINE TRAILS: what the table sets right, goals that stay secret, rulings."""

from msgspec.structs import replace

from scoring.alpine_trails import PLAY
from scoring.alpine_trails.map.tiles import Placed
from scoring.alpine_trails.moves.corrections import Adopt, CorrectPlayer, CorrectRound, CorrectTile, RemoveTile
from scoring.alpine_trails.moves.reveals import Finish, ForgetGoal, NoteGoal
from scoring.alpine_trails.points import Goal
from tests.support.alpine_trails_maps import drawn, tile
from tests.support.alpine_trails_table import ANA, BO, CAMP, after, against, cases, refusals, table, with_ana, with_side
from tests.support.cases import every_row

ROW = (*CAMP, Placed(2, 0, "terrain", "meadow", icons=2), Placed(3, 0, "terrain", "rock", icons=2))
LAID = table(ana=ROW, round="over")
NOTED = with_ana(LAID, goal=Goal("path-length"))
REVEALED = with_side(with_ana(NOTED, done=True), BO, done=True)
WOLF_HERE = with_ana(LAID, tiles=(*CAMP, replace(ROW[2], animal="wolf"), ROW[3]))


def corrected(placed: Placed, player: int = ANA) -> CorrectTile:
    """Return the correction that puts a tile on a map."""
    return CorrectTile(player, *(getattr(placed, field) for field in Placed.__struct_fields__))


@every_row(
    "placed, tiles",
    [
        (tile("f", 4, 0), (*ROW, tile("f", 4, 0))),
        (tile("NS1w", 3, 0), (*ROW[:3], tile("NS1w", 3, 0))),
        (tile("lake", 4, 0), (*ROW, tile("lake", 4, 0))),
        (tile("camp", 2, 1), (*ROW, tile("camp", 2, 1))),
        (tile("Bf3", 1, 0), (ROW[0], tile("Bf3", 1, 0), *ROW[2:])),
        (replace(ROW[2], animal="wolf"), (*CAMP, replace(ROW[2], animal="wolf"), ROW[3])),
    ],
)
def test_a_tile_that_lies_on_the_table_is_put_on_the_map_whatever_the_rules(placed, tiles):
    state = after(LAID, corrected(placed), seat=BO)
    assert state.players[ANA].tiles == tiles
    assert corrected(placed).consent


def test_a_tile_that_does_not_lie_there_is_taken_off():
    assert after(LAID, RemoveTile(ANA, 3, 0), seat=BO).players[ANA].tiles == ROW[:3]


def test_what_a_player_keeps_and_has_played_is_set_right():
    state = after(with_ana(table(ana=ROW), held=("bear", "wolf")), CorrectPlayer(ANA, bear=0, goat=1, used=1))
    assert (state.players[ANA].held, state.players[ANA].used) == (("wolf", "goat"), 1)


def test_the_round_is_set_right_and_the_bag_with_it():
    state = after(table(bag=40), CorrectRound(4))
    assert (state.round, state.bag) == (4, 40 - 16)


@every_row(
    "camped, move, after_it",
    [
        (True, CorrectPlayer(ANA, used=0), False),  # no tile of this round lies: no campsite either
        (True, CorrectPlayer(ANA, bear=1), True),
        (True, CorrectPlayer(BO, used=1), True),
        (False, CorrectPlayer(ANA, bear=1), False),
        (False, CorrectPlayer(ANA, used=0), False),
    ],
)
def test_a_campsite_of_this_round_is_one_until_no_tile_of_it_is_played(camped, move, after_it):
    state = after(with_ana(table(ana=ROW), used=1, camped=camped), move)
    assert state.players[ANA].camped == after_it


def test_a_correction_that_ends_the_game_lays_the_lakes():
    state = with_ana(table(1, ana=(*CAMP, tile("NS2f", 0, -1)), bag=4), used=1)
    state = after(state, CorrectRound(2), CorrectPlayer(ANA, used=2))
    assert state.ended
    assert state.players[ANA].tiles[-1] == tile("lake", 0, -2)


FULL = {
    "trails": table(ana=ROW, others=(*CAMP, *(Placed(x, 1, "terrain", "rock", icons=2) for x in range(130)))),
    "tents": table(ana=ROW, others=(*CAMP, *(Placed(x, 1, "campsite") for x in range(25)))),
    "waterfalls": table(ana=ROW, others=(*CAMP, *(Placed(x, 1, "waterfall") for x in range(36)))),
    "lakes": table(ana=ROW, others=(*CAMP, *(Placed(x, 1, "lake") for x in range(72)))),
}

NO_SUCH_GOAL = "There is no such goal card; a goal has its kind and, but for the length, a terrain."
REFUSED = {
    "components": [
        (LAID, corrected(ROW[2]), "The app has it so already."),
        (LAID, RemoveTile(ANA, 9, 9), "No tile lies here."),
        (LAID, CorrectPlayer(ANA), "The app has it so already."),
        (LAID, CorrectPlayer(ANA, bear=0), "The app has it so already."),
        (table(), CorrectRound(1), "The app has it so already."),
        (FULL["trails"], corrected(tile("f", 4, 0)), "The box has 132 trail tiles."),
        (FULL["trails"], corrected(tile("NS1f", 4, 0)), "The box has 132 trail tiles."),
        (FULL["tents"], corrected(tile("camp", 4, 0)), "The box has 25 tents."),
        (FULL["waterfalls"], corrected(tile("fall", 4, 0)), "The box has 36 waterfalls."),
    ],
    "lake-supply": [
        (FULL["lakes"], corrected(tile("lake", 4, 0)), "The box has 72 campsite and waterfall tiles for all lakes."),
        (FULL["lakes"], corrected(tile("camp", 4, 0)), "The box has 72 campsite and waterfall tiles for all lakes."),
    ],
    "base-camp": [
        (LAID, corrected(tile("f", 0, 0)), "Base camp stays where it is, on its two squares."),
        (LAID, corrected(tile("Br", 4, 0)), "Base camp stays where it is, on its two squares."),
        (LAID, RemoveTile(ANA, 1, 0), "Base camp stays where it is, on its two squares."),
        (table(ana=()), corrected(ROW[2]), "Ana has no map yet."),
    ],
    "place-adjacent": [
        (LAID, corrected(tile("f", 9, 9)), "No tile of the map lies side by side with this cell."),
        (LAID, RemoveTile(ANA, 2, 0), "Without it the map would fall apart."),
    ],
    "terrain-side": [(LAID, corrected(replace(ROW[2], icons=3)), "A terrain side shows 2 icons, not 3.")],
    "trail-shape": [
        (
            LAID,
            corrected(replace(tile("NS1f", 4, 0), exits="N")),
            "A trail leaves its tile on two, three or four sides.",
        ),
    ],
    "players": [
        (LAID, corrected(ROW[2], 7), "There is no such player at this table."),
        (LAID, RemoveTile(-1, 3, 0), "There is no such player at this table."),
        (LAID, CorrectPlayer(2, bear=1), "There is no such player at this table."),
    ],
    "animal-supply": [
        (LAID, CorrectPlayer(ANA, bear=6), "There are 5 of each animal."),
        (LAID, CorrectPlayer(ANA, goat=-1), "There are 5 of each animal."),
    ],
    "animal-once": [
        (LAID, CorrectPlayer(ANA, bear=2), "Ana would have the bear twice."),
        (with_ana(LAID, held=("wolf",)), corrected(replace(ROW[2], animal="wolf")), "Ana would have the wolf twice."),
    ],
    "draw-two": [
        (LAID, CorrectPlayer(ANA, used=1), "The bag is empty: no tiles of a round are played any more."),
        (table(), CorrectPlayer(ANA, used=3), "In a round everybody plays 2 tiles; Ana cannot have played 3."),
    ],
    "bag": [
        (table(bag=40), CorrectRound(11), "With 40 tiles in the bag there are 10 rounds."),
        (table(bag=40), CorrectRound(0), "With 40 tiles in the bag there are 10 rounds."),
    ],
    "game-over": [(LAID, CorrectRound(2), "The bag is empty; the rounds are over.")],
    "goal-card": [
        (table(), NoteGoal("path-length", "rock"), NO_SUCH_GOAL),
        (table(), NoteGoal("path-icons"), NO_SUCH_GOAL),
        (table(), NoteGoal("path-icons", "any"), NO_SUCH_GOAL),
        (table(), ForgetGoal(), "You have not noted a goal."),
        (with_ana(table(), goal=Goal("path-length")), NoteGoal("path-length"), "That is the goal you have noted."),
    ],
    "goal-secret": [
        (REVEALED, NoteGoal("tent-icons", "any"), "The goals lie open; the one you have noted stays."),
        (REVEALED, ForgetGoal(), "The goals lie open; the one you have noted stays."),
    ],
    "animal-place": [
        (
            LAID,
            corrected(replace(ROW[3], animal="wolf")),
            "Ana, 3 east of base camp: the wolf lives in the meadow; this is a rock tile.",
        ),
    ],
}


@every_row("state, move, rule, sentence", refusals(REFUSED))
def test_what_cannot_be_so_is_refused_by_its_rule(state, move, rule, sentence):
    assert (rule, sentence) in against(state, move)


def test_what_a_correction_does_to_an_animal_is_said():
    with_wolf, without = corrected(replace(ROW[2], animal="wolf")), corrected(ROW[2])
    assert with_wolf.label(LAID, BO) == "Correct the map of Ana: a meadow tile with the wolf, 2 east of base camp"
    assert PLAY.tell(WOLF_HERE, after(WOLF_HERE, without, seat=BO), BO, without).startswith(
        "Bo had the map of Ana corrected: a meadow tile without the wolf, 2 east of base camp"
    )


# Goals


NOTED_NOW = after(LAID, NoteGoal("tent-icons", "any"))
SEEN = {
    "goal-card": [(NOTED_NOW, ANA, Goal("tent-icons", "any"))],
    "goal-secret": [
        (NOTED_NOW, BO, None),
        (NOTED_NOW, None, None),
        (after(NOTED_NOW, Finish()), BO, None),
        (after(after(NOTED_NOW, Finish()), Finish(), seat=BO), BO, Goal("tent-icons", "any")),
    ],
}


@every_row("state, eyes, goal", cases(SEEN))
def test_a_goal_is_known_to_its_owner_alone_until_all_maps_are_complete(state, eyes, goal):
    assert PLAY.view(state, eyes).players[ANA].goal == goal


def test_a_goal_counts_in_the_total_of_those_who_know_it():
    state = after(table(ana=drawn("r Br Br")), NoteGoal("habitat-icons", "rock"))
    assert [PLAY.box.score(PLAY.final(PLAY.view(state, seat))).columns[ANA].of("goal") for seat in (ANA, BO)] == [4, 0]
    assert after(state, ForgetGoal()).players[ANA].goal is None


# Rulings


def test_a_ruling_counts_from_when_it_is_adopted():
    state = table(ana="lake EW3f NEW2f EW1f Br Br")
    assert PLAY.box.score(PLAY.final(state)).columns[ANA].of("path") == 3
    state = after(state, Adopt("fork-miles", "yes"))
    assert PLAY.box.score(PLAY.final(state)).columns[ANA].of("path") == 5
