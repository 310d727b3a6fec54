"""TRAILS: the table of contents of the game."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.score_entry import tally_of
from scoring.kernel.tracked_game import Play
from scoring.trails import box, display, points, position, reminders, rules, score_entry, setup, state, text, turn
from scoring.trails.final_position import SEATS, read_final
from scoring.trails.moves import badges, corrections, hiking, reveals, trail_setup

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
        trail_setup.LaySite,
        trail_setup.LaySites,
        hiking.Hike,
        hiking.Wildlife,
        hiking.Exchange,
        hiking.Photograph,
        badges.EarnBadge,
        badges.GainResource,
        hiking.Keep,
        hiking.Leave,
        reveals.NameCard,
        reveals.NamePhotoUp,
        reveals.NoteHand,
        reveals.NotePhoto,
        reveals.ForgetPhotos,
        corrections.CorrectPlayer,
        corrections.CorrectTable,
        corrections.SetRight,
        corrections.Adopt,
    ),
    setup=state.Setup,
    usual=setup.usual,
    check_setup=setup.check_setup,
    start=state.start,
    to_move=state.to_move,
    wanted=turn.wanted,
    first=text.first,
    idle=text.idle,
    settle=turn.settle,
    view=state.view,
    prompt=text.prompt,
    calls=text.calls,
    changes=text.changes,
    final=points.final,
    lying=position.LYING,
    joins=True,
    chapter=text.chapter,
    hands=reminders.hands,
    once_more=setup.once_more,
    worked_out={
        "in_sight": display.in_sight,
        "visit": display.visited,
        "worth": display.badges_worth,
        "naming": display.named,
        "birds": display.birds,
    },
)

GAME = Game(
    BOX,
    PLAY,
    tally_of(
        BOX,
        moves=score_entry.MOVES,
        start=score_entry.start,
        final=score_entry.final,
        worked_out=score_entry.WORKED_OUT,
    ),
)
