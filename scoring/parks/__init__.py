"""PARKS: the table of contents of the game."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.play import Play
from scoring.kernel.position import Lying
from scoring.kernel.tally import tally_of
from scoring.parks import (
    box,
    buying,
    correcting,
    hiking,
    homemade,
    laying,
    lying,
    points,
    rules,
    setup,
    sites,
    state,
    tally,
    telling,
    turn,
    words,
)
from scoring.parks.document import SEATS, read_final

BOX = Box(
    key="parks",
    title=setup.TITLE,
    edition="second edition",
    publisher="Keymaster Games",
    version="2",
    seats=SEATS,
    rules=rules.RULES,
    rulings=rules.RULINGS,
    components=box,
    categories=points.CATEGORIES,
    players=rules.PLAYERS,
    total=rules.WINNER,
    read_final=read_final,
    score=points.score,
    facts=homemade.FACTS,
)

PLAY = Play(
    box=BOX,
    key=BOX.key,
    moves=(
        hiking.Hike,
        sites.Fill,
        sites.Stow,
        sites.SwapToken,
        sites.TakePhoto,
        sites.TakeCanteen,
        sites.Trade,
        sites.Roll,
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
        correcting.AddPark,
        correcting.AddGear,
        correcting.AddPassion,
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
    changes=words.changes,
    final=points.final,
    lying=Lying(type=lying.Table, says=lying.says, state=lying.state, faults=lying.faults),
)

TALLY = tally_of(
    BOX,
    moves=tally.MOVES,
    setup=tally.TallySetup,
    check=lambda setup: homemade.check(setup.facts),
    start=tally.start,
    final=tally.final,
)

GAME = Game(BOX, PLAY, TALLY)
