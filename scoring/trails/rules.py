"""The rules of TRAILS in our own words with their places in the rulebook, and the rulings."""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling, Variant

# One factory per section. The how-to-play guide has headings in place of pages; what is known from the game components
# alone is in box.toml. A rule that is not printed names the page it follows from.
_game = partial(Rule, section="The game", book="rulebook", page="2-3")
_setup = partial(Rule, section="Setup", book="rulebook", page="4-5")
_turn = partial(Rule, section="Your turn", book="rulebook", page="6")
_site = partial(Rule, section="Sites", book="rulebook", page="6")
_photo = partial(Rule, section="Photos", book="rulebook", page="8")
_bear = partial(Rule, section="Wildlife", book="rulebook", page="9")
_end = partial(Rule, section="Trailhead and Trail End", book="rulebook", page="7")
_sun = partial(Rule, section="The Sun", book="rulebook", page="11")
_badge = partial(Rule, section="Badges", book="rulebook", page="10")
_each_badge = partial(Rule, section="Each badge", book="rulebook", page="14")
_turn_end = partial(Rule, section="End of a turn", book="rulebook", page="11")
_game_end = partial(Rule, section="End of the game", book="rulebook", page="12")
_score = partial(Rule, section="Scoring", book="rulebook", page="12")

# The game

GOAL = _game(
    id="goal",
    text=(
        "Hike back and forth along the Trail to gather resources, take photos and encounter the bear. Spend "
        "resources on badges at both ends. The highest score wins."
    ),
    related=("last-round", "score-total", "winner"),
)
PLAYERS = _game(
    id="players",
    text="TRAILS is for 2 to 4 players.",
    page="4-5",
    related=("setup-hikers-few", "setup-hikers-four", "setup-ends"),
)
COMPONENTS = _game(
    id="components",
    text=(
        "The box holds 5 Trail sites, the Trailhead, Trail End, 42 badges and 32 photos. There are 15 "
        "resources of each type, 4 hikers and 4 canteens. It also holds the bear, the Wildlife die, the Bird Trophy "
        "and the Sun."
    ),
    book="how-to-play guide",
    page="“Components”",
    related=("photo-count", "badge-copies", "resource-supply", "bear-die"),
)

# Setup

SETUP_HIKER = _setup(
    id="setup-hiker",
    text="Take a hiker and the canteen that matches it.",
    related=("setup-canteen", "setup-hikers-few", "setup-hikers-four"),
)
SETUP_RESOURCES = _setup(
    id="setup-resources",
    text="Start with 1 acorn, 1 leaf and 1 rock.",
    related=("setup-cubes", "resource-limit"),
)
SETUP_CANTEEN = _setup(
    id="setup-canteen",
    text="Your canteen starts on its filled side.",
    related=("canteen-filled", "canteen-empties"),
)
SETUP_SITES = _setup(
    id="setup-sites",
    text="The Trail is a row of five sites, each used once: acorn, leaf, rock, exchange and photo.",
    related=("setup-shuffle-sites", "setup-first-game", "setup-day"),
)
SETUP_SHUFFLE_SITES = _setup(
    id="setup-shuffle-sites",
    text="Shuffle the five sites and place them in a row in random order.",
    is_checked_by_players=True,
    related=("setup-sites", "setup-first-game"),
)
SETUP_FIRST_GAME = _setup(
    id="setup-first-game",
    text="There is a recommended layout for a first game. From the Trailhead: exchange, leaf, acorn, photo and rock.",
    book="game components",
    page="“First game”",
    status="inferred",
    related=("setup-sites", "setup-shuffle-sites"),
)
SETUP_DAY = _setup(
    id="setup-day",
    text="Every site starts on its day side.",
    is_checked_by_players=True,
    related=("setup-sites", "sun-night", "site-action"),
)
SETUP_CUBES = _setup(
    id="setup-cubes",
    text="Put the acorns, leaves and rocks below their own sites. These resources are the supply.",
    is_checked_by_players=True,
    related=("setup-resources", "resource-supply", "cube-colours"),
)
CUBE_COLOURS = _setup(
    id="cube-colours",
    text="Acorns are red, leaves are green and rocks are gray.",
    is_checked_by_players=True,
    related=("setup-cubes",),
)
SETUP_TROPHY = _setup(
    id="setup-trophy",
    text="Put the Bird Trophy below the photo site.",
    book="game components",
    page="“Bird Trophy”",
    status="inferred",
    is_checked_by_players=True,
    related=("bird-trophy",),
)
SETUP_ENDS = _setup(
    id="setup-ends",
    text=(
        "Put the Trailhead to the left of the five sites and Trail End to the right. Use the sides for your "
        "number of players."
    ),
    is_checked_by_players=True,
    related=("setup-track", "players"),
)
SETUP_TRACK = _setup(
    id="setup-track",
    text=(
        "With 2 or 3 players, Trail End shows a bear. The Trailhead shows the photo icon, then a bear. "
        "With 4 players, Trail End shows 1 leaf, 1 acorn and 1 rock. The Trailhead shows the photo icon, "
        "2 rocks, 2 acorns and 2 leaves. Read the icons from left to right."
    ),
    book="game components",
    page="“Sun Track”",
    status="inferred",
    related=("setup-ends", "sun-path", "setup-sun"),
)
SETUP_BADGES = _setup(
    id="setup-badges",
    text=(
        "Shuffle the badges and put the deck face down below the Trailhead. Place 2 face-up badges at the "
        "Trailhead and 2 at Trail End."
    ),
    is_checked_by_players=True,
    related=("earn-where", "badges-refill", "setup-hand"),
)
SETUP_HAND = _setup(
    id="setup-hand",
    text="Deal each player 1 badge from the deck. It is their hand badge.",
    is_checked_by_players=True,
    related=("hand-secret", "hand-refill"),
)
SETUP_PHOTOS = _setup(
    id="setup-photos",
    text="Shuffle the photos and put the deck face down below Trail End.",
    is_checked_by_players=True,
    related=("photo-choice", "photo-count"),
)
SETUP_BEAR = _setup(
    id="setup-bear",
    text="The bear starts at the middle site.",
    related=("bear-met", "setup-die"),
)
SETUP_DIE = _setup(
    id="setup-die",
    text="Put the Wildlife die where everyone can reach it.",
    is_checked_by_players=True,
    related=("bear-die", "setup-bear"),
)
SETUP_SUN = _setup(
    id="setup-sun",
    text="The Sun starts above Trail End, at the rightmost icon.",
    related=("sun-path", "setup-track"),
)
SETUP_FIRST_PLAYER = _setup(
    id="setup-first-player",
    text="Choose the starting player at random.",
    is_checked_by_players=True,
    related=("turn-order",),
)
SETUP_HIKERS_FEW = _setup(
    id="setup-hikers-few",
    text="With 2 or 3 players, all hikers start at the Trailhead and face the Trail.",
    related=("setup-hikers-four", "hike-facing"),
)
SETUP_HIKERS_FOUR = _setup(
    id="setup-hikers-four",
    text=(
        "With 4 players, the first and second players start at Trail End. The third and fourth start at the "
        "Trailhead. All hikers face the Trail."
    ),
    related=("setup-hikers-few", "hike-facing", "setup-no-visit"),
)
SETUP_NO_VISIT = _setup(
    id="setup-no-visit",
    text="Starting at an end is not a visit. You get no Sun bonus and earn no badges there before your first hike.",
    status="inferred",
    related=("setup-hikers-four", "trail-end-steps", "trailhead-steps"),
)

