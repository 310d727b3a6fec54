"""What a seat could want now, as buttons: each move with its words, and why not where it is refused."""

from typing import Any

from scoring.kernel.english import capital
from scoring.kernel.legality import Wish, wishes
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Offer, Play

GLIMPSE = 800  # moves are tried to find what somebody could claim


class Button:
    """A move somebody could want, as a button: its words, and why not if it is refused."""

    def __init__(self, offer: Offer, view: Any, seat: int):
        self.move = offer.move
        self.reasons = offer.reasons
        self.legal = offer.legal
        self._words = (view, seat)

    @property
    def label(self) -> str:
        return self.move.label(*self._words)

    @property
    def hint(self) -> str:
        return self.move.hint(*self._words)

    @property
    def icon(self) -> str:
        return self.move.icon(*self._words)


def tag_of(kind: type[Move]) -> str:
    """Return the name of a kind of move, as in its JSON."""
    return str(kind.__struct_config__.tag)


def words_of(kind: type[Move]) -> str:
    """Return what a kind of move is called where many of a kind are listed: "Earn badge"."""
    return capital(tag_of(kind).replace("-", " "))


class Menu:
    """What a seat could want now, worked out kind by kind as its page asks."""

    def __init__(self, play: Play, view: Any, seat: int, *, own: bool = True):
        """:param own: whether the phone holds the seat; another's notes are not for it to tell."""
        self._play, self._view, self._seat = play, view, seat
        self._kinds = {tag_of(kind): kind for kind in play.moves}
        self._made: dict[str, tuple[Button, ...]] = {}
        self._own = own

    def of(self, tag: str) -> tuple[Button, ...]:
        """Return the moves of one kind, legal or not."""
        if self._kinds[tag].secret and not self._own:
            return ()
        if tag not in self._made:
            offers = self._play.offers(self._view, self._seat, (self._kinds[tag],))
            self._made[tag] = tuple(Button(offer, self._view, self._seat) for offer in offers)
        return self._made[tag]

    def legal(self, *tags: str) -> list[Button]:
        """Return the legal moves of some kinds."""
        return [button for tag in tags for button in self.of(tag) if button.legal]

    def wanted(self) -> list[Button]:
        """Return the legal moves that answer what is to be done now."""
        return self.legal(*map(tag_of, self._play.asked(self._view)))

    def of_secrets(self) -> bool:
        """Return whether what is to be done now can be said by nobody but the player."""
        return all(kind.secret for kind in self._play.asked(self._view))

    def anytime(self) -> list[Button]:
        """Return the legal moves that may be said at any moment, but for rulings, which have a place of their own."""
        return self.legal(*(tag_of(kind) for kind in self._play.moves if kind.anytime and tag_of(kind) != "adopt"))

    def against_the_rules(self) -> list[Wish]:
        """Return what could be claimed to have been done now and cannot have been: what is refused, or comes later in a turn."""
        known = wishes(self._play, self._view, self._seat, GLIMPSE)
        legal = self._play.legal
        return [wish for wish in known if not (wish.move.secret or legal(self._view, self._seat, wish.move))]

    def refused(self) -> list[Button]:
        """Return the moves of the turn that are refused, with why."""
        listed = (kind for kind in self._play.asked(self._view) if not kind.drafted)  # a draft says its own reasons
        return [button for tag in map(tag_of, listed) for button in self.of(tag) if not button.legal]
