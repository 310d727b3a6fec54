"""The game ON THE TRAIL: its box and tracked game."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.pieces import Pieces
from scoring.kernel.tracked_game import GameText, Progress, SetupFormat, TrackedGame, TurnFlow
from scoring.on_the_trail import (
    bot,
    box,
    display,
    lessons,
    news,
    points,
    reminders,
    rules,
    setup,
    state,
    table_actions,
    text,
    turn,
    visibility,
)
from scoring.on_the_trail.card_facts import CARD_FACTS
from scoring.on_the_trail.final_position import FinalPlayer, read_final_position
from scoring.on_the_trail.moves import card_reveals, corrections, reveals, run_moves, stops
from scoring.on_the_trail.position import POSITION_FORMAT
from scoring.on_the_trail.quantities import describe_quantities

BOX = Box(
    key="on-the-trail",
    title=setup.TITLE,
    edition="2025 rulebook",
    publisher="Blue Orange",
    version="1",
    player_counts=setup.PLAYER_COUNTS,
    rules=rules.RULES,
    rulings=rules.RULINGS,
    variants=rules.VARIANTS,
    components=box,
    categories=points.CATEGORIES,
    player_count_rule=rules.PLAYERS,
    total_rule=rules.FINISH_TIE,
    read_final_position=read_final_position,
    score=points.score,
    picture_colors=("#ecca86", "#a5532a"),
    card_facts=CARD_FACTS,
    has_points=False,
    has_bot=True,
    player_document=FinalPlayer,
    pieces=Pieces("bib", {bib: bib for bib in box.BIBS}, are_numbered=True),
)

TRACKED_GAME = TrackedGame(
    box=BOX,
    key=BOX.key,
    moves=(
        run_moves.Run,
        run_moves.RunOn,
        run_moves.Activate,
        run_moves.Stay,
        run_moves.EndRace,
        run_moves.DropOut,
        stops.TakeSetback,
        stops.TakeBoost,
        stops.ShedSetbacks,
        bot.Flip,
        card_reveals.NoteCard,
        card_reveals.ForgetHand,
        reveals.EnterLeg,
        reveals.EndCard,
        reveals.LayCard,
        reveals.EnterStop,
        card_reveals.EnterColour,
        card_reveals.EnterBoost,
        reveals.SwapCards,
        reveals.CutCard,
        corrections.EditPosition,
        corrections.Adopt,
        corrections.UseCardFacts,
    ),
    setup_format=SetupFormat(
        type=state.Setup,
        default=setup.default_setup,
        check=setup.check_setup,
        start=state.start,
        defer_choices=setup.defer_choices,
        for_rematch=setup.rematch_setup,
    ),
    flow=TurnFlow(
        to_move=state.to_move,
        pending_decisions=turn.pending_decisions,
        out_of_phase_reason=text.out_of_phase_reason,
        not_your_turn_reason=text.not_your_turn_reason,
        resolve_forced_steps=turn.resolve_forced_steps,
        is_same_turn=turn.is_same_turn,
        next_seats=turn.next_seats,
    ),
    text=GameText(
        prompt=text.prompt,
        describe_changes=text.describe_changes,
        describe_quantities=describe_quantities,
        banner=text.banner,
        reminders=reminders.reminders,
        table_actions=table_actions.repair_actions,
        turn_owner_name=text.turn_owner_name,
        final_call=text.final_call,
        place=text.place,
        describe_turn=news.describe_turn,
    ),
    view=visibility.view,
    final_position=points.final_position,
    position_format=POSITION_FORMAT,
    picture_height=display.picture_height,
    progress=Progress("legs run", lambda state: tuple(player.legs_run for player in state.players)),
    view_helpers={
        "unknown_stops": display.unknown_stops,
        "selected_stop": display.selected_stop,
        "selected_boost": display.selected_boost,
        "deduced_cards": display.deduced_cards,
        "is_finish_possible": display.is_finish_possible,
    },
    lessons=lessons.LESSONS,
)

GAME = Game(BOX, TRACKED_GAME, None)  # A race has no points to count.
