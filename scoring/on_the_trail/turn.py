"""The course of a turn of ON THE TRAIL: forced steps, decisions and the end of the race."""

from typing import Literal

from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, DECK, MAX_BOOST_LEGS, SETBACKS
from scoring.on_the_trail.cards import NO_CARDS, Cards, add_cards, subtract_cards
from scoring.on_the_trail.route import (
    can_be_at_finish,
    is_at_finish,
    lay_forced_card,
    next_leg,
    next_leg_colour,
    stop_at,
)
from scoring.on_the_trail.run_options import BOOST_DRAW_COUNT, can_run
from scoring.on_the_trail.state import HAND_SIZE, Player, State

# The decision the race waits for, which a move resolves.
RequiredDecision = Literal["leg", "flip", "hand", "run", "boost", "stop", "setback", "aid", "colour", "over"]
OptionalDecision = Literal["end"]  # other possible moves
# The decisions of a run, and of the stop it ends on; in a turn, none of a run comes up after the run.
RUN_DECISIONS = frozenset(("run", "leg", "boost", "hand"))
STOP_DECISIONS = frozenset(("stop", "setback", "aid"))


def spend(state: State, seat: int, cards: Cards) -> State:
    """Return the state with cards moved from the hand to the discard pile."""
    player = state.players[seat]
    changes = {"discard": add_cards(player.discard, cards)}
    if state.tracking == "light":
        return state.with_player(seat, unknown_hand=player.unknown_hand - sum(cards), **changes)
    return state.with_player(seat, hand=subtract_cards(player.hand, cards), deduced=NO_CARDS, **changes)


def draw_cards(state: State, seat: int, number: int) -> State:
    """Return the state after a runner draws cards, with a reshuffle if the deck runs out."""
    player = replace(state.players[seat], deduced=NO_CARDS)
    while number and (player.deck or sum(player.discard) + player.unknown_discards):
        if not player.deck:
            player = reshuffle(player)
        drawn = min(number, player.deck)
        player, number = _draw_from_deck(state, player, drawn), number - drawn
    if not player.deck and chosen_option(state.rulings, r.EMPTY_PILE) == "at-once":
        player = reshuffle(player)
    players = list(state.players)
    players[seat] = player
    return replace(state, players=tuple(players))


def _draw_from_deck(state: State, player: Player, number: int) -> Player:
    """Return the player with unseen cards drawn.

    The rest of a deck is known by elimination if all other cards of the deck are known.
    """
    if state.tracking == "open" and number == player.deck and not (player.unknown_hand or player.unknown_discards):
        hand = subtract_cards(DECK, player.discard)
        return replace(player, hand=hand, deduced=subtract_cards(hand, player.hand))
    return replace(player, unknown_hand=player.unknown_hand + number)


def reshuffle(player: Player) -> Player:
    return replace(player, discard=NO_CARDS, unknown_discards=0)


def draw_count(player: Player) -> int:
    """Return how many cards a runner draws at the end of a turn."""
    return max(0, HAND_SIZE - sum(SETBACKS[id].fewer for id in player.setbacks))


def can_draw_boost(state: State) -> bool:
    return bool(state.boosts_left) and not state.players[state.turn].setback_with_effect("no-boost-draw")


def resolve_forced_steps(state: State) -> State:
    """Return the state with all forced steps resolved, up to the next decision or the end."""
    while (after := _advance(state)) is not None:
        state = after
    return state


def _advance(state: State) -> State | None:
    """Return the state after the next forced step, or None at a decision or the end."""
    if state.is_over:
        return None
    if (longer := lay_forced_card(state)) is not state:
        return longer
    return _PHASE_HANDLERS[state.phase](state)


def _advance_run(state: State) -> State | None:
    if is_at_finish(state, state.turn):
        return end_turn(replace(state, legs_to_run=0).with_player(state.turn, finished=True))
    if state.legs_to_run:
        return _run_one_leg(state) if next_leg(state, state.turn) else None
    return replace(state, phase="effect") if is_run_over(state) else None


def is_run_over(state: State) -> bool:
    """Return whether a run ends before the finish, as no cards in hand and no legs are left."""
    is_out_of_cards = state.moved and not (state.legs_to_run or state.players[state.turn].held)
    return bool(is_out_of_cards) and not (is_at_finish(state, state.turn) or can_be_at_finish(state, state.turn))


def _run_one_leg(state: State) -> State:
    legs_run = state.players[state.turn].legs_run + 1
    return replace(state, legs_to_run=state.legs_to_run - 1, moved=state.moved + 1).with_player(
        state.turn, legs_run=legs_run
    )


def _advance_stop(state: State) -> State | None:
    runner = state.players[state.turn]
    stop = stop_at(state, runner.legs_run)
    if stop == "neutral" or (stop == "setback" and not state.setback_pile_size and not state.setback_discard):
        return replace(state, phase="draw")
    if stop == "aid" and not can_draw_boost(state):
        return discard_setbacks(state)
    return None


