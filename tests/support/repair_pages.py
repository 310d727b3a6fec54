"""Make a repair as a phone does: from a log line through its pages to the question."""

import re

import msgspec

from companion.log.plans import RepairPlan, Restore, Truncate, decode_plan
from scoring.kernel.move import Move
from tests.support.page_parser import Page, parse_page
from tests.support.phones import SeatedTable

CHANGED, DROPPED, MISSING, RESTORED_TO = "else", "not", "missing", "back"


def repair_links(page: Page) -> dict[str, str]:
    """Return the addresses of the possible repairs on a step's page."""
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a" and "/mend/" in attributes["href"]]
    plans = {address: decode_plan(address.rpartition("/")[2]) for address in links}
    return {_link_kind(plan): address for address, plan in plans.items()}


def _link_kind(plan: RepairPlan) -> str:
    if plan.is_open:
        return CHANGED if plan.drop_count else MISSING
    return (
        DROPPED
        if plan.drop_count
        else RESTORED_TO
        if plan.edits == (Truncate(),)
        else "put back"
        if isinstance(plan.edits[0], Restore)
        else "told"
    )


def open_snapshot(table: SeatedTable, seat: int, id: str) -> Page:
    return table.phone(seat).open(f"{table.path}/log/{id}")


def enter_moves(table: SeatedTable, seat: int, path: str, player_seat: int, *moves: Move) -> str:
    """Enter a player's moves on a repair page; return the address of the next page."""
    for move in moves:
        answer = table.phone(seat).post(f"{path}/play?as={player_seat}", {"move": move_json(move)})
        assert answer.status_code == 303, parse_page(answer.text).text
        path = answer.headers["Location"]
    return path


def request_repair(table: SeatedTable, seat: int, path: str) -> int:
    """Request a complete repair; return the number of the entry."""
    answer = table.phone(seat).post(f"{path}/ask")
    assert (answer.status_code, answer.headers.get("Location")) == (303, f"{table.path}/seat/{seat}"), parse_page(
        answer.text
    ).text
    return table.table.version


def answer_proposal(table: SeatedTable, seat: int, number: int, yes: str = "1") -> None:
    answer = table.submit(seat, "answer", {"proposal": str(number), "yes": yes})
    assert answer.status_code == 303, parse_page(answer.text).text


def approve_by_all(table: SeatedTable, number: int) -> None:
    """Let all who are asked agree."""
    for seat in range(len(table.table.seats)):
        if (question := table.table.find_proposal(number)) and seat in question.waiting_seats:
            answer_proposal(table, seat, number)
    assert not table.table.find_proposal(number)


def step_texts(table: SeatedTable) -> list[str]:
    return [step.text for step in table.table.steps]


def open_request(table: SeatedTable, seat: int, number: int) -> Page:
    """Return the page of a request, with everything that it would change."""
    return table.phone(seat).open(f"{table.path}/if/{number}")


def approval_text(page: Page) -> str:
    """Return the text of the approvals that a page asks for."""
    return page.text[re.search(" asks| asked", page.text).start() :]


def move_json(move: Move) -> str:
    return msgspec.json.encode(move).decode()
