// The interactive map: a tile is placed and turned on the phone, and sent only when it is confirmed.
"use strict";
{
  const view = () => document.getElementById("map-view");
  const picture = () => view()?.querySelector("svg");
  const pad = () => document.querySelector("form.keys");
  const bar = () => document.querySelector(".placing .bar");
  const within = (element) => picture()?.contains(element);

  // ---- The map: zooms to where a tile may go, until the user moves it --------------------------------------------------
  const CELL = 56; // px of a cell as the server draws it
  const GOOD = 40, LEAST = 18, MOST = 200; // px of a cell: large enough for a thumb; minimum; maximum
  const COSY = 64; // px of a cell when there is room for more
  let zoom = 1;
  let whose = null; // the seat whose map was zoomed
  let moved = false; // by the user: the map stays as it is until the next tile

  const side = () => CELL * zoom;
  const origin = (svg) => [Number(svg.dataset.x), Number(svg.dataset.y)];

  function size(svg) {
    svg.style.width = `${svg.dataset.w * side()}px`;
    svg.style.height = `${svg.dataset.h * side()}px`;
  }

  // Convert a position in the window to map cells; and scroll a cell to a position in the window.
  function cellAt(clientX, clientY) {
    const box = picture().getBoundingClientRect(), [x, y] = origin(picture());
    return [x + (clientX - box.left) / side(), y + (clientY - box.top) / side()];
  }
  function bring(cell, clientX, clientY) {
    const [x, y] = cellAt(clientX, clientY);
    view().scrollLeft += (cell[0] - x) * side();
    view().scrollTop += (cell[1] - y) * side();
  }
  function middle() {
    const box = view().getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }
  let anchor = null; // the cell in the middle during a swap, so that a map that has grown does not jump

  // The area that must be visible, in cells: where a tile may go now, or the whole map if none may.
  function wanted() {
    const [x, y] = origin(picture()), all = [x, y, x + Number(picture().dataset.w), y + Number(picture().dataset.h)];
    const changing = pad() && !here(); // any tile of the map may be picked
    const cells = changing ? [] : spots().filter((spot) => spot.matches(".fits, .here"));
    if (!cells.length) return { all, least: [all[0] - 0.1, all[1] - 0.1, all[2] + 0.1, all[3] + 0.1] };
    const xs = cells.map((spot) => place(spot)[0]), ys = cells.map((spot) => place(spot)[1]);
    return { all, least: [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1] };
  }
  const room = ([left, top, right, bottom]) =>
    Math.min(COSY, view().clientWidth / (right - left), view().clientHeight / (bottom - top));

  function fit() {
    const { all, least } = wanted();
    const shown = room(all) >= GOOD || room(all) >= room(least) - 1 ? all : least; // the whole map, if its cells are large enough to tap
    zoom = Math.max(LEAST, Math.min(room(shown), shown === all ? COSY : Math.max(GOOD, room(shown) * 0.9))) / CELL;
    size(picture());
    bring([(shown[0] + shown[2]) / 2, (shown[1] + shown[3]) / 2], ...middle());
  }

  function isSeen([left, top, right, bottom]) {
    const box = view().getBoundingClientRect(), [x, y] = cellAt(box.left, box.top), slack = 0.05;
    const [w, h] = [view().clientWidth / side(), view().clientHeight / side()];
    return left >= x - slack && top >= y - slack && right <= x + w + slack && bottom <= y + h + slack;
  }

  function look() {
    if (!picture()) return;
    size(picture());
    if (whose !== view().dataset.home) moved = false;
    const { least } = wanted(), good = side() >= Math.min(GOOD, room(least)) - 0.5;
    if (whose !== view().dataset.home || (!moved && !(good && isSeen(least)))) fit();
    whose = view().dataset.home;
  }

  // For the keyboard the cells are one tab stop, and arrow keys move between them: to the next column, or up and down,
  // in the same column first, so that every cell can be reached.
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let stop = "0,0"; // the cell that was focused last
  function least(all, measure) {
    const measured = all.map(measure), best = Math.min(...measured);
    return all[measured.indexOf(best)];
  }
  function beyond(from, [across, down]) {
    const [x, y] = place(from), ahead = (spot) => across * (place(spot)[0] - x) + down * (place(spot)[1] - y);
    const aside = (spot) => Math.abs(down * (place(spot)[0] - x) + across * (place(spot)[1] - y));
    const all = spots().filter((spot) => ahead(spot) > 0), same = down ? all.filter((spot) => !aside(spot)) : [];
    return least(same.length ? same : all, (spot) => FAR * ahead(spot) + aside(spot));
  }
  const FAR = 1000; // cells, more than the size of any map
  function stops() {
    const all = spots(), fits = all.filter((spot) => spot.matches(".fits")), [x, y] = stop.split(",").map(Number);
    const one = spotAt(stop) ?? least(fits.length ? fits : all, (spot) => Math.hypot(place(spot)[0] - x, place(spot)[1] - y));
    for (const spot of all) spot.setAttribute("tabindex", spot === one ? 0 : -1);
  }
  document.addEventListener("focusin", ({ target }) => {
    if (!target.matches("#map a.spot[data-at]")) return;
    stop = target.dataset.at;
    stops();
  });

  function scale(factor, clientX, clientY) {
    const cell = cellAt(clientX, clientY);
    zoom = Math.max(LEAST / CELL, Math.min(MOST / CELL, zoom * factor));
    size(picture());
    bring(cell, clientX, clientY);
    moved = true;
  }

  // ---- The tile in hand ------------------------------------------------------------------------------------------------
  const nothing = () => ({ key: null, cell: null, way: null });
  let hand = nothing();
  let next = null; // a key pressed when no tile could be placed; it is selected as soon as one can
  let miles = null, icons = null; // the latest values
  let outbox = []; // moves that are not on the server's map yet, each with the id of its tap
  let lost = []; // sentences about moves that failed
  let sending = false; // the first move of the outbox has been sent
  let held = []; // buttons tapped in the meantime

  // This state survives a reload and is kept per seat of this phone.
  let owner = null; // the address of the seat's page
  function save() {
    if (!owner) return;
    try {
      sessionStorage.setItem(owner, JSON.stringify({ hand, next, miles, icons, outbox, lost }));
    } catch { /* storage is not available */ }
  }
  function load() {
    const page = at()?.dataset.here;
    if (!page || page === owner) return;
    save();
    [owner, sending, held] = [page, false, []];
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(owner));
    } catch { /* storage is not available */ }
    ({ hand, next, miles, icons, outbox, lost } = kept ?? { hand: nothing(), next: null, miles: null, icons: null, outbox: [], lost: [] });
  }

  const spots = () => [...document.querySelectorAll("#map a.spot[data-at]")];
  const place = (spot) => spot.dataset.at.split(",").map(Number);
  const spotAt = (cell) => document.querySelector(`#map a.spot[data-at="${cell}"]`);
  const words = (spot) => spot.getAttribute("aria-label").split(":")[0];
  const list = (text) => (text ? text.split(" ") : []);
  const here = () => Boolean(pad()?.dataset.mode); // whether moves are built on this phone; if not, the server builds them
  const keys = () => [...document.querySelectorAll("#pad .key:not(.icons), .key[form=pad]")];
  const keyOf = (name) => keys().find((key) => (key.dataset.key ?? key.value) === name);
  const patterns = (name) => JSON.parse(keyOf(name).dataset.says);
  const isTrail = (name) => Boolean(name?.startsWith("trail-"));
  const counts = (name) => !["waterfall", "goat", "moose", "bear", "wolf"].includes(name); // as one of the tiles of a round
  const left = () => Number(view().dataset.left) - outbox.filter((each) => counts(each.key)).length;
  const playing = () => pad()?.dataset.mode === "play";
  const closing = () => playing() && outbox.some((each) => each.loop); // a loop earns a waterfall, which is placed first
  const busy = () => closing() || (playing() && left() <= 0 && outbox.length > 0);
  // The decision or tile that must come before the first move of the outbox can be sent.
  const first = () => !playing() || !outbox.length || !counts(outbox[0].key) ? ""
    : view().dataset.waits ? "Take or leave the animal first. Your tile waits."
    : keyOf("waterfall") ? "Place the waterfall first. Your tile waits." : "";

  // The orientations of a tile in a cell: the exits of a trail, else a single empty one.
  function ways(spot, key) {
    if (outbox.some((each) => each.cell === spot.dataset.at)) return [];
    const fits = isTrail(key) ? list(spot.dataset.ways) : list(spot.dataset.takes).includes(key.split("-")[0]) ? [""] : [];
    if (pad().dataset.mode !== "enter" || spot.classList.contains("tile")) return fits;
    return isTrail(key) ? [...new Set([...fits, ...EVERY])] : [""]; // a map that is entered may break the rules
  }
  const EVERY = ["NS", "EW", "NE", "ES", "SW", "NW", "NES", "ESW", "NSW", "NEW", "NESW"];
  const shape = (way) => (way.length > 2 ? (way.length > 3 ? "crossing" : "fork") : ["NS", "EW"].includes(way) ? "straight" : "bend");

  const NAMES = { trail: "trail", terrain: "tile without a trail" };

  function called(key, way) {
    const [kind, terrain] = key.split("-");
    if (kind === "trail") return `${miles} mile ${terrain} ${shape(way)}${icons === 1 ? "" : ` with ${icons} icons`}`;
    return kind === "terrain" ? `${terrain} tile` : kind;
  }

  // The move and its words, as the bar shows and sends them.
  function said() {
    if (hand.key === "discard") return { key: hand.key, move: patterns(hand.key), words: "Discard a tile" };
    if (!hand.key || !hand.cell) return null;
    const [x, y] = hand.cell.split(",").map(Number), move = { ...patterns(hand.key), x, y };
    if (isTrail(hand.key)) Object.assign(move, { exits: hand.way, miles: Number(miles), icons: Number(icons) });
    const spot = spotAt(hand.cell), loop = list(spot.dataset.loops).includes(hand.way);
    return {
      key: hand.key, cell: hand.cell, way: hand.way, loop, move,
      words: `Lies: ${called(hand.key, hand.way)}, ${words(spot)}${loop ? "; closes a loop" : ""}`,
    };
  }

  // The order of orientations when turning: first those toward the tapped side of the cell, then the simplest.
  function turns(all, [across, down]) {
    const [far, wide] = [across - 0.5, down - 0.5];
    if (Math.max(Math.abs(far), Math.abs(wide)) < 0.2) return all;
    const letter = Math.abs(far) > Math.abs(wide) ? (far > 0 ? "E" : "W") : wide > 0 ? "S" : "N";
    return [...all.filter((way) => way.includes(letter)), ...all.filter((way) => !way.includes(letter))];
  }

  function lay(spot, tapped) {
    if (hand.key === "discard") say();
    if (busy()) return paint();
    hand.cell = spot.dataset.at;
    forget();
    if (!hand.key) return paint();
    const all = ways(spot, hand.key);
    hand.turns = turns(all, tapped);
    if (all.length) hand.way = hand.turns[0];
    else whyNot(spot);
    paint();
  }
  const forget = () => document.querySelector(".placing .why")?.remove(); // the message was about another cell
  // Ask the server why the tile does not fit there, with the whole tile in hand.
  function whyNot(spot) {
    const [x, y] = place(spot), [what, terrain] = hand.key.split("-");
    const asked = new URLSearchParams({ "draft.what": what, "draft.x": x, "draft.y": y });
    if (terrain) asked.set("draft.terrain", terrain);
    hand.cell = null;
    draft(asked);
  }
  function turn() {
    hand.way = hand.turns[(hand.turns.indexOf(hand.way) + 1) % hand.turns.length];
    paint();
  }

  function press(key) {
    forget();
    if (key.name === "draft.miles") miles = Number(key.value);
    else if (key.name === "draft.icons") icons = Number(key.value.split("-")[1]);
    else {
      const name = key.dataset.key ?? key.value, again = name === "discard" && hand.key === name; // deselected
      const laid = !again && Boolean(said());
      if (laid) say();
      const cell = !laid && hand.key === null ? hand.cell : null; // the cell was tapped before the key
      next = busy() ? name : null;
      hand = busy() || again ? nothing() : { key: name, cell: null, way: null };
      const spot = cell && spotAt(cell), all = spot && hand.key ? ways(spot, name) : [];
      if (all.length) Object.assign(hand, { cell, way: all[0], turns: all });
    }
    paint();
  }

  // ---- Sending: one move after another, each as it was on the screen ---------------------------------------------------
  function say() {
    const what = said();
    if (!what) return;
    const place = counts(what.key) ? outbox.length : sending ? 1 : 0; // other tiles go before the tiles of the round, which wait for them
    outbox.splice(place, 0, { ...what, tap: newTap() });
    hand = nothing();
    moved = false;
    send();
  }
  const newTap = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  function send() {
    const form = document.getElementById("sending");
    if (sending || !outbox.length || !form || first()) return;
    const [{ cell, move, tap, sent, words }] = outbox;
    if (!sent && !playing() && cell && spotAt(cell)?.matches(".tile")) { // placed in the meantime, on another page of this seat
      outbox.shift();
      lost.push(`Not entered: ${words}. A tile lies there already.`);
      paint();
      return;
    }
    sending = outbox[0].sent = true;
    save();
    form.elements.move.value = JSON.stringify(move);
    form.elements.tap.value = tap;
    form.requestSubmit();
  }
  // The first move of the outbox was accepted or refused; the next one does not depend on it.
  let drafted = ""; // the draft that the page shows as well
  const isFirst = (body) => sending && outbox.length > 0 && body?.get?.("tap") === outbox[0].tap;
  document.addEventListener("htmx:after:request", (event) => { // waymark.js has prevented the default if it is not a valid answer
    const { ctx } = event.detail;
    if (event.defaultPrevented || !isTap(ctx) || !isFirst(ctx.request.body)) return;
    const { words } = outbox.shift();
    if (ctx.response.status >= 400) lost.push(`Not entered: ${words}.`);
    sending = false;
    drafted = at() ? drafts() : "";
    save();
  });
  function answered() { // the whole answer is on the page
    if (sending && !isFirst(tap?.body)) sending = false; // retries have ended: send the same tap again, which counts once
    if (sending) return;
    if (drafted && !drafts()) draft(drafted);
    drafted = "";
    paint();
    if (!sending && !tap && held.length) release();
  }

  // Other buttons wait until earlier moves are answered. Undo removes the latest move of the outbox.
  document.addEventListener("submit", (event) => {
    const { target, submitter } = event, undo = target.matches(".undo");
    if (target.id === "sending" || !target.matches("#now form[hx-post]") || !pad()) return;
    if (target.matches("[data-ends]") && here()) say();
    if (undo && outbox.length > (sending ? 1 : 0)) {
      outbox.pop();
      paint();
    } else if (sending || held.length) held.push({ action: target.action, button: submitter, value: submitter?.value, undo });
    else return;
    halt(event);
  }, true);
  function release() {
    const { action, button, value, undo } = held[0], waiting = held.splice(0).slice(1); // empty while this one is sent, so that it does not wait itself
    const same = (each) => each.name === button?.name && each.value === value && each.form.action === action;
    const now = [...document.querySelectorAll(undo ? ".turnbar .undo button" : "#now form[hx-post] button")].find(undo ? Boolean : same);
    if (now) now.form.requestSubmit(now);
    else lost.push(`Not done: ${button?.querySelector(".label")?.textContent ?? "your last tap"}.`);
    held.push(...waiting);
    tellLost();
  }

  // ---- Drawing ---------------------------------------------------------------------------------------------------------
  const NS = "http://www.w3.org/2000/svg";
  function draw(name, attributes) {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }
  function put({ key, cell, way, move }, sure) {
    const [x, y] = cell.split(",").map(Number), [kind, terrain] = key.split("-");
    const group = draw("g", { class: `over${sure ? " going" : ""}`, transform: `translate(${100 * x} ${100 * y})` });
    const face = kind === "trail" ? `${terrain}-${way}` : key;
    group.append(draw("use", { href: `#${face}` }));
    if (kind === "trail") {
      const at = document.getElementById(face).dataset, text = draw("text", { x: at.x, y: at.y, class: way.length > 2 ? "small" : "" });
      text.textContent = move?.miles ?? miles;
      group.append(text);
    }
    group.append(draw("path", { class: "frame", d: "M3 3h94v94H3z" }));
    picture().append(group);
  }

  // Reset the tile in hand if it no longer fits the map.
  function check() {
    miles ??= Number(view().dataset.miles);
    icons ??= 1;
    if (hand.key && !keyOf(hand.key)) {
      if (counts(hand.key)) next = hand.key;
      putDown();
      hand = nothing();
    }
    hand.key ??= pad().dataset.first ?? null;
    if (!hand.key && next && keyOf(next) && !busy()) [hand.key, next] = [next, null];
    const spot = hand.cell && spotAt(hand.cell);
    if (hand.cell && (!spot || (hand.way !== null && !ways(spot, hand.key).includes(hand.way)))) putDown();
  }

  function putDown() {
    if (hand.cell && hand.way !== null) lost.push(`Not placed: ${called(hand.key, hand.way)}. It no longer fits there.`);
    Object.assign(hand, { cell: null, way: null });
  }

  function paint() {
    if (pad() && here()) {
      load();
      check();
      for (const spot of spots()) {
        if (spot.classList.contains("tile")) continue;
        const open = hand.key && hand.key !== "discard" ? ways(spot, hand.key).length : spot.dataset.ways || spot.dataset.takes;
        const fits = Boolean(open) && !(pad().dataset.mode === "enter" && hand.key && !fitting(spot));
        spot.classList.toggle("fits", fits);
        spot.classList.toggle("refused", !fits);
        spot.classList.toggle("open", fits && !hand.key);
        spot.classList.toggle("here", spot.dataset.at === hand.cell);
        spot.classList.toggle("loop", Boolean(spot.dataset.loops) && (!hand.key || isTrail(hand.key)));
        const lies = spot.dataset.at === hand.cell && hand.way !== null;
        const says = lies ? `: ${called(hand.key, hand.way)}${hand.turns.length > 1 ? ", turn it" : ""}` : fits ? ": fits" : "";
        spot.setAttribute("aria-label", words(spot) + says);
      }
      for (const old of picture()?.querySelectorAll(".over") ?? []) old.remove();
      for (const each of outbox) if (each.cell && spotAt(each.cell)) put(each, true);
      if (hand.cell && hand.way !== null) put(hand, false);
      paintPad();
    }
    look();
    stops();
    tellLost();
    send();
    save();
  }
  function tellLost() {
    const note = document.querySelector(".placing .lost");
    if (!note) return;
    note.hidden = !lost.length;
    note.querySelector("span").textContent = lost.join(" ");
  }
  const fitting = (spot) => isTrail(hand.key) ? spot.dataset.ways : list(spot.dataset.takes).includes(hand.key.split("-")[0]);

  function paintPad() {
    for (const key of keys()) {
      const [name, value] = [key.name, key.dataset.key ?? key.value];
      const on = name === "draft.miles" ? Number(value) === miles : name === "draft.icons" ? value === `trail-${icons}` : value === (hand.key ?? next);
      key.setAttribute("aria-pressed", on);
      key.setAttribute("aria-disabled", busy());
    }
    pad().querySelector(".key.icons")?.setAttribute("aria-expanded", !document.getElementById("icon-keys").hidden);
    const number = pad().querySelector(".icons .num");
    if (number) number.textContent = icons;
    const trades = document.getElementById("trade-fork"); // in solo games, a fork can be discarded for its animal
    if (trades) trades.hidden = hand.key !== "discard";
    const what = said(), button = bar().querySelector(".say button");
    if (!what && bar().contains(document.activeElement)) readOn();
    bar().hidden = button.disabled = !what;
    bar().querySelector(".turn").hidden = !what || !isTrail(hand.key);
    button.value = what ? JSON.stringify(what.move) : "";
    for (const each of [button.querySelector(".label"), document.getElementById("in-hand")]) each.textContent = what?.words ?? "";
    const looked = document.querySelector(".placing .lying"), nowhere = document.querySelector(".placing .nowhere");
    if (looked && hand.key) looked.hidden = true;
    if (!nowhere) return;
    const waits = first() || (closing() ? "Your loop earns a waterfall. It comes next." : busy() ? "That was your last tile for now." : "");
    nowhere.hidden = !waits && (!hand.key || hand.key === "discard" || spots().some((spot) => spot.classList.contains("fits")));
    if (!waits && document.querySelector(".placing .why")) nowhere.hidden = true;
    if (waits) nowhere.textContent = waits;
    else if (!nowhere.hidden) nowhere.textContent = keyOf(hand.key).dataset.nowhere ?? `A ${NAMES[hand.key.split("-")[0]] ?? hand.key} fits nowhere on your map now.`;
  }

  // Show what a placed tile is, with a link to fix it.
  function lookAt(tile) {
    const note = document.querySelector(".placing .lying");
    if (!note) return;
    const [x, y] = tile.dataset.mark.split(",");
    note.querySelector("span").textContent = `${tile.querySelector("title").textContent}.`;
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
      return halt(event);
    }
    if (!pad()) return;
    if (target.closest("#trade-fork button")) hand = nothing(); // the fork is traded for its animal, not discarded as well
    const key = target.closest(".key:not(.icons)"), spot = within(target) ? target.closest("a.spot") ?? under(event) : null;
    if (!here()) {
      if (key?.form === pad()) ask(key, event);
      return;
    }
    const button = target.closest(".placing .bar :is(.turn, .back, .say button), .placing .lost button");
    if (key && keys().includes(key)) press(key);
    else if (button?.matches(".turn")) turn();
    else if (button?.matches(".back")) (hand = nothing()), paint();
    else if (button?.matches(".lost button")) (lost = []), paint();
    else if (button) say(), paint();
    else if (spot && !spot.classList.contains("tile")) {
      if (spot.dataset.at === hand.cell && hand.way !== null) turn();
      else if (!busy()) {
        const box = spot.getBoundingClientRect();
        lay(spot, event.detail ? [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height] : [0.5, 0.5]);
      }
    } else {
      const tile = within(target) && !spot ? target.closest(".tile") : null;
      if (tile) lookAt(tile);
      return;
    }
    halt(event);
  }, true);

  // If a cell was re-rendered during the tap, find it by its position.
  function under({ target, clientX, clientY, detail }) {
    return !detail || target.closest(".tile") ? null : spotAt(cellAt(clientX, clientY).map(Math.floor));
  }

  // If the server builds the move, send a key together with the keys that are not answered yet.
  function ask(key, event) {
    const said = new URLSearchParams(new FormData(pad()));
    for (const [name, value] of pending) said.set(name, value);
    for (const name of key.name === "draft.key" ? ["draft.what", "draft.terrain"] : []) said.delete(name);
    said.set(key.name, key.value);
    pending.set(key.name, key.value);
    bar().querySelector(".say button").disabled = true; // its label is out of date until the answer arrives
    halt(event);
    draft(said);
  }
  const pending = new Map();
  document.addEventListener("click", (event) => { // the bar may be out of date until the answer arrives
    if (pending.size && !here() && event.target.closest(".placing .say")) halt(event);
  }, true);

  document.addEventListener("htmx:before:swap", () => {
    if (picture()) anchor ??= { home: view().dataset.home, cell: cellAt(...middle()) };
  });
  document.addEventListener("htmx:after:swap", () => {
    pending.clear();
    if (picture() && anchor?.home === view().dataset.home) {
      size(picture());
      bring(anchor.cell, ...middle());
    }
    anchor = null;
    paint();
  });
  document.addEventListener("htmx:finally:request", answered); // the whole answer is on the page, with the id of the next tap
  document.addEventListener("DOMContentLoaded", paint);
  window.addEventListener("resize", () => picture() && fit());
  document.addEventListener("scroll", (event) => { if (event.target === view() && touching) moved = true; }, true);

  // Two fingers zoom the map. One finger scrolls, as everywhere; a double tap next to the cells fits the map again.
  let apart = 0, touching = false, tappedAt = -1000;
  const spread = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  document.addEventListener("touchstart", (event) => {
    touching = Boolean(view()?.contains(event.target));
    if (event.touches.length === 2 && touching) apart = spread(event.touches);
  }, { passive: true });
  document.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2 || !apart || !view()?.contains(event.target)) return;
    event.preventDefault();
    const now = spread(event.touches), [one, other] = event.touches;
    scale(now / apart, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    apart = now;
  }, { passive: false });
  document.addEventListener("touchend", (event) => {
    apart = 0;
    if (!touching || event.changedTouches.length !== 1 || event.target.closest?.("a.spot, .tile")) return;
    if (event.timeStamp - tappedAt < 300) {
      moved = false;
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
    if (!view()?.contains(event.target)) return;
    if (event.key === "+" || event.key === "-") scale(event.key === "+" ? 1.3 : 1 / 1.3, ...middle());
    if (event.key === "0") (moved = false), fit();
    const spot = event.target.closest("a.spot[data-at]"), way = ARROWS[event.key];
    if (!spot || !way) return;
    event.preventDefault();
    beyond(spot, way)?.focus();
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
    moved = true;
  });
  document.addEventListener("dragstart", (event) => view()?.contains(event.target) && event.preventDefault());
}
