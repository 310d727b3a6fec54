"""Texts about a race: cards, stops, the current decision, changes and refusals."""

from collections.abc import Iterable, Iterator, Sequence

from scoring.kernel.english import capitalize_first, fact_to_enter, join_words, pluralize, quote
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import waiting_reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, SETBACKS
from scoring.on_the_trail.card_facts import STOP_TEXTS
from scoring.on_the_trail.cards import Cards
from scoring.on_the_trail.points import final_position, score
from scoring.on_the_trail.route import can_be_at_finish, next_leg_colour, stop_at
from scoring.on_the_trail.state import Player, State
from scoring.on_the_trail.turn import RequiredDecision, can_draw_boost, draw_count, required_decision

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def describe_card(card: str) -> str:
    return f"a {card} card" if card != "wild" else "the wild card"


def card_name(id: str) -> str:
    """Return the name of a Setback or Boost for a sentence, quoted if it contains a comma."""
    card = SETBACKS.get(id) or BOOSTS.get(id)
    name = card.name if card else id
    return quote(name) if "," in name else name


def unknown_setback_reason(id: str) -> Reason:
    return Reason("no-such-setback", r.SETBACK_PILE, f"There is no Setback \u201c{id}\u201d.")


def hands_not_tracked_reason() -> Reason:
    text = "Hands are not entered at this table. Enter only the cards you play."
    return Reason("light", r.SETUP_HAND, text)


def missing_entry_text(thing: str) -> str:
    """Return a refusal for a missing entry, such as "the color of the next leg"."""
    return f"{capitalize_first(thing)} has not been entered yet. Enter it first."


def race_over_reason() -> Reason:
    return Reason("race-over", r.FINISH_ROUND, "The race is over.")


def list_cards(cards: Cards) -> list[str]:
    """Return the number of cards of each kind: "1 red card", "2 green cards"."""
    return [pluralize(count, f"{card} card") for card, count in zip(CARDS, cards, strict=True) if count > 0]


def describe_cards(cards: Cards) -> str:
    """Return cards in words: "a red card", "2 red cards", "1 red card and 2 green cards"."""
    if sum(cards) == 1 and max(cards) == 1:
        return describe_card(CARDS[cards.index(1)])
    return join_words(list_cards(cards)) or "no cards"


def describe_deduced_cards(player: Player) -> str:
    """Return which drawn cards are known by elimination, and why."""
    last_text = "the last card" if sum(player.deduced) == 1 else "the last cards"
    return f"You drew {describe_cards(player.deduced)}, {last_text} in your deck."


def list_names(ids: Iterable[str]) -> str:
    """Return the names of Setbacks or Boosts as a list."""
    return join_words([*map(card_name, ids)])


def describe_kept_card(keep: str | None) -> str:
    return "no card" if keep is None else "1 card" if keep == "card" else describe_card(keep)


def decision_instruction(state: State, decision: RequiredDecision) -> str:
    """Return an instruction for a decision, to stand alone or after a cause or "First"."""
    match decision:
        case "leg":
            return _next_leg_instruction(state)
        case "flip":
            return "flip a card for the bot"
        case "hand":
            return "enter the cards in your hand"
        case "run":
            return "keep running or stop here" if state.moved else "run at least 1 leg"
        case "boost":
            return f"enter the cost of {card_name(state.unknown_boosts[0])}"
        case "stop":
            return "enter the kind of this stop"
        case "setback":
            return "draw a Setback"
        case "aid":
            has_setbacks = state.players[state.turn].setbacks
            return "draw a Boost or discard all Setbacks" if has_setbacks else "draw a Boost"
        case "colour":
            return f"enter the color shown on {card_name(state.setbacks_with_unknown_colour[0])}"
        case "over":
            return "the race is over"


def _next_leg_instruction(state: State) -> str:
    if state.frontier is None and not state.is_route_complete:
        return "enter the next Trail card"
    is_finish_possible = can_be_at_finish(state, state.turn)
    return "enter the next leg or the finish" if is_finish_possible else "enter the color of the next leg"


_CAUSES: dict[RequiredDecision, str] = {
    "leg": "Trail ahead",
    "boost": "Unknown Boost",
    "stop": "Unknown stop",
    "setback": "Setback stop",
    "aid": "Aid Station",
    "colour": "Setback",
}


