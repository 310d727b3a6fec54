"""PARKS: the table of contents of the game."""

from scoring.kernel.box import Box
from scoring.kernel.game import Game
from scoring.kernel.score_entry import tally_of
from scoring.kernel.tracked_game import Play
from scoring.parks import bonuses, box, custom_cards, editable, points, reminders, rules, score_entry, setup, state, text, turn
from scoring.parks.final_position import SEATS, read_final
from scoring.parks.moves import corrections, hiking, park_actions, reveals, sites, trail_setup

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
    bgg=box.BGG,
    read_final=read_final,
    score=points.score,
    facts=custom_cards.FACTS,
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
        park_actions.VisitPark,
        park_actions.Reserve,
        park_actions.BuyGear,
        park_actions.DrawGear,
        hiking.Use,
        hiking.TakeSide,
        hiking.PutBack,
        hiking.Leave,
        trail_setup.LayTile,
        trail_setup.PlaceShutterbug,
        reveals.NamePark,
        reveals.NameReserved,
        reveals.NameGear,
        reveals.NameCanteen,
        reveals.NamePassion,
        reveals.NameTile,
        corrections.AddPark,
        corrections.AddGear,
        corrections.AddPassion,
        corrections.CorrectPlayer,
        corrections.CorrectHiker,
        corrections.CorrectPark,
        corrections.CorrectGear,
        corrections.CorrectCanteens,
        corrections.CorrectPassion,
        corrections.CorrectTable,
        corrections.CorrectWeather,
        corrections.SwapTiles,
        corrections.SetRight,
        corrections.Adopt,
        corrections.UseFacts,
    ),
    setup=state.Setup,
    usual=setup.usual,
    check_setup=setup.check_setup,
    as_last_time=setup.as_last_time,
    start=state.start,
    to_move=state.to_move,
    wanted=turn.wanted,
    first=text.first,
    idle=text.idle,
    settle=turn.settle,
    view=state.view,
    prompt=text.prompt,
    changes=text.changes,
    final=points.final,
    bonuses=bonuses.bonuses,
    chapter=lambda state: box.SEASONS[state.season],
    lying=editable.LYING,
    joins=True,
    hands=reminders.hands,
    worked_out={"race": text.race},
)

TALLY = tally_of(
    BOX,
    moves=score_entry.MOVES,
    setup=score_entry.TallySetup,
    check=lambda setup: custom_cards.check(setup.facts),
    start=score_entry.start,
    final=score_entry.final,
)

GAME = Game(BOX, PLAY, TALLY)
