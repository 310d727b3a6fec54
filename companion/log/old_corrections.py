"""Corrections that old logs contain, and the meaning of their stored fields.

`EditPosition` has replaced them, so only logs of earlier versions have them. Unlike an `EditPosition`, they set values
of the state, also some that a position does not have, and do not check the turn. As old versions stored them for each
game, this is the only module of the app that knows single games.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct, defstruct

from scoring.games import TRACKED_GAMES
from scoring.kernel.edit_position import EditPosition, describe_fields
from scoring.kernel.editable import FieldDifference, compare_fields
from scoring.kernel.english import capitalize_first
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Correction, MoveLabel
from scoring.kernel.paths import parse_path, with_value
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.state import GameState

State = Any  # the state of the game that a correction belongs to
Fields = Any  # the stored fields of a correction, as attributes


class OldCorrection(Correction[GameState]):
    """A correction of an old log."""

    title = "Correction"
    game_key: str
    old: Struct  # the stored data, of a type in OLD_CORRECTIONS

    @property
    def _kind(self) -> "OldKind":
        return OLD_CORRECTIONS[self.game_key][str(self.old.__struct_config__.tag)]

    @property
    def _edit(self) -> type[EditPosition]:
        return next(kind for kind in TRACKED_GAMES[self.game_key].moves if issubclass(kind, EditPosition))

    def change_errors(self, state: GameState) -> Iterator[Reason]:
        if not self._is_possible(state):
            yield Reason("impossible-correction", self._edit.rules[0], "This correction is no longer possible.")

    def _is_possible(self, state: GameState) -> bool:
        try:
            is_seat = 0 <= getattr(self.old, "player", 0) < len(state.players)
            return is_seat and not self._kind.is_refused(state, self.old) and self.apply(state, 0) != state
        except (LookupError, ValueError, InvalidInputError, msgspec.ValidationError):
            return False

    def position_errors(self, state: GameState) -> Iterator[Reason]:
        return (error for error in self._edit.position_format.position_errors(state) if error.code not in TURN_ERRORS)

    def apply(self, state: GameState, seat: int) -> GameState:
        """Return the state with the new values.

        :raises LookupError, ValueError, InvalidInputError, ValidationError: if the state has no place for them.
        """
        data = msgspec.json.decode(msgspec.json.encode(state))
        self._kind.correct(data, self.old)
        corrected = msgspec.convert(data, type(state))
        if self.game_key != "parks":
            return corrected
        # The position decides what is left in the trays, and which spaces of Trail End are used.
        return self._edit.position_format.from_position(self._edit.position_format.to_position(corrected))

    def log_baseline(self, state: GameState, seat: int) -> GameState:
        return self.apply(state, seat)

    def cited_rules(self) -> tuple[Rule, ...]:
        return self._edit.rules

    def label(self, state: GameState, seat: int) -> MoveLabel:
        return MoveLabel(capitalize_first(self.describe_change(state)), icon="pen")

    def describe_change(self, state: GameState) -> str:
        if any(self.objections(state, 0)):
            return "a correction of an earlier version"
        fields = self._edit.position_format.editable_fields
        differences = compare_fields(fields(state), fields(self.apply(state, 0)))
        texts = ((difference.seat, _difference_text(difference)) for difference in differences)
        return describe_fields(state, texts) or "no change"


def _difference_text(difference: FieldDifference) -> str:
    if difference.new.isdecimal():
        return f"{difference.label} {difference.old or 0} \u2192 {difference.new}"
    return f"{difference.label} from {difference.old or 'none'} to {difference.new or 'none'}"


class OldKind(NamedTuple):
    """The meaning of an old correction's data: its fields, its effect and its conditions."""

    type: type[Struct]  # its stored fields
    correct: Callable[[dict, Fields], None]  # changes the plain data of a state as the stored fields say
    is_refused: Callable[[State, Fields], bool]  # (state, stored fields) -> whether it is impossible there


class OldField(NamedTuple):
    """An optional field of an old correction."""

    type: object
    path: str = ""  # of its value in the state, where "#" is the player; empty: not a value of the state
    default: object = None


