"""The readable position format of a race: conversion from and to the state, and its errors."""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.english import pluralize
from scoring.kernel.parsing import error_at
from scoring.kernel.position import PositionFormat
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.bot import MATCH_STEPS, MISMATCH_STEPS, shuffled_deck
from scoring.on_the_trail.box import BOOSTS, CARDS, DECK, DECK_SIZE, SETBACKS, Card
from scoring.on_the_trail.card_facts import CardFacts, unknown_boost_reason
from scoring.on_the_trail.cards import NO_CARDS, add_cards, from_counts, is_subset, subtract_cards, to_counts
from scoring.on_the_trail.editable import editable_fields, own_fields
from scoring.on_the_trail.route import can_be_at_finish, can_trail_end, is_at_finish, is_on_known_trail, lay_forced_card
from scoring.on_the_trail.setup import PLAYER_COUNTS, check_setup
from scoring.on_the_trail.state import (
    BOT_NAME,
    HAND_SIZE,
    STEP_BY_PHASE,
    BotDeck,
    Phase,
    Player,
    Setup,
    State,
    Step,
    Tracking,
    start,
)
from scoring.on_the_trail.text import card_name, hands_not_tracked_reason, unknown_setback_reason
from scoring.on_the_trail.turn import is_race_decided, resolve_forced_steps


class PlayerPosition(Struct, frozen=True):
    """One runner's side of the table; the deck size and whether they finished are derived."""

    name: str
    at: int = 0  # legs run since the start
    held: int = HAND_SIZE  # number of cards in hand
    hand: dict[Card, int] = {}  # the known ones among them
    deduced: dict[Card, int] = {}  # those of them known by elimination, as all other cards were known
    discards: dict[Card, int] = {}  # face-up
    untold_discards: int = 0  # with light tracking
    setbacks: tuple[str, ...] = ()
    boosts: tuple[str, ...] = ()
    out: bool = False  # whether the runner has dropped out


class BotPosition(Struct, frozen=True):
    """The bot's side of a solo race."""

    at: int = 0
    discards: dict[Card, int] = {}
    flipped_before: int = 0  # cards flipped before its pile was last shuffled


class Position(Struct, frozen=True):
    """The whole table; the defaults describe the race before the first turn."""

    runners: tuple[PlayerPosition, ...]  # one against the bot, or two in turn order
    bot: BotPosition = BotPosition()
    trail: tuple[int, ...] = ()  # the known Trail cards from the start
    turn: Literal["first", "second"] = "first"  # the bot is first
    step: Step = "run"
    moved: int = 0  # legs run this turn
    to_run: int = 0  # for a Boost, or for the bot
    used: tuple[str, ...] = ()  # Boosts activated this turn
    setback_discards: tuple[str, ...] = ()
    tracking: Tracking = "open"
    bot_deck: BotDeck = "app"
    seed: int = 0  # for the bot's shuffles, where the app shuffles
    rulings: dict[str, str] = {}
    facts: CardFacts = CardFacts()


def to_position(state: State) -> Position:
    """Return the position of a race."""
    second = state.players[1]
    bot = BotPosition(second.legs_run, second.face_up, state.flips - sum(second.discard))
    return Position(
        runners=tuple(_to_player_position(player) for player in state.players if not player.bot),
        bot=bot if second.bot else BotPosition(),
        trail=state.order,
        turn="first" if state.turn == state.starting_seat else "second",
        step=STEP_BY_PHASE[state.phase],
        moved=state.moved,
        to_run=state.legs_to_run,
        used=state.used,
        setback_discards=state.setback_discard,
        tracking=state.tracking,
        bot_deck=state.bot_deck,
        seed=state.seed,
        rulings=state.rulings,
        facts=state.facts,
    )


_PHASE_BY_STEP: dict[Step, Phase] = {"run": "run", "stop": "effect", "draw": "draw", "over": "over"}


def _to_player_position(player: Player) -> PlayerPosition:
    return PlayerPosition(
        name=player.name,
        at=player.legs_run,
        held=player.held,
        hand=to_counts(player.hand),
        deduced=to_counts(player.deduced),
        discards=player.face_up,
        untold_discards=player.unknown_discards,
        setbacks=player.setbacks,
        boosts=player.boosts,
        out=player.out,
    )


