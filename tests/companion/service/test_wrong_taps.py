"""Tests of whole games with wrong taps that are noticed later and repaired in the pages.

One tap in twenty is wrong and is noticed up to twenty steps later. However it is repaired, the game must come to the
score of the same game without mistakes.
"""

import random
import re
from dataclasses import dataclass

import msgspec
import pytest
from flask import Flask

from companion.log.plans import Drop, RepairPlan, Truncate, decode_plan
from companion.log.replay import Outcome, replay
from companion.log.steps import Step
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.companion.log.test_repair import other_move
from tests.scoring.kernel.test_invariants import seeded_rng
from tests.support.invariants import GAMES_TO_PLAY, SEED
from tests.support.page_parser import Page
from tests.support.parametrize import parametrize_cases
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.player_names import NAMES
from tests.support.random_games import random_game

pytestmark = pytest.mark.slow("whole evenings through the pages")

GAME_COUNT = max(3, GAMES_TO_PLAY // 100)  # of each title
WRONG_SHARE = 1 / 20  # of all taps; about four taps in a short game
MAX_DELAY = 20  # steps later, at most
MAX_STEPS = 400  # steps of a game that are entered


@dataclass
class WrongTap:
    """A move that was entered instead of the actual one."""

    id: str
    seat: int
    move: Move  # the actual move
    noticed_at: int  # the step of the game at which it is noticed


class SimulatedGame:
    """A game that happened, and the table on which it is entered."""

    def __init__(self, app: Flask, game: str, rng: random.Random):
        self.rng, self.tracked = rng, TRACKED_GAMES[game]
        names = NAMES[: rng.choice(self.tracked.box.player_counts)]
        self.table: SeatedTable = open_seated_table(app, *names, game=game)
        self.actual_moves: list[tuple[int, Move]] = []
        by_people = len(self.table.table.seats) == len(self.table.table.names)  # a bot's moves are never out of turn
        random_game(
            self.tracked, self.table.table.setup, rng, self.actual_moves, out_of_turn_chance=0.05 if by_people else 0
        )
        self.actual_moves = self.actual_moves[:MAX_STEPS]
        self.wrong_taps: list[WrongTap] = []
        self.mistake_count = self.repair_count = 0

    def run(self) -> None:
        """Enter the game with some mistakes, and repair them when they are noticed or block a step."""
        while self.wrong_taps or len(self.table.table.steps) < len(self.actual_moves):
            number = len(self.table.table.steps)
            seat, move = self.actual_moves[number] if number < len(self.actual_moves) else (0, None)
            if self.wrong_taps and (
                not move
                or min(tap.noticed_at for tap in self.wrong_taps) <= number
                or not self._is_possible(seat, move)
            ):
                self._repair_one()
                continue
            wrong_move = self._wrong_move(seat, move)
            self._enter(seat, wrong_move or move)
            if wrong_move:
                noticed_at = number + self.rng.randint(1, MAX_DELAY)
                self.wrong_taps.append(WrongTap(self.table.table.steps[-1].id, seat, move, noticed_at))

    def _is_possible(self, seat: int, move: Move) -> bool:
        return self.tracked.is_legal(self.table.table.state, seat, move)

    def _wrong_move(self, seat: int, move: Move) -> Move | None:
        if self.rng.random() >= max(WRONG_SHARE, 4 / len(self.actual_moves)):
            return None
        wrong_move = other_move(self.tracked, self.table.table.state, seat, self.rng, move)
        self.mistake_count += wrong_move is not None
        return wrong_move

    def _enter(self, seat: int, move: Move) -> None:
        before = len(self.table.table.steps)
        answer = self.table.submit(seat, "play", {"move": move_json(move)})
        assert answer.status_code == 303, answer.text
        self._approve_all()
        assert len(self.table.table.steps) == before + 1

    def _approve_all(self) -> None:
        """Have all asked players agree."""
        for proposal in self.table.table.proposals:
            for seat in proposal.waiting_seats:
                if self.table.table.find_proposal(proposal.number):
                    self.table.submit(seat, "answer", {"proposal": str(proposal.number), "yes": "1"})

    def _repair_one(self) -> None:
        """Repair the mistake that is noticed first, or another one that it depends on.

        Where the mistakes depend on each other, the repair stops at the first blocked step, and the rest of the game is
        entered again.
        """
        wrong = sorted(self.wrong_taps, key=lambda each: each.noticed_at)
        assert any(self._repair(tap) for tap in wrong) or any(self._repair(tap, truncates=True) for tap in wrong), (
            "nothing can be repaired"
        )

    def _repair(self, tap: WrongTap, truncates: bool = False) -> bool:
        """Repair a mistake through the pages; return whether that was possible.

        The repair starts at the log line, replaces the move, resolves blocked steps, and is proposed and agreed to.
        :param truncates: remove the rest of the steps where no correction resolves a blocked step.
        """
        before = self.table.table.active_step(tap.id)
        seat = self._repairing_seat(tap, before)
        phone = self.table.phone(seat)
        snapshot = phone.open(f"{self.table.path}/log/{tap.id}?seat={seat}")
        (page,) = [link for link in repair_page_links(snapshot) if link.plan.is_open and link.plan.drop_count == 1]
        corrected: list[WrongTap] = []
        target: WrongTap | None = tap
        while target:
            if target not in corrected:
                answer = phone.post(f"{page.address}/play?as={target.seat}", {"move": move_json(target.move)})
                # Another player's note: it has to be repaired first, on that player's phone.
                if answer.status_code == 422 and target is not tap:
                    return False
                assert answer.status_code == 303, answer.text
                page = RepairPage(answer.headers["Location"])
                corrected.append(target)
            else:  # the wrong move revealed something out of turn; the step itself did not happen
                links = repair_page_links(phone.open(page.address))
                page = next(
                    link for link in links if link.plan.resolutions and isinstance(link.plan.resolutions[-1], Drop)
                )
            outcome = replay(self.table.table, page.plan, seat)
            assert bool(outcome.blocked) == ("A later move no longer works" in phone.open(page.address).text)
            target = self._needed_correction(outcome, corrected)
            if outcome.blocked and not target:
                if not truncates:
                    return False
                links = repair_page_links(phone.open(page.address))
                page = next(
                    link for link in links if link.plan.resolutions and isinstance(link.plan.resolutions[-1], Truncate)
                )
        answer = phone.post(f"{page.address}/ask")
        assert answer.status_code == 303, answer.text
        self._approve_all()
        dropped = [
            each for each in self.wrong_taps if each not in corrected and self.table.table.active_step(each.id) is None
        ]
        # They fell away with the turn they belonged to, and are entered again at the end.
        for each in () if truncates else dropped:
            self._enter(each.seat, each.move)
        for each in (*corrected, *dropped):
            self.wrong_taps.remove(each)
            self.repair_count += 1
            assert self.table.table.active_step(each.id) is None
        return True

    def _repairing_seat(self, tap: WrongTap, before: Step) -> int:
        """Return the seat that repairs a mistake: any, or the player whose notes it depends on."""
        seat = self.rng.randrange(len(self.table.table.seats))
        view = self.tracked.view(before.before, seat)
        notes = before.move.is_secret or tap.move.is_secret or not self.tracked.is_legal(view, tap.seat, tap.move)
        return tap.seat if notes else seat

    def _needed_correction(self, outcome: Outcome, corrected: list[WrongTap]) -> WrongTap | None:
        """Return the mistake whose correction resolves a blocked repair, or None.

        This is the mistake at the blocked step, or one that was removed before.
        """
        if not outcome.blocked:
            return None
        blocked_tap = next((tap for tap in self.wrong_taps if tap.id == outcome.blocked.step.id), None)
        dropped_ids = {step.id for step in outcome.removed}
        return blocked_tap or next(
            (tap for tap in self.wrong_taps if tap.id in dropped_ids and tap not in corrected), None
        )

    def check(self) -> None:
        """Assert that all mistakes were repaired and that the table equals the actual game."""
        table = self.table.table
        assert self.repair_count == self.mistake_count
        assert [(step.seat, step.move) for step in table.steps] == self.actual_moves
        clean = self.tracked.replay(table.setup, self.actual_moves)
        assert table.state == clean
        assert self.tracked.box.score(self.tracked.final_position(table.state)) == self.tracked.box.score(
            self.tracked.final_position(clean)
        )


def move_json(move: Move) -> str:
    return msgspec.json.encode(move).decode()


@dataclass
class RepairPage:
    """The page of a repair."""

    address: str

    @property
    def plan(self) -> RepairPlan:
        return decode_plan(self.address.rpartition("/mend/")[2])


def repair_page_links(page: Page) -> list[RepairPage]:
    """Return the repairs that a page links to."""
    return [
        RepairPage(address)
        for address in page.addresses
        if "/mend/" in address and re.fullmatch("[\\w-]+", address.rpartition("/mend/")[2])
    ]


@parametrize_cases("game", TRACKED_GAMES)
def test_game_with_repaired_wrong_taps_has_the_score_of_the_actual_game(app: Flask, game: str):
    mistakes = taps = 0
    for number in range(GAME_COUNT):
        with seeded_rng(f"{SEED} wrong {game} {number}") as rng:
            simulated = SimulatedGame(app, game, rng)
            simulated.run()
            simulated.check()
        mistakes, taps = mistakes + simulated.mistake_count, taps + len(simulated.actual_moves)
    print(f"{game}: {mistakes} wrong taps in {taps} steps of {GAME_COUNT} games, all repaired")
    assert mistakes