def _decision_prompt(state: State) -> str:
    """Return the public instruction with its cause: "Setback stop: draw a Setback."."""
    decision = _public_decision(state)
    cause = _CAUSES.get(decision)
    if decision == "run" and state.moved:
        cause = "At a stop"
    elif decision == "leg" and state.legs_to_run:
        cause = f"Boost, {pluralize(state.legs_to_run, 'leg')} left"
    instruction = decision_instruction(state, decision)
    return f"{cause}: {instruction}." if cause else f"{capitalize_first(instruction)}."


def _is_last_turn(state: State) -> bool:
    return not state.is_over and any(player.finished for player in state.players)


def prompt(state: State) -> str:
    """Return one line for the head of the page: what is to be done now."""
    if state.is_over:
        return score(final_position(state)).result_text
    return f"Last turn. {_decision_prompt(state)}" if _is_last_turn(state) else _decision_prompt(state)


def banner(state: State, seat: int) -> tuple[str, str] | None:
    """Return the heading and the instruction of the last turn for the runner who has it."""
    return ("Your last turn", _decision_prompt(state)) if _is_last_turn(state) and seat == state.turn else None


def final_call(view: State, seat: int | None) -> str:
    """Return the call of the last turn: who has finished, and who has a turn left."""
    if not _is_last_turn(view):
        return ""
    runner, finisher = view.players[view.turn], next(player for player in view.players if player.finished)
    if seat is not None and view.players[seat] is finisher:
        return f"You have finished. {runner.name} has one last turn."
    if seat == view.turn:
        return f"Last turn: {finisher.name} has finished."
    return f"{finisher.name} has finished. {runner.name} has one last turn."


def turn_owner_name(state: State) -> str:
    """Return the name of the bot on its turn, else ""."""
    runner = state.players[state.turn]
    return runner.name if runner.bot and not state.is_over else ""


def _public_decision(state: State) -> RequiredDecision:
    """Return the decision as everyone sees it: not whether a hand has been entered."""
    decision = required_decision(state)
    return "run" if decision == "hand" else decision


def _public_instruction(state: State) -> str:
    return decision_instruction(state, _public_decision(state))


def describe_changes(before: State, after: State) -> Iterator[str]:
    """Yield a sentence for the log about each side effect between two states."""
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        # A move of the runner shows itself where it ended the run.
        is_stop_missing = required_decision(before) == "leg" and has_run_ended(before, after, seat) and not new.finished
        place_text = stop_text(after, seat) if is_stop_missing else ""
        if before.legs_to_run and new.legs_run > old.legs_run:
            legs_text = _describe_remaining_legs(before, old, new)
            yield f"{legs_text} to {place_text}." if place_text else f"{legs_text}."
        elif place_text:
            yield f"{new.name} stopped at {place_text}."
        if new.finished and not old.finished:
            yield f"{new.name} crossed the finish line!"
        # A move that the runner makes shows the draw itself.
        is_draw_missing = required_decision(before) in ("leg", "stop", "colour") and has_drawn_hand(before, after, seat)
        if before.turn == seat and not new.bot:
            sentences = [*_describe_stop_effect(before, after)]
            if sentences and is_draw_missing and old.setbacks and not new.setbacks:
                sentences[-1] = f"{sentences[-1].removesuffix('.')}, {describe_draw(draw_count(new), new.held)}."
                is_draw_missing = False
            yield from sentences
        if is_draw_missing:
            number = draw_count(new)
            yield f"{new.name} drew {pluralize(number, 'card') if number else 'no cards'}: {new.held} in hand."
        if not new.bot and sum(new.discard) + new.unknown_discards < sum(old.discard) + old.unknown_discards:
            yield f"{new.name}\u2019s discard pile was reshuffled."
    if after.is_over and not before.is_over:
        yield "The race is over."
    elif _is_last_turn(after) and not _is_last_turn(before):
        yield f"{after.players[after.turn].name} has one last turn."


