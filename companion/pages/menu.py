"""The moves a seat could make now, as buttons, with the reasons why some are refused."""

from difflib import SequenceMatcher
from functools import cached_property
from itertools import takewhile

from scoring.kernel.legality import Query, possible_actions
from scoring.kernel.move import AdoptRuling, Move, MoveLabel
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import Offer, TrackedGame

# Moves to list in place of another one: at most this many of its kind, and of each other kind.
MAX_VARIANTS, MAX_OF_OTHER_KIND = 72, 24
MAX_UNSORTED = 12  # alternatives that fit on the screen in any order
MAX_CLOSEST = 4  # alternatives to a move that became illegal
MAX_ACTIONS_TRIED = 800  # moves tried while searching for illegal actions that a player could claim


class Button:
    """A move a player could make, as a button; its reasons say why it is refused, if it is."""

    def __init__(self, offer: Offer, view: GameState, seat: int):
        self.move = offer.move
        self.reasons = offer.reasons
        self.is_legal = offer.is_legal
        self._view, self._seat = view, seat

    @cached_property
    def _content(self) -> MoveLabel:
        return self.move.label(self._view, self._seat)

    @property
    def label(self) -> str:
        return self._content.text

    @property
    def short_label(self) -> str:
        return self._content.short_text

    @property
    def hint(self) -> str:
        return self._content.hint

    @property
    def icon(self) -> str:
        return self._content.icon


def move_tag(move_class: type[Move]) -> str:
    """Return the tag of a kind of move, as in its JSON."""
    return str(move_class.__struct_config__.tag)


def _same_start(text: str, other: str) -> int:
    """Return the number of characters with which both texts begin."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False))])


class Menu:
    """The moves a seat could make now, computed kind by kind as its page needs them."""

    def __init__(self, tracked: TrackedGame[GameSetup, GameState], view: GameState, seat: int, *, is_own: bool = True):
        """:param is_own: whether the phone holds the seat; only then it may enter secret notes."""
        self._tracked, self._view, self._seat = tracked, view, seat
        self._move_classes = {move_tag(kind): kind for kind in tracked.moves}
        self._buttons: dict[str, tuple[Button, ...]] = {}
        self._is_own = is_own

    def buttons(self, tag: str) -> tuple[Button, ...]:
        """Return the moves of one kind, legal or not."""
        if self._move_classes[tag].is_secret and not self._is_own:
            return ()
        if tag not in self._buttons:
            offers = self._tracked.offers(self._view, self._seat, (self._move_classes[tag],))
            self._buttons[tag] = tuple(Button(offer, self._view, self._seat) for offer in offers)
        return self._buttons[tag]

    def legal_buttons(self, *tags: str) -> list[Button]:
        """Return the legal moves of the given kinds."""
        return [button for tag in tags for button in self.buttons(tag) if button.is_legal]

    def available_tags(self) -> list[str]:
        """Return the tags of the kinds of move that resolve the pending decision."""
        return [move_tag(kind) for kind in self._tracked.available_moves(self._view)]

    def available_buttons(self) -> list[Button]:
        """Return the legal moves that resolve the pending decision."""
        return self.legal_buttons(*self.available_tags())

    def alternatives(self, move: Move, log_text: str) -> list[Button]:
        """Return the legal moves that may be meant instead of a move, those of its kind first.

        Kinds with too many moves to list are left out. In a long list, those whose log text begins like that of the
        move come first: names with the same initial, variants of the same card.

        :param log_text: of the move; nothing else is used of a move that another player may have made in secret.
        """
        if move.is_secret and not self._is_own:
            return []
        variants = self._tracked.variants(self._view, self._seat, move)
        moves = [*(variants if len(variants) <= MAX_VARIANTS else ()), *self._moves_of_other_kinds(move)]
        buttons = [
            Button(Offer(other, ()), self._view, self._seat)
            for other in moves
            if (other != move if self._is_own else self._log_text(other) != log_text)
        ]
        if len(buttons) > MAX_UNSORTED:
            buttons.sort(key=lambda button: -_same_start(self._log_text(button.move), log_text))
        return buttons

    def closest_alternatives(self, move: Move, log_text: str) -> list[Button]:
        """Return a few alternatives to a move, those whose log text is most like its own first."""
        matcher = SequenceMatcher(b=log_text, autojunk=False)

        def likeness(button: Button) -> float:
            matcher.set_seq1(self._log_text(button.move))
            return matcher.ratio()

        return sorted(self.alternatives(move, log_text), key=likeness, reverse=True)[:MAX_CLOSEST]

    def _moves_of_other_kinds(self, move: Move) -> list[Move]:
        """Return the legal moves of other kinds that resolve the same decision as a move."""
        tags = [] if move.out_of_turn else self.available_tags()
        groups = [self.legal_buttons(tag) for tag in tags if tag != move_tag(type(move))]
        return [button.move for group in groups if len(group) <= MAX_OF_OTHER_KIND for button in group]

    def _log_text(self, move: Move) -> str:
        return move.log_text(self._view, self._seat)

    def is_secret_only(self) -> bool:
        """Return whether only the player can make the pending decision, in secret."""
        return all(kind.is_secret for kind in self._tracked.available_moves(self._view))

    def is_built_in_steps(self) -> bool:
        """Return whether the player builds a move of the pending decision in steps, on the picture."""
        return any(kind.built_in_steps for kind in self._tracked.available_moves(self._view))

    def out_of_turn_buttons(self) -> list[Button]:
        """Return the legal out-of-turn moves, except rulings, which have their own page."""
        return self.legal_buttons(
            *(move_tag(kind) for kind in self._tracked.moves if kind.out_of_turn and not issubclass(kind, AdoptRuling))
        )

    def illegal_actions(self) -> list[Query]:
        """Return the illegal actions a player could claim: refused now, or only possible later."""
        known = possible_actions(self._tracked, self._view, self._seat, MAX_ACTIONS_TRIED)
        legal = self._tracked.is_legal
        return [change for change in known if not (change.move.is_secret or legal(self._view, self._seat, change.move))]

    def refused_buttons(self) -> list[Button]:
        """Return the moves of the turn that are refused, with the reasons."""
        # The form of a move built in steps gives its own reasons.
        listed = (kind for kind in self._tracked.available_moves(self._view) if not kind.built_in_steps)
        return [button for tag in map(move_tag, listed) for button in self.buttons(tag) if not button.is_legal]

    def refused_groups(self) -> list[list[Button]]:
        """Return the refused moves of the turn, those with the same reasons together."""
        groups: dict[tuple[str, ...], list[Button]] = {}
        for button in self.refused_buttons():
            groups.setdefault(tuple(reason.text for reason in button.reasons), []).append(button)
        return list(groups.values())
