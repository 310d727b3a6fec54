"""The pages of the judge: queries and answers, rulings, accounts of what happened, verdicts."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from companion.log.entries import LogRewritten, OwnRuling, VerdictSaved, local_date, local_time
from companion.log.log_diff import common_ends, rewrite_entry
from companion.log.preview import Preview, compare
from companion.log.repair import Insert, apply_repair, decode_plan
from companion.log.table import Claim, InvalidEntryError, Step, Table, Verdict, describe_conflict, quote_step
from companion.pages.menu import move_title
from companion.pages.rules import search_rules
from companion.pages.table import ProposalView, SeatPage, TableMixin, TablePage, table_page
from companion.pages.timeline import can_read, turn_page
from scoring.kernel.editable import FieldDifference
from scoring.kernel.english import join_words
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.legality import Explanation, Query, explain, possible_actions
from scoring.kernel.move import AdoptRuling, Move, chosen_option
from scoring.kernel.rule import Option, Reason, Rule, Ruling
from scoring.kernel.sheet import Sheet
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame

SECRET_REASON_TEXT = "What speaks against it, only that player\u2019s phone knows."
OUT_OF_REACH_TEXT = "Nothing you can do this turn leads to it."
MAX_RULES = 6  # on the page for questions
MAX_STEPS = 10  # of the log, offered for a question about an earlier position
MAX_ACTIONS_OPEN = 12  # beyond this, actions of one kind are collapsed


# Queries and their answers


@dataclass(frozen=True)
class AskPage(TableMixin):
    """The page for questions: rules search, possible actions this turn, rulings, verdicts."""

    table: TablePage
    seat: int | None  # the seat of this phone that asks
    step_id: str  # the question is about the position before this step; empty: the current position
    query: str
    rules: tuple[Rule, ...]
    possible_actions: tuple[tuple[str, tuple[Query, ...]], ...]  # by the title of their move
    is_future_turn: bool  # it is not this seat's turn: the actions are those of a turn that began now
    rulings: tuple[tuple[Ruling, Option], ...]  # with the option this table plays by
    own_rulings: tuple[OwnRuling, ...]
    box_rulings: tuple[OwnRuling, ...]  # house rules stored with the box that this table does not use
    latest_steps: tuple[tuple[str, str], ...]  # id and text
    account_count: int  # claims that compete with the log
    verdicts: tuple[Verdict, ...]
    proposed_rulings: tuple[ProposalView, ...]  # house rules waiting for approval
    sent_proposal: ProposalView | None  # the proposal this phone has just made
    applied_text: str  # the change that this phone's last form made
    refusal: tuple[str, ...] = ()  # why the last form was refused


@dataclass(frozen=True)
class AnswerPage(TableMixin):
    """Whether a player may make a move, why, and what would follow."""

    table: TablePage
    seat: int
    step_id: str
    explanation: Explanation
    log_text: str  # the log line; empty: the move cannot be reached
    reminders: tuple[str, ...]
    preview: Preview | None  # the differences
    resulting_page: SeatPage | None  # the table after the move
    out_of_reach: str = ""  # set if no step of the turn can lead to the move

    @property
    def verdict(self) -> str:
        return verdict_text(self.explanation)

    @property
    def objections(self) -> tuple[tuple[str, tuple[Reason, ...]], ...]:
        """Return the reasons against the move, grouped by the moves made first; current ones lead."""
        answer = self.explanation
        now = (answer.wait_reason,) if answer.wait_reason else ()
        if not answer.nearest_route:
            return (("", (*now, *answer.reasons)),)
        after = " and then ".join(f"\u201c{step}\u201d" for step in answer.nearest_route)
        return ("", (*now, *answer.reasons)), (f"After {after}", answer.nearest_reasons)


VERDICT_TEXTS = {
    "now": "Yes.",
    "later": "Yes, this turn, but first something else.",
    "no": "No, not this turn.",
    "unknown": "Waymark can\u2019t tell.",
}


def verdict_text(explanation: Explanation) -> str:
    """Return an answer in one sentence."""
    return (
        VERDICT_TEXTS[explanation.legality]
        if not explanation.wait_reason
        else f"Not now; on a turn that began now: {VERDICT_TEXTS[explanation.legality].lower()}"
    )


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
    mine = (line for line in table.messages if line.number == number and line.seat == seat)
    return next((line.text for line in mine if line.is_news and not line.is_secret), "")


def ask_page(
    table: Table,
    device: str,
    seat: int | None,
    query: str,
    step_id: str,
    box_rulings: list[OwnRuling],
    refusal: tuple[str, ...] = (),
    sent_number: int = 0,
) -> AskPage:
    """Build the page for questions, as a seat may see it (None: as everyone may).

    :param sent_number: the number of the entry that this phone's last form made; 0: none.
    :raises InvalidEntryError: if there is no such step.
    """
    play, state = table.tracked, state_at_step(table, step_id, device)
    seen = play.view(state, seat)
    wanted = [] if seat is None else possible_actions(play, seen, seat)
    options = ((ruling, ruling.option(chosen_option(state.rulings, ruling))) for ruling in play.box.rulings)
    steps = reversed([each for each in table.steps if not each.move.is_secret][-MAX_STEPS:])
    known = {ruling.question for ruling in table.own_rulings}
    page = table_page(table, device, seat)
    rules = {proposal.number for proposal in table.proposals if isinstance(proposal.proposable, OwnRuling)}
    asked = next((question for question in page.proposals if question.number == sent_number), None)
    return AskPage(
        table=page,
        seat=seat,
        step_id=step_id,
        query=query,
        rules=search_rules(play.box, query)[:MAX_RULES],
        possible_actions=tuple(_actions_by_title(play, wanted)),
        is_future_turn=bool(seat is not None and play.flow.to_move(state) and seat not in play.flow.to_move(state)),
        rulings=tuple((ruling, option) for ruling, option in options if option),
        own_rulings=table.own_rulings,
        box_rulings=tuple(ruling for ruling in box_rulings if ruling.question not in known),
        latest_steps=tuple((each.id, each.text) for each in steps),
        account_count=len(table.claims),
        verdicts=tuple(reversed(table.verdicts)),
        proposed_rulings=tuple(question for question in page.proposals if question.number in rules),
        sent_proposal=asked,
        applied_text="" if asked else _applied_text(table, seat, sent_number),
        refusal=refusal,
    )


def _actions_by_title(
    tracked: TrackedGame[GameSetup, GameState], actions: list[Query]
) -> Iterator[tuple[str, tuple[Query, ...]]]:
    """Yield the actions grouped by kind of move, under the title of the move."""
    for kind in tracked.moves:
        of_kind = tuple(
            sorted(
                (wish for wish in actions if type(wish.move) is kind),
                key=lambda wish: (not wish.is_legal_now, not wish.is_possible),
            )
        )
        if of_kind:
            yield move_title(kind), of_kind


def answer_page(table: Table, device: str, seat: int, move: Move, step_id: str, button_label: str = "") -> AnswerPage:
    """Build the answer to "May I?" and "What happens if?".

    :raises InvalidEntryError: if there is no such step.
    """
    play = table.tracked
    answer = explain(play, play.view(state_at_step(table, step_id, device), seat), seat, move, button_label)
    page = table_page(table, device, seat)
    if answer.legality in ("no", "unknown"):
        nowhere = answer.legality == "no" and answer.nearest_route is None and play.flow.to_move(answer.state)
        return AnswerPage(page, seat, step_id, answer, "", (), None, None, OUT_OF_REACH_TEXT if nowhere else "")
    before, after, told = _play_out(play, answer, seat)
    was = table.at_state(answer.state)
    shown = compare(was, was.at_state(after))
    reminders = (
        () if shown.ends_game else play.text.reminders(play.view(before, None), play.view(after, None), answer.move)
    )
    hands = tuple(
        each.text if each.seat in (None, seat) else each.addressed_to(table.names[each.seat]) for each in reminders
    )
    then = (
        None if shown.ends_game else turn_page(was.at_state(after), after, device, seat, seat, snapshot_key="if asked")
    )
    return AnswerPage(page, seat, step_id, answer, told, hands, shown, then)


def _play_out(
    tracked: TrackedGame[GameSetup, GameState], explanation: Explanation, seat: int
) -> tuple[GameState, GameState, str]:
    """Return the states before and after a move, with its preceding moves, and the log sentence."""
    state = explanation.state
    for move in explanation.ways[0] if explanation.ways else ():
        state = tracked.play(state, seat, move)
    after = tracked.play(state, seat, explanation.move)
    return state, after, tracked.log_sentence(state, after, seat, explanation.move)


def build_verdict(page: AnswerPage) -> VerdictSaved:
    """Return an answer as a verdict to save."""
    answer, name = page.explanation, page.table.names[page.seat]
    because = [
        f"{after}: {reason.text}" if after else reason.text for after, reasons in page.objections for reason in reasons
    ]
    because += [page.out_of_reach] if page.out_of_reach else []
    because += [f"The way: {', then '.join(way)}." for way in answer.way_labels]
    if answer.counterfactuals:
        because.append(f"It could be done, if it lay otherwise: {'; or '.join(answer.counterfactuals)}.")
    if page.log_text:
        because.append(f"Then: {page.log_text}")
    rules = tuple(rule.id for rule in answer.rules)
    return VerdictSaved(f"{name}: \u201c{answer.label}\u201d?", page.verdict, tuple(because), rules, page.step_id)


# Rulings


@dataclass(frozen=True)
class OptionPreview:
    """An option of a ruling, with what it would change at this table."""

    option: Option
    is_current: bool  # the table plays by it
    differences: tuple[FieldDifference, ...]  # in the position, and in the score if the game ended now
    newly_possible: tuple[str, ...]  # moves that would become legal now
    no_longer_possible: tuple[str, ...]  # moves that would become illegal now
    move: Move  # the move that adopts the option
    differences_from_start: tuple[FieldDifference, ...] = ()  # if the table had played by it from the start
    # The first step that would be illegal then; the differences from the start are unknown in that case.
    first_illegal_step: Step | None = None
    objections: tuple[Reason, ...] = ()  # why that step would be illegal


@dataclass(frozen=True)
class RulingPage(TableMixin):
    """The options of a ruling, on a point that the book leaves open, side by side."""

    table: TablePage
    seat: int | None
    ruling: Ruling
    options: tuple[OptionPreview, ...]


def ruling_page(table: Table, device: str, seat: int | None, ruling: Ruling) -> RulingPage:
    """Build the options of a ruling, with the differences that everyone may see."""
    play = table.tracked
    now = play.view(table.state, None)
    usual = _possible_moves(play, now)
    readings = []
    for option in ruling.options:
        state = play.flow.resolve_forced_steps(
            replace(table.state, rulings={**table.state.rulings, ruling.id: option.id})
        )
        there = table.at_state(state)
        shown = compare(table.at_state(table.state), there)
        possible = {} if shown.ends_game else _possible_moves(play, table.visible_state(state, None))
        played = option.id == chosen_option(table.state.rulings, ruling)
        from_start, misfit, why = ((), None, ()) if played else _replay_with_option(table, ruling, option)
        readings.append(
            OptionPreview(
                option=option,
                is_current=played,
                differences=_differences(shown, ruling),
                newly_possible=tuple(words for what, words in possible.items() if what not in usual),
                no_longer_possible=tuple(words for what, words in usual.items() if what not in possible),
                move=play.decode({"type": "adopt", "ruling": ruling.id, "option": option.id}),
                differences_from_start=from_start,
                first_illegal_step=misfit,
                objections=why,
            )
        )
    return RulingPage(table_page(table, device, seat), seat, ruling, tuple(readings))


def _differences(shown: Preview, ruling: Ruling) -> tuple[FieldDifference, ...]:
    return tuple(each for each in (*shown.differences, *shown.points) if each.label != ruling.question)


def _replay_with_option(
    table: Table, ruling: Ruling, option: Option
) -> tuple[tuple[FieldDifference, ...], Step | None, tuple[Reason, ...]]:
    """Replay the game with an option: the differences, or the first illegal step and why."""
    play = table.tracked
    state = play.flow.resolve_forced_steps(
        replace(table.initial_state, rulings={**table.initial_state.rulings, ruling.id: option.id})
    )
    for step in table.steps:
        if isinstance(step.move, AdoptRuling) and step.move.ruling == ruling.id:
            continue
        try:
            state = play.play(state, step.seat, step.move)
        except IllegalMoveError:
            return (), step, describe_conflict(play, state, step)[1]
    return _differences(compare(table.at_state(table.state), table.at_state(state)), ruling), None, ()


def _possible_moves(tracked: TrackedGame[GameSetup, GameState], view: GameState) -> dict[tuple[int, Move], str]:
    """Return the legal moves of the players who are to move, each with its label."""
    return {
        (seat, move): f"{view.players[seat].name}: {move.label(view, seat)}"
        for seat in tracked.flow.to_move(view)
        for kind in tracked.available_moves(view)
        for move in kind.query_candidates(view, seat)
        if not move.is_secret and tracked.is_legal(view, seat, move)
    }


# Accounts of what happened


@dataclass(frozen=True)
class Account:
    """What one player claims happened, played out."""

    seat: int  # the player who claims it
    # Text of each step that differs, and how: "told anew" (added) or "set aside" (removed).
    step_changes: tuple[tuple[str, str], ...] = ()
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
    """All accounts of what happened, side by side."""

    table: TablePage
    seat: int | None
    accounts: tuple[Account, ...]


def accounts_page(table: Table, device: str, seat: int | None) -> AccountsPage:
    """Build every player's account, and what the referee finds in it."""
    sides, stories = [], []
    for claim in table.claims:
        side, story = _account(table, claim)
        if story is not None:
            start, _ = common_ends(table.steps, story)
            parts = quote_step(table.steps[start]) if start < len(table.steps) else "the end"
            differ = tuple((table.names[other], _differences_between(table, steps, story)) for other, steps in stories)
            side = dataclasses.replace(side, first_difference=parts, account_differences=differ)
            stories.append((claim.seat, story))
        sides.append(side)
    return AccountsPage(table_page(table, device, seat), seat, tuple(sides))