# Your turn

TURN_ORDER = _turn(
    id="turn-order",
    text="Play passes to the left after each turn.",
    page="11",
    related=("setup-first-player", "end-checklist", "last-round"),
)
TURN_STEPS = _turn(
    id="turn-steps",
    text="Do one thing at a time. Finish each action before you start another one or end your turn.",
    page="6-7",
    status="inferred",
    related=("site-action", "bear-order", "end-checklist"),
)
HIKE_DISTANCE = _turn(
    id="hike-distance",
    text="Without the canteen, you hike 1 or 2 tiles.",
    related=("hike-facing", "canteen-distance", "hike-must"),
)
HIKE_MUST = _turn(
    id="hike-must",
    text="You must hike every turn. You cannot pass.",
    status="inferred",
    related=("hike-distance", "canteen-new-tile"),
)
HIKE_FACING = _turn(
    id="hike-facing",
    text="You hike in the direction your hiker faces. The hat and the walking stick show which way that is.",
    related=("turn-around", "hike-ends"),
)
HIKE_ENDS = _turn(
    id="hike-ends",
    text=(
        "You cannot hike past the Trailhead or Trail End, or turn around during a hike. If only 1 tile is left, hike 1."
    ),
    page="6-7",
    status="inferred",
    related=("turn-around", "hike-distance", "canteen-to-end"),
)
SHARING = _turn(
    id="sharing",
    text="Any number of hikers can share a tile. They are never in each other\u2019s way.",
    page="13",
    related=("hike-distance",),
)
CANTEEN_DISTANCE = _turn(
    id="canteen-distance",
    text="With your canteen, you hike any distance in the direction you face, instead of 1 or 2 tiles.",
    page="7",
    related=("canteen-filled", "canteen-to-end", "hike-distance"),
)
CANTEEN_FILLED = _turn(
    id="canteen-filled",
    text="You can use your canteen only when it is filled.",
    page="7",
    related=("canteen-refill", "canteen-empties"),
)
CANTEEN_EMPTIES = _turn(
    id="canteen-empties",
    text="A used canteen is empty. Flip it to show that.",
    page="7",
    related=("canteen-filled", "canteen-refill"),
)
CANTEEN_TO_END = _turn(
    id="canteen-to-end",
    text="Your canteen can take you all the way to the Trailhead or Trail End, whichever you face.",
    page="13",
    related=("canteen-distance", "hike-ends"),
)
CANTEEN_SHORT = _turn(
    id="canteen-short",
    text="You may use the canteen for just 1 or 2 tiles, but you do not need it for that.",
    page="7",
    status="inferred",
    related=("canteen-distance", "hike-distance"),
)
CANTEEN_NEW_TILE = _turn(
    id="canteen-new-tile",
    text=(
        "Without the canteen, a hike takes you to another tile. The rulebook does not say whether the canteen lets "
        "you stay and take the site\u2019s action again. Your table decides."
    ),
    page="6-7",
    status="open",
    related=("canteen-distance", "hike-must"),
)
CANTEEN_REFILL = _turn(
    id="canteen-refill",
    text="Your canteen is refilled at the Trailhead and nowhere else.",
    page="7",
    related=("trailhead-steps", "canteen-filled"),
)

