"""The rules of ALPINE TRAILS in our own words, and the rulings on its open points.

Each rule cites the section of the rulebook.
"""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling, Variant

# One factory per section. The rulebook has no page numbers, so its headings stand for pages.
_game = partial(Rule, section="The game", book="rulebook", page="“Game Overview”")
_setup = partial(Rule, section="Setup", book="rulebook", page="“Game Setup”")
_round = partial(Rule, section="Rounds", book="rulebook", page="“Game Play”")
_place = partial(Rule, section="Placing tiles", book="rulebook", page="“Rules of Tile Placement”")
_fork = partial(Rule, section="Forks", book="rulebook", page="“Forks”")
_animal = partial(Rule, section="Animals", book="rulebook", page="“Animals”")
_loop = partial(Rule, section="Loops and waterfalls", book="rulebook", page="“Loops/Waterfalls”")
_camp = partial(Rule, section="Campsites", book="rulebook", page="“Campsites”")
_end = partial(Rule, section="End of game", book="rulebook", page="“End of Game”")
_score = partial(Rule, section="Scoring", book="rulebook", page="“Scoring”")
_path = partial(Rule, section="Longest path", book="rulebook", page="“Longest Path”")
_goal = partial(Rule, section="Goal cards", book="rulebook", page="“Personal Objective”")
_solo = partial(Rule, section="Solo game", book="rulebook", page="“Solo Mode”")

# The game

AIM = _game(
    id="aim",
    text=(
        "Build a map of trails and habitats, with waterfalls, campsites, animals and lakes. The player with the "
        "most points wins."
    ),
    related=("score-total", "players"),
)
PLAYERS = _game(
    id="players",
    text="The game is for one to five players. With one player, play the solo game.",
    page="“Game Setup”",
    related=("bag", "solo-bag"),
)
COMPONENTS = _game(
    id="components",
    text=(
        "The box has 132 trail tiles, 8 base camp tiles and 20 goal cards. It has 36 campsite tiles and 36 "
        "waterfall tiles, all with a lake on the back. It has 25 tents, 12 signs and 20 animals: 5 goats, "
        "5 moose, 5 bears and 5 wolves."
    ),
    page="“Game Contents”",
    related=("bag", "fork-sign", "campsite-tent", "lake-supply"),
)

# Setup

SETUP_REACH = _setup(
    id="setup-reach",
    text=(
        "Put the animal card with its animals in the center of the table. Put the tents and signs within "
        "everyone\u2019s reach."
    ),
    is_checked_by_players=True,
    related=("animal-card", "components"),
)
SETUP_STACKS = _setup(
    id="setup-stacks",
    text="Stack the campsite tiles and the waterfall tiles, lake side down.",
    is_checked_by_players=True,
    related=("lake-supply",),
)
BAG = _setup(
    id="bag",
    text="Mix the trail tiles and put 64 in the bag for two players. Use 96 for three, 112 for four and 130 for five.",
    related=("bag-rest", "draw-two", "solo-bag"),
)
BAG_REST = _setup(
    id="bag-rest",
    text="Put the other trail tiles back in the box. You do not need them in this game.",
    is_checked_by_players=True,
    related=("bag",),
)
BASE_CAMP = _setup(
    id="base-camp",
    text="Deal each player one base camp tile at random. Your whole map grows from your base camp.",
    related=("base-camp-squares", "place-adjacent"),
)
BASE_CAMP_SQUARES = _setup(
    id="base-camp-squares",
    text="Base camp covers two adjacent squares. Each square shows icons of one terrain.",
    page="“Habitats”",
    status="inferred",
    related=("base-camp", "score-habitats", "score-waterfalls"),
)
GOAL_CARD = _setup(
    id="goal-card",
    text="Deal each player one goal card at random.",
    related=("goal-secret", "score-goal"),
)
GOAL_SECRET = _setup(
    id="goal-secret",
    text="You may look at your goal card. You do not have to show it to the other players.",
    related=("goal-card",),
)

# A round