def _differences_between(table: Table, one: tuple[Step, ...], other: tuple[Step, ...]) -> tuple[FieldDifference, ...]:
    shown = compare(replace(table, steps=one), replace(table, steps=other))
    return (*shown.differences, *shown.points)


def _account(table: Table, claim: Claim) -> tuple[Account, tuple[Step, ...] | None]:
    """Return the account of a claim, and the steps of the log it would give; None: not possible."""
    side = Account(claim.seat)
    try:
        plan = decode_plan(claim.plan)
        mended = apply_repair(table, plan)
    except (InvalidEntryError, InvalidInputError):
        return dataclasses.replace(side, is_outdated=True), None
    side = dataclasses.replace(side, step_changes=tuple(_step_changes(table, mended.steps, mended.removed)))
    if mended.refusal:
        told = (*plan.edits, *plan.resolutions)[len(mended.plan.edits) + len(mended.plan.resolutions)]
        assert isinstance(told, Insert)
        move, seen = table.tracked.decode(told.move), table.tracked.view(mended.state, None)
        why = tuple(table.tracked.objections(seen, told.seat, move)) or (SECRET_REASON_TEXT,)
        return dataclasses.replace(
            side, impossible_step=f"{table.names[told.seat]}: {move.label(seen, told.seat)}", objections=why
        ), None
    if mended.blocked:
        waits = join_words([table.names[each] for each in mended.blocked.seats_to_move])
        why = (
            (f"It was not that player\u2019s turn then: {waits} had to move.",) if waits else mended.blocked.objections
        )
        return dataclasses.replace(side, impossible_step=quote_step(mended.blocked.step), objections=why), None
    if rewrite_entry(table, mended.steps) == LogRewritten():
        return dataclasses.replace(side, is_unchanged=True), None
    return dataclasses.replace(
        side, preview=compare(table, replace(table, steps=mended.steps)), plan=claim.plan
    ), mended.steps


