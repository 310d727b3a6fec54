"""The referee: checks the players' actions and writes them to the log, without HTTP."""

import datetime
import functools
import math
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Concatenate, NamedTuple, ParamSpec

import msgspec

from companion.history.result import name_key
from companion.log import entries
from companion.log.apply import CorruptLogError, apply_entry
from companion.log.changes import NOTHING_PREPARED, Prepared
from companion.log.colors import color_keeper, colors_in_order
from companion.log.consent import required_approvals
from companion.log.entries import ConsentPolicy, Entry
from companion.log.plans import RepairPlan
from companion.log.preview import Preview, Simulation, simulate
from companion.log.replay import Outcome, replay
from companion.log.steps import ConflictingStepError, InvalidEntryError
from companion.log.table import Proposal, Table, to_data
from companion.service import card_facts_review
from companion.service.live import LiveUpdates
from companion.storage.card_facts import CardFactsStore
from companion.storage.drafts import Drafts
from companion.storage.imports import Imports
from companion.storage.lessons import Learners
from companion.storage.players import Players
from companion.storage.results import Results
from companion.storage.store import (
    DuplicateTapError,
    PreviousTable,
    Store,
    TableNotFoundError,
    VersionConflictError,
    new_tap,
    timestamp,
)
from companion.system.presence import Presence
from scoring.games import TRACKED_GAMES
from scoring.kernel.box import Box
from scoring.kernel.box_facts import FactValue, UseBoxFacts
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame

SEED_BITS = 32  # size of a table's random seed
MAX_ATTEMPTS = 20  # lost races before giving up; in each, another process has written an entry
ALLOWED_SILENCE = 2  # minutes without a request from a phone before the others may give its seat away
ALLOWED_SILENCE_WITH_SECRETS = 5  # the same in a game with secrets, because they go with the seat
HOST_DECISION_DELAY = 45  # seconds before the host can decide for phones that do not answer
MAX_PROPOSALS = 6  # open proposals at one table
MAX_PROPOSALS_OF_STRANGERS = 3  # of these, from phones without a seat
MAX_PROPOSALS_PER_PHONE = 3  # of these, from one phone; only one of them may ask for a seat
MAX_QUESTION_LENGTH, MAX_INTERPRETATION_LENGTH = 160, 400  # characters of a house rule
MAX_OWN_RULINGS = 20  # house rules of a table
MAX_TABLES_TO_UPDATE = 20  # the latest running tables
MAX_VERDICTS = 60  # saved per table
SEAT_REQUEST_COOLDOWN = 2  # minutes after a refusal before a phone may ask for the seat again
FOREIGN_NOTE_TEXT = "Only the player who made a private entry can change it, on that player\u2019s phone."


class NotAllowedError(Exception):
    """The phone may not do this; the message has the reason and an alternative."""


class IncompleteRepairError(Exception):
    """A repair leaves a later step invalid, or changes more than the player has seen."""

    def __init__(self, outcome: Outcome):
        super().__init__("A later step would become impossible.")
        self.outcome = outcome


class TooManyRetriesError(Exception):
    """Other processes have written first in every attempt."""


class Decision(NamedTuple):
    """An entry to write, with what has been computed of it."""

    seat: int | None
    payload: entries.Payload
    prepared: Prepared = NOTHING_PREPARED
    simulation: Simulation | None = None  # the table after the change that it makes or proposes


P = ParamSpec("P")


def _commits(
    decide: Callable[Concatenate["Referee", Table, str, P], Decision],
) -> Callable[Concatenate["Referee", Table, str, str, P], Table]:
    """Make a method that decides on a table write its decision and return the new table.

    The method that it makes has one more parameter, after `device`: the id of the tap.
    """

    @functools.wraps(decide)
    def commit(self: "Referee", table: Table, device: str, tap: str, *args: P.args, **options: P.kwargs) -> Table:
        return self._commit(table, device, tap, lambda current: decide(self, current, device, *args, **options))

    return commit


