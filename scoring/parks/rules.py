"""The rules of PARKS in our own words, with their sources, and the rulings."""

from functools import partial

from scoring.kernel.rule import Option, Rule, Ruling

# One maker per section. The book has no page numbers, so its headings stand for them; "box" marks facts known from
# the components alone, see box.toml. A rule that is not printed names the heading it follows from.
_game = partial(Rule, section="The game", book="rulebook", page="“Overview”")
_setup = partial(Rule, section="Set-up of a season", book="rulebook", page="“Starting a Season”")
_hike = partial(Rule, section="Hiking", book="rulebook", page="“Hiking”")
_site = partial(Rule, section="Sites", book="rulebook", page="“Trail Site Actions”")
_park = partial(Rule, section="Parks", book="rulebook", page="“Parks”")
_photo = partial(Rule, section="Photos", book="rulebook", page="“Photos”")
_canteen = partial(Rule, section="Canteens", book="rulebook", page="“Canteens”")
_gear = partial(Rule, section="Gear", book="rulebook", page="“Gear Cards”")
_die = partial(Rule, section="The Trail Die", book="rulebook", page="“Rolling the Trail Die”")
_passion = partial(Rule, section="Passions", book="rulebook", page="“Passion Cards”")
_end = partial(Rule, section="Trail End", book="rulebook", page="“Trail End”")
_season = partial(Rule, section="End of a season", book="rulebook", page="“End of a Season”")
_score = partial(Rule, section="Scoring", book="rulebook", page="“Game End”")

# The game

GOAL = _game(
    id="goal",
    text="You walk the Trail with two hikers, gather tokens, visit parks and take photos. Most points wins.",
    related=("seasons", "score-parks", "winner"),
)
PLAYERS = _game(
    id="players",
    status="inferred",
    text="Two to five people play.",
    book="box",
    page="“Players”",
    related=("hikers", "campfire-start"),
)
SEASONS = _game(
    id="seasons",
    text="A game is three seasons: Spring, Summer and Fall. After the third the points are counted.",
    related=("season-over", "goal"),
)
HIKERS = _game(
    id="hikers",
    text="Everybody has two hikers. Both start each season at the Trailhead.",
    related=("hike-forward", "hikers-return"),
)
COMPONENTS = _game(
    id="components",
    status="inferred",
    text=(
        "The box has 63 parks, ten passions, twelve season tiles, eight trail tiles, gear, canteens, tokens of five "
        "kinds and photos. How many gear cards and canteens there are is not known for certain."
    ),
    book="box",
    page="“Components”",
    related=("token-supply", "park-once"),
)
HOME_MADE = _game(
    id="home-made",
    text="A card of your own, or one printed later, plays along once its name, cost, points and effect are entered.",
    book="box",
    page="“Home-made cards”",
    status="inferred",
    related=("components",),
)
WILDLIFE_WILD = _game(
    id="wildlife-wild",
    text=(
        "A Wildlife stands in for any other token when you pay for a park, gear or a photo. Where there are several "
        "ways to pay, the choice is yours."
    ),
    page="“Wildlife”",
    related=("wildlife-own", "wildlife-no-canteen", "park-cost"),
)
WILDLIFE_OWN = _game(
    id="wildlife-own",
    text="Where a cost shows Wildlife, only Wildlife pays for it.",
    page="“Wildlife”",
    status="inferred",
    related=("wildlife-wild", "park-cost"),
)
WILDLIFE_NO_CANTEEN = _game(
    id="wildlife-no-canteen",
    text="A Wildlife never fills a canteen.",
    page="“Wildlife”",
    related=("canteen-fill",),
)
PAY_BACK = _game(
    id="pay-back",
    text="What you pay returns to the trays.",
    page="“Parks”",
    related=("token-supply",),
)
TOKEN_SUPPLY = _game(
    id="token-supply",
    text=(
        "Nothing is said about a kind of token that runs out, and the number of tokens is not certain. Your table "
        "decides."
    ),
    book="box",
    page="“Tokens”",
    status="open",
    related=("components", "pay-back"),
)
BACKPACK = _game(
    id="backpack",
    text="No limit is given for the tokens in a backpack; the first edition had one of twelve. Your table decides.",
    book="box",
    page="“Backpack”",
    status="open",
    related=("components",),
)
START_TOKENS = _game(
    id="start-tokens",
    text=(
        "What you start the game with is not known for certain. The app starts you with nothing unless set-up says "
        "more."
    ),
    book="box",
    page="“Starting tokens”",
    status="inferred",
    related=("setup-passions",),
)

