"""The rules of TRAILS in our own words with their places in the rulebook, and the rulings."""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling

# One factory per section. "guide" is the how-to-play guide, with headings in place of pages; "box" is known from the
# components alone, see box.toml. A rule that is not printed names the page it follows from.
_game = partial(Rule, section="The game", book="rulebook", page="2-3")
_setup = partial(Rule, section="Set-up", book="rulebook", page="4-5")
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
        "You hike to and fro along the Trail, gather resources, take photos and meet the bear. You spend "
        "resources on badges at both ends. Most points wins."
    ),
    related=("last-round", "score-total", "winner"),
)
PLAYERS = _game(
    id="players",
    text="Two, three or four people play.",
    page="4-5",
    related=("setup-hikers-few", "setup-hikers-four", "setup-ends"),
)
COMPONENTS = _game(
    id="components",
    text=(
        "The box holds 5 sites, a Trailhead, a Trail End, 15 cubes of each resource, 42 badges, 32 photos, 4 "
        "hikers, 4 canteens, the bear, a die, the Bird Trophy and the Sun."
    ),
    book="guide",
    page="“Components”",
    related=("photo-count", "badge-copies", "resource-supply", "bear-die"),
)

# Set-up

SETUP_HIKER = _setup(
    id="setup-hiker",
    text="You take one hiker and the canteen that goes with it.",
    related=("setup-canteen", "setup-hikers-few", "setup-hikers-four"),
)
SETUP_RESOURCES = _setup(
    id="setup-resources",
    text="You start with one acorn, one leaf and one rock.",
    related=("setup-cubes", "resource-limit"),
)
SETUP_CANTEEN = _setup(
    id="setup-canteen",
    text="Your canteen starts filled.",
    related=("canteen-filled", "canteen-empties"),
)
SETUP_SITES = _setup(
    id="setup-sites",
    text="The Trail is a row of all five sites, each once: acorn, leaf, rock, exchange and photo.",
    related=("setup-shuffle-sites", "setup-first-game", "setup-day"),
)
SETUP_SHUFFLE_SITES = _setup(
    id="setup-shuffle-sites",
    text="Mix the five sites and lay them in the order they come.",
    is_checked_by_players=True,
    related=("setup-sites", "setup-first-game"),
)
SETUP_FIRST_GAME = _setup(
    id="setup-first-game",
    text=(
        "For a first game there is a recommended order. From the Trailhead it runs exchange, leaf, acorn, photo, rock."
    ),
    book="box",
    page="“First game”",
    status="inferred",
    related=("setup-sites", "setup-shuffle-sites"),
)
SETUP_DAY = _setup(
    id="setup-day",
    text="Every site starts with its day side up.",
    is_checked_by_players=True,
    related=("setup-sites", "sun-night", "site-action"),
)
SETUP_CUBES = _setup(
    id="setup-cubes",
    text="The cubes lie under the site of their kind: acorns under acorn, leaves under leaf, rocks under rock.",
    is_checked_by_players=True,
    related=("setup-resources", "resource-supply", "cube-colours"),
)
CUBE_COLOURS = _setup(
    id="cube-colours",
    text="Red cubes are acorns, green cubes are leaves, grey cubes are rocks.",
    is_checked_by_players=True,
    related=("setup-cubes",),
)
SETUP_TROPHY = _setup(
    id="setup-trophy",
    text="The Bird Trophy lies under the photo site.",
    book="box",
    page="“Bird Trophy”",
    status="inferred",
    is_checked_by_players=True,
    related=("bird-trophy",),
)
SETUP_ENDS = _setup(
    id="setup-ends",
    text=(
        "The Trailhead lies left of the five sites, Trail End right of them. Use the side of both that is marked "
        "for your number of players."
    ),
    is_checked_by_players=True,
    related=("setup-track", "players"),
)
SETUP_TRACK = _setup(
    id="setup-track",
    text=(
        "With two or three players Trail End shows a bear, and the Trailhead shows Sun with photo, then a bear. "
        "With four, Trail End shows 1 leaf, 1 acorn, 1 rock, and the Trailhead shows Sun with photo, 2 rocks, 2 "
        "acorns, 2 leaves. Both are read from left to right."
    ),
    book="box",
    page="“Sun Track”",
    status="inferred",
    related=("setup-ends", "sun-path", "setup-sun"),
)
SETUP_BADGES = _setup(
    id="setup-badges",
    text=(
        "Mix the badge cards and put the deck under the Trailhead. Two badges lie open at the Trailhead and "
        "two at Trail End."
    ),
    is_checked_by_players=True,
    related=("earn-where", "badges-refill", "setup-hand"),
)
SETUP_HAND = _setup(
    id="setup-hand",
    text="Everybody is dealt one badge from the deck to hold in hand.",
    is_checked_by_players=True,
    related=("hand-secret", "hand-refill"),
)
SETUP_PHOTOS = _setup(
    id="setup-photos",
    text="Mix the photo cards and put the deck, backs up, under Trail End.",
    is_checked_by_players=True,
    related=("photo-choice", "photo-count"),
)
SETUP_BEAR = _setup(
    id="setup-bear",
    text="The bear starts on the third of the five sites.",
    related=("bear-met", "setup-die"),
)
SETUP_DIE = _setup(
    id="setup-die",
    text="Put the die where all of you can get at it.",
    is_checked_by_players=True,
    related=("bear-die", "setup-bear"),
)
SETUP_SUN = _setup(
    id="setup-sun",
    text="The Sun starts above Trail End, at the icon farthest to the right.",
    related=("sun-path", "setup-track"),
)
SETUP_FIRST_PLAYER = _setup(
    id="setup-first-player",
    text="Chance decides who goes first.",
    is_checked_by_players=True,
    related=("turn-order",),
)
SETUP_HIKERS_FEW = _setup(
    id="setup-hikers-few",
    text="With two or three players, all hikers start at the Trailhead and look along the Trail.",
    related=("setup-hikers-four", "hike-facing"),
)
SETUP_HIKERS_FOUR = _setup(
    id="setup-hikers-four",
    text=(
        "With four players, the first and second player start at Trail End, the third and fourth at the "
        "Trailhead. All look along the Trail."
    ),
    related=("setup-hikers-few", "hike-facing", "setup-no-visit"),
)
SETUP_NO_VISIT = _setup(
    id="setup-no-visit",
    text="Starting at an end is not a visit. You get no Sun bonus and earn no badge there before you have hiked.",
    status="inferred",
    related=("setup-hikers-four", "trail-end-steps", "trailhead-steps"),
)

