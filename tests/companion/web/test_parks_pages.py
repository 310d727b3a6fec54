"""Tests of PARKS pages: available at any time, complete, and printable on one page."""

import re

import msgspec
import pytest
from flask import Flask

from companion.pages.menu import move_tag
from companion.rendering import pdf, print_pages
from companion.rendering.print_pages import PrintPage
from scoring.document import read_final_position
from scoring.games import TRACKED_GAMES
from scoring.kernel.editable import AddRemove
from scoring.kernel.move import Move
from scoring.parks.box import HIKERS, PARKS, PASSIONS, TRAIL_TILES, all_gear
from scoring.parks.moves.corrections import AddPark, EditPosition
from scoring.parks.moves.hiking import Hike
from scoring.parks.moves.park_actions import DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NameGear, NamePark, NameTile
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.position import DEFAULT_SITES
from scoring.parks.state import State
from tests.companion.rendering.test_pdf import PAPERS
from tests.support import pdf_content
from tests.support.page_parser import Page, parse_page
from tests.support.parametrize import parametrize_cases
from tests.support.parks_table import ready_setup
from tests.support.phones import Phone, SeatedTable, new_tap, open_seated_table
from tests.support.table_states import FILE_PAGES, PUBLIC_PAGES, SEAT_PAGES, play_moves, random_game_moves

TRACKED_GAME = TRACKED_GAMES["parks"]
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed")


def play_random_game(app: Flask, players: int, seed: int):
    """Play a random game; yield the table, the seat and the next move before each step."""
    names = NAMES[:players]
    table = open_seated_table(app, *names, game="parks")
    for seat, move in random_game_moves("parks", names, seed):
        yield table, seat, move
        table.play(seat, move)


@pytest.mark.long("every page at every step")
@parametrize_cases(("players", "seed"), [(2, 1), (3, 2), (5, 3)])
def test_every_page_of_parks_is_answered_throughout_a_game(app: Flask, players: int, seed: int):
    stranger = Phone(app)
    for number, (table, _, _) in enumerate(play_random_game(app, players, seed)):
        if number % 12 == seed:
            for path in (*SEAT_PAGES, *PUBLIC_PAGES):
                answer = table.phone(0).get(f"{table.path}/{path}".rstrip("/"))
                assert answer.status_code == 200, path
            for path in SEAT_PAGES:
                assert stranger.get(f"{table.path}/{path}").status_code == 303
            for path in (*PUBLIC_PAGES, *FILE_PAGES):
                assert stranger.get(f"{table.path}/{path}".rstrip("/")).status_code in (200, 303), path
    assert table.table.is_over
    for path in (*SEAT_PAGES, *PUBLIC_PAGES, *FILE_PAGES):
        assert table.phone(0).get(f"{table.path}/{path}".rstrip("/")).status_code in (200, 303), path


def is_offered(page: Page, move: Move) -> bool:
    """Return whether a page has a button for a move, or a form that submits it."""
    match move:
        case Reserve(str(park), unnamed=True):
            return park in page.values("move.park")
        case DrawGear(gear):
            return gear in page.values("move.gear")
    return msgspec.json.encode(move).decode() in page.values("move")


@pytest.mark.slow("every step of games")
@pytest.mark.parametrize(("players", "seed"), [(2, 4), (4, 5)])
def test_legal_moves_have_buttons_and_refused_moves_have_reasons(app: Flask, players: int, seed: int):
    offered = set()
    for table, _, _ in play_random_game(app, players, seed):
        state: State = table.table.state
        task = (type(state.tasks[-1]).__name__, getattr(state.tasks[-1], "action", ""), len(set(state.player.hikers)))
        if task in offered:
            continue
        offered.add(task)
        seat = TRACKED_GAME.flow.to_move(state)[0]
        page = table.page(seat)
        for kind in TRACKED_GAME.available_moves(state):
            for offer in TRACKED_GAME.offers(state, seat, (kind,)):
                if offer.is_legal and not kind.out_of_turn:
                    assert is_offered(page, offer.move), (task, offer.move)
                for reason in offer.reasons:
                    assert reason.text in page.text
    assert len(offered) > 8


def open_table_with_trail(app: Flask, *names: str) -> SeatedTable:
    """Return a table whose players have laid the Trail in the order of the rulebook's list."""
    table = open_seated_table(app, *names, game="parks")
    for tile in TRAIL_TILES[:-1]:
        table.play(0, LayTile(tile))
    table.play(1, PlaceShutterbug("forest"))
    table.play(1, NameTile("spring-sun"))
    return table


