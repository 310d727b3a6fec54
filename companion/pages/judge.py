"""The pages of the judge: queries and answers, rulings, accounts of the game, verdicts."""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from companion.log.entries import OwnRuling, VerdictSaved, format_date, local_date, local_time
from companion.log.log_diff import common_ends
from companion.log.option_replay import OptionReplay, position_differences, replay_with_option, state_with_option
from companion.log.plans import decode_plan
from companion.log.preview import Preview, compare
from companion.log.replay import replay
from companion.log.steps import InvalidEntryError, quote_step
from companion.log.table import Claim, Table, Verdict
from companion.pages.rules import search_rules
from companion.pages.seat import SeatPage
from companion.pages.table import ProposalView, TableMixin, table_page
from companion.pages.timeline import StepChange, can_read, step_changes, turn_page
from companion.pages.variants import suggested_variants
from scoring.kernel.editable import FieldDifference
from scoring.kernel.english import capitalize_first, join_words, quote
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.legality import Explanation, Query, explain, play_out, possible_actions
from scoring.kernel.move import AdoptRuling, Move, chosen_option
from scoring.kernel.rule import Option, Reason, Rule, Ruling
from scoring.kernel.sheet import Sheet
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame

SECRET_REASON_TEXT = "The reason is secret. Only that player\u2019s phone can show it."
# Each answer begins with "Yes" or "No", or with what it depends on. The unit is a turn, or a round of all players.
VERDICT_TEXTS = {
    "now": "Yes.",
    "later": "Yes, later this {unit}.",
    "no": "No, not this {unit}.",
    "unknown": "No way was found this {unit}, but there are too many to try them all.",
}
OUT_OF_TURN_VERDICT_TEXTS = {
    "now": "No, not now. On your next {unit} you could.",
    "later": "No, not now. On your next {unit} you could, after other moves.",
    "no": "No, and not on your next {unit} either.",
    "unknown": "No, not now. No way was found on your next {unit}.",
}
# For a move that is meant at the present place, such as to stop here, and is only legal at a later one.
ELSEWHERE_TEXT = "No, not here. Later this {unit} you could, after other moves."
OUT_OF_TURN_DEPENDS_TEXT = "No, not now. On your next {unit}, it depends on {fact}, which is not entered yet."
DEPENDS_TEXT = "It depends on {fact}, which is not entered yet."
MAX_RULES = 6  # on the page for questions
MAX_STEPS = 10  # of the log, offered for a question about an earlier position


# Queries and their answers


@dataclass(frozen=True)
class AskPage(TableMixin):
    """The page for questions: rules search, possible actions this turn, rulings, verdicts."""

    seat: int | None  # the seat of this phone that asks
    step_id: str  # the question is about the position before this step; empty: the current position
    query: str
    rules: tuple[Rule, ...]
    possible_actions: tuple[tuple[str, tuple[Query, ...]], ...]  # by the title of their move
    cell: str  # the square of a map that the question is about: "3,0"; may be empty or invalid
    unit: str  # of the actions: "turn" or "round"
    is_future_turn: bool  # it is not this seat's turn: the actions are those of a turn that began now
    rulings: tuple[tuple[Ruling, Option], ...]  # with the option this table plays by
    own_rulings: tuple[OwnRuling, ...]
    box_rulings: tuple[OwnRuling, ...]  # house rules stored with the box that this table does not use
    suggestions: tuple[OwnRuling, ...]  # common variants that this table does not use
    replaced_rule: Rule | None  # the printed rule for which a variant is to be written
    latest_steps: tuple[tuple[str, str], ...]  # id and text
    account_count: int  # claims that compete with the log
    verdicts: tuple[Verdict, ...]
    proposed_rulings: tuple[ProposalView, ...]  # house rules waiting for approval
    sent_proposal: ProposalView | None  # the proposal this phone has just made
    applied_text: str  # the change that this phone's last form made
    refusal: tuple[Reason | str, ...] = ()  # why the last form was refused