TOGETHER = _round(
    id="together",
    text="All players play at the same time.",
    related=("draw-two", "round-over"),
)
DRAW_TWO = _round(
    id="draw-two",
    text="Each round, draw two tiles from the bag at random. Choose where each one goes on your map.",
    related=("discard-tile", "place-sides", "round-over"),
)
DISCARD_TILE = _round(
    id="discard-tile",
    text="You may discard a tile instead of placing it.",
    related=("draw-two", "campsite-swap"),
)
ROUND_OVER = _round(
    id="round-over",
    text=(
        "The next round starts once everyone has placed or discarded both tiles. First, finish everything that "
        "your tiles triggered."
    ),
    related=("draw-two", "game-over"),
)
GAME_OVER = _round(
    id="game-over",
    text="The game ends after the round that empties the bag.",
    related=("bag", "lakes-at-ends"),
)

# Placing tiles

PLACE_SIDES = _place(
    id="place-sides",
    text="Each trail tile has a trail side and a terrain side. You choose which side goes face up.",
    related=("trail-side", "terrain-side", "place-turned"),
)
TRAIL_SIDE = _place(
    id="trail-side",
    text="The trail side has a trail on one terrain. The trail is 1, 2 or 3 miles long.",
    related=("place-sides", "trail-connected"),
)
TRAIL_SHAPE = _place(
    id="trail-shape",
    text="A trail reaches two edges of its tile. A fork reaches three or four.",
    page="“Forks”",
    status="inferred",
    related=("trail-side", "fork-sign"),
)
TERRAIN_SIDE = _place(
    id="terrain-side",
    text="The terrain side has no trail. It has two icons of one terrain.",
    related=("place-sides", "place-terrain"),
)
PLACE_TURNED = _place(
    id="place-turned",
    text="You may rotate a tile any way you like before you place it.",
    related=("place-sides",),
)
PLACE_EMPTY = _place(
    id="place-empty",
    text="Place a tile on an empty square, one tile to a square. Placed tiles stay where they are.",
    status="inferred",
    related=("place-adjacent",),
)
PLACE_ADJACENT = _place(
    id="place-adjacent",
    text=("Place each tile next to a tile on your map, edge to edge. The two tiles of a round do not have to touch."),
    related=("place-empty", "trail-connected"),
)
TRAIL_CONNECTED = _place(
    id="trail-connected",
    text="A trail must connect to base camp, a campsite or another trail.",
    related=("trail-runs-on", "base-camp-sides"),
)
TRAIL_RUNS_ON = _place(
    id="trail-runs-on",
    text=(
        "No trail may end by running into another tile. This goes for the new trail and for all trails already on "
        "your map."
    ),
    related=("trail-connected", "place-terrain", "base-camp-sides"),
)
PLACE_TERRAIN = _place(
    id="place-terrain",
    text="A terrain side may go next to any other tile. It may not block the end of a trail.",
    related=("terrain-side", "trail-runs-on"),
)
BASE_CAMP_SIDES = _place(
    id="base-camp-sides",
    text="You may place a trail or terrain at any edge of base camp or a campsite.",
    related=("trail-connected", "campsite-at-end"),
)

# Forks

FORK_SIGN = _fork(
    id="fork-sign",
    text="When you place a fork with its trail side up, put a sign on its intersection.",
    is_checked_by_players=True,
    related=("fork-announced", "sign-supply", "trail-shape"),
)
SIGN_SUPPLY = _fork(
    id="sign-supply",
    text="There are 12 signs. A fork counts as a fork even if no sign is left.",
    page="“Game Contents”",
    status="inferred",
    related=("fork-sign", "components"),
)
FORK_ANNOUNCED = _fork(
    id="fork-announced",
    text="Announce that you placed a fork and name its terrain.",
    related=("fork-animal",),
)
FORK_ANIMAL = _fork(
    id="fork-animal",
    text=(
        "When you place a fork, every other player may take the animal of its terrain, unless they already have it. "
        "Under \u201cAnimals\u201d, the rulebook says they should take it. In Waymark, they can take it or skip it. "
        "You take no animal for your own fork."
    ),
    related=("fork-announced", "animal-card", "animal-once", "solo-fork"),
)

# Animals

