"""Tests that pages, logs and command output of random games have no doubled punctuation."""

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask import Flask

from companion.log.entries import Decided, LogRewritten, OwnRuling, Played
from companion.log.plans import Insert, RepairPlan
from companion.log.steps import ConflictingStepError
from companion.pages import sheet as sheet_pages
from companion.service.referee import IncompleteRepairError, NotAllowedError, new_tap
from companion.web.app import install_limits
from scoring.games import TRACKED_GAMES
from scoring.kernel.english import end_sentence
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.tracked_game import TrackedGame
from tests.support.log_builder import HOST, build_seated_log
from tests.support.parametrize import parametrize_cases
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.player_names import names_for
from tests.support.random_games import random_game

DOUBLED = re.compile(
    r"[.:;,?!] ?[.:;,](?!\d)"  # two marks, or a mark after a space
    r"|\.[\u201d\u2019]+\."  # a full stop inside a quotation and one after it
    r"|[\u201d\u2019]\.[\u201d\u2019]*\."
    r"|: [^.]*: No: "
)
# A plural after 1, except in a sum: "3 + 1 miles".
ONE_OF_MANY = re.compile(
    r"(?<![\d.,:+\u2212-])(?<!\+ )\b1 (?:points|photos|birds|badges|miles|players|rulings|cards|legs|tiles)\b"
)
HIDDEN = re.compile(r"<(script|style|svg)\b.*?</\1>|<!--.*?-->", re.DOTALL)
BLOCK = re.compile(
    r"</?(p|li|div|h\d|dt|dd|td|th|tr|section|summary|details|ul|ol|button|label|option|select|form|main|nav)\b[^>]*>"
)
TEXT_ATTRIBUTES = re.compile(r'(?:aria-label|title|alt|placeholder)="([^"]*)"')
PAGES = ("", "/board", "/score", "/print", "/ask", "/ask/sides", "/log", "/setup")


def page_texts(html: str) -> Iterator[str]:
    """Yield the texts of a page by paragraph, including texts for screen readers."""
    yield from map(unescape, TEXT_ATTRIBUTES.findall(html))
    for part in re.split(BLOCK, HIDDEN.sub(" ", html)):
        yield re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", part or ""))).strip()


def text_faults(text: str) -> list[str]:
    """Return each doubled punctuation and each plural after 1, with its context.

    Three dots count as one mark.
    """
    text = text.replace("...", "\u2026")
    faults = (found for pattern in (DOUBLED, ONE_OF_MANY) for found in pattern.finditer(text))
    return [text[max(0, found.start() - 60) : found.end() + 20] for found in faults]