# Your turn

TURN_ORDER = _turn(
    id="turn-order",
    text="You take turns one after another, each time passing to the left.",
    page="11",
    related=("setup-first-player", "end-checklist", "last-round"),
)
TURN_STEPS = _turn(
    id="turn-steps",
    text="Do one thing at a time. Finish what your turn has started before you begin something new or end it.",
    page="6-7",
    status="inferred",
    related=("site-action", "bear-order", "end-checklist"),
)
HIKE_DISTANCE = _turn(
    id="hike-distance",
    text="Without the canteen you hike one or two tiles.",
    related=("hike-facing", "canteen-distance", "hike-must"),
)
HIKE_MUST = _turn(
    id="hike-must",
    text="You hike in every turn; there is no passing.",
    status="inferred",
    related=("hike-distance", "canteen-new-tile"),
)
HIKE_FACING = _turn(
    id="hike-facing",
    text="You hike the way your hiker looks. The hat and the walking stick show which way that is.",
    related=("turn-around", "hike-ends"),
)
HIKE_ENDS = _turn(
    id="hike-ends",
    text="You cannot hike past an end, nor turn round in the middle of a hike. With one tile left you hike one.",
    page="6-7",
    status="inferred",
    related=("turn-around", "hike-distance", "canteen-to-end"),
)
SHARING = _turn(
    id="sharing",
    text="Any number of hikers may share a tile; nobody is in the way.",
    page="13",
    related=("hike-distance",),
)
CANTEEN_DISTANCE = _turn(
    id="canteen-distance",
    text="With your canteen you go as far as you like in the direction you look, in place of one or two tiles.",
    page="7",
    related=("canteen-filled", "canteen-to-end", "hike-distance"),
)
CANTEEN_FILLED = _turn(
    id="canteen-filled",
    text="Only a filled canteen can be used.",
    page="7",
    related=("canteen-refill", "canteen-empties"),
)
CANTEEN_EMPTIES = _turn(
    id="canteen-empties",
    text="Once used, your canteen is empty. Turn it to show that.",
    page="7",
    related=("canteen-filled", "canteen-refill"),
)
CANTEEN_TO_END = _turn(
    id="canteen-to-end",
    text="Your canteen can carry you as far as the end you are looking at.",
    page="13",
    related=("canteen-distance", "hike-ends"),
)
CANTEEN_SHORT = _turn(
    id="canteen-short",
    text="You may spend the canteen on just one or two tiles, though you need not.",
    page="7",
    status="inferred",
    related=("canteen-distance", "hike-distance"),
)
CANTEEN_NEW_TILE = _turn(
    id="canteen-new-tile",
    text=(
        "A hike takes you to a new tile. Whether the canteen may also be spent to stay and act again is not said, "
        "so your table decides."
    ),
    page="6-7",
    status="open",
    related=("canteen-distance", "hike-must"),
)
CANTEEN_REFILL = _turn(
    id="canteen-refill",
    text="Your canteen is filled again at the Trailhead, and only there.",
    page="7",
    related=("trailhead-steps", "canteen-filled"),
)

