"""ON THE TRAIL: the table of contents of the game."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.tracked_game import Play
from scoring.on_the_trail import bot, box, display, points, reminders, rules, setup, state, text, turn
from scoring.on_the_trail.facts import FACTS
from scoring.on_the_trail.final_position import read_final
from scoring.on_the_trail.moves import card_reveals, corrections, reveals, run_moves, stops
from scoring.on_the_trail.position import LYING

BOX = Box(
    key="on-the-trail",
    title=setup.TITLE,
    edition="rulebook of 2025",
    publisher="Blue Orange",
    version="1",
    seats=setup.SEATS,
    rules=rules.RULES,
    rulings=rules.RULINGS,
    components=box,
    categories=points.CATEGORIES,
    players=rules.PLAYERS,
    total=rules.FINISH_TIE,
    read_final=read_final,
    score=points.score,
    facts=FACTS,
    in_points=False,
)

PLAY = Play(
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
        reveals.TellLeg,
        reveals.EndCard,
        reveals.LayCard,
        reveals.TellStop,
        card_reveals.TellColour,
        card_reveals.TellBoost,
        reveals.SwapCards,
        reveals.CutCard,
        corrections.Correct,
        corrections.SetRight,
        corrections.Adopt,
        corrections.UseFacts,
    ),
    setup=state.Setup,
    usual=setup.usual,
    ask_later=setup.ask_later,
    once_more=setup.once_more,
    check_setup=setup.check_setup,
    start=state.start,
    to_move=state.to_move,
    wanted=turn.wanted,
    first=text.first,
    idle=text.idle,
    settle=turn.settle,
    same_turn=turn.same_turn,
    view=state.view,
    prompt=text.prompt,
    calls=text.calls,
    turn_of=text.turn_of,
    changes=text.changes,
    final=points.final,
    lying=LYING,
    hands=reminders.hands,
    worked_out={"untold": display.untold_stops, "stop": display.telling_stop, "boost": display.paid_boost},
)

GAME = Game(BOX, PLAY, None)  # a race has no points to count