ANIMAL_CARD = _animal(
    id="animal-card",
    text="The animal card shows which animal belongs to which terrain. There are four animals and four terrains.",
    related=("animal-place", "fork-animal"),
)
ANIMAL_ONCE = _animal(
    id="animal-once",
    text="You may have only one of each animal.",
    related=("fork-animal", "score-animals", "solo-animals"),
)
ANIMAL_SUPPLY = _animal(
    id="animal-supply",
    text="There are five of each animal. If none is left, you cannot take one.",
    page="“Game Contents”",
    status="inferred",
    related=("fork-animal", "solo-animals"),
)
ANIMAL_PLACE = _animal(
    id="animal-place",
    text="Place an animal on your map, on a terrain side of the matching terrain. A trail side cannot hold an animal.",
    related=("animal-card", "animal-one-to-a-tile", "animal-kept"),
)
ANIMAL_ONE_TO_A_TILE = _animal(
    id="animal-one-to-a-tile",
    text="A tile holds only one animal. Once placed, an animal stays there.",
    status="inferred",
    related=("animal-place",),
)
ANIMAL_KEPT = _animal(
    id="animal-kept",
    text="You may save an animal and place it later. It scores only if it is on your map at the end.",
    related=("animal-place", "score-animals"),
)

# Loops and waterfalls

LOOP = _loop(
    id="loop",
    text="When you place a trail tile that completes a loop, you earn a waterfall.",
    related=("loop-camps", "loop-campsite", "loop-two", "waterfall-at-once"),
)
LOOP_CAMPS = _loop(
    id="loop-camps",
    text="The rulebook does not say whether a loop may run through base camp or a campsite. Your table decides.",
    status="open",
    related=("loop",),
)
LOOP_CAMPSITE = _loop(
    id="loop-campsite",
    text="The rulebook does not say whether a campsite that completes a loop earns a waterfall. Your table decides.",
    status="open",
    related=("loop", "campsite-at-end"),
)
LOOP_TWO = _loop(
    id="loop-two",
    text="The rulebook does not say whether a tile that completes two loops earns two waterfalls. Your table decides.",
    status="open",
    related=("loop",),
)
WATERFALL_AT_ONCE = _loop(
    id="waterfall-at-once",
    text="Add the waterfall to your map immediately. Place it next to any of your tiles, edge to edge.",
    related=("place-waterfall", "waterfall-supply"),
)
PLACE_WATERFALL = _loop(
    id="place-waterfall",
    text="A waterfall may go next to any of your tiles. It may not block the end of a trail.",
    related=("waterfall-at-once", "trail-runs-on"),
)
WATERFALL_SUPPLY = _loop(
    id="waterfall-supply",
    text="There are 36 waterfall tiles. If none is left, you cannot take one.",
    page="“Game Contents”",
    status="inferred",
    related=("waterfall-at-once",),
)

# Campsites

CAMPSITE_SWAP = _camp(
    id="campsite-swap",
    text="In any round, you may place a campsite instead of one of your two tiles. Put that tile back in the box.",
    related=("campsite-at-end", "campsite-six", "campsite-one"),
)
CAMPSITE_ONE = _camp(
    id="campsite-one",
    text="You may place only one campsite a round.",
    status="inferred",
    related=("campsite-swap",),
)
CAMPSITE_AT_END = _camp(
    id="campsite-at-end",
    text="Place a campsite at the end of a trail. Its other edges are open to trails and terrain.",
    related=("campsite-six", "base-camp-sides"),
)
CAMPSITE_SIX = _camp(
    id="campsite-six",
    text=(
        "A campsite must be at least 6 miles from base camp and from all your other campsites. This applies only when "
        "you place it: later trails may bring them closer together."
    ),
    related=("campsite-at-end", "campsite-measured", "campsite-forks"),
)
CAMPSITE_MEASURED = _camp(
    id="campsite-measured",
    text="The rulebook does not say how to measure the 6 miles if there are several routes. Your table decides.",
    status="open",
    related=("campsite-six", "campsite-forks"),
)
CAMPSITE_FORKS = _camp(
    id="campsite-forks",
    text="The rulebook does not say whether a fork\u2019s miles count toward the 6 miles. Your table decides.",
    status="open",
    related=("campsite-six", "campsite-measured", "path-fork"),
)
CAMPSITE_TOUCHING = _camp(
    id="campsite-touching",
    text="The rulebook does not say whether a campsite may touch base camp or another campsite. Your table decides.",
    status="open",
    related=("campsite-six", "campsite-measured"),
)
CAMPSITE_TENT = _camp(
    id="campsite-tent",
    text="Put a tent on the campsite right after you place it. There are 25 tents.",
    related=("score-tents", "campsite-swap"),
)