def from_position(position: Position) -> State:
    """Return the state for a position; if the position is valid, forced steps are resolved.

    :raises InvalidInputError: if the number of runners is wrong, or a bot is given with two runners.
    """
    if len(position.runners) not in PLAYER_COUNTS or (len(position.runners) == 2 and position.bot != BotPosition()):
        raise error_at("runners", "list 1 runner to race the bot, or 2 runners and no bot")
    state = start(_to_setup(position))
    turn = state.starting_seat if position.turn == "first" else 1 - state.starting_seat
    players = tuple(map(_from_player_position, position.runners))
    if state.is_solo:
        bot = position.bot
        players += (Player(BOT_NAME, bot=True, legs_run=bot.at, discard=from_counts(bot.discards)),)
    state = replace(
        state,
        players=players,
        turn=turn,
        phase="flip" if position.step == "run" and players[turn].bot else _PHASE_BY_STEP[position.step],
        moved=position.moved,
        legs_to_run=position.to_run,
        used=position.used,
        setback_discard=position.setback_discards,
        flips=position.bot.flipped_before + sum(players[1].discard) if state.is_solo else 0,
    )
    if any(check_setup(_to_setup(position))):
        return state
    state = lay_forced_card(state)
    for seat, player in enumerate(players):
        state = state.with_player(seat, finished=is_at_finish(state, seat) and not player.out)
    return state if any(position_errors(state)) else resolve_forced_steps(state)


def _to_setup(position: Position) -> Setup:
    names = tuple(runner.name for runner in position.runners)
    return Setup(
        players=names,
        tracking=position.tracking,
        bot_deck=position.bot_deck,
        order=position.trail,
        rulings=position.rulings,
        facts=position.facts,
        seed=position.seed,
    )


def _from_player_position(position: PlayerPosition) -> Player:
    hand = from_counts(position.hand)
    return Player(
        name=position.name,
        legs_run=position.at,
        hand=hand,
        unknown_hand=position.held - sum(hand),
        deduced=from_counts(position.deduced),
        discard=from_counts(position.discards),
        unknown_discards=position.untold_discards,
        setbacks=position.setbacks,
        boosts=position.boosts,
        out=position.out,
    )


# Position errors


def position_errors(state: State) -> Iterator[Reason]:
    """Yield the errors of a position, one reason each."""
    if reasons := [*check_setup(_to_setup(to_position(state))), *_unknown_card_errors(state)]:
        yield from reasons
        return
    yield from _pile_errors(state)
    for seat, player in enumerate(state.players):
        yield from _card_errors(state, player)
        yield from _spot_errors(state, seat)
    yield from _turn_errors(state)


def _unknown_card_errors(state: State) -> Iterator[Reason]:
    setbacks = [id for player in state.players for id in player.setbacks]
    for id in dict.fromkeys((*setbacks, *state.setback_discard)):
        if id not in SETBACKS:
            yield unknown_setback_reason(id)
    boosts = [id for player in state.players for id in player.boosts]
    for id in dict.fromkeys((*boosts, *state.used)):
        if id not in BOOSTS:
            yield unknown_boost_reason(id)


def _pile_errors(state: State) -> Iterator[Reason]:
    """Yield the cards that are drawn more often than they exist."""
    for id, card in SETBACKS.items():
        if state.setbacks_left(id) < 0:
            drawn = card.copies - state.setbacks_left(id)
            text = f"There are {drawn} {card_name(id)} cards in play, but the box has only {card.copies}."
            yield Reason("setback-copies", r.SETBACK_PILE, text)
    for id, drawn in Counter(id for player in state.players for id in player.boosts).items():
        if drawn > 1:
            text = f"{card_name(id)} is in play {drawn} times, but the box has only 1."
            yield Reason("boost-taken", r.BOOST_PILE, text)


def _card_errors(state: State, player: Player) -> Iterator[Reason]:
    """Yield the errors of a runner's cards."""
    name, known = player.name, add_cards(player.hand, player.discard)
    if min(*player.hand, *player.discard, player.unknown_hand, player.unknown_discards) < 0:
        yield Reason("deck-count", r.DECK_CARDS, f"{name} has fewer than 0 cards in one place.")
    elif not is_subset(known, DECK):
        card = next(card for card, more in to_counts(subtract_cards(known, DECK)).items() if more > 0)
        text = (
            f"{name} has {pluralize(known[CARDS.index(card)], f'{card} card')}, "
            f"but a deck has only {DECK[CARDS.index(card)]}."
        )
        yield Reason("deck-count", r.DECK_CARDS, text)
    elif min(player.deduced) < 0 or not is_subset(player.deduced, player.hand):
        yield Reason("not-in-hand", r.DRAW_FOUR, f"{name}\u2019s hand lacks cards that {name} must have drawn.")
    elif player.deck < 0:
        cards = pluralize(DECK_SIZE - player.deck, "card")
        text = f"{name} has {cards} in hand and discard pile, but a deck has only {DECK_SIZE}."
        yield Reason("deck-count", r.DECK_CARDS, text)
    if player.bot:
        yield from _bot_errors(state, player)
    elif state.tracking == "light" and player.hand != NO_CARDS:
        yield hands_not_tracked_reason()
    elif state.tracking == "open" and player.unknown_discards:
        text = f"Hands are entered at this table, so each card in {name}\u2019s discard pile must be entered."
        yield Reason("untold-discards", r.PLAYED, text)


