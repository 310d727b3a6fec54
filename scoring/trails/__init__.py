"""TRAILS as a registered game: its box, how it is tracked, and its score entry."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.pieces import Pieces
from scoring.kernel.score_entry import ScoreEntrySetup, make_score_entry
from scoring.kernel.tracked_game import GameText, Progress, SetupFormat, TrackedGame, TurnFlow
from scoring.trails import (
    box,
    display,
    lessons,
    points,
    position,
    quantities,
    reminders,
    rules,
    score_entry,
    setup,
    state,
    table_actions,
    text,
    turn,
    visibility,
)
from scoring.trails.final_position import PLAYER_COUNTS, PlayerDocument, read_final_position
from scoring.trails.moves import badges, corrections, hiking, reveals, trail_setup

BOX = Box(
    key="trails",
    title=setup.TITLE,
    edition="rulebook 1.0",
    publisher="Keymaster Games",
    version="2",
    player_counts=PLAYER_COUNTS,
    rules=rules.RULES,
    rulings=rules.RULINGS,
    variants=rules.VARIANTS,
    components=box,
    categories=points.CATEGORIES,
    player_count_rule=rules.PLAYERS,
    total_rule=rules.SCORE_TOTAL,
    read_final_position=read_final_position,
    score=points.score,
    picture_colors=("#e8a33d", "#4f7f3a"),
    player_document=PlayerDocument,
    pieces=Pieces("hiker", box.HIKER_NAMES, player_field="hiker"),
)

TRACKED_GAME = TrackedGame(
    box=BOX,
    key=BOX.key,
    moves=(
        trail_setup.LaySite,
        trail_setup.LaySites,
        hiking.Hike,
        hiking.RollWildlife,
        hiking.Exchange,
        hiking.Photograph,
        badges.EarnBadge,
        badges.GainResource,
        hiking.KeepResources,
        hiking.Skip,
        reveals.NameCard,
        reveals.NameFaceUpPhoto,
        reveals.NoteHand,
        reveals.NotePhoto,
        reveals.ForgetPhotos,
        corrections.EditPosition,
        corrections.Adopt,
    ),
    setup_format=SetupFormat(
        type=state.Setup,
        default=setup.default_setup,
        check=setup.check_setup,
        start=state.start,
        for_rematch=setup.rematch_setup,
    ),
    flow=TurnFlow(
        to_move=state.to_move,
        pending_decisions=turn.pending_decisions,
        out_of_phase_reason=text.out_of_phase_reason,
        not_your_turn_reason=text.not_your_turn_reason,
        resolve_forced_steps=turn.resolve_forced_steps,
        next_seats=text.next_seats,
    ),
    text=GameText(
        prompt=text.prompt,
        describe_changes=text.describe_changes,
        describe_quantities=quantities.describe_quantities,
        banner=text.banner,
        chapter=text.chapter,
        place=hiking.place,
        reminders=reminders.reminders,
        table_actions=table_actions.repair_actions,
        final_call=text.final_call,
    ),
    view=visibility.view,
    final_position=points.final_position,
    position_format=position.POSITION_FORMAT,
    can_join_midgame=True,
    picture_height=lambda view: 236,
    progress=Progress("points", points.points_before_awards, "Points for the most birds are added at the end."),
    view_helpers={
        "visited_end": display.visited_end,
        "badge_values": display.badge_values,
        "planned_badges": display.planned_badges,
        "payable_badges": display.payable_badges,
        "naming_target": display.naming_target,
        "bird_count": display.bird_count,
    },
    lessons=lessons.LESSONS,
    scene=display.scene,
)

GAME = Game(
    BOX,
    TRACKED_GAME,
    make_score_entry(
        BOX,
        moves=score_entry.MOVES,
        setup_type=ScoreEntrySetup,
        start=score_entry.start,
        final_position=score_entry.final_position,
        view_helpers=score_entry.VIEW_HELPERS,
    ),
)
