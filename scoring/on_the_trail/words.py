"""How the race is put into words: cards, stops, what is to be done now, what changed."""

from collections.abc import Iterator

from scoring.kernel.play import waits_for
from scoring.kernel.rule import Reason
from scoring.kernel.words import plural
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, SETBACKS
from scoring.on_the_trail.cards import NONE, Cards, minus
from scoring.on_the_trail.route import stop_at
from scoring.on_the_trail.state import Player, State
from scoring.on_the_trail.turn import boosts_wanted, colour_wanted, need

STOPS = {"neutral": "a neutral stop", "setback": "a Setback stop", "aid": "an Aid Station"}
_NUMBERS = ("no", "a", "two", "three", "four", "five", "six")


def a(card: str) -> str:
    return f"a {card} card" if card != "wild" else "the wild card"


def cards_in_words(cards: Cards) -> str:
    """Return cards in words: "two red cards", "1 red, 2 green"."""
    kinds = [(card, count) for card, count in zip(CARDS, cards, strict=True) if count > 0]
    if len(kinds) > 1:
        return ", ".join(f"{count} {card}" for card, count in kinds)
    return "".join(f"{_some(card, count)} card{'s' if count > 1 else ''}" for card, count in kinds) or "no card"


def _some(card: str, count: int) -> str:
    if card == "wild":
        return "the wild" if count == 1 else f"{count} wild"
    return f"{_NUMBERS[count]} {card}" if count < len(_NUMBERS) else f"{count} {card}"


def kept_in_words(keep: str | None) -> str:
    return "no card" if keep is None else "a card" if keep == "card" else a(keep)


def asks(state: State, wanted: str) -> str:
    """Return what the race waits for, to be read after "First" or alone."""
    if wanted == "colour":
        return f"tell the colour on {SETBACKS[colour_wanted(state)].name}"
    if wanted == "boost":
        return f"tell what stands on {BOOSTS[boosts_wanted(state)[0]].name}"
    if wanted == "run" and state.moved:
        return "run on, or stay"
    return _ASKS[wanted]


_ASKS = {
    "leg": "tell what comes next on the Trail",
    "flip": "flip a card for the bot",
    "hand": "tell the cards in your hand",
    "run": "run at least one leg",
    "stop": "tell what kind of stop this is",
    "setback": "draw a Setback, and say which",
    "aid": "draw a Boost, or discard all your Setbacks",
}


def prompt(state: State) -> str:
    """Return one line for the head of the page: what is to be done now.

    Whether a hand has been told is its owner's business: others read only that there is a leg to run.
    """
    if state.over:
        return "The race is over."
    wanted = need(state)
    words = asks(state, "run" if wanted == "hand" else wanted)
    last = " Last turn." if any(player.home for player in state.players) else ""
    return f"{words[0].upper()}{words[1:]}.{last}"


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
        if _ended(before, after, seat) and new.racing and not new.bot:
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
        names = " and ".join(SETBACKS[id].name for id in old.setbacks)
        yield f"{why}; {new.name} discards {names}." if names else f"{why}."


def _stopped(before: State, after: State, seat: int) -> bool:
    """Return whether a runner has ended a run between two states."""
    runner = after.players[seat]
    ran = before.phase == "run" and before.turn == seat and runner.racing
    return ran and (after.phase != "run" or _ended(before, after, seat))


def _ended(before: State, after: State, seat: int) -> bool:
    """Return whether a runner's turn has ended between two states."""
    return before.turn == seat and (after.turn != seat or after.over or after.moved < before.moved)


def _flip(old: Player, new: Player) -> str:
    """Return what was flipped, read off the bot's discard pile."""
    pile = old.discard if old.deck else NONE
    card = next(card for card, more in zip(CARDS, minus(new.discard, pile), strict=True) if more)
    return f"It is {a(card)}."


def first(state: State) -> Reason:
    """Return why a move is refused that is not what the race waits for."""
    return Reason("first", r.TURN_PHASES, f"First {asks(state, need(state))}.")


def idle(state: State, seat: int) -> Reason:
    """Return why a seat is refused that is not to move."""
    if state.over:
        return Reason("race-over", r.FINISH_ROUND, "The race is over.")
    return waits_for([state.players[state.turn].name], r.TURN_PASSES, asks(state, need(state)))
