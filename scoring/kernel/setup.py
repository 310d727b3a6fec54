"""Checks that every game's setup needs: the players and the rulings."""

from collections.abc import Iterator, Sequence

from scoring.kernel.english import describe_known_words, truncate
from scoring.kernel.parsing import name_error
from scoring.kernel.rule import Reason, Rule, Ruling


def check_names(names: Sequence[str], title: str, player_counts: Sequence[int], rule: Rule) -> Iterator[Reason]:
    """Yield objections to the players' names and their number.

    :param rule: the rule for the number of players.
    """
    if len(names) not in player_counts:
        yield Reason(
            "player-count", rule, f"{title} is for {player_counts[0]} to {player_counts[-1]} players, not {len(names)}."
        )
    for name in names:
        if name != name.strip():
            yield Reason("name-spaces", rule, "A name cannot start or end with a space.")
        elif error := name_error(name):
            yield Reason("name", rule, f"{error[0].upper()}{error[1:]}.")
    folded = [name.casefold() for name in names]
    for name in names:
        if folded.count(name.casefold()) > 1:
            yield Reason("same-name", rule, f"Two players are called {name}. Add an initial.")
            return


def check_rulings(chosen_options: dict[str, str], rulings: Sequence[Ruling]) -> Iterator[Reason]:
    """Yield objections to the options a table has chosen."""
    by_id = {ruling.id: ruling for ruling in rulings}
    for id, option in chosen_options.items():
        if id not in by_id:
            yield Reason(
                "no-ruling",
                rulings[0].rule,
                f"There is no rules question \u201c{truncate(id)}\u201d; {describe_known_words(by_id)}.",
            )
        elif by_id[id].option(option) is None:
            yield Reason(
                "no-option",
                by_id[id].rule,
                f"\u201c{option}\u201d is not an option of this question: {by_id[id].question}",
            )
