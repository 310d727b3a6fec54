"""The rules of ALPINE TRAILS in our own words, and the rulings on its open points.

Each rule cites the section of the rulebook.
"""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling

# One factory per section. The rulebook has no page numbers, so its headings stand for pages.
_game = partial(Rule, section="The game", book="rulebook", page="“Game Overview”")
_setup = partial(Rule, section="Set-up", book="rulebook", page="“Game Setup”")
_round = partial(Rule, section="A round", book="rulebook", page="“Game Play”")
_place = partial(Rule, section="Placing tiles", book="rulebook", page="“Rules of Tile Placement”")
_fork = partial(Rule, section="Forks", book="rulebook", page="“Forks”")
_animal = partial(Rule, section="Animals", book="rulebook", page="“Animals”")
_loop = partial(Rule, section="Loops and waterfalls", book="rulebook", page="“Loops/Waterfalls”")
_camp = partial(Rule, section="Campsites", book="rulebook", page="“Campsites”")
_end = partial(Rule, section="End of the game", book="rulebook", page="“End of Game”")
_score = partial(Rule, section="Scoring", book="rulebook", page="“Scoring”")
_path = partial(Rule, section="Longest path", book="rulebook", page="“Longest Path”")
_goal = partial(Rule, section="Personal goals", book="rulebook", page="“Personal Objective”")
_solo = partial(Rule, section="Solo", book="rulebook", page="“Solo Mode”")

# The game

AIM = _game(
    id="aim",
    text=(
        "You each lay out a map of trails, habitats, waterfalls, campsites and lakes in the mountains. "
        "Whoever has most points at the end wins."
    ),
    related=("score-total", "players"),
)
PLAYERS = _game(
    id="players",
    text="One to five people play. Alone you play the solo game.",
    page="“Game Setup”",
    related=("bag", "solo-bag"),
)
COMPONENTS = _game(
    id="components",
    text=(
        "The box holds 132 trail tiles, 36 campsite tiles and 36 waterfall tiles with a lake on every back, 8 base "
        "camps, 20 goal cards, 25 tents, 12 signs and 5 each of goat, moose, bear and wolf."
    ),
    page="“Game Contents”",
    related=("bag", "fork-sign", "campsite-tent", "lake-supply"),
)

# Set-up

SETUP_REACH = _setup(
    id="setup-reach",
    text="Lay the animal card, the animals, the tents and the signs where all of you can reach them.",
    is_checked_by_players=True,
    related=("animal-card", "components"),
)
SETUP_STACKS = _setup(
    id="setup-stacks",
    text="Stack the campsite tiles and the waterfall tiles with their lakes underneath.",
    is_checked_by_players=True,
    related=("lake-supply",),
)
BAG = _setup(
    id="bag",
    text="Mixed trail tiles go into the bag: 64 for two players, 96 for three, 112 for four and 130 for five.",
    related=("bag-rest", "draw-two", "solo-bag"),
)
BAG_REST = _setup(
    id="bag-rest",
    text="Trail tiles that are not in the bag stay out of the game.",
    is_checked_by_players=True,
    related=("bag",),
)
BASE_CAMP = _setup(
    id="base-camp",
    text="Each of you is dealt one base camp by chance. Your whole map grows from it.",
    related=("base-camp-squares", "place-adjacent"),
)
BASE_CAMP_SQUARES = _setup(
    id="base-camp-squares",
    text="Base camp covers two squares side by side, each with icons of a terrain.",
    page="“Habitats”",
    status="inferred",
    related=("base-camp", "score-habitats", "score-waterfalls"),
)
GOAL_CARD = _setup(
    id="goal-card",
    text="Each of you is dealt one goal card by chance.",
    related=("goal-secret", "score-goal"),
)
GOAL_SECRET = _setup(
    id="goal-secret",
    text="You may look at your own goal and need not show it to anyone before the end.",
    related=("goal-card",),
)

# A round