# Setup of a season

SETUP_TILES = _setup(
    id="setup-tiles",
    text="Mix the eight trail tiles and lay each once on the free sites. The app is told them in the order they lie.",
    related=("parks-site", "setup-weather", "trail-again"),
)
PARKS_SITE = _setup(
    id="parks-site",
    text="The Parks site is part of the board: the fifth of nine sites. If yours lies elsewhere, set-up can say so.",
    book="box",
    page="“Parks site”",
    status="inferred",
    related=("setup-tiles", "weather-parks"),
)
SETUP_WEATHER = _setup(
    id="setup-weather",
    text="From the second site on, every site gets one weather token, a Sun and a Water by turns.",
    related=("weather-taken", "weather-start", "weather-parks"),
)
WEATHER_START = _setup(
    id="weather-start",
    text="Whether the weather begins with a Sun or a Water is not said outright. Your table decides.",
    status="open",
    related=("setup-weather",),
)
WEATHER_PARKS = _setup(
    id="weather-parks",
    text="Whether the Parks site gets a weather token as well is not said outright. Your table decides.",
    status="open",
    related=("setup-weather", "parks-site"),
)
SETUP_SHUTTERBUG = _setup(
    id="setup-shutterbug",
    text="Roll the Trail Die and put the Shutterbug token under the site it shows.",
    related=("shutterbug-faces", "shutterbug-badge"),
)
SHUTTERBUG_FACES = _setup(
    id="shutterbug-faces",
    text=(
        "Forest, Mountain, Sun and Water send the Shutterbug to the site of that name, Wildlife to the trade for "
        "Wildlife, a canteen to the canteen and photo site."
    ),
    book="box",
    page="“Shutterbug”",
    status="inferred",
    related=("setup-shutterbug",),
)
SETUP_DISPLAYS = _setup(
    id="setup-displays",
    text=(
        "Three parks, three gear cards and three canteens lie open. For parks and gear that number is not certain, "
        "so set-up can change it."
    ),
    book="box",
    page="“Displays”",
    status="inferred",
    related=("parks-refill", "gear-market", "canteen-gain"),
)
SETUP_PASSIONS = _setup(
    id="setup-passions",
    text="Everybody has a passion with the goal face up. How they are dealt is not known for certain.",
    book="box",
    page="“Passions”",
    status="inferred",
    is_checked_by_players=True,
    related=("passion-goal", "start-tokens"),
)
SETUP_SEASON_TILE = _setup(
    id="setup-season-tile",
    text="One tile of the season lies open and says what its bonus is for. The next season has its own.",
    page="“End of a Season”",
    status="inferred",
    related=("season-bonus", "fall-bonus"),
)

# Hiking

FIRST_HIKER_STARTS = _hike(
    id="first-hiker-starts",
    text="Whoever has the First Hiker token takes the first turn of a season.",
    related=("turn-order", "end-first-parks"),
)
TURN_ORDER = _hike(
    id="turn-order",
    text="Turns go clockwise. In yours you move one of your two hikers, whichever you like.",
    related=("first-hiker-starts", "hike-forward", "turn-skipped"),
)
HIKE_FORWARD = _hike(
    id="hike-forward",
    text="A hiker goes forward as far as you like, and never back.",
    related=("turn-order", "trail-end-stays"),
)
SITE_ACTION = _hike(
    id="site-action",
    text="Where your hiker stops, you take the action of the site.",
    related=("nothing-to-do", "turn-steps"),
)
TURN_STEPS = _hike(
    id="turn-steps",
    text="Finish what your turn has started before you begin something new.",
    status="inferred",
    related=("site-action", "gear-order"),
)
TRAIL_END_STAYS = _hike(
    id="trail-end-stays",
    text="At Trail End a hiker rests until the next season.",
    related=("hike-forward", "end-choice"),
)
CAMPFIRE_SHARE = _hike(
    id="campfire-share",
    text="To stop where another hiker stands, your own other one included, you put out your burning campfire.",
    page="“Campfires”",
    related=("campfire-start", "campfire-relit", "end-crowd"),
)
CAMPFIRE_START = _hike(
    id="campfire-start",
    text="With two or three players the campfires are out when the game starts; with four or five they burn.",
    page="“Campfires”",
    related=("campfire-share", "campfire-relit"),
)
WEATHER_TAKEN = _hike(
    id="weather-taken",
    text="The first hiker to stop on a site takes its weather token as an extra.",
    book="box",
    page="“Weather”",
    status="inferred",
    related=("setup-weather", "weather-when"),
)
WEATHER_WHEN = _hike(
    id="weather-when",
    text="Whether you take the weather of a site before its action or after it is not said. Your table decides.",
    book="box",
    page="“Weather”",
    status="open",
    related=("weather-taken", "canteen-fill"),
)

