"""The state of a race: runners, cards, the current phase and each seat's view."""

from functools import lru_cache
from itertools import takewhile
from typing import Literal

from scoring.kernel.state import GameSetup, GameState, PlayerState
from scoring.on_the_trail.box import BOOSTS, DECK_SIZE, PAIR_SETBACKS, SETBACKS, TRAIL_CARDS, Card
from scoring.on_the_trail.card_facts import CardFacts, Leg, TrailCard
from scoring.on_the_trail.cards import NO_CARDS, Cards, to_counts

# These values are trees without cycles and are created by the hundred thousand, hence gc=False.

Tracking = Literal["open", "light"]  # whether hands are entered, each on its owner's phone, or only the cards played
BotDeck = Literal["app", "cards", "ask"]  # the app deals, people deal real cards, or the first flip decides
# The phases of a turn: run legs, resolve the stop, draw cards, flip the bot's card, or none after the race.
Phase = Literal["run", "effect", "draw", "flip", "over"]
Step = Literal["run", "stop", "draw", "over"]  # as positions name them; "run" includes the bot's flip
STEP_BY_PHASE: dict[Phase, Step] = {"run": "run", "flip": "run", "effect": "stop", "draw": "draw", "over": "over"}

HAND_SIZE = 4  # cards dealt at the start and drawn at the end of a turn
BOT_NAME = "The bot"
UNKNOWN_CARD = -1  # a placeholder in the order of the Trail cards


class Player(PlayerState, frozen=True, gc=False):
    """One runner's side of the table."""

    bot: bool = False
    legs_run: int = 0  # since the start
    hand: Cards = NO_CARDS  # cards in hand that have been entered
    unknown_hand: int = 0  # number of cards in hand that have not
    # cards of the hand from the last draw that are known by elimination, as all other cards were known
    deduced: Cards = NO_CARDS
    discard: Cards = NO_CARDS  # face-up cards of the discard pile
    unknown_discards: int = 0  # number of cards there that were never entered (light tracking)
    setbacks: tuple[str, ...] = ()
    boosts: tuple[str, ...] = ()
    finished: bool = False  # whether the runner has reached the finish
    out: bool = False  # whether the runner has dropped out

    @property
    def held(self) -> int:
        """Return the number of cards in hand."""
        return sum(self.hand) + self.unknown_hand

    @property
    def deck(self) -> int:
        """Return the number of cards left to draw."""
        return DECK_SIZE - self.held - sum(self.discard) - self.unknown_discards

    @property
    def face_up(self) -> dict[Card, int]:
        """Return the visible cards of the discard pile by kind."""
        return to_counts(self.discard)

    @property
    def is_racing(self) -> bool:
        return not (self.finished or self.out)

    def setback_with_effect(self, effect: str) -> str | None:
        """Return the first Setback in front of the runner that has an effect, or None."""
        return next((id for id in self.setbacks if SETBACKS[id].effect == effect), None)


class State(GameState, frozen=True, gc=False):
    """Everything the app knows about a race; a bot is the second player and has no seat."""

    players: tuple[Player, Player]
    tracking: Tracking
    rulings: dict[str, str]
    facts: CardFacts
    turn: int
    phase: Phase
    order: tuple[int, ...] = ()  # the known Trail cards from the start
    moved: int = 0  # legs run this turn
    legs_to_run: int = 0  # for a Boost, or for the bot
    used: tuple[str, ...] = ()  # Boosts activated this turn
    setback_discard: tuple[str, ...] = ()
    bot_deck: BotDeck = "app"
    seed: int = 0  # for the bot's shuffles, where the app shuffles
    flips: int = 0  # cards flipped for the bot so far

    @property
    def is_solo(self) -> bool:
        return self.players[1].bot

    @property
    def starting_seat(self) -> int:
        """Return the seat that starts each round: the first player's, or the bot's."""
        return 1 if self.is_solo else 0

    @property
    def legs(self) -> tuple[Leg, ...]:
        """Return the legs from the start that are known without a gap."""
        return _known_legs(self.order, self.facts.cards)

    @property
    def frontier(self) -> int | None:
        """Return the Trail card on which the known route ends, or None if it ends between cards."""
        return next((card for card in self.order if not self.facts.cards[card].whole), None)

    @property
    def is_route_complete(self) -> bool:
        """Return whether the route is known up to the finish."""
        return len(self.order) == TRAIL_CARDS and self.frontier is None

    @property
    def least_length(self) -> int:
        """Return how many legs the Trail has at least, exactly if the route is complete."""
        # Each Trail card has at least one leg, also one without known legs.
        return sum(max(1, len(card.legs)) for card in self.facts.cards)

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    def setbacks_left(self, id: str) -> int:
        """Return how many copies of a Setback are still in the draw pile."""
        out = self.setback_discard.count(id) + sum(player.setbacks.count(id) for player in self.players)
        return SETBACKS[id].copies - out

    @property
    def setback_pile_size(self) -> int:
        return sum(map(self.setbacks_left, SETBACKS))

    def ready_boosts(self, seat: int) -> tuple[str, ...]:
        """Return the Boosts a runner can still activate this turn, also those with unknown facts."""
        player = self.players[seat]
        if player.setback_with_effect("no-boosts"):
            return ()
        return tuple(id for id in player.boosts if id not in self.used and BOOSTS[id].effect != "eyes")

    @property
    def setbacks_with_unknown_colour(self) -> tuple[str, ...]:
        """Return the Setbacks of the runner to move that show a color nobody has entered."""
        own_setbacks = self.players[self.turn].setbacks
        return tuple(id for id in own_setbacks if id in PAIR_SETBACKS and not self.facts.setbacks.get(id))

    @property
    def unknown_boosts(self) -> tuple[str, ...]:
        """Return the Boosts the runner to move could activate if their facts were known."""
        return tuple(id for id in self.ready_boosts(self.turn) if not self.facts.known_boost(id))

    @property
    def boosts_left(self) -> tuple[str, ...]:
        return tuple(id for id in BOOSTS if not any(id in player.boosts for player in self.players))


@lru_cache(maxsize=256)
def _known_legs(order: tuple[int, ...], cards: tuple[TrailCard, ...]) -> tuple[Leg, ...]:
    known: list[Leg] = []
    for card in order:
        known += cards[card].legs
        if not cards[card].whole:
            break
    return tuple(known)


class Setup(GameSetup, frozen=True):
    """The setup of a race: one player against the bot, or two in turn order."""

    players: tuple[str, ...]
    tracking: Tracking = "open"
    bot_deck: BotDeck = "app"
    # the Trail cards in order; from the first -1 on they are entered during the race
    order: tuple[int, ...] = (UNKNOWN_CARD,) * TRAIL_CARDS
    rulings: dict[str, str] = {}
    facts: CardFacts = CardFacts()
    seed: int = 0


def start(setup: Setup) -> State:
    """Return the state before the first turn."""
    solo = len(setup.players) == 1
    runners = [Player(name, unknown_hand=HAND_SIZE) for name in setup.players]
    return State(
        players=(runners[0], Player(BOT_NAME, bot=True) if solo else runners[1]),
        tracking=setup.tracking,
        rulings=setup.rulings,
        facts=setup.facts,
        turn=1 if solo else 0,
        phase="flip" if solo else "run",
        order=tuple(takewhile(lambda card: card != UNKNOWN_CARD, setup.order)),
        bot_deck=setup.bot_deck,
        seed=setup.seed,
    )


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that may act; a solo player acts for the bot too."""
    if state.is_over:
        return ()
    return (0,) if state.is_solo else (state.turn,)