# Sites

SITE_ACTION = _site(
    id="site-action",
    text="Take the action of the site you land on. Its face-up side counts: day or night.",
    related=("acorn-site", "exchange-day", "photo-day", "nothing-to-do"),
)
ACORN_SITE = _site(
    id="acorn-site",
    text="The acorn site gives you 1 acorn by day and 2 at night.",
    related=("gains-taken", "sun-night", "resource-limit"),
)
LEAF_SITE = _site(
    id="leaf-site",
    text="The leaf site gives you 1 leaf by day and 2 at night.",
    related=("gains-taken", "sun-night", "resource-limit"),
)
ROCK_SITE = _site(
    id="rock-site",
    text="The rock site gives you 1 rock by day and 2 at night.",
    related=("gains-taken", "sun-night", "resource-limit"),
)
EXCHANGE_DAY = _site(
    id="exchange-day",
    text="By day, the exchange site lets you give 1 resource and get 2 of a different type.",
    related=("exchange-night", "recycling", "nothing-to-do"),
)
EXCHANGE_NIGHT = _site(
    id="exchange-night",
    text="At night, the exchange site lets you give 1 resource and get 1 of each of the other two types.",
    related=("exchange-day", "sun-night"),
)
PHOTO_DAY = _site(
    id="photo-day",
    text="At the photo site, a photo costs 1 resource of your choice by day.",
    related=("photo-choice", "photo-night", "nothing-to-do"),
)
PHOTO_NIGHT = _site(
    id="photo-night",
    text="At the photo site, a photo is free at night.",
    related=("photo-choice", "photo-day", "sun-night"),
)
NOTHING_TO_DO = _site(
    id="nothing-to-do",
    text="You may land on a site even if you cannot pay for its action. Then nothing happens there.",
    status="inferred",
    related=("site-action", "photo-day", "exchange-day"),
)
SWAP_OPTIONAL = _site(
    id="swap-optional",
    text="You may skip the exchange or the photo at a site.",
    status="inferred",
    related=("exchange-day", "exchange-night", "photo-day"),
)
GAINS_TAKEN = _site(
    id="gains-taken",
    text=(
        "Waymark adds the resources from the acorn, leaf and rock sites for you. You choose what to keep at the "
        "end of your turn, so there is no reason to refuse them."
    ),
    status="inferred",
    related=("acorn-site", "leaf-site", "rock-site", "resource-limit"),
)

# Photos

PHOTO_CHOICE = _photo(
    id="photo-choice",
    text="For a photo, draw 2 cards and keep 1. Or take the top discarded photo instead.",
    related=("photo-face-up", "photo-deck-empty", "photo-none-left"),
)
PHOTO_FACE_UP = _photo(
    id="photo-face-up",
    text="After you draw 2 photos and keep 1, put the other one face up on the discard pile.",
    related=("photo-choice", "photo-secret"),
)
PHOTO_DECK_EMPTY = _photo(
    id="photo-deck-empty",
    text=(
        "When the photo deck is empty, flip the discard pile to make a new deck. Its order stays the same: "
        "do not shuffle it."
    ),
    related=("photo-short", "photo-none-left"),
)
PHOTO_SHORT = _photo(
    id="photo-short",
    text="The rulebook does not say how to draw 2 photos when the deck has only 1. Your table decides.",
    status="open",
    related=("photo-deck-empty", "photo-choice"),
)
PHOTO_NONE_LEFT = _photo(
    id="photo-none-left",
    text="If the photo deck and the discard pile are both empty, there is no photo to take.",
    status="inferred",
    related=("photo-deck-empty", "earn-bonus-lost"),
)
PHOTO_SECRET = _photo(
    id="photo-secret",
    text="Keep your photos face down. Look at them whenever you like, but show no one before the game ends.",
    is_checked_by_players=True,
    related=("reveal", "photo-face-up"),
)
PHOTO_FACES = _photo(
    id="photo-faces",
    text=(
        "A photo shows 0 to 2 points and 0 to 2 birds. The rulebook shows three kinds: 2 points; 1 point and "
        "1 bird; 2 birds."
    ),
    related=("score-photos", "bird-trophy", "photo-count"),
)
PHOTO_COUNT = _photo(
    id="photo-count",
    text="There are 32 photos. How many there are of each kind is unknown.",
    book="how-to-play guide",
    page="“Components”",
    related=("photo-faces", "components"),
)

