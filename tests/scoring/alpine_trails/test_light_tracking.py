"""Light tracking of ALPINE TRAILS: notes of a game, compared with the finished map."""

import msgspec
import pytest

from scoring.alpine_trails.box import ANIMALS_OF_EACH, CAMPSITE_TILES, WATERFALL_TILES
from scoring.alpine_trails.entry_state import EntrySetup, EntryState
from scoring.alpine_trails.light_tracking import (
    NOTE_MOVES,
    NoteCampsite,
    NoteDiscard,
    NoteFork,
    NoteLoop,
    NoteNotTaken,
    NoteRound,
    NoteTrade,
    notes_view,
    with_notes,
)
from scoring.alpine_trails.score_entry import ClearEntries, CountAll, Done, PutMap, Reopen
from scoring.alpine_trails.state import AnimalCard
from scoring.games import TRACKED_GAMES
from tests.support.alpine_trails_maps import parse_map
from tests.support.alpine_trails_table import ANA, BO, NAMES, case_params, refusal_params
from tests.support.parametrize import run_all_rows

SCORE_ENTRY = TRACKED_GAMES["alpine-trails-tally"]
CY = 2
CARD = AnimalCard(forest="bear", rock="goat", meadow="wolf", wetland="moose")
SIXTEEN_ROUNDS = [(ANA, NoteRound(number)) for number in range(1, 17)]


def state_after(*steps, players: int = 3, facts: AnimalCard = CARD) -> EntryState:
    """Return the state after the moves of some seats; a move alone is Ana's."""
    state = SCORE_ENTRY.initial_state(EntrySetup(NAMES[:players], facts=facts))
    for step in steps:
        seat, move = step if isinstance(step, tuple) else (ANA, step)
        state = SCORE_ENTRY.play(state, seat, move)
    return state


def animals(state: EntryState) -> list[str]:
    """Return the terrains of each player's animals."""
    return [" ".join(animal.terrain for animal in player.notes.animals) for player in state.players]


# By rule: the number of players, the steps, and the terrains of each player's animals.
OFFERS = {
    "fork-animal": [
        (3, [NoteFork("forest")], ["", "forest", "forest"]),
        (2, [NoteFork("forest"), (BO, NoteFork("forest"))], ["forest", "forest"]),
        (3, [NoteFork("forest"), (BO, NoteNotTaken("forest"))], ["", "", "forest"]),
        (3, [NoteFork("forest"), (BO, NoteNotTaken("forest")), NoteFork("forest")], ["", "forest", "forest"]),
    ],
    "animal-once": [
        (3, [NoteFork("forest"), (BO, NoteFork("forest"))], ["forest", "forest", "forest"]),
        (2, [NoteFork("forest"), NoteFork("forest"), NoteFork("rock")], ["", "forest rock"]),
    ],
    "animal-supply": [
        (5, [NoteFork("rock"), (BO, NoteFork("rock")), (CY, NoteFork("rock"))], ["rock"] * ANIMALS_OF_EACH),
    ],
    "solo-fork": [(1, [NoteTrade("rock")], ["rock"])],
    "solo-animals": [(1, [NoteTrade("rock"), NoteTrade("rock"), NoteTrade("forest")], ["rock rock forest"])],
}


@pytest.mark.parametrize("players, steps, held", case_params(OFFERS))
def test_fork_gives_its_animal_to_players_who_lack_it(players, steps, held):
    assert animals(state_after(*steps, players=players)) == held


SUMMARIES = [
    ([], ANA, "round 1 of 16"),
    ([NoteCampsite(), NoteCampsite(), NoteLoop(), NoteDiscard()], ANA, "2 campsites, 1 loop, 1 discard, round 1 of 16"),
    ([NoteFork("forest"), NoteFork("meadow"), NoteRound(1)], BO, "bear, wolf, round 2 of 16"),
    ([NoteFork("forest"), *SIXTEEN_ROUNDS], ANA, "1 fork, all rounds done"),
]


@run_all_rows("steps, seat, summary", SUMMARIES)
def test_summary_names_what_a_player_has_entered(steps, seat, summary):
    assert notes_view(state_after(*steps), seat, {}).summary == summary


def test_summary_of_a_solo_game_counts_equal_animals():
    state = state_after(NoteTrade("wetland"), NoteTrade("wetland"), players=1)
    assert notes_view(state, ANA, {}).summary == "2 discards, 2 moose, round 1 of 16"


def test_new_animals_are_those_of_this_round_and_the_last():
    state = state_after(NoteFork("forest"), NoteRound(1), NoteFork("rock"), NoteRound(2))
    view = notes_view(state, BO, {})
    assert [(animal.name, animal.owner) for animal in view.new_animals] == [("goat", "Ana")]
    assert [animal.name for animal in view.earlier_animals] == ["bear"]