def _describe_remaining_legs(before: State, old: Player, new: Player) -> str:
    """Return a clause about legs of a Boost or of the bot that an unknown Trail had held up."""
    boost = next((id for id in reversed(before.used) if BOOSTS[id].effect == "advance"), None)
    fact = before.facts.known_boost(boost) if boost else None
    total = max(fact.legs or 0 if fact else before.moved + before.legs_to_run, before.legs_to_run)
    first = total - before.legs_to_run
    ordinals = ORDINALS[first : first + new.legs_run - old.legs_run]
    source_text = f" from {card_name(boost)}" if boost else ""
    return f"{new.name} ran the {join_words(ordinals)} {'leg' if len(ordinals) == 1 else 'legs'}{source_text}"


def stop_text(state: State, seat: int) -> str:
    """Return the stop at which a runner is, in words: "a neutral stop"; empty if it is unknown."""
    stop = stop_at(state, state.players[seat].legs_run)
    return STOP_TEXTS[stop] if stop else ""


def place(state: State, seat: int, moves: Sequence[Move]) -> str:
    """Return where a runner's move happens: "leg 7, red" while the run lasts, then the stop."""
    if state.phase != "run":
        return stop_text(state, seat)
    colour = next_leg_colour(state, seat)
    number = state.players[seat].legs_run + 1
    return f"leg {number}, {colour}" if colour else f"leg {number}"


def describe_draw(number: int, held: int) -> str:
    """Return a draw as a quantity of the log: "+4 cards: 5 in hand"."""
    drawn = f"+{pluralize(number, 'card')}" if number else "no cards drawn"
    return f"{drawn}: {held} in hand"


def _describe_stop_effect(before: State, after: State) -> Iterator[str]:
    """Yield the automatic effects of the stop that the runner to move has reached."""
    seat = before.turn
    old, new = before.players[seat], after.players[seat]
    is_stop_pending = (
        after.turn == seat and after.phase in ("run", "effect") and not has_turn_ended(before, after, seat)
    )
    if before.phase not in ("run", "effect") or is_stop_pending or not new.is_racing:
        return
    kind = stop_at(after, new.legs_run)
    if kind == "setback" and new.setbacks == old.setbacks:
        yield "No Setbacks were left to draw."
    elif kind == "aid" and not can_draw_boost(before):
        if blisters := old.setback_with_effect("no-boost-draw"):
            yield f"{new.name} could not draw a Boost because of {card_name(blisters)}."
        else:
            yield "No Boosts were left to draw."
        if old.setbacks:
            yield f"{new.name} discarded all Setbacks ({list_names(old.setbacks)})."


def has_drawn_hand(before: State, after: State, seat: int) -> bool:
    """Return whether a runner has drawn cards at the end of a turn between two states."""
    runner = after.players[seat]
    return has_turn_ended(before, after, seat) and not before.is_over and runner.is_racing and not runner.bot


def has_run_ended(before: State, after: State, seat: int) -> bool:
    """Return whether a runner has run at least one leg and stopped between two states."""
    was_running = before.phase == "run" and before.turn == seat and not after.players[seat].out
    return was_running and (after.phase != "run" or has_turn_ended(before, after, seat))


def has_turn_ended(before: State, after: State, seat: int) -> bool:
    """Return whether a runner's turn has ended between two states."""
    return before.turn == seat and (after.turn != seat or after.is_over or after.moved < before.moved)


def out_of_phase_reason(state: State) -> Reason:
    """Return why a move is refused that does not answer the current decision."""
    decision = required_decision(state)
    if decision == "over":
        return race_over_reason()
    rule = r.SOLO_FLIP if decision == "flip" else r.TURN_PHASES
    instruction = decision_instruction(state, decision)
    fact = fact_to_enter(instruction)
    text = missing_entry_text(fact) if decision in ("leg", "boost", "colour") else f"First {instruction}."
    return Reason("first", rule, text, unknown_fact="your hand" if decision == "hand" else fact)


def not_your_turn_reason(state: State, seat: int) -> Reason:
    """Return why a seat that is not to move is refused."""
    if state.is_over:
        return race_over_reason()
    runner, name = state.players[seat], state.players[state.turn].name
    if runner.finished:
        return Reason("not-racing", r.FINISH, f"You have finished. {name} has one last turn.")
    if runner.out:
        return Reason("not-racing", r.DNF_OTHER, f"You are out of the race. {name} runs on alone.")
    return waiting_reason([name], r.TURN_PASSES, _public_instruction(state))
