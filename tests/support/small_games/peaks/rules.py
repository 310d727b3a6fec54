"""The rules of PEAKS in our own words with their pages, and the rulings."""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling

# One factory per section.
_game = partial(Rule, section="The game", book="leaflet", page="1")
_score = partial(Rule, section="Scoring", book="leaflet", page="2")

# The game

PLAYERS = _game(id="players", text="The game is for 3 to 7 players.")

# Scoring

SUMMITS = _score(id="summits", text="Each summit you reached is worth 3 points.")
STONES = _score(id="stones", text="Each cairn you built is worth 1 point. The box has 12 stones.")
FAIR = _score(id="fair", text="Fair weather on your last day is worth 2 points.")
LEVEL = _score(id="level", text="The leaflet does not say who wins when points are tied.", status="open")
TOTAL = _score(id="total", text="The player with the most points wins.", related=("level",))

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Rulings on what the leaflet leaves open; the first option is the default.

TIES = Ruling(
    id="ties",
    question="Who wins when points are tied?",
    options=(Option("share", "They share the victory."), Option("cairns", "The player with the most cairns wins.")),
    rule=LEVEL,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))