def play_with_requests(app: Flask, game: str) -> SeatedTable:
    """Return a table of a random game with many requests, answered in every way."""
    names = names_for(game, 3)
    rng = random.Random(f"punctuation {game}")
    table = open_seated_table(app, *names, game=game)
    record: list = []
    random_game(table.table.tracked, table.table.setup, rng, record, out_of_turn_chance=0.2)
    rulings = list(table.table.tracked.box.rulings)
    requests_at_once = max(1, 30 // len(record))  # many in a game of few moves
    for number, (seat, move) in enumerate(record):
        install_limits(app)
        try:
            table.play(seat, move)
        except (IllegalMoveError, NotAllowedError, ConflictingStepError):
            continue  # a request that was agreed to meanwhile made the move illegal
        if number % 12 == 0 or len(record) < 12:
            for _ in range(requests_at_once):
                submit_request(table, rng, rulings)
                answer_requests(table, rng)
        answer_requests(table, rng)
    return table


def submit_request(table: SeatedTable, rng: random.Random, rulings: list) -> None:
    """Submit a random request of a phone, if there is a step that it can be about."""
    seat = rng.randrange(len(table.phones))
    device, referee, current = table.phone(seat).device, table.referee, table.table
    if not current.steps:
        return
    ruling = rng.choice(rulings)
    option = rng.choice(ruling.options)
    adopt = {"type": "adopt", "ruling": ruling.id, "option": option.id}
    try:
        match rng.choice(("adopt", "adopt", "own", "mend", "claim", "keep", "sit")):
            case "adopt":
                referee.play(current, device, new_tap(), seat, adopt)
            case "own":
                referee.write_ruling(
                    current,
                    device,
                    new_tap(),
                    seat,
                    "May we look?",
                    rng.choice(("Yes.", "No", "Why not?", "Yes!")),
                )
            case "mend":
                referee.repair(
                    current,
                    device,
                    new_tap(),
                    seat,
                    RepairPlan(rng.choice(current.steps[-6:]).id, 1),
                )
            case "claim":
                referee.claim_account(
                    current,
                    device,
                    new_tap(),
                    seat,
                    RepairPlan(rng.choice(current.steps[-3:]).id, 1),
                )
            case "keep":
                table.phone(seat).post(f"{table.path}/ask/keep", {"seat": str(seat), "move": json.dumps(adopt)})
            case "sit":
                table.phone(seat).post(f"{table.path}/sit", {"seat": str((seat + 1) % len(table.phones))})
    except (IllegalMoveError, NotAllowedError, IncompleteRepairError, ConflictingStepError):
        pass


def answer_requests(table: SeatedTable, rng: random.Random) -> None:
    """Have phones answer open requests, mostly with No, so that the game goes on unchanged."""
    for proposal in table.table.proposals:
        if rng.random() < 0.5:
            continue
        seat = rng.choice([*proposal.waiting_seats, proposal.seat or 0])
        try:
            table.referee.answer(
                table.table,
                table.phone(seat).device,
                new_tap(),
                proposal.number,
                rng.random() < 0.3,
            )
        except NotAllowedError:
            pass


@pytest.mark.slow("plays a whole random game and draws every page")
@parametrize_cases("game", TRACKED_GAMES)
def test_pages_and_log_have_no_doubled_punctuation(game: str, app: Flask, run_waymark, tmp_path):
    table = play_with_requests(app, game)
    found = {line.text: text_faults(line.text) for line in table.table.messages}
    assert any(" declined." in line or " withdrew a request: " in line for line in found)
    for seat, phone in enumerate(table.phones):
        for page in (*PAGES, f"/seat/{seat}", f"/seat/{seat}/log", f"/seat/{seat}/tell", f"/ask?seat={seat}"):
            install_limits(app)
            for text in page_texts(phone.get(f"{table.path}{page}").text):
                found[f"{page}: {text}"] = text_faults(text)
        own = phone.get(f"{table.path}/ask?seat={seat}").text + phone.get(f"{table.path}/seat/{seat}/log").text
        links = sorted(set(re.findall(rf'href="({table.path}/[^"]*(?:repair|verdict|/if/|ruling|/log/)[^"]*)"', own)))
        for link in random.Random(seat).sample(links, min(6, len(links))):
            install_limits(app)
            for text in page_texts(phone.get(unescape(link)).text):
                found[f"{link}: {text}"] = text_faults(text)
    cells = csv.reader(io.StringIO(table.phones[0].get(f"{table.path}/score.csv").text))
    results = [
        run_waymark(*command, "--instance", app.instance_path) for command in (("history",), ("decide", table.code))
    ]
    lines = [line for result in results for line in (result.out + result.err).splitlines()]
    found |= {text: text_faults(text) for text in [*(cell for row in cells for cell in row), *lines]}
    assert {text: places for text, places in found.items() if places} == {}


@pytest.mark.parametrize("tracked", TRACKED_GAMES.values(), ids=TRACKED_GAMES)
def test_requests_for_every_option_are_one_sentence_each_in_the_log(tracked: TrackedGame):
    wrong = []
    for ruling in tracked.box.rulings:
        for option in ruling.options[1:]:
            builder = build_seated_log(*["Ana", "Bo", "Cy"][: max(tracked.box.player_counts[:3])], game=tracked.key)
            change = Played({"type": "adopt", "ruling": ruling.id, "option": option.id})
            builder.decline(1, builder.propose(0, change))
            builder.decline(0, builder.propose(0, change))
            number, late_number = builder.propose(0, change), builder.propose(1, change)
            builder.add_entry(HOST, Decided(number))
            builder.add_entry(HOST, Decided(late_number))
            builder.add_entry(
                HOST,
                Decided(
                    builder.propose(
                        0, LogRewritten(start_step=builder.table.steps[-1].id, last_step=builder.table.steps[-1].id)
                    )
                ),
            )
            wrong += [
                line for line in builder.log_texts if text_faults(line) or not end_sentence(line).endswith((line, ")."))
            ]
            wrong += [line for line in builder.log_texts if f": {option.text}" in line]
    assert wrong == []


@pytest.mark.parametrize("interpretation", ["Yes", "Yes.", "Yes!", "Yes\u2026", "Why not?", "We say \u201cyes.\u201d"])
def test_house_rule_in_the_log_ends_with_one_full_stop(interpretation: str):
    builder = build_seated_log("Ana", "Bo", "Cy")
    builder.decline(1, builder.propose(0, OwnRuling("May we?", interpretation)))
    builder.add_entry(HOST, Decided(builder.propose(0, OwnRuling("May we?", interpretation))))
    builder.add_entry(HOST, Decided(builder.propose(0, OwnRuling("May we?"))))
    assert [line for line in builder.log_texts if text_faults(line) or end_sentence(line) != line] == []


@pytest.mark.parametrize("move", ["null", '{"type":"fly"}'])
def test_unreadable_move_is_reported_with_one_full_stop(table_of_two: SeatedTable, move: str):
    plan = RepairPlan("", edits=(Insert(0, {"type": "hike", "steps": 2}),)).encode()
    for form in ("play", f"mend/{plan}/play", f"mend/{plan}/claim"):
        (line,) = [
            line
            for line in page_texts(table_of_two.submit(0, form, {"move": move}).text)
            if "could not be read" in line
        ]
        assert end_sentence(line) == line and not text_faults(line), form


def test_house_rules_are_sentences_on_the_sheet():
    builder = build_seated_log("Ana", "Bo")
    for question, interpretation in (("May we", "Yes"), ("Can we?", "No.")):
        builder.add_entry(HOST, Decided(builder.propose(0, OwnRuling(question, interpretation))))
    assert sheet_pages.sheet_page(builder.table, "", False).sheet.rulings[-2:] == ("May we. Yes.", "Can we? No.")


def test_end_sentence_adds_a_full_stop_only_where_it_is_missing():
    assert [
        end_sentence(each)
        for each in ("A", "A.", "A?", "A!", "A\u2026", "\u201cA.\u201d", "\u201cA\u201d", "(A.)")
    ] == [
        "A.", "A.", "A?", "A!", "A\u2026", "\u201cA.\u201d", "\u201cA\u201d.", "(A.)",
    ]  # fmt: skip