# Wildlife

BEAR_MET = _bear(
    id="bear-met",
    text="When you land on the bear\u2019s site, roll the die and move the bear.",
    related=("bear-die", "bear-may-act", "bear-no-second"),
)
BEAR_ORDER = _bear(
    id="bear-order",
    text="You choose the order of the two actions: your own site first, or the bear\u2019s new site first.",
    related=("bear-met", "bear-may-act", "turn-steps"),
)
BEAR_DIE = _bear(
    id="bear-die",
    text="The die has one side for each of the five sites and one for the bear. Move the bear to the site it shows.",
    related=("bear-face", "bear-same-site", "setup-die"),
)
BEAR_FACE = _bear(
    id="bear-face",
    text="If the die shows the bear, move the bear to any site you like. It may also stay where it is.",
    related=("bear-not-ends", "bear-die"),
)
BEAR_NOT_ENDS = _bear(
    id="bear-not-ends",
    text="The bear is always at one of the five sites, never at the Trailhead or Trail End.",
    related=("bear-face", "bear-die"),
)
BEAR_MAY_ACT = _bear(
    id="bear-may-act",
    text="You may take the action of the bear\u2019s new site as if your hiker were there, or skip it.",
    related=("bear-night", "bear-order", "nothing-to-do"),
)
BEAR_NIGHT = _bear(
    id="bear-night",
    text="If the bear\u2019s new site shows its night side, you get the night action.",
    related=("sun-night", "bear-may-act"),
)
BEAR_SAME_SITE = _bear(
    id="bear-same-site",
    text=(
        "The die can show the site where the bear already is. The rulebook does not say whether you may then "
        "take that site\u2019s action. Your table decides."
    ),
    status="open",
    related=("bear-die", "bear-face", "bear-may-act"),
)
BEAR_NO_SECOND = _bear(
    id="bear-no-second",
    text=(
        "You encounter the bear only when you land on its site. If the bear moves to your site or stays there, do "
        "not roll again."
    ),
    status="inferred",
    related=("bear-met", "bear-from-bonus"),
)
BEAR_FROM_BONUS = _bear(
    id="bear-from-bonus",
    text=(
        "When a badge or the Sun Track shows a bear, roll the die and move the bear. Then take its site\u2019s action "
        "if you like."
    ),
    related=("seeker", "sun-bonus", "bear-may-act"),
)
BEAR_BONUS_OPTIONAL = _bear(
    id="bear-bonus-optional",
    text=(
        "You may skip the Wildlife action of a badge, like any badge bonus. You must roll when you land on "
        "the bear\u2019s site or when the Sun bonus is a bear."
    ),
    page="9-10",
    status="inferred",
    related=("bear-from-bonus", "earn-bonus-optional"),
)

# Trailhead and Trail End

TURN_AROUND = _end(
    id="turn-around",
    text="At either end, turn your hiker around to face the Trail.",
    related=("hike-facing", "trailhead-steps", "trail-end-steps"),
)
TRAILHEAD_STEPS = _end(
    id="trailhead-steps",
    text="At the Trailhead, turn around and refill your canteen. Then you may earn badges.",
    related=("turn-around", "canteen-refill", "earn-where", "sun-not-trailhead"),
)
TRAIL_END_STEPS = _end(
    id="trail-end-steps",
    text="At Trail End, turn around, gain the Sun bonus and move the Sun, in that order. Then you may earn badges.",
    related=("turn-around", "sun-bonus", "sun-moves", "earn-where"),
)
SUN_PAYS = _end(
    id="sun-pays",
    text="You can pay for a badge at Trail End with what the Sun bonus has just given you.",
    status="inferred",
    related=("trail-end-steps", "earn-cost"),
)

# The Sun

SUN_PATH = _sun(
    id="sun-path",
    text=(
        "The Sun moves from right to left. It passes the icons at Trail End, the five sites and the "
        "icons at the Trailhead."
    ),
    related=("sun-moves", "setup-track", "setup-sun"),
)
SUN_BONUS = _sun(
    id="sun-bonus",
    text="When you reach Trail End, you get the bonus that the Sun points to.",
    related=("sun-bonus-site", "sun-moves", "trail-end-steps"),
)
SUN_BONUS_SITE = _sun(
    id="sun-bonus-site",
    text="If the Sun is above a site, your bonus is that site\u2019s action, which you may skip.",
    related=("sun-bonus", "sun-day", "bear-may-act"),
)
SUN_DAY = _sun(
    id="sun-day",
    text="The site under the Sun still counts as day. It flips to its night side only when the Sun moves on.",
    status="inferred",
    related=("sun-bonus-site", "sun-night"),
)
SUN_MOVES = _sun(
    id="sun-moves",
    text="After the Sun bonus, the Sun moves 1 space to the left. Each icon is a space, and so is each site.",
    related=("sun-path", "sun-night", "last-round-no-sun"),
)
SUN_NIGHT = _sun(
    id="sun-night",
    text="A site flips to its night side as soon as the Sun leaves it. It stays on that side until the game ends.",
    related=("sun-moves", "sun-stays", "site-action"),
)
SUN_STAYS = _sun(
    id="sun-stays",
    text=(
        "When a site is flipped, hikers and the bear stay there. The Trailhead and Trail End keep the same side "
        "up all game."
    ),
    related=("sun-night",),
)
SUN_NOT_TRAILHEAD = _sun(
    id="sun-not-trailhead",
    text="At the Trailhead, you get no Sun bonus, and the Sun does not move.",
    page="13",
    related=("trailhead-steps", "sun-bonus"),
)