# Errors of a turn, which an old correction of single values may cause.
TURN_ERRORS = {"keep-eight", "elsewhere", "no-meeting"}


def _kind(
    tag: str,
    fields: Mapping[str, object],
    is_refused: Callable[[State, Fields], bool] = lambda state, old: False,
    correct: Callable[[dict, Fields], None] = lambda state, old: None,
) -> tuple[str, OldKind]:
    """Return an old correction with its tag.

    :param fields: the type of each required field, and an `OldField` for each optional one.
    :param is_refused: whether a correction is impossible, apart from what a position cannot have.
    :param correct: changes the state where setting the values of the fields is not enough.
    """
    optional = {name: field for name, field in fields.items() if isinstance(field, OldField)}
    required = [(name, kind) for name, kind in fields.items() if name not in optional]
    defaults = [(name, field.type, field.default) for name, field in optional.items()]
    stored = defstruct("OldMove", [*required, *defaults], tag=tag, frozen=True, forbid_unknown_fields=True)

    def correct_all(state: dict, old: Fields) -> None:
        for name, field in optional.items():
            if field.path and getattr(old, name) is not None:
                path = parse_path(field.path.replace("#", str(getattr(old, "player", ""))))
                state |= with_value(state, path, getattr(old, name))
        correct(state, old)

    return tag, OldKind(stored, correct_all, is_refused)


def _optional(type: type[int | bool], **paths: str) -> dict[str, object]:
    return {name: OldField(type | None, path) for name, path in paths.items()}


# TRAILS

TrailsSite = Literal["acorn", "exchange", "leaf", "photo", "rock"]


def _is_trails_player_refused(state: State, old: Fields) -> bool:
    """Return whether play has not begun or is over, or the box has too few cubes."""
    is_limited = state.rulings.get("cube-supply", "limited") == "limited"
    in_box = TRACKED_GAMES["trails"].box.components.RESOURCES_OF_EACH
    for number, cubes in enumerate((old.acorn, old.leaf, old.rock)):
        added = 0 if cubes is None else cubes - state.players[old.player].cubes[number]
        if is_limited and added > 0 and state.held(number) + added > in_box:
            return True
    return _is_trails_refused(state)


def _is_trails_refused(state: State) -> bool:
    return state.is_over or state.sites_laid < len(state.sites)


# ALPINE TRAILS


def _correct_animals(state: dict, old: Fields) -> None:
    """Set the animals that a player keeps; those whose number has changed come last."""
    player = state["players"][old.player]
    animals = player["kept_animals"]
    for animal in ("goat", "moose", "bear", "wolf"):
        number = getattr(old, animal)
        if number not in (None, animals.count(animal)):
            animals[:] = [kept_animal for kept_animal in animals if kept_animal != animal] + [animal] * number
    player["has_placed_campsite"] = player["has_placed_campsite"] and player["tiles_used"] > 0


def _is_alpine_player_refused(state: State, old: Fields) -> bool:
    has_map = bool(state.players[old.player].tiles)
    in_box = TRACKED_GAMES["alpine-trails"].box.components.ANIMALS_OF_EACH
    is_in_box = all(0 <= (number or 0) <= in_box for number in (old.goat, old.moose, old.bear, old.wolf))
    return not (has_map and is_in_box) or (old.used is not None and state.is_play_over)


def _correct_round(state: dict, old: Fields) -> None:
    state["round"] = old.round


# PARKS

ParksSite = Literal["die", "forest", "gear", "mountain", "parks", "photo", "sun", "water", "wildlife"]
Canteen = Literal["2 sun", "2 water", "forest", "mountain", "parks", "photo", "trade"]
PARKS_TOKENS = ("forest", "mountain", "sun", "water", "wildlife")
PARKS_COUNTS = ("photos", "bought", "wild_photos")
MAX_COUNT = 99  # tokens or photos of one player
NOBODY = -1  # the owner of a badge that no one has


def _is_parks_player_refused(state: State, old: Fields) -> bool:
    """Return whether a number is impossible, or a value without points changes after the end."""
    tokens, counts = ([getattr(old, name) for name in names] for names in (PARKS_TOKENS, PARKS_COUNTS))
    is_possible = all(0 <= (number or 0) <= MAX_COUNT for number in (*tokens, *counts))
    return not is_possible or (state.is_over and (*tokens, old.campfire) != (None,) * 6)


