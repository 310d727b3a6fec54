"""Texts about a race: cards, stops, the current decision, changes and refusals."""

from collections.abc import Iterator

from scoring.kernel.english import capitalize_first, pluralize
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import waiting_reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, COST_CARDS, SETBACKS
from scoring.on_the_trail.card_facts import STOP_TEXTS, BoostFact
from scoring.on_the_trail.cards import NO_CARDS, Cards, subtract_cards
from scoring.on_the_trail.points import final_position, score
from scoring.on_the_trail.route import stop_at
from scoring.on_the_trail.state import Player, State
from scoring.on_the_trail.turn import RequiredDecision, required_decision

NUMBER_WORDS = ("none", "one", "two", "three", "four", "five", "six")


def describe_card(card: str) -> str:
    return f"a {card} card" if card != "wild" else "the wild card"


def card_name(id: str) -> str:
    """Return the name of a Setback or a Boost."""
    card = SETBACKS.get(id) or BOOSTS.get(id)
    return card.name if card else id


def unknown_setback_reason(id: str) -> Reason:
    return Reason("no-such-setback", r.SETBACK_PILE, f"There is no Setback \u201c{id}\u201d.")


def hands_not_tracked_reason() -> Reason:
    return Reason("light", r.SETUP_HAND, "This table tells only what is played; hands stay untold.")


def race_over_reason() -> Reason:
    return Reason("race-over", r.FINISH_ROUND, "The race is over.")


def describe_cards(cards: Cards) -> str:
    """Return cards in words: "two red cards", "1 red, 2 green"."""
    match [(card, count) for card, count in zip(CARDS, cards, strict=True) if count > 0]:
        case []:
            return "no card"
        case [(card, 1)]:
            return describe_card(card)
        case [(card, count)]:
            return f"{NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else count} {card} cards"
        case kinds:
            return ", ".join(f"{count} {card}" for card, count in kinds)


def describe_deduced_cards(player: Player) -> str:
    """Return which drawn cards are known by elimination, and why."""
    return f"You drew {describe_cards(player.deduced)}: that is known, as all other cards of your deck were."


def describe_cost(fact: BoostFact) -> str:
    """Return the cost of a Boost in words: "1 red and 1 green card"."""
    parts = [f"{fact.cost.count(card)} {card}" for card in COST_CARDS if card in fact.cost]
    return f"{' and '.join(parts).replace('any', 'of any colour')} {'card' if len(fact.cost) == 1 else 'cards'}"


def describe_kept_card(keep: str | None) -> str:
    return "no card" if keep is None else "a card" if keep == "card" else describe_card(keep)


def decision_instruction(state: State, decision: RequiredDecision) -> str:
    """Return an instruction for a decision, worded to follow "First" or to stand alone."""
    match decision:
        case "leg":
            return "tell what comes next on the Trail"
        case "flip":
            return "flip a card for the bot"
        case "hand":
            return "tell the cards in your hand"
        case "run":
            return "run on, or stay" if state.moved else "run at least one leg"
        case "boost":
            return f"tell what stands on {card_name(state.unknown_boosts[0])}"
        case "stop":
            return "tell what kind of stop this is"
        case "setback":
            return "draw a Setback, and say which"
        case "aid":
            return "draw a Boost, or discard all your Setbacks"
        case "colour":
            return f"tell the colour on {card_name(state.setbacks_with_unknown_colour[0])}"
        case "over":
            return "the race is over"


def prompt(state: State) -> str:
    """Return one line for the head of the page: what is to be done now."""
    if state.is_over:
        return score(final_position(state)).result_text
    instruction = _public_instruction(state)
    return (
        f"The last turn: {instruction}."
        if any(player.finished for player in state.players)
        else f"{capitalize_first(instruction)}."
    )


def banner(state: State, seat: int) -> tuple[str, str] | None:
    """Return the heading and the instruction of the last turn for the runner who has it."""
    last = any(player.finished for player in state.players) and not state.is_over and seat == state.turn
    return ("Your last turn", f"{_public_instruction(state)}.") if last else None