# Badges

EARN_WHERE = _badge(
    id="earn-where",
    text="At either end of the Trail, you can earn the face-up badges there and your hand badge.",
    related=("earn-one-by-one", "earn-cost", "hand-secret"),
)
EARN_COST = _badge(
    id="earn-cost",
    text="To earn a badge, pay its cost: return the resources on it to the supply, each below its own site.",
    related=("resource-supply", "research", "setup-cubes"),
)
EARN_FACE_UP = _badge(
    id="earn-face-up",
    text="Your earned badges stay face up in front of you.",
    related=("score-badges", "hand-secret"),
)
EARN_ONE_BY_ONE = _badge(
    id="earn-one-by-one",
    text=(
        "On one visit, you can earn up to three badges: the two at that end and your hand badge. You may "
        "also earn none. Earn them one at a time."
    ),
    related=("earn-where", "badges-refill", "hand-refill"),
)
EARN_BONUS = _badge(
    id="earn-bonus",
    text="Some badges have a bonus action. You get it once, right after you pay for the badge.",
    related=("earn-bonus-optional", "earn-bonus-lost", "bonus-pays"),
)
EARN_BONUS_LOST = _badge(
    id="earn-bonus-lost",
    text="If you cannot use a bonus, it is lost. You still get the badge.",
    page="13",
    related=("earn-bonus", "nothing-to-do"),
)
EARN_BONUS_OPTIONAL = _badge(
    id="earn-bonus-optional",
    text="You may skip a bonus action.",
    related=("earn-bonus", "bear-bonus-optional"),
)
BONUS_PAYS = _badge(
    id="bonus-pays",
    text="You can pay for the next badge on the same visit with what a bonus gives you.",
    status="inferred",
    related=("earn-bonus", "earn-one-by-one", "cartography"),
)
BADGES_REFILL = _badge(
    id="badges-refill",
    text="When your turn ends, draw a new badge for each empty space at the two ends.",
    related=("badge-deck-empty", "end-checklist"),
)
HAND_REFILL = _badge(
    id="hand-refill",
    text=(
        "The rulebook says to draw a new hand badge \u201cimmediately\u201d (p. 10). However, its end-of-turn "
        "checklist includes the hand badge (p. 11). In Waymark, you draw it when your turn ends, so you cannot "
        "earn it on the same visit."
    ),
    page="10-11",
    status="inferred",
    related=("setup-hand", "end-checklist", "badges-refill"),
)
HAND_SECRET = _badge(
    id="hand-secret",
    text="Keep your hand badge secret until you earn it.",
    is_checked_by_players=True,
    related=("setup-hand", "photo-secret"),
)
BADGE_COPIES = _badge(
    id="badge-copies",
    text="There are 42 badge cards: 3 copies of Science and 1 of each of the other badges.",
    book="game components",
    page="“Badges”",
    status="inferred",
    related=("components", "science"),
)
BADGE_DECK_EMPTY = _badge(
    id="badge-deck-empty",
    text=(
        "If the badge deck has too few cards, replace your hand badge first, then the Trailhead\u2019s badges, then "
        "Trail End\u2019s. Once the deck is empty, replace nothing."
    ),
    status="inferred",
    related=("badges-refill", "hand-refill"),
)
BADGE_TYPES = _badge(
    id="badge-types",
    text=(
        "The symbol at the top left of a badge is its type: acorn, leaf or rock. Some badges count your "
        "badges of one type."
    ),
    related=("science", "collector", "research"),
)
BADGE_WORTH = _badge(
    id="badge-worth",
    text="Most badges show points. Some also show birds.",
    related=("score-badges", "bird-trophy"),
)

# Each badge

