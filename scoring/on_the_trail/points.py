"""The result of a race: finishers first, then cards in hand, with the reason for each line."""

from scoring.kernel.english import capitalize_first, pluralize
from scoring.kernel.rule import describe_house_rules
from scoring.kernel.sheet import Column, Line, Sheet, TieBreak, rank_totals
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.final_position import FinalPlayer, FinalPosition
from scoring.on_the_trail.state import State

CATEGORIES = (("hand", "Cards in hand"),)


def final_position(state: State) -> FinalPosition:
    """Return the scoring data of a race."""
    legs = len(state.legs) if state.is_route_complete else None
    return FinalPosition(
        players=tuple(
            FinalPlayer(
                name=player.name,
                finished=player.finished,
                hand=player.held if player.finished else 0,
                bot=player.bot,
                to_go=None if legs is None else legs - player.legs_run,
                out=player.out,
            )
            for player in state.players
        ),
        rulings=state.rulings,
    )


def score(position: FinalPosition) -> Sheet:
    """Return the score sheet of a race, with reasons."""
    ahead = [player.finished or is_winning_bot(player, position) for player in position.players]
    hands = TieBreak("hand", "Most cards in hand", r.FINISH_BOTH, tuple(player.hand for player in position.players))
    ranks, decided_by = rank_totals(list(map(int, ahead)), (hands,))
    columns = tuple(
        Column(player.name, (score_line(player, all(ahead)),), place, winner=place == 1 and any(ahead))
        for player, place in zip(position.players, ranks, strict=True)
    )
    return Sheet(
        game="on-the-trail",
        categories=CATEGORIES,
        columns=columns,
        decided_by=decided_by,
        result_text=result_text(position, columns, decided_by),
        tie_breaks=(hands,) if all(ahead) else (),
        rulings=describe_house_rules(r.RULINGS, position.rulings),
    )


def is_winning_bot(player: FinalPlayer, position: FinalPosition) -> bool:
    """Return whether a player is a bot whose opponent did not finish: it wins wherever it is."""
    return player.bot and not any(other.finished for other in position.players if not other.bot)


def score_line(player: FinalPlayer, both_finished: bool) -> Line:
    """Return the one line of a runner.

    :param both_finished: whether both runners are finishers.
    """
    if not player.finished:
        label, rule = ("Did not finish (DNF)", r.DNF if player.out else r.NOT_FINISHED)
        distance_text = f"{capitalize_first(left)} to go. " if (left := legs_to_go_text(player)) else ""
        return Line("hand", label, 0, f"{distance_text}Only a finisher\u2019s cards count.", (rule,))
    if player.bot:
        return Line("hand", "Finished", 0, "The bot never has cards in hand.", (r.SOLO_HAND,))
    rule = r.FINISH_BOTH if both_finished else r.FINISH_ALONE
    return Line("hand", "Finished", player.hand, f"{pluralize(player.hand, 'card')} still in hand.", (rule,))


def legs_to_go_text(player: FinalPlayer) -> str:
    """Return a runner's distance from the finish in words, or "" if it is unknown."""
    return pluralize(player.to_go, "leg") if player.to_go else ""


def result_text(position: FinalPosition, columns: tuple[Column, ...], decided_by: str) -> str:
    """Return a sentence that says who has won and why."""
    first = [column.name for column in columns if column.winner]
    if not first:
        return "Neither runner finished. It is a tie, and no one wins."
    if decided_by == "shared":
        return (
            f"{' and '.join(first)} both finish with {pluralize(position.players[0].hand, 'card')} in hand "
            "and share the victory."
        )
    winner, loser = sorted(position.players, key=lambda player: player.name != first[0])
    if decided_by == "hand":
        return f"Both finish. {winner.name} wins by cards in hand, {winner.hand} to {loser.hand}."
    if not winner.finished:
        return f"{winner.name} wins: {loser.name} did not finish."
    if loser.out:
        return f"{winner.name} wins: {loser.name} did not finish (DNF)."
    return f"{winner.name} wins as the only finisher."