# Sites

FOREST_SITE = _site(id="forest-site", text="The Forest site gives one Forest.", related=("site-action",))
MOUNTAIN_SITE = _site(id="mountain-site", text="The Mountain site gives one Mountain.", related=("site-action",))
SUN_SITE = _site(id="sun-site", text="The Sun site gives two Suns.", related=("site-action",))
WATER_SITE = _site(id="water-site", text="The Water site gives two Waters.", related=("site-action", "canteen-fill"))
DIE_SITE = _site(
    id="die-site", text="At the Trail Die site you roll and take what the die shows.", related=("die-faces",)
)
GEAR_SITE = _site(
    id="gear-site",
    text="The Gear site sells you one gear card, if you want it.",
    related=("gear-market", "gear-deck"),
)
PHOTO_SITE = _site(
    id="photo-site",
    text="At the Canteen or Photo site you gain a canteen, or pay for a photo.",
    related=("canteen-gain", "photo-price"),
)
WILDLIFE_SITE = _site(
    id="wildlife-site",
    text="At the Wildlife site you may trade one token for a Wildlife.",
    related=("wildlife-trade",),
)
WILDLIFE_TRADE = _site(
    id="wildlife-trade",
    text="Whether the token you trade may be a Wildlife itself is not said. Your table decides.",
    status="open",
    related=("wildlife-site",),
)
PARKS_ACTION = _site(
    id="parks-action",
    text="At the Parks site you reserve one park, or visit as many as you can pay for.",
    related=("reserve", "visit-many"),
)
NOTHING_TO_DO = _site(
    id="nothing-to-do",
    text="You may stop where you can do nothing. Then the action is passed over.",
    status="inferred",
    related=("site-action", "action-optional"),
)
ACTION_OPTIONAL = _site(
    id="action-optional",
    text="You need not trade, buy, reserve or visit where you stop.",
    status="inferred",
    related=("nothing-to-do",),
)

# Parks

RESERVE = _park(
    id="reserve",
    text="To reserve, take an open park or the top one of the deck and lay it left of your board.",
    related=("reserve-own", "reserve-open", "reserve-limit"),
)
RESERVE_OWN = _park(
    id="reserve-own",
    text="The parks in your reserve wait for you alone; any later Parks action can visit them.",
    related=("reserve", "visit-many"),
)
RESERVE_OPEN = _park(
    id="reserve-open",
    text="Reserved parks lie open for all to see.",
    status="inferred",
    is_checked_by_players=True,
    related=("reserve",),
)
RESERVE_LIMIT = _park(
    id="reserve-limit",
    text="No limit is given for the parks you have reserved. Your table decides.",
    status="open",
    related=("reserve",),
)
VISIT_MANY = _park(
    id="visit-many",
    text="With one Parks action you may visit any number of parks, from the display and from your reserve.",
    related=("park-cost", "parks-refill", "one-or-other"),
)
ONE_OR_OTHER = _park(
    id="one-or-other",
    text="A Parks action is for reserving or for visiting, not for both.",
    related=("reserve", "visit-many"),
)
PARK_COST = _park(
    id="park-cost",
    text="A visit costs the tokens on the card. The card then lies right of your board.",
    related=("wildlife-wild", "pay-back", "park-instant"),
)
PARK_INSTANT = _park(
    id="park-instant",
    text="What a visited park shows as its instant you get at once.",
    related=("instant-tokens", "instant-optional"),
)
INSTANT_TOKENS = _park(
    id="instant-tokens",
    text=(
        "Instants of the box are one or two Suns or Waters, a Wildlife, a canteen, the Shutterbug Badge and a roll of "
        "the Trail Die."
    ),
    book="box",
    page="“Parks”",
    related=("park-instant",),
)
INSTANT_OPTIONAL = _park(
    id="instant-optional",
    text="What you gain may pay for the next park of the same action.",
    status="inferred",
    related=("park-instant", "visit-many"),
)
PARKS_REFILL = _park(
    id="parks-refill",
    text="When your turn is over, the open parks slide right and new ones are drawn on the left.",
    related=("setup-displays", "park-once"),
)
PARK_ONCE = _park(
    id="park-once",
    text="Each of the 63 parks is in the box once. When the deck is empty, gaps in the display stay.",
    book="box",
    page="“Parks”",
    related=("components", "parks-refill"),
)

