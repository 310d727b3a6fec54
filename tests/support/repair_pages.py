"""Telling the past of a table otherwise, as a phone does: from a line of the log through the pages of a repair to the question."""

import re

import msgspec

from companion.log.repair import Back, Plan, Stop, unpacked
from scoring.kernel.move import Move
from tests.support.page_reader import Page, read
from tests.support.phones import Seated

ELSE, NOT, MISSING, BACK = "else", "not", "missing", "back"


def said(page: Page) -> dict[str, str]:
    """Return where the things lead that can be said of a step on its page."""
    plans = {address: unpacked(address.rpartition("/")[2]) for address in page.addresses if "/mend/" in address}
    return {_kind(plan): address for address, plan in plans.items()}


def _kind(plan: Plan) -> str:
    if plan.open:
        return ELSE if plan.out else MISSING
    return (
        NOT
        if plan.out
        else BACK
        if plan.here == (Stop(),)
        else "put back"
        if isinstance(plan.here[0], Back)
        else "told"
    )


def moment(table: Seated, seat: int, id: str) -> Page:
    return table.phone(seat).open(f"{table.path}/log/{id}")


def tell(table: Seated, seat: int, page: str, who: int, *moves: Move) -> str:
    """Say on a page of a repair what a player did there; return the page that leads to."""
    for move in moves:
        answer = table.phone(seat).post(f"{page}/play?as={who}", {"move": as_json(move)})
        assert answer.status_code == 303, read(answer.text).text
        page = answer.headers["Location"]
    return page


def ask(table: Seated, seat: int, page: str) -> int:
    """Ask for a repair that has been told to its end; return the number of the entry."""
    answer = table.phone(seat).post(f"{page}/ask")
    assert (answer.status_code, answer.headers.get("Location")) == (303, f"{table.path}/seat/{seat}"), read(
        answer.text
    ).text
    return table.table.number


def answers(table: Seated, seat: int, number: int, yes: str = "1") -> None:
    answer = table.tap(seat, "answer", {"proposal": str(number), "yes": yes})
    assert answer.status_code == 303, read(answer.text).text


def agreed(table: Seated, number: int) -> None:
    """Have all agree who are asked."""
    for seat in range(len(table.table.seats)):
        if (question := table.table.proposal(number)) and seat in question.waiting:
            answers(table, seat, number)
    assert not table.table.proposal(number)


def texts(table: Seated) -> list[str]:
    return [step.text for step in table.table.steps]


def asking(page: Page) -> str:
    """Return what a page says is asked."""
    return page.text[re.search(" asks| asked", page.text).start() :]


def as_json(move: Move) -> str:
    return msgspec.json.encode(move).decode()
