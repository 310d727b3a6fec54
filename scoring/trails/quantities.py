"""What a player gained and paid by a move, for the log and the reminders."""

from collections.abc import Iterator
from operator import sub

from scoring.kernel.move import Correction, Move
from scoring.trails.box import BADGES, Cubes
from scoring.trails.moves.badges import EarnBadge, GainResource, current_visit
from scoring.trails.moves.hiking import Exchange, Hike, KeepResources, Photograph, RollWildlife
from scoring.trails.state import BothSites, ChooseResource, SiteAction, State
from scoring.trails.text import describe_cubes, site_source
from scoring.trails.turn import badge_price, cubes_of_kind, forced_steps


def cubes_paid(state: State, seat: int, move: Move) -> Cubes:
    """Return the resources that a legal move returns to the supply."""
    player = state.players[seat]
    match move:
        case EarnBadge(badge) if not current_visit(state)[1]:
            return badge_price(BADGES[badge], player.badges)
        case Exchange(kind) | Photograph(pay=kind) if kind:
            return cubes_of_kind(kind)
        case KeepResources(acorn, leaf, rock):
            return _subtract(player.cubes, (acorn, leaf, rock))
    return (0, 0, 0)


def cubes_gained(before: State, after: State, seat: int, paid: Cubes) -> Cubes:
    """Return the resources that a player takes from the supply, without those paid."""
    left = _subtract(before.players[seat].cubes, paid)
    acorn, leaf, rock = _subtract(after.players[seat].cubes, left)
    return max(0, acorn), max(0, leaf), max(0, rock)


def describe_quantities(before: State, after: State, seat: int, move: Move) -> Iterator[str]:
    """Yield the gains and payments of a move: "\u22122 rocks", "+1 leaf (bear)"."""
    is_correction = isinstance(move, Correction)  # Then `before` is already corrected.
    applied = before if is_correction else move.apply(before, seat)
    # The log texts of these two moves include what the move itself changes.
    if not isinstance(move, (Exchange, KeepResources)):
        paid = cubes_paid(before, seat, move)
        if any(paid):
            yield describe_cubes(paid, sign="\u2212")
        gained = cubes_gained(before, applied, seat, paid)
        if any(gained):
            yield _with_source(gained, _gain_source(before, move))
    for state, next_state in forced_steps(applied):
        gained = _subtract(next_state.players[state.turn].cubes, state.players[state.turn].cubes)
        task = state.tasks[-1]
        if any(gained) and isinstance(task, SiteAction):
            name = state.players[state.turn].name if state.turn != seat else ""
            yield _with_source(gained, name or _forced_gain_source(state, applied, task, move))


def _subtract(counts: Cubes, others: Cubes) -> Cubes:
    acorn, leaf, rock = map(sub, counts, others)
    return acorn, leaf, rock


def _with_source(gained: Cubes, source: str) -> str:
    return describe_cubes(gained, sign="+") + (f" ({source})" if source else "")


def _gain_source(before: State, move: Move) -> str:
    """Return the source of the resources gained by the move itself."""
    match move:
        case EarnBadge(badge):
            return BADGES[badge].name
        case GainResource(kind) if not isinstance(before.tasks[-1], ChooseResource):
            source = site_source(before, kind)
            return "" if source == f"{kind} site" else source
        case Hike():
            return "Sun bonus"
    return ""


def _forced_gain_source(state: State, applied: State, task: SiteAction, move: Move) -> str:
    """Return the source of a site action whose resources are gained automatically."""
    if isinstance(move, RollWildlife) and not isinstance(applied.tasks[-1], BothSites):
        return "bear"  # also if it has stayed on the site of the hiker
    source = site_source(state, task.site)
    return "" if isinstance(move, Hike) and source == f"{task.site} site" else source
