"""Reminders of what to do on the table after a move: draw, shuffle, discard, move the bot."""

from collections import Counter
from collections.abc import Iterator

from scoring.kernel.english import join_words, pluralize
from scoring.kernel.move import Move, chosen_option
from scoring.kernel.tracked_game import Reminder
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, SETBACKS
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import has_turn_ended
from scoring.on_the_trail.turn import draw_count, required_decision

SHUFFLE_SETBACKS = "Shuffle the discarded Setbacks: they are the new pile."
SHUFFLE_BOT = "Shuffle the bot\u2019s discard pile: it is its new deck."


def reminders(before: State, after: State, move: Move) -> Iterator[Reminder]:
    """Yield the reminders after a move; those for the bot go to its opponent."""
    is_immediate = chosen_option(after.rulings, r.EMPTY_PILE) == "at-once"
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if new.bot:
            yield from (Reminder(text, 1 - seat) for text in _bot_reminders(before, after, new.legs_run - old.legs_run))
            continue
        if discarded := Counter(old.setbacks) - Counter(new.setbacks):
            yield Reminder(f"Discard {join_words([SETBACKS[id].name for id in discarded.elements()])}.", seat)
        if number := _drawn_count(before, after, seat):
            yield Reminder(f"{_draw_text(number, old.deck, is_immediate)}.", seat)
        if new.finished and not old.finished and not after.is_over:
            yield Reminder("Keep the cards in your hand.", seat)
    if _is_setback_shuffle_due(before, after, is_immediate):
        yield Reminder(SHUFFLE_SETBACKS, 1 - before.turn if before.players[before.turn].bot else before.turn)


def _bot_reminders(before: State, after: State, legs: int) -> Iterator[str]:
    if legs > 0:
        yield f"Move the bot\u2019s runner {pluralize(legs, 'stop')} on."
    if after.bot_deck == "cards" and after.flips > before.flips and not after.players[1].deck:
        yield SHUFFLE_BOT


def _drawn_count(before: State, after: State, seat: int) -> int:
    """Return how many cards a runner has drawn, at the end of a turn or by a Boost."""
    old, new = before.players[seat], after.players[seat]
    if has_turn_ended(before, after, seat):
        return draw_count(new) if new.is_racing else 0
    activated = after.used[len(before.used) :] if after.turn == before.turn == seat else ()
    boosts = [after.facts.boosts[id] for id in activated if BOOSTS[id].effect == "draw"]
    return new.held - old.held + len(boosts[0].cost) if len(boosts) == 1 else 0


def _draw_text(number: int, deck: int, is_immediate: bool) -> str:
    """Return the instruction to draw cards, with a reshuffle where the deck runs out."""
    if number < deck or (number == deck and not is_immediate):
        return f"Draw {pluralize(number, 'card')}"
    if number == deck:
        return f"Draw {pluralize(number, 'card')}, and shuffle your discard pile as your new deck"
    if not deck:
        return f"Shuffle your discard pile as your new deck, and draw {pluralize(number, 'card')}"
    last = "the last card" if deck == 1 else f"the last {deck} cards"
    return f"Draw {last}, shuffle your discard pile as your new deck, and draw {number - deck} more"


def _is_setback_shuffle_due(before: State, after: State, is_immediate: bool) -> bool:
    """Return whether the discarded Setbacks must be shuffled.

    With an immediate reshuffle that is after the last one is drawn, else before the next draw.
    """
    if is_immediate:
        return bool(before.setback_discard) and not after.setback_discard
    return required_decision(after) == "setback" != required_decision(before) and not after.setback_pile_size
