"""PARKS: the table of contents of the game."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.pieces import Pieces
from scoring.kernel.score_entry import make_score_entry
from scoring.kernel.tracked_game import GameText, Progress, SetupFormat, TrackedGame, TurnFlow
from scoring.parks import (
    box,
    custom_cards,
    editable,
    lessons,
    points,
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
from scoring.parks.final_position import EXTRA_FIELDS, PLAYER_COUNTS, PlayerDocument, read_final_position
from scoring.parks.moves import corrections, hiking, park_actions, reveals, sites, trail_setup

BOX = Box(
    key="parks",
    title=setup.TITLE,
    edition="second edition",
    publisher="Keymaster Games",
    version="2",
    player_counts=PLAYER_COUNTS,
    rules=rules.RULES,
    rulings=rules.RULINGS,
    variants=rules.VARIANTS,
    components=box,
    categories=points.CATEGORIES,
    player_count_rule=rules.PLAYERS,
    total_rule=rules.WINNER,
    bgg_id=box.BGG,
    read_final_position=read_final_position,
    score=points.score,
    picture_colors=("#f0b27a", "#2e6a7d"),
    card_facts=custom_cards.CARD_FACTS_FORMAT,
    player_document=PlayerDocument,
    pieces=Pieces("hiker", {hiker: hiker for hiker in box.HIKERS}),
    extra_document_fields=EXTRA_FIELDS,
)

TRACKED_GAME = TrackedGame(
    box=BOX,
    key=BOX.key,
    moves=(
        hiking.Hike,
        sites.FillCanteenRow,
        sites.StowWater,
        sites.SwapToken,
        sites.TakePhoto,
        sites.TakeCanteen,
        sites.Trade,
        sites.Roll,
        park_actions.VisitPark,
        park_actions.Reserve,
        park_actions.BuyGear,
        park_actions.DrawGear,
        hiking.UseExtra,
        hiking.TakeSide,
        hiking.ReturnToken,
        hiking.Skip,
        trail_setup.LayTile,
        trail_setup.PlaceShutterbug,
        reveals.NamePark,
        reveals.NameReserved,
        reveals.NameGear,
        reveals.NameCanteen,
        reveals.NamePassion,
        reveals.NameTile,
        corrections.AddPark,
        corrections.AddGear,
        corrections.AddPassion,
        corrections.EditPosition,
        corrections.Adopt,
        corrections.UseCardFacts,
    ),
    setup_format=SetupFormat(
        type=state.Setup,
        default=setup.default_setup,
        check=setup.check_setup,
        start=state.start,
        reuse=setup.reuse_setup,
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
        chapter=lambda state: box.SEASONS[state.season],
        place=hiking.place,
        reminders=reminders.reminders,
        table_actions=table_actions.repair_actions,
        final_call=text.final_call,
    ),
    view=visibility.view,
    final_position=points.final_position,
    position_format=editable.POSITION_FORMAT,
    can_join_midgame=True,
    picture_height=lambda view: 194,
    progress=Progress(
        "points",
        points.points_before_awards,
        "The Fall bonus, the photo bonus and First Hiker are added at the end.",
    ),
    view_helpers={
        "season_standings": text.season_standings,
        "season_result": text.season_result,
        "planned_parks": text.planned_parks,
    },
    lessons=lessons.LESSONS,
    scene=lambda view: f"season-{view.season}",
)

SCORE_ENTRY = make_score_entry(
    BOX,
    moves=score_entry.MOVES,
    setup_type=score_entry.EntrySetup,
    check_more=lambda setup: custom_cards.check_custom_cards(setup.facts),
    start=score_entry.start,
    final_position=score_entry.final_position,
    scene=lambda view: f"season-{len(box.SEASONS) - 1}",
)

GAME = Game(BOX, TRACKED_GAME, SCORE_ENTRY)
