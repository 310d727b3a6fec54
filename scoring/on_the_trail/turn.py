"""How a turn of ON THE TRAIL runs: what the app does without asking, what it waits for, when the race ends."""

from typing import Literal

from msgspec.structs import replace

from scoring.kernel.move import chosen
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, DECK, FARTHEST, SETBACKS
from scoring.on_the_trail.cards import NONE, Cards, minus, plus
from scoring.on_the_trail.route import at_finish, laid, may_be_finish, next_colour, next_leg, stop_at
from scoring.on_the_trail.run_options import DRAWN, can_run
from scoring.on_the_trail.state import HAND, Player, State

# What the race waits for: what a move answers.
Need = Literal["leg", "flip", "hand", "run", "boost", "stop", "setback", "aid", "colour", "over"]
Also = Literal["end"]  # other moves that are possible


def spend(state: State, seat: int, cards: Cards) -> State:
    """Return the state with cards played: out of the hand, on the discard pile."""
    player = state.players[seat]
    changes = {"discard": plus(player.discard, cards)}
    if state.tracking == "light":
        return state.with_player(seat, unseen=player.unseen - sum(cards), **changes)
    return state.with_player(seat, hand=minus(player.hand, cards), deduced=NONE, **changes)


def deal(state: State, seat: int, number: int) -> State:
    """Return the state with cards drawn from a runner's deck; where the deck ends, the discard pile becomes the new one."""
    player = replace(state.players[seat], deduced=NONE)
    while number and (player.deck or sum(player.discard) + player.lost):
        if not player.deck:
            player = shuffled(player)
        drawn = min(number, player.deck)
        player, number = _drawn(state, player, drawn), number - drawn
    if not player.deck and chosen(state.rulings, r.EMPTY_PILE) == "at-once":
        player = shuffled(player)
    return replace(state, players=tuple(player if each == seat else other for each, other in enumerate(state.players)))


def _drawn(state: State, player: Player, number: int) -> Player:
    """Draw cards nobody has seen; the whole rest of a deck is known to whoever knows all other cards."""
    if state.tracking == "open" and number == player.deck and not (player.unseen or player.lost):
        hand = minus(DECK, player.discard)
        return replace(player, hand=hand, deduced=minus(hand, player.hand))
    return replace(player, unseen=player.unseen + number)


def shuffled(player: Player) -> Player:
    return replace(player, discard=NONE, lost=0)


def draws(player: Player) -> int:
    """Return how many cards a runner draws at the end of a turn."""
    return max(0, HAND - sum(SETBACKS[id].fewer for id in player.setbacks))


def may_draw_boost(state: State) -> bool:
    return bool(state.boosts_left) and not state.players[state.turn].suffers("no-boost-draw")


def settle(state: State) -> State:
    """Return the state with everything done that leaves no choice, up to what only people can say, or the end."""
    while (after := _on(state)) is not None:
        state = after
    return state


def _on(state: State) -> State | None:
    """Return the state one step on, or None where somebody must say something."""
    if state.over:
        return None
    if (longer := laid(state)) is not state:
        return longer
    return _STEPS[state.phase](state)


def _run(state: State) -> State | None:
    runner = state.players[state.turn]
    if at_finish(state, state.turn):
        return end_turn(replace(state, steps=0).with_player(state.turn, home=True))
    if state.steps:
        return _one_leg(state) if next_leg(state, state.turn) else None
    if state.moved and not runner.held and not may_be_finish(state, state.turn):
        return replace(state, phase="effect")
    return None


def _one_leg(state: State) -> State:
    at = state.players[state.turn].at + 1
    return replace(state, steps=state.steps - 1, moved=state.moved + 1).with_player(state.turn, at=at)


def _effect(state: State) -> State | None:
    runner = state.players[state.turn]
    stop = stop_at(state, runner.at)
    if stop == "neutral" or (stop == "setback" and not state.setback_pile and not state.setback_discard):
        return replace(state, phase="draw")
    if stop == "aid" and not may_draw_boost(state):
        return shed_all(state)
    return None