@dataclass(frozen=True)
class AnswerPage(TableMixin):
    """The answer whether a player may make a move, with reasons and consequences."""

    seat: int
    step_id: str
    explanation: Explanation
    log_text: str = ""  # the log line; empty: the move cannot be reached
    reminders: tuple[str, ...] = ()
    preview: Preview | None = None  # the differences
    resulting_page: SeatPage | None = None  # the table after the move

    @property
    def unit(self) -> str:
        """Return what a player's moves are made in: "turn" or "round"."""
        return turn_unit(self.table.tracked)

    @property
    def verdict(self) -> str:
        """Return the answer in a few words."""
        is_out_of_turn = self.explanation.wait_reason is not None
        if fact := self.explanation.unknown_fact:
            return (OUT_OF_TURN_DEPENDS_TEXT if is_out_of_turn else DEPENDS_TEXT).format(unit=self.unit, fact=fact)
        if self._is_legal_only_elsewhere:
            return ELSEWHERE_TEXT.format(unit=self.unit)
        texts = OUT_OF_TURN_VERDICT_TEXTS if is_out_of_turn else VERDICT_TEXTS
        return texts[self.explanation.legality].format(unit=self.unit)

    @property
    def is_yes(self) -> bool:
        """Return whether the player may make the move now or later in this turn or round."""
        is_legal = self.explanation.legality in ("now", "later") and not self.explanation.wait_reason
        return is_legal and not self._is_legal_only_elsewhere

    @property
    def _is_legal_only_elsewhere(self) -> bool:
        explanation = self.explanation
        is_legal_later = explanation.legality == "later" and not explanation.wait_reason
        return is_legal_later and explanation.move.is_at_present_place

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Return the reasons against the move at the present place."""
        answer = self.explanation
        wait_reasons = (answer.wait_reason,) if answer.wait_reason else ()
        nearest_reasons = answer.nearest.reasons if answer.nearest else ()
        return (*wait_reasons, *(reason for reason in answer.reasons if reason not in nearest_reasons))

    @property
    def nearest_heading(self) -> str:
        """Return the heading of the nearest place: "On your next turn: the Parks site"."""
        nearest = self.explanation.nearest
        assert nearest
        when = f"On your next {self.unit}" if nearest.is_next_turn else ""
        return capitalize_first(": ".join(filter(None, (when, nearest.place)))) or "What is missing"

    @property
    def nearest_text(self) -> str:
        """Return the missing things at the nearest place, as sentences."""
        nearest = self.explanation.nearest
        assert nearest
        if not nearest.reasons:
            return "You could, if nothing changes until then."
        if nearest.changes_are_for_alternative:
            return ""
        return nearest.missing_text


def turn_unit(tracked: TrackedGame[GameSetup, GameState]) -> str:
    return "round" if tracked.flow.is_simultaneous else "turn"


def state_at_step(table: Table, step_id: str, device: str) -> GameState:
    """Return the position a question is about: before a step, or the current one.

    :raises InvalidEntryError: if this phone can read no such step.
    """
    if not step_id:
        return table.state
    known = table.find_step(step_id)
    if not can_read(table, known, table.seats_of(device)):
        raise InvalidEntryError(f"there is no step {step_id} for this phone")
    return known.before


def _applied_text(table: Table, seat: int | None, number: int) -> str:
    """Return the public log line of an entry that took effect, or an empty text."""
    own_lines = (line for line in table.messages if line.number == number and line.seat == seat)
    return next((line.text for line in own_lines if line.is_news and not line.is_secret), "")


def ask_page(
    table: Table,
    device: str,
    seat: int | None,
    query: str,
    step_id: str,
    box_rulings: list[OwnRuling],
    refusal: Iterable[Reason | str] = (),
    sent_number: int = 0,
    cell: str = "",
    rule_id: str = "",
) -> AskPage:
    """Build the page for questions, as a seat may see it (None: as everyone may).

    :param cell: the square of a map that the question is about, as the phone sent it.
    :param rule_id: the printed rule for which a variant is to be written.
    :param sent_number: the number of the entry that this phone's last form made; 0: none.
    :raises InvalidEntryError: if there is no such step.
    """
    tracked, state = table.tracked, state_at_step(table, step_id, device)
    view, to_move = tracked.view(state, seat), tracked.flow.to_move(state)
    actions = [] if seat is None else possible_actions(tracked, view, seat)
    options = ((ruling, ruling.option(chosen_option(state.rulings, ruling))) for ruling in tracked.box.rulings)
    steps = reversed([step for step in table.steps if not step.move.is_secret][-MAX_STEPS:])
    questions = {ruling.question for ruling in table.own_rulings}
    page = table_page(table, device, seat)
    ruling_numbers = {proposal.number for proposal in table.proposals if isinstance(proposal.proposable, OwnRuling)}
    sent_proposal = next((question for question in page.proposals if question.number == sent_number), None)
    return AskPage(
        table=page,
        seat=seat,
        step_id=step_id,
        query=query,
        rules=search_rules(tracked.box, query)[:MAX_RULES],
        possible_actions=tuple(actions_by_title(tracked, actions)),
        cell=cell,
        unit=turn_unit(tracked),
        is_future_turn=seat is not None and bool(to_move) and seat not in to_move,
        rulings=tuple((ruling, option) for ruling, option in options if option),
        own_rulings=table.own_rulings,
        box_rulings=tuple(ruling for ruling in box_rulings if ruling.question not in questions),
        suggestions=tuple(
            ruling
            for ruling in suggested_variants(tracked.box)
            if ruling.question not in questions and rule_id in ("", ruling.rule)
        ),
        replaced_rule=tracked.box.rules.get(rule_id),
        latest_steps=tuple((step.id, step.text) for step in steps),
        account_count=len(table.claims),
        verdicts=tuple(reversed(table.verdicts)),
        proposed_rulings=tuple(question for question in page.proposals if question.number in ruling_numbers),
        sent_proposal=sent_proposal,
        applied_text="" if sent_proposal else _applied_text(table, seat, sent_number),
        refusal=tuple(refusal),
    )


def actions_by_title(
    tracked: TrackedGame[GameSetup, GameState], actions: list[Query]
) -> Iterator[tuple[str, tuple[Query, ...]]]:
    """Yield the actions by kind of move, under its title, no two with the same label."""
    by_legality = sorted(actions, key=lambda action: (not action.is_legal_now, not action.is_possible))
    for kind in tracked.moves:
        kind_actions = [action for action in by_legality if type(action.move) is kind]
        label_counts = Counter(action.label for action in kind_actions)
        has_parentheses = any(action.label.endswith(")") for action in kind_actions)
        by_label: dict[str, Query] = {}
        for action in kind_actions:
            has_hint = action.hint and label_counts[action.label] > 1
            hint = f": {action.hint}" if has_parentheses else f" ({action.hint})"
            label = f"{action.label}{hint if has_hint else ''}"
            by_label.setdefault(label, replace(action, label=label))
        if by_label:
            yield kind.title, tuple(by_label.values())


def answer_page(table: Table, device: str, seat: int, move: Move, step_id: str, button_label: str = "") -> AnswerPage:
    """Build the answer to "May I?" and "What happens if?".

    :raises InvalidEntryError: if there is no such step.
    """
    tracked = table.tracked
    answer = explain(tracked, tracked.view(state_at_step(table, step_id, device), seat), seat, move, button_label)
    page = table_page(table, device, seat)
    if answer.legality in ("no", "unknown"):
        return AnswerPage(page, seat, step_id, answer)
    old_state, new_state, log_text = play_out(tracked, answer, seat)
    old_table = table.at_state(answer.state)
    preview = compare(old_table, old_table.at_state(new_state))
    if preview.ends_game:
        return AnswerPage(page, seat, step_id, answer, log_text, preview=preview)
    reminders = tracked.text.reminders(tracked.view(old_state, None), tracked.view(new_state, None), answer.move)
    reminder_texts = tuple(
        reminder.text if reminder.seat in (None, seat) else reminder.addressed_to(table.names[reminder.seat])
        for reminder in reminders
    )
    new_table = old_table.at_state(new_state)
    snapshot_key = f"asked {seat} {step_id} {msgspec.json.encode(answer.move).decode()}"
    resulting_page = turn_page(new_table, new_state, device, seat, seat, snapshot_key=snapshot_key)
    return AnswerPage(page, seat, step_id, answer, log_text, reminder_texts, preview, resulting_page)


def build_verdict(page: AnswerPage) -> VerdictSaved:
    """Return an answer as a verdict to save."""
    answer, name = page.explanation, page.table.names[page.seat]
    reason_texts = [reason.text for reason in page.reasons]
    if nearest := answer.nearest:
        if nearest.labels:
            reason_texts.append(f"The nearest place is after these moves: {_describe_route(nearest.labels)}.")
        texts = (f"{page.nearest_heading}: {text}" if text else "" for text in (page.nearest_text,))
        reason_texts += [*filter(None, texts), *(reason.text for reason in nearest.reasons)]
        if nearest.alternative and not nearest.alternative_reasons:
            reason_texts.append(f"Allowed instead: {nearest.alternative_label}.")
    reason_texts += [f"First: {_describe_route(route)}." for route in answer.way_labels]
    if page.log_text:
        reason_texts.append(f"Result: {page.log_text}")
    rules = tuple(rule.id for rule in answer.rules)
    question = f"{name}: Is {quote(answer.label)} allowed?"
    return VerdictSaved(question, page.verdict, tuple(reason_texts), rules, page.step_id)


def _describe_route(labels: Iterable[str]) -> str:
    return ", then ".join(map(quote, labels))


# Rulings


@dataclass(frozen=True)
class OptionPreview:
    """An option of a ruling, with the changes it would make at this table."""

    option: Option
    is_current: bool  # the table plays by it
    differences: tuple[FieldDifference, ...]  # in the position, and in the score if the game ended now
    newly_possible: tuple[str, ...]  # moves that would become legal now
    no_longer_possible: tuple[str, ...]  # moves that would become illegal now
    move: Move  # the move that adopts the option
    replay: OptionReplay | None  # the game by this option from the start; None: it was played that way


@dataclass(frozen=True)
class RulingPage(TableMixin):
    """The options of a ruling, on a point that the book leaves open, side by side."""

    seat: int | None
    ruling: Ruling
    options: tuple[OptionPreview, ...]
    sheet: Sheet  # the score as the game was played


def ruling_page(table: Table, device: str, seat: int | None, ruling: Ruling) -> RulingPage:
    """Build the options of a ruling, with the differences that everyone may see."""
    tracked, current = table.tracked, table.at_state(table.state)
    current_moves = _possible_moves(tracked, current.public_view)
    adopt_kind = tracked.find_kind(AdoptRuling)
    assert adopt_kind, "a game with rulings has a move that adopts one"
    was_adopted = any(isinstance(step.move, AdoptRuling) and step.move.ruling == ruling.id for step in table.steps)
    previews = []
    for option in ruling.options:
        state = state_with_option(table, table.state, ruling, option)
        preview = compare(current, table.at_state(state))
        new_moves = {} if preview.ends_game else _possible_moves(tracked, table.visible_state(state, None))
        is_current = option.id == chosen_option(table.state.rulings, ruling)
        was_always_played = is_current and not was_adopted
        previews.append(
            OptionPreview(
                option=option,
                is_current=is_current,
                differences=(*position_differences(preview, ruling), *preview.points),
                newly_possible=tuple(label for key, label in new_moves.items() if key not in current_moves),
                no_longer_possible=tuple(label for key, label in current_moves.items() if key not in new_moves),
                move=adopt_kind(ruling.id, option.id),
                replay=None if was_always_played else replay_with_option(table, ruling, option),
            )
        )
    return RulingPage(table_page(table, device, seat), seat, ruling, tuple(previews), table.public_sheet)


def _possible_moves(tracked: TrackedGame[GameSetup, GameState], view: GameState) -> dict[tuple[int, Move], str]:
    """Return the legal moves of the players who are to move, each with its label."""
    return {
        (seat, move): f"{view.players[seat].name}: {quote(move.label(view, seat).text)}"
        for seat in tracked.flow.to_move(view)
        for kind in tracked.available_moves(view)
        for move in kind.query_candidates(view, seat)
        if not move.is_secret and tracked.is_legal(view, seat, move)
    }


# Accounts: the log as a player claims it happened


@dataclass(frozen=True)
class Account:
    """One player's account of the game, replayed."""

    seat: int  # the player who claims it
    step_changes: tuple[StepChange, ...] = ()  # the steps that differ
    impossible_step: str = ""  # the first step that is impossible; empty: all are possible
    objections: tuple[str | Reason, ...] = ()
    is_outdated: bool = False  # the log has changed since: the account must be entered again
    is_unchanged: bool = False  # it is the same as the log
    preview: Preview | None = None  # the differences from the log
    plan: str = ""  # the repair that would apply it; empty: it cannot be applied
    first_difference: str = ""  # the first step where it differs from the log
    # For each other account: the player who claims it, and the differences from it.
    account_differences: tuple[tuple[str, tuple[FieldDifference, ...]], ...] = ()


