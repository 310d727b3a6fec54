"""The base class of moves: fields, objections, effect and texts."""

from collections.abc import Hashable, Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Generic, Self, dataclass_transform

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.english import describe_known_words, end_sentence, truncate
from scoring.kernel.rule import Option, Reason, Rule, Ruling
from scoring.kernel.state import StateT

if TYPE_CHECKING:
    from scoring.kernel.editable import EditableField


class Phase(Enum):
    """The part of a game or of a turn that a move belongs to."""

    SETUP = "setup"  # It enters how the table was set up; earlier reminders of physical actions stay valid.
    TURN_START = "turn start"  # A player's turn begins with it.
    TURN = "turn"


class MoveLabel(Struct, frozen=True):
    """What the button of a move shows: its text, a hint and an icon."""

    text: str  # in the imperative: "Hike 2 tiles to the leaf site"
    hint: str = ""  # a few words about its effect
    icon: str = "arrow"  # the name of an icon
    short: str = ""  # the text below a heading that already names the verb or the price; empty: the same text

    @property
    def short_text(self) -> str:
        return self.short or self.text


# Type checkers need this to know that subclasses are frozen too.
@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Move(Struct, Generic[StateT], frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A step of a game as a value: "hike 2", "bear to the rock site".

    A subclass that players can make is a `msgspec.Struct` with a `tag`, whose fields are all JSON. Chance (a die, a
    drawn card) is a field. Tags and field names are stored in logs and never change; a field whose name in Python
    differs from the stored one has `field(name=...)`.
    """

    title: ClassVar[str]  # of its kind, in lists of several kinds: "Earn badge"
    # The rules that this move implements and that its objections cite, shown when a player asks for them.
    rules: ClassVar[tuple[Rule, ...]] = ()
    # The pending decisions it resolves; empty if it resolves none in particular.
    resolves: ClassVar[tuple[Hashable, ...]] = ()
    out_of_turn: ClassVar[bool] = False  # whether any seat may make it at any time
    needs_consent: ClassVar[bool] = False  # whether it changes what others have, so that the table must agree first
    is_secret: ClassVar[bool] = False  # whether only its own seat may see it
    phase: ClassVar[Phase] = Phase.TURN
    # Whether it enters a player's own components, without consent before the first turn.
    is_own_setup: ClassVar[bool] = False
    built_in_steps: ClassVar[bool] = False  # whether the page builds it in steps, as there are too many to list
    # Whether it is meant where the player is now, as "stop here" is: elsewhere it would be another action.
    is_at_present_place: ClassVar[bool] = False
    # Whether its log line begins with the player's name. If not, `log_text` is a whole line about the table: "New badge
    # at the Trailhead: Collector (rock)".
    names_player: ClassVar[bool] = True
    # The fact about the table that it enters: "the season tile". Empty: it is an action of a player.
    entered_fact: ClassVar[str] = ""
    fixed_label: ClassVar[MoveLabel]  # what `label` returns, if it is always the same
    fixed_log_text: ClassVar[str]  # what `log_text` returns, if it is always the same

    def objections(self, state: StateT, seat: int) -> Iterator[Reason]:
        """Yield every reason against this move; a legal move has no reason."""
        return iter(())

    def questions(self, state: StateT, seat: int) -> Iterator[str]:
        """Yield doubts about a legal move, which a page asks about before it makes the move."""
        return iter(())

    def out_of_phase_reason(self, state: StateT, seat: int) -> Reason | None:
        """Return why the move is not available now, if a rule says more than the order of a turn."""
        return None

    def is_offered(self, state: StateT, seat: int) -> bool:
        """Return whether a player can make a move of this kind at this step, apart from what it needs.

        It is called only while a move of this class is available; a class that resolves several decisions may need it.
        """
        return True

    def variants(self, state: StateT, seat: int) -> Iterator[Self]:
        """Yield moves of this kind that a player may have meant instead of this one, legal or not.

        It is called only while a move of this class is available.
        """
        return self.candidates(state, seat)

    def alternatives(self, state: StateT, seat: int) -> Iterable[Self]:
        """Return this move in other places or turned, the nearest first, to suggest a legal one."""
        return ()

    def needed_fields(self, state: StateT, seat: int) -> Iterable["EditableField"]:
        """Return fields that no correction has, but whose change can make this move legal.

        A field whose path is one past the end of a list adds an item to it, such as a tile in a certain square.
        """
        return ()

    def suggestions(self, state: StateT, seat: int) -> Iterable[Self]:
        """Return the moves that may be meant if this one is refused; the legal ones are offered."""
        return ()

    def apply(self, state: StateT, seat: int) -> StateT:
        """Return the state after this move, which must be legal."""
        raise NotImplementedError

    @classmethod
    def candidates(cls, state: StateT, seat: int) -> Iterator[Self]:
        """Yield the moves of this class a player could want now, legal or not.

        It is called only while a move of this class is available. A move without fields is yielded while it is legal.
        """
        if not cls.__struct_fields__ and not any(cls().objections(state, seat)):
            yield cls()

    @classmethod
    def query_candidates(cls, state: StateT, seat: int, query: "Move | None" = None) -> Iterator[Self]:
        """Yield the moves of this class that a player could ask about.

        Of moves that are built in steps, only the relevant ones are yielded.

        :param query: the move wanted later in the turn; moves that can neither enable nor prevent it may be left out.
        """
        return cls.candidates(state, seat)

    def label(self, state: StateT, seat: int) -> MoveLabel:
        """Return the text, the hint and the icon of its button.

        :raises LookupError: if it names something that the game does not have.
        """
        return self.fixed_label

    def log_text(self, state: StateT, seat: int) -> str:
        """Return the log's text: "hiked 2 tiles to the leaf site"; see `names_player`."""
        return self.fixed_log_text

    def action_text(self, state: StateT, seat: int) -> str:
        """Return the log's text with the player's name, unless it needs none."""
        text = self.log_text(state, seat)
        return f"{state.players[seat].name} {text}" if self.names_player else text

    def news_text(self, state: StateT, seat: int) -> str:
        """Return a few words for the news of a turn: "rock site".

        The news adds the player's name and the quantities. If this is empty, only the quantities of the move are news.
        """
        return self.log_text(state, seat) if self.names_player else ""

    def log_details(self, state: StateT, seat: int) -> str:
        """Return the public details that the log text leaves out."""
        return ""

    def log_baseline(self, state: StateT, seat: int) -> StateT:
        """Return the state against which the log compares the result to describe other changes.

        It already includes the changes that the move's own text describes.
        """
        return state

    def cited_rules(self) -> tuple[Rule, ...]:
        """Return the rules to cite for this move."""
        return self.rules


class Correction(Move[StateT]):
    """Correct the state: the table must agree, and the result must differ and be consistent.

    A game has a subclass with its own `rules`, the first of which is the rule for the contents of the box.
    """

    out_of_turn = True
    needs_consent = True

    def objections(self, state: StateT, seat: int) -> Iterator[Reason]:
        if errors := list(self.change_errors(state)):
            yield from errors
        elif (after := self.apply(state, seat)) == state:
            yield Reason("no-change", self.rules[0], "This changes nothing.")
        else:
            before = list(self.position_errors(state))
            yield from (error for error in self.position_errors(after) if error not in before)

    def change_errors(self, state: StateT) -> Iterator[Reason]:
        """Yield the reasons why the change cannot be applied at all."""
        return iter(())

    def position_errors(self, state: StateT) -> Iterator[Reason]:
        """Yield the inconsistencies of a position."""
        return iter(())

    def describe_change(self, state: StateT) -> str:
        """Return the correction as text: "Bo\u2019s acorn 1 \u2192 2, leaf 1 \u2192 0"."""
        raise NotImplementedError

    def label(self, state: StateT, seat: int) -> MoveLabel:
        return MoveLabel(f"Fix {self.describe_change(state)}", icon="pen")

    def log_text(self, state: StateT, seat: int) -> str:
        return f"corrected: {self.describe_change(state)}"


class AdoptRuling(Move[StateT]):
    """Settle a point that the rulebook leaves open; see `make_adopt_move`."""

    title = "House rule"
    rulings: ClassVar[tuple[Ruling, ...]] = ()
    out_of_turn = True
    needs_consent = True
    names_player = False

    ruling: str
    option: str

    @property
    def found_ruling(self) -> Ruling | None:
        """Return the ruling that it settles, or None if the game has no such ruling."""
        return next((ruling for ruling in self.rulings if ruling.id == self.ruling), None)

    @property
    def _ruling_and_option(self) -> tuple[Ruling | None, Option | None]:
        ruling = self.found_ruling
        return ruling, ruling.option(self.option) if ruling else None

    def objections(self, state: StateT, seat: int) -> Iterator[Reason]:
        ruling, option = self._ruling_and_option
        if ruling is None:
            known = describe_known_words(candidate.id for candidate in self.rulings)
            yield Reason(
                "no-ruling",
                self.rulings[0].rule,
                f"There is no rules question \u201c{truncate(self.ruling)}\u201d; {known}.",
            )
        elif option is None:
            known = describe_known_words(candidate.id for candidate in ruling.options)
            yield Reason("no-option", ruling.rule, f"\u201c{truncate(self.option)}\u201d is not an option; {known}.")
        elif self.option == chosen_option(state.rulings, ruling):
            yield Reason("same-ruling", ruling.rule, "Your table already plays it this way.")

    def apply(self, state: StateT, seat: int) -> StateT:
        return replace(state, rulings={**state.rulings, self.ruling: self.option})

    @classmethod
    def candidates(cls, state: StateT, seat: int) -> Iterator[Self]:
        for ruling in cls.rulings:
            for option in ruling.options:
                yield cls(ruling=ruling.id, option=option.id)

    @property
    def _option_text(self) -> str:
        _, option = self._ruling_and_option
        return option.text if option else self.option

    def label(self, state: StateT, seat: int) -> MoveLabel:
        return MoveLabel(self._option_text)

    def cited_rules(self) -> tuple[Rule, ...]:
        ruling, _ = self._ruling_and_option
        return (ruling.rule,) if ruling else ()

    def log_text(self, state: StateT, seat: int) -> str:
        ruling, _ = self._ruling_and_option
        question = ruling.question if ruling else self.ruling
        return f"House rule: {question} {end_sentence(self._option_text)}"


def make_adopt_move(game_rulings: tuple[Ruling, ...]) -> type[AdoptRuling]:
    """Return the move that settles one of a game's rulings."""

    class Adopt(AdoptRuling, tag="adopt"):
        rules = tuple(ruling.rule for ruling in game_rulings)
        rulings = game_rulings

    return Adopt


def chosen_option(rulings: dict[str, str], ruling: Ruling) -> str:
    """Return the option of a ruling that a table plays by."""
    return rulings.get(ruling.id, ruling.default)
