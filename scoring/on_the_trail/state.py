"""The race as one frozen value: runners, cards, what is to be done now, who may see what."""

from functools import lru_cache
from itertools import takewhile
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.kernel.state import WithPlayers
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, DECK_SIZE, PAIR_SETBACKS, SETBACKS, TRAIL_CARDS, Card
from scoring.on_the_trail.cards import NO_CARDS, Cards, to_counts
from scoring.on_the_trail.facts import CardFacts, Leg, TrailCard

# gc=False: these values are trees, never cycles, and are made by the hundred thousand.

Tracking = Literal["open", "light"]  # every hand known to its own phone, or only what is played
BotDeck = Literal["app", "cards", "ask"]  # the app deals, people deal real cards, or the first flip decides
# What a turn is about: running legs, the stop it ends on, drawing, the bot's card; or nothing any more.
Phase = Literal["run", "effect", "draw", "flip", "over"]
Step = Literal["run", "stop", "draw", "over"]  # the same as people say it; "run" is the bot's flip, too
STEP_BY_PHASE: dict[Phase, Step] = {"run": "run", "flip": "run", "effect": "stop", "draw": "draw", "over": "over"}

HAND_SIZE = 4  # cards dealt at the start and drawn at the end of a turn
BOT_NAME = "The bot"
UNKNOWN_CARD = -1  # in the order of the Trail cards


class Player(Struct, frozen=True, gc=False):
    """One runner's side of the table."""

    name: str
    bot: bool = False
    legs_run: int = 0  # legs run since the start
    hand: Cards = NO_CARDS  # cards in hand the app has been told
    unknown_hand: int = 0  # cards in hand it has not
    deduced: Cards = (
        NO_CARDS  # those of the hand that were drawn last and that the app knew, as all other cards were known
    )
    discard: Cards = NO_CARDS  # on the discard pile, face up
    unknown_discards: int = 0  # there too, but never told (light tracking)
    setbacks: tuple[str, ...] = ()
    boosts: tuple[str, ...] = ()
    finished: bool = False  # a finisher
    out: bool = False  # did not finish

    @property
    def held(self) -> int:
        """Return how many cards are in hand."""
        return sum(self.hand) + self.unknown_hand

    @property
    def deck(self) -> int:
        """Return how many cards are left to draw."""
        return DECK_SIZE - self.held - sum(self.discard) - self.unknown_discards

    @property
    def face_up(self) -> dict[Card, int]:
        """Return what everybody sees on the discard pile."""
        return to_counts(self.discard)

    @property
    def is_racing(self) -> bool:
        return not (self.finished or self.out)

    def setback_with_effect(self, effect: str) -> str | None:
        """Return the first Setback in front of a runner that has an effect."""
        return next((id for id in self.setbacks if SETBACKS[id].effect == effect), None)


class State(WithPlayers, frozen=True, gc=False):
    """Everything the app has been told about a race. In solo the bot is the second player; it has no seat."""

    players: tuple[Player, Player]
    tracking: Tracking
    rulings: dict[str, str]
    facts: CardFacts
    turn: int
    phase: Phase
    order: tuple[int, ...] = ()  # the Trail cards that lie known, from the start
    moved: int = 0  # legs run this turn
    legs_to_run: int = 0  # legs still to run for a Boost, or for the bot
    used: tuple[str, ...] = ()  # Boosts activated this turn
    setback_discard: tuple[str, ...] = ()
    bot_deck: BotDeck = "app"
    seed: int = 0  # of the bot's shuffles, where the app shuffles
    flips: int = 0  # cards flipped for the bot

    @property
    def is_solo(self) -> bool:
        return self.players[1].bot

    @property
    def starting_seat(self) -> int:
        """Return who starts each round: the first player, or the bot."""
        return 1 if self.is_solo else 0

    @property
    def legs(self) -> tuple[Leg, ...]:
        """Return the legs from the start as far as they are known without a gap."""
        return _known_legs(self.order, self.facts.cards)

    @property
    def frontier(self) -> int | None:
        """Return the Trail card on which the known route ends, or None where the next card or the finish begins."""
        return next((card for card in self.order if not self.facts.cards[card].whole), None)

    @property
    def is_route_complete(self) -> bool:
        """Return whether the whole route is known, up to the finish."""
        return len(self.order) == TRAIL_CARDS and self.frontier is None

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
        """Return the Boosts a runner may still activate this turn, told or not."""
        player = self.players[seat]
        if player.setback_with_effect("no-boosts"):
            return ()
        return tuple(id for id in player.boosts if id not in self.used and BOOSTS[id].effect != "eyes")

    @property
    def setbacks_with_unknown_colour(self) -> tuple[str, ...]:
        """Return the Setbacks in front of whoever is to move whose colour nobody has told yet."""
        mine = self.players[self.turn].setbacks
        return tuple(id for id in mine if id in PAIR_SETBACKS and not self.facts.setbacks.get(id))

    @property
    def unknown_boosts(self) -> tuple[str, ...]:
        """Return the Boosts whoever is to move may activate, once somebody has told what stands on them."""
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


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table says before it starts: one player against the bot, or two, the first one first."""

    players: tuple[str, ...]
    tracking: Tracking = "open"
    bot_deck: BotDeck = "app"
    order: tuple[int, ...] = (
        UNKNOWN_CARD,
    ) * TRAIL_CARDS  # as they lie; from a -1 on they are asked for as the race goes
    rulings: dict[str, str] = {}
    facts: CardFacts = CardFacts()
    seed: int = 0


def start(setup: Setup) -> State:
    """Return the table as it stands before the first turn."""
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
    """Return the seat that may act; whoever races against the bot acts for it too."""
    if state.is_over:
        return ()
    return (0,) if state.is_solo else (state.turn,)


def view(state: State, seat: int | None) -> State:
    """Return the race as one seat may see it: no other hand, no pile that lies face down, not what the bot will flip."""
    if state.is_over:
        return state
    players = tuple(
        player if other == seat else _hide_secrets(state, player) for other, player in enumerate(state.players)
    )
    return replace(state, players=players, seed=0)


def _hide_secrets(state: State, player: Player) -> Player:
    player = replace(player, hand=NO_CARDS, unknown_hand=player.held, deduced=NO_CARDS)
    if player.bot or chosen_option(state.rulings, r.DISCARDS_SEEN) == "open":
        return player
    return replace(player, discard=NO_CARDS, unknown_discards=player.unknown_discards + sum(player.discard))