# Photos

PHOTO_PRICE = _photo(
    id="photo-price",
    text="A photo costs one token of any kind. It is worth a point at the end.",
    related=("score-photos", "second-photo"),
)
SHUTTERBUG_BADGE = _photo(
    id="shutterbug-badge",
    text="Stop on the Shutterbug's site and the badge is yours, whoever had it. The token stays there all season.",
    related=("setup-shutterbug", "second-photo"),
)
BADGE_BETWEEN = _photo(
    id="badge-between",
    text=(
        "When the Shutterbug is placed, its badge lies beside the board. Whether that goes for every season "
        "or only the "
        "first is not said. Your table decides."
    ),
    page="“Starting a Season”",
    status="open",
    related=("shutterbug-badge", "trail-again"),
)
SECOND_PHOTO = _photo(
    id="second-photo",
    text="With the badge you may pay a token for a second photo when you take one, once in a turn.",
    related=("shutterbug-badge", "end-photo-twice"),
)
PHOTO_FREE = _photo(
    id="photo-free",
    text="A photo that comes as a season's bonus is free and no trade, so gear that waits for a trade does not work.",
    status="inferred",
    related=("photo-price", "season-bonus"),
)

# Canteens

CANTEEN_GAIN = _canteen(
    id="canteen-gain",
    text="A new canteen is one of three open ones or the top of the stack. An open one is replaced at once.",
    related=("canteen-rows", "canteen-full"),
)
CANTEEN_ROWS = _canteen(
    id="canteen-rows",
    text="Your board has three rows for two canteens each. A new one goes to any free place.",
    related=("canteen-gain", "canteen-full"),
)
CANTEEN_FULL = _canteen(
    id="canteen-full",
    text="With six canteens you have no room for another.",
    status="inferred",
    related=("canteen-rows",),
)
CANTEEN_FILL = _canteen(
    id="canteen-fill",
    text="A Water can fill a row at the moment you gain it. From the backpack it cannot.",
    related=("canteen-row-once", "canteen-brings", "canteen-chain"),
)
CANTEEN_BRINGS = _canteen(
    id="canteen-brings",
    text="A filled row brings what its canteens show. One canteen is enough, an empty row cannot be filled.",
    related=("canteen-fill", "canteen-late"),
)
CANTEEN_ROW_ONCE = _canteen(
    id="canteen-row-once",
    text="Each row is filled once in a season.",
    related=("canteen-fill", "canteens-emptied"),
)
CANTEEN_LATE = _canteen(
    id="canteen-late",
    text="A canteen put into a row that is filled already brings nothing this season.",
    related=("canteen-brings",),
)
WATER_TOGETHER = _canteen(
    id="water-together",
    text="Water gained together finds its places together, before you do what the filled rows let you do.",
    status="inferred",
    related=("canteen-fill", "canteen-brings"),
)
CANTEEN_CHAIN = _canteen(
    id="canteen-chain",
    text="Water that a canteen or gear brings may fill another row.",
    status="inferred",
    related=("canteen-fill",),
)

# Gear

