"""The shape of a move: its fields, what speaks against it, its effect, its words."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, ClassVar, Self, dataclass_transform

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.english import describe_known_words, end_sentence, quote, truncate
from scoring.kernel.rule import Option, Reason, Rule, Ruling


@dataclass_transform(
    frozen_default=True, field_specifiers=(msgspec.field,)
)  # for type checkers: subclasses are frozen too
class Move(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing said to have happened at the table, by content: "hike 2", "bear to the rock site".

    A subclass that players can make is a `msgspec.Struct` with a `tag`, whose fields are all JSON. Chance (a die, a drawn
    card) is a field. Tags and field names are stored in logs and never change; a field whose name in Python differs
    from the stored one has `field(name=...)`.
    """

    rules: ClassVar[tuple[Rule, ...]] = ()  # what this move carries out, for "which rule is that?"
    resolves: ClassVar[tuple[Hashable, ...]] = ()  # what of Play.wanted it does; none: anything
    out_of_turn: ClassVar[bool] = False  # may be said by any seat at any moment, not only when it is to move
    needs_consent: ClassVar[bool] = False  # changes what others have: the table must agree first
    is_secret: ClassVar[bool] = False  # holds what only its own seat may know; told to nobody
    default_icon: ClassVar[str] = "arrow"  # on its button, where that is always the same
    is_turn_start: ClassVar[bool] = False  # a player's turn begins with it
    is_setup: ClassVar[bool] = (
        False  # it tells how hands set up the table: what they had to do before it, they still have
    )
    is_own_setup: ClassVar[bool] = False  # how one's own things lie, which asks nobody before the first turn
    may_enable_more: ClassVar[bool] = True  # something may become possible by it later in the same turn
    built_in_steps: ClassVar[bool] = False  # put together bit by bit on the page; there are too many to list

    def objections(self, state: Any, seat: int) -> Iterator[Reason]:
        """Yield everything that speaks against this move; none means it is legal."""
        return iter(())

    def out_of_phase_reason(self, state: Any, seat: int) -> Reason | None:
        """Return why this is not its moment, where a rule says more of that than the order of a turn."""
        return None

    def suggestions(self, state: Any, seat: int) -> Iterable[Self]:
        """Return what may have been meant by this move, where it is refused: it can be tapped then."""
        return ()

    def apply(self, state: Any, seat: int) -> Any:
        """Return the state after this legal move."""
        raise NotImplementedError

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator[Self]:
        """Yield the moves of this class a player could want now, legal or not; asked only when it may be said."""
        return iter(())

    @classmethod
    def query_candidates(cls, state: Any, seat: int, query: "Move | None" = None) -> Iterator[Self]:
        """Yield the moves of this class a player could ask about; of what is put together bit by bit, those that matter.

        :param query: what is to be done later in the turn; what can neither help it nor stand in its way may be left out.
        """
        return cls.candidates(state, seat)

    def label(self, state: Any, seat: int) -> str:
        """Return the button's words, in the imperative: "Hike 2 to the leaf site"."""
        raise NotImplementedError

    def hint(self, state: Any, seat: int) -> str:
        """Return a few words on what it brings, or nothing."""
        return ""

    def icon(self, state: Any, seat: int) -> str:
        """Return the name of the sign on the button."""
        return self.default_icon

    def log_text(self, state: Any, seat: int) -> str:
        """Return what the log says happened, as said of a person: "hiked 2 to the leaf site"."""
        raise NotImplementedError

    def log_baseline(self, state: Any, seat: int) -> Any:
        """Return the state from which on the log tells what else has changed: what the move says itself is told already."""
        return state

    def cited_rules(self) -> tuple[Rule, ...]:
        """Return the rules behind this one move: those that its kind carries out."""
        return self.rules


class Correction(Move):
    """Set right what the app knows: the table must agree, it must change something, and what lies there must add up.

    A game has a subclass with its own `rules`, the first of which is what is in the box.
    """

    default_icon = "pen"
    out_of_turn = True
    needs_consent = True

    def objections(self, state: Any, seat: int) -> Iterator[Reason]:
        if wrong := list(self.change_errors(state)):
            yield from wrong
        elif (after := self.apply(state, seat)) == state:
            yield Reason("no-change", self.rules[0], "The app has it so already.")
        else:
            before = list(self.position_errors(state))
            yield from (fault for fault in self.position_errors(after) if fault not in before)

    def change_errors(self, state: Any) -> Iterator[Reason]:
        """Yield what cannot even be put on the table."""
        return iter(())

    def position_errors(self, state: Any) -> Iterator[Reason]:
        """Yield what does not add up on a table."""
        return iter(())

    def describe_change(self, state: Any) -> str:
        """Return what is set right, in words: "Bo: 2 acorns, canteen full"."""
        raise NotImplementedError

    def label(self, state: Any, seat: int) -> str:
        return f"Correct {self.describe_change(state)}"

    def log_text(self, state: Any, seat: int) -> str:
        return f"had a correction made: {self.describe_change(state)}"


class AdoptRuling(Move):
    """The table settles a point the book leaves open; see `adopting`."""

    rulings: ClassVar[tuple[Ruling, ...]] = ()
    out_of_turn = True
    needs_consent = True

    ruling: str
    option: str

    @property
    def _ruling_and_option(self) -> tuple[Ruling | None, Option | None]:
        ruling = next((ruling for ruling in self.rulings if ruling.id == self.ruling), None)
        return ruling, ruling.option(self.option) if ruling else None

    def objections(self, state: Any, seat: int) -> Iterator[Reason]:
        ruling, option = self._ruling_and_option
        if ruling is None:
            known = describe_known_words(each.id for each in self.rulings)
            yield Reason(
                "no-ruling", self.rulings[0].rule, f"There is no ruling \u201c{truncate(self.ruling)}\u201d; {known}."
            )
        elif option is None:
            known = describe_known_words(each.id for each in ruling.options)
            yield Reason(
                "no-option", ruling.rule, f"\u201c{truncate(self.option)}\u201d is no reading of this; {known}."
            )
        elif self.option == chosen_option(state.rulings, ruling):
            yield Reason("same-ruling", ruling.rule, "The table already plays it so.")

    def apply(self, state: Any, seat: int) -> Any:
        return replace(state, rulings={**state.rulings, self.ruling: self.option})

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator[Self]:
        for ruling in cls.rulings:
            for option in ruling.options:
                yield cls(ruling=ruling.id, option=option.id)

    def label(self, state: Any, seat: int) -> str:
        _, option = self._ruling_and_option
        return option.text if option else self.option

    def cited_rules(self) -> tuple[Rule, ...]:
        ruling, _ = self._ruling_and_option
        return (ruling.rule,) if ruling else ()

    def log_text(self, state: Any, seat: int) -> str:
        ruling, _ = self._ruling_and_option
        question = ruling.question if ruling else self.ruling
        return f"had the table settle \u201c{question}\u201d so: {quote(end_sentence(self.label(state, seat)))}"


def make_adopt_move(game_rulings: tuple[Ruling, ...]) -> type[AdoptRuling]:
    """Return the move that settles one of a game's rulings."""

    class Adopt(AdoptRuling, tag="adopt"):
        rules = tuple(ruling.rule for ruling in game_rulings)
        rulings = game_rulings

    return Adopt


def chosen_option(rulings: dict[str, str], ruling: Ruling) -> str:
    """Return the option a table plays by."""
    return rulings.get(ruling.id, ruling.default)
