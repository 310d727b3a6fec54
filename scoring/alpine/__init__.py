"""ALPINE TRAILS: the table of contents of the game."""

from scoring.alpine import box, draft, facts, placing, points, rules, setup, state, tally, telling, turn, wildlife, words
from scoring.alpine.document import SEATS, read_final
from scoring.kernel import tally as counting
from scoring.kernel.game import Game
from scoring.kernel.move import Move

_SAME = {
    "title": "ALPINE TRAILS",
    "edition": "rulebook of 2024",
    "publisher": "Last Night Games",
    "version": "1",
    "seats": SEATS,
    "rules": rules.RULES,
    "rulings": rules.RULINGS,
    "score": points.score,
    "read_final": read_final,
    "categories": points.CATEGORIES,
    "box": box,
}

# Which moves answer what the round asks for: first what comes of the round, then the tiles.
ROUND: tuple[type[Move], ...] = (
    placing.TakeCamp,
    placing.PlaceWaterfall,
    wildlife.TakeAnimal,
    wildlife.LeaveAnimal,
    placing.PlaceCampsite,
    placing.PlaceTrail,
    placing.PlaceTerrain,
    wildlife.TradeFork,
    placing.Discard,
)
END: tuple[type[Move], ...] = (telling.Finish,)

GAME = Game(
    key="alpine-trails",
    moves=(
        *ROUND,
        *END,
        wildlife.PlaceAnimal,
        telling.NoteGoal,
        telling.ForgetGoal,
        telling.CorrectTile,
        telling.RemoveTile,
        telling.CorrectPlayer,
        telling.CorrectRound,
        telling.TellAnimal,
        telling.Adopt,
    ),
    turn_rule=rules.TOGETHER,
    setup=state.Setup,
    usual=setup.usual,
    start=state.start,
    check_setup=setup.check_setup,
    to_move=state.to_move,
    asked=lambda state: END if state.ended else ROUND,
    settle=turn.settle,
    view=state.view,
    changes=words.changes,
    prompt=words.prompt,
    final=turn.final,
    draft=draft.of_game,
    live_total=True,
    facts=facts.FACTS,
    tally=Game(
        key="alpine-trails-tally",
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
        draft=draft.of_tally,
        **_SAME,
    ),
    **_SAME,
)