# Sites

SITE_ACTION = _site(
    id="site-action",
    text="Where you stop, you do what the site shows on the side that is up: day or night.",
    related=("acorn-site", "exchange-day", "photo-day", "nothing-to-do"),
)
ACORN_SITE = _site(
    id="acorn-site",
    text="The acorn site gives you 1 acorn by day and 2 by night.",
    related=("gains-taken", "sun-night", "resource-limit"),
)
LEAF_SITE = _site(
    id="leaf-site",
    text="The leaf site gives you 1 leaf by day and 2 by night.",
    related=("gains-taken", "sun-night", "resource-limit"),
)
ROCK_SITE = _site(
    id="rock-site",
    text="The rock site gives you 1 rock by day and 2 by night.",
    related=("gains-taken", "sun-night", "resource-limit"),
)
EXCHANGE_DAY = _site(
    id="exchange-day",
    text="By day you swap one cube for two cubes of one other kind.",
    related=("exchange-night", "recycling", "nothing-to-do"),
)
EXCHANGE_NIGHT = _site(
    id="exchange-night",
    text="By night you swap one cube for two: one of each kind you did not give.",
    related=("exchange-day", "sun-night"),
)
PHOTO_DAY = _site(
    id="photo-day",
    text="By day a photo costs you one cube of any kind.",
    related=("photo-choice", "photo-night", "nothing-to-do"),
)
PHOTO_NIGHT = _site(
    id="photo-night",
    text="By night a photo costs nothing.",
    related=("photo-choice", "photo-day", "sun-night"),
)
NOTHING_TO_DO = _site(
    id="nothing-to-do",
    text="You may stop at a site whose action you cannot pay for. You then do nothing there.",
    status="inferred",
    related=("site-action", "photo-day", "exchange-day"),
)
SWAP_OPTIONAL = _site(
    id="swap-optional",
    text="You need not swap or take a photo where you stop.",
    status="inferred",
    related=("exchange-day", "exchange-night", "photo-day"),
)
GAINS_TAKEN = _site(
    id="gains-taken",
    text=(
        "The app takes what acorn, leaf and rock sites give you. Saying no never helps, because you choose what "
        "to keep when your turn ends."
    ),
    status="inferred",
    related=("acorn-site", "leaf-site", "rock-site", "resource-limit"),
)

# Photos

PHOTO_CHOICE = _photo(
    id="photo-choice",
    text="For a photo you draw two cards and keep one, or you take the photo on top of the discard pile instead.",
    related=("photo-face-up", "photo-deck-empty", "photo-none-left"),
)
PHOTO_FACE_UP = _photo(
    id="photo-face-up",
    text="The drawn photo you do not keep goes on the discard pile, picture up.",
    related=("photo-choice", "photo-secret"),
)
PHOTO_DECK_EMPTY = _photo(
    id="photo-deck-empty",
    text=(
        "When no card is left in the photo deck, the discard pile is turned over and becomes the deck. Its order "
        "stays as it is."
    ),
    related=("photo-short", "photo-none-left"),
)
PHOTO_SHORT = _photo(
    id="photo-short",
    text="The book does not say how you draw two photos when the deck has only one. Your table decides.",
    status="open",
    related=("photo-deck-empty", "photo-choice"),
)
PHOTO_NONE_LEFT = _photo(
    id="photo-none-left",
    text="If neither the deck nor the discard pile has a card, there is no photo to take.",
    status="inferred",
    related=("photo-deck-empty", "earn-bonus-lost"),
)
PHOTO_SECRET = _photo(
    id="photo-secret",
    text="Your photos lie face down. Look at them whenever you like, but show nobody before the game has ended.",
    is_checked_by_players=True,
    related=("reveal", "photo-face-up"),
)
PHOTO_FACES = _photo(
    id="photo-faces",
    text=(
        "A photo shows 0 to 2 points and 0 to 2 birds. The book pictures three kinds: 2 points, 1 point with 1 "
        "bird, and 2 birds."
    ),
    related=("score-photos", "bird-trophy", "photo-count"),
)
PHOTO_COUNT = _photo(
    id="photo-count",
    text="There are 32 photos. How many there are of each kind is not known.",
    book="guide",
    page="“Components”",
    related=("photo-faces", "components"),
)