class Referee:
    """Checks entries against the current table, writes them, and notifies all phones.

    A method that changes a table takes the table as the request loaded it, and loads it again if it has changed since.
    Most of them only decide, and `_commits` makes them write their decision.
    """

    def __init__(self, store: Store, live: LiveUpdates, presence: Presence | None = None):
        self.store = store
        self.live = live
        self.presence = presence  # None on the command line, which serves no phones; then no seat is protected
        self.card_facts = CardFactsStore(store)
        self.players = Players(store, self.card_facts.owners)
        self.results = Results(store, self.card_facts.owners, self.players)
        self.learners = Learners(store)
        self.drafts = Drafts(store)
        self.imports = Imports(store)

    def open_table(
        self,
        device: str,
        game_key: str,
        setup: dict,
        *,
        strict: bool = True,
        consent: ConsentPolicy = "concerned",
        colors: Sequence[str] = (),
    ) -> Table:
        """Open a new table and return it.

        :param colors: the colors of the players' pieces; empty for those of the setup, or the default.
        :raises InvalidInputError: when the setup cannot be parsed.
        :raises IllegalMoveError: when the rules do not allow the setup.
        """
        tracked = TRACKED_GAMES[game_key]
        checked_setup = tracked.read_setup(setup, strict=strict)
        if tracked.pieces and colors:
            checked_setup = tracked.pieces.with_stored_colors(checked_setup, colors)
        payload = entries.Opened(
            game_key, tracked.box.version, to_data(checked_setup), consent=consent, colors=tuple(colors)
        )
        return self.store.open_table(Entry(1, timestamp(), device, None, payload))

    def usual_colors(
        self, device: str, tracked: TrackedGame[GameSetup, GameState], names: Sequence[str]
    ) -> tuple[str, ...]:
        """Return a color for each player of a new table; empty if the game has no pieces.

        Each player gets the color of their latest game that the phone may see, if it is free.
        """
        if tracked.pieces is None:
            return ()
        latest = self.results.latest_colors(device, tracked.box.key)
        colors: dict[int, str] = {}
        for player, name in enumerate(names):
            color = latest.get(name_key(name), "")
            if color in tracked.pieces.colors and color not in colors.values():
                colors[player] = color
        free_colors = (color for color in tracked.pieces.colors if color not in colors.values())
        return tuple(colors.get(player) or next(free_colors) for player in range(len(names)))

    def default_setup(self, tracked: TrackedGame[GameSetup, GameState], names: list[str]) -> dict:
        """Return the default setup of a new table for these players, as plain data."""
        setup = tracked.setup_format.defer_choices(tracked.setup_format.default(names))
        return to_data(self._new_setup(tracked, setup))

    def _new_setup(
        self, tracked: TrackedGame[GameSetup, GameState], setup: GameSetup, *earlier_codes: str
    ) -> GameSetup:
        facts = None
        if tracked.card_facts:
            facts = card_facts_review.facts_for_new_table(self.card_facts, tracked.box, *earlier_codes)
        return tracked.new_table_setup(setup, secrets.randbits(SEED_BITS), facts)

    def _series_codes(self, table: Table) -> list[str]:
        """Return the codes of a table and of the tables it is a rematch of, the earliest first."""
        codes = [table.code]
        with suppress(CorruptLogError, TableNotFoundError):
            while (previous_code := table.previous_code) and previous_code not in codes:
                table = self.store.table(previous_code)
                codes.append(previous_code)
        return codes[::-1]

    def rematch(self, table: Table, device: str, tap: str, first_seat: int = 0) -> Table:
        """Open a new table for the same players on the same phones and return it.

        If the table has a rematch already, return that one.

        :param first_seat: the seat of the new start player; the others follow in order.
        :raises NotAllowedError: when the game is not over, the phone takes no part in it, or the seat does not exist.
        """
        with self.store.table_lock(table.code):
            for _ in range(MAX_ATTEMPTS):
                table = self.store.table(table.code)
                if table.next_code:
                    return self.store.table(table.next_code)
                _require_member(table, device)
                if not table.is_over:
                    raise NotAllowedError("This game is not over yet. Finish it first.")
                _require_seat(table, first_seat)
                now, tracked, order = timestamp(), table.tracked, _turn_order(first_seat, len(table.seats))
                new_setup = tracked.setup_format.for_rematch(table.setup, table.state)
                setup = to_data(self._new_setup(tracked, new_setup, *self._series_codes(table)))
                setup["players"] = [setup["players"][old] for old in order]
                all_players = (*order, *range(len(order), len(table.names)))  # a bot has no seat
                wins = tuple(table.total_wins[old] for old in all_players)
                colors = colors_in_order(table, all_players)
                payload = entries.Opened(
                    tracked.key, tracked.box.version, setup, table.code, wins, table.consent, colors
                )
                first_entry = Entry(1, now, table.host, None, payload)
                held_seats = [(seat, holder) for seat, old in enumerate(order) if (holder := table.seats[old])]
                seat_entries = [
                    Entry(number, now, holder, seat, entries.SeatTaken())
                    for number, (seat, holder) in enumerate(held_seats, 2)
                ]
                previous = PreviousTable(
                    table, lambda new: Entry(table.version + 1, now, device, None, entries.RematchOpened(new)), tap
                )
                try:
                    new = self.store.open_table(first_entry, *seat_entries, previous=previous)
                except VersionConflictError:
                    continue
                self.live.announce(table.code, table.version + 1)
                return new
            raise TooManyRetriesError

    @_commits
    def change_setup(
        self, table: Table, device: str, setup: dict, first_seat: int, consent: ConsentPolicy | None = None
    ) -> Decision:
        """Change the setup before the first step.

        :param first_seat: the seat of the start player; the others follow in order.
        :raises NotAllowedError: when steps have been taken.
        """
        if table.steps:
            raise NotAllowedError("The game has started. Undo every step before you change the setup.")
        _require_member(table, device)
        count, players = len(table.seats), setup.get("players")
        if not isinstance(players, list | tuple):
            raise InvalidInputError("players: a list of players is needed")
        if len(players) != count:
            raise InvalidInputError(f"players: this table has {count} players, not {len(players)}")
        order = _turn_order(first_seat, count)
        # Fields that the form does not have keep their values.
        full_setup = to_data(table.setup) | setup | {"players": [players[old] for old in order]}
        return Decision(
            None, entries.SetupChanged(to_data(table.tracked.read_setup(full_setup, strict=False)), order, consent)
        )

    @_commits
    def sit(self, table: Table, device: str, seat: int) -> Decision:
        """Take a free seat, take a lost seat again, or ask for a seat that another phone holds."""
        _require_seat(table, seat)
        holder = table.seats[seat]
        if holder == device:
            raise NoChangeError
        if holder is None:
            return Decision(seat, entries.SeatTaken())
        if any(lost.seat == seat for lost in table.reclaimable_seats(device)):
            return Decision(seat, entries.SeatReclaimed())
        return Decision(seat, _propose(table, device, seat, entries.SeatRequested(asks_holder=True)))

    @_commits
    def choose_color(self, table: Table, device: str, seat: int, color: str) -> Decision:
        """Choose the color of a player's piece, at any time of the game. This also takes a free seat.

        :raises NotAllowedError: when another phone holds the seat, or the color is taken.
        """
        is_free = table.seats[_require_seat(table, seat)] is None
        if not is_free:
            _require_own_seat(table, device, seat)
        _require_free_color(table, device, seat, color)
        is_unchanged = table.piece_colors[seat] == color
        if is_free:
            return Decision(seat, entries.SeatTaken("" if is_unchanged else color))
        if is_unchanged:
            raise NoChangeError
        return Decision(seat, entries.ColorChosen(color))

    @_commits
    def change_setup_guide(
        self, table: Table, device: str, *, step: str = "", is_done: bool = True, is_open: bool = True
    ) -> Decision:
        """Open or close the guided setup, or tick a step off or not.

        :param step: the id of the step; empty: no step changes.
        :raises NotAllowedError: when the game has begun or has no guide, or the phone takes no part in it.
        """
        _require_member(table, device)
        if table.tracked.lessons is None or not table.is_in_setup:
            raise NotAllowedError("The game has begun, so the setup is over.")
        done = table.setup_guide.done if table.setup_guide else ()
        others = tuple(other for other in done if other != step)
        new = entries.SetupGuideChanged((*others, step) if step and is_done else others, is_open)
        if new == table.setup_guide:
            raise NoChangeError
        return Decision(None, new)

    @_commits
    def stand_up(self, table: Table, device: str, seat: int) -> Decision:
        """Give up a seat."""
        return Decision(_require_own_seat(table, device, seat), entries.SeatLeft())

    def play(self, table: Table, device: str, tap: str, seat: int, data: dict, *, strict: bool = True) -> Table:
        """Play a move, or propose it when it needs the table's consent.

        :raises InvalidInputError: when the data is no move of this game.
        :raises IllegalMoveError: when the rules do not allow the move.
        """

        def decide(table: Table) -> Decision:
            _require_own_seat(table, device, seat)
            move = table.tracked.decode(data, strict=strict)
            if isinstance(move, UseBoxFacts):
                raise NotAllowedError(
                    "Only the owner\u2019s card details can be used. Enter them on the page \u201cMy box\u201d."
                )
            change = entries.Played(to_data(move))
            if not move.needs_consent and not table.is_over:
                return Decision(seat, change, Prepared(move))  # applying the move checks whether it is legal
            if reasons := list(table.tracked.objections(table.state, seat, move)):
                raise IllegalMoveError(reasons, move)
            if not move.is_own_setup and not move.needs_consent and table.is_only_device(device):
                return Decision(seat, change, Prepared(move, is_checked=True))
            simulation = simulate(table, device, seat, change, Prepared(move, is_checked=True), timestamp())
            if move.is_own_setup and _is_only_own_setup(table, device, simulation.preview):
                return Decision(seat, change, simulation=simulation)
            return _propose_or_apply(table, device, seat, change, Prepared(move), simulation)

        new_table = self._commit(table, device, tap, decide)
        if not _has_new_box_facts(new_table) or not self.card_facts.owners.is_owner(device):
            return new_table
        self.send_card_facts(new_table.tracked.box, device)
        return self.store.table(table.code)

    def send_card_facts(self, box: Box, device: str) -> None:
        """Send new facts of a game's box to its running tables."""
        for code in self.store.unfinished_codes(MAX_TABLES_TO_UPDATE):
            with suppress(CorruptLogError, TableNotFoundError):
                table = self.store.table(code)
                if table.tracked.box is box:
                    self._commit(table, device, new_tap(), self._decide_card_facts)

    def _decide_card_facts(self, table: Table) -> Decision:
        new_values = card_facts_review.new_values_for(self.card_facts, table)
        values = compatible_values(table.tracked, table.state, new_values)
        if table.imported or not values:
            raise NoChangeError
        return Decision(0, entries.Played(use_box_facts_data(values)))

    @_commits
    def repair(self, table: Table, device: str, seat: int, plan: RepairPlan, *, is_previewed: bool = True) -> Decision:
        """Change the log: immediately if no one else is affected, or else by a proposal.

        :param is_previewed: whether the player has seen everything that the repair changes; if not, it may change only
            one step.
        :raises IllegalMoveError: when an inserted or changed step was not possible at that point.
        :raises IncompleteRepairError: when a later step is no longer valid and the plan says nothing about it, or when
            the repair changes more than the player has seen.
        """
        _require_own_seat(table, device, seat)
        outcome = _replay_plan(table, plan, seat)
        if outcome.refusal:
            raise IllegalMoveError(list(outcome.refusal))
        if not (outcome.is_complete and (is_previewed or outcome.is_single_step)):
            raise IncompleteRepairError(outcome)
        if outcome.changes_nothing:
            raise NoChangeError
        _require_no_foreign_notes(table, device, outcome)
        prepared = Prepared(steps=outcome.steps)
        if outcome.can_apply_alone(device):
            return Decision(seat, outcome.rewrite, prepared)
        simulation = simulate(table, device, seat, outcome.rewrite, prepared, timestamp())
        prepared = Prepared(request_text=simulation.preview.log_diff.request_text)
        return _propose_or_apply(table, device, seat, outcome.rewrite, prepared, simulation)

    @_commits
    def change_consent(self, table: Table, device: str, seat: int, consent: ConsentPolicy) -> Decision:
        """Change who must agree to changes at this table; all players have to agree to that."""
        _require_own_seat(table, device, seat)
        if table.consent == consent:
            raise NoChangeError
        return _propose_or_apply(table, device, seat, entries.ConsentChanged(consent))

    @_commits
    def write_ruling(
        self, table: Table, device: str, seat: int, question: str, interpretation: str, rule: str = ""
    ) -> Decision:
        """Propose a house rule for an open question or in place of a printed rule.

        All must agree.

        :param interpretation: how the table plays it; empty to drop the house rule.
        :param rule: the ID of the printed rule that it replaces, if any.
        """
        _require_own_seat(table, device, seat)
        question_text = " ".join(question.split())[:MAX_QUESTION_LENGTH]
        interpretation_text = " ".join(interpretation.split())[:MAX_INTERPRETATION_LENGTH]
        ruling = entries.OwnRuling(question_text, interpretation_text, rule if interpretation_text else "")
        known_rulings = {known_ruling.question: known_ruling for known_ruling in table.own_rulings}
        if not question_text:
            raise NotAllowedError("Enter the question first.")
        if not interpretation_text and question_text not in known_rulings:
            raise NotAllowedError("Enter how you play it, too.")
        if ruling.rule and ruling.rule not in table.tracked.box.rules:
            raise NotAllowedError("This game has no such rule. Open the page of a rule first.")
        if known_rulings.get(question_text) == ruling:
            raise NoChangeError
        if ruling.interpretation and question_text not in known_rulings and len(known_rulings) >= MAX_OWN_RULINGS:
            raise NotAllowedError(f"A table can have {MAX_OWN_RULINGS} house rules. Remove one first.")
        return _propose_or_apply(table, device, seat, ruling)

    @_commits
    def save_verdict(
        self, table: Table, device: str, seat: int, build_verdict: Callable[[Table], entries.VerdictSaved]
    ) -> Decision:
        """Save a verdict of the judge with the table, worded for its current position."""
        _require_own_seat(table, device, seat)
        if len(table.verdicts) >= MAX_VERDICTS:
            raise NotAllowedError(f"This table already has {MAX_VERDICTS} saved answers.")
        return Decision(seat, build_verdict(table))

    @_commits
    def claim_account(self, table: Table, device: str, seat: int, plan: RepairPlan | None) -> Decision:
        """Record how this seat thinks the game really went; without a plan, agree with the log.

        :raises NotAllowedError: when the plan contains a secret note, or no longer fits the log.
        """
        _require_own_seat(table, device, seat)
        encoded = plan.encode() if plan else ""
        if encoded == next((claim.plan for claim in table.claims if claim.seat == seat), ""):
            raise NoChangeError
        if plan:
            outcome = _replay_plan(table, plan, seat)
            if outcome.has_secrets or any(move.is_secret for move in outcome.entered_moves):
                raise NotAllowedError("This version would reveal a private entry, so it cannot be compared.")
        return Decision(seat, entries.AccountClaimed(encoded))

    @_commits
    def finish_actions(self, table: Table, device: str, seat: int, repair: int, owner: int | None) -> Decision:
        """Report actions after a repair as done; without an owner, the table as in line already.

        :param owner: a seat of this phone or of no phone, a player without a seat, or `SHARED`.
        :raises NotAllowedError: when the actions are those of another phone.
        """
        _require_own_seat(table, device, seat)
        actions = table.open_actions
        if actions is None or actions.repair != repair or owner in actions.done:
            raise NoChangeError
        if owner is not None and owner not in table.action_owners(device):
            raise NotAllowedError(
                "Only the phone of that player can report this. Ask the player to tap \u201cDone\u201d."
            )
        return Decision(seat, entries.ActionsDone(repair, owner))

    @_commits
    def pin_step(self, table: Table, device: str, seat: int, step_id: str) -> Decision:
        """Pin the table view to the position before a step; an empty step id unpins it."""
        _require_own_seat(table, device, seat)
        if table.pinned_step == step_id:
            raise NoChangeError
        step = table.active_step(step_id)
        if step_id and (step is None or (step.move.is_secret and not table.is_over)):
            raise NotAllowedError("This step cannot be shown.")
        return Decision(seat, entries.SnapshotPinned(step_id))

    @_commits
    def answer(self, table: Table, device: str, number: int, agrees: bool) -> Decision:
        """Agree to a proposal or decline it. The host decides for those who do not answer.

        The seat of a phone that has been active lately is given to another phone only by that phone itself.
        """
        proposal = table.find_proposal(number)
        if proposal is None:
            raise NotAllowedError("This request has already been answered.")
        own_seats = table.seats_of(device)
        asked_own_seats = [seat for seat in proposal.waiting_seats if seat in own_seats]
        requested_seat = proposal.seat if isinstance(proposal.proposable, entries.SeatRequested) else None
        is_holder = requested_seat in own_seats
        if not (asked_own_seats or device == table.host or (not agrees and (is_holder or device == proposal.device))):
            raise NotAllowedError("Your phone is not asked to answer this request.")
        seat = asked_own_seats[0] if asked_own_seats else own_seats[0] if own_seats else None
        if not agrees:
            return Decision(seat, entries.Declined(number))
        if requested_seat is not None and not is_holder:
            self._require_silence(table, requested_seat)
        elif not asked_own_seats and self.presence and (left := seconds_until_host_decision(proposal, timestamp())):
            seconds = "a second" if left == 1 else f"{left} seconds"
            raise NotAllowedError(f"Give the others a moment to answer. You can decide in {seconds}.")
        return Decision(seat, entries.Agreed(number) if asked_own_seats else entries.Decided(number))

    def _require_silence(self, table: Table, seat: int) -> None:
        """Require that the phone that holds a seat has been silent for long enough.

        :raises NotAllowedError: when it has not.
        """
        holder = table.seats[seat]
        if self.presence is None or holder is None:
            return
        left = 60 * allowed_silence(table.tracked) - self.presence.silence(table.code, holder)
        if left > 0:
            name = table.names[seat]
            raise NotAllowedError(
                f"{name}\u2019s phone was active just now, so only {name} can hand over the seat. "
                f"If it stays silent, you can decide in {describe_minutes(left)}."
            )

    def _commit(self, table: Table, device: str, tap: str, decide: Callable[[Table], Decision]) -> Table:
        """Decide on a table and write the entry; decide again if the table has changed meanwhile.

        A tap that has been written already changes nothing.
        """
        code = table.code
        with self.store.table_lock(code):
            for _ in range(MAX_ATTEMPTS):
                table = self.store.current_table(table)
                try:
                    decision = decide(table)
                    if table.imported:  # the table has no entry of this instance yet
                        import_entry = Entry(table.version + 1, timestamp(), device, None, entries.Imported())
                        with suppress(VersionConflictError):
                            self.store.append(apply_entry(table, import_entry), import_entry, new_tap())
                        continue
                    entry, new_table = _apply_decision(table, device, decision)
                except NoChangeError:
                    return table
                except (IllegalMoveError, ConflictingStepError, NotAllowedError, IncompleteRepairError):
                    if self.store.has_tap(code, tap):  # a repeated tap; its first request has changed the table
                        return table
                    raise
                try:
                    self.store.append(new_table, entry, tap, lambda: self._update_projections(device, table, new_table))
                except DuplicateTapError:
                    return self.store.table(code)
                except VersionConflictError:
                    continue
                self.live.announce(code, entry.number)
                return new_table
            raise TooManyRetriesError

    def _update_projections(self, device: str, before: Table, after: Table) -> None:
        """Update the card facts and the history for a new entry, in the transaction that writes it."""
        if not (len(after.steps) > len(before.steps) and isinstance(after.steps[-1].move, UseBoxFacts)):
            card_facts_review.record_entry(self.card_facts, device, before, after)
        self.results.record_entry(before, after)


