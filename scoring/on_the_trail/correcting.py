"""Corrections, by the table's consent: what the app has taken to be otherwise than it lies. And the rulings."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.move import Move, adopting
from scoring.kernel.rule import Reason
from scoring.kernel.words import plural
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import BOOSTS, SETBACKS
from scoring.on_the_trail.cards import NONE
from scoring.on_the_trail.route import may_end
from scoring.on_the_trail.state import State
from scoring.on_the_trail.telling import over


class Correct(Move):
    """Set a runner right: where they stand, how many cards they hold, what lies in front of them."""

    rules = (r.COMPONENTS, r.SETBACK_PILE, r.BOOST_PILE)
    anytime = True
    consent = True

    player: int
    space: int | None = None  # legs from the start
    held: int | None = None  # cards in hand
    shuffled: bool | None = None  # their discard pile has become their deck
    lay: str | None = None  # a Setback or Boost that lies in front of them after all
    clear: str | None = None  # one that does not

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if reason := over(state):
            yield reason
            return
        if not 0 <= self.player < len(state.players):
            yield Reason("no-such-player", r.PLAYERS, "There is no such runner in this race.")
            return
        player = state.players[self.player]
        if not player.racing:
            yield Reason("not-racing", r.FINISH, f"{player.name} is not racing any more.")
        yield from self._misplaced(state)
        if self.held is not None and (player.bot or not 0 <= self.held <= player.held + player.deck):
            most = 0 if player.bot else player.held + player.deck
            yield Reason("deck-count", r.DECK_CARDS, f"{player.name} can hold {plural(most, 'card')} at most.")
        if self.shuffled and player.bot and state.bot_deck == "app":
            yield Reason("app-deck", r.SOLO_DECK, "The app itself has shuffled the bot\u2019s deck and flips its cards.")
        yield from self._misdealt(state)
        if (
            self.space in (None, player.at)
            and self.held in (None, player.held)
            and not (self.shuffled or self.lay or self.clear)
        ):
            yield Reason("no-change", r.COMPONENTS, "The app has it so already.")

    def _misplaced(self, state: State) -> Iterator[Reason]:
        if self.space is None:
            return
        last = len(state.legs) - (1 if may_end(state) else 0)
        if not 0 <= self.space <= last:
            yield Reason("no-such-spot", r.FINISH, f"The known Trail has {plural(last, 'leg')} that end short of the finish.")
        elif state.turn == self.player and (state.moved or state.steps):
            yield Reason("running", r.TURN_PHASES, "That runner is on the move; take the run back instead.")

    def _misdealt(self, state: State) -> Iterator[Reason]:
        player = state.players[self.player]
        mine = (*player.setbacks, *player.boosts)
        if self.clear is not None and self.clear not in mine:
            yield Reason("not-there", r.SETBACK_PILE, f"No such card lies in front of {player.name}.")
        if self.lay is None:
            return
        if player.bot:
            yield Reason("bot-runs", r.SOLO_STOPS, "The bot has no cards in front of it.")
        elif self.lay not in (*SETBACKS, *BOOSTS):
            yield Reason("no-such-card", r.COMPONENTS, f"There is no Setback or Boost \u201c{self.lay}\u201d.")
        elif self.lay in SETBACKS and not state.setbacks_left(self.lay) and self.lay not in state.setback_discard:
            yield Reason(
                "setback-copies", r.SETBACK_PILE, f"Every {SETBACKS[self.lay].name} lies in front of a runner already."
            )
        elif self.lay in BOOSTS and self.lay not in state.boosts_left:
            yield Reason("boost-taken", r.BOOST_PILE, f"{BOOSTS[self.lay].name} lies in front of a runner already.")

    def apply(self, state: State, seat: int) -> State:
        player = state.players[self.player]
        changes = {"at": player.at if self.space is None else self.space}
        if self.held is not None and self.held != player.held:
            changes |= {"hand": NONE, "unseen": self.held}
        if self.shuffled:
            changes |= {"discard": NONE, "lost": 0}
        state = state.with_player(self.player, **changes)
        state = self._cleared(state) if self.clear is not None else state
        return self._with_laid(state) if self.lay is not None else state

    def _cleared(self, state: State) -> State:
        player = state.players[self.player]
        kind = "setbacks" if self.clear in player.setbacks else "boosts"
        left = list(getattr(player, kind))
        left.remove(self.clear)
        return state.with_player(self.player, **{kind: tuple(left)})

    def _with_laid(self, state: State) -> State:
        player, piled = state.players[self.player], list(state.setback_discard)
        if self.lay in BOOSTS:
            return state.with_player(self.player, boosts=(*player.boosts, self.lay))
        if not state.setbacks_left(self.lay):
            piled.remove(self.lay)
        return replace(state, setback_discard=tuple(piled)).with_player(self.player, setbacks=(*player.setbacks, self.lay))

    def label(self, state: State, seat: int) -> str:
        return f"Correct {self._who(state)}: {self._what()}"

    def icon(self, state: State, seat: int) -> str:
        return "pen"

    def told(self, state: State, seat: int) -> str:
        return f"had {self._who(state)} corrected: {self._what()}"

    def _who(self, state: State) -> str:
        return state.players[self.player].name if 0 <= self.player < len(state.players) else "a runner"

    def _what(self) -> str:
        parts = [] if self.space is None else [f"{plural(self.space, 'leg')} from the start"]
        parts += [] if self.held is None else [f"{plural(self.held, 'card')} in hand"]
        parts += ["discard pile shuffled"] if self.shuffled else []
        parts += [] if self.lay is None else [f"has {name_of(self.lay)}"]
        parts += [] if self.clear is None else [f"has no {name_of(self.clear)}"]
        return ", ".join(parts) or "nothing"


Adopt = adopting(r.RULINGS)


def name_of(id: str) -> str:
    card = SETBACKS.get(id) or BOOSTS.get(id)
    return card.name if card else id