# End of the game

LAKES_AT_ENDS = _end(
    id="lakes-at-ends",
    text="When the bag is empty, everyone places a lake at the end of each unfinished trail.",
    related=("lake-supply", "lake-shared", "score-lakes"),
)
LAKE_SUPPLY = _end(
    id="lake-supply",
    text="Lakes are on the backs of the leftover campsite and waterfall tiles. Take as many as you need.",
    related=("lakes-at-ends", "components"),
)
LAKE_SHARED = _end(
    id="lake-shared",
    text="Several trails may end in one lake. This is not a loop and earns no waterfall.",
    related=("lakes-at-ends", "loop", "path-shared"),
)
CAMPS_NEED_NO_LAKE = _end(
    id="camps-need-no-lake",
    text="Base camp and campsites do not count as trails. They need no lake.",
    related=("lakes-at-ends",),
)

# Scoring

SCORE_TOTAL = _score(
    id="score-total",
    text="Add up your habitats, waterfalls, lakes, tents, animals, longest path and goal card. The highest score wins.",
    related=("score-habitats", "score-waterfalls", "score-path", "tie-shared"),
)
TIE_SHARED = _score(
    id="tie-shared",
    text="The rulebook has no tiebreaker and does not say who wins a tie. In Waymark, tied players share the victory.",
    status="inferred",
    related=("score-total",),
)
COUNT_BY_HAND = _score(
    id="count-by-hand",
    text="In Waymark, you may count each category yourself and enter only your totals.",
    related=("score-total",),
)
SCORE_HABITATS = _score(
    id="score-habitats",
    text=(
        "Tiles of one terrain that touch edge to edge form a habitat. For each terrain, score 1 point for each icon "
        "in your largest habitat."
    ),
    page="“Habitats”",
    related=("habitat-largest", "habitat-trails", "habitat-bare", "base-camp-squares"),
)
HABITAT_LARGEST = _score(
    id="habitat-largest",
    text="The rulebook does not say whether icons or tiles decide which habitat is the largest. Your table decides.",
    page="“Habitats”",
    status="open",
    related=("score-habitats",),
)
HABITAT_TRAILS = _score(
    id="habitat-trails",
    text="The rulebook does not clearly say whether trail sides belong to habitats. Your table decides.",
    page="“Habitats”",
    status="open",
    related=("score-habitats", "trail-side"),
)
HABITAT_BARE = _score(
    id="habitat-bare",
    text="Campsites, waterfalls and lakes have no icons and belong to no habitat.",
    page="“Habitats”",
    status="inferred",
    related=("score-habitats",),
)
SCORE_WATERFALLS = _score(
    id="score-waterfalls",
    text=(
        "Each waterfall scores 1 point for every tile around it, corners included, up to 8. All kinds of tiles "
        "count, and each square of base camp counts. Score each waterfall separately."
    ),
    page="“Waterfalls”",
    related=("loop", "base-camp-squares"),
)
SCORE_LAKES = _score(
    id="score-lakes",
    text="Score 2 points for every lake on your map.",
    page="“Lakes”",
    related=("lakes-at-ends", "lake-shared"),
)
SCORE_TENTS = _score(
    id="score-tents",
    text="Score 8 points for every tent on your map.",
    page="“Campsites/Tents”",
    related=("campsite-tent",),
)
SCORE_ANIMALS = _score(
    id="score-animals",
    text=(
        "Score 2 points for each type of animal on your map, so 8 at most. Animals that are not on your map score "
        "nothing."
    ),
    page="“Animals”",
    related=("animal-kept", "animal-once", "solo-animals"),
)

# Longest path

SCORE_PATH = _path(
    id="score-path",
    text=(
        "Score 1 point for every mile of your longest out-and-back trail. Count from the lake at its end back to "
        "the nearest fork, campsite or base camp."
    ),
    related=("path-fork", "path-open", "path-shared", "lakes-at-ends"),
)
PATH_FORK = _path(
    id="path-fork",
    text="The rulebook does not say whether the fork where a path begins adds its own miles. Your table decides.",
    status="open",
    related=("score-path", "campsite-forks"),
)
PATH_OPEN = _path(
    id="path-open",
    text="The rulebook does not say whether a trail without a lake can be your longest path. Your table decides.",
    status="open",
    related=("score-path", "lakes-at-ends"),
)
PATH_SHARED = _path(
    id="path-shared",
    text="The rulebook does not say whether two trails that end in one lake form one path. Your table decides.",
    status="open",
    related=("score-path", "lake-shared"),
)
PATH_LOOSE = _path(
    id="path-loose",
    text=(
        "A trail that is not connected to base camp is not a path. Neither is a trail that ends by running into "
        "another tile."
    ),
    status="inferred",
    related=("score-path", "trail-connected", "trail-runs-on"),
)

