// The interactive map: a tile is placed and turned on the phone, and sent only when it is confirmed.
"use strict";
{
  const view = () => document.getElementById("map-view");
  const picture = () => view()?.querySelector("svg");
  const pad = () => document.querySelector("form.tile-keys");
  const bar = () => document.querySelector(".tile-placement .confirm-bar");
  const within = (element) => picture()?.contains(element);

  // ---- The map: zooms to where a tile may go, until the user moves it --------------------------------------------------
  const CELL = 56; // px of a cell as the server draws it
  const THUMB_CELL = 40, MIN_CELL = 18, MAX_CELL = 200; // px of a cell: large enough for a thumb; minimum; maximum
  const LARGE_CELL = 64; // px of a cell when there is room for more
  let zoom = 1;
  let shownSeat = null, shownArea = ""; // the seat whose map is shown, and the area that was made visible
  let isMovedByUser = false; // the map then stays as it is until the next tile

  const side = () => CELL * zoom;
  const origin = (svg) => [Number(svg.dataset.x), Number(svg.dataset.y)];

  // The margin lets every cell be scrolled to every position, so that the map stays where it is when its window changes.
  function size(svg) {
    svg.style.width = `${svg.dataset.w * side()}px`;
    svg.style.height = `${svg.dataset.h * side()}px`;
    svg.style.margin = `${view().clientHeight}px ${view().clientWidth}px`;
  }

  // Convert a position in the window to map cells, or scroll a cell to a position in the window.
  function cellAt(clientX, clientY) {
    const box = picture().getBoundingClientRect(), [x, y] = origin(picture());
    return [x + (clientX - box.left) / side(), y + (clientY - box.top) / side()];
  }
  function scrollCellTo(cell, clientX, clientY) {
    const [x, y] = cellAt(clientX, clientY);
    view().scrollLeft += (cell[0] - x) * side();
    view().scrollTop += (cell[1] - y) * side();
  }
  function viewCenter() {
    const box = view().getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }
  let anchor = null; // a cell and its position in the window during a swap, so that no cell moves under a finger

  // Return the whole map and the area that must be visible, in cells: where a tile may go now, or the whole map if none may.
  function areas() {
    const [x, y] = origin(picture()), all = [x, y, x + Number(picture().dataset.w), y + Number(picture().dataset.h)];
    const isPlacing = buildsLocally() && (selected.key || pad().querySelector(".key")); // if not, any tile may be picked, or only looked at
    const cells = isPlacing ? spots().filter((spot) => spot.matches(".fits, .selected")) : [];
    if (!cells.length) return { all, visible: [all[0] - 0.1, all[1] - 0.1, all[2] + 0.1, all[3] + 0.1] };
    const xs = cells.map((spot) => cellOf(spot)[0]), ys = cells.map((spot) => cellOf(spot)[1]);
    return { all, visible: [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1] };
  }
  // The bar lies over the lower edge of the map; the map is fitted to the area above it, so that it need not move when the bar appears.
  const BAR = 48; // px
  const EDGE = 4; // px between a cell and what is above the map
  const isBarOverMap = () => Boolean(bar()) && getComputedStyle(bar()).position === "absolute";
  const freeHeight = () => view().clientHeight - EDGE - (isBarOverMap() ? bar().offsetHeight || BAR : 0);
  const cellSizeFor = ([x0, y0, x1, y1]) => Math.min(LARGE_CELL, view().clientWidth / (x1 - x0), freeHeight() / (y1 - y0));

  function fit() {
    const { all, visible } = areas();
    const shown = cellSizeFor(all) >= THUMB_CELL || cellSizeFor(all) >= cellSizeFor(visible) - 1 ? all : visible; // the whole map, if its cells are large enough to tap
    zoom = Math.max(MIN_CELL, Math.min(cellSizeFor(shown), shown === all ? LARGE_CELL : Math.max(THUMB_CELL, cellSizeFor(shown) * 0.9))) / CELL;
    size(picture());
    const [x, y] = viewCenter(), height = view().clientHeight, spare = height - (shown[3] - shown[1]) * side();
    const reserved = Math.max(0, Math.min(height - freeHeight(), spare)); // for the bar, unless the map needs it
    scrollCellTo([(shown[0] + shown[2]) / 2, (shown[1] + shown[3]) / 2], x, y + Math.min(EDGE, reserved) - reserved / 2);
  }

  function isInView([x0, y0, x1, y1]) {
    const box = view().getBoundingClientRect(), [x, y] = cellAt(box.left, box.top + EDGE), slack = 0.05;
    const [w, h] = [view().clientWidth / side(), freeHeight() / side()];
    return x0 >= x - slack && y0 >= y - slack && x1 <= x + w + slack && y1 <= y + h + slack;
  }

  function updateView() {
    if (!picture()) return;
    size(picture());
    const isOther = shownSeat !== view().dataset.mapSeat, { visible } = areas();
    if (isOther) isMovedByUser = false;
    const isNew = isOther || String(visible) !== shownArea; // what others do leaves the map as it is
    const isLarge = side() >= Math.min(THUMB_CELL, cellSizeFor(visible)) - 0.5;
    if (isNew && !isMovedByUser && !(isLarge && isInView(visible) && !isOther)) fit();
    [shownSeat, shownArea] = [view().dataset.mapSeat, String(visible)];
  }

  // For the keyboard the cells are one tab stop, and arrow keys move between them: to the next column, or up and down,
  // in the same column first, so that every cell can be reached.
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let focusedCell = "0,0";
  function minimumBy(all, measure) {
    const measured = all.map(measure), best = Math.min(...measured);
    return all[measured.indexOf(best)];
  }
  function neighbor(from, [across, down]) {
    const [x, y] = cellOf(from), ahead = (spot) => across * (cellOf(spot)[0] - x) + down * (cellOf(spot)[1] - y);
    const offset = (spot) => Math.abs(down * (cellOf(spot)[0] - x) + across * (cellOf(spot)[1] - y));
    const all = spots().filter((spot) => ahead(spot) > 0), same = down ? all.filter((spot) => !offset(spot)) : [];
    return minimumBy(same.length ? same : all, (spot) => MAP_SIZE * ahead(spot) + offset(spot));
  }
  const MAP_SIZE = 1000; // cells, more than the size of any map
  function updateTabStop() {
    const all = spots(), fits = all.filter((spot) => spot.matches(".fits")), [x, y] = focusedCell.split(",").map(Number);
    const tabStop = spotAt(focusedCell) ?? minimumBy(fits.length ? fits : all, (spot) => Math.hypot(cellOf(spot)[0] - x, cellOf(spot)[1] - y));
    for (const spot of all) spot.setAttribute("tabindex", spot === tabStop ? 0 : -1);
  }
  document.addEventListener("focusin", ({ target }) => {
    if (!target.matches("#map a.hotspot[data-cell]")) return;
    focusedCell = target.dataset.cell;
    updateTabStop();
    const [x, y] = cellOf(target);
    if (target.matches(":focus-visible") && !isInView([x, y, x + 1, y + 1])) scrollCellTo([x + 0.5, y + 0.5], ...viewCenter()); // Firefox does not
  });

  function scale(factor, clientX, clientY) {
    const cell = cellAt(clientX, clientY);
    zoom = Math.max(MIN_CELL / CELL, Math.min(MAX_CELL / CELL, zoom * factor));
    size(picture());
    scrollCellTo(cell, clientX, clientY);
    isMovedByUser = true;
  }

  // ---- The selected tile -----------------------------------------------------------------------------------------------
  const emptySelection = () => ({ key: null, cell: null, way: null, hasShape: false });
  let selected = emptySelection(); // the tile that is being placed: its key, cell and exits, whether its shape was chosen
  let nextKey = null; // a key pressed when no tile could be placed; it is selected as soon as one can
  let shape = null, miles = null, icons = null; // the latest values
  let queue = []; // moves that are not on the server's map yet, each with the id of its tap
  let failures = []; // sentences about moves that failed
  let isSending = false; // the first move of the queue has been sent
  let heldButtons = []; // buttons tapped in the meantime

  // This state survives a reload and is kept per seat of this phone. The names that are stored never change.
  let owner = null; // the address of the seat's page
  function save() {
    if (!owner) return;
    const [hand, next, outbox, lost] = [selected, nextKey, queue, failures];
    try {
      sessionStorage.setItem(owner, JSON.stringify({ hand, next, shape, miles, icons, outbox, lost }));
    } catch { /* storage is not available */ }
  }
  function load() {
    const page = regionState()?.dataset.seatUrl;
    if (!page || page === owner) return;
    save();
    [owner, isSending, heldButtons] = [page, false, []];
    let saved = null;
    try {
      saved = JSON.parse(sessionStorage.getItem(owner));
    } catch { /* storage is not available */ }
    [selected, nextKey] = [saved?.hand ?? emptySelection(), saved?.next ?? null];
    [queue, failures] = [saved?.outbox ?? [], saved?.lost ?? []];
    [shape, miles, icons] = [saved?.shape ?? null, saved?.miles ?? null, saved?.icons ?? null];
  }

  const spots = () => [...document.querySelectorAll("#map a.hotspot[data-cell]")];
  const cellOf = (spot) => spot.dataset.cell.split(",").map(Number);
  const spotAt = (cell) => document.querySelector(`#map a.hotspot[data-cell="${cell}"]`);
  const cellName = (spot) => spot.getAttribute("aria-label").split(":")[0];
  const splitWords = (text) => (text ? text.split(" ") : []);
  const buildsLocally = () => Boolean(pad()?.dataset.mode); // whether moves are built on this phone; if not, the server builds them
  const keys = () => [...document.querySelectorAll("#tile-form .key:not(.icons), .key[form=tile-form]")];
  const keyOf = (name) => keys().find((key) => (key.dataset.key ?? key.value) === name);
  const moveTemplate = (name) => JSON.parse(keyOf(name).dataset.move);
  const isTrail = (name) => Boolean(name?.startsWith("trail-"));
  const isRoundTile = (name) => !["waterfall", "goat", "moose", "bear", "wolf"].includes(name); // as one of the tiles of a round
  const tilesLeft = () => Number(view().dataset.tilesLeft) - queue.filter((each) => isRoundTile(each.key)).length;
  const isPlaying = () => pad()?.dataset.mode === "play";
  const isLoopWaiting = () => isPlaying() && queue.some((each) => each.loop); // a loop earns a waterfall, which is placed first
  const isWaiting = () => isLoopWaiting() || (isPlaying() && tilesLeft() <= 0 && queue.length > 0);
  // Return why the first move of the queue cannot be sent yet.
  const blockingReason = () => !isPlaying() || !queue.length || !isRoundTile(queue[0].key) ? ""
    : view().dataset.needsAnimal ? "Take or skip the animal first. Your tile waits."
    : keyOf("waterfall") ? "Place the waterfall first. Your tile waits." : "";

  // Return the orientations of a tile in a cell: the exits of a trail, else a single empty one.
  function orientations(spot, key) {
    if (queue.some((each) => each.cell === spot.dataset.cell)) return [];
    const fits = isTrail(key) ? splitWords(spot.dataset.exits) : splitWords(spot.dataset.otherKinds).includes(key.split("-")[0]) ? [""] : [];
    if (pad().dataset.mode !== "enter" || spot.classList.contains("tile")) return fits;
    return isTrail(key) ? [...new Set([...fits, ...ALL_EXITS])] : [""]; // a map that is entered may break the rules
  }
  const ALL_EXITS = ["NS", "EW", "NE", "ES", "SW", "NW", "NES", "ESW", "NSW", "NEW", "NESW"];
  const shapeOf = (way) => (way.length > 2 ? "fork" : ["NS", "EW"].includes(way) ? "straight" : "bend");
  // Return the side of a fork with three exits that is opposite its closed side.
  const stemOf = (way) => (way.length === 3 ? "SWNE"["NESW".search(`[^${way}]`)] : "");
  const ofShape = (ways) => ways.filter((way) => shapeOf(way) === shape);

  const NAMES = { trail: "trail", terrain: "terrain tile" };

  function tileName(key, way) {
    const [kind, terrain] = key.split("-");
    if (kind === "trail") return `${miles}-mile ${terrain} ${way.length > 3 ? "four-way " : ""}${shapeOf(way)}${icons === 1 ? "" : ` with ${icons} icons`}`;
    return kind === "terrain" ? `${terrain} terrain` : kind;
  }

  // Return the move and its text, as the bar shows and sends them: what the bar does, and with what; `words` say exactly where.
  function currentMove() {
    if (selected.key === "discard") {
      return { key: selected.key, move: moveTemplate(selected.key), title: "Discard it", text: "one of your tiles", words: "a discarded tile" };
    }
    if (!selected.key || !selected.cell) return null;
    const [x, y] = selected.cell.split(",").map(Number), move = { ...moveTemplate(selected.key), x, y };
    if (isTrail(selected.key)) Object.assign(move, { exits: selected.way, miles: Number(miles), icons: Number(icons) });
    const spot = spotAt(selected.cell), loop = splitWords(spot.dataset.loopExits).includes(selected.way);
    const name = tileName(selected.key, selected.way), title = loop ? "Place it, complete a loop" : "Place it";
    return {
      key: selected.key, cell: selected.cell, way: selected.way, loop, move,
      title, text: `${name}, ${spot.dataset.direction}`, words: `${name} ${cellName(spot)}`,
    };
  }

  // Return the order of orientations when turning: first those of the shape that was chosen for this tile, then those toward
  // the tapped edge or corner of the cell, then the simplest. A tap in the middle keeps the shape of the last tile. Near the
  // only edge where the trail must enter, a tap says no direction: then the tile with the most exits comes first.
  const MIDDLE = 0.2; // share of a cell's width from its center that belongs to no edge
  function rotationOrder(all, [across, down]) {
    const [dx, dy] = [across - 0.5, down - 0.5], isMoreAcross = Math.abs(dx) > Math.abs(dy);
    const points = { N: 0, E: 0, S: 0, W: 0 }; // for each exit toward the finger
    if (Math.abs(dx) >= MIDDLE) points[dx > 0 ? "E" : "W"] = isMoreAcross ? 2 : 1;
    if (Math.abs(dy) >= MIDDLE) points[dy > 0 ? "S" : "N"] = isMoreAcross ? 1 : 2;
    const prefersShape = selected.hasShape || !Object.values(points).some(Boolean);
    const entries = [..."NESW"].filter((letter) => all.every((way) => way.includes(letter)));
    const isAtEntry = !prefersShape && entries.length === 1 && Object.entries(points).every(([letter, value]) => Boolean(value) === (letter === entries[0]));
    const stemBonus = (way) => (prefersShape || isAtEntry) && points[stemOf(way)] === 2 ? 0.5 : 0;
    const rank = (way) => (prefersShape && way && shapeOf(way) === shape ? 4 : 0)
      + (isAtEntry ? way.length : [...way].reduce((sum, letter) => sum + points[letter], 0)) + stemBonus(way);
    return [...all].sort((one, other) => rank(other) - rank(one));
  }

  function placeTile(spot, tapPosition) {
    if (selected.key === "discard") confirmMove();
    if (isWaiting()) return paint();
    selected.cell = spot.dataset.cell;
    clearMessage();
    if (!selected.key) return paint();
    selected.at = tapPosition;
    if (orientations(spot, selected.key).length) turnToFit(spot);
    else explainMisfit(spot);
    paint();
  }
  function turnToFit(spot) {
    selected.turns = rotationOrder(orientations(spot, selected.key), selected.at);
    turnTo(selected.turns[0]);
  }
  function turnTo(way) {
    selected.way = way;
    if (way) shape = shapeOf(way);
  }
  let isDraftDropped = false; // the draft that the page shows was refused, and the player has gone on to something else
  function clearMessage() { // it was about another cell
    const message = document.querySelector(".tile-placement .objection");
    isDraftDropped ||= Boolean(message);
    message?.remove();
  }
  // Ask the server why the selected tile does not fit there.
  function explainMisfit(spot) {
    const [x, y] = cellOf(spot), [what, terrain] = selected.key.split("-");
    const query = new URLSearchParams({ "draft.what": what, "draft.x": x, "draft.y": y });
    if (terrain) query.set("draft.terrain", terrain);
    selected.cell = null;
    isDraftDropped = false;
    loadDraft(query);
  }
  function rotate() {
    turnTo(selected.turns[(selected.turns.indexOf(selected.way) + 1) % selected.turns.length]);
    paint();
  }
  // The tile in hand takes the chosen shape, or leaves a cell where that shape does not fit.
  function chooseShape(name) {
    [shape, selected.hasShape] = [name, true];
    const spot = isTrail(selected.key) && selected.way !== null ? spotAt(selected.cell) : null;
    if (!spot) return;
    if (ofShape(orientations(spot, selected.key)).length) turnToFit(spot);
    else Object.assign(selected, { cell: null, way: null });
  }

  function pressKey(key) {
    clearMessage();
    if (key.name === "draft.miles") miles = Number(key.value);
    else if (key.name === "draft.shape") chooseShape(key.value);
    else if (key.name === "draft.icons") {
      icons = Number(key.value.split("-")[1]);
      document.getElementById("icon-keys").hidden = true;
      pad().querySelector(".key.icons").focus();
    } else {
      const name = key.dataset.key ?? key.value, isDeselected = name === "discard" && selected.key === name;
      const isSent = !isDeselected && Boolean(currentMove());
      if (isSent) confirmMove();
      const cell = !isSent && selected.key === null ? selected.cell : null; // the cell was tapped before the key
      nextKey = isWaiting() ? name : null;
      const hasShape = !isSent && selected.hasShape; // the shape was chosen before the key
      selected = isWaiting() || isDeselected ? emptySelection() : { ...emptySelection(), key: name, hasShape };
      const spot = cell && spotAt(cell);
      if (spot && selected.key && orientations(spot, name).length) {
        Object.assign(selected, { cell, at: [0.5, 0.5] });
        turnToFit(spot);
      }
      document.getElementById("kept-animals")?.removeAttribute("open");
    }
    paint();
  }

  // ---- Sending: one move after another, each as it was on the screen ---------------------------------------------------
  function confirmMove() {
    const what = currentMove();
    if (!what) return;
    const index = isRoundTile(what.key) ? queue.length : isSending ? 1 : 0; // other tiles are sent before the tiles of the round, which wait for them
    queue.splice(index, 0, { ...what, tap: newTap() });
    selected = emptySelection();
    isMovedByUser = false;
    send();
  }
  const newTap = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  function send() {
    const form = document.getElementById("send-form");
    if (isSending || !queue.length || !form || blockingReason()) return;
    const [{ cell, move, tap, sent, words: text }] = queue;
    if (!sent && !isPlaying() && cell && spotAt(cell)?.matches(".tile")) { // placed in the meantime, on another page of this seat
      queue.shift();
      failures.push(`Not done: ${text}. There is already a tile.`);
      paint();
      return;
    }
    isSending = queue[0].sent = true;
    save();
    form.elements.move.value = JSON.stringify(move);
    form.elements.tap.value = tap;
    form.requestSubmit();
  }
  // The first move of the queue was accepted or refused; the next one does not depend on it.
  let shownDraft = ""; // the draft that the page shows as well
  const isFirst = (body) => isSending && queue.length > 0 && body?.get?.("tap") === queue[0].tap;
  document.addEventListener("htmx:after:request", (event) => { // waymark.js has prevented the default if it is not a valid answer
    const { ctx } = event.detail;
    if (event.defaultPrevented || !isTap(ctx) || !isFirst(ctx.request.body)) return;
    const { words: text } = queue.shift();
    if (ctx.response.status >= 400) failures.push(`Not done: ${text}.`);
    isSending = false;
    shownDraft = regionState() && !isDraftDropped ? draftQuery() : "";
    isDraftDropped = false;
    save();
  });
  function handleAnswerEnd() { // the whole answer is on the page
    if (isSending && !isFirst(tap?.body)) isSending = false; // retries have ended: send the same tap again, which counts once
    if (isSending) return;
    if (shownDraft && !draftQuery()) loadDraft(shownDraft);
    shownDraft = "";
    paint();
    if (!isSending && !tap && heldButtons.length) submitHeld();
  }

  // Other buttons wait until earlier moves are answered. Undo removes the latest move of the queue.
  document.addEventListener("submit", (event) => {
    const { target, submitter } = event, undo = target.matches(".undo");
    if (target.id === "send-form" || !target.matches("#region form[hx-post]") || !pad()) return;
    if (target.matches("[data-ends-turn]") && buildsLocally()) confirmMove();
    if (undo && queue.length > (isSending ? 1 : 0)) {
      queue.pop();
      paint();
    } else if (isSending || heldButtons.length) heldButtons.push({ action: target.action, button: submitter, value: submitter?.value, undo });
    else return;
    halt(event);
  }, true);
  function submitHeld() {
    const { action, button, value, undo } = heldButtons[0], waiting = heldButtons.splice(0).slice(1); // empty while this one is sent, so that it does not wait itself
    const isSameButton = (each) => each.name === button?.name && each.value === value && each.form.action === action;
    const current = [...document.querySelectorAll(undo ? ".turnbar .undo button" : "#region form[hx-post] button")].find(undo ? Boolean : isSameButton);
    if (current) current.form.requestSubmit(current);
    else failures.push(`Not done: ${button?.querySelector(".label")?.textContent ?? "your last tap"}.`);
    heldButtons.push(...waiting);
    showFailures();
  }

  // ---- Drawing ---------------------------------------------------------------------------------------------------------
  const NS = "http://www.w3.org/2000/svg";
  function draw(name, attributes) {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }
  function drawTile({ key, cell, way, move }, isQueued) {
    const [x, y] = cell.split(",").map(Number), [kind, terrain] = key.split("-");
    const group = draw("g", { class: `tile-overlay${isQueued ? " pending" : ""}`, transform: `translate(${100 * x} ${100 * y})` });
    const shapeId = kind === "trail" ? `${terrain}-${way}-${move?.miles ?? miles}` : key;
    group.append(draw("use", { href: view().dataset.shapes + shapeId }), draw("path", { class: "frame", d: "M3 3h94v94H3z" }));
    picture().append(group);
  }

  // Reset the selected tile if it no longer fits the map.
  function checkSelection() {
    shape ??= view().dataset.shape;
    miles ??= Number(view().dataset.miles);
    icons ??= 1;
    if (selected.key && !keyOf(selected.key)) {
      if (isRoundTile(selected.key)) nextKey = selected.key;
      dropTile();
      selected = emptySelection();
    }
    selected.key ??= pad().dataset.preselected ?? null;
    if (!selected.key && nextKey && keyOf(nextKey) && !isWaiting()) [selected.key, nextKey] = [nextKey, null];
    const spot = selected.cell && spotAt(selected.cell);
    if (selected.cell && (!spot || (selected.way !== null && !orientations(spot, selected.key).includes(selected.way)))) dropTile();
  }

  function dropTile() {
    if (selected.cell && selected.way !== null) failures.push(`Not placed: ${tileName(selected.key, selected.way)}. It no longer fits there.`);
    Object.assign(selected, { cell: null, way: null });
  }

  function paint() {
    if (pad() && buildsLocally()) {
      load();
      checkSelection();
      for (const spot of spots()) {
        if (spot.classList.contains("tile")) continue;
        const ways = selected.key && selected.key !== "discard" ? orientations(spot, selected.key) : null;
        const accepts = ways ? ways.length : spot.dataset.exits || spot.dataset.otherKinds;
        const isOpen = !selected.key || (isTrail(selected.key) && !ofShape(ways).length); // only as another shape
        const fits = Boolean(accepts) && !(pad().dataset.mode === "enter" && selected.key && !acceptsKind(spot));
        spot.classList.toggle("fits", fits);
        spot.classList.toggle("refused", !fits);
        spot.classList.toggle("open", fits && isOpen);
        spot.classList.toggle("selected", spot.dataset.cell === selected.cell);
        spot.classList.toggle("loop", Boolean(spot.dataset.loopExits) && (!selected.key || isTrail(selected.key)));
        const isPlaced = spot.dataset.cell === selected.cell && selected.way !== null;
        const label = isPlaced ? `: ${tileName(selected.key, selected.way)}${selected.turns.length > 1 ? ". Tap to rotate" : ""}` : fits ? ": a tile fits here" : "";
        spot.setAttribute("aria-label", cellName(spot) + label);
      }
      for (const old of picture()?.querySelectorAll(".tile-overlay") ?? []) old.remove();
      for (const each of queue) if (each.cell && spotAt(each.cell)) drawTile(each, true);
      if (selected.cell && selected.way !== null) drawTile(selected, false);
      paintPad();
    }
    updateView();
    updateTabStop();
    showFailures();
    send();
    save();
  }
  function showFailures() {
    const note = document.querySelector(".tile-placement .failed-moves");
    if (!note) return;
    note.hidden = !failures.length;
    note.querySelector("span").textContent = failures.join(" ");
  }
  const acceptsKind = (spot) => isTrail(selected.key) ? spot.dataset.exits : splitWords(spot.dataset.otherKinds).includes(selected.key.split("-")[0]);

  function paintPad() {
    for (const key of keys()) {
      const [name, value] = [key.name, key.dataset.key ?? key.value];
      const pressedValue = { "draft.shape": shape, "draft.miles": String(miles), "draft.icons": `trail-${icons}` }[name] ?? selected.key ?? nextKey;
      const isPressed = value === pressedValue;
      key.setAttribute("aria-pressed", isPressed);
      key.setAttribute("aria-disabled", isWaiting());
    }
    pad().querySelector(".key.icons")?.setAttribute("aria-expanded", !document.getElementById("icon-keys").hidden);
    const iconCaption = pad().querySelector(".icons .caption");
    if (iconCaption) [iconCaption.firstChild.textContent, iconCaption.childNodes[1].data] = [icons, icons === 1 ? " icon " : " icons "];
    const trades = document.getElementById("trade-fork"); // in solo games, a fork can be discarded for its animal
    if (trades) trades.hidden = selected.key !== "discard";
    const what = currentMove(), button = bar().querySelector(".confirm-form button");
    if (!what && bar().contains(document.activeElement)) focusActions();
    bar().hidden = button.disabled = !what;
    bar().classList.remove("at-top");
    if (what?.cell) bar().classList.toggle("at-top", isUnderBar(spotAt(what.cell)));
    bar().querySelector(".rotate").hidden = !what || !isTrail(selected.key);
    button.value = what ? JSON.stringify(what.move) : "";
    button.querySelector(".label b").textContent = what ? `${what.title}:` : "";
    button.querySelector(".label b + span").textContent = what?.text ?? "";
    document.getElementById("tile-status").textContent = what ? `${what.title}: ${what.words}` : "";
    const info = document.querySelector(".tile-placement .tile-info"), note = document.querySelector(".tile-placement .no-fit");
    if (info && selected.key) info.hidden = true;
    if (!note) return;
    const waits = blockingReason() || (isLoopWaiting() ? "You completed a loop. Place the waterfall next." : isWaiting() ? "That was your last tile for now." : "");
    note.hidden = !waits && (!selected.key || selected.key === "discard" || spots().some((spot) => spot.classList.contains("fits")));
    if (!waits && document.querySelector(".tile-placement .objection")) note.hidden = true;
    if (waits) note.textContent = waits;
    else if (!note.hidden) note.textContent = keyOf(selected.key).dataset.noFitText ?? `No square of your map fits a ${NAMES[selected.key.split("-")[0]] ?? selected.key} now.`;
  }

  // The bar lies over the lower edge of the map, or over the upper one if the tile is there.
  function isUnderBar(spot) {
    const { top, bottom } = bar().getBoundingClientRect(), box = spot.getBoundingClientRect();
    return isBarOverMap() && box.bottom > top && box.top < bottom;
  }

  // Show what a placed tile is, with a link to fix it.
  function showTileInfo(tile) {
    const note = document.querySelector(".tile-placement .tile-info");
    if (!note) return;
    const [x, y] = tile.dataset.mark.split(",");
    note.querySelector("span").textContent = `${tile.getAttribute("aria-label")}.`;
    const link = note.querySelector("a");
    link.href = `${link.href.split("&")[0]}&draft.x=${x}&draft.y=${y}`;
    note.hidden = false;
  }

  // ---- Taps --------------------------------------------------------------------------------------------------------------
  const halt = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("click", (event) => {
    if (drag?.far > 6) {
      drag = null;
      return halt(event);
    }
    drag = null;
    const { target } = event;
    if (target.closest(".key.icons")) {
      const row = document.getElementById("icon-keys");
      row.hidden = !row.hidden;
      paint();
      if (!row.hidden) row.querySelector("[aria-pressed=true]")?.focus(); // the row takes the place of this key
      return halt(event);
    }
    if (!pad()) return;
    if (target.closest("#trade-fork button")) selected = emptySelection(); // the fork is traded for its animal, not discarded as well
    const key = target.closest(".key:not(.icons)"), spot = within(target) ? target.closest("a.hotspot") ?? spotUnder(event) : null;
    if (!buildsLocally()) {
      if (key?.form === pad()) sendKey(key, event);
      return;
    }
    const button = target.closest(".tile-placement .confirm-bar :is(.rotate, .back, .confirm-form button), .tile-placement .failed-moves button");
    if (key && keys().includes(key)) pressKey(key);
    else if (button?.matches(".rotate")) rotate();
    else if (button?.matches(".back")) (selected = emptySelection()), paint();
    else if (button?.matches(".failed-moves button")) (failures = []), paint();
    else if (button) confirmMove(), paint();
    else if (spot && !spot.classList.contains("tile")) {
      if (spot.dataset.cell === selected.cell && selected.way !== null) rotate();
      else if (!isWaiting()) {
        const box = spot.getBoundingClientRect();
        placeTile(spot, event.detail ? [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height] : [0.5, 0.5]);
      }
    } else {
      const tile = within(target) && !spot ? target.closest(".tile") : null;
      if (tile) showTileInfo(tile);
      return;
    }
    halt(event);
  }, true);

  // If a cell was re-rendered during the tap, find it by its position.
  function spotUnder({ target, clientX, clientY, detail }) {
    return !detail || target.closest(".tile") ? null : spotAt(cellAt(clientX, clientY).map(Math.floor));
  }

  // If the server builds the move, send a key together with the keys that are not answered yet.
  function sendKey(key, event) {
    const query = new URLSearchParams(new FormData(pad()));
    for (const [name, value] of pending) query.set(name, value);
    for (const name of key.name === "draft.key" ? ["draft.what", "draft.terrain"] : []) query.delete(name);
    query.set(key.name, key.value);
    pending.set(key.name, key.value);
    bar().querySelector(".confirm-form button").disabled = true; // its label is out of date until the answer arrives
    halt(event);
    loadDraft(query);
  }
  const pending = new Map();
  document.addEventListener("click", (event) => { // the bar may be out of date until the answer arrives
    if (pending.size && !buildsLocally() && event.target.closest(".tile-placement .confirm-form")) halt(event);
  }, true);

  document.addEventListener("htmx:before:swap", () => {
    if (picture()) anchor ??= { seat: view().dataset.mapSeat, position: viewCenter(), cell: cellAt(...viewCenter()) };
  });
  document.addEventListener("htmx:after:swap", () => {
    pending.clear();
    if (picture() && anchor?.seat === view().dataset.mapSeat) {
      size(picture());
      scrollCellTo(anchor.cell, ...anchor.position);
    }
    anchor = null;
    paint();
  });
  document.addEventListener("htmx:finally:request", handleAnswerEnd); // the whole answer is on the page, with the id of the next tap
  document.addEventListener("DOMContentLoaded", paint);
  window.addEventListener("resize", () => picture() && fit());
  document.addEventListener("scroll", (event) => { if (event.target === view() && isDragged) isMovedByUser = true; }, true);

  // Two fingers zoom the map. One finger scrolls, as everywhere; a double tap next to the cells fits the map again.
  const MAX_SHAKE = 10; // px that a finger moves in a tap
  let fingerDistance = 0, isTouching = false, isDragged = false, touchedAt = [0, 0], tappedAt = -1000;
  const touchDistance = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  document.addEventListener("touchstart", (event) => {
    isTouching = Boolean(view()?.contains(event.target));
    isDragged = false; // the page scrolls the map as well, also right after a tap
    touchedAt = [event.touches[0].clientX, event.touches[0].clientY];
    if (event.touches.length === 2 && isTouching) fingerDistance = touchDistance(event.touches);
  }, { passive: true });
  document.addEventListener("touchmove", (event) => {
    const [x, y] = touchedAt, { clientX, clientY } = event.touches[0];
    isDragged ||= isTouching && Math.hypot(clientX - x, clientY - y) > MAX_SHAKE;
    if (event.touches.length !== 2 || !fingerDistance || !view()?.contains(event.target)) return;
    event.preventDefault();
    const distance = touchDistance(event.touches), [one, other] = event.touches;
    scale(distance / fingerDistance, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    fingerDistance = distance;
  }, { passive: false });
  document.addEventListener("touchend", (event) => {
    fingerDistance = 0;
    if (!isTouching || event.changedTouches.length !== 1 || event.target.closest?.("a.hotspot, .tile")) return;
    if (event.timeStamp - tappedAt < 300) {
      isMovedByUser = false;
      fit();
    }
    tappedAt = event.timeStamp;
  });
  document.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || !view()?.contains(event.target)) return;
    event.preventDefault();
    scale(event.deltaY < 0 ? 1.12 : 1 / 1.12, event.clientX, event.clientY);
  }, { passive: false });
  document.addEventListener("keydown", (event) => {
    if (ARROWS[event.key] && event.target.closest(".tile-keys .key")) { // an arrow key leads from the pad to the map
      event.preventDefault();
      spots().find((spot) => spot.tabIndex === 0)?.focus();
    }
    if (!view()?.contains(event.target)) return;
    if (event.key === "+" || event.key === "-") scale(event.key === "+" ? 1.3 : 1 / 1.3, ...viewCenter());
    if (event.key === "0") (isMovedByUser = false), fit();
    const spot = event.target.closest("a.hotspot[data-cell]"), direction = ARROWS[event.key];
    if (!spot || !direction) return;
    event.preventDefault();
    neighbor(spot, direction)?.focus();
  });

  // A mouse drags the map.
  let drag = null;
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && view()?.contains(event.target)) drag = { x: event.clientX, y: event.clientY, far: 0 };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons) return;
    view().scrollLeft -= event.clientX - drag.x;
    view().scrollTop -= event.clientY - drag.y;
    drag = { x: event.clientX, y: event.clientY, far: drag.far + Math.abs(event.movementX) + Math.abs(event.movementY) };
    isMovedByUser = true;
  });
  document.addEventListener("dragstart", (event) => view()?.contains(event.target) && event.preventDefault());
}
