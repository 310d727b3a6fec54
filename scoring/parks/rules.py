"""The rules of PARKS in our own words, with their sources, and the rulings."""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling, Variant

# One maker per section. The rulebook has no page numbers, so its headings stand for them; "box" marks facts known from
# the components alone, see box.toml. A rule that is not printed names the heading it follows from.
_game = partial(Rule, section="The game", book="rulebook", page="“Overview”")
_setup = partial(Rule, section="Season setup", book="rulebook", page="“Starting a Season”")
_hike = partial(Rule, section="Hiking", book="rulebook", page="“Hiking”")
_site = partial(Rule, section="Sites", book="rulebook", page="“Trail Site Actions”")
_park = partial(Rule, section="Parks", book="rulebook", page="“Parks”")
_photo = partial(Rule, section="Photos", book="rulebook", page="“Photos”")
_canteen = partial(Rule, section="Canteens", book="rulebook", page="“Canteens”")
_gear = partial(Rule, section="Gear", book="rulebook", page="“Gear Cards”")
_die = partial(Rule, section="The Trail Die", book="rulebook", page="“Rolling the Trail Die”")
_passion = partial(Rule, section="Passions", book="rulebook", page="“Passion Cards”")
_end = partial(Rule, section="Trail\u2019s End", book="rulebook", page="“Trail End”")
_season = partial(Rule, section="End of a season", book="rulebook", page="“End of a Season”")
_score = partial(Rule, section="Scoring", book="rulebook", page="“Game End”")

# The game

GOAL = _game(
    id="goal",
    text=(
        "Walk the Trail with your two hikers. Gather Resources, visit parks and take photos. The player with the "
        "most points wins."
    ),
    related=("seasons", "score-parks", "winner"),
)
PLAYERS = _game(
    id="players",
    status="inferred",
    text="Two to five people can play.",
    book="box",
    page="“Players”",
    related=("hikers", "campfire-start"),
)
SEASONS = _game(
    id="seasons",
    text="A game has three seasons: Spring, Summer and Fall. After Fall, count your points.",
    related=("season-over", "goal"),
)
HIKERS = _game(
    id="hikers",
    text="Each player has two hikers. Both start every season at the Trailhead.",
    related=("hike-forward", "hikers-return"),
)
COMPONENTS = _game(
    id="components",
    status="inferred",
    text=(
        "The box has 63 parks, 10 passions, 12 season tiles, 8 Trail Site tiles, gear, canteens, Resource "
        "tokens and photos. We do not know the exact numbers of gear cards and canteens."
    ),
    book="box",
    page="“Components”",
    related=("token-supply", "park-once"),
)
HOME_MADE = _game(
    id="home-made",
    text="You can add your own cards, or newer ones. Enter the name, cost, points and effect of each.",
    book="box",
    page="“Custom cards”",
    status="inferred",
    related=("components",),
)
WILDLIFE_WILD = _game(
    id="wildlife-wild",
    text=(
        "You can pay with Wildlife in place of any other Resource for a park, gear or a photo. If you can pay in "
        "several ways, you choose."
    ),
    page="“Wildlife”",
    related=("wildlife-own", "wildlife-no-canteen", "park-cost"),
)
WILDLIFE_OWN = _game(
    id="wildlife-own",
    text="Only Wildlife can pay for the Wildlife in a cost.",
    page="“Wildlife”",
    status="inferred",
    related=("wildlife-wild", "park-cost"),
)
WILDLIFE_NO_CANTEEN = _game(
    id="wildlife-no-canteen",
    text="Wildlife cannot fill a canteen.",
    page="“Wildlife”",
    related=("canteen-fill",),
)
PAY_BACK = _game(
    id="pay-back",
    text="Resources you spend go back to the trays.",
    page="“Parks”",
    related=("token-supply",),
)
TOKEN_SUPPLY = _game(
    id="token-supply",
    text=(
        "The rulebook does not say what happens when a Resource or the photos run out. We do not know the exact "
        "number of tokens. Your table decides."
    ),
    book="box",
    page="“Tokens”",
    status="open",
    related=("components", "pay-back"),
)
BACKPACK = _game(
    id="backpack",
    text=(
        "The rulebook sets no limit on the Resources in your backpack. The first edition had a limit of twelve. Your "
        "table decides."
    ),
    book="box",
    page="“Backpack”",
    status="open",
    related=("components",),
)
START_TOKENS = _game(
    id="start-tokens",
    text=(
        "We do not know what players start the game with. Waymark starts you with nothing unless you enter something "
        "at setup."
    ),
    book="box",
    page="“Starting tokens”",
    status="inferred",
    related=("setup-passions",),
)

