"""The race as it lies on the table: as somebody standing there would say it, and what does not add up."""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.documents import at
from scoring.kernel.english import plural
from scoring.kernel.position import Lying
from scoring.kernel.rule import Reason
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.bot import FAR, NEAR, deck
from scoring.on_the_trail.box import BOOSTS, CARDS, DECK, DECK_SIZE, SETBACKS, Card
from scoring.on_the_trail.cards import NONE, by_name, minus, of, plus, within
from scoring.on_the_trail.editable import figures
from scoring.on_the_trail.facts import CardFacts, no_such_boost
from scoring.on_the_trail.route import at_finish, has_spot, laid, may_be_finish, may_end
from scoring.on_the_trail.setup import SEATS, check_setup
from scoring.on_the_trail.state import BOT, HAND, STEP, BotDeck, Phase, Player, Setup, State, Step, Tracking, start
from scoring.on_the_trail.text import name_of, no_such_setback, not_tracked
from scoring.on_the_trail.turn import decided, settle


class Runner(Struct, frozen=True):
    """One person's side of the table. Who is at the finish, or has how many cards to draw, follows."""

    name: str
    at: int = 0  # legs run since the start
    held: int = HAND  # cards in hand
    hand: dict[Card, int] = {}  # those of them that have been told
    deduced: dict[Card, int] = {}  # those of them that nobody had to tell, as all other cards were known
    discards: dict[Card, int] = {}  # face up
    untold_discards: int = 0  # where only what is played is told
    setbacks: tuple[str, ...] = ()
    boosts: tuple[str, ...] = ()
    out: bool = False  # did not finish


class Bot(Struct, frozen=True):
    """The bot's side, where one person races."""

    at: int = 0
    discards: dict[Card, int] = {}
    flipped_before: int = 0  # cards, before its pile was last shuffled


class Race(Struct, frozen=True):
    """The whole table; without more than names, the race before the first turn."""

    runners: tuple[Runner, ...]  # one against the bot, or two, the first one first
    bot: Bot = Bot()
    trail: tuple[int, ...] = ()  # the Trail cards that lie known, from the start
    turn: Literal["first", "second"] = "first"  # the bot is first
    step: Step = "run"
    moved: int = 0  # legs run this turn
    to_run: int = 0  # legs still to run for a Boost, or for the bot
    used: tuple[str, ...] = ()  # Boosts activated this turn
    setback_discards: tuple[str, ...] = ()
    tracking: Tracking = "open"
    bot_deck: BotDeck = "app"
    seed: int = 0  # of the bot's shuffles, where the app shuffles
    rulings: dict[str, str] = {}
    facts: CardFacts = CardFacts()


def says(state: State) -> Race:
    """Return how a race lies."""
    other = state.players[1]
    flipped = Bot(other.at, other.face_up, state.flips - sum(other.discard)) if other.bot else Bot()
    return Race(
        runners=tuple(_says(player) for player in state.players if not player.bot),
        bot=flipped,
        trail=state.order,
        turn="first" if state.turn == state.first else "second",
        step=STEP[state.phase],
        moved=state.moved,
        to_run=state.steps,
        used=state.used,
        setback_discards=state.setback_discard,
        tracking=state.tracking,
        bot_deck=state.bot_deck,
        seed=state.seed,
        rulings=state.rulings,
        facts=state.facts,
    )


_PHASE: dict[Step, Phase] = {"run": "run", "stop": "effect", "draw": "draw", "over": "over"}


def _says(player: Player) -> Runner:
    return Runner(
        name=player.name,
        at=player.at,
        held=player.held,
        hand=by_name(player.hand),
        deduced=by_name(player.deduced),
        discards=player.face_up,
        untold_discards=player.lost,
        setbacks=player.setbacks,
        boosts=player.boosts,
        out=player.out,
    )


