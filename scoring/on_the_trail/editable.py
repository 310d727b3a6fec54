"""The editable fields of a race: runners' cards, turn, piles and card facts."""

from collections.abc import Iterator

from scoring.kernel.editable import (
    Choice,
    EditableField,
    Number,
    OneOf,
    SomeOf,
    choices,
    ruling_fields,
)
from scoring.kernel.move import chosen_option
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, CARDS, DECK, DECK_SIZE, MAX_BOOST_LEGS, SETBACKS
from scoring.on_the_trail.card_facts import CARD_FACTS
from scoring.on_the_trail.state import STEP_BY_PHASE, Player, State
from scoring.on_the_trail.text import card_name

NO_FACT = Choice("not told", "not entered")  # its key is stored
YES_NO_DOMAIN = OneOf((Choice("False", "no", False), Choice("True", "yes", True)))
SETBACKS_DOMAIN = SomeOf(choices({id: card_name(id) for id in SETBACKS}))
BOOSTS_DOMAIN = SomeOf(choices({id: card.name for id, card in BOOSTS.items()}))
UNKNOWN_DISCARDS = "discarded cards of unknown color"
FACT_LABELS = {"cards": "", "boosts": "cost of ", "setbacks": "color on "}
STEP_DOMAIN = OneOf(
    choices(
        {
            "run": "playing cards",
            "stop": "applying the stop\u2019s effect",
            "draw": "drawing cards",
            "over": "race over",
        }
    )
)
TURN_START_VALUES = (("step", "run"), ("moved", 0), ("to_run", 0), ("used", ()))
DECK_COUNT_DOMAIN, LEGS_TO_RUN_DOMAIN = Number(maximum=DECK_SIZE), Number(maximum=MAX_BOOST_LEGS)
CARD_COUNT_DOMAINS = {card: Number(maximum=count) for card, count in zip(CARDS, DECK, strict=True)}


def editable_fields(state: State) -> Iterator[EditableField]:
    """Yield the public fields: runners, turn, discarded Setbacks, Trail, card facts and rulings."""
    spots = Number(maximum=len(state.legs))
    for seat, player in enumerate(state.players):
        place = "bot" if player.bot else f"runners.{seat}"
        # The race itself.
        yield EditableField(f"{place}.at", seat, "legs run", player.legs_run, spots, affects_others=True)
        yield from _bot_fields(state, seat, player) if player.bot else _runner_fields(state, seat, player)
    yield from _turn_fields(state, spots)
    discards = _sort_by_box_order(SETBACKS_DOMAIN, state.setback_discard)
    yield EditableField("setback_discards", None, "discarded Setbacks", discards, SETBACKS_DOMAIN)
    for number, card in enumerate(state.order):
        choice = Choice(f"Trail card {card + 1}", f"card {card + 1}")
        label, domain = f"position {number + 1} on the Trail", OneOf((choice,))
        yield EditableField(
            f"trail.{number}", None, label, choice.key, domain, is_read_only=True, absent_text=NO_FACT.label
        )
    for path, title, description in CARD_FACTS.describe_items(state.facts):
        known = Choice(description, description) if description else NO_FACT
        path_text = f"facts.{'.'.join(map(str, path))}"
        label = f"{FACT_LABELS[str(path[0])]}{title}"
        domain = OneOf((known,))
        yield EditableField(path_text, None, label, known.key, domain, is_read_only=True, absent_text=NO_FACT.label)
    yield from ruling_fields(r.RULINGS, state)


def own_fields(state: State, seat: int) -> Iterator[EditableField]:
    """Yield the cards in a runner's own hand and face-down discard pile, by kind."""
    player = state.players[seat]
    if player.bot or state.is_over:
        return
    if chosen_option(state.rulings, r.DISCARDS_SEEN) != "open":
        yield from _card_count_fields(seat, f"runners.{seat}.discards", "in your discard pile", player.discard)
    if state.tracking == "open":
        for card, count in zip(CARDS, player.hand, strict=True):
            path, label = f"runners.{seat}.hand.{card}", f"{card} cards in your hand"
            singular, held_path = f"{card} card in your hand", f"runners.{seat}.held"
            domain = CARD_COUNT_DOMAINS[card]
            yield EditableField(path, seat, label, count, domain, singular=singular, counted_in=held_path)