def test_basic_site_has_one_button_that_names_its_gain(app: Flask):
    table = open_table_with_trail(app, "Ana", "Bo")
    page = table.phone(0).get(f"{table.path}/seat/0").text
    (button,) = re.findall(r'<button class="move-key hike-key" id="to-2".*?</button>', page, re.DOTALL)
    assert (
        ">Mountain<" in button
        and 'aria-label="Hike to the Mountain site: plus 1 Mountain, plus 1 Sun (weather)"' in button
    )
    assert 'data-click-target="to-2"' in page  # and on the picture
    table.submit(0, "play", {"move": '{"type":"hike","start":0,"to":2}'})
    assert table.table.state.players[0].tokens == (0, 1, 1, 0, 0)
    assert table.table.state.turn == 1


@pytest.mark.parametrize("space, kinds", [(5, ("visit-park", "reserve")), (12, ("buy-gear",))])
def test_named_and_unnamed_cards_are_offered_with_every_payment(app: Flask, space: int, kinds):
    table = open_table_with_trail(app, "Ana", "Bo")
    query = ",".join(
        f'{{"type":"by","at":"players.0.{kind}","by":3}}' for kind in ("forest", "mountain", "sun", "wildlife")
    )
    table.submit(0, "play", {"move": f'{{"type":"set-right","changes":[{query}]}}'})
    for move in (NamePark("Arches"), NameGear("journal-sun"), Hike(0, space)):
        table.play(0, move)
    state: State = table.table.state
    page = table.page(0)
    kinds_offered = [kind for kind in TRACKED_GAME.available_moves(state) if not kind.out_of_turn]
    legal = [offer.move for kind in kinds_offered for offer in TRACKED_GAME.offers(state, 0, (kind,)) if offer.is_legal]
    assert {move_tag(type(move)) for move in legal} == {*kinds, "leave"}
    assert all(is_offered(page, move) for move in legal)


def test_key_of_space_that_two_hikers_reach_has_half_for_each(app: Flask):
    table = open_table_with_trail(app, "Ana", "Bo")
    for seat, space in ((0, 2), (1, 1)):
        table.play(seat, Hike(0, space))
    page = table.phone(0).get(f"{table.path}/seat/0").text
    assert '<button class="move-key hike-key" id="to-3"' not in page
    key = re.search(r'<div class="move-key hike-key both" id="to-3" role="group".*?</div>', page, re.DOTALL)
    assert key and re.findall(r'data-number="(\d)" aria-label="(.*?):.*? from the (\w+)', key.group()) == [
        ("1", "1", "Trailhead"),
        ("2", "2", "Mountain"),
    ]
    assert '#numbers-12" x="357" y="189"' in page


def test_frame_of_space_is_beneath_the_hikers_and_the_numbers_above(app: Flask):
    table = open_table_with_trail(app, "Ana", "Bo")
    for seat, space in ((0, 2), (1, 1)):
        table.play(seat, Hike(0, space))
    page = table.phone(0).get(f"{table.path}/seat/0").text
    frame, hiker, numbers = (page.index(part) for part in ('data-click-target="to-3"', 'id="hiker-', "#numbers-12"))
    assert frame < hiker < numbers


def test_summary_counts_canteens_over_a_word(app: Flask):
    table = open_table_with_trail(app, "Ana", "Bo")
    gained = (("top.canteens", "forest"), ("middle.canteens", "mountain"), ("bottom.canteens", "trade"))
    table.play(0, EditPosition(tuple(AddRemove(f"players.0.{pile}", more=(card,)) for pile, card in gained)))
    table.submit(1, "answer", {"proposal": str(table.table.proposals[0].number), "yes": "1"})
    page = table.phone(0).get(f"{table.path}/seat/0").text
    assert re.search(r'#canteen"/></svg>\s*<span class="num">3</span></span> <small>canteens</small>', page)


def test_moves_refused_for_the_same_reason_share_one_text(app: Flask):
    table = open_table_with_trail(app, "Ana", "Bo")
    query = ",".join(f'{{"type":"by","at":"players.0.{kind}","by":3}}' for kind in ("forest", "sun", "wildlife"))
    table.submit(0, "play", {"move": f'{{"type":"set-right","changes":[{query}]}}'})
    for move in (NamePark("Zion"), Hike(0, 5), VisitPark("Gateway Arch", unnamed="open")):
        table.play(0, move)
    text = table.page(0).text
    assert text.count("You already visited a park") == 1
    assert "Reserve Zion, Reserve a face-up park not entered yet" in text


def test_laid_tiles_keep_their_place_among_the_keys(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="parks")

    def tiles() -> list[str]:
        keys = re.findall(
            r'class="move-key icon-key(?: laid)?".*?class="title">([^<]*)<',
            table.phone(0).get(f"{table.path}/seat/0").text,
            re.DOTALL,
        )
        return keys[: len(TRAIL_TILES)]

    before = tiles()
    table.play(0, LayTile("gear"))
    assert len(before) == len(TRAIL_TILES) and tiles() == before
    assert re.search(
        r'laid".*?>Gear</span>\s*<span class="note">Site 1<', table.phone(0).get(f"{table.path}/seat/0").text, re.DOTALL
    )