GEAR_MARKET = _gear(
    id="gear-market",
    text="A gear card of the market costs the suns on it.",
    related=("gear-deck", "gear-slides", "wildlife-wild"),
)
GEAR_DECK = _gear(
    id="gear-deck",
    text="The top card of the gear deck costs two suns, unseen.",
    related=("gear-market",),
)
GEAR_SLIDES = _gear(
    id="gear-slides",
    text="After a purchase from the market the others slide right and a new one comes on the left.",
    related=("gear-market", "gear-discard"),
)
GEAR_READY = _gear(
    id="gear-ready",
    text="Gear works from the moment you have it, in your turns and between seasons.",
    related=("gear-once", "gear-order"),
)
GEAR_ONCE = _gear(
    id="gear-once",
    text="Each gear card works once in a turn.",
    related=("gear-order",),
)
GEAR_ORDER = _gear(
    id="gear-order",
    text="After the action of the site, gear that has been set off is used in the order you like, or left.",
    related=("gear-once", "gear-chain", "gear-waits"),
)
GEAR_CHAIN = _gear(
    id="gear-chain",
    text="What one gear card does can set off another.",
    related=("gear-order",),
)
GEAR_WAITS = _gear(
    id="gear-waits",
    text=(
        "What gear brings comes only after the action that set it off, so it cannot pay for that action. "
        "What you cannot "
        "do yet waits until other gear has been used."
    ),
    status="inferred",
    related=("gear-order",),
)
GEAR_KINDS = _gear(
    id="gear-kinds",
    status="inferred",
    text=(
        "Gear works at the Sun, Water, Forest or Mountain site, on a trade for Wildlife or for a photo, on reserving, "
        "or on rolling the die."
    ),
    book="box",
    page="“Gear”",
    related=("gear-ready", "extra-roll"),
)
EXTRA_ROLL = _gear(
    id="extra-roll",
    status="inferred",
    text="The dearer Mystery Cache gives one more roll in a turn in which you roll the die.",
    book="box",
    page="“Gear”",
    related=("gear-kinds", "die-faces"),
)

# The Trail Die

DIE_FACES = _die(
    id="die-faces",
    text="The die shows a Forest, a Mountain, two Suns, two Waters, a Wildlife or a canteen. You gain that.",
    related=("die-site",),
)

# Passions

PASSION_GOAL = _passion(
    id="passion-goal",
    text="As soon as the goal of your passion is met in your turn, turn the card over.",
    related=("passion-side", "passion-same-turn"),
)
PASSION_SIDE = _passion(
    id="passion-side",
    text="You then choose its gear side, which works from now on, or its end side for points.",
    related=("passion-goal", "score-passion"),
)
PASSION_SAME_TURN = _passion(
    id="passion-same-turn",
    text="A gear side chosen in the middle of a turn works for what you do next in that turn.",
    related=("passion-side",),
)
PASSION_SHOWS = _passion(
    id="passion-shows",
    text="A park with a Sun is one whose cost shows at least one; Suns on parks are all those in the costs.",
    book="box",
    page="“Passions”",
    status="inferred",
    related=("passion-goal", "score-passion"),
)
PASSION_ONCE = _passion(
    id="passion-once",
    text=(
        "Whether a passion's gear side works once in a turn, as gear does, or every time is not said. Your table "
        "decides."
    ),
    status="open",
    related=("gear-once", "passion-less"),
)
PASSION_LESS = _passion(
    id="passion-less",
    status="inferred",
    text="Birdwatching, Kayaking, Forestry and Mountaineering make a park one Sun, Water, Forest or Mountain cheaper.",
    book="box",
    page="“Passions”",
    related=("passion-once", "park-cost"),
)
PASSION_SWAP = _passion(
    id="passion-swap",
    status="inferred",
    text="With Botany you may swap a Forest you gain for a Wildlife, with Rock Climbing a Mountain.",
    book="box",
    page="“Passions”",
    related=("passion-once",),
)
PASSION_ROLL = _passion(
    id="passion-roll",
    status="inferred",
    text="Adventure rolls the die when you visit a park with an instant, Swimming when you fill a canteen row.",
    book="box",
    page="“Passions”",
    related=("passion-once", "die-faces"),
)
PASSION_PHOTOS = _passion(
    id="passion-photos",
    status="inferred",
    text="With Wildlife a photo paid by a Wildlife brings two photos.",
    book="box",
    page="“Passions”",
    related=("passion-once", "photo-price"),
)
PASSION_FREE_GEAR = _passion(
    id="passion-free-gear",
    text="With Collecting gear is free. Whether that holds for the deck as well is not said, so your table decides.",
    book="box",
    page="“Passions”",
    status="open",
    related=("gear-market", "gear-deck"),
)
PASSION_KEPT = _passion(
    id="passion-kept",
    text=(
        "Where free gear works once in a turn you need not take the first card with it. You may pay for one and have a "
        "later one of that turn free."
    ),
    status="inferred",
    related=("passion-free-gear", "passion-once", "gear-order"),
)