def _correct_hiker(state: dict, old: Fields) -> None:
    """Move a hiker; the space of Trail End that it leaves counts as unused."""
    hikers = state["players"][old.player]["hikers"]
    hikers[hikers.index(old.start)] = old.to
    hikers.sort()
    left = old.start - len(state["sites"]) - 1
    if left >= 0:
        state["end_spaces_used"][left] = False


def _correct_park(state: dict, old: Fields) -> None:
    """Put a park where it is, and remove it from everywhere else."""
    player = state["players"][old.player]
    for pile in ("visited", "reserve"):
        if pile != old.where:
            player[pile] = [park for park in player[pile] if park != old.park]
        elif old.park not in player[pile]:
            player[pile].append(old.park)
    if old.where != "nowhere":
        state["parks"] = ["" if park == old.park else park for park in state["parks"]]


def _correct_gear(state: dict, old: Fields) -> None:
    """Add or remove a gear card; a missing card cannot have been used either."""
    gear = state["players"][old.player]["gear"]
    if old.has:
        gear.append(old.gear)
    else:
        gear.remove(old.gear)
    if old.player == state["turn"]:
        state["used_gear"] = [*(Counter(state["used_gear"]) & Counter(gear)).elements()]


def _correct_canteens(state: dict, old: Fields) -> None:
    player = state["players"][old.player]
    player["canteens"][old.row] = [canteen for canteen in (old.first, old.second) if canteen]
    player["filled"][old.row] = old.water


def _correct_passion(state: dict, old: Fields) -> None:
    state["players"][old.player] |= {"passion": old.passion, "side": old.side}


def _correct_badge(state: dict, old: Fields) -> None:
    if old.badge == NOBODY:
        state["badge"] = None


def _is_parks_table_refused(state: State, old: Fields) -> bool:
    """Return whether something is missing, a hiker is on an unused space, or play is over."""
    spaces_used = (old.parks_used, old.photo_used, old.gear_used)
    occupied = {space - len(state.sites) - 1 for player in state.players for space in player.hikers}
    return (
        (old.shutterbug is not None and state.shutterbug is None)
        or (old.first_hiker is not None and old.first_hiker < 0)
        or any(is_used is False and end in occupied for end, is_used in enumerate(spaces_used))
        or (state.is_over and (old.badge, old.shutterbug, *spaces_used) != (None,) * 5)
    )


def _correct_weather(state: dict, old: Fields) -> None:
    state["weather"][old.space - 1] = old.weather


def _swap_tiles(state: dict, old: Fields) -> None:
    sites = state["sites"]
    first_index, second_index = sites.index(old.first), sites.index(old.second)
    sites[first_index], sites[second_index] = old.second, old.first


# ON THE TRAIL


def _correct_cards(state: dict, old: Fields) -> None:
    """Set a runner's cards; which ones are in hand is unknown once their number has changed."""
    player = state["players"][old.player]
    if old.held not in (None, sum(player["hand"]) + player["unknown_hand"]):
        no_cards = [0] * len(player["hand"])
        player |= {"hand": no_cards, "unknown_hand": old.held, "deduced": no_cards}
    if old.shuffled:
        player |= {"discard": [0] * len(player["discard"]), "unknown_discards": 0}
    if old.clear is not None:
        player["setbacks" if old.clear in player["setbacks"] else "boosts"].remove(old.clear)
    if old.lay is not None:
        _add_race_card(state, player, old.lay)


def _add_race_card(state: dict, player: dict, card: str) -> None:
    """Add a Boost or Setback, from the discard pile if no copy of the Setback is left to draw."""
    box, discard = TRACKED_GAMES["on-the-trail"].box.components, state["setback_discard"]
    if card in box.BOOSTS:
        player["boosts"].append(card)
        return
    cards_out_of_deck = [*discard, *(id for other_player in state["players"] for id in other_player["setbacks"])]
    if card in discard and cards_out_of_deck.count(card) >= box.SETBACKS[card].copies:
        discard.remove(card)
    player["setbacks"].append(card)


