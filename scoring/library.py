"""The public interface of this package for Python programs: matches as frozen values.

A match is played by moves. Dice and drawn cards are fields of moves: the caller rolls and draws, so the same moves
always lead to the same state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import Struct

from scoring.document import position_document, read_position_document, sheet_data, to_plain_data, tracked_game
from scoring.games import GAMES
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.legality import explain, play_out
from scoring.kernel.move import Move
from scoring.kernel.parsing import convert_data, error_at, quote_value
from scoring.kernel.rule import Option, Reason, Rule, Ruling
from scoring.kernel.state import GameState

__all__ = [
    "GameInfo",
    "IllegalMoveError",
    "InvalidInputError",
    "Match",
    "Move",
    "MoveExplanation",
    "Option",
    "Reason",
    "Rule",
    "Ruling",
    "list_games",
    "read_position",
    "start_match",
]


class GameInfo(Struct, frozen=True):
    """What a program needs to know about a game before it starts a match or scores one."""

    key: str
    """The name of the game in documents and function calls, such as "trails"."""
    title: str
    edition: str
    """The edition of the rulebook that the rules follow."""
    player_counts: tuple[int, ...]
    """The supported numbers of players of a match."""
    is_tracked: bool
    """Whether matches can be played; if not, the game can only be scored."""
    rulings: tuple[Ruling, ...]
    """The points that the rulebook leaves open; the first option of each is the default."""


def list_games() -> tuple[GameInfo, ...]:
    """Return all games."""
    return tuple(
        GameInfo(
            key=key,
            title=game.box.title,
            edition=game.box.edition,
            player_counts=game.box.player_counts,
            is_tracked=game.tracked is not None,
            rulings=game.box.rulings,
        )
        for key, game in GAMES.items()
    )


class MoveExplanation(Struct, frozen=True):
    """Whether a seat may make a move in this turn, and why."""

    legality: Literal["now", "later", "no", "unknown"]
    """Later: after other moves of the same turn. Unknown: not every sequence was tried."""
    label: str
    """The move in words, in the imperative: "Hike 2 to the leaf site"."""
    reasons: tuple[Reason, ...]
    """Why the move is not legal now; empty if it is."""
    ways: tuple[tuple[str, ...], ...]
    """The labels of the moves to make first, the shortest sequence first; only for "later"."""
    remedies: tuple[str, ...]
    """What is missing at the nearest place of the turn; with it, the move would be legal there."""
    effect: str
    """What the game log would say about the move; empty unless the move is legal now or later."""


@dataclass(frozen=True)
class Match:
    """A match at one moment; each move returns the next one.

    `start_match` and `read_position` return the first one.
    """

    game: str
    """The key of the game."""
    state: GameState = field(repr=False)
    """Everything that is known; its fields may change in any version."""
    last_move_text: str = field(default="", compare=False)
    """What the game log says about the last move; empty at the start and in a view."""

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names of the players by seat; the seats are numbered from 0 in turn order."""
        return tuple(player.name for player in self.state.players)

    @property
    def to_move(self) -> tuple[int, ...]:
        """Return the seats that may move now; none if the match is over."""
        return tracked_game(self.game).flow.to_move(self.state)

    @property
    def is_over(self) -> bool:
        """Return whether the match is over."""
        return not self.to_move

    @property
    def prompt(self) -> str:
        """Return the prompt for the players: the next step, in one line."""
        return tracked_game(self.game).text.prompt(self.state)

    @property
    def move_types(self) -> tuple[str, ...]:
        """Return the types of the moves that a seat to move can make now: "hike"."""
        if self.is_over:
            return ()
        available = tracked_game(self.game).available_moves(self.state)
        return tuple(str(kind.__struct_config__.tag) for kind in available)

    def legal_moves(self, seat: int, *, out_of_turn: bool = False) -> list[Move]:
        """Return the legal moves of a seat that resolve what has to be decided now.

        A move with too many variants to list, such as a tile in any place, is left out, so the list can be empty
        although a move is legal. Then build the move as plain data: `move_types` has its type, and `json_schemas` its
        fields.

        :param out_of_turn: whether to include the other moves that any seat may make at any time: naming a card,
            correcting the position, settling a ruling.
        :raises InvalidInputError: if there is no such seat.
        """
        self._check_seat(seat)
        tracked = tracked_game(self.game)
        kinds = tracked.moves if out_of_turn else tracked.available_moves(self.state)
        return [offer.move for offer in tracked.offers(self.state, seat, kinds) if offer.is_legal] if kinds else []

    def decode_move(self, data: Mapping[str, Any]) -> Move:
        """Return the move for plain data, such as `{"type": "hike", "steps": 2}`; it may be illegal.

        :raises InvalidInputError: if the data is no move of this game, naming the place and the nearest valid value.
        """
        return tracked_game(self.game).decode(data)

    def encode_move(self, move: Move) -> dict[str, Any]:
        """Return a move as plain data, ready for JSON; fields with their default value are left out."""
        return to_plain_data(move)

    def play(self, seat: int, move: Move | Mapping[str, Any]) -> "Match":
        """Return the match after a move and the forced steps that follow it.

        Moves that need the agreement of the table are played immediately; asking the players is up to the caller.

        :param move: a move of this game, or its plain data.
        :raises InvalidInputError: if there is no such seat, or the data is no move of this game.
        :raises IllegalMoveError: if the rules refuse the move; `reasons` has every reason.
        """
        self._check_seat(seat)
        tracked, checked_move = tracked_game(self.game), self._to_move(move)
        after = tracked.play(self.state, seat, checked_move)
        return Match(self.game, after, tracked.log_sentence(self.state, after, seat, checked_move))

    def explain(self, seat: int, move: Move | Mapping[str, Any]) -> MoveExplanation:
        """Return whether a seat may make a move in this turn, and why, from what that seat can see.

        If the seat is not to move, the first reason says so, and the rest assumes that its turn begins now.

        :param move: a move of this game, or its plain data.
        :raises InvalidInputError: if there is no such seat, or the data is no move of this game.
        """
        self._check_seat(seat)
        tracked = tracked_game(self.game)
        answer = explain(tracked, tracked.view(self.state, seat), seat, self._to_move(move))
        is_possible = answer.legality in ("now", "later")
        return MoveExplanation(
            legality=answer.legality,
            label=answer.label,
            reasons=(*((answer.wait_reason,) if answer.wait_reason else ()), *answer.reasons),
            ways=answer.way_labels,
            remedies=(answer.nearest.missing_text,) if answer.nearest and answer.nearest.changes else (),
            effect=play_out(tracked, answer, seat)[2] if is_possible else "",
        )

    def view(self, seat: int | None) -> "Match":
        """Return the match as one seat may see it, without the secrets of the others.

        :param seat: the seat, or None for a spectator.
        :raises InvalidInputError: if there is no such seat.
        """
        if seat is not None:
            self._check_seat(seat)
        return Match(self.game, tracked_game(self.game).view(self.state, seat))

    def score(self) -> dict[str, Any]:
        """Return the score sheet as `score_document` does.

        While the match is not over, `decided_by`, `verdict` and every `rank` are None, and nobody is the winner.
        """
        tracked = tracked_game(self.game)
        return sheet_data(tracked.box.score(tracked.final_position(self.state)), is_over=self.is_over)

    def write_position(self) -> dict[str, Any]:
        """Return the position as plain data for `read_position`, including all secrets.

        :raises InvalidInputError: if the game has no format for positions.
        """
        return position_document(tracked_game(self.game), self.state)

    def _check_seat(self, seat: int) -> None:
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < len(self.players):
            raise error_at("seat", f"this match has seats 0 to {len(self.players) - 1}, not {quote_value(seat)}")

    def _to_move(self, move: Move | Mapping[str, Any]) -> Move:
        if isinstance(move, Move) and not isinstance(move, tracked_game(self.game).moves):
            raise error_at("move", f"this is no move of {self.game}")
        return move if isinstance(move, Move) else self.decode_move(move)