TOGETHER = _round(
    id="together",
    text="All of you play at the same time.",
    related=("draw-two", "round-over"),
)
DRAW_TWO = _round(
    id="draw-two",
    text="In a round you draw two tiles from the bag without looking and decide where they go on your map.",
    related=("discard-tile", "place-sides", "round-over"),
)
DISCARD_TILE = _round(
    id="discard-tile",
    text="You may discard a tile in place of adding it to your map.",
    related=("draw-two", "campsite-swap"),
)
ROUND_OVER = _round(
    id="round-over",
    text=(
        "The next round starts when each of you has placed or discarded both tiles and dealt with everything "
        "that came of it."
    ),
    related=("draw-two", "game-over"),
)
GAME_OVER = _round(
    id="game-over",
    text="The game ends after the round in which the bag has been emptied.",
    related=("bag", "lakes-at-ends"),
)

# Placing tiles

PLACE_SIDES = _place(
    id="place-sides",
    text="A tile has a trail side and a terrain side. You choose for each tile which side is up.",
    related=("trail-side", "terrain-side", "place-turned"),
)
TRAIL_SIDE = _place(
    id="trail-side",
    text="The trail side shows a trail, one terrain, and how long the trail is: 1, 2 or 3 miles.",
    related=("place-sides", "trail-connected"),
)
TRAIL_SHAPE = _place(
    id="trail-shape",
    text="A trail leaves its tile on two sides; a forked trail leaves it on three or four.",
    page="“Forks”",
    status="inferred",
    related=("trail-side", "fork-sign"),
)
TERRAIN_SIDE = _place(
    id="terrain-side",
    text="The terrain side shows no trail, only a terrain and two of its icons.",
    related=("place-sides", "place-terrain"),
)
PLACE_TURNED = _place(
    id="place-turned",
    text="Turn a tile whichever way you like before you place it.",
    related=("place-sides",),
)
PLACE_EMPTY = _place(
    id="place-empty",
    text="A tile goes into an empty cell, one tile to a cell. What has been placed stays where it is.",
    status="inferred",
    related=("place-adjacent",),
)
PLACE_ADJACENT = _place(
    id="place-adjacent",
    text=(
        "A tile goes side by side with at least one tile that is on your map. The two tiles of a round need not "
        "touch each other."
    ),
    related=("place-empty", "trail-connected"),
)
TRAIL_CONNECTED = _place(
    id="trail-connected",
    text="A trail has to join on to base camp, a campsite or another trail.",
    related=("trail-runs-on", "base-camp-sides"),
)
TRAIL_RUNS_ON = _place(
    id="trail-runs-on",
    text="No trail may stop short against another tile, whether it is the new trail or one that was there.",
    related=("trail-connected", "place-terrain", "base-camp-sides"),
)
PLACE_TERRAIN = _place(
    id="place-terrain",
    text="Any terrain may lie beside any other tile, unless it would stop a trail.",
    related=("terrain-side", "trail-runs-on"),
)
BASE_CAMP_SIDES = _place(
    id="base-camp-sides",
    text="On every side of base camp and of campsites you may start a trail or lay terrain, as you please.",
    related=("trail-connected", "campsite-at-end"),
)

# Forks

FORK_SIGN = _fork(
    id="fork-sign",
    text="When you place a forked trail, put a sign from the supply on the place where it parts.",
    is_checked_by_players=True,
    related=("fork-announced", "sign-supply", "trail-shape"),
)
SIGN_SUPPLY = _fork(
    id="sign-supply",
    text="There are 12 signs. A fork is a fork even when no sign is left for it.",
    page="“Game Contents”",
    status="inferred",
    related=("fork-sign", "components"),
)
FORK_ANNOUNCED = _fork(
    id="fork-announced",
    text="Say that you have placed a fork and name its terrain.",
    related=("fork-animal",),
)
FORK_ANIMAL = _fork(
    id="fork-animal",
    text=(
        "When you place a fork, everyone else who does not have the animal of its terrain may take one, and should. "
        "You take none yourself."
    ),
    related=("fork-announced", "animal-card", "animal-once", "solo-fork"),
)

# Animals