# Setup of a season

SETUP_TILES = _setup(
    id="setup-tiles",
    text="Shuffle the eight Trail Site tiles and place one on each empty site. Enter them in order from the Trailhead.",
    related=("parks-site", "setup-weather", "trail-again"),
)
PARKS_SITE = _setup(
    id="parks-site",
    text=(
        "The Parks site is printed on the board, as the fifth of nine sites. If yours is elsewhere, change it at setup."
    ),
    book="box",
    page="“Parks site”",
    status="inferred",
    related=("setup-tiles", "weather-parks"),
)
SETUP_WEATHER = _setup(
    id="setup-weather",
    text="Starting at the second site, place weather tokens along the Trail. Alternate Sun and Water.",
    related=("weather-taken", "weather-start", "weather-parks"),
)
WEATHER_START = _setup(
    id="weather-start",
    text=(
        "The rulebook does not clearly say whether the first weather token is a Sun token or a Water token. Your "
        "table decides."
    ),
    status="open",
    related=("setup-weather",),
)
WEATHER_PARKS = _setup(
    id="weather-parks",
    text="The rulebook does not clearly say whether the Parks site gets a weather token. Your table decides.",
    status="open",
    related=("setup-weather", "parks-site"),
)
SETUP_SHUTTERBUG = _setup(
    id="setup-shutterbug",
    text="Roll the Trail Die. Place the Shutterbug token under the site that matches the face.",
    related=("shutterbug-faces", "shutterbug-badge"),
)
SHUTTERBUG_FACES = _setup(
    id="shutterbug-faces",
    text=(
        "The die faces match the Forest, Mountain, Sun, Water and Wildlife sites. The canteen face matches the "
        "Canteen or Photo site."
    ),
    book="box",
    page="“Shutterbug”",
    status="inferred",
    related=("setup-shutterbug",),
)
SETUP_DISPLAYS = _setup(
    id="setup-displays",
    text=(
        "Waymark shows three parks, three gear cards and three canteens face-up. We are not sure how many parks "
        "and gear cards should be face-up. You can change both numbers at setup."
    ),
    book="box",
    page="“Displays”",
    status="inferred",
    related=("parks-refill", "gear-market", "canteen-gain"),
)
SETUP_PASSIONS = _setup(
    id="setup-passions",
    text="Each player starts with one passion, objective face-up. We do not know how passions are dealt.",
    book="box",
    page="“Passions”",
    status="inferred",
    is_checked_by_players=True,
    related=("passion-goal", "start-tokens"),
)
SETUP_SEASON_TILE = _setup(
    id="setup-season-tile",
    text="One season tile is face-up. It says what the season bonus is for. Each season has its own tile.",
    page="“End of a Season”",
    status="inferred",
    related=("season-bonus", "fall-bonus"),
)

# Hiking

FIRST_HIKER_STARTS = _hike(
    id="first-hiker-starts",
    text="The player with the First Hiker token takes the first turn of a season.",
    related=("first-hiker-spring", "turn-order", "end-first-parks"),
)
FIRST_HIKER_SPRING = _hike(
    id="first-hiker-spring",
    text="The rulebook does not say who has the First Hiker token in Spring. Your table decides.",
    status="open",
    related=("first-hiker-starts", "first-hiker-point"),
)
TURN_ORDER = _hike(
    id="turn-order",
    text="Play goes clockwise. On your turn, move one of your two hikers.",
    related=("first-hiker-starts", "hike-forward", "turn-skipped"),
)
HIKE_FORWARD = _hike(
    id="hike-forward",
    text="Move your hiker forward as far as you like, but never back.",
    related=("turn-order", "trail-end-stays"),
)
SITE_ACTION = _hike(
    id="site-action",
    text="Take the action of the site where your hiker stops.",
    related=("nothing-to-do", "turn-steps"),
)
TURN_STEPS = _hike(
    id="turn-steps",
    text="Finish each step of your turn before you start the next one.",
    status="inferred",
    related=("site-action", "gear-order"),
)
TRAIL_END_STAYS = _hike(
    id="trail-end-stays",
    text="A hiker at Trail’s End stays there for the rest of the season.",
    related=("hike-forward", "end-choice"),
)
CAMPFIRE_SHARE = _hike(
    id="campfire-share",
    text="To stop at a site with another hiker, even your own, extinguish your lit campfire.",
    page="“Campfires”",
    related=("campfire-start", "campfire-relit", "end-crowd"),
)
CAMPFIRE_START = _hike(
    id="campfire-start",
    text="With two or three players, campfires start the game extinguished. With four or five, they start lit.",
    page="“Campfires”",
    related=("campfire-share", "campfire-few", "campfire-relit"),
)
CAMPFIRE_FEW = _hike(
    id="campfire-few",
    text=(
        "The rulebook does not clearly say whether campfires are relit between seasons with two or three players. Your "
        "table decides."
    ),
    page="“Campfires”",
    status="open",
    related=("campfire-start", "campfire-relit"),
)
WEATHER_TAKEN = _hike(
    id="weather-taken",
    text="The first hiker to stop at a site also takes its weather token.",
    book="box",
    page="“Weather”",
    status="inferred",
    related=("setup-weather", "weather-when"),
)
WEATHER_WHEN = _hike(
    id="weather-when",
    text=(
        "The rulebook does not say whether you take the weather token before or after the site’s action. Your table "
        "decides."
    ),
    book="box",
    page="“Weather”",
    status="open",
    related=("weather-taken", "canteen-fill"),
)