# Wildlife

BEAR_MET = _bear(
    id="bear-met",
    text="When you stop on the site where the bear stands, roll the die and move the bear.",
    related=("bear-die", "bear-may-act", "bear-no-second"),
)
BEAR_ORDER = _bear(
    id="bear-order",
    text="Your own site first or the bear's first: you choose the order of the two actions.",
    related=("bear-met", "bear-may-act", "turn-steps"),
)
BEAR_DIE = _bear(
    id="bear-die",
    text="The die has one face for each of the five sites and one bear. The bear goes where the die says.",
    related=("bear-face", "bear-same-site", "setup-die"),
)
BEAR_FACE = _bear(
    id="bear-face",
    text="If the die shows the bear, you pick its site yourself. It may also stay put.",
    related=("bear-not-ends", "bear-die"),
)
BEAR_NOT_ENDS = _bear(
    id="bear-not-ends",
    text="The bear only ever stands on one of the five sites, not at an end.",
    related=("bear-face", "bear-die"),
)
BEAR_MAY_ACT = _bear(
    id="bear-may-act",
    text="You may act at the bear's new site as if you stood there, or leave it.",
    related=("bear-night", "bear-order", "nothing-to-do"),
)
BEAR_NIGHT = _bear(
    id="bear-night",
    text="If the bear's new site has turned to night, you get its night action.",
    related=("sun-night", "bear-may-act"),
)
BEAR_SAME_SITE = _bear(
    id="bear-same-site",
    text=(
        "The die can show the site the bear is already on. The book does not say if you then act there, so "
        "your table decides."
    ),
    status="open",
    related=("bear-die", "bear-face", "bear-may-act"),
)
BEAR_NO_SECOND = _bear(
    id="bear-no-second",
    text=(
        "Only your own hike leads to a meeting. A bear that is moved to your site, or left on it, does not "
        "make you roll again."
    ),
    status="inferred",
    related=("bear-met", "bear-from-bonus"),
)
BEAR_FROM_BONUS = _bear(
    id="bear-from-bonus",
    text=(
        "A bear on a badge or on the Sun Track works in the same way: roll, move the bear, then act there if you wish."
    ),
    related=("seeker", "sun-bonus", "bear-may-act"),
)
BEAR_BONUS_OPTIONAL = _bear(
    id="bear-bonus-optional",
    text=(
        "A bear that comes from a badge may be left alone, as any badge\u2019s bonus may. One you meet on the Trail or "
        "that the Sun points to must be rolled for."
    ),
    page="9-10",
    status="inferred",
    related=("bear-from-bonus", "earn-bonus-optional"),
)

# Trailhead and Trail End

TURN_AROUND = _end(
    id="turn-around",
    text="On arriving at either end, your hiker turns round to look back along the Trail.",
    related=("hike-facing", "trailhead-steps", "trail-end-steps"),
)
TRAILHEAD_STEPS = _end(
    id="trailhead-steps",
    text="At the Trailhead you turn round, fill your canteen and then may earn badges.",
    related=("turn-around", "canteen-refill", "earn-where", "sun-not-trailhead"),
)
TRAIL_END_STEPS = _end(
    id="trail-end-steps",
    text="At Trail End you turn round, take the Sun bonus, move the Sun and then may earn badges, in this order.",
    related=("turn-around", "sun-bonus", "sun-moves", "earn-where"),
)
SUN_PAYS = _end(
    id="sun-pays",
    text="What the Sun gives you at Trail End can already pay for a badge there.",
    status="inferred",
    related=("trail-end-steps", "earn-cost"),
)

# The Sun

