"""The ids of the games at BoardGameGeek, as the owner has entered them."""

from companion.storage.store import Store
from scoring.games import GAMES


def bgg_ids(store: Store) -> dict[str, int]:
    """Return the known BoardGameGeek ids by game; an id entered here has precedence."""
    stored_ids = dict(store.query("SELECT game, number FROM bgg"))
    return {key: number for key, game in GAMES.items() if (number := stored_ids.get(key) or game.box.bgg_id)}


def set_bgg_id(store: Store, game_key: str, bgg_id: int, overwrites: bool = True) -> None:
    """Store a game's BoardGameGeek id.

    :param bgg_id: the id; 0 if the game has no id.
    :param overwrites: replace an id that was stored before.
    """
    conflict_action = "REPLACE" if overwrites else "IGNORE"
    with store.transaction() as db:
        db.execute(f"INSERT OR {conflict_action} INTO bgg VALUES (?, ?)", [game_key, bgg_id])