# Trail End

END_CHOICE = _end(
    id="end-choice",
    text="At Trail End a hiker takes one of three spaces: Parks, Photo or Gear. You do what it shows.",
    related=("end-first-parks", "end-first-photo", "end-first-gear"),
)
END_CROWD = _end(
    id="end-crowd",
    text="Any number of hikers may stand on each space of Trail End, without a campfire.",
    related=("end-choice", "campfire-share"),
)
END_FIRST_PARKS = _end(
    id="end-first-parks",
    text="Come first to the Parks space in a season, and the First Hiker token is yours.",
    related=("end-choice", "first-hiker-starts"),
)
END_FIRST_PHOTO = _end(
    id="end-first-photo",
    text="Come first to the Photo space in a season, and you gain a Wildlife.",
    related=("end-choice", "end-first-when"),
)
END_FIRST_GEAR = _end(
    id="end-first-gear",
    text="Come first to the Gear space in a season, and you gain a Sun.",
    related=("end-choice", "end-first-when"),
)
END_FIRST_WHEN = _end(
    id="end-first-when",
    text="Whether what the first one gains may already pay for the action there is not said. Your table decides.",
    status="open",
    related=("end-first-photo", "end-first-gear"),
)
END_PHOTO_TWICE = _end(
    id="end-photo-twice",
    text=(
        "The Photo space works twice for whoever has the Shutterbug Badge. Whether that comes on top of the "
        "badge's own "
        "second photo is not said, so your table decides. The badge's own comes once in a turn: two hikers "
        "who go there "
        "in one turn can pay for three photos, or for five where it comes on top."
    ),
    status="open",
    related=("second-photo", "end-choice"),
)
CAMPFIRE_STAYS_OUT = _end(
    id="campfire-stays-out",
    text="Reaching Trail End does not light your campfire again.",
    related=("campfire-share", "campfire-relit"),
)

# End of a season

TURN_SKIPPED = _season(
    id="turn-skipped",
    text="Once both your hikers have arrived, the others play on without you until the next season.",
    related=("turn-order", "last-on-trail"),
)
LAST_ON_TRAIL = _season(
    id="last-on-trail",
    text=(
        "When only you have hikers on the Trail, they go straight to Trail End in your next turn, one after the other, "
        "and you act for each."
    ),
    related=("turn-skipped", "season-over"),
)
SEASON_OVER = _season(
    id="season-over",
    text="A season is over when all hikers are at Trail End.",
    related=("last-on-trail", "season-bonus"),
)
SEASON_BONUS = _season(
    id="season-bonus",
    text="At the end of Spring and Summer whoever has most of what the season's tile counts gets its bonus.",
    related=("season-kinds", "season-tie", "spring-counts", "fall-bonus"),
)
SEASON_KINDS = _season(
    id="season-kinds",
    status="inferred",
    text=(
        "Spring counts Suns, Waters, Forests or Mountains, for the top gear card, a canteen, a reserved park "
        "or a photo, "
        "all free. Summer counts suns on gear, Wildlife, canteens or instants on visited parks, for two rolls."
    ),
    book="box",
    page="“Season tiles”",
    related=("season-bonus",),
)
SEASON_NONE = _season(
    id="season-none",
    text="Nobody gets a season's bonus for having none of what is counted.",
    status="inferred",
    related=("season-bonus", "fall-bonus"),
)
SEASON_TIE = _season(
    id="season-tie",
    text="Who gets the bonus of Spring or Summer when several are level is not said. Your table decides.",
    status="open",
    related=("season-bonus", "fall-bonus"),
)
SPRING_COUNTS = _season(
    id="spring-counts",
    text="Where Spring counts, in the backpack or on visited parks, is not said. Your table decides.",
    book="box",
    page="“Season tiles”",
    status="open",
    related=("season-bonus",),
)
SUMMER_COUNTS = _season(
    id="summer-counts",
    text="Where Summer counts Wildlife, in the backpack or on visited parks, is not said either. Your table decides.",
    book="box",
    page="“Season tiles”",
    status="open",
    related=("season-bonus", "spring-counts"),
)
CANTEENS_EMPTIED = _season(
    id="canteens-emptied",
    text="Between seasons the Water in your canteens goes back to its tray.",
    related=("canteen-row-once",),
)
CAMPFIRE_RELIT = _season(
    id="campfire-relit",
    text="Between seasons everybody's campfire is lit again.",
    related=("campfire-share", "campfire-start"),
)
HIKERS_RETURN = _season(
    id="hikers-return",
    text="Between seasons all hikers go back to the Trailhead.",
    related=("hikers",),
)
TRAIL_AGAIN = _season(
    id="trail-again",
    text="Then the trail is laid anew: tiles, weather, and the Shutterbug by the die.",
    related=("setup-tiles", "setup-weather", "setup-shutterbug"),
)
WEATHER_LEFT = _season(
    id="weather-left",
    text="Weather nobody has taken goes back to the trays before new weather is laid.",
    status="inferred",
    related=("setup-weather", "trail-again"),
)
GEAR_DISCARD = _season(
    id="gear-discard",
    text="The rightmost gear card of the market leaves the game, the others slide right, a new one comes on the left.",
    related=("gear-slides",),
)

