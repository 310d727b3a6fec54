"""ALPINE TRAILS: the table of contents of the game."""

from scoring.alpine import (
    box,
    correcting,
    draft,
    facts,
    hands,
    outlook,
    placing,
    points,
    rules,
    setup,
    state,
    tally,
    telling,
    turn,
    wildlife,
    words,
)
from scoring.alpine.document import SEATS, read_final
from scoring.alpine.lying import LYING
from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.play import Play
from scoring.kernel.tally import tally_of

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
        telling.Finish,
        wildlife.PlaceAnimal,
        telling.NoteGoal,
        telling.ForgetGoal,
        correcting.CorrectTile,
        correcting.RemoveTile,
        correcting.CorrectPlayer,
        correcting.CorrectRound,
        correcting.TellAnimal,
        correcting.SetRight,
        correcting.Adopt,
        correcting.UseFacts,
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
    prompt=words.prompt,
    calls=words.calls,
    at_once=True,
    same_turn=turn.same_turn,
    changes=words.changes,
    final=turn.final,
    chapter=words.chapter,
    hands=hands.hands,
    lying=LYING,
    joins=True,
    worked_out={"draft": draft.of_game, "outlook": outlook.of_game, "asked": draft.asked},
)

TALLY = tally_of(
    BOX, moves=tally.MOVES, start=tally.start, final=tally.final, worked_out={"draft": draft.of_tally, "most": tally.most}
)

GAME = Game(BOX, PLAY, TALLY)
