"""What hands must do in a race of ON THE TRAIL now that something has happened there: draw, shuffle, discard, move the bot."""

from collections import Counter
from collections.abc import Iterator

from scoring.kernel.english import listed, plural
from scoring.kernel.move import Move, chosen
from scoring.kernel.tracked_game import Reminder
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, SETBACKS
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import ended
from scoring.on_the_trail.turn import draws, need

SHUFFLE_SETBACKS = "Shuffle the discarded Setbacks: they are the new pile."
SHUFFLE_BOT = "Shuffle the bot\u2019s discard pile: it is its new deck."


def hands(before: State, after: State, move: Move) -> Iterator[Reminder]:
    """Yield the reminders after a move; those of the bot are for its opponent."""
    at_once = chosen(after.rulings, r.EMPTY_PILE) == "at-once"
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if new.bot:
            yield from (Reminder(text, 1 - seat) for text in _bots(before, after, new.at - old.at))
            continue
        if gone := Counter(old.setbacks) - Counter(new.setbacks):
            yield Reminder(f"Discard {listed([SETBACKS[id].name for id in gone.elements()])}.", seat)
        if number := _drawn(before, after, seat):
            yield Reminder(f"{_draw(number, old.deck, at_once)}.", seat)
        if new.home and not old.home and not after.over:
            yield Reminder("Keep the cards in your hand.", seat)
    if _setbacks_run_out(before, after, at_once):
        yield Reminder(SHUFFLE_SETBACKS, 1 - before.turn if before.players[before.turn].bot else before.turn)


def _bots(before: State, after: State, legs: int) -> Iterator[str]:
    if legs > 0:
        yield f"Move the bot\u2019s runner {plural(legs, 'stop')} on."
    if after.bot_deck == "cards" and after.flips > before.flips and not after.players[1].deck:
        yield SHUFFLE_BOT


def _drawn(before: State, after: State, seat: int) -> int:
    """Return how many cards a runner has drawn: at the end of a turn, or by a Boost."""
    old, new = before.players[seat], after.players[seat]
    if ended(before, after, seat):
        return draws(new) if new.racing else 0
    activated = after.used[len(before.used) :] if after.turn == before.turn == seat else ()
    boosts = [after.facts.boosts[id] for id in activated if BOOSTS[id].effect == "draw"]
    return new.held - old.held + len(boosts[0].cost) if len(boosts) == 1 else 0


def _draw(number: int, deck: int, at_once: bool) -> str:
    """Return how so many cards are drawn from a deck of a size, with the discard pile shuffled where it runs out."""
    if number < deck or (number == deck and not at_once):
        return f"Draw {plural(number, 'card')}"
    if number == deck:
        return f"Draw {plural(number, 'card')}, and shuffle your discard pile as your new deck"
    if not deck:
        return f"Shuffle your discard pile as your new deck, and draw {plural(number, 'card')}"
    last = "the last card" if deck == 1 else f"the last {deck} cards"
    return f"Draw {last}, shuffle your discard pile as your new deck, and draw {number - deck} more"


def _setbacks_run_out(before: State, after: State, at_once: bool) -> bool:
    """Return whether the discarded Setbacks are to be shuffled: the next is drawn from them, or the last has been drawn."""
    if at_once:
        return bool(before.setback_discard) and not after.setback_discard
    return need(after) == "setback" != need(before) and not after.setback_pile