LOG_TEXTS = [
    ([], NoteFork("forest"), "Ana placed a forest fork: bear for Bo and Cy."),
    ([(BO, NoteFork("forest"))], NoteFork("forest"), "Ana placed a forest fork: bear for Bo."),
    ([NoteFork("forest"), (BO, NoteFork("forest"))], NoteFork("forest"), "Ana placed a forest fork."),
    ([(BO, NoteFork("rock"))], NoteNotTaken("rock"), "Ana did not take the goat."),
    ([], NoteCampsite(), "Ana placed a campsite."),
    ([], NoteLoop(), "Ana completed a loop and took a waterfall."),
    ([], NoteDiscard(), "Ana discarded a tile."),
    ([], NoteRound(1), "Ana finished round 1."),
]


@run_all_rows("steps, move, sentence", LOG_TEXTS)
def test_log_says_what_happened(steps, move, sentence):
    before = state_after(*steps)
    assert SCORE_ENTRY.log_sentence(before, SCORE_ENTRY.play(before, ANA, move), ANA, move) == sentence


def test_log_names_the_terrain_of_an_unknown_animal():
    state = state_after(players=1, facts=AnimalCard())
    assert NoteTrade("rock").log_text(state, ANA) == "discarded a rock fork and took the rock animal"
    assert {move.label(state, ANA).text for move in EVERY_NOTE} >= {"Discard a rock fork", "Enter a campsite"}


EVERY_NOTE = (
    NoteFork("forest"), NoteNotTaken("forest"), NoteTrade("rock"), NoteCampsite(), NoteLoop(), NoteDiscard(),
    NoteRound(1),
)  # fmt: skip
THREE = state_after()
SOLO = state_after(players=1)
ALL_TILES = with_notes(THREE, ANA, campsites=20, discards=12)
REFUSED = {
    "score-total": [
        (state_after(CountAll(lakes=1), Done()), move, "Your points are complete. Tap “Change my count” first.")
        for move in EVERY_NOTE
    ],
    "draw-two": [
        (ALL_TILES, NoteFork("rock"), "You draw only 32 tiles in this game. Undo a wrong entry first."),
        (ALL_TILES, NoteDiscard(), "You draw only 32 tiles in this game. Undo a wrong entry first."),
        (ALL_TILES, NoteCampsite(), "You draw only 32 tiles in this game. Undo a wrong entry first."),
    ],
    "solo-fork": [
        (
            SOLO,
            NoteFork("rock"),
            "A fork on your map gives you no animal. Enter only forks that you discard for one.",
        ),
        (THREE, NoteTrade("rock"), "You can discard a fork for its animal only in the solo game."),
        (
            state_after(NoteTrade("rock"), players=1),
            NoteNotTaken("rock"),
            "You discarded a fork for the goat. Undo that entry instead.",
        ),
    ],
    "fork-animal": [
        (THREE, NoteNotTaken("rock"), "You do not have the goat. Another player must place a rock fork first."),
    ],
    "animal-supply": [
        (state_after(*[NoteTrade("rock")] * 5, players=1), NoteTrade("rock"), "You already have all 5 goats."),
    ],
    "components": [
        (
            with_notes(with_notes(THREE, BO, campsites=20), CY, campsites=CAMPSITE_TILES - 20),
            NoteCampsite(),
            "The box has only 36 campsites. Undo a wrong entry first.",
        ),
    ],
    "waterfall-supply": [
        (
            with_notes(THREE, BO, loops=WATERFALL_TILES),
            NoteLoop(),
            "All 36 waterfalls are taken. Undo a wrong entry first.",
        ),
    ],
    "round-over": [
        (state_after(NoteRound(1)), NoteRound(1), "Round 1 is already done. Your table is in round 2."),
        (THREE, NoteRound(3), "Round 1 is not done yet. Finish it first."),
    ],
    "game-over": [(state_after(*SIXTEEN_ROUNDS), NoteRound(17), "All 16 rounds are done. Paint your map now.")],
}


@pytest.mark.parametrize("state, move, rule, sentence", refusal_params(REFUSED))
def test_note_is_refused_by_its_rule(state, move, rule, sentence):
    reasons = [(reason.rule.id, reason.text) for reason in SCORE_ENTRY.objections(state, ANA, move)]
    assert reasons == [(rule, sentence)]


def test_notes_go_on_after_a_count_is_reopened():
    state = state_after(CountAll(lakes=1), Done(), Reopen(), NoteLoop())
    assert state.players[ANA].notes.loops == 1


def test_notes_are_kept_when_a_player_starts_over():
    state = state_after(NoteLoop(), CountAll(lakes=1), ClearEntries())
    assert (state.players[ANA].counts, state.players[ANA].notes.loops) == (None, 1)


def test_notes_change_no_points():
    notes = [NoteFork("forest"), NoteCampsite(), NoteLoop(), NoteDiscard(), NoteRound(1)]
    totals = [
        SCORE_ENTRY.box.score(SCORE_ENTRY.final_position(state_after(*steps, CountAll(lakes=2)))).columns[ANA].total
        for steps in ([], notes)
    ]
    assert totals == [4, 4]