ANIMAL_CARD = _animal(
    id="animal-card",
    text="The animal card shows which animal lives in which terrain: four animals, four terrains.",
    related=("animal-place", "fork-animal"),
)
ANIMAL_ONCE = _animal(
    id="animal-once",
    text="You have no animal twice.",
    related=("fork-animal", "score-animals", "solo-animals"),
)
ANIMAL_SUPPLY = _animal(
    id="animal-supply",
    text="There are five of each animal. When none is left you can take none.",
    page="“Game Contents”",
    status="inferred",
    related=("fork-animal", "solo-animals"),
)
ANIMAL_PLACE = _animal(
    id="animal-place",
    text="An animal goes on a terrain side of its own terrain on your map, not on a trail side.",
    related=("animal-card", "animal-one-to-a-tile", "animal-kept"),
)
ANIMAL_ONE_TO_A_TILE = _animal(
    id="animal-one-to-a-tile",
    text="One animal to a tile; where you have put it, it stays.",
    status="inferred",
    related=("animal-place",),
)
ANIMAL_KEPT = _animal(
    id="animal-kept",
    text="You may hold on to an animal and place it later. It counts at the end only if it is on your map.",
    related=("animal-place", "score-animals"),
)

# Loops and waterfalls

LOOP = _loop(
    id="loop",
    text="When a trail tile you place closes a circuit of trail, you earn a waterfall.",
    related=("loop-camps", "loop-campsite", "loop-two", "waterfall-at-once"),
)
LOOP_CAMPS = _loop(
    id="loop-camps",
    text="The book does not say whether a circuit may run through base camp or a campsite. Your table decides.",
    status="open",
    related=("loop",),
)
LOOP_CAMPSITE = _loop(
    id="loop-campsite",
    text="The book does not say whether a campsite that closes a circuit earns a waterfall. Your table decides.",
    status="open",
    related=("loop", "campsite-at-end"),
)
LOOP_TWO = _loop(
    id="loop-two",
    text="The book does not say whether a tile that closes two circuits earns two waterfalls. Your table decides.",
    status="open",
    related=("loop",),
)
WATERFALL_AT_ONCE = _loop(
    id="waterfall-at-once",
    text="A waterfall goes on your map straight away, side by side with any of your tiles.",
    related=("place-waterfall", "waterfall-supply"),
)
PLACE_WATERFALL = _loop(
    id="place-waterfall",
    text="A waterfall may go anywhere beside your tiles but where it would stop a trail.",
    related=("waterfall-at-once", "trail-runs-on"),
)
WATERFALL_SUPPLY = _loop(
    id="waterfall-supply",
    text="There are 36 waterfalls. When none is left you can take none.",
    page="“Game Contents”",
    status="inferred",
    related=("waterfall-at-once",),
)

# Campsites

CAMPSITE_SWAP = _camp(
    id="campsite-swap",
    text="In any round you may put one of your two tiles back in the box and place a campsite instead.",
    related=("campsite-at-end", "campsite-six", "campsite-one"),
)
CAMPSITE_ONE = _camp(
    id="campsite-one",
    text="You place one campsite in a round at most: it takes the place of one of the two tiles.",
    status="inferred",
    related=("campsite-swap",),
)
CAMPSITE_AT_END = _camp(
    id="campsite-at-end",
    text="A campsite goes where a trail on your map ends. Its other sides are free for trails and terrain.",
    related=("campsite-six", "base-camp-sides"),
)
CAMPSITE_SIX = _camp(
    id="campsite-six",
    text=(
        "A campsite has to be six miles or more from base camp and from every campsite you have. That matters only "
        "when it is placed; later trails may bring camps closer."
    ),
    related=("campsite-at-end", "campsite-measured", "campsite-forks"),
)
CAMPSITE_MEASURED = _camp(
    id="campsite-measured",
    text="The book does not say how the six miles are measured where there is more than one way. Your table decides.",
    status="open",
    related=("campsite-six", "campsite-forks"),
)
CAMPSITE_FORKS = _camp(
    id="campsite-forks",
    text="The book does not say whether the miles of a fork on the way to a campsite count. Your table decides.",
    status="open",
    related=("campsite-six", "campsite-measured", "path-fork"),
)
CAMPSITE_TOUCHING = _camp(
    id="campsite-touching",
    text=(
        "The book does not say whether a campsite is no miles away from a camp it lies side by side with. "
        "Your table decides."
    ),
    status="open",
    related=("campsite-six", "campsite-measured"),
)
CAMPSITE_TENT = _camp(
    id="campsite-tent",
    text="Put a tent on the campsite as soon as you have placed it. There are 25 tents.",
    related=("score-tents", "campsite-swap"),
)

