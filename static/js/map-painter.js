// The page that paints an ALPINE TRAILS map, finished or in the middle of a game: a finger draws the trails and paints the terrains.
"use strict";
{
  const byId = (id) => document.getElementById(id);
  const page = byId("map-painter"), canvas = byId("painted-map"), keys = byId("painter-keys"), sheet = byId("painter-sheet");
  const { mapName, backUrl, paintUrl, draftUrl, token, tap, shapes } = page.dataset;
  const [rulings, drawnTiles, isSolo] = [JSON.parse(page.dataset.rulings), Number(page.dataset.drawnTiles), page.dataset.solo !== undefined];
  const knownAnimals = JSON.parse(page.dataset.animals);
  // What depends on the move that enters the map.
  const USE = {
    "put-map": { // a finished map
      move: () => ({ tiles: map.tiles(), ...(map.goal ? { goal: map.goal } : {}) }),
      asksGoal: true,
      nextPath: () => map.nextPath(rulings),
      toMeasure: () => map.cellsToMeasure(rulings).length,
      measured: "No other path can be longer.",
      end: "lake", shared: "These trails share a lake.",
      trailTip: "Draw each trail into its lake",
      enter: "Score", check: "Is your map complete?", confirm: "Score this map",
    },
    "enter-map": { // in the middle of a game: trails have open ends, and each secret goal stays with its player
      move: () => ({ player: Number(page.dataset.player), tiles: map.tiles().filter(({ kind }) => kind !== "lake") }),
      asksGoal: false,
      nextPath: () => map.nextTiles(),
      toMeasure: () => map.nextTiles()?.unknown.length,
      measured: "All miles are entered.",
      end: "open end", endPicture: TilePictures.openEnd,
      shared: "These trails lead to the same square.",
      trailTip: "Draw each trail into a free square",
      enter: page.dataset.asksTable === undefined ? `Enter ${mapName}` : `Ask the table to enter ${mapName}`,
      check: "Is the map complete?", confirm: `Enter ${mapName}`,
    },
  }[page.dataset.move];

  let map = new PaintedMap();
  let past = []; // earlier maps as JSON, the latest last
  let brush = "trail"; // "trail", a terrain, "campsite", "waterfall", "animal", "icons" or "erase"
  let isMeasuring = false; // miles are being entered
  let homeCell = null; // the tile whose animal is being chosen
  let isEntered = false; // the map on the server is this one
  let news = ["", false]; // a sentence, and whether it is a warning
  let wrongCells = []; // highlighted until the next touch
  const say = (text, isWarning = false) => (news = [text, isWarning]);
  const isTerrain = (name) => TERRAINS.includes(name);

  // ---- The draft: saved on the phone at each touch, and on the server soon after --------------------------------------
  const MAX_PAST = 150; // maps that undo can go back to
  const SAVE_DELAY = 1200; // ms after the last touch
  const MAX_SENT = 5; // texts remembered while no answer arrives
  let revision = 0; // of the draft on the server that this one is based on
  let isUnsaved = false; // it has changed since
  let sentTexts = []; // drafts that the server may have, since its last answer
  let saveTimer = null; // of the next save
  let lastSave = Promise.resolve(); // settles when the latest save has its answer
  let isSending = false; // a save has no answer yet
  const storageKey = `map ${paintUrl}`;
  function readStorage() {
    try {
      return JSON.parse(localStorage.getItem(storageKey));
    } catch {
      return null; // storage is not available
    }
  }
  function store() {
    try {
      localStorage.setItem(storageKey, JSON.stringify({ map, past, brush, revision, isUnsaved, sentTexts, isEntered }));
    } catch { /* storage is not available or full: the server has the draft */ }
  }
  function keep() { // after a change of the map
    [isUnsaved, isEntered] = [true, false];
    store();
    clearTimeout(saveTimer);
    saveTimer = setTimeout(saveDraft, SAVE_DELAY);
  }
  const post = (url, fields, options = {}) =>
    fetch(url, { method: "POST", headers: { "X-CSRFToken": token }, body: new URLSearchParams(fields), ...options });
  const draftText = (draft) => JSON.stringify({ map: draft.map, isEntered: draft.isEntered });
  // Save after the latest save has its answer: two at the same time would be based on the same revision.
  function saveDraft() {
    clearTimeout(saveTimer);
    return (lastSave = lastSave.then(sendDraft));
  }
  async function sendDraft() {
    if (!isUnsaved) return;
    const text = draftToSend();
    let delay = 5 * SAVE_DELAY;
    isSending = true;
    try {
      const response = await post(draftUrl, { revision, text }), answer = await response.json();
      const isOwn = sentTexts.includes(answer.text); // saved by an earlier request, whose answer was lost
      if (response.status === 409 && !isOwn) askWhichDraft(answer);
      else if (response.ok || isOwn) {
        [revision, isUnsaved, sentTexts] = [answer.revision, (answer.text ?? text) !== draftText({ map, isEntered }), []];
        delay = SAVE_DELAY;
      }
    } catch {
      say("No connection. Your map is saved on this phone.", true);
      draw();
    }
    isSending = false;
    store();
    if (isUnsaved && !sheet.open) saveTimer = setTimeout(saveDraft, delay);
  }
  function draftToSend() { // and remember it, to recognize it on the server
    const text = draftText({ map, isEntered });
    sentTexts = [...sentTexts, text].slice(-MAX_SENT);
    store();
    return text;
  }
  window.addEventListener("online", saveDraft);
  window.addEventListener("pagehide", () => { // a save that is on its way arrives first
    if (isUnsaved) post(draftUrl, { revision: revision + (isSending ? 1 : 0), text: draftToSend() }, { keepalive: true }).catch(() => {});
  });

  // Another tab, or another phone that has had this seat, has changed the map since.
  function askWhichDraft(other) {
    const count = pluralize(new PaintedMap(JSON.parse(other.text).map).usedTiles, "tile");
    openSheet("This map was changed elsewhere", [`The other map has ${count}. This one has ${map.usedTiles}.`], [
      ["Use the other map", () => ((revision = other.revision), (isUnsaved = false), change(() => (map = new PaintedMap(JSON.parse(other.text).map))))],
      ["Keep this map", () => ((revision = other.revision), keep())],
    ]);
  }

  // Take the newest of: this phone's draft, the server's draft, the map that is entered.
  function load() {
    const local = readStorage(), server = { revision: Number(page.dataset.revision), text: page.dataset.draft };
    const tiles = JSON.parse(page.dataset.tiles), goal = JSON.parse(page.dataset.goal);
    const fromDraft = (draft) => ((map = new PaintedMap(draft.map)), (isEntered = draft.isEntered ?? false));
    revision = server.revision;
    let conflict = null;
    const isLocalSaved = local && draftText(local) === server.text;
    if (local && (isLocalSaved || local.isUnsaved || local.revision === server.revision)) {
      fromDraft(local);
      [past, brush, isUnsaved] = [local.past, local.brush, local.isUnsaved && !isLocalSaved];
      sentTexts = local.sentTexts ?? [];
      const isKnown = local.revision === server.revision || sentTexts.includes(server.text);
      if (isUnsaved && !isKnown) [conflict, revision] = [server, local.revision];
    } else if (server.text) fromDraft(JSON.parse(server.text));
    const hasDraft = map.base !== null;
    if (tiles.length && (!hasDraft || (isEntered && !isSame(PaintedMap.fromTiles(tiles, goal))))) {
      if (hasDraft) past.push(JSON.stringify(map));
      map = PaintedMap.fromTiles(tiles, goal);
      isEntered = true;
    }
    map.animals = { ...knownAnimals, ...map.animals };
    if (conflict) askWhichDraft(conflict);
    else if (isUnsaved) saveDraft();
  }
  const tilesText = (painted) => JSON.stringify([painted.tiles().map((tile) => JSON.stringify(tile, Object.keys(tile).sort())).sort(), painted.goal ?? null]);
  const isSame = (other) => tilesText(map) === tilesText(other);

  // Change the map by a function, so that undo can take the change back.
  function change(edit) {
    const before = JSON.stringify(map);
    edit();
    removeEmptyPaint();
    if (JSON.stringify(map) === before) return;
    past = [...past, before].slice(-MAX_PAST);
    keep();
  }
  function removeEmptyPaint() {
    for (const [cell, paint] of Object.entries(map.cells)) {
      for (const [name, value] of Object.entries(paint)) if (value === false || value === undefined) delete paint[name];
      if (!Object.keys(paint).length) delete map.cells[cell];
    }
  }
  function undo() {
    if (!past.length) return;
    map = new PaintedMap(JSON.parse(past.pop()));
    isMeasuring &&= Boolean(USE.nextPath());
    homeCell = null;
    keep();
    say("Undone.");
    draw();
  }

  // ---- What the page asks for next ------------------------------------------------------------------------------------
  function nextStep() {
    const [gap] = map.gaps(), toMeasure = USE.toMeasure();
    if (!map.base) return null;
    if (gap) return { label: `Show ${gap.text}`, run: () => showGap(gap), isGap: true };
    if (toMeasure) return { label: `Next: miles of ${pluralize(toMeasure, "tile")}`, run: startMeasuring };
    if (USE.asksGoal && map.goal === undefined) return { label: "Next: goal card", run: openGoals };
    return { label: USE.enter, run: () => enter() };
  }
  function showGap({ cells, advice }) {
    wrongCells = cells;
    view.lastCell = cells[0];
    say(advice, true);
    const needsTerrain = !map.terrain(cells[0]) && map.kind(cells[0]) === "trail";
    if (needsTerrain && !isTerrain(brush)) brush = "forest";
    if (!needsTerrain) brush = "trail";
    view.isMovedByUser = false;
    draw();
  }
  function startMeasuring() {
    isMeasuring = true;
    say("");
    askMiles();
  }
  function askMiles() {
    view.lastCell = USE.nextPath().unknown[0]; // it comes into sight
    draw();
  }
  function enterMiles(miles) {
    const { unknown } = USE.nextPath();
    change(() => (map.edit(unknown[0]).miles = miles));
    continueMeasuring();
  }
  function continueMeasuring() {
    if (USE.nextPath()) return askMiles();
    isMeasuring = false;
    say(USE.measured);
    draw();
    if (USE.asksGoal) nextStep().run();
  }
  async function enter(isConfirmed = false) {
    const move = JSON.stringify({ type: page.dataset.move, ...USE.move() });
    say("Entering your map…");
    draw();
    try {
      const response = await post(paintUrl, { move, tap, ...(isConfirmed ? { confirmed: 1 } : {}) });
      const answer = await response.json();
      if (answer.questions) askQuestions(answer.questions);
      else if (answer.next || answer.refusals.every(({ code }) => code === "no-change")) await leave(answer.next ?? backUrl);
      else showRefusals(answer.refusals);
    } catch {
      say("No answer. Your map is saved on this phone. Try again.", true);
    }
    draw();
  }
  async function leave(address) {
    [isEntered, isUnsaved] = [true, true];
    store();
    await saveDraft();
    location.assign(address);
  }
  function askQuestions(questions) {
    say("");
    openSheet(USE.check, questions, [[USE.confirm, () => enter(true)], ["Back to the map", () => {}]]);
  }
  function showRefusals(refusals) {
    wrongCells = refusals.flatMap(({ marks }) => marks ?? []);
    if (wrongCells.length) view.lastCell = wrongCells[0];
    say(refusals[0].text, true);
  }

  // ---- The sheet over the page: questions, goal cards, the menu --------------------------------------------------------
  function openSheet(title, texts, buttons) {
    const make = (tag, text, className = "") => Object.assign(document.createElement(tag), { textContent: text, className });
    const content = byId("sheet-content");
    content.replaceChildren(make("h2", title), ...texts.map((text) => make("p", text)));
    for (const [number, [label]] of buttons.entries()) {
      const button = Object.assign(make("button", label, `button full${number ? " secondary" : ""}`), { type: "button", value: number });
      button.dataset.key = "choose";
      content.append(button);
    }
    sheetActions = buttons.map(([, run]) => run);
    showSheet(content);
  }
  let sheetActions = []; // what the buttons of the sheet do
  function showSheet(content) {
    for (const part of sheet.children) part.hidden = part !== content;
    if (!sheet.open) sheet.showModal();
  }
  const openGoals = () => {
    for (const button of byId("goal-cards").querySelectorAll("button")) button.setAttribute("aria-pressed", button.value === goalText());
    showSheet(byId("goal-cards"));
  };
  const goalText = () => (map.goal === undefined ? "" : JSON.stringify(map.goal));
  function chooseGoal(text) {
    change(() => (map.goal = JSON.parse(text)));
    if (map.base && !map.gaps().length && USE.nextPath()) {
      startMeasuring();
      say("A path of the same length may have more icons.");
    } else if (wasAsked) nextStep()?.run();
  }
  let wasAsked = false; // the goal card is the next step, not a change from the menu
  sheet.addEventListener("close", () => draw());
  function openMenu() {
    byId("hide-photo").hidden = !photo.isShown;
    showSheet(byId("menu-content"));
  }
  const MENU = {
    goal: () => ((wasAsked = false), openGoals()),
    turn: () => change(() => map.turnBase() || say("A tile is in the way. Erase it first.", true)),
    photo: () => byId("photo-file").click(),
    "no-photo": () => photo.remove(),
    again: () => (change(() => (map = new PaintedMap({ animals: map.animals }))), (brush = "trail"), say("Undo brings your map back.")),
  };
  // ---- The picture -----------------------------------------------------------------------------------------------------
  const view = new MapView(canvas), pictures = new TilePictures(shapes, USE.endPicture);
  const square = (cell, className) => {
    const [x, y] = position(cell);
    return `<path class="${className}" d="M${100 * x + 4} ${100 * y + 4}h92v92h-92z"/>`;
  };
  let drawnTilesText = ""; // the tiles that are in the picture
  function draw() {
    if (!stroke && !isTouched()) view.fit(map);
    const transform = `translate(${view.left} ${view.top}) scale(${view.size / 100})`;
    for (const layer of canvas.querySelectorAll(".layer")) layer.setAttribute("transform", transform);
    byId("grid-pattern").setAttribute("patternTransform", transform);
    const text = JSON.stringify([map.cells, map.joins, map.base, map.isUpright]);
    if (text !== drawnTilesText) {
      drawnTilesText = text;
      byId("painted-tiles").innerHTML = map.occupied.map((cell) => {
        const [x, y] = position(cell);
        return `<g data-cell="${cell}" transform="translate(${100 * x} ${100 * y})">${pictures.tile(map, cell)}</g>`;
      }).join("");
    }
    const measured = isMeasuring && USE.nextPath();
    byId("painted-marks").innerHTML = [
      ...wrongCells.map((cell) => square(cell, "wrong")),
      ...(measured ? measured.cells.map((cell) => square(cell, cell === measured.unknown[0] ? "asked" : "on-path")) : []),
      ...(homeCell ? [square(homeCell, "asked")] : []),
      stroke && ["trail", "erase"].includes(brush) && stroke.line.length > 1 ? `<path class="line ${brush}" d="${linePath(stroke.line)}"/>` : "",
      stroke ? square(stroke.line.at(-1), "touched") : "",
    ].join("");
    photo.place();
    drawKeys();
  }
  const linePath = (line) => line.map((cell, number) => `${number ? "L" : "M"}${position(cell).map((value) => 100 * value + 50).join(" ")}`).join("");

  // ---- The keys --------------------------------------------------------------------------------------------------------
  const TIPS = {
    trail: USE.trailTip, campsite: "Tap each campsite", waterfall: "Tap each waterfall", animal: "Tap each tile with an animal",
    icons: "Tap a tile to change its icons", erase: "Tap a tile, or cross out a trail",
  };
  function keyRow() {
    if (photo.isFitting) return "photo-keys";
    if (!map.base) return "base-keys";
    if (homeCell) return "animal-keys";
    return isMeasuring ? "miles-keys" : "brush-keys";
  }
  function heading() {
    if (photo.isFitting) return photo.heading;
    if (!map.base) return "Base camp: which terrain?";
    if (homeCell) return `Which animal lives in ${map.terrain(homeCell)}?`;
    if (isMeasuring) return "Miles of the marked tile?";
    return view.isOverview ? "Tap where you want to paint" : TIPS[brush] ?? `Tap or swipe over each ${brush} tile`;
  }
  function drawKeys() {
    const row = keyRow(), step = nextStep();
    byId("painter-heading").textContent = heading();
    for (const each of keys.children) each.hidden = each.id !== row;
    for (const key of keys.querySelectorAll("[data-brush]")) key.setAttribute("aria-pressed", key.dataset.brush === brush);
    for (const key of keys.querySelectorAll("[data-animal]")) key.hidden = Object.values(map.animals).includes(key.dataset.animal);
    byId("turn-base").textContent = map.isUpright ? "It lies flat" : "It stands upright";
    const [text, isWarning] = news, tents = map.ofKind("campsite").length;
    const tiles = `${drawnTiles ? `${map.usedTiles} of ` : ""}${pluralize(drawnTiles || map.usedTiles, "tile")}`;
    const counts = `${tiles}, ${pluralize(map.ofKind("lake").length, USE.end)}, ${pluralize(tents, "tent")}`;
    byId("painter-news").textContent = text || (map.base ? counts : byId("map-title").textContent);
    byId("painter-news").classList.toggle("warning", isWarning);
    const next = byId("next-step");
    next.hidden = photo.isFitting ? false : !step || isMeasuring || Boolean(homeCell);
    next.textContent = photo.isFitting ? photo.nextLabel : step?.label ?? "";
    next.classList.toggle("secondary", Boolean(step?.isGap));
    byId("undo-paint").disabled = !past.length;
    byId("whole-map").setAttribute("aria-pressed", view.isOverview);
    page.dataset.state = keyRow(); // for styles and tests
  }
  // A key acts when the finger lifts. A click can come too late for the next quick stroke, and to what has appeared since.
  let pressed = null;
  page.addEventListener("pointerdown", ({ target }) => (pressed = target.closest("[data-key]") ?? target));
  page.addEventListener("pointerup", (event) => {
    const target = document.elementFromPoint(event.clientX, event.clientY), key = target?.closest("[data-key]");
    if (key && key === pressed && !key.disabled) press(key);
    else if (target === sheet && target === pressed) sheet.close();
    pressed = null;
  });
  page.addEventListener("click", (event) => { // the keyboard, or a screen reader
    const key = event.target.closest("[data-key]");
    if (key && event.detail === 0) press(key);
  });
  function press(key) {
    const { brush: newBrush, base, miles, animal, key: action } = key.dataset;
    lastTap.at = -REPEAT; // the next tap on the map is no bounce
    say("");
    wrongCells = [];
    if (newBrush) brush = newBrush;
    else if (base) change(() => ((map.base = [base, base]), (brush = "trail")));
    else if (miles) return enterMiles(Number(miles));
    else if (animal) {
      const cell = homeCell;
      homeCell = null;
      change(() => map.toggleAnimal(cell, animal, isSolo));
    } else ACTIONS[action]?.(key);
    draw();
  }
  const ACTIONS = {
    undo,
    next: () => (photo.isFitting ? photo.next() : ((wasAsked = true), nextStep().run())),
    turn: () => change(() => map.turnBase()),
    stop: () => ([isMeasuring, homeCell] = [false, null]),
    photo: (key) => photo.resize(key.value),
    overview: () => view.setOverview(!view.isOverview),
    menu: openMenu,
    choose: (key) => (sheet.close(), sheetActions[key.value]()),
    goal: (key) => (sheet.close(), chooseGoal(key.value)),
    option: (key) => (sheet.close(), MENU[key.value]?.()),
  };

  // ---- Touches: one finger draws, two move the map ---------------------------------------------------------------------
  const BEYOND = 0.2; // of a cell: how far a finger must be beyond a border to enter the next cell
  const REPEAT = 350; // ms in which a second tap at the same place is a bounce
  const fingers = new Map(); // the position of each finger on the map
  let stroke = null; // the touch under way: its cells, the map before it, the last position
  let pinch = null; // two fingers: their distance, their middle, and the view when they began
  let lastTap = { at: -REPEAT, place: [0, 0] }; // its time, and its place in the window
  const isTouched = () => fingers.size > 0;

  function touchDown(event) {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 2) {
      if (stroke) map = new PaintedMap(JSON.parse(stroke.before));
      stroke = null;
      const [one, other] = [...fingers.values()];
      pinch = { distance: distance(one, other), middle: middle(one, other), view: { ...view } };
    } else if (fingers.size === 1 && map.base && !homeCell) {
      [wrongCells, news] = [[], ["", false]];
      const cell = view.cellUnder(event.clientX, event.clientY);
      stroke = { id: event.pointerId, line: [cell], cell, at: view.toGrid(event.clientX, event.clientY), before: JSON.stringify(map) };
    }
    draw();
  }
  const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const middle = (one, other) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];

  function touchMove(event) {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pinch && fingers.size >= 2) return moveView();
    if (!stroke || stroke.id !== event.pointerId) return;
    if (isLineBrush()) {
      const events = event.getCoalescedEvents?.() ?? [];
      for (const each of events.length ? events : [event]) follow(each.clientX, each.clientY);
    } else stroke.line = [view.cellUnder(event.clientX, event.clientY)];
    draw();
  }
  const isLineBrush = () => !isMeasuring && !view.isOverview && (isTerrain(brush) || ["trail", "erase"].includes(brush));

  // Follow a finger from cell to cell. It crosses borders one at a time, so that a corner that is cut gives no diagonal.
  const STEP = 0.08; // of a cell
  function follow(clientX, clientY) {
    const [toX, toY] = view.toGrid(clientX, clientY), [fromX, fromY] = stroke.at;
    const steps = Math.max(1, Math.ceil(Math.hypot(toX - fromX, toY - fromY) / STEP));
    for (let step = 1; step <= steps; step++) {
      const x = fromX + ((toX - fromX) * step) / steps, y = fromY + ((toY - fromY) * step) / steps, [column, row] = position(stroke.cell);
      const across = x < column - BEYOND ? x - column : x > column + 1 + BEYOND ? x - column - 1 : 0;
      const down = y < row - BEYOND ? y - row : y > row + 1 + BEYOND ? y - row - 1 : 0;
      if (!across && !down) continue;
      enterCell(Math.abs(across) >= Math.abs(down) ? cellAt(column + Math.sign(across), row) : cellAt(column, row + Math.sign(down)));
    }
    stroke.at = [toX, toY];
  }
  function enterCell(cell) {
    const { line } = stroke;
    if (isTerrain(brush) && line.length === 1) map.paintTerrain(line[0], brush, true);
    stroke.cell = cell;
    if (!isTerrain(brush) && line.at(-2) === cell) line.pop(); // going straight back takes the line back
    else line.push(cell);
    if (isTerrain(brush)) map.paintTerrain(cell, brush, true);
  }

  function touchUp(event) {
    fingers.delete(event.pointerId);
    if (!fingers.size) pinch = null;
    if (!stroke || stroke.id !== event.pointerId) return fingers.size || draw();
    const { line, before } = stroke, isTap = line.length === 1;
    stroke = null;
    if (event.type === "pointercancel") map = new PaintedMap(JSON.parse(before));
    else if (view.isOverview) zoomTo(line.at(-1));
    else {
      const painted = JSON.stringify(map);
      map = new PaintedMap(JSON.parse(before));
      change(() => {
        if (isTerrain(brush) && !isTap) map = new PaintedMap(JSON.parse(painted));
        else if (isTap) tapCell(line[0], [event.clientX, event.clientY]);
        else if (brush === "trail") drawTrail(line);
        else if (brush === "erase") for (const [number, cell] of line.slice(1).entries()) map.cut(line[number], cell);
      });
      view.lastCell = line.at(-1);
      if (JSON.stringify(map) !== before) view.isMovedByUser = false;
      if (isMeasuring) return continueMeasuring();
    }
    draw();
  }
  function drawTrail(line) {
    map.drawTrail(line);
    if (line.some((cell) => map.at(cell).piece === "waterfall")) say("This line runs into a waterfall.", true);
    else if (map.kind(line.at(-1)) === "lake" && map.exits(line.at(-1)).length > 1) say(USE.shared);
  }
  function zoomTo(cell) {
    view.setOverview(false);
    view.lastCell = cell;
  }

  const isBounce = (place) => distance(place, lastTap.place) < MapView.MIN_CELL / 2 && performance.now() - lastTap.at < REPEAT;
  function tapCell(cell, place) {
    const kind = map.kind(cell), isRepeated = isBounce(place);
    lastTap = { at: performance.now(), place };
    if (isRepeated) return;
    if (isMeasuring) return kind === "trail" ? map.nextMiles(cell) : undefined;
    (isTerrain(brush) ? TAPS.terrain : TAPS[brush])(cell, kind);
  }
  const TAPS = { // what a tap does with each brush
    terrain(cell, kind) {
      if (kind === "lake") say(map.exits(cell).length > 1 ? `No ${USE.end}, but a trail through this square.` : `No ${USE.end} here. Draw the trail on.`, true);
      if (kind === "terrain" && map.terrain(cell) === brush) map.clear(cell);
      else map.paintTerrain(cell, brush, false);
    },
    campsite: (cell, kind) => (kind === "base" ? say("Base camp is here.", true) : map.togglePiece(cell, "campsite")),
    waterfall: (cell, kind) => (kind === "base" ? say("Base camp is here.", true) : map.togglePiece(cell, "waterfall")),
    animal(cell, kind) {
      const animal = map.animals[map.terrain(cell)], left = ANIMALS.filter((each) => !Object.values(map.animals).includes(each));
      if (kind !== "terrain") say("Animals live on terrain tiles.", true);
      else if (animal || left.length === 1) map.toggleAnimal(cell, animal ?? left[0], isSolo);
      else homeCell = cell;
    },
    icons: (cell, kind) => (["trail", "base"].includes(kind) ? map.nextIcons(cell) : say("A terrain tile has 2 icons.", true)),
    erase: (cell, kind) => (kind === "base" ? say("Base camp stays. Turn it in the menu.", true) : map.clear(cell)),
    trail(cell, kind) {
      if (map.exits(cell) && ["lake", "trail", "stub"].includes(kind) && !map.terrain(cell)) map.toggleLake(cell);
      else if (kind === "trail" && map.at(cell).miles) map.nextMiles(cell);
      const text = map.kind(cell) === "lake" ? `${USE.end} ${map.location(cell)}` : map.describe(cell);
      if (map.kind(cell)) say(`${text[0].toUpperCase()}${text.slice(1)}.`);
    },
  };

  function moveView() {
    const [one, other] = [...fingers.values()];
    view.pinch(pinch.view, distance(one, other) / pinch.distance, pinch.middle, middle(one, other));
    draw();
  }
  canvas.addEventListener("pointerdown", (event) => photo.isFitting || touchDown(event));
  canvas.addEventListener("pointermove", touchMove);
  for (const type of ["pointerup", "pointercancel"]) canvas.addEventListener(type, touchUp);
  canvas.addEventListener("wheel", (event) => { // a mouse has no second finger
    event.preventDefault();
    view.moveBy(-event.deltaX, -event.deltaY);
    draw();
  }, { passive: false });
  window.addEventListener("resize", draw);

  const photo = new MapPhoto({ canvas, file: byId("photo-file"), view, draw });
  window.painter = { // for tests
    view, rulings, change, isBounce,
    get map() { return map; }, get nextPath() { return USE.nextPath(); }, get isSaved() { return !isUnsaved; },
  };
  load();
  draw();
}
