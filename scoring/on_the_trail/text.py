"""How the race is put into words: cards, stops, what is to be done now, what changed."""

from collections.abc import Iterator

from scoring.kernel.english import capital, plural
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import waits_for
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, COST_CARDS, SETBACKS
from scoring.on_the_trail.cards import NONE, Cards, minus
from scoring.on_the_trail.facts import STOPS, BoostFact
from scoring.on_the_trail.points import final, score
from scoring.on_the_trail.route import stop_at
from scoring.on_the_trail.state import Player, State
from scoring.on_the_trail.turn import Need, need

NUMBERS = ("none", "one", "two", "three", "four", "five", "six")


def one_card(card: str) -> str:
    return f"a {card} card" if card != "wild" else "the wild card"


def name_of(id: str) -> str:
    """Return the name of a Setback or a Boost."""
    card = SETBACKS.get(id) or BOOSTS.get(id)
    return card.name if card else id


def no_such_setback(id: str) -> Reason:
    return Reason("no-such-setback", r.SETBACK_PILE, f"There is no Setback \u201c{id}\u201d.")


def not_tracked() -> Reason:
    return Reason("light", r.SETUP_HAND, "This table tells only what is played; hands stay untold.")


def race_over() -> Reason:
    return Reason("race-over", r.FINISH_ROUND, "The race is over.")


def cards_in_words(cards: Cards) -> str:
    """Return cards in words: "two red cards", "1 red, 2 green"."""
    match [(card, count) for card, count in zip(CARDS, cards, strict=True) if count > 0]:
        case []:
            return "no card"
        case [(card, 1)]:
            return one_card(card)
        case [(card, count)]:
            return f"{NUMBERS[count] if count < len(NUMBERS) else count} {card} cards"
        case kinds:
            return ", ".join(f"{count} {card}" for card, count in kinds)


def known_already(player: Player) -> str:
    """Return what a runner drew without having to tell it, and why."""
    return f"You drew {cards_in_words(player.deduced)}: that is known, as all other cards of your deck were."


def cost_in_words(fact: BoostFact) -> str:
    """Return what a Boost costs: "1 red and 1 green card"."""
    parts = [f"{fact.cost.count(card)} {card}" for card in COST_CARDS if card in fact.cost]
    return f"{' and '.join(parts).replace('any', 'of any colour')} {'card' if len(fact.cost) == 1 else 'cards'}"


def kept_in_words(keep: str | None) -> str:
    return "no card" if keep is None else "a card" if keep == "card" else one_card(keep)


def asks(state: State, wanted: Need) -> str:
    """Return what the race waits for, to be read after "First" or alone."""
    match wanted:
        case "leg":
            return "tell what comes next on the Trail"
        case "flip":
            return "flip a card for the bot"
        case "hand":
            return "tell the cards in your hand"
        case "run":
            return "run on, or stay" if state.moved else "run at least one leg"
        case "boost":
            return f"tell what stands on {name_of(state.boosts_wanted[0])}"
        case "stop":
            return "tell what kind of stop this is"
        case "setback":
            return "draw a Setback, and say which"
        case "aid":
            return "draw a Boost, or discard all your Setbacks"
        case "colour":
            return f"tell the colour on {name_of(state.colours_wanted[0])}"
        case "over":
            return "the race is over"


def prompt(state: State) -> str:
    """Return one line for the head of the page: what is to be done now."""
    if state.over:
        return score(final(state)).verdict
    words = _asks_openly(state)
    return f"The last turn: {words}." if any(player.home for player in state.players) else f"{capital(words)}."


def calls(state: State, seat: int) -> tuple[str, str] | None:
    """Return what a runner reads whose last turn it is, and what to do in it."""
    last = any(player.home for player in state.players) and not state.over and seat == state.turn
    return ("Your last turn", f"{_asks_openly(state)}.") if last else None


def turn_of(state: State) -> str:
    """Return the name of the bot where the turn is its own."""
    runner = state.players[state.turn]
    return runner.name if runner.bot and not state.over else ""


def _asks_openly(state: State) -> str:
    """Return what the race waits for as anybody may read it: whether a hand has been told is its owner's business."""
    wanted = need(state)
    return asks(state, "run" if wanted == "hand" else wanted)


def changes(before: State, after: State) -> Iterator[str]:
    """Yield what else changed between two states, a sentence each, for the log."""
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if after.flips > before.flips and new.bot:
            yield _flip(old, new)
        if new.at > old.at + 1 or (new.at > old.at and new.bot):
            yield f"{new.name} runs {plural(new.at - old.at, 'leg')}."
        if new.home and not old.home:
            yield f"{new.name} crosses the finish line."
        elif _stopped(before, after, seat) and (kind := stop_at(after, new.at)):
            yield f"It is {STOPS[kind]}."
        yield from _at_the_stop(before, after, seat)
        if ended(before, after, seat) and new.racing and not new.bot:
            yield f"{new.name} has {plural(new.held, 'card')} in hand."
        if not new.bot and sum(new.discard) + new.lost < sum(old.discard) + old.lost:
            yield f"{new.name}\u2019s discard pile is shuffled into a new deck."
    if after.over and not before.over:
        yield "The race is over."
    elif any(player.home for player in after.players) and not any(player.home for player in before.players):
        yield f"{after.players[after.turn].name} has one more turn."


def _at_the_stop(before: State, after: State, seat: int) -> Iterator[str]:
    """Yield what the stop of a run has done without asking."""
    old, new = before.players[seat], after.players[seat]
    told = before.turn == seat and need(before) == "stop"
    asking = after.turn == seat and after.phase == "effect"
    if asking or not (told or _stopped(before, after, seat)):
        return
    kind = stop_at(after, new.at)
    if kind == "setback":
        yield "No Setback is left to draw."
    elif kind == "aid":
        why = "Blisters: no Boost" if old.suffers("no-boost-draw") else "No Boost is left to draw"
        names = " and ".join(map(name_of, old.setbacks))
        yield f"{why}; {new.name} discards {names}." if names else f"{why}."


def _stopped(before: State, after: State, seat: int) -> bool:
    """Return whether a runner has ended a run between two states."""
    runner = after.players[seat]
    ran = before.phase == "run" and before.turn == seat and runner.racing
    return ran and (after.phase != "run" or ended(before, after, seat))


def ended(before: State, after: State, seat: int) -> bool:
    """Return whether a runner's turn has ended between two states."""
    return before.turn == seat and (after.turn != seat or after.over or after.moved < before.moved)


def _flip(old: Player, new: Player) -> str:
    """Return what was flipped, read off the bot's discard pile."""
    pile = old.discard if old.deck else NONE
    card = next(card for card, more in zip(CARDS, minus(new.discard, pile), strict=True) if more)
    return f"It is {one_card(card)}."


def first(state: State) -> Reason:
    """Return why a move is refused that is not what the race waits for."""
    wanted = need(state)
    return Reason("first", r.SOLO_FLIP if wanted == "flip" else r.TURN_PHASES, f"First {asks(state, wanted)}.")


def idle(state: State, seat: int) -> Reason:
    """Return why a seat is refused that is not to move."""
    if state.over:
        return race_over()
    runner, name = state.players[seat], state.players[state.turn].name
    if runner.home:
        return Reason("not-racing", r.FINISH, f"You are at the finish; {name} has the last turn.")
    if runner.out:
        return Reason("not-racing", r.DNF_OTHER, f"You are out of the race; {name} runs on alone.")
    return waits_for([name], r.TURN_PASSES, _asks_openly(state))