class NoChangeError(Exception):
    """The table is as requested already, so there is nothing to write."""


def _apply_decision(table: Table, device: str, decision: Decision) -> tuple[Entry, Table]:
    """Return the entry to write, and the table after it."""
    seat, payload, prepared, simulation = decision
    if simulation and not isinstance(payload, entries.Proposed):
        return Entry(table.version + 1, simulation.table.updated_at, device, seat, payload), simulation.table
    entry = Entry(table.version + 1, timestamp(), device, seat, payload)
    new_table = apply_entry(table, entry, prepared)
    if simulation and new_table.find_proposal(entry.number):
        new_table.simulations[entry.number] = simulation.without_steps()
    return entry, new_table


def _replay_plan(table: Table, plan: RepairPlan, seat: int) -> Outcome:
    """:raises NotAllowedError: when the plan no longer fits the log."""
    try:
        return replay(table, plan, seat)
    except (InvalidEntryError, InvalidInputError):
        raise NotAllowedError("The game log has changed since then. Open it again.") from None


def _propose_or_apply(
    table: Table,
    device: str,
    seat: int,
    change: entries.TableChange,
    prepared: Prepared = NOTHING_PREPARED,
    simulation: Simulation | None = None,
) -> Decision:
    """Return a decision that proposes a change, or applies it if no one has to agree.

    :param prepared: what is known of the proposal.
    :param simulation: what the change does; without it, the change affects everyone.
    """
    asked_seats, required_agreements = required_approvals(table, device, simulation and simulation.preview)
    if not asked_seats and (table.consent == "trust" or not table.is_only_device(device)):
        return Decision(seat, change, simulation=simulation)
    proposed = _propose(table, device, seat, change, asked_seats, required_agreements)
    return Decision(seat, proposed, prepared, simulation)