# Scoring

FALL_BONUS = _score(
    id="fall-bonus",
    text="Most of what the Fall tile counts on visited parks is worth 3 points. All who are level score them.",
    related=("season-none", "season-bonus"),
)
SCORE_PARKS = _score(
    id="score-parks",
    text="Every visited park counts its points. Those only reserved count nothing.",
    related=("tie-parks",),
)
SCORE_PHOTOS = _score(
    id="score-photos",
    text="Every photo is a point.",
    related=("photo-bonus", "photo-price"),
)
PHOTO_BONUS = _score(
    id="photo-bonus",
    text="Most photos are worth 3 more with two players. With three to five they are worth 4, and second most 2.",
    related=("photo-tie", "photo-none"),
)
PHOTO_TIE = _score(
    id="photo-tie",
    text="How level players share the photo bonus is not said. Your table decides.",
    status="open",
    related=("photo-bonus",),
)
PHOTO_NONE = _score(
    id="photo-none",
    text="Nobody gets a photo bonus without a photo.",
    status="inferred",
    related=("photo-bonus",),
)
SCORE_PASSION = _score(
    id="score-passion",
    text="A passion on its end side scores 1 point for each of what it names, or for each full two or three.",
    related=("passion-side", "passion-shows"),
)
FIRST_HIKER_POINT = _score(
    id="first-hiker-point",
    text="The First Hiker token is worth 1 point to whoever has it at the end.",
    related=("end-first-parks",),
)
WINNER = _score(
    id="winner",
    text="Most points wins.",
    related=("tie-parks", "tie-shared"),
)
TIE_PARKS = _score(
    id="tie-parks",
    text="Among those level, more visited parks win.",
    related=("winner", "tie-shared"),
)
TIE_SHARED = _score(
    id="tie-shared",
    text="Those level in parks too win together.",
    related=("tie-parks",),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}

# Open points: the first option is the default.