ASTRONOMY = _each_badge(
    id="astronomy",
    text=(
        "Astronomy is worth 1 point. Its bonus is another badge for free: a face-up badge at your end of "
        "the Trail or your hand badge."
    ),
    related=("astronomy-bonus", "astronomy-free", "earn-bonus"),
)
ASTRONOMY_BONUS = _each_badge(
    id="astronomy-bonus",
    text=(
        "The rulebook does not say whether you also get the bonus of a badge that Astronomy gives you. Your table "
        "decides."
    ),
    status="open",
    related=("astronomy", "earn-bonus"),
)
ASTRONOMY_FREE = _each_badge(
    id="astronomy-free",
    text=(
        "The badge you take with Astronomy is free, whatever its cost. If there is no badge to take, the bonus is lost."
    ),
    status="inferred",
    related=("astronomy", "research", "earn-bonus-lost"),
)
BIRDWATCHING = _each_badge(
    id="birdwatching",
    text="Birdwatching is worth 3 points and has 2 birds, but no bonus.",
    related=("bird-trophy",),
)
CARTOGRAPHY = _each_badge(
    id="cartography",
    text="Cartography is worth 3 points. Its bonus is the 2 resources on the card.",
    related=("navigation", "bonus-pays"),
)
CLIMBER = _each_badge(
    id="climber",
    text="Climber is worth 6 points and has no bonus.",
    related=("rappelling",),
)
COLLECTOR = _each_badge(
    id="collector",
    text="A Collector scores 1 point for each of your badges of its type, including itself.",
    related=("science", "badge-types", "rappelling-collector"),
)
FIRST_AID = _each_badge(
    id="first-aid",
    text="First Aid is worth 1 point. Its bonus is 1 resource of your choice.",
    related=("earn-bonus",),
)
NAVIGATION = _each_badge(
    id="navigation",
    text="Navigation is worth 3 points. Its bonus is the 2 resources on the card.",
    related=("cartography", "bonus-pays"),
)
OBSERVER = _each_badge(
    id="observer",
    text="Observer is worth 2 points and has 1 bird. It scores 2 more points if no one has more birds than you.",
    related=("bird-trophy", "bird-trophy-tie", "rappelling-observer"),
)
PHOTOGRAPHY = _each_badge(
    id="photography",
    text="Photography is worth 4 points. Its bonus is a free photo.",
    related=("photo-choice", "earn-bonus"),
)
RAPPELLING = _each_badge(
    id="rappelling",
    text="Rappelling scores as many points as the best of your other badges.",
    page="15",
    related=("rappelling-collector", "rappelling-observer", "rappelling-alone"),
)
RAPPELLING_COLLECTOR = _each_badge(
    id="rappelling-collector",
    text=(
        "A Collector has no printed points. The rulebook does not say whether Rappelling can copy its "
        "final points. Your table decides."
    ),
    page="15",
    status="open",
    related=("rappelling", "collector"),
)
RAPPELLING_OBSERVER = _each_badge(
    id="rappelling-observer",
    text=(
        "An Observer can score 2 or 4 points. The rulebook does not say whether Rappelling can copy the higher "
        "number. Your table decides."
    ),
    page="15",
    status="open",
    related=("rappelling", "observer"),
)
RAPPELLING_ALONE = _each_badge(
    id="rappelling-alone",
    text="Rappelling scores 0 points if you have no other badge.",
    page="15",
    status="inferred",
    related=("rappelling",),
)
RECYCLING = _each_badge(
    id="recycling",
    text="Recycling is worth 4 points. Its bonus: exchange 1 resource for 2 of a different type.",
    page="15",
    related=("exchange-day", "recycling-none"),
)
RECYCLING_NONE = _each_badge(
    id="recycling-none",
    text="If you have no resource to exchange, Recycling gives you only its points.",
    page="15",
    related=("recycling", "earn-bonus-lost"),
)
RESEARCH = _each_badge(
    id="research",
    text="Research is worth 2 points. Its cost drops by 1 resource for each of your badges of its type.",
    page="15",
    related=("research-floor", "science", "badge-types"),
)
RESEARCH_FLOOR = _each_badge(
    id="research-floor",
    text="Research can get cheaper, down to a cost of 0. A Research badge does not count itself.",
    page="15",
    status="inferred",
    related=("research", "earn-cost"),
)
SCIENCE = _each_badge(
    id="science",
    text=(
        "Science is worth 3 points. It is all three types in one, so each Science adds 1 point to each of "
        "your Collectors."
    ),
    page="15",
    related=("collector", "science-research", "science-tie"),
)
SCIENCE_RESEARCH = _each_badge(
    id="science-research",
    text="Each earned Science lowers the cost of any Research by 1 resource.",
    page="15",
    status="inferred",
    related=("science", "research"),
)
SCIENCE_TIE = _each_badge(
    id="science-tie",
    text="When badge cards are counted to break a tie, a Science is 1 card.",
    page="15",
    status="inferred",
    related=("science", "tie-badges"),
)
SEEKER = _each_badge(
    id="seeker",
    text=(
        "Seeker is worth 2 points and has 1 bird. Its bonus: roll the die, move the bear and take its site\u2019s "
        "action if you like."
    ),
    page="15",
    related=("bear-from-bonus", "bear-bonus-optional"),
)
SHUTTERBUG = _each_badge(
    id="shutterbug",
    text="Shutterbug is worth 2 points. Its bonus is 2 free photos, one after the other.",
    page="15",
    related=("photo-choice", "photography"),
)
SUNSHINE = _each_badge(
    id="sunshine",
    text="Sunshine is worth 5 points. Its bonus is what the Sun gives right now. The Sun does not move.",
    page="15",
    related=("sunshine-where", "sunshine-last-round", "sun-bonus"),
)
SUNSHINE_WHERE = _each_badge(
    id="sunshine-where",
    text=(
        "At Trail End, the Sun moves before you earn badges. Sunshine then gives the bonus of the Sun\u2019s new "
        "space. At the Trailhead, the Sun has not moved."
    ),
    page="15",
    status="inferred",
    related=("sunshine", "trail-end-steps", "sun-day"),
)
SUNSHINE_FINAL = _each_badge(
    id="sunshine-final",
    text=(
        "If the Sun is on its final spot and no one has taken it, Sunshine gives you a photo. This does not "
        "end the game."
    ),
    page="15",
    status="inferred",
    related=("sunshine", "end-trigger"),
)
SUNSHINE_LAST_ROUND = _each_badge(
    id="sunshine-last-round",
    text="If you earn Sunshine in the last round, it gives you a photo.",
    page="13",
    related=("sunshine", "last-round-no-sun"),
)
SUNSHINE_TRIGGER = _each_badge(
    id="sunshine-trigger",
    text="If you earn Sunshine on the same turn you take the Sun, it gives you a photo.",
    page="13",
    status="inferred",
    related=("sunshine-last-round", "end-badges"),
)