SUN_PATH = _sun(
    id="sun-path",
    text=(
        "The Sun travels from right to left: past the icons of Trail End, over the five sites, then past the "
        "icons of the Trailhead."
    ),
    related=("sun-moves", "setup-track", "setup-sun"),
)
SUN_BONUS = _sun(
    id="sun-bonus",
    text="When you reach Trail End, you get the icon at which the Sun stands.",
    related=("sun-bonus-site", "sun-moves", "trail-end-steps"),
)
SUN_BONUS_SITE = _sun(
    id="sun-bonus-site",
    text="If the Sun is above a site, you may do that site's action from where you are.",
    related=("sun-bonus", "sun-day", "bear-may-act"),
)
SUN_DAY = _sun(
    id="sun-day",
    text="The site below the Sun still counts as day. It turns to night only when the Sun goes on.",
    status="inferred",
    related=("sun-bonus-site", "sun-night"),
)
SUN_MOVES = _sun(
    id="sun-moves",
    text="After the bonus the Sun goes one space on, to the left. Each icon is a space and so is each site.",
    related=("sun-path", "sun-night", "last-round-no-sun"),
)
SUN_NIGHT = _sun(
    id="sun-night",
    text=(
        "A site turns to its night side as soon as the Sun has moved on from it, and it remains night until "
        "the game ends."
    ),
    related=("sun-moves", "sun-stays", "site-action"),
)
SUN_STAYS = _sun(
    id="sun-stays",
    text="Hikers and the bear stay on a site that is turned over. The two ends keep their side up all game.",
    related=("sun-night",),
)
SUN_NOT_TRAILHEAD = _sun(
    id="sun-not-trailhead",
    text="At the Trailhead you get no Sun bonus, and the Sun does not move.",
    page="13",
    related=("trailhead-steps", "sun-bonus"),
)

# Badges

EARN_WHERE = _badge(
    id="earn-where",
    text="At either end of the Trail you can earn the open badges of that end and the one you hold.",
    related=("earn-one-by-one", "earn-cost", "hand-secret"),
)
EARN_COST = _badge(
    id="earn-cost",
    text="To earn a badge, pay the cubes it shows. They go back under their sites.",
    related=("resource-supply", "research", "setup-cubes"),
)
EARN_FACE_UP = _badge(
    id="earn-face-up",
    text="A badge you have earned lies open on your side of the table.",
    related=("score-badges", "hand-secret"),
)
EARN_ONE_BY_ONE = _badge(
    id="earn-one-by-one",
    text=(
        "One visit allows up to three badges, or none: the two that lay there and the one from your hand. You "
        "earn them one by one."
    ),
    related=("earn-where", "badges-refill", "hand-refill"),
)
EARN_BONUS = _badge(
    id="earn-bonus",
    text="Some badges bring a bonus action. You get it once, right after you have paid.",
    related=("earn-bonus-optional", "earn-bonus-lost", "bonus-pays"),
)
EARN_BONUS_LOST = _badge(
    id="earn-bonus-lost",
    text="A bonus you cannot use is lost. The badge is yours all the same.",
    page="13",
    related=("earn-bonus", "nothing-to-do"),
)
EARN_BONUS_OPTIONAL = _badge(
    id="earn-bonus-optional",
    text="You may leave a bonus action out.",
    related=("earn-bonus", "bear-bonus-optional"),
)
BONUS_PAYS = _badge(
    id="bonus-pays",
    text="What a bonus gives you can pay for the next badge of the same visit.",
    status="inferred",
    related=("earn-bonus", "earn-one-by-one", "cartography"),
)
BADGES_REFILL = _badge(
    id="badges-refill",
    text="After your turn, gaps among the open badges are filled from the deck.",
    related=("badge-deck-empty", "end-checklist"),
)
HAND_REFILL = _badge(
    id="hand-refill",
    text=(
        "Once the badge you held is earned, you draw a new one when your turn ends. It cannot be earned on the "
        "same visit."
    ),
    page="10-11",
    status="inferred",
    related=("setup-hand", "end-checklist", "badges-refill"),
)
HAND_SECRET = _badge(
    id="hand-secret",
    text="Nobody else sees the badge you hold until you earn it.",
    is_checked_by_players=True,
    related=("setup-hand", "photo-secret"),
)
BADGE_COPIES = _badge(
    id="badge-copies",
    text="The 42 badge cards are 40 different ones: Science is there three times, every other badge once.",
    book="box",
    page="“Badges”",
    status="inferred",
    related=("components", "science"),
)
BADGE_DECK_EMPTY = _badge(
    id="badge-deck-empty",
    text=(
        "The last badges go to your empty hand first, then to the Trailhead, then to Trail End. With none left "
        "to draw, "
        "a gap or an empty hand stays as it is."
    ),
    status="inferred",
    related=("badges-refill", "hand-refill"),
)
BADGE_TYPES = _badge(
    id="badge-types",
    text=(
        "The sign at the top left of a badge is its type: acorn, leaf or rock. Some badges look at the types you have."
    ),
    related=("science", "collector", "research"),
)
BADGE_WORTH = _badge(
    id="badge-worth",
    text="A badge shows its points, and some badges show birds too.",
    related=("score-badges", "bird-trophy"),
)

# Each badge