def test_notes_are_no_candidates_so_that_random_games_stay_the_same():
    state = state_after(NoteFork("forest"))
    assert not [move for move in SCORE_ENTRY.candidates(state, BO) if isinstance(move, NOTE_MOVES)]


def test_log_without_notes_is_replayed_as_before():
    setup = SCORE_ENTRY.read_setup({"players": ["Ana", "Bo"], "rulings": {}})
    log = [(ANA, {"type": "count", "category": "lakes", "number": 2}), (ANA, {"type": "done"})]
    state = SCORE_ENTRY.replay(setup, [(seat, SCORE_ENTRY.decode(data)) for seat, data in log])
    assert (state.players[ANA].counts.lakes, state.players[ANA].done, state.rounds_done) == (2, True, 0)
    assert not any(player.notes.tiles_used for player in state.players)


FULL = "Bf Bf" + " f" * 32
DIFFERENT = "Is your map right?"
# The steps before, the drawing of Ana's map with its animals by column, and the questions about it.
QUESTIONS = [
    ([], FULL, {}, []),
    # tiles
    ([NoteDiscard()], "Bf Bf" + " f" * 31, {}, []),
    (
        [NoteDiscard()],
        FULL,
        {},
        ["You drew only 32 tiles and discarded 1, and your map uses 32. Is a tile wrong?"],
    ),
    (
        [NoteDiscard()],
        "Bf Bf" + " f" * 29,
        {},
        ["You drew 32 tiles and discarded 1, and your map uses 29. Are some missing?"],
    ),
    ([NoteRound(1), NoteRound(2)], "Bf Bf f f f f", {}, []),
    (
        [NoteRound(1), NoteRound(2)],
        "Bf Bf f f f",
        {},
        ["You drew 4 tiles in 2 rounds, and your map uses 3. Did you discard 1, or is one missing?"],
    ),
    (
        [NoteRound(1), NoteDiscard()],
        "Bf Bf f f",
        {},
        ["You drew only 2 tiles in 1 round and discarded 1, and your map uses 2. Is a tile wrong?"],
    ),
    ([NoteRound(1), NoteDiscard()], "Bf Bf f", {}, []),
    # campsites and loops
    ([NoteCampsite()], FULL, {}, [f"You entered 1 campsite while playing. Your map has none. {DIFFERENT}"]),
    ([NoteLoop()], FULL, {}, [f"You entered 1 loop while playing. Your map has 0 waterfalls. {DIFFERENT}"]),
    # forks
    (
        [NoteFork("rock")],
        FULL,
        {},
        [f"You entered 1 rock fork while playing. Your map has none. {DIFFERENT}"],
    ),
    # animals
    ([(BO, NoteFork("forest"))], FULL, {}, ["You hold a bear. Place it on your map."]),
    ([(BO, NoteFork("forest"))], FULL, {5: "bear"}, []),
    ([(BO, NoteFork("forest")), NoteNotTaken("forest")], FULL, {}, []),
    (
        [(BO, NoteFork("forest")), NoteNotTaken("forest")],
        FULL,
        {5: "bear"},
        [f"Your map has a bear that you did not enter while playing. {DIFFERENT}"],
    ),
    ([], FULL, {5: "bear"}, []),
]


@run_all_rows("steps, drawing, animals_by_x, questions", QUESTIONS)
def test_finished_map_is_compared_with_the_notes(steps, drawing, animals_by_x, questions):
    tiles = tuple(
        msgspec.structs.replace(tile, animal=animals_by_x[tile.x]) if tile.x in animals_by_x else tile
        for tile in parse_map(drawing)
    )
    assert list(PutMap(tiles).questions(state_after(*steps), ANA)) == questions


FORKED_MAP = parse_map("""
    lake  .     .
    NES2w EW1w  lake
    Bf    Bf    .
""")


def test_forks_are_compared_by_terrain():
    questions = list(PutMap(FORKED_MAP).questions(state_after(NoteRound(1), NoteFork("rock")), ANA))
    assert questions == [
        f"You entered 1 rock fork while playing. Your map has none. {DIFFERENT}",
        f"You entered no wetland fork while playing. Your map has 1. {DIFFERENT}",
    ]
    assert not list(PutMap(FORKED_MAP).questions(state_after(NoteRound(1), NoteFork("wetland")), ANA))


def test_unknown_animal_is_named_by_its_terrain_until_a_map_shows_it():
    state = state_after((BO, NoteFork("forest")), facts=AnimalCard())
    questions = PutMap(parse_map(FULL)).questions(state, ANA)
    assert list(questions) == ["You hold a forest animal. Place it on your map."]


def test_solo_player_is_asked_for_each_animal_left():
    state = state_after(NoteTrade("wetland"), NoteTrade("wetland"), players=1)
    questions = PutMap(parse_map("Bf Bf" + " f" * 30)).questions(state, ANA)
    assert list(questions) == ["You hold 2 moose. Place them on your map."]