def _propose(
    table: Table,
    device: str,
    seat: int,
    change: entries.Proposable,
    asked_seats: tuple[int, ...] | None = None,
    required_agreements: int = 0,
) -> entries.Proposed:
    """Return a proposal to all players or to some seats, unless too many are open.

    :raises NotAllowedError: when proposals of this phone, or of the others, must be answered first.
    """
    own_proposals = [pending for pending in table.proposals if pending.device == device]
    if any(pending.seat == seat and pending.proposable == change for pending in own_proposals):
        raise NoChangeError  # this phone already waits for the answer
    devices_without_seat = {pending.device for pending in table.proposals if not table.seats_of(pending.device)}
    if isinstance(change, entries.SeatRequested):
        if any(isinstance(pending.proposable, entries.SeatRequested) for pending in own_proposals):
            raise NotAllowedError("You already asked for a seat. Wait for the answer, or tap \u201cWithdraw\u201d.")
        _require_no_recent_refusal(table, device, seat)
    if len(own_proposals) >= MAX_PROPOSALS_PER_PHONE:
        raise NotAllowedError(f"You already have {MAX_PROPOSALS_PER_PHONE} open requests. Wait for the answers first.")
    is_full = not table.seats_of(device) and len(devices_without_seat) >= MAX_PROPOSALS_OF_STRANGERS
    if is_full or len(table.proposals) >= MAX_PROPOSALS:
        raise NotAllowedError("There are too many open requests. Ask again once they are answered.")
    return entries.Proposed(change, asked_seats, required_agreements)


