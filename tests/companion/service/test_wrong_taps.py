"""Evenings with one wrong tap in twenty, each noticed up to twenty steps later and mended through the pages.

However it was mended, the game must come to the score of the evening without mistakes.
"""

import random
import re
from dataclasses import dataclass

import msgspec
import pytest
from flask import Flask

from companion.log.repair import Mended, Out, Plan, Stop, mend, unpacked
from companion.log.table import Step
from scoring.games import PLAYS
from scoring.kernel.move import Move
from tests.companion.log.test_repair import other_move
from tests.scoring.kernel.test_invariants import seed_named
from tests.support.cases import cases
from tests.support.invariants import GAMES_TO_PLAY, NAMES, SEED
from tests.support.page_reader import Page
from tests.support.phones import Seated, seated
from tests.support.random_games import random_game

pytestmark = pytest.mark.slow("whole evenings through the pages")

EVENINGS = max(3, GAMES_TO_PLAY // 100)  # of each title
WRONG = 1 / 20  # of all taps; where there are few, about four of them
NOTICED = 20  # steps later, at most
MOST = 400  # steps of an evening that are told


@dataclass
class WrongTap:
    """A move that was told instead of what happened."""

    id: str
    seat: int
    move: Move  # what happened
    due: int  # the step of the evening at which it is noticed


class Evening:
    """A game that happened, and the table where it is told."""

    def __init__(self, app: Flask, game: str, rng: random.Random):
        self.rng, self.play = rng, PLAYS[game]
        names = NAMES[: rng.choice(self.play.box.seats)]
        self.table: Seated = seated(app, *names, game=game)
        self.happened: list[tuple[int, Move]] = []
        by_people = len(self.table.table.seats) == len(self.table.table.names)  # the app says nothing by the way
        random_game(self.play, self.table.table.setup, rng, self.happened, chatter=0.05 if by_people else 0)
        self.happened = self.happened[:MOST]
        self.wrong: list[WrongTap] = []
        self.made = self.mended = 0

    def run(self) -> None:
        """Tell what happened, now and then wrongly, and mend that when it is noticed or when the next step is not possible."""
        while self.wrong or len(self.table.table.steps) < len(self.happened):
            number = len(self.table.table.steps)
            seat, move = self.happened[number] if number < len(self.happened) else (0, None)
            if self.wrong and (
                not move or min(each.due for each in self.wrong) <= number or not self._possible(seat, move)
            ):
                self._mend_one()
                continue
            instead = self._slip(seat, move)
            self._tell(seat, instead or move)
            if instead:
                due = number + self.rng.randint(1, NOTICED)
                self.wrong.append(WrongTap(self.table.table.steps[-1].id, seat, move, due))

    def _possible(self, seat: int, move: Move) -> bool:
        return self.play.legal(self.table.table.state, seat, move)

    def _slip(self, seat: int, move: Move) -> Move | None:
        if self.rng.random() >= max(WRONG, 4 / len(self.happened)):
            return None
        instead = other_move(self.play, self.table.table.state, seat, self.rng, move)
        self.made += instead is not None
        return instead

    def _tell(self, seat: int, move: Move) -> None:
        before = len(self.table.table.steps)
        answer = self.table.tap(seat, "play", {"move": as_json(move)})
        assert answer.status_code == 303, answer.text
        self._agreed()
        assert len(self.table.table.steps) == before + 1

    def _agreed(self) -> None:
        """Have everybody agree who is asked."""
        for proposal in self.table.table.proposals:
            for seat in proposal.waiting:
                if self.table.table.proposal(proposal.number):
                    self.table.tap(seat, "answer", {"proposal": str(proposal.number), "yes": "1"})

    def _mend_one(self) -> None:
        """Mend what is noticed first; where something right then does not stand because of another wrong tap, that one first.

        Where each stands in the way of another, stop at what does not stand; the rest of the story is told again.
        """
        wrong = sorted(self.wrong, key=lambda each: each.due)
        assert any(self._mend(tap) for tap in wrong) or any(self._mend(tap, stop=True) for tap in wrong), (
            "nothing can be mended"
        )

    def _mend(self, tap: WrongTap, stop: bool = False) -> bool:
        """Point at the line, say what happened instead, answer for what does not stand, ask, agree.

        :param stop: set aside the rest of the story where nothing answers for what does not stand.
        """
        before = self.table.table.step(tap.id)
        by = self._by(tap, before)
        phone = self.table.phone(by)
        moment = phone.open(f"{self.table.path}/log/{tap.id}?seat={by}")
        (page,) = [each for each in mend_pages(moment) if each.plan.open and each.plan.out == 1]
        told: list[WrongTap] = []
        meant: WrongTap | None = tap
        while meant:
            if meant not in told:
                answer = phone.post(f"{page.address}/play?as={meant.seat}", {"move": as_json(meant.move)})
                if (
                    answer.status_code == 422 and meant is not tap
                ):  # a note of somebody else: that one first, on its own phone
                    return False
                assert answer.status_code == 303, answer.text
                page = MendPage(answer.headers["Location"])
                told.append(meant)
            else:  # what was told there was something seen by the way; the step itself did not happen
                links = mend_pages(phone.open(page.address))
                page = next(each for each in links if each.plan.said and isinstance(each.plan.said[-1], Out))
            mended = mend(self.table.table, page.plan, by)
            assert bool(mended.blocked) == ("Then this does not stand" in phone.open(page.address).text)
            meant = self._asked_for(mended, told)
            if mended.blocked and not meant:
                if not stop:
                    return False
                links = mend_pages(phone.open(page.address))
                page = next(each for each in links if each.plan.said and isinstance(each.plan.said[-1], Stop))
        answer = phone.post(f"{page.address}/ask")
        assert answer.status_code == 303, answer.text
        self._agreed()
        fallen = [each for each in self.wrong if each not in told and self.table.table.step(each.id) is None]
        for each in (
            () if stop else fallen
        ):  # with the turn it belonged to, which had changed; it is asked anew at the end
            self._tell(each.seat, each.move)
        for each in (*told, *fallen):
            self.wrong.remove(each)
            self.mended += 1
            assert self.table.table.step(each.id) is None
        return True

    def _by(self, tap: WrongTap, before: Step) -> int:
        """Return who mends it: anybody, but what hangs on notes only their player can tell."""
        seat = self.rng.randrange(len(self.table.table.seats))
        seen = self.play.view(before.before, seat)
        notes = before.move.secret or tap.move.secret or not self.play.legal(seen, tap.seat, tap.move)
        return tap.seat if notes else seat

    def _asked_for(self, mended: Mended, told: list[WrongTap]) -> WrongTap | None:
        """Return the wrong tap whose truth answers what a repair asks: the step that does not stand, or what fell away before."""
        if not mended.blocked:
            return None
        here = next((each for each in self.wrong if each.id == mended.blocked.step.id), None)
        fallen = {step.id for step in mended.aside}
        return here or next((each for each in self.wrong if each.id in fallen and each not in told), None)

    def check(self) -> None:
        """Assert that all was mended, and that the table is the one of the evening as it was."""
        table = self.table.table
        assert self.mended == self.made
        assert [(step.seat, step.move) for step in table.steps] == self.happened
        clean = self.play.replay(table.setup, self.happened)
        assert table.state == clean
        assert self.play.box.score(self.play.final(table.state)) == self.play.box.score(self.play.final(clean))


def as_json(move: Move) -> str:
    return msgspec.json.encode(move).decode()


@dataclass
class MendPage:
    """A page on which a repair is told."""

    address: str

    @property
    def plan(self) -> Plan:
        return unpacked(self.address.rpartition("/mend/")[2])


def mend_pages(page: Page) -> list[MendPage]:
    """Return the repairs that a page leads to."""
    return [
        MendPage(each)
        for each in page.addresses
        if "/mend/" in each and re.fullmatch("[\\w-]+", each.rpartition("/mend/")[2])
    ]


@cases("game", PLAYS)
def test_every_wrong_tap_is_mended_and_the_score_is_that_of_the_game_without_it(app: Flask, game: str):
    made = taps = 0
    for number in range(EVENINGS):
        with seed_named(f"{SEED} wrong {game} {number}") as rng:
            evening = Evening(app, game, rng)
            evening.run()
            evening.check()
        made, taps = made + evening.made, taps + len(evening.happened)
    print(f"{game}: {made} wrong taps in {taps} steps of {EVENINGS} evenings, all mended")
    assert made