def discard_setbacks(state: State) -> State:
    """Return the state with every Setback in front of the runner discarded (Aid Station)."""
    discarded = state.players[state.turn].setbacks
    state = replace(state, phase="draw", setback_discard=state.setback_discard + discarded)
    return state.with_player(state.turn, setbacks=())


def _advance_draw(state: State) -> State | None:
    if state.setbacks_with_unknown_colour:
        return None
    return end_turn(draw_cards(state, state.turn, draw_count(state.players[state.turn])))


def _advance_flip(state: State) -> State | None:
    if state.moved and not state.legs_to_run and not is_at_finish(state, 1):
        return None if can_be_at_finish(state, 1) else end_turn(state)
    return _advance_run(state)


_PHASE_HANDLERS = {"run": _advance_run, "effect": _advance_stop, "draw": _advance_draw, "flip": _advance_flip}


def end_turn(state: State) -> State:
    """Return the state at the start of the next runner's turn, or with the race over."""
    if is_race_decided(state):
        return replace(state, phase="over", legs_to_run=0, used=())
    turn = 1 - state.turn if state.players[1 - state.turn].is_racing else state.turn
    phase = "flip" if state.players[turn].bot else "run"
    return replace(state, turn=turn, phase=phase, moved=0, legs_to_run=0, used=())


def next_seats(state: State) -> tuple[int, ...]:
    """Return the seat whose turn follows the current one.

    Empty before the bot's turn and before the end of the race.
    """
    seat = 1 - state.turn
    runner = state.players[seat]
    is_last_turn = state.turn != state.starting_seat and any(player.finished for player in state.players)
    if state.is_over or is_last_turn or runner.bot or not runner.is_racing:
        return ()
    return (seat,)


def is_same_turn(turn_start: State, state: State, seat: int) -> bool:
    """Return whether both states are in the same turn of the runner: it began on the same leg."""
    start_legs = [step.players[step.turn].legs_run - step.moved for step in (turn_start, state)]
    return turn_start.turn == state.turn and start_legs[0] == start_legs[1]


def is_race_decided(state: State) -> bool:
    """Return whether the race is over at the end of this turn."""
    runner, other = state.players[state.turn], state.players[1 - state.turn]
    if not (runner.is_racing or other.is_racing) or (state.is_solo and state.players[0].out):
        return True
    last = state.turn != state.starting_seat  # The second runner ends the round.
    return (runner.finished or other.finished) and (last or not other.is_racing)


def required_decision(state: State) -> RequiredDecision:
    """Return the decision the race waits for."""
    seat = state.turn
    leg = next_leg(state, seat)
    if state.phase in ("run", "flip") and (
        (state.legs_to_run and not leg) or (state.moved and can_be_at_finish(state, seat))
    ):
        return "leg"
    match state.phase:
        case "run":
            return _decision_before_run(state)
        case "effect":
            stop = stop_at(state, state.players[seat].legs_run)
            return "setback" if stop == "setback" else "aid" if stop == "aid" else "stop"
        case "draw":
            return "colour"
        case "flip":
            return "flip" if leg and leg.colour else "leg"
        case "over":
            return "over"


def _decision_before_run(state: State) -> RequiredDecision:
    seat = state.turn
    if state.setbacks_with_unknown_colour:
        return "colour"
    if state.tracking == "open" and state.players[seat].unknown_hand:
        return "hand"
    if state.moved:
        return "run"
    if next_leg_colour(state, seat) is None:
        return "leg"
    if not can_run(state, seat) and can_run(state, seat, assume_unknown_boosts_help=True):
        return "boost"
    return "run"


def is_result_fixed(state: State) -> bool:
    """Return whether the rest of this last turn cannot change who wins."""
    seat = state.turn
    runner = state.players[seat]
    if (
        state.is_over
        or runner.bot
        or not is_race_decided(state)
        or is_at_finish(state, seat)
        or can_be_at_finish(state, seat)
    ):
        return False
    return state.phase in ("effect", "draw") or is_finish_out_of_reach(state, seat)


def is_finish_out_of_reach(state: State, seat: int) -> bool:
    """Return whether the finish is too far for all cards and Boosts of a runner this turn."""
    runner = state.players[seat]
    reach = runner.held + state.legs_to_run
    for id in state.ready_boosts(seat):
        fact = state.facts.known_boost(id)
        reach += (fact.legs or 0 if fact else MAX_BOOST_LEGS) + (BOOST_DRAW_COUNT if BOOSTS[id].effect == "draw" else 0)
    return len(state.legs) - runner.legs_run > reach


def pending_decisions(state: State) -> tuple[RequiredDecision | OptionalDecision, ...]:
    """Return the decisions that moves may resolve now.

    With a run these include unknown legs ahead and the facts of unknown Boosts.
    """
    required = required_decision(state)
    decisions: list[RequiredDecision | OptionalDecision] = [required]
    if required == "run" and not next_leg_colour(state, state.turn):
        decisions.append("leg")
    if required == "run" and state.unknown_boosts:
        decisions.append("boost")
    if is_result_fixed(state):
        decisions.append("end")
    return tuple(decisions)
