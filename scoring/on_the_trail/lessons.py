"""When each lesson of a first game of ON THE TRAIL is needed; see `lessons.toml`."""

from collections.abc import Iterator

from scoring.kernel.lessons import Lessons, read_lesson_texts
from scoring.on_the_trail.box import BOOSTS, TRAIL_CARDS
from scoring.on_the_trail.moves.reveals import can_end_card
from scoring.on_the_trail.moves.run_moves import DropOut, can_enter_leg
from scoring.on_the_trail.route import can_be_at_finish
from scoring.on_the_trail.state import BOT_NAME, UNKNOWN_CARD, BotDeck, Player, Setup, State, Tracking
from scoring.on_the_trail.text import has_drawn_hand, has_run_ended
from scoring.on_the_trail.turn import draw_count, required_decision

LEGS_NEAR_FINISH = 4  # a hand of four cards can run them

HAND_ENTRIES: dict[Tracking, str] = {
    "open": "Enter them on your own phone on your first turn",
    "light": "You enter only the cards that you play",
}
BOT_DECKS: dict[BotDeck, str] = {
    "app": "Waymark deals the bot\u2019s cards, so leave the other Race deck in the box",
    "cards": "Shuffle the other Race deck for the bot and put it face down",
    "ask": "Shuffle the other Race deck for the bot, or let Waymark deal its cards",
}


def decisions(view: State, seat: int) -> Iterator[str]:
    """Yield the lessons that help with what a player may decide now, also for the bot."""
    match required_decision(view):
        case "flip" | "hand" | "setback" | "aid" | "stop" as decision:
            yield decision
        case "leg":
            yield from _leg_decisions(view, seat)
        case "run":
            yield from _run_decisions(view, seat)
        case "colour":
            yield "setback-color"


def _leg_decisions(view: State, seat: int) -> Iterator[str]:
    """Yield the lessons for an unknown leg, whose color may be entered by running it."""
    is_color_asked = view.frontier is not None and not can_be_at_finish(view, view.turn)
    if is_color_asked:
        if can_end_card(view):
            yield "card-end"
        if view.turn == seat and can_enter_leg(view):
            yield "run"
            yield from _opponent_decisions(view, seat)


def _run_decisions(view: State, seat: int) -> Iterator[str]:
    player = view.players[seat]
    if can_enter_leg(view) and can_end_card(view):
        yield "card-end"
    if not view.moved:
        yield "run"
        if next(DropOut().objections(view, seat), None) is None:
            yield "out"
    elif not player.setback_with_effect("no-keep"):
        yield "run-on"
    yield from _opponent_decisions(view, seat)
    if view.is_route_complete and len(view.legs) - player.legs_run <= LEGS_NEAR_FINISH:
        yield "near"
    if any(_can_use_boost(view, player, id) for id in view.ready_boosts(seat)):
        yield "boost"


def _opponent_decisions(view: State, seat: int) -> Iterator[str]:
    """Yield the lessons about an opponent who no longer races."""
    opponent = view.players[1 - seat]
    if opponent.finished:
        yield "last-turn"
    if opponent.out:
        yield "alone"


def _can_use_boost(view: State, player: Player, id: str) -> bool:
    """Return whether a player has enough cards for a Boost, and a Setback if it discards one."""
    fact = view.facts.known_boost(id)
    has_target = BOOSTS[id].effect != "shed" or bool(player.setbacks)
    return fact is not None and has_target and len(fact.cost) <= player.held


def events(before: State, view: State, seat: int) -> Iterator[str]:
    """Yield the lessons about what a player has met in a step, while the race goes on."""
    if view.is_over:
        return
    old, new = before.players[seat], view.players[seat]
    if new.finished and not old.finished:
        yield "home"
    if draw_count(new) < draw_count(old):
        yield "fewer"
    if has_drawn_hand(before, view, seat):
        yield "drawn"
    if has_run_ended(before, view, seat) and new.is_racing and new.legs_run == view.players[1 - seat].legs_run:
        yield "same-stop"


def setup_values(setup: Setup) -> dict[str, object]:
    """Return the values in the texts of the setup."""
    return {
        "first": setup.players[0] if len(setup.players) > 1 else BOT_NAME,
        "trail_entry": _trail_entry(setup),
        "hand_entry": HAND_ENTRIES[setup.tracking],
        "bot_deck": BOT_DECKS[setup.bot_deck],
    }


def _trail_entry(setup: Setup) -> str:
    """Return when the Trail cards are entered."""
    known_count = len(setup.order) - setup.order.count(UNKNOWN_CARD)
    if known_count == TRAIL_CARDS:
        return "Their order is already entered"
    return f"You enter {'the other cards' if known_count else 'them'} during the race"


LESSONS = Lessons(read_lesson_texts(__file__), decisions, events, setup_values)