ASTRONOMY = _each_badge(
    id="astronomy",
    text=(
        "Astronomy is worth 1 point. You get one more badge for nothing: an open one at your end or the one you hold."
    ),
    related=("astronomy-bonus", "astronomy-free", "earn-bonus"),
)
ASTRONOMY_BONUS = _each_badge(
    id="astronomy-bonus",
    text="The book does not say if the badge Astronomy brings also gives its own bonus. Your table decides.",
    status="open",
    related=("astronomy", "earn-bonus"),
)
ASTRONOMY_FREE = _each_badge(
    id="astronomy-free",
    text="The badge from Astronomy costs nothing whatever its price. If there is none to take, the bonus is lost.",
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
    text="Cartography is worth 3 points and gives you the two cubes on the card.",
    related=("navigation", "bonus-pays"),
)
CLIMBER = _each_badge(
    id="climber",
    text="Climber is worth 6 points and has no bonus.",
    related=("rappelling",),
)
COLLECTOR = _each_badge(
    id="collector",
    text="A Collector scores 1 for every badge of its type that is yours, itself among them.",
    related=("science", "badge-types", "rappelling-collector"),
)
FIRST_AID = _each_badge(
    id="first-aid",
    text="First Aid is worth 1 point and gives you one cube of the kind you choose.",
    related=("earn-bonus",),
)
NAVIGATION = _each_badge(
    id="navigation",
    text="Navigation is worth 3 points and gives you the two cubes on the card.",
    related=("cartography", "bonus-pays"),
)
OBSERVER = _each_badge(
    id="observer",
    text="Observer is worth 2 points and has 1 bird. It scores 2 more if nobody saw more birds than you did.",
    related=("bird-trophy", "bird-trophy-tie", "rappelling-observer"),
)
PHOTOGRAPHY = _each_badge(
    id="photography",
    text="Photography is worth 4 points and lets you take a photo.",
    related=("photo-choice", "earn-bonus"),
)
RAPPELLING = _each_badge(
    id="rappelling",
    text="Rappelling scores the same as the best of your other badges.",
    page="15",
    related=("rappelling-collector", "rappelling-observer", "rappelling-alone"),
)
RAPPELLING_COLLECTOR = _each_badge(
    id="rappelling-collector",
    text=(
        "A Collector has no fixed points. Whether Rappelling can copy what it scores in the end is not said, so "
        "your table decides."
    ),
    page="15",
    status="open",
    related=("rappelling", "collector"),
)
RAPPELLING_OBSERVER = _each_badge(
    id="rappelling-observer",
    text=(
        "An Observer can score 2 or 4. Whether Rappelling copies the higher figure is not said, so your table decides."
    ),
    page="15",
    status="open",
    related=("rappelling", "observer"),
)
RAPPELLING_ALONE = _each_badge(
    id="rappelling-alone",
    text="Rappelling without any other badge beside it scores 0.",
    page="15",
    status="inferred",
    related=("rappelling",),
)
RECYCLING = _each_badge(
    id="recycling",
    text="Recycling is worth 4 points and lets you swap one cube for two cubes of one other kind.",
    page="15",
    related=("exchange-day", "recycling-none"),
)
RECYCLING_NONE = _each_badge(
    id="recycling-none",
    text="If you have no cube left to swap, Recycling gives you only its points.",
    page="15",
    related=("recycling", "earn-bonus-lost"),
)
RESEARCH = _each_badge(
    id="research",
    text="Research is worth 2 points. Every badge of its type you already have takes one cube off its price.",
    page="15",
    related=("research-floor", "science", "badge-types"),
)
RESEARCH_FLOOR = _each_badge(
    id="research-floor",
    text="Research can become free, but never cheaper than that. It does not lower its own price.",
    page="15",
    status="inferred",
    related=("research", "earn-cost"),
)
SCIENCE = _each_badge(
    id="science",
    text=(
        "Science is worth 3 points. It is of all three types at once, so each Science adds 1 to every "
        "Collector you have."
    ),
    page="15",
    related=("collector", "science-research", "science-tie"),
)
SCIENCE_RESEARCH = _each_badge(
    id="science-research",
    text="Each Science you have earned makes any Research one cube cheaper.",
    page="15",
    status="inferred",
    related=("science", "research"),
)
SCIENCE_TIE = _each_badge(
    id="science-tie",
    text="When badge cards are counted to break a tie, a Science is one card.",
    page="15",
    status="inferred",
    related=("science", "tie-badges"),
)
SEEKER = _each_badge(
    id="seeker",
    text="Seeker is worth 2 points and has 1 bird. You roll the die, move the bear and may act at its site.",
    page="15",
    related=("bear-from-bonus", "bear-bonus-optional"),
)
SHUTTERBUG = _each_badge(
    id="shutterbug",
    text="Shutterbug is worth 2 points and lets you take two photos, one after the other.",
    page="15",
    related=("photo-choice", "photography"),
)
SUNSHINE = _each_badge(
    id="sunshine",
    text="Sunshine is worth 5 points. You get what the Sun gives just now, and the Sun stays where it is.",
    page="15",
    related=("sunshine-where", "sunshine-last-round", "sun-bonus"),
)
SUNSHINE_WHERE = _each_badge(
    id="sunshine-where",
    text=(
        "At Trail End the Sun has moved before you earn badges, so Sunshine gives what is at its new place. At "
        "the Trailhead it is where it stands."
    ),
    page="15",
    status="inferred",
    related=("sunshine", "trail-end-steps", "sun-day"),
)
SUNSHINE_FINAL = _each_badge(
    id="sunshine-final",
    text=(
        "If the Sun is on its last spot and nobody has taken it, Sunshine gives you a photo. This does not end "
        "the game."
    ),
    page="15",
    status="inferred",
    related=("sunshine", "end-trigger"),
)
SUNSHINE_LAST_ROUND = _each_badge(
    id="sunshine-last-round",
    text="Sunshine earned in the last round gives you a photo.",
    page="13",
    related=("sunshine", "last-round-no-sun"),
)
SUNSHINE_TRIGGER = _each_badge(
    id="sunshine-trigger",
    text="If you earn Sunshine in the very turn you took the Sun, it gives you a photo.",
    page="13",
    status="inferred",
    related=("sunshine-last-round", "end-badges"),
)

