"""Physical actions after a repair of ON THE TRAIL, by the field that changed.

The cards of a runner move between hand, discard pile and deck, so their fields are changed together.
"""

from collections import Counter
from collections.abc import Container, Iterator
from itertools import chain
from typing import NamedTuple

from scoring.kernel.editable import AddRemove, Increment
from scoring.kernel.english import join_words, pluralize
from scoring.kernel.move import chosen_option
from scoring.kernel.table_actions import Count, Handlings, Pile, table_actions
from scoring.kernel.tracked_game import TableAction
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import CARDS
from scoring.on_the_trail.cards import NO_CARDS
from scoring.on_the_trail.editable import editable_fields
from scoring.on_the_trail.state import Player, State

MARKER = Count("stop", "Move the Runner marker {} ahead.", "Move the Runner marker {} back.")
HANDLINGS: Handlings = {
    "runners.*.at": MARKER,
    "bot.at": MARKER,
    "runners.*.setbacks": Pile("Take {}.", "Give back {}.", "Setback", deck="Setbacks"),
    "runners.*.boosts": Pile("Take {}.", "Give back {}.", "Boost", deck="Boosts"),
    "setback_discards": Pile(
        "Put {} on the Setback discard pile.", "Take {} off the Setback discard pile.", deck="Setbacks"
    ),
    "bot.flipped_before": None,
    "runners.*.out": None,
    "turn": None,
    "step": None,
    "moved": None,
    "to_run": None,
    "used": None,
    "trail.*": None,
}
BOT_PILE = {
    f"bot.discards.{card}": Count(
        f"{card} card",
        "Put {} on the bot\u2019s discard pile.",
        "Put {} from the bot\u2019s discard pile back on its deck.",
    )
    for card in CARDS
}
SOLO_HANDLINGS = {"cards": HANDLINGS | BOT_PILE}  # by who shuffles the bot\u2019s deck


class Kind(NamedTuple):
    """The cards of one kind in the discard pile of a runner."""

    path: str  # of their field
    noun: str
    old: int
    new: int


def repair_actions(before: State, after: State) -> Iterator[TableAction]:
    """Yield the actions that turn the table of one race into that of another."""
    old_fields, new_fields = [*editable_fields(before)], [*editable_fields(after)]
    paths = {field.path for field in new_fields}
    if chosen_option(before.rulings, r.DISCARDS_SEEN) != chosen_option(after.rulings, r.DISCARDS_SEEN):
        before, after, paths = _without_colors(before), _without_colors(after), set()
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if not new.bot:
            yield from _card_actions(seat, old, new, paths)
    for action in table_actions(SOLO_HANDLINGS.get(after.bot_deck, HANDLINGS), old_fields, new_fields):
        yield _reshuffle(before, after, action)


def _without_colors(state: State) -> State:
    """Return a race where only the number of discarded cards is known, as in another race."""
    for seat, player in enumerate(state.players):
        number = sum(player.discard) + player.unknown_discards
        state = state.with_player(seat, discard=NO_CARDS, unknown_discards=number)
    return state


def _reshuffle(before: State, after: State, action: TableAction) -> TableAction:
    """Return an action, as a reshuffle if it takes discarded Setbacks that no runner has now."""
    match action.changes:
        case (AddRemove("setback_discards", (_, *_) as less, _),):
            held, was_held = (Counter(chain(*(player.setbacks for player in s.players))) for s in (after, before))
            if not (held - was_held) & Counter(less):
                text = action.text.replace("Take", "Shuffle").replace(
                    "off the Setback discard pile", "into the Setback deck"
                )
                return TableAction(text, None, action.changes)
    return action


def _card_actions(seat: int, old: Player, new: Player, paths: Container[str]) -> Iterator[TableAction]:
    """Yield how the cards of a runner move between hand, discard pile and deck.

    A card that leaves the discard pile goes into the deck if that grows, else into the hand. A card that comes onto the
    discard pile comes from the hand, unless the hand never had so many.
    """
    place = f"runners.{seat}"
    kinds = [*_discard_kinds(place, old, new, paths)]
    gained = [(kind, kind.new - kind.old) for kind in kinds if kind.new > kind.old]
    lost = [(kind, kind.old - kind.new) for kind in kinds if kind.new < kind.old]
    growth, pile_size = max(0, new.deck - old.deck), sum(kind.old for kind in kinds)
    is_reshuffled = growth > 0 and _total(lost) == pile_size
    to_deck, to_hand = _split(lost, pile_size if is_reshuffled else growth)
    hand_to_deck = max(0, growth - _total(to_deck))
    from_hand, from_deck = _split(gained, old.held + _total(to_hand) - hand_to_deck)
    drawn = new.held - old.held - _total(to_hand) + hand_to_deck + _total(from_hand)
    if drawn < 0:  # more cards came from the deck than it lost
        from_hand, from_deck = _split(gained, _total(from_hand) - drawn)
        drawn = 0
    pile = "the discard pile" if _total(to_deck) == pile_size else "{} from the discard pile"
    for sentence, cards, held in (
        ("Take {} from the discard pile into the hand.", to_hand, 1),
        ("Discard {} from the hand.", from_hand, -1),
        (f"Shuffle {pile} into the deck.", to_deck, 0),
        ("Find {} in the deck and discard them.", from_deck, 0),
    ):
        if cards:
            sign = 1 if cards in (from_hand, from_deck) else -1
            changes = [Increment(kind.path, sign * number) for kind, number in cards]
            changes += [Increment(f"{place}.held", held * _total(cards))] * (held != 0)
            names = join_words([pluralize(number, kind.noun) for kind, number in cards])
            yield TableAction(sentence.format(names), seat, tuple(changes))
    for sentence, number in (("Put {} from the hand back on the deck.", -hand_to_deck), ("Draw {}.", drawn)):
        if number:
            text = sentence.format(pluralize(abs(number), "card"))
            yield TableAction(text, seat, (Increment(f"{place}.held", number),))


def _discard_kinds(place: str, old: Player, new: Player, paths: Container[str]) -> Iterator[Kind]:
    counts = (*zip(CARDS, old.discard, new.discard, strict=True), ("", old.unknown_discards, new.unknown_discards))
    for card, old_count, new_count in counts:
        fields = [f"{place}.discards.{card}"] * bool(card) + [f"{place}.untold_discards", f"{place}.discards"]
        # A table without unknown cards has no field for them.
        path = next((path for path in fields if path in paths), f"{place}.discards")
        yield Kind(path, f"{card} card".lstrip(), old_count, new_count)


Cards = list[tuple[Kind, int]]


def _total(cards: Cards) -> int:
    return sum(number for _, number in cards)


def _split(cards: Cards, limit: int) -> tuple[Cards, Cards]:
    """Return the first cards up to a limit, and the others."""
    first, others = [], []
    for kind, number in cards:
        taken = min(number, max(0, limit - _total(first)))
        first += [(kind, taken)] * (taken > 0)
        others += [(kind, number - taken)] * (number > taken)
    return first, others
