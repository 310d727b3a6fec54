"""The shape of a move: its fields, what speaks against it, its effect, its words."""

from collections.abc import Iterator
from typing import Any, ClassVar, NewType

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.rule import Reason, Rule, Ruling

Seat = NewType("Seat", int)  # 0 is the first player


def _tag(name: str) -> str:
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("-")


class Move(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag=_tag):
    """One thing said to have happened at the table, by content: "hike 2", "bear to the rock site".

    A subclass is a tagged `msgspec.Struct` whose fields are all JSON. Chance (a die, a drawn card) is a field.
    """

    rules: ClassVar[tuple[Rule, ...]] = ()  # what this move carries out, for "which rule is that?"
    anytime: ClassVar[bool] = False  # may be said by any seat at any moment, not only when it is to move
    consent: ClassVar[bool] = False  # changes what others have: the table must agree first
    secret: ClassVar[bool] = False  # holds what only its own seat may know; told to nobody
    drafted: ClassVar[bool] = False  # put together bit by bit on the page; there are too many to list, candidates are some

    def objections(self, state: Any, seat: int) -> Iterator[Reason]:
        """Yield everything that speaks against this move; none means it is legal."""
        raise NotImplementedError

    def apply(self, state: Any, seat: int) -> Any:
        """Return the state after this legal move."""
        raise NotImplementedError

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator["Move"]:
        """Yield the moves of this class a player could want now, legal or not."""
        return iter(())

    def label(self, state: Any, seat: int) -> str:
        """Return the button's words, in the imperative: "Hike 2 to the leaf site"."""
        raise NotImplementedError

    def hint(self, state: Any, seat: int) -> str:
        """Return a few words on what it brings, or nothing."""
        return ""

    def icon(self, state: Any, seat: int) -> str:
        """Return the name of the sign on the button."""
        return "arrow"

    def told(self, state: Any, seat: int) -> str:
        """Return what the log says happened, as said of a person: "hiked 2 to the leaf site"."""
        raise NotImplementedError


class AdoptRuling(Move):
    """The table settles a point the book leaves open. A game names its own rulings in a subclass."""

    rulings: ClassVar[tuple[Ruling, ...]] = ()
    anytime: ClassVar[bool] = True
    consent: ClassVar[bool] = True

    ruling: str
    option: str

    def _ruling(self) -> Ruling | None:
        return next((ruling for ruling in self.rulings if ruling.id == self.ruling), None)

    def objections(self, state: Any, seat: int) -> Iterator[Reason]:
        ruling = self._ruling()
        if ruling is None:
            known = ", ".join(each.id for each in self.rulings)
            yield Reason("no-ruling", self.rulings[0].rule, f"There is no ruling \u201c{self.ruling}\u201d; there are {known}.")
        elif ruling.option(self.option) is None:
            known = ", ".join(option.id for option in ruling.options)
            yield Reason("no-option", ruling.rule, f"\u201c{self.option}\u201d is no reading of this; there are {known}.")
        elif self.option == chosen(state.rulings, ruling):
            yield Reason("same-ruling", ruling.rule, "The table already plays it so.")

    def apply(self, state: Any, seat: int) -> Any:
        return replace(state, rulings={**state.rulings, self.ruling: self.option})

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator[Move]:
        for ruling in cls.rulings:
            for option in ruling.options:
                yield cls(ruling=ruling.id, option=option.id)

    def label(self, state: Any, seat: int) -> str:
        return self._ruling().option(self.option).text

    def told(self, state: Any, seat: int) -> str:
        return f"had the table settle \u201c{self._ruling().question}\u201d: {self.label(state, seat).rstrip('.')}"


def chosen(rulings: dict[str, str], ruling: Ruling) -> str:
    """Return the option a table plays by."""
    return rulings.get(ruling.id, ruling.default)
