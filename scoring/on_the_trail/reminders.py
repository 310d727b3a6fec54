"""Reminders of what to do on the table after a move: move, discard, draw, reshuffle."""

from collections import Counter
from collections.abc import Iterator

from scoring.kernel.english import join_words, pluralize
from scoring.kernel.move import Move, chosen_option
from scoring.kernel.tracked_game import Reminder
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, SETBACKS
from scoring.on_the_trail.card_facts import STOP_TEXTS
from scoring.on_the_trail.moves.run_moves import Stay
from scoring.on_the_trail.route import stop_at
from scoring.on_the_trail.state import Player, State
from scoring.on_the_trail.text import has_run_ended, has_turn_ended, list_names
from scoring.on_the_trail.turn import draw_count, required_decision

RESHUFFLE_SETBACKS = "Reshuffle the discarded Setbacks to make a new deck."
RESHUFFLE_BOT = "Reshuffle the bot\u2019s discard pile to make a new deck."


def reminders(before: State, after: State, move: Move) -> Iterator[Reminder]:
    """Yield the reminders after a move; those for the bot go to its opponent."""
    is_immediate = chosen_option(after.rulings, r.EMPTY_PILE) == "at-once"
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if new.bot:
            yield from (Reminder(text, 1 - seat) for text in _bot_reminders(before, after, old, new))
            continue
        texts = [*_move_texts(before, after, seat)]
        texts += (discard_texts := [*_discard_texts(before, seat, new, move)])
        if number := _drawn_count(before, after, seat):
            source_text = _fewer_cards_text(new) if has_turn_ended(before, after, seat) else ""
            draw_text = f"{_draw_text(number, old.deck, is_immediate)}{source_text}."
            texts.append(f"Then {draw_text[0].lower()}{draw_text[1:]}" if discard_texts else draw_text)
        if new.finished and not old.finished and not after.is_over:
            texts.append("Keep the cards in hand.")
        if texts:
            yield Reminder(" ".join(texts), seat)  # one reminder, which needs the name of the runner only once
    if _is_setback_shuffle_due(before, after, is_immediate):
        yield Reminder(RESHUFFLE_SETBACKS, 1 - before.turn if before.players[before.turn].bot else before.turn)


def _move_texts(before: State, after: State, seat: int) -> Iterator[str]:
    """Yield the instruction to move the marker of a runner whose run has ended."""
    if has_run_ended(before, after, seat):
        legs = before.moved + after.players[seat].legs_run - before.players[seat].legs_run
        yield f"Move the Runner marker {pluralize(legs, 'stop')}{_place_text(after.players[seat], after)}."


def _place_text(runner: Player, after: State) -> str:
    """Return where a Runner marker has to be moved, if that is known."""
    stop = stop_at(after, runner.legs_run)
    return ", across the finish line" if runner.finished else f", to {STOP_TEXTS[stop]}" if stop else ""


def _bot_reminders(before: State, after: State, old: Player, new: Player) -> Iterator[str]:
    if new.legs_run > old.legs_run:
        legs = pluralize(new.legs_run - old.legs_run, "stop")
        yield f"Move the bot\u2019s Runner marker {legs}{_place_text(new, after)}."
    if after.bot_deck == "cards" and after.flips > before.flips and not new.deck:
        yield RESHUFFLE_BOT


def _discard_texts(before: State, seat: int, new: Player, move: Move) -> Iterator[str]:
    """Yield the instructions to discard cards; no secret card is named."""
    old = before.players[seat]
    if isinstance(move, Stay) and seat == before.turn:
        number = old.held - (1 if move.keep else 0)
        face_text = " face-down" if chosen_option(before.rulings, r.DISCARDS_SEEN) == "hidden" else ""
        if number > 0 and move.keep:
            yield f"Keep 1 card and discard the other{f' {number}' if number > 1 else ''}{face_text}."
        elif number > 0:
            cards_text = {1: "the last card", 2: "both cards"}.get(number, f"all {number} cards")
            yield f"Discard {cards_text} in hand{face_text}."
    if discarded := list((Counter(old.setbacks) - Counter(new.setbacks)).elements()):
        yield f"Discard {list_names(discarded)}."


def _fewer_cards_text(player: Player) -> str:
    """Return why a runner draws fewer cards than usual: " (Cramps: 1 fewer card)"."""
    sources = [SETBACKS[id] for id in player.setbacks if SETBACKS[id].fewer]
    names = join_words([card.name for card in sources])
    fewer = sum(card.fewer for card in sources)
    return f" ({names}: {fewer} fewer {'card' if fewer == 1 else 'cards'})" if sources else ""


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
        return f"Draw {pluralize(number, 'card')} and reshuffle the Race discard pile"
    if not deck:
        return f"Reshuffle the Race discard pile and draw {pluralize(number, 'card')}"
    last = "the last card" if deck == 1 else f"the last {deck} cards"
    return f"Draw {last}, reshuffle the Race discard pile and draw {number - deck} more"


def _is_setback_shuffle_due(before: State, after: State, is_immediate: bool) -> bool:
    """Return whether the discarded Setbacks must be shuffled.

    With an immediate reshuffle that is after the last one is drawn, else before the next draw.
    """
    if is_immediate:
        return bool(before.setback_discard) and not after.setback_discard
    return required_decision(after) == "setback" != required_decision(before) and not after.setback_pile_size