SUPPLY = Ruling(
    id="token-supply",
    question="What if a kind of token, or the photos, run out?",
    options=(
        Option("stand-ins", "You get them all: use anything at hand as extra tokens."),
        Option("limited", "You take what is there and go without the rest: 15 Forest, 15 Mountain, 30 Sun, 30 Water, "
               "14 Wildlife, 28 photos."),
    ),
    rule=TOKEN_SUPPLY,
)  # fmt: skip
BACKPACK_LIMIT = Ruling(
    id="backpack",
    question="How many tokens may be in a backpack when a turn ends?",
    options=(
        Option("any", "Any number."),
        Option("twelve", "Twelve, as in the first edition; the others are put back."),
    ),
    rule=BACKPACK,
)
FIRST_WEATHER = Ruling(
    id="weather-start",
    question="Which weather token lies on the second site?",
    options=(Option("sun", "A Sun."), Option("water", "A Water.")),
    rule=WEATHER_START,
)
PARKS_WEATHER = Ruling(
    id="weather-parks",
    question="Does the Parks site get a weather token?",
    options=(Option("yes", "Yes: every site from the second on."), Option("no", "No: only the tiles do.")),
    rule=WEATHER_PARKS,
)
TRADE_WILDLIFE = Ruling(
    id="wildlife-trade",
    question="May a Wildlife be traded for a Wildlife?",
    options=(Option("no", "No: another token is traded."), Option("yes", "Yes: any token will do.")),
    rule=WILDLIFE_TRADE,
)
RESERVED_PARKS = Ruling(
    id="reserve-limit",
    question="How many parks may wait in a reserve?",
    options=(Option("any", "Any number."), Option("three", "Three at most.")),
    rule=RESERVE_LIMIT,
)
PASSION_USES = Ruling(
    id="passion-once",
    question="How often does a passion's gear side work?",
    options=(
        Option("once", "Once in a turn, as gear does: the first time it fits."),
        Option("always", "Every time it fits."),
    ),
    rule=PASSION_ONCE,
)
FREE_GEAR = Ruling(
    id="free-gear",
    question="Which gear is free with Collecting?",
    options=(Option("all", "All of it, from the market or the deck."), Option("market", "Only that of the market.")),
    rule=PASSION_FREE_GEAR,
)
END_FIRST = Ruling(
    id="end-first-when",
    question="When does the first visitor of a Trail End space gain the bonus?",
    options=(
        Option("before", "On arrival, so that it can pay for the action."),
        Option("after", "After the action of the space."),
    ),
    rule=END_FIRST_WHEN,
)
END_TWICE = Ruling(
    id="end-photo-twice",
    question="How many photos can the Shutterbug Badge bring at the Photo space of Trail End?",
    options=(
        Option(
            "two",
            "Two, once in a turn: to act twice there is the badge's second photo.",
            "With both hikers there in one turn: three.",
        ),
        Option(
            "three",
            "Three: the space works twice, and the badge gives its second photo besides.",
            "With both hikers there in one turn: five.",
        ),
    ),
    rule=END_PHOTO_TWICE,
)
SEASON_LEVEL = Ruling(
    id="season-tie",
    question="Who gets the bonus of Spring or Summer when several are level?",
    options=(Option("all", "All of them, in turn order, as for Fall."), Option("nobody", "Nobody.")),
    rule=SEASON_TIE,
)
SPRING_WHERE = Ruling(
    id="spring-counts",
    question="What does the Spring tile count?",
    options=(
        Option("backpack", "The tokens in the backpacks."),
        Option("parks", "The tokens in the costs of visited parks."),
    ),
    rule=SPRING_COUNTS,
)
SUMMER_WHERE = Ruling(
    id="summer-counts",
    question="Where does the Summer tile count Wildlife?",
    options=(Option("backpack", "In the backpacks."), Option("parks", "In the costs of visited parks.")),
    rule=SUMMER_COUNTS,
)
WEATHER_TIME = Ruling(
    id="weather-when",
    question="When do you take the weather of a site?",
    options=(Option("before", "On arrival, before the action."), Option("after", "After the action.")),
    rule=WEATHER_WHEN,
)
BADGE_LATER = Ruling(
    id="badge-between",
    question="What becomes of the Shutterbug Badge between seasons?",
    options=(Option("stays", "It stays with whoever has it."), Option("returns", "It goes back beside the board.")),
    rule=BADGE_BETWEEN,
)
PHOTO_LEVEL = Ruling(
    id="photo-tie",
    question="What do players get who are level for the photo bonus?",
    options=(
        Option("full", "All of them take it in full; the next number of photos still takes the second bonus."),
        Option("no-second", "All of them take it in full; after several first ones nobody is second."),
    ),
    rule=PHOTO_TIE,
)

RULINGS: tuple[Ruling, ...] = tuple(ruling for ruling in tuple(vars().values()) if isinstance(ruling, Ruling))