def _is_race_refused(state: State, old: Fields) -> bool:
    """Return whether the runner is not racing, is on the move, or is a bot without such cards."""
    player = state.players[old.player]
    is_on_the_move = state.turn == old.player and bool(state.moved or state.legs_to_run)
    has_own_deck = player.bot and state.bot_deck == "app"
    return (
        state.is_over
        or not player.is_racing
        or (old.space is not None and is_on_the_move)
        or (old.held is not None and player.bot)
        or (bool(old.shuffled) and has_own_deck)
    )


OLD_CORRECTIONS: dict[str, dict[str, OldKind]] = {
    "trails": dict(
        [
            _kind(
                "correct-player",
                {"player": int}
                | _optional(int, acorn="players.#.cubes.0", leaf="players.#.cubes.1", rock="players.#.cubes.2")
                | _optional(int, space="players.#.space", facing="players.#.facing")
                | _optional(bool, canteen="players.#.canteen"),
                _is_trails_player_refused,
            ),
            _kind(
                "correct-table",
                {"bear": OldField(TrailsSite | None, "bear")} | _optional(int, sun="sun"),
                lambda state, old: _is_trails_refused(state) or None not in (old.sun, state.sun_holder),
            ),
        ]
    ),
    "alpine-trails": dict(
        [
            _kind(
                "correct-player",
                {"player": int} | _optional(int, goat="", moose="", bear="", wolf="", used="players.#.tiles_used"),
                _is_alpine_player_refused,
                _correct_animals,
            ),
            _kind("correct-round", {"round": int}, lambda state, old: state.is_play_over, _correct_round),
        ]
    ),
    "parks": dict(
        [
            _kind(
                "correct-player",
                {"player": int}
                | _optional(int, **{name: f"players.#.tokens.{number}" for number, name in enumerate(PARKS_TOKENS)})
                | _optional(int, **{name: f"players.#.{name}" for name in PARKS_COUNTS})
                | _optional(bool, campfire="players.#.campfire"),
                _is_parks_player_refused,
            ),
            _kind(
                "correct-hiker",
                {"player": int, "start": int, "to": int},
                lambda state, old: state.is_over or not 0 <= old.to <= len(state.sites) + len(state.end_spaces_used),
                _correct_hiker,
            ),
            _kind(
                "correct-park",
                {"player": int, "park": str, "where": Literal["visited", "reserve", "nowhere"]},
                lambda state, old: state.is_over and old.where == "reserve",
                _correct_park,
            ),
            _kind("correct-gear", {"player": int, "gear": str, "has": bool}, correct=_correct_gear),
            _kind(
                "correct-canteens",
                {"player": int, "row": int, "water": OldField(bool, default=False)}
                | dict.fromkeys(("first", "second"), OldField(Canteen | None)),
                lambda state, old: state.is_over or old.row < 0,
                _correct_canteens,
            ),
            _kind(
                "correct-passion",
                {"player": int, "passion": str, "side": OldField(Literal["gear", "end"] | None)},
                correct=_correct_passion,
            ),
            _kind(
                "correct-table",
                {"shutterbug": OldField(ParksSite | None, "shutterbug")}
                | _optional(int, badge="badge", first_hiker="first_hiker")
                | _optional(
                    bool, parks_used="end_spaces_used.0", photo_used="end_spaces_used.1", gear_used="end_spaces_used.2"
                ),
                _is_parks_table_refused,
                _correct_badge,
            ),
            _kind(
                "correct-weather",
                {"space": int, "weather": OldField(Literal["", "sun", "water"], default="")},
                lambda state, old: state.is_over or old.space < 1,
                _correct_weather,
            ),
            _kind(
                "swap-tiles", {"first": ParksSite, "second": ParksSite}, lambda state, old: state.is_over, _swap_tiles
            ),
        ]
    ),
    "on-the-trail": dict(
        [
            _kind(
                "correct",
                {"player": int, "lay": OldField(str | None), "clear": OldField(str | None)}
                | _optional(int, space="players.#.legs_run", held="")
                | _optional(bool, shuffled=""),
                _is_race_refused,
                _correct_cards,
            ),
        ]
    ),
}