def _require_no_recent_refusal(table: Table, device: str, seat: int) -> None:
    """Require no recent refusal of this seat; all phones without a seat count as one phone.

    :raises NotAllowedError: when the seat was refused to this phone within the cooldown.
    """
    refused = table.seat_refusals.get(seat)
    if refused is None or (device != refused.device and (table.seats_of(device) or table.seats_of(refused.device))):
        return
    elapsed = datetime.datetime.fromisoformat(timestamp()) - datetime.datetime.fromisoformat(refused.created_at)
    left = 60 * SEAT_REQUEST_COOLDOWN - elapsed.total_seconds()
    if 0 < left <= 60 * SEAT_REQUEST_COOLDOWN:  # it is more only if the clock was set back; then no one has to wait
        name = table.names[seat]
        raise NotAllowedError(
            f"Your request was just declined. You can ask for {name}\u2019s seat again in {describe_minutes(left)}."
        )


def seconds_until_host_decision(proposal: Proposal, now: str) -> int:
    """Return the seconds until the host can decide an unanswered proposal."""
    elapsed = datetime.datetime.fromisoformat(now) - datetime.datetime.fromisoformat(proposal.created_at)
    left = math.ceil(HOST_DECISION_DELAY - elapsed.total_seconds())
    # It is more only if the clock was set back; then no one has to wait.
    return left if 0 < left <= HOST_DECISION_DELAY else 0