def _bot_errors(state: State, bot: Player) -> Iterator[Reason]:
    if bot.setbacks or bot.boosts:
        yield Reason("bot-runs", r.SOLO_STOPS, "The bot has no Setbacks and no Boosts.")
    shuffle, flipped = divmod(state.flips - sum(bot.discard), DECK_SIZE)
    if state.flips < sum(bot.discard):
        yield Reason("flips", r.SOLO_DECK, "The bot cannot have flipped fewer than 0 cards before.")
    elif state.bot_deck == "app" and (
        flipped or bot.discard != from_counts(Counter(shuffled_deck(state.seed, shuffle)[: sum(bot.discard)]))
    ):
        yield Reason("app-deck", r.SOLO_DECK, "Waymark would have flipped other cards for the bot.")


def _spot_errors(state: State, seat: int) -> Iterator[Reason]:
    player, last = state.players[seat], len(state.legs) - can_trail_end(state)
    running = seat == state.turn and state.moved and state.phase in ("run", "flip")
    is_end_unknown = running and player.legs_run == len(state.legs) and can_be_at_finish(state, seat)
    if not is_on_known_trail(state, player) and not is_end_unknown:
        text = (
            f"{player.name} has run {pluralize(player.legs_run, 'leg')}, but the known Trail before the finish "
            f"has only {pluralize(last, 'leg')}."
        )
        yield Reason("no-such-spot", r.FINISH, text)


def _turn_errors(state: State) -> Iterator[Reason]:
    """Yield the errors of the current turn."""
    runner, other = state.players[state.turn], state.players[1 - state.turn]
    if state.is_over and not is_race_decided(state):
        yield Reason("not-over", r.FINISH_ROUND, "The race is not over: a runner still has a turn.")
    if state.moved and not 0 < state.moved <= runner.legs_run:
        text = (
            f"{runner.name} has run {pluralize(runner.legs_run, 'leg')} in all, "
            f"so {state.moved} this turn is not possible."
        )
        yield Reason("moved", r.RUN_ON, text)
    for id, times in Counter(state.used).items():
        if times > 1 or runner.bot or BOOSTS[id].effect == "eyes":
            yield Reason("once", r.BOOST_ONCE, f"{card_name(id)} cannot be among the Boosts used this turn.")
    if state.is_over:
        return
    if not runner.is_racing:
        reason_text = "has finished" if runner.finished else "is out of the race"
        rule = r.FINISH if runner.finished else r.DNF
        yield Reason("not-racing", rule, f"{runner.name} {reason_text} and takes no more turns.")
    elif other.finished and state.turn == state.starting_seat:
        text = f"{other.name} finished and ended the last round, so the race is over."
        yield Reason("race-over", r.SECOND_FINISHES, text)
    elif other.out and runner.bot:
        yield Reason("race-over", r.SOLO_DNF, f"{other.name} is out of the race, so the bot has won.")
    yield from _step_errors(state, runner)


def _step_errors(state: State, runner: Player) -> Iterator[Reason]:
    stopped = state.phase in ("effect", "draw")
    if stopped and runner.bot:
        yield Reason("bot-runs", r.SOLO_STOPS, "Stops do not affect the bot, and it draws no cards.")
    elif stopped and not state.moved:
        yield Reason("run-first", r.RUN_MUST, "A runner at a stop has run at least 1 leg this turn.")
    elif runner.bot and (legs := state.moved + state.legs_to_run) not in (0, MISMATCH_STEPS, MATCH_STEPS):
        yield Reason("bot-legs", r.SOLO_FLIP, f"The bot moves {MISMATCH_STEPS} or {MATCH_STEPS} stops, not {legs}.")
    elif (
        not runner.bot
        and state.legs_to_run
        and (stopped or not any(BOOSTS[id].effect == "advance" for id in state.used))
    ):
        yield Reason("no-legs", r.ADVANCE, "Only a Boost used this turn can leave legs to run.")


POSITION_FORMAT = PositionFormat(
    type=Position,
    to_position=to_position,
    from_position=from_position,
    position_errors=position_errors,
    editable_fields=editable_fields,
    own_fields=own_fields,
)