# End of a turn

RESOURCE_LIMIT = _turn_end(
    id="resource-limit",
    text=(
        "When your turn ends, you may have at most 8 resources. Choose which to keep and return the others to the "
        "supply."
    ),
    related=("end-checklist", "gains-taken", "earn-cost"),
)
LIMIT_AT_END = _turn_end(
    id="limit-at-end",
    text="During your turn, you may have more than 8 resources.",
    status="inferred",
    related=("resource-limit", "gains-taken"),
)
RESOURCE_SUPPLY = _turn_end(
    id="resource-supply",
    text=(
        "There are 15 resources of each type. The rulebook does not say what happens when a type runs out. Your "
        "table decides."
    ),
    book="how-to-play guide",
    page="“Components”",
    status="open",
    related=("components", "setup-cubes"),
)
END_CHECKLIST = _turn_end(
    id="end-checklist",
    text=(
        "Before the next turn, check that you have a hand badge and at most 8 resources. Also check that each "
        "end has 2 face-up badges."
    ),
    related=("resource-limit", "badges-refill", "hand-refill", "turn-order"),
)

# End of the game

END_TRIGGER = _game_end(
    id="end-trigger",
    text=(
        "If you reach Trail End while the Sun is on its final spot, take the Sun. This starts the last "
        "round. The final spot is the leftmost icon at the Trailhead. Moving the Sun there is not enough."
    ),
    related=("end-photo", "last-round", "sun-moves"),
)
END_PHOTO = _game_end(
    id="end-photo",
    text="When you take the Sun, you take 1 free photo. That counts as your Sun bonus, and there is no other.",
    status="inferred",
    related=("end-trigger", "photo-choice", "sun-bonus"),
)
END_BADGES = _game_end(
    id="end-badges",
    text="You may still earn badges on the turn you take the Sun.",
    page="7",
    status="inferred",
    related=("end-trigger", "trail-end-steps"),
)
LAST_ROUND = _game_end(
    id="last-round",
    text=(
        "Everyone except the player with the Sun has one last turn, in the usual order. The player to the right "
        "of the player with the Sun goes last."
    ),
    related=("end-trigger", "turn-order"),
)
LAST_ROUND_NO_SUN = _game_end(
    id="last-round-no-sun",
    text="In the last round, the Sun does not move, and Trail End gives no Sun bonus.",
    related=("last-round", "sun-bonus", "sunshine-last-round"),
)
LAST_ROUND_USUAL = _game_end(
    id="last-round-usual",
    text="Sites, the bear, canteens and badges work as usual in the last round.",
    status="inferred",
    related=("last-round", "trailhead-steps", "earn-where"),
)

# Scoring

