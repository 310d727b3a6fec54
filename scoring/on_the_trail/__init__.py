"""ON THE TRAIL: the table of contents of the game."""

from scoring.kernel.game import Game
from scoring.kernel.move import Move
from scoring.on_the_trail import (
    bot,
    box,
    correcting,
    mending,
    points,
    rules,
    running,
    setup,
    state,
    stops,
    telling,
    turn,
    words,
)
from scoring.on_the_trail.document import read_final
from scoring.on_the_trail.facts import FACTS
from scoring.on_the_trail.route import next_colour

_AHEAD = (telling.TellLeg, telling.EndCard, telling.LayCard)

# Which moves answer what the race waits for, see turn.need.
ANSWERS: dict[str, tuple[type[Move], ...]] = {
    "leg": _AHEAD,
    "hand": (telling.NoteCard,),
    "run": (running.Run, running.Activate, running.Stay, running.DropOut),
    "boost": (telling.TellBoost,),
    "stop": (telling.TellStop,),
    "setback": (stops.TakeSetback,),
    "aid": (stops.TakeBoost, stops.ShedSetbacks),
    "colour": (telling.TellColour,),
    "flip": (bot.Flip,),
    "over": (),
}


def asked(race: state.State) -> tuple[type[Move], ...]:
    """Return the kinds of move that answer what the race waits for; what is to be told may be told with it."""
    wanted = turn.need(race)
    if wanted != "run":
        return ANSWERS[wanted]
    ahead = () if next_colour(race, race.turn) else _AHEAD
    return ANSWERS["run"] + ahead + ((telling.TellBoost,) if turn.boosts_wanted(race) else ())


GAME = Game(
    key="on-the-trail",
    title="ON THE TRAIL",
    edition="rulebook of 2025",
    publisher="Blue Orange",
    version="1",
    seats=setup.SEATS,
    moves=(
        running.Run,
        running.Activate,
        running.Stay,
        running.DropOut,
        stops.TakeSetback,
        stops.TakeBoost,
        stops.ShedSetbacks,
        bot.Flip,
        telling.NoteCard,
        telling.ForgetHand,
        *_AHEAD,
        telling.TellStop,
        telling.TellColour,
        telling.TellBoost,
        mending.SwapCards,
        mending.CutCard,
        correcting.Correct,
        correcting.Adopt,
    ),
    rules=rules.RULES,
    rulings=rules.RULINGS,
    turn_rule=rules.TURN_PASSES,
    setup=state.Setup,
    usual=setup.usual,
    start=state.start,
    check_setup=setup.check_setup,
    to_move=state.to_move,
    asked=asked,
    settle=turn.settle,
    view=state.view,
    changes=words.changes,
    prompt=words.prompt,
    final=points.final,
    score=points.score,
    read_final=read_final,
    categories=points.CATEGORIES,
    box=box,
    facts=FACTS,
)
