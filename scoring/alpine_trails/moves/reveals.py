"""Moves that give Waymark information: a player's secret goal, and that a map is complete."""

from collections.abc import Iterator

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.points import TERRAINS_BY_GOAL, Goal, GoalKind, GoalTerrain
from scoring.alpine_trails.state import State
from scoring.alpine_trails.text import describe_goal
from scoring.kernel.english import capitalize_first, join_words, pluralize, quote
from scoring.kernel.move import Move, MoveLabel
from scoring.kernel.rule import Reason

POSSIBLE_GOALS: tuple[tuple[GoalKind, GoalTerrain | None], ...] = tuple(
    (kind, terrain) for kind, terrains in TERRAINS_BY_GOAL.items() for terrain in terrains
)


class NoteGoal(Move[State], tag="note-goal"):
    """Enter your own goal in secret; it is revealed when all maps are complete."""

    title = "Enter your goal card"
    rules = (r.GOAL_CARD, r.GOAL_SECRET)
    out_of_turn = True
    is_secret = True

    kind: GoalKind
    terrain: GoalTerrain | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].goal is not None and state.is_over:
            yield Reason("revealed", r.GOAL_SECRET, "The goal cards are revealed, so yours cannot change.")
        elif (self.kind, self.terrain) not in POSSIBLE_GOALS:
            yield Reason(
                "no-such-goal",
                r.GOAL_CARD,
                "There is no such goal card. Choose a goal, with its terrain if the card shows one.",
            )
        elif state.players[seat].goal == Goal(self.kind, self.terrain):
            yield Reason("no-change", r.GOAL_CARD, "You already entered this goal card.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, goal=Goal(self.kind, self.terrain))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NoteGoal"]:
        for kind, terrain in POSSIBLE_GOALS:
            yield cls(kind, terrain)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(capitalize_first(describe_goal(self.kind, self.terrain)), icon="secret")

    def log_text(self, state: State, seat: int) -> str:
        return f"entered the goal card {quote(describe_goal(self.kind, self.terrain))}"


class ForgetGoal(Move[State], tag="forget-goal"):
    """Remove the goal that you entered."""

    title = "Clear your goal card"
    fixed_label = MoveLabel("Clear goal card", icon="undo")
    fixed_log_text = "cleared the goal card"
    rules = (
        r.GOAL_SECRET,
        r.GOAL_CARD,
    )
    out_of_turn = True
    is_secret = True

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].goal is None:
            yield Reason("no-goal", r.GOAL_CARD, "You have not entered a goal card.")
        elif state.is_over:
            yield Reason("revealed", r.GOAL_SECRET, "The goal cards are revealed, so yours cannot change.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, goal=None)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["ForgetGoal"]:
        if state.players[seat].goal is not None:
            yield cls()


class Finish(Move[State], tag="finish"):
    """Confirm at the end that your map is complete, including lakes and animals."""

    title = "Finish your map"
    names_player = False
    resolves = ("end",)
    rules = (r.LAKES_AT_ENDS, r.LAKE_SUPPLY, r.LAKE_SHARED, r.CAMPS_NEED_NO_LAKE, r.SCORE_TOTAL)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, is_complete=True)

    def log_text(self, state: State, seat: int) -> str:
        return f"{state.players[seat].name}\u2019s map is finished"

    def label(self, state: State, seat: int) -> MoveLabel:
        player = state.players[seat]
        left = [f"{pluralize(len(player.kept_animals), 'animal')} not placed"] if player.kept_animals else []
        left += ["no goal card entered"] if player.goal is None else []
        return MoveLabel("I\u2019m done", hint=join_words(left), icon="check")
