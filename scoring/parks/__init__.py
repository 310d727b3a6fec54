"""PARKS: the table of contents of the game."""

from scoring.kernel import tally as counting
from scoring.kernel.game import Game
from scoring.kernel.move import Move
from scoring.parks import (
    box,
    buying,
    correcting,
    gathering,
    hiking,
    home,
    laying,
    points,
    rules,
    setup,
    state,
    tally,
    telling,
    turn,
    words,
)
from scoring.parks.document import SEATS, read_final

_SAME = {
    "title": setup.TITLE,
    "edition": "second edition",
    "publisher": "Keymaster Games",
    "version": "1",
    "seats": SEATS,
    "rules": rules.RULES,
    "rulings": rules.RULINGS,
    "score": points.score,
    "read_final": read_final,
    "categories": points.CATEGORIES,
    "box": box,
    "facts": home.FACTS,
}

# Which moves answer what the turn asks for.
ANSWERS: dict[type[state.Task], tuple[type[Move], ...]] = {
    state.SetOut: (hiking.Hike,),
    state.Pour: (gathering.Fill, gathering.Stow),
    state.Swap: (gathering.SwapToken, hiking.Leave),
    state.Parks: (buying.VisitPark, buying.Reserve, telling.NamePark, telling.NameReserved, hiking.Leave),
    state.SecondPhoto: (gathering.TakePhoto, hiking.Leave),
    state.Pick: (hiking.Use, hiking.Leave),
    state.DrawnGear: (buying.DrawGear,),
    state.ChooseSide: (hiking.TakeSide,),
    state.PutDown: (hiking.PutBack,),
    state.AskTile: (telling.NameTile,),
    state.Lay: (laying.LayTile,),
    state.PlaceBug: (laying.PlaceShutterbug,),
}
# The same where there is one thing to do.
TO_DO: dict[box.Gain, tuple[type[Move], ...]] = {
    "canteen": (gathering.TakeCanteen, hiking.Leave),
    "photo": (gathering.TakePhoto, hiking.Leave),
    "canteen or photo": (gathering.TakeCanteen, gathering.TakePhoto, hiking.Leave),
    "trade": (gathering.Trade, hiking.Leave),
    "roll": (gathering.Roll,),
    "reserve": (buying.Reserve, hiking.Leave),
    "buy": (buying.BuyGear, telling.NameGear, hiking.Leave),
}


def asked(now: state.State) -> tuple[type[Move], ...]:
    """Return the kinds of move that answer what is to be done now."""
    if now.over:
        return ()
    task = now.tasks[-1]
    return TO_DO[task.what] if isinstance(task, state.Do) else ANSWERS[type(task)]


GAME = Game(
    key="parks",
    moves=(
        hiking.Hike,
        gathering.Fill,
        gathering.Stow,
        gathering.SwapToken,
        gathering.TakePhoto,
        gathering.TakeCanteen,
        gathering.Trade,
        gathering.Roll,
        buying.VisitPark,
        buying.Reserve,
        buying.BuyGear,
        buying.DrawGear,
        hiking.Use,
        hiking.TakeSide,
        hiking.PutBack,
        hiking.Leave,
        laying.LayTile,
        laying.PlaceShutterbug,
        telling.NamePark,
        telling.NameReserved,
        telling.NameGear,
        telling.NameCanteen,
        telling.NamePassion,
        telling.NameTile,
        telling.AddPark,
        telling.AddGear,
        telling.AddPassion,
        correcting.CorrectPlayer,
        correcting.CorrectHiker,
        correcting.CorrectPark,
        correcting.CorrectGear,
        correcting.CorrectCanteens,
        correcting.CorrectPassion,
        correcting.CorrectTable,
        correcting.CorrectWeather,
        correcting.SwapTiles,
        correcting.Adopt,
    ),
    turn_rule=rules.TURN_ORDER,
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
    tally=Game(
        key="parks-tally",
        moves=tally.MOVES,
        turn_rule=rules.WINNER,
        setup=tally.TallySetup,
        usual=lambda names: tally.TallySetup(tuple(names)),
        start=tally.start,
        check_setup=setup.check_tally,
        to_move=counting.to_move,
        asked=lambda state: tally.TURN,
        settle=lambda state: state,
        view=lambda state, seat: state,
        changes=counting.changes,
        prompt=counting.prompt,
        final=tally.final,
        **_SAME,
    ),
    **_SAME,
)
