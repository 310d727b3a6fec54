"""TRAILS: the table of contents of the game."""

from scoring.kernel import tally as counting
from scoring.kernel.game import Game
from scoring.kernel.move import Move
from scoring.trails import box, earning, hiking, points, rules, setup, state, tally, telling, turn, words
from scoring.trails.document import SEATS, read_final

_SAME = {
    "title": "TRAILS",
    "edition": "rulebook 1.0",
    "publisher": "Keymaster Games",
    "version": "1",
    "seats": SEATS,
    "rules": rules.RULES,
    "rulings": rules.RULINGS,
    "score": points.score,
    "read_final": read_final,
    "categories": points.CATEGORIES,
    "box": box,
}

# Which moves answer what the turn asks for.
ANSWERS: dict[type[state.Task], tuple[type[Move], ...]] = {
    state.SetOut: (hiking.Hike,),
    state.AtSite: (hiking.Exchange, hiking.Photograph, hiking.Leave),
    state.Encounter: (hiking.Wildlife, hiking.Exchange, hiking.Photograph),
    state.BothSites: (hiking.Exchange, hiking.Photograph, hiking.Leave),
    state.Bear: (hiking.Wildlife, hiking.Leave),
    state.TakePhoto: (hiking.Photograph, hiking.Leave),
    state.AnyResource: (earning.GainResource, hiking.Leave),
    state.Swap: (hiking.Exchange, hiking.Leave),
    state.Earn: (earning.EarnBadge, hiking.Leave),
    state.FreeBadge: (earning.EarnBadge, hiking.Leave),
    state.KeepEight: (hiking.Keep,),
}
REVEAL = (telling.NotePhoto,)

GAME = Game(
    key="trails",
    moves=(
        hiking.Hike,
        hiking.Wildlife,
        hiking.Exchange,
        hiking.Photograph,
        earning.EarnBadge,
        earning.GainResource,
        hiking.Keep,
        hiking.Leave,
        telling.NameCard,
        telling.NoteHand,
        telling.NotePhoto,
        telling.ForgetPhotos,
        telling.CorrectPlayer,
        telling.CorrectTable,
        telling.Adopt,
    ),
    turn_rule=rules.TURN_ORDER,
    setup=state.Setup,
    usual=setup.usual,
    start=state.start,
    check_setup=setup.check_setup,
    to_move=state.to_move,
    asked=lambda state: REVEAL if state.over else ANSWERS[type(state.tasks[-1])],
    settle=turn.settle,
    view=state.view,
    changes=words.changes,
    prompt=words.prompt,
    final=points.final,
    tally=Game(
        key="trails-tally",
        moves=tally.MOVES,
        turn_rule=rules.SCORE_TOTAL,
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