def test_gear_that_takes_effect_after_the_action_is_shown(app: Flask):
    table = open_table_with_trail(app, "Ana", "Bo")
    gained = (("gear", "journal-forest"), ("top.canteens", "forest"))
    table.play(0, EditPosition(tuple(AddRemove(f"players.0.{pile}", more=(card,)) for pile, card in gained)))
    table.submit(1, "answer", {"proposal": str(table.table.proposals[0].number), "yes": "1"})
    table.play(0, Hike(0, 1))
    assert all_gear(table.table.state.facts)["journal-forest"].name in table.page(0).text


def test_parks_has_no_secrets(app: Flask):
    for table, _, move in play_random_game(app, 3, 6):
        state = table.table.state
        assert not move.is_secret and all(TRACKED_GAME.view(state, seat) == state for seat in (None, 0, 1, 2))
    assert not [line for line in table.table.messages if line.is_secret]


@pytest.mark.slow("every page of a table")
def test_names_of_players_and_custom_cards_are_escaped_everywhere(app: Flask):
    table = open_seated_table(app, "<b>&amp;", '"><script>', game="parks")
    table.submit(0, "play", {"move": msgspec.json.encode(AddPark("<i>Park</i>", 3, sun=1)).decode()})
    table.submit(1, "answer", {"proposal": str(table.table.proposals[0].number), "yes": "1"})
    table.play(0, NamePark("<i>Park</i>"))
    for path in (*SEAT_PAGES, *PUBLIC_PAGES):
        text = table.phone(0).get(f"{table.path}/{path}".rstrip("/")).text
        assert "<i>" not in text and "<script>" not in text and "<b>&amp;" not in text, path
    assert "<i>Park</i>" in table.page(0).text


def test_setup_form_can_be_changed_and_checks_for_duplicates(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="parks")
    form = table.phone(0).open(f"{table.path}/setup").form("").default_values
    changed = {
        "setup.players.1.passion": "Botany", "setup.players.0.tokens.2": "2",
        "setup.players.0.canteen": "trade", "setup.shutterbug": "sun",
        **{f"setup.sites.{number}": site for number, site in enumerate(("gear", *DEFAULT_SITES[1:8], "forest"))},
        "setup.tile": "spring-forest", "setup.gear": "4",
    }  # fmt: skip
    assert table.phone(0).post(f"{table.path}/setup", {**form, **changed}).status_code == 303
    setup = table.table.setup
    assert (setup.players[1].passion, setup.players[0].tokens, setup.players[0].canteen) == (
        "Botany",
        (0, 0, 2, 0, 0),
        "trade",
    )
    assert (setup.sites[0], setup.sites[8], setup.shutterbug, setup.tile, setup.gear) == (
        "gear",
        "forest",
        "sun",
        "spring-forest",
        4,
    )
    answer = table.phone(0).post(
        f"{table.path}/setup", {**form, **changed, "tap": new_tap(), "setup.sites.1": "forest"}
    )
    assert answer.status_code == 422 and "once" in parse_page(answer.text).text


# players, letters of the longest name, parks and photos each, house rules, with the picture of the table
CROWDED = [
    (2, 3, 0, 14, 13, True),
    (2, 40, 20, 14, 13, False),
    (2, 14, 12, 8, 0, True),
    (3, 25, 12, 9, 13, True),
    (4, 14, 9, 7, 13, True),
    (5, 14, 8, 5, 0, True),
    (5, 20, 8, 5, 6, True),
    (5, 25, 12, 5, 13, False),
]


@pytest.mark.slow("prints PDFs")
@parametrize_cases("size", PAPERS)
@parametrize_cases(("players", "letters", "parks", "photos", "rulings", "picture"), CROWDED)
def test_sheet_of_parks_is_one_page(size, players, letters, parks, photos, rulings, picture):
    names = [letter * letters for letter in "WMQABC"[:players]]
    cards, passions = list(PARKS), list(PASSIONS)
    document = {
        "game": "parks",
        "fall": "sun",
        "rulings": {ruling.id: ruling.options[-1].id for ruling in TRACKED_GAME.box.rulings[:rulings]},
        "players": [
            {
                "name": name,
                "parks": cards[parks * seat : parks * (seat + 1)],
                "photos": photos,
                "gear": ["Journal"] * 4,
                "passion": {"card": passions[seat], "side": "end"},
            }
            for seat, name in enumerate(names)
        ],
    }
    view = TRACKED_GAME.initial_state(ready_setup(*names)) if picture else None
    _, final = read_final_position(document)
    page = PrintPage(
        TRACKED_GAME.box,
        TRACKED_GAME.key,
        TRACKED_GAME.box.score(final),
        True,
        "2026-01-02",
        "BCDFG",
        view,
        final,
        piece_colors=HIKERS,
    )
    html = print_pages.render_html("print/sheet.html", size, page=page)
    (sheet,) = pdf.lay_out(html, size).pages
    assert (round(sheet.width * 0.75), round(sheet.height * 0.75)) == PAPERS[size]
    assert ("<svg" in html) == picture
    assert html.count("“Game End”") <= 2, "named once for all lines, and where a tie is broken"


