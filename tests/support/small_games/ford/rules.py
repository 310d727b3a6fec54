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

PLAYERS = _game(id="players", text="The game is for 2 or 3 people.")

# Turns

TURNS = _turn(id="turns", text="Take turns. On your turn, roll the die and move that many steps.")
DIE = _turn(id="die", text="The die shows the numbers 1 to 3.")

# The stone

STONE = _stone(id="stone", text="Hide your stone under one hand. No one else sees which hand it is until the end.")

# The end

OVER = _end(id="over", text="The game ends when a player reaches the fifth step. Then everyone shows their stone.")
BEYOND = _end(id="beyond", text="The leaflet does not say what a step beyond the fifth is worth.", status="open")

# Scoring

TOTAL = _score(id="total", text="Each step is worth 1 point. A stone under your left hand is worth 1 more point.")

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Rulings on what the leaflet leaves open; the first option is the default.

STEPS = Ruling(
    id="beyond",
    question="What is a step beyond the fifth worth?",
    options=(Option("nothing", "Nothing. Only 5 steps count."), Option("point", "One point, like any other step.")),
    rule=BEYOND,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))