# End of a turn

RESOURCE_LIMIT = _turn_end(
    id="resource-limit",
    text=(
        "When your turn ends you may own 8 resources at most. You choose which to keep, and the others go back "
        "under their sites."
    ),
    related=("end-checklist", "gains-taken", "earn-cost"),
)
LIMIT_AT_END = _turn_end(
    id="limit-at-end",
    text="During your turn you may own more than 8.",
    status="inferred",
    related=("resource-limit", "gains-taken"),
)
RESOURCE_SUPPLY = _turn_end(
    id="resource-supply",
    text=(
        "There are 15 cubes of each kind. The book does not say what happens when a kind runs out, so your "
        "table decides."
    ),
    book="guide",
    page="“Components”",
    status="open",
    related=("components", "setup-cubes"),
)
END_CHECKLIST = _turn_end(
    id="end-checklist",
    text=(
        "Before the next player starts: you own 8 resources or fewer, you hold a badge, and both ends show two badges."
    ),
    related=("resource-limit", "badges-refill", "hand-refill", "turn-order"),
)

# End of the game

END_TRIGGER = _game_end(
    id="end-trigger",
    text=(
        "If you reach Trail End while the Sun already stands on the last spot, at the far left of the Trailhead, "
        "you take the Sun and start the last round. Moving it to that spot is not enough."
    ),
    related=("end-photo", "last-round", "sun-moves"),
)
END_PHOTO = _game_end(
    id="end-photo",
    text="With the Sun you get one free photo. That is taken to be your Sun bonus; there is no other.",
    status="inferred",
    related=("end-trigger", "photo-choice", "sun-bonus"),
)
END_BADGES = _game_end(
    id="end-badges",
    text="You may still earn badges in the turn in which you took the Sun.",
    page="7",
    status="inferred",
    related=("end-trigger", "trail-end-steps"),
)
LAST_ROUND = _game_end(
    id="last-round",
    text=(
        "Everyone but the Sun's owner has one last turn, in the usual order. The one to the owner's right plays last."
    ),
    related=("end-trigger", "turn-order"),
)
LAST_ROUND_NO_SUN = _game_end(
    id="last-round-no-sun",
    text="In the last round the Sun does not move and Trail End gives no Sun bonus.",
    related=("last-round", "sun-bonus", "sunshine-last-round"),
)
LAST_ROUND_USUAL = _game_end(
    id="last-round-usual",
    text="All else in the last round goes as always: sites, bear, canteen and badges.",
    status="inferred",
    related=("last-round", "trailhead-steps", "earn-where"),
)

# Scoring