# End of the game

LAKES_AT_ENDS = _end(
    id="lakes-at-ends",
    text="When the bag is empty, everyone lays a lake at the end of each trail that is still open.",
    related=("lake-supply", "lake-shared", "score-lakes"),
)
LAKE_SUPPLY = _end(
    id="lake-supply",
    text="Lakes are the backs of campsite and waterfall tiles that were not used. Take as many as you need.",
    related=("lakes-at-ends", "components"),
)
LAKE_SHARED = _end(
    id="lake-shared",
    text="Several trails may end in one lake. That is no loop and earns no waterfall.",
    related=("lakes-at-ends", "loop", "path-shared"),
)
CAMPS_NEED_NO_LAKE = _end(
    id="camps-need-no-lake",
    text="Base camp and campsites are no trails of their own and need no lake.",
    related=("lakes-at-ends",),
)

# Scoring

SCORE_TOTAL = _score(
    id="score-total",
    text=(
        "Your score is the sum of your habitats, waterfalls, lakes, tents, animals, longest path and goal. The "
        "highest score wins."
    ),
    related=("score-habitats", "score-waterfalls", "score-path", "tie-shared"),
)
TIE_SHARED = _score(
    id="tie-shared",
    text="The book names no tie-break. Players with equal scores share the place.",
    status="inferred",
    related=("score-total",),
)
COUNT_BY_HAND = _score(
    id="count-by-hand",
    text="You may add up your categories yourselves and write down what each of them comes to.",
    related=("score-total",),
)
SCORE_HABITATS = _score(
    id="score-habitats",
    text=(
        "Tiles of one terrain that lie side by side are a habitat. Of each terrain only your largest habitat counts: "
        "a point for each of its icons."
    ),
    page="“Habitats”",
    related=("habitat-largest", "habitat-trails", "habitat-bare", "base-camp-squares"),
)
HABITAT_LARGEST = _score(
    id="habitat-largest",
    text="The book does not say by what a habitat is the largest, its icons or its tiles. Your table decides.",
    page="“Habitats”",
    status="open",
    related=("score-habitats",),
)
HABITAT_TRAILS = _score(
    id="habitat-trails",
    text="The book does not say outright that trail sides belong to habitats. Your table decides.",
    page="“Habitats”",
    status="open",
    related=("score-habitats", "trail-side"),
)
HABITAT_BARE = _score(
    id="habitat-bare",
    text="Campsites, waterfalls and lakes carry no icons and belong to no habitat.",
    page="“Habitats”",
    status="inferred",
    related=("score-habitats",),
)
SCORE_WATERFALLS = _score(
    id="score-waterfalls",
    text=(
        "A waterfall scores a point for each tile in the eight cells around it, whatever the tile. Each square of "
        "base camp is one, and each waterfall is counted for itself."
    ),
    page="“Waterfalls”",
    related=("loop", "base-camp-squares"),
)
SCORE_LAKES = _score(
    id="score-lakes",
    text="Every lake on your map scores 2 points.",
    page="“Lakes”",
    related=("lakes-at-ends", "lake-shared"),
)
SCORE_TENTS = _score(
    id="score-tents",
    text="Every tent on your map scores 8 points.",
    page="“Campsites/Tents”",
    related=("campsite-tent",),
)
SCORE_ANIMALS = _score(
    id="score-animals",
    text="Each kind of animal on your map scores 2 points, so 8 at most. Animals off the map score nothing.",
    page="“Animals”",
    related=("animal-kept", "animal-once", "solo-animals"),
)

# Longest path