# Sites

FOREST_SITE = _site(id="forest-site", text="At the Forest site, gain 1 Forest.", related=("site-action",))
MOUNTAIN_SITE = _site(id="mountain-site", text="At the Mountain site, gain 1 Mountain.", related=("site-action",))
SUN_SITE = _site(id="sun-site", text="At the Sun site, gain 2 Sun.", related=("site-action",))
WATER_SITE = _site(id="water-site", text="At the Water site, gain 2 Water.", related=("site-action", "canteen-fill"))
DIE_SITE = _site(
    id="die-site", text="At the Trail Die site, roll the Trail Die and gain what it shows.", related=("die-faces",)
)
GEAR_SITE = _site(
    id="gear-site",
    text="At the Gear site, you may buy one gear card.",
    related=("gear-market", "gear-deck"),
)
PHOTO_SITE = _site(
    id="photo-site",
    text="At the Canteen or Photo site, gain a canteen or take a photo.",
    related=("canteen-gain", "photo-price"),
)
WILDLIFE_SITE = _site(
    id="wildlife-site",
    text="At the Wildlife site, you may trade 1 Resource for 1 Wildlife.",
    related=("wildlife-trade",),
)
WILDLIFE_TRADE = _site(
    id="wildlife-trade",
    text="The rulebook does not say whether you can trade Wildlife for Wildlife. Your table decides.",
    status="open",
    related=("wildlife-site",),
)
PARKS_ACTION = _site(
    id="parks-action",
    text="At the Parks site, take a Parks action: reserve one park, or visit as many as you can pay for.",
    related=("reserve", "visit-many"),
)
NOTHING_TO_DO = _site(
    id="nothing-to-do",
    text="You may stop at a site where you can do nothing. Then skip its action.",
    status="inferred",
    related=("site-action", "action-optional"),
)
ACTION_OPTIONAL = _site(
    id="action-optional",
    text="Where you stop, you do not have to trade, buy gear, reserve a park or visit one.",
    status="inferred",
    related=("nothing-to-do",),
)

# Parks

RESERVE = _park(
    id="reserve",
    text="To reserve a park, take a face-up one or the top card of the deck. Place it to the left of your board.",
    related=("reserve-own", "reserve-open", "reserve-limit"),
)
RESERVE_OWN = _park(
    id="reserve-own",
    text="Only you can visit the parks in your reserve, with any later Parks action.",
    related=("reserve", "visit-many"),
)
RESERVE_OPEN = _park(
    id="reserve-open",
    text="Reserved parks are face-up for everyone to see.",
    status="inferred",
    is_checked_by_players=True,
    related=("reserve",),
)
RESERVE_LIMIT = _park(
    id="reserve-limit",
    text="The rulebook sets no limit on the parks in your reserve. Your table decides.",
    status="open",
    related=("reserve",),
)
VISIT_MANY = _park(
    id="visit-many",
    text="With one Parks action, visit any number of parks, from the Parks Display and from your reserve.",
    related=("park-cost", "parks-refill", "one-or-other"),
)
ONE_OR_OTHER = _park(
    id="one-or-other",
    text="A Parks action lets you either reserve a park or visit parks, not both.",
    related=("reserve", "visit-many"),
)
PARK_COST = _park(
    id="park-cost",
    text="To visit a park, pay the Resources on its card. Place the card to the right of your board.",
    related=("wildlife-wild", "pay-back", "park-instant"),
)
PARK_INSTANT = _park(
    id="park-instant",
    text="Some parks have an instant benefit. Gain it immediately when you visit the park.",
    related=("instant-tokens", "instant-optional"),
)
INSTANT_TOKENS = _park(
    id="instant-tokens",
    text=(
        "Some instant benefits give 1 or 2 Sun, 1 or 2 Water, 1 Wildlife or a canteen. Others give the Shutterbug "
        "Badge or a roll of the Trail Die."
    ),
    book="box",
    page="“Parks”",
    related=("park-instant",),
)
INSTANT_OPTIONAL = _park(
    id="instant-optional",
    text="You may spend what a park gives you on the next park of the same action.",
    status="inferred",
    related=("park-instant", "visit-many"),
)
PARKS_REFILL = _park(
    id="parks-refill",
    text="After your turn, slide the face-up parks to the right. Draw new ones on the left.",
    related=("setup-displays", "park-once"),
)
PARK_ONCE = _park(
    id="park-once",
    text="The box has one card for each of the 63 parks. When the deck is empty, leave gaps in the Parks Display.",
    book="box",
    page="“Parks”",
    status="inferred",
    related=("components", "parks-refill"),
)

