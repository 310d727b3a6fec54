"""The rules of FORD in our own words with their pages, and the rulings."""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling

# One factory per section.
_game = partial(Rule, section="The game", book="leaflet", page="1")
_turn = partial(Rule, section="Turns", book="leaflet", page="1")
_stone = partial(Rule, section="The stone", book="leaflet", page="2")
_end = partial(Rule, section="The end", book="leaflet", page="2")
_score = partial(Rule, section="Scoring", book="leaflet", page="2")

# The game

PLAYERS = _game(id="players", text="Two or three people cross.")

# Turns

TURNS = _turn(id="turns", text="You take turns; on yours you roll the die and go on.")
DIE = _turn(id="die", text="The die shows one to three.")

# The stone

STONE = _stone(id="stone", text="No one else sees which hand covers your stone until the end.")

# The end

OVER = _end(id="over", text="A player on the fifth step ends the game; then everyone shows the stone.")
BEYOND = _end(id="beyond", text="The leaflet does not say what a step beyond the fifth is worth.", status="open")

# Scoring

TOTAL = _score(id="total", text="A step is a point, a stone under the left hand is one more.")

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Rulings on what the leaflet leaves open; the first option is the default.

STEPS = Ruling(
    id="beyond",
    question="What is a step beyond the fifth worth?",
    options=(Option("nothing", "Nothing; only five steps count."), Option("point", "A point like any other.")),
    rule=BEYOND,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))