def turn_owner_name(state: State) -> str:
    """Return the name of the bot on its turn, else ""."""
    runner = state.players[state.turn]
    return runner.name if runner.bot and not state.is_over else ""


def _public_instruction(state: State) -> str:
    """Return the public instruction, which does not reveal whether a hand has been entered."""
    decision = required_decision(state)
    return decision_instruction(state, "run" if decision == "hand" else decision)


def describe_changes(before: State, after: State) -> Iterator[str]:
    """Yield a sentence for the log about each side effect between two states."""
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if after.flips > before.flips and new.bot:
            yield _describe_flip(old, new)
        if new.legs_run > old.legs_run + 1 or (new.legs_run > old.legs_run and new.bot):
            yield f"{new.name} runs {pluralize(new.legs_run - old.legs_run, 'leg')}."
        if new.finished and not old.finished:
            yield f"{new.name} crosses the finish line."
        elif _has_stopped(before, after, seat) and (kind := stop_at(after, new.legs_run)):
            yield f"It is {STOP_TEXTS[kind]}."
        yield from _describe_stop_effect(before, after, seat)
        if has_turn_ended(before, after, seat) and new.is_racing and not new.bot:
            yield f"{new.name} has {pluralize(new.held, 'card')} in hand."
        if not new.bot and sum(new.discard) + new.unknown_discards < sum(old.discard) + old.unknown_discards:
            yield f"{new.name}\u2019s discard pile is shuffled into a new deck."
    if after.is_over and not before.is_over:
        yield "The race is over."
    elif any(player.finished for player in after.players) and not any(player.finished for player in before.players):
        yield f"{after.players[after.turn].name} has one more turn."


def _describe_stop_effect(before: State, after: State, seat: int) -> Iterator[str]:
    """Yield the automatic effects of the stop a run ended on."""
    old, new = before.players[seat], after.players[seat]
    is_stop_entered = before.turn == seat and required_decision(before) == "stop"
    is_decision_pending = after.turn == seat and after.phase == "effect"
    if is_decision_pending or not (is_stop_entered or _has_stopped(before, after, seat)):
        return
    kind = stop_at(after, new.legs_run)
    if kind == "setback":
        yield "No Setback is left to draw."
    elif kind == "aid":
        reason_text = "Blisters: no Boost" if old.setback_with_effect("no-boost-draw") else "No Boost is left to draw"
        names = " and ".join(map(card_name, old.setbacks))
        yield f"{reason_text}; {new.name} discards {names}." if names else f"{reason_text}."


def _has_stopped(before: State, after: State, seat: int) -> bool:
    """Return whether a runner's run has ended between two states."""
    runner = after.players[seat]
    was_running = before.phase == "run" and before.turn == seat and runner.is_racing
    return was_running and (after.phase != "run" or has_turn_ended(before, after, seat))


def has_turn_ended(before: State, after: State, seat: int) -> bool:
    """Return whether a runner's turn has ended between two states."""
    return before.turn == seat and (after.turn != seat or after.is_over or after.moved < before.moved)


def _describe_flip(old: Player, new: Player) -> str:
    """Return the card the bot has flipped, in words, from its discard pile."""
    pile = old.discard if old.deck else NO_CARDS
    card = next(card for card, more in zip(CARDS, subtract_cards(new.discard, pile), strict=True) if more)
    return f"It is {describe_card(card)}."


def out_of_phase_reason(state: State) -> Reason:
    """Return why a move is refused that does not answer the current decision."""
    decision = required_decision(state)
    return Reason(
        "first", r.SOLO_FLIP if decision == "flip" else r.TURN_PHASES, f"First {decision_instruction(state, decision)}."
    )


def not_your_turn_reason(state: State, seat: int) -> Reason:
    """Return why a seat that is not to move is refused."""
    if state.is_over:
        return race_over_reason()
    runner, name = state.players[seat], state.players[state.turn].name
    if runner.finished:
        return Reason("not-racing", r.FINISH, f"You are at the finish; {name} has the last turn.")
    if runner.out:
        return Reason("not-racing", r.DNF_OTHER, f"You are out of the race; {name} runs on alone.")
    return waiting_reason([name], r.TURN_PASSES, _public_instruction(state))