def state(race: Race) -> State:
    """Return the race that lies so; where it adds up, with everything done that leaves no choice.

    :raises Malformed: when so many cannot race.
    """
    if len(race.runners) not in SEATS or (len(race.runners) == 2 and race.bot != Bot()):
        raise at("runners", "one races the bot, or two race each other without it")
    lies = start(_setup(race))
    turn = lies.first if race.turn == "first" else 1 - lies.first
    players = tuple(map(_player, race.runners)) + ((_bot(race.bot),) if lies.solo else ())
    lies = replace(
        lies,
        players=players,
        turn=turn,
        phase="flip" if race.step == "run" and players[turn].bot else _PHASE[race.step],
        moved=race.moved,
        steps=race.to_run,
        used=race.used,
        setback_discard=race.setback_discards,
        flips=race.bot.flipped_before + sum(players[1].discard) if lies.solo else 0,
    )
    if any(check_setup(_setup(race))):
        return lies
    lies = laid(lies)
    for seat, player in enumerate(players):
        lies = lies.with_player(seat, home=at_finish(lies, seat) and not player.out)
    return lies if any(faults(lies)) else settle(lies)


def _setup(race: Race) -> Setup:
    names = tuple(runner.name for runner in race.runners)
    return Setup(names, race.tracking, race.bot_deck, race.trail, race.rulings, race.facts, race.seed)


def _player(runner: Runner) -> Player:
    hand = of(runner.hand)
    return Player(
        name=runner.name,
        at=runner.at,
        hand=hand,
        unseen=runner.held - sum(hand),
        deduced=of(runner.deduced),
        discard=of(runner.discards),
        lost=runner.untold_discards,
        setbacks=runner.setbacks,
        boosts=runner.boosts,
        out=runner.out,
    )


def _bot(bot: Bot) -> Player:
    return Player(BOT, bot=True, at=bot.at, discard=of(bot.discards))


# What does not add up


def faults(state: State) -> Iterator[Reason]:
    """Yield what does not add up on a table, a line each."""
    if reasons := [*check_setup(_setup(says(state))), *_unknown_cards(state)]:
        yield from reasons
        return
    yield from _piles(state)
    for seat, player in enumerate(state.players):
        yield from _hand(state, player)
        yield from _spot(state, seat)
    yield from _turn(state)


def _unknown_cards(state: State) -> Iterator[Reason]:
    lying = [id for player in state.players for id in player.setbacks]
    for id in dict.fromkeys((*lying, *state.setback_discard)):
        if id not in SETBACKS:
            yield no_such_setback(id)
    lying = [id for player in state.players for id in player.boosts]
    for id in dict.fromkeys((*lying, *state.used)):
        if id not in BOOSTS:
            yield no_such_boost(id)


def _piles(state: State) -> Iterator[Reason]:
    """Yield what is drawn more often than it is there."""
    for id, card in SETBACKS.items():
        if state.setbacks_left(id) < 0:
            text = f"{card.name} is there in {plural(card.copies, 'copy')}; {card.copies - state.setbacks_left(id)} are drawn."
            yield Reason("setback-copies", r.SETBACK_PILE, text)
    for id, drawn in Counter(id for player in state.players for id in player.boosts).items():
        if drawn > 1:
            yield Reason(
                "boost-taken", r.BOOST_PILE, f"{name_of(id)} is there once; it lies in front of a runner already."
            )


def _hand(state: State, player: Player) -> Iterator[Reason]:
    """Yield what speaks against a runner's cards."""
    name, known = player.name, plus(player.hand, player.discard)
    if min(*player.hand, *player.discard, player.unseen, player.lost) < 0:
        yield Reason("deck-count", r.DECK_CARDS, f"{name} cannot have fewer than no cards.")
    elif not within(known, DECK):
        card = next(card for card, more in by_name(minus(known, DECK)).items() if more > 0)
        text = f"{name} has {plural(known[CARDS.index(card)], f'{card} card')}; a deck has {DECK[CARDS.index(card)]}."
        yield Reason("deck-count", r.DECK_CARDS, text)
    elif min(player.deduced) < 0 or not within(player.deduced, player.hand):
        yield Reason(
            "not-in-hand", r.DRAW_FOUR, f"{name} cannot hold fewer cards of a kind than the app knew at the draw."
        )
    elif player.deck < 0:
        text = f"{name} has {plural(DECK_SIZE - player.deck, 'card')} in hand and discarded; a deck has {DECK_SIZE}."
        yield Reason("deck-count", r.DECK_CARDS, text)
    if player.bot:
        yield from _bots_cards(state, player)
    elif state.tracking == "light" and player.hand != NONE:
        yield not_tracked()
    elif state.tracking == "open" and player.lost:
        yield Reason(
            "untold-discards", r.PLAYED, f"Hands are told at this table, so all that {name} has discarded is known."
        )