# Personal goals

SCORE_GOAL = _goal(
    id="score-goal",
    text="Your goal card scores extra points for one feature of your map.",
    related=("goal-length", "goal-habitat", "goal-path", "goal-tents", "goal-waterfalls"),
)
GOAL_LENGTH = _goal(
    id="goal-length",
    text=(
        "Goal card \u201clength of the longest path\u201d: score 5 points if your longest path is "
        "at least 15 miles long. Score 10 points if it is at least 20 miles long."
    ),
    related=("goal-length-both", "score-path"),
)
GOAL_LENGTH_BOTH = _goal(
    id="goal-length-both",
    text="The rulebook does not say whether the 10 points at 20 miles include the 5 at 15. Your table decides.",
    status="open",
    related=("goal-length",),
)
GOAL_HABITAT = _goal(
    id="goal-habitat",
    text=(
        "Goal card \u201cicons in the largest habitat\u201d: the card shows a terrain. "
        "Score 1 point for each icon in your largest habitat of that terrain."
    ),
    related=("score-habitats",),
)
GOAL_PATH = _goal(
    id="goal-path",
    text=(
        "Goal card \u201cicons on the longest path\u201d: the card shows a terrain. "
        "Score 1 point for each icon of that terrain on your longest path."
    ),
    related=("score-path", "goal-path-tie"),
)
GOAL_PATH_TIE = _goal(
    id="goal-path-tie",
    text="The rulebook does not say which path\u2019s icons count if two paths tie for longest. Your table decides.",
    status="open",
    related=("goal-path",),
)
GOAL_TENTS = _goal(
    id="goal-tents",
    text=(
        "Goal card \u201cicons around tents\u201d: score 1 point for each icon around your tents, corners included. "
        "Count each icon once."
    ),
    related=("score-tents",),
)
GOAL_WATERFALLS = _goal(
    id="goal-waterfalls",
    text=(
        "Goal card \u201cicons around waterfalls\u201d: score 1 point for each icon around your waterfalls, "
        "corners included. Count each icon once."
    ),
    related=("score-waterfalls",),
)
GOAL_ANY = _goal(
    id="goal-any",
    text="If a goal card for icons around tents or waterfalls shows no terrain, icons of all terrains count.",
    status="inferred",
    related=("goal-tents", "goal-waterfalls"),
)

# Solo

