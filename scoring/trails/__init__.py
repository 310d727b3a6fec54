"""TRAILS: the table of contents of the game."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.play import Play
from scoring.kernel.tally import tally_of
from scoring.trails import (
    box,
    correcting,
    earning,
    hands,
    hiking,
    laying,
    lying,
    points,
    rules,
    setup,
    sight,
    state,
    tally,
    telling,
    turn,
    words,
)
from scoring.trails.document import SEATS, read_final

BOX = Box(
    key="trails",
    title=setup.TITLE,
    edition="rulebook 1.0",
    publisher="Keymaster Games",
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
)

PLAY = Play(
    box=BOX,
    key=BOX.key,
    moves=(
        laying.LaySite,
        laying.LaySites,
        hiking.Hike,
        hiking.Wildlife,
        hiking.Exchange,
        hiking.Photograph,
        earning.EarnBadge,
        earning.GainResource,
        hiking.Keep,
        hiking.Leave,
        telling.NameCard,
        telling.NamePhotoUp,
        telling.NoteHand,
        telling.NotePhoto,
        telling.ForgetPhotos,
        correcting.CorrectPlayer,
        correcting.CorrectTable,
        correcting.SetRight,
        correcting.Adopt,
    ),
    setup=state.Setup,
    usual=setup.usual,
    check_setup=setup.check_setup,
    start=state.start,
    to_move=state.to_move,
    wanted=turn.wanted,
    first=words.first,
    idle=words.idle,
    settle=turn.settle,
    view=state.view,
    prompt=words.prompt,
    calls=words.calls,
    changes=words.changes,
    final=points.final,
    lying=lying.LYING,
    joins=True,
    chapter=words.chapter,
    hands=hands.hands,
    once_more=setup.once_more,
    worked_out={
        "in_sight": sight.in_sight,
        "visit": sight.visited,
        "worth": sight.badges_worth,
        "naming": sight.named,
        "birds": sight.birds,
    },
)

GAME = Game(BOX, PLAY, tally_of(BOX, moves=tally.MOVES, start=tally.start, final=tally.final, worked_out=tally.WORKED_OUT))