# Photos

PHOTO_PRICE = _photo(
    id="photo-price",
    text="A photo costs 1 Resource of any kind. It scores 1 point at the end.",
    related=("score-photos", "second-photo"),
)
SHUTTERBUG_BADGE = _photo(
    id="shutterbug-badge",
    text=(
        "Stop at the site with the Shutterbug token to take the Shutterbug Badge, even from another player. The "
        "token stays there all season."
    ),
    related=("setup-shutterbug", "second-photo"),
)
BADGE_BETWEEN = _photo(
    id="badge-between",
    text=(
        "For season setup, the rulebook says to place the Shutterbug Badge beside the board. It does not say whether "
        "this applies to every season. Your table decides."
    ),
    page="“Starting a Season”",
    status="open",
    related=("shutterbug-badge", "trail-again"),
)
SECOND_PHOTO = _photo(
    id="second-photo",
    text=(
        "If you take a photo while you have the Shutterbug Badge, you may pay for a second one. You can do this "
        "once per turn."
    ),
    related=("shutterbug-badge", "end-photo-twice"),
)
PHOTO_FREE = _photo(
    id="photo-free",
    text="A photo from a season bonus is free. You do not pay for it, so it does not activate gear.",
    status="inferred",
    related=("photo-price", "season-bonus"),
)

# Canteens

CANTEEN_GAIN = _canteen(
    id="canteen-gain",
    text=(
        "To gain a canteen, take a face-up one or the top of the stack. If you take a face-up one, replace it "
        "immediately."
    ),
    related=("canteen-rows", "canteen-full"),
)
CANTEEN_ROWS = _canteen(
    id="canteen-rows",
    text="Your board has three rows for two canteens each. Place a new one in any empty space.",
    related=("canteen-gain", "canteen-full"),
)
CANTEEN_FULL = _canteen(
    id="canteen-full",
    text="With six canteens, you have no room for another.",
    status="inferred",
    related=("canteen-rows",),
)
CANTEEN_FILL = _canteen(
    id="canteen-fill",
    text="When you gain Water, you may place it in a canteen row. Water from your backpack cannot fill a row.",
    related=("canteen-row-once", "canteen-brings", "canteen-chain"),
)
CANTEEN_BRINGS = _canteen(
    id="canteen-brings",
    text=(
        "A filled row gives the benefits of its canteens. One canteen is enough, but you cannot fill a row without a "
        "canteen."
    ),
    related=("canteen-fill", "canteen-late"),
)
CANTEEN_ROW_ONCE = _canteen(
    id="canteen-row-once",
    text="Fill each row only once per season.",
    related=("canteen-fill", "canteens-emptied"),
)
CANTEEN_LATE = _canteen(
    id="canteen-late",
    text="A canteen you add to a filled row gives nothing this season.",
    related=("canteen-brings",),
)
WATER_TOGETHER = _canteen(
    id="water-together",
    text="Place all the Water you gained before you use the benefits of the rows you filled.",
    status="inferred",
    related=("canteen-fill", "canteen-brings"),
)
CANTEEN_CHAIN = _canteen(
    id="canteen-chain",
    text="Water from a canteen or from gear can fill another row.",
    status="inferred",
    related=("canteen-fill",),
)

# Gear