def _step_changes(table: Table, new_steps: tuple[Step, ...], removed: tuple[Step, ...]) -> Iterator[tuple[str, str]]:
    """Yield the text of each public step that is added or removed, with which of the two."""
    for step in new_steps:
        if step.id not in table.index_by_step and not step.move.is_secret:
            yield step.text, "told anew"
    for step in removed:
        if step.id in table.index_by_step and not step.move.is_secret:
            yield step.text, "set aside"


# Verdicts


@dataclass(frozen=True)
class VerdictPage(TableMixin):
    """A saved verdict, with the table as it was at that time."""

    table: TablePage
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
    def final(self) -> object:
        return self.snapshot.table.tracked.final_position(self.view)

    @property
    def sheet(self) -> Sheet:
        return self.game.score(self.final)


def verdict_page(table: Table, table_then: Table, device: str, number: int, can_print: bool) -> VerdictPage:
    """Build the page of a verdict; `table_then` is the table when the verdict was given.

    :raises InvalidEntryError: if there is no such verdict.
    """
    verdict = next((each for each in table.verdicts if each.number == number), None)
    if verdict is None:
        raise InvalidEntryError(f"there is no verdict {number}")
    rules, what = table.tracked.box.rules, verdict.payload
    then = turn_page(
        table_then,
        table_then.find_step(what.step).before if what.step else table_then.state,
        device,
        None,
        verdict.seat,
        snapshot_key=f"verdict {number}",
    )
    return VerdictPage(
        table=table_page(table, device),
        number=number,
        asker_name=table.names[verdict.seat],
        date=local_date(verdict.created_at),
        time=local_time(verdict.created_at),
        judged=what,
        rules=tuple(rules[id] for id in what.rules if id in rules),
        snapshot=then,
        can_print=can_print,
    )