SCORE_PATH = _path(
    id="score-path",
    text=(
        "Your longest out-and-back trail scores a point for each mile, from the lake at its end back to the nearest "
        "fork, campsite or base camp."
    ),
    related=("path-fork", "path-open", "path-shared", "lakes-at-ends"),
)
PATH_FORK = _path(
    id="path-fork",
    text="The book does not say whether the miles of the fork a path is measured to count. Your table decides.",
    status="open",
    related=("score-path", "campsite-forks"),
)
PATH_OPEN = _path(
    id="path-open",
    text="The book does not say whether a trail that was left without a lake counts. Your table decides.",
    status="open",
    related=("score-path", "lakes-at-ends"),
)
PATH_SHARED = _path(
    id="path-shared",
    text="The book does not say whether two trails that meet at one lake are one path. Your table decides.",
    status="open",
    related=("score-path", "lake-shared"),
)
PATH_LOOSE = _path(
    id="path-loose",
    text="A trail that is not joined to base camp, or that stops against a tile, is no path.",
    status="inferred",
    related=("score-path", "trail-connected", "trail-runs-on"),
)

# Personal goals

SCORE_GOAL = _goal(
    id="score-goal",
    text="Your goal card scores for one thing on your map.",
    related=("goal-length", "goal-habitat", "goal-path", "goal-tents", "goal-waterfalls"),
)
GOAL_LENGTH = _goal(
    id="goal-length",
    text="Path length: 5 points if your longest path has 15 miles or more, 10 points if it has 20 or more.",
    related=("goal-length-both", "score-path"),
)
GOAL_LENGTH_BOTH = _goal(
    id="goal-length-both",
    text="The book does not say whether the 10 points at 20 miles come on top of the 5 at 15. Your table decides.",
    status="open",
    related=("goal-length",),
)
GOAL_HABITAT = _goal(
    id="goal-habitat",
    text="Habitat icons: a point for each icon in your largest habitat of the card's terrain.",
    related=("score-habitats",),
)
GOAL_PATH = _goal(
    id="goal-path",
    text="Path icons: a point for each icon of the card's terrain on the trail tiles of your longest path.",
    related=("score-path", "goal-path-tie"),
)
GOAL_PATH_TIE = _goal(
    id="goal-path-tie",
    text="The book does not say which path the icons are counted on when two are the longest. Your table decides.",
    status="open",
    related=("goal-path",),
)
GOAL_TENTS = _goal(
    id="goal-tents",
    text="Tent icons: a point for each icon in the eight cells around your tents, each icon once.",
    related=("score-tents",),
)
GOAL_WATERFALLS = _goal(
    id="goal-waterfalls",
    text="Waterfall icons: a point for each icon in the eight cells around your waterfalls, each icon once.",
    related=("score-waterfalls",),
)
GOAL_ANY = _goal(
    id="goal-any",
    text="If a tent or waterfall goal names no terrain, icons of every terrain count.",
    status="inferred",
    related=("goal-tents", "goal-waterfalls"),
)

# Solo