SOLO_BAG = _solo(
    id="solo-bag",
    text="In the solo game, put 32 trail tiles in the bag. Draw two each round.",
    related=("bag", "draw-two"),
)
SOLO_FORK = _solo(
    id="solo-fork",
    text=(
        "In the solo game, you may place a fork with either side up. You may also discard it to take an "
        "animal of its terrain. A fork you place gives you no animal."
    ),
    related=("fork-animal", "solo-animals"),
)
SOLO_ANIMALS = _solo(
    id="solo-animals",
    text="In the solo game, you may have several animals of one type. Each scores 2 points on a tile of its terrain.",
    related=("animal-once", "score-animals", "animal-supply"),
)
SOLO_RANKS = _solo(
    id="solo-ranks",
    text=(
        "In the solo game, your score gives you a rank. The ranks are Weekend Wanderer (85 points or "
        "more), Pathfinder (95), Trailblazer (105), Peak Bagger (115) and Mountain G.O.A.T. (125)."
    ),
    related=("score-total",),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Rulings on open points; the first option is the default.

LOOP_THROUGH_CAMPS = Ruling(
    id="loop-through-camps",
    question="May a loop run through base camp or a campsite?",
    options=(
        Option("yes", "Yes, base camp and campsites connect the trails that touch them."),
        Option("no", "No, a loop consists of trail tiles only."),
    ),
    rule=LOOP_CAMPS,
)
CAMPSITE_CLOSES_LOOP = Ruling(
    id="campsite-closes-loop",
    question="Does a campsite that completes a loop earn a waterfall?",
    options=(
        Option("no", "No, only a trail tile does."),
        Option("yes", "Yes, like a trail tile."),
    ),
    rule=LOOP_CAMPSITE,
)
TWO_LOOPS = Ruling(
    id="two-loops",
    question="How many waterfalls do you earn if one tile completes two loops?",
    options=(
        Option("one", "One waterfall."),
        Option("each", "One waterfall for each loop."),
    ),
    rule=LOOP_TWO,
)
CAMPSITE_MEASURE = Ruling(
    id="campsite-measure",
    question="How do you measure the 6 miles to a new campsite?",
    options=(
        Option("shortest", "Along the shortest trail route."),
        Option("table", "As your table sees fit. Waymark does not check it."),
    ),
    rule=CAMPSITE_MEASURED,
)
FORK_ON_THE_WAY = Ruling(
    id="fork-on-the-way",
    question="Do a fork\u2019s miles count toward the 6 miles to a campsite?",
    options=(
        Option("yes", "Yes, like the miles of any other trail."),
        Option("no", "No, a fork counts as 0 miles."),
    ),
    rule=CAMPSITE_FORKS,
)
CAMP_BESIDE_CAMP = Ruling(
    id="camp-beside-camp",
    question="May a campsite touch base camp or another campsite?",
    options=(
        Option("apart", "Yes, if it is at least 6 miles away by trail."),
        Option("near", "No, because they would be 0 miles apart."),
    ),
    rule=CAMPSITE_TOUCHING,
)
LARGEST_HABITAT = Ruling(
    id="largest-habitat",
    question="Which habitat counts as the largest of its terrain?",
    options=(
        Option("icons", "The one with the most icons."),
        Option("tiles", "The one with the most tiles. Icons break ties."),
    ),
    rule=HABITAT_LARGEST,
)
TRAIL_HABITATS = Ruling(
    id="trail-habitats",
    question="Do trail sides belong to habitats?",
    options=(
        Option("yes", "Yes, with their terrain and icons."),
        Option("no", "No, only terrain sides and base camp do."),
    ),
    rule=HABITAT_TRAILS,
)
FORK_MILES = Ruling(
    id="fork-miles",
    question="Does the fork where your longest path begins count?",
    options=(
        Option("no", "No, only the trail between the fork and the lake counts."),
        Option("yes", "Yes, with its miles and icons."),
    ),
    rule=PATH_FORK,
)
PATH_WITHOUT_LAKE = Ruling(
    id="path-without-lake",
    question="Can a trail without a lake be your longest path?",
    options=(
        Option("no", "No, a path must end in a lake."),
        Option("yes", "Yes, it counts as if it had a lake."),
    ),
    rule=PATH_OPEN,
)
SHARED_LAKE = Ruling(
    id="shared-lake",
    question="Do two trails that end in one lake form one path?",
    options=(
        Option("apart", "No, measure each trail separately."),
        Option("joined", "Yes, add up their miles if they share no tile."),
    ),
    rule=PATH_SHARED,
)
LENGTH_GOAL = Ruling(
    id="length-goal",
    question="How many points does the goal \u201clength of the longest path\u201d score at 20 miles?",
    options=(
        Option("ten", "Ten points in all."),
        Option("fifteen", "Fifteen points: 5 for 15 miles and 10 more for 20."),
    ),
    rule=GOAL_LENGTH_BOTH,
)
PATH_TIE = Ruling(
    id="path-tie",
    question="If two paths tie for longest, which icons count for the goal \u201cicons on the longest path\u201d?",
    options=(
        Option("better", "The matching icons on the path that has the most of them."),
        Option("all", "The icons on all tied paths, each tile once."),
    ),
    rule=GOAL_PATH_TIE,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))

# Common house rules in place of printed rules, in our own words.
VARIANTS = (
    Variant(
        "Do you choose your goal card?", "Yes. Deal each player 2 goal cards. Keep 1 and return the other.", GOAL_CARD
    ),
    Variant("How many trail tiles are in the bag?", "Half as many, for a short game.", BAG),
    Variant("Are goal cards secret?", "No. Everyone places their goal card face up.", GOAL_SECRET),
)