REVEAL = _score(
    id="reveal",
    text="After the last turn, reveal all your photos.",
    related=("photo-secret", "score-photos"),
)
SCORE_TOTAL = _score(
    id="score-total",
    text="Your score is the points from your badges and photos, plus the Bird Trophy if you get it.",
    related=("score-badges", "score-photos", "bird-trophy", "winner"),
)
WINNER = _score(
    id="winner",
    text="The highest score wins.",
    related=("score-total", "tie-badges"),
)
SCORE_BADGES = _score(
    id="score-badges",
    text="Each earned badge scores its points. Your hand badge scores nothing.",
    related=("badge-worth", "collector", "rappelling", "observer"),
)
SCORE_PHOTOS = _score(
    id="score-photos",
    text="Each of your photos scores the points on it.",
    page="8",
    related=("photo-faces", "reveal"),
)
BIRD_TROPHY = _score(
    id="bird-trophy",
    text=(
        "Count the birds on your earned badges and your photos. The Bird Trophy is worth 4 points to the "
        "player with the most."
    ),
    related=("bird-trophy-tie", "no-birds", "observer"),
)
BIRD_TROPHY_TIE = _score(
    id="bird-trophy-tie",
    text="If players tie for the most birds, each of them scores all 4 points.",
    related=("bird-trophy", "observer"),
)
NO_BIRDS = _score(
    id="no-birds",
    text="The rulebook does not say who gets the Bird Trophy if no one has a bird. Your table decides.",
    status="open",
    related=("bird-trophy", "bird-trophy-tie", "observer"),
)
TIE_BADGES = _score(
    id="tie-badges",
    text="If scores are tied, the player with the most badge cards wins.",
    related=("tie-photos", "science-tie", "winner"),
)
TIE_PHOTOS = _score(
    id="tie-photos",
    text="If badge cards are tied too, the player with the most photo cards wins.",
    related=("tie-badges", "tie-birds"),
)
TIE_BIRDS = _score(
    id="tie-birds",
    text="If photo cards are tied too, the player with the most birds wins.",
    related=("tie-photos", "tie-shared"),
)
TIE_SHARED = _score(
    id="tie-shared",
    text="If even the birds are tied, the tied players share the victory.",
    related=("tie-birds", "winner"),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Open points: the first option is the default.

CANTEEN_STAY = Ruling(
    id="canteen-stay",
    question="Can you use your canteen to stay at a site and take its action again?",
    options=(
        Option("no", "No, a hike always takes you to another tile."),
        Option("yes", "Yes, you may use the canteen at a site to hike 0 tiles."),
    ),
    rule=CANTEEN_NEW_TILE,
)
CUBE_SUPPLY = Ruling(
    id="cube-supply",
    question="What happens when you gain resources and too few of their type are left?",
    options=(
        Option("limited", "You take what is left and lose the rest."),
        Option("stand-ins", "You get them all. Use anything at hand as extra resources."),
    ),
    rule=RESOURCE_SUPPLY,
)
SHORT_PHOTO_DECK = Ruling(
    id="short-photo-deck",
    question="How do you draw 2 photos when the deck has only 1?",
    options=(
        Option("turn-over", "Draw it, flip the discard pile to make a new deck and draw the second."),
        Option("one-card", "Draw only that photo and keep it."),
    ),
    rule=PHOTO_SHORT,
)
BEAR_SAME = Ruling(
    id="bear-same-site",
    question="The die shows the site where the bear already is. May you take that site\u2019s action?",
    options=(
        Option("acts", "Yes, the bear stays, and you may take its site\u2019s action."),
        Option("nothing", "No, the bear has not moved, so nothing happens."),
    ),
    rule=BEAR_SAME_SITE,
)
ASTRONOMY_FREE_BONUS = Ruling(
    id="astronomy-bonus",
    question="If Astronomy gives you another badge, do you also get that badge\u2019s bonus?",
    options=(
        Option("bonus", "Yes, it is earned like any other badge, but for free."),
        Option("no-bonus", "No, you get only the badge."),
    ),
    rule=ASTRONOMY_BONUS,
)
ZERO_BIRDS = Ruling(
    id="zero-birds",
    question="Who gets the Bird Trophy if no one has a bird?",
    options=(
        Option("nobody", "No one. You need at least 1 bird."),
        Option("everyone", "Everyone. All are tied for the most, so each scores 4 points."),
    ),
    rule=NO_BIRDS,
)
RAPPELLING_VS_COLLECTOR = Ruling(
    id="rappelling-collector",
    question="Can Rappelling copy the points of a Collector?",
    options=(
        Option("final-value", "Yes, it can copy what the Collector scores in the end."),
        Option("nothing", "No, a Collector has no printed points to copy."),
    ),
    rule=RAPPELLING_COLLECTOR,
)
RAPPELLING_VS_OBSERVER = Ruling(
    id="rappelling-observer",
    question="Can Rappelling copy an Observer\u2019s 2 extra points?",
    options=(
        Option("with-bonus", "Yes, an Observer that scores 4 points counts as 4 points."),
        Option("printed", "No, an Observer always counts as 2 points."),
    ),
    rule=RAPPELLING_OBSERVER,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))

# Common house rules in place of printed rules, in our own words.
VARIANTS = (
    Variant(
        "Do you choose your first hand badge?",
        "Yes. Deal each player 2 badges. Keep 1 and shuffle the other back.",
        SETUP_HAND,
    ),
    Variant(
        "Are face-up badges replaced if no one earns them?",
        "Yes. After a round without a new badge, discard all face-up badges and draw others.",
        BADGES_REFILL,
    ),
    Variant("May others see your photos?", "Yes. Everyone keeps their photos face up.", PHOTO_SECRET),
)
