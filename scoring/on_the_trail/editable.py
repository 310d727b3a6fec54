"""What everybody sees of a race, thing by thing: each runner's cards, whose turn it is, the piles, what is known of the cards."""

from collections.abc import Iterator

from scoring.kernel.editable import Figure, Number, OneOf, SomeOf, Thing, ruled, things
from scoring.kernel.move import chosen
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, DECK, DECK_SIZE, FARTHEST, SETBACKS
from scoring.on_the_trail.facts import FACTS
from scoring.on_the_trail.state import STEP, Player, State

YES_OR_NO = OneOf((Thing("False", "no", False), Thing("True", "yes", True)))
SOME_SETBACKS = SomeOf(things({id: card.name for id, card in SETBACKS.items()}))
SOME_BOOSTS = SomeOf(things({id: card.name for id, card in BOOSTS.items()}))
STEPS = OneOf(things({"run": "running", "stop": "at the stop", "draw": "drawing", "over": "none, the race is over"}))
TURN_BEGINS = (("step", "run"), ("moved", 0), ("to_run", 0), ("used", ()))
OF_A_DECK, TO_RUN = Number(most=DECK_SIZE), Number(most=FARTHEST)
OF_A_KIND = {card: Number(most=count) for card, count in zip(CARDS, DECK, strict=True)}


def figures(state: State) -> Iterator[Figure]:
    """Yield what everybody sees: each runner's side of the table, then the turn, the Setbacks, the Trail and its cards."""
    spots = Number(most=len(state.legs))
    for seat, player in enumerate(state.players):
        place = "bot" if player.bot else f"runners.{seat}"
        yield Figure(f"{place}.at", seat, "legs run from the start", player.at, spots)
        yield from _bots(state, seat, player) if player.bot else _runners(state, seat, player)
    yield from _turn(state, spots)
    discards = _in_order(SOME_SETBACKS, state.setback_discard)
    yield Figure("setback_discards", None, "Setbacks discarded", discards, SOME_SETBACKS)
    for number, card in enumerate(state.order):
        yield _shown(f"trail.{number}", f"place {number + 1} of the Trail", f"Trail card {card + 1}")
    for at, title, words in FACTS.things(state.facts):
        yield _shown(f"facts.{'.'.join(map(str, at))}", title, words or "not told")
    yield from ruled(r.RULINGS, state)


def _runners(state: State, seat: int, player: Player) -> Iterator[Figure]:
    place = f"runners.{seat}"
    yield Figure(f"{place}.held", seat, "cards in hand", player.held, OF_A_DECK)
    if state.over and state.tracking == "open":
        yield from _kinds(seat, f"{place}.hand", "in hand, as told", player.hand)
    yield from _pile(state, seat, player)
    yield Figure(f"{place}.setbacks", seat, "Setbacks", _in_order(SOME_SETBACKS, player.setbacks), SOME_SETBACKS)
    yield Figure(f"{place}.boosts", seat, "Boosts", _in_order(SOME_BOOSTS, player.boosts), SOME_BOOSTS)
    yield Figure(f"{place}.out", seat, "out of the race", str(player.out), YES_OR_NO)


def _bots(state: State, seat: int, bot: Player) -> Iterator[Figure]:
    """Yield the bot's cards; those of the deck that the app shuffles are set right by nobody."""
    yield from _kinds(seat, "bot.discards", "discarded", bot.discard, fixed=state.bot_deck == "app")
    flipped = state.flips - sum(bot.discard)
    yield Figure("bot.flipped_before", seat, "cards flipped before the last shuffle", flipped, Number(), fixed=True)


def _kinds(seat: int, place: str, how: str, cards: tuple[int, ...], *, fixed: bool = False) -> Iterator[Figure]:
    for card, count in zip(CARDS, cards, strict=True):
        yield Figure(f"{place}.{card}", seat, f"{card} cards {how}", count, OF_A_KIND[card], fixed=fixed)


def _pile(state: State, seat: int, player: Player) -> Iterator[Figure]:
    """Yield a runner's discard pile: card by card where it lies face up, else only how many lie there."""
    place, untold = f"runners.{seat}", f"runners.{seat}.untold_discards"
    if state.over or chosen(state.rulings, r.DISCARDS_SEEN) == "open":
        yield from _kinds(seat, f"{place}.discards", "discarded", player.discard)
        if state.tracking == "light":
            yield Figure(untold, seat, "untold cards discarded", player.lost, OF_A_DECK)
        return
    number = sum(player.discard) + player.lost
    if state.tracking == "light":
        yield Figure(untold, seat, "cards discarded", number, OF_A_DECK)
    else:  # its owner's phone knows every card there, so it can only have been shuffled into the deck
        shuffled = (Thing("shuffled", "0", {}),) if number else ()
        pile = OneOf((Thing(str(number), str(number)), *shuffled))
        yield Figure(f"{place}.discards", seat, "cards discarded", str(number), pile, ((untold, 0),))


def _turn(state: State, spots: Number) -> Iterator[Figure]:
    words = ("first", "second") if state.first == 0 else ("second", "first")
    runners = OneOf(tuple(Thing(word, player.name) for word, player in zip(words, state.players, strict=True)))
    yield Figure("turn", None, "turn", words[state.turn], runners, TURN_BEGINS)
    yield Figure("step", None, "step of the turn", STEP[state.phase], STEPS)
    if not state.over:
        yield Figure("moved", None, "legs run this turn", state.moved, spots)
        yield Figure("to_run", None, "legs still to run", state.steps, TO_RUN)
        used = _in_order(SOME_BOOSTS, state.used)
        yield Figure("used", None, "Boosts activated this turn", used, SOME_BOOSTS)


def _in_order(known: SomeOf, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return Setbacks or Boosts in the order of the box."""
    return tuple(thing.key for thing in known.things for id in ids if id == thing.key)


def _shown(at: str, what: str, words: str) -> Figure:
    """Return a figure that everybody tells with moves of its own."""
    return Figure(at, None, what, words, OneOf((Thing(words, words),)), fixed=True)