def allowed_silence(tracked: TrackedGame) -> int:
    """Return for how many minutes a phone must be silent before its seat can be given away."""
    return ALLOWED_SILENCE_WITH_SECRETS if tracked.has_secrets else ALLOWED_SILENCE


def describe_minutes(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    return "a minute" if minutes == 1 else f"{minutes} minutes"


def _turn_order(first_seat: int, count: int) -> tuple[int, ...]:
    """Return the seats in turn order when this seat starts."""
    return tuple((first_seat + seat) % count for seat in range(count))


def _require_seat(table: Table, seat: int) -> int:
    if not 0 <= seat < len(table.seats):
        raise NotAllowedError("This table has no such seat.")
    return seat


def _is_only_own_setup(table: Table, device: str, preview: Preview) -> bool:
    """Return whether a change only sets up the phone's own area before its first turn.

    No one else has to agree to that.
    """
    return (
        table.can_join_midgame and table.consent == "concerned" and preview.affected_seats <= {*table.seats_of(device)}
    )


def _require_free_color(table: Table, device: str, seat: int, color: str) -> None:
    """Refuse a color that a seat cannot have.

    :raises NotAllowedError: when the box has no such color, or a player at another phone has it.
    """
    pieces = table.tracked.pieces
    if pieces is None or color not in pieces.colors:
        raise NotAllowedError("This color is not in the box. Choose another one.")
    keeper = color_keeper(table, seat, color, device)
    if keeper is not None:
        name = table.names[keeper]
        raise NotAllowedError(
            f"{name} has the {pieces.colors[color]} {pieces.noun}. Choose another color, or ask {name} to change first."
        )


def _require_own_seat(table: Table, device: str, seat: int) -> int:
    if table.seats[_require_seat(table, seat)] != device:
        raise NotAllowedError(f"{table.names[seat]}\u2019s seat is not on this phone. Take it first.")
    return seat


def _require_no_foreign_notes(table: Table, device: str, outcome: Outcome) -> None:
    """Require that a repair reveals no secret note of another player.

    Proposing a repair would reveal the notes in it.

    :raises NotAllowedError: when it inserts another player's note, or changes nothing but such notes before the game
        is over.
    """
    steps, own_seats = outcome.changed_steps, table.seats_of(device)
    foreign_notes = [step for step in steps if step.move.is_secret and step.seat not in own_seats]
    inserts_note = any(step.id not in table.index_by_step and step.id not in table.removed for step in foreign_notes)
    if inserts_note or (foreign_notes and len(foreign_notes) == len(steps) and not table.is_over):
        raise NotAllowedError(FOREIGN_NOTE_TEXT)


def use_box_facts_data(values: Sequence[FactValue]) -> dict:
    """Return the move that takes over values from a box, as plain data."""
    return {"type": "use-box-facts", "values": msgspec.json.encode(values).decode()}


def compatible_values(
    tracked: TrackedGame[GameSetup, GameState], state: GameState, values: Iterable[FactValue]
) -> list[FactValue]:
    """Return the values of a box that fit the position of a table."""
    if not tracked.card_facts:
        return []
    facts_of, compatible = tracked.card_facts.of_state, list[FactValue]()
    known_errors = list(tracked.position_format.position_errors(state)) if tracked.position_format else []
    for value in values:
        new_state = tracked.decode(use_box_facts_data([value])).apply(state, 0)
        adds_error = tracked.position_format and any(
            error not in known_errors
            for error in tracked.position_format.position_errors(tracked.flow.resolve_forced_steps(new_state))
        )
        if facts_of(new_state) != facts_of(state) and not adds_error:
            compatible.append(value)
            state = new_state
    return compatible


def _has_new_box_facts(table: Table) -> bool:
    """Return whether the latest entry of a table has changed the facts of its box."""
    card_facts = table.tracked.card_facts
    step = table.steps[-1] if card_facts and table.steps else None
    if not card_facts or step is None or step.number != table.version:
        return False
    return card_facts.of_state(step.before) != card_facts.of_state(step.after)


def _require_member(table: Table, device: str) -> None:
    if device != table.host and not table.seats_of(device):
        raise NotAllowedError("Take a seat first. Then you can change the setup.")