REVEAL = _score(
    id="reveal",
    text="Turn up all your photos once the last turn has been played.",
    related=("photo-secret", "score-photos"),
)
SCORE_TOTAL = _score(
    id="score-total",
    text="Your score is what your badges and photos count, with the Bird Trophy added if it is yours.",
    related=("score-badges", "score-photos", "bird-trophy", "winner"),
)
WINNER = _score(
    id="winner",
    text="Whoever has the highest score wins.",
    related=("score-total", "tie-badges"),
)
SCORE_BADGES = _score(
    id="score-badges",
    text="Every badge you have earned counts its points. The one you hold counts nothing.",
    related=("badge-worth", "collector", "rappelling", "observer"),
)
SCORE_PHOTOS = _score(
    id="score-photos",
    text="Every photo you kept counts the points on it.",
    page="8",
    related=("photo-faces", "reveal"),
)
BIRD_TROPHY = _score(
    id="bird-trophy",
    text=(
        "Count the birds on your earned badges and your photos. The Bird Trophy is worth 4 points to whoever has most."
    ),
    related=("bird-trophy-tie", "no-birds", "observer"),
)
BIRD_TROPHY_TIE = _score(
    id="bird-trophy-tie",
    text="If several of you share the lead in birds, each scores all 4.",
    related=("bird-trophy", "observer"),
)
NO_BIRDS = _score(
    id="no-birds",
    text="The book does not say who gets the Bird Trophy when nobody has seen a bird. Your table decides.",
    status="open",
    related=("bird-trophy", "bird-trophy-tie", "observer"),
)
TIE_BADGES = _score(
    id="tie-badges",
    text="If scores are equal, more badge cards win.",
    related=("tie-photos", "science-tie", "winner"),
)
TIE_PHOTOS = _score(
    id="tie-photos",
    text="If badge cards are equal too, more photo cards win.",
    related=("tie-badges", "tie-birds"),
)
TIE_BIRDS = _score(
    id="tie-birds",
    text="If photo cards are equal as well, more birds win.",
    related=("tie-photos", "tie-shared"),
)
TIE_SHARED = _score(
    id="tie-shared",
    text="If even the birds are equal, those still level win together.",
    related=("tie-birds", "winner"),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Open points: the first option is the default.

CANTEEN_STAY = Ruling(
    id="canteen-stay",
    question="May you use your canteen to stay where you are and act there again?",
    options=(
        Option("no", "No: a hike always takes you to another tile."),
        Option("yes", "Yes: at a site the canteen may also take you no tiles at all."),
    ),
    rule=CANTEEN_NEW_TILE,
)
CUBE_SUPPLY = Ruling(
    id="cube-supply",
    question="What if you gain cubes and too few of that kind are left?",
    options=(
        Option("limited", "You take what is there and go without the rest."),
        Option("stand-ins", "You get them all: use anything at hand as extra cubes."),
    ),
    rule=RESOURCE_SUPPLY,
)
SHORT_PHOTO_DECK = Ruling(
    id="short-photo-deck",
    question="How do you draw two photos when one card is left in the deck?",
    options=(
        Option("turn-over", "Draw the last one, turn the discard pile over as the new deck, and draw the second."),
        Option("one-card", "Draw only that card and keep it."),
    ),
    rule=PHOTO_SHORT,
)
BEAR_SAME = Ruling(
    id="bear-same-site",
    question="The die shows the site the bear is already on. May you act there?",
    options=(
        Option("acts", "Yes: the bear stays, and you may act at its site."),
        Option("nothing", "No: the bear has not moved, so nothing happens."),
    ),
    rule=BEAR_SAME_SITE,
)
ASTRONOMY_FREE_BONUS = Ruling(
    id="astronomy-bonus",
    question="Does the badge you get through Astronomy give you its own bonus?",
    options=(
        Option("bonus", "Yes: it is earned like any other badge, only without paying."),
        Option("no-bonus", "No: you get the badge alone."),
    ),
    rule=ASTRONOMY_BONUS,
)
ZERO_BIRDS = Ruling(
    id="zero-birds",
    question="Who gets the Bird Trophy when nobody has seen a bird?",
    options=(
        Option("nobody", "Nobody: you need at least one bird."),
        Option("everyone", "Everyone: all are tied for the most, so each scores 4."),
    ),
    rule=NO_BIRDS,
)
RAPPELLING_VS_COLLECTOR = Ruling(
    id="rappelling-collector",
    question="Can Rappelling copy the points of a Collector?",
    options=(
        Option("final-value", "Yes: it is compared with what the Collector scores in the end."),
        Option("nothing", "No: a Collector has no printed points, so it is not compared."),
    ),
    rule=RAPPELLING_COLLECTOR,
)
RAPPELLING_VS_OBSERVER = Ruling(
    id="rappelling-observer",
    question="Does Rappelling compare with an Observer's 2 extra points?",
    options=(
        Option("with-bonus", "Yes: an Observer that scores 4 is compared as 4."),
        Option("printed", "No: an Observer is always compared as 2."),
    ),
    rule=RAPPELLING_OBSERVER,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))