SOLO_BAG = _solo(
    id="solo-bag",
    text="Alone you play with 32 trail tiles in the bag, two in each round.",
    related=("bag", "draw-two"),
)
SOLO_FORK = _solo(
    id="solo-fork",
    text=(
        "Alone you may place a fork as a trail without an animal for anyone, place its terrain side, or discard it "
        "and take an animal of its terrain."
    ),
    related=("fork-animal", "solo-animals"),
)
SOLO_ANIMALS = _solo(
    id="solo-animals",
    text="Alone you may have several animals of a kind. Each scores 2 points on a tile of its own.",
    related=("animal-once", "score-animals", "animal-supply"),
)
SOLO_RANKS = _solo(
    id="solo-ranks",
    text=(
        "Alone your score gives your rank: Weekend Wanderer from 85, Pathfinder from 95, Trailblazer from 105, Peak "
        "Bagger from 115, Mountain G.O.A.T. from 125 points."
    ),
    related=("score-total",),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Rulings on open points; the first option is the default.

LOOP_THROUGH_CAMPS = Ruling(
    id="loop-through-camps",
    question="May a circuit run through base camp and campsites?",
    options=(
        Option("yes", "Yes: camps join the trails that touch them."),
        Option("no", "No: a loop is made of trail tiles alone."),
    ),
    rule=LOOP_CAMPS,
)
CAMPSITE_CLOSES_LOOP = Ruling(
    id="campsite-closes-loop",
    question="Does a campsite that closes a circuit earn a waterfall?",
    options=(
        Option("no", "No: only a trail tile does."),
        Option("yes", "Yes: it closes the loop like a trail tile."),
    ),
    rule=LOOP_CAMPSITE,
)
TWO_LOOPS = Ruling(
    id="two-loops",
    question="What does a tile earn that closes two circuits at once?",
    options=(
        Option("one", "One waterfall: a tile earns no more."),
        Option("each", "A waterfall for each circuit."),
    ),
    rule=LOOP_TWO,
)
CAMPSITE_MEASURE = Ruling(
    id="campsite-measure",
    question="How are the six miles to a campsite measured?",
    options=(
        Option("shortest", "By the shortest way along the trails."),
        Option("table", "As the table finds right: the app does not check them."),
    ),
    rule=CAMPSITE_MEASURED,
)
FORK_ON_THE_WAY = Ruling(
    id="fork-on-the-way",
    question="Do the miles of a fork count on the way to a campsite?",
    options=(
        Option("yes", "Yes: you walk across the fork."),
        Option("no", "No: a fork has no length there."),
    ),
    rule=CAMPSITE_FORKS,
)
CAMP_BESIDE_CAMP = Ruling(
    id="camp-beside-camp",
    question="May a campsite lie side by side with base camp or another campsite?",
    options=(
        Option("apart", "Yes, if it is six miles away along the trails: only trails have miles."),
        Option("near", "No: side by side they are no miles apart."),
    ),
    rule=CAMPSITE_TOUCHING,
)
LARGEST_HABITAT = Ruling(
    id="largest-habitat",
    question="Which habitat of a terrain is the largest?",
    options=(
        Option("icons", "The one with the most icons."),
        Option("tiles", "The one with the most tiles; of equals, the one with more icons."),
    ),
    rule=HABITAT_LARGEST,
)
TRAIL_HABITATS = Ruling(
    id="trail-habitats",
    question="Do trail sides belong to habitats?",
    options=(
        Option("yes", "Yes: with their terrain and their icons."),
        Option("no", "No: only terrain sides and base camp do."),
    ),
    rule=HABITAT_TRAILS,
)
FORK_MILES = Ruling(
    id="fork-miles",
    question="Does the fork that a path is measured to count with its own miles and icons?",
    options=(
        Option("no", "No: only the plain trail between the lake and the fork counts."),
        Option("yes", "Yes: the fork belongs to the path."),
    ),
    rule=PATH_FORK,
)
PATH_WITHOUT_LAKE = Ruling(
    id="path-without-lake",
    question="Can a trail that was left without a lake be the longest path?",
    options=(
        Option("no", "No: a path ends in a lake."),
        Option("yes", "Yes: an open trail counts as if it had one."),
    ),
    rule=PATH_OPEN,
)
SHARED_LAKE = Ruling(
    id="shared-lake",
    question="Are two trails that meet at one lake one path?",
    options=(
        Option("apart", "No: each is measured for itself."),
        Option("joined", "Yes: their miles are added up, where they share no tile."),
    ),
    rule=PATH_SHARED,
)
LENGTH_GOAL = Ruling(
    id="length-goal",
    question="What is a path of 20 miles worth to the path length goal?",
    options=(
        Option("ten", "Ten points: they replace the 5."),
        Option("fifteen", "Fifteen points: 10 on top of the 5."),
    ),
    rule=GOAL_LENGTH_BOTH,
)
PATH_TIE = Ruling(
    id="path-tie",
    question="Two paths are the longest: whose icons does the path icons goal count?",
    options=(
        Option("better", "Those of the path with more of them."),
        Option("all", "Those of all of them, each tile once."),
    ),
    rule=GOAL_PATH_TIE,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))