GEAR_MARKET = _gear(
    id="gear-market",
    text="A card in the Gear Market costs the Sun printed on it.",
    related=("gear-deck", "gear-slides", "wildlife-wild"),
)
GEAR_DECK = _gear(
    id="gear-deck",
    text="The top card of the Gear Deck costs 2 Sun. You buy it unseen.",
    related=("gear-market",),
)
GEAR_SLIDES = _gear(
    id="gear-slides",
    text="After you buy from the Gear Market, slide the other cards right. Draw a new one on the left.",
    related=("gear-market", "gear-discard"),
)
GEAR_READY = _gear(
    id="gear-ready",
    text="Gear works as soon as you have it, while hiking and between seasons.",
    related=("gear-once", "gear-order"),
)
GEAR_ONCE = _gear(
    id="gear-once",
    text="Each gear card works once per turn.",
    related=("gear-order",),
)
GEAR_ORDER = _gear(
    id="gear-order",
    text="After the site’s action, use your activated gear in any order, or skip it.",
    related=("gear-once", "gear-chain", "gear-waits"),
)
GEAR_CHAIN = _gear(
    id="gear-chain",
    text="The benefit of one gear card can activate another.",
    status="inferred",
    related=("gear-order",),
)
GEAR_WAITS = _gear(
    id="gear-waits",
    text=(
        "Gear gives its benefit after the action that activated it, so it cannot pay for that action. If you "
        "cannot use a benefit yet, you may use it after your other gear."
    ),
    status="inferred",
    related=("gear-order",),
)
GEAR_KINDS = _gear(
    id="gear-kinds",
    status="inferred",
    text=(
        "Some gear works at the Sun, Water, Forest or Mountain site. Other gear works when you trade for Wildlife, "
        "take a photo, reserve a park or roll the die."
    ),
    book="box",
    page="“Gear”",
    related=("gear-ready", "extra-roll"),
)
EXTRA_ROLL = _gear(
    id="extra-roll",
    status="inferred",
    text="Mystery Cache (when you roll the die) gives you one more roll that turn.",
    book="box",
    page="“Gear”",
    related=("gear-kinds", "die-faces"),
)

# The Trail Die

DIE_FACES = _die(
    id="die-faces",
    text="The die shows 1 Forest, 1 Mountain, 2 Sun, 2 Water, 1 Wildlife or a canteen. Gain what it shows.",
    related=("die-site",),
)

# Passions

PASSION_GOAL = _passion(
    id="passion-goal",
    text="When you complete the objective of your passion on your turn, flip the card over immediately.",
    related=("passion-side", "passion-same-turn"),
)
PASSION_SIDE = _passion(
    id="passion-side",
    text="For a completed passion, choose its Gear Effect (for the rest of the game) or its End Game Bonus.",
    related=("passion-goal", "score-passion"),
)
PASSION_SAME_TURN = _passion(
    id="passion-same-turn",
    text="A Gear Effect you choose in the middle of a turn works for your next actions in that turn.",
    related=("passion-side",),
)
PASSION_SHOWS = _passion(
    id="passion-shows",
    text=(
        "A park with a Sun has at least 1 Sun in its cost. For \u201cSun on visited parks\u201d, count every Sun "
        "in the costs of your visited parks. An End Game Bonus scores 1 point for every 1, 2 or 3 of what it counts."
    ),
    book="box",
    page="“Passions”",
    status="inferred",
    related=("passion-goal", "score-passion"),
)
PASSION_ONCE = _passion(
    id="passion-once",
    text=(
        "The rulebook does not say whether a Gear Effect works once per turn, like gear, or every time. Your table "
        "decides."
    ),
    status="open",
    related=("gear-once", "passion-less"),
)
PASSION_LESS = _passion(
    id="passion-less",
    status="inferred",
    text=(
        "With Birdwatching, each park with a Sun is 1 Sun cheaper. Kayaking does the same for Water, Forestry for "
        "Forest and Mountaineering for Mountain."
    ),
    book="box",
    page="“Passions”",
    related=("passion-once", "park-cost"),
)
PASSION_SWAP = _passion(
    id="passion-swap",
    status="inferred",
    text=(
        "With Botany, when you gain a Forest, you may swap it for Wildlife. With Rock Climbing, you may swap "
        "a Mountain."
    ),
    book="box",
    page="“Passions”",
    related=("passion-once",),
)
PASSION_ROLL = _passion(
    id="passion-roll",
    status="inferred",
    text=(
        "With Adventure, roll the die when you visit a park with an instant benefit. With Swimming, roll it when "
        "you fill a canteen row."
    ),
    book="box",
    page="“Passions”",
    related=("passion-once", "die-faces"),
)
PASSION_PHOTOS = _passion(
    id="passion-photos",
    status="inferred",
    text="With the Wildlife passion, paying Wildlife for a photo gives you two photos.",
    book="box",
    page="“Passions”",
    related=("passion-once", "photo-price"),
)
PASSION_FREE_GEAR = _passion(
    id="passion-free-gear",
    text="With Collecting, gear is free. We do not know whether this includes the deck. Your table decides.",
    book="box",
    page="“Passions”",
    status="open",
    related=("gear-market", "gear-deck"),
)
PASSION_KEPT = _passion(
    id="passion-kept",
    text=(
        "If gear is free once per turn, you choose which card. You may pay for one card and take another for free "
        "later that turn."
    ),
    status="inferred",
    related=("passion-free-gear", "passion-once", "gear-order"),
)