def _runner_fields(state: State, seat: int, player: Player) -> Iterator[EditableField]:
    place = f"runners.{seat}"
    held, singular = player.held, "card in hand"
    yield EditableField(f"{place}.held", seat, "cards in hand", held, DECK_COUNT_DOMAIN, singular=singular)
    if state.is_over and state.tracking == "open":
        yield from _card_count_fields(seat, f"{place}.hand", "in hand", player.hand)
    yield from _discard_fields(state, seat, player)
    setbacks = _sort_by_box_order(SETBACKS_DOMAIN, player.setbacks)
    boosts, is_out = _sort_by_box_order(BOOSTS_DOMAIN, player.boosts), str(player.out)
    # The cards of both runners come from the same decks.
    yield EditableField(f"{place}.setbacks", seat, "Setbacks", setbacks, SETBACKS_DOMAIN, affects_others=True)
    yield EditableField(f"{place}.boosts", seat, "Boosts", boosts, BOOSTS_DOMAIN, affects_others=True)
    yield EditableField(f"{place}.out", seat, "out of the race (DNF)", is_out, YES_NO_DOMAIN, affects_others=True)


def _bot_fields(state: State, seat: int, bot: Player) -> Iterator[EditableField]:
    """Yield the bot's cards, which are read-only if the app shuffles its deck."""
    yield from _card_count_fields(
        seat, "bot.discards", "in the discard pile", bot.discard, is_read_only=state.bot_deck == "app"
    )
    flipped = state.flips - sum(bot.discard)
    yield EditableField(
        "bot.flipped_before", seat, "cards flipped before the last reshuffle", flipped, Number(), is_read_only=True
    )


def _card_count_fields(
    seat: int, path: str, place_text: str, cards: tuple[int, ...], *, is_read_only: bool = False
) -> Iterator[EditableField]:
    for card, count in zip(CARDS, cards, strict=True):
        label, domain = f"{card} cards {place_text}", CARD_COUNT_DOMAINS[card]
        absent_text = "unknown" if count else "0"  # Where the cards are hidden, no cards stay no cards.
        yield EditableField(
            f"{path}.{card}", seat, label, count, domain, is_read_only=is_read_only, absent_text=absent_text
        )


def _discard_fields(state: State, seat: int, player: Player) -> Iterator[EditableField]:
    """Yield a runner's discard pile: counts by kind if it is face-up, else its size."""
    place, untold_path = f"runners.{seat}", f"runners.{seat}.untold_discards"
    if state.is_over or chosen_option(state.rulings, r.DISCARDS_SEEN) == "open":
        yield from _card_count_fields(seat, f"{place}.discards", "in the discard pile", player.discard)
        if state.tracking == "light":
            yield EditableField(untold_path, seat, UNKNOWN_DISCARDS, player.unknown_discards, DECK_COUNT_DOMAIN)
        return
    number = sum(player.discard) + player.unknown_discards
    if state.tracking == "light":
        yield EditableField(untold_path, seat, UNKNOWN_DISCARDS, number, DECK_COUNT_DOMAIN)
    else:
        # The owner's phone knows every card of the pile, so the only possible change is a reshuffle.
        shuffled = (Choice("shuffled", "0", {}),) if number else ()
        pile = OneOf((Choice(str(number), str(number)), *shuffled))
        path = f"{place}.discards"
        yield EditableField(path, seat, UNKNOWN_DISCARDS, str(number), pile, ((untold_path, 0),), absent_text="0")


def _turn_fields(state: State, spots_domain: Number) -> Iterator[EditableField]:
    keys = ("first", "second") if state.starting_seat == 0 else ("second", "first")
    runners = OneOf(tuple(Choice(key, player.name) for key, player in zip(keys, state.players, strict=True)))
    yield EditableField("turn", None, "turn", keys[state.turn], runners, TURN_START_VALUES)
    yield EditableField("step", None, "phase of the turn", STEP_BY_PHASE[state.phase], STEP_DOMAIN)
    if not state.is_over:
        yield EditableField("moved", None, "legs run this turn", state.moved, spots_domain, absent_text="0")
        label = "legs still to run this turn" if state.players[state.turn].bot else "Boost legs still to run this turn"
        yield EditableField("to_run", None, label, state.legs_to_run, LEGS_TO_RUN_DOMAIN, absent_text="0")
        used = _sort_by_box_order(BOOSTS_DOMAIN, state.used)
        yield EditableField("used", None, "Boosts used this turn", used, BOOSTS_DOMAIN, absent_text="none")


def _sort_by_box_order(domain: SomeOf, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return Setbacks or Boosts in the order of the box."""
    return tuple(choice.key for choice in domain.choices for id in ids if id == choice.key)