@pytest.mark.long("large PDFs")
def test_sheet_of_five_players_with_eight_parks_each_is_readable():
    from weasyprint.formatting_structure.boxes import TextBox

    players = [
        {"name": name, "parks": list(PARKS)[8 * seat : 8 * seat + 8], "photos": 3 + seat}
        for seat, name in enumerate(NAMES)
    ]
    _, final = read_final_position({"game": "parks", "fall": "sun", "players": players})
    page = PrintPage(
        TRACKED_GAME.box,
        TRACKED_GAME.key,
        TRACKED_GAME.box.score(final),
        True,
        "2026-01-02",
        "BCDFG",
        TRACKED_GAME.initial_state(ready_setup(*NAMES)),
        final,
        piece_colors=HIKERS,
    )
    for size in PAPERS:
        (sheet,) = pdf.lay_out(print_pages.render_html("print/sheet.html", size, page=page), size).pages
        texts = [
            box.style["font_size"] * pdf.POINTS_PER_PIXEL
            for box in pdf_content.page_box(sheet).descendants()
            if isinstance(box, TextBox)
        ]
        assert min(texts) >= 8 and pdf_content.filled_share(sheet) > 0.9


def test_printed_picture_contains_the_shapes_it_uses(app: Flask):
    with app.app_context():
        image = app.jinja_env.get_template("parks/_trail.html").module.trail_svg(
            TRACKED_GAME.initial_state(ready_setup(*NAMES)), HIKERS
        )
    used, ids = set(re.findall('href="([^"]*)"', image)), set(re.findall(' id="([^"]+)"', image))
    assert {"#site-forest", "#site-parks", "#wildlife", "#pine"} <= used
    assert {address.removeprefix("#") for address in used} <= ids
    assert "var(" not in image


@pytest.mark.long("many PDFs")
@parametrize_cases("players", [2, 5])
def test_sheet_of_a_parks_table_is_one_page_at_any_time(app: Flask, players: int):
    names = NAMES[:players]
    table = open_seated_table(app, *names, game="parks")
    game = random_game_moves("parks", names, 9)
    for part in (game[:0], game[: len(game) // 2], game[len(game) // 2 :]):
        play_moves(table, part)
        data = table.phone(0).get(f"{table.path}/score.pdf").data
        assert data.startswith(b"%PDF-") and pdf_content.page_count(data) == 1


def test_scoring_values_can_be_corrected_with_consent_after_the_end(app: Flask):
    names = NAMES[:2]
    table = play_moves(open_seated_table(app, *names, game="parks"), random_game_moves("parks", names, 9))
    assert f"{table.path}/seat/0/tell" in table.page(0).addresses
    photos = table.table.state.players[1].photos
    table.submit(0, "play", {"move": '{"type":"set-right","changes":[{"type":"by","at":"players.1.photos","by":3}]}'})
    (question,) = table.table.proposals
    assert question.text == f"Bo\u2019s photos {photos} \u2192 {photos + 3}"
    table.submit(1, "answer", {"proposal": str(question.number), "yes": "1"})
    assert table.table.is_over and table.table.state.players[1].photos == photos + 3


def test_shutterbug_has_the_same_symbol_in_every_picture(app: Flask):
    table = play_moves(open_seated_table(app, *NAMES[:2], game="parks"), random_game_moves("parks", NAMES[:2], 9)[:14])
    assert table.table.state.shutterbug
    with app.app_context():
        printed = app.jinja_env.get_template("parks/_trail.html").module.trail_svg(table.table.state, HIKERS)
    pictures = [printed, *(table.phone(0).get(f"{table.path}{page}").text for page in ("/board", "/seat/0"))]
    assert all(re.search(r'id="shutterbug".*?#badge"', image) for image in pictures)
    setup = open_seated_table(app, *NAMES[:2], game="parks")
    page = setup.phone(0).get(f"{setup.path}/setup").text
    assert re.search(r"<legend>[^\n]*?#badge\"[^\n]*?Shutterbug token", page)


def test_steppers_of_custom_cards_are_named_by_plain_words(app: Flask):
    text = Phone(app).become_owner().get("/box/parks").text
    assert "&lt;svg" not in text
    for name in ("Forest", "Cost", "Number in the objective", "Number needed for 1 bonus point"):
        assert f"{name}: minus 1" in text, name
