"""Definition of the game ALPINE TRAILS: its box, tracked game and score entry."""

from scoring.alpine_trails import (
    box,
    card_facts,
    entry_state,
    forecast,
    lessons,
    light_tracking,
    move_builder,
    painter,
    points,
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
from scoring.alpine_trails.final_position import EXTRA_FIELDS, PLAYER_COUNTS, PlayerDocument, read_final_position
from scoring.alpine_trails.moves import corrections, placing, reveals, wildlife
from scoring.alpine_trails.position import POSITION_FORMAT
from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.score_entry import make_score_entry
from scoring.kernel.tracked_game import GameText, SetupFormat, TrackedGame, TurnFlow

BOX = Box(
    key="alpine-trails",
    title=setup.TITLE,
    edition="2024 rulebook",
    publisher="Last Night Games",
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
    picture_colors=("#b9d3d6", "#3f6b2e"),
    card_facts=card_facts.CARD_FACTS_FORMAT,
    player_document=PlayerDocument,
    extra_document_fields=EXTRA_FIELDS,
)

TRACKED_GAME = TrackedGame(
    box=BOX,
    key=BOX.key,
    moves=(
        placing.TakeCamp,
        placing.PlaceWaterfall,
        wildlife.TakeAnimal,
        wildlife.LeaveAnimal,
        placing.PlaceCampsite,
        placing.PlaceTrail,
        placing.PlaceTerrain,
        wildlife.TradeFork,
        placing.Discard,
        reveals.Finish,
        wildlife.PlaceAnimal,
        reveals.NoteGoal,
        reveals.ForgetGoal,
        corrections.CorrectTile,
        corrections.RemoveTile,
        corrections.EnterMap,
        corrections.EnterAnimalHome,
        corrections.EditPosition,
        corrections.Adopt,
        corrections.UseFacts,
    ),
    setup_format=SetupFormat(
        type=state.Setup,
        default=setup.default_setup,
        check=setup.check_setup,
        start=state.start,
    ),
    flow=TurnFlow(
        to_move=state.to_move,
        pending_decisions=turn.pending_decisions,
        out_of_phase_reason=turn.out_of_phase_reason,
        not_your_turn_reason=turn.not_your_turn_reason,
        resolve_forced_steps=turn.resolve_forced_steps,
        is_simultaneous=True,
        is_same_turn=turn.is_same_turn,
        start_turn=turn.start_turn,
    ),
    text=GameText(
        prompt=text.prompt,
        describe_quantities=text.describe_quantities,
        describe_changes=text.describe_changes,
        banner=text.banner,
        table_heading=text.table_heading,
        final_call=text.final_call,
        place=placing.place,
        chapter=text.chapter,
        reminders=reminders.reminders,
        table_actions=table_actions.repair_actions,
    ),
    view=visibility.view,
    final_position=turn.final_position,
    position_format=POSITION_FORMAT,
    can_join_midgame=True,
    picture_height=state.picture_height,
    view_helpers={
        "draft": move_builder.draft_of_game,
        "tile_queries": move_builder.tile_queries,
        "forecast": forecast.forecast_for,
        "painter": painter.painter_of_game,
    },
    lessons=lessons.LESSONS,
    move_to_query=move_builder.move_to_query,
)

SCORE_ENTRY = make_score_entry(
    BOX,
    moves=score_entry.MOVES,
    setup_type=entry_state.EntrySetup,
    start=entry_state.start,
    final_position=score_entry.final_position,
    picture_height=state.picture_height,
    view_helpers={
        "draft": move_builder.draft_of_score_entry,
        "max_counts": score_entry.max_counts,
        "painter": painter.painter_of_score_entry,
        "notes": light_tracking.notes_view,
    },
)

GAME = Game(BOX, TRACKED_GAME, SCORE_ENTRY)