@dataclass(frozen=True)
class AccountsPage(TableMixin):
    """All accounts of the game, side by side."""

    seat: int | None
    accounts: tuple[Account, ...]


def accounts_page(table: Table, device: str, seat: int | None) -> AccountsPage:
    """Build the page of every player's account, with its differences and objections."""
    accounts, visible_tables = [], list[tuple[int, Table]]()
    for claim in table.claims:
        account, new_table = _account(table, claim)
        if new_table:
            start, _ = common_ends(table.steps, new_table.steps)
            first_difference = quote_step(table.steps[start]) if start < len(table.steps) else "the end"
            preview, differences = compare(table, new_table), ()
            if not preview.ends_game:  # the end would reveal secrets
                visible_table = table.at_state(table.visible_state(new_table.state, None))
                differences = tuple(
                    (table.names[other_seat], compare(other_table, visible_table, is_past=True).all_differences)
                    for other_seat, other_table in visible_tables
                )
                visible_tables.append((claim.seat, visible_table))
            account = dataclasses.replace(
                account, preview=preview, first_difference=first_difference, account_differences=differences
            )
        accounts.append(account)
    return AccountsPage(table_page(table, device, seat), seat, tuple(accounts))


def _account(table: Table, claim: Claim) -> tuple[Account, Table | None]:
    """Return the account of a claim without its differences, and the table after it.

    The table is None if the account is outdated, cannot be played, or changes nothing.
    """
    try:
        outcome = replay(table, decode_plan(claim.plan))
    except (InvalidEntryError, InvalidInputError):
        return Account(claim.seat, is_outdated=True), None
    # A later step whose text alone changes is not a difference between accounts.
    changes = tuple(change for change in step_changes(outcome, ()) if change.kind != "changed")
    account = Account(claim.seat, changes)
    if refused := outcome.refused:
        view = table.tracked.view(outcome.state, None)
        objections = tuple(table.tracked.objections(view, refused.seat, refused.move)) or (SECRET_REASON_TEXT,)
        impossible_step = f"{table.names[refused.seat]}: {refused.move.label(view, refused.seat).text}"
        return dataclasses.replace(account, impossible_step=impossible_step, objections=objections), None
    if outcome.blocked:
        names = join_words([table.names[seat] for seat in outcome.blocked.seats_to_move])
        objections = (
            (f"It was not that player\u2019s turn. {names} had to move first.",)
            if names
            else outcome.blocked.objections
        )
        impossible_step = quote_step(outcome.blocked.step)
        return dataclasses.replace(account, impossible_step=impossible_step, objections=objections), None
    if outcome.changes_nothing:
        return dataclasses.replace(account, is_unchanged=True), None
    return dataclasses.replace(account, plan=claim.plan), replace(table, steps=outcome.steps)