def _bots_cards(state: State, bot: Player) -> Iterator[Reason]:
    if bot.setbacks or bot.boosts:
        yield Reason("bot-runs", r.SOLO_STOPS, "The bot has no cards in front of it.")
    shuffle, flipped = divmod(state.flips - sum(bot.discard), DECK_SIZE)
    if state.flips < sum(bot.discard):
        yield Reason("flips", r.SOLO_DECK, "Cards cannot have been flipped fewer than no times before.")
    elif state.bot_deck == "app" and (
        flipped or bot.discard != of(Counter(deck(state.seed, shuffle)[: sum(bot.discard)]))
    ):
        yield Reason("app-deck", r.SOLO_DECK, "The app would have flipped other cards from its own deck.")


def _spot(state: State, seat: int) -> Iterator[Reason]:
    player, last = state.players[seat], len(state.legs) - may_end(state)
    running = seat == state.turn and state.moved and state.phase in ("run", "flip")
    asked = running and player.at == len(state.legs) and may_be_finish(state, seat)
    if not has_spot(state, player) and not asked:
        text = f"{player.name} stands at {player.at}; the known Trail has {plural(last, 'leg')} that end short of the finish."
        yield Reason("no-such-spot", r.FINISH, text)


def _turn(state: State) -> Iterator[Reason]:
    """Yield what speaks against this moment of this turn."""
    runner, other = state.players[state.turn], state.players[1 - state.turn]
    if state.over and not decided(state):
        yield Reason("not-over", r.FINISH_ROUND, "The race is not over: somebody still has a turn in it.")
    if state.moved and not 0 < state.moved <= runner.at:
        text = f"{runner.name} stands at {runner.at} and cannot have run {plural(state.moved, 'leg')} this turn."
        yield Reason("moved", r.RUN_ON, text)
    for id, times in Counter(state.used).items():
        if times > 1 or runner.bot or BOOSTS[id].effect == "eyes":
            yield Reason("once", r.BOOST_ONCE, f"{name_of(id)} cannot have been activated so this turn.")
    if state.over:
        return
    if not runner.racing:
        why = "has finished" if runner.home else "is out of the race"
        yield Reason("not-racing", r.FINISH if runner.home else r.DNF, f"{runner.name} {why} and has no turn.")
    elif other.home and state.turn == state.first:
        yield Reason(
            "race-over", r.SECOND_FINISHES, f"{other.name} has ended the last round at the finish; the race is over."
        )
    elif other.out and runner.bot:
        yield Reason("race-over", r.SOLO_DNF, f"{other.name} is out, so the bot has won and the race is over.")
    yield from _step(state, runner)


def _step(state: State, runner: Player) -> Iterator[Reason]:
    stopped = state.phase in ("effect", "draw")
    if stopped and runner.bot:
        yield Reason("bot-runs", r.SOLO_STOPS, "No stop does anything to the bot, and it draws no cards.")
    elif stopped and not state.moved:
        yield Reason("run-first", r.RUN_MUST, "Before its stop a turn takes a runner on by one leg at least.")
    elif runner.bot and (legs := state.moved + state.steps) not in (0, NEAR, FAR):
        yield Reason("bot-legs", r.SOLO_FLIP, f"The bot moves {NEAR} or {FAR} stops, not {legs}.")
    elif not runner.bot and state.steps and (stopped or not any(BOOSTS[id].effect == "advance" for id in state.used)):
        yield Reason("no-legs", r.ADVANCE, "Legs still to run are brought by a Boost, while cards are played.")


LYING = Lying(type=Race, says=says, state=state, faults=faults, figures=figures)
