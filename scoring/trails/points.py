"""The scoring of TRAILS, by category as on the score sheet (rulebook pp. 12, 14-15)."""

from collections.abc import Iterator

from msgspec import Struct

from scoring.kernel.english import pluralize
from scoring.kernel.move import chosen_option
from scoring.kernel.rule import Rule, describe_house_rules
from scoring.kernel.sheet import Contest, Line, Sheet, TieBreak, make_sheet
from scoring.trails import rules as r
from scoring.trails.box import BADGES, Badge
from scoring.trails.state import Photo, State

CATEGORIES = (("badges", "Badges"), ("photos", "Photos"), ("bird-trophy", "Bird Trophy"))
TROPHY_POINTS = 4
OBSERVER_BONUS_POINTS = 2

# The rule of a badge has its name as its id.
RULES_BY_BADGE_NAME = {badge.name: r.RULES[badge.name.lower().replace(" ", "-")] for badge in BADGES.values()}


class FinalPlayer(Struct, frozen=True):
    """One player's input for scoring."""

    name: str
    badges: tuple[str, ...] = ()
    photos: tuple[Photo, ...] = ()

    @property
    def birds(self) -> int:
        return sum(BADGES[badge].birds for badge in self.badges) + sum(photo.birds for photo in self.photos)


class FinalPosition(Struct, frozen=True):
    """The input for scoring a finished game."""

    players: tuple[FinalPlayer, ...]
    rulings: dict[str, str] = {}


def final_position(state: State) -> FinalPosition:
    """Return the input for scoring a state; unnamed photos do not count."""
    return FinalPosition(
        players=tuple(
            FinalPlayer(player.name, player.badges, tuple(photo for photo in player.photos if photo))
            for player in state.players
        ),
        rulings=state.rulings,
    )


def score(position: FinalPosition) -> Sheet:
    """Return the explained score sheet of a finished game."""
    most = max(player.birds for player in position.players)
    everyone = chosen_option(position.rulings, r.ZERO_BIRDS) == "everyone"
    most_birds_flags = [player.birds == most and (most > 0 or everyone) for player in position.players]
    lines = [
        (
            *badge_lines(player, position.rulings, has_most_birds),
            *photo_lines(player),
            *trophy_lines(player, has_most_birds, most_birds_flags),
        )
        for player, has_most_birds in zip(position.players, most_birds_flags, strict=True)
    ]
    return make_sheet(
        game="trails",
        categories=CATEGORIES,
        names=[player.name for player in position.players],
        lines=lines,
        tie_breaks=(
            TieBreak("badges", "Most badge cards", r.TIE_BADGES, tuple(len(p.badges) for p in position.players)),
            TieBreak("photos", "Most photo cards", r.TIE_PHOTOS, tuple(len(p.photos) for p in position.players)),
            TieBreak("birds", "Most birds", r.TIE_BIRDS, tuple(p.birds for p in position.players)),
        ),
        rulings=describe_house_rules(r.RULINGS, position.rulings),
        contests=(Contest("Bird Trophy", r.BIRD_TROPHY, tuple(p.birds for p in position.players), "bird"),),
    )


def points_before_awards(state: State) -> tuple[int, ...]:
    """Return each player's points without those for the most birds (rulebook pp. 12, 14-15)."""
    return tuple(
        sum(line.points for line in (*badge_lines(player, state.rulings, False), *photo_lines(player)))
        for player in final_position(state).players
    )


def badge_lines(player: FinalPlayer, rulings: dict[str, str], has_most_birds: bool) -> Iterator[Line]:
    """Yield a line for each badge, in the order they were earned."""
    for id in player.badges:
        card = BADGES[id]
        points, because, rules = score_badge(card, player, rulings, has_most_birds)
        computed = card.name in ("Collector", "Observer", "Rappelling")
        yield Line("badges", card.title, points, because, (RULES_BY_BADGE_NAME[card.name], *rules), (id,), not computed)


def score_badge(
    card: Badge, player: FinalPlayer, rulings: dict[str, str], has_most_birds: bool
) -> tuple[int, str, tuple[Rule, ...]]:
    """Return a badge's points, an explanation, and further rules to cite."""
    if card.name == "Collector":
        count = sum(BADGES[id].counts_as(card.type) for id in player.badges)
        science = (r.SCIENCE,) if "science" in player.badges else ()
        return count, f"{pluralize(count, f'{card.type} badge')}, including this one.", (r.BADGE_TYPES, *science)
    if card.name == "Observer":
        if has_most_birds:
            bonus = (
                f"{card.points} points printed on the badge, plus {OBSERVER_BONUS_POINTS} points for the most birds."
            )
            return card.points + OBSERVER_BONUS_POINTS, bonus, ()
        return card.points, f"{card.points} points printed on the badge. Another player has more birds.", ()
    if card.name == "Rappelling":
        return score_rappelling(player, rulings, has_most_birds)
    return card.points, f"{pluralize(card.points, 'point')} printed on the badge.", ()


def score_rappelling(
    player: FinalPlayer, rulings: dict[str, str], has_most_birds: bool
) -> tuple[int, str, tuple[Rule, ...]]:
    """Return the points of Rappelling: as many as the player's highest other badge."""
    values = []
    for id in player.badges:
        badge = BADGES[id]
        if badge.name == "Rappelling":
            continue
        points, _, _ = score_badge(badge, player, rulings, has_most_birds)
        rule: tuple[Rule, ...] = ()
        if badge.name == "Collector":
            if chosen_option(rulings, r.RAPPELLING_VS_COLLECTOR) == "nothing":
                continue
            rule = (r.RAPPELLING_COLLECTOR,)
        elif badge.name == "Observer":
            rule = (r.RAPPELLING_OBSERVER,)
            points = points if chosen_option(rulings, r.RAPPELLING_VS_OBSERVER) == "with-bonus" else badge.points
        values.append((points, badge.title, rule))
    if not values:
        return 0, "No other badge to copy.", (r.RAPPELLING_ALONE,)
    points, title, rule = max(values, key=lambda value: value[0])
    return points, f"Copies {title}, the highest of the other badges.", rule


def photo_lines(player: FinalPlayer) -> Iterator[Line]:
    """Yield one line for all photos of a player."""
    if player.photos:
        points = sum(photo.points for photo in player.photos)
        faces = " + ".join(str(photo.points) for photo in player.photos)
        yield Line("photos", pluralize(len(player.photos), "photo"), points, f"{faces}.", (r.SCORE_PHOTOS,))


def trophy_lines(player: FinalPlayer, has_most_birds: bool, most_birds_flags: list[bool]) -> Iterator[Line]:
    """Yield the Bird Trophy for the most birds; tied players each score it in full.

    For other players, a line with their number of birds is yielded instead.
    """
    if not has_most_birds:
        if any(most_birds_flags):
            because = f"{pluralize(player.birds, 'bird')}. Another player has more."
            yield Line("bird-trophy", "Bird Trophy", 0, because, (r.BIRD_TROPHY,))
        return
    rules: tuple[Rule, ...] = (r.BIRD_TROPHY,)
    because = f"{pluralize(player.birds, 'bird')}, the most."
    if sum(most_birds_flags) > 1:
        rules = (r.BIRD_TROPHY, r.BIRD_TROPHY_TIE)
        because = (
            f"{pluralize(player.birds, 'bird')}, tied for the most. Each tied player scores {TROPHY_POINTS} points."
        )
    if player.birds == 0:
        rules = (*rules, r.NO_BIRDS)
    yield Line("bird-trophy", "Bird Trophy", TROPHY_POINTS, because, rules)
