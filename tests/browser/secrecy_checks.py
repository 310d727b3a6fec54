"""Secrets that must not reach another phone before the reveal, and where to look for them."""

import re

from companion.log.table import Table
from scoring.trails.box import BADGES
from scoring.trails.state import State
from tests.browser.phone import Phone

# A player who may name a card is offered (or refused) every badge it could be, and every face of a photo. That is no
# secret, nor are the badges to choose from when fixing a position. Preselected values are kept.
_OFFERED = re.compile(
    r'<button class="(?:pick|move-key photo-face)\b.*?</button>|<li class="refused">.*?</li>|'
    r'<option value="[^"]*">[^<]*</option>',
    re.DOTALL,
)


def find_secrets(table: Table, seat: int) -> list[str]:
    """Return the secrets of a seat: its noted hand badge, as text and as id, and its notes."""
    state: State = table.state
    hand = state.players[seat].hand
    badge = [hand, BADGES[hand].title] if hand and not state.visible_copies(hand) else []
    return [*badge, *(line.text for line in table.messages if line.is_secret and line.seat == seat)]


def strip_offered_choices(text: str) -> str:
    """Return a page's text without the choices that are offered to everyone alike."""
    return _OFFERED.sub("", text)


def assert_keeps_secrets(phone: Phone, table: Table, own_seat: int | None) -> None:
    """Assert that a phone's page and recent traffic hold no secrets of other seats."""
    texts = [strip_offered_choices(text) for text in (phone.page.content(), phone.take_stream(), *phone.take_answers())]
    for seat in range(len(table.names)):
        if seat != own_seat:
            for secret in find_secrets(table, seat):
                assert not [text for text in texts if secret in text], (
                    f"{phone.name} can read of {table.names[seat]}: {secret}"
                )
            assert f"{table.names[seat]} noted" not in "".join(texts)


def assert_reads_own(phone: Phone, table: Table, seat: int) -> None:
    """Assert that a seat's page shows its own secrets, so that the search can find them."""
    player = table.state.players[seat]
    shown = strip_offered_choices(phone.page.content())
    assert not player.hand or BADGES[player.hand].title in shown
    cards = phone.find("#secret .photo-card").all_inner_texts()
    assert [card.split()[0] for card in cards] == [str(photo.points) if photo else "?" for photo in player.photos]
