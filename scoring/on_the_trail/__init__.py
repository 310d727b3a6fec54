"""ON THE TRAIL: the table of contents of the game."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.play import Play
from scoring.on_the_trail import (
    bot,
    box,
    correcting,
    hands,
    points,
    rules,
    running,
    setup,
    sight,
    state,
    stops,
    telling,
    telling_cards,
    turn,
    words,
)
from scoring.on_the_trail.document import read_final
from scoring.on_the_trail.facts import FACTS
from scoring.on_the_trail.lying import LYING

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
        running.Run,
        running.RunOn,
        running.Activate,
        running.Stay,
        running.EndRace,
        running.DropOut,
        stops.TakeSetback,
        stops.TakeBoost,
        stops.ShedSetbacks,
        bot.Flip,
        telling_cards.NoteCard,
        telling_cards.ForgetHand,
        telling.TellLeg,
        telling.EndCard,
        telling.LayCard,
        telling.TellStop,
        telling_cards.TellColour,
        telling_cards.TellBoost,
        telling.SwapCards,
        telling.CutCard,
        correcting.Correct,
        correcting.SetRight,
        correcting.Adopt,
        correcting.UseFacts,
    ),
    setup=state.Setup,
    usual=setup.usual,
    ask_later=setup.ask_later,
    once_more=setup.once_more,
    check_setup=setup.check_setup,
    start=state.start,
    to_move=state.to_move,
    wanted=turn.wanted,
    first=words.first,
    idle=words.idle,
    settle=turn.settle,
    same_turn=turn.same_turn,
    view=state.view,
    prompt=words.prompt,
    calls=words.calls,
    turn_of=words.turn_of,
    changes=words.changes,
    final=points.final,
    lying=LYING,
    hands=hands.hands,
    worked_out={"untold": sight.untold_stops, "stop": sight.telling_stop, "boost": sight.paid_boost},
)

GAME = Game(BOX, PLAY, None)  # a race has no points to count