# Trail's End

END_CHOICE = _end(
    id="end-choice",
    text="At Trail’s End, choose one of three spaces for your hiker: Parks, Photo or Gear. Take its action.",
    related=("end-first-parks", "end-first-photo", "end-first-gear"),
)
END_CROWD = _end(
    id="end-crowd",
    text="Any number of hikers can be on each space of Trail’s End. You do not need your campfire there.",
    related=("end-choice", "campfire-share"),
)
END_FIRST_PARKS = _end(
    id="end-first-parks",
    text="The first player to use the Parks space each season takes the First Hiker token.",
    related=("end-choice", "first-hiker-starts"),
)
END_FIRST_PHOTO = _end(
    id="end-first-photo",
    text="The first player to use the Photo space each season gains 1 Wildlife.",
    related=("end-choice", "end-first-when"),
)
END_FIRST_GEAR = _end(
    id="end-first-gear",
    text="The first player to use the Gear space each season gains 1 Sun.",
    related=("end-choice", "end-first-when"),
)
END_FIRST_WHEN = _end(
    id="end-first-when",
    text=(
        "The rulebook does not say whether the bonus for using a space first can pay for the space’s action. Your "
        "table decides."
    ),
    status="open",
    related=("end-first-photo", "end-first-gear"),
)
END_PHOTO_TWICE = _end(
    id="end-photo-twice",
    text=(
        "With the Shutterbug Badge, you may use the Photo space twice. The rulebook does not say whether the "
        "badge’s own second photo is in addition to these two photos. Your table decides."
    ),
    status="open",
    related=("second-photo", "end-choice"),
)
CAMPFIRE_STAYS_OUT = _end(
    id="campfire-stays-out",
    text="Reaching Trail’s End does not relight your campfire.",
    related=("campfire-share", "campfire-relit"),
)

# End of a season

TURN_SKIPPED = _season(
    id="turn-skipped",
    text="Once both your hikers are at Trail’s End, you take no more turns this season.",
    related=("turn-order", "last-on-trail"),
)
LAST_ON_TRAIL = _season(
    id="last-on-trail",
    text=(
        "When only you have hikers on the Trail, move each one straight to Trail’s End on your next turn. Take an "
        "action for each."
    ),
    related=("turn-skipped", "season-over"),
)
SEASON_OVER = _season(
    id="season-over",
    text="A season is over when all hikers are at Trail’s End.",
    related=("last-on-trail", "season-bonus"),
)
SEASON_BONUS = _season(
    id="season-bonus",
    text="At the end of a season, award the bonus of its season tile.",
    related=("season-kinds", "season-tie", "spring-counts", "fall-bonus"),
)
SEASON_KINDS = _season(
    id="season-kinds",
    status="inferred",
    text=(
        "The bonus goes to the player with the most of what the tile counts. Spring tiles count Sun, Water, Forest "
        "or Mountain. The winner gains a gear card, a canteen or a photo, or reserves a park. Summer tiles count "
        "Wildlife, canteens, instant benefits or Sun in gear costs. The winner rolls the die twice. Fall tiles count "
        "one kind of Resource on visited parks. The winner scores 3 points."
    ),
    book="box",
    page="“Season tiles”",
    related=("season-bonus",),
)
SEASON_NONE = _season(
    id="season-none",
    text="You get no season bonus if you have none of what the tile counts.",
    status="inferred",
    related=("season-bonus", "fall-bonus"),
)
SEASON_TIE = _season(
    id="season-tie",
    text="The rulebook does not say who gets the Spring or Summer bonus in a tie. Your table decides.",
    status="open",
    related=("season-bonus", "fall-bonus"),
)
SPRING_COUNTS = _season(
    id="spring-counts",
    text="We do not know whether Spring counts Resources in backpacks or on visited parks. Your table decides.",
    book="box",
    page="“Season tiles”",
    status="open",
    related=("season-bonus",),
)
SUMMER_COUNTS = _season(
    id="summer-counts",
    text="We do not know whether Summer counts Wildlife in backpacks or on visited parks. Your table decides.",
    book="box",
    page="“Season tiles”",
    status="open",
    related=("season-bonus", "spring-counts"),
)
CANTEENS_EMPTIED = _season(
    id="canteens-emptied",
    text="Between seasons, empty your canteens: their Water goes back to the tray.",
    related=("canteen-row-once",),
)
CAMPFIRE_RELIT = _season(
    id="campfire-relit",
    text="Between seasons, everyone relights their campfire.",
    related=("campfire-share", "campfire-start", "campfire-few"),
)
HIKERS_RETURN = _season(
    id="hikers-return",
    text="Between seasons, return all hikers to the Trailhead.",
    related=("hikers",),
)
TRAIL_AGAIN = _season(
    id="trail-again",
    text=(
        "Between seasons, set up the Trail again. Shuffle and place the tiles, place new weather tokens and roll for "
        "the Shutterbug token."
    ),
    related=("setup-tiles", "setup-weather", "setup-shutterbug"),
)
WEATHER_LEFT = _season(
    id="weather-left",
    text="Before you place new weather tokens, return any leftover ones to the trays.",
    status="inferred",
    related=("setup-weather", "trail-again"),
)
GEAR_DISCARD = _season(
    id="gear-discard",
    text=(
        "Between seasons, put the rightmost card of the Gear Market back in the box. Slide the others right and "
        "draw a new one on the left."
    ),
    related=("gear-slides",),
)