def start_match(
    game: str,
    players: Sequence[str],
    *,
    rulings: Mapping[str, str] | None = None,
    setup: Mapping[str, Any] | None = None,
) -> Match:
    """Return a new match before the first move.

    :param game: the key of a game that is tracked; see `list_games`.
    :param players: the names in turn order.
    :param rulings: the chosen options by ruling id; the others keep their default.
    :param setup: further fields of the setup as plain data, such as `{"seed": 7}`; see `json_schemas`.
    :raises InvalidInputError: if the game is unknown or only scored, or a value cannot be read.
    :raises IllegalMoveError: if the rules refuse the setup.
    """
    tracked = tracked_game(game)
    names = convert_data(players, list[str], "players")
    counts = tracked.box.player_counts
    if len(names) not in counts:
        raise error_at("players", f"{tracked.box.title} is for {counts[0]} to {counts[-1]} players, not {len(names)}")
    default = to_plain_data(tracked.setup_format.default(names))
    given = {"rulings": rulings or {}, **(setup or {})}
    return Match(game, tracked.initial_state(tracked.read_setup(default | given)))


def read_position(document: Mapping[str, Any]) -> Match:
    """Return the match at a position that was written by `write_position`.

    The output of `waymark replay --position` has the same format.

    :raises InvalidInputError: if it cannot be read, naming the place and the nearest valid value.
    :raises IllegalMoveError: if the position is inconsistent.
    """
    tracked, state = read_position_document(document)
    return Match(tracked.key, state)