def shed_all(state: State) -> State:
    """Return the state with every Setback in front of the runner discarded (Aid Station)."""
    gone = state.players[state.turn].setbacks
    state = replace(state, phase="draw", setback_discard=state.setback_discard + gone)
    return state.with_player(state.turn, setbacks=())


def _draw(state: State) -> State | None:
    if state.colours_wanted:
        return None
    return end_turn(deal(state, state.turn, draws(state.players[state.turn])))


def _flip(state: State) -> State | None:
    if state.moved and not state.steps and not at_finish(state, 1):
        return None if may_be_finish(state, 1) else end_turn(state)
    return _run(state)


_STEPS = {"run": _run, "effect": _effect, "draw": _draw, "flip": _flip}


def end_turn(state: State) -> State:
    """Return the state with the next runner's turn begun, or the race over."""
    if decided(state):
        return replace(state, phase="over", steps=0, used=())
    turn = 1 - state.turn if state.players[1 - state.turn].racing else state.turn
    phase = "flip" if state.players[turn].bot else "run"
    return replace(state, turn=turn, phase=phase, moved=0, steps=0, used=())


def same_turn(first: State, state: State, seat: int) -> bool:
    """Return whether a runner is still in the turn of a first state: it began on the same leg."""
    began = [each.players[each.turn].at - each.moved for each in (first, state)]
    return first.turn == state.turn and began[0] == began[1]


def decided(state: State) -> bool:
    """Return whether the race is over when this turn has ended."""
    runner, other = state.players[state.turn], state.players[1 - state.turn]
    if not (runner.racing or other.racing) or (state.solo and state.players[0].out):
        return True
    last = state.turn != state.first  # the second runner ends the round
    return (runner.home or other.home) and (last or not other.racing)


def need(state: State) -> Need:
    """Return what is to be said now."""
    seat = state.turn
    leg = next_leg(state, seat)
    if state.phase in ("run", "flip") and ((state.steps and not leg) or (state.moved and may_be_finish(state, seat))):
        return "leg"
    match state.phase:
        case "run":
            return _need_to_run(state)
        case "effect":
            stop = stop_at(state, state.players[seat].at)
            return "setback" if stop == "setback" else "aid" if stop == "aid" else "stop"
        case "draw":
            return "colour"
        case "flip":
            return "flip" if leg and leg.colour else "leg"
        case "over":
            return "over"


def _need_to_run(state: State) -> Need:
    seat = state.turn
    if state.colours_wanted:
        return "colour"
    if state.tracking == "open" and state.players[seat].unseen:
        return "hand"
    if state.moved:
        return "run"
    if next_colour(state, seat) is None:
        return "leg"
    if not can_run(state, seat) and can_run(state, seat, untold=True):
        return "boost"
    return "run"


def cannot_matter(state: State) -> bool:
    """Return whether the rest of this last turn cannot change who wins."""
    seat = state.turn
    runner = state.players[seat]
    if state.over or runner.bot or not decided(state) or at_finish(state, seat) or may_be_finish(state, seat):
        return False
    return state.phase in ("effect", "draw") or out_of_reach(state, seat)


def out_of_reach(state: State, seat: int) -> bool:
    """Return whether the finish is too far for all cards and Boosts of a runner this turn."""
    runner = state.players[seat]
    far = runner.held + state.steps
    for id in state.ready(seat):
        fact = state.facts.boost(id)
        far += (fact.legs or 0 if fact else FARTHEST) + (DRAWN if BOOSTS[id].effect == "draw" else 0)
    return len(state.legs) - runner.at > far


def wanted(state: State) -> tuple[Need | Also, ...]:
    """Return what may be said now: what the race waits for, and with a run what is still untold of the way ahead."""
    end: tuple[Also, ...] = ("end",) if cannot_matter(state) else ()
    return (*_wanted(state), *end)


def _wanted(state: State) -> tuple[Need | Also, ...]:
    now = need(state)
    if now != "run":
        return (now,)
    ahead: tuple[Need, ...] = () if next_colour(state, state.turn) else ("leg",)
    return (now, *ahead, *(("boost",) if state.boosts_wanted else ()))