# Scoring

FALL_BONUS = _score(
    id="fall-bonus",
    text="After Fall, award the Fall bonus. In a tie, all tied players score it.",
    related=("season-none", "season-bonus"),
)
SCORE_PARKS = _score(
    id="score-parks",
    text="Add up the points on the parks you visited. Reserved parks score nothing.",
    related=("tie-parks",),
)
SCORE_PHOTOS = _score(
    id="score-photos",
    text="Each photo scores 1 point.",
    related=("photo-bonus", "photo-price"),
)
PHOTO_BONUS = _score(
    id="photo-bonus",
    text=(
        "With two players, the player with the most photos scores 3 points. With three to five, the player with the "
        "most photos scores 4 points, and second place scores 2 points."
    ),
    related=("photo-tie", "photo-none"),
)
PHOTO_TIE = _score(
    id="photo-tie",
    text="The rulebook does not say how tied players score the photo bonus. Your table decides.",
    status="open",
    related=("photo-bonus",),
)
PHOTO_NONE = _score(
    id="photo-none",
    text="You get no photo bonus without a photo.",
    status="inferred",
    related=("photo-bonus",),
)
SCORE_PASSION = _score(
    id="score-passion",
    text="If you chose the End Game Bonus of your passion, score it at the end of the game.",
    related=("passion-side", "passion-shows"),
)
FIRST_HIKER_POINT = _score(
    id="first-hiker-point",
    text="The player with the First Hiker token at the end scores 1 point.",
    related=("end-first-parks",),
)
WINNER = _score(
    id="winner",
    text="The player with the most points wins.",
    related=("tie-parks", "tie-shared"),
)
TIE_PARKS = _score(
    id="tie-parks",
    text="In a tie, the tied player with the most visited parks wins.",
    related=("winner", "tie-shared"),
)
TIE_SHARED = _score(
    id="tie-shared",
    text="If tied players also have the same number of visited parks, they share the victory.",
    related=("tie-parks",),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Open points: the first option is the default.

SUPPLY = Ruling(
    id="token-supply",
    question="What happens when a Resource or the photos run out?",
    options=(
        Option("stand-ins", "You still gain them. Use anything as extra tokens."),
        Option("limited", "You gain what is left. Waymark assumes 15 Forest, 15 Mountain, 30 Sun, 30 Water, 14 "
               "Wildlife and 28 photos."),
    ),
    rule=TOKEN_SUPPLY,
)  # fmt: skip
BACKPACK_LIMIT = Ruling(
    id="backpack",
    question="How many Resources can be in a backpack at the end of a turn?",
    options=(
        Option("any", "Any number."),
        Option("twelve", "Twelve, as in the first edition. Return the rest."),
    ),
    rule=BACKPACK,
)
FIRST_WEATHER = Ruling(
    id="weather-start",
    question="Which weather token goes on the second site?",
    options=(Option("sun", "A Sun token."), Option("water", "A Water token.")),
    rule=WEATHER_START,
)
PARKS_WEATHER = Ruling(
    id="weather-parks",
    question="Does the Parks site get a weather token?",
    options=(
        Option("yes", "Yes, like every site from the second on."),
        Option("no", "No, only the sites with a Trail Site tile do."),
    ),
    rule=WEATHER_PARKS,
)
SPRING_TOKEN = Ruling(
    id="first-hiker-spring",
    question="Who has the First Hiker token in Spring?",
    options=(
        Option("first-player", "The starting player."),
        Option(
            "no-one",
            "No one, until a player takes it at Trail\u2019s End.",
            "Until then, the starting player begins each season.",
        ),
    ),
    rule=FIRST_HIKER_SPRING,
)
FEW_CAMPFIRES = Ruling(
    id="campfire-few",
    question="With two or three players, are campfires relit between seasons?",
    options=(
        Option("yes", "Yes, as with more players."),
        Option("no", "No, only gear can relight them."),
    ),
    rule=CAMPFIRE_FEW,
)
TRADE_WILDLIFE = Ruling(
    id="wildlife-trade",
    question="Can you trade Wildlife for Wildlife?",
    options=(Option("no", "No, you trade another Resource."), Option("yes", "Yes, you can trade any Resource.")),
    rule=WILDLIFE_TRADE,
)
RESERVED_PARKS = Ruling(
    id="reserve-limit",
    question="How many parks can be in your reserve?",
    options=(Option("any", "Any number."), Option("three", "Three.")),
    rule=RESERVE_LIMIT,
)
PASSION_USES = Ruling(
    id="passion-once",
    question="How often does a passion\u2019s Gear Effect work?",
    options=(
        Option("once", "Once per turn, like gear: the first time it applies."),
        Option("always", "Every time it applies."),
    ),
    rule=PASSION_ONCE,
)
FREE_GEAR = Ruling(
    id="free-gear",
    question="Which gear is free with the Collecting passion?",
    options=(
        Option("all", "All gear, from the Gear Market or the deck."),
        Option("market", "Only gear from the Gear Market."),
    ),
    rule=PASSION_FREE_GEAR,
)
END_FIRST = Ruling(
    id="end-first-when",
    question="When does the first player to use a Trail\u2019s End space gain its bonus?",
    options=(
        Option("before", "On arrival, so it can pay for the action."),
        Option("after", "After the space\u2019s action."),
    ),
    rule=END_FIRST_WHEN,
)
END_TWICE = Ruling(
    id="end-photo-twice",
    question="With the Shutterbug Badge, how many photos can you take at Trail\u2019s End?",
    options=(
        Option(
            "two",
            "Two: one from the space, one from the badge.",
            "Three if both your hikers arrive in one turn.",
        ),
        Option(
            "three",
            "Three: two from the space, one from the badge.",
            "Five if both your hikers arrive in one turn.",
        ),
    ),
    rule=END_PHOTO_TWICE,
)
SEASON_LEVEL = Ruling(
    id="season-tie",
    question="Who gets the Spring or Summer bonus in a tie?",
    options=(Option("all", "All tied players, in turn order."), Option("nobody", "No one.")),
    rule=SEASON_TIE,
)
SPRING_WHERE = Ruling(
    id="spring-counts",
    question="Which Resources does the Spring tile count?",
    options=(Option("backpack", "Those in backpacks."), Option("parks", "Those on visited parks.")),
    rule=SPRING_COUNTS,
)
SUMMER_WHERE = Ruling(
    id="summer-counts",
    question="Which Wildlife does the Summer tile count?",
    options=(Option("backpack", "Wildlife in backpacks."), Option("parks", "Wildlife on visited parks.")),
    rule=SUMMER_COUNTS,
)
WEATHER_TIME = Ruling(
    id="weather-when",
    question="When do you take a site\u2019s weather token?",
    options=(Option("before", "On arrival, before the action."), Option("after", "After the action.")),
    rule=WEATHER_WHEN,
)
BADGE_LATER = Ruling(
    id="badge-between",
    question="What happens to the Shutterbug Badge between seasons?",
    options=(
        Option("stays", "The player who has it keeps it."),
        Option("returns", "It returns to the side of the board."),
    ),
    rule=BADGE_BETWEEN,
)
PHOTO_LEVEL = Ruling(
    id="photo-tie",
    question="What happens if players tie for the photo bonus?",
    options=(
        Option("full", "All tied players score in full. Second place still scores."),
        Option("no-second", "All tied players score in full. After a tie for the most, second place scores nothing."),
    ),
    rule=PHOTO_TIE,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))

# Common house rules in place of printed rules, in our own words.
VARIANTS = (
    Variant("May your own two hikers share a site?", "Yes. You need no lit campfire for that.", CAMPFIRE_SHARE),
    Variant(
        "Can you replace the face-up parks?",
        "Yes. Before a Parks action, you may return 1 Resource to replace all of them.",
        PARKS_REFILL,
    ),
    Variant("How many seasons do you play?", "Two, for a short game: Spring and Summer.", SEASONS),
)
