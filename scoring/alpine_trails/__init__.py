"""ALPINE TRAILS: the table of contents of the game."""

from scoring.alpine_trails import (
    box,
    facts,
    forecast,
    move_builder,
    points,
    reminders,
    rules,
    score_entry,
    setup,
    state,
    text,
    turn,
)
from scoring.alpine_trails.final_position import SEATS, read_final
from scoring.alpine_trails.moves import corrections, placing, reveals, wildlife
from scoring.alpine_trails.position import LYING
from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.score_entry import tally_of
from scoring.kernel.tracked_game import Play

BOX = Box(
    key="alpine-trails",
    title=setup.TITLE,
    edition="rulebook of 2024",
    publisher="Last Night Games",
    version="2",
    seats=SEATS,
    rules=rules.RULES,
    rulings=rules.RULINGS,
    components=box,
    categories=points.CATEGORIES,
    players=rules.PLAYERS,
    total=rules.SCORE_TOTAL,
    read_final=read_final,
    score=points.score,
    facts=facts.FACTS,
)

PLAY = Play(
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
        corrections.CorrectPlayer,
        corrections.CorrectRound,
        corrections.TellAnimal,
        corrections.SetRight,
        corrections.Adopt,
        corrections.UseFacts,
    ),
    setup=state.Setup,
    usual=setup.usual,
    check_setup=setup.check_setup,
    start=state.start,
    to_move=state.to_move,
    wanted=turn.wanted,
    first=turn.first,
    idle=turn.idle,
    settle=turn.settle,
    view=state.view,
    prompt=text.prompt,
    calls=text.calls,
    at_once=True,
    same_turn=turn.same_turn,
    changes=text.changes,
    final=turn.final,
    chapter=text.chapter,
    hands=reminders.hands,
    lying=LYING,
    joins=True,
    worked_out={"draft": move_builder.of_game, "outlook": forecast.of_game, "asked": move_builder.asked},
)

TALLY = tally_of(
    BOX,
    moves=score_entry.MOVES,
    start=score_entry.start,
    final=score_entry.final,
    worked_out={"draft": move_builder.of_tally, "most": score_entry.most},
)

GAME = Game(BOX, PLAY, TALLY)
