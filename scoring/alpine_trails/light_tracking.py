"""Light tracking of ALPINE TRAILS: what players enter while they play, in one tap each.

A finished map shows all points, but not whether an animal was forgotten. These notes are compared with the map.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar, Self

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import ANIMALS_OF_EACH, CAMPSITE_TILES, WATERFALL_TILES
from scoring.alpine_trails.entry_state import EntryState, NotedAnimal, Notes
from scoring.alpine_trails.map.tiles import ANIMAL_PLURALS, TERRAINS, Terrain, TrailMap
from scoring.alpine_trails.text import ICON_BY_TERRAIN
from scoring.kernel.english import join_words, pluralize, with_article
from scoring.kernel.move import Move, MoveLabel
from scoring.kernel.rule import Reason


def other_seats_without_animal(state: EntryState, seat: int, terrain: Terrain) -> list[int]:
    """Return the other seats, which take the animal of a fork unless they have it."""
    return [
        other
        for other, player in enumerate(state.players)
        if other != seat and not player.notes.animals_by_terrain[terrain]
    ]


def with_animal(state: EntryState, seat: int, terrain: Terrain, fork_seat: int) -> EntryState:
    """Return the state after a player takes the animal of a terrain."""
    animal = NotedAnimal(terrain, fork_seat, state.rounds_done + 1)
    return with_notes(state, seat, animals=(*state.players[seat].notes.animals, animal))


def with_notes(state: EntryState, seat: int, **changes: Any) -> EntryState:
    """Return the state with some notes of a player changed."""
    return state.with_player(seat, notes=replace(state.players[seat].notes, **changes))


# By name, also where the animal of a terrain is not entered.
PLURALS: dict[str, str] = {**ANIMAL_PLURALS, **{f"{terrain} animal": f"{terrain} animals" for terrain in TERRAINS}}


class Note(Move[EntryState]):
    """Enter an event of the game while playing, until your map is complete."""

    out_of_turn = True
    built_in_steps = True
    uses_tile: ClassVar[bool] = False  # whether the event uses a drawn tile

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        if player.done:
            text = "Your points are complete. Tap \u201cChange my count\u201d first."
            yield Reason("is-complete", r.SCORE_TOTAL, text)
        elif self.uses_tile and player.notes.tiles_used >= state.tiles_per_player:
            text = f"You draw only {state.tiles_per_player} tiles in this game. Undo a wrong entry first."
            yield Reason("no-tile-left", r.DRAW_TWO, text)
        else:
            yield from self.event_objections(state, seat)

    def event_objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        """Yield why the event itself is not possible."""
        return iter(())

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator[Self]:
        """Yield none: the page has a key for each note."""
        return iter(())


class NoteFork(Note, tag="note-fork"):
    """Enter that you placed a fork; every other player who lacks its animal takes it."""

    title = "Enter a fork"
    rules = (r.FORK_ANNOUNCED, r.FORK_ANIMAL, r.ANIMAL_ONCE, r.SOLO_FORK, r.DRAW_TWO, r.SCORE_TOTAL)
    uses_tile = True

    terrain: Terrain

    def event_objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if state.solo:
            text = "A fork on your map gives you no animal. Enter only forks that you discard for one."
            yield Reason("solo-fork", r.SOLO_FORK, text)

    def apply(self, state: EntryState, seat: int) -> EntryState:
        for other in other_seats_without_animal(state, seat, self.terrain):
            state = with_animal(state, other, self.terrain, seat)
        return with_notes(state, seat, forks=(*state.players[seat].notes.forks, self.terrain))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"Enter a {self.terrain} fork", icon="fork", short=self.terrain.capitalize())

    def log_text(self, state: EntryState, seat: int) -> str:
        names = [state.players[other].name for other in other_seats_without_animal(state, seat, self.terrain)]
        taken = f": {state.animal_names()[self.terrain]} for {join_words(names)}" if names else ""
        return f"placed a {self.terrain} fork{taken}"


class NoteNotTaken(Note, tag="note-not-taken"):
    """Enter that you did not take the animal of a fork."""

    title = "Enter an animal not taken"
    rules = (r.FORK_ANIMAL, r.SOLO_FORK, r.SCORE_TOTAL)

    terrain: Terrain

    def event_objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        name = state.animal_names()[self.terrain]
        if state.solo:
            text = f"You discarded a fork for the {name}. Undo that entry instead."
            yield Reason("solo-fork", r.SOLO_FORK, text)
        elif not state.players[seat].notes.animals_by_terrain[self.terrain]:
            text = f"You do not have the {name}. Another player must place a {self.terrain} fork first."
            yield Reason("no-fork", r.FORK_ANIMAL, text)

    def apply(self, state: EntryState, seat: int) -> EntryState:
        animals = state.players[seat].notes.animals
        return with_notes(state, seat, animals=tuple(each for each in animals if each.terrain != self.terrain))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"Skip the {state.animal_names()[self.terrain]}", icon="x", short="Not taken")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"did not take the {state.animal_names()[self.terrain]}"


class NoteTrade(Note, tag="note-trade"):
    """Enter that you discarded a fork for its animal, in the solo game."""

    title = "Enter a fork discarded for its animal"
    rules = (r.SOLO_FORK, r.SOLO_ANIMALS, r.ANIMAL_SUPPLY, r.DRAW_TWO, r.SCORE_TOTAL)
    uses_tile = True

    terrain: Terrain

    def event_objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if not state.solo:
            yield Reason("solo-only", r.SOLO_FORK, "You can discard a fork for its animal only in the solo game.")
        elif state.players[seat].notes.animals_by_terrain[self.terrain] >= ANIMALS_OF_EACH:
            animals = _animals_text(ANIMALS_OF_EACH, state.animal_names()[self.terrain])
            yield Reason("none-left", r.ANIMAL_SUPPLY, f"You already have all {animals}.")

    def apply(self, state: EntryState, seat: int) -> EntryState:
        discards = state.players[seat].notes.discards + 1
        return with_animal(with_notes(state, seat, discards=discards), seat, self.terrain, seat)

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"Discard a {self.terrain} fork", icon="fork", short=self.terrain.capitalize())

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"discarded a {self.terrain} fork and took the {state.animal_names()[self.terrain]}"


class NoteCampsite(Note, tag="note-campsite"):
    """Enter that you placed a campsite; the players check its 6 miles."""

    title = "Enter a campsite"
    fixed_label = MoveLabel("Enter a campsite", hint="6 miles or more from every camp?", icon="tent", short="Campsite")
    fixed_log_text = "placed a campsite"
    rules = (r.CAMPSITE_SWAP, r.CAMPSITE_SIX, r.COMPONENTS, r.DRAW_TWO, r.SCORE_TOTAL)
    uses_tile = True

    def event_objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if sum(player.notes.campsites for player in state.players) >= CAMPSITE_TILES:
            text = f"The box has only {CAMPSITE_TILES} campsites. Undo a wrong entry first."
            yield Reason("box-counts", r.COMPONENTS, text)

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return with_notes(state, seat, campsites=state.players[seat].notes.campsites + 1)


class NoteLoop(Note, tag="note-loop"):
    """Enter that you completed a loop and took its waterfall."""

    title = "Enter a loop"
    fixed_label = MoveLabel("Enter a loop", hint="waterfall now", icon="waterfall", short="Loop")
    fixed_log_text = "completed a loop and took a waterfall"
    rules = (r.LOOP, r.WATERFALL_AT_ONCE, r.WATERFALL_SUPPLY, r.SCORE_TOTAL)

    def event_objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if sum(player.notes.loops for player in state.players) >= WATERFALL_TILES:
            text = f"All {WATERFALL_TILES} waterfalls are taken. Undo a wrong entry first."
            yield Reason("none-left", r.WATERFALL_SUPPLY, text)

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return with_notes(state, seat, loops=state.players[seat].notes.loops + 1)


class NoteDiscard(Note, tag="note-discard"):
    """Enter that you discarded a tile, without a campsite in its place."""

    title = "Enter a discarded tile"
    fixed_label = MoveLabel("Enter a discarded tile", hint="no campsite for it", icon="x", short="Discard")
    fixed_log_text = "discarded a tile"
    rules = (r.DISCARD_TILE, r.DRAW_TWO, r.SCORE_TOTAL)
    uses_tile = True

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return with_notes(state, seat, discards=state.players[seat].notes.discards + 1)


class NoteRound(Note, tag="note-round"):
    """Enter that a round is done; one player enters it for the whole table."""

    title = "Enter a finished round"
    rules = (r.ROUND_OVER, r.GAME_OVER, r.SCORE_TOTAL)

    round: int

    def event_objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        next_round = state.rounds_done + 1
        if next_round > state.rounds_per_game:
            yield Reason("play-over", r.GAME_OVER, f"All {state.rounds_per_game} rounds are done. Paint your map now.")
        elif self.round < next_round:
            text = f"Round {self.round} is already done. Your table is in round {next_round}."
            yield Reason("round-done", r.ROUND_OVER, text)
        elif self.round > next_round:
            yield Reason("round-first", r.ROUND_OVER, f"Round {next_round} is not done yet. Finish it first.")

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return replace(state, rounds_done=self.round)

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"Finish round {self.round}", icon="check")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"finished round {self.round}"


NOTE_MOVES = (NoteFork, NoteNotTaken, NoteTrade, NoteCampsite, NoteLoop, NoteDiscard, NoteRound)


class AnimalOffer(Struct, frozen=True):
    """An animal that the page offers to give back."""

    terrain: Terrain
    name: str  # "bear", or "forest animal" if it is not entered
    icon: str
    owner: str  # whose fork gave it


class NotesView(Struct, frozen=True):
    """What the page shows about the notes of a seat."""

    summary: str  # "2 campsites, 1 loop, bear, wolf, round 5 of 16"
    round: int  # the round to finish; 0 after the last one
    new_animals: tuple[AnimalOffer, ...]  # taken in this round or the last one
    earlier_animals: tuple[AnimalOffer, ...]


def notes_view(state: EntryState, seat: int, draft: dict[str, Any]) -> NotesView:
    """Return what the page of a seat shows about its notes."""
    notes, names = state.players[seat].notes, state.animal_names()
    by_age: dict[bool, list[AnimalOffer]] = {True: [], False: []}
    for each in notes.animals if not state.solo else ():
        name, owner = names[each.terrain], state.players[each.fork_seat].name
        icon = name if " " not in name else ICON_BY_TERRAIN[each.terrain]
        by_age[each.round >= state.rounds_done].append(AnimalOffer(each.terrain, name, icon, owner))
    return NotesView(
        ", ".join(_summary_parts(state, seat)),
        state.rounds_done + 1 if state.rounds_done < state.rounds_per_game else 0,
        tuple(by_age[True]),
        tuple(by_age[False]),
    )


def _summary_parts(state: EntryState, seat: int) -> Iterator[str]:
    notes, names = state.players[seat].notes, state.animal_names()
    counts = {"fork": len(notes.forks), "campsite": notes.campsites, "loop": notes.loops, "discard": notes.discards}
    yield from (pluralize(number, noun) for noun, number in counts.items() if number)
    for terrain, number in notes.animals_by_terrain.items():
        yield names[terrain] if number == 1 else _animals_text(number, names[terrain])
    if state.rounds_done < state.rounds_per_game:
        yield f"round {state.rounds_done + 1} of {state.rounds_per_game}"
    else:
        yield "all rounds done"


def note_questions(state: EntryState, seat: int, tiles: TrailMap) -> Iterator[str]:
    """Yield where a finished map differs from what its player entered while playing.

    What no one entered is not compared.
    """
    notes, kinds = state.players[seat].notes, Counter(tile.kind for tile in tiles)
    if notes.campsites:
        yield from _difference(notes.campsites, "campsite", kinds["campsite"])
    if notes.loops:
        yield from _difference(notes.loops, "loop", kinds["waterfall"], pluralize(kinds["waterfall"], "waterfall"))
    if notes.forks:
        entered, placed = Counter(notes.forks), Counter(tile.terrain for tile in tiles if tile.is_fork)
        for terrain in TERRAINS:
            yield from _difference(entered[terrain], f"{terrain} fork", placed[terrain])
    if any(player.notes.forks or player.notes.animals for player in state.players):
        yield from _animal_differences(notes, state.animal_names(tiles), tiles)


def _difference(entered: int, noun: str, placed: int, placed_text: str = "") -> Iterator[str]:
    """Yield the difference between what was entered and what the map has, if there is one."""
    if entered != placed:
        entered_text = pluralize(entered, noun) if entered else f"no {noun}"
        placed_text = placed_text or str(placed or "none")
        yield f"You entered {entered_text} while playing. Your map has {placed_text}. Is your map right?"


def _animal_differences(notes: Notes, names: dict[Terrain, str], tiles: TrailMap) -> Iterator[str]:
    """Yield the animals that are held but not placed, or placed but not taken."""
    placed = Counter(tile.terrain for tile in tiles if tile.animal)
    for terrain in TERRAINS:
        left = notes.animals_by_terrain[terrain] - placed[terrain]
        if left > 0:
            yield f"You hold {_animals_text(left, names[terrain])}. Place {'it' if left == 1 else 'them'} on your map."
        elif left < 0:
            text = f"Your map has {_animals_text(-left, names[terrain])} that you did not enter while playing."
            yield f"{text} Is your map right?"


def _animals_text(number: int, name: str) -> str:
    """Return a number of one animal: "a moose", "2 moose", "2 forest animals"."""
    return with_article(name) if number == 1 else f"{number} {PLURALS[name]}"