# Verdicts


@dataclass(frozen=True)
class VerdictPage(TableMixin):
    """A saved verdict, with the table as it was at that time."""

    number: int
    asker_name: str
    date: str
    time: str
    judged: VerdictSaved
    rules: tuple[Rule, ...]
    snapshot: SeatPage
    can_print: bool

    @property
    def view(self) -> GameState:
        """Return the table at that time as everyone could see it, which is what is printed."""
        return self.snapshot.table.public_view

    @property
    def piece_colors(self) -> tuple[str, ...]:
        return self.table.piece_colors

    @property
    def final(self) -> object:
        return self.snapshot.table.tracked.final_position(self.view)

    @property
    def sheet(self) -> Sheet:
        return self.game.score(self.final)


def verdict_page(table: Table, table_then: Table, device: str, verdict: Verdict, can_print: bool) -> VerdictPage:
    """Build the page of a verdict; `table_then` is the table when the verdict was given."""
    rules, judged = table.tracked.box.rules, verdict.payload
    snapshot = turn_page(
        table_then,
        table_then.find_step(judged.step).before if judged.step else table_then.state,
        device,
        None,
        verdict.seat,
        snapshot_key=f"verdict {verdict.number}",
    )
    return VerdictPage(
        table=table_page(table, device),
        number=verdict.number,
        asker_name=table.names[verdict.seat],
        date=format_date(local_date(verdict.created_at)),
        time=local_time(verdict.created_at),
        judged=judged,
        rules=tuple(rules[id] for id in judged.rules if id in rules),
        snapshot=snapshot,
        can_print=can_print,
    )
